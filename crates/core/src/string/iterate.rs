//! Iteration: characters, bytes, lines, code points, grapheme clusters; upto.

use object::{array::Arr, string::Str};
use runtime::{Args, Cx, R, Value, call, convert, error::OrRaise, keys, make, sym};
use text::{
    CodeRange, EncodingId,
    scan::{self, Separator},
};

use super::enumerate::enumerator;
use super::modify::{self, argument, char_count, compatible};

/// A frozen view of the receiver, whose bytes do not change while Ruby runs.
pub fn snapshot(cx: &mut Cx, v: Value) -> Str {
    Str::of(v).frozen_dup(cx)
}

/// `__count_chars → integer`: the size of the enumerators of characters, even if a program has redefined `size`.
pub fn count_chars(_: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(char_count(Str::of(args.me())) as i64))
}

/// `__count_bytes → integer`: the size of the enumerators of bytes, even if a program has redefined `bytesize`.
pub fn count_bytes(_: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(Str::of(args.me()).len() as i64))
}

/// Calls `each` with the offset and length of every character.
fn each_char_span(cx: &mut Cx, s: Str, mut each: impl FnMut(&mut Cx, usize, usize) -> R<()>) -> R<()> {
    let mut at = 0;
    if modify::is_single_byte(s) {
        while at < s.len() {
            each(cx, at, 1)?;
            at += 1;
        }
        return Ok(());
    }
    let encoding = s.encoding();
    while at < s.len() {
        let len = text::encoding::char_len_or_min(encoding, &s.bytes(cx)[at..]);
        each(cx, at, len)?;
        at += len;
    }
    Ok(())
}

/// A character of `s` as a String, whose code range is known if that of `s` is known.
fn char_of(cx: &mut Cx, s: Str, at: usize, len: usize) -> R {
    let range = match s.known_code_range() {
        CodeRange::Valid if len == 1 && s.encoding().is_ascii_compatible() && s.bytes(cx)[at] < 0x80 => {
            CodeRange::SevenBit
        }
        CodeRange::Valid if len > 1 => CodeRange::Valid,
        CodeRange::SevenBit => CodeRange::SevenBit,
        _ => CodeRange::Unknown,
    };
    Ok(s.slice_with(cx, at, len, range).or_raise(cx)?.value())
}

/// `each_char { |char| } → self`: yields each character as a string, invalid bytes one by one; changes by the block
/// have no effect. An Enumerator without a block.
pub fn each_char(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    if block.is_none() {
        return enumerator(cx, args, "each_char", Some("__count_chars"));
    }
    Str::of(args.me()).code_range();
    let s = snapshot(cx, args.me());
    each_char_span(cx, s, |cx, at, len| {
        let char = char_of(cx, s, at, len)?;
        call::yield_one(cx, block, char).map(drop)
    })?;
    Ok(args.me())
}

/// `chars { |char| } → array`: each character as a string; with a block like `each_char`.
pub fn chars(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    if !block.is_none() {
        return each_char(cx, args);
    }
    let s = Str::of(args.me());
    let count = char_count(s);
    let list = object::array::Arr::with_capacity(cx, count).or_raise(cx)?.value();
    each_char_span(cx, s, |cx, at, len| {
        let char = char_of(cx, s, at, len)?;
        make::push(cx, list, char);
        Ok(())
    })?;
    Ok(list)
}

/// Yields each byte as an integer, including those that the block appends.
fn each_byte(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    let mut at = 0;
    while let Some(byte) = Str::of(args.me()).byte(at) {
        call::yield_one(cx, block, Value::fixnum(byte as i64))?;
        at += 1;
    }
    Ok(args.me())
}

/// `bytes { |byte| } → array`: each byte as an integer; with a block like `each_byte`, which is in the Ruby half.
pub fn bytes(cx: &mut Cx, args: Args) -> R {
    if !args.block(cx).is_none() {
        return each_byte(cx, args);
    }
    let s = Str::of(args.me());
    let bytes = s.held(cx);
    let values = bytes.iter().map(|byte| Value::fixnum((*byte).into()));
    Ok(Arr::collected(cx, bytes.len(), values).or_raise(cx)?.value())
}

