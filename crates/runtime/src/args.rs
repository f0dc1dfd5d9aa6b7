//! The arguments of a native method, in place on the VM stack.

use abi::{BlockHandler, FrameFlags, Value};

use object::array::Arr;

use crate::{Cx, make};

/// Receiver and arguments. The callee's frame keeps them alive; their number was checked against the method's table
/// row.
///
/// If the row declares keywords (`key:` or `**`), they are a Hash at the end, which [`Args::keywords`] returns. For
/// other methods a hash of keywords is an ordinary last argument.
#[derive(Clone, Copy)]
pub struct Args<'a> {
    base: *const Value,
    count: u32,
    has_keywords: bool,
    frame: std::marker::PhantomData<&'a [Value]>,
}

impl<'a> Args<'a> {
    /// # Safety
    /// `base` points to the receiver, followed by `count` arguments, alive and unchanged for `'a`, the call.
    #[inline(always)]
    pub unsafe fn new(base: *const Value, count: usize, has_keywords: bool) -> Args<'a> {
        Args { base, count: count as u32, has_keywords, frame: std::marker::PhantomData }
    }

    /// The receiver.
    #[inline(always)]
    pub fn me(&self) -> Value {
        // SAFETY: `new`'s contract.
        unsafe { *self.base }
    }

    /// The receiver by reference, for data that borrows from the variable that holds an object.
    #[inline(always)]
    pub fn me_ref(&self) -> &'a Value {
        // SAFETY: `new`'s contract.
        unsafe { &*self.base }
    }

    /// Argument `i` by reference; the table row says that it is required.
    #[inline(always)]
    pub fn at_ref(&self, i: usize) -> &'a Value {
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

    /// All positional arguments. They stay in place on the VM stack for the whole call, whatever runs meanwhile.
    ///
    /// ```compile_fail
    /// fn kept(args: runtime::Args) -> &'static [runtime::Value] {
    ///     args.all()
    /// }
    /// ```
    #[inline(always)]
    pub fn all(&self) -> &'a [Value] {
        // SAFETY: `new`'s contract.
        unsafe { std::slice::from_raw_parts(self.base.add(1), self.count as usize) }
    }

    /// Arguments from `i` on.
    #[inline(always)]
    pub fn from(&self, i: usize) -> &'a [Value] {
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
}

/// Calls `f` with the present elements of an Array, for instance as arguments for a call. Later changes of the Array do
/// not affect them.
pub fn spread<T>(cx: &mut Cx, list: Arr, f: impl FnOnce(&mut Cx, &[Value]) -> T) -> T {
    const FEW: usize = 8;
    let mut few = [Value::NIL; FEW];
    let len = list.len();
    if len <= FEW {
        few[..len].copy_from_slice(list.elements(cx));
        return f(cx, &few[..len]);
    }
    let copy = Arr::of(make::copy(cx, list));
    // SAFETY: the copy is referred to from this stack only, so that nothing changes it, and lives until `black_box`.
    let result = f(cx, unsafe { copy.unguarded() });
    std::hint::black_box(copy);
    result
}
