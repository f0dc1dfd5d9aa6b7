//! Writing: write, print, puts, p and their Kernel forms.

use std::{convert::Infallible, io::IoSlice};

use memory::{Grow, ToVector};
use object::{Sym, cell, string::Str, symbol::table::intern_text};
use runtime::{
    Args, Cx, R, Value, call, concurrency::pending, convert, core_methods, error::OrRaise, keys, make, recursion, sym,
};

use super::data;
use text::{
    encoding::EncodingId,
    transcode::{self, Options},
};

/// `write(*objects) → integer`: writes the objects' `to_s` in one piece, so that no other writer interferes, and
/// returns the number of bytes. IOError unless the stream is open for writing.
pub fn write(cx: &mut Cx, args: Args) -> R {
    write_all(cx, args.me(), args.all())
}

fn write_all(cx: &mut Cx, io: Value, list: &[Value]) -> R {
    if list.len() > 1
        && let Some(written) = write_long(cx, io, list)?
    {
        return Ok(Value::fixnum(written));
    }
    let mut together: Vec<u8> = Vec::new();
    let mut written = 0;
    if list.is_empty() {
        data::open_data(cx, io)?;
    }
    for v in list {
        let mut s = convert::to_s(cx, *v)?;
        if s.is_empty() {
            data::open_data(cx, io)?;
            continue;
        }
        let data = data::open_data(cx, io)?;
        let (external, conversion) = (data.external, data.conversion);
        if !conversion.is_nil()
            && let Some(escaped) = escaped(cx, io, s)?
        {
            s = escaped;
        } else if let Some(external) = external
            && is_converted(s, external)
        {
            if conversion.is_nil() && data::is_stateful(external) {
                let plain = crate::string::encodings::encoded_by(cx, s, EncodingId::UTF_8, conversion)?;
                let plain = Str::of(plain).held(cx);
                if let Some(bytes) = data::encoded_on(cx, io, &plain, external)? {
                    written += bytes.len() as i64;
                    data::write(cx, io, &bytes)?;
                    continue;
                }
            }
            s = Str::of(crate::string::encodings::encoded_for_output(cx, s, external, conversion)?);
        }
        written += s.len() as i64;
        if list.len() == 1 {
            let bytes = s.held_for_output(cx);
            data::write(cx, io, &bytes)?;
        } else {
            memory::reserve(&mut together, s.len());
            together.append_slice(s.bytes(cx));
        }
    }
    if !together.is_empty() {
        data::write(cx, io, &together)?;
    }
    Ok(Value::fixnum(written))
}

/// Whether a stream with this external encoding converts a String.
fn is_converted(s: Str, external: EncodingId) -> bool {
    external != s.encoding() && external != EncodingId::BINARY && !(s.is_ascii() && external.is_ascii_compatible())
}

/// What a stream with the option `xml:` writes for a String, with the first quote of `xml: :attr`; `None` without it.
fn escaped(cx: &mut Cx, io: Value, s: Str) -> R<Option<Str>> {
    let Some(quotes) = quotes(cx, io)? else { return Ok(None) };
    let data = data::open_data(cx, io)?;
    let (external, conversion, opens) = (data.external, data.conversion, quotes && !data.quoted);
    let to = external.filter(|external| *external != EncodingId::BINARY).unwrap_or(s.encoding());
    let text = Str::of(crate::string::encodings::encoded_for_output(cx, s, to, conversion)?);
    if !opens {
        return Ok(Some(text));
    }
    let quoted = Str::new(cx, &quote_in(to), to).or_raise(cx)?;
    let bytes = text.held(cx);
    quoted.append(cx, &bytes).or_raise(cx)?;
    data::open_data(cx, io)?.quoted = true;
    Ok(Some(quoted))
}

