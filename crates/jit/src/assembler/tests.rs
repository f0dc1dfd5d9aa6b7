//! Functions of the intermediate representation, run as machine code on the processor of the test.
//!
//! They get a pointer as the word where code is entered, which is the third parameter of C's convention, and return two
//! words as C's functions do. They use no pinned words.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use abi::{Frame, RuntimeCall};

use crate::{
    backend,
    ir::{Binary, Checked, Condition, FloatBinary, FloatCondition, Function, Origin},
    memory::{Process, Store},
    seam::{Emitter, Ssa},
};

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
struct Results {
    first: u64,
    second: u64,
}

/// What the operators must compute.
type OfIntegers = fn(i64, i64) -> Option<i64>;
type OfDoubles = fn(f64, f64) -> f64;
type OfTwo = fn(&f64, &f64) -> bool;

/// The memory of all functions: a mapping is kept as long as the process.
static STORE: Mutex<Option<Store>> = Mutex::new(None);

/// The address of a function's machine code.
struct Made(usize);

impl Made {
    fn new(function: &Function) -> Made {
        let mut store = STORE.lock().unwrap_or_else(PoisonError::into_inner);
        let store = store.get_or_insert_with(|| Store::new(64 << 20));
        let memory = store.mapped(Process::default());
        let mut assembled = backend::assemble(function, 0, memory).unwrap();
        Made(store.add(Process::default(), &mut assembled).unwrap())
    }

    fn run<T>(&self, words: &mut [T]) -> Results {
        const { assert!(size_of::<T>() == 8) };
        // SAFETY: the machine code is that of a function of these tests, which reads and writes only these words.
        let code: unsafe extern "C" fn(u64, u64, *mut T) -> Results = unsafe { std::mem::transmute(self.0) };
        // Compiled code may change registers that C's functions preserve only if they are pinned. SAFETY: as above.
        unsafe { code(0, 0, words.as_mut_ptr()) }
    }
}

static UNUSED: AtomicU64 = AtomicU64::new(0);

/// A function that returns what the body makes of the pointer.
fn function(body: impl FnOnce(&mut Emitter, Ssa) -> [Ssa; 2]) -> Function {
    let mut e = Emitter::new();
    let (start, words) = e.join();
    e.at(start);
    // The word where code is entered is not read by the first operation.
    let (zero, unused) = (e.constant(0), e.constant(UNUSED.as_ptr() as u64));
    e.store(zero, unused, 0);
    let [first, second] = body(&mut e, words);
    e.leave(first, second);
    e.function
}

fn make(body: impl FnOnce(&mut Emitter, Ssa) -> [Ssa; 2]) -> Made {
    Made::new(&function(body))
}

const WORDS: [u64; 30] = [
    0,
    1,
    2,
    3,
    4,
    7,
    63,
    64,
    255,
    0xfff,
    0x1000,
    0x1001,
    0xffff,
    0x1_0000,
    0xff_f000,
    0x100_0000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0001,
    0xff00_ff00_ff00_ff00,
    0x5555_5555_5555_5555,
    0x1234_5678_9abc_def0,
    i64::MAX as u64,
    i64::MIN as u64,
    u64::MAX,
    -4095i64 as u64,
    -4096i64 as u64,
    -4097i64 as u64,
    i32::MIN as u64,
];

/// Runs a function of two words with both in memory, and with each of them as a constant.
fn check(
    operator: impl Fn(&mut Emitter, Ssa, Ssa) -> Ssa,
    is_valid: fn(u64) -> bool,
    expected: impl Fn(u64, u64) -> u64,
) {
    let both = make(|e, words| {
        let (a, b) = (e.load(words, 0), e.load(words, 8));
        let result = operator(e, a, b);
        [result, a]
    });
    for b in WORDS.into_iter().filter(|b| is_valid(*b)) {
        let constant = make(|e, words| {
            let (a, b) = (e.load(words, 0), e.constant(b));
            let result = operator(e, a, b);
            [result, a]
        });
        for a in WORDS {
            let wanted = Results { first: expected(a, b), second: a };
            assert_eq!(both.run(&mut [a, b]), wanted, "{a:#x} and {b:#x}");
            assert_eq!(constant.run(&mut [a, b]), wanted, "{a:#x} and the constant {b:#x}");
        }
    }
}

