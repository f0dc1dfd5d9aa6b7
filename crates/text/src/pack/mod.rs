//! Array#pack and String#unpack: reading the format, and the codecs behind the directives.

mod armor;
mod error;
mod nibbles;
mod numbers;
mod parse;
mod unpack;

pub use armor::{
    decode_base64, decode_base64_strict, decode_quoted_printable, decode_uu, encode_base64, encode_quoted_printable,
    encode_uu, pack_armor,
};
pub use error::PackError;
pub use nibbles::{pack_bits, pack_fill, pack_hex, pack_text, unpack_bits, unpack_hex};
pub use numbers::{pack_ber, pack_float, pack_integer, pack_leb128, pack_utf8, unpack_utf8};
pub use parse::{Count, Directive, Kind, Mode, Parser, ResultEncoding};
pub use unpack::{Integers, Item, Unpacker};
