//! The shape table: a tree of transitions for each class.
//!
//! A shape's parent has one instance variable less. Root shapes have none and carry the number of words that
//! objects made with them have room for; a class may have several roots, as it learns how many variables its objects get.

use crate::native::Visit;
use abi::{ShapeId, Value};
use heap::Marker;
use rustc_hash::FxHashMap;

use crate::{Known, Sym};

/// After so many shapes a class's further objects keep their variables in a table.
const MOST_SHAPES_A_CLASS: u32 = 256;

pub struct Shape {
    pub parent: ShapeId,
    /// The variable that this shape adds to its parent; undef for roots.
    pub edge: Sym,
    /// How many variables an object of this shape has.
    pub count: u16,
    /// Words in the object's own cell.
    pub capacity: u16,
    /// The object's first word is a hash of its variables.
    pub complex: bool,
    transitions: Vec<(Sym, ShapeId)>,
    /// Name to index, made when a shape of many variables is searched.
    index: Option<FxHashMap<Sym, u16>>,
}

/// All shapes of a VM.
pub struct ShapeTable {
    /// Apart from `shapes`, because finding an object's class is the most frequent question.
    classes: Vec<Value>,
    shapes: Vec<Shape>,
    shapes_of_class: FxHashMap<u64, u32>,
    complex_roots: FxHashMap<u64, ShapeId>,
}

impl ShapeTable {
    /// A table with the root shapes of the known classes, whose classes are set as they are made.
    pub fn new() -> ShapeTable {
        let mut table = ShapeTable {
            classes: Vec::new(),
            shapes: Vec::new(),
            shapes_of_class: FxHashMap::default(),
            complex_roots: FxHashMap::default(),
        };
        for _ in Known::ALL {
            table.add(Value::NIL, Shape::root(1));
        }
        table
    }

    pub fn set_known_class(&mut self, known: Known, class: Value) {
        self.classes[known as usize] = class;
    }

    #[inline(always)]
    pub fn class(&self, shape: ShapeId) -> Value {
        debug_assert!((shape.0 as usize) < self.classes.len());
        // SAFETY: shape ids are only made by `add`, which keeps both tables equally long, and none is ever removed.
        unsafe { *self.classes.get_unchecked(shape.0 as usize) }
    }

    #[inline(always)]
    pub fn get(&self, shape: ShapeId) -> &Shape {
        &self.shapes[shape.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// How many shapes with variables were made for a class.
    pub fn variations(&self, class: Value) -> u32 {
        self.shapes_of_class.get(&class.0).copied().unwrap_or(0)
    }

    /// A new root for `class`, for objects with `capacity` words.
    pub fn new_root(&mut self, class: Value, capacity: u16) -> ShapeId {
        self.add(class, Shape::root(capacity))
    }

    fn add(&mut self, class: Value, shape: Shape) -> ShapeId {
        let id = ShapeId(self.shapes.len() as u32);
        self.classes.push(class);
        self.shapes.push(shape);
        id
    }

    /// The index of variable `name` in objects of `shape`.
    pub fn find(&mut self, shape: ShapeId, name: Sym) -> Option<u16> {
        const WALK: u16 = 8;
        let s = &self.shapes[shape.0 as usize];
        if s.count > WALK {
            if s.index.is_none() {
                let index = self.names(shape).into_iter().enumerate().map(|(i, n)| (n, i as u16)).collect();
                self.shapes[shape.0 as usize].index = Some(index);
            }
            return self.shapes[shape.0 as usize].index.as_ref().and_then(|index| index.get(&name).copied());
        }
        let mut at = shape;
        loop {
            let s = &self.shapes[at.0 as usize];
            if s.count == 0 {
                return None;
            }
            if s.edge == name {
                return Some(s.count - 1);
            }
            at = s.parent;
        }
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

    /// The shape with `name` added; `None` when the class has too many shapes and the object must become complex.
    pub fn transition(&mut self, shape: ShapeId, name: Sym) -> Option<ShapeId> {
        if let Some((_, next)) = self.get(shape).transitions.iter().find(|(edge, _)| *edge == name) {
            return Some(*next);
        }
        let class = self.class(shape);
        let made = self.shapes_of_class.entry(class.0).or_insert(0);
        if *made >= MOST_SHAPES_A_CLASS || self.shapes[shape.0 as usize].count >= super::ivars::MOST_FIELDS as u16 {
            return None;
        }
        *made += 1;
        let (count, capacity) = (self.get(shape).count + 1, self.get(shape).capacity);
        let next = self.add(
            class,
            Shape { parent: shape, edge: name, count, capacity, complex: false, transitions: Vec::new(), index: None },
        );
        self.shapes[shape.0 as usize].transitions.push((name, next));
        Some(next)
    }

    /// The shape of the objects of `class` that keep their variables in a table, `capacity` words each.
    pub fn complex_root(&mut self, class: Value, capacity: u16) -> ShapeId {
        if let Some(&root) = self.complex_roots.get(&(class.0 ^ ((capacity as u64) << 48))) {
            return root;
        }
        let root = self.add(class, Shape { complex: true, ..Shape::root(capacity) });
        self.complex_roots.insert(class.0 ^ ((capacity as u64) << 48), root);
        root
    }

    /// The root that `shape` comes from; a new one where its objects keep their variables in a table.
    pub fn plain_root(&mut self, shape: ShapeId) -> ShapeId {
        let mut root = shape;
        while self.get(root).count > 0 {
            root = self.get(root).parent;
        }
        if self.get(root).complex { self.new_root(self.class(root), self.get(root).capacity) } else { root }
    }

    /// The shape of another class (a singleton class) with the same layout.
    pub fn with_class(&mut self, shape: ShapeId, class: Value) -> ShapeId {
        let names = self.names(shape);
        let (capacity, complex) = (self.get(shape).capacity, self.get(shape).complex);
        let mut at = if complex { self.complex_root(class, capacity) } else { self.new_root(class, capacity) };
        for name in names {
            let count = self.get(at).count + 1;
            let next = self.add(
                class,
                Shape { parent: at, edge: name, count, capacity, complex: false, transitions: Vec::new(), index: None },
            );
            self.shapes[at.0 as usize].transitions.push((name, next));
            at = next;
        }
        at
    }

    pub fn trace(&mut self, marker: &mut Marker) {
        for class in &mut self.classes {
            marker.visit(class);
        }
    }
}

impl Default for ShapeTable {
    fn default() -> Self {
        ShapeTable::new()
    }
}

impl Shape {
    /// How many shapes come of it by one more variable.
    pub fn edges(&self) -> usize {
        self.transitions.len()
    }

    /// Bytes in native memory.
    pub fn memsize(&self) -> usize {
        size_of::<Shape>()
            + size_of::<Value>()
            + self.transitions.capacity() * size_of::<(Sym, ShapeId)>()
            + self.index.as_ref().map_or(0, |index| index.capacity() * (size_of::<(Sym, u16)>() + 1))
    }

    fn root(capacity: u16) -> Shape {
        Shape {
            parent: ShapeId(0),
            edge: Sym(Value::UNDEF),
            count: 0,
            capacity,
            complex: false,
            transitions: Vec::new(),
            index: None,
        }
    }
}
