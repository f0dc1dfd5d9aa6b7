//! Method and UnboundMethod: methods as objects.

pub mod inspect;

use abi::{Type, Value};
use object::{
    Known, cell,
    class::{self, class_data},
    hash,
    method_entry::{self, Kind},
    proc, symbol,
};
use runtime::{
    Args, Cx, Method, R,
    call::{self, arity, signatures},
    code::code,
    define, make,
    method_object::{self, MethodData},
    method_table,
};

use crate::{
    module::definition::resolve_zsuper,
    proc::{compose, describe},
};

/// Methods of both classes.
const BOTH: &[Method] = &[
    Method::new("name", name).leaf(),
    Method::new("original_name", original_name).leaf(),
    Method::new("owner", owner).leaf(),
    Method::new("arity", arity).leaf().frameless(0),
    Method::new("parameters", parameters),
    Method::new("source_location", source_location),
    Method::new("super_method", super_method),
    Method::new("==(other)", equal).borrows(0),
    Method::new("eql?(other)", equal).borrows(0),
    Method::new("hash", hash_code),
    Method::new("inspect", inspect::inspect),
    Method::new("to_s", inspect::inspect),
    Method::new("clone(freeze: nil)", clone),
    Method::new("dup", dup),
];

pub const METHODS: &[Method] = &[
    Method::new("call(*arguments, **options, &block)", call),
    Method::new("[](*arguments, **options, &block)", call),
    Method::new("===(*arguments, **options, &block)", call),
    Method::new("receiver", receiver).leaf(),
    Method::new("unbind", unbind),
    Method::new("to_proc", to_proc),
    Method::new("curry(arity = nil)", curry),
    Method::new(">>(other)", compose::then),
    Method::new("<<(other)", compose::after),
];

pub const UNBOUND: &[Method] = &[
    Method::new("bind(receiver)", bind),
    Method::new("bind_call(receiver, *arguments, **options, &block)", bind_call),
];

pub fn define(cx: &mut Cx) {
    let (bound, unbound) = (cx.class(Known::Method), cx.class(Known::UnboundMethod));
    for class in [bound, unbound] {
        define::define_methods(cx, class, BOTH);
        crate::nil_class::without_instances(cx, class);
    }
    define::define_methods(cx, bound, METHODS);
    define::define_methods(cx, unbound, UNBOUND);
}

fn data<'a>(cx: &mut Cx, v: &'a Value) -> R<&'a MethodData> {
    match method_object::get(v) {
        Some(data) => Ok(data),
        None => Err(cx.type_error("uninitialized method")),
    }
}

/// `call(*arguments, **options, &block)`, `[](*arguments, **options, &block)`, `===(*arguments, **options, &block) →
/// object`: calls the method of its receiver; ArgumentError if it does not accept the arguments.
fn call(cx: &mut Cx, args: Args) -> R {
    let m = data(cx, args.me_ref())?;
    let block = args.block(cx);
    run(cx, m, m.receiver, args.all(), args.keywords(), block)
}

fn run(
    cx: &mut Cx,
    m: &MethodData,
    receiver: Value,
    arguments: &[Value],
    keywords: Option<Value>,
    block: abi::BlockHandler,
) -> R {
    if m.missing {
        let missed = call::missing::Missed { name: m.name, scope: call::Scope::Function, entry: Value::UNDEF };
        return call::missing::call_method_missing(cx, receiver, missed, arguments, keywords, block);
    }
    call::call_entry(cx, m.entry, receiver, arguments, keywords, block)
}

/// `name → symbol`: the name by which the method was looked up.
fn name(cx: &mut Cx, args: Args) -> R {
    Ok(data(cx, args.me_ref())?.name.value())
}

/// `original_name → symbol`: the name in the definition, which differs from `name` for an alias.
fn original_name(cx: &mut Cx, args: Args) -> R {
    let m = data(cx, args.me_ref())?;
    Ok(if m.missing { m.name.value() } else { method_entry::original_name(m.entry).value() })
}

/// `owner → module`: the class or module that defines the method, or that changed its visibility; for an alias the one
/// that contains the alias.
fn owner(cx: &mut Cx, args: Args) -> R {
    let m = data(cx, args.me_ref())?;
    if m.missing {
        return Ok(class::non_singleton(m.class));
    }
    let (name, original) = (method_entry::name(m.entry), method_entry::original_name(m.entry));
    if name != original {
        // An alias belongs to the module that contains it, not to the method's owner.
        let is_here = |place: &Value| {
            let own = class::lookup::own_method(*place, name);
            !own.is_undef() && method_entry::original_name(own) == original
        };
        if let Some(place) = class::ancestors::each(m.class).find(is_here) {
            return Ok(place);
        }
    }
    // A class may only change the visibility of what an ancestor defines.
    let owner = method_entry::owner(m.entry);
    let passes_on = |place: &Value| {
        let own = class::lookup::own_method(*place, name);
        !own.is_undef() && method_entry::kind(own) == Kind::ZSuper
    };
    let between = class::ancestors::each(m.class).take_while(|place| *place != owner).find(passes_on);
    Ok(between.unwrap_or(owner))
}

