//! MT19937 (Matsumoto and Nishimura, 1998; initialisation of 2002), seeded as CRuby seeds it.
//!
//! Implemented here because `marshal_dump` and `==` expose the state, which the existing crates keep private.

use super::Source;
use crate::big::{Int, Integer, from_le_bytes, magnitude_le_bytes, to_le_bytes};
use memory::Grow;

const LENGTH: usize = 624;
const MIDDLE: usize = 397;

#[derive(Clone, PartialEq, Eq)]
pub struct MersenneTwister {
    state: Box<[u32; LENGTH]>,
    /// Words not consumed yet; 1 means that the next one needs a new state.
    left: usize,
}

/// The state shown by `Random#marshal_dump`, besides the seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedState {
    pub state: Integer,
    pub left: i64,
}

impl MersenneTwister {
    /// From the seed's magnitude; `Random.new(-5)` is `Random.new(5)`.
    pub fn from_seed(seed: Int) -> MersenneTwister {
        let mut bytes = magnitude_le_bytes(seed);
        bytes.set_length(bytes.len().next_multiple_of(4).max(4), 0);
        let words: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
        match words[..] {
            [word] => MersenneTwister::from_word(word),
            // The uppermost word is a guard word that CRuby adds to a seed whose uppermost word would otherwise be 0.
            [ref words @ .., 1] => MersenneTwister::from_words(words),
            ref words => MersenneTwister::from_words(words),
        }
    }

    /// A seed from random words (`Random.new_seed` takes four from the system). It gives the same generator as
    /// [`MersenneTwister::from_words`]: a guard word preserves the number of words if the last is 0 or 1.
    pub fn seed_from_words(words: &[u32]) -> Integer {
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        if words.last().is_some_and(|&word| word <= 1) {
            bytes.append_slice(&1u32.to_le_bytes());
        }
        from_le_bytes(&bytes, false)
    }

    /// The published `init_genrand`.
    pub fn from_word(seed: u32) -> MersenneTwister {
        let mut state = Box::new([0; LENGTH]);
        state[0] = seed;
        for place in 1..LENGTH {
            let before: u32 = state[place - 1];
            state[place] = (before ^ before >> 30).wrapping_mul(1_812_433_253).wrapping_add(place as u32);
        }
        MersenneTwister { state, left: 1 }
    }

    /// The published `init_by_array`; the key must not be empty.
    pub fn from_words(key: &[u32]) -> MersenneTwister {
        let mut twister = MersenneTwister::from_word(19_650_218);
        let state = &mut twister.state;
        let mut place = 1;
        let mut step = |state: &mut [u32; LENGTH], factor: u32, add: &dyn Fn(usize) -> u32| {
            let before = state[place - 1];
            let mixed = state[place] ^ (before ^ before >> 30).wrapping_mul(factor);
            state[place] = mixed.wrapping_add(add(place));
            place += 1;
            if place == LENGTH {
                state[0] = state[LENGTH - 1];
                place = 1;
            }
        };
        for round in 0..LENGTH.max(key.len()) {
            let part = round % key.len();
            step(state, 1_664_525, &|_| key[part].wrapping_add(part as u32));
        }
        for _ in 1..LENGTH {
            step(state, 1_566_083_941, &|place| (place as u32).wrapping_neg());
        }
        state[0] = 1 << 31;
        twister
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self) {
        let state = &mut self.state;
        for place in 0..LENGTH {
            let joined = state[place] & 1 << 31 | state[(place + 1) % LENGTH] & !(1 << 31);
            let twist = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            state[place] = state[(place + MIDDLE) % LENGTH] ^ joined >> 1 ^ twist;
        }
        self.left = LENGTH;
    }

    pub fn save(&self) -> SavedState {
        let bytes: Vec<u8> = self.state.iter().flat_map(|word| word.to_le_bytes()).collect();
        SavedState { state: from_le_bytes(&bytes, false), left: self.left as i64 }
    }

    /// `None` for a state that none was saved as ("wrong value").
    pub fn restore(state: Int, left: i64) -> Option<MersenneTwister> {
        let left = usize::try_from(left).ok().filter(|left| (1..=LENGTH).contains(left))?;
        let bytes = to_le_bytes(state, LENGTH * 4);
        let mut words = Box::new([0; LENGTH]);
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<4>().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        Some(MersenneTwister { state: words, left })
    }
}

impl Source for MersenneTwister {
    #[inline]
    fn next_u32(&mut self) -> u32 {
        self.left -= 1;
        if self.left == 0 {
            self.refill();
        }
        let mut word = self.state[LENGTH - self.left];
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }
}

impl std::fmt::Debug for MersenneTwister {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("MersenneTwister").field("left", &self.left).finish_non_exhaustive()
    }
}
