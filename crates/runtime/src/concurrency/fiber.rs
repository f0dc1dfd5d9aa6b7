//! Fibers: a VM stack and a native stack of their own.
//!
//! While a fiber is suspended its VM stack and the part of its native stack in use are roots, traced through its object. Switching away remembers
//! the object, because what is on its stacks changes without a barrier.

use abi::{Frame, Value};
use corosensei::{Coroutine, CoroutineResult, Yielder, stack::DefaultStack, stack::Stack as _};
use heap::Marker;
use object::{
    Known,
    native::{self, NativeData, Visit},
};

use crate::{
    Cx, R, Unwind,
    error::ErrorClass,
    frame::{Stack, StackPool},
    make,
    unwind::{Reason, Unwinding},
};

/// Native stack of a fiber, in bytes of address space; only what is touched takes memory.
const NATIVE_STACK: usize = 512 << 10;
/// Memory that a fiber takes at least, once it runs: two pages of each stack.
const TOUCHED: usize = 16 << 10;
/// How much of it stays free for raising SystemStackError.
const NATIVE_RESERVE: usize = 96 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FiberStatus {
    Created,
    /// Running now.
    Resumed,
    /// It resumed another and waits for it.
    Resuming,
    Suspended,
    Terminated,
}

impl FiberStatus {
    pub fn name(self) -> &'static str {
        match self {
            FiberStatus::Created => "created",
            FiberStatus::Resumed => "resumed",
            FiberStatus::Resuming | FiberStatus::Suspended => "suspended",
            FiberStatus::Terminated => "terminated",
        }
    }
}

/// What is handed over at a switch: the values as one Array, or the exception to raise on the other side.
struct Transfer {
    values: Value,
    raises: bool,
}

pub struct FiberState {
    pub status: FiberStatus,
    /// What it runs; nil for a thread's root fiber.
    pub block: Value,
    /// The fiber that waits for this one, or nil.
    pub resumer: Value,
    pub storage: Value,
    /// Fiber-locals (`Thread#[]`), a Hash or nil; a root fiber's are its thread's.
    pub locals: Value,
    /// The fiber that this one resumed and waits for, or nil.
    pub resuming: Value,
    /// The Thread that it belongs to.
    pub thread: Value,
    /// It was transferred to, so that only transfer may go on with it.
    pub transferred: bool,
    /// The scheduler may switch it.
    pub blocking: bool,
    /// Fiber#kill was called: it unwinds whenever control comes to it.
    pub killed: bool,
    /// Where its block stands, for inspect.
    pub place: String,
    stack: Option<Stack>,
    /// Where the stack goes when the fiber is collected.
    pool: *mut StackPool,
    frame: *mut Frame,
    error_info: Value,
    recursion_guard: Value,
    happening: *const crate::trace::Happening,
    open_calls: Value,
    native_limit: usize,
    /// Highest address of its native stack, and the lowest one in use while it does not run.
    native_base: usize,
    native_low: usize,
    coroutine: Option<Coroutine<(), (), (), DefaultStack>>,
    yielder: *const Yielder<(), ()>,
    transfer: Transfer,
    outcome: Option<Unwinding>,
}

impl NativeData for FiberState {
    fn trace(&mut self, marker: &mut Marker) {
        let own = [&mut self.block, &mut self.resumer, &mut self.storage, &mut self.thread, &mut self.error_info];
        let more = [
            &mut self.locals,
            &mut self.resuming,
            &mut self.recursion_guard,
            &mut self.open_calls,
            &mut self.transfer.values,
        ];
        for value in own.into_iter().chain(more) {
            marker.visit(value);
        }
        if let Some(outcome) = &mut self.outcome {
            outcome.trace(marker);
        }
        if matches!(self.status, FiberStatus::Suspended | FiberStatus::Resuming) {
            if let Some(stack) = self.stack {
                crate::roots::trace_stack(stack.low, self.frame, stack.high, marker);
            }
            if self.native_low != 0 {
                // SAFETY: the stack of a fiber that does not run keeps what it held when it was left.
                unsafe { marker.conservative(self.native_low as *const u8, self.native_base as *const u8) };
            }
        }
    }

