//! The collector: marking by C, registered variables, memory outside of the heap.

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use abi::Value;
use heap::Marker;
use object::hash::HashRef;
use runtime::{Cx, R, convert, make};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    border::{Place, call_words, pin, send_to},
    given, st, unmarked,
};

thread_local! {
    /// The marker of the collection in progress, for functions called by C's `dmark`.
    static MARKER: Cell<*mut Marker> = const { Cell::new(std::ptr::null_mut()) };
    static COLLECTING: Cell<bool> = const { Cell::new(false) };
}

/// Runs C code that marks.
pub fn with_marker(marker: &mut Marker, body: impl FnOnce()) {
    let before = MARKER.replace(marker);
    in_collection(body);
    MARKER.set(before);
}

/// Whether a collection is calling an extension.
#[inline(always)]
pub fn is_collecting() -> bool {
    COLLECTING.get()
}

/// Runs C code during a collection.
pub fn in_collection(body: impl FnOnce()) {
    let before = COLLECTING.replace(true);
    body();
    COLLECTING.set(before);
}

fn marker<'a>() -> Option<&'a mut Marker> {
    // SAFETY: set by `with_marker` for the duration of the call, by the thread that collects.
    unsafe { MARKER.get().as_mut() }
}

pub fn rb_gc_mark(v: Value) {
    if let Some(marker) = marker() {
        marker.value(v);
    }
}

/// Marks an object that may move; `rb_gc_location` returns its new address.
pub fn rb_gc_mark_movable(v: Value) {
    if let Some(marker) = marker()
        && v.is_heap()
    {
        let mut copy = v;
        // SAFETY: a variable is a slot. Code that marks in this way asks for the new address when objects have moved.
        unsafe { marker.slot(&mut copy) };
    }
}

pub fn rb_gc_mark_maybe(v: Value) {
    if let Some(marker) = marker()
        && v.is_heap()
    {
        marker.maybe(v.0 as usize);
    }
}

pub fn rb_gc_mark_locations(start: *const Value, end: *const Value) {
    if let Some(marker) = marker() {
        // SAFETY: C passes the bounds of readable memory.
        unsafe { marker.conservative(start.cast(), end.cast()) };
    }
}

pub fn rb_gc_location(v: Value) -> Value {
    let mut copy = v;
    if let Some(marker) = marker()
        && v.is_heap()
        && marker.purpose() == heap::Purpose::Update
    {
        // SAFETY: a variable is a slot, which the walk updates.
        unsafe { marker.slot(&mut copy) };
    }
    copy
}

pub fn rb_mark_tbl(table: *mut st::Table) {
    st::each(table, |_, value| rb_gc_mark(Value(value)));
}

pub fn rb_mark_tbl_no_pin(table: *mut st::Table) {
    st::each(table, |_, value| rb_gc_mark_movable(Value(value)));
}

pub fn rb_mark_hash(table: *mut st::Table) {
    st::each(table, |key, value| {
        rb_gc_mark(Value(key));
        rb_gc_mark(Value(value));
    });
}

pub fn rb_mark_set(table: *mut st::Table) {
    st::each(table, |key, _| rb_gc_mark(Value(key)));
}

pub fn rb_gc_update_tbl_refs(table: *mut st::Table) {
    st::update_values(table, |value| rb_gc_location(Value(value)).0);
}

/// Addresses of C's variables that are roots, and watched objects, as numbers.
struct Registered {
    addresses: FxHashMap<usize, usize>,
    watched: FxHashSet<u64>,
}

static REGISTERED: Mutex<Option<Registered>> = Mutex::new(None);

fn with_registered<T>(f: impl FnOnce(&mut Registered) -> T) -> T {
    let mut guard = REGISTERED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    f(guard.get_or_insert_with(|| Registered { addresses: FxHashMap::default(), watched: FxHashSet::default() }))
}

pub fn register(address: *mut Value) {
    with_registered(|r| *r.addresses.entry(address as usize).or_insert(0) += 1);
}

/// Watches an object whose references C changes without a write barrier.
pub fn watch(v: Value) {
    with_registered(|r| r.watched.insert(v.0));
}

