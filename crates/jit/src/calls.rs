//! Calls from compiled code: methods that are Ruby code, blocks and `new` without the runtime between.

use abi::{BlockHandler, Frame, FrameFlags, RuntimeCall, Scope, Type, Value};
use bytecode::Opcode;
use object::{Known, cell, class, class::call_cache::CacheRef, method_entry};
use runtime::{
    Cx,
    call::{
        block,
        site::{Cached, callee, native_row},
    },
    code::{
        CallSite, Code, code,
        exits::{self, FrameImage, Home, InlinedFrame, Reason},
        live_code,
        sites::shape_key,
        tier::{How, Seen},
    },
    frame,
    method_table::Special,
};
use std::{mem::offset_of, rc::Rc};

use crate::{
    arguments::{self, Argument, arrange},
    arithmetic::Operand,
    backend,
    bodies::{Body, End, OuterScope, Passed, Place},
    instruction,
    ir::{Condition, Convention, Origin, Pinned},
    joins::Arrivals,
    objects,
    registers::{self, Kind},
    seam::{Block, Ssa},
    translate::Translator,
};

/// A call that is translated.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    pub site: &'a CallSite,
    /// The register of the receiver; the arguments follow.
    pub window: u16,
    /// The register of the result.
    pub destination: u16,
}

