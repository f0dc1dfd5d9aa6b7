//! The operations named in the recorded cases.

mod cases;
mod charsets;
mod formats;
mod numbers;
mod packs;
mod paths;
mod strings;
mod times;
mod transcodings;
mod words;

/// Runs one operation on its arguments; the first is mostly an encoding's name.
pub fn run(operation: &str, arguments: &[Vec<u8>]) -> Vec<Vec<u8>> {
    strings::run(operation, arguments)
        .or_else(|| charsets::run(operation, arguments))
        .or_else(|| cases::run(operation, arguments))
        .or_else(|| formats::run(operation, arguments))
        .or_else(|| words::run(operation, arguments))
        .or_else(|| transcodings::run(operation, arguments))
        .or_else(|| packs::run(operation, arguments))
        .or_else(|| paths::run(operation, arguments))
        .or_else(|| times::run(operation, arguments))
        .or_else(|| numbers::run(operation, arguments))
        .unwrap_or_else(|| panic!("unknown operation {operation}"))
}

/// The argument as a number.
pub fn int(argument: &[u8]) -> i64 {
    std::str::from_utf8(argument).unwrap().parse().unwrap()
}

/// The number as a result.
pub fn shown(value: impl std::fmt::Display) -> Vec<u8> {
    value.to_string().into_bytes()
}
