//! `release-profile`: the profile of typical programs that release builds are optimised for.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::workspace::{self, BINARY_PACKAGE};
use crate::{Outcome, stdlib};

/// Located next to the script that passes it to the compiler.
const PROFILE: &str = ".cargo/release.profdata";
/// The folders of the programs that are run.
const FOLDERS: &[&str] = &["bench", "bench/everyday", "bench/rows", "bench/gems"];
/// Files there that are no programs by themselves, or that take too long.
const OTHERS: &[&str] = &["awfy_prelude", "harness", "growth", "compare"];
/// The folder whose programs run without the compiler to machine code, too.
const INTERPRETED: &str = "everyday";

/// Builds an instrumented binary, runs the programs of `bench/` with it, and merges what it recorded. Programs whose
/// gems are not installed are left out.
pub fn main(arguments: &[String]) -> Outcome {
    workspace::expect_none(arguments)?;
    let merge = merge_tool()?;
    let folder = workspace::target().join("instrumented");
    let recorded = folder.join("recorded");
    let _ = fs::remove_dir_all(&recorded);
    let mut build = workspace::cargo();
    build.args(["build", "--package", BINARY_PACKAGE, "--release", "--target-dir"]).arg(&folder);
    if !workspace::succeeds(build.env("BENI_INSTRUMENT", &recorded))? {
        return Err("the instrumented beni does not build".to_string());
    }
    let library = stdlib::ensure()?;
    let (mut run, mut left_out) = (0, 0);
    for (program, options) in programs()? {
        let mut command = Command::new(folder.join("release/beni"));
        command.args(options).arg(&program).env("BENI_STDLIB", &library).env("MEASURED_SECONDS", "2");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        *(if workspace::succeeds(&mut command)? { &mut run } else { &mut left_out }) += 1;
    }
    let mut command = Command::new(merge);
    command.args(["merge", "--sparse", "--output"]).arg(workspace::root().join(PROFILE)).arg(&recorded);
    if !workspace::succeeds(&mut command)? {
        return Err("the recorded profiles could not be merged".to_string());
    }
    println!("{PROFILE}: {run} programs were run, {left_out} could not be");
    Ok(true)
}

/// The programs, and the options that they are run with.
fn programs() -> Result<Vec<(PathBuf, &'static [&'static str])>, String> {
    let mut programs: Vec<(PathBuf, &'static [&'static str])> = Vec::new();
    for folder in FOLDERS {
        let folder = workspace::root().join(folder);
        for file in workspace::ruby_files(&folder)?.into_iter().filter(|path| is_program(path)) {
            if folder.ends_with(INTERPRETED) {
                programs.push((file.clone(), &["--jit=off"]));
            }
            programs.push((file, &[]));
        }
    }
    Ok(programs)
}

fn is_program(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    !OTHERS.contains(&stem)
}

/// LLVM's tool of the compiler's own version.
fn merge_tool() -> Result<PathBuf, String> {
    let mut command = Command::new("rustc");
    command.args(["--print", "target-libdir"]);
    let output = command.output().map_err(|error| workspace::could_not_start(&command, &error))?;
    let libraries = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim().to_string());
    let tool = libraries.with_file_name("bin").join("llvm-profdata");
    if tool.is_file() { Ok(tool) } else { Err("run `rustup component add llvm-tools` first".to_string()) }
}
