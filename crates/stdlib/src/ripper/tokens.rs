//! Ripper::Tokens: the tokens of a source, in native memory. A large source has some hundred thousand of them, most of
//! which are read once: an Array for each would be most of the memory that parsing takes.

use heap::Trace;
use memory::{Grow, ToVector};
use object::{
    Known,
    array::Arr,
    native::{self, NativeData},
    string::Str,
    symbol::table::intern_text,
};
use runtime::{Args, Cx, Method, R, Value, define, error::OrRaise, library, make};
use syntax::{
    Options, Reader,
    reader::Metadata,
    ripper::{self, Element},
};
use text::encoding::{self, EncodingId};

// The class is private to the Ruby half, which passes places below `size`, and for all others gets nil.
const METHODS: &[Method] = &[
    Method::new("size", size).leaf().pure(),
    Method::new("event(place)", event).leaf().pure().borrows(0),
    Method::new("text(place)", text_of).leaf().pure().borrows(0),
    Method::new("state(place)", state).leaf().pure().borrows(0),
    Method::new("width(place)", width).leaf().pure().borrows(0),
    Method::new("lineno(place)", lineno).leaf().pure().borrows(0),
    Method::new("column(place)", column).leaf().pure().borrows(0),
    Method::new("at(offset)", at).leaf().pure().borrows(0),
    Method::new("position(offset)", position).borrows(0),
    Method::new("beyond(place, offset)", beyond).leaf().pure().borrows(0).borrows(1),
    Method::new("ends_beyond?(place, offset)", ends_beyond).leaf().pure().borrows(0).borrows(1),
    Method::new("counts?(place)", does_count).leaf().pure().borrows(0),
    Method::new("significant_from(place)", significant_from).leaf().pure().borrows(0),
    Method::new("significant_before(place)", significant_before).leaf().pure().borrows(0),
    Method::new("closing(offset)", closing).leaf().pure().borrows(0),
];

const SINGLETON: &[Method] = &[Method::new("of(source, first_line)", of)];

pub fn define(cx: &mut Cx, ripper: Value) -> R<()> {
    let object = cx.class(Known::Object);
    let class = library::class(cx, ripper, "Tokens", object)?;
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    object::class::class_data_mut(cx, class).flags.no_allocator = true;
    Ok(())
}

#[derive(Trace)]
struct Tokens {
    source: Value,
    #[trace(skip)]
    encoding: EncodingId,
    #[trace(skip)]
    elements: Vec<Element>,
    /// The elements in the order of the source, if that is not theirs.
    #[trace(skip)]
    order: Option<Vec<u32>>,
    /// The ends of opening parentheses, ascending, with those of the closing ones.
    #[trace(skip)]
    parentheses: Vec<(u32, u32)>,
    #[trace(skip)]
    lines: Lines,
    /// An Array of the symbols of the events, by their numbers.
    events: Value,
}

impl NativeData for Tokens {
    object::one_vtable!(Tokens);

    fn memsize(&self) -> usize {
        self.held_outside()
    }

    fn held_outside(&self) -> usize {
        let order = self.order.as_ref().map_or(0, Vec::len);
        let words = order + self.lines.offsets.len() + self.parentheses.len() * 2;
        self.elements.len() * size_of::<Element>() + words * size_of::<u32>()
    }
}

/// `of(source, first_line) → [tokens, errors, encoding]`. An error is `[place of its token, event, message, line,
/// column, whether the tree remains valid, text if it differs from the token's]`.
fn of(cx: &mut Cx, args: Args) -> R {
    let text = args.str(cx, 0)?;
    let source = text.to_vector();
    let given = text.encoding();
    let first = args.at(1).as_fixnum().unwrap_or(1) as i32;
    let options = Options { line: first, encoding: given.name().as_bytes().to_vector(), ..Options::default() };
    let bytes = syntax::lex(&source, &options);
    host::memory::return_free_memory_of(source.len());
    let mut reader = Reader::new(&bytes);
    let read = ripper::elements(&source, &mut reader).and_then(|elements| Ok((elements, reader.metadata()?)));
    let Ok((elements, mut metadata)) = read else { return Err(crate::prism::malformed(cx)) };
    let encoding = encoding::find(metadata.encoding).unwrap_or(EncodingId::UTF_8);
    let offsets = std::mem::take(&mut metadata.line_offsets);
    let lines = Lines { offsets, first, has_bom: source.starts_with(b"\xEF\xBB\xBF") };
    let errors = errors(cx, &source, &elements, &metadata, &lines, encoding);
    let events = make::array(cx, &[]);
    for name in ripper::EVENTS {
        let event = intern_text(cx, &format!("on_{name}")).value();
        make::push(cx, events, event);
    }
    let tokens = Tokens {
        source: text.dup(cx).value(),
        encoding,
        order: order(&elements),
        parentheses: parentheses(&elements),
        elements,
        lines,
        events,
    };
    let tokens = native::new(cx, args.me(), Box::new(tokens));
    let encoding = core_classes::encoding::object(cx, encoding);
    Ok(make::array(cx, &[tokens, errors, encoding]))
}

