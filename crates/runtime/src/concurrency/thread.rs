//! Threads: native threads, each with its own context, which take turns under the global lock.

use std::sync::atomic::AtomicUsize;

use abi::Value;
use heap::{Mutator, ThreadStatistics, Trace};
use host::thread::ThreadId;
use object::{
    Known, Mem,
    native::{self, NativeData},
};

use crate::{
    Cx, R, call,
    error::ErrorClass,
    make,
    sampling::{
        self,
        thread_hook::{self, ThreadMoment},
    },
};

/// Native stack of a thread.
const NATIVE_STACK: usize = 4 << 20;
const NATIVE_RESERVE: usize = 256 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadStatus {
    Runnable,
    Sleeping,
    /// Ended normally.
    Dead,
    /// Ended by an exception.
    Failed,
}

#[derive(Trace)]
pub struct ThreadState {
    #[trace(skip)]
    pub status: ThreadStatus,
    /// The result of its block, or the exception that ended it.
    pub value: Value,
    pub name: Value,
    pub group: Value,
    /// The Ractor that it belongs to.
    pub ractor: Value,
    /// Fiber-locals and thread-locals, Hashes or nil.
    pub locals: Value,
    pub variables: Value,
    pub report_on_exception: bool,
    pub abort_on_exception: bool,
    pub priority: i64,
    /// Exceptions raised by other threads, in order; `kill` adds nil.
    pub pending: Value,
    /// handle_interrupt's masks, an Array of Hashes.
    pub masks: Value,
    /// The source position of Thread.new, for inspect.
    pub place: String,
    /// Its native thread, while that runs.
    #[trace(skip)]
    pub native: Option<ThreadId>,
    /// Its context, 0 when it has ended.
    pub context: usize,
    /// Thread#wakeup was called.
    pub wakeup: bool,
    /// It was killed and is running its ensure clauses.
    pub killed: bool,
    /// A signal handler is running: operations that could wait for this thread fail.
    pub in_trap: bool,
    /// Its first fiber's storage, a Hash or nil.
    pub storage: Value,
    /// `$?`
    pub last_status: Value,
    /// Its fiber scheduler, or nil.
    pub scheduler: Value,
    /// The number of mutexes that it holds.
    pub mutexes: usize,
    /// Its allocation statistics, once it has ended.
    #[trace(skip)]
    pub allocated: ThreadStatistics,
    /// What extensions keep for it, which any native thread may read and write.
    #[trace(skip)]
    pub specific: [AtomicUsize; SPECIFIC],
}

/// The number of words that extensions may keep for a thread.
pub const SPECIFIC: usize = 8;

impl NativeData for ThreadState {}

impl ThreadState {
    pub fn new(context: usize) -> ThreadState {
        ThreadState {
            status: ThreadStatus::Runnable,
            value: Value::NIL,
            name: Value::NIL,
            group: Value::NIL,
            ractor: Value::NIL,
            locals: Value::NIL,
            variables: Value::NIL,
            report_on_exception: true,
            abort_on_exception: false,
            priority: 0,
            pending: Value::NIL,
            masks: Value::NIL,
            place: String::new(),
            native: None,
            context,
            wakeup: false,
            killed: false,
            in_trap: false,
            storage: Value::NIL,
            last_status: Value::NIL,
            scheduler: Value::NIL,
            mutexes: 0,
            allocated: ThreadStatistics::default(),
            specific: Default::default(),
        }
    }

    pub fn is_alive(&self) -> bool {
        matches!(self.status, ThreadStatus::Runnable | ThreadStatus::Sleeping)
    }
}

/// The state of a Thread object, to change.
pub fn state(cx: &mut Cx, thread: Value) -> &mut ThreadState {
    native::get_mut::<ThreadState>(cx, thread).expect("a Thread holds its state")
}

/// Has a thread not ended?
pub fn is_alive(thread: Value) -> bool {
    native::get::<ThreadState>(&thread).is_some_and(ThreadState::is_alive)
}

/// Makes the Thread object of the main thread.
pub fn make_main(cx: &mut Cx) {
    let class = cx.class(Known::Thread);
    let mut own = ThreadState::new(cx as *mut Cx as usize);
    own.native = Some(host::thread::id());
    cx.native_thread = host::thread::id();
    cx.thread = native::new(cx, class, Box::new(own));
    let main = cx.thread;
    cx.set_root(crate::Root::MainThread, main);
    cx.vm_mut().main_context = cx as *mut Cx as usize;
    super::waker::set_main();
    cx.lock().acquire(&cx.attention);
}

