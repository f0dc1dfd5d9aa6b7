//! A compiled but unlinked piece of code: instructions and the tables they refer to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Instruction, Literal, Symbol};

/// The construct that a sequence is the body of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// The main script, a required or loaded file.
    Top,
    Method,
    Block,
    /// `-> {}`
    Lambda,
    Class,
    Eval,
    /// The body of `/#{}/o`, `BEGIN`, `END`.
    Once,
}

/// Bits of [`CallInfo::flags`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallFlags(pub u16);

impl CallFlags {
    /// No explicit receiver (or `self.`): private methods may be called.
    pub const SELF_CALL: u16 = 1;
    /// A bare identifier that could have been a variable: "undefined local variable or method".
    pub const VARIABLE: u16 = 2;
    /// The last positional argument is an array of arguments.
    pub const SPLAT: u16 = 4;
    /// `keywords` names the last values.
    pub const KEYWORDS: u16 = 8;
    /// The last value is a hash of keywords (`**h`).
    pub const KEYWORD_SPLAT: u16 = 16;
    /// The value after all others is the block argument (`&b`).
    pub const BLOCK_ARGUMENT: u16 = 32;
    /// `super` without a list of arguments.
    pub const IMPLICIT_SUPER: u16 = 64;
    /// The value is discarded: the call of a setter or an assignment (`a.b = c`), whose result is its argument.
    pub const ASSIGNMENT: u16 = 128;
    /// `&.`: for error messages only; the jump is a separate instruction.
    pub const SAFE: u16 = 256;
    /// The array of SPLAT was made for this call and may be kept by the callee.
    pub const OWN_SPLAT: u16 = 512;
    /// The hash of KEYWORD_SPLAT was made for this call.
    pub const OWN_KEYWORDS: u16 = 1024;
    /// Arguments were forwarded by `...`.
    pub const FORWARDED: u16 = 2048;
    /// In a Ruby half: calls the core's own method, of any visibility, whatever the program has made of it.
    pub const CORE: u16 = 4096;
    /// The literal block is that of `&:name` ([`Parameters::of_symbol`]). It is passed unless `Symbol#to_proc` is
    /// redefined or refinements are active; then the Symbol is converted as any block argument.
    pub const SYMBOL_BLOCK: u16 = 8192;
    /// The call in the block of a Symbol: it calls only public methods, and it is no call that the program wrote.
    pub const PUBLIC: u16 = 16384;

    pub const fn has(self, flag: u16) -> bool {
        self.0 & flag != 0
    }
}

/// Is it the name of a helper of core methods, which are private and omitted from backtraces? Ruby's own names of this
/// kind, such as `__send__`, end with underscores, too.
pub fn is_helper(name: &[u8]) -> bool {
    name.starts_with(b"__") && !name.ends_with(b"__")
}

/// A call site.
///
/// The window, from its first register: receiver; positional arguments (with SPLAT the last is an array); with
/// KEYWORDS the values in the order of `keywords`, with KEYWORD_SPLAT one hash; with BLOCK_ARGUMENT the block's value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct CallInfo {
    pub name: Symbol,
    /// Positional arguments in registers (with SPLAT the last is an array).
    pub arguments: u16,
    pub flags: CallFlags,
    pub keywords: Vec<Symbol>,
    /// The literal block, an index into `children`.
    pub block: Option<u32>,
    /// For Yield and Super in blocks: the number of scopes from the block's to the method's.
    pub depth: u16,
    /// Bit i: positional argument i is an unmodified string literal whose register holds the interned string (bit 15:
    /// the receiver).
    pub literal_arguments: u16,
    /// Bit i: positional argument i is a parameter of the method, as in [`Parameters::lent`] (bit 15: the receiver).
    pub lent_parameters: u16,
}

impl CallInfo {
    /// The window of a call that splats an Array has room for so many of its elements: machine code passes them one by
    /// one.
    pub const MOST_TAKEN_APART: u16 = 4;
}

