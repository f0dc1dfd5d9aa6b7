//! Calls from a call site: a hit of its inline cache, or a lookup that fills it.

use abi::{BlockHandler, FrameFlags, Value};
use bytecode::CallFlags;
use object::{
    Sym, cell, class,
    class::{
        call_cache::{self, CacheRef},
        refined,
    },
    method_entry::{self, Kind, Visibility},
};

use super::{
    description::{Action, Call, Scope},
    lookup,
    lookup::{describe, new_cache},
    method, missing, native, special,
};
use crate::{
    Cx, R,
    code::{CallSite, Code, live_code, sites::shape_key},
    core_methods, cref, literal_arguments,
    method_table::{Method, Special, row},
    refinements,
    trace::calls_are_traced,
    unlinked,
};

pub use call_cache::Kind as Cached;

/// A call with positional arguments and perhaps a literal block.
#[inline]
pub fn call(cx: &mut Cx, site: &CallSite, call: &Call) -> R<Action> {
    let receiver = call.window.receiver();
    match site.first(shape_key(receiver)).or_else(|| other(cx, site, receiver)) {
        Some(cache) => call_cached(cx, site, cache, call),
        None => call_unseen(cx, site, call),
    }
}

/// The entry for a receiver that the first entry does not match. A call site that has seen more shapes than its cache
/// holds looks in the receiver's class.
#[inline(never)]
pub fn other(cx: &mut Cx, site: &CallSite, receiver: Value) -> Option<CacheRef> {
    let shape = shape_key(receiver);
    // Before the site's own entries, each of which is a cell of its own.
    if site.has_more()
        && !site.flags.has(CallFlags::CORE)
        && let Some(cache) = cx.world().recent_caches.get(shape, site.name)
        && is_callable(site, cache.entry())
        && !refinements::may_refine_here(cx, site.name)
    {
        return Some(cache);
    }
    if let Some((cache, is_frequent)) = site.find_among_several(shape) {
        if is_frequent {
            // The site belongs to the code of the running frame.
            let own = cx.frame().scope.code;
            site.prefer(cx, own, cache);
            // Compiled code looks there, too, once it has met a shape that the site had not seen.
            cx.world_mut().recent_caches.set(shape, site.name, cache);
        }
        return Some(cache);
    }
    if refinements::may_refine_here(cx, site.name) {
        return recent_refined(cx, site, shape);
    }
    if !site.is_full() {
        return None;
    }
    let cache = class::lookup::cached(class::class_of(cx, receiver), site.name, shape)?;
    if !may_be_kept(cx, site, cache.entry(), receiver) || site.flags.has(CallFlags::CORE) {
        return None;
    }
    cx.world_mut().recent_caches.set(shape, site.name, cache);
    if !site.has_more() {
        // The site belongs to the code of the running frame.
        let own = cx.frame().scope.code;
        site.replace(cx, own, cache);
    }
    Some(cache)
}

/// [`call`] for compiled code, which knows the site's entries: the entry is among the recently used ones. If only the
/// site has it, it is put there, where compiled code looks for it.
#[inline]
pub fn call_recent(cx: &mut Cx, site: &CallSite, call: &Call) -> R<Action> {
    let receiver = call.window.receiver();
    let shape = shape_key(receiver);
    let is_plain = !site.flags.has(CallFlags::CORE) && !refinements::may_refine_here(cx, site.name);
    match cx.world().recent_caches.get(shape, site.name) {
        Some(cache) if is_plain && is_callable(site, cache.entry()) => call_cached(cx, site, cache, call),
        Some(_) => self::call(cx, site, call),
        None => {
            if let Some(cache) = site.find(shape) {
                cx.world_mut().recent_caches.set(shape, site.name, cache);
            }
            self::call(cx, site, call)
        }
    }
}

/// The entry of a refined method, where refinements are active.
fn recent_refined(cx: &Cx, site: &CallSite, shape: u32) -> Option<CacheRef> {
    let list = cref::refinements(cx.frame().scope.cref);
    let known = cx.world().recent_refined.get(list, site.name, shape)?;
    is_callable(site, known.entry()).then_some(known)
}

