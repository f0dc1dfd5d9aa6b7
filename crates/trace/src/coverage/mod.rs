//! The library coverage: how often the lines, methods and branches of files ran.
//!
//! From `setup` on, files are compiled with instructions that count ([`runtime::counters`]); code compiled earlier, and
//! the library's own code, has none. A trace point receives each compiled file and each defined method. It is native,
//! so that it does not affect the measurement. The states and the structure of results are in `coverage.rb`.

mod tally;

use memory::{Grow, ToVector};
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
    code::code,
    counters::Counting,
    define, internal, make,
    trace::{Happening, METHOD_ADDED, SCRIPT_COMPILED},
    unlinked,
};

use crate::{patch, point};
use tally::Tally;

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
    /// Indices in `files` by source number, also of evals of which only the methods count.
    sources: HashMap<u32, usize>,
    /// Tallies by source number. When a file is loaded again, the tally of its earlier load is kept, because methods of
    /// that load may still be called.
    #[trace(skip)]
    tallies: HashMap<u32, Tally>,
    /// The entries of methods whose code is in one of the files, as an Array, and data about each.
    entries: Value,
    methods: Vec<MethodCount>,
    /// The numbers of the methods of each code, by its address.
    by_code: HashMap<usize, Vec<usize>>,
    /// The trace point for new files and methods.
    news: Value,
}

#[derive(Trace)]
struct File {
    path: String,
    /// Whether each line has code.
    lines: Vec<bool>,
    /// The numbers of its sources: the file, and evals with its path.
    sources: Vec<u32>,
}

#[derive(Trace)]
struct MethodCount {
    file: usize,
    /// For the first method with its code: the source and the number of the code's counter.
    counter: Option<(u32, usize)>,
    /// The number of calls that the counter of its code does not count.
    calls: u64,
}

impl NativeData for Coverage {
    object::one_vtable!(Coverage);
}

impl Coverage {
    /// The method of an entry was called. An alias counts for its original method.
    fn count_call(&mut self, entry: Value) {
        let entry = method_entry::resolve_alias(entry);
        let Some(body) = code_of(entry) else { return };
        let (address, owner) = (std::ptr::from_ref(code(&body)) as usize, method_entry::owner(entry));
        let entries = Arr::of(self.entries);
        let is_it = |place: &usize| entries.get(*place) == Some(entry);
        let is_owned = |place: &usize| entries.get(*place).is_some_and(|other| method_entry::owner(other) == owner);
        // An alias has an entry of its own, which keeps the name of the method that was defined.
        let name = method_entry::original_name(entry);
        let is_named = |place: &usize| entries.get(*place).is_some_and(|other| method_entry::name(other) == name);
        let Some(same) = self.by_code.get(&address) else { return };
        let found = same.iter().copied().find(is_it);
        let found = found.or_else(|| same.iter().copied().find(|place| is_owned(place) && is_named(place)));
        let found = found.or_else(|| same.iter().copied().find(is_owned));
        if let Some(place) = found.or(same.last().copied()) {
            self.methods[place].calls += 1;
        }
    }

    /// A file was compiled, possibly again. An eval with the path of a known file adds its lines.
    fn add(&mut self, path: &str, source: u32, lines: Vec<bool>, is_eval: bool) {
        let known = self.files.iter().position(|known| known.path == path);
        if is_eval && let Some(place) = known {
            let file = &mut self.files[place];
            file.lines.iter_mut().zip(lines).for_each(|(known, has_code)| *known |= has_code);
            file.sources.append_one(source);
            self.sources.insert(source, place);
            return;
        }
        let file = File { path: path.to_string(), lines, sources: [source].to_vector() };
        let place = known.unwrap_or(self.files.len());
        match self.files.get_mut(place) {
            Some(known) => *known = file,
            None => self.files.append_one(file),
        }
        self.sources.retain(|_, other| *other != place);
        self.sources.insert(source, place);
    }

    /// An eval of which only the methods count was compiled; false if no file has its path.
    fn add_methods(&mut self, path: &str, source: u32) -> bool {
        let known = self.files.iter().position(|known| known.path == path);
        known.is_some_and(|place| self.sources.insert(source, place).is_none())
    }

    /// The number of runs of each line of a file; `None` for lines without code.
    fn line_counts(&self, file: &File) -> Vec<Option<u64>> {
        let mut counts: Vec<Option<u64>> = file.lines.iter().map(|has_code| has_code.then_some(0)).collect();
        for tally in file.sources.iter().filter_map(|source| self.tallies.get(source)) {
            for (line, counter) in &tally.counters.counted.lines {
                let place = usize::try_from(line - 1).ok().and_then(|place| counts.get_mut(place));
                if let Some(Some(count)) = place {
                    *count += tally.get(*counter);
                }
            }
        }
        counts
    }

