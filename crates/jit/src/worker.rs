//! The compiler's thread: makes machine code beside the program.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Sender},
    },
    time::Instant,
};

use runtime::code::{exits::ExitStore, tier::Positions};

use crate::{backend, ir::Function};

/// A function that machine code is made of.
pub struct Job {
    /// The number of forks that led to the process.
    pub forks: u32,
    /// The address of the unit's exits.
    exits: u64,
    /// The title of the machine code where that is to be printed.
    title: Option<String>,
    state: Mutex<State>,
}

enum State {
    Waiting(Box<Function>),
    Running,
    Done(Option<Finished>),
}

/// Machine code, which may lie anywhere and names everything by address.
pub struct Finished {
    pub bytes: Vec<u8>,
    pub stores: Vec<Vec<ExitStore>>,
    pub positions: Positions,
    pub nanoseconds: u64,
}

impl Job {
    pub fn new(forks: u32, function: Function, exits: u64, title: Option<String>) -> Job {
        Job { forks, exits, title, state: Mutex::new(State::Waiting(Box::new(function))) }
    }

    /// The machine code, or `None` within where it cannot be made. It is given once; `None`: it is not ready.
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
        let began = Instant::now();
        // A panic of the backend costs the program nothing but the compiled code.
        let made = catch_unwind(AssertUnwindSafe(|| backend::assemble(&function, self.exits)));
        let nanoseconds = began.elapsed().as_nanos() as u64;
        if let (Some(title), Ok(Some(made))) = (&self.title, &made) {
            eprintln!("{title}\n{}", backend::disassembled(&made.bytes));
        }
        let finished = made.ok().flatten().map(|made| Finished {
            bytes: made.bytes,
            stores: made.stores,
            positions: made.positions,
            nanoseconds,
        });
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = State::Done(finished);
    }
}

/// The size of the thread's stack.
const STACK_BYTES: usize = 2 << 20;

/// The thread, as long as it is held.
pub struct Worker {
    /// The number of forks that led to the process.
    pub forks: u32,
    jobs: Sender<Arc<Job>>,
}

impl Worker {
    /// `None` where the system gives no thread.
    pub fn start(forks: u32) -> Option<Worker> {
        let (jobs, waiting) = mpsc::channel::<Arc<Job>>();
        // Signals are the program's.
        let blocked = host::signal::block_all();
        let started = host::thread::spawn("compiler", STACK_BYTES, move || waiting.iter().for_each(|job| job.run()));
        drop(blocked);
        started.ok().map(|_| Worker { forks, jobs })
    }

    /// False where the thread has ended.
    pub fn take(&self, job: Arc<Job>) -> bool {
        self.jobs.send(job).is_ok()
    }
}
