//! Jaro and Jaro-Winkler similarity: 0 for nothing in common, 1 for equality.

/// Jaro similarity as `did_you_mean` computes it: matches may be half the longer text minus one apart.
pub fn jaro(first: &[char], second: &[char]) -> f64 {
    let (short, long) = if first.len() > second.len() { (second, first) } else { (first, second) };
    let range = if long.len() > 3 { long.len() / 2 - 1 } else { 0 };
    let (mut short_hit, mut long_hit) = (memory::filled(false, short.len()), memory::filled(false, long.len()));
    let mut matches = 0usize;
    for (at, char) in short.iter().enumerate() {
        let end = (at + range + 1).min(long.len());
        let found = (at.saturating_sub(range)..end).find(|&to| !long_hit[to] && long[to] == *char);
        if let Some(to) = found {
            short_hit[at] = true;
            long_hit[to] = true;
            matches += 1;
        }
    }
    if matches == 0 {
        return 0.0;
    }
    let hits = |text: &[char], hit: &[bool]| -> Vec<char> {
        text.iter().zip(hit).filter(|(_, hit)| **hit).map(|(char, _)| *char).collect()
    };
    let displaced =
        hits(short, &short_hit).iter().zip(hits(long, &long_hit)).filter(|(one, other)| **one != *other).count();
    let found = matches as f64;
    let transposed = (displaced / 2) as f64;
    (found / short.len() as f64 + found / long.len() as f64 + (found - transposed) / found) / 3.0
}

/// Jaro similarity, raised for up to four equal leading characters if it is above 0.7.
pub fn jaro_winkler(first: &[char], second: &[char]) -> f64 {
    let distance = jaro(first, second);
    if distance <= 0.7 {
        return distance;
    }
    let shared = first.iter().zip(second).take(4).take_while(|(one, other)| one == other).count();
    distance + shared as f64 * 0.1 * (1.0 - distance)
}
