//! Finding, storing and deleting by key.
//!
//! `eql?` and `hash` of a program may change the table that is being searched. After each call the search checks that
//! the table is unchanged, and restarts otherwise. No Ruby runs between the end of a search and the use of its result.

use abi::{Flags, Type, Value};

use super::indexed::{Probe, Table, short_hash};
use super::keys::{Keys, builtin_equal, builtin_hash, identity_hash, is_of_basic_type, mix, number_of};
use super::layout::{Error, HashRef, LINEAR_MAX};
use super::linear::{matching, next_match};
use super::strings::plain_string;
use crate::string::Str;
use crate::{Known, Mem, cell, class};

/// The result of a search.
enum Search {
    At(usize),
    Absent,
    /// The table changed during the search.
    Changed,
}

impl HashRef {
    /// The value of a key.
    #[inline]
    pub fn get<K: Keys>(self, cx: &mut K, key: Value) -> Result<Option<Value>, K::Error> {
        Ok(self.position(cx, key)?.map(|position| self.value_at(position)))
    }

    /// The position of a key's entry.
    #[inline(always)]
    pub fn position<K: Keys>(self, cx: &mut K, key: Value) -> Result<Option<usize>, K::Error> {
        if key.is_word() && !self.is_indexed() {
            return Ok(self.find_in_few(key));
        }
        self.position_by_hash(cx, key)
    }

    #[inline(never)]
    fn position_by_hash<K: Keys>(self, cx: &mut K, key: Value) -> Result<Option<usize>, K::Error> {
        if let Some(string) = plain_string(key).filter(|_| !self.is_by_identity())
            && let Ok(found) = self.find_string(cx, string)
        {
            return Ok(found);
        }
        if self.is_empty() {
            return Ok(None);
        }
        let hash = self.hash_of(cx, key)?;
        self.find(cx, key, hash)
    }

    /// Stores an entry, or replaces the value of an existing key. A String that is not frozen is copied and frozen
    /// first.
    #[inline]
    pub fn store<K: Keys>(self, cx: &mut K, key: Value, value: Value) -> Result<(), K::Error> {
        let hash = self.hash_of(cx, key)?;
        self.store_hashed(cx, key, value, hash)
    }

    /// As `store`, if that allocates nothing; otherwise it does nothing and returns `false`.
    #[inline]
    pub fn store_in_place<K: Keys>(self, cx: &mut K, key: Value, value: Value) -> Result<bool, K::Error> {
        if cell::is(key, Type::String) && !cell::header(key).has(Flags::FROZEN) && !self.is_by_identity() {
            return Ok(false);
        }
        let hash = self.hash_of(cx, key)?;
        if let Some(position) = self.find(cx, key, hash)? {
            self.set_value_at(cx, position, value);
            return Ok(true);
        }
        let has_room = match self.is_indexed() {
            true => !self.table().is_full(),
            false => self.linear_used() < self.linear_capacity(cx),
        };
        Ok(has_room && !self.is_iterating() && self.append(cx, key, value, hash)?)
    }

    #[inline]
    pub(super) fn store_hashed<K: Keys>(self, cx: &mut K, key: Value, value: Value, hash: u32) -> Result<(), K::Error> {
        if let Some(position) = self.find_or_add::<K, true>(cx, key, value, hash)? {
            self.set_value_at(cx, position, value);
        }
        Ok(())
    }

    /// The position of an existing key; `None` if there was none and the entry was added.
    #[inline]
    pub fn find_or_store<K: Keys>(self, cx: &mut K, key: Value, value: Value) -> Result<Option<usize>, K::Error> {
        let hash = self.hash_of(cx, key)?;
        self.find_or_add::<K, true>(cx, key, value, hash)
    }

    /// Stores an entry unless the key exists. Returns `true` if it stored the entry. For tables that programs do not
    /// see: a String key is not copied, and active iterations are not checked.
    #[inline]
    pub fn store_new<K: Keys>(self, cx: &mut K, key: Value, value: Value) -> Result<bool, K::Error> {
        let hash = self.hash_of(cx, key)?;
        Ok(self.find_or_add::<K, false>(cx, key, value, hash)?.is_none())
    }

