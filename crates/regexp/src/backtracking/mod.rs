//! The engine for all of Ruby's syntax and encodings: Oniguruma, through the `onig` crate.
//!
//! Children: `engine` (compilation and search), `translate` (from Onigmo's syntax).

mod engine;
mod translate;

pub(crate) use engine::{Engine, Pause, Stop};
