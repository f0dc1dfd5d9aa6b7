//! Conversion of flonums to doubles and back; `abi::Value` defines the format.

use object::Known;

use crate::{
    cells,
    ir::{Binary, Condition, Origin},
    registers,
    seam::{Block, Emitter, Ssa},
};

/// The flonum that is 0.0.
const ZERO: u64 = 0x8000_0000_0000_0002;

/// The two lowest bits of flonums.
pub const TAG: u64 = 2;

/// Is the value a flonum?
pub fn is(e: &mut Emitter, v: Ssa) -> Ssa {
    let tag = e.and_constant(v, 3);
    e.compare_constant(Condition::Equal, tag, TAG)
}

/// The double of a Float, immediate or boxed; goes to `exit` for any other value.
pub fn of_value(e: &mut Emitter, v: Ssa, exit: Block) -> Ssa {
    let (join, immediate, boxed) = (e.block(), e.block(), e.cold_block());
    let result = e.parameter(join, Origin::Double);
    let is_flonum = is(e, v);
    e.branch(is_flonum, immediate, boxed);
    e.at(immediate);
    let double = decode(e, v);
    e.jump(join, &[double]);
    e.at(boxed);
    let double = of_boxed(e, v, exit);
    e.jump(join, &[double]);
    e.at(join);
    result
}

/// The double of a boxed Float; goes to `exit` for any other value.
pub fn of_boxed(e: &mut Emitter, v: Ssa, exit: Block) -> Ssa {
    registers::require_cell(e, v, exit);
    let shape = e.load32(v, 4);
    let is_float = e.compare_constant(Condition::Equal, shape, u64::from(Known::Float.root_shape().0));
    e.require(is_float, exit);
    let bits = e.load(v, 8);
    e.float_of_bits(bits)
}

/// The double of a flonum.
pub fn decode(e: &mut Emitter, v: Ssa) -> Ssa {
    let top = e.binary_constant(Binary::ShiftRightUnsigned, v, 63);
    let two = e.constant(2);
    let low = e.binary(Binary::Subtract, two, top);
    let rest = e.and_constant(v, !3);
    let bits = e.binary(Binary::Or, rest, low);
    let bits = e.binary_constant(Binary::RotateRight, bits, 3);
    let is_zero = e.compare_constant(Condition::Equal, v, ZERO);
    let zero = e.constant(0);
    let bits = e.select(is_zero, zero, bits);
    e.float_of_bits(bits)
}

/// The value of a double: a flonum if the exponent allows it, otherwise a Float object.
pub fn encode(e: &mut Emitter, context: Ssa, float: Ssa) -> Ssa {
    let bits = e.bits_of_float(float);
    let (join, result) = e.join();
    let (fits, other, zero, boxed) = (e.block(), e.cold_block(), e.cold_block(), e.cold_block());
    // The top bits of the exponent must be 011 or 100. Adding one makes them 100 or 101, whose upper two bits are 10.
    let top = e.binary_constant(Binary::ShiftRightUnsigned, bits, 60);
    let top = e.add_constant(top, 1);
    let top = e.and_constant(top, 6);
    let in_range = e.compare_constant(Condition::Equal, top, 4);
    let smallest = e.compare_constant(Condition::NotEqual, bits, 0x3000_0000_0000_0000);
    let immediate = e.and(in_range, smallest);
    e.branch(immediate, fits, other);
    e.at(fits);
    let rotated = e.binary_constant(Binary::RotateLeft, bits, 3);
    let rotated = e.and_constant(rotated, !3);
    let flonum = e.or_constant(rotated, 2);
    e.jump(join, &[flonum]);
    e.at(other);
    let is_zero = e.compare_constant(Condition::Equal, bits, 0);
    e.branch(is_zero, zero, boxed);
    e.at(zero);
    let flonum = e.constant(ZERO);
    e.jump(join, &[flonum]);
    e.at(boxed);
    cells::jump_with_float(e, context, bits, join);
    e.at(join);
    result
}
