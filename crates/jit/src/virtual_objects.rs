//! Objects that are not allocated, because nothing but registers of the unit refers to them.
//!
//! A register holds such an object as it holds a double that is not boxed: what its words would hold is known at
//! compile time. Reading the register as a value *makes* the object, that is, allocates the cell and stores the words.
//! So whatever is not known to need only the words makes the object: passing it to a call, storing it in an object that
//! exists, bringing registers in memory up to date. An exit makes the objects that pending registers hold
//! (`ExitState::made`).
//!
//! Nothing else can refer to the object, so nothing but the code that is translated changes it, and its shape stays
//! known. Where control joins, an object that is the same on all paths stays virtual; others are made (`joins`).

use std::rc::Rc;

use abi::{Flags, Header, RuntimeCall, ShapeId, Type, Value};
use object::array::for_code;
use runtime::code::exits::MOST_WORDS;

use crate::{
    cells, floats,
    ir::{Made, MadeWord, Origin},
    registers::{Held, Kind, Registers},
    seam::{Emitter, Ssa},
};

/// Identifies an object in a unit.
pub type Id = u32;

/// What a register or a word of an object holds, with a guess at it (see [`Registers::sample`]).
#[derive(Clone, Copy, Default)]
pub struct Content {
    pub held: Held,
    pub sample: Option<Value>,
}

impl PartialEq for Content {
    fn eq(&self, other: &Content) -> bool {
        self.held == other.held
    }
}

impl Content {
    pub fn of_constant(e: &mut Emitter, v: Value) -> Content {
        let held = Held { value: Some(e.constant(v.0)), kind: Kind::Constant(v), ..Held::default() };
        Content { held, sample: Some(v) }
    }

    pub fn of_kind(v: Ssa, kind: Kind) -> Content {
        Content { held: Held { value: Some(v), kind, ..Held::default() }, sample: kind.typical() }
    }

    /// A value of which nothing is known.
    pub fn of_value(v: Ssa) -> Content {
        Content { held: Held { value: Some(v), ..Held::default() }, sample: None }
    }
}

/// An object that is not made.
#[derive(Clone, PartialEq)]
pub struct Virtual {
    pub header: Header,
    /// The words behind the header.
    pub words: Vec<Content>,
}

/// The objects that registers hold.
#[derive(Clone, Default)]
pub struct Objects {
    known: Vec<(Id, Rc<Virtual>)>,
    /// Those that were made, with their cells, for a [`Content`] that was read before.
    made: Vec<(Id, Ssa)>,
}

impl Objects {
    pub fn get(&self, id: Id) -> Option<&Virtual> {
        self.known.iter().find(|(known, _)| *known == id).map(|(_, object)| &**object)
    }

    fn get_mut(&mut self, id: Id) -> &mut Virtual {
        let Some((_, object)) = self.known.iter_mut().find(|(known, _)| *known == id) else {
            unreachable!("an object that a register holds is known")
        };
        Rc::make_mut(object)
    }

    /// What was read before, as it is now: its object may have been made since.
    pub fn present(&self, content: Content) -> Content {
        let made = content.held.object.and_then(|id| self.made.iter().find(|(made, _)| *made == id));
        let Some((_, cell)) = made else { return content };
        Content { held: Held { value: Some(*cell), object: None, ..content.held }, ..content }
    }

    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    pub fn clear(&mut self) {
        self.known.clear();
        self.made.clear();
    }

    pub fn ids(&self) -> impl Iterator<Item = Id> {
        self.known.iter().map(|(id, _)| *id)
    }

    pub fn retain(&mut self, keeps: impl Fn(Id) -> bool) {
        self.known.retain(|(id, _)| keeps(*id));
    }

    /// The objects that the words of an object hold.
    pub fn parts(&self, id: Id) -> impl Iterator<Item = Id> {
        self.get(id).into_iter().flat_map(|object| object.words.iter().filter_map(|word| word.held.object))
    }

    /// Adds an object and those that its words hold, each after those that its own words hold.
    fn collect(&self, id: Id, into: &mut Vec<Id>) {
        if !into.contains(&id) {
            self.parts(id).for_each(|part| self.collect(part, into));
            into.push(id);
        }
    }

