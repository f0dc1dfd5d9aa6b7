//! PTY: pseudo-terminals, and programs that run on them. The methods that yield are in the Ruby half.

use core_classes::io::{data, open};
use host::{Fd, fs, io};
use object::{Known, symbol::table::intern_text};
use runtime::{Args, Cx, Method, R, Value, constants, define, internal, library, make};
use text::encoding::EncodingId;

const SINGLETON: &[Method] =
    &[Method::new("__open", open_pair).private(), Method::new("__terminal", terminal).private()];

pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let module = library::module(cx, object, "PTY")?;
    define::define_singleton_methods(cx, module, SINGLETON);
    internal::load(cx, runtime::ruby_half!("pty/pty"))
}

/// `__open → [master, slave]`: the two sides of a new pseudo-terminal: an IO, and a File that only its owner may write
/// to.
fn open_pair(cx: &mut Cx, _: Args) -> R {
    let pty = device(cx)?;
    if let Err(errno) = fs::chmod(&pty.name, 0o600) {
        let _ = fs::close(pty.master);
        let _ = fs::close(pty.slave);
        return Err(cx.system_error(errno, ""));
    }
    let name = [b"masterpty:", &pty.name[..]].concat();
    let (io, file) = (cx.class(Known::Io), file_class(cx)?);
    let master = stream(cx, io, pty.master, (true, true), &name)?;
    let slave = stream(cx, file, pty.slave, (true, true), &pty.name)?;
    Ok(make::array(cx, &[master, slave]))
}

/// `__terminal → [reader, writer, slave]`: a new pseudo-terminal for a process; the master is one stream for each
/// direction.
fn terminal(cx: &mut Cx, _: Args) -> R {
    let pty = device(cx)?;
    let file = file_class(cx)?;
    let reader = stream(cx, file, pty.master, (true, false), &pty.name)?;
    let slave = stream(cx, file, pty.slave, (true, true), &pty.name)?;
    let copy = match fs::duplicate(pty.master, 3) {
        Ok(copy) => copy,
        Err(errno) => return Err(cx.system_error(errno, "dup()")),
    };
    let writer = stream(cx, file, copy, (false, true), &pty.name)?;
    Ok(make::array(cx, &[reader, writer, slave]))
}

fn device(cx: &mut Cx) -> R<io::PseudoTerminal> {
    open::opened(cx, || io::open_pseudo_terminal(None))
        .map_err(|_| cx.raise(runtime::error::ErrorClass::RuntimeError, "can't get Master/Slave device"))
}

fn file_class(cx: &mut Cx) -> R {
    let (object, name) = (cx.class(Known::Object), intern_text(cx, "File"));
    constants::lookup_from(cx, object, name)
}

fn stream(cx: &mut Cx, class: Value, fd: Fd, (reads, writes): (bool, bool), path: &[u8]) -> R {
    let path = make::string(cx, path, EncodingId::UTF_8);
    let stream = open::make_io(cx, class, fd, reads, writes);
    let own = data::open_data(cx, stream)?;
    own.sync = writes;
    own.path = path;
    Ok(stream)
}
