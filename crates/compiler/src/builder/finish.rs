//! Completes a sequence: computes the distances of jumps and the words of handlers.

use memory::Grow;

use bytecode::{Handler, Instruction, Literal, Opcode, Sequence};

use super::Label;
use super::scope::Scope;
use crate::tables::{Map, Set};

impl Scope<'_> {
    pub fn finish(mut self) -> Sequence {
        // A label may come after the last word (of an infinite loop); jumps to it are never taken.
        let end = self.code.len() as u32;
        if self.labels.iter().any(|label| label.is_used && label.word == Some(end)) || self.code.is_empty() {
            self.code.append_one(Instruction::abc(Opcode::Return, 0, 0, 0));
        }
        self.thread_jumps();
        for (word, label) in std::mem::take(&mut self.fixups) {
            let target = self.labels[label.0 as usize].word.unwrap_or(word + 1);
            self.patch(word, target);
        }
        for (literal, entries) in std::mem::take(&mut self.tables) {
            let resolved = entries
                .into_iter()
                .filter_map(|(key, label)| Some((key, self.labels[label.0 as usize].word?)))
                .collect();
            self.literals[literal as usize] = Literal::JumpTable(resolved);
        }
        let handlers = self.handlers();
        Sequence {
            kind: self.kind,
            name: self.heading.name,
            block_depth: self.block_depth,
            first_line: self.heading.first_line,
            last_line: self.heading.last_line,
            first_column: self.heading.first_column,
            last_column: self.heading.last_column,
            parameters: self.parameters,
            locals: self.locals,
            registers: self.highest.min(u16::MAX as u32) as u16,
            instructions: self.code,
            literals: self.literals,
            calls: self.calls,
            ivars: self.ivars,
            constants: self.constants,
            children: self.children,
            handlers,
            positions: self.positions,
            events: self.events,
            uses_eval: self.facts.uses_eval,
            uses_block: self.facts.uses_block,
            uses_special: self.facts.uses_special,
            deferred_at: None,
            unit: None,
        }
    }

    fn handlers(&self) -> Vec<Handler> {
        let mut handlers = Vec::new();
        for id in &self.finished_regions {
            let region = &self.regions[id.0];
            let Some(target) = self.labels[region.target.0 as usize].word else { continue };
            for (from, to) in &region.ranges {
                handlers.append_one(Handler {
                    kind: region.kind,
                    from: *from,
                    to: *to,
                    target,
                    register: region.register,
                });
            }
        }
        handlers
    }

    /// Jumps to an unconditional jump are redirected to its target.
    fn thread_jumps(&mut self) {
        let mut jumps: Map<u32, Label> = Map::default();
        for (word, label) in self.fixups.iter().filter(|(word, _)| self.code[*word as usize].op() == Opcode::Jump) {
            memory::reserve_key(&mut jumps);
            jumps.insert(*word, *label);
        }
        let mut eventful: Set<u32> = Set::default();
        for (word, _) in &self.events {
            memory::add(&mut eventful, *word);
        }
        for (word, label) in &mut self.fixups {
            for _ in 0..8 {
                let Some(target) = self.labels[label.0 as usize].word else { break };
                match jumps.get(&target) {
                    Some(next) if !eventful.contains(&target) && target != *word => *label = *next,
                    _ => break,
                }
            }
        }
    }

    fn patch(&mut self, word: u32, target: u32) {
        let distance = target as i64 - (word as i64 + 1);
        let instruction = self.code[word as usize];
        if instruction.op().following_words() != 2 {
            self.code[word as usize] = instruction.with_bc(distance as i32);
        } else if let Ok(near) = i16::try_from(distance) {
            self.code[word as usize].c = near as u16;
        } else {
            // Out of range for the fused form: compares into the call window's first register, which the following jump
            // tests.
            let window = self.code[word as usize + 1].a;
            self.code[word as usize] =
                Instruction::abc(unfused(instruction.op()), window, instruction.a, instruction.b);
        }
    }
}

/// The comparison of a fused jump.
fn unfused(opcode: Opcode) -> Opcode {
    use Opcode::*;
    match opcode {
        JumpLess | JumpNotLess => Less,
        JumpLessEqual | JumpNotLessEqual => LessEqual,
        JumpGreater | JumpNotGreater => Greater,
        JumpGreaterEqual | JumpNotGreaterEqual => GreaterEqual,
        JumpEqual | JumpNotEqual => Equal,
        JumpLessInt | JumpNotLessInt => LessInt,
        JumpLessEqualInt | JumpNotLessEqualInt => LessEqualInt,
        JumpGreaterInt | JumpNotGreaterInt => GreaterInt,
        JumpGreaterEqualInt | JumpNotGreaterEqualInt => GreaterEqualInt,
        JumpEqualInt | JumpNotEqualInt => EqualInt,
        other => other,
    }
}
