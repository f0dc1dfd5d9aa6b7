//! How calls of the methods that a call site has called are translated in line.

use abi::{Scope, ShapeId, Value};
use bytecode::CallFlags;
use object::{Known, Sym, class, class::call_cache::CacheRef, method_entry};
use runtime::{
    call::site::{Cached, callee, native_row},
    code::{Code, code, live_code, sites::shape_key, tier::Seen},
    instructions::ivars::{InShape, in_shape},
    method_table::{InLine, Method, Special},
    unlinked,
};

use crate::{
    arguments::{self, arrange},
    arithmetic::Operand,
    closures::{self, KnownProcs},
    counters, found_methods,
    ivars::{self, InObjects},
    loops, natives,
    new::{constructor, fills, is_empty},
    registers::Kind,
    sends,
    sites::Site,
    translate::Translator,
};

/// How a call of one entry of a site is translated in line.
pub enum Way<'a> {
    Read,
    /// An attribute in the word that the cache entry found for the receiver names.
    ReadFound,
    Write,
    /// An attribute that is not a word of the object's cell.
    ReadVariable(InShape),
    WriteVariable(InObjects),
    Native,
    /// A native method that has operations of the intermediate representation.
    InLine(InLine),
    /// A native method that needs no frame.
    Frameless,
    /// A native shortcut, which leaves some calls to the method's Ruby half.
    Shortcut,
    /// The frame of a method is pushed.
    Call(&'a Code),
    Inline {
        code: &'a Code,
        path: u32,
    },
    /// An object of the class is made, and its `initialize` called.
    New(Value),
    InlineNew {
        of: Value,
        code: &'a Code,
        path: u32,
    },
    /// An object of a class whose `initialize` does nothing.
    NewEmpty(Value),
    /// An Array of so many times the same value.
    NewFilled(Value),
    /// A method that a block defines.
    CallClosure(&'a Code, *const Scope),
    InlineClosure {
        code: &'a Code,
        scope: *const Scope,
        path: u32,
    },
    /// A Proc with one of these codes.
    CallProc(KnownProcs<'a>),
    /// The call that `send` makes, or an attribute writer on a window that begins one word later.
    Sent(Box<Sent<'a>>),
    /// The call that `send` makes with a name that is not known; whether only public methods may be called.
    SentFound(Site<'a>, bool),
    /// The same for the elements of a splatted Array.
    SentSpread(bool),
}

/// The call that `send` makes.
pub struct Sent<'a> {
    pub call: Site<'a>,
    pub case: Case<'a>,
}

/// A method that a site has called, and how a call of it is translated in line.
pub struct Case<'a> {
    pub cache: CacheRef,
    pub receivers: Receivers,
    pub way: Way<'a>,
}

/// The receivers that a case is for.
pub enum Receivers {
    /// Receivers of a shape.
    Of(u32),
    /// Receivers in cells of a shape whose number stands for immediates, too, such as big Integers.
    CellsOf(u32),
    /// All receivers that have the method. The entries for some shapes are known; for others they are looked up.
    WithMethod { known: Vec<CacheRef> },
    /// All receivers of a `super`, whose method does not depend on them. The entry was found for this shape.
    OfSuper(u32),
}

impl Case<'_> {
    pub fn shape(&self) -> Option<u32> {
        match self.receivers {
            Receivers::Of(shape) | Receivers::CellsOf(shape) => Some(shape),
            Receivers::WithMethod { .. } | Receivers::OfSuper(_) => None,
        }
    }

    /// Whether the call may need the unit's frames, and the running one's `pc`. Frames may stay open for a method that
    /// is passed no block.
    pub fn needs_frames(&self, t: &Translator, call: &Site) -> bool {
        let owns_literals = || match self.way {
            Way::Native | Way::Shortcut => call.site.literal_arguments & !native_row(self.cache).facts.borrowed != 0,
            _ => call.site.literal_arguments != 0,
        };
        let needs = match &self.way {
            Way::Native | Way::Shortcut => call.has_block(),
            Way::Call(code) => call.has_block() || code.parameters.rest.is_some(),
            Way::New(_) | Way::CallClosure(..) | Way::CallProc(_) => true,
            Way::Inline { code, .. } | Way::InlineNew { code, .. } | Way::InlineClosure { code, .. } => {
                code.parameters.rest.is_some() && !arguments::has_virtual_rest(t, call)
            }
            Way::Read | Way::ReadFound | Way::Write | Way::ReadVariable(_) | Way::WriteVariable(_) => false,
            Way::Frameless | Way::InLine(_) | Way::NewEmpty(_) | Way::NewFilled(_) => false,
            Way::SentFound(..) | Way::SentSpread(_) => false,
            Way::Sent(sent) => return sent.case.needs_frames(t, &sent.call),
        };
        needs || owns_literals()
    }

    /// Whether the case is only for receivers that are cells.
    pub fn is_of_cells(&self) -> bool {
        matches!(self.receivers, Receivers::CellsOf(_)) || self.shape().is_none_or(is_of_cell)
    }
}

fn is_of_cell(shape: u32) -> bool {
    class::immediate_of_key(shape).is_none()
}

/// Whether an entry for immediates is expected to be used for objects of the same class: big Integers, Floats that are
/// not flonums, and Symbols that the program made.
fn may_be_in_cells(t: &Translator, word: usize, call: Site, shape: u32) -> bool {
    let has_cells = [Known::Integer, Known::Float, Known::Symbol].iter().any(|known| known.root_shape().0 == shape);
    let seen = t.seen(word);
    let is_learned = || seen.has(Seen::FAILED) || call.word.is_none() && seen.left() & Seen::OTHER != 0;
    let is_sampled = || t.sample(Operand::Register(call.operand)).is_some_and(|v| v.is_heap() && shape_key(v) == shape);
    has_cells && (is_learned() || is_sampled())
}

/// The methods among the entries of a site, with those for a single shape first. A method that was found for several
/// shapes is also called in line on receivers of other shapes that have it, if the site has seen more shapes than its
/// cache holds. If compiled code has met a shape that was not expected, this holds for each method. It also holds for a
/// method that was found for several shapes if its body is too large to be inlined for each (see
/// [`crate::inlining::Limits::of_copies`]).
pub fn cases<'a>(
    t: &Translator<'a>,
    word: usize,
    call: Site<'a>,
    entries: &[(CacheRef, u32)],
    all: usize,
    kind: Kind,
) -> Vec<Case<'a>> {
    let has_failed = t.seen(word).has(Seen::FAILED);
    if call.of_super.is_some()
        && (entries.len() > 1 || call.site.has_more() || has_failed)
        && let Some((cache, shape)) = entries.iter().find(|(cache, _)| is_for_any_shape(t, call, *cache))
        && cache.kind() != Cached::ReadWord
    {
        let way = way(t, word, 0, 1, call, (*cache, None), kind);
        return vec![Case { cache: *cache, receivers: Receivers::OfSuper(*shape), way }];
    }
    let mut found: Vec<Case> = Vec::new();
    for (n, (cache, shape)) in entries.iter().enumerate() {
        let way = way(t, word, n, all, call, (*cache, Some(*shape)), kind);
        found.push(Case { cache: *cache, receivers: Receivers::Of(*shape), way });
        if cache.kind() == Cached::Native && may_be_in_cells(t, word, call, *shape) {
            // Operations on big Integers can take long and then need a frame.
            found.push(Case { cache: *cache, receivers: Receivers::CellsOf(*shape), way: Way::Native });
        }
    }
    if call.of_super.is_some() || t.may_refine(call.site.name) {
        return found;
    }
    let enough = match (has_failed, call.site.has_more()) {
        (true, _) => 1,
        (false, true) => 2,
        (false, false) => usize::MAX,
    };
    for (n, (cache, _)) in entries.iter().enumerate() {
        let has_it = |(other, shape): &(CacheRef, u32)| other.entry() == cache.entry() && is_of_cell(*shape);
        let shapes = entries.iter().filter(|entry| has_it(entry)).count();
        let is_of_method = |case: &Case| case.is_of_cells() && case.cache.entry() == cache.entry();
        let copied = t.limits.of_copies(shapes);
        let is_large = |way: &Way| match way {
            Way::Inline { code, .. } | Way::InlineClosure { code, .. } => counters::size_of(code) > copied,
            _ => false,
        };
        let is_shared = found.iter().any(|case| is_of_method(case) && is_large(&case.way));
        if entries.iter().position(has_it) != Some(n)
            || shapes < if is_shared { enough.min(2) } else { enough }
            || !is_for_any_shape(t, call, *cache)
        {
            continue;
        }
        // The code that pushes the frame of a method is the same for all shapes, and large bodies are not copied.
        let is_same = |case: &mut Case| {
            let pushes_frame =
                matches!(case.way, Way::Call(_) | Way::CallClosure(..) | Way::SentFound(..) | Way::SentSpread(_));
            (pushes_frame || is_large(&case.way)) && is_of_method(case)
        };
        let known = found.extract_if(.., is_same).map(|case| case.cache).collect();
        let path = if is_shared { n } else { all + n };
        let way = way(t, word, path, all, call, (*cache, None), kind);
        found.push(Case { cache: *cache, receivers: Receivers::WithMethod { known }, way });
    }
    if found_methods::are_called(t, word, &call) {
        // The methods that are found at run time are called almost as fast.
        let mut is_first = true;
        found.retain(|case| {
            let calls = matches!((&case.way, &case.receivers), (Way::Call(_), Receivers::Of(_)));
            std::mem::take(&mut is_first) || !calls
        });
    }
    found
}

