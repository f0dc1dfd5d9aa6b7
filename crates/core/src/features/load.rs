//! Loading files: `require` and `load`.

use std::path::Path;

use abi::{Flags, Type, Value};
use object::{Known, array::Arr, cell, class, shape::ivars, string::Str, symbol::table::intern_text};
use runtime::{
    Args, Cx, R, Unwind, backtrace, call,
    concurrency::{parking, ractor, scheduler},
    error::{self, ErrorClass},
    eval, make, sym,
};

use super::find::{self, Found};

/// Features that are built into Beni.
pub const BUILT_IN: &[&str] = &[
    "enumerator.so", "rational.so", "complex.so", "thread.rb", "fiber.so", "set.rb", "ruby2_keywords.rb",
    "iseq_collector.so",
];

/// `require(feature) → true or false`: loads a library once, by its path or from `$LOAD_PATH`; false if it is already
/// loaded. LoadError if it is not found.
pub fn require(cx: &mut Cx, args: Args) -> R {
    if let Some(name) = Str::from_value(args.at(0))
        && !cx.isolated
        && super::index::is_known(cx, name.bytes(cx))
    {
        return Ok(Value::FALSE);
    }
    let name = find::path_argument(cx, args.at(0))?;
    if let Some(loaded) = super::rubygems::require_by(cx, &name)? {
        return Ok(Value::bool(loaded));
    }
    let loaded = require_named(cx, &name).map_err(|unwind| as_given(cx, unwind, args.at(0), &name))?;
    // A feature that another thread, or an outer frame of this thread, is loading is not loaded yet.
    if !cx.isolated && (loaded || matches!(find::find(cx, &name)?, Found::Loaded)) {
        super::index::know(cx, name.as_bytes())?;
    }
    Ok(Value::bool(loaded))
}

/// Whether the library is part of Beni.
pub fn is_native(cx: &Cx, name: &str) -> bool {
    native(cx, name).is_some()
}

fn native(cx: &Cx, name: &str) -> Option<runtime::vm::NativeFeature> {
    let plain = name.strip_suffix(".rb").or_else(|| name.strip_suffix(".so")).unwrap_or(name);
    cx.vm().hooks.native_features.iter().find(|(n, _)| *n == plain || *n == name).copied()
}

/// The runtime's hook for autoload; returns whether the file was loaded now.
pub fn require_path(cx: &mut Cx, name: Value) -> R<bool> {
    let name = find::path_argument(cx, name)?;
    require_named(cx, &name)
}

/// The runtime's hook for `autoload?` and `defined?`: whether `$LOADED_FEATURES` has the file of this name, or a thread
/// is loading it. A load path that cannot be read has no file.
pub fn is_provided(cx: &mut Cx, name: Value) -> bool {
    let name = memory::lossy_text(Str::of(name).bytes(cx));
    let path = find::is_explicit(&name).then(|| find::absolute(&name));
    let loaded = match &path {
        Some(path) => super::index::loaded_at(cx, path.as_bytes()),
        None => super::index::loaded_as(cx, name.as_bytes()),
    };
    if loaded.is_ok_and(|feature| feature.is_some()) {
        return true;
    }
    let loading = Arr::of(cx.root(LOADING));
    loading.groups::<2>().filter(|entry| scheduler::is_alive(entry[1])).any(|entry| {
        let file = Str::of(entry[0]).bytes(cx);
        match &path {
            Some(path) => super::index::names(path.as_bytes(), file),
            None => super::index::names_in_folder(name.as_bytes(), file),
        }
    })
}

fn require_named(cx: &mut Cx, name: &str) -> R<bool> {
    ractor::as_main(cx, |cx| require_as_main(cx, name))
}

