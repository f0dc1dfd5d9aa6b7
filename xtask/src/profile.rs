//! `profile`: where a program's time goes, by function and, inside of the dispatch loop, by instruction.
//!
//! The loop is one function, whose arms the compiler lays out as it likes: a symbol cannot name them, the line table can. So each sample there is
//! given to the arm that its line stands in.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{Outcome, build, stdlib, workspace};

const LOOP: &str = "crates/interp/src/dispatch.rs";
const LOOP_FUNCTION: &str = "interp::dispatch::execute";
/// Rows that are printed.
const ROWS: usize = 40;

pub fn main(arguments: &[String]) -> Outcome {
    if arguments.is_empty() {
        return Err("which program? cargo xtask profile FILE [ARGS]".to_string());
    }
    let binary = build::beni("release")?;
    if let Err(error) = stdlib::ensure() {
        eprintln!("the program runs without the standard library: {error}");
    }
    let data = workspace::target().join("perf.data");
    let mut record = Command::new("perf");
    // The processor's clock is there on virtual machines, too.
    record.args(["record", "--quiet", "--event", "cpu-clock", "--freq", "4000", "--output"]).arg(&data).arg(&binary);
    let recorded = workspace::succeeds(record.args(arguments))?;
    let samples = samples(&data)?;
    print_shares(&name_all(&binary, &samples)?);
    Ok(recorded)
}

/// How many samples there are of each place: function, and offset into it.
fn samples(data: &Path) -> Result<HashMap<(String, u64), usize>, String> {
    let mut script = Command::new("perf");
    script.args(["script", "--fields", "ip,sym,symoff", "--no-inline", "--input"]).arg(data);
    let text = output_of(script.stderr(Stdio::null()))?;
    let mut samples = HashMap::new();
    for line in text.lines() {
        *samples.entry(place_of(line)).or_insert(0) += 1;
    }
    Ok(samples)
}

/// `  55d0c0ffee interp::dispatch::execute+0x1f` as function and offset.
fn place_of(line: &str) -> (String, u64) {
    let place = line.trim_start().split_once(' ').map_or("[unknown]", |(_, place)| place);
    match place.rsplit_once("+0x") {
        Some((function, offset)) => (function.to_string(), u64::from_str_radix(offset.trim(), 16).unwrap_or(0)),
        None => (place.to_string(), 0),
    }
}

/// Samples by what they are to be called.
fn name_all(binary: &Path, samples: &HashMap<(String, u64), usize>) -> Result<HashMap<String, usize>, String> {
    let offsets: Vec<u64> = samples.keys().filter(|place| place.0 == LOOP_FUNCTION).map(|place| place.1).collect();
    let instructions = if offsets.is_empty() { HashMap::new() } else { instructions_at(binary, &offsets)? };
    let mut shares = HashMap::new();
    for ((function, offset), count) in samples {
        let name = match instructions.get(offset) {
            Some(instruction) if function == LOOP_FUNCTION => format!("execute: {instruction}"),
            _ => function.clone(),
        };
        *shares.entry(name).or_insert(0) += count;
    }
    Ok(shares)
}

/// Which instruction of the loop each offset into it belongs to.
fn instructions_at(binary: &Path, offsets: &[u64]) -> Result<HashMap<u64, String>, String> {
    let symbols = output_of(Command::new("nm").arg("--demangle").arg(binary))?;
    let start =
        symbols.lines().find_map(|line| line.split_once(" t ").filter(|(_, name)| name.starts_with(LOOP_FUNCTION)));
    let (start, _) = start.ok_or("the binary has no symbol for the dispatch loop")?;
    let start = u64::from_str_radix(start.trim(), 16).map_err(|error| format!("nm: {error}"))?;
    let mut resolve = Command::new("addr2line");
    resolve.args(["--addresses", "--inlines", "--exe"]).arg(binary);
    resolve.args(offsets.iter().map(|offset| format!("{:#x}", start + offset)));
    let text = output_of(&mut resolve)?;
    let source = workspace::read(&workspace::root().join(LOOP))?;
    let arms = arms(&source);
    Ok(lines_in_loop(&text).into_iter().map(|(address, line)| (address - start, arm_of(&arms, line))).collect())
}

/// The line of the loop's own file for each address: the outermost one of those that were inlined into each other.
fn lines_in_loop(text: &str) -> Vec<(u64, usize)> {
    let mut found: Vec<(u64, usize)> = Vec::new();
    for line in text.lines() {
        if let Some(address) = line.strip_prefix("0x") {
            found.push((u64::from_str_radix(address, 16).unwrap_or(0), 0));
        } else if let Some((_, number)) = line.split_once("dispatch.rs:")
            && let Some(last) = found.last_mut()
        {
            last.1 = number.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0);
        }
    }
    found
}

/// First line and name of each arm, in their order.
fn arms(source: &str) -> Vec<(usize, &str)> {
    let arms = source.lines().enumerate().filter_map(|(at, line)| {
        let name = line.trim_start().strip_prefix("Opcode::").filter(|_| line.contains("=>"))?;
        Some((at + 1, name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default()))
    });
    arms.collect()
}

fn arm_of(arms: &[(usize, &str)], line: usize) -> String {
    let at = arms.partition_point(|(first, _)| *first <= line);
    at.checked_sub(1).map_or("(between instructions)", |at| arms[at].1).to_string()
}

fn print_shares(shares: &HashMap<String, usize>) {
    let all: usize = shares.values().sum();
    let mut rows: Vec<(&String, &usize)> = shares.iter().collect();
    rows.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), (*name).clone()));
    println!("{all} samples");
    for (name, count) in rows.into_iter().take(ROWS) {
        println!("{:6.2} %  {name}", *count as f64 * 100.0 / all.max(1) as f64);
    }
}

fn output_of(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| workspace::could_not_start(command, &error))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_given_to_the_arm_that_its_line_stands_in() {
        let source = "fn execute() {\n  match op {\n    Opcode::Move => a,\n    Opcode::Add | Opcode::Subtract => {\n      b\n    }\n";
        let arms = arms(source);
        let names: Vec<String> = [1, 3, 5].iter().map(|line| arm_of(&arms, *line)).collect();
        assert_eq!(names, ["(between instructions)", "Move", "Add"]);
        let text =
            "0x10\n/src/value.rs:7\n/interp/src/dispatch.rs:5 (discriminator 2)\n0x20\n/interp/src/dispatch.rs:3\n";
        assert_eq!(lines_in_loop(text), [(0x10, 5), (0x20, 3)]);
        assert_eq!(place_of(" 55 a::b+0x1f"), ("a::b".to_string(), 0x1f));
    }
}
