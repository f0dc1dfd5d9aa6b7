//! Heap dumps: objects, roots and shapes as lines of JSON that other tools read.
//!
//! A shared buffer has its own line, an IMEMO of type `bytes` or `values`, which its sharers refer to; unshared buffers
//! count with their object.

use memory::Grow;
use std::collections::HashSet;

use abi::{Flags, ShapeId, Type};
use heap::{Buffer, Reference};
use object::{
    array::Arr,
    attachment, cell,
    class::{self, class_data},
    float,
    hash::HashRef,
    method_entry, native, payload,
    string::Str,
    symbol::Sym,
};
use runtime::{Args, Cx, R, Value, call, convert, error::OrRaise, make, sym};
use text::{CodeRange, EncodingId};

use core_classes::{io, object_space};

use super::{graph, json, json::Line, json::key, origins, sizes::internal_sort, wrapper::unwrapped};

/// The number of bytes that are collected before they are written.
const CHUNK: usize = 64 * 1024;

/// The destination of a dump: a String that grows, or an object with `write`.
struct Output {
    to: Value,
    waiting: Vec<u8>,
}

impl Output {
    fn new(to: Value) -> Output {
        Output { to, waiting: Vec::new() }
    }

    /// Begins a line; the caller calls [`Output::written`] after it.
    fn line(&mut self) -> Line<'_> {
        Line::new(&mut self.waiting)
    }

    /// Writes the lines once there are enough of them.
    fn written(&mut self, cx: &mut Cx) -> R<()> {
        if self.waiting.len() < CHUNK { Ok(()) } else { self.flush(cx) }
    }

    fn flush(&mut self, cx: &mut Cx) -> R<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        if let Some(to) = Str::from_value(self.to) {
            // Strings that were made for this would be in the next dump.
            to.append(cx, &self.waiting).or_raise(cx)?;
            self.waiting.clear();
            return Ok(());
        }
        let text = make::string(cx, &self.waiting, EncodingId::UTF_8);
        self.waiting.clear();
        call::send(cx, self.to, sym::WRITE, &[text])?;
        Ok(())
    }
}

/// `_dump(object, output) → output`: writes one object as a line of JSON: its type, class, size, flags and references.
pub fn object(cx: &mut Cx, args: Args) -> R {
    let mut output = Output::new(args.at(1));
    line_of(cx, unwrapped(args.at(0)), &mut Scratch::default(), &mut output.waiting);
    if output.waiting.last() == Some(&b'\n') {
        output.waiting.pop();
    }
    output.flush(cx)?;
    Ok(output.to)
}

/// `_dump_all(output, full, since, shapes) → output`: writes the roots and all objects, each as a line of JSON; with
/// `since` only objects made from that collection on, with `shapes` the shapes too.
pub fn all(cx: &mut Cx, args: Args) -> R {
    let mut output = Output::new(args.at(0));
    let since = match args.non_nil(2) {
        Some(v) => Some(convert::to_i64(cx, v)?),
        None => None,
    };
    let full = args.at(1).truthy();
    if since.is_none() {
        for (name, found) in graph::root_addresses(cx) {
            let mut line = output.line();
            line.string(key!("type"), b"ROOT");
            line.string(key!("root"), name.as_bytes());
            line.addresses(key!("references"), found);
            line.end();
            output.written(cx)?;
        }
    }
    if args.at(3).truthy() {
        dump_shapes(cx, &mut output, args.at(3))?;
    }
    let Ok(snapshot) = cx.snapshot_objects(&mut |_| true) else { return Err(cx.no_memory()) };
    let mut scratch = Scratch::default();
    // The dump does not contain itself.
    let own = output.to;
    for v in snapshot.iter().filter(|v| *v != own) {
        if since.is_some_and(|since| cx.origin(v).is_none_or(|o| (o.generation as i64) < since)) {
            continue;
        }
        line_of(cx, v, &mut scratch, &mut output.waiting);
        while let Some(buffer) = scratch.buffers.waiting.pop() {
            line_of_buffer(cx, buffer, &mut output.waiting);
        }
        output.written(cx)?;
    }
    if full {
        let statistics = cx.vm().heap.size_statistics();
        for size in statistics.iter().filter(|s| s.free > 0) {
            let line = format!("{{\"type\":\"NONE\", \"slot_size\":{}}}\n", size.cell_size);
            for _ in 0..size.free {
                output.waiting.append_slice(line.as_bytes());
                output.written(cx)?;
            }
        }
    }
    output.flush(cx)?;
    Ok(output.to)
}

