//! Emission of instructions.

use bytecode::sequence::Position;
use bytecode::{CallFlags, CallInfo, Events, Instruction, Intrinsic, Kind, Opcode};
use memory::Grow;

use super::{Register, SELF};
use crate::compiler::Compiler;

/// The name of the body of `class << object`.
pub(crate) const SINGLETON_CLASS: &str = "singleton class";

impl Compiler<'_> {
    /// Appends a word, unless it is unreachable; returns its index.
    pub fn emit_word(&mut self, instruction: Instruction) -> Option<u32> {
        let scope = self.scope();
        if scope.unreachable {
            scope.pending_events = 0;
            return None;
        }
        let word = scope.code.len() as u32;
        let position = Position { word, line: scope.line, column: scope.column, end_column: scope.end_column };
        if !scope.positions.last().is_some_and(|p| Position { word, ..*p } == position) {
            scope.positions.append_one(position);
        }
        if scope.pending_events != 0 {
            scope.events.append_one((word, Events(std::mem::take(&mut scope.pending_events))));
        }
        scope.code.append_one(instruction);
        Some(word)
    }

    pub fn emit(&mut self, opcode: Opcode, a: Register, b: u16, c: u16) {
        self.emit_word(Instruction::abc(opcode, a, b, c));
    }

    pub fn emit_wide(&mut self, opcode: Opcode, a: Register, bc: u32) {
        self.emit_word(Instruction::abx(opcode, a, bc as i32));
    }

    /// Emits an instruction whose third operand is an index, in the wide form if necessary.
    pub fn emit_indexed(&mut self, opcode: Opcode, a: Register, b: u16, index: u32) {
        match u16::try_from(index) {
            Ok(c) => self.emit(opcode, a, b, c),
            Err(_) => {
                self.emit(Opcode::Wide, a, b, opcode as u16);
                self.emit_wide(Opcode::Extension, 0, index);
            }
        }
    }

    /// `to = from`
    pub fn move_to(&mut self, to: Register, from: Register) {
        if to != from {
            self.emit(Opcode::Move, to, from, 0);
        }
    }

    pub fn load_nil(&mut self, to: Register) {
        self.emit(Opcode::LoadNil, to, 0, 0);
    }

    pub fn load_int(&mut self, to: Register, value: i32) {
        self.emit_word(Instruction::abx(Opcode::LoadInt, to, value));
    }

    pub fn load_bool(&mut self, to: Register, value: bool) {
        self.emit(if value { Opcode::LoadTrue } else { Opcode::LoadFalse }, to, 0, 0);
    }

    pub fn load_undef(&mut self, to: Register) {
        self.intrinsic(to, to, Intrinsic::Undef);
    }

    pub fn load_symbol(&mut self, to: Register, name: &[u8]) {
        let literal = self.symbol_literal(name);
        self.emit_wide(Opcode::LoadLiteral, to, literal);
    }

    pub fn load_self(&mut self, to: Register) {
        self.move_to(to, SELF);
    }

    /// `to = intrinsic(first, …)`
    pub fn intrinsic(&mut self, to: Register, first: Register, intrinsic: Intrinsic) {
        self.use_up_to(first as u32 + intrinsic.arguments() as u32);
        self.use_up_to(to as u32 + 1);
        self.emit(Opcode::Intrinsic, to, first, intrinsic as u16);
    }

    /// Emits an instruction with a fast path, and the call for its slow path.
    pub fn emit_fast(&mut self, opcode: Opcode, a: u16, b: u16, c: u16, name: &[u8], arguments: u16) {
        self.emit(opcode, a, b, c);
        self.emit_extension(name, arguments, 0);
    }

    /// Like [`Self::emit_fast`], for methods that the language calls even if they are private.
    pub fn emit_private(&mut self, opcode: Opcode, a: u16, b: u16, c: u16, name: &[u8], arguments: u16) {
        self.emit(opcode, a, b, c);
        self.emit_extension(name, arguments, CallFlags::SELF_CALL);
    }

    /// Emits the word after a fast operation: its call window begins above the temporaries. Returns the window.
    pub fn emit_extension(&mut self, name: &[u8], arguments: u16, flags: u16) -> Register {
        self.emit_borrowing_extension(name, arguments, flags, 0)
    }

    /// Like `emit_extension`, with operands that are interned strings of literals, as in `CallInfo::literal_arguments`.
    pub fn emit_borrowing_extension(&mut self, name: &[u8], arguments: u16, flags: u16, literals: u16) -> Register {
        let window = self.next_temporary();
        if !self.scope().unreachable {
            let site = self.site(name, arguments, flags, literals);
            self.use_up_to(window as u32 + 1 + arguments as u32);
            self.emit_wide(Opcode::Extension, window, site);
        }
        window
    }

    /// A call of `name` on the window, whose receiver and arguments are in place.
    pub fn emit_plain_call(&mut self, to: Register, window: Register, name: &[u8], arguments: u16, flags: u16) {
        let site = self.plain_site(name, arguments, flags);
        self.use_up_to(window as u32 + 1 + arguments as u32);
        self.emit_indexed(Opcode::Call, to, window, site);
    }

    fn plain_site(&mut self, name: &[u8], arguments: u16, flags: u16) -> u32 {
        self.site(name, arguments, flags, 0)
    }

    fn site(&mut self, name: &[u8], arguments: u16, flags: u16, literal_arguments: u16) -> u32 {
        let name = self.symbol_of(name);
        let flags = CallFlags(flags);
        self.call_site(CallInfo {
            name,
            arguments,
            flags,
            keywords: Vec::new(),
            block: None,
            depth: 0,
            literal_arguments,
            lent_parameters: 0,
        })
    }

    /// Emits a word that leaves the frame, with the leave event. If the unwinder fires it, the word carries it
    /// nevertheless, so that the code counts as traced.
    pub fn emit_leave(&mut self, opcode: Opcode, register: Register) {
        let scope = self.scope();
        let event = match scope.kind {
            Kind::Class | Kind::Method if opcode != Opcode::Return => 0,
            Kind::Method => Events::RETURN,
            Kind::Block | Kind::Lambda => Events::B_RETURN,
            // As in CRuby, the bodies of singleton classes have no events.
            Kind::Class if scope.heading.name == SINGLETON_CLASS => 0,
            Kind::Class => Events::END,
            Kind::Top | Kind::Eval | Kind::Once => 0,
        };
        self.event(event);
        self.emit(opcode, register, 0, 0);
        self.scope().unreachable = true;
    }
}