    /// Whether an object is another one, or holds it.
    fn reaches(&self, id: Id, other: Id) -> bool {
        id == other || self.parts(id).any(|part| self.reaches(part, other))
    }
}

impl Registers {
    /// Sets a register to a new object that is not made.
    pub fn write_object(&mut self, register: u16, object: Virtual) {
        let object = self.new_object(object);
        self.put(register, object);
    }

    /// A new object that is not made. It is lost where control joins, unless a register holds it.
    pub fn new_object(&mut self, object: Virtual) -> Content {
        self.last_object += 1;
        let id = self.last_object;
        let kind = Kind::Shape(object.header.shape().0);
        self.objects.known.push((id, Rc::new(object)));
        Content { held: Held { object: Some(id), kind, ..Held::default() }, sample: None }
    }

    /// Whether a register holds an object that is not made.
    pub fn is_virtual(&self, register: u16) -> bool {
        self.object(register).is_some()
    }

    /// The object that a register holds, if it is not made.
    pub fn object(&self, register: u16) -> Option<&Virtual> {
        self.objects.get(self.held_at(self.at(register) as u16).object?)
    }

    /// What a word of the object in a register holds, by the word's number; the header is word 0.
    pub fn word_of_object(&self, register: u16, word: usize) -> Option<Content> {
        self.object(register)?.words.get(word.checked_sub(1)?).copied()
    }

    /// Stores in a word of the object in a register, and changes its shape; false if the object must be made for this.
    pub fn set_word_of_object(&mut self, register: u16, word: usize, content: Content, shape: Option<ShapeId>) -> bool {
        let Some(id) = self.held_at(self.at(register) as u16).object else { return false };
        let is_open = |object: &Virtual| !object.header.has(Flags::FROZEN) && (1..=object.words.len()).contains(&word);
        let has_word = self.objects.get(id).is_some_and(is_open);
        if !has_word || content.held.object.is_some_and(|part| self.objects.reaches(part, id)) {
            return false;
        }
        let object = self.objects.get_mut(id);
        object.words[word - 1] = content;
        if let Some(shape) = shape {
            object.header = object.header.with_shape(shape);
            self.hold_object(id, |held| held.kind = Kind::Shape(shape.0));
        }
        true
    }

    /// Changes what is known of each register and word that holds an object.
    fn hold_object(&mut self, id: Id, change: impl Fn(&mut Held)) {
        self.held.iter_mut().filter(|held| held.object == Some(id)).for_each(&change);
        for (_, object) in &mut self.objects.known {
            if object.words.iter().any(|word| word.held.object == Some(id)) {
                let words = Rc::make_mut(object).words.iter_mut().map(|word| &mut word.held);
                words.filter(|held| held.object == Some(id)).for_each(&change);
            }
        }
    }

    /// Makes an object: all registers and words that hold it then hold the cell.
    pub fn make(&mut self, e: &mut Emitter, context: Ssa, id: Id) -> Ssa {
        let part = |objects: &Objects| objects.parts(id).next();
        while let Some(part) = part(&self.objects) {
            self.make(e, context, part);
        }
        let Some(Virtual { header, words }) = self.objects.get(id).cloned() else {
            unreachable!("an object that a register holds is known")
        };
        let values: Vec<Ssa> = words.iter().map(|word| value_of(e, context, &word.held)).collect();
        let cell = cell_of(e, context, header, values.len());
        for ((word, content), v) in (1..).zip(words).zip(values) {
            e.store(v, cell, 8 * word);
            if header.ty() != Type::Array {
                let held = Held { value: Some(v), ..content.held };
                self.know_word(e, cell, word, Content { held, ..content });
            }
        }
        // Compiled code does not test whether a fresh object is frozen.
        e.fresh = (!header.has(Flags::FROZEN)).then_some(cell);
        self.hold_object(id, |held| (held.object, held.value) = (None, Some(cell)));
        self.objects.retain(|known| known != id);
        self.objects.made.push((id, cell));
        cell
    }

