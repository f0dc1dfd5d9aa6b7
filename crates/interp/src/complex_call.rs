//! Calls with splats, keywords or a block argument; super; yield.

use abi::{BlockHandler, Value};
use bytecode::CallFlags;
use object::{array::Arr, class, hash::HashRef, method_entry};
use runtime::{
    Cx, R,
    call::{
        self,
        bind::{self, Keywords},
        block,
    },
    code::{CallSite, Code},
    error::ErrorClass,
};

use crate::{Action, call::dispatch, call::run_entry, literals};

/// A call's arguments, laid out plainly.
struct Window<'a> {
    base: *mut Value,
    count: usize,
    keywords: Keywords<'a>,
    handler: BlockHandler,
}

/// A call with anything.
pub fn call(cx: &mut Cx, code: &Code, site: &CallSite, base: *mut Value, destination: u32) -> R<Action> {
    let w = arrange(cx, code, site, base)?;
    dispatch(cx, site, w.base, w.count, w.keywords, w.handler, destination)
}

/// Evaluated arguments to a plain window: the block argument converted, a splat spread, a hash of keywords checked.
fn arrange<'a>(cx: &mut Cx, code: &Code, site: &'a CallSite, base: *mut Value) -> R<Window<'a>> {
    let mut count = site.arguments as usize;
    let keyword_words = if site.flags.has(CallFlags::KEYWORDS) {
        site.keywords.len()
    } else {
        site.flags.has(CallFlags::KEYWORD_SPLAT) as usize
    };
    let handler = if site.flags.has(CallFlags::BLOCK_ARGUMENT) {
        // SAFETY: the block argument is the window's last word.
        let v = unsafe { *base.add(1 + count + keyword_words) };
        block::block_argument(cx, v)?
    } else if let Some(child) = site.block_child() {
        cx.frame_mut().block_code = code.child(child);
        BlockHandler::literal(cx.frame)
    } else {
        BlockHandler::NONE
    };
    let mut keywords = if site.flags.has(CallFlags::KEYWORDS) {
        Keywords::Names(&site.keywords)
    } else if site.flags.has(CallFlags::KEYWORD_SPLAT) {
        // SAFETY: the hash follows the positional arguments.
        let h = unsafe { *base.add(1 + count) };
        let h = literals::to_hash(cx, h)?;
        // SAFETY: as above.
        unsafe { *base.add(1 + count) = h };
        if HashRef::of(h).is_empty() { Keywords::None } else { Keywords::Hash(h) }
    } else {
        Keywords::None
    };
    let mut base = base;
    if site.flags.has(CallFlags::SPLAT) {
        (base, count, keywords) = spread(cx, base, keywords)?;
    }
    Ok(Window { base, count, keywords, handler })
}

/// Copies receiver, the splat's elements and keywords above the running frame's registers.
fn spread<'a>(cx: &mut Cx, window: *mut Value, keywords: Keywords<'a>) -> R<(*mut Value, usize, Keywords<'a>)> {
    // SAFETY: with SPLAT the window is receiver and array, then keywords.
    let list = unsafe { *window.add(1) };
    let mut count = Arr::of(list).len();
    let mut keywords = keywords;
    // A hash that ruby2_keywords flagged becomes keywords again.
    if matches!(keywords, Keywords::None)
        && let Some(last) = Arr::of(list).elements().last().copied()
        && bind::flagged_keywords(last)
    {
        count -= 1;
        keywords =
            if HashRef::of(last).is_empty() { Keywords::None } else { Keywords::Hash(runtime::keys::dup(cx, last)) };
    }
    let base = cx.stack_top();
    let words = match keywords {
        Keywords::None => 0,
        Keywords::Hash(_) => 1,
        Keywords::Names(names) => names.len(),
    };
    cx.check_stack(base, count + words + 2)?;
    // SAFETY: room was checked; source and destination do not overlap.
    unsafe {
        *base = *window;
        std::ptr::copy_nonoverlapping(Arr::of(list).elements().as_ptr(), base.add(1), count);
        match keywords {
            Keywords::None => {}
            Keywords::Hash(h) => *base.add(1 + count) = h,
            Keywords::Names(_) => std::ptr::copy_nonoverlapping(window.add(2), base.add(1 + count), words),
        }
    }
    Ok((base, count, keywords))
}

