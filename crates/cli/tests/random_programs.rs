//! Random programs (`fuzz/programs.rb`, `fuzz/blocks.rb`) print the same interpreted, compiled, and compiled with exits
//! at every few guards, and coverage counts the same. Random calls (`fuzz/calls.rb`), random texts (`fuzz/texts.rb`)
//! and random programs of rarer classes (`fuzz/surfaces.rb`) neither end the process nor fail inside of Beni.
//! `cargo xtask nightly` runs more of each kind.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The modes that must agree.
const MODES: [&[&str]; 3] =
    [&["--jit=off"], &["--jit-threshold=9", "--jit-full-after=9"], &["--jit-threshold=2", "--jit-exit-every=7"]];

fn fuzz(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz").join(name)
}

fn beni(options: &[&str], file: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_beni"))
        .args(options)
        .arg("-W0")
        .arg(file)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// The first seed and the number of seeds, from the environment for longer runs.
fn seeds(count: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first = number("BENI_FUZZ_FIRST").unwrap_or(1);
    first..first + number("BENI_FUZZ_COUNT").unwrap_or(count)
}

#[test]
fn compiled_programs_do_what_interpreted_ones_do() {
    compare("programs.rb", 12, &MODES[1..]);
}

#[test]
fn so_do_programs_that_pass_blocks_on() {
    compare("blocks.rb", 60, &[&["--jit-threshold=1"], &["--jit-threshold=10"]]);
}

/// Compares what so many programs of a generator print in these modes with what they print interpreted.
fn compare(generator: &str, count: u64, modes: &[&[&str]]) {
    let folder = std::env::temp_dir().join(format!("beni-{generator}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for seed in seeds(count) {
        let made = beni(&[], &fuzz(generator), &[&seed.to_string()]);
        assert!(made.status.success(), "seed {seed}");
        let program = folder.join("program.rb");
        std::fs::write(&program, &made.stdout).unwrap();
        let expected = beni(MODES[0], &program, &[]);
        assert!(expected.status.success(), "seed {seed}: {}", String::from_utf8_lossy(&expected.stderr));
        for mode in modes {
            let found = beni(mode, &program, &[]);
            let (found, expected) = (shown(&found), shown(&expected));
            assert!(found == expected, "seed {seed} with {mode:?}:\n{}", difference(&found, &expected));
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// Prints how often a program's lines, branches and methods ran.
const COUNTED: &str = r#"
require "coverage"
Coverage.start(lines: true, branches: true, methods: true)
begin
  load ARGV[0]
rescue Exception => e
  p e.class
end
Coverage.result[ARGV[0]].each { |kind, counts| puts kind, counts.map { |row| row.inspect.gsub(/0x\h+/, "") } }
"#;

#[test]
fn and_are_counted_as_often() {
    let folder = std::env::temp_dir().join(format!("beni-counted-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (driver, program) = (folder.join("counted.rb"), folder.join("program.rb"));
    std::fs::write(&driver, COUNTED).unwrap();
    for seed in seeds(8) {
        std::fs::write(&program, beni(&[], &fuzz("programs.rb"), &[&seed.to_string()]).stdout).unwrap();
        let counted = |mode: &[&str]| shown(&beni(mode, &driver, &[program.to_str().unwrap()]));
        let expected = counted(MODES[0]);
        assert!(expected.contains("\nlines\n"), "seed {seed}: {expected}");
        for mode in &MODES[1..] {
            let found = counted(mode);
            assert!(found == expected, "seed {seed} with {mode:?}:\n{}", difference(&found, &expected));
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

fn shown(output: &Output) -> String {
    format!("{}{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr), output.status)
}

/// The first lines that differ.
fn difference(found: &str, expected: &str) -> String {
    let pairs = found.lines().zip(expected.lines()).filter(|(a, b)| a != b).take(3);
    pairs.map(|(a, b)| format!("{a}\n  instead of\n{b}\n")).collect()
}

/// The kinds of programs that `fuzz/surfaces.rb` writes: the files in `fuzz/surfaces`.
fn surfaces() -> Vec<String> {
    let files = std::fs::read_dir(fuzz("surfaces")).unwrap();
    files.map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned()).collect()
}

/// What such a program prints depends on the time, on the order of threads and on what else runs: it only has to end.
fn check_surfaces(options: &[&str], seeds: impl Iterator<Item = u64> + Clone, count: &str) {
    let folder = std::env::temp_dir().join(format!("beni-surfaces-{}-{}", std::process::id(), options.len()));
    std::fs::create_dir_all(&folder).unwrap();
    for (kind, seed) in surfaces().iter().flat_map(|kind| seeds.clone().map(move |seed| (kind, seed))) {
        let made = beni(&[], &fuzz("surfaces.rb"), &[kind, &seed.to_string(), count]);
        assert!(made.status.success(), "{kind}, seed {seed}: {}", String::from_utf8_lossy(&made.stderr));
        let program = folder.join("program.rb");
        std::fs::write(&program, &made.stdout).unwrap();
        let output = Command::new("sh")
            .args(["-c", "ulimit -v 8000000; exec timeout -s KILL 300 \"$@\"", "sh", env!("CARGO_BIN_EXE_beni")])
            .args(options)
            .arg("-W0")
            .arg(&program)
            .env("TMPDIR", &folder)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let ended = output.status.success() && output.stdout.ends_with(b"end\n");
        assert!(ended, "{kind}, seed {seed}, {options:?}: {}", shown(&output));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn programs_of_each_surface_end() {
    check_surfaces(&[], seeds(1).take(40), "60");
    check_surfaces(&["--jit-threshold=1"], seeds(1).take(40), "30");
}

#[test]
fn switches_signals_and_collections_do_not_matter_to_them() {
    check_surfaces(&["--stress-switch", "--stress-signal=2"], seeds(1).take(20), "30");
    check_surfaces(&["--stress-gc=97", "--verify-heap", "--jit-threshold=2"], seeds(1).take(20), "20");
}

/// Seeds of calls that once failed.
const ONCE_FAILED: [u64; 0] = [];

fn check_calls(options: &[&str], seeds: impl Iterator<Item = u64>, count: &str) {
    for seed in seeds {
        let output = beni(options, &fuzz("calls.rb"), &[&seed.to_string(), count]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "seed {seed}: {:?}\n{errors}", output.status);
    }
}

#[test]
fn random_calls_end_no_process() {
    check_calls(&[], seeds(3), "150");
    check_calls(&[], ONCE_FAILED.into_iter(), "400");
}

#[test]
fn nor_with_a_collection_at_every_few_allocations() {
    check_calls(&["--stress-gc=97", "--verify-heap"], seeds(1).take(20), "40");
}

/// The kinds of random texts: the files in `fuzz/texts`.
fn kinds() -> Vec<String> {
    let files = std::fs::read_dir(fuzz("texts")).unwrap();
    files.map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned()).collect()
}

/// Some texts need a lot of memory, so the address space is limited to 4 GB.
fn check_texts(options: &[&str], seed: u64, count: &str) {
    for kind in kinds() {
        let output = Command::new("sh")
            .args(["-c", "ulimit -v 4000000; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_beni")])
            .args(options)
            .arg("-W0")
            .arg(fuzz("texts.rb"))
            .args([&kind, &seed.to_string(), count])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{kind}, seed {seed}: {:?}\n{errors}", output.status);
    }
}

#[test]
fn random_texts_end_no_process() {
    seeds(1).for_each(|seed| check_texts(&[], seed, "200"));
}

#[test]
fn nor_do_texts_read_by_compiled_methods_or_with_many_collections() {
    seeds(1).take(20).for_each(|seed| check_texts(&["--jit-threshold=1"], seed, "60"));
    seeds(1).take(20).for_each(|seed| check_texts(&["--stress-gc=97", "--verify-heap"], seed, "20"));
}
