//! The state of Thread objects.

use std::sync::atomic::AtomicUsize;

use abi::Value;
use heap::{ThreadStatistics, Trace};
use host::thread::ThreadId;
use object::native::{self, NativeData};

use crate::Cx;

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
    /// It sleeps until another thread acts.
    pub waits_for_others: bool,
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

impl NativeData for ThreadState {
    object::one_vtable!(ThreadState);
}

impl ThreadState {
    pub fn new(context: usize) -> ThreadState {
        ThreadState {
            status: ThreadStatus::Runnable,
            waits_for_others: false,
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

/// Whether the thread has not ended.
pub fn is_alive(thread: Value) -> bool {
    native::get::<ThreadState>(&thread).is_some_and(ThreadState::is_alive)
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
