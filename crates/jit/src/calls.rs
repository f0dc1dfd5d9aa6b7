//! Calls from compiled code, in line for the methods that a site has called.

use abi::{FrameFlags, RuntimeCall, Scope, Value};
use bytecode::{CallFlags, Opcode};
use object::{cell, class, class::call_cache::CacheRef};
use runtime::{
    call::site::{Cached, native_row},
    code::{
        Code, IvarPlace,
        exits::{self, Home, InlinedFrame, Reason},
        live_code,
        sites::shape_key,
        tier::Seen,
    },
    instructions::ivars::InShape,
};
use std::{mem::offset_of, rc::Rc};

use crate::{
    arguments::{self, Argument},
    arithmetic::Operand,
    block_arguments::{passes_symbols_as_literals, with_block_argument},
    bodies::{Body, End, Passed, Start},
    closures, found_methods,
    frames::{Around, Begun, image_of, pass_block, push, result_of_call, run},
    ir::Condition,
    ivars,
    joins::Arrivals,
    natives,
    new::{filled, flags_of_new, new, virtual_or_made},
    recent_caches::{self, Name},
    registers::Kind,
    seam::{Block, Ssa},
    sites::Site,
    spreads, supers,
    translate::Translator,
    ways::{self, Case, Receivers, Way, is_direct},
};

/// A call with positional arguments and keywords, perhaps with a literal block: in line for each method that the site
/// has called and whose parameters the arguments fit. False if control does not continue after it.
pub fn call<'a>(t: &mut Translator<'a>, word: usize, call: Site<'a>) -> bool {
    let receiver = (!t.r.is_virtual(call.window)).then(|| t.read(call.window));
    let kind = t.r.kind(call.window);
    let sample = t.sample(Operand::Register(call.window)).and_then(|receiver| sample_of(receiver, &call.entries()));
    let seen = t.seen(word);
    if call.entries().is_empty() && !seen.has(Seen::FAILED) && !seen.has(Seen::REACHED) {
        // The site was never reached.
        let exit = t.exit(word);
        t.e.jump(exit, &[]);
        return false;
    }
    let call = spreads::taken_apart(t, word, call, kind).unwrap_or(call);
    in_line(t, word, call, receiver, kind, true, |t| by_runtime(t, word, call));
    if sample.is_some() {
        t.r.guess(call.destination, sample);
    }
    true
}

/// The site of a call that may be translated in line: with positional arguments, keywords or the elements of an Array,
/// perhaps with a literal block, or passing on the literal block of a body in the unit.
pub fn site<'a>(t: &mut Translator<'a>, word: usize) -> Option<Site<'a>> {
    let mut call = Site::of_call(t.code, word);
    if t.code.instruction(word).op() != Opcode::CallComplex {
        return Some(call);
    }
    let site = call.site;
    call.is_without_keywords = site.flags.has(CallFlags::FORWARDED)
        && t.r.kind(call.window + 1 + site.arguments) == Kind::Constant(Value::NIL);
    let is_spread = arguments::is_spread(call);
    let passes_symbol = site.flags.has(CallFlags::SYMBOL_BLOCK);
    match site.flags.has(CallFlags::BLOCK_ARGUMENT) {
        true => with_block_argument(t, word, call),
        false if passes_symbol && !passes_symbols_as_literals(t) => None,
        false => (!site.keywords().is_empty() || is_spread || passes_symbol).then_some(call),
    }
}

/// A guess at the result of a call: what an attribute reader returns for a receiver, or an instance of the class that a
/// native method's facts name.
fn sample_of(receiver: Value, entries: &[(CacheRef, u32)]) -> Option<Value> {
    let (cache, _) = entries.iter().find(|(_, shape)| shape_key(receiver) == *shape)?;
    match cache.kind() {
        // SAFETY: the shape implies that the object has this word.
        Cached::ReadWord => Some(unsafe { cell::word(receiver, cache.word()) }),
        Cached::Native => native_row(*cache).facts.typical_result(),
        _ => None,
    }
}

