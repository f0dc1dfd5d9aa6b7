//! Constant lookups that fill a site's cache.

use abi::Value;
use object::class;

use crate::{
    Cx, R,
    code::{Code, ConstantSite},
    concurrency::sharing,
    constants,
};

/// `NAME` in the lexical scope `scope`; fills the site's cache.
pub fn get(cx: &mut Cx, code: &Code, site: &ConstantSite, scope: Value) -> R {
    let value = constants::lookup_lexical(cx, scope, site.name)?;
    fill(cx, code, site, scope, value);
    Ok(value)
}

/// `scope::NAME`; fills the site's cache.
pub fn get_from(cx: &mut Cx, code: &Code, site: &ConstantSite, scope: Value) -> R {
    let value = constants::lookup_from(cx, scope, site.name)?;
    fill(cx, code, site, scope, value);
    Ok(value)
}

/// Caches the value, unless const_missing returned it or only the main Ractor may access it.
fn fill(cx: &mut Cx, code: &Code, site: &ConstantSite, scope: Value, value: Value) {
    cx.vm_mut().constant_misses += 1;
    let defined = if class::is_module(scope) {
        class::constants::find(scope, site.name).is_some_and(|(_, c)| c.value == value && !c.deprecated)
    } else {
        matches!(constants::find_lexical_quietly(cx, scope, site.name), Some(v) if v == value)
    };
    if defined && (!cx.vm().ractors_used || sharing::is_shareable(cx, value)) {
        site.fill(cx, code.own.get(), scope, value);
    }
}
