//! Variables of enclosing scopes: registers of another body in the unit, of a frame on the stack, or of an environment.

use abi::{RuntimeCall, Scope, Value};
use object::environment;
use std::mem::offset_of;

use crate::{
    bodies::{OuterScope, Place, Start},
    ir::Condition,
    ivars,
    seam::Ssa,
    translate::Translator,
    virtual_objects::Content,
};

impl Translator<'_> {
    /// The address of a scope that is not one of the unit's bodies.
    pub fn outer_scope(&mut self, scope: OuterScope) -> Ssa {
        let start = match scope.start {
            Start::Unit => self.own_frame(),
            Start::Closure(scope) => self.e.constant(scope as u64),
            Start::Passer(depth) => {
                let to = self.outer_scope(OuterScope::of_unit(depth));
                let handler = self.e.load(to, offset_of!(Scope, block));
                // The address of the frame, tagged.
                self.e.add_constant(handler, -1)
            }
        };
        (0..scope.depth).fold(start, |scope, _| self.word_of_scope(scope, offset_of!(Scope, outer)))
    }

    /// A word of a scope that only calls change. It is not loaded again if it is known.
    fn word_of_scope(&mut self, scope: Ssa, offset: usize) -> Ssa {
        let known = self.r.known_word(&self.e, scope, offset / 8).and_then(|content| content.held.value);
        known.unwrap_or_else(|| {
            let v = self.e.load(scope, offset);
            self.r.know_word(&self.e, scope, offset / 8, Content::of_value(v));
            v
        })
    }

    /// Calls `f` with the register of a variable of another body in the unit, while that body's registers are the
    /// current ones.
    fn within(&mut self, number: usize, slot: usize, f: impl FnOnce(&mut Self, u16)) {
        let own = std::mem::replace(&mut self.r.offset, self.bodies[number].offset);
        f(self, slot as u16);
        self.r.offset = own;
    }

    pub fn outer(&mut self, to: u16, depth: usize, slot: usize) {
        let outer = match self.place_of(depth) {
            Place::Body(number) => {
                let mut found = Content::default();
                self.within(number, slot, |t, register| found = t.r.content(&mut t.e, t.context, register));
                return self.r.put(to, found);
            }
            Place::Outer(scope) => scope,
        };
        // SAFETY: the scope is alive and has the variable.
        let sample = self.running_scope(outer).map(|scope| unsafe { *scope.slots.add(slot) });
        let scope = self.outer_scope(outer);
        let slots = self.word_of_scope(scope, offset_of!(Scope, slots));
        ivars::read_word(self, to, slots, slot);
        self.r.guess(to, sample);
    }

    /// Sets a variable of an outer scope. A frame's registers need no barrier, an environment does.
    pub fn set_outer(&mut self, from: u16, depth: usize, slot: usize) {
        let outer = match self.place_of(depth) {
            Place::Body(number) => {
                let content = self.r.content(&mut self.e, self.context, from);
                return self.within(number, slot, |t, register| t.r.put(register, content));
            }
            Place::Outer(scope) => scope,
        };
        let v = self.read(from);
        let kind = self.r.kind(from);
        let scope = self.outer_scope(outer);
        let slots = self.word_of_scope(scope, offset_of!(Scope, slots));
        self.e.store(v, slots, 8 * slot);
        self.r.store_word(&self.e, slots, slot, v, kind);
        if kind.is_immediate() {
            return;
        }
        let (moved, done) = (self.e.block(), self.e.block());
        let environment = self.e.load(scope, offset_of!(Scope, environment));
        let on_stack = self.e.compare_constant(Condition::Equal, environment, Value::NIL.0);
        self.e.branch(on_stack, done, moved);
        self.e.at(moved);
        ivars::barrier_with(self, (v, kind), true, |t| {
            let (in_cell, in_buffer, joined) = (t.e.block(), t.e.cold_block(), t.e.block());
            let header = t.e.load(environment, 0);
            let has_buffer = t.e.and_constant(header, u64::from(environment::IN_BUFFER));
            t.e.branch(has_buffer, in_buffer, in_cell);
            t.e.at(in_cell);
            t.e.barrier(environment, v);
            t.e.jump(joined, &[]);
            t.e.at(in_buffer);
            let slot = t.e.constant(slot as u64);
            t.e.call(RuntimeCall::SetSlot, &[t.context, scope, slot, v]);
            t.e.jump(joined, &[]);
            t.e.at(joined);
        });
        self.e.jump(done, &[]);
        self.e.at(done);
    }
}
