//! Assignment to attributes and elements, plain and with an operator; operator assignment of constant paths.

use bytecode::{CallFlags, Opcode};
use ruby_prism::{CallNode, Node};

use crate::arguments::Passed;
use crate::branches;
use crate::builder::Register;
use crate::calls::{argument_list, call_flags, message_span};
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::span;
use crate::operators::is_plain;

impl<'pr> Compiler<'pr> {
    /// `a.b = v`, `a[i] = v`: the value of the expression is `v`.
    pub fn attribute_write(&mut self, node: &CallNode<'pr>, to: Wanted) {
        self.keeping(to, |c, kept| {
            let arguments = argument_list(&node.arguments());
            match fast_element(node, &arguments) {
                Some(receiver) => {
                    c.index_write(node, &receiver, &arguments[0], &arguments[1], |c, value| {
                        c.value_for_assignment(value, kept)
                    });
                }
                None => c.setter_call(node, &arguments, kept),
            }
        });
    }

    /// Compiles `a[i] = v` if there is an instruction for it; returns the register of `v`.
    pub fn assigned_element(&mut self, node: &CallNode<'pr>, later: &[&Node<'pr>]) -> Option<Register> {
        let arguments = argument_list(&node.arguments());
        let receiver = fast_element(node, &arguments)?;
        if crate::node::is_newline(&node.as_node()) {
            self.line_event(span(&node.as_node()));
        }
        // The value may be in a new temporary, and the receiver and the key must be below it.
        arguments[1].as_local_variable_read_node()?;
        Some(self.index_write(node, &receiver, &arguments[0], &arguments[1], |c, value| c.operand_before(value, later)))
    }

    /// Returns the register of the value, which `evaluate` computes.
    fn index_write(
        &mut self,
        node: &CallNode<'pr>,
        receiver: &Node<'pr>,
        index: &Node<'pr>,
        value: &Node<'pr>,
        evaluate: impl FnOnce(&mut Self, &Node<'pr>) -> Register,
    ) -> Register {
        let flags = call_flags(node) | CallFlags::ASSIGNMENT;
        let object = self.operand_before(receiver, &[index, value]);
        let literal = index.as_string_node().and_then(|s| self.narrow_literal_string(&s));
        let value = if let Some(literal) = literal {
            let value = evaluate(self, value);
            self.at(message_span(node));
            self.emit(Opcode::IndexSetLiteral, object, literal, value);
            value
        } else {
            let key = self.operand_before(index, &[value]);
            let value = evaluate(self, value);
            self.at(message_span(node));
            self.emit(Opcode::IndexSet, object, key, value);
            value
        };
        self.emit_extension(b"[]=", 2, flags);
        value
    }

    fn setter_call(&mut self, node: &CallNode<'pr>, arguments: &[Node<'pr>], kept: Wanted) {
        let window = self.next_temporary();
        match node.receiver() {
            Some(receiver) => self.expression(&receiver, window),
            None => self.load_self(window),
        }
        self.reserve(window);
        let (nil, end) = (self.label(), self.label());
        let whole = branches::of_call(node);
        let mut point = None;
        if node.is_safe_navigation() {
            point = self.branch_point("&.", whole);
            self.jump_on(Opcode::JumpNil, window, nil);
            self.branch(point, 0, "then", whole);
        }
        let Some((value, others)) = arguments.split_last() else { return };
        let mut passed = self.fixed_arguments(others);
        self.reserve(window + passed.registers() as Register);
        let slot = self.next_temporary();
        match kept {
            Some(kept) => {
                self.expression(value, kept);
                self.use_up_to(slot as u32 + 1);
                self.move_to(slot, kept);
            }
            None => self.expression(value, slot),
        }
        self.reserve(slot);
        self.append_argument(&mut passed, window, slot);
        if let Some(block) = node.block().as_ref().and_then(|b| b.as_block_argument_node()?.expression()) {
            let slot = self.next_temporary();
            self.expression(&block, slot);
            self.reserve(slot);
            passed.flags |= CallFlags::BLOCK_ARGUMENT;
        }
        passed.flags |= call_flags(node) | CallFlags::ASSIGNMENT;
        self.at(message_span(node));
        self.emit_call(window, window, node.name().as_slice(), passed);
        if node.is_safe_navigation() {
            // If no value is wanted, the two branches join without code.
            match kept {
                _ if point.is_some() => self.counted_nil_branch(point, whole, (nil, end), kept),
                Some(_) => self.nil_branch(nil, end, kept, window),
                None => self.bind(nil),
            }
        }
    }

    /// Compiles index arguments into the registers after the window's first; as one array if there is a splat.
    pub fn fixed_arguments(&mut self, nodes: &[Node<'pr>]) -> Passed {
        let mut passed = Passed::default();
        if nodes.iter().any(crate::collections::is_splat) {
            let slot = self.temporary();
            self.array_of(nodes, slot);
            passed.positional = 1;
            passed.flags = CallFlags::SPLAT | CallFlags::OWN_SPLAT;
        } else {
            for node in nodes {
                let slot = self.next_temporary();
                self.expression(node, slot);
                self.reserve(slot);
            }
            passed.positional = nodes.len() as u16;
        }
        passed
    }

    /// The value of an assignment goes after the index arguments.
    pub fn append_argument(&mut self, passed: &mut Passed, window: Register, value: Register) {
        if passed.flags & CallFlags::SPLAT != 0 {
            self.emit(Opcode::ArrayPush, window + 1, value, 0);
        } else {
            passed.positional += 1;
        }
    }
}

/// The receiver of `a[i] = v`, if there is an instruction for it.
fn fast_element<'pr>(node: &CallNode<'pr>, arguments: &[Node<'pr>]) -> Option<Node<'pr>> {
    let [index, value] = arguments else { return None };
    let fast = node.name().as_slice() == b"[]="
        && is_plain(index)
        && is_plain(value)
        && node.block().is_none()
        && !node.is_safe_navigation();
    if fast { node.receiver() } else { None }
}
