//! Strings against byte vectors, through random operations with sharing and collections in between.

mod world;

use abi::Value;
use object::string::{Representation, Str, intern};
use text::{CodeRange, EncodingId};
use world::{Random, TestWorld};

const SLOTS: usize = 6;

fn random_bytes(random: &mut Random, len: usize) -> Vec<u8> {
    match random.below(4) {
        0 => (0..len).map(|_| random.next() as u8).collect(),
        1 => "añb日c".bytes().cycle().take(len).collect(),
        _ => (0..len).map(|_| b'a' + random.below(26) as u8).collect(),
    }
}

fn random_part(random: &mut Random, len: usize) -> (usize, usize) {
    let at = random.below(len + 1);
    let part = match random.below(3) {
        0 => len - at,
        1 => random.size(len - at),
        _ => random.below(len - at + 1),
    };
    (at, part)
}

fn check(string: Str, model: &[u8], after: &str) {
    assert_eq!(string.to_vector(), *model, "after {after}");
    let known = string.known_code_range();
    if known != CodeRange::Unknown {
        assert_eq!(known, text::scan::code_range(string.encoding(), model), "code range after {after}");
    }
}

fn run(world: &mut TestWorld, seed: u64, steps: usize, longest: usize) {
    let mut random = Random::new(seed);
    let mut models: Vec<Vec<u8>> = vec![Vec::new(); SLOTS];
    for slot in 0..SLOTS {
        let string = Str::empty(world, EncodingId::UTF_8);
        world.roots.slots[slot] = string.value();
    }
    for step in 0..steps {
        let (a, b) = (random.below(SLOTS), random.below(SLOTS));
        let (mut string, other) = (Str::of(world.roots.slots[a]), Str::of(world.roots.slots[b]));
        if random.below(3) == 0 {
            string.code_range();
        }
        let len = models[a].len();
        let name = change(world, &mut random, &mut models, (a, b), (&mut string, other), longest);
        if models[a].len() > longest {
            string.truncate(world, longest / 2);
            models[a].truncate(longest / 2);
        }
        world.collect_sometimes(&mut random);
        check(Str::of(world.roots.slots[a]), &models[a], &format!("{name} of {len} bytes, step {step}, seed {seed}"));
        if step % 16 == 0 {
            for (slot, model) in models.iter().enumerate() {
                let after = format!("{name}, step {step}, seed {seed}, slot {slot}");
                check(Str::of(world.roots.slots[slot]), model, &after);
            }
        }
    }
}

fn change(
    world: &mut TestWorld,
    random: &mut Random,
    models: &mut [Vec<u8>],
    (a, b): (usize, usize),
    (string, other): (&mut Str, Str),
    longest: usize,
) -> &'static str {
    let len = models[a].len();
    match random.below(17) {
        0 => {
            let bytes = {
                let len = random.size(longest);
                random_bytes(random, len)
            };
            world.roots.slots[a] = Str::new(world, &bytes, EncodingId::UTF_8).unwrap().value();
            models[a] = bytes;
            "new"
        }
        1 => {
            world.roots.slots[a] = other.dup(world).value();
            models[a] = models[b].clone();
            "dup"
        }
        2 | 3 => {
            let (at, part) = random_part(random, models[b].len());
            world.roots.slots[a] = other.slice(world, at, part).unwrap().value();
            models[a] = models[b][at..at + part].to_vec();
            "slice"
        }
        4 | 5 => {
            let bytes = {
                let len = random.size(100);
                random_bytes(random, len)
            };
            string.append(world, &bytes).unwrap();
            models[a].extend(bytes);
            "append"
        }
        6 => {
            string.append_str(world, other).unwrap();
            let bytes = models[b].clone();
            models[a].extend(bytes);
            "append of another"
        }
        7 | 8 => {
            let (at, part) = random_part(random, len);
            let bytes = {
                let len = random.size(100);
                random_bytes(random, len)
            };
            string.splice(world, at, part, &bytes).unwrap();
            models[a].splice(at..at + part, bytes);
            "splice"
        }
        9 => {
            let (at, part) = random_part(random, len);
            let (from, count) = random_part(random, models[b].len());
            // SAFETY: the Strings are roots of the test, and the slice is not used after the change.
            string.splice(world, at, part, unsafe { &other.unguarded()[from..from + count] }).unwrap();
            let with = models[b][from..from + count].to_vec();
            models[a].splice(at..at + part, with);
            "splice of another's part"
        }
        10 => {
            let (at, part) = random_part(random, len);
            string.splice(world, at, part, &[]).unwrap();
            models[a].drain(at..at + part);
            "deletion"
        }
        11 => {
            let part = random.below(len + 1);
            string.splice(world, 0, part, &[]).unwrap();
            models[a].drain(..part);
            "deletion at the front"
        }
        12 => {
            let part = random.below(len + 1);
            string.truncate(world, part);
            models[a].truncate(part);
            "truncate"
        }
        13 => {
            let bytes = string.bytes_mut(world).unwrap();
            bytes.reverse();
            models[a].reverse();
            "bytes_mut"
        }
        14 => {
            string.replace(world, other).unwrap();
            models[a] = models[b].clone();
            "replace"
        }
        15 => {
            let (at, part) = random_part(random, models[b].len());
            // SAFETY: the Strings are roots of the test, and the slice is not used after the change.
            string.set_bytes(world, unsafe { &other.unguarded()[at..at + part] }).unwrap();
            models[a] = models[b][at..at + part].to_vec();
            "set_bytes"
        }
        _ => {
            if random.below(4) == 0 {
                string.clear(world);
                models[a].clear();
            } else {
                string.reserve(world, random.size(longest)).unwrap();
            }
            "clear or reserve"
        }
    }
}

