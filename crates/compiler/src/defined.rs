//! `defined?` of every form: a describing string or nil, and never an exception.

use bytecode::{CallFlags, HandlerKind, Intrinsic, Literal, Opcode, Symbol};
use memory::ToVector;
use ruby_prism::{CallNode, DefinedNode, Node, StatementsNode};

use crate::builder::{Control, Label, Register};
use crate::calls::{argument_list, call_flags, message_span};
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::span;
use crate::variables::back_reference_number;

impl<'pr> Compiler<'pr> {
    pub fn defined(&mut self, node: &DefinedNode<'pr>, to: Wanted) {
        if to.is_none() {
            return;
        }
        self.at(node.location());
        let value = node.value();
        self.keeping(to, |c, kept| {
            let Some(result) = kept else { return };
            let (handler, nope, end) = (c.label(), c.label(), c.label());
            let mark = c.mark();
            let caught = c.temporaries(2);
            c.release(mark);
            // What a trace point raises at the line is not caught.
            c.flush_events();
            let region = c.open_region(HandlerKind::Rescue, handler, caught);
            c.scope().controls.push(Control::Region(region));
            c.describe(&value, result, nope);
            c.scope().controls.pop();
            c.close_region(region);
            c.jump(end);
            c.bind(handler);
            c.reserve(caught + 1);
            c.intrinsic(caught, caught + 1, Intrinsic::SetErrorInfo);
            c.release(mark);
            c.bind(nope);
            c.load_nil(result);
            c.bind(end);
        });
    }

    /// Loads the string for `node` into `to`, or jumps to `nope`.
    fn describe(&mut self, node: &Node<'pr>, to: Register, nope: Label) {
        let mark = self.mark();
        self.deeper(|c| c.describe_node(node, to, nope));
        self.release(mark);
    }

    fn describe_node(&mut self, node: &Node<'pr>, to: Register, nope: Label) {
        match node {
            Node::NilNode { .. } => self.describe_as("nil", to),
            Node::SelfNode { .. } => self.describe_as("self", to),
            Node::TrueNode { .. } => self.describe_as("true", to),
            Node::FalseNode { .. } => self.describe_as("false", to),
            Node::LocalVariableReadNode { .. } | Node::ItLocalVariableReadNode { .. } => {
                self.describe_as("local-variable", to)
            }
            Node::InstanceVariableReadNode { .. } => self.describe_name(
                node.as_instance_variable_read_node().map(|n| n.name().as_slice()),
                Intrinsic::DefinedInstanceVariable,
                to,
                nope,
            ),
            Node::GlobalVariableReadNode { .. } => self.describe_name(
                node.as_global_variable_read_node().map(|n| n.name().as_slice()),
                Intrinsic::DefinedGlobal,
                to,
                nope,
            ),
            Node::ClassVariableReadNode { .. } => self.describe_name(
                node.as_class_variable_read_node().map(|n| n.name().as_slice()),
                Intrinsic::DefinedClassVariable,
                to,
                nope,
            ),
            Node::ConstantReadNode { .. } => self.describe_name(
                node.as_constant_read_node().map(|n| n.name().as_slice()),
                Intrinsic::DefinedConstant,
                to,
                nope,
            ),
            Node::YieldNode { .. } => {
                let (depth, _) = self.base_level();
                self.describe_number(depth as i32, Intrinsic::DefinedYield, to, nope);
            }
            Node::SuperNode { .. } => match node.as_super_node().and_then(|n| n.block()) {
                Some(Node::BlockNode { .. }) => self.describe_as("expression", to),
                _ => self.describe_super(to, nope),
            },
            Node::ForwardingSuperNode { .. } => match node.as_forwarding_super_node().and_then(|n| n.block()) {
                Some(_) => self.describe_as("expression", to),
                None => self.describe_super(to, nope),
            },
            Node::BackReferenceReadNode { .. } => {
                let number =
                    node.as_back_reference_read_node().map_or(0, |n| back_reference_number(n.name().as_slice()));
                self.describe_number(number, Intrinsic::DefinedBackReference, to, nope);
            }
            Node::NumberedReferenceReadNode { .. } => {
                let number = node.as_numbered_reference_read_node().map_or(0, |n| n.number());
                self.describe_number(
                    i32::try_from(number).unwrap_or(i32::MAX),
                    Intrinsic::DefinedBackReference,
                    to,
                    nope,
                );
            }
            _ => self.describe_compound(node, to, nope),
        }
    }

