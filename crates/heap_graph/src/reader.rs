//! Reads a dump into columns, one entry per object.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicU64, Ordering};

use memchr::{memchr, memrchr};
use rustc_hash::FxHashMap;

use crate::line::{self, Line};

/// A name that objects share: of a class or an allocation site.
pub type NameId = u32;

/// Unique names by number.
#[derive(Default)]
pub struct Names {
    pub list: Vec<Box<[u8]>>,
    numbers: FxHashMap<Box<[u8]>, NameId>,
}

impl Names {
    pub fn add(&mut self, name: &[u8]) -> NameId {
        if let Some(known) = self.numbers.get(name) {
            return *known;
        }
        let number = self.list.len() as NameId;
        self.list.push(name.into());
        self.numbers.insert(name.into(), number);
        number
    }

    pub fn text(&self, id: NameId) -> String {
        self.list.get(id as usize).map_or(String::new(), |name| String::from_utf8_lossy(name).into_owned())
    }
}

/// The value of a String: its hash and its position in the file.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    pub object: u32,
    pub hash: u64,
    pub offset: u64,
    pub length: u32,
}

/// The value if no allocation site or generation was recorded.
pub const NONE: u32 = u32::MAX;

/// The objects of a dump, in the order of the file, and the roots.
#[derive(Default)]
pub struct Columns {
    pub addresses: Vec<u64>,
    pub sizes: Vec<u32>,
    /// The address of the class, or 0.
    pub classes: Vec<u64>,
    /// The type as a name (`STRING`, `IMEMO bytes`), by number.
    pub kinds: Vec<NameId>,
    /// The file and line of the allocation, by number; empty if no object has them.
    pub places: Vec<u32>,
    pub generations: Vec<u32>,
    /// The addresses that the objects refer to: the first object's, then the second's, and so on.
    pub references: Vec<u64>,
    /// The end of each object's references.
    pub ends: Vec<u64>,
    pub strings: Vec<Text>,
    /// Names of classes and modules.
    pub class_names: Vec<(u64, Box<[u8]>)>,
    /// The addresses that roots refer to, and the names of the roots.
    pub roots: Vec<(u64, NameId)>,
    pub names: Names,
}

/// Reads a file with as many threads as there are processors. `progress` is updated with the number of bytes read.
pub fn read(file: &File, progress: &AtomicU64) -> io::Result<Columns> {
    let size = file.metadata()?.len();
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8) as u64;
    let threads = if size < 1 << 20 { 1 } else { threads };
    let bounds: Vec<u64> = (0..=threads).map(|i| size * i / threads).collect();
    let parts = std::thread::scope(|scope| {
        let range = |i: usize| (bounds[i], bounds[i + 1]);
        let start = |i: usize| scope.spawn(move || read_part(file, range(i), size, progress));
        let running: Vec<_> = (0..threads as usize).map(start).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, io::Result<Columns>>| {
            thread.join().unwrap_or_else(|_| Err(io::Error::other("a reader failed")))
        };
        running.into_iter().map(join).collect::<io::Result<Vec<Columns>>>()
    })?;
    let mut parts = parts.into_iter();
    let mut whole = parts.next().unwrap_or_default();
    parts.for_each(|part| whole.append(part));
    Ok(whole)
}

/// The number of bytes that are read at once.
const CHUNK: usize = 1 << 20;

/// Reads the lines that begin in a range of the file.
fn read_part(file: &File, (from, to): (u64, u64), size: u64, progress: &AtomicU64) -> io::Result<Columns> {
    let mut columns = Columns::default();
    let mut buffer = vec![0; CHUNK];
    // A line that begins before the range belongs to the previous part.
    let mut at = from.saturating_sub(1);
    let mut held = 0;
    let mut skips = from > 0;
    while at < size {
        if held == buffer.len() {
            buffer.resize(buffer.len() * 2, 0);
        }
        let count = file.read_at(&mut buffer[held..], at + held as u64)?;
        progress.fetch_add(count as u64, Ordering::Relaxed);
        let filled = held + count;
        let complete = match memrchr(b'\n', &buffer[..filled]) {
            Some(end) => end + 1,
            None if count == 0 => filled,
            None => {
                held = filled;
                continue;
            }
        };
        let mut start = 0;
        while start < complete {
            let end = memchr(b'\n', &buffer[start..complete]).map_or(complete, |length| start + length);
            let offset = at + start as u64;
            if !std::mem::take(&mut skips) {
                if offset >= to {
                    return Ok(columns);
                }
                if let Some(line) = line::read(&buffer[start..end]) {
                    columns.add(&line, offset, &buffer[start..end]);
                }
            }
            start = end + 1;
        }
        buffer.copy_within(complete..filled, 0);
        held = filled - complete;
        at += complete as u64;
        if count == 0 {
            break;
        }
    }
    Ok(columns)
}