fn require_as_main(cx: &mut Cx, name: &str) -> R<bool> {
    match compiled_instead(cx, name)? {
        Found::Loaded => return Ok(false),
        Found::Nowhere => {}
        Found::File(file) => {
            // A LoadError: the compiled version is for another Ruby, so the built-in library is used.
            let loaded = load_once(cx, &file);
            if let Some(loaded) = error::rescued(cx, loaded, ErrorClass::LoadError)? {
                return Ok(loaded);
            }
        }
    }
    if let Some(loaded) = require_native(cx, name)? {
        return Ok(loaded);
    }
    match find::find(cx, name)? {
        Found::Loaded => Ok(false),
        Found::File(file) => load_once(cx, &file),
        // The Ruby file that would require this part of Beni is missing.
        Found::Nowhere => match require_native(cx, &format!("{name}.so"))? {
            Some(loaded) => Ok(loaded),
            None => Err(cannot_load(cx, name)),
        },
    }
}

/// The file in the load path that replaces a library which is part of Beni: a compiled version of it, or the Ruby file
/// of that name if there is one as well. `Loaded` if either is already loaded.
pub fn compiled_instead(cx: &mut Cx, name: &str) -> R<Found> {
    let Some((feature, _)) = native(cx, name).filter(|_| !find::is_explicit(name)) else { return Ok(Found::Nowhere) };
    let plain = feature.trim_end_matches(".so");
    match super::index::first_file(cx, plain.as_bytes(), b".so")? {
        Some(_) => find::find(cx, name),
        None => beside_compiled(cx, plain),
    }
}

/// The Ruby file of a feature like `json/common` in a folder that has a compiled part of the same library: both are of
/// one version, which may not be that of the built-in library.
fn beside_compiled(cx: &mut Cx, feature: &str) -> R<Found> {
    let Some((library, _)) = feature.split_once('/') else { return Ok(Found::Nowhere) };
    let parts = cx.vm().hooks.native_features.iter().map(|(name, _)| name.trim_end_matches(".so"));
    let is_part = |name: &&str| name.split_once('/').is_some_and(|(first, _)| first == library);
    let parts: Vec<&str> = parts.filter(is_part).collect();
    for part in parts {
        let Some(compiled) = super::index::first_file(cx, part.as_bytes(), b".so")? else { continue };
        let compiled = memory::lossy_text(&compiled);
        let Some(folder) = compiled.strip_suffix(".so").and_then(|path| path.strip_suffix(part)) else { continue };
        let file = format!("{folder}{feature}.rb");
        if find::is_file(file.as_bytes()) {
            return find::find(cx, &file);
        }
    }
    Ok(Found::Nowhere)
}

/// Loads a library that is part of Beni, named with or without extension.
fn require_native(cx: &mut Cx, name: &str) -> R<Option<bool>> {
    let name = &within_library(cx, name);
    let Some((feature, make_it)) = native(cx, name) else { return Ok(None) };
    let path = format!("{}.so", feature.trim_end_matches(".so"));
    let features = cx.root(runtime::Root::LoadedFeatures);
    if Arr::of(features).elements(cx).iter().any(|f| cell::is(*f, abi::Type::String) && Str::of(*f).is(path.as_bytes()))
    {
        return Ok(Some(false));
    }
    let entry = make::text(cx, &path);
    make::push(cx, features, entry);
    super::index::added(cx)?;
    if let Err(unwind) = make_it(cx) {
        if let Some(place) = Arr::of(features).index_of(entry) {
            let _ = Arr::of(features).delete_at(cx, place);
        }
        return Err(unwind);
    }
    Ok(Some(true))
}

/// The built-in feature for a path that a file of the standard library requires with `require_relative`, if there is
/// one.
fn within_library(cx: &Cx, name: &str) -> String {
    let is_end = |feature: &str| name.strip_suffix(feature).is_some_and(|folder| folder.ends_with('/'));
    let is_native = name.starts_with('/') && cx.vm().hooks.native_features.iter().any(|(feature, _)| is_end(feature));
    let library = is_native.then(super::standard_library).flatten().map(|folder| folder.join("ruby"));
    let library = library.and_then(|folder| folder.canonicalize().ok());
    let inside = library.and_then(|folder| Some(Path::new(name).strip_prefix(folder).ok()?.to_str()?.to_string()));
    inside.unwrap_or_else(|| name.to_string())
}