    /// Forgets objects that no register holds any more.
    pub fn drop_lost_objects(&mut self) {
        self.objects.made.clear();
        if !self.objects.is_empty() {
            let held = self.objects_of_pending();
            self.objects.retain(|id| held.contains(&id));
        }
    }

    /// The value of what a register held before, or a word of an object.
    pub fn value_of(&mut self, e: &mut Emitter, context: Ssa, content: Content) -> Ssa {
        let held = self.objects.present(content).held;
        match held.object {
            Some(id) => self.make(e, context, id),
            None => value_of(e, context, &held),
        }
    }

    /// The objects that pending registers hold, each after those that its words hold.
    pub fn objects_of_pending(&self) -> Vec<Id> {
        let mut found = Vec::new();
        if !self.objects.is_empty() {
            let held = self.pending.iter().filter_map(|at| self.held_at(*at).object);
            held.for_each(|id| self.objects.collect(id, &mut found));
        }
        found
    }

    /// What an exit does to make objects.
    pub fn made_by_exit(&self, e: &mut Emitter, ids: &[Id]) -> Vec<Made> {
        let number_of = |id: Id| ids.iter().position(|known| *known == id);
        let mut made: Vec<Made> = Vec::with_capacity(ids.len());
        for id in ids {
            let Some(Virtual { header, words }) = self.objects.get(*id) else { continue };
            let words = words.iter().map(|Content { held, .. }| match held.object.and_then(number_of) {
                Some(number) => MadeWord::Object(number as u8),
                None => MadeWord::Value(unboxed_of(e, held)),
            });
            made.push(Made { header: header.0, words: words.collect() });
        }
        made
    }
}

/// The value of a word, which is no virtual object.
fn value_of(e: &mut Emitter, context: Ssa, held: &Held) -> Ssa {
    match held {
        Held { value: None, double: Some(double), .. } => floats::encode(e, context, *double),
        held => unboxed_of(e, held),
    }
}

/// The value of a word, or its double.
fn unboxed_of(e: &mut Emitter, held: &Held) -> Ssa {
    match (held.value, held.double, held.kind) {
        (Some(v), ..) | (None, Some(v), _) => v,
        (.., Kind::Constant(v)) => e.constant(v.0),
        _ => unreachable!("what a word holds is known"),
    }
}

/// A new cell, whose words the caller fills before anything else happens.
fn cell_of(e: &mut Emitter, context: Ssa, header: Header, words: usize) -> Ssa {
    let (slow, join) = (e.cold_block(), e.block_like_this());
    let cell = e.parameter(join, Origin::Word);
    let taken = cells::take(e, context, header, words, slow);
    e.jump(join, &[taken]);
    e.at(slow);
    let [bits, count] = [header.0, words as u64].map(|bits| e.constant(bits));
    let made = e.call(RuntimeCall::NewCell, &[context, bits, count]);
    e.jump(join, &[made[0]]);
    e.at(join);
    cell
}

/// An Array of a few elements.
pub fn array(e: &mut Emitter, elements: &[Content]) -> Option<Virtual> {
    let (header, words) = for_code::new(elements.len());
    let nothing = Content::of_constant(e, Value::NIL);
    let all = elements.iter().copied().chain(std::iter::repeat(nothing)).take(words);
    (words <= MOST_WORDS).then(|| Virtual { header, words: all.collect() })
}

impl Virtual {
    /// The elements, if it is an Array.
    pub fn elements(&self) -> Option<&[Content]> {
        let is_array = self.header.ty() == Type::Array;
        let len = (self.header.0 >> for_code::EMBEDDED_LEN_SHIFT) & 0xff;
        is_array.then(|| &self.words[..len as usize])
    }
}

/// An object of a shape without instance variables, if it has few enough words.
pub fn of_shape(e: &mut Emitter, ty: Type, shape: ShapeId, words: usize) -> Option<Virtual> {
    let undef = Content::of_constant(e, Value::UNDEF);
    (words <= MOST_WORDS).then(|| Virtual { header: Header::new(ty, shape, 0), words: vec![undef; words] })
}
