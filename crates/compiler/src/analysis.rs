//! Facts about a scope that are needed before its code is generated, collected in one pass over the whole tree.

use std::rc::Rc;

use memory::{Grow, ToVector};
use ruby_prism::{CallNode, Node, Visit};

use crate::tables::{Map, Set};
use crate::{
    calls::argument_list, collections::is_splat, operators::is_operator, primitive_loops::variable_of_primitive_loop,
    primitives::is_primitive,
};

/// Facts about one scope: a file, class body, method or block.
#[derive(Debug, Default)]
pub(crate) struct ScopeFacts {
    /// Locals that blocks inside assign: any call may change them.
    pub assigned_in_blocks: Set<Vec<u8>>,
    /// Locals that are assigned in more than one place; a call counts as assigning parameters.
    pub reassigned: Set<Vec<u8>>,
    /// Offsets of the flip-flops in a file, class body or method and its blocks.
    pub flip_flops: Vec<u32>,
    /// Locals of a Ruby half that are used in any other way than as arguments and receivers of plain calls, as
    /// conditions and in tests of their type.
    pub used: Set<Vec<u8>>,
    /// Locals of a Ruby half that are used in any other way than to read the elements of an Array, see
    /// `Analysis::read_elements_in_call`.
    pub kept: Set<Vec<u8>>,
    /// The variables of loops by `crate::primitive_loops`.
    pub loop_variables: Vec<Vec<u8>>,
    /// The scope has a `super` without arguments, which reads all parameters.
    pub passes_all: bool,
    /// A class body contains a `break`, `next` or `redo` of a loop or block around it.
    pub is_left: bool,
    /// It or a block in it contains a `redo`.
    pub redoes: bool,
    pub uses_eval: bool,
    pub uses_block: bool,
    pub uses_special: bool,
}

impl ScopeFacts {
    /// Whether the method of a Ruby half only passes its parameter on.
    pub fn only_passes_on(&self, parameter: &[u8]) -> bool {
        !(self.uses_eval || self.passes_all || self.used.contains(parameter) || self.reassigned.contains(parameter))
    }

    /// Whether the method of a Ruby half only reads the elements of its rest parameter.
    pub fn only_reads_elements(&self, parameter: &[u8]) -> bool {
        !(self.uses_eval || self.passes_all || self.kept.contains(parameter) || self.reassigned.contains(parameter))
    }
}

