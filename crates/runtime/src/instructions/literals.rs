//! Instructions that create Strings, Arrays, Hashes and Ranges.

use crate::{
    Cx, R,
    call::{self, Window},
    code::code,
    convert,
    error::{self, OrRaise},
    keys, make, special, sym,
};
use abi::{Type, Value};
use bytecode::{Instruction, Opcode, Symbol};
use object::{array::Arr, cell, hash::HashRef, string::Str};

/// A new String sharing the bytes of a literal.
#[inline(always)]
pub fn new_string(cx: &mut Cx, literal: Value) -> Value {
    Str::of(literal).dup_with(cx, 0).value()
}

/// Like `new_literal_string`, with the flags of the code's literals.
#[inline(always)]
pub fn new_literal_string(cx: &mut Cx, literal: Value, flags: u32) -> Value {
    Str::of(literal).dup_with(cx, flags).value()
}

/// A copy of an Array or Hash literal.
pub fn duplicate(cx: &mut Cx, literal: Value) -> Value {
    if cell::is(literal, Type::Hash) {
        return keys::dup(cx, literal);
    }
    match Arr::of(literal).dup(cx) {
        Ok(copy) => copy.value(),
        Err(_) => make::copy(cx, Arr::of(literal)),
    }
}

/// Concatenates Strings and the digits of small integers.
pub fn concat(cx: &mut Cx, parts: &[Value]) -> R {
    if parts.is_empty() {
        return Ok(make::text(cx, ""));
    }
    if let Some(Ok(joined)) = Str::interpolated(cx, parts) {
        return Ok(joined.value());
    }
    let texts = make::array(cx, &[]);
    for part in parts {
        let text = part.as_fixnum().map_or(*part, |n| Str::decimal(cx, n).value());
        make::push(cx, texts, text);
    }
    concat_texts(cx, Arr::of(texts))
}

/// Concatenates Strings that have no encoding in common.
fn concat_texts(cx: &mut Cx, texts: Arr) -> R {
    let text = |n| texts.get(n).map(Str::of);
    let Some(first) = text(0) else { return Ok(make::text(cx, "")) };
    let length = (0..texts.len()).filter_map(text).map(Str::len).sum();
    let mut encoding = first;
    let result = Str::with_room(cx, length, first.encoding()).or_raise(cx)?;
    result.append_str(cx, first).or_raise(cx)?;
    let mut n = 1;
    while let Some(part) = text(n) {
        match encoding.compatible(part) {
            Some(compatible) => {
                if result.encoding() != compatible {
                    result.set_encoding(compatible);
                }
                result.append_str(cx, part).or_raise(cx)?;
                // US-ASCII gives way to any other encoding, even if it would suffice.
                if result.encoding().index() == Symbol::US_ASCII && part.encoding().index() != Symbol::US_ASCII {
                    result.set_encoding(part.encoding());
                }
                encoding = result;
            }
            None => return Err(incompatible(cx, encoding, part)),
        }
        n += 1;
    }
    Ok(result.value())
}

#[cold]
fn incompatible(cx: &mut Cx, a: Str, b: Str) -> crate::Unwind {
    let encodings = format!("{} and {}", encoding_name(a), encoding_name(b));
    if are_of_regexp(cx) {
        let message = format!("encoding mismatch in dynamic regexp : {encodings}");
        return cx.raise(crate::error::ErrorClass::RegexpError, &message);
    }
    let message = format!("incompatible character encodings: {encodings}");
    cx.raise(crate::error::ErrorClass::CompatibilityError, &message)
}

/// Whether the Strings that are being concatenated are the parts of a Regexp.
fn are_of_regexp(cx: &Cx) -> bool {
    let frame = cx.frame();
    let code = code(&frame.scope.code);
    let next = code.executing(frame.pc).map(|word| word + 1).filter(|next| *next < code.instructions.len());
    next.is_some_and(|next| code.instruction(next).meant() == Opcode::NewRegexp)
}

