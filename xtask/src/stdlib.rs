//! `stdlib`: the standard library's Ruby files, from the pinned packages, below `target/stdlib`.
//!
//! `ruby/` holds the library files as installed, `gems/` the bundled gems (`gems/NAME-VERSION/…` and
//! `specifications/NAME-VERSION.gemspec`), `bin/` the programs that come with them (`irb`, `erb`, `gem`, …). Beni
//! implements the parts that CRuby writes in C. docs/decisions/standard-library.md has the reasons.

use std::fs;
use std::path::{Path, PathBuf};

use crate::fetch::{self, Pin};
use crate::{Outcome, default_gems, wasi_vfs, workspace};

/// To be changed when the choice of files below changes, so that the folder is recreated.
const LAYOUT: &str = "layout 18";

/// The file of the library's package that holds an installed Ruby.
const IMAGE: &str = "dist/ruby+stdlib.wasm";

/// What that Ruby was built without, as paths of the source package, from which it is taken.
const ONLY_IN_SOURCE: &[&str] = &[
    "ext/io/",
    "ext/pty/lib/",
    "ext/socket/lib/",
    ".bundle/gems/bigdecimal-",
    ".bundle/gems/debug-",
    ".bundle/gems/racc-",
    ".bundle/gems/syslog-",
];

/// Files of `lib/` and `ext/` that are omitted, by path prefix.
const LEFT_OUT: &[(&str, &str)] = &[
    ("lib/set", "Set is a core class since Ruby 4.0"),
    ("lib/wasm32-wasi/", "for another system"),
    ("lib/ruby_vm/", "parts of CRuby's own compiler"),
    ("ext/rubyvm/", "needs CRuby's instruction sequences; lib/forwardable/impl.rb does without"),
    ("ext/win32", "for another system"),
    ("ext/-test-/", "tests of C extensions"),
    ("ext/fiddle/lib/", "its native part is missing; programs handle a failing require, as in a Ruby built without it"),
    (".bundle/gems/rbs-", "its parser is native; `require` must fail so that programs can do without it"),
    (".bundle/gems/typeprof-", "needs rbs"),
    (".bundle/gems/repl_type_completor-", "needs rbs; irb completes without it"),
];

const RDOC_PLUGIN: &str = "gems/gems/rdoc-7.0.3/lib/rubygems_plugin.rb";

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
    (
        RDOC_PLUGIN,
        "require_relative 'rdoc/rubygems_hook'\n",
        "module RDoc\n  autoload :RubyGemsHook, File.join(__dir__, \"rdoc/rubygems_hook\")\nend\n",
        "all commands of rubygems load this file, and only two need RDoc",
    ),
    (RDOC_PLUGIN, "  require_relative 'rdoc/markdown'\n", "", "it is part of the installed gem"),
    (
        RDOC_PLUGIN,
        "(&RDoc::RubyGemsHook.method(:generate))",
        " { |*installed| RDoc::RubyGemsHook.generate(*installed) }",
        "the hook is loaded when it is called",
    ),
    (
        RDOC_PLUGIN,
        "(&RDoc::RubyGemsHook.method(:remove))",
        " { |uninstaller| RDoc::RubyGemsHook.remove(uninstaller) }",
        "the hook is loaded when it is called",
    ),
];

/// Changes to files of Ruby 3.4's library, whose native parts are Ruby 4.0's.
const CHANGED_IN_OLDER: &[(&str, &str, &str, &str)] = &[
    ("ruby/openssl.rb", "require_relative 'openssl/asn1'\n", "", "its classes are part of the extension since 4.0"),
    (
        "ruby/openssl/pkey.rb",
        "module OpenSSL::PKey\n",
        "module OpenSSL::PKey\n  DHError = DSAError = ECError = RSAError = PKeyError\n",
        "the extension raises PKeyError since 4.0, and the library has these names for it",
    ),
    (
        "ruby/pathname.rb",
        "require 'pathname.so'\n",
        "require 'pathname.so'\nclass Pathname\n  remove_const :VERSION\n\
         \x20 instance_methods(false).each { |name| alias_method name, name }\nend\n",
        "the class is complete since 4.0: methods with an alias are redefined without a warning",
    ),
];

