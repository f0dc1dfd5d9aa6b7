//! Linking: a compiled sequence becomes code with values and caches.

pub(crate) mod literal;

use std::cell::{Cell, UnsafeCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, OnceLock};

use abi::Value;
use bytecode::{Kind, Literal, Sequence, image};
use memory::{Grow, ToVector};
use object::{Known, Sym, native};

use literal::literal_value;

use crate::{
    Cx,
    code::{
        Code, Source, Table, code, intern,
        positions::Positions,
        registry,
        sites::{CallSite, ConstantSite, IvarSite, JumpKey, JumpTable},
        source_text::SourceText,
        tier::Tier,
    },
    counters::Counters,
    unlinked::{self, Unlinked},
};

/// The path and first line that are given to a source.
pub struct Place {
    pub path: String,
    /// For `__dir__` and require_relative; `None` in evals.
    pub absolute_path: Option<String>,
    /// The program or a file that it loads, not code that was only compiled.
    pub is_loaded: bool,
}

/// Links an outermost sequence and all nested ones; returns its InstructionSequence cell.
pub fn link(cx: &mut Cx, sequence: &Sequence) -> Value {
    let place = place_of(sequence);
    link_at(cx, sequence, place)
}

fn place_of(sequence: &Sequence) -> Place {
    let path = sequence.unit.as_ref().map_or_else(String::new, |unit| unit.path.clone());
    let is_file = sequence.kind != Kind::Eval && path != "-e" && path != "-";
    let absolute_path = match path.starts_with('/') {
        _ if !is_file => None,
        true => Some(path.clone()),
        false => std::fs::canonicalize(&path)
            .or_else(|_| std::path::absolute(&path))
            .ok()
            .map(|path| path.to_string_lossy().into_owned()),
    };
    Place { path, absolute_path, is_loaded: false }
}

/// Compiles a file. The bodies of its methods are in an image until they are called, unless something wants to see all
/// code at once.
pub fn compile(
    cx: &mut Cx,
    source: &[u8],
    options: &compiler::Options,
) -> Result<(Sequence, Vec<u8>), compiler::SyntaxErrors> {
    // The library coverage looks at all methods when they are defined.
    if cx.vm().trace_events != 0 || options.counts != Default::default() {
        return Ok((compiler::compile(source, options)?, Vec::new()));
    }
    compiler::compile_deferred(source, options, literal::is_valid)
}

/// Links what [`compile`] returns.
pub fn link_deferred(cx: &mut Cx, (sequence, image): (Sequence, Vec<u8>)) -> Value {
    let place = Place { is_loaded: true, ..place_of(&sequence) };
    if image.is_empty() && cx.vm().trace_events != 0 {
        return link_at(cx, &sequence, place);
    }
    link_with(cx, sequence, place, image)
}

/// Like `link`, with `place` as the source's position.
pub fn link_at(cx: &mut Cx, sequence: &Sequence, place: Place) -> Value {
    let unit = sequence.unit.as_deref();
    let text = SourceText::Kept(unit.map(|unit| unit.source.to_vector()).unwrap_or_default());
    let counters = Counters::new(unit.map(|unit| unit.counted.clone()).unwrap_or_default());
    let start = unit.map(|unit| (unit.first_line, unit.encoding)).unwrap_or_default();
    let source = source_of(cx, place, text, start, Vec::new(), counters);
    link_outermost(cx, sequence, &source)
}

fn link_with(cx: &mut Cx, mut sequence: Sequence, place: Place, image: Vec<u8>) -> Value {
    let unit = sequence.unit.take().map_or_else(Default::default, |unit| *unit);
    let text = match &place.absolute_path {
        Some(path) if !cx.vm().keep_script_lines => SourceText::on_disk(path.clone(), &unit.source),
        _ => SourceText::Kept(unit.source),
    };
    let source = source_of(cx, place, text, (unit.first_line, unit.encoding), image, Counters::new(unit.counted));
    link_outermost(cx, &sequence, &source)
}

