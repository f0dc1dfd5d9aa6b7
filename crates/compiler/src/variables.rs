//! Reading variables: local, instance, class, global and those of the last match.

use bytecode::{Intrinsic, Opcode};

use crate::builder::{Register, Variable};
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::Span;

impl Compiler<'_> {
    pub fn read_local(&mut self, name: &[u8], depth: u32, to: Wanted) {
        let Some(to) = to else { return };
        let variable = self.variable(name, depth);
        self.read_variable(variable, to);
    }

    pub fn read_variable(&mut self, variable: Variable, to: Register) {
        if variable.is_block_parameter {
            self.emit(Opcode::GetBlockParameter, to, variable.level, variable.register);
        } else if variable.level == 0 {
            self.move_to(to, variable.register);
        } else {
            self.emit(Opcode::GetOuter, to, variable.level, variable.register);
        }
    }

    pub fn write_variable(&mut self, variable: Variable, from: Register) {
        if variable.level == 0 {
            self.move_to(variable.register, from);
        } else {
            self.emit(Opcode::SetOuter, from, variable.level, variable.register);
        }
    }

    pub fn read_ivar(&mut self, name: &[u8], to: Wanted) {
        let Some(to) = to else { return };
        let site = self.ivar_site(name);
        self.emit_wide(Opcode::GetIvar, to, site);
    }

    pub fn read_class_variable(&mut self, name: &[u8], to: Wanted) {
        let to = self.wanted_or_scratch(to);
        let site = self.constant_site(name);
        self.emit_wide(Opcode::GetClassVariable, to, site);
    }

    pub fn read_global(&mut self, name: &[u8], to: Wanted) {
        let to = self.wanted_or_scratch(to);
        let name = self.symbol_literal(name);
        self.emit_wide(Opcode::GetGlobal, to, name);
    }

    /// `$&` and the like.
    pub fn back_reference(&mut self, name: &[u8], to: Wanted) {
        self.match_part(back_reference_number(name), to);
    }

    pub fn numbered_reference(&mut self, number: u32, to: Wanted) {
        // Prism gives 0 for a number that is too large: such a group is always nil.
        match i32::try_from(number) {
            Ok(number) if number > 0 => self.match_part(number, to),
            _ => self.nil(to),
        }
    }

    fn match_part(&mut self, number: i32, to: Wanted) {
        let Some(to) = to else { return };
        let argument = self.next_temporary();
        self.load_int(argument, number);
        self.intrinsic(to, argument, Intrinsic::BackReference);
    }

    /// The register of the nameless `*` parameter's array.
    pub fn anonymous_rest(&mut self, span: Span) -> Register {
        let variable = self.hidden_variable(b"*", |s| s.parameters.rest.filter(|r| s.is_anonymous(*r)));
        self.anonymous(variable, span, "no anonymous rest parameter")
    }

    /// The register of the nameless `**` parameter's hash.
    pub fn anonymous_keywords(&mut self, span: Span) -> Register {
        let variable = self.hidden_variable(b"**", |s| s.parameters.keyword_rest.filter(|r| s.is_anonymous(*r)));
        self.anonymous(variable, span, "no anonymous keyword rest parameter")
    }

    fn anonymous(&mut self, variable: Option<Variable>, span: Span, message: &str) -> Register {
        match variable {
            Some(variable) if variable.level == 0 => variable.register,
            Some(variable) => {
                let register = self.temporary();
                self.read_variable(variable, register);
                register
            }
            None => {
                self.fail(span, message);
                0
            }
        }
    }

    /// The nameless `&` parameter.
    pub fn anonymous_block(&mut self) -> Option<Variable> {
        self.hidden_variable(b"&", |s| s.parameters.block.filter(|r| s.is_anonymous(*r)))
    }
}

/// The numbers by which the intrinsics for the last match identify `$~`, `$&` …
pub(crate) fn back_reference_number(name: &[u8]) -> i32 {
    match name {
        b"$&" => -1,
        b"$`" => -2,
        b"$'" => -3,
        b"$+" => -4,
        _ => 0,
    }
}