/// Starts a native thread that runs `block` with `arguments` (an Array) as the Thread object `thread`.
pub fn start(cx: &mut Cx, thread: Value, block: Value, arguments: Value) -> R<()> {
    let (vm, world, heap) = (cx.vm_pointer(), cx.world_pointer(), cx.vm().heap);
    let stack = if has_room(cx) { cx.vm_mut().stacks.vm.take_for_thread() } else { None };
    let Some(stack) = stack else {
        never_started(cx, thread);
        return Err(cx.raise(ErrorClass::ThreadError, "can't create Thread: Cannot allocate memory"));
    };
    // SAFETY: world and VM live as long as the process.
    let new: &'static mut Cx = unsafe { Box::leak(Box::new(Cx::new(Mem::new(Mutator::new(heap), world), vm, stack))) };
    new.thread = thread;
    new.ractor = state(cx, thread).ractor;
    new.isolated = new.ractor != super::ractor::main(cx);
    let address = new as *mut Cx as usize;
    state(cx, thread).context = address;
    super::waker::ensure_started(cx);
    let task = make::array(cx, &[thread, block, arguments]);
    // The task is a root until the thread has taken it over.
    let starting = cx.root(crate::Root::ThreadsBeingStarted);
    let starting = if starting.is_nil() { make::array(cx, &[]) } else { starting };
    cx.set_root(crate::Root::ThreadsBeingStarted, starting);
    make::push(cx, starting, task);
    let spawned = host::thread::spawn("ruby", NATIVE_STACK, move || {
        // SAFETY: the context was leaked for this thread.
        let cx = unsafe { &mut *(address as *mut Cx) };
        let reports = crate::crash::watch(cx);
        run(cx);
        drop(reports);
        // SAFETY: the thread has ended, and nothing refers to the context any more.
        drop(unsafe { Box::from_raw(address as *mut Cx) });
    });
    match spawned {
        Ok(_) => Ok(()),
        Err(errno) => {
            take_task(cx, address);
            never_started(cx, thread);
            cx.vm_mut().stacks.vm.give_back_of_thread(new.stack);
            // SAFETY: no thread received the context, and nothing refers to it any more.
            drop(unsafe { Box::from_raw(address as *mut Cx) });
            Err(cx.raise(ErrorClass::ThreadError, &format!("can't create Thread: {}", errno.message())))
        }
    }
}

/// Whether one more thread leaves enough of the system's limit of mappings for the existing threads.
fn has_room(cx: &Cx) -> bool {
    let threads = cx.root(crate::Root::Threads);
    threads.is_nil() || object::array::Arr::of(threads).len() <= host::thread::most()
}

/// The system could not start the thread: nothing waits for it.
fn never_started(cx: &mut Cx, thread: Value) {
    let s = state(cx, thread);
    s.status = ThreadStatus::Dead;
    s.context = 0;
    leave_list(cx, thread);
}

/// The main function of a native thread.
fn run(cx: &mut Cx) {
    let bounds = host::thread::stack_bounds().unwrap_or(host::thread::StackBounds { lowest: 0, highest: 0 });
    cx.set_native_bound(bounds.lowest + NATIVE_RESERVE);
    cx.native_base = bounds.highest;
    thread_hook::tell(cx, ThreadMoment::Started);
    thread_hook::tell(cx, ThreadMoment::Ready);
    cx.lock().acquire(&cx.attention);
    thread_hook::tell(cx, ThreadMoment::Resumed);
    let pointer: *mut Cx = cx;
    cx.vm_mut().contexts.push(pointer);
    // SAFETY: the context was leaked; the thread ends before its stack is freed.
    unsafe { cx.attach_native(bounds.highest) };
    let life = Life(pointer);
    cx.native_thread = host::thread::id();
    crate::sampling::thread_begins(cx);
    let task = take_task(cx, pointer as usize);
    let parts = object::array::Arr::of(task);
    // A compaction may have moved them while this context was not registered.
    let thread = parts.get(0).unwrap_or(Value::NIL);
    cx.thread = thread;
    cx.ractor = state(cx, thread).ractor;
    state(cx, thread).native = Some(host::thread::id());
    let (block, arguments) = (parts.get(1).unwrap_or(Value::NIL), parts.get(2).unwrap_or(Value::NIL));
    if object::cell::is(block, abi::Type::Proc) && object::proc::environment(block).is_heap() {
        let scope = object::environment::scope(object::proc::environment(block));
        // SAFETY: the block keeps its environments alive while it runs.
        cx.thread_home = unsafe { abi::Scope::home(scope) };
    }
    let result = cx.event(crate::trace::THREAD_BEGIN, Value::NIL, Value::NIL).and_then(|()| {
        let arguments = object::array::Arr::of(arguments);
        crate::args::spread(cx, arguments, |cx, all| call::block::call_with_aside(cx, block, all))
    });
    let result = close_scheduler(cx, result);
    let result = match result {
        Ok(v) => cx.event(crate::trace::THREAD_END, Value::NIL, Value::NIL).map(|()| v),
        Err(unwind) if cx.vm().trace_events & crate::trace::THREAD_END != 0 => {
            Err(cx.event_while_unwinding(crate::trace::THREAD_END, Value::NIL, Value::NIL).err().unwrap_or(unwind))
        }
        failed => failed,
    };
    let ends_ractor = super::ractor::is_main_thread(cx, thread);
    if ends_ractor {
        super::ractor::end_threads(cx, thread);
    }
    finish(cx, thread, result);
    if ends_ractor {
        super::ractor::finish(cx, thread);
    }
    leave_list(cx, thread);
    if state(cx, thread).mutexes > 0 {
        super::parking::notify(cx); // Threads that wait for one of its mutexes can lock it now.
    } else {
        super::parking::notify_about(cx, thread);
    }
    drop(life);
}

