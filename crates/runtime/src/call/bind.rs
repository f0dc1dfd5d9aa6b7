//! Arranging arguments in a new frame's registers.

use abi::{FrameFlags, Value};
use object::{
    Sym,
    array::{self, Arr},
    hash::HashRef,
};

use super::{
    Window,
    counts::least_named,
    description::{Call, Keywords, flagged_keywords, hash_of_names},
};
use crate::{Cx, R, Root, code::Code, error::ErrorClass, keyword_hash};

/// Arranges the arguments of a call in the running frame's registers from 1 on: positional arguments, then the values
/// of `Keywords::Names`. `lenient`: a block that is not a lambda.
pub fn bind(cx: &mut Cx, code: &Code, call: &Call, lenient: bool) -> R<()> {
    let Call { count, keywords, list, .. } = *call;
    let p = &code.parameters;
    let slots = Window::of_frame(cx);
    if let Keywords::Names(names) = keywords
        && keywords_lie_in_place(code, count, names)
    {
        for i in names.len()..code.keyword_names().len() {
            slots.set(p.first_keyword as usize + i, Value::UNDEF);
        }
        clear_rest(cx, code, slots);
        return Ok(());
    }
    if p.packed {
        let count = keywords_to_positional(cx, slots, count, keywords, false)?;
        let packed = pack(cx, slots, count);
        clear_rest(cx, code, slots);
        slots.set(1, packed);
        slots.set(2, Value::bool(count != 1));
        return Ok(());
    }
    let mut count = count;
    let takes_keywords = !p.keywords.is_empty() || p.keyword_rest.is_some();
    let keywords = if takes_keywords {
        keywords
    } else {
        let had = count;
        count = keywords_to_positional(cx, slots, count, keywords, refuses_keywords(p, keywords))?;
        if count > had && code.ruby2_keywords.get() && p.rest.is_some() {
            HashRef::of(slots.get(count)).set_ruby2_keywords(true);
        }
        Keywords::None
    };
    let (required, optional, post) = (p.required as usize, p.optional as usize, p.post as usize);
    let hash_of_names = matches!(keywords, Keywords::Names(_));
    // The values of named keywords follow the positional arguments: save them first.
    let mut named = [Value::UNDEF; 16];
    let named_overflow = if let Keywords::Names(names) = keywords {
        if names.len() <= named.len() {
            for (i, value) in named.iter_mut().enumerate().take(names.len()) {
                *value = slots.get(1 + count + i);
            }
            Value::NIL
        } else {
            let values = slots.slice(1 + count, names.len());
            crate::make::array(cx, values)
        }
    } else {
        Value::NIL
    };
    if lenient {
        if cx.frame().flags & FrameFlags::WITH_KEYWORDS == 0 || takes_only_required(p) {
            count = autosplat(cx, code, slots, count)?;
        }
        count = adjust_count(slots, count, required + post, required + optional + post, p.rest.is_some());
    }
    if count < required + post || (p.rest.is_none() && count > required + optional + post) {
        return Err(wrong_count(cx, code, count));
    }
    let given_optional = optional.min(count - required - post);
    let rest_count = count - required - post - given_optional;
    let after_rest = 1 + required + given_optional;
    let is_lent = call.flags & FrameFlags::LENT_LIST != 0;
    let was_flagged = is_lent && Arr::of(list).iter().next_back().is_some_and(flagged_keywords);
    let rest = match p.rest {
        Some(_) if rest_count == 0 && code.shares_rest && !was_flagged => cx.root(Root::EmptyRest),
        Some(_) if is_lent => {
            let given = slots.slice(after_rest, rest_count);
            match code.shares_rest && Arr::of(list).elements(cx) == given {
                true => list,
                false => crate::make::array(cx, given),
            }
        }
        Some(_) => match own_rest(cx, list, slots, (after_rest, rest_count)) {
            Some(rest) => rest,
            None => crate::make::array(cx, slots.slice(after_rest, rest_count)),
        },
        None => Value::NIL,
    };
    // Required arguments after the rest move to their registers. The direction of the copy depends on the overlap.
    let post_from = after_rest + rest_count;
    let post_to = 1 + required + optional + p.rest.is_some() as usize;
    slots.shift(post_from, post_to, post);
    for i in given_optional..optional {
        slots.set(1 + required + i, Value::UNDEF);
    }
    if let Some(register) = p.rest {
        slots.set(register as usize, rest);
    }
    if takes_keywords {
        if hash_of_names && !named_overflow.is_nil() {
            let values = array::Arr::of(named_overflow);
            crate::args::spread(cx, values, |cx, values| {
                bind_keywords(cx, code, slots, (keywords, was_flagged), values)
            })?;
        } else {
            bind_keywords(cx, code, slots, (keywords, was_flagged), &named)?;
        }
    }
    if let Some(register) = p.block {
        // A Proc is made when the register is first read.
        slots.set(register as usize, Value::UNDEF);
    }
    clear_rest(cx, code, slots);
    Ok(())
}

