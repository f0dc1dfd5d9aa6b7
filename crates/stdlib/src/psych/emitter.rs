//! Psych::Emitter: events as YAML.

use memory::Grow;
use std::{cell::RefCell, io, mem, rc::Rc};

use heap::Trace;
use libyaml_safer::{Emitter, Encoding, Event, ScalarStyle};
use object::{
    array::Arr,
    native::{self, NativeData},
    symbol::table::intern_text,
};
use runtime::{Args, Cx, Method, R, Unwind, Value, call, convert, define, error, library, make, panics};
use self_cell::{MutBorrow, self_cell};
use text::EncodingId;

use super::{directives::directives, escapes::Escapes, styles};

const METHODS: &[Method] = &[
    Method::new("initialize(io, options = nil)", initialize).private(),
    Method::new("start_stream(encoding)", start_stream),
    Method::new("end_stream", end_stream),
    Method::new("start_document(version, tags, implicit)", start_document),
    Method::new("end_document(implicit)", end_document),
    Method::new("scalar(value, anchor, tag, plain, quoted, style)", scalar),
    Method::new("start_sequence(anchor, tag, implicit, style)", start_sequence),
    Method::new("end_sequence", end_sequence),
    Method::new("start_mapping(anchor, tag, implicit, style)", start_mapping),
    Method::new("end_mapping", end_mapping),
    Method::new("alias(anchor)", alias),
    Method::new("canonical", canonical),
    Method::new("canonical=(canonical)", set_canonical),
    Method::new("indentation", indentation),
    Method::new("indentation=(level)", set_indentation),
    Method::new("line_width", line_width),
    Method::new("line_width=(width)", set_line_width),
];

const SINGLETON: &[Method] = &[Method::new("allocate", allocate)];

pub fn define(cx: &mut Cx, psych: Value, handler: Value) -> R<()> {
    let class = library::class(cx, psych, "Emitter", handler)?;
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    Ok(())
}

/// The buffer of the library; its contents go to the stream after each event.
struct Output(Rc<RefCell<Vec<u8>>>);

impl io::Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().append_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

self_cell!(
    /// The library's emitter borrows its output.
    struct Running {
        owner: MutBorrow<Output>,
        #[not_covariant]
        dependent: Emitter,
    }
);

#[derive(Trace)]
struct EmitterData {
    #[trace(skip)]
    running: Running,
    #[trace(skip)]
    written: Rc<RefCell<Vec<u8>>>,
    #[trace(skip)]
    escapes: Escapes,
    /// Whether the output is UTF-8.
    is_utf8: bool,
    io: Value,
    canonical: bool,
    indentation: i32,
    line_width: i32,
}

impl NativeData for EmitterData {
    object::one_vtable!(EmitterData);

    fn memsize(&self) -> usize {
        // The library's two buffers.
        mem::size_of::<EmitterData>() + (32 << 10)
    }
}

/// `Psych::Emitter.allocate → emitter`: an emitter without an IO, which `initialize` sets.
fn allocate(cx: &mut Cx, args: Args) -> R {
    let written = Rc::new(RefCell::new(Vec::new()));
    let running = Running::new(MutBorrow::new(Output(written.clone())), |output| {
        let mut emitter = Emitter::new();
        emitter.set_output(output.borrow_mut());
        emitter.set_unicode(true);
        emitter.set_indent(2);
        emitter
    });
    let data = EmitterData {
        running,
        written,
        escapes: Escapes::default(),
        is_utf8: true,
        io: Value::NIL,
        canonical: false,
        indentation: 2,
        line_width: 0,
    };
    Ok(native::new(cx, args.me(), Box::new(data)))
}

fn data(cx: &mut Cx, me: Value) -> R<&mut EmitterData> {
    native::get_mut_or::<EmitterData, _, _>(cx, me, |cx| cx.type_error("uninitialized emitter"))
}

/// `Psych::Emitter.new(io, options = nil)`: writes to an IO; the options are an object with `line_width`, `indentation`
/// and `canonical`.
fn initialize(cx: &mut Cx, args: Args) -> R {
    if let Some(options) = args.opt(1).filter(|options| !options.is_nil()) {
        let [width, indentation, canonical] =
            ["line_width", "indentation", "canonical"].map(|name| intern_text(cx, name));
        let width = call::send(cx, options, width, &[])?;
        let indentation = call::send(cx, options, indentation, &[])?;
        let canonical = call::send(cx, options, canonical, &[])?;
        let (width, indentation) = (convert::to_i32(cx, width)?, convert::to_i32(cx, indentation)?);
        let data = data(cx, args.me())?;
        data.set_line_width(width);
        data.set_indentation(indentation);
        data.set_canonical(canonical.truthy());
    }
    data(cx, args.me())?.io = args.at(0);
    cx.remember(args.me());
    Ok(args.me())
}

impl EmitterData {
    fn set_canonical(&mut self, canonical: bool) {
        self.canonical = canonical;
        self.running.with_dependent_mut(|_, emitter| emitter.set_canonical(canonical));
    }

