//! `--trace-gc`: a line on the standard error output for each pause of the program by the collector.

use std::any::Any;
use std::io::Write;

use heap::{Cause, Event, Heap, Statistics};
use host::clock::monotonic_nanoseconds;
use runtime::{Cx, collector::Subscriber};

/// The counters at the time of the previous line.
struct Trace {
    began: u64,
    paused: u64,
    is_collection: bool,
    before: Statistics,
    line: Vec<u8>,
}

/// Starts printing.
pub fn begin(cx: &mut Cx) {
    let (now, before) = (monotonic_nanoseconds(), cx.vm().heap.statistics());
    cx.vm_mut().collector.trace =
        Some(Box::new(Trace { began: now, paused: now, is_collection: false, before, line: Vec::with_capacity(256) }));
    cx.listen_to_collector();
}

fn reason(cause: Cause) -> &'static str {
    match cause {
        Cause::Allocation => "allocation",
        Cause::LargeAllocation => "large buffers",
        Cause::Method => "GC.start",
        Cause::Stress => "stress",
        Cause::Exhausted => "memory exhausted",
        Cause::OldBytes => "old bytes",
        Cause::Compaction => "compaction",
    }
}

impl Trace {
    fn print(&mut self, heap: &Heap) {
        let now = monotonic_nanoseconds();
        let (latest, after) = (heap.latest_collection(), heap.statistics());
        let kind = match latest.full_by {
            Some(_) if latest.request.full && latest.request.immediate_mark => "full",
            Some(_) => "full started",
            None => "minor",
        };
        let cause = reason(latest.full_by.unwrap_or(latest.request.cause));
        let mebibytes = |bytes: usize| bytes as f64 / f64::from(1 << 20);
        self.line.clear();
        // Writing to memory does not fail, and an error of writing the line cannot be reported.
        let _ = writeln!(
            self.line,
            "[gc] {:9.3} s  {kind} ({cause})  pause {:.3} ms  promoted {}  freed {}  old {:.1} MiB  returned \
             {:.1} MiB",
            (now - self.began) as f64 / 1e9,
            (now - self.paused) as f64 / 1e6,
            after.promoted_cells - self.before.promoted_cells,
            after.freed_objects.saturating_sub(self.before.freed_objects),
            mebibytes(after.old_bytes),
            mebibytes(((after.freed_blocks - self.before.freed_blocks) as usize) << 16),
        );
        let _ = std::io::stderr().write_all(&self.line);
        self.before = after;
    }
}

impl Subscriber for Trace {
    fn event(&mut self, heap: &Heap, event: Event) {
        match event {
            Event::Enter => (self.paused, self.is_collection) = (monotonic_nanoseconds(), false),
            Event::Start => self.is_collection = true,
            Event::EndMark | Event::EndSweep => {}
            Event::Exit if self.is_collection => self.print(heap),
            Event::Exit => {}
        }
    }

    fn made(&mut self, _: &Heap) {}

    fn freed(&mut self, _: &Heap) {}

    fn wants_objects(&self) -> (bool, bool) {
        (false, false)
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}
