//! The records of GC::Profiler: one per collection, including the duration of its later steps.

use std::collections::VecDeque;
use std::time::Duration;

use heap::{Event, Heap, LatestCollection};
use host::clock;

/// The default maximum number of records (GC::Profiler.configure).
pub const MAX_RECORDS: usize = 4096;

pub struct Record {
    /// Number of the collection.
    pub sequence: u64,
    pub flags: LatestCollection,
    /// Processor time of the collection and its steps, in seconds.
    pub time: f64,
    /// Processor time of the process when it began.
    pub invoke_time: f64,
    pub wall_time: Duration,
    /// Since profiling began.
    pub invoke_wall_time: Duration,
    pub mark_time: Duration,
    pub sweep_time: Duration,
    pub compact_time: Duration,
    /// Bytes of live cells, of all cells, and the number of all cells.
    pub use_size: usize,
    pub total_size: usize,
    pub total_objects: usize,
    pub moved: u64,
}

#[derive(Clone, Copy)]
struct Moment {
    wall: u64,
    cpu: u64,
}

fn now() -> Moment {
    Moment { wall: clock::monotonic_nanoseconds(), cpu: clock::thread_cpu_nanoseconds() }
}

pub struct Profiler {
    pub enabled: bool,
    pub max_records: Option<usize>,
    pub records: VecDeque<Record>,
    began: Option<Moment>,
    /// The current pause is a collection, not a step between two.
    collects: bool,
    /// The heap's durations at the last record.
    recorded: [Duration; 3],
    moved: u64,
    origin: Option<u64>,
}

impl Default for Profiler {
    fn default() -> Self {
        Profiler {
            enabled: false,
            max_records: Some(MAX_RECORDS),
            records: VecDeque::new(),
            began: None,
            collects: false,
            recorded: [Duration::ZERO; 3],
            moved: 0,
            origin: None,
        }
    }
}

impl Profiler {
    pub fn enable(&mut self, heap: &Heap) {
        self.enabled = true;
        self.origin.get_or_insert_with(clock::monotonic_nanoseconds);
        self.recorded = times(heap);
        self.moved = heap.statistics().moved_objects;
    }

    pub fn event(&mut self, heap: &Heap, event: Event) {
        if !self.enabled {
            return;
        }
        match event {
            Event::Enter => self.began = Some(now()),
            Event::Start => self.collects = true,
            Event::EndMark | Event::EndSweep => {}
            Event::Exit => {
                let Some(began) = self.began.take() else { return };
                if std::mem::take(&mut self.collects) { self.add(heap, began) } else { self.extend(heap, began) }
            }
        }
    }

    fn add(&mut self, heap: &Heap, began: Moment) {
        let statistics = heap.statistics();
        let (current, end) = (times(heap), now());
        let record = Record {
            sequence: heap.collections(),
            flags: heap.latest_collection(),
            time: (end.cpu - began.cpu) as f64 / 1e9,
            invoke_time: processor_time() - (end.cpu - began.cpu) as f64 / 1e9,
            wall_time: Duration::from_nanos(end.wall - began.wall),
            invoke_wall_time: Duration::from_nanos(began.wall - self.origin.unwrap_or(began.wall)),
            mark_time: current[0] - self.recorded[0],
            sweep_time: current[1] - self.recorded[1],
            compact_time: current[2] - self.recorded[2],
            use_size: statistics.live_object_bytes,
            total_size: statistics.object_bytes,
            total_objects: statistics.object_cells,
            moved: statistics.moved_objects - self.moved,
        };
        self.recorded = current;
        self.moved = statistics.moved_objects;
        let limit = self.max_records.unwrap_or(usize::MAX);
        while self.records.len() >= limit {
            self.records.pop_front();
        }
        if self.records.try_reserve(1).is_ok() {
            self.records.push_back(record);
        }
    }

    /// A step between two collections belongs to the one that began it.
    fn extend(&mut self, heap: &Heap, began: Moment) {
        let (current, end) = (times(heap), now());
        if let Some(record) = self.records.back_mut() {
            record.time += (end.cpu - began.cpu) as f64 / 1e9;
            record.wall_time += Duration::from_nanos(end.wall - began.wall);
            record.mark_time += current[0] - self.recorded[0];
            record.sweep_time += current[1] - self.recorded[1];
        }
        self.recorded = current;
    }
}

/// Marking, sweeping, compacting.
fn times(heap: &Heap) -> [Duration; 3] {
    let statistics = heap.times();
    [statistics.mark, statistics.sweep, statistics.compact]
}

/// Of the process, in seconds.
fn processor_time() -> f64 {
    clock::Clock::PROCESS_CPU.now().map_or(0.0, clock::Timespec::as_seconds)
}
