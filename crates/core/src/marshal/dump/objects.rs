//! The format of each kind of object.

use abi::{BlockHandler, Type, Value};
use memory::Grow;
use object::{Known, Sym, array::Arr, bigint, cell, class, float, hash, hash::HashRef, string::Str, structure};
use runtime::{Cx, R, call, define, error::OrRaise, sym};

use super::{
    super::{format, names, stand_ins},
    Dumper,
    hidden::is_set,
    variables::{Encoding, TrailingVariables},
};
use crate::{regexp, structure::access};

impl Dumper {
    /// Writes an object and everything it refers to, at most `limit` levels deep (negative: no limit).
    pub fn object(&mut self, cx: &mut Cx, v: Value, limit: i32) -> R<()> {
        if limit == 0 {
            return Err(cx.argument_error("exceed depth limit"));
        }
        cx.check_native_stack()?;
        if !self.port.is_nil() && self.bytes.len() >= super::CHUNK {
            self.hand_over(cx)?;
        }
        match v {
            Value::NIL => self.byte(format::NIL),
            Value::TRUE => self.byte(format::TRUE),
            Value::FALSE => self.byte(format::FALSE),
            v if v.is_fixnum() => return self.fixnum(cx, v.fixnum_value()),
            v => {
                if let Some(name) = Sym::from_value(v) {
                    return self.symbol(cx, name);
                }
                let number = hash::identity_get(self.objects, v);
                if !number.is_undef() {
                    self.byte(format::LINK);
                    return self.long(cx, number.fixnum_value() as usize);
                }
                return self.new_object(cx, v, if limit > 0 { limit - 1 } else { limit });
            }
        }
        Ok(())
    }

    /// Integers of 31 bits have their own form; others are written as big integers, and numbered as such.
    fn fixnum(&mut self, cx: &mut Cx, n: i64) -> R<()> {
        if (-(1 << 30)..1 << 30).contains(&n) {
            self.byte(format::FIXNUM);
            format::write_long(&mut self.bytes, n as i32);
            return Ok(());
        }
        self.integer(cx, n < 0, &n.unsigned_abs().to_le_bytes())?;
        self.object_count += 1;
        Ok(())
    }

    /// Writes the sign and the magnitude of a big integer, in units of 16 bits.
    fn integer(&mut self, cx: &mut Cx, negative: bool, magnitude: &[u8]) -> R<()> {
        let count = magnitude.iter().rposition(|b| *b != 0).map_or(0, |last| last + 1);
        let units = count.div_ceil(2);
        self.byte(format::BIGNUM);
        self.byte(if negative { b'-' } else { b'+' });
        self.long(cx, units)?;
        self.bytes.append_slice(&magnitude[..count]);
        if !count.is_multiple_of(2) {
            self.byte(0);
        }
        Ok(())
    }

    fn new_object(&mut self, cx: &mut Cx, v: Value, limit: i32) -> R<()> {
        if let Some(f) = float::get(v).filter(|_| v.is_flonum()) {
            self.remember(cx, v);
            self.byte(format::FLOAT);
            return self.sized(cx, format::float_text(f).as_bytes());
        }
        let (marshal_dump, own_dump) = (sym::MARSHAL_DUMP, sym::UNDERSCORE_DUMP);
        if call::responds(cx, v, marshal_dump, true)? {
            return self.by_marshal_dump(cx, v, marshal_dump, limit);
        }
        if call::responds(cx, v, own_dump, true)? {
            return self.by_dump(cx, v, own_dump, limit);
        }
        self.remember(cx, v);
        let v = self.stand_in_for(cx, v)?;
        let variables =
            if is_set(cx, v) { TrailingVariables::of_stand_in(cx, v) } else { TrailingVariables::of(cx, v)? };
        if variables.is_some() {
            self.byte(format::VARIABLES);
        }
        self.core_object(cx, v, limit)?;
        match variables {
            Some(variables) => self.trailing_variables(cx, variables, limit),
            None => Ok(()),
        }
    }

    /// The object that is written in place of an object, by default itself.
    fn stand_in_for(&mut self, cx: &mut Cx, v: Value) -> R {
        let class = class::real_class(cx, v);
        let Some(stand_in) = stand_ins::of(cx, class) else { return Ok(v) };
        let other = call::yield_one(cx, BlockHandler(stand_in.dumper), v)?;
        if self.stand_ins.is_nil() {
            self.stand_ins = hash::new_identity(cx);
        }
        hash::identity_store(cx, self.stand_ins, other, v);
        Ok(other)
    }

    /// RuntimeError if an object's custom dump is an object of the same class: dumping would never end.
    pub fn custom_dump(&mut self, cx: &mut Cx, v: Value, method: Sym, arguments: &[Value]) -> R {
        let dumped = call::send_private(cx, v, method, arguments)?;
        let class = class::class_of(cx, v);
        if class::class_of(cx, dumped) == class {
            let (class, method) = (define::class_name(cx, class), method.to_text(cx));
            return Err(cx.runtime_error(&format!("{class}#{method} returned same class instance")));
        }
        Ok(dumped)
    }

    fn by_marshal_dump(&mut self, cx: &mut Cx, v: Value, method: Sym, limit: i32) -> R<()> {
        self.remember(cx, v);
        let dumped = self.custom_dump(cx, v, method, &[])?;
        self.class(cx, format::USER_MARSHAL, v, false)?;
        self.object(cx, dumped, limit)
    }

