//! Objects: creating, copying, converting, comparing; structs, ranges.

use std::ffi::{c_char, c_void};

use abi::{BlockHandler, Type, Value};
use core_classes::marshal::stand_ins::{self, StandIn};
use object::{Known, Sym, array::Arr, cell, class, hash::HashRef, symbol::table::intern_text};
use runtime::{Cx, R, allocators, args, call, convert, define, error, keys, make};

use crate::{
    block,
    border::{self, Place, pin, send, send_to},
    call::split_keywords,
    data, given, symbol,
};

/// A new object of a class, not initialized.
pub fn allocated(cx: &mut Cx, class: Value) -> R {
    if !class::is_class(class) {
        return Err(cx.type_error("wrong argument type (expected Class)"));
    }
    if class::flags(class).singleton {
        return Err(cx.type_error("can't create instance of singleton class"));
    }
    let allocator = allocators::own(class);
    if class::flags(class).no_allocator
        || (allocator.is_undef() && !matches!(class::instances(class), Type::Object | Type::Exception))
    {
        let name = define::class_name(cx, class);
        return Err(cx.type_error(&format!("allocator undefined for {name}")));
    }
    if allocator.is_undef() { Ok(allocators::plain(cx, class)) } else { call::allocate_by(cx, allocator, class) }
}

pub fn rb_obj_alloc(cx: &mut Cx, class: Value) -> R {
    allocated(cx, class)
}

pub fn rb_obj_dup(cx: &mut Cx, v: Value) -> R {
    send(cx, v, "dup", &[])
}

pub fn rb_obj_clone(cx: &mut Cx, v: Value) -> R {
    send(cx, v, "clone", &[])
}

pub fn rb_obj_init_copy(cx: &mut Cx, v: Value, from: Value) -> R {
    if v == from {
        return Ok(v);
    }
    cx.check_frozen(v)?;
    if class::real_class(cx, v) != class::real_class(cx, from) {
        return Err(cx.type_error("initialize_copy should take same class object"));
    }
    Ok(v)
}

pub fn rb_obj_call_init(cx: &mut Cx, v: Value, count: i32, argv: *const Value) -> R<()> {
    rb_obj_call_init_kw(cx, v, count, argv, 0)
}

pub fn rb_obj_call_init_kw(cx: &mut Cx, v: Value, count: i32, argv: *const Value, keywords: i32) -> R<()> {
    let block = Place::now().block();
    let (arguments, keywords) = split_keywords(cx, given::values(count, argv), keywords)?;
    let name = runtime::sym::INITIALIZE;
    call::send_full(cx, v, name, arguments, keywords, block, call::Scope::Function).map(drop)
}

/// Does what Kernel#freeze does, even if the object overrides `freeze`.
pub fn rb_obj_freeze(cx: &mut Cx, v: Value) -> R {
    if v.is_heap() {
        core_classes::object::copy::freeze_object(cx, v);
    }
    Ok(v)
}

pub fn rb_obj_freeze_inline(cx: &mut Cx, v: Value) -> R<()> {
    rb_obj_freeze(cx, v).map(drop)
}

pub fn rb_obj_frozen_p(_: &mut Cx, v: Value) -> Value {
    Value::bool(cell::frozen(v))
}

/// Takes away the class of an object without instance variables.
pub fn rb_obj_hide(cx: &mut Cx, v: Value) -> Value {
    let hidden = cx.class(runtime::Known::Internal);
    if v.is_heap() && object::cell::header(v).shape() == class::root_shape(class::class_of(cx, v)) {
        set_class(cx, v, hidden);
    }
    v
}

/// Gives a hidden object a class.
pub fn rb_obj_reveal(cx: &mut Cx, v: Value, class: Value) -> Value {
    if v.is_heap() && class::class_of(cx, v) == cx.class(runtime::Known::Internal) {
        set_class(cx, v, class);
    }
    v
}

fn set_class(cx: &mut Cx, v: Value, class: Value) {
    let shape = class::root_shape(class);
    object::cell::set_header(v, object::cell::header(v).with_shape(shape));
    cx.remember(v);
}

