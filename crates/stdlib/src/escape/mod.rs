//! ERB::Escape and CGI::Escape: text for HTML and URLs.

use core_classes::string::modify;
use memory::Grow;
use object::{Known, class, string::Str, symbol::table::intern_text};
use runtime::{
    Args, Cx, Method, R, Value, call, convert, define,
    error::{ErrorClass, OrRaise},
    library,
};
use text::{CodeRange, EncodingId};

const ERB: &[Method] = &[Method::new("html_escape(string)", escape_html_text).module_function()];

const CGI: &[Method] = &[
    Method::new("escapeHTML(string)", escape_html).borrows(0),
    Method::new("unescapeHTML(string)", unescape_html).borrows(0),
    Method::new("escape(string)", escape_form).borrows(0),
    Method::new("escapeURIComponent(string)", escape_component).borrows(0),
    Method::new("unescape(string, encoding = nil)", unescape_form).borrows(0).borrows(1),
    Method::new("unescapeURIComponent(string, encoding = nil)", unescape_component).borrows(0).borrows(1),
];

/// ERB::Escape.
pub fn define_erb(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let erb = library::class(cx, object, "ERB", object)?;
    let module = library::module(cx, erb, "Escape")?;
    define::define_methods(cx, module, ERB);
    Ok(())
}

/// CGI::EscapeExt, before CGI::Escape, whose other methods are the library's. Before Ruby 4.0, they are in CGI::Util,
/// and nothing has defined EscapeExt.
pub fn define_cgi(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let cgi = library::class(cx, object, "CGI", object)?;
    let extension = intern_text(cx, "EscapeExt");
    let is_former = class::constants::own(cgi, extension).is_none();
    let module = library::module(cx, cgi, if is_former { "Escape" } else { "EscapeExt" })?;
    define::define_methods(cx, module, CGI);
    define::alias(cx, module, "escape_uri_component", "escapeURIComponent");
    define::alias(cx, module, "unescape_uri_component", "unescapeURIComponent");
    let others = library::module(cx, cgi, if is_former { "Util" } else { "Escape" })?;
    class::ancestors::prepend(cx, others, module).expect("a module of its own");
    let singleton = class::singleton_class(cx, cgi);
    class::ancestors::include(cx, singleton, module).expect("a module of its own");
    // The rest of the former feature is in Ruby.
    if is_former { crate::require(cx, "cgi/util") } else { Ok(()) }
}

/// The room for what replaces a byte.
const LONGEST: usize = 8;

/// So many bytes are replaced on the stack at a time.
const PIECE: usize = 64;

/// What replaces bytes.
struct Replacement {
    /// For each byte those that the result has in its place, and their number: writing a whole word and advancing by
    /// the number takes no decisions.
    with: [([u8; LONGEST], u8); 256],
    /// Whether everything that is left is ASCII.
    ascii: bool,
}

/// Room for the result of a piece, in which a whole word can be written at each place.
type Room = [u8; LONGEST * (PIECE + 1)];

impl Replacement {
    /// Writes the result for at most [`PIECE`] bytes; returns its length. `marks` tells the bytes of a word that are
    /// replaced by their highest bits; between them, whole words are copied.
    #[inline]
    fn write(&self, piece: &[u8], out: &mut Room, marks: Option<impl Fn(u64) -> u64>) -> usize {
        let Some(marks) = marks else { return self.write_bytes(piece, out, 0) };
        let (words, rest) = piece.as_chunks();
        let len = words.iter().fold(0, |len, word| {
            let word = u64::from_le_bytes(*word);
            self.write_word(word, marks(word), out, len)
        });
        self.write_bytes(rest, out, len)
    }

    #[inline]
    fn write_bytes(&self, bytes: &[u8], out: &mut Room, mut len: usize) -> usize {
        for byte in bytes {
            let (with, count) = &self.with[usize::from(*byte)];
            put(out, len, *with);
            len += usize::from(*count);
        }
        len
    }

    /// Writes the result for eight bytes, the first of them the lowest, behind `len` bytes; returns the new length.
    #[inline]
    fn write_word(&self, word: u64, mut marks: u64, out: &mut Room, mut len: usize) -> usize {
        // The bits of what is written.
        let mut done = 0;
        while marks != 0 {
            let at = marks.trailing_zeros() & !7;
            put(out, len, (word >> done).to_le_bytes());
            len += (at - done) as usize / 8;
            let (with, count) = &self.with[usize::from((word >> at) as u8)];
            put(out, len, *with);
            len += usize::from(*count);
            marks &= marks - 1;
            done = at + 8;
        }
        if done < u64::BITS {
            put(out, len, (word >> done).to_le_bytes());
            len += (u64::BITS - done) as usize / 8;
        }
        len
    }
}

