//! The source line that raised, with `^^^^` below the call: for NameError, TypeError and ArgumentError.

use abi::{BlockHandler, Value};
use memory::ToVector;
use object::{
    Sym, array::Arr, cell, hash::HashRef, method_entry, native, shape::ivars, string::Str, symbol::table::intern_text,
};
use runtime::{
    Args, Cx, R,
    backtrace::{self, Backtrace, Location},
    call,
    code::code,
    error::OrRaise,
    error::{ErrorClass, is_error},
    keys, make, sym,
};
use text::encoding::EncodingId;

use super::suggestions;

/// The snippet with an empty line before it, or an empty text.
pub fn of(cx: &mut Cx, exception: Value) -> Option<String> {
    let about_name = is_error(cx, exception, ErrorClass::NameError);
    let about_arguments =
        is_error(cx, exception, ErrorClass::TypeError) || is_error(cx, exception, ErrorClass::ArgumentError);
    if !cx.vm().options.highlight_errors
        || !(about_name || about_arguments)
        || suggestions::is_library_loaded(cx, "ErrorHighlight", "CoreExt")
        || !ivars::get(cx, exception, sym::MEMO_BACKTRACE).is_undef()
    {
        return None;
    }
    let trace = ivars::get(cx, exception, sym::MEMO_LOCATIONS);
    let trace = native::get::<Backtrace>(&trace)?;
    let place = trace.get(0)?;
    if about_arguments && counts_arguments(cx, exception) {
        return both_sides(place, trace.get(1)?);
    }
    let (line, from, to) = marked(cx, exception, place)?;
    Some(format!("\n\n{}", underlined(&line, from, to, "")))
}

/// The source line, and the byte columns to mark for an error about a name or about arguments.
fn marked(cx: &mut Cx, exception: Value, place: &Location) -> Option<(String, usize, usize)> {
    let (line, from, to) = node(place)?;
    // The library marks calls only.
    if line[from..to].starts_with("@@") || line[from..to].strip_prefix("super").is_some_and(|rest| !goes_on(rest)) {
        return None;
    }
    let (from, to) = if is_error(cx, exception, ErrorClass::NameError) {
        // What a native method looked up is among its arguments.
        // `undef` and `alias` call nothing.
        let statement = line[..to].rsplit(';').next().unwrap_or_default();
        if line[from..to].starts_with("alias ") || statement.trim_start().starts_with("undef ") {
            return None;
        }
        let name = if place.native { None } else { Sym::from_value(ivars::get(cx, exception, sym::MEMO_NAME)) };
        let name = name.map(|name| name.to_text(cx));
        if let (Some(name), "::") = (&name, &line[from..to]) {
            return name_below(place, name);
        }
        let named = name.and_then(|name| name_span(&line, from, to, &name));
        named.or_else(|| last_name(&line, from, to)).or_else(|| index_name(&line, from, to))?
    } else {
        let called = if place.native { method_entry::name(place.entry).to_text(cx) } else { "raise".to_string() };
        arguments_span(&line, from, to, if called == "initialize" { "new" } else { &called })?
    };
    Some((line, from, to))
}

/// The name of a constant whose colons end the line of a location.
fn name_below(place: &Location, name: &str) -> Option<(String, usize, usize)> {
    let code = code(&place.code);
    let is_code = |line: &String| !(line.trim().is_empty() || line.trim_start().starts_with('#'));
    let line = (place.line() + 1..).map_while(|number| source_line(code, number)).find(is_code)?;
    let from = line.len() - line.trim_start().len();
    line[from..].starts_with(name).then(|| (line, from, from + name.len()))
}

