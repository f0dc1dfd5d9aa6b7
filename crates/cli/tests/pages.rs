//! Pages of profiles, allocations and heaps, opened in Chromium. Without a program `chromium` the tests do nothing;
//! `cargo xtask test` says so.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn has_browser() -> bool {
    let status = Command::new("chromium").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let is_there = status.is_ok_and(|status| status.success());
    if !is_there {
        eprintln!("skipped: chromium is not installed");
    }
    is_there
}

/// A folder in which `program.rb` with this code was run with these options.
fn run(name: &str, options: &[&str], code: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("program.rb"), code).unwrap();
    beni(&folder, &[options, &["program.rb"]].concat());
    folder
}

fn beni(folder: &Path, arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_beni")).current_dir(folder).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Opens a page and returns what `script`, which runs at its end, puts into `found`.
fn open(folder: &Path, page: &str, tab: &str, script: &str) -> String {
    let text = std::fs::read_to_string(folder.join(page)).unwrap();
    assert!(
        !text.contains("http-equiv") && !text.contains("<script src") && !text.contains("<link"),
        "needs a network"
    );
    let end = text.rfind("</body>").unwrap();
    let script = format!(
        "<script>addEventListener('error', (event) => document.title = 'FOUND<' + event.message + '>');\n\
         setTimeout(() => {{ let found; {script}\ndocument.title = 'FOUND<' + found + '>'; }}, 500);</script>"
    );
    std::fs::write(folder.join("opened.html"), [&text[..end], &script, &text[end..]].concat()).unwrap();
    let url = format!("file://{}#{tab}", folder.join("opened.html").display());
    let mut browser = Command::new("chromium");
    browser.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,800"]);
    browser.arg(format!("--user-data-dir={}", folder.join("browser").display()));
    let output = browser.args(["--virtual-time-budget=5000", "--dump-dom", &url]).output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    let title = shown.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next()).unwrap_or_default();
    let title = title.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let found = title.split_once("FOUND<").and_then(|(_, rest)| rest.rsplit_once('>'));
    found.unwrap_or_else(|| panic!("{title}: {}", String::from_utf8_lossy(&output.stderr))).0.to_string()
}

/// The cells of the table in the shown section, by row.
const CELLS: &str = "found = [...document.querySelectorAll('section.shown tbody tr')].map((row) => \
    [...row.children].map((cell) => cell.textContent).join('|')).join('\\n');";

#[test]
fn a_profile_shows_its_numbers() {
    if !has_browser() {
        return;
    }
    let code = "require 'beni/profile'
        def busy(t = Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID))
          nil while Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID) - t < 0.1
        end
        profile = Beni::Profile.run { busy; GC.start }
        profile.write('p.html')
        line = profile.by_line.first
        File.write('expected', [line.own, line.total].map { |seconds| format('%.1f', seconds * 1000) }.join('|') +
          \"|#{line.path}:3|Object#busy\")\n";
    let folder = run("profile", &[], code);
    let expected = std::fs::read_to_string(folder.join("expected")).unwrap();
    let lines = open(&folder, "p.html", "lines", CELLS);
    assert!(lines.lines().next().is_some_and(|row| row.contains(&expected)), "{lines}\n{expected}");
    let methods = open(&folder, "p.html", "methods", CELLS);
    assert!(methods.contains("|Object#busy|ruby|"), "{methods}");
    let source =
        open(&folder, "p.html", "source", "found = document.querySelector('section.shown .cost').textContent;");
    assert!(source.contains("nil while Process"), "{source}");
    let timeline = open(
        &folder,
        "p.html",
        "timeline",
        "found = document.querySelectorAll('section.shown canvas').length + ' ' +
            document.querySelector('#stops').textContent;",
    );
    assert!(timeline.starts_with("1 ") && timeline.contains(" stops by the collector, "), "{timeline}");
    let flame = open(
        &folder,
        "p.html",
        "flame",
        "found = [...document.querySelector('section.shown iframe').contentDocument.querySelectorAll('title')]\
            .map((title) => title.textContent).join('\\n');",
    );
    assert!(flame.contains("Object#busy (") && flame.contains("microseconds, "), "{flame}");
}

