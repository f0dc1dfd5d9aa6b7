//! Specifications for the gems that are part of the standard library, below `gems/specifications/default`, so that
//! rubygems finds `logger` or `json` when another gem depends on them.
//!
//! CRuby's installer creates them by running the `.gemspec` files of the source. Here these files are read as text,
//! because no Ruby that could run them exists yet: each states its name, dependencies and summary literally, and its
//! version either literally or in one of a few other files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::stdlib;

/// The folder where [`crate::stdlib`] puts files that are only read here.
pub const SOURCES: &str = "gemspecs";

/// Gems of the library whose native part Beni lacks, or that are for another system.
const WITHOUT: &[&str] = &["fiddle", "nkf", "set", "syslog", "win32ole", "win32-registry"];

/// Dependencies that gemspecs declare for JRuby only.
const OF_JRUBY: &[&str] = &["jar-dependencies", "jruby-openssl"];

/// The gems with programs, the folder named in their gemspec, and the names of the programs.
const PROGRAMS: &[(&str, &str, &[&str])] = &[
    ("bundler", "exe", &["bundle", "bundler"]),
    ("erb", "libexec", &["erb"]),
    ("irb", "exe", &["irb"]),
    ("rdoc", "exe", &["rdoc", "ri"]),
    ("syntax_suggest", "exe", &["syntax_suggest"]),
];

/// Built-in gems whose version differs from that of the source's files.
const BUILT_IN: &[(&str, &str)] = &[("io-console", "0.8.2"), ("io-wait", "0.4.0"), ("json", "2.18.0")];

/// Files from which only a version is read.
pub const VERSIONS_IN_C: &[&str] = &[
    "ext/bigdecimal/bigdecimal.c",
    "ext/etc/etc.c",
    "ext/fcntl/fcntl.c",
    "ext/io/console/console.c",
    "ext/stringio/stringio.c",
    "ext/strscan/strscan.c",
    "ext/zlib/zlib.c",
];

/// Writes the specifications into the standard library `folder` and removes their sources. Gems that were installed
/// with a specification keep it, and their programs are copied to `bin/`.
pub fn write(folder: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot write the specifications of the library's gems: {error}");
    let target = folder.join("gems/specifications/default");
    fs::create_dir_all(&target).map_err(failed)?;
    let sources = folder.join(SOURCES);
    for path in files_below(&target) {
        let text = fs::read_to_string(&path).map_err(failed)?;
        fs::write(&path, shortened(&without_extensions(&text))).map_err(failed)?;
    }
    for path in files_below(&sources).into_iter().filter(|path| path.extension().is_some_and(|end| end == "gemspec")) {
        let text = fs::read_to_string(&path).map_err(failed)?;
        let Some(gem) = Gem::read(folder, &path, &text) else { continue };
        let full_name = format!("{}-{}", gem.name, gem.version);
        fs::write(target.join(format!("{full_name}.gemspec")), gem.specification(&text)).map_err(failed)?;
        if let Some((_, bindir, programs)) = gem.programs() {
            let place = folder.join("gems/gems").join(&full_name).join(bindir);
            fs::create_dir_all(&place).map_err(failed)?;
            for program in *programs {
                fs::copy(folder.join("bin").join(program), place.join(program)).map_err(failed)?;
            }
        }
    }
    copy_programs(folder).map_err(failed)?;
    fs::remove_dir_all(&sources).map_err(failed)
}

fn copy_programs(folder: &Path) -> std::io::Result<()> {
    let bin = folder.join("bin");
    fs::create_dir_all(&bin)?;
    for (gem, bindir, programs) in PROGRAMS {
        let Ok(gem) = stdlib::bundled_gem_in(folder, gem) else { continue };
        for program in *programs {
            let (from, to) = (gem.join(bindir).join(program), bin.join(program));
            if from.is_file() && !to.is_file() {
                fs::copy(from, to)?;
            }
        }
    }
    Ok(())
}

/// A bundled gem's specification without the line that makes rubygems look for compiled extensions: they are part of
/// Beni, or the gem works without.
pub fn without_extensions(specification: &str) -> String {
    specification.lines().filter(|line| !is_about_extensions(line)).fold(String::new(), |text, line| text + line + "\n")
}