#[test]
fn operators_on_words() {
    let any = |_| true;
    check(|e, a, b| e.binary(Binary::Add, a, b), any, u64::wrapping_add);
    check(|e, a, b| e.binary(Binary::Subtract, a, b), any, u64::wrapping_sub);
    check(|e, a, b| e.binary(Binary::And, a, b), any, |a, b| a & b);
    check(|e, a, b| e.binary(Binary::Or, a, b), any, |a, b| a | b);
    check(|e, a, b| e.binary(Binary::Xor, a, b), any, |a, b| a ^ b);
    check(|e, a, b| e.binary(Binary::Multiply, a, b), any, u64::wrapping_mul);
    let distance = |b| b < 64;
    check(|e, a, b| e.binary(Binary::ShiftLeft, a, b), distance, |a, b| a << b);
    check(|e, a, b| e.binary(Binary::ShiftRight, a, b), distance, |a, b| (a as i64 >> b) as u64);
    check(|e, a, b| e.binary(Binary::ShiftRightUnsigned, a, b), distance, |a, b| a >> b);
    check(|e, a, b| e.binary(Binary::RotateLeft, a, b), distance, |a, b| a.rotate_left(b as u32));
    check(|e, a, b| e.binary(Binary::RotateRight, a, b), distance, |a, b| a.rotate_right(b as u32));
    let positive = |b| b as i64 > 0;
    check(|e, a, b| e.quotient(a, b), positive, |a, b| (a as i64 / b as i64) as u64);
    check(|e, a, b| e.remainder(a, b), positive, |a, b| (a as i64 % b as i64) as u64);
}

#[test]
fn checked_operators() {
    let operators: [(Checked, OfIntegers); 3] = [
        (Checked::Add, i64::checked_add),
        (Checked::Subtract, i64::checked_sub),
        (Checked::Multiply, i64::checked_mul),
    ];
    for (how, expected) in operators {
        let operator = |e: &mut Emitter, a: Ssa, b: Ssa| {
            let (too_large, (next, result)) = (e.cold_block(), e.join());
            let sum = e.checked(how, a, b, too_large);
            e.jump(next, &[sum]);
            e.at(too_large);
            let none = e.constant(77);
            e.jump(next, &[none]);
            e.at(next);
            result
        };
        check(operator, |_| true, |a, b| expected(a as i64, b as i64).map_or(77, |sum| sum as u64));
    }
}

#[test]
fn comparisons_of_words() {
    use Condition::*;
    for how in [Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, Below, BelowEqual, Above, AboveEqual] {
        let expected = |a, b| u64::from(how.holds(a, b));
        check(|e, a, b| e.compare(how, a, b), |_| true, expected);
        check(|e, b, a| e.compare(how, a, b), |_| true, |b, a| expected(a, b));
        let selected = |e: &mut Emitter, a: Ssa, b: Ssa| {
            let condition = e.compare(how, a, b);
            let (yes, no) = (e.constant(1), e.constant(0));
            e.select(condition, yes, no)
        };
        check(selected, |_| true, expected);
        check(|e, a, b| branch_on(e, |e| e.compare(how, a, b)), |_| true, expected);
    }
    for how in [Equal, NotEqual] {
        let test = |e: &mut Emitter, a: Ssa, b: Ssa| {
            let bits = e.and(a, b);
            e.compare_constant(how, bits, 0)
        };
        let expected = |a, b| u64::from(how.holds(a & b, 0));
        check(test, |_| true, expected);
        check(|e, a, b| branch_on(e, |e| test(e, a, b)), |_| true, expected);
    }
    check(|e, a, b| branch_on(e, |e| e.and(a, b)), |_| true, |a, b| u64::from(a & b != 0));
    check(|e, a, _| branch_on(e, |_| a), |b| b == 0, |a, _| u64::from(a != 0));
}

/// 1 if the condition, which is emitted last, holds, otherwise 0; by a jump.
fn branch_on(e: &mut Emitter, condition: impl FnOnce(&mut Emitter) -> Ssa) -> Ssa {
    let (yes, no, (next, result)) = (e.block(), e.cold_block(), e.join());
    let condition = condition(e);
    if e.function.constant(condition).is_some() {
        return condition;
    }
    e.branch(condition, yes, no);
    for (block, bits) in [(yes, 1), (no, 0)] {
        e.at(block);
        let bits = e.constant(bits);
        e.jump(next, &[bits]);
    }
    e.at(next);
    result
}

