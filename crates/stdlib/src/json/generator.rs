//! From objects to JSON, and the methods `to_json`.

use std::sync::Arc;

use abi::Type;
use object::{Known, array::Arr, cell, class, hash::HashRef, string::Str};
use runtime::{Args, Cx, Method, R, Unwind, Value, call, convert, define, error, error::OrRaise, library, make, sym};
use text::{CodeRange, EncodingId};

use super::{
    generator_error, json_error, name,
    output::Output,
    parser::Duplicates,
    state::{self, Config, State},
    wrong_type,
};

pub const OF_VALUES: &[Method] = &[Method::new("to_json(state = nil, *rest)", to_json)];
pub const OF_OBJECT: &[Method] = &[Method::new("to_json(state = nil, *rest)", object_to_json)];
/// One run: the output so far, and the configuration.
struct Generator {
    /// The State, or until one is needed the class that makes it.
    state: Value,
    has_state: bool,
    config: Arc<Config>,
    /// Converts other objects to JSON's types, in strict generation; nil for none.
    as_json: Value,
    /// The nesting depth; the State has it while Ruby code runs.
    depth: i64,
    out: Output,
    written: WrittenKeys,
}

/// Where keys are in the output, with quotes, colon and spaces: they are copied when they occur again.
struct WrittenKeys {
    /// Symbols and frozen Strings, indexed by a function of their words; undef for unused entries.
    keys: [Value; WRITTEN_KEYS],
    places: [(usize, usize); WRITTEN_KEYS],
}

/// The number of remembered keys, a power of two.
const WRITTEN_KEYS: usize = 32;

impl WrittenKeys {
    const NONE: WrittenKeys = WrittenKeys { keys: [Value::UNDEF; WRITTEN_KEYS], places: [(0, 0); WRITTEN_KEYS] };

    #[inline(always)]
    fn index(key: Value) -> usize {
        // Objects are aligned to 16 bytes, and Symbols are numbered.
        (key.0 >> 4 ^ key.0 >> 9) as usize % WRITTEN_KEYS
    }

    #[inline(always)]
    fn place(&self, key: Value) -> Option<(usize, usize)> {
        let index = WrittenKeys::index(key);
        (self.keys[index] == key).then(|| self.places[index])
    }

    fn remember(&mut self, cx: &Cx, key: Value, start: usize, length: usize) {
        let lasting = match object::Sym::from_value(key) {
            Some(_) => true,
            None => is_plain(cx, key, Type::String, Known::String) && cell::frozen(key) && is_valid(key),
        };
        if lasting {
            let index = WrittenKeys::index(key);
            self.keys[index] = key;
            self.places[index] = (start, length);
        }
    }
}

/// Generates an object: a String, or an IO that it was written to.
pub fn run(cx: &mut Cx, state: Value, object: Value, io: Value) -> R {
    run_with(cx, state, io, |generator, cx| generator.value(cx, object))
}

/// Like [`run`], with these settings of a State of `class`. The State is only created if Ruby code needs it.
pub fn run_by(cx: &mut Cx, class: Value, state: State, object: Value, io: Value) -> R {
    run_new(cx, class, state, io, |generator, cx| generator.value(cx, object))
}

fn run_new(
    cx: &mut Cx,
    class: Value,
    settings: State,
    io: Value,
    body: impl FnOnce(&mut Generator, &mut Cx) -> R<()>,
) -> R {
    let State { config, depth, as_json, .. } = settings;
    let (out, written) = (Output::new(), WrittenKeys::NONE);
    let mut generator = Generator { state: class, has_state: false, config, as_json, depth, out, written };
    body(&mut generator, cx)?;
    state::deliver(cx, generator.out.text(), io)
}

/// `to_json` with its argument: a State, a Hash of options or something else, which is ignored.
fn run_for_value(cx: &mut Cx, state: Value, body: impl FnOnce(&mut Generator, &mut Cx) -> R<()>) -> R {
    if state::is_state(state) {
        return run_with(cx, state, Value::NIL, body);
    }
    let settings = state::from_options(cx, state)?;
    let class = cx.root(runtime::Root::JsonState);
    run_new(cx, class, settings, Value::NIL, body)
}

