//! What an IO object holds: a descriptor and its buffers.

use heap::Marker;
use host::Fd;
use object::native::{self, NativeData, Visit};
use runtime::{Cx, R, Value, concurrency::thread::blocking, error::ErrorClass};

/// Bytes held back before they are written.
const WRITE_BUFFER: usize = 8192;

pub struct IoData {
    /// `None` once closed, or before `initialize`.
    pub fd: Option<Fd>,
    pub readable: bool,
    pub writable: bool,
    pub sync: bool,
    pub path: Value,
    pub read_buffer: Vec<u8>,
    pub read_at: usize,
    pub write_buffer: Vec<u8>,
    pub line: i64,
}

impl NativeData for IoData {
    fn trace(&mut self, marker: &mut Marker) {
        marker.visit(&mut self.path);
    }

    fn memsize(&self) -> usize {
        self.read_buffer.capacity() + self.write_buffer.capacity()
    }
}

impl Drop for IoData {
    fn drop(&mut self) {
        if let Some(fd) = self.fd
            && fd.0 > 2
        {
            let _ = write_all(fd, &self.write_buffer);
            let _ = host::fs::close(fd);
        }
    }
}

impl IoData {
    pub fn new(fd: Option<Fd>, readable: bool, writable: bool) -> IoData {
        IoData {
            fd,
            readable,
            writable,
            sync: false,
            path: Value::NIL,
            read_buffer: Vec::new(),
            read_at: 0,
            write_buffer: Vec::new(),
            line: 0,
        }
    }
}

/// The data of an IO that is open; IOError otherwise.
pub fn open_data(cx: &mut Cx, io: Value) -> R<&'static mut IoData> {
    match native::get_mut::<IoData>(cx, io) {
        Some(data) if data.fd.is_some() => Ok(data),
        Some(_) => Err(cx.raise(ErrorClass::IOError, "closed stream")),
        None => Err(cx.raise(ErrorClass::IOError, "uninitialized stream")),
    }
}

fn write_all(fd: Fd, bytes: &[u8]) -> Result<(), host::Errno> {
    let mut done = 0;
    while done < bytes.len() {
        match host::fs::write(fd, &bytes[done..]) {
            Ok(n) => done += n,
            Err(errno) if errno.name() == Some("EINTR") => {}
            Err(errno) => return Err(errno),
        }
    }
    Ok(())
}

/// Writes out what is held back.
pub fn flush(cx: &mut Cx, io: Value) -> R<()> {
    let data = open_data(cx, io)?;
    if data.write_buffer.is_empty() {
        return Ok(());
    }
    let bytes = std::mem::take(&mut data.write_buffer);
    let Some(fd) = data.fd else { return Ok(()) };
    match blocking(cx, move || write_all(fd, &bytes)) {
        Ok(()) => Ok(()),
        Err(errno) => Err(cx.system_error(errno, "")),
    }
}

/// Writes bytes, through the buffer unless the stream is `sync`.
pub fn write(cx: &mut Cx, io: Value, bytes: &[u8]) -> R<()> {
    let data = open_data(cx, io)?;
    if !data.writable {
        return Err(cx.raise(ErrorClass::IOError, "not opened for writing"));
    }
    data.write_buffer.extend_from_slice(bytes);
    if data.sync || data.write_buffer.len() >= WRITE_BUFFER { flush(cx, io) } else { Ok(()) }
}
