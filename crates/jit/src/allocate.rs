//! Register allocation: one place for each value, by a linear scan over the operations.
//!
//! A value is in one register, or in one slot of the native stack, from its definition to its last use. An operation
//! with number n reads its operands at position 2n and writes its results at position 2n + 1, so that a result may take
//! the register of an operand whose last use this is. A backward jump extends the live ranges of values that are alive
//! at its target.
//!
//! The scan is that of M. Poletto and V. Sarkar, "Linear Scan Register Allocation" (1999).

use crate::ir::{Binary, Block, Condition, Function, Op, Origin, Ssa, Width};

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The value is not in memory or a register: nothing reads it, or its users compute it.
    Nowhere,
    /// A register, by its number. Words and doubles have registers of their own.
    Register(u8),
    /// A slot of the native frame.
    Stack(u16),
}

/// The registers that may be assigned to values, as sets of bits.
#[derive(Clone, Copy)]
pub struct Registers {
    /// For words: registers that calls preserve, and registers that they change.
    pub kept: u32,
    pub changed: u32,
    /// For doubles; calls change them all.
    pub doubles: u32,
}

pub struct Allocation {
    pub places: Vec<Place>,
    /// The operation that defines a value, by its number.
    pub definitions: Vec<u32>,
    /// How each operation is emitted.
    pub fates: Vec<Fate>,
    /// The calls in cold blocks: the number of each, and the values whose registers it must save.
    pub saved: Vec<(u32, Vec<Ssa>)>,
    /// The slots of the native frame; for each, whether it is written before the function calls anything.
    pub slots: Vec<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    Emitted,
    /// Its only user, the next operation, emits it as a part of itself.
    Folded,
    /// No needed operation reads its result.
    Dead,
}

const NEVER: u32 = u32::MAX;

struct Scan<'a> {
    function: &'a Function,
    registers: Registers,
    fates: Vec<Fate>,
    /// For each value: whether an operation that is not dead reads it.
    needed: Vec<bool>,
    start: Vec<u32>,
    end: Vec<u32>,
    places: Vec<Place>,
    definitions: Vec<u32>,
    /// The cost of having a value on the stack: the number of its uses; those in loops count more, those in cold blocks
    /// not at all.
    weights: Vec<f32>,
    /// The heads of loops and the jumps back to them, by position.
    loops: Vec<(u32, u32)>,
    /// Positions of calls outside of cold blocks.
    calls: Vec<u32>,
    /// Values in registers, alive at the current position.
    words: Active,
    doubles: Active,
    saved: Vec<(u32, Vec<Ssa>)>,
    /// The position where each slot becomes free.
    slots: Vec<u32>,
}

#[derive(Default)]
struct Active {
    values: Vec<Ssa>,
    taken: u32,
}

/// A value that leaves its register gets a new slot while there are fewer than these: no search for a free one is
/// needed. Large functions would have frames of several hundred kilobytes without one.
const FEW: usize = 256;

/// Gives each value of a function its place; `None` if that takes too many slots.
pub fn allocate(function: &Function, registers: Registers) -> Option<Allocation> {
    let count = function.values.len();
    let mut scan = Scan {
        function,
        registers,
        fates: vec![Fate::Emitted; function.ops.len()],
        needed: needed(function),
        start: vec![NEVER; count],
        end: vec![0; count],
        places: vec![Place::Nowhere; count],
        definitions: vec![NEVER; count],
        weights: vec![0.0; count],
        loops: Vec::new(),
        calls: Vec::new(),
        words: Active::default(),
        doubles: Active::default(),
        saved: Vec::new(),
        slots: Vec::new(),
    };
    scan.decide_fates();
    scan.find_loops();
    scan.find_intervals();
    scan.lengthen_over_loops();
    scan.run();
    u16::try_from(scan.slots.len()).ok()?;
    Some(Allocation {
        slots: scan.slots_written_at_first(),
        places: scan.places,
        definitions: scan.definitions,
        fates: scan.fates,
        saved: scan.saved,
    })
}