#[test]
fn short_ones_behave_as_byte_vectors() {
    let base = 0u64;
    let mut world = TestWorld::small(SLOTS, (&raw const base).cast());
    for seed in 0..30 {
        run(&mut world, seed, 1000, 400);
    }
}

#[test]
fn long_ones_behave_as_byte_vectors() {
    let base = 0u64;
    let mut world = TestWorld::small(SLOTS, (&raw const base).cast());
    for seed in 100..110 {
        run(&mut world, seed, 600, 200_000);
    }
}

#[test]
fn a_collection_at_every_allocation_changes_nothing() {
    let base = 0u64;
    let mut world = TestWorld::stressed(SLOTS, (&raw const base).cast());
    for seed in 200..203 {
        run(&mut world, seed, 300, 2000);
    }
}

#[test]
fn slices_of_long_strings_take_no_bytes_of_their_own() {
    let base = 0u64;
    let mut world = TestWorld::small(4, (&raw const base).cast());
    let cx = &mut *world;
    let string = Str::new(cx, &[b'x'; 9000], EncodingId::UTF_8).unwrap();
    assert!((9000..9200 + 200).contains(&string.memory_size(cx)), "{}", string.memory_size(cx));
    for slice in [string.slice(cx, 30, 8970), string.slice(cx, 15, 8970), string.slice(cx, 0, 8000)] {
        assert_eq!(slice.unwrap().memory_size(cx), 32);
    }
    assert_eq!(string.dup(cx).memory_size(cx), 32);
    assert_eq!(string.representation(), Representation::Lent);
    let short = string.slice(cx, 10, 64).unwrap();
    assert!(short.is_embedded());
    let middle = string.slice(cx, 100, 8000).unwrap();
    middle.append(cx, b"!").unwrap();
    assert_eq!((middle.len(), string.len(), middle.representation()), (8001, 9000, Representation::Owned));
}

#[test]
fn a_parser_cutting_pieces_off_a_growing_buffer_does_not_copy_the_rest() {
    let base = 0u64;
    let mut world = TestWorld::small(4, (&raw const base).cast());
    let cx = &mut *world;
    let input = Str::empty(cx, EncodingId::BINARY);
    input.append(cx, &[b'-'; 5000]).unwrap();
    let _piece = input.slice(cx, 0, 1000).unwrap();
    input.splice(cx, 0, 1000, &[]).unwrap();
    assert_eq!(input.representation(), Representation::Lent);
    let before = input.bytes(cx).as_ptr();
    input.append(cx, b"more").unwrap();
    assert_eq!(input.bytes(cx).as_ptr(), before);
}

#[test]
fn smallest_cells_match_the_diagram() {
    let base = 0u64;
    let mut world = TestWorld::small(4, (&raw const base).cast());
    let cx = &mut *world;
    assert_eq!(Str::empty(cx, EncodingId::UTF_8).memory_size(cx), 32);
    for (len, size) in [(1, 16), (8, 16), (9, 24), (16, 24), (24, 32), (30, 40)] {
        assert_eq!(Str::new(cx, &vec![b'x'; len], EncodingId::UTF_8).unwrap().memory_size(cx), size, "{len} bytes");
    }
    assert_eq!(Str::frozen(cx, b"", EncodingId::UTF_8, CodeRange::SevenBit).unwrap().memory_size(cx), 16);
}

