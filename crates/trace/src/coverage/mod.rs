//! The library coverage: how often the lines and methods of files ran.
//!
//! Trace points do the counting; code compiled earlier, and the library's own code, is not modified. From `setup` on
//! one trace point receives each compiled file and each defined method. While coverage runs, others are set on the
//! lines and methods of those files. They are native, so that they do not affect the measurement. Branches have
//! counters that the compiler emits on request. The states and the structure of results are in `coverage.rb`.

use memory::Grow;
use std::collections::HashMap;

use abi::Value;
use bytecode::sequence::Events;
use heap::Trace;
use object::{
    Known,
    array::Arr,
    method_entry::{self, Kind},
    native::{self, NativeData},
    symbol::table::intern_text,
};
use runtime::{
    Args, Cx, Method, R,
    call::block::{self, NativeBlock},
    code::{Code, Source, code},
    define, internal, make,
    trace::{Happening, METHOD_ADDED, SCRIPT_COMPILED},
};

use crate::{
    accessors, patch,
    point::{self, Point, State},
};

/// Private singleton methods of Coverage.
const METHODS: &[Method] = &[
    Method::new("__begin(lines, once, methods, evals, branches)", begin).private(),
    Method::new("__count(on)", count).private(),
    Method::new("__files", files).private(),
    Method::new("__methods", methods).private(),
    Method::new("__branches", branches).private(),
    Method::new("__clear", clear).private(),
    Method::new("__end", end).private(),
];

/// `coverage.so`
pub fn make(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let module = define::define_module(cx, object, "Coverage");
    define::define_singleton_methods(cx, module, METHODS);
    internal::load(cx, runtime::ruby_half!("coverage/coverage"))
}

/// The root of the current measurement.
const ROOT: runtime::Root = runtime::Root::Coverage;

#[derive(Trace)]
struct Coverage {
    once: bool,
    evals: bool,
    /// The files, in the order in which their paths were first seen.
    files: Vec<File>,
    /// Indices in `files` by source number, and the latest one that was looked up.
    sources: HashMap<u32, usize>,
    latest: Option<(u32, usize)>,
    /// The entries of methods whose code is in one of the files, as an Array, and data about each.
    entries: Value,
    methods: Vec<MethodCount>,
    /// The numbers of the methods of each code, by its address.
    by_code: HashMap<usize, Vec<usize>>,
    /// The trace point for new files and methods.
    news: Value,
    /// The trace points for lines and for methods; nil if they are not requested.
    at_lines: Value,
    at_methods: Value,
}

#[derive(Trace)]
struct File {
    path: String,
    /// For each line, the number of times it ran; `None` if it has no code.
    lines: Vec<Option<u64>>,
    /// Lines in the order of their first execution.
    once: Vec<i64>,
}

#[derive(Trace)]
struct MethodCount {
    file: usize,
    calls: u64,
}

impl NativeData for Coverage {}

impl Coverage {
    fn count_line(&mut self, source: u32, line: i32) {
        let known = self.latest.filter(|(known, _)| *known == source).map(|(_, place)| place);
        let Some(place) = known.or_else(|| self.sources.get(&source).copied()) else { return };
        self.latest = Some((source, place));
        let Some(file) = self.files.get_mut(place) else { return };
        let Ok(place) = usize::try_from(line - 1) else { return };
        let Some(Some(count)) = file.lines.get_mut(place) else { return };
        *count = count.saturating_add(1);
        if *count == 1 {
            file.once.push(line.into());
        }
    }

    /// Counts a call of an entry. An alias counts for its original method.
    fn count_call(&mut self, entry: Value) {
        let entry = method_entry::resolve_alias(entry);
        let Some(body) = code_of(entry) else { return };
        let (address, owner) = (std::ptr::from_ref(code(&body)) as usize, method_entry::owner(entry));
        let owned =
            |place: &usize| Arr::of(self.entries).get(*place).is_some_and(|other| method_entry::owner(other) == owner);
        let Some(same) = self.by_code.get(&address) else { return };
        if let Some(place) = same.iter().copied().find(owned).or(same.last().copied()) {
            self.methods[place].calls += 1;
        }
    }