pub fn unwatch(v: Value) {
    with_registered(|r| r.watched.remove(&v.0));
}

/// Visits C's variables, for the collector. As in CRuby they may hold anything: extensions also register variables of
/// functions that have returned.
pub fn trace_roots(marker: &mut Marker) {
    with_registered(|r| {
        for address in r.addresses.keys() {
            let v = given::read(*address as *const Value);
            if v.is_heap() {
                marker.maybe(v.0 as usize);
            }
        }
    });
}

/// Remembers the watched objects, before a collection.
pub fn remember_watched(cx: &mut Cx) {
    with_registered(|r| {
        for v in &r.watched {
            cx.remember(Value(*v));
        }
    });
}

pub fn rb_gc_register_address(address: *mut Value) {
    register(address);
}

pub fn rb_gc_unregister_address(address: *mut Value) {
    with_registered(|r| {
        if let Some(count) = r.addresses.get_mut(&(address as usize)) {
            *count -= 1;
            if *count == 0 {
                r.addresses.remove(&(address as usize));
            }
        }
    });
}

pub fn rb_global_variable(address: *mut Value) {
    register(address);
}

/// The Array of objects that are kept alive until the process ends.
pub fn kept(cx: &mut Cx) -> Value {
    let kept = cx.root(runtime::Root::NativeObjects);
    if kept.is_heap() {
        return kept;
    }
    let made = make::array(cx, &[]);
    cx.set_root(runtime::Root::NativeObjects, made);
    made
}

pub fn rb_gc_register_mark_object(cx: &mut Cx, v: Value) -> R<()> {
    if v.is_heap() {
        pin(v);
        let list = kept(cx);
        make::push(cx, list, v);
    }
    Ok(())
}

pub fn rb_gc_writebarrier(cx: &mut Cx, v: Value, _: Value) {
    cx.remember(v);
}

pub fn rb_gc_writebarrier_unprotect(cx: &mut Cx, v: Value) {
    cx.remember(v);
}

pub fn rb_gc_enable(cx: &mut Cx) -> R {
    send_to(cx, "GC", "enable", &[])
}

pub fn rb_gc_disable(cx: &mut Cx) -> R {
    send_to(cx, "GC", "disable", &[])
}

pub fn rb_gc_start(cx: &mut Cx) -> R {
    send_to(cx, "GC", "start", &[])
}

pub fn rb_gc(cx: &mut Cx) -> R<()> {
    send_to(cx, "GC", "start", &[])?;
    run_freed(cx);
    Ok(())
}

pub fn rb_gc_count(cx: &mut Cx) -> R<usize> {
    let count = send_to(cx, "GC", "count", &[])?;
    Ok(convert::to_i64(cx, count)? as usize)
}

pub fn rb_gc_stat(cx: &mut Cx, key: Value) -> R<usize> {
    let value = send_to(cx, "GC", "stat", &[key])?;
    if HashRef::from_value(value).is_some() { Ok(0) } else { Ok(convert::to_i64(cx, value)? as usize) }
}

pub fn rb_gc_latest_gc_info(cx: &mut Cx, key: Value) -> R {
    send_to(cx, "GC", "latest_gc_info", &[key])
}

/// Bytes that extensions reported and that were not passed on to the collector yet.
static ADJUSTED: AtomicUsize = AtomicUsize::new(0);

pub fn rb_gc_adjust_memory_usage(bytes: isize) {
    if bytes > 0 {
        ADJUSTED.fetch_add(bytes as usize, Ordering::Relaxed);
    }
}

/// Native memory is reported to the collector in steps of at least so many bytes.
const STEP: usize = 64 << 10;

fn account(cx: &mut Cx, bytes: usize) {
    // An estimate: the bytes that another thread reports at the same time may be lost. An atomic addition would prevent
    // this, but costs more.
    let reported = ADJUSTED.load(Ordering::Relaxed) + bytes;
    ADJUSTED.store(reported, Ordering::Relaxed);
    if reported >= STEP && !COLLECTING.get() {
        ADJUSTED.store(0, Ordering::Relaxed);
        cx.holds_outside(reported);
    }
}

