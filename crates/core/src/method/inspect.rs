//! Method#inspect: `#<Method: Integer(Comparable)#clamp(*)>`.

use abi::Value;
use memory::Grow;
use object::{
    array::Arr,
    class::{self, class_data},
    method_entry,
    string::Str,
};
use runtime::{Args, Cx, R, call, code::code, convert, define, make};

/// `inspect`, `to_s → string`: the receiver's class, the method's module in parentheses if it differs, the name, the
/// parameters and the location of the definition.
pub fn inspect(cx: &mut Cx, args: Args) -> R {
    let m = super::data(cx, args.me_ref())?;
    let kind = class::real_class(cx, args.me());
    let mut text = format!("#<{}: ", define::class_name(cx, kind));
    let owner = if m.missing { m.class } else { method_entry::owner(m.entry) };
    let owner_data = class_data(cx, owner);
    let mut separator = "#";
    if owner_data.flags.singleton {
        let attached = owner_data.attached;
        separator = ".";
        if m.receiver.is_undef() {
            text.push_str(&call::inspect_text(cx, owner)?);
            separator = "#";
        } else if m.receiver == attached {
            text.push_str(&call::inspect_text(cx, attached)?);
        } else {
            text.push_str(&call::inspect_text(cx, m.receiver)?);
            text.append_one('(');
            text.push_str(&call::inspect_text(cx, attached)?);
            text.append_one(')');
        }
    } else {
        let shown_class = if m.receiver.is_undef() {
            owner
        } else if class::flags(m.class).singleton {
            class::real_class(cx, m.receiver)
        } else {
            m.class // not the receiver's class for the result of super_method
        };
        if class::flags(m.class).singleton && !m.receiver.is_undef() && class::is_module(m.receiver) {
            let singleton = m.class;
            text.push_str(&define::class_name(cx, singleton));
        } else {
            text.push_str(&call::inspect_text(cx, shown_class)?);
        }
        if shown_class != owner {
            text.append_one('(');
            text.push_str(&convert::to_s(cx, owner)?.to_text());
            text.append_one(')');
        }
    }
    text.push_str(separator);
    text.push_str(&m.name.to_text(cx));
    if !m.missing {
        let original = method_entry::original_name(m.entry);
        if original != m.name {
            text.push_str(&format!("({})", original.to_text(cx)));
        }
        if call::arity::is_not_implemented(m.entry) {
            text.push_str(" (not-implemented)");
        }
    }
    let parameters = super::parameters_of(cx, m)?;
    text.push_str(&format!("({})", signature(cx, parameters)));
    let body = if m.missing { Value::NIL } else { super::body_of(m.entry) };
    if !body.is_nil() && !code(&body).internal {
        text.push_str(&format!(" {}:{}", code(&body).source.path, code(&body).first_line));
    }
    text.append_one('>');
    Ok(make::described(cx, &text))
}

/// The parameters as source text.
fn signature(cx: &mut Cx, parameters: Value) -> String {
    let mut shown = Vec::new();
    for parameter in Arr::of(parameters).iter() {
        let part = |i: usize| {
            Arr::of(parameter).get(i).and_then(object::Sym::from_value).map(|s| Str::of(s.name(cx)).to_text())
        };
        let kind = part(0).unwrap_or_default();
        let name = part(1);
        let named = |prefix: &str| match &name {
            Some(name) if name == prefix => name.clone(),
            Some(name) => format!("{prefix}{name}"),
            None => prefix.to_string(),
        };
        shown.push(match kind.as_str() {
            "req" => name.unwrap_or_else(|| "_".into()),
            "opt" => format!("{}=...", name.unwrap_or_else(|| "_".into())),
            "rest" => named("*"),
            "keyreq" => format!("{}:", name.unwrap_or_default()),
            "key" => format!("{}: ...", name.unwrap_or_default()),
            "keyrest" => named("**"),
            "nokey" => "**nil".into(),
            _ => named("&"),
        });
    }
    // The three anonymous parameters together were written as `...`.
    if shown.len() >= 3 && shown.ends_with(&["*".to_string(), "**".to_string(), "&".to_string()]) {
        let at = shown.len() - 3;
        shown.truncate(at);
        shown.push("...".into());
    }
    shown.join(", ")
}