/// Whether the site may call an entry on any receiver that it is found for.
#[inline]
fn is_callable(site: &CallSite, entry: Value) -> bool {
    method_entry::visibility(entry) == Visibility::Public || is_on_self(site)
}

/// Whether the receiver is self: then methods of any visibility may be called.
pub fn is_on_self(site: &CallSite) -> bool {
    site.flags.has(CallFlags::SELF_CALL | CallFlags::VARIABLE | CallFlags::CORE)
}

/// A call on a receiver for which the site has no entry.
#[inline(never)]
pub fn call_unseen(cx: &mut Cx, site: &CallSite, call: &Call) -> R<Action> {
    let entry = look_up(cx, site, call.window.receiver());
    note_block(cx, site, entry, call)?;
    run(cx, site, entry, call)
}

/// A call on a receiver that matches an entry of the site's cache.
#[inline]
pub fn call_cached(cx: &mut Cx, site: &CallSite, cache: CacheRef, call: &Call) -> R<Action> {
    let entry = cache.entry();
    match cache.kind() {
        Cached::ReadWord if call.count == 0 => {
            // SAFETY: the shape implies that the object has this word.
            return Ok(Action::Value(unsafe { cell::word(call.window.receiver(), cache.word()) }));
        }
        Cached::WriteWord if call.count == 1 && !cell::frozen(call.window.receiver()) => {
            let to = call.window.get(1);
            // SAFETY: the shape implies that the object has this word.
            unsafe { cell::store(cx, call.window.receiver(), cache.word(), to) };
            return Ok(Action::Value(to));
        }
        Cached::Simple | Cached::Sequence if site.literal_arguments != 0 => {
            return enter_lending(cx, site, entry, call);
        }
        kind @ (Cached::Simple | Cached::Sequence) if site.literal_arguments == 0 => {
            // SAFETY: an entry of this kind keeps its code alive.
            let body = unsafe { callee(cache) };
            if kind == Cached::Simple && method::is_simple_call(body, call) {
                let Call { window, block, flags, destination, .. } = *call;
                let entry = (entry, cache.lexical_scope());
                method::enter_simple(cx, entry, body, window, block, flags, destination)?;
            } else {
                method::enter(cx, entry, body, call)?;
            }
            return Ok(Action::Entered);
        }
        Cached::Shortcut => {
            let row = native_row(cache);
            if call.block.is_none() && row.accepts(call.count) && !calls_are_traced(cx) {
                let lent = lend(cx, site, call, row);
                let (window, count, passed) = (call.window, call.count, BlockHandler::NONE);
                let given = native::Given { window, count, keywords: false, passed, lent, flags: 0 };
                let v = native::run_lending(cx, entry, row, &given)?;
                if !v.is_undef() {
                    return Ok(Action::Value(v));
                }
            }
            return enter_lending(cx, site, entry, call);
        }
        Cached::Special if site.flags.has(CallFlags::PUBLIC) => return super::dispatch(cx, entry, call),
        kind @ (Cached::Native | Cached::Special) => {
            let row = native_row(cache);
            let lent = lend(cx, site, call, row);
            if kind == Cached::Special
                && let Some(action) = special::run_written(cx, row.special, call)?
            {
                return Ok(action);
            }
            let (window, count, passed) = (call.window, call.count, call.block);
            let given = native::Given { window, count, keywords: false, passed, lent, flags: 0 };
            return native::run_lending(cx, entry, row, &given).map(Action::Value);
        }
        _ => {}
    }
    if site.literal_arguments != 0 {
        literal_arguments::unshare(cx, site, call.window, 0);
    }
    super::dispatch_written(cx, entry, call)
}

/// Enters a method that is Ruby code. Literals for the parameters that it only passes on are lent to it.
fn enter_lending(cx: &mut Cx, site: &CallSite, entry: Value, call: &Call) -> R<Action> {
    let body = method_entry::body(entry);
    let body = unlinked::linked(cx, &body);
    if site.literal_arguments != 0 {
        let lent = literal_arguments::unshare(cx, site, call.window, body.lent.get());
        let lending = cx.vm().hooks.lending;
        if lent != 0
            && let Some(body) = lending(cx, body)
        {
            // SAFETY: the method's code keeps this one alive.
            let body = unsafe { live_code(body) };
            let call = Call { flags: call.flags | FrameFlags::lent(lent), ..*call };
            return method::enter(cx, entry, body, &call).map(|()| Action::Entered);
        }
    }
    method::enter(cx, entry, body, call).map(|()| Action::Entered)
}

