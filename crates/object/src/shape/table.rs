//! The shape table: a tree of transitions for each class.
//!
//! A shape has one instance variable more than its parent. Root shapes have none, except those of singleton classes of
//! objects that had some already. They record the capacity of objects created with them. A class may have several
//! roots, because the capacity adapts to the number of variables that its objects get.

use abi::{ShapeId, Value};
use heap::{Marker, ShapeClasses, Trace, WeakTable};
use rustc_hash::{FxHashMap, FxHashSet};

use super::recent_places::RecentPlaces;
use crate::{
    Known, Sym,
    class::{
        data::{forget_dead, live_data},
        root_shape,
    },
};

/// When a root has this many shapes, further objects store their variables in a table.
const MOST_SHAPES_A_ROOT: u16 = 256;

/// The end of a list of shapes.
const NO_SHAPE: ShapeId = ShapeId(u32::MAX);

pub struct Shape {
    /// The root of its tree of transitions.
    root: ShapeId,
    pub parent: ShapeId,
    /// The variable that this shape adds to its parent; undef for roots.
    pub edge: Sym,
    /// The newest of the shapes of the same class that add a variable to this one, and for each of those the one made
    /// before it. A list of transitions in each shape would be another allocation for almost every one.
    first_child: ShapeId,
    next_child: ShapeId,
    /// For a root: the number of shapes derived from it. For others: the number of searches, until the shape has a map.
    made: u16,
    /// The number of variables of an object of this shape.
    pub count: u16,
    /// Words in the object's own cell.
    pub capacity: u16,
    /// The object's first word is a hash of its variables.
    pub complex: bool,
    /// Some objects of this shape have their variables outside of their cells (`attachment`).
    pub beside: bool,
    rare: Option<Box<Rare>>,
}

/// The parts that most shapes lack.
#[derive(Default)]
struct Rare {
    /// For a root: the shape of its objects that store their variables in a table.
    complex_root: Option<ShapeId>,
    /// The shape with the same variables below another root of its class; both live as long as the class.
    moved: Option<(ShapeId, ShapeId)>,
    /// A map from names to indices, created when a shape of many variables is searched often.
    index: Option<FxHashMap<Sym, u16>>,
}

/// All shapes of a VM, and all classes and modules.
///
/// An object keeps its class alive through its shape (`heap::ShapeClasses`); otherwise the table is weak. The numbers
/// of a dead class's shapes are reused when all caches that contain them were purged and no machine code contains them.
pub struct ShapeTable {
    /// Separate from `shapes`, because an object's class is the most frequent query. nil if the class died.
    classes: Vec<Value>,
    shapes: Vec<Shape>,
    /// All classes, singleton classes and modules; those from `young_modules` on were created since the last
    /// collection.
    modules: Vec<Value>,
    young_modules: usize,
    /// Shapes made since the last collection.
    young: Vec<u32>,
    pub recent_places: RecentPlaces,
    /// Shapes of dead classes, which caches may still contain.
    dead: Vec<u32>,
    /// Shapes of dead classes that machine code contained at the last purge.
    held: Vec<u32>,
    /// Shapes of dead classes that were removed from all caches, and can be reused.
    free: Vec<u32>,
    /// Empties caches of the given shapes.
    purge: Option<Purge>,
    column: Box<ShapeClasses>,
    /// The results of recent searches for variables.
    found: Box<[Found; FOUND]>,
}

/// The result of a search: the place of a variable, or that the shape has no variable of this name. It stays valid,
/// because shapes do not change.
#[derive(Clone, Copy)]
struct Found {
    shape: ShapeId,
    name: Sym,
    index: Option<u16>,
}

/// The number of results that are remembered, a power of two.
const FOUND: usize = 128;

impl Found {
    const NOTHING: Found = Found { shape: ShapeId(u32::MAX), name: Sym::NONE, index: None };

    /// The index in the table of results for this variable.
    #[inline(always)]
    fn slot(shape: ShapeId, name: Sym) -> usize {
        (shape.0 as usize ^ (name.value().0 >> 8) as usize) % FOUND
    }
}