fn encoding_name(s: Str) -> String {
    let name = s.encoding().name();
    if name == "ASCII-8BIT" { "BINARY (ASCII-8BIT)".into() } else { name.into() }
}

/// The symbol with the name of a String.
pub fn intern(cx: &mut Cx, s: Str) -> R {
    let encoding = convert::symbol_encoding(s);
    let bytes = s.to_vector();
    Ok(object::symbol::intern_dynamic(cx, &bytes, encoding).value())
}

/// A Regexp of interpolated parts; bits of `options` from bit 8 on: the index of the encoding that a modifier requests,
/// plus 1.
pub fn new_regexp(cx: &mut Cx, source: Value, options: u16) -> R {
    let source = Str::of(source);
    let encoding = match (options >> 8) as u8 {
        0 => source.encoding(),
        forced => crate::code::encoding_id(forced - 1),
    };
    special::make_interpolated_regexp(cx, source, encoding, options as u8)
}

pub fn array_concat(cx: &mut Cx, list: Value, more: Value) -> R<()> {
    Arr::of(list).append_all(cx, Arr::of(more)).or_raise(cx)
}

/// The Array for a splat; `fresh`: always a new one.
pub fn splat(cx: &mut Cx, v: Value, fresh: bool) -> R {
    let list = convert::splat(cx, v)?;
    // The result of to_a may be an Array that the object keeps.
    if fresh { Ok(list.dup(cx).or_raise(cx)?.value()) } else { Ok(list.value()) }
}

/// `{k => v, …}` from alternating keys and values.
pub fn new_hash(cx: &mut Cx, pairs: &[Value]) -> R {
    let made = HashRef::from_pairs(cx, pairs);
    Ok(keys::raise(cx, made)?.value())
}

/// Adds the entries of `from`; TypeError unless it is a Hash, as for `super` after an assignment to `**rest`.
pub fn hash_merge(cx: &mut Cx, into: Value, from: Value) -> R<()> {
    if HashRef::from_value(from).is_none() {
        let got = error::describe_for_conversion(cx, from);
        return Err(cx.type_error(&format!("wrong argument type {got} (expected Hash)")));
    }
    let merged = HashRef::of(into).merge(cx, HashRef::of(from));
    keys::raise(cx, merged)
}

/// ArgumentError "bad value for range" unless the ends compare.
pub fn check_range(cx: &mut Cx, low: Value, high: Value) -> R<()> {
    if low.both_fixnum(high) || low.is_nil() || high.is_nil() {
        return Ok(());
    }
    let compared = call::send(cx, low, sym::COMPARE, &[high])?;
    if compared.is_nil() { Err(cx.argument_error("bad value for range")) } else { Ok(()) }
}

/// Multiple assignment from the Array in `R[b]`: to `c` registers from `a` on, then to a splat and the registers after
/// it, according to the extension.
pub fn expand(cx: &mut Cx, registers: Window, i: Instruction, extension: Instruction) {
    let list = Arr::of(registers.get(i.b as usize));
    let (pre, splat, post) = (i.c as usize, extension.a != 0, extension.b as usize);
    let length = list.len();
    let to = registers.from(i.a as usize);
    for n in 0..pre {
        to.set(n, list.get(n).unwrap_or(Value::NIL));
    }
    if !splat {
        for n in 0..post {
            to.set(pre + n, list.get(pre + n).unwrap_or(Value::NIL));
        }
        return;
    }
    let middle = length.saturating_sub(pre + post);
    let rest = match list.slice(cx, pre.min(length), middle) {
        Ok(rest) => rest.value(),
        Err(_) => make::array(cx, &[]),
    };
    let after = pre + middle;
    for n in 0..post {
        to.set(pre + 1 + n, list.get(after + n).unwrap_or(Value::NIL));
    }
    to.set(pre, rest);
}
