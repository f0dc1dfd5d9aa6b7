//! Allocations by line and by class: every object, or one allocation per given number of bytes.

use std::any::Any;

use abi::{ShapeId, Type};
use heap::{Allocation, Event, Heap};
use object::cell;
use runtime::sampling::allocations::{self, Listener, Rate};
use runtime::sampling::{Mode, Place as Frame};
use runtime::{Cx, Value, naming};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::formats::collapsed;
use crate::recorder::Recorder;
use crate::tree::{Kind, Tree};

/// The number of frames kept of a stack, the innermost ones.
const MOST_FRAMES: usize = 128;

/// Counts of allocations of one kind.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Count {
    pub objects: f64,
    pub bytes: f64,
    /// Objects that survived the first collection after their allocation.
    pub survived: f64,
}

impl Count {
    fn add(&mut self, other: &Count) {
        self.objects += other.objects;
        self.bytes += other.bytes;
        self.survived += other.survived;
    }
}

/// Counts of allocations by node of the call tree and by class.
pub struct Allocations {
    /// The name of the program, as on the command line.
    pub program: String,
    pub tree: Tree,
    pub rows: Vec<Row>,
}

pub struct Row {
    pub node: u32,
    /// The name of the class; empty for buffers and for objects that programs do not see.
    pub class: String,
    pub count: Count,
}

/// Starts counting; false if something else traces allocations.
pub fn start(cx: &mut Cx, rate: Rate) -> bool {
    allocations::start(cx, rate, Box::new(Counter { each_object: rate == Rate::EachObject, ..Counter::default() }))
}

/// Stops counting; `None` if it was not started.
pub fn stop(cx: &mut Cx) -> Option<Allocations> {
    allocations::stop(cx, |cx, listener| Some(named(cx, *listener.into_any().downcast::<Counter>().ok()?)))?
}

/// The counts with the names of their places and classes.
fn named(cx: &mut Cx, mut counter: Counter) -> Allocations {
    counter.count_latest();
    let mut recorder = Recorder::new(cx, Mode::Cpu, 0);
    let nodes: Vec<u32> = counter.stacks.iter().map(|stack| recorder.node(cx, stack)).collect();
    let name = |cx: &mut Cx, shape: Option<ShapeId>| match shape.map(|shape| cx.world().shapes.class(shape)) {
        None => String::new(),
        Some(class) if class.is_heap() => {
            let class = object::class::non_singleton(class);
            naming::class_name(cx, class)
        }
        Some(_) => "(internal)".into(),
    };
    let mut rows: Vec<Row> = Vec::new();
    let is_counted = |count: &Count| !counter.each_object || count.objects > 0.0;
    for ((stack, shape), count) in counter.counts.iter().filter(|(_, count)| is_counted(count)) {
        rows.push(Row { node: nodes[*stack as usize], class: name(cx, *shape), count: *count });
    }
    Allocations { program: cx.vm().options.script_name.clone(), tree: recorder.into_tree(), rows }
}

/// An object whose cell is not filled yet, or that has not seen its first collection.
#[derive(Clone, Copy)]
struct Fresh {
    object: u64,
    stack: u32,
    objects: f64,
    bytes: f64,
}

/// The stack, and the shape of the object. Once the class of a shape is dead, the number may be that of another class.
type Key = (u32, Option<ShapeId>);

/// Whether programs do not see cells of this type: they count as bytes of the interpreter, like buffers.
fn is_internal(ty: Type) -> bool {
    use Type::*;
    matches!(ty, None | IncludedClass | Environment | MethodEntry | InstructionSequence | Fields | Internal)
}

#[derive(Default)]
struct Counter {
    each_object: bool,
    stacks: Vec<Box<[Frame]>>,
    numbers: FxHashMap<Box<[Frame]>, u32>,
    kept: FxHashSet<u64>,
    counts: FxHashMap<Key, Count>,
    latest: Option<Fresh>,
    young: Vec<(Fresh, Key)>,
    collects: bool,
}

impl Counter {
    fn stack(&mut self, frames: &mut dyn Iterator<Item = Frame>) -> u32 {
        let stack: Box<[Frame]> = frames.take(MOST_FRAMES).collect();
        if let Some(known) = self.numbers.get(&stack) {
            return *known;
        }
        for frame in &stack {
            self.kept.extend([frame.code, frame.entry].into_iter().filter(|v| v.is_heap()).map(|v| v.0));
        }
        let number = self.stacks.len() as u32;
        self.stacks.push(stack.clone());
        self.numbers.insert(stack, number);
        number
    }

