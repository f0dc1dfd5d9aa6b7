//! Arrays and objects nested so deep that reading each in a call of its own would exhaust the native stack.

use object::{array::Arr, hash::HashRef};
use runtime::{Cx, R, Value, error::OrRaise, make};

use super::{
    parser::Duplicates,
    reader::{Reader, store},
};

/// From this depth on, containers are read in a loop.
pub const DEEP: i64 = 1_000;

/// The words of an open container: itself, the key of the value that is being read, the position of its first byte,
/// the first key that occurred twice or undef.
const WORDS: usize = 4;

impl Reader<'_> {
    /// The array or object at the current position.
    pub fn deep(&mut self, cx: &mut Cx) -> R {
        let open = make::array(cx, &[]);
        loop {
            let mut v = match self.peek() {
                Some(first @ (b'[' | b'{')) => match self.open(cx, open, first)? {
                    None => continue,
                    Some(empty) => empty,
                },
                _ => self.value(cx)?,
            };
            // The value is complete, and so may be the containers that it is the last of.
            loop {
                let Some(top) = Arr::of(open).len().checked_sub(WORDS) else { return Ok(v) };
                self.add(cx, open, top, v)?;
                if !self.is_at_end(cx, open, top)? {
                    break;
                }
                v = self.close(cx, open, top)?;
                if top > 0 {
                    v = self.loaded(cx, v)?;
                }
            }
        }
    }

    /// Begins a container, up to its first value; an empty one is complete.
    fn open(&mut self, cx: &mut Cx, open: Value, first: u8) -> R<Option<Value>> {
        let start = self.at;
        let container = if first == b'[' { make::array(cx, &[]) } else { HashRef::new(cx).value() };
        self.at += 1;
        self.skip(cx)?;
        if self.peek() == Some(if first == b'[' { b']' } else { b'}' }) {
            self.at += 1;
            let v = self.frozen(cx, container)?;
            return if Arr::of(open).is_empty() { Ok(Some(v)) } else { self.loaded(cx, v).map(Some) };
        }
        self.enter(cx)?;
        let key = if first == b'{' { self.member(cx, true)? } else { Value::NIL };
        for word in [container, key, Value::fixnum(start as i64), Value::UNDEF] {
            make::push(cx, open, word);
        }
        self.skip(cx)?;
        Ok(None)
    }

    /// Adds a value to the innermost container.
    fn add(&mut self, cx: &mut Cx, open: Value, top: usize, v: Value) -> R<()> {
        let word = |i| Arr::of(open).get(top + i).unwrap_or(Value::NIL);
        let (container, key) = (word(0), word(1));
        let Some(array) = Arr::from_value(container) else {
            let is_new = store(cx, HashRef::of(container), key, v, None)?;
            if !is_new && word(3).is_undef() {
                Arr::of(open).set(cx, top + 3, key).or_raise(cx)?;
            }
            return Ok(());
        };
        array.push(cx, v).or_raise(cx)
    }

    /// Whether the innermost container ends here; otherwise the next value begins here, after its key.
    fn is_at_end(&mut self, cx: &mut Cx, open: Value, top: usize) -> R<bool> {
        let is_array = Arr::of(open).get(top).is_some_and(|container| Arr::from_value(container).is_some());
        let end = if is_array { b']' } else { b'}' };
        self.skip(cx)?;
        match self.peek() {
            Some(b',') => self.at += 1,
            Some(byte) if byte == end => return Ok(true),
            _ if is_array => return Err(self.error(cx, "expected ',' or ']' after array value")),
            _ => return Err(self.error(cx, "expected ',' or '}' after object value, got: %s")),
        }
        self.skip(cx)?;
        if self.allows_trailing_comma() && self.peek() == Some(end) {
            return Ok(true);
        }
        if !is_array {
            let key = self.member(cx, false)?;
            Arr::of(open).set(cx, top + 1, key).or_raise(cx)?;
            self.skip(cx)?;
        }
        Ok(false)
    }

    /// Ends the innermost container, at its last byte.
    fn close(&mut self, cx: &mut Cx, open: Value, top: usize) -> R {
        let word = |i| Arr::of(open).get(top + i).unwrap_or(Value::NIL);
        let (container, start, repeated) = (word(0), word(2), word(3));
        Arr::of(open).truncate(cx, top);
        self.leave();
        if !repeated.is_undef() && self.duplicates() != Duplicates::Ignore {
            self.repeated(cx, repeated, start.as_fixnum().unwrap_or(0) as usize)?;
        }
        self.at += 1;
        self.frozen(cx, container)
    }
}