/// Facts by the kind of the scope's node and its offset.
pub(crate) type Facts = Map<(&'static str, u32), Rc<ScopeFacts>>;

/// `is_internal`: the program is a Ruby half of core classes.
pub(crate) fn analyse(program: &Node<'_>, is_internal: bool) -> Facts {
    let mut analysis = Analysis {
        open: Vec::new(),
        facts: Map::default(),
        is_internal,
        passed_on: Set::default(),
        elements_read: Set::default(),
    };
    analysis.visit(program);
    analysis.facts
}

struct Open {
    facts: ScopeFacts,
    /// Locals that are assigned in exactly one place so far.
    assigned: Set<Vec<u8>>,
    is_base: bool,
    is_class_body: bool,
    /// The number of enclosing `for` bodies: they are blocks here, but not scopes of prism's.
    for_depth: usize,
    /// The number of enclosing `while` and `until`.
    loop_depth: usize,
}

struct Analysis {
    open: Vec<Open>,
    facts: Facts,
    is_internal: bool,
    /// Offsets of the reads of locals that pass them on.
    passed_on: Set<u32>,
    /// Offsets of the reads of locals that are for the elements of an Array.
    elements_read: Set<u32>,
}

impl Analysis {
    /// Records a read of a local. A read that only passes the local on is not a use.
    fn read(&mut self, name: &[u8], depth: u32, offset: u32) {
        if !self.is_internal {
            return;
        }
        let (passed_on, elements_read) = (self.passed_on.contains(&offset), self.elements_read.contains(&offset));
        let Some(index) = self.open.len().checked_sub(1 + depth as usize) else { return };
        let open = &mut self.open[index];
        if depth > 0 || open.for_depth > 0 || !passed_on {
            memory::add(&mut open.facts.used, name.to_vector());
        }
        if !elements_read {
            memory::add(&mut open.facts.kept, name.to_vector());
        }
    }

    /// Records a read that passes a local on.
    fn pass_on(&mut self, node: &Node<'_>) {
        if self.is_internal && matches!(node, Node::LocalVariableReadNode { .. }) {
            memory::add(&mut self.passed_on, node.location().start());
        }
    }

    /// Records the locals that a call passes on. Operators are left out because their operands may be in any register,
    /// and setters because the argument is also the value of the expression.
    fn pass_on_in_call(&mut self, node: &CallNode<'_>) {
        if !self.is_internal {
            return;
        }
        let (name, arguments) = (node.name(), argument_list(&node.arguments()));
        if is_primitive(node) {
            if name.as_slice().starts_with(b"is_") {
                arguments.iter().for_each(|argument| self.pass_on(argument));
            }
            return;
        }
        if node.is_attribute_write() || is_operator(name.as_slice()) || arguments.iter().any(is_splat) {
            return;
        }
        if let Some(receiver) = node.receiver().filter(|_| !node.is_safe_navigation()) {
            self.pass_on(&receiver);
        }
        arguments.iter().take(15).for_each(|argument| self.pass_on(argument));
    }

    /// Records the locals whose elements a call reads: they are splatted, or passed to a primitive or receivers of a
    /// method that neither changes nor returns them. An Enumerator keeps its arguments, but does not change them.
    fn read_elements_in_call(&mut self, node: &CallNode<'_>) {
        const PRIMITIVES: [&[u8]; 4] = [b"array_length", b"array_at", b"array_element_or_undef", b"enumerator"];
        const METHODS: [&[u8]; 5] = [b"empty?", b"size", b"length", b"map", b"[]"];
        let mut note = |node: &Node<'_>| {
            if matches!(node, Node::LocalVariableReadNode { .. }) {
                memory::add(&mut self.elements_read, node.location().start());
            }
        };
        let name = node.name();
        let arguments = argument_list(&node.arguments());
        arguments.iter().filter_map(|n| n.as_splat_node()?.expression()).for_each(|n| note(&n));
        if is_primitive(node) {
            if PRIMITIVES.contains(&name.as_slice()) {
                arguments.iter().for_each(note);
            }
        } else if METHODS.contains(&name.as_slice())
            && let Some(receiver) = node.receiver()
        {
            note(&receiver);
        }
    }

    fn assigned(&mut self, name: &[u8], depth: u32) {
        let Some(index) = self.open.len().checked_sub(1 + depth as usize) else { return };
        let open = &mut self.open[index];
        if !memory::add(&mut open.assigned, name.to_vector()) {
            memory::add(&mut open.facts.reassigned, name.to_vector());
        }
        if depth > 0 || open.for_depth > 0 {
            memory::add(&mut open.facts.assigned_in_blocks, name.to_vector());
        }
    }

    /// Declares a parameter of the scope; a call counts as an assignment to it.
    fn parameter(&mut self, name: &[u8]) {
        if let Some(open) = self.open.last_mut() {
            memory::add(&mut open.assigned, name.to_vector());
        }
    }

    /// Sets a fact of all scopes from the current one out to the method, class or file.
    fn mark(&mut self, set: impl Fn(&mut ScopeFacts)) {
        for open in self.open.iter_mut().rev() {
            set(&mut open.facts);
            if open.is_base {
                break;
            }
        }
    }

    /// Marks the class bodies that a `break`, `next` or `redo` leaves. Those in the body of a `for` count too, which is
    /// a loop of its own, because its collection is not.
    fn leave(&mut self) {
        for open in self.open.iter_mut().rev() {
            if open.loop_depth > 0 || !open.is_class_body {
                break;
            }
            open.facts.is_left = true;
        }
    }

    fn call(&mut self, name: &[u8]) {
        match name {
            b"binding" | b"eval" | b"instance_eval" | b"class_eval" | b"module_eval" | b"irb" => {
                self.mark(|f| f.uses_eval = true)
            }
            b"last_match" => self.mark(|f| f.uses_special = true),
            _ => {}
        }
    }

    fn global(&mut self, name: &[u8]) {
        let special = [
            &b"$~"[..],
            b"$_",
            b"$LAST_MATCH_INFO",
            b"$LAST_READ_LINE",
            b"$MATCH",
            b"$PREMATCH",
            b"$POSTMATCH",
            b"$LAST_PAREN_MATCH",
        ];
        if special.contains(&name) {
            self.mark(|f| f.uses_special = true);
        }
    }

    fn look(&mut self, node: &Node<'_>) {
        macro_rules! written {
            ($n:expr) => {
                if let Some(n) = $n {
                    self.assigned(n.name().as_slice(), n.depth());
                }
            };
        }
        macro_rules! given {
            ($n:expr) => {
                if let Some(n) = $n {
                    self.parameter(n.name().as_slice());
                }
            };
        }
        macro_rules! named {
            ($n:expr) => {
                if let Some(name) = $n.and_then(|n| n.name()) {
                    self.parameter(name.as_slice());
                }
            };
        }
        match node {
            Node::LocalVariableWriteNode { .. } => written!(node.as_local_variable_write_node()),
            Node::LocalVariableTargetNode { .. } => written!(node.as_local_variable_target_node()),
            Node::LocalVariableOperatorWriteNode { .. } => written!(node.as_local_variable_operator_write_node()),
            Node::LocalVariableAndWriteNode { .. } => written!(node.as_local_variable_and_write_node()),
            Node::LocalVariableOrWriteNode { .. } => written!(node.as_local_variable_or_write_node()),
            Node::RequiredParameterNode { .. } => given!(node.as_required_parameter_node()),
            Node::OptionalParameterNode { .. } => given!(node.as_optional_parameter_node()),
            Node::RequiredKeywordParameterNode { .. } => given!(node.as_required_keyword_parameter_node()),
            Node::OptionalKeywordParameterNode { .. } => given!(node.as_optional_keyword_parameter_node()),
            Node::RestParameterNode { .. } => named!(node.as_rest_parameter_node()),
            Node::KeywordRestParameterNode { .. } => named!(node.as_keyword_rest_parameter_node()),
            Node::BlockParameterNode { .. } => named!(node.as_block_parameter_node()),
            Node::CallNode { .. } => {
                if let Some(n) = node.as_call_node() {
                    self.call(n.name().as_slice());
                    if self.is_internal {
                        self.pass_on_in_call(&n);
                        self.read_elements_in_call(&n);
                    }
                }
            }
            Node::YieldNode { .. } => self.mark(|f| f.uses_block = true),
            Node::SuperNode { .. } => {
                let passes_block = node.as_super_node().is_some_and(|n| n.block().is_none());
                self.mark(|f| f.uses_block |= passes_block)
            }
            Node::ForwardingSuperNode { .. } => {
                let passes_block = node.as_forwarding_super_node().is_some_and(|n| n.block().is_none());
                self.mark(|f| {
                    f.uses_block |= passes_block;
                    f.passes_all = true;
                })
            }
            Node::BackReferenceReadNode { .. }
            | Node::NumberedReferenceReadNode { .. }
            | Node::MatchLastLineNode { .. }
            | Node::InterpolatedMatchLastLineNode { .. }
            | Node::MatchWriteNode { .. } => self.mark(|f| f.uses_special = true),
            Node::GlobalVariableReadNode { .. } => {
                if let Some(n) = node.as_global_variable_read_node() {
                    self.global(n.name().as_slice());
                }
            }
            Node::GlobalVariableWriteNode { .. } => {
                if let Some(n) = node.as_global_variable_write_node() {
                    self.global(n.name().as_slice());
                }
            }
            Node::GlobalVariableTargetNode { .. } => {
                if let Some(n) = node.as_global_variable_target_node() {
                    self.global(n.name().as_slice());
                }
            }
            Node::IfNode { .. } | Node::UnlessNode { .. } if self.is_internal => {
                let condition = node.as_if_node().map(|n| n.predicate());
                if let Some(condition) = condition.or_else(|| Some(node.as_unless_node()?.predicate())) {
                    self.pass_on(&condition);
                }
            }
            Node::LocalVariableReadNode { .. } if self.is_internal => {
                if let Some(n) = node.as_local_variable_read_node() {
                    self.read(n.name().as_slice(), n.depth(), n.location().start());
                }
            }
            Node::BreakNode { .. } | Node::NextNode { .. } => self.leave(),
            Node::RedoNode { .. } => {
                self.leave();
                self.mark(|f| f.redoes = true);
            }
            Node::FlipFlopNode { .. } => {
                let start = node.location().start();
                if let Some(base) = self.open.iter_mut().rev().find(|o| o.is_base) {
                    base.facts.flip_flops.append_one(start);
                }
            }
            _ => {}
        }
    }
}