/// `_dump_shapes(output, since) → output`: writes the shapes from a number on, each as a line of JSON.
pub fn shapes(cx: &mut Cx, args: Args) -> R {
    let mut output = Output::new(args.at(0));
    dump_shapes(cx, &mut output, args.at(1))?;
    output.flush(cx)?;
    Ok(output.to)
}

fn dump_shapes(cx: &mut Cx, output: &mut Output, since: Value) -> R<()> {
    let since = convert::to_i64(cx, since)?.max(0) as usize;
    for id in since..cx.world().shapes.len() {
        if cx.world().shapes.class(ShapeId(id as u32)).is_nil() {
            continue;
        }
        let shape = cx.world().shapes.get(ShapeId(id as u32));
        let edges = cx.world().shapes.edges(ShapeId(id as u32));
        let (count, parent, edge) = (shape.count, shape.parent, shape.edge);
        let (complex, size) = (shape.complex, shape.memsize());
        let mut line = output.line();
        line.address(key!("address"), std::ptr::from_ref(shape) as u64);
        line.string(key!("type"), b"SHAPE");
        line.number(key!("id"), id);
        if count > 0 {
            line.number(key!("parent_id"), parent.0);
        }
        line.number(key!("depth"), count + 1);
        let sort: &[u8] = if complex {
            b"OBJ_TOO_COMPLEX"
        } else if count > 0 {
            b"IVAR"
        } else {
            b"ROOT"
        };
        line.string(key!("shape_type"), sort);
        if count > 0 {
            let name = edge.bytes(cx);
            line.string(key!("edge_name"), name);
        }
        line.number(key!("edges"), edges);
        line.number(key!("memsize"), size);
        line.end();
        output.written(cx)?;
    }
    Ok(())
}

/// Lists that are reused for each line.
#[derive(Default)]
struct Scratch {
    buffers: Buffers,
    references: Vec<u64>,
}

/// The shared buffers that were encountered.
#[derive(Default)]
struct Buffers {
    seen: HashSet<usize>,
    waiting: Vec<Buffer>,
}

impl Buffers {
    fn add(&mut self, buffer: Buffer) {
        if self.seen.insert(buffer.address()) {
            self.waiting.push(buffer);
        }
    }
}

fn line_of_buffer(cx: &mut Cx, buffer: Buffer, text: &mut Vec<u8>) {
    let mut found = Vec::new();
    cx.buffer_references(buffer, &mut |v| found.push(v.0));
    let size = cx.buffer_size(buffer);
    let mut line = Line::new(text);
    line.address(key!("address"), buffer.address() as u64);
    line.string(key!("type"), b"IMEMO");
    line.number(key!("slot_size"), size);
    line.string(key!("imemo_type"), if found.is_empty() { b"bytes" } else { b"values" });
    line.addresses(key!("references"), found);
    line.number(key!("memsize"), size);
    line.key(key!("flags")).raw("{\"wb_protected\":true}");
    line.end()
}

/// Appends the line for one value.
fn line_of(cx: &mut Cx, v: Value, scratch: &mut Scratch, text: &mut Vec<u8>) {
    if !v.is_heap() {
        return immediate(cx, v, text);
    }
    let header = cell::header(v);
    let mut line = Line::new(text);
    line.address(key!("address"), v.0);
    let name = object_space::type_name_of(v);
    line.string(key!("type"), name.strip_prefix("T_").unwrap_or(name).as_bytes());
    let sort = internal_sort(v);
    if sort.is_none() || sort == Some("fields") {
        line.number(key!("shape_id"), header.shape().0);
    }
    line.number(key!("slot_size"), payload::cell_bytes(v));
    let class = class::class_of(cx, v);
    if sort.is_none() && class.is_heap() {
        line.address(key!("class"), class.0);
    }
    line.truth(key!("frozen"), cell::frozen(v) && sort.is_none());
    details(cx, v, &mut line);
    let shared = shared_buffer(cx, v);
    match shared {
        Some(buffer) => {
            scratch.buffers.add(buffer);
            line.addresses(key!("references"), [buffer.address() as u64]);
        }
        None => {
            let found = &mut scratch.references;
            graph::add_references(cx, v, found);
            line.addresses(key!("references"), found.drain(..).filter(|address| *address != class.0));
        }
    }
    origin(cx, v, &mut line);
    let own = if shared.is_some() { payload::cell_bytes(v) } else { payload::memory_size(cx, v) };
    line.number(key!("memsize"), own);
    flags(cx, v, &mut line);
    line.end()
}

