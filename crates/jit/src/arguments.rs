//! Arguments of a call and parameters of the method: which argument becomes which parameter is decided when the call is
//! translated.

use abi::{RuntimeCall, Value};
use bytecode::CallFlags;
use object::{Known, array::for_code};
use runtime::{
    Root,
    code::{Code, exits::MOST_WORDS},
    literal_arguments,
};

use crate::{
    cells, hashes,
    ir::Condition,
    objects,
    registers::Kind,
    seam::{Block, Ssa},
    sites::Site,
    translate::Translator,
    virtual_objects::{self, Content, Virtual},
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

/// What a register of the callee gets; `None` if the register already holds it.
pub type Argument = Option<Content>;

/// `count` values that are already in their registers.
pub fn in_place(count: usize) -> Vec<Argument> {
    vec![None; count]
}

/// The values of a method's parameters, for arguments that [`arrange`] accepts; goes to `full` if their run-time values
/// do not fit. If an object is created, `pc` must be set.
pub fn of_method(t: &mut Translator, call: Site, body: &Code, full: Block) -> Vec<Argument> {
    of_parameters(t, call, body, full, false)
}

/// The same for a body that is inlined: doubles stay unboxed, and objects virtual.
pub fn of_inlined(t: &mut Translator, call: Site, body: &Code, full: Block) -> Vec<Argument> {
    of_parameters(t, call, body, full, true)
}

/// Whether a body that is inlined gets an Array of surplus arguments that is not made.
pub fn has_virtual_rest(t: &Translator, call: &Site) -> bool {
    t.can_have_virtual_objects() && call.site.keywords().is_empty() && usize::from(call.arguments()) <= MOST_WORDS
}

fn of_parameters(t: &mut Translator, call: Site, body: &Code, full: Block, is_inlined: bool) -> Vec<Argument> {
    let Some(parameters) = arrange(body, call) else { unreachable!("the call was found to fit") };
    if is_spread(call)
        && let Some(elements) = t.r.object(splat_register(call)).and_then(Virtual::elements)
    {
        let elements = elements.to_vec();
        if let Some(values) = of_virtual_spread(t, &elements, &parameters, body, full) {
            return values;
        }
    }
    // Control joins where a Hash is made, which loses what is only in `values`.
    let joins = |parameter: &Parameter| matches!(parameter, Parameter::Keywords(_) | Parameter::RestAndKeywords { .. });
    let is_kept = is_inlined && !parameters.iter().any(joins);
    let given = |t: &mut Translator, register| match is_kept {
        true => t.r.content(&mut t.e, t.context, register),
        false => Content::of_kind(t.read(register), t.r.kind(register)),
    };
    let mut rest = None;
    let elements = is_spread(call).then(|| require_elements(t, call, body, full));
    let length = is_spread(call).then(|| t.read(splat_register(call))).and_then(|list| t.lengths.get(&list).copied());
    own_literals(t, call, call.site.literal_arguments);
    let mut values = Vec::with_capacity(parameters.len());
    for (register, parameter) in (1..).zip(parameters) {
        let value = match parameter {
            Parameter::Given(word) if word == register => None,
            Parameter::Given(word) => Some(given(t, call.window + word)),
            Parameter::Missing => Some(Content::of_constant(&mut t.e, Value::UNDEF)),
            Parameter::NoKeywords => Some(Content::of_constant(&mut t.e, Value::NIL)),
            Parameter::Keywords(which) => {
                let first = call.window + 1 + call.arguments();
                let made = hashes::of_keywords(t, call.site, first, which, full);
                Some(Content::of_kind(made, Kind::Shape(Known::Hash.root_shape().0)))
            }
            Parameter::Element(n) => elements.map(|(start, _)| Content::of_value(t.e.load(start, 8 * usize::from(n)))),
            Parameter::Elements(n) => elements.map(|(start, len)| {
                t.flush();
                let start = t.e.add_constant(start, 8 * i64::from(n));
                let count = t.e.add_constant(len, -i64::from(n));
                let made = new_array(t, start, count);
                t.lengths.extend(length.and_then(|length| Some((made, length.checked_sub(n)?))));
                Content::of_kind(made, Kind::Shape(Known::Array.root_shape().0))
            }),
            Parameter::Rest { count: 0, .. } if body.shares_rest => {
                let empty = t.cx.root(Root::EmptyRest);
                t.keep(empty);
                let made = t.e.constant(empty.0);
                t.lengths.insert(made, 0);
                Some(Content::of_kind(made, Kind::Shape(Known::Array.root_shape().0)))
            }
            Parameter::Rest { first, count } if is_inlined && has_virtual_rest(t, &call) => {
                t.begins_virtual_object();
                rest = Some((values.len(), first, count));
                None
            }
            Parameter::Rest { first, count } => {
                let made = rest_of(t, call.window + first, count);
                t.lengths.insert(made, count);
                Some(Content::of_kind(made, Kind::Shape(Known::Array.root_shape().0)))
            }
            Parameter::RestAndKeywords { first, count, keywords } => {
                let mut elements: Vec<Ssa> = (0..count).map(|n| t.read(call.window + first + n)).collect();
                let first = call.window + 1 + call.arguments();
                elements.push(hashes::of_keywords(t, call.site, first, keywords, full));
                let made = cells::array_in_line(t, &elements, full);
                t.lengths.insert(made, count + 1);
                Some(Content::of_kind(made, Kind::Shape(Known::Array.root_shape().0)))
            }
        };
        values.push(value);
    }
    // No control joins behind it, where it would be lost.
    if let Some((at, first, count)) = rest {
        let elements: Vec<Content> = (0..count).map(|n| given(t, call.window + first + n)).collect();
        values[at] = new_virtual_array(t, &elements);
    }
    values
}

fn new_virtual_array(t: &mut Translator, elements: &[Content]) -> Argument {
    let array = virtual_objects::array(&mut t.e, elements);
    array.map(|array| t.r.new_object(array))
}

/// The values of a method's parameters for an Array that is splatted and not made; `None` if it has not as many
/// elements as the method takes, or may end in a Hash, which might be keywords.
fn of_virtual_spread(
    t: &mut Translator,
    elements: &[Content],
    parameters: &[Parameter],
    body: &Code,
    full: Block,
) -> Option<Vec<Argument>> {
    let taken = parameters.iter().filter(|parameter| matches!(parameter, Parameter::Element(_))).count();
    if elements.len() < taken || elements.len() > taken && body.parameters.rest.is_none() {
        return None;
    }
    if let Some(last) = elements.last() {
        match last.held.kind {
            Kind::Shape(shape) if shape == Known::Hash.root_shape().0 => return None,
            Kind::Any | Kind::Cell if last.held.double.is_none() => {
                let last = t.r.value_of(&mut t.e, t.context, *last);
                objects::require_not_hash(t, last, full);
            }
            _ => {}
        }
    }
    let nil = Content::of_constant(&mut t.e, Value::NIL);
    let undef = Content::of_constant(&mut t.e, Value::UNDEF);
    let values = parameters.iter().map(|parameter| match parameter {
        Parameter::Given(_) => None,
        Parameter::Element(n) => Some(elements[usize::from(*n)]),
        Parameter::Elements(n) => new_virtual_array(t, elements.get(usize::from(*n)..).unwrap_or_default()),
        Parameter::NoKeywords => Some(nil),
        _ => Some(undef),
    });
    Some(values.collect())
}

/// A new Array of `count` registers from `first` on: in line if they are few.
fn rest_of(t: &mut Translator, first: u16, count: u16) -> Ssa {
    let by_runtime = |t: &mut Translator| {
        t.flush();
        let start = t.e.add_constant(t.r.base, t.r.byte(first) as i64);
        let length = t.e.constant(u64::from(count));
        new_array(t, start, length)
    };
    if usize::from(count) > for_code::MOST_IN_LINE {
        return by_runtime(t);
    }
    let elements: Vec<Ssa> = (0..count).map(|n| t.read(first + n)).collect();
    cells::array_of(t, &elements, by_runtime)
}

fn new_array(t: &mut Translator, start: Ssa, count: Ssa) -> Ssa {
    let made = t.e.call(RuntimeCall::NewArray, &[t.context, start, count]);
    t.value_if_returned(&made)
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
