//! The operations that the translator emits: they build a function of [`crate::ir`].

use std::cell::Cell;

use abi::{Effects, RuntimeCall, Value};
use runtime::code::tier::Position;

use crate::{
    counts::Counted,
    ir::{
        Binary, Checked, Condition, Convention, ExitState, Filled, FloatBinary, FloatCondition, Function, Holds, List,
        Op, Origin, Part, Pinned, Width,
    },
    known_words::keeps_variables,
    runtime_calls,
};

pub use crate::ir::{Block, Ssa};

/// Emits operations at the end of the current block.
pub struct Emitter {
    pub function: Function,
    current: Option<Block>,
    /// The words that are pinned to a machine register.
    pinned: [Ssa; 4],
    /// A fresh cell, see `cells`.
    pub fresh: Option<Ssa>,
    /// How many calls were emitted that end what is known of the words of objects, see [`crate::known_words`].
    pub changes: u32,
    /// With `--jit-stats`: the counters of runtime calls, and the place that is being translated.
    pub counters: Option<Vec<Counter>>,
    pub counted: String,
    /// The counters of coverage that the function increments.
    pub coverage: Vec<Counted>,
    /// The native method that the next call of the runtime runs.
    pub called: &'static str,
}

/// Counts how often compiled code calls the runtime at a place.
#[derive(Debug)]
pub struct Counter {
    pub place: String,
    /// Boxed, because machine code contains the address.
    pub count: Box<Cell<u64>>,
}

impl Emitter {
    pub fn block(&mut self) -> Block {
        self.function.blocks.push(Filled::default());
        Block(self.function.blocks.len() as u32 - 1)
    }

    /// A block that is rarely run: its code is placed after all others.
    pub fn cold_block(&mut self) -> Block {
        let block = self.block();
        self.function.blocks[block.0 as usize].is_cold = true;
        block
    }

    /// A block that is run as rarely as the current one.
    pub fn block_like_this(&mut self) -> Block {
        if self.is_cold() { self.cold_block() } else { self.block() }
    }

    /// Is the current block a cold one?
    pub fn is_cold(&self) -> bool {
        self.current.is_some_and(|block| self.function.block(block).is_cold)
    }

    /// A block that leaves compiled code by an exit, which does what `state` says. The second part of the result is the
    /// exit's number.
    pub fn exit_block(&mut self, state: ExitState) -> (Block, u32) {
        let block = self.cold_block();
        let number = self.function.exits.len() as u32;
        self.function.exits.push(state);
        self.function.blocks[block.0 as usize].exit = Some(number);
        (block, number)
    }

    /// A block with one parameter, a word.
    pub fn join(&mut self) -> (Block, Ssa) {
        let block = self.block();
        let value = self.parameter(block, Origin::Word);
        (block, value)
    }

    /// Adds a parameter to a block.
    pub fn parameter(&mut self, block: Block, origin: Origin) -> Ssa {
        let value = self.value(origin);
        self.function.blocks[block.0 as usize].parameters.push(value);
        value
    }

    fn value(&mut self, origin: Origin) -> Ssa {
        self.function.values.push(origin);
        Ssa(self.function.values.len() as u32 - 1)
    }

    pub fn new() -> Emitter {
        let mut e = Emitter {
            function: Function::default(),
            current: None,
            pinned: [Ssa(0); 4],
            fresh: None,
            changes: 0,
            counters: None,
            counted: String::new(),
            coverage: Vec::new(),
            called: "",
        };
        let pinned = [Pinned::Context, Pinned::Base, Pinned::Root, Pinned::StackPointer];
        e.pinned = pinned.map(|pinned| e.value(Origin::Pinned(pinned, 0)));
        e
    }

    /// A word that is pinned to a machine register.
    pub fn pinned(&self, pinned: Pinned) -> Ssa {
        self.pinned[pinned as usize]
    }

