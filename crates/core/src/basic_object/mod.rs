//! BasicObject: the methods of every object.

use abi::Value;
use object::{Known, method_entry::Visibility};
use runtime::{
    Args, Cx, Method, R, call,
    call::{Scope, missing},
    convert, define,
    method_table::{InLine, Special},
    sym,
};

use crate::module::evaluation;

pub const METHODS: &[Method] = &[
    Method::new("initialize", initialize).private().leaf().in_line(InLine::Nothing),
    Method::new("==(other)", same).borrows(0).leaf().pure().in_line(InLine::Same),
    Method::new("equal?(other)", same).leaf().pure().in_line(InLine::Same),
    Method::new("!", not).leaf().pure().in_line(InLine::Not),
    Method::new("!=(other)", not_equal).borrows(0).in_line(InLine::Different),
    Method::new("__send__(*arguments, **options, &block)", send).borrows(0).special(Special::Send),
    Method::new("__id__", object_id).leaf(),
    Method::new("instance_eval(*arguments, &block)", instance_eval),
    Method::new("instance_exec(*arguments, **options, &block)", instance_exec),
    Method::new("method_missing(*arguments, **options)", method_missing).private(),
    Method::new("singleton_method_added(name)", nothing).private().leaf(),
    Method::new("singleton_method_removed(name)", nothing).private().leaf(),
    Method::new("singleton_method_undefined(name)", nothing).private().leaf(),
];

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::BasicObject);
    define::define_methods(cx, class, METHODS);
    // The constant is defined in BasicObject too, whose subclasses do not see Object's constants.
    let name = object::symbol::table::intern_text(cx, "BasicObject");
    object::class::constants::set(cx, class, name, object::class::constants::Constant::new(class));
}

/// `initialize → nil`: called by `new` if no class defines an `initialize`; it takes no arguments.
fn initialize(_: &mut Cx, _: Args) -> R {
    Ok(Value::NIL)
}

/// `singleton_method_added(name)` and the other hooks → nil: called by the runtime; they do nothing unless a program
/// redefines them.
pub fn nothing(_: &mut Cx, _: Args) -> R {
    Ok(Value::NIL)
}

/// `==(other)`, `equal?(other) → true or false`: whether both are the same object. Subclasses redefine `==`, not
/// `equal?`.
fn same(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(args.me() == args.at(0)))
}

/// `!self → true or false`: true for nil and false alone; called for `!x` and `not x`.
fn not(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(!args.me().truthy()))
}

/// `self != other → true or false`: the negated result of calling `==`.
fn not_equal(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(!call::send(cx, args.me(), sym::EQ, &[args.at(0)])?.truthy()))
}

/// `send(name, …)`, `__send__(name, …) → object`: calls a method by name, including private ones. The interpreter runs
/// it in its loop; this function serves calls from Rust. ArgumentError without a name.
pub fn send(cx: &mut Cx, args: Args) -> R {
    send_as(cx, args, Scope::Function)
}

pub fn send_as(cx: &mut Cx, args: Args, scope: Scope) -> R {
    let Some(name) = args.opt(0) else { return Err(cx.argument_error("no method name given")) };
    let name = convert::to_symbol(cx, name)?;
    let block = args.block(cx);
    let me = args.me();
    if scope == Scope::Public {
        let class = object::class::class_of(cx, me);
        let entry = object::class::lookup::find_method(cx, class, name);
        if !entry.is_undef() && object::method_entry::visibility(entry) == object::method_entry::Visibility::Protected {
            let missed = missing::Missed { name, scope, entry };
            return missing::call_method_missing(cx, me, missed, args.from(1), args.keywords(), block);
        }
    }
    call::send_full(cx, me, name, args.from(1), args.keywords(), block, scope)
}

/// `__id__`, `object_id → integer`: a number that no other live object has; the same for each call. Integers, symbols,
/// nil, true and false have fixed ones.
pub fn object_id(cx: &mut Cx, args: Args) -> R {
    Ok(crate::object::identity::id_of(cx, args.me()))
}

/// `instance_eval(source, file = nil, line = 1)`, `instance_eval { |self| }`: evaluates a source or the block with the
/// receiver as self; methods are defined in its singleton class. ArgumentError with both or neither.
fn instance_eval(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    evaluation::eval_as(cx, args, me, None)
}

/// `instance_exec(*arguments, **options) { |*arguments| }`: calls the block with the arguments and the receiver as
/// self; methods are defined in its singleton class. LocalJumpError without a block.
fn instance_exec(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    evaluation::exec_as(cx, args, me, None)
}

/// `method_missing(name, …)`: raises NoMethodError, or NameError for a call that could have been a variable. Programs
/// redefine it.
pub fn method_missing(cx: &mut Cx, args: Args) -> R {
    let Some(given) = args.opt(0) else { return Err(cx.argument_error("no method name given")) };
    let Some(name) = object::Sym::from_value(given) else {
        let class = runtime::error::class_name_of(cx, given);
        return Err(cx.argument_error(&format!("method name must be a Symbol but {class} is given")));
    };
    // A method_missing of the program that calls `super` gets the error of the call that came to it.
    let scope = cx.missed_scope;
    let class = object::class::class_of(cx, args.me());
    let found = object::class::lookup::find_method(cx, class, name);
    let is_hidden = !found.is_undef() && object::method_entry::visibility(found) != Visibility::Public;
    let entry = if is_hidden { found } else { Value::UNDEF };
    let unwind = missing::no_method(cx, args.me(), name, args.from(1), scope, entry);
    crate::exception::backtraces::leave_out_innermost(cx);
    Err(unwind)
}
