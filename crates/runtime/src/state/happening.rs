//! The event that a trace point's block handles.

use abi::{Frame, Value};

use super::frame_id::FrameId;
use crate::code::code;

/// The current event while a trace point's block runs. It is on the native stack, where the collector sees its
/// references.
#[derive(Clone, Copy)]
pub struct Happening {
    pub event: u32,
    /// The result, the exception, the code that was compiled, or the method entry.
    pub value: Value,
    /// The source of an eval, or the entry that was replaced.
    pub extra: Value,
    /// The frame in which it occurs; for calls of native methods, the method's frame.
    pub frame: Option<FrameId>,
    /// The code whose path is reported, or nil.
    pub code: Value,
    /// The word of `code` whose line is reported; or `NO_WORD`, and then `line` is reported.
    pub word: u32,
    pub line: i32,
    /// The file of a core method that CRuby writes in Ruby; it comes before that of `code`.
    pub file: Option<&'static str>,
    /// The receiver of a call on the caller's side; undef: the frame's own self.
    pub receiver: Value,
    /// The method entry of such a call, or of the changed method; undef: the frame's.
    pub entry: Value,
    /// The name used in the call.
    pub name: Value,
}

impl Happening {
    pub const NO_WORD: u32 = u32::MAX;

    #[inline(always)]
    pub fn new(event: u32, value: Value, frame: Option<&Frame>, own: Value) -> Happening {
        Happening {
            event,
            value,
            extra: Value::NIL,
            frame: frame.map(FrameId::of),
            code: own,
            word: Happening::NO_WORD,
            line: 0,
            file: None,
            receiver: Value::UNDEF,
            entry: Value::UNDEF,
            name: Value::NIL,
        }
    }

    /// The line that is reported.
    pub fn line(&self) -> i32 {
        if self.word == Happening::NO_WORD || self.code.is_nil() {
            return self.line;
        }
        code(&self.code).event_line(self.word as usize, self.event as u16)
    }
}
