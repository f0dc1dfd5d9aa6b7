//! Arguments of a call and parameters of the method: which argument becomes which parameter is decided when the call is
//! translated.

use abi::{RuntimeCall, Value};
use bytecode::CallFlags;
use object::{Known, array::for_code};
use runtime::{Root, code::Code, literal_arguments};

use crate::{
    cells, hashes,
    ir::Condition,
    objects,
    registers::Kind,
    seam::{Block, Ssa},
    sites::Site,
    translate::Translator,
};

/// The initial contents of a register of the callee.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parameter {
    /// The word of the call's window with this number.
    Given(u16),
    /// No argument was given: undef, so that the callee's prologue sets the default.
    Missing,
    /// The keywords of `...` if none were given: nil.
    NoKeywords,
    /// A new Array of some words of the window.
    Rest { first: u16, count: u16 },
    /// A new Array of some words of the window, and of a new Hash of all keywords, whose bits are set.
    RestAndKeywords { first: u16, count: u16, keywords: u64 },
    /// A new Hash of the keywords whose bits are set.
    Keywords(u64),
    /// An element of the Array that is splatted, which is the last argument.
    Element(u16),
    /// A new Array of the elements of the splatted Array from this index on.
    Elements(u16),
}

/// Matches a site's arguments with a method's parameters as `call::bind` does. The result is the initial contents of
/// the callee's registers from register 1 on; further registers are nil. `None` if the call fails, or if the match
/// depends on run-time values.
pub fn arrange(body: &Code, call: Site) -> Option<Vec<Parameter>> {
    let site = call.site;
    // Callers have already handled the block argument.
    const UNDERSTOOD: u16 = CallFlags::SELF_CALL
        | CallFlags::CORE
        | CallFlags::VARIABLE
        | CallFlags::KEYWORDS
        | CallFlags::ASSIGNMENT
        | CallFlags::IMPLICIT_SUPER
        | CallFlags::BLOCK_ARGUMENT
        | CallFlags::SYMBOL_BLOCK
        | CallFlags::PUBLIC;
    if is_spread(call) {
        return arrange_elements(body, call);
    }
    let p = &body.parameters;
    let names = site.keywords();
    let refuses_keywords = p.packed || p.no_keywords || names.len() > 64;
    if call.flags().0 & !UNDERSTOOD != 0 || refuses_keywords {
        return None;
    }
    // Keywords that the method does not take are its last positional argument.
    let all = (!names.is_empty()).then(|| u64::MAX >> (64 - names.len()));
    let as_positional = all.filter(|_| p.keywords.is_empty() && p.keyword_rest.is_none());
    let given = call.arguments();
    let [count, required, optional, post] =
        [given + u16::from(as_positional.is_some()), p.required, p.optional, p.post];
    let too_many = p.rest.is_none() && count > required + optional + post;
    if count < required + post || too_many {
        return None;
    }
    let positional = |word| match as_positional {
        Some(all) if word == count => Parameter::Keywords(all),
        _ => Parameter::Given(word),
    };
    let set = optional.min(count - required - post);
    let mut parameters: Vec<Parameter> = (1..=required + set).map(positional).collect();
    parameters.extend((set..optional).map(|_| Parameter::Missing));
    let (first, rest) = (1 + required + set, count - required - set - post);
    match (p.rest, as_positional) {
        (None, _) => {}
        (Some(_), Some(keywords)) if post == 0 && rest > 0 => {
            // A Hash for `ruby2_keywords` is marked.
            if usize::from(rest) > for_code::MOST_IN_LINE || body.ruby2_keywords.get() {
                return None;
            }
            parameters.push(Parameter::RestAndKeywords { first, count: rest - 1, keywords });
        }
        (Some(_), _) => parameters.push(Parameter::Rest { first, count: rest }),
    }
    parameters.extend((0..post).map(|n| positional(first + rest + n)));
    let mut others = if as_positional.is_some() { 0 } else { all.unwrap_or(0) };
    for (name, is_required) in body.keyword_names() {
        let numbers = || (0..names.len()).filter(|at| names[*at] == *name);
        match numbers().next_back() {
            Some(at) => {
                others &= !numbers().fold(0, |bits, at| bits | 1 << at);
                parameters.push(Parameter::Given(1 + given + at as u16));
            }
            None if *is_required => return None,
            None => parameters.push(Parameter::Missing),
        }
    }
    if others != 0 && p.keyword_rest.is_none() {
        return None;
    }
    parameters.extend(p.keyword_rest.map(|_| match others {
        0 if p.hides_keywords => Parameter::NoKeywords,
        others => Parameter::Keywords(others),
    }));
    let keyword_rest_at = parameters.len();
    // The Proc of the block is created when the parameter is first read.
    parameters.extend(p.block.map(|_| Parameter::Missing));
    let is_layout = parameters.len() == body.parameter_count as usize
        && p.rest.is_none_or(|register| register == 1 + required + optional)
        && p.keyword_rest.is_none_or(|register| register as usize == keyword_rest_at)
        && p.block.is_none_or(|register| register as usize == parameters.len());
    is_layout.then_some(parameters)
}

