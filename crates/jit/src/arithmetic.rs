//! Operators on numbers: in line after guards for the expected kinds, otherwise by the runtime.

use abi::{Type, Value};
use bytecode::{Opcode, Operands};
use object::{Known, cell};
use runtime::{
    basic_ops::{BasicOp, Redefined},
    code::tier::Seen,
};

use crate::{
    appends,
    bodies::target,
    equality, floats, instances, instruction,
    ir::{Binary, Checked, Condition, FloatBinary, FloatCondition, Origin},
    registers::Kind,
    seam::{Block, Ssa},
    translate::Translator,
};

/// An operand of an operator.
#[derive(Clone, Copy, PartialEq)]
pub enum Operand {
    Register(u16),
    Constant(Value),
}

/// What an operator's operands are expected to be.
#[derive(Clone, Copy, PartialEq)]
enum Expected {
    Fixnums,
    Floats,
    Anything,
}

/// The small integer that an operand of an instruction is.
pub fn small(n: u16) -> Operand {
    Operand::Constant(Value::fixnum(n as i16 as i64))
}

/// `+`, `-`, `*`, `/`, `%` and the operators on bits.
pub fn arithmetic(t: &mut Translator, word: usize, opcode: Opcode, to: u16, left: Operand, right: Operand) {
    let Some(op) = basic_op(opcode) else { return by_runtime(t, word, opcode, to, left, right) };
    match expected(t, word, left, right) {
        // If both operands may be Integers, the result may be an Integer, so at least one must be a Float.
        Expected::Floats
            if has_float_form(op) && !both_may_be_fixnums(t, word, left, right) && assume_numbers(t, op) =>
        {
            let (x, y) = (rounded_double(t, word, left, Seen::left), rounded_double(t, word, right, Seen::right));
            let how = match op {
                BasicOp::Plus => FloatBinary::Add,
                BasicOp::Minus => FloatBinary::Subtract,
                BasicOp::Times => FloatBinary::Multiply,
                _ => FloatBinary::Divide,
            };
            let result = t.e.float_binary(how, x, y);
            t.r.write_double(to, result);
        }
        Expected::Fixnums
            if (op != BasicOp::ShiftLeft || are_fixnums(t, word, left, right)) && assume_numbers(t, op) =>
        {
            let (a, b) = fixnums(t, word, left, right);
            let exit = t.exit(word);
            let v = on_fixnums(t, op, a, b, right, exit);
            t.write(to, v, Kind::Fixnum);
        }
        _ => by_runtime(t, word, opcode, to, left, right),
    }
}

/// An operator on two tagged fixnums: 2a + 1 and 2b + 1. Goes to `exit` if the result is not a fixnum.
fn on_fixnums(t: &mut Translator, op: BasicOp, a: Ssa, b: Ssa, right: Operand, exit: Block) -> Ssa {
    match op {
        BasicOp::Plus => {
            let b = t.e.add_constant(b, -1);
            t.e.checked(Checked::Add, a, b, exit)
        }
        BasicOp::Minus => {
            let b = t.e.add_constant(b, -1);
            t.e.checked(Checked::Subtract, a, b, exit)
        }
        BasicOp::Times => {
            let a = t.e.add_constant(a, -1);
            let b = t.e.shift_right(b, 1);
            let v = t.e.checked(Checked::Multiply, a, b, exit);
            t.e.or_constant(v, 1)
        }
        BasicOp::And => t.e.and(a, b),
        BasicOp::Or => t.e.binary(Binary::Or, a, b),
        BasicOp::Xor => {
            let v = t.e.binary(Binary::Xor, a, b);
            t.e.or_constant(v, 1)
        }
        BasicOp::ShiftLeft => {
            // Shifts by large or negative distances, and results that are not fixnums, are left to the interpreter.
            let by = t.e.shift_right(b, 1);
            let fits = t.e.compare_constant(Condition::Below, by, 62);
            t.e.require(fits, exit);
            let a = t.e.add_constant(a, -1);
            let v = t.e.binary(Binary::ShiftLeft, a, by);
            let back = t.e.binary(Binary::ShiftRight, v, by);
            let is_whole = t.e.compare(Condition::Equal, back, a);
            t.e.require(is_whole, exit);
            t.e.or_constant(v, 1)
        }
        BasicOp::ShiftRight => {
            // Shifts by large or negative distances are left to the interpreter.
            let by = t.e.shift_right(b, 1);
            let fits = t.e.compare_constant(Condition::Below, by, 63);
            t.e.require(fits, exit);
            let v = t.e.binary(Binary::ShiftRight, a, by);
            t.e.or_constant(v, 1)
        }
        BasicOp::Divide => quotient(t, a, b, right, exit),
        _ => remainder(t, a, b, right, exit),
    }
}