/// One error per position, where CRuby's parser would report it.
fn errors(
    cx: &mut Cx,
    source: &[u8],
    elements: &[Element],
    metadata: &Metadata,
    lines: &Lines,
    encoding: EncodingId,
) -> Value {
    let list = make::array(cx, &[]);
    for error in ripper::errors::of(source, elements, metadata) {
        let place = error.element.map_or(Value::NIL, |place| Value::fixnum(place as i64));
        let event = intern_text(cx, error.event).value();
        let message = make::string(cx, error.message, encoding);
        let (line, column) = lines.position(error.start);
        let leaves_tree = Value::bool(error.leaves_tree);
        let token = error.token.map_or(Value::NIL, |token| make::string(cx, token, encoding));
        let position = [Value::fixnum(line), Value::fixnum(column)];
        let error = make::array(cx, &[place, event, message, position[0], position[1], leaves_tree, token]);
        make::push(cx, list, error);
    }
    list
}

fn order(elements: &[Element]) -> Option<Vec<u32>> {
    if elements.is_sorted_by_key(|element| element.start) {
        return None;
    }
    let mut order = memory::collect(0..elements.len() as u32);
    order.sort_by_key(|place| elements[*place as usize].start);
    Some(order)
}

fn parentheses(elements: &[Element]) -> Vec<(u32, u32)> {
    let (mut open, mut pairs) = (Vec::new(), Vec::new());
    for element in elements {
        match element.event() {
            "lparen" => open.append_one(element.end),
            "rparen" => pairs.extend(open.pop().map(|opening| (opening, element.end))),
            _ => {}
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Converts offsets to pairs of a line and a column.
struct Lines {
    offsets: Vec<u32>,
    first: i32,
    has_bom: bool,
}

impl Lines {
    fn index(&self, offset: usize) -> usize {
        self.offsets.partition_point(|start| *start as usize <= offset).saturating_sub(1)
    }

    fn position(&self, offset: usize) -> (i64, i64) {
        let line = self.index(offset);
        let start = self.offsets.get(line).map_or(0, |start| *start as usize);
        // A mark of the byte order takes no columns.
        let start = if line == 0 && self.has_bom { start + 3 } else { start }.min(offset);
        (line as i64 + i64::from(self.first), (offset - start) as i64)
    }
}

impl Tokens {
    /// The last element that starts at an offset.
    fn starting_at(&self, offset: usize) -> Option<usize> {
        let start = |place: usize| self.elements[place].start as usize;
        let place = match &self.order {
            Some(order) => {
                let behind = order.partition_point(|place| start(*place as usize) <= offset);
                order[behind.checked_sub(1)?] as usize
            }
            None => self.elements.partition_point(|element| element.start as usize <= offset).checked_sub(1)?,
        };
        (start(place) == offset).then_some(place)
    }
}

/// Whether a token is more than space. A comment is, if the line end that it includes ends a statement.
fn counts(element: &Element) -> bool {
    const BEG: u16 = 1;
    const FNAME: u16 = 128;
    const DOT: u16 = 256;
    const CLASS: u16 = 512;
    match element.event() {
        "sp" | "ignored_nl" | "words_sep" | "embdoc_beg" | "embdoc" | "embdoc_end" => false,
        "comment" => element.state & (BEG | CLASS | FNAME | DOT) == 0,
        _ => true,
    }
}

type Found<'a> = Option<(&'a Tokens, &'a Element)>;

/// The token at the place that is the first argument, with all others.
fn element<'a>(args: &Args<'a>) -> Found<'a> {
    let tokens = native::get::<Tokens>(args.me_ref())?;
    Some((tokens, tokens.elements.get(number(args, 0)?)?))
}

fn number(args: &Args, at: usize) -> Option<usize> {
    usize::try_from(args.at(at).as_fixnum()?).ok()
}

fn integer_or_nil(number: Option<i64>) -> R {
    Ok(number.map_or(Value::NIL, Value::fixnum))
}

/// `size → integer`: the number of tokens.
fn size(_: &mut Cx, args: Args) -> R {
    integer_or_nil(native::get::<Tokens>(args.me_ref()).map(|tokens| tokens.elements.len() as i64))
}

/// `event(place) → symbol`: the name of the method that is told of the token.
fn event(_: &mut Cx, args: Args) -> R {
    Ok(element(&args).map_or(Value::NIL, |(tokens, element)| Arr::of(tokens.events).at(element.event_number())))
}

/// `text(place) → string`: a new String with the token's text.
fn text_of(cx: &mut Cx, args: Args) -> R {
    let Some((tokens, element)) = element(&args) else { return Ok(Value::NIL) };
    let (source, span, encoding) = (Str::of(tokens.source), element.span(), tokens.encoding);
    Ok(source.copied(cx, span, encoding).or_raise(cx)?.value())
}

/// `state(place) → integer`: the lexer's state.
fn state(_: &mut Cx, args: Args) -> R {
    integer_or_nil(element(&args).map(|(_, element)| i64::from(element.state)))
}

/// `width(place) → integer or nil`: the columns of indentation removed from a here document that ends there.
fn width(_: &mut Cx, args: Args) -> R {
    let width = element(&args).map(|(_, element)| i64::from(element.dedent));
    integer_or_nil(width.filter(|width| *width > 0))
}

/// `lineno(place) → integer`: the line in which the token starts.
fn lineno(_: &mut Cx, args: Args) -> R {
    integer_or_nil(element(&args).map(|(tokens, element)| tokens.lines.position(element.start as usize).0))
}

/// `column(place) → integer`: the column in which the token starts.
fn column(_: &mut Cx, args: Args) -> R {
    integer_or_nil(element(&args).map(|(tokens, element)| tokens.lines.position(element.start as usize).1))
}

/// `at(offset) → place or nil`: the token that starts at an offset.
fn at(_: &mut Cx, args: Args) -> R {
    let tokens = native::get::<Tokens>(args.me_ref());
    let place = tokens.zip(number(&args, 0)).and_then(|(tokens, offset)| tokens.starting_at(offset));
    integer_or_nil(place.map(|place| place as i64))
}

/// `position(offset) → [lineno, column]`: the line and the column of an offset in prism's tree, in which a mark of the
/// byte order has columns.
fn position(cx: &mut Cx, args: Args) -> R {
    let tokens = native::get::<Tokens>(args.me_ref());
    let (line, column) = tokens.zip(number(&args, 0)).map_or((0, 0), |(tokens, offset)| {
        let line = tokens.lines.index(offset);
        let start = tokens.lines.offsets.get(line).map_or(0, |start| *start as usize);
        (line as i64 + i64::from(tokens.lines.first), offset.saturating_sub(start) as i64)
    });
    Ok(make::array(cx, &[Value::fixnum(line), Value::fixnum(column)]))
}

/// `beyond(place, offset) → place`: the first token from a place on that ends behind an offset; the size if none does.
fn beyond(_: &mut Cx, args: Args) -> R {
    let tokens = native::get::<Tokens>(args.me_ref());
    let place = tokens.zip(number(&args, 0).zip(number(&args, 1))).map(|(tokens, (place, offset))| {
        let rest = tokens.elements.iter().skip(place);
        place + rest.take_while(|element| element.end as usize <= offset).count()
    });
    integer_or_nil(place.map(|place| place as i64))
}

/// `ends_beyond?(place, offset) → true or false`: whether the token ends behind an offset.
fn ends_beyond(_: &mut Cx, args: Args) -> R {
    let offset = number(&args, 1).unwrap_or_default();
    Ok(Value::bool(element(&args).is_some_and(|(_, element)| element.end as usize > offset)))
}

/// `counts?(place) → true or false`: whether the token is significant.
fn does_count(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(element(&args).is_some_and(|(_, element)| counts(element))))
}

