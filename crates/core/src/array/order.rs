//! Sorting, reversing, rotating, shuffling.

use abi::Value;
use numeric::random;
use object::{array::Arr, payload::Exhausted};
use runtime::{
    Args, Cx, R, Unwind, call, convert,
    error::OrRaise,
    keys, make,
    order::{Keys, Plain},
    sym,
};

use super::read;
use crate::random::{Generator, generator};

/// Why sorting stopped.
enum Failure {
    Exhausted(Exhausted),
    Raised(Unwind),
}

impl From<Exhausted> for Failure {
    fn from(exhausted: Exhausted) -> Failure {
        Failure::Exhausted(exhausted)
    }
}

/// `sort → array`: sorted by `<=>`. ArgumentError if two elements do not compare. Arrays of only integers, floats,
/// strings or symbols, or of arrays of them, are sorted without calls. Calls with a block are left to the Ruby half.
pub fn sort(cx: &mut Cx, args: Args) -> R {
    let list = args.me();
    let elements = Arr::of(list);
    if let Some(kind) = Keys::of(cx, elements.elements(cx)) {
        if kind == Keys::Single(Plain::Integers) {
            let copy = make::copy(cx, elements);
            Arr::of(copy).permute(cx, |values| values.sort_unstable_by_key(|v| v.fixnum_value())).or_raise(cx)?;
            return Ok(copy);
        }
        let order = kind.sorted(cx, elements.elements(cx));
        let sorted = order.iter().map(|i| elements.at(*i));
        return Ok(Arr::collected(cx, order.len(), sorted).or_raise(cx)?.value());
    }
    let result = Arr::of(list).sorted_by(cx, |cx, a, b| call::compare(cx, a, b).map_err(Failure::Raised));
    match result {
        Ok(sorted) => Ok(sorted.value()),
        Err(Failure::Raised(unwind)) => Err(unwind),
        Err(Failure::Exhausted(exhausted)) => Err::<Value, _>(exhausted).or_raise(cx),
    }
}

/// `reverse → array`: a copy with the last element first.
pub fn reverse(cx: &mut Cx, args: Args) -> R {
    let copy = make::copy(cx, Arr::of(args.me()));
    Arr::of(copy).reverse(cx).or_raise(cx)?;
    Ok(copy)
}

/// `reverse! → self`: reverses the order of the elements in place.
pub fn reverse_bang(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cx.check_frozen(me)?;
    if Arr::of(me).len() > 1 {
        Arr::of(me).reverse(cx).or_raise(cx)?;
    }
    Ok(me)
}

fn rotation(cx: &mut Cx, args: Args) -> R<usize> {
    let count = match args.opt(0) {
        Some(count) => convert::to_i64(cx, count)?,
        None => 1,
    };
    let len = Arr::of(args.me()).len() as i64;
    Ok(if len == 0 { 0 } else { count.rem_euclid(len) as usize })
}

/// `rotate(count = 1) → array`: a copy that starts with the element at `count`, taken modulo the length; a negative
/// count rotates to the right.
pub fn rotate(cx: &mut Cx, args: Args) -> R {
    let by = rotation(cx, args)?;
    let copy = make::copy(cx, Arr::of(args.me()));
    if by > 0 {
        Arr::of(copy).rotate(cx, by).or_raise(cx)?;
    }
    Ok(copy)
}

/// `rotate!(count = 1) → self`: `rotate` in place.
pub fn rotate_bang(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cx.check_frozen(me)?;
    let by = rotation(cx, args)?;
    if by > 0 {
        Arr::of(me).rotate(cx, by).or_raise(cx)?;
    }
    Ok(me)
}

/// The random source: `random:`, or Kernel's.
fn random_source(cx: &mut Cx, args: Args) -> R {
    if args.keywords().is_none() {
        return Ok(cx.class(object::Known::Random));
    }
    keys::only_keywords(cx, args.keywords(), &[sym::RANDOM])?;
    let given = keys::keyword(cx, args.keywords(), sym::RANDOM);
    if !given.is_undef() && !given.is_nil() {
        return Ok(given);
    }
    Ok(cx.class(object::Known::Random))
}

/// An integer below `limit` from the source.
fn random_below(cx: &mut Cx, source: Value, limit: usize) -> R<usize> {
    let rand = read::name(cx, "rand");
    let drawn = call::send_public(cx, source, rand, &[Value::fixnum(limit as i64)])?;
    let n = convert::to_i64(cx, drawn)?;
    if n < 0 {
        return Err(cx.range_error(&format!("random number too small {n}")));
    }
    if n as usize >= limit {
        return Err(cx.range_error(&format!("random number too big {n}")));
    }
    Ok(n as usize)
}

/// The generator to draw from without calls, if the source is Random itself or one of its instances.
fn generator_of(cx: &mut Cx, source: Value) -> R<Option<&mut Generator>> {
    let source = if source == cx.class(object::Known::Random) { generator::default(cx)? } else { source };
    if generator::is_generator(source) { generator::of(cx, source).map(Some) } else { Ok(None) }
}

/// Up to this many elements are moved to places that were drawn before; for more, copying the generator is cheaper.
const FEW_MOVED: usize = 64;

