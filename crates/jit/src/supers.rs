//! `super`: which method it calls depends on the method that runs, not on the receiver.

use std::mem::offset_of;

use abi::{BlockHandler, Scope, Value};
use bytecode::CallFlags;
use object::method_entry::{self, Kind};
use runtime::call::known_next_of;

use crate::{
    bodies::{OuterScope, Passed, Place},
    calls::{self, Site},
    ir::Condition,
    seam::Block,
    translate::Translator,
};

/// What a `super` relies on.
#[derive(Clone, Copy)]
pub struct SuperOf {
    /// The entry that it calls.
    pub next: Value,
    /// The entry that must run in a scope outside of the unit.
    running: Option<(OuterScope, Value)>,
    /// The scope outside of the unit whose block would be passed, and is not there.
    without_block: Option<OuterScope>,
}

/// The site of a `super` that may be done in line: where it is known which method runs and which block it passes.
pub fn site<'a>(t: &mut Translator<'a>, word: usize) -> Option<Site<'a>> {
    let call = Site::of_call(t.code, word);
    let (entry, running) = match t.body().entry {
        Some(entry) => (entry, None),
        None => {
            let scope = t.lexical_scope();
            let entry = t.running_scope(scope)?.entry;
            (entry, Some((scope, entry)))
        }
    };
    if !entry.is_heap() || method_entry::kind(entry) != Kind::Sequence {
        return None;
    }
    let next = known_next_of(entry)?;
    let mut of = SuperOf { next, running, without_block: None };
    if call.site.flags.has(CallFlags::BLOCK_ARGUMENT) {
        let call = calls::with_block_argument(t, call)?;
        return Some(Site { of_super: Some(of), ..call });
    }
    if call.site.block_child().is_some() {
        return Some(Site { of_super: Some(of), ..call });
    }
    let depth = call.site.depth as usize;
    let passed_on = match (t.block_passed(depth), t.scope_of(depth)) {
        (Passed::Literal { .. }, Place::Body(method)) => Some(calls::passed_to(t, method)?),
        (Passed::None, _) => None,
        (_, Place::Outer(scope)) => {
            of.without_block = Some(scope);
            t.running_block(scope).filter(|block| block.is_none())?;
            None
        }
        _ => return None,
    };
    Some(Site { passed_on, of_super: Some(of), ..call })
}

/// Goes to `full` where something is not as the call relies on.
pub fn require(t: &mut Translator, of: SuperOf, full: Block) {
    if let Some((scope, entry)) = of.running {
        t.keep(entry);
        require_word(t, scope, offset_of!(Scope, entry), entry, full);
    }
    if let Some(scope) = of.without_block {
        require_word(t, scope, offset_of!(Scope, block), BlockHandler::NONE.0, full);
    }
}

fn require_word(t: &mut Translator, scope: OuterScope, at: usize, wanted: Value, full: Block) {
    let scope = t.outer_scope(scope);
    let found = t.e.load(scope, at);
    let fits = t.e.compare_constant(Condition::Equal, found, wanted.0);
    t.e.require(fits, full);
}
