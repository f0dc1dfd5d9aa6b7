//! Codes by character: two levels of arrays, of which only blocks that hold a code take memory.

use memory::Grow;

/// The characters of a block.
const BLOCK: usize = 64;
/// The code of characters without one.
const NONE: u32 = u32::MAX;

/// A map from characters to codes.
#[derive(Default)]
pub(super) struct CharMap {
    /// By character / BLOCK: the number of its block; block 0 is empty.
    blocks: Vec<u16>,
    codes: Vec<[u32; BLOCK]>,
}

impl CharMap {
    pub(super) fn insert(&mut self, char: char, code: u32) {
        let (block, at) = (char as usize / BLOCK, char as usize % BLOCK);
        if self.codes.is_empty() {
            self.codes.append_one([NONE; BLOCK]);
        }
        if block >= self.blocks.len() {
            self.blocks.set_length(block + 1, 0);
        }
        if self.blocks[block] == 0 {
            // All of Unicode has 17,408 blocks.
            self.blocks[block] = self.codes.len() as u16;
            self.codes.append_one([NONE; BLOCK]);
        }
        self.codes[usize::from(self.blocks[block])][at] = code;
    }

    #[inline]
    pub(super) fn get(&self, char: char) -> Option<u32> {
        let block = *self.blocks.get(char as usize / BLOCK)?;
        let code = self.codes[usize::from(block)][char as usize % BLOCK];
        (code != NONE).then_some(code)
    }
}

impl FromIterator<(char, u32)> for CharMap {
    fn from_iter<T: IntoIterator<Item = (char, u32)>>(codes: T) -> CharMap {
        let mut map = CharMap::default();
        codes.into_iter().for_each(|(char, code)| map.insert(char, code));
        map
    }
}
