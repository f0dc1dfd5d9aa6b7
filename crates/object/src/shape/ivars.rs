//! Instance variables of any object, found through its shape.
//!
//! ```text
//! object:    header | v0 | v1 | … | v(capacity-1)                 while count <= capacity
//!            header | v0 | … | v(capacity-2) | Fields cell        beyond: the rest is in a separate cell
//!            header | Hash                                        complex: a table
//! others:    a Fields cell outside of the object (see `attachment`)
//! Fields:    header | v0 | v1 | …
//! ```
//! Unused words hold undef.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use abi::{Header, ShapeId, Type, Value};

use super::ShapeTable;
use crate::{Known, Mem, Sym, attachment, cell, hash, symbol::table};

/// Objects with more variables than this are complex.
pub const MOST_FIELDS: usize = 120;

/// The location of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Word (1 = the first after the header) of the object.
    Inline(u16),
    /// Word `1` of the cell in word `0` of the object.
    Overflow(u16, u16),
}

/// The location of variable `index` in objects whose cells have `capacity` words and that have `count` variables.
#[inline]
pub fn place(index: u16, count: u16, capacity: u16) -> Place {
    if count <= capacity || index + 1 < capacity {
        Place::Inline(index + 1)
    } else {
        Place::Overflow(capacity, index + 2 - capacity)
    }
}

/// The place of the variable in `v`; `None` if its shape does not know it, or it is not set.
#[inline]
pub fn place_in(cx: &mut Mem, v: Value, name: Sym) -> Option<Place> {
    if !v.is_heap() || !has_own_fields(cell::header(v).ty()) {
        return None;
    }
    let id = cell::header(v).shape();
    let index = cx.world_mut().shapes.find(id, name)?;
    let shape = cx.world().shapes.get(id);
    (!shape.complex).then(|| place(index, shape.count, shape.capacity))
}

/// The values of these variables, if `v` has them, in this order, as the first ones in its cell. `known` caches a shape
/// for which this holds.
pub fn leading<const N: usize>(cx: &mut Mem, v: Value, names: &[Sym; N], known: &AtomicU32) -> Option<[Value; N]> {
    if !v.is_heap() || !has_own_fields(cell::header(v).ty()) {
        return None;
    }
    let shape = cell::header(v).shape();
    if known.load(Ordering::Relaxed) != shape.0 {
        let is_there = |cx: &mut Mem, i: usize| place_in(cx, v, names[i]) == Some(Place::Inline(i as u16 + 1));
        if !(0..N).all(|i| is_there(cx, i)) {
            return None;
        }
        known.store(shape.0, Ordering::Relaxed);
    }
    // SAFETY: all objects of the shape have these variables in their first words.
    Some(std::array::from_fn(|i| unsafe { cell::word(v, i + 1) }))
}

/// The shapes of objects before and after [`fill`] gave them their first variables.
pub struct Filled(AtomicU64);

impl Filled {
    /// No shapes yet.
    pub const fn new() -> Filled {
        Filled(AtomicU64::new(u64::MAX))
    }
}

impl Default for Filled {
    fn default() -> Filled {
        Filled::new()
    }
}

/// Sets these variables in this order; the object is not frozen. Fast if it has none yet; `known` caches its shapes.
pub fn fill<const N: usize>(cx: &mut Mem, v: Value, names: &[Sym; N], values: [Value; N], known: &Filled) {
    let root = cell::header(v).shape();
    let shapes_of = |before: ShapeId, after: ShapeId| u64::from(before.0) << 32 | u64::from(after.0);
    let cached = known.0.load(Ordering::Relaxed);
    let after = ShapeId(cached as u32);
    if cached == shapes_of(root, after)
        && has_own_fields(cell::header(v).ty())
        && shapes(cx).leads_to(root, after, names)
        && cx.world().shapes.get(after).capacity as usize >= N
    {
        for (i, value) in values.into_iter().enumerate() {
            // SAFETY: the cell has at least that many words, as its shape says.
            unsafe { cell::store(cx, v, i + 1, value) };
        }
        cell::set_header(v, cell::header(v).with_shape(after));
        return;
    }
    for (name, value) in names.iter().zip(values) {
        set(cx, v, *name, value);
    }
    known.0.store(shapes_of(root, cell::header(v).shape()), Ordering::Relaxed);
}

