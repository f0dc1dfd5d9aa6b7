//! Regexp. Children: `create` (new, escape, union, timeouts), `search` (searching), `matching` (`=~` etc.), `show`
//! (source, inspect, equality).

pub mod create;
pub mod matching;
pub mod search;
pub mod show;

use object::{Known, class::constants::Constant};
use runtime::{Cx, Method, Value, define};

pub const METHODS: &[Method] = &[
    Method::new("initialize(source, options = 0, timeout: nil)", create::initialize).private().borrows(1),
    Method::new("initialize_copy(other)", create::initialize_copy).private(),
    Method::new("=~(string)", matching::match_operator).borrows(0),
    Method::new("===(object)", matching::case_equal).borrows(0),
    Method::new("~", matching::tilde),
    Method::new("match(string, position = 0) { |match| }", matching::match_method).borrows(0),
    Method::new("match?(string, position = 0)", matching::match_p).borrows(0),
    Method::new("source", show::source).leaf().returns(Known::String).frameless(0),
    Method::new("options", show::options).leaf().returns(Known::Integer).frameless(0),
    Method::new("casefold?", show::is_casefold).leaf(),
    Method::new("fixed_encoding?", show::is_fixed_encoding).leaf(),
    Method::new("encoding", show::encoding_of).leaf(),
    Method::new("inspect", show::inspect).leaf().returns(Known::String),
    Method::new("to_s", show::to_s).leaf().returns(Known::String),
    Method::new("==(other)", show::equal).borrows(0).frameless(1),
    Method::new("hash", show::hash).leaf().returns(Known::Integer).frameless(0),
    Method::new("names", create::names).returns(Known::Array),
    Method::new("named_captures", create::named_captures).returns(Known::Hash),
    Method::new("timeout", create::own_timeout),
];

pub const SINGLETON: &[Method] = &[
    Method::new("allocate", create::allocate),
    Method::new("escape(string)", create::escape).borrows(0).returns(Known::String),
    Method::new("union(*patterns)", create::union).borrows_all(),
    Method::new("try_convert(object)", create::try_convert),
    Method::new("linear_time?(pattern, options = 0, timeout: nil)", create::is_linear_time).borrows(0),
    Method::new("last_match(group = nil)", create::last_match).borrows(0),
    Method::new("timeout", create::timeout),
    Method::new("timeout=(seconds)", create::set_timeout),
];

/// Fills Regexp.
pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Regexp);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    define::synonym(cx, class, "eql?", "==");
    let singleton = object::class::singleton_class(cx, class);
    define::synonym(cx, singleton, "quote", "escape");
    let new = object::class::lookup::find_method(cx, singleton, runtime::sym::NEW);
    if !new.is_undef() {
        let compile = object::symbol::table::intern_text(cx, "compile");
        let entry = object::method_entry::Entry { name: compile, ..object::method_entry::read(new) };
        let entry = object::method_entry::new(cx, entry);
        object::class::lookup::add_method(cx, singleton, compile, entry);
    }
    for (name, bit) in [("IGNORECASE", 1), ("EXTENDED", 2), ("MULTILINE", 4), ("FIXEDENCODING", 16), ("NOENCODING", 32)]
    {
        let name = object::symbol::table::intern_text(cx, name);
        object::class::constants::set(cx, class, name, Constant::new(Value::fixnum(bit)));
    }
}
