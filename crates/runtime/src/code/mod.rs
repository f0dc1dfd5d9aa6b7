//! Code that can run: a linked instruction sequence with its literals and inline caches.

mod counting;
pub mod exits;
mod given_back;
mod names;
pub mod open_frames;
pub(crate) mod positions;
mod profile;
pub mod registry;
pub mod sites;
pub mod source_text;
mod table;
pub mod tier;
mod traced;

use memory::ToVector;
pub use names::encoding_id;
pub(crate) use names::intern;
use positions::Positions;
pub use sites::{CallSite, ConstantSite, IvarPlace, IvarSite};
use source_text::SourceText;
pub use table::Table;
use traced::TracedTable;
pub use traced::TracedWord;

use std::borrow::Cow;
use std::cell::{Cell, UnsafeCell};
use std::os::unix::ffi::OsStrExt;
use std::sync::{Arc, OnceLock};

use abi::{Type, Value};
use bytecode::sequence::{Events, Handler, Local, Position};
use bytecode::{Instruction, Kind, Opcode, Operands, Parameters, Symbol};
use heap::Trace;
use object::{Mem, Sym, cell, native, native::NativeData, string::Str};

use crate::counters::Counters;

/// A file or string of source from which sequences were compiled.
pub struct Source {
    /// A number that no other source has.
    pub id: u32,
    pub path: String,
    /// The path made absolute, for `__dir__` and require_relative; `None` in evals.
    pub absolute_path: Option<String>,
    /// That path without symbolic links, once it was asked for; `None` if they are the same.
    pub real_path: OnceLock<Option<Box<str>>>,
    /// The text is that of the program or of a file that the program loads.
    pub is_loaded: bool,
    pub text: SourceText,
    /// The number of the text's first line.
    pub first_line: i32,
    /// It was compiled while RubyVM.keep_script_lines was set.
    pub lines_kept: bool,
    pub encoding: u8,
    /// The bodies of deferred methods.
    pub image: Cow<'static, [u8]>,
    /// Counters for the library coverage.
    pub counters: Option<Arc<Counters>>,
}

impl Source {
    /// The absolute path without symbolic links, as they were when it was first asked for.
    pub fn real_path(&self) -> Option<&str> {
        let path = self.absolute_path.as_deref()?;
        let real = self.real_path.get_or_init(|| {
            let real = std::fs::canonicalize(path).ok()?;
            let real = memory::lossy_text(real.as_os_str().as_bytes());
            (real != path).then(|| real.into())
        });
        Some(real.as_deref().unwrap_or(path))
    }
}

