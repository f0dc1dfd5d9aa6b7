//! [`Call`], the description of a call before its frame is pushed.

use abi::{BlockHandler, FrameFlags, Type, Value};
use object::{
    Sym, cell,
    hash::{BuiltinKeys, HashRef},
};

pub use crate::call_scope::Scope;
use crate::{
    Cx, R,
    code::{code, tier::How},
    keyword_hash,
    window::Window,
};

/// Where a call's keywords are.
#[derive(Clone, Copy)]
pub enum Keywords<'a> {
    None,
    /// A hash that the callee must not change.
    Hash(Value),
    /// A hash that was made for the call: the callee may keep it.
    Own(Value),
    /// Names from the call site; their values lie after the positional arguments.
    Names(&'a [Sym]),
}

impl Keywords<'_> {
    /// The number of words after the positional arguments.
    #[inline(always)]
    pub fn words(&self) -> usize {
        match self {
            Keywords::None => 0,
            Keywords::Hash(_) | Keywords::Own(_) => 1,
            Keywords::Names(names) => names.len(),
        }
    }
}

/// Whether a trailing hash that a splat put onto the stack was flagged by ruby2_keywords, and becomes keywords.
pub fn flagged_keywords(last: Value) -> bool {
    cell::is(last, Type::Hash) && HashRef::of(last).is_ruby2_keywords()
}

/// A call before its frame is pushed: everything but the method or block that is called.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// Receiver (for a block a free word), positional arguments, keywords.
    pub window: Window,
    /// Positional arguments.
    pub count: usize,
    pub keywords: Keywords<'a>,
    /// The block that is passed.
    pub block: BlockHandler,
    /// Bits of [`FrameFlags`] that are set in the callee's frame in addition to those of its kind.
    pub flags: u32,
    /// The caller's register that receives the result.
    pub destination: u32,
    /// The Array of a splat that was made for the call, whose elements are the arguments, or undef: the callee may keep
    /// it. The call may have been changed since: its arguments are to be compared.
    pub list: Value,
}

/// The outcome of starting a call.
#[derive(Clone, Copy)]
pub enum Action {
    /// The call is complete; this is its result.
    Value(Value),
    /// A frame was pushed: the dispatch loop continues there.
    Entered,
}

impl<'a> Call<'a> {
    /// A call with positional arguments only.
    #[inline(always)]
    pub fn positional(window: Window, count: usize, block: BlockHandler, destination: u32) -> Call<'static> {
        Call { window, count, keywords: Keywords::None, block, flags: 0, destination, list: Value::UNDEF }
    }

    /// Copies arguments from Rust above the running frame's registers. The dispatch loop ends when the pushed frame is
    /// popped.
    #[inline]
    pub(super) fn from_rust(
        cx: &mut Cx,
        receiver: Value,
        arguments: &[Value],
        keywords: Option<Value>,
        block: BlockHandler,
    ) -> R<Call<'static>> {
        cx.check_native_stack()?;
        let base = cx.stack_top();
        let count = arguments.len();
        cx.check_stack(base, count + 3)?;
        // SAFETY: room for receiver, arguments and keywords was checked; the words lie above the running frame.
        let window = unsafe { Window::new(base) };
        window.set(0, receiver);
        window.copy_from(1, arguments);
        if let Some(keywords) = keywords {
            window.set(1 + count, keywords);
        }
        let keywords = keywords.map_or(Keywords::None, Keywords::Hash);
        let flags = FrameFlags::ENTRY;
        Ok(Call { window, count, keywords, block, flags, destination: 0, list: Value::UNDEF })
    }

    /// Words after the receiver.
    #[inline(always)]
    pub fn words(&self) -> usize {
        self.count + self.keywords.words()
    }

    /// The positional arguments.
    #[inline(always)]
    pub fn arguments(&self) -> &[Value] {
        self.window.slice(1, self.count)
    }

    /// The same call with its keywords gathered in one hash right after the arguments.
    #[inline]
    pub fn with_hash(&self, cx: &mut Cx) -> R<Call<'static>> {
        let keywords = match self.keywords {
            Keywords::None => Keywords::None,
            Keywords::Hash(hash) => Keywords::Hash(hash),
            Keywords::Own(hash) => Keywords::Own(hash),
            Keywords::Names(names) => {
                let gather = |cx: &mut Cx| hash_of_names(cx, names, self.window, self.count);
                Keywords::Hash(self.keeping_window(cx, gather)?)
            }
        };
        if let Keywords::Hash(hash) | Keywords::Own(hash) = keywords {
            // There was at least one value of a keyword here, so there is room.
            self.window.set(1 + self.count, hash);
        }
        let Call { window, count, block, flags, destination, list, .. } = *self;
        Ok(Call { window, count, keywords, block, flags, destination, list })
    }

    /// The hash of keywords, if they were gathered into one.
    pub(super) fn hash(&self) -> Option<Value> {
        match self.keywords {
            Keywords::Hash(hash) | Keywords::Own(hash) => Some(hash),
            _ => None,
        }
    }

    /// Runs `f` while the words of the window belong to the running frame, which keeps them alive: those of a splat are
    /// above its registers.
    pub(super) fn keeping_window<T>(&self, cx: &mut Cx, f: impl FnOnce(&mut Cx) -> T) -> T {
        let frame = cx.frame;
        if frame.is_null() {
            return f(cx);
        }
        // SAFETY: the running frame is alive, and still is when `f` returns: `f` pops what it pushes.
        unsafe {
            let registers = (*frame).registers;
            let end = self.window.base().add(1 + self.words()).offset_from((*frame).scope.slots) as u32;
            (*frame).registers = registers.max(end);
            let result = f(cx);
            (*frame).registers = registers;
            result
        }
    }
}