#[inline]
fn put(out: &mut Room, at: usize, word: [u8; LONGEST]) {
    if let Some(place) = out[at..].first_chunk_mut() {
        *place = word;
    }
}

/// No way to tell of a whole word which bytes are replaced.
const BYTES: Option<fn(u64) -> u64> = None;

/// A copy of the String with those bytes replaced of which `is_replaced` is true. If there are none and `same` is true,
/// the String itself.
fn replaced(
    cx: &mut Cx,
    v: Value,
    same: bool,
    replacement: &Replacement,
    is_replaced: impl Fn(u8) -> bool,
    marks: Option<impl Fn(u64) -> u64 + Copy>,
) -> R {
    let string = Str::of(v);
    let bytes = string.bytes(cx);
    memory::expect_work(bytes.len());
    let first = match marks {
        Some(marks) => first_marked(bytes, marks, &is_replaced),
        None => bytes.iter().position(|byte| is_replaced(*byte)),
    };
    let Some(first) = first else {
        return Ok(if same { v } else { string.dup(cx).value() });
    };
    // What is put in is ASCII, so that the result is as valid as the original.
    let range = match string.known_code_range() {
        _ if !string.encoding().is_ascii_compatible() => CodeRange::Unknown,
        _ if replacement.ascii => CodeRange::SevenBit,
        CodeRange::Broken => CodeRange::Unknown,
        known => known,
    };
    let encoding = string.encoding();
    let mut short: Room = [0; _];
    if bytes.len() <= PIECE {
        let len = replacement.write(bytes, &mut short, marks);
        return Ok(Str::with_range(cx, &short[..len], encoding, range).or_raise(cx)?.value());
    }
    let (before, rest) = bytes.split_at(first);
    let mut out = memory::with_capacity(bytes.len() + bytes.len() / 8 + PIECE);
    out.append_slice(before);
    for piece in rest.chunks(PIECE) {
        let is_any_replaced = match marks {
            Some(marks) => first_marked(piece, marks, &is_replaced).is_some(),
            None => piece.iter().any(|byte| is_replaced(*byte)),
        };
        if is_any_replaced {
            let len = replacement.write(piece, &mut short, marks);
            out.append_slice(&short[..len]);
        } else {
            out.append_slice(piece);
        }
    }
    Ok(Str::with_range(cx, &out, encoding, range).or_raise(cx)?.value())
}

/// The place of the first byte that is replaced, found by words.
#[inline]
fn first_marked(bytes: &[u8], marks: impl Fn(u64) -> u64, is_replaced: impl Fn(u8) -> bool) -> Option<usize> {
    let (words, rest) = bytes.as_chunks();
    for (i, word) in words.iter().enumerate() {
        let marks = marks(u64::from_le_bytes(*word));
        if marks != 0 {
            return Some(8 * i + marks.trailing_zeros() as usize / 8);
        }
    }
    rest.iter().position(|byte| is_replaced(*byte)).map(|at| bytes.len() - rest.len() + at)
}

static HTML: Replacement = Replacement { with: html(), ascii: false };
static COMPONENT: Replacement = Replacement { with: percent(), ascii: true };
/// "~" is unreserved since RFC 3986.
static FORM: Replacement = Replacement { with: form(), ascii: true };

const fn is_special(byte: u8) -> bool {
    matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\'')
}

/// The highest bit of each byte of the word that [`is_special`].
fn specials(word: u64) -> u64 {
    const ALL: u64 = u64::MAX / 0xff;
    // The highest bit of each byte that is `byte`.
    let equal = |word: u64, byte: u8| {
        let difference = word ^ (ALL * u64::from(byte));
        !(((difference & (ALL * 0x7f)) + ALL * 0x7f) | difference) & (ALL * 0x80)
    };
    // Two pairs differ by one bit.
    equal(word | ALL, b'&' | 1) | equal(word | (ALL * 2), b'<' | 2) | equal(word, b'"')
}

