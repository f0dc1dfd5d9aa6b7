//! Threads, fibers, processes; running without the global lock.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::{c_char, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

use abi::{BlockHandler, Value};
use object::symbol::table::intern_text;
use runtime::{
    Cx, R, call,
    call::block::{self, NativeBlock},
    concurrency::{
        fiber, offload, pending, ractor,
        thread::{self, Unlocked},
    },
    convert,
};

use crate::{
    border::{Place, call_unlocked, call_words, send, send_to},
    call::split_keywords,
    data, given, symbol,
    time::Timeval,
};

thread_local! {
    /// The access to the lock while C runs without it.
    static UNLOCKED: Cell<*const Unlocked> = const { Cell::new(std::ptr::null()) };
}

/// 1 while C code runs without the lock in a thread of Ruby.
pub fn beni_is_unlocked() -> i32 {
    !UNLOCKED.get().is_null() as i32
}

/// A thread's context, the function that interrupts its C code while it runs without the lock, and the function's
/// argument.
type Unblocking = (usize, usize, usize);

/// The threads whose C code currently runs without the lock, and how to interrupt them.
fn unblocking() -> MutexGuard<'static, Vec<Unblocking>> {
    static UNBLOCK: Mutex<Vec<Unblocking>> = Mutex::new(Vec::new());
    UNBLOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls the unblocking function of a thread that is being woken.
pub fn unblock(context: usize) {
    let list = unblocking().clone();
    for (_, function, data) in list.into_iter().filter(|(of, ..)| *of == context) {
        // SAFETY: the extension's unblocking function, which may be called from any thread during its call.
        unsafe { std::mem::transmute::<usize, unsafe extern "C" fn(usize)>(function)(data) };
    }
}

const UBF_IO: usize = usize::MAX;

fn without_lock(
    cx: &mut Cx,
    function: *const c_void,
    data: *mut c_void,
    unblock: *mut c_void,
    unblock_data: *mut c_void,
) -> R<*mut c_void> {
    let context: *mut Cx = cx;
    let place = Place::now();
    let has_function = !unblock.is_null() && unblock as usize != UBF_IO;
    if has_function {
        let entry = (context as usize, unblock as usize, unblock_data as usize);
        unblocking().push(entry);
    }
    // The waker thread interrupts C code that runs without the lock. It is started only now, because the allocator of
    // the C library needs no locking in a process with one thread.
    runtime::concurrency::waker::ensure_started(cx);
    let result = thread::blocking_with_return(cx, |unlocked| {
        let before = UNLOCKED.replace(unlocked);
        let result = call_unlocked(context, function, data as u64, place);
        UNLOCKED.set(before);
        result
    });
    if has_function {
        let mut list = unblocking();
        if let Some(at) = list.iter().rposition(|(of, ..)| *of == context as usize) {
            list.remove(at);
        }
    }
    match result {
        Some(value) => Ok(value.0 as *mut c_void),
        None => Err(cx.unwind_under_way()),
    }
}

pub fn rb_thread_call_without_gvl(
    cx: &mut Cx,
    function: *const c_void,
    data: *mut c_void,
    unblock: *mut c_void,
    unblock_data: *mut c_void,
) -> R<*mut c_void> {
    pending::check_blocking(cx)?;
    let result = without_lock(cx, function, data, unblock, unblock_data)?;
    pending::check_blocking(cx)?;
    Ok(result)
}

pub fn rb_thread_call_without_gvl2(
    cx: &mut Cx,
    function: *const c_void,
    data: *mut c_void,
    unblock: *mut c_void,
    unblock_data: *mut c_void,
) -> R<*mut c_void> {
    without_lock(cx, function, data, unblock, unblock_data)
}

