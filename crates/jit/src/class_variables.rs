//! Class variables whose site knows where they are: the address of the slot is embedded in the code, which relies on
//! the version of the variable's name.

use abi::{RuntimeCall, Value};
use object::class::class_variables;
use runtime::code::tier::Seen;

use crate::{
    ir::Condition,
    ivars, objects,
    registers::Kind,
    seam::{Block, Ssa},
    translate::Translator,
};

/// `@@name`
pub fn get(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let Some(found) = find(t, word) else { return t.runtime(RuntimeCall::Instruction, word) };
    let slot = found.require(t);
    let v = t.e.load(slot, 0);
    t.write(i.a, v, Kind::Any);
    t.r.guess(i.a, Some(found.now));
}

/// `@@name = v`
pub fn set(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let Some(found) = find(t, word) else { return t.runtime(RuntimeCall::Instruction, word) };
    let slot = found.require(t);
    let owner = t.e.constant(found.owner.0);
    ivars::require_open(t, owner, found.exit);
    let (v, kind) = (t.read(i.a), t.r.kind(i.a));
    t.e.store(v, slot, 0);
    ivars::barrier(t, owner, v, kind);
}

/// Where a site has found its variable.
struct Found {
    owner: Value,
    /// The address of the slot, and the value in it during the compilation.
    slot: u64,
    now: Value,
    /// The lexical scope in which it was found, unless that is known to be the running one.
    scope: Option<Value>,
    exit: Block,
}

impl Found {
    /// Exits unless the variable is where it was found and may be accessed. The result is the address of its slot.
    fn require(&self, t: &mut Translator) -> Ssa {
        if let Some(scope) = self.scope {
            let running = objects::cref(t);
            let same = t.e.compare_constant(Condition::Equal, running, scope.0);
            t.e.require(same, self.exit);
        }
        ivars::require_main_ractor(t, self.exit);
        t.e.constant(self.slot)
    }
}

fn find(t: &mut Translator, word: usize) -> Option<Found> {
    let site = &t.code.constants[t.code.instruction(word).bc() as usize];
    let (owner, scope) = site.known(t.cx).filter(|_| t.tier.may_rely() && !t.seen(word).has(Seen::FAILED))?;
    let slot = class_variables::slot_address(t.cx, owner, site.slot())?;
    // SAFETY: the module has this slot, and nothing changes it meanwhile.
    let now = unsafe { *slot };
    t.keep(owner);
    t.keep(scope);
    t.rely_on_constant(site);
    let is_running = t.body().cref == Some(scope);
    let exit = t.exit(word);
    Some(Found { owner, slot: slot as u64, now, scope: (!is_running).then_some(scope), exit })
}
