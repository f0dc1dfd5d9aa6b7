//! Decodes records into frames. Every word is validated first: it must be the address of a live code object or method
//! entry, and a position must lie in the code.

use abi::{Type, Value};
use host::signal::sampling::REGISTERS;
use object::{cell, native};

use crate::{
    Cx,
    code::{
        Code, code,
        open_frames::OpenFrames,
        tier::{self, InlinedBody},
    },
    samples::slot::{Activity, FIRST_FRAME, FRAME, HEAD, Slot},
    state::{
        sampling::{KnownStack, Place, Sample, Sink},
        stack::MOST_INLINED_FRAMES,
    },
};

/// Decodes a slot's records and passes them to the sink. Returns the nanoseconds of samples that found no room.
pub(super) fn drain(cx: &mut Cx, slot: &'static Slot, known: &mut Vec<KnownStack>, sink: &mut dyn Sink) -> u64 {
    use std::sync::atomic::Ordering::Relaxed;
    let thread = slot.number.load(Relaxed);
    // A thread takes its samples before it switches to another fiber.
    let is_current = std::ptr::eq(cx.sampled.load(Relaxed), slot);
    let number = known.iter().position(|stack| stack.thread == thread).unwrap_or_else(|| {
        known.push(KnownStack { thread, ..KnownStack::default() });
        known.len() - 1
    });
    let known = &mut known[number];
    slot.take(&mut |at, length| {
        let shared = decode(cx, slot, at, length, known);
        let activity = Activity::from_word(slot.get(at));
        let (time, weight) = (slot.get(at + 1), slot.get(at + 2));
        let frames = &known.places;
        sink.sample(cx, &Sample { thread, activity, time, weight, frames, shared, is_current });
    })
}

/// Decodes a record, beginning with the outermost frame, into `known`, which has the thread's previous record. Returns
/// the number of places that are those of the previous one.
fn decode(cx: &mut Cx, slot: &Slot, at: usize, length: usize, known: &mut KnownStack) -> usize {
    let mut registers: [u64; REGISTERS] = std::array::from_fn(|i| slot.get(at + HEAD + i));
    let count = (length - FIRST_FRAME) / FRAME;
    let words = |frame: usize| -> [u64; 3] {
        let start = at + length - (frame + 1) * FRAME;
        std::array::from_fn(|i| slot.get(start + i))
    };
    // The frame on top may be that of an inlined body, whose machine code is that of a frame below.
    let codes = (0..count).rev().map(|frame| Value(words(frame)[0]));
    let program_counter = registers[REGISTERS - 1];
    let compiled = compiled_position(cx, codes, program_counter);
    if let Some(compiled) = &compiled {
        // The frame on top uses whichever of these two addresses lies in its code.
        (registers[0], registers[REGISTERS - 1]) = (compiled.pc, compiled.own_pc);
    }
    let installed = tier::installed();
    if known.installed != installed {
        // Code of known frames may be compiled now.
        known.installed = installed;
        known.words.clear();
    }
    // The position of the innermost frame depends on the registers.
    let outer = count.saturating_sub(1);
    let same = known.words.iter().zip(0..outer).take_while(|((known, _), frame)| *known == words(*frame)).count();
    known.words.truncate(same);
    let shared = known.words.last().map_or(0, |(_, places)| *places);
    known.places.truncate(shared);
    for frame in same..count {
        let mut own = words(frame);
        let open = open_bodies(cx, (0..=frame).rev().map(|frame| Value(words(frame)[0])), own[2]);
        if let Some((_, pc)) = &open {
            own[2] = *pc;
        }
        known.places.extend(place(cx, own, (frame == outer).then_some(&registers)));
        // What the innermost frame describes is an earlier call.
        let open = open.filter(|_| frame != outer);
        add_inlined(cx, &mut known.places, open.map(|(bodies, _)| bodies).unwrap_or_default());
        let words = words(frame);
        if frame < outer {
            known.words.push((words, known.places.len()));
        }
    }
    if let Some(compiled) = compiled {
        add_inlined(cx, &mut known.places, compiled.without_frame);
    }
    shared
}

/// The instruction that machine code was made of.
struct CompiledPosition {
    /// The address behind the instruction, in the inlined code or in that of the unit.
    pc: u64,
    /// The address in the code of the unit: `pc` itself, or the address behind the call whose body is inlined.
    own_pc: u64,
    /// The inlined bodies that have no frame, innermost first.
    without_frame: Vec<InlinedBody>,
}