pub fn rb_during_gc() -> i32 {
    (COLLECTING.get() || crate::events::is_collecting()) as i32
}

pub fn rb_gc_copy_finalizer(_: &mut Cx, _: Value, _: Value) -> R<()> {
    Ok(())
}

pub fn rb_gc_verify_internal_consistency(_: &mut Cx) -> R<()> {
    Ok(())
}

pub fn rb_obj_memsize_of(cx: &mut Cx, v: Value) -> usize {
    object::payload::memory_size(cx, v)
}

unsafe extern "C" {
    fn malloc(size: usize) -> *mut c_void;
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn realloc(memory: *mut c_void, size: usize) -> *mut c_void;
    #[link_name = "free"]
    fn c_free(memory: *mut c_void);
}

fn allocated(cx: &mut Cx, memory: *mut c_void, size: usize) -> R<*mut c_void> {
    if memory.is_null() {
        return Err(cx.no_memory());
    }
    unmarked::allocated(memory, size);
    account(cx, size);
    Ok(memory)
}

/// Zeroed memory from C's allocator.
pub fn zeroed(cx: &mut Cx, size: usize) -> R<*mut c_void> {
    // Small blocks are fastest from malloc, which has a cache for each thread, and large ones from calloc, which does
    // not zero fresh pages.
    const SMALL: usize = 1024;
    // SAFETY: both accept any size; the block is at least as long as what is zeroed.
    let memory = unsafe {
        if size <= SMALL {
            let memory = malloc(size.max(1));
            if !memory.is_null() {
                memory.cast::<u8>().write_bytes(0, size);
            }
            memory
        } else {
            calloc(1, size)
        }
    };
    allocated(cx, memory, size)
}

pub fn free(memory: *mut c_void) {
    unmarked::freed(memory);
    // SAFETY: C passes memory from malloc or from one of the functions below.
    unsafe { c_free(memory) }
}

fn product(cx: &mut Cx, count: usize, size: usize) -> R<usize> {
    match count.checked_mul(size) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(bytes),
        _ => Err(cx.argument_error("malloc: possible integer overflow")),
    }
}

/// The address of a block, if its size is not to be passed on to the collector now.
#[inline(always)]
pub fn quick_ruby_xmalloc(_: &mut Cx, size: usize) -> Option<Value> {
    let reported = ADJUSTED.load(Ordering::Relaxed).checked_add(size).filter(|reported| *reported < STEP)?;
    if COLLECTING.get() {
        return None;
    }
    // SAFETY: malloc accepts any size.
    let memory = unsafe { malloc(size.max(1)) };
    if memory.is_null() {
        return None;
    }
    unmarked::allocated(memory, size);
    ADJUSTED.store(reported, Ordering::Relaxed);
    Some(Value(memory as u64))
}

#[inline(always)]
pub fn quick_ruby_xmalloc2(cx: &mut Cx, count: usize, size: usize) -> Option<Value> {
    quick_ruby_xmalloc(cx, count.checked_mul(size)?)
}

pub fn ruby_xmalloc(cx: &mut Cx, size: usize) -> R<*mut c_void> {
    if isize::try_from(size).is_err() {
        return Err(cx.raise(runtime::error::ErrorClass::NoMemoryError, "too large allocation size"));
    }
    // SAFETY: malloc accepts any size.
    let memory = unsafe { malloc(size.max(1)) };
    allocated(cx, memory, size)
}

pub fn ruby_xmalloc2(cx: &mut Cx, count: usize, size: usize) -> R<*mut c_void> {
    let size = product(cx, count, size)?;
    ruby_xmalloc(cx, size)
}

pub fn ruby_xcalloc(cx: &mut Cx, count: usize, size: usize) -> R<*mut c_void> {
    let size = product(cx, count, size)?;
    zeroed(cx, size)
}

pub fn ruby_xrealloc(cx: &mut Cx, memory: *mut c_void, size: usize) -> R<*mut c_void> {
    unmarked::freed(memory);
    // SAFETY: C passes memory from these functions, or null.
    let moved = unsafe { realloc(memory, size.max(1)) };
    allocated(cx, moved, size)
}