impl<'a> Site<'a> {
    /// The site of the call instruction at a word of a code.
    pub fn of_call(code: &'a Code, word: usize) -> Site<'a> {
        let i = code.instruction(word);
        Site { site: &code.calls[i.c as usize], window: i.b, destination: i.a }
    }

    /// The site behind the operator at a word.
    pub fn of_operator(t: &Translator<'a>, word: usize) -> Site<'a> {
        let (i, extension) = (t.code.instruction(word), t.code.operands(word + 1));
        let is_jump = instruction::is_compared_jump(i.op());
        let destination = if is_jump { extension.a } else { i.a };
        Site { site: &t.code.calls[extension.bc() as usize], window: extension.a, destination }
    }

    /// Has the site called readers and writers of attributes, and nothing else?
    pub fn is_of_attributes(&self) -> bool {
        let entries = self.entries();
        let is_attribute = |cache: &CacheRef| matches!(cache.kind(), Cached::ReadWord | Cached::WriteWord);
        !entries.is_empty() && entries.iter().all(|(cache, _)| is_attribute(cache))
    }

    /// Has the site of an operator called methods that are done in line? Native methods of basic types are what the
    /// operator does anyway.
    pub fn takes_objects(&self, opcode: Opcode) -> bool {
        use Opcode::{CaseEqual, Compare, Index, Match};
        let is_basic = |shape: u32| {
            let of = |known: Known| known.root_shape().0 == shape;
            let is_string = of(Known::String) && opcode != Index;
            let is_number = class::immediate_of_key(shape).is_some() && opcode != Index;
            let is_basic = is_number || is_string || [Known::Array, Known::Hash, Known::Float].into_iter().any(of);
            is_basic && !matches!(opcode, CaseEqual | Compare | Match)
        };
        self.entries().iter().any(|(cache, shape)| {
            (cache.kind() != Cached::Native || !is_basic(*shape)) && is_direct(self.site, *cache, Kind::Any)
        })
    }

    fn entries(&self) -> Vec<(CacheRef, u32)> {
        self.site.entries().filter_map(|cache| Some((cache, cache.shape()?))).collect()
    }
}

/// A call of positional arguments, perhaps with a literal block: in line for each method that the site has called and
/// that needs no arranging of arguments. False where control does not go on behind it.
pub fn call(t: &mut Translator, word: usize) -> bool {
    let call = Site::of_call(t.code, word);
    let receiver = t.read(call.window);
    let kind = t.r.kind(call.window);
    let sample = t.sample(Operand::Register(call.window)).and_then(|receiver| sample_of(receiver, &call.entries()));
    let seen = t.seen(word);
    if call.entries().is_empty() && !seen.has(Seen::FAILED) && !seen.has(Seen::REACHED) {
        // The site was never reached.
        let exit = t.exit(word);
        t.e.jump(exit, &[]);
        return false;
    }
    in_line(t, word, call, receiver, kind, |t| by_runtime(t, word, call));
    if sample.is_some() {
        t.r.guess(call.destination, sample);
    }
    true
}

/// What an attribute reader would give for a receiver, or a native method that says what it gives.
fn sample_of(receiver: Value, entries: &[(CacheRef, u32)]) -> Option<Value> {
    let (cache, _) = entries.iter().find(|(_, shape)| shape_key(receiver) == *shape)?;
    match cache.kind() {
        // SAFETY: the shape implies that the object has this word.
        Cached::ReadWord => Some(unsafe { cell::word(receiver, cache.word()) }),
        Cached::Native => native_row(*cache).facts.typical_result(),
        _ => None,
    }
}

/// The methods that a site has called in line; `otherwise` makes all other calls. Gives the result, which all of them
/// leave in the call's register.
pub fn in_line<'a>(
    t: &mut Translator<'a>,
    word: usize,
    call: Site<'a>,
    receiver: Ssa,
    kind: Kind,
    otherwise: impl FnOnce(&mut Translator<'a>),
) -> Ssa {
    let entries = call.entries();
    let all = entries.len();
    let direct: Vec<_> = entries.into_iter().filter(|(cache, _)| is_direct(call.site, *cache, kind)).collect();
    // Where all that was seen is done in line nothing else is expected.
    let is_call = matches!(t.code.instruction(word).op(), Opcode::Call | Opcode::CallBlock | Opcode::CallComplex);
    let is_closed = is_call && direct.len() == all && !t.seen(word).has(Seen::FAILED) && (1..4).contains(&all);
    let ways: Vec<_> =
        direct.iter().enumerate().map(|(n, (cache, _))| way(t, word, n, all, call, *cache, kind)).collect();
    let needs_pc = |way: &Way| match way {
        Way::Call(_) | Way::Native | Way::Shortcut | Way::New(_) => true,
        Way::Inline { code, .. } | Way::InlineNew { code, .. } => code.parameters.rest.is_some(),
        Way::Read | Way::Write | Way::Frameless => false,
    };
    if call.site.literal_arguments != 0 || ways.iter().any(needs_pc) {
        t.save_behind(word);
    }
    let (level, before) = (t.up, t.r.state());
    let (block, full) = (t.e.block(), if is_closed { t.e.cold_block() } else { t.e.block_like_this() });
    let mut arrivals = Arrivals::default();
    for (n, ((cache, shape), way)) in direct.iter().zip(&ways).enumerate() {
        let is_last = is_closed && n + 1 == all;
        let miss = if is_last { t.exit(word) } else { t.e.block() };
        require_entry(t, call, receiver, *cache, *shape, miss);
        if class::immediate_of_key(*shape).is_none() && t.r.kind(call.window) == Kind::Any {
            t.r.learn(call.window, Kind::Shape(*shape));
        }
        one(t, word, call, *cache, receiver, way, full);
        t.jump_to_join(&mut arrivals, None);
        t.r.restore(before.clone());
        t.up = level;
        if !is_last {
            t.e.at(miss);
        }
    }
    if !is_closed {
        t.e.jump(full, &[]);
    }
    t.e.at(full);
    otherwise(t);
    t.jump_to_join(&mut arrivals, None);
    t.join_with(block, arrivals, Some(t.r.at(call.destination) as u16));
    t.read(call.destination)
}

/// The call by the runtime.
fn by_runtime(t: &mut Translator, word: usize, call: Site) {
    let i = t.code.instruction(word);
    let has_block = call.site.block_child().is_some();
    if i.op() == Opcode::CallComplex {
        t.flush();
        let v = t.call_runtime(RuntimeCall::AnyCall, word);
        t.forget_call(call.window, has_block);
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
    t.forget_call(call.window, has_block);
    t.r.note(call.destination, v, Kind::Any);
}

/// Notes in the frame, which exists, the literal block that the call passes.
fn pass_block(t: &mut Translator, call: Site) {
    if let Some(child) = call.site.block_child() {
        let place = t.e.constant(t.code.children[child].as_ptr() as u64);
        let body = t.e.load(place, 0);
        let frame = t.frame();
        t.e.store(body, frame, offset_of!(Frame, block_code));
    }
}

/// How an entry of a site is done in line.
enum Way<'a> {
    Read,
    Write,
    Native,
    /// A native method that needs no frame.
    Frameless,
    /// A native shortcut, which leaves some calls to the method's Ruby half.
    Shortcut,
    /// The frame of a method is pushed.
    Call(&'a Code),
    Inline {
        code: &'a Code,
        path: u32,
    },
    /// An object of the class is made, and its `initialize` called.
    New(Value),
    InlineNew {
        of: Value,
        code: &'a Code,
        path: u32,
    },
}

/// The way of an entry that [`is_direct`].
fn way<'a>(t: &Translator<'a>, word: usize, n: usize, all: usize, call: Site, cache: CacheRef, kind: Kind) -> Way<'a> {
    let (path, offset) = (t.path_to(word, n), t.r.at(call.window));
    let small = match all {
        1 => LARGE,
        2 => SMALL,
        _ => TINY,
    };
    match cache.kind() {
        Cached::ReadWord => Way::Read,
        Cached::WriteWord => Way::Write,
        Cached::Native => {
            let row = native_row(cache);
            let count = call.site.arguments as usize;
            let is_frameless =
                call.site.literal_arguments == 0 && row.facts.needs_no_frame(count) && row.accepts(count);
            if is_frameless { Way::Frameless } else { Way::Native }
        }
        Cached::Shortcut if call.site.block_child().is_none() => Way::Shortcut,
        Cached::Special => {
            let Some((of, entry)) = constructor(call.site, cache, kind) else {
                unreachable!("only sites with a constructor are done in line")
            };
            // SAFETY: an entry of this kind keeps its code alive, and its site the entry.
            let code = unsafe { live_code(method_entry::body(entry)) };
            match t.may_inline(code, word, path, offset, small) {
                true => Way::InlineNew { of, code, path },
                false => Way::New(of),
            }
        }
        _ => {
            // SAFETY: an entry of this kind keeps its code alive, and its site the entry.
            let code = unsafe { live_code(method_entry::body(cache.entry())) };
            let most = if call.site.block_child().is_some() { WITH_BLOCK } else { small };
            match t.may_inline(code, word, path, offset, most) {
                true => Way::Inline { code, path },
                false => Way::Call(code),
            }
        }
    }
}

/// So many instructions may a method have that is inlined, one of more than two that a site calls,
const TINY: usize = 12;
/// one of two,
const SMALL: usize = 50;
/// the only one,
const LARGE: usize = 80;
/// and one that gets a literal block.
const WITH_BLOCK: usize = 120;

/// Can what the cache's entry says be done in line?
fn is_direct(site: &CallSite, cache: CacheRef, receiver: Kind) -> bool {
    let (has_block, has_keywords) = (site.block_child().is_some(), !site.keywords().is_empty());
    if site.lent_parameters != 0 {
        return false;
    }
    match cache.kind() {
        // SAFETY: the entry is of such a kind, and its site keeps it alive.
        Cached::Simple | Cached::Sequence => arrange(unsafe { callee(cache) }, site).is_some(),
        Cached::ReadWord => site.arguments == 0 && !has_block && !has_keywords,
        Cached::WriteWord => site.arguments == 1 && !has_block && !has_keywords,
        Cached::Native => !has_block && !has_keywords,
        // Of the Ruby half: its native shortcut takes no block.
        Cached::Shortcut if has_block => arrange(code(&method_entry::body(cache.entry())), site).is_some(),
        Cached::Shortcut => !has_keywords && native_row(cache).accepts(site.arguments as usize),
        Cached::Special => constructor(site, cache, receiver).is_some(),
        _ => false,
    }
}

/// Goes to `miss` unless the receiver has the shape and the cache's entry is still right.
fn require_entry(t: &mut Translator, call: Site, receiver: Ssa, cache: CacheRef, shape: u32, miss: Block) {
    match class::immediate_of_key(shape) {
        None if t.r.kind(call.window) == Kind::Shape(shape) => {}
        None => {
            registers::require_heap(&mut t.e, receiver, miss);
            let found = t.e.load32(receiver, 4);
            let fits = t.e.compare_constant(Condition::Equal, found, u64::from(shape));
            t.e.require(fits, miss);
        }
        Some((mask, bits)) => {
            let tag = t.e.and_constant(receiver, mask);
            let fits = t.e.compare_constant(Condition::Equal, tag, bits);
            t.e.require(fits, miss);
        }
    }
    // Invalid entries have a shape of their own.
    let cache_at = t.e.constant(cache.value().0);
    let valid = t.e.load32(cache_at, class::call_cache::SHAPE_OFFSET);
    let fits = t.e.compare_constant(Condition::Equal, valid, u64::from(shape));
    t.e.require(fits, miss);
    t.keep_cache(cache);
}

/// What one entry says, on a receiver that fits it; the result is in the call's register then. Goes to `full`, where
/// the runtime makes the call, if it cannot be done here.
fn one<'a>(
    t: &mut Translator<'a>,
    word: usize,
    call: Site<'a>,
    cache: CacheRef,
    receiver: Ssa,
    way: &Way<'a>,
    full: Block,
) {
    let has_block = call.site.block_child().is_some();
    let v = match way {
        Way::Read => {
            let v = t.e.load(receiver, 8 * cache.word());
            return t.write(call.destination, v, Kind::Any);
        }
        Way::Write => {
            let header = t.e.load(receiver, 0);
            let frozen = t.e.and_constant(header, u64::from(abi::Flags::FROZEN));
            let is_open = t.e.compare_constant(Condition::Equal, frozen, 0);
            t.e.require(is_open, full);
            let (v, kind) = (t.read(call.window + 1), t.r.kind(call.window + 1));
            t.e.store(v, receiver, 8 * cache.word());
            objects::barrier(t, receiver, v, kind);
            return t.write(call.destination, v, kind);
        }
        Way::Native | Way::Shortcut => {
            let row = native_row(cache);
            arguments::own_literals(t, call, call.site.literal_arguments & !row.facts.borrowed);
            t.flush();
            let v = native(t, call, cache);
            if matches!(way, Way::Shortcut) {
                let is_done = t.e.compare_constant(Condition::NotEqual, v, Value::UNDEF.0);
                t.e.require(is_done, full);
            }
            v
        }
        Way::Inline { code, path } => {
            let begun = Begun::method(t, cache.entry(), FrameFlags::METHOD, has_block);
            let values = arguments::of_method(t, call, code);
            return inline(t, word, call, code, *path, &values, begun);
        }
        Way::InlineNew { of, code, path } => {
            let entry = made(t, word, call, *of, full);
            let begun = Begun::method(t, entry, FrameFlags::METHOD | FrameFlags::RECEIVER_RESULT, has_block);
            let values = arguments::of_method(t, call, code);
            return inline(t, word, call, code, *path, &values, begun);
        }
        Way::Frameless => return frameless(t, word, call, cache),
        Way::New(of) => new(t, word, call, *of, full),
        Way::Call(code) => {
            let begun = Begun::method(t, cache.entry(), FrameFlags::METHOD, has_block);
            let values = arguments::of_method(t, call, code);
            push(t, call, code, &values, &begun, full);
            run(t, code, call.window)
        }
    };
    t.e.store(v, t.r.base, t.r.byte(call.destination));
    let facts = matches!(way, Way::Native | Way::Shortcut).then(|| native_row(cache).facts);
    if !facts.is_some_and(|facts| facts.keeps_assumptions()) {
        // A Ruby method takes hold of its caller's frame by a block alone.
        t.require_usable(word, has_block || facts.is_some());
    }
    if facts.is_some_and(|facts| facts.keeps_shapes()) {
        t.r.forget_values();
    } else {
        t.forget_call(call.window, has_block);
    }
    t.r.note(call.destination, v, Kind::Any);
}

