//! Forking and waiting.

use runtime::{
    Args, Cx, R, Value, call,
    concurrency::{process, thread::blocking},
    convert, define, make,
};

use super::status;

pub fn define_constants(cx: &mut Cx, module: Value) {
    for (name, flag) in [("WNOHANG", 1), ("WUNTRACED", 2)] {
        let name = object::symbol::table::intern_text(cx, name);
        define::set_constant(cx, module, name, Value::fixnum(flag));
    }
}

/// `fork → pid or nil`, `fork { … } → pid`: the child runs the block and exits.
pub fn fork(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    crate::features::flush_standard_streams(cx);
    match process::fork(cx)? {
        Some(child) => Ok(Value::fixnum(child as i64)),
        None if block.is_none() => Ok(Value::NIL),
        None => {
            let result = call::yield_values(cx, block, &[]);
            let finish = cx.vm().hooks.finish;
            let status = finish(cx, result);
            host::process::exit_immediately(status as i32)
        }
    }
}

/// `$?`
pub fn set_last_status(cx: &mut Cx, v: Value) {
    cx.set_root("$?", v);
}

pub fn last_status(cx: &mut Cx, _: Args) -> R {
    Ok(cx.root("$?"))
}

/// Waits for a child: its id and status, or nil under WNOHANG.
fn wait_for(cx: &mut Cx, args: Args) -> R<Option<(i32, Value)>> {
    let pid = match args.non_nil(0) {
        Some(v) => convert::to_i32(cx, v)?,
        None => -1,
    };
    let flags = match args.non_nil(1) {
        Some(v) => convert::to_i32(cx, v)?,
        None => 0,
    };
    loop {
        match blocking(cx, || host::process::wait(pid, flags)) {
            Ok(Some(waited)) => {
                let status = status::new(cx, waited.pid, waited.status);
                set_last_status(cx, status);
                return Ok(Some((waited.pid, status)));
            }
            Ok(None) => {
                set_last_status(cx, Value::NIL);
                return Ok(None);
            }
            Err(errno) if errno.name() == Some("EINTR") => cx.safepoint()?,
            Err(errno) => return Err(cx.system_error(errno, "")),
        }
    }
}

pub fn wait(cx: &mut Cx, args: Args) -> R {
    Ok(wait_for(cx, args)?.map_or(Value::NIL, |(pid, _)| Value::fixnum(pid as i64)))
}

pub fn wait2(cx: &mut Cx, args: Args) -> R {
    match wait_for(cx, args)? {
        Some((pid, status)) => Ok(make::array(cx, &[Value::fixnum(pid as i64), status])),
        None => Ok(Value::NIL),
    }
}

/// `exit!(status = false)`: without at_exit blocks.
pub fn exit_now(cx: &mut Cx, args: Args) -> R {
    let code = match args.opt(0) {
        None | Some(Value::FALSE) => 1,
        Some(Value::TRUE) => 0,
        Some(v) => convert::to_i32(cx, v)?,
    };
    crate::features::flush_standard_streams(cx);
    host::process::exit_immediately(code)
}
