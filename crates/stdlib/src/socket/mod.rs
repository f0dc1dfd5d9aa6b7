//! Sockets: what the system does, on descriptors and packed addresses; the classes are in Ruby.

use core_classes::io::data;
use host::{
    Errno, Fd,
    io::Events,
    socket::{self, Address, Hints},
};
use object::{Known, string::Str, symbol::table::intern_text};
use runtime::{
    Args, Cx, Method, R, Unwind, Value, call,
    concurrency::{parking, thread::blocking},
    convert, define, error, internal, make, ruby_half, sym,
};
use text::EncodingId;

/// Private singleton methods of BasicSocket.
const METHODS: &[Method] = &[
    Method::new("__socket(family, kind, protocol)", new_socket),
    Method::new("__pair(family, kind, protocol)", pair),
    Method::new("__bind(fd, address)", bind),
    Method::new("__listen(fd, backlog)", listen),
    Method::new("__accept(fd, wait)", accept),
    Method::new("__connect(fd, address, wait)", connect),
    Method::new("__connect_outcome(fd)", connect_outcome),
    Method::new("__shutdown(fd, how)", shutdown),
    Method::new("__local(fd)", local),
    Method::new("__peer(fd)", peer),
    Method::new("__send(fd, bytes, flags, address, wait)", send),
    Method::new("__receive(fd, length, flags, wait)", receive),
    Method::new("__option(fd, level, name)", option),
    Method::new("__set_option(fd, level, name, value)", set_option),
    Method::new("__resolve(host, service, family, kind, protocol, flags)", resolve),
    Method::new("__names(address, flags)", names),
    Method::new("__service(name, protocol)", service),
    Method::new("__pack(host, port)", pack),
    Method::new("__pack_path(path)", pack_path),
    Method::new("__unpack(address)", unpack),
    Method::new("__host_name", host_name),
];

/// `socket.so`
pub fn define(cx: &mut Cx) -> R<()> {
    crate::require(cx, "io/wait")?;
    let object = cx.class(Known::Object);
    let io = cx.class(Known::Io);
    let basic = define::define_class(cx, object, "BasicSocket", io);
    define::define_singleton_methods(cx, basic, METHODS);
    let socket = define::define_class(cx, object, "Socket", basic);
    let constants = define::define_module(cx, socket, "Constants");
    for (name, number) in socket::constants::CONSTANTS {
        let (name, number) = (intern_text(cx, name), Value::fixnum(*number));
        define::set_constant(cx, constants, name, number);
        define::set_constant(cx, socket, name, number);
    }
    internal::load(cx, ruby_half!("socket/socket"))?;
    internal::load(cx, ruby_half!("socket/addrinfo"))
}

/// Of a socket, or one that has no object yet.
fn fd(cx: &mut Cx, v: Value) -> R<Fd> {
    if v.is_fixnum() { Ok(Fd(convert::to_i32(cx, v)?)) } else { data::fd_of(cx, v) }
}

/// Waits until a socket is ready; no events when the time is over.
fn ready(cx: &mut Cx, socket: Value, fd: Fd, events: Events, seconds: Option<f64>) -> R<Events> {
    if !socket.is_fixnum() {
        return data::wait_on(cx, socket, fd, events, seconds);
    }
    let deadline = parking::deadline_after(seconds);
    loop {
        match blocking(cx, || host::io::wait_for(fd, events, deadline, &mut || false)) {
            Ok(ready) => return Ok(ready),
            Err(errno) if data::is_interrupted(errno) => cx.safepoint()?,
            Err(errno) => return Err(failed(cx, errno, "")),
        }
    }
}

fn bytes(cx: &mut Cx, v: Value) -> R<Vec<u8>> {
    let string = convert::to_str(cx, v)?;
    Ok(Str(string).bytes().to_vec())
}

fn binary(cx: &mut Cx, bytes: &[u8]) -> Value {
    make::string(cx, bytes, EncodingId::BINARY)
}

fn failed(cx: &mut Cx, errno: Errno, what: &str) -> Unwind {
    cx.system_error(errno, what)
}

fn numbers(cx: &mut Cx, args: Args) -> R<(i32, i32, i32)> {
    Ok((convert::to_i32(cx, args.at(0))?, convert::to_i32(cx, args.at(1))?, convert::to_i32(cx, args.at(2))?))
}

