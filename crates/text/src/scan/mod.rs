//! Scanning the bytes of a string: code ranges, counting, positions, characters, lines, searching, repairing.

mod boundary;
mod chars;
mod code_range;
mod count;
mod graphemes;
mod justify;
mod lines;
mod reverse;
mod scrub;
mod search;

pub use boundary::{char_start, next_char_start, prev_char_start};
pub use chars::{Chars, Codepoints, chars, codepoints, last_char};
pub use code_range::{CodeRange, code_range};
pub use count::{byte_offset, char_count, char_index, count_byte, substring};
pub use graphemes::graphemes;
pub use justify::{Justify, justify};
pub use lines::{Lines, Separator, chomp, chomp_newline, chop, lines};
pub use reverse::reverse;
pub use scrub::{broken_parts, default_replacement, scrub};
pub use search::{Needle, ends_with, find, rfind, starts_with};
