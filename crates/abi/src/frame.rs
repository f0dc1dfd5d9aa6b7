//! The layout of scopes and frames, shared by frames on the VM stack and environments on the heap.

use crate::Value;

/// The part of a frame that blocks need. A frame begins with one; an environment contains one from its second word on.
/// While the scope's frame is alive `slots` points to its registers, afterwards to the environment's own copy of them.
#[repr(C)]
pub struct Scope {
    /// Register 0 (self) and the following registers.
    pub slots: *mut Value,
    /// The enclosing scope; null for a method, class body or file.
    pub outer: *const Scope,
    /// The lexical scope: where constants are looked up and methods defined.
    pub cref: Value,
    /// The method entry that is running, or nil.
    pub entry: Value,
    /// The block that was passed, see [`BlockHandler`].
    pub block: BlockHandler,
    /// `$~` and `$_`: nil, a MatchData, or an array of both. Only in scopes without an outer one.
    pub special: Value,
    /// The instruction sequence, or nil for a native method.
    pub code: Value,
    /// The environment that this scope moved into, or nil. In a frame that is open itself (see [`Frame::open`]), the
    /// tagged address of the frame's image.
    pub environment: Value,
}

impl Scope {
    /// The scope `depth` levels out.
    ///
    /// # Safety
    /// The scope is alive and has that many enclosing ones.
    #[inline(always)]
    pub unsafe fn out(this: *const Scope, depth: usize) -> *const Scope {
        let mut scope = this;
        for _ in 0..depth {
            // SAFETY: the caller guarantees that the scope is alive and has that many enclosing scopes.
            scope = unsafe { (*scope).outer };
        }
        scope
    }

    /// The scope of the method, file or class that encloses this one, or this one if it is such a scope.
    ///
    /// # Safety
    /// The scope is alive.
    #[inline(always)]
    pub unsafe fn home(this: *const Scope) -> *const Scope {
        let mut scope = this;
        // SAFETY: the chain of a live scope is alive and ends in null.
        unsafe {
            while !(*scope).outer.is_null() {
                scope = (*scope).outer;
            }
        }
        scope
    }
}

/// A block as passed to a method: nil (none), a Proc, a Symbol (`&:name`) or Method, or for a literal block the address
/// of the frame that passes it, tagged as a fixnum so that the collector ignores it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct BlockHandler(pub Value);

impl BlockHandler {
    pub const NONE: BlockHandler = BlockHandler(Value::NIL);

    /// The literal block that `frame` is passing in the call it is making.
    #[inline(always)]
    pub fn literal(frame: *const Frame) -> BlockHandler {
        BlockHandler(Value(frame as u64 | 1))
    }

    #[inline(always)]
    pub fn is_none(self) -> bool {
        self.0.is_nil()
    }

    #[inline(always)]
    pub fn frame(self) -> Option<*mut Frame> {
        if self.0.is_fixnum() { Some((self.0.0 & !1) as *mut Frame) } else { None }
    }
}

/// An activation of a method, block, class body or file.
#[repr(C)]
pub struct Frame {
    pub scope: Scope,
    /// The next word to execute; valid while the frame is not the running one. Null in native frames. While the frame
    /// has open frames above it, the tagged address of what describes them (see [`Frame::open`]).
    pub pc: *const u64,
    /// The child sequence passed as a literal block in the call in progress.
    pub block_code: Value,
    /// Bits of [`FrameFlags`].
    pub flags: u32,
    /// The caller's register that receives the result.
    pub destination: u32,
    /// The number of words from `slots` on that belong to this frame and are scanned.
    pub registers: u32,
    /// The number of *open* frames between this frame and its caller's: frames of bodies that are inlined in compiled
    /// code, for which there is room but whose words were not written before the call. Whoever goes on to the caller
    /// has them written first. The frame of compiled code that compiled code has called may be open as well: only its
    /// `slots` are written, and what tells that it is open, in `environment`.
    pub open: u32,
}

/// Bits of [`Frame::flags`].
pub struct FrameFlags;

impl FrameFlags {
    pub const METHOD: u32 = 1;
    pub const BLOCK: u32 = 2;
    pub const CLASS: u32 = 4;
    pub const TOP: u32 = 8;
    pub const NATIVE: u32 = 16;
    pub const EVAL: u32 = 32;
    /// A block whose `return` and `break` end the block itself.
    pub const LAMBDA: u32 = 64;
    /// Called from native code: when it is popped, the dispatch loop returns.
    pub const ENTRY: u32 = 128;
    /// The last argument is a hash of keywords.
    pub const KEYWORDS: u32 = 256;
    /// The call was written with keywords, perhaps none: a block does not take a single Array apart.
    pub const WITH_KEYWORDS: u32 = 512;
    /// A block that is the body of a method (define_method).
    pub const BMETHOD: u32 = 1024;
    /// Hidden from backtraces.
    pub const HIDDEN: u32 = 2048;
    /// A native method whose return event has already fired.
    pub const RETURN_FIRED: u32 = 8192;
    /// The result of the call is its own receiver (`new`).
    pub const RECEIVER_RESULT: u32 = 4096;

    /// An `initialize` called by a `new` that backtraces show, because it was not called by that name.
    pub const SHOWS_NEW: u32 = 16384;
    /// The Array that the call splats may be read by the callee, but not kept or changed.
    pub const LENT_LIST: u32 = 32768;

    /// For a method of a Ruby half: flags for the parameters that were lent to it, bit i for parameter i.
    #[inline(always)]
    pub const fn lent(parameters: u16) -> u32 {
        (parameters as u32) << 16
    }

    /// The parameters that were lent to the method with these flags, which is not native.
    #[inline(always)]
    pub const fn lent_parameters(flags: u32) -> u16 {
        (flags >> 16) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_have_a_pinned_size() {
        assert_eq!(std::mem::size_of::<Scope>(), 64);
        assert_eq!(std::mem::size_of::<Frame>(), 96);
    }
}
