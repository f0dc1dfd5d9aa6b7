//! What Ractors must not share. Children: `shareable` (objects that never change), `access` (the checks of Ractors
//! other than the main one).

pub mod access;
pub mod shareable;