    /// A file was compiled, possibly again. An eval with the path of a known file adds its lines.
    fn add(&mut self, source: &Source, lines: Vec<Option<u64>>, is_eval: bool) {
        self.latest = None;
        if is_eval && let Some(place) = self.files.iter().position(|known| known.path == source.path) {
            for (known, line) in self.files[place].lines.iter_mut().zip(lines) {
                *known = line.or(*known);
            }
            self.sources.insert(source.id, place);
            return;
        }
        let file = File { path: source.path.clone(), lines, once: Vec::new() };
        let place = match self.files.iter().position(|known| known.path == file.path) {
            Some(place) => {
                self.files[place] = file;
                place
            }
            None => {
                self.files.push(file);
                self.files.len() - 1
            }
        };
        self.sources.retain(|_, other| *other != place);
        self.sources.insert(source.id, place);
    }
}

/// The current measurement.
fn current(cx: &mut Cx) -> Option<&mut Coverage> {
    let root = cx.root(ROOT);
    if root.is_nil() { None } else { native::get_mut::<Coverage>(cx, root) }
}

/// Whether coverage was set up.
#[inline]
pub fn is_on(cx: &Cx) -> bool {
    !cx.root(ROOT).is_nil()
}

/// Counts a line of code. True if it is not to be counted again.
pub fn count_line(cx: &mut Cx, own: &Code, line: i32) -> bool {
    let Some(coverage) = current(cx) else { return false };
    coverage.count_line(own.source.id, line);
    coverage.once
}

/// The same for reading; `root` is the result of [`root`].
fn seen(root: &Value) -> Option<&Coverage> {
    native::get::<Coverage>(root)
}

fn root(cx: &Cx) -> Value {
    cx.root(ROOT)
}

/// The code that runs when a method is called; `None` for methods without code of their own.
fn code_of(entry: Value) -> Option<Value> {
    if !matches!(method_entry::kind(entry), Kind::Sequence | Kind::Block) {
        return None;
    }
    let body = core_classes::method::body_of(entry);
    (!body.is_nil() && !code(&body).internal).then_some(body)
}

/// The lines of a source that have events. Lines before the first, which an eval may have, do not count.
fn lines_of(body: Value) -> Vec<Option<u64>> {
    let source = &code(&body).source;
    // A last line without a line end is not counted, as in CRuby.
    let count = source.text.bytes().iter().filter(|byte| **byte == b'\n').count() as i64;
    let mut lines = memory::filled(None, (count + i64::from(source.first_line) - 1).max(0) as usize);
    patch::nested(body, &mut |v| {
        let own = code(&v);
        for (word, events) in &own.events {
            let line = own.event_line(*word as usize, Events::LINE) - 1;
            if events.0 & Events::LINE != 0
                && let Some(place) = usize::try_from(line).ok().and_then(|line| lines.get_mut(line))
            {
                *place = Some(0);
            }
        }
    });
    lines
}

/// The native blocks of the trace points.
#[derive(Trace)]
enum Listener {
    News,
    Lines,
    Calls,
}

impl NativeData for Listener {}

impl NativeBlock for Listener {
    fn call(&self, cx: &mut Cx, _: &[Value]) -> R {
        let Some(now) = cx.happening() else { return Ok(Value::NIL) };
        let entry = if matches!(self, Listener::Calls) { accessors::entry_of(cx, &now) } else { Value::NIL };
        let Some(coverage) = current(cx) else { return Ok(Value::NIL) };
        match self {
            Listener::News if now.event == SCRIPT_COMPILED => compiled(cx, &now),
            Listener::News => defined(cx, now.value),
            // Lines are counted without a call of the block.
            Listener::Lines => {}
            Listener::Calls if !entry.is_nil() => coverage.count_call(entry),
            Listener::Calls => {}
        }
        Ok(Value::NIL)
    }
}

/// A file or the source of an eval was compiled: sets the trace points on its code.
fn compiled(cx: &mut Cx, now: &Happening) {
    let Some(coverage) = current(cx) else { return };
    if !now.extra.is_nil() && !coverage.evals {
        return;
    }
    let body = now.value;
    let source = &code(&body).source;
    coverage.add(source, lines_of(body), !now.extra.is_nil());
    let points = [coverage.at_lines, coverage.at_methods];
    for v in points {
        if let Some(point) = native::get_mut::<Point>(cx, v) {
            point.note(source.id, true);
            if point.state == State::Global {
                patch::nested(body, &mut |own| patch::apply_everywhere(point, code(&own)));
            }
        }
    }
}