fn codepoint_at(cx: &mut Cx, s: Str, at: usize) -> R<(Value, usize)> {
    let bytes = &s.bytes(cx)[at..];
    if s.encoding().is_single_byte() {
        return Ok((Value::fixnum(bytes[0] as i64), 1));
    }
    match text::encoding::codepoint(s.encoding(), bytes) {
        Some((code, len)) => Ok((Value::fixnum(code as i64), len)),
        None => Err(modify::invalid_bytes(cx, s.encoding())),
    }
}

/// `each_codepoint { |integer| } → self`: yields the number of each character in the encoding. ArgumentError at an
/// invalid one; an Enumerator without a block.
pub fn each_codepoint(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    if block.is_none() {
        return enumerator(cx, args, "each_codepoint", Some("__count_chars"));
    }
    let s = snapshot(cx, args.me());
    let mut at = 0;
    while at < s.len() {
        let (code, len) = codepoint_at(cx, s, at)?;
        call::yield_one(cx, block, code)?;
        at += len;
    }
    Ok(args.me())
}

/// `codepoints { |integer| } → array`: the number of each character in the encoding; with a block like
/// `each_codepoint`. ArgumentError for an invalid one.
pub fn codepoints(cx: &mut Cx, args: Args) -> R {
    if !args.block(cx).is_none() {
        return each_codepoint(cx, args);
    }
    let s = Str::of(args.me());
    if s.code_range() == CodeRange::SevenBit {
        let bytes = s.held(cx);
        let codes = bytes.iter().map(|byte| Value::fixnum((*byte).into()));
        return Ok(Arr::collected(cx, s.len(), codes).or_raise(cx)?.value());
    }
    let bytes = s.held(cx);
    if let Some(text) = std::str::from_utf8(&bytes).ok().filter(|_| s.encoding() == EncodingId::UTF_8) {
        let codes = text.chars().map(|letter| Value::fixnum(u32::from(letter).into()));
        return Ok(Arr::collected(cx, text.chars().count(), codes).or_raise(cx)?.value());
    }
    let list = make::array(cx, &[]);
    let mut at = 0;
    while at < s.len() {
        let (code, len) = codepoint_at(cx, s, at)?;
        make::push(cx, list, code);
        at += len;
    }
    Ok(list)
}

fn cluster_lengths(s: Str) -> Vec<usize> {
    next_cluster_lengths(s, 0, usize::MAX)
}

/// The lengths of at most so many clusters, the first of which starts at `from`.
fn next_cluster_lengths(s: Str, from: usize, most: usize) -> Vec<usize> {
    s.read((s.encoding(), from, most), |bytes, (encoding, from, most)| {
        let bytes = &bytes[from..];
        let (mut lengths, mut end) = (Vec::new(), 0);
        scan::graphemes(encoding, bytes, |cluster| {
            memory::reserve(&mut lengths, 1);
            lengths.push(cluster.len());
            end += cluster.len();
            lengths.len() < most
        });
        // In Unicode an incomplete character at the end is not a cluster.
        let whole = lengths.iter().rev().skip(1).sum::<usize>();
        if encoding.is_unicode()
            && end == bytes.len()
            && matches!(text::encoding::char_len(encoding, &bytes[whole..]), text::encoding::CharLen::NeedMore(_))
        {
            lengths.pop();
        }
        lengths
    })
}

/// `__count_clusters → integer`: the size of the enumerators of grapheme clusters.
pub fn count_clusters(_: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(cluster_lengths(Str::of(args.me())).len() as i64))
}

/// `each_grapheme_cluster { |cluster| } → self`: yields each grapheme cluster, a character as perceived by users. An
/// Enumerator without a block. Unicode: UAX #29.
pub fn each_grapheme_cluster(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    if block.is_none() {
        return enumerator(cx, args, "each_grapheme_cluster", Some("__count_clusters"));
    }
    let s = snapshot(cx, args.me());
    // The block may end the iteration, so the clusters are found a few at a time, unless the text must be converted.
    let converts = s.encoding().is_unicode() && !s.encoding().is_utf8();
    let (mut at, mut most) = (0, if converts { usize::MAX } else { 8 });
    loop {
        let lengths = next_cluster_lengths(s, at, most);
        for len in &lengths {
            let cluster = modify::part(cx, s, at, at + len)?;
            call::yield_one(cx, block, cluster)?;
            at += len;
        }
        if lengths.len() < most {
            return Ok(args.me());
        }
        most = most.saturating_mul(2).min(256);
    }
}