/// Called with its registered data. Empties all caches of shapes for which the first function is true; calls the second
/// one with each shape that machine code contains. It allocates nothing.
type PurgeFunction = unsafe fn(*mut (), &dyn Fn(u32) -> bool, &mut dyn FnMut(u32));
type Purge = (PurgeFunction, *mut ());

/// The number of shapes of dead classes, in addition to a quarter of the table, that triggers a purge.
const PURGE_FROM: usize = 1024;

impl ShapeTable {
    /// A table with the root shapes of the known classes, whose classes are set when they are created.
    pub fn new() -> ShapeTable {
        let mut table = ShapeTable {
            classes: Vec::new(),
            shapes: Vec::new(),
            modules: Vec::new(),
            young_modules: 0,
            young: Vec::new(),
            recent_places: RecentPlaces::default(),
            dead: Vec::new(),
            held: Vec::new(),
            free: Vec::new(),
            purge: None,
            column: Box::new(ShapeClasses { first: Known::COUNT as u32, ..ShapeClasses::NONE }),
            found: Box::new([Found::NOTHING; FOUND]),
        };
        for known in Known::ALL {
            table.add(Value::NIL, Shape::root(known.root_shape(), 1));
        }
        table.young.clear();
        table
    }

    /// For `Heap::set_shape_classes`; its address is stable.
    pub fn shape_classes(&self) -> *const ShapeClasses {
        &*self.column
    }

    /// Sets the function that empties caches of shapes.
    ///
    /// # Safety
    /// `purge` may be called with `data` from now on.
    pub unsafe fn set_purge(&mut self, purge: PurgeFunction, data: *mut ()) {
        self.purge = Some((purge, data));
    }

    pub fn set_known_class(&mut self, known: Known, class: Value) {
        self.classes[known as usize] = class;
    }

    /// Registers a new class or module.
    pub fn add_module(&mut self, module: Value) {
        self.modules.push(module);
    }

    #[inline(always)]
    pub fn class(&self, shape: ShapeId) -> Value {
        debug_assert!((shape.0 as usize) < self.classes.len());
        // SAFETY: only `add` creates shape ids, which keeps both tables equally long, and none is ever removed.
        unsafe { *self.classes.get_unchecked(shape.0 as usize) }
    }

    #[inline(always)]
    pub fn get(&self, shape: ShapeId) -> &Shape {
        &self.shapes[shape.0 as usize]
    }

    /// The shape with the same variables below another root of the same class, which has another capacity if the class
    /// has learned how many variables its objects have. `None` if the class is another one, or there is no such shape.
    pub fn moved(&mut self, shape: ShapeId, root: ShapeId) -> Option<ShapeId> {
        let old = self.get(shape).root;
        if self.class(old) != self.class(root) || self.get(old).count != 0 || self.get(root).count != 0 {
            return None;
        }
        if old == root {
            return Some(shape);
        }
        if let Some((known, moved)) = self.get(shape).rare.as_ref().and_then(|rare| rare.moved)
            && known == root
        {
            return Some(moved);
        }
        let moved = self.names(shape).into_iter().try_fold(root, |at, name| self.transition(at, name))?;
        self.rare_mut(shape).moved = Some((root, moved));
        Some(moved)
    }

    /// The number of ids, including those of dead classes' shapes.
    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of shapes with variables that were created for a class.
    pub fn variations(&self, class: Value) -> u32 {
        let root = self.get(root_shape(class)).root;
        self.get(root).made.into()
    }

    /// A new root for `class`, for objects with `capacity` words.
    pub fn new_root(&mut self, class: Value, capacity: u16) -> ShapeId {
        let id = self.add(class, Shape::root(ShapeId(0), capacity));
        self.shapes[id.0 as usize].root = id;
        id
    }