fn link_outermost(cx: &mut Cx, sequence: &Sequence, source: &Arc<Source>) -> Value {
    let cell = link_child(cx, sequence, source, Value::NIL, false);
    if cx.vm().patches_linked_code() {
        (cx.vm().hooks.linked)(cx, cell);
    }
    cell
}

fn source_of(
    cx: &Cx,
    place: Place,
    text: SourceText,
    (first_line, encoding): (i32, u8),
    image: Vec<u8>,
    counters: Option<Arc<Counters>>,
) -> Arc<Source> {
    Arc::new(Source {
        id: registry::next_source_id(),
        path: place.path,
        absolute_path: place.absolute_path,
        real_path: OnceLock::new(),
        is_loaded: place.is_loaded,
        first_line,
        text,
        lines_kept: cx.vm().keep_script_lines,
        encoding,
        image: image.into(),
        counters,
    })
}

/// Links a sequence that belongs to `source`; `internal` for the Ruby half of core classes.
pub fn link_child(cx: &mut Cx, s: &Sequence, source: &Arc<Source>, parent: Value, internal: bool) -> Value {
    let linked = code_of(cx, s, source, parent, internal);
    add_cell(cx, linked, s, source, internal)
}

/// A cell around code, which is filled.
fn add_cell(cx: &mut Cx, linked: Code, s: &Sequence, source: &Arc<Source>, internal: bool) -> Value {
    let cell = registered(cx, linked);
    fill(cx, cell, s, source, internal);
    cell
}

/// A cell around code. From here on the code is reachable from it; the native stack keeps it alive while it is filled.
fn registered(cx: &mut Cx, linked: Code) -> Value {
    let class = cx.class(Known::InstructionSequence);
    let cell = native::new(cx, class, Box::new(linked));
    code(&cell).own.set(cell);
    registry::add(cx.codes(), code(&cell));
    cell
}

/// Links the body of a method whose cell is there ([`crate::unlinked`]), if it is not linked.
pub fn complete(cx: &mut Cx, cell: Value) {
    let Some(&unlinked) = unlinked::get(&cell) else { return };
    let (source, internal) = (unlinked.parent().source.clone(), unlinked.parent().internal);
    let sequence = image::body(&source.image, unlinked.at).expect("an image of this build");
    let mut linked = code_of(cx, &sequence, &source, unlinked.parent_cell(), internal);
    linked.own.set(cell);
    linked.body_at = Some(unlinked.at);
    native::replace_by_box(cx, cell, Box::new(linked), unlinked.has_failed);
    // If memory is exhausted, the method stays as it was.
    let filled = catch_unwind(AssertUnwindSafe(|| fill(cx, cell, &sequence, &source, internal)));
    if let Err(payload) = filled {
        // SAFETY: the cell was made with this type. Nothing has seen the code but the cells nested in it, which are
        // dead.
        unsafe { native::put_back::<Unlinked>(cx, cell) };
        if let Some(unlinked) = native::get_mut::<Unlinked>(cx, cell) {
            unlinked.has_failed = true;
        }
        resume_unwind(payload);
    }
    registry::add(cx.codes(), code(&cell));
    if cx.vm().patches_linked_code() {
        (cx.vm().hooks.linked)(cx, cell);
    }
}

/// The second code of a method of a Ruby half, for calls with lent arguments. Its calls check the parameters that they
/// pass on; the method's other calls do not pay for that. It is made at the first such call; `None` if the method has
/// none.
pub fn lending(cx: &mut Cx, method: &Code) -> Option<Value> {
    if !method.lending.get().is_nil() {
        return Some(method.lending.get());
    }
    let (mut linked, sequence) = linked_again(cx, method)?;
    for (site, call) in linked.calls.iter_mut().zip(&sequence.calls) {
        site.literal_arguments |= call.lent_parameters;
        site.lent_parameters = call.lent_parameters;
    }
    linked.lending.set(method.own.get());
    let cell = add_cell(cx, linked, &sequence, &method.source, method.internal);
    method.lending.set(cell);
    cx.remember(method.own.get());
    Some(cell)
}

/// Another code of a method, with caches of its own; `None` if the method has none.
pub fn copy(cx: &mut Cx, method: &Code) -> Option<Value> {
    let (linked, sequence) = linked_again(cx, method)?;
    Some(add_cell(cx, linked, &sequence, &method.source, method.internal))
}

