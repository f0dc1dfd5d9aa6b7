//! Encoding. Children: `names` (lookup, constants, list), `defaults` (default_external, compatible?), `options` (of
//! conversions), `errors` (exceptions of conversions), `converter` (Encoding::Converter).

mod converter;
mod defaults;
pub mod errors;
pub mod names;
pub mod options;

pub use converter::{options_as_flags, options_of_flags};
pub use defaults::{locale, named_by_option};
pub use names::{find, from_value, object};

use object::{Known, symbol::table::intern_text};
use runtime::{Cx, Method, define, make};

pub const METHODS: &[Method] = &[
    Method::new("name", names::name).returns(Known::String),
    Method::new("names", names::names).returns(Known::Array),
    Method::new("inspect", names::inspect).returns(Known::String),
    Method::new("dummy?", names::is_dummy).leaf(),
    Method::new("ascii_compatible?", names::is_ascii_compatible).leaf(),
    Method::new("_dump(limit = nil)", names::name).private(),
];

pub const SINGLETON: &[Method] = &[
    Method::new("list", names::list).returns(Known::Array),
    Method::new("name_list", names::name_list).returns(Known::Array),
    Method::new("aliases", names::aliases).returns(Known::Hash),
    Method::new("find(name)", names::find_method).borrows(0),
    Method::new("__known(name)", names::known).borrows(0).private(),
    Method::new("_load(name)", names::find_method).private(),
    Method::new("compatible?(first, second)", defaults::compatible).borrows(0).borrows(1),
    Method::new("default_external", defaults::external),
    Method::new("default_external=(encoding)", defaults::set_external).borrows(0),
    Method::new("default_internal", defaults::internal),
    Method::new("default_internal=(encoding)", defaults::set_internal).borrows(0),
    Method::new("locale_charmap", defaults::locale_charmap),
];

/// The version of the tables of characters, as in Ruby 4.0.
pub const UNICODE_VERSION: &str = "17.0.0";

/// Fills Encoding.
pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Encoding);
    names::make_all(cx, class);
    defaults::locale();
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    define::alias(cx, class, "to_s", "name");
    let singleton = object::class::singleton_class(cx, class);
    define::undefine(cx, singleton, "allocate");
    define::undefine(cx, singleton, "new");
    let (name, version) = (intern_text(cx, "UNICODE_VERSION"), make::interned(cx, UNICODE_VERSION));
    define::set_constant(cx, class, name, version);
    errors::define(cx);
    converter::define(cx, class);
}
