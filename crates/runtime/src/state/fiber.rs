//! The state of fibers and the pools of their stacks, see `concurrency::fiber`.

use abi::{Frame, Value};
use corosensei::{Coroutine, Yielder};
use heap::{Marker, Trace};
use object::{environment, native::NativeData};

use super::{
    happening::Happening,
    native_stack::{NativeStack, NativeStackPool},
    stack::{Stack, StackPool, trace_stack},
    unwind::Unwinding,
};
use crate::code::open_frames::OpenFrames;

/// The pools of stacks for fibers.
#[derive(Default)]
pub struct FiberStacks {
    pub vm: StackPool,
    pub native: NativeStackPool,
    /// The states of the fibers that have a native stack.
    pub(crate) started: Vec<*const FiberState>,
}

impl FiberStacks {
    /// A VM stack and a native stack for a fiber, or none.
    pub(crate) fn take(&mut self) -> Option<(Stack, NativeStack)> {
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
pub(crate) enum Handing {
    /// No value: the other fiber receives nil.
    Nothing,
    One,
    /// An Array of several values.
    Several,
    /// An exception to raise on the other side.
    Exception,
}

#[derive(Trace)]
pub(crate) struct Transfer {
    pub(crate) value: Value,
    #[trace(skip)]
    pub(crate) kind: Handing,
}

impl Transfer {
    pub(crate) const NOTHING: Transfer = Transfer { value: Value::NIL, kind: Handing::Nothing };
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
    pub(crate) stack: Option<Stack>,
    /// The pools to which the stacks return when the fiber is collected; null until it has stacks.
    pub(crate) pools: *mut FiberStacks,
    /// Its place in the pools' list.
    pub(crate) index: usize,
    pub(crate) frame: *mut Frame,
    pub(crate) error_info: Value,
    pub(crate) recursion_guard: Value,
    pub(crate) happening: *const Happening,
    pub(crate) open_calls: Value,
    pub(crate) native_limit: usize,
    /// Highest address of its native stack, and the lowest one in use while it does not run.
    pub(crate) native_base: usize,
    pub(crate) native_low: usize,
    #[trace(skip)]
    pub(crate) coroutine: Option<Coroutine<(), (), (), NativeStack>>,
    pub(crate) yielder: *const Yielder<(), ()>,
    pub(crate) transfer: Transfer,
    pub(crate) outcome: Option<Unwinding>,
}

impl NativeData for FiberState {
    object::one_vtable!(FiberState);

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
                unsafe { trace_stack(stack.low, self.frame, stack.high, marker) };
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
            // SAFETY: the stack is that of a suspended fiber, or has no frames.
            unsafe { close_environments(self.frame, stack.high.cast()) };
            pools.vm.give_back(stack);
        }
    }
}

/// Moves the variables that blocks, Bindings … have captured out of a stack that another fiber will use.
///
/// # Safety
/// `frame` is null or the top frame of a stack that ends at `high`. A collection drops dead objects, whose cells are
/// intact.
unsafe fn close_environments(frame: *mut Frame, high: *mut Frame) {
    if frame.is_null() {
        return;
    }
    let mut at = frame;
    while at < high {
        // SAFETY: frames lie between the top one and the end; while the fiber lived, its frames kept their environments
        // alive.
        unsafe {
            if (*at).scope.environment.is_heap() {
                environment::close_of_dead_fiber((*at).scope.environment);
            }
            // Open frames have no environments.
            at = at.add(1 + OpenFrames::count_below(at));
        }
    }
}

impl FiberState {
    pub(crate) fn new(block: Value, thread: Value, status: FiberStatus) -> FiberState {
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