    fn set_indentation(&mut self, level: i32) {
        self.indentation = level;
        self.running.with_dependent_mut(|_, emitter| emitter.set_indent(level));
    }

    fn set_line_width(&mut self, width: i32) {
        self.line_width = width;
        self.running.with_dependent_mut(|_, emitter| emitter.set_width(width));
    }
}

/// RuntimeError if the event is not allowed in the current state.
fn emit(cx: &mut Cx, me: Value, event: Event) -> R {
    let marked = data(cx, me)?.escapes.count();
    emit_marked(cx, me, event, marked)
}

/// `marked`: the number of marks before those of this event.
fn emit_marked(cx: &mut Cx, me: Value, event: Event, marked: usize) -> R {
    let data = data(cx, me)?;
    // The library does not handle every input: a tag with characters beyond ASCII may make it panic.
    let emitted = panics::contained(|| data.running.with_dependent_mut(|_, emitter| emitter.emit(event)));
    let Some(emitted) = emitted else {
        return Err(cx.runtime_error("tags like that cannot be written"));
    };
    let (written, io) = (mem::take(&mut *data.written.borrow_mut()), data.io);
    let written = data.escapes.restored(written);
    if let Err(error) = emitted {
        data.escapes.forget(marked);
        return Err(cx.runtime_error(error.problem()));
    }
    if !written.is_empty() {
        let (write, text) = (intern_text(cx, "write"), make::string(cx, &written, EncodingId::UTF_8));
        call::send(cx, io, write, &[text])?;
    }
    Ok(me)
}

/// `start_stream(encoding) → self`: begins the output in an encoding, one of the constants of Psych::Parser. Like all
/// events it raises RuntimeError if the current state does not allow it.
fn start_stream(cx: &mut Cx, args: Args) -> R {
    if !args.at(0).is_fixnum() {
        return Err(wrong_type(cx, args.at(0), "Integer"));
    }
    let encoding = styles::encoding(cx, args.at(0))?;
    data(cx, args.me())?.is_utf8 = matches!(encoding, Encoding::Any | Encoding::Utf8);
    emit(cx, args.me(), Event::stream_start(encoding))
}

fn wrong_type(cx: &mut Cx, v: Value, wanted: &str) -> Unwind {
    let name = error::describe_for_conversion(cx, v);
    cx.type_error(&format!("wrong argument type {name} (expected {wanted})"))
}

/// `end_stream → self`: ends the output and writes the rest.
fn end_stream(cx: &mut Cx, args: Args) -> R {
    emit(cx, args.me(), Event::stream_end())
}

/// `start_document(version, tags, implicit) → self`: begins a document; the version is `[]` or `[1, 1]`, the tags are
/// pairs of handle and prefix, and with `implicit` no `---` is written. TypeError for other arguments.
fn start_document(cx: &mut Cx, args: Args) -> R {
    let (version, tags) = (args.at(0), args.at(1));
    if !object::cell::is(version, abi::Type::Array) {
        return Err(wrong_type(cx, version, "Array"));
    }
    let (mut numbers, mut pairs) = (None, Vec::new());
    if !Arr::of(version).is_empty() {
        let part = |i| Arr::of(version).get(i).unwrap_or(Value::NIL);
        numbers = Some((convert::to_i32(cx, part(0))?, convert::to_i32(cx, part(1))?));
    }
    if tags.truthy() {
        if !object::cell::is(tags, abi::Type::Array) {
            return Err(wrong_type(cx, tags, "Array"));
        }
        let mut i = 0;
        while let Some(pair) = Arr::of(tags).get(i) {
            if !object::cell::is(pair, abi::Type::Array) {
                return Err(wrong_type(cx, pair, "Array"));
            }
            if Arr::of(pair).len() < 2 {
                return Err(cx.runtime_error("tag tuple must be of length 2"));
            }
            let (handle, prefix) = (Arr::of(pair).at(0), Arr::of(pair).at(1));
            pairs.append_one((utf8(cx, handle)?, utf8(cx, prefix)?));
            i += 1;
        }
    }
    let (version, tags) = directives(cx, numbers, pairs)?;
    emit(cx, args.me(), Event::document_start(version, &tags, args.at(2).truthy()))
}

/// `end_document(implicit) → self`: ends a document; with `implicit` no `...` is written unless it is needed.
fn end_document(cx: &mut Cx, args: Args) -> R {
    emit(cx, args.me(), Event::document_end(args.at(0).truthy()))
}

/// Text for the library, transcoded.
fn utf8(cx: &mut Cx, v: Value) -> R<String> {
    let v = convert::to_str(cx, v)?;
    let v = match v.encoding() {
        EncodingId::UTF_8 | EncodingId::US_ASCII | EncodingId::BINARY => v,
        _ => {
            let (encode, utf8) = (intern_text(cx, "encode"), make::text(cx, "UTF-8"));
            let answer = call::send(cx, v.value(), encode, &[utf8])?;
            convert::to_str(cx, answer)?
        }
    };
    match std::str::from_utf8(v.bytes(cx)) {
        Ok(text) => {
            memory::expect_work(text.len());
            Ok(memory::copy_text(text))
        }
        Err(_) => Err(cx.runtime_error("invalid UTF-8")),
    }
}