/// What calls and instructions read is in the first line of the processor's cache: in a large program, the nearest
/// cache has forgotten most code when it is called again.
#[derive(Trace)]
#[repr(C, align(64))]
pub struct Code {
    #[trace(skip)]
    pub instructions: Table<UnsafeCell<Instruction>>,
    /// This code's own cell.
    pub own: Cell<Value>,
    /// Registers in all.
    pub registers: u16,
    /// Registers of parameters.
    pub parameter_count: u16,
    /// Registers that an environment keeps: self, parameters and other locals.
    pub environment_slots: u16,
    /// Positional parameters only, all required: arguments need no arranging, and `parameter_count` is their number.
    pub simple: bool,
    /// Positional parameters only, of which some may be optional: those not given are undef, and nothing else needs
    /// arranging.
    pub positional: bool,
    pub literals: Table<Cell<Value>>,
    pub calls: Table<CallSite>,
    pub ivars: Table<IvarSite>,
    pub constants: Table<ConstantSite>,
    pub tier: tier::Tier,
    pub children: Table<Cell<Value>>,
    #[trace(skip)]
    pub parameters: Parameters,
    /// Flags of the Strings that literals make: chilled unless a magic comment says that they may change.
    pub string_flags: u32,
    #[trace(skip)]
    pub kind: Kind,
    /// The code belongs to the Ruby half of a core class and is hidden from backtraces.
    pub internal: bool,
    pub uses_block: bool,
    pub ruby2_keywords: Cell<bool>,
    /// The enclosing sequence; nil for the outermost.
    pub parent: Cell<Value>,
    pub(crate) rare: Option<Box<Rare>>,
    pub once: UnsafeCell<Option<Box<sites::OnceValues>>>,
    /// The method's second code, for calls with lent arguments (see [`crate::link::lending`]), or nil. In that second
    /// code, this is the method's ordinary code.
    pub(crate) lending: Cell<Value>,
    /// Bits of the parameters that may be lent to the method: those that it only passes on ([`Parameters::lent`]). A
    /// bit is cleared when the parameter is passed for the second time to a method that keeps it.
    pub(crate) lent: Cell<u16>,
    /// Whether calls without arguments for the rest parameter are passed the same empty Array, see
    /// [`Parameters::shares_rest`].
    pub shares_rest: bool,
    /// `new` is a call as any other: it has events.
    pub unspecialized: bool,
    /// Bits of the parameters that were passed once to a method that keeps them. Once is tolerated, because the first
    /// run of a call takes a slower path than later runs.
    pub(crate) kept: Cell<u16>,
    /// The position of the body in the image of the source, for a method that was linked when it was needed.
    #[trace(skip)]
    pub(crate) body_at: Option<u32>,
    #[trace(skip)]
    pub positions: Positions,
    #[trace(skip)]
    pub events: Table<(u32, Events)>,
    /// Names of locals by register; undef for hidden ones.
    pub locals: Table<(Sym, u16)>,
    /// The code of a block shares the name of its method.
    #[trace(skip)]
    pub name: Arc<str>,
    #[trace(skip)]
    pub source: Arc<Source>,
    pub first_line: i32,
    pub last_line: i32,
    pub first_column: u32,
    pub last_column: u32,
    pub block_depth: u16,
    /// Whether the code may define methods; `None` until `instance_exec` needs it and all its blocks are linked.
    #[trace(skip)]
    pub defines_methods: Cell<Option<bool>>,
    /// The words that trace points replaced.
    #[trace(skip)]
    pub(crate) traced: UnsafeCell<Option<Box<TracedTable>>>,
    /// Its position in the list of all code.
    #[trace(skip)]
    pub(crate) registered: registry::Registered,
    /// The words that are replaced while operands are watched.
    #[trace(skip)]
    pub(crate) profile: UnsafeCell<profile::Profile>,
}

/// The first line ends with the tier's counter of runs.
const _: () = assert!(std::mem::offset_of!(Code, tier) == 56);

/// Programs link thousands of code objects, most of which run once.
const _: () = assert!(size_of::<Code>() <= 384);

/// The parts that most code lacks.
#[derive(Default, Trace)]
pub struct Rare {
    /// Interned names of the keywords, in order, and whether each is required.
    pub keyword_names: Box<[(Sym, bool)]>,
    #[trace(skip)]
    pub handlers: Box<[Handler]>,
    pub jump_tables: Box<[sites::JumpTable]>,
    /// Registers of the locals that more than one place assigns.
    pub reassigned: Box<[u16]>,
    /// It has calls of `public_send`, which have lines in backtraces.
    pub sends_publicly: bool,
}

impl Rare {
    /// The parts in a box, if there is one.
    pub(crate) fn boxed(self) -> Option<Box<Rare>> {
        let is_empty = self.keyword_names.is_empty()
            && self.handlers.is_empty()
            && self.jump_tables.is_empty()
            && self.reassigned.is_empty()
            && !self.sends_publicly;
        (!is_empty).then(|| Box::new(self))
    }
}

impl NativeData for Code {
    object::one_vtable!(Code);

