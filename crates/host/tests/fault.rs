//! Faults: the handler runs on its own stack, and can retry the instruction. There is only one test, because the
//! handler is per process.

use std::hint::black_box;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use host::memory::{self, Protection};
use host::process::{self, Fork};
use host::signal::fault::{self, AlternateStack, Fault, Verdict};

static PAGE: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static SEEN: AtomicUsize = AtomicUsize::new(0);

fn open_the_page(fault: &Fault) -> Verdict {
    SEEN.store(fault.address, Ordering::Release);
    match NonNull::new(PAGE.load(Ordering::Acquire)) {
        // SAFETY: the test's own page.
        Some(page) if unsafe { memory::protect(page, memory::page_size(), Protection::ReadWrite) }.is_ok() => {
            Verdict::Handled
        }
        _ if fault.address.abs_diff(fault.stack_pointer) < 1 << 16 => Verdict::StackOverflow,
        _ => Verdict::Defect,
    }
}

fn exit_on_overflow(_: &Fault, verdict: Verdict) {
    if verdict == Verdict::StackOverflow {
        process::exit_immediately(42);
    }
}

fn recurse(depth: u64) -> u64 {
    let frame = black_box([depth; 32]);
    if depth == u64::MAX { 0 } else { recurse(depth + 1) + black_box(frame)[0] }
}

/// The status of a child that runs `body`.
fn end_of_child(body: fn()) -> process::Status {
    // SAFETY: the child makes no calls that lock.
    match unsafe { process::fork().unwrap() } {
        Fork::Child => {
            body();
            process::exit_immediately(0)
        }
        Fork::Parent { child } => process::wait(child, 0).unwrap().unwrap().status,
    }
}

#[test]
fn faults_are_handled_or_reported() {
    let _stack = AlternateStack::install().unwrap();
    fault::install(open_the_page, exit_on_overflow).unwrap();
    let page = memory::reserve(memory::page_size(), memory::page_size()).unwrap();
    PAGE.store(page.as_ptr(), Ordering::Release);
    // SAFETY: faults once; the classifier makes the page writable.
    unsafe { page.add(8).as_ptr().write_volatile(1) };
    assert_eq!(SEEN.load(Ordering::Acquire), page.addr().get() + 8);

    PAGE.store(std::ptr::null_mut(), Ordering::Release);
    let overflow = end_of_child(|| {
        black_box(recurse(0));
    });
    assert_eq!(overflow.exit_code(), Some(42));
    // SAFETY: faults, which is what the test is about; it ends the child.
    let defect = end_of_child(|| unsafe { std::ptr::without_provenance_mut::<u8>(8).write_volatile(1) });
    assert_eq!(defect.termination_signal(), Some(libc::SIGSEGV));
}
