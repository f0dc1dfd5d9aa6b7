//! `def`, `alias`, `undef`.

use bytecode::{Events, Intrinsic, Kind, Opcode, Sequence};
use ruby_prism::{AliasGlobalVariableNode, AliasMethodNode, DefNode, Node, UndefNode};

use crate::builder::Register;
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::{Span, span};

impl<'pr> Compiler<'pr> {
    pub fn define_method(&mut self, node: &DefNode<'pr>, to: Wanted) {
        let child = self.method(node);
        let name = node.name().as_slice();
        let to = self.wanted_or_scratch(to);
        match node.receiver() {
            Some(receiver) => {
                let object = self.next_temporary();
                self.expression(&receiver, object);
                self.at(node.location());
                self.emit_definition(Opcode::DefineSingletonMethod, object, child, name);
                self.move_to(to, object);
            }
            None => {
                self.at(node.location());
                self.emit_definition(Opcode::DefineMethod, to, child, name);
            }
        }
    }

    fn emit_definition(&mut self, opcode: Opcode, to: Register, child: u32, name: &[u8]) {
        let literal = self.symbol_literal(name);
        if let (Ok(child), Ok(literal)) = (u16::try_from(child), u16::try_from(literal)) {
            return self.emit(opcode, to, child, literal);
        }
        let mark = self.mark();
        self.reserve(to);
        let name = self.temporary();
        self.emit_wide(Opcode::LoadLiteral, name, literal);
        self.emit(Opcode::Wide, to, name, opcode as u16);
        self.emit_wide(Opcode::Extension, 0, child);
        self.release(mark);
    }

    fn method(&mut self, node: &DefNode<'pr>) -> u32 {
        let place = span(&node.as_node());
        let heading = self.heading(memory::lossy_text(node.name().as_slice()), place);
        let facts = self.facts_of("DefNode", place);
        let mut sequence = self.sequence(Kind::Method, heading, facts, |c| {
            c.at(Span { start: place.start, end: node.name_loc().end() });
            c.event(Events::CALL);
            c.count_call();
            if node.parameters().is_none() {
                c.declare_rest_of(&node.locals());
                c.declare_flip_flops();
            } else {
                c.parameters(node.parameters(), &node.locals(), &[]);
            }
            c.body(node.body());
        });
        if self.errors.is_empty() && !self.scopes.iter().any(|scope| scope.kind == Kind::Method) {
            self.defer_body(&mut sequence);
        }
        self.add_child(sequence)
    }

    fn defer_body(&mut self, method: &mut Sequence) {
        let Some(bodies) = &mut self.bodies else { return };
        #[cfg(debug_assertions)]
        if let Err(message) = bytecode::verify::verify(method) {
            panic!("the compiler made bad code of {}: {message}", method.name);
        }
        bodies.take(method);
    }

    pub fn alias_method(&mut self, node: &AliasMethodNode<'pr>, to: Wanted) {
        let window = self.temporaries(2);
        self.expression(&node.new_name(), window);
        self.expression(&node.old_name(), window + 1);
        self.at(node.location());
        self.intrinsic(window, window, Intrinsic::Alias);
        self.nil(to);
    }

    pub fn alias_global(&mut self, node: &AliasGlobalVariableNode<'pr>, to: Wanted) {
        let window = self.temporaries(2);
        self.global_name(&node.new_name(), window);
        self.global_name(&node.old_name(), window + 1);
        self.at(node.location());
        self.intrinsic(window, window, Intrinsic::AliasGlobal);
        self.nil(to);
    }

    fn global_name(&mut self, node: &Node<'pr>, to: Register) {
        let name = node.location().as_slice();
        self.load_symbol(to, name);
    }

    pub fn undef(&mut self, node: &UndefNode<'pr>, to: Wanted) {
        for name in node.names().iter() {
            let window = self.next_temporary();
            self.expression(&name, window);
            self.at(name.location());
            self.intrinsic(window, window, Intrinsic::Undefine);
        }
        self.nil(to);
    }
}
