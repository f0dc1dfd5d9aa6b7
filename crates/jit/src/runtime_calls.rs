//! The functions behind [`abi::RuntimeCall`].
//!
//! No panic crosses compiled code: each function catches panics of its body.

use std::panic::{AssertUnwindSafe, catch_unwind};

use abi::{BlockHandler, Frame, FrameFlags, RuntimeCall, Scope, Value};
use bytecode::{Instruction, Intrinsic, Opcode};
use runtime::{
    Args, Cx, R,
    call::{self, Action, Call, Window, block},
    code::{
        CallSite, Code,
        exits::InlinedFrame,
        live_code,
        open_frames::OpenFrames,
        tier::{Entry, How, Outcome},
    },
    intrinsics,
    method_table::Method,
    trace::{C_CALL, C_RETURN, RAISE, VERIFY_FACTS},
    unwind::Unwinding,
};

mod exits;
mod values;

pub use exits::take_exit;
pub use values::{barrier, buffer_barrier, element_barrier};

use values::operate;

use crate::{backend, block_copies, instruction};

/// The address of the function of a runtime call.
pub fn address(call: RuntimeCall) -> usize {
    match call {
        RuntimeCall::Instruction => execute::<ANY> as *const () as usize,
        RuntimeCall::Intrinsic => run_intrinsic as *const () as usize,
        RuntimeCall::QuickIntrinsic => run_quick_intrinsic::<ANY> as *const () as usize,
        RuntimeCall::Call => make_call as *const () as usize,
        RuntimeCall::Yield => make_yield as *const () as usize,
        RuntimeCall::AnyCall => make_any_call as *const () as usize,
        RuntimeCall::PushInlinedFrames => push_inlined_frames as *const () as usize,
        RuntimeCall::WriteOpenFrames => write_open_frames as *const () as usize,
        RuntimeCall::FinishFrame => finish_frame as *const () as usize,
        RuntimeCall::EndBreak => end_break as *const () as usize,
        RuntimeCall::Native => run_native as *const () as usize,
        RuntimeCall::Frameless => run_frameless as *const () as usize,
        RuntimeCall::EmptyArray => values::empty_array as *const () as usize,
        RuntimeCall::FilledArray => values::filled_array as *const () as usize,
        RuntimeCall::NewObject => values::new_object as *const () as usize,
        RuntimeCall::NewArray => values::new_array as *const () as usize,
        RuntimeCall::HasKey => values::has_key as *const () as usize,
        RuntimeCall::Fetch => values::fetch as *const () as usize,
        RuntimeCall::JoinedArray => values::joined_array as *const () as usize,
        RuntimeCall::OwnString => values::own_string as *const () as usize,
        RuntimeCall::Allocate => values::allocate as *const () as usize,
        RuntimeCall::Safepoint => safepoint as *const () as usize,
        RuntimeCall::NewString => values::new_string as *const () as usize,
        RuntimeCall::Collect => values::collect as *const () as usize,
        RuntimeCall::NewHash => values::new_hash as *const () as usize,
        RuntimeCall::Slice => values::slice as *const () as usize,
        RuntimeCall::KeywordHash => values::keyword_hash as *const () as usize,
        RuntimeCall::Concatenate => values::concatenate as *const () as usize,
        RuntimeCall::Operate => values::operate::<ANY> as *const () as usize,
        RuntimeCall::Equal => values::are_equal as *const () as usize,
        RuntimeCall::IsInstance => values::is_instance as *const () as usize,
        RuntimeCall::JumpTable => values::jump_table as *const () as usize,
        RuntimeCall::Index => values::get_element::<true> as *const () as usize,
        RuntimeCall::IndexSet => values::set_element::<true> as *const () as usize,
        RuntimeCall::IndexNear => values::get_near as *const () as usize,
        RuntimeCall::IndexSetNear => values::set_near as *const () as usize,
        RuntimeCall::Push => values::push as *const () as usize,
        RuntimeCall::SetSlot => values::set_slot as *const () as usize,
        RuntimeCall::GetIvar => values::get_ivar as *const () as usize,
        RuntimeCall::SetIvar => values::set_ivar as *const () as usize,
        RuntimeCall::Constant => values::constant as *const () as usize,
        RuntimeCall::NewCell => values::new_undefined_cell as *const () as usize,
        RuntimeCall::NewFloat => values::new_float as *const () as usize,
        RuntimeCall::CloseEnvironment => close_environment as *const () as usize,
    }
}

/// Stands for all opcodes that have no instance of their own.
const ANY: u16 = u16::MAX;

