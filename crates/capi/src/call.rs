//! Calling methods, evaluating, requiring, and the position of the caller.

use std::ffi::c_char;

use abi::{BlockHandler, Value};
use object::{Sym, array::Arr, class, method_entry, string::Str, symbol::table::intern_text};
use runtime::{Cx, R, args, call, call::Scope, convert, make};

use crate::{
    border::{self, Place, send, take_passed_block},
    given, symbol,
};

/// Splits off a Hash of keywords from the end of the arguments, if there is one (`how`: RB_PASS_KEYWORDS).
pub fn split_keywords<'a>(cx: &mut Cx, arguments: &'a [Value], how: i32) -> R<(&'a [Value], Option<Value>)> {
    match arguments.split_last() {
        Some((last, rest)) if how != 0 => Ok((rest, Some(convert::to_hash(cx, *last)?.value()))),
        _ => Ok((arguments, None)),
    }
}

fn full(
    cx: &mut Cx,
    receiver: Value,
    id: u64,
    (count, argv): (i32, *const Value),
    keywords: i32,
    block: BlockHandler,
    scope: Scope,
) -> R {
    let name = checked(cx, id)?;
    let (arguments, keywords) = split_keywords(cx, given::values(count, argv), keywords)?;
    call::send_full(cx, receiver, name, arguments, keywords, block, scope)
}

fn checked(cx: &mut Cx, id: u64) -> R<Sym> {
    match Sym::from_value(symbol::value(id)) {
        Some(name) => Ok(name),
        None => Err(cx.argument_error("no method of this identifier")),
    }
}

pub fn rb_funcallv(cx: &mut Cx, me: Value, id: u64, count: i32, argv: *const Value) -> R {
    full(cx, me, id, (count, argv), 0, take_passed_block(), Scope::Function)
}

pub fn rb_funcallv_kw(cx: &mut Cx, me: Value, id: u64, count: i32, argv: *const Value, keywords: i32) -> R {
    full(cx, me, id, (count, argv), keywords, BlockHandler::NONE, Scope::Function)
}

pub fn rb_funcallv_public(cx: &mut Cx, me: Value, id: u64, count: i32, argv: *const Value) -> R {
    full(cx, me, id, (count, argv), 0, BlockHandler::NONE, Scope::Public)
}

pub fn rb_funcallv_public_kw(cx: &mut Cx, me: Value, id: u64, count: i32, argv: *const Value, keywords: i32) -> R {
    full(cx, me, id, (count, argv), keywords, BlockHandler::NONE, Scope::Public)
}

pub fn rb_funcall_passing_block(cx: &mut Cx, me: Value, id: u64, count: i32, argv: *const Value) -> R {
    full(cx, me, id, (count, argv), 0, Place::now().block(), Scope::Public)
}

pub fn rb_funcall_passing_block_kw(
    cx: &mut Cx,
    me: Value,
    id: u64,
    count: i32,
    argv: *const Value,
    keywords: i32,
) -> R {
    full(cx, me, id, (count, argv), keywords, Place::now().block(), Scope::Public)
}

pub fn rb_funcall_with_block(cx: &mut Cx, me: Value, id: u64, count: i32, argv: *const Value, block: Value) -> R {
    full(cx, me, id, (count, argv), 0, BlockHandler(block), Scope::Public)
}

pub fn rb_funcall_with_block_kw(
    cx: &mut Cx,
    me: Value,
    id: u64,
    count: i32,
    argv: *const Value,
    block: Value,
    keywords: i32,
) -> R {
    full(cx, me, id, (count, argv), keywords, BlockHandler(block), Scope::Public)
}

pub fn rb_check_funcall(cx: &mut Cx, me: Value, id: u64, count: i32, argv: *const Value) -> R {
    rb_check_funcall_kw(cx, me, id, count, argv, 0)
}

pub fn rb_check_funcall_kw(cx: &mut Cx, me: Value, id: u64, count: i32, argv: *const Value, keywords: i32) -> R {
    let name = checked(cx, id)?;
    let (arguments, keywords) = split_keywords(cx, given::values(count, argv), keywords)?;
    if keywords.is_some() {
        if !call::responds(cx, me, name, true)? {
            return Ok(Value::UNDEF);
        }
        return call::send_full(cx, me, name, arguments, keywords, BlockHandler::NONE, Scope::Function);
    }
    Ok(call::send_conversion(cx, me, name, arguments)?.unwrap_or(Value::UNDEF))
}

/// The entry, the receiver and the block of the running C method.
fn running_method(cx: &mut Cx) -> R<(Value, Value, BlockHandler)> {
    match Place::now().method() {
        Some(frame) if frame.scope.entry.is_heap() => {
            Ok((frame.scope.entry, runtime::reflect::frame_self(frame), frame.scope.block))
        }
        _ => Err(cx.runtime_error("super called outside of method")),
    }
}

pub fn rb_call_super(cx: &mut Cx, count: i32, argv: *const Value) -> R {
    let (entry, me, block) = running_method(cx)?;
    call::call_super(cx, entry, me, given::values(count, argv), None, block)
}