/// The exponent of an operand that is a constant power of two.
fn power_of_two(operand: Operand) -> Option<u32> {
    match operand {
        Operand::Constant(n) if n.fixnum_value() > 0 => {
            let n = n.fixnum_value() as u64;
            n.is_power_of_two().then(|| n.trailing_zeros())
        }
        _ => None,
    }
}

/// The quotient rounded down; divisors below 1 are left to the interpreter.
fn quotient(t: &mut Translator, a: Ssa, b: Ssa, right: Operand, exit: Block) -> Ssa {
    if let Some(exponent) = power_of_two(right) {
        let v = t.e.shift_right(a, u64::from(exponent));
        return t.e.or_constant(v, 1);
    }
    let (a, b) = (t.e.shift_right(a, 1), t.e.shift_right(b, 1));
    require_positive(t, b, right, exit);
    let quotient = t.e.quotient(a, b);
    let product = t.e.binary(Binary::Multiply, quotient, b);
    // The division rounded towards 0, which is up if the dividend is negative and the remainder is not 0.
    let is_too_large = t.e.compare(Condition::Greater, product, a);
    let below = t.e.add_constant(quotient, -1);
    let v = t.e.select(is_too_large, below, quotient);
    let doubled = t.e.add(v, v);
    t.e.add_constant(doubled, 1)
}

fn require_positive(t: &mut Translator, divisor: Ssa, right: Operand, exit: Block) {
    if !matches!(right, Operand::Constant(n) if n.fixnum_value() > 0) {
        let is_positive = t.e.compare_constant(Condition::Greater, divisor, 0);
        t.e.require(is_positive, exit);
    }
}

/// The remainder for a positive divisor, never negative; other divisors are left to the interpreter.
fn remainder(t: &mut Translator, a: Ssa, b: Ssa, right: Operand, exit: Block) -> Ssa {
    if let Some(exponent) = power_of_two(right) {
        let bits = t.e.and_constant(a, (2 << exponent) - 1);
        return t.e.or_constant(bits, 1);
    }
    let (a, b) = (t.e.shift_right(a, 1), t.e.shift_right(b, 1));
    require_positive(t, b, right, exit);
    let rest = t.e.remainder(a, b);
    let is_negative = t.e.compare_constant(Condition::Less, rest, 0);
    let raised = t.e.add(rest, b);
    let rest = t.e.select(is_negative, raised, rest);
    let doubled = t.e.add(rest, rest);
    t.e.add_constant(doubled, 1)
}

/// A comparison whose result goes to a register.
pub fn comparison(t: &mut Translator, word: usize, opcode: Opcode, to: u16, left: Operand, right: Operand) {
    match compare(t, word, opcode, left, right) {
        Some(condition) => t.write_bool(to, condition, opcode != Opcode::NotEqual),
        None => by_runtime(t, word, opcode, to, left, right),
    }
}

