//! `op=`, `||=` and `&&=` of attributes, elements and constant paths.

use bytecode::{CallFlags, Opcode};
use memory::ToVector;
use ruby_prism::{ArgumentsNode, ConstantPathNode, Node};

use crate::assignment::Place;
use crate::builder::Register;
use crate::calls::argument_list;
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::{Span, span};
use crate::operator_assignment::Update;
use crate::operators::is_plain;

impl<'pr> Compiler<'pr> {
    /// Operator assignments to constant paths, attributes and elements.
    pub fn path_or_attribute_write(&mut self, node: &Node<'pr>, to: Wanted) -> bool {
        match node {
            Node::ConstantPathOperatorWriteNode { .. } => {
                if let Some(n) = node.as_constant_path_operator_write_node() {
                    self.path_update(
                        n.target(),
                        Update::Operator(n.binary_operator().as_slice(), n.binary_operator_loc().chop().into()),
                        &n.value(),
                        span(node),
                        to,
                    );
                }
            }
            Node::ConstantPathOrWriteNode { .. } => {
                if let Some(n) = node.as_constant_path_or_write_node() {
                    self.path_update(n.target(), Update::Or, &n.value(), span(node), to);
                }
            }
            Node::ConstantPathAndWriteNode { .. } => {
                if let Some(n) = node.as_constant_path_and_write_node() {
                    self.path_update(n.target(), Update::And, &n.value(), span(node), to);
                }
            }
            Node::CallOperatorWriteNode { .. } | Node::CallOrWriteNode { .. } | Node::CallAndWriteNode { .. } => {
                if let Some((attribute, update, value)) = attribute_of(node) {
                    self.attribute_update(&attribute, update, &value, to);
                }
            }
            Node::IndexOperatorWriteNode { .. } | Node::IndexOrWriteNode { .. } | Node::IndexAndWriteNode { .. } => {
                if let Some((element, update, value)) = element_of(node) {
                    self.element_update(&element, update, &value, to);
                }
            }
            _ => return false,
        }
        true
    }

    fn path_update(
        &mut self,
        target: ConstantPathNode<'pr>,
        update: Update<'pr>,
        value: &Node<'pr>,
        at: Span,
        to: Wanted,
    ) {
        self.keeping(to, |c, kept| {
            let parent = match target.parent() {
                Some(parent) => c.operand_before(&parent, &[value]),
                None => c.constant_parent(None),
            };
            let place = Place::ConstantFrom(parent, target.name().map_or(Vec::new(), |n| n.as_slice().to_vector()));
            c.shareable_path = Some(crate::constants::path_text(&target));
            c.update(place, update, value, at, kept);
            c.shareable_path = None;
        });
    }

    /// `a.b op= v`
    fn attribute_update(&mut self, attribute: &Attribute<'pr>, update: Update<'pr>, value: &Node<'pr>, to: Wanted) {
        self.keeping(to, |c, kept| {
            let current = kept.unwrap_or_else(|| c.temporary());
            let object = match &attribute.receiver {
                Some(receiver) => c.operand_before(receiver, &[value]),
                None => crate::builder::SELF,
            };
            let (nil, end) = (c.label(), c.label());
            if attribute.flags & CallFlags::SAFE != 0 {
                c.jump_on(Opcode::JumpNil, object, nil);
            }
            let mark = c.mark();
            let window = c.next_temporary();
            c.use_up_to(window as u32 + 2);
            c.at(attribute.span);
            c.move_to(window, object);
            c.emit_plain_call(current, window, attribute.read_name, 0, attribute.flags);
            let done = c.label();
            c.update_value(update, current, value, done);
            c.at(attribute.span);
            c.move_to(window, object);
            c.move_to(window + 1, current);
            c.emit_plain_call(window, window, attribute.write_name, 1, attribute.flags | CallFlags::ASSIGNMENT);
            c.release(mark);
            c.bind(done);
            if attribute.flags & CallFlags::SAFE != 0 {
                match kept {
                    Some(_) => c.nil_branch(nil, end, kept, object),
                    None => c.bind(nil),
                }
            }
        });
    }

    /// Computes the new value into `current`; jumps to `done` if there is nothing to assign.
    fn update_value(&mut self, update: Update<'pr>, current: Register, value: &Node<'pr>, done: crate::builder::Label) {
        match update {
            Update::Operator(name, operator) => return self.binary_in_place(name, current, value, operator),
            Update::Or => self.jump_on(Opcode::JumpIf, current, done),
            Update::And => self.jump_on(Opcode::JumpUnless, current, done),
        }
        self.expression(value, current);
    }

    fn binary_in_place(&mut self, name: &[u8], register: Register, value: &Node<'pr>, at: Span) {
        let mark = self.mark();
        self.binary(name, register, register, value, at);
        self.release(mark);
    }

