//! Symbols: names as values.

pub mod table;
pub mod well_known;

pub use table::{SymbolTable, find, intern, intern_dynamic};

use abi::Value;

/// A symbol: an immediate for names that code mentions, a heap cell for those made from data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct Sym(pub Value);

impl Sym {
    /// The symbol that `v` is, if it is one.
    pub fn from_value(v: Value) -> Option<Sym> {
        if v.is_static_symbol() || crate::cell::is(v, abi::Type::Symbol) { Some(Sym(v)) } else { None }
    }

    /// Its name, an interned frozen String.
    pub fn name(self, cx: &crate::Mem) -> Value {
        if self.0.is_static_symbol() {
            cx.world().symbols.static_name(self.0.static_symbol_number())
        } else {
            // SAFETY: a heap symbol's first word is its name.
            unsafe { crate::cell::word(self.0, 1) }
        }
    }

    /// The bytes of its name.
    pub fn bytes(self, cx: &crate::Mem) -> &'static [u8] {
        let name = self.name(cx);
        let bytes = crate::string::bytes(&name);
        // SAFETY: an interned name is frozen and lives as long as its symbol, which the caller holds.
        unsafe { std::slice::from_raw_parts(bytes.as_ptr(), bytes.len()) }
    }

    /// Its name as text, for messages.
    pub fn to_text(self, cx: &crate::Mem) -> String {
        String::from_utf8_lossy(self.bytes(cx)).into_owned()
    }
}
