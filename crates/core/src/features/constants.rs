//! What this Ruby is called: RUBY_VERSION and related constants.

use object::symbol::table::intern_text;
use runtime::{Cx, Known, Value, define, make};

/// The version of Ruby that programs see.
pub const RUBY_VERSION: &str = "4.0.0";

pub const COPYRIGHT: &str = "beni - Copyright (C) 2026 The Beni developers";

/// The version of Beni.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Processor and operating system, as in `x86_64-linux`.
pub fn platform() -> String {
    format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

/// What `beni --version` prints.
pub fn description() -> String {
    format!("beni {VERSION} (ruby {RUBY_VERSION}) +PRISM [{}]", platform())
}

pub fn define(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let ruby = define::define_module(cx, object, "Ruby");
    let rows = [
        ("RUBY_VERSION", RUBY_VERSION.to_string()),
        ("RUBY_RELEASE_DATE", "2025-12-25".into()),
        ("RUBY_PLATFORM", platform()),
        ("RUBY_COPYRIGHT", COPYRIGHT.into()),
        ("RUBY_ENGINE", "beni".into()),
        ("RUBY_ENGINE_VERSION", VERSION.into()),
        ("RUBY_DESCRIPTION", description()),
        ("RUBY_REVISION", "0000000000".into()),
    ];
    for (name, text) in rows {
        let v = make::interned(cx, &text);
        set(cx, ruby, name, v);
    }
    set(cx, ruby, "RUBY_PATCHLEVEL", Value::fixnum(0));
    // In installed gems, the compiler reads this constant instead of RUBY_ENGINE: gems only know engines older than
    // Beni, and Beni behaves like "ruby".
    let v = make::interned(cx, "ruby");
    let name = intern_text(cx, "BENI_ENGINE_OF_GEMS");
    define::set_constant(cx, object, name, v);
    object::class::constants::update(cx, object, name, |constant| constant.private = true);
}

/// Defines a constant under its name (`RUBY_VERSION`) and, without the prefix, in the module Ruby (`Ruby::VERSION`).
fn set(cx: &mut Cx, ruby: Value, name: &str, v: Value) {
    let object = cx.class(Known::Object);
    let long = intern_text(cx, name);
    define::set_constant(cx, object, long, v);
    let short = intern_text(cx, name.trim_start_matches("RUBY_"));
    define::set_constant(cx, ruby, short, v);
}
