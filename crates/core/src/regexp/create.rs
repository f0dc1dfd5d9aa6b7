//! Regexp.new, escape, union, try_convert, timeouts.

use std::sync::{Arc, OnceLock};

use abi::{Flags, Type};
use object::{Known, Sym, array, cell, float, hash::HashRef, native, string::Str};
use regexp::Program;
use runtime::{
    Args, Cx, R, Value, call, convert,
    error::ErrorClass,
    keys, make,
    special::{self, RegexpData},
    sym, warning,
};
use text::{EncodingId, inspect};

use super::search;
use crate::string::{modify, substitute};

/// The options that are kept when a Regexp is created from another one.
const MASK: i64 = 1 | 2 | 4 | 16 | 32;

/// `Regexp.allocate → regexp`: a regexp without a source; its methods raise TypeError until `initialize`.
pub fn allocate(cx: &mut Cx, args: Args) -> R {
    static EMPTY: OnceLock<Arc<Program>> = OnceLock::new();
    let program = match EMPTY.get() {
        Some(program) => program.clone(),
        None => {
            let Ok(program) = Program::compile_shared(b"", regexp::Options::default(), regexp::Encoding::Ascii) else {
                return Err(cx.raise(ErrorClass::RegexpError, "can't allocate"));
            };
            EMPTY.get_or_init(|| program).clone()
        }
    };
    let encoding = EncodingId::BINARY;
    let (source, compiled_with, warned_of) = (Value::NIL, (0, encoding), Default::default());
    let data = RegexpData { source, encoding, program, options: 0, timeout: None, compiled_with, warned_of };
    Ok(native::new(cx, args.me(), Box::new(data)))
}

/// The data of a Regexp that `Regexp.new` makes of its arguments. One that is copied is not compiled again.
fn given(cx: &mut Cx, args: Args) -> R<RegexpData> {
    let timeout_name = sym::TIMEOUT;
    keys::only_keywords(cx, args.keywords(), &[timeout_name])?;
    let timeout = keys::keyword(cx, args.keywords(), timeout_name);
    let timeout = if timeout.is_undef() || timeout.is_nil() { None } else { nanoseconds(cx, timeout)? };
    if cell::is(args.at(0), Type::Regexp) {
        let data = search::data(cx, args.at_ref(0))?;
        if args.len() > 1 {
            warning::warn_here(cx, "flags ignored")?;
        }
        return Ok(RegexpData { timeout, ..copy(data) });
    }
    let options = match args.opt(1) {
        Some(v) => options(cx, v)?,
        None => 0,
    };
    let source = modify::argument(cx, args.at(0))?;
    let data = special::compile_regexp(cx, &source.to_vector(), source.encoding(), options)?;
    Ok(RegexpData { timeout, ..data })
}

/// Data for a copy of a Regexp, with the same program.
fn copy(data: &RegexpData) -> RegexpData {
    let RegexpData { source, encoding, ref program, options, timeout, compiled_with, .. } = *data;
    RegexpData {
        source,
        encoding,
        program: program.clone(),
        options,
        timeout,
        compiled_with,
        warned_of: Default::default(),
    }
}

/// Options as an Integer, as letters, or as a flag for ignoring case.
fn options(cx: &mut Cx, v: Value) -> R<u8> {
    if convert::is_integer(v) {
        return Ok((convert::to_i64(cx, v)? & MASK) as u8);
    }
    if let Some(s) = Str::from_value(v) {
        let mut options = 0;
        for letter in s.bytes(cx) {
            options |= match letter {
                b'i' => 1,
                b'x' => 2,
                b'm' => 4,
                _ => {
                    let shown = s.to_text();
                    return Err(cx.argument_error(&format!("unknown regexp option: {shown}")));
                }
            };
        }
        return Ok(options);
    }
    if !v.is_nil() && v != Value::TRUE && v != Value::FALSE {
        let shown = call::inspect_text(cx, v)?;
        warning::warn_here(cx, &format!("expected true or false as ignorecase: {shown}"))?;
    }
    Ok(v.truthy() as u8)
}

