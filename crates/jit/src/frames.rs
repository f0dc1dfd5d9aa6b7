//! Pushing and running the frames of callees.

use abi::{BlockHandler, Frame, RuntimeCall, Scope, Value};
use bytecode::Kind;
use object::method_entry;
use runtime::{
    Cx,
    code::{Code, exits::FrameImage, open_frames, tier::How},
    frame,
};
use std::mem::offset_of;

use crate::{
    arguments::Argument,
    backend,
    ir::{Condition, Convention, Origin, Pinned},
    seam::{Block, Ssa},
    sites::Site,
    translate::Translator,
};

/// The initial contents of a new frame, besides those that its code object determines.
pub struct Begun {
    /// The scope around a block, or the method entry.
    pub around: Around,
    pub block: Option<Passing>,
    pub flags: u32,
    /// The number of open frames below it (see [`Frame::open`]).
    pub open: u32,
}

/// The literal block that a call passes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Passing {
    /// The body that the block belongs to and whose frame passes it.
    pub by: usize,
    pub code: Value,
    /// Is the block written at the call itself? Otherwise it was passed to the running method, which passes it on.
    pub is_own: bool,
}

pub enum Around {
    Method {
        entry: Value,
    },
    /// A block of a body in the unit.
    Body(usize),
    /// A block of the frame at an address. That frame passes it to the scope this many levels out of the unit's own.
    Passer {
        home: Ssa,
        depth: usize,
    },
    /// A block that defines a method, in a scope on the heap.
    Closure {
        scope: *const Scope,
        entry: Value,
    },
    /// A Proc's block, in the scope at an address.
    Scope {
        scope: Ssa,
    },
}

impl Begun {
    /// The frame of a method, as `call::frames::method` writes it.
    pub fn method(t: &mut Translator, entry: Value, flags: u32, block: Option<Passing>) -> Begun {
        t.keep(entry);
        Begun { around: Around::Method { entry }, block, flags, open: 0 }
    }
}

/// Pushes a frame whose registers begin with the values; its other variables become nil. The frames of all bodies must
/// exist, without those that `begun` counts as open, and the `pc` of the running one must be set. The callee's frame
/// stays open (see [`Frame::open`]) if its image contains all of its words.
pub fn push(t: &mut Translator, call: Site, callee: &Code, values: &[Argument], begun: &Begun, slow: Block) {
    let values: Vec<Option<Ssa>> =
        values.iter().map(|value| value.map(|content| t.r.value_of(&mut t.e, t.context, content))).collect();
    t.flush();
    let window = t.r.byte(call.window);
    let registers = callee.registers as usize;
    let frame = t.frame();
    let base = t.e.add_constant(t.r.base, window as i64);
    let end = t.e.add_constant(base, frame::room_for(registers) as i64);
    let fits = t.e.compare(Condition::BelowEqual, end, frame);
    t.e.require(fits, slow);
    let limit = t.e.load(t.context, offset_of!(Cx, attention.native_limit));
    let fits = t.e.compare(Condition::Below, limit, t.e.pinned(Pinned::StackPointer));
    t.e.require(fits, slow);
    let nil = t.e.constant(Value::NIL.0);
    let variables = registers.min(values.len() + 1).max(callee.environment_slots as usize);
    let rest = std::iter::repeat(Some(nil));
    let values = values.into_iter().chain(rest);
    for (register, value) in (1..variables).zip(values) {
        if let Some(v) = value {
            t.e.store(v, t.r.base, window + 8 * register);
        }
    }
    let new = t.e.add_constant(frame, -(size_of::<Frame>() as i64));
    let image = image_of(callee, begun, call.destination);
    let image = t.keep_image(image);
    t.keep(callee.own.get());
    let is_complete = begun.block.is_none() && call.handler.is_none() && matches!(begun.around, Around::Method { .. });
    if is_complete && callee.kind == Kind::Method && callee.tier.leaves_own_frame() {
        t.e.store(base, new, offset_of!(Scope, slots));
        let tagged = t.e.constant(open_frames::tagged(image, begun.open));
        t.e.store(tagged, new, offset_of!(Scope, environment));
        return t.e.store(new, t.context, offset_of!(Cx, frame));
    }
    if begun.block.is_some_and(|block| block.is_own) {
        pass_block(t, call);
    }
    let home = match begun.around {
        Around::Method { .. } | Around::Closure { .. } => None,
        Around::Body(number) => Some(t.frame_of(number)),
        Around::Passer { home, .. } => Some(home),
        Around::Scope { scope } => Some(scope),
    };
    let passer = begun.block.map(|block| t.frame_of(block.by));
    t.fill_frame(new, image, base, home, passer);
    if let Some(handler) = call.handler {
        t.e.store(handler, new, offset_of!(Scope, block));
    }
    t.e.store(new, t.context, offset_of!(Cx, frame));
}