/// All bytes but letters, digits and `-._~`.
const fn is_reserved(byte: u8) -> bool {
    !(byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~'))
}

/// All bytes as they are.
const fn unchanged() -> [([u8; LONGEST], u8); 256] {
    let mut with = [([0; LONGEST], 1); 256];
    let mut byte = 0;
    while byte < 256 {
        with[byte].0[0] = byte as u8;
        byte += 1;
    }
    with
}

const fn html() -> [([u8; LONGEST], u8); 256] {
    let mut with = unchanged();
    with[b'&' as usize] = (*b"&amp;   ", 5);
    with[b'<' as usize] = (*b"&lt;    ", 4);
    with[b'>' as usize] = (*b"&gt;    ", 4);
    with[b'"' as usize] = (*b"&quot;  ", 6);
    with[b'\'' as usize] = (*b"&#39;   ", 5);
    with
}

const fn percent() -> [([u8; LONGEST], u8); 256] {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut with = unchanged();
    let mut byte = 0;
    while byte < 256 {
        if is_reserved(byte as u8) {
            with[byte] = ([b'%'; LONGEST], 3);
            with[byte].0[1] = DIGITS[byte >> 4];
            with[byte].0[2] = DIGITS[byte & 15];
        }
        byte += 1;
    }
    with
}

const fn form() -> [([u8; LONGEST], u8); 256] {
    let mut with = percent();
    with[b' ' as usize] = ([b'+'; LONGEST], 1);
    with
}

/// `ERB::Escape.html_escape(object) → string`: like `escapeHTML` of the object's `to_s`; the String itself if nothing
/// must be escaped.
fn escape_html_text(cx: &mut Cx, args: Args) -> R {
    let v = convert::to_s(cx, args.at(0))?;
    replaced(cx, v.value(), true, &HTML, is_special, Some(specials))
}

/// What the next method of the module does, for text whose encoding does not extend ASCII: the library's, in Ruby.
#[cold]
fn by_library(cx: &mut Cx, args: Args, name: &str) -> R {
    let module = library::loaded(cx, &["CGI", "Escape"])?;
    let name = intern_text(cx, name);
    let entry = class::lookup::own_method(module, name);
    if entry.is_undef() {
        return Err(cx.raise(ErrorClass::NotImplementedError, "only for encodings that extend ASCII"));
    }
    // The program may keep or change what it gets, which natives promise not to do with what they borrow.
    let given = [args.str(cx, 0)?.dup(cx).value(), args.opt(1).unwrap_or(Value::NIL)];
    call::call_entry(cx, entry, args.me(), &given[..args.len()], None, abi::BlockHandler::NONE)
}

/// `escapeHTML(string) → string`: the characters `'&"<>` as entities; a String without any is copied. TypeError unless
/// it is a String or has `to_str`.
fn escape_html(cx: &mut Cx, args: Args) -> R {
    let v = args.str(cx, 0)?;
    if !v.encoding().is_ascii_compatible() {
        return by_library(cx, args, "escapeHTML");
    }
    replaced(cx, v.value(), false, &HTML, is_special, Some(specials))
}

/// `escape(string) → string`: like `escapeURIComponent`, but a space becomes `+`, as in form data.
fn escape_form(cx: &mut Cx, args: Args) -> R {
    let v = args.str(cx, 0)?;
    if !v.encoding().is_ascii_compatible() {
        return by_library(cx, args, "escape");
    }
    replaced(cx, v.value(), false, &FORM, is_reserved, BYTES)
}

/// `escapeURIComponent(string) → string`: all characters except letters, digits and `-._~` as `%` and two hexadecimal
/// digits, including spaces. RFC 3986.
fn escape_component(cx: &mut Cx, args: Args) -> R {
    let v = args.str(cx, 0)?;
    if !v.encoding().is_ascii_compatible() {
        return by_library(cx, args, "escapeURIComponent");
    }
    replaced(cx, v.value(), false, &COMPONENT, is_reserved, BYTES)
}

/// `unescape(string, encoding = nil) → string`: decodes `%` sequences, and `+` to spaces; in the given encoding if that
/// makes valid text.
fn unescape_form(cx: &mut Cx, args: Args) -> R {
    unescaped(cx, args, true)
}

/// `unescapeURIComponent(string, encoding = nil) → string`: decodes `%` sequences, but not `+`; in the given encoding
/// if that makes valid text.
fn unescape_component(cx: &mut Cx, args: Args) -> R {
    unescaped(cx, args, false)
}

/// The decoded text: in the requested encoding if it is valid in that, otherwise in the encoding of the string.
fn unescaped(cx: &mut Cx, args: Args, plus_is_space: bool) -> R {
    let v = args.str(cx, 0)?;
    if !v.encoding().is_ascii_compatible() {
        return by_library(cx, args, if plus_is_space { "unescape" } else { "unescapeURIComponent" });
    }
    let wanted = wanted_encoding(cx, args)?;
    let bytes = v.to_vector();
    let mut out = memory::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digit = |i: usize| bytes.get(at + i).and_then(|b| (*b as char).to_digit(16));
        match (bytes[at], digit(1), digit(2)) {
            (b'%', Some(high), Some(low)) => {
                out.append_one((high << 4 | low) as u8);
                at += 3;
                continue;
            }
            (b'+', ..) if plus_is_space => out.append_one(b' '),
            (byte, ..) => out.append_one(byte),
        }
        at += 1;
    }
    let made = Str::new(cx, &out, wanted).or_raise(cx)?;
    if made.code_range() == ::text::CodeRange::Broken {
        made.set_encoding(v.encoding());
    }
    Ok(made.value())
}

