//! Work without Ruby that a fiber scheduler may have done in another thread: the hook `blocking_operation_wait`.

use std::sync::{Arc, Mutex, PoisonError};

use abi::Value;
use object::native::{self, NativeData};

use super::{blocking, scheduler};
use crate::{Cx, R, Root};

const HOOK: &str = "blocking_operation_wait";

/// What the hook gets: it has a method `call`, which does the work.
#[derive(heap::Trace)]
pub struct Operation {
    #[trace(skip)]
    work: Option<Box<dyn FnOnce()>>,
    is_begun: bool,
}

impl NativeData for Operation {
    object::one_vtable!(Operation);

    fn memsize(&self) -> usize {
        0
    }
}

/// The scheduler with the hook that the running fiber waits by, if there is one.
fn waiting_scheduler(cx: &mut Cx) -> R<Option<Value>> {
    let Some(scheduler) = scheduler::current(cx) else { return Ok(None) };
    Ok(scheduler::has(cx, scheduler, HOOK)?.then_some(scheduler))
}

/// Whether [`run`] would call the hook.
pub fn is_wanted(cx: &mut Cx) -> R<bool> {
    Ok(waiting_scheduler(cx)?.is_some())
}

/// Does the work without the global lock: it must not access Ruby objects. A scheduler with the hook may have it done
/// by another thread; if that thread does not, this one does.
///
/// # Errors
/// Those of the hook. RuntimeError if the hook returns while the work is being done; its result is lost then.
pub fn run<T: 'static>(cx: &mut Cx, work: impl FnOnce() -> T + 'static) -> R<T> {
    let Some(scheduler) = waiting_scheduler(cx)? else { return Ok(blocking(cx, work)) };
    // The work owns all it needs, because the hook may leave it to a thread and raise.
    let result = Arc::new(Mutex::new(None));
    let place = Arc::clone(&result);
    let work = Box::new(move || {
        let made = work();
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(made);
    });
    let class = cx.root(Root::BlockingOperation);
    let operation = native::new(cx, class, Box::new(Operation { work: Some(work), is_begun: false }));
    let outcome = scheduler::send(cx, scheduler, HOOK, &[operation]);
    // From now on, `call` does nothing.
    let left = take(cx, operation);
    outcome?;
    if let Some(work) = left {
        blocking(cx, work);
    }
    let made = result.lock().unwrap_or_else(PoisonError::into_inner).take();
    made.ok_or_else(|| cx.runtime_error("Blocking operation has not been completed!"))
}

/// `call → nil`: of the operation.
///
/// # Errors
/// RuntimeError for the second call, and after the hook has returned.
pub fn call(cx: &mut Cx, operation: Value) -> R<()> {
    let own = native::get_mut::<Operation>(cx, operation);
    let was_begun = own.is_none_or(|own| std::mem::replace(&mut own.is_begun, true));
    if was_begun {
        return Err(cx.runtime_error("Blocking operation has already been executed!"));
    }
    let Some(work) = take(cx, operation) else {
        return Err(cx.runtime_error("Blocking operation has no function to execute!"));
    };
    blocking(cx, work);
    Ok(())
}

fn take(cx: &mut Cx, operation: Value) -> Option<Box<dyn FnOnce()>> {
    native::get_mut::<Operation>(cx, operation)?.work.take()
}