    fn memsize(&self) -> usize {
        std::mem::size_of::<FiberState>()
    }
}

impl Drop for FiberState {
    fn drop(&mut self) {
        if let Some(mut coroutine) = self.coroutine.take()
            && coroutine.started()
            && !coroutine.done()
        {
            // SAFETY: an unreachable fiber never goes on; its native frames hold nothing that must be dropped but memory of the native heap.
            unsafe { coroutine.force_reset() };
        }
        // A root fiber's stack is its thread's.
        if let Some(stack) = self.stack.take()
            && !self.pool.is_null()
        {
            // SAFETY: the pool belongs to the VM, which outlives every fiber; objects are dropped under the global lock.
            unsafe { (*self.pool).give_back(stack) };
        }
    }
}

impl FiberState {
    fn new(block: Value, thread: Value, status: FiberStatus) -> FiberState {
        FiberState {
            status,
            block,
            resumer: Value::NIL,
            storage: Value::NIL,
            locals: Value::NIL,
            resuming: Value::NIL,
            thread,
            transferred: false,
            blocking: false,
            killed: false,
            place: String::new(),
            stack: None,
            pool: std::ptr::null_mut(),
            frame: std::ptr::null_mut(),
            error_info: Value::NIL,
            recursion_guard: Value::NIL,
            happening: std::ptr::null(),
            open_calls: Value::NIL,
            native_limit: 0,
            native_base: 0,
            native_low: 0,
            coroutine: None,
            yielder: std::ptr::null(),
            transfer: Transfer { values: Value::NIL, raises: false },
            outcome: None,
        }
    }

    pub fn is_root(&self) -> bool {
        self.block.is_nil()
    }
}

/// A new fiber of class `class` that will run `block`.
pub fn new(cx: &mut Cx, class: Value, block: Value) -> Value {
    let thread = cx.thread;
    native::new(cx, class, Box::new(FiberState::new(block, thread, FiberStatus::Created)))
}

/// Gives a fiber object made by `allocate` its block.
pub fn initialize(cx: &mut Cx, fiber: Value, block: Value) {
    state(cx, fiber).block = block;
}

/// The state of a fiber object, to change.
pub fn state(cx: &mut Cx, fiber: Value) -> &'static mut FiberState {
    native::get_mut::<FiberState>(cx, fiber).expect("a Fiber holds its state")
}

/// The running fiber; a thread's root fiber is made when it is first asked for.
pub fn current(cx: &mut Cx) -> Value {
    if cx.fiber.is_nil() {
        let class = cx.class(Known::Fiber);
        let thread = cx.thread;
        let mut root = FiberState::new(Value::NIL, thread, FiberStatus::Resumed);
        root.native_base = cx.native_stack_base();
        if !thread.is_nil() {
            root.storage = super::thread::state(cx, thread).storage;
        }
        cx.fiber = native::new(cx, class, Box::new(root));
        cx.root_fiber = cx.fiber;
    }
    cx.fiber
}

fn fiber_error(cx: &mut Cx, message: &str) -> Unwind {
    cx.raise(ErrorClass::FiberError, message)
}

/// Fiber#resume, and Fiber#raise with `raises`.
pub fn resume(cx: &mut Cx, fiber: Value, values: Value, raises: bool) -> R {
    let current = current(cx);
    let thread = cx.thread;
    let f = state(cx, fiber);
    match f.status {
        FiberStatus::Terminated => {
            return Err(fiber_error(
                cx,
                if raises { "dead fiber called" } else { "attempt to resume a terminated fiber" },
            ));
        }
        FiberStatus::Resumed => return Err(fiber_error(cx, "attempt to resume the current fiber")),
        FiberStatus::Resuming => return Err(fiber_error(cx, "attempt to resume a resuming fiber")),
        FiberStatus::Created if raises => return Err(fiber_error(cx, "cannot raise exception on unborn fiber")),
        _ => {}
    }
    if f.thread != thread {
        return Err(fiber_error(cx, "fiber called across threads"));
    }
    if f.transferred {
        return Err(fiber_error(cx, "attempt to resume a transferring fiber"));
    }
    f.resumer = current;
    let own = state(cx, current);
    own.status = FiberStatus::Resuming;
    own.resuming = fiber;
    switch_into(cx, current, fiber, values, raises)
}

