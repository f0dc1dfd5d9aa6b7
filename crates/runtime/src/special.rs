//! `$~`, `$_` and regexp objects.

use std::sync::{Arc, atomic::AtomicU8};

use abi::{Scope, Type, Value};
use heap::Trace;
use memory::ToVector;
use object::{
    Known,
    array::Arr,
    cell,
    native::{self, NativeData},
    string::Str,
};
use text::encoding::EncodingId;

use crate::{Cx, R, Root, error::ErrorClass, make};

/// The data of a Regexp.
#[derive(Trace)]
pub struct RegexpData {
    /// Its source, a frozen String.
    pub source: Value,
    /// The encoding of the source, for searches, which do not read it.
    #[trace(skip)]
    pub encoding: EncodingId,
    #[trace(skip)]
    pub program: Arc<regexp::Program>,
    /// Ruby's option bits: IGNORECASE 1, EXTENDED 2, MULTILINE 4, FIXEDENCODING 16, NOENCODING 32.
    pub options: u8,
    /// The Regexp's own timeout in nanoseconds, or none.
    pub timeout: Option<u64>,
    /// The options and the encoding with which it was compiled: the program may have changed both.
    #[trace(skip)]
    pub compiled_with: (u8, EncodingId),
    /// The number plus one of the encoding of the text for which the last warning about binary patterns was printed.
    pub warned_of: AtomicU8,
}

impl NativeData for RegexpData {
    object::one_vtable!(RegexpData);

    fn sharing(&self) -> object::native::Sharing {
        object::native::Sharing::WhenFrozen
    }
}

/// The data of a MatchData, in its cell.
#[derive(Clone, Copy, Trace)]
pub struct MatchInfo {
    /// A Regexp, or the String that was searched for.
    pub regexp: Value,
    /// The frozen string that was searched.
    pub string: Value,
    /// The start and the end of every group in an Array, nil for a group that took no part; nil if `few` holds them.
    many: Value,
    #[trace(skip)]
    few: [(u32, u32); FEW_GROUPS],
    #[trace(skip)]
    count: u32,
    /// The number of characters before the match once it was counted, otherwise `NO_PART`.
    #[trace(skip)]
    pub characters_before: u32,
}

/// The places of up to this many groups, including the whole match, are in the MatchData itself.
const FEW_GROUPS: usize = 4;
/// The start of a group that took no part.
pub const NO_PART: u32 = u32::MAX;

impl MatchInfo {
    /// A match of `regexp` in the frozen `string`, neither of which is changed.
    pub fn new(cx: &mut Cx, regexp: Value, string: Value, captures: &regexp::Captures) -> MatchInfo {
        let spans = &captures.spans;
        let mut info = MatchInfo {
            regexp,
            string,
            many: Value::NIL,
            few: [(NO_PART, 0); FEW_GROUPS],
            count: spans.len() as u32,
            characters_before: NO_PART,
        };
        if spans.len() <= FEW_GROUPS && Str::of(string).len() < NO_PART as usize {
            for (few, &(start, end)) in info.few.iter_mut().zip(spans) {
                *few = (start as u32, end as u32);
            }
        } else {
            let places = spans.iter().flat_map(|&(start, end)| [start, end]);
            let places = places.map(|place| if place < 0 { Value::NIL } else { Value::fixnum(place as i64) });
            info.many = make::collected(cx, spans.len() * 2, places);
            cell::set_header(info.many, cell::header(info.many).with(abi::Flags::FROZEN));
        }
        info
    }

    /// The number of groups, the whole match among them.
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// The bytes of a group; `None` if it took no part or does not exist.
    #[inline]
    pub fn group(&self, group: usize) -> Option<(usize, usize)> {
        if self.many.is_nil() {
            let &(start, end) = self.few.get(group)?;
            return (start != NO_PART).then_some((start as usize, end as usize));
        }
        let place = |index| Some(Arr::of(self.many).get(index)?.as_fixnum()? as usize);
        Some((place(group.checked_mul(2)?)?, place(group * 2 + 1)?))
    }
}

impl NativeData for MatchInfo {
    object::one_vtable!(MatchInfo);

    fn sharing(&self) -> object::native::Sharing {
        object::native::Sharing::WhenFrozen
    }
}

/// RegexpError with the pattern.
#[cold]
fn invalid_pattern(cx: &mut Cx, message: &str, source: &[u8], encoding: EncodingId, options: u8) -> crate::Unwind {
    let mut shown = message.as_bytes().to_vector();
    shown.extend(b": /");
    text::inspect::regexp_source(encoding, source, Some(EncodingId::UTF_8), b'/', &mut shown);
    shown.push(b'/');
    for (letter, bit) in [(b'm', 4), (b'i', 1), (b'x', 2)] {
        if options & bit != 0 {
            shown.push(letter);
        }
    }
    let message = make::string(cx, &shown, EncodingId::UTF_8);
    cx.raise_with_string(ErrorClass::RegexpError, message)
}

