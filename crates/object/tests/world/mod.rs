//! A world for tests: a small heap that collects often and verifies itself, roots to keep what is being tested, random
//! numbers.
#![allow(dead_code)]

use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use abi::Value;
use heap::{Cause, Heap, Marker, Mutator, Options, Request, Trace};
use object::hash::{Error, Keys};
use object::{Mem, World, bigint};

/// The values that the test keeps alive; they are traced exactly.
pub struct Roots {
    pub slots: Vec<Value>,
    world: *mut World,
}

fn mark(data: *mut (), marker: &mut Marker) {
    // SAFETY: `data` is the `Roots` that `TestWorld` keeps in place; so is its world.
    let (roots, world) = unsafe {
        let roots = &mut *data.cast::<Roots>();
        (&mut roots.slots, &mut *roots.world)
    };
    for slot in roots {
        // SAFETY: the slot is where the value lives.
        unsafe { marker.slot(slot) };
    }
    world.symbols.trace(marker);
    world.classes.trace(marker);
    world.recent_caches.begin_collection(marker);
    world.recent_refined.begin_collection();
    world.recent_supers.begin_collection();
}

pub struct TestWorld {
    // Dropped in this order.
    mem: Box<Mem>,
    pub roots: Box<Roots>,
    _world: Box<World>,
    _heap: Heap,
}

impl Deref for TestWorld {
    type Target = Mem;
    fn deref(&self) -> &Mem {
        &self.mem
    }
}

impl DerefMut for TestWorld {
    fn deref_mut(&mut self) -> &mut Mem {
        &mut self.mem
    }
}

impl TestWorld {
    /// `stack_base` is the address of a local of the test, above the frames of everything that the test calls.
    pub fn new(slots: usize, options: Options, stack_base: *const u8) -> TestWorld {
        let heap = Heap::new(&object::types::TYPES, options).expect("address space");
        let mut world = Box::new(World {
            shapes: object::shape::ShapeTable::new(),
            symbols: Default::default(),
            interned: Default::default(),
            classes: object::class::Classes::empty(),
            hash_seed: (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210),
            seed_of_bytes: text::keyed_hash::Seed::new(0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210),
            last_object_id: 0,
            constant_watches: Default::default(),
            reliance: Default::default(),
            recent_methods: Default::default(),
            recent_caches: Default::default(),
            recent_refined: Default::default(),
            refined_names: Default::default(),
            recent_supers: Default::default(),
            recent_kinds: Default::default(),
            looked_up: Default::default(),
            weak_maps: Default::default(),
        });
        let pointer: *mut World = &mut *world;
        let mut roots = Box::new(Roots { slots: vec![Value::NIL; slots], world: pointer });
        // SAFETY: everything stays in its box as long as the heap is used.
        let mem = unsafe {
            heap.set_roots(mark, (&raw mut *roots).cast());
            heap.set_shape_classes(world.shapes.shape_classes());
            heap.add_weak_table(NonNull::from(&mut world.shapes));
            heap.add_weak_table(NonNull::from(&mut world.interned));
            heap.add_weak_table(NonNull::from(&mut world.symbols));
            let mut mem = Box::new(Mem::new(Mutator::new(&heap), pointer));
            mem.attach(stack_base);
            mem
        };
        TestWorld { mem, roots, _world: world, _heap: heap }
    }

    /// A heap with a small young space that verifies itself.
    pub fn small(slots: usize, stack_base: *const u8) -> TestWorld {
        let options = Options {
            region_bytes: 1 << 30,
            young_bytes: 64 << 10,
            step_words: 64,
            verify: true,
            ..Options::default()
        };
        TestWorld::new(slots, options, stack_base)
    }

    /// A collection at every allocation.
    pub fn stressed(slots: usize, stack_base: *const u8) -> TestWorld {
        let options = Options { region_bytes: 1 << 30, stress_interval: 1, ..Options::default() };
        TestWorld::new(slots, options, stack_base)
    }

    pub fn minor(&mut self) {
        self.mem.collect(Request::minor(Cause::Method));
    }

    pub fn full(&mut self) {
        self.mem.collect(Request::full(Cause::Method));
    }

    /// Collects occasionally.
    pub fn collect_sometimes(&mut self, random: &mut Random) {
        match random.below(60) {
            0 => self.full(),
            1..4 => self.minor(),
            4 if random.below(4) == 0 => {
                self.mem.compact();
            }
            _ => {}
        }
    }
}

/// xorshift64*: the same numbers on every run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() >> 11) as usize % end.max(1)
    }

    /// A random size: mostly small, sometimes up to `most`.
    pub fn size(&mut self, most: usize) -> usize {
        let shift = self.below(usize::BITS as usize - most.leading_zeros() as usize + 1);
        self.below((most >> shift) + 1)
    }
}

/// A value that represents a number: an immediate or a cell.
pub fn value_of(cx: &mut Mem, n: i64) -> Value {
    if n % 3 == 0 { bigint::from_u64(cx, u64::MAX - n as u64) } else { Value::fixnum(n) }
}

pub fn number_of(v: Value) -> i64 {
    match v.as_fixnum() {
        Some(n) => n,
        None if v.is_nil() => -1,
        None => (u64::MAX - bigint::parts(&v).limbs[0]) as i64,
    }
}

/// A context in which keys other than the built-in ones are Arrays of one number: equal by number, with few different
/// hash values.
pub struct ArrayKeys<'a> {
    pub world: &'a mut TestWorld,
    /// Side effects of `hash` and `eql?`: they simulate a program's own methods.
    pub meddle: Option<fn(&mut ArrayKeys)>,
    pub random: Random,
    pub calls: usize,
}

impl<'a> ArrayKeys<'a> {
    pub fn new(world: &'a mut TestWorld) -> ArrayKeys<'a> {
        ArrayKeys { world, meddle: None, random: Random::new(77), calls: 0 }
    }

    fn number(v: Value) -> Option<i64> {
        object::array::Arr::from_value(v).and_then(|a| a.get(0)).map(number_of)
    }
}

impl Deref for ArrayKeys<'_> {
    type Target = Mem;
    fn deref(&self) -> &Mem {
        self.world
    }
}

impl DerefMut for ArrayKeys<'_> {
    fn deref_mut(&mut self) -> &mut Mem {
        self.world
    }
}

impl Keys for ArrayKeys<'_> {
    type Error = Error;

    fn hash_key(&mut self, key: Value) -> Result<u64, Error> {
        self.calls += 1;
        if let Some(meddle) = self.meddle.take() {
            meddle(self);
            self.meddle = Some(meddle);
        }
        Ok(ArrayKeys::number(key).unwrap_or(0) as u64 / 4)
    }

    fn equal_keys(&mut self, a: Value, b: Value) -> Result<bool, Error> {
        self.calls += 1;
        if let Some(meddle) = self.meddle.take() {
            meddle(self);
            self.meddle = Some(meddle);
        }
        Ok(ArrayKeys::number(a).is_some() && ArrayKeys::number(a) == ArrayKeys::number(b))
    }
}