/// Whether instances of this type store their variables in their own cell.
#[inline(always)]
pub fn has_own_fields(ty: Type) -> bool {
    matches!(ty, Type::Object | Type::Exception)
}

/// A new object of `class`'s current root shape with no variables.
#[inline]
pub fn new_object(cx: &mut Mem, ty: Type, root: ShapeId) -> Value {
    let capacity = cx.world().shapes.get(root).capacity as usize;
    let v = cx.allocate(8 + 8 * capacity, Header::new(ty, root, 0));
    for i in 1..=capacity {
        // SAFETY: the cell has 1 + capacity words; undef is no reference.
        unsafe { cell::set_raw(v, i, Value::UNDEF.0) };
    }
    v
}

/// A copy of an object with its variables: a new object of its class, whose root shape is `root`. `None` if one of them
/// stores its variables in a table, or the object has a singleton class.
pub fn duplicate(cx: &mut Mem, v: Value, root: ShapeId) -> Option<Value> {
    let header = cell::header(v);
    let id = header.shape();
    if !has_own_fields(header.ty()) || cx.world().shapes.get(id).complex {
        return None;
    }
    let new = shapes(cx).moved(id, root)?;
    let (old_capacity, count) = (cx.world().shapes.get(id).capacity, cx.world().shapes.get(id).count);
    let capacity = cx.world().shapes.get(new).capacity;
    let copy = new_object(cx, header.ty(), root);
    let mut own_fields = copy;
    if count > capacity {
        own_fields = new_fields(cx, (count + 1 - capacity) as usize);
        // SAFETY: the last word of an object with more variables than its capacity is its Fields cell.
        unsafe { cell::store(cx, copy, capacity as usize, own_fields) };
    }
    // SAFETY: the last word of an object with more variables than its capacity is its Fields cell.
    let fields = if count > old_capacity { unsafe { cell::word(v, old_capacity as usize) } } else { v };
    for index in 0..count {
        // SAFETY: `place` names words of the object and its Fields cell, of which both objects have enough.
        unsafe {
            let value = match place(index, count, old_capacity) {
                Place::Inline(word) => cell::word(v, word as usize),
                Place::Overflow(_, word) => cell::word(fields, word as usize),
            };
            match place(index, count, capacity) {
                Place::Inline(word) => cell::store(cx, copy, word as usize, value),
                Place::Overflow(_, word) => cell::store(cx, own_fields, word as usize, value),
            }
        }
    }
    cell::set_header(copy, cell::header(copy).with_shape(new));
    Some(copy)
}

fn new_fields(cx: &mut Mem, words: usize) -> Value {
    let words = words.next_multiple_of(2) + 1;
    let v = cx.allocate(8 + 8 * words, Header::new(Type::Fields, Known::Fields.root_shape(), 0));
    for i in 1..heap::Mutator::cell_size(v) / 8 {
        // SAFETY: within the cell; undef is no reference.
        unsafe { cell::set_raw(v, i, Value::UNDEF.0) };
    }
    v
}

fn shapes(cx: &mut Mem) -> &mut ShapeTable {
    &mut cx.world_mut().shapes
}

/// The variable's value, or undef.
#[inline]
pub fn get(cx: &mut Mem, v: Value, name: Sym) -> Value {
    match quick_get(cx, v, name) {
        Some(value) => value,
        None => search(cx, v, name),
    }
}

