//! Method entries: owner, kind, body and visibility of a method in a class.
//!
//! ```text
//! header | owner | found in | name | original name | body | native | attributes | lexical scope
//! native: a tagged pointer; attributes: visibility and kind, a fixnum
//! ```

use abi::{Flags, Header, Type, Value};

use crate::{Known, Mem, Sym, cell};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Visibility {
    Public,
    Private,
    Protected,
}

/// The effect of calling the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// `body` is the instruction sequence.
    Sequence,
    /// A function of a method table.
    Native,
    /// `body` is the variable's name.
    AttributeReader,
    AttributeWriter,
    /// `body` is a Proc (define_method).
    Block,
    /// `body` is another entry (an alias; a method object given to define_method).
    Alias,
    /// Changes only the visibility of a method further up in the ancestors.
    ZSuper,
    /// `undef_method`.
    Undefined,
    /// `body` is a Struct member's index.
    StructReader,
    StructWriter,
    /// A refinement of the method exists: `body` is the original method (or nil).
    Refined,
}

const OWNER: usize = 1;
const FOUND_IN: usize = 2;
const NAME: usize = 3;
const ORIGINAL_NAME: usize = 4;
const BODY: usize = 5;
const NATIVE: usize = 6;
const ATTRIBUTES: usize = 7;
const CREF: usize = 8;
const WORDS: usize = 9;

/// The contents of an entry.
#[derive(Clone, Copy)]
pub struct Entry {
    pub owner: Value,
    pub found_in: Value,
    pub name: Sym,
    pub original_name: Sym,
    pub body: Value,
    /// Address of the method table's row, or null.
    pub native: *const (),
    pub kind: Kind,
    pub visibility: Visibility,
    /// Whether calls are traced as those of a method in Ruby ([`is_as_ruby`]).
    pub as_ruby: bool,
    /// The lexical scope of a method's code; for methods of `attr_reader` and its like, [path, line] of their
    /// definition; otherwise nil.
    pub cref: Value,
}

impl Entry {
    /// A method that `owner` defines under that name, without body, native function and lexical scope.
    pub fn of(owner: Value, name: Sym, kind: Kind, visibility: Visibility) -> Entry {
        Entry {
            owner,
            found_in: owner,
            name,
            original_name: name,
            body: Value::NIL,
            native: std::ptr::null(),
            kind,
            visibility,
            as_ruby: false,
            cref: Value::NIL,
        }
    }
}

pub fn new(cx: &mut Mem, e: Entry) -> Value {
    let v = cx.allocate(8 * WORDS, Header::new(Type::MethodEntry, Known::MethodEntry.root_shape(), Flags::FROZEN));
    let as_ruby = if e.as_ruby { AS_RUBY } else { 0 };
    let attributes = Value::fixnum(e.kind as i64 | (e.visibility as i64) << 8 | as_ruby);
    let words = [
        e.owner,
        e.found_in,
        e.name.value(),
        e.original_name.value(),
        e.body,
        Value(e.native as u64 | 1),
        attributes,
        e.cref,
    ];
    for (i, word) in words.into_iter().enumerate() {
        // SAFETY: the cell has WORDS words and was allocated just now.
        unsafe { cell::set_raw(v, i + 1, word.0) };
    }
    v
}

/// The parts of an entry.
pub fn read(v: Value) -> Entry {
    Entry {
        owner: owner(v),
        found_in: found_in(v),
        name: name(v),
        original_name: original_name(v),
        body: body(v),
        native: native(v),
        kind: kind(v),
        visibility: visibility(v),
        as_ruby: is_as_ruby(v),
        cref: word(v, CREF),
    }
}

#[inline(always)]
fn word(v: Value, index: usize) -> Value {
    debug_assert!(cell::is(v, Type::MethodEntry));
    // SAFETY: an entry has WORDS words, all values.
    unsafe { cell::word(v, index) }
}

/// The class or module in whose method table it is.
#[inline(always)]
pub fn owner(v: Value) -> Value {
    word(v, OWNER)
}

