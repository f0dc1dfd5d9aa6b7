//! Arguments that are string literals: borrowed where the callee keeps nothing of them, a String of their own
//! elsewhere.

use abi::{Flags, Type};
use object::{cell, string::Str};

use super::{Window, native};
use crate::{Cx, code::CallSite};

/// Literal arguments that the callee may keep or show get a String of their own; `borrowed`: those that it does not, as
/// [`crate::method_table::Facts::borrowed`] has it.
#[inline(never)]
pub fn unshare(cx: &mut Cx, site: &CallSite, window: Window, borrowed: u16) {
    // A trace point's block may keep or change what it is shown.
    let mask = if native::calls_are_traced(cx) { site.literal_arguments } else { site.literal_arguments & !borrowed };
    for n in (0..16).filter(|n| mask & (1 << n) != 0) {
        let word = if n == 15 { 0 } else { 1 + n };
        let literal = window.get(word);
        if cell::is(literal, Type::String) {
            // Literals with a magic comment are not passed this way.
            let fresh = Str::of(literal).dup_with(cx, Flags::CHILLED).value();
            window.set(word, fresh);
        }
    }
}
