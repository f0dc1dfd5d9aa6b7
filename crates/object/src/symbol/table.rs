//! The table of all symbols, by name.

use abi::{Flags, Header, Type, Value};
use heap::{Marker, Purpose, Trace, WeakTable};
use rustc_hash::{FxHashMap, FxHashSet};
use text::encoding::EncodingId;

use super::{Sym, well_known};
use crate::{
    Known, Mem, cell,
    string::{hash_bytes, intern::intern_symbol_name},
};

/// Symbols by name. Equal names have one interned string, so that names are compared by address.
#[derive(Default)]
pub struct SymbolTable {
    /// Names of the static symbols, by number.
    names: Vec<NameRef>,
    by_name: FxHashMap<NameRef, Sym>,
    /// Heap symbols that code refers to, or that are the name of something.
    pinned: FxHashSet<Sym>,
    young: Young,
}

/// What was added since the last collection.
#[derive(Default)]
struct Young {
    /// The number of the first static symbol.
    first_name: usize,
    pinned: Vec<Sym>,
    dynamic: Vec<(NameRef, Sym)>,
}

/// The interned String of a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Trace)]
struct NameRef(Value);

impl SymbolTable {
    pub fn static_name(&self, number: u32) -> Value {
        self.names[number as usize].0
    }

    pub fn static_count(&self) -> usize {
        self.names.len()
    }

    pub fn dynamic_count(&self) -> usize {
        self.by_name.len() - self.names.len()
    }

    /// The number of dynamic symbols that were pinned because code refers to them.
    pub fn pinned_count(&self) -> usize {
        self.pinned.len()
    }

    /// Static names and pinned symbols are roots; the others live as long as they are referred to.
    pub fn trace(&mut self, marker: &mut Marker) {
        self.young.pinned.trace(marker);
        if marker.keeps_old() {
            self.names[self.young.first_name..].iter_mut().for_each(|name| name.trace(marker));
        } else {
            self.names.trace(marker);
            for mut symbol in std::mem::take(&mut self.pinned) {
                symbol.trace(marker);
                self.pinned.insert(symbol);
            }
        }
        // Other walks do not make cells old.
        if marker.purpose() == Purpose::Minor {
            self.young.first_name = self.names.len();
            self.young.pinned.clear();
        }
    }

    /// Keeps a heap symbol alive.
    fn pin(&mut self, symbol: Sym) {
        if self.pinned.insert(symbol) {
            self.young.pinned.push(symbol);
        }
    }

    /// Calls `f` with every symbol.
    pub fn each(&self, f: &mut dyn FnMut(Sym)) {
        self.by_name.values().for_each(|s| f(*s));
    }
}

impl SymbolTable {
    /// Makes room for another name, or unwinds.
    fn reserve(&mut self) {
        if self.by_name.try_reserve(1).is_err() {
            std::panic::resume_unwind(Box::new(heap::OutOfMemory));
        }
    }
}

impl WeakTable for SymbolTable {
    fn retain(&mut self, alive: &dyn Fn(Value) -> bool, young_only: bool) {
        let young = std::mem::take(&mut self.young.dynamic);
        if young_only {
            for (name, _) in young.into_iter().filter(|(_, symbol)| !alive(symbol.0)) {
                self.by_name.remove(&name);
            }
        } else if self.dynamic_count() > 0 {
            self.by_name.retain(|_, symbol| symbol.0.is_static_symbol() || alive(symbol.0));
        }
    }

    fn count(&self) -> usize {
        self.dynamic_count()
    }

    fn update(&mut self, marker: &mut Marker) {
        let moved = std::mem::take(&mut self.by_name);
        for (mut name, mut symbol) in moved {
            name.trace(marker);
            symbol.trace(marker);
            self.by_name.insert(name, symbol);
        }
        for (name, symbol) in &mut self.young.dynamic {
            name.trace(marker);
            symbol.trace(marker);
        }
    }
}

/// The permanent symbol of this name, for code.
pub fn intern(cx: &mut Mem, bytes: &[u8], encoding: EncodingId) -> Sym {
    let name = intern_symbol_name(cx, bytes, encoding);
    let symbols = &mut cx.world_mut().symbols;
    if let Some(&symbol) = symbols.by_name.get(&NameRef(name)) {
        if symbol.0.is_heap() {
            symbols.pin(symbol);
        }
        return symbol;
    }
    // Names that exist are found when memory is exhausted, too: the handlers of the exception use them.
    symbols.reserve();
    let symbol = Sym::numbered(symbols.names.len() as u32);
    symbols.names.push(NameRef(name));
    symbols.by_name.insert(NameRef(name), symbol);
    symbol
}

/// The symbol of a name in Rust source.
pub fn intern_text(cx: &mut Mem, name: &str) -> Sym {
    let encoding = if name.is_ascii() { EncodingId::US_ASCII } else { EncodingId::UTF_8 };
    intern(cx, name.as_bytes(), encoding)
}

/// The symbol of a String's bytes, see [`intern`].
pub fn intern_name(cx: &mut Mem, name: crate::string::Str, encoding: EncodingId) -> Sym {
    // SAFETY: the String is on the stack, and interning changes none.
    intern(cx, unsafe { name.unguarded() }, encoding)
}

/// The symbol of a String's bytes, see [`intern_dynamic`].
pub fn intern_string(cx: &mut Mem, name: crate::string::Str, encoding: EncodingId) -> Sym {
    // SAFETY: the String is on the stack, and interning changes none.
    intern_dynamic(cx, unsafe { name.unguarded() }, encoding)
}

/// The symbol of a name that comes from a program's data. It is collected when nothing refers to it.
pub fn intern_dynamic(cx: &mut Mem, bytes: &[u8], encoding: EncodingId) -> Sym {
    let name = intern_symbol_name(cx, bytes, encoding);
    if let Some(symbol) = cx.world().symbols.by_name.get(&NameRef(name)) {
        return *symbol;
    }
    cx.world_mut().symbols.reserve();
    let hash = hash_bytes(cx, bytes) << 1 | 1;
    let symbol =
        cx.allocate(24, Header::new(Type::Symbol, Known::Symbol.root_shape(), Flags::FROZEN | Flags::SHAREABLE));
    // SAFETY: 24 bytes are three words; this initializes the second and the third. The hash has the tag of a fixnum.
    unsafe {
        cell::set_raw(symbol, 1, name.0);
        cell::set_raw(symbol, 2, hash);
    }
    let symbol = Sym::of(symbol);
    let symbols = &mut cx.world_mut().symbols;
    symbols.by_name.insert(NameRef(name), symbol);
    symbols.young.dynamic.push((NameRef(name), symbol));
    symbol
}

/// Keeps a symbol alive that has become a name: of a constant, of a variable. The named object need not refer to the
/// symbol.
pub fn pin(cx: &mut Mem, symbol: Sym) {
    if symbol.0.is_heap() {
        cx.world_mut().symbols.pin(symbol);
    }
}

/// The symbol of this name if there is one.
pub fn find(cx: &mut Mem, bytes: &[u8], encoding: EncodingId) -> Option<Sym> {
    let name = intern_symbol_name(cx, bytes, encoding);
    cx.world().symbols.by_name.get(&NameRef(name)).copied()
}

/// Creates the well-known symbols, in the order of their numbers.
pub fn intern_well_known(cx: &mut Mem) {
    for (number, name) in well_known::NAMES.iter().enumerate() {
        let symbol = intern_text(cx, name);
        debug_assert_eq!(symbol.0, Value::static_symbol(number as u32), "{name} stands twice in the list");
    }
}
