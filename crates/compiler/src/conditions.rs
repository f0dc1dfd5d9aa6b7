//! Conditions: code that jumps instead of producing true and false.

use bytecode::{Instruction, Intrinsic, Opcode};
use ruby_prism::{CallNode, FlipFlopNode, Node};

use crate::builder::{Label, Register};
use crate::calls::{argument_list, call_flags, message_span};
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::literals::small_integer;
use crate::node::{is_newline, span};
use crate::operators::is_plain;

impl<'pr> Compiler<'pr> {
    /// Jumps to `target` if the truth of `node` is `when`; otherwise falls through.
    pub fn condition(&mut self, node: &Node<'pr>, target: Label, when: bool) {
        if is_newline(node) {
            self.line_event(span(node));
        }
        let mark = self.mark();
        self.deeper(|c| c.jump_by(node, target, when));
        self.release(mark);
    }

    fn jump_by(&mut self, node: &Node<'pr>, target: Label, when: bool) {
        match node {
            Node::AndNode { .. } => {
                if let Some(n) = node.as_and_node() {
                    self.both(&n.left(), &n.right(), target, when, false);
                }
            }
            Node::OrNode { .. } => {
                if let Some(n) = node.as_or_node() {
                    self.both(&n.left(), &n.right(), target, when, true);
                }
            }
            Node::ParenthesesNode { .. } if node.as_parentheses_node().is_some_and(|n| n.body().is_some()) => {
                if let Some(body) = node.as_parentheses_node().and_then(|n| n.body()) {
                    self.jump_by_statements(&body, target, when);
                }
            }
            Node::FlipFlopNode { .. } => {
                if let Some(n) = node.as_flip_flop_node() {
                    self.flip_flop(&n, target, when);
                }
            }
            Node::DefinedNode { .. } if is_defined_yield(node) => self.jump_by_block_given(target, when),
            Node::CallNode { .. } if node.as_call_node().is_some_and(|n| self.fused_comparison(&n, target, when)) => {}
            _ => match constant_truth(node) {
                Some(truth) if truth == when => self.jump(target),
                Some(_) => {}
                None => {
                    let value = self.operand(node);
                    self.jump_on(if when { Opcode::JumpIf } else { Opcode::JumpUnless }, value, target);
                }
            },
        }
    }

    /// `defined?(yield)` in a condition, where only the truth matters.
    fn jump_by_block_given(&mut self, target: Label, when: bool) {
        let (depth, _) = self.base_level();
        let register = self.temporary();
        self.load_int(register, depth as i32);
        self.intrinsic(register, register, Intrinsic::BlockGiven);
        self.jump_on(if when { Opcode::JumpIf } else { Opcode::JumpUnless }, register, target);
    }

    fn jump_by_statements(&mut self, body: &Node<'pr>, target: Label, when: bool) {
        let Some(statements) = body.as_statements_node() else { return self.condition(body, target, when) };
        let list = statements.body();
        for node in list.iter().take(list.len().saturating_sub(1)) {
            self.effect(&node);
            self.flush_events();
        }
        if let Some(last) = list.last() {
            self.condition(&last, target, when);
        }
    }

    /// `left && right` or, when `either`, `left || right`.
    fn both(&mut self, left: &Node<'pr>, right: &Node<'pr>, target: Label, when: bool, either: bool) {
        if when == either {
            self.condition(left, target, when);
            self.condition(right, target, when);
        } else {
            let skip = self.label();
            self.condition(left, skip, !when);
            self.condition(right, target, when);
            self.bind(skip);
        }
    }

    /// A comparison and a jump in one instruction.
    fn fused_comparison(&mut self, node: &CallNode<'pr>, target: Label, when: bool) -> bool {
        let name = node.name().as_slice();
        // The call `!=` on the slow path has the opposite truth of `==`, which the jump after it takes into account.
        let inverse = name == b"!=";
        let Some(receiver) = node.receiver() else { return false };
        let arguments = argument_list(&node.arguments());
        let [argument] = arguments.as_slice() else { return false };
        if fused_opcode(name, true).is_none()
            || !is_plain(argument)
            || node.is_safe_navigation()
            || node.block().is_some()
        {
            return false;
        }
        let mut literals = 0;
        let left = self.borrowed_left(&receiver, argument, &mut literals);
        let small = small_integer(argument);
        let right = match small {
            Some(value) => value as u16,
            None => self.borrowed_right(argument, &mut literals),
        };
        let Some((plain, int)) = fused_opcode(name, when != inverse) else { return false };
        self.at(message_span(node));
        self.jump_fused(Instruction::abc(if small.is_some() { int } else { plain }, left, right, 0), target);
        let window = self.emit_borrowing_extension(name, 1, call_flags(node), literals);
        self.jump_on(if when { Opcode::JumpIf } else { Opcode::JumpUnless }, window, target);
        true
    }