/// Calls a native method; gives its result. Memory is up to date, `pc` is set.
fn native(t: &mut Translator, call: Site, cache: CacheRef) -> Ssa {
    let row = native_row(cache);
    let lent = call.site.literal_arguments & row.facts.borrowed;
    let base = t.e.add_constant(t.r.base, t.r.byte(call.window) as i64);
    let count = u64::from(call.site.arguments) | u64::from(lent) << 32;
    let row = std::ptr::from_ref(row) as u64;
    let [entry, row, count] = [cache.entry().0, row, count].map(|bits| t.e.constant(bits));
    let outcome = t.e.call(RuntimeCall::Native, &[t.context, base, entry, row, count]);
    t.value_if_returned(&outcome)
}

/// Calls a native method that needs no frame, and again with one if it raises.
fn frameless(t: &mut Translator, word: usize, call: Site, cache: CacheRef) {
    let row = native_row(cache);
    t.flush();
    let (level, before) = (t.up, t.r.state());
    let base = t.e.add_constant(t.r.base, t.r.byte(call.window) as i64);
    let (address, count) = (std::ptr::from_ref(row) as u64, u64::from(call.site.arguments));
    let [address, count] = [address, count].map(|bits| t.e.constant(bits));
    let v = t.e.call(RuntimeCall::Frameless, &[t.context, base, address, count])[0];
    let raised = t.e.cold_block();
    let is_done = t.e.compare_constant(Condition::NotEqual, v, Value::UNDEF.0);
    t.e.require(is_done, raised);
    let mut arrivals = Arrivals::default();
    t.jump_to_join(&mut arrivals, Some(v));
    t.r.restore(before);
    t.up = level;
    t.e.at(raised);
    t.save_behind(word);
    let v = native(t, call, cache);
    t.jump_to_join(&mut arrivals, Some(v));
    let block = t.e.block();
    let joined = t.join(block, arrivals);
    t.r.forget_values();
    if !row.facts.keeps_shapes() {
        t.r.forget_shapes();
    }
    t.write(call.destination, joined.and_then(|joined| joined.result).unwrap_or(v), Kind::Any);
}

