//! pprof's format: compressed Protocol Buffers, with the messages of `profile.proto` in
//! <https://github.com/google/pprof>.
//!
//! The few kinds of fields are encoded by hand: a library would need a compiler for the message definitions.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use runtime::sampling::Mode;
use rustc_hash::FxHashMap;

use crate::result::Profile;

/// A message under construction.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.0.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.0.push(n as u8);
    }

    /// A number; 0 is the default, and is omitted.
    fn number(&mut self, field: u64, n: u64) {
        if n != 0 {
            self.varint(field << 3);
            self.varint(n);
        }
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn packed(&mut self, field: u64, numbers: impl Iterator<Item = u64>) {
        let mut inner = Message::default();
        numbers.for_each(|n| inner.varint(n));
        self.bytes(field, &inner.0);
    }

    fn message(&mut self, field: u64, fill: impl FnOnce(&mut Message)) {
        let mut inner = Message::default();
        fill(&mut inner);
        self.bytes(field, &inner.0);
    }
}

/// Unique texts by number; number 0 is empty.
#[derive(Default)]
struct Texts {
    list: Vec<String>,
    numbers: FxHashMap<String, u64>,
}

impl Texts {
    fn add(&mut self, text: &str) -> u64 {
        if let Some(known) = self.numbers.get(text) {
            return *known;
        }
        let number = self.list.len() as u64;
        self.list.push(text.to_string());
        self.numbers.insert(text.to_string(), number);
        number
    }
}

/// Samples with two values: their count and nanoseconds; the thread is a label.
pub fn write(profile: &Profile) -> Vec<u8> {
    let message = encode(profile);
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail.
    let _ = packed.write_all(&message);
    packed.finish().unwrap_or_default()
}

fn encode(profile: &Profile) -> Vec<u8> {
    let (tree, mut texts, mut whole) = (&profile.tree, Texts::default(), Message::default());
    texts.add("");
    let time = match profile.mode {
        Mode::Cpu => "cpu",
        Mode::Wall => "wall",
    };
    let kinds = [("samples", "count"), (time, "nanoseconds")].map(|(kind, unit)| (texts.add(kind), texts.add(unit)));
    let value_type = |message: &mut Message, (kind, unit): (u64, u64)| {
        message.number(1, kind);
        message.number(2, unit);
    };
    kinds.iter().for_each(|kind| whole.message(1, |message| value_type(message, *kind)));
    // By node and thread: the count and the time.
    let mut sums: FxHashMap<(u32, u32), (u64, u64)> = FxHashMap::default();
    for sample in &profile.samples {
        let sum = sums.entry((sample.node, sample.thread)).or_default();
        *sum = (sum.0 + 1, sum.1 + sample.weight);
    }
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_unstable();
    let label = texts.add("thread");
    for ((node, thread), (count, weight)) in sums {
        let name = profile.threads.iter().find(|known| known.number == thread).map_or("", |known| &known.name);
        let name = texts.add(name);
        whole.message(2, |message| {
            message.packed(1, tree.chain(node).map(|node| u64::from(tree.nodes[node as usize].place) + 1));
            message.packed(2, [count, weight].into_iter());
            message.message(3, |label_message| {
                label_message.number(1, label);
                label_message.number(2, name);
            });
        });
    }
    for (i, place) in tree.places.iter().enumerate() {
        whole.message(4, |message| {
            message.number(1, i as u64 + 1);
            message.message(4, |line| {
                line.number(1, u64::from(place.function) + 1);
                line.number(2, place.line.max(0) as u64);
            });
        });
    }
    for (i, function) in tree.functions.iter().enumerate() {
        let (name, path) = (texts.add(&function.name), texts.add(&function.path));
        whole.message(5, |message| {
            message.number(1, i as u64 + 1);
            message.number(2, name);
            message.number(4, path);
            message.number(5, function.first_line.max(0) as u64);
        });
    }
    whole.number(10, profile.ended.saturating_sub(profile.began));
    whole.message(11, |message| value_type(message, kinds[1]));
    whole.number(12, profile.interval);
    texts.list.iter().for_each(|text| whole.bytes(6, text.as_bytes()));
    whole.0
}
