//! Reading the serialized form.

use crate::shapes::{self, FieldKind, Shape};

/// The error if bytes are not in the format of this version of prism.
#[derive(Debug)]
pub struct Malformed;

type Read<T> = Result<T, Malformed>;

/// Start and length in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Location {
    pub start: u32,
    pub length: u32,
}

#[derive(Clone, Copy)]
pub struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

/// Facts about the whole source.
#[derive(Debug)]
pub struct Metadata<'b> {
    pub encoding: &'b [u8],
    pub start_line: i32,
    pub line_offsets: Vec<u32>,
    pub comments: Vec<Comment>,
    /// Keys and values.
    pub magic_comments: Vec<(Location, Location)>,
    pub data: Option<Location>,
    pub errors: Vec<Diagnostic<'b>>,
    pub warnings: Vec<Diagnostic<'b>>,
    /// Whether more lines could complete the source.
    pub continuable: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Comment {
    /// `=begin` to `=end`.
    pub is_embdoc: bool,
    pub location: Location,
}

#[derive(Debug)]
pub struct Diagnostic<'b> {
    pub name: &'static str,
    pub message: &'b [u8],
    pub location: Location,
    pub level: u8,
}

/// A token and the lexer's state after it.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub name: &'static str,
    pub location: Location,
    pub state: u32,
    /// For a comment that includes its line end: the state after that.
    pub line_end_state: Option<u32>,
}

/// The kind of the next item of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    Node,
    /// A missing child of a node.
    Absent,
}

/// A node without its children, which precede it.
#[derive(Debug)]
pub struct Record<'b> {
    pub shape: &'static Shape,
    pub id: u32,
    pub location: Location,
    pub flags: u32,
    pub fields: Vec<Field<'b>>,
}

#[derive(Debug)]
pub enum Field<'b> {
    /// A child, or an absent one.
    Node,
    /// This many children.
    Nodes(u32),
    /// Numbers of names, from 1; 0 for none.
    Constant(u32),
    Constants(Vec<u32>),
    Location(Option<Location>),
    Text(&'b [u8]),
    Number(u32),
    /// Digits of 32 bits, the lowest first.
    Integer {
        negative: bool,
        digits: Vec<u32>,
    },
    Double(f64),
}

impl Default for Record<'_> {
    fn default() -> Self {
        static NONE: Shape = Shape { number: 0, name: "", fields: Vec::new() };
        Record { shape: &NONE, id: 0, location: Location::default(), flags: 0, fields: Vec::new() }
    }
}

impl<'b> Reader<'b> {
    pub fn new(bytes: &'b [u8]) -> Reader<'b> {
        Reader { bytes, at: 0 }
    }

    /// "PRISM", the version, and a flag that locations are included.
    pub fn header(&mut self) -> Read<()> {
        (self.take(5)? == b"PRISM").then_some(()).ok_or(Malformed)?;
        self.take(3)?;
        (self.byte()? == 0).then_some(()).ok_or(Malformed)
    }

    /// The next token; None at their end.
    pub fn token(&mut self) -> Read<Option<Token>> {
        let number = self.word()?;
        if number == 0 {
            return Ok(None);
        }
        let name = shapes::token(number).ok_or(Malformed)?;
        Ok(Some(Token { name, location: self.location()?, state: self.word()?, line_end_state: None }))
    }

    pub fn metadata(&mut self) -> Read<Metadata<'b>> {
        let encoding = self.text()?;
        let line = self.word()?;
        let start_line = (line >> 1) as i32 ^ -((line & 1) as i32);
        // A checksum of the source.
        self.take(8)?;
        let line_offsets = self.list(Self::word)?;
        let comments = self.list(|r| Ok(Comment { is_embdoc: r.byte()? == 1, location: r.location()? }))?;
        // Comments attached to nodes, which were not requested.
        self.list(|r| r.word().and_then(|_| r.list(Self::word)))?;
        let magic_comments = self.list(|r| Ok((r.location()?, r.location()?)))?;
        let data = self.optional_location()?;
        let errors = self.list(Self::diagnostic)?;
        let warnings = self.list(Self::diagnostic)?;
        let continuable = self.byte()? != 0;
        Ok(Metadata {
            encoding,
            start_line,
            line_offsets,
            comments,
            magic_comments,
            data,
            errors,
            warnings,
            continuable,
        })
    }

