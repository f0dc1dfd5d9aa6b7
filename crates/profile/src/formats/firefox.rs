//! The Firefox Profiler's processed format: tables of columns for each thread, times in milliseconds.

use rustc_hash::FxHashMap;
use serde_json::{Value as Json, json};

use crate::result::{Profile, Thread};
use crate::tree::{Kind, ROOT};

/// The version of the format; the Firefox Profiler upgrades older versions.
const VERSION: u32 = 47;

/// Categories and their colours, with the profiler's names; the kind of a frame determines its category.
const CATEGORIES: [(&str, &str); 6] = [
    ("Ruby", "blue"),
    ("Native", "purple"),
    ("Collector", "red"),
    ("Compiler", "yellow"),
    ("Waiting", "grey"),
    ("Other", "transparent"),
];

fn category(kind: Kind) -> usize {
    match kind {
        Kind::Ruby | Kind::Core => 0,
        Kind::Native => 1,
        Kind::Collector => 2,
        Kind::Compiler => 3,
        Kind::Waiting | Kind::WantsLock => 4,
    }
}

pub fn write(profile: &Profile) -> String {
    let categories: Vec<Json> =
        CATEGORIES.iter().map(|(name, colour)| json!({ "name": name, "color": colour, "subcategories": [] })).collect();
    let threads: Vec<Json> = profile.threads.iter().enumerate().map(|(i, one)| thread(profile, one, i == 0)).collect();
    let whole = json!({
        "meta": {
            "version": 28, "preprocessedProfileVersion": VERSION, "product": "Beni", "processType": 0, "stackwalk": 1,
            "symbolicated": true, "interval": profile.interval as f64 / 1e6, "startTime": 0, "categories": categories,
            "markerSchema": [], "sourceCodeIsNotOnSearchfox": true,
            "sampleUnits": { "time": "ms", "eventDelay": "ms", "threadCPUDelta": "ns" },
        },
        "libs": [],
        "threads": threads,
    });
    whole.to_string()
}

/// Unique texts by number.
#[derive(Default)]
struct Texts {
    list: Vec<String>,
    numbers: FxHashMap<String, usize>,
}

impl Texts {
    fn add(&mut self, text: &str) -> usize {
        let next = self.list.len();
        let number = *self.numbers.entry(text.to_string()).or_insert(next);
        if number == next {
            self.list.push(text.to_string());
        }
        number
    }
}

fn thread(profile: &Profile, thread: &Thread, is_main: bool) -> Json {
    let (tree, mut texts) = (&profile.tree, Texts::default());
    let milliseconds = |time: u64| time.saturating_sub(profile.began) as f64 / 1e6;
    let samples: Vec<_> = profile.samples.iter().filter(|sample| sample.thread == thread.number).collect();
    let places = tree.places.iter().map(|place| category(tree.functions[place.function as usize].kind));
    let place_categories: Vec<usize> = places.collect();
    let nodes = &tree.nodes[1..];
    let function_names: Vec<usize> = tree.functions.iter().map(|function| texts.add(&function.name)).collect();
    let files: Vec<Option<usize>> =
        tree.functions.iter().map(|function| (!function.path.is_empty()).then(|| texts.add(&function.path))).collect();
    let compiled = texts.add("compiled");
    let (functions, frames, stacks) = (tree.functions.len(), tree.places.len(), nodes.len());
    let pause = texts.add("pause");
    let pauses = if is_main { profile.pauses.as_slice() } else { &[] };
    json!({
        "name": thread.name, "isMainThread": is_main, "processType": "default", "processName": "Beni",
        "processStartupTime": 0, "processShutdownTime": null, "registerTime": 0, "unregisterTime": null,
        "pausedRanges": [], "pid": std::process::id().to_string(), "tid": thread.number,
        "samples": {
            "stack": samples.iter().map(|sample| sample.node - 1).collect::<Vec<_>>(),
            "time": samples.iter().map(|sample| milliseconds(sample.time)).collect::<Vec<_>>(),
            "weight": samples.iter().map(|sample| sample.weight as f64 / 1e6).collect::<Vec<_>>(),
            "weightType": "tracing-ms", "length": samples.len(),
        },
        "markers": {
            "data": pauses.iter().map(|_| Json::Null).collect::<Vec<_>>(),
            "name": pauses.iter().map(|_| pause).collect::<Vec<_>>(),
            "startTime": pauses.iter().map(|p| milliseconds(p.began)).collect::<Vec<_>>(),
            "endTime": pauses.iter().map(|p| milliseconds(p.ended)).collect::<Vec<_>>(),
            "phase": vec![1; pauses.len()], "category": vec![2; pauses.len()], "length": pauses.len(),
        },
        "stackTable": {
            "frame": nodes.iter().map(|node| node.place).collect::<Vec<_>>(),
            "prefix": nodes.iter().map(|n| (n.parent != ROOT).then(|| n.parent - 1)).collect::<Vec<_>>(),
            "category": nodes.iter().map(|node| place_categories[node.place as usize]).collect::<Vec<_>>(),
            "subcategory": vec![0; stacks], "length": stacks,
        },
        "frameTable": {
            "func": tree.places.iter().map(|place| place.function).collect::<Vec<_>>(),
            "line": tree.places.iter().map(|p| (p.line > 0).then_some(p.line)).collect::<Vec<_>>(),
            "implementation": tree.places.iter().map(|p| p.is_compiled.then_some(compiled)).collect::<Vec<_>>(),
            "category": place_categories, "subcategory": vec![0; frames], "address": vec![-1; frames],
            "inlineDepth": vec![0; frames], "nativeSymbol": vec![Json::Null; frames],
            "innerWindowID": vec![0; frames], "column": vec![Json::Null; frames], "length": frames,
        },
        "funcTable": {
            "name": function_names, "fileName": files,
            "lineNumber": tree.functions.iter().map(|f| (f.first_line > 0).then_some(f.first_line)).collect::<Vec<_>>(),
            "columnNumber": vec![Json::Null; functions], "isJS": vec![false; functions],
            "relevantForJS": vec![false; functions], "resource": vec![-1; functions], "length": functions,
        },
        "resourceTable": { "lib": [], "name": [], "host": [], "type": [], "length": 0 },
        "nativeSymbols": { "libIndex": [], "address": [], "name": [], "functionSize": [], "length": 0 },
        "stringArray": texts.list,
    })
}