/// The encoding given, or CGI.accept_charset; TypeError for nil.
fn wanted_encoding(cx: &mut Cx, args: Args) -> R<EncodingId> {
    if let Some(given) = args.opt(1) {
        return core_classes::encoding::names::from_value(cx, given);
    }
    let charset = intern_text(cx, "accept_charset");
    let given = call::send_if_responds(cx, args.me(), charset, &[])?.unwrap_or(Value::NIL);
    if given.is_nil() { Ok(EncodingId::UTF_8) } else { core_classes::encoding::names::from_value(cx, given) }
}

/// `unescapeHTML(string) → string`: decodes the five named entities, and numeric ones for characters that the encoding
/// has; other entities are unchanged.
fn unescape_html(cx: &mut Cx, args: Args) -> R {
    let v = args.str(cx, 0)?;
    if !v.encoding().is_ascii_compatible() {
        return by_library(cx, args, "unescapeHTML");
    }
    let string = v;
    let encoding = string.encoding();
    let bytes = string.bytes(cx);
    let mut out = memory::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'&'
            && let Some(length) = bytes[at..].iter().take(14).position(|b| *b == b';')
            && entity(&bytes[at + 1..at + length], encoding, &mut out)
        {
            at += length + 1;
            continue;
        }
        out.append_one(bytes[at]);
        at += 1;
    }
    let whole = Str::new(cx, &out, encoding).or_raise(cx)?;
    modify::part(cx, whole, 0, out.len())
}

/// Appends the character of an entity; false if the name is unknown.
fn entity(name: &[u8], encoding: EncodingId, out: &mut Vec<u8>) -> bool {
    let byte = match name {
        b"amp" => b'&',
        b"lt" => b'<',
        b"gt" => b'>',
        b"quot" => b'"',
        b"apos" => b'\'',
        [b'#', number @ ..] => return numeric_entity(number, encoding, out),
        _ => return false,
    };
    out.append_one(byte);
    true
}

fn numeric_entity(number: &[u8], encoding: EncodingId, out: &mut Vec<u8>) -> bool {
    let (digits, radix) = match number {
        [b'x' | b'X', digits @ ..] => (digits, 16),
        digits => (digits, 10),
    };
    if digits.is_empty() || !digits.iter().all(|b| (*b as char).is_digit(radix)) {
        return false;
    }
    let Some(code) = std::str::from_utf8(digits).ok().and_then(|d| u32::from_str_radix(d, radix).ok()) else {
        return false;
    };
    if encoding == EncodingId::UTF_8 {
        if let 0xD800..=0xDFFF = code {
            // The result is not validated: half of a surrogate pair becomes the bytes that it would have.
            out.append_slice(&[0xED, 0x80 | (code >> 6 & 0x3F) as u8, 0x80 | (code & 0x3F) as u8]);
            return true;
        }
        let Some(character) = char::from_u32(code) else { return false };
        out.append_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        return true;
    }
    if code < if encoding == EncodingId::BINARY || encoding.name().starts_with("ISO-8859-1") { 256 } else { 128 } {
        out.append_one(code as u8);
        return true;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{HTML, LONGEST, PIECE, is_special, specials};

    #[test]
    fn specials_of_a_word_are_those_of_its_bytes() {
        for place in 0..8 {
            for byte in 0..=u8::MAX {
                for other in [0, b'a', b'&', b'=', 0xff] {
                    let mut bytes = [other; 8];
                    bytes[place] = byte;
                    let marks = bytes.map(|byte| if is_special(byte) { 0x80 } else { 0 });
                    assert_eq!(specials(u64::from_le_bytes(bytes)), u64::from_le_bytes(marks), "{bytes:?}");
                }
            }
        }
    }

    #[test]
    fn words_are_written_like_single_bytes() {
        let text = b"a&b<<c>\"d'&&e fgh ijklmnop & q <r> \xe4\xf6 s\"t\"'uvw";
        for start in 0..text.len() {
            for end in start..text.len() {
                let piece = &text[start..end];
                let (mut words, mut bytes) = ([0; LONGEST * (PIECE + 1)], [0; LONGEST * (PIECE + 1)]);
                let len = HTML.write(piece, &mut words, Some(specials));
                assert_eq!(len, HTML.write_bytes(piece, &mut bytes, 0));
                assert_eq!(words[..len], bytes[..len]);
            }
        }
    }
}
