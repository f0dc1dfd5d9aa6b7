//! Analysis of heap dumps, as ObjectSpace.dump_all writes them: which objects keep which others alive.
//!
//! - [`line`] reads a line of JSON; [`reader`] reads a whole dump, in parts that threads read in parallel.
//! - [`graph`] numbers the objects and their references.
//! - [`dominators`] computes the dominator tree.
//! - [`retained`] sums up sizes, [`strings`] finds equal Strings, [`paths`] finds a path from a root.
//! - [`growth`] compares dumps, [`groups`] arranges the dominator tree for a treemap.
//! - [`report`] prints tables.

#![forbid(unsafe_code)]

pub mod dominators;
pub mod graph;
pub mod groups;
pub mod growth;
pub mod line;
pub mod paths;
pub mod reader;
pub mod report;
pub mod retained;
pub mod strings;
