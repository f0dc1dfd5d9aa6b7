//! Ruby's errors for excessive sizes and for exhausted memory.

use memory::Grow;
use object::payload::Exhausted;

use crate::{Cx, R};

/// `count` zero bytes of native memory as a read buffer; NoMemoryError rather than an abort.
pub fn zeros(cx: &mut Cx, count: usize) -> R<Vec<u8>> {
    let mut bytes = Vec::new();
    if bytes.try_reserve_exact(count).is_err() {
        return Err(cx.no_memory());
    }
    bytes.set_length(count, 0);
    Ok(bytes)
}

/// Converts excessive sizes and exhausted memory to Ruby's errors.
pub trait OrRaise<T> {
    /// ArgumentError "argument too big" for absurd sizes, NoMemoryError for exhausted memory.
    fn or_raise(self, cx: &mut Cx) -> R<T>;
}

impl<T> OrRaise<T> for Result<T, Exhausted> {
    #[inline(always)]
    fn or_raise(self, cx: &mut Cx) -> R<T> {
        match self {
            Ok(v) => Ok(v),
            Err(e) => Err(raise_exhausted(cx, e)),
        }
    }
}

#[cold]
fn raise_exhausted(cx: &mut Cx, e: Exhausted) -> crate::Unwind {
    match e {
        Exhausted::TooBig => cx.argument_error("argument too big"),
        Exhausted::OutOfMemory => cx.no_memory(),
    }
}