/// The address of the instance of a function that is specialized for an opcode or intrinsic in the list, otherwise of
/// the general instance.
macro_rules! instance {
    ($function:ident for $kind:ident $which:expr, of $($name:ident)*) => {
        match $which {
            $($kind::$name => $function::<{ $kind::$name as u16 }> as *const () as usize,)*
            _ => $function::<ANY> as *const () as usize,
        }
    };
}

/// The function that executes instructions of an opcode.
pub fn executor(opcode: Opcode) -> usize {
    instance!(execute for Opcode opcode, of NewString DuplicateLiteral GetGlobal SetOuter GetIvar SetIvar AnyToString
        ConcatStrings NewArray NewHash NewRange NewRangeExclusive HashStore ArrayConcat SplatToArray Expand Index
        IndexSet Equal JumpEqual JumpNotEqual IsNil Not CaseEqual)
}

/// The function that runs an intrinsic that runs no Ruby code.
pub fn quick_intrinsic(which: Intrinsic) -> usize {
    instance!(run_quick_intrinsic for Intrinsic which, of ArrayPush ArraySet ArrayAt ArrayWithCapacity HashNext
        HashKeyAt HashValueAt HashSetAt HashEnter HashLeave StructAt AddToFloats)
}

/// The function of [`RuntimeCall::Index`] or [`RuntimeCall::IndexSet`] for keys that are no lent literals.
pub fn element_by_own_key(call: RuntimeCall) -> usize {
    match call {
        RuntimeCall::Index => values::get_element::<false> as *const () as usize,
        _ => values::set_element::<false> as *const () as usize,
    }
}

/// The function of [`RuntimeCall::Operate`] for an opcode.
pub fn operator(opcode: Opcode) -> usize {
    use Opcode::*;
    let opcode = match opcode {
        AddInt => Add,
        SubtractInt => Subtract,
        MultiplyInt => Multiply,
        ModuloInt => Modulo,
        ShiftLeftInt => ShiftLeft,
        LessInt | JumpLess | JumpNotLess | JumpLessInt | JumpNotLessInt => Less,
        LessEqualInt | JumpLessEqual | JumpNotLessEqual | JumpLessEqualInt | JumpNotLessEqualInt => LessEqual,
        GreaterInt | JumpGreater | JumpNotGreater | JumpGreaterInt | JumpNotGreaterInt => Greater,
        GreaterEqualInt | JumpGreaterEqual | JumpNotGreaterEqual | JumpGreaterEqualInt | JumpNotGreaterEqualInt => {
            GreaterEqual
        }
        opcode => opcode,
    };
    instance!(operate for Opcode opcode, of Add Subtract Multiply Divide Modulo ShiftLeft ShiftLeftLiteral Less
        LessEqual Greater GreaterEqual NotEqual Length Size IsEmpty ToString CaseEqual BitAnd BitOr BitXor ShiftRight)
}

#[inline(always)]
const fn returned(value: Value) -> Outcome {
    Outcome { value, how: How::Returned }
}

const fn left(how: How) -> Outcome {
    Outcome { value: Value::UNDEF, how }
}

/// Runs a body for compiled code: a panic is raised as an exception.
#[inline(always)]
fn guarded(cx: &mut Cx, body: impl FnOnce(&mut Cx) -> R<Outcome>) -> Outcome {
    match catch_unwind(AssertUnwindSafe(|| body(cx))) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => left(How::Unwinding),
        Err(payload) => {
            let _ = runtime::panics::raise(cx, payload);
            left(How::Unwinding)
        }
    }
}

/// The outcome of an instruction that may have pushed a frame.
fn complete(cx: &mut Cx, registers: Window, action: Action) -> Outcome {
    match action {
        Action::Value(v) => returned(v),
        Action::Entered => {
            let destination = cx.frame().destination as usize;
            let outcome = run_top_frame(cx);
            if outcome.how == How::Returned {
                registers.set(destination, outcome.value);
            }
            outcome
        }
    }
}

/// The outcome of a call by the runtime. If it pushed a frame, the outcome tells compiled code to run the frame.
fn prepared(cx: &mut Cx, registers: Window, action: Action) -> Outcome {
    if let Action::Value(v) = action {
        return returned(v);
    }
    if cx.frame().flags & FrameFlags::RECEIVER_RESULT != 0 {
        return complete(cx, registers, action);
    }
    if is_nearly_used_up(cx) {
        return abandoned(cx);
    }
    // SAFETY: the frame that was pushed keeps its code alive.
    let own = unsafe { live_code(cx.frame().scope.code) };
    let stub = backend::interpret as *const () as usize;
    // From now on compiled code finds the callee itself (`found_methods`).
    own.tier.callee_address(stub);
    let address = entry_of(cx, own).map_or(stub, Entry::address);
    Outcome { value: Value(address as u64), how: How::Pushed }
}

