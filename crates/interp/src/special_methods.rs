//! Native methods that only call Ruby code, run without leaving the loop: new, send, Proc#call, and calls to method_missing.

use abi::{BlockHandler, FrameFlags, Type, Value};
use object::{
    Sym, class,
    method_entry::{self, Kind},
    shape::ivars,
};
use runtime::{
    Cx, R,
    call::{self, bind::Keywords, block, invoke},
    code::code,
    concurrency::ractor::access,
    convert,
    method_table::Special,
    sym,
};

use crate::{Action, call::run_entry, complex_call::call_block};

/// Runs the method here; `None`: the native function must do it.
pub fn run(
    cx: &mut Cx,
    which: Special,
    base: *mut Value,
    count: usize,
    keywords: Keywords,
    handler: BlockHandler,
    destination: u32,
) -> R<Option<Action>> {
    match which {
        Special::None => Ok(None),
        Special::New => new(cx, base, count, keywords, handler, destination),
        Special::Send | Special::PublicSend if count > 0 => {
            send(cx, which, base, count, keywords, handler, destination).map(Some)
        }
        Special::Send | Special::PublicSend => Ok(None),
        Special::ProcCall => {
            // SAFETY: the window is live; its first word is the Proc.
            let p = unsafe { *base };
            if block::target(BlockHandler(p)).is_none() {
                return Ok(None);
            }
            call_block(cx, BlockHandler(p), None, base, count, keywords, handler, destination).map(Some)
        }
    }
}

/// Class#new.
fn new(
    cx: &mut Cx,
    base: *mut Value,
    count: usize,
    keywords: Keywords,
    handler: BlockHandler,
    destination: u32,
) -> R<Option<Action>> {
    // SAFETY: the window is live.
    let class = unsafe { *base };
    let data = class::class_data(class);
    if data.initializer_epoch != cx.world().method_epoch && !learn_initializer(cx, class) {
        return Ok(None);
    }
    let entry = data.initializer.0;
    let object = if data.allocator.0.is_undef() {
        ivars::new_object(cx, data.instances, data.root_shape)
    } else {
        let words = 1 + count + crate::call::keyword_words(keywords);
        allocate(cx, data.allocator.0, class, base.wrapping_add(words))?
    };
    // SAFETY: as above.
    unsafe { *base = object };
    if method_entry::kind(entry) == Kind::Sequence {
        let callee = code(method_entry::body(entry));
        if callee.internal
            && handler.is_none()
            && matches!(keywords, Keywords::None)
            && let Some(method) = invoke::shortcut(cx, entry)
            && method.accepts(count)
        {
            // SAFETY: the window is live.
            let done = unsafe { invoke::run_native(cx, entry, method, base, count, false, handler)? };
            if !done.is_undef() {
                return Ok(Some(Action::Value(object)));
            }
        }
        let extra = count + crate::call::keyword_words(keywords);
        // SAFETY: the window is live; `check_stack` covers what the callee needs.
        unsafe {
            invoke::push_method_frame(
                cx,
                entry,
                callee,
                base,
                extra,
                handler,
                FrameFlags::RECEIVER_RESULT,
                destination,
            )?
        };
        invoke::bind_method(cx, callee, count, keywords)?;
        return Ok(Some(Action::Entered));
    }
    match run_entry(cx, entry, base, count, keywords, handler, FrameFlags::RECEIVER_RESULT, destination)? {
        Action::Value(_) => Ok(Some(Action::Value(object))),
        Action::Entered => Ok(Some(Action::Entered)),
    }
}

/// Runs a core class's `allocate`; the window of `new` ends at `end`.
fn allocate(cx: &mut Cx, allocator: Value, class: Value, end: *mut Value) -> R {
    let registers = cx.frame().registers;
    let top = cx.stack_top().max(end);
    cx.check_stack(top, 1)?;
    // SAFETY: room for the receiver above all that is in use was checked. A window above the registers (of a splat) belongs to the
    // frame while the call lasts.
    unsafe {
        let used = top.offset_from(cx.frame().scope.slots) as u32;
        cx.frame_mut().registers = used;
        *top = class;
        let method = invoke::native_method(allocator);
        let object = invoke::run_native(cx, allocator, method, top, 0, false, BlockHandler::NONE);
        cx.frame_mut().registers = registers;
        object
    }
}

