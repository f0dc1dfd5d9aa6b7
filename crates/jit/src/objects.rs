//! Instance variables, elements of arrays, constants.

use abi::{RuntimeCall, Scope, ShapeId, Type, Value};
use bytecode::Opcode;
use object::{
    Known,
    array::{Arr, for_code as layout},
    cell,
    representation::for_code as payload,
};
use runtime::{
    basic_ops::BasicOp,
    code::{IvarPlace, IvarSite, tier::Seen},
    instructions::ivars::{self, InShape},
};
use std::mem::offset_of;

use crate::{
    arithmetic::Operand,
    ir::{Binary, Condition, Origin},
    joins::Arrivals,
    registers::{self, Kind},
    seam::{Block, Ssa},
    translate::Translator,
};

/// No more elements are assigned in line.
const MOST_EXPANDED: u16 = 8;

/// Byte of a cell that has the shape.
const SHAPE: usize = 4;

/// `@name`: in line where the shape of self is known, and for two shapes that were seen.
pub fn get_ivar(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let site = &t.code.ivars[i.bc() as usize];
    let me = t.read(0);
    let self_now = t.sample(Operand::Register(0));
    let places = places_read(t, site, self_now);
    let sample = self_now.and_then(|me| sample_of(me, &places));
    match known_of_self(t, site) {
        Some(InShape::At(place)) => {
            let v = load(t, me, place);
            t.write(i.a, v, Kind::Any);
            return t.r.guess(i.a, sample);
        }
        Some(_) => return t.write_constant(i.a, Value::NIL),
        None => {}
    }
    let address = t.e.constant(&raw const *site as u64);
    if places.is_empty() {
        return t.fast_or_slow(word, Some(i.a), RuntimeCall::GetIvar, &[address, me]);
    }
    // Where one shape was expected and others came, or there are two, others are looked up.
    let is_closed = places.len() == 1 && !t.seen(word).has(Seen::FAILED);
    let other = if is_closed { t.exit(word) } else { t.e.block_like_this() };
    registers::require_heap(&mut t.e, me, other);
    let found = t.e.load32(me, SHAPE);
    if is_closed {
        let (shape, place) = places[0];
        require_shape(t, found, shape, other);
        t.r.learn(0, Kind::Shape(shape));
        let v = load(t, me, place);
        t.write(i.a, v, Kind::Any);
        return t.r.guess(i.a, sample);
    }
    let (before, block, mut arrivals) = (t.r.state(), t.e.block(), Arrivals::default());
    for (n, (shape, place)) in places.iter().enumerate() {
        let next = if n + 1 == places.len() { other } else { t.e.block_like_this() };
        require_shape(t, found, *shape, next);
        let v = load(t, me, *place);
        t.jump_to_join(&mut arrivals, Some(v));
        t.r.restore(before.clone());
        t.e.at(next);
    }
    let v = t.fast_result(word, RuntimeCall::GetIvar, &[address, me]);
    t.jump_to_join(&mut arrivals, Some(v));
    let joined = t.join(block, arrivals);
    t.write(i.a, joined.and_then(|joined| joined.result).unwrap_or(v), Kind::Any);
    t.r.guess(i.a, sample);
}

/// What self has of a site's variable, where its shape is known.
fn known_of_self(t: &Translator, site: &IvarSite) -> Option<InShape> {
    let Kind::Shape(shape) = t.r.kind(0) else { return None };
    ivars::in_shape(t.cx, ShapeId(shape), site.name)
}

/// The variable's value in an object that has one of the shapes.
fn sample_of(me: Value, places: &[(u32, IvarPlace)]) -> Option<Value> {
    if !me.is_heap() {
        return None;
    }
    let (_, place) = places.iter().find(|(shape, _)| *shape == cell::header(me).shape().0)?;
    // SAFETY: the shape implies that the cell has this word, and the Fields cell there the other.
    unsafe {
        let v = cell::word(me, place.holder());
        Some(if place.word() == 0 { v } else { cell::word(v, place.word()) })
    }
}