/// Translates the called body here. Its arguments are in the window.
fn inline<'a>(
    t: &mut Translator<'a>,
    word: usize,
    call: Site<'a>,
    code: &'a Code,
    path: u32,
    values: &[Argument],
    begun: Begun,
) {
    let current = t.current();
    let (home, passed_to, cref, frame_home) = match begun.around {
        Around::Method { cref, .. } => (None, None, Some(cref), Home::None),
        Around::Body(home) => (Some(home), None, t.bodies[home].cref, Home::Inlined(home)),
        Around::Passer { depth, .. } => (None, Some(depth), None, Home::Passer(depth)),
    };
    let passed = call.site.block_child().map(|child| t.code.children[child].get()).filter(|_| begun.has_block);
    let block = match passed {
        // SAFETY: a child of the unit's code, which keeps it alive.
        Some(block) => Passed::Literal { home: current, code: unsafe { live_code(block) } },
        None if home.is_some() || passed_to.is_some() => Passed::Unknown,
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
        passed_by: passed.map(|_| current),
        caller_pc,
        caller_block: passed.unwrap_or(Value::NIL),
        call: exits::place(t.body().path, word),
    };
    t.keep(code.own.get());
    let mut body = Body::new(&mut t.e, code);
    (body.offset, body.path, body.block, body.cref) = (offset, path, block, cref);
    (body.home, body.passed_to) = (home, passed_to);
    body.frame = Some(Rc::new(frame));
    body.gives_receiver = begun.flags & FrameFlags::RECEIVER_RESULT != 0;
    let (block, arrivals) = (t.e.block(), Arrivals::default());
    for (register, value) in (1..).zip(values) {
        if let Some((v, kind)) = *value {
            t.write(call.window + register, v, kind);
        }
    }
    t.inline(body, values.len(), End { block, arrivals, sample: None, destination: call.destination });
}