/// `ErrorHighlight.spot(exception, backtrace_location: nil, **) → hash or nil`: the line that raised, or that of a
/// location, and the columns to mark; for other kinds of errors the whole call. nil if no columns are known.
pub fn spot(cx: &mut Cx, args: Args) -> R {
    if !is_error(cx, args.at(0), ErrorClass::Exception) {
        return spot_node(cx, args);
    }
    let given = keys::get_symbol_text(cx, args.keywords(), "backtrace_location");
    let trace = ivars::get(cx, args.at(0), sym::MEMO_LOCATIONS);
    let first = || native::get::<Backtrace>(&trace)?.get(0);
    let Some(place) = super::location::get(&given).or_else(first) else { return Ok(Value::NIL) };
    let Some((line, from, to)) = spotted(cx, args.at(0), place) else { return Ok(Value::NIL) };
    let column = |bytes: usize| Value::fixnum(line[..bytes].chars().count() as i64);
    let (first, last, number) = (column(from), column(to), Value::fixnum(place.line().into()));
    let snippet = make::text(cx, &format!("{line}\n"));
    let script_lines = script_lines(cx, place)?;
    let hash = HashRef::new(cx).value();
    for (name, value) in [
        ("first_lineno", number),
        ("first_column", first),
        ("last_lineno", number),
        ("last_column", last),
        ("snippet", snippet),
        ("script_lines", script_lines),
    ] {
        let name = intern_text(cx, name).value();
        keys::store(cx, hash, name, value)?;
    }
    Ok(hash)
}

/// The columns of a node of a syntax tree. The library's code, which replaces `spot`, finds them.
fn spot_node(cx: &mut Cx, args: Args) -> R {
    let main = cx.vm().main_object;
    let file = make::text(cx, "error_highlight/base");
    call::send(cx, main, sym::REQUIRE, &[file])?;
    let spot = intern_text(cx, "spot");
    call::send_full(cx, args.me(), spot, &[args.at(0)], args.keywords(), BlockHandler::NONE, call::Scope::Function)
}

/// The lines of the source, each with its line break.
fn script_lines(cx: &mut Cx, place: &Location) -> R {
    let list = Arr::empty(cx);
    let source = code(&place.code).source.clone();
    for line in source.text.bytes().split_inclusive(|b| *b == b'\n') {
        let line = make::string(cx, line, EncodingId::UTF_8);
        list.push(cx, line).or_raise(cx)?;
    }
    Ok(list.value())
}

fn spotted(cx: &mut Cx, exception: Value, place: &Location) -> Option<(String, usize, usize)> {
    let known = [ErrorClass::NameError, ErrorClass::TypeError, ErrorClass::ArgumentError];
    let is_known = known.iter().any(|class| is_error(cx, exception, *class));
    is_known.then(|| marked(cx, exception, place)).flatten().or_else(|| node(place))
}

/// The source line of a location and the byte columns of its node, for code in files.
fn node(place: &Location) -> Option<(String, usize, usize)> {
    if place.code.is_nil() || place.word >= backtrace::AT_END {
        return None;
    }
    let code = code(&place.code);
    let position = code.position(place.word as usize)?;
    if !is_of_file(code) || position.end_column <= position.column {
        return None;
    }
    // The library, too, shows only lines whose columns are certain.
    let line = source_line(code, position.line).filter(|line| line.is_ascii())?;
    let to = (position.end_column as usize).min(line.len());
    let from = position.column as usize;
    (from < to && line.is_char_boundary(from) && line.is_char_boundary(to)).then_some((line, from, to))
}

/// Whether the code comes from a file, and not from an eval or the command line.
fn is_of_file(code: &runtime::code::Code) -> bool {
    code.source.absolute_path.is_some() && code.source.path != "-e"
}

fn source_line(code: &runtime::code::Code, line: i32) -> Option<String> {
    let at = usize::try_from(line).ok()?.checked_sub(1)?;
    let text = code.source.text.bytes();
    let bytes = text.split(|b| *b == b'\n').nth(at)?;
    String::from_utf8(bytes.to_vector()).ok()
}

/// The line, and `^^^^` below the columns `from` to `to`; `margin` precedes both.
fn underlined(line: &str, from: usize, to: usize, margin: &str) -> String {
    let before: String = line[..from].chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let carets = memory::repeated("^", line[from..to].chars().count());
    format!("{margin}{line}\n{}{before}{carets}", memory::repeated(" ", margin.len()))
}

