//! `for x in Primitive.…` in the Ruby half of core classes: loops without a block, over
//!
//! - `Primitive.positions(hash)`: the positions of a Hash's entries, in an iteration level that ends however the loop
//!   is left;
//! - `Primitive.indexes(array)`: the indexes of an Array, whose length may change during the loop;
//! - `Primitive.indexes_backwards(array)`: the same, from the last index down.
//!
//! The loops are equivalent to:
//!
//! ```ruby
//! x = Primitive.hash_enter(hash)             x = -1
//! begin                                      while (x += 1) < Primitive.array_length(array)
//!   while x = Primitive.hash_next(hash, x)     …
//!     …                                      end
//!   end
//! ensure
//!   Primitive.hash_leave(hash)
//! end
//! ```

use bytecode::{Instruction, Intrinsic, Opcode};
use memory::ToVector;
use ruby_prism::{ForNode, Node};

use crate::builder::{Control, EnsureBody, Label, Register};
use crate::calls::argument_list;
use crate::compiler::Compiler;
use crate::expression::Wanted;

/// The kind of the loop.
#[derive(Clone, Copy)]
enum Range {
    Positions,
    Indexes,
    IndexesBackwards,
}

/// The kind of the loop, and the Hash or Array.
fn range_of<'pr>(collection: &Node<'pr>) -> Option<(Range, Node<'pr>)> {
    let call = collection.as_call_node()?;
    let is_primitive = call.receiver()?.as_constant_read_node()?.name().as_slice() == b"Primitive";
    let range = match call.name().as_slice() {
        b"positions" => Range::Positions,
        b"indexes" => Range::Indexes,
        b"indexes_backwards" => Range::IndexesBackwards,
        _ => return None,
    };
    let argument = argument_list(&call.arguments()).into_iter().next()?;
    is_primitive.then_some((range, argument))
}

/// The variable, if the node is a loop of this kind.
pub(crate) fn variable_of_primitive_loop(node: &Node<'_>) -> Option<Vec<u8>> {
    let node = node.as_for_node()?;
    range_of(&node.collection())?;
    Some(node.index().as_local_variable_target_node()?.name().as_slice().to_vector())
}

impl<'pr> Compiler<'pr> {
    /// Compiles the loop if it is a primitive loop; otherwise returns false.
    pub fn primitive_loop(&mut self, node: &ForNode<'pr>, to: Wanted) -> bool {
        if !self.unit.options.path.starts_with("<internal:") {
            return false;
        }
        let Some((range, of)) = range_of(&node.collection()) else { return false };
        let index = node.index().as_local_variable_target_node();
        let Some(x) = index.and_then(|index| self.local_register(index.name().as_slice(), index.depth())) else {
            self.fail(node.location().into(), "the variable of this loop must be a local one");
            return true;
        };
        let mark = self.mark();
        let of = match self.stable_register(&of, &[]) {
            Some(register) => register,
            None => {
                let register = self.temporary();
                self.expression(&of, register);
                register
            }
        };
        self.at(node.location());
        match range {
            Range::Positions => {
                self.intrinsic(x, of, Intrinsic::HashEnter);
                self.with_ensure(&EnsureBody::LeaveHash(of), |c| c.loop_through(range, x, of, node));
            }
            Range::Indexes => {
                self.load_int(x, -1);
                self.loop_through(range, x, of, node);
            }
            Range::IndexesBackwards => {
                self.intrinsic(x, of, Intrinsic::ArrayLength);
                self.loop_through(range, x, of, node);
            }
        }
        self.nil(to);
        self.release(mark);
        true
    }

    fn loop_through(&mut self, range: Range, x: Register, of: Register, node: &ForNode<'pr>) {
        let (next_label, redo_label, exit, break_label) = (self.label(), self.label(), self.label(), self.label());
        let top = self.here();
        self.bind(next_label);
        match range {
            Range::Positions => {
                self.next_position(x, of);
                self.jump_on(Opcode::JumpUnless, x, exit);
            }
            Range::Indexes => {
                self.emit_fast(Opcode::AddInt, x, x, 1, b"+", 1);
                let mark = self.mark();
                let length = self.temporary();
                self.intrinsic(length, of, Intrinsic::ArrayLength);
                self.jump_unless(Opcode::JumpNotLess, b"<", x, length, exit);
                self.release(mark);
            }
            Range::IndexesBackwards => {
                let (mark, within) = (self.mark(), self.label());
                let length = self.temporary();
                self.intrinsic(length, of, Intrinsic::ArrayLength);
                self.jump_unless(Opcode::JumpNotGreater, b">", x, length, within);
                self.move_to(x, length);
                self.bind(within);
                self.jump_unless(Opcode::JumpNotGreaterInt, b">", x, 0, exit);
                self.emit_fast(Opcode::SubtractInt, x, x, 1, b"-", 1);
                self.release(mark);
            }
        }
        self.bind(redo_label);
        self.scope().controls.push(Control::Loop { break_label, next_label, redo_label, result: None });
        self.statements(node.statements(), None);
        self.scope().controls.pop();
        self.loop_to(top);
        self.bind(exit);
        self.bind(break_label);
    }

    /// `x = Primitive.hash_next(hash, x)`
    fn next_position(&mut self, x: Register, hash: Register) {
        if x == hash + 1 {
            return self.intrinsic(x, hash, Intrinsic::HashNext);
        }
        let mark = self.mark();
        let first = self.temporaries(2);
        self.move_to(first, hash);
        self.move_to(first + 1, x);
        self.intrinsic(x, first, Intrinsic::HashNext);
        self.release(mark);
    }

    /// A fused comparison that jumps if it is false; its second operand is a register, or a number if the opcode takes
    /// one.
    fn jump_unless(&mut self, opcode: Opcode, name: &[u8], left: Register, right: Register, target: Label) {
        self.jump_fused(Instruction::abc(opcode, left, right, 0), target);
        let window = self.emit_extension(name, 1, 0);
        self.jump_on(Opcode::JumpUnless, window, target);
    }
}
