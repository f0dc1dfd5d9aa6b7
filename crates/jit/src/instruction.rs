//! Execution of single instructions for compiled code.

use std::cmp::Ordering;

use abi::{Scope, Value};
use bytecode::{Instruction, Intrinsic, Opcode};
use object::{Known, Sym, array::Arr, cell, range, string::Str};
use runtime::{
    Cx, R,
    basic_ops::{self, BasicOp},
    call::{Action, Call, Window, arrange, block},
    code::{CallSite, Code, tier::Seen},
    convert, coverage,
    instructions::{blocks, class_variables, constants, index, ivars, leave, literals, operators},
    intrinsics, keys, make,
};

/// Can [`run`] execute instructions of this opcode? All others are left to the interpreter.
pub fn is_known(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        NewString
            | DuplicateLiteral
            | GetGlobal
            | SetGlobal
            | SetOuter
            | GetClassVariable
            | SetClassVariable
            | GetBlockParameter
            | GetBlockParameterProxy
            | GetBlockToCall
            | Lambda
            | GetIvar
            | SetIvar
            | GetConstant
            | GetConstantFrom
            | AnyToString
            | ConcatStrings
            | Intern
            | NewRegexp
            | NewArray
            | ArrayPush
            | ArrayConcat
            | SplatToArray
            | NewHash
            | HashStore
            | HashMerge
            | ToHash
            | NewRange
            | NewRangeExclusive
            | ToAry
            | Expand
            | Intrinsic
    ) || is_operator(opcode)
}

/// Is it an instruction that is always left to the interpreter?
pub fn is_for_the_interpreter(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, SetConstant | RescueMatch | Rethrow | ClassBody | DefineMethod | DefineSingletonMethod | Wide)
}

/// Is it an operator that may make a call, with the call site in its extension word?
pub fn is_operator(opcode: Opcode) -> bool {
    use Opcode::*;
    (Add as u16..=Successor as u16).contains(&(opcode as u16))
        || matches!(opcode, ToString | Index | IndexLiteral | IndexSet | IndexSetLiteral | CaseEqual | Match)
        || is_compared_jump(opcode)
}

/// A comparison and the jump that it decides.
pub fn is_compared_jump(opcode: Opcode) -> bool {
    (Opcode::JumpLess as u16..=Opcode::JumpNotEqualInt as u16).contains(&(opcode as u16))
}

/// Does a compare-and-jump jump if the comparison is true?
pub fn jumps_when_true(opcode: Opcode) -> bool {
    !opcode.name().starts_with("JumpNot")
}

/// The result of the comparison of a compare-and-jump as the call in its place would return it. The jump in the third
/// word tests this result.
fn as_call(code: &Code, word: usize, opcode: Opcode, holds: Value) -> Value {
    Value::bool(holds.truthy() != asks_the_opposite(code, word, opcode))
}

/// Is the instruction a compare-and-jump whose site calls the opposite operator (`!=`)?
pub fn asks_the_opposite(code: &Code, word: usize, opcode: Opcode) -> bool {
    is_compared_jump(opcode) && (code.instruction(word + 2).op() == Opcode::JumpIf) != jumps_when_true(opcode)
}