/// A method was defined. Aliases are counted with their original method.
fn defined(cx: &mut Cx, entry: Value) {
    let Some(coverage) = current(cx) else { return };
    let Some(body) = code_of(entry) else { return };
    let own = code(&body);
    let Some(file) = coverage.sources.get(&own.source.id) else { return };
    // The entry keeps the code alive.
    let numbers = coverage.by_code.entry(std::ptr::from_ref(own) as usize).or_default();
    numbers.append_one(coverage.methods.len());
    coverage.methods.append_one(MethodCount { file: *file, calls: 0 });
    let entries = coverage.entries;
    make::push(cx, entries, entry);
}

/// A disabled trace point. Its filter accepts only the recorded sources.
fn listener(cx: &mut Cx, events: u32, listener: Listener) -> Value {
    let filtered = !matches!(listener, Listener::News);
    let counts_lines = matches!(listener, Listener::Lines);
    let block = block::native_proc(cx, Box::new(listener), false);
    let made = point::make(cx, events, block);
    if filtered {
        let nothing = make::array(cx, &[]);
        if let Some(point) = native::get_mut::<Point>(cx, made) {
            point.filter = nothing;
            point.counts_lines = counts_lines;
        }
    }
    made
}

/// `__begin(lines, once, methods, evals, branches) → nil`: starts counting lines (with `once` only whether they ran),
/// calls of methods, and branches, in code that is compiled later; with `evals` also in code compiled by `eval`.
fn begin(cx: &mut Cx, args: Args) -> R {
    let [lines, once, methods, evals] = [0, 1, 2, 3].map(|i| args.at(i).truthy());
    let entries = make::array(cx, &[]);
    let heard = SCRIPT_COMPILED | if methods { METHOD_ADDED } else { 0 };
    let news = listener(cx, heard, Listener::News);
    let at_lines = if lines { listener(cx, Events::LINE.into(), Listener::Lines) } else { Value::NIL };
    let at_methods = if methods { listener(cx, Events::CALL.into(), Listener::Calls) } else { Value::NIL };
    let class = cx.class(Known::Internal);
    let (files, sources, methods) = (Vec::new(), HashMap::new(), Vec::new());
    let coverage = Coverage {
        once,
        evals,
        files,
        sources,
        latest: None,
        entries,
        methods,
        by_code: HashMap::new(),
        news,
        at_lines,
        at_methods,
    };
    let coverage = native::new(cx, class, Box::new(coverage));
    cx.set_root(ROOT, coverage);
    let counted = &mut cx.vm_mut().branches;
    (counted.files, counted.evals) = (args.at(4).truthy(), evals);
    point::enable_everywhere(cx, news, Value::NIL);
    Ok(Value::NIL)
}

/// `__count(on) → nil`: sets whether lines, calls and branches are counted from now on; the counts are kept.
fn count(cx: &mut Cx, args: Args) -> R {
    let on = args.at(0).truthy();
    cx.vm_mut().branches.running = on;
    let Some(coverage) = current(cx) else { return Ok(Value::NIL) };
    let known: Vec<u32> = coverage.sources.keys().copied().collect();
    let points = [coverage.at_lines, coverage.at_methods];
    for v in points {
        if v.is_nil() {
            continue;
        }
        if !on {
            point::turn_off(cx, v);
        }
        // A disabled point drops its filter.
        let nothing = make::array(cx, &[]);
        if let Some(point) = native::get_mut::<Point>(cx, v) {
            point.filter = nothing;
            known.iter().for_each(|source| point.note(*source, true));
        }
        if on {
            point::enable_everywhere(cx, v, Value::NIL);
        }
    }
    Ok(Value::NIL)
}

/// `__files → [[path, lines], …]`: the counts of each line of each file; with `once` the lines that ran.
fn files(cx: &mut Cx, _: Args) -> R {
    let (list, root) = (make::array(cx, &[]), root(cx));
    let Some(coverage) = seen(&root) else { return Ok(list) };
    for file in &coverage.files {
        let lines = make::array(cx, &[]);
        if coverage.once {
            file.once.iter().for_each(|line| make::push(cx, lines, Value::fixnum(*line)));
        } else {
            for count in &file.lines {
                make::push(cx, lines, count.map_or(Value::NIL, |count| Value::fixnum(count as i64)));
            }
        }
        let path = make::text(cx, &file.path);
        let row = make::array(cx, &[path, lines]);
        make::push(cx, list, row);
    }
    Ok(list)
}