#[test]
fn operators_on_doubles() {
    const DOUBLES: [f64; 8] = [0.0, -0.0, 1.0, 1.5, -2.25, 1e300, f64::INFINITY, f64::NAN];
    let check = |operator: &dyn Fn(&mut Emitter, Ssa, Ssa) -> Ssa, expected: &dyn Fn(f64, f64) -> u64| {
        let made = make(|e, words| {
            let (a, b) = (e.load(words, 0), e.load(words, 8));
            let (a, b) = (e.float_of_bits(a), e.float_of_bits(b));
            let result = operator(e, a, b);
            [result, result]
        });
        for a in DOUBLES {
            for b in DOUBLES {
                let found = made.run(&mut [a, b]).first;
                let is_nan = f64::from_bits(found).is_nan() && f64::from_bits(expected(a, b)).is_nan();
                assert!(is_nan || found == expected(a, b), "{a} and {b}: {found:#x}");
            }
        }
    };
    let operators: [(FloatBinary, OfDoubles); 4] = [
        (FloatBinary::Add, |a, b| a + b),
        (FloatBinary::Subtract, |a, b| a - b),
        (FloatBinary::Multiply, |a, b| a * b),
        (FloatBinary::Divide, |a, b| a / b),
    ];
    for (how, expected) in operators {
        let operator = |e: &mut Emitter, a: Ssa, b: Ssa| {
            let result = e.float_binary(how, a, b);
            e.bits_of_float(result)
        };
        check(&operator, &|a, b| expected(a, b).to_bits());
    }
    let conditions: [(FloatCondition, OfTwo); 5] = [
        (FloatCondition::Equal, f64::eq),
        (FloatCondition::Less, f64::lt),
        (FloatCondition::LessEqual, f64::le),
        (FloatCondition::Greater, f64::gt),
        (FloatCondition::GreaterEqual, f64::ge),
    ];
    for (how, expected) in conditions {
        check(&|e, a, b| e.compare_floats(how, a, b), &|a, b| u64::from(expected(&a, &b)));
        check(&|e, a, b| branch_on(e, |e| e.compare_floats(how, a, b)), &|a, b| u64::from(expected(&a, &b)));
    }
    let converted = make(|e, words| {
        let a = e.load(words, 0);
        let a = e.float_of_integer(a);
        let a = e.bits_of_float(a);
        [a, a]
    });
    assert_eq!(converted.run(&mut [-3i64]).first, (-3.0f64).to_bits());
    let truncated = make(|e, words| {
        let a = e.load(words, 0);
        let a = e.float_of_bits(a);
        let a = e.integer_of_float(a);
        [a, a]
    });
    assert_eq!(truncated.run(&mut [(-3.75f64).to_bits() as i64]).first, -3i64 as u64);
}

/// As many words on each side as the furthest distance.
const AROUND: usize = 70_000 / 8;

#[test]
fn loads_and_stores_at_all_distances() {
    for distance in [0i32, 8, -8, 248, 256, -256, -264, 4088, 4096, 32_760, 32_768, 65_528, -65_536] {
        let made = make(|e, words| {
            let middle = e.add_constant(words, 8 * AROUND as i64);
            let there = e.add_constant(middle, i64::from(distance));
            let by_constant = e.load(middle, distance as usize);
            let half = e.load32(middle, distance as usize);
            let one = e.constant(1);
            let second = e.load_indexed(there, one);
            let byte = e.load_byte(there, one);
            let sum = e.add(by_constant, half);
            let sum = e.add(sum, second);
            e.store(sum, middle, distance as usize);
            e.store_indexed(byte, there, one);
            let (wide, narrow) = (e.constant(0x1_0000_0002), e.constant(0xffff_ffff));
            e.store(wide, middle, (distance + 16) as usize);
            e.store32(narrow, middle, (distance + 16) as usize);
            let zero = e.constant(0);
            e.store(zero, middle, (distance + 24) as usize);
            let two = e.constant(2);
            e.store_indexed(two, there, two);
            [half, byte]
        });
        let mut words = vec![0xabu64; 2 * AROUND + 16];
        let at = (AROUND as isize + distance as isize / 8) as usize;
        words[at] = 0x1_2345_6789_abcd;
        words[at + 1] = 5;
        let results = made.run(&mut words);
        assert_eq!(results, Results { first: 0x6789_abcd, second: 0xab }, "{distance}");
        let expected = [0x1_2345_6789_abcd + 0x6789_abcd + 5, 0xab, 2, 0];
        assert_eq!(words[at..at + 4], expected, "{distance}");
        assert_eq!(words.iter().filter(|word| **word != 0xab).count(), 3, "{distance}");
    }
}