pub fn rb_obj_is_kind_of(cx: &mut Cx, v: Value, class: Value) -> R {
    if !class::is_module(class) {
        return Err(cx.type_error("class or module required"));
    }
    Ok(Value::bool(class::is_a(cx, v, class)))
}

pub fn rb_obj_is_instance_of(cx: &mut Cx, v: Value, class: Value) -> R {
    if !class::is_module(class) {
        return Err(cx.type_error("class or module required"));
    }
    Ok(Value::bool(class::real_class(cx, v) == class))
}

pub fn rb_obj_is_fiber(cx: &mut Cx, v: Value) -> Value {
    Value::bool(class::is_known(cx, v, Known::Fiber))
}

pub fn rb_any_to_s(cx: &mut Cx, v: Value) -> R {
    let text = define::any_to_text(cx, v);
    Ok(make::text(cx, &text))
}

pub fn rb_inspect(cx: &mut Cx, v: Value) -> R {
    Ok(convert::inspect(cx, v)?.value())
}

pub fn rb_equal(cx: &mut Cx, a: Value, b: Value) -> R {
    if a == b {
        return Ok(Value::TRUE);
    }
    Ok(Value::bool(call::equal(cx, a, b)?))
}

pub fn rb_eql(cx: &mut Cx, a: Value, b: Value) -> R<i32> {
    Ok((a == b || call::eql(cx, a, b)?) as i32)
}

const TYPE_NAMES: &[(i32, &str)] = &[
    (0x01, "Object"),
    (0x02, "Class"),
    (0x03, "Module"),
    (0x04, "Float"),
    (0x05, "String"),
    (0x06, "Regexp"),
    (0x07, "Array"),
    (0x08, "Hash"),
    (0x09, "Struct"),
    (0x0a, "Integer"),
    (0x0b, "File"),
    (0x0c, "Data"),
    (0x0d, "MatchData"),
    (0x0e, "Complex"),
    (0x0f, "Rational"),
    (0x11, "nil"),
    (0x12, "true"),
    (0x13, "false"),
    (0x14, "Symbol"),
    (0x15, "Integer"),
];

/// The number of the type in the headers.
fn type_number(v: Value) -> i32 {
    if v.is_heap() {
        return match cell::header(v).ty() {
            Type::Native => beni_builtin_type(v),
            Type::Object | Type::Exception => 0x01,
            Type::Class => 0x02,
            Type::Module => 0x03,
            Type::Float => 0x04,
            Type::String => 0x05,
            Type::Regexp => 0x06,
            Type::Array => 0x07,
            Type::Hash => 0x08,
            Type::Struct | Type::Range => 0x09,
            Type::BigInteger => 0x0a,
            Type::Match => 0x0d,
            Type::Complex => 0x0e,
            Type::Rational => 0x0f,
            Type::Symbol => 0x14,
            Type::Proc | Type::Method | Type::Binding | Type::InstructionSequence => 0x0c,
            _ => 0x1a,
        };
    }
    match v {
        Value::NIL => 0x11,
        Value::TRUE => 0x12,
        Value::FALSE => 0x13,
        Value::UNDEF => 0x16,
        v if v.is_fixnum() => 0x15,
        v if v.is_flonum() => 0x04,
        _ => 0x14,
    }
}

pub fn beni_builtin_type(v: Value) -> i32 {
    const FILE: i32 = 0x0b;
    const DATA: i32 = 0x0c;
    if object::native::get::<core_classes::io::data::IoData>(&v).is_some() { FILE } else { DATA }
}

pub fn rb_check_type(cx: &mut Cx, v: Value, wanted: i32) -> R<()> {
    let is = type_number(v);
    if is != wanted || (is == 0x0c && data::is_typed(v)) {
        return rb_unexpected_type(cx, v, wanted);
    }
    Ok(())
}

pub fn rb_unexpected_type(cx: &mut Cx, v: Value, wanted: i32) -> R<()> {
    let name = TYPE_NAMES.iter().find(|(number, _)| *number == wanted).map_or("unknown type", |(_, name)| name);
    let is = error::describe_for_conversion(cx, v);
    Err(cx.type_error(&format!("wrong argument type {is} (expected {name})")))
}

