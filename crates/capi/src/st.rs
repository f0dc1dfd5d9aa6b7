//! `st_table`: tables of words, in order of insertion.

use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_void};

use crate::given;

type Compare = unsafe extern "C" fn(u64, u64) -> c_int;
type Hash = unsafe extern "C" fn(u64) -> u64;
type Visit = unsafe extern "C" fn(u64, u64, u64, c_int) -> c_int;
type Update = unsafe extern "C" fn(*mut u64, *mut u64, u64, c_int) -> c_int;

#[repr(C)]
pub struct HashType {
    compare: Option<Compare>,
    hash: Option<Hash>,
}

/// A table; its first two fields are visible to C.
#[repr(C)]
pub struct Table {
    hash_type: *const HashType,
    count: u64,
    /// The positions of the entries by hash value.
    places: HashMap<u64, Vec<u32>>,
    /// The entries; `None` if deleted. Deleted ones are dropped when there are many and no visit is in progress.
    entries: Vec<Option<(u64, u64)>>,
    visits: u32,
    /// How often the capacity was doubled. A visit uses this to notice that the place of its entry is not known any
    /// more.
    growths: u32,
}

unsafe extern "C" fn compare_numbers(a: u64, b: u64) -> c_int {
    (a != b) as c_int
}

unsafe extern "C" fn hash_number(n: u64) -> u64 {
    mix(n)
}

unsafe extern "C" fn compare_strings(a: u64, b: u64) -> c_int {
    (given::text(a as *const c_char) != given::text(b as *const c_char)) as c_int
}

unsafe extern "C" fn hash_string(s: u64) -> u64 {
    hash_bytes(given::text(s as *const c_char), 0)
}

unsafe extern "C" fn compare_cases(a: u64, b: u64) -> c_int {
    st_locale_insensitive_strcasecmp(a as *const c_char, b as *const c_char)
}

unsafe extern "C" fn hash_case(s: u64) -> u64 {
    hash_bytes(&given::text(s as *const c_char).to_ascii_lowercase(), 0)
}

static NUMBERS: HashType = HashType { compare: Some(compare_numbers), hash: Some(hash_number) };
static STRINGS: HashType = HashType { compare: Some(compare_strings), hash: Some(hash_string) };
static CASES: HashType = HashType { compare: Some(compare_cases), hash: Some(hash_case) };