    /// Continues in a block that has no operations so far. The block before it must be complete.
    pub fn at(&mut self, block: Block) {
        debug_assert!(self.current.is_none(), "the block before is not complete");
        let at = self.function.ops.len() as u32;
        let filled = &mut self.function.blocks[block.0 as usize];
        debug_assert!(filled.end == 0 && filled.exit.is_none(), "a block is filled once");
        filled.start = at;
        self.function.order.push(block);
        self.current = Some(block);
    }

    /// The operations that follow belong to the instruction at a position.
    pub fn mark(&mut self, position: Position) {
        self.function.marks.push((self.function.ops.len() as u32, position));
    }

    fn emit(&mut self, op: Op) {
        let Some(current) = self.current else { unreachable!("operations belong to a block") };
        if let Op::Call { convention, .. } = op {
            self.fresh = None;
            let keeps = matches!(convention, Convention::C(call) if keeps_variables(call));
            self.changes += u32::from(!keeps || !self.is_cold());
        }
        // Without memory, the method is not compiled.
        memory::reserve(&mut self.function.ops, 1);
        self.function.ops.push(op);
        self.function.blocks[current.0 as usize].end = self.function.ops.len() as u32;
        if op.is_terminator() {
            self.current = None;
        }
    }

    fn word(&mut self, op: impl FnOnce(Ssa) -> Op) -> Ssa {
        let to = self.value(Origin::Word);
        self.emit(op(to));
        to
    }

    fn double(&mut self, op: impl FnOnce(Ssa) -> Op) -> Ssa {
        let to = self.value(Origin::Double);
        self.emit(op(to));
        to
    }

    fn list(&mut self, values: &[Ssa]) -> List {
        let start = self.function.lists.len() as u32;
        self.function.lists.extend(values);
        List { start, len: values.len() as u32 }
    }

    pub fn constant(&mut self, bits: u64) -> Ssa {
        self.value(Origin::Constant(bits))
    }

    fn constant_of(&self, v: Ssa) -> Option<u64> {
        match self.function.value(v) {
            Origin::Constant(bits) => Some(bits),
            _ => None,
        }
    }

    pub fn load(&mut self, base: Ssa, offset: usize) -> Ssa {
        let (base, offset) = self.address(base, offset);
        self.word(|to| Op::Load { width: Width::Word, to, base, offset })
    }

    pub fn load32(&mut self, base: Ssa, offset: usize) -> Ssa {
        let (base, offset) = self.address(base, offset);
        self.word(|to| Op::Load { width: Width::Half, to, base, offset })
    }

    /// A byte as a word.
    pub fn load_byte(&mut self, base: Ssa, index: Ssa) -> Ssa {
        self.word(|to| Op::LoadByte { to, base, index })
    }

    pub fn store(&mut self, value: Ssa, base: Ssa, offset: usize) {
        let (base, offset) = self.address(base, offset);
        self.emit(Op::Store { width: Width::Word, value, base, offset });
    }

    /// Stores the low half of a word.
    pub fn store32(&mut self, value: Ssa, base: Ssa, offset: usize) {
        let (base, offset) = self.address(base, offset);
        self.emit(Op::Store { width: Width::Half, value, base, offset });
    }

    /// Increments the word at an address.
    fn increment(&mut self, address: u64) {
        let [address, amount] = [address, 1].map(|bits| self.constant(bits));
        self.emit(Op::AddTo { address, amount });
    }

    /// Increments a counter of coverage.
    pub fn count_coverage(&mut self, counter: Counted) {
        let known = self.coverage.iter().position(|known| *known == counter);
        let number = known.unwrap_or(self.coverage.len());
        if known.is_none() {
            self.coverage.push(counter);
        }
        self.emit(Op::Count { counter: number as u32 });
    }

    /// Copies the image of a frame to the frame.
    pub fn copy_frame(&mut self, image: Ssa, frame: Ssa) {
        self.emit(Op::CopyFrame { image, frame });
    }

