//! The rows of method tables: a method in Rust, its Ruby signature and the facts about it.

use abi::Value;
use object::{
    Known,
    method_entry::{self, Kind},
};

use crate::{Args, Cx, R};

/// A method's function.
pub type Function = fn(&mut Cx, Args) -> R;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Public,
    Private,
    Protected,
    /// A private instance method and a public singleton method of the same name (Kernel#puts, Math.sqrt).
    ModuleFunction,
}

/// One method of a class.
///
/// ```ignore
/// pub const METHODS: &[Method] = &[
///     Method::new("include?(other)", include).borrows(0).pure(),
///     Method::new("sum(init = 0) { |element| }", sum),
/// ];
/// ```
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Method {
    pub function: Function,
    /// The frequent cases, without a frame: see [`Method::quick`].
    pub quick: Option<Function>,
    pub required: u8,
    pub optional: u8,
    pub rest: bool,
    /// Accepts keywords, which are passed as a separate hash.
    pub keywords: bool,
    pub special: Special,
    pub in_line: Option<InLine>,
    pub access: Access,
    pub facts: Facts,
    /// Ruby's signature: `name(required, optional = 1, *rest, key: 1, **options, &block)`.
    pub signature: &'static str,
    pub name_length: usize,
}

/// Methods that compiled code has operations for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InLine {
    /// Kernel#respond_to? of a literal Symbol.
    RespondTo,
    /// Kernel#is_a? of a class that is a constant.
    KindOf,
    /// Kernel#instance_of? of a class that is a constant.
    InstanceOf,
    /// String#to_s, Array#to_a, Hash#to_hash: an instance of the core class itself is the result.
    Plain,
    /// Array#first without a count
    First,
    /// Array#last without a count
    Last,
    /// Hash#key?
    HasKey,
    /// BasicObject#equal?, BasicObject#==
    Same,
    /// BasicObject#!= of objects whose `==` is BasicObject's
    Different,
    /// Kernel#itself
    Itself,
    /// Kernel#class
    Class,
    /// Kernel#frozen? of objects that are no Strings of a subclass
    Frozen,
    /// Kernel#instance_variable_get of a literal Symbol.
    Variable,
    /// Kernel#instance_variable_set of a literal Symbol.
    SetVariable,
    /// Kernel#instance_variable_defined? of a literal Symbol.
    HasVariable,
    /// Kernel#block_given?
    BlockGiven,
    /// String#getbyte
    ByteAt,
    /// String#setbyte
    SetByte,
    /// String#bytesize
    ByteSize,
    /// Array#push of one object, Array#<<
    Push,
    /// Integer#[] of a bit
    Bit,
    /// `new` of a class that Struct.new has created.
    NewStruct,
    /// `new` of a class that Data.define has created.
    NewData,
    /// Integer#succ
    Next,
    /// Integer#pred
    Previous,
    /// Integer#to_f
    ToFloat,
    /// Float#to_i, truncate without digits
    Truncated,
    /// Float#floor, Integer#floor without digits
    Floor,
    /// Float#ceil, Integer#ceil without digits
    Ceiling,
    /// Float#round, Integer#round without digits
    Rounded,
    /// Math.sqrt
    SquareRoot,
    /// Integer#abs, Float#abs
    Magnitude,
    /// Integer#even?
    Even,
    /// Integer#odd?
    Odd,
    /// Integer#zero?
    Zero,
    /// BasicObject#!
    Not,
    /// Kernel#nil?, NilClass#nil?
    IsNil,
    /// BasicObject#initialize
    Nothing,
    /// Module#===
    Instance,
    /// Array.allocate, which `new` calls.
    EmptyArray,
    /// Array#initialize, which `new` calls.
    FilledArray,
}

/// Methods that only call Ruby code, and which the interpreter therefore runs without leaving its loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    None,
    /// Class#new
    New,
    /// Kernel#send, __send__
    Send,
    PublicSend,
    /// Proc#call, (), yield, [], ===
    ProcCall,
}