/// Counts a run of the running frame's code; returns its compiled code, if that may be used.
fn entry_of(cx: &mut Cx, own: &Code) -> Option<Entry> {
    if !own.tier.is_hot() {
        return None;
    }
    if own.tier.is_quiet() && !cx.in_trace() {
        own.tier.end_quiet(own.is_traced(), cx.vm().all_redefinitions());
    }
    own.tier.enter(|| crate::compile(cx, own))
}

/// The number of bytes of the native stack that must be left to start a dispatch loop.
const NATIVE_RESERVE: usize = 128 << 10;

/// Is the native stack nearly used up?
fn is_nearly_used_up(cx: &Cx) -> bool {
    let here = 0u8;
    (&raw const here as usize) < cx.native_bound() + NATIVE_RESERVE
}

/// The interpreter continues all frames of the stack, and so needs them.
fn abandoned(cx: &mut Cx) -> Outcome {
    cx.write_all_open_frames();
    left(How::Abandoned)
}

/// Runs the frame on top until it is left: in its compiled code, or in a dispatch loop of its own.
fn run_top_frame(cx: &mut Cx) -> Outcome {
    let frame = cx.frame;
    // SAFETY: the running frame is alive; written, it leads to its caller.
    let was_open = unsafe {
        let was_open = OpenFrames::write_own(frame);
        OpenFrames::caller(frame);
        was_open
    };
    // SAFETY: the running frame is alive until it is left; what is read here is read before.
    let (own, slots, flags) = unsafe { (live_code((*frame).scope.code), (*frame).scope.slots, (*frame).flags) };
    if was_open {
        // SAFETY: it was pushed just now.
        unsafe { (*frame).pc = own.start() };
    }
    if is_nearly_used_up(cx) {
        return abandoned(cx);
    }
    let entry = entry_of(cx, own);
    let outcome = match entry {
        Some(entry) => {
            // SAFETY: register 0 of the frame. The entry is that of its code. The frame was pushed just now; it begins
            // at its first word.
            let (receiver, outcome) = unsafe { (*slots, backend::enter(cx, slots, 0, entry)) };
            if outcome.how == How::Returned {
                // SAFETY: it was the running one.
                unsafe { cx.pop_returned(frame) };
            }
            match outcome.how {
                How::Returned if flags & FrameFlags::RECEIVER_RESULT != 0 => returned(receiver),
                _ => outcome,
            }
        }
        None => left(How::Exited),
    };
    // SAFETY: it has not been popped.
    unsafe { finished(cx, outcome, frame) }
}

/// The outcome of a frame that compiled code was called for. If the compiled code did not finish the frame, a separate
/// dispatch loop does: it runs the rest of the frame, or handles an exception or jump. The compiled code below, whose
/// frames are not affected, then continues.
///
/// # Safety
/// If the frame has not been popped, it is the running one or below it.
unsafe fn finished(cx: &mut Cx, outcome: Outcome, frame: *mut Frame) -> Outcome {
    match outcome.how {
        How::Exited if is_nearly_used_up(cx) => abandoned(cx),
        // SAFETY: this function's contract.
        How::Exited => unsafe { interpret(cx, frame, cx.vm().hooks.run) },
        // Frames are pushed downwards: it has not been popped. SAFETY: this function's contract.
        How::Unwinding if cx.frame <= frame && !is_nearly_used_up(cx) => unsafe {
            interpret(cx, frame, cx.vm().hooks.run_unwinding)
        },
        _ => outcome,
    }
}

/// Runs a frame, and the frames above it, in a dispatch loop of its own.
///
/// # Safety
/// The frame is the running one or below it.
unsafe fn interpret(cx: &mut Cx, frame: *mut Frame, run: fn(&mut Cx) -> R) -> Outcome {
    // SAFETY: this function's contract. The interpreter pops frames one by one: none may be open.
    unsafe {
        OpenFrames::write_own(frame);
        OpenFrames::caller(frame);
        (*frame).flags |= FrameFlags::ENTRY;
    }
    match run(cx) {
        Ok(v) => returned(v),
        Err(_) => left(How::Unwinding),
    }
}

