//! The VM's state, and running Ruby: contexts, frames, calls, look-up, conversions, errors.

// Pointers to scopes and frames are to live ones wherever they are passed: they come from the VM stack or a live
// environment, which no caller can make up without unsafe code of its own.
#![allow(clippy::not_unsafe_ptr_arg_deref)]

pub mod allocators;
pub mod args;
pub mod autoload;
pub mod backtrace;
pub mod basic_ops;
pub mod binding;
pub mod boot;
pub mod branches;
pub mod call;
pub mod code;
pub mod collector;
pub mod concurrency;
pub mod constants;
pub mod convert;
pub mod crash;
pub mod cx;
pub mod define;
pub mod equality;
pub mod error;
pub mod eval;
pub mod frame;
pub mod globals;
pub mod internal;
pub mod intrinsics;
pub mod keys;
pub mod make;
pub mod method_object;
pub mod method_table;
mod named_roots;
pub mod panics;
pub mod recursion;
pub mod refinements;
pub mod reflect;
pub mod roots;
pub mod special;
pub mod trace;
pub mod unwind;
pub mod verify_facts;
pub mod vm;

pub use abi::Value;
pub use args::Args;
pub use cx::Cx;
pub use method_table::{Function, Method};
pub use named_roots::Root;
pub use object::{Known, Mem, Sym, symbol::well_known as sym};
pub use unwind::{R, Unwind};
pub use vm::Vm;
