//! `send`, `__send__` and `public_send` with a literal Symbol: translated as the call that they make, on a window that
//! begins one word later.

use object::{Sym, class, class::call_cache::CacheRef, method_entry};
use runtime::{call::site::native_row, method_table::Special};

use crate::{natives::found_in, registers::Kind, sites::Site, translate::Translator};

/// Whether the entry is that of `send`, `__send__` or `public_send`.
pub fn is_send(cache: CacheRef) -> bool {
    matches!(native_row(cache).special, Special::Send | Special::PublicSend)
}

/// The call that a call of `send` makes on receivers of a shape, and the cache entry of the method; `None` if the name
/// varies, or if such a call was never made.
pub fn sent<'a>(t: &Translator, call: Site<'a>, (cache, shape): (CacheRef, u32)) -> Option<(Site<'a>, CacheRef)> {
    if !is_send(cache)
        || call.skipped > 0
        || call.arguments() == 0
        || call.site.literal_arguments != 0
        || t.may_be_refined()
    {
        return None;
    }
    let Kind::Constant(name) = t.r.kind(call.window + 1) else { return None };
    let name = Sym::from_value(name)?;
    let to = class::lookup::cached(found_in(t, shape)?, name, shape)?;
    let is_public = method_entry::visibility(to.entry()) == method_entry::Visibility::Public;
    let is_callable = native_row(cache).special == Special::Send || is_public;
    (is_callable && to.matches(shape)).then_some((Site { word: None, window: call.window + 1, skipped: 1, ..call }, to))
}
