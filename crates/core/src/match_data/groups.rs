//! Groups of a match: by number and by name.

use object::{Sym, bigint, native, string::Str};
use runtime::{
    Cx, R, Unwind, Value, convert,
    special::{MatchInfo, RegexpData},
};

use crate::string::modify;

/// The data of a MatchData.
pub fn info<'a>(cx: &mut Cx, m: &'a Value) -> R<&'a MatchInfo> {
    match native::get::<MatchInfo>(m) {
        Some(info) => Ok(info),
        None => Err(cx.type_error("uninitialized MatchData")),
    }
}

/// The start and the end of a group in bytes; `None` if the group did not match or `m` is nil.
pub fn span(m: Value, group: usize) -> Option<(usize, usize)> {
    native::get::<MatchInfo>(&m)?.group(group)
}

/// The number of groups, including the whole match.
pub fn count(m: Value) -> usize {
    native::get::<MatchInfo>(&m).map_or(0, MatchInfo::count)
}

/// The text of a group or nil.
pub fn text(cx: &mut Cx, m: Value, group: usize) -> R {
    let info = info(cx, &m)?;
    match info.group(group) {
        Some((start, end)) => modify::part(cx, Str::of(info.string), start, end),
        None => Ok(Value::NIL),
    }
}

/// The last of the groups with one name that matched, otherwise the last one.
pub fn last_matched(groups: &[usize], has_matched: impl Fn(usize) -> bool) -> usize {
    let matched = groups.iter().rev().find(|group| has_matched(**group));
    *matched.or(groups.last()).unwrap_or(&0)
}

/// Whether two matches have all groups at the same places.
pub fn are_equal(a: &MatchInfo, b: &MatchInfo) -> bool {
    a.count() == b.count() && (0..a.count()).all(|group| a.group(group) == b.group(group))
}

/// The group with a name.
pub fn named(info: &MatchInfo, name: &[u8]) -> Option<usize> {
    let data = native::get::<RegexpData>(&info.regexp)?;
    let groups = data.program.groups_named(name)?;
    Some(last_matched(groups, |group| info.group(group).is_some()))
}

/// The number of a group given by number (negative: from the end) or name; `None` for one outside. IndexError for
/// unknown names.
pub fn number(cx: &mut Cx, m: Value, v: Value) -> R<Option<usize>> {
    let info = info(cx, &m)?;
    let name = match Sym::from_value(v) {
        Some(symbol) => Some(Str::of(symbol.name(cx))),
        None => Str::from_value(v),
    };
    if let Some(name) = name {
        return match named(info, name.bytes(cx)) {
            Some(number) => Ok(Some(number)),
            None => {
                let name = name.to_vector();
                Err(undefined_name(cx, &name))
            }
        };
    }
    if bigint::is(v) {
        return Ok(None);
    }
    let number = convert::to_i64(cx, v)?;
    let count = info.count() as i64;
    let number = if number < 0 {
        // Negative numbers cannot select the whole match.
        number.checked_add(count).filter(|number| *number > 0).unwrap_or(-1)
    } else {
        number
    };
    Ok(usize::try_from(number).ok().filter(|number| (*number as i64) < count))
}

#[cold]
pub fn undefined_name(cx: &mut Cx, name: &[u8]) -> Unwind {
    let shown = memory::lossy_text(name);
    cx.index_error(&memory::formatted(format_args!("undefined group name reference: {shown}")))
}

/// The number of a group for `begin`, `end`, `offset`: IndexError for one outside.
pub fn existing(cx: &mut Cx, m: Value, v: Value) -> R<usize> {
    let info = info(cx, &m)?;
    if Sym::from_value(v).is_some() || Str::from_value(v).is_some() {
        return Ok(number(cx, m, v)?.unwrap_or(0));
    }
    let number = convert::to_i64(cx, v)?;
    if number < 0 || number >= info.count() as i64 {
        return Err(cx.index_error(&format!("index {number} out of matches")));
    }
    Ok(number as usize)
}