/// A comparison and the jump that it decides.
pub fn compared_jump(t: &mut Translator, word: usize, opcode: Opcode) {
    let i = t.code.instruction(word);
    let right = if opcode.operands() == Operands::AIntJump { small(i.b) } else { Operand::Register(i.b) };
    let destination = target(word, i.c as i16 as i32);
    let next = t.e.block();
    match compare(t, word, opcode, Operand::Register(i.a), right) {
        Some(condition) => {
            let to = t.arrive(destination);
            let (then, otherwise) = if instruction::jumps_when_true(opcode) { (to, next) } else { (next, to) };
            t.e.branch(condition, then, otherwise);
        }
        None => {
            let v = operator(t, word, opcode, Operand::Register(i.a), right);
            let v = t.e.truthy(v);
            // The call may be of the opposite operator (`!=`). The jump in the third word says for which result it
            // jumps.
            let to = t.arrive(destination);
            let jumps_if = t.code.instruction(word + 2).op() == Opcode::JumpIf;
            let (then, otherwise) = if jumps_if { (to, next) } else { (next, to) };
            t.e.branch(v, then, otherwise);
        }
    }
    t.e.at(next);
}

/// `<=>`: in line for fixnums.
pub fn order(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let (left, right) = (Operand::Register(i.b), Operand::Register(i.c));
    let are_fixnums = expected(t, word, left, right) == Expected::Fixnums;
    if !are_fixnums || !t.assume(|r| &mut r.integer, BasicOp::Compare.bit()) {
        return by_runtime(t, word, Opcode::Compare, i.a, left, right);
    }
    let (a, b) = fixnums(t, word, left, right);
    let [less, equal, greater] = [-1, 0, 1].map(|n| t.e.constant(Value::fixnum(n).0));
    let is_greater = t.e.compare(Condition::Greater, a, b);
    let other = t.e.select(is_greater, greater, equal);
    let is_less = t.e.compare(Condition::Less, a, b);
    let v = t.e.select(is_less, less, other);
    t.write(i.a, v, Kind::Fixnum);
}

/// `succ` and `-@`: in line for fixnums.
pub fn unary(t: &mut Translator, word: usize, opcode: Opcode) {
    let i = t.code.instruction(word);
    let may_be_fixnum = match t.r.kind(i.b) {
        Kind::Any => t.sample(Operand::Register(i.b)).is_none_or(Value::is_fixnum),
        kind => kind.is_fixnum(),
    };
    let is_successor = opcode == Opcode::Successor;
    let op = if is_successor { BasicOp::Succ } else { BasicOp::Negate };
    if !may_be_fixnum || t.seen(word) != Seen::default() || !t.assume(|r| &mut r.integer, op.bit()) {
        return t.operate(word, opcode, i.a, &[i.b]);
    }
    let exit = t.exit(word);
    let v = require_fixnum(t, i.b, exit);
    // The tagged forms are 2n + 1.
    let two = t.e.constant(2);
    let v = match is_successor {
        true => t.e.checked(Checked::Add, v, two, exit),
        false => t.e.checked(Checked::Subtract, two, v, exit),
    };
    t.write(i.a, v, Kind::Fixnum);
}

/// Compares two numbers of the expected kinds; `None` if no kinds are expected.
fn compare(t: &mut Translator, word: usize, opcode: Opcode, left: Operand, right: Operand) -> Option<Ssa> {
    let name = opcode.name().trim_start_matches("Jump").trim_start_matches("Not").trim_end_matches("Int");
    let (op, integer, float) = match name {
        "Less" => (BasicOp::Less, Condition::Less, FloatCondition::Less),
        "LessEqual" => (BasicOp::LessEqual, Condition::LessEqual, FloatCondition::LessEqual),
        "Greater" => (BasicOp::Greater, Condition::Greater, FloatCondition::Greater),
        "GreaterEqual" => (BasicOp::GreaterEqual, Condition::GreaterEqual, FloatCondition::GreaterEqual),
        _ => (BasicOp::Equal, Condition::Equal, FloatCondition::Equal),
    };
    if opcode == Opcode::NotEqual && !assume_numbers(t, BasicOp::NotEqual) {
        return None;
    }
    if let Some(condition) = same_immediate(t, word, opcode, left, right) {
        return Some(condition);
    }
    match expected(t, word, left, right) {
        Expected::Anything => None,
        _ if !assume_numbers(t, op) => None,
        Expected::Fixnums => {
            let (a, b) = fixnums(t, word, left, right);
            Some(t.e.compare(integer, a, b))
        }
        Expected::Floats => {
            let (x, y) = (exact_double(t, word, left, Seen::left), exact_double(t, word, right, Seen::right));
            Some(t.e.compare_floats(float, x, y))
        }
    }
}

