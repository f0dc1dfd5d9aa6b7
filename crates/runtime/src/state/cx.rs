//! [`Cx`], the full context: a thread's view of the VM. A function that takes it may run Ruby.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, AtomicPtr};

use abi::{Frame, Value};
use heap::{Marker, Trace};
use object::Mem;

pub use super::attention::Interrupts;
use super::{
    attention::Attention,
    deep_recursion::Limit,
    happening::Happening,
    lock::GlobalLock,
    parking::Parking,
    stack::{Stack, trace_stack},
    unwind::Unwinding,
    vm::Vm,
};
use crate::{
    code::{open_frames::OpenFrames, registry::Registry},
    samples::slot::Slot,
};

/// As a root, it contributes its values and the thread's stacks.
#[derive(Trace)]
#[trace(also = trace_stacks)]
pub struct Cx {
    #[trace(with = trace_pending)]
    mem: Mem,
    /// The running frame (the top of the VM stack).
    pub frame: *mut Frame,
    /// The VM stack of the fiber that runs.
    #[trace(skip)]
    pub stack: Stack,
    #[trace(skip)]
    pub attention: Attention,
    /// Lowest address that the native stack may reach.
    pub(super) native_bound: usize,
    /// Where recursion that keeps much memory alive ends.
    #[trace(skip)]
    pub(crate) recursion_limit: Limit,
    /// With `Options::exit_every`: the number of instructions of compiled code until the next forced exit.
    pub until_forced_exit: u32,
    /// With `Options::stress`: the number of safepoints that were noticed.
    pub(super) safepoints: u32,
    /// It handles the events of such a safepoint.
    pub(super) handles_stress: bool,
    /// Where a profiler's samples of this thread go, or null.
    #[trace(skip)]
    pub(crate) sampled: AtomicPtr<Slot>,
    /// It is between two fibers, so that no sample could say which of them it belongs to.
    pub(crate) switches_fiber: AtomicBool,
    /// The system's number for the thread, 0 before it runs.
    #[trace(skip)]
    pub(crate) native_thread: host::thread::ThreadId,
    /// The unwinding in progress while a function returns `Err`.
    pub unwinding: Unwinding,
    /// `$!`
    pub error_info: Value,
    /// The outermost scope of the thread's block, and the `$~` and `$_` stored for it.
    pub thread_home: *const abi::Scope,
    pub thread_special: Value,
    /// The running Thread and Fiber objects, or nil before they exist.
    pub thread: Value,
    pub fiber: Value,
    /// The Ractor that the thread belongs to, or nil before it exists.
    pub ractor: Value,
    /// The thread belongs to a Ractor other than the main one: mutable state of others is inaccessible.
    pub isolated: bool,
    /// The thread's root fiber, or nil before a second fiber exists.
    pub root_fiber: Value,
    /// The fiber that continues when one ends that no other resumed: the root fiber, or in a forked child the one that
    /// forked.
    pub return_fiber: Value,
    /// The fiber to which the fiber that has just left its stack transferred, or nil.
    pub next_fiber: Value,
    /// While another thread holds the global lock: the lowest address of this thread's native stack in use.
    pub native_low: usize,
    /// Highest address of the thread's own native stack.
    pub native_base: usize,
    /// Objects being inspected, compared or hashed, against endless recursion: an Array of ids or nil.
    pub recursion_guard: Value,
    /// The event whose trace point block is running, further up on the native stack; null if none. Such a block fires
    /// no events.
    pub(crate) happening: *const Happening,
    /// The calls in progress for whose return a trace point waits on the caller's side, see [`crate::trace`]: an Array,
    /// or nil.
    pub open_calls: Value,
    /// A `backtrace` or `set_backtrace` that the program defines is running because an exception is being raised;
    /// exceptions raised in it call neither.
    pub(crate) placing: bool,
    /// How the last call was written that went to a method_missing of the program, which may end in BasicObject's.
    #[trace(skip)]
    pub missed_scope: crate::call_scope::Scope,
    /// The unwinding that `rb_protect` stopped and `rb_jump_tag` continues, packed, or nil.
    pub native_unwinding: Value,
    /// The value of `rb_errinfo` for C, or nil.
    pub native_error: Value,
    /// The number of calls from Rust that entered the dispatch loop: see [`crate::verify_facts`].
    pub(crate) entered: u64,
    current_base: usize,
    vm: *mut Vm,
}

thread_local! {
    static OWN: Cell<*const Cx> = const { Cell::new(std::ptr::null()) };
}

/// Traces the boxes that are being created.
fn trace_pending(mem: &mut Mem, marker: &mut Marker) {
    mem.trace_pending(marker);
}

/// The stacks of a context's thread.
fn trace_stacks(cx: &mut Cx, marker: &mut Marker) {
    if cx.native_low != 0 {
        // SAFETY: the thread waits for the global lock, so that its stack from `native_low` up does not change.
        unsafe { marker.conservative(cx.native_low as *const u8, cx.current_native_base() as *const u8) };
    }
    // SAFETY: the context's own stack; its thread waits or collects.
    unsafe { trace_stack(cx.stack.low, cx.frame, cx.stack.high, marker) };
}

impl Cx {
    /// The offset of the allocation cursors' owner, for compiled code.
    pub const MUTATOR: usize = std::mem::offset_of!(Cx, mem) + Mem::MUTATOR;