    fn add(&mut self, class: Value, shape: Shape) -> ShapeId {
        if self.free.is_empty() && self.dead.len() >= PURGE_FROM.max(self.shapes.len() / 4) {
            self.recycle();
        }
        let id = match self.free.pop() {
            Some(id) => {
                self.classes[id as usize] = class;
                self.shapes[id as usize] = shape;
                id
            }
            None => {
                // Nothing has changed yet if memory is exhausted.
                memory::reserve(&mut self.classes, 1);
                memory::reserve(&mut self.shapes, 1);
                self.classes.push(class);
                self.shapes.push(shape);
                self.column.classes = self.classes.as_mut_ptr();
                self.shapes.len() as u32 - 1
            }
        };
        self.young.push(id);
        ShapeId(id)
    }

    /// Purges the shapes of dead classes from all caches, so that they can be reused.
    #[cold]
    fn recycle(&mut self) {
        let Some((purge, data)) = self.purge else { return };
        let classes = &self.classes;
        let is_gone = |shape: u32| classes.get(shape as usize).is_some_and(|class| class.is_nil());
        self.dead.append(&mut self.held);
        let held = &mut self.held;
        let mut hold = |shape: u32| {
            if is_gone(shape) {
                memory::reserve(held, 1);
                held.push(shape);
            }
        };
        // SAFETY: `set_purge` took both.
        unsafe { purge(data, &is_gone, &mut hold) };
        self.held.sort_unstable();
        self.held.dedup();
        // What a `super` calls is kept with the class of the running method, also for receivers of subclasses.
        for &module in &self.modules {
            // SAFETY: dead modules leave the list before their data is dropped; the reference ends in this turn.
            let supers = unsafe { &live_data(module).supers };
            supers
                .iter()
                .flat_map(|supers| supers.values())
                .flatten()
                .for_each(|known| known.lookup.forget_shapes(&is_gone));
        }
        self.found.fill(Found::NOTHING);
        self.recent_places.clear();
        self.dead.retain(|shape| self.held.binary_search(shape).is_err());
        self.free.append(&mut self.dead);
    }

    /// The index of variable `name` in objects of `shape`.
    #[inline]
    pub fn find(&mut self, shape: ShapeId, name: Sym) -> Option<u16> {
        let slot = Found::slot(shape, name);
        let found = &self.found[slot];
        if found.shape == shape && found.name == name {
            return found.index;
        }
        let index = self.search(shape, name);
        self.found[slot] = Found { shape, name, index };
        index
    }

    /// Records that objects of a shape have their variables outside of their cells.
    pub fn set_beside(&mut self, shape: ShapeId) {
        self.shapes[shape.0 as usize].beside = true;
    }

    /// Like [`ShapeTable::find`], but without remembering the result. For the compiler.
    pub fn index_of(&self, shape: ShapeId, name: Sym) -> Option<u16> {
        let mut at = self.get(shape);
        while at.count > 0 {
            if at.edge == name {
                return Some(at.count - 1);
            }
            at = self.get(at.parent);
        }
        None
    }

    /// The existing shape with `name` added; `None` if no object has needed it so far.
    pub fn known_transition(&self, shape: ShapeId, name: Sym) -> Option<ShapeId> {
        self.children(shape).find(|child| self.get(*child).edge == name)
    }

    /// The shapes of the same class with one more variable, the newest first.
    fn children(&self, shape: ShapeId) -> impl Iterator<Item = ShapeId> {
        let some = |id: ShapeId| (id != NO_SHAPE).then_some(id);
        std::iter::successors(some(self.get(shape).first_child), move |child| some(self.get(*child).next_child))
    }

    /// The number of shapes with one more variable.
    pub fn edges(&self, shape: ShapeId) -> usize {
        self.children(shape).count()
    }

    fn rare_mut(&mut self, shape: ShapeId) -> &mut Rare {
        self.shapes[shape.0 as usize].rare.get_or_insert_default()
    }

