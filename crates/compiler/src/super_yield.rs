//! `super` in both forms, and `yield`.

use bytecode::{CallFlags, Kind, Opcode, Parameters};
use ruby_prism::{ForwardingSuperNode, SuperNode, YieldNode};

use crate::arguments::Passed;
use crate::builder::{Register, Variable};
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::{Span, span};

impl<'pr> Compiler<'pr> {
    pub fn super_with_arguments(&mut self, node: &SuperNode<'pr>, to: Wanted) {
        let window = self.temporary();
        self.at(node.keyword_loc());
        self.load_self(window);
        let passed = self.arguments(window + 1, node.arguments(), node.block().as_ref(), false);
        self.emit_super(node.keyword_loc().into(), to, window, passed);
    }

    /// `super` without a list of arguments: passes the method's parameters with their present values.
    pub fn implicit_super(&mut self, node: &ForwardingSuperNode<'pr>, to: Wanted) {
        let window = self.temporary();
        let place: Span = span(&node.as_node());
        self.at(place);
        self.load_self(window);
        let mut passed = Passed { flags: CallFlags::IMPLICIT_SUPER, ..Passed::default() };
        if let Some((level, parameters)) = self.method_parameters() {
            self.pass_parameters(level, &parameters, &mut passed);
        }
        if let Some(block) = node.block() {
            passed.block = Some(self.block(&block));
        }
        self.emit_super(place, to, window, passed);
    }

    fn emit_super(&mut self, place: Span, to: Wanted, window: Register, passed: Passed) {
        let (depth, _) = self.base_level();
        self.at(place);
        self.emit_site(Opcode::Super, to.unwrap_or(window), window, b"super", passed, depth);
    }

    /// The parameters of the enclosing method, and how many scopes out they are.
    fn method_parameters(&mut self) -> Option<(u16, Parameters)> {
        let mut level = 0;
        for scope in self.scopes.iter().rev() {
            if scope.is_base {
                return (scope.kind == Kind::Method).then(|| (level, scope.parameters.clone()));
            }
            level += 1;
        }
        let scopes = self.unit.eval_scopes();
        let method = scopes.last().filter(|s| s.kind == Kind::Method)?;
        Some((level + scopes.len() as u16 - 1, method.parameters.clone()))
    }

    fn pass_parameters(&mut self, level: u16, parameters: &Parameters, passed: &mut Passed) {
        let at = |register: Register| Variable { level, register, is_block_parameter: false };
        let leading = parameters.required + parameters.optional;
        let first_post = 1 + leading + parameters.rest.is_some() as u16;
        let positional: Vec<Register> = (1..=leading).chain(first_post..first_post + parameters.post).collect();
        match parameters.rest {
            None => {
                for register in &positional {
                    let slot = self.temporary();
                    self.read_variable(at(*register), slot);
                }
                passed.positional = positional.len() as u16;
            }
            Some(rest) if parameters.post == 0 => {
                for register in 1..=leading {
                    let slot = self.temporary();
                    self.read_variable(at(register), slot);
                }
                // The parameter may have been assigned: its present value is converted to an array.
                let slot = self.temporary();
                self.read_variable(at(rest), slot);
                self.emit(Opcode::SplatToArray, slot, slot, 0);
                passed.positional = leading + 1;
                passed.flags |= CallFlags::SPLAT;
            }
            Some(rest) => {
                let slot = self.temporary();
                self.array_with_rest(level, leading, rest, first_post, parameters.post, slot, passed);
                passed.positional = 1;
                passed.flags |= CallFlags::SPLAT;
            }
        }
        self.pass_keywords(level, parameters, passed);
    }

    #[allow(clippy::too_many_arguments)]
    fn array_with_rest(
        &mut self,
        level: u16,
        leading: u16,
        rest: Register,
        first_post: Register,
        post: u16,
        slot: Register,
        passed: &mut Passed,
    ) {
        let at = |register: Register| Variable { level, register, is_block_parameter: false };
        passed.flags |= CallFlags::OWN_SPLAT;
        let mark = self.mark();
        let row = self.temporaries(leading as usize);
        for index in 0..leading {
            self.read_variable(at(1 + index), row + index);
        }
        self.emit(Opcode::NewArray, slot, row, leading);
        self.release(mark);
        let part = self.temporary();
        self.read_variable(at(rest), part);
        self.emit(Opcode::SplatToArray, part, part, 0);
        self.emit(Opcode::ArrayConcat, slot, part, 0);
        for index in 0..post {
            self.read_variable(at(first_post + index), part);
            self.emit(Opcode::ArrayPush, slot, part, 0);
        }
        self.release(mark);
    }

    fn pass_keywords(&mut self, level: u16, parameters: &Parameters, passed: &mut Passed) {
        let at = |register: Register| Variable { level, register, is_block_parameter: false };
        if parameters.keywords.is_empty() {
            if let Some(rest) = parameters.keyword_rest {
                let slot = self.temporary();
                self.read_variable(at(rest), slot);
                if !parameters.hides_keywords {
                    self.emit(Opcode::ToHash, slot, slot, 0);
                }
                passed.flags |= CallFlags::KEYWORD_SPLAT;
            }
            return;
        }
        let Some(rest) = parameters.keyword_rest else {
            for (index, (name, _)) in parameters.keywords.iter().enumerate() {
                let slot = self.temporary();
                self.read_variable(at(parameters.first_keyword + index as Register), slot);
                passed.keywords.push(name.clone());
            }
            passed.flags |= CallFlags::KEYWORDS;
            return;
        };
        // The entries of the rest come first. It may have been assigned, but is not converted.
        let slot = self.temporary();
        let mark = self.mark();
        let key = self.temporaries(2);
        self.emit(Opcode::NewHash, slot, key, 0);
        self.read_variable(at(rest), key);
        self.emit(Opcode::HashMerge, slot, key, 0);
        for (index, (name, _)) in parameters.keywords.iter().enumerate() {
            let literal = self.symbol_index(name.clone());
            self.emit_wide(Opcode::LoadLiteral, key, literal);
            self.read_variable(at(parameters.first_keyword + index as Register), key + 1);
            self.emit(Opcode::HashStore, slot, key, key + 1);
        }
        self.release(mark);
        passed.flags |= CallFlags::KEYWORD_SPLAT | CallFlags::OWN_KEYWORDS;
    }

    pub fn yield_block(&mut self, node: &YieldNode<'pr>, to: Wanted) {
        let (depth, kind) = self.base_level();
        if kind != Kind::Method && matches!(self.unit.options.kind, crate::SourceKind::Eval { .. }) {
            self.at(node.location());
            return self.fail_at_line("Invalid yield");
        }
        let window = self.temporary();
        let passed = self.arguments(window + 1, node.arguments(), None, false);
        self.at(node.location());
        self.emit_site(Opcode::Yield, to.unwrap_or(window), window, b"yield", passed, depth);
    }
}
