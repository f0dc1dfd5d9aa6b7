//! Calls of code that compiled code finds at run time: its parts are read from the code object, so that a few
//! instructions call any method or block that needs no arranging of arguments.

use abi::{BlockHandler, Frame, Scope, Value};
use runtime::{
    Cx,
    code::{Code, Table, tier::Tier},
    frame,
};
use std::mem::{offset_of, size_of};

use crate::{
    frames::run_found,
    ir::{Binary, Condition, Origin, Pinned},
    seam::{Block, Ssa},
    sites::Site,
    translate::Translator,
};

/// The code that was found.
pub struct Callee {
    /// The address of the [`Code`].
    code: Ssa,
    /// Its numbers of registers, parameters and variables, and whether it is `simple` and `positional`: the word from
    /// [`NUMBERS`] on.
    numbers: Ssa,
    /// Where compiled callers call it.
    address: Ssa,
}

const NUMBERS: usize = offset_of!(Code, registers);
const PARAMETERS_SHIFT: u64 = 16;
const VARIABLES_SHIFT: u64 = 32;
const SIMPLE_SHIFT: u64 = 48;
const POSITIONAL_SHIFT: u64 = 56;
const _: () = assert!(
    offset_of!(Code, parameter_count) == NUMBERS + 2
        && offset_of!(Code, environment_slots) == NUMBERS + 4
        && offset_of!(Code, simple) == NUMBERS + 6
        && offset_of!(Code, positional) == NUMBERS + 7
        && NUMBERS.is_multiple_of(8)
        && cfg!(target_endian = "little")
);
// The only word of a table is the address of its first element.
const _: () = assert!(size_of::<Table<u64>>() == size_of::<*const u64>());

/// How many of the values that are given the callee may take.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// All of them.
    All,
    /// All of them; it may have optional parameters for more.
    WithOptional,
    /// Some of them: a block ignores the others.
    AtMost,
}

/// The arguments.
#[derive(Clone, Copy)]
pub enum Given {
    /// So many words behind the receiver in the window.
    InWindow(u16),
    /// So many words at an address, which become these words of the window.
    Elements { start: Ssa, count: Ssa },
}

impl Given {
    fn count(self, t: &mut Translator) -> Ssa {
        match self {
            Given::InWindow(count) => t.e.constant(u64::from(count)),
            Given::Elements { count, .. } => count,
        }
    }
}

/// The words of the callee's frame that its code does not determine.
pub struct Begun {
    pub outer: Ssa,
    pub cref: Ssa,
    pub entry: Ssa,
    /// The handler of the block that it is passed.
    pub block: Ssa,
    /// Bits of [`abi::FrameFlags`].
    pub flags: Ssa,
    /// The number of open frames below it (see [`Frame::open`]).
    pub open: u32,
}

impl Begun {
    /// A block in a scope, which is passed no block.
    pub fn block(t: &mut Translator, scope: Ssa, flags: Ssa) -> Begun {
        let [cref, entry] = [offset_of!(Scope, cref), offset_of!(Scope, entry)].map(|offset| t.e.load(scope, offset));
        let block = t.e.constant(BlockHandler::NONE.0.0);
        Begun { outer: scope, cref, entry, block, flags, open: 0 }
    }
}

impl Callee {
    /// The code of a cell; see [`Callee::at`].
    pub fn of(t: &mut Translator, cell: Ssa, takes: Takes, given: Given, otherwise: Block) -> Callee {
        // See `live_code`.
        let code = t.e.load(cell, 8);
        Callee::at(t, code, takes, given, otherwise)
    }

    /// The code at an address; goes to `otherwise` if it does not take so many values without arranging them, or if
    /// compiled code cannot call it yet.
    pub fn at(t: &mut Translator, code: Ssa, takes: Takes, given: Given, otherwise: Block) -> Callee {
        let numbers = t.e.load(code, NUMBERS);
        let (kind, condition) = match takes {
            Takes::All => (SIMPLE_SHIFT, Condition::Equal),
            Takes::WithOptional => (POSITIONAL_SHIFT, Condition::AboveEqual),
            Takes::AtMost => (SIMPLE_SHIFT, Condition::BelowEqual),
        };
        let is_of_kind = t.e.and_constant(numbers, 1 << kind);
        t.e.require(is_of_kind, otherwise);
        let given = given.count(t);
        let parameters = number(t, numbers, PARAMETERS_SHIFT);
        let fits = t.e.compare(condition, parameters, given);
        t.e.require(fits, otherwise);
        if takes == Takes::WithOptional {
            let required = t.e.load32(code, offset_of!(Code, parameters.required));
            let required = t.e.and_constant(required, 0xffff);
            let fits = t.e.compare(Condition::BelowEqual, required, given);
            t.e.require(fits, otherwise);
        }
        let address = t.e.load(code, offset_of!(Code, tier) + Tier::CALLEE);
        t.e.require(address, otherwise);
        Callee { code, numbers, address }
    }