    fn search(&mut self, shape: ShapeId, name: Sym) -> Option<u16> {
        const WALK: u16 = 8;
        // A class or module has shapes of its own. The most are passed while its variables are set, and never searched
        // again.
        const WALKS: u16 = 16;
        let s = &mut self.shapes[shape.0 as usize];
        if s.count > WALK && s.rare.as_ref().is_none_or(|rare| rare.index.is_none()) {
            let is_root = s.root == shape;
            s.made += u16::from(!is_root);
            if is_root || s.made >= WALKS {
                let index = self.names(shape).into_iter().enumerate().map(|(i, n)| (n, i as u16)).collect();
                self.rare_mut(shape).index = Some(index);
            }
        }
        let mut at = shape;
        loop {
            let s = &self.shapes[at.0 as usize];
            if let Some(index) = s.rare.as_ref().and_then(|rare| rare.index.as_ref()) {
                return index.get(&name).copied();
            }
            if s.count == 0 {
                return None;
            }
            if s.edge == name {
                return Some(s.count - 1);
            }
            at = s.parent;
        }
    }

    /// Whether objects of the shape `before`, which have no variables, get the shape `after` when these variables are
    /// set in this order.
    pub fn leads_to(&self, before: ShapeId, after: ShapeId, names: &[Sym]) -> bool {
        let Some(mut at) = self.shapes.get(after.0 as usize) else { return false };
        if at.complex || self.shapes[before.0 as usize].complex || at.count as usize != names.len() {
            return false;
        }
        for (position, name) in names.iter().enumerate().rev() {
            if at.edge != *name || (position == 0 && at.parent != before) {
                return false;
            }
            at = self.get(at.parent);
        }
        !names.is_empty()
    }

    /// Names of the variables, in the order in which they were set.
    pub fn names(&self, shape: ShapeId) -> Vec<Sym> {
        let mut names = Vec::new();
        let mut at = shape;
        while self.get(at).count > 0 {
            names.push(self.get(at).edge);
            at = self.get(at).parent;
        }
        names.reverse();
        names
    }

    /// The shape with `name` added; `None` if the class has too many shapes, so that the object must become complex.
    pub fn transition(&mut self, shape: ShapeId, name: Sym) -> Option<ShapeId> {
        if let Some(next) = self.known_transition(shape, name) {
            return Some(next);
        }
        let root = self.get(shape).root;
        let made = self.get(root).made;
        if made >= MOST_SHAPES_A_ROOT || self.get(shape).count >= super::ivars::MOST_FIELDS as u16 {
            return None;
        }
        self.shapes[root.0 as usize].made = made + 1;
        Some(self.add_transition(shape, name))
    }

    fn add_transition(&mut self, shape: ShapeId, name: Sym) -> ShapeId {
        let from = self.get(shape);
        let (root, count, capacity) = (from.root, from.count + 1, from.capacity);
        let next_child = from.first_child;
        let to = Shape { parent: shape, edge: name, next_child, count, ..Shape::root(root, capacity) };
        let next = self.add(self.class(shape), to);
        self.shapes[shape.0 as usize].first_child = next;
        next
    }

    /// The shape for objects of this one that store their variables in a table.
    pub fn complex_root(&mut self, shape: ShapeId) -> ShapeId {
        let root = self.get(shape).root;
        if let Some(complex) = self.get(root).rare.as_ref().and_then(|rare| rare.complex_root) {
            return complex;
        }
        let complex = self.new_complex_root(self.class(root), self.get(root).capacity);
        self.rare_mut(root).complex_root = Some(complex);
        complex
    }

    fn new_complex_root(&mut self, class: Value, capacity: u16) -> ShapeId {
        let complex = self.new_root(class, capacity);
        self.shapes[complex.0 as usize].complex = true;
        complex
    }

    /// The root of `shape`; a new one if its objects store their variables in a table, or if they had some before they
    /// got a singleton class.
    pub fn plain_root(&mut self, shape: ShapeId) -> ShapeId {
        let root = self.get(shape).root;
        let is_plain = !self.get(root).complex && self.get(root).count == 0;
        if !is_plain { self.new_root(self.class(root), self.get(root).capacity) } else { root }
    }

    /// The shape with the same layout and another class (a singleton class).
    pub fn with_class(&mut self, shape: ShapeId, class: Value) -> ShapeId {
        let names = self.names(shape);
        let &Shape { capacity, complex, beside, .. } = self.get(shape);
        let root = if complex { self.new_complex_root(class, capacity) } else { self.new_root(class, capacity) };
        names.into_iter().fold(root, |at, name| {
            let next = self.add_transition(at, name);
            self.shapes[next.0 as usize].beside = beside;
            next
        })
    }