/// The parameters of a sequence. Registers: 0 is self; then required, optional, rest, post-required, keywords (in
/// `keywords`' order), keyword rest, block; then other locals.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Parameters {
    /// Required parameters at the start.
    pub required: u16,
    /// Undef if not given: the prologue's JumpGiven skips the default.
    pub optional: u16,
    /// Register of `*rest`.
    pub rest: Option<u16>,
    /// `|*x; packed|` in the Ruby half of core classes: `x` receives the yielded value, several values as an Array, nil
    /// for none; the variable after it is true unless there was exactly one.
    pub packed: bool,
    /// It is the block of `&:name`, whose only call calls that method of the yielded value. It is hidden from programs,
    /// and it is `packed`: it runs only for a single value. With any other number of values the call is made from Rust.
    pub of_symbol: bool,
    /// `|a,|`: takes the first element of an array, but has no rest variable.
    pub trailing_comma: bool,
    pub post: u16,
    /// First keyword's register, and whether each is required.
    pub keywords: Vec<(Symbol, bool)>,
    pub first_keyword: u16,
    /// Register of `**rest`.
    pub keyword_rest: Option<u16>,
    /// `**nil`
    pub no_keywords: bool,
    /// Register of `&block`.
    pub block: Option<u16>,
    /// `...`: hidden rest, keyword rest and block parameters exist.
    pub forwarding: bool,
    /// Numbered parameters (1..=9), or `it` (10).
    pub numbered: u8,
    /// Bit i: leading required or post parameter i is a destructuring pattern (for Method#parameters).
    pub destructured: u64,
    /// Bit i: parameter i (a required or optional one) of a method of a Ruby half is only passed on to other methods,
    /// tested for its type and used as a condition. For a string literal, such a parameter may be passed the literal's
    /// own object.
    pub lent: u16,
    /// Only the elements of the rest parameter are read: it is nameless, or a method of a Ruby half does nothing else
    /// with it. All calls without such arguments may be passed the same empty Array, others the Array that the caller
    /// splats.
    pub shares_rest: bool,
    /// The keyword rest parameter is that of `...`, or nameless and the only parameter for keywords: nil without
    /// keywords, perhaps the caller's Hash.
    pub hides_keywords: bool,
}

/// The kinds of unwinding that enter a handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HandlerKind {
    /// Exceptions only. The unwinder puts the exception into `register`, the former `$!` into the next, and sets `$!`.
    Rescue,
    /// Every unwinding: exceptions, break, return, throw, a thread's end. `register` gets the state for `Rethrow`; `$!`
    /// as for Rescue into the next.
    Ensure,
}

/// A row of the exception table; the unwinder takes the first row (innermost first) that covers the failing word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handler {
    pub kind: HandlerKind,
    /// First and one past the last word covered.
    pub from: u32,
    pub to: u32,
    pub target: u32,
    pub register: u16,
}

/// Events of an instruction, as bits; the same numbers as CRuby's RUBY_EVENT_*.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Events(pub u16);

impl Events {
    pub const LINE: u16 = 0x0001;
    pub const CLASS: u16 = 0x0002;
    pub const END: u16 = 0x0004;
    pub const CALL: u16 = 0x0008;
    pub const RETURN: u16 = 0x0010;
    pub const B_CALL: u16 = 0x0100;
    pub const B_RETURN: u16 = 0x0200;
    pub const RESCUE: u16 = 0x4000;
    /// With RETURN, B_RETURN or END: control fell off the end of the body, so that the event's line is the sequence's
    /// last.
    pub const AT_END: u16 = 0x8000;
}

/// The source position of a word of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The first word that it applies to; it applies up to the next row.
    pub word: u32,
    pub line: i32,
    /// Byte columns of the node in its first line, for the snippet with `^^^^`.
    pub column: u32,
    pub end_column: u32,
}