/// `grapheme_clusters { |cluster| } → array`: each grapheme cluster; with a block like `each_grapheme_cluster`.
pub fn grapheme_clusters(cx: &mut Cx, args: Args) -> R {
    if !args.block(cx).is_none() {
        return each_grapheme_cluster(cx, args);
    }
    let s = Str::of(args.me());
    let list = make::array(cx, &[]);
    let mut at = 0;
    for len in cluster_lengths(s) {
        let cluster = modify::part(cx, s, at, at + len)?;
        make::push(cx, list, cluster);
        at += len;
    }
    Ok(list)
}

/// A newline in a stateful encoding.
fn newline_in(cx: &mut Cx, encoding: text::EncodingId) -> R<Str> {
    let options = text::transcode::Options::default();
    let newline = text::transcode::convert::<()>(Some((EncodingId::US_ASCII, encoding)), b"\n", &options, None);
    match newline {
        Ok(newline) => Ok(Str::of(make::string(cx, &newline, encoding))),
        Err(_) => {
            let description = format!("ASCII-8BIT to {}", encoding.name());
            Err(crate::encoding::errors::converter_not_found(cx, description.as_bytes()))
        }
    }
}

/// Calls `each` with every line of `s`, according to the arguments.
fn each_line_span(cx: &mut Cx, s: Str, args: Args, mut each: impl FnMut(&mut Cx, usize, usize) -> R<()>) -> R<()> {
    keys::only_keywords(cx, args.keywords(), &[sym::CHOMP])?;
    let chomp = keys::keyword(cx, args.keywords(), sym::CHOMP);
    let chomp = !chomp.is_undef() && chomp.truthy();
    let separator = args.opt(0).unwrap_or_else(|| modify::record_separator(cx));
    if separator.is_nil() {
        return each(cx, 0, s.len());
    }
    let encoding = s.encoding();
    let is_default = args.opt(0).is_none();
    let separator = argument(cx, separator)?.frozen_dup(cx);
    let mut separator_bytes = None;
    if encoding.is_dummy() && is_default && !s.is_empty() {
        separator_bytes = Some(newline_in(cx, encoding)?.held(cx));
    } else if !separator.is(b"\n") {
        compatible(cx, s, separator)?;
        separator_bytes = Some(separator.held(cx));
    }
    let what = match &separator_bytes {
        None => Separator::Newline,
        Some(bytes) => Separator::new(encoding, bytes),
    };
    let whole = s.held(cx);
    for line in scan::lines(encoding, &whole, what, chomp) {
        each(cx, modify::offset_in(&whole, line), line.len())?;
    }
    Ok(())
}

/// `each_line(separator = $/, chomp: false) { |line| } → self`: yields each line with its separator, or without it with
/// `chomp`; "" separates paragraphs, nil does not separate. An Enumerator without a block.
pub fn each_line(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    if block.is_none() {
        return enumerator(cx, args, "each_line", None);
    }
    let s = snapshot(cx, args.me());
    each_line_span(cx, s, args, |cx, at, len| {
        let line = modify::part(cx, s, at, at + len)?;
        call::yield_one(cx, block, line).map(drop)
    })?;
    Ok(args.me())
}

/// `lines(separator = $/, chomp: false) { |line| } → array`: each line; with a block like `each_line`.
pub fn lines(cx: &mut Cx, args: Args) -> R {
    if !args.block(cx).is_none() {
        return each_line(cx, args);
    }
    let s = Str::of(args.me());
    let list = make::array(cx, &[]);
    each_line_span(cx, s, args, |cx, at, len| {
        let line = modify::part(cx, s, at, at + len)?;
        make::push(cx, list, line);
        Ok(())
    })?;
    Ok(list)
}