/// `flags` 1: does nothing if an interrupt is already pending.
pub fn rb_nogvl(
    cx: &mut Cx,
    function: *const c_void,
    data: *mut c_void,
    unblock: *mut c_void,
    unblock_data: *mut c_void,
    flags: i32,
) -> R<*mut c_void> {
    if flags & 1 != 0 {
        let waits =
            cx.attention.interrupts.load(std::sync::atomic::Ordering::Relaxed) & runtime::cx::Interrupts::ASYNC != 0;
        if waits {
            return Ok(std::ptr::null_mut());
        }
        return without_lock(cx, function, data, unblock, unblock_data);
    }
    // It may run in another thread: RB_NOGVL_OFFLOAD_SAFE.
    if flags & 4 != 0 && offload::is_wanted(cx)? {
        let (function, data) = (function as usize, data as usize);
        let result = offload::run(cx, move || {
            // SAFETY: a function of this type, which with this flag uses no Ruby.
            let function: extern "C" fn(*mut c_void) -> *mut c_void = unsafe { std::mem::transmute(function) };
            function(data as *mut c_void) as usize
        })?;
        return Ok(result as *mut c_void);
    }
    rb_thread_call_without_gvl(cx, function, data, unblock, unblock_data)
}

pub fn rb_thread_call_with_gvl(cx: &mut Cx, function: *const c_void, data: *mut c_void) -> R<*mut c_void> {
    let unlocked = UNLOCKED.replace(std::ptr::null());
    let place = Place::NONE;
    // SAFETY: set by `without_lock`, which waits for the function that called this one.
    let Some(way) = (unsafe { unlocked.as_ref() }) else {
        return Ok(call_words(cx, function, &[data as u64], place, None)?.0 as *mut c_void);
    };
    let result = way.with_lock(|cx| call_words(cx, function, &[data as u64], place, None));
    UNLOCKED.set(unlocked);
    Ok(result?.0 as *mut c_void)
}

pub fn rb_thread_current(cx: &mut Cx) -> Value {
    cx.thread
}

pub fn rb_thread_main(cx: &mut Cx) -> Value {
    ractor::main_thread(cx)
}

/// The body of a thread in C.
#[derive(heap::Trace)]
struct Body {
    #[trace(skip)]
    function: *const c_void,
    #[trace(skip)]
    data: u64,
}

impl object::native::NativeData for Body {
    object::one_vtable!(Body);
}

impl NativeBlock for Body {
    fn call(&self, cx: &mut Cx, _: &[Value]) -> R {
        call_words(cx, self.function, &[self.data], Place::NONE, None)
    }
}

pub fn rb_thread_create(cx: &mut Cx, function: *const c_void, data: *mut c_void) -> R {
    let block = block::native_proc(cx, Box::new(Body { function, data: data as u64 }), false);
    let class = cx.class(runtime::Known::Thread);
    call::send_with_block(cx, class, runtime::sym::NEW, &[], BlockHandler(block))
}

pub fn rb_thread_local_aref(cx: &mut Cx, of: Value, id: u64) -> R {
    send(cx, of, "[]", &[symbol::value(id)])
}

pub fn rb_thread_local_aset(cx: &mut Cx, of: Value, id: u64, value: Value) -> R {
    send(cx, of, "[]=", &[symbol::value(id), value])
}

pub fn rb_thread_alone(cx: &mut Cx) -> R<i32> {
    Ok(!thread::has_others(cx) as i32)
}

pub fn rb_thread_schedule(cx: &mut Cx) -> R<()> {
    thread::pass(cx);
    cx.safepoint()
}

pub fn rb_thread_check_ints(cx: &mut Cx) -> R<()> {
    cx.safepoint()
}

pub fn rb_thread_interrupted(cx: &mut Cx, _: Value) -> i32 {
    (cx.attention.interrupts.load(std::sync::atomic::Ordering::Relaxed) & runtime::cx::Interrupts::ASYNC != 0) as i32
}

fn sleep(cx: &mut Cx, seconds: f64) -> R<()> {
    let seconds = object::float::new(cx, seconds);
    send_to(cx, "Kernel", "sleep", &[seconds]).map(drop)
}

pub fn rb_thread_wait_for(cx: &mut Cx, time: Timeval) -> R<()> {
    sleep(cx, time.seconds as f64 + time.microseconds as f64 / 1e6)
}

