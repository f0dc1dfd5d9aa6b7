//! Marshal: objects as bytes, in format 4.8.
//!
//! - `format`: type bytes and small integers;
//! - `names`: the format's names of instance variables, and classes by path;
//! - `stand_ins`: classes whose objects are dumped as those of another class;
//! - `dump`: writing; `load`: reading.

mod dump;
mod format;
mod load;
mod names;
pub mod stand_ins;

pub use dump::refuse_dump;
pub use names::find_module;

use object::{class, shape::ivars, symbol::table::intern_text};
use runtime::{Cx, Method, Value, define};

const METHODS: &[Method] = &[Method::new("dump(object, io_or_limit = nil, limit = nil)", dump::dump).module_function()];

const SINGLETON: &[Method] = &[
    Method::new("load(source, proc = nil, freeze: false)", load::load),
    Method::new("restore(source, proc = nil, freeze: false)", load::load),
];

/// Core classes whose instances are plain objects in Beni, but contain data that cannot be dumped.
const NOT_DUMPED: &[&str] = &[
    "Enumerator",
    "Enumerator::Lazy",
    "Enumerator::Generator",
    "Enumerator::Yielder",
    "Enumerator::Chain",
    "Enumerator::Product",
    "Enumerator::ArithmeticSequence",
];

/// Fills the module.
pub fn define(cx: &mut Cx) {
    let module = define::class_or_module_named(cx, "Marshal");
    define::define_methods(cx, module, METHODS);
    define::define_singleton_methods(cx, module, SINGLETON);
    for (name, version) in [("MAJOR_VERSION", format::MAJOR), ("MINOR_VERSION", format::MINOR)] {
        let name = intern_text(cx, name);
        define::set_constant(cx, module, name, Value::fixnum(version.into()));
    }
    for path in NOT_DUMPED {
        if let Some(class) = names::find_class(cx, path) {
            refuse(cx, class);
        }
    }
}

/// Makes a class, whose instances are plain objects here but native in CRuby, neither dumpable nor loadable.
pub fn refuse(cx: &mut Cx, class: Value) {
    let mark = intern_text(cx, REFUSED);
    ivars::set_hidden(cx, class, mark, Value::TRUE);
}

const REFUSED: &str = "__not_marshalled";

/// Whether `refuse` was called for the class or one of its superclasses.
fn is_refused(cx: &mut Cx, class: Value) -> bool {
    let mark = intern_text(cx, REFUSED);
    let mut at = class;
    while !at.is_nil() {
        if !ivars::get(cx, at, mark).is_undef() {
            return true;
        }
        at = class::superclass(at);
    }
    false
}
