//! Calls of methods that compiled code finds at run time, where a call site has met more shapes than its inline cache
//! holds: visitors, node classes of interpreters, serializers.
//!
//! The entry for the receiver's shape is in the table of recently used entries. Methods that need no arranging of
//! arguments, and attributes in words of the cell, are called by the same few instructions whatever they are; all other
//! calls are made by the runtime.

use abi::{BlockHandler, FrameFlags, RuntimeCall};
use bytecode::CallFlags;
use object::class::call_cache::{
    ATTRIBUTES_OFFSET, CacheRef, ENTRY_OFFSET, KIND_MASK, LEXICAL_SCOPE_OFFSET, PROTECTED, PUBLIC, READ_WORD,
    TARGET_OFFSET, bits_of_kind,
};
use runtime::{
    call::site::{Cached, is_on_self},
    code::tier::Seen,
};

use crate::{
    arguments::is_spread,
    found_callees::{self, Begun, Callee, Given, Takes},
    frames::pass_block,
    ir::Condition,
    ivars,
    joins::Arrivals,
    objects,
    recent_caches::{self, Name},
    registers::Kind,
    seam::{Block, Ssa},
    sends,
    sites::Site,
    translate::Translator,
};

/// Which methods a call may call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visible {
    All,
    /// Public ones, and protected ones that self has, too.
    ToSelf,
    Public,
}

/// Whether the call at a word is made on methods that are found at run time.
pub fn are_called(t: &Translator, word: usize, call: &Site) -> bool {
    // A site keeps no entry of a protected method.
    let has_none = call.entries().is_empty();
    let has_many = !call.site.has_settled() || has_none || t.seen(word).has(Seen::FAILED);
    let is_written = call.word.is_some() && call.of_super.is_none() && call.apart.is_none() && call.skipped == 0;
    has_many && is_written && is_plain(call) && !t.may_refine(call.site.name)
}

/// The call that a call of `send` or `public_send` makes, whatever its name is; `None` if that may not be found at run
/// time.
pub fn sent<'a>(t: &Translator, call: Site<'a>, cache: CacheRef) -> Option<Site<'a>> {
    let fits = sends::is_send(cache)
        && call.skipped == 0
        && call.arguments() > 0
        && call.of_super.is_none()
        && is_plain(&call)
        && !t.may_be_refined();
    fits.then_some(Site { word: None, window: call.window + 1, skipped: 1, ..call })
}

/// Whether a call is one of `send` or `public_send` that splats an Array with the name and the arguments.
pub fn is_spread_send(t: &Translator, call: Site, cache: CacheRef) -> bool {
    let takes_list = is_spread(call)
        && call.site.arguments == 1
        && !call.site.flags.has(CallFlags::BLOCK_ARGUMENT)
        && !call.has_block();
    sends::is_send(cache)
        && takes_list
        && call.of_super.is_none()
        && call.site.literal_arguments == 0
        && !t.may_be_refined()
}

/// More elements of a splatted Array are passed on by the runtime.
const MOST_ELEMENTS: u64 = 16;

/// The call of [`is_spread_send`], as [`send`] makes it.
pub fn send_spread(t: &mut Translator, word: usize, call: Site, receiver: Ssa, is_public: bool, otherwise: Block) {
    let list = t.read(call.window + 1);
    let (start, len) = objects::elements_of(t, list);
    let count = t.e.add_constant(len, -1);
    let fits = t.e.compare_constant(Condition::Below, count, MOST_ELEMENTS);
    t.e.require(fits, otherwise);
    // It might be keywords.
    let last = t.e.load_indexed(start, count);
    objects::require_not_hash(t, last, otherwise);
    let name = t.e.load(start, 0);
    let given = Given::Elements { start: t.e.add_constant(start, 8), count };
    call_named(t, word, (call, given), receiver, (Name::Found(name), visible_to_send(is_public)), otherwise);
}

/// Whether the arguments of a call need no arranging.
fn is_plain(call: &Site) -> bool {
    const UNDERSTOOD: u16 = CallFlags::SELF_CALL | CallFlags::VARIABLE | CallFlags::ASSIGNMENT | CallFlags::PUBLIC;
    let owns_arguments = call.site.literal_arguments == 0 && call.site.lent_parameters == 0;
    let passes_own = call.passed_on.is_none() && call.handler.is_none();
    call.flags().0 & !UNDERSTOOD == 0 && owns_arguments && passes_own
}

/// Makes a call that `send` (`is_public`: `public_send`) makes with the name in the first word of its window; goes to
/// `otherwise` for calls that the runtime makes.
pub fn send(t: &mut Translator, word: usize, sent: Site, receiver: Ssa, is_public: bool, otherwise: Block) {
    let name = Name::Found(t.read(sent.window));
    let kind = t.r.kind(sent.window - 1);
    t.write(sent.window, receiver, kind);
    let given = Given::InWindow(sent.arguments());
    call_named(t, word, (sent, given), receiver, (name, visible_to_send(is_public)), otherwise);
}

fn visible_to_send(is_public: bool) -> Visible {
    if is_public { Visible::Public } else { Visible::All }
}

/// Calls the method that is found for the receiver; goes to `otherwise` for calls that the runtime makes.
pub fn call(t: &mut Translator, word: usize, call: Site, receiver: Ssa, otherwise: Block) {
    let name = Name::Known(call.site.name);
    let given = Given::InWindow(call.arguments());
    let visible = match () {
        () if is_on_self(call.site) => Visible::All,
        () if call.site.flags.has(CallFlags::PUBLIC) => Visible::Public,
        () => Visible::ToSelf,
    };
    call_named(t, word, (call, given), receiver, (name, visible), otherwise);
}

