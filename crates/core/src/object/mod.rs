//! Object, and the methods of Kernel that concern their receiver: identity, copies, classes, variables, methods.
//!
//! - `identity`: object_id, hash, equality; `copy`: dup, clone, freeze; `variables`: instance variables, inspect;
//! - `classes`: is_a?, extend, singleton_class; `methods`: respond_to?, methods, method, define_singleton_method.

pub mod classes;
pub mod copy;
pub mod identity;
pub mod methods;
pub mod variables;

use abi::Value;
use object::Known;
use runtime::{
    Args, Cx, Method, R,
    call::{self, Scope},
    convert, define,
    method_table::{InLine, Special},
    sym,
};

use crate::basic_object;

/// Instance methods of Kernel.
pub const METHODS: &[Method] = &[
    Method::new("nil?", no).leaf().pure().in_line(InLine::IsNil),
    Method::new("===(other)", identity::case_equal).borrows(0),
    Method::new("!~(other)", no_match).borrows(0),
    Method::new("eql?(other)", same).borrows(0).leaf().pure(),
    Method::new("hash", identity::hash).leaf().frameless(0),
    Method::new("<=>(other)", identity::compare).borrows(0),
    Method::new("class", classes::class).leaf().frameless(0).in_line(InLine::Class),
    Method::new("singleton_class", classes::singleton_class),
    Method::new("dup", copy::dup),
    Method::new("clone(freeze: nil)", copy::clone),
    Method::new("itself", itself).leaf().pure().in_line(InLine::Itself),
    Method::new("initialize_copy(original)", copy::initialize_copy).private(),
    Method::new("initialize_dup(original)", copy::initialize_dup).private(),
    Method::new("initialize_clone(original, freeze: nil)", copy::initialize_clone).private(),
    Method::new("freeze", copy::freeze).leaf().frameless(0),
    Method::new("frozen?", copy::is_frozen).leaf().pure().in_line(InLine::Frozen),
    Method::new("to_s", variables::to_s),
    Method::new("inspect", variables::inspect),
    Method::new("methods(all = true)", methods::methods),
    Method::new("singleton_methods(all = true)", methods::singleton_methods),
    Method::new("public_methods(all = true)", methods::public_methods),
    Method::new("private_methods(all = true)", methods::private_methods),
    Method::new("protected_methods(all = true)", methods::protected_methods),
    Method::new("instance_variables_to_inspect", instance_variables_to_inspect).private().leaf(),
    Method::new("instance_variables", variables::instance_variables).leaf(),
    Method::new("instance_variable_get(name)", variables::get).borrows(0).in_line(InLine::Variable),
    Method::new("instance_variable_set(name, value)", variables::set).borrows(0).in_line(InLine::SetVariable),
    Method::new("instance_variable_defined?(name)", variables::is_defined).borrows(0).in_line(InLine::HasVariable),
    Method::new("remove_instance_variable(name)", variables::remove).borrows(0),
    Method::new("instance_of?(class)", classes::is_instance_of).leaf().pure().in_line(InLine::InstanceOf),
    Method::new("kind_of?(class)", classes::is_kind_of).leaf().pure().in_line(InLine::KindOf),
    Method::new("is_a?(class)", classes::is_kind_of).leaf().pure().in_line(InLine::KindOf),
    Method::new("display(port = $stdout)", display),
    Method::new("method(name)", methods::method).borrows(0),
    Method::new("public_method(name)", methods::public_method).borrows(0),
    Method::new("singleton_method(name)", methods::singleton_method).borrows(0),
    Method::new("define_singleton_method(name, body = nil, &block)", methods::define_singleton_method).borrows(0),
    Method::new("extend(module, *modules)", classes::extend),
    Method::new("object_id", basic_object::object_id).leaf().frameless(0),
    Method::new("respond_to?(name, include_all = false)", methods::respond_to).borrows(0).in_line(InLine::RespondTo),
    Method::new("respond_to_missing?(name, include_all)", no).private().leaf(),
    Method::new("send(*arguments, **options, &block)", basic_object::send).borrows(0).special(Special::Send),
    Method::new("public_send(*arguments, **options, &block)", public_send).borrows(0).special(Special::PublicSend),
];

/// Adds the methods of objects to the Kernel module, which already exists.
pub fn define(cx: &mut Cx) {
    let kernel = cx.root(runtime::Root::Kernel);
    define::define_methods(cx, kernel, METHODS);
    let object = cx.class(Known::Object);
    // Cannot fail: Kernel includes nothing.
    let _ = object::class::ancestors::include(cx, object, kernel);
}

/// `nil?`, `respond_to_missing?(name, include_all) → false`: the defaults that classes redefine.
pub fn no(_: &mut Cx, _: Args) -> R {
    Ok(Value::FALSE)
}

/// `instance_variables_to_inspect → nil`: `inspect` shows all instance variables; programs redefine it to return an
/// array of names.
fn instance_variables_to_inspect(_: &mut Cx, _: Args) -> R {
    Ok(Value::NIL)
}

/// `itself → self`: for blocks and methods that need an identity function.
fn itself(_: &mut Cx, args: Args) -> R {
    Ok(args.me())
}

/// `eql?(other) → true or false`: whether both are the same object; classes whose instances are hash keys by value
/// redefine it.
fn same(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(args.me() == args.at(0)))
}

/// `self !~ other → true or false`: the negated result of calling `=~`.
fn no_match(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(!call::send(cx, args.me(), sym::MATCH, &[args.at(0)])?.truthy()))
}

/// `public_send(*arguments, **options, &block) → object`: like `send`, but NoMethodError for private and protected
/// methods.
fn public_send(cx: &mut Cx, args: Args) -> R {
    basic_object::send_as(cx, args, Scope::Public)
}

/// `display(port = $stdout) → nil`: writes the result of `to_s` to a stream, without a newline.
fn display(cx: &mut Cx, args: Args) -> R {
    let port = match args.opt(0) {
        Some(port) => port,
        None => {
            let name = object::symbol::table::intern_text(cx, "$stdout");
            cx.global_get(name)?
        }
    };
    let text = convert::to_s(cx, args.me())?;
    call::send(cx, port, sym::WRITE, &[text.value()])?;
    Ok(Value::NIL)
}