/// Fiber#transfer, and Fiber#raise with `raises`.
pub fn transfer(cx: &mut Cx, fiber: Value, values: Value, raises: bool) -> R {
    let from = current(cx);
    if fiber == from {
        return Ok(unpacked(values));
    }
    let thread = cx.thread;
    let f = state(cx, fiber);
    match f.status {
        FiberStatus::Terminated => return Err(fiber_error(cx, "attempt to transfer to a terminated fiber")),
        FiberStatus::Resuming => return Err(fiber_error(cx, "attempt to transfer to a resuming fiber")),
        FiberStatus::Suspended if !f.transferred && !f.is_root() => {
            return Err(fiber_error(cx, "attempt to transfer to a yielding fiber"));
        }
        _ => {}
    }
    if f.thread != thread {
        return Err(fiber_error(cx, "fiber called across threads"));
    }
    f.transferred = !f.is_root();
    let own = state(cx, from);
    own.status = FiberStatus::Suspended;
    own.transferred = !own.is_root();
    hand_over(cx, fiber, values, raises);
    if state(cx, from).is_root() { drive(cx, from, fiber) } else { leave_to_driver(cx, from, fiber) }
}

/// A non-root fiber transfers: its native stack is left to whoever drives fibers, who goes into `to`.
fn leave_to_driver(cx: &mut Cx, from: Value, to: Value) -> R {
    cx.next_fiber = to;
    suspend_native(cx, from);
    arrive(cx, from)
}

fn switch_into(cx: &mut Cx, from: Value, to: Value, values: Value, raises: bool) -> R {
    hand_over(cx, to, values, raises);
    drive(cx, from, to)
}

fn hand_over(cx: &mut Cx, to: Value, values: Value, raises: bool) {
    let t = state(cx, to);
    t.transfer = Transfer { values, raises };
}

/// Runs `to` (and whatever it transfers to) until control comes back to `from`.
fn drive(cx: &mut Cx, from: Value, to: Value) -> R {
    save(cx, from);
    let mut to = to;
    loop {
        if let Err(unwind) = prepare(cx, to) {
            restore(cx, from);
            return Err(unwind);
        }
        let f = state(cx, to);
        f.status = FiberStatus::Resumed;
        cx.fiber = to;
        let Some(mut coroutine) = f.coroutine.take() else {
            // `to` runs further down on the native stacks: whoever drives `from` goes on there. Control comes back once `from` is switched to.
            restore(cx, from);
            cx.next_fiber = to;
            suspend_native(cx, from);
            return arrive(cx, from);
        };
        // SAFETY: this context runs on the fiber's native stack from here until the coroutine gives control back.
        unsafe { cx.set_native_base(f.native_base) };
        cx.native_limit = f.native_limit;
        load(cx, to);
        let result = coroutine.resume(());
        let finished = matches!(result, CoroutineResult::Return(()));
        let f = state(cx, to);
        f.coroutine = if finished { None } else { Some(coroutine) };
        if finished && let Some(stack) = f.stack.take() {
            cx.vm_mut().stacks.give_back(stack);
        }
        let next = std::mem::replace(&mut cx.next_fiber, Value::NIL);
        if next.is_nil() || next == from {
            break;
        }
        to = next;
    }
    restore(cx, from);
    arrive(cx, from)
}

