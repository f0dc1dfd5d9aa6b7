//! Floats, big integers, Ranges and Structs: values survive collections.

mod world;

use abi::{ShapeId, Value};
use numeric::big::{self, Int, Integer};
use object::{Known, bigint, cell, float, range, structure};
use world::{TestWorld, number_of, value_of};

#[test]
fn floats_are_boxed_only_if_necessary() {
    let base = 0u64;
    let mut world = TestWorld::small(1, (&raw const base).cast());
    for f in [0.0, -0.0, 1.5, -1e300, 1e-300, f64::MAX, f64::MIN_POSITIVE, f64::INFINITY, f64::NAN] {
        let v = float::new(&mut world, f);
        world.full();
        assert!(float::is(v) && float::value(v).to_bits() == f.to_bits());
    }
    assert!(float::new(&mut world, 2.5).is_immediate());
    assert_eq!(float::get(Value::fixnum(1)), None);
}

#[test]
fn integers_keep_every_limb() {
    let base = 0u64;
    let mut world = TestWorld::small(1, (&raw const base).cast());
    for bits in [0, 10, 62, 63, 64, 65, 128, 1000, 127 * 64 - 1, 127 * 64, 128 * 64, 100_000, 3_000_000] {
        let n = big::shl(Int::Fix(3), Int::Fix(bits)).unwrap();
        for n in [n.clone(), big::neg(n.as_int())] {
            let v = bigint::integer(&mut world, n.clone()).unwrap();
            world.roots.slots[0] = v;
            world.full();
            world.minor();
            let operand = bigint::operand(&v).unwrap();
            assert!(big::eq(operand, n.as_int()), "{bits} bits");
            assert_eq!(v.is_fixnum(), matches!(n, Integer::Fix(_)));
        }
    }
    assert_eq!(bigint::from_i64(&mut world, i64::MIN).as_fixnum(), None);
    let v = bigint::from_i128(&mut world, i128::from(i64::MIN) - 1);
    assert!(bigint::is_negative(v) && bigint::parts(&v).limbs == [(1 << 63) + 1]);
    let v = bigint::from_i128(&mut world, -(1 << 100));
    assert!(bigint::is_negative(v) && bigint::parts(&v).limbs == [0, 1 << 36]);
    assert!(bigint::operand(&Value::NIL).is_none());
}

#[test]
fn ranges_hold_their_ends() {
    let base = 0u64;
    let mut world = TestWorld::small(1, (&raw const base).cast());
    let (a, b) = (value_of(&mut world, 3), value_of(&mut world, 6));
    let r = range::new(&mut world, a, b, true);
    world.roots.slots[0] = r;
    world.full();
    assert_eq!((number_of(range::begin(r)), number_of(range::end(r))), (3, 6));
    assert!(range::is_exclusive(r) && cell::frozen(r));
    assert_eq!(object::payload::cell_bytes(r), 24);
    let empty = range::allocate(&mut world);
    assert!(range::begin(empty).is_nil() && range::end(empty).is_nil() && !cell::frozen(empty));
    range::initialize(&mut world, empty, Value::NIL, a, false);
    assert_eq!((range::end(empty), range::is_exclusive(empty)), (a, false));
}

#[test]
fn structures_hold_embedded_and_buffered_members() {
    let base = 0u64;
    let mut world = TestWorld::small(2, (&raw const base).cast());
    let shape: ShapeId = Known::Struct.root_shape();
    for count in [0, 1, 3, 126, 127, 128, 1000, 10_000] {
        let s = structure::allocate(&mut world, shape, count).unwrap();
        world.roots.slots[0] = s;
        world.minor();
        for i in 0..count {
            let v = value_of(&mut world, i as i64);
            assert!(structure::set(&mut world, s, i, v));
        }
        assert!(!structure::set(&mut world, s, count, Value::TRUE));
        world.minor();
        let copy = structure::dup(&mut world, s).unwrap();
        world.roots.slots[1] = copy;
        world.full();
        assert!(structure::members(&copy).iter().enumerate().all(|(i, v)| number_of(*v) == i as i64));
        assert_eq!((structure::members(&s).len(), structure::get(s, count)), (count, None));
    }
    let three = structure::allocate(&mut world, shape, 3).unwrap();
    assert_eq!(structure::memory_size(&world, three), 32);
}
