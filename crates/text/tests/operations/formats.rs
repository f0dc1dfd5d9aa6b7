//! Kernel#format, with arguments written as `i:` integers, `f:` floats and `s:` strings.

use text::encoding::EncodingId;
use text::scan::CodeRange;
use text::sprintf::{self, Argument, FormatError, Parser, Piece, Spec};

pub fn run(operation: &str, arguments: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
    if operation != "format" {
        return None;
    }
    Some(vec![format(&arguments[0], &arguments[1..]).unwrap_or_else(|error| error.message())])
}

fn format(format: &[u8], arguments: &[Vec<u8>]) -> Result<Vec<u8>, FormatError> {
    let mut parser = Parser::new(EncodingId::UTF_8, format, arguments.len());
    let mut out = Vec::new();
    while let Some(piece) = parser.next_piece()? {
        let directive = match piece {
            Piece::Literal(text) => {
                out.extend_from_slice(text);
                continue;
            }
            Piece::Directive(directive) => directive,
        };
        let number = |index: usize| -> Result<i32, FormatError> { Ok(text(&arguments[index]).parse().unwrap()) };
        let spec = directive.resolve(number)?;
        let value = match directive.argument {
            Argument::Positional(index) => &arguments[index],
            Argument::Named { .. } => &arguments[0],
        };
        write(&spec, directive.conversion, value, &mut out)?;
    }
    Ok(out)
}

fn text(value: &[u8]) -> &str {
    std::str::from_utf8(&value[2..]).unwrap()
}

fn write(spec: &Spec, conversion: u8, value: &[u8], out: &mut Vec<u8>) -> Result<(), FormatError> {
    match (conversion, value[0]) {
        (b's' | b'p', _) => sprintf::format_text(spec, EncodingId::UTF_8, &value[2..], CodeRange::Unknown, out),
        (b'c', _) => {
            let spec = Spec { precision: Some(1), ..*spec };
            sprintf::format_text(&spec, EncodingId::UTF_8, &value[2..], CodeRange::Unknown, out)
        }
        (b'f', b'i') => {
            let value: i128 = text(value).parse().unwrap();
            let digits = value.unsigned_abs().to_string();
            sprintf::format_fixed(spec, value < 0, digits.as_bytes(), false, out)
        }
        (b'f' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A', _) => {
            sprintf::format_float(spec, conversion, text(value).parse().unwrap(), out)
        }
        _ => {
            let value: i128 = text(value).parse().unwrap();
            let magnitude = value.unsigned_abs();
            let digits = match sprintf::radix(conversion) {
                2 => format!("{magnitude:b}"),
                8 => format!("{magnitude:o}"),
                16 => format!("{magnitude:x}"),
                _ => magnitude.to_string(),
            };
            sprintf::format_integer(spec, conversion, value < 0, digits.as_bytes(), out)
        }
    }
}