/// `significant_from(place) → place`: the first significant token from a place on; the size if there is none.
fn significant_from(_: &mut Cx, args: Args) -> R {
    let place = native::get::<Tokens>(args.me_ref()).zip(number(&args, 0)).map(|(tokens, place)| {
        let rest = tokens.elements.iter().skip(place);
        place + rest.take_while(|element| !counts(element)).count()
    });
    integer_or_nil(place.map(|place| place as i64))
}

/// `significant_before(place) → place or nil`: the last significant token before a place.
fn significant_before(_: &mut Cx, args: Args) -> R {
    let place = native::get::<Tokens>(args.me_ref())
        .zip(number(&args, 0))
        .and_then(|(tokens, place)| tokens.elements.get(..place)?.iter().rposition(counts));
    integer_or_nil(place.map(|place| place as i64))
}

/// `closing(offset) → offset or nil`: the end of the parenthesis that closes the one which ends at an offset.
fn closing(_: &mut Cx, args: Args) -> R {
    let pair = native::get::<Tokens>(args.me_ref()).zip(number(&args, 0)).and_then(|(tokens, offset)| {
        let place = tokens.parentheses.binary_search_by_key(&offset, |pair| pair.0 as usize).ok()?;
        Some(tokens.parentheses[place].1)
    });
    integer_or_nil(pair.map(i64::from))
}
