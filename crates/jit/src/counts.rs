//! Joins the increments of coverage's counters.
//!
//! The translator emits a [`Op::Count`] where the bytecode counts. This pass delays counts until something may read the
//! counters: a call that may raise or run Ruby, a return, or an exit. Counts that are still delayed there become one
//! addition to a *joint counter*, which stands for all of them ([`runtime::counters::Counters::joint`]). An exit adds
//! its counts itself, so that guards cost nothing.
//!
//! A loop without such a call on its usual path delays what each turn counts until the loop is left: the head gets the
//! number of *turns* as a parameter, which is added to the joint counter of a turn where the loop is left. So a loop
//! increments a register instead of memory.
//!
//! At a block that several blocks go to, the counts that all usual ways to it have in common stay delayed. The ways of
//! cold blocks, in which counts were added before a call, subtract these again. Turns that a cold way does not know
//! become a parameter, for which it passes 0.
//!
//! **Invariant:** at each operation, a counter in memory is less than its true count by exactly what is [`Pending`].

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use abi::Effects;
use runtime::{code::exits::Exit, counters::Counters};

use crate::ir::{Binary, Block, Convention, ExitState, Filled, Function, List, Op, Origin, Ssa};

/// A counter of coverage.
#[derive(Clone)]
pub struct Counted {
    pub source: Arc<Counters>,
    pub counter: u32,
}

impl PartialEq for Counted {
    fn eq(&self, other: &Counted) -> bool {
        Arc::ptr_eq(&self.source, &other.source) && self.counter == other.counter
    }
}

/// Replaces the counts of a function. `coverage`: the counters by their numbers in the function; `exits`: its exits.
pub fn join(function: &mut Function, coverage: &[Counted], exits: &mut Vec<Exit>) {
    if coverage.is_empty() {
        return;
    }
    let mut pass = Pass::new(std::mem::take(function), exits);
    pass.run();
    *function = pass.finish(coverage);
}

/// Counters by their numbers in the function, sorted; a counter that is incremented several times is repeated.
type Set = Vec<u32>;

/// What the counters in memory lack.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Pending {
    once: Set,
    /// The loops whose turns are not added yet, by their numbers, with the value that is to be added.
    turns: Vec<(usize, Ssa)>,
}

impl Pending {
    fn is_empty(&self) -> bool {
        self.once.is_empty() && self.turns.is_empty()
    }

    /// The turns of a loop.
    fn turns_of(&self, number: usize) -> Option<Ssa> {
        self.turns.iter().find(|(other, _)| *other == number).map(|(_, count)| *count)
    }
}

/// The head of a loop.
#[derive(Clone, Default)]
struct Head {
    pending: Pending,
    /// The loop's number if it counts its turns.
    own: Option<usize>,
    /// The loops whose turns are parameters, in their order.
    passed: Vec<usize>,
}

/// An addition to counters.
#[derive(Clone)]
enum Add {
    Once(Set),
    /// The reverse of it.
    Without(Set),
    Turns(usize, Ssa),
    WithoutTurns(usize, Ssa),
}

/// An operation of the result.
enum Item {
    /// An operation, and its number before the pass if it had one.
    Op(Op, Option<u32>),
    Add(Add),
}

/// A way to a block.
struct Edge {
    from: Block,
    /// The number of the item that goes there.
    item: usize,
    /// Which of the operation's targets it is.
    target: usize,
    pending: Pending,
    /// The numbers of turns that are computed on all ways to here.
    available: FxHashSet<Ssa>,
}

struct Pass<'a> {
    function: Function,
    exits: &'a mut Vec<Exit>,
    items: FxHashMap<Block, Vec<Item>>,
    /// Blocks that were inserted after a block.
    inserted: FxHashMap<Block, Vec<Block>>,
    /// The ways to blocks that are not reached yet.
    edges: FxHashMap<Block, Vec<Edge>>,
    heads: FxHashMap<Block, Head>,
    /// What a turn of each loop counts; `None` until the end of a turn is reached.
    turns: Vec<Option<Set>>,
    /// Exits that add what is pending, by the exit that they are copies of.
    copies: FxHashMap<(u32, Pending), Block>,
    /// For each copy, what it adds.
    added: Vec<(u32, Pending)>,
    /// The blocks that are jumped to from a later place, with the numbers of these jumps.
    back: FxHashMap<Block, Vec<u32>>,
    /// The blocks from which each block is reached.
    before: FxHashMap<Block, Vec<Block>>,
    /// Blocks, but for cold ones, with an operation before which nothing may be pending.
    barriers: FxHashSet<Block>,
}

