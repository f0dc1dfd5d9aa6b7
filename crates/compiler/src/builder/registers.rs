//! Registers: locals keep theirs, temporaries are a stack above them.
//!
//! An expression is compiled into a wanted register, which is written last. This may be the first free register,
//! without being reserved. Code that keeps a value in it while other code is compiled reserves it first with
//! [`Compiler::reserve`].

use bytecode::sequence::Local;
use memory::{Grow, ToVector};

use super::Register;
use crate::compiler::Compiler;

/// The maximum size of a frame: operands are 16 bits wide, and windows need space.
const MOST: u32 = 65_000;

impl Compiler<'_> {
    /// A new local, only before temporaries are in use.
    pub fn declare(&mut self, name: Option<&[u8]>) -> Register {
        let symbol = name.map(|n| self.symbol_of(n));
        let register = self.temporary();
        let scope = self.scope();
        scope.first_temporary = scope.top;
        if let Some(name) = name {
            memory::reserve_key(&mut scope.names);
            scope.names.entry(name.to_vector()).or_insert(register);
        }
        let reassigned = name.is_some_and(|name| scope.facts.reassigned.contains(name));
        scope.locals.append_one(Local { name: symbol, register, reassigned });
        register
    }

    /// A hidden local that inner scopes find by a name that no variable can have.
    pub fn declare_hidden(&mut self, key: &[u8]) -> Register {
        let register = self.declare(None);
        let names = &mut self.scope().names;
        memory::reserve_key(names);
        names.insert(key.to_vector(), register);
        register
    }

    pub fn temporary(&mut self) -> Register {
        if self.scope().top >= MOST {
            self.fail_at_line("too many local variables and temporaries");
            return 0;
        }
        let scope = self.scope();
        let register = scope.top as Register;
        scope.top += 1;
        scope.highest = scope.highest.max(scope.top);
        register
    }

    /// Allocates `count` consecutive temporaries; returns the first.
    pub fn temporaries(&mut self, count: usize) -> Register {
        let first = self.next_temporary();
        for _ in 0..count {
            self.temporary();
        }
        first
    }

    /// The register that the next temporary would get.
    pub fn next_temporary(&mut self) -> Register {
        let top = self.scope().top;
        self.use_up_to(top + 1);
        top.min(MOST) as Register
    }

    /// The current top of the temporaries, for [`Compiler::release`].
    pub fn mark(&mut self) -> u32 {
        self.scope().top
    }

    pub fn release(&mut self, mark: u32) {
        self.scope().top = mark;
    }

    /// Excludes `register` from temporaries.
    pub fn reserve(&mut self, register: Register) {
        let scope = self.scope();
        scope.top = scope.top.max(register as u32 + 1);
        scope.highest = scope.highest.max(scope.top);
    }

    /// Ensures that the frame has at least `count` registers.
    pub fn use_up_to(&mut self, count: u32) {
        let scope = self.scope();
        scope.highest = scope.highest.max(count);
    }

    pub fn is_local(&mut self, register: Register) -> bool {
        (register as u32) < self.scope().first_temporary
    }
}
