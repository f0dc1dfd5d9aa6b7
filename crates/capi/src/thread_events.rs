//! `rb_internal_thread_add_event_hook`: functions that are called when threads start, stop and wait for the global
//! lock.

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use abi::Value;
use object::native;
use runtime::{
    Cx, R,
    concurrency::thread::{self, ThreadState},
    error::ErrorClass,
    sampling::thread_hook::{self, ThreadHooks, ThreadMoment},
    unwind::Unwinding,
};

use crate::border::{Place, call_words};

#[derive(Clone, Copy)]
struct Hook {
    number: usize,
    function: usize,
    events: u32,
    data: usize,
}

/// The hooks, and the number of the last one.
fn hooks() -> MutexGuard<'static, (Vec<Hook>, usize)> {
    static HOOKS: Mutex<(Vec<Hook>, usize)> = Mutex::new((Vec::new(), 0));
    HOOKS.lock().unwrap_or_else(PoisonError::into_inner)
}

static THREAD_HOOKS: ThreadHooks = ThreadHooks { started, moment };

const STARTED: u32 = 1 << 0;

/// The functions for an event. They may add and remove hooks.
fn listeners(event: u32) -> impl Iterator<Item = Hook> {
    let list = hooks().0.clone();
    list.into_iter().filter(move |hook| hook.events & event != 0)
}

fn started(cx: &mut Cx, thread: Value) {
    // `rb_internal_thread_event_data_t`
    let event_data = [thread.0];
    for hook in listeners(STARTED) {
        let words = [u64::from(STARTED), event_data.as_ptr() as u64, hook.data as u64];
        if call_words(cx, hook.function as *const c_void, &words, Place::NONE, None).is_err() {
            // The function must not raise: the caller of Thread.new did not call it.
            cx.unwinding = Unwinding::none();
        }
    }
}

fn moment(cx: &Cx, moment: ThreadMoment) {
    let event = match moment {
        ThreadMoment::Ready => 1 << 1,
        ThreadMoment::Resumed => 1 << 2,
        ThreadMoment::Suspended => 1 << 3,
        ThreadMoment::Exited => 1 << 4,
    };
    let event_data = [cx.thread.0];
    for hook in listeners(event) {
        type Function = unsafe extern "C" fn(u32, *const u64, *mut c_void);
        // SAFETY: C passed a function of this type.
        let function = unsafe { std::mem::transmute::<usize, Function>(hook.function) };
        // SAFETY: the function only reads the event's data during the call.
        unsafe { function(event, event_data.as_ptr(), hook.data as *mut c_void) };
    }
}

/// Adds a hook; returns its number as an address.
pub fn rb_internal_thread_add_event_hook(function: *const c_void, events: u32, data: *mut c_void) -> *mut c_void {
    let mut hooks = hooks();
    hooks.1 += 1;
    let number = hooks.1;
    hooks.0.push(Hook { number, function: function as usize, events, data: data as usize });
    thread_hook::set(Some(&THREAD_HOOKS));
    number as *mut c_void
}

/// Removes a hook; returns whether it was there.
pub fn rb_internal_thread_remove_event_hook(hook: *mut c_void) -> bool {
    let mut hooks = hooks();
    let before = hooks.0.len();
    hooks.0.retain(|known| known.number != hook as usize);
    if hooks.0.is_empty() {
        thread_hook::set(None);
    }
    hooks.0.len() < before
}

/// The number of keys that were created.
static KEYS: AtomicUsize = AtomicUsize::new(0);

pub fn rb_internal_thread_specific_key_create(cx: &mut Cx) -> R<i32> {
    let key = KEYS.fetch_add(1, Ordering::Relaxed);
    if key < thread::SPECIFIC {
        return Ok(key as i32);
    }
    KEYS.store(thread::SPECIFIC, Ordering::Relaxed);
    Err(cx.raise(ErrorClass::ThreadError, "rb_internal_thread_specific_key_create() is called more than 8 times"))
}

fn specific(thread: &Value, key: i32) -> Option<&AtomicUsize> {
    native::get::<ThreadState>(thread)?.specific.get(usize::try_from(key).ok()?)
}

/// The thread's value for a key; null for an unknown key.
pub fn rb_internal_thread_specific_get(thread: Value, key: i32) -> *mut c_void {
    specific(&thread, key).map_or(0, |word| word.load(Ordering::Relaxed)) as *mut c_void
}

pub fn rb_internal_thread_specific_set(thread: Value, key: i32, data: *mut c_void) {
    if let Some(word) = specific(&thread, key) {
        word.store(data as usize, Ordering::Relaxed);
    }
}
