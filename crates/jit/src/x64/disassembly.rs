//! Machine code as text, for `--dump-jit=asm`.

use iced_x86::{Decoder, DecoderOptions, Formatter, Instruction, IntelFormatter};
use std::fmt::Write;

/// The text has one instruction per line, with its distance from the first.
pub fn disassembled(bytes: &[u8]) -> String {
    let mut decoder = Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE);
    let (mut formatter, mut instruction, mut text) = (IntelFormatter::new(), Instruction::default(), String::new());
    while decoder.can_decode() {
        decoder.decode_out(&mut instruction);
        let _ = write!(text, "{:6x}  ", instruction.ip());
        formatter.format(&instruction, &mut text);
        text.push('\n');
    }
    text
}
