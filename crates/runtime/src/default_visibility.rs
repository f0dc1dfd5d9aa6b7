//! The visibility of methods that are defined without one: `private` without names changes it for the definitions that
//! follow in the same body.

use abi::{Frame, FrameFlags};
use bytecode::Kind;

use crate::{code::code, cref, reflect::outer_scope};

/// The default visibility of methods that a frame defines: that of its lexical scope in class bodies, files and evals,
/// public in methods and the blocks in them. A block that runs with a scope of its own, as in `class_eval`, has that
/// scope's.
pub fn of(frame: &Frame) -> i64 {
    if frame.flags & FrameFlags::METHOD != 0 || lies_in_method(frame) { 0 } else { cref::visibility(frame.scope.cref) }
}

/// Sets the default visibility for the definitions that follow in the frame; methods and the blocks in them have none.
pub fn set(frame: &Frame, visibility: i64) {
    if !lies_in_method(frame) {
        cref::set_visibility(frame.scope.cref, visibility);
    }
}

/// Whether the frame runs a block of a method's body, in the method's lexical scope.
fn lies_in_method(frame: &Frame) -> bool {
    let mut scope = &frame.scope;
    while !scope.code.is_nil() && matches!(code(&scope.code).kind, Kind::Block | Kind::Lambda) {
        match outer_scope(scope) {
            Some(outer) => scope = outer,
            None => return false,
        }
    }
    !scope.code.is_nil() && code(&scope.code).kind == Kind::Method && scope.cref == frame.scope.cref
}
