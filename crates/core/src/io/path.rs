//! Paths as arguments.

use host::Errno;
use object::{cell, string::Str};
use runtime::{Cx, R, Unwind, Value, call, convert, make, sym};

/// A String from a path-like argument (`to_path`, `to_str`), without null bytes.
pub fn path_of(cx: &mut Cx, v: Value) -> R {
    let mut v = v;
    if !cell::is(v, abi::Type::String)
        && let Some(path) = call::send_if_responds(cx, v, sym::TO_PATH, &[])?
    {
        v = path;
    }
    let path = convert::to_str(cx, v)?;
    if !path.encoding().is_ascii_compatible() {
        let name = path.encoding().name();
        let shown = call::inspect_text(cx, path.value())?;
        return Err(cx.raise(
            runtime::error::ErrorClass::CompatibilityError,
            &format!("path name must be ASCII-compatible string ({name}): {shown}"),
        ));
    }
    if path.contains_byte(0) {
        return Err(cx.argument_error("string contains null byte"));
    }
    Ok(path.value())
}

pub fn path_bytes(cx: &mut Cx, v: Value) -> R<Vec<u8>> {
    let path = path_of(cx, v)?;
    Ok(Str::of(path).to_vector())
}

/// "No such file or directory @ rb_sysopen - path"
pub fn failed(cx: &mut Cx, errno: Errno, function: &str, path: &[u8]) -> Unwind {
    cx.system_error(errno, &format!(" @ {function} - {}", memory::lossy_text(path)))
}

/// A path as a String in the file system's encoding.
pub fn string(cx: &mut Cx, bytes: &[u8]) -> Value {
    let encoding = cx.vm().default_external;
    make::string(cx, bytes, encoding)
}