/// Words that the code reaches by their distance, and some that it does not: a mapping of their own.
#[test]
fn words_at_known_addresses() {
    static NEAR: [AtomicU64; 6] = [const { AtomicU64::new(0) }; 6];
    let far: &[AtomicU64] = Vec::leak((0..1 << 18).map(|_| AtomicU64::new(0)).collect());
    for words in [&NEAR[..], &far[..6]] {
        let made = make(|e, _| {
            let base = e.constant(words.as_ptr() as u64);
            let (word, half) = (e.load(base, 0), e.load32(base, 4));
            e.store(half, base, 8);
            let small = e.constant(-5i64 as u64);
            e.store(small, base, 16);
            e.store32(small, base, 24);
            e.store32(word, base, 28);
            let is_small = branch_on(e, |e| {
                let word = e.load(base, 0);
                e.compare_constant(Condition::Equal, word, 0x7_0000_0029)
            });
            let is_equal = branch_on(e, |e| {
                let half = e.load32(base, 0);
                e.compare_constant(Condition::Equal, half, 0x29)
            });
            let (address, zero, (next, result)) = (e.add_constant(base, 32), e.block(), e.join());
            e.count_down(address, zero);
            let more = e.constant(10);
            e.jump(next, &[more]);
            e.at(zero);
            let none = e.constant(20);
            e.jump(next, &[none]);
            e.at(next);
            let (first, second) = (e.add(is_small, is_equal), e.add(result, is_equal));
            [first, second]
        });
        words[0].store(0x7_0000_0029, Ordering::Relaxed);
        words[4].store(0xffff_ffff_0000_0002, Ordering::Relaxed);
        assert_eq!(made.run::<u64>(&mut []), Results { first: 2, second: 11 });
        assert_eq!(made.run::<u64>(&mut []), Results { first: 2, second: 21 });
        let left: Vec<u64> = words[1..5].iter().map(|word| word.load(Ordering::Relaxed)).collect();
        assert_eq!(left, [7, -5i64 as u64, 0x29_ffff_fffb, 0xffff_ffff_0000_0000]);
    }
}

#[test]
fn frames_are_copied() {
    let made = make(|e, words| {
        let frame = e.add_constant(words, size_of::<Frame>() as i64);
        let kept = e.load(words, 0);
        e.copy_frame(words, frame);
        [kept, frame]
    });
    let mut words: Vec<u64> = (1..=12).chain([0; 13]).collect();
    assert_eq!(made.run(&mut words).first, 1);
    assert_eq!(words, (1..=12).chain(1..=12).chain([0]).collect::<Vec<u64>>());
}

#[test]
fn words_that_exceed_the_registers() {
    for count in [20, 60, 600, 5000] {
        let made = make(|e, words| {
            let loaded: Vec<Ssa> = (0..count).map(|n| e.load(words, 8 * n)).collect();
            let doubles: Vec<Ssa> = (0..60).map(|n| e.float_of_integer(loaded[n % count])).collect();
            let one = e.constant(1);
            let mut sum = one;
            for word in &loaded {
                let doubled = e.binary_constant(Binary::Multiply, sum, 3);
                sum = e.add(doubled, *word);
            }
            let mut total = doubles[0];
            for double in &doubles[1..] {
                total = e.float_binary(FloatBinary::Add, total, *double);
            }
            let total = e.bits_of_float(total);
            [sum, total]
        });
        let mut words: Vec<u64> = (0..count as u64).map(|n| n * n).collect();
        let sum = words.iter().fold(1u64, |sum, word| sum.wrapping_mul(3).wrapping_add(*word));
        let total: f64 = (0..60).map(|n| words[n % count] as f64).sum();
        assert_eq!(made.run(&mut words), Results { first: sum, second: total.to_bits() }, "{count}");
    }
}