/// Translates the methods that a site has called in line; `otherwise` makes all other calls. The result is in the
/// call's destination. `receiver`: `None` if it is an object that is not made. `is_expected`: the receiver is expected
/// to have one of these methods, so that all other calls are exits until one of them happens.
pub fn in_line<'a>(
    t: &mut Translator<'a>,
    word: usize,
    call: Site<'a>,
    receiver: Option<Ssa>,
    kind: Kind,
    is_expected: bool,
    otherwise: impl FnOnce(&mut Translator<'a>),
) {
    if receiver.is_none() && on_virtual(t, word, call) {
        return;
    }
    let receiver = receiver.unwrap_or_else(|| t.read(call.window));
    let entries = call.live_entries(t);
    let all = entries.len();
    let direct: Vec<_> = entries.into_iter().filter(|entry| is_direct(t, call, *entry, kind)).collect();
    let cases = ways::cases(t, word, call, &direct, all, kind);
    // If all methods that were seen are in line, no others are expected: they are exits.
    let is_complete = direct.len() == all && all > 0 && call.site.has_settled();
    let takes_all = cases.iter().any(|case| matches!(case.receivers, Receivers::OfSuper(_)));
    let is_found = cases.iter().any(|case| matches!(case.way, Way::SentFound(..) | Way::SentSpread(_)));
    let is_closed = is_expected && (is_complete && !is_found || takes_all) && !t.seen(word).has(Seen::FAILED);
    if cases.iter().any(|case| case.needs_frames(t, &call)) {
        t.save_behind(word);
    }
    let (level, before, block) = (t.pushed, t.r.state(), t.e.block());
    let others = if is_closed { Others::exits(t, word, call) } else { Others::of_block(t.e.block_like_this()) };
    if let Some(of) = call.of_super {
        supers::require(t, of, others.call);
    }
    let mut arrivals = Arrivals::default();
    // The entry that was found for the receiver, where methods are compared instead of shapes.
    let mut found = None;
    for (n, case) in cases.iter().enumerate() {
        let is_last = is_closed && n + 1 == cases.len();
        let miss = if is_last { others.call } else { t.e.block() };
        // A receiver that is not a cell fits none of the following entries either, so this is tested only once.
        let not_a_cell = match n {
            1.. if cases[n - 1..].iter().all(Case::is_of_cells) => None,
            _ if cases[n..].iter().all(Case::is_of_cells) => Some(others.call),
            _ => Some(miss),
        };
        match &case.receivers {
            Receivers::Of(shape) => require_entry(t, call, receiver, (case.cache, *shape), miss, not_a_cell),
            Receivers::CellsOf(shape) => {
                require_cell_of(t, receiver, *shape, miss, not_a_cell);
                require_valid(t, case.cache, *shape, miss);
            }
            Receivers::OfSuper(shape) => require_valid(t, case.cache, *shape, miss),
            Receivers::WithMethod { known } => {
                let not_a_cell = not_a_cell.filter(|_| !t.r.kind(call.window).is_cell());
                let body = recent_caches::body_for_known(t, receiver, known, not_a_cell);
                let name = Name::Known(call.site.name);
                let found = *found.get_or_insert_with(|| recent_caches::find(t, receiver, name, others.call));
                recent_caches::require_method(t, found, case.cache, miss);
                t.e.jump(body, &[]);
                t.e.at(body);
            }
        }
        if let Some(shape) = case.shape().filter(|shape| class::immediate_of_key(*shape).is_none())
            && matches!(t.r.kind(call.window), Kind::Any | Kind::Cell)
        {
            t.r.learn_shape(call.window, shape);
        }
        // These words of the window are overwritten before it is certain that the call is made in line. They are
        // restored for the other calls.
        let displaced = match case.way {
            Way::Sent(_) | Way::SentFound(..) | Way::SentSpread(_) => Some((call.window + 1, t.read(call.window + 1))),
            Way::CallProc(_) => Some((call.window, receiver)),
            _ => None,
        };
        let own = displaced.map(|_| Others { call: t.e.cold_block(), no_room: t.e.cold_block() });
        match found {
            Some(found) if matches!(case.way, Way::ReadFound) => {
                recent_caches::read(t, call, receiver, found, others.call);
            }
            _ => one(t, word, call, case, receiver, own.unwrap_or(others)),
        }
        t.jump_to_join(&mut arrivals, None);
        t.r.restore(before.clone());
        t.pushed = level;
        if let (Some(own), Some((register, v))) = (own, displaced) {
            for (from, to) in [(own.call, others.call), (own.no_room, others.no_room)] {
                t.e.at(from);
                t.e.store(v, t.r.base, t.r.byte(register));
                t.e.jump(to, &[]);
            }
        }
        if !is_last {
            t.e.at(miss);
        }
    }
    if !is_closed {
        t.e.jump(others.call, &[]);
        t.e.at(others.call);
        // It takes a hundred operations; the runtime does the same a little slower.
        if !t.tier.is_baseline() && found_methods::are_called(t, word, &call) {
            let slow = t.e.block_like_this();
            found_methods::call(t, word, call, receiver, slow);
            t.jump_to_join(&mut arrivals, None);
            t.r.restore(before);
            t.pushed = level;
            t.e.at(slow);
        }
        otherwise(t);
        t.jump_to_join(&mut arrivals, None);
    }
    t.join_with(block, arrivals, Some(t.r.at(call.destination) as u16));
}

