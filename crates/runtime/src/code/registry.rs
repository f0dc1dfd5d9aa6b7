//! The list of all linked code, through which a global trace point finds it without walking the heap.
//!
//! It holds addresses of the boxes, not references: unreachable code stays listed until the sweep drops it, and must
//! not be returned from this list.
//!
//! The list is also how a full collection reaches the call sites, whose inline caches have weak references.

use std::cell::{Cell, UnsafeCell};
use std::sync::atomic::{AtomicU32, Ordering};

use abi::Value;
use heap::{Marker, WeakTable};

use super::Code;

/// Every linked code, in no order. Used under the global lock.
#[derive(Default)]
pub struct Registry {
    list: UnsafeCell<Vec<*const Code>>,
}

/// The weak references of all call sites, as the collector sees them.
pub struct WeakSites {
    registry: &'static Registry,
    /// The number of codes that a pass after a full collection has not reached; `None` between passes. A pass goes down
    /// the list: code that is added or moved meanwhile has no dead entries, or is visited twice.
    left: Option<usize>,
}

/// So many sites count as one reference of a collection's budget.
const SITES_PER_REFERENCE: usize = 64;

impl WeakSites {
    pub fn new(registry: &'static Registry) -> WeakSites {
        WeakSites { registry, left: None }
    }
}

impl WeakTable for WeakSites {
    fn retain(&mut self, alive: &dyn Fn(Value) -> bool, young_only: bool) {
        // A minor collection keeps the young entries of all sites: their code was remembered.
        if !young_only {
            self.retain_step(alive, usize::MAX);
        }
    }

    fn retain_step(&mut self, alive: &dyn Fn(Value) -> bool, budget: usize) -> bool {
        // SAFETY: the list is used under the global lock, by one function of this file at a time; entries are taken out
        // before their code is dropped.
        let list = unsafe { &*self.registry.list.get() };
        let (mut at, mut examined) = (self.left.unwrap_or(list.len()).min(list.len()), 0);
        while at > 0 && examined < budget {
            at -= 1;
            // SAFETY: listed code is alive until it is taken out of the list.
            let code = unsafe { &*list[at] };
            code.calls.iter().for_each(|site| site.drop_dead(alive));
            code.constants.iter().for_each(|site| site.drop_dead(alive));
            // Most sites have no dead entry, so a look at many costs as much as the work on one reference elsewhere.
            examined += 1 + (code.calls.len() + code.constants.len()) / SITES_PER_REFERENCE;
        }
        self.left = (at > 0).then_some(at);
        at == 0
    }

    /// The program has no use for the number of inline caches.
    fn count(&self) -> usize {
        0
    }

    /// The sites are updated with their code.
    fn update(&mut self, _: &mut Marker) {}
}

/// A code's place in the list.
#[derive(Default)]
pub struct Registered {
    registry: Cell<Option<&'static Registry>>,
    index: Cell<u32>,
}

/// A number for a source that no other has.
pub fn next_source_id() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Adds `code`, whose address is stable until it is dropped.
pub(crate) fn add(registry: &'static Registry, code: &Code) {
    // SAFETY: the list is used under the global lock, by one function of this file at a time.
    let list = unsafe { &mut *registry.list.get() };
    code.registered.registry.set(Some(registry));
    code.registered.index.set(list.len() as u32);
    list.push(code);
}

/// Empties the caches of all code that contain a shape for which `gone` is true, and calls `held` with all shapes that
/// machine code compares. Registered with the shape table, with the list as data.
///
/// # Safety
/// `list` is the list of all code.
pub unsafe fn forget_shapes(list: *mut (), gone: &dyn Fn(u32) -> bool, held: &mut dyn FnMut(u32)) {
    // SAFETY: by this function's contract; the list lives as long as the process.
    let codes = unsafe { &*list.cast_const().cast::<Registry>() };
    codes.each(&mut |code| {
        code.calls.iter().for_each(|site| site.forget_shapes(gone));
        code.ivars.iter().for_each(|site| site.forget_shapes(gone));
        code.tier.each_compared_shape(held);
    });
}

/// Drops compiled code that relies on a lookup or a constant that has changed. Registered with the world, with the list
/// as data.
///
/// # Safety
/// `list` is the list of all code.
pub unsafe fn leave_unreliable(list: *mut ()) {
    // SAFETY: by this function's contract; the list lives as long as the process.
    let codes = unsafe { &*list.cast_const().cast::<Registry>() };
    codes.each(&mut |code| {
        code.tier.leave_if_unreliable();
    });
}

impl Registry {
    /// The number of linked code objects.
    pub fn count(&self) -> usize {
        // SAFETY: the list is used under the global lock, by one function of this file at a time.
        unsafe { (*self.list.get()).len() }
    }

    /// Calls `f` with all code; `f` allocates nothing in the collected heap, so that nothing is dropped meanwhile.
    pub fn each(&self, f: &mut dyn FnMut(&Code)) {
        // SAFETY: the list is used under the global lock, by one function of this file at a time; entries are taken out
        // before their code is dropped.
        unsafe {
            let list = &*self.list.get();
            for code in list {
                f(&**code);
            }
        }
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(registry) = self.registered.registry.get() {
            // SAFETY: the list is used under the global lock, by one function of this file at a time; the sweep drops
            // code under that lock.
            unsafe {
                let list = &mut *registry.list.get();
                let index = self.registered.index.get() as usize;
                list.swap_remove(index);
                if let Some(moved) = list.get(index) {
                    (**moved).registered.index.set(index as u32);
                }
            }
        }
    }
}