    fn calls(&self, method: &MethodCount) -> u64 {
        let counted = method.counter.and_then(|(source, counter)| Some(self.tallies.get(&source)?.get(counter)));
        method.calls + counted.unwrap_or(0)
    }
}

/// The current measurement.
fn current(cx: &mut Cx) -> Option<&mut Coverage> {
    let root = cx.root(ROOT);
    if root.is_nil() { None } else { native::get_mut::<Coverage>(cx, root) }
}

/// The current measurement for reading; `root` is the result of [`root`].
fn seen(root: &Value) -> Option<&Coverage> {
    native::get::<Coverage>(root)
}

fn root(cx: &Cx) -> Value {
    cx.root(ROOT)
}

/// Called when a method is called that shares its code with others or is defined by a block.
pub fn counted_call(cx: &mut Cx, entry: Value) {
    if let Some(coverage) = current(cx) {
        coverage.count_call(entry);
    }
}

/// The code that runs when a method is called; `None` for methods without code of their own. The methods of a source
/// that is counted are linked at once.
fn code_of(entry: Value) -> Option<Value> {
    if !matches!(method_entry::kind(entry), Kind::Sequence | Kind::Block) {
        return None;
    }
    let body = core_classes::method::body_of(entry);
    (!body.is_nil() && unlinked::is_linked(body) && !code(&body).internal).then_some(body)
}

/// Whether each line of a source has events. Lines before the first, which an eval may have, do not count; `None` for
/// an eval that ends before the first.
fn lines_of(body: Value) -> Option<Vec<bool>> {
    let source = &code(&body).source;
    // A last line without a line end is not counted, as in CRuby.
    let count = source.text.bytes().iter().filter(|byte| **byte == b'\n').count() as i64;
    let count = usize::try_from(count + i64::from(source.first_line) - 1).ok()?;
    let mut lines = memory::filled(false, count);
    patch::nested(body, &mut |v| {
        let own = code(&v);
        for (word, events) in &own.events {
            let line = own.event_line(*word as usize, Events::LINE) - 1;
            if events.0 & Events::LINE != 0
                && let Some(place) = usize::try_from(line).ok().and_then(|line| lines.get_mut(line))
            {
                *place = true;
            }
        }
    });
    Some(lines)
}

/// The native block of the trace point.
#[derive(Trace)]
struct Listener;

impl NativeData for Listener {
    object::one_vtable!(Listener);
}

impl NativeBlock for Listener {
    fn call(&self, cx: &mut Cx, _: &[Value]) -> R {
        let Some(now) = cx.happening() else { return Ok(Value::NIL) };
        if now.event == SCRIPT_COMPILED {
            compiled(cx, &now);
        } else {
            defined(cx, now.value);
        }
        Ok(Value::NIL)
    }
}

