//! Sending and receiving.

use core_classes::io::{data, read};
use host::{
    Fd,
    io::Events,
    socket::{self, Control},
};
use object::array::Arr;
use runtime::{Args, Cx, R, Value, concurrency::pending, convert, error::ErrorClass, make};

use super::{binary, bytes, failed, fd, number, ready};

/// Repeats a call until it does not block; `None` if it would block and `wait` is false.
fn retry_until_ready<T>(
    cx: &mut Cx,
    socket: Value,
    events: Events,
    wait: bool,
    what: &str,
    mut call: impl FnMut(Fd) -> host::Result<T>,
) -> R<Option<T>> {
    loop {
        let fd = fd(cx, socket)?;
        match call(fd) {
            Ok(done) => return Ok(Some(done)),
            Err(errno) if errno.would_block() && !wait => return Ok(None),
            Err(errno) if errno.would_block() => {
                ready(cx, socket, events, None)?;
            }
            Err(errno) if data::is_interrupted(errno) => pending::check_blocking(cx)?,
            Err(errno) => return Err(failed(cx, errno, what)),
        }
    }
}

/// `__send(socket, bytes, flags, address, controls, wait)`: the number of bytes sent; nil if it would block and `wait`
/// is false. The controls are nil or rows `[level, type, data]`.
pub fn send(cx: &mut Cx, args: Args) -> R {
    let (bytes, flags) = (bytes(cx, args.at(1))?, convert::to_i32(cx, args.at(2))?);
    let address = if args.at(3).is_nil() { None } else { Some(self::bytes(cx, args.at(3))?) };
    let controls = controls(cx, args.at(4))?;
    let what = match (&controls, &address) {
        (Some(_), _) => "sendmsg(2)",
        (None, Some(_)) => "sendto(2)",
        (None, None) => "send(2)",
    };
    let sent = retry_until_ready(cx, args.at(0), Events::WRITABLE, args.at(5).truthy(), what, |fd| {
        match (&controls, &address) {
            (Some(controls), _) => socket::send_message(fd, &bytes, flags, address.as_deref(), controls),
            (None, Some(address)) => socket::send_to(fd, &bytes, flags, address),
            (None, None) => socket::send(fd, &bytes, flags),
        }
    })?;
    Ok(sent.map_or(Value::NIL, |count| number(count as i64)))
}

fn controls(cx: &mut Cx, rows: Value) -> R<Option<Vec<Control>>> {
    if rows.is_nil() {
        return Ok(None);
    }
    let mut controls = Vec::new();
    let mut i = 0;
    while let Some(row) = Arr::of(rows).get(i) {
        let cell = |place| Arr::of(row).get(place).unwrap_or(Value::NIL);
        let (level, kind) = (convert::to_i32(cx, cell(0))?, convert::to_i32(cx, cell(1))?);
        controls.push(Control { level, kind, data: bytes(cx, cell(2))? });
        i += 1;
    }
    Ok(Some(controls))
}

fn size(cx: &mut Cx, v: Value) -> R<usize> {
    let length = convert::to_i64(cx, v)?;
    usize::try_from(length).map_err(|_| cx.argument_error("negative string size (or size too big)"))
}

/// Data in the stream's read buffer would be skipped.
fn check_unbuffered(cx: &mut Cx, socket: Value, what: &str) -> R<()> {
    if socket.is_fixnum() || data::open_data(cx, socket)?.waiting().is_empty() {
        return Ok(());
    }
    Err(cx.raise(ErrorClass::IOError, &format!("{what} for buffered IO")))
}

/// Zero bytes: the end of a stream, but an ordinary datagram.
fn is_end(fd: Fd) -> bool {
    socket::kind(fd).is_ok_and(|kind| Some(i64::from(kind)) != socket::constants::number("SOCK_DGRAM"))
}

/// `__receive(socket, length, flags, buffer, wait) → [bytes, address]`; nil at the end, false if it would block and
/// `wait` is false.
pub fn receive(cx: &mut Cx, args: Args) -> R {
    let (length, flags) = (size(cx, args.at(1))?, convert::to_i32(cx, args.at(2))?);
    let buffer = Some(args.at(3));
    read::check_buffer(cx, buffer)?;
    let wait = args.at(4).truthy();
    check_unbuffered(cx, args.at(0), if wait { "recv" } else { "recvfrom" })?;
    let received = retry_until_ready(cx, args.at(0), Events::READABLE, wait, "recvfrom(2)", |fd| {
        socket::receive_bytes(fd, length, flags)
    })?;
    let Some((bytes, address)) = received else { return Ok(Value::FALSE) };
    if bytes.is_empty() && is_end(fd(cx, args.at(0))?) {
        return Ok(Value::NIL);
    }
    let address = binary(cx, &address);
    let bytes = read::deliver(cx, buffer, &bytes)?;
    Ok(make::array(cx, &[bytes, address]))
}

/// `__read(socket, length, buffer)`: the available data, without making the socket non-blocking; nil at the end, false
/// if no data is available.
pub fn read(cx: &mut Cx, args: Args) -> R {
    let length = size(cx, args.at(1))?;
    let buffer = Some(args.at(2));
    read::check_buffer(cx, buffer)?;
    let data = data::reader(cx, args.at(0))?;
    if length == 0 || !data.waiting().is_empty() {
        let bytes = data.take(length);
        return read::deliver(cx, buffer, &bytes);
    }
    let received =
        retry_until_ready(cx, args.at(0), Events::READABLE, false, "", |fd| socket::receive_bytes(fd, length, 0))?;
    let Some((bytes, _)) = received else { return Ok(Value::FALSE) };
    let text = read::deliver(cx, buffer, &bytes)?;
    Ok(if bytes.is_empty() { Value::NIL } else { text })
}

/// `__write(socket, bytes)`: the number of bytes written, without making the socket non-blocking; nil if it would
/// block.
pub fn write(cx: &mut Cx, args: Args) -> R {
    let bytes = bytes(cx, args.at(1))?;
    data::writer(cx, args.at(0))?;
    data::flush(cx, args.at(0))?;
    let sent = retry_until_ready(cx, args.at(0), Events::WRITABLE, false, "", |fd| socket::send(fd, &bytes, 0))?;
    Ok(sent.map_or(Value::NIL, |count| number(count as i64)))
}

/// `__receive_message(socket, length, flags, room, wait) → [bytes, address, flags, [[level, type, data], …]]`; nil at
/// the end, false if it would block and `wait` is false. The caller owns received descriptors.
pub fn receive_message(cx: &mut Cx, args: Args) -> R {
    let (length, flags, room) = (size(cx, args.at(1))?, convert::to_i32(cx, args.at(2))?, size(cx, args.at(3))?);
    check_unbuffered(cx, args.at(0), "recvmsg")?;
    let wait = args.at(4).truthy();
    let received = retry_until_ready(cx, args.at(0), Events::READABLE, wait, "recvmsg(2)", |fd| {
        socket::receive_message_bytes(fd, length, flags, room)
    })?;
    let Some((bytes, received)) = received else { return Ok(Value::FALSE) };
    if bytes.is_empty() && is_end(fd(cx, args.at(0))?) {
        return Ok(Value::NIL);
    }
    let rows = make::array(cx, &[]);
    for control in &received.controls {
        let data = binary(cx, &control.data);
        let row = make::array(cx, &[number(control.level), number(control.kind), data]);
        make::push(cx, rows, row);
    }
    let (bytes, address) = (binary(cx, &bytes), binary(cx, &received.address));
    Ok(make::array(cx, &[bytes, address, number(received.flags), rows]))
}