/// `require_relative(feature) → true or false`: like `require`, relative to the directory of the calling file.
/// LoadError in code of `eval` without a file.
pub fn require_relative(cx: &mut Cx, args: Args) -> R {
    let path = beside_caller(cx, args.at(0), "cannot infer basepath")?;
    require_named(cx, &path).map(Value::bool)
}

/// A path relative to the directory of the calling file, made absolute; LoadError with the message in code without a
/// file.
pub fn beside_caller(cx: &mut Cx, path: Value, without_file: &str) -> R<String> {
    let name = find::path_argument(cx, path)?;
    let Some(base) = backtrace::caller_source(cx).and_then(|s| match s.real_path() {
        Some(path) => Some(memory::copy_text(path)),
        // The code of `-e`, or of an eval that was given a path.
        None => (!s.path.starts_with("(eval at ")).then(|| {
            let path = find::absolute(&s.path);
            super::real_path::resolve(path.as_bytes()).map_or(path, |real| memory::lossy_text(&real))
        }),
    }) else {
        return Err(cx.raise(ErrorClass::LoadError, without_file));
    };
    let folder = base.rsplit_once('/').map_or("", |(folder, _)| folder);
    Ok(find::absolute(&if name.starts_with('/') { name } else { format!("{folder}/{name}") }))
}

/// `load(file, wrap = false) → true`: runs a file each time; with `wrap` in an anonymous module or in the given one.
/// LoadError if it is not found.
pub fn load(cx: &mut Cx, args: Args) -> R {
    let name = find::path_argument(cx, args.at(0))?;
    let Some(file) = find::find_for_load(cx, &name)? else {
        let unwind = cannot_load(cx, &name);
        return Err(as_given(cx, unwind, args.at(0), &name));
    };
    let wrap = match args.opt(1) {
        Some(v) if class::is_module(v) => Some(v),
        Some(v) if v.truthy() => Some(class::new_module(cx)),
        _ => None,
    };
    run_file(cx, &file, wrap)?;
    Ok(Value::TRUE)
}

/// The LoadError with the name as it was given, in its own encoding; `name` is that name as UTF-8.
fn as_given(cx: &mut Cx, unwind: Unwind, given: Value, name: &str) -> Unwind {
    let Some(given) = Str::from_value(given).filter(|given| !given.is(name.as_bytes())) else {
        return unwind;
    };
    let exception = match cx.take_exception(unwind) {
        Ok(exception) => exception,
        Err(unwind) => return unwind,
    };
    let path = ivars::get(cx, exception, sym::IVAR_PATH);
    if error::is_error(cx, exception, ErrorClass::LoadError)
        && Str::from_value(path).is_some_and(|path| path.is(name.as_bytes()))
    {
        let text = memory::concat(&[b"cannot load such file -- ", &given.to_vector()]);
        let message = make::string(cx, &text, given.encoding());
        ivars::set_hidden(cx, exception, sym::MEMO_MESSAGE, message);
        ivars::set(cx, exception, sym::IVAR_PATH, given.value());
    }
    cx.raise_object(exception)
}

/// LoadError "cannot load such file -- name", with its path.
fn cannot_load(cx: &mut Cx, name: &str) -> Unwind {
    let class = cx.error_class(ErrorClass::LoadError);
    let message = make::text(cx, &format!("cannot load such file -- {name}"));
    let exception = error::new_exception(cx, class, message);
    let path = make::text(cx, name);
    ivars::set(cx, exception, sym::IVAR_PATH, path);
    error::raise_exception(cx, exception)
}

/// The root with the path and thread of each file being loaded, and the root with the thread and path of each wait for
/// such a file.
const LOADING: runtime::Root = runtime::Root::FeaturesBeingLoaded;
const WAITING: runtime::Root = runtime::Root::ThreadsWaitingForFeatures;

