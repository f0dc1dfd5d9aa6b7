//! Exits from compiled code.

use abi::{BlockHandler, Frame, Header, Scope, Value};
use bytecode::Opcode;
use runtime::{
    Cx,
    call::{Window, block},
    code::{
        code,
        exits::{ExitTable, MOST_MADE, MOST_WORDS, Reason, Source, Taken, Target},
        live_code,
        open_frames::OpenFrames,
        tier::Seen,
    },
};

use super::values::{boxed, new_cell};
use crate::{
    backend::{FRAME_POINTER, SavedRegisters},
    blocks, instruction,
};

/// An object that an exit allocates. Its words are collected first, because boxing one of them may run the collector.
struct NewObject {
    header: Header,
    count: usize,
    words: [Value; MOST_WORDS],
}

impl NewObject {
    fn new(header: Header, count: u8) -> NewObject {
        NewObject { header, count: count.into(), words: [Value::NIL; MOST_WORDS] }
    }

    fn allocate(&self, cx: &mut Cx) -> Value {
        new_cell(cx, self.header, &self.words[..self.count])
    }
}

/// Takes an exit of the unit that the running frame belongs to: pushes the frames of inlined bodies, and stores their
/// registers and `pc`s as the interpreter needs them.
///
/// # Safety
/// Called by compiled code for its own context, frame and exits, with the registers of the processor at the exit.
pub unsafe extern "C" fn take_exit(
    cx: *mut Cx,
    root: *mut Frame,
    table: *const ExitTable,
    number: u64,
    saved: *const SavedRegisters,
) {
    // SAFETY: this function's contract.
    let (cx, table, saved) = unsafe { (&mut *cx, &*table, &*saved) };
    // SAFETY: the unit's frame is alive.
    unsafe { OpenFrames::write_own(root) };
    let exit = table.get(number as usize);
    // The collector finds what this native frame refers to.
    let mut made = [Value::NIL; MOST_MADE];
    let (mut count, mut new) = (0, NewObject::new(Header(0), 0));
    for store in table.stores.get().into_iter().flat_map(|stores| stores.of(number as usize)) {
        // SAFETY: the unit's frame has the register; the unit keeps the counter's source, and counters change only
        // under the global lock; the native frame is that of the compiled code, which put the value there.
        unsafe {
            let word = |offset: i32| *(saved.words[FRAME_POINTER] as *const u8).offset(offset as isize).cast::<u64>();
            let v = match store.from {
                Source::Constant(bits) => Value(bits),
                Source::Register(r) => Value(saved.words[r as usize]),
                Source::Stack(offset) => Value(word(offset)),
                Source::Double(r) => boxed(cx, saved.doubles[r as usize]),
                Source::DoubleOnStack(offset) => boxed(cx, f64::from_bits(word(offset))),
                Source::Object(number) => made[usize::from(number)],
            };
            match store.to {
                Target::Object(words) => new = NewObject::new(Header(v.0), words),
                Target::Word(n) => new.words[usize::from(n)] = v,
                Target::Register(register) => (*root).scope.slots.add(register as usize).write(v),
                Target::Counter(address) => {
                    let counter = address as *mut u64;
                    *counter = (*counter).wrapping_add(v.0);
                }
            }
            let is_complete = match store.to {
                Target::Object(words) => words == 0,
                Target::Word(n) => usize::from(n) + 1 == new.count,
                _ => false,
            };
            if is_complete {
                made[count] = new.allocate(cx);
                count += 1;
            }
        }
    }
    // SAFETY: the frame is that of the running unit, which continues in the interpreter.
    let (own_of_unit, tier) = unsafe { ((*root).scope.code, &code(&(*root).scope.code).tier) };
    let seen = |cx: &Cx| instruction::seen(code(&cx.frame().scope.code), Window::of_frame(cx), exit.word);
    // SAFETY: the frame is that of the compiled code that asks for this exit.
    let (place, seen) = match unsafe { exit.take(root) } {
        Taken::Captured(place) => (place, Seen::CAPTURED),
        Taken::Running(frame) => {
            cx.frame = frame;
            let seen = if exit.reason == Reason::GuardFailed { seen(cx) } else { Seen::default() };
            (exit.place, seen)
        }
    };
    if exit.reason != Reason::LeftToInterpreter || cx.vm().options.exit_every == 0 {
        crate::statistics::note_exit(cx, code(&cx.frame().scope.code), exit.word, exit.reason);
    }
    match exit.reason {
        Reason::NewBlock => {
            let own = code(&cx.frame().scope.code);
            let i = own.instruction(exit.word);
            if i.op() == Opcode::Yield {
                let depth = own.calls[i.c as usize].depth as usize;
                // SAFETY: the compiler counted scopes; those around the running frame are alive.
                let handler = unsafe { (*Scope::out(&raw const cx.frame().scope, depth)).block };
                match block::target(handler) {
                    Some(target) if handler.frame().is_some() => tier.learn_block(target.body),
                    Some(target) => tier.learn_proc(place, target.body, target.lambda),
                    None => {}
                }
            } else if let Some(target) = block::target(BlockHandler(Window::of_frame(cx).get(i.b as usize))) {
                tier.learn_proc(place, target.body, target.lambda);
            } else {
                // A Proc of a Symbol or Method has no code. From now on the runtime calls those that are not expected.
                tier.learn(place, Seen::FAILED);
            }
            cx.remember(own_of_unit);
        }
        Reason::LeftToInterpreter => cx.until_forced_exit = cx.vm().options.exit_every,
        Reason::Unvisited => {
            let running = code(&cx.frame().scope.code);
            running.tier.visit(exit.word);
            tier.learn_visit();
            blocks::watch_rest(running);
        }
        // The compiler looks at the variables of the unit's own frame, which must be the running one.
        Reason::Warm if cx.frame != root => tier.exit_soon(),
        Reason::Warm => {
            tier.compile_in_full();
            // SAFETY: the unit's frame keeps its code alive.
            crate::compile(cx, unsafe { live_code(own_of_unit) });
        }
        // `learn` may drop the compiled code and with it the exit.
        Reason::GuardFailed | Reason::Captured => tier.learn(place, seen),
    }
}
