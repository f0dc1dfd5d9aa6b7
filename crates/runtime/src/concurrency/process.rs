//! Forking the process.

use host::process::Fork;

use crate::{Cx, R};

/// Makes a copy of the process with this thread alone: the child's id in the parent, `None` in the child.
pub fn fork(cx: &mut Cx) -> R<Option<i32>> {
    // SAFETY: this thread holds the global lock, the only one that the child's Ruby code waits for; it is set up anew below.
    match unsafe { host::process::fork() } {
        Ok(Fork::Parent { child }) => Ok(Some(child)),
        Ok(Fork::Child) => {
            cx.vm().heap.after_fork(cx);
            let own: *mut Cx = cx;
            cx.vm_mut().contexts.retain(|c| *c == own);
            cx.vm().lock.after_fork(own);
            let thread = cx.thread;
            super::thread::state(cx, thread).native = Some(host::thread::id());
            Ok(None)
        }
        Err(errno) => Err(cx.system_error(errno, "fork(2)")),
    }
}
