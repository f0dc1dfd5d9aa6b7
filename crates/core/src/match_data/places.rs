//! Positions of the match and its groups.

use object::string::Str;
use runtime::{Args, Cx, R, Value, make};

use super::groups;
use crate::string::{modify, span};

/// The searched text, and the position of a group in bytes.
fn place(cx: &mut Cx, args: Args) -> R<(Str, Option<(usize, usize)>)> {
    let group = groups::existing(cx, args.me(), args.at(0))?;
    let info = groups::info(cx, args.me_ref())?;
    Ok((Str::of(info.string), info.group(group)))
}

/// The character that starts at a byte. Counting takes time, so no position is counted that is not asked for.
fn character(s: Str, offset: usize) -> Value {
    Value::fixnum(span::char_index(s, offset) as i64)
}

fn bytes(cx: &mut Cx, args: Args) -> R<Option<(i64, i64)>> {
    let group = groups::existing(cx, args.me(), args.at(0))?;
    Ok(groups::span(args.me(), group).map(|(start, end)| (start as i64, end as i64)))
}

/// `begin(group) → integer or nil`: the character at which a group begins, by number or name; nil if it did not match.
/// IndexError for an unknown group; the same holds for the methods below.
pub fn begin(cx: &mut Cx, args: Args) -> R {
    let (s, place) = place(cx, args)?;
    Ok(place.map_or(Value::NIL, |(start, _)| character(s, start)))
}

/// `end(group) → integer or nil`: the character after the end of a group; nil if it did not match.
pub fn end(cx: &mut Cx, args: Args) -> R {
    let (s, place) = place(cx, args)?;
    Ok(place.map_or(Value::NIL, |(_, end)| character(s, end)))
}

/// `offset(group) → [begin, end]`: `begin` and `end` of a group in characters, nil twice if it did not match.
pub fn offset(cx: &mut Cx, args: Args) -> R {
    let (s, place) = place(cx, args)?;
    let (start, end) = place.map_or((Value::NIL, Value::NIL), |(start, end)| (character(s, start), character(s, end)));
    Ok(make::array(cx, &[start, end]))
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
    let length = |(start, end)| (span::char_index(s, end) - span::char_index(s, start)) as i64;
    Ok(place.map_or(Value::NIL, |place| Value::fixnum(length(place))))
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
