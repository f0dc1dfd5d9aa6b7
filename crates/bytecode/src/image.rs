//! Sequences as bytes: code compiled at one time (when Beni is built, by `InstructionSequence#to_binary`) and linked at another.
//!
//! An image holds what a [`Sequence`] holds, in postcard's wire format. It belongs to the build that made it: opcodes have no fixed
//! numbers. Whoever reads images from outside checks that first, and [`verify`](crate::verify) afterwards.

use crate::Sequence;

/// The sequence with all that is inside of it.
pub fn encode(sequence: &Sequence) -> Vec<u8> {
    postcard::to_stdvec(sequence).expect("plain data in memory can be written")
}

/// The sequence of an image; the error says what is wrong with the bytes.
pub fn decode(image: &[u8]) -> Result<Sequence, String> {
    postcard::from_bytes(image).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Instruction, Kind, Literal, Opcode, Parameters, Symbol};

    fn sample() -> Sequence {
        Sequence {
            kind: Kind::Top,
            name: "<main>".into(),
            block_depth: 0,
            first_line: 1,
            last_line: 2,
            first_column: 0,
            last_column: 3,
            parameters: Parameters::default(),
            locals: Vec::new(),
            registers: 2,
            instructions: vec![Instruction::abx(Opcode::LoadInt, 1, -7), Instruction::abc(Opcode::Return, 1, 0, 0)],
            literals: vec![Literal::Float(0.1), Literal::Symbol(Symbol::new("é")), Literal::Array(vec![Literal::Nil])],
            calls: Vec::new(),
            ivars: Vec::new(),
            constants: Vec::new(),
            children: Vec::new(),
            handlers: Vec::new(),
            positions: Vec::new(),
            events: Vec::new(),
            uses_eval: false,
            uses_block: false,
            uses_special: false,
            unit: None,
        }
    }

    #[test]
    fn an_image_gives_back_what_was_written() {
        let mut outer = sample();
        outer.children.push(sample());
        assert_eq!(decode(&encode(&outer)), Ok(outer));
    }

    #[test]
    fn a_cut_image_is_refused() {
        let image = encode(&sample());
        for length in 0..image.len() {
            assert!(decode(&image[..length]).is_err(), "{length} bytes of {}", image.len());
        }
    }
}
