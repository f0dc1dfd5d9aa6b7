//! Operations on Strings, Arrays, identity Hashes and attachments, chosen by the input bytes, with collections,
//! compactions and verification in between; each object is compared with a plain model.
#![no_main]

#[path = "../../crates/object/tests/world/mod.rs"]
mod world;

use abi::Value;
use libfuzzer_sys::fuzz_target;
use object::array::Arr;
use object::string::Str;
use object::{attachment, hash};
use world::{TestWorld, number_of, value_of};

const SLOTS: usize = 8;

#[derive(Clone, Debug)]
enum Model {
    Nothing,
    Bytes(Vec<u8>),
    Numbers(Vec<i64>),
    Pairs(Vec<(i64, i64)>),
}

struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn below(&mut self, end: usize) -> Option<usize> {
        let wide = usize::from(self.byte()?) << 8 | usize::from(self.byte()?);
        Some(wide % end.max(1))
    }
}

fuzz_target!(|data: &[u8]| {
    let base = 0u8;
    let mut world = TestWorld::small(SLOTS, &raw const base);
    let mut models = vec![Model::Nothing; SLOTS];
    let mut ids = vec![None; SLOTS];
    let mut input = Input(data);
    while step(&mut world, &mut models, &mut ids, &mut input).is_some() {}
    for slot in 0..SLOTS {
        check(&world, &models, slot);
    }
});

fn step(world: &mut TestWorld, models: &mut [Model], ids: &mut [Option<i64>], input: &mut Input) -> Option<()> {
    let (operation, slot) = (input.byte()? % 16, input.below(SLOTS)?);
    let old = world.roots.slots[slot];
    match operation {
        0 => {
            let bytes = vec![input.byte()?; input.below(3000)?];
            world.roots.slots[slot] = Str::new(world, &bytes, text_encoding()).ok()?.value();
            models[slot] = Model::Bytes(bytes);
            ids[slot] = None;
        }
        1 => {
            world.roots.slots[slot] = Arr::empty(world).value();
            models[slot] = Model::Numbers(Vec::new());
            ids[slot] = None;
        }
        2 => {
            world.roots.slots[slot] = hash::new_identity(world);
            models[slot] = Model::Pairs(Vec::new());
            ids[slot] = None;
        }
        3 => share(world, models, ids, slot, input)?,
        4..=9 => change(world, models, slot, input)?,
        10 if old.is_heap() => {
            let id = input.below(60_000)? as i64;
            attachment::set_id(world, old, Value::fixnum(id));
            ids[slot] = Some(id);
        }
        11 if old.is_heap() => {
            let finalizers = Arr::new(world, &[old]).ok()?.value();
            attachment::set_finalizers(world, old, finalizers);
        }
        12..=13 => world.minor(),
        14 => world.full(),
        _ => {
            world.compact();
        }
    }
    let v = world.roots.slots[slot];
    if let Some(id) = ids[slot] {
        assert_eq!(attachment::id(world, v), Value::fixnum(id));
    }
    check(world, models, slot);
    Some(())
}

fn text_encoding() -> text::EncodingId {
    text::EncodingId::BINARY
}

fn share(
    world: &mut TestWorld,
    models: &mut [Model],
    ids: &mut [Option<i64>],
    slot: usize,
    input: &mut Input,
) -> Option<()> {
    let from = input.below(SLOTS)?;
    let v = world.roots.slots[from];
    match models[from].clone() {
        Model::Bytes(bytes) => {
            let at = input.below(bytes.len() + 1)?;
            world.roots.slots[slot] = Str::of(v).slice(world, at, bytes.len() - at).ok()?.value();
            models[slot] = Model::Bytes(bytes[at..].to_vec());
        }
        Model::Numbers(numbers) => {
            world.roots.slots[slot] = Arr::of(v).dup(world).ok()?.value();
            models[slot] = Model::Numbers(numbers);
        }
        _ => return Some(()),
    }
    ids[slot] = None;
    Some(())
}

fn change(world: &mut TestWorld, models: &mut [Model], slot: usize, input: &mut Input) -> Option<()> {
    let v = world.roots.slots[slot];
    match &mut models[slot] {
        Model::Nothing => {}
        Model::Bytes(bytes) => {
            let more = vec![input.byte()?; input.below(500)?];
            Str::of(v).append(world, &more).ok()?;
            bytes.extend_from_slice(&more);
        }
        Model::Numbers(numbers) => {
            let n = input.below(1000)? as i64;
            let made = value_of(world, n);
            Arr::of(v).push(world, made).ok()?;
            numbers.push(n);
        }
        Model::Pairs(pairs) => {
            let (key, n) = (input.below(100)? as i64, input.below(1000)? as i64);
            let made = value_of(world, n);
            hash::identity_store(world, v, Value::fixnum(key), made);
            match pairs.iter_mut().find(|(k, _)| *k == key) {
                Some(pair) => pair.1 = n,
                None => pairs.push((key, n)),
            }
        }
    }
    Some(())
}

fn check(world: &TestWorld, models: &[Model], slot: usize) {
    let v = world.roots.slots[slot];
    match &models[slot] {
        Model::Nothing => {}
        Model::Bytes(bytes) => assert_eq!(Str::of(v).bytes(), &bytes[..]),
        Model::Numbers(numbers) => {
            let there: Vec<i64> = Arr::of(v).elements().iter().map(|v| number_of(*v)).collect();
            assert_eq!(&there, numbers);
        }
        Model::Pairs(pairs) => {
            let there: Vec<(i64, i64)> =
                hash::HashRef::of(v).entries().map(|(k, v)| (number_of(k), number_of(v))).collect();
            assert_eq!(&there, pairs);
        }
    }
}
