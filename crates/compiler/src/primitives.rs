//! `Primitive.name(…)` in the Ruby half of core classes: runs an intrinsic; programs can neither see nor redefine it.

use bytecode::Intrinsic;
use ruby_prism::{CallNode, Node};

use crate::builder::Register;
use crate::calls::argument_list;
use crate::compiler::Compiler;
use crate::expression::Wanted;

impl<'pr> Compiler<'pr> {
    /// Compiles the call if it calls an intrinsic; otherwise returns false.
    pub fn primitive_call(&mut self, node: &CallNode<'pr>, to: Wanted) -> bool {
        if !self.is_ruby_half() {
            return false;
        }
        let is_primitive = is_primitive(node);
        if !is_primitive {
            return false;
        }
        let name = camel_case(node.name().as_slice());
        let arguments = argument_list(&node.arguments());
        let Some(intrinsic) = Intrinsic::ALL.iter().copied().find(|i| i.name() == name) else {
            self.fail(node.location().into(), &format!("no intrinsic {name}"));
            return true;
        };
        if arguments.len() != intrinsic.arguments() {
            self.fail(node.location().into(), &format!("intrinsic {name} takes {} arguments", intrinsic.arguments()));
            return true;
        }
        let mark = self.mark();
        let (first, target) = match self.side_by_side(&arguments) {
            Some(first) => (first, self.wanted_or_scratch(to)),
            None => {
                let first = self.temporaries(arguments.len());
                for (i, argument) in arguments.iter().enumerate() {
                    self.expression(argument, first + i as u16);
                }
                (first, to.unwrap_or(first))
            }
        };
        self.at(node.location());
        self.intrinsic(target, first, intrinsic);
        self.release(mark);
        true
    }

    /// The first register of arguments that are variables (or self) in consecutive registers, so that the intrinsic can
    /// read them in place. The Ruby halves declare the variables of their loops in a suitable order.
    fn side_by_side(&mut self, arguments: &[Node<'pr>]) -> Option<Register> {
        let first = self.stable_register(arguments.first()?, &[])?;
        for (i, argument) in arguments.iter().enumerate() {
            if self.stable_register(argument, &[])? != first + i as u16 {
                return None;
            }
        }
        Some(first)
    }
}

impl<'pr> Compiler<'pr> {
    /// The receiver of a call that is written `Primitive.core(receiver).name(…)`.
    pub fn receiver_of_core_call(&self, written: &Node<'pr>) -> Option<Node<'pr>> {
        let call = written.as_call_node().filter(|call| call.name().as_slice() == b"core" && is_primitive(call))?;
        self.is_ruby_half().then(|| call.arguments()?.arguments().iter().next())?
    }

    /// Is it a call in a Ruby half that means the core's own method: one of a helper, one that is marked, or, in core
    /// classes, one of a constant? CRuby calls no method there that a program could have replaced. (Libraries
    /// that are written in Ruby do.)
    pub fn is_core_call(&self, node: &CallNode<'pr>) -> bool {
        if !self.is_ruby_half() {
            return false;
        }
        let is_core = |receiver: Node<'pr>| {
            let is_path = receiver.as_constant_read_node().is_some() || receiver.as_constant_path_node().is_some();
            is_path && self.unit.options.of_core || self.receiver_of_core_call(&receiver).is_some()
        };
        bytecode::is_helper(node.name().as_slice()) || node.receiver().is_some_and(is_core)
    }

    fn is_ruby_half(&self) -> bool {
        self.unit.options.path.starts_with("<internal:")
    }
}

/// Is it a call on the constant Primitive?
pub(crate) fn is_primitive(node: &CallNode<'_>) -> bool {
    node.receiver().and_then(|r| r.as_constant_read_node()).is_some_and(|c| c.name().as_slice() == b"Primitive")
}

/// Converts `array_at` to `ArrayAt`.
fn camel_case(name: &[u8]) -> String {
    let mut result = String::new();
    let mut upper = true;
    for byte in name {
        if *byte == b'_' {
            upper = true;
        } else {
            result.push(if upper { byte.to_ascii_uppercase() } else { *byte } as char);
            upper = false;
        }
    }
    result
}
