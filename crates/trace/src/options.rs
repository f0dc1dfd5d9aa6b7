//! `RubyVM::InstructionSequence.compile_option`: options that other compilers have. They are kept, and change nothing here.

use abi::Type;
use object::{Sym, cell, hash::HashRef, symbol::table::intern_text};
use runtime::{Args, Cx, R, Value, keys};

const ROOT: &str = "compile options";

/// Name, and what it is by default, with everything on and with everything off.
const OPTIONS: &[(&str, [bool; 3])] = &[
    ("inline_const_cache", [true, true, false]),
    ("peephole_optimization", [true, true, false]),
    ("tailcall_optimization", [false, true, false]),
    ("specialized_instruction", [true, true, false]),
    ("operands_unification", [true, true, false]),
    ("instructions_unification", [false, true, false]),
    ("debug_frozen_string_literal", [false, true, false]),
    ("coverage_enabled", [true, true, false]),
];

/// All options: as they are by default, on, or off.
fn preset(cx: &mut Cx, which: usize) -> R {
    let table = HashRef::new(cx).0;
    for (name, values) in OPTIONS {
        let name = intern_text(cx, name);
        keys::store(cx, table, name.0, Value::bool(values[which]))?;
    }
    for (name, value) in [("debug_level", Value::fixnum(0)), ("frozen_string_literal", Value::NIL)] {
        let name = intern_text(cx, name);
        keys::store(cx, table, name.0, value)?;
    }
    Ok(table)
}

fn current(cx: &mut Cx) -> R {
    match cx.root(ROOT) {
        v if cell::is(v, Type::Hash) => Ok(v),
        _ => {
            let table = preset(cx, 0)?;
            cx.set_root(ROOT, table);
            Ok(table)
        }
    }
}

/// `compile_option → hash`
pub fn get(cx: &mut Cx, _: Args) -> R {
    let table = current(cx)?;
    Ok(keys::dup(cx, table))
}

/// `compile_option = hash, true (all), false (none) or nil (no change)`
pub fn set(cx: &mut Cx, args: Args) -> R {
    let wanted = args.at(0);
    let which = match wanted {
        Value::NIL => return Ok(wanted),
        Value::TRUE => 1,
        Value::FALSE => 2,
        v if cell::is(v, Type::Hash) => {
            let table = current(cx)?;
            let mut position = 0;
            while let Some((next, key, value)) = HashRef(v).next(position) {
                if let Some(name) = Sym::from_value(key)
                    && keys::get(cx, table, name.0)?.is_some()
                {
                    keys::store(cx, table, name.0, value)?;
                }
                position = next;
            }
            return Ok(wanted);
        }
        _ => return Err(cx.type_error("Compile option must be Hash/true/false/nil")),
    };
    let table = preset(cx, which)?;
    cx.set_root(ROOT, table);
    Ok(wanted)
}