fn new_socket(cx: &mut Cx, args: Args) -> R {
    let (family, kind, protocol) = numbers(cx, args)?;
    let fd = socket::socket(family, kind, protocol).map_err(|errno| failed(cx, errno, "socket(2)"))?;
    Ok(Value::fixnum(fd.0.into()))
}

fn pair(cx: &mut Cx, args: Args) -> R {
    let (family, kind, protocol) = numbers(cx, args)?;
    let (a, b) = socket::socket_pair(family, kind, protocol).map_err(|errno| failed(cx, errno, "socketpair(2)"))?;
    Ok(make::array(cx, &[Value::fixnum(a.0.into()), Value::fixnum(b.0.into())]))
}

/// "127.0.0.1" port 80, for messages.
fn shown(address: &[u8]) -> String {
    match Address::unpack(address) {
        Ok(Address::Inet { address, port }) => format!("\"{address}\" port {port}"),
        Ok(Address::Inet6 { address, port, .. }) => format!("\"{address}\" port {port}"),
        Ok(Address::Unix(path)) => String::from_utf8_lossy(&path).into_owned(),
        _ => String::new(),
    }
}

fn bind(cx: &mut Cx, args: Args) -> R {
    let (fd, address) = (fd(cx, args.at(0))?, bytes(cx, args.at(1))?);
    let what = format!("bind(2) for {}", shown(&address));
    socket::bind(fd, &address).map_err(|errno| failed(cx, errno, &what))?;
    Ok(Value::fixnum(0))
}

fn listen(cx: &mut Cx, args: Args) -> R {
    let (fd, backlog) = (fd(cx, args.at(0))?, convert::to_i32(cx, args.at(1))?);
    socket::listen(fd, backlog).map_err(|errno| failed(cx, errno, "listen(2)"))?;
    Ok(Value::fixnum(0))
}

/// `[descriptor, address]`; nil where one would have to wait and is not to.
fn accept(cx: &mut Cx, args: Args) -> R {
    let (fd, wait) = (fd(cx, args.at(0))?, args.at(1).truthy());
    loop {
        let limit = if wait { None } else { Some(0.0) };
        if ready(cx, args.at(0), fd, Events::READABLE, limit)?.is_empty() {
            return Ok(Value::NIL);
        }
        match socket::accept(fd, false) {
            Ok((connection, address)) => {
                let address = binary(cx, &address);
                return Ok(make::array(cx, &[Value::fixnum(connection.0.into()), address]));
            }
            Err(errno) if data::is_interrupted(errno) || errno.would_block() => cx.safepoint()?,
            Err(errno) => return Err(failed(cx, errno, "accept(2)")),
        }
    }
}

/// true once connected; nil where that goes on by itself and one is not to wait.
fn connect(cx: &mut Cx, args: Args) -> R {
    let (fd, address, wait) = (fd(cx, args.at(0))?, bytes(cx, args.at(1))?, args.at(2).truthy());
    let what = format!("connect(2) for {}", shown(&address));
    if !wait {
        let _ = host::fs::set_nonblocking(fd, true);
    }
    match blocking(cx, || socket::connect(fd, &address)) {
        Ok(()) => Ok(Value::TRUE),
        Err(errno) if errno.name() == Some("EINPROGRESS") && !wait => Ok(Value::NIL),
        Err(errno) if data::is_interrupted(errno) || errno.name() == Some("EINPROGRESS") => {
            ready(cx, args.at(0), fd, Events::WRITABLE, None)?;
            socket::connect_outcome(fd).map_err(|errno| failed(cx, errno, &what))?;
            Ok(Value::TRUE)
        }
        Err(errno) => Err(failed(cx, errno, &what)),
    }
}

fn connect_outcome(cx: &mut Cx, args: Args) -> R {
    let fd = fd(cx, args.at(0))?;
    socket::connect_outcome(fd).map_err(|errno| failed(cx, errno, "connect(2)"))?;
    Ok(Value::TRUE)
}

fn shutdown(cx: &mut Cx, args: Args) -> R {
    let (fd, how) = (fd(cx, args.at(0))?, convert::to_i32(cx, args.at(1))?);
    socket::shutdown(fd, how).map_err(|errno| failed(cx, errno, ""))?;
    Ok(Value::fixnum(0))
}