    /// Runs the callee in a new frame and returns its result; goes to `otherwise` if the stack has no room. The window
    /// has the receiver; frames and `pc` must be as for [`crate::frames::push`].
    pub fn run(&self, t: &mut Translator, call: Site, given: Given, begun: &Begun, otherwise: Block) -> Ssa {
        t.flush();
        let frame = t.frame();
        let base = t.e.add_constant(t.r.base, t.r.byte(call.window) as i64);
        let registers = number(t, self.numbers, 0);
        let bytes = t.e.binary_constant(Binary::ShiftLeft, registers, 3);
        let end = t.e.add(base, bytes);
        let end = t.e.add_constant(end, frame::room_for(0) as i64);
        let fits = t.e.compare(Condition::BelowEqual, end, frame);
        t.e.require(fits, otherwise);
        let limit = t.e.load(t.context, offset_of!(Cx, attention.native_limit));
        let fits = t.e.compare(Condition::Below, limit, t.e.pinned(Pinned::StackPointer));
        t.e.require(fits, otherwise);
        if let Given::Elements { start, count } = given {
            copy(t, (start, count), base);
        }
        self.set_variables(t, base, given);
        let new = t.e.add_constant(frame, -(size_of::<Frame>() as i64));
        let [own, pc] =
            [offset_of!(Code, own), offset_of!(Code, instructions)].map(|offset| t.e.load(self.code, offset));
        let flags = t.e.or_constant(begun.flags, u64::from(call.destination) << 32);
        let counts = t.e.or_constant(registers, u64::from(begun.open) << 32);
        let nil = t.e.constant(Value::NIL.0);
        for (word, offset) in [
            (base, offset_of!(Scope, slots)),
            (begun.outer, offset_of!(Scope, outer)),
            (begun.cref, offset_of!(Scope, cref)),
            (begun.entry, offset_of!(Scope, entry)),
            (begun.block, offset_of!(Scope, block)),
            (nil, offset_of!(Scope, special)),
            (own, offset_of!(Scope, code)),
            (nil, offset_of!(Scope, environment)),
            (pc, offset_of!(Frame, pc)),
            (nil, offset_of!(Frame, block_code)),
            (flags, offset_of!(Frame, flags)),
            (counts, offset_of!(Frame, registers)),
        ] {
            t.e.store(word, new, offset);
        }
        t.e.store(new, t.context, offset_of!(Cx, frame));
        run_found(t, self.address, call.window)
    }

    /// Sets the parameters that no value is given for to undef, and the variables behind the parameters to nil.
    fn set_variables(&self, t: &mut Translator, base: Ssa, given: Given) {
        let [parameters, variables] = [PARAMETERS_SHIFT, VARIABLES_SHIFT].map(|shift| number(t, self.numbers, shift));
        let given = given.count(t);
        let [first, behind] = [given, parameters].map(|number| t.e.add_constant(number, 1));
        fill(t, base, (first, behind), Value::UNDEF);
        fill(t, base, (behind, variables), Value::NIL);
    }
}

/// One of the numbers of a code.
fn number(t: &mut Translator, numbers: Ssa, shift: u64) -> Ssa {
    let shifted = t.e.binary_constant(Binary::ShiftRightUnsigned, numbers, shift);
    t.e.and_constant(shifted, 0xffff)
}

/// Copies words to the arguments of the window at an address.
pub fn copy(t: &mut Translator, (start, count): (Ssa, Ssa), window: Ssa) {
    let arguments = t.e.add_constant(window, 8);
    let none = t.e.constant(0);
    each(t, (none, count), |t, at| {
        let v = t.e.load_indexed(start, at);
        t.e.store_indexed(v, arguments, at);
    });
}

/// Sets the words from one number to before another.
fn fill(t: &mut Translator, base: Ssa, range: (Ssa, Ssa), v: Value) {
    each(t, range, |t, at| {
        let v = t.e.constant(v.0);
        t.e.store_indexed(v, base, at);
    });
}

/// A loop over the numbers from the first to before the end.
fn each(t: &mut Translator, (first, end): (Ssa, Ssa), turn: impl FnOnce(&mut Translator, Ssa)) {
    let (head, body, done) = (t.e.block_like_this(), t.e.block_like_this(), t.e.block_like_this());
    let at = t.e.parameter(head, Origin::Word);
    t.e.jump(head, &[first]);
    t.e.at(head);
    let is_left = t.e.compare(Condition::Below, at, end);
    t.e.branch(is_left, body, done);
    t.e.at(body);
    turn(t, at);
    let next = t.e.add_constant(at, 1);
    t.e.jump(head, &[next]);
    t.e.at(done);
}
