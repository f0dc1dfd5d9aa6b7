//! The table of global variables.

use abi::Value;
use heap::Trace;
use object::{Sym, class::data::SymMap};

use super::{cx::Cx, named_roots::RootValue, unwind::R};
use std::mem::offset_of;

/// The setter of a special variable.
pub type Setter = fn(&mut Cx, Sym, Value) -> R<()>;

/// How a special variable is read and set.
#[derive(Clone, Copy)]
pub struct Accessors {
    pub get: fn(&mut Cx, Sym) -> R,
    /// `None`: "$x is a read-only variable".
    pub set: Option<Setter>,
}

/// A global variable. Compiled code contains its address, so it is never moved or removed.
#[derive(Trace)]
pub struct Global {
    /// Its first name. The names of aliases lead to the same variable.
    pub name: Sym,
    /// Undef until it is set.
    value: RootValue,
    #[trace(skip)]
    pub accessors: Option<Accessors>,
    /// It has accessors, is traced, or its name became an alias of another variable: the runtime reads and sets it from
    /// now on. Of other variables, once they are set, compiled code reads and sets the value itself.
    by_runtime: bool,
}

impl Global {
    pub const VALUE: usize = offset_of!(Global, value);
    pub const BY_RUNTIME: usize = offset_of!(Global, by_runtime);

    /// The value of a variable without accessors, once it was set.
    #[inline]
    pub fn value(&self) -> Option<Value> {
        (!self.value.0.is_undef()).then_some(self.value.0)
    }

    #[inline]
    pub fn set(&mut self, value: Value) {
        self.value = RootValue(value);
    }

    /// The value, if compiled code may read and set it.
    pub fn value_in_line(&self) -> Option<Value> {
        self.value().filter(|_| !self.by_runtime)
    }
}

#[derive(Default, Trace)]
pub struct Globals {
    /// The positions of the variables by name.
    positions: SymMap<u32>,
    #[expect(clippy::vec_box, reason = "the variables keep their addresses when the list grows")]
    variables: Vec<Box<Global>>,
    /// Whether any variable was ever traced; if so, every assignment checks for it.
    pub any_traced: bool,
    /// The variables whose handlers run: an assignment by a handler does not call them again.
    pub(crate) being_traced: Vec<Sym>,
}

impl Globals {
    /// The names of all variables that were set, defined or given an alias, and the aliases.
    pub fn names(&self) -> impl Iterator<Item = Sym> {
        self.positions.keys().copied()
    }

    pub fn is_defined(&self, name: Sym) -> bool {
        self.find(name).is_some_and(|variable| variable.accessors.is_some() || variable.value().is_some())
    }

    #[inline]
    pub fn find(&self, name: Sym) -> Option<&Global> {
        self.positions.get(&name).map(|at| &*self.variables[*at as usize])
    }

    /// The variable of a name, which is made if there is none.
    pub fn variable(&mut self, name: Sym) -> &mut Global {
        let at = self.position(name) as usize;
        &mut self.variables[at]
    }

    fn position(&mut self, name: Sym) -> u32 {
        let next = self.variables.len() as u32;
        let at = *self.positions.entry(name).or_insert(next);
        if at == next {
            let value = RootValue(Value::UNDEF);
            self.variables.push(Box::new(Global { name, value, accessors: None, by_runtime: false }));
        }
        at
    }

    pub fn define(&mut self, name: Sym, accessors: Accessors) {
        let variable = self.variable(name);
        variable.accessors = Some(accessors);
        variable.by_runtime = true;
    }

    /// Makes `new` a name of the variable `old`.
    pub fn alias(&mut self, new: Sym, old: Sym) {
        let at = self.position(old);
        if let Some(before) = self.positions.insert(new, at).filter(|before| *before != at) {
            self.variables[before as usize].by_runtime = true;
        }
    }

    /// Notes that assignments to a variable call handlers.
    pub fn note_traced(&mut self, name: Sym) {
        self.variable(name).by_runtime = true;
        self.any_traced = true;
    }
}
