//! `Random` against figures recorded from CRuby (the version is in the file).

use numeric::big::{self, Int, Integer, never};
use numeric::random::{self, MersenneTwister, Source};

const RECORDED: &str = include_str!("data/random.txt");

fn i(text: &str) -> Integer {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    big::parse_digits(digits.as_bytes(), 10, negative, &mut never).unwrap().unwrap()
}

fn seeded(text: &str) -> MersenneTwister {
    MersenneTwister::from_seed(i(text).as_int())
}

fn join<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(",")
}

fn floats(draw: impl Fn(&mut MersenneTwister) -> f64) -> String {
    let mut source = seeded("42");
    join((0..20).map(|_| format!("{:016x}", draw(&mut source).to_bits())))
}

fn answer(words: &[&str]) -> String {
    let number = |place: usize| words[place].parse::<usize>().unwrap();
    let mut source = seeded("42");
    match words[0] {
        "words" => {
            let mut source = seeded(words[1]);
            join((0..5).map(|_| source.next_u32()))
        }
        "late" => {
            let mut source = seeded(words[1]);
            (0..1305).for_each(|_| _ = source.next_u32());
            source.next_u32().to_string()
        }
        "real" => floats(|source| random::real(source, true)),
        "inclusive" => floats(|source| random::float_in_range(source, 0.0, 1.0, false).unwrap()),
        "scaled" => floats(|source| random::float(source, 2.5)),
        "huge" => floats(|source| random::float_in_range(source, -1e308, 1.5e308, false).unwrap()),
        "below" => {
            let max = i(words[1]);
            join((0..8).map(|_| {
                let drawn = random::integer_below(&mut source, max.as_int()).unwrap();
                big::to_s(drawn.as_int(), 10, &mut never).unwrap()
            }))
        }
        "bytes" => {
            let mut bytes = [0; 11];
            random::bytes(&mut source, &mut bytes);
            bytes.iter().map(|byte| format!("{byte:02x}")).collect()
        }
        "shuffle" => {
            let mut items: Vec<usize> = (0..number(1)).collect();
            random::shuffle(&mut items, &mut source);
            join(items)
        }
        "sample" => join(random::sample(number(1), number(2), &mut seeded(words[3]))),
        operation => panic!("{operation}"),
    }
}

#[test]
fn figures_are_cruby_s() {
    for line in RECORDED.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let (expected, call) = words.split_last().unwrap();
        assert_eq!(answer(call), *expected, "{}", call.join(" ").chars().take(60).collect::<String>());
    }
}

#[test]
fn a_saved_state_goes_on_where_it_was() {
    let mut source = seeded("7");
    (0..700).for_each(|_| _ = source.next_u32());
    let saved = source.save();
    let mut restored = MersenneTwister::restore(saved.state.as_int(), saved.left).unwrap();
    assert_eq!(source, restored);
    assert_eq!(source.next_u32(), restored.next_u32());
    assert!(MersenneTwister::restore(saved.state.as_int(), 0).is_none());
    assert!(MersenneTwister::restore(saved.state.as_int(), 625).is_none());
}

#[test]
fn empty_ranges_have_no_numbers() {
    let mut source = seeded("42");
    assert_eq!(random::integer_below(&mut source, Int::Fix(0)), None);
    assert_eq!(random::integer_below(&mut source, Int::Fix(-3)), None);
    assert_eq!(random::float_in_range(&mut source, 1.0, 0.0, false), None);
    assert_eq!(random::float_in_range(&mut source, 1.0, 1.0, true), None);
    assert_eq!(random::float_in_range(&mut source, 1.0, 1.0, false), Some(1.0));
}

#[test]
fn a_seed_from_words_is_those_words() {
    for words in [[1, 2, 3, 4], [1, 2, 3, 1], [1, 2, 3, 0], [0, 0, 0, 0]] {
        let seed = MersenneTwister::seed_from_words(&words);
        assert_eq!(MersenneTwister::from_seed(seed.as_int()), MersenneTwister::from_words(&words), "{words:?}");
    }
}
