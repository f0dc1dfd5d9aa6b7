//! Writing a profile to a file, whose name determines the format.

use crate::allocations::Allocations;
use crate::formats::{collapsed, firefox, pprof, speedscope};
use crate::result::Profile;
use crate::{page, terminal};

/// A format of profiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Page,
    Speedscope,
    Firefox,
    Pprof,
    Collapsed,
    Terminal,
}

impl Format {
    /// The format for a file, by its extension; a page if it has none.
    ///
    /// # Errors
    /// If no format has the extension.
    pub fn of_file(name: &str) -> Result<Format, String> {
        if name == "-" {
            return Ok(Format::Terminal);
        }
        let name = name.rsplit('/').next().unwrap_or(name);
        match name.split_once('.').map(|(_, extension)| extension) {
            None => Ok(Format::Page),
            Some(extension) if extension.ends_with("html") => Ok(Format::Page),
            Some(extension) if extension.ends_with("firefox.json") => Ok(Format::Firefox),
            Some(extension) if extension.ends_with("pb.gz") => Ok(Format::Pprof),
            Some(extension) if extension.ends_with("json") => Ok(Format::Speedscope),
            Some(extension) if extension.ends_with("txt") => Ok(Format::Collapsed),
            Some(extension) => Err(format!("no format of profiles has the extension .{extension}")),
        }
    }

    pub fn write(self, profile: &Profile) -> Vec<u8> {
        match self {
            Format::Page => page::profile::write(profile).into_bytes(),
            Format::Speedscope => speedscope::write(profile).into_bytes(),
            Format::Firefox => firefox::write(profile).into_bytes(),
            Format::Pprof => pprof::write(profile),
            Format::Collapsed => collapsed::write(profile).into_bytes(),
            Format::Terminal => terminal::write(profile).into_bytes(),
        }
    }
}

/// A format of allocations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AllocationFormat {
    Page,
    Collapsed,
    Terminal,
}

impl AllocationFormat {
    /// The format for a file, by its extension; a page if it has none.
    ///
    /// # Errors
    /// If no format has the extension.
    pub fn of_file(name: &str) -> Result<AllocationFormat, String> {
        match Format::of_file(name)? {
            Format::Page => Ok(AllocationFormat::Page),
            Format::Collapsed => Ok(AllocationFormat::Collapsed),
            Format::Terminal => Ok(AllocationFormat::Terminal),
            _ => Err(format!("allocations are written as .html or .txt, not as {name}")),
        }
    }

    pub fn write(self, allocations: &Allocations) -> String {
        match self {
            AllocationFormat::Page => page::allocations::write(allocations),
            AllocationFormat::Collapsed => allocations.to_collapsed(),
            AllocationFormat::Terminal => terminal::allocations(allocations),
        }
    }
}
