//! A sequence as text, for `--dump-bytecode`, golden tests and InstructionSequence#disasm.

use std::fmt::Write;

use crate::{Instruction, Intrinsic, Literal, Opcode, Operands, Sequence, Symbol};

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
    let (mut positions, mut events) = (sequence.positions.iter().peekable(), sequence.events.iter().peekable());
    let (mut line, mut shown) = (0, i32::MIN);
    for (word, instruction) in sequence.instructions.iter().enumerate() {
        while let Some(position) = positions.next_if(|p| p.word as usize <= word) {
            line = position.line;
        }
        let mark = if line == shown { String::new() } else { line.to_string() };
        shown = line;
        let names = events
            .next_if(|(w, _)| *w as usize == word)
            .map_or(String::new(), |(_, e)| format!(" [{}]", event_names(e.0)));
        writeln!(out, "{mark:>5} {word:04} {}{names}", instruction_text(sequence, word, *instruction)).unwrap();
    }
    for child in &sequence.children {
        write_sequence(child, out);
    }
}

fn event_names(bits: u16) -> String {
    use crate::Events as E;
    let names = [
        (E::LINE, "line"),
        (E::CLASS, "class"),
        (E::END, "end"),
        (E::CALL, "call"),
        (E::RETURN, "return"),
        (E::B_CALL, "b_call"),
        (E::B_RETURN, "b_return"),
        (E::RESCUE, "rescue"),
        (E::AT_END, "at_end"),
    ];
    names.iter().filter(|(bit, _)| bits & bit != 0).map(|(_, name)| *name).collect::<Vec<_>>().join(" ")
}

/// One instruction with its operands spelled out.
pub fn instruction_text(sequence: &Sequence, word: usize, i: Instruction) -> String {
    let op = i.op();
    let operands = match op.operands() {
        Operands::None => String::new(),
        Operands::A => format!("R{}", i.a),
        Operands::Ab => format!("R{} R{}", i.a, i.b),
        Operands::Abc => three_operands(sequence, word, op, i),
        Operands::ALiteral => format!("R{} {}", i.a, literal_text(sequence, i.bc() as u32 as usize)),
        Operands::AbLiteral if op == Opcode::JumpTable => format!("R{} {}", i.a, literal_text(sequence, i.c as usize)),
        Operands::AbLiteral => format!("R{} R{} {}", i.a, i.b, literal_text(sequence, i.c as usize)),
        Operands::AInt => format!("R{} {}", i.a, site_text(sequence, op, i.bc())),
        Operands::AbInt => format!("R{} R{} {}", i.a, i.b, i.c as i16),
        Operands::Jump => format!("-> {:04}", word as i64 + 1 + i.bc() as i64),
        Operands::AJump => format!("R{} -> {:04}", i.a, word as i64 + 1 + i.bc() as i64),
        Operands::AbJump => format!("R{} R{} -> {:04}", i.a, i.b, word as i64 + 1 + i.c as i16 as i64),
        Operands::AIntJump => format!("R{} {} -> {:04}", i.a, i.b as i16, word as i64 + 1 + i.c as i16 as i64),
        Operands::Call => format!("R{} <- R{} {}", i.a, i.b, call_text(sequence, i.c as usize)),
        Operands::Outer => format!("R{} depth {} slot {}", i.a, i.b, i.c),
        Operands::Counter => format!("{}", i.bc()),
        Operands::AChild => format!("R{} child {}", i.a, i.bc()),
        Operands::Intrinsic => format!(
            "R{} <- {}(R{}, {})",
            i.a,
            Intrinsic::from_u16(i.c).name(),
            i.b,
            Intrinsic::from_u16(i.c).arguments()
        ),
    };
    format!("{:<23}{operands}", op.name())
}

/// The operands of an instruction with three; the opcode determines the meaning of the last (or the middle) one.
fn three_operands(sequence: &Sequence, word: usize, op: Opcode, i: Instruction) -> String {
    match op {
        Opcode::Extension if word > 0 && sequence.instructions[word - 1].op() == Opcode::Expand => {
            format!("splat {} post {}", i.a, i.b)
        }
        Opcode::Extension if word > 0 && sequence.instructions[word - 1].op() == Opcode::Wide => {
            wide_text(sequence, sequence.instructions[word - 1].meant(), i.bc() as u32 as usize)
        }
        Opcode::Extension => format!("R{} {}", i.a, call_text(sequence, i.bc() as u32 as usize)),
        Opcode::Wide => format!("{} R{} R{}", i.meant().name(), i.a, i.b),
        Opcode::ConcatStrings
        | Opcode::NewRegexp
        | Opcode::NewArray
        | Opcode::SplatToArray
        | Opcode::NewHash
        | Opcode::Expand => {
            format!("R{} R{} {}", i.a, i.b, i.c)
        }
        Opcode::GetConstantFrom => format!("R{} R{} {}", i.a, i.b, name_text(sequence.constants.get(i.c as usize))),
        Opcode::IndexSetLiteral => format!("R{} {} R{}", i.a, literal_text(sequence, i.b as usize), i.c),
        Opcode::DefineMethod | Opcode::DefineSingletonMethod => {
            format!("R{} child {} {}", i.a, i.b, literal_text(sequence, i.c as usize))
        }
        _ => format!("R{} R{} R{}", i.a, i.b, i.c),
    }
}