#[test]
fn a_string_outgrows_a_cell_too_small_for_three_words_and_returns() {
    let base = 0u64;
    let mut world = TestWorld::small(4, (&raw const base).cast());
    let cx = &mut *world;
    let string = Str::new(cx, b"short", EncodingId::UTF_8).unwrap();
    string.append(cx, &[b'x'; 100]).unwrap();
    assert_eq!((string.len(), string.representation()), (105, Representation::Owned));
    let copy = string.dup(cx);
    string.splice(cx, 0, 5, b"longer than before").unwrap();
    assert_eq!(copy.bytes(cx)[..8], *b"shortxxx");
    assert_eq!(string.len(), 118);
    string.set_bytes(cx, b"again").unwrap();
    string.clear(cx);
    assert_eq!((string.memory_size(cx), string.representation()), (16, Representation::Embedded));
}

#[test]
fn equal_interned_strings_are_one_object_and_die_without_references() {
    let base = 0u64;
    let mut world = TestWorld::small(4, (&raw const base).cast());
    let before = world.world().interned.len();
    let first = intern::intern(&mut world, b"one and the same", EncodingId::UTF_8).unwrap();
    world.roots.slots[0] = first.value();
    let again = intern::intern(&mut world, b"one and the same", EncodingId::UTF_8).unwrap();
    let binary = intern::intern(&mut world, b"one and the same", EncodingId::BINARY).unwrap();
    assert_eq!(first, again);
    assert_ne!(first, binary);
    let fresh = Str::new(&mut world, b"one and the same", EncodingId::UTF_8).unwrap();
    assert_eq!(intern::intern_string(&mut world, fresh).unwrap(), first);
    for i in 0..20_000 {
        intern::intern(&mut world, format!("number {i}").as_bytes(), EncodingId::UTF_8).unwrap();
    }
    world.full();
    world.full();
    let left = world.world().interned.len() - before;
    assert!((1..50).contains(&left), "{left} are left");
    assert_eq!(intern::intern(&mut world, b"one and the same", EncodingId::UTF_8).unwrap(), first);
}

/// The heap verifies itself after each collection, including the weak tables.
#[test]
fn no_dead_interned_string_is_left_by_a_full_collection_in_one_stop() {
    let base = 0u64;
    let mut world = TestWorld::small(4, (&raw const base).cast());
    for i in 0..100 {
        intern::intern(&mut world, format!("number {i}").as_bytes(), EncodingId::UTF_8).unwrap();
    }
    world.full();
}

#[test]
fn equality_depends_on_encodings() {
    let base = 0u64;
    let mut world = TestWorld::small(4, (&raw const base).cast());
    let cx = &mut *world;
    let make = |cx: &mut object::Mem, bytes: &[u8], encoding| Str::new(cx, bytes, encoding).unwrap();
    let (utf8, binary) = (make(cx, b"abc", EncodingId::UTF_8), make(cx, b"abc", EncodingId::BINARY));
    assert!(utf8.equal(binary) && utf8.hash(cx) == binary.hash(cx));
    let (utf8, binary) = (make(cx, "ä".as_bytes(), EncodingId::UTF_8), make(cx, "ä".as_bytes(), EncodingId::BINARY));
    assert!(!utf8.equal(binary));
    let (utf8, utf16) = (make(cx, b"ab", EncodingId::UTF_8), make(cx, b"ab", EncodingId::UTF_16LE));
    assert!(!utf8.equal(utf16));
    assert!(make(cx, b"", EncodingId::UTF_8).equal(make(cx, b"", EncodingId::UTF_16LE)));
}

