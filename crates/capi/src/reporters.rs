//! `rb_bug_reporter_add`: functions of extensions that add to a crash report.

use std::{
    ffi::{c_char, c_int, c_void},
    mem, ptr,
    sync::Mutex,
};

/// A function and its data, as words, because pointers cannot be shared between threads.
struct Reporter {
    function: usize,
    data: usize,
}

/// As many as in CRuby.
const MOST: usize = 256;

static REPORTERS: Mutex<Vec<Reporter>> = Mutex::new(Vec::new());

unsafe extern "C" {
    fn dup(fd: c_int) -> c_int;
    fn fdopen(fd: c_int, mode: *const c_char) -> *mut c_void;
    fn setvbuf(stream: *mut c_void, buffer: *mut c_char, mode: c_int, size: usize) -> c_int;
    fn fclose(stream: *mut c_void) -> c_int;
}

/// Adds a function; `false` if there are too many.
pub fn add(function: *const c_void, data: *mut c_void) -> bool {
    let mut reporters = REPORTERS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if function.is_null() || reporters.len() >= MOST || reporters.try_reserve(1).is_err() {
        return false;
    }
    reporters.push(Reporter { function: function as usize, data: data as usize });
    runtime::crash::set_additions(run);
    true
}

/// Calls the functions with a stream for the descriptor. None if the fault occurred while one was being added.
fn run(fd: i32) {
    const UNBUFFERED: c_int = 2;
    let Ok(reporters) = REPORTERS.try_lock() else { return };
    // SAFETY: the functions have the type that `rb_bug_reporter_add` declares, and the stream is open until its end.
    unsafe {
        let stream = fdopen(dup(fd), c"w".as_ptr());
        if stream.is_null() {
            return;
        }
        // What a function has written remains if the next one fails.
        setvbuf(stream, ptr::null_mut(), UNBUFFERED, 0);
        for Reporter { function, data } in reporters.iter() {
            let function: extern "C" fn(*mut c_void, *mut c_void) = mem::transmute(*function);
            function(stream, *data as *mut c_void);
        }
        fclose(stream);
    }
}