/// The Array that was made for the call as the value of the rest parameter, whose elements are `count` registers from
/// `from` on. `None` if the arguments are no longer the Array's elements.
fn own_rest(cx: &mut Cx, list: Value, slots: Window, (from, count): (usize, usize)) -> Option<Value> {
    if list.is_undef() {
        return None;
    }
    let (list, front) = (Arr::of(list), from - 1);
    let shared = list.len().checked_sub(front)?.min(count);
    // A Hash of keywords may follow.
    if count - shared > 1 || list.elements(cx)[front..front + shared] != *slots.slice(from, shared) {
        return None;
    }
    if front > 0 {
        list.drop_front(cx, front);
    }
    if list.len() > shared {
        list.truncate(cx, shared);
    }
    if count > shared {
        crate::make::push(cx, list.value(), slots.get(from + shared));
    }
    Some(list.value())
}

/// Whether the only parameters are required ones before a rest.
fn takes_only_required(p: &bytecode::Parameters) -> bool {
    p.optional == 0
        && p.rest.is_none()
        && p.post == 0
        && p.keywords.is_empty()
        && p.keyword_rest.is_none()
        && !p.no_keywords
        && p.block.is_none()
}

/// The values of a `yield` as one value.
fn pack(cx: &mut Cx, slots: Window, count: usize) -> Value {
    match count {
        0 => Value::NIL,
        1 => slots.get(1),
        _ => crate::make::array(cx, slots.slice(1, count)),
    }
}

/// Whether the arguments are already in the registers of the parameters: as many as are required, then keywords in the
/// order of their parameters, where only optional ones at the end may be missing.
fn keywords_lie_in_place(code: &Code, count: usize, names: &[Sym]) -> bool {
    let p = &code.parameters;
    let known = code.keyword_names();
    p.optional == 0
        && p.rest.is_none()
        && p.post == 0
        && p.keyword_rest.is_none()
        && p.block.is_none()
        && count == p.required as usize
        && p.first_keyword as usize == 1 + count
        && names.len() <= known.len()
        && names.iter().zip(known).all(|(name, (known, _))| name == known)
        && known[names.len()..].iter().all(|(_, required)| !required)
}

/// Registers above the parameters may still hold arguments: they become nil.
fn clear_rest(cx: &mut Cx, code: &Code, slots: Window) {
    let frame = cx.frame_mut();
    for i in 1 + code.parameter_count as usize..frame.registers as usize {
        slots.set(i, Value::NIL);
    }
    frame.registers = code.registers as u32;
}

/// Whether parameters with `**nil` refuse these keywords. A hash flagged by ruby2_keywords, from a splat, becomes a
/// positional argument instead unless a rest parameter takes it.
fn refuses_keywords(p: &bytecode::Parameters, keywords: Keywords) -> bool {
    p.no_keywords
        && !(p.rest.is_none() && matches!(keywords, Keywords::Hash(h) | Keywords::Own(h) if flagged_keywords(h)))
}

/// For a callee without keyword parameters, the keywords become one hash after the other arguments.
fn keywords_to_positional(cx: &mut Cx, slots: Window, count: usize, keywords: Keywords, refused: bool) -> R<usize> {
    let hash = match keywords {
        Keywords::None => return Ok(count),
        Keywords::Hash(h) | Keywords::Own(h) if HashRef::of(h).is_empty() => {
            slots.set(1 + count, Value::NIL);
            return Ok(count);
        }
        Keywords::Hash(h) => keyword_hash::dup(cx, h),
        Keywords::Own(h) => h,
        Keywords::Names(names) => hash_of_names(cx, names, slots, count)?,
    };
    if refused {
        return Err(cx.argument_error("no keywords accepted"));
    }
    if let Keywords::Names(names) = keywords {
        for i in 0..names.len() {
            slots.set(1 + count + i, Value::NIL);
        }
    }
    slots.set(1 + count, hash);
    Ok(count + 1)
}

