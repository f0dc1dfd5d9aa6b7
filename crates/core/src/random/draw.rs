//! The forms of `rand`.

use host::Errno;
use numeric::big::{self, Int};
use numeric::random::{self as figures, Source};
use object::{native, string::Str};
use runtime::{Args, Cx, R, Unwind, Value, call, convert, error::OrRaise, make, sym};
use text::{CodeRange, EncodingId};

use super::generator::{self, Generator, ObjectSource};
use crate::numeric::ops::{self, Kind, flo, give, int, kind};

/// The source of words: a Random, or an object with `bytes`.
#[derive(Clone, Copy)]
struct Origin(Value);

impl Origin {
    fn draw<T>(self, cx: &mut Cx, f: impl Fn(&mut dyn Source) -> T) -> R<T> {
        if let Some(generator) = native::get_mut::<Generator>(cx, self.0) {
            return Ok(f(&mut generator.twister));
        }
        let mut source = ObjectSource { cx, object: self.0, failure: None };
        let drawn = f(&mut source);
        match source.failure {
            Some(unwind) => Err(unwind),
            None => Ok(drawn),
        }
    }

    fn real(self, cx: &mut Cx, exclude_end: bool) -> R<f64> {
        // `draw` would do the same through a table of functions, which takes a tenth longer.
        if let Some(generator) = native::get_mut::<Generator>(cx, self.0) {
            return Ok(figures::real(&mut generator.twister, exclude_end));
        }
        self.draw(cx, |mut source| figures::real(&mut source, exclude_end))
    }
}

/// Errno::EDOM.
fn domain_error(cx: &mut Cx) -> Unwind {
    cx.system_error(Errno::DOMAIN, "")
}

fn invalid_argument(cx: &mut Cx, v: Value) -> Unwind {
    match convert::to_s(cx, v) {
        Ok(shown) => {
            let shown = shown.to_text();
            cx.argument_error(&format!("invalid argument - {shown}"))
        }
        Err(unwind) => unwind,
    }
}

/// The result of drawing below a limit.
enum Drawn {
    Number(Value),
    /// The limit was out of range.
    Nothing,
    /// The argument was not a limit.
    NoLimit,
}

/// An Integer below `limit`, which is positive (otherwise its magnitude is used).
fn integer_below(cx: &mut Cx, origin: Origin, limit: Value, restrictive: bool) -> R<Drawn> {
    if ops::is_exact_zero(limit) || (restrictive && int(&limit).is_negative()) {
        return Ok(Drawn::Nothing);
    }
    let limit = give(cx, big::abs(int(&limit)))?;
    let drawn = origin.draw(cx, |mut source| figures::integer_below(&mut source, int(&limit)))?;
    match drawn {
        Some(n) => Ok(Drawn::Number(give(cx, n)?)),
        None => Ok(Drawn::Nothing),
    }
}

/// The Integer that `to_int` converts the value to.
fn check_integer(cx: &mut Cx, v: Value) -> R<Option<Value>> {
    if kind(v) == Kind::Integer {
        return Ok(Some(v));
    }
    Ok(call::send_if_responds(cx, v, sym::TO_INT, &[])?.filter(|n| convert::is_integer(*n)))
}

/// The Float of a number.
fn check_float(cx: &mut Cx, v: Value) -> R<Option<f64>> {
    if !object::class::is_known(cx, v, runtime::Known::Numeric) {
        return Ok(None);
    }
    convert::to_f64(cx, v).map(Some)
}

