//! Instance variables, and the encodings among them.

use abi::{Type, Value};
use object::{cell, class, hash::HashRef, string::Str};
use runtime::{Cx, R, convert, special};
use text::encoding::{self, EncodingId};

use super::{super::names, Loader};
use crate::regexp;

/// The encoding that a variable denotes.
pub fn encoding_in(cx: &mut Cx, name: Value, value: Value) -> R<Option<EncodingId>> {
    if Str::of(name).encoding() != EncodingId::US_ASCII {
        return Ok(None);
    }
    match Str::of(name).bytes(cx) {
        b"encoding" => {
            let value = convert::to_str(cx, value)?;
            Ok(encoding::find(value.bytes(cx)))
        }
        b"E" if value == Value::FALSE => Ok(Some(EncodingId::US_ASCII)),
        b"E" if value == Value::TRUE => Ok(Some(EncodingId::UTF_8)),
        _ => Ok(None),
    }
}

impl Loader {
    /// Reads the variables after `v`; returns whether there was an encoding among them.
    pub fn variables(&mut self, cx: &mut Cx, v: Value) -> R<bool> {
        let count = self.source.long(cx)?;
        if count > 0 && class::is_module(v) {
            let kind = if class::is_class(v) { "class" } else { "module" };
            let name = names::name_of(cx, v);
            return Err(self.cannot_override(cx, kind, name));
        }
        let mut has_encoding = false;
        for _ in 0..count {
            let name = self.symbol(cx)?;
            let value = self.object(cx)?;
            has_encoding |= self.variable(cx, v, name, value)?;
        }
        Ok(has_encoding)
    }

    pub fn cannot_override(&self, cx: &mut Cx, kind: &str, name: Value) -> runtime::Unwind {
        let name = names::shown(name);
        cx.type_error(&format!("can't override instance variable of {kind} '{name}'"))
    }

    /// One variable; true if it was an encoding.
    fn variable(&mut self, cx: &mut Cx, v: Value, name: Value, value: Value) -> R<bool> {
        if let Some(encoding) = encoding_in(cx, name, value)? {
            self.set_encoding(cx, v, encoding)?;
            return Ok(true);
        }
        if Str::of(name).is(b"K") && Str::of(name).encoding().is_ascii_compatible() {
            let Some(table) = HashRef::from_value(v) else {
                let shown = shown(cx, v)?;
                return Err(cx.argument_error(&format!("ruby2_keywords flag is given but {shown} is not a Hash")));
            };
            table.set_ruby2_keywords(true);
            return Ok(false);
        }
        let name = convert::string_to_symbol(cx, Str::of(name));
        names::set_variable(cx, v, name, value)?;
        Ok(false)
    }

    fn set_encoding(&mut self, cx: &mut Cx, v: Value, encoding: EncodingId) -> R<()> {
        if let Some(s) = Str::from_value(v) {
            cx.check_frozen(v)?;
            s.set_encoding(encoding);
            return Ok(());
        }
        if cell::is(v, Type::Regexp) {
            let data = regexp::search::data(cx, &v)?;
            let (source, options) = (Str::of(data.source).to_vector(), data.options);
            let data = special::compile_regexp(cx, &source, encoding, options)?;
            if let Some(old) = object::native::get_mut::<special::RegexpData>(cx, v) {
                *old = data;
            }
            return Ok(());
        }
        let shown = shown(cx, v)?;
        Err(cx.argument_error(&format!("{shown} is not enc_capable")))
    }

    /// The encoding of a class's name, the first of the variables after it; returns how many remain.
    pub fn name_encoding(&mut self, cx: &mut Cx, name: Value) -> R<i64> {
        let count = self.source.long(cx)?;
        if count <= 0 {
            return Ok(count);
        }
        let key = self.symbol(cx)?;
        let value = self.object(cx)?;
        match encoding_in(cx, key, value)? {
            Some(encoding) => {
                Str::of(name).set_encoding(encoding);
                Ok(count - 1)
            }
            None => Ok(count),
        }
    }
}

fn shown(cx: &mut Cx, v: Value) -> R<String> {
    let s = convert::to_s(cx, v)?;
    Ok(names::shown(s.value()))
}
