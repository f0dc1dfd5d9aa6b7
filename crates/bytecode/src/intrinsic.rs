//! Rare operations of the language, called as functions on a window of registers.

macro_rules! intrinsics {
    ($( $(#[doc = $doc:literal])+ $name:ident $arguments:literal ;)*) => {
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
                const ARGUMENTS: &[u8] = &[$($arguments),*];
                ARGUMENTS[self as usize] as usize
            }

            #[inline]
            pub fn from_u16(n: u16) -> Intrinsic {
                Self::ALL[n as usize]
            }
        }
    };
}

intrinsics! {
    // Definitions
    /// (scope or undef for the lexical class, name, superclass or undef) → the class, made or reopened.
    OpenClass 3;
    /// (scope or undef, name) → the module, made or reopened.
    OpenModule 2;
    /// (object) → its singleton class.
    SingletonClass 1;
    /// (new name, old name), both symbols.
    Alias 2;
    /// (new name, old name), both symbols with `$`.
    AliasGlobal 2;
    /// (name)
    Undefine 1;

    // defined?; each gives the describing string or nil and never raises.
    /// (name)
    DefinedInstanceVariable 1;
    /// (name)
    DefinedGlobal 1;
    /// (name)
    DefinedClassVariable 1;
    /// (name), looked up lexically.
    DefinedConstant 1;
    /// (scope, name)
    DefinedConstantFrom 2;
    /// (receiver, name): a public method.
    DefinedMethod 2;
    /// (name): a method that self may call.
    DefinedFunction 1;
    /// (depth)
    DefinedYield 1;
    /// ()
    DefinedSuper 0;
    /// (n): a group of the last match; 0 for `$~`, -1 `$&`, -2 `` $` ``, -3 `$'`, -4 `$+`.
    DefinedBackReference 1;

    /// (string, frozen) → the string of a literal, which now knows where it was made, and is frozen if it is to be:
    /// `--debug-frozen-string-literal`.
    StringOrigin 2;

    // Special variables
    /// (n) → `$n`; 0 for `$~`, -1 `$&`, -2 `` $` ``, -3 `$'`, -4 `$+`.
    BackReference 1;
    /// () → `$!`
    GetErrorInfo 0;
    /// (exception or nil): restores `$!`.
    SetErrorInfo 1;

    // Values
    /// (value) → its `to_a` for pattern matching: the result of `deconstruct`, nil if it does not respond; TypeError
    /// unless an Array.
    Deconstruct 1;
    /// (value, keys or nil) → the result of `deconstruct_keys`, nil if it does not respond; TypeError unless a Hash.
    DeconstructKeys 2;
    /// (hash, key) → the value, undef when absent.
    HashFetchOrUndef 2;
    /// (value) → true when undef.
    IsUndef 1;
    /// () → undef.
    Undef 0;
    /// (hash, keys array) → a new hash without these keys.
    HashExcept 2;
    /// (array, from, count) → a new array.
    ArraySlice 3;
    /// (array) → its length.
    ArrayLength 1;
    /// (array, index, negative from the end) → the element.
    ArrayAt 2;
    /// (hash) → its size.
    HashSize 1;
    /// (hash) → an array of it, or an empty one if it is empty: `**hash` among the elements of an array.
    ArrayUnlessEmpty 1;
    /// (value) raises NoMatchingPatternError.
    RaiseNoMatchingPattern 1;
    /// (value, key, hash) raises NoMatchingPatternKeyError.
    RaiseNoMatchingPatternKey 3;
    /// (class, message) raises it.
    Raise 2;
    /// (value) → a Proc for a block argument (to_proc), or nil.
    ToProc 1;
    /// (value, pattern) → what Range/regexp flip-flops compare: `value === $.`-like integer literals against `$.`.
    FlipFlopTest 2;
    /// (number) counts a way that the program goes, for coverage.
    CountBranch 1;
    /// (regexp) → matches `$_` (a bare regexp literal as a condition).
    MatchLastLine 1;
    /// (string parts…) is a command: (string) → its output through Kernel#`.
    Backquote 1;
    /// (block): runs it at exit (END {}).
    AtExit 1;
    /// (hash, key, default…) reads `**opts` for keyword binding; (value) makes a frozen copy of a hash key literal.
    FrozenKey 1;
    /// (match data or nil, names array) → array of the named captures for `=~` with locals.
    NamedCaptures 2;
    /// () → the class in which `def` defines here.
    DefinitionTarget 0;
    /// () → the lexical class (for constants and class variables).
    LexicalClass 0;
    /// (number) → whether `block_given?` at that depth.
    BlockGiven 1;
    /// () → Object: the scope of `::A`.
    ObjectClass 0;
    /// () → StandardError itself, whatever the constant says: what a bare `rescue` matches.
    StandardErrorClass 0;
    /// (number of an encoding in the `text` crate's table) → the Encoding: `__ENCODING__`.
    SourceEncoding 1;
    /// (array, index) → the element; undef from the end of the array on. (Loops of the compiler's own: `when *list`,
    /// `rescue *list`.)
    ArrayElementOrUndef 2;
    /// (index) → the index after it: small integers, never a call.
    NextIndex 1;
    /// (subject, reason, a, b, c) raises NoMatchingPatternError with `"#{subject.inspect}: "` and by reason: 0
    /// `%p === %p does not return true` of a, b; 1 `%p length mismatch (given %p, expected %p)` of a, b, c; 2 the same
    /// with `+` after the last; 3 `%p does not respond to #deconstruct`; 4 … `#deconstruct_keys`; 5
    /// `%p does not match to find pattern`; 6 `key not found: %p` of b, a NoMatchingPatternKeyError with matchee a and
    /// key b; 7 `rest of %p is not empty`; 8 `%p is not empty`; 9 `guard clause does not return true`.
    RaisePatternFailure 5;
    /// (value, how) shareable_constant_value: makes it shareable (how 4: a copy), or raises Ractor::IsolationError
    /// unless it is (how: the constant's name).
    MakeShareable 2;

    // Primitives of the Ruby half of core classes (`Primitive.array_push(list, v)`); their operands are known to be of
    // the right type.
    /// (array, value): appends; gives the array.
    ArrayPush 2;
    /// (array, index, value): stores, growing the array.
    ArraySet 3;
    /// (array, size or array, value, is there a block) of Array#initialize, where not given undef: makes the array
    /// empty, or of what it is to hold without a block; gives how many elements the block is to make, from the first
    /// on.
    ArrayPrepare 4;
    /// (array, length): cuts off.
    ArrayTruncate 2;
    /// (capacity): a new array.
    ArrayWithCapacity 1;
    /// (values): what a block got as one value: nil, the only one or the array of all.
    PackValues 1;
    /// (hash): opens an iteration level; gives 0, the position to begin at.
    HashEnter 1;
    /// (hash): closes it.
    HashLeave 1;
    /// (hash, position): the position after the next entry, or nil.
    HashNext 2;
    /// (hash, position after it): the key of the entry, undef where it was deleted.
    HashKeyAt 2;
    /// (hash, position after it): its value.
    HashValueAt 2;
    /// (hash, position after it): the entry as `[key, value]`.
    HashPairAt 2;
    /// (hash, position after it, value)
    HashSetAt 3;
    /// (hash, position after it): deletes the entry.
    HashDeleteAt 2;
    /// (hash, key, value): stores; gives the hash.
    HashPut 3;
    /// (hash, other, position after an entry of the other, its key, its value): stores it; all of the hash's entries
    /// are the other's.
    HashAdopt 5;
    /// (hash, other): stores the other's entries; gives the hash.
    HashMerge 2;
    /// (hash): a Hash with the same entries that compares keys as this one does.
    HashEntries 1;
    /// (hash, key, value): stores unless the key is there, a String as it is; whether it did. For tables that programs
    /// do not see.
    HashPutNew 3;
    /// (): a new empty hash.
    HashNew 0;
    /// (hash): an empty hash that compares keys as this one does.
    HashLike 1;
    /// (hash): does it compare by identity?
    HashIsByIdentity 1;
    /// () → does the method's block take several values (and is no lambda), so that a pair can come as two?
    BlockTakesPair 0;
    /// () → the parameters that the method's block requires, as Proc#arity counts.
    BlockArity 0;
    /// () → is the method's block a lambda?
    BlockIsLambda 0;
    /// () → is the method's block a lambda of several parameters, to which several values that were packed come apart
    /// again?
    BlockTakesApart 0;
    /// (value): FrozenError when it is frozen.
    CheckFrozen 1;
    /// (a, b) → -1, 0 or 1 by `<=>`; ArgumentError where they do not compare.
    Compare 2;
    /// (result of a comparison, a, b) → -1, 0 or 1.
    ComparisonResult 3;
    /// (a, b) → `a == b` as true or false, at once where they are identical.
    IsEqual 2;
    /// (value) → an Integer by to_int.
    ToInteger 1;
    /// (value) → an Integer of 64 bits.
    ToLong 1;
    /// (value) → a Float by implicit conversion: numbers only.
    ToFloat 1;
    /// (value) → an Array by to_ary.
    ToArray 1;
    /// (value) → an Array by to_ary or nil.
    TryArray 1;
    /// (value) → a Hash by to_hash.
    ToHash 1;
    /// (value) → a Hash by to_hash or nil.
    TryHash 1;
    /// (value, known type: 0 Array, 1 Hash, 2 Integer, 3 Float, 4 String, 5 Range, 6 Symbol, 7 Proc) → is it of that
    /// type?
    IsType 2;
    /// (value, class) → is_a?
    IsKindOf 2;
    /// (a, b) → `a + b`, numbers at once.
    Sum 2;
    /// (object) → its class.
    ClassOf 1;
    /// (object, name, private too) → respond_to?
    Responds 3;
    /// (range)
    RangeBegin 1;
    /// (range)
    RangeEnd 1;
    /// (range)
    RangeIsExclusive 1;
    /// (values, initial) → their sum, floats by Kahan and Babuska.
    ArraySum 2;
    /// (array, index, memo, operation) → the memo after `memo.operation(element)` with the elements from the index on.
    ArrayFold 4;
    /// (array) → its smallest element by `<=>`, nil where it is empty.
    ArrayMin 1;
    /// (array) → its largest element.
    ArrayMax 1;
    /// (array, pattern or undef, wanted) → is there an element that matches the pattern (or is true) as is wanted?
    ArrayAny 3;
    /// (array, value, from) → the first index from there on whose element equals the value, or nil.
    ArrayIndexOf 3;
    /// (array, value) → the last index whose element equals the value, or nil.
    ArrayLastIndexOf 2;
    /// (array, value) → how many elements equal the value.
    ArrayCountOf 2;
    /// (a, b): the same object?
    IsSame 2;
    /// (values, keys) → the values in the order of their keys, a new array.
    SortByKeys 2;
    /// (array, kept, index): moves the elements from `index` on to `kept` and cuts off the rest; true when there was a
    /// gap.
    ArrayCloseGap 3;
    /// (array) → `array.to_h` without a block.
    ArrayToH 1;
    /// (hash, value): one more of it in a hash of counts.
    HashCount 2;
    /// (range) → how many integers there are between its ends, undef where these are others than small integers.
    RangeCount 1;
    /// (array) → a Hash from its elements to how often they occur.
    ArrayTally 1;
    /// (list, state, kind: 0 combination, 1 repeated combination, 2 repeated permutation, 3 permutation, 4 product of
    /// the lists in the list) → the row of the places in the state, which goes on to the next row; nil behind the last.
    NextRow 3;
    /// (array, lists) → the rows of `array.zip(*lists)`.
    ArrayZip 2;
    /// (array, to, from, end): moves the elements between `from` and `end` up to `to`; gives the index behind them.
    ArrayMove 4;
    /// (array, start, length, value)
    ArrayFill 4;
    /// (array): is its `each` that of Array?
    ArrayEachIsOwn 1;
    /// (Symbol or String) → the Symbol; TypeError for others.
    ToSymbol 1;
    /// (text): a warning with the caller's place.
    Warn 1;
    /// (hash, key): KeyError.
    RaiseKeyNotFound 2;
    /// (hash, key): deletes; the value or undef.
    HashRemove 2;
    /// (hash): a Hash of class Hash with the same entries, default and way to compare.
    HashCopy 1;
    /// (hash): the same of the receiver's class.
    HashDup 1;
    /// (hash): is its `each` that of Hash?
    HashEachIsOwn 1;
    /// (object) → what its `size` gives, nil where it has none.
    EnumSize 1;
    /// (class) → a new object of it, not initialized.
    NewObject 1;
    /// (object, name, value): sets a variable that programs do not see (`@__name` in the Ruby half is `:__name`).
    HiddenSet 3;
    /// (object, name) → such a variable, or nil.
    HiddenGet 2;
    /// (object, method) → nil where that method of that object is running already, else a depth to leave by: against
    /// endless recursion.
    GuardEnter 2;
    /// (depth)
    GuardLeave 1;
    /// (receiver, method, arguments, begin, end, step, exclusive) → an Enumerator::ArithmeticSequence.
    ArithmeticSequence 7;
    /// (begin, end, step, exclusive), floats → how many steps there are: an Integer or Infinity.
    FloatStepSize 4;
    /// (float) → an Integer that sorts as the float does.
    FloatToOrdered 1;
    /// (integer) → the float that sorts so.
    OrderedToFloat 1;
    /// (struct or data, index) → the member.
    StructAt 2;
    /// () → the name that the running method was called by.
    Callee 0;
}
