//! Combining and comparing Sets: the frequent case of plain Sets and Arrays, on their tables. Subclasses, other
//! collections and most Sets that compare by identity are left to the Ruby half.

use std::cmp::Ordering;

use abi::Type;
use object::{
    Known,
    array::Arr,
    cell, class,
    hash::{BuiltinKeys, HashRef},
    range,
    shape::ivars,
};
use runtime::{Args, Cx, R, Root, Value, allocators, keys, sym};

/// The operand that is combined with a Set.
enum Source {
    Set(HashRef),
    Array(Arr),
}

/// The table of an instance of Set itself that has no instance variables and compares its elements by `eql?`.
pub fn table_of(cx: &mut Cx, v: Value) -> Option<HashRef> {
    any_table_of(cx, v).filter(|table| !table.is_by_identity())
}

/// The table of an instance of Set itself that has no instance variables.
fn any_table_of(cx: &mut Cx, v: Value) -> Option<HashRef> {
    if !v.is_heap() || class::class_of(cx, v) != cx.root(Root::Set) {
        return None;
    }
    let shape = cx.world().shapes.get(cell::header(v).shape());
    if shape.count != 1 || shape.complex {
        return None;
    }
    HashRef::from_value(ivars::get(cx, v, sym::SET_TABLE))
}

impl Source {
    fn len(&self) -> usize {
        match self {
            Source::Set(other) => other.len(),
            Source::Array(list) => list.len(),
        }
    }
}

fn any_source(cx: &mut Cx, v: Value) -> Option<Source> {
    match any_table_of(cx, v) {
        Some(table) => Some(Source::Set(table)),
        None if cell::is(v, Type::Array) => Some(Source::Array(Arr::of(v))),
        None => None,
    }
}

fn source(cx: &mut Cx, v: Value) -> Option<Source> {
    any_source(cx, v).filter(|source| !matches!(source, Source::Set(table) if table.is_by_identity()))
}

fn both(cx: &mut Cx, args: Args) -> Option<(HashRef, Source)> {
    let me = table_of(cx, args.me())?;
    Some((me, source(cx, args.at(0))?))
}

fn two_sets(cx: &mut Cx, args: Args) -> Option<(HashRef, HashRef)> {
    Some((table_of(cx, args.me())?, table_of(cx, args.at(0))?))
}

/// A Set with this table.
fn wrap(cx: &mut Cx, table: HashRef) -> Value {
    let class = cx.root(Root::Set);
    wrap_in(cx, class, table)
}

/// An instance of Set or of a subclass with this table.
fn wrap_in(cx: &mut Cx, class: Value, table: HashRef) -> Value {
    let set = allocators::plain(cx, class);
    ivars::set_hidden(cx, set, sym::SET_TABLE, table.value());
    set
}

fn copy(cx: &mut Cx, table: HashRef) -> HashRef {
    HashRef::of(keys::dup(cx, table.value()))
}

/// The most entries that room is made for before they are known to differ.
const MOST_ROOM: usize = 1 << 16;

/// An empty table with room for as many entries, up to a limit.
fn roomy(cx: &mut Cx, entries: usize) -> R<HashRef> {
    let made = HashRef::with_capacity(cx, entries.min(MOST_ROOM));
    made.map_err(|error| keys::raise_table_error(cx, error))
}

fn store_all(cx: &mut Cx, table: HashRef, source: Source) -> R<()> {
    match source {
        Source::Set(other) => {
            let merged = table.merge(cx, other);
            keys::raise(cx, merged)
        }
        Source::Array(list) => {
            let mut i = 0;
            while let Some(element) = list.get(i) {
                keys::store_in_set(cx, table.value(), element)?;
                i += 1;
            }
            Ok(())
        }
    }
}

fn delete_all(cx: &mut Cx, table: HashRef, source: Source) -> R<()> {
    match source {
        Source::Set(other) => {
            let mut at = 0;
            while let Some((next, key, _)) = other.next(at) {
                let deleted = table.delete_entry(cx, other, next - 1, key);
                keys::raise(cx, deleted)?;
                at = next;
            }
        }
        Source::Array(list) => {
            let mut i = 0;
            while let Some(element) = list.get(i) {
                keys::delete(cx, table.value(), element)?;
                i += 1;
            }
        }
    }
    Ok(())
}

