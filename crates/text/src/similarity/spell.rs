//! Choosing the names that a misspelt name may stand for.

use super::{jaro_winkler, levenshtein};

/// The indices of the names in `dictionary` that `input` may stand for, the most likely first: names with similar
/// letters, then names a few typing mistakes apart, otherwise the most similar one. `@` and case are ignored.
pub fn suggestions(dictionary: &[&str], input: &str) -> Vec<usize> {
    let normalize =
        |name: &str| -> Vec<char> { name.chars().filter(|char| *char != '@').flat_map(char::to_lowercase).collect() };
    let wanted = normalize(input);
    let threshold = if wanted.len() > 3 { 0.834 } else { 0.77 };
    let mut near: Vec<(f64, usize)> = dictionary
        .iter()
        .enumerate()
        .filter(|(_, name)| jaro_winkler(&normalize(name), &wanted) >= threshold)
        .filter(|(_, name)| **name != input)
        .map(|(index, name)| (jaro_winkler(&name.chars().collect::<Vec<_>>(), &wanted), index))
        .collect();
    near.sort_by(|one, other| one.0.total_cmp(&other.0));
    near.reverse();
    let distance = |index: usize| levenshtein(&normalize(dictionary[index]), &wanted);
    let most = wanted.len().div_ceil(4);
    let mistyped: Vec<usize> = near.iter().map(|(_, index)| *index).filter(|&index| distance(index) <= most).collect();
    if !mistyped.is_empty() {
        return mistyped;
    }
    let misspelt = near
        .iter()
        .map(|(_, index)| *index)
        .find(|&index| distance(index) < wanted.len().min(normalize(dictionary[index]).len()));
    misspelt.into_iter().collect()
}
