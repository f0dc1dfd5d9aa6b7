//! `class`, `module`, `class << self`.

use bytecode::{Events, Intrinsic, Kind, Opcode};
use ruby_prism::{ClassNode, ConstantList, ModuleNode, Node, SingletonClassNode};

use crate::builder::{Register, SINGLETON_CLASS};
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::jumps::{Carried, Escape};
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
        let name = format!("<class:{}>", memory::lossy_text(node.name().as_slice()));
        self.class_body("ClassNode", name, span(&node.as_node()), &node.locals(), node.body(), window);
        self.class_value(window, to);
    }

    pub fn module(&mut self, node: &ModuleNode<'pr>, to: Wanted) {
        let window = self.temporaries(2);
        self.class_path(&node.constant_path(), window);
        self.at(node.constant_path().location());
        self.intrinsic(window, window, Intrinsic::OpenModule);
        let name = format!("<module:{}>", memory::lossy_text(node.name().as_slice()));
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
        if self.unit.facts.get(&(node_kind, place.start)).is_some_and(|facts| facts.is_left) {
            self.after_class_body(class, place);
        }
    }

    /// Leaves a class body that contains jumps out of it: its value is an Array, which `after_class_body` takes apart.
    pub fn leave_class_body(&mut self, value: Register, how: Option<Escape>) {
        let mark = self.mark();
        let row = self.temporaries(3);
        self.move_to(row, value);
        match how {
            None => self.load_nil(row + 1),
            Some(how) => {
                self.load_bool(row + 1, how == Escape::Break);
                self.load_bool(row + 2, how == Escape::Redo);
            }
        }
        let length = if how.is_some() { 3 } else { 2 };
        self.emit(Opcode::NewArray, row, row, length);
        self.emit_leave(Opcode::Return, row);
        self.release(mark);
    }

    /// `class` = the value of a class body that was not left by a jump; otherwise continues the jump.
    fn after_class_body(&mut self, class: Register, place: Span) {
        let mark = self.mark();
        let row = self.temporaries(3);
        self.emit(Opcode::Expand, row, class, 3);
        self.emit(Opcode::Extension, 0, 0, 0);
        self.move_to(class, row);
        if !self.can_leave_class_body() {
            return self.release(mark);
        }
        let (ended, next, redo) = (self.label(), self.label(), self.label());
        self.jump_on(Opcode::JumpNil, row + 1, ended);
        self.jump_on(Opcode::JumpUnless, row + 1, next);
        self.leave(Escape::Break, Carried::Register(row), place);
        self.bind(next);
        self.jump_on(Opcode::JumpIf, row + 2, redo);
        self.leave(Escape::Next, Carried::Register(row), place);
        self.bind(redo);
        self.leave(Escape::Redo, Carried::Register(row), place);
        self.bind(ended);
        self.release(mark);
    }

    fn class_value(&mut self, class: Register, to: Wanted) {
        if let Some(to) = to {
            self.move_to(to, class);
        }
    }
}