/// The class that `new` is called on and its `initialize`, where that is a plain method or none at all.
fn constructor(site: &CallSite, cache: CacheRef, receiver: Kind) -> Option<(Value, Value)> {
    let Kind::Constant(of) = receiver else { return None };
    if native_row(cache).special != Special::New || !class::is_module(of) {
        return None;
    }
    // SAFETY: it is a class, which nothing changes while this is compiled.
    let data = unsafe { class::data::live_data(of) };
    let entry = data.initializer.0;
    let allocates = data.instances == Type::Object || !data.allocator.0.is_undef();
    if !allocates || entry.is_undef() || method_entry::kind(entry) != method_entry::Kind::Sequence {
        return None;
    }
    // SAFETY: an entry of this kind keeps its code alive, and the class the entry.
    let body = unsafe { live_code(method_entry::body(entry)) };
    // Of the Ruby half: its native shortcut takes no block.
    let has_shortcut = body.internal && site.block_child().is_none();
    (!has_shortcut && arrange(body, site).is_some()).then_some((of, entry))
}

/// `new`: the object is made and its `initialize` run here.
fn new(t: &mut Translator, word: usize, call: Site, of: Value, full: Block) -> Ssa {
    let entry = made(t, word, call, of, full);
    // SAFETY: `made` keeps the entry alive with the unit.
    let body = unsafe { live_code(method_entry::body(entry)) };
    let has_block = call.site.block_child().is_some();
    let begun = Begun::method(t, entry, FrameFlags::METHOD | FrameFlags::RECEIVER_RESULT, has_block);
    // Where there is no room for the frame the window must be as it was.
    let (no_room, go_on) = (t.e.cold_block(), t.e.block());
    let values = arguments::of_method(t, call, body);
    push(t, call, body, &values, &begun, no_room);
    t.e.jump(go_on, &[]);
    t.e.at(no_room);
    let class = t.e.constant(of.0);
    t.e.store(class, t.r.base, t.r.byte(call.window));
    t.e.jump(full, &[]);
    t.e.at(go_on);
    run(t, body, call.window);
    t.e.load(t.r.base, t.r.byte(call.window))
}

/// Makes an object of a class and puts it into the window; gives the entry of its `initialize`.
fn made(t: &mut Translator, word: usize, call: Site, of: Value, full: Block) -> Value {
    // SAFETY: `constructor` tested that it is a class, which nothing changes while this is compiled.
    let data = unsafe { class::data::live_data(of) };
    let entry = data.initializer.0;
    t.keep(of);
    t.keep(entry);
    // Redefining `initialize` empties the class's slot.
    let slot = t.e.constant(&raw const data.initializer as u64);
    let found = t.e.load(slot, 0);
    let same = t.e.compare_constant(Condition::Equal, found, entry.0);
    t.e.require(same, full);
    t.save_behind(word);
    let made = if data.allocator.0.is_undef() {
        let [ty, shape] = [data.instances as u64, u64::from(data.root_shape.0)].map(|bits| t.e.constant(bits));
        t.e.call(RuntimeCall::NewObject, &[t.context, ty, shape])
    } else {
        let class = t.e.constant(of.0);
        t.e.call(RuntimeCall::Allocate, &[t.context, class])
    };
    let object = t.value_if_returned(&made);
    t.r.forget_values();
    let kind = if data.instances == Type::Object { Kind::Shape(data.root_shape.0) } else { Kind::Any };
    t.write(call.window, object, kind);
    entry
}