/// Executes the instruction at `word`, whose opcode is a parameter because most callers are specialized for it. Stores
/// its result in its register. The result `Entered` means that the frame of its call was pushed.
#[inline(always)]
pub fn run(cx: &mut Cx, code: &Code, registers: Window, word: usize, i: Instruction, opcode: Opcode) -> R<Action> {
    let get = |register: u16| registers.get(register as usize);
    let value = match opcode {
        Opcode::Count | Opcode::CountOnce | Opcode::CountCall => {
            coverage::run(cx, code, i);
            return Ok(Action::Value(Value::NIL));
        }
        Opcode::NewString => literals::new_literal_string(cx, code.literal(i.bc() as usize), code.string_flags),
        Opcode::DuplicateLiteral => literals::duplicate(cx, code.literal(i.bc() as usize)),
        Opcode::GetGlobal => cx.read_global(Sym::of(code.literal(i.bc() as usize)))?,
        Opcode::SetGlobal => {
            cx.write_global(Sym::of(code.literal(i.bc() as usize)), get(i.a))?;
            get(i.a)
        }
        Opcode::SetOuter => {
            // SAFETY: the compiler counted scopes and slots; the scopes around a running frame are alive.
            unsafe {
                let scope = Scope::out(&raw const (*cx.frame).scope, i.b as usize);
                object::environment::set_slot(cx, scope, i.c as usize, get(i.a));
            }
            get(i.a)
        }
        Opcode::GetIvar => {
            let site = &code.ivars[i.bc() as usize];
            match ivars::get_fast(registers.receiver(), site) {
                Some(v) => v,
                None => ivars::get(cx, registers.receiver(), site)?,
            }
        }
        Opcode::SetIvar => {
            let site = &code.ivars[i.bc() as usize];
            if !ivars::set_fast(cx, registers.receiver(), site, get(i.a)) {
                ivars::set(cx, registers.receiver(), site, get(i.a))?;
            }
            get(i.a)
        }
        Opcode::GetConstant => {
            let (site, scope) = (&code.constants[i.bc() as usize], cx.frame().scope.cref);
            match site.cached(scope) {
                Some(v) => v,
                None => constants::get(cx, code, site, scope)?,
            }
        }
        Opcode::GetConstantFrom => {
            let (site, scope) = (&code.constants[i.c as usize], get(i.b));
            match site.cached(scope) {
                Some(v) => v,
                None => constants::get_from(cx, code, site, scope)?,
            }
        }
        Opcode::GetClassVariable => class_variable(cx, code, i, None)?,
        Opcode::SetClassVariable => class_variable(cx, code, i, Some(get(i.a)))?,
        Opcode::GetBlockParameter | Opcode::GetBlockParameterProxy | Opcode::GetBlockToCall => {
            // SAFETY: the compiler counted the scopes; those around a running frame are alive.
            unsafe {
                let scope = Scope::out(&raw const (*cx.frame).scope, i.b as usize);
                match opcode {
                    Opcode::GetBlockParameter => blocks::block_parameter(cx, scope, i.c as usize)?,
                    Opcode::GetBlockToCall => blocks::block_to_call(cx, scope, i.c as usize)?,
                    _ => blocks::block_parameter_proxy(scope, i.c as usize),
                }
            }
        }
        Opcode::Lambda => blocks::lambda(cx, code.child(i.bc() as usize)),
        Opcode::AnyToString => match operators::is_text(cx, get(i.a), get(i.b)) {
            true => get(i.a),
            false => convert::any_to_s(cx, get(i.b)).value(),
        },
        Opcode::ConcatStrings => literals::concat(cx, registers.slice(i.b as usize, i.c as usize))?,
        Opcode::Intern => literals::intern(cx, Str::of(get(i.b)))?,
        Opcode::NewRegexp => literals::new_regexp(cx, get(i.b), i.c)?,
        Opcode::NewArray => make::array(cx, registers.slice(i.b as usize, i.c as usize)),
        Opcode::ArrayPush => {
            make::push(cx, get(i.a), get(i.b));
            get(i.a)
        }
        Opcode::ArrayConcat => {
            literals::array_concat(cx, get(i.a), get(i.b))?;
            get(i.a)
        }
        Opcode::SplatToArray => literals::splat(cx, get(i.b), i.c == 1)?,
        Opcode::NewHash => literals::new_hash(cx, registers.slice(i.b as usize, i.c as usize))?,
        Opcode::HashStore => {
            keys::store(cx, get(i.a), get(i.b), get(i.c))?;
            get(i.a)
        }
        Opcode::HashMerge => {
            literals::hash_merge(cx, get(i.a), get(i.b))?;
            get(i.a)
        }
        Opcode::ToHash => convert::keyword_splat(cx, get(i.b))?.value(),
        Opcode::NewRange | Opcode::NewRangeExclusive => {
            literals::check_range(cx, get(i.b), get(i.c))?;
            range::new(cx, get(i.b), get(i.c), opcode == Opcode::NewRangeExclusive)
        }
        Opcode::ToAry => match convert::try_ary(cx, get(i.b))? {
            Some(list) => list.value(),
            None => make::array(cx, &[get(i.b)]),
        },
        Opcode::Expand => {
            literals::expand(cx, registers, i, code.operands(word + 1));
            return Ok(Action::Value(Value::NIL));
        }
        Opcode::Intrinsic => {
            let which = Intrinsic::from_u16(i.c);
            // SAFETY: the compiler gives the intrinsic as many registers from `b` on as it takes.
            unsafe { intrinsics::run(cx, which, registers.base().add(i.b as usize))? }
        }
        Opcode::Break => return Err(leave::break_block(cx, get(i.a))),
        Opcode::ReturnOuter => return Err(leave::return_outer(cx, get(i.a))),
        _ => return operator(cx, code, registers, word, i),
    };
    registers.set(i.a as usize, value);
    Ok(Action::Value(value))
}

