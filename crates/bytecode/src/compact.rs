//! Short forms of what images have most of: names, calls, parameters and positions.
//!
//! The bodies of a program's methods are kept as images until they are called, and most are never called. A call mostly
//! has no keywords, a method only required parameters, a position is near the one before it. Each such value is written
//! as a variant of its own.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    Symbol,
    sequence::{CallFlags, CallInfo, Parameters, Position},
    varint::{fold, read, unfold, write},
};

/// A name in its usual encoding, without that encoding; or its place among the names of the image.
#[derive(Serialize, Deserialize)]
enum Name<Bytes> {
    Usual(Bytes),
    Other(Bytes, u8),
    Placed(u32),
}

impl Serialize for Symbol {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let bytes = &self.bytes[..];
        if let Some(place) = self.place() {
            return Name::<&[u8]>::Placed(place).serialize(to);
        }
        match self.encoding == Symbol::usual_encoding(bytes) {
            true => Name::Usual(bytes).serialize(to),
            false => Name::Other(bytes, self.encoding).serialize(to),
        }
    }
}

impl<'de> Deserialize<'de> for Symbol {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Symbol, D::Error> {
        Ok(match Name::<Vec<u8>>::deserialize(from)? {
            Name::Usual(bytes) => Symbol { encoding: Symbol::usual_encoding(&bytes), bytes },
            Name::Other(bytes, encoding) => Symbol { bytes, encoding },
            Name::Placed(place) => Symbol { bytes: place.to_le_bytes().to_vec(), encoding: Symbol::PLACED },
        })
    }
}

/// A call without keywords and scopes between.
#[derive(Serialize, Deserialize)]
enum Call<Name, All> {
    Plain(Name, u16, CallFlags),
    WithBlock(Name, u16, CallFlags, u32),
    Other(All),
}

/// Written and read in the derived form.
struct Whole<T>(T);

macro_rules! whole {
    ($($type:ident),*) => {$(
        impl Serialize for Whole<&$type> {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                $type::serialize(self.0, to)
            }
        }

        impl<'de> Deserialize<'de> for Whole<$type> {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $type::deserialize(from).map(Whole)
            }
        }
    )*};
}

whole!(CallInfo, Parameters);

impl Serialize for CallInfo {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let is_plain =
            self.keywords.is_empty() && self.depth == 0 && self.literal_arguments == 0 && self.lent_parameters == 0;
        let form = match self.block {
            _ if !is_plain => Call::Other(Whole(self)),
            None => Call::Plain(&self.name, self.arguments, self.flags),
            Some(block) => Call::WithBlock(&self.name, self.arguments, self.flags, block),
        };
        form.serialize(to)
    }
}

impl<'de> Deserialize<'de> for CallInfo {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<CallInfo, D::Error> {
        let (name, arguments, flags, block) = match Call::<Symbol, Whole<CallInfo>>::deserialize(from)? {
            Call::Plain(name, arguments, flags) => (name, arguments, flags, None),
            Call::WithBlock(name, arguments, flags, block) => (name, arguments, flags, Some(block)),
            Call::Other(Whole(call)) => return Ok(call),
        };
        let keywords = Vec::new();
        Ok(CallInfo { name, arguments, flags, keywords, block, depth: 0, literal_arguments: 0, lent_parameters: 0 })
    }
}

/// Only required parameters, by their number.
#[derive(Serialize, Deserialize)]
enum Taken<All> {
    Required(u16),
    Other(All),
}

impl Serialize for Parameters {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let only = Parameters { required: self.required, ..Parameters::default() };
        match *self == only {
            true => Taken::Required(self.required),
            false => Taken::Other(Whole(self)),
        }
        .serialize(to)
    }
}

impl<'de> Deserialize<'de> for Parameters {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Parameters, D::Error> {
        Ok(match Taken::<Whole<Parameters>>::deserialize(from)? {
            Taken::Required(required) => Parameters { required, ..Parameters::default() },
            Taken::Other(Whole(parameters)) => parameters,
        })
    }
}

/// Instructions as one run of bytes: the opcode, then the operands. A bit of the opcode's byte says that operand c is 0
/// and left out.
pub mod instructions {
    use super::*;
    use crate::Instruction;

    const NO_C: u8 = 0x80;
    /// The opcode follows as an operand.
    const LARGE: u8 = 0x7F;

