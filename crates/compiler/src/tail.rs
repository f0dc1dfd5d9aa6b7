//! The end of a body, whose value leaves the frame.

use bytecode::{Events, Kind, Opcode};
use ruby_prism::{Node, StatementsNode};

use crate::builder::Register;
use crate::compiler::Compiler;
use crate::node::{is_newline, span};

impl<'pr> Compiler<'pr> {
    /// Compiles the end of a body: its value leaves the frame.
    pub fn tail(&mut self, node: &Node<'pr>) {
        if is_newline(node) && !matches!(node, Node::BeginNode { .. } | Node::ParenthesesNode { .. }) {
            self.line_event(span(node));
        }
        let mark = self.mark();
        self.deeper(|c| match node {
            Node::StatementsNode { .. } => c.tail_statements(node.as_statements_node()),
            Node::ParenthesesNode { .. } => match node.as_parentheses_node().and_then(|n| n.body()) {
                Some(body) => c.tail(&body),
                None => c.leave_with_value(node),
            },
            Node::IfNode { .. } => {
                if let Some(n) = node.as_if_node() {
                    c.tail_if(&n);
                }
            }
            Node::UnlessNode { .. } => {
                if let Some(n) = node.as_unless_node() {
                    c.tail_unless(&n);
                }
            }
            Node::CaseNode { .. } => {
                if let Some(n) = node.as_case_node() {
                    c.tail_case(&n);
                }
            }
            Node::CaseMatchNode { .. } => {
                if let Some(n) = node.as_case_match_node() {
                    c.tail_case_match(&n);
                }
            }
            Node::BeginNode { .. }
                if node.as_begin_node().is_some_and(|n| n.rescue_clause().is_none() && n.ensure_clause().is_none()) =>
            {
                c.tail_statements(node.as_begin_node().and_then(|n| n.statements()));
            }
            _ => c.leave_with_value(node),
        });
        self.release(mark);
    }

    pub fn tail_statements(&mut self, statements: Option<StatementsNode<'pr>>) {
        let Some(last) = statements.as_ref().and_then(|s| s.body().last()) else { return self.leave_with_nil() };
        if let Some(statements) = statements {
            let body = statements.body();
            for node in body.iter().take(body.len() - 1) {
                self.passed_statement(&node);
            }
        }
        self.tail(&last);
    }

    fn leave_with_value(&mut self, node: &Node<'pr>) {
        let value = self.operand(node);
        self.leave_at_end(value);
    }

    pub fn leave_with_nil(&mut self) {
        let value = self.next_temporary();
        self.load_nil(value);
        self.leave_at_end(value);
    }

    /// Leaves the frame by falling off the end of its body.
    fn leave_at_end(&mut self, value: Register) {
        if !matches!(self.scope().kind, Kind::Top | Kind::Eval | Kind::Once) {
            self.event(Events::AT_END);
        }
        if self.scope().kind == Kind::Class && self.scope().facts.is_left {
            return self.leave_class_body(value, None);
        }
        self.emit_leave(Opcode::Return, value);
    }
}
