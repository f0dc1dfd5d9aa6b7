//! Typed handles: a value together with the proof that its cell is of one type.
//!
//! There are three ways to get a handle. `from_value` tests the value's type. `of` is for values whose type was
//! established elsewhere (a receiver, an argument that was converted, an element of a list that only native code
//! fills): it tests too, and a wrong type is a panic, which the boundary of native methods turns into an exception.
//! `new_unchecked` is unsafe: for the crates that own memory, where the type has just been tested. The field is
//! private:
//!
//! ```compile_fail,E0423
//! let lie = object::string::Str(abi::Value::NIL);
//! ```
//! ```compile_fail,E0616
//! fn inside(handle: object::array::Arr) -> abi::Value {
//!     handle.0
//! }
//! ```

/// Declares a handle type and its constructors: its name, the test that a value must pass, and its description for the
/// panic.
macro_rules! handle {
    ($(#[$attribute:meta])* $name:ident, $test:expr, $article:literal) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(transparent)]
        pub struct $name(Value);

        impl $name {
            #[doc = concat!("`v`, if it is ", $article, ".")]
            #[inline(always)]
            pub fn from_value(v: Value) -> Option<$name> {
                if $test(v) { Some($name(v)) } else { None }
            }

            #[doc = concat!("`v`, whose type was established before. Panics if it is not ", $article, " after all.")]
            #[inline(always)]
            #[track_caller]
            pub fn of(v: Value) -> $name {
                if $test(v) { $name(v) } else { crate::handle::wrong_type($article) }
            }

            /// Wraps `v` without a test.
            ///
            /// # Safety
            #[doc = concat!("`v` is ", $article, ".")]
            #[inline(always)]
            pub unsafe fn new_unchecked(v: Value) -> $name {
                debug_assert!($test(v), "{v:?} is not {}", $article);
                $name(v)
            }

            #[inline(always)]
            pub const fn value(self) -> Value {
                self.0
            }

        }

        impl heap::Trace for $name {
            /// Visits the value for the collector, which may move the object.
            #[inline]
            fn trace(&mut self, marker: &mut heap::Marker) {
                heap::Trace::trace(&mut self.0, marker);
            }
        }
    };
}
pub(crate) use handle;

/// The panic of `of`.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn wrong_type(article: &str) -> ! {
    panic!("a value that was taken for {article} is of another type")
}