unsafe extern "C" fn execute<const OPCODE: u16>(cx: *mut Cx, registers: *mut Value, word: u64, bits: u64) -> Outcome {
    // SAFETY: compiled code passes its own context and the registers of the running frame.
    let (cx, registers) = unsafe { (&mut *cx, Window::new(registers)) };
    guarded(cx, |cx| {
        // SAFETY: the running frame keeps its code alive.
        let own = unsafe { live_code(cx.frame().scope.code) };
        // SAFETY: these are the bits of an instruction of the code.
        let i = unsafe { std::mem::transmute::<u64, Instruction>(bits) };
        let opcode = if OPCODE == ANY { i.op() } else { Opcode::from_u16(OPCODE) };
        let action = instruction::run(cx, own, registers, word as usize, i, opcode)?;
        Ok(complete(cx, registers, action))
    })
}

unsafe extern "C" fn run_intrinsic(cx: *mut Cx, number: u64, arguments: *const Value) -> Outcome {
    // SAFETY: compiled code passes its own context.
    let cx = unsafe { &mut *cx };
    let which = Intrinsic::from_u16(number as u16);
    // SAFETY: the arguments are as many registers as the intrinsic takes.
    guarded(cx, |cx| unsafe { intrinsics::run(cx, which, arguments) }.map(returned))
}

unsafe extern "C" fn run_quick_intrinsic<const NUMBER: u16>(
    cx: *mut Cx,
    number: u64,
    arguments: *const Value,
) -> Value {
    let which = Intrinsic::from_u16(if NUMBER == ANY { number as u16 } else { NUMBER });
    // SAFETY: the arguments are as many registers as the intrinsic takes.
    let argument = |n| unsafe { *arguments.add(n) };
    if which == Intrinsic::ArrayPrepare && !(argument(1).is_fixnum() && argument(2).is_undef()) {
        // The intrinsic would convert or warn.
        return Value::UNDEF;
    }
    // SAFETY: as many arguments as the intrinsic takes, which this is the function of.
    fast(cx, |cx| unless_it_raises(cx, |cx| unsafe { intrinsics::run(cx, which, arguments) }))
}

unsafe extern "C" fn make_any_call(
    cx: *mut Cx,
    registers: *mut Value,
    site: *const CallSite,
    i: Instruction,
) -> Outcome {
    // SAFETY: compiled code passes its own context, the registers of the running frame and a site of its own code.
    let (cx, registers, site) = unsafe { (&mut *cx, Window::new(registers), &*site) };
    guarded(cx, |cx| {
        // SAFETY: the running frame keeps its code alive.
        let own = unsafe { live_code(cx.frame().scope.code) };
        let action = instruction::call(cx, own, registers, site, i)?;
        Ok(prepared(cx, registers, action))
    })
}

unsafe extern "C" fn make_call(
    cx: *mut Cx,
    registers: *mut Value,
    site: *const CallSite,
    window: u64,
    destination: u64,
) -> Outcome {
    // SAFETY: compiled code passes its own context, the registers of the running frame and a site of its own code.
    let (cx, registers, site) = unsafe { (&mut *cx, Window::new(registers), &*site) };
    guarded(cx, |cx| {
        let block = match site.block_child() {
            Some(_) => BlockHandler::literal(cx.frame),
            None => BlockHandler::NONE,
        };
        let window = registers.from(window as usize);
        let call = Call::positional(window, site.arguments as usize, block, destination as u32);
        let action = call::site::call_recent(cx, site, &call);
        let action = instruction::or_break(cx, action)?;
        if let Action::Value(v) = action {
            registers.set(destination as usize, v);
        }
        Ok(prepared(cx, registers, action))
    })
}

unsafe extern "C" fn make_yield(
    cx: *mut Cx,
    registers: *mut Value,
    site: *const CallSite,
    window: u64,
    destination: u64,
) -> Outcome {
    // SAFETY: compiled code passes its own context, the registers of the running frame and a site of its own code.
    let (cx, registers, site) = unsafe { (&mut *cx, Window::new(registers), &*site) };
    guarded(cx, |cx| {
        // SAFETY: the compiler counted scopes; those around the running frame are alive.
        let handler = unsafe { (*Scope::out(&raw const (*cx.frame).scope, site.depth as usize)).block };
        if block_copies::continues_in_copy(cx, handler) {
            return Ok(left(How::Exited));
        }
        let window = registers.from(window as usize);
        let mut call = Call::positional(window, site.arguments as usize, handler, destination as u32);
        if block::enter_simple(cx, &call)?.is_some() {
            return Ok(prepared(cx, registers, Action::Entered));
        }
        call.block = BlockHandler::NONE;
        let action = block::dispatch(cx, handler, &call)?;
        if let Action::Value(v) = action {
            registers.set(destination as usize, v);
        }
        Ok(prepared(cx, registers, action))
    })
}

