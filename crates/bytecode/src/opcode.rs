//! The table of opcodes: family, name, operands and meaning. The encoder, the disassembler and the interpreter's
//! dispatch are generated from it.
//!
//! Notation: `Rx` is a register of the frame, `K` a literal, `S` a call site. An instruction that may run Ruby does so
//! at most once, as its last action, with its result in the register it names.
//!
//! Fast operations (`Add` … `IndexSet`) are followed by a word [`Opcode::Extension`] with `a` = first register of the
//! call window and `bc` = call site, used when the operands are not of the basic types or the method was redefined: the
//! operands are copied to `R[window], R[window+1] …` and an ordinary call stores its result in the operation's
//! destination. A fused compare-and-jump is followed by the extension and then by a `JumpIf`/`JumpUnless` on the
//! window's first register: the fast path skips both, the slow path makes the call with its result in `R[window]` and
//! continues at that jump.

/// The meaning of the operands, for the disassembler and for checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    None,
    A,
    Ab,
    Abc,
    /// `a` a register, `bc` a literal.
    ALiteral,
    /// `a` a register, `bc` a signed integer.
    AInt,
    /// `bc` a distance from the next instruction.
    Jump,
    /// `a` a register, `bc` a distance from the next instruction.
    AJump,
    /// `a`, `b` registers, `c` a signed 16-bit distance from the next instruction (the extension).
    AbJump,
    /// `a`, `b` registers, `c` a signed 16-bit integer.
    AbInt,
    /// `a` a register, `b` a signed 16-bit integer, `c` a signed 16-bit distance.
    AIntJump,
    /// `a` destination, `b` window, `c` call site.
    Call,
    /// `a` a register, `b` a register, `c` a literal below 65,536.
    AbLiteral,
    /// `a` register, `b` depth, `c` slot of an outer scope.
    Outer,
    /// `a` a register, `bc` a child sequence.
    AChild,
    /// `a` destination, `b` first argument, `c` an intrinsic.
    Intrinsic,
    /// `bc` a counter of the source.
    Counter,
}