    fn describe_compound(&mut self, node: &Node<'pr>, to: Register, nope: Label) {
        match node {
            Node::ConstantPathNode { .. } => self.describe_path(node, to, nope),
            Node::CallNode { .. } => {
                if let Some(call) = node.as_call_node() {
                    self.describe_call(&call, to, nope);
                }
            }
            // `(a;)` is more than the statement in it.
            Node::ParenthesesNode { .. }
                if node.as_parentheses_node().is_some_and(|n| n.is_multiple_statements() && n.body().is_some()) =>
            {
                self.describe_as("expression", to)
            }
            Node::ParenthesesNode { .. } => match node.as_parentheses_node().and_then(|n| n.body()) {
                None => self.describe_as("nil", to),
                Some(body) => self.describe_statements(body.as_statements_node(), to, nope),
            },
            Node::BeginNode { .. } => match node.as_begin_node() {
                Some(n) if n.rescue_clause().is_none() && n.ensure_clause().is_none() && n.else_clause().is_none() => {
                    match n.statements() {
                        None => self.describe_as("nil", to),
                        statements => self.describe_statements(statements, to, nope),
                    }
                }
                _ => self.describe_as("expression", to),
            },
            Node::ArrayNode { .. } => {
                self.describe_all(&node.as_array_node().map_or(Vec::new(), |n| n.elements().iter().collect()), to, nope)
            }
            Node::HashNode { .. } => {
                self.describe_all(&node.as_hash_node().map_or(Vec::new(), |n| n.elements().iter().collect()), to, nope)
            }
            Node::KeywordHashNode { .. } => self.describe_all(
                &node.as_keyword_hash_node().map_or(Vec::new(), |n| n.elements().iter().collect()),
                to,
                nope,
            ),
            Node::AssocNode { .. } => {
                self.describe_all(&node.as_assoc_node().map_or(Vec::new(), |n| vec![n.key(), n.value()]), to, nope)
            }
            Node::AssocSplatNode { .. } => self.describe_all(
                &node.as_assoc_splat_node().map_or(Vec::new(), |n| n.value().into_iter().collect()),
                to,
                nope,
            ),
            Node::SplatNode { .. } => self.describe_all(
                &node.as_splat_node().map_or(Vec::new(), |n| n.expression().into_iter().collect()),
                to,
                nope,
            ),
            Node::ImplicitNode { .. } => {
                if let Some(n) = node.as_implicit_node() {
                    self.describe(&n.value(), to, nope);
                }
            }
            _ if is_assignment(node) => self.describe_as("assignment", to),
            _ => self.describe_as("expression", to),
        }
    }

    fn describe_as(&mut self, text: &str, to: Register) {
        self.load_literal(
            to,
            Literal::String {
                bytes: text.as_bytes().to_vector(),
                encoding: Symbol::US_ASCII,
                frozen: true,
                chilled: false,
            },
        );
    }

    fn describe_statements(&mut self, statements: Option<StatementsNode<'pr>>, to: Register, nope: Label) {
        let body = statements.map(|s| s.body());
        match body {
            Some(body) if body.len() == 1 => {
                if let Some(only) = body.first() {
                    self.describe(&only, to, nope);
                }
            }
            _ => self.describe_as("expression", to),
        }
    }