/// Seconds as nanoseconds; ArgumentError unless positive.
fn nanoseconds(cx: &mut Cx, v: Value) -> R<Option<u64>> {
    if v.is_nil() {
        return Ok(None);
    }
    let seconds = convert::to_f64(cx, v)?;
    if seconds.is_nan() || seconds <= 0.0 {
        let shown = call::inspect_text(cx, v)?;
        return Err(cx.argument_error(&format!("invalid timeout: {shown}")));
    }
    Ok(Some((seconds * 1e9) as u64))
}

/// `Regexp.new(source, options = 0, timeout: nil)`: compiles a source, or copies another Regexp. Options are flags, a
/// String of `i`, `m` and `x`, or any truthy value for `i`. RegexpError for an invalid source.
pub fn initialize(cx: &mut Cx, args: Args) -> R {
    check_new(cx, args.me())?;
    let data = given(cx, args)?;
    if !cell::is(args.at(0), Type::Regexp) {
        warning::warn_of_pattern(cx, &data.program, None)?;
    }
    if let Some(old) = native::get_mut::<RegexpData>(cx, args.me()) {
        *old = data;
    }
    cx.remember(args.me());
    Ok(Value::NIL)
}

fn check_new(cx: &mut Cx, me: Value) -> R<()> {
    if cell::header(me).has(Flags::FROZEN) {
        return Err(cx.frozen_error(me));
    }
    match native::get::<RegexpData>(&me) {
        Some(data) if data.source.is_nil() => Ok(()),
        _ => Err(cx.type_error("already initialized regexp")),
    }
}

/// `initialize_copy(other) → self`: compiles the source of another Regexp with its options. FrozenError for a literal,
/// TypeError for a Regexp that is already initialized.
pub fn initialize_copy(cx: &mut Cx, args: Args) -> R {
    if args.me() == args.at(0) {
        return Ok(args.me());
    }
    check_new(cx, args.me())?;
    let data = copy(search::data(cx, args.at_ref(0))?);
    if let Some(old) = native::get_mut::<RegexpData>(cx, args.me()) {
        *old = data;
    }
    cx.remember(args.me());
    Ok(args.me())
}

/// A pattern given as Regexp or String (`String#match`); with `quote` a String matches literally.
pub fn from_pattern(cx: &mut Cx, v: Value, quote: bool) -> R {
    let pattern = substitute::pattern(cx, v)?;
    if cell::is(pattern, Type::Regexp) {
        return Ok(pattern);
    }
    let s = Str::of(pattern);
    let class = cx.class(Known::Regexp);
    if quote {
        let mut source = Vec::new();
        inspect::regexp_escape(s.encoding(), s.bytes(cx), &mut source);
        return special::make_regexp(cx, class, &source, s.encoding(), 0);
    }
    let source = s.to_vector();
    special::make_regexp(cx, class, &source, s.encoding(), 0)
}

fn escaped(s: Str) -> (Vec<u8>, EncodingId) {
    let out = s.read(s.encoding(), |text, encoding| {
        let mut out = Vec::new();
        inspect::regexp_escape(encoding, text, &mut out);
        out
    });
    (out, if s.is_ascii() { EncodingId::US_ASCII } else { s.encoding() })
}

/// `Regexp.escape(string) → string`: the text with a backslash before all characters with a meaning in regexps.
/// TypeError unless it is a String, a Symbol or has `to_str`. Alias: `quote`.
pub fn escape(cx: &mut Cx, args: Args) -> R {
    let s = match Sym::from_value(args.at(0)) {
        Some(symbol) => Str::of(symbol.name(cx)),
        None => modify::argument(cx, args.at(0))?,
    };
    let (out, encoding) = escaped(s);
    modify::new(cx, &out, encoding)
}