    /// Writes the unit's frame, which is open.
    pub fn write_own_frame(&mut self) {
        self.emit(Op::WriteOwnFrame);
    }

    /// Subtracts 1 from the 32 bits at an address; the exit is taken if they are 0 then.
    pub fn count_down(&mut self, address: Ssa, otherwise: Block) {
        self.emit(Op::CountDown { address, otherwise });
    }

    /// The word number `index` from `base` on.
    pub fn load_indexed(&mut self, base: Ssa, index: Ssa) -> Ssa {
        self.word(|to| Op::LoadIndexed { to, base, index })
    }

    pub fn store_indexed(&mut self, value: Ssa, base: Ssa, index: Ssa) {
        self.emit(Op::StoreIndexed { value, base, index });
    }

    /// Stores the low byte of a word at `index` bytes from `base`.
    pub fn store_byte(&mut self, value: Ssa, base: Ssa, index: Ssa) {
        self.emit(Op::StoreByte { value, base, index });
    }

    /// The write barrier for a reference that was stored in the cell `container`.
    pub fn barrier(&mut self, container: Ssa, value: Ssa) {
        self.emit(Op::Barrier { holds: Holds::InCell, container, stored: value });
    }

    /// The write barrier for a reference that was stored at `slot`, as an element of an Array.
    pub fn element_barrier(&mut self, list: Ssa, slot: Ssa) {
        self.emit(Op::Barrier { holds: Holds::AsElement, container: list, stored: slot });
    }

    /// The write barrier for a reference that was stored at `slot`, in a buffer.
    pub fn buffer_barrier(&mut self, buffer: Ssa, slot: Ssa) {
        self.emit(Op::Barrier { holds: Holds::InBuffer, container: buffer, stored: slot });
    }

    pub fn binary(&mut self, how: Binary, a: Ssa, b: Ssa) -> Ssa {
        if let (Some(x), Some(y)) = (self.constant_of(a), self.constant_of(b))
            && let Some(bits) = how.of_constants(x, y)
        {
            return self.constant(bits);
        }
        self.word(|to| Op::Binary { how, to, a, b })
    }

    /// An operator whose second operand is a constant.
    pub fn binary_constant(&mut self, how: Binary, a: Ssa, b: u64) -> Ssa {
        let b = self.constant(b);
        self.binary(how, a, b)
    }

    pub fn add(&mut self, a: Ssa, b: Ssa) -> Ssa {
        self.binary(Binary::Add, a, b)
    }

    /// A sum; the parts that are known are added at compile time.
    pub fn add_constant(&mut self, a: Ssa, b: i64) -> Ssa {
        match self.function.value(a) {
            Origin::Constant(bits) => self.constant(bits.wrapping_add(b as u64)),
            Origin::Pinned(pinned, offset) if let Ok(sum) = i32::try_from(i64::from(offset) + b) => {
                self.value(Origin::Pinned(pinned, sum))
            }
            _ if b == 0 => a,
            _ => self.binary_constant(Binary::Add, a, b as u64),
        }
    }

    /// An address as a base and a distance from it.
    fn address(&self, base: Ssa, offset: usize) -> (Ssa, i32) {
        match self.function.value(base) {
            Origin::Pinned(pinned, distance) if distance != 0 => {
                (self.pinned[pinned as usize], distance + offset as i32)
            }
            _ => (base, offset as i32),
        }
    }

    pub fn and(&mut self, a: Ssa, b: Ssa) -> Ssa {
        self.binary(Binary::And, a, b)
    }

    pub fn and_constant(&mut self, a: Ssa, b: u64) -> Ssa {
        self.binary_constant(Binary::And, a, b)
    }

    pub fn or_constant(&mut self, a: Ssa, b: u64) -> Ssa {
        self.binary_constant(Binary::Or, a, b)
    }

    /// Arithmetic shift right.
    pub fn shift_right(&mut self, a: Ssa, by: u64) -> Ssa {
        self.binary_constant(Binary::ShiftRight, a, by)
    }

