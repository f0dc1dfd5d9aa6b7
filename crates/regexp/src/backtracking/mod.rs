//! The engine for all of Ruby's syntax and encodings: Oniguruma, through the `onig` crate.
//!
//! Children: `engine` (compilation and search), `translate` (from Onigmo's syntax), `class` (character classes in it),
//! `fixed_length` (measuring for it), `fold` (case pairs) and `names` (of groups).

mod class;
mod engine;
mod fixed_length;
mod fold;
mod names;
mod translate;

pub(crate) use engine::{Engine, Pause, Stop};