pub fn rb_check_frozen(cx: &mut Cx, v: Value) -> R<()> {
    cx.check_frozen(v)
}

pub fn rb_check_copyable(cx: &mut Cx, v: Value, _: Value) -> R<()> {
    cx.check_frozen(v)
}

/// The object if it is of the type, otherwise the result of the method.
fn converted(cx: &mut Cx, v: Value, number: i32, name: &str, method: &str, must: bool) -> R {
    if type_number(v) == number {
        return Ok(v);
    }
    let symbol = intern_text(cx, method);
    let from = error::describe_for_conversion(cx, v);
    let made = match call::send_conversion(cx, v, symbol, &[])? {
        Some(made) => made,
        None if must => {
            let is_implicit = ["to_int", "to_ary", "to_str", "to_sym", "to_hash", "to_proc", "to_io"].contains(&method);
            let text = if is_implicit {
                format!("no implicit conversion of {from} into {name}")
            } else {
                format!("can't convert {from} into {name}")
            };
            return Err(cx.type_error(&text));
        }
        None => return Ok(Value::NIL),
    };
    if made.is_nil() && !must {
        return Ok(made);
    }
    if type_number(made) != number {
        let got = error::class_name_of(cx, made);
        return Err(cx.type_error(&format!("can't convert {from} to {name} ({from}#{method} gives {got})")));
    }
    Ok(made)
}

pub fn rb_convert_type(cx: &mut Cx, v: Value, number: i32, name: *const c_char, method: *const c_char) -> R {
    converted(cx, v, number, &given::name(name), &given::name(method), true)
}

pub fn rb_check_convert_type(cx: &mut Cx, v: Value, number: i32, name: *const c_char, method: *const c_char) -> R {
    const DATA: i32 = 0x0c;
    if number == DATA && type_number(v) == DATA {
        return Ok(v);
    }
    converted(cx, v, number, &given::name(name), &given::name(method), false)
}

/// An Integer by the method, or nil.
pub fn rb_check_to_integer(cx: &mut Cx, v: Value, method: *const c_char) -> R {
    if convert::is_integer(v) {
        return Ok(v);
    }
    let method = symbol::named(cx, method);
    let made = call::send_conversion(cx, v, method, &[])?.unwrap_or(Value::NIL);
    Ok(if convert::is_integer(made) { made } else { Value::NIL })
}

pub fn rb_check_to_int(cx: &mut Cx, v: Value) -> R {
    if convert::is_integer(v) {
        return Ok(v);
    }
    let made = call::send_conversion(cx, v, runtime::sym::TO_INT, &[])?.unwrap_or(Value::NIL);
    Ok(if convert::is_integer(made) { made } else { Value::NIL })
}

pub fn rb_check_to_float(cx: &mut Cx, v: Value) -> R {
    if convert::is_float(v) {
        return Ok(v);
    }
    if !class::is_known(cx, v, Known::Numeric) {
        return Ok(Value::NIL);
    }
    Ok(call::send_conversion(cx, v, runtime::sym::TO_F, &[])?.unwrap_or(Value::NIL))
}

pub fn rb_to_int(cx: &mut Cx, v: Value) -> R {
    convert::to_integer(cx, v)
}

pub fn rb_to_float(cx: &mut Cx, v: Value) -> R {
    if convert::is_float(v) {
        return Ok(v);
    }
    let f = convert::to_f64(cx, v)?;
    Ok(object::float::new(cx, f))
}

