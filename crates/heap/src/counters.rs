//! Counters of collections, updated as they happen.

use std::time::Duration;

use crate::pauses::PAUSE_BUCKETS;
use crate::request::{Cause, Request};

#[derive(Clone, Debug)]
pub(crate) struct Counters {
    pub minor: u64,
    pub full: u64,
    pub compactions: u64,
    pub time: Duration,
    /// Whether `time` is measured.
    pub measure: bool,
    pub mark_time: Duration,
    pub sweep_time: Duration,
    pub compact_time: Duration,
    pub longest_pause: Duration,
    pub last_pause: Duration,
    pub pauses: [u64; PAUSE_BUCKETS],
    pub promoted_cells: u64,
    pub promoted_bytes: u64,
    pub moved: u64,
    pub last: Request,
    pub full_by: Option<Cause>,
    pub weak_references: usize,
    pub retained_weak_references: usize,
}

impl Counters {
    pub fn new() -> Counters {
        Counters {
            minor: 0,
            full: 0,
            compactions: 0,
            time: Duration::ZERO,
            measure: true,
            mark_time: Duration::ZERO,
            sweep_time: Duration::ZERO,
            compact_time: Duration::ZERO,
            longest_pause: Duration::ZERO,
            last_pause: Duration::ZERO,
            pauses: [0; PAUSE_BUCKETS],
            promoted_cells: 0,
            promoted_bytes: 0,
            moved: 0,
            last: Request::minor(Cause::Allocation),
            full_by: None,
            weak_references: 0,
            retained_weak_references: 0,
        }
    }

    pub fn collections(&self) -> u64 {
        self.minor + self.full
    }

    pub fn began(&mut self, request: Request) {
        self.last = request;
        self.full_by = None;
        if request.full && request.immediate_mark {
            self.full_by = Some(request.cause);
        } else {
            self.minor += 1;
        }
    }

    pub fn promoted(&mut self, cells: u64, bytes: u64) {
        self.promoted_cells += cells;
        self.promoted_bytes += bytes;
    }

    /// A step of a full marking outside of a collection's stop.
    pub fn step(&mut self, elapsed: Duration) {
        self.mark_time += elapsed;
        self.pause(elapsed);
    }

    pub fn pause(&mut self, elapsed: Duration) {
        if self.measure {
            self.time += elapsed;
        }
        self.last_pause = elapsed;
        self.longest_pause = self.longest_pause.max(elapsed);
        let bucket = (64 - (elapsed.as_micros() as u64).leading_zeros() as usize).min(PAUSE_BUCKETS - 1);
        self.pauses[bucket] += 1;
    }
}