/// The code of a method once more, without its cell; `None` unless the method was linked when it was needed.
fn linked_again(cx: &mut Cx, method: &Code) -> Option<(Code, Sequence)> {
    let sequence = image::body(&method.source.image, method.body_at?).expect("an image of this build");
    let linked = code_of(cx, &sequence, &method.source, method.parent.get(), method.internal);
    linked.ruby2_keywords.set(method.ruby2_keywords.get());
    Some((linked, sequence))
}

/// Completes the code and all code nested in it.
pub fn complete_nested(cx: &mut Cx, cell: Value) {
    each_nested(cell, |cell| {
        complete(cx, cell);
        true
    });
}

/// Calls `visit` with the code and the code nested in it, each before what it contains; what `visit` refuses is not
/// entered, and must be if it is not linked. It does not recurse, however deep the nesting.
pub fn each_nested(cell: Value, mut visit: impl FnMut(Value) -> bool) {
    if !visit(cell) {
        return;
    }
    let (mut cell, mut next, mut outer) = (cell, 0, Vec::new());
    loop {
        if next < code(&cell).children.len() {
            let child = code(&cell).child(next);
            next += 1;
            if visit(child) {
                outer.append_one(next);
                (cell, next) = (child, 0);
            }
        } else {
            let Some(place) = outer.pop() else { return };
            (cell, next) = (code(&cell).parent.get(), place);
        }
    }
}

/// Fills in the literals and the children, and theirs. Blocks may be nested as deeply as the parser allows: this does
/// not recurse.
fn fill(cx: &mut Cx, cell: Value, s: &Sequence, source: &Arc<Source>, internal: bool) {
    fill_literals(cx, cell, s);
    let (mut cell, mut sequence, mut next, mut outer) = (cell, s, 0, Vec::new());
    loop {
        let Some(child) = sequence.children.get(next) else {
            let Some(place) = outer.pop() else { return };
            (sequence, next) = place;
            cell = code(&cell).parent.get();
            continue;
        };
        let linked = match child.deferred_at {
            Some(at) => unlinked::new(cx, cell, at),
            None => {
                let linked = code_of(cx, child, source, cell, internal);
                registered(cx, linked)
            }
        };
        code(&cell).children[next].set(linked);
        cx.remember(cell);
        next += 1;
        if child.deferred_at.is_none() {
            fill_literals(cx, linked, child);
            outer.append_one((sequence, next));
            (cell, sequence, next) = (linked, child, 0);
        }
    }
}

