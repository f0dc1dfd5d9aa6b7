//! Native methods that are translated to operations of the intermediate representation, see [`InLine`].

use abi::{Flags, RuntimeCall, Scope, ShapeId, Type, Value};
use object::{Known, Sym, cell, class, class::call_cache::CacheRef, method_entry, string, string::for_code as layout};
use runtime::{
    call::{arity, site::native_row},
    code::live_code,
    instructions::ivars::{InShape, in_shape},
    method_table,
    method_table::InLine,
    sym,
};

use crate::{
    appends,
    bodies::{OuterScope, Passed, Place},
    float_methods::{self, is_flonum},
    instances, integer_methods,
    ir::Condition,
    new::attached,
    objects,
    registers::Kind,
    seam::{Block, Ssa},
    sites::Site,
    structs,
    translate::Translator,
};
use std::mem::offset_of;

/// The operation that replaces a call, if there is one for its arguments.
pub fn operation(t: &Translator, call: Site, cache: CacheRef, shape: Option<u32>) -> Option<InLine> {
    let row = native_row(cache);
    let which = row.in_line?;
    if call.site.literal_arguments & !row.facts.borrowed != 0 {
        // The method would get copies of the literals, which are not frozen and not identical with others.
        return None;
    }
    let count = call.arguments();
    let fits = match (which, shape) {
        (InLine::Same | InLine::Instance, _) => count == 1,
        (InLine::Nothing, _) => count == 0,
        (InLine::Itself | InLine::Not | InLine::IsNil, _) => true,
        (InLine::EmptyArray | InLine::FilledArray, _) => false,
        (InLine::KindOf, None) => count == 1 && class_argument(t, call).is_some(),
        (InLine::BlockGiven, _) => count == 0 && place_of_method(t).is_some(),
        (_, None) => false,
        (InLine::RespondTo, Some(shape)) => count == 1 && responds(t, call, shape).is_some(),
        (InLine::KindOf, Some(shape)) => count == 1 && is_kind_of(t, call, shape).is_some(),
        (InLine::Class, Some(shape)) => class_of(t, shape).is_some(),
        (InLine::Frozen, Some(shape)) => is_string(shape) || !is_of_string_class(t, shape),
        (InLine::HasVariable, Some(shape)) => count == 1 && variable_named(t, call, shape).is_some(),
        (InLine::Variable | InLine::SetVariable, Some(_)) => false,
        (InLine::InstanceOf, Some(shape)) => count == 1 && is_instance_of(t, call, shape).is_some(),
        (InLine::Plain, Some(shape)) => {
            let is_of = |known: &Known| known.root_shape().0 == shape;
            let is_plain = [Known::String, Known::Array, Known::Hash].iter().any(is_of);
            is_plain && count == 0
        }
        (InLine::First | InLine::Last, Some(shape)) => count == 0 && shape == Known::Array.root_shape().0,
        (InLine::HasKey, Some(shape)) => count == 1 && shape == Known::Hash.root_shape().0,
        (InLine::Different, Some(shape)) => count == 1 && is_compared_by_identity(t, shape).is_some(),
        (InLine::ByteAt, Some(shape)) => count == 1 && is_string(shape),
        (InLine::SetByte, Some(shape)) => count == 2 && is_string(shape),
        (InLine::ByteSize, Some(shape)) => is_string(shape),
        (InLine::Push, Some(shape)) => count == 1 && shape == Known::Array.root_shape().0,
        (InLine::Bit, Some(shape)) => count == 1 && is_fixnum(shape),
        (InLine::Next | InLine::Previous | InLine::ToFloat, Some(shape)) => is_fixnum(shape),
        (InLine::Magnitude, Some(shape)) => is_fixnum(shape) || is_flonum(shape),
        (InLine::Truncated | InLine::Floor | InLine::Ceiling | InLine::Rounded, Some(shape)) => {
            count == 0 && (is_fixnum(shape) || is_flonum(shape))
        }
        (InLine::SquareRoot, Some(_)) => count == 1 && float_methods::is_expected(t, call.window + 1),
        (InLine::Even | InLine::Odd | InLine::Zero, Some(shape)) => is_fixnum(shape),
        (InLine::NewStruct | InLine::NewData, Some(shape)) => structs::instance(t, call, which, shape).is_some(),
    };
    (fits && row.accepts(count as usize)).then_some(which)
}