    /// The names that nodes refer to by number. The nodes follow, and end where the names begin.
    pub fn names(&mut self) -> Read<Vec<&'b [u8]>> {
        let offset = self.fixed_word()? as usize;
        let count = self.word()? as usize;
        let whole = self.bytes;
        let mut table = Reader { bytes: whole, at: offset };
        let mut names = memory::with_capacity(count.min(whole.len()));
        for _ in 0..count {
            let (start, length) = (table.fixed_word()? as usize, table.fixed_word()? as usize);
            names.push(whole.get(start..).and_then(|rest| rest.get(..length)).ok_or(Malformed)?);
        }
        self.bytes = whole.get(..offset).ok_or(Malformed)?;
        Ok(names)
    }

    /// The next piece of the tree, children before their node; None at the end.
    pub fn node(&mut self, record: &mut Record<'b>) -> Read<Option<Item>> {
        const LAZY: u8 = 255;
        if self.at == self.bytes.len() {
            return Ok(None);
        }
        let mut number = self.byte()?;
        while number == LAZY {
            // Lengths, for readers that leave out bodies of methods.
            self.take(8)?;
            number = self.byte()?;
        }
        if number == 0 {
            return Ok(Some(Item::Absent));
        }
        record.shape = shapes::node(number).ok_or(Malformed)?;
        record.id = self.word()?;
        record.location = self.location()?;
        record.flags = self.word()?;
        record.fields.clear();
        for field in &record.shape.fields {
            let field = self.field(field.kind)?;
            record.fields.push(field);
        }
        Ok(Some(Item::Node))
    }

    fn field(&mut self, kind: FieldKind) -> Read<Field<'b>> {
        Ok(match kind {
            FieldKind::Node => Field::Node,
            FieldKind::Nodes => Field::Nodes(self.word()?),
            FieldKind::Constant | FieldKind::OptionalConstant => Field::Constant(self.word()?),
            FieldKind::Constants => Field::Constants(self.list(Self::word)?),
            FieldKind::Location => Field::Location(Some(self.location()?)),
            FieldKind::OptionalLocation => Field::Location(self.optional_location()?),
            FieldKind::Text => Field::Text(self.text()?),
            FieldKind::Byte => Field::Number(u32::from(self.byte()?)),
            FieldKind::Word => Field::Number(self.word()?),
            FieldKind::Integer => Field::Integer { negative: self.byte()? != 0, digits: self.list(Self::word)? },
            FieldKind::Double => Field::Double(f64::from_ne_bytes(self.take(8)?.try_into().map_err(|_| Malformed)?)),
        })
    }

    fn diagnostic(&mut self) -> Read<Diagnostic<'b>> {
        let name = shapes::diagnostic(self.word()?).ok_or(Malformed)?;
        Ok(Diagnostic { name, message: self.text()?, location: self.location()?, level: self.byte()? })
    }

    fn list<T>(&mut self, read: impl Fn(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let count = self.word()?;
        (0..count).map(|_| read(self)).collect()
    }

    fn text(&mut self) -> Read<&'b [u8]> {
        let length = self.word()? as usize;
        self.take(length)
    }

    fn location(&mut self) -> Read<Location> {
        Ok(Location { start: self.word()?, length: self.word()? })
    }

    fn optional_location(&mut self) -> Read<Option<Location>> {
        Ok(if self.byte()? == 0 { None } else { Some(self.location()?) })
    }

    /// Seven bits a byte, the lowest first.
    fn word(&mut self) -> Read<u32> {
        let mut word = 0;
        for shift in (0..).step_by(7).take(5) {
            let byte = self.byte()?;
            word |= u32::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(word);
            }
        }
        Err(Malformed)
    }

    fn fixed_word(&mut self) -> Read<u32> {
        Ok(u32::from_ne_bytes(self.take(4)?.try_into().map_err(|_| Malformed)?))
    }

    fn byte(&mut self) -> Read<u8> {
        Ok(self.take(1)?[0])
    }

    fn take(&mut self, count: usize) -> Read<&'b [u8]> {
        let taken = self.bytes.get(self.at..).and_then(|rest| rest.get(..count)).ok_or(Malformed)?;
        self.at += count;
        Ok(taken)
    }
}