/// Facts that compiled code, literal arguments and c_call events may rely on.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Never calls Ruby code, not even `==`, `hash` or a conversion; defines no method, sets no trace point, and makes
    /// no Binding or Proc.
    pub leaf: bool,
    /// Has no side effect; may allocate. Also a leaf.
    pub pure: bool,
    /// Called with at most so many arguments it needs no frame: it runs no Ruby code, does not look at its frame, and
    /// has no effect if it raises. Pure methods need none either.
    pub frameless: Option<u8>,
    /// Called with arguments that are all immediate numbers, at least one, it needs no frame; see `frameless`.
    pub frameless_with_numbers: bool,
    /// The class of all results, if it is fixed.
    pub returns: Option<Known>,
    /// Bit i (bit 15: the receiver): as long as argument i is a String, it is never stored, changed, returned or put
    /// into an exception, except as the copy that [`own`](crate::literal_arguments::own) returns. Calls of Ruby
    /// code make that copy by themselves.
    pub borrowed: u16,
    /// Only raises NotImplementedError: respond_to? says no.
    pub absent: bool,
    /// The frequent case of a method in the Ruby half: see [`Method::shortcut`].
    pub shortcut: bool,
    /// A method of an extension: it replaces the core's method of that name as one in Ruby does.
    pub foreign: bool,
}

impl Facts {
    /// Whether everything that compiled code relies on (methods, basic operations, trace points, frames that nothing
    /// refers to) is unchanged after a call. Only Ruby code changes these, and methods that call Ruby code.
    pub const fn keeps_assumptions(&self) -> bool {
        self.leaf
    }

    /// Whether all objects still have the same shapes after a call.
    pub const fn keeps_shapes(&self) -> bool {
        self.pure
    }

    /// Whether a call with so many arguments and no block can be made without a frame.
    pub fn needs_no_frame(&self, count: usize) -> bool {
        self.pure || self.frameless.is_some_and(|most| count <= most as usize)
    }

    /// A value of the same kind as the result that compiled code expects, if that is a number that most often needs no
    /// object.
    pub fn typical_result(&self) -> Option<Value> {
        match self.returns? {
            Known::Integer => Some(Value::fixnum(0)),
            Known::Float => Value::try_flonum(1.0),
            _ => None,
        }
    }
}

impl Method {
    /// A public method; the signature contains name and arity.
    pub const fn new(signature: &'static str, function: Function) -> Method {
        let bytes = signature.as_bytes();
        let name_length = name_length(bytes);
        let (required, optional, rest, keywords) = count_parameters(bytes, name_length);
        Method {
            signature,
            function,
            name_length,
            required,
            optional,
            rest,
            keywords,
            access: Access::Public,
            facts: Facts {
                leaf: false,
                pure: false,
                frameless: None,
                frameless_with_numbers: false,
                returns: None,
                borrowed: 0,
                absent: false,
                shortcut: false,
                foreign: false,
            },
            special: Special::None,
            in_line: None,
            quick: None,
        }
    }

    pub const fn in_line(mut self, operation: InLine) -> Method {
        self.in_line = Some(operation);
        self
    }

    pub const fn special(mut self, special: Special) -> Method {
        self.special = special;
        self
    }

    pub const fn private(mut self) -> Method {
        self.access = Access::Private;
        self
    }

    pub const fn protected(mut self) -> Method {
        self.access = Access::Protected;
        self
    }

    pub const fn module_function(mut self) -> Method {
        self.access = Access::ModuleFunction;
        self
    }

    /// The system lacks this method: the function raises NotImplementedError.
    pub const fn absent(mut self) -> Method {
        self.facts.absent = true;
        self
    }

    /// A fast path of a method that the Ruby half implements in full. Calls without a block, splat or keywords try it
    /// first. If it returns undef, which it may do only before any effect, the Ruby half runs. It saves a frame and
    /// bytecode for such calls.
    pub const fn shortcut(mut self) -> Method {
        self.facts.shortcut = true;
        self
    }

    pub const fn leaf(mut self) -> Method {
        self.facts.leaf = true;
        self
    }

    /// See [`Facts::frameless`].
    pub const fn frameless(mut self, most: u8) -> Method {
        self.facts.frameless = Some(most);
        self
    }

    /// A function that does the same as the method in its frequent cases, which compiled code calls without a frame;
    /// see [`Facts::frameless`]. It returns undef in all other cases, before any effect, and the method is called.
    pub const fn quick(mut self, function: Function) -> Method {
        self.quick = Some(function);
        self
    }

    /// See [`Facts::frameless_with_numbers`].
    pub const fn frameless_with_numbers(mut self) -> Method {
        self.facts.frameless_with_numbers = true;
        self
    }

    pub const fn pure(mut self) -> Method {
        self.facts.pure = true;
        self
    }

    pub const fn returns(mut self, class: Known) -> Method {
        self.facts.returns = Some(class);
        self
    }

    /// Argument `i` is borrowed; see [`Facts::borrowed`].
    pub const fn borrows(mut self, i: u32) -> Method {
        self.facts.borrowed |= 1 << i;
        self
    }