fn run_with(cx: &mut Cx, state: Value, io: Value, body: impl FnOnce(&mut Generator, &mut Cx) -> R<()>) -> R {
    let data = state::of(cx, state)?;
    let (config, depth, as_json) = (data.config.clone(), data.depth, data.as_json);
    // `to_json` gets a State whose depth changes. A frozen State is copied, because several Ractors may use it.
    let has_state = !cell::frozen(state);
    let state = if has_state { state } else { class::class_of(cx, state) };
    let (out, written) = (Output::new(), WrittenKeys::NONE);
    let mut generator = Generator { state, has_state, config, as_json, depth, out, written };
    body(&mut generator, cx)?;
    state::deliver(cx, generator.out.text(), io)
}

/// Deeper levels reserve memory before they start.
const SHALLOW: i64 = 100;
/// The memory for the text of such a deeper level.
const LEVEL_ROOM: usize = 1 << 16;

impl Generator {
    #[inline(always)]
    fn value(&mut self, cx: &mut Cx, v: Value) -> R<()> {
        // Lists of numbers are frequent, and a call costs as much as a short number.
        if v.is_fixnum() {
            self.out.integer(v.fixnum_value());
            return Ok(());
        }
        self.value_maybe_converted(cx, v, false)
    }

    /// `converted`: the value is a result of `as_json`, which is called only once.
    fn value_maybe_converted(&mut self, cx: &mut Cx, v: Value, converted: bool) -> R<()> {
        match v {
            _ if v.is_fixnum() => self.out.integer(v.fixnum_value()),
            _ if is_plain(cx, v, Type::String, Known::String) => self.string_maybe_converted(cx, v, converted)?,
            Value::NIL => self.out.word(b"null"),
            Value::TRUE => self.out.word(b"true"),
            Value::FALSE => self.out.word(b"false"),
            _ if convert::is_float(v) => self.float(cx, v)?,
            _ if cell::is(v, Type::BigInteger) => {
                let digits = call::send(cx, v, sym::TO_S, &[])?;
                self.raw(cx, digits)?;
            }
            _ if is_plain(cx, v, Type::Hash, Known::Hash) => self.hash(cx, v)?,
            _ if is_plain(cx, v, Type::Array, Known::Array) => self.array(cx, v)?,
            _ if self.config.strict => self.strict(cx, v, converted)?,
            _ => self.other(cx, v)?,
        }
        Ok(())
    }

    fn float(&mut self, cx: &mut Cx, v: Value) -> R<()> {
        let number = object::float::value(v);
        if number.is_finite() {
            push_float(&mut self.out, number);
            return Ok(());
        }
        let shown = text::number::float_to_s(number);
        if !self.config.allow_nan {
            if self.config.strict && self.as_json.truthy() {
                let made = self.ask(cx, v, false)?;
                if !convert::is_float(made) || object::float::value(made).is_finite() {
                    self.enter(cx)?;
                    self.value(cx, made)?;
                    self.depth -= 1;
                    return Ok(());
                }
            }
            let message = make::text(cx, &format!("{shown} not allowed in JSON"));
            return Err(generator_error(cx, message, v));
        }
        self.out.slice(shown.as_bytes());
        Ok(())
    }

    fn ask(&mut self, cx: &mut Cx, v: Value, is_key: bool) -> R {
        call::block::call_proc(cx, self.as_json, &[v, Value::bool(is_key)])
    }

    fn string(&mut self, cx: &mut Cx, v: Value) -> R<()> {
        self.string_maybe_converted(cx, v, false)
    }

    fn string_maybe_converted(&mut self, cx: &mut Cx, v: Value, converted: bool) -> R<()> {
        if is_valid(v) {
            self.out.quoted(Str::of(v).bytes(cx), self.config.escapes);
            return Ok(());
        }
        if !converted && self.config.strict && self.as_json.truthy() {
            let made = self.ask(cx, v, false)?;
            if made != v {
                return self.value_maybe_converted(cx, made, true);
            }
        }
        let text = encoded(cx, v)?;
        if !is_valid(text) {
            return Err(malformed(cx, v));
        }
        self.out.quoted(Str::of(text).bytes(cx), self.config.escapes);
        Ok(())
    }

