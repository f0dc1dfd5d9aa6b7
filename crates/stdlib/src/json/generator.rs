//! From objects to JSON, and the methods `to_json`.

use std::rc::Rc;

use abi::Type;
use object::{Known, array::Arr, cell, class, hash::HashRef, string::Str};
use runtime::{Args, Cx, Method, R, Value, call, convert, define, error, keys, make, make::OrRaise, sym};
use text::{CodeRange, EncodingId};

use super::{
    escape, generator_error, json_error, name,
    state::{self, Config},
    wrong_type,
};

pub const OF_VALUES: &[Method] = &[Method::new("to_json(state = nil, *rest)", to_json)];
pub const OF_OBJECT: &[Method] = &[Method::new("to_json(state = nil, *rest)", object_to_json)];
pub const OF_STRING: &[Method] = &[
    Method::new("to_json(state = nil, *rest)", to_json),
    Method::new("to_json_raw(*arguments)", to_json_raw),
    Method::new("to_json_raw_object", to_json_raw_object),
];
pub const OF_STRING_MODULE: &[Method] = &[Method::new("included(class)", string_included)];
pub const OF_STRING_CLASS: &[Method] = &[Method::new("json_create(object)", json_create)];

/// One run: what is generated so far, and what it goes by.
struct Generator {
    state: Value,
    config: Rc<Config>,
    /// How deep it is; the State has it while Ruby code runs.
    depth: i64,
    out: Vec<u8>,
}

/// Generates an object: a String, or an IO that it was written to.
pub fn run(cx: &mut Cx, state: Value, object: Value, io: Value) -> R {
    run_with(cx, state, io, |generator, cx| generator.value(cx, object))
}

fn run_with(cx: &mut Cx, state: Value, io: Value, body: impl FnOnce(&mut Generator, &mut Cx) -> R<()>) -> R {
    let data = state::of(cx, state)?;
    let (config, depth) = (data.config.clone(), data.depth);
    let mut generator = Generator { state, config, depth, out: Vec::with_capacity(256) };
    match body(&mut generator, cx) {
        Ok(()) => {
            state::of(cx, state)?.depth = generator.depth;
            state::deliver(cx, &generator.out, io)
        }
        Err(unwind) => {
            state::of(cx, state)?.depth = 0;
            Err(unwind)
        }
    }
}

impl Generator {
    fn value(&mut self, cx: &mut Cx, v: Value) -> R<()> {
        match v {
            Value::NIL => self.out.extend_from_slice(b"null"),
            Value::TRUE => self.out.extend_from_slice(b"true"),
            Value::FALSE => self.out.extend_from_slice(b"false"),
            _ if v.is_fixnum() => push_integer(&mut self.out, v.fixnum_value()),
            _ if convert::is_float(v) => self.float(cx, v)?,
            _ if cell::is(v, Type::BigInteger) => {
                let digits = convert::to_s(cx, v)?;
                self.out.extend_from_slice(Str(digits).bytes());
            }
            _ if is_plain(cx, v, Type::String, Known::String) => self.string(cx, v)?,
            _ if is_plain(cx, v, Type::Hash, Known::Hash) => self.hash(cx, v)?,
            _ if is_plain(cx, v, Type::Array, Known::Array) => self.array(cx, v)?,
            _ => self.other(cx, v)?,
        }
        Ok(())
    }

    fn float(&mut self, cx: &mut Cx, v: Value) -> R<()> {
        let number = object::float::value(v);
        let shown = text::number::float_to_s(number);
        if !number.is_finite() && !self.config.allow_nan {
            let message = make::text(cx, &format!("{shown} not allowed in JSON"));
            return Err(generator_error(cx, message, v));
        }
        self.out.extend_from_slice(shown.as_bytes());
        Ok(())
    }

    fn string(&mut self, cx: &mut Cx, v: Value) -> R<()> {
        let text = encoded(cx, v)?;
        match Str(text).code_range() {
            CodeRange::SevenBit | CodeRange::Valid => {
                escape::push_quoted(&mut self.out, Str(text).bytes(), self.config.escapes);
                Ok(())
            }
            _ => {
                let message = make::text(cx, "source sequence is illegal/malformed utf-8");
                Err(generator_error(cx, message, v))
            }
        }
    }

