//! `stdlib`: the standard library's Ruby files, from the pinned source package, below
//! `target/stdlib`.
//!
//! `ruby/` holds the library files as installed, `gems/` the bundled gems (`gems/NAME-VERSION/…` and
//! `specifications/NAME-VERSION.gemspec`), `bin/` the programs that come with them (`irb`, `erb`, `gem`, …). Beni
//! implements the parts that CRuby writes in C. docs/decisions/standard-library.md has the reasons.

use std::fs;
use std::path::{Path, PathBuf};

use crate::fetch::{self, Pin};
use crate::{Outcome, default_gems, workspace};

/// To be changed when the choice of files below changes, so that the folder is recreated.
const LAYOUT: &str = "layout 13";

/// Files of `lib/` and `ext/` that are omitted, by path prefix.
const LEFT_OUT: &[(&str, &str)] = &[
    ("lib/set", "Set is a core class since Ruby 4.0"),
    ("lib/ruby_vm/", "parts of CRuby's own compiler"),
    ("ext/rubyvm/", "needs CRuby's instruction sequences; lib/forwardable/impl.rb does without"),
    ("ext/win32", "for another system"),
    ("ext/-test-/", "tests of C extensions"),
    ("ext/fiddle/lib/", "its native part is missing; programs handle a failing require, as in a Ruby built without it"),
    (".bundle/gems/rbs-", "its parser is native; `require` must fail so that programs can do without it"),
    (".bundle/gems/typeprof-", "needs rbs"),
    (".bundle/gems/repl_type_completor-", "needs rbs; irb completes without it"),
];

/// Changes to files, with reasons. Another version of the package may lack a gem's file.
const CHANGED: &[(&str, &str, &str, &str)] = &[
    (
        "ruby/rubygems.rb",
        "   RUBY_ENGINE == \"ruby\"\n",
        "   RUBY_ENGINE == \"ruby\" || RUBY_ENGINE == \"beni\"\n",
        "frames of rubygems' own Kernel#require are no part of a backtrace, and Kernel#warn knows of them",
    ),
    (
        "ruby/time.rb",
        "    def xmlschema(time)\n",
        "    def xmlschema(time)\n      if /\\A\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])\
         T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)?\\z/.match?(time)\n\
         \x20       return new(time)\n      end\n",
        "Time.new reads such texts natively, as in newer versions of the library",
    ),
    (
        "gems/gems/net-imap-0.5.8/lib/net/imap/config/attr_type_coercion.rb",
        "Enum = ->(*enum) {\n          enum     = safe{enum}\n",
        "Enum = ->(*given) {\n          enum     = safe{given}\n",
        "since Ruby 4.0 a Proc with a variable that is assigned twice cannot be made shareable; Rails loads it",
    ),
];

/// Bundled gems with a native part that Beni implements, or that work without it.
const BUILT_IN_GEMS: &[&str] = &["bigdecimal", "racc"];

pub fn main(arguments: &[String]) -> Outcome {
    workspace::expect_none(arguments)?;
    println!("{}", ensure()?.display());
    Ok(true)
}

/// The folder of the standard library, created if necessary.
pub fn ensure() -> Result<PathBuf, String> {
    if let Some(folder) = std::env::var_os("BENI_STDLIB").filter(|folder| !folder.is_empty()) {
        return Ok(PathBuf::from(folder));
    }
    let folder = workspace::target().join("stdlib");
    let pins = fetch::pins("ruby")?;
    if pins.iter().any(|pin| fetch::is_made_from(&folder, &mark(pin))) {
        return Ok(folder);
    }
    let mut errors = Vec::new();
    for pin in &pins {
        match fetch::folder_once(&folder, &mark(pin), |partial| unpack(pin, partial)) {
            Ok(()) => return Ok(folder),
            Err(error) => errors.push(error),
        }
    }
    Err(errors.join("\n"))
}

/// The folder of a bundled gem.
pub fn bundled_gem(name: &str) -> Result<PathBuf, String> {
    bundled_gem_in(&ensure()?, name)
}

/// The folder of a bundled gem of a given library.
pub fn bundled_gem_in(library: &Path, name: &str) -> Result<PathBuf, String> {
    let gems = library.join("gems/gems");
    let entries = fs::read_dir(&gems).map_err(|error| format!("cannot read {}: {error}", gems.display()))?;
    let is_gem = |path: &PathBuf| {
        let version = path.file_name().and_then(|file| file.to_str()?.strip_prefix(name)?.strip_prefix('-'));
        version.is_some_and(|version| version.starts_with(|first: char| first.is_ascii_digit()))
    };
    let found = entries.filter_map(|entry| Some(entry.ok()?.path())).find(is_gem);
    found.ok_or_else(|| format!("the standard library has no bundled gem {name}"))
}

fn mark(pin: &Pin) -> String {
    format!("{} {LAYOUT}", pin.sha256)
}

