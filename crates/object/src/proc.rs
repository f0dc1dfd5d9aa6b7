//! Procs: a block as an object.
//!
//! ```text
//! header | environment | code or source | self
//! header bits: 10 lambda, 11 from a method, 12 from a symbol, 13 ruby2_keywords, 14 native, 15 isolated,
//!              16 method of a Ractor
//! ```
//! For a block, `code` is its instruction sequence. For a symbol or method (`&:name`, Method#to_proc), `environment` is
//! nil and `code` is that symbol or Method. For a native Proc, `code` is a native closure.

use abi::{Type, Value};

use crate::{Mem, cell, class};

pub const LAMBDA: u32 = 1 << 10;
pub const FROM_METHOD: u32 = 1 << 11;
pub const FROM_SYMBOL: u32 = 1 << 12;
pub const RUBY2_KEYWORDS: u32 = 1 << 13;
/// `code` is a native closure.
pub const NATIVE: u32 = 1 << 14;
/// Its environment is a copy of its own, for Ractors: see [`crate::environment::isolated`].
pub const ISOLATED: u32 = 1 << 15;
/// A Ractor other than the main one defined a method with it.
pub const METHOD_OF_RACTOR: u32 = 1 << 16;

/// The words of a Proc's parts, for compiled code, too.
pub const ENVIRONMENT: usize = 1;
pub const CODE: usize = 2;
pub const RECEIVER: usize = 3;

/// A Proc of class `proc_class` (Proc or a subclass).
pub fn new(cx: &mut Mem, proc_class: Value, environment: Value, code: Value, me: Value, flags: u32) -> Value {
    let shape = class::root_shape(proc_class);
    let v = cx.allocate(32, abi::Header::new(Type::Proc, shape, flags));
    for (place, word) in [(ENVIRONMENT, environment), (CODE, code), (RECEIVER, me)] {
        // SAFETY: 32 bytes are four words.
        unsafe { cell::set_raw(v, place, word.0) };
    }
    v
}

#[inline(always)]
fn word(v: Value, index: usize) -> Value {
    debug_assert!(cell::is(v, Type::Proc));
    // SAFETY: a Proc has four words.
    unsafe { cell::word(v, index) }
}

#[inline(always)]
pub fn environment(v: Value) -> Value {
    word(v, ENVIRONMENT)
}

#[inline(always)]
pub fn code(v: Value) -> Value {
    word(v, CODE)
}

#[inline(always)]
pub fn receiver(v: Value) -> Value {
    word(v, RECEIVER)
}

#[inline(always)]
pub fn is_lambda(v: Value) -> bool {
    cell::header(v).has(LAMBDA)
}

/// Detaches the block from the enclosing scopes: from now on its environment is `environment`, an isolated one.
pub fn isolate(cx: &mut Mem, v: Value, environment: Value) {
    debug_assert!(cell::is(v, Type::Proc) && crate::environment::is_isolated(environment));
    // SAFETY: a Proc has four words.
    unsafe { cell::store(cx, v, ENVIRONMENT, environment) };
    cell::set_header(v, cell::header(v).with(ISOLATED));
}
