//! The indexed table: entries in insertion order, and an open-addressing index of positions.
//!
//! ```text
//! index    +------+--------------------+-----------------+
//!          | Head | hashes: u32 ...    | slots ...       |   a buffer of bytes; one hash an entry
//!          +------+--------------------+-----------------+
//! entries  +-----------+-----------+------
//!          | key value | key value | ...                     a buffer of values
//!          +-----------+-----------+------
//! ```
//! A slot is 8, 16 or 32 bits wide, depending on the capacity: 0 if it is free, otherwise a position plus one in its
//! low bits and, in the remaining bits, a tag of low hash bits. Probing is linear and compares tags, so that most
//! misses access only the index. The slots of deleted entries are freed at the end of a run of slots, the others stay
//! until the table is rebuilt: no slot moves while a search calls Ruby code. The load factor is at most three quarters.

use std::sync::atomic::{AtomicU64, Ordering};

use abi::Value;
use heap::{Buffer, BufferKind};

use super::layout::Error;
use crate::Mem;

#[repr(C)]
struct Head {
    /// Unique among all tables: a lookup that ran Ruby checks it to detect that the table was replaced.
    id: u64,
    live: u32,
    used: u32,
    /// All positions before this one are holes.
    start: u32,
    capacity: u32,
    level: u32,
    /// The base-2 logarithm of the number of slots.
    slot_bits: u8,
    /// Bytes of a slot: 1, 2 or 4.
    width: u8,
    /// Bits of a slot that hold the position.
    position_bits: u8,
}

const HEAD_BYTES: usize = size_of::<Head>();
const _: () = assert!(HEAD_BYTES == 40 || HEAD_BYTES == 32);

/// The smallest capacity.
const SMALLEST: usize = 12;
/// The largest capacity: the index then has 2^31 slots.
const LARGEST: usize = 3 << 29;

/// Smaller tables are not worth shrinking.
const SPARSE_ABOVE: u32 = 512;

static NEXT_ID: AtomicU64 = AtomicU64::new(1);

/// The table of a Hash: valid until the Hash gets another one.
#[derive(Clone, Copy)]
pub(super) struct Table {
    head: *mut Head,
    entries: *mut Value,
}

impl Table {
    /// Where the number of places used is in the index, in bytes.
    pub(super) const USED_OFFSET: usize = std::mem::offset_of!(Head, used);
}

/// The state of one lookup's walk through the slots.
pub(super) struct Probe {
    slot: usize,
    tag: u32,
}

/// Stores `to` in the first free slot from `at` on.
///
/// # Safety
/// There are `mask + 1` slots, and one of them is free.
#[inline(always)]
unsafe fn take_slot<T: Copy + Default + PartialEq>(slots: *mut T, mask: usize, mut at: usize, to: T) {
    // SAFETY: `at` stays below `mask + 1`.
    unsafe {
        while *slots.add(at) != T::default() {
            at = (at + 1) & mask;
        }
        *slots.add(at) = to;
    }
}

/// The 32 bits of a hash value that the table stores; they include the low bits, in which small numbers differ.
#[inline(always)]
pub(super) fn short_hash(hash: u64) -> u32 {
    hash as u32 ^ ((hash >> 32) as u32).wrapping_mul(0x85eb_ca6b)
}

/// The capacity of a new table for `entries`.
fn capacity_for(entries: usize) -> Result<usize, Error> {
    if entries > LARGEST {
        return Err(Error::TooBig);
    }
    // 12, 16, 24, 32, 48...: powers of two, and one and a half times as much.
    let power = entries.max(SMALLEST).next_power_of_two();
    let between = power / 4 * 3;
    Ok(if entries <= between && between >= SMALLEST { between } else { power }.min(LARGEST))
}

/// The capacity of a full table that grows for one more entry. Small ones double: what they copy takes most of the
/// time of filling them.
fn capacity_above(used: usize) -> Result<usize, Error> {
    const DOUBLED: usize = 128;
    capacity_for(if used < DOUBLED { (used + 1).next_power_of_two() } else { used + 1 })
}

