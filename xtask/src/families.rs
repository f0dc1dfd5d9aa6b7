//! Symbols for the families of instructions.
//!
//! The dispatch loop is one function, whose arms the compiler places in any order. The line table maps each byte to its
//! arm; with it the function's symbol is split into `execute::FAMILY::INSTRUCTION` (families are part of the opcode
//! table), so that perf, callgrind and debuggers can attribute costs. Only the symbol table changes; the code does not.

use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::Command;

use addr2line::Loader;
use bytecode::Opcode;
use object::build::elf::{Builder, SymbolId};
use object::elf::{STB_LOCAL, STT_FUNC};
use syn::spanned::Spanned;
use syn::visit::Visit;

use crate::{Outcome, workspace};

const LOOP: &str = "crates/interp/src/dispatch.rs";
/// Part of the mangled name of `interp::dispatch::execute`.
const LOOP_FUNCTION: &[u8] = b"6interp8dispatch7execute";
/// The prefix of the new symbols.
const PREFIX: &str = "execute::";

/// `name-instructions BINARY`
pub fn main(arguments: &[String]) -> Outcome {
    let [binary] = arguments else { return Err("usage: cargo xtask name-instructions BINARY".to_string()) };
    name(Path::new(binary)).map(|()| true)
}

/// Runs in a separate process: the programs that `bench` measures would inherit the peak memory of this one.
pub fn name_apart(binary: &Path) -> Outcome {
    let own = std::env::current_exe().map_err(|error| format!("cargo xtask has no path: {error}"))?;
    workspace::succeeds(Command::new(own).arg("name-instructions").arg(binary))
}

/// Splits the symbol of the dispatch loop in a binary, unless it is split already.
fn name(binary: &Path) -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", workspace::shown(binary));
    let file = fs::read(binary).map_err(|error| failed(&error))?;
    let mut builder = Builder::read(&*file).map_err(|error| failed(&error))?;
    if builder.symbols.iter().any(|symbol| symbol.name.starts_with(PREFIX.as_bytes())) {
        return Ok(());
    }
    let dispatch = dispatch_loop(&builder).ok_or_else(|| failed(&"no symbol for the dispatch loop"))?;
    let (start, size) = (builder.symbols.get(dispatch).st_value, builder.symbols.get(dispatch).st_size);
    let parts = parts(&workspace::read(&workspace::root().join(LOOP))?)?;
    let lines = Loader::new(binary).map_err(|error| failed(&error))?;
    let bytes = (start..start + size).map(|address| part_at(&parts, line_in_loop(&lines, address)));
    split(&mut builder, dispatch, &fragments(bytes));
    let mut named = Vec::new();
    builder.write(&mut named).map_err(|error| failed(&error))?;
    // Written in place: cargo's own copy is a hard link to the file, and the next build would restore it.
    fs::write(binary, named).map_err(|error| failed(&error))
}

/// The family in a symbol of this module.
pub fn family(symbol: &str) -> Option<&str> {
    symbol.strip_prefix(PREFIX)?.split("::").next()
}

fn dispatch_loop(builder: &Builder) -> Option<SymbolId> {
    let named_so = |name: &[u8]| name.windows(LOOP_FUNCTION.len()).any(|part| part == LOOP_FUNCTION);
    let mut functions = builder.symbols.iter().filter(|symbol| symbol.st_type() == STT_FUNC);
    functions.find(|symbol| named_so(&symbol.name)).map(|symbol| symbol.id())
}

/// The line of the loop's own file that an address comes from (0: none): that of the outermost inlined function.
fn line_in_loop(lines: &Loader, address: u64) -> usize {
    let Ok(mut frames) = lines.find_frames(address) else { return 0 };
    let mut line = 0;
    while let Ok(Some(frame)) = frames.next() {
        let location = frame.location.filter(|location| location.file.is_some_and(|file| file.ends_with(LOOP)));
        line = location.and_then(|location| location.line).unwrap_or(0);
    }
    line as usize
}

/// The part of the dispatch loop to which a line belongs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    /// Dispatch of the next instruction.
    Fetch,
    /// An arm, by its first opcode.
    Arm(Opcode),
}

impl Part {
    fn symbol(self) -> String {
        match self {
            Part::Fetch => format!("{PREFIX}Fetch"),
            Part::Arm(opcode) => format!("{PREFIX}{}::{}", opcode.family().name(), opcode.name()),
        }
    }
}

/// Line ranges of the loop's file with the parts to which they belong; nested ranges come before the enclosing ones.
type Parts = Vec<(RangeInclusive<usize>, Part)>;

fn part_at(parts: &Parts, line: usize) -> Option<Part> {
    parts.iter().find(|(lines, _)| lines.contains(&line)).map(|(_, part)| *part)
}