/// Compiles a pattern; RegexpError if it is invalid.
pub fn compile_regexp(cx: &mut Cx, source: &[u8], encoding: EncodingId, options: u8) -> R<RegexpData> {
    let known = regexp::Encoding::from_ruby_name(encoding.name());
    let Some(engine_encoding) = known else {
        return Err(invalid_pattern(cx, "can't make regexp with dummy encoding", source, encoding, options));
    };
    let requested_encoding = encoding;
    match regexp::Program::compile_shared(source, regexp::Options::from_bits(options as i64), engine_encoding) {
        Ok(program) => {
            let encoding = match program.encoding() {
                _ if !program.is_fixed_encoding() && source.is_ascii() => EncodingId::US_ASCII,
                // Escapes of code points make a pattern UTF-8.
                regexp::Encoding::Binary if options & 32 != 0 => EncodingId::BINARY,
                regexp::Encoding::Utf8 if !encoding.is_unicode() => EncodingId::UTF_8,
                _ => encoding,
            };
            let source = make::string(cx, source, encoding);
            Str::of(source).freeze();
            let compiled_with = (options, requested_encoding);
            let options = options | if program.is_fixed_encoding() { 16 } else { 0 };
            Ok(RegexpData {
                source,
                encoding,
                program,
                options,
                timeout: None,
                compiled_with,
                warned_of: AtomicU8::new(0),
            })
        }
        Err(error) => Err(invalid_pattern(cx, &error.message, source, encoding, options)),
    }
}

/// A Regexp of class `class`.
pub fn make_regexp(cx: &mut Cx, class: Value, source: &[u8], encoding: EncodingId, options: u8) -> R {
    let data = compile_regexp(cx, source, encoding, options)?;
    Ok(native::new(cx, class, Box::new(data)))
}

/// A literal Regexp: frozen.
pub fn make_literal_regexp(cx: &mut Cx, source: &[u8], encoding: EncodingId, options: u8) -> R {
    let class = cx.class(Known::Regexp);
    let r = make_regexp(cx, class, source, encoding, options)?;
    cell::set_header(r, cell::header(r).with(abi::Flags::FROZEN));
    Ok(r)
}

/// How many Regexps of interpolated parts are remembered, a power of two.
const RECENT: usize = 32;

/// A literal Regexp of interpolated parts, which often recur: it shares its data with an equal one that was made
/// recently.
pub fn make_interpolated_regexp(cx: &mut Cx, source: Str, encoding: EncodingId, options: u8) -> R {
    let bytes = source.bytes(cx);
    let mix = |sum: usize, byte: &u8| sum.wrapping_mul(31).wrapping_add(*byte as usize);
    let slot = bytes.iter().rev().take(16).fold(bytes.len(), mix) % RECENT;
    let recent = cx.root(Root::RecentRegexps);
    let found = if recent.is_nil() { None } else { Arr::of(recent).get(slot) };
    let class = cx.class(Known::Regexp);
    if let Some(found) = found
        && let Some(data) = native::get::<RegexpData>(&found)
        && data.compiled_with == (options, encoding)
        && source.is(Str::of(data.source).bytes(cx))
    {
        let data = RegexpData {
            source: data.source,
            encoding: data.encoding,
            program: data.program.clone(),
            options: data.options,
            timeout: None,
            compiled_with: data.compiled_with,
            warned_of: AtomicU8::new(0),
        };
        let r = native::new(cx, class, Box::new(data));
        cell::set_header(r, cell::header(r).with(abi::Flags::FROZEN));
        return Ok(r);
    }
    let bytes = source.to_vector();
    let r = match make_literal_regexp(cx, &bytes, encoding, options) {
        Ok(r) => r,
        Err(unwind) => return Err(error_of_text(cx, unwind, &bytes, encoding, options)),
    };
    if recent.is_nil() {
        let list = make::array(cx, &[Value::NIL; RECENT]);
        cx.set_root(Root::RecentRegexps, list);
    }
    let recent = cx.root(Root::RecentRegexps);
    let _ = Arr::of(recent).set(cx, slot, r);
    Ok(r)
}

/// Invalid escapes and characters in interpolated parts are ArgumentErrors.
#[cold]
fn error_of_text(
    cx: &mut Cx,
    unwind: crate::Unwind,
    source: &[u8],
    encoding: EncodingId,
    options: u8,
) -> crate::Unwind {
    let Some(engine) = regexp::Encoding::from_ruby_name(encoding.name()) else { return unwind };
    match regexp::Program::compile(source, regexp::Options::from_bits(i64::from(options)), engine) {
        Err(error) if error.in_text => match cx.take_exception(unwind) {
            Ok(_) => cx.argument_error(&error.message),
            Err(unwind) => unwind,
        },
        _ => unwind,
    }
}

/// Where the running Ruby code stores `$~` and `$_`.
enum Keeper {
    /// The method's scope.
    Scope(*mut Scope),
    /// The thread: its block does not share a method's variables with other threads.
    Thread,
}

