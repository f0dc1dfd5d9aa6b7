//! Shapes, classes, symbols, and the data of the types in a heap of Ruby objects, with operations that are safe for the
//! collector.
//!
//! No function of this crate runs Ruby: operations take the lesser context [`Mem`]. Those that need a program's `==` or
//! `hash` take a trait.

pub mod array;
pub mod attachment;
pub mod bigint;
pub mod cell;
pub mod class;
pub mod context;
pub mod environment;
pub mod float;
pub mod handle;
pub mod hash;
pub mod known;
pub mod method_entry;
pub mod moved;
pub mod native;
pub mod payload;
pub mod proc;
pub mod range;
pub mod representation;
pub mod shape;
pub mod string;
pub mod structure;
pub mod symbol;
pub mod types;
pub mod weak_map;

pub use context::{Mem, World};
pub use known::Known;
pub use symbol::Sym;
