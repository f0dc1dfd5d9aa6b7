//! Short forms of what images have most of: names, calls, parameters and positions.
//!
//! The bodies of a program's methods are kept as images until they are called, and most are never called. A call mostly
//! has no keywords, a method only required parameters, a position is near the one before it. Each such value is written
//! as a variant of its own.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    Symbol,
    sequence::{CallFlags, CallInfo, Parameters, Position},
};

/// A name in its usual encoding, without that encoding.
#[derive(Serialize, Deserialize)]
enum Name<Bytes> {
    Usual(Bytes),
    Other(Bytes, u8),
}

impl Serialize for Symbol {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let bytes = &self.bytes[..];
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

/// Positions, each relative to the one before it.
pub mod positions {
    use super::*;

    pub fn serialize<S: Serializer>(rows: &[Position], to: S) -> Result<S::Ok, S::Error> {
        let mut before = Position { word: 0, line: 0, column: 0, end_column: 0 };
        to.collect_seq(rows.iter().map(|row| {
            let column = row.column.wrapping_sub(before.column) as i32;
            let width = row.end_column.wrapping_sub(row.column) as i32;
            let step = (row.word.wrapping_sub(before.word), row.line.wrapping_sub(before.line), column, width);
            before = *row;
            step
        }))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Position>, D::Error> {
        let steps = Vec::<(u32, i32, i32, i32)>::deserialize(from)?;
        let mut row = Position { word: 0, line: 0, column: 0, end_column: 0 };
        let rows = steps.into_iter().map(|(word, line, column, width)| {
            row.word = row.word.wrapping_add(word);
            row.line = row.line.wrapping_add(line);
            row.column = row.column.wrapping_add_signed(column);
            row.end_column = row.column.wrapping_add_signed(width);
            row
        });
        Ok(rows.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Sequence, image,
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
        let whole = Sequence {
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