/// The shapes for which the place in the object is known: that of self while the code is compiled, and those that the
/// site has seen.
fn places_read(t: &Translator, site: &IvarSite, self_now: Option<Value>) -> Vec<(u32, IvarPlace)> {
    let shape_now = self_now.filter(|me| me.is_heap()).map(|me| cell::header(me).shape());
    let now = shape_now.and_then(|shape| match ivars::in_shape(t.cx, shape, site.name) {
        Some(InShape::At(place)) => Some((shape.0, place)),
        _ => None,
    });
    let known = site.known.get();
    let first = (known != u64::MAX).then_some(((known >> 16) as u32, IvarPlace(known as u16)));
    let second = (site.add_from.get() != u32::MAX).then(|| (site.add_from.get(), site.add_place.get()));
    let mut places: Vec<(u32, IvarPlace)> = Vec::new();
    for (shape, place) in now.into_iter().chain(first).chain(second).filter(|(_, place)| place.holder() != 0) {
        if places.iter().all(|(known, _)| *known != shape) {
            places.push((shape, place));
        }
    }
    places.truncate(2);
    places
}

/// Goes to `otherwise` unless a shape is found. Its class is kept alive: the number of a dead class's shape is reused.
fn require_shape(t: &mut Translator, found: Ssa, shape: u32, otherwise: Block) {
    t.keep(t.cx.world().shapes.class(ShapeId(shape)));
    let fits = t.e.compare_constant(Condition::Equal, found, u64::from(shape));
    t.e.require(fits, otherwise);
}

fn load(t: &mut Translator, me: Ssa, place: IvarPlace) -> Ssa {
    let v = t.e.load(me, 8 * place.holder());
    if place.word() == 0 { v } else { t.e.load(v, 8 * place.word()) }
}

/// How a variable is set in objects of a shape: at a place, and where the object gets it, with the shape that it has
/// then.
type SetWay = (u32, IvarPlace, Option<u32>);

/// `@name = v`: in line where the shape of self is known, and for two shapes that were seen, one of which may be that
/// of objects that get the variable.
pub fn set_ivar(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let site = &t.code.ivars[i.bc() as usize];
    let ways = ways_to_set(t, site);
    let (me, value, kind) = (t.read(0), t.read(i.a), t.r.kind(i.a));
    let address = t.e.constant(&raw const *site as u64);
    if ways.is_empty() {
        return t.fast_or_slow(word, None, RuntimeCall::SetIvar, &[address, me, value]);
    }
    let is_known = matches!((t.r.kind(0), &ways[..]), (Kind::Shape(shape), [(known, ..)]) if shape == *known);
    let is_closed = ways.len() == 1 && (is_known || !t.seen(word).has(Seen::FAILED));
    let other = if is_closed { t.exit(word) } else { t.e.block_like_this() };
    if !is_known {
        registers::require_heap(&mut t.e, me, other);
    }
    if t.e.fresh != Some(me) {
        // Flags below, the shape above.
        let header = t.e.load(me, 0);
        let frozen = t.e.and_constant(header, u64::from(abi::Flags::FROZEN));
        let is_open = t.e.compare_constant(Condition::Equal, frozen, 0);
        t.e.require(is_open, other);
    }
    let found = t.e.load32(me, SHAPE);
    if is_closed {
        if !is_known {
            require_shape(t, found, ways[0].0, other);
        }
        return set_at(t, me, ways[0], value, kind);
    }
    let (before, block, mut arrivals) = (t.r.state(), t.e.block(), Arrivals::default());
    for (n, way) in ways.iter().enumerate() {
        let next = if n + 1 == ways.len() { other } else { t.e.block_like_this() };
        require_shape(t, found, way.0, next);
        set_at(t, me, *way, value, kind);
        t.jump_to_join(&mut arrivals, None);
        t.r.restore(before.clone());
        t.e.at(next);
    }
    t.fast_or_slow(word, None, RuntimeCall::SetIvar, &[address, me, value]);
    t.jump_to_join(&mut arrivals, None);
    t.join(block, arrivals);
}