/// The arms of the loop's `match`, then the loop.
fn parts(source: &str) -> Result<Parts, String> {
    struct Visitor(Parts);

    impl Visit<'_> for Visitor {
        fn visit_arm(&mut self, arm: &syn::Arm) {
            let pattern = match &arm.pat {
                syn::Pat::Or(alternatives) => alternatives.cases.first(),
                pattern => Some(pattern),
            };
            if let Some(syn::Pat::Path(path)) = pattern
                && let Some(name) = path.path.segments.last()
                && let Some(opcode) = Opcode::ALL.iter().find(|opcode| name.ident == opcode.name())
            {
                self.0.push((lines(arm), Part::Arm(*opcode)));
            }
        }

        fn visit_item_fn(&mut self, function: &syn::ItemFn) {
            syn::visit::visit_item_fn(self, function);
            if let (true, Some(last)) = (function.sig.ident == "execute", function.block.stmts.last()) {
                self.0.push((lines(last), Part::Fetch));
            }
        }
    }

    let file = syn::parse_file(source).map_err(|error| format!("{LOOP}: {error}"))?;
    let mut visitor = Visitor(Vec::new());
    visitor.visit_file(&file);
    Ok(visitor.0)
}

fn lines(syntax: &impl Spanned) -> RangeInclusive<usize> {
    syntax.span().start().line..=syntax.span().end().line
}

/// A contiguous range of the function's bytes that belongs to one part (None: the code before the loop).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fragment {
    part: Option<Part>,
    size: u64,
}

/// Dispatch code that belongs to one arm is shorter than this; a longer piece is shared by several arms.
const SHARED: u64 = 48;

/// Merges the bytes of the function into fragments. A byte without a line belongs to the fragment before it, and so
/// does an arm's own dispatch code.
fn fragments(parts: impl Iterator<Item = Option<Part>>) -> Vec<Fragment> {
    let mut stretches = vec![Fragment { part: None, size: 0 }];
    for part in parts {
        match stretches.last_mut() {
            Some(last) if part.is_none() || last.part == part => last.size += 1,
            _ => stretches.push(Fragment { part, size: 1 }),
        }
    }
    let mut fragments: Vec<Fragment> = Vec::new();
    for stretch in stretches {
        let own_way = stretch.part == Some(Part::Fetch) && stretch.size < SHARED;
        match fragments.last_mut() {
            Some(last) if last.part == stretch.part || own_way && last.part.is_some() => last.size += stretch.size,
            _ => fragments.push(stretch),
        }
    }
    fragments
}

/// Splits the loop's symbol into those of its fragments; it keeps the first.
///
/// They begin on the last byte before their first instruction. Callgrind treats a jump to the start of a symbol as a
/// call and would keep a call-stack entry for each executed instruction.
fn split(builder: &mut Builder, dispatch: SymbolId, fragments: &[Fragment]) {
    let Some((entry, rest)) = fragments.split_first() else { return };
    let whole = builder.symbols.get_mut(dispatch);
    whole.st_size = entry.size - 1;
    let (mut start, section) = (whole.st_value + whole.st_size, whole.section);
    for Fragment { part, size } in rest {
        let symbol = builder.symbols.add();
        symbol.name = part.map(Part::symbol).unwrap_or_default().into_bytes().into();
        symbol.set_st_info(STB_LOCAL, STT_FUNC);
        symbol.section = section;
        (symbol.st_value, symbol.st_size) = (start, *size);
        start += size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_belongs_to_the_arm_around_it() {
        let source = "fn execute() {\n a;\n loop { match opcode {\n Opcode::Move => a,\n \
            Opcode::Add | Opcode::Less => {\n b\n }\n } }\n}\n";
        let parts = parts(source).unwrap();
        let found: Vec<_> = [2, 3, 4, 6, 8].iter().map(|line| part_at(&parts, *line)).collect();
        let (moved, added) = (Some(Part::Arm(Opcode::Move)), Some(Part::Arm(Opcode::Add)));
        assert_eq!(found, [None, Some(Part::Fetch), moved, added, Some(Part::Fetch)]);
    }

    #[test]
    fn an_arm_has_its_own_way_to_the_next_instruction() {
        let (fetch, moved, added) = (Some(Part::Fetch), Some(Part::Arm(Opcode::Move)), Some(Part::Arm(Opcode::Add)));
        let stretches =
            [(None, 1), (fetch, 9), (moved, 2), (None, 1), (fetch, 3), (moved, 1), (added, 1), (fetch, SHARED)];
        let bytes = stretches.iter().flat_map(|(part, size)| vec![*part; *size as usize]);
        let found: Vec<_> = fragments(bytes).iter().map(|fragment| (fragment.part, fragment.size)).collect();
        assert_eq!(found, [(None, 1), (fetch, 9), (moved, 7), (added, 1), (fetch, SHARED)]);
    }

    #[test]
    fn every_opcode_but_those_of_shared_arms_has_an_arm() {
        let parts = parts(&workspace::read(&workspace::root().join(LOOP)).unwrap()).unwrap();
        assert!(parts.len() > Opcode::COUNT * 9 / 10, "{} arms of {} opcodes", parts.len(), Opcode::COUNT);
    }
}
