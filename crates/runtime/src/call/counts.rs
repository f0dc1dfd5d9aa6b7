//! The numbers of arguments that the errors of core methods name, where CRuby's methods count only if there are any.

use object::{class, method_entry, string::Str};

use crate::Cx;

/// Owner, methods, and the least number that is named when too many arguments are given.
const COUNTED: &[(&str, &[&str], usize)] = &[
    ("Enumerable", &["count", "find_index", "slice_after", "slice_before", "inject", "reduce"], 1),
    ("Array", &["fill", "inject", "reduce"], 1),
    ("Range", &["first", "last", "max", "min"], 1),
    ("String", &["sub", "sub!"], 2),
];

/// The least number of arguments that an error names for the running core method, which takes at least `least`.
pub fn least_named(cx: &Cx, given: usize, least: usize, most: Option<usize>) -> usize {
    let entry = cx.frame().scope.entry;
    // String#sub names two arguments, however many it was given.
    let is_sub = most == Some(2) && least == 1;
    if !entry.is_heap() || !is_sub && most.is_none_or(|most| given <= most) {
        return least;
    }
    let Some(owner) = Str::from_value(class::name(method_entry::owner(entry))) else { return least };
    let (owner, name) = (owner.bytes(cx), method_entry::original_name(entry).bytes(cx));
    let is_meant =
        |row: &&(&str, &[&str], usize)| row.0.as_bytes() == owner && row.1.iter().any(|known| known.as_bytes() == name);
    COUNTED.iter().find(is_meant).map_or(least, |row| row.2)
}
