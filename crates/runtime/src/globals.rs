//! Global variables: plain ones and those with a getter, a setter or an alias.

use abi::Value;
use object::Sym;
use object::symbol::table::intern_text;

pub use crate::state::global_table::{Accessors, Global, Globals, Setter};
use crate::{Cx, R, call, error::ErrorClass, isolation::access, keys, sym};

/// The root with a Hash from the names of traced variables to Arrays of handlers, the last added first.
pub const TRACED: crate::Root = crate::Root::TracedVariables;

impl Cx {
    /// Reads `$name` for a program; some variables are accessible only to the main Ractor.
    pub fn read_global(&mut self, name: Sym) -> R {
        if self.isolated {
            access::check_global(self, name)?;
        }
        self.global_get(name)
    }

    /// Sets `$name = value` for a program.
    pub fn write_global(&mut self, name: Sym, value: Value) -> R<()> {
        if self.isolated {
            access::check_global(self, name)?;
        }
        self.global_set(name, value)
    }

    pub fn global_get(&mut self, name: Sym) -> R {
        let Some(variable) = self.vm().globals.find(name) else { return self.unset_global(name) };
        let name = variable.name;
        match (variable.accessors, variable.value()) {
            (Some(accessors), _) => (accessors.get)(self, name),
            (None, Some(value)) => Ok(value),
            (None, None) => self.unset_global(name),
        }
    }

    #[cold]
    fn unset_global(&mut self, name: Sym) -> R {
        if self.verbose() == Some(true) {
            let text = name.to_text(self);
            crate::warning::warn_here(self, &format!("global variable '{text}' not initialized"))?;
        }
        Ok(Value::NIL)
    }

    pub fn global_set(&mut self, name: Sym, value: Value) -> R<()> {
        let variable = self.vm_mut().globals.variable(name);
        let name = variable.name;
        match variable.accessors {
            None => variable.set(value),
            Some(Accessors { set: Some(set), .. }) => set(self, name, value)?,
            Some(Accessors { set: None, .. }) => {
                let message = format!("{} is a read-only variable", name.to_text(self));
                return Err(self.name_error(ErrorClass::NameError, &message, name, Value::NIL));
            }
        }
        if self.vm().globals.any_traced { self.call_trace_handlers(name, value) } else { Ok(()) }
    }

    /// Calls the handlers of a traced variable; Strings are evaluated.
    #[cold]
    fn call_trace_handlers(&mut self, name: Sym, value: Value) -> R<()> {
        let table = self.root(TRACED);
        let Some(list) = keys::get(self, table, name.value())? else { return Ok(()) };
        if self.vm().globals.being_traced.contains(&name) {
            return Ok(());
        }
        self.vm_mut().globals.being_traced.push(name);
        let result = self.call_each_handler(list, value);
        self.vm_mut().globals.being_traced.retain(|traced| *traced != name);
        result
    }

    fn call_each_handler(&mut self, list: Value, value: Value) -> R<()> {
        // A handler may add further ones.
        let list = crate::make::copy(self, object::array::Arr::of(list));
        let mut at = 0;
        while let Some(command) = object::array::Arr::of(list).get(at) {
            at += 1;
            if object::cell::is(command, abi::Type::String) {
                self.evaluate_at_top(command)?;
            } else {
                call::send(self, command, sym::CALL, &[value])?;
            }
        }
        Ok(())
    }

    fn evaluate_at_top(&mut self, source: Value) -> R {
        let (object, name) = (self.class(object::Known::Object), intern_text(self, "TOPLEVEL_BINDING"));
        let binding = object::class::constants::own(object, name).map_or(Value::NIL, |constant| constant.value);
        let eval = intern_text(self, "eval");
        call::send(self, binding, eval, &[source])
    }

    pub fn global_defined(&self, name: Sym) -> bool {
        self.vm().globals.is_defined(name)
    }

    /// `alias $new $old`
    pub fn alias_global(&mut self, new: Sym, old: Sym) {
        self.vm_mut().globals.alias(new, old);
    }

    /// A variable with accessors, by its name with `$`.
    pub fn define_global(&mut self, name: &str, accessors: Accessors) {
        let name = object::symbol::table::intern_text(self, name);
        self.vm_mut().globals.define(name, accessors);
    }
}
