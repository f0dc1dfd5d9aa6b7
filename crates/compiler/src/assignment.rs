//! Assignment to variables, plain and with an operator.

use bytecode::{Intrinsic, Opcode};
use ruby_prism::{
    CallNode, ClassVariableWriteNode, GlobalVariableWriteNode, InstanceVariableWriteNode, LocalVariableWriteNode,
    MatchWriteNode, Node,
};

use crate::builder::{Register, Variable};
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::{Span, span};

/// A variable or constant, as operator assignments see it.
pub(crate) enum Place {
    Local(Variable),
    Ivar(Vec<u8>),
    ClassVariable(Vec<u8>),
    Global(Vec<u8>),
    /// In the lexical class.
    Constant(Vec<u8>),
    ConstantFrom(Register, Vec<u8>),
}

/// What `op=` does: an operator's method, `||` or `&&`.
#[derive(Clone, Copy)]
pub(crate) enum Update<'pr> {
    /// The name, and where it stands (without the `=`).
    Operator(&'pr [u8], Span),
    Or,
    And,
}

impl<'pr> Compiler<'pr> {
    /// Compiles with a register that may hold the value before all is done: `to`, unless it is a local, whose old value must be seen till the end.
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

    /// The value of an assignment: in `kept` where it is wanted, else wherever it is.
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
        let place = Place::Ivar(node.name().as_slice().to_vec());
        self.write_value(place, &node.value(), span(&node.as_node()), to);
    }

    /// The assignment itself.
    pub fn set_ivar(&mut self, node: &InstanceVariableWriteNode<'pr>, value: Register) {
        self.at(node.location());
        self.write_place(&Place::Ivar(node.name().as_slice().to_vec()), value);
    }

    pub fn write_class_variable(&mut self, node: &ClassVariableWriteNode<'pr>, to: Wanted) {
        let place = Place::ClassVariable(node.name().as_slice().to_vec());
        self.write_value(place, &node.value(), span(&node.as_node()), to);
    }

    pub fn write_global(&mut self, node: &GlobalVariableWriteNode<'pr>, to: Wanted) {
        let place = Place::Global(node.name().as_slice().to_vec());
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
                let name = self.symbol_literal(name);
                self.emit_wide(Opcode::SetClassVariable, from, name);
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

    /// `x op= v`, `x ||= v`, `x &&= v` of variables and constants; false if the node is none of them (or of the attribute forms).
    pub fn operator_write(&mut self, node: &Node<'pr>, to: Wanted) -> bool {
        macro_rules! update {
            ($cast:ident, $place:expr, $update:expr) => {
                if let Some(n) = node.$cast() {
                    #[allow(clippy::redundant_closure_call)]
                    let place = ($place)(&mut *self, &n);
                    #[allow(clippy::redundant_closure_call)]
                    let update = ($update)(&n);
                    self.update(place, update, &n.value(), span(node), to);
                    return true;
                }
            };
        }
        macro_rules! family {
            ($operator:ident, $or:ident, $and:ident, $place:expr) => {
                update!($operator, $place, |n: &_| {
                    let (name, place) = binary_operator(n);
                    Update::Operator(name, place)
                });
                update!($or, $place, |_: &_| Update::Or);
                update!($and, $place, |_: &_| Update::And);
            };
        }
        macro_rules! named {
            ($variant:ident) => {
                |_: &mut Self, n: &_| Place::$variant(name_of(n))
            };
        }
        family!(
            as_local_variable_operator_write_node,
            as_local_variable_or_write_node,
            as_local_variable_and_write_node,
            |c: &mut Self, n: &_| local_place(c, n)
        );
        family!(
            as_instance_variable_operator_write_node,
            as_instance_variable_or_write_node,
            as_instance_variable_and_write_node,
            named!(Ivar)
        );
        family!(
            as_class_variable_operator_write_node,
            as_class_variable_or_write_node,
            as_class_variable_and_write_node,
            named!(ClassVariable)
        );
        family!(
            as_global_variable_operator_write_node,
            as_global_variable_or_write_node,
            as_global_variable_and_write_node,
            named!(Global)
        );
        family!(
            as_constant_operator_write_node,
            as_constant_or_write_node,
            as_constant_and_write_node,
            named!(Constant)
        );
        self.path_or_attribute_write(node, to)
    }

    pub fn update(&mut self, place: Place, update: Update<'pr>, value: &Node<'pr>, at: Span, to: Wanted) {
        match update {
            Update::Operator(name, operator) => self.operate(place, name, operator, value, at, to),
            Update::Or => self.assign_unless_set(place, value, at, to),
            Update::And => self.assign_if(place, Opcode::JumpUnless, value, at, to),
        }
    }

    fn operate(&mut self, place: Place, name: &'pr [u8], operator: Span, value: &Node<'pr>, at: Span, to: Wanted) {
        if let Place::Local(Variable { level: 0, register, is_block_parameter: false }) = place {
            let left = if crate::analysis::is_inert(value) { register } else { self.copy(register) };
            self.binary(name, register, left, value, operator);
            if let Some(to) = to {
                self.move_to(to, register);
            }
            return;
        }
        self.keeping(to, |c, kept| {
            let result = kept.unwrap_or_else(|| c.temporary());
            c.at(at);
            c.read_place(&place, result);
            c.binary(name, result, result, value, operator);
            c.at(at);
            c.write_place(&place, result);
        });
    }

    fn copy(&mut self, register: Register) -> Register {
        let copy = self.temporary();
        self.move_to(copy, register);
        copy
    }

    /// `x ||= v`: an undefined global, class variable or constant is as good as nil.
    fn assign_unless_set(&mut self, place: Place, value: &Node<'pr>, at: Span, to: Wanted) {
        let defined = match &place {
            Place::ClassVariable(name) => Some((Intrinsic::DefinedClassVariable, name.clone(), None)),
            Place::Global(name) => Some((Intrinsic::DefinedGlobal, name.clone(), None)),
            Place::Constant(name) => Some((Intrinsic::DefinedConstant, name.clone(), None)),
            Place::ConstantFrom(scope, name) => Some((Intrinsic::DefinedConstantFrom, name.clone(), Some(*scope))),
            Place::Local(_) | Place::Ivar(_) => None,
        };
        let Some((intrinsic, name, scope)) = defined else {
            return self.assign_if(place, Opcode::JumpIf, value, at, to);
        };
        self.keeping(to, |c, kept| {
            let current = kept.unwrap_or_else(|| c.temporary());
            let (assign, end) = (c.label(), c.label());
            let mark = c.mark();
            c.at(at);
            let window = c.temporaries(intrinsic.arguments());
            if let Some(scope) = scope {
                c.move_to(window, scope);
            }
            c.load_symbol(window + intrinsic.arguments() as Register - 1, &name);
            c.intrinsic(current, window, intrinsic);
            c.release(mark);
            c.jump_on(Opcode::JumpUnless, current, assign);
            c.read_place(&place, current);
            c.jump_on(Opcode::JumpIf, current, end);
            c.bind(assign);
            c.expression(value, current);
            c.at(at);
            c.write_place(&place, current);
            c.bind(end);
        });
    }

    /// Assigns unless the jump (on the current value) is taken.
    fn assign_if(&mut self, place: Place, skip: Opcode, value: &Node<'pr>, at: Span, to: Wanted) {
        let end = self.label();
        if let Place::Local(Variable { level: 0, register, is_block_parameter: false }) = place {
            self.jump_on(skip, register, end);
            self.expression(value, register);
            self.bind(end);
            if let Some(to) = to {
                self.move_to(to, register);
            }
            return;
        }
        self.keeping(to, |c, kept| {
            let current = kept.unwrap_or_else(|| c.temporary());
            c.at(at);
            c.read_place(&place, current);
            c.jump_on(skip, current, end);
            c.expression(value, current);
            c.at(at);
            c.write_place(&place, current);
            c.bind(end);
        });
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

/// Nodes that carry a name (and for the operator forms the operator).
trait Named<'pr> {
    fn plain_name(&self) -> &'pr [u8];
}

trait Operated<'pr> {
    fn operator(&self) -> (&'pr [u8], Span);
}

trait Deep {
    fn scope_depth(&self) -> u32;
}

fn name_of<'pr>(node: &impl Named<'pr>) -> Vec<u8> {
    node.plain_name().to_vec()
}

