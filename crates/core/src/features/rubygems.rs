//! Loading rubygems on demand.
//!
//! With rubygems loaded, every `require` goes through it. Without installed gems that only costs time: the standard
//! library's files are found without it. Otherwise rubygems is loaded at the first feature that may be in a gem, and
//! resolves features from then on.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use object::{string::Str, symbol::table::intern_text};
use runtime::{Args, Cx, Method, R, Value, call, constants, define, make, sym};

use super::{find, find::Found, load, path::standard_library};

const KERNEL: &[Method] = &[Method::new("gem(name, *requirements)", gem).private()];

/// True while gems are installed and rubygems is not loaded.
const PENDING: runtime::Root = runtime::Root::RubygemsPending;

/// Defines `gem`, and checks whether gems are installed.
pub fn define(cx: &mut Cx) {
    let kernel = define::class_or_module_named(cx, "Kernel");
    define::define_methods(cx, kernel, KERNEL);
    let version = ruby_version(cx);
    cx.set_root(PENDING, Value::bool(gems_are_installed(&version)));
}

/// Whether rubygems has to resolve features but is not loaded yet.
pub fn is_pending(cx: &Cx) -> bool {
    cx.root(PENDING) == Value::TRUE
}

/// The result of rubygems' `require name`, if rubygems must be loaded for that: not for features that are built in,
/// loaded, named by a path or found in a folder that the user put first.
///
/// A file of rubygems itself needs all of rubygems, which is a constant's autoload until then.
pub fn require_by(cx: &mut Cx, name: &str) -> R<Option<bool>> {
    if name.starts_with("rubygems/") {
        let (object, gem) = (cx.class(runtime::Known::Object), intern_text(cx, "Gem"));
        let known = object::class::constants::own(object, gem).filter(|gem| gem.value.is_undef());
        if known.is_some_and(|known| runtime::autoload::is_pending(cx, object, gem, known.autoload)) {
            load(cx)?;
        }
        return Ok(None);
    }
    if !is_pending(cx) || name.starts_with("rubygems") || find::is_explicit(name) || load::is_native(cx, name) {
        return Ok(None);
    }
    match find::find(cx, name)? {
        Found::Loaded => return Ok(None),
        Found::File(file) if !is_of_library(&file) => return Ok(None),
        Found::File(_) | Found::Nowhere => {}
    }
    load(cx)?;
    let (main, feature) = (cx.vm().main_object, make::text(cx, name));
    Ok(Some(call::send(cx, main, sym::REQUIRE, &[feature])?.truthy()))
}

/// Called when a file is about to be loaded. For rubygems, which is pending no more, and did_you_mean, warnings are
/// disabled as if they had been loaded before the program. Returns the value of `$VERBOSE` to restore.
pub fn loading(cx: &mut Cx, file: &str) -> Option<Option<bool>> {
    let is_gems = file.ends_with("/rubygems.rb");
    if !(is_gems || file.ends_with("/did_you_mean.rb")) || !is_of_library(file) {
        return None;
    }
    if is_gems {
        cx.set_root(PENDING, Value::FALSE);
    }
    Some(cx.vm_mut().options.verbose.take())
}

fn load(cx: &mut Cx) -> R<()> {
    cx.set_root(PENDING, Value::FALSE);
    let (object, name) = (cx.class(runtime::Known::Object), intern_text(cx, "Gem"));
    constants::lookup_from(cx, object, name).map(drop)
}

/// `gem(name, *requirements) → true or false`: loads rubygems, which replaces this method, and calls its method.
fn gem(cx: &mut Cx, args: Args) -> R {
    load(cx)?;
    let (me, name) = (args.me(), intern_text(cx, "gem"));
    call::send(cx, me, name, args.all())
}

fn is_of_library(file: &str) -> bool {
    standard_library().is_some_and(|library| Path::new(file).starts_with(library))
}

fn ruby_version(cx: &mut Cx) -> String {
    let (object, name) = (cx.class(runtime::Known::Object), intern_text(cx, "RUBY_VERSION"));
    let version = constants::lookup_from(cx, object, name).ok().and_then(Str::from_value);
    version.map_or_else(String::new, |text| text.to_text())
}

/// Whether a folder that rubygems searches contains a specification.
fn gems_are_installed(version: &str) -> bool {
    gem_folders(version).iter().any(|folder| {
        let entries = std::fs::read_dir(folder.join("specifications"));
        entries
            .is_ok_and(|mut found| found.any(|e| e.is_ok_and(|e| e.path().extension() == Some(OsStr::new("gemspec")))))
    })
}

fn gem_folders(version: &str) -> Vec<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let mut folders: Vec<PathBuf> = set("GEM_HOME").map(PathBuf::from).into_iter().collect();
    if let Some(path) = set("GEM_PATH") {
        folders.extend(std::env::split_paths(&path));
    }
    let below = format!("beni/{version}");
    if let Some(home) = set("HOME").map(PathBuf::from) {
        folders.push(home.join(".gem").join(&below));
        let data = set("XDG_DATA_HOME").map_or_else(|| home.join(".local/share"), PathBuf::from);
        folders.push(data.join("gem").join(&below));
    }
    if let Some(prefix) = std::env::current_exe().ok().as_deref().and_then(|path| path.ancestors().nth(2)) {
        folders.push(prefix.join("lib/ruby/gems").join(version));
    }
    folders
}
