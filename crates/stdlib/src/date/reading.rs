//! `strptime` for plain texts: a shortcut of the Ruby half, which also handles names of zones, numbers of any length
//! and other scripts.

use object::{Sym, hash::HashRef, string::Str, symbol::table::intern_text};
use runtime::{Args, Cx, Method, R, Value, call, keys, make};
use text::encoding::EncodingId;

pub const SINGLETON: &[Method] =
    &[Method::new("read_directives(string, at, format, found)", read_directives).private().shortcut()];

const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
];

/// The reason why reading stops.
enum Stop {
    /// The text does not match the format.
    Mismatch,
    /// The Ruby half must decide.
    Difficult,
    Raised(runtime::Unwind),
}

impl From<runtime::Unwind> for Stop {
    fn from(unwind: runtime::Unwind) -> Stop {
        Stop::Raised(unwind)
    }
}

type Step<T> = Result<T, Stop>;

/// `read_directives(string, at, format, found) → integer or nil`: the position after the part of the string from `at`
/// on that the format matches, nil if it does not match; the fields are put into `found`.
fn read_directives(cx: &mut Cx, args: Args) -> R {
    let (string, format, found) = (args.at(0), args.at(2), args.at(3));
    let plain = |v: Value| Str::from_value(v).is_some_and(|s| s.is_all_ascii());
    if !plain(string) || !plain(format) || args.at(1) != Value::fixnum(0) || !HashRef::of(found).is_empty() {
        return Ok(Value::UNDEF);
    }
    let text = Str::of(string).to_vector();
    let format = Str::of(format).to_vector();
    let mut reader = Reader { text: &text, encoding: Str::of(string).encoding(), at: 0, found, me: args.me() };
    match reader.read(cx, &format) {
        Ok(()) => Ok(Value::fixnum(reader.at as i64)),
        Err(Stop::Mismatch) => Ok(Value::NIL),
        Err(Stop::Difficult) => {
            HashRef::of(found).clear(cx);
            Ok(Value::UNDEF)
        }
        Err(Stop::Raised(unwind)) => Err(unwind),
    }
}

struct Reader<'a> {
    text: &'a [u8],
    encoding: EncodingId,
    at: usize,
    /// The components found: a Hash.
    found: Value,
    /// Date or DateTime.
    me: Value,
}

