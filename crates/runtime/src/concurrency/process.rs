//! Forking the process.

use abi::Value;
use host::process::Fork;
use object::array::Arr;

use super::{fiber, signals, thread, waker};
use crate::{Cx, R, make, sampling, state::lock::GlobalLock};

/// Forks the process; only this thread exists in the child. Returns the child's id in the parent, `None` in the child.
pub fn fork(cx: &mut Cx) -> R<Option<i32>> {
    let (slots, targets) = (sampling::before_fork(), waker::before_fork());
    // SAFETY: this thread holds the locks for which the child waits: these two and the global lock, which is recreated
    // below.
    let forked = unsafe { host::process::fork() };
    drop(slots);
    match forked {
        Ok(Fork::Parent { child }) => {
            cx.vm_mut().children += 1;
            Ok(Some(child))
        }
        Ok(Fork::Child) => {
            be_alone(cx, targets);
            Ok(None)
        }
        Err(errno) => Err(cx.system_error(errno, "fork(2)")),
    }
}

/// The other threads no longer exist: this one becomes the main thread.
fn be_alone(cx: &mut Cx, targets: waker::Targets) {
    cx.native_thread = host::thread::id();
    sampling::abandon_in_child(cx);
    cx.vm().heap.after_fork(cx);
    let own: *mut Cx = cx;
    let lock = GlobalLock::held_by(&cx.attention);
    let vm = cx.vm_mut();
    vm.contexts.retain(|c| *c == own);
    // The former ones are not dropped: other threads may have been changing them.
    std::mem::forget(std::mem::replace(&mut vm.lock, lock));
    std::mem::forget(std::mem::take(&mut vm.parking));
    vm.forks += 1;
    vm.children = 0;
    vm.main_context = own as usize;
    waker::after_fork(targets);
    signals::listen(cx);
    let this = cx.thread;
    let threads = cx.root(crate::Root::Threads);
    if !threads.is_nil() {
        for other in Arr::of(threads).iter().filter(|t| *t != this) {
            let state = thread::state(cx, other);
            state.status = thread::ThreadStatus::Dead;
            state.context = 0;
            state.native = None;
            state.value = Value::NIL;
        }
        let left = make::array(cx, &[this]);
        cx.set_root(crate::Root::Threads, left);
    }
    cx.set_root(crate::Root::MainThread, this);
    fiber::after_fork(cx);
    // The schedulers are the parent's, with which they share their files.
    if !this.is_nil() {
        thread::state(cx, this).scheduler = Value::NIL;
    }
    cx.set_root(crate::Root::WaitingFibers, Value::NIL);
    // Parent and child must not generate the same numbers: the next use creates a generator with a new seed.
    cx.vm_mut().default_random = Value::NIL;
    super::ractor::forget_others(cx);
    thread::state(cx, this).native = Some(host::thread::id());
}