fn shuffle_in_place(cx: &mut Cx, list: Value, source: Value) -> R<()> {
    // Moving elements needs the context, which the generator borrows.
    let len = Arr::of(list).len();
    let mut places = [0; FEW_MOVED];
    if len <= FEW_MOVED
        && let Some(generator) = generator_of(cx, source)?
    {
        (1..len).rev().for_each(|i| places[i] = random::up_to(&mut generator.twister, i as u64) as usize);
        let exchange = |elements: &mut [Value]| (1..len).rev().for_each(|i| elements.swap(i, places[i]));
        return Arr::of(list).permute(cx, exchange).or_raise(cx);
    }
    if let Some(generator) = generator_of(cx, source)? {
        let mut twister = generator.twister.clone();
        let shuffled = Arr::of(list).permute(cx, |elements| random::shuffle(elements, &mut twister));
        if let Some(generator) = generator_of(cx, source)? {
            generator.twister = twister;
        }
        return shuffled.or_raise(cx);
    }
    let mut i = len;
    while i > 1 {
        let j = random_below(cx, source, i)?;
        if Arr::of(list).len() != len {
            return Err(cx.runtime_error("modified during shuffle!"));
        }
        i -= 1;
        swap(cx, list, i, j)?;
    }
    Ok(())
}

fn swap(cx: &mut Cx, list: Value, i: usize, j: usize) -> R<()> {
    let (a, b) = (Arr::of(list).at(i), Arr::of(list).at(j));
    Arr::of(list).set(cx, i, b).or_raise(cx)?;
    Arr::of(list).set(cx, j, a).or_raise(cx)
}

/// `shuffle(random: nil) → array`: a copy in random order. `random` is an object whose `rand(limit)` is called, by
/// default the class Random; RangeError if it returns a number out of range.
pub fn shuffle(cx: &mut Cx, args: Args) -> R {
    let source = random_source(cx, args)?;
    let copy = make::copy(cx, Arr::of(args.me()));
    shuffle_in_place(cx, copy, source)?;
    Ok(copy)
}

/// `shuffle!(random: nil) → self`: `shuffle` in place.
pub fn shuffle_bang(cx: &mut Cx, args: Args) -> R {
    cx.check_frozen(args.me())?;
    let source = random_source(cx, args)?;
    shuffle_in_place(cx, args.me(), source)?;
    Ok(args.me())
}

/// `sample → element or nil`, `sample(count) → array`: a random element, or elements at `count` different positions.
/// `random` as in `shuffle`; ArgumentError for a negative count.
pub fn sample(cx: &mut Cx, args: Args) -> R {
    let source = random_source(cx, args)?;
    let me = args.me();
    let Some(count) = args.opt(0) else {
        let len = Arr::of(me).len();
        if len == 0 {
            return Ok(Value::NIL);
        }
        let i = match generator_of(cx, source)? {
            Some(generator) => random::up_to(&mut generator.twister, len as u64 - 1) as usize,
            None => random_below(cx, source, len)?,
        };
        return Ok(Arr::of(me).get(i).unwrap_or(Value::NIL));
    };
    let count = convert::to_i64(cx, count)?;
    if count < 0 {
        return Err(cx.argument_error("negative sample number"));
    }
    let len = Arr::of(me).len();
    let count = (count as usize).min(len);
    if let Some(generator) = generator_of(cx, source)? {
        let places = random::sample(len, count, &mut generator.twister);
        let picked = places.into_iter().map(|place| Arr::of(me).at(place));
        return Ok(Arr::collected(cx, count, picked).or_raise(cx)?.value());
    }
    if count <= FEW { sample_few(cx, me, source, count) } else { sample_many(cx, me, source, count) }
}

/// Up to this many indices are drawn one by one from the remaining ones; this limit affects which samples a seed gives.
const FEW: usize = 10;

fn sample_few(cx: &mut Cx, me: Value, source: Value, count: usize) -> R {
    let len = Arr::of(me).len();
    let mut drawn = [0; FEW];
    for (i, place) in drawn[..count].iter_mut().enumerate() {
        *place = random_below(cx, source, len - i)?;
    }
    // Converts a number among the remaining indices to an index, by skipping each taken index at or before it.
    let mut taken = [0; FEW];
    for i in 0..count {
        let mut at = 0;
        while at < i && drawn[i] >= taken[at] {
            drawn[i] += 1;
            at += 1;
        }
        taken[at..=i].rotate_right(1);
        taken[at] = drawn[i];
    }
    let result = make::array(cx, &[]);
    for place in &drawn[..count] {
        let Some(element) = Arr::of(me).get(*place) else { return Ok(make::array(cx, &[])) };
        make::push(cx, result, element);
    }
    Ok(result)
}

/// The first elements of a shuffled copy.
fn sample_many(cx: &mut Cx, me: Value, source: Value, count: usize) -> R {
    let copy = make::copy(cx, Arr::of(me));
    let len = Arr::of(copy).len();
    for i in 0..count {
        let j = i + random_below(cx, source, len - i)?;
        swap(cx, copy, i, j)?;
    }
    Arr::of(copy).truncate(cx, count);
    Ok(copy)
}
