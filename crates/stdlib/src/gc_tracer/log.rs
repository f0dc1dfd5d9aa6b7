//! The lines of GC::Tracer's log.

use memory::Grow;
use std::any::Any;
use std::fs::File;
use std::io::Write;

use core_classes::gc::stat;
use heap::{Event, Heap, Phase};
use host::clock::{self, Timespec};
use runtime::collector::Subscriber;

/// Bytes that are collected before they are written.
const CHUNK: usize = 64 * 1024;

const USAGE: &[&str] = &[
    "ru_utime", "ru_stime", "ru_maxrss", "ru_minflt", "ru_majflt", "ru_inblock", "ru_oublock", "ru_nvcsw", "ru_nivcsw",
];

pub struct Settings {
    pub events: Vec<String>,
    /// The time in each line: 0 none, 1 a counter, 2 microseconds, 3 nanoseconds.
    pub tick: i64,
    pub stat: bool,
    pub info: bool,
    pub usage: bool,
    pub fields: Vec<String>,
}

pub struct Log {
    /// Standard error if None.
    file: Option<File>,
    waiting: Vec<u8>,
    settings: Settings,
    /// The custom fields of the program.
    pub values: Vec<i64>,
}

impl Log {
    /// Opens the file for appending, and writes the names of the columns.
    pub fn open(path: Option<&str>, settings: Settings, heap: &Heap) -> std::io::Result<Log> {
        let file = match path {
            Some(path) => Some(File::options().create(true).append(true).open(path)?),
            None => None,
        };
        let values = memory::filled(0, settings.fields.len());
        let mut log = Log { file, waiting: memory::with_capacity(CHUNK + 4096), settings, values };
        log.header(heap);
        Ok(log)
    }

    fn header(&mut self, heap: &Heap) {
        let mut names = vec!["type".to_string(), "tick".to_string()];
        if self.settings.stat {
            names.extend(stat::counters(heap).0.iter().map(|(name, _)| name.to_string()));
        }
        if self.settings.info {
            names.extend(["major_by", "gc_by", "have_finalizer", "immediate_sweep", "state"].map(str::to_string));
        }
        if self.settings.usage {
            names.extend(USAGE.iter().map(|name| name.to_string()));
        }
        names.extend(self.settings.fields.iter().cloned());
        self.waiting.append_slice(names.join("\t").as_bytes());
        self.waiting.push(b'\n');
    }

    pub fn flush(&mut self) {
        // Write errors are ignored: a collection cannot report them.
        let _ = match &mut self.file {
            Some(file) => file.write_all(&self.waiting),
            None => std::io::stderr().write_all(&self.waiting),
        };
        self.waiting.clear();
    }

    fn column(&mut self, value: impl std::fmt::Display) {
        let _ = write!(self.waiting, "\t{value}");
    }

    /// Writes a line with the present values.
    pub fn line(&mut self, name: &str, heap: &Heap) {
        self.waiting.append_slice(name.as_bytes());
        self.column(tick(self.settings.tick));
        if self.settings.stat {
            for (_, n) in stat::counters(heap).0 {
                self.column(n);
            }
        }
        if self.settings.info {
            self.collection(heap);
        }
        if self.settings.usage {
            self.resources();
        }
        for at in 0..self.values.len() {
            self.column(self.values[at]);
        }
        self.waiting.push(b'\n');
        if self.waiting.len() >= CHUNK {
            self.flush();
        }
    }

    fn collection(&mut self, heap: &Heap) {
        let info = heap.latest_collection();
        self.column(info.full_by.map_or("", stat::full_cause_name));
        self.column(stat::cause_name(info.request.cause));
        self.column(u8::from(info.has_finalizable));
        self.column(u8::from(info.request.immediate_sweep));
        let state = match info.phase {
            _ if info.sweeping => "sweeping",
            Phase::Idle => "none",
            _ => "marking",
        };
        self.column(state);
    }

    fn resources(&mut self) {
        let microseconds = |time: Timespec| time.seconds * 1_000_000 + i64::from(time.nanoseconds) / 1000;
        let Ok(usage) = host::process::resource_usage(0) else { return };
        self.column(microseconds(usage.user));
        self.column(microseconds(usage.system));
        for n in [
            usage.peak_resident / 1024,
            usage.minor_faults,
            usage.major_faults,
            usage.blocks_in,
            usage.blocks_out,
            usage.voluntary_switches,
            usage.involuntary_switches,
        ] {
            self.column(n);
        }
    }

    fn wants(&self, name: &str) -> bool {
        self.settings.events.iter().any(|event| event == name)
    }
}

fn tick(sort: i64) -> i64 {
    match sort {
        0 => 0,
        2 => {
            let time = clock::realtime();
            time.seconds * 1_000_000 + i64::from(time.nanoseconds) / 1000
        }
        _ => clock::monotonic_nanoseconds() as i64,
    }
}

impl Subscriber for Log {
    fn event(&mut self, heap: &Heap, event: Event) {
        let name = match event {
            Event::Start => "start",
            Event::EndMark => "end_mark",
            Event::EndSweep => "end_sweep",
            Event::Enter => "enter",
            Event::Exit => "exit",
        };
        if self.wants(name) {
            self.line(name, heap);
        }
    }

    fn made(&mut self, heap: &Heap) {
        self.line("newobj", heap);
    }

    fn freed(&mut self, heap: &Heap) {
        self.line("freeobj", heap);
    }

    fn wants_objects(&self) -> (bool, bool) {
        (self.wants("newobj"), self.wants("freeobj"))
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.flush();
    }
}