/// Translates a call on an object that is not made, if the method of its shape is known and needs only its words, or is
/// inlined; false otherwise, with nothing emitted.
fn on_virtual<'a>(t: &mut Translator<'a>, word: usize, call: Site<'a>) -> bool {
    let Kind::Shape(shape) = t.r.kind(call.window) else { return false };
    let entry = call.live_entries(t).into_iter().find(|(_, found)| *found == shape);
    let Some(entry) = entry.filter(|entry| is_direct(t, call, *entry, Kind::Shape(shape))) else { return false };
    if call.of_super.is_some() || !t.tier.may_rely() || t.seen(word).has(Seen::FAILED) {
        return false;
    }
    let cases = ways::cases(t, word, call, &[entry], 1, Kind::Shape(shape));
    let [case] = &cases[..] else { return false };
    let place = |word: usize| InShape::At(IvarPlace::inline(word as u16));
    let is_done = match case.way {
        _ if case.needs_frames(t, &call) => false,
        Way::Read => ivars::read_of_virtual(t, call.window, call.destination, place(case.cache.word())),
        Way::ReadVariable(place) => ivars::read_of_virtual(t, call.window, call.destination, place),
        Way::Write => ivars::set_of_virtual(t, call.window, place(case.cache.word()), call.window + 1),
        Way::WriteVariable((_, place)) => ivars::set_of_virtual(t, call.window, place, call.window + 1),
        Way::Inline { .. } => true,
        _ => false,
    };
    if !is_done {
        return false;
    }
    match case.way {
        Way::Inline { code, path } => {
            let exit = t.exit(word);
            let begun = Begun::method(t, case.cache.entry(), FrameFlags::METHOD, call.passing(t));
            let values = arguments::of_inlined(t, call, code, exit);
            inline(t, word, call, code, path, &values, begun);
        }
        Way::Write | Way::WriteVariable(_) => {
            t.r.copy(&mut t.e, t.context, call.window + 1, call.destination);
        }
        _ => {}
    }
    require_valid(t, case.cache, shape, t.leave);
    true
}

/// The blocks to continue at if a call cannot be made in line after all.
#[derive(Clone, Copy)]
pub struct Others {
    /// The arguments do not fit, or an assumption does not hold.
    pub call: Block,
    /// The stack has no room for its frame.
    pub no_room: Block,
}

impl Others {
    fn of_block(call: Block) -> Others {
        Others { call, no_room: call }
    }

    fn exits(t: &mut Translator, word: usize, call: Site) -> Others {
        let state = t.r.state();
        spreads::put_together(t, call);
        let exits = Others { call: t.exit(word), no_room: t.exit_for(word, Reason::LeftToInterpreter) };
        t.r.restore(state);
        exits
    }
}

/// The call by the runtime.
fn by_runtime(t: &mut Translator, word: usize, call: Site) {
    let i = t.code.instruction(word);
    let passer = call.passing(t).map(|block| block.by);
    if matches!(i.op(), Opcode::CallComplex | Opcode::Super) {
        spreads::put_together(t, call);
        t.flush();
        let v = t.call_runtime(RuntimeCall::AnyCall, word);
        t.forget_call(call.window, passer);
        return t.r.note(call.destination, v, Kind::Any);
    }
    let site = &raw const t.code.calls[i.c as usize] as u64;
    t.save_behind(word);
    pass_block(t, call);
    let registers = t.registers();
    let [site, window, destination] = [site, i.b as u64, i.a as u64].map(|bits| t.e.constant(bits));
    let outcome = t.e.call(RuntimeCall::Call, &[t.context, registers, site, window, destination]);
    let v = result_of_call(t, &outcome, call.destination);
    t.require_usable(word, true);
    t.forget_call(call.window, passer);
    t.r.note(call.destination, v, Kind::Any);
}

