//! The functions of [`bytecode::Intrinsic`]: rare operations that bytecode calls by number, one function per row of its
//! table.

pub mod arrays;
pub mod blocks;
mod conversions;
mod defined;
mod definitions;
pub mod folds;
pub mod hashes;
mod objects;
mod patterns;
mod rows;
mod sorting;
pub mod values;
mod variables;

use abi::{Effects, Scope, Value};
use bytecode::Intrinsic;
use object::{Known, class, method_entry};

use crate::{Cx, R, sym};

pub use definitions::target_of_definition as definition_target;
pub use definitions::{
    alias_method, behind_module, check_inheritable, has_no_singleton, is_always_private, module_for_definitions,
    singleton_class_of, undefine_method, undefined_method,
};
pub use objects::enumerator;

/// The result type of an intrinsic's function. Only one that may raise returns an [`R`].
pub trait Outcome {
    const MAY_RAISE: bool;
    fn result(self) -> R;
}

impl Outcome for Value {
    const MAY_RAISE: bool = false;
    #[inline(always)]
    fn result(self) -> R {
        Ok(self)
    }
}

impl Outcome for bool {
    const MAY_RAISE: bool = false;
    #[inline(always)]
    fn result(self) -> R {
        Ok(Value::bool(self))
    }
}

/// Nil.
impl Outcome for () {
    const MAY_RAISE: bool = false;
    #[inline(always)]
    fn result(self) -> R {
        Ok(Value::NIL)
    }
}

impl<T: Outcome> Outcome for R<T> {
    const MAY_RAISE: bool = true;
    #[inline(always)]
    fn result(self) -> R {
        self.and_then(T::result)
    }
}

const fn may_raise<const N: usize, T: Outcome>(_: fn(&mut Cx, [Value; N]) -> T) -> bool {
    T::MAY_RAISE
}

/// Reads values one by one. They have just been stored one by one, and a load of two values at once would have to wait
/// until both stores have reached the cache.
///
/// # Safety
/// `N` values are there.
#[inline(always)]
pub unsafe fn read_each<const N: usize>(from: *const Value) -> [Value; N] {
    let mut values = [Value::NIL; N];
    for (i, v) in values.iter_mut().enumerate() {
        // SAFETY: this function's contract. Volatile, because the compiler would otherwise combine the loads.
        *v = unsafe { from.add(i).read_volatile() };
    }
    values
}

macro_rules! dispatch {
    ($(
        $(#[$doc:meta])+
        $name:ident $module:ident::$function:ident $parameters:tt $effects:tt $(in $place:ident)?;
    )*) => {
        /// Runs an intrinsic.
        ///
        /// # Safety
        /// `arguments` points to as many values as the intrinsic takes.
        pub unsafe fn run(cx: &mut Cx, which: Intrinsic, arguments: *const Value) -> R {
            match which {
                $(Intrinsic::$name => {
                    // SAFETY: by this function's contract as many values are there.
                    let arguments = unsafe { read_each::<{ Intrinsic::$name.arguments() }>(arguments) };
                    $module::$function(cx, arguments).result()
                })*
            }
        }

        $(const _: () = assert!(
            may_raise($module::$function) == Intrinsic::$name.effects().includes(Effects::RAISES),
            concat!("the table says otherwise whether it raises: ", stringify!($name))
        );)*
    };
}

bytecode::for_each_intrinsic!(dispatch);

/// The scope `depth` levels out of the running frame.
#[inline(always)]
pub fn scope_at(cx: &Cx, depth: usize) -> &Scope {
    // SAFETY: the compiler counts scopes; those of the running frame are alive as long as it runs.
    unsafe { &*Scope::out(&raw const cx.frame().scope, depth) }
}

/// Whether the object's `each` is the method of this class, neither overridden nor redefined.
fn has_each_of_class(cx: &mut Cx, v: Value, known: Known) -> bool {
    let (of, owner) = (class::class_of(cx, v), cx.class(known));
    let entry = class::lookup::find_method(cx, of, sym::EACH);
    !entry.is_undef() && method_entry::owner(entry) == owner && crate::core_methods::is_core(entry)
}
