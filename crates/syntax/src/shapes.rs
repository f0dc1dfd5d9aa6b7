//! The classes of nodes and their fields, the names of tokens and of errors, in prism's order.
//!
//! The three lists next to this file come from prism's headers and its `config.json`; a new version of prism may
//! require new ones.

use std::sync::LazyLock;

/// A class of nodes.
#[derive(Debug)]
pub struct Shape {
    /// Its place among all.
    pub number: usize,
    pub name: &'static str,
    pub fields: Vec<FieldShape>,
}

#[derive(Debug)]
pub struct FieldShape {
    pub name: &'static str,
    pub kind: FieldKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    Node,
    Nodes,
    Constant,
    OptionalConstant,
    Constants,
    Location,
    OptionalLocation,
    Text,
    Byte,
    Word,
    Integer,
    Double,
}

static SHAPES: LazyLock<Vec<Shape>> =
    LazyLock::new(|| include_str!("nodes.txt").lines().enumerate().map(shape).collect());
static TOKENS: LazyLock<Vec<&str>> = LazyLock::new(|| include_str!("tokens.txt").split_whitespace().collect());
static DIAGNOSTICS: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("diagnostics.txt").split_whitespace().collect());

/// The class with this number, counted from 1.
pub fn node(number: u8) -> Option<&'static Shape> {
    SHAPES.get(usize::from(number).checked_sub(1)?)
}

/// The name of a token; the older name if prism has split a kind of token.
pub fn token(number: u32) -> Option<&'static str> {
    let name = TOKENS.get((number as usize).checked_sub(1)?)?;
    Some(name.split_once('=').map_or(name, |(_, older)| older))
}

/// The name of an error or a warning.
pub fn diagnostic(number: u32) -> Option<&'static str> {
    DIAGNOSTICS.get(number as usize).copied()
}

fn shape((number, line): (usize, &'static str)) -> Shape {
    let mut words = line.split(' ');
    let name = words.next().unwrap_or_default();
    let fields = words.filter_map(|word| {
        let (name, kind) = word.split_once(':')?;
        let kind = match kind {
            "node" | "node?" => FieldKind::Node,
            "node[]" => FieldKind::Nodes,
            "constant" => FieldKind::Constant,
            "constant?" => FieldKind::OptionalConstant,
            "constant[]" => FieldKind::Constants,
            "location" => FieldKind::Location,
            "location?" => FieldKind::OptionalLocation,
            "string" => FieldKind::Text,
            "uint8" => FieldKind::Byte,
            "uint32" => FieldKind::Word,
            "integer" => FieldKind::Integer,
            "double" => FieldKind::Double,
            other => unreachable!("a field of kind {other}"),
        };
        Some(FieldShape { name, kind })
    });
    Shape { number, name, fields: fields.collect() }
}