/// An installed specification without the parts that rubygems does not need for a gem of the library, because rubygems
/// evaluates all specifications whenever it starts. Of the files, only those that `require` may name are listed.
fn shortened(specification: &str) -> String {
    const UNUSED: &[&str] =
        &["s.description", "s.email", "s.metadata", "s.rdoc_options", "s.extra_rdoc_files", "s.date"];
    let lines = specification.lines().filter(|line| !UNUSED.iter().any(|key| line.trim_start().starts_with(key)));
    lines.fold(String::new(), |text, line| match line.trim_start().strip_prefix("s.files = [") {
        Some(files) => {
            let is_feature = |file: &&str| {
                let name = file.trim_matches(['"', ']']).trim_end_matches(".freeze").trim_end_matches('"');
                let in_library = name.starts_with("lib/") && !name.starts_with("lib/lib/") && name.ends_with(".rb");
                in_library && !name.starts_with("lib/ext/") || name.ends_with(".so")
            };
            let files = files.trim_end_matches(']').split(", ").filter(is_feature).collect::<Vec<_>>();
            format!("{text}  s.files = [{}]\n", files.join(", "))
        }
        None => text + line + "\n",
    })
}

fn is_about_extensions(line: &str) -> bool {
    line.trim_start().starts_with("s.extensions") || (line.starts_with("# stub: ") && line.contains("extconf.rb"))
}

struct Gem {
    name: String,
    version: String,
    /// Below the library's folder.
    files: Vec<String>,
}

impl Gem {
    /// None for a gem that Beni lacks.
    fn read(folder: &Path, path: &Path, text: &str) -> Option<Gem> {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let name = quoted_after(text, ".name").unwrap_or_else(|| stem.to_string());
        if WITHOUT.contains(&name.as_str()) {
            return None;
        }
        let library = folder.join("ruby");
        let inside = if library.join(format!("{stem}.rb")).is_file() { stem.into() } else { name.replace('-', "/") };
        let version = quoted_after(text, ".version").or_else(|| version_in(text)).or_else(|| {
            let beside = path.with_file_name(format!("{}.c", name.rsplit('-').next().unwrap_or(&name)));
            let places = ["/version.rb", "/versions.rb", ".rb"].map(|end| library.join(format!("{inside}{end}")));
            let texts = places.iter().chain([&beside]).filter_map(|place| fs::read_to_string(place).ok());
            texts.into_iter().find_map(|text| version_in(&text).or_else(|| version_from_code(&text)))
        });
        let built_in = BUILT_IN.iter().find(|(gem, _)| *gem == name).map(|(_, version)| version.to_string());
        let Some(version) = built_in.or(version) else {
            eprintln!("no version of the library's gem {name} is found: it is left out of rubygems' list");
            return None;
        };
        Some(Gem { files: library_files(&library, &inside), name, version })
    }

    fn programs(&self) -> Option<&'static (&'static str, &'static str, &'static [&'static str])> {
        PROGRAMS.iter().find(|(gem, _, _)| *gem == self.name)
    }

    fn specification(&self, source: &str) -> String {
        let Gem { name, version, files } = self;
        let line = |key: &str, value: &str| format!("  s.{key} = {value}\n");
        let list =
            |items: &[&str]| format!("[{}]", items.iter().map(|item| literal(item)).collect::<Vec<_>>().join(", "));
        let mut text =
            format!("# -*- encoding: utf-8 -*-\n# stub: {name} {version} ruby lib\n\nGem::Specification.new do |s|\n");
        text += &line("name", &literal(name));
        text += &line("version", &literal(version));
        text += &line("require_paths", &list(&["lib"]));
        text += &line("authors", &authors(source));
        text += &line("summary", &literal(&quoted_after(source, ".summary").unwrap_or_default()));
        text += &line("homepage", &literal(&quoted_after(source, ".homepage").unwrap_or_default()));
        if let Some((_, bindir, programs)) = self.programs() {
            text += &line("bindir", &literal(bindir));
            text += &line("executables", &list(programs));
        }
        text += &line("files", &list(&files.iter().map(String::as_str).collect::<Vec<_>>()));
        for (name, requirements) in dependencies(source) {
            let requirements: Vec<&str> = requirements.iter().map(String::as_str).collect();
            text += &format!("  s.add_dependency({}, {})\n", literal(&name), list(&requirements));
        }
        text + "end\n"
    }
}

fn literal(text: &str) -> String {
    format!("\"{}\".freeze", text.replace('\\', "\\\\").replace('"', "\\\"").replace('#', "\\#"))
}

/// The files of the feature `inside`: its own file and those in its folder; none if it is native.
fn library_files(library: &Path, inside: &str) -> Vec<String> {
    let own = library.join(format!("{inside}.rb"));
    let mut found: Vec<PathBuf> = own.is_file().then_some(own).into_iter().collect();
    found.extend(
        files_below(&library.join(inside)).into_iter().filter(|path| path.extension().is_some_and(|e| e == "rb")),
    );
    let relative = |path: PathBuf| path.strip_prefix(library).ok().and_then(|path| path.to_str()).map(String::from);
    let files: Vec<String> = found.into_iter().filter_map(relative).collect();
    if files.is_empty() { vec![format!("{inside}.so")] } else { files }
}

