//! Loops: registers are carried from one turn to the next as values, numbers in unboxed form.
//!
//! The head of a loop is a block whose parameters are the registers that the loop mentions and whose values are known
//! before the loop. Their kinds before the loop (fixnums, doubles) are expected at the end of each turn as well. If a
//! value is of another kind, the interpreter continues, and the loop is compiled again without this expectation. A
//! second block, the *entry*, loads the registers from memory: for entering the loop while it runs, after a safepoint,
//! and for all other jumps.

use std::mem::offset_of;

use abi::RuntimeCall;
use bytecode::{Opcode, Operands};
use runtime::{
    Cx,
    code::{
        Code,
        exits::{self, Reason},
        tier::Seen,
    },
    unlinked,
};

use crate::{
    bodies::{Passed, Place, target},
    floats, instruction,
    ir::Origin,
    liveness,
    registers::{Held, Kind},
    seam::{Block, Emitter, Ssa},
    sites::Site,
    translate::Translator,
};

/// The most registers that a loop carries.
const MOST_CARRIED: usize = 16;
/// Added to the word of a loop's head to get the place where exits record what the loop carries. The place of the word
/// itself belongs to the instruction there.
const HEAD: usize = 1 << 31;

/// The head of a loop.
pub struct Head {
    /// The block that loads what the loop carries from memory.
    pub entry: Block,
    carried: Vec<Carried>,
}

/// A register that a loop carries.
#[derive(Clone, Copy)]
struct Carried {
    /// Its distance from the frame's first.
    at: u16,
    kind: CarriedKind,
    /// The loop may set the register, so memory may not be up to date.
    is_set: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CarriedKind {
    Any,
    Fixnum,
    Double,
}

impl Head {
    pub fn new(e: &mut Emitter) -> Head {
        Head { entry: e.cold_block(), carried: Vec::new() }
    }
}

/// Registers that a loop mentions, and those of them that it may set, by their distance from the unit's first.
#[derive(Default)]
struct Mentioned {
    all: RegisterSet,
    set: RegisterSet,
}

/// A bit for each register.
#[derive(Default)]
struct RegisterSet(Vec<u64>);

impl RegisterSet {
    fn insert(&mut self, at: u16) {
        let (word, bit) = (usize::from(at) / 64, at % 64);
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << bit;
    }

    fn contains(&self, at: u16) -> bool {
        self.0.get(usize::from(at) / 64).is_some_and(|word| word >> (at % 64) & 1 != 0)
    }
}

/// Does an instruction in a loop of the running body probably need the bodies' frames at each turn? After a wrong guess
/// the frames are pushed at each turn, or pushed although nothing reads them.
pub fn need_frames(t: &Translator) -> bool {
    let body = t.body();
    let Some((first, _)) = body.heads.first_key_value() else { return false };
    calls_something(t, body.code, *first)
}

/// Does the code call nothing but attribute methods?
pub fn makes_no_call(t: &Translator, code: &Code) -> bool {
    !calls_something(t, code, 0)
}

/// Is there a call from a word on that is neither inlined nor a call of an attribute method?
fn calls_something(t: &Translator, code: &Code, first: usize) -> bool {
    let mut word = first;
    while word < code.instructions.len() {
        let i = code.instruction(word);
        let needs_frame = match i.op() {
            Opcode::Call | Opcode::CallBlock => !Site::of_call(code, word).is_of_attributes(),
            Opcode::CallComplex | Opcode::Super => true,
            Opcode::Yield => match t.block_passed(code.calls[i.c as usize].depth as usize) {
                Passed::Literal { code, .. } => calls_something(t, code, 0),
                _ => true,
            },
            Opcode::GetIvar
            | Opcode::SetIvar
            | Opcode::GetConstant
            | Opcode::GetClassVariable
            | Opcode::SetClassVariable
            | Opcode::SetOuter => false,
            opcode => instruction::is_known(opcode) && !instruction::is_operator(opcode),
        };
        if needs_frame {
            return true;
        }
        word = liveness::next(code, word);
    }
    false
}

impl Translator<'_> {
    /// Is the word the target of backward jumps?
    pub fn is_head(&self, word: usize) -> bool {
        self.body().heads.contains_key(&word)
    }