    /// The position of an existing key; `None` if there was none and the entry was added, in the place where the search
    /// ended. `VISIBLE`: programs see the table.
    #[inline]
    fn find_or_add<K: Keys, const VISIBLE: bool>(
        self,
        cx: &mut K,
        key: Value,
        value: Value,
        hash: u32,
    ) -> Result<Option<usize>, K::Error> {
        loop {
            let mut probe = None;
            if self.is_indexed() {
                let mut walked = self.table().probe(hash);
                match self.search_index(cx, key, hash, &mut walked)? {
                    Search::At(position) => return Ok(Some(position)),
                    Search::Absent => {}
                    Search::Changed => continue,
                }
                probe = Some(walked);
            } else if let Some(position) = self.find(cx, key, hash)? {
                return Ok(Some(position));
            }
            let mut own = key;
            if VISIBLE {
                if self.is_iterating() {
                    return Err(Error::AddedDuringIteration.into());
                }
                own = self.own_key(cx, key);
            }
            match probe {
                // Making the key its own may collect garbage, which leaves tables as they are.
                Some(probe) if !self.table().is_full() => {
                    let table = self.table();
                    // SAFETY: the pair of the entry that is made here.
                    unsafe { self.fill(cx, table.pair(table.enter_at(probe, hash)), own, value) };
                    return Ok(None);
                }
                _ if self.append_or_grow(cx, own, value, hash)? => return Ok(None),
                _ => {}
            }
        }
    }

    /// Appends an entry with a new key, converting the table if necessary; `false` if a linear table changed during its
    /// conversion to an indexed one.
    fn append_or_grow<K: Keys>(self, cx: &mut K, key: Value, value: Value, hash: u32) -> Result<bool, K::Error> {
        if self.append(cx, key, value, hash)? {
            return Ok(true);
        }
        let Some(hashes) = self.hashes_of_linear(cx)? else { return Ok(false) };
        self.become_indexed(cx, &hashes)?;
        Ok(self.append(cx, key, value, hash)?)
    }

    /// Stores the entry that `other` has at a position. No other key of this Hash can equal it, because all of them
    /// come from `other`.
    pub fn adopt_entry<K: Keys>(
        self,
        cx: &mut K,
        other: HashRef,
        position: usize,
        (key, value): (Value, Value),
    ) -> Result<(), K::Error> {
        if self.is_by_identity() == other.is_by_identity()
            && other.entry_at(position).is_some_and(|(there, _)| there == key)
            && let Some(hash) = other.known_hash(position, key)
            && self.append_or_grow(cx, key, value, hash)?
        {
            return Ok(());
        }
        self.store(cx, key, value)
    }

    /// The hash value that an indexed table has stored for a key, if that is the key's present hash value.
    #[inline]
    pub(super) fn known_hash(self, position: usize, key: Value) -> Option<u32> {
        let is_lasting = self.is_by_identity() || has_lasting_hash(key);
        (self.is_indexed() && is_lasting).then(|| self.table().hash(position))
    }

    /// Whether it is an indexed table that has the present hash values of all its keys, so that a copy of it is what
    /// storing its entries elsewhere makes.
    fn has_lasting_hashes(self) -> bool {
        self.is_indexed() && (self.is_by_identity() || self.entries().all(|(key, _)| has_lasting_hash(key)))
    }

    /// Deletes a key's entry and returns its key and value.
    pub fn delete<K: Keys>(self, cx: &mut K, key: Value) -> Result<Option<(Value, Value)>, K::Error> {
        let Some(position) = self.position(cx, key)? else { return Ok(None) };
        let entry = self.entry_at(position);
        self.delete_at(cx, position);
        self.shrink_if_sparse(cx);
        Ok(entry)
    }

    /// The Hash of a literal: alternating keys and values, in the smallest cell that holds them. Later values replace
    /// earlier ones.
    pub fn from_pairs<K: Keys>(cx: &mut K, pairs: &[Value]) -> Result<HashRef, K::Error> {
        if pairs.len() <= 2 * LINEAR_MAX
            && let Some(hints) = hints_of(cx, pairs)
        {
            return Ok(HashRef::embedded_with(cx, pairs, hints));
        }
        let hash = HashRef::with_capacity(cx, pairs.len() / 2)?;
        if hash.is_indexed() && pairs.iter().step_by(2).all(|key| key.is_word()) {
            hash.fill_with_words(cx, pairs);
            return Ok(hash);
        }
        for pair in pairs.chunks_exact(2) {
            hash.store(cx, pair[0], pair[1])?;
        }
        Ok(hash)
    }

    /// Stores pairs whose keys are words (`Value::is_word`) in a new table with room for them.
    fn fill_with_words(self, cx: &mut Mem, pairs: &[Value]) {
        let table = self.table();
        for pair in pairs.chunks_exact(2) {
            let to = table.pair(table.find_or_enter(pair[0], short_hash(number_of(mix(cx, pair[0].0)) as u64)));
            // SAFETY: the position is one of the table's, which lives in the Hash; a key that is a word needs no
            // barrier.
            unsafe {
                *to = pair[0];
                self.store_slot(cx, to.wrapping_add(1), pair[1]);
            }
        }
    }