/// The words of the call that are lent to a native method.
#[inline(always)]
fn lend(cx: &mut Cx, site: &CallSite, call: &Call, row: &Method) -> u16 {
    if site.literal_arguments == 0 {
        return 0;
    }
    literal_arguments::unshare(cx, site, call.window, row.facts.borrowed)
}

/// The code of an entry that runs Ruby code.
///
/// # Safety
/// The entry runs Ruby code, and something keeps its method alive as long as the reference exists.
#[inline(always)]
pub unsafe fn callee<'a>(cache: CacheRef) -> &'a Code {
    debug_assert!(matches!(cache.kind(), Cached::Simple | Cached::Sequence));
    // SAFETY: by this function's contract the target is the address of a live code object.
    unsafe { &*cache.target().cast::<Code>() }
}

#[inline(always)]
pub fn native_row(cache: CacheRef) -> &'static Method {
    debug_assert!(matches!(cache.kind(), Cached::Native | Cached::Special | Cached::Shortcut));
    // SAFETY: entries of these kinds have the address of a row of a static table.
    unsafe { &*cache.target().cast::<Method>() }
}

/// A call whose arguments were arranged: its keywords may be in a hash.
pub fn dispatch(cx: &mut Cx, site: &CallSite, call: &Call) -> R<Action> {
    let receiver = call.window.receiver();
    let entry = match site.find(shape_key(receiver)) {
        Some(cache) => cache.entry(),
        None => call.keeping_window(cx, |cx| {
            let entry = look_up(cx, site, receiver);
            note_block(cx, site, entry, call)?;
            Ok(entry)
        })?,
    };
    run(cx, site, entry, call)
}

/// With `-w`: warns of a block that the method ignores.
fn note_block(cx: &mut Cx, site: &CallSite, entry: Value, call: &Call) -> R<()> {
    let warns = cx.verbose() == Some(true) || cx.vm().options.warn_strict_unused_block;
    if !warns || call.block.is_none() || entry.is_undef() {
        return Ok(());
    }
    let given_block = cx.vm().upper.given_block;
    given_block(cx, site, entry)
}

/// Looks the site's name up in the receiver's class and calls the method.
fn run(cx: &mut Cx, site: &CallSite, entry: Value, call: &Call) -> R<Action> {
    let receiver = call.window.receiver();
    if entry.is_undef() || !visible(cx, site, entry, receiver) {
        literal_arguments::unshare(cx, site, call.window, 0);
        return missing::dispatch(cx, site.name, entry, scope_of(site), call);
    }
    if site.literal_arguments != 0 {
        if method_entry::kind(entry) == Kind::Native {
            let row = row(entry);
            let lent = lend(cx, site, call, row);
            if lent != 0 && row.special == Special::None {
                return native::run_gathered(cx, entry, row, call, lent).map(Action::Value);
            }
        } else if method_entry::kind(entry) == Kind::Sequence {
            return enter_lending(cx, site, entry, call);
        } else {
            literal_arguments::unshare(cx, site, call.window, 0);
        }
    }
    if site.flags.has(CallFlags::PUBLIC) {
        // The program did not write this call.
        return super::dispatch(cx, entry, call);
    }
    super::dispatch_written(cx, entry, call)
}