/// A file or the source of an eval was compiled.
fn compiled(cx: &mut Cx, now: &Happening) {
    let is_running = cx.vm().counting.running;
    let Some(coverage) = current(cx) else { return };
    let is_eval = !now.extra.is_nil();
    let source = &code(&now.value).source;
    if !is_eval || coverage.evals {
        let Some(lines) = lines_of(now.value) else { return };
        coverage.add(&source.path, source.id, lines, is_eval);
    } else if source.counters.is_none() || !coverage.add_methods(&source.path, source.id) {
        return;
    }
    if let Some(counters) = &source.counters {
        coverage.tallies.insert(source.id, Tally::new(counters.clone(), is_running));
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
    let mut counter = own.call_counter().filter(|_| own.kind == bytecode::Kind::Method);
    if !numbers.is_empty()
        && let (Some(counter), Some(counters)) = (counter.take(), &own.source.counters)
    {
        // From now on each call determines which method is called.
        counters.set(counter + 1, 1);
    }
    numbers.append_one(coverage.methods.len());
    let counter = counter.map(|counter| (own.source.id, counter));
    coverage.methods.append_one(MethodCount { file: *file, counter, calls: 0 });
    let entries = coverage.entries;
    make::push(cx, entries, entry);
}

/// `__begin(lines, once, methods, evals, branches) → nil`: starts counting lines (with `once` only whether they ran),
/// calls of methods, and branches, in code that is compiled later; with `evals` also in code compiled by `eval`.
fn begin(cx: &mut Cx, args: Args) -> R {
    let [lines, once, calls, evals, branches] = [0, 1, 2, 3, 4].map(|i| args.at(i).truthy());
    let entries = make::array(cx, &[]);
    let block = block::native_proc(cx, Box::new(Listener), false);
    let news = point::make(cx, SCRIPT_COMPILED | if calls { METHOD_ADDED } else { 0 }, block);
    let class = cx.class(Known::Internal);
    let (files, sources, methods) = (Vec::new(), HashMap::new(), Vec::new());
    let (tallies, by_code) = (HashMap::new(), HashMap::new());
    let coverage = Coverage { once, evals, files, sources, tallies, entries, methods, by_code, news };
    let coverage = native::new(cx, class, Box::new(coverage));
    cx.set_root(ROOT, coverage);
    let counts = compiler::Counts { lines, once, calls, branches };
    cx.vm_mut().counting = Counting { counts, evals, ..Counting::default() };
    point::enable_everywhere(cx, news, Value::NIL);
    Ok(Value::NIL)
}

/// `__count(on) → nil`: sets whether lines, calls and branches are counted from now on; the counts are kept.
fn count(cx: &mut Cx, args: Args) -> R {
    let on = args.at(0).truthy();
    cx.vm_mut().counting.running = on;
    if let Some(coverage) = current(cx) {
        coverage.tallies.values_mut().for_each(|tally| tally.run(on));
    }
    Ok(Value::NIL)
}

/// `__files → [[path, lines], …]`: the counts of each line of each file; with `once` the lines that ran.
fn files(cx: &mut Cx, _: Args) -> R {
    let (list, root) = (make::array(cx, &[]), root(cx));
    let Some(coverage) = seen(&root) else { return Ok(list) };
    let mut first_runs: HashMap<usize, Vec<i32>> = HashMap::new();
    for (source, line) in &cx.vm().counting.first_runs {
        if let Some(place) = coverage.sources.get(source) {
            first_runs.entry(*place).or_default().append_one(*line);
        }
    }
    for (place, file) in coverage.files.iter().enumerate() {
        let lines = make::array(cx, &[]);
        if coverage.once {
            // A last line without a line end is not in the list.
            let has_code = |line: &&i32| file.lines.get((**line - 1) as usize) != Some(&false);
            for line in first_runs.get(&place).into_iter().flatten().filter(has_code) {
                make::push(cx, lines, Value::fixnum((*line).into()));
            }
        } else {
            for count in coverage.line_counts(file) {
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
        // Those of an eval may be before the first line.
        if own.first_line < 1 {
            continue;
        }
        let path = make::text(cx, &coverage.files[method.file].path);
        let place = [own.first_line.into(), own.first_column.into(), own.last_line.into(), own.last_column.into()];
        let [first_line, first_column, last_line, last_column] = place.map(|n: i64| Value::fixnum(n));
        let (owner, name) = (method_entry::owner(entry), method_entry::original_name(entry).value());
        let calls = Value::fixnum(coverage.calls(method) as i64);
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
    for file in &coverage.files {
        let branch_points = make::array(cx, &[]);
        for tally in file.sources.iter().filter_map(|source| coverage.tallies.get(source)) {
            push_branch_points(cx, tally, branch_points);
        }
        let path = make::text(cx, &file.path);
        let row = make::array(cx, &[path, branch_points]);
        make::push(cx, list, row);
    }
    Ok(list)
}

/// The branch points of a source, with their counts.
fn push_branch_points(cx: &mut Cx, tally: &Tally, branch_points: Value) {
    for point in &tally.counters.counted.branch_points {
        let branches = make::array(cx, &[]);
        let mut known = point.branches.to_vector();
        known.sort_by_key(|branch| branch.order);
        for branch in known {
            let count = Value::fixnum(tally.get(branch.counter) as i64);
            let row = row_of(cx, &branch.name, branch.place, count);
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
    cx.vm_mut().counting.first_runs.clear();
    if let Some(coverage) = current(cx) {
        coverage.tallies.values_mut().for_each(Tally::clear);
        coverage.methods.iter_mut().for_each(|method| method.calls = 0);
    }
    Ok(Value::NIL)
}

/// `__end → nil`: stops counting and drops the counts. Code keeps its counters, which are no longer read.
fn end(cx: &mut Cx, _: Args) -> R {
    if let Some(coverage) = current(cx) {
        let news = coverage.news;
        point::turn_off(cx, news);
    }
    cx.set_root(ROOT, Value::NIL);
    cx.vm_mut().counting = Counting::default();
    Ok(Value::NIL)
}
