//! Rust code as the body of a Proc.

use abi::{BlockHandler, Value};
use heap::Trace;
use object::{Known, array, native, proc};

use crate::{Cx, R, args::spread, frame::to_proc};

/// Rust code as the body of a Proc; the data of its closure is traced.
pub trait NativeBlock: native::NativeData {
    fn call(&self, cx: &mut Cx, arguments: &[Value]) -> R;
    /// Called with keywords and a block; by default the keywords become the last argument.
    fn call_full(&self, cx: &mut Cx, arguments: &[Value], keywords: Option<Value>, _passed: BlockHandler) -> R {
        let Some(keywords) = keywords else { return self.call(cx, arguments) };
        let all = joined(cx, arguments, &[keywords]);
        spread(cx, array::Arr::of(all), |cx, all| self.call(cx, all))
    }
    /// Called as the body of a method (define_method), in a frame of that method.
    fn call_as_method(&self, cx: &mut Cx, arguments: &[Value], keywords: Option<Value>, passed: BlockHandler) -> R {
        self.call_full(cx, arguments, keywords, passed)
    }
    /// The result of Proc#arity.
    fn arity(&self) -> i64 {
        -1
    }
}

/// The cell content of a native block.
#[derive(Trace)]
pub struct NativeBlockBox(pub Box<dyn NativeBlock>);

impl native::NativeData for NativeBlockBox {
    object::one_vtable!(NativeBlockBox);
}

impl crate::Args<'_> {
    /// The block as a Proc, or nil.
    pub fn block_proc(&self, cx: &mut Cx) -> R {
        let block = self.block(cx);
        to_proc(cx, block)
    }
}

/// A Proc that runs Rust code.
pub fn native_proc(cx: &mut Cx, body: Box<dyn NativeBlock>, lambda: bool) -> Value {
    let internal = cx.class(Known::Internal);
    let closure = native::new(cx, internal, Box::new(NativeBlockBox(body)));
    let class = cx.class(Known::Proc);
    proc::new(cx, class, Value::NIL, closure, Value::NIL, proc::NATIVE | if lambda { proc::LAMBDA } else { 0 })
}

/// `first` and `second` in one new array.
fn joined(cx: &mut Cx, first: &[Value], second: &[Value]) -> Value {
    let all = crate::make::array(cx, first);
    for v in second {
        crate::make::push(cx, all, *v);
    }
    all
}
