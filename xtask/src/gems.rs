//! `gems`: compiles the C extensions of gems from their unchanged sources and runs a short program with each.
//!
//! `spec/gems/` holds the programs and their output, recorded with CRuby.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::test::{self, Tally};
use crate::{Outcome, build, fetch, limited, stdlib, workspace};

/// The time limit for configuring, for compiling and for a program.
const TIME_LIMIT: Duration = Duration::from_secs(240);

struct Gem {
    name: &'static str,
    /// The folder of `extconf.rb`.
    extension: &'static str,
    /// The arguments of `extconf.rb`.
    options: &'static [&'static str],
    /// The folder below `lib` to which the compiled library belongs.
    into: &'static str,
    /// A system header that is needed to compile it.
    header: Option<&'static str>,
}

const fn gem(name: &'static str, extension: &'static str) -> Gem {
    Gem { name, extension, options: &[], into: "", header: None }
}

const GEMS: &[Gem] = &[
    gem("bcrypt", "ext/mri"),
    gem("bcrypt_pbkdf", "ext/mri"),
    Gem { into: "bert/c", ..gem("bert", "ext/bert/c") },
    gem("bindex", "ext/skiptrace"),
    gem("bson", "ext/bson"),
    Gem { header: Some("unicode/ucsdet.h"), ..gem("charlock_holmes", "ext/charlock_holmes") },
    Gem { header: Some("openssl/ssl.h"), ..gem("eventmachine", "ext") },
    Gem { header: Some("ffi.h"), ..gem("ffi", "ext/ffi_c") },
    gem("puma", "ext/puma_http11"),
    gem("racc", "ext/racc/cparse"),
    Gem { options: &["--enable-system-libraries"], header: Some("sqlite3.h"), ..gem("sqlite3", "ext/sqlite3") },
    gem("vmstat", "ext/vmstat"),
];

impl Gem {
    /// Whether the C compiler finds the required header.
    fn has_header(&self) -> Result<bool, String> {
        let Some(header) = self.header else { return Ok(true) };
        let include = format!("echo '#include <{header}>' | cc -E - > /dev/null 2>&1");
        workspace::succeeds(Command::new("sh").args(["-c", &include]))
    }

    /// Unpacks the sources to a separate folder for each interpreter, because they are compiled there. The folder is
    /// named like those of installed gems.
    fn unpack(&self, interpreter: &str) -> Result<PathBuf, String> {
        let pins = fetch::pins(self.name)?;
        let [pin] = pins.as_slice() else { return Err(format!("{} has more than one source", self.name)) };
        let archive = fetch::download(pin)?;
        let stem = pin.stem();
        let version = stem.rsplit('_').next().unwrap_or_default().split(['+', '~']).next().unwrap_or_default();
        let folder = workspace::target().join(interpreter).join("gems").join(format!("{}-{version}", self.name));
        fetch::folder_once(&folder, &pin.sha256, |partial| {
            let mut tar = Command::new("tar");
            tar.args(["-x", "--strip-components=1", "-f"]).arg(&archive).arg("-C").arg(partial);
            if workspace::succeeds(&mut tar)? { Ok(()) } else { Err(format!("cannot unpack {}", archive.display())) }
        })?;
        Ok(folder)
    }

    /// Compiles it from scratch, into its folder `lib`.
    fn compile(&self, interpreter: &Path, folder: &Path) -> Result<(), String> {
        let place = folder.join(self.extension).join("compiled");
        let _ = fs::remove_dir_all(&place);
        fs::create_dir_all(&place).map_err(|error| format!("cannot make {}: {error}", place.display()))?;
        let mut configure = Command::new(interpreter);
        run(configure.arg("../extconf.rb").args(self.options), &place)?;
        let lib = folder.join("lib");
        let mut make = Command::new("make");
        make.args([&format!("-j{}", std::thread::available_parallelism().map_or(1, usize::from)), "install"]);
        for (variable, folder) in
            [("DESTDIR", Path::new("")), ("sitearchdir", &lib.join(self.into)), ("sitelibdir", &lib)]
        {
            make.arg(format!("{variable}={}", folder.display()));
        }
        run(&mut make, &place)?;
        Ok(())
    }

