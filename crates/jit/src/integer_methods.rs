//! Methods of small integers that are translated to operations on their tagged forms, which are 2n + 1.

use abi::Value;
use runtime::method_table::InLine;

use crate::{
    arithmetic,
    ir::{Binary, Checked, Condition},
    natives::small_integer,
    objects,
    registers::Kind,
    seam::{Block, Ssa},
    sites::Site,
    translate::Translator,
};

/// Is the method translated by [`translate`]?
pub fn includes(which: InLine) -> bool {
    use InLine::{Bit, Ceiling, Even, Floor, Magnitude, Next, Odd, Previous, Rounded, ToFloat, Truncated, Zero};
    let changes = matches!(which, Next | Previous | Magnitude | ToFloat | Truncated | Floor | Ceiling | Rounded);
    changes || matches!(which, Bit | Even | Odd | Zero)
}

/// Emits the operation for a fixnum; goes to `full` if the call must be made.
pub fn translate(t: &mut Translator, call: Site, which: InLine, receiver: Ssa, full: Block) {
    let to = call.destination;
    let v = match which {
        InLine::Next | InLine::Previous => {
            let two = t.e.constant(2);
            let how = if which == InLine::Next { Checked::Add } else { Checked::Subtract };
            t.e.checked(how, receiver, two, full)
        }
        InLine::Magnitude => {
            let two = t.e.constant(2);
            let opposite = t.e.checked(Checked::Subtract, two, receiver, full);
            let is_negative = t.e.compare_constant(Condition::Less, receiver, 0);
            t.e.select(is_negative, opposite, receiver)
        }
        InLine::Bit => bit(t, receiver, call.window + 1, full),
        InLine::ToFloat => {
            let double = arithmetic::of_fixnum(t, receiver);
            return t.r.write_double(to, double);
        }
        InLine::Even | InLine::Odd => {
            let bit = t.e.and_constant(receiver, 2);
            return t.write_bool(to, bit, which == InLine::Odd);
        }
        InLine::Zero => {
            let is_zero = t.e.compare_constant(Condition::Equal, receiver, Value::fixnum(0).0);
            return t.write_bool(to, is_zero, true);
        }
        _ => receiver,
    };
    t.write(to, v, Kind::Fixnum);
}

/// The bit whose number is in a register, as a fixnum.
fn bit(t: &mut Translator, receiver: Ssa, number: u16, full: Block) -> Ssa {
    let at = small_integer(t, number, full);
    let fits = t.e.compare_constant(Condition::Below, at, 62);
    t.e.require(fits, full);
    let bits = t.e.shift_right(receiver, 1);
    let bits = t.e.binary(Binary::ShiftRight, bits, at);
    let bit = t.e.and_constant(bits, 1);
    objects::tagged(t, bit)
}
