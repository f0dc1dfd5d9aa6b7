//! Records why a pattern did not match, for the message of the error.
//!
//! The reason is a number and up to three values in four registers; each failing test jumps to a stub that fills them.

use bytecode::{Intrinsic, Opcode};

use super::Match;
use crate::builder::{Label, Register};
use crate::compiler::Compiler;
use memory::{Grow, ToVector};

pub(crate) struct Failure {
    /// The first of five registers: the subject, the reason, its values.
    first: Register,
    stubs: Vec<Stub>,
}

struct Stub {
    label: Label,
    no: Label,
    reason: i32,
    values: Vec<Register>,
}

impl Failure {
    pub const CASE_EQUAL: i32 = 0;
    pub const LENGTH: i32 = 1;
    pub const LENGTH_AT_LEAST: i32 = 2;
    pub const NO_DECONSTRUCT: i32 = 3;
    pub const NO_DECONSTRUCT_KEYS: i32 = 4;
    pub const FIND: i32 = 5;
    pub const KEY: i32 = 6;
    pub const REST: i32 = 7;
    pub const NOT_EMPTY: i32 = 8;
    pub const GUARD: i32 = 9;
}

impl Compiler<'_> {
    pub fn failure_registers(&mut self) -> Failure {
        Failure { first: self.temporaries(5), stubs: Vec::new() }
    }

    /// The target of a test that fails for this reason: `no`, or a stub if the reason will be reported.
    pub fn failing(&mut self, state: &mut Match, no: Label, reason: i32, values: &[Register]) -> Label {
        let Some(failure) = &mut state.failure else { return no };
        let label = self.label();
        failure.stubs.append_one(Stub { label, no, reason, values: values.to_vector() });
        label
    }

    /// Emits the stubs of all tests so far; control does not fall into them.
    pub fn write_failures(&mut self, state: &mut Match) {
        let Some(failure) = &mut state.failure else { return };
        let skip = self.label();
        self.jump(skip);
        for stub in std::mem::take(&mut failure.stubs) {
            self.bind(stub.label);
            self.load_int(failure.first + 1, stub.reason);
            for (index, value) in stub.values.iter().enumerate() {
                self.move_to(failure.first + 2 + index as Register, *value);
            }
            self.jump(stub.no);
        }
        self.bind(skip);
    }

    pub fn raise_no_match(&mut self, subject: Register, state: &Match) {
        match &state.failure {
            Some(failure) => {
                self.move_to(failure.first, subject);
                self.intrinsic(failure.first, failure.first, Intrinsic::RaisePatternFailure);
            }
            None => {
                let scratch = self.next_temporary();
                self.intrinsic(scratch, subject, Intrinsic::RaiseNoMatchingPattern);
            }
        }
        let scratch = self.next_temporary();
        self.emit(Opcode::LoadNil, scratch, 0, 0);
        self.emit_leave(Opcode::Return, scratch);
    }
}
