//! `$~`, `$1`, `$!` and other values derived from the last match.

use abi::Value;
use object::{Sym, array::Arr, native, string::Str};

use crate::{Cx, R, call, make, special, sym};

pub fn back_reference(cx: &mut Cx, [number]: [Value; 1]) -> Value {
    special::back_reference(cx, number.fixnum_value())
}

pub fn set_error_info(cx: &mut Cx, [exception]: [Value; 1]) {
    cx.error_info = exception;
}

pub fn match_last_line(cx: &mut Cx, [regexp]: [Value; 1]) -> R {
    let line = special::last_line(cx);
    call::send(cx, regexp, sym::MATCH, &[line])
}

pub fn named_captures(cx: &mut Cx, [m, names]: [Value; 2]) -> Value {
    let result = make::array(cx, &[]);
    for name in Arr::of(names).iter() {
        let value = match native::get::<special::MatchInfo>(&m) {
            None => Value::NIL,
            Some(info) => {
                let program = special::program_of(&info.regexp);
                let groups = program.groups_named(Sym::of(name).bytes(cx)).unwrap_or(&[]);
                let range = groups.iter().rev().find_map(|g| info.group(*g));
                range.map_or(Value::NIL, |(start, end)| {
                    Str::of(info.string).slice(cx, start, end - start).map_or(Value::NIL, |s| s.value())
                })
            }
        };
        make::push(cx, result, value);
    }
    result
}