#[test]
fn words_and_doubles_that_change_places() {
    // More of each than there are registers: a word gets the slot of a double that is moved as well, and the other way
    // around.
    const COUNT: usize = 40;
    let made = make(|e, words| {
        let (first, second) = (e.block(), e.block());
        let loaded: Vec<Ssa> = (0..COUNT).map(|n| e.load(words, 8 * n)).collect();
        let doubles: Vec<Ssa> = (0..COUNT).map(|n| e.float_of_integer(loaded[n])).collect();
        let mut given: Vec<Ssa> = (0..COUNT).flat_map(|n| [loaded[COUNT - 1 - n], doubles[n * 7 % COUNT]]).collect();
        for (block, origins) in [(first, [Origin::Word, Origin::Double]), (second, [Origin::Double, Origin::Word])] {
            let parameters: Vec<Ssa> = (0..2 * COUNT).map(|n| e.parameter(block, origins[n % 2])).collect();
            e.jump(block, &given);
            e.at(block);
            given = parameters[1..].iter().chain(&parameters[..1]).copied().collect();
        }
        let mut results = [e.constant(1), e.float_constant(0.0)];
        for pair in given.chunks(2) {
            let tripled = e.binary_constant(Binary::Multiply, results[0], 3);
            let eighth = e.float_constant(0.125);
            let part = e.float_binary(FloatBinary::Multiply, results[1], eighth);
            results = [e.add(tripled, pair[0]), e.float_binary(FloatBinary::Add, part, pair[1])];
        }
        [results[0], e.bits_of_float(results[1])]
    });
    let mut words: Vec<u64> = (0..COUNT as u64).map(|n| n * n + 1).collect();
    let (mut sum, mut total) = (1u64, 0.0f64);
    for n in 0..COUNT {
        // Two steps to the left: the words began one pair further on.
        sum = sum.wrapping_mul(3).wrapping_add(words[COUNT - 1 - (n + 1) % COUNT]);
        total = total * 0.125 + words[(n + 1) % COUNT * 7 % COUNT] as f64;
    }
    assert_eq!(made.run(&mut words), Results { first: sum, second: total.to_bits() });
}

#[test]
fn values_that_change_places() {
    // Each turn of the loop rotates fourteen words and exchanges two doubles.
    let made = make(|e, words| {
        let (head, body, done) = (e.block(), e.block(), e.block());
        let turns = e.parameter(head, Origin::Word);
        let rotated: Vec<Ssa> = (0..14).map(|_| e.parameter(head, Origin::Word)).collect();
        let (x, y) = (e.parameter(head, Origin::Double), e.parameter(head, Origin::Double));
        let mut first: Vec<Ssa> = (0..15).map(|n| e.load(words, 8 * n)).collect();
        first.extend([1.5, 2.5].map(|x| e.float_constant(x)));
        e.jump(head, &first);
        e.at(head);
        let goes_on = e.compare_constant(Condition::NotEqual, turns, 0);
        e.branch(goes_on, body, done);
        e.at(body);
        let fewer = e.add_constant(turns, -1);
        let mut next = vec![fewer];
        next.extend(rotated[1..].iter().chain(&rotated[..1]));
        next.extend([y, x]);
        e.jump(head, &next);
        e.at(done);
        for (n, word) in rotated.iter().enumerate() {
            e.store(*word, words, 8 * n);
        }
        [x, y].map(|x| e.bits_of_float(x))
    });
    let mut words: Vec<u64> = std::iter::once(5).chain(0..14).collect();
    assert_eq!(made.run(&mut words), Results { first: 2.5f64.to_bits(), second: 1.5f64.to_bits() });
    assert_eq!(words[..14], [5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1, 2, 3, 4]);
}

