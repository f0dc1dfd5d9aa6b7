//! Instance variables: those of self, and those behind attribute readers and writers.

use abi::{RuntimeCall, ShapeId, Value};
use object::{Sym, cell, class::ClassData, string::intern};
use runtime::{
    Cx,
    code::{IvarPlace, IvarSite, tier::Seen},
    instructions::ivars::{self, InShape},
};
use std::mem::offset_of;

use crate::{
    arithmetic::Operand,
    intrinsics,
    ir::Condition,
    joins::Arrivals,
    recent_places,
    registers::Kind,
    seam::{Block, Ssa},
    translate::Translator,
    virtual_objects::Content,
};

/// Offset of the shape in a cell, in bytes.
pub const SHAPE: usize = 4;

/// Number of the word in a class's cell that holds the address of its tables.
const TABLES: usize = 1;

/// The most shapes for which an object of another shape is an exit. With more, other objects are looked up: when
/// objects of a class get more variables than before, they have several shapes for a while.
const EXPECTED: usize = 2;

/// A shape, and where its objects have a variable.
pub type InObjects = (u32, InShape);

/// `@name`: in line if the shape of self is known, and for shapes that were seen.
pub fn get(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let site = &t.code.ivars[i.bc() as usize];
    if let Kind::Shape(shape) = t.r.kind(0)
        && let Some(place) = ivars::in_shape(t.cx, ShapeId(shape), site.name)
        && read_of_virtual(t, 0, i.a, place)
    {
        return;
    }
    let me = t.read(0);
    let self_now = t.sample(Operand::Register(0)).filter(|me| me.is_heap());
    let sample = self_now.and_then(|me| sample_of(t.cx, me, site.name));
    if let Kind::Shape(shape) = t.r.kind(0)
        && let Some(found) = ivars::in_shape(t.cx, ShapeId(shape), site.name)
    {
        require_access(t, found, |t| t.exit(word));
        read(t, i.a, me, found);
        return t.r.guess(i.a, sample);
    }
    let (first, second) = shapes_seen(site);
    let now = self_now.map(|me| cell::header(me).shape().0);
    let known = distinct([now, first, second], |shape| ivars::in_shape(t.cx, ShapeId(shape), site.name));
    let address = t.e.constant(&raw const *site as u64);
    if known.is_empty() {
        return t.fast_or_slow(word, Some(i.a), RuntimeCall::GetIvar, &[address, me]);
    }
    let is_closed = is_closed(t, word, &known);
    let other = if is_closed { t.exit(word) } else { t.e.block_like_this() };
    let slow = if is_closed { other } else { t.e.cold_block() };
    t.require_cell(me, slow);
    let found = t.e.load32(me, SHAPE);
    if let (true, &[(shape, place)]) = (is_closed, &known[..]) {
        require_shape(t, found, shape, other);
        t.r.learn_shape(0, shape);
        require_access(t, place, |_| other);
        read(t, i.a, me, place);
        return t.r.guess(i.a, sample);
    }
    let (block, mut arrivals) = (t.e.block(), Arrivals::default());
    for_each_shape(t, &known, found, (other, slow), |t, (_, place)| {
        let v = value(t, me, place);
        t.jump_to_join(&mut arrivals, Some(v));
    });
    if !is_closed {
        t.e.at(other);
        let v = recent_places::get(t, me, found, site.name, slow);
        t.jump_to_join(&mut arrivals, Some(v));
        t.e.at(slow);
        let v = t.fast_result(word, RuntimeCall::GetIvar, &[address, me]);
        t.jump_to_join(&mut arrivals, Some(v));
    }
    if let Some(v) = t.join(block, arrivals).and_then(|joined| joined.result) {
        t.write(i.a, v, Kind::Any);
    }
    t.r.guess(i.a, sample);
}

/// Reads a variable of the object in a register without making it; false if it is made, or not in the object's words.
pub fn read_of_virtual(t: &mut Translator, register: u16, to: u16, place: InShape) -> bool {
    match place {
        _ if !t.r.is_virtual(register) => return false,
        InShape::At(place) if place.word() == 0 => {
            let Some(word) = t.r.word_of_object(register, place.holder()) else { return false };
            t.r.put(to, word);
        }
        InShape::Missing | InShape::Added(..) => t.write_constant(to, Value::NIL),
        InShape::At(_) | InShape::OfClass(_) => return false,
    }
    true
}

/// Sets a variable of the object in a register to the contents of another without making the object; false as above.
pub fn set_of_virtual(t: &mut Translator, register: u16, place: InShape, from: u16) -> bool {
    let (place, shape) = match place {
        _ if !t.r.is_virtual(register) => return false,
        InShape::At(place) => (place, None),
        InShape::Added(place, to) => (place, Some(to)),
        InShape::Missing | InShape::OfClass(_) => return false,
    };
    let content = t.r.content(&mut t.e, t.context, from);
    place.word() == 0 && t.r.set_word_of_object(register, place.holder(), content, shape)
}

