//! `startup-order`: the list of functions that the linker places next to each other in the release binary.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{Outcome, build, workspace};

/// Located next to the build script that passes it to the linker.
const LIST: &str = "crates/cli/startup.order";

/// Runs the smallest program and those of `bench/everyday` under callgrind. Records the functions of the first in the
/// order of their first call, then those of the others, first what most of them run. Functions that few programs run
/// are recorded, too: in its default place, each of them maps 64 KB of its own.
///
/// `--names`: gives the recorded functions, whose names contain hashes, the names that they have in the present binary.
/// That is enough after a change of dependencies, which changes many hashes.
pub fn main(arguments: &[String]) -> Outcome {
    let mut arguments = arguments.to_vec();
    let renews_names = workspace::take_switch(&mut arguments, "--names");
    workspace::expect_none(&arguments)?;
    let binary = build::beni("release")?;
    if renews_names {
        return renew_names(&binary);
    }
    // Callgrind names the file itself, not a link to it.
    let binary = fs::canonicalize(&binary).unwrap_or(binary).display().to_string();
    let mut order = functions_run(&binary, &["-e", "1"])?;
    let at_startup: HashSet<String> = order.iter().cloned().collect();
    let (mut counts, mut others) = (HashMap::<String, usize>::new(), Vec::new());
    for program in workspace::ruby_files(&workspace::root().join("bench/everyday"))? {
        for function in functions_run(&binary, &[&program.display().to_string()])? {
            let count = counts.entry(function.clone()).or_default();
            *count += 1;
            if *count == 1 && !at_startup.contains(&function) {
                others.push(function);
            }
        }
    }
    others.sort_by_key(|function| std::cmp::Reverse(counts[function]));
    let started = order.len();
    order.append(&mut others);
    write(&order)?;
    println!("{LIST}: {} functions, {started} of them at startup", order.len());
    Ok(true)
}

fn renew_names(binary: &Path) -> Outcome {
    let output = Command::new("nm").arg(binary).output().map_err(|error| format!("cannot run nm: {error}"))?;
    let symbols = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut present = HashMap::<&str, Vec<&str>>::new();
    for name in symbols.lines().filter_map(|line| line.split(' ').next_back()) {
        present.entry(without_hash(name)).or_default().push(name);
    }
    let list = fs::read_to_string(workspace::root().join(LIST)).map_err(|error| format!("no {LIST}: {error}"))?;
    let (mut order, mut missing) = (Vec::new(), 0);
    for name in list.lines() {
        match present.get(without_hash(name)).map(Vec::as_slice) {
            Some(names) if names.contains(&name) => order.push(name.to_string()),
            Some([only]) => order.push(only.to_string()),
            // Instances of a generic function for several types: the hash does not tell which of them it was.
            _ => missing += 1,
        }
    }
    write(&order)?;
    println!("{LIST}: {} functions, {missing} are missing", order.len());
    Ok(true)
}

/// The mangled name without the hash at its end: `17h`, sixteen digits, `E`.
fn without_hash(name: &str) -> &str {
    name.char_indices()
        .nth_back(19)
        .filter(|(at, _)| name[*at..].starts_with("17h"))
        .map_or(name, |(at, _)| &name[..at])
}

fn write(order: &[String]) -> Result<(), String> {
    let text = order.join("\n") + "\n";
    fs::write(workspace::root().join(LIST), text).map_err(|error| format!("cannot write {LIST}: {error}"))
}

/// The functions that the binary runs with these arguments, in the order of their first call.
fn functions_run(binary: &str, arguments: &[&str]) -> Result<Vec<String>, String> {
    let profile = workspace::target().join("startup.callgrind");
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--demangle=no"]).arg(format!("--callgrind-out-file={}", profile.display()));
    command.arg(binary).args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    if !workspace::succeeds(&mut command)? {
        return Err(format!("beni {} does not run under callgrind", arguments.join(" ")));
    }
    let text = fs::read_to_string(&profile).map_err(|error| format!("no profile: {error}"))?;
    Ok(functions_of(&text, binary).into_iter().map(str::to_string).collect())
}

/// The functions of one object in a profile. Callgrind writes `fn=(number) name` the first time, `fn=(number)` later; a
/// recursive one gets an apostrophe and its level; `ob=` names the object of those that follow.
fn functions_of<'a>(profile: &'a str, object: &str) -> Vec<&'a str> {
    let (mut objects, mut functions) = (HashMap::new(), HashMap::new());
    let (mut seen, mut names, mut inside) = (HashSet::new(), Vec::new(), false);
    for line in profile.lines() {
        let (of_callee, line) = line.strip_prefix('c').map_or((false, line), |line| (true, line));
        if let Some(reference) = line.strip_prefix("ob=") {
            let name = resolve(&mut objects, reference);
            inside = if of_callee { inside } else { name == Some(object) };
        } else if let Some(reference) = line.strip_prefix("fn=") {
            let name = resolve(&mut functions, reference).unwrap_or_default();
            let name = name.split('\'').next().unwrap_or_default();
            let has_symbol = !name.is_empty() && !name.starts_with(['0', '(']);
            if !of_callee && inside && has_symbol && seen.insert(name) {
                names.push(name);
            }
        }
    }
    names
}

/// The name in `(number) name`, or the one that `(number)` had before.
fn resolve<'a>(known: &mut HashMap<&'a str, &'a str>, reference: &'a str) -> Option<&'a str> {
    match reference.split_once(' ') {
        Some((number, name)) => {
            known.insert(number, name);
            Some(name)
        }
        None => known.get(reference).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_with_a_hash() {
        assert_eq!(without_hash("_ZN4heap5drain17h0123456789abcdefE"), "_ZN4heap5drain");
        assert_eq!(without_hash("main"), "main");
    }

    #[test]
    fn lists_the_functions_of_one_object_once() {
        let profile = "ob=(1) /lib/libc.so\nfn=(1) malloc\n0 1\nob=(2) /beni\nfn=(2) main\n0 1\ncob=(1)\ncfn=(1)\n\
            calls=1 0\n0 1\nfn=(3) run'2\n0 1\nfn=(2)\n0 1\nfn=(4) 0x1234\n0 1\n";
        assert_eq!(functions_of(profile, "/beni"), ["main", "run"]);
    }
}
