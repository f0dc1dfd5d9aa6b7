//! The dispatch loop.
//!
//! `pc`, `r` (the registers) and `code` of the running frame are locals of the loop; `frame.pc` is up to date whenever
//! something may raise or inspect the stack. `pc` then points after the instruction and its extension, where the frame
//! continues after a call.

use abi::{BlockHandler, FrameFlags, Scope, Value};
use bytecode::{Instruction, Intrinsic, Opcode};
use object::{Sym, cell, environment, float, range};
use runtime::{
    Cx, R, Unwind,
    basic_ops::{self, BasicOp},
    call::{self, Action, Call, Window, arrange, block, site::Cached},
    code::{self, Code, sites::shape_key},
    convert, coverage,
    instructions::{blocks, class_variables, constants, index, ivars, leave, literals, operators},
    make,
};

use crate::{compiled, definitions, loops, panics, replaced, unwind, wide};

/// Runs the top frame, which is flagged ENTRY, until it is popped.
pub fn run(cx: &mut Cx) -> R {
    run_from(cx, None)
}

/// Continues unwinding from the top frame down to a frame flagged ENTRY. If one of these frames handles the exception
/// or jump, runs from there until the ENTRY frame is popped.
pub fn run_unwinding(cx: &mut Cx) -> R {
    let raised = cx.unwind_under_way();
    run_from(cx, Some(raised))
}

fn run_from(cx: &mut Cx, mut pending: Option<Unwind>) -> R {
    loop {
        if let Some(raised) = pending.take()
            && let Err(result) = unwind::pop_to_handler(cx, raised)
        {
            return result;
        }
        match panics::catch(cx, execute) {
            Ok(result) => return result,
            Err(raised) => pending = Some(raised),
        }
    }
}

/// Register `i` of the frame whose registers start at `r`.
///
/// # Safety
/// The frame has that many.
#[inline(always)]
unsafe fn registers<'a>(r: *mut Value, i: usize) -> &'a mut Value {
    // SAFETY: by this function's contract the register exists.
    unsafe { &mut *r.add(i) }
}

