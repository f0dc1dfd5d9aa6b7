//! `new`: creation of objects by compiled code.

use abi::{FrameFlags, RuntimeCall, ShapeId, Type, Value};
use bytecode::CallFlags;
use object::{class, class::call_cache::CacheRef, method_entry};
use runtime::{
    Cx,
    call::{native, site::native_row},
    code::live_code,
    method_table,
    method_table::{InLine, Special},
};

use crate::{
    arguments::{self, arrange},
    arithmetic::Operand,
    cells,
    frames::{Begun, push, run_initialize},
    ir::Condition,
    registers::Kind,
    seam::{Block, Ssa},
    sites::Site,
    translate::Translator,
    virtual_objects,
};

/// The class with the shape on which `new` is called, and its `initialize`; `None` unless that is a plain method or
/// BasicObject's.
pub fn constructor(cx: &Cx, call: Site, (cache, shape): (CacheRef, u32), receiver: Kind) -> Option<(Value, Value)> {
    let of = receiver_of_new(cx, receiver, shape)?;
    if native_row(cache).special != Special::New || !class::is_module(of) {
        return None;
    }
    // SAFETY: it is a class, which nothing changes while this is compiled.
    let data = unsafe { class::data::live_data(of) };
    let entry = data.initializer.0;
    let allocates = data.instances == Type::Object || !data.allocator.0.is_undef();
    if !allocates || entry.is_undef() {
        return None;
    }
    if is_empty(entry) {
        let is_bare = call.arguments() == 0 && call.site.keywords().is_empty() && data.allocator.0.is_undef();
        return is_bare.then_some((of, entry));
    }
    if method_entry::kind(entry) != method_entry::Kind::Sequence {
        return None;
    }
    if fills(cx, call, entry) {
        return Some((of, entry));
    }
    // SAFETY: an entry of this kind keeps its code alive, and the class the entry.
    let body = unsafe { live_code(method_entry::body(entry)) };
    // Without a block, a method of the Ruby half is called through its native shortcut, which is not in line.
    let has_shortcut = body.internal && !call.has_block() && native::shortcut(cx, entry).is_some();
    (!has_shortcut && arrange(body, call).is_some()).then_some((of, entry))
}

/// Is this `initialize` one that does nothing?
pub fn is_empty(entry: Value) -> bool {
    method_entry::kind(entry) == method_entry::Kind::Native && method_table::row(entry).in_line == Some(InLine::Nothing)
}

/// Does this `initialize` of the Ruby half fill a new Array?
pub fn fills(cx: &Cx, call: Site, entry: Value) -> bool {
    let is_plain = !call.has_block() && call.site.keywords().is_empty() && call.site.literal_arguments == 0;
    let fills =
        |row: &method_table::Method| row.in_line == Some(InLine::FilledArray) && row.accepts(call.arguments() as usize);
    is_plain
        && method_entry::kind(entry) == method_entry::Kind::Sequence
        && native::shortcut(cx, entry).is_some_and(fills)
}

/// The class on which `new` is called: a constant, or known by its shape, if it has a singleton class of its own.
pub fn receiver_of_new(cx: &Cx, receiver: Kind, shape: u32) -> Option<Value> {
    match receiver {
        Kind::Constant(of) => Some(of),
        _ if class::immediate_of_key(shape).is_none() => attached(cx, shape),
        _ => None,
    }
}

/// The object whose singleton class a shape belongs to.
pub fn attached(cx: &Cx, shape: u32) -> Option<Value> {
    let class = cx.world().shapes.class(ShapeId(shape));
    (class::is_module(class) && class::flags(class).singleton).then(|| class::attached(class))
}

/// The flags of the frame of an `initialize`. Its `new` has a line in backtraces if `send`, `super` or the block of
/// `&:new` called it.
pub fn flags_of_new(call: Site) -> u32 {
    let is_shown = call.skipped > 0 || call.of_super.is_some() || call.site.flags.has(CallFlags::PUBLIC);
    FrameFlags::METHOD | FrameFlags::RECEIVER_RESULT | if is_shown { FrameFlags::SHOWS_NEW } else { 0 }
}

