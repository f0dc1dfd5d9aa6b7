//! Prism's tree, tokens, comments and errors of a source, for Ruby programs, in prism's own serialized form.
//!
//! - `ffi`: the calls to prism, the only unsafe code here.
//! - [`options`]: what to parse, and how.
//! - [`reader`]: the serialized form, decoded incrementally.
//! - [`ripper`]: the tokens of CRuby's Ripper.
//! - [`shapes`]: the classes of nodes with their fields, the names of tokens and errors.
//! - [`tokens`]: prism's tokens.

mod ffi;
pub mod options;
pub mod reader;
pub mod ripper;
pub mod shapes;
pub mod tokens;

pub use options::{Options, Scope};
pub use reader::{Location, Reader};

/// The maximum depth to which prism descends; the stack reserved per level is sufficient.
const LEVELS: usize = 10_000;
const STACK_PER_LEVEL: usize = 4096;

/// The tree, serialized: header, metadata, nodes, names.
pub fn parse(source: &[u8], options: &Options) -> Vec<u8> {
    with_stack(source, || ffi::serialize(ffi::Kind::Parse, source, &options.encoded()))
}

/// The tokens, a byte 0, then the metadata.
pub fn lex(source: &[u8], options: &Options) -> Vec<u8> {
    with_stack(source, || ffi::serialize(ffi::Kind::Lex, source, &options.encoded()))
}

/// The tokens, a zero byte, then the result of [`parse`].
pub fn parse_lex(source: &[u8], options: &Options) -> Vec<u8> {
    with_stack(source, || ffi::serialize(ffi::Kind::ParseLex, source, &options.encoded()))
}

/// Whether the source is free of errors.
pub fn is_valid(source: &[u8], options: &Options) -> bool {
    with_stack(source, || ffi::is_valid(source, &options.encoded()))
}

/// The kinds of names that a text can be.
pub struct NameKinds {
    pub local: bool,
    pub constant: bool,
    pub method: bool,
}

/// The kinds of names that the text can be; None if the encoding is unknown or not ASCII-compatible.
pub fn name_kinds(name: &[u8], encoding: &str) -> Option<NameKinds> {
    // The parser reads the byte behind a name: a zero byte belongs to none.
    let terminated = [name, b"\0"].concat();
    let query = ruby_prism::StringQuery::new(&terminated[..name.len()]).encoding(encoding);
    Some(NameKinds {
        local: query.is_local().ok()?,
        constant: query.is_constant().ok()?,
        method: query.is_method_name().ok()?,
    })
}

fn with_stack<T>(source: &[u8], then: impl FnOnce() -> T) -> T {
    let room = source.len().min(LEVELS) * STACK_PER_LEVEL + (64 << 10);
    stacker::maybe_grow(room, room + (1 << 20), then)
}

#[cfg(test)]
mod tests {
    // The parser calls its allocator.
    use super::*;
    use host as _;

    #[test]
    fn a_tree_comes_in_postorder_with_the_names_behind_it() {
        let bytes = parse(b"foo(1)", &Options::default());
        let mut reader = Reader::new(&bytes);
        reader.header().unwrap();
        reader.metadata().unwrap();
        let names = reader.names().unwrap();
        assert_eq!(names, [b"foo"]);
        let mut classes = Vec::new();
        let mut record = reader::Record::default();
        while let Some(item) = reader.node(&mut record).unwrap() {
            classes.push(if item == reader::Item::Node { record.shape.name } else { "-" });
        }
        assert_eq!(classes, ["-", "IntegerNode", "ArgumentsNode", "-", "CallNode", "StatementsNode", "ProgramNode"]);
    }

    #[test]
    fn kinds_of_names_do_not_depend_on_the_bytes_behind_them() {
        for behind in ["?", "!", "=", "\0"] {
            let text = format!("a{behind}");
            let kinds = name_kinds(&text.as_bytes()[..1], "UTF-8").unwrap();
            assert!(kinds.local && !kinds.constant, "{text}");
        }
    }

    #[test]
    fn options_reach_the_parser() {
        let options = Options {
            filepath: b"a.rb".to_vec(),
            line: 7,
            scopes: vec![Scope { locals: vec![b"foo".to_vec()], forwarding: 0 }],
            ..Options::default()
        };
        let bytes = parse(b"foo", &options);
        let mut reader = Reader::new(&bytes);
        reader.header().unwrap();
        assert_eq!(reader.metadata().unwrap().start_line, 7);
        reader.names().unwrap();
        let mut record = reader::Record::default();
        reader.node(&mut record).unwrap();
        assert_eq!(record.shape.name, "LocalVariableReadNode");
        assert!(is_valid(b"1 + 1", &options) && !is_valid(b"1 +", &options));
    }
}