/// `__methods → [[path, owner, name, first line, first column, last line, last column, calls], …]`: the number of calls
/// of each method that was defined since `__begin`.
fn methods(cx: &mut Cx, _: Args) -> R {
    let (list, root) = (make::array(cx, &[]), root(cx));
    let Some(coverage) = seen(&root) else { return Ok(list) };
    for (place, method) in coverage.methods.iter().enumerate() {
        let Some(entry) = Arr::of(coverage.entries).get(place) else { continue };
        let Some(body) = code_of(entry) else { continue };
        let own = code(&body);
        let path = make::text(cx, &coverage.files[method.file].path);
        let place = [own.first_line.into(), own.first_column.into(), own.last_line.into(), own.last_column.into()];
        let [first_line, first_column, last_line, last_column] = place.map(|n: i64| Value::fixnum(n));
        let (owner, name) = (method_entry::owner(entry), method_entry::original_name(entry).value());
        let calls = Value::fixnum(method.calls as i64);
        let row = make::array(cx, &[path, owner, name, first_line, first_column, last_line, last_column, calls]);
        make::push(cx, list, row);
    }
    Ok(list)
}

/// `__branches → [[path, [[kind, first line, first column, last line, last column, [[name, …, count], …]], …]], …]`:
/// the number of times each branch was taken, by file.
fn branches(cx: &mut Cx, _: Args) -> R {
    let (list, root) = (make::array(cx, &[]), root(cx));
    let Some(coverage) = seen(&root) else { return Ok(list) };
    for (place, file) in coverage.files.iter().enumerate() {
        let mut sources: Vec<u32> =
            coverage.sources.iter().filter(|(_, other)| **other == place).map(|(source, _)| *source).collect();
        sources.sort_unstable();
        let branch_points = make::array(cx, &[]);
        for source in sources {
            push_branch_points(cx, source, branch_points);
        }
        let path = make::text(cx, &file.path);
        let row = make::array(cx, &[path, branch_points]);
        make::push(cx, list, row);
    }
    Ok(list)
}

/// The branch points of a source, with their counts.
fn push_branch_points(cx: &mut Cx, source: u32, branch_points: Value) {
    let Some(found) = cx.vm().branches.sources.get(&source) else { return };
    let counts = found.counts.clone();
    for point in found.branch_points.clone() {
        let branches = make::array(cx, &[]);
        let mut known = point.branches;
        known.sort_by_key(|branch| branch.order);
        for branch in known {
            let count = counts.get(branch.counter).map_or(0, |count| *count as i64);
            let row = row_of(cx, &branch.name, branch.place, Value::fixnum(count));
            make::push(cx, branches, row);
        }
        let row = row_of(cx, &point.kind, point.place, branches);
        make::push(cx, branch_points, row);
    }
}

/// A name as a Symbol, a position, and the data.
fn row_of(cx: &mut Cx, name: &str, place: [i64; 4], last: Value) -> Value {
    let name = intern_text(cx, name).value();
    let [first_line, first_column, last_line, last_column] = place.map(Value::fixnum);
    make::array(cx, &[name, first_line, first_column, last_line, last_column, last])
}

/// `__clear → nil`: sets all counts to 0. With `once` a line that ran is not reported a second time.
fn clear(cx: &mut Cx, _: Args) -> R {
    let Some(coverage) = current(cx) else { return Ok(Value::NIL) };
    for file in &mut coverage.files {
        file.once.clear();
        if !coverage.once {
            file.lines.iter_mut().flatten().for_each(|count| *count = 0);
        }
    }
    coverage.methods.iter_mut().for_each(|method| method.calls = 0);
    cx.vm_mut().branches.clear();
    Ok(Value::NIL)
}

/// `__end → nil`: stops counting and drops the counts. Code keeps its branch counters, which are no longer read.
fn end(cx: &mut Cx, _: Args) -> R {
    if let Some(coverage) = current(cx) {
        for v in [coverage.news, coverage.at_lines, coverage.at_methods] {
            point::turn_off(cx, v);
        }
    }
    cx.set_root(ROOT, Value::NIL);
    // Code with counters continues to count without effect.
    cx.vm_mut().branches = Default::default();
    Ok(Value::NIL)
}
