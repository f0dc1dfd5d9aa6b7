//! Autoloading of constants. One thread loads a constant; other threads that refer to it in the meantime wait. For the
//! loading thread the constant does not exist until the file has defined it.

use abi::Value;
use object::{
    Known, Sym,
    array::Arr,
    class::constants::{self, Constant},
    string::Str,
};

use crate::{
    Cx, R, call,
    concurrency::{parking, scheduler},
    define, make, sym, warning,
};

/// The root with module, name, thread and path of each autoload in progress.
const UNDER_WAY: crate::Root = crate::Root::AutoloadsUnderWay;

/// The thread (or fiber, under a scheduler) that is loading a constant. In a forked child, the threads and fibers of
/// the parent have ended.
fn loader(cx: &Cx, module: Value, name: Sym) -> Option<Value> {
    let list = cx.root(UNDER_WAY);
    if list.is_nil() {
        return None;
    }
    let list = Arr::of(list);
    list.groups::<4>()
        .find(|entry| entry[0] == module && entry[1] == name.value() && scheduler::is_alive(entry[2]))
        .map(|entry| entry[2])
}

/// Whether another thread is loading the constant, so that its partial definition is invisible to this one.
pub fn is_loading_elsewhere(cx: &Cx, module: Value, name: Sym) -> bool {
    loader(cx, module, name).is_some_and(|loader| loader != scheduler::runner(cx))
}

/// Whether another thread is about to load the file, for this constant or another one that the file defines.
fn is_file_loading_elsewhere(cx: &Cx, path: Value) -> bool {
    let list = cx.root(UNDER_WAY);
    if list.is_nil() {
        return false;
    }
    let own = scheduler::runner(cx);
    Arr::of(list)
        .groups::<4>()
        .any(|entry| entry[2] != own && scheduler::is_alive(entry[2]) && Str::of(entry[3]).same_bytes(Str::of(path)))
}

fn is_file_loading_here(cx: &Cx, path: Value) -> bool {
    let list = cx.root(UNDER_WAY);
    let own = scheduler::runner(cx);
    let is_it = |entry: [Value; 4]| entry[2] == own && Str::of(entry[3]).same_bytes(Str::of(path));
    !list.is_nil() && Arr::of(list).groups::<4>().any(is_it)
}

/// Whether the running thread is loading this file for a constant.
pub fn is_loading_file(cx: &Cx, file: &str) -> bool {
    let list = cx.root(UNDER_WAY);
    if list.is_nil() {
        return false;
    }
    let own = scheduler::runner(cx);
    let stem = |path: &str| path.strip_suffix(".rb").unwrap_or(path).to_string();
    let file = stem(file);
    Arr::of(list).groups::<4>().any(|entry| entry[2] == own && file.ends_with(&stem(&Str::of(entry[3]).to_text())))
}

/// Whether a constant exists. One with a pending autoload does, except for the thread that is loading it.
pub fn exists(cx: &mut Cx, module: Value, name: Sym, constant: &Constant) -> bool {
    !constant.value.is_undef() || is_pending(cx, module, name, constant.autoload)
}

/// Whether the autoload of a constant may still define it: its file is not loaded yet, and no thread is loading it,
/// unless another thread does so for this constant.
pub fn is_pending(cx: &mut Cx, module: Value, name: Sym, path: Value) -> bool {
    match loader(cx, module, name) {
        Some(loader) => loader != scheduler::runner(cx),
        None => !(cx.vm().hooks.is_provided)(cx, path),
    }
}

/// Loads the constant of a module, or waits until another thread has. `None` if the file did not define it.
pub fn load(cx: &mut Cx, module: Value, name: Sym) -> R<Option<Value>> {
    let path = loop {
        let loader_now = loader(cx, module, name);
        if loader_now.is_some_and(|loader| loader != scheduler::runner(cx)) {
            parking::wait_until(cx, Value::NIL, None, |cx| loader(cx, module, name).is_none())?;
            continue;
        }
        match constants::own(module, name) {
            None => return Ok(None),
            Some(constant) if !constant.value.is_undef() => return Ok(Some(constant.value)),
            Some(_) if loader_now.is_some() => return Ok(None),
            // The file is already being loaded, for another constant.
            Some(constant) if is_file_loading_here(cx, constant.autoload) => return Ok(None),
            Some(constant) if is_file_loading_elsewhere(cx, constant.autoload) => {
                let path = constant.autoload;
                parking::wait_until(cx, Value::NIL, None, |cx| !is_file_loading_elsewhere(cx, path))?;
            }
            Some(constant) => break constant.autoload,
        }
    };
    begin(cx, module, name, path);
    let main = cx.vm().main_object;
    let loaded = call::send_private(cx, main, sym::REQUIRE, &[path]);
    let ended = end(cx, module, name);
    let loaded = loaded?.truthy();
    ended?;
    match constants::own(module, name) {
        Some(constant) if !constant.value.is_undef() => Ok(Some(constant.value)),
        Some(constant) if constant.autoload == path && loaded => {
            constants::remove(cx, module, name);
            warn_not_defined(cx, module, name, path)?;
            Ok(None)
        }
        _ => Ok(None),
    }
}

fn begin(cx: &mut Cx, module: Value, name: Sym, path: Value) {
    let list = cx.root(UNDER_WAY);
    let list = if list.is_nil() { make::array(cx, &[]) } else { list };
    cx.set_root(UNDER_WAY, list);
    for v in [module, name.value(), scheduler::runner(cx), path] {
        make::push(cx, list, v);
    }
}

fn end(cx: &mut Cx, module: Value, name: Sym) -> R<()> {
    let list = Arr::of(cx.root(UNDER_WAY));
    let wanted = [module, name.value(), scheduler::runner(cx)];
    let place = list.groups::<4>().position(|entry| entry[..3] == wanted);
    if let Some(place) = place {
        for _ in 0..4 {
            let _ = list.delete_at(cx, place * 4);
        }
    }
    parking::notify(cx)
}

fn warn_not_defined(cx: &mut Cx, module: Value, name: Sym, path: Value) -> R<()> {
    if cx.verbose() != Some(true) {
        return Ok(());
    }
    let path = Str::of(path).to_text();
    let text = name.to_text(cx);
    let whole =
        if module == cx.class(Known::Object) { text } else { format!("{}::{text}", define::class_name(cx, module)) };
    warning::warn_here(cx, &format!("Expected {path} to define {whole} but it didn't"))
}