/// The cleanup at the end of a native thread, even after a panic: other threads must not wait for the lock of a dead
/// one.
struct Life(*mut Cx);

impl Drop for Life {
    fn drop(&mut self) {
        // SAFETY: the context outlives the code that runs in it.
        let cx = unsafe { &mut *self.0 };
        crate::sampling::thread_ends(cx);
        thread_hook::tell(cx, ThreadMoment::Suspended);
        thread_hook::tell(cx, ThreadMoment::Exited);
        cx.detach();
        cx.vm_mut().contexts.retain(|c| *c != self.0);
        let stack = cx.stack;
        cx.vm_mut().stacks.vm.give_back_of_thread(stack);
        super::waker::forget(self.0 as usize);
        cx.vm().lock.release();
    }
}

/// Closes the fiber scheduler of a thread that ends, for whatever reason it ends.
fn close_scheduler(cx: &mut Cx, result: R) -> R {
    if super::scheduler::of_thread(cx).is_nil() {
        return result;
    }
    let kept = std::mem::replace(&mut cx.unwinding, crate::unwind::Unwinding::none());
    let closed = super::scheduler::set(cx, Value::NIL);
    if closed.is_ok() || result.is_err() {
        cx.unwinding = kept;
        return result;
    }
    closed
}

/// Takes a thread off the list of all.
fn leave_list(cx: &mut Cx, thread: Value) {
    let threads = cx.root(crate::Root::Threads);
    if threads.is_nil() {
        return;
    }
    let list = object::array::Arr::of(threads);
    if let Some(place) = list.index_of(thread) {
        let _ = list.delete_at(cx, place);
    }
}

/// Removes a context's task from the list of starting threads.
fn take_task(cx: &mut Cx, context: usize) -> Value {
    let starting = object::array::Arr::of(cx.root(crate::Root::ThreadsBeingStarted));
    let is_own = |task: Value| {
        let thread = object::array::Arr::of(task).get(0).unwrap_or(Value::NIL);
        native::get::<ThreadState>(&thread).is_some_and(|thread| thread.context == context)
    };
    let place = starting.iter().position(is_own).unwrap_or(0);
    starting.delete_at(cx, place).ok().flatten().unwrap_or(Value::NIL)
}

/// The allocation and collection statistics of a thread; `None` for other objects.
pub fn statistics(_: &mut Cx, thread: Value) -> Option<ThreadStatistics> {
    let s = native::get::<ThreadState>(&thread)?;
    if s.context == 0 {
        return Some(s.allocated);
    }
    // SAFETY: a context exists until its thread has ended, and only the holder of the global lock comes here.
    Some(unsafe { &mut *(s.context as *mut Cx) }.statistics())
}

fn finish(cx: &mut Cx, thread: Value, result: R) {
    // Other pending events come too late, and must not interrupt the report of its exception.
    state(cx, thread).pending = Value::NIL;
    let (value, status) = match result {
        Ok(v) => (v, ThreadStatus::Dead),
        Err(unwind) => match cx.take_exception(unwind) {
            Ok(exception) => {
                let hook = cx.vm().hooks.thread_failed;
                hook(cx, thread, exception);
                (exception, ThreadStatus::Failed)
            }
            Err(_) => (Value::NIL, ThreadStatus::Dead),
        },
    };
    let allocated = cx.statistics();
    let s = state(cx, thread);
    s.allocated = allocated;
    s.value = value;
    s.status = status;
    s.context = 0;
    s.native = None;
    s.pending = Value::NIL;
}

/// Runs code that may block without the global lock; it must not access Ruby objects.
pub fn blocking<T>(cx: &mut Cx, body: impl FnOnce() -> T) -> T {
    heap::with_registers_on_stack(|low| {
        cx.native_low = low as usize;
        blocking_below(cx, body, |_| None)
    })
}