/// `upto(last, exclusive = false) { |string| } → self`: yields the receiver and its successors by `succ` up to `last`,
/// or before it; ends at a longer string. Strings of digits count as numbers. An Enumerator without a block.
pub fn upto(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    if block.is_none() {
        return enumerator(cx, args, "upto", None);
    }
    let last = argument(cx, args.at(0))?;
    let exclusive = args.opt(1).is_some_and(Value::truthy);
    each_upto(cx, Str::of(args.me()), last, exclusive, &mut |cx, v| {
        call::yield_one(cx, block, v)?;
        Ok(true)
    })?;
    Ok(args.me())
}

/// Passes the Strings from `first` to `last` to `each` (`Range#each`, `String#upto`), until it returns false.
pub fn each_upto(
    cx: &mut Cx,
    first: Str,
    last: Str,
    exclusive: bool,
    each: &mut dyn FnMut(&mut Cx, Value) -> R<bool>,
) -> R<()> {
    compatible(cx, first, last)?;
    // Both are single ASCII characters: iterates over the codes.
    if let ([a], [b]) = (first.bytes(cx), last.bytes(cx))
        && a.is_ascii()
        && b.is_ascii()
        && first.encoding().is_ascii_compatible()
    {
        let (mut code, end, encoding) = (*a, *b, first.encoding());
        if code > end || exclusive && code == end {
            return Ok(());
        }
        loop {
            cx.safepoint()?;
            let s = Str::with_range(cx, &[code], encoding, CodeRange::SevenBit).or_raise(cx)?;
            if !each(cx, s.value())? || !exclusive && code == end {
                return Ok(());
            }
            code += 1;
            if exclusive && code == end {
                return Ok(());
            }
        }
    }
    // Both consist of digits: iterates over the numbers, which are padded to the width of the first.
    if let (Some(from), Some(to)) = (number(first), number(last)) {
        let width = first.len();
        let to = if exclusive { to - 1 } else { to };
        for n in from..=to {
            cx.safepoint()?;
            let digits = format!("{n:0width$}");
            let s = modify::new(cx, digits.as_bytes(), text::EncodingId::US_ASCII)?;
            if !each(cx, s)? {
                return Ok(());
            }
        }
        return Ok(());
    }
    let order = first.compare(last);
    if order == std::cmp::Ordering::Greater || exclusive && order == std::cmp::Ordering::Equal {
        return Ok(());
    }
    let end = last.frozen_dup(cx);
    let after = text::succ::succ(last.encoding(), last.bytes(cx));
    let mut current = first.dup(cx);
    while current.bytes(cx) != after {
        cx.safepoint()?;
        let is_last = current.equal(end);
        if exclusive && is_last {
            break;
        }
        let next = text::succ::succ(current.encoding(), current.bytes(cx));
        let encoding = current.encoding();
        if !each(cx, current.value())? || is_last {
            break;
        }
        if next.len() > end.len() || next.is_empty() {
            break;
        }
        current = Str::of(modify::new(cx, &next, encoding)?);
    }
    Ok(())
}

/// The fixnum of a String of digits; `None` for other Strings.
fn number(s: Str) -> Option<i64> {
    s.read((), |bytes, ()| {
        if bytes.is_empty() || bytes.len() > 18 || !bytes.iter().all(u8::is_ascii_digit) {
            return None;
        }
        std::str::from_utf8(bytes).ok()?.parse().ok()
    })
}

/// `sum(bits = 16) → integer`: the sum of the bytes, modulo 2 to the power of `bits` unless that is 0.
pub fn sum(cx: &mut Cx, args: Args) -> R {
    let bits = match args.opt(0) {
        Some(v) => convert::to_i64(cx, v)?,
        None => 16,
    };
    let sum: u64 = Str::of(args.me()).bytes(cx).iter().map(|byte| *byte as u64).sum();
    let sum = if bits > 0 && bits < 64 { sum & ((1 << bits) - 1) } else { sum };
    Ok(object::bigint::from_u64(cx, sum))
}