impl Scan<'_> {
    /// Decides which operations are dead, and which are emitted as a part of the next one.
    fn decide_fates(&mut self) {
        let function = self.function;
        let mut uses = vec![0u32; function.values.len()];
        for (n, op) in function.ops.iter().enumerate() {
            if is_needed(op, &self.needed) {
                needs(function, op, &self.needed, |v| uses[v.0 as usize] += 1);
            } else {
                self.fates[n] = Fate::Dead;
            }
        }
        for block in &function.order {
            let filled = function.block(*block);
            let mut next: Option<usize> = None;
            for n in (filled.start as usize..filled.end as usize).rev() {
                if self.fates[n] == Fate::Dead {
                    continue;
                }
                if let (Some(next), [Some(v), None]) = (next, function.ops[n].results())
                    && uses[v.0 as usize] == 1
                    && folds(function, &function.ops[n], v, &function.ops[next])
                {
                    self.fates[n] = Fate::Folded;
                }
                next = Some(n);
            }
        }
    }

    fn find_loops(&mut self) {
        let function = self.function;
        for (n, op) in function.ops.iter().enumerate() {
            function.targets(op, |block: Block| {
                let filled = function.block(block);
                if filled.exit.is_none() && filled.start as usize <= n {
                    self.loops.push((2 * filled.start, 2 * n as u32 + 1));
                }
            });
        }
    }

    fn find_intervals(&mut self) {
        let function = self.function;
        for block in &function.order {
            let filled = function.block(*block);
            let depth = self.loops.iter().filter(|(head, back)| *head <= 2 * filled.start && 2 * filled.start < *back);
            let weight = if filled.is_cold { 0.0 } else { 8f32.powi(depth.count().min(6) as i32) };
            for v in &filled.parameters {
                // A jump to this block writes its parameters. At that position only values are alive that are alive in
                // this block.
                self.start[v.0 as usize] = (2 * filled.start).saturating_sub(1);
                self.end[v.0 as usize] = self.start[v.0 as usize];
            }
            let mut folded = filled.start;
            for n in filled.start..filled.end {
                let op = &function.ops[n as usize];
                if self.fates[n as usize] == Fate::Dead {
                    folded += u32::from(folded == n);
                    continue;
                }
                if let [Some(v), _] = op.results() {
                    self.definitions[v.0 as usize] = n;
                }
                if self.fates[n as usize] == Fate::Folded {
                    continue;
                }
                // The operation reads its operands together with those of the operations folded into it.
                for part in folded..=n {
                    if self.fates[part as usize] != Fate::Dead {
                        self.note_uses(part, n, weight);
                    }
                }
                folded = n + 1;
                for v in op.results().into_iter().flatten() {
                    self.weights[v.0 as usize] += weight;
                    self.start[v.0 as usize] = 2 * n + 1;
                    self.end[v.0 as usize] = self.end[v.0 as usize].max(2 * n + 1);
                }
                if matches!(op, Op::Call { .. }) && !filled.is_cold {
                    self.calls.push(2 * n);
                }
            }
        }
    }

    fn note_uses(&mut self, part: u32, at: u32, weight: f32) {
        let (function, op) = (self.function, &self.function.ops[part as usize]);
        let (end, weights) = (&mut self.end, &mut self.weights);
        let mut note = |v: Ssa, position: u32| end[v.0 as usize] = end[v.0 as usize].max(position);
        read(function, op, &self.needed, |v| {
            weights[v.0 as usize] += weight;
            note(v, 2 * at);
        });
        if let Op::Jump { to, .. } = *op {
            // The jump moves values to the parameters of the block.
            function.block(to).parameters.iter().for_each(|v| weights[v.0 as usize] += weight);
        }
        // An exit is taken after a checked operator has written its result.
        function.exit_values(op, |v| note(v, 2 * at + 1));
    }

    /// A value that is alive at the target of a backward jump stays alive until that jump.
    fn lengthen_over_loops(&mut self) {
        // The jump writes the parameters of the head, so their live ranges are not extended.
        let is_alive_at = |start: u32, end: u32, head: u32| start + 1 < head && end >= head;
        let mut heads: Vec<u32> = self.loops.iter().map(|(head, _)| *head).collect();
        heads.sort_unstable();
        let mut crossing: Vec<(u32, &mut u32)> = Vec::new();
        for (start, end) in self.start.iter().zip(&mut self.end).filter(|(start, _)| **start != NEVER) {
            let next = heads.get(heads.partition_point(|head| *head <= *start + 1));
            if next.is_some_and(|head| is_alive_at(*start, *end, *head)) {
                crossing.push((*start, end));
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (head, back) in &self.loops {
                for (start, end) in &mut crossing {
                    if is_alive_at(*start, **end, *head) && **end < *back {
                        **end = *back;
                        changed = true;
                    }
                }
            }
        }
    }

    fn run(&mut self) {
        let function = self.function;
        for block in &function.order {
            let filled = function.block(*block);
            for v in &filled.parameters {
                self.place(*v, None);
            }
            for n in filled.start..filled.end {
                if self.fates[n as usize] != Fate::Emitted {
                    continue;
                }
                let op = &function.ops[n as usize];
                if matches!(op, Op::Call { .. }) && filled.is_cold {
                    self.note_saved(n);
                }
                let mut first = None;
                function.operands(op, |v| first = first.or(Some(v)));
                for v in op.results().into_iter().flatten() {
                    self.place(v, first);
                }
            }
        }
    }

    /// For each slot, whether it is written on the way from the entry, as far as that does not branch, and before a
    /// call on it. Exits and cold blocks are not taken for branches: what runs often does not go there.
    fn slots_written_at_first(&self) -> Vec<bool> {
        let function = self.function;
        let mut written = vec![false; self.slots.len()];
        let mut write = |v: &Ssa| {
            if let Place::Stack(slot) = self.places[v.0 as usize] {
                written[slot as usize] = true;
            }
        };
        let mut next = Some(function.order[0]);
        let mut visited = Vec::new();
        while let Some(block) = next.take().filter(|block| !visited.contains(block)) {
            visited.push(block);
            let filled = function.block(block);
            filled.parameters.iter().for_each(&mut write);
            for n in filled.start..filled.end {
                let op = &function.ops[n as usize];
                if self.fates[n as usize] == Fate::Dead {
                    continue;
                }
                if matches!(op, Op::Call { .. }) {
                    return written;
                }
                op.results().iter().flatten().for_each(&mut write);
                if op.is_terminator() {
                    let mut hot = Vec::new();
                    function.targets(op, |block| {
                        let target = function.block(block);
                        if target.exit.is_none() && !target.is_cold {
                            hot.push(block);
                        }
                    });
                    next = (hot.len() == 1).then(|| hot[0]);
                }
            }
        }
        written
    }

    /// Records the values in registers that a call in a cold block changes and that are needed after the call.
    fn note_saved(&mut self, n: u32) {
        let is_kept = |place: Place| matches!(place, Place::Register(r) if self.registers.kept & 1 << r != 0);
        let lives = |v: &&Ssa| self.end[v.0 as usize] > 2 * n;
        let words = self.words.values.iter().filter(|v| !is_kept(self.places[v.0 as usize]));
        let saved = words.chain(&self.doubles.values).filter(lives).copied().collect();
        self.saved.push((n, saved));
    }

    /// Assigns a value its place; `near` is a value whose register is preferred.
    fn place(&mut self, v: Ssa, near: Option<Ssa>) {
        let (start, end) = (self.start[v.0 as usize], self.end[v.0 as usize]);
        if start == NEVER || end <= start {
            return;
        }
        let is_double = self.function.value(v) == Origin::Double;
        let first_call = self.calls.partition_point(|call| *call < start);
        let crosses = self.calls.get(first_call).is_some_and(|call| *call < end);
        let Registers { kept, changed, doubles } = self.registers;
        let allowed = match (is_double, crosses) {
            (true, true) => 0,
            (true, false) => doubles,
            (false, true) => kept,
            (false, false) => kept | changed,
        };
        let active = if is_double { &mut self.doubles } else { &mut self.words };
        let (ends, places) = (&self.end, &mut self.places);
        active.values.retain(|other| {
            let lives = ends[other.0 as usize] >= start;
            if let (false, Place::Register(r)) = (lives, places[other.0 as usize]) {
                active.taken &= !(1 << r);
            }
            lives
        });
        let free = allowed & !active.taken;
        let wanted = near.and_then(|near| match places[near.0 as usize] {
            Place::Register(r) if free & 1 << r != 0 && (self.function.value(near) == Origin::Double) == is_double => {
                Some(r)
            }
            _ => None,
        });
        // Registers that calls preserve are left to values that are alive across a call.
        let spare = if free & changed != 0 && !is_double { free & changed } else { free };
        let register = wanted.or((spare != 0).then(|| spare.trailing_zeros() as u8));
        if let Some(register) = register {
            active.taken |= 1 << register;
            active.values.push(v);
            places[v.0 as usize] = Place::Register(register);
            return;
        }
        // The value that costs least on the stack is moved there, for its whole live range.
        let held = |other: Ssa, places: &[Place]| match places[other.0 as usize] {
            Place::Register(r) if allowed & 1 << r != 0 => Some(r),
            _ => None,
        };
        let (starts, weights) = (&self.start, &self.weights);
        let cost = |v: Ssa| weights[v.0 as usize] / (ends[v.0 as usize] - starts[v.0 as usize]) as f32;
        let cheapest = (0..active.values.len())
            .filter(|n| held(active.values[*n], places).is_some())
            .min_by(|a, b| cost(active.values[*a]).total_cmp(&cost(active.values[*b])));
        if let Some(n) = cheapest
            && let other = active.values[n]
            && cost(other) < cost(v)
            && let Some(register) = held(other, places)
        {
            active.values[n] = v;
            places[v.0 as usize] = Place::Register(register);
            let slot = if self.slots.len() < FEW { None } else { self.free_slot(self.start[other.0 as usize]) };
            self.put_in_slot(other, slot);
            return;
        }
        self.put_in_slot(v, self.free_slot(start));
    }

    /// A slot that no value has needed since a position.
    fn free_slot(&self, since: u32) -> Option<usize> {
        self.slots.iter().position(|free_from| *free_from < since)
    }

    /// Assigns a value a slot, or a new one.
    fn put_in_slot(&mut self, v: Ssa, slot: Option<usize>) {
        let slot = slot.unwrap_or(self.slots.len());
        if slot == self.slots.len() {
            self.slots.push(0);
        }
        self.slots[slot] = self.end[v.0 as usize];
        self.places[v.0 as usize] = Place::Stack(slot as u16);
    }
}