    fn memsize(&self) -> usize {
        // Without the fields themselves, which are part of the box.
        self.instructions.len() * 8
            + self.calls.len() * std::mem::size_of::<CallSite>()
            + (self.literals.len() + self.children.len()) * 8
            + self.positions.memsize()
            + self.source.image.len() * usize::from(self.parent.get().is_nil())
    }
}

/// The code of an InstructionSequence cell, borrowed from the variable that holds the cell, which stays alive
/// meanwhile. Panics if it is none.
///
/// ```compile_fail,E0515
/// fn kept(sequence: runtime::Value) -> &'static runtime::code::Code {
///     runtime::code::code(&sequence)
/// }
/// ```
#[inline(always)]
pub fn code(v: &Value) -> &Code {
    // SAFETY: cells of this type have native boxes.
    let is_code = cell::is(*v, Type::InstructionSequence) && unsafe { !native::is_in_cell(*v) };
    assert!(is_code, "{v:?} is no code, or is not linked");
    // SAFETY: it is a cell with code.
    unsafe { live_code(*v) }
}

/// The code of a cell that is known to be one.
///
/// # Safety
/// `v` is an InstructionSequence that is linked, and something keeps it alive as long as the reference: a frame that
/// runs it, a method entry, or a variable.
#[inline(always)]
pub unsafe fn live_code<'a>(v: Value) -> &'a Code {
    // SAFETY: cells of this type have native boxes.
    debug_assert!(cell::is(v, Type::InstructionSequence) && unsafe { !native::is_in_cell(v) });
    // SAFETY: word 1 of the cell is the address of its box, see object::native; the box holds a Code, and lives as long
    // as the cell.
    unsafe { &*(cell::raw(v, 1) as *const Code) }
}

impl Code {
    /// The value of a child that runs only once, if it did.
    pub fn once_value(&self, child: u32) -> Option<Value> {
        // SAFETY: the table of a code object is accessed under the global lock, by one thread at a time.
        let known = unsafe { &*self.once.get() };
        known.as_ref()?.values.iter().find(|(number, _)| *number == child).map(|(_, value)| value.0)
    }

    /// The thread that runs a child that runs only once.
    pub fn once_runner(&self, child: u32) -> Option<Value> {
        // SAFETY: as in `once_value`.
        let known = unsafe { &*self.once.get() };
        known.as_ref()?.running.iter().find(|(number, _)| *number == child).map(|(_, thread)| thread.0)
    }

    /// Interned names of the keywords, in order, and whether each is required.
    #[inline]
    pub fn keyword_names(&self) -> &[(Sym, bool)] {
        self.rare.as_ref().map_or(&[], |rare| &rare.keyword_names)
    }

    #[inline]
    pub fn handlers(&self) -> &[Handler] {
        self.rare.as_ref().map_or(&[], |rare| &rare.handlers)
    }

    #[inline]
    pub fn jump_tables(&self) -> &[sites::JumpTable] {
        self.rare.as_ref().map_or(&[], |rare| &rare.jump_tables)
    }

    /// Registers of the locals that more than one place assigns.
    pub fn reassigned(&self) -> &[u16] {
        self.rare.as_ref().map_or(&[], |rare| &rare.reassigned)
    }

    /// The line that programs see as its first one: 0 for the program and for files that it loads.
    pub fn first_lineno(&self) -> i32 {
        let is_file = self.kind == Kind::Top && self.parent.get().is_nil() && self.source.is_loaded;
        if is_file { 0 } else { self.first_line }
    }

    /// The address of the first word.
    #[inline(always)]
    pub fn start(&self) -> *const u64 {
        self.instructions.as_ptr().cast()
    }

    /// The word that `pc` points to.
    #[inline(always)]
    pub fn word_of(&self, pc: *const u64) -> usize {
        (pc as usize - self.start() as usize) / 8
    }