#[test]
fn cases() {
    let keys: Vec<u64> = WORDS.into_iter().take(23).collect();
    for count in [3, 23] {
        let made = make(|e, words| {
            let on = e.load(words, 0);
            let ((next, result), other) = (e.join(), e.block());
            let cases: Vec<_> = keys[..count].iter().map(|key| (*key, e.block())).collect();
            e.switch(on, &cases, other);
            for (n, (_, block)) in cases.iter().enumerate() {
                e.at(*block);
                let number = e.constant(n as u64);
                e.jump(next, &[number]);
            }
            e.at(other);
            let none = e.constant(99);
            e.jump(next, &[none]);
            e.at(next);
            [result, on]
        });
        for key in WORDS {
            let number = keys[..count].iter().position(|known| *known == key).map_or(99, |n| n as u64);
            assert_eq!(made.run(&mut [key]).first, number, "{key:#x} of {count}");
        }
    }
}

static SEEN: Mutex<Vec<[u64; 4]>> = Mutex::new(Vec::new());

extern "C" fn called(a: u64, b: u64, c: u64, d: u64) -> u64 {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner).push([a, b, c, d]);
    a + 2 * b + 3 * c + 4 * d
}

#[test]
fn calls_preserve_values() {
    let made = make(|e, words| {
        let loaded: Vec<Ssa> = (0..20).map(|n| e.load(words, 8 * n)).collect();
        let double = e.float_of_integer(loaded[3]);
        let arguments = [loaded[1], loaded[0], loaded[3], loaded[2]];
        let first = e.call_instance(RuntimeCall::Operate, called as *const () as usize, &arguments)[0];
        // A call in a cold block saves the registers that are in use.
        let ((next, result), cold, other) = (e.join(), e.cold_block(), e.block());
        let is_odd = e.and_constant(loaded[0], 1);
        e.branch(is_odd, cold, other);
        e.at(other);
        e.jump(next, &[first]);
        e.at(cold);
        let second = e.call_instance(RuntimeCall::Operate, called as *const () as usize, &arguments)[0];
        let both = e.add(first, second);
        e.jump(next, &[both]);
        e.at(next);
        let sum = loaded.iter().fold(result, |sum, word| e.add(sum, *word));
        let double = e.bits_of_float(double);
        [sum, double]
    });
    for first in [10, 11] {
        let mut words: Vec<u64> = (first..first + 20).collect();
        let of_call = words[1] + 2 * words[0] + 3 * words[3] + 4 * words[2];
        let calls = 1 + first % 2;
        let sum = words.iter().sum::<u64>() + calls * of_call;
        let second = (words[3] as f64).to_bits();
        assert_eq!(made.run(&mut words), Results { first: sum, second });
        let arguments = [words[1], words[0], words[3], words[2]];
        let seen = std::mem::take(&mut *SEEN.lock().unwrap_or_else(PoisonError::into_inner));
        assert_eq!(seen, vec![arguments; calls as usize]);
    }
}

#[test]
fn jumps_over_much_code() {
    // 2,000 turns of this loop have 50 KB of code, 60,000 more than a megabyte.
    for count in [10, 2_000, 60_000] {
        let made = make(|e, words| {
            let (first, second) = (e.load(words, 0), e.load(words, 8));
            let (leave, end) = (e.cold_block(), e.block());
            let (early, odd) = (e.cold_block(), e.and_constant(first, 1));
            e.require(odd, early);
            let mut sum = first;
            for n in 0..count {
                let is_small = e.compare_constant(Condition::Less, second, n);
                let is_large = e.compare_constant(Condition::Equal, is_small, 0);
                e.require(is_large, leave);
                sum = e.checked(Checked::Add, sum, second, leave);
            }
            e.jump(end, &[]);
            e.at(leave);
            let (zero, one) = (e.constant(0), e.constant(1));
            e.leave(zero, second);
            e.at(early);
            e.leave(zero, one);
            e.at(end);
            [sum, zero]
        });
        assert_eq!(made.run(&mut [1, count]), Results { first: 1 + count * count, second: 0 });
        assert_eq!(made.run(&mut [1, 4u64]), Results { first: if count > 4 { 0 } else { 41 }, second: 4 });
        assert_eq!(made.run(&mut [2, count]), Results { first: 0, second: 1 });
        assert_eq!(made.run(&mut [i64::MAX as u64, count]), Results { first: 0, second: count });
    }
}