/// `rand(range)`
fn in_range(cx: &mut Cx, origin: Origin, limits: Value) -> R<Drawn> {
    let Some((begin, end, exclusive)) = crate::range::ends::of(cx, limits)? else { return Ok(Drawn::NoLimit) };
    if begin.is_nil() || end.is_nil() {
        return Err(domain_error(cx));
    }
    if !call::responds(cx, end, sym::MINUS, false)? {
        return Ok(Drawn::NoLimit);
    }
    let width = ops::sub(cx, end, begin)?;
    if kind(width) != Kind::Float
        && let Some(width) = check_integer(cx, width)?
    {
        let most = if exclusive { big::sub(int(&width), Int::Fix(1)) } else { int(&width).to_integer() };
        if most.as_int().is_negative() {
            return Ok(Drawn::Nothing);
        }
        let n = origin.draw(cx, |mut source| figures::integer_up_to(&mut source, most.as_int()))?;
        let n = give(cx, n)?;
        return Ok(Drawn::Number(ops::add(cx, begin, n)?));
    }
    let Some(width) = check_float(cx, width)? else { return Ok(Drawn::NoLimit) };
    if width.is_nan() {
        return Err(domain_error(cx));
    }
    if width.is_infinite() {
        let first = convert::to_f64(cx, begin)?;
        let last = convert::to_f64(cx, end)?;
        if !first.is_finite() || !last.is_finite() {
            return Err(domain_error(cx));
        }
        let drawn = origin.draw(cx, |mut source| figures::float_in_range(&mut source, first, last, exclusive))?;
        return match drawn {
            Some(f) => Ok(Drawn::Number(flo(cx, f)?)),
            None => Ok(Drawn::Nothing),
        };
    }
    let part = if width > 0.0 {
        origin.real(cx, exclusive)? * width
    } else if width == 0.0 && !exclusive {
        0.0
    } else {
        return Ok(Drawn::Nothing);
    };
    // A begin that is not a number (such as a Time) has a `+` for numbers.
    let sum = match check_float(cx, begin)? {
        Some(first) => flo(cx, part + first)?,
        None => {
            let part = flo(cx, part)?;
            call::send(cx, begin, sym::PLUS, &[part])?
        }
    };
    Ok(Drawn::Number(sum))
}

/// Interprets the argument of Random#rand.
fn limited(cx: &mut Cx, origin: Origin, limit: Value) -> R<Drawn> {
    if limit.is_nil() {
        return Ok(Drawn::Nothing);
    }
    if kind(limit) != Kind::Float
        && let Some(limit) = check_integer(cx, limit)?
    {
        return integer_below(cx, origin, limit, true);
    }
    if let Some(most) = check_float(cx, limit)? {
        if !most.is_finite() {
            return Err(domain_error(cx));
        }
        if most < 0.0 {
            return Ok(Drawn::Nothing);
        }
        let drawn = origin.draw(cx, |mut source| figures::float(&mut source, most))?;
        return Ok(Drawn::Number(flo(cx, drawn)?));
    }
    in_range(cx, origin, limit)
}

fn rand_of(cx: &mut Cx, origin: Origin, limit: Option<Value>) -> R {
    let Some(limit) = limit else {
        let f = origin.real(cx, true)?;
        return flo(cx, f);
    };
    match limited(cx, origin, limit)? {
        Drawn::Number(n) => Ok(n),
        Drawn::Nothing => Err(invalid_argument(cx, limit)),
        Drawn::NoLimit => {
            convert::to_i64(cx, limit)?;
            Err(invalid_argument(cx, limit))
        }
    }
}

/// The frequent cases of `rand`: no limit, or a positive fixnum, for a Random; undef for all others.
fn quick(cx: &mut Cx, random: Value, limit: Option<Value>) -> Value {
    let limit = match limit.map(|limit| limit.as_fixnum()) {
        None => 0,
        Some(Some(limit @ 1..)) => limit,
        Some(_) => return Value::UNDEF,
    };
    let Some(generator) = native::get_mut::<Generator>(cx, random) else { return Value::UNDEF };
    match limit {
        0 => {
            let f = figures::real(&mut generator.twister, true);
            object::float::new(cx, f)
        }
        _ => Value::fixnum(figures::up_to(&mut generator.twister, limit as u64 - 1) as i64),
    }
}

/// [`rand`] in its frequent cases.
pub fn quick_rand(cx: &mut Cx, args: Args) -> R {
    Ok(quick(cx, args.me(), args.opt(0)))
}

/// [`default_rand`] and [`kernel_rand`] in their frequent cases, after the first use of the default generator.
pub fn quick_default(cx: &mut Cx, args: Args) -> R {
    let random = cx.vm().default_random;
    Ok(if cx.isolated { Value::UNDEF } else { quick(cx, random, args.opt(0)) })
}

/// `rand(limit = nil) → number`: a Float from 0 up to 1, or a number below the limit or within the range. ArgumentError
/// for a limit that is not positive.
pub fn rand(cx: &mut Cx, args: Args) -> R {
    rand_of(cx, Origin(args.me()), args.opt(0))
}