fn mix(n: u64) -> u64 {
    let n = (n ^ (n >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    n ^ (n >> 29)
}

pub fn hash_bytes(bytes: &[u8], seed: u64) -> u64 {
    bytes.iter().fold(mix(seed ^ bytes.len() as u64), |hash, b| (hash ^ *b as u64).wrapping_mul(0x0100_0000_01b3))
}

fn table<'a>(table: *const Table) -> &'a mut Table {
    // SAFETY: C passes a table that `st_init_…` created and that was not freed. If a callback changes it during a
    // visit, no reference held by the visitor is alive.
    unsafe { &mut *table.cast_mut() }
}

impl Table {
    fn hash_type(&self) -> &'static HashType {
        // SAFETY: types are static, as the interface requires.
        unsafe { &*self.hash_type }
    }

    fn hash(&self, key: u64) -> u64 {
        // SAFETY: the type's function takes a key.
        self.hash_type().hash.map_or_else(|| mix(key), |f| unsafe { f(key) })
    }

    fn is_equal(&self, a: u64, b: u64) -> bool {
        // SAFETY: the type's function takes two keys.
        a == b || self.hash_type().compare.is_some_and(|f| unsafe { f(a, b) } == 0)
    }

    fn find(&self, key: u64) -> Option<usize> {
        let places = self.places.get(&self.hash(key))?;
        places.iter().map(|place| *place as usize).find(|place| {
            self.entries.get(*place).copied().flatten().is_some_and(|(other, _)| self.is_equal(key, other))
        })
    }

    fn add(&mut self, key: u64, value: u64) {
        let hash = self.hash(key);
        self.places.entry(hash).or_default().push(self.entries.len() as u32);
        if self.entries.len() >= LEAST_ROOM && self.entries.len().is_power_of_two() {
            self.growths += 1;
        }
        self.entries.push(Some((key, value)));
        self.count += 1;
    }

    fn remove(&mut self, place: usize) -> Option<(u64, u64)> {
        let (key, value) = self.entries.get_mut(place)?.take()?;
        let hash = self.hash(key);
        if let Some(places) = self.places.get_mut(&hash) {
            places.retain(|other| *other as usize != place);
            if places.is_empty() {
                self.places.remove(&hash);
            }
        }
        self.count -= 1;
        if self.visits == 0 && self.entries.len() > 32 && self.entries.len() > 2 * self.count as usize {
            self.compact();
        }
        Some((key, value))
    }

    fn compact(&mut self) {
        let entries = std::mem::take(&mut self.entries);
        self.places.clear();
        self.count = 0;
        for (key, value) in entries.into_iter().flatten() {
            self.add(key, value);
        }
    }
}

fn new(hash_type: *const HashType) -> *mut Table {
    let made = Table { hash_type, count: 0, places: HashMap::new(), entries: Vec::new(), visits: 0, growths: 0 };
    Box::into_raw(Box::new(made))
}

pub fn st_init_table(hash_type: *const HashType) -> *mut Table {
    new(hash_type)
}

pub fn st_init_table_with_size(hash_type: *const HashType, _: u64) -> *mut Table {
    new(hash_type)
}

pub fn st_init_numtable() -> *mut Table {
    new(&NUMBERS)
}

pub fn st_init_numtable_with_size(_: u64) -> *mut Table {
    new(&NUMBERS)
}

pub fn st_init_strtable() -> *mut Table {
    new(&STRINGS)
}

pub fn st_init_strtable_with_size(_: u64) -> *mut Table {
    new(&STRINGS)
}

pub fn st_init_strcasetable() -> *mut Table {
    new(&CASES)
}

pub fn st_init_strcasetable_with_size(_: u64) -> *mut Table {
    new(&CASES)
}

pub fn st_copy(from: *mut Table) -> *mut Table {
    let from = table(from);
    let made = new(from.hash_type);
    for (key, value) in from.entries.iter().flatten() {
        table(made).add(*key, *value);
    }
    made
}

pub fn st_free_table(freed: *mut Table) {
    if !freed.is_null() {
        // SAFETY: `new` created it from a Box; C frees it once.
        drop(unsafe { Box::from_raw(freed) });
    }
}

pub fn st_clear(cleared: *mut Table) {
    let cleared = table(cleared);
    cleared.count = 0;
    cleared.places.clear();
    cleared.entries.clear();
}

pub fn st_memsize(of: *const Table) -> usize {
    let of = table(of);
    size_of::<Table>() + of.entries.capacity() * size_of::<Option<(u64, u64)>>() + of.places.capacity() * 40
}

pub fn st_insert(into: *mut Table, key: u64, value: u64) -> i32 {
    let into = table(into);
    match into.find(key) {
        Some(place) => {
            if let Some(Some(entry)) = into.entries.get_mut(place) {
                entry.1 = value;
            }
            1
        }
        None => {
            into.add(key, value);
            0
        }
    }
}

pub fn st_insert2(into: *mut Table, key: u64, value: u64, make_key: *const c_void) -> i32 {
    if table(into).find(key).is_some() {
        return st_insert(into, key, value);
    }
    // SAFETY: C passes a function that creates a key from a key.
    let key = unsafe { std::mem::transmute::<*const c_void, Hash>(make_key)(key) };
    table(into).add(key, value);
    0
}

pub fn st_add_direct(into: *mut Table, key: u64, value: u64) {
    table(into).add(key, value);
}

pub fn st_lookup(within: *mut Table, key: u64, value: *mut u64) -> i32 {
    let within = table(within);
    match within.find(key).and_then(|place| within.entries[place]) {
        Some((_, found)) => {
            given::write(value, found);
            1
        }
        None => 0,
    }
}

pub fn st_get_key(within: *mut Table, key: u64, result: *mut u64) -> i32 {
    let within = table(within);
    match within.find(key).and_then(|place| within.entries[place]) {
        Some((found, _)) => {
            given::write(result, found);
            1
        }
        None => 0,
    }
}

pub fn st_delete(from: *mut Table, key: *mut u64, value: *mut u64) -> i32 {
    let from = table(from);
    match from.find(given::read(key)).and_then(|place| from.remove(place)) {
        Some((found, old)) => {
            given::write(key, found);
            given::write(value, old);
            1
        }
        None => {
            given::write(value, 0);
            0
        }
    }
}

pub fn st_delete_safe(from: *mut Table, key: *mut u64, value: *mut u64, _: u64) -> i32 {
    st_delete(from, key, value)
}

pub fn st_cleanup_safe(_: *mut Table, _: u64) {}

pub fn st_shift(from: *mut Table, key: *mut u64, value: *mut u64) -> i32 {
    let from = table(from);
    match from.entries.iter().position(Option::is_some).and_then(|place| from.remove(place)) {
        Some((found, old)) => {
            given::write(key, found);
            given::write(value, old);
            1
        }
        None => 0,
    }
}

const DELETE: c_int = 2;
const STOP: c_int = 1;
const CHECK: c_int = 3;
const REPLACE: c_int = 4;
/// The capacity of a new table, in entries.
const LEAST_ROOM: usize = 4;

pub fn st_update(within: *mut Table, key: u64, update: *mut c_void, data: u64) -> i32 {
    let found = table(within).find(key).and_then(|place| table(within).entries[place].map(|entry| (place, entry)));
    let (mut key, mut value) = found.map_or((key, 0), |(_, entry)| entry);
    // SAFETY: C passes a function of this type.
    let update = unsafe { std::mem::transmute::<*mut c_void, Update>(update) };
    let exists = found.is_some() as c_int;
    // SAFETY: the function writes to the two variables.
    let answer = unsafe { update(&mut key, &mut value, data, exists) };
    match (answer, found) {
        (0, Some((place, _))) => table(within).entries[place] = Some((key, value)),
        (0, None) => table(within).add(key, value),
        (DELETE, Some((place, _))) => drop(table(within).remove(place)),
        _ => {}
    }
    exists
}

/// Visits the entries, including those that are added meanwhile; the function may change the table. Returns `false` if
/// the function deleted its own entry in a table that grew, so that the place of the next entry is not known.
fn visit(within: *mut Table, mut f: impl FnMut(usize, u64, u64) -> c_int) -> bool {
    table(within).visits += 1;
    let mut place = 0;
    let mut complete = true;
    while place < table(within).entries.len() {
        if let Some((key, value)) = table(within).entries[place] {
            let growths = table(within).growths;
            let answer = f(place, key, value);
            if growths != table(within).growths && table(within).find(key).is_none() {
                complete = false;
                break;
            }
            match answer {
                STOP => break,
                DELETE => drop(table(within).remove(place)),
                _ => {}
            }
        }
        place += 1;
    }
    table(within).visits -= 1;
    complete
}

/// A function of this type, or one that takes fewer words.
fn visitor(function: *mut c_void) -> Visit {
    // SAFETY: C passes such a function.
    unsafe { std::mem::transmute::<*mut c_void, Visit>(function) }
}

pub fn st_foreach(within: *mut Table, function: *mut c_void, data: u64) -> i32 {
    let function = visitor(function);
    visit(within, |_, key, value| {
        // SAFETY: the function is of this type; key and value are words of the table.
        let answer = unsafe { function(key, value, data, 0) };
        if answer == CHECK { STOP } else { answer }
    });
    0
}

pub fn st_foreach_safe(within: *mut Table, function: *mut c_void, data: u64) -> i32 {
    let function = visitor(function);
    // SAFETY: the function is of this type; key and value are words of the table.
    visit(within, |_, key, value| unsafe { function(key, value, data, 0) });
    0
}

/// The last argument of the function is 1 if the iteration ends because the function's entry was deleted.
pub fn st_foreach_check(within: *mut Table, function: *mut c_void, data: u64, _: u64) -> i32 {
    let function = visitor(function);
    // SAFETY: the function is of this type; key and value are words of the table.
    let complete = visit(within, |_, key, value| unsafe { function(key, value, data, 0) });
    if !complete {
        // SAFETY: the function is of this type.
        unsafe { function(0, 0, data, 1) };
    }
    !complete as i32
}

pub fn st_foreach_with_replace(within: *mut Table, function: *mut c_void, replace: *mut c_void, data: u64) -> i32 {
    let function = visitor(function);
    // SAFETY: C passes a function of this type.
    let replace = unsafe { std::mem::transmute::<*mut c_void, Update>(replace) };
    let complete = visit(within, |place, mut key, mut value| {
        // SAFETY: the function is of this type; key and value are words of the table.
        let answer = unsafe { function(key, value, data, 0) };
        if answer == REPLACE {
            // SAFETY: the function writes to the two variables.
            unsafe { replace(&mut key, &mut value, data, 1) };
            table(within).entries[place] = Some((key, value));
            return 0;
        }
        answer
    });
    !complete as i32
}

fn copied(within: *mut Table, to: *mut u64, most: u64, part: fn(&(u64, u64)) -> u64) -> u64 {
    let to = given::slice_mut(most as usize, to);
    let all = table(within).entries.iter().flatten().map(part);
    let mut count = 0;
    for (slot, word) in to.iter_mut().zip(all) {
        *slot = word;
        count += 1;
    }
    count
}

pub fn st_keys(within: *mut Table, to: *mut u64, most: u64) -> u64 {
    copied(within, to, most, |entry| entry.0)
}

pub fn st_values(within: *mut Table, to: *mut u64, most: u64) -> u64 {
    copied(within, to, most, |entry| entry.1)
}

/// Visits the entries for the collector, which does not change the table.
pub fn each(within: *mut Table, mut f: impl FnMut(u64, u64)) {
    if !within.is_null() {
        table(within).entries.iter().flatten().for_each(|(key, value)| f(*key, *value));
    }
}

pub fn update_values(within: *mut Table, mut f: impl FnMut(u64) -> u64) {
    if !within.is_null() {
        table(within).entries.iter_mut().flatten().for_each(|entry| entry.1 = f(entry.1));
    }
}

pub fn st_numcmp(a: u64, b: u64) -> i32 {
    (a != b) as i32
}

pub fn st_numhash(n: u64) -> u64 {
    mix(n)
}

pub fn st_hash(start: *const c_void, len: usize, seed: u64) -> u64 {
    hash_bytes(given::bytes(start.cast(), len as i64), seed)
}

pub fn st_hash_uint(hash: u64, n: u64) -> u64 {
    mix(hash ^ n)
}

pub fn st_hash_uint32(hash: u64, n: u32) -> u64 {
    mix(hash ^ n as u64)
}

pub fn st_hash_end(hash: u64) -> u64 {
    mix(hash)
}

pub fn st_hash_start(hash: u64) -> u64 {
    hash
}

fn compare_ignoring_case(a: &[u8], b: &[u8]) -> i32 {
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    a.cmp(&b) as i32
}

pub fn st_locale_insensitive_strcasecmp(a: *const c_char, b: *const c_char) -> i32 {
    compare_ignoring_case(given::text(a), given::text(b))
}

pub fn st_locale_insensitive_strncasecmp(a: *const c_char, b: *const c_char, most: usize) -> i32 {
    let cut = |s: *const c_char| {
        let text = given::text(s);
        &text[..text.len().min(most)]
    };
    compare_ignoring_case(cut(a), cut(b))
}