/// `receiver → object`: the object that the method is bound to.
fn receiver(cx: &mut Cx, args: Args) -> R {
    Ok(data(cx, args.me_ref())?.receiver)
}

/// `arity → integer`: the number n of required arguments, or -n - 1 if more may follow.
fn arity(cx: &mut Cx, args: Args) -> R {
    let m = data(cx, args.me_ref())?;
    let arity = if m.missing { -1 } else { arity::reported_arity(cx, m.entry) };
    Ok(Value::fixnum(arity))
}

/// The sequence that an entry runs, or nil. It is linked if the entry is that of a Method object.
pub fn body_of(entry: Value) -> Value {
    let entry = method_entry::resolve_alias(entry);
    match method_entry::kind(entry) {
        Kind::Sequence => method_entry::body(entry),
        Kind::Block => {
            let p = method_entry::body(entry);
            let header = cell::header(p);
            if header.has(proc::NATIVE | proc::FROM_SYMBOL | proc::FROM_METHOD) { Value::NIL } else { proc::code(p) }
        }
        _ => Value::NIL,
    }
}

/// `parameters → array`: pairs of a kind (`:req`, `:opt`, `:rest`, `:key` …) and the name of each parameter.
fn parameters(cx: &mut Cx, args: Args) -> R {
    let m = data(cx, args.me_ref())?;
    parameters_of(cx, m)
}

/// The `parameters` of a method.
pub fn parameters_of(cx: &mut Cx, m: &MethodData) -> R {
    if m.missing {
        return Ok(describe::of_arity(cx, -1));
    }
    if let Some(signature) = signatures::of_entry(cx, m.entry) {
        return Ok(describe::of_signature(cx, &signature));
    }
    let body = body_of(m.entry);
    if !body.is_nil() {
        return Ok(describe::of_code(cx, code(&body), true));
    }
    let entry = method_entry::resolve_alias(m.entry);
    if method_entry::kind(entry) == Kind::StructWriter {
        let row = [symbol::table::intern_text(cx, "req").value(), symbol::table::intern_text(cx, "_").value()];
        let row = make::array(cx, &row);
        return Ok(make::array(cx, &[row]));
    }
    Ok(describe::of_arity(cx, arity::arity_of(entry)))
}

/// `source_location → array or nil`: the path and the line of the definition; nil for a method written in Rust.
fn source_location(cx: &mut Cx, args: Args) -> R {
    let m = data(cx, args.me_ref())?;
    if m.missing {
        return Ok(Value::NIL);
    }
    let entry = method_entry::resolve_alias(m.entry);
    let place = method_entry::place(entry);
    if !place.is_nil() {
        return Ok(make::copy(cx, object::array::Arr::of(place)));
    }
    Ok(describe::location_of(cx, body_of(m.entry)))
}

/// `unbind → unbound_method`: the method without its receiver; `bind` gives it another one.
fn unbind(cx: &mut Cx, args: Args) -> R {
    let m = data(cx, args.me_ref())?;
    let data = MethodData { receiver: Value::UNDEF, entry: m.entry, name: m.name, class: m.class, missing: m.missing };
    Ok(method_object::new(cx, data))
}

/// TypeError unless `receiver` is an instance of the method's owner.
fn check_bindable(cx: &mut Cx, m: &MethodData, receiver: Value) -> R<()> {
    if m.missing {
        return Ok(());
    }
    let mut owner = method_entry::owner(m.entry);
    if class::flags(owner).refinement {
        owner = class::refined(owner);
    }
    if cell::is(owner, Type::Module) || class::is_a(cx, receiver, owner) {
        return Ok(());
    }
    if class::flags(owner).singleton {
        return Err(cx.type_error("singleton method called for a different object"));
    }
    let name = runtime::error::shown_name(cx, owner);
    Err(cx.type_error(&format!("bind argument must be an instance of {name}")))
}

/// `bind(receiver) → method`: the method for a receiver. TypeError unless the receiver is an instance of the method's
/// class; a module's method accepts any object.
fn bind(cx: &mut Cx, args: Args) -> R {
    let m = data(cx, args.me_ref())?;
    let receiver = args.at(0);
    check_bindable(cx, m, receiver)?;
    let class = class::class_of(cx, receiver);
    let entry = placed(cx, m, class);
    Ok(method_object::new(cx, MethodData { receiver, entry, name: m.name, class, missing: m.missing }))
}

/// The entry as found in the ancestors of `class`, so that `super` continues from there.
fn placed(cx: &mut Cx, m: &MethodData, class: Value) -> Value {
    if m.missing {
        return m.entry;
    }
    let owner = method_entry::owner(m.entry);
    if !cell::is(owner, Type::Module) {
        return m.entry;
    }
    let mut at = class;
    while !at.is_nil() {
        if class_data(cx, at).segment.iter().any(|a| a.0 == owner) {
            return method_entry::complement(cx, m.entry, at);
        }
        at = class::superclass(at);
    }
    // The module is not among the ancestors: `super` begins with the class itself.
    method_entry::complement(cx, m.entry, class)
}

