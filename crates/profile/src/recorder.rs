//! Records samples: frames become nodes of the call tree.

use std::any::Any;

use bytecode::Kind as BodyKind;
use object::method_entry;
use runtime::backtrace::{self, Location};
use runtime::code::code;
use runtime::concurrency::fiber;
use runtime::sampling::{self, Activity, Mode, Outcome, Sink};
use runtime::{Cx, Value};
use rustc_hash::FxHashMap;

use crate::result::{Pause, Profile, Sample, Thread};
use crate::tree::{Function, Kind, Place, ROOT, Tree};

/// The latest sample of a thread: the node of the fibers that wait, and that of each frame, outermost first.
#[derive(Default)]
struct Latest {
    below: u32,
    nodes: Vec<u32>,
}

/// Collects samples until sampling ends.
pub struct Recorder {
    program: String,
    mode: Mode,
    interval: u64,
    began: u64,
    tree: Tree,
    samples: Vec<Sample>,
    threads: Vec<Thread>,
    latest: FxHashMap<u32, Latest>,
    /// The place of each frame; `None`: it is not shown.
    places: FxHashMap<sampling::Place, Option<u32>>,
    /// Functions by code and method entry.
    functions: FxHashMap<(Value, Value), u32>,
    states: FxHashMap<Activity, u32>,
}

impl Recorder {
    /// `interval`: nanoseconds between samples.
    pub fn new(cx: &Cx, mode: Mode, interval: u64) -> Recorder {
        Recorder {
            program: cx.vm().options.script_name.clone(),
            mode,
            interval,
            began: host::clock::monotonic_nanoseconds(),
            tree: Tree::new(),
            samples: Vec::new(),
            threads: Vec::new(),
            latest: FxHashMap::default(),
            places: FxHashMap::default(),
            functions: FxHashMap::default(),
            states: FxHashMap::default(),
        }
    }

    /// The profile, once sampling has ended.
    pub fn finish(outcome: Outcome) -> Option<Profile> {
        let recorder = outcome.sink.into_any().downcast::<Recorder>().ok()?;
        let pauses = outcome.pauses.iter();
        let pauses = pauses.map(|p| Pause { began: p.began, ended: p.ended, is_collection: p.is_collection }).collect();
        Some(Profile {
            program: recorder.program,
            mode: recorder.mode,
            interval: recorder.interval,
            began: recorder.began,
            ended: host::clock::monotonic_nanoseconds(),
            tree: recorder.tree,
            samples: recorder.samples,
            threads: recorder.threads,
            pauses,
            lost: outcome.lost,
        })
    }

    /// The node of a stack, innermost frame first.
    pub(crate) fn node(&mut self, cx: &mut Cx, frames: &[sampling::Place]) -> u32 {
        frames.iter().rev().fold(ROOT, |node, frame| self.child(cx, node, frame))
    }

    /// The node of a frame that was called from another node.
    fn child(&mut self, cx: &mut Cx, node: u32, frame: &sampling::Place) -> u32 {
        match self.place(cx, frame) {
            Some(place) => self.tree.child(node, place),
            None => node,
        }
    }

    /// The node of a sample's frames below another node.
    fn node_below(&mut self, cx: &mut Cx, below: u32, sample: &sampling::Sample<'_>) -> u32 {
        let mut latest = self.latest.remove(&sample.thread).unwrap_or_default();
        let shared = if latest.below == below { sample.shared.min(latest.nodes.len()) } else { 0 };
        latest.below = below;
        latest.nodes.truncate(shared);
        let mut node = latest.nodes.last().copied().unwrap_or(below);
        for frame in &sample.frames[shared..] {
            node = self.child(cx, node, frame);
            latest.nodes.push(node);
        }
        self.latest.insert(sample.thread, latest);
        node
    }

    pub(crate) fn into_tree(self) -> Tree {
        self.tree
    }

