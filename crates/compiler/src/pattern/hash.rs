//! `{name:, **rest}`

use bytecode::{Instruction, Intrinsic, Literal, Opcode, Symbol};
use ruby_prism::{AssocNode, HashPatternNode, Node};

use super::{Failure, Match};
use crate::builder::{Label, Register};
use crate::compiler::Compiler;

impl<'pr> Compiler<'pr> {
    pub(super) fn hash_pattern(&mut self, node: &HashPatternNode<'pr>, value: Register, no: Label, state: &mut Match) {
        self.constant_test(node.constant(), value, no, state);
        let pairs: Vec<AssocNode<'pr>> = node.elements().iter().filter_map(|e| e.as_assoc_node()).collect();
        let names: Vec<Symbol> = pairs.iter().filter_map(|p| Some(self.symbol(&p.key().as_symbol_node()?))).collect();
        let rest = node.rest();
        let rest_target = rest.as_ref().and_then(|r| r.as_assoc_splat_node()?.value());
        let no_others = matches!(rest, Some(Node::NoKeywordsParameterNode { .. }));
        let are_all = rest_target.is_none() && !no_others && (!names.is_empty() || rest.is_some());
        let hash = self.deconstruct_keys(value, &names, are_all, no, state);
        for (pair, name) in pairs.iter().zip(&names) {
            self.pair(hash, name, &pair.value(), no, state);
        }
        if pairs.is_empty() && rest.is_none() {
            self.empty_test(hash, Failure::NOT_EMPTY, no, state);
        } else if rest_target.is_some() || no_others {
            self.others(hash, &names, rest_target, no, state);
        }
    }

    /// The hash of `value` by `deconstruct_keys`, which receives the keys unless all are wanted.
    fn deconstruct_keys(
        &mut self,
        value: Register,
        names: &[Symbol],
        tell: bool,
        no: Label,
        state: &mut Match,
    ) -> Register {
        let hash = self.temporary();
        let mark = self.mark();
        let window = self.temporaries(2);
        self.move_to(window, value);
        if tell {
            self.names(names, window + 1);
        } else {
            self.load_nil(window + 1);
        }
        self.intrinsic(hash, window, Intrinsic::DeconstructKeys);
        self.release(mark);
        let failed = self.failing(state, no, Failure::NO_DECONSTRUCT_KEYS, &[value]);
        self.jump_on(Opcode::JumpNil, hash, failed);
        hash
    }

    fn names(&mut self, names: &[Symbol], to: Register) {
        if names.is_empty() {
            return self.emit(Opcode::NewArray, to, to, 0);
        }
        let literal = self.literal(Literal::Array(names.iter().cloned().map(Literal::Symbol).collect()));
        self.emit_wide(Opcode::DuplicateLiteral, to, literal);
    }

    fn pair(&mut self, hash: Register, name: &Symbol, pattern: &Node<'pr>, no: Label, state: &mut Match) {
        let mark = self.mark();
        let element = self.temporary();
        let window = self.temporaries(2);
        self.move_to(window, hash);
        let literal = self.symbol_index(name.clone());
        self.emit_wide(Opcode::LoadLiteral, window + 1, literal);
        self.intrinsic(element, window, Intrinsic::HashFetchOrUndef);
        let given = self.label();
        self.jump_on(Opcode::JumpGiven, element, given);
        let failed = self.failing(state, no, Failure::KEY, &[hash, window + 1]);
        self.jump(failed);
        self.bind(given);
        self.release(element as u32 + 1);
        self.pattern(pattern, element, no, false, state);
        self.release(mark);
    }

    fn empty_test(&mut self, hash: Register, reason: i32, no: Label, state: &mut Match) {
        let size = self.temporary();
        self.intrinsic(size, hash, Intrinsic::HashSize);
        let failed = self.failing(state, no, reason, &[hash]);
        self.jump_fused(Instruction::abc(Opcode::JumpNotEqualInt, size, 0, 0), failed);
        let window = self.emit_extension(b"!=", 1, 0);
        self.jump_on(Opcode::JumpIf, window, failed);
    }

    /// The remaining entries: for `**rest`, or required to be empty for `**nil`.
    fn others(&mut self, hash: Register, names: &[Symbol], target: Option<Node<'pr>>, no: Label, state: &mut Match) {
        let window = self.temporaries(2);
        self.move_to(window, hash);
        self.names(names, window + 1);
        self.intrinsic(window, window, Intrinsic::HashExcept);
        match target {
            Some(target) => self.assign_target(&target, window),
            None => self.empty_test(window, Failure::REST, no, state),
        }
    }
}