impl Action {
    /// The result of a call from Rust: runs the frame that was pushed.
    #[inline(always)]
    pub(super) fn finish(self, cx: &mut Cx) -> R {
        match self {
            Action::Value(v) => Ok(v),
            Action::Entered => {
                cx.entered += 1;
                run_pushed(cx)
            }
        }
    }
}

/// Runs the frame that was pushed by a call from Rust: at once in its compiled code where there is any, else in a
/// dispatch loop.
#[inline]
pub(super) fn run_pushed(cx: &mut Cx) -> R {
    let (own, slots, pc, flags) = {
        let frame = cx.frame();
        (code(&frame.scope.code), frame.scope.slots, frame.pc, frame.flags)
    };
    let is_plain = pc == own.start() && flags & FrameFlags::RECEIVER_RESULT == 0;
    let Some(entry) = own.tier.ready(cx.in_trace()).filter(|_| is_plain) else { return (cx.vm().hooks.run)(cx) };
    // SAFETY: the entry is that of the running frame's code, and these are its registers.
    let (frame, outcome) = unsafe { (cx.frame, (cx.vm().hooks.enter)(cx, slots, 0, entry)) };
    match outcome.how {
        How::Returned => {
            // SAFETY: it was the running one.
            unsafe { cx.pop_returned(frame) };
            Ok(outcome.value)
        }
        How::Exited | How::Abandoned | How::Pushed => (cx.vm().hooks.run)(cx),
        How::Unwinding => (cx.vm().hooks.run_unwinding)(cx),
    }
}

/// A hash of keywords whose values lie after `count` arguments.
pub fn hash_of_names(cx: &mut Cx, names: &[Sym], slots: Window, count: usize) -> R {
    const FEW: usize = 8;
    if names.len() <= FEW {
        let mut pairs = [Value::NIL; 2 * FEW];
        for (i, (name, pair)) in names.iter().zip(pairs.chunks_exact_mut(2)).enumerate() {
            pair.copy_from_slice(&[name.value(), slots.get(1 + count + i)]);
        }
        let made = HashRef::from_pairs(&mut BuiltinKeys(cx.mem()), &pairs[..2 * names.len()]);
        return made.map(HashRef::value).map_err(|error| keyword_hash::raise_table_error(cx, error));
    }
    let made = HashRef::with_capacity(cx, names.len());
    let h = made.map(HashRef::value).map_err(|error| keyword_hash::raise_table_error(cx, error))?;
    for (i, name) in names.iter().enumerate() {
        keyword_hash::store_symbol(cx, h, *name, slots.get(1 + count + i))?;
    }
    Ok(h)
}