/// `Random.rand(limit = nil) → number`: `Random#rand` of the default generator.
pub fn default_rand(cx: &mut Cx, args: Args) -> R {
    let origin = Origin(generator::default(cx)?);
    rand_of(cx, origin, args.opt(0))
}

/// `random_number(limit = nil)`, `rand(limit = nil) → number`: of Random::Formatter and its `rand`: like `Random#rand`,
/// but a limit out of range is ignored.
pub fn random_number(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let origin = if me == cx.class(runtime::Known::Random) { Origin(generator::default(cx)?) } else { Origin(me) };
    if let Some(limit) = args.opt(0) {
        match limited(cx, origin, limit)? {
            Drawn::Number(n) => return Ok(n),
            Drawn::Nothing => {}
            Drawn::NoLimit => return Err(invalid_argument(cx, limit)),
        }
    }
    let f = origin.real(cx, true)?;
    flo(cx, f)
}

/// `rand(limit = 0) → number`: of Kernel: like `Random.rand`, but the sign of negative limits is ignored and floats are
/// truncated to integers.
pub fn kernel_rand(cx: &mut Cx, args: Args) -> R {
    let origin = Origin(generator::default(cx)?);
    if let Some(limit) = args.non_nil(0) {
        match in_range_or_no_limit(cx, origin, limit)? {
            Drawn::Number(n) => return Ok(n),
            Drawn::Nothing => return Ok(Value::NIL),
            Drawn::NoLimit => {}
        }
        let limit = convert::to_integer(cx, limit)?;
        if let Drawn::Number(n) = integer_below(cx, origin, limit, false)? {
            return Ok(n);
        }
    }
    let f = origin.real(cx, true)?;
    flo(cx, f)
}

fn in_range_or_no_limit(cx: &mut Cx, origin: Origin, limit: Value) -> R<Drawn> {
    if kind(limit) == Kind::Other { in_range(cx, origin, limit) } else { Ok(Drawn::NoLimit) }
}

/// The size of a String of bytes; ArgumentError "negative string size (or size too big)".
fn size(cx: &mut Cx, v: Value) -> R<usize> {
    let n = convert::to_i64(cx, v)?;
    match usize::try_from(n) {
        Ok(n) if n < 1 << 46 => Ok(n),
        _ => Err(cx.argument_error("negative string size (or size too big)")),
    }
}

/// The longest String of bytes that is drawn without an allocation of its own.
const FEW_BYTES: usize = 256;

fn bytes_of(cx: &mut Cx, v: Value, count: Value) -> R {
    let count = size(cx, count)?;
    if count <= FEW_BYTES {
        let mut bytes = [0; FEW_BYTES];
        figures::bytes(&mut generator::of(cx, v)?.twister, &mut bytes[..count]);
        return Ok(make::string(cx, &bytes[..count], EncodingId::BINARY));
    }
    // The generator is in the heap, which the String needs too.
    let mut twister = generator::of(cx, v)?.twister.clone();
    let made = Str::filled(cx, count, EncodingId::BINARY, CodeRange::Unknown, |out| figures::bytes(&mut twister, out));
    let made = made.or_raise(cx)?;
    generator::of(cx, v)?.twister = twister;
    Ok(made.value())
}

/// `bytes(size) → string`: `size` random bytes, BINARY. ArgumentError for a negative size.
pub fn bytes(cx: &mut Cx, args: Args) -> R {
    bytes_of(cx, args.me(), args.at(0))
}

/// `Random.bytes(size) → string`: `size` bytes of the default generator. ArgumentError for a negative size.
pub fn default_bytes(cx: &mut Cx, args: Args) -> R {
    let v = generator::default(cx)?;
    bytes_of(cx, v, args.at(0))
}

/// `Random.urandom(size) → string`: `size` bytes of the operating system's random source.
pub fn urandom(cx: &mut Cx, args: Args) -> R {
    let count = size(cx, args.at(0))?;
    let mut filled = Ok(());
    let made = Str::filled(cx, count, EncodingId::BINARY, CodeRange::Unknown, |out| filled = host::random::fill(out));
    let made = made.or_raise(cx)?;
    if filled.is_err() {
        return Err(cx.runtime_error("failed to get urandom"));
    }
    Ok(made.value())
}
