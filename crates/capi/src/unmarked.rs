//! `--verify-heap`: references to dead objects in the structures of `TypedData` objects, whose `dmark` does not mark
//! them.
//!
//! The size of a structure is known if this interface allocated it. Each aligned word of it that is the address of a
//! dead object's cell is reported, once for each type and place.

use std::collections::{HashMap, HashSet};
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use object::native;
use runtime::Cx;

use crate::{data::CData, given};

/// Whether sizes are recorded.
static ACTIVE: AtomicBool = AtomicBool::new(false);

/// The sizes of blocks that extensions allocated, by address.
static SIZES: LazyLock<Mutex<HashMap<usize, usize>>> = LazyLock::new(Mutex::default);

/// Types and offsets that were reported.
static REPORTED: LazyLock<Mutex<HashSet<(usize, usize)>>> = LazyLock::new(Mutex::default);

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// To be called before the first extension is loaded.
pub fn set_up(cx: &Cx) {
    ACTIVE.store(cx.vm().heap.verifies(), Ordering::Relaxed);
}

pub fn is_active() -> bool {
    ACTIVE.load(Ordering::Relaxed)
}

/// A block was allocated, or moved to another address.
#[inline]
pub fn allocated(memory: *mut c_void, size: usize) {
    if is_active() {
        record(memory, size);
    }
}

#[cold]
fn record(memory: *mut c_void, size: usize) {
    locked(&SIZES).insert(memory as usize, size);
}

/// A block is about to be freed.
#[inline]
pub fn freed(memory: *mut c_void) {
    if is_active() {
        forget(memory);
    }
}

#[cold]
fn forget(memory: *mut c_void) {
    locked(&SIZES).remove(&(memory as usize));
}

/// Reports words that refer to dead objects. To be called at the end of a collection.
pub fn report(cx: &mut Cx) {
    let mut index = 0;
    while let Some(v) = cx.native(index) {
        index += 1;
        if !cx.is_alive(v) {
            continue;
        }
        let Some(data) = native::get::<CData>(&v) else { continue };
        let start = data.structure();
        let size = data.embedded_size().or_else(|| locked(&SIZES).get(&(start as usize)).copied());
        let words = given::slice(size.unwrap_or(0) / 8, start.cast_const().cast::<u64>());
        for (place, word) in words.iter().enumerate() {
            let key = (data.type_address(), place * 8);
            if cx.is_dead_object(*word as usize) && locked(&REPORTED).insert(key) {
                let name = data.type_name();
                let at = key.1;
                let fault = format!("the structure of a {name} refers to a dead object at byte {at}");
                host::tell_line!("[--verify-heap] {fault}: its dmark does not mark it");
            }
        }
    }
}