    /// Strict generation of objects that are not of JSON's types.
    fn strict(&mut self, cx: &mut Cx, v: Value, converted: bool) -> R<()> {
        if let Some(symbol) = object::Sym::from_value(v) {
            let text = symbol.name(cx);
            return self.string(cx, text);
        }
        let fragment = library::loaded(cx, &["JSON", "Fragment"])?;
        if class::class_of(cx, v) == fragment {
            let json = name(cx, "json");
            let text = call::send(cx, v, json, &[])?;
            return self.raw(cx, text);
        }
        if self.as_json.truthy() && !converted {
            let made = self.ask(cx, v, false)?;
            return self.value_maybe_converted(cx, made, true);
        }
        let class = class::class_of(cx, v);
        let class = define::class_name(cx, class);
        let message = make::text(cx, &format!("{class} not allowed in JSON"));
        Err(generator_error(cx, message, v))
    }

    /// Inserts a text that is already JSON.
    fn raw(&mut self, cx: &mut Cx, text: Value) -> R<()> {
        match Str::from_value(text) {
            Some(text) => {
                self.out.slice(text.bytes(cx));
                Ok(())
            }
            None => Err(wrong_type(cx, text, "String")),
        }
    }

    /// An object with `to_json`, or otherwise its `to_s`.
    fn other(&mut self, cx: &mut Cx, v: Value) -> R<()> {
        let to_json = name(cx, "to_json");
        if !call::responds(cx, v, to_json, true)? {
            let text = call::send(cx, v, sym::TO_S, &[])?;
            return if cell::is(text, Type::String) {
                self.string(cx, text)
            } else {
                Err(wrong_type(cx, text, "String"))
            };
        }
        if !self.has_state {
            let mut state = State::new(self.config.clone());
            (state.depth, state.as_json) = (self.depth, self.as_json);
            self.state = state::make_state_of(cx, self.state, state);
            self.has_state = true;
        }
        let before = std::mem::replace(&mut state::of(cx, self.state)?.depth, self.depth);
        let text = call::send(cx, v, to_json, &[self.state]);
        let state = state::of(cx, self.state)?;
        state.depth = before;
        if !Arc::ptr_eq(&self.config, &state.config) {
            self.config = state.config.clone();
            self.written = WrittenKeys::NONE;
        }
        self.raw(cx, text?)
    }

    fn enter(&mut self, cx: &mut Cx) -> R<()> {
        self.depth += 1;
        let most = self.config.max_nesting;
        if most != 0 && self.depth > most {
            self.depth -= 1;
            let message = format!(
                "nesting of {} is too deep. Did you try to serialize objects with circular references?",
                self.depth
            );
            return Err(json_error(cx, "NestingError", message.as_bytes()));
        }
        // A cyclic structure recurses until the stack or the memory is exhausted, which also raises an exception.
        if self.depth > SHALLOW || !self.config.indent.is_empty() {
            let room = if self.depth > SHALLOW { LEVEL_ROOM } else { 0 };
            let indent = (self.depth as usize).saturating_mul(self.config.indent.len());
            if !self.out.try_reserve(room.saturating_add(indent)) {
                return Err(cx.no_memory());
            }
        }
        cx.check_native_stack()
    }

    #[inline(always)]
    fn indent(&mut self) {
        if !self.config.indent.is_empty() {
            for _ in 0..self.depth {
                self.out.slice(&self.config.indent);
            }
        }
    }

    fn array(&mut self, cx: &mut Cx, v: Value) -> R<()> {
        self.enter(cx)?;
        if Arr::of(v).is_empty() {
            self.out.word(b"[]");
            self.depth -= 1;
            return Ok(());
        }
        self.out.push(b'[');
        push_space(&mut self.out, &self.config.array_nl);
        let mut i = 0;
        while let Some(element) = Arr::of(v).get(i) {
            if i > 0 {
                self.out.push(b',');
                push_space(&mut self.out, &self.config.array_nl);
            }
            self.indent();
            self.value(cx, element)?;
            i += 1;
        }
        self.depth -= 1;
        if !self.config.array_nl.is_empty() {
            push_space(&mut self.out, &self.config.array_nl);
            self.indent();
        }
        self.out.push(b']');
        Ok(())
    }

    fn hash(&mut self, cx: &mut Cx, v: Value) -> R<()> {
        self.enter(cx)?;
        let table = HashRef::of(v);
        if table.is_empty() {
            self.out.word(b"{}");
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
            push_space(&mut self.out, &self.config.object_nl);
            self.indent();
        }
        self.out.push(b'}');
        Ok(())
    }