impl<'pr> Visit<'pr> for Analysis {
    fn visit(&mut self, node: &Node<'pr>) {
        self.look(node);
        let is_base = match node {
            Node::ProgramNode { .. }
            | Node::DefNode { .. }
            | Node::ClassNode { .. }
            | Node::ModuleNode { .. }
            | Node::SingletonClassNode { .. } => Some(true),
            Node::BlockNode { .. } | Node::LambdaNode { .. } => Some(false),
            _ => None,
        };
        let primitive = if self.is_internal { variable_of_primitive_loop(node) } else { None };
        let is_for = matches!(node, Node::ForNode { .. }) && primitive.is_none();
        let is_loop = matches!(node, Node::WhileNode { .. } | Node::UntilNode { .. });
        if let (Some(variable), Some(open)) = (primitive, self.open.last_mut()) {
            open.facts.loop_variables.append_one(variable);
        }
        if let Some(is_base) = is_base {
            let is_class_body = matches!(node, Node::ClassNode { .. } | Node::ModuleNode { .. });
            let (facts, assigned) = Default::default();
            self.open.append_one(Open { facts, assigned, is_base, is_class_body, for_depth: 0, loop_depth: 0 });
        } else if is_for && let Some(open) = self.open.last_mut() {
            open.for_depth += 1;
        } else if is_loop && let Some(open) = self.open.last_mut() {
            open.loop_depth += 1;
        }
        stacker::maybe_grow(128 << 10, 2 << 20, || crate::node::walk(self, node));
        if is_base.is_some() {
            if let Some(open) = self.open.pop() {
                memory::reserve_key(&mut self.facts);
                self.facts.insert((crate::node::kind(node), node.location().start()), Rc::new(open.facts));
            }
        } else if is_for && let Some(open) = self.open.last_mut() {
            open.for_depth -= 1;
        } else if is_loop && let Some(open) = self.open.last_mut() {
            open.loop_depth -= 1;
        }
    }
}

