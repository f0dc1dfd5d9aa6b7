//! Methods of Float, and of Integer and Math with Floats as results, that are translated to operations on doubles.

use abi::Value;
use object::class;
use runtime::method_table::InLine;

use crate::{
    arithmetic::Operand,
    floats,
    ir::{FloatBinary, FloatCondition},
    objects,
    registers::Kind,
    seam::{Block, Ssa},
    translate::Translator,
};

/// Small integers have 63 bits: they are below this number and not below its negative.
const LIMIT: f64 = (1u64 << 62) as f64;

/// Are receivers of the shape flonums?
pub fn is_flonum(shape: u32) -> bool {
    class::immediate_of_key(shape) == Some((3, floats::TAG))
}

/// Is the method translated by [`translate`]?
pub fn includes(which: InLine) -> bool {
    use InLine::{Ceiling, Floor, Magnitude, Rounded, Truncated};
    matches!(which, Magnitude | Truncated | Floor | Ceiling | Rounded)
}

/// Is a register expected to hold a Float?
pub fn is_expected(t: &Translator, register: u16) -> bool {
    t.r.kind(register).is_flonum()
        || t.r.double(register).is_some()
        || t.sample(Operand::Register(register)).is_some_and(Value::is_flonum)
}

/// Emits the operation for a flonum in the window's first register; goes to `full` if the call must be made.
pub fn translate(t: &mut Translator, which: InLine, window: u16, to: u16, full: Block) {
    let double = double(t, window, full);
    if which == InLine::Magnitude {
        let bits = t.e.bits_of_float(double);
        let bits = t.e.and_constant(bits, i64::MAX as u64);
        let double = t.e.float_of_bits(bits);
        return t.r.write_double(to, double);
    }
    let whole = truncated(t, double, full);
    let n = match which {
        InLine::Floor => adjusted(t, whole, double, FloatCondition::Greater, -1),
        InLine::Ceiling => adjusted(t, whole, double, FloatCondition::Less, 1),
        InLine::Rounded => rounded(t, whole, double),
        _ => whole,
    };
    let n = objects::tagged(t, n);
    t.write(to, n, Kind::Fixnum);
}

/// `Math.sqrt` of the Float in a register; goes to `full` unless it is one above 0. (An Integer's `to_f` may be a
/// method of the program.)
pub fn square_root(t: &mut Translator, register: u16, to: u16, full: Block) {
    let double = double(t, register, full);
    let zero = t.e.float_constant(0.0);
    let is_positive = t.e.compare_floats(FloatCondition::Greater, double, zero);
    t.e.require(is_positive, full);
    let root = t.e.square_root(double);
    t.r.write_double(to, root);
}

/// The double of the Float in a register; goes to `otherwise` for any other value.
pub fn double(t: &mut Translator, register: u16, otherwise: Block) -> Ssa {
    if let Some(double) = t.r.double(register) {
        return double;
    }
    let (v, is_flonum) = (t.read(register), t.r.kind(register).is_flonum());
    if is_flonum { floats::decode(&mut t.e, v) } else { floats::of_value(&mut t.e, v, otherwise) }
}

/// The integral part; goes to `otherwise` if it, or a neighbour of it, is not a small integer.
fn truncated(t: &mut Translator, double: Ssa, otherwise: Block) -> Ssa {
    let (lowest, limit) = (t.e.float_constant(-LIMIT), t.e.float_constant(LIMIT));
    let is_above = t.e.compare_floats(FloatCondition::Greater, double, lowest);
    t.e.require(is_above, otherwise);
    let is_below = t.e.compare_floats(FloatCondition::Less, double, limit);
    t.e.require(is_below, otherwise);
    t.e.integer_of_float(double)
}

/// The integral part of a double, plus `by` if the integral part compares in this way with the double.
fn adjusted(t: &mut Translator, whole: Ssa, double: Ssa, how: FloatCondition, by: i64) -> Ssa {
    let integral = t.e.float_of_integer(whole);
    let neighbour = t.e.add_constant(whole, by);
    let is_beyond = t.e.compare_floats(how, integral, double);
    t.e.select(is_beyond, neighbour, whole)
}

/// The integer nearest to a double, of two the one further from 0. The part behind the point is exact.
fn rounded(t: &mut Translator, whole: Ssa, double: Ssa) -> Ssa {
    let integral = t.e.float_of_integer(whole);
    let part = t.e.float_binary(FloatBinary::Subtract, double, integral);
    let (half, negative_half) = (t.e.float_constant(0.5), t.e.float_constant(-0.5));
    let [above, below] = [1, -1].map(|by| t.e.add_constant(whole, by));
    let is_above = t.e.compare_floats(FloatCondition::GreaterEqual, part, half);
    let n = t.e.select(is_above, above, whole);
    let is_below = t.e.compare_floats(FloatCondition::LessEqual, part, negative_half);
    t.e.select(is_below, below, n)
}