pub fn rb_thread_sleep(cx: &mut Cx, seconds: i32) -> R<()> {
    sleep(cx, seconds as f64)
}

pub fn rb_thread_sleep_forever(cx: &mut Cx) -> R<()> {
    send_to(cx, "Kernel", "sleep", &[]).map(drop)
}

pub fn rb_thread_sleep_deadly(cx: &mut Cx) -> R<()> {
    send_to(cx, "Thread", "stop", &[]).map(drop)
}

pub fn rb_get_argv(cx: &mut Cx) -> R {
    crate::border::constant(cx, "ARGV")
}

pub fn rb_thread_atfork(_: &mut Cx) {}

pub fn rb_thread_fd_close(_: &mut Cx, _: i32) {}

/// Waits for events of a descriptor (bits of RB_WAITFD_…); returns those that occurred, 0 on timeout.
pub fn wait_for(cx: &mut Cx, fd: i32, events: i32, timeout: Value) -> R<i32> {
    let keywords = object::hash::HashRef::new(cx).value();
    let name = intern_text(cx, "autoclose").value();
    runtime::keys::store(cx, keywords, name, Value::FALSE)?;
    let io = cx.class(runtime::Known::Io);
    let name = intern_text(cx, "for_fd");
    let arguments = [Value::fixnum(fd as i64)];
    let io = call::send_full(cx, io, name, &arguments, Some(keywords), BlockHandler::NONE, call::Scope::Function)?;
    let ready = send(cx, io, "wait", &[Value::fixnum(events as i64), timeout])?;
    Ok(ready.as_fixnum().unwrap_or(0) as i32)
}

pub fn rb_wait_for_single_fd(cx: &mut Cx, fd: i32, events: i32, timeout: *mut Timeval) -> R<i32> {
    let timeout = match timeout.is_null() {
        true => Value::NIL,
        false => {
            let time = given::read(timeout);
            object::float::new(cx, time.seconds as f64 + time.microseconds as f64 / 1e6)
        }
    };
    wait_for(cx, fd, events, timeout)
}

pub fn rb_thread_wait_fd(cx: &mut Cx, fd: i32) -> R<i32> {
    wait_for(cx, fd, 1, Value::NIL)
}

pub fn rb_thread_fd_writable(cx: &mut Cx, fd: i32) -> R<i32> {
    wait_for(cx, fd, 4, Value::NIL)?;
    Ok(1)
}

pub fn rb_mutex_synchronize(cx: &mut Cx, mutex: Value, function: *const c_void, data: Value) -> R {
    let place = Place::now();
    let body = crate::block::word_block(cx, function, data, place);
    let name = runtime::sym::SYNCHRONIZE;
    call::send_with_block(cx, mutex, name, &[], BlockHandler(body))
}

pub fn rb_fiber_new(cx: &mut Cx, function: *const c_void, data: Value) -> R {
    let block = crate::block::native(cx, function, data, Place::NONE);
    let class = cx.class(runtime::Known::Fiber);
    call::send_with_block(cx, class, runtime::sym::NEW, &[], BlockHandler(block))
}

pub fn rb_fiber_new_storage(cx: &mut Cx, function: *const c_void, data: Value, storage: Value) -> R {
    let block = crate::block::native(cx, function, data, Place::NONE);
    let class = cx.class(runtime::Known::Fiber);
    let keywords = object::hash::HashRef::new(cx).value();
    let name = intern_text(cx, "storage").value();
    runtime::keys::store(cx, keywords, name, storage)?;
    let name = runtime::sym::NEW;
    call::send_full(cx, class, name, &[], Some(keywords), BlockHandler(block), call::Scope::Function)
}

pub fn rb_fiber_resume(cx: &mut Cx, of: Value, count: i32, argv: *const Value) -> R {
    send(cx, of, "resume", given::values(count, argv))
}