fn both_may_be_fixnums(t: &Translator, word: usize, left: Operand, right: Operand) -> bool {
    let seen = t.seen(word);
    let may_be = |operand: Operand, seen: u8| match operand {
        Operand::Constant(v) => v.is_fixnum(),
        Operand::Register(register) => match t.r.kind(register) {
            _ if t.r.double(register).is_some() => false,
            Kind::Fixnum => true,
            Kind::Constant(v) => v.is_fixnum(),
            Kind::Any => seen & Seen::FIXNUM != 0,
            Kind::Flonum | Kind::Cell | Kind::Shape(_) => false,
        },
    };
    may_be(left, seen.left()) && may_be(right, seen.right())
}

/// What the operands of the operator at the word are likely to be. The sources are what is known of the registers, the
/// kinds recorded at exits of earlier compilations, and the values that the registers hold while the code is compiled.
fn expected(t: &Translator, word: usize, left: Operand, right: Operand) -> Expected {
    let seen = t.seen(word);
    if seen.has(Seen::FAILED) || (seen.left() | seen.right()) & Seen::OTHER != 0 {
        return Expected::Anything;
    }
    let kinds = [kind(t, left), kind(t, right)];
    let is_number = |kind: &Kind| match kind {
        Kind::Any | Kind::Fixnum | Kind::Flonum | Kind::Cell => true,
        Kind::Constant(v) => v.is_fixnum() || v.is_flonum(),
        Kind::Shape(_) => false,
    };
    if !kinds.iter().all(is_number) {
        return Expected::Anything;
    }
    let is_float = |operand: Operand, kind: Kind, seen: u8| match kind {
        Kind::Flonum => true,
        Kind::Fixnum => false,
        Kind::Constant(v) => v.is_flonum(),
        _ if seen != 0 => seen & Seen::FLOAT != 0,
        _ => t.double_of(operand) || t.sample(operand).is_some_and(|v| v.is_flonum()),
    };
    if is_float(left, kinds[0], seen.left()) || is_float(right, kinds[1], seen.right()) {
        return Expected::Floats;
    }
    Expected::Fixnums
}

/// Are both operands known to be fixnums, or were they fixnums when an exit was taken? For operators that Arrays and
/// Strings have as well.
fn are_fixnums(t: &Translator, word: usize, left: Operand, right: Operand) -> bool {
    let seen = t.seen(word);
    let is_fixnum = |operand: Operand, seen: u8| {
        kind(t, operand).is_fixnum()
            || seen == Seen::FIXNUM
            || seen == 0 && t.sample(operand).is_some_and(Value::is_fixnum)
    };
    is_fixnum(left, seen.left()) && is_fixnum(right, seen.right())
}

/// What is known of an operand.
pub fn kind(t: &Translator, operand: Operand) -> Kind {
    match operand {
        Operand::Register(register) => t.r.kind(register),
        Operand::Constant(v) => Kind::Constant(v),
    }
}

/// Both operands, which are fixnums from here on.
fn fixnums(t: &mut Translator, word: usize, left: Operand, right: Operand) -> (Ssa, Ssa) {
    let (a, b) = (operand(t, left), operand(t, right));
    let is_known = |kind: Kind| matches!(kind, Kind::Fixnum | Kind::Constant(_));
    let both = match (is_known(kind(t, left)), is_known(kind(t, right))) {
        (true, true) => return (a, b),
        (true, false) => b,
        (false, true) => a,
        (false, false) => t.e.and(a, b),
    };
    let exit = t.exit(word);
    let bit = t.e.and_constant(both, 1);
    t.e.require(bit, exit);
    for operand in [left, right] {
        if let Operand::Register(register) = operand
            && t.r.kind(register) == Kind::Any
        {
            t.r.learn(register, Kind::Fixnum);
        }
    }
    (a, b)
}