/// Sets a variable of self, whose shape is that of the way.
fn set_at(t: &mut Translator, me: Ssa, (shape, place, to): SetWay, value: Ssa, kind: Kind) {
    let holder = match place.word() {
        0 => me,
        _ => t.e.load(me, 8 * place.holder()),
    };
    let word = if place.word() == 0 { place.holder() } else { place.word() };
    t.e.store(value, holder, 8 * word);
    if let Some(to) = to {
        let to = t.e.constant(u64::from(to));
        t.e.store32(to, me, SHAPE);
        t.r.forget_shapes();
    }
    barrier(t, holder, value, kind);
    t.r.learn(0, Kind::Shape(to.unwrap_or(shape)));
}

/// How a site's variable is set in objects of the shapes that are known.
fn ways_to_set(t: &Translator, site: &IvarSite) -> Vec<SetWay> {
    let way_in = |shape: u32| match ivars::in_shape(t.cx, ShapeId(shape), site.name) {
        Some(InShape::At(place)) => Some((shape, place, None)),
        Some(InShape::Added(place, to)) => Some((shape, place, Some(to.0))),
        _ => None,
    };
    // What is added to a Fields cell may need a larger one.
    let is_simple = |(_, place, to): &SetWay| place.holder() != 0 && (to.is_none() || place.word() == 0);
    if let Kind::Shape(shape) = t.r.kind(0)
        && let Some(way) = way_in(shape).filter(is_simple)
    {
        return vec![way];
    }
    let me = t.sample(Operand::Register(0)).filter(|me| me.is_heap());
    let now = me.and_then(|me| way_in(cell::header(me).shape().0));
    let known = site.known.get();
    let update = (known != u64::MAX).then_some(((known >> 16) as u32, IvarPlace(known as u16), None));
    let added =
        (site.add_from.get() != u32::MAX).then(|| (site.add_from.get(), site.add_place.get(), Some(site.add_to.get())));
    let mut ways: Vec<SetWay> = Vec::new();
    for way in added.into_iter().chain(update).chain(now).filter(is_simple) {
        if ways.iter().all(|(known, ..)| *known != way.0) {
            ways.push(way);
        }
    }
    ways.truncate(3);
    ways
}

/// What a store of a value into an object needs besides. No collection can happen between the two.
pub fn barrier(t: &mut Translator, container: Ssa, value: Ssa, kind: Kind) {
    if kind.is_immediate() || t.e.fresh == Some(container) {
        return;
    }
    let (reference, done) = (t.e.block(), t.e.block());
    let tag = t.e.and_constant(value, 7);
    t.e.branch(tag, done, reference);
    t.e.at(reference);
    t.e.call(RuntimeCall::Barrier, &[t.context, container, value]);
    t.e.jump(done, &[]);
    t.e.at(done);
}

/// A constant that the site has found: its value is part of the code, which looks whether the name's version changed.
pub fn constant(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let is_scoped = t.code.instruction(word).op() == Opcode::GetConstantFrom;
    let site = &t.code.constants[if is_scoped { i.c as usize } else { i.bc() as usize }];
    let known = site.known().filter(|_| t.tier.may_rely() && !t.seen(word).has(Seen::FAILED));
    let Some((value, scope)) = known else {
        let scope = match is_scoped {
            true => t.read(i.b),
            false => cref(t),
        };
        let site = t.e.constant(&raw const *site as u64);
        return t.fast_or_slow(word, Some(i.a), RuntimeCall::Constant, &[site, scope]);
    };
    t.keep(value);
    t.keep(scope);
    let same_scope = match is_scoped {
        true if t.r.kind(i.b) == Kind::Constant(scope) => None,
        true => Some(t.read(i.b)),
        false if t.body().cref() == Some(scope) => None,
        false => Some(cref(t)),
    };
    if let Some(found) = same_scope {
        let exit = t.exit(word);
        let same = t.e.compare_constant(Condition::Equal, found, scope.0);
        t.e.require(same, exit);
    }
    t.rely_on_constant(site);
    let v = t.e.constant(value.0);
    t.write(i.a, v, Kind::Constant(value));
}

/// The lexical scope of the running body.
fn cref(t: &mut Translator) -> Ssa {
    match t.body().cref() {
        Some(cref) => t.e.constant(cref.0),
        None => {
            let scope = t.outer_scope(t.lexical_scope());
            t.e.load(scope, offset_of!(Scope, cref))
        }
    }
}

