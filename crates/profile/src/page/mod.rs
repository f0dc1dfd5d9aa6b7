//! Self-contained HTML pages: no network, no server.
//!
//! [`profile`], [`allocations`] and [`heap`] are the pages, [`template`] is what they share. `kept/` has the libraries
//! that are embedded in pages, as they were released, with their licences: Grid.js for tables, uPlot for charts,
//! d3-hierarchy for the layout of treemaps. The `inferno` crate generates the flame graphs ([`flame`]).

pub mod allocations;
mod flame;
pub mod heap;
pub mod profile;
mod template;
