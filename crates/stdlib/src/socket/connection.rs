//! Creating and connecting sockets; their options.

use core_classes::io::data;
use host::{Errno, io::Events, socket};
use runtime::{
    Args, Cx, R, Value,
    concurrency::{pending, thread::blocking},
    convert, make,
};

use super::{binary, bytes, failed, fd, number, ready, seconds};

fn numbers(cx: &mut Cx, args: Args) -> R<(i32, i32, i32)> {
    Ok((convert::to_i32(cx, args.at(0))?, convert::to_i32(cx, args.at(1))?, convert::to_i32(cx, args.at(2))?))
}

/// `__socket(family, kind, protocol) → integer`: the descriptor of a new socket. SystemCallError if the system refuses
/// it.
pub fn new_socket(cx: &mut Cx, args: Args) -> R {
    let (family, kind, protocol) = numbers(cx, args)?;
    let fd = socket::socket(family, kind, protocol).map_err(|errno| failed(cx, errno, "socket(2)"))?;
    Ok(number(fd.0))
}

/// `__pair(family, kind, protocol) → array`: the descriptors of two sockets that are connected with each other.
/// SystemCallError if the system refuses them.
pub fn pair(cx: &mut Cx, args: Args) -> R {
    let (family, kind, protocol) = numbers(cx, args)?;
    let (a, b) = socket::socket_pair(family, kind, protocol).map_err(|errno| failed(cx, errno, "socketpair(2)"))?;
    Ok(make::array(cx, &[number(a.0), number(b.0)]))
}

/// `__adopt(socket, fd) → socket`: makes the object a stream of the open descriptor of a socket.
pub fn adopt(cx: &mut Cx, args: Args) -> R {
    let fd = fd(cx, args.at(1))?;
    core_classes::io::open::adopt_socket(cx, args.at(0), fd)?;
    Ok(args.at(0))
}

/// 0, or the errno, from which the Ruby half builds the exception.
fn outcome(outcome: host::Result<()>) -> R {
    Ok(number(outcome.err().map_or(0, |errno| errno.0)))
}

/// `__bind(fd, address) → integer`: binds a socket to a local address; 0 or the errno.
pub fn bind(cx: &mut Cx, args: Args) -> R {
    let address = bytes(cx, args.at(1))?;
    outcome(socket::bind(fd(cx, args.at(0))?, &address))
}

/// `__listen(fd, backlog) → integer`: listens for connections, with a queue of at most `backlog`; 0 or the errno.
pub fn listen(cx: &mut Cx, args: Args) -> R {
    let backlog = convert::to_i32(cx, args.at(1))?;
    outcome(socket::listen(fd(cx, args.at(0))?, backlog))
}

/// Runs a call that may block on the peer.
fn blocking_call<T>(cx: &mut Cx, socket: Value, call: impl FnOnce() -> T) -> R<T> {
    if socket.is_fixnum() {
        pending::check_blocking(cx)?;
        return Ok(blocking(cx, call));
    }
    data::blocking_on(cx, socket, call)
}

/// `__accept(socket, wait) → [descriptor, address] or nil`: accepts a pending connection; nil if none is pending and
/// `wait` is false.
pub fn accept(cx: &mut Cx, args: Args) -> R {
    let wait = args.at(1).truthy();
    if !wait {
        let fd = fd(cx, args.at(0))?;
        let _ = host::fs::set_nonblocking(fd, true);
    }
    loop {
        let fd = fd(cx, args.at(0))?;
        let accepted = if wait { blocking_call(cx, args.at(0), || socket::accept(fd))? } else { socket::accept(fd) };
        match accepted {
            Ok((connection, address)) => {
                let address = binary(cx, &address);
                return Ok(make::array(cx, &[number(connection.0), address]));
            }
            Err(errno) if errno.would_block() || is_lost(errno) => {
                if !wait {
                    return Ok(Value::NIL);
                }
                ready(cx, args.at(0), Events::READABLE, None)?;
            }
            Err(errno) if data::is_interrupted(errno) => pending::check_blocking(cx)?,
            Err(errno) => return Err(failed(cx, errno, "accept(2)")),
        }
    }
}

/// The peer disconnected before the connection was accepted.
fn is_lost(errno: Errno) -> bool {
    matches!(errno.name(), Some("ECONNABORTED" | "EPROTO"))
}

