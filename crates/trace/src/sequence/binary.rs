//! `to_binary` and `load_from_binary`: sequences as bytes, for caches of compiled files.
//!
//! ```text
//! "BENI" | fingerprint of the build | checksum of the rest | length of the image | image | extra data
//!          (8 bytes)                  (8 bytes)              (8 bytes)
//! ```
//! Numbers are little-endian. Linked code differs from the compiler's output, so the source is compiled again.

use std::sync::LazyLock;

use bytecode::{Intrinsic, Kind, Opcode, Sequence, image, verify};
use compiler::{Options, SourceKind};
use memory::{Grow, ToVector};
use runtime::{
    Args, Cx, R,
    code::{self, Code},
    convert,
    link::Place,
    make,
};
use text::encoding::EncodingId;

use super::own;

const MAGIC: &[u8] = b"BENI";
/// To be incremented when a sequence's layout changes other than by opcodes and intrinsics.
const FORMAT: u64 = 2;
const HEADER: usize = 4 + 3 * 8;

/// FNV-1a on words of eight bytes, which protects against mistakes and corrupt files, not against malice: an image is
/// code, like a source file.
fn checksum(bytes: &[u8]) -> u64 {
    let (words, last) = bytes.as_chunks::<8>();
    let mut end = [0; 8];
    end[..last.len()].copy_from_slice(last);
    let words = words.iter().chain([&end]).map(|word| u64::from_le_bytes(*word));
    words.fold(0xcbf2_9ce4_8422_2325 ^ bytes.len() as u64, |sum, word| {
        (sum.rotate_left(29) ^ word).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A fingerprint of the numbering in images: names and order of opcodes and intrinsics.
fn fingerprint() -> u64 {
    static OF_BUILD: LazyLock<u64> = LazyLock::new(|| {
        let mut names = env!("CARGO_PKG_VERSION").as_bytes().to_vector();
        Opcode::ALL.iter().for_each(|op| names.append_slice(op.name().as_bytes()));
        Intrinsic::ALL.iter().for_each(|i| names.append_slice(i.name().as_bytes()));
        checksum(&names) ^ FORMAT
    });
    *OF_BUILD
}

/// The outermost sequence around this one, and the path from there: the indices of children, outermost first.
fn path_to(c: &Code) -> Option<(abi::Value, Vec<usize>)> {
    let (mut at, mut path) = (c.own.get(), Vec::new());
    loop {
        let sequence = code::code(&at);
        if sequence.kind == Kind::Eval {
            return None;
        }
        let parent = sequence.parent.get();
        if parent.is_nil() {
            path.reverse();
            return Some((at, path));
        }
        path.push(code::code(&parent).children.iter().position(|child| child.get() == at)?);
        at = parent;
    }
}

fn same_instructions(s: &Sequence, c: &Code) -> bool {
    s.instructions.len() == c.instructions.len()
        && s.instructions.iter().enumerate().all(|(word, i)| *i == c.instruction(word))
}

/// The sequence as the compiler emits it.
fn compile_again(c: &Code) -> Option<Sequence> {
    let (outermost, path) = path_to(c)?;
    let outermost = code::code(&outermost);
    for kind in [SourceKind::Required, SourceKind::Main] {
        for frozen in [None, Some(true), Some(false)] {
            let mut options = Options::new(outermost.source.path.clone(), kind.clone());
            options.first_line = outermost.source.first_line;
            options.frozen_string_literal = frozen;
            let Ok(mut sequence) = compiler::compile(&outermost.source.text.bytes(), &options) else { continue };
            sequence.name = outermost.name.to_string();
            let unit = sequence.unit.take();
            for child in &path {
                if *child >= sequence.children.len() {
                    return None;
                }
                sequence = sequence.children.swap_remove(*child);
            }
            sequence.unit = unit;
            if same_instructions(&sequence, c) && chilled(&sequence) == (c.string_flags != 0) {
                return Some(sequence);
            }
        }
    }
    None
}

fn chilled(s: &Sequence) -> bool {
    s.literals.iter().any(|l| matches!(l, bytecode::Literal::String { chilled: true, .. }))
}

/// `to_binary(extra_data = nil) → string`: the code as bytes, with a text of the program's own, for `load_from_binary`
/// of the same build. NotImplementedError for code that was evaluated in a binding.
pub fn to_binary(cx: &mut Cx, args: Args) -> R {
    let extra = match args.non_nil(0) {
        Some(v) => convert::to_str(cx, v)?.to_vector(),
        None => Vec::new(),
    };
    let c = own(cx, args);
    let Some(sequence) = compile_again(c) else {
        return Err(cx.not_implemented("to_binary of code that was evaluated in a binding"));
    };
    let absolute = c.source.absolute_path.clone().unwrap_or_default();
    let mut image = (absolute.len() as u64).to_le_bytes().to_vector();
    image.append_slice(absolute.as_bytes());
    image.extend(image::encode(&sequence));
    let length = image.len() as u64;
    image.append_slice(&extra);
    let mut all = MAGIC.to_vector();
    for number in [fingerprint(), checksum(&image), length] {
        all.append_slice(&number.to_le_bytes());
    }
    all.append_slice(&image);
    Ok(make::string(cx, &all, EncodingId::BINARY))
}

/// Image and extra data, if this build wrote the bytes.
fn parts(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let number = |i: usize| Some(u64::from_le_bytes(rest.get(8 * i..8 * i + 8)?.try_into().ok()?));
    let (build, sum, length) = (number(0)?, number(1)?, number(2)? as usize);
    let content = bytes.get(HEADER..)?;
    if build != fingerprint() || length > content.len() || checksum(content) != sum {
        return None;
    }
    Some(content.split_at(length))
}

fn decoded(image: &[u8]) -> Option<(String, Sequence)> {
    let length = u64::from_le_bytes(image.get(..8)?.try_into().ok()?) as usize;
    let absolute = String::from_utf8(image.get(8..8usize.checked_add(length)?)?.to_vector()).ok()?;
    let sequence = image::decode(&image[8 + length..]).ok()?;
    verify::verify(&sequence).ok()?;
    Some((absolute, sequence))
}

/// `RubyVM::InstructionSequence.load_from_binary(image) → sequence`: the code that `to_binary` wrote. RuntimeError for
/// an image that is broken or of another build.
pub fn load(cx: &mut Cx, args: Args) -> R {
    let bytes = args.str(cx, 0)?;
    let bytes = bytes.to_vector();
    let read = || parts(&bytes).and_then(|(image, _)| decoded(image));
    match compiler::with_room_for_image(bytes.len(), read) {
        Some((absolute, sequence)) => {
            let path = sequence.unit.as_ref().map_or_else(String::new, |unit| unit.path.clone());
            let absolute_path = (!absolute.is_empty()).then_some(absolute);
            Ok(runtime::link::link_at(cx, &sequence, Place { path, absolute_path, is_loaded: false }))
        }
        None => Err(cx.runtime_error("broken binary format")),
    }
}

/// `RubyVM::InstructionSequence.load_from_binary_extra_data(image) → string`: the text that was passed to `to_binary`.
/// RuntimeError for bytes that it did not write.
pub fn extra_data(cx: &mut Cx, args: Args) -> R {
    let bytes = args.str(cx, 0)?;
    let bytes = bytes.to_vector();
    match parts(&bytes) {
        Some((_, extra)) => Ok(make::string(cx, extra, EncodingId::BINARY)),
        None => Err(cx.runtime_error("broken binary format")),
    }
}
