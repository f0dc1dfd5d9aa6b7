//! Similarity of names, for "Did you mean?".

mod jaro_winkler;
mod levenshtein;
mod spell;

pub use jaro_winkler::{jaro, jaro_winkler};
pub use levenshtein::levenshtein;
pub use spell::suggestions;
