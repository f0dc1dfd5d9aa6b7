//! `ripper.so`: the native part for the library's `ripper/core.rb`, based on prism. The crate `syntax` produces the
//! tokens; `tree.rb` produces the tree through the library's own translation of prism's tree.

use memory::{Grow, ToVector};
use object::{Known, Sym, array::Arr, class, method_entry, shape::ivars, symbol::table::intern_text};
use runtime::{Args, Cx, Method, R, Value, define, internal, library, make};
use syntax::{Options, Reader, reader::Metadata, ripper};
use text::encoding::{self, EncodingId};

const METHODS: &[Method] = &[Method::new("__attach(scan)", attach).private(), Method::new("__scan", scan).private()];

const SINGLETON: &[Method] = &[
    Method::new("__elements(source, first_line)", elements),
    Method::new("__handled?(target, methods, classes)", is_handled),
];

pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let ripper = library::class(cx, object, "Ripper", object)?;
    define::define_methods(cx, ripper, METHODS);
    define::define_singleton_methods(cx, ripper, SINGLETON);
    internal::load(cx, runtime::ruby_half!("ripper/events"))?;
    internal::load(cx, runtime::ruby_half!("ripper/ripper"))
}

/// `beni/ripper_tree`, required when a tree is first needed.
pub fn define_tree(cx: &mut Cx) -> R<()> {
    internal::load(cx, runtime::ruby_half!("ripper/tree"))
}

/// Attaches a Scan to an object, invisibly to subclasses.
fn attach(cx: &mut Cx, args: Args) -> R {
    let name = intern_text(cx, "__scan");
    ivars::set_hidden(cx, args.me(), name, args.at(0));
    Ok(args.at(0))
}

/// `__scan → scan`: the object's Scan, set by `__attach`. ArgumentError if a subclass did not call `initialize`.
fn scan(cx: &mut Cx, args: Args) -> R {
    let name = intern_text(cx, "__scan");
    match ivars::get(cx, args.me(), name) {
        scan if scan.is_undef() || scan.is_nil() => Err(cx.argument_error("method called for uninitialized object")),
        scan => Ok(scan),
    }
}

/// `__handled?(target, methods, classes) → true or false`: whether the object has one of the methods from anywhere but
/// these classes.
fn is_handled(cx: &mut Cx, args: Args) -> R {
    let class = class::class_of(cx, args.at(0));
    let classes = Arr::of(args.at(2));
    let is_other = |v: Value| {
        let name = Sym::from_value(v)?;
        let entry = class::lookup::find_method(cx, class, name);
        let owner = if entry.is_undef() { Value::NIL } else { method_entry::owner(entry) };
        (!classes.iter().any(|class| class == owner)).then_some(())
    };
    Ok(Value::bool(Arr::of(args.at(1)).iter().find_map(is_other).is_some()))
}

/// `__elements(source, first_line) → [elements, errors, encoding]`. An element is `[line, column, event, text, state,
/// width, end]`, where `width` is the indentation removed from a here document that ends at this element. An error is
/// `[index of its element, event, message, line, column, whether the tree remains valid, token if it differs from the
/// element]`.
fn elements(cx: &mut Cx, args: Args) -> R {
    let text = args.str(cx, 0)?;
    let source = text.to_vector();
    let given = text.encoding();
    let first_line = args.at(1).as_fixnum().unwrap_or(1) as i32;
    let options = Options { line: first_line, encoding: given.name().as_bytes().to_vector(), ..Options::default() };
    let bytes = syntax::lex(&source, &options);
    let mut reader = Reader::new(&bytes);
    let read = syntax::tokens::read(&mut reader, &source).and_then(|tokens| Ok((tokens, reader.metadata()?)));
    let Ok((tokens, metadata)) = read else { return Err(crate::prism::malformed(cx)) };
    let found = ripper::elements(&source, &tokens);
    let encoding = encoding::find(metadata.encoding).unwrap_or(EncodingId::UTF_8);
    let lines =
        Lines { offsets: &metadata.line_offsets, first: first_line, has_bom: source.starts_with(b"\xEF\xBB\xBF") };
    let list = make::array(cx, &[]);
    // Texts of the binary, so that equal ones mostly have one address.
    let mut events: Vec<(usize, Sym)> = Vec::new();
    for element in &found {
        let (line, column) = lines.position(element.start);
        let name = element.event.as_ptr() as usize;
        let event = match events.iter().find(|(known, _)| *known == name) {
            Some((_, event)) => event.value(),
            None => {
                let event = intern_text(cx, &format!("on_{}", element.event));
                events.append_one((name, event));
                event.value()
            }
        };
        let text = make::string(cx, &source[element.start..element.end], encoding);
        let width = element.dedent.map_or(Value::NIL, |width| Value::fixnum(width as i64));
        let (state, end) = (Value::fixnum(i64::from(element.state)), Value::fixnum(element.end as i64));
        let element = make::array(cx, &[line, column, event, text, state, width, end]);
        make::push(cx, list, element);
    }
    let errors = errors(cx, &source, &found, &metadata, &lines);
    let encoding = core_classes::encoding::object(cx, encoding);
    Ok(Arr::new(cx, &[list, errors, encoding]).map_or(Value::NIL, |list| list.value()))
}

/// One error per position, where CRuby's parser would report it.
fn errors(cx: &mut Cx, source: &[u8], found: &[ripper::Element], metadata: &Metadata, lines: &Lines) -> Value {
    let encoding = encoding::find(metadata.encoding).unwrap_or(EncodingId::UTF_8);
    let list = make::array(cx, &[]);
    for error in ripper::errors::of(source, found, metadata) {
        let place = error.element.map_or(Value::NIL, |place| Value::fixnum(place as i64));
        let event = intern_text(cx, error.event).value();
        let message = make::string(cx, error.message, encoding);
        let (line, column) = lines.position(error.start);
        let leaves_tree = Value::bool(error.leaves_tree);
        let token = error.token.map_or(Value::NIL, |token| make::string(cx, token, encoding));
        let error = make::array(cx, &[place, event, message, line, column, leaves_tree, token]);
        make::push(cx, list, error);
    }
    list
}

/// Converts offsets to lines and columns.
struct Lines<'m> {
    offsets: &'m [u32],
    first: i32,
    has_bom: bool,
}

impl Lines<'_> {
    fn position(&self, offset: usize) -> (Value, Value) {
        let line = self.offsets.partition_point(|start| *start as usize <= offset).saturating_sub(1);
        let start = self.offsets.get(line).map_or(0, |start| *start as usize);
        let start = if line == 0 && self.has_bom { (start + 3).min(offset) } else { start };
        (Value::fixnum(line as i64 + i64::from(self.first)), Value::fixnum((offset - start) as i64))
    }
}
