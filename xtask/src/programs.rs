//! `programs`: runs three real programs from Debian packages, unchanged, and compares their output with that under
//! CRuby.
//!
//! `spec/programs/` holds the inputs and the outputs, which were recorded with CRuby.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::test::{self, Tally};
use crate::{Outcome, build, fetch, limited, stdlib, workspace};

/// The time limit of a program.
const TIME_LIMIT: Duration = Duration::from_secs(60);

struct Program {
    name: &'static str,
    /// The folder of its gem below the packages' folder of gems.
    gem: &'static str,
    /// Its executable, below `target/programs/NAME`.
    executable: &'static str,
    arguments: &'static [&'static str],
    /// Its input in `spec/programs/`.
    input: &'static str,
    /// A bundled gem that it requires.
    requires: Option<&'static str>,
}

const GEMS: &str = "usr/share/rubygems-integration/all/gems";

const PROGRAMS: &[Program] = &[
    Program {
        name: "kramdown",
        gem: "kramdown-2.5.1",
        executable: "usr/bin/kramdown",
        arguments: &[],
        input: "readme.md",
        requires: Some("rexml"),
    },
    Program {
        name: "asciidoctor",
        gem: "asciidoctor-2.0.23",
        executable: "usr/share/rubygems-integration/all/gems/asciidoctor-2.0.23/bin/asciidoctor",
        // To the standard output, without a header and a footer, because these contain the date.
        arguments: &["-e", "-o", "-"],
        input: "readme.md",
        requires: None,
    },
    Program {
        name: "rouge",
        gem: "rouge-4.5.1",
        executable: "usr/share/rubygems-integration/all/gems/rouge-4.5.1/bin/rougify",
        arguments: &["highlight", "-l", "ruby", "-f", "html"],
        input: "sample.rb",
        requires: None,
    },
];

impl Program {
    fn folder(&self) -> PathBuf {
        workspace::target().join("programs").join(self.name)
    }

    /// Unpacks its packages unless they are already unpacked.
    fn fetch(&self) -> Result<(), String> {
        let pins = fetch::pins(self.name)?;
        let mark: Vec<&str> = pins.iter().map(|pin| pin.sha256.as_str()).collect();
        fetch::folder_once(&self.folder(), &mark.join(" "), |partial| {
            pins.iter().try_for_each(|pin| fetch::unpack_deb(&fetch::download(pin)?, partial))
        })
    }

    fn output(&self, interpreter: &Path) -> Result<Vec<u8>, String> {
        let folder = self.folder();
        let mut command = Command::new(interpreter);
        command.arg("-W0");
        if let Some(gem) = self.requires {
            command.arg("-I").arg(stdlib::bundled_gem(gem)?.join("lib"));
        }
        command
            .arg("-I")
            .arg(folder.join(GEMS).join(self.gem).join("lib"))
            .arg(folder.join(self.executable))
            .args(self.arguments)
            .arg(self.input)
            .current_dir(recorded())
            .env("LC_ALL", "C.UTF-8")
            .env_remove("RUBYOPT")
            .env_remove("RUBYLIB");
        let printed = limited::output(&mut command, TIME_LIMIT)?;
        match printed.status {
            Some(status) if status.success() => Ok(printed.stdout),
            Some(status) => {
                let errors = String::from_utf8_lossy(&printed.stderr);
                let first = errors.lines().next().unwrap_or_default();
                Err(format!("{} ended with {status}: {first}", self.name))
            }
            None => Err(format!("{} did not end in time", self.name)),
        }
    }

    fn expected(&self) -> PathBuf {
        recorded().join(format!("{}.html", self.name))
    }

    /// Whether its output matches the recorded one; prints the difference.
    fn passes(&self, interpreter: &Path) -> Result<bool, String> {
        let expected = fs::read(self.expected()).map_err(|error| format!("{}: {error}", self.expected().display()))?;
        match self.output(interpreter) {
            Ok(output) if output == expected => Ok(true),
            Ok(output) => {
                let same = output.iter().zip(&expected).take_while(|(a, b)| a == b).count();
                test::failure(&format!("the output of {} differs from byte {same} on", self.name));
                Ok(false)
            }
            Err(error) => {
                test::failure(&error);
                Ok(false)
            }
        }
    }
}

fn recorded() -> PathBuf {
    workspace::root().join("spec/programs")
}

pub fn main(arguments: &[String]) -> Outcome {
    let mut arguments = arguments.to_vec();
    let interpreter = workspace::take_option(&mut arguments, "--interpreter")?.map(PathBuf::from);
    let record = workspace::take_switch(&mut arguments, "--record");
    let profile = workspace::take_option(&mut arguments, "--profile")?;
    workspace::expect_none(&arguments)?;
    PROGRAMS.iter().try_for_each(Program::fetch)?;
    println!("the programs are in {}", workspace::shown(&workspace::target().join("programs")));
    match (interpreter, record) {
        (Some(interpreter), true) => record_outputs(&interpreter),
        (None, true) => Err("--record needs --interpreter RUBY".to_string()),
        (Some(interpreter), false) => judge(&interpreter, &all_names()),
        (None, false) if !workspace::has_crate("cli") => Ok(true),
        (None, false) => {
            stdlib::ensure()?;
            judge(&build::beni(profile.as_deref().unwrap_or("quick"))?, &all_names())
        }
    }
}

fn all_names() -> Vec<String> {
    PROGRAMS.iter().map(|program| program.name.to_string()).collect()
}

fn judge(interpreter: &Path, names: &[String]) -> Outcome {
    let tally = check(interpreter, names)?;
    println!("{} passed, {} failed", tally.passed, tally.failed);
    Ok(tally.failed == 0)
}

/// Runs the programs and counts passes; only the required ones must pass, the others are reported.
pub fn check(interpreter: &Path, required: &[String]) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for program in PROGRAMS {
        program.fetch()?;
        let passed = program.passes(interpreter)?;
        match (required.iter().any(|name| name == program.name), passed) {
            (true, true) => tally.passed += 1,
            (true, false) => tally.failed += 1,
            (false, true) => println!("program {} passes now: add it to spec/programs.txt", program.name),
            (false, false) => println!("program {} does not pass yet", program.name),
        }
    }
    Ok(tally)
}

fn record_outputs(interpreter: &Path) -> Outcome {
    for program in PROGRAMS {
        let output = program.output(interpreter)?;
        let path = program.expected();
        fs::write(&path, &output).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        println!("{}: {} bytes", workspace::shown(&path), output.len());
    }
    Ok(true)
}