/// Takes over what was handed to `fiber`, which runs again.
fn arrive(cx: &mut Cx, fiber: Value) -> R {
    cx.event(crate::trace::FIBER_SWITCH, Value::NIL, Value::NIL)?;
    let f = state(cx, fiber);
    f.status = FiberStatus::Resumed;
    f.resuming = Value::NIL;
    if f.killed {
        f.outcome = None;
        f.transfer = Transfer { values: Value::NIL, raises: false };
        return Err(cx.unwind(Reason::Kill, Value::NIL, Value::NIL, std::ptr::null_mut()));
    }
    if let Some(outcome) = f.outcome.take() {
        return Err(cx.unwind(outcome.reason, outcome.value, outcome.tag, outcome.target));
    }
    let values = std::mem::replace(&mut f.transfer.values, Value::NIL);
    if std::mem::take(&mut f.transfer.raises) {
        return Err(crate::error::raise_exception(cx, values));
    }
    Ok(unpacked(values))
}

/// One value for none (nil) or one, else the array.
fn unpacked(values: Value) -> Value {
    let list = object::array::Arr(values);
    if !object::cell::is(values, abi::Type::Array) {
        return values;
    }
    match list.len() {
        0 => Value::NIL,
        1 => list.get(0).unwrap_or(Value::NIL),
        _ => values,
    }
}

/// Keeps the running fiber's place.
#[inline(never)]
fn save(cx: &mut Cx, fiber: Value) {
    let (stack, frame, error_info, guard, limit) =
        (cx.stack, cx.frame, cx.error_info, cx.recursion_guard, cx.native_limit);
    let (happening, open_calls) = (cx.happening, cx.open_calls);
    let here = 0u64;
    let f = state(cx, fiber);
    (f.happening, f.open_calls) = (happening, open_calls);
    f.stack = Some(stack);
    f.frame = frame;
    f.error_info = error_info;
    f.recursion_guard = guard;
    f.native_limit = limit;
    // What the callers keep in registers is spilled below this frame by the switch: some room covers it.
    f.native_low = (&raw const here as usize) - 1024;
}

/// Takes the fiber's place up again.
fn restore(cx: &mut Cx, fiber: Value) {
    let f = state(cx, fiber);
    let (base, limit) = (f.native_base, f.native_limit);
    f.native_low = 0;
    // SAFETY: control is on this fiber's native stack.
    unsafe { cx.set_native_base(base) };
    cx.native_limit = limit;
    cx.fiber = fiber;
    load(cx, fiber);
}

fn load(cx: &mut Cx, fiber: Value) {
    let f = state(cx, fiber);
    if let Some(stack) = f.stack {
        cx.stack = stack;
    }
    cx.frame = f.frame;
    cx.error_info = f.error_info;
    cx.recursion_guard = f.recursion_guard;
    (cx.happening, cx.open_calls) = (f.happening, f.open_calls);
    f.native_low = 0;
}

/// Gives a fiber that is resumed for the first time its stacks.
fn prepare(cx: &mut Cx, fiber: Value) -> R<()> {
    let f = state(cx, fiber);
    if f.status != FiberStatus::Created {
        return Ok(());
    }
    let Some(stack) = cx.vm_mut().stacks.take() else {
        return Err(fiber_error(cx, "can't alloc machine stack to fiber: Cannot allocate memory"));
    };
    let Ok(native_stack) = DefaultStack::new(NATIVE_STACK) else {
        cx.vm_mut().stacks.give_back(stack);
        return Err(fiber_error(cx, "can't alloc machine stack to fiber: Cannot allocate memory"));
    };
    let base = native_stack.base().get();
    let limit = native_stack.limit().get() + NATIVE_RESERVE;
    let context: *mut Cx = cx;
    let coroutine = Coroutine::with_stack(native_stack, move |yielder: &Yielder<(), ()>, ()| {
        // SAFETY: the context outlives its fibers, and only the fiber that control is with uses it.
        run_body(unsafe { &mut *context }, fiber, yielder);
    });
    let f = state(cx, fiber);
    f.stack = Some(stack);
    f.pool = &raw mut cx.vm_mut().stacks;
    f.frame = std::ptr::null_mut();
    f.native_base = base;
    f.native_limit = limit;
    f.coroutine = Some(coroutine);
    cx.holds_outside(TOUCHED);
    Ok(())
}