/// Computes which values are needed: those that operations with an effect read, and those that a needed value is
/// computed from. A value that a loop only passes on to its next turn is not needed.
fn needed(function: &Function) -> Vec<bool> {
    let (mut needed, mut found) = (vec![false; function.values.len()], Vec::new());
    let mut is_done = vec![false; function.ops.len()];
    loop {
        let mut changed = false;
        for (n, op) in function.ops.iter().enumerate().rev() {
            if !is_done[n] && is_needed(op, &needed) {
                // What a jump reads depends on the parameters that are needed.
                is_done[n] = !matches!(op, Op::Jump { .. });
                needs(function, op, &needed, |v| found.push(v));
                for v in found.drain(..) {
                    changed |= !std::mem::replace(&mut needed[v.0 as usize], true);
                }
            }
        }
        if !changed {
            return needed;
        }
    }
}

/// Has the operation an effect, or a result that is needed?
fn is_needed(op: &Op, needed: &[bool]) -> bool {
    op.has_effect() || op.results().into_iter().flatten().any(|v| needed[v.0 as usize])
}

/// The values that an operation reads. A jump reads those for parameters that are needed.
fn read(function: &Function, op: &Op, needed: &[bool], mut f: impl FnMut(Ssa)) {
    match *op {
        Op::Jump { to, arguments } => {
            let parameters = &function.block(to).parameters;
            let passed = function.list(arguments).iter().zip(parameters);
            passed.filter(|(_, parameter)| needed[parameter.0 as usize]).for_each(|(v, _)| f(*v));
        }
        _ => function.operands(op, f),
    }
}