    fn pairs(&mut self, cx: &mut Cx, table: HashRef) -> R<()> {
        let mut at = 0;
        // A String and a Symbol key may have the same text.
        let (mut first, mut is_checked) = (None, self.config.duplicates == Duplicates::Ignore);
        // The keys of a large Hash are most often data.
        let repeats = table.len() <= WRITTEN_KEYS;
        while let Some((next, key, value)) = table.next(at) {
            if at > 0 {
                self.out.push(b',');
            }
            at = next;
            push_space(&mut self.out, &self.config.object_nl);
            self.indent();
            let kind = object::Sym::from_value(key).is_some();
            if (kind || cell::is(key, Type::String)) && *first.get_or_insert(kind) != kind && !is_checked {
                is_checked = true;
                let (json, check) = (super::json(cx)?, name(cx, "on_mixed_keys_hash"));
                let refuse = Value::bool(self.config.duplicates == Duplicates::Refuse);
                call::send(cx, json, check, &[table.value(), refuse])?;
            }
            let known = if repeats { self.written.place(key) } else { None };
            if let Some((start, length)) = known {
                self.out.again(start, length);
            } else {
                let start = self.out.text().len();
                self.key(cx, key)?;
                push_space(&mut self.out, &self.config.space_before);
                self.out.push(b':');
                push_space(&mut self.out, &self.config.space);
                if repeats {
                    self.written.remember(cx, key, start, self.out.text().len() - start);
                }
            }
            self.value(cx, value)?;
        }
        Ok(())
    }

    fn key(&mut self, cx: &mut Cx, mut key: Value) -> R<()> {
        let mut converted = false;
        if self.config.strict && !is_name(key) {
            if self.as_json.truthy() {
                key = self.ask(cx, key, true)?;
                converted = true;
            }
            if !is_name(key) {
                return Err(self.no_key(cx, key));
            }
        }
        let text = match object::Sym::from_value(key) {
            Some(symbol) => symbol.name(cx),
            None if is_plain(cx, key, Type::String, Known::String) => key,
            None => call::send(cx, key, sym::TO_S, &[])?,
        };
        if !cell::is(text, Type::String) {
            let (from, got) = (error::class_name_of(cx, key), error::class_name_of(cx, text));
            return Err(cx.type_error(&format!("can't convert {from} to String ({from}#to_s gives {got})")));
        }
        if !is_valid(text) && !converted && self.config.strict && self.as_json.truthy() {
            let made = self.ask(cx, text, false)?;
            if made != text && !cell::is(made, Type::String) {
                return Err(self.no_key(cx, made));
            }
            if made != text && !is_valid(made) {
                return Err(malformed(cx, text));
            }
            return self.string_maybe_converted(cx, made, true);
        }
        if is_plain(cx, text, Type::String, Known::String) {
            return self.string_maybe_converted(cx, text, converted);
        }
        self.value(cx, text)
    }

    fn no_key(&self, cx: &mut Cx, key: Value) -> Unwind {
        let class = class::class_of(cx, key);
        let class = define::class_name(cx, class);
        let message = make::text(cx, &format!("{class} not allowed as object key in JSON"));
        generator_error(cx, message, key)
    }
}

fn is_name(key: Value) -> bool {
    cell::is(key, Type::String) || object::Sym::from_value(key).is_some()
}

/// Whether the string's bytes can be in JSON unchanged.
#[inline(always)]
fn is_valid(v: Value) -> bool {
    match Str::of(v).code_range() {
        CodeRange::SevenBit => true,
        range => range == CodeRange::Valid && Str::of(v).encoding() == EncodingId::UTF_8,
    }
}

fn malformed(cx: &mut Cx, v: Value) -> Unwind {
    let message = make::text(cx, "source sequence is illegal/malformed utf-8");
    generator_error(cx, message, v)
}

