//! The scenarios: whole programs with their expected output, in a folder next to the checkout.
//!
//! `spec/scenarios.txt` names those that must pass. The others also run, so that newly passing ones can be added to the
//! list.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::progress::Progress;
use crate::test::{self, Tally};
use crate::{limited, workspace};

/// The time limit of a scenario.
const TIME_LIMIT: Duration = Duration::from_secs(90);

/// The folder of scenarios, if this machine has one.
pub fn folder() -> Option<PathBuf> {
    let folder = match std::env::var_os("BENI_SCENARIOS") {
        Some(folder) => PathBuf::from(folder),
        None => workspace::root().join("../shared/scenarios"),
    };
    folder.join("run").is_file().then_some(folder)
}

/// Runs all scenarios with `beni`; those on the list count.
pub fn run(beni: &Path, folder: &Path) -> Result<Tally, String> {
    let required = workspace::names("spec/scenarios.txt")?;
    let mut tally = Tally::default();
    let names = names(folder)?;
    let progress = Progress::new("scenarios", names.len());
    for name in names {
        progress.step(&name);
        let passed = passes(beni, folder, &name)?;
        match (required.contains(&name), passed) {
            (true, true) => tally.passed += 1,
            (true, false) => {
                tally.failed += 1;
                test::failure(&format!("scenario {name} failed: it is in spec/scenarios.txt"));
            }
            (false, true) => println!("scenario {name} passes now: add it to spec/scenarios.txt"),
            (false, false) => println!("scenario {name} does not pass yet"),
        }
    }
    Ok(tally)
}

fn passes(beni: &Path, folder: &Path, name: &str) -> Result<bool, String> {
    let mut command = Command::new("sh");
    command.arg(folder.join("run")).arg(beni).arg(name);
    let printed = limited::output(&mut command, TIME_LIMIT)?;
    Ok(printed.status.is_some_and(|status| status.success()))
}

fn names(folder: &Path) -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".rb").map(str::to_string))
        .collect();
    names.sort();
    Ok(names)
}