/// `defined?(@name)`: in line if the shape of self is known, and for shapes that were seen. False, with nothing
/// emitted, if none is known.
pub fn defined(t: &mut Translator, word: usize) -> bool {
    let i = t.code.instruction(word);
    let Kind::Constant(name) = t.r.kind(i.b) else { return false };
    let name = Sym::of(name);
    // The String exists if any such variable was found to be defined.
    let text = intern::find_text(t.cx, "instance-variable");
    let answer = |place| match place {
        InShape::At(_) | InShape::OfClass(_) => text.is_some().then_some(true),
        InShape::Missing | InShape::Added(..) => Some(false),
    };
    let result = |is_set: bool| text.filter(|_| is_set).unwrap_or(Value::NIL);
    let answer_in = |t: &Translator, shape| ivars::in_shape(t.cx, ShapeId(shape), name).and_then(answer);
    if let Kind::Shape(shape) = t.r.kind(0)
        && let Some(is_set) = answer_in(t, shape)
    {
        t.keep(result(is_set));
        t.write_constant(i.a, result(is_set));
        return true;
    }
    let me = t.sample(Operand::Register(0)).filter(|me| me.is_heap());
    // What else the code does with the variable tells more shapes.
    let site = t.code.ivars.iter().find(|site| site.name == name);
    let (first, second) = site.map_or((None, None), shapes_seen);
    let mut known: Vec<(u32, bool)> = Vec::new();
    for shape in [me.map(|me| cell::header(me).shape().0), first, second].into_iter().flatten() {
        if known.iter().all(|(other, _)| *other != shape)
            && let Some(is_set) = answer_in(t, shape)
        {
            known.push((shape, is_set));
        }
    }
    if known.is_empty() {
        return false;
    }
    let is_closed = known.len() <= EXPECTED && t.seen(word) == Seen::default();
    let other = if is_closed { t.exit(word) } else { t.e.cold_block() };
    let me = t.read(0);
    t.require_cell(me, other);
    let found = t.e.load32(me, SHAPE);
    t.keep(text.unwrap_or(Value::NIL));
    if let (true, &[(shape, is_set)]) = (is_closed, &known[..]) {
        require_shape(t, found, shape, other);
        t.r.learn_shape(0, shape);
        t.write_constant(i.a, result(is_set));
        return true;
    }
    let (block, mut arrivals) = (t.e.block(), Arrivals::default());
    let before = (t.r.state(), t.pushed);
    for (n, &(shape, is_set)) in known.iter().enumerate() {
        let next = if n + 1 == known.len() { other } else { t.e.block_like_this() };
        require_shape(t, found, shape, next);
        let v = t.e.constant(result(is_set).0);
        t.jump_to_join(&mut arrivals, Some(v));
        t.r.restore(before.0.clone());
        t.pushed = before.1;
        if next != other {
            t.e.at(next);
        }
    }
    if !is_closed {
        t.e.at(other);
        let v = intrinsics::by_runtime(t, word);
        t.jump_to_join(&mut arrivals, Some(v));
    }
    if let Some(v) = t.join(block, arrivals).and_then(|joined| joined.result) {
        t.write(i.a, v, Kind::Any);
    }
    true
}

/// Is an object of another shape an exit? If such exits were taken, objects of other shapes are looked up instead.
fn is_closed(t: &Translator, word: usize, known: &[InObjects]) -> bool {
    known.len() <= EXPECTED && !t.seen(word).has(Seen::FAILED)
}

/// Goes to the block if the variable belongs to a class and the code runs in a Ractor, which may not read all variables
/// of classes.
pub fn require_access(t: &mut Translator, place: InShape, refused: impl FnOnce(&mut Translator) -> Block) {
    if matches!(place, InShape::OfClass(_)) {
        let refused = refused(t);
        require_main_ractor(t, refused);
    }
}

/// Goes to the block if the code runs in another Ractor than the main one.
pub fn require_main_ractor(t: &mut Translator, otherwise: Block) {
    let at = t.e.constant(offset_of!(Cx, isolated) as u64);
    let is_isolated = t.e.load_byte(t.context, at);
    let is_free = t.e.compare_constant(Condition::Equal, is_isolated, 0);
    t.e.require(is_free, otherwise);
}

/// Reads a variable of an object whose shape determines where the variable is, after [`require_access`].
pub fn read(t: &mut Translator, to: u16, of: Ssa, place: InShape) {
    match place {
        InShape::At(place) if place.word() == 0 => return read_word(t, to, of, place.holder()),
        _ => {}
    }
    let v = value(t, of, place);
    match place {
        InShape::Missing | InShape::Added(..) => t.write(to, v, Kind::Constant(Value::NIL)),
        _ => t.write(to, v, Kind::Any),
    }
}