fn binary_operator<'pr>(node: &impl Operated<'pr>) -> (&'pr [u8], Span) {
    node.operator()
}

fn local_place<'pr, N: Named<'pr> + Deep>(compiler: &mut Compiler<'pr>, node: &N) -> Place {
    Place::Local(compiler.variable(node.plain_name(), node.scope_depth()))
}

macro_rules! named {
    ($($node:ident)*) => { $(
        impl<'pr> Named<'pr> for ruby_prism::$node<'pr> {
            fn plain_name(&self) -> &'pr [u8] {
                self.name().as_slice()
            }
        }
    )* };
}
macro_rules! operated {
    ($($node:ident)*) => { $(
        impl<'pr> Operated<'pr> for ruby_prism::$node<'pr> {
            fn operator(&self) -> (&'pr [u8], Span) {
                (self.binary_operator().as_slice(), self.binary_operator_loc().chop().into())
            }
        }
    )* };
}
macro_rules! deep {
    ($($node:ident)*) => { $(
        impl Deep for ruby_prism::$node<'_> {
            fn scope_depth(&self) -> u32 {
                self.depth()
            }
        }
    )* };
}

named! {
    LocalVariableOperatorWriteNode LocalVariableOrWriteNode LocalVariableAndWriteNode
    InstanceVariableOperatorWriteNode InstanceVariableOrWriteNode InstanceVariableAndWriteNode
    ClassVariableOperatorWriteNode ClassVariableOrWriteNode ClassVariableAndWriteNode
    GlobalVariableOperatorWriteNode GlobalVariableOrWriteNode GlobalVariableAndWriteNode
    ConstantOperatorWriteNode ConstantOrWriteNode ConstantAndWriteNode
}
operated! {
    LocalVariableOperatorWriteNode InstanceVariableOperatorWriteNode ClassVariableOperatorWriteNode
    GlobalVariableOperatorWriteNode ConstantOperatorWriteNode
}
deep! { LocalVariableOperatorWriteNode LocalVariableOrWriteNode LocalVariableAndWriteNode }