/// Whether the method can be called in line if the receiver's shape is not known.
fn is_for_any_shape(t: &Translator, call: Site, cache: CacheRef) -> bool {
    match cache.kind() {
        Cached::Native => call.site.keywords().is_empty(),
        Cached::ReadWord | Cached::Simple | Cached::Sequence | Cached::Shortcut => true,
        Cached::Other => closures::method(t, call, cache.entry()).is_some(),
        Cached::Special => sent_found(t, call, cache).is_some(),
        Cached::WriteWord => false,
    }
}

/// How to translate an entry for which [`is_direct`] is true.
fn way<'a>(
    t: &Translator<'a>,
    word: usize,
    n: usize,
    all: usize,
    call: Site<'a>,
    (cache, shape): (CacheRef, Option<u32>),
    kind: Kind,
) -> Way<'a> {
    let (path, offset) = (t.path_to(word, n), t.r.at(call.window));
    let small = t.limits.of(all);
    let most = if call.has_block() { t.limits.with_block } else { small };
    match (cache.kind(), shape) {
        (Cached::ReadWord, Some(_)) => Way::Read,
        (Cached::ReadWord, None) => Way::ReadFound,
        (Cached::WriteWord, _) => Way::Write,
        (Cached::Other, _) => {
            if let Some((code, scope)) = closures::method(t, call, cache.entry()) {
                return match t.may_inline(code, word, path, offset, most) {
                    true => Way::InlineClosure { code, scope, path },
                    false => Way::CallClosure(code, scope),
                };
            }
            let Some(way) = shape.and_then(|shape| variable(t, call, cache, shape)) else {
                unreachable!("of these only attributes and blocks are done in line")
            };
            way
        }
        (Cached::Native, _) => {
            let row = native_row(cache);
            let count = call.arguments() as usize;
            if let Some(way) = shape.and_then(|shape| variable_by_name(t, call, cache, shape)) {
                return way;
            }
            if let Some(which) = natives::operation(t, call, cache, shape) {
                return Way::InLine(which);
            }
            let takes_numbers = || row.facts.frameless_with_numbers && count > 0 && may_all_be_numbers(t, call);
            let is_frameless = lends_all_literals(call, row)
                && row.accepts(count)
                && (row.facts.needs_no_frame(count) || row.quick.is_some() || takes_numbers());
            if is_frameless { Way::Frameless } else { Way::Native }
        }
        (Cached::Shortcut, _) if !call.has_block() => {
            let row = native_row(cache);
            let is_frameless = row.quick.is_some() && lends_all_literals(call, row);
            if is_frameless { Way::Frameless } else { Way::Shortcut }
        }
        (Cached::Special, None) => {
            let Some(found) = sent_found(t, call, cache) else { unreachable!("only `send` is for any shape") };
            found
        }
        (Cached::Special, Some(shape)) => {
            // A call that passes a block to a native method is left to the runtime, as [`found_methods::send`] does.
            let sent = sends::sent(t, call, (cache, shape));
            if let Some((sent, to)) = sent.filter(|(sent, to)| is_direct(t, *sent, (*to, shape), kind)) {
                let way = way(t, word, n, all, sent, (to, Some(shape)), kind);
                return Way::Sent(Box::new(Sent {
                    call: sent,
                    case: Case { cache: to, receivers: Receivers::Of(shape), way },
                }));
            }
            if let Some(known) = closures::known(t, call, cache) {
                return Way::CallProc(known);
            }
            if let Some(found) = sent_found(t, call, cache) {
                return found;
            }
            let Some((of, entry)) = constructor(t.cx, call, (cache, shape), kind) else {
                unreachable!("of these only constructors are left")
            };
            if is_empty(entry) {
                return Way::NewEmpty(of);
            }
            if fills(t.cx, call, entry) {
                return Way::NewFilled(of);
            }
            // SAFETY: an entry of this kind keeps its code alive, and its site the entry.
            let code = unsafe { live_code(method_entry::body(entry)) };
            match t.may_inline(code, word, path, offset, small) {
                true => Way::InlineNew { of, code, path },
                false => Way::New(of),
            }
        }
        _ => {
            // SAFETY: an entry of this kind keeps its code alive, and its site the entry.
            let code = unsafe { live_code(method_entry::body(cache.entry())) };
            // The block of an inlined body is known.
            let may_inline = call.handler.is_none() && t.may_inline(code, word, path, offset, most);
            // Where any of many methods may be called, only such are inlined as inline nothing themselves: the code
            // would branch into one tree of methods for each.
            let may_branch = || call.site.has_more() && call.has_several_methods();
            match may_inline && (!may_branch() || loops::makes_no_call(t, code)) {
                true => Way::Inline { code, path },
                false => Way::Call(code),
            }
        }
    }
}

