//! Sequences as bytes: code that is compiled at one time (when Beni is built, or by `InstructionSequence#to_binary`)
//! and linked at another.
//!
//! An image is a serialized [`Sequence`] in postcard's wire format. Only the build that wrote it can read it, because
//! opcodes have no fixed numbers. Readers of external images check that first, and call [`verify`](crate::verify)
//! afterwards.
//!
//! The image of a Ruby half is read at every start, although a program calls few of its methods. Therefore each method
//! is an empty sequence that says where its body is ([`Sequence::deferred_at`]), and the body is a separate image:
//!
//! ```text
//! +-------+----------+----------+-----+----------------------------------+
//! | at: u32 | body ... | body ... | ... | the outermost sequence (at `at`) |
//! +-------+----------+----------+-----+----------------------------------+
//! ```
//!
//! The same is done to the methods of a file that a program loads, until they are called: a program calls few methods
//! of the libraries that it loads.

use crate::{Kind, Literal, Sequence};

/// The image of the sequence and all nested ones.
pub fn encode(sequence: &Sequence) -> Vec<u8> {
    postcard::to_stdvec(sequence).expect("plain data in memory can be written")
}

/// Decodes an image; the error describes what is wrong with the bytes.
pub fn decode(image: &[u8]) -> Result<Sequence, String> {
    postcard::from_bytes(image).map_err(|error| error.to_string())
}

/// An image in which the bodies of methods are separate.
pub fn encode_deferred(sequence: &Sequence) -> Vec<u8> {
    let mut outer = sequence.clone();
    let mut image = vec![0; 4];
    defer_methods(&mut outer, &mut image, &|_| true);
    let at = image.len() as u32;
    image[..4].copy_from_slice(&at.to_le_bytes());
    image.extend_from_slice(&encode(&outer));
    image
}

/// The outermost sequence of an image with separate bodies.
pub fn decode_deferred(image: &[u8]) -> Result<Sequence, String> {
    let head = image.first_chunk().ok_or("no image")?;
    body(image, u32::from_le_bytes(*head))
}

/// The body of a sequence with this `deferred_at`.
pub fn body(image: &[u8], at: u32) -> Result<Sequence, String> {
    let from = image.get(at as usize..).ok_or("no body there")?;
    postcard::take_from_bytes(from).map(|(sequence, _)| sequence).map_err(|error| error.to_string())
}

/// Takes the bodies of methods out of the sequence of a file; the result is what [`body`] reads them from.
///
/// Methods with literals for which `is_valid` is false are not taken out: such a literal is an error of the file.
pub fn defer(sequence: &mut Sequence, is_valid: &dyn Fn(&Literal) -> bool) -> Vec<u8> {
    let mut image = Vec::new();
    defer_methods(sequence, &mut image, &|method| all_valid(method, is_valid));
    image.shrink_to_fit();
    image
}

fn all_valid(sequence: &Sequence, is_valid: &dyn Fn(&Literal) -> bool) -> bool {
    sequence.literals.iter().all(is_valid) && sequence.children.iter().all(|child| all_valid(child, is_valid))
}

fn defer_methods(sequence: &mut Sequence, image: &mut Vec<u8>, is_wanted: &dyn Fn(&Sequence) -> bool) {
    for child in &mut sequence.children {
        if child.kind != Kind::Method {
            defer_methods(child, image, is_wanted);
        // The definition of `initialize` examines the instance variables that it sets.
        } else if child.name != "initialize" && is_wanted(child) {
            let at = image.len() as u32;
            postcard::to_io(&*child, &mut *image).expect("plain data in memory can be written");
            *child = Sequence { deferred_at: Some(at), ..Sequence::empty(Kind::Method, "") };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Instruction, Opcode, Symbol};

    fn sample() -> Sequence {
        Sequence {
            first_line: 1,
            last_line: 2,
            last_column: 3,
            registers: 2,
            instructions: vec![Instruction::abx(Opcode::LoadInt, 1, -7), Instruction::abc(Opcode::Return, 1, 0, 0)],
            literals: vec![Literal::Float(0.1), Literal::Symbol(Symbol::new("é")), Literal::Array(vec![Literal::Nil])],
            ..Sequence::empty(Kind::Top, "<main>")
        }
    }

    #[test]
    fn an_image_gives_back_what_was_written() {
        let mut outer = sample();
        outer.children.push(sample());
        assert_eq!(decode(&encode(&outer)), Ok(outer));
    }

    #[test]
    fn a_methods_body_lies_apart() {
        let (mut outer, mut class, mut method) = (sample(), sample(), sample());
        (class.kind, method.kind) = (Kind::Class, Kind::Method);
        class.children.push(method.clone());
        outer.children.push(class);
        let image = encode_deferred(&outer);
        let stub = &decode_deferred(&image).unwrap().children[0].children[0];
        assert_eq!(stub.instructions, []);
        assert_eq!(body(&image, stub.deferred_at.unwrap()), Ok(method));
    }

    #[test]
    fn a_cut_image_is_refused() {
        let image = encode(&sample());
        for length in 0..image.len() {
            assert!(decode(&image[..length]).is_err(), "{length} bytes of {}", image.len());
        }
    }
}
