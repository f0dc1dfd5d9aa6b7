//! Decodes records into frames. Every word is validated first: it must be the address of a live code object or method
//! entry, and a position must lie in the code.

use abi::{Type, Value};
use host::signal::sampling::REGISTERS;
use object::{cell, native};

use crate::{
    Cx,
    code::{Code, code, tier::InlinedBody},
    samples::slot::{Activity, FIRST_FRAME, FRAME, HEAD, Slot},
    state::{
        sampling::{Place, Sample, Sink},
        stack::MOST_INLINED_FRAMES,
    },
};

/// Decodes a slot's records and passes them to the sink. Returns the nanoseconds of samples that found no room.
pub(super) fn drain(cx: &mut Cx, slot: &'static Slot, sink: &mut dyn Sink) -> u64 {
    use std::sync::atomic::Ordering::Relaxed;
    let thread = slot.number.load(Relaxed);
    // A thread takes its samples before it switches to another fiber.
    let is_current = std::ptr::eq(cx.sampled.load(Relaxed), slot);
    let mut frames = Vec::new();
    slot.take(&mut |at, length| {
        frames.clear();
        let mut registers: [u64; REGISTERS] = std::array::from_fn(|i| slot.get(at + HEAD + i));
        // The frame on top may be that of an inlined body, whose machine code is that of a frame below.
        let codes = (at + FIRST_FRAME..at + length).step_by(FRAME).map(|frame| Value(slot.get(frame)));
        let program_counter = registers[REGISTERS - 1];
        let compiled = compiled_position(cx, codes, program_counter);
        if let Some(compiled) = &compiled {
            // The frame on top uses whichever of these two addresses lies in its code.
            (registers[0], registers[REGISTERS - 1]) = (compiled.pc, compiled.own_pc);
        }
        for frame in (at + FIRST_FRAME..at + length).step_by(FRAME) {
            let [code, entry, pc] = [0, 1, 2].map(|i| slot.get(frame + i));
            let innermost = frames.is_empty() && frame == at + FIRST_FRAME;
            frames.extend(place(cx, [code, entry, pc], innermost.then_some(&registers)));
        }
        if let Some(compiled) = compiled {
            add_inlined(cx, &mut frames, compiled);
        }
        let activity = Activity::from_word(slot.get(at));
        let (time, weight) = (slot.get(at + 1), slot.get(at + 2));
        sink.sample(cx, &Sample { thread, activity, time, weight, frames: &frames, is_current });
    })
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

/// Adds inlined bodies without a frame. A block has the method of the frame around it.
fn add_inlined(cx: &mut Cx, frames: &mut Vec<Place>, compiled: CompiledPosition) {
    for InlinedBody { code: body, entry, pc } in compiled.without_frame.into_iter().rev() {
        if !is_live(cx, body, |v| native::get::<Code>(&v).is_some()) {
            return;
        }
        let own = code(&body);
        let around = frames.iter().find(|frame| frame.code == own.parent.get()).map(|frame| frame.entry);
        let has_entry = is_live(cx, entry, |v| cell::is(v, Type::MethodEntry));
        let entry = if has_entry { entry } else { around.unwrap_or(Value::NIL) };
        let word = (pc.wrapping_sub(own.start() as u64) / 8).checked_sub(1);
        let word = word.filter(|_| own.contains(pc)).map_or(Place::NOT_BEGUN, |word| word as u32);
        frames.insert(0, Place { code: body, entry, word, is_compiled: true });
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
