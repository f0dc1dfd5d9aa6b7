//! The table of global variables.

use abi::Value;
use heap::Trace;
use object::{Sym, class::data::SymMap};

use super::{cx::Cx, named_roots::RootValue, unwind::R};

/// The setter of a special variable.
pub type Setter = fn(&mut Cx, Sym, Value) -> R<()>;

/// How a special variable is read and set.
#[derive(Clone, Copy)]
pub struct Accessors {
    pub get: fn(&mut Cx, Sym) -> R,
    /// `None`: "$x is a read-only variable".
    pub set: Option<Setter>,
}

#[derive(Clone, Copy, Trace)]
pub enum Global {
    Plain(RootValue),
    Special(#[trace(skip)] Accessors),
}

#[derive(Default, Trace)]
pub struct Globals {
    pub(crate) variables: SymMap<Global>,
    /// Whether any variable was ever traced; if so, every assignment checks for it.
    pub any_traced: bool,
    /// The variables whose handlers run: an assignment by a handler does not call them again.
    pub(crate) being_traced: Vec<Sym>,
}

impl Globals {
    pub fn names(&self) -> impl Iterator<Item = Sym> {
        self.variables.keys().copied()
    }

    pub fn is_defined(&self, name: Sym) -> bool {
        self.variables.contains_key(&name)
    }

    pub fn define(&mut self, name: Sym, accessors: Accessors) {
        self.variables.insert(name, Global::Special(accessors));
    }
}