/// The words of the frame that are known when the call is translated.
pub fn image_of(callee: &Code, begun: &Begun, destination: u16) -> FrameImage {
    let (cref, entry) = match begun.around {
        Around::Method { entry } => (method_entry::cref(entry), entry),
        // SAFETY: the entry keeps the scope alive.
        Around::Closure { scope, entry } => (unsafe { (*scope).cref }, entry),
        _ => (Value::NIL, Value::NIL),
    };
    let mut image = FrameImage::default();
    let mut set = |offset: usize, word: u64| image.0[offset / 8] = word;
    if let Around::Closure { scope, .. } = begun.around {
        set(offset_of!(Scope, outer), scope as u64);
    }
    set(offset_of!(Scope, cref), cref.0);
    set(offset_of!(Scope, entry), entry.0);
    set(offset_of!(Scope, block), BlockHandler::NONE.0.0);
    set(offset_of!(Scope, special), Value::NIL.0);
    set(offset_of!(Scope, code), callee.own.get().0);
    set(offset_of!(Scope, environment), Value::NIL.0);
    set(offset_of!(Frame, pc), callee.start() as u64);
    set(offset_of!(Frame, block_code), Value::NIL.0);
    set(offset_of!(Frame, flags), u64::from(begun.flags) | u64::from(destination) << 32);
    set(offset_of!(Frame, registers), callee.registers as u64 | u64::from(begun.open) << 32);
    image
}

// The image has one word for two fields.
const _: () = assert!(
    offset_of!(Frame, destination) == offset_of!(Frame, flags) + 4
        && offset_of!(Frame, open) == offset_of!(Frame, registers) + 4
        && cfg!(target_endian = "little")
);

/// Stores the literal block that the call passes in the frame of the caller, which must exist.
pub fn pass_block(t: &mut Translator, call: Site) {
    if let Some(child) = call.site.block_child() {
        let place = t.e.constant(t.code.children[child].as_ptr() as u64);
        let body = t.e.load(place, 0);
        let frame = t.frame();
        t.e.store(body, frame, offset_of!(Frame, block_code));
    }
}

/// Runs the frame that was pushed and returns its result. The caller stores the result before it tests whether this
/// code is still valid. The call goes to the compiled code of the callee, or to the stub that runs the frame in the
/// interpreter.
pub fn run(t: &mut Translator, callee: &Code, window: u16) -> Ssa {
    let outcome = run_callee(t, callee, window);
    result_of_frame(t, outcome)
}

/// Runs the frame of an `initialize` and returns the object, or the value of a `break` from the block that it was
/// passed.
pub fn run_initialize(t: &mut Translator, callee: &Code, window: u16) -> Ssa {
    let outcome = run_callee(t, callee, window);
    let object = t.e.load(t.r.base, t.r.byte(window));
    unless_left(t, object, outcome)
}

