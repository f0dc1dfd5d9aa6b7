//! The tables of a sequence: literals, call sites, names.

use bytecode::{CallInfo, Literal, Opcode, Sequence, Symbol};
use memory::{Grow, ToVector};

use super::Register;
use crate::compiler::Compiler;

impl Compiler<'_> {
    /// A name as the source spells it.
    pub fn symbol_of(&self, name: &[u8]) -> Symbol {
        let encoding = if name.is_ascii() { Symbol::US_ASCII } else { self.unit.encoding };
        Symbol { bytes: name.to_vector(), encoding }
    }

    pub fn symbol_literal(&mut self, name: &[u8]) -> u32 {
        let symbol = self.symbol_of(name);
        self.symbol_index(symbol)
    }

    pub fn symbol_index(&mut self, symbol: Symbol) -> u32 {
        let scope = self.scope();
        if let Some(index) = scope.symbols.get(&symbol) {
            return *index;
        }
        let index = scope.literals.len() as u32;
        let copy = Symbol { bytes: symbol.bytes.to_vector(), encoding: symbol.encoding };
        scope.literals.append_one(Literal::Symbol(copy));
        memory::reserve_key(&mut scope.symbols);
        scope.symbols.insert(symbol, index);
        index
    }

    pub fn literal(&mut self, literal: Literal) -> u32 {
        match literal {
            Literal::Symbol(symbol) => self.symbol_index(symbol),
            Literal::String { bytes, encoding, frozen, chilled } => self.string_index(bytes, encoding, frozen, chilled),
            literal => {
                let literals = &mut self.scope().literals;
                literals.append_one(literal);
                literals.len() as u32 - 1
            }
        }
    }

    fn string_index(&mut self, bytes: Vec<u8>, encoding: u8, frozen: bool, chilled: bool) -> u32 {
        let scope = self.scope();
        let key = (bytes, encoding, frozen, chilled);
        if let Some(index) = scope.strings.get(&key) {
            return *index;
        }
        let index = scope.literals.len() as u32;
        scope.literals.append_one(Literal::String { bytes: key.0.to_vector(), encoding, frozen, chilled });
        memory::reserve_key(&mut scope.strings);
        scope.strings.insert(key, index);
        index
    }

    /// `to =` the literal's own object.
    pub fn load_literal(&mut self, to: Register, literal: Literal) {
        match literal {
            Literal::Nil => self.load_nil(to),
            Literal::True => self.load_bool(to, true),
            Literal::False => self.load_bool(to, false),
            Literal::Integer(n) if i32::try_from(n).is_ok() => self.load_int(to, n as i32),
            _ => {
                let index = self.literal(literal);
                self.emit_wide(Opcode::LoadLiteral, to, index);
            }
        }
    }

    pub fn call_site(&mut self, info: CallInfo) -> u32 {
        let calls = &mut self.scope().calls;
        calls.append_one(info);
        calls.len() as u32 - 1
    }

    pub fn ivar_site(&mut self, name: &[u8]) -> u32 {
        // `@__name` of a core class's Ruby half is a variable that programs do not see.
        let hidden = name.starts_with(b"@__") && self.unit.options.path.starts_with("<internal:");
        let name = if hidden { &name[1..] } else { name };
        let symbol = self.symbol_of(name);
        let ivars = &mut self.scope().ivars;
        ivars.append_one(symbol);
        ivars.len() as u32 - 1
    }

    pub fn constant_site(&mut self, name: &[u8]) -> u32 {
        let symbol = self.symbol_of(name);
        let constants = &mut self.scope().constants;
        constants.append_one(symbol);
        constants.len() as u32 - 1
    }

    pub fn add_child(&mut self, sequence: Sequence) -> u32 {
        let children = &mut self.scope().children;
        children.append_one(sequence);
        children.len() as u32 - 1
    }
}