    /// Like [`ShapeTable::with_class`], for a subclass of the shape's class. The new shape is a root of its own,
    /// however many variables it has: all its variables but the last are those of the given shape, which lives as long
    /// as its class. A program that extends many objects thus makes one shape for each object, not one for each
    /// variable of each object.
    pub fn with_subclass(&mut self, shape: ShapeId, class: Value) -> ShapeId {
        let &Shape { parent, edge, count, capacity, complex, beside, .. } = self.get(shape);
        if complex || count == 0 {
            return self.with_class(shape, class);
        }
        let id = self.add(class, Shape { parent, edge, count, beside, ..Shape::root(ShapeId(0), capacity) });
        self.shapes[id.0 as usize].root = id;
        id
    }

    /// Drops dead modules from index `from` on; returns their superclasses and included modules.
    fn retain_modules(&mut self, alive: &dyn Fn(Value) -> bool, from: usize) -> FxHashSet<u64> {
        let mut parents = FxHashSet::default();
        let mut kept = from;
        let mut last = [Value::NIL; 2];
        for at in from..self.modules.len() {
            let module = self.modules[at];
            if alive(module) {
                self.modules[kept] = module;
                kept += 1;
                continue;
            }
            // Its data still exists: native data is dropped after weak tables were cleared.
            // SAFETY: the module's cell and its data exist, and nothing changes them during a collection.
            let data = unsafe { live_data(module) };
            for parent in data.segment.iter().map(|a| a.0).chain([data.superclass]) {
                // Most dead modules of a program have the same parents.
                if parent.is_heap() && parent != module && !last.contains(&parent) {
                    last = [parent, last[0]];
                    parents.insert(parent.0);
                }
            }
        }
        self.modules.truncate(kept);
        parents
    }

    /// Records the shape as dead if its class is dead.
    fn retain_shape(&mut self, alive: &dyn Fn(Value) -> bool, shape: usize) {
        let class = self.classes[shape];
        if class.is_heap() && !alive(class) {
            self.classes[shape] = Value::NIL;
            self.shapes[shape] = Shape::root(ShapeId(shape as u32), 0);
            self.dead.push(shape as u32);
        }
    }
}

impl WeakTable for ShapeTable {
    fn retain(&mut self, alive: &dyn Fn(Value) -> bool, young_only: bool) {
        let parents = self.retain_modules(alive, if young_only { self.young_modules } else { 0 });
        self.young_modules = self.modules.len();
        for parent in parents {
            if alive(Value(parent)) {
                forget_dead(Value(parent), alive);
            }
        }
        let young = std::mem::take(&mut self.young);
        if young_only {
            for &shape in &young {
                self.retain_shape(alive, shape as usize);
            }
        } else {
            for shape in Known::COUNT..self.classes.len() {
                self.retain_shape(alive, shape);
            }
        }
        self.young = young;
        self.young.clear();
    }

    fn count(&self) -> usize {
        self.modules.len()
    }

    fn update(&mut self, marker: &mut Marker) {
        for class in self.classes.iter_mut().chain(&mut self.modules) {
            class.trace(marker);
        }
    }
}

impl Default for ShapeTable {
    fn default() -> Self {
        ShapeTable::new()
    }
}

impl Shape {
    /// Bytes in native memory.
    pub fn memsize(&self) -> usize {
        size_of::<Shape>()
            + size_of::<Value>()
            + self.rare.as_ref().map_or(0, |rare| {
                let index = rare.index.as_ref().map_or(0, |index| index.capacity() * (size_of::<(Sym, u16)>() + 1));
                size_of::<Rare>() + index
            })
    }

    fn root(root: ShapeId, capacity: u16) -> Shape {
        Shape {
            root,
            parent: ShapeId(0),
            edge: Sym::NONE,
            first_child: NO_SHAPE,
            next_child: NO_SHAPE,
            made: 0,
            count: 0,
            capacity,
            complex: false,
            beside: false,
            rare: None,
        }
    }
}