/// The entry of the site's name for the receiver, stored in the site's cache if it may be called from there; undef if
/// there is none.
fn look_up(cx: &mut Cx, site: &CallSite, receiver: Value) -> Value {
    let class = class::class_of(cx, receiver);
    if refinements::may_refine_here(cx, site.name) {
        let scope = cx.frame().scope.cref;
        if let Some(refined) = refinements::find_or_undefined(cx, scope, class, site.name) {
            if refined.is_undef() {
                return refined;
            }
            let made = describe(cx, receiver, shape_key(receiver), refined);
            refined::keep(cx, class, cref::refinements(scope), site.name, &made);
            return refined;
        }
    }
    if site.flags.has(CallFlags::CORE)
        && let Some(entry) = core_methods::replaced(cx, class, site.name)
    {
        return entry;
    }
    if let Some(entry) = class::lookup::find_uncached(cx, class, site.name) {
        return entry;
    }
    let shape = shape_key(receiver);
    let known = class::lookup::cached(class, site.name, shape);
    let entry = match known {
        Some(cache) => cache.entry(),
        None => class::lookup::find_method(cx, class, site.name),
    };
    if !entry.is_undef() && !is_on_self(site) && method_entry::visibility(entry) == Visibility::Protected {
        // Compiled code looks there, and checks what self is.
        let cache = known.unwrap_or_else(|| new_cache(cx, class, site.name, receiver, entry));
        cx.world_mut().recent_caches.set(shape, site.name, cache);
    } else if !entry.is_undef() && may_be_kept(cx, site, entry, receiver) {
        let cache = known.unwrap_or_else(|| new_cache(cx, class, site.name, receiver, entry));
        // The site belongs to the code of the running frame.
        let own = cx.frame().scope.code;
        site.add(cx, own, cache);
    }
    entry
}

/// What a `super` called before in the method of `entry` on a receiver of this shape: the table of recent ones, in
/// which it is found next time, has room for few.
pub fn recall_super(cx: &mut Cx, entry: Value, receiver: Value) -> Option<CacheRef> {
    let shape = shape_key(receiver);
    let (class, owner) = (method_entry::found_in(entry), method_entry::owner(entry));
    let cache = class::lookup::cached_super(class, owner, method_entry::original_name(entry), shape)?;
    cx.world_mut().recent_supers.set(entry, Sym::NONE, shape, cache);
    Some(cache)
}

/// Keeps what a `super` calls in the method of `entry` on this receiver: in the table of recent ones, and in the site's
/// cache for the compiler.
pub fn note_super(cx: &mut Cx, site: &CallSite, entry: Value, next: Value, receiver: Value) {
    let shape = shape_key(receiver);
    let (class, owner) = (method_entry::found_in(entry), method_entry::owner(entry));
    let name = method_entry::original_name(entry);
    let known = class::lookup::cached_super(class, owner, name, shape);
    let cache = known.or_else(|| {
        let made = describe(cx, receiver, shape, next);
        call_cache::add_super(cx, class, owner, name, &made)
    });
    let Some(cache) = cache else { return };
    cx.world_mut().recent_supers.set(entry, Sym::NONE, shape, cache);
    keep_super(cx, site, shape, cache);
}

/// Adds what a `super` calls to the site's cache, for the compiler. Another site may have found it before.
pub fn keep_super(cx: &mut Cx, site: &CallSite, shape: u32, cache: CacheRef) {
    if site.find(shape).is_none() && !site.is_full() {
        let own = cx.frame().scope.code;
        site.add(cx, own, cache);
    }
}

/// Whether the site may call the entry from its cache. A protected method is checked again at each call.
fn may_be_kept(cx: &mut Cx, site: &CallSite, entry: Value, receiver: Value) -> bool {
    is_on_self(site) || method_entry::visibility(entry) != Visibility::Protected && visible(cx, site, entry, receiver)
}

fn visible(cx: &mut Cx, site: &CallSite, entry: Value, receiver: Value) -> bool {
    match method_entry::visibility(entry) {
        Visibility::Protected if site.flags.has(CallFlags::PUBLIC) => false,
        Visibility::Public => true,
        _ if is_on_self(site) => true,
        _ => lookup::visible(cx, entry, receiver, Scope::Public),
    }
}

/// How the call was written, for error messages.
fn scope_of(site: &CallSite) -> Scope {
    if site.flags.has(CallFlags::VARIABLE) {
        Scope::Variable
    } else if site.flags.has(CallFlags::SELF_CALL) {
        Scope::Function
    } else {
        Scope::Public
    }
}