fn local(cx: &mut Cx, args: Args) -> R {
    let fd = fd(cx, args.at(0))?;
    let address = socket::local_address(fd).map_err(|errno| failed(cx, errno, "getsockname(2)"))?;
    Ok(binary(cx, &address))
}

fn peer(cx: &mut Cx, args: Args) -> R {
    let fd = fd(cx, args.at(0))?;
    let address = socket::peer_address(fd).map_err(|errno| failed(cx, errno, "getpeername(2)"))?;
    Ok(binary(cx, &address))
}

/// How many bytes went; nil where one would have to wait and is not to.
fn send(cx: &mut Cx, args: Args) -> R {
    let (fd, bytes, flags) = (fd(cx, args.at(0))?, bytes(cx, args.at(1))?, convert::to_i32(cx, args.at(2))?);
    let address = if args.at(3).is_nil() { None } else { Some(self::bytes(cx, args.at(3))?) };
    let wait = args.at(4).truthy();
    loop {
        let limit = if wait { None } else { Some(0.0) };
        if ready(cx, args.at(0), fd, Events::WRITABLE, limit)?.is_empty() {
            return Ok(Value::NIL);
        }
        let sent = match &address {
            Some(address) => socket::send_to(fd, &bytes, flags, address),
            None => socket::send(fd, &bytes, flags),
        };
        match sent {
            Ok(count) => return Ok(Value::fixnum(count as i64)),
            Err(errno) if data::is_interrupted(errno) || errno.would_block() => cx.safepoint()?,
            Err(errno) => {
                let what = if address.is_some() { "sendto(2)" } else { "send(2)" };
                return Err(failed(cx, errno, what));
            }
        }
    }
}

/// `[bytes, address]`; nil where one would have to wait and is not to.
fn receive(cx: &mut Cx, args: Args) -> R {
    let (fd, length, flags) = (fd(cx, args.at(0))?, convert::to_i64(cx, args.at(1))?, convert::to_i32(cx, args.at(2))?);
    if length < 0 {
        return Err(cx.argument_error("negative string size (or size too big)"));
    }
    loop {
        let limit = if args.at(3).truthy() { None } else { Some(0.0) };
        if ready(cx, args.at(0), fd, Events::READABLE, limit)?.is_empty() {
            return Ok(Value::NIL);
        }
        match socket::receive_bytes(fd, length as usize, flags) {
            Ok((bytes, address)) => {
                let (bytes, address) = (binary(cx, &bytes), binary(cx, &address));
                return Ok(make::array(cx, &[bytes, address]));
            }
            Err(errno) if data::is_interrupted(errno) || errno.would_block() => cx.safepoint()?,
            Err(errno) => return Err(failed(cx, errno, "recvfrom(2)")),
        }
    }
}

fn option(cx: &mut Cx, args: Args) -> R {
    let fd = fd(cx, args.at(0))?;
    let (level, name) = (convert::to_i32(cx, args.at(1))?, convert::to_i32(cx, args.at(2))?);
    let value = socket::option(fd, level, name, 256).map_err(|errno| failed(cx, errno, "getsockopt(2)"))?;
    Ok(binary(cx, &value))
}

fn set_option(cx: &mut Cx, args: Args) -> R {
    let fd = fd(cx, args.at(0))?;
    let (level, name) = (convert::to_i32(cx, args.at(1))?, convert::to_i32(cx, args.at(2))?);
    let value = bytes(cx, args.at(3))?;
    socket::set_option(fd, level, name, &value).map_err(|errno| failed(cx, errno, "setsockopt(2)"))?;
    Ok(Value::fixnum(0))
}

/// A Socket::ResolutionError.
fn unresolved(cx: &mut Cx, what: &str, failure: socket::ResolveError) -> Unwind {
    let socket = define::class_or_module_named(cx, "Socket");
    let name = intern_text(cx, "ResolutionError");
    let class = match runtime::constants::lookup_from(cx, socket, name) {
        Ok(class) => class,
        Err(unwind) => return unwind,
    };
    let message = make::text(cx, &format!("{what}: {}", failure.message()));
    match call::send(cx, class, sym::NEW, &[message]) {
        Ok(exception) => {
            let name = intern_text(cx, "@error_code");
            object::shape::ivars::set(cx, exception, name, Value::fixnum(failure.code.into()));
            error::raise_exception(cx, exception)
        }
        Err(unwind) => unwind,
    }
}

