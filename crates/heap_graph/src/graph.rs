//! The objects of a dump, numbered, and their references in one array.

use crate::reader::{Columns, NONE, NameId, Names, Text};
use rustc_hash::FxHashMap;

/// The graph of a dump. Node 0 is a root above all roots; the objects follow in the order of the dump.
pub struct Graph {
    /// The address of object `i + 1`.
    pub addresses: Vec<u64>,
    /// The size of each node in bytes; the root has none.
    pub sizes: Vec<u32>,
    /// The category of each node: the name of its class, or its internal type.
    pub classes: Vec<NameId>,
    pub places: Vec<u32>,
    pub generations: Vec<u32>,
    pub strings: Vec<Text>,
    pub names: Names,
    /// The start of each node's references in `targets`, and the end of the last.
    pub starts: Vec<u32>,
    pub targets: Vec<u32>,
    /// The names of classes and modules.
    pub own_names: FxHashMap<u32, NameId>,
    /// The names of the roots that refer to a node.
    pub roots: FxHashMap<u32, NameId>,
}

/// Finds objects by address. Neighbours in memory are neighbours in the index, so that lookups hit the processor's
/// caches.
struct Index<'a> {
    slots: Vec<u32>,
    addresses: &'a [u64],
}

impl<'a> Index<'a> {
    fn new(addresses: &'a [u64]) -> Index<'a> {
        let mut slots = vec![0u32; (addresses.len() * 2).next_power_of_two().max(16)];
        let mask = slots.len() - 1;
        for (i, address) in addresses.iter().enumerate() {
            let mut slot = (address >> 4) as usize & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = i as u32 + 1;
        }
        Index { slots, addresses }
    }

    fn node(&self, address: u64) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut slot = (address >> 4) as usize & mask;
        loop {
            match self.slots[slot] {
                0 => return None,
                node if self.addresses[node as usize - 1] == address => return Some(node),
                _ => slot = (slot + 1) & mask,
            }
        }
    }
}

impl Graph {
    /// Resolves addresses. References to objects that are not in the dump are omitted.
    pub fn new(mut columns: Columns) -> Graph {
        let named = std::mem::take(&mut columns.class_names);
        let named: Vec<(u64, NameId)> =
            named.into_iter().map(|(address, name)| (address, columns.names.add(&name))).collect();
        let classes = class_names(&mut columns, named.iter().copied().collect());
        let addresses = std::mem::take(&mut columns.addresses);
        let index = Index::new(&addresses);
        let references = std::mem::take(&mut columns.references);
        let own_names = named.into_iter().filter_map(|(address, name)| Some((index.node(address)?, name))).collect();
        let mut roots = FxHashMap::default();
        let (mut starts, mut targets) = (Vec::with_capacity(addresses.len() + 2), Vec::with_capacity(references.len()));
        starts.push(0);
        for (address, name) in &columns.roots {
            if let Some(node) = index.node(*address)
                && roots.insert(node, *name).is_none()
            {
                targets.push(node);
            }
        }
        let mut from = 0;
        for end in &columns.ends {
            starts.push(targets.len() as u32);
            targets.extend(references[from..*end as usize].iter().filter_map(|address| index.node(*address)));
            from = *end as usize;
        }
        starts.push(targets.len() as u32);
        let mut sizes = std::mem::take(&mut columns.sizes);
        sizes.insert(0, 0);
        Graph {
            sizes,
            classes,
            places: std::mem::take(&mut columns.places),
            generations: std::mem::take(&mut columns.generations),
            strings: std::mem::take(&mut columns.strings),
            names: std::mem::take(&mut columns.names),
            starts,
            targets,
            own_names,
            roots,
            addresses,
        }
    }

    /// The number of nodes, including the root.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.addresses.is_empty()
    }

    pub fn targets(&self, node: u32) -> &[u32] {
        &self.targets[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    pub fn address(&self, node: u32) -> u64 {
        self.addresses[node as usize - 1]
    }

    pub fn node_at(&self, address: u64) -> Option<u32> {
        self.addresses.iter().position(|known| *known == address).map(|i| i as u32 + 1)
    }

    pub fn class_name(&self, node: u32) -> String {
        self.names.text(self.classes[node as usize])
    }

    /// File and line of the allocation, if the dump has it.
    pub fn place(&self, node: u32) -> Option<NameId> {
        self.places.get(node as usize - 1).copied().filter(|place| *place != NONE)
    }

    pub fn generation(&self, node: u32) -> Option<u32> {
        self.generations.get(node as usize - 1).copied().filter(|generation| *generation != NONE)
    }
}

/// The category of each node, the root first.
fn class_names(columns: &mut Columns, by_address: FxHashMap<u64, NameId>) -> Vec<NameId> {
    let classes = std::mem::take(&mut columns.classes);
    let kinds = std::mem::take(&mut columns.kinds);
    let mut names = Vec::with_capacity(classes.len() + 1);
    names.push(columns.names.add(b"(roots)"));
    let mut last = (0, None);
    for (class, kind) in classes.into_iter().zip(kinds) {
        if last.0 != class {
            last = (class, by_address.get(&class).copied());
        }
        names.push(last.1.unwrap_or(kind));
    }
    names
}