/// All files below a folder, in the order of their names.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    entries.into_iter().flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

/// `key = "…"`, `'…'` or `%q{…}`: the text from the first line of this form.
fn quoted_after(text: &str, key: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let rest = line.split_once(key)?.1.trim_start().strip_prefix('=')?.trim_start();
        let rest = rest.strip_prefix("%q").unwrap_or(rest);
        let end = match rest.chars().next()? {
            '{' => '}',
            quote @ ('"' | '\'') => quote,
            _ => return None,
        };
        let (inner, _) = rest[1..].split_once(end)?;
        (!inner.contains("#{")).then(|| inner.to_string())
    })
}

/// `VERSION = "1.2"` (or, long ago, `Version`) of Ruby, `VERSION "1.2"` of C.
fn version_in(text: &str) -> Option<String> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("# "));
    let named = lines.filter_map(|line| Some(line.split_once("VERSION").or_else(|| line.split_once("Version"))?.1));
    named.map(|rest| rest.trim_start_matches([' ', '='])).find_map(|rest| {
        let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\''))?;
        let (version, _) = rest[1..].split_once(quote)?;
        version.starts_with(|first: char| first.is_ascii_digit()).then(|| version.to_string())
    })
}

/// `VERSION_CODE = '010203'`, two digits per part: 1.2.3.
fn version_from_code(text: &str) -> Option<String> {
    let code = quoted_after(text, "VERSION_CODE")?;
    let parts = code.as_bytes().chunks(2).map(|pair| str::from_utf8(pair).ok()?.parse::<u8>().ok());
    let parts: Option<Vec<String>> = parts.map(|part| Some(part?.to_string())).collect();
    Some(parts?.join("."))
}

fn authors(text: &str) -> String {
    let list = text.lines().find_map(|line| line.split_once(".authors")?.1.trim_start().strip_prefix('='));
    let list = list.map(str::trim).filter(|list| list.starts_with('[') && list.ends_with(']'));
    list.unwrap_or("[\"Yukihiro Matsumoto\"]").to_string()
}

/// Names and requirements.
fn dependencies(text: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
        let Some((_, rest)) = line.split_once("add_dependency").or_else(|| line.split_once("add_runtime_dependency"))
        else {
            continue;
        };
        let mut words = rest.split(['"', '\'']).skip(1).step_by(2).map(String::from);
        let Some(name) = words.next().filter(|name| !OF_JRUBY.contains(&name.as_str())) else { continue };
        let mut requirements: Vec<String> = words.collect();
        if requirements.is_empty() {
            requirements.push(">= 0".into());
        }
        found.push((name, requirements));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_where_gemspecs_look_for_them() {
        assert_eq!(quoted_after("  spec.version   = '0.0.4'\n", ".version").as_deref(), Some("0.0.4"));
        assert_eq!(quoted_after("  spec.version = VERSION\n", ".version"), None);
        assert_eq!(version_in("#define RUBY_ETC_VERSION \"1.4.6\"").as_deref(), Some("1.4.6"));
        assert_eq!(version_in("class A\n  VERSION = '2.0'\nend").as_deref(), Some("2.0"));
        assert_eq!(version_in("VERSION = something"), None);
    }

    #[test]
    fn dependencies_keep_their_requirements() {
        let text =
            "s.add_dependency 'reline', '>= 0.4', '< 2'\n s.add_runtime_dependency \"erb\"\n# add_dependency 'no'";
        let expected = [("reline", vec![">= 0.4", "< 2"]), ("erb", vec![">= 0"])];
        let expected: Vec<_> = expected.map(|(n, r)| (n.to_string(), r.into_iter().map(String::from).collect())).into();
        assert_eq!(dependencies(text), expected);
    }

    #[test]
    fn an_installed_specification_keeps_what_require_needs() {
        let files = [
            "\"README.md\"",
            "\"date_core.so\"",
            "\"lib/date.rb\"",
            "\"lib/ext/date/extconf.rb\"",
            "\"lib/lib/date.rb\"",
        ];
        let list = files.map(|file| format!("{file}.freeze")).join(", ");
        let text = format!("  s.name = \"date\".freeze\n  s.email = [nil]\n  s.files = [{list}]\n");
        let expected = "  s.name = \"date\".freeze\n  s.files = [\"date_core.so\".freeze, \"lib/date.rb\".freeze]\n";
        assert_eq!(shortened(&text), expected);
    }

    #[test]
    fn a_specification_loses_its_extensions() {
        let text =
            "# stub: racc 1.8.1 ruby lib\n# stub: ext/racc/cparse/extconf.rb\n  s.extensions = []\n  s.files = []\n";
        assert_eq!(without_extensions(text), "# stub: racc 1.8.1 ruby lib\n  s.files = []\n");
    }
}
