//! Memory faults. The handler runs on an alternate stack, so that it also works for a stack overflow. It passes the
//! fault to the classifier. If the classifier cannot resolve it, the handler writes a report and takes the signal's
//! default action.

use std::ffi::c_void;
use std::mem;
use std::ptr::{self, NonNull};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use super::report;
use crate::errno::check;
use crate::{Result, memory};

/// The data of a memory fault.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    pub signal: i32,
    /// The accessed address; not meaningful for illegal instructions.
    pub address: usize,
    /// The address of the instruction.
    pub instruction: usize,
    pub stack_pointer: usize,
    pub frame_pointer: usize,
    /// Another process sent the signal: no address was accessed.
    pub sent: bool,
}

impl Fault {
    /// The place of the caller, described like a fault, for reports of other defects.
    #[inline(always)]
    pub fn here() -> Fault {
        let (stack_pointer, frame_pointer): (usize, usize);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: it only reads two registers.
        unsafe {
            std::arch::asm!("mov {}, rsp", "mov {}, rbp", out(reg) stack_pointer, out(reg) frame_pointer,
                options(nomem, nostack, preserves_flags));
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            (stack_pointer, frame_pointer) = (0, 0);
        }
        let instruction = Fault::name as *const () as usize;
        Fault { signal: 0, address: 0, instruction, stack_pointer, frame_pointer, sent: true }
    }

    /// The name of the fault for reports: "Segmentation fault" and the like.
    pub fn name(&self) -> &'static str {
        match self.signal {
            libc::SIGSEGV => "Segmentation fault",
            libc::SIGBUS => "Bus error",
            libc::SIGILL => "Illegal instruction",
            _ => "Arithmetic exception",
        }
    }

    /// The address of the instruction, then the return addresses on the stack, innermost first, following frame
    /// pointers.
    ///
    /// # Safety
    /// For reporters only: a corrupt stack may be unreadable.
    pub unsafe fn calls(&self) -> impl Iterator<Item = usize> {
        let (mut low, mut frame) = (self.stack_pointer, self.frame_pointer);
        let callers = std::iter::from_fn(move || {
            let inside = frame > low && frame - low < LARGEST_FRAME && frame.is_multiple_of(size_of::<usize>());
            if !inside {
                return None;
            }
            // SAFETY: the caller accepts that reading a corrupt stack may fault; a frame begins with its caller's frame
            // pointer and the return address.
            let (outer, address) = unsafe { (*(frame as *const usize), *(frame as *const usize).add(1)) };
            (low, frame) = (frame, outer);
            Some(address)
        });
        std::iter::once(self.instruction).chain(callers)
    }
}

/// The address within the executable's file, which symbolizers expect.
pub fn file_address(address: usize) -> usize {
    unsafe extern "C" {
        /// Defined by the linker: the start of the executable in memory.
        static __executable_start: u8;
    }
    address.wrapping_sub(&raw const __executable_start as usize)
}

/// Frames further apart than this do not belong to one stack.
const LARGEST_FRAME: usize = 1 << 20;

/// The classifier's verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The classifier resolved the fault: the instruction is retried.
    Handled,
    /// A guard page at a stack's end.
    StackOverflow,
    /// A defect, in the interpreter or in foreign code.
    Defect,
}

/// Runs in the handler: may only use atomics and async-signal-safe calls.
pub type Classifier = fn(&Fault) -> Verdict;

/// Called in the handler before the process ends.
pub type Reporter = fn(&Fault, Verdict);

static CLASSIFIER: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());
static REPORTER: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());
static REPORTING: AtomicBool = AtomicBool::new(false);

const SIGNALS: [i32; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE];

/// Installs the handler for faults of this process. In addition, each thread needs an [`AlternateStack`].
pub fn install(classifier: Classifier, reporter: Reporter) -> Result<()> {
    CLASSIFIER.store(classifier as *mut (), Ordering::Release);
    REPORTER.store(reporter as *mut (), Ordering::Release);
    for signal in SIGNALS {
        // SAFETY: all zeros is a valid `sigaction`.
        let mut action: libc::sigaction = unsafe { mem::zeroed() };
        action.sa_sigaction = handle as extern "C" fn(i32, *mut libc::siginfo_t, *mut c_void) as usize;
        // SA_NODEFER: a fault in the classifier or the reporter reaches the handler again, which then ends the process.
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
        // SAFETY: the first pointer is to a local, the other may be null; the handler has the signature for SA_SIGINFO.
        check(unsafe { libc::sigaction(signal, &action, ptr::null_mut()) })?;
    }
    Ok(())
}

