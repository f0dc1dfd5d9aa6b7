//! The state of a Random, and other sources of random numbers.

use abi::Type;
use heap::Trace;
use numeric::big::{self, Int};
use numeric::random::{MersenneTwister, Source};
use object::{
    cell, class,
    native::{self, NativeData},
};
use runtime::{Args, Cx, Known, R, Unwind, Value, call, concurrency::ractor, convert, make};

use crate::numeric::ops::{self, give, int};

/// The state of a Random.
#[derive(Trace)]
pub struct Generator {
    #[trace(skip)]
    pub twister: MersenneTwister,
    pub seed: Value,
}

impl NativeData for Generator {
    object::one_vtable!(Generator);

    fn memsize(&self) -> usize {
        size_of::<Generator>() + 624 * 4
    }
}

/// `Random.allocate → random`: a generator with the seed 0 until `initialize` sets one.
pub fn allocate(cx: &mut Cx, args: Args) -> R {
    let twister = MersenneTwister::from_seed(Int::Fix(0));
    Ok(native::new(cx, args.me(), Box::new(Generator { twister, seed: Value::fixnum(0) })))
}

/// A seed of 128 bits from the system.
fn fresh_seed(cx: &mut Cx) -> R {
    let mut bytes = [0; 16];
    if let Err(errno) = host::random::fill(&mut bytes) {
        return Err(cx.system_error(errno, "getrandom"));
    }
    let words: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    give(cx, MersenneTwister::seed_from_words(&words))
}

/// Whether the value is a Random.
pub fn is_generator(v: Value) -> bool {
    native::get::<Generator>(&v).is_some()
}

/// The generator of a Random; TypeError for other values.
pub fn of(cx: &mut Cx, v: Value) -> R<&mut Generator> {
    native::get_mut_or::<Generator, _, _>(cx, v, |cx| cx.type_error("uninitialized Random"))
}

/// The Random used by Kernel#rand, created on first use: each Ractor has one.
pub fn default(cx: &mut Cx) -> R {
    let isolated = if cx.isolated { ractor::get(&cx.ractor) } else { None };
    let v = isolated.map_or(cx.vm().default_random, |own| own.random);
    if !v.is_nil() {
        return Ok(v);
    }
    let seed = fresh_seed(cx)?;
    let class = cx.class(Known::Random);
    let twister = MersenneTwister::from_seed(int(&seed));
    let v = native::new(cx, class, Box::new(Generator { twister, seed }));
    if cx.isolated {
        let own = cx.ractor;
        ractor::state(cx, own).random = v;
    } else {
        cx.vm_mut().default_random = v;
    }
    Ok(v)
}

fn reseed(cx: &mut Cx, v: Value, seed: Value) -> R<()> {
    let generator = of(cx, v)?;
    generator.twister = MersenneTwister::from_seed(int(&seed));
    generator.seed = seed;
    Ok(())
}

/// `Random.new(seed = Random.new_seed)`: starts the sequence of a seed. TypeError unless it is an Integer or has
/// `to_int`.
pub fn initialize(cx: &mut Cx, args: Args) -> R {
    cx.check_frozen(args.me())?;
    let seed = match args.opt(0) {
        None => fresh_seed(cx)?,
        Some(seed) => convert::to_integer(cx, seed)?,
    };
    reseed(cx, args.me(), seed)?;
    Ok(args.me())
}

/// `initialize_copy(other) → self`: copies the seed and the position in the sequence, so that both produce the same
/// numbers.
pub fn initialize_copy(cx: &mut Cx, args: Args) -> R {
    crate::object::copy::initialize_copy(cx, args)?;
    let other = of(cx, args.at(0))?;
    let (twister, seed) = (other.twister.clone(), other.seed);
    let generator = of(cx, args.me())?;
    generator.twister = twister;
    generator.seed = seed;
    Ok(args.me())
}

/// `seed → integer`: the seed of the generator.
pub fn seed(cx: &mut Cx, args: Args) -> R {
    Ok(of(cx, args.me())?.seed)
}

/// `Random.seed → integer`: the seed of the default generator, as set by `srand`.
pub fn default_seed(cx: &mut Cx, _: Args) -> R {
    let v = default(cx)?;
    Ok(of(cx, v)?.seed)
}

/// `Random.new_seed → integer`: a seed from the operating system's random source.
pub fn new_seed(cx: &mut Cx, _: Args) -> R {
    fresh_seed(cx)
}

