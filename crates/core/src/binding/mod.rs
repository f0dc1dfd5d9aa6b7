//! Binding: a scope as an object.

use abi::Value;
use object::{Known, Sym, native, string::Str};
use runtime::{
    Args, Cx, Method, R,
    binding::{self, BindingData},
    code::code,
    convert, define,
    error::ErrorClass,
    eval, make, reflect,
};
use text::inspect::{NameKind, name_kind};

use crate::module::evaluation;

pub const METHODS: &[Method] = &[
    Method::new("eval(source, file = nil, line = 1)", eval_source),
    Method::new("local_variables", local_variables),
    Method::new("local_variable_get(name)", get).borrows(0),
    Method::new("local_variable_set(name, value)", set).borrows(0),
    Method::new("local_variable_defined?(name)", is_defined).borrows(0),
    Method::new("implicit_parameters", implicit_parameters),
    Method::new("implicit_parameter_get(name)", implicit_get),
    Method::new("implicit_parameter_defined?(name)", implicit_is_defined),
    Method::new("receiver", receiver).leaf(),
    Method::new("source_location", source_location),
    Method::new("dup", dup),
    Method::new("clone(freeze: nil)", clone),
];

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Binding);
    define::define_methods(cx, class, METHODS);
    crate::nil_class::without_instances(cx, class);
}

fn data<'a>(cx: &mut Cx, v: &'a Value) -> R<&'a BindingData> {
    match native::get::<BindingData>(v) {
        Some(data) => Ok(data),
        None => Err(cx.type_error("uninitialized binding")),
    }
}

/// `eval(source, file = nil, line = 1) → object`: evaluates a source with the self and the variables of the binding;
/// new variables stay in it. SyntaxError as raised by `Kernel#eval`.
fn eval_source(cx: &mut Cx, args: Args) -> R {
    let source = args.str(cx, 0)?;
    let place = evaluation::place(cx, args.from(1))?;
    let (bytes, encoding) = (source.to_vector(), source.encoding());
    eval::eval_in_binding(cx, args.me(), eval::EvalText { bytes: &bytes, encoding }, place)
}

/// `local_variables → array`: the names as symbols, including those of enclosing scopes, without numbered parameters.
fn local_variables(cx: &mut Cx, args: Args) -> R {
    let data = data(cx, args.me_ref())?;
    let list = make::array(cx, &[]);
    for name in binding::local_names(data.environment) {
        if !is_implicit(cx, name) {
            make::push(cx, list, name.value());
        }
    }
    Ok(list)
}

/// The argument as the name of a local variable; NameError for others.
fn variable_name(cx: &mut Cx, binding: Value, v: Value) -> R<Sym> {
    let name = convert::to_symbol(cx, v)?;
    let text = Str::of(name.name(cx));
    let shown = name.to_text(cx);
    if is_implicit(cx, name) && shown != "it" {
        let message = format!("numbered parameter '{shown}' is not a local variable");
        return Err(cx.name_error(ErrorClass::NameError, &message, name, binding));
    }
    if matches!(name_kind(text.encoding(), text.bytes(cx)), Some(NameKind::Local)) {
        return Ok(name);
    }
    let message = format!("wrong local variable name '{shown}' for {}", describe(cx, binding)?);
    Err(cx.name_error(ErrorClass::NameError, &message, name, binding))
}

fn describe(cx: &mut Cx, binding: Value) -> R<String> {
    runtime::call::inspect_text(cx, binding)
}

/// Whether the name is one of `_1` to `_9`.
fn is_implicit(cx: &Cx, name: Sym) -> bool {
    let bytes = name.bytes(cx);
    matches!(bytes, [b'_', b'1'..=b'9'])
}

/// `local_variable_get(name) → object`: the value of a local variable. NameError if it is not defined, or if the name
/// is not valid for a local variable.
fn get(cx: &mut Cx, args: Args) -> R {
    let name = variable_name(cx, args.me(), args.at(0))?;
    let environment = data(cx, args.me_ref())?.environment;
    match binding::get_local(cx, environment, name)? {
        Some(value) => Ok(value),
        None => {
            let message =
                format!("local variable '{}' is not defined for {}", name.to_text(cx), describe(cx, args.me())?);
            Err(cx.name_error(ErrorClass::NameError, &message, name, args.me()))
        }
    }
}

