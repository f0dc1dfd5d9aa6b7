//! The VM's state and everything needed to run Ruby: contexts, frames, calls, lookup, conversions, errors.

#[macro_use]
extern crate memory;

pub mod args;
pub mod autoload;
pub mod backtrace;
pub mod basic_ops;
pub mod boot;
pub mod call;
mod call_scope;
pub mod code;
pub mod collector;
pub mod concurrency;
pub mod constants;
pub mod convert;
pub mod core_methods;
pub mod counters;
pub mod coverage;
pub mod crash;
pub mod cref;
pub mod default_visibility;
pub mod define;
pub mod error;
pub mod eval;
pub mod frame;
pub mod frozen;
pub mod globals;
mod heap_events;
mod inherited;
pub mod instructions;
pub mod internal;
pub mod intrinsics;
pub mod isolation;
pub mod keys;
mod keyword_hash;
pub mod library;
pub mod link;
pub mod literal_arguments;
pub mod make;
pub mod method_object;
pub mod method_table;
pub mod naming;
pub mod panics;
pub mod recursion;
mod redefined;
pub mod redefinition;
pub mod refinements;
pub mod reflect;
mod samples;
pub mod sampling;
pub mod special;
pub mod state;
pub mod unlinked;
pub mod unused_blocks;
pub mod verify_facts;
pub mod warning;
mod window;

pub use abi::Value;
pub use args::Args;
pub use call::{allocators, equality, order};
pub use eval::binding;
pub use method_table::{Function, Method};
pub use object::{Known, Mem, Sym, symbol::well_known as sym};
pub use state::{
    cx::{self, Cx},
    named_roots::{Root, RootValue},
    roots, trace,
    unwind::{self, R, Unwind},
    vm::{self, Vm},
};