/// `rb_get_kwargs`: the values of the names, required ones first; negative `optional`: further names are allowed.
pub fn rb_get_kwargs(
    cx: &mut Cx,
    keywords: Value,
    ids: *const u64,
    required: i32,
    optional: i32,
    values: *mut Value,
) -> R<i32> {
    let accepts_rest = optional < 0;
    let optional = if accepts_rest { -1 - optional } else { optional };
    let ids = given::slice((required + optional).max(0) as usize, ids);
    let values = given::slice_mut(if values.is_null() { 0 } else { ids.len() }, values);
    values.fill(Value::UNDEF);
    let table = HashRef::from_value(keywords);
    let (mut found, mut missing) = (0, Vec::new());
    for (i, id) in ids.iter().enumerate() {
        let name = symbol::value(*id);
        let value = match table {
            Some(_) => keys::get(cx, keywords, name)?,
            None => None,
        };
        match value {
            Some(value) => {
                found += 1;
                if let Some(to) = values.get_mut(i) {
                    *to = value;
                    keys::delete(cx, keywords, name)?;
                }
            }
            None if (i as i32) < required => missing.push(Sym::of(name)),
            None => {}
        }
    }
    if !missing.is_empty() {
        return Err(wrong_keywords(cx, "missing", &missing));
    }
    let taken = if values.is_empty() { found } else { 0 };
    if !accepts_rest
        && let Some(table) = table
        && table.len() > taken as usize
    {
        let known: Vec<u64> = ids.iter().map(|id| symbol::value(*id).0).collect();
        let unknown: Vec<String> = {
            let mut shown = Vec::new();
            let mut position = 0;
            while let Some((next, key, _)) = table.next(position) {
                position = next;
                if !known.contains(&key.0) {
                    shown.push(call::inspect_text(cx, key)?);
                }
            }
            shown
        };
        let ending = if unknown.len() == 1 { "" } else { "s" };
        return Err(cx.argument_error(&format!("unknown keyword{ending}: {}", unknown.join(", "))));
    }
    Ok(found)
}

fn wrong_keywords(cx: &mut Cx, what: &str, names: &[Sym]) -> runtime::Unwind {
    let shown: Vec<String> = names.iter().map(|name| format!(":{}", name.to_text(cx))).collect();
    let ending = if names.len() == 1 { "" } else { "s" };
    cx.argument_error(&format!("{what} keyword{ending}: {}", shown.join(", ")))
}

/// Removes the entries with Symbol keys from a Hash; 0 if there are none.
pub fn rb_extract_keywords(cx: &mut Cx, variable: *mut Value) -> R {
    let v = given::read(variable);
    let Some(table) = HashRef::from_value(v) else { return Ok(Value::FALSE) };
    let (symbols, others) = (HashRef::new(cx).value(), HashRef::new(cx).value());
    let mut position = 0;
    while let Some((next, key, value)) = table.next(position) {
        position = next;
        let target = if Sym::from_value(key).is_some() { symbols } else { others };
        keys::store(cx, target, key, value)?;
    }
    if HashRef::of(symbols).is_empty() {
        return Ok(Value::FALSE);
    }
    given::write(variable, if HashRef::of(others).is_empty() { Value::FALSE } else { others });
    Ok(symbols)
}

pub fn rb_empty_keyword_given_p(_: &mut Cx) -> i32 {
    0
}

pub fn rb_cmpint(cx: &mut Cx, result: Value, a: Value, b: Value) -> R<i32> {
    Ok(call::comparison_result(cx, result, a, b)? as i32)
}

pub fn rb_marshal_dump(cx: &mut Cx, v: Value, io: Value) -> R {
    let arguments = [v, io];
    let count = if io.is_nil() { 1 } else { 2 };
    send_to(cx, "Marshal", "dump", &arguments[..count])
}

pub fn rb_marshal_define_compat(
    cx: &mut Cx,
    new: Value,
    old: Value,
    dumper: *const c_void,
    loader: *const c_void,
) -> R<()> {
    let [dumper, loader] = [dumper, loader].map(|function| block::callback(cx, function));
    stand_ins::define(cx, new, StandIn { class: old, dumper, loader });
    Ok(())
}

pub fn rb_p(cx: &mut Cx, v: Value) -> R<()> {
    let me = cx.vm().main_object;
    send(cx, me, "p", &[v]).map(drop)
}

fn member_names(cx: &mut Cx, count: i32, names: *const *const c_char) -> Value {
    let list = make::array(cx, &[]);
    for name in given::slice(count.max(0) as usize, names) {
        let name = symbol::named(cx, *name).value();
        make::push(cx, list, name);
    }
    list
}

