//! Struct.

pub mod access;
pub mod classes;
pub mod compare;
pub mod show;

pub use access::members_of;

use abi::Value;
use object::{
    Known, Sym,
    class::lookup,
    method_entry::{self, Entry, Kind, Visibility},
};
use runtime::{Cx, Method, define, internal, method_table::InLine};

const SINGLETON: &[Method] = &[Method::new("new(*members, keyword_init: nil, &block)", classes::new_struct_class)];

/// Singleton methods of every class created by Struct.new.
pub const CLASS_METHODS: &[Method] = &[
    Method::new("allocate", classes::allocate),
    Method::new("new(*values, **members, &block)", classes::new_instance).in_line(InLine::NewStruct),
    Method::new("[](*values, **members, &block)", classes::new_instance).in_line(InLine::NewStruct),
    Method::new("members", classes::members),
    Method::new("keyword_init?", classes::is_keyword_init),
    Method::new("inspect", classes::inspect),
];

const METHODS: &[Method] = &[
    Method::new("initialize(*values, **members)", classes::initialize).private(),
    Method::new("initialize_copy(other)", access::initialize_copy).private(),
    Method::new("[](member)", access::aref).borrows(0).quick(access::quick_aref),
    Method::new("[]=(member, value)", access::aset).borrows(0).quick(access::quick_aset),
    Method::new("members", access::members),
    Method::new("__members", access::members).private(),
    Method::new("to_a", access::to_a),
    Method::new("to_h", access::to_h).shortcut(),
    Method::new("length", access::length).leaf().frameless(0),
    Method::new("dig(member, *rest)", access::dig).borrows_all(),
    Method::new("values_at(*selectors)", access::values_at).borrows_all(),
    Method::new("deconstruct_keys(keys)", access::deconstruct_keys),
    Method::new("==(other)", compare::equal).borrows(0),
    Method::new("eql?(other)", compare::eql).borrows(0),
    Method::new("hash", compare::hash),
    Method::new("inspect", show::inspect),
];

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Struct);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    define::synonyms(cx, class, &[("size", "length"), ("values", "to_a"), ("deconstruct", "to_a")]);
    define::aliases(cx, class, &[("to_s", "inspect")]);
    internal::load(cx, runtime::ruby_half!("structure/struct")).expect("the Ruby half of Struct runs");
}

/// Defines a reader or writer of member `index`.
pub fn define_accessor(cx: &mut Cx, class: Value, name: Sym, index: usize, kind: Kind) {
    let entry = Entry { body: Value::fixnum(index as i64), ..Entry::of(class, name, kind, Visibility::Public) };
    let entry = method_entry::new(cx, entry);
    lookup::add_method(cx, class, name, entry);
}
