//! Pure text algorithms behind Ruby's String, Symbol, Encoding, format, pack, File and Time; bytes in, bytes out, no
//! Ruby values.
#![forbid(unsafe_code)]

#[macro_use]
extern crate memory;

pub mod case;
pub mod charset;
pub mod encoding;
pub mod inspect;
pub mod keyed_hash;
pub mod number;
pub mod pack;
pub mod path;
pub mod scan;
pub mod similarity;
pub mod sprintf;
pub mod succ;
pub mod time;
pub mod transcode;
pub mod unicode_normalize;

pub use encoding::{CharLen, EncodingId};
pub use scan::CodeRange;
