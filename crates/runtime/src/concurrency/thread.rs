//! Threads: native threads, each with its own context, which take turns under the global lock.

use abi::Value;
use heap::{Mutator, ThreadStatistics};
use object::{Known, Mem, native};

pub use super::{
    blocking::{
        Unlocked, blocking, blocking_with_bytes, blocking_with_return, has_others, pass, pass_if_contended, pass_if_due,
    },
    thread_state::{SPECIFIC, ThreadState, ThreadStatus, frames, is_alive, state},
};
use crate::{
    Cx, R, call,
    error::ErrorClass,
    make,
    sampling::thread_hook::{self, ThreadMoment},
    state::{
        fiber::{FiberState, FiberStatus},
        natives::Task,
    },
};

const NATIVE_RESERVE: usize = 256 << 10;

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

/// Starts a thread that runs `block` with `arguments` (an Array) as the Thread object `thread`.
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
    new.attention.inherit(&cx.attention);
    new.isolated = new.ractor != super::ractor::main(cx);
    let address = new as *mut Cx as usize;
    state(cx, thread).context = address;
    super::waker::ensure_started(cx);
    thread_hook::started(cx, thread);
    let task = make::array(cx, &[thread, block, arguments]);
    // The task is a root until the thread has taken it over.
    let starting = cx.root(crate::Root::ThreadsBeingStarted);
    let starting = if starting.is_nil() { make::array(cx, &[]) } else { starting };
    cx.set_root(crate::Root::ThreadsBeingStarted, starting);
    make::push(cx, starting, task);
    let start = move |bounds, ticket| {
        // SAFETY: the context was leaked for this thread.
        let cx = unsafe { &mut *(address as *mut Cx) };
        cx.bind_to_this_thread();
        let next = run(cx, bounds, ticket);
        Cx::unbind_from_this_thread();
        // SAFETY: the thread has ended, and nothing refers to the context any more.
        drop(unsafe { Box::from_raw(address as *mut Cx) });
        next
    };
    if cx.lock().begin(Box::new(start)) {
        return Ok(());
    }
    take_task(cx, address);
    never_started(cx, thread);
    cx.vm_mut().stacks.vm.give_back_of_thread(new.stack);
    // SAFETY: no thread received the context, and nothing refers to it any more.
    drop(unsafe { Box::from_raw(address as *mut Cx) });
    let reason = host::thread::NO_RESOURCES.message();
    Err(cx.raise(ErrorClass::ThreadError, &format!("can't create Thread: {reason}")))
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

/// Runs a thread in its native one, whose turn it is. Returns the thread that the native one runs next.
fn run(cx: &mut Cx, bounds: host::thread::StackBounds, ticket: u64) -> Option<Task> {
    cx.set_native_bound(bounds.lowest + NATIVE_RESERVE);
    cx.native_base = bounds.highest;
    thread_hook::notify(cx, ThreadMoment::Ready);
    cx.lock().claim(&cx.attention, ticket);
    thread_hook::notify(cx, ThreadMoment::Resumed);
    let pointer: *mut Cx = cx;
    cx.vm_mut().contexts.push(pointer);
    // SAFETY: the context was leaked; the thread ends before its stack is freed.
    unsafe { cx.attach_native(bounds.highest) };
    let end = ThreadEnd(pointer);
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
    // It may have been killed before it began.
    let begun = cx.safepoint().and_then(|()| cx.event(crate::trace::THREAD_BEGIN, Value::NIL, Value::NIL));
    let result = begun.and_then(|()| {
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
    let notified = match state(cx, thread).mutexes {
        0 => super::parking::notify_about(cx, thread),
        _ => super::parking::notify(cx), // Threads that wait for one of its mutexes can lock it now.
    };
    if notified.is_err() {
        fail(cx, thread, notified);
    }
    end.finish()
}

/// The cleanup at the end of a thread, even after a panic: other threads must not wait for the lock of a dead one.
struct ThreadEnd(*mut Cx);

impl ThreadEnd {
    fn finish(self) -> Option<Task> {
        self.clean();
        // SAFETY: the context outlives the code that runs in it.
        let lock = unsafe { &*self.0 }.lock();
        std::mem::forget(self);
        lock.release_at_end()
    }

    fn clean(&self) {
        // SAFETY: the context outlives the code that runs in it.
        let cx = unsafe { &mut *self.0 };
        let first = cx.root_fiber;
        if let Some(fiber) = native::get_mut::<FiberState>(cx, first) {
            fiber.status = FiberStatus::Terminated;
        }
        crate::sampling::thread_ends(cx);
        thread_hook::notify(cx, ThreadMoment::Suspended);
        thread_hook::notify(cx, ThreadMoment::Exited);
        cx.detach();
        let contexts = &mut cx.vm_mut().contexts;
        if let Some(place) = contexts.iter().rposition(|context| *context == self.0) {
            contexts.remove(place);
        }
        let stack = cx.stack;
        cx.vm_mut().stacks.vm.give_back_of_thread(stack);
        super::waker::forget(self.0 as usize);
    }
}

impl Drop for ThreadEnd {
    fn drop(&mut self) {
        self.clean();
        // SAFETY: the context outlives the code that runs in it.
        unsafe { &*self.0 }.lock().release();
    }
}

/// Closes the fiber scheduler of a thread that ends, for whatever reason it ends.
fn close_scheduler(cx: &mut Cx, result: R) -> R {
    if super::scheduler::of_thread(cx).is_nil() {
        return result;
    }
    let kept = std::mem::replace(&mut cx.unwinding, crate::unwind::Unwinding::none());
    if kept.reason == crate::unwind::Reason::Raise {
        // Schedulers tell by `$!` whether to run their fibers to the end.
        cx.error_info = kept.value;
    }
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

/// An exception of a scheduler's hook `unblock` is the result of the thread that has ended.
#[cold]
fn fail(cx: &mut Cx, thread: Value, notified: R<()>) {
    let (value, status) = outcome(cx, thread, notified.map(|()| Value::NIL));
    let s = state(cx, thread);
    s.value = value;
    s.status = status;
}

/// The value and the status of a thread that ends; an exception is reported.
fn outcome(cx: &mut Cx, thread: Value, result: R) -> (Value, ThreadStatus) {
    match result {
        Ok(v) => (v, ThreadStatus::Dead),
        Err(unwind) => match cx.take_exception(unwind) {
            Ok(exception) => {
                let hook = cx.vm().hooks.thread_failed;
                hook(cx, thread, exception);
                (exception, ThreadStatus::Failed)
            }
            Err(_) => (Value::NIL, ThreadStatus::Dead),
        },
    }
}

fn finish(cx: &mut Cx, thread: Value, result: R) {
    // Other pending events come too late, and must not interrupt the report of its exception.
    state(cx, thread).pending = Value::NIL;
    let (value, status) = outcome(cx, thread, result);
    let allocated = cx.statistics();
    let s = state(cx, thread);
    s.allocated = allocated;
    s.value = value;
    s.status = status;
    s.context = 0;
    s.native = None;
    s.pending = Value::NIL;
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
