//! `case … when … end`.

use memory::Grow;

use bytecode::{Literal, Opcode, Symbol};
use ruby_prism::{CaseNode, ElseNode, Node, StatementsNode, WhenNode};

use crate::builder::{Label, Register};
use crate::collections::is_splat;
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::{Span, span};
use crate::tables::Set;

/// With fewer keys than this, a jump table costs more than it saves.
const FEWEST_IN_TABLE: usize = 4;

impl<'pr> Compiler<'pr> {
    pub fn case(&mut self, node: &CaseNode<'pr>, to: Wanted) {
        let end = self.label();
        self.case_branches(node, |c, statements| {
            c.statements(statements, to);
            c.jump(end);
        });
        self.bind(end);
    }

    pub fn tail_case(&mut self, node: &CaseNode<'pr>) {
        self.case_branches(node, |c, statements| c.tail_statements(statements));
    }

    /// Compiles the clauses; `branch` compiles each body and its exit.
    fn case_branches(&mut self, node: &CaseNode<'pr>, mut branch: impl FnMut(&mut Self, Option<StatementsNode<'pr>>)) {
        let whole = span(&node.as_node());
        let point = self.branch_point("case", whole);
        let clauses: Vec<WhenNode<'pr>> = memory::collect(node.conditions().iter().filter_map(|c| c.as_when_node()));
        let conditions: Vec<Node<'pr>> =
            memory::collect(clauses.iter().flat_map(|c| memory::collect(c.conditions().iter())));
        let labels: Vec<Label> = memory::collect(clauses.iter().map(|_| self.label()));
        let mark = self.mark();
        let subject = node.predicate().map(|p| self.operand_before(&p, &conditions.iter().collect::<Vec<_>>()));
        // A literal is loaded on the line of the `case`; other conditions may raise on their own lines.
        if conditions.first().is_none_or(|c| self.table_key(c).is_none()) {
            self.flush_events();
        }
        if let Some(subject) = subject {
            self.jump_table(subject, &clauses, &labels);
        }
        for (clause, label) in clauses.iter().zip(&labels) {
            for condition in clause.conditions().iter() {
                match subject {
                    Some(subject) => self.when_test(&condition, subject, *label),
                    None => self.truth_test(&condition, *label),
                }
                self.flush_events();
            }
        }
        self.release(mark);
        self.branch(point, clauses.len(), "else", else_span(node.else_clause(), whole));
        branch(self, node.else_clause().and_then(|e| e.statements()));
        for (order, (clause, label)) in clauses.iter().zip(&labels).enumerate() {
            self.bind(*label);
            self.scope().last_event_line = None;
            let place = clause.statements().map_or(span(&clause.as_node()), |n| span(&n.as_node()));
            self.branch(point, order, "when", place);
            branch(self, clause.statements());
        }
    }

    fn when_test(&mut self, condition: &Node<'pr>, subject: Register, body: Label) {
        let mark = self.mark();
        if is_splat(condition) {
            let list = self.temporary();
            self.splat(condition, list, false);
            self.any_element(list, |c, element| c.case_equal(element, subject, body));
        } else {
            let pattern = self.next_temporary();
            self.hash_key(condition, pattern);
            self.reserve(pattern);
            self.at(span(condition));
            self.case_equal(pattern, subject, body);
        }
        self.release(mark);
    }

    fn case_equal(&mut self, pattern: Register, subject: Register, body: Label) {
        let result = self.next_temporary();
        self.emit_private(Opcode::CaseEqual, result, pattern, subject, b"===", 1);
        self.jump_on(Opcode::JumpIf, result, body);
    }

    /// Tests a condition of a `case` without a subject: the first one that is true decides.
    fn truth_test(&mut self, condition: &Node<'pr>, body: Label) {
        if is_splat(condition) {
            let mark = self.mark();
            let list = self.temporary();
            self.splat(condition, list, false);
            self.any_element(list, |c, element| c.jump_on(Opcode::JumpIf, element, body));
            self.release(mark);
        } else {
            self.condition(condition, body, true);
        }
    }

    /// A direct jump, if all conditions are integers, symbols and strings.
    fn jump_table(&mut self, subject: Register, clauses: &[WhenNode<'pr>], labels: &[Label]) {
        let mut entries: Vec<(Literal, Label)> = Vec::new();
        let mut seen = Set::default();
        for (clause, label) in clauses.iter().zip(labels) {
            for condition in clause.conditions().iter() {
                let Some((key, identity)) = self.table_key(&condition) else { return };
                if memory::add(&mut seen, identity) {
                    entries.append_one((key, *label));
                }
            }
        }
        if entries.len() < FEWEST_IN_TABLE
            || self.scope().literals.len() > u16::MAX as usize
            || self.scope().unreachable
        {
            return;
        }
        for (_, label) in &entries {
            self.use_label(*label);
        }
        let index = self.literal(Literal::JumpTable(Vec::new()));
        self.scope().tables.append_one((index, entries));
        self.emit(Opcode::JumpTable, subject, 0, index as u16);
    }

    fn table_key(&self, node: &Node<'pr>) -> Option<(Literal, Key)> {
        let literal = match node {
            Node::StringNode { .. } => self.interned(&node.as_string_node()?),
            Node::IntegerNode { .. } | Node::SymbolNode { .. } => self.literal_of(node)?,
            _ => return None,
        };
        let key = match &literal {
            Literal::Integer(n) => Key::Integer(*n),
            Literal::Symbol(symbol) => Key::Symbol(symbol.clone()),
            Literal::String { bytes, encoding, .. } => Key::String(bytes.clone(), *encoding),
            _ => return None,
        };
        Some((literal, key))
    }
}

/// The span of the else of a `case`; without one, that of the `case`.
pub(crate) fn else_span(clause: Option<ElseNode<'_>>, whole: Span) -> Span {
    clause.map_or(whole, |n| n.statements().map_or(span(&n.as_node()), |n| span(&n.as_node())))
}

/// The identity of a key in a jump table.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Integer(i64),
    Symbol(Symbol),
    String(Vec<u8>, u8),
}
