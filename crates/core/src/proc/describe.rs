//! arity, parameters, source_location, inspect.

use abi::Value;
use bytecode::Parameters;
use object::{Sym, cell, proc, symbol};
use runtime::{
    Args, Cx, R,
    call::{arity, signatures::Signature},
    code::{Code, code},
    define, keys, make, method_object, sym, unlinked,
};

/// `arity → integer`: the number n of required arguments, or -n - 1 if a lambda accepts more; optional ones of a proc
/// are ignored.
pub fn arity(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    Ok(Value::fixnum(arity_of(cx, me)))
}

pub fn arity_of(cx: &mut Cx, p: Value) -> i64 {
    arity::reported_proc_arity(cx, p, proc::is_lambda(p) || cell::header(p).has(proc::FROM_METHOD))
}

/// The maximum number of positional arguments; `None`: any number.
pub fn most_arguments(cx: &mut Cx, p: Value) -> Option<usize> {
    let body = body_of(p);
    if body.is_nil() {
        let arity = arity_of(cx, p);
        return (arity >= 0).then_some(arity as usize);
    }
    let parameters = &code(&body).parameters;
    parameters.rest.is_none().then_some((parameters.required + parameters.optional + parameters.post) as usize)
}

/// `parameters(lambda: nil) → array`: pairs of a kind (`:req`, `:opt`, `:rest`, `:key` …) and the name of each
/// parameter; `lambda: true` and `false` treat the block as a lambda or as a proc.
pub fn parameters(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let name = symbol::table::intern_text(cx, "lambda");
    keys::only_keywords(cx, args.keywords(), &[name])?;
    let wanted = keys::keyword(cx, args.keywords(), name).or(Value::NIL);
    let header = cell::header(me);
    if header.has(proc::FROM_METHOD)
        && let code = proc::code(me)
        && let Some(method) = method_object::get(&code)
    {
        return crate::method::parameters_of(cx, method);
    }
    let strict = if wanted.is_nil() { proc::is_lambda(me) } else { wanted.truthy() };
    if header.has(proc::FROM_SYMBOL) {
        let first = pair(cx, if strict { "req" } else { "opt" }, None);
        let rest = pair(cx, "rest", None);
        return Ok(make::array(cx, &[first, rest]));
    }
    if header.has(proc::NATIVE) {
        let arity = arity_of(cx, me);
        return Ok(of_arity(cx, arity));
    }
    Ok(of_code(cx, code(&proc::code(me)), strict))
}

/// `[:kind, :name]`
pub fn pair(cx: &mut Cx, kind: &str, name: Option<Sym>) -> Value {
    let kind = match kind {
        "req" => sym::REQUIRED,
        "opt" => sym::OPTIONAL,
        "rest" => sym::REST,
        "key" => sym::KEY,
        "block" => sym::BLOCK,
        _ => symbol::table::intern_text(cx, kind),
    };
    match name {
        Some(name) if !name.value().is_undef() => make::array(cx, &[kind.value(), name.value()]),
        _ => make::array(cx, &[kind.value()]),
    }
}

/// The parameters of a function of which only the arity is known.
pub fn of_arity(cx: &mut Cx, arity: i64) -> Value {
    let list = make::array(cx, &[]);
    let required = if arity < 0 { -arity - 1 } else { arity };
    for _ in 0..required {
        let one = pair(cx, "req", None);
        make::push(cx, list, one);
    }
    if arity < 0 {
        let rest = pair(cx, "rest", None);
        make::push(cx, list, rest);
    }
    list
}

/// Parameters of Ruby code; `strict` for methods and lambdas.
pub fn of_code(cx: &mut Cx, code: &Code, strict: bool) -> Value {
    let list = make::array(cx, &[]);
    let p = &code.parameters;
    let add = |cx: &mut Cx, kind: &str, name: Option<Sym>| {
        let one = pair(cx, kind, name);
        make::push(cx, list, one);
    };
    let required = if strict { "req" } else { "opt" };
    let mut register = 1u16;
    for i in 0..p.required {
        let name = parameter_name(code, register, is_destructured(p, i));
        let name = numbered_name(cx, p, i).or(name);
        add(cx, required, name);
        register += 1;
    }
    for _ in 0..p.optional {
        let name = parameter_name(code, register, false);
        add(cx, "opt", name);
        register += 1;
    }
    if let Some(rest) = p.rest {
        let name = parameter_name(code, rest, false).or_else(|| anonymous(cx, "*"));
        add(cx, "rest", name);
        register = rest + 1;
    }
    for i in 0..p.post {
        let name = parameter_name(code, register + i, is_destructured(p, p.required + i));
        add(cx, required, name);
    }
    for (name, needed) in code.keyword_names().iter().filter(|(_, needed)| *needed) {
        let _ = needed;
        add(cx, "keyreq", Some(*name));
    }
    for (name, _) in code.keyword_names().iter().filter(|(_, needed)| !*needed) {
        add(cx, "key", Some(*name));
    }
    if let Some(rest) = p.keyword_rest {
        let name = parameter_name(code, rest, false).or_else(|| anonymous(cx, "**"));
        add(cx, "keyrest", name);
    }
    if p.no_keywords {
        add(cx, "nokey", None);
    }
    if let Some(block) = p.block {
        let name = parameter_name(code, block, false).or_else(|| anonymous(cx, "&"));
        add(cx, "block", name);
    }
    list
}