/// The Regexp that the object's `to_regexp` returns; otherwise the object.
fn as_regexp(cx: &mut Cx, v: Value) -> R {
    match call::send_if_responds(cx, v, runtime::sym::TO_REGEXP, &[])? {
        Some(r) if cell::is(r, Type::Regexp) => Ok(r),
        _ => Ok(v),
    }
}

/// `Regexp.union(*patterns)`, `Regexp.union(array) → regexp`: matches if any of the patterns does; strings are escaped.
/// ArgumentError for incompatible encodings.
pub fn union(cx: &mut Cx, args: Args) -> R {
    let list = match args.all() {
        [one] => match convert::try_ary(cx, *one)? {
            Some(list) => make::copy(cx, list),
            None => make::array(cx, &[*one]),
        },
        all => make::array(cx, all),
    };
    let patterns = array::Arr::of(list);
    let class = cx.class(Known::Regexp);
    match patterns.len() {
        0 => return special::make_regexp(cx, class, b"(?!)", EncodingId::US_ASCII, 0),
        1 => {
            let only = as_regexp(cx, array::Arr::of(list).at(0))?;
            if cell::is(only, Type::Regexp) {
                return Ok(only);
            }
            let s = string_or_symbol(cx, only)?;
            let (source, encoding) = escaped(s);
            return special::make_regexp(cx, class, &source, encoding, 0);
        }
        _ => {}
    }
    let (mut parts, mut fixed, mut any) = (Vec::new(), None::<EncodingId>, None::<EncodingId>);
    for index in 0..patterns.len() {
        let v = patterns.get(index).unwrap_or(Value::NIL);
        let v = as_regexp(cx, v)?;
        let (bytes, encoding, is_fixed) = if cell::is(v, Type::Regexp) {
            let data = search::data(cx, &v)?;
            (super::show::to_s_bytes(cx, data, 0), Str::of(data.source).encoding(), data.program.is_fixed_encoding())
        } else {
            let s = modify::argument(cx, v)?;
            let (bytes, encoding) = escaped(s);
            (bytes, encoding, !s.is_ascii())
        };
        if !encoding.is_ascii_compatible() || is_fixed {
            match fixed {
                Some(before) if before != encoding => {
                    let (a, b) = (modify::shown_name(before), modify::shown_name(encoding));
                    return Err(cx.argument_error(&format!("incompatible encodings: {a} and {b}")));
                }
                _ => fixed = Some(encoding),
            }
        } else {
            any = any.or(Some(encoding));
        }
        parts.push(bytes);
    }
    if let (Some(fixed), Some(any)) = (fixed, any)
        && !fixed.is_ascii_compatible()
    {
        let (a, b) = (modify::shown_name(fixed), modify::shown_name(any));
        return Err(cx.argument_error(&format!("incompatible encodings: {a} and {b}")));
    }
    let mut bar = Vec::new();
    let _ = text::encoding::encode_codepoint(fixed.unwrap_or(EncodingId::US_ASCII), u32::from(b'|'), &mut bar);
    let source = parts.join(&bar[..]);
    special::make_regexp(cx, class, &source, fixed.or(any).unwrap_or(EncodingId::US_ASCII), 0)
}

fn string_or_symbol(cx: &mut Cx, v: Value) -> R<Str> {
    match Sym::from_value(v) {
        Some(symbol) => Ok(Str::of(symbol.name(cx))),
        None => modify::argument(cx, v),
    }
}