/// Runs a frame that was just pushed and whose code is not compiled.
///
/// # Safety Called in place of compiled code, with the caller's context.
pub unsafe extern "C" fn run_frame(cx: *mut Cx) -> Outcome {
    // SAFETY: this function's contract.
    let cx = unsafe { &mut *cx };
    guarded(cx, |cx| Ok(run_top_frame(cx)))
}

unsafe extern "C" fn push_inlined_frames(
    cx: *mut Cx,
    root: *mut Frame,
    inlined: *const InlinedFrame,
    first: u64,
    pc: *const u64,
) {
    // SAFETY: compiled code passes its own context and frame, and one of the frames that it keeps, with a word of its
    // code.
    unsafe {
        OpenFrames::write_own(root);
        (*cx).frame = (*inlined).push_frames(root, first as usize, pc);
    }
}

unsafe extern "C" fn write_open_frames(below: *mut Frame) {
    // SAFETY: compiled code passes the frame that it has left open frames above.
    unsafe { OpenFrames::write(below) }
}

unsafe extern "C" fn finish_frame(cx: *mut Cx, value: Value, how: How, pushed: *mut Frame) -> Outcome {
    // SAFETY: compiled code passes its own context.
    let cx = unsafe { &mut *cx };
    // SAFETY: the frame that was pushed is there until it is left.
    let outcome = guarded(cx, |cx| Ok(unsafe { finished(cx, Outcome { value, how }, pushed) }));
    match outcome.how {
        How::Unwinding => cx.end_break(cx.frame).map_or(outcome, returned),
        _ => outcome,
    }
}

unsafe extern "C" fn end_break(cx: *mut Cx, frame: *mut Frame) -> Value {
    // SAFETY: compiled code passes its own context.
    let cx = unsafe { &mut *cx };
    cx.end_break(frame).unwrap_or(Value::UNDEF)
}

unsafe extern "C" fn run_native(
    cx: *mut Cx,
    window: *mut Value,
    entry: Value,
    row: *const Method,
    count: u64,
) -> Outcome {
    // SAFETY: compiled code passes its own context, a window of the running frame and the row of an entry that it
    // keeps.
    let (cx, window, row) = unsafe { (&mut *cx, Window::new(window), &*row) };
    let (open, lent, count) = ((count >> 48) as u32, (count >> 32) as u16, count as u32 as usize);
    guarded(cx, |cx| call::native::run_positional(cx, entry, row, window, count, lent, open).map(returned))
}

unsafe extern "C" fn run_frameless(cx: *mut Cx, window: *mut Value, row: *const Method, count: u64) -> Value {
    // SAFETY: compiled code passes a window of the running frame and the row of an entry that it keeps.
    let (arguments, row) = unsafe { (Args::new(window, count as usize, false), &*row) };
    let function = row.quick.unwrap_or(row.function);
    fast(cx, |cx| unless_it_raises(cx, |cx| function(cx, arguments)))
}

/// Runs a function that has no effect if it raises; `None` if it raises. The call is then made again with a frame and
/// raises the exception again, so trace points see the exception once.
#[inline(always)]
fn unless_it_raises(cx: &mut Cx, f: impl FnOnce(&mut Cx) -> R) -> Option<Value> {
    let is_seen = cx.vm().trace_events & (C_CALL | C_RETURN | RAISE | VERIFY_FACTS) != 0;
    let result = if is_seen { None } else { f(cx).ok() };
    if result.is_none() {
        cx.unwinding = Unwinding::none();
    }
    result
}

/// Runs a fast path; undef if it does not apply. After a panic the result is undef, too, and the slow path raises the
/// exception.
#[inline(always)]
fn fast(cx: *mut Cx, path: impl FnOnce(&mut Cx) -> Option<Value>) -> Value {
    // SAFETY: compiled code passes its own context.
    let cx = unsafe { &mut *cx };
    catch_unwind(AssertUnwindSafe(|| path(cx))).ok().flatten().unwrap_or(Value::UNDEF)
}

unsafe extern "C" fn safepoint(cx: *mut Cx) -> Outcome {
    // SAFETY: compiled code passes its own context.
    let cx = unsafe { &mut *cx };
    guarded(cx, |cx| cx.safepoint().map(|()| returned(Value::NIL)))
}

unsafe extern "C" fn close_environment(cx: *mut Cx) {
    // SAFETY: compiled code passes its own context.
    let cx = unsafe { &mut *cx };
    guarded(cx, |cx| {
        cx.close_own_environment();
        Ok(returned(Value::NIL))
    });
}
