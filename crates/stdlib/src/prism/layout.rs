//! The mapping of this version's prism nodes to the library's classes: the field for each parameter of `initialize`.

use object::{Sym, array::Arr, symbol::table::intern_text};
use runtime::{Cx, R, Value, call, constants, convert, error, error::ErrorClass, make, sym};
use syntax::shapes::Shape;

/// The root with the layouts by shape number: an Array of the class and, for each parameter after the first four
/// (source, id, location, flags), the index of its field.
pub const LAYOUTS: runtime::Root = runtime::Root::PrismLayouts;

/// Parameters that all nodes have.
pub const COMMON: usize = 4;

/// Renamed fields: old and new names.
const RENAMED: &[(&str, &str)] = &[
    ("in_loc", "in_keyword_loc"),
    ("then_loc", "then_keyword_loc"),
    ("value_loc", "content_loc"),
    ("operator_loc", "keyword_loc"),
    ("closing_loc", "end_keyword_loc"),
    ("keyword_loc", "unless_keyword_loc"),
    ("keyword_loc", "until_keyword_loc"),
    ("keyword_loc", "when_keyword_loc"),
    ("keyword_loc", "while_keyword_loc"),
];

/// The layout of a shape, created on first use.
pub fn of(cx: &mut Cx, number: usize, shape: &Shape) -> R {
    let layouts = cx.root(LAYOUTS);
    if let Some(layout) = Arr::of(layouts).get(number).filter(|layout| !layout.is_nil()) {
        return Ok(layout);
    }
    let layout = make(cx, shape)?;
    if let Err(error) = Arr::of(layouts).set(cx, number, layout) {
        return error::OrRaise::or_raise(Err(error), cx);
    }
    Ok(layout)
}

fn make(cx: &mut Cx, shape: &Shape) -> R {
    let class = class(cx, shape)?;
    let names = parameters(cx, class)?;
    let layout = make::array(cx, &[class]);
    for name in &names[COMMON.min(names.len())..] {
        let Some(place) = place(shape, name) else {
            let message = format!("Prism::{} has {name}, which Beni's parser does not provide", shape.name);
            return Err(cx.not_implemented(&message));
        };
        make::push(cx, layout, Value::fixnum(place as i64));
    }
    Ok(layout)
}

fn place(shape: &Shape, name: &str) -> Option<usize> {
    let find = |name: &str| shape.fields.iter().position(|field| field.name == name);
    find(name).or_else(|| RENAMED.iter().filter(|(then, _)| *then == name).find_map(|(_, now)| find(now)))
}

/// The library's class for a shape. Two classes were renamed.
fn class(cx: &mut Cx, shape: &Shape) -> R {
    let prism = cx.root(runtime::Root::Prism);
    for name in [shape.name, if shape.name == "ErrorRecoveryNode" { "MissingNode" } else { shape.name }] {
        let name = intern_text(cx, name);
        if let Some(class) = constants::own_value(cx, prism, name)? {
            return Ok(class);
        }
    }
    Err(cx.raise(ErrorClass::NotImplementedError, &format!("the library has no Prism::{}", shape.name)))
}

/// The names of the parameters of `initialize`.
fn parameters(cx: &mut Cx, class: Value) -> R<Vec<String>> {
    let name = intern_text(cx, "instance_method");
    let method = call::send(cx, class, name, &[sym::INITIALIZE.value()])?;
    let name = intern_text(cx, "parameters");
    let list = call::send(cx, method, name, &[])?;
    let name_of = |pair: Value| Arr::from_value(pair)?.get(1).and_then(Sym::from_value);
    Ok(convert::to_ary(cx, list)?.iter().filter_map(name_of).map(|name| name.to_text(cx)).collect())
}
