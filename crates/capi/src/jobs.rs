//! Postponed jobs: functions that a signal handler requests and that run at the next safepoint.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use runtime::{Cx, concurrency::signals};

use crate::border::{Place, call_words};

/// The functions and their data, by number.
fn registered() -> MutexGuard<'static, Vec<(usize, usize)>> {
    static REGISTERED: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());
    REGISTERED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The jobs that wait, one bit for each.
static WAITING: AtomicU32 = AtomicU32::new(0);
static RUNNING: AtomicBool = AtomicBool::new(false);

/// The result if no more jobs can be registered.
const INVALID: u32 = u32::MAX;

/// Registers a function and returns its number. If the function is registered already, its data is replaced.
pub fn rb_postponed_job_preregister(_: u32, function: *const c_void, data: *mut c_void) -> u32 {
    let mut list = registered();
    let job = (function as usize, data as usize);
    match list.iter().position(|(known, _)| *known == job.0) {
        Some(at) => {
            list[at] = job;
            at as u32
        }
        None if list.len() < u32::BITS as usize => {
            list.push(job);
            list.len() as u32 - 1
        }
        None => INVALID,
    }
}

/// Requests a job, without taking a lock and without allocation.
pub fn rb_postponed_job_trigger(job: u32) {
    if job < u32::BITS {
        WAITING.fetch_or(1 << job, Ordering::Release);
        signals::request_jobs();
    }
}

/// Runs the jobs that wait, those with the highest numbers first. Jobs that another thread or a job requests meanwhile
/// wait for the next safepoint. An exception ends a job without a message, as in CRuby.
pub fn run(cx: &mut Cx) {
    if WAITING.load(Ordering::Acquire) == 0 || RUNNING.swap(true, Ordering::Acquire) {
        return;
    }
    let before = cx.error_info;
    let mut bits = WAITING.swap(0, Ordering::Acquire);
    while bits != 0 {
        let number = bits.ilog2();
        bits &= !(1 << number);
        let job = registered().get(number as usize).copied();
        if let Some((function, data)) = job
            && call_words(cx, function as *const c_void, &[data as u64], Place::NONE, None).is_err()
        {
            cx.unwinding = runtime::unwind::Unwinding::none();
        }
    }
    cx.error_info = before;
    RUNNING.store(false, Ordering::Release);
    if WAITING.load(Ordering::Acquire) != 0 {
        signals::request_jobs();
    }
}