fn site_text(sequence: &Sequence, op: Opcode, index: i32) -> String {
    match op {
        Opcode::GetIvar | Opcode::SetIvar => name_text(sequence.ivars.get(index as usize)),
        Opcode::GetConstant | Opcode::GetClassVariable | Opcode::SetClassVariable => {
            name_text(sequence.constants.get(index as usize))
        }
        _ => index.to_string(),
    }
}

fn name_text(name: Option<&Symbol>) -> String {
    name.map_or("?".into(), |n| String::from_utf8_lossy(&n.bytes).into_owned())
}

fn literal_text(sequence: &Sequence, index: usize) -> String {
    sequence.literals.get(index).map_or_else(|| format!("K{index}"), literal)
}

fn literal(literal: &Literal) -> String {
    let list = |parts: &mut dyn Iterator<Item = String>| parts.collect::<Vec<_>>().join(", ");
    match literal {
        Literal::Nil => "nil".into(),
        Literal::True => "true".into(),
        Literal::False => "false".into(),
        Literal::String { bytes, frozen, .. } => {
            format!("{:?}{}", String::from_utf8_lossy(bytes), if *frozen { ".f" } else { "" })
        }
        Literal::Symbol(s) => format!(":{}", String::from_utf8_lossy(&s.bytes)),
        Literal::Integer(n) => n.to_string(),
        Literal::BigInteger { negative, hex } => format!("{}0x{hex}", if *negative { "-" } else { "" }),
        Literal::Float(f) => format!("{f:?}"),
        Literal::Regexp { source, options, .. } => format!("/{}/{options}", String::from_utf8_lossy(source)),
        Literal::Rational(n, d) => format!("{}/{}r", self::literal(n), self::literal(d)),
        Literal::Imaginary(n) => format!("{}i", self::literal(n)),
        Literal::Range { low, high, exclusive } => {
            format!("{}{}{}", self::literal(low), if *exclusive { "..." } else { ".." }, self::literal(high))
        }
        Literal::Array(parts) => format!("[{}]", list(&mut parts.iter().map(self::literal))),
        Literal::Hash(pairs) => format!(
            "{{{}}}",
            list(&mut pairs.iter().map(|(k, v)| format!("{} => {}", self::literal(k), self::literal(v))))
        ),
        Literal::JumpTable(entries) => {
            format!("{{{}}}", list(&mut entries.iter().map(|(k, word)| format!("{} -> {word:04}", self::literal(k)))))
        }
    }
}

/// The text of the index in the word after a [`Opcode::Wide`].
fn wide_text(sequence: &Sequence, op: Opcode, index: usize) -> String {
    match op {
        Opcode::GetConstantFrom => name_text(sequence.constants.get(index)),
        Opcode::SetConstant => literal_text(sequence, index),
        Opcode::DefineMethod | Opcode::DefineSingletonMethod => format!("child {index}"),
        _ => call_text(sequence, index),
    }
}

fn call_text(sequence: &Sequence, index: usize) -> String {
    let Some(call) = sequence.calls.get(index) else { return format!("call {index}") };
    let mut text = format!("{}({}", String::from_utf8_lossy(&call.name.bytes), call.arguments);
    for k in &call.keywords {
        write!(text, " {}:", String::from_utf8_lossy(&k.bytes)).unwrap();
    }
    text.push(')');
    text += &flag_names(call.flags.0);
    if call.literal_arguments != 0 {
        write!(text, " literals {:#b}", call.literal_arguments).unwrap();
    }
    if call.lent_parameters != 0 {
        write!(text, " lends {:#b}", call.lent_parameters).unwrap();
    }
    if call.depth != 0 {
        write!(text, " depth {}", call.depth).unwrap();
    }
    if let Some(block) = call.block {
        write!(text, " block {block}").unwrap();
    }
    text
}

fn flag_names(bits: u16) -> String {
    use crate::CallFlags as F;
    let names = [
        (F::SELF_CALL, "self"),
        (F::VARIABLE, "variable"),
        (F::SPLAT, "splat"),
        (F::KEYWORDS, "keywords"),
        (F::KEYWORD_SPLAT, "keyword_splat"),
        (F::BLOCK_ARGUMENT, "block_argument"),
        (F::IMPLICIT_SUPER, "implicit"),
        (F::ASSIGNMENT, "assignment"),
        (F::SAFE, "safe"),
        (F::OWN_SPLAT, "own_splat"),
        (F::OWN_KEYWORDS, "own_keywords"),
        (F::FORWARDED, "forwarded"),
        (F::CORE, "core"),
        (F::SYMBOL_BLOCK, "symbol_block"),
        (F::PUBLIC, "public"),
    ];
    names.iter().filter(|(bit, _)| bits & bit != 0).map(|(_, name)| format!(" {name}")).collect()
}
