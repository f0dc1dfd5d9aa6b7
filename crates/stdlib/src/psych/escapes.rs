//! Characters beyond U+FFFF in scalars: libyaml takes them for not printable and writes escapes, the port does not.
//!
//! The port gets a character of the private use area in their place, as often as the escape has columns, so that lines
//! end where libyaml ends them; the output gets the escapes.

use memory::Grow;

const MARK: char = '\u{f8ff}';

/// The columns of `\U0001F600`.
const COLUMNS: usize = 10;

/// The longest key that libyaml writes without a question mark, in bytes.
const LONGEST_KEY: usize = 128;

/// The marks that were passed to the port and are not in its output yet.
#[derive(Default)]
pub struct Escapes {
    /// What is marked, and with how many marks.
    pending: Vec<(char, usize)>,
    /// How many of them are written.
    written: usize,
    /// The marks of the last one that are still to come.
    rest: usize,
}

impl Escapes {
    /// The value with marks, and whether it must be in double quotes; `None` if it is written as it is.
    pub fn marked(&mut self, value: &str) -> Option<(String, bool)> {
        let is_high = |c: char| c > '\u{ffff}';
        let high = value.chars().filter(|c| is_high(*c)).count();
        if high == 0 && !value.contains(MARK) {
            return None;
        }
        // A key must not become too long by the marks.
        let length = value.len() + high * (COLUMNS * MARK.len_utf8() - 4);
        let marks = if value.len() > LONGEST_KEY || length <= LONGEST_KEY { COLUMNS } else { 1 };
        let mut marked = String::new();
        for c in value.chars() {
            let count = match c {
                MARK => 1,
                c if is_high(c) => marks,
                c => {
                    marked.append_one(c);
                    continue;
                }
            };
            self.pending.append_one((c, count));
            (0..count).for_each(|_| marked.append_one(MARK));
        }
        Some((marked, high > 0))
    }

    /// How many were marked, for [`Escapes::forget`].
    pub fn count(&self) -> usize {
        self.pending.len()
    }

    /// Forgets those that were marked for an event that was refused.
    pub fn forget(&mut self, count: usize) {
        self.pending.truncate(count);
    }

    /// A piece of output with escapes in place of the marks.
    pub fn restored(&mut self, output: Vec<u8>) -> Vec<u8> {
        if self.written == self.pending.len() && self.rest == 0 {
            return output;
        }
        let Ok(text) = std::str::from_utf8(&output) else { return output };
        let mut restored = String::new();
        for c in text.chars() {
            if c != MARK {
                restored.append_one(c);
            } else if self.rest > 0 {
                self.rest -= 1;
            } else if let Some((original, count)) = self.pending.get(self.written).copied() {
                self.written += 1;
                self.rest = count - 1;
                match original {
                    MARK => restored.append_one(MARK),
                    _ => memory::append_text(&mut restored, &format!("\\U{:08X}", u32::from(original))),
                }
            }
        }
        if self.written == self.pending.len() {
            (self.pending, self.written) = (Vec::new(), 0);
        }
        restored.into_bytes()
    }
}