/// Reads a word of an object; it is not loaded again if its contents are known.
pub fn read_word(t: &mut Translator, to: u16, of: Ssa, word: usize) {
    let content = t.r.known_word(&t.e, of, word).unwrap_or_else(|| {
        let content = Content::of_value(t.e.load(of, 8 * word));
        t.r.know_word(&t.e, of, word, content);
        content
    });
    t.r.put(to, content);
}

fn value(t: &mut Translator, of: Ssa, place: InShape) -> Ssa {
    match place {
        InShape::At(place) => {
            let v = t.e.load(of, 8 * place.holder());
            if place.word() == 0 { v } else { t.e.load(v, 8 * place.word()) }
        }
        InShape::OfClass(word) => {
            let fields = fields_of_class(t, of);
            t.e.load(fields, 8 * usize::from(word))
        }
        InShape::Missing | InShape::Added(..) => t.e.constant(Value::NIL.0),
    }
}

/// The cell of a class's variables.
fn fields_of_class(t: &mut Translator, of: Ssa) -> Ssa {
    let tables = t.e.load(of, 8 * TABLES);
    t.e.load(tables, offset_of!(ClassData, variables))
}

/// The variable's value in an object, if the object's shape determines where the variable is.
fn sample_of(cx: &Cx, me: Value, name: Sym) -> Option<Value> {
    let place = match ivars::in_shape(cx, cell::header(me).shape(), name)? {
        InShape::At(place) => place,
        _ => return None,
    };
    // SAFETY: the shape implies that the cell has this word, and the Fields cell there the other.
    unsafe {
        let v = cell::word(me, place.holder());
        Some(if place.word() == 0 { v } else { cell::word(v, place.word()) })
    }
}

/// The shapes that a site has seen: of objects that had the variable, and of objects to which the site added it.
fn shapes_seen(site: &IvarSite) -> (Option<u32>, Option<u32>) {
    let known = site.known.get();
    let had = (known != u64::MAX).then_some((known >> 16) as u32);
    (had, Some(site.add_from.get()).filter(|shape| *shape != u32::MAX))
}

/// The shapes whose place of the variable is known, each once.
fn distinct(shapes: [Option<u32>; 3], place_in: impl Fn(u32) -> Option<InShape>) -> Vec<InObjects> {
    let mut found: Vec<InObjects> = Vec::new();
    for shape in shapes.into_iter().flatten() {
        if found.iter().all(|(known, _)| *known != shape)
            && let Some(place) = place_in(shape)
        {
            found.push((shape, place));
        }
    }
    found
}

/// Emits a branch for each of the shapes, which the callback fills and terminates; goes to `other` for any other shape,
/// and to `refused` if the variable may not be read.
fn for_each_shape(
    t: &mut Translator,
    known: &[InObjects],
    found: Ssa,
    (other, refused): (Block, Block),
    mut act: impl FnMut(&mut Translator, InObjects),
) {
    let before = t.r.state();
    for (n, known_place) in known.iter().enumerate() {
        let next = if n + 1 == known.len() { other } else { t.e.block_like_this() };
        require_shape(t, found, known_place.0, next);
        require_access(t, known_place.1, |_| refused);
        act(t, *known_place);
        t.r.restore(before.clone());
        if next != other {
            t.e.at(next);
        }
    }
}

/// Goes to `otherwise` unless `found` is a shape.
pub fn require_shape(t: &mut Translator, found: Ssa, shape: u32, otherwise: Block) {
    t.compares_shape(shape);
    let fits = t.e.compare_constant(Condition::Equal, found, u64::from(shape));
    t.e.require(fits, otherwise);
}

/// `@name = v`: in line if the shape of self is known, and for shapes that were seen, one of which may be that of
/// objects to which the variable is added.
pub fn set(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let site = &t.code.ivars[i.bc() as usize];
    let targets = places_to_set(t, site);
    if let &[(_, place)] = &targets[..]
        && set_of_virtual(t, 0, place, i.a)
    {
        return;
    }
    let (me, value, kind) = (t.read(0), t.read(i.a), t.r.kind(i.a));
    let address = t.e.constant(&raw const *site as u64);
    if targets.is_empty() {
        return t.fast_or_slow(word, None, RuntimeCall::SetIvar, &[address, me, value]);
    }
    let is_known = matches!((t.r.kind(0), &targets[..]), (Kind::Shape(shape), [(known, _)]) if shape == *known);
    let is_closed = is_known || is_closed(t, word, &targets);
    let other = if is_closed { t.exit(word) } else { t.e.block_like_this() };
    let slow = if is_closed { other } else { t.e.cold_block() };
    if !is_known {
        t.require_cell(me, slow);
    }
    require_open(t, me, slow);
    let found = t.e.load32(me, SHAPE);
    if let (true, &[target]) = (is_closed, &targets[..]) {
        if !is_known {
            require_shape(t, found, target.0, other);
        }
        require_access(t, target.1, |_| other);
        return set_in(t, 0, me, target, (value, kind));
    }
    let (block, mut arrivals) = (t.e.block(), Arrivals::default());
    for_each_shape(t, &targets, found, (other, slow), |t, target| {
        set_in(t, 0, me, target, (value, kind));
        t.jump_to_join(&mut arrivals, None);
    });
    if !is_closed {
        t.e.at(other);
        let before = t.r.state();
        recent_places::set(t, me, found, site.name, value, slow);
        t.r.forget_words();
        barrier(t, me, value, kind);
        t.r.forget_shapes();
        t.jump_to_join(&mut arrivals, None);
        t.r.restore(before);
        t.e.at(slow);
        t.fast_or_slow(word, None, RuntimeCall::SetIvar, &[address, me, value]);
        t.jump_to_join(&mut arrivals, None);
    }
    t.join(block, arrivals);
}

