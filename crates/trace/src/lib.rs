//! Trace points, and instruction sequences as objects.
//!
//! A trace point replaces the opcode of the words with its events; [`patch`] sets and restores them, [`fire`] runs the
//! blocks, [`site`] handles calls on the caller's side. [`point`] is TracePoint, [`accessors`] its accessors for
//! events, [`path`] its filter of files, [`sequence`] RubyVM::InstructionSequence, [`console`] Binding#irb,
//! [`breakpoint`] and [`coverage`] libraries on top of it, [`debugger`] the native part of the `debug` gem.

#![forbid(unsafe_code)]

#[macro_use]
extern crate memory;

pub mod accessors;
pub mod breakpoint;
pub mod console;
pub mod coverage;
pub mod debugger;
pub mod fire;
pub mod function;
pub mod patch;
pub mod path;
pub mod point;
pub mod ruby_methods;
pub mod sequence;
pub mod site;
pub mod vm;

use runtime::{Cx, vm::NativeFeature};

/// Libraries that `require` finds in this crate.
pub const FEATURES: &[NativeFeature] =
    &[("beni/breakpoint", breakpoint::make), ("coverage.so", coverage::make), ("debug/debug", debugger::make)];

/// Defines the classes.
pub fn define(cx: &mut Cx) {
    vm::define(cx);
    point::define(cx);
    function::define(cx);
    sequence::define(cx);
    console::define(cx);
}
