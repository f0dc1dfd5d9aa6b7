//! FrozenError: changing a frozen object.

use abi::{Type, Value};
use object::{cell, class, shape::ivars, string::Str};

use crate::{
    Cx, Unwind, backtrace,
    error::{ErrorClass, OrRaise, class_name_of, new_exception, raise_exception},
    sym,
};
use text::encoding::EncodingId;

/// From this length on, the description of an object is not copied more often than necessary.
const LONG: usize = 4096;

impl Cx {
    /// FrozenError: "can't modify frozen String: \"a\"".
    #[cold]
    pub fn frozen_error(&mut self, receiver: Value) -> Unwind {
        if cell::is(receiver, Type::String) && cell::header(receiver).has(object::string::LOCKED) {
            return self.runtime_error("can't modify string; temporarily locked");
        }
        let name = class_name_of(self, receiver);
        // An `inspect` that changes the object would recurse endlessly.
        let inspected = crate::recursion::guard(self, sym::FREEZE, receiver, Value::NIL, |cx| {
            let send = cx.vm().upper.send;
            send(cx, receiver, sym::INSPECT, &[])
        });
        let created = origin(self, receiver).map_or_else(String::new, |origin| format!(", created at {origin}"));
        let shown = match inspected {
            Ok(Some(s)) if cell::is(s, Type::String) => {
                let s = Str::of(s);
                if s.len() >= LONG && s.is_ascii() {
                    return self.frozen_error_with_long(receiver, &name, s, &created);
                }
                s.to_text()
            }
            Ok(Some(_)) => String::new(),
            Ok(None) => " ...".to_string(),
            Err(unwind) => return unwind,
        };
        self.frozen_error_as(receiver, &format!("can't modify frozen {name}: {shown}{created}"))
    }

    /// The error with a description that is copied only once.
    fn frozen_error_with_long(&mut self, receiver: Value, name: &str, shown: Str, created: &str) -> Unwind {
        let before = format!("can't modify frozen {name}: ");
        let encoding = if before.is_ascii() && created.is_ascii() { EncodingId::BINARY } else { EncodingId::UTF_8 };
        let made = Str::with_room(self, before.len() + shown.len() + created.len(), encoding).and_then(|message| {
            message.append(self, before.as_bytes())?;
            let bytes = shown.held(self);
            message.append(self, &bytes)?;
            message.append(self, created.as_bytes())?;
            Ok(message.value())
        });
        match made.or_raise(self) {
            Ok(message) => self.frozen_error_of(receiver, message),
            Err(unwind) => unwind,
        }
    }

    fn frozen_error_as(&mut self, receiver: Value, message: &str) -> Unwind {
        let message = crate::make::described(self, message);
        self.frozen_error_of(receiver, message)
    }

    fn frozen_error_of(&mut self, receiver: Value, message: Value) -> Unwind {
        let class = self.error_class(ErrorClass::FrozenError);
        let exception = new_exception(self, class, message);
        ivars::set_hidden(self, exception, sym::MEMO_RECEIVER, receiver);
        raise_exception(self, exception)
    }

    /// FrozenError if `v` is frozen and could have singleton methods.
    pub fn check_frozen_singleton(&mut self, v: Value) -> Result<(), Unwind> {
        if !v.is_heap()
            || !cell::frozen(v)
            || matches!(cell::header(v).ty(), Type::Float | Type::BigInteger | Type::Symbol)
        {
            return Ok(());
        }
        Err(self.frozen_error(v))
    }

    /// A frozen class, module or singleton class cannot gain or lose methods: FrozenError for it, or for
    /// the object of the singleton class.
    pub fn check_frozen_methods(&mut self, module: Value) -> Result<(), Unwind> {
        if !cell::frozen(module) {
            return Ok(());
        }
        let named = if class::flags(module).singleton { class::attached(module) } else { module };
        Err(self.frozen_error(named))
    }

    /// FrozenError if `v` is frozen.
    #[inline(always)]
    pub fn check_frozen(&mut self, v: Value) -> Result<(), Unwind> {
        if cell::frozen(v) { Err(self.frozen_error(v)) } else { Ok(()) }
    }
}

/// Records the running line as the origin of a String that a literal created.
pub fn set_origin(cx: &mut Cx, string: Value) {
    let Some((path, line)) = backtrace::caller_position(cx) else { return };
    let origin = crate::make::text(cx, &format!("{path}:{line}"));
    ivars::set_hidden(cx, string, sym::MEMO_ORIGIN, origin);
}

/// The "file:line" of a String that a literal created, if it was recorded.
pub fn origin(cx: &mut Cx, string: Value) -> Option<String> {
    if !cell::is(string, Type::String) {
        return None;
    }
    let origin = ivars::get(cx, string, sym::MEMO_ORIGIN);
    cell::is(origin, Type::String).then(|| object::string::Str::of(origin).to_text())
}