    /// The word of the instruction that a frame with this saved `pc`, which points behind it, executes. `None` where it
    /// has not begun: while a deferred body is linked, its frame's `pc` points to what the body replaces.
    #[inline]
    pub fn executing(&self, pc: *const u64) -> Option<usize> {
        let behind = (pc as usize).checked_sub(self.start() as usize)? / 8;
        behind.checked_sub(1).filter(|word| *word < self.instructions.len())
    }

    /// The first word of the instruction that ends before `pc`, which is not the code's start.
    pub fn word_before(&self, pc: *const u64) -> usize {
        let last = self.word_of(pc) - 1;
        if self.operands(last).opcode == Opcode::Extension as u16 { last - 1 } else { last }
    }

    /// The site of the call that the instruction at `word` makes or may make.
    pub fn call_at(&self, word: usize) -> &CallSite {
        let i = self.instruction(word);
        let is_near = i.op().operands() == Operands::Call;
        &self.calls[if is_near { i.c as usize } else { self.operands(word + 1).bc() as u32 as usize }]
    }

    /// The line of an event of the word.
    pub fn event_line(&self, word: usize, event: u16) -> i32 {
        let entering = Events::CALL | Events::B_CALL | Events::CLASS;
        let leaving = Events::RETURN | Events::B_RETURN | Events::END;
        if event & entering != 0 {
            return self.first_line;
        }
        let at_end = |e: &(u32, Events)| e.0 as usize == word && e.1.0 & Events::AT_END != 0;
        if event & leaving != 0 && self.events.iter().any(at_end) { self.last_line } else { self.line(word) }
    }

    /// Whether `at` is the address of one of the code's words, or of the one behind the last.
    pub fn contains(&self, at: u64) -> bool {
        at.wrapping_sub(self.start() as u64) <= self.instructions.len() as u64 * 8 && at.is_multiple_of(8)
    }

    /// Whether string literals may be lent to the method.
    pub fn lends(&self) -> bool {
        self.lent.get() != 0
    }

    pub fn position(&self, word: usize) -> Option<Position> {
        self.positions.at(word)
    }

    /// The locals in the compiler's form, for evals.
    pub fn local_names(&self, mem: &Mem) -> Vec<Local> {
        let local = |(name, register): &(Sym, u16)| Local {
            name: (!name.value().is_undef()).then(|| Symbol {
                bytes: name.bytes(mem).to_vector(),
                encoding: Str::of(name.name(mem)).encoding().index(),
            }),
            register: *register,
            reassigned: self.reassigned().contains(register),
        };
        self.locals.iter().map(local).collect()
    }

    pub fn line(&self, word: usize) -> i32 {
        self.position(word).map_or(self.first_line, |p| p.line)
    }

    #[inline]
    pub fn literal(&self, index: usize) -> Value {
        self.literals[index].get()
    }

    pub fn child(&self, index: usize) -> Value {
        self.children[index].get()
    }

    /// Whether it is the code of a method, not of a class body, a file or an eval.
    pub fn is_in_method(&self) -> bool {
        // `<=>` is a method's name.
        !(self.name.starts_with('<') && self.name.ends_with('>') && self.name.len() > "<=>".len())
    }

    /// "foo", "block in foo", "block (2 levels) in <main>", "<class:Foo>", as backtraces name it.
    pub fn label(&self) -> String {
        let mut label = String::new();
        self.append_label(&mut label);
        label
    }

    pub(crate) fn append_label(&self, out: &mut String) {
        self.append_depth(out);
        memory::append_text(out, &self.name);
    }

    /// Appends what precedes the name in the label of a block.
    pub(crate) fn append_depth(&self, out: &mut String) {
        match self.block_depth {
            0 => {}
            1 => memory::append_text(out, "block in "),
            n => memory::append_formatted(out, format_args!("block ({n} levels) in ")),
        }
    }

    /// The register of a visible local.
    pub fn local(&self, name: Sym) -> Option<u16> {
        self.locals.iter().rev().find(|(n, _)| *n == name).map(|(_, register)| *register)
    }
}