fn unpack(pin: &Pin, folder: &Path) -> Result<(), String> {
    let archive = fetch::download(pin)?;
    let count = fetch::unpack_tar_xz(&archive, folder, |path| place(path.to_str()?))?;
    let specifications = folder.join("gems/specifications");
    fs::create_dir_all(&specifications)
        .map_err(|error| format!("cannot make {}: {error}", workspace::shown(&specifications)))?;
    for (file, from, to, _) in CHANGED {
        let file = folder.join(file);
        if file.is_file() || !file.starts_with(folder.join("gems")) {
            change(&file, from, to)?;
        }
    }
    for specification in BUILT_IN_GEMS.iter().filter_map(|name| built_in_specification(folder, name)) {
        let failed = |error: std::io::Error| format!("cannot write {}: {error}", workspace::shown(&specification));
        let text = fs::read_to_string(&specification).map_err(failed)?;
        let target = specifications.join(specification.file_name().unwrap_or_default());
        fs::write(target, default_gems::without_extensions(&text)).map_err(failed)?;
    }
    drop_specifications_of_absent_gems(folder, &specifications)?;
    default_gems::write(folder)?;
    println!("unpacked {count} files of the standard library from {}", pin.file_name());
    Ok(())
}

/// Removes omitted gems from rubygems' list, too.
fn drop_specifications_of_absent_gems(library: &Path, specifications: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot tidy {}: {error}", workspace::shown(specifications));
    for entry in fs::read_dir(specifications).map_err(failed)?.flatten() {
        let gem = entry.path().file_stem().map(|name| library.join("gems/gems").join(name));
        if gem.is_some_and(|gem| !gem.is_dir()) {
            fs::remove_file(entry.path()).map_err(failed)?;
        }
    }
    Ok(())
}

/// The specification in a bundled gem's own folder.
fn built_in_specification(library: &Path, name: &str) -> Option<PathBuf> {
    let folder = bundled_gem_in(library, name).ok()?;
    let specification = folder.join(folder.file_name()?).with_added_extension("gemspec");
    specification.is_file().then_some(specification)
}

fn change(file: &Path, from: &str, to: &str) -> Result<(), String> {
    let text = fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", workspace::shown(file)))?;
    if !text.contains(from) {
        return Err(format!("{} has no {from:?} to change", workspace::shown(file)));
    }
    fs::write(file, text.replacen(from, to, 1))
        .map_err(|error| format!("cannot write {}: {error}", workspace::shown(file)))
}

/// The target of a file of CRuby's source, if it belongs to the library.
fn place(path: &str) -> Option<PathBuf> {
    if LEFT_OUT.iter().any(|(start, _)| path.starts_with(start)) {
        return None;
    }
    if let Some(gems) = path.strip_prefix(".bundle/") {
        return place_of_gem_file(gems);
    }
    let of_library = path.starts_with("lib/") || path.starts_with("ext/");
    if default_gems::VERSIONS_IN_C.contains(&path) || (of_library && path.ends_with(".gemspec")) {
        return Some(Path::new(default_gems::SOURCES).join(path));
    }
    if let Some(program) = path.strip_prefix("libexec/").or_else(|| path.strip_prefix("bin/")) {
        return Some(Path::new("bin").join(program));
    }
    if let Some(inside) = path.strip_prefix("lib/") {
        return Some(Path::new("ruby").join(inside));
    }
    // ext/date/lib/date.rb is installed as date.rb, ext/io/console/lib/size.rb below io/.
    let (extension, inside) = path.strip_prefix("ext/")?.split_once("/lib/")?;
    let parents = extension.rsplit_once('/').map_or("", |(parents, _)| parents);
    Some(Path::new("ruby").join(parents).join(inside))
}

/// The target of a bundled gem's file, if the gem needs it to run.
fn place_of_gem_file(path: &str) -> Option<PathBuf> {
    if path.starts_with("specifications/") {
        return Some(Path::new("gems").join(path));
    }
    let (_, inside) = path.strip_prefix("gems/")?.split_once('/')?;
    let needed = ["lib/", "exe/", "bin/", "data/"].iter().any(|folder| inside.starts_with(folder));
    (needed || inside.ends_with(".gemspec")).then(|| Path::new("gems").join(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(path: &str) -> Option<String> {
        Some(place(path)?.to_str()?.to_string())
    }

    #[test]
    fn library_files_go_where_an_installation_has_them() {
        assert_eq!(placed("lib/net/http.rb").as_deref(), Some("ruby/net/http.rb"));
        assert_eq!(placed("ext/date/lib/date.rb").as_deref(), Some("ruby/date.rb"));
        assert_eq!(placed("ext/io/console/lib/console/size.rb").as_deref(), Some("ruby/io/console/size.rb"));
        assert_eq!(placed("ext/digest/sha2/lib/sha2.rb").as_deref(), Some("ruby/digest/sha2.rb"));
        assert_eq!(placed("array.c"), None);
        assert_eq!(placed("lib/set.rb"), None);
    }

    #[test]
    fn of_bundled_gems_only_what_runs_is_taken() {
        let placed_test = placed(".bundle/gems/minitest-5.25.4/test/minitest/test_minitest_unit.rb");
        assert_eq!(placed_test, None);
        let library = placed(".bundle/gems/minitest-5.25.4/lib/minitest.rb");
        assert_eq!(library.as_deref(), Some("gems/gems/minitest-5.25.4/lib/minitest.rb"));
    }
}