    fn describe_all(&mut self, parts: &[Node<'pr>], to: Register, nope: Label) {
        for part in parts {
            self.describe(part, to, nope);
        }
        self.describe_as("expression", to);
    }

    fn describe_name(&mut self, name: Option<&[u8]>, intrinsic: Intrinsic, to: Register, nope: Label) {
        let argument = self.next_temporary();
        self.load_symbol(argument, name.unwrap_or_default());
        self.intrinsic(to, argument, intrinsic);
        self.jump_on(Opcode::JumpUnless, to, nope);
    }

    fn describe_number(&mut self, number: i32, intrinsic: Intrinsic, to: Register, nope: Label) {
        let argument = self.next_temporary();
        self.load_int(argument, number);
        self.intrinsic(to, argument, intrinsic);
        self.jump_on(Opcode::JumpUnless, to, nope);
    }

    fn describe_super(&mut self, to: Register, nope: Label) {
        self.intrinsic(to, to, Intrinsic::DefinedSuper);
        self.jump_on(Opcode::JumpUnless, to, nope);
    }

    fn describe_path(&mut self, node: &Node<'pr>, to: Register, nope: Label) {
        let Some(path) = node.as_constant_path_node() else { return };
        let window = self.temporaries(2);
        match path.parent() {
            Some(parent) => {
                self.describe(&parent, to, nope);
                self.expression(&parent, window);
            }
            None => self.intrinsic(window, window, Intrinsic::ObjectClass),
        }
        self.load_symbol(window + 1, path.name().map_or(&b""[..], |n| n.as_slice()));
        self.intrinsic(to, window, Intrinsic::DefinedConstantFrom);
        self.jump_on(Opcode::JumpUnless, to, nope);
    }

    fn describe_call(&mut self, node: &CallNode<'pr>, to: Register, nope: Label) {
        if matches!(node.block(), Some(Node::BlockNode { .. })) {
            return self.describe_as("expression", to);
        }
        let window = self.temporaries(2);
        self.check_call(node, to, window, nope);
    }

    /// Whether the call would find its method: evaluates the receiver into the window's first register.
    fn check_call(&mut self, node: &CallNode<'pr>, to: Register, window: Register, nope: Label) {
        for argument in argument_list(&node.arguments()) {
            self.describe(&argument, to, nope);
        }
        let Some(receiver) = node.receiver() else {
            self.load_symbol(window, node.name().as_slice());
            self.intrinsic(to, window, Intrinsic::DefinedFunction);
            return self.jump_on(Opcode::JumpUnless, to, nope);
        };
        match receiver.as_call_node() {
            Some(call) if !matches!(call.block(), Some(Node::BlockNode { .. })) => {
                self.deeper(|c| c.checked_receiver(&call, to, window, nope))
            }
            _ => {
                self.describe(&receiver, to, nope);
                self.expression(&receiver, window);
            }
        }
        self.load_symbol(window + 1, node.name().as_slice());
        self.intrinsic(to, window, Intrinsic::DefinedMethod);
        self.jump_on(Opcode::JumpUnless, to, nope);
    }

    /// A receiver that is a call itself: checked, then called, without evaluating anything twice.
    fn checked_receiver(&mut self, call: &CallNode<'pr>, to: Register, window: Register, nope: Label) {
        self.check_call(call, to, window, nope);
        let mark = self.mark();
        let callee = self.next_temporary();
        if call.receiver().is_some() {
            self.move_to(callee, window);
        } else {
            self.load_self(callee);
        }
        self.reserve(callee);
        let mut passed = self.arguments(callee + 1, call.arguments(), call.block().as_ref(), false);
        passed.flags |= call_flags(call) & (CallFlags::SELF_CALL | CallFlags::VARIABLE);
        self.at(message_span(call));
        self.emit_call(window, callee, call.name().as_slice(), passed);
        self.release(mark);
        self.at(span(&call.as_node()));
    }
}

fn is_assignment(node: &Node<'_>) -> bool {
    let kind = crate::node::kind(node);
    kind.ends_with("WriteNode") && kind != "MatchWriteNode"
}