/// The name of an anonymous parameter.
fn anonymous(cx: &mut Cx, text: &str) -> Option<Sym> {
    Some(symbol::table::intern_text(cx, text))
}

fn numbered_name(cx: &mut Cx, p: &Parameters, i: u16) -> Option<Sym> {
    match p.numbered {
        0 => None,
        10 => None,
        _ => Some(symbol::table::intern_text(cx, &format!("_{}", i + 1))),
    }
}

fn is_destructured(p: &Parameters, i: u16) -> bool {
    i < 64 && p.destructured & (1 << i) != 0
}

fn parameter_name(code: &Code, register: u16, destructured: bool) -> Option<Sym> {
    if destructured {
        return None;
    }
    code.locals.iter().find(|(name, r)| *r == register && !name.value().is_undef()).map(|(name, _)| *name)
}

/// Parameters of a method that Beni defines.
pub fn of_signature(cx: &mut Cx, signature: &Signature) -> Value {
    let named = match signature {
        Signature::Function(_) => return of_arity(cx, signature.arity()),
        Signature::Named(named) => named,
    };
    let list = make::array(cx, &[]);
    for (kind, name) in *named {
        let name = symbol::table::intern_text(cx, name);
        let one = pair(cx, kind, Some(name));
        make::push(cx, list, one);
    }
    list
}

/// `source_location → array or nil`: the path and the line of the block; nil for a native one.
pub fn source_location(cx: &mut Cx, args: Args) -> R {
    let body = body_of(args.me());
    Ok(location_of(cx, body))
}

/// The code of a Proc, or nil. Core methods with the body of another one have Procs of methods that were not called
/// yet, whose code is not linked: only ObjectSpace shows them.
fn body_of(p: Value) -> Value {
    let header = cell::header(p);
    if header.has(proc::FROM_METHOD) {
        let body = match method_object::get(&proc::code(p)) {
            Some(method) if !method.missing => crate::method::body_of(method.entry),
            _ => Value::NIL,
        };
        return if body.is_nil() || unlinked::is_linked(body) { body } else { Value::NIL };
    }
    if header.has(proc::FROM_SYMBOL | proc::NATIVE) { Value::NIL } else { proc::code(p) }
}

/// `[path, line]` of a sequence, nil for native code.
pub fn location_of(cx: &mut Cx, body: Value) -> Value {
    if body.is_nil() || code(&body).internal {
        return Value::NIL;
    }
    let code = code(&body);
    let path = make::interned(cx, &code.source.path);
    make::array(cx, &[path, Value::fixnum(code.first_line as i64)])
}

/// `to_s`, `inspect → string`: the class, the address, the location of the block, and whether it is a lambda.
pub fn inspect(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let class = object::class::real_class(cx, me);
    let name = define::class_name(cx, class);
    let header = cell::header(me);
    let place = if header.has(proc::FROM_SYMBOL) {
        let shown = runtime::call::inspect_text(cx, proc::code(me))?;
        format!("(&{shown})")
    } else {
        let body = body_of(me);
        if body.is_nil() || code(&body).internal {
            String::new()
        } else {
            format!(" {}:{}", code(&body).source.path, code(&body).first_line)
        }
    };
    let lambda =
        if proc::is_lambda(me) || header.has(proc::FROM_SYMBOL | proc::FROM_METHOD) { " (lambda)" } else { "" };
    let shown = format!("#<{name}:0x{:016x}{place}{lambda}>", me.0);
    Ok(make::string(cx, shown.as_bytes(), text::encoding::EncodingId::BINARY))
}

/// "file:line" of a block, empty for native code.
pub fn place_text(p: Value) -> String {
    if !cell::is(p, abi::Type::Proc) {
        return String::new();
    }
    let body = body_of(p);
    if body.is_nil() || code(&body).internal {
        return String::new();
    }
    format!("{}:{}", code(&body).source.path, code(&body).first_line)
}
