//! `debug/debug`: the native part of the `debug` gem, DEBUGGER__.capture_frames and frame_depth. Its additional methods
//! of instruction sequences are in [`crate::sequence`].

use abi::Value;
use object::{Known, array::Arr, class, symbol::table::intern_text};
use runtime::{Args, Cx, Method, R, backtrace, binding, call, constants, convert, define, make, reflect};

const SINGLETON: &[Method] =
    &[Method::new("capture_frames(skip_prefix)", capture_frames), Method::new("frame_depth", frame_depth)];

/// Adds them to DEBUGGER__, which the gem's Ruby half has defined.
pub fn make(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let debugger = define::define_module(cx, object, "DEBUGGER__");
    define::define_singleton_methods(cx, debugger, SINGLETON);
    let (version, own) = (intern_text(cx, "VERSION"), intern_text(cx, "SO_VERSION"));
    if let Some(constant) = class::constants::own(debugger, version) {
        define::set_constant(cx, debugger, own, constant.value);
    }
    Ok(())
}

/// `capture_frames(skip_prefix) → [frame_info, …]`: the frames below this call, except those of files below
/// `skip_prefix`.
fn capture_frames(cx: &mut Cx, args: Args) -> R {
    let prefix = match args.non_nil(0) {
        Some(v) => convert::to_str(cx, v)?.to_vector(),
        None => Vec::new(),
    };
    let (me, name, new) = (args.me(), intern_text(cx, "FrameInfo"), intern_text(cx, "new"));
    let info = constants::lookup_from(cx, me, name)?;
    let trace = backtrace::capture(cx, 0, usize::MAX);
    let locations = core_classes::exception::location::to_array(cx, trace);
    let frames = backtrace::shown_frames(cx);
    let list = make::array(cx, &[]);
    for (i, (frame, is_core)) in frames.iter().enumerate().skip(1) {
        let Some(location) = Arr::of(locations).get(i) else { break };
        let is_code = !is_core && cx.frame_at(*frame).is_some_and(reflect::is_program);
        let path = match core_classes::exception::location::get(&location) {
            Some(place) if is_code => place.absolute_path(),
            Some(place) => Some(place.path()),
            None => None,
        };
        if !prefix.is_empty() && path.is_some_and(|path| path.as_bytes().starts_with(&prefix)) {
            continue;
        }
        let Some(seen) = binding::seen(cx, *frame) else { continue };
        let depth = Value::fixnum((frames.len() - i) as i64);
        let [binding, sequence] = if *is_core { [Value::NIL; 2] } else { [seen.binding, seen.sequence] };
        let arguments = [location, seen.receiver, binding, sequence, seen.class, depth];
        let made = call::send(cx, info, new, &arguments)?;
        make::push(cx, list, made);
    }
    Ok(list)
}

/// `frame_depth → integer`: the number of frames in a backtrace, including the caller's.
fn frame_depth(cx: &mut Cx, _: Args) -> R {
    Ok(Value::fixnum(backtrace::shown_frames(cx).len() as i64))
}
