//! The notification of the compiler when its assumptions become invalid. Compiled code relies on lookups of methods and
//! on constants without testing them at run time. Everything that it relies on is marked; a change of something marked
//! notifies the compiler.

/// The function to call; the compiler is above this crate.
#[derive(Default)]
pub struct Reliance {
    notify: Option<Notify>,
}

type Notify = (unsafe fn(*mut ()), *mut ());

impl Reliance {
    /// `notify` is called, with `data`, when something that compiled code relies on has changed.
    ///
    /// # Safety
    /// `notify` may be called with `data` from now on.
    pub unsafe fn set(&mut self, notify: unsafe fn(*mut ()), data: *mut ()) {
        self.notify = Some((notify, data));
    }

    /// Notifies the compiler that something that compiled code relies on has changed.
    pub(super) fn notify(&self) {
        if let Some((notify, data)) = self.notify {
            // SAFETY: `set` took both.
            unsafe { notify(data) };
        }
    }
}
