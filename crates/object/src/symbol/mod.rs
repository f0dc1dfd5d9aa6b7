//! Symbols: names as values.

pub mod table;
pub mod well_known;

pub use table::{SymbolTable, find, intern, intern_dynamic};

use abi::Value;

use crate::handle::handle;

handle! {
    /// A symbol: an immediate for names in code, a heap cell for dynamic symbols.
    #[derive(Hash)]
    Sym, |v: Value| v.is_static_symbol() || crate::cell::is(v, abi::Type::Symbol), "a Symbol"
}

/// Symbols that are keys of tables are pinned, see `table::pin`.
impl heap::FixedKey for Sym {}

impl Sym {
    /// The absence of a name: a local without a name, the edge to a root shape. It does not equal any symbol.
    pub const NONE: Sym = Sym(Value::UNDEF);

    pub(super) const fn numbered(number: u32) -> Sym {
        Sym(Value::static_symbol(number))
    }

    /// Its name, an interned frozen String.
    pub fn name(self, cx: &crate::Mem) -> Value {
        if self.0.is_static_symbol() {
            cx.world().symbols.static_name(self.0.static_symbol_number())
        } else if self.0.is_heap() {
            // SAFETY: a heap symbol's first word is its name.
            unsafe { crate::cell::word(self.0, 1) }
        } else {
            crate::handle::wrong_type("a Symbol")
        }
    }

    /// The bytes of its name.
    pub fn bytes(self, cx: &crate::Mem) -> &[u8] {
        crate::string::Str::of(self.name(cx)).bytes(cx)
    }

    /// Its name as text, for messages.
    pub fn to_text(self, cx: &crate::Mem) -> String {
        memory::lossy_text(self.bytes(cx))
    }
}