/// `new`: allocates the object and runs its `initialize` in a frame.
pub fn new(t: &mut Translator, word: usize, call: Site, of: Value, full: Block) -> Ssa {
    let entry = made(t, word, call, of, full);
    // SAFETY: `made` keeps the entry alive with the unit.
    let body = unsafe { live_code(method_entry::body(entry)) };
    let block = call.passing(t);
    let begun = Begun::method(t, entry, flags_of_new(call), block);
    // If there is no room for the frame, the window is restored.
    let (no_room, go_on) = (t.e.cold_block(), t.e.block());
    let values = arguments::of_method(t, call, body, no_room);
    push(t, call, body, &values, &begun, no_room);
    t.e.jump(go_on, &[]);
    t.e.at(no_room);
    let class = t.e.constant(of.0);
    t.e.store(class, t.r.base, t.r.byte(call.window));
    t.e.jump(full, &[]);
    t.e.at(go_on);
    run_initialize(t, body, call.window)
}

/// `Array.new(size, value)` for a small size.
pub fn filled(t: &mut Translator, word: usize, call: Site, of: Value, full: Block) {
    let data = of_class(of);
    require_initializer(t, of, full);
    let shape = data.root_shape;
    let list = match call.arguments() {
        0 => cells::empty_array(t, word, shape, Operand::Constant(Value::NIL)),
        count => {
            t.flush();
            let size = t.read(call.window + 1);
            let value = if count > 1 { t.read(call.window + 2) } else { t.e.constant(Value::NIL.0) };
            let shape = t.e.constant(u64::from(shape.0));
            let list = t.e.call(RuntimeCall::FilledArray, &[t.context, shape, size, value])[0];
            let is_done = t.e.compare_constant(Condition::NotEqual, list, Value::UNDEF.0);
            t.e.require(is_done, full);
            t.r.forget_values();
            list
        }
    };
    t.write(call.destination, list, Kind::Shape(shape.0));
}

/// The tables of a class, which `constructor` tested.
fn of_class<'a>(of: Value) -> &'a class::ClassData {
    // SAFETY: `constructor` tested that it is a class, which nothing changes while this is compiled.
    unsafe { class::data::live_data(of) }
}

/// Goes to `full` if `initialize` was redefined; returns its entry.
fn require_initializer(t: &mut Translator, of: Value, full: Block) -> Value {
    let data = of_class(of);
    let entry = data.initializer.0;
    t.keep(of);
    t.keep(entry);
    // When `initialize` is redefined, the class's slot is cleared.
    let slot = t.e.constant(&raw const data.initializer as u64);
    let found = t.e.load(slot, 0);
    let same = t.e.compare_constant(Condition::Equal, found, entry.0);
    t.e.require(same, full);
    entry
}

/// [`made`] without allocating the object, if it has few words and the class no `allocate` of its own.
pub fn virtual_or_made(t: &mut Translator, word: usize, call: Site, of: Value, full: Block) -> Value {
    let data = of_class(of);
    let words = t.cx.world().shapes.get(data.root_shape).capacity as usize;
    let is_plain = data.allocator.0.is_undef() && data.instances == Type::Object && t.tier.may_rely();
    let object = is_plain.then(|| virtual_objects::of_shape(&mut t.e, data.instances, data.root_shape, words));
    let Some(object) = object.flatten().filter(|_| t.begins_virtual_object()) else {
        return made(t, word, call, of, full);
    };
    let entry = require_initializer(t, of, full);
    t.r.write_object(call.window, object);
    entry
}

/// Allocates an object of a class and puts it into the window; returns the entry of its `initialize`.
pub fn made(t: &mut Translator, word: usize, call: Site, of: Value, full: Block) -> Value {
    let data = of_class(of);
    let entry = require_initializer(t, of, full);
    let object = if data.allocator.0.is_undef() {
        cells::object(t, word, data.instances, data.root_shape)
    } else if method_table::row(data.allocator.0).in_line == Some(InLine::EmptyArray) {
        let size =
            if call.arguments() > 0 { Operand::Register(call.window + 1) } else { Operand::Constant(Value::NIL) };
        cells::empty_array(t, word, data.root_shape, size)
    } else {
        by_allocator(t, word, of)
    };
    let kind = if data.instances == Type::Object { Kind::Shape(data.root_shape.0) } else { Kind::Any };
    t.write(call.window, object, kind);
    entry
}

/// The object that the class's `allocate` creates.
fn by_allocator(t: &mut Translator, word: usize, of: Value) -> Ssa {
    t.save_behind(word);
    let class = t.e.constant(of.0);
    let made = t.e.call(RuntimeCall::Allocate, &[t.context, class]);
    let object = t.value_if_returned(&made);
    t.r.forget_values();
    object
}