/// The class in whose segment the owner was found: where `super` continues.
#[inline(always)]
pub fn found_in(v: Value) -> Value {
    word(v, FOUND_IN)
}

/// The name by which it is called.
#[inline(always)]
pub fn name(v: Value) -> Sym {
    // SAFETY: `new` writes a symbol there.
    unsafe { Sym::new_unchecked(word(v, NAME)) }
}

/// The name it was defined with.
#[inline(always)]
pub fn original_name(v: Value) -> Sym {
    // SAFETY: `new` writes a symbol there.
    unsafe { Sym::new_unchecked(word(v, ORIGINAL_NAME)) }
}

#[inline(always)]
pub fn body(v: Value) -> Value {
    word(v, BODY)
}

/// The lexical scope of a method that is code.
#[inline(always)]
pub fn cref(v: Value) -> Value {
    debug_assert!(!is_attribute(v));
    word(v, CREF)
}

/// The lexical scope of a method of any kind, or nil.
#[inline]
pub fn scope_of(v: Value) -> Value {
    if is_attribute(v) { Value::NIL } else { word(v, CREF) }
}

/// [path, line] of the definition of a method of `attr_reader` and its like, or nil.
pub fn place(v: Value) -> Value {
    if is_attribute(v) { word(v, CREF) } else { Value::NIL }
}

fn is_attribute(v: Value) -> bool {
    matches!(kind(v), Kind::AttributeReader | Kind::AttributeWriter)
}

#[inline(always)]
pub fn native(v: Value) -> *const () {
    (word(v, NATIVE).0 & !1) as *const ()
}

#[inline(always)]
pub fn kind(v: Value) -> Kind {
    let bits = (word(v, ATTRIBUTES).fixnum_value() & 0xff) as u8;
    debug_assert!(bits <= Kind::Refined as u8);
    // SAFETY: the byte was written from a Kind.
    unsafe { std::mem::transmute::<u8, Kind>(bits) }
}

#[inline(always)]
pub fn visibility(v: Value) -> Visibility {
    match (word(v, ATTRIBUTES).fixnum_value() >> 8) & 3 {
        0 => Visibility::Public,
        1 => Visibility::Private,
        _ => Visibility::Protected,
    }
}

/// Set for both methods of an alias: replacing one of them, even by `alias name name` and a definition, is intended.
const ALIASED: i64 = 1 << 10;

/// Records that the method has an alias or is one.
pub fn mark_aliased(v: Value) {
    mark(v, ALIASED);
}

pub fn is_aliased(v: Value) -> bool {
    is_marked(v, ALIASED)
}

/// Set for a core method whose calls are traced as those of methods in Ruby.
const AS_RUBY: i64 = 1 << 11;

/// Records that calls of the method are traced as those of a method in Ruby.
pub fn mark_as_ruby(v: Value) {
    mark(v, AS_RUBY);
}

pub fn is_as_ruby(v: Value) -> bool {
    is_marked(v, AS_RUBY)
}

/// Sets one of the bits above the visibility.
fn mark(v: Value, bit: i64) {
    let attributes = Value::fixnum(word(v, ATTRIBUTES).fixnum_value() | bit);
    // SAFETY: an entry has WORDS words; a fixnum needs no barrier.
    unsafe { cell::set_raw(v, ATTRIBUTES, attributes.0) };
}

fn is_marked(v: Value, bit: i64) -> bool {
    word(v, ATTRIBUTES).fixnum_value() & bit != 0
}

pub fn is_undefined(v: Value) -> bool {
    kind(v) == Kind::Undefined
}

/// A copy of the entry that records that the method was found in the segment of `class`.
pub fn complement(cx: &mut Mem, v: Value, class: Value) -> Value {
    new(cx, Entry { found_in: class, ..read(v) })
}

/// The original entry of an alias, resolved transitively.
pub fn resolve_alias(v: Value) -> Value {
    let mut v = v;
    while kind(v) == Kind::Alias {
        v = body(v);
    }
    v
}
