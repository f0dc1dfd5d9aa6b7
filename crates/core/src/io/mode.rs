//! Open modes: strings like "r+b:ext:int", integers, and keywords.

use object::{Sym, cell, hash::HashRef, string::Str, symbol::table::intern_text};
use runtime::{Cx, R, Value, convert, keys, sym, warning};
use text::encoding::{self, EncodingId};

use super::data::IoData;
use crate::encoding::from_value;

#[derive(Clone, Debug)]
pub struct Mode {
    pub flags: i32,
    pub binmode: bool,
    pub universal: bool,
    pub crlf: bool,
    pub cr: bool,
    pub bom: bool,
    pub external: Option<EncodingId>,
    pub internal: Option<EncodingId>,
    /// Whether neither mode nor keywords specify encodings.
    pub plain: bool,
    pub autoclose: bool,
    pub path: Value,
    /// The options for conversions, a Hash or nil.
    pub conversion: Value,
}

impl Mode {
    pub fn readable(&self) -> bool {
        self.flags & host::fs::ACCESS_MODE_MASK != host::fs::WRITE_ONLY
    }

    pub fn writable(&self) -> bool {
        self.flags & host::fs::ACCESS_MODE_MASK != host::fs::READ_ONLY
    }

    /// ArgumentError for reading text of an encoding in which lines do not end with the byte of a line feed.
    pub fn check(&self, cx: &mut Cx) -> R<()> {
        let external = self.external.unwrap_or(cx.vm().default_external);
        if self.readable() && !self.binmode && self.internal.is_none() && !external.is_ascii_compatible() {
            return Err(cx.argument_error("ASCII incompatible encoding needs binmode"));
        }
        Ok(())
    }

    /// Stores the settings in a stream's data.
    pub fn apply(&self, cx: &mut Cx, io: Value) {
        let (internal, external) = (cx.vm().default_internal, cx.vm().default_external);
        let Some(data) = object::native::get_mut::<IoData>(cx, io) else { return };
        data.readable = self.readable();
        data.writable = self.writable();
        data.append = self.flags & host::fs::APPEND != 0;
        data.binmode = self.binmode;
        data.universal = self.universal;
        data.crlf = self.crlf;
        data.cr = self.cr;
        data.autoclose = self.autoclose;
        data.external = self.external;
        data.internal = self.internal;
        data.conversion = self.conversion;
        if self.plain {
            if self.binmode {
                data.external = Some(EncodingId::BINARY);
            } else if let Some(internal) = internal {
                // The stream keeps the current default encodings if the program changes them later.
                data.external = Some(external);
                data.internal = (internal != external && external != EncodingId::BINARY).then_some(internal);
            }
        }
    }
}

fn invalid(cx: &mut Cx, text: &[u8]) -> runtime::Unwind {
    cx.argument_error(&format!("invalid access mode {}", memory::lossy_text(text)))
}

/// Parses mode and keywords. `mode` may be nil; `default` is used then.
pub fn parse(cx: &mut Cx, mode: Value, keywords: Option<Value>, default: &str) -> R<Mode> {
    let mut m = Mode {
        flags: 0,
        binmode: false,
        universal: false,
        crlf: false,
        cr: false,
        bom: false,
        external: None,
        internal: None,
        plain: true,
        autoclose: true,
        path: Value::NIL,
        conversion: Value::NIL,
    };
    let keyword_mode = option(cx, keywords, "mode");
    let mut mode = mode;
    if !keyword_mode.is_nil() {
        if !mode.is_nil() && !mode.is_undef() {
            return Err(cx.argument_error("mode specified twice"));
        }
        mode = keyword_mode;
    }
    let mut text_mode = false;
    if mode.is_nil() || mode.is_undef() {
        parse_text(cx, &mut m, default.as_bytes(), &mut text_mode)?;
    } else if convert::is_integer(mode) {
        m.flags = convert::to_i32(cx, mode)?;
    } else if !cell::is(mode, abi::Type::String)
        && let Some(number) = runtime::call::send_if_responds(cx, mode, runtime::sym::TO_INT, &[])?
    {
        m.flags = convert::to_i32(cx, number)?;
    } else {
        let text = convert::to_str(cx, mode)?;
        let text = text.to_vector();
        parse_text(cx, &mut m, &text, &mut text_mode)?;
    }
    let translates_lines = keyword_options(cx, &mut m, keywords, text_mode)?;
    m.check(cx)?;
    if m.binmode && translates_lines {
        return Err(cx.argument_error("newline decorator with binary mode"));
    }
    Ok(m)
}