/// `bind_call(receiver, *arguments, **options, &block) → object`: `bind` and `call` in one step, without creating a
/// Method.
fn bind_call(cx: &mut Cx, args: Args) -> R {
    let m = data(cx, args.me_ref())?;
    let receiver = args.at(0);
    check_bindable(cx, m, receiver)?;
    let class = class::class_of(cx, receiver);
    let block = args.block(cx);
    if !m.missing && cell::is(method_entry::owner(m.entry), Type::Module) {
        let entry = placed(cx, m, class);
        return call::call_entry(cx, entry, receiver, args.from(1), args.keywords(), block);
    }
    run(cx, m, receiver, args.from(1), args.keywords(), block)
}

/// `to_proc → proc`: a lambda that calls the method.
fn to_proc(cx: &mut Cx, args: Args) -> R {
    let class = cx.class(Known::Proc);
    Ok(proc::new(cx, class, Value::NIL, args.me(), Value::NIL, proc::FROM_METHOD | proc::LAMBDA))
}

/// `curry(arity = nil) → proc`: `to_proc.curry`: a lambda that collects arguments until there are enough. ArgumentError
/// for an arity that the method does not accept.
fn curry(cx: &mut Cx, args: Args) -> R {
    let p = to_proc(cx, args)?;
    let name = object::symbol::table::intern_text(cx, "curry");
    call::send(cx, p, name, args.all())
}

/// `super_method → method or nil`: the method that `super` would call from this one; nil if there is none.
fn super_method(cx: &mut Cx, args: Args) -> R {
    let m = data(cx, args.me_ref())?;
    if m.missing {
        return Ok(Value::NIL);
    }
    // The super method of an alias is that of the method under its original name.
    let original = method_entry::resolve_alias(m.entry);
    let owner = method_entry::owner(original);
    // Like `super`, it heeds the refinements that are active where the method is defined.
    let refined = runtime::refinements::find_super(cx, method_entry::scope_of(original), original);
    let entry = refined.unwrap_or_else(|| {
        let name = method_entry::original_name(original);
        class::lookup::find_super(cx, method_entry::found_in(original), owner, name)
    });
    if entry.is_undef() {
        return Ok(Value::NIL);
    }
    let (class, name) = (method_entry::owner(entry), method_entry::name(entry));
    let entry = resolve_zsuper(entry, cx);
    if entry.is_undef() {
        return Ok(Value::NIL);
    }
    Ok(method_object::new(cx, MethodData { receiver: m.receiver, entry, name, class, missing: false }))
}

/// The identity of a method, independent of its name.
fn identity(m: &MethodData) -> [u64; 3] {
    if m.missing {
        return [m.name.value().0, 0, 1];
    }
    let entry = method_entry::read(method_entry::resolve_alias(m.entry));
    let body = match entry.kind {
        Kind::Native => method_table::row(method_entry::resolve_alias(m.entry)).function as usize as u64,
        _ => entry.body.0,
    };
    [body, entry.owner.0, entry.kind as u64]
}

/// `==(other)`, `eql?(other) → true or false`: whether both are the same definition, bound to the same receiver. A
/// Method with methods of its own equals no other.
fn equal(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    let (Some(a), Some(b)) = (method_object::get(&me), method_object::get(&other)) else { return Ok(Value::FALSE) };
    let same =
        class::class_of(cx, me) == class::class_of(cx, other) && a.receiver == b.receiver && identity(a) == identity(b);
    Ok(Value::bool(same))
}

/// `hash → integer`: equal for methods that are `eql?`: the same receiver and the same definition.
fn hash_code(cx: &mut Cx, args: Args) -> R {
    let m = data(cx, args.me_ref())?;
    let mut mixed = hash::mix(cx, m.receiver.0);
    for part in identity(m) {
        mixed = hash::mix(cx, mixed.rotate_left(13) ^ part);
    }
    Ok(Value::fixnum((mixed as i64) >> 2))
}

/// `dup → method`: a copy without the singleton methods, not frozen.
fn dup(cx: &mut Cx, args: Args) -> R {
    let m = data(cx, args.me_ref())?;
    let copy = MethodData { receiver: m.receiver, entry: m.entry, name: m.name, class: m.class, missing: m.missing };
    let copy = method_object::new(cx, copy);
    object::shape::ivars::copy(cx, args.me(), copy);
    Ok(copy)
}

/// `clone(freeze: nil) → method`: a copy with the instance variables, the singleton methods and the frozen state.
/// `freeze` is accepted and ignored.
fn clone(cx: &mut Cx, args: Args) -> R {
    runtime::keys::only_keywords(cx, args.keywords(), &[runtime::sym::FREEZE])?;
    let m = data(cx, args.me_ref())?;
    let copy = MethodData { receiver: m.receiver, entry: m.entry, name: m.name, class: m.class, missing: m.missing };
    let copy = method_object::new(cx, copy);
    object::shape::ivars::copy(cx, args.me(), copy);
    crate::object::copy::copy_singleton(cx, args.me(), copy);
    if cell::frozen(args.me()) {
        crate::object::copy::freeze_object(cx, copy);
    }
    Ok(copy)
}