/// Whether the operation takes the keywords of the call.
pub fn takes_keywords(t: &Translator, call: Site, cache: CacheRef, shape: u32) -> bool {
    matches!(operation(t, call, cache, Some(shape)), Some(InLine::NewStruct | InLine::NewData))
}

/// Emits the operation for a receiver of the shape; goes to `full` if the call must be made. The result is in the
/// call's destination.
pub fn translate(t: &mut Translator, call: Site, which: InLine, shape: Option<u32>, receiver: Ssa, full: Block) {
    match shape {
        Some(shape) if is_fixnum(shape) && integer_methods::includes(which) => {
            integer_methods::translate(t, call, which, receiver, full);
        }
        Some(shape) if is_flonum(shape) && float_methods::includes(which) => {
            float_methods::translate(t, which, call.window, call.destination, full);
        }
        Some(shape) => for_shape(t, call, which, shape, receiver, full),
        None => for_any_shape(t, call, which, None, receiver),
    }
}

/// The operations that need not know the receiver's shape.
fn for_any_shape(t: &mut Translator, call: Site, which: InLine, shape: Option<u32>, receiver: Ssa) {
    let to = call.destination;
    match which {
        InLine::KindOf => {
            let module = t.read(call.window + 1);
            instances::test(t, to, module, class_argument(t, call), call.window);
        }
        InLine::Same => {
            let other = t.read(call.window + 1);
            let is_same = t.e.compare(Condition::Equal, receiver, other);
            t.write_bool(to, is_same, true);
        }
        InLine::Itself => {
            let kind = t.r.kind(call.window);
            t.write(to, receiver, kind);
        }
        InLine::Nothing => t.write_constant(to, Value::NIL),
        InLine::Instance => {
            let module = match t.r.kind(call.window) {
                Kind::Constant(module) => Some(module),
                _ => shape.and_then(|shape| attached(t.cx, shape)),
            };
            instances::test(t, to, receiver, module, call.window + 1);
        }
        InLine::Not => not(t, to, receiver),
        InLine::IsNil => is_nil(t, to, receiver),
        InLine::BlockGiven => block_given(t, to),
        _ => unreachable!("`operation` asks for the shape"),
    }
}

