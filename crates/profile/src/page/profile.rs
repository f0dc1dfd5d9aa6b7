//! The page of a profile: flame graphs, tables of lines and methods, a timeline.

use runtime::sampling::Mode;
use rustc_hash::FxHashMap;
use serde_json::{Value as Json, json};

use super::{flame, template::Page};
use crate::result::{LineRow, Profile};
use crate::tree::{Kind, Lines};

/// The number of time slices in the timeline.
const SLICES: usize = 300;
/// The maximum number of rows of a table; rows with lower cost are omitted.
const ROWS: usize = 5000;
/// The maximum number of bytes of source text; files with lower cost are omitted.
const SOURCES: usize = 4 << 20;

pub fn write(profile: &Profile) -> String {
    let seconds = profile.total() as f64 / 1e9;
    let of = match profile.mode {
        Mode::Cpu => "processor time",
        Mode::Wall => "wall-clock time, all threads",
    };
    let graph = |is_inverted| flame::graph(&profile.tree, &profile.weights(), 1000, "microseconds", is_inverted);
    Page {
        title: format!("Profile of {}", profile.program),
        summary: format!("{} samples, {seconds:.3} s of {of}", profile.samples.len()),
        tabs: vec![
            ("flame", "Flame graph", graph(false)),
            ("inverted", "Inverted", graph(true)),
            ("lines", "Lines", String::new()),
            ("methods", "Methods", String::new()),
            ("source", "Source", String::new()),
            ("timeline", "Timeline", String::new()),
        ],
        data: data(profile),
        library: None,
        script: include_str!("profile.js"),
    }
    .write()
}

fn data(profile: &Profile) -> Json {
    let functions = &profile.tree.functions;
    let rows = profile.by_line();
    let files = files(profile, &rows);
    let mut texts = Lines::new(&profile.tree);
    let lines: Vec<Json> = rows
        .into_iter()
        .take(ROWS)
        .map(|row| {
            let function = &functions[row.function as usize];
            json!({
                "path": function.path, "line": row.line, "method": function.name,
                "own": row.cost.own, "total": row.cost.total,
                "source": texts.line(&function.path, row.line).unwrap_or_default(),
            })
        })
        .collect();
    let methods: Vec<Json> = profile
        .by_method()
        .into_iter()
        .take(ROWS)
        .map(|(number, cost)| {
            let function = &functions[number as usize];
            json!({
                "name": function.name, "path": function.path, "line": function.first_line,
                "kind": function.kind.name(), "own": cost.own, "total": cost.total,
            })
        })
        .collect();
    json!({
        "total": profile.total(), "lines": lines, "methods": methods, "files": files, "timeline": timeline(profile),
    })
}

/// The sources of the lines, the files with the highest cost first.
fn files(profile: &Profile, rows: &[LineRow]) -> Vec<Json> {
    let mut costs: FxHashMap<&str, u64> = FxHashMap::default();
    for row in rows {
        *costs.entry(&profile.tree.functions[row.function as usize].path).or_default() += row.cost.own;
    }
    let mut costs: Vec<(&str, u64)> = costs.into_iter().collect();
    costs.sort_by_key(|(path, own)| (std::cmp::Reverse(*own), *path));
    let mut room = SOURCES;
    let mut files = Vec::new();
    for (path, own) in costs {
        let Some((first, text)) = profile.tree.source_text(path) else { continue };
        let Some(rest) = room.checked_sub(text.len()) else { break };
        room = rest;
        files.push(json!({ "path": path, "own": own, "first": first, "text": text }));
    }
    files
}

/// For each thread, the milliseconds of each state in each time slice.
fn timeline(profile: &Profile) -> Json {
    const STATES: [(Kind, &str); 6] = [
        (Kind::Ruby, "#3b82c4"),
        (Kind::Native, "#8a63c9"),
        (Kind::Collector, "#d9534f"),
        (Kind::Compiler, "#e0a030"),
        (Kind::Waiting, "#7a8590"),
        (Kind::WantsLock, "#b05c8a"),
    ];
    let length = profile.ended.saturating_sub(profile.began).max(1);
    let slice = |time: u64| {
        let at = time.saturating_sub(profile.began) as u128 * SLICES as u128 / u128::from(length);
        (at as usize).min(SLICES - 1)
    };
    let mut states = vec![[const { [0u64; SLICES] }; STATES.len()]; profile.threads.len()];
    let numbers: FxHashMap<u32, usize> =
        profile.threads.iter().enumerate().map(|(i, thread)| (thread.number, i)).collect();
    for sample in &profile.samples {
        let kind = match profile.tree.function_of(sample.node).kind {
            Kind::Core => Kind::Ruby,
            kind => kind,
        };
        let state = STATES.iter().position(|(known, _)| *known == kind).unwrap_or(0);
        if let Some(thread) = numbers.get(&sample.thread) {
            spread(sample.time, sample.weight, profile, &slice, &mut states[*thread][state]);
        }
    }
    let threads: Vec<Json> = profile
        .threads
        .iter()
        .zip(states)
        .map(|(thread, states)| {
            let shown = STATES.iter().zip(states).filter(|(_, slices)| slices.iter().any(|n| *n > 0));
            let shown = shown.map(|((kind, _), slices)| {
                (kind.name().to_string(), json!(slices.map(|n| (n as f64 / 1e4).round() / 100.0).to_vec()))
            });
            json!({ "name": thread.name, "states": shown.collect::<serde_json::Map<_, _>>() })
        })
        .collect();
    let seconds: Vec<f64> =
        (0..SLICES).map(|i| (length as f64 * i as f64 / SLICES as f64 / 1e6).round() / 1e3).collect();
    let colours: serde_json::Map<_, _> =
        STATES.iter().map(|(kind, colour)| (kind.name().to_string(), json!(colour))).collect();
    let mut pauses = profile.pauses.clone();
    pauses.sort_by_key(|pause| (std::cmp::Reverse(pause.ended - pause.began), pause.began));
    let stops = json!({ "count": pauses.len(), "total": pauses.iter().map(|p| p.ended - p.began).sum::<u64>() });
    let pauses: Vec<Json> = pauses
        .iter()
        .take(ROWS)
        .map(|pause| json!([pause.began.saturating_sub(profile.began), pause.ended - pause.began, pause.is_collection]))
        .collect();
    json!({ "seconds": seconds, "threads": threads, "colours": colours, "pauses": pauses, "stops": stops })
}

/// Distributes a sample over time slices. Its time precedes the moment when it was taken: a long wait fills many
/// slices.
fn spread(time: u64, weight: u64, profile: &Profile, slice: &impl Fn(u64) -> usize, slices: &mut [u64; SLICES]) {
    let begins = match profile.mode {
        Mode::Wall => time.saturating_sub(weight).max(profile.began),
        Mode::Cpu => time,
    };
    let (first, last) = (slice(begins), slice(time));
    let share = weight / (last - first + 1) as u64;
    slices[first..=last].iter_mut().for_each(|slot| *slot += share);
}