/// Goes to `miss` unless the receiver has the shape. If the code may not rely on the cache's entry, also tests that the
/// entry is still valid. Goes to `not_a_cell` if the receiver is not a cell; `None` if it is known to be one.
fn require_entry(
    t: &mut Translator,
    call: Site,
    receiver: Ssa,
    (cache, shape): (CacheRef, u32),
    miss: Block,
    not_a_cell: Option<Block>,
) {
    match class::immediate_of_key(shape) {
        None if t.r.kind(call.window) == Kind::Shape(shape) => {}
        None => require_cell_of(t, receiver, shape, miss, not_a_cell),
        Some((mask, bits)) => {
            let tag = t.e.and_constant(receiver, mask);
            let fits = t.e.compare_constant(Condition::Equal, tag, bits);
            t.e.require(fits, miss);
        }
    }
    require_valid(t, cache, shape, miss);
}

/// Goes to `miss` unless the receiver is a cell of the shape.
fn require_cell_of(t: &mut Translator, receiver: Ssa, shape: u32, miss: Block, not_a_cell: Option<Block>) {
    if let Some(not_a_cell) = not_a_cell {
        t.require_cell(receiver, not_a_cell);
    }
    let found = t.e.load32(receiver, ivars::SHAPE);
    let fits = t.e.compare_constant(Condition::Equal, found, u64::from(shape));
    t.e.require(fits, miss);
}

/// Relies on an entry of a cache, or tests it and goes to `miss` if it is not valid any more.
fn require_valid(t: &mut Translator, cache: CacheRef, shape: u32, miss: Block) {
    t.keep_cache(cache);
    t.compares_shape(shape);
    if t.tier.may_rely() {
        return cache.rely();
    }
    // The shape of an invalid entry is one that no object has.
    let cache_at = t.e.constant(cache.value().0);
    let valid = t.e.load32(cache_at, class::call_cache::SHAPE_OFFSET);
    let fits = t.e.compare_constant(Condition::Equal, valid, u64::from(shape));
    t.e.require(fits, miss);
}