/// What a new frame begins with, besides what its code says.
struct Begun {
    /// The scope around a block: its address, its cref and its entry, and where the method's are known these two.
    around: Around,
    has_block: bool,
    flags: u32,
}

enum Around {
    Method {
        cref: Value,
        entry: Value,
    },
    /// A block of a body in the unit.
    Body(usize),
    /// A block of the frame at an address, which passes it to the scope so many levels out of the unit's own.
    Passer {
        home: Ssa,
        depth: usize,
    },
}

impl Begun {
    /// As `call::frames::method` has it.
    fn method(t: &mut Translator, entry: Value, flags: u32, has_block: bool) -> Begun {
        t.keep(entry);
        Begun { around: Around::Method { cref: method_entry::cref(entry), entry }, has_block, flags }
    }
}

/// Pushes a frame whose registers begin with the values; the rest of them become nil. The bodies' frames exist, and the
/// running one's `pc` is set.
fn push(t: &mut Translator, call: Site, callee: &Code, values: &[Argument], begun: &Begun, slow: Block) {
    t.flush();
    let window = t.r.byte(call.window);
    let registers = callee.registers as usize;
    let frame = t.frame();
    let base = t.e.add_constant(t.r.base, window as i64);
    let end = t.e.add_constant(base, frame::room_for(registers) as i64);
    let fits = t.e.compare(Condition::BelowEqual, end, frame);
    t.e.require(fits, slow);
    let limit = t.e.load(t.context, offset_of!(Cx, native_limit));
    let fits = t.e.compare(Condition::Below, limit, t.e.pinned(Pinned::StackPointer));
    t.e.require(fits, slow);
    let nil = t.e.constant(Value::NIL.0);
    let rest = std::iter::repeat(Some(nil));
    let values = values.iter().map(|value| value.map(|(v, _)| v)).chain(rest);
    for (register, value) in (1..registers).zip(values) {
        if let Some(v) = value {
            t.e.store(v, t.r.base, window + 8 * register);
        }
    }
    let new = t.e.add_constant(frame, -(size_of::<Frame>() as i64));
    let image = image_of(callee, begun, call.destination);
    let image = t.keep_image(image);
    t.keep(callee.own.get());
    if begun.has_block {
        pass_block(t, call);
    }
    let home = match begun.around {
        Around::Method { .. } => None,
        Around::Body(number) => Some(t.frame_of(number)),
        Around::Passer { home, .. } => Some(home),
    };
    t.fill_frame(new, image, base, home, begun.has_block.then_some(frame));
    t.e.store(new, t.context, offset_of!(Cx, frame));
}

/// The words of the frame that are known beforehand.
fn image_of(callee: &Code, begun: &Begun, destination: u16) -> FrameImage {
    let (cref, entry) = match begun.around {
        Around::Method { cref, entry } => (cref, entry),
        _ => (Value::NIL, Value::NIL),
    };
    let mut image = FrameImage::default();
    let mut set = |offset: usize, word: u64| image[offset / 8] = word;
    set(offset_of!(Scope, cref), cref.0);
    set(offset_of!(Scope, entry), entry.0);
    set(offset_of!(Scope, block), BlockHandler::NONE.0.0);
    set(offset_of!(Scope, special), Value::NIL.0);
    set(offset_of!(Scope, code), callee.own.get().0);
    set(offset_of!(Scope, environment), Value::NIL.0);
    set(offset_of!(Frame, pc), callee.start() as u64);
    set(offset_of!(Frame, block_code), Value::NIL.0);
    set(offset_of!(Frame, flags), u64::from(begun.flags) | u64::from(destination) << 32);
    set(offset_of!(Frame, registers), callee.registers as u64);
    image
}

// One word holds both.
const _: () = assert!(offset_of!(Frame, destination) == offset_of!(Frame, flags) + 4 && cfg!(target_endian = "little"));