impl<'a> Pass<'a> {
    fn new(function: Function, exits: &'a mut Vec<Exit>) -> Pass<'a> {
        let mut back: FxHashMap<Block, Vec<u32>> = FxHashMap::default();
        let mut before: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
        let mut barriers = FxHashSet::default();
        for block in &function.order {
            let filled = function.block(*block);
            for n in filled.start..filled.end {
                let op = &function.ops[n as usize];
                function.targets(op, |to| {
                    let target = function.block(to);
                    before.entry(to).or_default().push(*block);
                    if target.exit.is_none() && target.start <= n {
                        back.entry(to).or_default().push(n);
                    }
                });
                if !filled.is_cold && may_read(op) {
                    barriers.insert(*block);
                }
            }
        }
        Pass {
            function,
            exits,
            items: FxHashMap::default(),
            inserted: FxHashMap::default(),
            edges: FxHashMap::default(),
            heads: FxHashMap::default(),
            turns: Vec::new(),
            copies: FxHashMap::default(),
            added: Vec::new(),
            back,
            before,
            barriers,
        }
    }

    fn run(&mut self) {
        for block in self.function.order.clone() {
            let (pending, available) = self.begin(block);
            self.block(block, pending, available);
        }
    }

    /// Decides what is pending at the beginning of a block, and brings the ways to it in line with that.
    fn begin(&mut self, block: Block) -> (Pending, FxHashSet<Ssa>) {
        let edges = self.edges.remove(&block).unwrap_or_default();
        let mut available = edges.first().map(|edge| edge.available.clone()).unwrap_or_default();
        edges.iter().for_each(|edge| available.retain(|count| edge.available.contains(count)));
        let is_head = self.back.contains_key(&block);
        let counts_turns = is_head && self.can_count_turns(block, &edges);
        let mut head = Head::default();
        if !is_head || counts_turns {
            head.pending = self.in_common(block, &edges);
        }
        if counts_turns {
            // Turns of a loop before this one are added here: they would take a register in this one.
            head.pending.turns.clear();
            let own = self.turns.len();
            self.turns.push(None);
            head.own = Some(own);
            head.pending.turns.push((own, Ssa(u32::MAX)));
        }
        let takes_parameters = counts_turns || !is_head && edges.iter().all(|edge| self.is_jump(edge));
        for (number, count) in std::mem::take(&mut head.pending.turns) {
            let agrees = |edge: &Edge| edge.pending.turns_of(number).is_none_or(|other| other == count);
            let same = available.contains(&count) && edges.iter().all(agrees);
            let count = match (same, takes_parameters) {
                (true, _) => count,
                (false, true) => {
                    head.passed.push(number);
                    self.add_parameter(block, &edges, number)
                }
                (false, false) => continue,
            };
            available.insert(count);
            head.pending.turns.push((number, count));
        }
        for edge in edges {
            self.go(edge, block, &head);
        }
        if is_head {
            self.heads.insert(block, head.clone());
        }
        (head.pending, available)
    }

    /// What is pending on all usual ways to a block.
    fn in_common(&self, block: Block, edges: &[Edge]) -> Pending {
        let is_usual = |edge: &&Edge| !self.function.block(edge.from).is_cold;
        let has_usual = !self.function.block(block).is_cold && edges.iter().any(|edge| is_usual(&edge));
        let mut decisive = edges.iter().filter(|edge| !has_usual || is_usual(edge));
        let Some(first) = decisive.next() else { return Pending::default() };
        let mut pending = first.pending.clone();
        for edge in decisive {
            pending.once = split(&pending.once, &edge.pending.once).0;
            pending.turns.retain(|(turns, _)| edge.pending.turns_of(*turns).is_some());
        }
        pending
    }

    fn is_jump(&self, edge: &Edge) -> bool {
        matches!(self.items[&edge.from][edge.item], Item::Op(Op::Jump { .. }, _))
    }

    /// Can the head of a loop count its turns? All ways to it are jumps, which pass parameters, and nothing reads the
    /// counters on the usual way back.
    fn can_count_turns(&self, head: Block, edges: &[Edge]) -> bool {
        let backs = &self.back[&head];
        let usual = backs.iter().map(|n| self.block_of(*n)).filter(|from| !self.function.block(*from).is_cold);
        let usual: Vec<Block> = usual.collect();
        edges.iter().all(|edge| self.is_jump(edge))
            && !self.function.block(head).is_cold
            && backs.iter().all(|n| matches!(self.function.ops[*n as usize], Op::Jump { .. }))
            && !usual.is_empty()
            && !self.may_read_in_turn(head, usual)
    }

    /// May something read the counters on the ways from the head of a loop to the ends of its turns, or is a loop on
    /// them? Then the number of turns would not be worth a register. Cold blocks are left out.
    fn may_read_in_turn(&self, head: Block, mut ends: Vec<Block>) -> bool {
        let mut seen = FxHashSet::from_iter([head]);
        while let Some(block) = ends.pop() {
            if self.barriers.contains(&block) || block != head && self.back.contains_key(&block) {
                return true;
            }
            if seen.insert(block) {
                let before = self.before.get(&block).into_iter().flatten();
                ends.extend(before.filter(|from| !self.function.block(**from).is_cold));
            }
        }
        false
    }

    /// The block of an operation.
    fn block_of(&self, n: u32) -> Block {
        let order = &self.function.order;
        order[order.partition_point(|block| self.function.block(*block).start <= n) - 1]
    }

    /// Gives a block a parameter: the turns of a loop that are not added yet.
    fn add_parameter(&mut self, block: Block, edges: &[Edge], number: usize) -> Ssa {
        let count = self.value(Origin::Word);
        self.function.blocks[block.0 as usize].parameters.push(count);
        for edge in edges {
            let passed = edge.pending.turns_of(number).unwrap_or_else(|| self.value(Origin::Constant(0)));
            self.pass(edge.from, passed);
        }
        count
    }

    /// Adds an argument to the jump at the end of a block.
    fn pass(&mut self, from: Block, v: Ssa) {
        let last = self.items.get_mut(&from).and_then(|items| items.last_mut());
        if let Some(Item::Op(Op::Jump { arguments, .. }, _)) = last {
            let mut passed = self.function.list(*arguments).to_vec();
            passed.push(v);
            *arguments = List { start: self.function.lists.len() as u32, len: passed.len() as u32 };
            self.function.lists.extend(passed);
        }
    }

    fn value(&mut self, origin: Origin) -> Ssa {
        self.function.values.push(origin);
        Ssa(self.function.values.len() as u32 - 1)
    }

    /// Takes over the operations of a block.
    fn block(&mut self, block: Block, mut pending: Pending, available: FxHashSet<Ssa>) {
        let Filled { start, end, .. } = *self.function.block(block);
        self.items.insert(block, Vec::new());
        for n in start..end {
            let op = self.function.ops[n as usize];
            if let Op::Count { counter } = op {
                let place = pending.once.partition_point(|other| *other < counter);
                pending.once.insert(place, counter);
                continue;
            }
            if may_read(&op) {
                let place = self.before(block, &op);
                let adds = difference(&std::mem::take(&mut pending), &Pending::default());
                self.insert(block, place, adds);
            }
            let item = self.push(block, Item::Op(op, Some(n)));
            let mut targets = Vec::new();
            self.function.targets(&op, |to| targets.push(to));
            for (target, to) in targets.into_iter().enumerate() {
                let edge = Edge { from: block, item, target, pending: pending.clone(), available: available.clone() };
                match self.function.block(to).exit {
                    Some(exit) if !pending.is_empty() => {
                        let copy = self.exit(exit, &pending);
                        self.retarget(&edge, copy);
                    }
                    Some(_) => {}
                    None if self.function.block(to).start <= n => self.go_back(edge, to),
                    None => self.edges.entry(to).or_default().push(edge),
                }
            }
        }
    }

    /// The number of the item before which counts are added for an operation that comes next. A load of a call's
    /// address stays beside the call.
    fn before(&self, block: Block, op: &Op) -> usize {
        let items = &self.items[&block];
        match (op, items.last()) {
            (Op::Call { target, .. }, Some(Item::Op(Op::Load { to, .. }, _))) if to == target => items.len() - 1,
            _ => items.len(),
        }
    }

    fn push(&mut self, block: Block, item: Item) -> usize {
        let items = self.items.entry(block).or_default();
        items.push(item);
        items.len() - 1
    }

    fn insert(&mut self, block: Block, place: usize, adds: Vec<Add>) {
        if let Some(items) = self.items.get_mut(&block) {
            items.splice(place..place, adds.into_iter().map(Item::Add));
        }
    }

    /// Goes back to the head of a loop.
    fn go_back(&mut self, mut edge: Edge, to: Block) {
        let head = self.heads[&to].clone();
        for number in &head.passed {
            let waiting = edge.pending.turns_of(*number);
            let next = if head.own == Some(*number) {
                self.next_turn(&mut edge, *number, waiting, &head.pending.once)
            } else {
                waiting.unwrap_or_else(|| self.value(Origin::Constant(0)))
            };
            self.pass(edge.from, next);
        }
        edge.item = self.items[&edge.from].len() - 1;
        self.go(edge, to, &head);
    }

    /// The number of turns after one, which is `waiting` if no turn was added; takes what a turn counts from what is
    /// pending.
    fn next_turn(&mut self, edge: &mut Edge, number: usize, waiting: Option<Ssa>, at_head: &[u32]) -> Ssa {
        let (_, turn, _) = split(&edge.pending.once, at_head);
        let each = &mut self.turns[number];
        if !self.function.block(edge.from).is_cold {
            each.get_or_insert_with(|| turn.clone());
        }
        let is_turn = each.as_ref() == Some(&turn);
        if is_turn {
            edge.pending.once = split(&edge.pending.once, &turn).1;
        }
        match waiting {
            Some(count) if is_turn => {
                let (next, one) = (self.value(Origin::Word), self.value(Origin::Constant(1)));
                let add = Op::Binary { how: Binary::Add, to: next, a: count, b: one };
                let items = self.items.entry(edge.from).or_default();
                items.insert(items.len() - 1, Item::Op(add, None));
                next
            }
            Some(count) => count,
            None => self.value(Origin::Constant(u64::from(is_turn))),
        }
    }

    /// Brings a way to a block in line with what is pending there.
    fn go(&mut self, mut edge: Edge, to: Block, at: &Head) {
        let mut expected = at.pending.clone();
        for pending in [&mut expected, &mut edge.pending] {
            pending.turns.retain(|(number, _)| !at.passed.contains(number));
        }
        let adds = difference(&edge.pending, &expected);
        if adds.is_empty() {
            return;
        }
        if matches!(self.items[&edge.from][edge.item], Item::Op(Op::Jump { .. }, _)) {
            let place = self.items[&edge.from].len() - 1;
            return self.insert(edge.from, place, adds);
        }
        let between = self.new_block(self.function.block(to).is_cold || self.function.block(edge.from).is_cold);
        self.inserted.entry(edge.from).or_default().push(between);
        let mut items: Vec<Item> = adds.into_iter().map(Item::Add).collect();
        items.push(Item::Op(Op::Jump { to, arguments: List::default() }, None));
        self.items.insert(between, items);
        self.retarget(&edge, between);
    }

    fn new_block(&mut self, is_cold: bool) -> Block {
        self.function.blocks.push(Filled { is_cold, ..Filled::default() });
        Block(self.function.blocks.len() as u32 - 1)
    }

    /// An exit that adds what is pending.
    fn exit(&mut self, exit: u32, pending: &Pending) -> Block {
        if let Some(known) = self.copies.get(&(exit, pending.clone())) {
            return *known;
        }
        let block = self.new_block(true);
        let number = self.function.exits.len() as u32;
        self.function.blocks[block.0 as usize].exit = Some(number);
        let state = self.function.exits[exit as usize].clone();
        self.function.exits.push(ExitState { adds: Vec::new(), ..state });
        self.exits.push(self.exits[exit as usize].clone());
        self.copies.insert((exit, pending.clone()), block);
        self.added.push((number, pending.clone()));
        block
    }

    /// Has an edge go to another block.
    fn retarget(&mut self, edge: &Edge, to: Block) {
        let Some(Item::Op(op, _)) = self.items.get_mut(&edge.from).and_then(|items| items.get_mut(edge.item)) else {
            return;
        };
        op.set_target(&mut self.function.cases, edge.target, to);
    }

    /// The function with the additions as operations.
    fn finish(mut self, coverage: &[Counted]) -> Function {
        let old = std::mem::take(&mut self.function.order);
        let inserted = std::mem::take(&mut self.inserted);
        let order = old
            .iter()
            .flat_map(|block| std::iter::once(*block).chain(inserted.get(block).into_iter().flatten().copied()));
        let order: Vec<Block> = order.collect();
        let mut ops = Vec::with_capacity(self.function.ops.len());
        let marks = std::mem::take(&mut self.function.marks);
        let (mut moved, mut mark) = (Vec::with_capacity(marks.len()), 0);
        for block in &order {
            let start = ops.len() as u32;
            for item in self.items.remove(block).unwrap_or_default() {
                if let Item::Op(_, Some(number)) = item {
                    while let Some((_, position)) = marks.get(mark).filter(|(first, _)| *first <= number) {
                        moved.push((ops.len() as u32, *position));
                        mark += 1;
                    }
                }
                match item {
                    Item::Op(op, _) => ops.push(op),
                    Item::Add(add) => self.add(coverage, add, &mut ops),
                }
            }
            let filled = &mut self.function.blocks[block.0 as usize];
            (filled.start, filled.end) = (start, ops.len() as u32);
        }
        for (exit, pending) in std::mem::take(&mut self.added) {
            let mut adds = Vec::new();
            if !pending.once.is_empty() {
                let one = self.value(Origin::Constant(1));
                adds.extend(addresses(coverage, &pending.once).map(|address| (address, one)));
            }
            for (turns, count) in pending.turns {
                let each = self.turns[turns].as_deref().unwrap_or_default();
                adds.extend(addresses(coverage, each).map(|address| (address, count)));
            }
            self.function.exits[exit as usize].adds = adds;
        }
        (self.function.ops, self.function.order, self.function.marks) = (ops, order, moved);
        self.function
    }

    /// Emits an addition.
    fn add(&mut self, coverage: &[Counted], add: Add, ops: &mut Vec<Op>) {
        let each = |pass: &Self, turns: usize| pass.turns[turns].clone().unwrap_or_default();
        let (set, amount) = match add {
            Add::Once(set) => (set, self.value(Origin::Constant(1))),
            Add::Without(set) => (set, self.value(Origin::Constant(u64::MAX))),
            Add::Turns(turns, count) => (each(self, turns), count),
            Add::WithoutTurns(turns, count) => {
                let (none, negative) = (self.value(Origin::Constant(0)), self.value(Origin::Word));
                ops.push(Op::Binary { how: Binary::Subtract, to: negative, a: none, b: count });
                (each(self, turns), negative)
            }
        };
        for address in addresses(coverage, &set) {
            let address = self.value(Origin::Constant(address));
            ops.push(Op::AddTo { address, amount });
        }
    }
}

/// May the operation raise, or run something that reads the counters?
fn may_read(op: &Op) -> bool {
    match op {
        Op::Return { .. } => true,
        Op::Call { convention: Convention::C(call), .. } => call.effects().includes(Effects::RAISES),
        Op::Call { .. } => true,
        _ => false,
    }
}

/// The additions after which `expected` is pending instead of `pending`.
fn difference(pending: &Pending, expected: &Pending) -> Vec<Add> {
    let (_, more, less) = split(&pending.once, &expected.once);
    let mut adds = Vec::new();
    adds.extend((!more.is_empty()).then_some(Add::Once(more)));
    adds.extend((!less.is_empty()).then_some(Add::Without(less)));
    let only = |a: &Pending, b: &Pending| a.turns.iter().copied().filter(|n| !b.turns.contains(n)).collect::<Vec<_>>();
    adds.extend(only(pending, expected).into_iter().map(|(turns, count)| Add::Turns(turns, count)));
    adds.extend(only(expected, pending).into_iter().map(|(turns, count)| Add::WithoutTurns(turns, count)));
    adds
}

/// What two sets have in common, and what only the first and only the second has.
fn split(a: &[u32], b: &[u32]) -> (Set, Set, Set) {
    let (mut both, mut first, mut second) = (Vec::new(), Vec::new(), Vec::new());
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    loop {
        match (a.peek(), b.peek()) {
            (None, None) => return (both, first, second),
            (Some(x), Some(y)) if x == y => {
                both.extend(a.next());
                b.next();
            }
            (Some(x), Some(y)) if x < y => first.extend(a.next()),
            (Some(_), None) => first.extend(a.next()),
            _ => second.extend(b.next()),
        }
    }
}

/// The addresses of the counters that stand for a set, one for each source.
fn addresses<'a>(coverage: &'a [Counted], set: &[u32]) -> impl Iterator<Item = u64> + 'a {
    let mut sources: Vec<(&'a Arc<Counters>, Vec<u32>)> = Vec::new();
    for number in set {
        let Counted { source, counter } = &coverage[*number as usize];
        match sources.iter_mut().find(|(known, _)| Arc::ptr_eq(known, source)) {
            Some((_, counters)) => counters.push(*counter),
            None => sources.push((source, vec![*counter])),
        }
    }
    sources.into_iter().filter_map(|(source, counters)| source.joint(counters).map(|address| address as u64))
}