/// The double of an operand that is a Float, or the double nearest to a fixnum if the operand was seen to be a fixnum.
fn rounded_double(t: &mut Translator, word: usize, from: Operand, part: impl Fn(Seen) -> u8) -> Ssa {
    let seen = part(t.seen(word));
    double(t, word, from, seen, of_fixnum)
}

/// The double of an operand that is a Float, or a fixnum that a double represents exactly, because an Integer and a
/// Float are compared exactly.
fn exact_double(t: &mut Translator, word: usize, from: Operand, part: impl Fn(Seen) -> u8) -> Ssa {
    let seen = part(t.seen(word));
    double(t, word, from, seen, |t, v| {
        let exit = t.exit(word);
        let n = t.e.shift_right(v, 1);
        let from_lowest = t.e.add_constant(n, 1 << f64::MANTISSA_DIGITS);
        let is_exact = t.e.compare_constant(Condition::BelowEqual, from_lowest, 2 << f64::MANTISSA_DIGITS);
        t.e.require(is_exact, exit);
        t.e.float_of_integer(n)
    })
}

/// The double of an operand of which `part` was seen.
fn double(
    t: &mut Translator,
    word: usize,
    from: Operand,
    seen: u8,
    of_fixnum: impl Fn(&mut Translator, Ssa) -> Ssa,
) -> Ssa {
    let register = match from {
        Operand::Constant(n) => return t.e.float_constant(n.fixnum_value() as f64),
        Operand::Register(register) => register,
    };
    if let Some(double) = t.r.double(register) {
        return double;
    }
    let kind = t.r.kind(register);
    if let Kind::Constant(v) = kind
        && v.is_flonum()
    {
        let double = t.e.float_constant(v.flonum_value());
        t.r.learn_double(register, double);
        return double;
    }
    let v = t.read(register);
    let takes_fixnum = seen & Seen::FIXNUM != 0 || matches!(kind, Kind::Constant(_));
    match kind {
        Kind::Fixnum => return of_fixnum(t, v),
        Kind::Flonum => {}
        _ if takes_fixnum && seen & Seen::FLOAT != 0 => return of_either(t, word, v, of_fixnum),
        _ if takes_fixnum => {
            let exit = t.exit(word);
            let v = require_fixnum(t, register, exit);
            return of_fixnum(t, v);
        }
        _ => {
            let exit = t.exit(word);
            let double = floats::of_value(&mut t.e, v, exit);
            t.r.learn_double(register, double);
            return double;
        }
    }
    let double = floats::decode(&mut t.e, v);
    t.r.learn_double(register, double);
    double
}

/// The value of a register that holds a fixnum; leaves the code at the exit for any other value.
pub fn require_fixnum(t: &mut Translator, register: u16, exit: Block) -> Ssa {
    let v = t.read(register);
    if !t.r.kind(register).is_fixnum() {
        let bit = t.e.and_constant(v, 1);
        t.e.require(bit, exit);
        t.r.learn(register, Kind::Fixnum);
    }
    v
}

/// The double nearest to a fixnum.
pub fn of_fixnum(t: &mut Translator, v: Ssa) -> Ssa {
    let n = t.e.shift_right(v, 1);
    t.e.float_of_integer(n)
}