/// Whether the method borrows every argument of the call that is a String literal, so that none must be copied.
fn lends_all_literals(call: Site, row: &Method) -> bool {
    call.site.literal_arguments & !row.facts.borrowed == 0
}

/// Whether a call of the cache's entry can be translated in line.
pub fn is_direct<'a>(t: &Translator<'a>, call: Site<'a>, (cache, shape): (CacheRef, u32), receiver: Kind) -> bool {
    let site = call.site;
    let has_block = call.has_block();
    let is_with_hash = call.flags().has(CallFlags::KEYWORD_SPLAT);
    let has_keywords = is_with_hash || !site.keywords().is_empty();
    if site.lent_parameters != 0 {
        return false;
    }
    let is_spread = call.flags().has(CallFlags::SPLAT);
    match cache.kind() {
        Cached::ReadWord | Cached::WriteWord | Cached::Native | Cached::Shortcut | Cached::Special if is_spread => {
            cache.kind() == Cached::Special && found_methods::is_spread_send(t, call, cache)
        }
        // SAFETY: the entry is of such a kind, and its site keeps it alive.
        Cached::Simple | Cached::Sequence => arrange(unsafe { callee(cache) }, call).is_some(),
        Cached::ReadWord => call.arguments() == 0 && !has_block && !has_keywords,
        Cached::WriteWord => call.arguments() == 1 && !has_block && !has_keywords,
        Cached::Native if has_keywords => !is_with_hash && natives::takes_keywords(t, call, cache, shape),
        Cached::Native => !has_block,
        // A method of the Ruby half is called, because its native shortcut takes no block.
        Cached::Shortcut if has_block => {
            let body = method_entry::body(cache.entry());
            unlinked::is_linked(body) && arrange(code(&body), call).is_some()
        }
        Cached::Shortcut => !has_keywords && native_row(cache).accepts(call.arguments() as usize),
        Cached::Special => {
            let sent = sends::sent(t, call, (cache, shape));
            let is_other = || {
                closures::known(t, call, cache).is_some() || constructor(t.cx, call, (cache, shape), receiver).is_some()
            };
            sent.is_some_and(|(sent, to)| is_direct(t, sent, (to, shape), receiver))
                || sent_found(t, call, cache).is_some()
                || call.handler.is_none() && is_other()
        }
        Cached::Other if closures::method(t, call, cache.entry()).is_some() => call.handler.is_none(),
        Cached::Other => !is_spread && !has_block && !has_keywords && variable(t, call, cache, shape).is_some(),
    }
}

