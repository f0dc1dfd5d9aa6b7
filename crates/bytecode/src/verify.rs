//! Verification of a sequence's structure: the properties that the interpreter relies on without checking them.

use crate::{Instruction, Intrinsic, Literal, Opcode, Operands, Sequence};

/// Verifies the sequence and all nested ones; the error describes the place and the fault. Sequences may be nested
/// deeply: this does not recurse.
pub fn verify(sequence: &Sequence) -> Result<(), String> {
    verify_where(sequence, |_| true)
}

/// Like [`verify`], for a sequence that was made here: bodies that were taken out of it were verified before.
pub fn verify_present(sequence: &Sequence) -> Result<(), String> {
    verify_where(sequence, |sequence| sequence.deferred_at.is_none())
}

fn verify_where(sequence: &Sequence, is_wanted: impl Fn(&Sequence) -> bool) -> Result<(), String> {
    let mut rest = vec![sequence];
    while let Some(sequence) = rest.pop() {
        if !is_wanted(sequence) {
            continue;
        }
        let checker = Checker { sequence, starts: instruction_starts(sequence)? };
        checker.check().map_err(|message| format!("{} (line {}): {message}", sequence.name, sequence.first_line))?;
        rest.extend(&sequence.children);
    }
    Ok(())
}

/// For each word, whether an instruction begins there. The words after an instruction must be those that it needs.
fn instruction_starts(sequence: &Sequence) -> Result<Vec<bool>, String> {
    let code = &sequence.instructions;
    let mut starts = vec![false; code.len()];
    let mut word = 0;
    while word < code.len() {
        let op = code[word].op();
        starts[word] = true;
        let following = op.following_words();
        if word + following >= code.len() {
            return Err(format!("{}: {word:04} {} lacks words at the end", sequence.name, op.name()));
        }
        if following > 0 && code[word + 1].op() != Opcode::Extension {
            return Err(format!("{}: {word:04} {} has no extension", sequence.name, op.name()));
        }
        if following == 2 && !matches!(code[word + 2].op(), Opcode::JumpIf | Opcode::JumpUnless) {
            return Err(format!("{}: {word:04} {} has no jump", sequence.name, op.name()));
        }
        if op == Opcode::Extension {
            return Err(format!("{}: {word:04} a stray extension", sequence.name));
        }
        word += 1 + following;
        // The jump of a fused comparison is an instruction in its own right: the slow path continues at it.
        if following == 2 {
            starts[word - 1] = true;
        }
    }
    Ok(starts)
}

struct Checker<'a> {
    sequence: &'a Sequence,
    starts: Vec<bool>,
}

type Checked = Result<(), String>;