fn with_keywords(cx: &mut Cx, of: Value, name: &str, count: i32, argv: *const Value, keywords: i32) -> R {
    let (arguments, keywords) = split_keywords(cx, given::values(count, argv), keywords)?;
    let name = intern_text(cx, name);
    call::send_full(cx, of, name, arguments, keywords, BlockHandler::NONE, call::Scope::Function)
}

pub fn rb_fiber_resume_kw(cx: &mut Cx, of: Value, count: i32, argv: *const Value, keywords: i32) -> R {
    with_keywords(cx, of, "resume", count, argv, keywords)
}

pub fn rb_fiber_yield(cx: &mut Cx, count: i32, argv: *const Value) -> R {
    send_to(cx, "Fiber", "yield", given::values(count, argv))
}

pub fn rb_fiber_yield_kw(cx: &mut Cx, count: i32, argv: *const Value, keywords: i32) -> R {
    let class = cx.class(runtime::Known::Fiber);
    with_keywords(cx, class, "yield", count, argv, keywords)
}

pub fn rb_fiber_transfer(cx: &mut Cx, of: Value, count: i32, argv: *const Value) -> R {
    send(cx, of, "transfer", given::values(count, argv))
}

pub fn rb_fiber_raise(cx: &mut Cx, of: Value, count: i32, argv: *const Value) -> R {
    send(cx, of, "raise", given::values(count, argv))
}

pub fn rb_fiber_current(cx: &mut Cx) -> R {
    Ok(fiber::current(cx))
}

pub fn rb_fiber_scheduler_get(cx: &mut Cx) -> R {
    send_to(cx, "Fiber", "scheduler", &[])
}

pub fn rb_fiber_scheduler_set(cx: &mut Cx, scheduler: Value) -> R {
    send_to(cx, "Fiber", "set_scheduler", &[scheduler])
}

pub fn rb_fiber_scheduler_current(cx: &mut Cx) -> R {
    send_to(cx, "Fiber", "current_scheduler", &[])
}

pub fn rb_ext_ractor_safe(_: &mut Cx, _: bool) {}

pub fn rb_ractor_local_storage_value_newkey(cx: &mut Cx) -> R<*mut c_void> {
    // The key is an object that is equal to no other.
    let object = cx.class(runtime::Known::Object);
    let v = send(cx, object, "new", &[])?;
    crate::gc::rb_gc_register_mark_object(cx, v)?;
    Ok(v.0 as *mut c_void)
}

fn storage_name(cx: &mut Cx, key: *mut c_void) -> Value {
    intern_text(cx, &format!("beni_ractor_local_{:x}", key as usize)).value()
}

pub fn rb_ractor_local_storage_value(cx: &mut Cx, key: *mut c_void) -> R {
    let name = storage_name(cx, key);
    send_to(cx, "Ractor", "[]", &[name])
}

pub fn rb_ractor_local_storage_value_lookup(cx: &mut Cx, key: *mut c_void, value: *mut Value) -> R<bool> {
    let found = rb_ractor_local_storage_value(cx, key)?;
    if found.is_nil() {
        return Ok(false);
    }
    given::write(value, found);
    Ok(true)
}

pub fn rb_ractor_local_storage_value_set(cx: &mut Cx, key: *mut c_void, value: Value) -> R<()> {
    let name = storage_name(cx, key);
    send_to(cx, "Ractor", "[]=", &[name, value]).map(drop)
}

/// `rb_ractor_local_storage_type`
#[repr(C)]
#[derive(Clone, Copy)]
struct StorageType {
    mark: *const c_void,
    free: *const c_void,
}

/// For each key, the address of its type, which is static in the extension, or 0.
static STORAGE_TYPES: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

fn storage_types() -> MutexGuard<'static, BTreeMap<usize, usize>> {
    STORAGE_TYPES.lock().unwrap_or_else(PoisonError::into_inner)
}

pub fn rb_ractor_local_storage_ptr_newkey(cx: &mut Cx, storage_type: *const c_void) -> R<*mut c_void> {
    let key = rb_ractor_local_storage_value_newkey(cx)?;
    storage_types().insert(key as usize, storage_type as usize);
    Ok(key)
}

