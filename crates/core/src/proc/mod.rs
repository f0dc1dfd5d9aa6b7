//! Proc: a block as an object.
//!
//! - `compose`: curry, >>, <<; `describe`: arity, parameters, source_location, inspect.

pub mod compose;
pub mod describe;

use abi::{Type, Value};
use object::{Known, cell, class, hash, method_entry, native, proc};
use runtime::{
    Args, Cx, Method, R,
    binding::{self, BindingData},
    call::block,
    code::code,
    define,
    method_object::MethodData,
    method_table::Special,
    reflect, sym, warning,
};

pub const METHODS: &[Method] = &[
    Method::new("call(*arguments, **options, &block)", call).special(Special::ProcCall),
    Method::new("yield(*arguments, **options, &block)", call).special(Special::ProcCall),
    Method::new("[](*arguments, **options, &block)", call).special(Special::ProcCall),
    Method::new("===(*arguments, **options, &block)", call).special(Special::ProcCall),
    Method::new("to_proc", to_proc).leaf().frameless(0),
    Method::new("lambda?", is_lambda).leaf().frameless(0),
    Method::new("arity", describe::arity).leaf().frameless(0),
    Method::new("parameters(lambda: nil)", describe::parameters),
    Method::new("source_location", describe::source_location),
    Method::new("to_s", describe::inspect),
    Method::new("inspect", describe::inspect),
    Method::new("curry(arity = nil)", compose::curry),
    Method::new(">>(other)", compose::then),
    Method::new("<<(other)", compose::after),
    Method::new("binding", binding),
    Method::new("ruby2_keywords", ruby2_keywords),
    Method::new("==(other)", equal).borrows(0),
    Method::new("eql?(other)", equal).borrows(0),
    Method::new("hash", hash_code),
    Method::new("dup", dup),
    Method::new("clone(freeze: nil)", clone),
];

pub const SINGLETON: &[Method] = &[Method::new("new(*arguments, **options, &block)", new)];

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Proc);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
}

/// `Proc.new { … } → proc`: the block as an instance of the class; calls `initialize`. ArgumentError without one.
fn new(cx: &mut Cx, args: Args) -> R {
    let block = args.block_proc(cx)?;
    if block.is_nil() {
        return Err(cx.argument_error("tried to create Proc object without a block"));
    }
    let class = args.me();
    let made = if class::real_class(cx, block) == class { block } else { copy_as(cx, block, class) };
    runtime::call::send_full(
        cx,
        made,
        sym::INITIALIZE,
        args.all(),
        args.keywords(),
        abi::BlockHandler(block),
        runtime::call::Scope::Function,
    )?;
    Ok(made)
}

/// A Proc of another class with the same block.
fn copy_as(cx: &mut Cx, p: Value, class: Value) -> Value {
    let flags = cell::header(p).flags()
        & (proc::LAMBDA | proc::FROM_METHOD | proc::FROM_SYMBOL | proc::RUBY2_KEYWORDS | proc::NATIVE);
    proc::new(cx, class, proc::environment(p), proc::code(p), proc::receiver(p), flags)
}

/// `call(…)`, `yield(…)`, `[](…)`, `===(…) → object`: calls the block. The interpreter runs it in its loop; this
/// function serves calls from Rust.
fn call(cx: &mut Cx, args: Args) -> R {
    let passed = args.block(cx);
    block::call_block(cx, abi::BlockHandler(args.me()), args.all(), args.keywords(), passed)
}

/// `to_proc → self`: the conversion used by `&`.
fn to_proc(_: &mut Cx, args: Args) -> R {
    Ok(args.me())
}

/// `lambda? → true or false`: whether arguments are checked and `return` only leaves the block, as for lambdas and
/// procs of methods.
fn is_lambda(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(proc::is_lambda(args.me()) || cell::header(args.me()).has(proc::FROM_METHOD)))
}

/// Whether it was created by `->` or `lambda`.
pub fn is_from_literal_lambda(p: Value) -> bool {
    proc::is_lambda(p) || cell::header(p).has(proc::FROM_METHOD | proc::FROM_SYMBOL)
}