    /// Stores all entries of another Hash.
    pub fn merge<K: Keys>(self, cx: &mut K, other: HashRef) -> Result<(), K::Error> {
        let same = self.is_by_identity() == other.is_by_identity();
        if same && self.is_empty() && !self.is_iterating() && other.has_lasting_hashes() {
            return Ok(self.replace_entries(cx, other)?);
        }
        let mut at = 0;
        while let Some((next, key, value)) = other.next(at) {
            match other.known_hash(next - 1, key) {
                Some(hash) if same => self.store_hashed(cx, key, value, hash)?,
                _ => self.store(cx, key, value)?,
            }
            at = next;
        }
        Ok(())
    }

    /// The key's hash value for this table. May run Ruby.
    #[inline(always)]
    pub(super) fn hash_of<K: Keys>(self, cx: &mut K, key: Value) -> Result<u32, K::Error> {
        if self.is_by_identity() {
            return Ok(short_hash(identity_hash(key)));
        }
        let hash = match builtin_hash(cx, key) {
            Some(hash) => number_of(hash) as u64,
            None => cx.hash_key(key)?,
        };
        Ok(short_hash(hash))
    }

    #[inline]
    pub(super) fn find<K: Keys>(self, cx: &mut K, key: Value, hash: u32) -> Result<Option<usize>, K::Error> {
        if key.is_word() {
            return Ok(self.find_identical(key, hash));
        }
        loop {
            let search = if self.is_indexed() {
                self.search_index(cx, key, hash, &mut self.table().probe(hash))?
            } else {
                self.search_linear(cx, key, hash)?
            };
            match search {
                Search::At(position) => return Ok(Some(position)),
                Search::Absent => return Ok(None),
                Search::Changed => {}
            }
        }
    }

    #[inline]
    fn search_linear<K: Keys>(self, cx: &mut K, key: Value, hash: u32) -> Result<Search, K::Error> {
        let mut matches = matching(self.hints(), hash as u8, self.linear_used());
        while let Some(place) = next_match(&mut matches) {
            let candidate = self.linear_key(place);
            if candidate == key {
                return Ok(Search::At(place));
            }
            match self.quickly_equal(key, candidate) {
                Some(true) => return Ok(Search::At(place)),
                Some(false) => {}
                None => {
                    let before = self.snapshot();
                    let equal = cx.equal_keys(key, candidate)?;
                    if !self.is_unchanged_since(&before) {
                        return Ok(Search::Changed);
                    }
                    if equal {
                        return Ok(Search::At(place));
                    }
                }
            }
        }
        Ok(Search::Absent)
    }

    /// Walks the slots to the key's entry, or to the free slot that ends the search.
    #[inline]
    fn search_index<K: Keys>(self, cx: &mut K, key: Value, hash: u32, probe: &mut Probe) -> Result<Search, K::Error> {
        let table = self.table();
        let is_word = key.is_word();
        while let Some(position) = table.next(probe) {
            let candidate = table.key(position);
            if candidate == key {
                return Ok(Search::At(position));
            }
            if is_word || table.hash(position) != hash {
                continue;
            }
            match self.quickly_equal(key, candidate) {
                Some(true) => return Ok(Search::At(position)),
                Some(false) => {}
                None => {
                    let id = table.id();
                    let equal = cx.equal_keys(key, candidate)?;
                    // The search continues with the next slot and so finds added entries, but only if the table is the
                    // same, and the candidate's slot was not freed for one of them.
                    if !self.is_indexed() || self.table().id() != id || !table.is_still_at(probe, position) {
                        return Ok(Search::Changed);
                    }
                    if equal {
                        let there = table.key(position) == candidate;
                        return Ok(if there { Search::At(position) } else { Search::Changed });
                    }
                }
            }
        }
        Ok(Search::Absent)
    }

    /// The result of the comparison, if it is known without running Ruby. `candidate` may be a hole.
    #[inline(always)]
    fn quickly_equal(self, key: Value, candidate: Value) -> Option<bool> {
        if self.is_by_identity() || candidate.is_undef() {
            Some(key == candidate)
        } else {
            builtin_equal(key, candidate)
        }
    }

    /// The key to store: a frozen copy of a String that is not frozen, unless it is an instance of a subclass.
    #[inline]
    fn own_key(self, cx: &mut Mem, key: Value) -> Value {
        match Str::from_value(key) {
            Some(string) if !cell::header(key).has(Flags::FROZEN) && !self.is_by_identity() => {
                let is_plain = cell::header(key).shape() == Known::String.root_shape()
                    || class::real_class(cx, key) == cx.class(Known::String);
                if is_plain { string.frozen_dup(cx).value() } else { key }
            }
            _ => key,
        }
    }

