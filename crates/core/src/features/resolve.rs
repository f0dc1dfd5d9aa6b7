//! `$LOAD_PATH.resolve_feature_path`: the file that `require` would load.

use object::class;
use runtime::{Args, Cx, Method, R, Value, define, make};

use super::{find, find::Found, index};

const METHODS: &[Method] = &[Method::new("resolve_feature_path(feature)", resolve)];

/// Defines the singleton method of the Array.
pub fn define(cx: &mut Cx, load_path: Value) {
    let singleton = class::singleton_class(cx, load_path);
    define::define_methods(cx, singleton, METHODS);
}

/// `resolve_feature_path(feature) → [:rb, path], [:so, path] or nil`; for a loaded feature, the path in
/// `$LOADED_FEATURES`.
fn resolve(cx: &mut Cx, args: Args) -> R {
    let name = find::path_argument(cx, args.at(0))?;
    if let Found::File(file) = super::load::compiled_instead(cx, &name)? {
        return Ok(answer(cx, if file.ends_with(".so") { "so" } else { "rb" }, &file));
    }
    let plain = name.strip_suffix(".rb").or_else(|| name.strip_suffix(".so")).unwrap_or(&name);
    let native = cx.vm().hooks.native_features.iter().find(|(feature, _)| *feature == plain || *feature == name);
    if let Some((feature, _)) = native {
        let path = format!("{}.so", feature.trim_end_matches(".so"));
        return Ok(answer(cx, "so", &path));
    }
    match find::find(cx, &name)? {
        Found::File(path) => Ok(answer(cx, if path.ends_with(".so") { "so" } else { "rb" }, &path)),
        Found::Loaded => {
            let feature = match find::is_explicit(&name) {
                true => index::loaded_at(cx, index::without_extension(find::absolute(&name).as_bytes()))?,
                false => index::loaded_as(cx, name.as_bytes())?,
            };
            let path = feature.map_or_else(String::new, |path| path.to_text());
            let kind = if path.ends_with(".rb") { "rb" } else { "so" };
            Ok(answer(cx, kind, &path))
        }
        Found::Nowhere => Ok(Value::NIL),
    }
}

fn answer(cx: &mut Cx, kind: &str, path: &str) -> Value {
    let kind = object::symbol::table::intern_text(cx, kind);
    let path = make::text(cx, path);
    make::array(cx, &[kind.value(), path])
}
