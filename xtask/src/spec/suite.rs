//! Locations of the specs and mspec, and the list of spec files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{fetch, stdlib, workspace};

/// A checkout of ruby/spec and of mspec.
pub struct Suite {
    /// The folder that holds `language/`, `core/` and so on.
    pub specs: PathBuf,
    /// mspec's `lib/`.
    pub mspec: PathBuf,
    /// Whether the tags and the floor apply to this suite. Other suites partly expect the behaviour of an older or
    /// newer Ruby, and with another standard library other examples fail.
    pub tagged: bool,
}

impl Suite {
    /// The suite of CI, from the first available pinned package.
    pub fn pinned() -> Result<Suite, String> {
        let pins = fetch::pins("ruby")?;
        let mut errors = Vec::new();
        for (index, pin) in pins.iter().enumerate() {
            let folder = workspace::target().join("spec/suite").join(pin.stem());
            match fetch::folder_once(&folder, &pin.sha256, |partial| unpack(pin, partial)) {
                Ok(()) => {
                    let (specs, mspec) = (folder.join("ruby"), folder.join("mspec/lib"));
                    return Ok(Suite { specs, mspec, tagged: index == 0 && stdlib::is_newest()? });
                }
                Err(error) => errors.push(error),
            }
        }
        Err(errors.join("\n"))
    }

    /// Checkouts in a folder, under the names of their repositories or of CRuby's folders.
    pub fn in_folder(folder: &Path) -> Result<Suite, String> {
        let find = |names: &[&str], inside: &str| {
            let found = names.iter().map(|name| folder.join(name)).find(|path| path.join(inside).exists());
            found.ok_or_else(|| format!("{} holds no {}", folder.display(), names.join(" or ")))
        };
        let specs = find(&["ruby-spec", "rubyspec", "ruby", "spec"], "language/alias_spec.rb")?;
        let mspec = find(&["mspec"], "lib/mspec.rb")?.join("lib");
        let absolute = |path: PathBuf| path.canonicalize().map_err(|error| format!("{}: {error}", path.display()));
        Ok(Suite { specs: absolute(specs)?, mspec: absolute(mspec)?, tagged: false })
    }

    /// The spec files that the patterns match: folders, files, with or without `_spec.rb`.
    pub fn files(&self, patterns: &[String]) -> Result<Vec<String>, String> {
        let mut files = Vec::new();
        for pattern in patterns {
            let pattern = pattern.trim_end_matches('/');
            let candidates = [pattern.to_string(), format!("{pattern}_spec.rb"), format!("{pattern}.rb")];
            let is_spec = |name: &&String| name.ends_with("_spec.rb") && self.specs.join(name).is_file();
            if self.specs.join(pattern).is_dir() {
                self.collect(pattern, &mut files)?;
            } else if let Some(file) = candidates.iter().find(is_spec) {
                files.push(file.clone());
            } else {
                return Err(format!("there is no spec {pattern}"));
            }
        }
        files.sort();
        files.dedup();
        Ok(files)
    }

    fn collect(&self, folder: &str, files: &mut Vec<String>) -> Result<(), String> {
        let failed = |error| format!("cannot read {folder}: {error}");
        for entry in fs::read_dir(self.specs.join(folder)).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = format!("{folder}/{name}");
            if entry.path().is_dir() {
                self.collect(&path, files)?;
            } else if name.ends_with("_spec.rb") {
                files.push(path);
            }
        }
        Ok(())
    }
}

fn unpack(pin: &fetch::Pin, folder: &Path) -> Result<(), String> {
    let archive = fetch::download(pin)?;
    let count = fetch::unpack_tar_xz(&archive, folder, |path| path.strip_prefix("spec").ok().map(Into::into))?;
    println!("unpacked {count} files of specs from {}", pin.file_name());
    Ok(())
}
