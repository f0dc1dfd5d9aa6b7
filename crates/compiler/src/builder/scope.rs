//! The state of a sequence under construction.

use std::rc::Rc;

use bytecode::sequence::{Local, Position};
use bytecode::{CallInfo, Events, HandlerKind, Instruction, Kind, Literal, Parameters, Sequence, Symbol};
use ruby_prism::StatementsNode;

use super::labels::LabelState;
use super::{Label, Register};
use crate::analysis::ScopeFacts;
use crate::tables::Map;

/// A construct that a jump out of the current code must leave. The innermost is the last of a scope's list.
#[derive(Clone)]
pub(crate) enum Control<'pr> {
    /// `while`, `until`: the targets of jumps, and the register of its value.
    Loop { break_label: Label, next_label: Label, redo_label: Label, result: Option<Register> },
    /// Code covered by the handlers of a rescue.
    Region(RegionId),
    /// Code covered by an ensure: its body runs inline when a jump leaves.
    Ensure { body: EnsureBody<'pr>, region: RegionId },
    /// A copy of the body of an ensure: `retry` in it may not restart what is around it.
    Ensuring,
    /// The body of a rescue clause or of an ensure entered by an exception: `$!` is restored from the register.
    Rescued { saved: Register, retry: Option<Label>, region: RegionId },
}

/// The code that runs however control leaves the code above it.
#[derive(Clone)]
pub(crate) enum EnsureBody<'pr> {
    Statements(Option<Rc<StatementsNode<'pr>>>),
    /// Ends the iteration level of the Hash that is in the register, see `crate::primitive_loops`.
    LeaveHash(Register),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RegionId(pub usize);

/// A range of words that a handler covers, in pieces.
pub(crate) struct Region {
    pub kind: HandlerKind,
    pub ranges: Vec<(u32, u32)>,
    pub open: Option<u32>,
    pub target: Label,
    pub register: Register,
}

/// The handler that restores `$!` when an exception or a jump leaves a rescue body through the unwinder.
#[derive(Clone, Copy)]
pub(crate) struct Restoration {
    pub handler: Label,
    pub region: RegionId,
    /// The register for the unwinder's state.
    pub state: Register,
    pub saved: Register,
}

/// The location of a local variable, in the scope `level` scopes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    pub level: u16,
    pub register: Register,
    /// The method's `&block` parameter, which becomes a Proc only when it is read.
    pub is_block_parameter: bool,
}

/// The source range and name of a sequence.
#[derive(Clone, Default)]
pub(crate) struct Heading {
    pub name: String,
    pub first_line: i32,
    pub last_line: i32,
    pub first_column: u32,
    pub last_column: u32,
}

pub(crate) struct Scope<'pr> {
    pub kind: Kind,
    pub heading: Heading,
    pub block_depth: u16,
    /// Created by the compiler: prism's depths do not count it.
    pub transparent: bool,
    /// Methods, classes and files: inner scopes do not see locals beyond it.
    pub is_base: bool,
    pub facts: Rc<ScopeFacts>,

    pub names: Map<Vec<u8>, Register>,
    pub locals: Vec<Local>,
    pub parameters: Parameters,
    /// Names of the parameters that the method of a Ruby half only passes on.
    pub lent: Vec<Vec<u8>>,
    pub first_temporary: u32,
    /// The next free temporary.
    pub top: u32,
    /// Registers ever used.
    pub highest: u32,
    /// The state registers of flip-flops in a base scope, by the offset of their node.
    pub flip_flops: Map<u32, Register>,
    /// The target of `redo` in a block.
    pub body_label: Option<Label>,

    pub code: Vec<Instruction>,
    pub unreachable: bool,
    /// The length of the code at the last position that something refers to: the word before it must stay.
    pub barrier: usize,
    pub labels: Vec<LabelState>,
    /// Jumps to be patched.
    pub fixups: Vec<(u32, Label)>,
    /// Jump tables: the literal, and the label of each key.
    pub tables: Vec<(u32, Vec<(Literal, Label)>)>,
    pub regions: Vec<Region>,
    pub finished_regions: Vec<RegionId>,
    pub controls: Vec<Control<'pr>>,

    pub literals: Vec<Literal>,
    pub symbols: Map<Symbol, u32>,
    pub strings: Map<(Vec<u8>, u8, bool, bool), u32>,
    pub calls: Vec<CallInfo>,
    pub ivars: Vec<Symbol>,
    pub constants: Vec<Symbol>,
    pub children: Vec<Sequence>,

    pub positions: Vec<Position>,
    pub line: i32,
    pub column: u32,
    pub end_column: u32,
    pub events: Vec<(u32, Events)>,
    pub pending_events: u16,
    /// The line of the last line event: there is one per line.
    pub last_event_line: Option<i32>,
}

impl<'pr> Scope<'pr> {
    pub fn new(kind: Kind, heading: Heading, facts: Rc<ScopeFacts>) -> Scope<'pr> {
        let is_base = matches!(kind, Kind::Top | Kind::Method | Kind::Class);
        Scope {
            kind,
            block_depth: 0,
            transparent: false,
            is_base,
            facts,
            names: Map::default(),
            locals: Vec::new(),
            parameters: Parameters::default(),
            lent: Vec::new(),
            first_temporary: 1,
            top: 1,
            highest: 1,
            flip_flops: Map::default(),
            body_label: None,
            code: Vec::new(),
            unreachable: false,
            barrier: 0,
            labels: Vec::new(),
            fixups: Vec::new(),
            tables: Vec::new(),
            regions: Vec::new(),
            finished_regions: Vec::new(),
            controls: Vec::new(),
            literals: Vec::new(),
            symbols: Map::default(),
            strings: Map::default(),
            calls: Vec::new(),
            ivars: Vec::new(),
            constants: Vec::new(),
            children: Vec::new(),
            positions: Vec::new(),
            line: heading.first_line,
            column: 0,
            end_column: 0,
            events: Vec::new(),
            pending_events: 0,
            last_event_line: None,
            heading,
        }
    }
}