    /// Converts a condition to true or false in a register.
    pub fn boolean(&mut self, node: &Node<'pr>, to: Wanted) {
        let (no, end) = (self.label(), self.label());
        self.jump_by(node, no, false);
        if let Some(to) = to {
            self.load_bool(to, true);
            self.jump(end);
        }
        self.bind(no);
        if let Some(to) = to {
            self.load_bool(to, false);
        }
        self.bind(end);
    }

    /// `left..right` as a condition: true from the time `left` is true until `right` is.
    fn flip_flop(&mut self, node: &FlipFlopNode<'pr>, target: Label, when: bool) {
        let start = node.location().start();
        let Some(state) = self.flip_flop_state(start) else {
            return self.fail_at_line("no place for the state of a flip-flop");
        };
        let (is_on, yes) = (self.label(), self.label());
        let no = if when { self.label() } else { target };
        let register = self.temporary();
        self.read_variable(state, register);
        self.jump_on(Opcode::JumpIf, register, is_on);
        self.flip_flop_bound(node.left(), no);
        self.set_state(state, register, true);
        if node.is_exclude_end() {
            self.jump(yes);
        }
        self.bind(is_on);
        self.flip_flop_bound(node.right(), yes);
        self.set_state(state, register, false);
        self.bind(yes);
        if when {
            self.jump(target);
            self.bind(no);
        }
    }

    fn set_state(&mut self, state: crate::builder::Variable, register: Register, on: bool) {
        if state.level == 0 {
            self.load_bool(state.register, on);
        } else {
            self.load_bool(register, on);
            self.write_variable(state, register);
        }
    }

    /// Jumps to `no` unless the bound is true. A missing one is nil; an integer literal is compared with `$.`.
    fn flip_flop_bound(&mut self, bound: Option<Node<'pr>>, no: Label) {
        match bound {
            Some(Node::IntegerNode { .. }) => {
                let window = self.temporaries(2);
                if let Some(literal) = bound.as_ref().and_then(|b| self.literal_of(b)) {
                    self.load_literal(window, literal);
                }
                self.read_global(b"$.", Some(window + 1));
                self.emit_plain_call(window, window, b"==", 1, 0);
                self.jump_on(Opcode::JumpUnless, window, no);
                self.release(window as u32);
            }
            Some(bound) => self.condition(&bound, no, false),
            None => self.jump(no),
        }
    }

    fn flip_flop_state(&mut self, start: u32) -> Option<crate::builder::Variable> {
        let levels = self.scopes.iter().rev().enumerate();
        levels
            .filter_map(|(level, scope)| Some((level, *scope.flip_flops.get(&start)?)))
            .map(|(level, register)| crate::builder::Variable {
                level: level as u16,
                register,
                is_block_parameter: false,
            })
            .next()
    }
}

fn is_defined_yield(node: &Node<'_>) -> bool {
    node.as_defined_node().is_some_and(|n| matches!(n.value(), Node::YieldNode { .. }))
}

/// The truth of a literal.
pub(crate) fn constant_truth(node: &Node<'_>) -> Option<bool> {
    match node {
        Node::TrueNode { .. }
        | Node::IntegerNode { .. }
        | Node::FloatNode { .. }
        | Node::SymbolNode { .. }
        | Node::StringNode { .. }
        | Node::RationalNode { .. }
        | Node::ImaginaryNode { .. } => Some(true),
        Node::FalseNode { .. } | Node::NilNode { .. } => Some(false),
        _ => None,
    }
}

/// The fused forms that jump when the comparison's result is `when`; `!=` uses those of `==`.
fn fused_opcode(name: &[u8], when: bool) -> Option<(Opcode, Opcode)> {
    use Opcode::*;
    Some(match (name, when) {
        (b"<", true) => (JumpLess, JumpLessInt),
        (b"<", false) => (JumpNotLess, JumpNotLessInt),
        (b"<=", true) => (JumpLessEqual, JumpLessEqualInt),
        (b"<=", false) => (JumpNotLessEqual, JumpNotLessEqualInt),
        (b">", true) => (JumpGreater, JumpGreaterInt),
        (b">", false) => (JumpNotGreater, JumpNotGreaterInt),
        (b">=", true) => (JumpGreaterEqual, JumpGreaterEqualInt),
        (b">=", false) => (JumpNotGreaterEqual, JumpNotGreaterEqualInt),
        (b"==" | b"!=", true) => (JumpEqual, JumpEqualInt),
        (b"==" | b"!=", false) => (JumpNotEqual, JumpNotEqualInt),
        _ => return None,
    })
}