/// About how many elements of `other` a table does not contain, by some of them: room for all would make a table that
/// is shrunk again when it already contains most of them.
fn missing(cx: &mut Cx, table: HashRef, other: &Source) -> R<usize> {
    const SAMPLES: usize = 8;
    let len = other.len();
    let Source::Set(other) = other else { return Ok(len.min(MOST_ROOM)) };
    if len < 4 * SAMPLES {
        return Ok(len);
    }
    let mut missing = 0;
    for sample in 0..SAMPLES {
        if let Some((next, key, _)) = other.next(len / SAMPLES * sample) {
            let found = table.position_of_entry(cx, *other, next - 1, key);
            missing += usize::from(keys::raise(cx, found)?.is_none());
        }
    }
    Ok((len * missing / SAMPLES).min(MOST_ROOM))
}

/// The entries of `from` that `other` contains, or does not contain.
fn filtered(cx: &mut Cx, from: HashRef, other: HashRef, wanted: bool) -> R<HashRef> {
    let most = if wanted { from.len().min(other.len()) } else { from.len() };
    let result = roomy(cx, most)?;
    let mut at = 0;
    while let Some((next, key, value)) = from.next(at) {
        let found = other.position_of_entry(cx, from, next - 1, key);
        if keys::raise(cx, found)?.is_some() == wanted {
            let adopted = result.adopt_entry(cx, from, next - 1, (key, value));
            keys::raise(cx, adopted)?;
        }
        at = next;
    }
    result.fit(cx);
    Ok(result)
}

/// The first and the last number of a Range of small Integers.
fn numbers(cx: &mut Cx, v: Value) -> Option<(i64, i64)> {
    if !cell::is(v, Type::Range) || class::class_of(cx, v) != cx.class(Known::Range) {
        return None;
    }
    let (first, last) = (range::begin(v).as_fixnum()?, range::end(v).as_fixnum()?);
    Some((first, last - i64::from(range::is_exclusive(v))))
}

/// `Set[*values] → set`: a Set of these values, without a call of `initialize`.
pub fn literal(cx: &mut Cx, args: Args) -> R {
    let table = roomy(cx, args.len())?;
    for &value in args.all() {
        keys::store(cx, table.value(), value, Value::TRUE)?;
    }
    table.fit(cx);
    Ok(wrap_in(cx, args.me(), table))
}

/// `initialize(source = nil)`: fills a new Set from an Array or a Set.
pub fn initialize(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let table = ivars::get(cx, me, sym::SET_TABLE);
    let Some(table) = HashRef::from_value(table).filter(|table| table.is_empty()) else { return Ok(Value::UNDEF) };
    if cell::frozen(me) {
        return Ok(Value::UNDEF);
    }
    if let Some(given) = args.non_nil(0) {
        if let Some((first, last)) = numbers(cx, given) {
            for number in first..=last {
                keys::store(cx, table.value(), Value::fixnum(number), Value::TRUE)?;
            }
            return Ok(me);
        }
        let Some(source) = source(cx, given) else { return Ok(Value::UNDEF) };
        let table = match &source {
            Source::Array(list) if !table.is_by_identity() => {
                let roomy = roomy(cx, list.len())?;
                ivars::set_hidden(cx, me, sym::SET_TABLE, roomy.value());
                roomy
            }
            _ => table,
        };
        store_all(cx, table, source)?;
        table.fit(cx);
    }
    Ok(me)
}

/// `set | elements → set`: the elements of both. Aliases: `+`, `union`.
pub fn union(cx: &mut Cx, args: Args) -> R {
    let Some((me, other)) = both(cx, args) else { return Ok(Value::UNDEF) };
    let room = missing(cx, me, &other)?;
    let result = HashRef::with_entries_and_room(cx, me, room);
    let result = result.map_err(|error| keys::raise_table_error(cx, error))?;
    store_all(cx, result, other)?;
    result.fit(cx);
    Ok(wrap(cx, result))
}

/// `set & elements → set`: the elements contained in both, in the order of the argument, or of the receiver if that is
/// a smaller Set. Alias: `intersection`.
pub fn intersection(cx: &mut Cx, args: Args) -> R {
    let Some((me, other)) = both(cx, args) else { return Ok(Value::UNDEF) };
    let result = match other {
        Source::Set(other) if other.len() > me.len() => filtered(cx, me, other, true)?,
        Source::Set(other) => filtered(cx, other, me, true)?,
        Source::Array(list) => {
            let result = HashRef::new(cx);
            let mut i = 0;
            while let Some(element) = list.get(i) {
                if keys::get(cx, me.value(), element)?.is_some() {
                    keys::store(cx, result.value(), element, Value::TRUE)?;
                }
                i += 1;
            }
            result
        }
    };
    Ok(wrap(cx, result))
}

