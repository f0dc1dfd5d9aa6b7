//! Fast paths of `fold.rb` for plain Sets, which read the elements from the Set's table.

use object::class::lookup::find_method;
use object::method_entry;
use runtime::{Args, Cx, R, Root, Value, error::OrRaise, intrinsics::folds, make, sym, unlinked};
use std::cmp::Ordering;

use crate::set::algebra;

/// `min(count = nil) → element or nil`: the smallest element of a Set; anything else is left to the Ruby half.
pub fn min(cx: &mut Cx, args: Args) -> R {
    folded(cx, args, |cx, list| folds::extreme(cx, list, Ordering::Less))
}

/// `max(count = nil) → element or nil`: the largest element of a Set; anything else is left to the Ruby half.
pub fn max(cx: &mut Cx, args: Args) -> R {
    folded(cx, args, |cx, list| folds::extreme(cx, list, Ordering::Greater))
}

/// `minmax → [element, element]`: the smallest and the largest element of a Set; anything else is left to the Ruby
/// half.
pub fn minmax(cx: &mut Cx, args: Args) -> R {
    folded(cx, args, |cx, list| {
        let least = folds::extreme(cx, list, Ordering::Less)?;
        let most = folds::extreme(cx, list, Ordering::Greater)?;
        Ok(make::array(cx, &[least, most]))
    })
}

/// `sum(initial = 0) → object`: the sum of a Set's elements from 0 on; anything else is left to the Ruby half.
pub fn sum(cx: &mut Cx, args: Args) -> R {
    folded(cx, args, |cx, list| folds::sum(cx, list, Value::fixnum(0)))
}

/// The result of `fold` for an Array of the elements. undef, which makes the Ruby half run, unless the receiver is a
/// plain Set and there are no arguments.
fn folded(cx: &mut Cx, args: Args, fold: fn(&mut Cx, Value) -> R) -> R {
    let Some(table) = algebra::table_of(cx, args.me()).filter(|_| args.is_empty()) else { return Ok(Value::UNDEF) };
    if !has_own_each(cx) {
        return Ok(Value::UNDEF);
    }
    let list = table.keys(cx).or_raise(cx)?.value();
    fold(cx, list)
}

/// Whether `Set#each` is still Beni's own method.
fn has_own_each(cx: &mut Cx) -> bool {
    let set = cx.root(Root::Set);
    let each = find_method(cx, set, sym::EACH);
    if each.is_undef() || method_entry::kind(each) != method_entry::Kind::Sequence {
        return false;
    }
    unlinked::is_internal(&method_entry::body(each))
}