/// What a fiber's native stack starts with.
fn run_body(cx: &mut Cx, fiber: Value, yielder: &Yielder<(), ()>) {
    let f = state(cx, fiber);
    f.yielder = yielder;
    let block = f.block;
    let arguments = std::mem::replace(&mut f.transfer.values, Value::NIL);
    let list = object::array::Arr(arguments);
    let result = cx
        .event(crate::trace::FIBER_SWITCH, Value::NIL, Value::NIL)
        .and_then(|()| crate::call::block::call_proc(cx, block, list.elements()));
    let resumer = std::mem::replace(&mut state(cx, fiber).resumer, Value::NIL);
    state(cx, fiber).status = FiberStatus::Terminated;
    let to = if resumer.is_nil() { root_fiber(cx) } else { resumer };
    match result {
        Ok(v) => {
            let t = state(cx, to);
            t.transfer = Transfer { values: v, raises: false };
        }
        Err(_) if cx.unwinding.reason == Reason::Kill && state(cx, fiber).killed => {
            cx.unwinding = Unwinding::none();
            state(cx, to).transfer = Transfer { values: Value::NIL, raises: false };
        }
        Err(_) => {
            let outcome = std::mem::replace(&mut cx.unwinding, Unwinding::none());
            state(cx, to).outcome = Some(outcome);
        }
    }
    cx.next_fiber = to;
}

fn root_fiber(cx: &mut Cx) -> Value {
    cx.root_fiber
}

/// Fiber#raise: where the fiber stands, or the one that it waits for.
pub fn raise_in(cx: &mut Cx, fiber: Value, exception: Value) -> R {
    let mut at = fiber;
    loop {
        if at == current(cx) {
            return Err(crate::error::raise_exception(cx, exception));
        }
        let f = state(cx, at);
        if f.resuming.is_nil() {
            let was_transferred = f.status == FiberStatus::Suspended && f.transferred;
            return if was_transferred { transfer(cx, at, exception, true) } else { resume(cx, at, exception, true) };
        }
        at = f.resuming;
    }
}

/// Fiber#kill: a fiber that was begun unwinds through its ensure clauses, when control comes to it at the latest.
pub fn kill(cx: &mut Cx, fiber: Value) -> R<()> {
    let own = current(cx);
    let f = state(cx, fiber);
    if f.killed || f.status == FiberStatus::Terminated {
        return Ok(());
    }
    f.killed = true;
    if f.status == FiberStatus::Created {
        f.status = FiberStatus::Terminated;
        return Ok(());
    }
    if fiber == own {
        return Err(cx.unwind(Reason::Kill, Value::NIL, Value::NIL, std::ptr::null_mut()));
    }
    if f.resuming.is_nil() {
        let none = make::array(cx, &[]);
        let was_transferred = f.status == FiberStatus::Suspended && f.transferred;
        if was_transferred {
            transfer(cx, fiber, none, false)?;
        } else {
            resume(cx, fiber, none, false)?;
        }
    }
    Ok(())
}

/// Fiber.yield.
pub fn suspend(cx: &mut Cx, values: Value) -> R {
    let own = current(cx);
    let f = state(cx, own);
    if f.is_root() {
        return Err(fiber_error(cx, "can't yield from root fiber"));
    }
    let resumer = std::mem::replace(&mut f.resumer, Value::NIL);
    if resumer.is_nil() {
        return Err(fiber_error(cx, "attempt to yield on a not resumed fiber"));
    }
    f.status = FiberStatus::Suspended;
    hand_over(cx, resumer, values, false);
    cx.next_fiber = resumer;
    suspend_native(cx, own);
    arrive(cx, own)
}

/// Leaves the fiber's native stack; returns when control comes back to it.
fn suspend_native(cx: &mut Cx, own: Value) {
    save(cx, own);
    let yielder = state(cx, own).yielder;
    // SAFETY: the yielder lives on the fiber's own stack, which this runs on.
    unsafe { (*yielder).suspend(()) };
}
