//! `$LOAD_PATH` and `$LOADED_FEATURES`.

use std::path::{Path, PathBuf};

use abi::Value;
use object::{array::Arr, symbol::table::intern_text};
use runtime::{Cx, R, Sym, define, error::ErrorClass, globals::Accessors, make};
use text::encoding::EncodingId;

use super::constants::RUBY_VERSION;

/// Creates the arrays and their global variables.
pub fn define(cx: &mut Cx) {
    let load_path = make::array(cx, &[]);
    cx.set_root(runtime::Root::LoadPath, load_path);
    super::resolve::define(cx, load_path);
    let features = make::array(cx, &[]);
    cx.set_root(runtime::Root::LoadedFeatures, features);
    let lists = &mut cx.vm_mut().feature_lists;
    (lists.load_path, lists.loaded) = (load_path, features);
    let loading = make::array(cx, &[]);
    cx.set_root(runtime::Root::FeaturesBeingLoaded, loading);
    for name in ["$LOAD_PATH", "$:", "$-I"] {
        cx.define_global(name, Accessors { get: |cx, _| Ok(cx.root(runtime::Root::LoadPath)), set: None });
    }
    for name in ["$LOADED_FEATURES", "$\""] {
        cx.define_global(
            name,
            Accessors { get: |cx, _| Ok(cx.root(runtime::Root::LoadedFeatures)), set: Some(refuse) },
        );
    }
    // Built-in features count as loaded.
    for name in super::load::BUILT_IN {
        let feature = make::text(cx, name);
        make::push(cx, features, feature);
    }
}

fn refuse(cx: &mut Cx, name: Sym, _: Value) -> R<()> {
    let text = name.to_text(cx);
    Err(cx.name_error(ErrorClass::NameError, &format!("{text} is a read-only variable"), name, Value::NIL))
}

/// Fills `$LOAD_PATH` from `-I`, RUBYLIB and the standard library.
pub fn set_up(cx: &mut Cx, include: &[Vec<u8>]) {
    let list = cx.root(runtime::Root::LoadPath);
    for path in include {
        add(cx, list, path);
    }
    if let Some(more) = std::env::var_os("RUBYLIB") {
        for path in std::env::split_paths(&more).filter(|path| !path.as_os_str().is_empty()) {
            add(cx, list, path.to_string_lossy().as_bytes());
        }
    }
    for path in own_libraries() {
        add(cx, list, path.to_string_lossy().as_bytes());
    }
    if let Some(library) = standard_library() {
        add(cx, list, library.join("ruby").to_string_lossy().as_bytes());
        let object = cx.class(runtime::Known::Object);
        let name = intern_text(cx, "BENI_STDLIB");
        let path = make::text(cx, &library.to_string_lossy());
        define::set_constant(cx, object, name, path);
        object::class::constants::update(cx, object, name, |c| c.private = true);
    }
}

/// The folders for libraries that are not gems: RbConfig's `sitelibdir`, `sitedir`, `vendorlibdir` and `vendordir`.
/// Rubygems inserts gems before the first of them, after `-I`.
fn own_libraries() -> Vec<PathBuf> {
    let Ok(executable) = std::env::current_exe() else { return Vec::new() };
    let Some(prefix) = executable.ancestors().nth(2) else { return Vec::new() };
    let folders = ["site_ruby", "vendor_ruby"].map(|name| prefix.join("lib/ruby").join(name));
    folders.into_iter().flat_map(|folder| [folder.join(RUBY_VERSION), folder]).collect()
}

/// Adds the gems of the standard library, for programs without other gems.
pub fn add_bundled_gems(cx: &mut Cx) {
    let list = cx.root(runtime::Root::LoadPath);
    for gem in standard_library().iter().flat_map(|library| bundled_gems(library)) {
        add(cx, list, gem.to_string_lossy().as_bytes());
    }
}

fn add(cx: &mut Cx, list: Value, path: &[u8]) {
    if Arr::of(list).iter().any(|p| object::string::Str::of(p).is(path)) {
        return;
    }
    let path = make::string(cx, path, EncodingId::UTF_8);
    make::push(cx, list, path);
}

/// The `lib` folders of the gems of the standard library.
fn bundled_gems(library: &Path) -> Vec<PathBuf> {
    let Ok(gems) = std::fs::read_dir(library.join("gems/gems")) else { return Vec::new() };
    let mut found: Vec<PathBuf> = gems.flatten().map(|gem| gem.path().join("lib")).filter(|lib| lib.is_dir()).collect();
    found.sort();
    found
}

/// The addition to the message of a LoadError if there is no standard library.
pub fn missing_library() -> Option<String> {
    let library = standard_library();
    if library.as_ref().is_some_and(|library| library.join("ruby").is_dir()) {
        return None;
    }
    let place = library.map_or_else(String::new, |library| format!(" in {}", library.display()));
    Some(format!(
        "\nThere is no standard library{place}: `cargo xtask stdlib` fetches it for a checkout of Beni, `cargo xtask \
         install` puts it beside the command, BENI_STDLIB names its folder."
    ))
}

/// The path of the standard library: $BENI_STDLIB, next to the executable, or in the checkout it was built in.
pub fn standard_library() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("BENI_STDLIB") {
        return Some(PathBuf::from(path));
    }
    let executable = std::env::current_exe().ok()?;
    let installed = executable.parent()?.join("../lib/beni");
    if installed.join("ruby").is_dir() {
        return installed.canonicalize().ok();
    }
    executable.ancestors().map(|folder| folder.join("stdlib")).find(|folder| folder.join("ruby").is_dir())
}