    /// Continues at the head of a loop. `open`: control reaches the head from the instruction before it.
    pub fn enter_loop(&mut self, word: usize, open: bool) {
        let (Some(block), current) = (self.label(word), self.current()) else {
            unreachable!("the head of a loop has a label")
        };
        let (entry, level) = (self.bodies[current].heads[&word].entry, self.bodies[current].level);
        self.drop_dead(word);
        self.e.fresh = None;
        let carried = if open { self.carried(word) } else { Vec::new() };
        for one in &carried {
            self.e.parameter(block, one.origin());
        }
        if open {
            let values: Vec<Ssa> = carried.iter().map(|one| self.value_carried(*one)).collect();
            self.flush_but_carried(&carried);
            self.pop_frames(level);
            self.e.jump(block, &values);
        }
        self.pushed = level;
        self.r.begin();
        if current == 0 && self.has_reached(word) {
            // The values of variables in the running frame are better guesses for the loop than those before it.
            self.r.drop_samples_below(usize::from(self.code.environment_slots));
        }
        self.e.at(entry);
        let exit = (!carried.is_empty()).then(|| self.head_exit(word));
        let values: Vec<Ssa> = carried
            .iter()
            .map(|one| {
                let v = self.e.load(self.r.base, 8 * one.at as usize);
                match exit {
                    Some(exit) => self.as_carried(one.kind, v, exit),
                    None => v,
                }
            })
            .collect();
        self.e.jump(block, &values);
        self.e.at(block);
        let parameters = self.e.function.block(block).parameters.clone();
        for (one, v) in carried.iter().zip(parameters) {
            let held = match one.kind {
                CarriedKind::Any => Held { value: Some(v), ..Held::default() },
                CarriedKind::Fixnum => Held { value: Some(v), kind: Kind::Fixnum, ..Held::default() },
                // It may be out of the flonums' range.
                CarriedKind::Double => Held { double: Some(v), ..Held::default() },
            };
            self.r.set_held(one.at, held, one.is_set);
        }
        if let Some(head) = self.bodies[current].heads.get_mut(&word) {
            head.carried = carried;
        }
    }

    /// Jumps back to the head of a loop, with a safepoint.
    pub fn go_back(&mut self, word: usize, distance: i32) {
        let to = target(word, distance);
        let (Some(block), current) = (self.label(to), self.current()) else {
            unreachable!("the head of a loop has a label")
        };
        let (entry, level) = (self.bodies[current].heads[&to].entry, self.bodies[current].level);
        self.drop_dead(to);
        if self.tier.is_baseline() {
            let place = exits::place(self.body().path, to + HEAD);
            let exit = self.exit_with(to, place, Reason::Warm);
            self.count_run(exit);
        }
        let carried = self.bodies[current].heads[&to].carried.clone();
        let mut values = Vec::with_capacity(carried.len());
        for one in &carried {
            let v = match self.back_carried(*one, to) {
                Some(v) => v,
                // The value is known not to be of the expected kind.
                None => {
                    let exit = self.head_exit(to);
                    return self.e.jump(exit, &[]);
                }
            };
            values.push(v);
        }
        self.flush_but_carried(&carried);
        self.pop_frames(level);
        let waits = self.e.load32(self.context, offset_of!(Cx, attention.interrupts));
        let (waiting, next) = (self.e.cold_block(), self.e.block());
        self.e.branch(waits, waiting, next);
        self.e.at(next);
        self.e.jump(block, &values);
        self.e.at(waiting);
        // An exception belongs to the loop, whose head may be the first instruction that a handler covers. So `pc` is
        // that of the jump, which the interpreter makes again if the code is left here.
        self.push_frames(word);
        let outcome = self.e.call(RuntimeCall::Safepoint, &[self.context]);
        self.value_of(word, &outcome);
        self.pop_frames(level);
        self.e.jump(entry, &[]);
    }

    /// Brings memory up to date, except for registers that the loop carries and may set.
    fn flush_but_carried(&mut self, carried: &[Carried]) {
        let stays = |at: u16| carried.iter().any(|one| one.at == at && one.is_set);
        self.r.flush_but(&mut self.e, self.context, stays);
    }

    /// In a baseline compilation: counts an entry or a turn of a loop. After enough of them the exit is taken, which
    /// starts the full compilation.
    pub fn count_run(&mut self, exit: Block) {
        let address = self.e.constant(self.tier.until_warm_address() as u64);
        self.e.count_down(address, exit);
    }

    /// The exit for a register that is not of the expected kind: the interpreter begins the next turn.
    fn head_exit(&mut self, word: usize) -> Block {
        let place = exits::place(self.body().path, word + HEAD);
        self.exit_with(word, place, Reason::GuardFailed)
    }

    /// The registers that a loop carries, as they are before the loop.
    fn carried(&mut self, word: usize) -> Vec<Carried> {
        let mentioned = self.mentioned(word);
        let is_weak = self.seen_at(self.body().path, word + HEAD) != Seen::default();
        let body = self.body();
        let mut known = self.r.known_registers();
        known.retain(|at| mentioned.all.contains(*at) && !body.is_dead(*at, word));
        known.truncate(MOST_CARRIED);
        known
            .into_iter()
            .map(|at| Carried {
                at,
                kind: if is_weak { CarriedKind::Any } else { self.kind_carried(at) },
                is_set: mentioned.set.contains(at),
            })
            .collect()
    }

