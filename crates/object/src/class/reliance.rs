//! Compiled code relies on lookups of methods and on constants without testing at run time whether they still hold.
//! What it relies on is marked; when something marked changes, the compiler's part of the runtime is told.

/// Whom to tell; the compiler is above this crate.
#[derive(Default)]
pub struct Reliance {
    told: Option<Told>,
}

type Told = (unsafe fn(*mut ()), *mut ());

impl Reliance {
    /// `told` is called, with `data`, when something that compiled code relies on has changed.
    ///
    /// # Safety
    /// `told` may be called with `data` from now on.
    pub unsafe fn set(&mut self, told: unsafe fn(*mut ()), data: *mut ()) {
        self.told = Some((told, data));
    }

    /// Something that compiled code relies on has changed.
    pub(super) fn broken(&self) {
        if let Some((told, data)) = self.told {
            // SAFETY: `set` took both.
            unsafe { told(data) };
        }
    }
}