/// The variable's value, if the object has it in its own cell and the shape's place of it is cached.
#[inline(always)]
pub fn quick_get(cx: &mut Mem, v: Value, name: Sym) -> Option<Value> {
    match place_in(cx, v, name)? {
        // SAFETY: the shape says that the object has this word.
        Place::Inline(word) => Some(unsafe { cell::word(v, word as usize) }),
        Place::Overflow(..) => None,
    }
}

fn search(cx: &mut Mem, v: Value, name: Sym) -> Value {
    if !v.is_heap() {
        return Value::UNDEF;
    }
    let header = cell::header(v);
    let shape = header.shape();
    if cx.world().shapes.get(shape).complex {
        let table = complex_table(cx, v);
        return hash::identity_get(table, name.value());
    }
    let Some(index) = shapes(cx).find(shape, name) else { return Value::UNDEF };
    read(cx, v, index)
}

fn complex_table(cx: &mut Mem, v: Value) -> Value {
    if has_own_fields(cell::header(v).ty()) {
        // SAFETY: a complex object's first word is its table.
        unsafe { cell::word(v, 1) }
    } else {
        attachment::variables(cx, v).unwrap_or(Value::UNDEF)
    }
}

/// Variable `index` of `v`, which has that many.
fn read(cx: &mut Mem, v: Value, index: u16) -> Value {
    let (at, word) = locate(cx, v, index);
    // SAFETY: `locate` returns a word of a live cell that holds a value.
    unsafe { cell::word(at, word as usize) }
}

fn locate(cx: &mut Mem, v: Value, index: u16) -> (Value, u16) {
    let header = cell::header(v);
    if !has_own_fields(header.ty()) {
        return (attachment::variables(cx, v).expect("a shape with variables has fields"), index + 1);
    }
    let shape = cx.world().shapes.get(header.shape());
    match place(index, shape.count, shape.capacity) {
        Place::Inline(word) => (v, word),
        // SAFETY: an object with more variables than its capacity has its Fields cell in its last word.
        Place::Overflow(at, word) => (unsafe { cell::word(v, at as usize) }, word),
    }
}

/// Sets the variable; the caller has checked that `v` is a heap cell and not frozen.
pub fn set(cx: &mut Mem, v: Value, name: Sym, to: Value) {
    let shape = cell::header(v).shape();
    if cx.world().shapes.get(shape).complex {
        let table = complex_table(cx, v);
        hash::identity_store(cx, table, name.value(), to);
        return;
    }
    if let Some(index) = shapes(cx).find(shape, name) {
        let (at, word) = locate(cx, v, index);
        // SAFETY: `locate` returns a word of a live cell that holds a value.
        unsafe { cell::store(cx, at, word as usize, to) };
        return;
    }
    table::pin(cx, name);
    match shapes(cx).transition(shape, name) {
        Some(next) => add(cx, v, next, to),
        None => {
            let table = make_complex(cx, v);
            hash::identity_store(cx, table, name.value(), to);
        }
    }
}

/// Gives `v` the shape `next`, which has one more variable, and sets that variable to `to`.
pub fn add(cx: &mut Mem, v: Value, next: ShapeId, to: Value) {
    let (count, capacity) = (cx.world().shapes.get(next).count, cx.world().shapes.get(next).capacity);
    let header = cell::header(v);
    if !has_own_fields(header.ty()) {
        shapes(cx).set_beside(next);
        add_foreign(cx, v, count, to);
    } else if count <= capacity {
        // SAFETY: the cell has 1 + capacity words.
        unsafe { cell::store(cx, v, count as usize, to) };
    } else {
        add_overflowing(cx, v, count, capacity, to);
    }
    cell::set_header(v, cell::header(v).with_shape(next));
    let class = cx.world().shapes.class(next);
    crate::class::learn_field_count(cx, class, count);
}

fn add_foreign(cx: &mut Mem, v: Value, count: u16, to: Value) {
    let old = attachment::variables(cx, v);
    let fields = grown(cx, old, count as usize);
    attachment::set_variables(cx, v, fields);
    // SAFETY: `grown` made room for `count` words.
    unsafe { cell::store(cx, fields, count as usize, to) };
}

