//! curry, >>, <<.

use abi::{BlockHandler, Type, Value};
use heap::Trace;
use object::{array::Arr, cell, native::NativeData, proc};
use runtime::{
    Args, Cx, R,
    call::{
        self,
        block::{self, NativeBlock},
    },
    convert, make, sym,
};

use super::describe;

/// Calls `first`, then `second` with its result.
#[derive(Trace)]
struct Composed {
    first: Value,
    second: Value,
}

impl NativeData for Composed {
    object::one_vtable!(Composed);
}

impl NativeBlock for Composed {
    fn call(&self, cx: &mut Cx, arguments: &[Value]) -> R {
        self.call_full(cx, arguments, None, BlockHandler::NONE)
    }

    fn call_full(&self, cx: &mut Cx, arguments: &[Value], keywords: Option<Value>, passed: BlockHandler) -> R {
        let (first, second) = (self.first, self.second);
        let between = call_any(cx, first, arguments, keywords, passed)?;
        call_any(cx, second, &[between], None, BlockHandler::NONE)
    }
}

fn call_any(cx: &mut Cx, f: Value, arguments: &[Value], keywords: Option<Value>, passed: BlockHandler) -> R {
    if cell::is(f, Type::Proc) {
        return block::call_block(cx, BlockHandler(f), arguments, keywords, passed);
    }
    call::send_full(cx, f, sym::CALL, arguments, keywords, passed, call::Scope::Public)
}

fn check_callable(cx: &mut Cx, v: Value) -> R<()> {
    if cell::is(v, Type::Proc) || call::responds(cx, v, sym::CALL, false)? {
        Ok(())
    } else {
        Err(cx.type_error("callable object is expected"))
    }
}

/// `self >> other → proc`: calls the receiver, then `other` with its result. TypeError unless `other` has `call`.
pub fn then(cx: &mut Cx, args: Args) -> R {
    check_callable(cx, args.at(0))?;
    let lambda = proc_is_lambda(args.me());
    Ok(block::native_proc(cx, Box::new(Composed { first: args.me(), second: args.at(0) }), lambda))
}

/// `self << other → proc`: calls `other`, then the receiver with its result. TypeError unless `other` has `call`.
pub fn after(cx: &mut Cx, args: Args) -> R {
    check_callable(cx, args.at(0))?;
    let lambda = proc_is_lambda(args.at(0));
    Ok(block::native_proc(cx, Box::new(Composed { first: args.at(0), second: args.me() }), lambda))
}

fn proc_is_lambda(v: Value) -> bool {
    !cell::is(v, Type::Proc) || proc::is_lambda(v)
}

/// A function and the arguments collected so far.
#[derive(Trace)]
struct Curried {
    function: Value,
    given: Value,
    wanted: usize,
    lambda: bool,
}

impl NativeData for Curried {
    object::one_vtable!(Curried);
}

impl NativeBlock for Curried {
    fn call(&self, cx: &mut Cx, arguments: &[Value]) -> R {
        self.call_full(cx, arguments, None, BlockHandler::NONE)
    }

    fn call_full(&self, cx: &mut Cx, arguments: &[Value], keywords: Option<Value>, passed: BlockHandler) -> R {
        let (function, wanted, lambda) = (self.function, self.wanted, self.lambda);
        let all = make::copy(cx, Arr::of(self.given));
        for v in arguments.iter().chain(&keywords) {
            make::push(cx, all, *v);
        }
        make_curry(cx, function, all, wanted, lambda, passed)
    }
}

/// Calls the function, with the last block, once enough arguments were given; otherwise collects more.
fn make_curry(cx: &mut Cx, function: Value, given: Value, wanted: usize, lambda: bool, passed: BlockHandler) -> R {
    if Arr::of(given).len() >= wanted {
        return runtime::args::spread(cx, Arr::of(given), |cx, arguments| {
            block::call_block(cx, BlockHandler(function), arguments, None, passed)
        });
    }
    if !passed.is_none() {
        runtime::warning::warn_here(cx, "given block not used")?;
    }
    Ok(block::native_proc(cx, Box::new(Curried { function, given, wanted, lambda }), lambda))
}

/// `curry(arity = nil) → proc`: collects arguments over several calls, and calls the receiver with `arity` of them, or
/// with all required ones. ArgumentError for a number that a lambda does not accept.
pub fn curry(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let own = describe::arity_of(cx, me);
    let least = if own < 0 { -own - 1 } else { own };
    let lambda = proc::is_lambda(me);
    let wanted = match args.non_nil(0) {
        None => least,
        Some(n) => {
            let n = convert::to_i64(cx, n)?;
            let most = describe::most_arguments(cx, me);
            if lambda && (n < least || most.is_some_and(|most| n > most as i64)) {
                return Err(cx.arity_error(n.max(0) as usize, least as usize, most));
            }
            n
        }
    };
    let none = make::array(cx, &[]);
    let wanted = wanted.max(0) as usize;
    Ok(block::native_proc(cx, Box::new(Curried { function: me, given: none, wanted, lambda }), lambda))
}
