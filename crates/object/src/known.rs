//! The classes that the runtime itself refers to, by number.
//!
//! The number of a known class is also the number of its root shape, so that the header of a new String or Array is a
//! constant.

use abi::{Header, ShapeId, Type};

macro_rules! known {
    ($($name:ident $ruby:literal $superclass:ident $instances:ident;)*) => {
        /// A class or module that every program has.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u32)]
        pub enum Known { $($name),* }

        impl Known {
            pub const ALL: &'static [Known] = &[$(Known::$name),*];
            pub const COUNT: usize = Known::ALL.len();

            pub const fn ruby_name(self) -> &'static str {
                match self { $(Known::$name => $ruby),* }
            }

            pub const fn superclass(self) -> Known {
                match self { $(Known::$name => Known::$superclass),* }
            }

            /// The header type of its instances.
            pub const fn instances(self) -> Type {
                match self { $(Known::$name => Type::$instances),* }
            }
        }
    };
}

known! {
    // Columns: name, Ruby's name, superclass (BasicObject: itself), type of instances. Internal classes come first and
    // have no name.
    Internal "" Object Internal;
    BasicObject "BasicObject" BasicObject Object;
    Object "Object" BasicObject Object;
    Module "Module" Object Module;
    Class "Class" Module Class;
    NilClass "NilClass" Object None;
    TrueClass "TrueClass" Object None;
    FalseClass "FalseClass" Object None;
    Numeric "Numeric" Object Object;
    Integer "Integer" Numeric BigInteger;
    Float "Float" Numeric Float;
    Rational "Rational" Numeric Rational;
    Complex "Complex" Numeric Complex;
    String "String" Object String;
    Symbol "Symbol" Object Symbol;
    Regexp "Regexp" Object Regexp;
    MatchData "MatchData" Object Match;
    Array "Array" Object Array;
    Hash "Hash" Object Hash;
    Range "Range" Object Range;
    Struct "Struct" Object Struct;
    Data "Data" Object Struct;
    Proc "Proc" Object Proc;
    Method "Method" Object Method;
    UnboundMethod "UnboundMethod" Object Method;
    Binding "Binding" Object Binding;
    Environment "" Object Environment;
    MethodEntry "" Object MethodEntry;
    InstructionSequence "" Object InstructionSequence;
    Fields "" Object Fields;
    Exception "Exception" Object Exception;
    Io "IO" Object Native;
    File "File" Io Native;
    Dir "Dir" Object Native;
    Encoding "Encoding" Object Native;
    Time "Time" Object Native;
    Random "Random" Object Native;
    Enumerator "Enumerator" Object Object;
    Fiber "Fiber" Object Native;
    Thread "Thread" Object Native;
    Mutex "Thread::Mutex" Object Native;
}

impl Known {
    #[inline(always)]
    pub const fn root_shape(self) -> ShapeId {
        ShapeId(self as u32)
    }

    /// The header of a new instance.
    #[inline(always)]
    pub const fn header(self, flags: u32) -> Header {
        Header::new(self.instances(), self.root_shape(), flags)
    }
}
