//! The table of intrinsics: name, the runtime's function with its parameters, effects, and `in loop` if the interpreter
//! runs it without a call.

/// Passes all rows to the macro `$callback`.
///
/// A row is `Name module::function(parameters) [effects] in loop;`, with a function in the runtime's `intrinsics`.
/// Effects are `reads`, `writes`, `allocates`, `raises` and `ruby` (all of these), see [`abi::Effects`]. A pure
/// function of its arguments has none.
#[macro_export]
macro_rules! for_each_intrinsic {
    ($callback:ident) => {
        $callback! {
            // Definitions.
            /// The class of that name in the scope (undef: the lexical class), created or reopened; a superclass of
            /// undef is not checked.
            OpenClass definitions::open_class(scope, name, superclass) [ruby];
            /// The module of that name in the scope (undef: the lexical class), created or reopened.
            OpenModule definitions::open_module(scope, name) [ruby];
            /// The object's singleton class.
            SingletonClass definitions::open_singleton_class(object) [writes allocates raises];
            /// `alias new old`, both symbols.
            Alias definitions::alias(new, old) [ruby];
            /// `alias $new $old`, both symbols with `$`.
            AliasGlobal definitions::alias_global(new, old) [writes];
            /// `undef name`
            Undefine definitions::undefine(name) [ruby];
            /// `# shareable_constant_value`: makes the value shareable (how 4: a copy), or raises
            /// Ractor::IsolationError unless it is (how: the constant's name).
            MakeShareable definitions::make_shareable(value, how) [ruby];
            /// Object: the scope of `::A`.
            ObjectClass definitions::object_class() [];
            /// StandardError itself, even if the constant was changed: the class that a bare `rescue` matches.
            StandardErrorClass definitions::standard_error_class() [];
            /// `END { }`: runs the block at exit.
            AtExit definitions::at_exit(block) [writes raises];

            // `defined?`: the describing string or nil.
            /// Whether self has the instance variable.
            DefinedInstanceVariable defined::instance_variable(name) [reads allocates];
            /// Whether the global variable is defined.
            DefinedGlobal defined::global(name) [reads allocates];
            /// Whether the lexical class has the class variable.
            DefinedClassVariable defined::class_variable(name) [reads allocates raises];
            /// Whether the constant is defined, by a lexical lookup.
            DefinedConstant defined::constant(name) [ruby];
            /// Whether the constant is defined in the scope.
            DefinedConstantFrom defined::constant_from(scope, name) [ruby];
            /// Whether the receiver has a public method of that name.
            DefinedMethod defined::method(receiver, name) [ruby];
            /// Whether there is a method that self may call.
            DefinedFunction defined::function(name) [ruby];
            /// Whether the method `depth` scopes out has a block.
            DefinedYield defined::block(depth) [reads allocates];
            /// Whether there is a method for `super`.
            DefinedSuper defined::super_method() [reads allocates];
            /// Whether the last match has the group. 0 for `$~`, -1 `$&`, -2 `` $` ``, -3 `$'`, -4 `$+`.
            DefinedBackReference defined::back_reference(number) [reads allocates];

            // Special variables.
            /// `$n`; 0 for `$~`, -1 `$&`, -2 `` $` ``, -3 `$'`, -4 `$+`.
            BackReference variables::back_reference(number) [reads allocates];
            /// Restores `$!` to an exception or nil.
            SetErrorInfo variables::set_error_info(exception) [writes];
            /// Matches the regexp with `$_`: a bare regexp literal as a condition.
            MatchLastLine variables::match_last_line(regexp) [ruby];
            /// The values of the named groups for `=~` with locals, an Array; nil each without a match.
            NamedCaptures variables::named_captures(match_data, names) [reads allocates];

            // Patterns and other helpers of compiled code.
            /// The result of `deconstruct`, nil if the value does not respond; TypeError unless an Array.
            Deconstruct patterns::deconstruct(value) [ruby];
            /// The result of `deconstruct_keys`, nil if the value does not respond; TypeError unless a Hash.
            DeconstructKeys patterns::deconstruct_keys(value, keys) [ruby];
            /// The value of the key, undef when absent.
            HashFetchOrUndef patterns::hash_fetch_or_undef(hash, key) [ruby];
            /// A new Hash without these keys.
            HashExcept patterns::hash_except(hash, keys) [ruby];
            /// A new Array of `count` elements.
            ArraySlice patterns::array_slice(array, from, count) [reads allocates];
            /// The element, counted from the end where negative; nil outside.
            ArrayAt patterns::array_at(array, index) [reads];
            /// The Hash in an Array, or an empty Array if the Hash is empty: `**hash` among the elements of an array.
            ArrayUnlessEmpty patterns::array_unless_empty(hash) [reads allocates];
            /// Raises NoMatchingPatternError.
            RaiseNoMatchingPattern patterns::raise_no_matching_pattern(value) [raises];
            /// Raises NoMatchingPatternError with `"#{subject.inspect}: "` and by reason: 0 `%p === %p does not
            /// return true` of a, b; 1 `%p length mismatch (given %p, expected %p)` of a, b, c; 2 the same with `+`
            /// after the last; 3 `%p does not respond to #deconstruct`; 4 … `#deconstruct_keys`; 5 `%p does not match
            /// to find pattern`; 6 `key not found: %p` of b, a NoMatchingPatternKeyError with matchee a and key b; 7
            /// `rest of %p is not empty`; 8 `%p is not empty`; 9 `guard clause does not return true`.
            RaisePatternFailure patterns::raise_pattern_failure(subject, reason, a, b, c) [raises];
            /// Raises a new exception of the class.
            Raise patterns::raise(class, message) [raises];
            /// The literal's String after its source position was recorded; frozen if requested:
            /// `--debug-frozen-string-literal`.
            StringOrigin values::string_origin(string, frozen) [writes allocates];
            /// Whether the value is undef.
            IsUndef values::is_undef(value) [] in loop;
            /// Undef.
            Undef values::undef() [];
            /// The small integer that follows `index`, without a call of a method.
            NextIndex values::next_index(index) [];
            /// Whether both are the same object.
            IsSame values::is_same(a, b) [];
            /// `__ENCODING__`: the Encoding with the number in the `text` crate's table.
            SourceEncoding values::source_encoding(number) [];

            // Primitives of the Ruby half of core classes (`Primitive.array_push(list, v)`), whose operands are known
            // to have the right type.

            // Arrays.
            /// The number of elements.
            ArrayLength arrays::length(array) [reads] in loop;
            /// The element; undef if the index is beyond the end.
            ArrayElementOrUndef arrays::element_or_undef(array, index) [reads] in loop;
            /// Appends; returns the array.
            ArrayPush arrays::push(array, value) [writes allocates raises] in loop;
            /// Stores, growing the array.
            ArraySet arrays::set(array, index, value) [writes allocates raises];
            /// Array#initialize with a size or an Array and a value (undef if not given): clears the array and, without
            /// a block, fills it. Returns the number of elements that the block must create, from the first on.
            ArrayPrepare arrays::prepare(array, size, value, has_block) [ruby];
            /// Truncates to the length.
            ArrayTruncate arrays::truncate(array, length) [writes allocates];
            /// A new Array with this capacity.
            ArrayWithCapacity arrays::with_capacity(capacity) [allocates raises];
            /// The values that a block received as one value: nil, the only one, or the array of all.
            PackValues arrays::pack_values(values) [reads];
            /// The sum; floats are added by Kahan's and Babuska's method.
            ArraySum arrays::sum(values, initial) [ruby];
            /// The result of folding the elements from the index on: `memo.operation(element)`.
            ArrayFold arrays::fold(array, index, memo, operation) [ruby];
            /// The smallest element by `<=>`, nil if the array is empty.
            ArrayMin arrays::min(array) [ruby];
            /// The largest element.
            ArrayMax arrays::max(array) [ruby];
            /// Adds a number to a sum of Floats, an Array of the sum and what rounding has lost of it. Returns whether
            /// the value is a real number.
            AddToFloats arrays::add_to_floats(sum, value) [writes allocates raises];
            /// The lesser of two Integers or Floats, the first one if they are equal. Undef for other values, for NaN,
            /// and if the program has replaced Array#min or a `<=>` of numbers.
            LesserNumber arrays::lesser_number(first, second) [reads];
            /// The greater one.
            GreaterNumber arrays::greater_number(first, second) [reads];
            /// `[a, b].min` with a literal: each element is asked to compare itself with the smallest one before it.
            /// Undef if Array#min is not the core's own.
            LiteralMin arrays::literal_min(array) [ruby];
            /// `[a, b].max` with a literal.
            LiteralMax arrays::literal_max(array) [ruby];
            /// Whether any element's match with the pattern (undef: its truthiness) equals `wanted`.
            ArrayAny arrays::any(array, pattern, wanted) [ruby];
            /// The first index, from `from` on, whose element equals the value, or nil.
            ArrayIndexOf arrays::index_of(array, value, from) [ruby];
            /// The last index whose element equals the value, or nil.
            ArrayLastIndexOf arrays::last_index_of(array, value) [ruby];
            /// The number of elements that equal the value.
            ArrayCountOf arrays::count_of(array, value) [ruby];
            /// The values in the order of their keys, a new Array.
            SortByKeys arrays::sort_by_keys(values, keys) [ruby];
            /// Moves the elements from `index` on to `kept` and truncates the array; true if there was a gap.
            ArrayCloseGap arrays::close_gap(array, kept, index) [reads writes allocates raises];
            /// `array.to_h` without a block.
            ArrayToH arrays::to_h(array) [ruby];
            /// A Hash from the elements to their number of occurrences.
            ArrayTally arrays::tally(array) [ruby];
            /// The row for the indices in the state, which then advances; nil after the last row. Kind: 0 combination,
            /// 1 repeated combination, 2 repeated permutation, 3 permutation, 4 product of the lists in the list.
            NextRow arrays::next_row(list, state, kind) [reads writes allocates raises];
            /// The rows of `array.zip(*lists)`.
            ArrayZip arrays::zip(array, lists) [reads allocates raises];
            /// Moves the elements between `from` and `end` to `to`; returns the index after them.
            ArrayMove arrays::move_up(array, to, from, end) [reads writes allocates raises];
            /// Stores the value in `length` elements.
            ArrayFill arrays::fill(array, start, length, value) [writes allocates raises];
            /// Whether its `each` is Array's own.
            ArrayEachIsOwn arrays::each_is_own(array) [reads];

            // Hashes. A position is the one after an entry; iteration starts at 0.
            /// The number of entries.
            HashSize hashes::size(hash) [reads];
            /// Enters an iteration level; returns the start position.
            HashEnter hashes::enter(hash) [writes allocates raises];
            /// Closes an iteration level.
            HashLeave hashes::leave(hash) [writes allocates];
            /// The position after the next entry, or nil.
            HashNext hashes::next(hash, position) [reads] in loop;
            /// The key of the entry, undef if it was deleted.
            HashKeyAt hashes::key_at(hash, position) [reads] in loop;
            /// The value of the entry.
            HashValueAt hashes::value_at(hash, position) [reads] in loop;
            /// The entry as `[key, value]`.
            HashPairAt hashes::pair_at(hash, position) [reads allocates] in loop;
            /// Stores a value in the entry.
            HashSetAt hashes::set_at(hash, position, value) [reads writes] in loop;
            /// Deletes the entry.
            HashDeleteAt hashes::delete_at(hash, position) [writes allocates];
            /// Frees the memory of deleted entries if these are the majority; returns the hash. No iteration may be
            /// active.
            HashShrink hashes::shrink(hash) [writes allocates];
            /// Stores; returns the hash.
            HashPut hashes::put(hash, key, value) [ruby];
            /// Stores a key and its value, which are given as a pair: an Array of two elements or an object that
            /// converts to one.
            HashPutPair hashes::put_pair(hash, pair) [ruby];
            /// Stores the other's entries; returns the hash.
            HashMerge hashes::merge(hash, other) [ruby];
            /// A Hash with the same entries that compares keys as this one does.
            HashEntries hashes::entries(hash) [reads allocates raises];
            /// Stores unless the key exists, without copying a String key; returns whether it stored. For tables that
            /// programs do not see.
            HashPutNew hashes::put_new(hash, key, value) [ruby];
            /// Adds an element to the table of a Set.
            SetPut hashes::put_in_set(hash, key) [ruby];
            /// A new empty Hash.
            HashNew hashes::new() [allocates];
            /// An empty Hash that compares keys as this one does.
            HashLike hashes::like(hash) [reads allocates];
            /// The value of the key, or undef.
            HashGet hashes::get(hash, key) [ruby];
            /// Increments the value's count in a Hash of counts.
            HashCount hashes::count(hash, value) [ruby];
            /// Raises KeyError.
            RaiseKeyNotFound hashes::raise_key_not_found(hash, key) [raises];
            /// Deletes the key; returns the value or undef.
            HashRemove hashes::remove(hash, key) [ruby];
            /// A Hash of class Hash with the same entries, default and comparison.
            HashCopy hashes::copy(hash) [reads allocates raises];
            /// A Hash of the receiver's class with the same entries, default and comparison.
            HashDup hashes::dup(hash) [reads allocates raises];
            /// Whether its `each` is Hash's own.
            HashEachIsOwn hashes::each_is_own(hash) [reads];

            // The block of the running method.
            /// Whether the method `depth` scopes out has a block.
            BlockGiven blocks::given(depth) [reads] in loop;
            /// Whether the block takes several values (and is not a lambda), so that a pair can be passed as two
            /// values.
            BlockTakesPair blocks::takes_pair() [reads];
            /// Whether the block takes two values and nothing else (and is not a lambda). Of a yielded value that is an
            /// Array, and of several values, it sees the first two.
            BlockTakesTwo blocks::takes_two() [reads];
            /// The number of parameters that the block requires, as Proc#arity counts them.
            BlockArity blocks::arity() [reads];
            /// The block in the form in which it was passed, to be passed on by `&`.
            OwnBlock blocks::own() [reads];
            /// Whether the block is a lambda.
            BlockIsLambda blocks::is_lambda() [reads];
            /// The numbers of values that the block takes, if it is a lambda with several parameters, to which values
            /// packed into an Array must be passed separately; otherwise false.
            BlockTakesApart blocks::takes_apart() [reads];
            /// The values of the Array that such a block takes, filled up with nil: it gets several values as a block
            /// that is no lambda does. `taken`: the result of BlockTakesApart.
            Fitted blocks::fitted(list, taken) [reads allocates raises];
            /// The name that the running method was called by.
            Callee blocks::callee() [reads];

            // Conversions and comparisons.
            /// FrozenError if the value is frozen.
            CheckFrozen conversions::check_frozen(value) [reads raises];
            /// -1, 0 or 1 by `<=>`; ArgumentError if the values cannot be compared.
            Compare conversions::compare(a, b) [ruby];
            /// -1, 0 or 1 from the result of a comparison.
            ComparisonResult conversions::comparison_result(result, a, b) [ruby];
            /// `a == b` as true or false; true without a call if they are identical.
            IsEqual conversions::is_equal(a, b) [ruby];
            /// An Integer by `to_int`.
            ToInteger conversions::to_integer(value) [ruby];
            /// An Integer of 64 bits.
            ToLong conversions::to_long(value) [ruby];
            /// A Float by implicit conversion: numbers only.
            ToFloat conversions::to_float(value) [ruby];
            /// An Array by `to_ary`.
            ToArray conversions::to_array(value) [ruby];
            /// An Array by `to_ary`, or nil.
            TryArray conversions::try_array(value) [ruby];
            /// A Hash by `to_hash`.
            ToHash conversions::to_hash(value) [ruby];
            /// The Symbol of a Symbol or String; TypeError for others.
            ToSymbol conversions::to_symbol(value) [ruby];
            /// Whether it is an Array.
            IsArray conversions::is_array(value) [];
            /// Whether it is a Hash.
            IsHash conversions::is_hash(value) [];
            /// Whether it is an Integer.
            IsInteger conversions::is_integer(value) [];
            /// Whether it is a Float.
            IsFloat conversions::is_float(value) [];
            /// Whether it is an Integer, Float or Rational.
            IsReal conversions::is_real(value) [];
            /// Whether it is a String.
            IsString conversions::is_string(value) [];
            /// Whether it is a Range.
            IsRange conversions::is_range(value) [];
            /// Whether it is a Symbol.
            IsSymbol conversions::is_symbol(value) [];
            /// Whether it is a Proc.
            IsProc conversions::is_proc(value) [];
            /// `value.is_a?(class)`
            IsKindOf conversions::is_kind_of(value, class) [reads];
            /// `a + b`, without a call for numbers.
            Sum conversions::sum(a, b) [ruby];
            /// The same if `+` is public.
            PublicSum conversions::public_sum(a, b) [ruby];
            /// The object's class.
            ClassOf conversions::class_of(object) [reads];
            /// `object.respond_to?(name, private)`
            Responds conversions::responds(object, name, private) [ruby];
            /// The number of steps of a range of floats: an Integer or Infinity.
            FloatStepSize conversions::float_step_size(begin, end, step, exclusive) [ruby];
            /// An Integer that has the same order as the float.
            FloatToOrdered conversions::float_to_ordered(float) [ruby];
            /// The float for an Integer from FloatToOrdered.
            OrderedToFloat conversions::ordered_to_float(integer) [ruby];

            // Other objects.
            /// The beginning of a Range.
            RangeBegin objects::range_begin(range) [reads];
            /// The end of a Range.
            RangeEnd objects::range_end(range) [reads];
            /// Whether its `each` is Range's own.
            RangeEachIsOwn objects::range_each_is_own(range) [reads];
            /// Whether the Range excludes its end.
            RangeIsExclusive objects::range_is_exclusive(range) [reads];
            /// The number of integers between its ends; undef if these are not small integers.
            RangeCount objects::range_count(range) [reads];
            /// The result of the object's `size`, nil if it has no such method.
            EnumSize objects::enum_size(object) [ruby];
            /// A new object of the class, not initialized.
            NewObject objects::new_object(class) [reads allocates];
            /// Sets a variable that programs do not see (`@__name` in the Ruby half is `:__name`).
            HiddenSet objects::hidden_set(object, name, value) [writes allocates];
            /// The value of a variable that programs do not see, or nil.
            HiddenGet objects::hidden_get(object, name) [reads];
            /// Guards against endless recursion: nil if the method is already running for the object, otherwise a depth
            /// for GuardLeave.
            GuardEnter objects::guard_enter(object, method) [ruby];
            /// Ends a guard: restores the depth that GuardEnter returned.
            GuardLeave objects::guard_leave(depth) [writes];
            /// `receiver.to_enum(method, *arguments)` for a method that was called without a block; `arguments` may be
            /// nil. `size`: the number of elements, a Proc or the name of a method of the receiver that gives it, or
            /// nil.
            Enumerator objects::enumerator(receiver, method, arguments, size) [ruby];
            /// An Enumerator::ArithmeticSequence.
            ArithmeticSequence
                objects::arithmetic_sequence(receiver, method, arguments, begin, end, step, exclusive) [allocates];
            /// The member of a Struct or Data.
            StructAt objects::struct_at(object, index) [reads];
            /// Prints a warning with the caller's position.
            Warn objects::warn(text) [ruby];
        }
    };
}
