//! The directives `p` and `P`: addresses of Strings, only usable for unpacking. A packed String refers to the Strings
//! whose addresses it contains, so that an address is only looked up among live Strings, and never dereferenced.

use abi::Value;
use object::{array::Arr, bigint, shape::ivars, string::Str, symbol};
use runtime::{Cx, R, make};
use text::EncodingId;

/// The hidden variable of a packed String, an Array: addresses, each followed by its String.
const ASSOCIATED: &str = "__associated";

/// Records a String whose address is packed, in `associated` or a new Array; returns the address.
pub fn note(cx: &mut Cx, associated: &mut Value, s: Str) -> u64 {
    if associated.is_nil() {
        *associated = make::array(cx, &[]);
    }
    let address = s.bytes(cx).as_ptr() as u64;
    let number = bigint::from_u64(cx, address);
    make::push(cx, *associated, number);
    make::push(cx, *associated, s.value());
    address
}

/// Stores the recorded Strings in the packed String.
pub fn associate(cx: &mut Cx, packed: Value, associated: Value) {
    if !associated.is_nil() {
        let name = symbol::table::intern_text(cx, ASSOCIATED);
        ivars::set_hidden(cx, packed, name, associated);
    }
}

/// The String at a packed address: `length` bytes of it, or up to a NUL.
pub fn follow(cx: &mut Cx, packed: Value, address: u64, length: Option<usize>) -> R {
    let name = symbol::table::intern_text(cx, ASSOCIATED);
    let associated = ivars::get(cx, packed, name);
    if associated.is_undef() {
        return Err(cx.argument_error("no associated pointer"));
    }
    let number = bigint::from_u64(cx, address);
    let found = Arr::of(associated).groups::<2>().find(|pair| same_number(pair[0], number)).map(|pair| pair[1]);
    let Some(s) = found.and_then(Str::from_value) else { return Err(cx.argument_error("non associated pointer")) };
    let bytes = s.bytes(cx);
    let length = match length {
        Some(length) => length.min(bytes.len()),
        None => bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len()),
    };
    let result = make::string(cx, &s.to_vector()[..length], EncodingId::BINARY);
    associate(cx, result, associated);
    Ok(result)
}

fn same_number(a: Value, b: Value) -> bool {
    match (bigint::operand(&a), bigint::operand(&b)) {
        (Some(a), Some(b)) => numeric::big::eq(a, b),
        _ => false,
    }
}
