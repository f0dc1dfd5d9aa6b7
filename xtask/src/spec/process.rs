//! Running one spec file, in one or more processes.

use std::fs;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use super::outcome::{FileOutcome, Outcome};
use super::suite::Suite;
use crate::{limited, torture, workspace};

/// The time limit of one process.
const TIME_LIMIT: Duration = Duration::from_secs(30);
/// The maximum number of additional processes that run the rest of a file after crashes and timeouts.
const NEW_STARTS: usize = 6;
/// The limit of a process's writable memory in kilobytes, which protects the machine.
const MEMORY_LIMIT: u64 = 4 << 20;

/// The interpreter that runs the specs.
pub struct Interpreter {
    pub path: PathBuf,
    /// The version that guards see, if it is not the interpreter's own.
    pub version: Option<String>,
    pub check: Check,
}

/// A check in addition to the expectations of the examples.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Check {
    Nothing,
    /// Collect at every allocation in an example, and verify the heap each time.
    Stress,
    /// Check the facts of native methods at each call: beni's `--verify-facts`.
    Facts,
    /// Run another thread at each n-th safepoint.
    Switch(u32),
    /// Handle a signal at each n-th safepoint.
    Signal(u32),
    /// In each example, refuse the n-th allocation of native memory that is large enough. Only crashes and timeouts
    /// count.
    Refuse(u32),
}

impl Check {
    fn argument(self) -> Option<String> {
        match self {
            Check::Facts => Some("--verify-facts".to_string()),
            Check::Switch(interval) => Some(format!("--stress-switch={interval}")),
            Check::Signal(interval) => Some(format!("--stress-signal={interval}")),
            Check::Nothing | Check::Stress | Check::Refuse(_) => None,
        }
    }

    fn set_environment(self, command: &mut Command) -> Result<(), String> {
        match self {
            Check::Stress => command.env("BENI_SPEC_STRESS", "1"),
            Check::Signal(_) => command.env("BENI_SPEC_SIGNAL", "1"),
            Check::Refuse(number) => {
                command.env("LD_PRELOAD", torture::refusing_library()?).env("BENI_SPEC_REFUSE", number.to_string())
            }
            Check::Nothing | Check::Facts | Check::Switch(_) => command,
        };
        Ok(())
    }

    /// Whether only crashes and timeouts are failures.
    pub fn spoils_results(self) -> bool {
        matches!(self, Check::Refuse(_))
    }
}

impl Interpreter {
    fn time_limit(&self) -> Duration {
        if self.check == Check::Nothing { TIME_LIMIT } else { 6 * TIME_LIMIT }
    }
}

/// Runs a file to its end, in as many processes as necessary. `worker` separates the files of parallel processes.
pub fn run(interpreter: &Interpreter, suite: &Suite, file: &str, worker: usize) -> Result<FileOutcome, String> {
    let mut outcome = FileOutcome::default();
    for _ in 0..=NEW_STARTS {
        let before = outcome.examples.len();
        let attempt = Attempt { interpreter, suite, file, worker, skip: before };
        let (events, unfinished) = attempt.run()?;
        let through = outcome.add_events(&events, unfinished);
        // Without a new example, another process would not get any further.
        if through || outcome.examples.len() == before || !outcome.outside.is_empty() {
            break;
        }
    }
    Ok(outcome)
}

struct Attempt<'a> {
    interpreter: &'a Interpreter,
    suite: &'a Suite,
    file: &'a str,
    worker: usize,
    skip: usize,
}

impl Attempt<'_> {
    /// The events of one process, and the result for an unfinished example.
    fn run(&self) -> Result<(String, Outcome), String> {
        let folder = workspace::target().join("spec/run").join(format!("{}-{}", std::process::id(), self.worker));
        let _ = fs::remove_dir_all(&folder);
        let failed = |error| format!("cannot prepare {}: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(failed)?;
        let results = folder.join("results");
        let mut command = self.command(&folder, &results)?;
        let mut child = command.spawn().map_err(|error| workspace::could_not_start(&command, &error))?;
        let status = limited::wait(&mut child, self.interpreter.time_limit());
        // Descriptions may contain any bytes.
        let events = fs::read(&results).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let _ = fs::remove_dir_all(&folder);
        Ok((events, status.map_or(Outcome::TimedOut, |status| Outcome::Crashed(self.describe(status)))))
    }

    fn command(&self, folder: &Path, results: &Path) -> Result<Command, String> {
        let log = self.log_file();
        if let Some(parent) = log.parent() {
            fs::create_dir_all(parent).map_err(|error| format!("cannot make {}: {error}", parent.display()))?;
        }
        let output = fs::File::create(&log).map_err(|error| format!("cannot write {}: {error}", log.display()))?;
        let errors = output.try_clone().map_err(|error| format!("cannot write {}: {error}", log.display()))?;
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("ulimit -d {MEMORY_LIMIT}; ulimit -c 0; exec \"$@\""), "sh"])
            .arg(&self.interpreter.path)
            .args(self.interpreter.check.argument())
            .arg(workspace::root().join("spec/support/run.rb"))
            .arg(&self.suite.mspec)
            .arg(results)
            .arg(self.suite.specs.join(self.file))
            .current_dir(&self.suite.specs)
            .env("RUBY_EXE", &self.interpreter.path)
            .env("SPEC_TEMP_DIR", folder.join("tmp"))
            .env("LC_ALL", "C.UTF-8")
            .env("BENI_SPEC_SKIP", self.skip.to_string())
            .env("RUBY_FLAGS", "")
            .env_remove("RUBYOPT")
            .env_remove("RUBYLIB")
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors)
            .process_group(0);
        if let Some(version) = &self.interpreter.version {
            command.env("BENI_SPEC_VERSION", version);
        }
        self.interpreter.check.set_environment(&mut command)?;
        Ok(command)
    }

    /// The file with the output of the process, for inspection.
    fn log_file(&self) -> PathBuf {
        workspace::target().join("spec/log").join(self.file).with_extension("log")
    }

    /// How a process ended, with its last line of output.
    fn describe(&self, status: ExitStatus) -> String {
        let how = match (status.code(), status.signal()) {
            (Some(code), _) => format!("exit status {code}"),
            (None, Some(signal)) => format!("signal {signal}"),
            (None, None) => "an unknown end".to_string(),
        };
        let printed = fs::read(self.log_file()).unwrap_or_default();
        let printed = String::from_utf8_lossy(&printed);
        match printed.lines().rfind(|line| !line.trim().is_empty()) {
            Some(line) => format!("{how}: {}", line.trim()),
            None => how,
        }
    }
}
