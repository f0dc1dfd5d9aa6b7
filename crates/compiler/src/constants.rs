//! Constants: reading and assigning, with and without a scope.

use bytecode::{Intrinsic, Opcode};
use memory::ToVector;
use ruby_prism::{ConstantPathNode, ConstantPathWriteNode, ConstantWriteNode, Node, ShareableConstantNode};

use crate::analysis::is_plain_literal;
use crate::builder::Register;
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::Span;

/// The constant to which RUBY_ENGINE resolves in files of installed gems.
const ENGINE_OF_GEMS: &[u8] = b"BENI_ENGINE_OF_GEMS";

/// Values of [`Compiler::shareable`] and of the intrinsic's second argument.
const LITERAL: i32 = 1;
const EVERYTHING: i32 = 2;
/// Larger literals are checked as a whole after they are built.
const MOST: usize = 256;

/// Alternating keys and values; `None` if something is merged in.
fn pairs<'pr>(elements: impl Iterator<Item = Node<'pr>>) -> Option<Vec<Node<'pr>>> {
    let mut all = Vec::new();
    for element in elements {
        let pair = element.as_assoc_node()?;
        all.extend([pair.key(), pair.value()]);
    }
    Some(all)
}

/// A constant as messages name it: `A::B`, `::A`, and `...::A` if it is that of any other expression.
pub fn path_text(node: &ConstantPathNode<'_>) -> Vec<u8> {
    let own_name = |node: &ConstantPathNode<'_>| node.name().map_or(Vec::new(), |name| name.as_slice().to_vector());
    let (mut text, mut parent) = (own_name(node), node.parent());
    while let Some(node) = parent {
        let (name, outer) = match (node.as_constant_path_node(), node.as_constant_read_node()) {
            (Some(path), _) => (own_name(&path), path.parent()),
            (None, Some(read)) => return [read.name().as_slice(), b"::", &text].concat(),
            (None, None) => return [b"...::", &text[..]].concat(),
        };
        text = [&name[..], b"::", &text].concat();
        parent = outer;
    }
    [b"::", &text[..]].concat()
}

/// Whether it is a literal without parts, one with interpolation, or a range of such literals.
fn is_literal(node: &Node<'_>) -> bool {
    if let Some(range) = node.as_range_node() {
        return [range.left(), range.right()].iter().flatten().all(is_literal);
    }
    if let Some(inner) = node.as_parentheses_node().and_then(|p| p.body()).and_then(|body| body.as_statements_node()) {
        return inner.body().len() == 1 && inner.body().iter().all(|only| is_literal(&only));
    }
    is_plain_literal(node)
        || matches!(
            node,
            Node::InterpolatedStringNode { .. }
                | Node::InterpolatedSymbolNode { .. }
                | Node::InterpolatedRegularExpressionNode { .. }
        )
}

impl<'pr> Compiler<'pr> {
    pub fn read_constant(&mut self, name: &[u8], to: Wanted) {
        let to = self.wanted_or_scratch(to);
        let name = if self.is_engine_of_gem(name) { ENGINE_OF_GEMS } else { name };
        let site = self.constant_site(name);
        self.emit_wide(Opcode::GetConstant, to, site);
    }

    pub fn constant_path(&mut self, node: &ConstantPathNode<'pr>, to: Wanted) {
        let name = node.name().map_or(&b""[..], |n| n.as_slice());
        if node.parent().is_none() && self.is_engine_of_gem(name) {
            return self.read_constant(name, to);
        }
        let to = self.wanted_or_scratch(to);
        let parent = self.constant_parent(node.parent());
        self.at(Span { start: node.delimiter_loc().start(), end: node.name_loc().end() });
        self.read_constant_from(parent, name, to);
    }

    fn is_engine_of_gem(&self, name: &[u8]) -> bool {
        self.unit.options.of_gem && name == b"RUBY_ENGINE"
    }

    /// The scope of a path: an expression, or Object for a leading `::`.
    pub fn constant_parent(&mut self, parent: Option<Node<'pr>>) -> Register {
        match parent {
            Some(parent) => self.operand(&parent),
            None => {
                let register = self.temporary();
                self.intrinsic(register, register, Intrinsic::ObjectClass);
                register
            }
        }
    }

    pub fn read_constant_from(&mut self, parent: Register, name: &[u8], to: Register) {
        let site = self.constant_site(name);
        self.emit_indexed(Opcode::GetConstantFrom, to, parent, site);
    }

    pub fn write_constant(&mut self, node: &ConstantWriteNode<'pr>, to: Wanted) {
        self.keeping(to, |c, kept| {
            let value = c.constant_value(&node.value(), kept, node.name().as_slice());
            c.at(node.location());
            c.set_lexical_constant(node.name().as_slice(), value);
        });
    }

