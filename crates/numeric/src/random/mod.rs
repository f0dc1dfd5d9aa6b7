//! `Random`: the same numbers as CRuby from the same seed.
//!
//! Everything except the generator works on any [`Source`] of 32-bit words. Children: `mersenne` (the generator),
//! `draw` (numbers within limits, bytes), `order` (`shuffle`, `sample`).

mod draw;
mod mersenne;
mod order;

pub use draw::{bytes, float, float_in_range, integer_below, integer_up_to, real, up_to};
pub use mersenne::{MersenneTwister, SavedState};
pub use order::{sample, shuffle};

/// Uniformly distributed 32-bit words.
pub trait Source {
    fn next_u32(&mut self) -> u32;

    /// The next two words, drawn at once.
    fn next_pair(&mut self) -> [u32; 2] {
        [self.next_u32(), self.next_u32()]
    }
}

impl<S: Source + ?Sized> Source for &mut S {
    fn next_u32(&mut self) -> u32 {
        (**self).next_u32()
    }

    fn next_pair(&mut self) -> [u32; 2] {
        (**self).next_pair()
    }
}
