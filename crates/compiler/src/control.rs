//! `if`, `unless`, the ternary, `&&`, `||`.

use bytecode::Opcode;
use ruby_prism::{AndNode, IfNode, Node, OrNode, StatementsNode, UnlessNode};

use crate::branches::{self, Branches};
use crate::builder::Label;
use crate::compiler::Compiler;
use crate::expression::Wanted;

impl<'pr> Compiler<'pr> {
    pub fn if_expression(&mut self, node: &IfNode<'pr>, to: Wanted) {
        let (otherwise, branches) = (self.label(), branches::of_if(node));
        self.condition(&node.predicate(), otherwise, false);
        let point = self.branch_point_of(&node.predicate(), &branches);
        self.taken(point, &branches);
        self.arm(&node.predicate(), true, |c| c.statements(node.statements(), to));
        self.arm(&node.predicate(), false, |c| c.otherwise(otherwise, node.subsequent(), to, (point, &branches)));
    }

    pub fn unless_expression(&mut self, node: &UnlessNode<'pr>, to: Wanted) {
        let (otherwise, branches) = (self.label(), branches::of_unless(node));
        self.condition(&node.predicate(), otherwise, true);
        let point = self.branch_point_of(&node.predicate(), &branches);
        self.taken(point, &branches);
        let other = node.else_clause().map(|e| e.as_node());
        let first = self.arm(&node.predicate(), false, |c| c.statements(node.statements(), to));
        let middle = self.arm(&node.predicate(), true, |c| c.otherwise(otherwise, other, to, (point, &branches)));
        self.else_first(first, middle);
    }

    /// Compiles the other branch, and the join of both.
    fn otherwise(
        &mut self,
        label: Label,
        branch: Option<Node<'pr>>,
        to: Wanted,
        (point, branches): (Option<usize>, &Branches),
    ) {
        match (branch, to) {
            (None, None) if point.is_none() => {
                self.flush_events();
                self.bind(label);
            }
            (branch, _) => {
                let end = self.label();
                self.jump(end);
                self.bind(label);
                self.not_taken(point, branches);
                match branch {
                    Some(branch) => self.compile(&branch, to),
                    None => self.nil(to),
                }
                self.flush_events();
                self.bind(end);
            }
        }
    }

    pub fn tail_if(&mut self, node: &IfNode<'pr>) {
        self.tail_branches(&node.predicate(), false, node.statements(), node.subsequent(), &branches::of_if(node));
    }

    pub fn tail_unless(&mut self, node: &UnlessNode<'pr>) {
        let other = node.else_clause().map(|e| e.as_node());
        self.tail_branches(&node.predicate(), true, node.statements(), other, &branches::of_unless(node));
    }

    fn tail_branches(
        &mut self,
        predicate: &Node<'pr>,
        skip_when: bool,
        statements: Option<StatementsNode<'pr>>,
        other: Option<Node<'pr>>,
        branches: &Branches,
    ) {
        let otherwise = self.label();
        self.condition(predicate, otherwise, skip_when);
        let point = self.branch_point_of(predicate, branches);
        self.taken(point, branches);
        let first = self.arm(predicate, !skip_when, |c| c.tail_statements(statements));
        self.bind(otherwise);
        self.not_taken(point, branches);
        let middle = self.arm(predicate, skip_when, |c| match other {
            Some(Node::ElseNode { .. }) => c.tail_statements(other.and_then(|o| o.as_else_node()?.statements())),
            Some(other) => c.tail(&other),
            None => c.leave_with_nil(),
        });
        if skip_when {
            self.else_first(first, middle);
        }
    }

    pub fn and(&mut self, node: &AndNode<'pr>, to: Wanted) {
        self.short_circuit(&node.left(), &node.right(), Opcode::JumpUnless, to);
    }

    pub fn or(&mut self, node: &OrNode<'pr>, to: Wanted) {
        self.short_circuit(&node.left(), &node.right(), Opcode::JumpIf, to);
    }

    fn short_circuit(&mut self, left: &Node<'pr>, right: &Node<'pr>, skip: Opcode, to: Wanted) {
        let end = self.label();
        match to {
            None => {
                self.condition(left, end, skip == Opcode::JumpIf);
                self.effect(right);
                self.flush_events();
                self.bind(end);
            }
            // A local keeps its value while the right side is evaluated.
            Some(local) if self.is_local(local) => {
                let value = self.next_temporary();
                self.short_circuit_into(left, right, skip, value);
                self.move_to(local, value);
            }
            Some(to) => self.short_circuit_into(left, right, skip, to),
        }
    }

    fn short_circuit_into(&mut self, left: &Node<'pr>, right: &Node<'pr>, skip: Opcode, to: u16) {
        let end = self.label();
        self.expression(left, to);
        self.jump_on(skip, to, end);
        self.expression(right, to);
        self.bind(end);
    }
}
