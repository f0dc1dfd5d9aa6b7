//! The weak table of frozen Strings, by bytes and encoding: literals, `-str`, names of symbols.
//!
//! Open addressing with linear probing. A table that is more than three quarters full is rebuilt, sized for its live
//! entries.

use abi::{Flags, Value};
use heap::{Marker, OutOfMemory, WeakTable};
use memory::Grow;
use text::{CodeRange, EncodingId};

use super::content::hash_bytes;
use super::layout::{EMBED_SMALL, INTERNED, Representation, Str};
use crate::payload::{self, Exhausted};
use crate::{Mem, cell};

#[derive(Clone, Copy)]
struct Entry {
    /// 0 if the entry is free, `UNDEF` if it was removed.
    string: Value,
    hash: u64,
}

const FREE: Entry = Entry { string: Value(0), hash: 0 };

/// Weak: an entry is removed when nothing else refers to its String.
#[derive(Default)]
pub struct InternTable {
    /// A power of two entries, or none.
    entries: Vec<Entry>,
    /// The number of entries that are not free.
    used: usize,
    live: usize,
    /// Entries created since the last collection.
    recent: Vec<Entry>,
    /// The progress of `retain_step`.
    cleared: usize,
    /// Whether the table could not grow since it was last rebuilt, and has refused an entry.
    refused: bool,
}

/// The interned copy of a String of this length shares its bytes, although it cannot be changed without a copy then.
const SHARED_FROM: usize = 4096;

/// The number of recent entries for which a collection keeps room.
const KEPT: usize = 512;

impl InternTable {
    /// The number of interned Strings.
    pub fn len(&self) -> usize {
        self.live
    }

    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    fn find(&self, cx: &Mem, hash: u64, bytes: &[u8], encoding: EncodingId) -> Option<Str> {
        if self.entries.is_empty() {
            return None;
        }
        let mask = self.entries.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let entry = self.entries[at];
            if entry.string == FREE.string {
                return None;
            }
            if entry.hash == hash && !entry.string.is_undef() && cx.is_alive(entry.string) {
                // SAFETY: the table holds Strings only, and this one is alive.
                let string = unsafe { Str::new_unchecked(entry.string) };
                if string.encoding() == encoding && string.is(bytes) {
                    return Some(string);
                }
            }
            at = (at + 1) & mask;
        }
    }

    fn insert(&mut self, hash: u64, string: Str) -> Result<(), Exhausted> {
        if (self.used + 1) * 4 > self.entries.len() * 3 && self.rebuild().is_err() {
            self.fill()?;
        }
        self.recent.try_reserve(1).map_err(|_| Exhausted::OutOfMemory)?;
        let entry = Entry { string: string.value(), hash };
        self.recent.push(entry);
        place(&mut self.entries, entry);
        self.used += 1;
        self.live += 1;
        Ok(())
    }

    /// Whether a table that cannot grow takes another entry. It does until 7/8 of it are used. Then it refuses one
    /// entry, and takes a few more for the code that handles the failure.
    #[cold]
    fn fill(&mut self) -> Result<(), Exhausted> {
        let (used, size) = (self.used + 1, self.entries.len());
        let most = if self.refused { size / 32 * 31 } else { size / 8 * 7 };
        self.refused |= used > most;
        if used > most { Err(Exhausted::OutOfMemory) } else { Ok(()) }
    }

    #[cold]
    fn rebuild(&mut self) -> Result<(), Exhausted> {
        let size = ((self.live + 1) * 2).next_power_of_two().max(64);
        let mut entries = Vec::new();
        entries.try_reserve_exact(size).map_err(|_| Exhausted::OutOfMemory)?;
        entries.set_length(size, FREE);
        for entry in &self.entries {
            if entry.string.is_heap() {
                place(&mut entries, *entry);
            }
        }
        self.entries = entries;
        self.used = self.live;
        self.refused = false;
        // A pass in progress restarts.
        self.cleared = 0;
        Ok(())
    }

    fn remove(&mut self, entry: Entry) {
        if self.entries.is_empty() {
            return;
        }
        let mask = self.entries.len() - 1;
        let mut at = entry.hash as usize & mask;
        while self.entries[at].string != FREE.string {
            if self.entries[at].string == entry.string {
                self.remove_at(at);
                return;
            }
            at = (at + 1) & mask;
        }
    }

    fn remove_at(&mut self, at: usize) {
        let next = (at + 1) & (self.entries.len() - 1);
        self.live -= 1;
        if self.entries[next].string == FREE.string {
            self.entries[at] = FREE;
            self.used -= 1;
        } else {
            self.entries[at].string = Value::UNDEF;
        }
    }
}

