//! Array.

mod change;
mod combine;
mod compare;
pub mod create;
mod flatten;
mod fold;
mod order;
pub mod read;
mod removal;
pub mod show;

pub use compare::{finish_hash, hash_value, simple_hash};

use abi::Flags;
use object::{Known, cell};
use runtime::{Cx, Method, Root, define, internal, make, method_table::InLine};

const SINGLETON: &[Method] = &[
    Method::new("allocate", create::allocate).in_line(InLine::EmptyArray),
    Method::new("[](*elements)", create::literal),
    Method::new("try_convert(object)", create::try_convert),
];

const METHODS: &[Method] = &[
    Method::new("initialize(size = nil, value = nil)", create::initialize)
        .private()
        .shortcut()
        .in_line(InLine::FilledArray),
    Method::new("initialize_copy(other)", create::replace).private(),
    Method::new("replace(other)", create::replace),
    Method::new("to_a", create::to_a).in_line(InLine::Plain),
    Method::new("to_ary", create::to_ary).leaf().in_line(InLine::Plain),
    Method::new("freeze", create::freeze),
    // Reading
    Method::new("length", read::length).leaf().pure(),
    Method::new("empty?", read::is_empty).leaf().pure(),
    Method::new("[](index, length = nil)", read::aref).frameless_with_numbers(),
    Method::new("at(index)", read::at).frameless_with_numbers(),
    Method::new("fetch(index, default = nil) { |index| }", read::fetch),
    Method::new("first(count = nil)", read::first).frameless(0).frameless_with_numbers().in_line(InLine::First),
    Method::new("last(count = nil)", read::last).frameless(0).frameless_with_numbers().in_line(InLine::Last),
    Method::new("dig(index, *rest)", read::dig),
    Method::new("values_at(*selectors)", read::values_at).frameless_with_numbers(),
    Method::new("take(count)", read::take).frameless_with_numbers(),
    Method::new("drop(count)", read::drop).frameless_with_numbers(),
    Method::new("assoc(key)", read::assoc).borrows(0),
    Method::new("rassoc(value)", read::rassoc).borrows(0),
    Method::new("include?(value)", read::include).borrows(0),
    // Modification
    Method::new("[]=(index, length_or_value, value = nil)", change::aset),
    Method::new("<<(value)", change::append).leaf().frameless(1).in_line(InLine::Push),
    Method::new("push(*values)", change::push).frameless(u8::MAX).in_line(InLine::Push),
    Method::new("pop(count = nil)", change::pop).frameless(0).frameless_with_numbers(),
    Method::new("shift(count = nil)", change::shift).frameless(0).frameless_with_numbers(),
    Method::new("unshift(*values)", change::unshift),
    Method::new("insert(index, *values)", change::insert),
    Method::new("concat(*arrays)", change::concat),
    Method::new("clear", change::clear),
    // Removal
    Method::new("delete_at(index)", removal::delete_at).frameless_with_numbers(),
    Method::new("slice!(index, length = nil)", removal::slice_bang),
    Method::new("compact", removal::compact),
    Method::new("compact!", removal::compact_bang),
    // Comparison
    Method::new("==(other)", compare::equal).borrows(0),
    Method::new("eql?(other)", compare::eql).borrows(0),
    Method::new("hash", compare::hash),
    Method::new("<=>(other)", compare::compare).borrows(0),
    // Combination
    Method::new("+(other)", combine::plus),
    Method::new("*(times)", combine::times).borrows(0).frameless_with_numbers(),
    Method::new("-(other)", combine::minus),
    Method::new("&(other)", combine::and),
    Method::new("|(other)", combine::or),
    Method::new("difference(*others)", combine::difference),
    Method::new("intersection(*others)", combine::intersection),
    Method::new("union(*others)", combine::union),
    Method::new("__unique", combine::own_unique).private(),
    Method::new("__range(object)", read::ends_of).private(),
    Method::new("intersect?(other)", combine::intersects),
    Method::new("transpose", combine::transpose),
    Method::new("product(*others)", combine::product).shortcut(),
    // Order
    Method::new("reverse", order::reverse),
    Method::new("reverse!", order::reverse_bang),
    Method::new("rotate(count = 1)", order::rotate).frameless_with_numbers(),
    Method::new("rotate!(count = 1)", order::rotate_bang).frameless_with_numbers(),
    Method::new("sort", order::sort).shortcut(),
    Method::new("__plainly_sorted", order::sort).private(),
    Method::new("shuffle(random: nil)", order::shuffle),
    Method::new("shuffle!(random: nil)", order::shuffle_bang),
    Method::new("sample(count = nil, random: nil)", order::sample),
    Method::new("flatten(depth = nil)", flatten::flatten),
    Method::new("flatten!(depth = nil)", flatten::flatten_bang),
    // Folding
    Method::new("min(count = nil)", fold::min).shortcut(),
    Method::new("max(count = nil)", fold::max).shortcut(),
    Method::new("minmax", fold::minmax).shortcut(),
    Method::new("sum(initial = 0)", fold::sum).shortcut(),
    Method::new("any?(pattern = nil)", fold::any).borrows(0).shortcut(),
    Method::new("all?(pattern = nil)", fold::all).borrows(0).shortcut(),
    Method::new("none?(pattern = nil)", fold::none).borrows(0).shortcut(),
    Method::new("count(value = nil)", fold::count).borrows(0).shortcut(),
    Method::new("inject(initial = nil, operator = nil)", fold::inject).shortcut(),
    Method::new("find_index(value = nil)", fold::find_index).borrows(0).shortcut(),
    Method::new("rindex(value = nil)", fold::rindex).borrows(0).shortcut(),
    Method::new("delete(value)", fold::delete).borrows(0).shortcut(),
    Method::new("fill(value = nil, start = nil, length = nil)", fold::fill).shortcut(),
    // Text
    Method::new("inspect", show::inspect),
    Method::new("join(separator = nil)", show::join).borrows(0),
];

const RUBY: &[&[u8]] = &[
    runtime::ruby_half!("array/iterate"),
    runtime::ruby_half!("array/transform"),
    runtime::ruby_half!("array/search"),
    runtime::ruby_half!("array/fold"),
    runtime::ruby_half!("array/order"),
    runtime::ruby_half!("array/change"),
    runtime::ruby_half!("array/combinations"),
];

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Array);
    let empty = make::array(cx, &[]);
    cell::set_header(empty, cell::header(empty).with(Flags::FROZEN | Flags::SHAREABLE));
    cx.set_root(Root::EmptyRest, empty);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    define::synonyms(cx, class, &[("size", "length"), ("slice", "[]")]);
    define::aliases(cx, class, &[("append", "push"), ("prepend", "unshift"), ("to_s", "inspect")]);
    internal::load_all(cx, RUBY).expect("the Ruby half of Array runs");
}
