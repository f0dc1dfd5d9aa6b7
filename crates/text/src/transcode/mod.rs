//! From one encoding to another.

mod single_byte;

pub(crate) use single_byte::{decode_byte, encode_byte};