    /// `NAME = value` in the lexical class.
    pub fn set_lexical_constant(&mut self, name: &[u8], value: Register) {
        let scope = self.temporary();
        self.load_undef(scope);
        self.set_constant(scope, name, value);
    }

    pub fn set_constant(&mut self, scope: Register, name: &[u8], value: Register) {
        let name = self.symbol_literal(name);
        self.emit_indexed(Opcode::SetConstant, value, scope, name);
    }

    pub fn write_constant_path(&mut self, node: &ConstantPathWriteNode<'pr>, to: Wanted) {
        self.keeping(to, |c, kept| {
            let target = node.target();
            let parent = match target.parent() {
                Some(parent) => c.operand_before(&parent, &[&node.value()]),
                None => c.constant_parent(None),
            };
            let value = c.constant_value(&node.value(), kept, &path_text(&target));
            c.at(node.location());
            c.set_constant(parent, target.name().map_or(&b""[..], |n| n.as_slice()), value);
        });
    }

    /// A constant's assignment under `# shareable_constant_value:`.
    pub fn shareable_constant(&mut self, node: &ShareableConstantNode<'pr>, to: Wanted) {
        let flags = node.is_literal() as i32
            | (node.is_experimental_everything() as i32) << 1
            | (node.is_experimental_copy() as i32) << 2;
        let former = std::mem::replace(&mut self.shareable, flags);
        self.compile(&node.write(), to);
        self.shareable = former;
    }

    /// The value assigned to the constant with that name.
    fn constant_value(&mut self, value: &Node<'pr>, kept: Wanted, name: &[u8]) -> Register {
        if self.shareable != LITERAL {
            let value = self.value_for_assignment(value, kept);
            return self.shareable_value(value);
        }
        let to = self.temporary();
        self.shareable_literal(value, to, name);
        if let Some(kept) = kept {
            self.move_to(kept, to);
        }
        to
    }

    /// An expression whose value becomes that of the constant with that name.
    pub fn shareable_by_comment(&mut self, value: &Node<'pr>, to: Register, name: &[u8]) {
        if self.shareable == LITERAL { self.shareable_literal(value, to, name) } else { self.expression(value, to) }
    }

    /// A literal is made shareable with its nested literals; anything else must already be shareable.
    fn shareable_literal(&mut self, node: &Node<'pr>, to: Register, name: &[u8]) {
        let elements: Option<Vec<Node<'pr>>> = match node {
            Node::ArrayNode { .. } => node.as_array_node().map(|array| array.elements().iter().collect()),
            Node::HashNode { .. } => node.as_hash_node().and_then(|hash| pairs(hash.elements().iter())),
            _ => None,
        };
        let is_plain = |elements: &Vec<Node<'pr>>| {
            let merged = |e: &Node<'pr>| matches!(e, Node::SplatNode { .. } | Node::KeywordHashNode { .. });
            elements.len() <= MOST && !elements.iter().any(merged)
        };
        if let Some(elements) = elements.filter(is_plain) {
            let mark = self.mark();
            let first = self.temporaries(elements.len().max(1));
            for (i, element) in elements.iter().enumerate() {
                self.shareable_literal(element, first + i as Register, name);
            }
            let opcode = if matches!(node, Node::HashNode { .. }) { Opcode::NewHash } else { Opcode::NewArray };
            self.emit(opcode, to, first, elements.len() as u16);
            self.release(mark);
            return self.make_shareable(to, |c, how| c.load_int(how, EVERYTHING));
        }
        self.expression(node, to);
        if is_literal(node) {
            self.make_shareable(to, |c, how| c.load_int(how, EVERYTHING));
        } else {
            let name = bytecode::Literal::Symbol(self.symbol_of(name));
            self.make_shareable(to, |c, how| c.load_literal(how, name));
        }
    }

    /// Calls the intrinsic on `value`; `how` loads its second argument.
    fn make_shareable(&mut self, value: Register, how: impl FnOnce(&mut Self, Register)) {
        let mark = self.mark();
        let first = self.temporaries(2);
        self.move_to(first, value);
        how(self, first + 1);
        self.intrinsic(value, first, Intrinsic::MakeShareable);
        self.release(mark);
    }

    /// The value of a constant, made shareable if a magic comment requires it.
    pub fn shareable_value(&mut self, value: Register) -> Register {
        if self.shareable == 0 {
            return value;
        }
        let first = self.temporaries(2);
        self.move_to(first, value);
        let how = self.shareable;
        self.load_int(first + 1, how);
        self.intrinsic(first, first, Intrinsic::MakeShareable);
        first
    }
}