pub fn rb_call_super_kw(cx: &mut Cx, count: i32, argv: *const Value, keywords: i32) -> R {
    let (entry, me, block) = running_method(cx)?;
    let (arguments, keywords) = split_keywords(cx, given::values(count, argv), keywords)?;
    call::call_super(cx, entry, me, arguments, keywords, block)
}

pub fn rb_apply(cx: &mut Cx, me: Value, id: u64, arguments: Value) -> R {
    let list = convert::to_ary(cx, arguments)?;
    let name = checked(cx, id)?;
    args::spread(cx, list, |cx, all| call::send(cx, me, name, all))
}

pub fn rb_current_receiver(cx: &mut Cx) -> R {
    match Place::now().method() {
        Some(frame) => Ok(runtime::reflect::frame_self(frame)),
        None => Err(cx.runtime_error("no self, no life")),
    }
}

pub fn rb_respond_to(cx: &mut Cx, v: Value, id: u64) -> R<i32> {
    rb_obj_respond_to(cx, v, id, 0)
}

pub fn rb_obj_respond_to(cx: &mut Cx, v: Value, id: u64, private: i32) -> R<i32> {
    let name = checked(cx, id)?;
    Ok(call::responds(cx, v, name, private != 0)? as i32)
}

pub fn rb_method_boundp(cx: &mut Cx, class: Value, id: u64, excludes_private: i32) -> R<i32> {
    let name = checked(cx, id)?;
    let entry = class::lookup::find_method(cx, class, name);
    let is_seen = !entry.is_undef()
        && (excludes_private == 0 || method_entry::visibility(entry) != method_entry::Visibility::Private);
    Ok(is_seen as i32)
}

pub fn rb_method_basic_definition_p(cx: &mut Cx, class: Value, id: u64) -> i32 {
    let entry = class::lookup::find_method(cx, class, symbol::sym(id));
    (!entry.is_undef() && method_entry::kind(entry) == method_entry::Kind::Native) as i32
}

pub fn rb_mod_method_arity(cx: &mut Cx, module: Value, id: u64) -> R<i32> {
    let method = send(cx, module, "instance_method", &[symbol::value(id)])?;
    let arity = send(cx, method, "arity", &[])?;
    convert::to_i32(cx, arity)
}

pub fn rb_obj_method_arity(cx: &mut Cx, v: Value, id: u64) -> R<i32> {
    let method = send(cx, v, "method", &[symbol::value(id)])?;
    let arity = send(cx, method, "arity", &[])?;
    convert::to_i32(cx, arity)
}

pub fn rb_method_call(cx: &mut Cx, count: i32, argv: *const Value, method: Value) -> R {
    send(cx, method, "call", given::values(count, argv))
}

pub fn rb_method_call_kw(cx: &mut Cx, count: i32, argv: *const Value, method: Value, keywords: i32) -> R {
    rb_method_call_with_block_kw(cx, count, argv, method, Value::NIL, keywords)
}

pub fn rb_method_call_with_block(cx: &mut Cx, count: i32, argv: *const Value, method: Value, passed: Value) -> R {
    rb_method_call_with_block_kw(cx, count, argv, method, passed, 0)
}

pub fn rb_method_call_with_block_kw(
    cx: &mut Cx,
    count: i32,
    argv: *const Value,
    method: Value,
    passed: Value,
    keywords: i32,
) -> R {
    let (arguments, keywords) = split_keywords(cx, given::values(count, argv), keywords)?;
    let name = intern_text(cx, "call");
    call::send_full(cx, method, name, arguments, keywords, BlockHandler(passed), Scope::Public)
}

pub fn rb_obj_is_method(_: &mut Cx, v: Value) -> Value {
    Value::bool(object::cell::is(v, abi::Type::Method))
}

/// Calls a method of the object with the arguments, passing on the block of the running method.
fn with_block(cx: &mut Cx, me: Value, name: &str, count: i32, argv: *const Value) -> R {
    let block = Place::now().block();
    let name = intern_text(cx, name);
    call::send_with_block(cx, me, name, given::values(count, argv), block)
}

pub fn rb_obj_instance_eval(cx: &mut Cx, count: i32, argv: *const Value, me: Value) -> R {
    with_block(cx, me, "instance_eval", count, argv)
}

pub fn rb_obj_instance_exec(cx: &mut Cx, count: i32, argv: *const Value, me: Value) -> R {
    with_block(cx, me, "instance_exec", count, argv)
}

pub fn rb_mod_module_eval(cx: &mut Cx, count: i32, argv: *const Value, me: Value) -> R {
    with_block(cx, me, "module_eval", count, argv)
}

pub fn rb_mod_module_exec(cx: &mut Cx, count: i32, argv: *const Value, me: Value) -> R {
    with_block(cx, me, "module_exec", count, argv)
}

/// Evaluates in the scope of the calling Ruby code, or at the top level.
fn eval(cx: &mut Cx, source: *const c_char) -> R {
    let source = make::string(cx, given::text(source), text::EncodingId::UTF_8);
    let binding = match runtime::reflect::caller(cx) {
        Some(_) => runtime::eval::binding::of_caller(cx)?,
        None => border::constant(cx, "TOPLEVEL_BINDING")?,
    };
    let file = make::text(cx, "(eval)");
    send(cx, binding, "eval", &[source, file])
}

