//! Inline caches.

use std::cell::Cell;

use abi::{Flags, Value};
use bytecode::CallFlags;
use heap::Marker;
use object::native::Visit;
use object::{Sym, cell, shape::ivars::Place};

use super::Code;
use crate::method_table::Method;

/// What a cached call does.
#[derive(Clone, Copy)]
pub enum Target {
    /// Nothing is cached.
    Unknown,
    /// Push a frame for code whose arguments need no arranging.
    Simple(*const Code),
    /// Push a frame; arguments must be arranged.
    Sequence(*const Code),
    Native(&'static Method),
    /// The frequent case of a method of the Ruby half, where the site passes no block.
    Shortcut(&'static Method),
    /// An attr_reader whose variable stands in this word of objects of the cached shape.
    ReadWord(u16),
    /// An attr_writer, likewise.
    WriteWord(u16),
    /// Everything else is looked at again.
    Other,
}

/// A place in the code that calls a method.
pub struct CallSite {
    pub name: Sym,
    pub arguments: u16,
    pub flags: CallFlags,
    pub depth: u16,
    pub literal_arguments: u16,
    /// The child with the literal block, or u32::MAX.
    pub block: u32,
    pub keywords: Box<[Sym]>,
    /// Shape of the receiver below, method epoch above; 0 when empty.
    pub key: Cell<u64>,
    pub target: Cell<Target>,
    pub entry: Cell<Value>,
    /// What was cached before: a site that sees two shapes keeps both.
    pub former_key: Cell<u64>,
    pub former_target: Cell<Target>,
    pub former_entry: Cell<Value>,
}

impl CallSite {
    pub fn trace(&mut self, marker: &mut Marker) {
        marker.visit(&mut self.name.value());
        marker.visit(self.entry.get_mut());
        marker.visit(self.former_entry.get_mut());
        for name in &mut self.keywords {
            marker.visit(&mut name.value());
        }
    }

    pub fn block_child(&self) -> Option<usize> {
        (self.block != u32::MAX).then_some(self.block as usize)
    }

    /// Makes the former entry the first one if it is for `key`.
    #[inline]
    pub fn recall(&self, key: u64) -> bool {
        if self.former_key.get() != key {
            return false;
        }
        self.key.swap(&self.former_key);
        self.entry.swap(&self.former_entry);
        self.target.swap(&self.former_target);
        true
    }

    /// Fills the cache; what was there becomes the former entry.
    pub fn fill(&self, key: u64, entry: Value, target: Target) {
        if self.key.get() != key {
            self.former_key.set(self.key.get());
            self.former_entry.set(self.entry.get());
            self.former_target.set(self.target.get());
        }
        self.key.set(key);
        self.entry.set(entry);
        self.target.set(target);
    }
}

impl CallSite {
    /// Empties the cache of shapes for which `gone` is true.
    pub fn forget_shapes(&self, gone: &dyn Fn(u32) -> bool) {
        if gone(self.key.get() as u32) {
            self.key.set(0);
            self.entry.set(Value::NIL);
            self.target.set(Target::Unknown);
        }
        if gone(self.former_key.get() as u32) {
            self.former_key.set(0);
            self.former_entry.set(Value::NIL);
            self.former_target.set(Target::Unknown);
        }
    }
}

/// What call sites compare: the shape that receivers of this kind have, immediates too.
#[inline(always)]
pub fn shape_key(v: Value) -> u32 {
    if v.is_heap() { (cell::header(v).0 >> 32) as u32 } else { object::class::immediate_class(v) as u32 }
}

/// A place that reads or sets an instance variable of self.
pub struct IvarSite {
    pub name: Sym,
    /// Shape that was seen and word of the object, packed: shape above, word below; u64::MAX when empty. Only inline places are cached.
    pub get: Cell<u64>,
    /// The same for setting a variable that is there.
    pub set: Cell<u64>,
    /// For setting a new one: shape before and after.
    pub add_from: Cell<u64>,
    pub add_to: Cell<u32>,
    pub add_word: Cell<u16>,
}

impl IvarSite {
    pub fn new(name: Sym) -> IvarSite {
        IvarSite {
            name,
            get: Cell::new(u64::MAX),
            set: Cell::new(u64::MAX),
            add_from: Cell::new(u64::MAX),
            add_to: Cell::new(0),
            add_word: Cell::new(0),
        }
    }

    pub fn trace(&mut self, marker: &mut Marker) {
        marker.visit(&mut self.name.value());
    }

    /// The same for the caches of variables.
    pub fn forget_shapes(&self, gone: &dyn Fn(u32) -> bool) {
        for place in [&self.get, &self.set] {
            if place.get() != u64::MAX && gone((place.get() >> 16) as u32) {
                place.set(u64::MAX);
            }
        }
        let from = self.add_from.get();
        if from != u64::MAX && (gone(from as u32) || gone(self.add_to.get())) {
            self.add_from.set(u64::MAX);
        }
    }

    /// A key of a header's shape and its frozen bit.
    #[inline(always)]
    pub fn writable_key(header: u64) -> u64 {
        (header >> 32) | ((header & Flags::FROZEN as u64) << 32)
    }

    pub fn cached(shape: u32, place: Place) -> Option<u64> {
        match place {
            Place::Inline(word) => Some(((shape as u64) << 16) | word as u64),
            Place::Overflow(..) => None,
        }
    }
}

/// A place that reads a constant.
pub struct ConstantSite {
    pub name: Sym,
    pub value: Cell<Value>,
    /// The epoch at which `value` was found.
    pub epoch: Cell<u32>,
    /// The lexical scope, or the module of `A::B`, for which it was found.
    pub scope: Cell<Value>,
}

impl ConstantSite {
    pub fn trace(&mut self, marker: &mut Marker) {
        marker.visit(&mut self.name.value());
        marker.visit(self.value.get_mut());
        marker.visit(self.scope.get_mut());
    }
}

/// Where `case` jumps for literals.
pub struct JumpTable {
    pub literal: usize,
    /// Small integers, symbols and interned strings with the word to go to.
    pub targets: rustc_hash::FxHashMap<JumpKey, u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct JumpKey(pub Value);

impl JumpTable {
    pub fn trace(&mut self, marker: &mut Marker) {
        let mut moved = Vec::new();
        for (key, to) in &self.targets {
            let mut now = *key;
            marker.visit(&mut now.0);
            if now != *key {
                moved.push((*key, now, *to));
            }
        }
        // One key's new address may be another's old one: all leave before any comes back.
        for (former, ..) in &moved {
            self.targets.remove(former);
        }
        for (_, now, to) in moved {
            self.targets.insert(now, to);
        }
    }
}

/// The value of a `Once` body that was run.
pub struct OnceValue(pub Value);
