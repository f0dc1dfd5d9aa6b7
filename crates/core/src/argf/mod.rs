//! ARGF: the files that ARGV names, one after another, or standard input.

use runtime::{Cx, internal};

/// Made by the Ruby half.
pub fn define(_: &mut Cx) {}

pub fn load(cx: &mut Cx) {
    internal::load(cx, runtime::ruby_half!("argf/argf")).expect("the Ruby half of ARGF runs");
}