/// Struct.new with the members; a constant of `outer` (0: of Struct) if a name is given.
pub fn beni_struct_define(
    cx: &mut Cx,
    outer: Value,
    name: *const c_char,
    class: Value,
    count: i32,
    names: *const *const c_char,
) -> R {
    let members = member_names(cx, count, names);
    let list = make::array(cx, &[]);
    if outer == Value::FALSE && !name.is_null() {
        let name = make::string(cx, given::text(name), text::EncodingId::UTF_8);
        make::push(cx, list, name);
    }
    for member in Arr::of(members).iter() {
        make::push(cx, list, member);
    }
    let made = args::spread(cx, Arr::of(list), |cx, all| send(cx, class, "new", all))?;
    if outer != Value::FALSE && !name.is_null() {
        let name = symbol::named(cx, name);
        define::set_constant(cx, outer, name, made);
    }
    Ok(pin(made))
}

pub fn beni_data_define(cx: &mut Cx, superclass: Value, count: i32, names: *const *const c_char) -> R {
    let members = member_names(cx, count, names);
    let class = if superclass == Value::FALSE { border::constant(cx, "Data")? } else { superclass };
    if !class::is_class(class) {
        let is = error::describe_for_conversion(cx, class);
        return Err(cx.type_error(&format!("wrong argument type {is} (expected Class)")));
    }
    // A subclass of Data has no method `define`, but C may define subclasses of it.
    let (data, name) = (border::constant(cx, "Data")?, intern_text(cx, "define"));
    let meta = class::class_of(cx, data);
    let entry = class::lookup::find_method(cx, meta, name);
    if entry.is_undef() {
        return args::spread(cx, Arr::of(members), |cx, all| send(cx, class, "define", all)).map(pin);
    }
    let define = |cx: &mut Cx, all: &[Value]| call::call_entry(cx, entry, class, all, None, BlockHandler::NONE);
    args::spread(cx, Arr::of(members), define).map(pin)
}

pub fn rb_struct_alloc(cx: &mut Cx, class: Value, values: Value) -> R {
    let list = convert::to_ary(cx, values)?;
    args::spread(cx, list, |cx, all| send(cx, class, "new", all))
}

pub fn rb_struct_initialize(cx: &mut Cx, v: Value, values: Value) -> R {
    let list = convert::to_ary(cx, values)?;
    cx.check_frozen(v)?;
    let count = object::structure::members(&v).len();
    if list.len() > count {
        return Err(cx.argument_error("struct size differs"));
    }
    for i in 0..count {
        let value = list.get(i).unwrap_or(Value::NIL);
        object::structure::set(cx, v, i, value);
    }
    if class::is_known(cx, v, Known::Data) {
        rb_obj_freeze(cx, v)?;
    }
    Ok(Value::NIL)
}

pub fn rb_struct_getmember(cx: &mut Cx, v: Value, id: u64) -> R {
    let name = symbol::value(id);
    let members = send(cx, v, "members", &[])?;
    if Arr::of(members).index_of(name).is_none() {
        let text = format!("'{}' is not a struct member", symbol::sym(id).to_text(cx));
        let message = make::text(cx, &text);
        crate::control::beni_name_error(cx, message, name)?;
    }
    rb_struct_aref(cx, v, name)
}

/// A Range is treated as a Struct of begin, end and the exclusion flag.
pub fn rb_struct_aref(cx: &mut Cx, v: Value, index: Value) -> R {
    if cell::is(v, Type::Struct)
        && let Some(member) = member_at(cx, v, index)?
    {
        return Ok(member);
    }
    if !cell::is(v, Type::Range) {
        return send(cx, v, "[]", &[index]);
    }
    match convert::to_i64(cx, index)? {
        0 => Ok(object::range::begin(v)),
        1 => Ok(object::range::end(v)),
        2 => Ok(Value::bool(object::range::is_exclusive(v))),
        n => Err(cx.raise(error::ErrorClass::IndexError, &format!("offset {n} too large for struct(size:3)"))),
    }
}