/// Executes instructions, starting at the running frame's `pc`.
#[inline(never)]
fn execute(cx: &mut Cx) -> R {
    // SAFETY: the running frame is a Ruby frame; its code and registers live as long as it is on the stack.
    let mut code: &Code = unsafe { code::live_code((*cx.frame).scope.code) };
    // SAFETY: the running frame is on the stack.
    let mut pc: *const Instruction = unsafe { (*cx.frame).pc.cast() };
    // SAFETY: the running frame is on the stack, and so are its registers.
    let mut r: *mut Value = unsafe { (*cx.frame).scope.slots };

    // A frame that Rust pushed begins here.
    if pc == code.start().cast() && code.tier.is_hot() {
        let landed = match compiled::enter(cx, 0) {
            compiled::Next::Frame => Ok(()),
            compiled::Next::Left(result) => return result,
            compiled::Next::Handler(raised) => unwind::pop_to_handler(cx, raised),
        };
        if let Err(result) = landed {
            return result;
        }
        // SAFETY: the top frame is a Ruby frame.
        unsafe {
            code = code::live_code((*cx.frame).scope.code);
            pc = (*cx.frame).pc.cast();
            r = (*cx.frame).scope.slots;
        }
    }

    'next: loop {
        /// A register.
        #[collapse_debuginfo(yes)] // As for all macros here: a profile shows the instruction, not the macro.
        macro_rules! reg {
            ($i:expr) => {
                // SAFETY: the verifier checked that registers are within the frame's.
                *unsafe { registers(r, $i as usize) }
            };
        }
        /// Continues with the top frame.
        #[collapse_debuginfo(yes)]
        macro_rules! reload {
            () => {{
                // SAFETY: the top frame is a Ruby frame.
                unsafe {
                    code = code::live_code((*cx.frame).scope.code);
                    pc = (*cx.frame).pc.cast();
                    r = (*cx.frame).scope.slots;
                }
            }};
        }
        /// Stores `pc` in the frame before something that may raise, skipping `n` words that belong to the instruction.
        #[collapse_debuginfo(yes)]
        macro_rules! save {
            ($n:expr) => {
                // SAFETY: the frame is alive; the words follow the instruction.
                unsafe { (*cx.frame).pc = pc.add($n).cast() }
            };
            () => {
                save!(0)
            };
        }
        /// The value of a result, or a jump to the handler that catches its exception.
        #[collapse_debuginfo(yes)]
        macro_rules! attempt {
            ($e:expr) => {
                match $e {
                    Ok(v) => v,
                    Err(raised) => {
                        if let Err(result) = unwind::pop_to_handler(cx, raised) {
                            return result;
                        }
                        reload!();
                        continue 'next;
                    }
                }
            };
        }
        /// Continues in compiled code, from word `$word` on, if the running code has become hot.
        #[collapse_debuginfo(yes)]
        macro_rules! run_compiled {
            ($word:expr) => {
                if code.tier.is_hot() {
                    match compiled::enter(cx, $word) {
                        compiled::Next::Frame => reload!(),
                        compiled::Next::Left(result) => return result,
                        compiled::Next::Handler(raised) => attempt!(Err(raised)),
                    }
                }
            };
        }
        /// Stores a call's result in register `$to`, or continues in the frame that was pushed.
        #[collapse_debuginfo(yes)]
        macro_rules! act {
            ($to:expr, $e:expr) => {
                match attempt!($e) {
                    Action::Value(v) => reg!($to) = v,
                    Action::Entered => {
                        reload!();
                        run_compiled!(0);
                    }
                }
            };
        }
        #[collapse_debuginfo(yes)]
        macro_rules! jump {
            ($distance:expr) => {
                // SAFETY: the verifier checked that jumps stay in the code.
                pc = unsafe { pc.offset($distance as isize) }
            };
        }
        #[collapse_debuginfo(yes)]
        macro_rules! skip {
            ($n:expr) => {
                // SAFETY: the words follow the instruction.
                pc = unsafe { pc.add($n) }
            };
        }
        /// The method call of an operator whose fast path does not apply.
        #[collapse_debuginfo(yes)]
        macro_rules! slow {
        ($to:expr, $($operand:expr),+) => {{
            // SAFETY: the extension follows the instruction.
            let extension = unsafe { *pc };
            skip!(1);
            save!();
            act!($to, operators::call_operator(cx, code, Window::of_frame(cx), extension, $to as u32, &[$($operand),+]))
        }};
    }
        #[collapse_debuginfo(yes)]
        macro_rules! arithmetic {
            ($i:expr, $a:expr, $b:expr, $op:ident, int $int:expr, float $float:expr $(, or $other:path)?) => {{
                let (a, b) = ($a, $b);
                let redefined = &cx.vm().redefined;
                if a.both_fixnum(b) && redefined.integer & BasicOp::$op.bit() == 0 {
                    reg!($i.a) = $int(cx, a, b);
                    skip!(1);
                } else if let Some((x, y)) = operators::floats(a, b)
                    && redefined.float & BasicOp::$op.bit() == 0
                {
                    let result: f64 = $float(x, y);
                    reg!($i.a) = float::new(cx, result);
                    skip!(1);
                } else {
                    $(if let Some(v) = $other(cx, a, b) {
                        reg!($i.a) = v;
                        skip!(1);
                        continue 'next;
                    })?
                    slow!($i.a, a, b)
                }
            }};
        }
        /// An integer operation whose result may not be a fixnum.
        #[collapse_debuginfo(yes)]
        macro_rules! integer_only {
            ($i:expr, $a:expr, $b:expr, $op:ident, $f:expr) => {{
                let (a, b) = ($a, $b);
                if a.both_fixnum(b)
                    && cx.vm().redefined.integer & BasicOp::$op.bit() == 0
                    && let Some(v) = $f(a.fixnum_value(), b.fixnum_value())
                {
                    reg!($i.a) = v;
                    skip!(1);
                } else {
                    slow!($i.a, a, b)
                }
            }};
        }
        #[collapse_debuginfo(yes)]
        macro_rules! comparison {
        ($i:expr, $a:expr, $b:expr, $op:ident, $cmp:tt) => {{
            let (a, b) = ($a, $b);
            let redefined = &cx.vm().redefined;
            if a.both_fixnum(b) && redefined.integer & BasicOp::$op.bit() == 0 {
                reg!($i.a) = Value::bool((a.0 as i64) $cmp (b.0 as i64));
                skip!(1);
            } else if let Some((x, y)) = operators::floats(a, b)
                && redefined.float & BasicOp::$op.bit() == 0
            {
                reg!($i.a) = Value::bool(x $cmp y);
                skip!(1);
            } else {
                slow!($i.a, a, b)
            }
        }};
    }
        /// A fused comparison and jump, which is taken if the result is `$when`. In the slow path the call's result
        /// goes to the window, and the jump after the extension decides.
        #[collapse_debuginfo(yes)]
        macro_rules! jump_comparison {
        ($a:expr, $b:expr, $distance:expr, $op:ident, $cmp:tt, $when:expr) => {{
            let (a, b) = ($a, $b);
            let redefined = &cx.vm().redefined;
            if a.both_fixnum(b) && redefined.integer & BasicOp::$op.bit() == 0 {
                if ((a.0 as i64) $cmp (b.0 as i64)) == $when { jump!($distance as i16) } else { skip!(2) }
            } else if let Some((x, y)) = operators::floats(a, b)
                && redefined.float & BasicOp::$op.bit() == 0
            {
                if (x $cmp y) == $when { jump!($distance as i16) } else { skip!(2) }
            } else {
                // SAFETY: the extension follows the instruction.
                let window = unsafe { (*pc).a };
                slow!(window, a, b)
            }
        }};
    }
        #[collapse_debuginfo(yes)]
        macro_rules! jump_equal {
            ($a:expr, $b:expr, $distance:expr, $when:expr) => {{
                let (a, b) = ($a, $b);
                match operators::equal_fast(cx, a, b) {
                    Some(equal) => {
                        if equal == $when {
                            jump!($distance as i16)
                        } else {
                            skip!(2)
                        }
                    }
                    None => {
                        // SAFETY: the extension follows the instruction.
                        let window = unsafe { (*pc).a };
                        slow!(window, a, b)
                    }
                }
            }};
        }
        #[collapse_debuginfo(yes)]
        macro_rules! int {
            ($n:expr) => {
                Value::fixnum($n as i16 as i64)
            };
        }

        // SAFETY: `pc` points to an instruction of the running code; every sequence ends in an instruction that leaves
        // it.
        let i: &Instruction = unsafe { &*pc };
        skip!(1);
        // SAFETY: opcodes come from the compiler's table.
        let mut opcode: Opcode = unsafe { std::mem::transmute(i.opcode) };
        'again: loop {
            match opcode {
                Opcode::Nop | Opcode::Extension => {}
                Opcode::Move => reg!(i.a) = reg!(i.b),
                Opcode::LoadNil => reg!(i.a) = Value::NIL,
                Opcode::LoadTrue => reg!(i.a) = Value::TRUE,
                Opcode::LoadFalse => reg!(i.a) = Value::FALSE,
                Opcode::LoadInt => reg!(i.a) = Value::fixnum(i.bc() as i64),
                // SAFETY: the compiler emitted the index.
                Opcode::LoadLiteral => reg!(i.a) = unsafe { code.literals.get_unchecked(i.bc() as usize) }.get(),
                Opcode::NewString => {
                    save!();
                    reg!(i.a) = literals::new_literal_string(cx, code.literal(i.bc() as usize), code.string_flags);
                }
                Opcode::DuplicateLiteral => {
                    save!();
                    reg!(i.a) = literals::duplicate(cx, code.literal(i.bc() as usize));
                }
                Opcode::FreezeLiteral | Opcode::DeduplicateLiteral => {
                    let op = if opcode == Opcode::FreezeLiteral { BasicOp::Freeze } else { BasicOp::Negate };
                    let literal = code.literal(i.bc() as usize);
                    if cx.vm().redefined.string & op.bit() == 0 {
                        reg!(i.a) = literal;
                        skip!(1);
                    } else {
                        save!(1);
                        let fresh = literals::new_string(cx, literal);
                        slow!(i.a, fresh)
                    }
                }

                Opcode::GetOuter => {
                    // SAFETY: the compiler counted scopes and slots; the scopes around a running frame are alive.
                    reg!(i.a) =
                        unsafe { *(*Scope::out(&raw const (*cx.frame).scope, i.b as usize)).slots.add(i.c as usize) };
                }
                Opcode::SetOuter => {
                    let v = reg!(i.a);
                    // SAFETY: the compiler counted the scopes; those around a running frame are alive.
                    let scope = unsafe { Scope::out(&raw const (*cx.frame).scope, i.b as usize) };
                    // SAFETY: the compiler counted the slots of the scope.
                    unsafe { environment::set_slot(cx, scope, i.c as usize, v) };
                }
                Opcode::GetIvar => {
                    // SAFETY: the compiler emitted the index.
                    let site = unsafe { code.ivars.get_unchecked(i.bc() as usize) };
                    if let Some(v) = ivars::get_fast(reg!(0), site) {
                        reg!(i.a) = v;
                    } else {
                        save!();
                        reg!(i.a) = attempt!(ivars::get(cx, reg!(0), site));
                    }
                }
                Opcode::SetIvar => {
                    // SAFETY: the compiler emitted the index.
                    let site = unsafe { code.ivars.get_unchecked(i.bc() as usize) };
                    let v = reg!(i.a);
                    if !ivars::set_fast(cx, reg!(0), site, v) {
                        save!();
                        attempt!(ivars::set(cx, reg!(0), site, v));
                    }
                }
                Opcode::GetGlobal => {
                    save!();
                    reg!(i.a) = attempt!(cx.read_global(Sym::of(code.literal(i.bc() as usize))));
                }
                Opcode::SetGlobal => {
                    save!();
                    attempt!(cx.write_global(Sym::of(code.literal(i.bc() as usize)), reg!(i.a)));
                }
                Opcode::GetClassVariable => {
                    // SAFETY: the compiler emitted the index.
                    let site = unsafe { code.constants.get_unchecked(i.bc() as usize) };
                    // SAFETY: the frame is alive.
                    let scope = unsafe { (*cx.frame).scope.cref };
                    if let Some(v) = class_variables::get_fast(cx, site, scope) {
                        reg!(i.a) = v;
                    } else {
                        save!();
                        reg!(i.a) = attempt!(class_variables::get(cx, code, site, scope));
                    }
                }
                Opcode::SetClassVariable => {
                    // SAFETY: the compiler emitted the index.
                    let site = unsafe { code.constants.get_unchecked(i.bc() as usize) };
                    // SAFETY: the frame is alive.
                    let scope = unsafe { (*cx.frame).scope.cref };
                    if !class_variables::set_fast(cx, site, scope, reg!(i.a)) {
                        save!();
                        attempt!(class_variables::set(cx, code, site, scope, reg!(i.a)));
                    }
                }
                Opcode::GetConstant => {
                    // SAFETY: the compiler emitted the index.
                    let site = unsafe { code.constants.get_unchecked(i.bc() as usize) };
                    // SAFETY: the frame is alive.
                    let scope = unsafe { (*cx.frame).scope.cref };
                    if let Some(v) = site.cached(scope) {
                        reg!(i.a) = v;
                    } else {
                        save!();
                        reg!(i.a) = attempt!(constants::get(cx, code, site, scope));
                    }
                }
                Opcode::GetConstantFrom => {
                    // SAFETY: the compiler emitted the index.
                    let site = unsafe { code.constants.get_unchecked(i.c as usize) };
                    let scope = reg!(i.b);
                    if let Some(v) = site.cached(scope) {
                        reg!(i.a) = v;
                    } else {
                        save!();
                        reg!(i.a) = attempt!(constants::get_from(cx, code, site, scope));
                    }
                }
                Opcode::SetConstant => {
                    save!();
                    let name = Sym::of(code.literal(i.c as usize));
                    attempt!(definitions::set_constant(cx, reg!(i.b), name, reg!(i.a)));
                }
                Opcode::GetBlockParameter => {
                    save!();
                    // SAFETY: the compiler counted the scopes; those around a running frame are alive.
                    let parameter = unsafe {
                        let scope = Scope::out(&raw const (*cx.frame).scope, i.b as usize);
                        blocks::block_parameter(cx, scope, i.c as usize)
                    };
                    reg!(i.a) = attempt!(parameter);
                }
                Opcode::GetBlockToCall => {
                    save!();
                    // SAFETY: the compiler counted the scopes; those around a running frame are alive.
                    let block = unsafe {
                        let scope = Scope::out(&raw const (*cx.frame).scope, i.b as usize);
                        blocks::block_to_call(cx, scope, i.c as usize)
                    };
                    reg!(i.a) = attempt!(block);
                }
                Opcode::GetBlockParameterProxy => {
                    // SAFETY: the compiler counted the scopes; those around a running frame are alive.
                    reg!(i.a) = unsafe {
                        let scope = Scope::out(&raw const (*cx.frame).scope, i.b as usize);
                        blocks::block_parameter_proxy(scope, i.c as usize)
                    };
                }

                Opcode::ToString => {
                    let v = reg!(i.b);
                    if cell::is(v, abi::Type::String) {
                        reg!(i.a) = v;
                        skip!(1);
                    } else if let Some(s) = operators::to_s_fast(cx, v) {
                        reg!(i.a) = s;
                        skip!(1);
                    } else {
                        slow!(i.a, v)
                    }
                }
                Opcode::AnyToString => {
                    if !operators::is_text(cx, reg!(i.a), reg!(i.b)) {
                        save!();
                        reg!(i.a) = convert::any_to_s(cx, reg!(i.b)).value();
                    }
                }
                Opcode::ConcatStrings => {
                    save!();
                    // SAFETY: the registers are the frame's.
                    let parts = unsafe { std::slice::from_raw_parts(r.add(i.b as usize), i.c as usize) };
                    reg!(i.a) = attempt!(literals::concat(cx, parts));
                }
                Opcode::Intern => {
                    save!();
                    reg!(i.a) = attempt!(literals::intern(cx, object::string::Str::of(reg!(i.b))));
                }
                Opcode::NewRegexp => {
                    save!();
                    reg!(i.a) = attempt!(literals::new_regexp(cx, reg!(i.b), i.c));
                }
                Opcode::NewArray => {
                    save!();
                    // SAFETY: the registers are the frame's.
                    let elements = unsafe { std::slice::from_raw_parts(r.add(i.b as usize), i.c as usize) };
                    reg!(i.a) = make::array(cx, elements);
                }
                Opcode::ArrayPush => {
                    save!();
                    make::push(cx, reg!(i.a), reg!(i.b));
                }
                Opcode::ArrayConcat => {
                    save!();
                    attempt!(literals::array_concat(cx, reg!(i.a), reg!(i.b)));
                }
                Opcode::SplatToArray => {
                    save!();
                    reg!(i.a) = attempt!(literals::splat(cx, reg!(i.b), i.c == 1));
                }
                Opcode::NewHash => {
                    save!();
                    // SAFETY: the registers are the frame's.
                    let pairs = unsafe { std::slice::from_raw_parts(r.add(i.b as usize), i.c as usize) };
                    reg!(i.a) = attempt!(literals::new_hash(cx, pairs));
                }
                Opcode::HashStore => {
                    save!();
                    attempt!(runtime::keys::store(cx, reg!(i.a), reg!(i.b), reg!(i.c)));
                }
                Opcode::HashMerge => {
                    save!();
                    attempt!(literals::hash_merge(cx, reg!(i.a), reg!(i.b)));
                }
                Opcode::ToHash => {
                    save!();
                    reg!(i.a) = attempt!(convert::keyword_splat(cx, reg!(i.b))).value();
                }
                Opcode::NewRange | Opcode::NewRangeExclusive => {
                    save!();
                    let (low, high) = (reg!(i.b), reg!(i.c));
                    attempt!(literals::check_range(cx, low, high));
                    reg!(i.a) = range::new(cx, low, high, opcode == Opcode::NewRangeExclusive);
                }
                Opcode::ToAry => {
                    save!();
                    let v = reg!(i.b);
                    reg!(i.a) = match attempt!(convert::try_ary(cx, v)) {
                        Some(list) => list.value(),
                        None => make::array(cx, &[v]),
                    };
                }
                Opcode::Expand => {
                    // SAFETY: the extension follows the instruction.
                    let extension = unsafe { *pc };
                    skip!(1);
                    save!();
                    literals::expand(cx, Window::of_frame(cx), *i, extension);
                }

                Opcode::Add => {
                    arithmetic!(
                        i, reg!(i.b), reg!(i.c), Plus,
                        int basic_ops::add_fixnums, float |x, y| x + y, or operators::add_sequences
                    )
                }
                Opcode::Subtract => {
                    arithmetic!(i, reg!(i.b), reg!(i.c), Minus, int basic_ops::subtract_fixnums, float |x, y| x - y)
                }
                Opcode::Multiply => {
                    arithmetic!(i, reg!(i.b), reg!(i.c), Times, int basic_ops::multiply_fixnums, float |x, y| x * y)
                }
                Opcode::AddInt => {
                    arithmetic!(i, reg!(i.b), int!(i.c), Plus, int basic_ops::add_fixnums, float |x, y| x + y)
                }
                Opcode::SubtractInt => {
                    arithmetic!(i, reg!(i.b), int!(i.c), Minus, int basic_ops::subtract_fixnums, float |x, y| x - y)
                }
                Opcode::MultiplyInt => {
                    arithmetic!(i, reg!(i.b), int!(i.c), Times, int basic_ops::multiply_fixnums, float |x, y| x * y)
                }
                Opcode::Divide => {
                    let (a, b) = (reg!(i.b), reg!(i.c));
                    if let Some(v) = operators::divide_fast(cx, a, b) {
                        reg!(i.a) = v;
                        skip!(1);
                    } else {
                        slow!(i.a, a, b)
                    }
                }
                Opcode::Modulo | Opcode::ModuloInt => {
                    let (a, b) = (reg!(i.b), if opcode == Opcode::Modulo { reg!(i.c) } else { int!(i.c) });
                    if let Some(v) = operators::modulo_fast(cx, a, b) {
                        reg!(i.a) = v;
                        skip!(1);
                    } else {
                        slow!(i.a, a, b)
                    }
                }
                Opcode::BitAnd => integer_only!(i, reg!(i.b), reg!(i.c), And, |a, b| Some(Value::fixnum(a & b))),
                Opcode::BitAndInt => integer_only!(i, reg!(i.b), int!(i.c), And, |a, b| Some(Value::fixnum(a & b))),
                Opcode::BitOr => integer_only!(i, reg!(i.b), reg!(i.c), Or, |a, b| Some(Value::fixnum(a | b))),
                Opcode::BitXor => integer_only!(i, reg!(i.b), reg!(i.c), Xor, |a, b| Some(Value::fixnum(a ^ b))),
                Opcode::ShiftLeft => {
                    let (a, b) = (reg!(i.b), reg!(i.c));
                    if let Some(v) = attempt!(operators::shift_left_fast(cx, a, b)) {
                        reg!(i.a) = v;
                        skip!(1);
                    } else {
                        slow!(i.a, a, b)
                    }
                }
                Opcode::ShiftLeftLiteral => {
                    let (a, literal) = (reg!(i.b), code.literal(i.c as usize));
                    save!(1);
                    if let Some(v) = operators::shift_left_literal(cx, a, literal) {
                        reg!(i.a) = v;
                        skip!(1);
                    } else {
                        slow!(i.a, a, literal)
                    }
                }
                Opcode::ShiftLeftInt => {
                    let (a, b) = (reg!(i.b), int!(i.c));
                    if let Some(v) = attempt!(operators::shift_left_fast(cx, a, b)) {
                        reg!(i.a) = v;
                        skip!(1);
                    } else {
                        slow!(i.a, a, b)
                    }
                }
                Opcode::ShiftRight => integer_only!(i, reg!(i.b), reg!(i.c), ShiftRight, basic_ops::shift_right_fixnum),
                Opcode::ShiftRightInt => {
                    integer_only!(i, reg!(i.b), int!(i.c), ShiftRight, basic_ops::shift_right_fixnum)
                }
                Opcode::Less => comparison!(i, reg!(i.b), reg!(i.c), Less, <),
                Opcode::LessEqual => comparison!(i, reg!(i.b), reg!(i.c), LessEqual, <=),
                Opcode::Greater => comparison!(i, reg!(i.b), reg!(i.c), Greater, >),
                Opcode::GreaterEqual => comparison!(i, reg!(i.b), reg!(i.c), GreaterEqual, >=),
                Opcode::LessInt => comparison!(i, reg!(i.b), int!(i.c), Less, <),
                Opcode::LessEqualInt => comparison!(i, reg!(i.b), int!(i.c), LessEqual, <=),
                Opcode::GreaterInt => comparison!(i, reg!(i.b), int!(i.c), Greater, >),
                Opcode::GreaterEqualInt => comparison!(i, reg!(i.b), int!(i.c), GreaterEqual, >=),
                Opcode::Equal | Opcode::EqualInt => {
                    let (a, b) = (reg!(i.b), if opcode == Opcode::Equal { reg!(i.c) } else { int!(i.c) });
                    if let Some(equal) = operators::equal_fast(cx, a, b) {
                        reg!(i.a) = Value::bool(equal);
                        skip!(1);
                    } else {
                        slow!(i.a, a, b)
                    }
                }
                Opcode::NotEqual => {
                    let (a, b) = (reg!(i.b), reg!(i.c));
                    if let Some(equal) = operators::not_equal_fast(cx, a, b) {
                        reg!(i.a) = Value::bool(!equal);
                        skip!(1);
                    } else {
                        slow!(i.a, a, b)
                    }
                }
                Opcode::Compare => {
                    let (a, b) = (reg!(i.b), reg!(i.c));
                    if a.both_fixnum(b) && cx.vm().redefined.integer & BasicOp::Compare.bit() == 0 {
                        reg!(i.a) = Value::fixnum(a.fixnum_value().cmp(&b.fixnum_value()) as i64);
                        skip!(1);
                    } else {
                        slow!(i.a, a, b)
                    }
                }
                Opcode::Not => {
                    let v = reg!(i.b);
                    if operators::plain_not(cx, v) {
                        reg!(i.a) = Value::bool(!v.truthy());
                        skip!(1);
                    } else {
                        slow!(i.a, v)
                    }
                }
                Opcode::Negate => {
                    let v = reg!(i.b);
                    if v.is_fixnum() && cx.vm().redefined.integer & BasicOp::Negate.bit() == 0 {
                        reg!(i.a) = basic_ops::subtract_fixnums(cx, Value::fixnum(0), v);
                        skip!(1);
                    } else {
                        slow!(i.a, v)
                    }
                }
                Opcode::IsNil => {
                    let v = reg!(i.b);
                    if operators::plain_is_nil(cx, v) {
                        reg!(i.a) = Value::bool(v.is_nil());
                        skip!(1);
                    } else {
                        slow!(i.a, v)
                    }
                }
                Opcode::IsEmpty | Opcode::Length | Opcode::Size => {
                    let v = reg!(i.b);
                    match index::length(cx, v, opcode) {
                        Some(n) => {
                            reg!(i.a) =
                                if opcode == Opcode::IsEmpty { Value::bool(n == 0) } else { Value::fixnum(n as i64) };
                            skip!(1);
                        }
                        None => slow!(i.a, v),
                    }
                }
                Opcode::Successor => {
                    let v = reg!(i.b);
                    if v.is_fixnum() && cx.vm().redefined.integer & BasicOp::Succ.bit() == 0 {
                        reg!(i.a) = basic_ops::add_fixnums(cx, v, Value::fixnum(1));
                        skip!(1);
                    } else {
                        slow!(i.a, v)
                    }
                }
                Opcode::Index => {
                    let (receiver, key) = (reg!(i.b), reg!(i.c));
                    if let Some(v) = index::get_fast(cx, receiver, key) {
                        reg!(i.a) = v;
                        skip!(1);
                    } else {
                        slow!(i.a, receiver, key)
                    }
                }
                Opcode::IndexLiteral => {
                    let (receiver, key) = (reg!(i.b), code.literal(i.c as usize));
                    if let Some(v) = index::get_fast(cx, receiver, key) {
                        reg!(i.a) = v;
                        skip!(1);
                    } else {
                        slow!(i.a, receiver, key)
                    }
                }
                Opcode::IndexSet => {
                    let (receiver, key, v) = (reg!(i.a), reg!(i.b), reg!(i.c));
                    if index::set_fast(cx, receiver, key, v) {
                        skip!(1);
                    } else {
                        // SAFETY: the extension follows the instruction.
                        let window = unsafe { (*pc).a };
                        slow!(window, receiver, key, v)
                    }
                }
                Opcode::IndexSetLiteral => {
                    let (receiver, key, v) = (reg!(i.a), code.literal(i.b as usize), reg!(i.c));
                    if index::set_fast(cx, receiver, key, v) {
                        skip!(1);
                    } else {
                        save!(1);
                        let fresh = literals::new_string(cx, key);
                        // SAFETY: the extension follows the instruction.
                        let window = unsafe { (*pc).a };
                        slow!(window, receiver, fresh, v)
                    }
                }
                Opcode::CaseEqual => {
                    let (pattern, v) = (reg!(i.b), reg!(i.c));
                    if let Some(equal) = operators::case_equal_fast(cx, pattern, v) {
                        reg!(i.a) = Value::bool(equal);
                        skip!(1);
                    } else {
                        slow!(i.a, pattern, v)
                    }
                }
                Opcode::RescueMatch => {
                    let (class, v) = (reg!(i.b), reg!(i.c));
                    if !object::class::is_module(class) {
                        save!(1);
                        attempt!(Err(cx.type_error("class or module required for rescue clause")));
                    }
                    slow!(i.a, class, v)
                }
                Opcode::Match => {
                    let (a, b) = (reg!(i.b), reg!(i.c));
                    slow!(i.a, a, b)
                }

                Opcode::Jump => jump!(i.bc()),
                Opcode::Loop => {
                    // An exception belongs to the loop, whose head may be the first instruction that a handler covers.
                    save!();
                    attempt!(cx.safepoint());
                    jump!(i.bc());
                    save!();
                    run_compiled!(code.word_of(pc.cast()));
                }
                Opcode::JumpIf => {
                    if reg!(i.a).truthy() {
                        jump!(i.bc());
                    }
                }
                Opcode::JumpUnless => {
                    if !reg!(i.a).truthy() {
                        jump!(i.bc());
                    }
                }
                Opcode::JumpNil => {
                    if reg!(i.a).is_nil() {
                        jump!(i.bc());
                    }
                }
                Opcode::JumpNotNil => {
                    if !reg!(i.a).is_nil() {
                        jump!(i.bc());
                    }
                }
                Opcode::JumpGiven => {
                    if !reg!(i.a).is_undef() {
                        jump!(i.bc());
                    }
                }
                Opcode::JumpLess => jump_comparison!(reg!(i.a), reg!(i.b), i.c, Less, <, true),
                Opcode::JumpLessEqual => jump_comparison!(reg!(i.a), reg!(i.b), i.c, LessEqual, <=, true),
                Opcode::JumpGreater => jump_comparison!(reg!(i.a), reg!(i.b), i.c, Greater, >, true),
                Opcode::JumpGreaterEqual => jump_comparison!(reg!(i.a), reg!(i.b), i.c, GreaterEqual, >=, true),
                Opcode::JumpEqual => jump_equal!(reg!(i.a), reg!(i.b), i.c, true),
                Opcode::JumpNotLess => jump_comparison!(reg!(i.a), reg!(i.b), i.c, Less, <, false),
                Opcode::JumpNotLessEqual => jump_comparison!(reg!(i.a), reg!(i.b), i.c, LessEqual, <=, false),
                Opcode::JumpNotGreater => jump_comparison!(reg!(i.a), reg!(i.b), i.c, Greater, >, false),
                Opcode::JumpNotGreaterEqual => jump_comparison!(reg!(i.a), reg!(i.b), i.c, GreaterEqual, >=, false),
                Opcode::JumpNotEqual => jump_equal!(reg!(i.a), reg!(i.b), i.c, false),
                Opcode::JumpLessInt => jump_comparison!(reg!(i.a), int!(i.b), i.c, Less, <, true),
                Opcode::JumpLessEqualInt => jump_comparison!(reg!(i.a), int!(i.b), i.c, LessEqual, <=, true),
                Opcode::JumpGreaterInt => jump_comparison!(reg!(i.a), int!(i.b), i.c, Greater, >, true),
                Opcode::JumpGreaterEqualInt => jump_comparison!(reg!(i.a), int!(i.b), i.c, GreaterEqual, >=, true),
                Opcode::JumpEqualInt => jump_equal!(reg!(i.a), int!(i.b), i.c, true),
                Opcode::JumpNotLessInt => jump_comparison!(reg!(i.a), int!(i.b), i.c, Less, <, false),
                Opcode::JumpNotLessEqualInt => jump_comparison!(reg!(i.a), int!(i.b), i.c, LessEqual, <=, false),
                Opcode::JumpNotGreaterInt => jump_comparison!(reg!(i.a), int!(i.b), i.c, Greater, >, false),
                Opcode::JumpNotGreaterEqualInt => jump_comparison!(reg!(i.a), int!(i.b), i.c, GreaterEqual, >=, false),
                Opcode::JumpNotEqualInt => jump_equal!(reg!(i.a), int!(i.b), i.c, false),

                Opcode::Call => {
                    // SAFETY: the compiler emitted the index; the window lies in the frame.
                    let (site, window) =
                        unsafe { (code.calls.get_unchecked(i.c as usize), Window::new(r.add(i.b as usize))) };
                    // The parts of the call are assembled only on paths that leave this function.
                    macro_rules! call {
                        () => {
                            &Call::positional(window, site.arguments as usize, BlockHandler::NONE, i.a as u32)
                        };
                    }
                    let cache = match site.first(shape_key(window.receiver())) {
                        Some(cache) => cache,
                        None => match call::site::other(cx, site, window.receiver()) {
                            Some(cache) => cache,
                            None => {
                                save!();
                                act!(i.a, call::site::call_unseen(cx, site, call!()));
                                continue 'next;
                            }
                        },
                    };
                    if cache.reads_word() && site.arguments == 0 {
                        // SAFETY: the shape implies that the object has this word.
                        reg!(i.a) = unsafe { cell::word(window.receiver(), cache.word()) };
                        continue 'next;
                    }
                    save!();
                    if cache.is_simple() {
                        // SAFETY: the entry has Ruby code; the frame that is pushed for it keeps the code alive.
                        let callee = unsafe { call::site::callee(cache) };
                        if site.arguments == callee.parameter_count && site.literal_arguments == 0 {
                            let (entry, block) = ((cache.entry(), cache.lexical_scope()), BlockHandler::NONE);
                            attempt!(call::method::enter_simple(cx, entry, callee, window, block, 0, i.a as u32));
                            code = callee;
                            pc = callee.start().cast();
                            r = window.base();
                            run_compiled!(0);
                            continue 'next;
                        }
                    }
                    match cache.kind() {
                        Cached::WriteWord if site.arguments == 1 && !cell::frozen(window.receiver()) => {
                            let v = window.get(1);
                            // SAFETY: the shape implies that the object has this word.
                            unsafe { cell::store(cx, window.receiver(), cache.word(), v) };
                            reg!(i.a) = v;
                        }
                        Cached::Native if site.literal_arguments == 0 => {
                            let (row, count) = (call::site::native_row(cache), site.arguments as usize);
                            reg!(i.a) =
                                attempt!(call::native::run_positional(cx, cache.entry(), row, window, count, 0, 0));
                        }
                        _ => act!(i.a, call::site::call_cached(cx, site, cache, call!())),
                    }
                }
                Opcode::CallBlock => {
                    // SAFETY: the compiler emitted the index; the window lies in the frame.
                    let (site, window) =
                        unsafe { (code.calls.get_unchecked(i.c as usize), Window::new(r.add(i.b as usize))) };
                    save!();
                    // SAFETY: the frame is alive.
                    unsafe { (*cx.frame).block_code = code.child(site.block as usize) };
                    let block = BlockHandler::literal(cx.frame);
                    let call = Call::positional(window, site.arguments as usize, block, i.a as u32);
                    act!(i.a, call::site::call(cx, site, &call));
                }
                Opcode::CallComplex => {
                    // SAFETY: the compiler emitted the index.
                    let site = unsafe { code.calls.get_unchecked(i.c as usize) };
                    save!();
                    // SAFETY: the window lies in the frame.
                    let window = unsafe { Window::new(r.add(i.b as usize)) };
                    act!(i.a, arrange::call(cx, code, site, window, i.a as u32));
                }
                Opcode::Super => {
                    // SAFETY: the compiler emitted the index.
                    let site = unsafe { code.calls.get_unchecked(i.c as usize) };
                    save!();
                    // SAFETY: the window lies in the frame.
                    let window = unsafe { Window::new(r.add(i.b as usize)) };
                    act!(i.a, arrange::call_super(cx, code, site, window, i.a as u32));
                }
                Opcode::Yield => {
                    // SAFETY: the compiler emitted the index.
                    let site = unsafe { code.calls.get_unchecked(i.c as usize) };
                    save!();
                    // SAFETY: the window lies in the frame; the scopes around it are alive.
                    let (window, handler) = unsafe {
                        let scope = Scope::out(&raw const (*cx.frame).scope, site.depth as usize);
                        (Window::new(r.add(i.b as usize)), (*scope).block)
                    };
                    if site.flags.0 == 0 {
                        let call = Call::positional(window, site.arguments as usize, handler, i.a as u32);
                        if let Some(body) = attempt!(block::enter_simple(cx, &call)) {
                            // SAFETY: the block's frame runs the code and keeps it alive.
                            code = unsafe { body.as_ref() };
                            pc = code.start().cast();
                            r = window.base();
                            run_compiled!(0);
                            continue 'next;
                        }
                    }
                    act!(i.a, arrange::call_yield(cx, code, site, handler, window, i.a as u32));
                }

                Opcode::Return => {
                    // SAFETY: the frame is alive until it is popped.
                    let (flags, destination) = unsafe { ((*cx.frame).flags, (*cx.frame).destination) };
                    let mut v = reg!(i.a);
                    if flags & (FrameFlags::RECEIVER_RESULT | FrameFlags::ENTRY) != 0 {
                        if flags & FrameFlags::RECEIVER_RESULT != 0 {
                            v = reg!(0);
                        }
                        if flags & FrameFlags::ENTRY != 0 {
                            cx.pop_frame();
                            return Ok(v);
                        }
                    }
                    // SAFETY: the frame that ends has no ENTRY flag: another of this loop is below it.
                    unsafe { cx.pop_inner_frame() };
                    reload!();
                    reg!(destination) = v;
                }
                Opcode::ReturnOuter => {
                    save!();
                    let raised = leave::return_outer(cx, reg!(i.a));
                    attempt!(Err(raised));
                }
                Opcode::Break => {
                    save!();
                    let raised = leave::break_block(cx, reg!(i.a));
                    attempt!(Err(raised));
                }
                Opcode::Rethrow => {
                    save!();
                    let raised = cx.unpack_unwinding(reg!(i.a));
                    attempt!(Err(raised));
                }

                Opcode::Intrinsic => {
                    save!();
                    let which = Intrinsic::from_u16(i.c);
                    // SAFETY: the compiler reserves as many registers from `b` on as the intrinsic takes.
                    reg!(i.a) = attempt!(unsafe { loops::run(cx, which, r.add(i.b as usize)) });
                }
                Opcode::Lambda => {
                    save!();
                    reg!(i.a) = blocks::lambda(cx, code.child(i.bc() as usize));
                }
                Opcode::ClassBody => {
                    save!();
                    // SAFETY: above the frame's registers there is room, or check_stack reports that there is none.
                    attempt!(definitions::enter_class_body(cx, code.child(i.bc() as usize), reg!(i.a), i.a as u32));
                    reload!();
                }
                Opcode::DefineMethod => {
                    save!();
                    let (body, name) = (code.child(i.b as usize), Sym::of(code.literal(i.c as usize)));
                    reg!(i.a) = attempt!(definitions::define_method(cx, body, name));
                }
                Opcode::DefineSingletonMethod => {
                    save!();
                    let (body, name) = (code.child(i.b as usize), Sym::of(code.literal(i.c as usize)));
                    reg!(i.a) = attempt!(definitions::define_singleton_method(cx, reg!(i.a), body, name));
                }
                Opcode::Once => {
                    save!();
                    reg!(i.a) = match code.once_value(i.bc() as u32) {
                        Some(v) => v,
                        None => attempt!(definitions::run_once(cx, code, i.bc() as u32)),
                    };
                }
                Opcode::JumpTable => {
                    if let Some(word) = operators::jump_table(cx, code, i.c as usize, reg!(i.a)) {
                        // SAFETY: the table's targets are words of this code.
                        pc = unsafe { code.start().cast::<Instruction>().add(word as usize) };
                    }
                }
                Opcode::Count => code.count(i.bc() as u32 as usize),
                Opcode::CountOnce => {
                    if !code.has_counted(i.bc() as u32 as usize) {
                        coverage::record_line(cx, code, i.bc() as u32 as usize);
                    }
                }
                Opcode::CountCall => {
                    // SAFETY: the frame is alive.
                    let flags = unsafe { (*cx.frame).flags };
                    coverage::count_call(cx, code, i.bc() as u32 as usize, flags);
                }
                Opcode::Wide => {
                    // SAFETY: the extension follows the instruction.
                    let index = unsafe { *pc }.bc() as u32 as usize;
                    skip!(1);
                    save!();
                    act!(i.a, wide::run(cx, code, *i, index));
                }
                Opcode::Profiled => {
                    let word = code.word_of(pc.cast()) - 1;
                    opcode = replaced::original(code, word);
                    (cx.vm().hooks.profiled)(cx, code, word);
                    continue 'again;
                }
                Opcode::Traced => {
                    save!();
                    // The event fires, then the original instruction is executed.
                    let word = code.word_of(pc.cast()) - 1;
                    opcode = attempt!(replaced::traced(cx, code, word));
                    continue 'again;
                }
            }
            break;
        }
    }
}