fn immediate(cx: &mut Cx, v: Value, text: &mut Vec<u8>) {
    if let Some(symbol) = Sym::from_value(v) {
        text.append_slice(b"{\"type\":\"SYMBOL\", \"value\":");
        json::quote(text, symbol.bytes(cx));
        text.append_one(b'}');
    } else if float::is(v) {
        text.append_slice(short_float(cx, v).as_bytes());
    } else {
        let shown = call::inspect_text(cx, v).unwrap_or_default();
        text.append_slice(shown.replace("nil", "null").as_bytes());
    }
    text.append_one(b'\n');
}

/// A float as `%#g` writes it.
fn short_float(cx: &mut Cx, f: Value) -> String {
    let (main, format) = (cx.vm().main_object, object::symbol::table::intern_text(cx, "format"));
    let pattern = make::text(cx, "%#g");
    match call::send_private(cx, main, format, &[pattern, f]) {
        Ok(text) => Str::from_value(text).map(|text| text.to_text()).unwrap_or_default(),
        Err(_) => String::new(),
    }
}

/// The buffer that others may refer to as well.
fn shared_buffer(cx: &mut Cx, v: Value) -> Option<Buffer> {
    let shared = match cell::header(v).ty() {
        Type::String => Str::of(v).is_shared(),
        Type::Array => Arr::of(v).is_shared(),
        _ => false,
    };
    if !shared {
        return None;
    }
    // Last, because an Array's three words may be in a separate buffer.
    let mut last = None;
    cx.references(v, &mut |reference| {
        if let Reference::Buffer(buffer) = reference {
            last = Some(buffer);
        }
    });
    last
}

/// The members specific to the type.
fn details(cx: &mut Cx, v: Value, line: &mut Line<'_>) {
    match cell::header(v).ty() {
        Type::String => string(cx, Str::of(v), line),
        Type::Symbol => {
            let bytes = Sym::of(v).bytes(cx);
            line.number(key!("bytesize"), bytes.len());
            if bytes.is_ascii() {
                line.string(key!("value"), bytes);
            }
        }
        Type::Hash => {
            line.number(key!("size"), HashRef::of(v).len());
            if HashRef::of(v).default_is_proc() {
                line.address(key!("default"), HashRef::of(v).default().0);
            }
        }
        Type::Array => {
            line.number(key!("length"), Arr::of(v).len());
            line.truth(key!("shared"), Arr::of(v).is_shared());
            line.truth(key!("embedded"), Arr::of(v).is_embedded());
        }
        Type::Class | Type::Module => class_or_module(cx, v, line),
        Type::Object | Type::Exception => plain_object(cx, v, line),
        Type::Float => {
            let shown = short_float(cx, v);
            line.string(key!("value"), shown.as_bytes());
        }
        _ => internals(cx, v, line),
    }
}

