//! Elements of Arrays, constants, Strings.

use abi::{RuntimeCall, Scope, Type, Value};
use bytecode::Opcode;
use object::{
    Known,
    array::{Arr, for_code as layout},
    cell,
    representation::for_code as payload,
};
use runtime::{
    basic_ops::{BasicOp, Redefined},
    code::tier::Seen,
};
use std::mem::offset_of;

use crate::{
    arithmetic::Operand,
    characters, hashes,
    ir::{Binary, Condition, Origin},
    ivars, natives,
    registers::Kind,
    seam::{Block, Ssa},
    sites::Site,
    translate::Translator,
    virtual_objects::{self, Content, Virtual},
};

/// The most elements that a multiple assignment assigns in line.
const MOST_EXPANDED: u16 = 24;

/// A constant that the site has found: its value is embedded in the code, which relies on the version of the name.
pub fn constant(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let is_scoped = t.code.instruction(word).op() == Opcode::GetConstantFrom;
    let site = &t.code.constants[if is_scoped { i.c as usize } else { i.bc() as usize }];
    let known = site.known(t.cx).filter(|_| t.tier.may_rely() && !t.seen(word).has(Seen::FAILED));
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
        false if t.body().cref == Some(scope) => None,
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
pub fn cref(t: &mut Translator) -> Ssa {
    match t.body().cref {
        Some(cref) => t.e.constant(cref.0),
        None => {
            let scope = t.outer_scope(t.lexical_scope());
            t.e.load(scope, offset_of!(Scope, cref))
        }
    }
}

/// `!v` and `v.nil?`: in line for all values, or only for immediates if a class of the program defines such a method.
pub fn not_or_is_nil(t: &mut Translator, word: usize, opcode: Opcode) {
    let (from, to) = (t.code.instruction(word).b, t.code.instruction(word).a);
    let op = if opcode == Opcode::Not { BasicOp::Not } else { BasicOp::NilP };
    let in_line = |t: &mut Translator| {
        let v = t.read(from);
        match op {
            BasicOp::Not => natives::not(t, to, v),
            _ => natives::is_nil(t, to, v),
        }
        None
    };
    if t.assume(|r| &mut r.object, op.bit()) {
        in_line(t);
        return;
    }
    let of_immediates: [fn(&mut Redefined) -> &mut u64; 3] =
        [|r| &mut r.immediate, |r| &mut r.integer, |r| &mut r.float];
    if !of_immediates.into_iter().all(|of| t.assume(of, op.bit())) {
        return t.operate(word, opcode, to, &[from]);
    }
    let (v, immediate, register) = (t.read(from), t.e.block(), t.r.at(to) as u16);
    t.require_cell(v, immediate);
    let by_call = |t: &mut Translator| {
        t.operate(word, opcode, to, &[from]);
        None
    };
    t.either(immediate, Some(register), by_call, in_line);
}

/// `receiver[key]`: in line for elements of an Array.
pub fn index(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let is_literal = i.op() == Opcode::IndexLiteral;
    if let Some(expected) = expected_key(t, is_literal, i.b, i.c, BasicOp::Aref) {
        return hashes::read(t, i.a, i.b, expected, |t| index_by_runtime(t, word));
    }
    if !is_literal && characters::index(t, word) {
        return;
    }
    if !expects_array(t, word, i.b, is_literal, i.c) || !t.assume(|r| &mut r.array, BasicOp::Aref.bit()) {
        if !is_literal && is_array_at_integer(t, i.b, i.c) && t.assume(|r| &mut r.array, BasicOp::Aref.bit()) {
            return element_or_nil(t, word);
        }
        return index_by_runtime(t, word);
    }
    if element_of_virtual(t, i.a, i.b, i.c) {
        return;
    }
    let (receiver, key) = (t.read(i.b), t.read(i.c));
    let exit = t.exit(word);
    let (start, len) = elements(t, i.b, receiver, exit);
    let at = position(t, i.c, key, len, exit);
    let v = t.e.load_indexed(start, at);
    let sample = t.sample(Operand::Register(i.b)).and_then(Arr::from_value).and_then(|list| list.get(0));
    t.write(i.a, v, Kind::Any);
    t.r.guess(i.a, sample);
}

/// The element at a constant index of an Array that is not made; false if the operands are others.
pub fn element_of_virtual(t: &mut Translator, to: u16, list: u16, key: u16) -> bool {
    let Kind::Constant(key) = t.r.kind(key) else { return false };
    let (Some(elements), Some(at)) = (t.r.object(list).and_then(Virtual::elements), key.as_fixnum()) else {
        return false;
    };
    let at = usize::try_from(if at < 0 { at + elements.len() as i64 } else { at });
    match at.ok().and_then(|at| elements.get(at)).copied() {
        Some(element) => t.r.put(to, element),
        None => t.write_constant(to, Value::NIL),
    }
    true
}

/// `receiver[key]` by the runtime.
fn index_by_runtime(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    if i.op() != Opcode::IndexLiteral {
        return t.operate(word, Opcode::Index, i.a, &[i.b, i.c]);
    }
    let (receiver, key) = (t.read(i.b), literal(t, i.c));
    t.fast_or_slow(word, Some(i.a), RuntimeCall::Index, &[receiver, key]);
}

/// Where the Hash in a register is expected to have a key: a literal, or a register's value.
fn expected_key(t: &mut Translator, is_literal: bool, table: u16, key: u16, op: BasicOp) -> Option<hashes::Expected> {
    match is_literal {
        true => hashes::expected_key(t, table, t.code.literal(key as usize), op),
        false => hashes::expected(t, table, key, op),
    }
}

/// Are the operands of `[]` an Array and a small integer while the code is compiled?
fn is_array_at_integer(t: &Translator, receiver: u16, key: u16) -> bool {
    let is_array = match t.r.kind(receiver) {
        Kind::Shape(shape) => shape == Known::Array.root_shape().0,
        _ => t.sample(Operand::Register(receiver)).is_some_and(|v| cell::is(v, Type::Array)),
    };
    let key_fits = || t.sample(Operand::Register(key)).is_some_and(Value::is_fixnum);
    is_array && (t.r.kind(key).is_fixnum() || t.r.kind(key) == Kind::Any && key_fits())
}

/// An element of an Array at a site where indexes were out of bounds before: negative indexes count from the end, and
/// indexes outside give nil. Other receivers and keys are left to the runtime.
fn element_or_nil(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let (receiver, key, register) = (t.read(i.b), t.read(i.c), t.r.at(i.a) as u16);
    let slow = t.e.block_like_this();
    let in_line = |t: &mut Translator| {
        require_instance(t, i.b, receiver, Known::Array, slow);
        if !t.r.kind(i.c).is_fixnum() {
            let bit = t.e.and_constant(key, 1);
            t.e.require(bit, slow);
        }
        let (start, len) = elements_of(t, receiver);
        let at = t.e.shift_right(key, 1);
        let element = element_anywhere(t, start, len, at);
        t.write(i.a, element, Kind::Any);
        None
    };
    t.either(slow, Some(register), in_line, |t| {
        t.operate(word, Opcode::Index, i.a, &[i.b, i.c]);
        None
    });
}

/// The element at an index, which counts from the end if it is negative; nil outside of the bounds.
pub fn element_anywhere(t: &mut Translator, start: Ssa, len: Ssa, at: Ssa) -> Ssa {
    let [outside, missing] = [(); 2].map(|()| t.e.block_like_this());
    element_or(t, start, len, at, outside, |t| {
        let from_start = t.e.add(at, len);
        element_or(t, start, len, from_start, missing, |t| t.e.constant(Value::NIL.0))
    })
}

/// The element at an index; if the index is out of bounds, the value that `otherwise` computes in the block `outside`.
pub fn element_or(
    t: &mut Translator,
    start: Ssa,
    len: Ssa,
    at: Ssa,
    outside: Block,
    otherwise: impl FnOnce(&mut Translator) -> Ssa,
) -> Ssa {
    let (join, element) = t.e.join();
    let within = t.e.block_like_this();
    let fits = t.e.compare(Condition::Below, at, len);
    t.e.branch(fits, within, outside);
    t.e.at(within);
    let v = t.e.load_indexed(start, at);
    t.e.jump(join, &[v]);
    t.e.at(outside);
    let v = otherwise(t);
    t.e.jump(join, &[v]);
    t.e.at(join);
    element
}

/// A small number as a fixnum.
pub fn tagged(t: &mut Translator, n: Ssa) -> Ssa {
    let doubled = t.e.add(n, n);
    t.e.add_constant(doubled, 1)
}

/// `receiver[key] = v`: in line for elements of an Array that exist, and for keys that a Hash has where expected.
pub fn set_index(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let is_literal = i.op() == Opcode::IndexSetLiteral;
    match expected_key(t, is_literal, i.a, i.b, BasicOp::Aset) {
        Some(expected) => hashes::set_index(t, word, expected, |t| set_element(t, word, is_literal)),
        None => set_element(t, word, is_literal),
    }
}

fn set_element(t: &mut Translator, word: usize, is_literal: bool) {
    let i = t.code.instruction(word);
    let (receiver, key, value) = (t.read(i.a), key(t, is_literal, i.b), t.read(i.c));
    if !expects_array(t, word, i.a, is_literal, i.b) || !t.assume(|r| &mut r.array, BasicOp::Aset.bit()) {
        let site = Site::of_operator(t, word);
        let fast = |t: &mut Translator| t.fast_or_slow(word, None, RuntimeCall::IndexSet, &[receiver, key, value]);
        if is_literal || !site.takes_objects(t, i.op()) {
            return fast(t);
        }
        t.expected_call(word, site, &[receiver, key, value], |t| {
            fast(t);
            t.write_constant(site.destination, Value::NIL);
        });
        return;
    }
    let exit = t.exit(word);
    let (start, len) = elements(t, i.a, receiver, exit);
    let header = t.e.load(receiver, 0);
    let bits = t.e.and_constant(header, layout::NOT_WRITABLE);
    let writable = t.e.compare_constant(Condition::Equal, bits, 0);
    t.e.require(writable, exit);
    let at = position(t, i.b, key, len, exit);
    t.e.store_indexed(value, start, at);
    let expects_reference = t.sample(Operand::Register(i.c)).is_some_and(|v| !v.is_immediate());
    ivars::barrier_with(t, (value, t.r.kind(i.c)), expects_reference, |t| {
        let distance = t.e.binary_constant(Binary::ShiftLeft, at, 3);
        let slot = t.e.add(start, distance);
        t.e.element_barrier(receiver, slot);
    });
}

/// An instance of the class, which the runtime creates from adjacent registers.
pub fn from_words(t: &mut Translator, word: usize, call: RuntimeCall, class: Known) {
    let i = t.code.instruction(word);
    t.flush();
    let start = t.e.add_constant(t.r.base, t.r.byte(i.b) as i64);
    let count = t.e.constant(u64::from(i.c));
    t.fast_or_slow(word, Some(i.a), call, &[start, count]);
    t.r.forget_values();
    t.r.learn(i.a, Kind::Shape(class.root_shape().0));
}

/// Are the keys of a Hash literal, whose pairs are in these registers, immediates?
pub fn has_immediate_keys(t: &Translator, first: u16, count: u16) -> bool {
    let is_immediate = |register: u16| matches!(t.r.kind(register), Kind::Constant(key) if key.is_immediate());
    (first..first + count).step_by(2).all(is_immediate)
}

/// Multiple assignment from an Array: in line if the Array has as many elements as are assigned one by one.
pub fn expand(t: &mut Translator, word: usize) {
    let (i, extension) = (t.code.instruction(word), t.code.operands(word + 1));
    let (first, last, has_rest) = (usize::from(i.c), usize::from(extension.b), extension.a != 0);
    if first + last > MOST_EXPANDED.into() {
        return t.runtime(RuntimeCall::Instruction, word);
    }
    if let Some(elements) = t.r.object(i.b).and_then(Virtual::elements) {
        let elements = elements.to_vec();
        return expand_virtual(t, i.a, &elements, (first, last, has_rest));
    }
    let list = t.read(i.b);
    let (start, len) = elements_of(t, list);
    let slow = t.e.cold_block();
    let has_all = t.e.compare_constant(Condition::AboveEqual, len, (first + last) as u64);
    t.e.require(has_all, slow);
    let assign = |t: &mut Translator| {
        // Without a rest, those at the end follow the first ones.
        let in_front = if has_rest { first } else { first + last };
        let mut elements: Vec<Ssa> = (0..in_front).map(|n| t.e.load(start, 8 * n)).collect();
        if has_rest {
            let end = t.e.binary_constant(Binary::ShiftLeft, len, 3);
            let from = t.e.add(start, end);
            let from = t.e.add_constant(from, -8 * last as i64);
            let behind: Vec<Ssa> = (0..last).map(|n| t.e.load(from, 8 * n)).collect();
            let count = t.e.add_constant(len, -((first + last) as i64));
            let at = t.e.constant(first as u64);
            let made = t.e.call(RuntimeCall::Slice, &[t.context, list, at, count])[0];
            let is_made = t.e.compare_constant(Condition::NotEqual, made, Value::UNDEF.0);
            t.e.require(is_made, slow);
            elements.push(made);
            elements.extend(behind);
        }
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

/// Multiple assignment from an Array that is not made.
fn expand_virtual(t: &mut Translator, to: u16, elements: &[Content], (first, last, has_rest): (usize, usize, bool)) {
    let nil = Content::of_constant(&mut t.e, Value::NIL);
    let at = |n: usize| elements.get(n).copied().unwrap_or(nil);
    let behind = if has_rest { elements.len().saturating_sub(last).max(first) } else { first };
    let in_front = (to..).zip((0..first).map(at));
    let behind_at = to + first as u16 + u16::from(has_rest);
    let behind_rest = (behind_at..).zip((behind..behind + last).map(at));
    for (register, content) in in_front.chain(behind_rest) {
        t.r.put(register, content);
    }
    if has_rest {
        let rest = elements.get(first..behind).unwrap_or_default();
        match virtual_objects::array(&mut t.e, rest) {
            Some(array) => t.r.write_object(to + first as u16, array),
            None => unreachable!("a part of an Array that is not made is as small"),
        }
    }
}

/// Sets a register to the value of another register if the value is of a type; `otherwise` sets the register if not.
pub fn unless_of_type(t: &mut Translator, ty: Type, from: u16, to: u16, otherwise: impl FnOnce(&mut Translator)) {
    if t.r.object(from).is_some_and(|object| object.header.ty() == ty) {
        return t.r.copy(&mut t.e, t.context, from, to);
    }
    let (v, kind, sample) = (t.read(from), t.r.kind(from), t.sample(Operand::Register(from)));
    if ty == Type::Array && kind == Kind::Shape(Known::Array.root_shape().0) {
        t.write(to, v, kind);
        return t.r.guess(to, sample);
    }
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
    t.r.guess(to, sample.filter(|v| cell::is(*v, ty)));
}

/// `*list`: the Array itself, or a copy of it (`[*list]`).
pub fn splat(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let by_runtime = |t: &mut Translator| t.runtime(RuntimeCall::Instruction, word);
    if i.c == 0 {
        return unless_of_type(t, Type::Array, i.b, i.a, by_runtime);
    }
    let v = t.read(i.b);
    let is_array = t.sample(Operand::Register(i.b)).is_none_or(|v| cell::is(v, Type::Array));
    let other = if is_array { t.e.cold_block() } else { t.e.block() };
    require_type(t, v, Type::Array, other);
    let register = t.r.at(i.a) as u16;
    let copy = |t: &mut Translator| {
        t.flush();
        let (_, len) = elements_of(t, v);
        let first = t.e.constant(0);
        let made = t.e.call(RuntimeCall::Slice, &[t.context, v, first, len])[0];
        let is_made = t.e.compare_constant(Condition::NotEqual, made, Value::UNDEF.0);
        t.e.require(is_made, other);
        t.write(i.a, made, Kind::Shape(Known::Array.root_shape().0));
        None
    };
    t.either(other, Some(register), copy, |t| {
        by_runtime(t);
        None
    });
}

/// Goes to `otherwise` unless the value is a cell of the type.
pub fn require_type(t: &mut Translator, v: Ssa, ty: Type, otherwise: Block) {
    t.require_cell(v, otherwise);
    let header = t.e.load32(v, 0);
    let found = t.e.and_constant(header, u64::from(abi::Flags::TYPE_MASK));
    let fits = t.e.compare_constant(Condition::Equal, found, ty as u64);
    t.e.require(fits, otherwise);
}

/// Goes to `otherwise` if the value is a Hash.
pub fn require_not_hash(t: &mut Translator, v: Ssa, otherwise: Block) {
    let (plain, cell) = (t.e.block(), t.e.block());
    let tag = t.e.and_constant(v, 7);
    t.e.branch(tag, plain, cell);
    t.e.at(cell);
    require_no_hash(t, v, otherwise);
    t.e.jump(plain, &[]);
    t.e.at(plain);
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
    if is_literal { literal(t, operand) } else { t.read(operand) }
}

/// A literal of the code.
pub fn literal(t: &mut Translator, number: u16) -> Ssa {
    let literal = t.code.literal(number as usize);
    t.keep(literal);
    t.e.constant(literal.0)
}

/// Is the receiver of `[]` at the word likely to be an Array?
fn expects_array(t: &Translator, word: usize, receiver: u16, is_literal: bool, key: u16) -> bool {
    let receiver_fits = match t.r.kind(receiver) {
        Kind::Constant(v) => cell::is(v, Type::Array),
        Kind::Shape(shape) => shape == Known::Array.root_shape().0,
        Kind::Fixnum | Kind::Flonum => false,
        Kind::Any | Kind::Cell => !t.sample(Operand::Register(receiver)).is_some_and(|v| cell::is(v, Type::Hash)),
    };
    let key_fits = match t.r.kind(key) {
        Kind::Constant(v) => v.is_fixnum(),
        Kind::Fixnum | Kind::Any => true,
        Kind::Cell | Kind::Shape(_) | Kind::Flonum => false,
    };
    let seen = t.seen(word);
    !is_literal && !seen.has(Seen::FAILED) && !seen.has(Seen::REACHED) && receiver_fits && key_fits
}

/// The address of the elements of a direct instance of Array, and their number; goes to `exit` for other values.
pub fn elements(t: &mut Translator, register: u16, v: Ssa, exit: Block) -> (Ssa, Ssa) {
    require_instance(t, register, v, Known::Array, exit);
    elements_of(t, v)
}

/// Goes to `exit` unless the value in a register is a direct instance of a core class without variables of its own.
pub fn require_instance(t: &mut Translator, register: u16, v: Ssa, of: Known, exit: Block) {
    let shape = of.root_shape().0;
    if t.r.kind(register) != Kind::Shape(shape) {
        t.require_cell(v, exit);
        let found = t.e.load32(v, ivars::SHAPE);
        ivars::require_shape(t, found, shape, exit);
        t.r.learn_shape(register, shape);
    }
}

/// The address of the elements of a value that is known to be an Array, and their number.
pub fn elements_of(t: &mut Translator, v: Ssa) -> (Ssa, Ssa) {
    payload_of(t, v, layout::EMBEDDED_LEN_SHIFT, |t, header| t.e.and_constant(header, layout::INDIRECT))
}

/// The address of the payload of a String or Array, and its length. `is_in_buffer` tests in the header whether the
/// words for length, start and buffer are in a buffer of their own instead of the cell.
pub fn payload_of(
    t: &mut Translator,
    v: Ssa,
    embedded_len_shift: u64,
    is_in_buffer: impl FnOnce(&mut Translator, Ssa) -> Ssa,
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
    let is_in_buffer = is_in_buffer(t, header);
    let words = words_of(t, v, is_in_buffer);
    let (count, first) = (t.e.load(words, 8 * payload::LEN), t.e.load(words, 8 * payload::START));
    t.e.jump(join, &[first, count]);
    t.e.at(join);
    (start, len)
}

/// The address of the words for length, start and buffer of a payload that is not in the cell: in the cell, or if
/// `is_in_buffer`, in a buffer of their own.
pub fn words_of(t: &mut Translator, v: Ssa, is_in_buffer: Ssa) -> Ssa {
    let (join, words) = t.e.join();
    let (in_cell, in_buffer) = (t.e.block(), t.e.cold_block());
    t.e.branch(is_in_buffer, in_buffer, in_cell);
    t.e.at(in_cell);
    let first = t.e.add_constant(v, 8);
    t.e.jump(join, &[first]);
    t.e.at(in_buffer);
    let first = t.e.load(v, 8);
    t.e.jump(join, &[first]);
    t.e.at(join);
    words
}

/// The length of a payload in the cell itself.
pub fn embedded_len(t: &mut Translator, header: Ssa, shift: u64) -> Ssa {
    let len = t.e.binary_constant(Binary::ShiftRightUnsigned, header, shift);
    t.e.and_constant(len, 0xff)
}

/// The untagged index of a key; goes to `exit` if it is out of bounds.
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
