//! The page of a profile: flame graphs, tables of lines and methods, a timeline.

use inferno::flamegraph::{self, Direction, Options, color};
use runtime::sampling::Mode;
use serde_json::{Value as Json, json};

use super::template::{escape, fill, json as json_text};
use crate::formats::collapsed;
use crate::result::Profile;
use crate::tree::Kind;

/// The number of time slices in the timeline.
const SLICES: usize = 300;
/// The maximum number of rows of a table; rows with lower cost are omitted.
const ROWS: usize = 5000;

pub fn write(profile: &Profile) -> String {
    let seconds = profile.total() as f64 / 1e9;
    let of = match profile.mode {
        Mode::Cpu => "processor time",
        Mode::Wall => "time by the clock, all threads",
    };
    let summary = format!("{} samples, {seconds:.3} s of {of}", profile.samples.len());
    let title = escape(&format!("Profile of {}", profile.program));
    fill(
        include_str!("profile.html"),
        &[
            ("TITLE", &title),
            ("SUMMARY", &escape(&summary)),
            ("CSS", include_str!("page.css")),
            ("GRID_CSS", include_str!("kept/gridjs.css")),
            ("CHART_CSS", include_str!("kept/uplot.css")),
            ("FLAME", &escape(&flame_graph(profile, false))),
            ("INVERTED", &escape(&flame_graph(profile, true))),
            ("DATA", &json_text(&data(profile))),
            ("GRID_LICENCE", include_str!("kept/gridjs.LICENSE")),
            ("GRID", include_str!("kept/gridjs.js")),
            ("CHART_LICENCE", include_str!("kept/uplot.LICENSE")),
            ("CHART", include_str!("kept/uplot.js")),
            ("JS", include_str!("profile.js")),
        ],
    )
}

/// A separate page with the graph, which has its own script and ids of elements.
fn flame_graph(profile: &Profile, is_inverted: bool) -> String {
    let mut options = Options::default();
    options.title = if is_inverted { "Inverted".into() } else { "Flame graph".into() };
    options.count_name = "microseconds".into();
    options.direction = Direction::Inverted;
    options.reverse_stack_order = is_inverted;
    options.colors = color::Palette::Multi(color::MultiPalette::Java);
    let stacks = collapsed::marked(profile);
    let mut image = Vec::new();
    let drawn = flamegraph::from_lines(&mut options, stacks.lines(), &mut image);
    if drawn.is_err() || stacks.is_empty() {
        return "<p>No samples.</p>".into();
    }
    let image = String::from_utf8_lossy(&image);
    // The text before the element is needed only in a separate file.
    let image = image.find("<svg").map_or("", |at| &image[at..]);
    let style = "<style>:root { color-scheme: light dark } body { margin: 0 } svg { display: block; width: 100% }\
        @media (prefers-color-scheme: dark) { #background { fill: #16191d } #title, #details, #search, #matched, \
        #unzoom { fill: #dfe3e8 } }</style>";
    format!("<!doctype html><meta charset=\"utf-8\">{style}{image}")
}

fn data(profile: &Profile) -> Json {
    let functions = &profile.tree.functions;
    let lines: Vec<Json> = profile
        .by_line()
        .into_iter()
        .take(ROWS)
        .map(|row| {
            let function = &functions[row.function as usize];
            json!({
                "path": function.path, "line": row.line, "method": function.name,
                "own": row.cost.own, "total": row.cost.total,
                "source": profile.source_line(&function.path, row.line).unwrap_or_default(),
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
    json!({ "total": profile.total(), "lines": lines, "methods": methods, "timeline": timeline(profile) })
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
    let threads: Vec<Json> = profile
        .threads
        .iter()
        .map(|thread| {
            let mut states = [const { [0u64; SLICES] }; STATES.len()];
            for sample in profile.samples.iter().filter(|sample| sample.thread == thread.number) {
                let kind = match profile.tree.function_of(sample.node).kind {
                    Kind::Core => Kind::Ruby,
                    kind => kind,
                };
                let state = STATES.iter().position(|(known, _)| *known == kind).unwrap_or(0);
                spread(sample.time, sample.weight, profile, &slice, &mut states[state]);
            }
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
    let pauses: Vec<Json> = profile
        .pauses
        .iter()
        .map(|pause| json!([pause.began.saturating_sub(profile.began), pause.ended - pause.began, pause.is_collection]))
        .collect();
    json!({ "seconds": seconds, "threads": threads, "colours": colours, "pauses": pauses })
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