fn string(cx: &mut Cx, s: Str, line: &mut Line<'_>) {
    line.truth(key!("embedded"), s.is_embedded());
    line.truth(key!("fstring"), s.is_interned());
    line.truth(key!("chilled"), cell::header(s.value()).has(Flags::CHILLED));
    if s.is_shared() {
        line.truth(key!("shared"), true);
    }
    line.number(key!("bytesize"), s.len());
    if !s.is_embedded() && !s.is_shared() && s.capacity(cx) != s.len() {
        line.number(key!("capacity"), s.capacity(cx));
    }
    let range = s.known_code_range();
    // The dump does not change what is known of the String.
    let is_ascii = |cx: &Cx| s.encoding().is_ascii_compatible() && s.bytes(cx).is_ascii();
    if !s.is_shared() && (range == CodeRange::SevenBit || range == CodeRange::Unknown && is_ascii(cx)) {
        line.string(key!("value"), s.bytes(cx));
    }
    if s.encoding() != EncodingId::BINARY {
        line.string(key!("encoding"), s.encoding().name().as_bytes());
    }
    let name: &[u8] = match range {
        CodeRange::SevenBit => b"7bit",
        CodeRange::Valid => b"valid",
        CodeRange::Broken => b"broken",
        CodeRange::Unknown => b"unknown",
    };
    line.string(key!("coderange"), name);
    line.truth(key!("broken"), range == CodeRange::Broken);
}

fn class_or_module(cx: &mut Cx, v: Value, line: &mut Line<'_>) {
    let data = class_data(cx, v);
    if class::is_class(v) {
        line.number(key!("variation_count"), cx.world().shapes.variations(v));
        if data.superclass.is_heap() {
            line.address(key!("superclass"), data.superclass.0);
        }
    }
    if !data.name.is_nil() {
        line.string(key!("name"), Str::of(data.name).bytes(cx));
    }
    if data.flags.singleton {
        let real = class::name(class::real_class(cx, data.attached));
        if !real.is_nil() {
            line.string(key!("real_class_name"), Str::of(real).bytes(cx));
        }
        line.truth(key!("singleton"), true);
    }
}

fn plain_object(cx: &mut Cx, v: Value, line: &mut Line<'_>) {
    let form = payload::form(cx.world(), v);
    line.truth(key!("embedded"), form == "embedded");
    line.number(key!("ivars"), object::shape::ivars::names(cx, v).len());
    line.truth(key!("complex_shape"), form == "table");
}

/// Internal cells and cells with native data.
fn internals(cx: &mut Cx, v: Value, line: &mut Line<'_>) {
    if let Some(sort) = internal_sort(v) {
        line.string(key!("imemo_type"), sort.as_bytes());
        if sort == "ment" {
            let name = method_entry::name(v).bytes(cx);
            line.string(key!("mid"), name);
            line.address(key!("receiver_class"), method_entry::owner(v).0);
        }
        return;
    }
    if let Some(fd) = io::data::descriptor(v) {
        return line.number(key!("fd"), fd);
    }
    if object_space::type_name_of(v) == "T_DATA" {
        let name = match native::type_name(v) {
            "" => {
                let class = class::real_class(cx, v);
                runtime::define::class_name(cx, class).to_lowercase().replace("::", "/")
            }
            name => name.to_string(),
        };
        line.string(key!("struct"), name.as_bytes());
    }
}

/// The allocation site, if it was recorded.
fn origin(cx: &mut Cx, v: Value, line: &mut Line<'_>) {
    let Some(origin) = cx.origin(v) else { return };
    if let Some((file, number)) = origins::place(&origin) {
        line.string(key!("file"), file.as_bytes());
        line.number(key!("line"), number);
    }
    if let Some(name) = Sym::from_value(origins::method_name(&origin)) {
        let name = name.bytes(cx);
        line.string(key!("method"), name);
    }
    line.number(key!("generation"), origin.generation);
}

fn flags(cx: &mut Cx, v: Value, line: &mut Line<'_>) {
    let flags = cx.cell_flags(v);
    let id = attachment::id(cx, v).as_fixnum();
    let mut inner = line.object(key!("flags"));
    inner.truth(key!("wb_protected"), true);
    inner.number(key!("age"), u8::from(flags.old));
    inner.truth(key!("old"), flags.old);
    inner.truth(key!("uncollectible"), flags.old);
    inner.truth(key!("marking"), flags.marking);
    inner.truth(key!("marked"), flags.marked);
    inner.truth(key!("pinned"), flags.pinned || cell::header(v).has(Flags::ADDRESS_TAKEN));
    inner.truth(key!("remembered"), flags.remembered);
    if let Some(id) = id {
        inner.number(key!("object_id"), id);
    }
    inner.truth(key!("shareable"), cell::header(v).has(Flags::SHAREABLE));
    inner.close();
}
