//! Names in bytecode.

use bytecode::Symbol;
use object::{Mem, Sym};
use text::encoding::EncodingId;

/// The symbol of a name in bytecode.
pub(crate) fn intern(mem: &mut Mem, name: &Symbol) -> Sym {
    object::symbol::intern(mem, &name.bytes, encoding_id(name.encoding))
}

/// The encoding for the compiler's number; BINARY if it is unknown.
pub fn encoding_id(number: u8) -> EncodingId {
    EncodingId::from_index(number).unwrap_or(EncodingId::BINARY)
}
