//! fcntl, io/wait and io/nonblock: modes of descriptors.

use host::fs::{FCNTL_CONSTANTS, is_nonblocking, set_nonblocking};
use object::{Known, symbol::table::intern_text};
use runtime::{Args, Cx, Method, R, Value, call, define, library, make};

use core_classes::io::data::fd_of;

const NONBLOCK: &[Method] = &[
    Method::new("nonblock?", is_nonblock),
    Method::new("nonblock=(nonblock)", set_nonblock),
    Method::new("nonblock(nonblock = true) { |io| }", nonblock),
];

/// Fcntl: the constants of `fcntl(2)`.
pub fn define_fcntl(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let module = library::module(cx, object, "Fcntl")?;
    for (name, number) in FCNTL_CONSTANTS {
        let name = intern_text(cx, name);
        define::set_constant(cx, module, name, Value::fixnum((*number).into()));
    }
    let (name, version) = (intern_text(cx, "VERSION"), make::interned(cx, "1.3.0"));
    define::set_constant(cx, module, name, version);
    Ok(())
}

/// io/wait: its methods are core methods since Ruby 4.0.
pub fn define_wait(_: &mut Cx) -> R<()> {
    Ok(())
}

/// io/nonblock.
pub fn define_nonblock(cx: &mut Cx) -> R<()> {
    let io = cx.class(Known::Io);
    define::define_methods(cx, io, NONBLOCK);
    Ok(())
}

/// `nonblock? → true or false`: whether O_NONBLOCK is set: operations raise instead of waiting. SystemCallError for a
/// bad descriptor.
fn is_nonblock(cx: &mut Cx, args: Args) -> R {
    let fd = fd_of(cx, args.me())?;
    match is_nonblocking(fd) {
        Ok(nonblocking) => Ok(Value::bool(nonblocking)),
        Err(errno) => Err(cx.system_error(errno, "")),
    }
}

fn set(cx: &mut Cx, io: Value, nonblocking: bool) -> R<()> {
    let fd = fd_of(cx, io)?;
    set_nonblocking(fd, nonblocking).map_err(|errno| cx.system_error(errno, ""))
}

/// `nonblock = flag`: sets O_NONBLOCK or removes it. SystemCallError for a bad descriptor.
fn set_nonblock(cx: &mut Cx, args: Args) -> R {
    set(cx, args.me(), args.at(0).truthy())?;
    Ok(args.at(0))
}

/// `nonblock(nonblock = true) { |io| } → object`: sets O_NONBLOCK or removes it while the block runs.
fn nonblock(cx: &mut Cx, args: Args) -> R {
    let wanted = args.opt(0).is_none_or(Value::truthy);
    let before = is_nonblock(cx, args)?.truthy();
    set(cx, args.me(), wanted)?;
    let block = args.block(cx);
    let result = call::yield_one(cx, block, args.me());
    set(cx, args.me(), before)?;
    result
}
