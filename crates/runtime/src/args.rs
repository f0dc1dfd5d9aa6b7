//! The arguments of a native method, in place on the VM stack.

use abi::{BlockHandler, FrameFlags, Value};

use object::{array::Arr, hash::HashRef, string::Str};

use crate::{Cx, R, convert};

/// Receiver and arguments. The callee's frame keeps them alive; their number was checked against the method's table
/// row.
///
/// If the row declares keywords (`key:` or `**`), they are a Hash at the end, which [`Args::keywords`] returns. For
/// other methods a hash of keywords is an ordinary last argument.
#[derive(Clone, Copy)]
pub struct Args {
    base: *const Value,
    count: u32,
    has_keywords: bool,
}

impl Args {
    /// # Safety
    /// `base` points to the receiver, followed by `count` arguments, alive for the call.
    #[inline(always)]
    pub unsafe fn new(base: *const Value, count: usize, has_keywords: bool) -> Args {
        Args { base, count: count as u32, has_keywords }
    }

    /// The receiver.
    #[inline(always)]
    pub fn me(&self) -> Value {
        // SAFETY: `new`'s contract.
        unsafe { *self.base }
    }

    /// The receiver where it lies, for what borrows from the variable that holds an object.
    #[inline(always)]
    pub fn me_ref(&self) -> &Value {
        // SAFETY: `new`'s contract.
        unsafe { &*self.base }
    }

    /// Argument `i`, which the table row says is required, where it lies.
    #[inline(always)]
    pub fn at_ref(&self, i: usize) -> &Value {
        &self.all()[i]
    }

    /// Number of positional arguments.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.count as usize
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Argument `i`, which the table row says is required.
    #[inline(always)]
    pub fn at(&self, i: usize) -> Value {
        assert!(i < self.count as usize);
        // SAFETY: in range, and alive by `new`'s contract.
        unsafe { *self.base.add(1 + i) }
    }

    /// Argument `i`, or undef when it was not given.
    #[inline(always)]
    pub fn get(&self, i: usize) -> Value {
        if i < self.count as usize { self.at(i) } else { Value::UNDEF }
    }

    /// Argument `i` when it was given.
    #[inline(always)]
    pub fn opt(&self, i: usize) -> Option<Value> {
        if i < self.count as usize { Some(self.at(i)) } else { None }
    }

    /// Argument `i` when it was given and is not nil.
    #[inline(always)]
    pub fn non_nil(&self, i: usize) -> Option<Value> {
        self.opt(i).filter(|v| !v.is_nil())
    }

    /// Argument `i`, which the table row says is required, as a String, by to_str: TypeError where it is none.
    pub fn str(&self, cx: &mut Cx, i: usize) -> R<Str> {
        convert::to_str(cx, self.at(i))
    }

    /// The same as an Array, by to_ary.
    pub fn arr(&self, cx: &mut Cx, i: usize) -> R<Arr> {
        convert::to_ary(cx, self.at(i))
    }

    /// The same as a Hash, by to_hash.
    pub fn hash(&self, cx: &mut Cx, i: usize) -> R<HashRef> {
        convert::to_hash(cx, self.at(i))
    }

    /// All positional arguments. They stay in place on the VM stack for the whole call, whatever runs meanwhile.
    #[inline(always)]
    pub fn all(&self) -> &'static [Value] {
        // SAFETY: `new`'s contract; callers do not keep the slice beyond their own return.
        unsafe { std::slice::from_raw_parts(self.base.add(1), self.count as usize) }
    }

    /// Arguments from `i` on.
    #[inline(always)]
    pub fn from(&self, i: usize) -> &'static [Value] {
        &self.all()[i.min(self.count as usize)..]
    }

    /// The hash of keywords, when some were given and the method's row declares keywords.
    #[inline(always)]
    pub fn keywords(&self) -> Option<Value> {
        // SAFETY: with `has_keywords` the hash follows the positional arguments.
        if self.has_keywords { Some(unsafe { *self.base.add(1 + self.count as usize) }) } else { None }
    }

    /// The block passed to the method.
    #[inline(always)]
    pub fn block(&self, cx: &Cx) -> BlockHandler {
        debug_assert!(cx.frame().flags & FrameFlags::NATIVE != 0);
        cx.frame().scope.block
    }

    /// The block as a Proc, or nil.
    pub fn block_proc(&self, cx: &mut Cx) -> R {
        let block = self.block(cx);
        crate::call::block::to_proc(cx, block)
    }
}
