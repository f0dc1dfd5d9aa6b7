//! `bench core`: measures the rows of `bench/core/core.rb` with two interpreters alternately.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use crate::{Outcome, workspace};

/// Rows above this ratio are listed.
const LISTED: f64 = 1.1;

/// The minimum number of nanoseconds for each row.
type Rows = BTreeMap<String, f64>;

/// Compares the first interpreter with the second; a single one is only measured.
pub fn compare(interpreters: &[String], pattern: &[String], rounds: usize) -> Outcome {
    let mut figures: Vec<Rows> = vec![Rows::new(); interpreters.len()];
    for _ in 0..rounds {
        for (interpreter, known) in interpreters.iter().zip(&mut figures) {
            for (row, nanoseconds) in measure(interpreter, pattern)? {
                let least = known.entry(row).or_insert(nanoseconds);
                *least = least.min(nanoseconds);
            }
        }
    }
    let [own, other] = &figures[..] else {
        figures.iter().flatten().for_each(|(row, nanoseconds)| println!("{nanoseconds:12.1}  {row}"));
        return Ok(true);
    };
    let mut ratios: Vec<(&str, f64)> =
        own.iter().filter_map(|(row, a)| Some((&row[..], a / other.get(row)?))).collect();
    ratios.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    for (row, ratio) in ratios.iter().filter(|(_, ratio)| *ratio > LISTED) {
        println!("{ratio:8.2} {:12.1} {:12.1}  {row}", own[*row], other[*row]);
    }
    let mut classes: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (row, ratio) in &ratios {
        classes.entry(row.split(' ').next().unwrap_or_default()).or_default().push(*ratio);
        classes.entry("all").or_default().push(*ratio);
    }
    for (class, ratios) in classes {
        let above = ratios.iter().filter(|ratio| **ratio > LISTED).count();
        let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
        println!("{class:14} {:5} rows, geometric mean {mean:.2}, {above} above {LISTED}", ratios.len());
    }
    Ok(true)
}

/// The output of one run: lines with the name of a row, a tab and nanoseconds.
fn measure(interpreter: &str, pattern: &[String]) -> Result<Vec<(String, f64)>, String> {
    let mut words = interpreter.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).arg("-W0").arg(workspace::root().join("bench/core/core.rb")).args(pattern);
    let output =
        command.stderr(Stdio::inherit()).output().map_err(|error| workspace::could_not_start(&command, &error))?;
    if !output.status.success() {
        return Err(format!("{interpreter}: ended with {}", output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let row = |line: &str| {
        let (row, nanoseconds) = line.rsplit_once('\t')?;
        Some((row.to_string(), nanoseconds.parse().ok()?))
    };
    Ok(text.lines().filter_map(row).collect())
}
