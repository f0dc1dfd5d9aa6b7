//! Calls with positional arguments, with and without a literal block.

use abi::{BlockHandler, Frame, FrameFlags, Scope, Value};
use object::{
    Sym, cell, class,
    method_entry::{self, Kind},
};
use runtime::{
    Cx, R,
    call::{self, bind::Keywords, invoke, missing},
    code::{CallSite, Code, Target, code, sites::shape_key},
    method_table::Special,
};

use crate::{Action, literals, special_methods};

/// Pushes the frame of code whose arguments need no arranging.
#[inline(always)]
pub fn enter_simple(cx: &mut Cx, site: &CallSite, callee: &Code, base: *mut Value, destination: u32) -> R<()> {
    let registers = callee.registers as usize;
    let given = site.arguments as usize;
    if given != callee.parameters.required as usize {
        // The ordinary way raises the error.
        // SAFETY: the window lies in the caller's frame.
        unsafe {
            invoke::push_method_frame(cx, site.entry.get(), callee, base, given, BlockHandler::NONE, 0, destination)?
        };
        return invoke::bind_method(cx, callee, given, Keywords::None);
    }
    cx.check_inner_stack(base, registers)?;
    let entry = site.entry.get();
    // SAFETY: room was checked; the arguments lie in the window already.
    unsafe {
        let (mut at, end) = (base.add(1 + given), base.add(registers));
        while at < end {
            // Volatile: these are few, and the compiler would set up vectors for them.
            at.write_volatile(Value::NIL);
            at = at.add(1);
        }
    }
    cx.push_inner_frame(Frame {
        scope: Scope {
            slots: base,
            outer: std::ptr::null(),
            cref: method_entry::cref(entry),
            entry,
            block: BlockHandler::NONE,
            special: Value::NIL,
            code: callee.own.get(),
            environment: Value::NIL,
        },
        pc: callee.start(),
        block_code: Value::NIL,
        flags: FrameFlags::METHOD,
        destination,
        registers: registers as u32,
    });
    Ok(())
}

/// A plain call that is no cached simple one.
#[inline]
pub fn call(cx: &mut Cx, site: &CallSite, key: u64, base: *mut Value, destination: u32) -> R<Action> {
    if site.key.get() != key && !site.recall(key) {
        return call_any(cx, site, base, BlockHandler::NONE, destination);
    }
    // SAFETY: the window lies in the caller's frame.
    let receiver = unsafe { *base };
    match site.target.get() {
        Target::Simple(callee) if site.literal_arguments == 0 => {
            // SAFETY: the cached entry keeps its code alive.
            return enter_simple(cx, site, unsafe { &*callee }, base, destination).map(|()| Action::Entered);
        }
        Target::Sequence(callee) if site.literal_arguments == 0 => {
            // SAFETY: as above; the window lies in the caller's frame.
            unsafe {
                let callee = &*callee;
                let count = site.arguments as usize;
                invoke::push_method_frame(
                    cx,
                    site.entry.get(),
                    callee,
                    base,
                    count,
                    BlockHandler::NONE,
                    0,
                    destination,
                )?;
                invoke::bind_method(cx, callee, count, Keywords::None)?;
            }
            return Ok(Action::Entered);
        }
        Target::ReadWord(word) if site.arguments == 0 => {
            // SAFETY: the shape implies that the object has this word.
            return Ok(Action::Value(unsafe { cell::word(receiver, word as usize) }));
        }
        Target::WriteWord(word) if site.arguments == 1 && !cell::frozen(receiver) => {
            // SAFETY: as above; the argument lies in the window.
            unsafe {
                let to = *base.add(1);
                cell::store(cx, receiver, word as usize, to);
                return Ok(Action::Value(to));
            }
        }
        _ => {}
    }
    if let Target::Shortcut(method) = site.target.get()
        && method.accepts(site.arguments as usize)
        && !invoke::calls_are_traced(cx)
    {
        if site.literal_arguments != 0 {
            literals::unshare_arguments(cx, site, base, method.facts.borrowed);
        }
        // SAFETY: the window lies in the caller's frame.
        let v = unsafe {
            invoke::run_native(cx, site.entry.get(), method, base, site.arguments as usize, false, BlockHandler::NONE)?
        };
        if !v.is_undef() {
            return Ok(Action::Value(v));
        }
    }
    if let Target::Native(method) = site.target.get()
        && method.special == Special::None
    {
        if site.literal_arguments != 0 {
            literals::unshare_arguments(cx, site, base, method.facts.borrowed);
        }
        // SAFETY: the window lies in the caller's frame.
        return unsafe {
            invoke::run_native(cx, site.entry.get(), method, base, site.arguments as usize, false, BlockHandler::NONE)
        }
        .map(Action::Value);
    }
    // A cached method may be called from here.
    if let Target::Native(method) = site.target.get()
        && site.literal_arguments == 0
        && let Some(action) = special_methods::run(
            cx,
            method.special,
            base,
            site.arguments as usize,
            Keywords::None,
            BlockHandler::NONE,
            destination,
        )?
    {
        return Ok(action);
    }
    call_any(cx, site, base, BlockHandler::NONE, destination)
}

