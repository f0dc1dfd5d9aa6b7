//! Calls from compiled code: methods that are Ruby code, blocks and `new` without the runtime between.

use abi::{BlockHandler, Frame, FrameFlags, RuntimeCall, Scope, Type, Value};
use bytecode::Opcode;
use cranelift_codegen::ir::condcodes::IntCC;
use object::{cell, class, class::call_cache::CacheRef, method_entry};
use runtime::{
    Cx,
    call::{
        block,
        site::{Cached, callee, native_row},
    },
    code::{
        CallSite, Code, code,
        sites::shape_key,
        tier::{FrameImage, Seen},
    },
    frame,
    method_table::Special,
};
use std::mem::offset_of;

use crate::{
    arithmetic::Operand,
    instruction, objects,
    registers::{self, Kind},
    runtime_calls,
    seam::{Block, Ssa},
    translate::Translator,
};

/// A call that is translated.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    site: &'a CallSite,
    /// The register of the receiver; the arguments follow.
    pub window: u16,
    /// The register of the result.
    destination: u16,
}

impl<'a> Site<'a> {
    /// The site of the call instruction at a word.
    fn of_call(t: &Translator<'a>, word: usize) -> Site<'a> {
        let i = t.code.instruction(word);
        Site { site: &t.code.calls[i.c as usize], window: i.b, destination: i.a }
    }

    /// The site behind the operator at a word.
    pub fn of_operator(t: &Translator<'a>, word: usize) -> Site<'a> {
        let (i, extension) = (t.code.instruction(word), t.code.operands(word + 1));
        let is_jump = instruction::is_compared_jump(i.op());
        let destination = if is_jump { extension.a } else { i.a };
        Site { site: &t.code.calls[extension.bc() as usize], window: extension.a, destination }
    }

    /// Has the site of an operator called methods that are done in line?
    pub fn takes_objects(&self) -> bool {
        self.entries()
            .iter()
            .any(|(cache, _)| cache.kind() != Cached::Native && is_direct(self.site, *cache, Kind::Any))
    }

    fn entries(&self) -> Vec<(CacheRef, u32)> {
        self.site.entries().filter_map(|cache| Some((cache, cache.shape()?))).collect()
    }
}

/// A call of positional arguments, perhaps with a literal block: in line for each method that the site has called and
/// that needs no arranging of arguments. False where control does not go on behind it.
pub fn call(t: &mut Translator, word: usize) -> bool {
    let call = Site::of_call(t, word);
    let receiver = t.read(call.window);
    let kind = t.r.kind(call.window);
    let sample = t.sample(Operand::Register(call.window)).and_then(|receiver| sample_of(receiver, &call.entries()));
    t.flush();
    let seen = t.seen(word);
    if call.entries().is_empty() && !seen.has(Seen::FAILED) && !seen.has(Seen::REACHED) {
        // The site was never reached.
        let exit = t.exit(word);
        t.e.jump(exit, &[]);
        return false;
    }
    if t.code.instruction(word).op() == Opcode::CallBlock {
        let child = call.site.block as usize;
        let place = t.e.constant(t.code.children[child].as_ptr() as u64);
        let body = t.e.load(place, 0);
        t.e.store(body, t.frame, offset_of!(Frame, block_code));
    }
    let result = in_line(t, word, call, receiver, kind, |t| by_runtime(t, word));
    t.r.note(call.destination, result, Kind::Any);
    t.r.guess(call.destination, sample);
    true
}

/// What an attribute reader would give for a receiver.
fn sample_of(receiver: Value, entries: &[(CacheRef, u32)]) -> Option<Value> {
    let (cache, _) = entries.iter().find(|(_, shape)| shape_key(receiver) == *shape)?;
    // SAFETY: the shape implies that the object has this word.
    (cache.kind() == Cached::ReadWord).then(|| unsafe { cell::word(receiver, cache.word()) })
}

/// The methods that a site has called in line; `otherwise` gives the result for all others. Gives the result, which is
/// stored in the call's register where a method in line gave it. What registers hold is forgotten.
pub fn in_line<'a>(
    t: &mut Translator<'a>,
    word: usize,
    call: Site<'a>,
    receiver: Ssa,
    kind: Kind,
    otherwise: impl FnOnce(&mut Translator<'a>) -> Ssa,
) -> Ssa {
    let entries = call.entries();
    let all = entries.len();
    let direct: Vec<_> = entries.into_iter().filter(|(cache, _)| is_direct(call.site, *cache, kind)).collect();
    // Where all that was seen is done in line nothing else is expected.
    let is_call = matches!(t.code.instruction(word).op(), Opcode::Call | Opcode::CallBlock);
    let is_closed = is_call && direct.len() == all && !t.seen(word).has(Seen::FAILED) && all > 0;
    let (join, result) = t.e.join();
    let full = t.e.cold_block();
    for (n, (cache, shape)) in direct.iter().enumerate() {
        let is_last = is_closed && n + 1 == all;
        let miss = if is_last { t.exit(word) } else { t.e.block() };
        require_entry(t, receiver, *cache, *shape, miss);
        let v = one(t, word, call, *cache, receiver, kind, full);
        t.e.store(v, t.r.base, 8 * call.destination as usize);
        if !matches!(cache.kind(), Cached::ReadWord | Cached::WriteWord) {
            t.require_usable();
        }
        t.e.jump(join, &[v]);
        if !is_last {
            t.e.at(miss);
        }
    }
    if !is_closed {
        t.e.jump(full, &[]);
    }
    t.e.at(full);
    let v = otherwise(t);
    t.e.jump(join, &[v]);
    t.e.at(join);
    t.forget_clobbered(call.window);
    result
}

/// The call by the runtime; gives its result.
fn by_runtime(t: &mut Translator, word: usize) -> Ssa {
    let i = t.code.instruction(word);
    let site = &raw const t.code.calls[i.c as usize] as u64;
    t.save_behind(word);
    let [site, window, destination] = [site, i.b as u64, i.a as u64].map(|bits| t.e.constant(bits));
    let outcome = t.e.call(RuntimeCall::Call, &[t.context, t.r.base, site, window, destination]);
    t.value_of(&outcome)
}

/// Can what the cache's entry says be done in line?
fn is_direct(site: &CallSite, cache: CacheRef, receiver: Kind) -> bool {
    let has_block = site.block_child().is_some();
    match cache.kind() {
        Cached::Simple => site.literal_arguments == 0 && site.arguments == callee(cache).parameters.required,
        Cached::ReadWord => site.arguments == 0 && !has_block,
        Cached::WriteWord => site.arguments == 1 && !has_block,
        Cached::Native => site.literal_arguments == 0 && !has_block,
        // Of the Ruby half: its native shortcut takes no block.
        Cached::Shortcut => {
            let entry = cache.entry();
            has_block && site.literal_arguments == 0 && {
                let body = code(method_entry::body(entry));
                body.simple && site.arguments == body.parameters.required
            }
        }
        Cached::Special => !has_block && constructor(site, cache, receiver).is_some(),
        _ => false,
    }
}

/// Goes to `miss` unless the receiver has the shape and the cache's entry is still right.
fn require_entry(t: &mut Translator, receiver: Ssa, cache: CacheRef, shape: u32, miss: Block) {
    match class::immediate_of_key(shape) {
        None => {
            registers::require_heap(&mut t.e, receiver, miss);
            let found = t.e.load32(receiver, 4);
            let fits = t.e.compare_constant(IntCC::Equal, found, u64::from(shape));
            t.e.require(fits, miss);
        }
        Some((mask, bits)) => {
            let tag = t.e.and_constant(receiver, mask);
            let fits = t.e.compare_constant(IntCC::Equal, tag, bits);
            t.e.require(fits, miss);
        }
    }
    // Invalid entries have a shape of their own.
    let cache_at = t.e.constant(cache.value().0);
    let valid = t.e.load32(cache_at, class::call_cache::SHAPE_OFFSET);
    let fits = t.e.compare_constant(IntCC::Equal, valid, u64::from(shape));
    t.e.require(fits, miss);
    t.keep_cache(cache);
}

/// What one entry says, on a receiver that fits it; gives the result. Goes to `full`, where the runtime makes the call,
/// if it cannot be done here.
fn one(t: &mut Translator, word: usize, call: Site, cache: CacheRef, receiver: Ssa, kind: Kind, full: Block) -> Ssa {
    let window = 8 * call.window as usize;
    match cache.kind() {
        Cached::ReadWord => t.e.load(receiver, 8 * cache.word()),
        Cached::WriteWord => {
            let header = t.e.load(receiver, 0);
            let frozen = t.e.and_constant(header, u64::from(abi::Flags::FROZEN));
            let is_open = t.e.compare_constant(IntCC::Equal, frozen, 0);
            t.e.require(is_open, full);
            let v = t.e.load(t.r.base, window + 8);
            t.e.store(v, receiver, 8 * cache.word());
            let kind = t.r.kind(call.window + 1);
            objects::barrier(t, receiver, v, kind);
            v
        }
        Cached::Native => {
            t.save_behind(word);
            let row = std::ptr::from_ref(native_row(cache)) as u64;
            let base = t.e.add_constant(t.r.base, window as i64);
            let [entry, row, count] =
                [cache.entry().0, row, u64::from(call.site.arguments)].map(|bits| t.e.constant(bits));
            let outcome = t.e.call(RuntimeCall::Native, &[t.context, base, entry, row, count]);
            t.value_if_returned(&outcome)
        }
        Cached::Special => new(t, word, call, cache, kind, full),
        _ => {
            let body = code(method_entry::body(cache.entry()));
            let has_block = call.site.block_child().is_some();
            let begun = Begun::method(t, cache.entry(), FrameFlags::METHOD, has_block);
            push(t, word, call, body, body.parameters.required as usize, &begun, full);
            run(t, body, window)
        }
    }
}

/// The class that `new` is called on and its `initialize`, where that is a plain method or none at all.
fn constructor(site: &CallSite, cache: CacheRef, receiver: Kind) -> Option<(Value, Value)> {
    let Kind::Constant(of) = receiver else { return None };
    if native_row(cache).special != Special::New || site.literal_arguments != 0 || !class::is_module(of) {
        return None;
    }
    let data = class::class_data(of);
    let entry = data.initializer.0;
    let plain = data.instances == Type::Object && data.allocator.0.is_undef() && !entry.is_undef();
    if !plain || method_entry::kind(entry) != method_entry::Kind::Sequence {
        return None;
    }
    let body = code(method_entry::body(entry));
    let fits = body.simple && !body.internal && body.parameters.required == site.arguments;
    fits.then_some((of, entry))
}

/// `new`: the object is made and its `initialize` run here.
fn new(t: &mut Translator, word: usize, call: Site, cache: CacheRef, receiver: Kind, full: Block) -> Ssa {
    let Some((of, entry)) = constructor(call.site, cache, receiver) else {
        unreachable!("only sites with a constructor are done in line")
    };
    let (data, window) = (class::class_data(of), 8 * call.window as usize);
    t.keep(of);
    t.keep(entry);
    // Redefining `initialize` empties the class's slot.
    let slot = t.e.constant(&raw const data.initializer as u64);
    let found = t.e.load(slot, 0);
    let same = t.e.compare_constant(IntCC::Equal, found, entry.0);
    t.e.require(same, full);
    t.save_behind(word);
    let [ty, shape] = [data.instances as u64, u64::from(data.root_shape.0)].map(|bits| t.e.constant(bits));
    let made = t.e.call(RuntimeCall::NewObject, &[t.context, ty, shape]);
    let object = t.value_if_returned(&made);
    t.e.store(object, t.r.base, window);
    let body = code(method_entry::body(entry));
    let begun = Begun::method(t, entry, FrameFlags::METHOD | FrameFlags::RECEIVER_RESULT, false);
    // Where there is no room for the frame the window must be as it was.
    let (no_room, go_on) = (t.e.cold_block(), t.e.block());
    push(t, word, call, body, body.parameters.required as usize, &begun, no_room);
    t.e.jump(go_on, &[]);
    t.e.at(no_room);
    let class = t.e.constant(of.0);
    t.e.store(class, t.r.base, window);
    t.e.jump(full, &[]);
    t.e.at(go_on);
    run(t, body, window);
    t.e.load(t.r.base, window)
}

/// What a new frame begins with, besides what its code says.
struct Begun {
    /// The scope around a block: its address, its cref and its entry, and where the method's are known these two.
    around: Around,
    has_block: bool,
    flags: u32,
}

enum Around {
    Method { cref: Value, entry: Value },
    Block { home: Ssa },
}

impl Begun {
    /// As `call::frames::method` has it.
    fn method(t: &mut Translator, entry: Value, flags: u32, has_block: bool) -> Begun {
        t.keep(entry);
        Begun { around: Around::Method { cref: method_entry::cref(entry), entry }, has_block, flags }
    }
}

/// Pushes a frame that has `given` arguments in its registers; the rest of them become nil.
fn push(t: &mut Translator, word: usize, call: Site, callee: &Code, given: usize, begun: &Begun, slow: Block) {
    let window = 8 * call.window as usize;
    let registers = callee.registers as usize;
    let base = t.e.add_constant(t.r.base, window as i64);
    let end = t.e.add_constant(base, frame::room_for(registers) as i64);
    let fits = t.e.compare(IntCC::UnsignedLessThanOrEqual, end, t.frame);
    t.e.require(fits, slow);
    let here = t.e.stack_pointer();
    let limit = t.e.load(t.context, offset_of!(Cx, native_limit));
    let fits = t.e.compare(IntCC::UnsignedGreaterThan, here, limit);
    t.e.require(fits, slow);
    t.save_behind(word);
    if given + 1 < registers {
        let nil = t.e.constant(Value::NIL.0);
        for register in 1 + given..registers {
            t.e.store(nil, t.r.base, window + 8 * register);
        }
    }
    let new = t.e.add_constant(t.frame, -(size_of::<Frame>() as i64));
    let image = image_of(callee, begun, call.destination);
    let image = t.keep_image(image);
    t.keep(callee.own.get());
    let image = t.e.constant(image);
    t.e.copy(image, new, size_of::<Frame>());
    t.e.store(base, new, SCOPE + offset_of!(Scope, slots));
    if begun.has_block {
        // A literal block is known by the frame that passes it, tagged.
        let handler = t.e.add_constant(t.frame, 1);
        t.e.store(handler, new, SCOPE + offset_of!(Scope, block));
    }
    if let Around::Block { home } = begun.around {
        t.e.store(home, new, SCOPE + offset_of!(Scope, outer));
        for place in [offset_of!(Scope, cref), offset_of!(Scope, entry)] {
            let v = t.e.load(home, place);
            t.e.store(v, new, SCOPE + place);
        }
    }
    t.e.store(new, t.context, offset_of!(Cx, frame));
}

const SCOPE: usize = offset_of!(Frame, scope);

/// The words of the frame that are known beforehand.
fn image_of(callee: &Code, begun: &Begun, destination: u16) -> FrameImage {
    let (cref, entry) = match begun.around {
        Around::Method { cref, entry } => (cref, entry),
        Around::Block { .. } => (Value::NIL, Value::NIL),
    };
    let mut image = FrameImage::default();
    let mut set = |offset: usize, word: u64| image[offset / 8] = word;
    set(SCOPE + offset_of!(Scope, cref), cref.0);
    set(SCOPE + offset_of!(Scope, entry), entry.0);
    set(SCOPE + offset_of!(Scope, block), BlockHandler::NONE.0.0);
    set(SCOPE + offset_of!(Scope, special), Value::NIL.0);
    set(SCOPE + offset_of!(Scope, code), callee.own.get().0);
    set(SCOPE + offset_of!(Scope, environment), Value::NIL.0);
    set(offset_of!(Frame, pc), callee.start() as u64);
    set(offset_of!(Frame, block_code), Value::NIL.0);
    set(offset_of!(Frame, flags), u64::from(begun.flags) | u64::from(destination) << 32);
    set(offset_of!(Frame, registers), callee.registers as u64);
    image
}

// One word holds both.
const _: () = assert!(offset_of!(Frame, destination) == offset_of!(Frame, flags) + 4 && cfg!(target_endian = "little"));

/// `yield` to a literal block, by the shortest way if it is the one that is passed now.
pub fn yield_to(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let site = &t.code.calls[i.c as usize];
    let call = Site::of_call(t, word);
    if site.flags.0 != 0 {
        return t.runtime(RuntimeCall::AnyCall, word);
    }
    t.flush();
    let Some((body, given)) = passed(t, site) else {
        let v = yield_by_runtime(t, word, call);
        t.forget_clobbered(call.window);
        return t.r.note(i.a, v, Kind::Any);
    };
    let slow = t.e.cold_block();
    let (join, result) = t.e.join();
    let scope = t.scope_out(site.depth as usize);
    let handler = t.e.load(scope, offset_of!(Scope, block));
    let is_literal = t.e.and_constant(handler, 1);
    t.e.require(is_literal, slow);
    let home = t.e.add_constant(handler, -1);
    let found = t.e.load(home, offset_of!(Frame, block_code));
    let same = t.e.compare_constant(IntCC::Equal, found, body.own.get().0);
    t.e.require(same, slow);
    let begun = Begun { around: Around::Block { home }, has_block: false, flags: FrameFlags::BLOCK };
    push(t, word, call, body, given, &begun, slow);
    let slots = t.e.load(home, offset_of!(Scope, slots));
    let me = t.e.load(slots, 0);
    t.e.store(me, t.r.base, 8 * i.b as usize);
    let v = run(t, body, 8 * i.b as usize);
    t.e.store(v, t.r.base, 8 * i.a as usize);
    t.require_usable();
    t.e.jump(join, &[v]);
    t.e.at(slow);
    let v = yield_by_runtime(t, word, call);
    t.e.jump(join, &[v]);
    t.e.at(join);
    t.forget_clobbered(call.window);
    t.r.note(i.a, result, Kind::Any);
}

/// `yield` to whatever is passed; gives its result.
fn yield_by_runtime(t: &mut Translator, word: usize, call: Site) -> Ssa {
    t.save_behind(word);
    let site = std::ptr::from_ref(call.site) as u64;
    let words = [site, u64::from(call.window), u64::from(call.destination)].map(|bits| t.e.constant(bits));
    let [site, window, destination] = words;
    let outcome = t.e.call(RuntimeCall::Yield, &[t.context, t.r.base, site, window, destination]);
    t.value_of(&outcome)
}

/// The literal block that is passed now to the method around the running frame, and how many of the values it takes;
/// `None` unless it takes them as they are. As `call::block::enter_simple` has it.
fn passed(t: &Translator, site: &CallSite) -> Option<(&'static Code, usize)> {
    let count = site.arguments as usize;
    let handler = t.passed_block(site.depth as usize);
    handler.frame()?;
    let target = block::target(handler)?;
    let body = code(target.body);
    let required = body.parameters.required as usize;
    if body.parameters.packed && count == 1 {
        return Some((body, 1));
    }
    let fits = body.simple && (count == required || count != 1 || required < 2);
    fits.then_some((body, count.min(required)))
}

/// Runs the frame that was pushed; gives its result, which the caller stores before it asks whether this code may still
/// be used. What is called is the compiled code of the callee, or the stub that
/// runs the frame in the interpreter.
fn run(t: &mut Translator, callee: &Code, window: usize) -> Ssa {
    let stub = runtime_calls::address(RuntimeCall::RunFrame);
    let place = t.e.constant(callee.tier.callee_address(stub) as u64);
    let address = t.e.load(place, 0);
    let base = t.e.add_constant(t.r.base, window as i64);
    let start = t.e.constant(0);
    let signature = t.e.signature(3, 2);
    let outcome = t.e.call_address(signature, address, &[t.context, base, start]);
    let (done, other) = (t.e.block(), t.e.cold_block());
    let (join, result) = t.e.join();
    t.e.branch(outcome[1], other, done);
    t.e.at(done);
    t.e.jump(join, &[outcome[0]]);
    t.e.at(other);
    let settled = t.e.call(RuntimeCall::Settle, &[t.context, outcome[0], outcome[1]]);
    let v = t.value_if_returned(&settled);
    t.e.jump(join, &[v]);
    t.e.at(join);
    result
}
