//! The line of source that raised, with `^^^^` below the call: for NameError, TypeError and ArgumentError.

use abi::Value;
use object::{native, shape::ivars, string::Str};
use runtime::{
    Cx,
    backtrace::Backtrace,
    code::code,
    error::{ErrorClass, is_error},
    sym,
};

/// The snippet with an empty line before it, or none.
pub fn of(cx: &mut Cx, exception: Value) -> Option<String> {
    let wanted = [ErrorClass::NameError, ErrorClass::TypeError, ErrorClass::ArgumentError];
    if !wanted.into_iter().any(|class| is_error(cx, exception, class)) {
        return None;
    }
    if !ivars::get(cx, exception, sym::MEMO_BACKTRACE).is_undef() {
        return None;
    }
    let trace = ivars::get(cx, exception, sym::MEMO_LOCATIONS);
    let place = native::get::<Backtrace>(trace)?.locations.first()?;
    if place.native || place.code.is_nil() {
        return None;
    }
    let code = code(place.code);
    code.source.absolute_path.as_ref()?;
    let position = code.position(place.word as usize)?;
    if code.source.path == "-e" || position.end_column <= position.column || position.line < 1 {
        return None;
    }
    let line = code.source.text.split(|b| *b == b'\n').nth(position.line as usize - 1)?;
    let line = std::str::from_utf8(line).ok()?;
    let (from, to) = span(cx, exception, line, position.column as usize, position.end_column as usize)?;
    let before: String = line[..from].chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let carets = "^".repeat(line[from..to].chars().count());
    Some(format!("\n\n{line}\n{before}{carets}"))
}

/// The part of the node to point at: of a call the name with its dot.
fn span(cx: &mut Cx, exception: Value, line: &str, from: usize, to: usize) -> Option<(usize, usize)> {
    let to = to.min(line.len());
    let node = line.get(from..to)?;
    let name = ivars::get(cx, exception, sym::MEMO_NAME);
    let Some(name) = object::Sym::from_value(name) else { return Some((from, to)) };
    let name = String::from_utf8_lossy(Str(name.name(cx)).bytes()).into_owned();
    let dotted = format!(".{name}");
    if let Some(at) = node.rfind(&dotted) {
        return Some((from + at, from + at + dotted.len()));
    }
    match node.rfind(&name) {
        Some(at) => Some((from + at, from + at + name.len())),
        None => Some((from, to)),
    }
}