impl Checker<'_> {
    fn check(&self) -> Checked {
        if self.sequence.deferred_at.is_some() {
            return Err("the body is not here".into());
        }
        let code = &self.sequence.instructions;
        for (word, instruction) in code.iter().enumerate() {
            self.instruction(word, *instruction).map_err(|m| format!("{word:04} {}: {m}", instruction.op().name()))?;
        }
        let last = code.last().map(|i| i.op());
        let leaves = [Opcode::Return, Opcode::ReturnOuter, Opcode::Break, Opcode::Rethrow, Opcode::Jump, Opcode::Loop];
        if !last.is_some_and(|op| leaves.contains(&op)) {
            return Err("control runs off the end".into());
        }
        self.handlers()?;
        self.tables()
    }

    fn register(&self, register: u16, count: usize) -> Checked {
        let end = register as usize + count;
        if end > self.sequence.registers as usize {
            Err(format!("R{} of {}", end - 1, self.sequence.registers))
        } else {
            Ok(())
        }
    }

    fn target(&self, word: usize, distance: i64) -> Checked {
        let target = word as i64 + 1 + distance;
        match usize::try_from(target).ok().and_then(|t| self.starts.get(t)) {
            Some(true) => Ok(()),
            _ => Err(format!("jumps to {target}")),
        }
    }

    fn index(&self, index: usize, length: usize, what: &str) -> Checked {
        if index < length { Ok(()) } else { Err(format!("{what} {index} of {length}")) }
    }

    fn literal(&self, index: usize) -> Checked {
        self.index(index, self.sequence.literals.len(), "literal")
    }

    fn instruction(&self, word: usize, i: Instruction) -> Checked {
        let op = i.op();
        match op.operands() {
            Operands::None => Ok(()),
            Operands::A => self.register(i.a, 1),
            Operands::Ab => self.register(i.a, 1).and(self.register(i.b, 1)),
            Operands::Abc => self.three(word, op, i),
            Operands::ALiteral => self.register(i.a, 1).and(self.literal(i.bc() as u32 as usize)),
            Operands::AInt => self.register(i.a, 1).and(self.site(op, i)),
            Operands::Jump => self.target(word, i.bc() as i64),
            Operands::AJump => self.register(i.a, 1).and(self.target(word, i.bc() as i64)),
            Operands::AbJump => {
                self.register(i.a, 1).and(self.register(i.b, 1)).and(self.target(word, i.c as i16 as i64))
            }
            Operands::AbInt => self.register(i.a, 1).and(self.register(i.b, 1)),
            Operands::AIntJump => self.register(i.a, 1).and(self.target(word, i.c as i16 as i64)),
            Operands::Call => self.register(i.a, 1).and(self.call(op, i.b, i.c as usize)),
            Operands::AbLiteral if op == Opcode::JumpTable => self.register(i.a, 1).and(self.literal(i.c as usize)),
            Operands::AbLiteral => self.register(i.a, 1).and(self.register(i.b, 1)).and(self.literal(i.c as usize)),
            Operands::Outer => self.register(i.a, 1),
            Operands::AChild => self.register(i.a, 1).and(self.child(i.bc() as u32 as usize)),
            Operands::Counter => Ok(()),
            Operands::Intrinsic => {
                let intrinsic = Intrinsic::ALL.get(i.c as usize).ok_or_else(|| format!("intrinsic {}", i.c))?;
                self.register(i.a, 1).and(self.register(i.b, intrinsic.arguments()))
            }
        }
    }

    fn site(&self, op: Opcode, i: Instruction) -> Checked {
        let index = i.bc() as u32 as usize;
        match op {
            Opcode::GetIvar | Opcode::SetIvar => self.index(index, self.sequence.ivars.len(), "ivar"),
            Opcode::GetConstant | Opcode::GetClassVariable | Opcode::SetClassVariable => {
                self.index(index, self.sequence.constants.len(), "constant")
            }
            _ => Ok(()),
        }
    }

    fn three(&self, word: usize, op: Opcode, i: Instruction) -> Checked {
        match op {
            Opcode::Extension => {
                let before = word.checked_sub(1).map(|w| self.sequence.instructions[w].op());
                if matches!(before, Some(Opcode::Expand | Opcode::Wide)) {
                    Ok(())
                } else {
                    self.call(op, i.a, i.bc() as u32 as usize)
                }
            }
            Opcode::Wide => self.wide(i, self.sequence.instructions[word + 1].bc() as u32 as usize),
            Opcode::GetConstantFrom => self.register(i.a, 1).and(self.register(i.b, 1)).and(self.index(
                i.c as usize,
                self.sequence.constants.len(),
                "constant",
            )),
            Opcode::ConcatStrings | Opcode::NewArray | Opcode::NewHash => {
                self.register(i.a, 1).and(self.register(i.b, i.c as usize))
            }
            Opcode::NewRegexp | Opcode::SplatToArray => self.register(i.a, 1).and(self.register(i.b, 1)),
            Opcode::Expand => {
                let extension = self.sequence.instructions[word + 1];
                self.register(i.a, i.c as usize + extension.a as usize + extension.b as usize)
                    .and(self.register(i.b, 1))
            }
            Opcode::IndexSetLiteral => self.register(i.a, 1).and(self.literal(i.b as usize)).and(self.register(i.c, 1)),
            Opcode::DefineMethod | Opcode::DefineSingletonMethod => {
                self.register(i.a, 1).and(self.child(i.b as usize)).and(self.literal(i.c as usize))
            }
            _ => self.register(i.a, 1).and(self.register(i.b, 1)).and(self.register(i.c, 1)),
        }
    }

    fn wide(&self, i: Instruction, index: usize) -> Checked {
        self.register(i.a, 1)?;
        match Opcode::ALL.get(i.c as usize) {
            Some(op) if op.operands() == Operands::Call => self.call(*op, i.b, index),
            Some(Opcode::GetConstantFrom) => {
                self.register(i.b, 1).and(self.index(index, self.sequence.constants.len(), "constant"))
            }
            Some(Opcode::SetConstant) => self.register(i.b, 1).and(self.literal(index)),
            Some(Opcode::DefineMethod | Opcode::DefineSingletonMethod) => self.register(i.b, 1).and(self.child(index)),
            _ => Err(format!("stands for {}", i.c)),
        }
    }

    fn child(&self, index: usize) -> Checked {
        self.index(index, self.sequence.children.len(), "child")
    }

    fn call(&self, op: Opcode, window: u16, site: usize) -> Checked {
        let call = self.sequence.calls.get(site).ok_or_else(|| format!("call site {site}"))?;
        let has = |flag: u16| call.flags.has(flag) as usize;
        use crate::CallFlags as F;
        let values = call.arguments as usize + call.keywords.len() + has(F::KEYWORD_SPLAT) + has(F::BLOCK_ARGUMENT);
        self.register(window, 1 + values)?;
        if let Some(block) = call.block {
            self.child(block as usize)?;
        }
        let keywords = has(F::KEYWORDS) + has(F::KEYWORD_SPLAT);
        let complex = has(F::SPLAT) + keywords + has(F::BLOCK_ARGUMENT) + has(F::SYMBOL_BLOCK) > 0;
        match op {
            Opcode::Call | Opcode::Extension if complex || call.block.is_some() => Err("is no plain call".into()),
            Opcode::CallBlock if complex || call.block.is_none() => Err("is no plain call with a block".into()),
            _ => Ok(()),
        }
    }

    fn handlers(&self) -> Checked {
        for handler in &self.sequence.handlers {
            if handler.from >= handler.to || handler.to as usize > self.starts.len() {
                return Err(format!("handler covers {}..{}", handler.from, handler.to));
            }
            if self.starts.get(handler.target as usize) != Some(&true) {
                return Err(format!("handler at {}", handler.target));
            }
            self.register(handler.register, 2)?;
        }
        Ok(())
    }

    fn tables(&self) -> Checked {
        for literal in &self.sequence.literals {
            let Literal::JumpTable(entries) = literal else { continue };
            for (key, target) in entries {
                if self.starts.get(*target as usize) != Some(&true) {
                    return Err(format!("jump table leads {key:?} to {target}"));
                }
            }
        }
        let ascending = self.sequence.positions.windows(2).all(|pair| pair[0].word < pair[1].word);
        if ascending { Ok(()) } else { Err("positions are out of order".into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    #[test]
    fn a_body_that_is_elsewhere_is_refused() {
        let whole = Sequence {
            registers: 1,
            instructions: vec![Instruction::abc(Opcode::Return, 0, 0, 0)],
            ..Sequence::empty(Kind::Method, "f")
        };
        assert_eq!(verify(&whole), Ok(()));
        assert!(verify(&Sequence { deferred_at: Some(0), ..whole }).is_err());
    }
}
