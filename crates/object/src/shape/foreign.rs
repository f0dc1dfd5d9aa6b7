//! Instance variables of values whose own cells have no room for any: strings, arrays, classes, procs and so on.

use crate::native::Visit;
use abi::Value;
use heap::{Marker, WeakTable};
use rustc_hash::FxHashMap;

/// Fields cells by the address of their owner. They are roots while the owner lives.
#[derive(Default)]
pub struct ForeignFields {
    by_owner: FxHashMap<u64, Fields>,
}

struct Fields(Value);

impl ForeignFields {
    pub fn get(&self, owner: Value) -> Option<Value> {
        self.by_owner.get(&owner.0).map(|f| f.0)
    }

    pub fn set(&mut self, owner: Value, fields: Value) {
        self.by_owner.insert(owner.0, Fields(fields));
    }

    pub fn remove(&mut self, owner: Value) {
        self.by_owner.remove(&owner.0);
    }

    pub fn trace(&mut self, marker: &mut Marker) {
        for fields in self.by_owner.values_mut() {
            marker.visit(&mut fields.0);
        }
    }
}

impl WeakTable for ForeignFields {
    fn retain(&mut self, alive: &dyn Fn(Value) -> bool, _young_only: bool) {
        self.by_owner.retain(|owner, _| alive(Value(*owner)));
    }

    fn count(&self) -> usize {
        self.by_owner.len()
    }

    fn update(&mut self, marker: &mut Marker) {
        let moved = std::mem::take(&mut self.by_owner);
        for (owner, fields) in moved {
            let mut owner = Value(owner);
            marker.visit(&mut owner);
            self.by_owner.insert(owner.0, fields);
        }
    }
}
