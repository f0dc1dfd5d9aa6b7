//! Global variables: plain ones and those with a getter, a setter or an alias.

use abi::Value;
use heap::Marker;
use object::native::Visit;
use object::{Sym, class::data::SymMap};

use crate::{Cx, R, error::ErrorClass, vm::RootValue};

/// What sets a special variable.
pub type Setter = fn(&mut Cx, Sym, Value) -> R<()>;

/// How a special variable is read and set.
#[derive(Clone, Copy)]
pub struct Accessors {
    pub get: fn(&mut Cx, Sym) -> R,
    /// `None`: "$x is a read-only variable".
    pub set: Option<Setter>,
}

#[derive(Clone, Copy)]
pub enum Global {
    Plain(RootValue),
    Special(Accessors),
}

#[derive(Default)]
pub struct Globals {
    variables: SymMap<Global>,
}

impl Globals {
    pub fn trace(&mut self, marker: &mut Marker) {
        for variable in self.variables.values_mut() {
            if let Global::Plain(value) = variable {
                marker.visit(&mut value.0);
            }
        }
    }

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

impl Cx {
    fn global_name(&self, name: Sym) -> Sym {
        self.vm().global_aliases.get(&name).copied().unwrap_or(name)
    }

    pub fn global_get(&mut self, name: Sym) -> R {
        let name = self.global_name(name);
        match self.vm().globals.variables.get(&name) {
            Some(Global::Plain(value)) => Ok(value.0),
            Some(Global::Special(accessors)) => (accessors.get)(self, name),
            None => Ok(Value::NIL),
        }
    }

    pub fn global_set(&mut self, name: Sym, value: Value) -> R<()> {
        let name = self.global_name(name);
        match self.vm().globals.variables.get(&name) {
            Some(Global::Special(accessors)) => match accessors.set {
                Some(set) => set(self, name, value),
                None => {
                    let text = name.to_text(self);
                    Err(self.name_error(
                        ErrorClass::NameError,
                        &format!("{text} is a read-only variable"),
                        name,
                        Value::NIL,
                    ))
                }
            },
            _ => {
                self.vm_mut().globals.variables.insert(name, Global::Plain(RootValue(value)));
                Ok(())
            }
        }
    }

    pub fn global_defined(&self, name: Sym) -> bool {
        self.vm().globals.is_defined(self.global_name(name))
    }

    /// `alias $new $old`
    pub fn alias_global(&mut self, new: Sym, old: Sym) {
        let old = self.global_name(old);
        self.vm_mut().global_aliases.insert(new, old);
    }

    /// A variable with accessors, by its name with `$`.
    pub fn define_global(&mut self, name: &str, accessors: Accessors) {
        let name = object::symbol::table::intern_text(self, name);
        self.vm_mut().globals.define(name, accessors);
    }
}