/// Whether the option `xml:` of a stream is `:attr`; `None` without it.
fn quotes(cx: &mut Cx, io: Value) -> R<Option<bool>> {
    let conversion = data::any_data(cx, io)?.conversion;
    if conversion.is_nil() {
        return Ok(None);
    }
    let kind = keys::keyword(cx, Some(conversion), sym::XML);
    Ok(Sym::from_value(kind).map(|kind| kind.bytes(cx) == b"attr"))
}

fn quote_in(encoding: EncodingId) -> Vec<u8> {
    let (none, pair) = (None::<transcode::Fallback<'_, Infallible>>, (EncodingId::US_ASCII, encoding));
    transcode::convert(Some(pair), b"\"", &Options::default(), none).unwrap_or_else(|_| b"\"".to_vector())
}

/// The quote of `xml: :attr` that is missing when a stream is closed to which something was written.
pub(super) fn quote_at_end(cx: &mut Cx, io: Value) -> R<Vec<u8>> {
    if quotes(cx, io)? != Some(true) {
        return Ok(Vec::new());
    }
    let data = data::any_data(cx, io)?;
    let quote = quote_in(data.external.unwrap_or(EncodingId::UTF_8));
    Ok(if std::mem::replace(&mut data.quoted, false) { quote } else { Vec::new() })
}

/// The most Strings that [`write_long`] accepts.
const FEW: usize = 8;

/// Writes a few Strings that are long together without a copy, unless some must be converted; the number of bytes.
fn write_long(cx: &mut Cx, io: Value, list: &[Value]) -> R<Option<i64>> {
    let mut length = 0;
    for v in list {
        let Some(s) = Str::from_value(*v) else { return Ok(None) };
        length += s.len();
    }
    if length < data::DIRECT_WRITE || list.len() > FEW {
        return Ok(None);
    }
    if !data::open_data(cx, io)?.conversion.is_nil() {
        return Ok(None);
    }
    if let Some(external) = data::open_data(cx, io)?.external
        && list.iter().any(|v| is_converted(Str::of(*v), external))
    {
        return Ok(None);
    }
    let mut held = [const { None }; FEW];
    for (place, v) in held.iter_mut().zip(list) {
        *place = Some(Str::of(*v).held_for_output(cx));
    }
    let mut pieces = [IoSlice::new(&[]); FEW];
    for (piece, bytes) in pieces.iter_mut().zip(held.iter().flatten()) {
        *piece = IoSlice::new(bytes);
    }
    Ok(data::write_pieces(cx, io, &mut pieces[..list.len()])?.then_some(length as i64))
}

/// `putc(character)`, `putc(object) → object`: writes the first character of a String, or the low byte of a number;
/// returns its argument.
pub fn putc(cx: &mut Cx, args: Args) -> R {
    putc_to(cx, args.me(), args.all())
}

pub fn putc_to(cx: &mut Cx, stream: Value, objects: &[Value]) -> R {
    let s = first_character(cx, objects[0])?;
    call::send(cx, stream, sym::WRITE, &[s])?;
    Ok(objects[0])
}

/// What `putc` writes.
pub fn first_character(cx: &mut Cx, v: Value) -> R {
    Ok(match Str::from_value(v) {
        Some(s) => {
            let count = text::encoding::char_len_or_min(s.encoding(), s.bytes(cx));
            let bytes = s.bytes(cx)[..count].to_vector();
            make::string(cx, &bytes, s.encoding())
        }
        None => {
            let byte = convert::to_i64(cx, v)? as u8;
            make::string(cx, &[byte], text::encoding::EncodingId::BINARY)
        }
    })
}

/// `stream << object → stream`: calls `write` of the stream.
pub fn append(cx: &mut Cx, args: Args) -> R {
    call::send(cx, args.me(), sym::WRITE, &[args.at(0)])?;
    Ok(args.me())
}

/// `printf(format, *arguments) → nil`: writes the result of `format`. ArgumentError without a format.
pub fn printf(cx: &mut Cx, args: Args) -> R {
    let text = crate::string::format::format_arguments(cx, args.all())?;
    call::send(cx, args.me(), sym::WRITE, &[text])?;
    Ok(Value::NIL)
}

/// `print(*objects) → nil`: writes the objects' `to_s`, with `$,` between and `$\` after them; `$_` without arguments.
pub fn print(cx: &mut Cx, args: Args) -> R {
    print_to(cx, args.me(), args.all())
}

pub fn print_to(cx: &mut Cx, stream: Value, objects: &[Value]) -> R {
    let line;
    let objects = if objects.is_empty() {
        line = [runtime::special::last_line(cx)];
        &line[..]
    } else {
        objects
    };
    let (between, after) = (cx.global_get(sym::BETWEEN_FIELDS)?, cx.global_get(sym::AFTER_RECORDS)?);
    for (i, v) in objects.iter().enumerate() {
        if i > 0 && !between.is_nil() {
            call::send(cx, stream, sym::WRITE, &[between])?;
        }
        call::send(cx, stream, sym::WRITE, &[*v])?;
    }
    if !after.is_nil() {
        call::send(cx, stream, sym::WRITE, &[after])?;
    }
    Ok(Value::NIL)
}

/// `puts(*objects) → nil`: writes each object's `to_s` as a line, arrays element by element; an empty line without
/// arguments.
pub fn puts(cx: &mut Cx, args: Args) -> R {
    puts_to(cx, args.me(), args.all())
}

pub fn puts_to(cx: &mut Cx, stream: Value, objects: &[Value]) -> R {
    if objects.is_empty() {
        let newline = make::interned(cx, "\n");
        call::send(cx, stream, sym::WRITE, &[newline])?;
    }
    for v in objects {
        put_line(cx, stream, *v)?;
    }
    Ok(Value::NIL)
}

/// Whether the last character is a newline; its units may have two or four bytes.
fn ends_with_newline(s: object::string::Str, cx: &Cx) -> bool {
    let bytes = s.bytes(cx);
    match s.encoding().min_char_len() {
        1 => bytes.last() == Some(&b'\n'),
        unit => bytes.rchunks(unit).next().is_some_and(|last| {
            let is_newline = |unit: &[u8]| unit.iter().map(|b| u32::from(*b)).sum::<u32>() == 10;
            last.len() == unit && is_newline(last) && (last[0] == b'\n' || last[unit - 1] == b'\n')
        }),
    }
}

fn put_line(cx: &mut Cx, stream: Value, v: Value) -> R<()> {
    if v.is_heap() && !cell::is(v, abi::Type::String) {
        // Guards the object itself, because its to_ary may return a new Array each time.
        let done = recursion::guard(cx, sym::PUTS, v, Value::NIL, |cx| {
            let Some(list) = convert::try_ary(cx, v)? else { return Ok(false) };
            let mut i = 0;
            while let Some(element) = list.get(i) {
                put_line(cx, stream, element)?;
                i += 1;
            }
            Ok(true)
        })?;
        match done {
            Some(false) => {}
            Some(true) => return Ok(()),
            None => {
                let dots = make::interned(cx, "[...]");
                return put_line(cx, stream, dots);
            }
        }
    }
    let s = convert::to_s(cx, v)?;
    let newline = make::interned(cx, "\n");
    if s.is_empty() {
        call::send(cx, stream, sym::WRITE, &[newline])?;
    } else if ends_with_newline(s, cx) {
        call::send(cx, stream, sym::WRITE, &[s.value()])?;
    } else {
        write_both(cx, stream, s.value(), newline)?;
    }
    Ok(())
}

/// Calls `write` once with both, or twice if it accepts only one argument.
fn write_both(cx: &mut Cx, stream: Value, first: Value, second: Value) -> R<()> {
    let class = object::class::class_of(cx, stream);
    let entry = object::class::lookup::find_method(cx, class, sym::WRITE);
    runtime::unlinked::link_entry(cx, entry);
    if !entry.is_undef() && call::arity::arity_of(entry) == 1 {
        if cx.vm().options.warn_deprecated {
            let shown = if object::class::flags(class).singleton {
                call::inspect_text(cx, stream)? + "."
            } else {
                runtime::define::class_name(cx, class) + "#"
            };
            let text = format!("{shown}write is outdated interface which accepts just one argument");
            runtime::warning::warn_deprecated(cx, &text)?;
        }
        call::send(cx, stream, sym::WRITE, &[first])?;
        call::send(cx, stream, sym::WRITE, &[second])?;
    } else {
        call::send(cx, stream, sym::WRITE, &[first, second])?;
    }
    Ok(())
}

/// Whether a stream's `write` is that of IO, which `p` does not call.
fn has_own_write(cx: &mut Cx, stream: Value) -> bool {
    let class = object::class::class_of(cx, stream);
    let entry = object::class::lookup::find_method(cx, class, sym::WRITE);
    object::native::get::<data::IoData>(&stream).is_some() && !entry.is_undef() && core_methods::is_core(entry)
}

/// `flush → self`: passes buffered output to the operating system. IOError after closing.
pub fn flush(cx: &mut Cx, args: Args) -> R {
    data::flush(cx, args.me())?;
    Ok(args.me())
}

/// `sync → true or false`: whether each write is passed to the operating system immediately.
pub fn sync(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(data::open_data(cx, args.me())?.sync))
}

