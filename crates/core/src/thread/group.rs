//! ThreadGroup.

use heap::Trace;
use object::{
    array::Arr,
    native::{self, NativeData},
};
use runtime::{Args, Cx, Known, Method, R, Value, concurrency::thread::state, define, error::ErrorClass, make};

/// Whether threads may neither enter nor leave.
#[derive(Trace)]
struct Group {
    enclosed: bool,
}

impl NativeData for Group {
    object::one_vtable!(Group);
}

const METHODS: &[Method] = &[
    Method::new("add(thread)", add),
    Method::new("list", list),
    Method::new("enclose", enclose),
    Method::new("enclosed?", is_enclosed),
];

const SINGLETON: &[Method] = &[Method::new("allocate", allocate)];

pub fn define(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let class = define::define_class(cx, object, "ThreadGroup", object);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    let default = native::embed(cx, class, Group { enclosed: false });
    let symbol = object::symbol::table::intern_text(cx, "Default");
    define::set_constant(cx, class, symbol, default);
    cx.set_root(runtime::Root::ThreadGroupDefault, default);
    let main = cx.thread;
    state(cx, main).group = default;
}

/// A hidden group for the threads of a Ractor.
pub fn new(cx: &mut Cx) -> Value {
    let default = cx.root(runtime::Root::ThreadGroupDefault);
    let class = object::class::class_of(cx, default);
    native::embed(cx, class, Group { enclosed: false })
}

/// `ThreadGroup.allocate → group`: a group without threads.
fn allocate(cx: &mut Cx, args: Args) -> R {
    Ok(native::embed(cx, args.me(), Group { enclosed: false }))
}

fn own(cx: &mut Cx, v: Value) -> R<&mut Group> {
    native::get_mut_or::<Group, _, _>(cx, v, |cx| cx.type_error("wrong argument type (expected ThreadGroup)"))
}

/// `add(thread) → self`: moves a thread to this group. ThreadError if its group or this one is enclosed.
fn add(cx: &mut Cx, args: Args) -> R {
    super::check_thread(cx, args.at(0))?;
    if object::cell::frozen(args.me()) {
        return Err(cx.raise(ErrorClass::ThreadError, "can't move to the frozen thread group"));
    }
    if own(cx, args.me())?.enclosed {
        return Err(cx.raise(ErrorClass::ThreadError, "can't move to the enclosed thread group"));
    }
    let thread = state(cx, args.at(0));
    if !thread.is_alive() {
        return Ok(Value::NIL);
    }
    let old = thread.group;
    if object::cell::frozen(old) {
        return Err(cx.raise(ErrorClass::ThreadError, "can't move from the frozen thread group"));
    }
    if !old.is_nil() && own(cx, old)?.enclosed {
        return Err(cx.raise(ErrorClass::ThreadError, "can't move from the enclosed thread group"));
    }
    state(cx, args.at(0)).group = args.me();
    Ok(args.me())
}

/// `list → array`: the threads of the group that have not ended.
fn list(cx: &mut Cx, args: Args) -> R {
    let all = super::living(cx);
    let members = make::array(cx, &[]);
    let mut i = 0;
    while let Some(thread) = Arr::of(all).get(i) {
        if state(cx, thread).group == args.me() {
            make::push(cx, members, thread);
        }
        i += 1;
    }
    Ok(members)
}

/// `enclose → self`: prevents adding and removing threads from now on; `add` raises ThreadError.
fn enclose(cx: &mut Cx, args: Args) -> R {
    own(cx, args.me())?.enclosed = true;
    Ok(args.me())
}

/// `enclosed? → true or false`: whether threads can no longer be added or removed.
fn is_enclosed(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(own(cx, args.me())?.enclosed))
}
