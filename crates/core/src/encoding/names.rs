//! Encoding objects: one per encoding, found by name and as constants.

use abi::Flags;
use heap::Trace;
use object::{
    cell,
    class::constants::{self, Constant},
    hash::HashRef,
    native::{self, NativeData},
    symbol,
};
use runtime::{Args, Cx, R, Value, convert, keys, make};
use text::encoding::{self, EncodingId};

/// The data of an Encoding object.
#[derive(Trace)]
pub struct EncodingData(#[trace(skip)] pub EncodingId);

impl NativeData for EncodingData {
    object::one_vtable!(EncodingData);

    fn sharing(&self) -> object::native::Sharing {
        object::native::Sharing::Always
    }
}

const ROOT: runtime::Root = runtime::Root::Encodings;

/// Creates the objects and their constants.
pub fn make_all(cx: &mut Cx, class: Value) {
    let list = make::array(cx, &[]);
    cx.set_root(ROOT, list);
    for id in encoding::all() {
        add(cx, class, list, id);
    }
}

/// Creates the object of an encoding and its constants.
fn add(cx: &mut Cx, class: Value, list: Value, id: EncodingId) {
    let v = native::new(cx, class, Box::new(EncodingData(id)));
    cell::set_header(v, cell::header(v).with(Flags::FROZEN | Flags::SHAREABLE));
    make::push(cx, list, v);
    for name in std::iter::once(&id.name()).chain(id.aliases()) {
        set_constants(cx, class, name, v);
    }
}

fn set_constants(cx: &mut Cx, class: Value, name: &str, v: Value) {
    for constant in constant_names(name) {
        let symbol = symbol::table::intern_text(cx, &constant);
        constants::set(cx, class, symbol, Constant::new(v));
    }
}

/// ArgumentError if an encoding of that name is already known.
fn check_unknown(cx: &mut Cx, name: &str) -> R<()> {
    match by_name(cx, name.as_bytes()) {
        Some(_) => Err(cx.argument_error(&format!("encoding {name} is already registered"))),
        None => Ok(()),
    }
}

/// Defines an encoding whose characters are unknown, for an extension.
pub fn define_dummy(cx: &mut Cx, name: &str) -> R<EncodingId> {
    check_unknown(cx, name)?;
    let Some(id) = encoding::defined::define_dummy(name) else {
        let text = format!("too many encoding (> {})", encoding::defined::MAXIMUM);
        return Err(cx.raise(runtime::error::ErrorClass::EncodingError, &text));
    };
    let (class, list) = (cx.class(object::Known::Encoding), cx.root(ROOT));
    add(cx, class, list, id);
    Ok(id)
}

/// Gives an encoding another name, for an extension.
pub fn add_alias(cx: &mut Cx, alias: &str, id: EncodingId) -> R<()> {
    check_unknown(cx, alias)?;
    encoding::defined::add_alias(alias, id);
    let (class, v) = (cx.class(object::Known::Encoding), object(cx, id));
    set_constants(cx, class, alias, v);
    Ok(())
}

/// `__known(name) → encoding or nil`: the encoding with this name, which is a String; nil for names that depend on the
/// process.
pub fn known(cx: &mut Cx, args: Args) -> R {
    let id = object::string::Str::from_value(args.at(0)).and_then(|name| encoding::find(name.bytes(cx)));
    Ok(id.map_or(Value::NIL, |id| object(cx, id)))
}

/// All encodings, with those of extensions.
fn all_known() -> impl Iterator<Item = EncodingId> {
    encoding::all().chain(encoding::defined::all())
}

/// The constants for an encoding's name: unchanged and in capitals, with underscores for other characters.
fn constant_names(name: &str) -> Vec<String> {
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        return Vec::new();
    }
    let mut mapped: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let has_upper = mapped.contains(|c: char| c.is_ascii_uppercase());
    let has_lower = mapped.contains(|c: char| c.is_ascii_lowercase());
    mapped[..1].make_ascii_uppercase();
    let mut names = Vec::new();
    if has_upper {
        names.push(mapped.clone());
    }
    if has_lower {
        names.push(mapped.to_ascii_uppercase());
    }
    names
}

/// The Encoding object.
pub fn object(cx: &mut Cx, id: EncodingId) -> Value {
    let list = cx.root(ROOT);
    object::array::Arr::of(list).at(id.index() as usize)
}

/// The encoding of an Encoding object.
pub fn id_of(v: Value) -> Option<EncodingId> {
    native::get::<EncodingData>(&v).map(|data| data.0)
}

/// An encoding given as an Encoding or by name; `None` for unknown names.
pub fn find(cx: &mut Cx, v: Value) -> R<Option<EncodingId>> {
    if let Some(id) = id_of(v) {
        return Ok(Some(id));
    }
    let name = convert::to_str(cx, v)?;
    Ok(by_name(cx, name.bytes(cx)))
}

fn by_name(cx: &Cx, name: &[u8]) -> Option<EncodingId> {
    if let Some(id) = encoding::find(name) {
        return Some(id);
    }
    let lower = name.to_ascii_lowercase();
    match &lower[..] {
        b"locale" => Some(super::defaults::locale()),
        b"external" | b"filesystem" => Some(cx.vm().default_external),
        b"internal" => Some(cx.vm().default_internal.unwrap_or(EncodingId::BINARY)),
        _ => None,
    }
}