/// Goes to `frozen` if an object is frozen. A fresh object needs no test.
pub fn require_open(t: &mut Translator, of: Ssa, frozen: Block) {
    if t.e.fresh != Some(of) {
        // The lower half of the header holds flags, the upper half the shape.
        let header = t.e.load(of, 0);
        let bits = t.e.and_constant(header, u64::from(abi::Flags::FROZEN));
        let is_open = t.e.compare_constant(Condition::Equal, bits, 0);
        t.e.require(is_open, frozen);
    }
}

/// Sets a variable of the object in a register, after [`require_access`]. The object must have the given shape and not
/// be frozen.
pub fn set_in(t: &mut Translator, register: u16, of: Ssa, (shape, place): InObjects, (v, kind): (Ssa, Kind)) {
    let (holder, word, to) = match place {
        InShape::OfClass(word) => (fields_of_class(t, of), usize::from(word), None),
        InShape::At(place) if place.word() != 0 => (t.e.load(of, 8 * place.holder()), place.word(), None),
        InShape::At(place) => (of, place.holder(), None),
        InShape::Added(place, to) => (of, place.holder(), Some(to.0)),
        InShape::Missing => unreachable!("no place for a variable"),
    };
    t.e.store(v, holder, 8 * word);
    if holder == of {
        t.r.store_word(&t.e, of, word, v, kind);
    }
    if let Some(to) = to {
        let to = t.e.constant(u64::from(to));
        t.e.store32(to, of, SHAPE);
        t.r.forget_shapes();
    }
    barrier(t, holder, v, kind);
    t.r.learn(register, Kind::Shape(to.unwrap_or(shape)));
}

/// How a variable is set in objects of a shape, if that can be done in line. Adding a variable to a Fields cell is not
/// in line, because it may need a larger cell.
pub fn place_to_set(cx: &Cx, shape: u32, name: Sym) -> Option<InObjects> {
    let is_simple = |place: IvarPlace| place.word() == 0;
    match ivars::in_shape(cx, ShapeId(shape), name)? {
        InShape::Missing => None,
        InShape::Added(place, _) if !is_simple(place) => None,
        place => Some((shape, place)),
    }
}

/// How a site's variable is set in objects of the known shapes.
fn places_to_set(t: &Translator, site: &IvarSite) -> Vec<InObjects> {
    if let Kind::Shape(shape) = t.r.kind(0)
        && let Some(target) = place_to_set(t.cx, shape, site.name)
    {
        return vec![target];
    }
    let me = t.sample(Operand::Register(0)).filter(|me| me.is_heap());
    let (had, got) = shapes_seen(site);
    let now = me.map(|me| cell::header(me).shape().0);
    distinct([got, had, now], |shape| place_to_set(t.cx, shape, site.name).map(|(_, place)| place))
}

/// The write barrier for a store of a value into an object. No collection can happen between the store and the barrier.
pub fn barrier(t: &mut Translator, container: Ssa, value: Ssa, kind: Kind) {
    if t.e.fresh != Some(container) {
        barrier_with(t, (value, kind), true, |t| t.e.barrier(container, value));
    }
}

/// Emits a write barrier that is needed if the stored value is a reference, which may be expected or not.
pub fn barrier_with(
    t: &mut Translator,
    (value, kind): (Ssa, Kind),
    is_expected: bool,
    emit: impl FnOnce(&mut Translator),
) {
    if kind.is_immediate() {
        return;
    }
    let reference = if is_expected { t.e.block() } else { t.e.cold_block() };
    let done = t.e.block();
    let tag = t.e.and_constant(value, 7);
    t.e.branch(tag, done, reference);
    t.e.at(reference);
    emit(t);
    t.e.jump(done, &[]);
    t.e.at(done);
}
