//! The emoji of Japanese carriers from the time before Unicode had any: private characters that differ by carrier.
//!
//! `tables/emoji.txt`, recorded from CRuby 4.1dev, has a section for each pair of variants of UTF-8, with
//! `character=text` where they differ; without a text there is no equivalent.

use memory::Grow;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::codec::{Unit, unit_shape};
use crate::encoding::EncodingId;

type Table = HashMap<&'static str, &'static str>;

static TABLES: LazyLock<HashMap<(&str, &str), Table>> = LazyLock::new(|| {
    let mut tables = HashMap::new();
    let mut current: Option<&mut Table> = None;
    for line in include_str!("tables/emoji.txt").lines() {
        let pair = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')).and_then(|pair| pair.split_once('>'));
        match (pair, &mut current) {
            (Some(pair), _) => current = Some(tables.entry(pair).or_default()),
            (None, Some(table)) => table.extend(line.split(' ').filter_map(|entry| entry.split_once('='))),
            (None, None) => {}
        }
    }
    tables
});

/// The conversion between two variants of UTF-8.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exchange {
    table: &'static Table,
}

impl Exchange {
    /// The conversion between two variants, if both are carriers' or one is plain UTF-8.
    pub(super) fn new(source: EncodingId, destination: EncodingId) -> Option<Exchange> {
        TABLES.get(&(source.name(), destination.name())).map(|table| Exchange { table })
    }

    pub(super) fn unit(self, input: &[u8], out: &mut Vec<u8>) -> Unit {
        let len = match unit_shape(EncodingId::UTF_8, input) {
            Ok(len) => len,
            Err(unit) => return unit,
        };
        let text = std::str::from_utf8(&input[..len]).ok().and_then(|char| self.table.get(char));
        match text {
            Some(&"") => return Unit::Undefined(len),
            Some(text) => out.append_slice(text.as_bytes()),
            None => out.append_slice(&input[..len]),
        }
        Unit::Done(len)
    }
}