    /// Writes the String that `_dump` returns. The object receives its number after the variables of the String.
    fn by_dump(&mut self, cx: &mut Cx, v: Value, method: Sym, limit: i32) -> R<()> {
        if !hash::identity_get(self.user_defined, v).is_undef() {
            return Err(cx.runtime_error("can't dump recursive object using _dump()"));
        }
        let dumped = self.custom_dump(cx, v, method, &[Value::fixnum(limit.into())])?;
        if !cell::is(dumped, Type::String) {
            return Err(cx.type_error("_dump() must return string"));
        }
        let variables = match TrailingVariables::of(cx, dumped)? {
            Some(variables) => Some(variables),
            None => TrailingVariables::of(cx, v)?,
        };
        if variables.is_some() {
            self.byte(format::VARIABLES);
        }
        self.class(cx, format::USER_DEFINED, v, false)?;
        self.sized_string(cx, dumped)?;
        if let Some(variables) = variables {
            hash::identity_store(cx, self.user_defined, v, Value::TRUE);
            self.trailing_variables(cx, variables, limit)?;
            hash::identity_delete(cx, self.user_defined, v);
        }
        self.remember(cx, v);
        Ok(())
    }

    fn core_object(&mut self, cx: &mut Cx, v: Value, limit: i32) -> R<()> {
        match cell::header(v).ty() {
            Type::Float => {
                self.byte(format::FLOAT);
                self.sized(cx, format::float_text(float::value(v)).as_bytes())
            }
            Type::BigInteger => {
                let number = bigint::parts(&v);
                let magnitude = memory::collect(number.limbs.iter().flat_map(|limb| limb.to_le_bytes()));
                self.integer(cx, bigint::is_negative(v), &magnitude)
            }
            Type::String => {
                self.user_class(cx, v, Known::String)?;
                self.byte(format::STRING);
                self.sized_string(cx, v)
            }
            Type::Regexp => self.regexp(cx, v),
            Type::Array => self.array(cx, v, limit),
            Type::Hash => self.hash(cx, v, limit),
            Type::Struct => self.structure(cx, v, limit),
            Type::Range => self.range(cx, v, limit),
            Type::Class | Type::Module => self.module(cx, v),
            Type::Exception => self.exception(cx, v, limit),
            Type::Object => self.plain(cx, v, limit),
            _ => self.native(cx, v, limit),
        }
    }

    fn regexp(&mut self, cx: &mut Cx, v: Value) -> R<()> {
        self.user_class(cx, v, Known::Regexp)?;
        self.byte(format::REGEXP);
        let data = regexp::search::data(cx, &v)?;
        let (source, options) = (data.source, data.options);
        self.sized_string(cx, source)?;
        self.byte(options);
        Ok(())
    }

    fn array(&mut self, cx: &mut Cx, v: Value, limit: i32) -> R<()> {
        self.user_class(cx, v, Known::Array)?;
        self.byte(format::ARRAY);
        let count = Arr::of(v).len();
        self.long(cx, count)?;
        for i in 0..count {
            let element = Arr::of(v).get(i).unwrap_or(Value::NIL);
            self.object(cx, element, limit)?;
            if Arr::of(v).len() != count {
                return Err(cx.runtime_error("array modified during dump"));
            }
        }
        Ok(())
    }

    fn hash(&mut self, cx: &mut Cx, v: Value, limit: i32) -> R<()> {
        self.user_class(cx, v, Known::Hash)?;
        let table = HashRef::of(v);
        if table.is_by_identity() {
            self.byte(format::USER_CLASS);
            self.symbol_named(cx, "Hash")?;
        }
        if table.default_is_proc() {
            return Err(cx.type_error("can't dump hash with default proc"));
        }
        self.entries(cx, v, table.default(), limit)
    }

    pub fn entries(&mut self, cx: &mut Cx, v: Value, default: Value, limit: i32) -> R<()> {
        let table = HashRef::of(v);
        self.byte(if default.is_nil() { format::HASH } else { format::HASH_WITH_DEFAULT });
        self.long(cx, table.len())?;
        // No key can be added meanwhile, which would make the count wrong.
        table.begin_iteration(cx).or_raise(cx)?;
        let written = self.each_entry(cx, table, limit);
        table.end_iteration(cx);
        written?;
        if default.is_nil() { Ok(()) } else { self.object(cx, default, limit) }
    }

    fn each_entry(&mut self, cx: &mut Cx, table: HashRef, limit: i32) -> R<()> {
        let mut position = 0;
        while let Some((next, key, value)) = table.next(position) {
            self.object(cx, key, limit)?;
            self.object(cx, value, limit)?;
            position = next;
        }
        Ok(())
    }

    fn structure(&mut self, cx: &mut Cx, v: Value, limit: i32) -> R<()> {
        self.class(cx, format::STRUCT, v, true)?;
        let names = access::names(cx, v);
        let count = structure::members(&v).len();
        self.long(cx, count)?;
        for i in 0..count {
            self.symbol(cx, Sym::of(Arr::of(names).at(i)))?;
            let member = structure::get(v, i).unwrap_or(Value::NIL);
            self.object(cx, member, limit)?;
        }
        Ok(())
    }

    fn module(&mut self, cx: &mut Cx, v: Value) -> R<()> {
        if class::flags(v).singleton {
            return Err(cx.type_error("singleton class can't be dumped"));
        }
        let path = names::path_of(cx, v)?;
        let encoding = Encoding::beyond_ascii(Str::of(path));
        if encoding.is_some() {
            self.byte(format::VARIABLES);
        }
        self.byte(if class::is_class(v) { format::CLASS } else { format::MODULE });
        self.sized_string(cx, path)?;
        self.lone_encoding(cx, encoding)
    }
}