/// The same for a body that may return a ticket for the lock.
pub fn blocking_until_called(cx: &mut Cx, body: impl FnOnce() -> Option<u64>) {
    heap::with_registers_on_stack(|low| {
        cx.native_low = low as usize;
        blocking_below(cx, body, |ticket| *ticket);
    });
}

/// The same, after the registers were stored on the stack, so that collections of other threads can scan it.
fn blocking_below<T>(cx: &mut Cx, body: impl FnOnce() -> T, ticket: impl FnOnce(&T) -> Option<u64>) -> T {
    let lock = cx.lock();
    let thread = cx.thread;
    // The status of a thread that has already ended, and is notifying a fiber scheduler, does not change.
    let before = is_alive(thread).then(|| std::mem::replace(&mut state(cx, thread).status, ThreadStatus::Sleeping));
    sampling::waits(cx);
    lock.release();
    let result = body();
    sampling::wants_lock(cx);
    match ticket(&result) {
        Some(ticket) => lock.claim(&cx.attention, ticket),
        None => lock.acquire(&cx.attention),
    }
    sampling::runs(cx);
    cx.native_low = 0;
    if let Some(before) = before {
        state(cx, thread).status = before;
    }
    result
}

/// Access to Ruby for code that runs without the global lock.
pub struct Unlocked {
    cx: *mut Cx,
}

impl Unlocked {
    /// Runs `body` with the global lock.
    pub fn with_lock<T>(&self, body: impl FnOnce(&mut Cx) -> T) -> T {
        // SAFETY: `blocking_with_return`, which is below on this thread's stack, holds the only reference to the
        // context and does not use it until its `body` has returned.
        let cx = unsafe { &mut *self.cx };
        let lock = cx.lock();
        let low = cx.native_low;
        sampling::wants_lock(cx);
        lock.acquire(&cx.attention);
        sampling::runs(cx);
        cx.native_low = 0;
        let result = body(cx);
        cx.native_low = low;
        sampling::waits(cx);
        lock.release();
        result
    }
}

/// Like `blocking`, for code that must run Ruby in between.
pub fn blocking_with_return<T>(cx: &mut Cx, body: impl FnOnce(&Unlocked) -> T) -> T {
    let unlocked = Unlocked { cx };
    blocking(cx, || body(&unlocked))
}

/// Lets other threads run.
#[inline(never)]
pub fn pass(cx: &mut Cx) {
    let lock = cx.lock();
    let is_contended = lock.is_contended();
    if !is_contended && !has_others(cx) && !is_starting(cx) {
        return;
    }
    heap::with_registers_on_stack(|low| {
        cx.native_low = low as usize;
        thread_hook::tell(cx, ThreadMoment::Suspended);
        sampling::wants_lock(cx);
        lock.release();
        if !is_contended {
            // Threads that were woken or are starting, and have not requested the lock yet, get the processor.
            host::thread::yield_now();
        }
        lock.acquire(&cx.attention);
        sampling::runs(cx);
        cx.native_low = 0;
    });
}

/// Passes the lock to the thread that has waited longest, if there is one: for use after a long native operation.
pub fn pass_if_contended(cx: &mut Cx) {
    if cx.vm().lock.is_contended() {
        pass(cx);
    }
}

/// The same after a native operation that was short, unless this thread has just got the lock.
pub fn pass_if_due(cx: &mut Cx) {
    if cx.lock().is_due() {
        pass(cx);
    }
}

/// Whether threads exist whose native threads have not started yet.
fn is_starting(cx: &Cx) -> bool {
    let starting = cx.root(crate::Root::ThreadsBeingStarted);
    !starting.is_nil() && !object::array::Arr::of(starting).is_empty()
}

/// Whether there are other threads than this one.
pub fn has_others(cx: &Cx) -> bool {
    cx.vm().contexts.len() > 1
}

/// The frames of a thread. Other threads do not run during the borrow.
pub fn frames(cx: &Cx, thread: Value) -> Vec<&abi::Frame> {
    if thread == cx.thread {
        return cx.frames().collect();
    }
    match native::get::<ThreadState>(&thread).map_or(0, |state| state.context) {
        0 => Vec::new(),
        // SAFETY: contexts are leaked; the thread waits for the global lock, which this one holds.
        context => unsafe { &*(context as *const Cx) }.frames().collect(),
    }
}

/// The fiber that a thread runs: nil for its root fiber, and for a thread that has ended.
pub fn running_fiber(cx: &mut Cx, thread: Value) -> Value {
    let context = if thread == cx.thread { cx as *const Cx as usize } else { state(cx, thread).context };
    if context == 0 {
        return Value::NIL;
    }
    // SAFETY: contexts are leaked; the thread waits for the global lock, which this one holds.
    let target = unsafe { &*(context as *const Cx) };
    if target.fiber == target.root_fiber { Value::NIL } else { target.fiber }
}
