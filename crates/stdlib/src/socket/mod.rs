//! Sockets: system calls on descriptors and packed addresses; the classes are in Ruby.

mod connection;
mod interface;
mod resolve;
mod transfer;

use core_classes::io::data;
use host::{
    Errno, Fd,
    io::Events,
    socket::{self, Address},
};
use object::{Known, symbol::table::intern_text};
use runtime::{
    Args, Cx, Method, R, Unwind, Value,
    concurrency::{parking, pending, thread::blocking},
    convert, define,
    error::ErrorClass,
    internal, library, make, ruby_half,
};
use text::EncodingId;

/// Private singleton methods of BasicSocket.
const METHODS: &[Method] = &[
    Method::new("__socket(family, kind, protocol)", connection::new_socket),
    Method::new("__pair(family, kind, protocol)", connection::pair),
    Method::new("__adopt(socket, fd)", connection::adopt),
    Method::new("__bind(fd, address)", connection::bind),
    Method::new("__listen(fd, backlog)", connection::listen),
    Method::new("__accept(fd, wait)", connection::accept),
    Method::new("__connect(fd, address, wait, seconds)", connection::connect),
    Method::new("__connect_outcome(fd)", connection::connect_outcome),
    Method::new("__shutdown(fd, how)", connection::shutdown),
    Method::new("__local(fd)", connection::local),
    Method::new("__peer(fd)", connection::peer),
    Method::new("__peer_identity(fd)", connection::peer_identity),
    Method::new("__option(fd, level, name)", connection::option),
    Method::new("__set_option(fd, level, name, value)", connection::set_option),
    Method::new("__half_close(fd, reading)", connection::half_close),
    Method::new("__send(fd, bytes, flags, address, controls, wait)", transfer::send),
    Method::new("__receive(fd, length, flags, buffer, wait)", transfer::receive),
    Method::new("__receive_message(fd, length, flags, room, wait)", transfer::receive_message),
    Method::new("__read(fd, length, buffer)", transfer::read),
    Method::new("__write(fd, bytes)", transfer::write),
    Method::new("__resolve(host, service, family, kind, protocol, flags, seconds, function)", resolve::resolve),
    Method::new("__names(address, flags)", resolve::names),
    Method::new("__host_by_name(name)", resolve::host_by_name),
    Method::new("__host_by_address(address, family)", resolve::host_by_address),
    Method::new("__service(name, protocol)", resolve::service),
    Method::new("__service_at(port, protocol)", resolve::service_at),
    Method::new("__host_name", resolve::host_name),
    Method::new("__interfaces", interface::interfaces),
    Method::new("__interface_name(index)", interface::name),
    Method::new("__integer(value)", integer),
    Method::new("__name(prefix, number)", name),
    Method::new("__pack_path(path)", pack_path),
    Method::new("__unpack(address)", unpack),
];

/// `socket.so`
pub fn define(cx: &mut Cx) -> R<()> {
    crate::require(cx, "io/wait")?;
    let object = cx.class(Known::Object);
    let io = cx.class(Known::Io);
    let basic = library::class(cx, object, "BasicSocket", io)?;
    define::define_singleton_methods(cx, basic, METHODS);
    define::undefine(cx, basic, "initialize");
    let socket = library::class(cx, object, "Socket", basic)?;
    let constants = library::module(cx, socket, "Constants")?;
    for (name, number) in socket::constants::CONSTANTS {
        let (name, number) = (intern_text(cx, name), Value::fixnum(*number));
        define::set_constant(cx, constants, name, number);
        define::set_constant(cx, socket, name, number);
    }
    internal::load(cx, ruby_half!("socket/names"))?;
    internal::load(cx, ruby_half!("socket/basic_socket"))?;
    internal::load(cx, ruby_half!("socket/socket"))?;
    internal::load(cx, ruby_half!("socket/ip_socket"))?;
    internal::load(cx, ruby_half!("socket/attempts"))?;
    internal::load(cx, ruby_half!("socket/unix_socket"))?;
    internal::load(cx, ruby_half!("socket/addrinfo"))?;
    internal::load(cx, ruby_half!("socket/inspection"))?;
    internal::load(cx, ruby_half!("socket/option"))?;
    internal::load(cx, ruby_half!("socket/ancillary_data"))
}

