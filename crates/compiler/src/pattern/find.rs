//! `[*, x, *post]`

use bytecode::{Instruction, Intrinsic, Opcode};
use ruby_prism::{FindPatternNode, Node};

use super::{Failure, Match};
use crate::builder::{Label, Register};
use crate::compiler::Compiler;

impl<'pr> Compiler<'pr> {
    pub(super) fn find_pattern(
        &mut self,
        node: &FindPatternNode<'pr>,
        value: Register,
        no: Label,
        whole: bool,
        state: &mut Match,
    ) {
        self.constant_test(node.constant(), value, no, state);
        let array = self.deconstruct(value, no, whole, state);
        let wanted: Vec<Node<'pr>> = node.requireds().iter().collect();
        let length = self.temporary();
        self.intrinsic(length, array, Intrinsic::ArrayLength);
        self.length_test(array, length, wanted.len(), true, no, state);
        let last = self.temporary();
        self.length_minus(last, length, wanted.len());
        let index = self.temporary();
        self.load_int(index, 0);
        let (next, found) = (self.label(), self.label());
        let top = self.here();
        let failed = self.failing(state, no, Failure::FIND, &[array]);
        self.jump_fused(Instruction::abc(Opcode::JumpGreater, index, last, 0), failed);
        let window = self.emit_extension(b">", 1, 0);
        self.jump_on(Opcode::JumpIf, window, failed);
        let at = self.temporary();
        self.move_to(at, index);
        for (number, pattern) in wanted.iter().enumerate() {
            if number > 0 {
                self.intrinsic(at, at, Intrinsic::NextIndex);
            }
            self.found_element(array, at, pattern, next, state);
        }
        self.jump(found);
        // A failure inside of the loop only continues with the next position.
        self.write_failures(state);
        self.bind(next);
        self.intrinsic(index, index, Intrinsic::NextIndex);
        self.loop_to(top);
        self.bind(found);
        self.bind_around(node, array, length, index, wanted.len());
    }

    fn found_element(&mut self, array: Register, at: Register, pattern: &Node<'pr>, next: Label, state: &mut Match) {
        let mark = self.mark();
        let window = self.temporaries(2);
        self.move_to(window, array);
        self.move_to(window + 1, at);
        self.intrinsic(window, window, Intrinsic::ArrayAt);
        self.release(window as u32 + 1);
        self.pattern(pattern, window, next, false, state);
        self.release(mark);
    }

    /// Binds the elements before and after the match to the two splats.
    fn bind_around(
        &mut self,
        node: &FindPatternNode<'pr>,
        array: Register,
        length: Register,
        index: Register,
        count: usize,
    ) {
        let mark = self.mark();
        if let Some(target) = node.left().expression() {
            let window = self.temporaries(3);
            self.move_to(window, array);
            self.load_int(window + 1, 0);
            self.move_to(window + 2, index);
            self.intrinsic(window, window, Intrinsic::ArraySlice);
            self.assign_target(&target, window);
            self.release(mark);
        }
        if let Some(target) = node.right().expression() {
            let window = self.temporaries(3);
            self.move_to(window, array);
            self.move_to(window + 1, index);
            for _ in 0..count {
                self.intrinsic(window + 1, window + 1, Intrinsic::NextIndex);
            }
            self.move_to(window + 2, length);
            self.intrinsic(window, window, Intrinsic::ArraySlice);
            self.assign_target(&target, window);
        }
        self.release(mark);
    }
}