fn loader(cx: &Cx, file: &str) -> Option<Value> {
    let loading = Arr::of(cx.root(LOADING));
    // In a forked child the parent's other threads no longer run.
    let is_it = |entry: &[Value; 2]| Str::of(entry[0]).is(file.as_bytes()) && scheduler::is_alive(entry[1]);
    loading.groups::<2>().find(is_it).map(|entry| entry[1])
}

/// Whether the thread waits, directly or through others, for a file that this thread is loading.
fn waits_for_us(cx: &Cx, thread: Value) -> bool {
    if thread == scheduler::runner(cx) {
        return true;
    }
    let waits = cx.root(WAITING);
    if waits.is_nil() {
        return false;
    }
    let waits = Arr::of(waits);
    let mut at = thread;
    // A chain of waits has at most as many steps as there are waits.
    for _ in 0..=waits.len() {
        if at == scheduler::runner(cx) {
            return true;
        }
        let file = waits.groups::<2>().find(|entry| entry[0] == at).map(|entry| entry[1]);
        let Some(file) = file else { return false };
        let Some(next) = loader(cx, &memory::lossy_text(Str::of(file).bytes(cx))) else { return false };
        at = next;
    }
    false
}

/// Waits until another thread has finished loading a file; false if that would be a deadlock.
fn wait_for_loader(cx: &mut Cx, file: &str, thread: Value) -> R<bool> {
    if waits_for_us(cx, thread) {
        // A definition in a file that is being loaded may refer to a constant which the same file is to autoload.
        if cx.verbose() == Some(true) && !runtime::autoload::is_loading_file(cx, file) {
            let text = format!("loading in progress, circular require considered harmful - {file}");
            runtime::warning::warn_with_callers(cx, &text)?;
        }
        return Ok(false);
    }
    let waits = cx.root(WAITING);
    let waits = if waits.is_nil() { make::array(cx, &[]) } else { waits };
    cx.set_root(WAITING, waits);
    let (own, name) = (scheduler::runner(cx), make::text(cx, file));
    make::push(cx, waits, own);
    make::push(cx, waits, name);
    let waited = parking::wait_until(cx, Value::NIL, None, |cx| loader(cx, file).is_none());
    remove_pair(cx, waits, |entry| entry[0] == own);
    waited?;
    Ok(true)
}

fn remove_pair(cx: &mut Cx, list: Value, is_it: impl Fn([Value; 2]) -> bool) {
    if let Some(place) = Arr::of(list).groups::<2>().position(is_it) {
        let _ = Arr::of(list).delete_at(cx, place * 2);
        let _ = Arr::of(list).delete_at(cx, place * 2);
    }
}

fn is_loaded(cx: &mut Cx, file: &str) -> R<bool> {
    Ok(super::index::loaded_at(cx, file.as_bytes())?.is_some_and(|feature| feature.is(file.as_bytes())))
}

/// Loads a file unless it is being loaded already; it becomes a feature if that succeeds. Waits if another thread is
/// loading the file. Returns whether this call loaded it.
fn load_once(cx: &mut Cx, file: &str) -> R<bool> {
    while let Some(thread) = loader(cx, file) {
        if !wait_for_loader(cx, file, thread)? || is_loaded(cx, file)? {
            return Ok(false);
        }
    }
    // The file may already be loaded under another path, through symbolic links.
    let real = super::real_path::resolve(file.as_bytes());
    if let Some(feature) = real.as_ref().and_then(|real| super::index::feature_of_real_path(real))
        && *feature != *file
        && is_loaded(cx, &feature)?
    {
        return Ok(false);
    }
    let (loading, own) = (cx.root(LOADING), scheduler::runner(cx));
    let name = make::text(cx, file);
    make::push(cx, loading, name);
    make::push(cx, loading, own);
    let verbose = super::rubygems::loading(cx, file);
    let result = run_file(cx, file, None);
    if let Some(verbose) = verbose {
        cx.vm_mut().options.verbose = verbose;
    }
    if result.is_ok() {
        let features = cx.root(runtime::Root::LoadedFeatures);
        if cell::frozen(features) {
            remove_pair(cx, loading, |entry| entry[0] == name);
            return Err(cx.runtime_error("$LOADED_FEATURES is frozen; cannot append feature"));
        }
        let feature = make::text(cx, file);
        cell::set_header(feature, cell::header(feature).with(Flags::FROZEN));
        make::push(cx, features, feature);
        super::index::added(cx)?;
        if let Some(real) = real {
            super::index::know_real_path(real, file);
        }
    }
    remove_pair(cx, loading, |entry| entry[0] == name);
    parking::notify(cx)?;
    result?;
    Ok(true)
}

