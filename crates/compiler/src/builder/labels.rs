//! Labels, jumps to them, and the ranges that handlers cover.

use bytecode::{HandlerKind, Instruction, Opcode};
use memory::Grow;

use super::scope::Region;
use super::{RegionId, Register};
use crate::compiler::Compiler;

/// A target of jumps; bound to a word once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label(pub u32);

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LabelState {
    pub word: Option<u32>,
    /// Whether a jump targets it.
    pub is_used: bool,
}

impl Compiler<'_> {
    pub fn label(&mut self) -> Label {
        let labels = &mut self.scope().labels;
        labels.append_one(LabelState::default());
        Label(labels.len() as u32 - 1)
    }

    /// Binds the label to the next word, which is reachable if it was before or if a jump targets the label.
    pub fn bind(&mut self, label: Label) {
        self.drop_jump_to(label);
        let scope = self.scope();
        scope.barrier = scope.code.len();
        let state = &mut scope.labels[label.0 as usize];
        state.word = Some(scope.code.len() as u32);
        if state.is_used {
            scope.unreachable = false;
        }
    }

    /// Removes a jump to `label` if it is the last word: control falls through anyway.
    fn drop_jump_to(&mut self, label: Label) {
        let scope = self.scope();
        let Some(last) = scope.code.len().checked_sub(1) else { return };
        let is_jump = scope.code[last].op() == Opcode::Jump && scope.fixups.last() == Some(&(last as u32, label));
        let carries_event = scope.events.last().is_some_and(|(word, _)| *word as usize == last);
        if !is_jump || carries_event || scope.barrier == scope.code.len() {
            return;
        }
        scope.code.pop();
        scope.fixups.pop();
        if scope.positions.last().is_some_and(|p| p.word as usize == last) {
            scope.positions.pop();
        }
        scope.unreachable = false;
    }

    pub fn use_label(&mut self, label: Label) {
        self.scope().labels[label.0 as usize].is_used = true;
    }

    pub fn is_bound(&mut self, label: Label) -> bool {
        self.scope().labels[label.0 as usize].word.is_some()
    }

    /// A label at the current position.
    pub fn here(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }

    pub fn jump(&mut self, label: Label) {
        self.jump_on(Opcode::Jump, 0, label);
        self.scope().unreachable = true;
    }

    /// A backward jump, with a safepoint.
    pub fn loop_to(&mut self, label: Label) {
        self.jump_on(Opcode::Loop, 0, label);
        self.scope().unreachable = true;
    }

    /// A jump that depends on a register.
    pub fn jump_on(&mut self, opcode: Opcode, register: Register, label: Label) {
        if let Some(word) = self.emit_word(Instruction::abx(opcode, register, 0)) {
            self.use_label(label);
            self.scope().fixups.append_one((word, label));
        }
    }

    /// A comparison that jumps: the instruction without its distance.
    pub fn jump_fused(&mut self, instruction: Instruction, label: Label) {
        if let Some(word) = self.emit_word(instruction) {
            self.use_label(label);
            self.scope().fixups.append_one((word, label));
        }
    }

    /// Starts the range of code that the handler covers.
    pub fn open_region(&mut self, kind: HandlerKind, target: Label, register: Register) -> RegionId {
        self.use_label(target);
        let scope = self.scope();
        scope.barrier = scope.code.len();
        let open = Some(scope.code.len() as u32);
        scope.regions.append_one(Region { kind, ranges: Vec::new(), open, target, register });
        RegionId(scope.regions.len() - 1)
    }

    pub fn suspend_region(&mut self, id: RegionId) {
        let scope = self.scope();
        scope.barrier = scope.code.len();
        let end = scope.code.len() as u32;
        let region = &mut scope.regions[id.0];
        if let Some(start) = region.open.take()
            && start < end
        {
            region.ranges.append_one((start, end));
        }
    }

    pub fn resume_region(&mut self, id: RegionId) {
        let scope = self.scope();
        scope.barrier = scope.code.len();
        scope.regions[id.0].open = Some(scope.code.len() as u32);
    }

    /// Ends the covered range. Inner regions are closed before outer ones, which determines the order of the table.
    pub fn close_region(&mut self, id: RegionId) {
        self.suspend_region(id);
        self.scope().finished_regions.append_one(id);
    }

    /// Whether the region covers any word.
    pub fn covers_code(&mut self, id: RegionId) -> bool {
        !self.scope().regions[id.0].ranges.is_empty()
    }
}
