//! attr_reader, attr_writer, attr_accessor.

use abi::Value;
use object::{
    Sym,
    method_entry::{self, Entry, Kind},
    string::Str,
    symbol,
};
use runtime::{Args, Cx, R, convert, define, error::ErrorClass, make, redefinition, warning};
use text::inspect::{NameKind, name_kind};

use super::definition::default_visibility;

/// `attr_reader(*names) → array`: defines methods that return the instance variables with these names; returns the
/// methods' names. NameError for a name that is not valid for a variable.
pub fn reader(cx: &mut Cx, args: Args) -> R {
    define_all(cx, args.me(), args.all(), true, false)
}

/// `attr_writer(*names) → array`: defines methods `name=` that set the instance variables; returns the methods' names.
/// NameError for a name that is not valid for a variable.
pub fn writer(cx: &mut Cx, args: Args) -> R {
    define_all(cx, args.me(), args.all(), false, true)
}

/// `attr_accessor(*names) → array`: defines the methods of `attr_reader` and `attr_writer`; returns their names, each
/// reader before its writer.
pub fn accessor(cx: &mut Cx, args: Args) -> R {
    define_all(cx, args.me(), args.all(), true, true)
}

/// `attr(name, …) → array`: like `attr_reader`. The old form `attr(name, true)` also defines a writer, and warns.
pub fn attr(cx: &mut Cx, args: Args) -> R {
    if args.len() == 2 && matches!(args.at(1), Value::TRUE | Value::FALSE) {
        warning::warn_here(cx, "optional boolean argument is obsoleted")?;
        return define_all(cx, args.me(), &args.all()[..1], true, args.at(1).truthy());
    }
    reader(cx, args)
}

fn define_all(cx: &mut Cx, module: Value, names: &[Value], read: bool, write: bool) -> R {
    let list = make::array(cx, &[]);
    let place = place(cx);
    for name in names {
        let name = convert::to_symbol(cx, *name)?;
        let text = Str::of(name.name(cx));
        if !matches!(name_kind(text.encoding(), text.bytes(cx)), Some(NameKind::Local | NameKind::Constant)) {
            let shown = name.to_text(cx);
            let message = format!("invalid attribute name '{shown}'");
            return Err(cx.name_error(ErrorClass::NameError, &message, name, module));
        }
        let variable = affixed(cx, b"@", text, b"");
        if read {
            define_one(cx, module, name, variable, Kind::AttributeReader, place)?;
            make::push(cx, list, name.value());
        }
        if write {
            let setter = affixed(cx, b"", text, b"=");
            define_one(cx, module, setter, variable, Kind::AttributeWriter, place)?;
            make::push(cx, list, setter.value());
        }
    }
    Ok(list)
}

fn affixed(cx: &mut Cx, before: &[u8], name: Str, after: &[u8]) -> Sym {
    let bytes = [before, name.bytes(cx), after].concat();
    symbol::intern(cx, &bytes, name.encoding())
}

/// [path, line] of the call, for `Method#source_location`; nil outside of Ruby code.
fn place(cx: &mut Cx) -> Value {
    let Some((path, line)) = runtime::backtrace::caller_position(cx) else { return Value::NIL };
    let path = make::interned(cx, &path);
    make::array(cx, &[path, Value::fixnum(line.into())])
}

fn define_one(cx: &mut Cx, module: Value, name: Sym, variable: Sym, kind: Kind, place: Value) -> R<()> {
    cx.check_frozen(module)?;
    let visibility = default_visibility(cx, module);
    redefinition::warn_redefined(cx, module, name)?;
    let entry = method_entry::new(
        cx,
        Entry { body: variable.value(), cref: place, ..Entry::of(module, name, kind, visibility) },
    );
    define::add_method(cx, module, name, entry);
    redefinition::added_hook(cx, module, name)
}
