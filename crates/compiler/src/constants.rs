//! Constants: reading and assigning, with and without a scope.

use bytecode::{Intrinsic, Opcode};
use ruby_prism::{ConstantPathNode, ConstantPathWriteNode, ConstantWriteNode, Node, ShareableConstantNode};

use crate::builder::Register;
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::Span;

/// What RUBY_ENGINE is in the files of installed gems.
const ENGINE_OF_GEMS: &[u8] = b"BENI_ENGINE_OF_GEMS";

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
        let site = self.narrow(site);
        self.emit(Opcode::GetConstantFrom, to, parent, site);
    }

    pub fn write_constant(&mut self, node: &ConstantWriteNode<'pr>, to: Wanted) {
        self.keeping(to, |c, kept| {
            let value = c.value_for_assignment(&node.value(), kept);
            let value = c.shareable_value(value);
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
        let name = self.narrow_symbol(name);
        self.emit(Opcode::SetConstant, value, scope, name);
    }

    pub fn write_constant_path(&mut self, node: &ConstantPathWriteNode<'pr>, to: Wanted) {
        self.keeping(to, |c, kept| {
            let target = node.target();
            let parent = match target.parent() {
                Some(parent) => c.operand_before(&parent, &[&node.value()]),
                None => c.constant_parent(None),
            };
            let value = c.value_for_assignment(&node.value(), kept);
            let value = c.shareable_value(value);
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

    /// The value of a constant, made shareable where a magic comment says so.
    pub fn shareable_value(&mut self, value: Register) -> Register {
        if self.shareable == 0 {
            return value;
        }
        let first = self.temporaries(2);
        self.move_to(first, value);
        self.load_int(first + 1, self.shareable);
        self.intrinsic(first, first, Intrinsic::MakeShareable);
        first
    }
}