fn for_shape(t: &mut Translator, call: Site, which: InLine, shape: u32, receiver: Ssa, full: Block) {
    let to = call.destination;
    match which {
        InLine::RespondTo => {
            let answer = responds(t, call, shape).is_some_and(|answer| answer.of_missing.is_none());
            rely_on_answer(t, call, shape);
            t.write_constant(to, Value::bool(answer));
        }
        InLine::KindOf => {
            let answer = is_kind_of(t, call, shape).unwrap_or(false);
            t.write_constant(to, Value::bool(answer));
        }
        InLine::InstanceOf => {
            let answer = is_instance_of(t, call, shape).unwrap_or(false);
            t.write_constant(to, Value::bool(answer));
        }
        InLine::First | InLine::Last => end_of_array(t, to, receiver, which == InLine::First),
        InLine::HasKey => {
            let key = t.read(call.window + 1);
            let v = t.e.call(RuntimeCall::HasKey, &[t.context, receiver, key])[0];
            let is_done = t.e.compare_constant(Condition::NotEqual, v, Value::UNDEF.0);
            t.e.require(is_done, full);
            t.write(to, v, Kind::Any);
        }
        InLine::Class => {
            let of = class_of(t, shape).unwrap_or(Value::NIL);
            t.keep(of);
            t.write_constant(to, of);
        }
        InLine::Frozen if class::immediate_of_key(shape).is_some() => t.write_constant(to, Value::TRUE),
        InLine::Frozen => {
            let header = t.e.load(receiver, 0);
            let locked = if is_string(shape) { string::LOCKED } else { 0 };
            let bits = t.e.and_constant(header, u64::from(Flags::FROZEN | locked));
            let is_frozen = t.e.compare_constant(Condition::Equal, bits, u64::from(Flags::FROZEN));
            t.write_bool(to, is_frozen, true);
        }
        InLine::HasVariable => {
            let is_set = matches!(variable_named(t, call, shape), Some(InShape::At(_) | InShape::OfClass(_)));
            t.write_constant(to, Value::bool(is_set));
        }
        InLine::Variable | InLine::SetVariable => unreachable!("these are translated as attributes"),
        InLine::Different => {
            if let Some(class) = is_compared_by_identity(t, shape) {
                t.rely_on_lookup(class, sym::EQ);
            }
            let other = t.read(call.window + 1);
            let is_same = t.e.compare(Condition::Equal, receiver, other);
            t.write_bool(to, is_same, false);
        }
        InLine::Push => {
            let (value, kind) = (t.read(call.window + 1), t.r.kind(call.window + 1));
            let other = t.e.cold_block();
            let append = |t: &mut Translator| {
                appends::append(t, receiver, (value, kind), other);
                None
            };
            t.either(other, None, append, |t| {
                let v = t.e.call(RuntimeCall::Push, &[t.context, receiver, value])[0];
                let is_done = t.e.compare_constant(Condition::NotEqual, v, Value::UNDEF.0);
                t.e.require(is_done, full);
                None
            });
            t.write(to, receiver, Kind::Shape(shape));
        }
        InLine::ByteSize => {
            let (_, len) = bytes_of(t, receiver);
            let n = objects::tagged(t, len);
            t.write(to, n, Kind::Fixnum);
        }
        InLine::ByteAt => {
            let byte = byte_at(t, receiver, call.window + 1, full);
            let n = objects::tagged(t, byte);
            t.write(to, n, Kind::Fixnum);
        }
        InLine::SetByte => {
            let value = set_byte(t, receiver, call.window + 1, full);
            t.write(to, value, Kind::Fixnum);
        }
        InLine::SquareRoot => float_methods::square_root(t, call.window + 1, to, full),
        InLine::Plain => t.write(to, receiver, Kind::Shape(shape)),
        InLine::EmptyArray | InLine::FilledArray => unreachable!("`new` creates the Array"),
        InLine::NewStruct | InLine::NewData => structs::new(t, call, which, shape),
        InLine::Next
        | InLine::Previous
        | InLine::ToFloat
        | InLine::Truncated
        | InLine::Floor
        | InLine::Ceiling
        | InLine::Rounded
        | InLine::Magnitude
        | InLine::Bit
        | InLine::Even
        | InLine::Odd
        | InLine::Zero => unreachable!("the receiver is a number"),
        InLine::Same
        | InLine::Itself
        | InLine::Nothing
        | InLine::Instance
        | InLine::Not
        | InLine::IsNil
        | InLine::BlockGiven => {
            for_any_shape(t, call, which, Some(shape), receiver);
        }
    }
}

/// `first` and `last` of an Array.
fn end_of_array(t: &mut Translator, to: u16, list: Ssa, is_first: bool) {
    let (start, len) = objects::elements_of(t, list);
    let empty = t.e.block();
    t.e.require(len, empty);
    let at = if is_first { t.e.constant(0) } else { t.e.add_constant(len, -1) };
    let v = t.e.load_indexed(start, at);
    let v = t.either(empty, None, |_| Some(v), |t| Some(t.e.constant(Value::NIL.0))).unwrap_or(v);
    t.write(to, v, Kind::Any);
}

/// `!v`.
pub fn not(t: &mut Translator, to: u16, v: Ssa) {
    let truthy = t.e.truthy(v);
    t.write_bool(to, truthy, false);
}

/// `v.nil?`.
pub fn is_nil(t: &mut Translator, to: u16, v: Ssa) {
    let is_nil = t.e.compare_constant(Condition::Equal, v, Value::NIL.0);
    t.write_bool(to, is_nil, true);
}

/// `block_given?`
fn block_given(t: &mut Translator, to: u16) {
    let scope = match place_of_method(t) {
        Some(Place::Outer(scope)) => t.outer_scope(scope),
        Some(Place::Body(number)) => {
            let is_given = matches!(t.bodies[number].block, Passed::Literal { .. });
            return t.write_constant(to, Value::bool(is_given));
        }
        None => unreachable!("`operation` asks for the place"),
    };
    let block = t.e.load(scope, offset_of!(Scope, block));
    let is_given = t.e.compare_constant(Condition::NotEqual, block, Value::NIL.0);
    t.write_bool(to, is_given, true);
}

