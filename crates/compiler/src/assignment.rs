//! Assignment to variables, plain and with an operator.

use bytecode::{Intrinsic, Opcode};
use memory::ToVector;
use ruby_prism::{
    CallNode, ClassVariableWriteNode, GlobalVariableWriteNode, InstanceVariableWriteNode, LocalVariableWriteNode,
    MatchWriteNode, Node,
};

use crate::builder::{Register, Variable};
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::{Span, span};

/// The target of an operator assignment: a variable or constant.
pub(crate) enum Place {
    Local(Variable),
    Ivar(Vec<u8>),
    ClassVariable(Vec<u8>),
    Global(Vec<u8>),
    /// A constant in the lexical class.
    Constant(Vec<u8>),
    ConstantFrom(Register, Vec<u8>),
}

impl<'pr> Compiler<'pr> {
    /// Compiles with a register that may hold the value before everything is evaluated: `to`, unless it is a local,
    /// whose old value must remain visible until the end.
    pub fn keeping(&mut self, to: Wanted, compile: impl FnOnce(&mut Self, Wanted)) {
        match to {
            Some(local) if self.is_local(local) => {
                let kept = self.temporary();
                compile(self, Some(kept));
                self.move_to(local, kept);
            }
            Some(temporary) => {
                self.reserve(temporary);
                compile(self, to);
            }
            None => compile(self, None),
        }
    }

    /// The value of an assignment: in `kept` if it is wanted, otherwise in any register.
    pub fn value_for_assignment(&mut self, value: &Node<'pr>, kept: Wanted) -> Register {
        match kept {
            Some(kept) => {
                self.expression(value, kept);
                kept
            }
            None => self.operand(value),
        }
    }

    pub fn write_local(&mut self, node: &LocalVariableWriteNode<'pr>, to: Wanted) {
        let variable = self.variable(node.name().as_slice(), node.depth());
        let value = node.value();
        if variable.level == 0 {
            self.expression(&value, variable.register);
            if let Some(to) = to {
                self.move_to(to, variable.register);
            }
        } else {
            self.keeping(to, |c, kept| {
                let from = c.value_for_assignment(&value, kept);
                c.write_variable(variable, from);
            });
        }
    }

    pub fn write_ivar(&mut self, node: &InstanceVariableWriteNode<'pr>, to: Wanted) {
        let place = Place::Ivar(node.name().as_slice().to_vector());
        self.write_value(place, &node.value(), span(&node.as_node()), to);
    }

    /// The assignment itself.
    pub fn set_ivar(&mut self, node: &InstanceVariableWriteNode<'pr>, value: Register) {
        self.at(node.location());
        self.write_place(&Place::Ivar(node.name().as_slice().to_vector()), value);
    }

    pub fn write_class_variable(&mut self, node: &ClassVariableWriteNode<'pr>, to: Wanted) {
        let place = Place::ClassVariable(node.name().as_slice().to_vector());
        self.write_value(place, &node.value(), span(&node.as_node()), to);
    }

    pub fn write_global(&mut self, node: &GlobalVariableWriteNode<'pr>, to: Wanted) {
        let place = Place::Global(node.name().as_slice().to_vector());
        self.write_value(place, &node.value(), span(&node.as_node()), to);
    }

    fn write_value(&mut self, place: Place, value: &Node<'pr>, at: Span, to: Wanted) {
        self.keeping(to, |c, kept| {
            let from = c.value_for_assignment(value, kept);
            c.at(at);
            c.write_place(&place, from);
        });
    }

    pub fn read_place(&mut self, place: &Place, to: Register) {
        match place {
            Place::Local(variable) => self.read_variable(*variable, to),
            Place::Ivar(name) => self.read_ivar(name, Some(to)),
            Place::ClassVariable(name) => self.read_class_variable(name, Some(to)),
            Place::Global(name) => self.read_global(name, Some(to)),
            Place::Constant(name) => self.read_constant(name, Some(to)),
            Place::ConstantFrom(scope, name) => self.read_constant_from(*scope, name, to),
        }
    }

    pub fn write_place(&mut self, place: &Place, from: Register) {
        match place {
            Place::Local(variable) => self.write_variable(*variable, from),
            Place::Ivar(name) => {
                let site = self.ivar_site(name);
                self.emit_wide(Opcode::SetIvar, from, site);
            }
            Place::ClassVariable(name) => {
                let site = self.constant_site(name);
                self.emit_wide(Opcode::SetClassVariable, from, site);
            }
            Place::Global(name) => {
                let name = self.symbol_literal(name);
                self.emit_wide(Opcode::SetGlobal, from, name);
            }
            Place::Constant(name) => {
                let value = self.shareable_value(from);
                self.set_lexical_constant(name, value);
            }
            Place::ConstantFrom(scope, name) => {
                let value = self.shareable_value(from);
                self.set_constant(*scope, name, value);
            }
        }
    }

    /// `/(?<name>…)/ =~ string`: the captures are assigned to locals.
    pub fn match_write(&mut self, node: &MatchWriteNode<'pr>, to: Wanted) {
        let call: CallNode<'pr> = node.call();
        self.keeping(to, |c, kept| {
            c.call(&call, kept);
            let mark = c.mark();
            let targets: Vec<Node<'pr>> = node.targets().iter().collect();
            let names: Vec<bytecode::Literal> = targets
                .iter()
                .filter_map(|t| {
                    Some(bytecode::Literal::Symbol(c.symbol_of(t.as_local_variable_target_node()?.name().as_slice())))
                })
                .collect();
            let window = c.temporaries(2);
            let number = c.next_temporary();
            c.load_int(number, 0);
            c.intrinsic(window, number, Intrinsic::BackReference);
            let literal = c.literal(bytecode::Literal::Array(names));
            c.emit_wide(Opcode::DuplicateLiteral, window + 1, literal);
            c.intrinsic(window, window, Intrinsic::NamedCaptures);
            c.release(window as u32 + 1);
            let values = c.temporaries(targets.len());
            c.emit(Opcode::Expand, values, window, targets.len() as u16);
            c.emit(Opcode::Extension, 0, 0, 0);
            for (index, target) in targets.iter().enumerate() {
                if let Some(t) = target.as_local_variable_target_node() {
                    let variable = c.variable(t.name().as_slice(), t.depth());
                    c.write_variable(variable, values + index as Register);
                }
            }
            c.release(mark);
        });
    }
}
