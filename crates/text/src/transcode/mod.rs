//! Conversion between encodings: paths of steps, streaming converters, whole strings.

mod char_map;
mod charset;
mod codec;
mod converter;
mod direct;
mod double_byte;
mod emoji;
mod encode;
mod error;
mod graph;
mod insert;
mod iso2022;
mod japanese;
mod options;
mod run;
mod shape;
mod single_byte;
mod step;
mod unicode;
mod utf8_mac;

pub use converter::{Converter, Limits, Outcome, PathElement, decorate};
pub use encode::{EncodeError, Fallback, convert, encode};
pub use error::{ConverterNotFound, ErrorInfo, ErrorKind};
pub use graph::{asciicompat_encoding, search_path};
pub use options::{Decorator, Options, Undefined};
pub(crate) use single_byte::{decode_byte, encode_byte};
