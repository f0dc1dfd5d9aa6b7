//! Fibers, each with a VM stack and a native stack. `switch` switches between them, `native_stack` provides the stacks.
//!
//! While a fiber is suspended its VM stack and the part of its native stack in use are roots, traced through its
//! object. A switch adds the object to the remembered set, because its stacks change without a barrier.

mod native_stack;
mod switch;

pub use native_stack::NativeStackPool;
pub use switch::{after_fork, kill, raise_in, resume, suspend, transfer};

use abi::{Frame, Value};
use corosensei::{Coroutine, Yielder};
use heap::{Marker, Trace};
use object::{
    Known, cell,
    native::{self, NativeData},
};

use self::native_stack::NativeStack;
use crate::{
    Cx,
    frame::{Stack, StackPool},
    unwind::Unwinding,
};

/// The pools of stacks for fibers.
#[derive(Default)]
pub struct FiberStacks {
    pub vm: StackPool,
    pub native: NativeStackPool,
    /// The states of the fibers that have a native stack.
    started: Vec<*const FiberState>,
}

impl FiberStacks {
    /// A VM stack and a native stack for a fiber, or none.
    fn take(&mut self) -> Option<(Stack, NativeStack)> {
        let native = self.native.take()?;
        match self.vm.take() {
            Some(vm) => Some((vm, native)),
            None => {
                self.native.give_back(native);
                None
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FiberStatus {
    Created,
    /// Running now.
    Resumed,
    /// It resumed another fiber and waits for it.
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

/// The data passed at a switch.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Handing {
    /// No value: the other fiber receives nil.
    Nothing,
    One,
    /// An Array of several values.
    Several,
    /// An exception to raise on the other side.
    Exception,
}

#[derive(Trace)]
struct Transfer {
    value: Value,
    #[trace(skip)]
    kind: Handing,
}

impl Transfer {
    const NOTHING: Transfer = Transfer { value: Value::NIL, kind: Handing::Nothing };
}

#[derive(Trace)]
#[trace(also = FiberState::trace_stacks)]
pub struct FiberState {
    #[trace(skip)]
    pub status: FiberStatus,
    /// The block that it runs; nil for a thread's root fiber.
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
    /// It was transferred to, so that only a transfer may continue it.
    pub transferred: bool,
    /// The scheduler may switch it.
    pub blocking: bool,
    /// Fiber#kill was called: it unwinds when it gets control.
    pub killed: bool,
    /// Exceptions from other threads wait until the hook of a scheduler that it runs has returned.
    pub uninterruptible: bool,
    /// It was running at the fork that made this process, which ends with it: the first fiber of this process.
    pub forked: bool,
    /// The source position of its block, for inspect.
    pub place: String,
    #[trace(skip)]
    stack: Option<Stack>,
    /// The pools to which the stacks return when the fiber is collected; null until it has stacks.
    pools: *mut FiberStacks,
    /// Its place in the pools' list.
    index: usize,
    frame: *mut Frame,
    error_info: Value,
    recursion_guard: Value,
    happening: *const crate::trace::Happening,
    open_calls: Value,
    native_limit: usize,
    /// Highest address of its native stack, and the lowest one in use while it does not run.
    native_base: usize,
    native_low: usize,
    #[trace(skip)]
    coroutine: Option<Coroutine<(), (), (), NativeStack>>,
    yielder: *const Yielder<(), ()>,
    transfer: Transfer,
    outcome: Option<Unwinding>,
}

impl NativeData for FiberState {
    fn memsize(&self) -> usize {
        std::mem::size_of::<FiberState>()
    }
}

impl FiberState {
    /// Visits the two stacks of a fiber that does not run.
    fn trace_stacks(&mut self, marker: &mut Marker) {
        if matches!(self.status, FiberStatus::Suspended | FiberStatus::Resuming) {
            if let Some(stack) = self.stack {
                // SAFETY: the stack belongs to the fiber, which is suspended.
                unsafe { crate::roots::trace_stack(stack.low, self.frame, stack.high, marker) };
            }
            if self.native_low != 0 {
                // SAFETY: the stack of a suspended fiber does not change.
                unsafe { marker.conservative(self.native_low as *const u8, self.native_base as *const u8) };
            }
        }
    }
}

impl Drop for FiberState {
    fn drop(&mut self) {
        if self.pools.is_null() {
            // A root fiber's stacks are its thread's.
            return;
        }
        // SAFETY: the pools belong to the VM, which outlives every fiber; objects are dropped under the global lock.
        let pools = unsafe { &mut *self.pools };
        pools.started.swap_remove(self.index);
        if let Some(moved) = pools.started.get(self.index) {
            // SAFETY: those in the list are alive.
            unsafe { (*moved.cast_mut()).index = self.index };
        }
        if let Some(mut coroutine) = self.coroutine.take() {
            if !coroutine.done() {
                // SAFETY: an unreachable fiber never continues; its native frames own nothing that needs dropping
                // except native memory.
                unsafe { coroutine.force_reset() };
            }
            pools.native.give_back(coroutine.into_stack());
        }
        if let Some(stack) = self.stack.take() {
            pools.vm.give_back(stack);
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
            uninterruptible: false,
            forked: false,
            place: String::new(),
            stack: None,
            pools: std::ptr::null_mut(),
            index: 0,
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
            transfer: Transfer::NOTHING,
            outcome: None,
        }
    }

    /// Nothing resumed it, and it cannot yield.
    pub fn is_root(&self) -> bool {
        self.block.is_nil() || self.forked
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
pub fn state(cx: &mut Cx, fiber: Value) -> &mut FiberState {
    cx.remember(fiber);
    peek(cx, fiber)
}

/// The state of a fiber object, without a write barrier: for fields without references, or with a separate `remember`.
#[inline]
fn peek(_: &mut Cx, fiber: Value) -> &mut FiberState {
    debug_assert!(native::get::<FiberState>(&fiber).is_some(), "a Fiber holds its state");
    // SAFETY: word 1 of the cell is the address of its box (see object::native), which holds a FiberState: Fiber's
    // allocator creates no other objects, and methods check their receiver. Only the holder of the global lock uses
    // it; the context is borrowed, so that no fiber switch happens during the borrow.
    unsafe { &mut *(cell::raw(fiber, 1) as *mut FiberState) }
}

/// The frames of a fiber that is not running; empty if it has not begun or has ended. They are borrowed from the
/// context, so that nothing switches to the fiber during the borrow.
pub fn frames_of_waiting(_: &Cx, fiber: Value) -> Vec<&Frame> {
    let Some(f) = native::get::<FiberState>(&fiber) else { return Vec::new() };
    let waits = matches!(f.status, FiberStatus::Suspended | FiberStatus::Resuming);
    let Some(stack) = f.stack.filter(|_| waits && !f.frame.is_null()) else { return Vec::new() };
    let count = (stack.high as usize - f.frame as usize) / std::mem::size_of::<Frame>();
    // SAFETY: from the innermost frame to the stack's end there are only frames, and the fiber is not running.
    (0..count).map(|i| unsafe { &*f.frame.add(i) }).collect()
}

/// The frames of the fibers that wait for the running one, innermost first.
pub fn frames_of_resumers(cx: &Cx) -> Vec<&Frame> {
    let resumer = |fiber: &Value| native::get::<FiberState>(fiber).map(|f| f.resumer).filter(|v| !v.is_nil());
    let fibers = std::iter::successors(Some(cx.fiber).filter(|v| !v.is_nil()), resumer).skip(1);
    fibers.flat_map(|fiber| frames_of_waiting(cx, fiber)).collect()
}

/// Passes the lowest address in use and the end of the native stacks of all fibers that do not run to `f`. Those in
/// which nothing is suspended, as they have not begun or have ended, are not among them.
pub(crate) fn each_waiting_stack(vm: &crate::Vm, f: &mut dyn FnMut(usize, usize)) {
    let mut look = |state: &FiberState| {
        if state.native_low != 0 {
            f(state.native_low, state.native_base);
        }
    };
    // SAFETY: states in the list are alive, and so are contexts and their root fibers; all are used under the global
    // lock.
    unsafe {
        vm.stacks.started.iter().for_each(|state| look(&**state));
        for cx in &vm.contexts {
            native::get::<FiberState>(&(**cx).root_fiber).into_iter().for_each(&mut look);
        }
    }
}

/// The running fiber; a thread's root fiber is created on first use.
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
        (cx.root_fiber, cx.return_fiber) = (cx.fiber, cx.fiber);
    }
    cx.fiber
}