/// The part of a call to mark: the name with its dot, the operator, or the index. The columns end with the name.
fn name_span(line: &str, from: usize, to: usize, name: &str) -> Option<(usize, usize)> {
    let node = &line[from..to];
    let at = |start: usize, length: usize| Some((from + start, from + start + length));
    if name == "[]" || name == "[]=" {
        let rest = &line[from..];
        let open = rest.char_indices().find(|(_, c)| *c == '[')?.0;
        let close = open + rest[open..].find(']')? + 1;
        let close = if name == "[]=" { close + rest[close..].find('=')? + 1 } else { close };
        return at(open, close - open);
    }
    if let Some(operator) = name.strip_suffix('@') {
        return at(0, operator.len().min(node.len()));
    }
    if let Some(base) = name.strip_suffix('=').filter(|b| b.ends_with(|c: char| c.is_alphanumeric() || c == '_')) {
        let dot = node.find(&format!(".{base}"))?;
        let end = dot + 1 + base.len();
        let rest = &line[from + end..];
        let blanks = rest.len() - rest.trim_start().len();
        let stop = if rest.trim_start().starts_with('=') { end + blanks + 1 } else { end };
        return at(dot, stop - dot);
    }
    for prefix in ["&.", "::", "."] {
        let whole = format!("{prefix}{name}");
        if let Some(start) = node.rfind(&whole) {
            return at(start, whole.len());
        }
    }
    if name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        let is_word = |start: &usize| !node[..*start].ends_with(goes_on_with) && !goes_on(&node[start + name.len()..]);
        let first = node.starts_with(name).then_some(0).filter(is_word);
        let last = || node.rmatch_indices(name).map(|(start, _)| start).find(is_word);
        return at(first.or_else(last)?, name.len());
    }
    let start = match node.find(&format!(" {name}")) {
        Some(i) => i + 1,
        None => node.rfind(name)?,
    };
    at(start, name.len())
}

/// The name that a call ends with, and the dot before it.
fn last_name(line: &str, from: usize, to: usize) -> Option<(usize, usize)> {
    let node = &line[from..to];
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '?' | '!');
    let before = node.trim_end_matches(is_part);
    let receiver = ["&.", "::", "."].iter().find_map(|dot| before.strip_suffix(dot)).unwrap_or(before);
    (before.len() < node.len()).then_some((from + receiver.len(), to))
}

/// The brackets of an index, with the `=` of an assignment.
fn index_name(line: &str, from: usize, to: usize) -> Option<(usize, usize)> {
    line[from..to].find('[')?;
    let (_, close) = name_span(line, from, to, "[]")?;
    let value = line[close..].trim_start().strip_prefix('=')?;
    name_span(line, from, to, if value.starts_with('=') { "[]" } else { "[]=" })
}

/// The arguments of the call of `name`.
fn arguments_span(line: &str, from: usize, to: usize, name: &str) -> Option<(usize, usize)> {
    let node = &line[from..to];
    let start = if node.starts_with(name) { Some(0) } else { node.rfind(name) };
    if start.is_none()
        && let Some(base) = name.strip_suffix('=').filter(|base| base.ends_with(goes_on_with) || *base == "[]")
    {
        return assigned_span(line, from, base);
    }
    // The method may have another name than the call, such as `initialize`. The head of a class calls none.
    if start.is_none() && (node.starts_with("class ") || line[..from].trim_end().ends_with("class")) {
        return None;
    }
    let after = start.map_or(to, |start| from + start + name.len());
    let rest = &line[after..];
    let word = start.is_none() || name.starts_with(goes_on_with);
    let dotted = start.is_some_and(|start| node[..start].ends_with('.'));
    let first = if (word || dotted) && rest.starts_with('(') {
        after + 1
    } else {
        // `x += 1`: the operator and its assignment are one.
        let rest = if word { rest } else { rest.strip_prefix('=').unwrap_or(rest) };
        let trimmed = rest.trim_start();
        // A block is no argument.
        let block = trimmed.starts_with('{') || trimmed == "do" || trimmed.starts_with("do ");
        if word && (trimmed.len() == rest.len() || block) {
            return None;
        }
        line.len() - trimmed.len()
    };
    let end = first + arguments_length(&line[first..]);
    let is_block = line[first..].starts_with('&') && !line[first..].starts_with("&&");
    (first < end && !is_block).then_some((first, end))
}

