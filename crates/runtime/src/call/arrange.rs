//! Turns the registers of a call instruction into a [`Call`]: converts the block argument, spreads a splat, finds the
//! keywords.

use abi::{BlockHandler, FrameFlags, Scope, Value};
use bytecode::CallFlags;
use object::{Sym, array::Arr, class, hash::HashRef, method_entry};

use super::{
    Window, block,
    block_argument::block_argument,
    conversion::to_hash,
    description::{Action, Call, Keywords, flagged_keywords},
    dispatch, lookup, missing, site, special,
};
use crate::{
    Cx, R,
    code::{CallSite, Code, sites::shape_key},
    error::{self, ErrorClass},
    refinements,
};

/// A call of any form: splats, keywords, a block argument.
pub fn call(cx: &mut Cx, code: &Code, site: &CallSite, window: Window, destination: u32) -> R<Action> {
    let call = arrange(cx, code, site, window, destination)?;
    site::dispatch(cx, site, &call)
}

/// `super`, with the arguments in the window. Without a block of its own it passes the method's.
pub fn call_super(cx: &mut Cx, code: &Code, site: &CallSite, window: Window, destination: u32) -> R<Action> {
    let mut call = arrange(cx, code, site, window, destination)?;
    let entry = cx.frame().scope.entry;
    if entry.is_nil() {
        return Err(cx.raise(ErrorClass::RuntimeError, "super called outside of method"));
    }
    if site.flags.has(CallFlags::IMPLICIT_SUPER) && method_entry::kind(entry) == method_entry::Kind::Block {
        return Err(cx.raise(
            ErrorClass::RuntimeError,
            "implicit argument passing of super from method defined by define_method() is not supported. \
             Specify all arguments explicitly.",
        ));
    }
    let receiver = call.window.receiver();
    let shape = shape_key(receiver);
    let recent = cx.world().recent_supers.get(entry, Sym::NONE, shape);
    let recent = recent.or_else(|| site::recall_super(cx, entry, receiver));
    if recent.is_none() {
        call.keeping_window(cx, |cx| check_super_receiver(cx, entry, &call))?;
    }
    if call.block.is_none() && !site.flags.has(CallFlags::BLOCK_ARGUMENT) {
        call.block = method_block(cx);
    }
    let scope = cx.frame().scope.cref;
    if let Some(refined) = call.keeping_window(cx, |cx| refinements::find_super(cx, scope, entry)) {
        return dispatch(cx, refined, &call);
    }
    if let Some(cache) = recent {
        site::keep_super(cx, site, shape, cache);
        return match call.keywords {
            // Class#new is dispatched, because backtraces show it.
            Keywords::None if !special::is_new(cache.entry()) => site::call_cached(cx, site, cache, &call),
            _ => dispatch(cx, cache.entry(), &call),
        };
    }
    let next = call.keeping_window(cx, |cx| {
        let next = lookup::next_of(cx, entry)?;
        site::note_super(cx, site, entry, next, call.window.receiver());
        Some(next)
    });
    match next {
        Some(next) => dispatch(cx, next, &call),
        None => missing::no_super(cx, method_entry::original_name(entry), &call),
    }
}

/// TypeError if `instance_eval` or `instance_exec` has given the block that calls `super` another kind of `self`.
fn check_super_receiver(cx: &mut Cx, entry: abi::Value, call: &Call) -> R<()> {
    let class = method_entry::found_in(entry);
    let me = call.window.receiver();
    if !class::is_class(class) || class::is_a(cx, me, class) {
        return Ok(());
    }
    let shown = error::class_name_of(cx, me);
    let expected = error::shown_name(cx, class);
    Err(cx.type_error(&format!("self has wrong type to call super in this context: {shown} (expected {expected})")))
}

/// `yield` of any form to the block `handler`.
pub fn call_yield(
    cx: &mut Cx,
    code: &Code,
    site: &CallSite,
    handler: BlockHandler,
    window: Window,
    destination: u32,
) -> R<Action> {
    let spread = CallFlags::SPLAT | CallFlags::KEYWORDS | CallFlags::KEYWORD_SPLAT;
    let call = if site.flags.0 & spread == 0 {
        Call::positional(window, site.arguments as usize, BlockHandler::NONE, destination)
    } else {
        Call { block: BlockHandler::NONE, ..arrange(cx, code, site, window, destination)? }
    };
    block::dispatch(cx, handler, &call)
}

