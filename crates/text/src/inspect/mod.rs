//! Text as source code shows it: inspect and dump of strings, symbols, hash keys and regular expressions.

mod dump;
mod escape;
mod regexp;
mod string;
mod symbol;

pub use dump::{UndumpError, Undumped, dump, undump};
pub use escape::{escape_unprintable, is_shown_as_is};
pub use regexp::{regexp_escape, regexp_source};
pub use string::inspect;
pub use symbol::{NameKind, hash_key, inspect_symbol, is_plain_symbol, name_kind, symbol_encoding};