/// A call with a literal block: the caller's frame knows its code.
pub fn call_with_block(cx: &mut Cx, site: &CallSite, base: *mut Value, destination: u32) -> R<Action> {
    let handler = BlockHandler::literal(cx.frame);
    // SAFETY: the window lies in the caller's frame.
    let receiver = unsafe { *base };
    let key = shape_key(receiver) as u64 | (cx.world().method_epoch as u64) << 32;
    if (site.key.get() == key || site.recall(key)) && site.literal_arguments == 0 {
        let count = site.arguments as usize;
        match site.target.get() {
            Target::Simple(callee) | Target::Sequence(callee) => {
                // SAFETY: the cached entry keeps its code alive; the window lies in the caller's frame.
                unsafe {
                    let callee = &*callee;
                    invoke::push_method_frame(cx, site.entry.get(), callee, base, count, handler, 0, destination)?;
                    invoke::bind_method(cx, callee, count, Keywords::None)?;
                }
                return Ok(Action::Entered);
            }
            Target::Native(method) if method.special == Special::None => {
                // SAFETY: the window lies in the caller's frame.
                return unsafe { invoke::run_native(cx, site.entry.get(), method, base, count, false, handler) }
                    .map(Action::Value);
            }
            _ => {}
        }
    }
    call_any(cx, site, base, handler, destination)
}

/// Looks the method up, fills the cache and calls.
pub fn call_any(cx: &mut Cx, site: &CallSite, base: *mut Value, handler: BlockHandler, destination: u32) -> R<Action> {
    dispatch(cx, site, base, site.arguments as usize, Keywords::None, handler, destination)
}

/// Looks up `site.name` for the receiver at `base` and runs it on `count` arguments and `keywords` after them.
pub fn dispatch(
    cx: &mut Cx,
    site: &CallSite,
    base: *mut Value,
    count: usize,
    keywords: Keywords,
    handler: BlockHandler,
    destination: u32,
) -> R<Action> {
    // SAFETY: the window is live.
    let receiver = unsafe { *base };
    let key = shape_key(receiver) as u64 | (cx.world().method_epoch as u64) << 32;
    let entry = if site.key.get() == key || site.recall(key) { site.entry.get() } else { look_up(cx, site, receiver) };
    if entry.is_undef() || !visible(cx, site, entry, receiver) {
        return missing(cx, site, entry, base, count, keywords, handler, destination);
    }
    if site.literal_arguments != 0 {
        let borrowed =
            if method_entry::kind(entry) == Kind::Native { invoke::native_method(entry).facts.borrowed } else { 0 };
        literals::unshare_arguments(cx, site, base, borrowed);
    }
    run_entry(cx, entry, base, count, keywords, handler, 0, destination)
}

/// The entry that `site.name` means for the receiver, kept in the site's cache where it may be called from there; undef if there is none.
fn look_up(cx: &mut Cx, site: &CallSite, receiver: Value) -> Value {
    let class = class::class_of(cx, receiver);
    if cx.vm().refinements_used {
        let scope = cx.frame().scope.cref;
        if let Some(refined) = runtime::refinements::find(cx, scope, class, site.name) {
            return refined;
        }
    }
    let entry = class::lookup::find_method(cx, class, site.name);
    if !entry.is_undef() && visible(cx, site, entry, receiver) {
        fill(cx, site, receiver, entry);
    }
    entry
}

fn visible(cx: &mut Cx, site: &CallSite, entry: Value, receiver: Value) -> bool {
    use bytecode::CallFlags;
    match method_entry::visibility(entry) {
        method_entry::Visibility::Public => true,
        _ if site.flags.has(CallFlags::SELF_CALL | CallFlags::VARIABLE) => true,
        _ => call::visible(cx, entry, receiver, call::Scope::Public),
    }
}

fn fill(cx: &mut Cx, site: &CallSite, receiver: Value, entry: Value) {
    // A protected method is checked again at each call.
    if method_entry::visibility(entry) == method_entry::Visibility::Protected {
        return;
    }
    let target = match method_entry::kind(entry) {
        Kind::AttributeReader | Kind::AttributeWriter if cx.vm().redefined_before_tracing.is_some() => Target::Other,
        Kind::AttributeReader if site.literal_arguments == 0 => {
            attribute_word(cx, receiver, entry).map_or(Target::Other, Target::ReadWord)
        }
        Kind::AttributeWriter if site.literal_arguments == 0 => {
            attribute_word(cx, receiver, entry).map_or(Target::Other, Target::WriteWord)
        }
        Kind::Sequence => {
            let callee = code(method_entry::body(entry));
            if callee.internal
                && site.block_child().is_none()
                && let Some(method) = invoke::shortcut(cx, entry)
            {
                Target::Shortcut(method)
            } else if callee.simple {
                Target::Simple(callee)
            } else {
                Target::Sequence(callee)
            }
        }
        Kind::Native => Target::Native(invoke::native_method(entry)),
        _ => Target::Other,
    };
    let key = shape_key(receiver) as u64 | (cx.world().method_epoch as u64) << 32;
    site.fill(key, entry, target);
    // The site belongs to the code of the running frame.
    let own = cx.frame().scope.code;
    cx.remember(own);
}