/// The double of a Float or fixnum.
fn of_either(t: &mut Translator, word: usize, v: Ssa, of_fixnum: impl Fn(&mut Translator, Ssa) -> Ssa) -> Ssa {
    let exit = t.exit(word);
    let (join, float, fixnum, other, boxed) = (t.e.block(), t.e.block(), t.e.block(), t.e.block(), t.e.cold_block());
    let result = t.e.parameter(join, Origin::Double);
    let is_flonum = floats::is(&mut t.e, v);
    t.e.branch(is_flonum, float, other);
    t.e.at(float);
    let x = floats::decode(&mut t.e, v);
    t.e.jump(join, &[x]);
    t.e.at(other);
    let is_fixnum = t.e.and_constant(v, 1);
    t.e.branch(is_fixnum, fixnum, boxed);
    t.e.at(fixnum);
    let x = of_fixnum(t, v);
    t.e.jump(join, &[x]);
    t.e.at(boxed);
    let x = floats::of_boxed(&mut t.e, v, exit);
    t.e.jump(join, &[x]);
    t.e.at(join);
    result
}

pub fn operand(t: &mut Translator, operand: Operand) -> Ssa {
    match operand {
        Operand::Register(register) => t.read(register),
        Operand::Constant(v) => t.e.constant(v.0),
    }
}

/// Calls the runtime, which takes the fast path for basic types or makes the call.
fn by_runtime(t: &mut Translator, word: usize, opcode: Opcode, to: u16, left: Operand, right: Operand) {
    let is_known = kind(t, left) == Kind::Shape(Known::Array.root_shape().0);
    let is_array = || is_known || t.sample(left).is_some_and(|v| cell::is(v, Type::Array));
    if opcode == Opcode::ShiftLeft && is_array() && t.assume(|r| &mut r.array, BasicOp::ShiftLeft.bit()) {
        return appends::push(t, word, to, left, right);
    }
    match equality::in_line(t, word, opcode, left, right) {
        Some(v) => t.write(to, v, Kind::Any),
        None => t.operate_on(word, opcode, to, &[left, right]),
    }
}

/// The result of an operator on operands of any kind.
fn operator(t: &mut Translator, word: usize, opcode: Opcode, left: Operand, right: Operand) -> Ssa {
    equality::in_line(t, word, opcode, left, right).unwrap_or_else(|| {
        let operands = [operand(t, left), operand(t, right)];
        t.operator(word, opcode, &operands)
    })
}

/// Tests whether two values are the same immediate, if one of them is a constant that is equal only to itself, such as
/// nil.
fn same_immediate(t: &mut Translator, word: usize, opcode: Opcode, left: Operand, right: Operand) -> Option<Ssa> {
    let is_equality =
        opcode.name().contains("Equal") && !opcode.name().contains("Less") && !opcode.name().contains("Greater");
    if !is_equality || opcode == Opcode::CaseEqual || t.seen(word).has(Seen::FAILED) {
        return None;
    }
    let (is_left, is_right) = (is_single(t, left), is_single(t, right));
    if !is_left && !is_right || !assume_immediates(t) {
        return None;
    }
    let (a, b) = (operand(t, left), operand(t, right));
    if !is_left {
        // An object's own `==` decides.
        let exit = t.exit(word);
        require_immediate(t, a, exit);
    }
    Some(t.e.compare(Condition::Equal, a, b))
}

/// Goes to `otherwise` if a value is an object.
pub fn require_immediate(t: &mut Translator, v: Ssa, otherwise: Block) {
    let tag = t.e.and_constant(v, 7);
    let is_immediate = t.e.compare_constant(Condition::NotEqual, tag, 0);
    let is_false = t.e.compare_constant(Condition::Equal, v, Value::FALSE.0);
    let fits = t.e.binary(Binary::Or, is_immediate, is_false);
    t.e.require(fits, otherwise);
}

/// Whether an operand is a constant that is equal only to itself.
pub fn is_single(t: &Translator, operand: Operand) -> bool {
    matches!(kind(t, operand), Kind::Constant(v) if v.is_word() && !v.is_fixnum())
}

