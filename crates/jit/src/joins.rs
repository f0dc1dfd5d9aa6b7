//! Joins: blocks with several predecessors, each of which knows something else about the registers.
//!
//! An *arrival* is what one predecessor knows. Control goes from it to an *edge*, a block of its own. The edges are
//! filled when all arrivals are known: an edge stores registers that other arrivals have only in memory, and passes on
//! those that all arrivals have as values.

use std::collections::BTreeSet;

use crate::{
    floats,
    ir::Origin,
    known_words::KnownWord,
    registers::{Held, Kind, State},
    seam::{Block, Ssa},
    translate::Translator,
    virtual_objects::{Id, Objects},
};

/// The most values that are passed on.
const MOST_PASSED: usize = 24;

/// The arrivals at a join.
#[derive(Default)]
pub struct Arrivals(Vec<Arrival>);

pub struct Arrival {
    edge: Block,
    state: State,
    /// How many bodies have frames.
    pushed: usize,
    /// A word that is in no register of the frame and that all arrivals at the join pass on.
    result: Option<Ssa>,
}

/// The block where translation continues after a join.
pub struct Joined {
    pub result: Option<Ssa>,
}

/// How a register is merged at a join.
#[derive(Clone, Copy)]
enum Merged {
    /// All arrivals know the same about it.
    Same(Held),
    /// Its word is a parameter of the block.
    Word(Ssa, Kind),
    Double(Ssa),
}

impl Arrivals {
    pub fn push(&mut self, arrival: Arrival) -> Block {
        let edge = arrival.edge;
        self.0.push(arrival);
        edge
    }
}

