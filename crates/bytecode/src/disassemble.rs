//! A sequence as text, for `--dump-bytecode`, golden tests and InstructionSequence#disasm.

use std::fmt::Write;

use crate::{Instruction, Intrinsic, Opcode, Operands, Sequence};

/// The sequence and all it contains, outermost first.
pub fn disassemble(sequence: &Sequence) -> String {
    let mut out = String::new();
    write_sequence(sequence, &mut out);
    out
}

fn write_sequence(sequence: &Sequence, out: &mut String) {
    writeln!(
        out,
        "== {:?} {} (line {}, {} registers)",
        sequence.kind, sequence.name, sequence.first_line, sequence.registers
    )
    .unwrap();
    let locals: Vec<String> = sequence
        .locals
        .iter()
        .map(|l| {
            format!(
                "{}=R{}",
                l.name.as_ref().map_or("(hidden)".into(), |n| String::from_utf8_lossy(&n.bytes)),
                l.register
            )
        })
        .collect();
    if !locals.is_empty() {
        writeln!(out, "locals: {}", locals.join(" ")).unwrap();
    }
    for h in &sequence.handlers {
        writeln!(out, "{:?} {}..{} -> {} R{}", h.kind, h.from, h.to, h.target, h.register).unwrap();
    }
    let mut line = i32::MIN;
    for (word, instruction) in sequence.instructions.iter().enumerate() {
        let position = sequence.positions.iter().rev().find(|p| p.word as usize <= word).map_or(0, |p| p.line);
        let mark = if position == line { String::new() } else { format!("{position}") };
        line = position;
        let events = sequence
            .events
            .iter()
            .find(|(w, _)| *w as usize == word)
            .map_or(String::new(), |(_, e)| format!(" [{:#x}]", e.0));
        writeln!(out, "{mark:>5} {word:04} {}{events}", instruction_text(sequence, word, *instruction)).unwrap();
    }
    for child in &sequence.children {
        write_sequence(child, out);
    }
}

/// One instruction with its operands spelled out.
pub fn instruction_text(sequence: &Sequence, word: usize, i: Instruction) -> String {
    let op = i.op();
    let operands = match op.operands() {
        Operands::None => String::new(),
        Operands::A => format!("R{}", i.a),
        Operands::Ab => format!("R{} R{}", i.a, i.b),
        Operands::Abc if op == Opcode::Extension => format!("{} {} {}", i.a, call_text(sequence, i.b), i.c),
        Operands::Abc => format!("R{} R{} {}", i.a, i.b, i.c),
        Operands::ALiteral => format!("R{} {}", i.a, literal_text(sequence, i.bc() as usize)),
        Operands::AbLiteral => format!("R{} R{} {}", i.a, i.b, literal_text(sequence, i.c as usize)),
        Operands::AInt => format!("R{} {}", i.a, i.bc()),
        Operands::AbInt => format!("R{} R{} {}", i.a, i.b, i.c as i16),
        Operands::Jump => format!("-> {:04}", word as i64 + 1 + i.bc() as i64),
        Operands::AJump => format!("R{} -> {:04}", i.a, word as i64 + 1 + i.bc() as i64),
        Operands::AbJump => format!("R{} R{} -> {:04}", i.a, i.b, word as i64 + 1 + i.c as i16 as i64),
        Operands::AIntJump => format!("R{} {} -> {:04}", i.a, i.b as i16, word as i64 + 1 + i.c as i16 as i64),
        Operands::Call => format!("R{} <- R{} {}", i.a, i.b, call_text(sequence, i.c)),
        Operands::Outer => format!("R{} depth {} slot {}", i.a, i.b, i.c),
        Operands::AChild => format!("R{} child {}", i.a, i.bc()),
        Operands::Intrinsic => format!("R{} <- {}(R{}…)", i.a, Intrinsic::from_u16(i.c).name(), i.b),
    };
    format!("{:<22}{operands}", op.name())
}

fn literal_text(sequence: &Sequence, index: usize) -> String {
    match sequence.literals.get(index) {
        Some(crate::Literal::String { bytes, .. }) => format!("{:?}", String::from_utf8_lossy(bytes)),
        Some(crate::Literal::Symbol(s)) => format!(":{}", String::from_utf8_lossy(&s.bytes)),
        Some(crate::Literal::Integer(n)) => n.to_string(),
        Some(crate::Literal::Float(f)) => format!("{f:?}"),
        other => format!("K{index} {other:?}"),
    }
}

fn call_text(sequence: &Sequence, index: u16) -> String {
    let Some(call) = sequence.calls.get(index as usize) else { return format!("call {index}") };
    let mut text = format!("{}({}", String::from_utf8_lossy(&call.name.bytes), call.arguments);
    for k in &call.keywords {
        write!(text, " {}:", String::from_utf8_lossy(&k.bytes)).unwrap();
    }
    text.push(')');
    if call.flags.0 != 0 {
        write!(text, " flags {:#x}", call.flags.0).unwrap();
    }
    if let Some(block) = call.block {
        write!(text, " block {block}").unwrap();
    }
    text
}