    /// `a[i] op= v`
    fn element_update(&mut self, element: &Element<'pr>, update: Update<'pr>, value: &Node<'pr>, to: Wanted) {
        self.keeping(to, |c, kept| {
            let current = kept.unwrap_or_else(|| c.temporary());
            let arguments = argument_list(&element.arguments);
            let simple = arguments.len() == 1 && is_plain(&arguments[0]) && element.block.is_none();
            let mut later: Vec<&Node<'pr>> = arguments.iter().collect();
            later.push(value);
            let object = match &element.receiver {
                Some(receiver) => c.operand_before(receiver, &later),
                None => crate::builder::SELF,
            };
            let (nil, end, done) = (c.label(), c.label(), c.label());
            if element.flags & CallFlags::SAFE != 0 {
                c.jump_on(Opcode::JumpNil, object, nil);
            }
            if simple {
                let key = c.operand_before(&arguments[0], &[value]);
                c.at(element.span);
                c.emit(Opcode::Index, current, object, key);
                c.emit_extension(b"[]", 1, element.flags);
                c.update_value(update, current, value, done);
                c.at(element.span);
                c.emit(Opcode::IndexSet, object, key, current);
                c.emit_extension(b"[]=", 2, element.flags | CallFlags::ASSIGNMENT);
            } else {
                c.general_element_update(element, &arguments, object, current, update, value, done);
            }
            c.bind(done);
            if element.flags & CallFlags::SAFE != 0 {
                match kept {
                    Some(_) => c.nil_branch(nil, end, kept, object),
                    None => c.bind(nil),
                }
            }
        });
    }

    #[allow(clippy::too_many_arguments)]
    fn general_element_update(
        &mut self,
        element: &Element<'pr>,
        arguments: &[Node<'pr>],
        object: Register,
        current: Register,
        update: Update<'pr>,
        value: &Node<'pr>,
        done: crate::builder::Label,
    ) {
        let first = self.next_temporary();
        let passed = self.fixed_arguments(arguments);
        let count = passed.positional;
        let splat = passed.flags & CallFlags::SPLAT != 0;
        let block =
            element.block.as_ref().and_then(|b| b.as_block_argument_node()?.expression()).map(|e| self.operand(&e));
        for write in [false, true] {
            if write {
                self.update_value(update, current, value, done);
            }
            let mark = self.mark();
            let window = self.temporaries(count as usize + 1);
            self.at(element.span);
            self.move_to(window, object);
            for index in 0..count {
                self.move_to(window + 1 + index, first + index);
            }
            let mut passed = passed.clone();
            passed.flags |= element.flags;
            if write {
                let slot = self.next_temporary();
                if splat {
                    self.emit(Opcode::SplatToArray, window + 1, first, 1);
                } else {
                    self.temporary();
                    self.move_to(slot, current);
                }
                self.append_argument(&mut passed, window, current);
                passed.flags |= CallFlags::ASSIGNMENT;
            }
            if let Some(block) = block {
                let slot = self.temporary();
                self.move_to(slot, block);
                passed.flags |= CallFlags::BLOCK_ARGUMENT;
            }
            let (to, name) = if write { (window, &b"[]="[..]) } else { (current, &b"[]"[..]) };
            if !write {
                passed.flags &= !CallFlags::OWN_SPLAT;
            }
            self.emit_call(to, window, name, passed);
            self.release(mark);
        }
    }
}

/// `receiver.name` on the left of an operator assignment.
struct Attribute<'pr> {
    receiver: Option<Node<'pr>>,
    read_name: &'pr [u8],
    write_name: &'pr [u8],
    flags: u16,
    span: Span,
}

/// `receiver[arguments]` on the left of an operator assignment.
struct Element<'pr> {
    receiver: Option<Node<'pr>>,
    arguments: Option<ArgumentsNode<'pr>>,
    block: Option<Node<'pr>>,
    flags: u16,
    span: Span,
}

macro_rules! flags_of {
    ($n:expr) => {
        if $n.is_ignore_visibility() { CallFlags::SELF_CALL } else { 0 }
            | if $n.is_safe_navigation() { CallFlags::SAFE } else { 0 }
    };
}

fn attribute_of<'pr>(node: &Node<'pr>) -> Option<(Attribute<'pr>, Update<'pr>, Node<'pr>)> {
    macro_rules! parts {
        ($n:ident, $update:expr) => {{
            let start = $n.call_operator_loc().or($n.message_loc()).map_or($n.location().start(), |l| l.start());
            let end = $n.message_loc().map_or($n.location().end(), |l| l.end());
            let attribute = Attribute {
                receiver: $n.receiver(),
                read_name: $n.read_name().as_slice(),
                write_name: $n.write_name().as_slice(),
                flags: flags_of!($n),
                span: Span { start, end },
            };
            Some((attribute, $update, $n.value()))
        }};
    }
    if let Some(n) = node.as_call_operator_write_node() {
        return parts!(n, Update::Operator(n.binary_operator().as_slice(), n.binary_operator_loc().chop().into()));
    }
    if let Some(n) = node.as_call_or_write_node() {
        return parts!(n, Update::Or);
    }
    let n = node.as_call_and_write_node()?;
    parts!(n, Update::And)
}

fn element_of<'pr>(node: &Node<'pr>) -> Option<(Element<'pr>, Update<'pr>, Node<'pr>)> {
    macro_rules! parts {
        ($n:ident, $update:expr) => {{
            let element = Element {
                receiver: $n.receiver(),
                arguments: $n.arguments(),
                block: $n.block().map(|b| b.as_node()),
                flags: flags_of!($n),
                span: Span { start: $n.opening_loc().start(), end: $n.closing_loc().end() },
            };
            Some((element, $update, $n.value()))
        }};
    }
    if let Some(n) = node.as_index_operator_write_node() {
        return parts!(n, Update::Operator(n.binary_operator().as_slice(), n.binary_operator_loc().chop().into()));
    }
    if let Some(n) = node.as_index_or_write_node() {
        return parts!(n, Update::Or);
    }
    let n = node.as_index_and_write_node()?;
    parts!(n, Update::And)
}