/// The call that the evaluated operands of an instruction make.
fn arrange<'a>(cx: &mut Cx, code: &Code, site: &'a CallSite, window: Window, destination: u32) -> R<Call<'a>> {
    let count = site.arguments as usize;
    let names = site.keywords();
    let keyword_words = if site.flags.has(CallFlags::KEYWORDS) {
        names.len()
    } else {
        site.flags.has(CallFlags::KEYWORD_SPLAT) as usize
    };
    let keywords = if site.flags.has(CallFlags::KEYWORDS) {
        Keywords::Names(names)
    } else if site.flags.has(CallFlags::KEYWORD_SPLAT) {
        let given = window.get(1 + count);
        if given.is_nil() {
            Keywords::None
        } else {
            let hash = to_hash(cx, given)?;
            window.set(1 + count, hash.value());
            match site.flags.has(CallFlags::OWN_KEYWORDS) {
                _ if hash.is_empty() => Keywords::None,
                true => Keywords::Own(hash.value()),
                false => Keywords::Hash(hash.value()),
            }
        }
    } else {
        Keywords::None
    };
    let block = if site.flags.has(CallFlags::BLOCK_ARGUMENT) {
        // The block argument is the window's last word.
        block_argument(cx, window.get(1 + count + keyword_words))?
    } else if let Some(child) = site.block_child() {
        let child = code.child(child);
        match site.flags.has(CallFlags::SYMBOL_BLOCK) && !block::passes_symbols_as_literals(cx) {
            true => block_argument(cx, crate::code::code(&child).calls[0].name.value())?,
            false => {
                cx.frame_mut().block_code = child;
                BlockHandler::literal(cx.frame)
            }
        }
    } else {
        BlockHandler::NONE
    };
    let is_with_keywords = site.flags.has(CallFlags::KEYWORDS) || site.flags.has(CallFlags::KEYWORD_SPLAT);
    let flags = if is_with_keywords { FrameFlags::WITH_KEYWORDS } else { 0 };
    let call = Call { window, count, keywords, block, flags, destination, list: Value::UNDEF };
    match site.flags.has(CallFlags::SPLAT) {
        true => spread(cx, &call, site.flags.has(CallFlags::OWN_SPLAT)),
        false => Ok(call),
    }
}

/// Copies receiver, the splat's elements and keywords above the running frame's registers. `is_own`: the Array was made
/// for this call.
fn spread<'a>(cx: &mut Cx, call: &Call<'a>, is_own: bool) -> R<Call<'a>> {
    // With SPLAT the window is receiver, arguments and array, then keywords.
    let before = call.count - 1;
    let list = Arr::of(call.window.get(1 + before));
    let mut elements = list.len();
    let (mut keywords, mut flags) = (call.keywords, call.flags);
    // A hash that ruby2_keywords flagged becomes keywords again, unless the call has keywords, even none (`**nil`).
    if flags & FrameFlags::WITH_KEYWORDS == 0
        && let Some(last) = list.iter().next_back()
        && flagged_keywords(last)
    {
        elements -= 1;
        flags |= FrameFlags::WITH_KEYWORDS;
        keywords = if HashRef::of(last).is_empty() { Keywords::None } else { Keywords::Hash(last) };
    }
    let count = before + elements;
    let base = cx.stack_top();
    let words = keywords.words();
    cx.check_stack(base, count + words + 2)?;
    // SAFETY: room was checked above the running frame's registers.
    let window = unsafe { Window::new(base) };
    window.set(0, call.window.receiver());
    window.copy_from(1, call.window.slice(1, before));
    window.copy_from(1 + before, &list.elements(cx)[..elements]);
    // The callee may keep a list of its own: this one need not live as long as the call.
    call.window.set(1 + before, Value::NIL);
    match keywords {
        Keywords::None => {}
        Keywords::Hash(hash) | Keywords::Own(hash) => window.set(1 + count, hash),
        Keywords::Names(_) => window.copy_from(1 + count, call.window.slice(2 + before, words)),
    }
    let list = match is_own {
        true => list.value(),
        // A Hash that was flagged is not lent: the Array is longer than its elements.
        false if before == 0 => {
            flags |= FrameFlags::LENT_LIST;
            list.value()
        }
        false => Value::UNDEF,
    };
    Ok(Call { window, count, keywords, flags, list, ..*call })
}

/// The block of the method that the running frame belongs to.
fn method_block(cx: &Cx) -> BlockHandler {
    let entry = cx.frame().scope.entry;
    let is_block = method_entry::kind(entry) == method_entry::Kind::Block;
    // If the method's body is a block (define_method), the block that was passed is in its own frame. Other methods'
    // frames need no search, whose cost would grow with the depth of the recursion.
    if is_block && let Some(frame) = cx.frames().find(|f| f.flags & FrameFlags::BMETHOD != 0 && f.scope.entry == entry)
    {
        return frame.scope.block;
    }
    // SAFETY: the running frame and the scopes around it are alive.
    unsafe { (*Scope::home(&raw const (*cx.frame).scope)).block }
}
