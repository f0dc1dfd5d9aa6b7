//! Copies of iterators for single blocks.
//!
//! An iterator of the Ruby half, such as `each`, is compiled in full for the block that it is passed at that time; a
//! literal one is inlined in it. It calls the blocks of all other loops of the program in frames of their own. A long
//! loop continues in a copy of the iterator instead: a code object with the same instructions to which only the loop's
//! block is passed, and which is compiled with that block inlined. The caller need not be compiled for that. The
//! iterators are hidden from programs, which therefore cannot tell which code object runs.

use abi::{BlockHandler, Value};
use runtime::{Cx, call::block, code::live_code, link};

use crate::{
    ir::Condition,
    seam::{Block, Ssa},
    translate::Translator,
};

/// So many calls of one block in a row are made before an existing copy takes over. Changing to it costs about as much
/// as ten of these calls.
const LONG: u32 = 32;
/// So many calls of one block in a row are made before a copy is made.
const VERY_LONG: u32 = 400;

/// Counts a call of a block by the iterator that runs, whose `pc` is behind its `yield`. True if the frame shall
/// continue in the interpreter at the `yield`, in a copy of the iterator for this block.
#[inline(always)]
pub fn continues_in_copy(cx: &mut Cx, handler: BlockHandler) -> bool {
    let Some(body) = block::target(handler).map(|target| target.body) else { return false };
    let repeated = &mut cx.vm_mut().repeated_yields;
    if repeated.0 != body.0 {
        *repeated = (body.0, 0);
    }
    repeated.1 = repeated.1.saturating_add(1);
    matches!(repeated.1, LONG | VERY_LONG) && change(cx, body)
}

/// [`continues_in_copy`] in compiled code; goes to `otherwise`, without counting the call, where that would have the
/// iterator change to a copy.
pub fn count(t: &mut Translator, body: Ssa, otherwise: Block) {
    let repeated = &t.cx.vm().repeated_yields;
    let addresses = [&raw const repeated.0 as u64, &raw const repeated.1 as u64];
    let [known, times] = addresses.map(|address| t.e.constant(address));
    let before = t.e.load(known, 0);
    let is_same = t.e.compare(Condition::Equal, before, body);
    let [counted, none] = [t.e.load32(times, 0), t.e.constant(0)];
    let counted = t.e.select(is_same, counted, none);
    let counted = t.e.add_constant(counted, 1);
    for changes in [LONG, VERY_LONG] {
        let goes_on = t.e.compare_constant(Condition::NotEqual, counted, u64::from(changes));
        t.e.require(goes_on, otherwise);
    }
    t.e.store(body, known, 0);
    t.e.store32(counted, times, 0);
}

#[cold]
fn change(cx: &mut Cx, body: Value) -> bool {
    // SAFETY: the running frame keeps its code alive.
    let own = unsafe { live_code(cx.frame().scope.code) };
    if !own.internal || own.tier.is_baseline() || cx.vm().trace_events != 0 {
        return false;
    }
    let known = own.tier.copy_for(body);
    let made = |cx: &mut Cx| {
        let copy = (cx.vm().repeated_yields.1 == VERY_LONG).then(|| link::copy(cx, own)).flatten()?;
        own.tier.keep_copy(body, copy);
        cx.remember(own.own.get());
        // SAFETY: the record of the iterator keeps the copy.
        unsafe { live_code(copy) }.tier.compile_in_full();
        Some(copy)
    };
    let Some(copy) = known.or_else(|| made(cx)) else { return false };
    let word = own.word_before(cx.frame().pc);
    cx.vm_mut().repeated_yields.1 = 0;
    let frame = cx.frame_mut();
    frame.scope.code = copy;
    // SAFETY: the frame keeps the copy alive, which has the same words.
    frame.pc = unsafe { live_code(copy).start().add(word) };
    true
}
