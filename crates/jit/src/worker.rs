//! The compiler's thread: makes machine code in the background.

use std::{
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Sender},
    },
};

use crate::{
    backend::{self, Assembled},
    ir::Function,
};

/// A function to compile to machine code.
pub struct Job {
    /// The number of forks between the first process and this one.
    pub forks: u32,
    /// The address of the unit's exits.
    exits: u64,
    /// The addresses of the code memory.
    memory: Range<usize>,
    /// The title under which the machine code is printed; `None` if it is not printed.
    title: Option<String>,
    state: Mutex<State>,
}

enum State {
    Waiting(Box<Function>),
    Running,
    Done(Option<Finished>),
}

pub struct Finished {
    pub made: Assembled,
    pub nanoseconds: u64,
}

impl Job {
    pub fn new(forks: u32, function: Function, exits: u64, memory: Range<usize>, title: Option<String>) -> Job {
        Job { forks, exits, memory, title, state: Mutex::new(State::Waiting(Box::new(function))) }
    }

    /// The machine code, which is returned only once; the outer `None` if it is not ready, the inner `None` if it could
    /// not be made.
    pub fn result(&self) -> Option<Option<Finished>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *state {
            State::Done(finished) => Some(finished.take()),
            _ => None,
        }
    }

    /// Makes the machine code.
    pub fn run(&self) {
        let taken = std::mem::replace(&mut *self.state.lock().unwrap_or_else(PoisonError::into_inner), State::Running);
        let State::Waiting(function) = taken else { return };
        let began = host::clock::thread_cpu_nanoseconds();
        // After a panic of the backend the program continues without compiled code.
        let made = catch_unwind(AssertUnwindSafe(|| backend::assemble(&function, self.exits, self.memory.clone())));
        let nanoseconds = host::clock::thread_cpu_nanoseconds() - began;
        if let (Some(title), Ok(Some(made))) = (&self.title, &made) {
            eprintln!("{title}\n{}", backend::disassembled(&made.bytes));
        }
        let finished = made.ok().flatten().map(|made| Finished { made, nanoseconds });
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = State::Done(finished);
    }
}

/// The size of the thread's stack.
const STACK_BYTES: usize = 2 << 20;

/// The thread, which runs as long as this handle is kept.
pub struct Worker {
    /// The number of forks between the first process and this one.
    pub forks: u32,
    jobs: Sender<Arc<Job>>,
}

impl Worker {
    /// Starts the thread; `None` if the system cannot create one.
    pub fn start(forks: u32) -> Option<Worker> {
        let (jobs, waiting) = mpsc::channel::<Arc<Job>>();
        // The thread receives no signals: they are for the program's threads.
        let blocked = host::signal::block_all();
        let started = host::thread::spawn("compiler", STACK_BYTES, move || waiting.iter().for_each(|job| job.run()));
        drop(blocked);
        started.ok().map(|_| Worker { forks, jobs })
    }

    /// Gives a job to the thread; false if the thread has ended.
    pub fn take(&self, job: Arc<Job>) -> bool {
        self.jobs.send(job).is_ok()
    }
}
