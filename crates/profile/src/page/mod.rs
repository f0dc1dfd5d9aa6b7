//! Self-contained HTML pages: no network, no server.
//!
//! `kept/` has the libraries that are embedded in pages, as they were released, with their licences: Grid.js for
//! tables, uPlot for charts. The `inferno` crate generates the flame graphs.

pub mod profile;
mod template;