/// A block that takes several values destructures a single array.
fn autosplat(cx: &mut Cx, code: &Code, slots: Window, count: usize) -> R<usize> {
    let p = &code.parameters;
    let named = (p.required + p.post + p.optional) as usize;
    let several = named > 1 || p.trailing_comma || (named == 1 && p.rest.is_some());
    let several = several && !(named == 1 && p.rest.is_none() && !p.trailing_comma);
    if count != 1 || !several || p.numbered == 10 {
        return Ok(count);
    }
    let only = slots.get(1);
    let list = match Arr::from_value(only) {
        Some(list) => list,
        None => {
            let to_ary = cx.vm().upper.to_ary;
            let Some(list) = to_ary(cx, only)? else { return Ok(1) };
            list
        }
    };
    let length = list.len();
    let fits = if p.rest.is_some() { length } else { length.min(named) };
    cx.check_stack(slots.base(), fits + code.registers as usize + 2)?;
    let frame = cx.frame_mut();
    for i in frame.registers as usize..fits + 2 {
        slots.set(i, Value::NIL);
    }
    frame.registers = frame.registers.max(fits as u32 + 2);
    for (i, v) in list.iter().take(fits).enumerate() {
        slots.set(1 + i, v);
    }
    Ok(fits)
}

/// Missing arguments of a block are nil, superfluous ones are dropped.
fn adjust_count(slots: Window, count: usize, least: usize, most: usize, rest: bool) -> usize {
    if count < least {
        for i in count..least {
            slots.set(1 + i, Value::NIL);
        }
        return least;
    }
    if rest { count } else { count.min(most) }
}

/// `was_flagged`: the keywords are those of a Hash that `ruby2_keywords` has flagged, which is not passed on itself.
fn bind_keywords(
    cx: &mut Cx,
    code: &Code,
    slots: Window,
    (keywords, was_flagged): (Keywords, bool),
    named: &[Value],
) -> R<()> {
    let p = &code.parameters;
    let first = p.first_keyword as usize;
    let mut missing: Vec<Sym> = Vec::new();
    let mut used = 0;
    for (i, (name, required)) in code.keyword_names().iter().enumerate() {
        let value = match keywords {
            Keywords::None => Value::UNDEF,
            Keywords::Hash(h) | Keywords::Own(h) => keyword_hash::get_symbol(cx, h, *name),
            Keywords::Names(names) => names.iter().rposition(|n| n == name).map_or(Value::UNDEF, |at| named[at]),
        };
        if !value.is_undef() {
            used += 1;
        } else if *required {
            missing.push(*name);
        }
        slots.set(first + i, value);
    }
    if !missing.is_empty() {
        return Err(keyword_error(cx, "missing", &missing.iter().map(|s| s.value()).collect::<Names>().0));
    }
    let given = match keywords {
        Keywords::None => 0,
        Keywords::Hash(h) | Keywords::Own(h) => HashRef::of(h).len(),
        Keywords::Names(names) => names.len(),
    };
    if let Some(register) = p.keyword_rest {
        let rest = keyword_rest(cx, code, (keywords, was_flagged), named, used < given)?;
        slots.set(register as usize, rest);
    } else if used < given {
        let unknown = unknown_keywords(code, keywords);
        return Err(keyword_error(cx, "unknown", &unknown.0));
    }
    Ok(())
}

/// Keyword names for an error message. They are never kept across an allocation that could free them: they are
/// literals, or keys of a hash that the caller's frame holds.
#[derive(Default)]
pub struct Names(Vec<u64>);

impl FromIterator<Value> for Names {
    fn from_iter<T: IntoIterator<Item = Value>>(values: T) -> Names {
        Names(values.into_iter().map(|v| v.0).collect())
    }
}

