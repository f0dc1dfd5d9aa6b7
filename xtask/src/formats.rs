//! `formats`: has profiles read by the programs that define their formats.
//!
//! pprof comes from the Go module proxy; the Firefox Profiler's command line and speedscope, which runs in Chromium,
//! come from the npm registry. A format whose tools are missing on this machine is left out, with a message.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::test::{self, Tally};
use crate::{Outcome, build, workspace};

const PPROF: &str = "github.com/google/pprof@v0.0.0-20261105003125-4bf881d7fb0b";
const FIREFOX: &str = "@firefox-devtools/profiler-cli@0.10.0";
const SPEEDSCOPE: &str = "speedscope@1.25.0";

/// The permitted difference of a figure, because the programs round to milliseconds.
const TOLERANCE: f64 = 0.02;

/// Runs a program on the profile in a folder and returns its output.
type Reader = fn(&Path) -> Result<String, String>;

/// The Ruby program that writes one profile in all formats and prints the milliseconds of each method.
const PROGRAM: &str = r##"
require "beni/profile"
def spin(seconds, start = Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID))
  nil while Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID) - start < seconds
end
def one = spin(0.05)
def two = spin(0.1)
def three = spin(0.15)
profile = Beni::Profile.run { one; two; three }
%w[p.json p.firefox.json p.pb.gz].each { |file| profile.write(file) }
profile.by_method.each { |method| puts "#{method.name} #{method.total * 1000}" }
"##;

pub fn main(arguments: &[String]) -> Outcome {
    workspace::expect_none(arguments)?;
    let tally = check(&build::beni("quick")?)?;
    println!("formats: {} passed, {} failed", tally.passed, tally.failed);
    Ok(tally.failed == 0)
}

pub fn check(beni: &Path) -> Result<Tally, String> {
    let folder = workspace::target().join("formats");
    fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let printed = run(Command::new(beni).args(["-e", PROGRAM]), &folder)?;
    let mut expected = HashMap::new();
    for (name, milliseconds) in printed.lines().filter_map(|line| line.rsplit_once(' ')) {
        if matches!(name, "Object#one" | "Object#two" | "Object#three") {
            expected.insert(name.to_string(), milliseconds.parse().unwrap_or(f64::NAN));
        }
    }
    let mut tally = Tally::default();
    let readers: [(&str, &[&str], Reader); 3] = [
        ("pprof", &["go"], pprof),
        ("Firefox Profiler", &["npm", "node"], firefox),
        ("speedscope", &["npm", "chromium"], speedscope),
    ];
    for (name, needed, read) in readers {
        if let Some(missing) = needed.iter().find(|tool| !is_there(tool)) {
            println!("{name}: there is no {missing}");
            continue;
        }
        let text = read(&folder)?;
        let agrees = expected.len() == 3 && expected.iter().all(|(method, time)| says(&text, method, *time));
        tally.add(Tally { passed: usize::from(agrees), failed: usize::from(!agrees) });
        if !agrees {
            test::failure(&format!("{name}: not {expected:?} in\n{text}"));
        }
    }
    Ok(tally)
}

/// Whether a line that names the method has its time, as a number followed by `ms`.
fn says(text: &str, method: &str, expected: f64) -> bool {
    let times = |line: &str| -> Vec<f64> {
        line.split([' ', '|', ',']).filter_map(|word| word.strip_suffix("ms")?.parse().ok()).collect()
    };
    text.lines()
        .filter(|line| line.split([' ', '|']).any(|word| word == method))
        .any(|line| times(line).iter().any(|time| (time - expected).abs() <= TOLERANCE))
}

/// Is a program installed?
pub fn is_there(tool: &str) -> bool {
    let status = Command::new(tool).arg("--help").stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok()
}

fn run(command: &mut Command, folder: &Path) -> Result<String, String> {
    let output = command.current_dir(folder).output().map_err(|error| workspace::could_not_start(command, &error))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn pprof(folder: &Path) -> Result<String, String> {
    let program = folder.join("pprof");
    if !program.is_file() {
        run(Command::new("go").args(["install", PPROF]).env("GOBIN", folder).env("GOFLAGS", "-mod=mod"), folder)?;
    }
    let mut command = Command::new(program);
    run(command.args(["-top", "-cum", "-unit=ms", "-nodefraction=0", "p.pb.gz"]), folder)
}

/// Installs a package, once.
fn npm(folder: &Path, package: &str, file: &str) -> Result<PathBuf, String> {
    let found = folder.join("node_modules").join(file);
    if !found.exists() {
        run(Command::new("npm").args(["install", "--no-save", "--prefix", ".", package]), folder)?;
    }
    Ok(found)
}

fn firefox(folder: &Path) -> Result<String, String> {
    let program = npm(folder, FIREFOX, "@firefox-devtools/profiler-cli/dist/profiler-cli.js")?;
    let sessions = folder.join("sessions");
    let act = |arguments: &[&str]| {
        run(Command::new("node").arg(&program).args(arguments).env("PROFILER_CLI_SESSION_DIR", &sessions), folder)
    };
    act(&["load", "p.firefox.json"])?;
    let text = act(&["thread", "functions"]);
    act(&["stop", "--all"])?;
    text
}

/// The table of speedscope's page "sandwich", one row per line.
fn speedscope(folder: &Path) -> Result<String, String> {
    let page = npm(folder, SPEEDSCOPE, "speedscope/dist/release/index.html")?;
    let profile = fs::read(folder.join("p.json")).map_err(|error| format!("p.json: {error}"))?;
    let bytes: Vec<String> = profile.iter().map(u8::to_string).collect();
    let bytes = bytes.join(",");
    let loads = format!(
        "speedscope.loadFileFromBase64('p.json', btoa([{bytes}].map((byte) => String.fromCharCode(byte)).join('')))"
    );
    fs::write(folder.join("p.js"), loads).map_err(|error| format!("p.js: {error}"))?;
    let mut browser = Command::new("chromium");
    browser.args(["--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader"]);
    browser.args(["--enable-unsafe-swiftshader", "--allow-file-access-from-files", "--virtual-time-budget=10000"]);
    browser.arg(format!("--user-data-dir={}", folder.join("browser").display())).arg("--dump-dom");
    let script = folder.join("p.js");
    browser.arg(format!("file://{}#localProfilePath={}&view=sandwich", page.display(), script.display()));
    let shown = run(&mut browser, folder)?;
    let rows = shown.replace("<tr", "\n<tr");
    Ok(without_tags(&rows))
}

/// The text of a page, its parts separated by `|`.
fn without_tags(page: &str) -> String {
    let mut text = String::new();
    let mut is_tag = false;
    for c in page.chars() {
        match c {
            '<' => is_tag = true,
            '>' => {
                is_tag = false;
                text.push('|');
            }
            _ if !is_tag => text.push(c),
            _ => {}
        }
    }
    text
}
