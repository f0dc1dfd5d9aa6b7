//! Sets of characters as Oniguruma defines them: properties, and POSIX brackets beyond ASCII. One search over all
//! characters obtains each set from Oniguruma, so that both engines have the same tables. That takes some thirty
//! milliseconds; the usual sets come from `regex-syntax`, whose tables a test compares with Oniguruma's, and where only
//! ASCII counts the search is over ASCII.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

use crate::backtracking::Engine;
use crate::captures::Captures;
use crate::encoding::Encoding;
use crate::options::Options;

static KNOWN: Mutex<Option<HashMap<String, Option<ClassUnicode>>>> = Mutex::new(None);

/// The characters that `pattern`, a property or a bracket, matches. `None` if it is neither.
pub(super) fn of(pattern: &str) -> Option<ClassUnicode> {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known
        .get_or_insert_default()
        .entry(pattern.to_owned())
        .or_insert_with(|| usual(pattern).or_else(|| ask(pattern, char::MAX)))
        .clone()
}

/// The ASCII characters that it matches.
pub(super) fn in_ascii(pattern: &str) -> Option<ClassUnicode> {
    ask(pattern, '\x7f')
}

/// Properties that both libraries know by the same name, and have the same table of.
const SAME: &[&str] = &[
    "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Ps", "Pe", "Pi",
    "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Letter", "Uppercase_Letter", "Lowercase_Letter", "Mark",
    "Number", "Punctuation", "Symbol", "Separator", "Alphabetic", "Uppercase", "Lowercase", "Latin", "Greek",
    "Cyrillic", "Han", "Hiragana", "Katakana", "Hangul", "Arabic", "Hebrew", "Thai", "Devanagari", "Emoji", "Armenian",
    "Georgian", "Bengali", "Tamil", "Telugu", "Ethiopic", "Mongolian", "Khmer", "Bopomofo", "Cc", "Cf", "Co",
    "Emoji_Presentation", "Emoji_Modifier", "Emoji_Modifier_Base", "Extended_Pictographic", "Punct", "Math",
    "White_Space", "ID_Start", "ID_Continue", "XID_Start", "XID_Continue", "Dash", "Hex_Digit", "Ideographic",
];
/// Sets under Ruby's names, and in the notation of `regex-syntax`.
const TRANSLATED: &[(&str, &str)] = &[
    ("alpha", r"\p{Alphabetic}"),
    ("upper", r"\p{Uppercase}"),
    ("lower", r"\p{Lowercase}"),
    ("digit", r"\p{Nd}"),
    ("alnum", r"[\p{Alphabetic}\p{Nd}]"),
    ("space", r"\p{White_Space}"),
    ("word", r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]"),
    ("cntrl", r"\p{Cc}"),
    ("blank", r"[\p{Zs}\t]"),
    ("xdigit", "[0-9A-Fa-f]"),
    ("print", r"[^\p{Cc}\p{Cn}\p{Zl}\p{Zp}]"),
    ("graph", r"[^\p{White_Space}\p{Cc}\p{Cn}]"),
    ("ascii", r"[\x00-\x7f]"),
];

/// A set for which `regex-syntax` has a table.
fn usual(pattern: &str) -> Option<ClassUnicode> {
    // The bracket has more characters than the property.
    let translated = (pattern == "[[:punct:]]").then_some(&("punct", r"[\p{P}$+<=>^`|~]"));
    let property = pattern.strip_prefix(r"\p{").and_then(|rest| rest.strip_suffix('}'));
    let name = property.or_else(|| pattern.strip_prefix("[[:")?.strip_suffix(":]]"))?;
    let translated = translated.or_else(|| TRANSLATED.iter().find(|(ruby, _)| name.eq_ignore_ascii_case(ruby)));
    let hir = match translated {
        Some((_, class)) => regex_syntax::parse(class).ok()?,
        None if property.is_some_and(|name| SAME.contains(&name)) => regex_syntax::parse(pattern).ok()?,
        None => return None,
    };
    match hir.into_kind() {
        HirKind::Class(Class::Unicode(class)) => Some(class),
        _ => None,
    }
}

/// Asks Oniguruma for each character up to `last`.
fn ask(pattern: &str, last: char) -> Option<ClassUnicode> {
    let engine = Engine::compile(format!("{pattern}+").as_bytes(), Encoding::Utf8, Options::default()).ok()?;
    let all: String = ('\0'..=last).collect();
    let mut class = ClassUnicode::empty();
    let mut captures = Captures::new();
    let mut at = 0;
    while engine.search(all.as_bytes(), at, all.len(), &mut captures, false, &mut |_| Ok(())).ok()? {
        let (start, end) = captures.get(0).filter(|(start, end)| start < end)?;
        let run = &all[start..end];
        class.push(ClassUnicodeRange::new(run.chars().next()?, run.chars().next_back()?));
        at = end;
    }
    Some(class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_the_usual_sets_are_oniguruma_s() {
        let brackets = TRANSLATED.iter().map(|(name, _)| *name).chain(["punct"]).map(|name| format!("[[:{name}:]]"));
        let properties =
            SAME.iter().chain(TRANSLATED.iter().map(|(name, _)| name)).map(|name| format!(r"\p{{{name}}}"));
        for pattern in brackets.chain(properties) {
            assert_eq!(usual(&pattern), ask(&pattern, char::MAX), "{pattern}");
        }
    }
}