fn parse_text(cx: &mut Cx, m: &mut Mode, text: &[u8], text_mode: &mut bool) -> R<()> {
    let (access, encodings) = match text.iter().position(|b| *b == b':') {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let Some((first, rest)) = access.split_first() else { return Err(invalid(cx, text)) };
    m.flags = match first {
        b'r' => host::fs::READ_ONLY,
        b'w' => host::fs::WRITE_ONLY | host::fs::CREATE | host::fs::TRUNCATE,
        b'a' => host::fs::WRITE_ONLY | host::fs::CREATE | host::fs::APPEND,
        _ => return Err(invalid(cx, text)),
    };
    for byte in rest {
        match byte {
            b'b' if !*text_mode => m.binmode = true,
            b't' if !m.binmode => *text_mode = true,
            b'+' => m.flags = m.flags & !host::fs::ACCESS_MODE_MASK | host::fs::READ_WRITE,
            b'x' if *first == b'w' => m.flags |= host::fs::EXCLUSIVE,
            _ => return Err(invalid(cx, text)),
        }
    }
    if *text_mode {
        m.universal = true;
    }
    if let Some(encodings) = encodings {
        set_encodings(cx, m, encodings)?;
    }
    Ok(())
}

/// Parses "ext", "ext:int", "BOM|utf-8", "ext:-".
pub fn set_encodings(cx: &mut Cx, m: &mut Mode, text: &[u8]) -> R<()> {
    let (external, internal) = match text.iter().position(|b| *b == b':') {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    m.plain = false;
    let external = if external.len() > 4 && external[..4].eq_ignore_ascii_case(b"BOM|") {
        if !external[4..].to_ascii_uppercase().starts_with(b"UTF") {
            let name = memory::lossy_text(&external[4..]);
            warning::warn_here(cx, &format!("BOM with non-UTF encoding {name} is nonsense"))?;
        } else {
            m.bom = true;
        }
        &external[4..]
    } else {
        external
    };
    if external != b"-" {
        m.external = named(cx, external)?;
    }
    match internal {
        None => {
            if let Some(default) = cx.vm().default_internal
                && m.external != Some(default)
                && m.external != Some(EncodingId::BINARY)
                && m.readable()
            {
                m.internal = Some(default);
            }
        }
        Some(b"-") => {}
        Some(name) => {
            m.internal = named(cx, name)?;
            // A byte order mark may select another external encoding.
            if m.internal == m.external && !m.bom || m.external == Some(EncodingId::BINARY) {
                m.internal = None;
            }
        }
    }
    Ok(())
}

pub fn named(cx: &mut Cx, name: &[u8]) -> R<Option<EncodingId>> {
    if name.eq_ignore_ascii_case(b"external") || name.eq_ignore_ascii_case(b"locale") {
        return Ok(Some(cx.vm().default_external));
    }
    let found = encoding::find(name);
    if found.is_none() {
        let name = memory::lossy_text(name);
        warning::warn_here(cx, &memory::formatted(format_args!("Unsupported encoding {name} ignored")))?;
    }
    Ok(found)
}

/// A given keyword, otherwise nil.
pub fn option(cx: &mut Cx, keywords: Option<Value>, name: &str) -> Value {
    let v = keys::get_symbol_text(cx, keywords, name);
    if v.is_undef() { Value::NIL } else { v }
}

fn given(cx: &mut Cx, keywords: Option<Value>, name: &str) -> Option<Value> {
    let v = keys::get_symbol_text(cx, keywords, name);
    (!v.is_undef()).then_some(v)
}

/// The keywords for characters that cannot be converted or are escaped.
fn conversion(cx: &mut Cx, keywords: Option<Value>) -> R {
    let mut options = Value::NIL;
    for name in [sym::INVALID, sym::UNDEF, sym::REPLACE, sym::XML, sym::FALLBACK] {
        let v = keys::keyword(cx, keywords, name);
        if v.is_undef() || v.is_nil() {
            continue;
        }
        if options.is_nil() {
            options = HashRef::with_capacity(cx, 3).map_err(|error| keys::raise_table_error(cx, error))?.value();
        }
        keys::store(cx, options, name.value(), v)?;
    }
    if !options.is_nil() {
        crate::encoding::options::from_hash(cx, options)?;
    }
    Ok(options)
}

/// Applies the keywords to the mode; returns whether they select a conversion of line ends.
fn keyword_options(cx: &mut Cx, m: &mut Mode, keywords: Option<Value>, text_mode: bool) -> R<bool> {
    if keywords.is_none() {
        return Ok(false);
    }
    let names_internal = m.internal.is_some() && !m.plain;
    let flags = option(cx, keywords, "flags");
    if !flags.is_nil() {
        m.flags |= convert::to_i32(cx, flags)?;
    }
    let (binary, text) = (option(cx, keywords, "binmode"), option(cx, keywords, "textmode"));
    if !text.is_nil() && text_mode {
        return Err(cx.argument_error("textmode specified twice"));
    }
    if !binary.is_nil() && m.binmode && text.is_nil() {
        return Err(cx.argument_error("binmode specified twice"));
    }
    let (binary, both) = (binary.truthy(), !binary.is_nil() && text_mode || !text.is_nil() && m.binmode);
    let text = text.truthy();
    if both || (binary && text) {
        return Err(cx.argument_error("both textmode and binmode specified"));
    }
    m.binmode |= binary;
    m.universal |= text;
    if let Some(v) = given(cx, keywords, "autoclose") {
        m.autoclose = v.truthy();
    }
    m.path = option(cx, keywords, "path");
    let both = option(cx, keywords, "encoding");
    let (external, internal) = (given(cx, keywords, "external_encoding"), given(cx, keywords, "internal_encoding"));
    if !both.is_nil() {
        if external.is_some() || internal.is_some() {
            let shown = runtime::call::inspect_text(cx, both)?;
            warning::warn_here(
                cx,
                &format!(
                    "Ignoring encoding parameter '{}': {} is used",
                    shown.trim_matches('"'),
                    if external.is_some() { "external_encoding" } else { "internal_encoding" }
                ),
            )?;
        } else if !m.plain {
            return Err(cx.argument_error("encoding specified twice"));
        } else {
            encodings_from(cx, m, both)?;
        }
    }
    if let Some(v) = external {
        if !m.plain {
            return Err(cx.argument_error("encoding specified twice"));
        }
        m.plain = false;
        if cell::is(v, abi::Type::String) {
            let bytes = Str::of(v).to_vector();
            // Only a name is allowed: a prefix such as `BOM|` is for modes and `encoding:`.
            if bytes.contains(&b'|') {
                from_value(cx, v)?;
            }
            set_encodings(cx, m, &bytes)?;
        } else if !v.is_nil() {
            m.external = Some(from_value(cx, v)?);
        }
    }
    if let Some(v) = internal {
        if names_internal {
            return Err(cx.argument_error("encoding specified twice"));
        }
        m.plain = false;
        let dash = Str::from_value(v).is_some_and(|s| s.is(b"-"));
        m.internal = if v.is_nil() || dash { None } else { Some(from_value(cx, v)?) };
        if m.internal == m.external {
            m.internal = None;
        }
    }
    m.conversion = conversion(cx, keywords)?;
    let decorated = given(cx, keywords, "universal_newline");
    if decorated.is_some_and(|universal| !universal.truthy()) {
        m.universal = false;
    }
    let (universal, crlf, cr, lf) = (
        decorated.is_some_and(Value::truthy),
        option(cx, keywords, "crlf_newline").truthy(),
        option(cx, keywords, "cr_newline").truthy(),
        option(cx, keywords, "lf_newline").truthy(),
    );
    m.universal |= universal;
    m.crlf |= crlf;
    m.cr |= cr;
    let newline = option(cx, keywords, "newline");
    if let Some(name) = Sym::from_value(newline) {
        match name.bytes(cx) {
            b"universal" => m.universal = true,
            // With `crlf` and `cr`, text mode does not convert line ends when reading.
            b"crlf" => (m.crlf, m.universal) = (true, false),
            b"cr" => (m.cr, m.universal) = (true, false),
            b"lf" => m.universal = false,
            _ => {
                let shown = name.to_text(cx);
                return Err(cx.argument_error(&format!("unexpected value for newline option: {shown}")));
            }
        }
    }
    Ok(universal || crlf || cr || lf || !newline.is_nil())
}

/// The encodings from a String as in modes, or from an Encoding.
pub fn encodings_from(cx: &mut Cx, m: &mut Mode, v: Value) -> R<()> {
    if let Some(text) = Str::from_value(v) {
        if !text.encoding().is_ascii_compatible() {
            return Err(cx.argument_error("invalid encoding name (non ASCII)"));
        }
        return set_encodings(cx, m, &text.to_vector());
    }
    m.plain = false;
    m.external = Some(from_value(cx, v)?);
    Ok(())
}

/// The permissions for a new file.
pub fn permissions(cx: &mut Cx, given: Option<Value>, keywords: Option<Value>) -> R<u32> {
    let named = option(cx, keywords, "perm");
    let v = match given {
        Some(v) if !v.is_nil() && !named.is_nil() => return Err(cx.argument_error("perm specified twice")),
        Some(v) if !v.is_nil() => v,
        _ => named,
    };
    if v.is_nil() { Ok(0o666) } else { Ok(convert::to_i64(cx, v)? as u32) }
}

/// The Symbol with a text.
pub fn symbol(cx: &mut Cx, text: &str) -> Value {
    intern_text(cx, text).value()
}
