//! Positions of the match and its groups.

use object::{cell, native, string::Str};
use runtime::{
    Args, Cx, R, Value, make,
    special::{MatchInfo, NO_PART},
};
use text::CodeRange;

use super::groups;
use crate::string::{modify, span};

/// The searched text, and the position of a group in bytes.
fn place(cx: &mut Cx, args: Args) -> R<(Str, Option<(usize, usize)>)> {
    let group = groups::existing(cx, args.me(), args.at(0))?;
    let info = groups::info(cx, args.me_ref())?;
    Ok((Str::of(info.string), info.group(group)))
}

/// Whether characters begin at both ends of each group, so that characters can be counted between any two ends.
fn is_divided(s: Str) -> bool {
    s.code_range() == CodeRange::Valid
}

/// The index of the character that starts at a byte. Counting takes time, so no position is counted that is not asked
/// for, and the characters before the match are counted once.
fn character(cx: &mut Cx, m: Value, s: Str, offset: usize) -> R<usize> {
    if modify::is_single_byte(s) {
        return Ok(offset);
    }
    let info = groups::info(cx, &m)?;
    let before = match info.group(0) {
        Some((start, _)) if is_divided(s) && offset >= start => start,
        _ => return Ok(span::char_index(s, offset)),
    };
    let mut count = info.characters_before as usize;
    if info.characters_before == NO_PART {
        count = span::char_index(s, before);
        // A frozen MatchData may be in use by several Ractors.
        if let Ok(known) = u32::try_from(count)
            && !cell::frozen(m)
            && let Some(info) = native::get_mut::<MatchInfo>(cx, m)
        {
            info.characters_before = known;
        }
    }
    Ok(count + span::chars_between(s, before, offset))
}

/// The number of characters as a result.
fn number(count: usize) -> Value {
    Value::fixnum(count as i64)
}

fn bytes(cx: &mut Cx, args: Args) -> R<Option<(i64, i64)>> {
    let group = groups::existing(cx, args.me(), args.at(0))?;
    Ok(groups::span(args.me(), group).map(|(start, end)| (start as i64, end as i64)))
}

/// `begin(group) → integer or nil`: the character at which a group begins, by number or name; nil if it did not match.
/// IndexError for an unknown group; the same holds for the methods below.
pub fn begin(cx: &mut Cx, args: Args) -> R {
    let (s, place) = place(cx, args)?;
    place.map_or(Ok(Value::NIL), |(start, _)| character(cx, args.me(), s, start).map(number))
}

/// `end(group) → integer or nil`: the character after the end of a group; nil if it did not match.
pub fn end(cx: &mut Cx, args: Args) -> R {
    let (s, place) = place(cx, args)?;
    place.map_or(Ok(Value::NIL), |(_, end)| character(cx, args.me(), s, end).map(number))
}

/// `offset(group) → [begin, end]`: `begin` and `end` of a group in characters, nil twice if it did not match.
pub fn offset(cx: &mut Cx, args: Args) -> R {
    let (s, place) = place(cx, args)?;
    let Some((start, end)) = place else { return Ok(make::array(cx, &[Value::NIL, Value::NIL])) };
    let first = character(cx, args.me(), s, start)?;
    let last = if is_divided(s) { first + span::chars_between(s, start, end) } else { span::char_index(s, end) };
    Ok(make::array(cx, &[number(first), number(last)]))
}

/// `bytebegin(group) → integer or nil`: the byte at which a group begins; nil if it did not match.
pub fn bytebegin(cx: &mut Cx, args: Args) -> R {
    Ok(bytes(cx, args)?.map_or(Value::NIL, |(start, _)| Value::fixnum(start)))
}

/// `byteend(group) → integer or nil`: the byte after the end of a group; nil if it did not match.
pub fn byteend(cx: &mut Cx, args: Args) -> R {
    Ok(bytes(cx, args)?.map_or(Value::NIL, |(_, end)| Value::fixnum(end)))
}

/// `byteoffset(group) → [begin, end]`: `bytebegin` and `byteend` of a group, nil twice if it did not match.
pub fn byteoffset(cx: &mut Cx, args: Args) -> R {
    let (start, end) =
        bytes(cx, args)?.map_or((Value::NIL, Value::NIL), |(start, end)| (Value::fixnum(start), Value::fixnum(end)));
    Ok(make::array(cx, &[start, end]))
}

/// `match(group) → string or nil`: the text of a group; nil if it did not match. Unlike `[]` it raises IndexError for
/// an unknown one.
pub fn match_of(cx: &mut Cx, args: Args) -> R {
    let group = groups::existing(cx, args.me(), args.at(0))?;
    groups::text(cx, args.me(), group)
}

/// `match_length(group) → integer or nil`: the number of characters of a group; nil if it did not match.
pub fn match_length(cx: &mut Cx, args: Args) -> R {
    let (s, place) = place(cx, args)?;
    let length = |(start, end)| {
        let counted = is_divided(s) || modify::is_single_byte(s);
        if counted { span::chars_between(s, start, end) } else { span::char_index(s, end) - span::char_index(s, start) }
    };
    Ok(place.map_or(Value::NIL, |place| number(length(place))))
}

/// `pre_match → string`: the text before the match, like `` $` ``.
pub fn pre_match(cx: &mut Cx, args: Args) -> R {
    let info = groups::info(cx, args.me_ref())?;
    let start = info.group(0).map_or(0, |(start, _)| start);
    modify::part(cx, Str::of(info.string), 0, start)
}

/// `post_match → string`: the text after the match, like `$'`.
pub fn post_match(cx: &mut Cx, args: Args) -> R {
    let info = groups::info(cx, args.me_ref())?;
    let s = Str::of(info.string);
    let end = info.group(0).map_or(0, |(_, end)| end);
    modify::part(cx, s, end, s.len())
}

/// `to_s → string`: the text of the whole match.
pub fn to_s(cx: &mut Cx, args: Args) -> R {
    groups::text(cx, args.me(), 0)
}