/// Whether evaluating `node` may change the local `name`; when `by_calls`, any call may.
pub(crate) fn may_change(node: &Node<'_>, name: &[u8], by_calls: bool) -> bool {
    let mut finder = ChangeFinder { name, by_calls, budget: 200, found: false };
    finder.visit(node);
    finder.found
}

struct ChangeFinder<'a> {
    name: &'a [u8],
    by_calls: bool,
    /// Beyond this many nodes the answer is yes.
    budget: i32,
    found: bool,
}

impl<'pr> Visit<'pr> for ChangeFinder<'_> {
    fn visit(&mut self, node: &Node<'pr>) {
        self.budget -= 1;
        if self.found || self.budget < 0 {
            self.found = true;
            return;
        }
        macro_rules! written {
            ($n:expr) => {
                if $n.is_some_and(|n| n.name().as_slice() == self.name) {
                    self.found = true;
                    return;
                }
            };
        }
        match node {
            Node::LocalVariableWriteNode { .. } => written!(node.as_local_variable_write_node()),
            Node::LocalVariableTargetNode { .. } => written!(node.as_local_variable_target_node()),
            Node::LocalVariableOperatorWriteNode { .. } => written!(node.as_local_variable_operator_write_node()),
            Node::LocalVariableAndWriteNode { .. } => written!(node.as_local_variable_and_write_node()),
            Node::LocalVariableOrWriteNode { .. } => written!(node.as_local_variable_or_write_node()),
            _ if is_inert(node) => return,
            _ if self.by_calls => {
                self.found = true;
                return;
            }
            _ => {}
        }
        crate::node::walk(self, node);
    }
}

/// Evaluating it runs no Ruby code and changes nothing.
pub(crate) fn is_inert(node: &Node<'_>) -> bool {
    is_plain_literal(node)
        || matches!(
            node,
            Node::LocalVariableReadNode { .. }
                | Node::ItLocalVariableReadNode { .. }
                | Node::InstanceVariableReadNode { .. }
                | Node::SelfNode { .. }
                | Node::LambdaNode { .. }
        )
}

/// A literal without interpolation or elements.
pub(crate) fn is_plain_literal(node: &Node<'_>) -> bool {
    matches!(
        node,
        Node::NilNode { .. }
            | Node::TrueNode { .. }
            | Node::FalseNode { .. }
            | Node::IntegerNode { .. }
            | Node::FloatNode { .. }
            | Node::RationalNode { .. }
            | Node::ImaginaryNode { .. }
            | Node::StringNode { .. }
            | Node::SymbolNode { .. }
            | Node::RegularExpressionNode { .. }
            | Node::SourceFileNode { .. }
            | Node::SourceLineNode { .. }
            | Node::SourceEncodingNode { .. }
    )
}