/// The shortest digits that identify the number, with an exponent only if that is much shorter.
fn push_float(out: &mut Output, number: f64) {
    if text::number::positional(number, |text| out.slice(text)) {
        return;
    }
    if number.is_sign_negative() {
        out.push(b'-');
    }
    let shortest = text::number::shortest(number);
    let digits = shortest.digits();
    let exponent = shortest.point - 1;
    let behind = digits.len() as i32 - 1 - exponent;
    if behind <= 0 && exponent < 15 {
        out.slice(digits);
        out.repeat(b'0', (-behind) as usize);
        out.word(b".0");
    } else if behind > 0 && (behind < 7 || exponent.abs() < 10) {
        let whole = digits.len() as i32 - behind;
        if whole <= 0 {
            out.word(b"0.");
            out.repeat(b'0', (-whole) as usize);
            out.slice(digits);
        } else {
            let (whole, fraction) = digits.split_at(whole as usize);
            out.slice(whole);
            out.push(b'.');
            out.slice(fraction);
        }
    } else {
        let (first, rest) = digits.split_at(1);
        out.slice(first);
        if !rest.is_empty() {
            out.push(b'.');
        }
        out.slice(rest);
        out.slice(format!("e{exponent:+}").as_bytes());
    }
}

/// An instance of the class itself, not of a subclass.
#[inline]
fn is_plain(cx: &Cx, v: Value, ty: Type, known: Known) -> bool {
    cell::is(v, ty) && (cell::header(v).shape() == known.root_shape() || class::class_of(cx, v) == cx.class(known))
}

/// Appends spacing, which is empty in most configurations.
#[inline(always)]
fn push_space(out: &mut Output, space: &[u8]) {
    if !space.is_empty() {
        out.slice(space);
    }
}

/// The string in UTF-8.
fn encoded(cx: &mut Cx, v: Value) -> R {
    let text = Str::of(v);
    match (text.code_range(), text.encoding()) {
        (CodeRange::SevenBit, _) => return Ok(v),
        (CodeRange::Valid, EncodingId::UTF_8) => return Ok(v),
        (_, EncodingId::UTF_8) => return Ok(v),
        (_, EncodingId::BINARY) => {
            let copy = text.copied(cx, 0..text.len(), EncodingId::UTF_8).or_raise(cx)?;
            if copy.code_range() == CodeRange::Valid {
                super::deprecated(
                    cx,
                    "JSON.generate: UTF-8 string passed as BINARY, this will raise an encoding error in json 3.0",
                )?;
                return Ok(copy.value());
            }
        }
        (range, EncodingId::US_ASCII) if range != CodeRange::Valid => {
            return Ok(text.copied(cx, 0..text.len(), EncodingId::UTF_8).or_raise(cx)?.value());
        }
        _ => {}
    }
    let utf_8 = core_classes::encoding::object(cx, EncodingId::UTF_8);
    let encode = name(cx, "encode");
    match call::send(cx, v, encode, &[utf_8]) {
        Ok(text) => convert::to_str(cx, text).map(Str::value),
        Err(unwind) => {
            // An encoding error becomes a GeneratorError with the same message.
            let exception = cx.take_exception(unwind)?;
            let class = library::loaded(cx, &["EncodingError"])?;
            if !class::is_a(cx, exception, class) {
                return Err(error::raise_exception(cx, exception));
            }
            let to_s = call::send(cx, exception, sym::MESSAGE, &[])?;
            let before = std::mem::replace(&mut cx.error_info, exception);
            let unwind = generator_error(cx, to_s, v);
            cx.error_info = before;
            Err(unwind)
        }
    }
}

/// `to_json(state = nil, *rest) → string`: of Array, Hash, String, Integer, Float, true, false and nil: the JSON text
/// of the receiver, as `JSON::State#generate` writes it.
fn to_json(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    run_for_value(cx, args.opt(0).unwrap_or(Value::NIL), |generator, cx| match cell_type(me) {
        Some(Type::String) => generator.string(cx, me),
        Some(Type::Array) => generator.array(cx, me),
        Some(Type::Hash) => generator.hash(cx, me),
        _ => generator.value(cx, me),
    })
}

fn cell_type(v: Value) -> Option<Type> {
    v.is_heap().then(|| cell::header(v).ty())
}

/// `to_json(state = nil, *rest) → string`: of any other object: its `to_s` as a JSON string.
fn object_to_json(cx: &mut Cx, args: Args) -> R {
    let state = args.opt(0).unwrap_or(Value::NIL);
    let text = call::send(cx, args.me(), sym::TO_S, &[])?;
    if !cell::is(text, Type::String) {
        return Err(wrong_type(cx, text, "String"));
    }
    run_for_value(cx, state, |generator, cx| generator.string(cx, text))
}
