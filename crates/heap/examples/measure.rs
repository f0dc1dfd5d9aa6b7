//! Measures the cost of allocation and collection: `cargo run --profile quick -p beni-heap --example measure [objects
//! [young KiB]]`.

use std::hint::black_box;

use abi::{Header, ShapeId, Type, Value};
use heap::{Buffer, BufferKind, Cause, Heap, Marker, Mutator, Options, Request, TypeInfo, Types};
use host::clock::Clock;

static TYPES: Types = {
    let mut types = [TypeInfo::leaf("leaf"); Type::COUNT];
    types[Type::Object as usize] = TypeInfo::words("object");
    types[Type::Array as usize] = TypeInfo::custom("array", trace_array);
    types
};

unsafe fn trace_array(cell: *mut u64, marker: &mut Marker) {
    // SAFETY: the second word of these arrays is their buffer.
    if let Some(buffer) = unsafe { Buffer::from_address(*cell.add(1) as usize) } {
        marker.buffer(buffer);
    }
}

fn visit_roots(data: *mut (), marker: &mut Marker) {
    // SAFETY: `data` is the only root, a local of `main`.
    unsafe { marker.slot(data.cast()) };
}

const LEAF: Header = Header::new(Type::Float, ShapeId(0), 0);
const OBJECT: Header = Header::new(Type::Object, ShapeId(0), 0);
const ARRAY: Header = Header::new(Type::Array, ShapeId(0), 0);

fn object(mutator: &mut Mutator, size: usize) -> Value {
    let value = mutator.allocate(size, OBJECT);
    for i in 1..size / 8 {
        // SAFETY: inside the cell.
        unsafe { *value.cell().add(i) = Value::NIL.0 };
    }
    value
}

/// Processor seconds of this thread, which other load on the machine does not affect.
fn now() -> f64 {
    let time = Clock::THREAD_CPU.now().expect("a clock");
    time.seconds as f64 + time.nanoseconds as f64 / 1e9
}

fn per(label: &str, count: usize, started: f64) {
    let elapsed = now() - started;
    println!("{label:<50} {:>8.2} ns each, {:>8.2} ms", elapsed * 1e9 / count as f64, elapsed * 1e3);
}

/// The longest time between two checks of the clock.
struct Gaps {
    last: f64,
    longest: f64,
}

impl Gaps {
    fn new() -> Gaps {
        Gaps { last: now(), longest: 0.0 }
    }

    fn look(&mut self) {
        let time = now();
        self.longest = self.longest.max(time - self.last);
        self.last = time;
    }
}

fn main() {
    let live: usize = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(10_000_000);
    let mut options = Options::default();
    if let Some(kilobytes) = std::env::args().nth(2).and_then(|a| a.parse::<usize>().ok()) {
        options.young_bytes = kilobytes << 10;
    }
    options.tuning = heap::Tuning::from_environment(&|name| std::env::var(name).ok()).0;
    let heap = Heap::new(&TYPES, options).expect("address space");
    let mut mutator = Mutator::new(&heap);
    let mut root = Value::NIL;
    let marker = 0usize;
    // SAFETY: both stay at their addresses until the end of `main`.
    unsafe {
        mutator.attach((&raw const marker).cast());
        heap.set_roots(visit_roots, (&raw mut root).cast());
    }
    let mutator = &mut mutator;
    for round in 0..2 {
        for size in [16, 32, 40, 160] {
            let started = now();
            let count = 20_000_000;
            for _ in 0..count {
                black_box(mutator.allocate(size, LEAF));
            }
            per(&format!("leaf of {size} bytes, nothing survives"), count, started);
        }
        let started = now();
        for _ in 0..20_000_000 {
            black_box(object(mutator, 32));
        }
        per("object of 32 bytes filled, nothing survives", 20_000_000, started);
        let started = now();
        for _ in 0..5_000_000 {
            black_box(mutator.allocate_buffer(100, BufferKind::Bytes).ok());
        }
        per("buffer of 100 bytes", 5_000_000, started);
        for (size, count) in [(65_536, 30_000), (1 << 20, 2_000)] {
            let started = now();
            for _ in 0..count {
                let buffer = mutator.allocate_buffer(size, BufferKind::Bytes).expect("memory");
                // SAFETY: the buffer has this many bytes.
                unsafe { std::ptr::write_bytes(buffer.bytes(), 1, size) };
            }
            per(&format!("buffer of {size} bytes, filled"), count, started);
        }
        if round == 0 {
            build(mutator, &mut root, live);
            println!("{}", heap.pauses());
        }
    }
    append(mutator);
    churn(mutator, root);
    println!("{}", heap.pauses());
    root = Value::NIL;
    black_box(&root);
    let started = now();
    mutator.collect(Request::full(Cause::Method));
    per("full collection of the dead", live, started);
    println!("{:.1} MB resident", resident());
}