/// `__connect(socket, address, wait, seconds) → integer or nil`: 0 once connected, or the errno; nil if connecting
/// continues in the background, because `wait` is false, or nil for a socket that does not block as it is new, or the
/// time is over.
pub fn connect(cx: &mut Cx, args: Args) -> R {
    let (address, wait) = (bytes(cx, args.at(1))?, args.at(2).truthy());
    let limit = seconds(cx, args.at(3))?;
    let fd = fd(cx, args.at(0))?;
    if args.at(2) == Value::FALSE {
        let _ = host::fs::set_nonblocking(fd, true);
    }
    let mut begun = if wait {
        blocking_call(cx, args.at(0), || socket::connect(fd, &address))?
    } else {
        socket::connect(fd, &address)
    };
    if wait && begun.is_err_and(Errno::would_block) {
        // A UNIX socket whose server is busy: nothing continues in the background, and no event reports when to retry.
        let _ = host::fs::set_nonblocking(fd, false);
        begun = blocking_call(cx, args.at(0), || socket::connect(fd, &address))?;
        let _ = host::fs::set_nonblocking(fd, true);
    }
    match begun {
        Err(errno) if errno.name() == Some("EINPROGRESS") && !wait => Ok(Value::NIL),
        Err(errno) if data::is_interrupted(errno) || errno.name() == Some("EINPROGRESS") => {
            if !ready(cx, args.at(0), Events::WRITABLE, limit)? {
                return Ok(Value::NIL);
            }
            outcome(socket::connect_outcome(self::fd(cx, args.at(0))?))
        }
        done => outcome(done),
    }
}

/// `__connect_outcome(fd) → integer`: the result of a connection that was started without waiting; 0 or the errno.
pub fn connect_outcome(cx: &mut Cx, args: Args) -> R {
    outcome(socket::connect_outcome(fd(cx, args.at(0))?))
}

/// `__shutdown(fd, how) → 0`: shuts down reading (0), writing (1) or both (2). SystemCallError if that fails.
pub fn shutdown(cx: &mut Cx, args: Args) -> R {
    let how = convert::to_i32(cx, args.at(1))?;
    let fd = fd(cx, args.at(0))?;
    socket::shutdown(fd, how).map_err(|errno| failed(cx, errno, "shutdown(2)"))?;
    Ok(number(0))
}

/// `__half_close(fd, reading) → true or false`: shuts down one direction; true if the whole socket can be closed.
pub fn half_close(cx: &mut Cx, args: Args) -> R {
    let (fd, reading) = (fd(cx, args.at(0))?, args.at(1).truthy());
    if !reading {
        let open = data::open_data(cx, args.at(0))?;
        if !open.readable {
            return Ok(Value::TRUE);
        }
        data::flush(cx, args.at(0))?;
    }
    // A socket that is not connected has nothing to shut down.
    let _ = socket::shutdown(fd, if reading { 0 } else { 1 });
    let data = data::open_data(cx, args.at(0))?;
    data.half_closed = true;
    if reading {
        data.readable = false;
        Ok(Value::bool(!data.writable))
    } else {
        data.writable = false;
        Ok(Value::FALSE)
    }
}

/// `__local(fd) → string`: the socket's own address as a packed `sockaddr`. SystemCallError if that fails.
pub fn local(cx: &mut Cx, args: Args) -> R {
    let fd = fd(cx, args.at(0))?;
    let address = socket::local_address(fd).map_err(|errno| failed(cx, errno, "getsockname(2)"))?;
    Ok(binary(cx, &address))
}

/// `__peer(fd) → string`: the peer's address as a packed `sockaddr`. SystemCallError if there is none.
pub fn peer(cx: &mut Cx, args: Args) -> R {
    let fd = fd(cx, args.at(0))?;
    let address = socket::peer_address(fd).map_err(|errno| failed(cx, errno, "getpeername(2)"))?;
    Ok(binary(cx, &address))
}

/// `__peer_identity(fd) → [user, group]`: the ids of the process at the other end of a UNIX socket.
pub fn peer_identity(cx: &mut Cx, args: Args) -> R {
    let fd = fd(cx, args.at(0))?;
    let found = socket::peer_credentials(fd).map_err(|errno| failed(cx, errno, "getsockopt(SO_PEERCRED)"))?;
    Ok(make::array(cx, &[number(found.user), number(found.group)]))
}

/// The maximum size of a value.
const OPTION_SIZE: usize = 256;

/// `__option(fd, level, name) → string`: the value of a socket option as its bytes. SystemCallError for an unknown one.
pub fn option(cx: &mut Cx, args: Args) -> R {
    let fd = fd(cx, args.at(0))?;
    let (level, name) = (convert::to_i32(cx, args.at(1))?, convert::to_i32(cx, args.at(2))?);
    let value = socket::option(fd, level, name, OPTION_SIZE).map_err(|errno| failed(cx, errno, "getsockopt(2)"))?;
    Ok(binary(cx, &value))
}

/// `__set_option(fd, level, name, value) → 0`: sets a socket option to the bytes. SystemCallError for an unknown one or
/// a wrong size.
pub fn set_option(cx: &mut Cx, args: Args) -> R {
    let (level, name) = (convert::to_i32(cx, args.at(1))?, convert::to_i32(cx, args.at(2))?);
    let value = bytes(cx, args.at(3))?;
    // Conversions may have closed it.
    let fd = fd(cx, args.at(0))?;
    socket::set_option(fd, level, name, &value).map_err(|errno| failed(cx, errno, "setsockopt(2)"))?;
    Ok(number(0))
}
