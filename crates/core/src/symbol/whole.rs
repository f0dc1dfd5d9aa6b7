//! to_s, name, to_proc, inspect, equality, all_symbols.

use abi::Flags;
use object::{
    Sym,
    string::{CHILLED_NAME, Str},
};
use runtime::{Args, Cx, R, Value, call::block, error, make};
use text::inspect;

use crate::string::{inspecting::result_encoding, modify};

/// `to_s → string`: the name as a new String, which warns when it is modified. `name` returns the frozen one.
pub fn to_s(cx: &mut Cx, args: Args) -> R {
    let name = Sym::of(args.me()).name(cx);
    Ok(Str::of(name).dup_with(cx, Flags::CHILLED | CHILLED_NAME).value())
}

/// `name → string`: the name, always the same frozen String.
pub fn name(cx: &mut Cx, args: Args) -> R {
    Ok(Sym::of(args.me()).name(cx))
}

/// `to_sym → self`: a Symbol needs no conversion. Alias: `intern`.
pub fn itself(_: &mut Cx, args: Args) -> R {
    Ok(args.me())
}

/// `to_proc → proc`: a lambda that calls the method with this name of its first argument; the same one each time while
/// it stays in the cache.
pub fn to_proc(cx: &mut Cx, args: Args) -> R {
    block::symbol_proc(cx, args.me())
}

/// `inspect → string`: as a literal, in quotes if the name needs them.
pub fn inspect(cx: &mut Cx, args: Args) -> R {
    let name = Str::of(Sym::of(args.me()).name(cx));
    let result = result_encoding(cx);
    let mut out = memory::with_capacity(name.len() + 1);
    inspect::inspect_symbol(name.encoding(), name.bytes(cx), result, &mut out);
    let encoding = if out.is_ascii() { name.encoding() } else { result };
    let encoding = if encoding.is_ascii_compatible() { encoding } else { result };
    modify::new(cx, &out, encoding)
}

/// `==(other) → true or false`: whether both are the same symbol. Alias: `===`.
pub fn equal(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(args.me() == args.at(0)))
}

/// `Symbol.all_symbols → array`: all live symbols, including those of the program's names.
pub fn all_symbols(cx: &mut Cx, _: Args) -> R {
    // Space is reserved first: nothing may be allocated while the table is walked.
    let table = &cx.world().symbols;
    let count = table.static_count() + table.dynamic_count();
    let list = object::array::Arr::with_capacity(cx, count);
    let list = error::OrRaise::or_raise(list, cx)?;
    let numbers = cx.world().symbols.static_count() as u32;
    for number in 0..numbers {
        make::push(cx, list.value(), Value::static_symbol(number));
    }
    let mut dynamic: Vec<u64> = Vec::new();
    cx.world().symbols.each(&mut |symbol| {
        if symbol.value().is_heap() {
            dynamic.push(symbol.value().0);
        }
    });
    for bits in dynamic {
        make::push(cx, list.value(), Value(bits));
    }
    Ok(list.value())
}

/// `Symbol.allocate`: TypeError, as symbols are created from their names.
pub fn no_allocator(cx: &mut Cx, args: Args) -> R {
    let name = runtime::define::class_name(cx, args.me());
    Err(cx.type_error(&format!("allocator undefined for {name}")))
}
