//! Dumps of heaps, as ObjectSpace.dump_all writes them: who keeps what alive.
//!
//! - [`line`] reads a line of JSON, [`reader`] a whole dump, in parts that threads read side by side.
//! - [`graph`] numbers the objects and their references.
//! - [`dominators`] says which objects all ways to one lead through.
//! - [`retained`] sums sizes up, [`strings`] finds equal ones, [`paths`] a way from a root.
//! - [`growth`] is what came and stayed from dump to dump.
//! - [`command`] is `beni heap`, [`report`] what it prints.

#![forbid(unsafe_code)]

pub mod command;
pub mod dominators;
pub mod graph;
pub mod growth;
pub mod line;
pub mod paths;
pub mod reader;
pub mod report;
pub mod retained;
pub mod strings;