impl Reader<'_> {
    fn read(&mut self, cx: &mut Cx, format: &[u8]) -> Step<()> {
        let mut place = 0;
        while let Some(&letter) = format.get(place) {
            if is_space(letter) {
                while self.rest().first().is_some_and(|b| is_space(*b)) {
                    self.at += 1;
                }
                place += 1;
            } else if letter == b'%'
                && let Some((directive, length)) = directive_at(&format[place..])
            {
                place += length;
                self.directive(cx, directive, number_follows(&format[place..]))?;
            } else {
                self.literal(letter)?;
                place += 1;
            }
        }
        Ok(())
    }

    fn rest(&self) -> &[u8] {
        &self.text[self.at..]
    }

    fn literal(&mut self, letter: u8) -> Step<()> {
        if self.rest().first() != Some(&letter) {
            return Err(Stop::Mismatch);
        }
        self.at += 1;
        Ok(())
    }

    fn store(&self, cx: &mut Cx, name: &str, value: Value) -> Step<()> {
        let name = intern_text(cx, name);
        Ok(keys::store(cx, self.found, name.value(), value)?)
    }

    fn directive(&mut self, cx: &mut Cx, directive: u8, number_follows: bool) -> Step<()> {
        if let Some(format) = composed(directive) {
            return self.read(cx, format);
        }
        if let Some(number) = number(directive) {
            return self.number(cx, directive, number);
        }
        match directive {
            b'a' | b'A' => self.name(cx, &DAYS, "wday", 0),
            b'b' | b'B' | b'h' => self.name(cx, &MONTHS, "mon", 1),
            b'C' => {
                let n = self.signed(if number_follows { 2 } else { usize::MAX })?;
                self.store(cx, "_cent", Value::fixnum(n))
            }
            b'Y' | b'G' => {
                let n = self.signed(if number_follows { 4 } else { usize::MAX })?;
                self.store(cx, if directive == b'Y' { "year" } else { "cwyear" }, Value::fixnum(n))
            }
            b'y' | b'g' => self.short_year(cx, if directive == b'y' { "year" } else { "cwyear" }),
            b'L' | b'N' => {
                let most = if directive == b'L' { 3 } else { 9 };
                self.fraction(cx, if number_follows { most } else { usize::MAX })
            }
            b'p' | b'P' => self.half(cx),
            b's' => {
                let n = self.negatable()?;
                self.store(cx, "seconds", Value::fixnum(n))
            }
            b'Q' => {
                let n = self.negatable()?;
                let seconds = rational(cx, n, 1000)?;
                self.store(cx, "seconds", seconds)
            }
            b'z' | b'Z' => self.zone(cx),
            _ => self.literal(b'%'),
        }
    }

    /// Up to `most` digits.
    fn digits(&mut self, most: usize) -> Step<i64> {
        let count = self.rest().iter().take(most).take_while(|b| b.is_ascii_digit()).count();
        match count {
            0 => Err(Stop::Mismatch),
            1..=17 => {
                let n = self.rest()[..count].iter().fold(0, |n, b| n * 10 + i64::from(b - b'0'));
                self.at += count;
                Ok(n)
            }
            _ => Err(Stop::Difficult),
        }
    }

    fn signed(&mut self, most: usize) -> Step<i64> {
        match self.rest().first() {
            Some(b'+') => {
                self.at += 1;
                self.digits(most)
            }
            _ => self.signed_digits(most),
        }
    }

    fn negatable(&mut self) -> Step<i64> {
        self.signed_digits(usize::MAX)
    }

    fn signed_digits(&mut self, most: usize) -> Step<i64> {
        let negative = self.rest().first() == Some(&b'-');
        self.at += usize::from(negative);
        let n = self.digits(most)?;
        Ok(if negative { -n } else { n })
    }

    fn number(&mut self, cx: &mut Cx, directive: u8, (width, least, most, key): Number) -> Step<()> {
        let padded = b"deHkIl".contains(&directive) && self.rest().first() == Some(&b' ');
        self.at += usize::from(padded);
        let n = self.digits(if padded { 1 } else { width })?;
        if n < least || n > most {
            return Err(Stop::Mismatch);
        }
        self.store(cx, key, Value::fixnum(n))
    }

    fn name(&mut self, cx: &mut Cx, names: &[&str], key: &str, first: i64) -> Step<()> {
        for (i, name) in names.iter().enumerate() {
            for name in [name.as_bytes(), &name.as_bytes()[..3]] {
                if self.rest().get(..name.len()).is_some_and(|text| text.eq_ignore_ascii_case(name)) {
                    self.at += name.len();
                    return self.store(cx, key, Value::fixnum(i as i64 + first));
                }
            }
        }
        Err(Stop::Mismatch)
    }

    fn short_year(&mut self, cx: &mut Cx, key: &str) -> Step<()> {
        let n = self.digits(2)?;
        self.store(cx, key, Value::fixnum(n))?;
        let name = intern_text(cx, "_cent");
        if keys::get(cx, self.found, name.value())?.is_none() {
            self.store(cx, "_cent", Value::fixnum(if n >= 69 { 19 } else { 20 }))?;
        }
        Ok(())
    }

    fn fraction(&mut self, cx: &mut Cx, most: usize) -> Step<()> {
        let sign = matches!(self.rest().first(), Some(b'-' | b'+'));
        let start = self.at + usize::from(sign);
        let n = self.signed(most)?;
        let scale = 10_i64.pow((self.at - start) as u32);
        let fraction = rational(cx, n, scale)?;
        self.store(cx, "sec_fraction", fraction)
    }

    /// `am`, `A.M.`
    fn half(&mut self, cx: &mut Cx) -> Step<()> {
        let rest = self.rest().to_ascii_lowercase();
        let dotted = matches!(rest.as_slice(), [b'a' | b'p', b'.', b'm', b'.', ..]);
        let ends = !rest.get(2).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        let plain = matches!(rest.as_slice(), [b'a' | b'p', b'm', ..]) && ends;
        if !dotted && !plain {
            return Err(Stop::Mismatch);
        }
        self.at += if dotted { 4 } else { 2 };
        self.store(cx, "_merid", Value::fixnum(if rest[0] == b'p' { 12 } else { 0 }))
    }

    /// `+09:00`, and names of letters after which no other word follows; the Ruby half handles other names.
    fn zone(&mut self, cx: &mut Cx) -> Step<()> {
        let rest = self.rest();
        let count = |from: usize| rest[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let length = match rest {
            [letter, ..] if letter.is_ascii_alphabetic() => {
                let end = rest.iter().take_while(|b| b.is_ascii_alphabetic()).count();
                let spaces = rest[end..].iter().take_while(|b| is_space(**b)).count();
                match rest.get(end + spaces) {
                    None => end,
                    Some(next) if spaces > 0 && next.is_ascii_digit() => end,
                    Some(_) => return Err(Stop::Difficult),
                }
            }
            [b'+' | b'-', ..] if count(1) > 0 => {
                let mut end = 1 + count(1);
                if matches!(rest.get(end), Some(b',' | b'.' | b':')) && count(end + 1) > 0 {
                    end += 1 + count(end + 1);
                    if rest.get(end) == Some(&b':') && count(end + 1) > 0 {
                        end += 1 + count(end + 1);
                    }
                }
                end
            }
            _ => return Err(Stop::Difficult),
        };
        let zone = make::string(cx, &self.rest()[..length], self.encoding);
        self.at += length;
        self.store(cx, "zone", zone)?;
        let name = intern_text(cx, "zone_to_diff");
        let offset = call::send_private(cx, self.me, name, &[zone])?;
        self.store(cx, "offset", offset)
    }
}