/// `[[family, kind, protocol, address, canonical name], …]`
fn resolve(cx: &mut Cx, args: Args) -> R {
    let optional = |cx: &mut Cx, i: usize| if args.at(i).is_nil() { Ok(None) } else { bytes(cx, args.at(i)).map(Some) };
    let (host, service) = (optional(cx, 0)?, optional(cx, 1)?);
    let number = |cx: &mut Cx, i: usize| convert::to_i32(cx, args.at(i));
    let hints = Hints { family: number(cx, 2)?, kind: number(cx, 3)?, protocol: number(cx, 4)?, flags: number(cx, 5)? };
    let found = blocking(cx, || socket::addresses(host.as_deref(), service.as_deref(), hints));
    let found = found.map_err(|failure| unresolved(cx, "getaddrinfo(3)", failure))?;
    let list = make::array(cx, &[]);
    for one in &found {
        let address = binary(cx, &one.address);
        let name = one.canonical_name.as_ref().map_or(Value::NIL, |name| binary(cx, name));
        let [family, kind, protocol] = [one.family, one.kind, one.protocol].map(|n| Value::fixnum(n.into()));
        let row = make::array(cx, &[family, kind, protocol, address, name]);
        make::push(cx, list, row);
    }
    Ok(list)
}

/// `[host, service]`
fn names(cx: &mut Cx, args: Args) -> R {
    let (address, flags) = (bytes(cx, args.at(0))?, convert::to_i32(cx, args.at(1))?);
    let found = blocking(cx, || socket::names_of(&address, flags));
    let (host, service) = found.map_err(|failure| unresolved(cx, "getnameinfo", failure))?;
    let host = make::string(cx, &host, EncodingId::UTF_8);
    let service = make::string(cx, &service, EncodingId::UTF_8);
    Ok(make::array(cx, &[host, service]))
}

fn service(cx: &mut Cx, args: Args) -> R {
    let (name, protocol) = (bytes(cx, args.at(0))?, bytes(cx, args.at(1))?);
    let port = socket::service_port(&name, &protocol).map_err(|errno| failed(cx, errno, ""))?;
    Ok(port.map_or(Value::NIL, |port| Value::fixnum(port.into())))
}

/// The address of a host in numbers.
fn pack(cx: &mut Cx, args: Args) -> R {
    let (host, port) = (bytes(cx, args.at(0))?, convert::to_i64(cx, args.at(1))? as u16);
    let Some(ip) = std::str::from_utf8(&host).ok().and_then(|host| host.parse().ok()) else { return Ok(Value::NIL) };
    let address = Address::from_ip(ip, port).pack().map_err(|errno| failed(cx, errno, ""))?;
    Ok(binary(cx, &address))
}

fn pack_path(cx: &mut Cx, args: Args) -> R {
    let path = bytes(cx, args.at(0))?;
    if path.len() > socket::address::UNIX_PATH_SIZE {
        let (most, size) = (socket::address::UNIX_PATH_SIZE, path.len());
        return Err(cx.argument_error(&format!("too long unix socket path ({size}bytes given but {most}bytes max)")));
    }
    let address = Address::Unix(path).pack().map_err(|errno| failed(cx, errno, ""))?;
    Ok(binary(cx, &address))
}

/// `[family, host or path, port]`
fn unpack(cx: &mut Cx, args: Args) -> R {
    let address = bytes(cx, args.at(0))?;
    let family = socket::address::family(&address).unwrap_or(0);
    let family = Value::fixnum(family.into());
    match Address::unpack(&address) {
        Ok(Address::Inet { address, port }) => {
            let host = make::text(cx, &address.to_string());
            Ok(make::array(cx, &[family, host, Value::fixnum(port.into())]))
        }
        Ok(Address::Inet6 { address, port, .. }) => {
            let host = make::text(cx, &address.to_string());
            Ok(make::array(cx, &[family, host, Value::fixnum(port.into())]))
        }
        Ok(Address::Unix(path)) => {
            let path = make::string(cx, &path, EncodingId::UTF_8);
            Ok(make::array(cx, &[family, path, Value::NIL]))
        }
        _ => Ok(make::array(cx, &[family, Value::NIL, Value::NIL])),
    }
}

fn host_name(cx: &mut Cx, _: Args) -> R {
    let name = host::user::machine::system_name().node;
    Ok(make::string(cx, &name, EncodingId::UTF_8))
}
