//! Files that the tool `wasi-vfs` packed into a WebAssembly module.
//!
//! The tool runs the module's own code, which copies the files into memory, and writes the memory back as data of the
//! module. There, each file is a node. All fields are 32-bit words:
//!
//! - a node: whether it is a folder (one byte), the length of the contents, the address of the contents or of the first
//!   entry;
//! - an entry of a folder: the address of its link, of its name (which ends in a NUL), of the next entry or 0;
//! - a link: the parent's link, the node.

/// The memory with which a module starts.
pub struct Image {
    memory: Vec<u8>,
}

/// A file: its path from the folder that was asked for, and its contents.
pub type File<'a> = (String, &'a [u8]);

/// The limit for a module's memory: no module needs more, and a damaged one must not take all memory of the machine.
const LARGEST_MEMORY: usize = 1 << 29;

/// The maximum depth of folders, because links of a damaged module may form circles.
const DEEPEST: usize = 64;

const DATA_SECTION: u8 = 11;
const I32_CONST: u8 = 0x41;
const END: u8 = 0x0b;

impl Image {
    /// Reads a module; None if the bytes are not a module with packed files.
    pub fn read(module: &[u8]) -> Option<Image> {
        let mut sections = Reader(module.strip_prefix(b"\0asm\x01\0\0\0")?);
        while let Some(kind) = sections.byte() {
            let size = sections.number()?;
            let section = sections.bytes(size)?;
            if kind == DATA_SECTION {
                return Some(Image { memory: memory(section)? });
            }
        }
        None
    }

    /// The files of the packed folder that has an entry `name`, below this entry. None if there is no such folder.
    pub fn below(&self, name: &str) -> Option<Vec<File<'_>>> {
        let mut named = name.as_bytes().to_vec();
        named.push(0);
        let words = self.memory.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        // Any word may look like an entry; only the entry's node has a tree of files.
        let mut entries = words.enumerate().filter(|(_, word)| self.at(*word).starts_with(&named));
        entries.find_map(|(index, _)| {
            let entry = u32::try_from(index * 4).ok()?.checked_sub(4)?;
            let mut files = Vec::new();
            self.collect(self.node_of(entry)?, String::new(), 0, &mut files)?;
            files.iter().all(|(path, _)| !path.is_empty()).then_some(files)
        })
    }

    fn collect<'a>(&'a self, node: u32, path: String, depth: usize, files: &mut Vec<File<'a>>) -> Option<()> {
        let (length, start) = (self.word(node + 4)?, self.word(node.checked_add(8)?)?);
        match self.at(node).first()? {
            0 => files.push((path, self.at(start).get(..length as usize)?)),
            1 if depth < DEEPEST => {
                let mut entry = start;
                while entry != 0 {
                    let name = self.at(self.word(entry.checked_add(4)?)?);
                    let name = str::from_utf8(name.split(|byte| *byte == 0).next()?).ok()?;
                    let inside = if path.is_empty() { name.to_string() } else { format!("{path}/{name}") };
                    self.collect(self.node_of(entry)?, inside, depth + 1, files)?;
                    entry = self.word(entry.checked_add(8)?)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn node_of(&self, entry: u32) -> Option<u32> {
        self.word(self.word(entry)?.checked_add(4)?)
    }

    fn word(&self, address: u32) -> Option<u32> {
        Some(u32::from_le_bytes(*self.at(address).first_chunk()?))
    }

    fn at(&self, address: u32) -> &[u8] {
        self.memory.get(address as usize..).unwrap_or_default()
    }
}

/// The memory that active segments of a data section fill. Other segments are copied by the module's code.
fn memory(section: &[u8]) -> Option<Vec<u8>> {
    let mut section = Reader(section);
    let mut memory = Vec::new();
    for _ in 0..section.number()? {
        let start = match section.number()? {
            0 => Some(section.address()?),
            1 => None,
            _ => return None,
        };
        let length = section.number()?;
        let bytes = section.bytes(length)?;
        let Some(start) = start else { continue };
        let end = start.checked_add(length).filter(|end| *end <= LARGEST_MEMORY)?;
        if memory.len() < end {
            memory.resize(end, 0);
        }
        memory[start..end].copy_from_slice(bytes);
    }
    Some(memory)
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// An unsigned number in groups of seven bits, the least significant first.
    fn number(&mut self) -> Option<usize> {
        let mut number = 0_u64;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return usize::try_from(number).ok();
            }
        }
        None
    }

    /// The expression for a segment's address: a constant. Below 2^31, the signed constant has the bits of an unsigned
    /// number; memories are smaller.
    fn address(&mut self) -> Option<usize> {
        let constant = (self.byte()? == I32_CONST).then(|| self.number())??;
        (self.byte()? == END).then_some(constant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module whose memory holds `top/a.rb` and `top/in/b.rb`, in two segments and one that is not copied.
    fn module() -> Vec<u8> {
        let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let mut memory = words(&[
            12, 160, 0, // 0: entry `top`
            0, 20, // 12: its link
            1, 0, 32, // 20: its node
            44, 164, 80, // 32: entry `a.rb`
            12, 52, // 44: its link
            0, 3, 180, // 52: its node
            0, 0, 0, 0, // 64: unused
            92, 169, 0, // 80: entry `in`
            12, 100, // 92: its link
            1, 0, 112, // 100: its node
            124, 172, 0, // 112: entry `b.rb`
            92, 132, // 124: its link
            0, 2, 184, // 132: its node
            0, 0, 0, 0, // 144: unused
        ]);
        memory.extend(b"top\0a.rb\0in\0b.rb\0\0\0\0nilxok");
        let (first, second) = memory.split_at(64);
        let with_length = |bytes: &[u8]| [&[bytes.len() as u8 | 0x80, (bytes.len() >> 7) as u8], bytes].concat();
        let segment = |at: &[u8], bytes: &[u8]| [&[0, I32_CONST], at, &[END], &with_length(bytes)].concat();
        let passive = [1, 2, 7, 7];
        // A constant of 64 needs two groups, because the highest bit of a group is the sign.
        let data = [&[3][..], &segment(&[0], first), &passive, &segment(&[0xc0, 0], second)].concat();
        [b"\0asm\x01\0\0\0\x01\x01\x00\x0b", &with_length(&data)[..]].concat()
    }

    #[test]
    fn files_are_found_by_the_name_of_their_folder() {
        let image = Image::read(&module()).expect("a module");
        let files = image.below("top").expect("the folder");
        assert_eq!(files, [("a.rb".to_string(), &b"nil"[..]), ("in/b.rb".to_string(), b"ok")]);
        assert!(image.below("bottom").is_none());
    }

    #[test]
    fn what_is_cut_off_is_no_module() {
        let module = module();
        assert!((0..module.len()).all(|length| Image::read(&module[..length]).is_none()));
        assert!(Image::read(b"\0asm\x01\0\0\0\x0b\x07\x01\0\x41\x80\x80\x80\x80").is_none());
    }
}
