//! Pattern matching: `case … in`, `in` and `=>`.

mod array;
mod failure;
mod find;
mod hash;

use bytecode::{Intrinsic, Opcode};
use ruby_prism::{CaseMatchNode, MatchPredicateNode, MatchRequiredNode, Node, StatementsNode};

use crate::builder::{Label, Register};
use crate::case::else_span;
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::{Span, again, span};

pub(crate) use failure::Failure;

/// A match in progress.
pub(crate) struct Match {
    /// The registers for a failure's reason, if an error will report it: in matches with a single pattern and no else.
    failure: Option<Failure>,
    /// The cached result of `deconstruct` for the whole subject (undef: not called yet), if several patterns need it.
    deconstructed: Option<Register>,
}

impl<'pr> Compiler<'pr> {
    pub fn case_match(&mut self, node: &CaseMatchNode<'pr>, to: Wanted) {
        let end = self.label();
        self.case_match_branches(node, |c, statements| {
            c.statements(statements, to);
            c.jump(end);
        });
        self.bind(end);
    }

    pub fn tail_case_match(&mut self, node: &CaseMatchNode<'pr>) {
        self.case_match_branches(node, |c, statements| c.tail_statements(statements));
    }

    fn case_match_branches(
        &mut self,
        node: &CaseMatchNode<'pr>,
        mut branch: impl FnMut(&mut Self, Option<StatementsNode<'pr>>),
    ) {
        let whole = span(&node.as_node());
        let point = self.branch_point("case", whole);
        let mark = self.mark();
        let subject = self.next_temporary();
        match node.predicate() {
            Some(predicate) => self.expression(&predicate, subject),
            None => self.load_nil(subject),
        }
        self.reserve(subject);
        let clauses: Vec<_> = node.conditions().iter().filter_map(|c| c.as_in_node()).collect();
        let patterns: Vec<Node<'pr>> = clauses.iter().map(|c| c.pattern()).collect();
        let single = node.else_clause().is_none() && clauses.len() == 1;
        let mut state = self.begin_match(&patterns, single);
        for (order, (clause, pattern)) in clauses.iter().zip(&patterns).enumerate() {
            let next = self.label();
            self.at(span(pattern));
            self.pattern(pattern, subject, next, true, &mut state);
            self.flush_events();
            let matched = self.mark();
            let place = clause.statements().map_or(span(&clause.as_node()), |n| span(&n.as_node()));
            self.branch(point, order, "in", place);
            branch(self, clause.statements());
            self.release(matched);
            self.write_failures(&mut state);
            self.bind(next);
        }
        self.branch(point, clauses.len(), "else", else_span(node.else_clause(), whole));
        match node.else_clause() {
            Some(clause) => {
                self.release(mark);
                branch(self, clause.statements());
            }
            None => {
                self.at(node.case_keyword_loc());
                self.raise_no_match(subject, &state);
            }
        }
        self.release(mark);
    }

    /// `value in pattern`
    pub fn match_predicate(&mut self, node: &MatchPredicateNode<'pr>, to: Wanted) {
        let to = self.wanted_or_scratch(to);
        let (no, end) = (self.label(), self.label());
        let mark = self.mark();
        self.match_value(&node.value(), &node.pattern(), no, false);
        self.release(mark);
        self.load_bool(to, true);
        self.jump(end);
        self.bind(no);
        self.load_bool(to, false);
        self.bind(end);
    }

    /// `value => pattern`
    pub fn match_required(&mut self, node: &MatchRequiredNode<'pr>, to: Wanted) {
        let (no, end) = (self.label(), self.label());
        let mark = self.mark();
        let (subject, mut state) = self.match_value(&node.value(), &node.pattern(), no, true);
        self.jump(end);
        self.write_failures(&mut state);
        self.bind(no);
        self.at(node.location());
        self.raise_no_match(subject, &state);
        self.release(mark);
        self.bind(end);
        self.nil(to);
    }

    /// Matches and continues, or jumps to `no`.
    fn match_value(&mut self, value: &Node<'pr>, pattern: &Node<'pr>, no: Label, single: bool) -> (Register, Match) {
        let subject = self.next_temporary();
        self.expression(value, subject);
        self.reserve(subject);
        let mut state = self.begin_match(std::slice::from_ref(pattern), single);
        self.pattern(pattern, subject, no, true, &mut state);
        (subject, state)
    }

    fn begin_match(&mut self, patterns: &[Node<'pr>], single: bool) -> Match {
        let failure = single.then(|| self.failure_registers());
        let asking: usize = patterns.iter().map(count_deconstructing).sum();
        let deconstructed = (asking > 1).then(|| {
            let register = self.temporary();
            self.load_undef(register);
            register
        });
        Match { failure, deconstructed }
    }

    /// Tests the value in a register and makes the pattern's assignments; jumps to `no` if the value does not match.
    /// `whole`: the value is the subject of the match.
    fn pattern(&mut self, node: &Node<'pr>, value: Register, no: Label, whole: bool, state: &mut Match) {
        let mark = self.mark();
        self.deeper(|c| c.pattern_of_kind(node, value, no, whole, state));
        self.release(mark);
    }

    fn pattern_of_kind(&mut self, node: &Node<'pr>, value: Register, no: Label, whole: bool, state: &mut Match) {
        match node {
            Node::ArrayPatternNode { .. } => {
                if let Some(n) = node.as_array_pattern_node() {
                    self.array_pattern(&n, value, no, whole, state);
                }
            }
            Node::FindPatternNode { .. } => {
                if let Some(n) = node.as_find_pattern_node() {
                    self.find_pattern(&n, value, no, whole, state);
                }
            }
            Node::HashPatternNode { .. } => {
                if let Some(n) = node.as_hash_pattern_node() {
                    self.hash_pattern(&n, value, no, state);
                }
            }
            Node::AlternationPatternNode { .. } => {
                if let Some(n) = node.as_alternation_pattern_node() {
                    self.alternatives(&n.left(), &n.right(), value, no, whole, state);
                }
            }
            Node::CapturePatternNode { .. } => {
                if let Some(n) = node.as_capture_pattern_node() {
                    self.pattern(&n.value(), value, no, whole, state);
                    self.assign_target(&n.target().as_node(), value);
                }
            }
            Node::LocalVariableTargetNode { .. } => self.assign_target(node, value),
            Node::ImplicitNode { .. } => {
                if let Some(n) = node.as_implicit_node() {
                    self.pattern(&n.value(), value, no, whole, state);
                }
            }
            Node::ParenthesesNode { .. } => {
                if let Some(body) = node.as_parentheses_node().and_then(|n| n.body()) {
                    self.pattern(&body, value, no, whole, state);
                }
            }
            Node::StatementsNode { .. } => {
                if let Some(only) = node.as_statements_node().and_then(|n| n.body().first()) {
                    self.pattern(&only, value, no, whole, state);
                }
            }
            Node::IfNode { .. } => {
                if let Some(n) = node.as_if_node() {
                    self.guarded(n.statements(), &n.predicate(), false, value, no, state);
                }
            }
            Node::UnlessNode { .. } => {
                if let Some(n) = node.as_unless_node() {
                    self.guarded(n.statements(), &n.predicate(), true, value, no, state);
                }
            }
            _ => self.value_pattern(node, value, no, state),
        }
    }

    /// `pattern if condition`
    fn guarded(
        &mut self,
        pattern: Option<StatementsNode<'pr>>,
        condition: &Node<'pr>,
        unless: bool,
        value: Register,
        no: Label,
        state: &mut Match,
    ) {
        if let Some(pattern) = pattern {
            self.pattern(&pattern.as_node(), value, no, true, state);
        }
        let failed = self.failing(state, no, Failure::GUARD, &[]);
        self.condition(condition, failed, unless);
    }

    fn alternatives(
        &mut self,
        left: &Node<'pr>,
        right: &Node<'pr>,
        value: Register,
        no: Label,
        whole: bool,
        state: &mut Match,
    ) {
        let (other, yes) = (self.label(), self.label());
        self.pattern(left, value, other, whole, state);
        self.jump(yes);
        self.write_failures(state);
        self.bind(other);
        self.pattern(right, value, no, whole, state);
        self.bind(yes);
    }

    /// A pattern that is tested with `===`.
    fn value_pattern(&mut self, node: &Node<'pr>, value: Register, no: Label, state: &mut Match) {
        let expected = match node {
            Node::PinnedVariableNode { .. } => match node.as_pinned_variable_node() {
                Some(n) => self.operand(&n.variable()),
                None => return,
            },
            Node::PinnedExpressionNode { .. } => match node.as_pinned_expression_node() {
                Some(n) => self.operand(&n.expression()),
                None => return,
            },
            _ => {
                let register = self.next_temporary();
                self.hash_key(node, register);
                self.reserve(register);
                register
            }
        };
        self.test_case_equal(expected, value, span(node), no, state);
    }

    fn test_case_equal(&mut self, expected: Register, value: Register, place: Span, no: Label, state: &mut Match) {
        self.at(place);
        let result = self.next_temporary();
        self.emit_private(Opcode::CaseEqual, result, expected, value, b"===", 1);
        let failed = self.failing(state, no, Failure::CASE_EQUAL, &[expected, value]);
        self.jump_on(Opcode::JumpUnless, result, failed);
    }

    /// The array of `value` by `deconstruct`, in a temporary.
    fn deconstruct(&mut self, value: Register, no: Label, whole: bool, state: &mut Match) -> Register {
        let cache = state.deconstructed.filter(|_| whole);
        let array = match cache {
            Some(cache) => cache,
            None => self.temporary(),
        };
        let known = self.label();
        if cache.is_some() {
            self.jump_on(Opcode::JumpGiven, array, known);
        }
        self.intrinsic(array, value, Intrinsic::Deconstruct);
        self.bind(known);
        let failed = self.failing(state, no, Failure::NO_DECONSTRUCT, &[value]);
        self.jump_on(Opcode::JumpNil, array, failed);
        array
    }

    /// The class in front of a pattern's parentheses.
    fn constant_test(&mut self, constant: Option<Node<'pr>>, value: Register, no: Label, state: &mut Match) {
        if let Some(constant) = constant {
            let mark = self.mark();
            let class = self.operand(&constant);
            self.test_case_equal(class, value, span(&constant), no, state);
            self.release(mark);
        }
    }
}

/// The number of patterns for the whole subject that need its `deconstruct`. Counting stops at two.
fn count_deconstructing(node: &Node<'_>) -> usize {
    let mut count = 0;
    let mut waiting = vec![again(node)];
    while let Some(node) = waiting.pop()
        && count < 2
    {
        match &node {
            Node::ArrayPatternNode { .. } | Node::FindPatternNode { .. } => count += 1,
            Node::AlternationPatternNode { .. } => {
                waiting.extend(node.as_alternation_pattern_node().into_iter().flat_map(|n| [n.left(), n.right()]));
            }
            Node::CapturePatternNode { .. } => waiting.extend(node.as_capture_pattern_node().map(|n| n.value())),
            Node::ParenthesesNode { .. } => waiting.extend(node.as_parentheses_node().and_then(|n| n.body())),
            Node::StatementsNode { .. } => waiting.extend(node.as_statements_node().and_then(|n| n.body().first())),
            Node::IfNode { .. } => waiting.extend(node.as_if_node().and_then(|n| n.statements()).map(|n| n.as_node())),
            Node::UnlessNode { .. } => {
                waiting.extend(node.as_unless_node().and_then(|n| n.statements()).map(|n| n.as_node()))
            }
            _ => {}
        }
    }
    count
}