/// `yield` to a literal block: inlined if it is one of the unit, else by the shortest way if it is the one that is
/// passed now.
pub fn yield_to(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let site = &t.code.calls[i.c as usize];
    let call = Site::of_call(t.code, word);
    if site.flags.0 != 0 {
        return t.runtime(RuntimeCall::AnyCall, word);
    }
    match t.block_passed(site.depth as usize) {
        Passed::Literal { home, code } if let Some(given) = taken(code, site) => {
            return yield_to_body(t, word, call, home, code, given);
        }
        Passed::Unknown => {}
        _ => return yield_by_runtime(t, word, call),
    }
    match t.scope_of(site.depth as usize) {
        Place::Outer(scope) => {
            let blocks = passed(t, scope, site);
            if !blocks.is_empty() {
                return yield_to_passed(t, word, call, scope, blocks);
            }
            yield_by_runtime(t, word, call);
        }
        Place::Body(_) => yield_by_runtime(t, word, call),
    }
}

/// `yield` to one of some literal blocks that were passed to a scope that is not one of the unit's bodies, or to any
/// other. The first is the one that is passed now.
fn yield_to_passed<'a>(
    t: &mut Translator<'a>,
    word: usize,
    call: Site<'a>,
    scope: OuterScope,
    blocks: Vec<(&'a Code, usize)>,
) {
    let learns = scope.passer.is_none() && t.tier.learns_blocks();
    let slow = if learns { t.e.cold_block() } else { t.e.block_like_this() };
    let to = t.outer_scope(scope);
    let handler = t.e.load(to, offset_of!(Scope, block));
    let is_literal = t.e.and_constant(handler, 1);
    t.e.require(is_literal, slow);
    let home = t.e.add_constant(handler, -1);
    let found = t.e.load(home, offset_of!(Frame, block_code));
    let slots = t.e.load(home, offset_of!(Scope, slots));
    let me = t.e.load(slots, 0);
    let (path, level, before) = (t.path_to(word, 0), t.up, t.r.state());
    let mut arrivals = Arrivals::default();
    for (n, (body, given)) in blocks.into_iter().enumerate() {
        let other = t.e.block();
        let same = t.e.compare_constant(Condition::Equal, found, body.own.get().0);
        t.e.require(same, other);
        t.keep(body.own.get());
        let begun =
            Begun { around: Around::Passer { home, depth: scope.depth }, has_block: false, flags: FrameFlags::BLOCK };
        t.write(call.window, me, Kind::Any);
        let values = arguments::in_place(given);
        let is_first = n == 0 && scope.passer.is_none();
        if is_first && t.may_inline(body, word, path, t.r.at(call.window), WITH_BLOCK) {
            inline(t, word, call, body, path, &values, begun);
        } else {
            t.save_behind(word);
            push(t, call, body, &values, &begun, slow);
            yield_by_frame(t, word, call, body);
        }
        t.jump_to_join(&mut arrivals, None);
        t.r.restore(before.clone());
        t.up = level;
        t.e.at(other);
    }
    if learns {
        let exit = t.exit_for(word, Reason::NewBlock);
        t.e.jump(exit, &[]);
    } else {
        t.e.jump(slow, &[]);
    }
    t.e.at(slow);
    yield_by_runtime(t, word, call);
    t.jump_to_join(&mut arrivals, None);
    let block = t.e.block();
    t.join(block, arrivals);
}

/// `yield` to a literal block of a body in the unit.
fn yield_to_body<'a>(t: &mut Translator<'a>, word: usize, call: Site<'a>, home: usize, body: &'a Code, given: usize) {
    let path = t.path_to(word, 0);
    let begun = Begun { around: Around::Body(home), has_block: false, flags: FrameFlags::BLOCK };
    let own = std::mem::replace(&mut t.r.offset, t.bodies[home].offset);
    let (me, kind) = (t.read(0), t.r.kind(0));
    t.r.offset = own;
    t.write(call.window, me, kind);
    let values = arguments::in_place(given);
    if t.may_inline(body, word, path, t.r.at(call.window), WITH_BLOCK) {
        inline(t, word, call, body, path, &values, begun);
        return;
    }
    t.save_behind(word);
    let (slow, join) = (t.e.cold_block(), t.e.block());
    push(t, call, body, &values, &begun, slow);
    yield_by_frame(t, word, call, body);
    t.e.jump(join, &[]);
    t.e.at(slow);
    yield_by_runtime(t, word, call);
    t.e.jump(join, &[]);
    t.e.at(join);
    t.r.forget();
}

/// Runs a block's frame that was pushed; its result is in its register.
fn yield_by_frame(t: &mut Translator, word: usize, call: Site, body: &Code) {
    let v = run(t, body, call.window);
    t.e.store(v, t.r.base, t.r.byte(call.destination));
    t.require_usable(word, true);
    t.r.forget();
}