/// The table has a free entry.
fn place(entries: &mut [Entry], entry: Entry) {
    let mask = entries.len() - 1;
    let mut at = entry.hash as usize & mask;
    while entries[at].string != FREE.string {
        at = (at + 1) & mask;
    }
    entries[at] = entry;
}

impl WeakTable for InternTable {
    fn retain(&mut self, alive: &dyn Fn(Value) -> bool, young_only: bool) {
        let recent = std::mem::take(&mut self.recent);
        for entry in recent.iter().filter(|entry| !alive(entry.string)) {
            self.remove(*entry);
        }
        self.recent = recent;
        self.recent.clear();
        // Loading a library makes many names, running it few.
        self.recent.shrink_to(KEPT);
        if !young_only {
            self.cleared = 0;
            while !self.retain_step(alive, usize::MAX) {}
        }
    }

    fn retain_step(&mut self, alive: &dyn Fn(Value) -> bool, budget: usize) -> bool {
        let end = self.cleared.saturating_add(budget).min(self.entries.len());
        for at in self.cleared..end {
            let string = self.entries[at].string;
            if string.is_heap() && !alive(string) {
                self.remove_at(at);
            }
        }
        let done = end == self.entries.len();
        self.cleared = if done { 0 } else { end };
        if done {
            // After a full collection in one stop, `recent` has dead entries, whose cells may be reused before the next
            // minor collection. A compaction would take the new objects there for moved Strings.
            self.recent.retain(|entry| alive(entry.string));
        }
        done
    }

    fn count(&self) -> usize {
        self.live
    }

    fn update(&mut self, marker: &mut Marker) {
        for entry in self.entries.iter_mut().chain(&mut self.recent) {
            if entry.string.is_heap() {
                // SAFETY: the slot is the table's reference to the String.
                unsafe { marker.slot(&mut entry.string) };
            }
        }
    }
}

fn hash_of(cx: &Mem, bytes: &[u8], encoding: EncodingId) -> u64 {
    hash_bytes(cx, bytes).rotate_left(encoding.index() as u32 & 63)
}

/// The interned String of these bytes, in the smallest cell that holds them.
pub fn intern(cx: &mut Mem, bytes: &[u8], encoding: EncodingId) -> Result<Str, Exhausted> {
    let hash = hash_of(cx, bytes, encoding);
    if let Some(string) = cx.world().interned.find(cx, hash, bytes, encoding) {
        return Ok(string);
    }
    let string = Str::frozen(cx, bytes, encoding, CodeRange::Unknown)?;
    enter(cx, hash, string)
}

/// The interned String of a literal. The Strings that the code creates from it share its buffer if it is long.
pub fn intern_literal(cx: &mut Mem, bytes: &[u8], encoding: EncodingId) -> Result<Str, Exhausted> {
    let hash = hash_of(cx, bytes, encoding);
    if let Some(string) = cx.world().interned.find(cx, hash, bytes, encoding) {
        return Ok(string);
    }
    let string = if bytes.len() <= EMBED_SMALL {
        Str::frozen(cx, bytes, encoding, CodeRange::Unknown)?
    } else {
        let (start, len) = (bytes.as_ptr(), bytes.len());
        // SAFETY: a slice of bytes can be read.
        let buffer = unsafe { payload::copied(cx, heap::BufferKind::Bytes, start, len, len)? };
        let start = buffer.bytes();
        let string = Str::in_buffer(cx, Representation::Owned, buffer, start, len, encoding, CodeRange::Unknown);
        string.freeze();
        string
    };
    string.code_range();
    enter(cx, hash, string)
}

