//! A scanner's state.

use std::cell::Cell;

use heap::Trace;
use memory::Grow;
use object::{
    native::{self, NativeData},
    string::Str,
    symbol::table::intern_text,
};
use regexp::Captures;
use runtime::{Args, Cx, R, Unwind, Value, call, convert, error::OrRaise, keys, make};
use text::encoding::EncodingId;

/// The string, the position in it, and the last match.
#[derive(Trace)]
pub struct Scanner {
    pub string: Value,
    /// Numbers, and references that are cleared, change without the write barrier.
    #[trace(skip)]
    pub pos: Cell<usize>,
    /// The position before the last match.
    pub previous: usize,
    #[trace(skip)]
    pub matched: Cell<bool>,
    /// The byte from which the spans of `captures` count.
    pub base: usize,
    #[trace(skip)]
    pub captures: Captures,
    /// The pattern of the last scan; nil if that was a String, or if something else cleared the match.
    pub regexp: Cell<Value>,
    /// Whether `\A` and `^` refer to the whole string instead of the remaining text.
    pub fixed_anchor: bool,
}

impl NativeData for Scanner {
    object::one_vtable!(Scanner);
}

impl Scanner {
    /// Clears the last match, and with its pattern the names of `named_captures`.
    pub fn forget_match(&self) {
        self.matched.set(false);
        self.regexp.set(Value::NIL);
    }
}

/// `StringScanner.allocate → scanner`: a scanner without a string; its methods raise ArgumentError until `initialize`.
pub fn allocate(cx: &mut Cx, args: Args) -> R {
    let scanner = Scanner {
        string: Value::NIL,
        pos: Cell::new(0),
        previous: 0,
        matched: Cell::new(false),
        base: 0,
        captures: Captures::new(),
        regexp: Cell::new(Value::NIL),
        fixed_anchor: false,
    };
    Ok(native::new(cx, args.me(), Box::new(scanner)))
}

/// The scanner and its string, which may end before the position if the program has shortened it.
pub fn of<'a>(cx: &'a mut Cx, args: Args) -> R<(&'a mut Scanner, Str)> {
    let is_ready = |scanner: &Scanner| !scanner.string.is_nil();
    let scanner = native::get_mut_where(cx, args.me(), is_ready, uninitialized)?;
    let string = Str::of(scanner.string);
    Ok((scanner, string))
}

#[cold]
fn uninitialized(cx: &mut Cx) -> Unwind {
    cx.argument_error("uninitialized StringScanner object")
}

/// The scanner and its string for reading only, without the write barrier.
pub fn read_only<'a>(cx: &mut Cx, args: &'a Args) -> R<(&'a Scanner, Str)> {
    match native::get::<Scanner>(args.me_ref()) {
        Some(scanner) if !scanner.string.is_nil() => Ok((scanner, Str::of(scanner.string))),
        _ => Err(uninitialized(cx)),
    }
}

/// `initialize(string, dup = false, fixed_anchor: false) → self`: scans the string from its start, without copying it;
/// `dup` is ignored. With `fixed_anchor` `^` and `\A` match at the start of the string, not at the position.
pub fn initialize(cx: &mut Cx, args: Args) -> R {
    let name = intern_text(cx, "fixed_anchor");
    keys::only_keywords(cx, args.keywords(), &[name])?;
    let fixed = keys::keyword(cx, args.keywords(), name);
    let string = args.str(cx, 0)?;
    if let Some(scanner) = native::get_mut::<Scanner>(cx, args.me()) {
        scanner.fixed_anchor = !fixed.is_undef() && fixed.truthy();
        scanner.string = string.value();
        scanner.pos.set(0);
        scanner.forget_match();
    }
    Ok(args.me())
}