/// Runs the frame of a block and returns its result. If it ends in an exception or jump, `jumped` handles that in a
/// block of its own, which it terminates.
pub fn run_block(
    t: &mut Translator,
    callee: &Code,
    window: u16,
    jumped: impl FnOnce(&mut Translator, [Ssa; 2]),
) -> Ssa {
    let outcome = run_callee(t, callee, window);
    let other = t.e.cold_block();
    let v = unless_returned(t, &outcome, other, |t| {
        let finished = finish_frame(t, outcome);
        let (returned, unwinding) = (t.e.cold_block(), t.e.cold_block());
        t.e.branch(finished[1], unwinding, returned);
        t.e.at(unwinding);
        jumped(t, [finished[0], finished[1]]);
        t.e.at(returned);
        finished[0]
    });
    t.pop_callee();
    v
}

/// [`run`] for a callee that was found at run time, at the address where compiled callers call it.
pub fn run_found(t: &mut Translator, address: Ssa, window: u16) -> Ssa {
    let outcome = run_at(t, address, window);
    result_of_frame(t, outcome)
}

fn run_callee(t: &mut Translator, callee: &Code, window: u16) -> [Ssa; 2] {
    let place = t.e.constant(callee.tier.callee_address(backend::interpret as *const () as usize) as u64);
    let address = t.e.load(place, 0);
    run_at(t, address, window)
}

fn run_at(t: &mut Translator, address: Ssa, window: u16) -> [Ssa; 2] {
    let frame = (t.current() + 1) * size_of::<Frame>();
    let convention = Convention::Compiled { registers: t.r.byte(window) as i32, frame: frame as i32 };
    t.e.call_compiled(convention, address)
}

/// The result of a frame that compiled code was called for, whatever its outcome is.
fn result_of_frame(t: &mut Translator, outcome: [Ssa; 2]) -> Ssa {
    unless_left(t, outcome[0], outcome)
}

/// The value `returned` if the frame has returned, else what the runtime makes of the outcome.
fn unless_left(t: &mut Translator, returned: Ssa, outcome: [Ssa; 2]) -> Ssa {
    let other = t.e.cold_block();
    let v = unless_returned(t, &[returned, outcome[1]], other, |t| {
        let finished = finish_frame(t, outcome);
        t.value_if_returned(&finished)
    });
    t.pop_callee();
    v
}

fn finish_frame(t: &mut Translator, outcome: [Ssa; 2]) -> Vec<Ssa> {
    let frame = t.frame();
    let frame = t.e.add_constant(frame, -(size_of::<Frame>() as i64));
    t.e.call(RuntimeCall::FinishFrame, &[t.context, outcome[0], outcome[1], frame])
}

/// The value of a call by the runtime, which is also in its register; runs the frame if the runtime has pushed one. The
/// frames of all bodies must exist.
pub fn result_of_call(t: &mut Translator, outcome: &[Ssa], destination: u16) -> Ssa {
    let other = t.e.block_like_this();
    unless_returned(t, outcome, other, |t| {
        let (pushed, leave) = (t.e.block_like_this(), t.e.cold_block());
        let is_pushed = t.e.compare_constant(Condition::Equal, outcome[1], How::Pushed as u64);
        t.e.branch(is_pushed, pushed, leave);
        t.e.at(leave);
        t.e.leave(outcome[0], outcome[1]);
        t.e.at(pushed);
        let frame = (t.current() + 1) * size_of::<Frame>();
        let outcome = t.e.call_compiled(Convention::Pushed { frame: frame as i32 }, outcome[0]);
        let v = result_of_frame(t, outcome);
        t.e.store(v, t.r.base, t.r.byte(destination));
        v
    })
}

/// The value of an outcome; if nothing was returned, the value that `otherwise` computes in the block `other`.
fn unless_returned(
    t: &mut Translator,
    outcome: &[Ssa],
    other: Block,
    otherwise: impl FnOnce(&mut Translator) -> Ssa,
) -> Ssa {
    let (done, join) = (t.e.block_like_this(), t.e.block_like_this());
    let result = t.e.parameter(join, Origin::Word);
    t.e.branch(outcome[1], other, done);
    t.e.at(done);
    t.e.jump(join, &[outcome[0]]);
    t.e.at(other);
    let v = otherwise(t);
    t.e.jump(join, &[v]);
    t.e.at(join);
    result
}