/// Do the parameters take keywords as a Hash that must be created, or refuse them?
fn takes_hash(p: &bytecode::Parameters) -> bool {
    p.keyword_rest.is_some() && !p.hides_keywords || p.no_keywords || p.packed
}

/// Is the last argument an Array whose elements are further arguments?
pub fn is_spread(call: Site) -> bool {
    const UNDERSTOOD: u16 = CallFlags::SELF_CALL
        | CallFlags::CORE
        | CallFlags::SPLAT
        | CallFlags::OWN_SPLAT
        | CallFlags::IMPLICIT_SUPER
        | CallFlags::BLOCK_ARGUMENT;
    let flags = call.flags();
    flags.has(CallFlags::SPLAT) && flags.0 & !UNDERSTOOD == 0
}

/// The number of arguments before the Array that is splatted.
pub fn before_splat(call: Site) -> u16 {
    call.site.arguments - 1
}

/// The register of the Array that is splatted.
pub fn splat_register(call: Site) -> u16 {
    call.window - call.skipped + call.site.arguments
}

/// [`arrange`] for a call that splats an Array. All parameters but a rest must be required.
fn arrange_elements(body: &Code, call: Site) -> Option<Vec<Parameter>> {
    let (p, before) = (&body.parameters, before_splat(call));
    let has_rest_behind = p.rest.is_none_or(|register| register == 1 + p.required);
    let is_plain = p.optional == 0 && p.post == 0 && has_rest_behind && body.keyword_names().is_empty();
    if !is_plain || takes_hash(p) || call.site.literal_arguments != 0 || p.required < before || call.skipped > 0 {
        return None;
    }
    let elements = p.required - before;
    let mut parameters: Vec<Parameter> = (1..=before).map(Parameter::Given).collect();
    parameters.extend((0..elements).map(Parameter::Element));
    parameters.extend(p.rest.map(|_| Parameter::Elements(elements)));
    parameters.extend(p.keyword_rest.map(|_| Parameter::NoKeywords));
    parameters.extend(p.block.map(|_| Parameter::Missing));
    (parameters.len() == body.parameter_count as usize).then_some(parameters)
}

/// Goes to `full` unless the Array that a call splats has an element for each required parameter (and more only if
/// there is a rest parameter) and does not end in a Hash, which might be keywords. Returns the address of the elements
/// and their number.
fn require_elements(t: &mut Translator, call: Site, body: &Code, full: Block) -> (Ssa, Ssa) {
    let list = t.read(splat_register(call));
    let (start, len) = objects::elements_of(t, list);
    let (required, has_rest) = (body.parameters.required - before_splat(call), body.parameters.rest.is_some());
    let condition = if has_rest { Condition::AboveEqual } else { Condition::Equal };
    let fits = t.e.compare_constant(condition, len, u64::from(required));
    t.e.require(fits, full);
    if required > 0 || has_rest {
        let done = t.e.block();
        if required == 0 {
            let some = t.e.block();
            t.e.branch(len, some, done);
            t.e.at(some);
        }
        let at = t.e.add_constant(len, -1);
        let last = t.e.load_indexed(start, at);
        objects::require_not_hash(t, last, full);
        t.e.jump(done, &[]);
        t.e.at(done);
    }
    (start, len)
}

/// The value of a register of the callee; `None` if the register already holds it.
pub type Argument = Option<(Ssa, Kind)>;

/// `count` values that are already in their registers.
pub fn in_place(count: usize) -> Vec<Argument> {
    vec![None; count]
}