/// Relies on the core's `==` and `!=` of immediates.
pub fn assume_immediates(t: &mut Translator) -> bool {
    t.assume(|r| &mut r.immediate, BasicOp::Equal.bit() | BasicOp::NotEqual.bit())
        && assume_numbers(t, BasicOp::Equal)
        && assume_numbers(t, BasicOp::NotEqual)
}

/// `pattern === v` of a `case`: in line if the pattern is known to be an immediate.
pub fn case_equal(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let pattern = match t.r.kind(i.b) {
        Kind::Constant(pattern) if pattern.is_word() => pattern,
        Kind::Constant(module) if instances::of_constant(t, word, module) => return,
        Kind::Any if may_be_symbol(t, i.b) => return case_equal_of_symbol(t, word),
        _ => {
            let (left, right) = (Operand::Register(i.b), Operand::Register(i.c));
            return by_runtime(t, word, Opcode::CaseEqual, i.a, left, right);
        }
    };
    let of: fn(&mut Redefined) -> &mut u64 =
        if pattern.is_fixnum() { |r| &mut r.integer } else { |r| &mut r.immediate };
    if t.seen(word).has(Seen::FAILED) || !t.assume(of, BasicOp::CaseEqual.bit() | BasicOp::Equal.bit()) {
        return t.operate(word, Opcode::CaseEqual, i.a, &[i.b, i.c]);
    }
    let v = match pattern.is_fixnum() {
        // A Float or an object may be equal to an Integer.
        true => {
            let exit = t.exit(word);
            require_fixnum(t, i.c, exit)
        }
        false => t.read(i.c),
    };
    let same = t.e.compare_constant(Condition::Equal, v, pattern.0);
    t.write_bool(i.a, same, true);
}

/// May a register hold a Symbol that is an immediate, as far as is known?
fn may_be_symbol(t: &Translator, register: u16) -> bool {
    t.sample(Operand::Register(register)).is_none_or(Value::is_static_symbol)
}

/// `pattern === v` of a `case` whose pattern may be a Symbol.
fn case_equal_of_symbol(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    if !t.assume(|r| &mut r.immediate, BasicOp::CaseEqual.bit() | BasicOp::Equal.bit()) {
        return t.operate(word, Opcode::CaseEqual, i.a, &[i.b, i.c]);
    }
    let (pattern, v, other) = (t.read(i.b), t.read(i.c), t.e.block());
    let tag = t.e.and_constant(pattern, 0xff);
    let is_symbol = t.e.compare_constant(Condition::Equal, tag, Value::SYMBOL_TAG);
    t.e.require(is_symbol, other);
    let register = t.r.at(i.a) as u16;
    let same = |t: &mut Translator| {
        let same = t.e.compare(Condition::Equal, pattern, v);
        t.write_bool(i.a, same, true);
        None
    };
    t.either(other, Some(register), same, |t| {
        t.operate(word, Opcode::CaseEqual, i.a, &[i.b, i.c]);
        None
    });
}

fn assume_numbers(t: &mut Translator, op: BasicOp) -> bool {
    t.assume(|r| &mut r.integer, op.bit()) && t.assume(|r| &mut r.float, op.bit())
}

fn has_float_form(op: BasicOp) -> bool {
    matches!(op, BasicOp::Plus | BasicOp::Minus | BasicOp::Times | BasicOp::Divide)
}

fn basic_op(opcode: Opcode) -> Option<BasicOp> {
    use Opcode::*;
    Some(match opcode {
        Add | AddInt => BasicOp::Plus,
        Subtract | SubtractInt => BasicOp::Minus,
        Multiply | MultiplyInt => BasicOp::Times,
        Divide => BasicOp::Divide,
        ShiftLeft | ShiftLeftInt => BasicOp::ShiftLeft,
        Modulo | ModuloInt => BasicOp::Modulo,
        BitAnd | BitAndInt => BasicOp::And,
        BitOr => BasicOp::Or,
        BitXor => BasicOp::Xor,
        ShiftRight | ShiftRightInt => BasicOp::ShiftRight,
        _ => return None,
    })
}