/// `receiver[key]`: in line for elements of an Array.
pub fn index(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let is_literal = i.op() == Opcode::IndexLiteral;
    let (receiver, key) = (t.read(i.b), key(t, is_literal, i.c));
    if !expects_array(t, word, i.b, is_literal, i.c) || !t.assume(|r| &mut r.array, BasicOp::Aref.bit()) {
        if !is_literal {
            return t.operate(word, Opcode::Index, i.a, &[i.b, i.c]);
        }
        return t.fast_or_slow(word, Some(i.a), RuntimeCall::Index, &[receiver, key]);
    }
    let exit = t.exit(word);
    let (start, len) = elements(t, i.b, receiver, exit);
    let at = position(t, i.c, key, len, exit);
    let v = t.e.load_indexed(start, at);
    let sample = t.sample(Operand::Register(i.b)).and_then(Arr::from_value).and_then(|list| list.get(0));
    t.write(i.a, v, Kind::Any);
    t.r.guess(i.a, sample);
}

/// `length`, `size`, `empty?`: in line for Arrays where the site has seen no other class's method.
pub fn length(t: &mut Translator, word: usize, opcode: Opcode) {
    let i = t.code.instruction(word);
    let seen = t.seen(word);
    let is_array = t.sample(Operand::Register(i.b)).is_some_and(|v| cell::is(v, Type::Array));
    let op = match opcode {
        Opcode::IsEmpty => BasicOp::EmptyP,
        Opcode::Length => BasicOp::Length,
        _ => BasicOp::Size,
    };
    if !is_array || seen != Seen::default() || !t.assume(|r| &mut r.array, op.bit()) {
        return t.operate(word, opcode, i.a, &[i.b]);
    }
    let v = t.read(i.b);
    let exit = t.exit(word);
    let (_, len) = elements(t, i.b, v, exit);
    if opcode == Opcode::IsEmpty {
        let is_empty = t.e.compare_constant(Condition::Equal, len, 0);
        return t.write_bool(i.a, is_empty, true);
    }
    let n = tagged(t, len);
    t.write(i.a, n, Kind::Fixnum);
}

/// A small number as a fixnum.
pub fn tagged(t: &mut Translator, n: Ssa) -> Ssa {
    let doubled = t.e.add(n, n);
    t.e.add_constant(doubled, 1)
}

/// `receiver[key] = v`: in line for elements of an Array that exist.
pub fn set_index(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let is_literal = i.op() == Opcode::IndexSetLiteral;
    let (receiver, key, value) = (t.read(i.a), key(t, is_literal, i.b), t.read(i.c));
    if !expects_array(t, word, i.a, is_literal, i.b) || !t.assume(|r| &mut r.array, BasicOp::Aset.bit()) {
        return t.fast_or_slow(word, None, RuntimeCall::IndexSet, &[receiver, key, value]);
    }
    let exit = t.exit(word);
    let (start, len) = elements(t, i.a, receiver, exit);
    let header = t.e.load(receiver, 0);
    let bits = t.e.and_constant(header, layout::NOT_WRITABLE);
    let writable = t.e.compare_constant(Condition::Equal, bits, 0);
    t.e.require(writable, exit);
    let at = position(t, i.b, key, len, exit);
    if t.r.kind(i.c).is_immediate() {
        return t.e.store_indexed(value, start, at);
    }
    let expects_reference = t.sample(Operand::Register(i.c)).is_some_and(|v| !v.is_immediate());
    let reference = if expects_reference { t.e.block() } else { t.e.cold_block() };
    let (immediate, done) = (t.e.block(), t.e.block());
    let tag = t.e.and_constant(value, 7);
    t.e.branch(tag, immediate, reference);
    t.e.at(immediate);
    t.e.store_indexed(value, start, at);
    t.e.jump(done, &[]);
    t.e.at(reference);
    t.e.call(RuntimeCall::StoreElement, &[t.context, receiver, at, value]);
    t.e.jump(done, &[]);
    t.e.at(done);
}

