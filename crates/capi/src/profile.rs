//! The running frames for profilers, and their names.
//!
//! A frame is the entry of a method, or the code of a block outside of methods, a class body or a file. Both are
//! objects of the heap that programs do not see. An extension that keeps a frame must mark it.

use std::ffi::c_int;

use abi::{Type, Value};
use object::{cell, class, method_entry};
use runtime::{Cx, R, code::code, make, naming, sampling::snapshot};

use crate::given;

/// Writes up to `limit` frames of the calling thread after the first `start`, innermost first, and their lines. A
/// signal handler may call this.
pub fn rb_profile_frames(start: i32, limit: i32, frames: *mut Value, lines: *mut c_int) -> i32 {
    // SAFETY: the context of this thread, which waits in this call, or null.
    match unsafe { Cx::of_this_thread().as_ref() } {
        Some(cx) => write(cx, start, limit, frames, lines),
        None => 0,
    }
}

fn write(cx: &Cx, start: i32, limit: i32, frames: *mut Value, lines: *mut c_int) -> i32 {
    let (mut left, mut count) = (start.max(0), 0);
    if limit <= 0 {
        return 0;
    }
    snapshot::frames(cx, &mut |shown, line| {
        if left > 0 {
            left -= 1;
            return true;
        }
        given::write(frames.wrapping_add(count as usize), shown);
        given::write(if lines.is_null() { lines } else { lines.wrapping_add(count as usize) }, line);
        count += 1;
        count < limit
    });
    count
}

pub fn rb_profile_thread_frames(
    cx: &mut Cx,
    thread: Value,
    start: i32,
    limit: i32,
    frames: *mut Value,
    lines: *mut c_int,
) -> R<i32> {
    let wanted = cx.vm().contexts.iter().copied().find(|of| {
        // SAFETY: contexts are registered while their threads live, and this thread holds the global lock.
        unsafe { (**of).thread == thread }
    });
    match wanted {
        // SAFETY: contexts are registered while their threads live, and this thread holds the global lock.
        Some(of) => Ok(write(unsafe { &*of }, start, limit, frames, lines)),
        None => Ok(0),
    }
}

fn text(cx: &mut Cx, text: &str) -> R {
    Ok(make::text(cx, text))
}

/// Whether the frame is that of a method without code in the program.
fn is_native(frame: Value) -> bool {
    cell::is(frame, Type::MethodEntry) && snapshot::code_of(frame).is_none()
}

pub fn rb_profile_frame_path(cx: &mut Cx, frame: Value) -> R {
    match snapshot::code_of(frame) {
        Some(own) => text(cx, &code(&own).source.path),
        None => Ok(Value::NIL),
    }
}

pub fn rb_profile_frame_absolute_path(cx: &mut Cx, frame: Value) -> R {
    if is_native(frame) {
        return text(cx, "<cfunc>");
    }
    let path = snapshot::code_of(frame).and_then(|own| code(&own).source.absolute_path.clone());
    path.map_or(Ok(Value::NIL), |path| text(cx, &path))
}

pub fn rb_profile_frame_label(cx: &mut Cx, frame: Value) -> R {
    match snapshot::code_of(frame) {
        Some(own) => text(cx, &code(&own).label()),
        None => Ok(Value::NIL),
    }
}

pub fn rb_profile_frame_base_label(cx: &mut Cx, frame: Value) -> R {
    match snapshot::code_of(frame) {
        Some(own) => text(cx, &code(&own).name),
        None => Ok(Value::NIL),
    }
}

pub fn rb_profile_frame_first_lineno(_: &mut Cx, frame: Value) -> R {
    Ok(snapshot::code_of(frame).map_or(Value::NIL, |own| Value::fixnum(code(&own).first_lineno().into())))
}

fn classpath(cx: &mut Cx, frame: Value) -> Option<String> {
    if !cell::is(frame, Type::MethodEntry) {
        return None;
    }
    let owner = method_entry::owner(frame);
    let data = class::class_data(cx, owner);
    if !data.flags.singleton {
        return Some(naming::class_name(cx, owner));
    }
    let attached = data.attached;
    if class::is_module(attached) {
        return Some(naming::class_name(cx, attached));
    }
    let real = class::real_class(cx, attached);
    Some(format!("#<{}:0x{:016x}>", naming::class_name(cx, real), attached.0))
}

pub fn rb_profile_frame_classpath(cx: &mut Cx, frame: Value) -> R {
    classpath(cx, frame).map_or(Ok(Value::NIL), |path| text(cx, &path))
}

fn is_singleton_method(cx: &mut Cx, frame: Value) -> bool {
    cell::is(frame, Type::MethodEntry) && class::class_data(cx, method_entry::owner(frame)).flags.singleton
}

pub fn rb_profile_frame_singleton_method_p(cx: &mut Cx, frame: Value) -> R {
    Ok(Value::bool(is_singleton_method(cx, frame)))
}

/// The method's name; `None` for code that is not a method's.
fn method_name(cx: &mut Cx, frame: Value) -> Option<String> {
    if cell::is(frame, Type::MethodEntry) {
        return Some(method_entry::original_name(frame).to_text(cx));
    }
    snapshot::method_around(frame).map(|own| code(&own).name.to_string())
}

pub fn rb_profile_frame_method_name(cx: &mut Cx, frame: Value) -> R {
    method_name(cx, frame).map_or(Ok(Value::NIL), |name| text(cx, &name))
}

fn qualified_name(cx: &mut Cx, frame: Value) -> Option<String> {
    let name = method_name(cx, frame)?;
    let mark = if is_singleton_method(cx, frame) { "." } else { "#" };
    Some(classpath(cx, frame).map_or(name.clone(), |path| format!("{path}{mark}{name}")))
}

pub fn rb_profile_frame_qualified_method_name(cx: &mut Cx, frame: Value) -> R {
    qualified_name(cx, frame).map_or(Ok(Value::NIL), |name| text(cx, &name))
}

pub fn rb_profile_frame_full_label(cx: &mut Cx, frame: Value) -> R {
    let qualified = qualified_name(cx, frame);
    let full = match (snapshot::code_of(frame), qualified) {
        (None, None) => return Ok(Value::NIL),
        (None, Some(name)) => name,
        (Some(own), None) => code(&own).label(),
        (Some(own), Some(name)) => {
            let (label, base) = (code(&own).label(), &code(&own).name);
            let prefix = label.len().saturating_sub(base.len());
            format!("{}{name}", &label[..prefix])
        }
    };
    text(cx, &full)
}