/// `yield` to whatever is passed; its result is in its register.
fn yield_by_runtime(t: &mut Translator, word: usize, call: Site) {
    t.save_behind(word);
    let site = std::ptr::from_ref(call.site) as u64;
    let registers = t.registers();
    let words = [site, u64::from(call.window), u64::from(call.destination)].map(|bits| t.e.constant(bits));
    let [site, window, destination] = words;
    let outcome = t.e.call(RuntimeCall::Yield, &[t.context, registers, site, window, destination]);
    result_of_call(t, &outcome, call.destination);
    t.require_usable(word, true);
    t.r.forget();
}

/// The literal blocks that the scope may be passed, that which is passed now first, and how many of the values each of
/// them takes; only those that take them as they are. As `call::block::enter_simple` has it.
fn passed(t: &Translator, scope: OuterScope, site: &CallSite) -> Vec<(&'static Code, usize)> {
    let handler = t.running_block(scope).filter(|handler| handler.frame().is_some());
    let Some(target) = handler.and_then(block::target) else { return Vec::new() };
    let known = if scope.passer.is_none() { t.tier.blocks() } else { Vec::new() };
    let bodies = std::iter::once(target.body)
        .chain(known.into_iter().map(|known| known.0).filter(|known| *known != target.body));
    bodies
        .filter_map(|body| {
            // SAFETY: the running method's block, which is alive while this is compiled, or one that its code keeps.
            let body = unsafe { live_code(body) };
            taken(body, site).map(|given| (body, given))
        })
        .collect()
}

/// How many values of a `yield` a block takes; `None` unless it takes them as they are.
fn taken(body: &Code, site: &CallSite) -> Option<usize> {
    let (count, required) = (site.arguments as usize, body.parameters.required as usize);
    if body.parameters.packed && count == 1 {
        return Some(1);
    }
    let fits = body.simple && (count == required || count != 1 || required < 2);
    fits.then_some(count.min(required))
}

/// Runs the frame that was pushed; gives its result, which the caller stores before it asks whether this code may still
/// be used. What is called is the compiled code of the callee, or the stub that runs the frame in the interpreter.
fn run(t: &mut Translator, callee: &Code, window: u16) -> Ssa {
    let place = t.e.constant(callee.tier.callee_address(backend::interpret as *const () as usize) as u64);
    let address = t.e.load(place, 0);
    let frame = (t.current() + 1) * size_of::<Frame>();
    let convention = Convention::Compiled { registers: t.r.byte(window) as i32, frame: frame as i32 };
    let outcome = t.e.call_compiled(convention, address);
    result_of_frame(t, outcome)
}

/// The result of a frame that compiled code was called for, whichever way it was left.
fn result_of_frame(t: &mut Translator, outcome: [Ssa; 2]) -> Ssa {
    let (done, other) = (t.e.block_like_this(), t.e.cold_block());
    let join = t.e.block_like_this();
    let result = t.e.parameter(join, Origin::Word);
    t.e.branch(outcome[1], other, done);
    t.e.at(done);
    t.e.jump(join, &[outcome[0]]);
    t.e.at(other);
    let frame = t.frame();
    let frame = t.e.add_constant(frame, -(size_of::<Frame>() as i64));
    let settled = t.e.call(RuntimeCall::Settle, &[t.context, outcome[0], outcome[1], frame]);
    let v = t.value_if_returned(&settled);
    t.e.jump(join, &[v]);
    t.e.at(join);
    result
}

/// The value of a call by the runtime, in its register; runs the frame that the runtime has pushed. All frames exist.
pub fn result_of_call(t: &mut Translator, outcome: &[Ssa], destination: u16) -> Ssa {
    let (done, other) = (t.e.block_like_this(), t.e.block_like_this());
    let join = t.e.block_like_this();
    let result = t.e.parameter(join, Origin::Word);
    t.e.branch(outcome[1], other, done);
    t.e.at(done);
    t.e.jump(join, &[outcome[0]]);
    t.e.at(other);
    let (pushed, leave) = (t.e.block_like_this(), t.e.cold_block());
    let is_pushed = t.e.compare_constant(Condition::Equal, outcome[1], How::Pushed as u64);
    t.e.branch(is_pushed, pushed, leave);
    t.e.at(leave);
    t.e.leave(outcome[0], outcome[1]);
    t.e.at(pushed);
    let frame = (t.current() + 1) * size_of::<Frame>();
    let outcome = t.e.call_compiled(Convention::Pushed { frame: frame as i32 }, outcome[0]);
    let v = result_of_frame(t, outcome);
    t.e.store(v, t.r.base, t.r.byte(destination));
    t.e.jump(join, &[v]);
    t.e.at(join);
    result
}