    fn try_out(&self, interpreter: &Path, folder: &Path) -> Result<Vec<u8>, String> {
        let mut command = Command::new(interpreter);
        command.arg("-W0").arg("-I").arg(folder.join("lib")).arg(recorded().join(format!("{}.rb", self.name)));
        run(&mut command, folder)
    }

    fn expected(&self) -> PathBuf {
        recorded().join(format!("{}.out", self.name))
    }
}

/// The output of the command, run in this folder; the end of its messages if it fails.
fn run(command: &mut Command, folder: &Path) -> Result<Vec<u8>, String> {
    command.current_dir(folder).env("LC_ALL", "C.UTF-8");
    for variable in ["RUBYOPT", "RUBYLIB", "GEM_HOME", "GEM_PATH"] {
        command.env_remove(variable);
    }
    let printed = limited::output(command, TIME_LIMIT)?;
    match printed.status {
        Some(status) if status.success() => Ok(printed.stdout),
        Some(status) => {
            let errors = String::from_utf8_lossy(&printed.stderr);
            let lines: Vec<&str> = errors.lines().collect();
            let last = lines[lines.len().saturating_sub(12)..].join("\n");
            Err(format!("{command:?} ended with {status}:\n{last}"))
        }
        None => Err(format!("{command:?} did not end in time")),
    }
}

fn recorded() -> PathBuf {
    workspace::root().join("spec/gems")
}

pub fn main(arguments: &[String]) -> Outcome {
    let mut arguments = arguments.to_vec();
    let interpreter = workspace::take_option(&mut arguments, "--interpreter")?.map(PathBuf::from);
    let record = workspace::take_switch(&mut arguments, "--record");
    workspace::expect_none(&arguments)?;
    match (interpreter, record) {
        (Some(interpreter), true) => record_outputs(&interpreter),
        (None, true) => Err("--record needs --interpreter RUBY".to_string()),
        (interpreter, false) => {
            stdlib::ensure()?;
            let interpreter = interpreter.map_or_else(|| build::beni("quick"), Ok)?;
            let tally = check(&interpreter)?;
            println!("{} passed, {} failed", tally.passed, tally.failed);
            Ok(tally.failed == 0)
        }
    }
}

/// Compiles and tries all of them. A gem whose source the archives no longer have, or that needs a header which the
/// system lacks, is reported and skipped.
pub fn check(interpreter: &Path) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for gem in GEMS {
        if !gem.has_header()? {
            println!("gem {} is not tried: there is no {}", gem.name, gem.header.unwrap_or_default());
            continue;
        }
        let folder = match gem.unpack("extensions") {
            Ok(folder) => folder,
            Err(reason) => {
                println!("gem {} is not tried: {reason}", gem.name);
                continue;
            }
        };
        let expected = fs::read(gem.expected()).map_err(|error| format!("{}: {error}", gem.expected().display()))?;
        let printed = gem.compile(interpreter, &folder).and_then(|()| gem.try_out(interpreter, &folder));
        match printed {
            Ok(printed) if printed == expected => tally.passed += 1,
            Ok(printed) => {
                let printed = String::from_utf8_lossy(&printed);
                test::failure(&format!("the output of gem {} differs:\n{printed}", gem.name));
                tally.failed += 1;
            }
            Err(error) => {
                test::failure(&format!("gem {}: {error}", gem.name));
                tally.failed += 1;
            }
        }
    }
    Ok(tally)
}

fn record_outputs(interpreter: &Path) -> Outcome {
    for gem in GEMS {
        let folder = gem.unpack("extensions-recorded")?;
        gem.compile(interpreter, &folder)?;
        let output = gem.try_out(interpreter, &folder)?;
        let path = gem.expected();
        fs::write(&path, &output).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        println!("{}: {} bytes", workspace::shown(&path), output.len());
    }
    Ok(true)
}
