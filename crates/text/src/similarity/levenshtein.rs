//! Levenshtein distance.

/// How many characters must be inserted, deleted or replaced to turn one text into the other.
pub fn levenshtein(first: &[char], second: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=second.len()).collect();
    for (at, char) in first.iter().enumerate() {
        let mut diagonal = at;
        row[0] = at + 1;
        for (to, other) in second.iter().enumerate() {
            let replaced = diagonal + usize::from(char != other);
            diagonal = row[to + 1];
            row[to + 1] = replaced.min(row[to] + 1).min(diagonal + 1);
        }
    }
    row[second.len()]
}