fn keeper(cx: &Cx) -> Option<Keeper> {
    let frame = calling_frame(cx)?;
    // SAFETY: the scope chain of a live frame is alive.
    let home = unsafe { Scope::home(&raw const frame.scope) };
    if home == cx.thread_home {
        return Some(Keeper::Thread);
    }
    // SAFETY: `home` is a scope of that chain.
    let environment = unsafe { (*home).environment };
    if environment.is_heap() && object::environment::is_isolated(environment) {
        // Ractors share an isolated block, but not its matches.
        return Some(Keeper::Thread);
    }
    if environment.is_heap()
        && object::environment::is_open(environment)
        && let Some(frame) = cx.frame_of_scope(home)
    {
        // SAFETY: `frame_of_scope` gives live frames.
        return Some(Keeper::Scope(unsafe { &raw mut (*frame).scope }));
    }
    Some(Keeper::Scope(home.cast_mut()))
}

/// The innermost frame of the program's own code. For a block of the Ruby half, which anything may call (for example a
/// program's `each`), the caller of the block's method.
fn calling_frame(cx: &Cx) -> Option<&abi::Frame> {
    let mut skipped_to: Option<*const abi::Frame> = None;
    cx.frames().find(|f| {
        if skipped_to.is_some_and(|home| !std::ptr::eq(home, *f)) {
            return false;
        }
        skipped_to = None;
        if f.flags & abi::FrameFlags::NATIVE != 0 || f.scope.code.is_nil() {
            return false;
        }
        let internal = crate::code::code(&f.scope.code).internal;
        if internal && !f.scope.outer.is_null() {
            // SAFETY: the scope chain of a live frame is alive.
            let home = unsafe { Scope::home(&raw const f.scope) };
            skipped_to = cx.frame_of_scope(home).map(|home| home.cast_const());
        }
        !internal
    })
}

/// The stored value: `$~`, or an Array of it and `$_`.
fn stored(cx: &Cx) -> Value {
    kept_by(cx, &keeper(cx))
}

fn kept_by(cx: &Cx, keeper: &Option<Keeper>) -> Value {
    match *keeper {
        // SAFETY: `keeper` gives scopes of live frames only.
        Some(Keeper::Scope(scope)) => unsafe { (*scope).special },
        Some(Keeper::Thread) => cx.thread_special,
        None => Value::NIL,
    }
}

/// Stores in what [`keeper`] just found.
fn keep(cx: &mut Cx, keeper: Option<Keeper>, to: Value) {
    match keeper {
        // SAFETY: `keeper` gives scopes of live frames only; an environment's scope needs the barrier.
        Some(Keeper::Scope(scope)) => unsafe {
            (*scope).special = to;
            let environment = (*scope).environment;
            if environment.is_heap() {
                cx.barrier(environment, to);
            }
        },
        Some(Keeper::Thread) => cx.thread_special = to,
        None => {}
    }
}

/// `$~`: a MatchData or nil.
pub fn last_match(cx: &Cx) -> Value {
    let kept = stored(cx);
    if cell::is(kept, Type::Array) { object::array::Arr::of(kept).at(0) } else { kept }
}

/// Sets `$~` for the calling Ruby code.
pub fn set_last_match(cx: &mut Cx, to: Value) {
    let keeper = keeper(cx);
    let kept = kept_by(cx, &keeper);
    if cell::is(kept, Type::Array) {
        let _ = Arr::of(kept).set(cx, 0, to);
    } else {
        keep(cx, keeper, to);
    }
}

/// `$_`
pub fn last_line(cx: &Cx) -> Value {
    let kept = stored(cx);
    if cell::is(kept, Type::Array) { object::array::Arr::of(kept).at(1) } else { Value::NIL }
}

pub fn set_last_line(cx: &mut Cx, to: Value) {
    let kept = stored(cx);
    if cell::is(kept, Type::Array) {
        let _ = object::array::Arr::of(kept).set(cx, 1, to);
    } else {
        let both = make::array(cx, &[kept, to]);
        let keeper = keeper(cx);
        keep(cx, keeper, both);
    }
}

/// Group `n` of `$~` as a new String or nil; see `Intrinsic::BackReference` for numbers up to 0.
pub fn back_reference(cx: &mut Cx, n: i64) -> Value {
    let m = last_match(cx);
    if n == 0 {
        return m;
    }
    let Some(info) = native::get::<MatchInfo>(&m) else { return Value::NIL };
    let range = match n {
        -1 => info.group(0),
        -2 => info.group(0).map(|(start, _)| (0, start)),
        -3 => info.group(0).map(|(_, end)| (end, Str::of(info.string).len())),
        -4 => (1..info.count()).rev().find_map(|g| info.group(g)),
        n => info.group(n as usize),
    };
    match range {
        Some((start, end)) => Str::of(info.string).slice(cx, start, end - start).map_or(Value::NIL, |s| s.value()),
        None => Value::NIL,
    }
}

/// The program of a Regexp object.
pub fn program_of(r: &Value) -> &regexp::Program {
    &native::get::<RegexpData>(r).expect("a Regexp holds a program").program
}
