//! CRuby's test extensions in C (`ext/-test-` of its source), compiled for Beni.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::workspace;

/// Those that the listed tests load.
const EXTENSIONS: [&str; 8] =
    ["class", "file", "iter", "memory_view", "rb_call_super_kw", "regexp", "thread/id", "typeddata"];
/// Files load these at their beginning, but few of their tests need them. Empty files replace them, and those of the
/// list above that cannot be compiled: they use functions that no public header of CRuby declares.
const REPLACED: [&str; 1] = ["io_buffer"];

/// What mkmf needs to know outside of CRuby's own build.
const CONFIGURE: &str = "$0, folder = ARGV; require 'mkmf'; $srcdir = folder; load $0";

/// Compiles the extensions into a folder for the load path.
pub fn build(interpreter: &Path, source: &Path, library: &Path) -> Result<PathBuf, String> {
    let folder = workspace::target().join("cruby-tests/extensions");
    let _ = fs::remove_dir_all(&folder);
    for name in EXTENSIONS {
        let from = source.join("ext/-test-").join(name);
        let in_place = folder.join("-test-").join(name);
        let built = from.is_dir().then(|| compile(interpreter, library, &from, &folder.join("build").join(name)));
        match built.transpose()?.flatten() {
            Some(made) => {
                let place = in_place.with_extension("so");
                create(place.parent())?;
                fs::copy(&made, &place).map_err(|error| format!("{}: {error}", place.display()))?;
            }
            None => replace(&in_place)?,
        }
    }
    REPLACED.iter().try_for_each(|name| replace(&folder.join("-test-").join(name)))?;
    Ok(folder)
}

/// The compiled library; `None` if it cannot be compiled.
fn compile(interpreter: &Path, library: &Path, from: &Path, folder: &Path) -> Result<Option<PathBuf>, String> {
    create(Some(folder))?;
    let common = from.ancestors().find(|above| above.ends_with("-test-")).unwrap_or(from);
    let mut configure = Command::new(interpreter);
    configure.env("BENI_STDLIB", library).arg("-I").arg(common).args(["-rauto_ext", "-e", CONFIGURE]);
    configure.arg(from.join("extconf.rb")).arg(from);
    let mut make = Command::new("make");
    // Of CRuby's source only the headers are in this folder of the makefile.
    make.arg(format!("top_srcdir={}", interpreter.with_file_name("capi/include").display()));
    for command in [&mut configure, &mut make] {
        let command = command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
        if !command.status().map_err(|error| format!("{}: {error}", command.get_program().display()))?.success() {
            return Ok(None);
        }
    }
    let mut files = fs::read_dir(folder).map_err(|error| error.to_string())?.flatten().map(|entry| entry.path());
    Ok(files.find(|file| file.extension().is_some_and(|extension| extension == "so")))
}

fn replace(place: &Path) -> Result<(), String> {
    let place = place.with_extension("rb");
    create(place.parent())?;
    fs::write(&place, "").map_err(|error| format!("{}: {error}", place.display()))
}

fn create(folder: Option<&Path>) -> Result<(), String> {
    let Some(folder) = folder else { return Ok(()) };
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}
