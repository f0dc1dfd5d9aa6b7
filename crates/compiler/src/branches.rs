//! Branch coverage: a counter at the beginning of each branch.

use bytecode::Opcode;
use bytecode::sequence::{Branch, BranchPoint};
use memory::Grow;
use ruby_prism::{BeginNode, CallNode, IfNode, Node, UnlessNode};

use crate::compiler::Compiler;
use crate::conditions::constant_truth;
use crate::node::{Span, span};

/// The branches of a condition: the one taken if it holds, and the other.
pub(crate) struct Branches {
    kind: &'static str,
    whole: Span,
    taken: (usize, &'static str, Span),
    other: (usize, &'static str, Span),
}

/// The branches of an `if`. A branch without code has the position of the whole, except the first, which has the end of
/// the condition.
pub(crate) fn of_if(node: &IfNode<'_>) -> Branches {
    let whole = span(&node.as_node());
    let end = span(&node.predicate()).end;
    let taken = node.statements().map_or(Span { start: end, end }, |n| span(&n.as_node()));
    let other = node.subsequent().map_or(whole, |n| match n.as_else_node() {
        Some(clause) => clause.statements().map_or(span(&n), |n| span(&n.as_node())),
        None => span(&n),
    });
    Branches { kind: "if", whole, taken: (0, "then", taken), other: (1, "else", other) }
}

/// The branches of an `unless`: its else comes first.
pub(crate) fn of_unless(node: &UnlessNode<'_>) -> Branches {
    let whole = span(&node.as_node());
    let taken = node.statements().map_or(whole, |n| span(&n.as_node()));
    let other = node.else_clause().and_then(|n| n.statements()).map_or(whole, |n| span(&n.as_node()));
    Branches { kind: "unless", whole, taken: (1, "then", taken), other: (0, "else", other) }
}

/// The levels of a condition that are looked at, so that the native stack suffices for any program.
const LEVELS: u32 = 100;

/// The truth of a condition that CRuby's compiler knows, so that it has no branches.
fn known_truth(predicate: &Node<'_>, levels: u32) -> Option<bool> {
    let levels = levels.checked_sub(1)?;
    match predicate {
        Node::LambdaNode { .. } => Some(true),
        Node::AndNode { .. } => {
            let node = predicate.as_and_node()?;
            let (left, right) = (known_truth(&node.left(), levels)?, known_truth(&node.right(), levels)?);
            // The right side is compiled even if it never runs.
            (left || !right).then_some(right)
        }
        Node::OrNode { .. } => {
            let node = predicate.as_or_node()?;
            let (left, right) = (known_truth(&node.left(), levels)?, known_truth(&node.right(), levels)?);
            (!left || right).then_some(right)
        }
        _ => constant_truth(predicate).or_else(|| truth_of_one_instruction(predicate, levels)),
    }
}

/// The truth of code for which CRuby has one instruction, which pushes a literal.
fn truth_of_one_instruction(node: &Node<'_>, levels: u32) -> Option<bool> {
    let levels = levels.checked_sub(1)?;
    match node {
        Node::ParenthesesNode { .. } => {
            let body = node.as_parentheses_node()?.body()?;
            let statements: Vec<_> = body.as_statements_node()?.body().iter().collect();
            let (last, others) = statements.split_last()?;
            others.iter().all(|n| has_no_effect(n, levels)).then(|| truth_of_one_instruction(last, levels))?
        }
        Node::SourceLineNode { .. } | Node::SourceEncodingNode { .. } => Some(true),
        Node::StringNode { .. } | Node::NilNode { .. } => None,
        _ => constant_truth(node),
    }
}

/// Whether CRuby has no code for a statement whose value is not used.
fn has_no_effect(node: &Node<'_>, levels: u32) -> bool {
    let Some(levels) = levels.checked_sub(1) else { return false };
    match node {
        Node::SelfNode { .. }
        | Node::InstanceVariableReadNode { .. }
        | Node::LocalVariableReadNode { .. }
        | Node::ClassVariableReadNode { .. }
        | Node::RegularExpressionNode { .. }
        | Node::SourceFileNode { .. }
        | Node::SourceLineNode { .. }
        | Node::SourceEncodingNode { .. } => true,
        Node::ParenthesesNode { .. } => {
            let body = node.as_parentheses_node().and_then(|n| n.body()?.as_statements_node());
            body.is_some_and(|body| body.body().iter().all(|n| has_no_effect(&n, levels)))
        }
        _ => is_static(node, levels),
    }
}

/// Whether a node is a literal that consists of literals, as prism defines it: only values of a Hash may be nested.
fn is_static(node: &Node<'_>, levels: u32) -> bool {
    let Some(levels) = levels.checked_sub(1) else { return false };
    let is_simple = |n: &Node<'_>| constant_truth(n).is_some();
    let is_pair =
        |pair: Node<'_>| pair.as_assoc_node().is_some_and(|n| is_simple(&n.key()) && is_static(&n.value(), levels));
    match node {
        Node::ArrayNode { .. } => node.as_array_node().is_some_and(|n| n.elements().iter().all(|n| is_simple(&n))),
        Node::HashNode { .. } => node.as_hash_node().is_some_and(|n| n.elements().iter().all(is_pair)),
        Node::RangeNode { .. } => {
            node.as_range_node().is_some_and(|n| [n.left(), n.right()].iter().flatten().all(is_simple))
        }
        _ => is_simple(node),
    }
}

/// A call with `&.`, without its block.
pub(crate) fn of_call(node: &CallNode<'_>) -> Span {
    let arguments = node.arguments().map(|n| n.location().end());
    let ends = [node.message_loc().map(|n| n.end()), node.closing_loc().map(|n| n.end()), arguments];
    let whole = span(&node.as_node());
    Span { start: whole.start, end: ends.into_iter().flatten().max().unwrap_or(whole.end) }
}

impl<'pr> Compiler<'pr> {
    /// Adds a branch point, if coverage counts branches. Code that is compiled twice has one branch point.
    pub fn branch_point(&mut self, kind: &str, whole: Span) -> Option<usize> {
        if !self.unit.options.counts.branches {
            return None;
        }
        let place = self.place_of(whole);
        let known = self.counted.branch_points.iter().position(|other| other.kind == kind && other.place == place);
        Some(known.unwrap_or_else(|| {
            self.counted.branch_points.append_one(BranchPoint { kind: kind.to_string(), place, branches: Vec::new() });
            self.counted.branch_points.len() - 1
        }))
    }

    /// Like `point`, for a condition that is not constant.
    pub fn branch_point_of(&mut self, predicate: &Node<'pr>, branches: &Branches) -> Option<usize> {
        if !self.unit.options.counts.branches || known_truth(predicate, LEVELS).is_some() {
            return None;
        }
        self.branch_point(branches.kind, branches.whole)
    }

    /// Compiles what runs if the condition has the truth `when`. The branches in it are not counted if it never has.
    /// Returns the number of branch points before.
    pub fn arm(&mut self, predicate: &Node<'pr>, when: bool, compile: impl FnOnce(&mut Self)) -> usize {
        let first = self.counted.branch_points.len();
        compile(self);
        let is_counted = self.unit.options.counts.branches;
        if is_counted && known_truth(predicate, LEVELS).is_some_and(|truth| truth != when) {
            self.counted.branch_points.truncate(first);
        }
        first
    }

    /// Puts the branch points in the `else` of an `unless`, which begin at `middle`, before those in its body, which
    /// begin at `first`, as CRuby does.
    pub fn else_first(&mut self, first: usize, middle: usize) {
        self.counted.branch_points[first..].rotate_left(middle - first);
    }

    pub fn taken(&mut self, point: Option<usize>, branches: &Branches) {
        let (order, name, place) = branches.taken;
        self.branch(point, order, name, place);
    }

    pub fn not_taken(&mut self, point: Option<usize>, branches: &Branches) {
        let (order, name, place) = branches.other;
        self.branch(point, order, name, place);
    }

    /// Increments the counter of a branch in the code that follows. `order` is the branch's index.
    pub fn branch(&mut self, point: Option<usize>, order: usize, name: &str, span: Span) {
        let Some(point) = point else { return };
        let place = self.place_of(span);
        let known = self.counted.branch_points[point]
            .branches
            .iter()
            .find(|branch| branch.order == order)
            .map(|branch| branch.counter);
        let counter = known.unwrap_or_else(|| {
            let counter = self.counters(1);
            self.counted.branch_points[point].branches.append_one(Branch {
                order,
                name: name.to_string(),
                place,
                counter,
            });
            counter
        });
        self.emit_wide(Opcode::Count, 0, counter as u32);
    }

    /// Puts the branch points from `first` on in CRuby's order: those in an ensure clause before all others of its
    /// `begin`, then those in rescue clauses. All of them are complete.
    pub fn clauses_first(&mut self, first: usize, node: &BeginNode<'pr>) {
        if self.counted.branch_points.len() == first {
            return;
        }
        let mut rescues = node.rescue_clause().map(|clause| span(&clause.as_node()));
        let mut next = node.rescue_clause();
        while let (Some(all), Some(clause)) = (&mut rescues, next) {
            all.end = all.end.max(span(&clause.as_node()).end);
            next = clause.subsequent();
        }
        let clauses = [node.ensure_clause().map(|clause| span(&clause.as_node())), rescues];
        let places = clauses.map(|clause| clause.map(|clause| self.place_of(clause)));
        let inside = |place: &[i64; 4], around: &[i64; 4]| place[..2] >= around[..2] && place[2..] <= around[2..];
        self.counted.branch_points[first..].sort_by_key(|point| {
            let clause = places.iter().position(|clause| clause.is_some_and(|clause| inside(&point.place, &clause)));
            clause.unwrap_or(places.len())
        });
    }

    /// First line and column, last line and column.
    fn place_of(&self, span: Span) -> [i64; 4] {
        let ((line, column), (end_line, end_column)) =
            (self.unit.line_and_column(span.start), self.unit.line_and_column(span.end));
        [line.into(), column.into(), end_line.into(), end_column.into()]
    }
}