/// The bodies of open frames above a frame with this `pc`, innermost first, and that frame's own `pc`. `codes`: of the
/// frame and of those around it, one of which is the compiled code's.
fn open_bodies(cx: &mut Cx, codes: impl Iterator<Item = Value>, pc: u64) -> Option<(Vec<InlinedBody>, u64)> {
    if pc & OpenFrames::TAG == 0 {
        return None;
    }
    codes.into_iter().take(1 + MOST_INLINED_FRAMES).find_map(|body| {
        let is_code = is_live(cx, body, |v| native::get::<Code>(&v).is_some());
        let described = |open: &OpenFrames| (open.bodies().collect(), open.pc_below());
        if is_code { code(&body).tier.with_open_frames(pc, described) } else { None }
    })
}

/// Adds inlined bodies without a frame. A block has the method of the frame around it.
fn add_inlined(cx: &mut Cx, frames: &mut Vec<Place>, bodies: Vec<InlinedBody>) {
    for InlinedBody { code: body, entry, pc } in bodies.into_iter().rev() {
        if !is_live(cx, body, |v| native::get::<Code>(&v).is_some()) {
            return;
        }
        let own = code(&body);
        let around = frames.iter().rev().find(|frame| frame.code == own.parent.get()).map(|frame| frame.entry);
        let has_entry = is_live(cx, entry, |v| cell::is(v, Type::MethodEntry));
        let entry = if has_entry { entry } else { around.unwrap_or(Value::NIL) };
        let word = (pc.wrapping_sub(own.start() as u64) / 8).checked_sub(1);
        let word = word.filter(|_| own.contains(pc)).map_or(Place::NOT_BEGUN, |word| word as u32);
        frames.push(Place { code: body, entry, word, is_compiled: true });
    }
}

/// The position of machine code of a unit, which is one of some frames.
fn compiled_position(
    cx: &mut Cx,
    codes: impl Iterator<Item = Value>,
    program_counter: u64,
) -> Option<CompiledPosition> {
    codes.into_iter().take(MOST_INLINED_FRAMES).enumerate().find_map(|(above, body)| {
        if body.is_nil() || !is_live(cx, body, |v| native::get::<Code>(&v).is_some()) {
            return None;
        }
        let own = code(&body);
        let position = own.tier.position_of(program_counter)?;
        let own_pc = own.start() as u64 + 8 * (u64::from(position.own_word) + 1);
        // The frames above the unit's are those of the outermost of its inlined bodies.
        let mut without_frame = own.tier.inlined_at(position);
        without_frame.truncate(without_frame.len().saturating_sub(above));
        Some(CompiledPosition { pc: position.pc, own_pc, without_frame })
    })
}

fn place(cx: &mut Cx, words: [u64; 3], registers: Option<&[u64; REGISTERS]>) -> Option<Place> {
    let [body, entry, pc] = words.map(Value);
    let has_entry = is_live(cx, entry, |v| cell::is(v, Type::MethodEntry));
    let entry = if has_entry { entry } else { Value::NIL };
    if body.is_nil() {
        return has_entry.then_some(Place { code: body, entry, word: 0, is_compiled: false });
    }
    if !is_live(cx, body, |v| native::get::<Code>(&v).is_some()) {
        return None;
    }
    let own = code(&body);
    let inside = |at: u64| own.contains(at);
    // The interpreter keeps its position in a machine register, and writes it to the frame only where something may
    // read it.
    let is_better = |at: &u64| inside(*at) && *at != pc.0 && *at != own.start() as u64;
    let found = registers.into_iter().flatten().copied().find(is_better);
    let at = found.unwrap_or(pc.0);
    let word = match (at.wrapping_sub(own.start() as u64) / 8).checked_sub(1) {
        Some(word) if inside(at) => word as u32,
        _ => Place::NOT_BEGUN,
    };
    Some(Place { code: body, entry, word, is_compiled: own.tier.is_compiled() })
}

/// Whether a word is the address of a live object of the wanted kind. Such an object is kept alive from then on.
fn is_live(cx: &mut Cx, v: Value, wanted: impl FnOnce(Value) -> bool) -> bool {
    if cx.vm().sampling.is_kept(v.0) {
        return true;
    }
    let is_live = v.is_heap() && cx.is_live_cell(v.0 as usize) == Some(v) && wanted(v);
    if is_live {
        cx.vm_mut().sampling.keep(v.0);
    }
    is_live
}
