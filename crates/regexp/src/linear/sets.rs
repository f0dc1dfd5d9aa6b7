//! Sets of characters as Oniguruma defines them: properties, and POSIX brackets beyond ASCII. One search over all
//! characters obtains each set from Oniguruma, so that both engines have the same tables.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use crate::backtracking::Engine;
use crate::captures::Captures;
use crate::encoding::Encoding;
use crate::options::Options;

static KNOWN: Mutex<Option<HashMap<String, Option<ClassUnicode>>>> = Mutex::new(None);

/// The characters that `pattern`, a property or a bracket, matches. `None` if it is neither.
pub(super) fn of(pattern: &str) -> Option<ClassUnicode> {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.get_or_insert_default().entry(pattern.to_owned()).or_insert_with(|| ask(pattern)).clone()
}

fn ask(pattern: &str) -> Option<ClassUnicode> {
    let engine = Engine::compile(format!("{pattern}+").as_bytes(), Encoding::Utf8, Options::default()).ok()?;
    let all: String = ('\0'..=char::MAX).collect();
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