/// The result of the program's `RubyVM::InstructionSequence.load_iseq` for the file: cached code, or nil.
fn from_load_iseq(cx: &mut Cx, file: &str) -> R<Option<Value>> {
    let class = cx.class(Known::InstructionSequence);
    let name = intern_text(cx, "load_iseq");
    let singleton = object::class::class_of(cx, class);
    if class::lookup::find_method(cx, singleton, name).is_undef() {
        return Ok(None);
    }
    let path = make::text(cx, file);
    let given = call::send(cx, class, name, &[path])?;
    Ok(cell::is(given, Type::InstructionSequence).then_some(given))
}

/// The result of the program's `RubyVM::InstructionSequence.translate` for compiled code; `None` if it has no such
/// method.
fn translated(cx: &mut Cx, code: Value) -> R<Option<Value>> {
    let class = cx.class(Known::InstructionSequence);
    let name = intern_text(cx, "translate");
    let singleton = object::class::class_of(cx, class);
    if class::lookup::find_method(cx, singleton, name).is_undef() {
        return Ok(None);
    }
    let given = call::send(cx, class, name, &[code])?;
    Ok(Some(if cell::is(given, Type::InstructionSequence) { given } else { code }))
}

/// The contents of a pipe or device; `None` if it cannot be read. The data may come from another thread, and an
/// exception of one ends the waiting.
fn read_stream(cx: &mut Cx, file: &str) -> R<Option<Vec<u8>>> {
    let (class, name) = (cx.class(Known::File), intern_text(cx, "binread"));
    let path = make::text(cx, file);
    let read = call::send_core(cx, class, name, &[path]);
    let text = error::rescued(cx, read, ErrorClass::SystemCallError)?;
    Ok(text.and_then(Str::from_value).map(|text| text.to_vector()))
}

fn run_file(cx: &mut Cx, file: &str, wrap: Option<Value>) -> R {
    if file.ends_with(".so") {
        let load = cx.vm().hooks.load_extension;
        return load(cx, file).map(|()| Value::TRUE);
    }
    if let Some(code) = from_load_iseq(cx, file)? {
        cx.event(runtime::trace::SCRIPT_COMPILED, code, Value::NIL)?;
        return eval::run_file(cx, code, wrap);
    }
    let read = match find::is_file(file.as_bytes()) {
        true => std::fs::read(file).ok(),
        false => read_stream(cx, file)?,
    };
    let Some(source) = read else { return Err(cannot_load(cx, file)) };
    let mut options = compiler::Options::new(file, compiler::SourceKind::Required);
    options.frozen_string_literal = cx.vm().options.frozen_string_literal;
    options.encoding = cx.vm().options.source_encoding.map(|encoding| encoding.name().to_string());
    // A trace point and `translate` see the code, and may keep it to run it.
    let is_seen = cx.vm().trace_events != 0;
    let code = eval::compile(cx, &source, &options)?;
    match translated(cx, code)? {
        Some(code) => eval::run_file(cx, code, wrap),
        None if is_seen => eval::run_file(cx, code, wrap),
        None => eval::run_file_once(cx, code, wrap),
    }
}
