//! Names of modules, the symbols of names, and the default text of objects.

use abi::Value;
use object::{
    Sym,
    class::{self, class_data},
    string::Str,
    symbol,
};
use text::encoding::EncodingId;

use crate::Cx;

/// `Module#name`, or the text of `inspect` for classes without a name.
pub fn class_name(cx: &mut Cx, module: Value) -> String {
    let data = class_data(cx, module);
    if !data.name.is_nil() {
        return Str::of(data.name).to_text();
    }
    if data.flags.singleton {
        let attached = data.attached;
        let inner = if class::is_module(attached) { class_name(cx, attached) } else { any_to_text(cx, attached) };
        return format!("#<Class:{inner}>");
    }
    if data.flags.refinement {
        let (refined, owner) = (data.rare().refined, data.rare().refinement_owner);
        return format!("#<refinement:{}@{}>", class_name(cx, refined), class_name(cx, owner));
    }
    any_to_text(cx, module)
}

/// Appends the text that [`class_name`] makes.
pub fn append_class_name(cx: &mut Cx, module: Value, out: &mut String) {
    let name = class_data(cx, module).name;
    if name.is_nil() {
        memory::append_text(out, &class_name(cx, module));
    } else {
        Str::of(name).append_to(out);
    }
}

/// `#<Foo>` with an address: Kernel#to_s.
pub fn any_to_text(cx: &mut Cx, v: Value) -> String {
    let class = class::real_class(cx, v);
    let name = class_name(cx, class);
    format!("#<{name}:0x{:016x}>", v.0)
}

/// The symbol named by a String (pinned: names of methods, variables and constants).
pub fn string_to_symbol(cx: &mut Cx, s: Str) -> Sym {
    let encoding = symbol_encoding(s);
    symbol::table::intern_name(cx, s, encoding)
}

/// The encoding of a symbol with this name: US-ASCII if the name is ASCII.
pub fn symbol_encoding(s: Str) -> EncodingId {
    if s.is_ascii() && s.encoding().is_ascii_compatible() { EncodingId::US_ASCII } else { s.encoding() }
}