/// An encoding given as an Encoding or by name; ArgumentError "unknown encoding name - foo".
pub fn from_value(cx: &mut Cx, v: Value) -> R<EncodingId> {
    if let Some(id) = id_of(v) {
        return Ok(id);
    }
    let name = convert::to_str(cx, v)?;
    if !name.encoding().is_ascii_compatible() {
        let shown = name.encoding().name();
        return Err(cx.argument_error(&format!("invalid encoding name (non ASCII): {shown}")));
    }
    match by_name(cx, name.bytes(cx)) {
        Some(id) => Ok(id),
        None => {
            let shown = name.to_text();
            Err(cx.argument_error(&format!("unknown encoding name - {shown}")))
        }
    }
}

fn me(cx: &mut Cx, args: Args) -> R<EncodingId> {
    match id_of(args.me()) {
        Some(id) => Ok(id),
        None => Err(cx.type_error("wrong argument (expected Encoding)")),
    }
}

/// A String in US-ASCII with an encoding's name.
pub fn name_string(cx: &mut Cx, name: &str) -> Value {
    make::string(cx, name.as_bytes(), EncodingId::US_ASCII)
}

/// `name`, `_dump(limit = nil) → string`: the first of its names. Alias: `to_s`.
pub fn name(cx: &mut Cx, args: Args) -> R {
    let name = me(cx, args)?.name();
    Ok(name_string(cx, name))
}

/// The names of this encoding that depend on the process.
fn process_names(cx: &Cx, id: EncodingId) -> Vec<&'static str> {
    let mut names = Vec::new();
    if super::defaults::locale() == id {
        names.push("locale");
    }
    if cx.vm().default_external == id {
        names.extend(["external", "filesystem"]);
    }
    if cx.vm().default_internal == Some(id) {
        names.push("internal");
    }
    names
}

/// `names → array`: all names, including `locale`, `external` etc. if they currently mean this encoding.
pub fn names(cx: &mut Cx, args: Args) -> R {
    let id = me(cx, args)?;
    let list = make::array(cx, &[]);
    let more = process_names(cx, id);
    let defined = encoding::defined::aliases();
    let defined = defined.iter().filter(|(_, of)| *of == id).map(|(alias, _)| alias);
    for name in std::iter::once(&id.name()).chain(id.aliases()).chain(defined).chain(&more) {
        let name = name_string(cx, name);
        make::push(cx, list, name);
    }
    Ok(list)
}

/// `inspect → string`: the class and the name, `(dummy)` if characters cannot be decoded.
pub fn inspect(cx: &mut Cx, args: Args) -> R {
    let id = me(cx, args)?;
    Ok(name_string(cx, &format!("#<Encoding:{}>", id.inspect_name())))
}

/// `dummy? → true or false`: whether its characters cannot be decoded, as for UTF-7; its strings are treated as bytes.
pub fn is_dummy(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(me(cx, args)?.is_dummy()))
}

/// `ascii_compatible? → true or false`: whether ASCII bytes have the same meaning in it.
pub fn is_ascii_compatible(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(me(cx, args)?.is_ascii_compatible()))
}

/// `Encoding.list → array`: all encodings.
pub fn list(cx: &mut Cx, _: Args) -> R {
    let list = cx.root(ROOT);
    Ok(make::copy(cx, object::array::Arr::of(list)))
}

/// `Encoding.name_list → array`: the names of all encodings, with `locale`, `external`, `filesystem` and `internal`.
pub fn name_list(cx: &mut Cx, _: Args) -> R {
    let list = make::array(cx, &[]);
    for id in all_known() {
        for name in std::iter::once(&id.name()).chain(id.aliases()) {
            let name = name_string(cx, name);
            make::push(cx, list, name);
        }
    }
    for (name, _) in encoding::defined::aliases() {
        let name = name_string(cx, name);
        make::push(cx, list, name);
    }
    for name in ["locale", "external", "filesystem", "internal"] {
        let name = name_string(cx, name);
        make::push(cx, list, name);
    }
    Ok(list)
}

/// `Encoding.aliases → hash`: each additional name with the first name of its encoding.
pub fn aliases(cx: &mut Cx, _: Args) -> R {
    let hash = HashRef::new(cx).value();
    let mut pairs: Vec<(&str, &str)> =
        encoding::all().flat_map(|id| id.aliases().iter().map(move |alias| (*alias, id.name()))).collect();
    pairs.extend(encoding::defined::aliases().into_iter().map(|(alias, id)| (alias, id.name())));
    let (locale, external) = (super::defaults::locale().name(), cx.vm().default_external.name());
    pairs.extend([("locale", locale), ("external", external), ("filesystem", external)]);
    if let Some(internal) = cx.vm().default_internal {
        pairs.push(("internal", internal.name()));
    }
    for (alias, name) in pairs {
        let (alias, name) = (name_string(cx, alias), name_string(cx, name));
        keys::store(cx, hash, alias, name)?;
    }
    Ok(hash)
}

/// `Encoding.find(name)`, `Encoding._load(name) → encoding or nil`: the encoding with a name, ignoring case.
/// ArgumentError for an unknown one; nil for `internal` if there is none.
pub fn find_method(cx: &mut Cx, args: Args) -> R {
    let v = args.at(0);
    if id_of(v).is_some() {
        return Ok(v);
    }
    let v = convert::to_str(cx, v)?;
    if v.bytes(cx).eq_ignore_ascii_case(b"internal") && cx.vm().default_internal.is_none() {
        return Ok(Value::NIL);
    }
    let id = from_value(cx, v.value())?;
    Ok(object(cx, id))
}
