//! Size classes: every cell of a block has the size of one of these.

/// Cell sizes in bytes. Up to 1024 in fine steps for objects; above, a block divided by a small number.
pub const SIZES: [u16; COUNT] = [
    16, 24, 32, 40, 48, 56, 64, 72, 80, 96, 112, 128, 144, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896,
    1024, //
    1280, 1536, 1816, 2048, 2336, 2728, 3272, 4096, 4680, 5456, 6552, 8192, 9360, 10920, 13104, 16384, 21840, 32768,
];

pub const COUNT: usize = 43;

/// The largest cell; anything larger is a large object.
pub const MAX_CELL: usize = 32768;

const FINE_LIMIT: usize = 1024;

/// Class by size in units of 8 bytes, up to `FINE_LIMIT`.
static FINE: [u8; FINE_LIMIT / 8 + 1] = {
    let mut table = [0; FINE_LIMIT / 8 + 1];
    let mut i = 0;
    while i < table.len() {
        table[i] = smallest_holding(i * 8);
        i += 1;
    }
    table
};

/// Class by size in units of 256 bytes.
static COARSE: [u8; MAX_CELL / 256 + 1] = {
    let mut table = [0; MAX_CELL / 256 + 1];
    let mut i = 0;
    while i < table.len() {
        table[i] = smallest_holding(i * 256);
        i += 1;
    }
    table
};

const fn smallest_holding(size: usize) -> u8 {
    let mut class = 0;
    while (SIZES[class] as usize) < size {
        class += 1;
    }
    class as u8
}

/// The class of cells that hold `size` bytes; `size` is at most [`MAX_CELL`]. Constant-folds for a constant size.
#[inline(always)]
pub fn class_of(size: usize) -> usize {
    if size <= FINE_LIMIT {
        FINE[size.div_ceil(8)] as usize
    } else {
        // A size just above a multiple of 256 may fit the class that the rounding skips; at these class sizes the waste
        // is small.
        COARSE[size.div_ceil(256)] as usize
    }
}

/// The actual size of a cell or buffer allocated for `size` bytes: a hint for growth. `size` above [`MAX_CELL`] is
/// rounded to pages.
#[inline]
pub fn rounded_size(size: usize) -> usize {
    if size <= MAX_CELL { SIZES[class_of(size)] as usize } else { size.saturating_add(4095) & !4095 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_ascend_and_hold_the_requested_size() {
        assert!(SIZES.windows(2).all(|w| w[0] < w[1]));
        assert!(SIZES.iter().all(|s| s % 8 == 0));
        for size in 0..=MAX_CELL {
            let got = SIZES[class_of(size)] as usize;
            assert!(got >= size, "{size} in {got}");
            assert!(size < 16 || got <= size * 8 / 5 + 8, "{size} in {got}");
        }
    }
}