struct Sizes {
    capacity: usize,
    slot_bits: u32,
    width: usize,
    position_bits: u32,
}

impl Sizes {
    fn new(capacity: usize) -> Sizes {
        let slots = (capacity * 4 / 3).next_power_of_two();
        let width = match capacity {
            0..=0xff => 1,
            0x100..=0xffff => 2,
            _ => 4,
        };
        let position_bits = usize::BITS - capacity.leading_zeros();
        Sizes { capacity, slot_bits: slots.trailing_zeros(), width, position_bits }
    }

    fn index_bytes(&self) -> usize {
        HEAD_BYTES + self.capacity * 4 + (self.width << self.slot_bits)
    }

    /// A new index of free slots for this capacity.
    fn make_index(&self, cx: &mut Mem) -> Result<Buffer, Error> {
        let index = cx.allocate_buffer(self.index_bytes(), BufferKind::Bytes)?;
        // SAFETY: the buffer has this size.
        unsafe { self.clear(index) };
        Ok(index)
    }

    /// An index of free slots for this capacity in place of one of less, with the first `used` of its hashes: it grows
    /// in place if it can, so that the largest tables need not exist twice.
    fn grow_index(&self, cx: &mut Mem, index: Buffer, used: usize) -> Result<Buffer, Error> {
        let index = cx.grow_buffer(index, BufferKind::Bytes, HEAD_BYTES + used * 4, self.index_bytes())?;
        // SAFETY: the buffer has this size now.
        unsafe { self.clear(index) };
        Ok(index)
    }

    /// Writes the head of an empty table and frees all slots. The hashes stay.
    ///
    /// # Safety
    /// The buffer has room for an index of this capacity.
    unsafe fn clear(&self, index: Buffer) {
        let head: *mut Head = index.bytes().cast();
        // SAFETY: there is room for head, hashes and slots.
        unsafe {
            head.write(Head {
                id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
                live: 0,
                used: 0,
                start: 0,
                capacity: self.capacity as u32,
                level: 0,
                slot_bits: self.slot_bits as u8,
                width: self.width as u8,
                position_bits: self.position_bits as u8,
            });
            let slots = index.bytes().add(HEAD_BYTES + self.capacity * 4);
            std::ptr::write_bytes(slots, 0, self.width << self.slot_bits);
        }
    }
}

impl Table {
    /// # Safety
    /// The buffers are the index and the entries of one table.
    #[inline(always)]
    pub unsafe fn new(index: Buffer, entries: Buffer) -> Table {
        Table { head: index.bytes().cast(), entries: entries.words() }
    }

    /// An empty table with room for `entries`: its index and its entries.
    pub fn allocate(cx: &mut Mem, entries: usize) -> Result<(Buffer, Buffer), Error> {
        let sizes = Sizes::new(capacity_for(entries)?);
        let buffer = cx.allocate_buffer(sizes.capacity * 16, BufferKind::Values)?;
        let index = sizes.make_index(cx)?;
        Ok((index, buffer))
    }

    #[inline(always)]
    fn head(&self) -> &Head {
        // SAFETY: a table's index begins with its head.
        unsafe { &*self.head }
    }

    #[inline(always)]
    #[allow(clippy::mut_from_ref)]
    fn head_mut(&self) -> &mut Head {
        // SAFETY: a table's index begins with its head; only one mutable reference exists at a time.
        unsafe { &mut *self.head }
    }

    #[inline(always)]
    pub fn id(self) -> u64 {
        self.head().id
    }

    #[inline(always)]
    pub fn live(self) -> usize {
        self.head().live as usize
    }

    #[inline(always)]
    pub fn used(self) -> usize {
        self.head().used as usize
    }

    #[inline(always)]
    pub fn start(self) -> usize {
        self.head().start as usize
    }

