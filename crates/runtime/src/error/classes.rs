//! The exception classes that every program has.

use abi::Value;
use object::{Known, class};

use crate::{Cx, define};

macro_rules! error_classes {
    ($($name:ident $ruby:literal $superclass:ident;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub enum ErrorClass { Exception, $($name),* }

        /// Each class but the first, its name and its superclass.
        pub(crate) const TABLE: &[(ErrorClass, &str, ErrorClass)] =
            &[$((ErrorClass::$name, $ruby, ErrorClass::$superclass)),*];

        impl ErrorClass {
            /// Its name among the roots.
            pub(crate) const fn root(self) -> &'static str {
                match self { ErrorClass::Exception => "Exception", $(ErrorClass::$name => $ruby),* }
            }
        }
    };
}

error_classes! {
    NoMemoryError "NoMemoryError" Exception;
    ScriptError "ScriptError" Exception;
    LoadError "LoadError" ScriptError;
    NotImplementedError "NotImplementedError" ScriptError;
    SyntaxError "SyntaxError" ScriptError;
    SecurityError "SecurityError" Exception;
    SignalException "SignalException" Exception;
    Interrupt "Interrupt" SignalException;
    SystemExit "SystemExit" Exception;
    SystemStackError "SystemStackError" Exception;
    StandardError "StandardError" Exception;
    ArgumentError "ArgumentError" StandardError;
    UncaughtThrowError "UncaughtThrowError" ArgumentError;
    EncodingError "EncodingError" StandardError;
    CompatibilityError "Encoding::CompatibilityError" EncodingError;
    UndefinedConversionError "Encoding::UndefinedConversionError" EncodingError;
    InvalidByteSequenceError "Encoding::InvalidByteSequenceError" EncodingError;
    ConverterNotFoundError "Encoding::ConverterNotFoundError" EncodingError;
    FiberError "FiberError" StandardError;
    IOError "IOError" StandardError;
    EOFError "EOFError" IOError;
    IOTimeoutError "IO::TimeoutError" IOError;
    IndexError "IndexError" StandardError;
    KeyError "KeyError" IndexError;
    StopIteration "StopIteration" IndexError;
    ClosedQueueError "ClosedQueueError" StopIteration;
    LocalJumpError "LocalJumpError" StandardError;
    NameError "NameError" StandardError;
    NoMethodError "NoMethodError" NameError;
    RangeError "RangeError" StandardError;
    FloatDomainError "FloatDomainError" RangeError;
    RegexpError "RegexpError" StandardError;
    RegexpTimeoutError "Regexp::TimeoutError" RegexpError;
    RuntimeError "RuntimeError" StandardError;
    RactorError "Ractor::Error" RuntimeError;
    RactorIsolationError "Ractor::IsolationError" RactorError;
    RactorRemoteError "Ractor::RemoteError" RactorError;
    RactorMovedError "Ractor::MovedError" RactorError;
    RactorUnsafeError "Ractor::UnsafeError" RactorError;
    RactorClosedError "Ractor::ClosedError" StopIteration;
    FrozenError "FrozenError" RuntimeError;
    SystemCallError "SystemCallError" StandardError;
    ThreadError "ThreadError" StandardError;
    TypeError "TypeError" StandardError;
    ZeroDivisionError "ZeroDivisionError" StandardError;
    NoMatchingPatternError "NoMatchingPatternError" StandardError;
    NoMatchingPatternKeyError "NoMatchingPatternKeyError" NoMatchingPatternError;
    MathDomainError "Math::DomainError" StandardError;
    Fatal "fatal" Exception;
}

impl Cx {
    #[inline]
    pub fn error_class(&self, class: ErrorClass) -> Value {
        match class {
            ErrorClass::Exception => self.class(Known::Exception),
            class => self.vm().error_classes[class as usize - 1].0,
        }
    }
}

/// The Errno class for a number, created on first use (SystemCallError itself for numbers that the system does not
/// know).
pub fn errno_class(cx: &mut Cx, errno: host::Errno) -> Value {
    let base = cx.error_class(ErrorClass::SystemCallError);
    let Some(name) = errno.name() else { return base };
    let module = cx.root(crate::Root::Errno);
    let symbol = object::symbol::table::intern_text(cx, name);
    if let Some(constant) = class::constants::own(module, symbol) {
        return constant.value;
    }
    let made = define::define_class(cx, module, name, base);
    let number = object::symbol::table::intern_text(cx, "Errno");
    class::constants::set(cx, made, number, class::constants::Constant::new(Value::fixnum(errno.0 as i64)));
    made
}