/// `set - elements → set`: the receiver's elements without those of the argument. Alias: `difference`.
pub fn difference(cx: &mut Cx, args: Args) -> R {
    let Some((me, other)) = both(cx, args) else { return Ok(Value::UNDEF) };
    let result = match other {
        // Adds the few that remain, or deletes the few that do not.
        Source::Set(other) if other.len() >= me.len() / 2 => filtered(cx, me, other, false)?,
        other => {
            let result = copy(cx, me);
            delete_all(cx, result, other)?;
            result
        }
    };
    Ok(wrap(cx, result))
}

/// `set ^ elements → set`: the elements contained in only one of the two, those of the receiver first.
pub fn exclusive(cx: &mut Cx, args: Args) -> R {
    let Some((me, other)) = both(cx, args) else { return Ok(Value::UNDEF) };
    let other = match other {
        Source::Set(other) => other,
        Source::Array(list) => {
            let table = roomy(cx, list.len())?;
            store_all(cx, table, Source::Array(list))?;
            table
        }
    };
    let room = missing(cx, me, &Source::Set(other))?;
    let result = HashRef::with_entries_and_room(cx, me, room);
    let result = result.map_err(|error| keys::raise_table_error(cx, error))?;
    let mut at = 0;
    while let Some((next, key, value)) = other.next(at) {
        let found = result.position_of_entry(cx, other, next - 1, key);
        match keys::raise(cx, found)? {
            Some(position) => result.delete_at(cx, position),
            None => {
                let adopted = result.adopt_entry(cx, other, next - 1, (key, value));
                keys::raise(cx, adopted)?;
            }
        }
        at = next;
    }
    result.fit(cx);
    Ok(wrap(cx, result))
}

/// `merge(elements) → self`: adds the elements of one Set or Array; several are left to the Ruby half.
pub fn merge(cx: &mut Cx, args: Args) -> R {
    if args.len() != 1 {
        return Ok(Value::UNDEF);
    }
    let Some(me) = any_table_of(cx, args.me()) else { return Ok(Value::UNDEF) };
    let Some(other) = any_source(cx, args.at(0)) else { return Ok(Value::UNDEF) };
    cx.check_frozen(args.me())?;
    if me.is_iterating() {
        return Ok(Value::UNDEF);
    }
    let room = if me.is_empty() { other.len().min(MOST_ROOM) } else { 0 };
    let reserved = me.reserve(cx, room);
    reserved.map_err(|error| keys::raise_table_error(cx, error))?;
    store_all(cx, me, other)?;
    if room > 0 && !me.is_iterating() {
        me.fit(cx);
    }
    Ok(args.me())
}

/// `replace(source) → self`: takes over the elements of a Set, and its way of comparing them; other collections are
/// left to the Ruby half.
pub fn replace(cx: &mut Cx, args: Args) -> R {
    let sets = cx.root(Root::Set);
    if cell::frozen(args.me()) || !class::is_a(cx, args.at(0), sets) {
        return Ok(Value::UNDEF);
    }
    let [me, other] = [args.me(), args.at(0)].map(|v| HashRef::from_value(ivars::get(cx, v, sym::SET_TABLE)));
    let (Some(me), Some(other)) = (me.filter(|me| !me.is_iterating()), other) else { return Ok(Value::UNDEF) };
    let replaced = me.replace_entries(cx, other);
    replaced.map_err(|error| keys::raise_table_error(cx, error))?;
    Ok(args.me())
}

/// `compare_by_identity → self`: compares elements by identity from now on; during an iteration in the Ruby half.
pub fn compare_by_identity(cx: &mut Cx, args: Args) -> R {
    let table = HashRef::from_value(ivars::get(cx, args.me(), sym::SET_TABLE));
    let may_change = !cell::frozen(args.me());
    let Some(table) = table.filter(|table| may_change && !table.is_iterating()) else { return Ok(Value::UNDEF) };
    let changed = table.compare_by_identity(cx);
    changed.map_err(|error| keys::raise_table_error(cx, error))?;
    Ok(args.me())
}

/// `subtract(elements) → self`: deletes the elements of a Set or Array.
pub fn subtract(cx: &mut Cx, args: Args) -> R {
    if args.me() == args.at(0) {
        return Ok(Value::UNDEF);
    }
    let Some((me, other)) = both(cx, args) else { return Ok(Value::UNDEF) };
    cx.check_frozen(args.me())?;
    delete_all(cx, me, other)?;
    Ok(args.me())
}

