//! Faults: the handler runs on its own stack, and can let the instruction be tried again.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use host::memory::{self, Protection};
use host::signal::fault::{self, AlternateStack, Fault, Verdict};

static PAGE: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static SEEN: AtomicUsize = AtomicUsize::new(0);

fn open_the_page(fault: &Fault) -> Verdict {
    let page = PAGE.load(Ordering::Acquire);
    SEEN.store(fault.address, Ordering::Release);
    match NonNull::new(page) {
        // SAFETY: the test's own page.
        Some(page) if unsafe { memory::protect(page, memory::page_size(), Protection::ReadWrite) }.is_ok() => {
            Verdict::Handled
        }
        _ => Verdict::Defect,
    }
}

#[test]
fn a_handled_fault_is_tried_again() {
    let _stack = AlternateStack::install().unwrap();
    fault::install(open_the_page, fault::report_in_a_line).unwrap();
    let page = memory::reserve(memory::page_size(), memory::page_size()).unwrap();
    PAGE.store(page.as_ptr(), Ordering::Release);
    // SAFETY: faults once; the classifier makes the page writable.
    unsafe { page.add(8).as_ptr().write_volatile(1) };
    assert_eq!(SEEN.load(Ordering::Acquire), page.addr().get() + 8);
}