fn unknown_keywords(code: &Code, keywords: Keywords) -> Names {
    let known = |v: Value| code.keyword_names().iter().any(|(n, _)| n.value() == v);
    match keywords {
        Keywords::None => Names::default(),
        Keywords::Hash(h) | Keywords::Own(h) => {
            HashRef::of(h).entries().map(|(k, _)| k).filter(|k| !known(*k)).collect()
        }
        Keywords::Names(names) => names.iter().map(|n| n.value()).filter(|k| !known(*k)).collect(),
    }
}

/// More keywords are copied at once: their Hash has an index, which need not be built again.
const MANY: usize = 8;

/// The value of `**rest`: the keywords that have no parameter of their own. If no program sees the parameter, it is nil
/// without keywords, and the caller's Hash is not copied.
fn keyword_rest(cx: &mut Cx, code: &Code, (keywords, was_flagged): (Keywords, bool), named: &[Value], any: bool) -> R {
    let is_hidden = code.parameters.hides_keywords && !was_flagged;
    if !any && is_hidden {
        return Ok(Value::NIL);
    }
    // Of many keywords a copy without those of the parameters is made faster than one entry after the other.
    let copy = match keywords {
        Keywords::Own(h) => Some(h),
        Keywords::Hash(h) if is_hidden && !HashRef::of(h).is_ruby2_keywords() => return Ok(h),
        Keywords::Hash(h) if code.keyword_names().is_empty() => return Ok(keyword_hash::dup(cx, h)),
        Keywords::Hash(h) if any && HashRef::of(h).len() > MANY && !HashRef::of(h).is_by_identity() => {
            Some(keyword_hash::dup(cx, h))
        }
        _ => None,
    };
    if let Some(rest) = copy {
        for (name, _) in code.keyword_names() {
            keyword_hash::delete_symbol(cx, rest, *name)?;
        }
        return Ok(rest);
    }
    let rest = HashRef::new(cx).value();
    if !any {
        return Ok(rest);
    }
    match keywords {
        Keywords::None | Keywords::Own(_) => {}
        Keywords::Hash(h) => {
            let mut cursor = 0;
            while let Some((next, key, value)) = HashRef::of(h).next(cursor) {
                cursor = next;
                if !code.keyword_names().iter().any(|(n, _)| n.value() == key) {
                    match Sym::from_value(key) {
                        Some(name) => keyword_hash::store_symbol(cx, rest, name, value)?,
                        None => (cx.vm().upper.store_key)(cx, HashRef::of(rest), key, value)?,
                    }
                }
            }
        }
        Keywords::Names(names) => {
            for (i, name) in names.iter().enumerate() {
                if !code.keyword_names().iter().any(|(n, _)| n == name) {
                    keyword_hash::store_symbol(cx, rest, *name, named[i])?;
                }
            }
        }
    }
    Ok(rest)
}

#[cold]
fn keyword_error(cx: &mut Cx, what: &str, names: &[u64]) -> crate::Unwind {
    let mut shown = Vec::new();
    for name in names {
        let inspect = cx.vm().upper.inspect;
        match inspect(cx, Value(*name)) {
            Ok(text) => shown.push(text),
            Err(unwind) => return unwind,
        }
    }
    let plural = if shown.len() == 1 { "" } else { "s" };
    cx.argument_error(&format!("{what} keyword{plural}: {}", shown.join(", ")))
}

#[cold]
fn wrong_count(cx: &mut Cx, code: &Code, given: usize) -> crate::Unwind {
    let p = &code.parameters;
    let least = (p.required + p.post) as usize;
    let most = if p.rest.is_some() { None } else { Some(least + p.optional as usize) };
    let required: Vec<u64> =
        code.keyword_names().iter().filter(|(_, required)| *required).map(|(n, _)| n.value().0).collect();
    if !required.is_empty() {
        let names: Vec<String> = required.iter().map(|n| Sym::of(Value(*n)).to_text(cx)).collect();
        let plural = if names.len() == 1 { "" } else { "s" };
        let expected = match most {
            None => format!("{least}+"),
            Some(most) if most == least => format!("{least}"),
            Some(most) => format!("{least}..{most}"),
        };
        return cx.raise(
            ErrorClass::ArgumentError,
            &format!(
                "wrong number of arguments (given {given}, expected {expected}; required keyword{plural}: {})",
                names.join(", ")
            ),
        );
    }
    let named = if code.internal { least_named(cx, given, least, most) } else { least };
    cx.arity_error(given, named, most)
}