/// Moves the object's last word to a Fields cell when it overflows for the first time.
fn add_overflowing(cx: &mut Mem, v: Value, count: u16, capacity: u16, to: Value) {
    let word = count + 1 - capacity;
    // SAFETY: word `capacity` is the object's last; before the first overflow it holds a variable, later the Fields
    // cell.
    let last = unsafe { cell::word(v, capacity as usize) };
    let fields = if count == capacity + 1 {
        let fields = new_fields(cx, 3);
        // SAFETY: the new cell has at least three words.
        unsafe { cell::store(cx, fields, 1, last) };
        fields
    } else {
        grown(cx, Some(last), word as usize)
    };
    // SAFETY: the cells have these words.
    unsafe {
        cell::store(cx, v, capacity as usize, fields);
        cell::store(cx, fields, word as usize, to);
    }
}

/// `fields` if it has room for `words`, otherwise a larger copy.
fn grown(cx: &mut Mem, fields: Option<Value>, words: usize) -> Value {
    let have = fields.map_or(0, |f| heap::Mutator::cell_size(f) / 8 - 1);
    if words <= have {
        return fields.expect("it has room");
    }
    let new = new_fields(cx, words.max(have + have / 2));
    if let Some(old) = fields {
        for i in 1..=have {
            // SAFETY: both cells have more than `have` words.
            unsafe { cell::store(cx, new, i, cell::word(old, i)) };
        }
    }
    new
}

/// Moves all variables of `v` into a table; returns the table.
fn make_complex(cx: &mut Mem, v: Value) -> Value {
    let header = cell::header(v);
    let names = cx.world().shapes.names(header.shape());
    let table = hash::new_identity(cx);
    for (index, name) in names.iter().enumerate() {
        let value = read(cx, v, index as u16);
        hash::identity_store(cx, table, name.value(), value);
    }
    let capacity = cx.world().shapes.get(header.shape()).capacity;
    let root = shapes(cx).complex_root(header.shape());
    if has_own_fields(header.ty()) {
        // SAFETY: an object has at least one word.
        unsafe { cell::store(cx, v, 1, table) };
        for i in 2..=capacity as usize {
            // SAFETY: within the cell; undef is no reference.
            unsafe { cell::set_raw(v, i, Value::UNDEF.0) };
        }
    } else {
        attachment::set_variables(cx, v, table);
    }
    cell::set_header(v, cell::header(v).with_shape(root));
    table
}

/// Removes the variable and returns its value, or undef.
pub fn remove(cx: &mut Mem, v: Value, name: Sym) -> Value {
    let value = get(cx, v, name);
    if value.is_undef() {
        return value;
    }
    let complex = cx.world().shapes.get(cell::header(v).shape()).complex;
    let table = if complex { complex_table(cx, v) } else { make_complex(cx, v) };
    hash::identity_delete(cx, table, name.value());
    value
}

/// The names of the variables that are set, in order.
pub fn names(cx: &mut Mem, v: Value) -> Vec<Sym> {
    if !v.is_heap() {
        return Vec::new();
    }
    let shape = cell::header(v).shape();
    if cx.world().shapes.get(shape).complex {
        let table = complex_table(cx, v);
        return hash::identity_keys(table).map(Sym::of).collect();
    }
    cx.world().shapes.names(shape)
}

/// Copies the variables of `from` to `to` (dup, clone).
pub fn copy(cx: &mut Mem, from: Value, to: Value) {
    for name in names(cx, from) {
        let value = get(cx, from, name);
        set(cx, to, name, value);
    }
}

/// Sets a variable that programs cannot name (an exception's message, for instance).
pub fn set_hidden(cx: &mut Mem, v: Value, name: Sym, to: Value) {
    set(cx, v, name, to);
}