extern "C" fn handle(signal: i32, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes valid pointers.
    let fault = unsafe { describe(signal, &*info, &*context.cast::<libc::ucontext_t>()) };
    if REPORTING.load(Ordering::Acquire) {
        super::die_by(signal);
    }
    // SAFETY: `install` wrote a `Classifier` before it set this handler.
    let classifier = unsafe { mem::transmute::<*mut (), Classifier>(CLASSIFIER.load(Ordering::Acquire)) };
    let verdict = classifier(&fault);
    if verdict == Verdict::Handled {
        return;
    }
    if !REPORTING.swap(true, Ordering::AcqRel) {
        // SAFETY: `install` wrote a `Reporter` before it set this handler.
        let reporter = unsafe { mem::transmute::<*mut (), Reporter>(REPORTER.load(Ordering::Acquire)) };
        reporter(&fault, verdict);
    }
    super::die_by(signal);
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn describe(signal: i32, info: &libc::siginfo_t, context: &libc::ucontext_t) -> Fault {
    let register = |number: i32| context.uc_mcontext.gregs[number as usize] as usize;
    Fault {
        signal,
        // SAFETY: this field is valid for the signals of this handler.
        address: unsafe { info.si_addr() } as usize,
        instruction: register(libc::REG_RIP),
        stack_pointer: register(libc::REG_RSP),
        frame_pointer: register(libc::REG_RBP),
        sent: info.si_code <= 0,
    }
}

#[cfg(all(target_os = "linux", target_arch = "aarch64"))]
fn describe(signal: i32, info: &libc::siginfo_t, context: &libc::ucontext_t) -> Fault {
    Fault {
        signal,
        // SAFETY: this field is valid for the signals of this handler.
        address: unsafe { info.si_addr() } as usize,
        instruction: context.uc_mcontext.pc as usize,
        stack_pointer: context.uc_mcontext.sp as usize,
        frame_pointer: context.uc_mcontext.regs[29] as usize,
        sent: info.si_code <= 0,
    }
}

/// Writes a number to the report.
pub fn write_hexadecimal(number: usize) {
    let digits = (usize::BITS - number.leading_zeros()).div_ceil(4).max(1);
    for digit in (0..digits).rev() {
        report::write_raw(&[b"0123456789abcdef"[number >> (digit * 4) & 15]]);
    }
}

/// The stack of this thread's fault handler, used instead of the possibly exhausted one. Removed when dropped, which
/// must happen in the same thread.
pub struct AlternateStack {
    mapping: Mapping,
    before: libc::stack_t,
}

/// Enough for a report that walks stacks and formats without allocating.
const ALTERNATE_STACK_SIZE: usize = 128 * 1024;
/// The mappings of ended threads, for the next ones, which are often started at once. Only tried to lock: in a forked
/// child, a thread that does not exist any more may have locked it.
static UNUSED: Mutex<Vec<Mapping>> = Mutex::new(Vec::new());
const MOST_UNUSED: usize = 16;

/// The memory of an alternate stack, with its guard page below.
#[derive(Clone, Copy)]
struct Mapping(NonNull<u8>);

// SAFETY: the mapping belongs to whoever has its address.
unsafe impl Send for Mapping {}

impl Mapping {
    fn take() -> Result<Mapping> {
        if let Some(mapping) = UNUSED.try_lock().ok().and_then(|mut unused| unused.pop()) {
            return Ok(mapping);
        }
        let guard = memory::page_size();
        let mapping = memory::map(guard + ALTERNATE_STACK_SIZE, guard)?;
        // SAFETY: the guard page lies in the mapping that was just made.
        unsafe { memory::protect(mapping, guard, memory::Protection::None)? };
        Ok(Mapping(mapping))
    }

    /// Keeps the mapping for another thread, or unmaps it.
    ///
    /// # Safety
    /// Nothing uses the mapping.
    unsafe fn give_back(self) {
        if let Ok(mut unused) = UNUSED.try_lock()
            && unused.len() < MOST_UNUSED
            && unused.try_reserve(1).is_ok()
        {
            return unused.push(self);
        }
        // SAFETY: this function's contract; it was mapped with this size.
        let _ = unsafe { memory::unmap(self.0, memory::page_size() + ALTERNATE_STACK_SIZE) };
    }
}

impl AlternateStack {
    /// Creates one for the calling thread, with a guard page below.
    pub fn install() -> Result<AlternateStack> {
        let mapping = Mapping::take()?;
        // SAFETY: the stack begins in the mapping, above the guard page.
        let low = unsafe { mapping.0.add(memory::page_size()) };
        let stack = libc::stack_t { ss_sp: low.as_ptr().cast(), ss_flags: 0, ss_size: ALTERNATE_STACK_SIZE };
        // SAFETY: all zeros is a valid `stack_t`.
        let mut before: libc::stack_t = unsafe { mem::zeroed() };
        // SAFETY: the pointers are to locals; the mapping exists until it is replaced.
        check(unsafe { libc::sigaltstack(&stack, &mut before) })?;
        Ok(AlternateStack { mapping, before })
    }
}

impl Drop for AlternateStack {
    fn drop(&mut self) {
        // SAFETY: the previous stack is restored, after which nothing uses the mapping. If the stack is in use, it
        // stays.
        unsafe {
            if libc::sigaltstack(&self.before, ptr::null_mut()) == 0 {
                self.mapping.give_back();
            }
        }
    }
}
