//! Rare operations of the language, and primitives of the Ruby half of core classes: functions on consecutive
//! registers.
//!
//! [`for_each_intrinsic!`](crate::for_each_intrinsic) is the table of all of them; the runtime generates the calls of
//! their functions from it.

mod table;

use abi::Effects;

/// Counts a row's parameters.
macro_rules! one {
    ($parameter:ident) => {
        1
    };
}

macro_rules! effect {
    (reads) => {
        Effects::READS
    };
    (writes) => {
        Effects::WRITES
    };
    (allocates) => {
        Effects::ALLOCATES
    };
    (raises) => {
        Effects::RAISES
    };
    (ruby) => {
        Effects::RUNS_RUBY
    };
}

macro_rules! define {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $module:ident::$function:ident($($parameter:ident),*) [$($effect:ident)*] $(in $place:ident)?;
    )*) => {
        /// Arguments are consecutive registers from the instruction's `b`; the result goes to `a`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u16)]
        pub enum Intrinsic { $( $(#[doc = $doc])+ $name ),* }

        impl Intrinsic {
            pub const ALL: &'static [Intrinsic] = &[$(Intrinsic::$name),*];

            pub const fn name(self) -> &'static str {
                match self { $(Intrinsic::$name => stringify!($name)),* }
            }

            #[inline]
            pub const fn arguments(self) -> usize {
                const ARGUMENTS: &[u8] = &[$(0 $(+ one!($parameter))*),*];
                ARGUMENTS[self as usize] as usize
            }

            /// The side effects of the intrinsic.
            #[inline]
            pub const fn effects(self) -> Effects {
                const EFFECTS: &[Effects] = &[$(Effects::NONE $(.with(effect!($effect)))*),*];
                EFFECTS[self as usize]
            }

            #[inline]
            pub fn from_u16(n: u16) -> Intrinsic {
                Self::ALL[n as usize]
            }
        }
    };
}

crate::for_each_intrinsic!(define);
