//! A small object model on the heap, and a shadow of it in plain Rust to compare with.

#![allow(dead_code)]

use std::collections::HashMap;

use abi::{Header, ShapeId, Type, Value};
use heap::{Buffer, BufferKind, Heap, Marker, Mutator, Options, TypeInfo, Types};

/// Word 1 of every object: its number in the shadow.
pub const NUMBER: usize = 1;
/// Arrays and strings: address of the buffer, 0 for none; then the length in items.
pub const BUFFER: usize = 2;
pub const LENGTH: usize = 3;

unsafe fn trace_array(cell: *mut u64, marker: &mut Marker) {
    // SAFETY: the test's arrays are laid out so.
    unsafe {
        if let Some(buffer) = Buffer::from_address(*cell.add(BUFFER) as usize) {
            marker.buffer(buffer);
        }
    }
}

thread_local! {
    pub static DROPPED: std::cell::RefCell<Vec<i64>> = const { std::cell::RefCell::new(Vec::new()) };
}

unsafe fn drop_native(cell: *mut u64) {
    // SAFETY: word 1 is the number.
    let number = unsafe { Value(*cell.add(NUMBER)) }.as_fixnum().unwrap();
    DROPPED.with_borrow_mut(|d| d.push(number));
}

pub static TYPES: Types = {
    let mut types = [TypeInfo::leaf("none"); Type::COUNT];
    types[Type::Object as usize] = TypeInfo::words("object");
    types[Type::Array as usize] = TypeInfo::custom("array", trace_array);
    types[Type::String as usize] = TypeInfo::custom("string", trace_array);
    types[Type::Native as usize] = TypeInfo { drop: Some(drop_native), ..TypeInfo::leaf("native") };
    types
};

/// Roots: a list of values that the collector sees exactly.
pub struct World {
    pub heap: Heap,
    pub mutator: Box<Mutator>,
    #[allow(clippy::box_collection)]
    pub roots: Box<Vec<Value>>,
    pub shadow: HashMap<i64, Shadow>,
    pub next: i64,
}

#[derive(Clone, Debug)]
pub enum Shadow {
    Object(Vec<i64>),
    Array(Vec<i64>),
    String(usize),
    Leaf,
}

fn visit_roots(data: *mut (), marker: &mut Marker) {
    // SAFETY: `World::new` passes its boxed list, whose elements are slots.
    unsafe {
        let roots = &mut *data.cast::<Vec<Value>>();
        let half = roots.len() / 2;
        let (exact, other) = roots.split_at_mut(half);
        marker.slots(exact.as_mut_ptr(), exact.len());
        marker.stale_slots(other.as_mut_ptr(), other.len());
    }
}

pub fn word(value: Value, index: usize) -> *mut u64 {
    // SAFETY: tests index within their objects.
    unsafe { value.cell().add(index) }
}

pub fn number(value: Value) -> i64 {
    // SAFETY: every object has a number.
    Value(unsafe { *word(value, NUMBER) }).as_fixnum().unwrap_or(-1)
}

impl World {
    /// The conservative scan sees only the frames of this function's callees: tests keep what they need in `roots`.
    pub fn new(options: Options) -> World {
        let heap = Heap::new(&TYPES, options).unwrap();
        let mut mutator = Box::new(Mutator::new(&heap));
        let mut roots = Box::new(Vec::new());
        // SAFETY: both boxes live as long as the heap.
        unsafe {
            mutator.attach(std::ptr::null());
            heap.set_roots(visit_roots, (&raw mut *roots).cast());
        }
        World { heap, mutator, roots, shadow: HashMap::new(), next: 1 }
    }

    fn number(&mut self, shadow: Shadow) -> Value {
        let number = self.next;
        self.next += 1;
        self.shadow.insert(number, shadow);
        Value::fixnum(number)
    }

    /// An object of `fields` words, all nil.
    pub fn object(&mut self, fields: usize) -> Value {
        let number = self.number(Shadow::Object(vec![0; fields]));
        let value = self.mutator.allocate(16 + fields * 8, Header::new(Type::Object, ShapeId(0), 0));
        let words = Mutator::cell_size(value) / 8;
        // SAFETY: inside the cell.
        unsafe {
            *word(value, NUMBER) = number.0;
            for i in 2..words {
                *word(value, i) = Value::NIL.0;
            }
        }
        value
    }

    pub fn set_field(&mut self, object: Value, field: usize, value: Value) {
        let Shadow::Object(fields) = self.shadow.get_mut(&number(object)).unwrap() else { panic!() };
        fields[field] = if value.is_heap() { number(value) } else { 0 };
        // SAFETY: the shadow knows that there is such a field.
        unsafe { self.mutator.write(object, word(object, 2 + field).cast(), value) };
    }

    fn with_buffer(&mut self, ty: Type, shadow: Shadow) -> Value {
        let number = self.number(shadow);
        let value = self.mutator.allocate(32, Header::new(ty, ShapeId(0), 0));
        // SAFETY: four words.
        unsafe {
            *word(value, NUMBER) = number.0;
            *word(value, BUFFER) = 0;
            *word(value, LENGTH) = 0;
        }
        value
    }