fn rational(cx: &mut Cx, numerator: i64, denominator: i64) -> Step<Value> {
    let name: Sym = intern_text(cx, "quo");
    let quotient = call::send(cx, Value::fixnum(numerator), name, &[Value::fixnum(denominator)])?;
    // Rational(n, d) stays a Rational even if it is whole.
    Ok(call::send(cx, quotient, runtime::sym::TO_R, &[])?)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The directive at the start of the format and its length, including modifiers; `None` if a `%` is literal.
fn directive_at(format: &[u8]) -> Option<(u8, usize)> {
    let modifier = match format {
        [_, b'E', letter, ..] if b"cCxXyY".contains(letter) => 1,
        [_, b'O', letter, ..] if b"deHImMSuUVwWy".contains(letter) => 1,
        [_, b':', b':', b':', b'z', ..] => 3,
        [_, b':', b':', b'z', ..] => 2,
        [_, b':', b'z', ..] => 1,
        _ => 0,
    };
    let letter = *format.get(1 + modifier)?;
    let known = number(letter).is_some() || composed(letter).is_some() || b"aAbBhCgGLNpPQsYyZz%".contains(&letter);
    known.then_some((letter, 2 + modifier))
}

/// Whether a number follows in the format, so that digits must be counted.
fn number_follows(format: &[u8]) -> bool {
    let number = |b: &u8| b"CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy".contains(b) || b.is_ascii_digit();
    match format {
        [first, ..] if first.is_ascii_digit() => true,
        [b'%', b'E' | b'O', letter, ..] if number(letter) => true,
        [b'%', letter, ..] => number(letter),
        _ => false,
    }
}

/// The maximum number of digits, the minimum and maximum value, and the component.
type Number = (usize, i64, i64, &'static str);

fn number(directive: u8) -> Option<Number> {
    Some(match directive {
        b'H' | b'k' => (2, 0, 24, "hour"),
        b'I' | b'l' => (2, 1, 12, "hour"),
        b'd' | b'e' => (2, 1, 31, "mday"),
        b'j' => (3, 1, 366, "yday"),
        b'm' => (2, 1, 12, "mon"),
        b'M' => (2, 0, 59, "min"),
        b'S' => (2, 0, 60, "sec"),
        b'U' => (2, 0, 53, "wnum0"),
        b'W' => (2, 0, 53, "wnum1"),
        b'u' => (1, 1, 7, "cwday"),
        b'V' => (2, 1, 53, "cweek"),
        b'w' => (1, 0, 6, "wday"),
        _ => return None,
    })
}

/// The format that a composite directive expands to.
fn composed(directive: u8) -> Option<&'static [u8]> {
    Some(match directive {
        b'c' => b"%a %b %e %H:%M:%S %Y",
        b'D' | b'x' => b"%m/%d/%y",
        b'F' => b"%Y-%m-%d",
        b'n' | b't' => b" ",
        b'R' => b"%H:%M",
        b'r' => b"%I:%M:%S %p",
        b'T' | b'X' => b"%H:%M:%S",
        b'v' => b"%e-%b-%Y",
        b'+' => b"%a %b %e %H:%M:%S %Z %Y",
        _ => return None,
    })
}