/// `super`, with the arguments in the window. Without a block of its own it passes the method's.
pub fn call_super(cx: &mut Cx, code: &Code, site: &CallSite, base: *mut Value, destination: u32) -> R<Action> {
    let mut w = arrange(cx, code, site, base)?;
    let frame = cx.frame;
    // SAFETY: the running frame and the scopes around it are alive.
    let (home, entry) = unsafe { (abi::Scope::home(&raw const (*frame).scope), (*frame).scope.entry) };
    if entry.is_nil() {
        return Err(cx.raise(ErrorClass::RuntimeError, "super called outside of method"));
    }
    if site.flags.has(CallFlags::IMPLICIT_SUPER) && method_entry::kind(entry) == method_entry::Kind::Block {
        return Err(cx.raise(
            ErrorClass::RuntimeError,
            "implicit argument passing of super from method defined by define_method() is not supported. Specify all arguments explicitly.",
        ));
    }
    if w.handler.is_none() && !site.flags.has(CallFlags::BLOCK_ARGUMENT) {
        // SAFETY: as above; a method's body that is a block keeps the block in its own frame.
        w.handler = unsafe { method_block(cx, home) };
    }
    let next = class::lookup::find_super(
        cx,
        method_entry::found_in(entry),
        method_entry::owner(entry),
        method_entry::original_name(entry),
    );
    if next.is_undef() {
        return crate::call::no_super(cx, w.base, w.count, w.keywords, method_entry::original_name(entry));
    }
    run_entry(cx, next, w.base, w.count, w.keywords, w.handler, 0, destination)
}

/// # Safety
/// `home` is alive.
unsafe fn method_block(cx: &Cx, home: *const abi::Scope) -> BlockHandler {
    let entry = cx.frame().scope.entry;
    let is_block = method_entry::kind(entry) == method_entry::Kind::Block;
    // Other methods' frames need no search, which in a deep recursion would cost the more the deeper it is.
    if is_block
        && let Some(frame) = cx.frames().find(|f| f.flags & abi::FrameFlags::BMETHOD != 0 && f.scope.entry == entry)
    {
        return frame.scope.block;
    }
    // SAFETY: the caller's.
    unsafe { (*home).block }
}

/// `yield` to a block of required parameters alone: the frame is pushed, its code given. Values that the block does not take are
/// dropped, those it lacks are nil; one value for several parameters may be an array to take apart, which is left to `bind`.
#[inline(always)]
pub fn yield_simply(
    cx: &mut Cx,
    handler: BlockHandler,
    base: *mut Value,
    count: usize,
    destination: u32,
) -> R<Option<&'static Code>> {
    let Some(target) = block::target(handler) else { return Ok(None) };
    let body = runtime::code::code(target.body);
    let mut required = body.parameters.required as usize;
    if body.parameters.packed && count == 1 {
        required = 1;
    } else if !body.simple || (count != required && (target.lambda || (count == 1 && required > 1))) {
        return Ok(None);
    }
    let registers = body.registers as usize;
    cx.check_stack(base, registers)?;
    let lambda = if target.lambda { abi::FrameFlags::LAMBDA } else { 0 };
    // SAFETY: the scope of a block lives as long as the call that it is passed to; the window is live and room was checked.
    unsafe {
        *base = target.me;
        for i in 1 + count.min(required)..registers {
            *base.add(i) = Value::NIL;
        }
        cx.push_inner_frame(abi::Frame {
            scope: abi::Scope {
                slots: base,
                outer: target.scope,
                cref: (*target.scope).cref,
                entry: (*target.scope).entry,
                block: BlockHandler::NONE,
                special: Value::NIL,
                code: target.body,
                environment: Value::NIL,
            },
            pc: body.start(),
            block_code: Value::NIL,
            flags: abi::FrameFlags::BLOCK | lambda,
            destination,
            registers: registers as u32,
        });
    }
    Ok(Some(body))
}