    /// `root` is the index of the root that holds the array.
    pub fn array(&mut self) -> Value {
        self.with_buffer(Type::Array, Shadow::Array(Vec::new()))
    }

    pub fn push(&mut self, array: Value, value: Value) {
        let Shadow::Array(items) = self.shadow.get_mut(&number(array)).unwrap() else { panic!() };
        items.push(if value.is_heap() { number(value) } else { 0 });
        // The array and the value must survive a collection during the growth.
        self.roots.push(array);
        self.roots.push(value);
        // SAFETY: the array's words, and an index below its capacity.
        unsafe {
            let length = *word(array, LENGTH) as usize;
            let buffer = match Buffer::from_address(*word(array, BUFFER) as usize) {
                None => self.mutator.allocate_buffer(32, BufferKind::Values).unwrap(),
                Some(old) if self.mutator.buffer_size(old) < (length + 1) * 8 => {
                    self.mutator.grow_buffer(old, BufferKind::Values, length * 8, (length + 1) * 12).unwrap()
                }
                Some(old) => old,
            };
            let value = self.roots.pop().unwrap();
            let array = self.roots.pop().unwrap();
            *word(array, BUFFER) = buffer.address() as u64;
            self.mutator.barrier_buffer(array, buffer);
            self.mutator.write_buffer(buffer, buffer.words().add(length), value);
            *word(array, LENGTH) = length as u64 + 1;
        }
    }

    pub fn set_item(&mut self, array: Value, index: usize, value: Value) {
        let Shadow::Array(items) = self.shadow.get_mut(&number(array)).unwrap() else { panic!() };
        items[index] = if value.is_heap() { number(value) } else { 0 };
        // SAFETY: the shadow has such an item.
        unsafe {
            let buffer = Buffer::from_address(*word(array, BUFFER) as usize).unwrap();
            self.mutator.write_buffer(buffer, buffer.words().add(index), value);
        }
    }

    pub fn string(&mut self, length: usize) -> Value {
        let value = self.with_buffer(Type::String, Shadow::String(length));
        self.roots.push(value);
        let buffer = self.mutator.allocate_buffer(length, BufferKind::Bytes).unwrap();
        let value = self.roots.pop().unwrap();
        // SAFETY: the buffer has `length` bytes.
        unsafe {
            std::ptr::write_bytes(buffer.bytes(), number(value) as u8, length);
            *word(value, BUFFER) = buffer.address() as u64;
            *word(value, LENGTH) = length as u64;
            self.mutator.barrier_buffer(value, buffer);
        }
        value
    }

    pub fn leaf(&mut self, ty: Type) -> Value {
        let number = self.number(Shadow::Leaf);
        let value = self.mutator.allocate(16, Header::new(ty, ShapeId(0), 0));
        // SAFETY: two words.
        unsafe { *word(value, NUMBER) = number.0 };
        value
    }

    /// Compares everything reachable with the shadow; returns the number of objects.
    pub fn check(&mut self) -> usize {
        let mut seen = HashMap::new();
        let mut work: Vec<Value> = self.roots.iter().copied().filter(|v| v.is_heap()).collect();
        while let Some(value) = work.pop() {
            let n = number(value);
            if let Some(before) = seen.insert(n, value) {
                assert_eq!(before, value, "object {n} is in two places");
                continue;
            }
            let shadow = self.shadow.get(&n).unwrap_or_else(|| panic!("no object {n} at {value:?}"));
            // SAFETY: the shadow says what is there.
            unsafe {
                match shadow {
                    Shadow::Object(fields) => {
                        for (i, expected) in fields.iter().enumerate() {
                            expect(Value(*word(value, 2 + i)), *expected, n, &mut work);
                        }
                    }
                    Shadow::Array(items) => {
                        assert_eq!(*word(value, LENGTH) as usize, items.len());
                        let buffer = *word(value, BUFFER) as *const Value;
                        for (i, expected) in items.iter().enumerate() {
                            expect(*buffer.add(i), *expected, n, &mut work);
                        }
                    }
                    Shadow::String(length) => {
                        let bytes = std::slice::from_raw_parts(*word(value, BUFFER) as *const u8, *length);
                        assert!(bytes.iter().all(|b| *b == n as u8), "string {n} changed");
                    }
                    Shadow::Leaf => {}
                }
            }
        }
        self.shadow.retain(|n, _| seen.contains_key(n));
        seen.len()
    }

    pub fn live_objects(&mut self) -> usize {
        let mut count = 0;
        self.mutator.each_object(&mut |_| count += 1);
        count
    }
}

fn expect(got: Value, expected: i64, holder: i64, work: &mut Vec<Value>) {
    if expected == 0 {
        assert!(!got.is_heap(), "{holder} refers to {got:?}");
    } else {
        assert!(got.is_heap() && number(got) == expected, "{holder} lost {expected}: {got:?}");
        work.push(got);
    }
}

/// A small random generator, because tests must be the same every time.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}