/// Reads a class variable, or sets it to a value.
fn class_variable(cx: &mut Cx, code: &Code, i: Instruction, to: Option<Value>) -> R {
    let (site, scope) = (&code.constants[i.bc() as usize], cx.frame().scope.cref);
    let Some(to) = to else {
        return match class_variables::get_fast(cx, site, scope) {
            Some(v) => Ok(v),
            None => class_variables::get(cx, code, site, scope),
        };
    };
    if !class_variables::set_fast(cx, site, scope, to) {
        class_variables::set(cx, code, site, scope, to)?;
    }
    Ok(to)
}

/// The destination of an operator, and its operands.
fn operands_of(code: &Code, registers: Window, word: usize, i: Instruction) -> (u16, [Value; 3]) {
    use Opcode::*;
    let opcode = i.op();
    let extension = code.operands(word + 1);
    let get = |register: u16| registers.get(register as usize);
    let int = |n: u16| Value::fixnum(n as i16 as i64);
    match opcode {
        ToString | Not | Negate | IsNil | IsEmpty | Length | Size | Successor => {
            (i.a, [get(i.b), Value::UNDEF, Value::UNDEF])
        }
        AddInt | SubtractInt | MultiplyInt | ModuloInt | BitAndInt | ShiftLeftInt | ShiftRightInt | LessInt
        | LessEqualInt | GreaterInt | GreaterEqualInt | EqualInt => (i.a, [get(i.b), int(i.c), Value::UNDEF]),
        JumpLess | JumpLessEqual | JumpGreater | JumpGreaterEqual | JumpEqual | JumpNotLess | JumpNotLessEqual
        | JumpNotGreater | JumpNotGreaterEqual | JumpNotEqual => (extension.a, [get(i.a), get(i.b), Value::UNDEF]),
        _ if is_compared_jump(opcode) => (extension.a, [get(i.a), int(i.b), Value::UNDEF]),
        Index => (i.a, [get(i.b), get(i.c), Value::UNDEF]),
        IndexLiteral | ShiftLeftLiteral => (i.a, [get(i.b), code.literal(i.c as usize), Value::UNDEF]),
        IndexSet => (extension.a, [get(i.a), get(i.b), get(i.c)]),
        IndexSetLiteral => (extension.a, [get(i.a), code.literal(i.b as usize), get(i.c)]),
        _ => (i.a, [get(i.b), get(i.c), Value::UNDEF]),
    }
}

/// Is it an instruction whose operands are recorded before its code is compiled?
pub fn is_watched(opcode: Opcode) -> bool {
    use Opcode::*;
    let is_unary = matches!(opcode, ToString | Not | Negate | IsNil | IsEmpty | Length | Size | Successor);
    is_operator(opcode) && !is_unary && !matches!(opcode, CaseEqual | Match | IndexLiteral | IndexSetLiteral)
}

/// What is recorded of the operands of an instruction in its frame.
pub fn watched(code: &Code, registers: Window, word: usize) -> Option<Seen> {
    let i = code.instruction(word);
    let (_, [left, right, _]) = operands_of(code, registers, word, i);
    if !matches!(i.op(), Opcode::Index | Opcode::IndexSet) {
        return Some(Seen::operands(left, right));
    }
    let is_array =
        Arr::from_value(left).is_some_and(|list| Known::Array.root_shape() == cell::header(list.value()).shape());
    (!is_array || !right.is_fixnum()).then_some(Seen::REACHED)
}

/// What is recorded of an instruction at which compiled code exits.
pub fn seen(code: &Code, registers: Window, word: usize) -> Seen {
    let i = code.instruction(word);
    let opcode = i.op();
    use Opcode::*;
    if !is_operator(opcode) || matches!(opcode, Index | IndexLiteral | IndexSet | IndexSetLiteral) {
        return Seen::REACHED;
    }
    let (_, [left, right, _]) = operands_of(code, registers, word, i);
    Seen::operands(left, right)
}