    #[inline(always)]
    pub fn level(self) -> u32 {
        self.head().level
    }

    pub fn set_level(self, level: u32) {
        self.head_mut().level = level;
    }

    #[inline(always)]
    pub fn is_full(self) -> bool {
        self.head().used == self.head().capacity
    }

    /// Whether most entries are holes.
    #[inline(always)]
    pub fn is_sparse(self) -> bool {
        let head = self.head();
        head.used > SPARSE_ABOVE && head.live <= head.used / 8
    }

    #[inline(always)]
    pub fn pair(self, position: usize) -> *mut Value {
        debug_assert!(position < self.head().capacity as usize);
        self.entries.wrapping_add(position * 2)
    }

    /// Alternating keys and values of all positions, including holes; valid until the Hash changes.
    #[inline(always)]
    pub fn pairs<'a>(self) -> &'a [Value] {
        // SAFETY: positions below `used` have a pair.
        unsafe { std::slice::from_raw_parts(self.entries, self.used() * 2) }
    }

    /// The key; `UNDEF` if the entry was deleted.
    #[inline(always)]
    pub fn key(self, position: usize) -> Value {
        debug_assert!(position < self.used());
        // SAFETY: positions below `used` have a pair.
        unsafe { *self.pair(position) }
    }

    #[inline(always)]
    pub fn value(self, position: usize) -> Value {
        debug_assert!(position < self.used());
        // SAFETY: positions below `used` have a pair, whose second word is the value.
        unsafe { *self.pair(position).add(1) }
    }

    #[inline(always)]
    pub fn hash(self, position: usize) -> u32 {
        debug_assert!(position < self.used());
        // SAFETY: the index has a hash for every entry after the head.
        unsafe { *self.hashes().add(position) }
    }

    #[inline(always)]
    fn hashes(self) -> *mut u32 {
        self.head.wrapping_add(1).cast()
    }

    #[inline(always)]
    fn slots(self) -> *mut u8 {
        self.hashes().wrapping_add(self.head().capacity as usize).cast()
    }

    #[inline(always)]
    fn slot(self, slot: usize) -> u32 {
        let slots = self.slots();
        // SAFETY: the slot's number is masked, and slots have that width.
        unsafe {
            match self.head().width {
                1 => u32::from(*slots.add(slot)),
                2 => u32::from(*slots.cast::<u16>().add(slot)),
                _ => *slots.cast::<u32>().add(slot),
            }
        }
    }

    /// Begins the probe sequence of a hash value.
    #[inline(always)]
    pub fn probe(self, hash: u32) -> Probe {
        let head = self.head();
        let slot = (hash.wrapping_mul(0x9e37_79b1) >> (32 - u32::from(head.slot_bits))) as usize;
        let tag_bits = u32::from(head.width) * 8 - u32::from(head.position_bits);
        let tag = ((u64::from(hash) & ((1 << tag_bits) - 1)) << head.position_bits) as u32;
        Probe { slot, tag }
    }

    /// The next position whose hash value may match; it may be a hole.
    #[inline(always)]
    pub fn next(self, probe: &mut Probe) -> Option<usize> {
        let head = self.head();
        let mask = (1usize << head.slot_bits) - 1;
        let position_mask = ((1u64 << head.position_bits) - 1) as u32;
        loop {
            let slot = self.slot(probe.slot);
            if slot == 0 {
                return None;
            }
            probe.slot = (probe.slot + 1) & mask;
            if slot & !position_mask == probe.tag {
                return Some((slot & position_mask) as usize - 1);
            }
        }
    }

    /// The position of the entry with the identical key, else of a new one. The caller stores the pair.
    #[inline]
    pub fn find_or_enter(self, key: Value, hash: u32) -> usize {
        let mut probe = self.probe(hash);
        while let Some(position) = self.next(&mut probe) {
            if self.key(position) == key {
                return position;
            }
        }
        self.enter_at(probe, hash)
    }

