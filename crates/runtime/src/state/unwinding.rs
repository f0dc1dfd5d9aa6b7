//! Starting, keeping and ending an unwinding.

use abi::{Frame, Value};

use super::{
    cx::Cx,
    unwind::{Reason, Unwind, Unwinding},
};

impl Cx {
    /// Starts unwinding.
    pub fn unwind(&mut self, reason: Reason, value: Value, tag: Value, target: *mut Frame) -> Unwind {
        self.unwinding = Unwinding { reason, value, tag, target };
        Unwind(())
    }

    /// Ends the `break` in progress if it leaves a block that the frame passed, and pops the frames above that one;
    /// returns the value.
    pub fn end_break(&mut self, frame: *mut Frame) -> Option<Value> {
        if self.unwinding.reason != Reason::Break || self.unwinding.target != frame {
            return None;
        }
        while self.frame != frame {
            self.write_open_frames();
            self.pop_frame();
        }
        Some(std::mem::replace(&mut self.unwinding, Unwinding::none()).value)
    }

    /// The token for an unwinding in progress that compiled code reported.
    pub fn unwind_under_way(&self) -> Unwind {
        debug_assert!(self.unwinding.reason != Reason::None);
        Unwind(())
    }

    /// Raises an exception object without changing it.
    pub fn raise_object(&mut self, exception: Value) -> Unwind {
        self.unwind(Reason::Raise, exception, Value::NIL, std::ptr::null_mut())
    }

    /// Takes the exception in flight, if the unwinding is for one; the unwinding ends here.
    pub fn take_exception(&mut self, _: Unwind) -> Result<Value, Unwind> {
        if self.unwinding.reason == Reason::Raise {
            let exception = self.unwinding.value;
            self.unwinding = Unwinding::none();
            Ok(exception)
        } else {
            Err(Unwind(()))
        }
    }

    /// Ends an unwinding, whether by an exception, `throw`, `break` or `return`.
    ///
    /// # Errors
    /// The end of the thread or of the fiber, which nothing holds up.
    pub fn end_unwinding(&mut self, unwind: Unwind) -> Result<(), Unwind> {
        if matches!(self.unwinding.reason, Reason::Kill | Reason::Abandon) {
            return Err(unwind);
        }
        self.unwinding = Unwinding::none();
        Ok(())
    }

    /// The exception in flight, without ending the unwinding.
    pub fn exception_under_way(&self) -> Option<Value> {
        (self.unwinding.reason == Reason::Raise).then_some(self.unwinding.value)
    }

    /// The state as one value, for an ensure handler's register: the exception itself or an array of the parts.
    pub fn pack_unwinding(&mut self) -> Value {
        let u = std::mem::replace(&mut self.unwinding, Unwinding::none());
        match u.reason {
            Reason::Raise => u.value,
            reason => {
                let target = Value(u.target as u64 | 1);
                let parts = [Value::fixnum(reason as i64), u.value, u.tag, target];
                object::array::Arr::new(self, &parts).map_or(Value::NIL, object::array::Arr::value)
            }
        }
    }

    /// Continues with the result of `pack_unwinding`.
    pub fn unpack_unwinding(&mut self, packed: Value) -> Unwind {
        if !object::cell::is(packed, abi::Type::Array) {
            return self.raise_object(packed);
        }
        let parts = object::array::Arr::of(packed);
        let reason = match parts.at(0).fixnum_value() {
            2 => Reason::Break,
            3 => Reason::Return,
            4 => Reason::Throw,
            5 => Reason::Kill,
            _ => Reason::Abandon,
        };
        let (value, tag, target) = (parts.at(1), parts.at(2), (parts.at(3).0 & !1) as *mut Frame);
        self.unwind(reason, value, tag, target)
    }
}
