//! Constant lookups that fill a site's cache.

use abi::Value;
use object::{Known, Sym, class};

use crate::{
    Cx, R,
    code::{Code, ConstantSite},
    concurrency::sharing,
    constants,
};

/// `NAME` in the lexical scope `scope`; fills the site's cache.
pub fn get(cx: &mut Cx, code: &Code, site: &ConstantSite, scope: Value) -> R {
    if let Some(class) = meant_by_core(cx, code, site.name)
        && !constants::is_nested(cx, scope, site.name)
    {
        fill(cx, code, site, scope, class);
        return Ok(class);
    }
    let value = constants::lookup_lexical(cx, scope, site.name)?;
    fill(cx, code, site, scope, value);
    Ok(value)
}

/// `scope::NAME`; fills the site's cache.
pub fn get_from(cx: &mut Cx, code: &Code, site: &ConstantSite, scope: Value) -> R {
    if scope == cx.class(Known::Object)
        && let Some(class) = meant_by_core(cx, code, site.name)
    {
        fill(cx, code, site, scope, class);
        return Ok(class);
    }
    let value = constants::lookup_from(cx, scope, site.name)?;
    fill(cx, code, site, scope, value);
    Ok(value)
}

/// The core class that a Ruby half names, whatever the program has made of the constant: libraries that replace `File`
/// expect the core to go on with its own. `None` for other constants and other code.
fn meant_by_core(cx: &mut Cx, code: &Code, name: Sym) -> Option<Value> {
    if !code.internal {
        return None;
    }
    let text = name.to_text(cx);
    let known = Known::ALL.iter().find(|known| !text.is_empty() && known.ruby_name() == &*text)?;
    Some(cx.class(*known)).filter(|class| class.is_heap())
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