/// `local_variable_set(name, value) → value`: sets a local variable, or creates one that only this binding sees.
/// NameError for a name that is not valid for a local variable.
fn set(cx: &mut Cx, args: Args) -> R {
    let name = variable_name(cx, args.me(), args.at(0))?;
    eval::set_local(cx, args.me(), name, args.at(1))?;
    Ok(args.at(1))
}

/// `local_variable_defined?(name) → true or false`: whether a local variable exists here or in an enclosing scope.
/// NameError for a name that is not valid for a local variable.
fn is_defined(cx: &mut Cx, args: Args) -> R {
    let name = variable_name(cx, args.me(), args.at(0))?;
    let data = data(cx, args.me_ref())?;
    Ok(Value::bool(binding::find_local(data.environment, name).is_some()))
}

/// The names of the innermost block's implicit parameters (`_1` … or `it`).
fn implicit_names(cx: &mut Cx, binding: Value) -> R<Vec<Sym>> {
    let data = data(cx, &binding)?;
    let body = reflect::environment_scope(&data.environment).code;
    if body.is_nil() {
        return Ok(Vec::new());
    }
    Ok(match code(&body).parameters.numbered {
        0 => Vec::new(),
        10 => vec![object::symbol::table::intern_text(cx, "it")],
        most => (1..=most).map(|i| object::symbol::table::intern_text(cx, &format!("_{i}"))).collect(),
    })
}

/// `implicit_parameters → array`: the names among `_1` to `_9` and `it` that the block of this binding has.
fn implicit_parameters(cx: &mut Cx, args: Args) -> R {
    let list = make::array(cx, &[]);
    for name in implicit_names(cx, args.me())? {
        make::push(cx, list, name.value());
    }
    Ok(list)
}

fn implicit_name(cx: &mut Cx, binding: Value, v: Value) -> R<Sym> {
    let name = convert::to_symbol(cx, v)?;
    let shown = name.to_text(cx);
    if shown == "it" || is_implicit(cx, name) {
        return Ok(name);
    }
    let message = format!("'{shown}' is not an implicit parameter");
    Err(cx.name_error(ErrorClass::NameError, &message, name, binding))
}

/// `implicit_parameter_get(name) → object`: the value of a numbered parameter or of `it`. NameError if the block has no
/// such parameter, or for another name.
fn implicit_get(cx: &mut Cx, args: Args) -> R {
    let name = implicit_name(cx, args.me(), args.at(0))?;
    let names = implicit_names(cx, args.me())?;
    let data = data(cx, args.me_ref())?;
    if let Some(i) = names.iter().position(|n| *n == name) {
        return Ok(reflect::environment_slot(data.environment, i + 1));
    }
    let message = format!("implicit parameter '{}' is not defined for {}", name.to_text(cx), describe(cx, args.me())?);
    Err(cx.name_error(ErrorClass::NameError, &message, name, args.me()))
}

/// `implicit_parameter_defined?(name) → true or false`: whether the block has this numbered parameter or `it`.
/// NameError for a name that is neither.
fn implicit_is_defined(cx: &mut Cx, args: Args) -> R {
    let name = implicit_name(cx, args.me(), args.at(0))?;
    Ok(Value::bool(implicit_names(cx, args.me())?.contains(&name)))
}

/// `receiver → object`: the `self` of the binding.
fn receiver(cx: &mut Cx, args: Args) -> R {
    Ok(data(cx, args.me_ref())?.receiver)
}

/// `source_location → array`: the path and the line where the binding was created.
fn source_location(cx: &mut Cx, args: Args) -> R {
    let data = data(cx, args.me_ref())?;
    let path = make::interned(cx, data.path());
    Ok(make::array(cx, &[path, Value::fixnum(data.line().into())]))
}

/// `dup → binding`: a binding of the same scope; variables created later through one are not visible to the other.
fn dup(cx: &mut Cx, args: Args) -> R {
    let copy = BindingData { is_growing: false, ..*data(cx, args.me_ref())? };
    binding::stop_growing(cx, args.me());
    let class = object::class::real_class(cx, args.me());
    let copy = binding::new(cx, class, copy);
    object::shape::ivars::copy(cx, args.me(), copy);
    Ok(copy)
}

/// `clone(freeze: nil) → binding`: `dup`, with the singleton methods and the frozen state of the receiver. `freeze` is
/// accepted and ignored.
fn clone(cx: &mut Cx, args: Args) -> R {
    let copy = dup(cx, args)?;
    crate::object::copy::copy_singleton(cx, args.me(), copy);
    if object::cell::frozen(args.me()) {
        crate::object::copy::freeze_object(cx, copy);
    }
    Ok(copy)
}
