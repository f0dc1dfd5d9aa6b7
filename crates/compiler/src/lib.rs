//! From source to bytecode: prism's tree compiled to the sequences of the `bytecode` crate.
//!
//! One file per syntax family; [`compiler`] holds the shared state, `builder` constructs sequences. The compiler
//! creates no values: the runtime links the result of [`compile`].

#![forbid(unsafe_code)]

mod analysis;
mod arguments;
mod assignment;
mod attribute_assignment;
mod attribute_update;
mod blocks;
mod branches;
mod builder;
mod calls;
mod case;
mod classes;
mod collections;
mod compiler;
mod conditions;
mod constants;
mod control;
mod counters;
mod defined;
mod dump;
mod expression;
mod highlight;
mod jumps;
mod literals;
mod loops;
mod methods;
mod multiple_assignment;
mod node;
mod operator_assignment;
mod operators;
mod options;
mod parameters;
mod parse;
mod pattern;
pub mod precompile;
mod primitive_loops;
mod primitives;
mod program;
mod rescue;
mod strings;
mod super_yield;
mod syntax_error;
mod tables;
mod tail;
mod variables;
mod warnings;

pub use dump::dump_ast;
pub use highlight::columns_of_arguments;
pub use options::{CommandLine, Counts, EvalScope, Options, SourceKind};
pub use parse::{compile, compile_deferred, ends_in_data, is_incomplete, with_room_for_image};
pub use syntax_error::{ErrorKind, SyntaxErrors};
