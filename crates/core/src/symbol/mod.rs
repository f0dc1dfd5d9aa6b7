//! Symbol. Children: `text` (methods shared with String), `whole` (to_s, to_proc, inspect, equality, all_symbols).

mod text;
mod whole;

use object::Known;
use runtime::{Cx, Method, define, method_table::InLine};

pub const METHODS: &[Method] = &[
    Method::new("to_s", whole::to_s).leaf().returns(Known::String).frameless(0),
    Method::new("name", whole::name).leaf().returns(Known::String).frameless(0),
    Method::new("to_sym", whole::itself).leaf().returns(Known::Symbol).frameless(0).in_line(InLine::Itself),
    Method::new("to_proc", whole::to_proc).returns(Known::Proc),
    Method::new("inspect", whole::inspect).leaf().returns(Known::String),
    Method::new("==(other)", whole::equal).leaf().borrows(0).frameless(1),
    Method::new("<=>(other)", text::compare).borrows(0),
    Method::new("casecmp(other)", text::casecmp).borrows(0),
    Method::new("casecmp?(other)", text::casecmp_p).borrows(0),
    Method::new("=~(pattern)", text::match_operator).borrows(0),
    Method::new("match(*arguments) { |match| }", text::match_method).borrows(0),
    Method::new("match?(pattern, position = 0)", text::match_p).borrows(0),
    Method::new("[](index, length = nil)", text::aref).borrows(0),
    Method::new("length", text::length).leaf().returns(Known::Integer).frameless(0),
    Method::new("empty?", text::is_empty).leaf().frameless(0),
    Method::new("encoding", text::encoding).leaf().frameless(0),
    Method::new("start_with?(*prefixes)", text::start_with).borrows_all(),
    Method::new("end_with?(*suffixes)", text::end_with).borrows_all(),
    Method::new("succ", text::succ),
    Method::new("upcase(*options)", text::upcase),
    Method::new("downcase(*options)", text::downcase),
    Method::new("capitalize(*options)", text::capitalize),
    Method::new("swapcase(*options)", text::swapcase),
];

pub const SINGLETON: &[Method] = &[
    Method::new("all_symbols", whole::all_symbols).returns(Known::Array),
    Method::new("allocate", whole::no_allocator),
];

/// Fills Symbol.
pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Symbol);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    define::synonyms(cx, class, &[("===", "=="), ("size", "length"), ("slice", "[]"), ("next", "succ")]);
    define::aliases(cx, class, &[("id2name", "to_s"), ("intern", "to_sym")]);
    let comparable = define::class_or_module_named(cx, "Comparable");
    let _ = object::class::ancestors::include(cx, class, comparable);
    let singleton = object::class::singleton_class(cx, class);
    define::undefine(cx, singleton, "new");
}
