//! trace_var, untrace_var: procs called when a global variable is assigned.

use object::{Sym, array::Arr, hash::HashRef};
use runtime::{Args, Cx, Method, R, Value, convert, error::ErrorClass, error::OrRaise, globals::TRACED, keys, make};

pub const METHODS: &[Method] = &[
    Method::new("trace_var(name, command = nil, &block)", trace_var).module_function(),
    Method::new("untrace_var(name, command = nil)", untrace_var).module_function(),
];

/// The Array of a variable's commands; created if requested.
fn commands(cx: &mut Cx, name: Sym, make_it: bool) -> R<Option<Value>> {
    let mut table = cx.root(TRACED);
    if table.is_nil() {
        if !make_it {
            return Ok(None);
        }
        table = HashRef::new(cx).value();
        cx.set_root(TRACED, table);
    }
    if let Some(list) = keys::get(cx, table, name.value())? {
        return Ok(Some(list));
    }
    if !make_it {
        return Ok(None);
    }
    let list = make::array(cx, &[]);
    keys::store(cx, table, name.value(), list)?;
    Ok(Some(list))
}

/// `trace_var(name, command = nil, &block) → nil`: calls the block or the Proc with each new value of a global
/// variable; a String is evaluated, nil removes the traces. NameError for a name that is not valid for a global
/// variable.
fn trace_var(cx: &mut Cx, args: Args) -> R {
    let command = match args.opt(1) {
        Some(Value::NIL) => return untrace(cx, args.at(0), None),
        Some(command) => command,
        None => args.block_proc(cx)?,
    };
    if command.is_nil() {
        return Err(cx.argument_error("tried to create Proc object without a block"));
    }
    let name = convert::to_symbol(cx, args.at(0))?;
    let name = cx.global_name(name);
    let Some(list) = commands(cx, name, true)? else { return Ok(Value::NIL) };
    Arr::of(list).unshift(cx, &[command]).or_raise(cx)?;
    cx.vm_mut().globals.note_traced(name);
    Ok(Value::NIL)
}

/// `untrace_var(name, command = nil) → array or nil`: removes one command, or all of them; returns the removed ones.
/// NameError for an unknown variable.
fn untrace_var(cx: &mut Cx, args: Args) -> R {
    untrace(cx, args.at(0), args.non_nil(1))
}

fn untrace(cx: &mut Cx, name: Value, command: Option<Value>) -> R {
    let symbol = convert::to_symbol(cx, name)?;
    if !cx.global_defined(symbol) {
        let text = symbol.to_text(cx);
        return Err(cx.name_error(
            ErrorClass::NameError,
            &format!("undefined global variable {text}"),
            symbol,
            Value::NIL,
        ));
    }
    let name = cx.global_name(symbol);
    let Some(list) = commands(cx, name, false)? else { return Ok(make::array(cx, &[])) };
    match command {
        None => {
            let all = make::copy(cx, Arr::of(list));
            Arr::of(list).clear(cx);
            Ok(all)
        }
        Some(command) => {
            let Some(at) = Arr::of(list).index_of(command) else {
                return Ok(Value::NIL);
            };
            let _ = Arr::of(list).delete_at(cx, at);
            Ok(make::array(cx, &[command]))
        }
    }
}
