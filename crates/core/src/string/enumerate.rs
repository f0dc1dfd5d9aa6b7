//! Enumerators returned by methods called without a block.

use heap::Marker;
use object::native::{NativeData, Visit};
use runtime::{
    Args, Cx, R, Value,
    call::{self, block},
    sym,
};

/// How many elements an enumerator of the receiver will have.
pub type Size = fn(&mut Cx, Value) -> R;

struct SizeBlock {
    receiver: Value,
    size: Size,
}

impl NativeData for SizeBlock {
    fn trace(&mut self, marker: &mut Marker) {
        marker.visit(&mut self.receiver);
    }
}

impl block::NativeBlock for SizeBlock {
    fn call(&self, cx: &mut Cx, _: &[Value]) -> R {
        (self.size)(cx, self.receiver)
    }
}

/// `to_enum(method, *arguments) { size }` of the receiver.
pub fn enumerator(cx: &mut Cx, args: Args, method: &str, size: Option<Size>) -> R {
    let name = object::symbol::table::intern_text(cx, method);
    let arguments = runtime::make::array(cx, &[name.value()]);
    for v in args.all() {
        runtime::make::push(cx, arguments, *v);
    }
    let block = match size {
        Some(size) => {
            let proc = block::native_proc(cx, Box::new(SizeBlock { receiver: args.me(), size }), true);
            abi::BlockHandler(proc)
        }
        None => abi::BlockHandler::NONE,
    };
    call::send_full(
        cx,
        args.me(),
        sym::TO_ENUM,
        object::array::elements(&arguments),
        args.keywords(),
        block,
        call::Scope::Function,
    )
}