/// A new String for a literal.
pub fn new_string(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let place = t.e.constant(t.code.literals[i.bc() as usize].as_ptr() as u64);
    let (literal, flags) = (t.e.load(place, 0), t.e.constant(u64::from(t.code.string_flags)));
    t.fast_or_slow(word, Some(i.a), RuntimeCall::NewString, &[literal, flags]);
    t.r.learn(i.a, Kind::Shape(Known::String.root_shape().0));
}

/// What the runtime makes of adjacent registers: an instance of the class.
pub fn from_words(t: &mut Translator, word: usize, call: RuntimeCall, class: Known) {
    let i = t.code.instruction(word);
    t.flush();
    let start = t.e.add_constant(t.r.base, t.r.byte(i.b) as i64);
    let count = t.e.constant(u64::from(i.c));
    t.fast_or_slow(word, Some(i.a), call, &[start, count]);
    t.r.forget_values();
    t.r.learn(i.a, Kind::Shape(class.root_shape().0));
}

/// Multiple assignment from an Array: in line where it has as many elements as are assigned.
pub fn expand(t: &mut Translator, word: usize) {
    let (i, extension) = (t.code.instruction(word), t.code.operands(word + 1));
    let count = i.c + extension.b;
    if extension.a != 0 || count > MOST_EXPANDED {
        return t.runtime(RuntimeCall::Instruction, word);
    }
    let list = t.read(i.b);
    let (start, len) = elements_of(t, list);
    let slow = t.e.cold_block();
    let has_all = t.e.compare_constant(Condition::AboveEqual, len, u64::from(count));
    t.e.require(has_all, slow);
    let assign = |t: &mut Translator| {
        let elements: Vec<Ssa> = (0..count).map(|n| t.e.load(start, 8 * n as usize)).collect();
        for (register, v) in (i.a..).zip(elements) {
            t.write(register, v, Kind::Any);
        }
        None
    };
    t.either(slow, None, assign, |t| {
        t.runtime(RuntimeCall::Instruction, word);
        None
    });
}

/// Sets a register to the value of another if that is of a type; `otherwise` sets it if not.
pub fn unless_of_type(t: &mut Translator, ty: Type, from: u16, to: u16, otherwise: impl FnOnce(&mut Translator)) {
    let v = t.read(from);
    let other = t.e.block();
    require_type(t, v, ty, other);
    let register = t.r.at(to) as u16;
    let copy = |t: &mut Translator| {
        t.write(to, v, Kind::Any);
        None
    };
    t.either(other, Some(register), copy, |t| {
        otherwise(t);
        None
    });
}

/// Goes to `otherwise` unless the value is a cell of the type.
pub fn require_type(t: &mut Translator, v: Ssa, ty: Type, otherwise: Block) {
    registers::require_heap(&mut t.e, v, otherwise);
    let header = t.e.load32(v, 0);
    let found = t.e.and_constant(header, u64::from(abi::Flags::TYPE_MASK));
    let fits = t.e.compare_constant(Condition::Equal, found, ty as u64);
    t.e.require(fits, otherwise);
}

/// Goes to `otherwise` if the value, whose tag is that of a cell or false, is a Hash.
pub fn require_no_hash(t: &mut Translator, v: Ssa, otherwise: Block) {
    let (cell, done) = (t.e.block(), t.e.block());
    t.e.branch(v, cell, done);
    t.e.at(cell);
    let header = t.e.load32(v, 0);
    let found = t.e.and_constant(header, u64::from(abi::Flags::TYPE_MASK));
    let is_other = t.e.compare_constant(Condition::NotEqual, found, Type::Hash as u64);
    t.e.require(is_other, otherwise);
    t.e.jump(done, &[]);
    t.e.at(done);
}

/// The key of `[]`: a literal or a register.
fn key(t: &mut Translator, is_literal: bool, operand: u16) -> Ssa {
    if !is_literal {
        return t.read(operand);
    }
    let place = t.e.constant(t.code.literals[operand as usize].as_ptr() as u64);
    t.e.load(place, 0)
}

