//! The debug inspector: the frames of the running thread, while a C function runs.

use std::ffi::c_void;

use abi::Value;
use core_classes::exception::location;
use object::array::Arr;
use runtime::{Cx, R, backtrace, binding, error::ErrorClass, make};

use crate::border::{Place, call_words};

/// The data of `rb_debug_inspector_t`: Arrays on the native stack, where the collector finds them.
pub struct Inspector {
    locations: Value,
    /// For each frame, an Array in the order of the constants below.
    frames: Value,
}

const SELF: usize = 0;
const CLASS: usize = 1;
const BINDING: usize = 2;
const SEQUENCE: usize = 3;
const DEPTH: usize = 4;

pub fn rb_debug_inspector_open(cx: &mut Cx, function: *const c_void, data: *mut c_void) -> R {
    let place = Place::now();
    let trace = backtrace::capture(cx, 0, usize::MAX);
    let inspector = Inspector { locations: location::to_array(cx, trace), frames: frames(cx) };
    let address = &raw const inspector as u64;
    let result = call_words(cx, function, &[address, data as u64], place, None);
    // The Arrays must stay on the stack until here.
    std::hint::black_box(&inspector);
    result
}

fn frames(cx: &mut Cx) -> Value {
    let frames = backtrace::shown_frames(cx);
    let list = make::array(cx, &[]);
    for (i, (frame, is_core)) in frames.iter().enumerate() {
        let Some(seen) = binding::seen(cx, *frame) else { continue };
        let depth = Value::fixnum((frames.len() - i) as i64);
        let [binding, sequence] = if *is_core { [Value::NIL; 2] } else { [seen.binding, seen.sequence] };
        let made = make::array(cx, &[seen.receiver, seen.class, binding, sequence, depth]);
        make::push(cx, list, made);
    }
    list
}

pub fn rb_debug_inspector_backtrace_locations(_: &mut Cx, inspector: *const c_void) -> Value {
    opened(inspector).locations
}

fn opened<'a>(inspector: *const c_void) -> &'a Inspector {
    // SAFETY: C passes the pointer that `rb_debug_inspector_open` gave to its function, within that call.
    unsafe { &*inspector.cast() }
}

fn part(cx: &mut Cx, inspector: *const c_void, index: i64, part: usize) -> R {
    let frames = Arr::of(opened(inspector).frames);
    let frame = usize::try_from(index).ok().and_then(|index| frames.get(index));
    match frame {
        Some(frame) => Ok(Arr::of(frame).get(part).unwrap_or(Value::NIL)),
        None => Err(cx.raise(ErrorClass::ArgumentError, "no such frame")),
    }
}

pub fn rb_debug_inspector_frame_self_get(cx: &mut Cx, inspector: *const c_void, index: i64) -> R {
    part(cx, inspector, index, SELF)
}

pub fn rb_debug_inspector_frame_class_get(cx: &mut Cx, inspector: *const c_void, index: i64) -> R {
    part(cx, inspector, index, CLASS)
}

pub fn rb_debug_inspector_frame_binding_get(cx: &mut Cx, inspector: *const c_void, index: i64) -> R {
    part(cx, inspector, index, BINDING)
}

pub fn rb_debug_inspector_frame_iseq_get(cx: &mut Cx, inspector: *const c_void, index: i64) -> R {
    part(cx, inspector, index, SEQUENCE)
}

pub fn rb_debug_inspector_frame_depth(cx: &mut Cx, inspector: *const c_void, index: i64) -> R {
    part(cx, inspector, index, DEPTH)
}

/// The number of frames from the start of the thread to the innermost.
pub fn rb_debug_inspector_current_depth(cx: &mut Cx) -> R {
    Ok(Value::fixnum(backtrace::shown_frames(cx).len() as i64))
}
