//! `op=`, `||=` and `&&=` of variables and constants.

use bytecode::{Intrinsic, Opcode};
use memory::ToVector;
use ruby_prism::Node;

use crate::assignment::Place;
use crate::builder::{Register, Variable};
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::{Span, span};

/// The operator before `=`: a method, `||` or `&&`.
#[derive(Clone, Copy)]
pub(crate) enum Update<'pr> {
    /// The name and its span (without the `=`).
    Operator(&'pr [u8], Span),
    Or,
    And,
}

impl<'pr> Compiler<'pr> {
    /// `x op= v`, `x ||= v`, `x &&= v` of variables and constants; false if the node is none of them (or of the
    /// attribute forms).
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

    /// `x ||= v`: an undefined global, class variable or constant counts as nil.
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
            c.assigned_value(&place, value, current);
            c.at(at);
            c.write_place(&place, current);
            c.bind(end);
        });
    }

    /// The value to be assigned, which must be shareable if a magic comment says so for constants.
    fn assigned_value(&mut self, place: &Place, value: &Node<'pr>, to: Register) {
        match (place, self.shareable_path.take()) {
            (Place::ConstantFrom(..), Some(path)) => self.shareable_by_comment(value, to, &path),
            (Place::Constant(name), _) => self.shareable_by_comment(value, to, name),
            _ => self.expression(value, to),
        }
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
            c.assigned_value(&place, value, current);
            c.at(at);
            c.write_place(&place, current);
            c.bind(end);
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
    node.plain_name().to_vector()
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