    /// # Safety
    /// `vm` outlives the context.
    pub unsafe fn new(mem: Mem, vm: *mut Vm, stack: Stack) -> Cx {
        Cx {
            mem,
            frame: std::ptr::null_mut(),
            stack,
            attention: Attention::default(),
            native_bound: 0,
            recursion_limit: Limit::default(),
            until_forced_exit: 1,
            safepoints: 0,
            handles_stress: false,
            sampled: AtomicPtr::default(),
            switches_fiber: AtomicBool::default(),
            native_thread: host::thread::ThreadId(0),
            unwinding: Unwinding::none(),
            error_info: Value::NIL,
            thread_home: std::ptr::null(),
            thread_special: Value::NIL,
            thread: Value::NIL,
            fiber: Value::NIL,
            ractor: Value::NIL,
            isolated: false,
            root_fiber: Value::NIL,
            return_fiber: Value::NIL,
            next_fiber: Value::NIL,
            native_low: 0,
            native_base: 0,
            recursion_guard: Value::NIL,
            happening: std::ptr::null(),
            open_calls: Value::NIL,
            placing: false,
            missed_scope: crate::call_scope::Scope::Public,
            native_unwinding: Value::NIL,
            native_error: Value::NIL,
            entered: 0,
            current_base: 0,
            vm,
        }
    }

    /// The context of the calling thread; null if it runs no Ruby.
    pub fn of_this_thread() -> *const Cx {
        OWN.get()
    }

    /// Makes the context that of the calling thread.
    pub(crate) fn bind_to_this_thread(&self) {
        OWN.set(self);
    }

    /// The calling thread runs no Ruby any more.
    pub(crate) fn unbind_from_this_thread() {
        OWN.set(std::ptr::null());
    }

    #[inline(always)]
    pub fn vm(&self) -> &Vm {
        // SAFETY: `new`'s contract; only the holder of the global lock calls this.
        unsafe { &*self.vm }
    }

    /// The VM, to change.
    ///
    /// ```compile_fail,E0499
    /// fn twice(cx: &mut runtime::Cx) {
    ///     let (one, two) = (cx.vm_mut(), cx.vm_mut());
    ///     drop((one, two));
    /// }
    /// ```
    #[inline(always)]
    pub fn vm_mut(&mut self) -> &mut Vm {
        // SAFETY: `new`'s contract; only the holder of the global lock calls this, and whatever could take another
        // reference needs the context, which is borrowed.
        unsafe { &mut *self.vm }
    }

    /// The global lock. It may be used without holding it, and while the VM is borrowed.
    #[inline]
    pub fn lock(&self) -> &'static GlobalLock {
        // SAFETY: `new`'s contract: the VM lives as long as the process; the lock synchronises its own state.
        unsafe { &(*self.vm).lock }
    }

    /// The waiting threads, likewise.
    #[inline]
    pub fn parking(&self) -> &'static Parking {
        // SAFETY: `new`'s contract: the VM lives as long as the process; parking synchronises its own state.
        unsafe { &(*self.vm).parking }
    }

    /// The list of all code.
    pub fn codes(&self) -> &'static Registry {
        // SAFETY: `new`'s contract: the VM lives as long as the process; the list is in a cell of its own.
        unsafe { &(*self.vm).codes }
    }

    pub fn vm_pointer(&self) -> *mut Vm {
        self.vm
    }

    /// Registers the context with the heap; `base` is the highest address of its native stack.
    ///
    /// # Safety
    /// The context stays at its address until it is detached.
    pub unsafe fn attach_native(&mut self, base: usize) {
        self.current_base = base;
        // SAFETY: by this function's contract the context's address is stable.
        unsafe { self.mem.attach(base as *const u8) };
    }

    /// The context runs on another native stack from now on.
    ///
    /// # Safety
    /// `base` is the highest address of the stack that this runs on.
    pub unsafe fn set_native_base(&mut self, base: usize) {
        self.current_base = base;
        // SAFETY: by this function's contract the context runs on that stack; the previous stack is traced through its
        // fiber.
        unsafe { self.mem.set_stack_base(base as *const u8) };
    }

    /// Highest address of the native stack that the context runs on.
    pub fn current_native_base(&self) -> usize {
        self.current_base
    }

    /// Highest address of the thread's own native stack.
    pub fn native_stack_base(&self) -> usize {
        self.native_base
    }

    /// The lesser context, which cannot run Ruby.
    #[inline(always)]
    pub fn mem(&mut self) -> &mut Mem {
        &mut self.mem
    }

    /// The running frame, borrowed from the context: nothing that could pop it compiles while it is in use.
    ///
    /// ```compile_fail
    /// fn kept(cx: &runtime::Cx) -> &'static abi::Frame {
    ///     cx.frame()
    /// }
    /// ```
    #[inline(always)]
    pub fn frame(&self) -> &Frame {
        // SAFETY: `frame` points to the top of the VM stack while anything runs.
        let frame = unsafe { &*self.frame };
        // SAFETY: the running frame was not left.
        debug_assert!(unsafe { OpenFrames::image(frame.scope.environment) }.is_none(), "it would have been written");
        frame
    }

    #[inline(always)]
    pub fn frame_mut(&mut self) -> &mut Frame {
        // SAFETY: `frame` points to the top of the VM stack while anything runs; the context is borrowed, so that
        // nothing else refers to it.
        unsafe { &mut *self.frame }
    }

    /// Makes the context handle events at its next safepoint. May be called by any thread and by signal handlers.
    pub fn interrupt(&self, events: u32) {
        self.attention.request(events);
    }

    /// Lowest address that the native stack may reach.
    #[inline(always)]
    pub fn native_bound(&self) -> usize {
        self.native_bound
    }

    /// Sets the lowest address that the native stack may reach. Interrupts that wait stay noticed.
    pub fn set_native_bound(&mut self, bound: usize) {
        self.native_bound = bound;
        self.attention.set_limit(bound);
    }
}

impl Deref for Cx {
    type Target = Mem;
    #[inline(always)]
    fn deref(&self) -> &Mem {
        &self.mem
    }
}

impl DerefMut for Cx {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Mem {
        &mut self.mem
    }
}
