//! Paths as arguments.

use host::Errno;
use object::{cell, string::Str};
use runtime::{
    Cx, R, Unwind, Value, call, convert,
    error::{self, ErrorClass},
    make, sym,
};
use text::EncodingId;

/// A String from a path-like argument (`to_path`, `to_str`), without null bytes.
pub fn path_of(cx: &mut Cx, v: Value) -> R {
    let mut v = v;
    if !cell::is(v, abi::Type::String)
        && let Some(path) = call::send_if_responds(cx, v, sym::TO_PATH, &[])?
    {
        v = path;
    }
    let path = convert::to_str(cx, v)?;
    check_encoding(cx, path)?;
    if path.contains_byte(0) {
        return Err(cx.argument_error("path name contains null byte"));
    }
    if cx.vm().default_internal.is_some() { in_file_system(cx, path) } else { Ok(path.value()) }
}

/// The path in the file system's encoding, from which names are converted to the internal encoding; unchanged if it
/// cannot be converted.
fn in_file_system(cx: &mut Cx, path: Str) -> R {
    let (own, target) = (path.encoding(), cx.vm().default_external);
    if own == target || own == EncodingId::BINARY || path.is_ascii() {
        return Ok(path.value());
    }
    let (encode, name) = (object::symbol::table::intern_text(cx, "encode"), make::text(cx, target.name()));
    let converted = call::send_core(cx, path.value(), encode, &[name]);
    let converted = error::rescued(cx, converted, ErrorClass::EncodingError)?;
    Ok(converted.unwrap_or(path.value()))
}

/// Encoding::CompatibilityError for a path in an encoding that is not ASCII-compatible.
pub fn check_encoding(cx: &mut Cx, path: Str) -> R<()> {
    if path.encoding().is_ascii_compatible() {
        return Ok(());
    }
    let name = path.encoding().name();
    let shown = call::inspect_text(cx, path.value())?;
    Err(cx.raise(
        runtime::error::ErrorClass::CompatibilityError,
        &format!("path name must be ASCII-compatible ({name}): {shown}"),
    ))
}

pub fn path_bytes(cx: &mut Cx, v: Value) -> R<Vec<u8>> {
    let path = path_of(cx, v)?;
    Ok(Str::of(path).to_vector())
}

/// "No such file or directory @ rb_sysopen - path"
pub fn failed(cx: &mut Cx, errno: Errno, function: &str, path: &[u8]) -> Unwind {
    let encoding = cx.vm().default_external;
    failed_in(cx, errno, function, path, encoding)
}

/// Like `failed`, for a path in another encoding than the file system's.
pub fn failed_in(cx: &mut Cx, errno: Errno, function: &str, path: &[u8], encoding: EncodingId) -> Unwind {
    if path.is_ascii() || encoding.is_utf8() && std::str::from_utf8(path).is_ok() {
        return cx.system_error(errno, &format!(" @ {function} - {}", memory::lossy_text(path)));
    }
    let unwind = cx.system_error(errno, "");
    let text = format!("{} @ {function} - ", errno.message());
    let message = make::string(cx, &memory::concat(&[text.as_bytes(), path]), encoding);
    match cx.take_exception(unwind) {
        Ok(exception) => {
            object::shape::ivars::set_hidden(cx, exception, runtime::sym::MEMO_MESSAGE, message);
            cx.raise_object(exception)
        }
        Err(unwind) => unwind,
    }
}

/// A path as a String in the file system's encoding.
pub fn string(cx: &mut Cx, bytes: &[u8]) -> Value {
    let encoding = cx.vm().default_external;
    make::string(cx, bytes, encoding)
}

/// A text with a path in it, such as the one of `inspect`, in the path's encoding unless the path is ASCII.
pub fn with_path(cx: &mut Cx, before: &str, path: Str, after: &str) -> Value {
    if path.is_ascii() {
        let path = path.to_text();
        return make::described(cx, &format!("{before}{path}{after}"));
    }
    let bytes = memory::concat(&[before.as_bytes(), path.bytes(cx), after.as_bytes()]);
    make::string(cx, &bytes, path.encoding())
}
