//! Loading an extension: its file is opened, and its `Init_` function called.

use std::ffi::{CStr, CString, c_char};
use std::sync::atomic::{AtomicBool, Ordering};

use abi::Value;
use runtime::{Cx, R, error::ErrorClass};

use crate::{
    border::{Place, call_words},
    gc, symbol, variable,
};

#[repr(C)]
struct Variable {
    constant: *const c_char,
    variable: *mut Value,
}

unsafe extern "C" {
    static beni_variables: Variable;
    static mut rb_default_rs: Value;
    static mut rb_eFatal: Value;
    static mut beni_shapes: *const heap::ShapeClasses;
    static mut beni_hidden_class: Value;
    static mut beni_kind_of_data: u64;
}

/// The paths of constants and the addresses of C's variables for them.
pub fn variables() -> Vec<(String, *mut Value)> {
    let mut list = Vec::new();
    let mut at = &raw const beni_variables;
    // SAFETY: the list is static and ends with a null name.
    unsafe {
        while !(*at).constant.is_null() {
            let name = CStr::from_ptr((*at).constant).to_string_lossy().into_owned();
            list.push((name, (*at).variable));
            at = at.add(1);
        }
    }
    list
}

static READY: AtomicBool = AtomicBool::new(false);

/// Initialization before the first extension is loaded.
fn set_up(cx: &mut Cx) -> R<()> {
    if READY.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let extensions = &mut cx.vm_mut().extensions;
    extensions.trace = Some(gc::trace_roots);
    extensions.before_collection = Some(gc::remember_watched);
    extensions.has_freed = Some(gc::has_freed);
    extensions.run_freed = Some(gc::run_freed);
    extensions.free_all = Some(crate::data::free_all);
    extensions.run_jobs = Some(crate::jobs::run);
    extensions.event = Some(crate::events::collector);
    runtime::concurrency::waker::set_unblock(crate::thread::unblock);
    cx.listen_to_collector();
    crate::unmarked::set_up(cx);
    symbol::set_up(cx);
    variable::set_up(cx)?;
    let line = runtime::make::interned(cx, "\n");
    let fatal = cx.error_class(ErrorClass::Fatal);
    let (shapes, hidden) = (cx.world().shapes.shape_classes(), cx.class(runtime::Known::Internal));
    // SAFETY: variables of C, which nothing else writes; the table of classes stays at its address.
    unsafe {
        beni_shapes = shapes;
        beni_kind_of_data = <crate::data::CData as object::native::NativeData>::vtable_of_type();
        beni_hidden_class = crate::border::pin(hidden);
        rb_default_rs = crate::border::pin(line);
        rb_eFatal = crate::border::pin(fatal);
    }
    gc::register(&raw mut rb_default_rs);
    gc::register(&raw mut rb_eFatal);
    gc::register(&raw mut beni_hidden_class);
    Ok(())
}

/// Symbols that only CRuby's headers refer to: an extension that needs them was compiled for CRuby.
const FOR_CRUBY: &[&str] = &["undefined symbol: rb_st_", "undefined symbol: rb_unexpected_typeddata"];

/// Loads the extension in this file. LoadError if the file is not an extension, or needs a function that Beni lacks.
pub fn load(cx: &mut Cx, path: &str) -> R<()> {
    set_up(cx)?;
    let Ok(file) = CString::new(path) else { return Err(cx.argument_error("string contains null byte")) };
    let library = match host::library::open(&file) {
        Ok(library) => library,
        Err(message) => {
            let hint = if FOR_CRUBY.iter().any(|name| message.contains(name)) {
                " (it was compiled for CRuby, which has a different binary interface: build it from its source)"
            } else if message.contains("undefined symbol") {
                " (docs/c-api.md lists the functions of the C interface that Beni has)"
            } else {
                ""
            };
            return Err(cx.raise(ErrorClass::LoadError, &format!("{message}{hint} - {path}")));
        }
    };
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = format!("Init_{}", name.split('.').next().unwrap_or(name));
    let function = CString::new(name.as_str()).ok().and_then(|name| library.symbol(&name));
    let Some(function) = function else {
        return Err(cx.raise(ErrorClass::LoadError, &format!("{path}: undefined symbol: {name} - {path}")));
    };
    let place = Place { frame: cx.frame, ..Place::NONE };
    call_words(cx, function, &[], place, None).map(drop)
}
