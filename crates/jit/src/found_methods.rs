//! Calls of methods that compiled code finds at run time, where a call site has met more shapes than its inline cache
//! holds: visitors, node classes of interpreters, serializers.
//!
//! The entry for the receiver's shape is in the table of recently used entries. Methods that need no arranging of
//! arguments, and attributes in words of the cell, are called by the same few instructions whatever they are; all other
//! calls are made by the runtime.

use abi::{BlockHandler, FrameFlags};
use bytecode::CallFlags;
use object::class::call_cache::{
    ATTRIBUTES_OFFSET, ENTRY_OFFSET, LEXICAL_SCOPE_OFFSET, PUBLIC, READ_WORD, SIMPLE, TARGET_OFFSET,
};
use runtime::{call::site::is_on_self, code::tier::Seen};

use crate::{
    calls::Site,
    found_callees::{Begun, Callee, Takes},
    frames::pass_block,
    joins::Arrivals,
    recent_caches,
    registers::{self, Kind},
    seam::Ssa,
    translate::Translator,
};

/// Whether the call at a word is made on methods that are found at run time.
pub fn are_called(t: &Translator, word: usize, call: &Site) -> bool {
    const UNDERSTOOD: u16 = CallFlags::SELF_CALL | CallFlags::VARIABLE | CallFlags::ASSIGNMENT | CallFlags::PUBLIC;
    let site = call.site;
    let is_plain = site.flags.0 & !UNDERSTOOD == 0 && site.literal_arguments == 0 && site.lent_parameters == 0;
    let passes_own = call.passed_on.is_none() && call.handler.is_none();
    let is_written = call.word.is_some() && call.of_super.is_none() && call.apart.is_none() && call.skipped == 0;
    let has_many = !site.has_settled() || t.seen(word).has(Seen::FAILED);
    has_many && is_plain && passes_own && is_written && !t.may_be_refined()
}

/// Calls the method that is found for the receiver. Continues in a block for all other calls, with the registers as
/// they are now.
pub fn call(t: &mut Translator, word: usize, call: Site, receiver: Ssa, arrivals: &mut Arrivals) {
    let (before, level, slow) = (t.r.state(), t.pushed, t.e.block_like_this());
    registers::require_cell(&mut t.e, receiver, slow);
    let found = recent_caches::find(t, receiver, call.site.name, slow);
    let attributes = t.e.load32(found, ATTRIBUTES_OFFSET);
    if !is_on_self(call.site) {
        let is_public = t.e.and_constant(attributes, u64::from(PUBLIC));
        t.e.require(is_public, slow);
    }
    if call.arguments() == 0 && !call.has_block() {
        let (reads, other) = (t.e.block_like_this(), t.e.block_like_this());
        let is_word = t.e.and_constant(attributes, u64::from(READ_WORD));
        t.e.branch(is_word, reads, other);
        t.e.at(reads);
        recent_caches::read_word(t, call, receiver, attributes);
        t.jump_to_join(arrivals, None);
        t.r.restore(before.clone());
        t.e.at(other);
    }
    let is_simple = t.e.and_constant(attributes, u64::from(SIMPLE));
    t.e.require(is_simple, slow);
    // Bit 0 of the address is set.
    let target = t.e.load(found, TARGET_OFFSET);
    let code = t.e.add_constant(target, -1);
    let callee = Callee::at(t, code, Takes::All, call.arguments(), slow);
    let block = call.passing(t);
    let (open, handler) = match block {
        Some(passing) => {
            t.save_behind(word);
            pass_block(t, call);
            let passer = t.frame_of(passing.by);
            (0, t.e.add_constant(passer, 1))
        }
        None => (t.open_frames(t.behind(word)), t.e.constant(BlockHandler::NONE.0.0)),
    };
    let [entry, cref] = [ENTRY_OFFSET, LEXICAL_SCOPE_OFFSET].map(|offset| t.e.load(found, offset));
    let [outer, flags] = [0, u64::from(FrameFlags::METHOD)].map(|bits| t.e.constant(bits));
    let begun = Begun { outer, cref, entry, block: handler, flags, open };
    let v = callee.run(t, call, &begun, slow);
    t.e.store(v, t.r.base, t.r.byte(call.destination));
    match open > 0 {
        true => t.require_usable_behind_open(word, false),
        false => t.require_usable(word, block.is_some()),
    }
    t.forget_call(call.window, block.map(|block| block.by));
    t.r.note(call.destination, v, Kind::Any);
    t.jump_to_join(arrivals, None);
    t.r.restore(before);
    t.pushed = level;
    t.e.at(slow);
}