/// The values of a method's parameters, for arguments that [`arrange`] accepts; goes to `full` if their run-time values
/// do not fit. If an object is created, `pc` must be set.
pub fn of_method(t: &mut Translator, call: Site, body: &Code, full: Block) -> Vec<Argument> {
    let Some(parameters) = arrange(body, call) else { unreachable!("the call was found to fit") };
    let elements = is_spread(call).then(|| require_elements(t, call, body, full));
    let length = is_spread(call).then(|| t.read(splat_register(call))).and_then(|list| t.lengths.get(&list).copied());
    own_literals(t, call, call.site.literal_arguments);
    let mut values = Vec::with_capacity(parameters.len());
    for (register, parameter) in (1..).zip(parameters) {
        values.push(match parameter {
            Parameter::Given(word) if word == register => None,
            Parameter::Given(word) => Some((t.read(call.window + word), t.r.kind(call.window + word))),
            Parameter::Missing => Some((t.e.constant(Value::UNDEF.0), Kind::Constant(Value::UNDEF))),
            Parameter::NoKeywords => Some((t.e.constant(Value::NIL.0), Kind::Constant(Value::NIL))),
            Parameter::Keywords(which) => {
                let first = call.window + 1 + call.arguments();
                let made = hashes::of_keywords(t, call.site, first, which, full);
                Some((made, Kind::Shape(Known::Hash.root_shape().0)))
            }
            Parameter::Element(n) => elements.map(|(start, _)| (t.e.load(start, 8 * usize::from(n)), Kind::Any)),
            Parameter::Elements(n) => elements.map(|(start, len)| {
                t.flush();
                let start = t.e.add_constant(start, 8 * i64::from(n));
                let count = t.e.add_constant(len, -i64::from(n));
                let made = new_array(t, start, count);
                t.lengths.extend(length.and_then(|length| Some((made.0, length.checked_sub(n)?))));
                made
            }),
            Parameter::Rest { count: 0, .. } if body.shares_rest => {
                let empty = t.cx.root(Root::EmptyRest);
                t.keep(empty);
                let made = t.e.constant(empty.0);
                t.lengths.insert(made, 0);
                Some((made, Kind::Shape(Known::Array.root_shape().0)))
            }
            Parameter::Rest { first, count } => {
                let made = rest(t, call.window + first, count);
                t.lengths.insert(made, count);
                Some((made, Kind::Shape(Known::Array.root_shape().0)))
            }
            Parameter::RestAndKeywords { first, count, keywords } => {
                let mut elements: Vec<Ssa> = (0..count).map(|n| t.read(call.window + first + n)).collect();
                let first = call.window + 1 + call.arguments();
                elements.push(hashes::of_keywords(t, call.site, first, keywords, full));
                let made = cells::array_in_line(t, &elements, full);
                t.lengths.insert(made, count + 1);
                Some((made, Kind::Shape(Known::Array.root_shape().0)))
            }
        });
    }
    values
}

/// A new Array of `count` registers from `first` on: in line if they are few.
fn rest(t: &mut Translator, first: u16, count: u16) -> Ssa {
    let by_runtime = |t: &mut Translator| {
        t.flush();
        let start = t.e.add_constant(t.r.base, t.r.byte(first) as i64);
        let length = t.e.constant(u64::from(count));
        new_array(t, start, length).0
    };
    if usize::from(count) > for_code::MOST_IN_LINE {
        return by_runtime(t);
    }
    let elements: Vec<Ssa> = (0..count).map(|n| t.read(first + n)).collect();
    cells::array_of(t, &elements, by_runtime)
}

fn new_array(t: &mut Translator, start: Ssa, count: Ssa) -> (Ssa, Kind) {
    let made = t.e.call(RuntimeCall::NewArray, &[t.context, start, count]);
    (t.value_if_returned(&made), Kind::Shape(Known::Array.root_shape().0))
}

/// Replaces the arguments of a call that are string literals, and whose bits are set in `bits`, by new Strings. `pc`
/// must be set.
pub fn own_literals(t: &mut Translator, call: Site, bits: u16) {
    for n in (0..16).filter(|n| bits & 1 << n != 0) {
        let register = call.window + literal_arguments::word_of(n) as u16;
        let literal = t.read(register);
        let own = t.e.call(RuntimeCall::OwnString, &[t.context, literal]);
        let own = t.value_if_returned(&own);
        t.write(register, own, Kind::Any);
    }
}
