//! MatchData. Children: `groups` (by number and name), `places` (positions), `whole` (all groups).

pub mod groups;
mod places;
mod whole;

use object::Known;
use runtime::{Cx, Method, define};

pub const METHODS: &[Method] = &[
    Method::new("[](group, length = nil)", whole::aref).borrows(0).frameless_with_numbers(),
    Method::new("begin(group)", places::begin).borrows(0).frameless_with_numbers(),
    Method::new("end(group)", places::end).borrows(0).frameless_with_numbers(),
    Method::new("offset(group)", places::offset).borrows(0).frameless_with_numbers(),
    Method::new("bytebegin(group)", places::bytebegin).borrows(0).frameless_with_numbers(),
    Method::new("byteend(group)", places::byteend).borrows(0).frameless_with_numbers(),
    Method::new("byteoffset(group)", places::byteoffset).borrows(0).frameless_with_numbers(),
    Method::new("match(group)", places::match_of).borrows(0),
    Method::new("match_length(group)", places::match_length).borrows(0).frameless_with_numbers(),
    Method::new("pre_match", places::pre_match).returns(Known::String).frameless(0),
    Method::new("post_match", places::post_match).returns(Known::String).frameless(0),
    Method::new("to_s", places::to_s).returns(Known::String).frameless(0),
    Method::new("size", whole::size).leaf().returns(Known::Integer).frameless(0),
    Method::new("to_a", whole::to_a).returns(Known::Array),
    Method::new("captures", whole::captures).returns(Known::Array),
    Method::new("integer_at(group, base = 10)", whole::integer_at).returns(Known::Integer),
    Method::new("named_captures(symbolize_names: false)", whole::named_captures).returns(Known::Hash),
    Method::new("names", whole::names).returns(Known::Array),
    Method::new("values_at(*groups)", whole::values_at).borrows_all().returns(Known::Array),
    Method::new("deconstruct_keys(keys)", whole::deconstruct_keys),
    Method::new("regexp", whole::regexp),
    Method::new("string", whole::string).frameless(0),
    Method::new("inspect", whole::inspect).returns(Known::String),
    Method::new("==(other)", whole::equal).borrows(0),
    Method::new("hash", whole::hash).leaf().returns(Known::Integer),
    Method::new("initialize_copy(other)", whole::initialize_copy).private(),
    Method::new("dup", whole::dup),
    Method::new("clone(freeze: nil)", whole::dup),
];

/// Fills MatchData.
pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::MatchData);
    define::define_methods(cx, class, METHODS);
    define::synonym(cx, class, "length", "size");
    define::synonym(cx, class, "eql?", "==");
    define::alias(cx, class, "deconstruct", "captures");
    let singleton = object::class::singleton_class(cx, class);
    define::undefine(cx, singleton, "allocate");
    define::undefine(cx, singleton, "new");
}