/// The descriptor of a socket, or of one that has no object yet.
fn fd(cx: &mut Cx, v: Value) -> R<Fd> {
    if v.is_fixnum() { Ok(Fd(convert::to_i32(cx, v)?)) } else { data::fd_of(cx, v) }
}

/// Waits until a socket is ready: an IO according to its `timeout`, a bare descriptor for this many seconds. False on
/// timeout.
fn ready(cx: &mut Cx, socket: Value, events: Events, seconds: Option<f64>) -> R<bool> {
    let fd = fd(cx, socket)?;
    if !socket.is_fixnum() {
        let limit = data::time_limit(cx, socket)?;
        if data::wait_on(cx, socket, fd, events, limit)?.is_empty() {
            let what = if events == Events::READABLE { "readable" } else { "writable" };
            return Err(cx.raise(ErrorClass::IOTimeoutError, &format!("Timed out waiting for IO to become {what}!")));
        }
        return Ok(true);
    }
    let deadline = parking::deadline_after(seconds);
    loop {
        pending::check_blocking(cx)?;
        match blocking(cx, || host::io::wait_for(fd, events, deadline, &mut || false)) {
            Ok(ready) => return Ok(!ready.is_empty()),
            Err(errno) if data::is_interrupted(errno) => {}
            Err(errno) => return Err(failed(cx, errno, "")),
        }
    }
}

/// A number of seconds, or nil for no limit.
fn seconds(cx: &mut Cx, v: Value) -> R<Option<f64>> {
    if v.is_nil() { Ok(None) } else { convert::to_f64(cx, v).map(Some) }
}

fn bytes(cx: &mut Cx, v: Value) -> R<Vec<u8>> {
    let string = convert::to_str(cx, v)?;
    Ok(string.to_vector())
}

fn binary(cx: &mut Cx, bytes: &[u8]) -> Value {
    make::string(cx, bytes, EncodingId::BINARY)
}

fn number(n: impl Into<i64>) -> Value {
    Value::fixnum(n.into())
}

fn failed(cx: &mut Cx, errno: Errno, what: &str) -> Unwind {
    cx.system_error(errno, what)
}

/// `__integer(value) → integer`: a number for a system call. TypeError unless it is an Integer or has `to_int`,
/// RangeError beyond 32 bits.
fn integer(cx: &mut Cx, args: Args) -> R {
    Ok(number(convert::to_i32(cx, args.at(0))?))
}

/// `__name(prefix, number) → string or nil`: the name of the constant with this prefix and value; nil if there is none.
fn name(cx: &mut Cx, args: Args) -> R {
    let prefix = args.str(cx, 0)?;
    let number = convert::to_i64(cx, args.at(1))?;
    let found = std::str::from_utf8(prefix.bytes(cx)).ok().and_then(|prefix| socket::constants::name(prefix, number));
    Ok(found.map_or(Value::NIL, |name| make::text(cx, name)))
}

/// `__pack_path(path) → string`: the packed address of a UNIX socket. ArgumentError for a path longer than the system's
/// structure.
fn pack_path(cx: &mut Cx, args: Args) -> R {
    let path = bytes(cx, args.at(0))?;
    if path.len() > socket::address::UNIX_PATH_SIZE {
        let (most, size) = (socket::address::UNIX_PATH_SIZE, path.len());
        return Err(cx.argument_error(&format!("too long unix socket path ({size} bytes given but {most} bytes max)")));
    }
    let address = Address::Unix(path).pack().map_err(|errno| failed(cx, errno, ""))?;
    Ok(binary(cx, &address))
}

/// `__unpack(address) → [family, host or path, port]`: the parts of a packed `sockaddr`; nil for a part that the family
/// does not have.
fn unpack(cx: &mut Cx, args: Args) -> R {
    let address = bytes(cx, args.at(0))?;
    let family = number(socket::address::family(&address).unwrap_or(0));
    let (name, port) = match Address::unpack(&address) {
        Ok(Address::Inet { address, port }) => (make::text(cx, &address.to_string()), number(port)),
        Ok(Address::Inet6 { port, .. }) => (Value::NIL, number(port)),
        Ok(Address::Unix(path)) => (make::string(cx, &path, EncodingId::UTF_8), Value::NIL),
        _ => (Value::NIL, Value::NIL),
    };
    let row = [family, name, port];
    Ok(make::array(cx, &row))
}