fn call_named(
    t: &mut Translator,
    word: usize,
    (call, given): (Site, Given),
    receiver: Ssa,
    (name, visible): (Name, Visible),
    otherwise: Block,
) {
    let (before, level, mut arrivals) = (t.r.state(), t.pushed, Arrivals::default());
    t.require_cell(receiver, otherwise);
    let found = recent_caches::find(t, receiver, name, otherwise);
    let attributes = t.e.load32(found, ATTRIBUTES_OFFSET);
    require_visible(t, visible, receiver, attributes, otherwise);
    if matches!(given, Given::InWindow(0)) && !call.has_block() {
        let (reads, other) = (t.e.block_like_this(), t.e.block_like_this());
        let is_word = t.e.and_constant(attributes, u64::from(READ_WORD));
        t.e.branch(is_word, reads, other);
        t.e.at(reads);
        recent_caches::read_word(t, call, receiver, attributes);
        t.jump_to_join(&mut arrivals, None);
        t.r.restore(before.clone());
        t.e.at(other);
    }
    let not_code = if call.has_block() { otherwise } else { t.e.block_like_this() };
    let kind = t.e.and_constant(attributes, u64::from(KIND_MASK));
    let (first, last) = (u64::from(bits_of_kind(Cached::Simple)), u64::from(bits_of_kind(Cached::Sequence)));
    let distance = t.e.add_constant(kind, -(first as i64));
    let is_code = t.e.compare_constant(Condition::BelowEqual, distance, last - first);
    t.e.require(is_code, not_code);
    run_code(t, word, (call, given), found, otherwise);
    t.jump_to_join(&mut arrivals, None);
    if not_code != otherwise {
        t.r.restore(before);
        t.pushed = level;
        t.e.at(not_code);
        let is_native = t.e.compare_constant(Condition::Equal, kind, u64::from(bits_of_kind(Cached::Native)));
        t.e.require(is_native, otherwise);
        run_native(t, word, (call, given), found);
        t.jump_to_join(&mut arrivals, None);
    }
    let block = t.e.block_like_this();
    t.join_with(block, arrivals, Some(t.r.at(call.destination) as u16));
}

/// Goes to `otherwise` unless a method with these attributes may be called.
fn require_visible(t: &mut Translator, visible: Visible, receiver: Ssa, attributes: Ssa, otherwise: Block) {
    if visible == Visible::All {
        return;
    }
    let is_public = t.e.and_constant(attributes, u64::from(PUBLIC));
    if visible == Visible::Public {
        return t.e.require(is_public, otherwise);
    }
    let (next, other) = (t.e.block_like_this(), t.e.cold_block());
    t.e.branch(is_public, next, other);
    t.e.at(other);
    let is_protected = t.e.and_constant(attributes, u64::from(PROTECTED));
    t.e.require(is_protected, otherwise);
    // An object of the same shape is of the same class, which has the method.
    let me = t.read(0);
    t.require_cell(me, otherwise);
    let [own, shape] = [me, receiver].map(|v| t.e.load32(v, ivars::SHAPE));
    let is_same = t.e.compare(Condition::Equal, own, shape);
    t.e.require(is_same, otherwise);
    t.e.jump(next, &[]);
    t.e.at(next);
}

/// Runs code that takes the arguments as they are, or goes to `otherwise`.
fn run_code(t: &mut Translator, word: usize, (call, given): (Site, Given), found: Ssa, otherwise: Block) {
    let code = target(t, found);
    let callee = Callee::at(t, code, Takes::WithOptional, given, otherwise);
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
    let v = callee.run(t, call, given, &begun, otherwise);
    returned(t, word, call, v, open > 0, block.is_some());
}

/// Runs a native method.
fn run_native(t: &mut Translator, word: usize, (call, given): (Site, Given), found: Ssa) {
    let open = t.open_frames(t.behind(word));
    let row = target(t, found);
    let entry = t.e.load(found, ENTRY_OFFSET);
    let base = t.e.add_constant(t.r.base, t.r.byte(call.window) as i64);
    let count = match given {
        Given::InWindow(count) => t.e.constant(u64::from(count)),
        Given::Elements { start, count } => {
            // There is always room for so many words behind the registers of a frame.
            found_callees::copy(t, (start, count), base);
            count
        }
    };
    let count = t.e.or_constant(count, u64::from(open) << 48);
    let outcome = t.e.call(RuntimeCall::Native, &[t.context, base, entry, row, count]);
    let v = t.value_if_returned(&outcome);
    returned(t, word, call, v, open > 0, true);
}

/// Stores the result of a call. `takes_hold`: the callee can have captured the caller's frame.
fn returned(t: &mut Translator, word: usize, call: Site, v: Ssa, has_open: bool, takes_hold: bool) {
    t.e.store(v, t.r.base, t.r.byte(call.destination));
    t.require_usable_behind(word, has_open, takes_hold);
    let passer = call.passing(t).map(|block| block.by);
    t.forget_call(call.window, passer);
    t.r.note(call.destination, v, Kind::Any);
}

/// The address in an entry. Bit 0 is set there.
fn target(t: &mut Translator, found: Ssa) -> Ssa {
    let target = t.e.load(found, TARGET_OFFSET);
    t.e.add_constant(target, -1)
}
