//! Class variables, with a site's cache of the module that has the variable and its slot there.

use abi::Value;
use object::{cell, class::class_variables as slots};

use crate::{
    Cx, R,
    code::{Code, ConstantSite},
    constants::class_variables,
};

/// `@@name` in the lexical scope `scope`, if the site knows where the variable is.
#[inline(always)]
pub fn get_fast(cx: &Cx, site: &ConstantSite, scope: Value) -> Option<Value> {
    let owner = site.cached(scope).filter(|_| !cx.isolated)?;
    // SAFETY: the module had the slot when the site was filled; a change of that would have invalidated the site.
    Some(unsafe { slots::in_slot(owner, site.slot()) })
}

/// `@@name = value` there. False if the site does not know where the variable is, or it must not be set.
#[inline(always)]
pub fn set_fast(cx: &mut Cx, site: &ConstantSite, scope: Value, value: Value) -> bool {
    match site.cached(scope) {
        Some(owner) if !cx.isolated && !cell::frozen(owner) => {
            slots::set_slot(cx, owner, site.slot(), value);
            true
        }
        _ => false,
    }
}

/// `@@name` in the lexical scope `scope`; fills the site's cache.
pub fn get(cx: &mut Cx, code: &Code, site: &ConstantSite, scope: Value) -> R {
    let class = class_variables::holder(cx, scope)?;
    let value = class_variables::get(cx, class, site.name)?;
    fill(cx, code, site, scope, class);
    Ok(value)
}

/// `@@name = value` there; fills the site's cache.
pub fn set(cx: &mut Cx, code: &Code, site: &ConstantSite, scope: Value, value: Value) -> R<()> {
    let class = class_variables::holder(cx, scope)?;
    crate::constants::warn_in_refinement(cx)?;
    class_variables::set(cx, class, site.name, value)?;
    fill(cx, code, site, scope, class);
    Ok(())
}

/// Caches where the variable is, if exactly one module has it.
fn fill(cx: &mut Cx, code: &Code, site: &ConstantSite, scope: Value, class: Value) {
    if let Some((owner, _)) = class_variables::undisputed(class, site.name)
        && let Some(slot) = slots::slot(cx, owner, site.name)
    {
        site.fill(cx, code.own.get(), scope, owner);
        site.set_slot(slot);
    }
}
