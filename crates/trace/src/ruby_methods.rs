//! Core methods that CRuby 4.1 writes in Ruby: there, their calls are events `call` and `return`, in files such as
//! `<internal:kernel>`, and so they are here. (CRuby reports those with `Primitive.attr! :c_trace` as native ones.)

use bytecode::sequence::Events;
use object::{
    class::{self, constants, lookup},
    method_entry,
    symbol::table::intern_text,
};
use runtime::{
    Cx, Value,
    trace::{C_CALL, C_RETURN, Happening},
};

/// A file, a class with `#` or `.`, and the class's methods with their lines. Recorded from CRuby 4.1.0dev.
const TABLE: &str = include_str!("ruby_methods.txt");

/// The events of these methods.
pub const EVENTS: u32 = Events::CALL as u32 | Events::RETURN as u32;

/// The rows of the table: file, class with separator, method and line.
fn rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str, i32)> {
    TABLE.lines().flat_map(|line| {
        let mut words = line.split(' ');
        let (file, owner) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        std::iter::from_fn(move || Some((words.next()?, words.next()?.parse().ok()?)))
            .map(move |(name, line)| (file, owner, name, line))
    })
}

/// Marks the entries of these methods, once.
pub fn mark(cx: &mut Cx) {
    if std::mem::replace(&mut cx.vm_mut().has_marked_ruby_methods, true) {
        return;
    }
    for (_, owner, name, _) in rows() {
        let Some(class) = class_of(cx, owner) else { continue };
        let name = intern_text(cx, name);
        let entry = lookup::own_method(class, name);
        if entry.is_heap() {
            method_entry::mark_as_ruby(entry);
        }
    }
}

/// The class or module `A::B#`, or the singleton class `A::B.`.
fn class_of(cx: &mut Cx, owner: &str) -> Option<Value> {
    let path = owner.trim_end_matches(['#', '.']);
    let mut class = cx.class(runtime::Known::Object);
    for name in path.split("::") {
        let name = intern_text(cx, name);
        class = constants::own(class, name).map(|constant| constant.value).filter(|v| class::is_module(*v))?;
    }
    if owner.ends_with('.') { class::make::existing_singleton(cx, class) } else { Some(class) }
}

/// Whether an entry is that of such a method, or one that was made of it before it was marked.
pub fn is_marked(entry: Value) -> bool {
    if !entry.is_heap() {
        return false;
    }
    if method_entry::is_as_ruby(entry) {
        return true;
    }
    let owner = method_entry::owner(entry);
    if method_entry::found_in(entry) == owner || !class::is_module(owner) {
        return false;
    }
    let own = lookup::own_method(owner, method_entry::name(entry));
    let is_same = |own: Value| {
        method_entry::body(own) == method_entry::body(entry) && method_entry::native(own) == method_entry::native(entry)
    };
    own.is_heap() && method_entry::is_as_ruby(own) && is_same(own)
}

/// Makes the event of a native method that of a method in Ruby if the entry is that of such a method.
pub fn report(cx: &mut Cx, entry: Value, now: &mut Happening) {
    if let Some((event, file, line)) = event_of(cx, entry, now.event) {
        (now.event, now.file, now.line) = (event, Some(file), line);
    }
}

/// The event of such a method for that of a native one, and where it happens in CRuby.
pub fn event_of(cx: &mut Cx, entry: Value, event: u32) -> Option<(u32, &'static str, i32)> {
    if event & (C_CALL | C_RETURN) == 0 || !is_marked(entry) {
        return None;
    }
    let event = if event == C_CALL { Events::CALL } else { Events::RETURN };
    let (owner, name) = (method_entry::owner(entry), method_entry::original_name(entry).to_text(cx));
    let is_same = |row: &(&str, &str, &str, i32)| row.2 == name;
    let place = rows().filter(is_same).find(|row| class_of(cx, row.1) == Some(owner));
    let (file, line) = place.map_or(("<internal:kernel>", 0), |row| (row.0, row.3));
    Some((event as u32, file, line))
}