/// Bundled gems with a native part that Beni implements, or that work without it.
const BUILT_IN_GEMS: &[&str] = &["bigdecimal", "debug", "racc", "syslog"];

pub fn main(arguments: &[String]) -> Outcome {
    workspace::expect_none(arguments)?;
    println!("{}", ensured(true)?.display());
    Ok(true)
}

/// The folder of the standard library, created if necessary.
pub fn ensure() -> Result<PathBuf, String> {
    ensured(false)
}

/// Whether the folder that [`ensure`] returns holds the library of Ruby 4.0, and not only that of the source package.
/// The user's own is not looked at.
pub fn is_newest() -> Result<bool, String> {
    let folder = ensure()?;
    if folder != workspace::target().join("stdlib") {
        return Ok(true);
    }
    let (newest, source) = (fetch::pins("library")?, fetch::pins("ruby")?);
    let marks = newest.iter().flat_map(|pin| source.iter().map(|source| mark(Some(pin), source)));
    Ok(marks.into_iter().any(|mark| fetch::is_made_from(&folder, &mark)))
}

/// Without the library's own package, the older library of the source package is used. Another download is only tried
/// when asked for.
fn ensured(try_again: bool) -> Result<PathBuf, String> {
    if let Some(folder) = std::env::var_os("BENI_STDLIB").filter(|folder| !folder.is_empty()) {
        return Ok(PathBuf::from(folder));
    }
    let folder = workspace::target().join("stdlib");
    let (newest, sources) = (fetch::pins("library")?, fetch::pins("ruby")?);
    let with_newest = newest.iter().flat_map(|newest| sources.iter().map(move |source| (Some(newest), source)));
    let without = sources.iter().map(|source| (None, source));
    if let Some((found, _)) = with_newest
        .clone()
        .chain(without.clone())
        .find(|(newest, source)| fetch::is_made_from(&folder, &mark(*newest, source)))
    {
        let is_there = |pin| fetch::downloaded(pin).is_ok_and(|file| file.is_some());
        if found.is_some() || !(try_again || newest.iter().any(is_there)) {
            return Ok(folder);
        }
    }
    let mut errors = Vec::new();
    for (newest, source) in with_newest.chain(without) {
        match fetch::folder_once(&folder, &mark(newest, source), |partial| unpack(newest, source, partial)) {
            Ok(()) => {
                if newest.is_none() {
                    eprintln!("The standard library is that of {}, not Ruby 4.0's:\n{}", source.stem(), errors[0]);
                    eprintln!("Afterwards, run `cargo xtask stdlib` to create it again.");
                }
                return Ok(folder);
            }
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

fn mark(newest: Option<&Pin>, source: &Pin) -> String {
    let newest = newest.map_or(String::new(), |pin| format!("{} ", pin.sha256));
    format!("{newest}{} {LAYOUT}", source.sha256)
}

fn unpack(newest: Option<&Pin>, source: &Pin, folder: &Path) -> Result<(), String> {
    let mut count = 0;
    if let Some(newest) = newest {
        count += unpack_image(&fetch::download(newest)?, folder)?;
    }
    let missing = |path: &str| newest.is_none() || ONLY_IN_SOURCE.iter().any(|start| path.starts_with(start));
    count += fetch::unpack_tar_xz(&fetch::download(source)?, folder, |path| {
        path.to_str().filter(|path| missing(path)).and_then(place)
    })?;
    let specifications = folder.join("gems/specifications");
    fs::create_dir_all(&specifications)
        .map_err(|error| format!("cannot make {}: {error}", workspace::shown(&specifications)))?;
    let older = if newest.is_none() { CHANGED_IN_OLDER } else { &[] };
    for (file, from, to, _) in CHANGED.iter().chain(older) {
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
    let names: Vec<String> = newest.into_iter().chain([source]).map(Pin::file_name).collect();
    println!("unpacked {count} files of the standard library from {}", names.join(" and "));
    Ok(())
}

/// The files of an installed Ruby.
fn unpack_image(package: &Path, folder: &Path) -> Result<usize, String> {
    let module = fetch::file_of_npm_package(package, IMAGE)?;
    let image = wasi_vfs::Image::read(&module);
    let files = image.as_ref().and_then(|image| image.below("local"));
    let files = files.ok_or_else(|| format!("{IMAGE} of {} holds no installed Ruby", package.display()))?;
    let chosen = files.into_iter().filter_map(|(path, contents)| Some((place(&path_in_source(&path)?)?, contents)));
    let mut count = 0;
    for (path, contents) in chosen {
        let path = folder.join(path);
        let failed = |error: std::io::Error| format!("cannot write {}: {error}", workspace::shown(&path));
        fs::create_dir_all(path.parent().unwrap_or(folder))
            .and_then(|()| fs::write(&path, contents))
            .map_err(failed)?;
        count += 1;
    }
    Ok(count)
}

/// The place in CRuby's source of a file that is installed below `/usr/local`.
fn path_in_source(installed: &str) -> Option<String> {
    if installed == "bin/gem" {
        return Some(installed.to_string());
    }
    let inside = installed.strip_prefix("lib/ruby/")?;
    let (folder, inside) = match inside.strip_prefix("gems/") {
        Some(inside) => (".bundle", inside),
        None => ("lib", inside),
    };
    let (version, inside) = inside.split_once('/')?;
    version.starts_with(|first: char| first.is_ascii_digit()).then(|| format!("{folder}/{inside}"))
}

/// Removes omitted gems from rubygems' list, too.
fn drop_specifications_of_absent_gems(library: &Path, specifications: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot tidy {}: {error}", workspace::shown(specifications));
    for entry in fs::read_dir(specifications).map_err(failed)?.flatten() {
        let path = entry.path();
        let gem = path.file_stem().map(|name| library.join("gems/gems").join(name));
        if path.is_file() && gem.is_some_and(|gem| !gem.is_dir()) {
            fs::remove_file(path).map_err(failed)?;
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
    let needed = ["lib/", "exe/", "libexec/", "bin/", "data/"].iter().any(|folder| inside.starts_with(folder));
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
    fn installed_files_go_where_those_of_the_source_go() {
        let placed = |path: &str| path_in_source(path).and_then(|path| placed(&path));
        assert_eq!(placed("lib/ruby/4.0.0/net/http.rb").as_deref(), Some("ruby/net/http.rb"));
        assert_eq!(placed("lib/ruby/4.0.0/wasm32-wasi/rbconfig.rb"), None);
        let default = "lib/ruby/gems/4.0.0/specifications/default/json-2.18.0.gemspec";
        assert_eq!(placed(default).as_deref(), Some("gems/specifications/default/json-2.18.0.gemspec"));
        let gem = placed("lib/ruby/gems/4.0.0/gems/rake-13.3.1/exe/rake");
        assert_eq!(gem.as_deref(), Some("gems/gems/rake-13.3.1/exe/rake"));
        assert_eq!(placed("lib/ruby/gems/4.0.0/cache/rake-13.3.1.gem"), None);
        assert_eq!((placed("bin/irb"), placed("bin/gem").as_deref()), (None, Some("bin/gem")));
        assert_eq!(placed("lib/pkgconfig/ruby-4.0.pc"), None);
    }

    #[test]
    fn of_bundled_gems_only_what_runs_is_taken() {
        let placed_test = placed(".bundle/gems/minitest-5.25.4/test/minitest/test_minitest_unit.rb");
        assert_eq!(placed_test, None);
        let library = placed(".bundle/gems/minitest-5.25.4/lib/minitest.rb");
        assert_eq!(library.as_deref(), Some("gems/gems/minitest-5.25.4/lib/minitest.rb"));
    }
}