    /// An object that says itself what it is in JSON, or whose text stands for it.
    fn other(&mut self, cx: &mut Cx, v: Value) -> R<()> {
        if self.config.strict {
            let class = class::class_of(cx, v);
            let class = define::class_name(cx, class);
            let message = make::text(cx, &format!("{class} not allowed in JSON"));
            return Err(generator_error(cx, message, v));
        }
        let to_json = name(cx, "to_json");
        if !call::responds(cx, v, to_json, true)? {
            let text = call::send(cx, v, sym::TO_S, &[])?;
            return if cell::is(text, Type::String) {
                self.string(cx, text)
            } else {
                Err(wrong_type(cx, text, "String"))
            };
        }
        state::of(cx, self.state)?.depth = self.depth;
        let text = call::send(cx, v, to_json, &[self.state])?;
        let state = state::of(cx, self.state)?;
        self.depth = state.depth;
        self.config = state.config.clone();
        match Str::from_value(text) {
            Some(text) => {
                self.out.extend_from_slice(text.bytes());
                Ok(())
            }
            None => Err(wrong_type(cx, text, "String")),
        }
    }

    fn enter(&mut self, cx: &mut Cx) -> R<()> {
        self.depth += 1;
        let most = self.config.max_nesting;
        if most != 0 && self.depth > most {
            self.depth -= 1;
            let message = format!("nesting of {} is too deep", self.depth);
            return Err(json_error(cx, "NestingError", message.as_bytes()));
        }
        cx.check_native_stack()
    }

    fn indent(&mut self) {
        for _ in 0..if self.config.indent.is_empty() { 0 } else { self.depth } {
            self.out.extend_from_slice(&self.config.indent);
        }
    }

    fn array(&mut self, cx: &mut Cx, v: Value) -> R<()> {
        self.enter(cx)?;
        if Arr(v).is_empty() {
            self.out.extend_from_slice(b"[]");
            self.depth -= 1;
            return Ok(());
        }
        self.out.push(b'[');
        self.out.extend_from_slice(&self.config.array_nl);
        let mut i = 0;
        while let Some(element) = Arr(v).get(i) {
            if i > 0 {
                self.out.push(b',');
                self.out.extend_from_slice(&self.config.array_nl);
            }
            self.indent();
            self.value(cx, element)?;
            i += 1;
        }
        self.depth -= 1;
        if !self.config.array_nl.is_empty() {
            self.out.extend_from_slice(&self.config.array_nl);
            self.indent();
        }
        self.out.push(b']');
        Ok(())
    }

    fn hash(&mut self, cx: &mut Cx, v: Value) -> R<()> {
        self.enter(cx)?;
        let table = HashRef(v);
        if table.is_empty() {
            self.out.extend_from_slice(b"{}");
            self.depth -= 1;
            return Ok(());
        }
        self.out.push(b'{');
        table.begin_iteration(cx).or_raise(cx)?;
        let outcome = self.pairs(cx, table);
        table.end_iteration(cx);
        outcome?;
        self.depth -= 1;
        if !self.config.object_nl.is_empty() {
            self.out.extend_from_slice(&self.config.object_nl);
            self.indent();
        }
        self.out.push(b'}');
        Ok(())
    }

    fn pairs(&mut self, cx: &mut Cx, table: HashRef) -> R<()> {
        let mut at = 0;
        while let Some((next, key, value)) = table.next(at) {
            if at > 0 {
                self.out.push(b',');
            }
            at = next;
            self.out.extend_from_slice(&self.config.object_nl);
            self.indent();
            self.key(cx, key)?;
            self.out.extend_from_slice(&self.config.space_before);
            self.out.push(b':');
            self.out.extend_from_slice(&self.config.space);
            self.value(cx, value)?;
        }
        Ok(())
    }

    fn key(&mut self, cx: &mut Cx, key: Value) -> R<()> {
        if is_plain(cx, key, Type::String, Known::String) {
            return self.string(cx, key);
        }
        let text = match object::Sym::from_value(key) {
            Some(symbol) => symbol.name(cx),
            None => call::send(cx, key, sym::TO_S, &[])?,
        };
        if is_plain(cx, text, Type::String, Known::String) {
            return self.string(cx, text);
        }
        if !cell::is(text, Type::String) {
            let (from, got) = (error::class_name_of(cx, key), error::class_name_of(cx, text));
            return Err(cx.type_error(&format!("can't convert {from} to String ({from}#to_s gives {got})")));
        }
        self.value(cx, text)
    }
}

/// An instance of the class itself, not of a subclass.
fn is_plain(cx: &Cx, v: Value, ty: Type, known: Known) -> bool {
    cell::is(v, ty) && class::class_of(cx, v) == cx.class(known)
}

fn push_integer(out: &mut Vec<u8>, number: i64) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(&digits[at..]);
}

