//! `beni --profile[=FILE]`: a profile of the whole program, written at exit.

use std::time::Duration;

use runtime::Cx;
use runtime::sampling::{self, Mode, Refusal, allocations::Rate};

use crate::allocations;
use crate::output::{AllocationFormat, Format};

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    Time(Mode),
    Allocations,
}

/// The profile requested on the command line.
#[derive(Clone, Debug)]
pub struct Wish {
    pub file: String,
    pub subject: Subject,
    pub interval: Duration,
}

/// Allocations are sampled once per this many bytes.
const BYTES: u32 = 512 * 1024;

impl Wish {
    /// The default file.
    pub const FILE: &str = "profile.html";

    /// # Errors
    /// If no format has the file's extension.
    pub fn check(&self) -> Result<(), String> {
        match self.subject {
            Subject::Time(_) => Format::of_file(&self.file).map(|_| ()),
            Subject::Allocations => AllocationFormat::of_file(&self.file).map(|_| ()),
        }
    }
}

/// Starts sampling; the profile is written when the process ends or executes another program.
///
/// # Errors
/// The reason why sampling does not start.
pub fn begin(cx: &mut Cx, wish: Wish) -> Result<(), String> {
    match wish.subject {
        Subject::Time(mode) => crate::start(cx, mode, wish.interval).map_err(|refusal| refused(&refusal))?,
        Subject::Allocations if allocations::start(cx, Rate::Bytes(BYTES)) => {}
        Subject::Allocations => return Err("allocations are being traced already".into()),
    }
    sampling::at_end(cx, Box::new(move |cx| end(cx, &wish)));
    Ok(())
}

/// The message for a refusal to start sampling.
pub fn refused(refusal: &Refusal) -> String {
    match refusal {
        Refusal::AlreadyRuns => "a profile is being taken already".into(),
        Refusal::System(errno) => format!("cannot take samples: {}", errno.message()),
    }
}

fn end(cx: &mut Cx, wish: &Wish) {
    let Some(written) = result(cx, wish) else { return };
    if wish.file == "-" {
        host::tell!("{}", String::from_utf8_lossy(&written));
    } else if let Err(error) = std::fs::write(&wish.file, written) {
        host::tell_line!("beni: cannot write {}: {error}", wish.file);
    }
}

fn result(cx: &mut Cx, wish: &Wish) -> Option<Vec<u8>> {
    match wish.subject {
        Subject::Time(_) => {
            let profile = crate::stop(cx)?;
            Some(Format::of_file(&wish.file).ok()?.write(&profile))
        }
        Subject::Allocations => {
            let allocations = allocations::stop(cx)?;
            Some(AllocationFormat::of_file(&wish.file).ok()?.write(&allocations).into_bytes())
        }
    }
}