/// `sync=(on) → on`: sets whether each write is passed to the operating system immediately.
pub fn set_sync(cx: &mut Cx, args: Args) -> R {
    data::open_data(cx, args.me())?.sync = args.at(0).truthy();
    Ok(args.at(0))
}

fn standard_output(cx: &mut Cx) -> Value {
    crate::global_variables::stream(cx, runtime::Root::StandardOutput)
}

/// `puts(*objects) → nil`: of Kernel; calls `$stdout.puts(*objects)`, which writes each object as a line, arrays
/// element by element.
pub fn kernel_puts(cx: &mut Cx, args: Args) -> R {
    let out = standard_output(cx);
    forward(cx, out, "puts", args, puts_to)
}

/// Calls a method of `$stdout`, or `own` if `$stdout` is the receiver itself: an object that only has `write` would
/// call the Kernel method again.
pub fn forward(cx: &mut Cx, out: Value, method: &str, args: Args, own: fn(&mut Cx, Value, &[Value]) -> R) -> R {
    if out == args.me() {
        return own(cx, out, args.all());
    }
    let name = intern_text(cx, method);
    call::send_private(cx, out, name, args.all())
}

/// `print(*objects) → nil`: of Kernel; calls `$stdout.print(*objects)`, which writes the objects, or `$_` without
/// arguments, with `$,` between and `$\` after them.
pub fn kernel_print(cx: &mut Cx, args: Args) -> R {
    let out = standard_output(cx);
    print_to(cx, out, args.all())
}

/// `p(*objects) → object`: of Kernel; writes the `inspect` of each object as a line to `$stdout`; returns its argument,
/// several of them as an array.
pub fn kernel_p(cx: &mut Cx, args: Args) -> R {
    let out = standard_output(cx);
    for v in args.all() {
        let s = convert::inspect(cx, *v)?;
        let newline = make::interned(cx, "\n");
        // Exceptions of other threads do not come between an object and its newline.
        pending::delayed(cx, |cx| match has_own_write(cx, out) {
            true => write_all(cx, out, &[s.value(), newline]).map(|_| ()),
            false => write_both(cx, out, s.value(), newline),
        })?;
    }
    if !args.is_empty() && object::native::get::<data::IoData>(&out).is_some() {
        pending::delayed(cx, |cx| data::flush(cx, out))?;
    }
    match args.all() {
        [] => Ok(Value::NIL),
        [v] => Ok(*v),
        all => Ok(make::array(cx, all)),
    }
}
