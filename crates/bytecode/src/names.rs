//! The names of an image, each of which is there once: the methods of a file mention the same names again and again.
//!
//! While it is written, a name in a sequence is replaced by its place among the names.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::{Kind, Literal, Sequence, Symbol, image};

/// The names that are being collected.
#[derive(Default)]
pub(crate) struct Names {
    /// For each name its encoding, its length and its bytes.
    pub text: Vec<u8>,
    places: HashMap<Symbol, u32, BuildHasherDefault<ahash::AHasher>>,
}

impl Names {
    /// Replaces all names of the sequence and of those in it by their places.
    pub fn take_from(&mut self, sequence: &mut Sequence) {
        each_name(sequence, &mut |name| {
            let place = match self.places.get(name) {
                Some(place) => *place,
                None => {
                    let place = self.text.len() as u32;
                    image::append(&(name.encoding, &name.bytes), &mut self.text);
                    self.places.insert(name.clone(), place);
                    place
                }
            };
            name.bytes.clear();
            name.bytes.extend_from_slice(&place.to_le_bytes());
            name.encoding = Symbol::PLACED;
            Ok(())
        })
        .expect("names can be replaced");
        each_block(sequence, &mut |block, around| {
            if block.name == around {
                block.name.clear();
            }
        });
    }
}

impl Symbol {
    /// The place that stands for the name.
    pub(crate) fn place(&self) -> Option<u32> {
        if self.encoding != Symbol::PLACED {
            return None;
        }
        self.bytes[..].try_into().ok().map(u32::from_le_bytes)
    }
}

/// Puts the names back.
pub(crate) fn restore(sequence: &mut Sequence, names: &[u8]) -> Result<(), String> {
    each_name(sequence, &mut |name| {
        if let Some(place) = name.place() {
            let text = names.get(place as usize..).ok_or("no name there")?;
            let ((encoding, bytes), _) = postcard::take_from_bytes(text).map_err(|error| error.to_string())?;
            *name = Symbol { bytes, encoding };
        }
        Ok(())
    })?;
    each_block(sequence, &mut |block, around| {
        if block.name.is_empty() {
            block.name.push_str(around);
        }
    });
    Ok(())
}

type Visit<'a> = &'a mut dyn FnMut(&mut Symbol) -> Result<(), String>;

fn each_name(sequence: &mut Sequence, visit: Visit) -> Result<(), String> {
    for call in &mut sequence.calls {
        visit(&mut call.name)?;
        call.keywords.iter_mut().try_for_each(&mut *visit)?;
    }
    sequence.parameters.keywords.iter_mut().try_for_each(|(name, _)| visit(name))?;
    sequence.locals.iter_mut().filter_map(|local| local.name.as_mut()).try_for_each(&mut *visit)?;
    sequence.ivars.iter_mut().chain(&mut sequence.constants).try_for_each(&mut *visit)?;
    sequence.literals.iter_mut().try_for_each(|literal| each_name_in(literal, visit))?;
    sequence.children.iter_mut().try_for_each(|child| each_name(child, visit))
}

fn each_name_in(literal: &mut Literal, visit: Visit) -> Result<(), String> {
    match literal {
        Literal::Symbol(name) => visit(name),
        Literal::Array(elements) => elements.iter_mut().try_for_each(|element| each_name_in(element, visit)),
        Literal::Hash(pairs) => pairs.iter_mut().try_for_each(|(key, value)| {
            each_name_in(key, visit)?;
            each_name_in(value, visit)
        }),
        Literal::JumpTable(rows) => rows.iter_mut().try_for_each(|(key, _)| each_name_in(key, visit)),
        Literal::Rational(low, high) | Literal::Range { low, high, .. } => {
            each_name_in(low, visit)?;
            each_name_in(high, visit)
        }
        Literal::Imaginary(part) => each_name_in(part, visit),
        Literal::Nil
        | Literal::True
        | Literal::False
        | Literal::Integer(_)
        | Literal::BigInteger { .. }
        | Literal::Float(_)
        | Literal::String { .. }
        | Literal::Regexp { .. } => Ok(()),
    }
}

/// Visits the blocks, which mostly have the name of the code around them, outermost first on the way back.
fn each_block(sequence: &mut Sequence, visit: &mut dyn FnMut(&mut Sequence, &str)) {
    each_block_of(&mut sequence.children, &sequence.name, visit);
}

fn each_block_of(children: &mut [Sequence], around: &str, visit: &mut dyn FnMut(&mut Sequence, &str)) {
    for child in children {
        let is_block = child.kind == Kind::Block;
        let name = if child.name.is_empty() && is_block { around.to_owned() } else { child.name.clone() };
        each_block_of(&mut child.children, &name, visit);
        if is_block {
            visit(child, around);
        }
    }
}
