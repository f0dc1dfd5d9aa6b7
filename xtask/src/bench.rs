//! `bench`: compares Beni's speed with another interpreter, in alternating runs.
//!
//! Programs are timed from inside: they print `Total Runtime: Nus` at their end and check their own result. `startup`
//! is timed from outside. The programs of `bench/everyday` do ordinary chores: their processor time is measured, and
//! their output is compared with `results.txt` there.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use wait4::Wait4;

use crate::{Outcome, bench_core, build, workspace};

const DEFAULT_ROUNDS: usize = 5;
/// The group name of are-we-fast-yet's programs, and the variable with the path of its checkout.
const AWFY: &str = "awfy";
const AWFY_DIR: &str = "AWFY_DIR";
/// The group name of the ordinary programs, and their folder below `bench/`.
const EVERYDAY: &str = "everyday";
/// The number of rows in the lists of the slowest and of the largest.
const WORST: usize = 10;

/// How a program is timed.
enum Timing {
    /// By the line `Total Runtime: Nus` that it prints.
    Inside,
    /// From its start to its end.
    Outside,
    /// By the processor time of the whole process; it must print this text.
    Processor { expected: String },
}

/// One program with its arguments for the interpreter.
struct Benchmark {
    name: String,
    arguments: Vec<String>,
    timing: Timing,
}

impl Benchmark {
    /// The first part of its name; the programs of `bench/` itself are one group.
    fn group(&self) -> &str {
        self.name.split_once('/').map_or("bench", |(group, _)| group)
    }
}

/// The result of one round of one interpreter.
#[derive(Clone, Copy)]
struct Figure {
    seconds: f64,
    peak_megabytes: f64,
}

pub fn main(arguments: &[String]) -> Outcome {
    let mut arguments = arguments.to_vec();
    let against = workspace::take_option(&mut arguments, "--against")?;
    let own = workspace::take_option(&mut arguments, "--beni")?;
    let profile = workspace::take_option(&mut arguments, "--profile")?;
    let rounds = workspace::take_option(&mut arguments, "--rounds")?;
    let rounds: usize = match rounds {
        Some(rounds) => rounds.parse().map_err(|_| format!("--rounds {rounds} is not a number"))?,
        None => DEFAULT_ROUNDS,
    };
    // The rows of `bench/core` are one program.
    let rows = match arguments.split_first() {
        Some((first, pattern)) if first == "core" => Some(pattern.to_vec()),
        _ => None,
    };
    let chosen = if rows.is_some() { Vec::new() } else { choose(benchmarks()?, &arguments)? };
    let own = match own {
        Some(command) => command,
        None => build::beni(profile.as_deref().unwrap_or("release"))?.display().to_string(),
    };
    let mut interpreters = vec![own];
    interpreters.extend(against);
    if let Some(pattern) = rows {
        return bench_core::compare(&interpreters, &pattern, rounds.clamp(1, DEFAULT_ROUNDS));
    }
    compare(&interpreters, &chosen, rounds.max(1))
}

/// All programs available on this machine.
fn benchmarks() -> Result<Vec<Benchmark>, String> {
    let folder = workspace::root().join("bench");
    let startup = ["-e", "1"].map(str::to_string).to_vec();
    let mut benchmarks = vec![Benchmark { name: "startup".to_string(), arguments: startup, timing: Timing::Outside }];
    for path in workspace::ruby_files(&folder)? {
        let Some(name) = path.file_stem().and_then(|name| name.to_str()) else { continue };
        if !["growth", "harness", "awfy_prelude"].contains(&name) {
            let arguments = vec![path.display().to_string()];
            benchmarks.push(Benchmark { name: name.to_string(), arguments, timing: Timing::Inside });
        }
    }
    benchmarks.extend(everyday(&folder.join(EVERYDAY))?);
    benchmarks.extend(are_we_fast_yet(&folder)?);
    Ok(benchmarks)
}

/// The ordinary programs, in the order of `results.txt`: a line `== NAME`, then the output of the program.
fn everyday(folder: &Path) -> Result<Vec<Benchmark>, String> {
    let results = format!("\n{}", workspace::read(&folder.join("results.txt"))?);
    let chore = |section: &str| {
        let (name, expected) = section.split_once('\n')?;
        let arguments = vec![folder.join(name).with_extension("rb").display().to_string()];
        let timing = Timing::Processor { expected: expected.trim_end().to_string() };
        Some(Benchmark { name: format!("{EVERYDAY}/{name}"), arguments, timing })
    };
    Ok(results.split("\n== ").skip(1).filter_map(chore).collect())
}