fn optional(cx: &mut Cx, v: Value) -> R<Option<String>> {
    if v.is_nil() { Ok(None) } else { utf8(cx, v).map(Some) }
}

/// `scalar(value, anchor, tag, plain, quoted, style) → self`: writes a scalar with an anchor and a tag or nil; `plain`
/// and `quoted` determine in which styles the tag may be omitted. TypeError unless the value is a String.
fn scalar(cx: &mut Cx, args: Args) -> R {
    if !object::cell::is(args.at(0), abi::Type::String) {
        return Err(wrong_type(cx, args.at(0), "String"));
    }
    let value = utf8(cx, args.at(0))?;
    let (anchor, tag) = (optional(cx, args.at(1))?, optional(cx, args.at(2))?);
    let (plain, quoted) = (args.at(3).truthy(), args.at(4).truthy());
    let mut style = styles::scalar(cx, args.at(5))?;
    let data = data(cx, args.me())?;
    let before = data.escapes.count();
    let marked = if data.is_utf8 { data.escapes.marked(&value) } else { None };
    if let Some((_, true)) = marked {
        style = ScalarStyle::DoubleQuoted;
    }
    let value = marked.map_or(value, |(marked, _)| marked);
    let event = Event::scalar(anchor.as_deref(), tag.as_deref(), &value, plain, quoted, style);
    emit_marked(cx, args.me(), event, before)
}

/// `start_sequence(anchor, tag, implicit, style) → self`: begins a sequence with an anchor and a tag or nil; with
/// `implicit` the tag is not written. `style` is a constant of Psych::Nodes::Sequence.
fn start_sequence(cx: &mut Cx, args: Args) -> R {
    let (anchor, tag) = (optional(cx, args.at(0))?, optional(cx, args.at(1))?);
    let style = styles::sequence(cx, args.at(3))?;
    let event = Event::sequence_start(anchor.as_deref(), tag.as_deref(), args.at(2).truthy(), style);
    emit(cx, args.me(), event)
}

/// `end_sequence → self`: ends the innermost sequence.
fn end_sequence(cx: &mut Cx, args: Args) -> R {
    emit(cx, args.me(), Event::sequence_end())
}

/// `start_mapping(anchor, tag, implicit, style) → self`: begins a mapping with an anchor and a tag or nil; with
/// `implicit` the tag is not written. `style` is a constant of Psych::Nodes::Mapping.
fn start_mapping(cx: &mut Cx, args: Args) -> R {
    let (anchor, tag) = (optional(cx, args.at(0))?, optional(cx, args.at(1))?);
    let style = styles::mapping(cx, args.at(3))?;
    let event = Event::mapping_start(anchor.as_deref(), tag.as_deref(), args.at(2).truthy(), style);
    emit(cx, args.me(), event)
}

/// `end_mapping → self`: ends the innermost mapping.
fn end_mapping(cx: &mut Cx, args: Args) -> R {
    emit(cx, args.me(), Event::mapping_end())
}

/// `alias(anchor) → self`: writes `*anchor` in place of a node.
fn alias(cx: &mut Cx, args: Args) -> R {
    let anchor = utf8(cx, args.at(0))?;
    emit(cx, args.me(), Event::alias(&anchor))
}

/// `canonical → true or false`: whether everything is written in the canonical form, with all tags and quotes.
fn canonical(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(data(cx, args.me())?.canonical))
}

/// `canonical=(canonical) → flag`: sets whether everything is written in the canonical form; only true itself turns it
/// on.
fn set_canonical(cx: &mut Cx, args: Args) -> R {
    data(cx, args.me())?.set_canonical(args.at(0) == Value::TRUE);
    Ok(args.at(0))
}

/// `indentation → integer`: the number of spaces by which a level is indented.
fn indentation(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(data(cx, args.me())?.indentation.into()))
}

/// `indentation=(level) → level`: sets the number of spaces by which a level is indented.
fn set_indentation(cx: &mut Cx, args: Args) -> R {
    let level = convert::to_i32(cx, args.at(0))?;
    data(cx, args.me())?.set_indentation(level);
    Ok(args.at(0))
}

/// `line_width → integer`: the number of columns after which lines are folded; 0 is the default of the writer.
fn line_width(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(data(cx, args.me())?.line_width.into()))
}

/// `line_width=(width) → width`: sets the number of columns after which lines are folded; a negative number means no
/// limit.
fn set_line_width(cx: &mut Cx, args: Args) -> R {
    let width = convert::to_i32(cx, args.at(0))?;
    data(cx, args.me())?.set_line_width(width);
    Ok(args.at(0))
}
