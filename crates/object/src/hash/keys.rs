//! Hashing and comparing keys.
//!
//! Keys of the core classes that Ruby itself hashes natively never run Ruby. All others go through [`Keys`], whose
//! functions may have any side effect, and may even change the table.

use std::ops::{Deref, DerefMut};

use abi::{Flags, Type, Value};

use super::layout::Error;
use crate::string::Str;
use crate::{Known, Mem, bigint, cell, class, float};

/// A context that can call the `hash` and `eql?` of a program.
pub trait Keys: DerefMut<Target = Mem> {
    type Error: From<Error>;

    /// `key.hash`, with all the bits that the program returned.
    fn hash_key(&mut self, key: Value) -> Result<u64, Self::Error>;

    /// `a.eql?(b)`.
    fn equal_keys(&mut self, a: Value, b: Value) -> Result<bool, Self::Error>;
}

/// The lesser context, for operations with a key that it can hash itself. They fail with [`Error::NeedsRuby`] before
/// they change the table if they also need the hash value of another key, as a table does that gets its index, or have
/// to compare with a String of a subclass. Other keys are compared by identity.
pub struct BuiltinKeys<'a>(pub &'a mut Mem);

impl Deref for BuiltinKeys<'_> {
    type Target = Mem;
    fn deref(&self) -> &Mem {
        self.0
    }
}

impl DerefMut for BuiltinKeys<'_> {
    fn deref_mut(&mut self) -> &mut Mem {
        self.0
    }
}

impl Keys for BuiltinKeys<'_> {
    type Error = Error;

    fn hash_key(&mut self, _: Value) -> Result<u64, Error> {
        Err(Error::NeedsRuby)
    }

    fn equal_keys(&mut self, a: Value, b: Value) -> Result<bool, Error> {
        // The `eql?` of the class of a String subclass decides.
        let strings = cell::is(a, Type::String) && cell::is(b, Type::String);
        if strings && a != b { Err(Error::NeedsRuby) } else { Ok(a == b) }
    }
}

/// The seeded hash value of a word.
#[inline(always)]
pub fn mix(cx: &Mem, word: u64) -> u64 {
    let (k0, k1) = cx.world().hash_seed;
    fold(word ^ k0, k1 | 1)
}

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd1b5_4a32_d192_ed02);
    product as u64 ^ (product >> 64) as u64
}

/// The hash value of a key compared by identity. Unseeded, because programs cannot choose addresses.
#[inline(always)]
pub(super) fn identity_hash(key: Value) -> u64 {
    fold(key.0, 0x2545_f491_4f6c_dd1d)
}

/// The hash value of a value whose class Ruby hashes natively; `None` for all others.
#[inline(always)]
pub fn builtin_hash(cx: &Mem, key: Value) -> Option<u64> {
    if key.is_heap() { hash_of_cell(cx, key) } else { Some(mix(cx, key.0)) }
}

/// Whether `builtin_hash` has a result for a heap value.
#[inline]
pub fn has_builtin_hash(cx: &Mem, key: Value) -> bool {
    is_of_basic_type(key) || is_by_identity(cx, key)
}

/// Whether a heap value is hashed by its content, which no method can change.
#[inline]
pub(super) fn is_of_basic_type(key: Value) -> bool {
    matches!(cell::header(key).ty(), Type::String | Type::Float | Type::BigInteger | Type::Symbol)
}

/// Whether it is known that an object is equal as a key only to itself.
#[inline]
fn is_by_identity(cx: &Mem, key: Value) -> bool {
    let class = class::class_of(cx, key);
    class::is_module(class) && class::flags(class).are_keys_by_identity == Some(true)
}

/// The hash value of an object by its identity. It is computed from the address, so the object is never moved
/// afterwards.
#[inline]
pub fn hash_by_identity(cx: &Mem, v: Value) -> u64 {
    if v.is_heap() && !cell::header(v).has(Flags::ADDRESS_TAKEN) {
        cell::set_header(v, cell::header(v).with(Flags::ADDRESS_TAKEN));
    }
    mix(cx, v.0)
}

#[inline(never)]
fn hash_of_cell(cx: &Mem, key: Value) -> Option<u64> {
    match cell::header(key).ty() {
        Type::String => {
            // SAFETY: the type was tested.
            Some(unsafe { Str::new_unchecked(key) }.hash(cx))
        }
        Type::Float => {
            let f = float::value(key);
            // -0.0 is `eql?` to 0.0, which is an immediate.
            let zero = Value::try_flonum(0.0).unwrap_or(Value::NIL);
            Some(mix(cx, if f == 0.0 { zero.0 } else { f.to_bits() }))
        }
        Type::BigInteger => {
            let parts = bigint::parts(&key);
            // The initial value is not 0, so that one limb does not hash like the fixnum with the same bits.
            let mut hash = if parts.negative { 0x9e37_79b9_7f4a_7c15 } else { 0xc2b2_ae3d_27d4_eb4f_u64 };
            for limb in parts.limbs {
                hash = mix(cx, hash.rotate_left(29) ^ limb);
            }
            Some(hash)
        }
        Type::Symbol => {
            // The symbol is hashed by its name, because a compaction may move the symbol. SAFETY: a heap symbol's
            // second word is the hash.
            Some(mix(cx, unsafe { cell::raw(key, 2) }))
        }
        _ => is_by_identity(cx, key).then(|| hash_by_identity(cx, key)),
    }
}

/// The number that Ruby code sees as the `hash` of a value with this hash value. Tables use the number for lookup, so
/// that an object with the same `hash` (a wrapper, a delegator) finds the entry.
#[inline(always)]
pub fn number_of(hash: u64) -> i64 {
    hash as i64 >> 2
}

/// Whether two keys are equal, if that is known without running Ruby. `a` is the key being searched.
#[inline(always)]
pub(super) fn builtin_equal(a: Value, b: Value) -> Option<bool> {
    if a == b {
        return Some(true);
    }
    if !a.is_heap() {
        // Only zero has two forms: -0.0 is boxed.
        return Some(a.is_flonum() && b.is_heap() && float::get(b).is_some_and(|b| b == a.flonum_value()));
    }
    equal_cell(a, b)
}

#[inline(never)]
fn equal_cell(a: Value, b: Value) -> Option<bool> {
    let header = cell::header(a);
    match header.ty() {
        Type::String if header.shape() == Known::String.root_shape() => match Str::from_value(b) {
            None => Some(false),
            Some(other) if cell::header(b).shape() == Known::String.root_shape() => {
                // SAFETY: the type was tested.
                Some(unsafe { Str::new_unchecked(a) }.equal(other))
            }
            Some(_) => None,
        },
        Type::Float => Some(float::get(b).is_some_and(|b| b == float::value(a))),
        Type::BigInteger => Some(bigint::is(b) && same_integer(a, b)),
        Type::Symbol => Some(false),
        _ => None,
    }
}

fn same_integer(a: Value, b: Value) -> bool {
    let (a, b) = (bigint::parts(&a), bigint::parts(&b));
    a.negative == b.negative && a.limbs == b.limbs
}