    /// Records an entry's hash value and position. The caller stores the pair.
    #[inline]
    pub fn enter(self, hash: u32) -> usize {
        self.enter_at(self.probe(hash), hash)
    }

    /// Like `enter`, in the first free slot from the probe's present slot on.
    #[inline(always)]
    pub fn enter_at(self, probe: Probe, hash: u32) -> usize {
        debug_assert!(!self.is_full());
        let position = self.used();
        let to = probe.tag | (position as u32 + 1);
        let mask = (1usize << self.head().slot_bits) - 1;
        let slots = self.slots();
        // SAFETY: the index has a hash for every entry, and slots of that width; a quarter of them is free.
        unsafe {
            match self.head().width {
                1 => take_slot(slots, mask, probe.slot, to as u8),
                2 => take_slot(slots.cast(), mask, probe.slot, to as u16),
                _ => take_slot(slots.cast(), mask, probe.slot, to),
            }
            *self.hashes().add(position) = hash;
        }
        let head = self.head_mut();
        head.used += 1;
        head.live += 1;
        position
    }

    /// Makes the entry a hole.
    pub fn delete(self, position: usize) {
        let pair = self.pair(position);
        // SAFETY: the position is used; neither word is a reference.
        unsafe {
            *pair = Value::UNDEF;
            *pair.add(1) = Value(0);
        }
        self.free_slots(position);
        let head = self.head_mut();
        head.live -= 1;
        if position == head.start as usize {
            while self.start() < self.used() && self.key(self.start()).is_undef() {
                self.head_mut().start += 1;
            }
        }
    }

    /// Frees the slot of a hole, and those of holes before it, if no slot is used after it: a key that is deleted and
    /// stored again and again leaves no slots that its searches walk through.
    #[inline]
    fn free_slots(self, position: usize) {
        let mask = (1usize << self.head().slot_bits) - 1;
        let position_mask = ((1u64 << self.head().position_bits) - 1) as u32;
        let position_of = |slot: u32| ((slot & position_mask) as usize).checked_sub(1);
        let mut at = self.probe(self.hash(position)).slot;
        while position_of(self.slot(at)) != Some(position) {
            if self.slot(at) == 0 {
                return;
            }
            at = (at + 1) & mask;
        }
        if self.slot((at + 1) & mask) != 0 {
            return;
        }
        while position_of(self.slot(at)).is_some_and(|position| self.key(position).is_undef()) {
            // SAFETY: the slot's number is masked, and slots have that width.
            unsafe {
                match self.head().width {
                    1 => *self.slots().add(at) = 0,
                    2 => *self.slots().cast::<u16>().add(at) = 0,
                    _ => *self.slots().cast::<u32>().add(at) = 0,
                }
            }
            at = at.wrapping_sub(1) & mask;
        }
    }

    /// Whether the slot before the probe's present one refers to this position: the candidate that was found last, if
    /// it was not deleted since.
    #[inline]
    pub fn is_still_at(self, probe: &Probe, position: usize) -> bool {
        let mask = (1usize << self.head().slot_bits) - 1;
        let position_mask = ((1u64 << self.head().position_bits) - 1) as u32;
        (self.slot(probe.slot.wrapping_sub(1) & mask) & position_mask) as usize == position + 1
    }

    pub fn capacity(self) -> usize {
        self.head().capacity as usize
    }

    /// Inserts the live entries of `from` in order, and copies their pairs; the caller informs the collector.
    fn take_over(self, from: Table) {
        for position in from.start()..from.used() {
            let key = from.key(position);
            if !key.is_undef() {
                let pair = self.pair(self.enter(from.hash(position)));
                // SAFETY: the position was just made, and is within the capacity.
                unsafe {
                    *pair = key;
                    *pair.add(1) = from.value(position);
                }
            }
        }
    }

