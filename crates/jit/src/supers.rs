//! `super`: the method that it calls depends on the running method, not on the receiver.

use std::mem::offset_of;

use abi::{BlockHandler, Scope, Value};
use bytecode::CallFlags;
use object::method_entry::{self, Kind};
use runtime::call::known_next_of;

use crate::{
    block_arguments,
    bodies::{OuterScope, Passed, Place},
    ir::Condition,
    seam::Block,
    sites::Site,
    translate::Translator,
};

/// The assumptions of a `super` that is translated in line.
#[derive(Clone, Copy)]
pub struct SuperOf {
    /// The method entry that it calls.
    pub next: Value,
    /// If the running method is that of a scope outside of the unit: the scope, and the entry that it must have.
    running: Option<(OuterScope, Value)>,
    /// The scope outside of the unit whose block would be passed on; it must have no block.
    without_block: Option<OuterScope>,
}

/// The site of a `super` that may be translated in line: the running method and the block that is passed must be known.
pub fn site<'a>(t: &mut Translator<'a>, word: usize) -> Option<Site<'a>> {
    if t.may_be_refined() {
        return None;
    }
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
        let call = block_arguments::with_block_argument(t, word, call)?;
        return Some(Site { of_super: Some(of), ..call });
    }
    if call.site.flags.has(CallFlags::SYMBOL_BLOCK) && !block_arguments::passes_symbols_as_literals(t) {
        return None;
    }
    if call.site.block_child().is_some() {
        return Some(Site { of_super: Some(of), ..call });
    }
    let depth = call.site.depth as usize;
    let passed_on = match (t.block_passed(depth), t.scope_of(depth)) {
        (Passed::Literal { .. }, Place::Body(method)) => Some(block_arguments::passed_to(t, method)?),
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

/// Goes to `full` if an assumption of the call does not hold.
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
