//! Native threads for those of Ruby. A thread that has not run yet is only an entry in the queue of the global lock:
//! when its turn comes, a native thread begins it, an idle one if there is one. When a thread ends, its native thread
//! takes the next turn if that is another thread's first one. Many short threads thus need few native ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use host::signal::fault::AlternateStack;
use host::thread::{Condvar, Mutex, StackBounds};

use super::stack_sizes;

/// Native threads beyond these end with their thread.
const MOST_IDLE: usize = 16;
/// An idle native thread ends after this time, in nanoseconds.
const PATIENCE: u64 = 1_000_000_000;

/// What runs a thread, given the bounds of the native stack and the ticket for the global lock. Returns the thread that
/// the native thread runs next.
pub type Start = Box<dyn FnOnce(StackBounds, u64) -> Option<Task> + Send>;

/// A thread to begin, and its ticket for the global lock.
pub struct Task {
    pub start: Start,
    pub ticket: u64,
}

/// Where an idle native thread finds its next task.
#[derive(Default)]
struct Seat {
    task: Mutex<Option<Task>>,
    wake: Condvar,
}

#[derive(Default)]
pub struct Natives {
    idle: Mutex<Vec<Arc<Seat>>>,
    count: AtomicUsize,
}

/// Whether the address space has room for that many more native threads.
pub fn has_room(count: usize) -> bool {
    host::thread::has_room(count.saturating_mul(stack_sizes::native_thread()))
}

impl Natives {
    /// Whether there is a native thread, idle or not.
    pub fn exist(&self) -> bool {
        self.count.load(Ordering::Relaxed) != 0
    }

    /// Lets a native thread run the task; returns the task if the system has no resources for another one.
    pub fn begin(&'static self, task: Task) -> Result<(), Task> {
        let idle = self.idle.lock().pop();
        if let Some(seat) = idle {
            *seat.task.lock() = Some(task);
            seat.wake.notify_one();
            return Ok(());
        }
        let first = Arc::new(Seat { task: Mutex::new(Some(task)), wake: Condvar::new() });
        let seat = first.clone();
        self.count.fetch_add(1, Ordering::Relaxed);
        let serve = move || {
            self.serve(seat);
            self.count.fetch_sub(1, Ordering::Relaxed);
        };
        match host::thread::spawn("ruby", stack_sizes::native_thread(), serve) {
            Ok(_) => Ok(()),
            Err(_) => {
                self.count.fetch_sub(1, Ordering::Relaxed);
                first.task.lock().take().map_or(Ok(()), Err)
            }
        }
    }

    /// The main function of a native thread.
    fn serve(&self, seat: Arc<Seat>) {
        let bounds = host::thread::stack_bounds().unwrap_or(StackBounds { lowest: 0, highest: 0 });
        // Without it, a fault ends the process without a report.
        let _alternate = AlternateStack::install();
        let mut next = seat.task.lock().take();
        while let Some(Task { start, ticket }) = next {
            next = start(bounds, ticket).or_else(|| self.wait(&seat));
            if next.is_some() {
                host::thread::begin_another("ruby");
            }
        }
    }

    /// The next task of an idle native thread, `None` if it is not needed.
    fn wait(&self, seat: &Arc<Seat>) -> Option<Task> {
        let mut idle = self.idle.lock();
        if idle.len() == MOST_IDLE {
            return None;
        }
        idle.push(seat.clone());
        drop(idle);
        let deadline = host::clock::monotonic_nanoseconds() + PATIENCE;
        let mut task = seat.task.lock();
        let mut is_late = false;
        while task.is_none() && !is_late {
            (task, is_late) = seat.wake.wait_until(task, deadline);
        }
        if task.is_none() {
            drop(task);
            let mut idle = self.idle.lock();
            if let Some(place) = idle.iter().position(|other| Arc::ptr_eq(other, seat)) {
                idle.remove(place);
                return None;
            }
            drop(idle);
            // Another thread has just taken the seat off the list, and is about to place a task.
            task = seat.task.lock();
            while task.is_none() {
                task = seat.wake.wait(task);
            }
        }
        task.take()
    }
}
