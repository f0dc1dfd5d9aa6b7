//! `profile`: shows where a program spends its time, by function and, inside the dispatch loop, by instruction and
//! family of instructions.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use object::{Object, SymbolMap, SymbolMapName};

use crate::{Outcome, build, families, stdlib, workspace};

/// The number of functions that are printed.
const ROWS: usize = 40;

/// Samples, or executed machine instructions, by function.
type Costs = BTreeMap<String, u64>;

pub fn main(arguments: &[String]) -> Outcome {
    let (count, arguments) = match arguments.split_first() {
        Some((first, rest)) if first == "--count" => (true, rest),
        _ => (false, arguments),
    };
    if arguments.is_empty() {
        return Err("usage: cargo xtask profile [--count] FILE [ARGS]".to_string());
    }
    let binary = build::beni("release")?;
    if let Err(error) = stdlib::ensure() {
        eprintln!("warning: the program runs without the standard library: {error}");
    }
    let (succeeded, costs) = if count { counted(&binary, arguments)? } else { sampled(&binary, arguments)? };
    print(&costs, if count { "instructions" } else { "samples" });
    Ok(succeeded)
}

/// Runs the program under perf.
fn sampled(binary: &Path, arguments: &[String]) -> Result<(bool, Costs), String> {
    let data = workspace::target().join("perf.data");
    let mut record = Command::new("perf");
    // The CPU clock event also exists on virtual machines.
    record.args(["record", "--quiet", "--event", "cpu-clock", "--freq", "4000", "--output"]).arg(&data).arg(binary);
    let succeeded = workspace::succeeds(record.args(arguments))?;
    let mut script = Command::new("perf");
    script.args(["script", "--fields", "ip,sym", "--no-inline", "--input"]).arg(&data);
    let text = script.stderr(Stdio::null()).output().map_err(|error| workspace::could_not_start(&script, &error))?;
    Ok((succeeded, samples(&String::from_utf8_lossy(&text.stdout))))
}

/// Lines like `  55d0c0ffee execute::Call::Call`.
fn samples(script: &str) -> Costs {
    let mut costs = Costs::new();
    for line in script.lines() {
        let function = line.trim_start().split_once(' ').map_or("[unknown]", |(_, function)| function.trim());
        *costs.entry(function.to_string()).or_default() += 1;
    }
    costs
}

/// Runs the program under callgrind, whose counts are reproducible.
fn counted(binary: &Path, arguments: &[String]) -> Result<(bool, Costs), String> {
    let profile = workspace::target().join("callgrind.out");
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no", "--compress-strings=no"]);
    command.arg(format!("--callgrind-out-file={}", profile.display())).arg(binary).args(arguments);
    let succeeded = workspace::succeeds(&mut command)?;
    let bytes = std::fs::read(binary).map_err(|error| format!("{}: {error}", workspace::shown(binary)))?;
    let file = object::File::parse(&*bytes).map_err(|error| format!("{}: {error}", workspace::shown(binary)))?;
    Ok((succeeded, counts(&workspace::read(&profile)?, &binary.display().to_string(), &file.symbol_map())))
}

/// Sums up a callgrind profile: `ob=OBJECT`, `fn=FUNCTION`, then lines of `ADDRESS LINE COST`. A line `calls=` means
/// that the cost in the next line is the callee's. For callgrind the dispatch loop is one function, so addresses locate
/// the cost within it.
fn counts(profile: &str, binary: &str, symbols: &SymbolMap<SymbolMapName>) -> Costs {
    let (mut costs, mut function, mut inside) = (Costs::new(), "", false);
    let mut lines = profile.lines();
    while let Some(line) = lines.next() {
        if let Some(object) = line.strip_prefix("ob=") {
            inside = object == binary;
        } else if let Some(name) = line.strip_prefix("fn=") {
            function = without_level(name);
        } else if line.starts_with("calls=") {
            lines.next();
        } else if let Some((address, cost)) = line.strip_prefix("0x").and_then(|line| line.split_once(' ')) {
            let address = u64::from_str_radix(address, 16).unwrap_or(0);
            let part = symbols.get(address).map(|symbol| symbol.name()).filter(|name| families::family(name).is_some());
            let name = part.filter(|_| inside).unwrap_or(function);
            let cost = cost.rsplit(' ').next().and_then(|cost| cost.parse().ok()).unwrap_or(0u64);
            *costs.entry(name.to_string()).or_default() += cost;
        }
    }
    costs
}

/// A function's name without the apostrophe and the level of recursion that callgrind adds.
fn without_level(name: &str) -> &str {
    match name.rsplit_once('\'') {
        Some((function, level)) if level.bytes().all(|byte| byte.is_ascii_digit()) => function,
        _ => name,
    }
}

/// Prints the families, then the most expensive functions.
fn print(costs: &Costs, unit: &str) {
    let all = costs.values().sum::<u64>().max(1);
    let mut by_family = Costs::new();
    for (function, cost) in costs {
        let family = families::family(function).unwrap_or("(outside of the loop)");
        *by_family.entry(family.to_string()).or_default() += cost;
    }
    println!("{all} {unit}");
    print_shares(&by_family, all);
    println!();
    print_shares(costs, all);
}

fn print_shares(costs: &Costs, all: u64) {
    let mut rows: Vec<(&String, &u64)> = costs.iter().collect();
    rows.sort_by_key(|(_, cost)| std::cmp::Reverse(**cost));
    for (name, cost) in rows.into_iter().take(ROWS) {
        println!("{:6.2} %  {name}", *cost as f64 * 100.0 / all as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_added_up_by_function() {
        let costs = samples(" 55 execute::Call::Call\n 56 run\n 57 execute::Call::Call\n 58\n");
        let costs: Vec<(&str, u64)> = costs.iter().map(|(name, cost)| (&**name, *cost)).collect();
        assert_eq!(costs, [("[unknown]", 1), ("execute::Call::Call", 2), ("run", 1)]);
    }

    #[test]
    fn instructions_are_added_up_by_the_symbol_at_their_address() {
        let symbol = |address, name| SymbolMapName::new(address, name);
        let symbols = SymbolMap::new(vec![symbol(0x10, "execute"), symbol(0x20, "execute::Load::Move")]);
        let profile = "ob=/beni\nfl=x\nfn=execute\n0x10 1 5\n0x20 2 7\ncfn=callee\ncalls=1 0x30 3\n0x24 2 100\n\
            ob=/libc\nfn=free'2\n0x20 1 1\n";
        let costs = counts(profile, "/beni", &symbols);
        let costs: Vec<(&str, u64)> = costs.iter().map(|(name, cost)| (&**name, *cost)).collect();
        assert_eq!(costs, [("execute", 5), ("execute::Load::Move", 7), ("free", 1)]);
    }
}