impl Translator<'_> {
    /// Jumps from here to the join.
    pub fn jump_to_join(&mut self, arrivals: &mut Arrivals, result: Option<Ssa>) {
        let edge = arrivals.push(Arrival { result, ..self.arrival() });
        self.e.jump(edge, &[]);
    }

    /// Translates `first` here, and `otherwise` in the block `other`, to which `first` jumps with the registers as they
    /// are now. Either both return a result or neither does. Continues at the join of both, passing on a register as
    /// [`Translator::join_with`] does.
    pub fn either(
        &mut self,
        other: Block,
        register: Option<u16>,
        first: impl FnOnce(&mut Self) -> Option<Ssa>,
        otherwise: impl FnOnce(&mut Self) -> Option<Ssa>,
    ) -> Option<Ssa> {
        let (before, level, mut arrivals) = (self.r.state(), self.pushed, Arrivals::default());
        let result = first(self);
        self.jump_to_join(&mut arrivals, result);
        self.r.restore(before);
        self.pushed = level;
        self.e.at(other);
        let result = otherwise(self);
        self.jump_to_join(&mut arrivals, result);
        let block = self.e.block();
        self.join_with(block, arrivals, register)?.result
    }

    /// An arrival from here; the caller makes control go to its edge.
    pub fn arrival(&mut self) -> Arrival {
        self.r.drop_lost_objects();
        Arrival { edge: self.e.block_like_this(), state: self.r.state(), pushed: self.pushed, result: None }
    }

    /// Continues in the block where all arrivals join, with the frames that all of them have; `None` if control never
    /// reaches it.
    pub fn join(&mut self, block: Block, arrivals: Arrivals) -> Option<Joined> {
        self.join_with(block, arrivals, None)
    }

    /// [`Translator::join`] that also passes on a register, given by its distance from the unit's first, even if all
    /// arrivals have stored it.
    pub fn join_with(&mut self, block: Block, arrivals: Arrivals, register: Option<u16>) -> Option<Joined> {
        let Arrivals(mut arrivals) = arrivals;
        // Bodies that were left have no frame any more.
        let level = arrivals.iter().map(|arrival| arrival.pushed).min()?.min(self.bodies.len());
        let mut pending: BTreeSet<u16> = arrivals.iter().flat_map(|arrival| arrival.state.pending()).copied().collect();
        let stored = register.filter(|at| {
            let is_known = |arrival: &Arrival| arrival.state.held_at(*at).value.is_some();
            !pending.contains(at) && arrivals.iter().all(is_known)
        });
        pending.extend(stored);
        let objects = self.agree_on_objects(&mut arrivals, &pending);
        let merged = self.merge(block, &arrivals, pending);
        let has_result = arrivals.iter().all(|arrival| arrival.result.is_some());
        let result = has_result.then(|| self.e.parameter(block, Origin::Word));
        let known = arrivals.iter().map(|arrival| arrival.state.len()).min().unwrap_or(0);
        let words = agreed_words(&arrivals);
        let clean: Vec<(u16, Held)> = (0..known as u16)
            .filter(|at| merged.iter().all(|(merged, _)| merged != at))
            .map(|at| (at, agreed(&arrivals, at)))
            .collect();
        for Arrival { edge, state, pushed, result } in arrivals {
            self.e.at(edge);
            self.r.restore(state);
            self.pushed = pushed;
            let mut values = Vec::new();
            for (at, merged) in &merged {
                match merged {
                    Merged::Same(_) => {}
                    Merged::Word(..) => values.push(self.word_at(*at)),
                    Merged::Double(_) => values.push(self.double_at(*at)),
                }
            }
            let stays = |at: u16| merged.iter().any(|(merged, _)| *merged == at);
            self.r.flush_but(&mut self.e, self.context, stays);
            self.pop_frames(level);
            values.extend(result.filter(|_| has_result));
            self.e.jump(block, &values);
        }
        self.e.at(block);
        self.pushed = level;
        self.r.begin();
        (self.r.objects, self.r.words) = (objects, words);
        for (at, held) in clean {
            self.r.set_held(at, held, false);
        }
        for (at, merged) in merged {
            let held = match merged {
                Merged::Same(held) => held,
                Merged::Word(v, kind) => Held { value: Some(v), kind, ..Held::default() },
                // The Float may be out of the flonums' range.
                Merged::Double(v) => Held { double: Some(v), ..Held::default() },
            };
            self.r.set_held(at, held, stored != Some(at));
        }
        Some(Joined { result })
    }

    /// The objects that stay virtual: all arrivals have them in the same registers, with the same contents. Other
    /// arrivals make theirs, in their edges.
    fn agree_on_objects(&mut self, arrivals: &mut [Arrival], registers: &BTreeSet<u16>) -> Objects {
        if arrivals.iter().all(|arrival| arrival.state.objects.is_empty()) {
            return Objects::default();
        }
        let mut shared = arrivals[0].state.objects.clone();
        let is_same = |id| arrivals.iter().all(|arrival| arrival.state.objects.get(id) == shared.get(id));
        let same: Vec<Id> = shared.ids().filter(|id| is_same(*id)).collect();
        shared.retain(|id| same.contains(&id));
        loop {
            // An object that another arrival does not have in a register, and what a made object holds.
            let mut made: Vec<Id> = Vec::new();
            for at in registers {
                let held = || arrivals.iter().map(|arrival| arrival.state.held_at(*at).object);
                let is_shared = held().all(|object| object == arrivals[0].state.held_at(*at).object);
                made.extend(held().flatten().filter(|_| !is_shared));
            }
            for arrival in &*arrivals {
                let objects = &arrival.state.objects;
                let others = objects.ids().filter(|id| shared.get(*id).is_none());
                made.extend(others.flat_map(|id| objects.parts(id)));
            }
            made.extend(shared.ids().filter(|id| shared.parts(*id).any(|part| shared.get(part).is_none())));
            made.retain(|id| shared.get(*id).is_some());
            if made.is_empty() {
                break;
            }
            shared.retain(|id| !made.contains(&id));
        }
        for arrival in arrivals {
            let objects = &arrival.state.objects;
            let held = arrival.state.pending().iter().filter_map(|at| arrival.state.held_at(*at).object);
            let made: Vec<Id> = held.filter(|id| shared.get(*id).is_none() && objects.get(*id).is_some()).collect();
            if made.is_empty() {
                continue;
            }
            self.e.at(arrival.edge);
            self.r.restore(std::mem::take(&mut arrival.state));
            for id in made {
                if self.r.objects.get(id).is_some() {
                    self.r.make(&mut self.e, self.context, id);
                }
            }
            arrival.state = self.r.state();
            arrival.edge = self.e.block_like_this();
            self.e.jump(arrival.edge, &[]);
        }
        shared
    }

    /// Decides how to merge registers that are not in memory at some arrival, or that must be passed on. The edges must
    /// store registers that are missing in the result.
    fn merge(&mut self, block: Block, arrivals: &[Arrival], registers: BTreeSet<u16>) -> Vec<(u16, Merged)> {
        let (mut merged, mut passed) = (Vec::new(), 0);
        for at in registers {
            let held: Vec<Held> = arrivals.iter().map(|arrival| arrival.state.held_at(at)).collect();
            let kind = held.iter().map(|held| held.kind).reduce(Kind::or).unwrap_or_default();
            let first = held[0];
            let is_same = |part: fn(&Held) -> Option<Ssa>| {
                part(&first).is_some() && held.iter().all(|held| part(held) == part(&first))
            };
            if first.object.is_some() {
                // The arrivals have agreed on it.
                merged.push((at, Merged::Same(first)));
            } else if is_same(|held| held.value) {
                let double = first.double.filter(|_| is_same(|held| held.double));
                merged.push((at, Merged::Same(Held { double, kind, ..first })));
            } else if is_same(|held| held.double) {
                merged.push((at, Merged::Same(Held { value: None, kind, ..first })));
            } else if held.iter().all(|held| *held == first) && matches!(first.kind, Kind::Constant(_)) {
                merged.push((at, Merged::Same(first)));
            } else if passed == MOST_PASSED {
                continue;
            } else if held.iter().all(has_double) {
                merged.push((at, Merged::Double(self.e.parameter(block, Origin::Double))));
                passed += 1;
            } else if !held.iter().any(|held| held.value.is_none() && held.double.is_some()) {
                merged.push((at, Merged::Word(self.e.parameter(block, Origin::Word), kind)));
                passed += 1;
            }
        }
        merged
    }

    /// The word of a register, given by its distance from the unit's first.
    pub fn word_at(&mut self, at: u16) -> Ssa {
        self.r.read_at(&mut self.e, self.context, at as usize)
    }

    /// The double of a register that [`has_double`].
    pub fn double_at(&mut self, at: u16) -> Ssa {
        match (self.r.held_at(at).double, self.r.held_at(at).kind) {
            (Some(double), _) => double,
            (None, Kind::Constant(v)) => self.e.float_constant(v.flonum_value()),
            (None, _) => {
                let v = self.word_at(at);
                floats::decode(&mut self.e, v)
            }
        }
    }
}

/// Is the register known to hold a double?
fn has_double(held: &Held) -> bool {
    held.double.is_some() || held.kind.is_flonum()
}

/// The words of objects of which all arrivals know the same.
fn agreed_words(arrivals: &[Arrival]) -> Vec<KnownWord> {
    let [first, others @ ..] = arrivals else { return Vec::new() };
    let is_agreed = |known: &&KnownWord| others.iter().all(|arrival| arrival.state.words.contains(known));
    first.state.words.iter().filter(is_agreed).copied().collect()
}

/// What all arrivals know about a register that is in memory at all of them.
fn agreed(arrivals: &[Arrival], at: u16) -> Held {
    let held = arrivals.iter().map(|arrival| arrival.state.held_at(at));
    let same = |a: Option<Ssa>, b: Option<Ssa>| a.filter(|_| a == b);
    let both = |a: Held, b: Held| Held {
        value: same(a.value, b.value),
        double: same(a.double, b.double),
        kind: a.kind.or(b.kind),
        // Only pending registers hold one.
        object: None,
    };
    held.reduce(both).unwrap_or_default()
}