/// `yield`
pub fn yield_to(cx: &mut Cx, site: &CallSite, handler: BlockHandler, base: *mut Value, destination: u32) -> R<Action> {
    if site.flags.0 & (CallFlags::SPLAT | CallFlags::KEYWORDS | CallFlags::KEYWORD_SPLAT) == 0 {
        return call_block(
            cx,
            handler,
            None,
            base,
            site.arguments as usize,
            Keywords::None,
            BlockHandler::NONE,
            destination,
        );
    }
    let own = cx.frame().scope.code;
    let w = arrange(cx, runtime::code::code(own), site, base)?;
    call_block(cx, handler, None, w.base, w.count, w.keywords, BlockHandler::NONE, destination)
}

/// Calls a block on a window whose first word is free. `me`: another self.
#[allow(clippy::too_many_arguments)]
#[inline]
pub fn call_block(
    cx: &mut Cx,
    handler: BlockHandler,
    me: Option<Value>,
    base: *mut Value,
    count: usize,
    keywords: Keywords,
    passed: BlockHandler,
    destination: u32,
) -> R<Action> {
    let Some(mut target) = block::target(handler) else {
        if handler.is_none() {
            return Err(block::no_block(cx));
        }
        if count > 0
            && matches!(keywords, Keywords::None)
            && passed.is_none()
            && let Some(action) = call_symbol(cx, handler, base, count, destination)?
        {
            return Ok(action);
        }
        return call_foreign_block(cx, handler, base, count, keywords, passed);
    };
    if let Some(me) = me {
        target.me = me;
    }
    let extra = count + crate::call::keyword_words(keywords);
    // SAFETY: the window is live.
    let body = unsafe { block::push_block_frame(cx, target, base, extra, passed, 0, destination)? };
    if body.simple && count == body.parameters.required as usize && matches!(keywords, Keywords::None) {
        cx.frame_mut().registers = body.registers as u32;
    } else {
        bind::bind(cx, body, count, keywords, !target.lambda).inspect_err(|_| cx.pop_frame())?;
    }
    Ok(Action::Entered)
}

/// `&:name`: calls the method of the first argument in place. `None` where there is none, or one that may not be called: what then happens is told elsewhere.
fn call_symbol(
    cx: &mut Cx,
    handler: BlockHandler,
    base: *mut Value,
    count: usize,
    destination: u32,
) -> R<Option<Action>> {
    let Some(name) = object::Sym::from_value(handler.0) else { return Ok(None) };
    // SAFETY: the window is live; its first argument becomes the receiver.
    let (base, receiver) = unsafe { (base.add(1), *base.add(1)) };
    let class = object::class::class_of(cx, receiver);
    let entry = object::class::lookup::find_method(cx, class, name);
    if entry.is_undef() || method_entry::visibility(entry) != method_entry::Visibility::Public {
        return Ok(None);
    }
    crate::call::run_entry(cx, entry, base, count - 1, Keywords::None, BlockHandler::NONE, 0, destination).map(Some)
}

/// Symbols, methods and native blocks.
fn call_foreign_block(
    cx: &mut Cx,
    handler: BlockHandler,
    base: *mut Value,
    count: usize,
    keywords: Keywords,
    passed: BlockHandler,
) -> R<Action> {
    // SAFETY: the window is live.
    unsafe {
        let keywords =
            if crate::call::gather_keywords(cx, base, count, keywords)? { Some(*base.add(1 + count)) } else { None };
        let arguments = std::slice::from_raw_parts(base.add(1), count);
        // A window above the registers (of a splat) belongs to the frame while the call lasts.
        let frame = cx.frame_mut();
        let registers = frame.registers;
        let used = base.offset_from(frame.scope.slots) as u32 + 2 + count as u32;
        frame.registers = registers.max(used);
        let result = call::block::call_block(cx, handler, arguments, keywords, passed);
        cx.frame_mut().registers = registers;
        result.map(Action::Value)
    }
}