/// Keeps with the class how `new` makes its instances, until a method is defined; false when Class#new itself must say what is wrong.
fn learn_initializer(cx: &mut Cx, class: Value) -> bool {
    let data = class::class_data(class);
    if data.flags.no_allocator || data.flags.singleton {
        return false;
    }
    let allocator = runtime::allocators::own(class);
    if allocator.is_undef() && !matches!(data.instances, Type::Object | Type::Exception) {
        return false;
    }
    let entry = class::lookup::find_method(cx, class, sym::INITIALIZE);
    // A class made by Class.allocate has no methods yet, not even this one.
    if entry.is_undef() {
        return false;
    }
    let epoch = cx.world().method_epoch;
    let data = class::data::class_data_mut(cx, class);
    data.initializer = class::data::MethodSlot(entry);
    data.allocator = class::data::MethodSlot(allocator);
    data.initializer_epoch = epoch;
    true
}

/// Kernel#send, public_send: the name goes and the arguments move down.
fn send(
    cx: &mut Cx,
    which: Special,
    base: *mut Value,
    count: usize,
    keywords: Keywords,
    handler: BlockHandler,
    destination: u32,
) -> R<Action> {
    // SAFETY: the window is live and has at least one argument.
    let (receiver, name) = unsafe { (*base, *base.add(1)) };
    let name = convert::to_symbol(cx, name)?;
    let words = count + crate::call::keyword_words(keywords);
    // SAFETY: within the window.
    unsafe { std::ptr::copy(base.add(2), base.add(1), words - 1) };
    let class = class::class_of(cx, receiver);
    let mut entry = class::lookup::find_method(cx, class, name);
    if cx.vm().refinements_used
        && let Some(refined) = runtime::refinements::find(cx, cx.frame().scope.cref, class, name)
    {
        entry = refined;
    }
    let scope = if which == Special::Send { call::Scope::Function } else { call::Scope::Public };
    let hidden = which == Special::PublicSend
        && !entry.is_undef()
        && method_entry::visibility(entry) != method_entry::Visibility::Public;
    if entry.is_undef() || hidden || !call::visible(cx, entry, receiver, scope) {
        // SAFETY: the window is live.
        return unsafe { call_missing(cx, name, entry, base, count - 1, keywords, handler, scope, destination) };
    }
    run_entry(cx, entry, base, count - 1, keywords, handler, 0, destination)
}

/// A method whose body is a block.
#[allow(clippy::too_many_arguments)]
pub fn enter_bmethod(
    cx: &mut Cx,
    entry: Value,
    base: *mut Value,
    count: usize,
    keywords: Keywords,
    handler: BlockHandler,
    flags: u32,
    destination: u32,
) -> R<Action> {
    access::check_method_body(cx, entry)?;
    let body = method_entry::body(entry);
    // SAFETY: the window is live.
    unsafe {
        let Some(mut target) = block::target(BlockHandler(body)) else {
            let keywords = if crate::call::gather_keywords(cx, base, count, keywords)? {
                Some(*base.add(1 + count))
            } else {
                None
            };
            let arguments = std::slice::from_raw_parts(base.add(1), count);
            return call::block::call_bmethod(cx, entry, *base, arguments, keywords, handler).map(Action::Value);
        };
        target.me = *base;
        target.lambda = true;
        let extra = count + crate::call::keyword_words(keywords);
        let code = block::push_block_frame(cx, target, base, extra, handler, FrameFlags::BMETHOD | flags, destination)?;
        cx.frame_mut().scope.entry = entry;
        invoke::bind_method(cx, code, count, keywords)?;
    }
    Ok(Action::Entered)
}

/// Calls method_missing with the name before the arguments, or raises NoMethodError.
///
/// # Safety
/// The window is live.
#[allow(clippy::too_many_arguments)]
pub unsafe fn call_missing(
    cx: &mut Cx,
    name: Sym,
    entry: Value,
    base: *mut Value,
    count: usize,
    keywords: Keywords,
    handler: BlockHandler,
    scope: call::Scope,
    destination: u32,
) -> R<Action> {
    // SAFETY: the caller's.
    unsafe {
        let receiver = *base;
        let class = class::class_of(cx, receiver);
        let missing = class::lookup::find_method(cx, class, sym::METHOD_MISSING);
        let arguments = std::slice::from_raw_parts(base.add(1), count);
        if !call::missing::is_own(cx, missing) || name == sym::METHOD_MISSING {
            return Err(call::missing::no_method(cx, receiver, name, arguments, scope, entry));
        }
        let words = count + crate::call::keyword_words(keywords);
        let above = cx.stack_top().max(base.add(words + 1));
        cx.check_stack(above, words + 3)?;
        *above = receiver;
        *above.add(1) = name.value();
        std::ptr::copy_nonoverlapping(base.add(1), above.add(2), words);
        run_entry(cx, missing, above, count + 1, keywords, handler, 0, destination)
    }
}
