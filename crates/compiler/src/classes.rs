//! `class`, `module`, `class << self`.

use bytecode::{Events, Intrinsic, Kind, Opcode};
use ruby_prism::{ClassNode, ConstantList, ModuleNode, Node, SingletonClassNode};

use crate::builder::{Register, SINGLETON_CLASS};
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::{Span, span};

impl<'pr> Compiler<'pr> {
    pub fn class(&mut self, node: &ClassNode<'pr>, to: Wanted) {
        let window = self.temporaries(3);
        self.class_path(&node.constant_path(), window);
        match node.superclass() {
            Some(superclass) => self.expression(&superclass, window + 2),
            None => self.load_undef(window + 2),
        }
        self.at(node.constant_path().location());
        self.intrinsic(window, window, Intrinsic::OpenClass);
        let name = format!("<class:{}>", String::from_utf8_lossy(node.name().as_slice()));
        self.class_body("ClassNode", name, span(&node.as_node()), &node.locals(), node.body(), window);
        self.class_value(window, to);
    }

    pub fn module(&mut self, node: &ModuleNode<'pr>, to: Wanted) {
        let window = self.temporaries(2);
        self.class_path(&node.constant_path(), window);
        self.at(node.constant_path().location());
        self.intrinsic(window, window, Intrinsic::OpenModule);
        let name = format!("<module:{}>", String::from_utf8_lossy(node.name().as_slice()));
        self.class_body("ModuleNode", name, span(&node.as_node()), &node.locals(), node.body(), window);
        self.class_value(window, to);
    }

    pub fn singleton_class(&mut self, node: &SingletonClassNode<'pr>, to: Wanted) {
        let window = self.temporary();
        self.expression(&node.expression(), window);
        self.at(node.expression().location());
        self.intrinsic(window, window, Intrinsic::SingletonClass);
        let name = SINGLETON_CLASS.to_string();
        self.class_body("SingletonClassNode", name, span(&node.as_node()), &node.locals(), node.body(), window);
        self.class_value(window, to);
    }

    /// Loads the scope and the name of `class A::B` into two registers.
    fn class_path(&mut self, path: &Node<'pr>, window: Register) {
        match path.as_constant_path_node() {
            Some(path) => {
                match path.parent() {
                    Some(parent) => self.expression(&parent, window),
                    None => self.intrinsic(window, window, Intrinsic::ObjectClass),
                }
                self.load_symbol(window + 1, path.name().map_or(&b""[..], |n| n.as_slice()));
            }
            None => {
                self.load_undef(window);
                let name = path.as_constant_read_node().map_or(&b""[..], |n| n.name().as_slice());
                self.load_symbol(window + 1, name);
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn class_body(
        &mut self,
        node_kind: &'static str,
        name: String,
        place: Span,
        locals: &ConstantList<'pr>,
        body: Option<Node<'pr>>,
        class: Register,
    ) {
        let heading = self.heading(name, place);
        let facts = self.facts_of(node_kind, place);
        let sequence = self.sequence(Kind::Class, heading, facts, |c| {
            c.at(place);
            if c.scope().heading.name != SINGLETON_CLASS {
                c.event(Events::CLASS);
            }
            c.declare_rest_of(locals);
            c.declare_flip_flops();
            c.body(body);
        });
        let child = self.add_child(sequence);
        self.at(place);
        self.emit_wide(Opcode::ClassBody, class, child);
    }

    fn class_value(&mut self, class: Register, to: Wanted) {
        if let Some(to) = to {
            self.move_to(to, class);
        }
    }
}