/// `initialize_copy(other) → self`: takes over a copy of the other Set's table; frozen receivers and objects of other
/// classes are left to the Ruby half.
pub fn initialize_copy(cx: &mut Cx, args: Args) -> R {
    let (me, other, sets) = (args.me(), args.at(0), cx.root(Root::Set));
    if cell::frozen(me) || !class::is_a(cx, other, sets) {
        return Ok(Value::UNDEF);
    }
    let Some(table) = HashRef::from_value(ivars::get(cx, other, sym::SET_TABLE)) else { return Ok(Value::UNDEF) };
    let table = copy(cx, table);
    ivars::set_hidden(cx, me, sym::SET_TABLE, table.value());
    Ok(me)
}

/// `to_set → self`: the Set itself; arguments, blocks and subclasses are left to the Ruby half.
pub fn to_set(cx: &mut Cx, args: Args) -> R {
    let is_plain = args.is_empty() && class::class_of(cx, args.me()) == cx.root(Root::Set);
    Ok(if is_plain { args.me() } else { Value::UNDEF })
}

/// `flatten → set`: a copy of a Set whose elements are words; others are left to the Ruby half.
pub fn flatten(cx: &mut Cx, args: Args) -> R {
    let Some(me) = table_of(cx, args.me()).filter(|me| me.entries().all(|(v, _)| v.is_word())) else {
        return Ok(Value::UNDEF);
    };
    let result = copy(cx, me);
    Ok(wrap(cx, result))
}

/// `subset?(set) → true or false`: whether the argument contains all elements of the receiver. Alias: `<=`.
pub fn is_subset(cx: &mut Cx, args: Args) -> R {
    let Some((me, other)) = two_sets(cx, args) else { return Ok(Value::UNDEF) };
    has_all(cx, other, me)
}

/// `superset?(set) → true or false`: whether the receiver contains all elements of the argument. Alias: `>=`.
pub fn is_superset(cx: &mut Cx, args: Args) -> R {
    let Some((me, other)) = two_sets(cx, args) else { return Ok(Value::UNDEF) };
    has_all(cx, me, other)
}

fn has_all(cx: &mut Cx, whole: HashRef, part: HashRef) -> R {
    if part.len() > whole.len() {
        return Ok(Value::FALSE);
    }
    let has = whole.has_keys_of(cx, part);
    Ok(Value::bool(keys::raise(cx, has)?))
}

/// `set == other → true or false`: whether the other is a Set of equal elements; those that only `eql?` can compare are
/// left to the Ruby half. Alias: `eql?`.
pub fn equal(cx: &mut Cx, args: Args) -> R {
    let sets = cx.root(Root::Set);
    if args.me() == args.at(0) || !class::is_a(cx, args.at(0), sets) {
        return Ok(Value::bool(args.me() == args.at(0)));
    }
    let [me, other] = [args.me(), args.at(0)].map(|v| HashRef::from_value(ivars::get(cx, v, sym::SET_TABLE)));
    let (Some(me), Some(other)) = (me, other) else { return Ok(Value::UNDEF) };
    if me.len() != other.len() || me.is_empty() {
        return Ok(Value::bool(me.len() == other.len()));
    }
    if me.is_by_identity() != other.is_by_identity() {
        return Ok(Value::UNDEF);
    }
    let has_all = other.has_keys_of(&mut BuiltinKeys(cx.mem()), me);
    Ok(has_all.map_or(Value::UNDEF, Value::bool))
}

/// `set <=> other → 0, -1, 1 or nil`: 0 for equal elements, -1 for a subset, 1 for a superset.
pub fn compare(cx: &mut Cx, args: Args) -> R {
    let Some((me, other)) = two_sets(cx, args) else { return Ok(Value::UNDEF) };
    let (has, order) = match me.len().cmp(&other.len()) {
        Ordering::Equal => (equal(cx, args)?, 0),
        Ordering::Less => (has_all(cx, other, me)?, -1),
        Ordering::Greater => (has_all(cx, me, other)?, 1),
    };
    Ok(match has {
        Value::UNDEF => has,
        Value::TRUE => Value::fixnum(order),
        _ => Value::NIL,
    })
}

/// `intersect?(elements) → true or false`: whether they have an element in common.
pub fn intersects(cx: &mut Cx, args: Args) -> R {
    let Some((me, other)) = both(cx, args) else { return Ok(Value::UNDEF) };
    match other {
        Source::Set(other) => {
            let (small, large) = if me.len() < other.len() { (me, other) } else { (other, me) };
            let has = large.has_key_of(cx, small);
            Ok(Value::bool(keys::raise(cx, has)?))
        }
        Source::Array(list) => {
            let mut i = 0;
            while let Some(element) = list.get(i) {
                if keys::get(cx, me.value(), element)?.is_some() {
                    return Ok(Value::TRUE);
                }
                i += 1;
            }
            Ok(Value::FALSE)
        }
    }
}
