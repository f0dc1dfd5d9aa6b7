//! [`Cx`], the full context: a thread's view of the VM. What takes it may run Ruby.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU32, Ordering};

use abi::{Frame, Value};
use object::Mem;

use crate::{R, Vm, frame::Stack, unwind::Unwinding};

/// Why a thread was asked to look up from its work at the next safepoint.
pub struct Interrupts;

impl Interrupts {
    pub const SIGNAL: u32 = 1;
    pub const FINALIZERS: u32 = 2;
    pub const SWITCH: u32 = 4;
    /// Another thread raised here or killed this one.
    pub const ASYNC: u32 = 8;
}

pub struct Cx {
    mem: Mem,
    /// The running frame (the top of the VM stack).
    pub frame: *mut Frame,
    /// The VM stack of the fiber that runs.
    pub stack: Stack,
    /// Lowest address that the native stack may reach.
    pub native_limit: usize,
    pub interrupts: AtomicU32,
    /// What is on its way up the stack while a function returns `Err`.
    pub unwinding: Unwinding,
    /// `$!`
    pub error_info: Value,
    /// The outermost scope around the thread's block, and what is kept for it instead of there: `$~` and `$_`.
    pub thread_home: *const abi::Scope,
    pub thread_special: Value,
    /// The Thread and Fiber objects that run here, or nil before there are any.
    pub thread: Value,
    pub fiber: Value,
    /// The Ractor that the thread belongs to, or nil before there was one.
    pub ractor: Value,
    /// It is not the main one: what others may change meanwhile is out of reach.
    pub isolated: bool,
    /// The thread's own fiber, or nil before there was a second one.
    pub root_fiber: Value,
    /// The fiber that the one which just left its stack transferred to, or nil.
    pub next_fiber: Value,
    /// While another thread holds the global lock: the lowest address of this one's native stack in use.
    pub native_low: usize,
    /// Highest address of the thread's own native stack.
    pub native_base: usize,
    /// Objects being inspected, compared or hashed, against endless recursion: an Array of ids or nil.
    pub recursion_guard: Value,
    /// What the trace point's block that runs was told, on the native stack below it; null while none runs. What such a block does fires nothing.
    pub(crate) happening: *const crate::trace::Happening,
    /// The calls under way whose return a trace point waits for on the caller's side, see [`crate::trace`]: an Array, or nil.
    pub open_calls: Value,
    current_base: usize,
    vm: *mut Vm,
}

impl Cx {
    /// # Safety
    /// `vm` outlives the context.
    pub unsafe fn new(mem: Mem, vm: *mut Vm, stack: Stack) -> Cx {
        Cx {
            mem,
            frame: std::ptr::null_mut(),
            stack,
            native_limit: 0,
            interrupts: AtomicU32::new(0),
            unwinding: Unwinding::none(),
            error_info: Value::NIL,
            thread_home: std::ptr::null(),
            thread_special: Value::NIL,
            thread: Value::NIL,
            fiber: Value::NIL,
            ractor: Value::NIL,
            isolated: false,
            root_fiber: Value::NIL,
            next_fiber: Value::NIL,
            native_low: 0,
            native_base: 0,
            recursion_guard: Value::NIL,
            happening: std::ptr::null(),
            open_calls: Value::NIL,
            current_base: 0,
            vm,
        }
    }

    #[inline(always)]
    pub fn vm(&self) -> &'static Vm {
        // SAFETY: `new`'s contract; only the holder of the global lock gets here.
        unsafe { &*self.vm }
    }

    #[inline(always)]
    pub fn vm_mut(&mut self) -> &'static mut Vm {
        // SAFETY: as in `vm`; callers finish with the reference before they call what takes another.
        unsafe { &mut *self.vm }
    }

    pub fn vm_pointer(&self) -> *mut Vm {
        self.vm
    }

    /// Registers the context with the heap; `base` is the highest address of its native stack.
    ///
    /// # Safety
    /// The context stays where it is until it is detached.
    pub unsafe fn attach_native(&mut self, base: usize) {
        self.current_base = base;
        // SAFETY: the caller's.
        unsafe { self.mem.attach(base as *const u8) };
    }

    /// The context runs on another native stack from now on.
    ///
    /// # Safety
    /// `base` is the highest address of the stack that this runs on.
    pub unsafe fn set_native_base(&mut self, base: usize) {
        self.current_base = base;
        // SAFETY: the caller's; the stack that is left is traced through its fiber.
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

    /// The lesser context.
    #[inline(always)]
    pub fn mem(&mut self) -> &mut Mem {
        &mut self.mem
    }

    /// The running frame.
    #[inline(always)]
    pub fn frame(&self) -> &'static Frame {
        // SAFETY: `frame` points to the top of the VM stack while anything runs.
        unsafe { &*self.frame }
    }

    #[inline(always)]
    pub fn frame_mut(&mut self) -> &'static mut Frame {
        // SAFETY: as in `frame`.
        unsafe { &mut *self.frame }
    }

    /// Handles what is pending: signals, finalizers, thread switches.
    #[inline(always)]
    pub fn safepoint(&mut self) -> R<()> {
        if self.interrupts.load(Ordering::Relaxed) == 0 { Ok(()) } else { self.handle_interrupts() }
    }

    #[cold]
    #[inline(never)]
    fn handle_interrupts(&mut self) -> R<()> {
        let pending = self.interrupts.swap(0, Ordering::Relaxed);
        let handler = self.vm().hooks.interrupts;
        handler(self, pending)
    }

    /// Raises SystemStackError when the native stack is nearly used up. Every native recursion calls it.
    #[inline(always)]
    pub fn check_native_stack(&mut self) -> R<()> {
        let here = 0u8;
        if (&raw const here as usize) < self.native_limit { Err(crate::error::stack_overflow(self)) } else { Ok(()) }
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