/// Translates the call of one entry on a receiver that fits it. The result is in the call's destination. Goes to
/// `others` if the call cannot be made in line.
fn one<'a>(t: &mut Translator<'a>, word: usize, call: Site<'a>, case: &Case<'a>, receiver: Ssa, others: Others) {
    let (block, full) = (call.passing(t), others.call);
    let (cache, way) = (case.cache, &case.way);
    let mut has_open = false;
    let v = match way {
        Way::Read => return ivars::read_word(t, call.destination, receiver, cache.word()),
        Way::Write => {
            ivars::require_open(t, receiver, full);
            let (v, kind) = (t.read(call.window + 1), t.r.kind(call.window + 1));
            t.e.store(v, receiver, 8 * cache.word());
            t.r.store_word(&t.e, receiver, cache.word(), v, kind);
            ivars::barrier(t, receiver, v, kind);
            return t.write(call.destination, v, kind);
        }
        Way::ReadVariable(place) => {
            ivars::require_access(t, *place, |_| full);
            return ivars::read(t, call.destination, receiver, *place);
        }
        Way::WriteVariable(way) => {
            ivars::require_open(t, receiver, full);
            ivars::require_access(t, way.1, |_| full);
            let (v, kind) = (t.read(call.window + 1), t.r.kind(call.window + 1));
            ivars::set_in(t, call.window, receiver, *way, (v, kind));
            return t.write(call.destination, v, kind);
        }
        Way::Native | Way::Shortcut => {
            let row = native_row(cache);
            arguments::own_literals(t, call, call.site.literal_arguments & !row.facts.borrowed);
            let open = t.open_frames(t.behind(word));
            has_open = open > 0;
            let v = native(t, call, cache, open);
            if matches!(way, Way::Shortcut) {
                let is_done = t.e.compare_constant(Condition::NotEqual, v, Value::UNDEF.0);
                t.e.require(is_done, full);
            }
            v
        }
        Way::Inline { code, path } => {
            let begun = Begun::method(t, cache.entry(), FrameFlags::METHOD, block);
            let values = arguments::of_inlined(t, call, code, full);
            return inline(t, word, call, code, *path, &values, begun);
        }
        Way::InlineNew { of, code, path } => {
            let entry = virtual_or_made(t, word, call, *of, full);
            let begun = Begun::method(t, entry, flags_of_new(call), block);
            let values = arguments::of_inlined(t, call, code, full);
            return inline(t, word, call, code, *path, &values, begun);
        }
        Way::InlineClosure { code, scope, path } => {
            let begun = closures::begun(t, cache.entry(), *scope, call);
            let values = arguments::of_inlined(t, call, code, full);
            return inline(t, word, call, code, *path, &values, begun);
        }
        Way::CallClosure(code, scope) => {
            let begun = closures::begun(t, cache.entry(), *scope, call);
            let values = arguments::of_method(t, call, code, full);
            push(t, call, code, &values, &begun, others.no_room);
            run(t, code, call.window)
        }
        Way::CallProc(known) => closures::call_proc(t, word, call, known, receiver, others),
        Way::Sent(sent) => {
            if let Some(shape) = sent.case.shape() {
                require_valid(t, sent.case.cache, shape, full);
            }
            let kind = t.r.kind(call.window);
            t.write(sent.call.window, receiver, kind);
            return one(t, word, sent.call, &sent.case, receiver, others);
        }
        Way::SentFound(sent, is_public) => {
            return found_methods::send(t, word, *sent, receiver, *is_public, full);
        }
        Way::SentSpread(is_public) => {
            return found_methods::send_spread(t, word, call, receiver, *is_public, full);
        }
        Way::ReadFound => unreachable!("read where the entry is found"),
        Way::NewEmpty(of) => {
            virtual_or_made(t, word, call, *of, full);
            return t.r.copy(&mut t.e, t.context, call.window, call.destination);
        }
        Way::NewFilled(of) => return filled(t, word, call, *of, full),
        Way::Frameless => return frameless(t, word, call, cache, full),
        Way::InLine(which) => return natives::translate(t, call, *which, case.shape(), receiver, full),
        Way::New(of) => new(t, word, call, *of, full),
        Way::Call(code) => {
            let mut begun = Begun::method(t, cache.entry(), FrameFlags::METHOD, block);
            let values = arguments::of_method(t, call, code, full);
            begun.open = t.open_frames(t.behind(word));
            has_open = begun.open > 0;
            push(t, call, code, &values, &begun, others.no_room);
            run(t, code, call.window)
        }
    };
    t.e.store(v, t.r.base, t.r.byte(call.destination));
    let facts = matches!(way, Way::Native | Way::Shortcut).then(|| native_row(cache).facts);
    if !facts.is_some_and(|facts| facts.keeps_assumptions()) {
        // A Ruby method can capture its caller's frame only through a block.
        let takes_hold = block.is_some() || facts.is_some();
        t.require_usable_behind(word, has_open, takes_hold);
    }
    if facts.is_some_and(|facts| facts.keeps_shapes()) {
        t.r.forget_values();
    } else {
        t.forget_call(call.window, block.map(|block| block.by));
    }
    t.r.note(call.destination, v, Kind::Any);
}

/// Calls a native method; returns its result. Memory must be up to date and `pc` set. `open`: how many frames are open.
fn native(t: &mut Translator, call: Site, cache: CacheRef, open: u32) -> Ssa {
    let row = native_row(cache);
    let lent = call.site.literal_arguments & row.facts.borrowed;
    let base = t.e.add_constant(t.r.base, t.r.byte(call.window) as i64);
    let count = u64::from(call.arguments()) | u64::from(lent) << 32 | u64::from(open) << 48;
    t.e.called = row.signature;
    let row = std::ptr::from_ref(row) as u64;
    let [entry, row, count] = [cache.entry().0, row, count].map(|bits| t.e.constant(bits));
    let outcome = t.e.call(RuntimeCall::Native, &[t.context, base, entry, row, count]);
    t.value_if_returned(&outcome)
}