/// The number of members of a struct or of a class of structs.
/// The member with an index or a name, also of a Data, which has no method `[]`.
fn member_at(cx: &mut Cx, v: Value, index: Value) -> R<Option<Value>> {
    if let Some(index) = index.as_fixnum() {
        return Ok(usize::try_from(index).ok().and_then(|index| object::structure::get(v, index)));
    }
    if Sym::from_value(index).is_none() {
        return Ok(None);
    }
    let members = send(cx, v, "members", &[])?;
    let place = Arr::of(members).index_of(index);
    Ok(place.and_then(|place| object::structure::get(v, place)))
}

pub fn rb_struct_size(cx: &mut Cx, v: Value) -> R {
    if cell::is(v, Type::Range) {
        return Ok(Value::fixnum(3));
    }
    let members = send(cx, v, "members", &[])?;
    send(cx, members, "size", &[])
}

pub fn rb_range_new(cx: &mut Cx, begin: Value, end: Value, exclusive: i32) -> R {
    send_to(cx, "Range", "new", &[begin, end, Value::bool(exclusive != 0)])
}

pub fn rb_range_values(cx: &mut Cx, v: Value, begin: *mut Value, end: *mut Value, exclusive: *mut i32) -> R<i32> {
    if !cell::is(v, Type::Range) {
        let is_sequence = {
            let class = error::class_name_of(cx, v);
            class == "Enumerator::ArithmeticSequence"
        };
        let (first, last) = (intern_text(cx, "begin"), intern_text(cx, "end"));
        let exclude = intern_text(cx, "exclude_end?");
        if is_sequence
            || !call::responds(cx, v, first, false)?
            || !call::responds(cx, v, last, false)?
            || !call::responds(cx, v, exclude, false)?
        {
            return Ok(0);
        }
    }
    let from = send(cx, v, "begin", &[])?;
    let to = send(cx, v, "end", &[])?;
    let is_exclusive = send(cx, v, "exclude_end?", &[])?;
    given::write(begin, from);
    given::write(end, to);
    given::write(exclusive, is_exclusive.truthy() as i32);
    Ok(1)
}

/// Start and length within `len`; `None` if out of range. With `mode` 0 or 2 an end beyond `len` becomes `len`.
pub fn within(cx: &mut Cx, begin: Value, end: Value, exclusive: bool, len: i64, mode: i32) -> R<Option<(i64, i64)>> {
    let first = if begin.is_nil() { 0 } else { convert::to_i64(cx, begin)? };
    let mut last = if end.is_nil() { -1 } else { convert::to_i64(cx, end)? };
    let cut = mode == 0 || mode == 2;
    let at = if first < 0 { first + len } else { first };
    if at < 0 || (cut && at > len) {
        return Ok(None);
    }
    if last < 0 {
        last += len;
    }
    if !exclusive || end.is_nil() {
        last += 1;
    }
    if cut {
        last = last.min(len);
    }
    Ok(Some((at, (last - at).max(0))))
}

/// Start and length within `len`; `mode` 0: nil if out of range, 1: RangeError, 2: not limited to the end.
pub fn rb_range_beg_len(cx: &mut Cx, v: Value, start: *mut i64, count: *mut i64, len: i64, mode: i32) -> R {
    let (mut begin, mut end, mut exclusive) = (Value::NIL, Value::NIL, 0);
    if rb_range_values(cx, v, &mut begin, &mut end, &mut exclusive)? == 0 {
        return Ok(Value::FALSE);
    }
    match within(cx, begin, end, exclusive != 0, len, mode)? {
        Some((at, length)) => {
            given::write(start, at);
            given::write(count, length);
            Ok(Value::TRUE)
        }
        None if mode & 1 == 0 => Ok(Value::NIL),
        None => Err(out_of_range(cx, v)),
    }
}

pub fn out_of_range(cx: &mut Cx, range: Value) -> runtime::Unwind {
    match call::inspect_text(cx, range) {
        Ok(shown) => cx.range_error(&format!("{shown} out of range")),
        Err(unwind) => unwind,
    }
}

pub fn rb_undefine_finalizer(cx: &mut Cx, v: Value) -> R {
    send_to(cx, "ObjectSpace", "undefine_finalizer", &[v])
}

pub fn rb_define_finalizer(cx: &mut Cx, v: Value, block: Value) -> R {
    send_to(cx, "ObjectSpace", "define_finalizer", &[v, block])?;
    Ok(block)
}
