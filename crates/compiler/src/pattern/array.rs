//! `[a, *b, c]`

use bytecode::{Instruction, Intrinsic, Opcode};
use ruby_prism::{ArrayPatternNode, Node};

use super::{Failure, Match};
use crate::builder::{Label, Register};
use crate::compiler::Compiler;

impl<'pr> Compiler<'pr> {
    pub(super) fn array_pattern(
        &mut self,
        node: &ArrayPatternNode<'pr>,
        value: Register,
        no: Label,
        whole: bool,
        state: &mut Match,
    ) {
        self.constant_test(node.constant(), value, no, state);
        let array = self.deconstruct(value, no, whole, state);
        let leading: Vec<Node<'pr>> = node.requireds().iter().collect();
        let posts: Vec<Node<'pr>> = node.posts().iter().collect();
        let length = self.temporary();
        self.intrinsic(length, array, Intrinsic::ArrayLength);
        let expected = leading.len() + posts.len();
        self.length_test(array, length, expected, node.rest().is_some(), no, state);
        for (index, element) in leading.iter().enumerate() {
            self.element(array, index as i32, element, no, state);
        }
        if let Some(target) = node.rest().and_then(|r| r.as_splat_node()?.expression()) {
            let mark = self.mark();
            let window = self.temporaries(3);
            self.move_to(window, array);
            self.load_int(window + 1, leading.len() as i32);
            self.length_minus(window + 2, length, expected);
            self.intrinsic(window, window, Intrinsic::ArraySlice);
            self.assign_target(&target, window);
            self.release(mark);
        }
        for (index, element) in posts.iter().enumerate() {
            self.element(array, index as i32 - posts.len() as i32, element, no, state);
        }
    }

    /// Fails unless the array has `expected` elements, or at least as many.
    pub(super) fn length_test(
        &mut self,
        array: Register,
        length: Register,
        expected: usize,
        at_least: bool,
        no: Label,
        state: &mut Match,
    ) {
        if at_least && expected == 0 {
            return;
        }
        let reason = if at_least { Failure::LENGTH_AT_LEAST } else { Failure::LENGTH };
        let mark = self.mark();
        let number = self.temporary();
        if state.failure.is_some() || expected > i16::MAX as usize {
            self.load_int(number, expected as i32);
        }
        let failed = self.failing(state, no, reason, &[array, length, number]);
        let (name, small, wide) = match at_least {
            true => (&b"<"[..], Opcode::JumpLessInt, Opcode::JumpLess),
            false => (&b"!="[..], Opcode::JumpNotEqualInt, Opcode::JumpNotEqual),
        };
        let instruction = match i16::try_from(expected) {
            Ok(expected) => Instruction::abc(small, length, expected as u16, 0),
            Err(_) => Instruction::abc(wide, length, number, 0),
        };
        self.jump_fused(instruction, failed);
        let window = self.emit_extension(name, 1, 0);
        self.jump_on(Opcode::JumpIf, window, failed);
        self.release(mark);
    }

    /// Matches the element at an index (from the end if negative).
    fn element(&mut self, array: Register, index: i32, pattern: &Node<'pr>, no: Label, state: &mut Match) {
        let mark = self.mark();
        let window = self.temporaries(2);
        self.move_to(window, array);
        self.load_int(window + 1, index);
        self.intrinsic(window, window, Intrinsic::ArrayAt);
        self.release(window as u32 + 1);
        self.pattern(pattern, window, no, false, state);
        self.release(mark);
    }

    /// `to = length - n`
    pub(super) fn length_minus(&mut self, to: Register, length: Register, n: usize) {
        match i16::try_from(n) {
            Ok(n) => self.emit_fast(Opcode::SubtractInt, to, length, n as u16, b"-", 1),
            Err(_) => {
                let number = self.next_temporary();
                self.load_int(number, n as i32);
                self.reserve(number);
                self.emit_fast(Opcode::Subtract, to, length, number, b"-", 1);
            }
        }
    }
}