fn are_we_fast_yet(folder: &Path) -> Result<Vec<Benchmark>, String> {
    let Some(checkout) = std::env::var_os(AWFY_DIR).map(PathBuf::from) else { return Ok(Vec::new()) };
    let harness = checkout.join("benchmarks/Ruby/harness.rb");
    if !harness.is_file() {
        return Err(format!("{AWFY_DIR}: there is no {}", harness.display()));
    }
    let mut benchmarks = Vec::new();
    for line in workspace::names("bench/awfy.txt")? {
        let (name, size) = line.split_once(' ').ok_or_else(|| format!("bench/awfy.txt: not NAME SIZE: {line}"))?;
        let prelude = folder.join("awfy_prelude.rb");
        let mut arguments = vec!["-r".to_string(), prelude.display().to_string(), harness.display().to_string()];
        arguments.extend([name, "1", size.trim()].map(str::to_string));
        benchmarks.push(Benchmark { name: format!("{AWFY}/{name}"), arguments, timing: Timing::Inside });
    }
    Ok(benchmarks)
}

/// The programs with these names: a full name, its last part or its group. Without names, all programs.
fn choose(benchmarks: Vec<Benchmark>, names: &[String]) -> Result<Vec<Benchmark>, String> {
    let is_named = |benchmark: &Benchmark, name: &str| {
        let last = benchmark.name.rsplit('/').next().unwrap_or_default();
        [benchmark.group(), last, &benchmark.name].iter().any(|part| part.eq_ignore_ascii_case(name))
    };
    for name in names {
        if !benchmarks.iter().any(|benchmark| is_named(benchmark, name)) {
            let hint = if std::env::var_os(AWFY_DIR).is_none() {
                format!(" (are-we-fast-yet's programs need {AWFY_DIR}, the path of a checkout)")
            } else {
                String::new()
            };
            return Err(format!("there is no benchmark {name}{hint}"));
        }
    }
    let wanted = |benchmark: &Benchmark| names.is_empty() || names.iter().any(|name| is_named(benchmark, name));
    Ok(benchmarks.into_iter().filter(wanted).collect())
}

fn compare(interpreters: &[String], benchmarks: &[Benchmark], rounds: usize) -> Outcome {
    for (index, interpreter) in interpreters.iter().enumerate() {
        println!("{}: {interpreter}", letter(index));
    }
    let width = benchmarks.iter().map(|benchmark| benchmark.name.len() + 1).fold(20, usize::max);
    print!("{:width$}", "");
    for index in 0..interpreters.len() {
        print!("{:>14} {:>9}", format!("{} ms", letter(index)), format!("{} MB", letter(index)));
    }
    println!("{:>10}", if interpreters.len() > 1 { "A / B" } else { "" });
    let (mut ratios, mut memory) = (Vec::new(), Vec::new());
    let mut complete = true;
    for benchmark in benchmarks {
        let medians = medians(interpreters, benchmark, rounds);
        print!("{:width$}", benchmark.name);
        for median in &medians {
            match median {
                Some(figure) => print!("{:14.1} {:9.1}", figure.seconds * 1000.0, figure.peak_megabytes),
                None => print!("{:>14} {:>9}", "FAILED", "-"),
            }
        }
        match medians[..] {
            [Some(own), Some(other)] if other.seconds > 0.0 => {
                let ratio = own.seconds / other.seconds;
                ratios.push((benchmark, ratio));
                memory.push((benchmark, own.peak_megabytes / other.peak_megabytes));
                println!("{ratio:10.2}");
            }
            _ => println!(),
        }
        complete &= medians.iter().all(Option::is_some);
    }
    print_means("times", &ratios);
    print_means("memory", &memory);
    Ok(complete)
}

