//! `require "beni/breakpoint"`: breakpoints by place, method and exception, on trace points (`breakpoint.rb`).

use object::Known;
use runtime::{Cx, R, define, internal};

/// Makes Beni::Breakpoint.
pub fn make(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    define::define_module(cx, object, "Beni");
    internal::load(cx, runtime::ruby_half!("breakpoint/breakpoint"))
}