macro_rules! opcodes {
    ($(
        $(#[doc = $about:literal])+
        $family:ident { $( $(#[doc = $doc:literal])+ $name:ident $operands:ident $(+ $words:literal)? ;)* }
    )*) => {
        /// The category of an opcode, which profiles use to attribute the interpreter's time.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Family { $( $(#[doc = $about])+ $family ),* }

        impl Family {
            pub const fn name(self) -> &'static str {
                match self { $(Family::$family => stringify!($family)),* }
            }
        }

        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u16)]
        pub enum Opcode { $( $( $(#[doc = $doc])+ $name, )* )* }

        impl Opcode {
            pub const ALL: &'static [Opcode] = &[$($(Opcode::$name,)*)*];
            pub const COUNT: usize = Self::ALL.len();

            pub const fn name(self) -> &'static str {
                match self { $($(Opcode::$name => stringify!($name),)*)* }
            }

            pub const fn operands(self) -> Operands {
                match self { $($(Opcode::$name => Operands::$operands,)*)* }
            }

            /// Words that follow the instruction and belong to it.
            pub const fn following_words(self) -> usize {
                match self { $($(Opcode::$name => 0 $(+ $words)?,)*)* }
            }

            pub const fn family(self) -> Family {
                match self { $($(Opcode::$name => Family::$family,)*)* }
            }

            #[inline]
            pub fn from_u16(n: u16) -> Opcode {
                Self::ALL[n as usize]
            }
        }
    };
}

opcodes! {
    /// Moving values, and loading literals.
    Load {
        /// Does nothing; carries an event for a line without instructions.
        Nop None;
        /// Data of the instruction before it: `a` window, `bc` call site, or as that instruction says.
        Extension Abc;
        /// `Ra = Rb`
        Move Ab;
        /// `Ra = nil`
        LoadNil A;
        /// `Ra = true`
        LoadTrue A;
        /// `Ra = false`
        LoadFalse A;
        /// `Ra = bc`, a small integer.
        LoadInt AInt;
        /// `Ra = K`, the literal's own (immutable) object: numbers, symbols, frozen strings, literal regexps and
        /// ranges.
        LoadLiteral ALiteral;
        /// `Ra =` a new String sharing the bytes of the string literal `K`; chilled if the literal says so.
        NewString ALiteral;
        /// `Ra =` a copy of the array or hash literal `K`, all of whose parts are immutable literals.
        DuplicateLiteral ALiteral;
        /// `Ra = K.freeze` of a string literal: the interned string unless String#freeze is redefined. + Extension
        FreezeLiteral ALiteral + 1;
        /// `Ra = -K` of a string literal: the interned string unless String#-@ is redefined. + Extension
        DeduplicateLiteral ALiteral + 1;
    }

    /// Variables and constants.
    Variable {
        /// `Ra =` slot `c` of the scope `b` levels out (1 = the enclosing one).
        GetOuter Outer;
        /// slot `c` of the scope `b` levels out `= Ra`
        SetOuter Outer;
        /// `Ra = @name` of self; `bc` an instance-variable site.
        GetIvar AInt;
        /// `@name = Ra`
        SetIvar AInt;
        /// `Ra = $name`, `bc` a symbol literal.
        GetGlobal ALiteral;
        /// `$name = Ra`
        SetGlobal ALiteral;
        /// `Ra = @@name`, looked up from the lexical class; `bc` a constant site.
        GetClassVariable AInt;
        /// `@@name = Ra`
        SetClassVariable AInt;
        /// `Ra =` a constant looked up lexically then through ancestors; `bc` a constant site. May autoload or run
        /// const_missing.
        GetConstant AInt;
        /// `Ra = Rb::NAME`, `c` a constant site.
        GetConstantFrom Abc;
        /// `Rb::NAME = Ra`, `c` a symbol literal. (`Rb` = undef: the lexical class.)
        SetConstant AbLiteral;
        /// `Ra =` the &block parameter in slot `c`, `b` levels out (0 = here), made a Proc on its first read.
        GetBlockParameter Outer;
        /// `Ra =` the &block parameter, for use as a block argument only: creates no Proc. Operands as for
        /// GetBlockParameter.
        GetBlockParameterProxy Outer;
        /// `Ra =` the &block parameter as the receiver of `call`: undef if it is a literal block, which is yielded to
        /// without a Proc, unless Proc#call is redefined. Operands as for GetBlockParameter.
        GetBlockToCall Outer;
    }

    /// Making and filling strings, arrays, hashes, ranges.
    Collection {
        /// `Ra = Rb.to_s` unless `Rb` is a String or a small Integer (then `Rb`). + Extension. Followed by AnyToString.
        ToString Ab + 1;
        /// `Ra = Ra` if it is a String or the small Integer of ToString, otherwise the result of Kernel#to_s for `Rb`.
        AnyToString Ab;
        /// `Ra =` new String of the `c` strings and small Integers from `Rb` on.
        ConcatStrings Abc;
        /// `Ra =` the symbol named by String `Rb`.
        Intern Ab;
        /// `Ra =` Regexp of the string `Rb`, options `c`.
        NewRegexp Abc;
        /// `Ra = [Rb, …]`, `c` elements.
        NewArray Abc;
        /// `Ra << Rb`, where `Ra` is an array that the compiler created.
        ArrayPush Ab;
        /// `Ra.concat(Rb)`, both arrays.
        ArrayConcat Ab;
        /// `Ra =` the Array of `Rb` by to_a (nil → []); `c` = 1: always a new array.
        SplatToArray Abc;
        /// `Ra = {Rb => R(b+1), …}`, `c` registers (an even number).
        NewHash Abc;
        /// `Ra[Rb] = Rc` for a hash under construction.
        HashStore Abc;
        /// Merges hash `Rb` into the new hash `Ra`; TypeError unless it is a Hash.
        HashMerge Ab;
        /// `Ra =` the Hash of `Rb` by to_hash (nil → empty).
        ToHash Ab;
        /// `Ra = Rb..Rc`
        NewRange Abc;
        /// `Ra = Rb...Rc`
        NewRangeExclusive Abc;
        /// `Ra =` the Array of `Rb` by to_ary, else `[Rb]`, for multiple assignment.
        ToAry Ab;
        /// From array `Rb`: the first `c` elements into `Ra…`, nil for missing ones. The extension: `a` = 1 with a
        /// splat (its register follows, a new array), `b` = the number of registers after it. + Extension
        Expand Abc + 1;
    }

    /// Operators and predicates, with a fast path for the basic types; see the module's documentation.
    Operator {
        /// `Ra = Rb + Rc`
        Add Abc + 1;
        /// `Ra = Rb - Rc`
        Subtract Abc + 1;
        /// `Ra = Rb * Rc`
        Multiply Abc + 1;
        /// `Ra = Rb / Rc`
        Divide Abc + 1;
        /// `Ra = Rb % Rc`
        Modulo Abc + 1;
        /// `Ra = Rb & Rc`
        BitAnd Abc + 1;
        /// `Ra = Rb | Rc`
        BitOr Abc + 1;
        /// `Ra = Rb ^ Rc`
        BitXor Abc + 1;
        /// `Ra = Rb << Rc`
        ShiftLeft Abc + 1;
        /// `Ra = Rb << K`, `c` a string literal; methods that do not keep it receive the literal's own string.
        ShiftLeftLiteral AbLiteral + 1;
        /// `Ra = Rb >> Rc`
        ShiftRight Abc + 1;
        /// `Ra = Rb < Rc`
        Less Abc + 1;
        /// `Ra = Rb <= Rc`
        LessEqual Abc + 1;
        /// `Ra = Rb > Rc`
        Greater Abc + 1;
        /// `Ra = Rb >= Rc`
        GreaterEqual Abc + 1;
        /// `Ra = Rb == Rc`
        Equal Abc + 1;
        /// `Ra = Rb != Rc`
        NotEqual Abc + 1;
        /// `Ra = Rb <=> Rc`
        Compare Abc + 1;
        /// `Ra = Rb + c`, a small integer
        AddInt AbInt + 1;
        /// `Ra = Rb - c`
        SubtractInt AbInt + 1;
        /// `Ra = Rb * c`
        MultiplyInt AbInt + 1;
        /// `Ra = Rb % c`
        ModuloInt AbInt + 1;
        /// `Ra = Rb & c`
        BitAndInt AbInt + 1;
        /// `Ra = Rb << c`
        ShiftLeftInt AbInt + 1;
        /// `Ra = Rb >> c`
        ShiftRightInt AbInt + 1;
        /// `Ra = Rb < c`
        LessInt AbInt + 1;
        /// `Ra = Rb <= c`
        LessEqualInt AbInt + 1;
        /// `Ra = Rb > c`
        GreaterInt AbInt + 1;
        /// `Ra = Rb >= c`
        GreaterEqualInt AbInt + 1;
        /// `Ra = Rb == c`
        EqualInt AbInt + 1;
        /// `Ra = !Rb`
        Not Ab + 1;
        /// `Ra = -Rb`
        Negate Ab + 1;
        /// `Ra = Rb.nil?`
        IsNil Ab + 1;
        /// `Ra = Rb.empty?`
        IsEmpty Ab + 1;
        /// `Ra = Rb.length`
        Length Ab + 1;
        /// `Ra = Rb.size`
        Size Ab + 1;
        /// `Ra = Rb.succ`
        Successor Ab + 1;
    }

    /// `[]` and `[]=`, with fast paths.
    Index {
        /// `Ra = Rb[Rc]`
        Index Abc + 1;
        /// `Ra = Rb[K]`, `c` a string literal; only a redefined method receives a new String.
        IndexLiteral AbLiteral + 1;
        /// `Ra[Rb] = Rc`; no result.
        IndexSet Abc + 1;
        /// `Ra[K] = Rc`, `b` a string literal: the hash keeps the interned string; no result.
        IndexSetLiteral Abc + 1;
    }

    /// The tests of `when`, `rescue` and `=~`, with fast paths.
    Match {
        /// `Ra = Rb === Rc`, for `when`
        CaseEqual Abc + 1;
        /// `Ra = Rb === Rc` for `rescue`: TypeError unless `Rb` is a class or module.
        RescueMatch Abc + 1;
        /// `Ra = Rb =~ Rc` with a literal regexp on one side
        Match Abc + 1;
    }

    /// Jumps. Distances count words from the word after the instruction itself.
    Jump {
        /// Jumps to `bc`.
        Jump Jump;
        /// Jumps back to `bc`; a safepoint.
        Loop Jump;
        /// Jumps when `Ra` is true.
        JumpIf AJump;
        /// Jumps when `Ra` is false or nil.
        JumpUnless AJump;
        /// Jumps when `Ra` is nil.
        JumpNil AJump;
        /// Jumps when `Ra` is not nil.
        JumpNotNil AJump;
        /// Jumps when `Ra` is not undef (an argument was given).
        JumpGiven AJump;
        /// Jumps when `Ra < Rb`. + Extension + JumpIf
        JumpLess AbJump + 2;
        /// Jumps when `Ra <= Rb`. + Extension + JumpIf
        JumpLessEqual AbJump + 2;
        /// Jumps when `Ra > Rb`. + Extension + JumpIf
        JumpGreater AbJump + 2;
        /// Jumps when `Ra >= Rb`. + Extension + JumpIf
        JumpGreaterEqual AbJump + 2;
        /// Jumps when `Ra == Rb`. + Extension + JumpIf
        JumpEqual AbJump + 2;
        /// Jumps unless `Ra < Rb`. + Extension + JumpUnless
        JumpNotLess AbJump + 2;
        /// Jumps unless `Ra <= Rb`. + Extension + JumpUnless
        JumpNotLessEqual AbJump + 2;
        /// Jumps unless `Ra > Rb`. + Extension + JumpUnless
        JumpNotGreater AbJump + 2;
        /// Jumps unless `Ra >= Rb`. + Extension + JumpUnless
        JumpNotGreaterEqual AbJump + 2;
        /// Jumps unless `Ra == Rb`. + Extension + JumpUnless
        JumpNotEqual AbJump + 2;
        /// Jumps when `Ra < b`. + Extension + JumpIf
        JumpLessInt AIntJump + 2;
        /// Jumps when `Ra <= b`. + Extension + JumpIf
        JumpLessEqualInt AIntJump + 2;
        /// Jumps when `Ra > b`. + Extension + JumpIf
        JumpGreaterInt AIntJump + 2;
        /// Jumps when `Ra >= b`. + Extension + JumpIf
        JumpGreaterEqualInt AIntJump + 2;
        /// Jumps when `Ra == b`. + Extension + JumpIf
        JumpEqualInt AIntJump + 2;
        /// Jumps unless `Ra < b`. + Extension + JumpUnless
        JumpNotLessInt AIntJump + 2;
        /// Jumps unless `Ra <= b`. + Extension + JumpUnless
        JumpNotLessEqualInt AIntJump + 2;
        /// Jumps unless `Ra > b`. + Extension + JumpUnless
        JumpNotGreaterInt AIntJump + 2;
        /// Jumps unless `Ra >= b`. + Extension + JumpUnless
        JumpNotGreaterEqualInt AIntJump + 2;
        /// Jumps unless `Ra == b`. + Extension + JumpUnless
        JumpNotEqualInt AIntJump + 2;
        /// Jumps through the table literal `c` (see [`crate::Literal::JumpTable`]) by `Ra`, if that is an integer,
        /// symbol or string in it and `===` of those classes is not redefined; otherwise continues with the next
        /// instruction, where the sequential tests are.
        JumpTable AbLiteral;
    }

    /// Calls. The window holds receiver and arguments; the callee's frame begins there.
    Call {
        /// `Ra =` call of site `c` on window `b`: positional arguments only, no block.
        Call Call;
        /// Like Call, with a literal block (the site names the child sequence).
        CallBlock Call;
        /// Any other call: splats, keywords, a block argument.
        CallComplex Call;
        /// `super` with the arguments in the window; `R[window]` = self.
        Super Call;
        /// `yield`; `R[window]` is left free for the block's self. The block is that of the method, at the site's
        /// depth.
        Yield Call;
    }

    /// Leaving a frame.
    Leave {
        /// The frame's result is `Ra`. In a block this is `next`.
        Return A;
        /// `return` in a block: leaves the enclosing method or lambda.
        ReturnOuter A;
        /// `break` in a block: leaves the call that the block was passed to.
        Break A;
        /// Continues the unwinding that a handler interrupted, whose state is in `Ra`.
        Rethrow A;
    }

    /// Operations without an opcode of their own.
    Intrinsic {
        /// `Ra = intrinsic c (Rb, …)`. See [`crate::Intrinsic`] for arguments.
        Intrinsic Intrinsic;
    }

    /// Defining methods, classes and lambdas, and code that runs once.
    Definition {
        /// `Ra =` a lambda (`->`) of child `bc`.
        Lambda AChild;
        /// Runs the class body, child `bc`, with self = `Ra`; its value goes to `Ra`.
        ClassBody AChild;
        /// Defines method `c` (a symbol literal) in the lexical class from child `b`; `Ra =` its name.
        DefineMethod Abc;
        /// Defines a singleton method on `Ra` (then `Ra =` its name), child `b`, symbol literal `c`.
        DefineSingletonMethod Abc;
        /// `Ra =` the result of child `bc`, which runs only the first time (`/#{}/o`, `END`).
        Once AChild;
    }

    /// Counting runs, for the library coverage; only in code that was compiled for it.
    Counter {
        /// Counts a run of a line or a branch in counter `bc`.
        Count Counter;
        /// Records the first run of a line, whose counter is `bc`.
        CountOnce Counter;
        /// Counts a call of the method, in counter `bc` unless the next counter says that several methods share the
        /// code. In a block it counts only calls of the method whose body the block is.
        CountCall Counter;
    }

    /// Instructions that replace others.
    Replacement {
        /// The wide form of the instruction with opcode `c`, whose index does not fit 16 bits: `a` and `b` are its
        /// operands, the index is in the extension's `bc`. For calls, constants under a scope, and definitions (whose
        /// name is in `Rb`, with the child as the index). + Extension
        Wide Abc + 1;
        /// Replaces another opcode while a trace point is set; the code's side table has the original.
        Traced None;
        /// Replaces another opcode in the last runs before the code is compiled: records the kinds of its operands,
        /// then executes it.
        Profiled None;
    }
}