/// The code object without its literals and children.
fn code_of(cx: &mut Cx, s: &Sequence, source: &Arc<Source>, parent: Value, internal: bool) -> Code {
    let p = &s.parameters;
    let internal = internal || p.of_symbol;
    let positional = p.rest.is_none()
        && p.post == 0
        && p.keywords.is_empty()
        && p.keyword_rest.is_none()
        && p.block.is_none()
        && !p.no_keywords
        && !p.forwarding
        && !p.trailing_comma
        && !p.packed;
    let simple = positional && p.optional == 0;
    debug_assert!(!simple || p.count() == p.required);
    Code {
        instructions: Table::collect(s.instructions.iter().map(|i| UnsafeCell::new(*i))),
        registers: s.frame_registers(),
        environment_slots: s.environment_slots(),
        simple,
        positional,
        parameter_count: p.count(),
        kind: s.kind,
        parameters: s.parameters.clone(),
        calls: Table::collect(s.calls.iter().map(|c| CallSite::new(cx, c))),
        ivars: Table::collect(s.ivars.iter().map(|n| IvarSite::new(intern(cx, n)))),
        constants: Table::collect(s.constants.iter().map(|n| ConstantSite::new(intern(cx, n)))),
        literals: Table::collect(s.literals.iter().map(|_| Cell::new(Value::NIL))),
        children: Table::collect(s.children.iter().map(|_| Cell::new(Value::NIL))),
        positions: Positions::new(&s.positions),
        events: Table::collect(s.events.iter().copied()),
        locals: Table::collect(
            s.locals.iter().map(|l| (l.name.as_ref().map_or(Sym::NONE, |n| intern(cx, n)), l.register)),
        ),
        rare: crate::code::Rare {
            keyword_names: p.keywords.iter().map(|(n, required)| (intern(cx, n), *required)).collect(),
            handlers: s.handlers.clone().into_boxed_slice(),
            jump_tables: jump_tables(s),
            reassigned: s.locals.iter().filter(|local| local.reassigned).map(|local| local.register).collect(),
            sends_publicly: !internal && s.calls.iter().any(|call| call.name.bytes == b"public_send"),
        }
        .boxed(),
        name: shared_name(&s.name, parent),
        block_depth: s.block_depth,
        first_line: s.first_line,
        last_line: s.last_line,
        first_column: s.first_column,
        last_column: s.last_column,
        source: source.clone(),
        parent: Cell::new(parent),
        own: Cell::new(Value::NIL),
        internal,
        uses_block: s.uses_block,
        // Strings that a Ruby half returns may be changed by the program.
        string_flags: if !internal && s.literals.iter().any(|l| matches!(l, Literal::String { chilled: true, .. })) {
            abi::Flags::CHILLED
        } else {
            0
        },
        traced: Default::default(),
        profile: Default::default(),
        registered: registry::Registered::default(),
        once: UnsafeCell::new(None),
        ruby2_keywords: Cell::new(false),
        defines_methods: Cell::new(None),
        body_at: None,
        lent: Cell::new(if internal { p.lent } else { 0 }),
        shares_rest: p.shares_rest,
        unspecialized: !internal && is_unspecialized(cx, s.kind, parent),
        kept: Cell::new(0),
        lending: Cell::new(Value::NIL),
        tier: Tier::new(cx.vm().options.thresholds, !s.children.is_empty()),
    }
}

/// Whether code is compiled without `specialized_instruction`: what is linked later follows the code around it.
fn is_unspecialized(cx: &Cx, kind: Kind, parent: Value) -> bool {
    match kind {
        Kind::Top | Kind::Eval => cx.vm().compiles_unspecialized,
        _ if !parent.is_nil() && unlinked::is_linked(parent) => code(&parent).unspecialized,
        _ => cx.vm().compiles_unspecialized,
    }
}

/// The name of code, that of the enclosing code if it is the same.
fn shared_name(name: &str, parent: Value) -> Arc<str> {
    match (!parent.is_nil() && unlinked::is_linked(parent)).then(|| &code(&parent).name) {
        Some(around) if **around == *name => around.clone(),
        _ => name.into(),
    }
}

fn fill_literals(cx: &mut Cx, cell: Value, s: &Sequence) {
    for (i, literal) in s.literals.iter().enumerate() {
        if let Literal::JumpTable(rows) = literal {
            for (key, to) in rows {
                let key = JumpKey(literal_value(cx, key));
                add_target(cx, cell, i, key, *to);
            }
            continue;
        }
        let value = literal_value(cx, literal);
        code(&cell).literals[i].set(value);
        if matches!(literal, Literal::Regexp { .. }) && value.is_nil() {
            literal::note_refused(cx, code(&cell), i);
        }
        cx.remember(cell);
    }
}

/// The code's jump tables without targets: `fill_literals` adds these one by one, so that the code keeps each key alive
/// while the next one is made.
fn jump_tables(s: &Sequence) -> Box<[JumpTable]> {
    let is_table = |(_, literal): &(usize, &Literal)| matches!(literal, Literal::JumpTable(_));
    let tables = s.literals.iter().enumerate().filter(is_table);
    tables.map(|(literal, _)| JumpTable { literal, targets: Default::default() }).collect()
}

fn add_target(cx: &mut Cx, cell: Value, literal: usize, key: JumpKey, to: u32) {
    if let Some(code) = native::get_mut::<Code>(cx, cell)
        && let Some(rare) = &mut code.rare
        && let Some(table) = rare.jump_tables.iter_mut().find(|table| table.literal == literal)
    {
        table.targets.insert(key, to);
    }
    cx.remember(cell);
}
