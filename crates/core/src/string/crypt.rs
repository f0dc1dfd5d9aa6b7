//! crypt.

use object::string::Str;
use runtime::{Args, Cx, R, make};
use text::EncodingId;

/// `crypt(salt) → string`: crypt(3): the receiver hashed by the method named in the salt. ArgumentError for a salt that
/// is too short, SystemCallError for an unknown method.
pub fn crypt(cx: &mut Cx, args: Args) -> R {
    let salt = args.str(cx, 0)?;
    let phrase = Str::of(args.me());
    for s in [phrase, salt] {
        if s.encoding().min_char_len() > 1 {
            return Err(cx.argument_error(&format!("wide char encoding: {}", s.encoding().name())));
        }
    }
    if phrase.contains_byte(0) {
        return Err(cx.argument_error("string contains null byte"));
    }
    let salt = salt.bytes(cx).split(|byte| *byte == 0).next().unwrap_or_default();
    if salt.len() < 2 {
        return Err(cx.argument_error("salt too short (need >=2 bytes)"));
    }
    match host::crypt::crypt(phrase.bytes(cx), salt) {
        Ok(Some(hash)) => Ok(make::string(cx, &hash, EncodingId::BINARY)),
        Ok(None) => Err(cx.not_implemented("crypt() function is unimplemented on this machine")),
        Err(errno) => Err(cx.system_error(errno, "crypt")),
    }
}