/// The values that an operation reads, and those that its exits read.
fn needs(function: &Function, op: &Op, needed: &[bool], mut f: impl FnMut(Ssa)) {
    read(function, op, needed, &mut f);
    function.exit_values(op, f);
}

/// Can an operation that defines `v` be emitted as a part of the next one, its only user?
fn folds(function: &Function, op: &Op, v: Ssa, next: &Op) -> bool {
    let is_small = |v: Ssa| function.constant(v).is_some_and(|bits| i32::try_from(bits as i64).is_ok());
    let is_condition = match next {
        Op::Require { condition, .. } | Op::Branch { condition, .. } => *condition == v,
        Op::Select { condition, a, b, .. } => *condition == v && *a != v && *b != v,
        _ => false,
    };
    match *op {
        Op::Compare { .. } | Op::CompareFloats { .. } => is_condition,
        Op::Binary { how: Binary::And, .. } => is_condition || is_test(function, v, next),
        Op::Load { width, base, .. } => match *next {
            Op::Compare { how, a, b, .. } if a == v && b != v => match width {
                Width::Word => function.constant(b).is_none() || is_small(b),
                // The load sets the upper half to 0, but a comparison of the lower half does not test the upper half.
                Width::Half => {
                    matches!(how, Condition::Equal | Condition::NotEqual)
                        && function.constant(b).is_some_and(|bits| u32::try_from(bits).is_ok())
                }
            },
            Op::Require { condition, .. } | Op::Branch { condition, .. } => condition == v,
            Op::Call { target, arguments, .. } => {
                target == v && function.constant(base).is_some() && !function.list(arguments).contains(&v)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Is it a comparison of `v` with 0 that can be a test of bits?
fn is_test(function: &Function, v: Ssa, next: &Op) -> bool {
    matches!(*next, Op::Compare { how: Condition::Equal | Condition::NotEqual, a, b, .. }
        if a == v && b != v && function.constant(b) == Some(0))
}