/// `send` of a name that is not known.
fn sent_found<'a>(t: &Translator, call: Site<'a>, cache: CacheRef) -> Option<Way<'a>> {
    let is_public = native_row(cache).special == Special::PublicSend;
    if found_methods::is_spread_send(t, call, cache) {
        return Some(Way::SentSpread(is_public));
    }
    found_methods::sent(t, call, cache).map(|sent| Way::SentFound(sent, is_public))
}

/// May all arguments be small integers or Floats that are immediates?
fn may_all_be_numbers(t: &Translator, call: Site) -> bool {
    let may_be = |v: Value| v.is_fixnum() || v.is_flonum();
    (1..=call.arguments()).map(|n| call.window + n).all(|register| match t.r.kind(register) {
        Kind::Constant(v) => may_be(v),
        Kind::Any => t.sample(Operand::Register(register)).is_none_or(may_be),
        kind => !kind.is_cell(),
    })
}

/// How an attribute reader or writer is translated for receivers of a shape whose variable is not a word of their cell.
fn variable<'a>(t: &Translator, call: Site, cache: CacheRef, shape: u32) -> Option<Way<'a>> {
    let entry = cache.entry();
    // While calls are traced, attribute methods are ordinary calls.
    if t.cx.vm().redefined_before_tracing.is_some() || class::immediate_of_key(shape).is_some() {
        return None;
    }
    match (method_entry::kind(entry), call.arguments()) {
        (method_entry::Kind::AttributeReader, 0) => {
            let name = Sym::of(method_entry::body(entry));
            in_shape(t.cx, ShapeId(shape), name).map(Way::ReadVariable)
        }
        (method_entry::Kind::AttributeWriter, 1) => {
            let name = Sym::of(method_entry::body(entry));
            ivars::place_to_set(t.cx, shape, name).map(Way::WriteVariable)
        }
        _ => None,
    }
}

/// How `instance_variable_get` and `instance_variable_set` of a variable that receivers of a shape have, or had once,
/// are translated in line.
fn variable_by_name<'a>(t: &Translator, call: Site<'a>, cache: CacheRef, shape: u32) -> Option<Way<'a>> {
    let which = native_row(cache).in_line?;
    match (which, call.arguments()) {
        (InLine::Variable, 1) => natives::variable_named(t, call, shape).map(Way::ReadVariable),
        (InLine::SetVariable, 2) if call.site.literal_arguments == 0 => {
            natives::variable_named(t, call, shape)?;
            let Kind::Constant(name) = t.r.kind(call.window + 1) else { return None };
            let way = Way::WriteVariable(ivars::place_to_set(t.cx, shape, Sym::of(name))?);
            // The value is where an attribute writer would have it.
            let set = Site { word: None, window: call.window + 1, skipped: call.skipped + 1, ..call };
            let case = Case { cache, receivers: Receivers::Of(shape), way };
            Some(Way::Sent(Box::new(Sent { call: set, case })))
        }
        _ => None,
    }
}