/// `Regexp.try_convert(object) → regexp or nil`: the object if it is a Regexp, otherwise the result of its `to_regexp`;
/// nil without that method. TypeError if `to_regexp` returns another object.
pub fn try_convert(cx: &mut Cx, args: Args) -> R {
    let v = args.at(0);
    if cell::is(v, Type::Regexp) {
        return Ok(v);
    }
    match call::send_if_responds(cx, v, runtime::sym::TO_REGEXP, &[])? {
        None => Ok(Value::NIL),
        Some(r) if r.is_nil() || cell::is(r, Type::Regexp) => Ok(r),
        Some(other) => {
            let (from, got) = (runtime::error::class_name_of(cx, v), runtime::error::class_name_of(cx, other));
            Err(cx.type_error(&format!("can't convert {from} to Regexp ({from}#to_regexp gives {got})")))
        }
    }
}

/// `Regexp.linear_time?(regexp)`, `Regexp.linear_time?(source, options = 0, timeout: nil) → true or false`: whether the
/// time of a match grows at most linearly with the length of the text.
pub fn is_linear_time(cx: &mut Cx, args: Args) -> R {
    if cell::is(args.at(0), Type::Regexp) {
        if args.len() > 1 {
            warning::warn_here(cx, "flags ignored")?;
        }
        return Ok(Value::bool(search::data(cx, args.at_ref(0))?.program.is_linear_time()));
    }
    let data = given(cx, args)?;
    Ok(Value::bool(data.program.is_linear_time()))
}

/// `Regexp.last_match(group = nil) → match_data, string or nil`: `$~`, or the text of one of its groups. IndexError for
/// an unknown name.
pub fn last_match(cx: &mut Cx, args: Args) -> R {
    let m = special::last_match(cx);
    let Some(group) = args.opt(0) else { return Ok(m) };
    if m.is_nil() {
        return Ok(Value::NIL);
    }
    match crate::match_data::groups::number(cx, m, group)? {
        Some(number) => crate::match_data::groups::text(cx, m, number),
        None => Ok(Value::NIL),
    }
}

fn seconds(cx: &mut Cx, timeout: Option<u64>) -> Value {
    match timeout {
        Some(nanoseconds) => float::new(cx, nanoseconds as f64 / 1e9),
        None => Value::NIL,
    }
}

/// `Regexp.timeout → float or nil`: the number of seconds after which a match raises Regexp::TimeoutError; nil for no
/// limit.
pub fn timeout(cx: &mut Cx, _: Args) -> R {
    let timeout = cx.vm().regexp_timeout;
    Ok(seconds(cx, timeout))
}

/// `Regexp.timeout = seconds`: the limit for regexps without their own; nil for no limit. ArgumentError unless it is
/// positive.
pub fn set_timeout(cx: &mut Cx, args: Args) -> R {
    let timeout = nanoseconds(cx, args.at(0))?;
    cx.vm_mut().regexp_timeout = timeout;
    Ok(args.at(0))
}

/// `timeout → float or nil`: the limit of this Regexp; nil if `Regexp.timeout` applies.
pub fn own_timeout(cx: &mut Cx, args: Args) -> R {
    let timeout = search::data(cx, args.me_ref())?.timeout;
    Ok(seconds(cx, timeout))
}

/// `named_captures → hash`: for each name an array with the numbers of its groups.
pub fn named_captures(cx: &mut Cx, args: Args) -> R {
    let data = search::data(cx, args.me_ref())?;
    let hash = HashRef::new(cx).value();
    for group in data.program.names() {
        let name = modify::new(cx, &group.name, Str::of(data.source).encoding())?;
        let numbers = make::array(cx, &[]);
        for number in &group.groups {
            make::push(cx, numbers, Value::fixnum(*number as i64));
        }
        keys::store(cx, hash, name, numbers)?;
    }
    Ok(hash)
}

/// `names → array`: the names of the named groups, each once, in the order of their first occurrence.
pub fn names(cx: &mut Cx, args: Args) -> R {
    let data = search::data(cx, args.me_ref())?;
    let list = make::array(cx, &[]);
    for group in data.program.names() {
        let name = modify::new(cx, &group.name, Str::of(data.source).encoding())?;
        make::push(cx, list, name);
    }
    Ok(list)
}