pub fn ruby_xrealloc2(cx: &mut Cx, memory: *mut c_void, count: usize, size: usize) -> R<*mut c_void> {
    let size = product(cx, count, size)?;
    ruby_xrealloc(cx, memory, size)
}

pub fn ruby_xfree(memory: *mut c_void) {
    free(memory);
}

/// C memory that a variable keeps alive; it may contain values.
struct Buffer {
    memory: *mut c_void,
    size: usize,
    object: Value,
}

impl heap::Trace for Buffer {
    fn trace(&mut self, marker: &mut heap::Marker) {
        let start = self.memory.cast::<u8>();
        // SAFETY: the buffer's own memory.
        unsafe { marker.conservative(start, start.add(self.size)) };
    }
}

impl object::native::NativeData for Buffer {
    object::one_vtable!(Buffer);
}

impl Drop for Buffer {
    fn drop(&mut self) {
        unwatch(self.object);
        free(self.memory);
    }
}

pub fn rb_alloc_tmp_buffer(cx: &mut Cx, variable: *mut Value, len: i64) -> R<*mut c_void> {
    let Ok(size) = usize::try_from(len) else {
        return Err(cx.argument_error("negative buffer size (or size too big)"));
    };
    let memory = zeroed(cx, size)?;
    let class = cx.class(runtime::Known::Internal);
    let v = object::native::new(cx, class, Box::new(Buffer { memory, size, object: Value::NIL }));
    if let Some(buffer) = object::native::get_mut::<Buffer>(cx, pin(v)) {
        buffer.object = v;
    }
    watch(v);
    given::write(variable, v);
    Ok(memory)
}

pub fn rb_alloc_tmp_buffer_with_count(cx: &mut Cx, variable: *mut Value, size: usize, _: usize) -> R<*mut c_void> {
    rb_alloc_tmp_buffer(cx, variable, size as i64)
}

/// Frees the memory at once; its object remains, empty, until it is collected.
pub fn rb_free_tmp_buffer(cx: &mut Cx, variable: *mut Value) {
    let v = given::read(variable);
    if let Some(buffer) = object::native::get_mut::<Buffer>(cx, v) {
        let memory = std::mem::replace(&mut buffer.memory, std::ptr::null_mut());
        buffer.size = 0;
        free(memory);
    }
    given::write(variable, Value::FALSE);
}

/// Structures that wait for `dfree` until no collection is running.
static FREED: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

pub fn free_later(function: *const c_void, data: *mut c_void) {
    FREED.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((function as usize, data as usize));
}

/// Calls the waiting functions. To be called at safepoints, when no collection is running. Exceptions are reported.
pub fn run_freed(cx: &mut Cx) {
    loop {
        let next = FREED.lock().unwrap_or_else(std::sync::PoisonError::into_inner).pop();
        let Some((function, data)) = next else { return };
        let result = call_words(cx, function as *const c_void, &[data as u64], Place::NONE, None);
        if let Err(unwind) = result
            && let Ok(exception) = cx.take_exception(unwind)
        {
            let message = runtime::error::class_name_of(cx, exception);
            let _ = runtime::warning::warn_here(cx, &format!("{message} was raised by a dfree function"));
        }
    }
}

/// Whether structures are waiting.
pub fn has_freed() -> bool {
    !FREED.lock().unwrap_or_else(std::sync::PoisonError::into_inner).is_empty()
}

/// Calls C's function for every object, with the bounds of memory that contains only this object, until the function
/// returns a number other than 0.
pub fn rb_objspace_each_objects(cx: &mut Cx, function: *const c_void, data: *mut c_void) -> R<()> {
    // The buffer is on the native stack, so that the objects stay alive.
    let Ok(objects) = cx.snapshot_objects(&mut |_| true) else { return Err(cx.no_memory()) };
    for v in objects.iter() {
        let start = v.0;
        let words = [start, start + CELL, CELL, data as u64];
        let stop = call_words(cx, function, &words, Place::NONE, None)?;
        if stop.0 as i32 != 0 {
            break;
        }
    }
    Ok(())
}

/// The stride that is passed to C: the size of the smallest cell.
const CELL: u64 = 16;