    /// The kind of a register before a loop; a guess if the running frame holds a value of another kind.
    fn kind_carried(&mut self, at: u16) -> CarriedKind {
        let Held { kind, double, .. } = self.r.held_at(at);
        let runs_as_float = self.sample_at(at).is_some_and(object::float::is);
        match kind {
            _ if double.is_some() || kind.is_flonum() => CarriedKind::Double,
            _ if kind.is_fixnum() && !runs_as_float => CarriedKind::Fixnum,
            _ => CarriedKind::Any,
        }
    }

    /// The value of a register in the form in which the loop carries it. Its kind must be known.
    fn value_carried(&mut self, one: Carried) -> Ssa {
        if one.kind == CarriedKind::Double { self.double_at(one.at) } else { self.word_at(one.at) }
    }

    /// The value of a register at the end of a turn, in the form in which the loop carries it; `None` if it is known to
    /// be of another kind.
    fn back_carried(&mut self, one: Carried, head: usize) -> Option<Ssa> {
        let Held { kind, double, .. } = self.r.held_at(one.at);
        let (is_fixnum, is_flonum) = (kind.is_fixnum(), kind.is_flonum());
        match one.kind {
            CarriedKind::Any => return Some(self.value_carried(one)),
            CarriedKind::Fixnum if is_fixnum => return Some(self.value_carried(one)),
            CarriedKind::Double if double.is_some() || is_flonum => return Some(self.value_carried(one)),
            CarriedKind::Fixnum if double.is_some() || is_flonum => return None,
            CarriedKind::Double if is_fixnum => return None,
            _ => {}
        }
        let v = self.value_carried(Carried { kind: CarriedKind::Any, ..one });
        let exit = self.head_exit(head);
        Some(self.as_carried(one.kind, v, exit))
    }

    /// A word in the form in which a loop carries it; goes to the exit if it is of another kind.
    fn as_carried(&mut self, kind: CarriedKind, v: Ssa, exit: Block) -> Ssa {
        match kind {
            CarriedKind::Any => v,
            CarriedKind::Fixnum => {
                let bit = self.e.and_constant(v, 1);
                self.e.require(bit, exit);
                v
            }
            CarriedKind::Double => floats::of_value(&mut self.e, v, exit),
        }
    }

    /// The registers that a loop mentions. The result may be incomplete: registers that are missing are loaded and
    /// stored as outside of loops.
    fn mentioned(&self, head: usize) -> Mentioned {
        let mut end = head;
        let mut word = 0;
        while word < self.code.instructions.len() {
            let i = self.code.instruction(word);
            if i.op() == Opcode::Loop && target(word, i.bc()) == head {
                end = word;
            }
            word += 1 + i.op().following_words();
        }
        let mut mentioned = Mentioned::default();
        mentioned.all.insert(self.r.at(0) as u16);
        self.mention(&mut mentioned, self.code, head..end, 0);
        mentioned
    }

    /// Adds the registers that some words of the running body mention, or of a block `level` levels within it.
    fn mention(&self, mentioned: &mut Mentioned, code: &Code, words: std::ops::Range<usize>, level: usize) {
        for word in words {
            let i = code.instruction(word);
            if i.op().operands() == Operands::Outer
                && let Some(depth) = (i.b as usize).checked_sub(level)
                && let Place::Body(number) = self.place_of(depth)
            {
                let at = self.bodies[number].offset + i.c;
                mentioned.all.insert(at);
                if i.op() == Opcode::SetOuter {
                    mentioned.set.insert(at);
                }
            }
            if level == 0 {
                // Operands that are not registers are included, too: superfluous numbers do no harm.
                for register in [i.a, i.b, i.c].into_iter().filter(|register| *register < code.registers) {
                    mentioned.all.insert(self.r.offset.saturating_add(register));
                }
                if i.a < code.registers {
                    mentioned.set.insert(self.r.offset.saturating_add(i.a));
                }
            }
        }
        if level < 3 {
            for child in &code.children {
                // A method, which may not be linked, has no access to these registers.
                if !unlinked::is_linked(child.get()) {
                    continue;
                }
                // SAFETY: a child of the code, which keeps it alive; it is linked.
                let child = unsafe { runtime::code::live_code(child.get()) };
                self.mention(mentioned, child, 0..child.instructions.len(), level + 1);
            }
        }
    }
}

impl Carried {
    fn origin(&self) -> Origin {
        if self.kind == CarriedKind::Double { Origin::Double } else { Origin::Word }
    }
}