/// The interned String equal to this one, which has no instance variables: `-str`. If there is none, a frozen String
/// becomes the interned one itself.
pub fn intern_string(cx: &mut Mem, string: Str) -> Result<Str, Exhausted> {
    let header = cell::header(string.value());
    if header.has(INTERNED) {
        return Ok(string);
    }
    let encoding = string.encoding();
    let hash = hash_of(cx, string.bytes(cx), encoding);
    if let Some(found) = cx.world().interned.find(cx, hash, string.bytes(cx), encoding) {
        return Ok(found);
    }
    let plain = header.has(Flags::FROZEN) && header.shape() == crate::Known::String.root_shape();
    // A slice would keep its whole buffer alive.
    if plain && matches!(string.representation(), Representation::Embedded | Representation::Owned) {
        return enter(cx, hash, string);
    }
    if string.representation() == Representation::Owned && string.len() >= SHARED_FROM {
        let copy = string.frozen_dup(cx);
        return enter(cx, hash, copy);
    }
    // SAFETY: the handles are on the stack, and an allocation changes no String.
    let bytes = unsafe { string.unguarded() };
    let copy = Str::frozen(cx, bytes, encoding, string.known_code_range())?;
    enter(cx, hash, copy)
}

/// The interned String equal to this one, if there is one.
pub fn find_interned(cx: &Mem, bytes: &[u8], encoding: EncodingId) -> Option<Str> {
    let hash = hash_of(cx, bytes, encoding);
    cx.world().interned.find(cx, hash, bytes, encoding)
}

/// The interned String that [`intern_text`] would return, if there is one.
pub fn find_text(cx: &Mem, text: &str) -> Option<Value> {
    find_interned(cx, text.as_bytes(), EncodingId::UTF_8).map(Str::value)
}

fn enter(cx: &mut Mem, hash: u64, string: Str) -> Result<Str, Exhausted> {
    let header = cell::header(string.value()).with(INTERNED | Flags::SHAREABLE);
    cell::set_header(string.value(), header);
    cx.world_mut().interned.insert(hash, string)?;
    Ok(string)
}

/// The name of a symbol. ASCII names are in US-ASCII, whatever the encoding of the source. Unwinds with `OutOfMemory`
/// as `allocate` does.
pub fn intern_symbol_name(cx: &mut Mem, bytes: &[u8], encoding: EncodingId) -> Value {
    let ascii = encoding.is_ascii_compatible() && bytes.is_ascii();
    or_unwind(intern(cx, bytes, if ascii { EncodingId::US_ASCII } else { encoding }))
}

/// The interned UTF-8 String of text in Rust source. Unwinds as `intern_symbol_name` does.
pub fn intern_text(cx: &mut Mem, text: &str) -> Value {
    or_unwind(intern(cx, text.as_bytes(), EncodingId::UTF_8))
}

/// The interned String of the name of a class or module: US-ASCII if it is ASCII.
pub fn intern_name(cx: &mut Mem, name: &str) -> Value {
    let encoding = if name.is_ascii() { EncodingId::US_ASCII } else { EncodingId::UTF_8 };
    or_unwind(intern(cx, name.as_bytes(), encoding))
}

fn or_unwind(string: Result<Str, Exhausted>) -> Value {
    match string {
        Ok(string) => string.value(),
        Err(_) => std::panic::resume_unwind(Box::new(OutOfMemory)),
    }
}

impl Str {
    pub fn is_interned(self) -> bool {
        cell::header(self.value()).has(INTERNED)
    }
}
