//! Copying from one descriptor to another inside of the kernel, for `IO.copy_stream`.

use host::{Fd, fs::FileKind, io::Events};
use runtime::{
    Args, Cx, R, Value,
    concurrency::{pending, scheduler},
    convert,
};

use super::data;

/// The most bytes of one call: signals are handled in between.
const MOST: usize = 1 << 30;

/// `__copy_in_kernel(target, length) → integer`: copies bytes, at most `length`, as far as the system can do that for
/// these streams, and returns their number. What is buffered for reading is copied first.
pub fn copy_in_kernel(cx: &mut Cx, args: Args) -> R {
    let (source, target) = (args.me(), args.at(0));
    let length = match args.non_nil(1) {
        Some(length) => usize::try_from(convert::to_i64(cx, length)?).unwrap_or(0),
        None => usize::MAX,
    };
    let is_plain = {
        let reads_plain = data::reader(cx, source)?.timeout.is_nil();
        let to = data::writer(cx, target)?;
        reads_plain && !to.crlf && !to.cr && to.timeout.is_nil()
    };
    let Some(from) = file_of(cx, source)? else { return Ok(Value::fixnum(0)) };
    if !is_plain || scheduler::current(cx).is_some() {
        return Ok(Value::fixnum(0));
    }
    let waiting = data::reader(cx, source)?.take(length);
    data::write(cx, target, &waiting)?;
    data::flush(cx, target)?;
    let mut copied = waiting.len();
    let mut is_file_to_file = file_of(cx, target)?.is_some();
    while copied < length {
        let data = data::open_data(cx, target)?;
        let to = data.writer.or(data.fd).unwrap_or(Fd(-1));
        let count = (length - copied).min(MOST);
        let outcome = data::blocking_on(cx, target, || match is_file_to_file {
            true => host::fs::copy_file_range(from, None, to, None, count),
            false => host::fs::send_file(from, None, to, count),
        })?;
        match outcome {
            // The file may be one whose length the system does not know: the caller reads on.
            Ok(0) => break,
            Ok(count) => copied += count,
            Err(errno) if data::is_interrupted(errno) => pending::check_blocking(cx)?,
            Err(errno) if errno.would_block() => data::wait_in_time(cx, target, to, Events::WRITABLE)?,
            Err(_) if is_file_to_file => is_file_to_file = false,
            // The caller reads and writes, and reports errors.
            Err(_) => break,
        }
        data::fd_of(cx, source)?;
    }
    Ok(Value::fixnum(copied as i64))
}

/// The descriptor of a stream if it is an ordinary file.
fn file_of(cx: &mut Cx, io: Value) -> R<Option<Fd>> {
    let data = data::open_data(cx, io)?;
    let fd = data.fd.filter(|_| data.writer.is_none());
    let is_file = |fd: &Fd| host::fs::fstat(*fd).is_ok_and(|status| status.kind() == Some(FileKind::File));
    Ok(fd.filter(is_file))
}
