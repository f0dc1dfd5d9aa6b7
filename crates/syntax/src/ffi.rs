//! Calls of prism's serializer, which is in the library but not in the bindings of `ruby-prism-sys`.

// The crate is used so that the library is linked.
use memory::{Grow, ToVector};
use ruby_prism_sys as _;

#[repr(C)]
struct Buffer {
    _opaque: [u8; 0],
}

unsafe extern "C" {
    fn pm_buffer_new() -> *mut Buffer;
    fn pm_buffer_free(buffer: *mut Buffer);
    fn pm_buffer_value(buffer: *const Buffer) -> *const u8;
    fn pm_buffer_length(buffer: *const Buffer) -> usize;
    fn pm_serialize_parse(buffer: *mut Buffer, source: *const u8, size: usize, options: *const u8);
    fn pm_serialize_lex(buffer: *mut Buffer, source: *const u8, size: usize, options: *const u8);
    fn pm_serialize_parse_lex(buffer: *mut Buffer, source: *const u8, size: usize, options: *const u8);
    fn pm_serialize_parse_success_p(source: *const u8, size: usize, options: *const u8) -> bool;
}

pub enum Kind {
    Parse,
    Lex,
    ParseLex,
}

/// Serializes a source; `options` come from [`crate::Options::encoded`].
pub fn serialize(kind: Kind, source: &[u8], options: &[u8]) -> Vec<u8> {
    let source = terminated(source);
    let function = match kind {
        Kind::Parse => pm_serialize_parse,
        Kind::Lex => pm_serialize_lex,
        Kind::ParseLex => pm_serialize_parse_lex,
    };
    // SAFETY: prism owns the buffer from its creation until it is freed, and it is never null (prism exits the process
    // when memory is exhausted). Source and options outlive the call; the options are complete, so that prism does not
    // read past them. The bytes are copied before the buffer is freed.
    unsafe {
        let buffer = pm_buffer_new();
        function(buffer, source.as_ptr(), source.len() - 1, options.as_ptr());
        let length = pm_buffer_length(buffer);
        let bytes = if length == 0 {
            Vec::new()
        } else {
            std::slice::from_raw_parts(pm_buffer_value(buffer), length).to_vector()
        };
        pm_buffer_free(buffer);
        bytes
    }
}

pub fn is_valid(source: &[u8], options: &[u8]) -> bool {
    let source = terminated(source);
    // SAFETY: source and options outlive the call, and the options are complete.
    unsafe { pm_serialize_parse_success_p(source.as_ptr(), source.len() - 1, options.as_ptr()) }
}

/// The source followed by a NUL, as in CRuby's strings: the lexer may look one byte ahead.
fn terminated(source: &[u8]) -> Vec<u8> {
    let mut bytes = memory::with_capacity(source.len() + 1);
    bytes.append_slice(source);
    bytes.push(0);
    bytes
}