/// A name that the program can see, or a hidden slot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Local {
    pub name: Option<Symbol>,
    pub register: u16,
    /// More than one assignment sets it. A block that Ractors share may not read such a variable.
    pub reassigned: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sequence {
    pub kind: Kind,
    /// `foo`, `<main>`, `<class:Foo>`, `<top (required)>`; a block has the name of its method (label: "block in foo").
    pub name: String,
    /// The nesting depth of blocks: 0 outside of a block ("block (2 levels) in …").
    pub block_depth: u16,
    /// First and last line of its source, with columns.
    pub first_line: i32,
    pub last_line: i32,
    pub first_column: u32,
    pub last_column: u32,
    pub parameters: Parameters,
    /// Visible and hidden locals with their registers, parameters first.
    pub locals: Vec<Local>,
    /// The number of all registers, including self and call windows.
    pub registers: u16,
    #[serde(with = "crate::compact::instructions")]
    pub instructions: Vec<Instruction>,
    pub literals: Vec<Literal>,
    pub calls: Vec<CallInfo>,
    /// The names of the instance-variable sites; each place in the source has its own.
    pub ivars: Vec<Symbol>,
    /// Names of the sites of constants and class variables. `A::B::C` is three sites; a leading `::` takes
    /// GetConstantFrom Object.
    pub constants: Vec<Symbol>,
    pub children: Vec<Sequence>,
    pub handlers: Vec<Handler>,
    #[serde(with = "crate::compact::positions")]
    pub positions: Vec<Position>,
    /// Words with events.
    pub events: Vec<(u32, Events)>,
    /// It calls `binding`, `eval` or a similar method by name, so that a block or eval in it may access all its locals.
    pub uses_eval: bool,
    /// It contains `yield`, or a `super` that passes the block on (also in blocks).
    pub uses_block: bool,
    /// `$~` or `$_` is read or set in it.
    pub uses_special: bool,
    /// The position of the method's body in an image; all the rest is in the body then. See [`crate::image`].
    pub deferred_at: Option<u32>,
    /// The whole source and the path, only on the outermost sequence.
    pub unit: Option<Box<Unit>>,
}

impl Parameters {
    /// Registers that parameters take, self not counted.
    pub fn count(&self) -> u16 {
        self.required
            + self.optional
            + self.rest.is_some() as u16
            + self.post
            + self.keywords.len() as u16
            + self.keyword_rest.is_some() as u16
            + self.block.is_some() as u16
    }
}

impl Sequence {
    /// A sequence without instructions, parameters and position.
    pub fn empty(kind: Kind, name: &str) -> Sequence {
        Sequence {
            kind,
            name: name.into(),
            block_depth: 0,
            first_line: 0,
            last_line: 0,
            first_column: 0,
            last_column: 0,
            parameters: Parameters::default(),
            locals: Vec::new(),
            registers: 0,
            instructions: Vec::new(),
            literals: Vec::new(),
            calls: Vec::new(),
            ivars: Vec::new(),
            constants: Vec::new(),
            children: Vec::new(),
            handlers: Vec::new(),
            positions: Vec::new(),
            events: Vec::new(),
            uses_eval: false,
            uses_block: false,
            uses_special: false,
            deferred_at: None,
            unit: None,
        }
    }

    /// Registers that an environment keeps: self, parameters and other locals.
    pub fn environment_slots(&self) -> u16 {
        let locals = self.locals.iter().map(|l| l.register + 1).max().unwrap_or(1);
        locals.max(self.parameters.count() + 1)
    }

    /// The number of registers of its frames.
    pub fn frame_registers(&self) -> u16 {
        self.registers.max(self.environment_slots())
    }
}

/// The properties of a whole file or string.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    pub path: String,
    pub source: Vec<u8>,
    /// The number of its first line.
    pub first_line: i32,
    pub encoding: u8,
    /// Byte offset just after the `__END__` line.
    pub data_offset: Option<u64>,
    /// Warnings as printed, with their level: true = only under -w.
    pub warnings: Vec<(String, bool)>,
    /// What coverage counts.
    pub counted: Counted,
}

/// The counters of a source, which the library coverage asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    /// How many there are.
    pub counters: usize,
    /// Lines with their counters.
    pub lines: BTreeMap<i32, usize>,
    pub branch_points: Vec<BranchPoint>,
}

/// A branch point of the program: `if`, `unless`, `case`, `while`, `until`, `&.`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BranchPoint {
    pub kind: String,
    /// First line and column, last line and column.
    pub place: [i64; 4],
    pub branches: Vec<Branch>,
}

/// One branch of a branch point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Branch {
    /// Its index among the branches.
    pub order: usize,
    pub name: String,
    pub place: [i64; 4],
    /// The number of its counter in the whole source.
    pub counter: usize,
}
