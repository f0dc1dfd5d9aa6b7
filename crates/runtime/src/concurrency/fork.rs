//! Forking the process with the VM in it.

use abi::Value;
use host::process::Fork;

use crate::{Cx, concurrency::thread};

/// Makes a copy of the process, in which only the calling thread goes on.
pub fn fork(cx: &mut Cx) -> host::Result<Fork> {
    // SAFETY: this thread holds the global lock, which is the one that guards the heap and the VM; the child takes it over.
    let outcome = unsafe { host::process::fork() }?;
    if outcome == Fork::Child {
        let vm = cx.vm();
        vm.heap.after_fork(cx.mem());
        vm.lock.after_fork(cx);
        let main = cx.thread;
        if !main.is_nil() {
            cx.set_root("main thread", main);
            thread::state(cx, main).native = Some(host::thread::id());
        }
        cx.set_root("$?", Value::NIL);
    }
    Ok(outcome)
}