/// The string in UTF-8.
fn encoded(cx: &mut Cx, v: Value) -> R {
    let text = Str(v);
    match (text.code_range(), text.encoding()) {
        (CodeRange::SevenBit, _) => return Ok(v),
        (CodeRange::Valid, EncodingId::UTF_8) => return Ok(v),
        (_, EncodingId::UTF_8) => return Ok(v),
        (_, EncodingId::BINARY) => {
            let copy = Str::new(cx, text.bytes(), EncodingId::UTF_8).or_raise(cx)?;
            if copy.code_range() == CodeRange::Valid {
                super::deprecated(
                    cx,
                    "JSON.generate: UTF-8 string passed as BINARY, this will raise an encoding error in json 3.0",
                )?;
                return Ok(copy.0);
            }
        }
        (range, EncodingId::US_ASCII) if range != CodeRange::Valid => {
            return Ok(Str::new(cx, text.bytes(), EncodingId::UTF_8).or_raise(cx)?.0);
        }
        _ => {}
    }
    let utf_8 = core_classes::encoding::object(cx, EncodingId::UTF_8);
    let encode = name(cx, "encode");
    match call::send(cx, v, encode, &[utf_8]) {
        Ok(text) => Ok(text),
        Err(unwind) => {
            // What can't be encoded is an error of the generator, with the same words.
            let exception = cx.take_exception(unwind)?;
            let class = define::class_or_module_named(cx, "EncodingError");
            if !class::is_a(cx, exception, class) {
                return Err(error::raise_exception(cx, exception));
            }
            let to_s = call::send(cx, exception, sym::MESSAGE, &[])?;
            Err(generator_error(cx, to_s, v))
        }
    }
}

/// `to_json(state = nil, *) → string`: of Array, Hash, String, Integer, Float, true, false and nil.
fn to_json(cx: &mut Cx, args: Args) -> R {
    let state = state::from_options(cx, args.opt(0).unwrap_or(Value::NIL))?;
    let me = args.me();
    run_with(cx, state, Value::NIL, |generator, cx| match cell_type(me) {
        Some(Type::String) => generator.string(cx, me),
        Some(Type::Array) => generator.array(cx, me),
        Some(Type::Hash) => generator.hash(cx, me),
        _ => generator.value(cx, me),
    })
}

fn cell_type(v: Value) -> Option<Type> {
    v.is_heap().then(|| cell::header(v).ty())
}

/// `to_json(state = nil, *) → string` of any other object: its text.
fn object_to_json(cx: &mut Cx, args: Args) -> R {
    let state = args.opt(0).unwrap_or(Value::NIL);
    let text = call::send(cx, args.me(), sym::TO_S, &[])?;
    if !cell::is(text, Type::String) {
        return Err(wrong_type(cx, text, "String"));
    }
    let state = state::from_options(cx, state)?;
    run_with(cx, state, Value::NIL, |generator, cx| generator.string(cx, text))
}

fn create_id(cx: &mut Cx) -> R {
    let json = super::json(cx);
    let create_id = name(cx, "create_id");
    call::send(cx, json, create_id, &[])
}

/// `to_json_raw_object → hash`: the class's name and the bytes.
fn to_json_raw_object(cx: &mut Cx, args: Args) -> R {
    let table = HashRef::new(cx).0;
    let id = create_id(cx)?;
    let class = class::real_class(cx, args.me());
    let class = define::class_name(cx, class);
    let class = make::text(cx, &class);
    keys::store(cx, table, id, class)?;
    let bytes = name(cx, "bytes");
    let bytes = call::send(cx, args.me(), bytes, &[])?;
    let raw = make::text(cx, "raw");
    keys::store(cx, table, raw, bytes)?;
    Ok(table)
}

/// `to_json_raw(*) → string`
fn to_json_raw(cx: &mut Cx, args: Args) -> R {
    let object = to_json_raw_object(cx, args)?;
    let to_json = name(cx, "to_json");
    call::send(cx, object, to_json, args.all())
}

/// What includes GeneratorMethods::String gets `json_create`.
fn string_included(cx: &mut Cx, args: Args) -> R {
    let extend = name(cx, "Extend");
    let module = runtime::constants::lookup_from(cx, args.me(), extend)?;
    let extend = name(cx, "extend");
    call::send(cx, args.at(0), extend, &[module])
}

/// `String.json_create(hash) → string`: from the bytes under "raw".
fn json_create(cx: &mut Cx, args: Args) -> R {
    let raw = make::text(cx, "raw");
    let bytes = call::send(cx, args.at(0), sym::AREF, &[raw])?;
    let pack = name(cx, "pack");
    let format = make::text(cx, "C*");
    call::send(cx, bytes, pack, &[format])
}
