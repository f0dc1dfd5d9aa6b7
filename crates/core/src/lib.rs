//! The core classes: one folder per class, with its method table at the top of `mod.rs`, one file per topic, and its
//! Ruby half.
//!
//! [`define`] defines all of them; each folder's `define` fills one class. `docs/core-methods.md` describes how to add
//! a method.

#![forbid(unsafe_code)]

#[macro_use]
extern crate memory;

pub mod argf;
pub mod array;
pub mod basic_object;
pub mod binding;
pub mod class;
pub mod comparable;
pub mod complex;
pub mod data;
pub mod dir;
pub mod encoding;
pub mod enumerable;
pub mod enumerator;
pub mod env;
pub mod exception;
pub mod false_class;
pub mod features;
pub mod fiber;
pub mod file;
pub mod file_test;
pub mod float;
pub mod gc;
pub mod global_variables;
pub mod hash;
pub mod integer;
pub mod io;
pub mod kernel;
pub mod main_object;
pub mod marshal;
pub mod match_data;
pub mod math;
pub mod method;
pub mod module;
pub mod mutex;
pub mod nil_class;
pub mod numeric;
pub mod object;
pub mod object_space;
pub mod proc;
pub mod process;
pub mod queue;
pub mod ractor;
pub mod random;
pub mod range;
pub mod rational;
pub mod refinement;
pub mod regexp;
pub mod ruby_box;
pub mod ruby_vm;
pub mod set;
pub mod signal;
pub mod string;
pub mod structure;
pub mod symbol;
pub mod thread;
pub mod time;
pub mod trace_point;
pub mod true_class;
pub mod warning;

use runtime::Cx;

/// Defines every core class. Superclasses and modules precede the classes that need them.
pub fn define(cx: &mut Cx) {
    kernel::define(cx);
    features::define(cx);
    basic_object::define(cx);
    object::define(cx);
    module::define(cx);
    class::define(cx);
    comparable::define(cx);
    nil_class::define(cx);
    true_class::define(cx);
    false_class::define(cx);
    method::define(cx);
    proc::define(cx);
    binding::define(cx);
    symbol::define(cx);
    string::define(cx);
    encoding::define(cx);
    regexp::define(cx);
    match_data::define(cx);
    array::define(cx);
    hash::define(cx);
    enumerable::define(cx);
    enumerator::define(cx);
    range::define(cx);
    structure::define(cx);
    data::define(cx);
    set::define(cx);
    numeric::define(cx);
    integer::define(cx);
    float::define(cx);
    rational::define(cx);
    complex::define(cx);
    math::define(cx);
    random::define(cx);
    time::define(cx);
    exception::define(cx);
    io::define(cx);
    file::define(cx);
    file_test::define(cx);
    dir::define(cx);
    process::define(cx);
    signal::define(cx);
    env::define(cx);
    marshal::define(cx);
    thread::define(cx);
    mutex::define(cx);
    queue::define(cx);
    ractor::define(cx);
    fiber::define(cx);
    gc::define(cx);
    object_space::define(cx);
    trace_point::define(cx);
    ruby_box::define(cx);
    ruby_vm::define(cx);
    warning::define(cx);
    global_variables::define(cx);
    main_object::define(cx);
    refinement::define(cx);
}
