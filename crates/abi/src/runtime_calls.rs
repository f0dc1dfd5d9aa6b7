//! The list of runtime calls: all functions of the runtime that compiled code calls, with C's calling convention.
//!
//! The crate `jit` has a function for each row. The compiler reads here what effects a call may have.

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

            /// The number of words that it takes, including the context.
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
    /// `(cx, registers, word, bits)`: executes the instruction at the word, whose bits are given, including the call
    /// behind an operator. The result is in its register and in the outcome. `pc` is set.
    Instruction(4) RUNS_RUBY;
    /// `(cx, number, arguments)`: runs an intrinsic and returns its result. `pc` is set.
    Intrinsic(3) RUNS_RUBY;
    /// `(cx, number, arguments)`: runs an intrinsic that runs no Ruby code; undef too if it raises, without any effect.
    QuickIntrinsic(3) ALLOCATES;
    /// `(cx, registers, site, window, destination)`: a call of positional arguments; `pc` is set. If a frame must run,
    /// it is pushed, and compiled code runs it (`How::Pushed`).
    Call(5) RUNS_RUBY;
    /// `(cx, registers, site, window, destination)`: a `yield` of positional arguments; `pc` is set and a frame is
    /// pushed as for `Call`.
    Yield(5) RUNS_RUBY;
    /// `(cx, registers, site, bits)`: executes a call instruction of any kind, whose bits are given; `pc` is set and a
    /// frame is pushed as for `Call`.
    AnyCall(4) RUNS_RUBY;
    /// `(cx)`: handles signals, finalizers and thread switches.
    Safepoint(1) RUNS_RUBY;
    /// `(cx, frame, inlined, first, pc)`: pushes the frames of inlined bodies from number `first` on, above the frame
    /// of the compiled code.
    PushInlinedFrames(5) ALLOCATES;
    /// `(frame)`: writes a frame and the frames above it, as far as they are open.
    WriteOpenFrames(1) WRITES;
    /// `(cx, value, how, frame)`: continues a call after the callee's compiled code returned another outcome than a
    /// result. If the callee exited or is unwinding, runs its frame and the frames above it in the interpreter.
    FinishFrame(4) RUNS_RUBY;
    /// `(cx, frame)`: ends the `break` in progress if it leaves a block that the frame passed, and pops the frames
    /// above that one; returns the value, else undef.
    EndBreak(2) ALLOCATES;
    /// `(cx, window, entry, row, count)`: calls a native method with positional arguments; `pc` is set. Of the
    /// count, bits 32 to 47 stand for the words of the window, and are set for those that are lent; the bits above are
    /// the number of open frames.
    Native(5) RUNS_RUBY;
    /// `(cx, window, row, count)`: calls a native method that needs no frame; undef if it raises, without any effect.
    Frameless(4) ALLOCATES;
    /// `(cx, type, shape)`: allocates an object without instance variables.
    NewObject(3) ALLOCATES_OR_RAISES;
    /// `(cx, shape, size)`: a new empty Array of a shape; its cell has room for `size` elements if that is a small
    /// Integer.
    EmptyArray(3) ALLOCATES_OR_RAISES;
    /// `(cx, shape, size, value)`: a new Array of a shape with a value so many times; undef if the size is not a small
    /// Integer, or if there is no memory.
    FilledArray(4) ALLOCATES;
    /// `(cx, values, count)`: a new Array of words of the VM stack or of another Array; `pc` is set.
    NewArray(3) ALLOCATES_OR_RAISES;
    /// `(cx, values, count, list)`: a new Array of words of the VM stack and the elements of an Array; `pc` is set.
    JoinedArray(4) ALLOCATES_OR_RAISES;
    /// `(cx, literal)`: a new String for a literal that is an argument; `pc` is set.
    OwnString(2) ALLOCATES_OR_RAISES;
    /// `(cx, class)`: allocates an instance of a core class that has an `allocate` of its own.
    Allocate(2) RUNS_RUBY;
    /// `(cx, opcode, a, b)`: the result of an operator on basic types; undef if the method must be called.
    Operate(4) ALLOCATES;
    /// `(cx, a, b)`: whether two values of basic types are equal; undef if `==` must be called.
    Equal(3) READS;
    /// `(cx, module, value)`: whether the value is an instance of the module.
    IsInstance(3) READS;
    /// `(cx, code, literal, value)`: the word that a `case` of literals jumps to for the value; all bits set if its
    /// clauses must be tested.
    JumpTable(4) READS;
    /// `(cx, literal, flags)`: a new String for a literal; undef if there is no memory.
    NewString(3) ALLOCATES;
    /// `(cx, values, count)`: a new Array of words of the VM stack; undef if there is no memory.
    Collect(3) ALLOCATES;
    /// `(cx, list, at, count)`: a new Array of elements of another one; undef if there is no memory.
    Slice(4) ALLOCATES;
    /// `(cx, pairs, count)`: a new Hash of words of the VM stack, whose keys are immediates; undef if there is no
    /// memory.
    NewHash(3) ALLOCATES;
    /// `(cx, site, values, which)`: a new Hash of the keywords of a site whose bits are set in `which`; undef if there
    /// is no memory.
    KeywordHash(4) ALLOCATES;
    /// `(cx, values, count)`: the Strings among words of the VM stack joined; undef if that raises.
    Concatenate(3) ALLOCATES;
    /// `(cx, receiver, key)`: `receiver[key]` of an Array or Hash; undef if the method must be called.
    Index(3) ALLOCATES;
    /// `(cx, receiver, key, value)`: `receiver[key] = value` of an Array or Hash; undef if the method must be called.
    IndexSet(4) ALLOCATES;
    /// `(cx, receiver, key, guess)`: as `Index`, at a place whose key is always the same.
    IndexNear(4) ALLOCATES;
    /// `(cx, receiver, key, value, guess)`: as `IndexSet`, at a place whose key is always the same.
    IndexSetNear(5) ALLOCATES;
    /// `(cx, hash, key)`: whether a Hash has the key; undef if `hash` or `eql?` must be called.
    HasKey(3) ALLOCATES;
    /// `(cx, hash, key, guess)`: the value of a Hash's key, which is often the same at this place; undef if there is
    /// none, or if `hash` or `eql?` must be called.
    Fetch(4) ALLOCATES;
    /// `(cx, list, value)`: appends to a direct instance of Array, which is the result; undef if the list is none, or
    /// frozen, or if there is no memory.
    Push(3) ALLOCATES;
    /// `(cx, scope, slot, value)`: sets a variable of a scope, with the barrier if it moved to the heap.
    SetSlot(4) ALLOCATES;
    /// `(cx, site, object)`: the value of an instance variable, found by the object's shape; undef if the shape does
    /// not determine it.
    GetIvar(3) READS;
    /// `(cx, site, object, value)`: sets the instance variable, found by the object's shape; undef if the shape does
    /// not determine it.
    SetIvar(4) ALLOCATES;
    /// `(cx, site, scope)`: the constant that the site has cached for the scope; undef if it must be looked up.
    Constant(3) READS;
    /// `(cx, bits)`: the Float with the bits of this double.
    NewFloat(2) ALLOCATES;
    /// `(cx, header, words)`: a new cell with so many words behind its header, which the caller fills before anything
    /// else happens.
    NewCell(3) ALLOCATES;
    /// `(cx)`: closes the environment of the running frame, which is about to be popped.
    CloseEnvironment(1) ALLOCATES;
}