fn goes_on_with(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a text continues the word before it.
fn goes_on(text: &str) -> bool {
    text.starts_with(goes_on_with)
}

/// The arguments of an assignment to an index (`base` is `[]`), with the value, or the value of one to an attribute.
fn assigned_span(line: &str, from: usize, base: &str) -> Option<(usize, usize)> {
    let (first, behind) = if base == "[]" {
        let first = from + line[from..].find('[')? + 1;
        (Some(first), first + arguments_length(&line[first..]))
    } else {
        (None, from + line[from..].find(base)? + base.len())
    };
    let rest = line[behind..].trim_start_matches([' ', ']']);
    let value = rest.strip_prefix('=')?.trim_start();
    let start = line.len() - value.len();
    let end = start + arguments_length(value);
    (start < end).then_some((first.unwrap_or(start), end))
}

/// The length of the arguments: up to a closing bracket that was opened before them, a modifier or the end of the line.
fn arguments_length(text: &str) -> usize {
    const ENDS: &[&str] =
        &[" if ", " unless ", " while ", " until ", " rescue ", " do ", " do|", " and ", " or ", " # "];
    let (mut depth, mut quote) = (0usize, None);
    let mut escaped = false;
    for (i, c) in text.char_indices() {
        if let Some(open) = quote {
            if c == open && !escaped {
                quote = None;
            }
            escaped = c == '\\' && !escaped;
            continue;
        }
        let stops = depth == 0 && (c == ';' || ENDS.iter().any(|end| text[i..].starts_with(end)));
        match c {
            _ if stops => return text[..i].trim_end().len(),
            '"' | '\'' | '`' => quote = Some(c),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return text[..i].trim_end().len(),
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    text.trim_end().len()
}

/// Whether the message is about the arguments that a method accepts.
fn counts_arguments(cx: &mut Cx, exception: Value) -> bool {
    const MESSAGES: [&[u8]; 4] =
        [b"wrong number of arguments", b"missing keyword", b"unknown keyword", b"no keywords accepted"];
    let message = ivars::get(cx, exception, sym::MEMO_MESSAGE);
    cell::is(message, abi::Type::String) && MESSAGES.iter().any(|text| Str::of(message).starts_with(text))
}

/// The places of the call and of the method, for arguments that the method does not accept, with their snippets. A
/// native method has only the place of its call.
fn both_sides(callee: &Location, caller: &Location) -> Option<String> {
    let (called, calling) = (definition(callee).or_else(|| call_span(callee)), call_span(caller));
    let is_one =
        called.is_some() && called == calling && callee.line() == caller.line() && callee.path() == caller.path();
    let mut text = String::from("\n");
    for (side, place, marked) in [("caller", caller, calling), ("callee", callee, called)] {
        if is_one && side == "callee" {
            continue;
        }
        text.push_str(&format!("\n    {side}: {}:{}", place.path(), place.line()));
        if let Some((line, from, to)) = marked {
            text.push('\n');
            text.push_str(&underlined(&line, from, to, "    | "));
        }
    }
    Some(text)
}

/// The source line and the columns of a call's name with its dot, or of its index, with the `=` of an assignment.
fn call_span(place: &Location) -> Option<(String, usize, usize)> {
    let (line, from, to) = node(place)?;
    let name = &line[from..to];
    // The position of `a.()` is the whole call, which has no name.
    if matches!(name, "super" | "yield") || name.starts_with("def ") || !name.starts_with('[') && name.contains('(') {
        return None;
    }
    let rest = &line[to..];
    let assigned = rest.trim_start();
    let is_assignment = name.starts_with(['[', '.', '&', ':'])
        && assigned.strip_prefix('=').is_some_and(|value| !value.starts_with(['=', '~', '>']));
    let to = if is_assignment { to + rest.len() - assigned.len() + 1 } else { to };
    Some((line, from, to))
}

/// The source line of the definition of a method that has not begun, and the columns of its name; those of `->`, `{` or
/// `do` for a block.
fn definition(place: &Location) -> Option<(String, usize, usize)> {
    if place.native || place.code.is_nil() {
        return None;
    }
    let body = code(&place.code);
    if !is_of_file(body) {
        return None;
    }
    let line = source_line(body, body.first_line)?;
    let from = body.first_column as usize;
    let text = line.get(from..)?;
    let begins = place.word == backtrace::NOT_BEGUN
        || body
            .position(place.word as usize)
            .is_some_and(|at| text.starts_with("def") && (at.line, at.column as usize) == (body.first_line, from));
    if !begins {
        return None;
    }
    if let Some(open) = ["->", "{", "do"].iter().find(|open| text.starts_with(**open)) {
        return Some((line.clone(), from, from + open.len()));
    }
    let name = body.name.to_string();
    let rest = text.strip_prefix("def")?;
    let at = from + "def".len() + rest.find(&format!(".{name}")).or_else(|| rest.find(&name))?;
    let to = at + name.len() + usize::from(line[at..].starts_with('.'));
    Some((line, at, to))
}
