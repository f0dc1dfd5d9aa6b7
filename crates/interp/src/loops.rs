//! Intrinsics that core methods written in Ruby run for each element, without leaving the dispatch loop.

use abi::Value;
use bytecode::Intrinsic;
use runtime::{
    Cx, R,
    intrinsics::{self, Outcome},
};

macro_rules! dispatch {
    ($(
        $(#[$doc:meta])+
        $name:ident $module:ident::$function:ident $parameters:tt $effects:tt $(in $place:ident)?;
    )*) => {
        /// Runs an intrinsic. Those that the table marks `in loop` are inlined in the caller.
        ///
        /// # Safety
        /// `arguments` points to as many values as the intrinsic takes.
        #[inline(always)]
        pub unsafe fn run(cx: &mut Cx, which: Intrinsic, arguments: *const Value) -> R {
            match which {
                $($(in_place!($place $name) => {
                    // SAFETY: by this function's contract as many values are there.
                    let arguments = unsafe { intrinsics::read_each::<{ Intrinsic::$name.arguments() }>(arguments) };
                    intrinsics::$module::$function(cx, arguments).result()
                })?)*
                // SAFETY: this function's own contract.
                other => unsafe { intrinsics::run(cx, other, arguments) },
            }
        }
    };
}

macro_rules! in_place {
    (loop $name:ident) => {
        Intrinsic::$name
    };
}

bytecode::for_each_intrinsic!(dispatch);
