//! `--stats`: objects by type and representation. Collections count dead and promoted objects; the number of allocated
//! objects is the sum of the freed ones and those alive at the end. Allocation itself counts nothing.

use std::collections::BTreeMap;

use abi::{Type, Value};
use object::{World, cell, payload};

/// Type and representation.
type Sort = (&'static str, &'static str);

#[derive(Clone, Copy, Default)]
pub struct Row {
    pub freed: u64,
    pub promoted: u64,
    /// Found by a heap walk at exit.
    pub live: u64,
}

#[derive(Default)]
pub struct Counts {
    rows: BTreeMap<Sort, Row>,
}

fn sort_of(world: &World, object: Value) -> Sort {
    let ty = cell::header(object).ty();
    (type_name(ty), payload::form(world, object))
}

fn type_name(ty: Type) -> &'static str {
    object::types::TYPES[ty as usize].name
}

impl Counts {
    pub fn freed(&mut self, world: &World, object: Value) {
        self.rows.entry(sort_of(world, object)).or_default().freed += 1;
    }

    pub fn promoted(&mut self, world: &World, object: Value) {
        self.rows.entry(sort_of(world, object)).or_default().promoted += 1;
    }

    pub fn live(&mut self, world: &World, object: Value) {
        self.rows.entry(sort_of(world, object)).or_default().live += 1;
    }

    pub fn rows(&self) -> impl Iterator<Item = (Sort, Row)> {
        self.rows.iter().map(|(sort, row)| (*sort, *row))
    }
}
