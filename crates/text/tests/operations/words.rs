//! Successors, normal forms and similarity.

use text::encoding::{self, EncodingId};
use text::{similarity, succ, unicode_normalize};

use super::shown;

pub fn run(operation: &str, arguments: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
    let encoding = encoding::find(&arguments[0]).unwrap_or(EncodingId::BINARY);
    let chars = |at: usize| -> Vec<char> { String::from_utf8_lossy(&arguments[at]).chars().collect() };
    Some(vec![match operation {
        "succ" => succ::succ(encoding, &arguments[1]),
        "normalize" => {
            let form = std::str::from_utf8(&arguments[2]).unwrap();
            let form = unicode_normalize::Form::from_name(form).unwrap();
            let normal = unicode_normalize::normalize(encoding, &arguments[1], form);
            let already = unicode_normalize::is_normalized(encoding, &arguments[1], form);
            if let (Ok(normal), Ok(already)) = (&normal, already) {
                assert_eq!(*normal == arguments[1], already);
            }
            normal.unwrap_or(b"error".to_vec())
        }
        "jaro_winkler" => shown(similarity::jaro_winkler(&chars(0), &chars(1))),
        "levenshtein" => shown(similarity::levenshtein(&chars(0), &chars(1))),
        "suggestions" => {
            let names: Vec<&str> = arguments[1..].iter().map(|name| std::str::from_utf8(name).unwrap()).collect();
            let input = std::str::from_utf8(&arguments[0]).unwrap();
            return Some(similarity::suggestions(&names, input).into_iter().map(|index| names[index].into()).collect());
        }
        _ => return None,
    }])
}
