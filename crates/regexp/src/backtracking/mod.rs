//! The engine for all of Ruby's syntax and encodings: Oniguruma, through the `onig` crate.
//!
//! Children: `engine` (compilation and search), `translate` (from Onigmo's syntax), `class` (character classes in it),
//! `fixed_length` and `look_behind` (measuring for it), `nested` (look-behinds in others), `fold` (case pairs), `names`
//! (of groups) and `waiting` (patterns before their first search).

mod class;
mod engine;
mod fixed_length;
mod fold;
mod look_behind;
mod names;
mod nested;
mod translate;
mod waiting;

pub(crate) use engine::{Engine, Pause, Stop};