#[test]
fn joining_determines_the_encoding() {
    use object::string::JoinError;
    let base = 0u64;
    let mut world = TestWorld::small(4, (&raw const base).cast());
    let cx = &mut *world;
    let make = |cx: &mut object::Mem, bytes: &[u8], encoding| Str::new(cx, bytes, encoding).unwrap();
    let (ascii, utf8) = (make(cx, b"abc", EncodingId::US_ASCII), make(cx, "ä".as_bytes(), EncodingId::UTF_8));
    let binary = make(cx, b"\xff", EncodingId::BINARY);
    assert_eq!(ascii.plus(cx, utf8).unwrap().encoding(), EncodingId::UTF_8);
    assert_eq!(ascii.plus(cx, utf8).unwrap().code_range(), CodeRange::Valid);
    assert_eq!(utf8.plus(cx, binary), Err(JoinError::Incompatible(EncodingId::UTF_8, EncodingId::BINARY)));
    let growing = make(cx, b"", EncodingId::US_ASCII);
    growing.concat(cx, ascii).unwrap();
    assert_eq!((growing.encoding(), &growing.to_vector()[..]), (EncodingId::US_ASCII, &b"abc"[..]));
    growing.concat(cx, utf8).unwrap();
    assert_eq!((growing.encoding(), &growing.to_vector()[..]), (EncodingId::UTF_8, "abcä".as_bytes()));
    assert_eq!(growing.concat(cx, binary), Err(JoinError::Incompatible(EncodingId::UTF_8, EncodingId::BINARY)));
    let parts = [ascii.value(), utf8.value(), growing.value()];
    let mut joined = |parts: &[Value]| {
        let joined = Str::interpolated(cx, parts)?.unwrap();
        Some((joined.to_vector(), joined.encoding(), joined.known_code_range()))
    };
    let both = ("abcäabcä".as_bytes().to_vec(), EncodingId::UTF_8, CodeRange::Valid);
    assert_eq!(joined(&parts), Some(both));
    assert_eq!(joined(&[ascii.value(), ascii.value()]).unwrap().2, CodeRange::SevenBit);
    assert_eq!(joined(&[ascii.value(), binary.value()]).unwrap().1, EncodingId::BINARY);
    assert_eq!(joined(&[utf8.value(), binary.value()]), None);
    let broken = make(cx, b"\xe4", EncodingId::US_ASCII);
    assert!(Str::interpolated(cx, &[broken.value(), utf8.value()]).is_none());
    growing.concat(cx, growing).unwrap();
    assert_eq!(growing.to_vector(), "abcäabcä".as_bytes());
}

#[test]
fn code_ranges_are_cached() {
    let base = 0u64;
    let mut world = TestWorld::small(4, (&raw const base).cast());
    let cx = &mut *world;
    let scanned = |cx: &mut object::Mem, text: &str| {
        let string = Str::text(cx, text).unwrap();
        string.code_range();
        string
    };
    let known = |string: Str| {
        let range = string.known_code_range();
        assert_eq!(
            range,
            text::scan::code_range(string.encoding(), &string.to_vector()),
            "of {:?}",
            &string.to_vector()
        );
    };
    for start in ["plain", "na\u{ef}f \u{e9}t\u{e9}", "\u{e9}"] {
        for part in ["more", "m\u{f6}re", ""] {
            let unknown = Str::text(cx, part).unwrap();
            let string = scanned(cx, start);
            string.append(cx, part.as_bytes()).unwrap();
            known(string);
            string.concat(cx, unknown).unwrap();
            unknown.set_code_range(CodeRange::Unknown);
            known(string);
            let len = string.len();
            string.splice(cx, len, 0, part.as_bytes()).unwrap();
            known(string);
            string.splice(cx, 0, 0, part.as_bytes()).unwrap();
            known(string);
            let long = scanned(cx, &start.repeat(9));
            known(long.plus(cx, unknown).unwrap());
            let long = scanned(cx, &start.repeat(99));
            known(long.slice(cx, 0, start.len() * 40).unwrap());
            long.splice(cx, 0, start.len(), &[]).unwrap();
            known(long);
            long.truncate(cx, start.len() * 20);
            known(long);
        }
    }
    let bytes = Str::new(cx, b"\xff\xfe", EncodingId::BINARY).unwrap();
    bytes.code_range();
    bytes.append(cx, b"\x80a").unwrap();
    known(bytes);
}

#[test]
fn repeating_doubles_what_is_there() {
    let base = 0u64;
    let mut world = TestWorld::small(4, (&raw const base).cast());
    let cx = &mut *world;
    for (part, times) in [("", 5), ("x", 0), ("x", 1000), ("abc", 1), ("abc", 7), ("añb日", 333)] {
        let string = Str::text(cx, part).unwrap();
        string.code_range();
        let repeated = string.repeated(cx, times).unwrap();
        check(repeated, part.repeat(times).as_bytes(), "repeating");
    }
    let string = Str::text(cx, "ab").unwrap();
    assert_eq!(string.repeated(cx, 1 << 63), Err(object::payload::Exhausted::TooBig));
    assert_eq!(string.repeated(cx, 1 << 60), Err(object::payload::Exhausted::OutOfMemory));
}