/// Where the scope of the method around the running body is; `None` if there is none, or if it is found only through
/// scopes outside of the unit, which a block that runs in a Ractor does not have.
fn place_of_method(t: &Translator) -> Option<Place> {
    let (mut depth, mut code) = (0, t.code);
    while matches!(code.kind, bytecode::Kind::Block | bytecode::Kind::Lambda) {
        let parent = code.parent.get();
        // SAFETY: a code object keeps the one around it alive.
        code = (!parent.is_nil()).then(|| unsafe { live_code(parent) })?;
        depth += 1;
    }
    let place = (code.kind == bytecode::Kind::Method).then(|| t.scope_of(depth))?;
    matches!(place, Place::Body(_) | Place::Outer(OuterScope { depth: 0, .. })).then_some(place)
}

/// Where receivers of a shape have, or had once, the instance variable that the first argument names, if that is a
/// literal Symbol. The names of variables that no program sees do not begin with `@`.
pub fn variable_named(t: &Translator, call: Site, shape: u32) -> Option<InShape> {
    let Kind::Constant(name) = t.r.kind(call.window + 1) else { return None };
    let name = Sym::from_value(name).filter(|name| name.bytes(t.cx).first() == Some(&b'@'))?;
    let is_object = class::immediate_of_key(shape).is_none() && !is_of_string_class(t, shape);
    let place = is_object.then(|| in_shape(t.cx, ShapeId(shape), name)).flatten();
    place.filter(|place| !matches!(place, InShape::Missing))
}

/// Are receivers of the shape Strings? Also true if it is not known.
fn is_of_string_class(t: &Translator, shape: u32) -> bool {
    let strings = t.cx.class(Known::String);
    class::immediate_of_key(shape).is_none()
        && found_in(t, shape).is_none_or(|class| class::ancestors::inherits(class, strings))
}

/// The untagged value of an argument that is a small integer; goes to `full` for any other value.
pub fn small_integer(t: &mut Translator, register: u16, full: Block) -> Ssa {
    let v = t.read(register);
    if !t.r.kind(register).is_fixnum() {
        let bit = t.e.and_constant(v, 1);
        t.e.require(bit, full);
    }
    t.e.shift_right(v, 1)
}

fn is_string(shape: u32) -> bool {
    shape == Known::String.root_shape().0
}

fn is_fixnum(shape: u32) -> bool {
    class::immediate_of_key(shape) == Some((1, 1))
}

/// The class of receivers of a shape, which may be a singleton class; `None` for immediates, and for shapes whose class
/// is dead.
pub fn found_in(t: &Translator, shape: u32) -> Option<Value> {
    let found = class::immediate_of_key(shape).is_none().then(|| t.cx.world().shapes.class(abi::ShapeId(shape)));
    found.filter(|class| class::is_module(*class))
}

/// The class of a shape's receivers, if the code may rely on lookups in it. The code then keeps the class alive, so it
/// must not be an object's singleton class, which keeps the object alive.
fn lookups_of(t: &Translator, shape: u32) -> Option<Value> {
    let is_lasting = |class: &Value| !class::flags(*class).singleton || class::is_module(class::attached(*class));
    found_in(t, shape).filter(is_lasting).filter(|_| t.tier.may_rely())
}

/// The result of `class` for receivers of a shape.
fn class_of(t: &Translator, shape: u32) -> Option<Value> {
    found_in(t, shape).map(class::non_singleton)
}

/// Whether a receiver of the shape is an instance of the argument, which is a class. A class's superclasses never
/// change.
fn is_kind_of(t: &Translator, call: Site, shape: u32) -> Option<bool> {
    let of = class_argument(t, call)?;
    found_in(t, shape).map(|class| class::ancestors::inherits(class, of))
}

/// Whether the argument, which is a class, is the class of receivers of the shape.
fn is_instance_of(t: &Translator, call: Site, shape: u32) -> Option<bool> {
    let of = class_argument(t, call)?;
    class_of(t, shape).map(|class| class == of)
}

/// The class that the first argument is, if it is a constant.
fn class_argument(t: &Translator, call: Site) -> Option<Value> {
    let Kind::Constant(of) = t.r.kind(call.window + 1) else { return None };
    cell::is(of, Type::Class).then_some(of)
}

/// The class of receivers of a shape, if their `==` is known to be BasicObject's.
fn is_compared_by_identity(t: &Translator, shape: u32) -> Option<Value> {
    let class = lookups_of(t, shape)?;
    let entry = class::lookup::known(class, sym::EQ).filter(|entry| !entry.is_undef())?;
    let is_native = method_entry::kind(entry) == method_entry::Kind::Native;
    (is_native && method_table::row(entry).in_line == Some(InLine::Same)).then_some(class)
}