pub fn rb_eval_string(cx: &mut Cx, source: *const c_char) -> R {
    eval(cx, source)
}

pub fn rb_eval_string_protect(cx: &mut Cx, source: *const c_char, state: *mut i32) -> R {
    let result = eval(cx, source);
    Ok(crate::control::caught(cx, result, state))
}

pub fn rb_eval_string_wrap(cx: &mut Cx, source: *const c_char, state: *mut i32) -> R {
    let source = make::string(cx, given::text(source), text::EncodingId::UTF_8);
    let me = cx.vm().main_object;
    let result = send(cx, me, "clone", &[]).and_then(|me| send(cx, me, "instance_eval", &[source]));
    Ok(crate::control::caught(cx, result, state))
}

pub fn rb_require(cx: &mut Cx, name: *const c_char) -> R {
    let name = make::string(cx, given::text(name), text::EncodingId::UTF_8);
    let me = cx.vm().main_object;
    send(cx, me, "require", &[name])
}

pub fn rb_f_require(cx: &mut Cx, me: Value, name: Value) -> R {
    send(cx, me, "require", &[name])
}

pub fn rb_load(cx: &mut Cx, file: Value, wrap: i32) -> R<()> {
    let me = cx.vm().main_object;
    send(cx, me, "load", &[file, Value::bool(wrap != 0)]).map(drop)
}

pub fn rb_load_protect(cx: &mut Cx, file: Value, wrap: i32, state: *mut i32) -> R<()> {
    let me = cx.vm().main_object;
    let result = send(cx, me, "load", &[file, Value::bool(wrap != 0)]);
    crate::control::caught(cx, result, state);
    Ok(())
}

pub fn rb_provided(cx: &mut Cx, name: *const c_char) -> R<i32> {
    let wanted = given::text(name);
    let list = cx.root(runtime::Root::LoadedFeatures);
    let stem = |path: &[u8]| -> Vec<u8> {
        path.strip_suffix(b".rb").or_else(|| path.strip_suffix(b".so")).unwrap_or(path).to_vec()
    };
    let wanted = stem(wanted);
    let is_it = |v: &Value| {
        Str::from_value(*v).is_some_and(|path| {
            let path = stem(path.bytes(cx));
            path == wanted || path.strip_suffix(wanted.as_slice()).is_some_and(|folder| folder.ends_with(b"/"))
        })
    };
    Ok(Arr::of(list).elements(cx).iter().any(is_it) as i32)
}

pub fn rb_feature_provided(cx: &mut Cx, name: *const c_char, _: *mut *const c_char) -> R<i32> {
    rb_provided(cx, name)
}

pub fn rb_provide(cx: &mut Cx, name: *const c_char) -> R<()> {
    let name = make::string(cx, given::text(name), text::EncodingId::UTF_8);
    let list = cx.root(runtime::Root::LoadedFeatures);
    make::push(cx, list, name);
    Ok(())
}

pub fn rb_frame_this_func(cx: &mut Cx) -> u64 {
    let entry = Place::now().method().map_or(Value::NIL, |frame| frame.scope.entry);
    if entry.is_heap() { symbol::id(cx, method_entry::original_name(entry)) } else { 0 }
}

pub fn rb_frame_callee(cx: &mut Cx) -> u64 {
    let entry = Place::now().method().map_or(Value::NIL, |frame| frame.scope.entry);
    if entry.is_heap() { symbol::id(cx, method_entry::name(entry)) } else { 0 }
}

pub fn rb_frame_method_id_and_class(cx: &mut Cx, id: *mut u64, class: *mut Value) {
    let entry = Place::now().method().map_or(Value::NIL, |frame| frame.scope.entry);
    if entry.is_heap() {
        given::write(id, symbol::id(cx, method_entry::original_name(entry)));
        given::write(class, method_entry::owner(entry));
    }
}

pub fn rb_sourcefile(cx: &mut Cx) -> R<*const c_char> {
    match runtime::backtrace::caller_position(cx) {
        Some((file, _)) => crate::string::interned_pointer(cx, file.as_bytes()),
        None => Ok(std::ptr::null()),
    }
}

pub fn rb_source_location_cstr(cx: &mut Cx, line: *mut i32) -> R<*const c_char> {
    match runtime::backtrace::caller_position(cx) {
        Some((file, number)) => {
            given::write(line, number);
            crate::string::interned_pointer(cx, file.as_bytes())
        }
        None => Ok(std::ptr::null()),
    }
}

pub fn rb_sourceline(cx: &mut Cx) -> i32 {
    runtime::backtrace::caller_position(cx).map_or(0, |(_, line)| line)
}

pub fn rb_keyword_given_p(_: &mut Cx) -> i32 {
    Place::now().keywords as i32
}

pub fn rb_binding_new(cx: &mut Cx) -> R {
    Err(cx.runtime_error("Can't create Binding from C level Proc"))
}