/// Is `[]` at the word likely to be that of an Array?
fn expects_array(t: &Translator, word: usize, receiver: u16, is_literal: bool, key: u16) -> bool {
    let receiver_fits = match t.r.kind(receiver) {
        Kind::Constant(v) => cell::is(v, Type::Array),
        Kind::Shape(shape) => shape == Known::Array.root_shape().0,
        Kind::Fixnum | Kind::Flonum => false,
        Kind::Any => !t.sample(Operand::Register(receiver)).is_some_and(|v| cell::is(v, Type::Hash)),
    };
    let key_fits = match t.r.kind(key) {
        Kind::Constant(v) => v.is_fixnum(),
        Kind::Fixnum | Kind::Any => true,
        Kind::Shape(_) | Kind::Flonum => false,
    };
    let seen = t.seen(word);
    !is_literal && !seen.has(Seen::FAILED) && !seen.has(Seen::REACHED) && receiver_fits && key_fits
}

/// Where the elements of an instance of Array begin, and how many there are.
fn elements(t: &mut Translator, register: u16, v: Ssa, exit: Block) -> (Ssa, Ssa) {
    let shape = Known::Array.root_shape().0;
    if t.r.kind(register) != Kind::Shape(shape) {
        registers::require_heap(&mut t.e, v, exit);
        let found = t.e.load32(v, SHAPE);
        require_shape(t, found, shape, exit);
        t.r.learn(register, Kind::Shape(shape));
    }
    elements_of(t, v)
}

/// The same of what is known to be an Array.
pub fn elements_of(t: &mut Translator, v: Ssa) -> (Ssa, Ssa) {
    payload_of(t, v, layout::EMBEDDED_LEN_SHIFT, |t, header| t.e.and_constant(header, layout::INDIRECT))
}

/// Where the payload of a String or Array begins, and how long it is. `is_far` says of the header whether
/// the words of a payload in a buffer are in a separate buffer themselves.
pub fn payload_of(
    t: &mut Translator,
    v: Ssa,
    embedded_len_shift: u64,
    is_far: impl FnOnce(&mut Translator, Ssa) -> Ssa,
) -> (Ssa, Ssa) {
    let header = t.e.load(v, 0);
    let join = t.e.block();
    let [start, len] = [(); 2].map(|()| t.e.parameter(join, Origin::Word));
    let (embedded, separate) = (t.e.block(), t.e.block());
    let representation = t.e.and_constant(header, payload::REPRESENTATION);
    t.e.branch(representation, separate, embedded);
    t.e.at(embedded);
    let first = t.e.add_constant(v, 8);
    let count = embedded_len(t, header, embedded_len_shift);
    t.e.jump(join, &[first, count]);
    t.e.at(separate);
    let (words_join, words) = t.e.join();
    let (here, far) = (t.e.block(), t.e.cold_block());
    let is_far = is_far(t, header);
    t.e.branch(is_far, far, here);
    t.e.at(here);
    let first = t.e.add_constant(v, 8);
    t.e.jump(words_join, &[first]);
    t.e.at(far);
    let first = t.e.load(v, 8);
    t.e.jump(words_join, &[first]);
    t.e.at(words_join);
    let (count, first) = (t.e.load(words, 8 * payload::LEN), t.e.load(words, 8 * payload::START));
    t.e.jump(join, &[first, count]);
    t.e.at(join);
    (start, len)
}

/// The length of a payload in the cell itself.
pub fn embedded_len(t: &mut Translator, header: Ssa, shift: u64) -> Ssa {
    let len = t.e.binary_constant(Binary::ShiftRightUnsigned, header, shift);
    t.e.and_constant(len, 0xff)
}

/// The untagged index that a key stands for, which is within the bounds.
fn position(t: &mut Translator, register: u16, key: Ssa, len: Ssa, exit: Block) -> Ssa {
    if !matches!(t.r.kind(register), Kind::Fixnum | Kind::Constant(_)) {
        let bit = t.e.and_constant(key, 1);
        t.e.require(bit, exit);
        t.r.learn(register, Kind::Fixnum);
    }
    let n = t.e.shift_right(key, 1);
    let within = t.e.compare(Condition::Below, n, len);
    t.e.require(within, exit);
    n
}
