//! Native methods that only call Ruby code, run without leaving the dispatch loop: `new`, `send`, `Proc#call`.

use abi::{BlockHandler, FrameFlags, Type, Value};
use object::{
    Sym, class,
    method_entry::{self, Kind, Visibility},
    shape::ivars,
};

use super::{
    Window, allocators, block,
    description::{Action, Call, Scope},
    dispatch::dispatch,
    lookup::{self, visible},
    method, missing, native,
};
use crate::{
    Cx, R,
    code::{code, live_code},
    method_table::{Special, row},
    refinements, sym,
    trace::calls_are_traced,
    unlinked,
};

/// Runs the method here. `None`: the native function must run instead.
#[inline]
pub fn run(cx: &mut Cx, which: Special, call: &Call) -> R<Option<Action>> {
    match which {
        Special::None => Ok(None),
        Special::New => new(cx, &Call { flags: call.flags | FrameFlags::SHOWS_NEW, ..*call }),
        Special::Send if call.count > 0 => send(cx, Scope::Function, call).map(Some),
        // Unlike `send`, it is a call with events.
        Special::PublicSend if call.count > 0 && !calls_are_traced(cx) => send(cx, Scope::Public, call).map(Some),
        Special::Send | Special::PublicSend => Ok(None),
        Special::ProcCall => match block::target(BlockHandler(call.window.receiver())) {
            Some(target) => block::enter(cx, target, call).map(|()| Some(Action::Entered)),
            None => block::dispatch_symbol_proc(cx, call.window.receiver(), call),
        },
    }
}

/// Like [`run`], for a call by name in Ruby code.
#[inline]
pub fn run_written(cx: &mut Cx, which: Special, call: &Call) -> R<Option<Action>> {
    if which != Special::New {
        return run(cx, which, call);
    }
    let is_call = calls_are_traced(cx) && (!call.block.is_none() || !is_specialized(cx));
    if is_call { Ok(None) } else { new(cx, call) }
}

/// Whether the running code was compiled with `specialized_instruction`: CRuby compiles `new` to an instruction then,
/// which is no call with events.
#[cold]
fn is_specialized(cx: &Cx) -> bool {
    let own = cx.frame().scope.code;
    own.is_nil() || !code(&own).unspecialized
}

/// Whether an entry is that of Class#new.
pub fn is_new(entry: Value) -> bool {
    method_entry::kind(entry) == Kind::Native && row(entry).special == Special::New
}

/// Class#new.
#[inline]
fn new(cx: &mut Cx, call: &Call) -> R<Option<Action>> {
    let class = call.window.receiver();
    if class::class_data(cx, class).initializer.0.is_undef() && !learn_initializer(cx, class) {
        return Ok(None);
    }
    let data = class::class_data(cx, class);
    let (entry, allocator) = (data.initializer.0, data.allocator.0);
    let (instances, shape) = (data.instances, data.root_shape);
    let object = if allocator.is_undef() {
        ivars::new_object(cx, instances, shape)
    } else {
        call.keeping_window(cx, |cx| allocate(cx, class))?
    };
    call.window.set(0, object);
    let call = Call { flags: call.flags | FrameFlags::RECEIVER_RESULT, ..*call };
    if method_entry::kind(entry) == method_entry::Kind::Sequence {
        // SAFETY: an entry of this kind keeps its code alive.
        let body = unsafe { live_code(method_entry::body(entry)) };
        if body.internal && native::try_shortcut(cx, entry, &call)?.is_some() {
            return Ok(Some(Action::Value(object)));
        }
        if body.simple && method::is_simple_call(body, &call) {
            let entry = (entry, method_entry::cref(entry));
            method::enter_simple(cx, entry, body, call.window, call.block, call.flags, call.destination)?;
        } else {
            method::enter(cx, entry, body, &call)?;
        }
        return Ok(Some(Action::Entered));
    }
    if method_entry::kind(entry) == Kind::Native {
        native::initialize(cx, entry, &call)?;
        return Ok(Some(Action::Value(object)));
    }
    Ok(Some(match dispatch(cx, entry, &call)? {
        Action::Value(_) => Action::Value(object),
        Action::Entered => Action::Entered,
    }))
}

/// Runs a core class's own `allocate`, which `new` has cached, above all words in use.
pub fn allocate(cx: &mut Cx, class: Value) -> R {
    let allocator = class::class_data(cx, class).allocator.0;
    allocate_unseen(cx, allocator, class)
}

/// Runs a native `allocate` without events.
pub fn allocate_unseen(cx: &mut Cx, allocator: Value, class: Value) -> R {
    let top = cx.stack_top();
    cx.check_stack(top, 1)?;
    // SAFETY: room for the receiver above all that is in use was checked.
    let window = unsafe { Window::new(top) };
    window.set(0, class);
    native::run_unseen(cx, allocator, window)
}

/// Caches in the class how `new` creates its instances, until its `initialize` changes. False if Class#new itself must
/// raise the error.
fn learn_initializer(cx: &mut Cx, class: Value) -> bool {
    let data = class::class_data(cx, class);
    if data.flags.no_allocator || data.flags.singleton {
        return false;
    }
    let allocator = allocators::own(class);
    if allocator.is_undef() && !matches!(data.instances, Type::Object | Type::Exception) {
        return false;
    }
    let entry = class::lookup::find_method(cx, class, sym::INITIALIZE);
    // A class made by Class.allocate has no methods yet, not even this one.
    if entry.is_undef() {
        return false;
    }
    // The code of an alias may be that of a method that has never been called.
    unlinked::link_entry(cx, entry);
    let data = class::data::class_data_mut(cx, class);
    data.initializer = class::data::MethodSlot(entry);
    data.allocator = class::data::MethodSlot(allocator);
    true
}

/// Kernel#send, public_send: removes the name and moves the arguments down.
fn send(cx: &mut Cx, scope: Scope, call: &Call) -> R<Action> {
    let (window, receiver) = (call.window, call.window.receiver());
    let given = window.get(1);
    let name = match Sym::from_value(given) {
        Some(name) => name,
        None => (cx.vm().upper.to_symbol)(cx, given)?,
    };
    window.shift(2, 1, call.words() - 1);
    let call = Call { count: call.count - 1, ..*call };
    let class = class::class_of(cx, receiver);
    let mut entry = lookup::look_up_name(cx, class, name, receiver);
    if cx.vm().refinements_used
        && let Some(refined) = refinements::find(cx, cx.frame().scope.cref, class, name)
    {
        entry = refined;
    }
    let hidden = scope == Scope::Public && !entry.is_undef() && method_entry::visibility(entry) != Visibility::Public;
    if entry.is_undef() || hidden || !visible(cx, entry, receiver, scope) {
        return missing::dispatch(cx, name, entry, scope, &call);
    }
    dispatch(cx, entry, &call)
}