    /// A table with the live entries of this one and room for `more`: its index and its entries.
    pub fn copied(self, cx: &mut Mem, more: usize) -> Result<(Buffer, Buffer), Error> {
        if self.live() == self.used() && capacity_for(self.live() + more)? == self.head().capacity as usize {
            return self.cloned(cx);
        }
        let (index, entries) = Table::allocate(cx, self.live() + more)?;
        // SAFETY: the index and the entries were just created for each other.
        let table = unsafe { Table::new(index, entries) };
        table.take_over(self);
        cx.remember_buffer(entries, 0..table.used() * 16);
        Ok((index, entries))
    }

    /// A copy of the same capacity, word for word.
    fn cloned(self, cx: &mut Mem) -> Result<(Buffer, Buffer), Error> {
        let sizes = Sizes::new(self.head().capacity as usize);
        let index = cx.allocate_buffer(sizes.index_bytes(), BufferKind::Bytes)?;
        // SAFETY: a Hash on the stack, whose table this is, keeps the entries alive; the copy has the same capacity.
        let entries = unsafe { cx.allocate_copy(sizes.capacity * 16, self.entries, self.used() * 2)? };
        // SAFETY: the index is new and of the size of this table's.
        unsafe { self.copy_index(index.bytes().cast(), sizes.index_bytes()) };
        Ok((index, entries))
    }

    /// Makes this table, whose entries are in the buffer, a copy of another one of the same capacity, word for word.
    pub fn overwrite(self, cx: &mut Mem, entries: Buffer, from: Table) {
        debug_assert!(self.capacity() == from.capacity() && entries.words() == self.entries);
        let bytes = Sizes::new(self.capacity()).index_bytes();
        // SAFETY: tables of one capacity have the same sizes. Pairs after those in use hold no references.
        unsafe {
            for unused in from.used() * 2..self.used() * 2 {
                *self.entries.add(unused) = Value(0);
            }
            std::ptr::copy_nonoverlapping(from.entries, self.entries, from.used() * 2);
            from.copy_index(self.head, bytes);
        }
        cx.remember_buffer(entries, 0..from.used() * 16);
    }

    /// Copies the index; the copy is that of a table of its own, over which nothing iterates.
    ///
    /// # Safety
    /// There is room for so many bytes, which this table's index has.
    unsafe fn copy_index(self, to: *mut Head, index_bytes: usize) {
        // SAFETY: this function's contract.
        unsafe {
            std::ptr::copy_nonoverlapping(self.head.cast::<u8>(), to.cast(), index_bytes);
            (*to).id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
            (*to).level = 0;
        }
    }

    /// This full table, which has holes, rebuilt with room for more. The old one must not be used again.
    pub fn compacted(self, cx: &mut Mem, old_index: Buffer, old_entries: Buffer) -> Result<(Buffer, Buffer), Error> {
        let made = self.copied(cx, (self.live() / 2).max(1))?;
        cx.release_buffer(old_index);
        cx.release_buffer(old_entries);
        Ok(made)
    }

    /// The entries of this full table without holes, with room for more.
    pub fn grown_entries(self, cx: &mut Mem, entries: Buffer) -> Result<Buffer, Error> {
        let capacity = capacity_above(self.used())?;
        Ok(cx.grow_buffer(entries, BufferKind::Values, self.used() * 16, capacity * 16)?)
    }

    /// The index of this full table without holes for its entries, which have grown. This table must not be used again.
    pub fn grown_index(self, cx: &mut Mem, index: Buffer, entries: Buffer) -> Result<Buffer, Error> {
        let used = self.used();
        let index = Sizes::new(capacity_above(used)?).grow_index(cx, index, used)?;
        // SAFETY: the index was just made for the entries.
        let table = unsafe { Table::new(index, entries) };
        for position in 0..used {
            // SAFETY: growing kept the hashes of the used entries.
            let hash = unsafe { *table.hashes().add(position) };
            table.enter(hash);
        }
        Ok(index)
    }
}