#[test]
fn keys_choose_tabs_and_colours() {
    if !has_browser() {
        return;
    }
    let folder = run("keys", &["--profile=p.html"], "100_000.times { |i| i.to_s }");
    let script = "const press = (key) =>
            document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        press('3'); press('ArrowRight');
        const shown = document.querySelector('section.shown').id;
        const colour = () => getComputedStyle(document.body).backgroundColor;
        const before = colour(); press('t'); const after = colour();
        press('ArrowLeft'); press('/');
        const now = document.querySelector('section.shown').id;
        found = [shown, now, before !== after, document.activeElement.tagName].join(' ');";
    assert_eq!(open(&folder, "p.html", "flame", script), "methods lines true INPUT");
}

#[test]
fn allocations_show_their_numbers() {
    if !has_browser() {
        return;
    }
    let code = "require 'beni/profile'
        def make = Array.new(500) { 'a' * 10 }
        make
        Beni::Profile.allocations { make }.write('a.html')\n";
    let folder = run("allocations", &[], code);
    let lines = open(&folder, "a.html", "lines", CELLS);
    let row = lines.lines().find(|row| row.contains("program.rb:2|")).unwrap_or_else(|| panic!("{lines}"));
    assert!(row.contains("|501|") && row.contains("String × 500") && row.ends_with("'a' * 10 }"), "{row}");
    let folder = run("sampled allocations", &["--profile-mode=allocations"], "KEPT = Array.new(200_000) { 'a' * 100 }");
    let classes = open(&folder, "profile.html", "classes", CELLS);
    assert!(classes.lines().next().is_some_and(|row| row.contains("|String|")), "{classes}");
}

#[test]
fn a_heap_can_be_entered_and_compared() {
    if !has_browser() {
        return;
    }
    let code = "require 'objspace'
        class Keeper; def initialize = @kept = Array.new(20_000) { |i| \"text number #{i} of a thousand\" }; end
        class Added; end
        KEEPER = Keeper.new
        KEPT = []
        File.open('one.json', 'w') { |file| ObjectSpace.dump_all(output: file) }
        KEPT.concat(Array.new(5000) { Added.new })
        File.open('two.json', 'w') { |file| ObjectSpace.dump_all(output: file) }\n";
    let folder = run("heap", &[], code);
    beni(&folder, &["heap", "one.json", "--page", "one.html"]);
    let classes = open(&folder, "one.html", "classes", CELLS);
    assert!(classes.lines().any(|row| row.ends_with("|1|Keeper") && row.contains("KiB")), "{classes}");
    // The treemap shows the object; a click enters it, a key leaves it.
    let script = "const tiles = () => [...document.querySelectorAll('.tile')];
        const tile = () => tiles().find((tile) => tile.title.startsWith('Keeper'));
        const way = () => document.querySelector('.way').textContent;
        let steps = 0;
        while (!tile() && steps++ < 9) document.querySelector('.tile').click();
        tile().click();
        const entered = way();
        const strings = tiles().map((tile) => tile.title).find((title) => title.includes('String ×'));
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
        found = [entered.includes('Keeper'), strings, way().includes('Keeper')].join('; ');";
    assert_eq!(open(&folder, "one.html", "map", script), "true; String × 20,000; false");
    beni(&folder, &["heap", "one.json", "two.json", "--page", "two.html"]);
    let growth = open(&folder, "two.html", "growth", CELLS);
    assert!(growth.lines().any(|row| row.contains("|5,000|Added")), "{growth}");
    let about = open(&folder, "two.html", "map", "found = document.querySelector('.about').textContent;");
    assert!(about.contains(", new "), "{about}");
}