/// `srand(seed = Random.new_seed) → integer`: restarts the sequence of the default generator; returns the previous
/// seed.
pub fn srand(cx: &mut Cx, args: Args) -> R {
    let seed = match args.opt(0) {
        None => fresh_seed(cx)?,
        Some(seed) => convert::to_integer(cx, seed)?,
    };
    let v = default(cx)?;
    let before = of(cx, v)?.seed;
    reseed(cx, v, seed)?;
    Ok(before)
}

/// `==(other) → true or false`: whether both have the same class, seed and position in the sequence.
pub fn equal(cx: &mut Cx, args: Args) -> R {
    if class::real_class(cx, args.me()) != class::real_class(cx, args.at(0)) {
        return Ok(Value::FALSE);
    }
    let get = native::get::<Generator>;
    let (Some(a), Some(b)) = (get(args.me_ref()), get(args.at_ref(0))) else {
        return Err(cx.type_error("uninitialized Random"));
    };
    let same = a.twister == b.twister && big::eq(int(&a.seed), int(&b.seed));
    Ok(Value::bool(same))
}

/// `state → integer`: the words of the Mersenne Twister's state as one number, for Marshal.
pub fn state(cx: &mut Cx, args: Args) -> R {
    let saved = of(cx, args.me())?.twister.save();
    give(cx, saved.state)
}

/// `left → integer`: the number of words of the state that are not used yet, plus one, for Marshal.
pub fn left(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(of(cx, args.me())?.twister.save().left))
}

/// `marshal_dump → [state, left, seed]`: the Mersenne Twister's state, the number of words left, and the seed.
pub fn marshal_dump(cx: &mut Cx, args: Args) -> R {
    let generator = of(cx, args.me())?;
    let (saved, seed) = (generator.twister.save(), generator.seed);
    let state = give(cx, saved.state)?;
    Ok(make::array(cx, &[state, Value::fixnum(saved.left), seed]))
}

/// `marshal_load(dump) → self`: restores the state, the number of words left and the seed read by Marshal.
/// ArgumentError for other values.
pub fn marshal_load(cx: &mut Cx, args: Args) -> R {
    cx.check_frozen(args.me())?;
    let list = args.arr(cx, 0)?;
    if list.is_empty() || list.len() > 3 {
        return Err(cx.argument_error("wrong dump data"));
    }
    let state = list.get(0).unwrap_or(Value::NIL);
    let state = convert::to_integer(cx, state)?;
    let left = match list.get(1) {
        Some(left) => convert::to_i64(cx, left)?,
        None => 1,
    };
    let seed = match list.get(2) {
        Some(seed) => convert::to_integer(cx, seed)?,
        None => Value::fixnum(0),
    };
    let Some(twister) = MersenneTwister::restore(int(&state), left) else {
        return Err(cx.argument_error("wrong value"));
    };
    let generator = of(cx, args.me())?;
    generator.twister = twister;
    generator.seed = seed;
    Ok(args.me())
}

/// Words from an object with `bytes`: one that includes Random::Formatter. After an exception it returns zeros.
pub struct ObjectSource<'a> {
    pub cx: &'a mut Cx,
    pub object: Value,
    pub failure: Option<Unwind>,
}

impl ObjectSource<'_> {
    /// What `bytes(N)` of the object returns. Zeros once that has failed.
    fn drawn<const N: usize>(&mut self) -> [u8; N] {
        if self.failure.is_some() {
            return [0; N];
        }
        self.bytes().unwrap_or_else(|unwind| {
            self.failure = Some(unwind);
            [0; N]
        })
    }

    fn bytes<const N: usize>(&mut self) -> R<[u8; N]> {
        let cx = &mut *self.cx;
        let name = ops::name(cx, "bytes");
        let s = call::send_public(cx, self.object, name, &[Value::fixnum(N as i64)])?;
        if !cell::is(s, Type::String) {
            return Err(cx.type_error("wrong argument type (expected String)"));
        }
        let bytes = object::string::Str::of(s).bytes(cx);
        match <[u8; N]>::try_from(bytes) {
            Ok(drawn) => Ok(drawn),
            Err(_) => {
                let (size, length) = (if bytes.len() < N { "short" } else { "long" }, bytes.len());
                Err(cx.range_error(&format!("random data too {size} {length}")))
            }
        }
    }
}

impl Source for ObjectSource<'_> {
    fn next_u32(&mut self) -> u32 {
        u32::from_ne_bytes(self.drawn())
    }

    fn next_pair(&mut self) -> [u32; 2] {
        let bytes: [u8; 8] = self.drawn();
        let word = |at: usize| u32::from_ne_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        [word(0), word(4)]
    }
}