pub fn rb_ractor_local_storage_ptr(cx: &mut Cx, key: *mut c_void) -> R<*mut c_void> {
    let held = rb_ractor_local_storage_value(cx, key)?;
    Ok(data::pointer(&held))
}

/// The pointer is stored in an object of the Ractor, which marks it as the key's type says and frees it when the Ractor
/// has ended.
pub fn rb_ractor_local_storage_ptr_set(cx: &mut Cx, key: *mut c_void, pointer: *mut c_void) -> R<()> {
    let held = rb_ractor_local_storage_value(cx, key)?;
    if !held.is_nil() {
        data::set_pointer(cx, held, pointer);
        return Ok(());
    }
    let known = storage_types().get(&(key as usize)).copied().unwrap_or(0) as *const StorageType;
    let none = StorageType { mark: std::ptr::null(), free: std::ptr::null() };
    let functions = if known.is_null() { none } else { given::read(known) };
    let held = data::rb_data_object_wrap(cx, Value::FALSE, pointer, functions.mark, functions.free)?;
    rb_ractor_local_storage_value_set(cx, key, held)
}

pub fn rb_ractor_make_shareable_copy(cx: &mut Cx, v: Value) -> R {
    let copy = send(cx, v, "clone", &[])?;
    send_to(cx, "Ractor", "make_shareable", &[copy])
}

pub fn rb_ractor_shareable_p_continue(cx: &mut Cx, v: Value) -> R<i32> {
    Ok(send_to(cx, "Ractor", "shareable?", &[v])?.truthy() as i32)
}

pub fn rb_ractor_stdout(cx: &mut Cx) -> R {
    Ok(cx.root(runtime::Root::StandardOutput))
}

pub fn rb_ractor_stderr(cx: &mut Cx) -> R {
    Ok(cx.root(runtime::Root::StandardError))
}

pub fn rb_ractor_stdin(cx: &mut Cx) -> R {
    Ok(cx.root(runtime::Root::StandardInput))
}

pub fn rb_waitpid(cx: &mut Cx, pid: i32, status: *mut i32, flags: i32) -> R<i32> {
    let arguments = [Value::fixnum(pid as i64), Value::fixnum(flags as i64)];
    let found = send_to(cx, "Process", "waitpid", &arguments)?;
    let last = send_to(cx, "Process", "last_status", &[])?;
    if !last.is_nil() {
        let number = send(cx, last, "to_i", &[])?;
        given::write(status, convert::to_i32(cx, number)?);
    }
    Ok(found.as_fixnum().unwrap_or(0) as i32)
}

pub fn rb_last_status_get(cx: &mut Cx) -> R {
    send_to(cx, "Process", "last_status", &[])
}

pub fn rb_detach_process(cx: &mut Cx, pid: i32) -> R {
    send_to(cx, "Process", "detach", &[Value::fixnum(pid as i64)])
}

pub fn rb_f_kill(cx: &mut Cx, count: i32, argv: *const Value) -> R {
    send_to(cx, "Process", "kill", given::values(count, argv))
}

pub fn rb_f_abort(cx: &mut Cx, count: i32, argv: *const Value) -> R {
    send_to(cx, "Kernel", "abort", given::values(count, argv))
}

pub fn rb_f_exit(cx: &mut Cx, count: i32, argv: *const Value) -> R {
    send_to(cx, "Kernel", "exit", given::values(count, argv))
}

pub fn rb_proc_times(cx: &mut Cx, _: Value) -> R {
    send_to(cx, "Process", "times", &[])
}

unsafe extern "C" {
    fn open(path: *const c_char, flags: i32, mode: u32) -> i32;
    fn fcntl(fd: i32, command: i32, argument: i32) -> i32;
    fn dup3(from: i32, to: i32, flags: i32) -> i32;
    fn pipe2(ends: *mut i32, flags: i32) -> i32;
}