/// Prints the geometric mean of each group's ratios; for the ordinary programs also the worst rows.
fn print_means(what: &str, ratios: &[(&Benchmark, f64)]) {
    let mut groups: Vec<&str> = ratios.iter().map(|(benchmark, _)| benchmark.group()).collect();
    groups.dedup();
    for group in groups {
        let mut rows: Vec<_> = ratios.iter().filter(|(benchmark, _)| benchmark.group() == group).collect();
        let numbers: Vec<f64> = rows.iter().map(|(_, ratio)| *ratio).collect();
        println!("geometric mean of {} ratios of {what} of {group}: {:.3}", numbers.len(), geometric_mean(&numbers));
        if group == EVERYDAY {
            rows.sort_by(|(_, a), (_, b)| b.total_cmp(a));
            let above = numbers.iter().filter(|ratio| **ratio > 1.0).count();
            let last = |name: &str| name.rsplit('/').next().unwrap_or_default().to_string();
            let worst: Vec<String> =
                rows.iter().take(WORST).map(|(row, ratio)| format!("{} {ratio:.2}", last(&row.name))).collect();
            println!("  {above} above 1; largest: {}", worst.join(", "));
        }
    }
}

fn letter(index: usize) -> char {
    if index == 0 { 'A' } else { 'B' }
}

/// The median of each interpreter's rounds; `None` when one of them failed.
fn medians(interpreters: &[String], benchmark: &Benchmark, rounds: usize) -> Vec<Option<Figure>> {
    let mut figures: Vec<Option<Vec<Figure>>> = vec![Some(Vec::new()); interpreters.len()];
    for _ in 0..rounds {
        for (interpreter, figures) in interpreters.iter().zip(&mut figures) {
            let Some(known) = figures else { continue };
            match run(interpreter, benchmark) {
                Ok(figure) => known.push(figure),
                Err(error) => {
                    eprintln!("{}: {interpreter}: {error}", benchmark.name);
                    *figures = None;
                }
            }
        }
    }
    figures.into_iter().map(|figures| figures.map(|figures| median_figure(&figures))).collect()
}

fn median_figure(figures: &[Figure]) -> Figure {
    Figure {
        seconds: median(figures.iter().map(|figure| figure.seconds).collect()),
        peak_megabytes: median(figures.iter().map(|figure| figure.peak_megabytes).collect()),
    }
}

fn run(interpreter: &str, benchmark: &Benchmark) -> Result<Figure, String> {
    let mut words = interpreter.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).args(&benchmark.arguments).stdin(Stdio::null()).stdout(Stdio::piped());
    let started = Instant::now();
    let mut child = command.spawn().map_err(|error| workspace::could_not_start(&command, &error))?;
    // Reads to the end before waiting, so that a full pipe cannot block the child.
    let mut output = String::new();
    if let Some(mut stdout) = child.stdout.take() {
        use std::io::Read;
        stdout.read_to_string(&mut output).map_err(|error| error.to_string())?;
    }
    let used = child.wait4().map_err(|error| error.to_string())?;
    let elapsed = started.elapsed().as_secs_f64();
    if !used.status.success() {
        return Err(format!("ended with {}", used.status));
    }
    let seconds = match &benchmark.timing {
        Timing::Inside => total_runtime(&output)?,
        Timing::Outside => elapsed,
        Timing::Processor { expected } if output.trim_end() == expected => {
            (used.rusage.utime + used.rusage.stime).as_secs_f64()
        }
        Timing::Processor { .. } => return Err(format!("its output differs from results.txt:\n{output}")),
    };
    Ok(Figure { seconds, peak_megabytes: used.rusage.maxrss as f64 / (1 << 20) as f64 })
}

/// The seconds of a line `Total Runtime: Nus`.
fn total_runtime(output: &str) -> Result<f64, String> {
    let mut times = output.lines().filter_map(|line| line.strip_prefix("Total Runtime: ")?.strip_suffix("us"));
    let time = times.next_back().and_then(|time| time.trim().parse::<f64>().ok());
    time.map(|microseconds| microseconds / 1e6).ok_or_else(|| "it printed no time".to_string())
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    match numbers.len() {
        0 => f64::NAN,
        length if length % 2 == 1 => numbers[length / 2],
        length => (numbers[length / 2 - 1] + numbers[length / 2]) / 2.0,
    }
}

fn geometric_mean(numbers: &[f64]) -> f64 {
    (numbers.iter().map(|number| number.ln()).sum::<f64>() / numbers.len() as f64).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_total_counts() {
        assert_eq!(total_runtime("Starting\nTotal Runtime: 5us\nTotal Runtime: 2500000us\n"), Ok(2.5));
        assert!(total_runtime("nothing").is_err());
    }

    #[test]
    fn means_and_medians() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!((geometric_mean(&[0.5, 2.0]) - 1.0).abs() < 1e-12);
    }
}