impl Columns {
    fn add(&mut self, line: &Line<'_>, offset: u64, text: &[u8]) {
        if line.kind == b"ROOT" {
            let name = self.names.add(line.root);
            self.roots.extend(line::addresses(line.references).map(|address| (address, name)));
            return;
        }
        // Shapes are not objects.
        let Some(address) = line.address.filter(|_| line.kind != b"SHAPE") else { return };
        let object = self.addresses.len() as u32;
        self.addresses.push(address);
        let size = if line.memsize > 0 { line.memsize } else { line.slot_size };
        self.sizes.push(u32::try_from(size).unwrap_or(u32::MAX));
        self.classes.push(line.class.unwrap_or(0));
        let kind = if line.sort.is_empty() || line.class.is_some() {
            self.names.add(line.kind)
        } else {
            self.names.add(&[line.kind, b" ", line.sort].concat())
        };
        self.kinds.push(kind);
        if !line.file.is_empty() {
            let place = self.names.add(format!("{}:{}", String::from_utf8_lossy(line.file), line.line).as_bytes());
            self.places.resize(object as usize, NONE);
            self.places.push(place);
        }
        if let Some(generation) = line.generation {
            self.generations.resize(object as usize, NONE);
            self.generations.push(generation);
        }
        if matches!(line.kind, b"CLASS" | b"MODULE" | b"ICLASS") && !line.name.is_empty() {
            self.class_names.push((address, line.name.into()));
        }
        if let Some(value) = line.value.filter(|_| line.kind == b"STRING") {
            let within = value.as_ptr() as usize - text.as_ptr() as usize;
            let (offset, length) = (offset + within as u64, value.len() as u32);
            self.strings.push(Text { object, hash: hash(value), offset, length });
        }
        self.references.extend(line::addresses(line.references));
        self.references.extend(line.class);
        self.references.extend(line.superclass);
        self.ends.push(self.references.len() as u64);
    }

    /// Appends another part's objects.
    fn append(&mut self, part: Columns) {
        let (objects, references) = (self.addresses.len() as u32, self.references.len() as u64);
        let renamed: Vec<NameId> = part.names.list.iter().map(|name| self.names.add(name)).collect();
        let rename = |id: u32| if id == NONE { NONE } else { renamed[id as usize] };
        self.addresses.extend(part.addresses);
        self.sizes.extend(part.sizes);
        self.classes.extend(part.classes);
        self.kinds.extend(part.kinds.into_iter().map(rename));
        if !part.places.is_empty() {
            self.places.resize(objects as usize, NONE);
            self.places.extend(part.places.into_iter().map(rename));
        }
        if !part.generations.is_empty() {
            self.generations.resize(objects as usize, NONE);
            self.generations.extend(part.generations);
        }
        self.references.extend(part.references);
        self.ends.extend(part.ends.into_iter().map(|end| end + references));
        self.strings.extend(part.strings.into_iter().map(|text| Text { object: text.object + objects, ..text }));
        self.class_names.extend(part.class_names);
        self.roots.extend(part.roots.into_iter().map(|(address, name)| (address, rename(name))));
    }

    /// The number of the object's allocation site, or `NONE`.
    pub fn place(&self, object: u32) -> u32 {
        self.places.get(object as usize).copied().unwrap_or(NONE)
    }

    pub fn generation(&self, object: u32) -> u32 {
        self.generations.get(object as usize).copied().unwrap_or(NONE)
    }
}

fn hash(bytes: &[u8]) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}
