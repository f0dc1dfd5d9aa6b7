//! Enumerators returned by methods called without a block.

use runtime::{Args, Cx, R, call, sym};

/// `to_enum(method, *arguments)` of the receiver; `size` names the method that counts its elements.
pub fn enumerator(cx: &mut Cx, args: Args, method: &str, size: Option<&str>) -> R {
    let name = object::symbol::table::intern_text(cx, method);
    let size = match size {
        Some(size) => object::symbol::table::intern_text(cx, size).value(),
        None => abi::Value::NIL,
    };
    if args.keywords().is_none() {
        let arguments = runtime::make::array(cx, args.all());
        return runtime::intrinsics::enumerator(cx, [args.me(), name.value(), arguments, size]);
    }
    let arguments = runtime::make::array(cx, &[name.value()]);
    for v in args.all() {
        runtime::make::push(cx, arguments, *v);
    }
    runtime::args::spread(cx, object::array::Arr::of(arguments), |cx, all| {
        let block = abi::BlockHandler::NONE;
        call::send_full(cx, args.me(), sym::TO_ENUM, all, args.keywords(), block, call::Scope::Function)
    })
}