/// Executes an operator: the fast path for basic types, otherwise the call.
#[inline(never)]
fn operator(cx: &mut Cx, code: &Code, registers: Window, word: usize, i: Instruction) -> R<Action> {
    use Opcode::*;
    let opcode = i.op();
    let extension = code.operands(word + 1);
    let (destination, operands) = operands_of(code, registers, word, i);
    if let Some(v) = fast(cx, opcode, &operands)? {
        let v = if is_compared_jump(opcode) { as_call(code, word, opcode, v) } else { v };
        if !matches!(opcode, IndexSet | IndexSetLiteral) {
            registers.set(destination as usize, v);
        }
        return Ok(Action::Value(v));
    }
    let mut operands = operands;
    if opcode == IndexSetLiteral {
        operands[1] = literals::new_string(cx, operands[1]);
    }
    let count = operands.iter().position(|v| v.is_undef()).unwrap_or(operands.len());
    let action = operators::call_operator(cx, code, registers, extension, destination as u32, &operands[..count])?;
    if let Action::Value(v) = action {
        registers.set(destination as usize, v);
    }
    Ok(action)
}

/// The result of an operator for basic types, without running Ruby.
#[inline(always)]
pub fn fast(cx: &mut Cx, opcode: Opcode, operands: &[Value; 3]) -> R<Option<Value>> {
    use Opcode::*;
    let [a, b, c] = *operands;
    let numeric = |cx: &mut Cx, op: BasicOp, of: fn(f64, f64) -> f64| {
        let (x, y) = operators::floats(a, b)?;
        (cx.vm().redefined.float & op.bit() == 0).then(|| object::float::new(cx, of(x, y)))
    };
    let compared = |cx: &mut Cx, op: BasicOp, holds: fn(Ordering) -> bool| {
        let redefined = &cx.vm().redefined;
        if a.both_fixnum(b) {
            return (redefined.integer & op.bit() == 0).then(|| Value::bool(holds((a.0 as i64).cmp(&(b.0 as i64)))));
        }
        let (x, y) = operators::floats(a, b)?;
        (redefined.float & op.bit() == 0).then(|| Value::bool(x.partial_cmp(&y).is_some_and(holds)))
    };
    let integers = |cx: &mut Cx, op: BasicOp, of: fn(&mut Cx, Value, Value) -> Option<Value>| {
        (a.both_fixnum(b) && cx.vm().redefined.integer & op.bit() == 0).then(|| of(cx, a, b))?
    };
    Ok(match opcode {
        Add | AddInt => numeric(cx, BasicOp::Plus, |x, y| x + y)
            .or_else(|| integers(cx, BasicOp::Plus, |cx, a, b| Some(basic_ops::add_fixnums(cx, a, b))))
            .or_else(|| operators::add_sequences(cx, a, b))
            .or_else(|| operators::in_two_words(cx, BasicOp::Plus, a, b, i128::checked_add)),
        Subtract | SubtractInt => numeric(cx, BasicOp::Minus, |x, y| x - y)
            .or_else(|| integers(cx, BasicOp::Minus, |cx, a, b| Some(basic_ops::subtract_fixnums(cx, a, b))))
            .or_else(|| operators::in_two_words(cx, BasicOp::Minus, a, b, i128::checked_sub)),
        Multiply | MultiplyInt => numeric(cx, BasicOp::Times, |x, y| x * y)
            .or_else(|| integers(cx, BasicOp::Times, |cx, a, b| Some(basic_ops::multiply_fixnums(cx, a, b))))
            .or_else(|| operators::in_two_words(cx, BasicOp::Times, a, b, i128::checked_mul)),
        Divide => operators::divide_fast(cx, a, b),
        Modulo | ModuloInt => operators::modulo_fast(cx, a, b),
        BitAnd | BitAndInt => integers(cx, BasicOp::And, |_, a, b| Some(Value(a.0 & b.0))),
        BitOr => integers(cx, BasicOp::Or, |_, a, b| Some(Value(a.0 | b.0))),
        BitXor => integers(cx, BasicOp::Xor, |_, a, b| Some(Value((a.0 ^ b.0) | 1))),
        ShiftLeft | ShiftLeftInt => operators::shift_left_fast(cx, a, b)?,
        ShiftLeftLiteral => operators::shift_left_literal(cx, a, b),
        ShiftRight | ShiftRightInt => integers(cx, BasicOp::ShiftRight, |_, a, b| {
            basic_ops::shift_right_fixnum(a.fixnum_value(), b.fixnum_value())
        }),
        Less | LessInt | JumpLess | JumpNotLess | JumpLessInt | JumpNotLessInt => {
            compared(cx, BasicOp::Less, Ordering::is_lt)
        }
        LessEqual | LessEqualInt | JumpLessEqual | JumpNotLessEqual | JumpLessEqualInt | JumpNotLessEqualInt => {
            compared(cx, BasicOp::LessEqual, Ordering::is_le)
        }
        Greater | GreaterInt | JumpGreater | JumpNotGreater | JumpGreaterInt | JumpNotGreaterInt => {
            compared(cx, BasicOp::Greater, Ordering::is_gt)
        }
        GreaterEqual
        | GreaterEqualInt
        | JumpGreaterEqual
        | JumpNotGreaterEqual
        | JumpGreaterEqualInt
        | JumpNotGreaterEqualInt => compared(cx, BasicOp::GreaterEqual, Ordering::is_ge),
        Equal | EqualInt | JumpEqual | JumpNotEqual | JumpEqualInt | JumpNotEqualInt => {
            operators::equal_fast(cx, a, b).map(Value::bool)
        }
        NotEqual => operators::not_equal_fast(cx, a, b).map(|equal| Value::bool(!equal)),
        Not => operators::plain_not(cx, a).then(|| Value::bool(!a.truthy())),
        Negate => (a.is_fixnum() && cx.vm().redefined.integer & BasicOp::Negate.bit() == 0)
            .then(|| basic_ops::subtract_fixnums(cx, Value::fixnum(0), a)),
        IsNil => operators::plain_is_nil(cx, a).then(|| Value::bool(a.is_nil())),
        IsEmpty => index::length(cx, a, opcode).map(|n| Value::bool(n == 0)),
        Length | Size => index::length(cx, a, opcode).map(|n| Value::fixnum(n as i64)),
        Successor => (a.is_fixnum() && cx.vm().redefined.integer & BasicOp::Succ.bit() == 0)
            .then(|| basic_ops::add_fixnums(cx, a, Value::fixnum(1))),
        ToString if object::cell::is(a, abi::Type::String) => Some(a),
        ToString => operators::to_s_fast(cx, a),
        Index | IndexLiteral => index::get_fast(cx, a, b),
        IndexSet | IndexSetLiteral => index::set_fast(cx, a, b, c).then_some(c),
        CaseEqual => operators::case_equal_fast(cx, a, b).map(Value::bool),
        _ => None,
    })
}