/// Where objects of the receiver's shape keep the variable of an attribute method, if it is in the object itself.
fn attribute_word(cx: &mut Cx, receiver: Value, entry: Value) -> Option<u16> {
    crate::ivars::inline_word(cx, receiver, Sym::of(method_entry::body(entry)))
}

/// Runs an entry on a window. `flags`: of the frame that may be pushed.
#[allow(clippy::too_many_arguments)]
pub fn run_entry(
    cx: &mut Cx,
    entry: Value,
    base: *mut Value,
    count: usize,
    keywords: Keywords,
    handler: BlockHandler,
    flags: u32,
    destination: u32,
) -> R<Action> {
    match method_entry::kind(entry) {
        Kind::Sequence => {
            let callee = code(method_entry::body(entry));
            let extra = count + keyword_words(keywords);
            // SAFETY: the window is live; `check_stack` covers what the callee needs.
            unsafe { invoke::push_method_frame(cx, entry, callee, base, extra, handler, flags, destination)? };
            invoke::bind_method(cx, callee, count, keywords)?;
            Ok(Action::Entered)
        }
        Kind::Native => {
            let method = invoke::native_method(entry);
            if method.special != Special::None
                && let Some(action) =
                    special_methods::run(cx, method.special, base, count, keywords, handler, destination)?
            {
                return Ok(action);
            }
            // SAFETY: the window is live.
            unsafe {
                let has_keywords = gather_keywords(cx, base, count, keywords)?;
                invoke::run_native(cx, entry, method, base, count, has_keywords, handler).map(Action::Value)
            }
        }
        Kind::Block => special_methods::enter_bmethod(cx, entry, base, count, keywords, handler, flags, destination),
        Kind::Alias => {
            let target = invoke::aliased(cx, entry);
            run_entry(cx, target, base, count, keywords, handler, flags, destination)
        }
        Kind::ZSuper => {
            let next = class::lookup::find_super(
                cx,
                method_entry::found_in(entry),
                method_entry::owner(entry),
                method_entry::name(entry),
            );
            if next.is_undef() {
                return no_super(cx, base, count, keywords, method_entry::name(entry));
            }
            run_entry(cx, next, base, count, keywords, handler, flags, destination)
        }
        _ => {
            // SAFETY: the window is live.
            unsafe {
                let count = count + gather_keywords(cx, base, count, keywords)? as usize;
                let (receiver, arguments) = (*base, std::slice::from_raw_parts(base.add(1), count));
                invoke::call_simple(cx, entry, receiver, arguments).map(Action::Value)
            }
        }
    }
}

/// Words that keywords take after the positional arguments.
pub fn keyword_words(keywords: Keywords) -> usize {
    match keywords {
        Keywords::None => 0,
        Keywords::Hash(_) => 1,
        Keywords::Names(names) => names.len(),
    }
}

/// Makes the keywords one hash right after `count` arguments; false when there are none.
///
/// # Safety
/// The window is live.
pub unsafe fn gather_keywords(cx: &mut Cx, base: *mut Value, count: usize, keywords: Keywords) -> R<bool> {
    let hash = match keywords {
        Keywords::None => return Ok(false),
        Keywords::Hash(h) => h,
        Keywords::Names(names) => call::bind::hash_of_names(cx, names, call::bind::Registers(base), count)?,
    };
    // SAFETY: the values of keywords lay there, one at least.
    unsafe { *base.add(1 + count) = hash };
    Ok(true)
}

/// `super` has nowhere to go.
#[cold]
pub fn no_super(cx: &mut Cx, base: *mut Value, count: usize, keywords: Keywords, name: Sym) -> R<Action> {
    // SAFETY: the window is live; keywords follow the arguments.
    let (receiver, arguments, hash) = unsafe {
        let hash = gather_keywords(cx, base, count, keywords)?.then(|| *base.add(1 + count));
        (*base, std::slice::from_raw_parts(base.add(1), count), hash)
    };
    missing::no_super(cx, receiver, name, arguments, hash).map(Action::Value)
}

/// No such method, or one that may not be called here.
#[cold]
#[allow(clippy::too_many_arguments)]
fn missing(
    cx: &mut Cx,
    site: &CallSite,
    entry: Value,
    base: *mut Value,
    count: usize,
    keywords: Keywords,
    handler: BlockHandler,
    destination: u32,
) -> R<Action> {
    use bytecode::CallFlags;
    let scope = if site.flags.has(CallFlags::VARIABLE) {
        call::Scope::Variable
    } else if site.flags.has(CallFlags::SELF_CALL) {
        call::Scope::Function
    } else {
        call::Scope::Public
    };
    // SAFETY: the window is live.
    unsafe {
        literals::unshare_arguments(cx, site, base, 0);
        special_methods::call_missing(cx, site.name, entry, base, count, keywords, handler, scope, destination)
    }
}