    /// An operator on signed words; goes to `otherwise` if the result does not fit a signed word.
    pub fn checked(&mut self, how: Checked, a: Ssa, b: Ssa, otherwise: Block) -> Ssa {
        self.word(|to| Op::Checked { how, to, a, b, otherwise })
    }

    pub fn remainder(&mut self, a: Ssa, b: Ssa) -> Ssa {
        self.word(|to| Op::Division { part: Part::Remainder, to, a, b })
    }

    pub fn quotient(&mut self, a: Ssa, b: Ssa) -> Ssa {
        self.word(|to| Op::Division { part: Part::Quotient, to, a, b })
    }

    pub fn compare(&mut self, how: Condition, a: Ssa, b: Ssa) -> Ssa {
        if let (Some(x), Some(y)) = (self.constant_of(a), self.constant_of(b)) {
            return self.constant(u64::from(how.holds(x, y)));
        }
        self.word(|to| Op::Compare { how, to, a, b })
    }

    pub fn compare_constant(&mut self, how: Condition, a: Ssa, b: u64) -> Ssa {
        let b = self.constant(b);
        self.compare(how, a, b)
    }

    pub fn compare_floats(&mut self, how: FloatCondition, a: Ssa, b: Ssa) -> Ssa {
        self.word(|to| Op::CompareFloats { how, to, a, b })
    }

    /// Whether a word is neither false nor nil. A boolean that a comparison has just been turned into is not tested:
    /// the comparison is made again, and the boolean is not computed if nothing else uses it.
    pub fn truthy(&mut self, v: Ssa) -> Ssa {
        if let Some((how, a, b)) = self.compared_just_now(v) {
            return self.compare(how, a, b);
        }
        let rest = self.and_constant(v, !4);
        self.compare_constant(Condition::NotEqual, rest, 0)
    }

    /// The comparison of words that holds if `v` is truthy, if one of the operations just before computes `v` by it.
    /// (The operands of an earlier one would have to stay in registers for longer.)
    fn compared_just_now(&self, v: Ssa) -> Option<(Condition, Ssa, Ssa)> {
        const NEAR: usize = 8;
        let recent = &self.function.ops[self.function.ops.len().saturating_sub(NEAR)..];
        let (how, a, b, yes, no) = recent.windows(2).find_map(|pair| match pair {
            [Op::Compare { how, to, a, b }, Op::Select { to: selected, condition, a: yes, b: no }]
                if *selected == v && condition == to =>
            {
                Some((*how, *a, *b, *yes, *no))
            }
            _ => None,
        })?;
        let truthy = |v: Ssa| self.constant_of(v).map(|bits| Value(bits).truthy());
        match (truthy(yes)?, truthy(no)?) {
            (true, false) => Some((how, a, b)),
            (false, true) => Some((how.opposite(), a, b)),
            _ => None,
        }
    }

    pub fn select(&mut self, condition: Ssa, a: Ssa, b: Ssa) -> Ssa {
        self.word(|to| Op::Select { to, condition, a, b })
    }

    pub fn float_binary(&mut self, how: FloatBinary, a: Ssa, b: Ssa) -> Ssa {
        self.double(|to| Op::FloatBinary { how, to, a, b })
    }

    pub fn square_root(&mut self, a: Ssa) -> Ssa {
        self.double(|to| Op::SquareRoot { to, a })
    }

    pub fn float_of_integer(&mut self, a: Ssa) -> Ssa {
        self.double(|to| Op::FloatOfInteger { to, a })
    }

    pub fn float_constant(&mut self, x: f64) -> Ssa {
        let bits = self.constant(x.to_bits());
        self.float_of_bits(bits)
    }

    pub fn float_of_bits(&mut self, a: Ssa) -> Ssa {
        self.double(|to| Op::FloatOfBits { to, a })
    }

    pub fn bits_of_float(&mut self, a: Ssa) -> Ssa {
        self.word(|to| Op::BitsOfFloat { to, a })
    }

