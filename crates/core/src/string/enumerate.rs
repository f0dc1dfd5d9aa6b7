//! Enumerators returned by methods called without a block.

use heap::Trace;
use object::native::NativeData;
use runtime::{
    Args, Cx, R, Value,
    call::{self, block},
    sym,
};

/// Computes the number of elements of an enumerator of the receiver.
pub type Size = fn(&mut Cx, Value) -> R;

#[derive(Trace)]
struct SizeBlock {
    receiver: Value,
    #[trace(skip)]
    size: Size,
}

impl NativeData for SizeBlock {}

impl block::NativeBlock for SizeBlock {
    fn call(&self, cx: &mut Cx, _: &[Value]) -> R {
        (self.size)(cx, self.receiver)
    }
}

/// `to_enum(method, *arguments) { size }` of the receiver.
pub fn enumerator(cx: &mut Cx, args: Args, method: &str, size: Option<Size>) -> R {
    let name = object::symbol::table::intern_text(cx, method);
    let size = match size {
        Some(size) => block::native_proc(cx, Box::new(SizeBlock { receiver: args.me(), size }), true),
        None => Value::NIL,
    };
    if args.keywords().is_none() {
        let arguments = runtime::make::array(cx, args.all());
        return runtime::intrinsics::enumerator(cx, [args.me(), name.value(), arguments, size]);
    }
    let arguments = runtime::make::array(cx, &[name.value()]);
    for v in args.all() {
        runtime::make::push(cx, arguments, *v);
    }
    let block = if size.is_nil() { abi::BlockHandler::NONE } else { abi::BlockHandler(size) };
    runtime::args::spread(cx, object::array::Arr::of(arguments), |cx, all| {
        call::send_full(cx, args.me(), sym::TO_ENUM, all, args.keywords(), block, call::Scope::Function)
    })
}
