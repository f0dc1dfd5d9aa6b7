//! Operations on sets of characters.

use text::charset::{self, CharSet, CharSetError, Translation};
use text::encoding;

use super::shown;

pub fn run(operation: &str, arguments: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
    if !matches!(operation, "count" | "delete" | "squeeze" | "tr" | "tr_s") {
        return None;
    }
    let encoding = encoding::find(&arguments[0]).unwrap();
    let bytes = arguments[1].as_slice();
    let unchanged = |result: Option<Vec<u8>>| result.unwrap_or(b"nil".to_vec());
    let sets = || CharSet::new(encoding, arguments[2..].iter().map(Vec::as_slice));
    let result = match operation {
        "delete" | "tr" | "tr_s" if bytes.is_empty() => Ok(b"nil".to_vec()),
        "count" => sets().and_then(|set| charset::count(encoding, bytes, &set)).map(shown),
        "delete" => sets().and_then(|set| charset::delete(encoding, bytes, &set)).map(unchanged),
        "squeeze" if arguments.len() == 2 => charset::squeeze(encoding, bytes, None).map(unchanged),
        "squeeze" => sets().and_then(|set| charset::squeeze(encoding, bytes, Some(&set))).map(unchanged),
        _ => Translation::new(encoding, &arguments[2], &arguments[3])
            .and_then(|rules| charset::translate(encoding, bytes, &rules, operation == "tr_s"))
            .map(unchanged),
    };
    Some(vec![result.unwrap_or_else(|error| match error {
        CharSetError::InvalidAsciiRange(first, last) => {
            let (first, last) = (char::from(first), char::from(last));
            format!("invalid range \"{first}-{last}\" in string transliteration").into_bytes()
        }
        CharSetError::InvalidRange => b"invalid range in string transliteration".to_vec(),
        CharSetError::InvalidByteSequence => format!("invalid byte sequence in {}", encoding.name()).into_bytes(),
    })])
}