    /// Counts the latest object, whose cell is filled by now.
    fn count_latest(&mut self) {
        if let Some(fresh) = self.latest.take() {
            let header = cell::header(Value(fresh.object));
            let is_internal = is_internal(header.ty());
            let key = (fresh.stack, (!is_internal).then(|| header.shape()));
            let objects = if is_internal { 0.0 } else { fresh.objects };
            self.counts.entry(key).or_default().add(&Count { objects, bytes: fresh.bytes, survived: 0.0 });
            if !is_internal {
                self.young.push((fresh, key));
            }
        }
    }
}

impl Listener for Counter {
    fn made(&mut self, frames: &mut dyn Iterator<Item = Frame>, allocation: &Allocation) {
        self.count_latest();
        let stack = self.stack(frames);
        let (bytes, objects) = (allocation.weight, allocation.weight / allocation.bytes as f64);
        match allocation.object {
            Some(object) => self.latest = Some(Fresh { object: object.0, stack, objects, bytes }),
            None => self.counts.entry((stack, None)).or_default().add(&Count { objects: 0.0, bytes, survived: 0.0 }),
        }
    }

    fn event(&mut self, heap: &Heap, event: Event) {
        match event {
            Event::Enter | Event::EndMark | Event::EndSweep => {}
            Event::Start => {
                self.count_latest();
                self.collects = true;
            }
            Event::Exit if std::mem::take(&mut self.collects) => {
                for (fresh, key) in std::mem::take(&mut self.young) {
                    if heap.is_old(Value(fresh.object)) {
                        self.counts.entry(key).or_default().survived += fresh.objects;
                    }
                }
            }
            Event::Exit => {}
        }
    }

    fn kept(&self) -> &FxHashSet<u64> {
        &self.kept
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// A line or a class, with the allocations there, by class or by line.
pub struct Group {
    /// Path and line, or the class's name and 0.
    pub name: String,
    pub line: i32,
    pub count: Count,
    pub parts: Vec<(String, Count)>,
}

impl Allocations {
    pub fn total(&self) -> Count {
        let mut total = Count::default();
        self.rows.iter().for_each(|row| total.add(&row.count));
        total
    }

    /// Collapsed stacks with their bytes.
    pub fn to_collapsed(&self) -> String {
        let mut weights = vec![0; self.tree.nodes.len()];
        self.rows.iter().for_each(|row| weights[row.node as usize] += row.count.bytes.round() as u64);
        collapsed::stacks(&self.tree, &weights, 1)
    }

    /// By the innermost line of Ruby code, the lines with the most objects first.
    pub fn by_line(&self) -> Vec<Group> {
        let place = |row: &Row| {
            let ruby = self.tree.chain(row.node).find(|node| self.tree.function_of(*node).kind == Kind::Ruby);
            ruby.map(|node| (self.tree.function_of(node).path.clone(), self.tree.place_of(node).line))
        };
        group(&self.rows, |row| Some((place(row)?, row.class.clone())))
    }

    /// By class, the classes with the most objects first; the parts are lines.
    pub fn by_class(&self) -> Vec<Group> {
        let place = |row: &Row| {
            let ruby = self.tree.chain(row.node).find(|node| self.tree.function_of(*node).kind == Kind::Ruby);
            ruby.map(|node| format!("{}:{}", self.tree.function_of(node).path, self.tree.place_of(node).line))
        };
        group(&self.rows, |row| Some(((row.class.clone(), 0), place(row)?)))
    }
}

type Named = ((String, i32), String);

fn group(rows: &[Row], name: impl Fn(&Row) -> Option<Named>) -> Vec<Group> {
    let mut groups: FxHashMap<(String, i32), (Count, FxHashMap<String, Count>)> = FxHashMap::default();
    for row in rows {
        let Some((key, part)) = name(row) else { continue };
        let (count, parts) = groups.entry(key).or_default();
        count.add(&row.count);
        parts.entry(part).or_default().add(&row.count);
    }
    let order = |a: &Count, b: &Count| b.objects.total_cmp(&a.objects).then(b.bytes.total_cmp(&a.bytes));
    let finish = |((name, line), (count, parts)): ((String, i32), (Count, FxHashMap<String, Count>))| {
        let mut parts: Vec<(String, Count)> = parts.into_iter().collect();
        parts.sort_by(|a, b| order(&a.1, &b.1).then(a.0.cmp(&b.0)));
        Group { name, line, count, parts }
    };
    let mut groups: Vec<Group> = groups.into_iter().map(finish).collect();
    groups.sort_by(|a, b| order(&a.count, &b.count).then(a.name.cmp(&b.name)).then(a.line.cmp(&b.line)));
    groups
}
