//! Hash.

mod change;
mod compare;
mod create;
pub(crate) mod read;
mod show;

use object::Known;
use runtime::{Cx, Method, define, internal, method_table::InLine};

const SINGLETON: &[Method] = &[
    Method::new("allocate", create::allocate),
    Method::new("[](*entries)", create::literal),
    Method::new("try_convert(object)", create::try_convert),
    Method::new("ruby2_keywords_hash?(hash)", create::is_ruby2_keywords_hash),
    Method::new("ruby2_keywords_hash(hash)", create::ruby2_keywords_hash),
];

const METHODS: &[Method] = &[
    Method::new("initialize(default = nil, capacity: 0) { |hash, key| }", create::initialize).private(),
    Method::new("initialize_copy(other)", create::replace).private(),
    Method::new("replace(other)", create::replace),
    Method::new("to_hash", create::to_hash).leaf().in_line(InLine::Plain),
    Method::new("rehash", create::rehash),
    Method::new("compare_by_identity", create::compare_by_identity),
    Method::new("compare_by_identity?", create::is_compared_by_identity).leaf(),
    Method::new("default(key = nil)", create::default),
    Method::new("default=(value)", create::set_default),
    Method::new("default_proc", create::default_proc).leaf(),
    Method::new("default_proc=(proc)", create::set_default_proc),
    // Reading
    Method::new("[](key)", read::aref).borrows(0),
    Method::new("fetch(key, default = nil)", read::quick_fetch).borrows(0).shortcut().quick(read::quick_fetch),
    Method::new("key?(key)", read::has_key).borrows(0).in_line(InLine::HasKey),
    Method::new("value?(value)", read::has_value).borrows(0),
    Method::new("key(value)", read::key_of).borrows(0),
    Method::new("length", read::length).leaf().pure(),
    Method::new("empty?", read::is_empty).leaf().pure(),
    Method::new("keys", read::keys).frameless(0),
    Method::new("values", read::values).frameless(0),
    Method::new("values_at(*keys)", read::values_at).borrows_all(),
    Method::new("dig(key, *rest)", read::dig).borrows_all(),
    Method::new("assoc(key)", read::assoc).borrows(0),
    Method::new("rassoc(value)", read::rassoc).borrows(0),
    Method::new("to_a", read::to_a),
    Method::new("flatten(depth = 1)", read::flatten).shortcut(),
    Method::new("slice(*keys)", read::slice).borrows_all(),
    Method::new("except(*keys)", read::except).borrows_all(),
    // Modification
    Method::new("[]=(key, value)", change::aset).borrows(0),
    Method::new("delete(key) { |key| }", change::delete).borrows(0),
    Method::new("shift", change::shift),
    Method::new("clear", change::clear),
    Method::new("compact", change::compact),
    Method::new("compact!", change::compact_bang),
    Method::new("invert", change::invert),
    // Comparison
    Method::new("==(other)", compare::equal).borrows(0),
    Method::new("eql?(other)", compare::eql).borrows(0),
    Method::new("hash", compare::hash),
    Method::new("<=(other)", compare::is_subset).borrows(0),
    Method::new("<(other)", compare::is_proper_subset).borrows(0),
    Method::new(">=(other)", compare::is_superset).borrows(0),
    Method::new(">(other)", compare::is_proper_superset).borrows(0),
    // Text
    Method::new("inspect", show::inspect),
];

const RUBY: &[&[u8]] =
    &[runtime::ruby_half!("hash/iterate"), runtime::ruby_half!("hash/filter"), runtime::ruby_half!("hash/transform")];

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Hash);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    define::synonyms(
        cx,
        class,
        &[
            ("store", "[]="),
            ("include?", "key?"),
            ("member?", "key?"),
            ("has_key?", "key?"),
            ("has_value?", "value?"),
            ("size", "length"),
        ],
    );
    define::aliases(cx, class, &[("to_s", "inspect")]);
    internal::load_all(cx, RUBY).expect("the Ruby half of Hash runs");
}
