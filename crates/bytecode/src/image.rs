//! Sequences as bytes: code that is compiled at one time (when Beni is built, or by `InstructionSequence#to_binary`)
//! and linked at another.
//!
//! An image is a serialized [`Sequence`] in postcard's wire format. Only the build that wrote it can read it, because
//! opcodes have no fixed numbers. Readers of external images check that first, and call [`verify`](crate::verify)
//! afterwards.
//!
//! The image of a Ruby half is read at every start, although a program calls few of its methods. Therefore each method
//! is an empty sequence that says where its body is ([`Sequence::deferred_at`]), and the body is a separate image. The
//! names in bodies are apart, too ([`crate::names`]):
//!
//! ```text
//! +----------+----------+-----+------------------------+-------+-----------+---------------+
//! | body ... | body ... | ... | the outermost sequence | names | its place | place of names|
//! +----------+----------+-----+------------------------+-------+-----------+---------------+
//! ```
//!
//! The same is done to the methods of a file that a program loads, until they are called: a program calls few methods
//! of the libraries that it loads. The image then has no outermost sequence.

use serde::Serialize;

use crate::{
    Kind, Literal, Sequence,
    names::{self, Names},
};

/// The image of the sequence and all nested ones.
pub fn encode(sequence: &Sequence) -> Vec<u8> {
    let mut image = Vec::new();
    append(sequence, &mut image);
    image
}

/// Decodes an image; the error describes what is wrong with the bytes.
pub fn decode(image: &[u8]) -> Result<Sequence, String> {
    let mut sequence = postcard::from_bytes(image).map_err(|error| error.to_string())?;
    names::restore(&mut sequence, &[])?;
    Ok(sequence)
}

/// Appends data in the wire format.
pub(crate) fn append(data: &impl Serialize, image: &mut Vec<u8>) {
    postcard::serialize_with_flavor(data, Appended(image)).expect("plain data in memory can be written");
}

/// Where the wire format is written: each byte of it is pushed on its own.
struct Appended<'a>(&'a mut Vec<u8>);

impl postcard::ser_flavors::Flavor for Appended<'_> {
    type Output = ();

    #[inline]
    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    #[inline]
    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        // Most are numbers of one byte.
        match bytes {
            [byte] => self.0.push(*byte),
            _ => self.0.extend_from_slice(bytes),
        }
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

/// An image in which the bodies of methods are separate.
pub fn encode_deferred(sequence: &Sequence) -> Vec<u8> {
    let mut outer = sequence.clone();
    let (mut image, mut names) = (Vec::new(), Names::default());
    defer_methods(&mut outer, &mut image, &mut names);
    names.take_from(&mut outer);
    let at = image.len();
    append(&outer, &mut image);
    finish(&mut image, names, at);
    image
}

/// Appends the names, and the places of the outermost sequence and of the names.
fn finish(image: &mut Vec<u8>, names: Names, outermost: usize) {
    let at = image.len();
    image.extend_from_slice(&names.text);
    image.extend_from_slice(&(outermost as u32).to_le_bytes());
    image.extend_from_slice(&(at as u32).to_le_bytes());
}

/// The outermost sequence of an image with separate bodies.
pub fn decode_deferred(image: &[u8]) -> Result<Sequence, String> {
    let (rest, _) = image.split_last_chunk::<4>().ok_or("no image")?;
    let (_, place) = rest.split_last_chunk().ok_or("no image")?;
    body(image, u32::from_le_bytes(*place))
}

/// The body of a sequence with this `deferred_at`.
pub fn body(image: &[u8], at: u32) -> Result<Sequence, String> {
    let (_, place) = image.split_last_chunk().ok_or("no image")?;
    let names = image.get(u32::from_le_bytes(*place) as usize..).ok_or("no names")?;
    let from = image.get(at as usize..).ok_or("no body there")?;
    let (mut sequence, _) = postcard::take_from_bytes(from).map_err(|error| error.to_string())?;
    names::restore(&mut sequence, names)?;
    Ok(sequence)
}

/// The bodies of a file's methods, which are taken out of their sequences.
pub struct Bodies {
    image: Vec<u8>,
    names: Names,
    is_valid: fn(&Literal) -> bool,
}

impl Bodies {
    /// Methods with literals for which `is_valid` is false are not taken out: such a literal is an error of the file.
    pub fn new(is_valid: fn(&Literal) -> bool) -> Bodies {
        Bodies { image: Vec::new(), names: Names::default(), is_valid }
    }

    /// Takes the body of a method that is in no other one.
    pub fn take(&mut self, method: &mut Sequence) {
        if all_valid(method, &self.is_valid) {
            defer_method(method, &mut self.image, &mut self.names);
        }
    }

    /// What [`body`] reads the bodies from.
    pub fn finish(self) -> Vec<u8> {
        let Bodies { mut image, names, .. } = self;
        if !image.is_empty() {
            finish(&mut image, names, 0);
        }
        image.shrink_to_fit();
        image
    }
}

fn all_valid(sequence: &Sequence, is_valid: &dyn Fn(&Literal) -> bool) -> bool {
    sequence.literals.iter().all(is_valid) && sequence.children.iter().all(|child| all_valid(child, is_valid))
}

fn defer_methods(sequence: &mut Sequence, image: &mut Vec<u8>, names: &mut Names) {
    for child in &mut sequence.children {
        if child.kind == Kind::Method {
            defer_method(child, image, names);
        } else {
            defer_methods(child, image, names);
        }
    }
}

fn defer_method(method: &mut Sequence, image: &mut Vec<u8>, names: &mut Names) {
    // The definition of `initialize` examines the instance variables that it sets.
    if method.name != "initialize" {
        let at = image.len() as u32;
        names.take_from(method);
        append(&*method, image);
        *method = Sequence { deferred_at: Some(at), ..Sequence::empty(Kind::Method, "") };
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
    fn a_name_that_bodies_share_is_there_once() {
        let (mut outer, mut method) = (sample(), sample());
        method.kind = Kind::Method;
        method.name = "wanted".into();
        method.constants = vec![Symbol::new("Mentioned"), Symbol { bytes: b"\xE9".to_vec(), encoding: 7 }];
        let literal = Literal::Symbol(Symbol::new("Mentioned"));
        method.literals.push(Literal::Hash(vec![(literal.clone(), Literal::Array(vec![literal]))]));
        let mut block = Sequence { kind: Kind::Block, ..method.clone() };
        block.children.push(Sequence { name: "other".into(), ..block.clone() });
        block.children.push(block.clone());
        method.children.push(block);
        outer.children = vec![method.clone(), method.clone()];
        let mut bodies = Bodies::new(|_| true);
        outer.children.iter_mut().for_each(|method| bodies.take(method));
        let image = bodies.finish();
        for stub in &outer.children {
            assert_eq!(body(&image, stub.deferred_at.unwrap()).as_ref(), Ok(&method));
        }
        let count = |text: &[u8]| image.windows(text.len()).filter(|part| *part == text).count();
        // The name of a body is its own.
        assert_eq!((count(b"Mentioned"), count(b"wanted"), count(b"other")), (1, 2, 4));
    }

    #[test]
    fn an_image_from_outside_has_no_places_of_names() {
        let constants = vec![Symbol { bytes: vec![0; 4], encoding: Symbol::PLACED }];
        assert!(decode(&encode(&Sequence { constants, ..sample() })).is_err());
    }

    #[test]
    fn a_cut_image_is_refused() {
        let image = encode(&sample());
        for length in 0..image.len() {
            assert!(decode(&image[..length]).is_err(), "{length} bytes of {}", image.len());
        }
    }
}
