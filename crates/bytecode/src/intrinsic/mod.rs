//! Rare operations of the language, and the primitives of the Ruby half of core classes: functions on a window of
//! registers.
//!
//! [`for_each_intrinsic!`](crate::for_each_intrinsic) is their one table; the runtime makes the calls of their
//! functions from it.

mod table;

use abi::Effects;

/// Counts a row's parameters, which gives the number of arguments.
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

            /// What it may do besides giving its result.
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
