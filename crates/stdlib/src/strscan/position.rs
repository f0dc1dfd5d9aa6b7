//! The scanner's position.

use core_classes::string::modify;
use runtime::{Args, Cx, R, Value, convert, error};

use super::scanner::read_only;

/// `reset → self`: moves to the start and clears the last match.
pub fn reset(cx: &mut Cx, args: Args) -> R {
    let (scanner, _) = read_only(cx, &args)?;
    scanner.pos.set(0);
    scanner.forget_match();
    Ok(args.me())
}

/// `terminate → self`: moves to the end and clears the last match.
pub fn terminate(cx: &mut Cx, args: Args) -> R {
    let (scanner, string) = read_only(cx, &args)?;
    scanner.pos.set(string.len());
    scanner.forget_match();
    Ok(args.me())
}

/// `unscan → self`: moves back to the start of the last scan and clears the match. StringScanner::Error if it did not
/// match.
pub fn unscan(cx: &mut Cx, args: Args) -> R {
    let (scanner, _) = read_only(cx, &args)?;
    if !scanner.matched.get() {
        let class = cx.root(runtime::Root::StringScannerError);
        let message = runtime::make::text(cx, "unscan error: previous match record not exist");
        let exception = error::new_exception(cx, class, message);
        return Err(error::raise_exception(cx, exception));
    }
    scanner.pos.set(scanner.previous);
    scanner.forget_match();
    Ok(args.me())
}

/// `pos → integer`: the position in bytes, at which the next scan begins. Alias: `pointer`.
pub fn pos(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(read_only(cx, &args)?.0.pos.get() as i64))
}

/// `pos = position`: moves to a byte; negative numbers count from the end. RangeError outside the string. Alias:
/// `pointer=`.
pub fn set_pos(cx: &mut Cx, args: Args) -> R {
    let to = convert::to_i64(cx, args.at(0))?;
    let (scanner, string) = read_only(cx, &args)?;
    let size = string.len() as i64;
    let to = if to < 0 { to.saturating_add(size) } else { to };
    if to < 0 || to > size {
        return Err(cx.range_error("index out of range"));
    }
    scanner.pos.set(to as usize);
    Ok(Value::fixnum(to))
}

/// `charpos → integer`: the position in characters.
pub fn charpos(cx: &mut Cx, args: Args) -> R {
    let (scanner, string) = read_only(cx, &args)?;
    let at = scanner.pos.get().min(string.len());
    let count = string.read((string.encoding(), at), |bytes, (encoding, at)| {
        let range = text::scan::code_range(encoding, &bytes[..at]);
        text::scan::char_count(encoding, &bytes[..at], range)
    });
    Ok(Value::fixnum(count as i64))
}

/// `beginning_of_line? → true, false or nil`: whether the position is 0 or after a newline; nil if the string was
/// shortened and ends before the position. Alias: `bol?`.
pub fn is_line_start(cx: &mut Cx, args: Args) -> R {
    let (scanner, string) = read_only(cx, &args)?;
    if scanner.pos.get() > string.len() {
        return Ok(Value::NIL);
    }
    Ok(Value::bool(scanner.pos.get() == 0 || string.byte(scanner.pos.get() - 1) == Some(b'\n')))
}

/// `eos? → true or false`: whether the position is at the end of the string.
pub fn is_end(cx: &mut Cx, args: Args) -> R {
    let (scanner, string) = read_only(cx, &args)?;
    Ok(Value::bool(scanner.pos.get() >= string.len()))
}

/// `rest? → true or false`: whether any text remains after the position.
pub fn has_rest(cx: &mut Cx, args: Args) -> R {
    let (scanner, string) = read_only(cx, &args)?;
    Ok(Value::bool(scanner.pos.get() < string.len()))
}

/// `rest → string`: the text after the position, empty at the end.
pub fn rest(cx: &mut Cx, args: Args) -> R {
    let (scanner, string) = read_only(cx, &args)?;
    let at = scanner.pos.get().min(string.len());
    modify::part(cx, string, at, string.len())
}

/// `rest_size → integer`: the number of bytes after the position.
pub fn rest_size(cx: &mut Cx, args: Args) -> R {
    let (scanner, string) = read_only(cx, &args)?;
    Ok(Value::fixnum(string.len().saturating_sub(scanner.pos.get()) as i64))
}