fn resident() -> f64 {
    host::memory::resident_bytes() as f64 / 1e6
}

/// An array of arrays-like objects with two children each: four objects for each element.
fn build(mutator: &mut Mutator, root: &mut Value, live: usize) {
    let count = live / 4;
    let started = now();
    let array = mutator.allocate(32, ARRAY);
    // SAFETY: four words.
    unsafe { *array.cell().add(1) = 0 };
    *root = array;
    let buffer = mutator.allocate_buffer(count * 8, BufferKind::Values).expect("memory");
    // SAFETY: the array has four words.
    unsafe { *array.cell().add(1) = buffer.address() as u64 };
    mutator.barrier_buffer(array, buffer);
    let mut gaps = Gaps::new();
    for i in 0..count {
        if i % 25 == 0 {
            gaps.look();
        }
        let element = object(mutator, 32);
        // SAFETY: the buffer has `count` words, and the objects four.
        unsafe {
            mutator.write_buffer(buffer, buffer.words().add(i), element);
            for (field, size) in [(1, 32), (2, 40), (3, 16)] {
                let child = object(mutator, size);
                mutator.write(element, element.cell().add(field).cast(), child);
            }
        }
    }
    per("live objects built", live, started);
    println!("longest stop {:.3} ms of processor time", gaps.longest * 1e3);
    println!("{:.1} MB resident", resident());
    for _ in 0..3 {
        let started = now();
        mutator.collect(Request::full(Cause::Method));
        per("full collection beside them", live, started);
    }
    println!("{:.1} MB resident", resident());
}

/// Allocates short-lived objects and stores every fiftieth in the old array.
fn churn(mutator: &mut Mutator, array: Value) {
    // SAFETY: built above.
    unsafe {
        let buffer = Buffer::from_address(*array.cell().add(1) as usize).expect("built");
        let count = mutator.buffer_size(buffer) / 8;
        let started = now();
        let mut gaps = Gaps::new();
        for i in 0..20_000_000usize {
            if i % 100 == 0 {
                gaps.look();
            }
            let value = object(mutator, 40);
            if i % 50 == 0 {
                let element = *buffer.words().add(i % count);
                if element.is_heap() {
                    mutator.write(element, element.cell().add(1).cast(), value);
                }
            }
        }
        per("short-lived objects, each fiftieth kept", 20_000_000, started);
        println!("longest stop {:.3} ms of processor time", gaps.longest * 1e3);
    }
}

/// Bytes appended to one buffer, as `<<` does it.
fn append(mutator: &mut Mutator) {
    for (label, kind, total) in [("bytes", BufferKind::Bytes, 100_000_000), ("values", BufferKind::Values, 80_000_000)]
    {
        let started = now();
        let mut buffer = mutator.allocate_buffer(64, kind).expect("memory");
        let (mut used, mut grown) = (0, 0);
        while used < total {
            let room = mutator.buffer_size(buffer);
            if used + 8 > room {
                buffer = mutator.grow_buffer(buffer, kind, used, room + room / 2).expect("memory");
                grown += 1;
            }
            // SAFETY: there is room for eight bytes more.
            unsafe { *buffer.bytes().add(used).cast::<u64>() = 1 };
            used += 8;
        }
        per(&format!("eight {label} appended ({grown} times grown)"), total / 8, started);
        mutator.release_buffer(buffer);
    }
}