/// Calls a native method that needs no frame, perhaps only if it is given numbers; with a frame if it is given other
/// arguments, and again if it raises.
fn frameless(t: &mut Translator, word: usize, call: Site, cache: CacheRef, full: Block) {
    let row = native_row(cache);
    t.flush();
    t.own_frame();
    t.pushed = t.pushed.max(1);
    let takes_numbers = !row.facts.needs_no_frame(call.arguments() as usize) && row.quick.is_none();
    let by_frame = if takes_numbers { t.e.block_like_this() } else { t.e.cold_block() };
    if takes_numbers {
        for register in (1..=call.arguments()).map(|n| call.window + n) {
            if !t.r.kind(register).is_fixnum() && !t.r.kind(register).is_flonum() {
                let v = t.read(register);
                // The tags of fixnums and flonums.
                let bits = t.e.and_constant(v, 3);
                t.e.require(bits, by_frame);
            }
        }
    }
    t.e.called = row.signature;
    let base = t.e.add_constant(t.r.base, t.r.byte(call.window) as i64);
    let (address, count) = (std::ptr::from_ref(row) as u64, u64::from(call.arguments()));
    let [address, count] = [address, count].map(|bits| t.e.constant(bits));
    let v = t.e.call(RuntimeCall::Frameless, &[t.context, base, address, count])[0];
    let is_done = t.e.compare_constant(Condition::NotEqual, v, Value::UNDEF.0);
    t.e.require(is_done, by_frame);
    let with_frame = |t: &mut Translator| {
        t.save_behind(word);
        let v = native(t, call, cache, 0);
        if row.facts.shortcut {
            let is_done = t.e.compare_constant(Condition::NotEqual, v, Value::UNDEF.0);
            t.e.require(is_done, full);
        }
        Some(v)
    };
    let v = t.either(by_frame, None, |_| Some(v), with_frame).unwrap_or(v);
    t.r.forget_values();
    if !row.facts.keeps_shapes() {
        t.r.forget_shapes();
    }
    t.write(call.destination, v, Kind::Any);
}

/// Inlines the called body. Its arguments are in the window.
pub fn inline<'a>(
    t: &mut Translator<'a>,
    word: usize,
    call: Site<'a>,
    code: &'a Code,
    path: u32,
    values: &[Argument],
    begun: Begun,
) {
    let (home, outside, entry, frame_home) = match begun.around {
        Around::Method { entry } => (None, None, Some(entry), Home::None),
        Around::Closure { scope, entry } => (None, Some(Start::Closure(scope)), Some(entry), Home::None),
        Around::Body(home) => (Some(home), None, t.bodies[home].entry, Home::Inlined(home)),
        Around::Passer { depth, .. } => (None, Some(Start::Passer(depth)), None, Home::Passer(depth)),
        Around::Scope { .. } => unreachable!("Procs are called in frames of their own"),
    };
    let cref = match begun.around {
        Around::Body(home) => t.bodies[home].cref,
        _ => entry.map(|_| Value(image_of(code, &begun, call.destination).0[offset_of!(Scope, cref) / 8])),
    };
    let block = match begun.block {
        // SAFETY: a child of the code of one of the unit's bodies, which keeps it alive.
        Some(block) => Passed::Literal { home: block.by, code: unsafe { live_code(block.code) } },
        None if home.is_some() || outside.is_some() => Passed::Unknown,
        None => Passed::None,
    };
    let offset = t.r.at(call.window) as u16;
    // SAFETY: the word is one of the code.
    let caller_pc = unsafe { t.code.start().add(t.behind(word)) };
    let frame = InlinedFrame {
        below: t.body().frame.clone(),
        number: t.bodies.len(),
        image: image_of(code, &begun, call.destination),
        offset: offset as usize,
        home: frame_home,
        passed_by: begun.block.map(|block| block.by),
        caller_pc,
        caller_block: begun.block.filter(|block| block.is_own).map_or(Value::NIL, |block| block.code),
        call: exits::place(t.body().path, word),
    };
    t.keep(code.own.get());
    let mut body = Body::new(&mut t.e, code);
    (body.offset, body.path, body.block, body.entry) = (offset, path, block, entry);
    (body.home, body.outside, body.cref) = (home, outside, cref);
    body.is_lambda = begun.flags & FrameFlags::BMETHOD != 0;
    body.frame = Some(Rc::new(frame));
    body.gives_receiver = begun.flags & FrameFlags::RECEIVER_RESULT != 0;
    let (block, arrivals) = (t.e.block(), Arrivals::default());
    for (register, value) in (1..).zip(values) {
        if let Some(content) = *value {
            t.r.put(call.window + register, content);
        }
    }
    t.inline(body, values.len(), End { block, arrivals, sample: None, destination: call.destination });
}
