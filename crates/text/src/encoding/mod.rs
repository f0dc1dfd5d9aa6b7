//! Ruby's encodings: their identities, names, character boundaries, code points and compatibility.

mod byte_classes;
mod char_len;
mod codepoint;
mod compatible;
mod ctype;
pub mod defined;
mod id;
mod legacy;
mod table;

pub use char_len::{CharLen, char_len, char_len_or_min};
pub use codepoint::{CodepointError, codepoint, codepoint_len, encode_codepoint};
pub use compatible::{Operand, OperandKind, compatible};
pub use ctype::{is_alnum, is_alpha, is_digit, is_printable, is_space, is_upper_or_title};
pub use id::EncodingId;
pub use table::{EncodingInfo, Family, all, find};
