//! The object types of the format.

use abi::Value;
use memory::Grow;
use object::{array::Arr, bigint, float, hash::HashRef, string::Str};
use runtime::{Cx, R, error::OrRaise, keys, make, special};
use text::encoding::EncodingId;

use super::{super::format, Context, Loader};

/// Letters without a special meaning after a backslash in Ruby 1.8, which wrote patterns without an encoding.
const PLAIN_IN_1_8: &[u8] = b"ghijklmopquyEFHIJKLNOPQRSTUVXY";

impl Loader {
    pub fn object_of(&mut self, cx: &mut Cx, kind: u8, context: Context) -> R {
        self.object_with(cx, kind, context, None)
    }

    /// An object of a kind. `variables_follow` is set to false once the object's reader has read the variables.
    pub fn object_with(&mut self, cx: &mut Cx, kind: u8, context: Context, variables_follow: Option<&mut bool>) -> R {
        cx.check_native_stack()?;
        match kind {
            format::NIL => self.leave(cx, Value::NIL, Context::NOTHING),
            format::TRUE => self.leave(cx, Value::TRUE, Context::NOTHING),
            format::FALSE => self.leave(cx, Value::FALSE, Context::NOTHING),
            format::FIXNUM => {
                let n = self.source.long(cx)?;
                let v = bigint::from_i64(cx, n);
                self.leave(cx, v, Context::NOTHING)
            }
            format::LINK => self.link(cx),
            format::VARIABLES => self.with_variables(cx, context),
            format::EXTENDED => self.extended(cx, context),
            format::USER_CLASS => self.of_user_class(cx, context, variables_follow),
            format::FLOAT => self.float(cx),
            format::BIGNUM => self.bignum(cx),
            format::STRING => {
                let bytes = self.source.bytes(cx)?;
                let v = make::string_of_list(cx, bytes, EncodingId::BINARY);
                self.enter(cx, v);
                self.leave(cx, v, context)
            }
            format::REGEXP => self.regexp(cx, context, variables_follow),
            format::ARRAY => self.array(cx, context),
            format::HASH | format::HASH_WITH_DEFAULT => self.hash(cx, kind, context, false),
            format::STRUCT => self.structure(cx, context),
            format::USER_DEFINED => self.by_load(cx, context, variables_follow),
            format::USER_MARSHAL => self.by_marshal_load(cx, context),
            format::OBJECT => self.plain(cx, context),
            format::DATA => self.by_load_data(cx, context),
            format::CLASS | format::MODULE | format::MODULE_OLD => self.module(cx, kind, context, variables_follow),
            format::SYMBOL => {
                let with_encoding = variables_follow.is_some_and(std::mem::take);
                let name = self.new_symbol(cx, with_encoding)?;
                let v = self.interned(cx, name).value();
                self.leave(cx, v, context)
            }
            format::SYMBOL_LINK => {
                let name = self.symbol_link(cx)?;
                Ok(self.interned(cx, name).value())
            }
            _ => Err(cx.argument_error(&format!("dump format error(0x{kind:x})"))),
        }
    }

    /// `I`: an object followed by variables, unless its reader reads them.
    fn with_variables(&mut self, cx: &mut Cx, context: Context) -> R {
        let kind = self.source.byte(cx)?;
        let mut variables_follow = true;
        let v = self.object_with(cx, kind, Context { partial: true, ..context }, Some(&mut variables_follow))?;
        if variables_follow {
            self.variables(cx, v)?;
        }
        self.leave(cx, v, context)
    }

    fn float(&mut self, cx: &mut Cx) -> R {
        let text = self.source.bytes(cx)?;
        let v = float::new(cx, format::parse_float(&text));
        self.enter(cx, v);
        self.leave(cx, v, Context::NOTHING)
    }

    fn bignum(&mut self, cx: &mut Cx) -> R {
        let sign = self.source.byte(cx)?;
        if !matches!(sign, b'+' | b'-') {
            return Err(cx.argument_error("invalid Bignum sign"));
        }
        let units = self.source.count(cx, 2)?;
        let bytes = self.source.take(cx, units * 2)?;
        let n = numeric::big::from_le_bytes(&bytes, false);
        let n = if sign == b'-' { numeric::big::neg(n.as_int()) } else { n };
        let v = bigint::integer(cx, n).or_raise(cx)?;
        self.enter(cx, v);
        self.leave(cx, v, Context::NOTHING)
    }

    fn regexp(&mut self, cx: &mut Cx, context: Context, variables_follow: Option<&mut bool>) -> R {
        let bytes = self.source.bytes(cx)?;
        let options = self.source.byte(cx)?;
        let source = make::string(cx, &bytes, EncodingId::BINARY);
        let number = self.reserve(cx);
        let mut has_encoding = false;
        if let Some(variables_follow) = variables_follow
            && *variables_follow
        {
            has_encoding = self.variables(cx, source)?;
            *variables_follow = false;
        }
        let bytes = if has_encoding { bytes } else { without_new_escapes(&bytes) };
        let class = cx.class(object::Known::Regexp);
        let v = special::make_regexp(cx, class, &bytes, Str::of(source).encoding(), options)?;
        object::shape::ivars::copy(cx, source, v);
        self.enter_at(cx, number, v);
        self.leave(cx, v, context)
    }

    fn array(&mut self, cx: &mut Cx, context: Context) -> R {
        let count = self.source.count(cx, 1)?;
        let room = self.source.room(count);
        let v = Arr::with_capacity(cx, room).or_raise(cx)?.value();
        self.enter(cx, v);
        self.source.expect(count - 1);
        for _ in 0..count {
            let element = self.object(cx)?;
            make::push(cx, v, element);
            self.source.expect(-1);
        }
        let v = self.leave(cx, v, context)?;
        self.source.expect(1);
        Ok(v)
    }

    pub fn hash(&mut self, cx: &mut Cx, kind: u8, context: Context, by_identity: bool) -> R {
        let count = self.source.count(cx, 2)?;
        let room = self.source.room(count) / 2;
        let table = match HashRef::with_capacity(cx, room) {
            Ok(table) => table,
            Err(error) => return Err(keys::raise_table_error(cx, error)),
        };
        if by_identity && let Err(error) = table.compare_by_identity(cx) {
            return Err(keys::raise_table_error(cx, error));
        }
        self.enter(cx, table.value());
        self.source.expect((count - 1) * 2);
        for _ in 0..count {
            let key = self.object(cx)?;
            let value = self.object(cx)?;
            keys::store(cx, table.value(), key, value)?;
            self.source.expect(-2);
        }
        self.source.expect(2);
        if kind == format::HASH_WITH_DEFAULT {
            let default = self.object(cx)?;
            if let Err(error) = table.set_default(cx, default) {
                return Err(keys::raise_table_error(cx, error));
            }
        }
        self.leave(cx, table.value(), context)
    }
}

/// A pattern from Ruby 1.8, without the backslashes that had no effect there.
fn without_new_escapes(source: &[u8]) -> Vec<u8> {
    let mut out = memory::with_capacity(source.len());
    let mut escaped = false;
    for &byte in source {
        if byte == b'\\' {
            escaped = !escaped;
        } else {
            if escaped && PLAIN_IN_1_8.contains(&byte) {
                out.pop();
            }
            escaped = false;
        }
        out.append_one(byte);
    }
    out
}
