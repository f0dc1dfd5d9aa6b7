//! `Array#shuffle` and `Array#sample`: the order of indices.

use super::{Source, up_to};
use std::collections::HashMap;

/// `shuffle!`, from the last place down.
pub fn shuffle<T>(items: &mut [T], source: &mut impl Source) {
    for place in (1..items.len()).rev() {
        items.swap(place, up_to(source, place as u64) as usize);
    }
}

/// `sample(count)`: that many different indices below `length`, in the order of the result; all of them if there are no
/// more. (`sample` without a count is [`up_to`] of `length - 1`, drawn only if there are two or more.)
pub fn sample(length: usize, count: usize, source: &mut impl Source) -> Vec<usize> {
    let count = count.min(length);
    match count {
        0..=3 => few(length, count, source),
        4..=10 => some(length, count, source),
        _ if count <= remembered_limit(length) / 2 => by_recorded_exchanges(length, count, source),
        _ => {
            let mut places = memory::collect(0..length);
            for place in 0..count {
                places.swap(place, place + draw(length - place, source));
            }
            places.truncate(count);
            places
        }
    }
}

fn draw(choices: usize, source: &mut impl Source) -> usize {
    up_to(source, choices as u64 - 1) as usize
}

fn few(length: usize, count: usize, source: &mut impl Source) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).map(|drawn| draw(length - drawn, source)).collect();
    if let [first, second, ..] = places[..] {
        places[1] += usize::from(second >= first);
        let (low, high) = if second >= first { (first, second + 1) } else { (second, first) };
        if let Some(third) = places.get_mut(2)
            && *third >= low
        {
            *third += 1;
            *third += usize::from(*third >= high);
        }
    }
    places
}

/// Each draw is an index into the remaining places, in ascending order.
fn some(length: usize, count: usize, source: &mut impl Source) -> Vec<usize> {
    let draws: Vec<usize> = (0..count).map(|drawn| draw(length - drawn, source)).collect();
    let mut taken: Vec<usize> = memory::with_capacity(count);
    let mut places = memory::with_capacity(count);
    for mut place in draws {
        let mut rank = 0;
        while rank < taken.len() && place >= taken[rank] {
            place += 1;
            rank += 1;
        }
        taken.insert(rank, place);
        places.push(place);
    }
    places
}

/// The count from which on CRuby copies the array instead of recording single exchanges.
fn remembered_limit(length: usize) -> usize {
    match length {
        0..2560 => length / 128,
        2560..5120 => length / 64,
        5120..10240 => length / 32,
        _ => length / 16,
    }
}

/// The exchanges of a shuffle from the front, recorded by index.
fn by_recorded_exchanges(length: usize, count: usize, source: &mut impl Source) -> Vec<usize> {
    let draws: Vec<usize> = (0..count).map(|place| place + draw(length - place, source)).collect();
    let mut exchanged: HashMap<usize, usize> = HashMap::with_capacity(count);
    let mut places = memory::with_capacity(count);
    for (place, drawn) in draws.into_iter().enumerate() {
        let here = exchanged.get(&place).copied().unwrap_or(place);
        places.push(exchanged.get(&drawn).copied().unwrap_or(drawn));
        exchanged.insert(drawn, here);
    }
    places
}