    pub fn serialize<S: Serializer>(instructions: &[Instruction], to: S) -> Result<S::Ok, S::Error> {
        let mut bytes = Vec::with_capacity(4 * instructions.len());
        for &Instruction { opcode, a, b, c } in instructions {
            let no_c = if c == 0 { NO_C } else { 0 };
            match u8::try_from(opcode) {
                Ok(small @ 0..LARGE) => bytes.push(small | no_c),
                _ => {
                    bytes.push(LARGE | no_c);
                    write(&mut bytes, opcode.into());
                }
            }
            write(&mut bytes, a.into());
            write(&mut bytes, b.into());
            if c != 0 {
                write(&mut bytes, c.into());
            }
        }
        to.serialize_bytes(&bytes)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Instruction>, D::Error> {
        let mut rest = <&[u8]>::deserialize(from)?;
        let mut instructions = Vec::with_capacity(rest.len() / 3);
        while let Some((&head, tail)) = rest.split_first() {
            rest = tail;
            let mut next = || u16::try_from(read(&mut rest)?).ok();
            let opcode = if head & LARGE == LARGE { next() } else { Some(u16::from(head & LARGE)) };
            let (a, b, c) = (next(), next(), if head & NO_C == 0 { next() } else { Some(0) });
            let (Some(opcode), Some(a), Some(b), Some(c)) = (opcode, a, b, c) else { return Err(cut_off()) };
            instructions.push(Instruction { opcode, a, b, c });
        }
        Ok(instructions)
    }
}

fn cut_off<E: serde::de::Error>() -> E {
    E::custom("a number is cut off or too large")
}

/// Positions as one run of bytes, each relative to the one before it.
pub mod positions {
    use super::*;

    pub fn serialize<S: Serializer>(rows: &[Position], to: S) -> Result<S::Ok, S::Error> {
        let mut before = Position { word: 0, line: 0, column: 0, end_column: 0 };
        let mut bytes = Vec::with_capacity(4 * rows.len());
        for row in rows {
            write(&mut bytes, row.word.wrapping_sub(before.word));
            write(&mut bytes, fold(row.line.wrapping_sub(before.line)));
            write(&mut bytes, fold(row.column.wrapping_sub(before.column) as i32));
            write(&mut bytes, fold(row.end_column.wrapping_sub(row.column) as i32));
            before = *row;
        }
        to.serialize_bytes(&bytes)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Position>, D::Error> {
        let mut rest = <&[u8]>::deserialize(from)?;
        let mut rows = Vec::with_capacity(rest.len() / 4);
        let mut row = Position { word: 0, line: 0, column: 0, end_column: 0 };
        while !rest.is_empty() {
            let mut next = || read(&mut rest);
            let (Some(word), Some(line), Some(column), Some(width)) = (next(), next(), next(), next()) else {
                return Err(cut_off());
            };
            row.word = row.word.wrapping_add(word);
            row.line = row.line.wrapping_add(unfold(line));
            row.column = row.column.wrapping_add_signed(unfold(column));
            row.end_column = row.column.wrapping_add_signed(unfold(width));
            rows.push(row);
        }
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Instruction, Sequence, image,
        sequence::{Kind, Position},
    };

    fn call(name: &str) -> CallInfo {
        CallInfo {
            name: Symbol::new(name),
            arguments: 2,
            flags: CallFlags(CallFlags::SELF_CALL),
            keywords: Vec::new(),
            block: None,
            depth: 0,
            literal_arguments: 0,
            lent_parameters: 0,
        }
    }

    #[test]
    fn every_form_gives_back_what_was_written() {
        let keywords = vec![Symbol::new("k")];
        let odd = Symbol { bytes: b"ascii".to_vec(), encoding: Symbol::UTF_8 };
        let position = |word, line, column, end_column| Position { word, line, column, end_column };
        let word = |opcode, a, b, c| Instruction { opcode, a, b, c };
        let whole = Sequence {
            instructions: vec![word(0x7E, 1, 0x80, 0), word(0x7F, 0, 0, 1), word(300, 0x4000, u16::MAX, u16::MAX)],
            calls: vec![
                call("plain"),
                CallInfo { block: Some(3), ..call("é") },
                CallInfo { keywords, block: Some(1), depth: 1, ..call("k") },
                CallInfo { name: odd, literal_arguments: 0x8000, ..call("") },
            ],
            parameters: Parameters { required: 3, ..Parameters::default() },
            positions: vec![position(0, 7, 30, 40), position(300, 5, 2, 1), position(301, -1, u32::MAX, 0)],
            children: vec![Sequence {
                parameters: Parameters { required: 1, rest: Some(2), destructured: 1, ..Parameters::default() },
                ..Sequence::empty(Kind::Block, "b")
            }],
            ..Sequence::empty(Kind::Method, "m")
        };
        assert_eq!(image::decode(&image::encode(&whole)), Ok(whole));
    }

    #[test]
    fn a_plain_call_takes_few_bytes_beside_its_name() {
        let bytes = |call: &CallInfo| postcard::to_stdvec(call).unwrap().len();
        // The variant, the name's variant and length, the number of arguments, the flags.
        assert_eq!(bytes(&call("name")), 4 + 5);
        assert_eq!(postcard::to_stdvec(&Parameters { required: 1, ..Parameters::default() }).unwrap().len(), 2);
    }
}
