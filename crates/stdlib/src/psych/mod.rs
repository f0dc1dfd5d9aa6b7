//! Psych's native half, on a port of libyaml to safe Rust. Children: `parser` (text to events), `emitter` (events to
//! text), `escapes` (characters that libyaml escapes), `directives`, `styles` (Psych's numbers for encodings and
//! styles).

mod directives;
mod emitter;
mod escapes;
mod parser;
mod styles;

use object::{Known, class, shape::ivars, symbol::table::intern_text};
use runtime::{Args, Cx, Method, R, Value, call, convert, define, internal, library, make, sym};

const PSYCH: &[Method] = &[Method::new("libyaml_version", libyaml_version)];

const CLASS_LOADER: &[Method] = &[Method::new("path2class(path)", path_to_class).private()];

const TO_RUBY: &[Method] = &[
    Method::new("build_exception(class, message)", build_exception).private(),
    Method::new("init_struct(object, attributes)", init_struct).private(),
];

const YAML_TREE: &[Method] = &[Method::new("private_iv_get(target, name)", private_variable).private()];

/// The version of libyaml that the port follows.
const VERSION: [i64; 3] = [0, 2, 5];

pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let psych = library::module(cx, object, "Psych")?;
    define::define_singleton_methods(cx, psych, PSYCH);
    let handler = library::class(cx, psych, "Handler", object)?;
    parser::define(cx, psych)?;
    emitter::define(cx, psych, handler)?;
    let visitors = library::module(cx, psych, "Visitors")?;
    let visitor = library::class(cx, visitors, "Visitor", object)?;
    let to_ruby = library::class(cx, visitors, "ToRuby", visitor)?;
    define::define_methods(cx, to_ruby, TO_RUBY);
    let tree = library::class(cx, visitors, "YAMLTree", visitor)?;
    define::define_methods(cx, tree, YAML_TREE);
    let loader = library::class(cx, psych, "ClassLoader", object)?;
    define::define_methods(cx, loader, CLASS_LOADER);
    internal::load(cx, runtime::ruby_half!("psych/psych"))
}

/// `Psych.libyaml_version → [major, minor, patch]`: the version of libyaml whose behaviour the library has.
fn libyaml_version(cx: &mut Cx, _: Args) -> R {
    let numbers = VERSION.map(Value::fixnum);
    Ok(make::array(cx, &numbers))
}

/// `path2class(path) → module`: the class or module with a path such as `A::B`. ArgumentError if there is none.
fn path_to_class(cx: &mut Cx, args: Args) -> R {
    let path = args.str(cx, 0)?;
    core_classes::marshal::find_module(cx, path.value())
}

/// `build_exception(class, message) → exception`: an instance with this message, without calling `initialize`.
fn build_exception(cx: &mut Cx, args: Args) -> R {
    let exception = core_classes::class::allocate_instance(cx, args.at(0))?;
    ivars::set_hidden(cx, exception, sym::MEMO_MESSAGE, args.at(1));
    Ok(exception)
}

/// `init_struct(object, attributes) → object`: sets the members of a Data instance without its `initialize`.
fn init_struct(cx: &mut Cx, args: Args) -> R {
    let data = cx.class(Known::Data);
    let initialize = class::lookup::find_method(cx, data, sym::INITIALIZE);
    let attributes = args.hash(cx, 1)?;
    call::call_entry(cx, initialize, args.at(0), &[], Some(attributes.value()), abi::BlockHandler::NONE)?;
    Ok(args.at(0))
}

/// `private_iv_get(target, name) → object`: a hidden value of an exception that `instance_variables` does not list,
/// such as its message.
fn private_variable(cx: &mut Cx, args: Args) -> R {
    let name = convert::to_s(cx, args.at(1))?;
    let name = if name.is(b"mesg") { sym::MEMO_MESSAGE } else { intern_text(cx, &name.to_text()) };
    Ok(ivars::get(cx, args.at(0), name).or(Value::NIL))
}
