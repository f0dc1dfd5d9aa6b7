//! Machine code as text, for `--dump-jit=asm`.

use std::fmt::Write;

use yaxpeax_arch::{Arch, Decoder, U8Reader};
use yaxpeax_arm::armv8::a64::ARMv8;

/// The text has one instruction per line, with its distance from the first.
pub fn disassembled(bytes: &[u8]) -> String {
    let decoder = <ARMv8 as Arch>::Decoder::default();
    let mut text = String::new();
    for (n, word) in bytes.chunks(4).enumerate() {
        let _ = match decoder.decode(&mut U8Reader::new(word)) {
            Ok(instruction) => writeln!(text, "{:6x}  {instruction}", 4 * n),
            Err(_) => writeln!(text, "{:6x}  {word:02x?}", 4 * n),
        };
    }
    text
}