const CLOEXEC: i32 = 0o2000000;
const DUPFD_CLOEXEC: i32 = 1030;

pub fn rb_cloexec_open(path: *const c_char, flags: i32, mode: u32) -> i32 {
    // SAFETY: C passes a path.
    unsafe { open(path, flags | CLOEXEC, mode) }
}

pub fn rb_cloexec_dup(fd: i32) -> i32 {
    // SAFETY: any number is allowed.
    unsafe { fcntl(fd, DUPFD_CLOEXEC, 3) }
}

pub fn rb_cloexec_dup2(from: i32, to: i32) -> i32 {
    if from == to {
        return to;
    }
    // SAFETY: any numbers are allowed.
    unsafe { dup3(from, to, CLOEXEC) }
}

pub fn rb_cloexec_pipe(ends: *mut i32) -> i32 {
    // SAFETY: C passes an array of two.
    unsafe { pipe2(ends, CLOEXEC) }
}

pub fn rb_pipe(_: &mut Cx, ends: *mut i32) -> R<i32> {
    Ok(rb_cloexec_pipe(ends))
}

pub fn rb_cloexec_fcntl_dupfd(fd: i32, least: i32) -> i32 {
    // SAFETY: any number is allowed.
    unsafe { fcntl(fd, DUPFD_CLOEXEC, least) }
}

pub fn rb_update_max_fd(_: i32) {}

pub fn rb_fd_fix_cloexec(fd: i32) {
    const SET_FLAGS: i32 = 2;
    // SAFETY: any number is allowed.
    unsafe { fcntl(fd, SET_FLAGS, 1) };
}

pub fn rb_reserved_fd_p(_: i32) -> i32 {
    0
}

pub fn rb_thread_atfork_before_exec(_: &mut Cx) {}

pub fn rb_fiber_transfer_kw(cx: &mut Cx, of: Value, count: i32, argv: *const Value, keywords: i32) -> R {
    with_keywords(cx, of, "transfer", count, argv, keywords)
}

/// Sets `$?`.
pub fn rb_last_status_set(cx: &mut Cx, status: i32, pid: i32) -> R<()> {
    core_classes::process::status::set_last_raw(cx, pid, status);
    Ok(())
}

/// A Process::Status.
pub fn rb_process_status_for(cx: &mut Cx, pid: i32, status: i32, _: i32) -> R {
    Ok(core_classes::process::status::new_raw(cx, pid, status))
}

fn set_stream(cx: &mut Cx, name: &str, io: Value) -> R<()> {
    let name = intern_text(cx, name);
    cx.global_set(name, io).map(drop)
}

pub fn rb_ractor_stdout_set(cx: &mut Cx, io: Value) -> R<()> {
    set_stream(cx, "$stdout", io)
}

pub fn rb_ractor_stderr_set(cx: &mut Cx, io: Value) -> R<()> {
    set_stream(cx, "$stderr", io)
}

pub fn rb_ractor_stdin_set(cx: &mut Cx, io: Value) -> R<()> {
    set_stream(cx, "$stdin", io)
}

/// Marks the object as shareable. The extension guarantees that the object and everything it refers to do not change.
pub fn rb_obj_set_shareable(_: &mut Cx, v: Value) -> R {
    if v.is_heap() {
        object::cell::set_header(v, object::cell::header(v).with(abi::Flags::SHAREABLE));
    }
    Ok(v)
}

/// Whether the native stack is nearly used up.
pub fn ruby_stack_check(cx: &mut Cx) -> i32 {
    let here = 0u8;
    ((std::ptr::from_ref(&here) as usize) < cx.native_bound()) as i32
}

/// The number of words on the native stack, and the address of its last word.
pub fn ruby_stack_length(cx: &mut Cx, end: *mut *mut Value) -> usize {
    let here = 0u64;
    let top = std::ptr::from_ref(&here) as usize;
    if !end.is_null() {
        given::write(end, top as *mut Value);
    }
    cx.current_native_base().saturating_sub(top) / size_of::<usize>()
}
