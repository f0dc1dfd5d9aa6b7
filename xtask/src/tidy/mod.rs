//! `tidy`: lints for the rules that reviewers would otherwise repeat.

mod allocations;
mod contracts;
mod documents;
mod floors;
mod layers;
mod lines;
mod methods;
mod rules;
mod sizes;
mod stubs;
mod unreferenced;
mod unsafe_code;
mod values;

use crate::Outcome;
use crate::source::{self, SourceFile};
use crate::{test::Tally, workspace};
use rules::Rules;

/// The findings of one lint: errors, and remarks that do not make it fail.
#[derive(Default)]
pub struct Findings {
    pub errors: Vec<String>,
    pub listed: Vec<String>,
}

type Lint = fn(&[SourceFile], &Rules) -> Result<Findings, String>;

const LINTS: &[(&str, Lint)] = &[
    ("sizes of files", sizes::files),
    ("sizes of functions", sizes::functions),
    ("layers", layers::check),
    ("references upwards in runtime", floors::upwards),
    ("circles in runtime", floors::circles),
    ("unsafe code", unsafe_code::check),
    ("contracts of functions", contracts::check),
    ("values outside of the heap", values::check),
    ("unfinished code", stubs::check),
    ("allocations that abort", allocations::check),
    ("method tables", methods::check),
    ("documents", documents::check),
    ("lines", lines::check),
    ("public items", unreferenced::check),
];

pub fn main(arguments: &[String]) -> Outcome {
    let mut arguments = arguments.to_vec();
    let only_own_lints = workspace::take_switch(&mut arguments, "--own");
    workspace::expect_none(&arguments)?;

    let mut tally = Tally::default();
    let files = source::all()?;
    let rules = Rules::read()?;
    for (name, lint) in LINTS {
        let mut findings = lint(&files, &rules)?;
        findings.errors.extend(rules.unused(name));
        print(name, &findings);
        count(&mut tally, findings.errors.is_empty());
    }
    if !only_own_lints {
        count(&mut tally, cargo("format", &["fmt", "--all", "--check"])?);
        let clippy = ["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
        count(&mut tally, cargo("clippy", &clippy)?);
    }
    println!("{} passed, {} failed", tally.passed, tally.failed);
    Ok(tally.failed == 0)
}

fn cargo(name: &str, arguments: &[&str]) -> Outcome {
    let clean = workspace::succeeds(workspace::cargo().args(arguments))?;
    println!("{name}: {}", if clean { "clean" } else { "FAILED" });
    Ok(clean)
}

fn count(tally: &mut Tally, passed: bool) {
    if passed {
        tally.passed += 1;
    } else {
        tally.failed += 1;
    }
}

fn print(name: &str, findings: &Findings) {
    for line in &findings.listed {
        println!("  look: {line}");
    }
    for line in &findings.errors {
        println!("  error: {line}");
    }
    match findings.errors.len() {
        0 => println!("{name}: clean"),
        count => println!("{name}: {count} FAILED"),
    }
}