/// `binding → binding`: the scope that the block closes over; for the Proc of a Method an empty scope where the method
/// is defined. ArgumentError for a proc of a native function or a symbol.
fn binding(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    if cell::header(me).has(proc::FROM_METHOD)
        && let Some(method) = native::get::<MethodData>(&proc::code(me))
        && !method.missing
    {
        let (receiver, entry) = (method.receiver, method_entry::resolve_alias(method.entry));
        let body = crate::method::body_of(entry);
        return runtime::eval::binding_of_method(cx, receiver, method_entry::scope_of(entry), body);
    }
    let environment = proc::environment(me);
    if environment.is_nil() || cell::header(me).has(proc::NATIVE | proc::FROM_SYMBOL | proc::FROM_METHOD) {
        return Err(cx.argument_error("Can't create Binding from C level Proc"));
    }
    if object::environment::is_isolated(environment) {
        return Err(cx.argument_error("Can't create Binding from isolated Proc"));
    }
    let data = BindingData {
        environment,
        receiver: proc::receiver(me),
        code: reflect::environment_scope(&environment).code,
        line: binding::Line::Known(code(&proc::code(me)).first_line),
        is_growing: false,
    };
    let class = cx.class(Known::Binding);
    Ok(binding::new(cx, class, data))
}

/// `ruby2_keywords → self`: flags the Hash of keywords in the rest parameter, like `Module#ruby2_keywords`.
fn ruby2_keywords(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cx.check_frozen(me)?;
    let body = proc::code(me);
    let accepts = cell::is(body, Type::InstructionSequence) && {
        let p = &code(&body).parameters;
        p.rest.is_some() && p.post == 0 && p.keywords.is_empty() && p.keyword_rest.is_none()
    };
    if accepts {
        code(&body).ruby2_keywords.set(true);
        // Compiled calls rely on the lookup of Proc#call, and would pass Hashes without the flag.
        object::class::lookup::invalidate_all(cx);
    } else if cell::header(me).has(proc::FROM_METHOD) {
        let text = "Skipping set of ruby2_keywords flag for proc (proc created from method)";
        warning::warn_here(cx, text)?;
    } else if cell::header(me).has(proc::FROM_SYMBOL | proc::NATIVE) {
        warning::warn_here(cx, "Skipping set of ruby2_keywords flag for proc (proc not defined in Ruby)")?;
    } else {
        warning::warn_here(
            cx,
            "Skipping set of ruby2_keywords flag for proc (proc accepts keywords or post arguments or proc does not \
             accept argument splat)",
        )?;
    }
    Ok(me)
}

fn parts(p: Value) -> [Value; 3] {
    [proc::environment(p), proc::code(p), proc::receiver(p)]
}

/// `==(other)`, `eql?(other) → true or false`: whether both were created from the same block with the same variables.
fn equal(_: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    if me == other {
        return Ok(Value::TRUE);
    }
    if !cell::is(other, Type::Proc) {
        return Ok(Value::FALSE);
    }
    Ok(Value::bool(parts(me) == parts(other) && proc::is_lambda(me) == proc::is_lambda(other)))
}

/// `hash → integer`: equal for procs that are `eql?`: of the same block and the same variables.
fn hash_code(cx: &mut Cx, args: Args) -> R {
    let mut mixed = proc::is_lambda(args.me()) as u64;
    for part in parts(args.me()) {
        // A part whose hash was computed is never moved.
        mixed = hash::mix(cx, mixed.rotate_left(17) ^ hash::hash_by_identity(cx, part));
    }
    Ok(Value::fixnum((mixed as i64) >> 2))
}

fn copy(cx: &mut Cx, me: Value) -> Value {
    let class = class::real_class(cx, me);
    let copy = copy_as(cx, me, class);
    object::shape::ivars::copy(cx, me, copy);
    copy
}

/// `dup → proc`: a copy of the same class; calls its `initialize_dup`.
fn dup(cx: &mut Cx, args: Args) -> R {
    let copy = copy(cx, args.me());
    runtime::call::send_private(cx, copy, sym::INITIALIZE_DUP, &[args.me()])?;
    Ok(copy)
}

/// `clone(freeze: nil) → proc`: a copy with the singleton methods and, unless `freeze` is false, the frozen state;
/// calls its `initialize_clone`.
fn clone(cx: &mut Cx, args: Args) -> R {
    runtime::keys::only_keywords(cx, args.keywords(), &[sym::FREEZE])?;
    let copy = copy(cx, args.me());
    crate::object::copy::copy_singleton(cx, args.me(), copy);
    runtime::call::send_private(cx, copy, sym::INITIALIZE_CLONE, &[args.me()])?;
    let freeze = runtime::keys::keyword(cx, args.keywords(), sym::FREEZE).or(Value::NIL);
    if freeze == Value::TRUE || (freeze.is_nil() && cell::frozen(args.me())) {
        crate::object::copy::freeze_object(cx, copy);
    }
    Ok(copy)
}
