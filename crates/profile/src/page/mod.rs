//! Pages in HTML that need nothing else: no network, no server.
//!
//! `kept/` has the libraries that pages embed, as they were released, with their licences: Grid.js for tables, uPlot
//! for charts. Flame graphs are made by the `inferno` crate.

pub mod profile;
mod template;