    /// All arguments are borrowed, including those of a rest parameter.
    pub const fn borrows_all(mut self) -> Method {
        self.facts.borrowed |= (1 << 15) - 1;
        self
    }

    /// The receiver is borrowed.
    pub const fn borrows_receiver(mut self) -> Method {
        self.facts.borrowed |= 1 << 15;
        self
    }

    pub fn name(&self) -> &'static str {
        &self.signature[..self.name_length]
    }

    /// Method#arity.
    pub fn arity(&self) -> i64 {
        if self.optional > 0 || self.rest { -(self.required as i64) - 1 } else { self.required as i64 }
    }

    #[inline(always)]
    pub fn accepts(&self, count: usize) -> bool {
        count >= self.required as usize && (self.rest || count <= self.required as usize + self.optional as usize)
    }
}

/// Length of the method's name: up to the parenthesis, which operators such as `()` cannot contain, or a space.
const fn name_length(signature: &[u8]) -> usize {
    let mut i = 0;
    while i < signature.len() && signature[i] != b'(' && !(signature[i] == b' ' && i > 0) {
        i += 1;
    }
    i
}

/// (required, optional, rest, keywords) of the list in parentheses.
const fn count_parameters(signature: &[u8], from: usize) -> (u8, u8, bool, bool) {
    let (mut required, mut optional, mut rest, mut keywords) = (0, 0, false, false);
    let mut i = from;
    if i >= signature.len() || signature[i] != b'(' {
        return (0, 0, false, false);
    }
    i += 1;
    while i < signature.len() && signature[i] != b')' {
        while signature[i] == b' ' || signature[i] == b',' {
            i += 1;
        }
        if signature[i] == b')' {
            break;
        }
        let start = i;
        let mut has_default = false;
        let mut is_keyword = false;
        let mut depth = 0;
        while i < signature.len() {
            match signature[i] {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' if depth > 0 => depth -= 1,
                b',' | b')' if depth == 0 => break,
                b'=' => has_default = true,
                b':' if depth == 0 && !has_default => is_keyword = true,
                _ => {}
            }
            i += 1;
        }
        if signature[start] == b'*' && start + 1 < signature.len() && signature[start + 1] == b'*' {
            keywords = true;
        } else if signature[start] == b'*' {
            rest = true;
        } else if signature[start] == b'&' {
        } else if is_keyword {
            keywords = true;
        } else if has_default {
            optional += 1;
        } else {
            required += 1;
        }
    }
    (required, optional, rest, keywords)
}

/// The value of a flag argument: given and true.
pub fn flag(v: Value) -> bool {
    !v.is_undef() && v.truthy()
}

/// The row of a native entry.
#[inline(always)]
pub fn row(entry: Value) -> &'static Method {
    debug_assert!(method_entry::kind(entry) == Kind::Native);
    // SAFETY: native entries are made from rows of static tables.
    unsafe { &*method_entry::native(entry).cast::<Method>() }
}

/// Whether a method is one of Beni's own in Rust, not of a program or an extension.
#[inline]
pub fn is_core(entry: Value) -> bool {
    method_entry::kind(entry) == Kind::Native && !row(entry).facts.foreign
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_tell_what_a_call_leaves_as_it_is() {
        let (pure, plain) = ("size", "to_a");
        let row = Method::new(pure, nothing).leaf().pure().returns(Known::Integer);
        assert!(row.facts.keeps_assumptions() && row.facts.keeps_shapes());
        assert_eq!(row.facts.typical_result(), Some(Value::fixnum(0)));
        let row = Method::new(plain, nothing).returns(Known::Array);
        assert!(!row.facts.keeps_assumptions() && !row.facts.keeps_shapes());
        assert_eq!(row.facts.typical_result(), None);
    }

    fn nothing(_: &mut Cx, args: Args) -> R {
        Ok(args.me())
    }

    #[test]
    fn signatures_tell_names_and_arities() {
        let cases = [
            ("upcase(*options)", "upcase", -1),
            ("[](index, length = nil)", "[]", -2),
            ("size", "size", 0),
            ("each { |element| }", "each", 0),
            ("tap() { |x| }", "tap", 0),
            ("round(digits = 0, half: :up)", "round", -1),
            ("==(other)", "==", 1),
            ("call(*args, **options, &block)", "call", -1),
        ];
        for (signature, name, arity) in cases {
            let m = Method::new(signature, nothing);
            assert_eq!((m.name(), m.arity()), (name, arity), "{signature}");
        }
        assert!(Method::new("round(digits = 0, half: :up)", nothing).keywords);
    }
}