    /// Truncates; any word if the result does not fit one.
    pub fn integer_of_float(&mut self, a: Ssa) -> Ssa {
        self.word(|to| Op::IntegerOfFloat { to, a })
    }

    pub fn jump(&mut self, to: Block, values: &[Ssa]) {
        debug_assert_eq!(self.function.block(to).parameters.len(), values.len());
        let arguments = self.list(values);
        self.emit(Op::Jump { to, arguments });
    }

    pub fn branch(&mut self, condition: Ssa, then: Block, otherwise: Block) {
        if let Some(bits) = self.constant_of(condition) {
            return self.jump(if bits != 0 { then } else { otherwise }, &[]);
        }
        self.emit(Op::Branch { condition, then, otherwise });
    }

    /// Goes to the block of the case that equals the value.
    pub fn switch(&mut self, on: Ssa, cases: &[(u64, Block)], otherwise: Block) {
        let start = self.function.cases.len() as u32;
        self.function.cases.extend(cases);
        self.emit(Op::Switch { on, cases: List { start, len: cases.len() as u32 }, otherwise });
    }

    /// Continues if the condition holds, otherwise goes to `otherwise`.
    pub fn require(&mut self, condition: Ssa, otherwise: Block) {
        if self.constant_of(condition).is_some_and(|bits| bits != 0) {
            return;
        }
        self.emit(Op::Require { condition, otherwise });
    }

    pub fn leave(&mut self, value: Ssa, how: Ssa) {
        self.emit(Op::Return { value, how });
    }

    /// Calls the runtime; returns the results, two for a call that may raise.
    pub fn call(&mut self, call: RuntimeCall, arguments: &[Ssa]) -> Vec<Ssa> {
        self.call_instance(call, runtime_calls::address(call), arguments)
    }

    /// Calls an instance of a runtime function that is specialized for one case.
    pub fn call_instance(&mut self, call: RuntimeCall, address: usize, arguments: &[Ssa]) -> Vec<Ssa> {
        debug_assert_eq!(arguments.len(), call.parameters());
        self.count(call);
        let results = match call {
            RuntimeCall::CloseEnvironment | RuntimeCall::SetSlot => 0,
            RuntimeCall::PushInlinedFrames | RuntimeCall::WriteOpenFrames => 0,
            _ if call.effects().includes(Effects::RAISES) => 2,
            _ => 1,
        };
        let made: Vec<Ssa> = (0..results).map(|_| self.value(Origin::Word)).collect();
        let (target, arguments) = (self.constant(address as u64), self.list(arguments));
        let results = [made.first().copied(), made.get(1).copied()];
        self.emit(Op::Call { convention: Convention::C(call), target, arguments, results, passes_on: false });
        made
    }

    /// With `--jit-stats`: counts a call of the runtime.
    fn count(&mut self, call: RuntimeCall) {
        let called = std::mem::take(&mut self.called);
        let Some(counters) = &mut self.counters else { return };
        let count = Box::new(Cell::new(0));
        let address = count.as_ptr() as u64;
        counters.push(Counter { place: format!("{:<16} {} {}", call.name(), self.counted, called), count });
        self.increment(address);
    }

    /// Calls the compiled code at an address for a frame that was pushed; returns its outcome.
    pub fn call_compiled(&mut self, convention: Convention, target: Ssa) -> [Ssa; 2] {
        let made = [(); 2].map(|()| self.value(Origin::Word));
        let results = made.map(Some);
        self.emit(Op::Call { convention, target, arguments: List::default(), results, passes_on: false });
        made
    }

    /// Returns from the function with the two results of the call that was emitted last, unless the second is 0.
    pub fn pass_on_unless_zero(&mut self) {
        let Some(Op::Call { passes_on, .. }) = self.function.ops.last_mut() else {
            unreachable!("only the results of a call are passed on")
        };
        *passes_on = true;
    }
}