/// `initialize_copy(other) → self`: copies the string, the position and the last match. TypeError unless `other` is a
/// StringScanner.
pub fn initialize_copy(cx: &mut Cx, args: Args) -> R {
    let Some(other) = native::get::<Scanner>(args.at_ref(0)) else {
        return Err(cx.type_error("wrong argument type (expected StringScanner)"));
    };
    if let Some(scanner) = native::get_mut::<Scanner>(cx, args.me()) {
        scanner.string = other.string;
        scanner.pos.set(other.pos.get());
        scanner.previous = other.previous;
        scanner.matched.set(other.matched.get());
        scanner.base = other.base;
        scanner.captures.spans = other.captures.spans.clone();
        scanner.regexp.set(other.regexp.get());
        scanner.fixed_anchor = other.fixed_anchor;
    }
    Ok(args.me())
}

/// `string → string`: the scanned string itself, not a copy.
pub fn string(cx: &mut Cx, args: Args) -> R {
    Ok(read_only(cx, &args)?.1.value())
}

/// `string=(string) → string`: scans another string from its start and clears the last match.
pub fn set_string(cx: &mut Cx, args: Args) -> R {
    let string = args.str(cx, 0)?;
    if let Some(scanner) = native::get_mut::<Scanner>(cx, args.me()) {
        scanner.string = string.value();
        scanner.pos.set(0);
        scanner.forget_match();
    }
    Ok(args.at(0))
}

/// `concat(string) → self`: appends to the scanned string, which modifies that object. TypeError unless it is given a
/// String.
pub fn concat(cx: &mut Cx, args: Args) -> R {
    let more = args.str(cx, 0)?;
    let (_, string) = of(cx, args)?;
    let name = intern_text(cx, "concat");
    call::send(cx, string.value(), name, &[more.value()])?;
    Ok(args.me())
}

/// `fixed_anchor? → true or false`: whether `^` and `\A` match at the start of the string, not at the position.
pub fn is_fixed_anchor(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(of(cx, args)?.0.fixed_anchor))
}

/// `must_C_version → self`: kept for programs that require the version written in C.
pub fn must_c_version(_: &mut Cx, args: Args) -> R {
    Ok(args.me())
}

/// The number of bytes shown on either side of the position.
const SHOWN: usize = 5;

/// `inspect → string`: the position, the length, and a few bytes before and after the position.
pub fn inspect(cx: &mut Cx, args: Args) -> R {
    let class = runtime::error::class_name_of(cx, args.me());
    let scanner = match native::get::<Scanner>(args.me_ref()) {
        Some(scanner) if !scanner.string.is_nil() => scanner,
        _ => return Ok(make::described(cx, &format!("#<{class} (uninitialized)>"))),
    };
    let string = Str::of(scanner.string);
    let (at, size) = (scanner.pos.get().min(string.len()), string.len());
    if at == size {
        return Ok(make::described(cx, &format!("#<{class} fin>")));
    }
    let after = dumped(cx, string, at, (at + SHOWN).min(size), false, size > at + SHOWN)?;
    let text = if at == 0 {
        format!("#<{class} {at}/{size} @ {after}>")
    } else {
        let before = dumped(cx, string, at.saturating_sub(SHOWN), at, at > SHOWN, false)?;
        format!("#<{class} {at}/{size} {before} @ {after}>")
    };
    Ok(make::described(cx, &text))
}

fn dumped(cx: &mut Cx, string: Str, from: usize, to: usize, dots_before: bool, dots_after: bool) -> R<String> {
    let mut bytes = Vec::new();
    if dots_before {
        bytes.append_slice(b"...");
    }
    bytes.append_slice(&string.bytes(cx)[from..to]);
    if dots_after {
        bytes.append_slice(b"...");
    }
    // The part may begin or end within a character: it is shown as bytes.
    let part = Str::new(cx, &bytes, EncodingId::BINARY).or_raise(cx)?;
    let name = intern_text(cx, "dump");
    let shown = call::send(cx, part.value(), name, &[])?;
    Ok(convert::to_str(cx, shown)?.to_text())
}