/// The result of `respond_to?`, and the lookups on which it depends.
struct Answer {
    class: Value,
    name: Sym,
    /// If there is no such method: the entry of the core's `respond_to_missing?`, which always returns false.
    of_missing: Option<Value>,
}

/// Whether receivers of a shape respond to the literal Symbol; `None` if earlier lookups do not determine it.
fn responds(t: &Translator, call: Site, shape: u32) -> Option<Answer> {
    let Kind::Constant(name) = t.r.kind(call.window + 1) else { return None };
    if !name.is_static_symbol() || t.may_refine(Sym::of(name)) {
        return None;
    }
    let (class, name) = (lookups_of(t, shape)?, Sym::of(name));
    let entry = class::lookup::known(class, name)?;
    if entry.is_undef() || method_entry::visibility(entry) != method_entry::Visibility::Public {
        let missing = class::lookup::known(class, sym::RESPOND_TO_MISSING)?;
        let says_no = !missing.is_undef() && runtime::call::is_core(missing);
        return says_no.then_some(Answer { class, name, of_missing: Some(missing) });
    }
    (!arity::is_not_implemented(entry)).then_some(Answer { class, name, of_missing: None })
}

fn rely_on_answer(t: &mut Translator, call: Site, shape: u32) {
    let Some(Answer { class, name, of_missing }) = responds(t, call, shape) else { return };
    t.rely_on_lookup(class, name);
    if of_missing.is_some() {
        t.rely_on_lookup(class, sym::RESPOND_TO_MISSING);
    }
}

/// The byte of a String at the index in a register; goes to `otherwise` if that is no small integer or out of bounds.
pub fn byte_at(t: &mut Translator, v: Ssa, index: u16, otherwise: Block) -> Ssa {
    let at = small_integer(t, index, otherwise);
    let (start, len) = bytes_of(t, v);
    let within = t.e.compare(Condition::Below, at, len);
    t.e.require(within, otherwise);
    t.e.load_byte(start, at)
}

/// Sets a byte of a String; the index and the byte are in adjacent registers. Returns the byte's argument. Goes to
/// `otherwise`, without any effect, unless both are small integers, the String may be changed in its own memory, and
/// its code range stays as it is.
fn set_byte(t: &mut Translator, v: Ssa, arguments: u16, otherwise: Block) -> Ssa {
    let (at, byte) = (small_integer(t, arguments, otherwise), small_integer(t, arguments + 1, otherwise));
    let header = t.e.load(v, 0);
    let bits = t.e.and_constant(header, layout::NOT_WRITABLE);
    let is_writable = t.e.compare_constant(Condition::Equal, bits, 0);
    t.e.require(is_writable, otherwise);
    let (start, len) = bytes_of(t, v);
    let within = t.e.compare(Condition::Below, at, len);
    t.e.require(within, otherwise);
    let (known, store) = (t.e.block(), t.e.block());
    let range = t.e.and_constant(header, layout::CODE_RANGE);
    t.e.branch(range, known, store);
    t.e.at(known);
    let is_ascii = t.e.compare_constant(Condition::Equal, range, layout::ASCII);
    t.e.require(is_ascii, otherwise);
    let high = t.e.and_constant(byte, 0x80);
    let stays_ascii = t.e.compare_constant(Condition::Equal, high, 0);
    t.e.require(stays_ascii, otherwise);
    t.e.jump(store, &[]);
    t.e.at(store);
    t.e.store_byte(byte, start, at);
    t.read(arguments + 1)
}

/// Goes to `otherwise` unless the String is known to have only ASCII characters; returns its header.
pub fn require_ascii(t: &mut Translator, v: Ssa, otherwise: Block) -> Ssa {
    let header = t.e.load(v, 0);
    let range = t.e.and_constant(header, layout::CODE_RANGE);
    let is_ascii = t.e.compare_constant(Condition::Equal, range, layout::ASCII);
    t.e.require(is_ascii, otherwise);
    header
}

/// The address of the bytes of a String, and their number.
pub fn bytes_of(t: &mut Translator, v: Ssa) -> (Ssa, Ssa) {
    objects::payload_of(t, v, layout::EMBEDDED_LEN_SHIFT, |t, header| {
        let len = objects::embedded_len(t, header, layout::EMBEDDED_LEN_SHIFT);
        t.e.compare_constant(Condition::Equal, len, layout::INDIRECT)
    })
}