    /// Appends an entry with a new key; `false` if a linear table is full.
    #[inline]
    pub(super) fn append(self, cx: &mut Mem, key: Value, value: Value, hash: u32) -> Result<bool, Error> {
        if !self.is_indexed() {
            return self.linear_append(cx, key, value, hash as u8);
        }
        if self.table().is_full() {
            self.grow(cx)?;
        }
        let table = self.table();
        // SAFETY: the pair of the entry that is made here.
        unsafe { self.fill(cx, table.pair(table.enter(hash)), key, value) };
        Ok(true)
    }

    /// Stores key and value of an entry whose position was just made.
    ///
    /// # Safety
    /// The pair is that entry's, in this table's buffer.
    #[inline(always)]
    unsafe fn fill(self, cx: &mut Mem, pair: *mut Value, key: Value, value: Value) {
        // SAFETY: this function's contract. If the key is also the value, the key's barrier serves for both words: both
        // are remembered together.
        unsafe {
            self.store_slot(cx, pair, key);
            if key == value {
                *pair.add(1) = value;
            } else {
                self.store_slot(cx, pair.add(1), value);
            }
        }
    }

    #[cold]
    fn grow(self, cx: &mut Mem) -> Result<(), Error> {
        let Some(entries) = self.buffer() else { return Ok(()) };
        let (table, index) = (self.table(), self.index_buffer());
        if table.live() < table.used() {
            let (index, entries) = table.compacted(cx, index, entries)?;
            self.adopt_indexed(cx, index, entries);
            return Ok(());
        }
        // If memory is exhausted in between, the table is whole, with room for entries that its index has no place for.
        let entries = table.grown_entries(cx, entries)?;
        self.adopt_indexed(cx, index, entries);
        let index = self.table().grown_index(cx, index, entries)?;
        self.adopt_indexed(cx, index, entries);
        Ok(())
    }

    /// The hash values of the keys of a full linear table; `None` if it changed while they were being computed.
    #[cold]
    fn hashes_of_linear<K: Keys>(self, cx: &mut K) -> Result<Option<[u32; LINEAR_MAX]>, K::Error> {
        let mut hashes = [0; LINEAR_MAX];
        for (place, to) in hashes.iter_mut().enumerate().take(self.linear_used()) {
            let key = self.linear_key(place);
            if self.is_by_identity() {
                *to = short_hash(identity_hash(key));
            } else if let Some(hash) = builtin_hash(cx, key) {
                *to = short_hash(number_of(hash) as u64);
            } else {
                let before = self.snapshot();
                *to = short_hash(cx.hash_key(key)?);
                if !self.is_unchanged_since(&before) {
                    return Ok(None);
                }
            }
        }
        Ok(Some(hashes))
    }

    /// Converts a full linear table to an indexed one of twice the size. `hashes` are the hash values of its entries.
    #[cold]
    fn become_indexed(self, cx: &mut Mem, hashes: &[u32; LINEAR_MAX]) -> Result<(), Error> {
        let (index, entries) = Table::allocate(cx, 2 * LINEAR_MAX)?;
        // SAFETY: the index and the entries were just created for each other.
        let table = unsafe { Table::new(index, entries) };
        for (place, hash) in hashes.iter().enumerate().take(self.linear_used()) {
            let key = self.linear_key(place);
            if !key.is_undef() {
                let pair = table.pair(table.enter(*hash));
                // SAFETY: the position was just created; the collector is informed below.
                unsafe {
                    *pair = key;
                    *pair.add(1) = self.linear_value(place);
                }
            }
        }
        cx.remember_buffer(entries, 0..table.used() * 16);
        self.adopt_indexed(cx, index, entries);
        Ok(())
    }
}

/// Whether the key's hash value does not change while it is a key.
#[inline(always)]
fn has_lasting_hash(key: Value) -> bool {
    !key.is_heap() || is_of_basic_type(key)
}

/// The hints of a literal's keys, if their hash values are known without running Ruby, all hints differ and no key
/// needs a copy.
#[inline]
pub(super) fn hints_of(cx: &Mem, pairs: &[Value]) -> Option<u64> {
    let mut hints = 0;
    for (place, pair) in pairs.chunks_exact(2).enumerate() {
        let key = pair[0];
        if key.is_heap() && cell::is(key, Type::String) && !cell::frozen(key) {
            return None;
        }
        let hint = short_hash(number_of(builtin_hash(cx, key)?) as u64) as u8;
        let mut matches = matching(hints, hint, place);
        while let Some(other) = next_match(&mut matches) {
            if builtin_equal(key, pairs[other * 2]) != Some(false) {
                return None;
            }
        }
        hints |= u64::from(hint) << (place * 8);
    }
    Some(hints)
}
