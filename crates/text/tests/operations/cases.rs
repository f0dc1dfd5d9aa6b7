//! Operations on upper and lower case.

use text::case::{self, CaseMapping, CaseOptions};
use text::encoding;
use text::scan::code_range;

use super::shown;

pub fn run(operation: &str, arguments: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
    let mapping = match operation {
        "upcase" => CaseMapping::Up,
        "downcase" => CaseMapping::Down,
        "swapcase" => CaseMapping::Swap,
        "capitalize" => CaseMapping::Capitalize,
        "casecmp" | "casecmp_p" => return Some(vec![compare(operation, arguments)]),
        _ => return None,
    };
    let encoding = encoding::find(&arguments[0]).unwrap();
    let bytes = arguments[1].as_slice();
    let names: Vec<&str> = arguments[2..].iter().map(|name| std::str::from_utf8(name).unwrap()).collect();
    Some(vec![match CaseOptions::parse(&names, mapping) {
        Err(error) => error.message().into(),
        Ok(options) => case::map_case(encoding, bytes, code_range(encoding, bytes), mapping, options)
            .unwrap_or(b"input string invalid".to_vec()),
    }])
}

fn compare(operation: &str, arguments: &[Vec<u8>]) -> Vec<u8> {
    let encoding = encoding::find(&arguments[0]).unwrap();
    let (first, second) = (arguments[1].as_slice(), arguments[2].as_slice());
    if operation == "casecmp" {
        return shown(case::casecmp(encoding, first, second) as i8);
    }
    let operand = |bytes| (encoding, bytes, code_range(encoding, bytes));
    match case::casecmp_p(operand(first), operand(second)) {
        Ok(same) => shown(same),
        Err(_) => b"input string invalid".to_vec(),
    }
}