    /// The place of a frame, or `None` for frames that are not in backtraces either.
    fn place(&mut self, cx: &mut Cx, frame: &sampling::Place) -> Option<u32> {
        if let Some(known) = self.places.get(frame) {
            return *known;
        }
        let place = self.describe(cx, frame);
        self.places.insert(*frame, place);
        place
    }

    fn describe(&mut self, cx: &mut Cx, frame: &sampling::Place) -> Option<u32> {
        let is_helper = frame.entry.is_heap() && method_entry::original_name(frame.entry).bytes(cx).starts_with(b"__");
        if frame.code.is_nil() {
            let function = self.function(cx, frame, Kind::Native);
            return (!is_helper).then(|| self.tree.place(Place { function, line: 0, is_compiled: false }));
        }
        let body = code(&frame.code);
        if body.internal {
            let is_inner = body.block_depth > 0 || body.kind != BodyKind::Method;
            if is_inner || is_helper {
                return None;
            }
            let function = self.function(cx, frame, Kind::Core);
            return Some(self.tree.place(Place { function, line: 0, is_compiled: frame.is_compiled }));
        }
        let function = self.function(cx, frame, Kind::Ruby);
        let line =
            if frame.word == sampling::Place::NOT_BEGUN { body.first_line } else { body.line(frame.word as usize) };
        Some(self.tree.place(Place { function, line, is_compiled: frame.is_compiled }))
    }

    fn function(&mut self, cx: &mut Cx, frame: &sampling::Place, kind: Kind) -> u32 {
        let key = (frame.code, frame.entry);
        if let Some(known) = self.functions.get(&key) {
            return *known;
        }
        let native = kind != Kind::Ruby;
        let location = Location { code: frame.code, word: backtrace::NOT_BEGUN, entry: frame.entry, native };
        let name = location.label(cx);
        let (path, first_line) = match kind {
            Kind::Ruby => {
                let source = &code(&frame.code).source;
                let path = source.absolute_path.clone().unwrap_or_else(|| source.path.clone());
                self.tree.sources.entry(path.clone()).or_insert_with(|| source.clone());
                (path, code(&frame.code).first_line)
            }
            _ => (String::new(), 0),
        };
        let number = self.tree.add_function(Function { name, path, first_line, kind });
        self.functions.insert(key, number);
        number
    }

    /// The place for a state outside of methods.
    fn state(&mut self, activity: Activity) -> Option<u32> {
        let kind = match activity {
            Activity::Running => return None,
            Activity::Collecting => Kind::Collector,
            Activity::Compiling => Kind::Compiler,
            Activity::Waiting => Kind::Waiting,
            Activity::WantsLock => Kind::WantsLock,
        };
        if let Some(known) = self.states.get(&activity) {
            return Some(*known);
        }
        let name = kind.state().unwrap_or_default().to_string();
        let function = self.tree.add_function(Function { name, path: String::new(), first_line: 0, kind });
        let place = self.tree.place(Place { function, line: 0, is_compiled: false });
        self.states.insert(activity, place);
        Some(place)
    }

    fn thread(&mut self, cx: &mut Cx, number: u32) {
        if !self.latest.contains_key(&number) {
            let is_main = self.threads.is_empty() && cx.thread == cx.root(runtime::Root::MainThread);
            let name = if is_main { "main".to_string() } else { format!("thread {number}") };
            self.threads.push(Thread { number, name });
        }
    }
}

impl Sink for Recorder {
    fn sample(&mut self, cx: &mut Cx, sample: &sampling::Sample<'_>) {
        self.thread(cx, sample.thread);
        let mut node = ROOT;
        if sample.is_current {
            let waiting = sampling::places(cx, fiber::frames_of_resumers);
            node = self.node(cx, &waiting);
        }
        node = self.node_below(cx, node, sample);
        if let Some(state) = self.state(sample.activity) {
            node = self.tree.child(node, state);
        }
        if node != ROOT {
            let (time, weight, thread) = (sample.time, sample.weight, sample.thread);
            self.samples.push(Sample { time, weight, thread, node });
        }
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}
