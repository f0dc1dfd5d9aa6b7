//! `while`, `until` and `for`.

use bytecode::{CallFlags, Kind};
use ruby_prism::{ForNode, Node, StatementsNode, UntilNode, WhileNode};

use crate::arguments::Passed;
use crate::builder::Control;
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::{Span, is_newline, span};

impl<'pr> Compiler<'pr> {
    pub fn while_loop(&mut self, node: &WhileNode<'pr>, to: Wanted) {
        let kind = ("while", span(&node.as_node()));
        self.conditional_loop(kind, &node.predicate(), node.is_begin_modifier(), node.statements(), to);
    }

    pub fn until_loop(&mut self, node: &UntilNode<'pr>, to: Wanted) {
        let kind = ("until", span(&node.as_node()));
        self.conditional_loop(kind, &node.predicate(), node.is_begin_modifier(), node.statements(), to);
    }

    /// Loops; `body_first`: `begin … end while`.
    fn conditional_loop(
        &mut self,
        (kind, whole): (&str, Span),
        predicate: &Node<'pr>,
        body_first: bool,
        statements: Option<StatementsNode<'pr>>,
        to: Wanted,
    ) {
        let (next_label, redo_label, exit, break_label) = (self.label(), self.label(), self.label(), self.label());
        let going = kind == "while";
        let point = self.branch_point(kind, whole);
        let constant = matches!(predicate, Node::TrueNode { .. } | Node::FalseNode { .. });
        if is_newline(predicate) && (constant || !body_first) {
            self.line_event(span(predicate));
            self.flush_events();
        }
        if !body_first {
            // The line event of the condition fires once, when the loop begins.
            self.flush_events();
        }
        let top = self.here();
        self.scope().controls.push(Control::Loop { break_label, next_label, redo_label, result: to });
        if !body_first {
            self.bind(next_label);
            self.condition(predicate, exit, !going);
        }
        self.bind(redo_label);
        self.branch(point, 0, "body", statements.as_ref().map_or(whole, |n| span(&n.as_node())));
        self.statements(statements, None);
        if body_first {
            self.bind(next_label);
            self.scope().last_event_line = None;
            self.condition(predicate, exit, !going);
        }
        self.scope().controls.pop();
        self.loop_to(top);
        self.bind(exit);
        self.nil(to);
        self.bind(break_label);
    }

    /// `for` is a call of `each` with a block that assigns variables of the enclosing scope.
    pub fn for_loop(&mut self, node: &ForNode<'pr>, to: Wanted) {
        if self.primitive_loop(node, to) {
            return;
        }
        let window = self.next_temporary();
        self.expression(&node.collection(), window);
        self.reserve(window);
        let place = span(&node.as_node());
        let name = self.scope().heading.name.clone();
        let heading = self.heading(name, place);
        let facts = self.scope().facts.clone();
        let block_depth = self.scope().block_depth + 1;
        let sequence = self.sequence(Kind::Block, heading, facts, |c| {
            c.scope().transparent = true;
            c.scope().block_depth = block_depth;
            c.event(bytecode::Events::B_CALL);
            c.for_index(&node.index());
            if c.scope().facts.redoes {
                c.flush_events(); // A redo is no call.
            }
            let body = c.here();
            c.scope().body_label = Some(body);
            c.tail_statements(node.statements());
        });
        let block = Some(self.add_child(sequence));
        self.at(node.collection().location());
        let passed = Passed { block, flags: CallFlags::default().0, ..Passed::default() };
        self.emit_call(to.unwrap_or(window), window, b"each", passed);
    }

    /// The block takes hidden parameters and assigns them to the loop's targets.
    fn for_index(&mut self, index: &Node<'pr>) {
        match index.as_multi_target_node() {
            Some(targets) => self.received_targets(&targets),
            None => {
                let value = self.declare(None);
                self.scope().parameters.required = 1;
                self.assign_target(index, value);
            }
        }
    }
}