/// The result of a call; if it ended in a `break` out of its literal block, the value of the `break`.
pub fn or_break(cx: &mut Cx, action: R<Action>) -> R<Action> {
    action.or_else(|raised| cx.end_break(cx.frame).map(Action::Value).ok_or(raised))
}

/// A call of any kind: with splats, keywords, `super`, `yield`.
pub fn call(cx: &mut Cx, code: &Code, registers: Window, site: &CallSite, i: Instruction) -> R<Action> {
    let (window, destination) = (registers.from(i.b as usize), i.a as u32);
    let action = match i.op() {
        Opcode::CallComplex => arrange::call(cx, code, site, window, destination),
        Opcode::Super => arrange::call_super(cx, code, site, window, destination),
        _ => {
            // SAFETY: the compiler counted scopes; those around the running frame are alive.
            let handler = unsafe { (*Scope::out(&raw const cx.frame().scope, site.depth as usize)).block };
            let call = Call::positional(window, site.arguments as usize, handler, destination);
            if site.flags.0 == 0 && block::enter_simple(cx, &call)?.is_some() {
                return Ok(Action::Entered);
            }
            arrange::call_yield(cx, code, site, handler, window, destination)
        }
    };
    let action = or_break(cx, action)?;
    if let Action::Value(v) = action {
        registers.set(i.a as usize, v);
    }
    Ok(action)
}
