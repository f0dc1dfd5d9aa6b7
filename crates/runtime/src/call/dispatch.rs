//! The dispatcher: runs a method entry, whatever its kind, on a call's window.

use abi::{BlockHandler, FrameFlags, Value};
use object::{
    Sym, class,
    method_entry::{self, Kind},
};

use super::{
    accessor, block,
    description::{Action, Call, Scope},
    lookup::visible,
    method, missing, native, special,
};
use crate::{
    Cx, R, literal_arguments,
    method_table::{Special, row},
    trace::calls_are_traced,
    unlinked,
};

/// Like [`dispatch`], for a call by name in Ruby code: `X.new` without a block is no call of its own for trace points,
/// as in CRuby, which has an instruction for it.
pub fn dispatch_written(cx: &mut Cx, entry: Value, call: &Call) -> R<Action> {
    if method_entry::kind(entry) == Kind::Native {
        let row = row(entry);
        if row.special == Special::New
            && let Some(action) = special::run_written(cx, row.special, call)?
        {
            return Ok(action);
        }
    }
    dispatch(cx, entry, call)
}

/// Runs `entry` on a call: pushes a frame, or completes the call at once if it needs no frame.
pub fn dispatch(cx: &mut Cx, entry: Value, call: &Call) -> R<Action> {
    match method_entry::kind(entry) {
        Kind::Sequence => {
            let body = method_entry::body(entry);
            let body = unlinked::linked(cx, &body);
            method::enter(cx, entry, body, call).map(|()| Action::Entered)
        }
        Kind::Native => {
            let row = row(entry);
            // When called from Rust, the method gets a frame, so that backtraces show it.
            if row.special != Special::None
                && call.flags & FrameFlags::ENTRY == 0
                && !(row.special == Special::New && calls_are_traced(cx))
                && let Some(action) = special::run(cx, row.special, call)?
            {
                return Ok(action);
            }
            native::run_gathered(cx, entry, row, call, 0).map(Action::Value)
        }
        Kind::Block => block::enter_method(cx, entry, call),
        Kind::Alias => dispatch(cx, method_entry::resolve_alias(entry), call),
        Kind::ZSuper => {
            let next = class::lookup::find_super(
                cx,
                method_entry::found_in(entry),
                method_entry::owner(entry),
                method_entry::name(entry),
            );
            if next.is_undef() {
                return missing::no_super(cx, method_entry::name(entry), call);
            }
            dispatch(cx, next, call)
        }
        _ => accessor::run(cx, entry, call).map(Action::Value),
    }
}

/// Runs `entry` from Rust.
pub fn call_entry(
    cx: &mut Cx,
    entry: Value,
    receiver: Value,
    arguments: &[Value],
    keywords: Option<Value>,
    passed: BlockHandler,
) -> R {
    let call = Call::from_rust(cx, receiver, arguments, keywords, passed)?;
    if method_entry::kind(entry) == Kind::Native {
        let row = row(entry);
        let lent = literal_arguments::lend_on(cx, call.window, 1 + call.count, row.facts.borrowed);
        return native::run_gathered(cx, entry, row, &call, lent);
    }
    literal_arguments::own_window(cx, call.window, 1 + call.count);
    if let Some(result) = native::try_shortcut(cx, entry, &call)? {
        return Ok(result);
    }
    dispatch(cx, entry, &call)?.finish(cx)
}

/// Calls a method with all kinds of arguments; keywords are a Hash.
pub fn send_full(
    cx: &mut Cx,
    receiver: Value,
    name: Sym,
    arguments: &[Value],
    keywords: Option<Value>,
    block: BlockHandler,
    scope: Scope,
) -> R {
    let class = class::class_of(cx, receiver);
    let entry = class::lookup::find_method(cx, class, name);
    if entry.is_undef() || !visible(cx, entry, receiver, scope) {
        return missing::call_method_missing(
            cx,
            receiver,
            missing::Missed { name, scope, entry },
            arguments,
            keywords,
            block,
        );
    }
    call_entry(cx, entry, receiver, arguments, keywords, block)
}
