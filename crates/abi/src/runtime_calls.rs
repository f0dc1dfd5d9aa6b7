//! The list of runtime calls: everything of the runtime that compiled code calls, by C's calling convention.
//!
//! The crate `jit` has a function for each row, and the compiler knows from here what a call may do.

use crate::Effects;

macro_rules! runtime_calls {
    ($( $(#[doc = $about:literal])+ $name:ident($parameters:literal) $effects:ident; )*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum RuntimeCall { $( $(#[doc = $about])+ $name, )* }

        impl RuntimeCall {
            pub const ALL: &'static [RuntimeCall] = &[$(RuntimeCall::$name,)*];

            pub const fn name(self) -> &'static str {
                match self { $(RuntimeCall::$name => stringify!($name),)* }
            }

            /// Words that it takes, the context among them.
            pub const fn parameters(self) -> usize {
                match self { $(RuntimeCall::$name => $parameters,)* }
            }

            pub const fn effects(self) -> Effects {
                match self { $(RuntimeCall::$name => Effects::$effects,)* }
            }
        }
    };
}

runtime_calls! {
    /// `(cx, registers, word, bits)`: does what the instruction at the word says, whose bits are given, including the
    /// call behind an operator. Its result is in its register and in the outcome. `pc` is set.
    Instruction(4) RUNS_RUBY;
    /// `(cx, number, arguments)`: an intrinsic; gives its result. `pc` is set.
    Intrinsic(3) RUNS_RUBY;
    /// `(cx, registers, site, window, destination)`: a call of positional arguments; `pc` is set.
    Call(5) RUNS_RUBY;
    /// `(cx, registers, site, window, destination)`: a `yield` of positional arguments; `pc` is set.
    Yield(5) RUNS_RUBY;
    /// `(cx, registers, word)`: the call instruction at the word, whatever it is; `pc` is set.
    AnyCall(3) RUNS_RUBY;
    /// `(cx, registers, word)`: runs the frame that was just pushed, which has no compiled code, until it is left.
    RunFrame(3) RUNS_RUBY;
    /// `(cx)`: handles signals, finalizers and thread switches.
    Safepoint(1) RUNS_RUBY;
    /// `(cx, frame, exit)`: the compiled code of the frame cannot go on: makes the frames of inlined bodies, and their
    /// `pc`s what the interpreter needs.
    Exit(3) ALLOCATES;
    /// `(cx, frame, inlined, first, pc)`: makes the frames of inlined bodies from a number on, above the compiled
    /// code's.
    Raise(5) ALLOCATES;
    /// `(cx, value, how, frame)`: how a call goes on whose callee's compiled code gave something other than a result:
    /// runs the frame that was pushed for it, and those above, in the interpreter if they were given back.
    Settle(4) RUNS_RUBY;
    /// `(cx, window, entry, row, count)`: a native method on positional arguments; `pc` is set.
    Native(5) RUNS_RUBY;
    /// `(cx, type, shape)`: an object without instance variables.
    NewObject(3) ALLOCATES_OR_RAISES;
    /// `(cx, class)`: an instance of a core class that has an `allocate` of its own.
    Allocate(2) RUNS_RUBY;
    /// `(cx, container, value)`: the write barrier of a store of a reference into a cell.
    Barrier(3) ALLOCATES;
    /// `(cx, opcode, a, b)`: what the operator gives for basic types; undef where the call must be made.
    Operate(4) ALLOCATES;
    /// `(cx, a, b)`: are two values of basic types equal? Undef where the call must be made.
    Equal(3) READS;
    /// `(cx, code, literal, value)`: the word where a `case` of literals goes with the value; all bits set where its
    /// tests decide.
    JumpTable(4) READS;
    /// `(cx, receiver, key)`: `receiver[key]` of an Array or Hash; undef where the call must be made.
    Index(3) ALLOCATES;
    /// `(cx, receiver, key, value)`: `receiver[key] = value` of an Array or Hash; undef where the call must be made.
    IndexSet(4) ALLOCATES;
    /// `(cx, site, object, value)`: sets the object's variable whose place the site knows; undef for others.
    SetIvar(4) ALLOCATES;
    /// `(cx, site, scope)`: the constant that the site has found in the scope; undef where it must be looked up.
    Constant(3) READS;
    /// `(cx, bits)`: a Float of the double with these bits.
    NewFloat(2) ALLOCATES;
    /// `(cx)`: closes the environment of the running frame, which is about to be left.
    CloseEnvironment(1) ALLOCATES;
}
