//! The operations that the translator emits, on top of Cranelift: the seam behind which the backend can be exchanged.

use abi::{Effects, RuntimeCall};
use cranelift_codegen::ir::{
    self, AbiParam, BlockArg, InstBuilder, MemFlagsData, SigRef, Signature, Type,
    condcodes::{FloatCC, IntCC},
    types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;

use crate::runtime_calls;

pub use ir::{Block, Value as Ssa};

/// Emits operations at the end of the current block.
pub struct Emitter<'a> {
    pub builder: FunctionBuilder<'a>,
    convention: CallConv,
}

impl<'a> Emitter<'a> {
    pub fn new(builder: FunctionBuilder<'a>, convention: CallConv) -> Emitter<'a> {
        Emitter { builder, convention }
    }

    pub fn block(&mut self) -> Block {
        self.builder.create_block()
    }

    /// A block that is rarely run: it lies behind all others.
    pub fn cold_block(&mut self) -> Block {
        let block = self.block();
        self.builder.set_cold_block(block);
        block
    }

    /// A block that takes one value.
    pub fn join(&mut self) -> (Block, Ssa) {
        let block = self.block();
        let value = self.builder.append_block_param(block, types::I64);
        (block, value)
    }

    /// Makes a block take the two words of an outcome.
    pub fn outcome_parameters(&mut self, block: Block) -> [Ssa; 2] {
        [(); 2].map(|()| self.builder.append_block_param(block, WORD))
    }

    pub fn stack_pointer(&mut self) -> Ssa {
        self.builder.ins().get_stack_pointer(WORD)
    }

    pub fn at(&mut self, block: Block) {
        self.builder.switch_to_block(block);
    }

    pub fn constant(&mut self, bits: u64) -> Ssa {
        self.builder.ins().iconst(types::I64, bits as i64)
    }

    pub fn load(&mut self, base: Ssa, offset: usize) -> Ssa {
        self.builder.ins().load(types::I64, MemFlagsData::trusted(), base, offset as i32)
    }

    pub fn load32(&mut self, base: Ssa, offset: usize) -> Ssa {
        self.builder.ins().uload32(MemFlagsData::trusted(), base, offset as i32)
    }

    pub fn store(&mut self, value: Ssa, base: Ssa, offset: usize) {
        self.builder.ins().store(MemFlagsData::trusted(), value, base, offset as i32);
    }

    /// Copies a multiple of 16 bytes.
    pub fn copy(&mut self, from: Ssa, to: Ssa, bytes: usize) {
        let mut flags = MemFlagsData::new();
        flags.set_notrap();
        for offset in (0..bytes as i32).step_by(16) {
            let v = self.builder.ins().load(types::I8X16, flags, from, offset);
            self.builder.ins().store(flags, v, to, offset);
        }
    }

    /// The word number `index` from `base` on.
    pub fn load_indexed(&mut self, base: Ssa, index: Ssa) -> Ssa {
        let at = self.indexed(base, index);
        self.load(at, 0)
    }

    pub fn store_indexed(&mut self, value: Ssa, base: Ssa, index: Ssa) {
        let at = self.indexed(base, index);
        self.store(value, at, 0);
    }

    fn indexed(&mut self, base: Ssa, index: Ssa) -> Ssa {
        let three = self.constant(3);
        let offset = self.builder.ins().ishl(index, three);
        self.builder.ins().iadd(base, offset)
    }

    pub fn shift_right_unsigned(&mut self, a: Ssa, by: Ssa) -> Ssa {
        self.builder.ins().ushr(a, by)
    }

    /// Stores the low half of a word.
    pub fn store32(&mut self, value: Ssa, base: Ssa, offset: usize) {
        let half = self.builder.ins().ireduce(types::I32, value);
        self.builder.ins().store(MemFlagsData::trusted(), half, base, offset as i32);
    }

    pub fn add(&mut self, a: Ssa, b: Ssa) -> Ssa {
        self.builder.ins().iadd(a, b)
    }

    pub fn add_constant(&mut self, a: Ssa, b: i64) -> Ssa {
        let b = self.constant(b as u64);
        self.builder.ins().iadd(a, b)
    }

    pub fn and(&mut self, a: Ssa, b: Ssa) -> Ssa {
        self.builder.ins().band(a, b)
    }

    pub fn and_constant(&mut self, a: Ssa, b: u64) -> Ssa {
        let b = self.constant(b);
        self.builder.ins().band(a, b)
    }

    pub fn or_constant(&mut self, a: Ssa, b: u64) -> Ssa {
        let b = self.constant(b);
        self.builder.ins().bor(a, b)
    }

    pub fn xor_constant(&mut self, a: Ssa, b: u64) -> Ssa {
        let b = self.constant(b);
        self.builder.ins().bxor(a, b)
    }

    /// Arithmetic shift right.
    pub fn shift_right(&mut self, a: Ssa, by: u64) -> Ssa {
        let by = self.constant(by);
        self.builder.ins().sshr(a, by)
    }

    pub fn compare(&mut self, how: IntCC, a: Ssa, b: Ssa) -> Ssa {
        self.builder.ins().icmp(how, a, b)
    }

    pub fn compare_constant(&mut self, how: IntCC, a: Ssa, b: u64) -> Ssa {
        let b = self.constant(b);
        self.builder.ins().icmp(how, a, b)
    }

    pub fn compare_floats(&mut self, how: FloatCC, a: Ssa, b: Ssa) -> Ssa {
        self.builder.ins().fcmp(how, a, b)
    }

    pub fn select(&mut self, condition: Ssa, a: Ssa, b: Ssa) -> Ssa {
        self.builder.ins().select(condition, a, b)
    }

    pub fn jump(&mut self, to: Block, values: &[Ssa]) {
        let values: Vec<BlockArg> = values.iter().map(|v| BlockArg::Value(*v)).collect();
        self.builder.ins().jump(to, &values);
    }

    pub fn branch(&mut self, condition: Ssa, then: Block, otherwise: Block) {
        self.builder.ins().brif(condition, then, &[], otherwise, &[]);
    }

    /// Goes on in a new block if the condition holds, else to `otherwise`.
    pub fn require(&mut self, condition: Ssa, otherwise: Block) {
        let next = self.block();
        self.branch(condition, next, otherwise);
        self.at(next);
    }

    pub fn leave(&mut self, values: &[Ssa]) {
        self.builder.ins().return_(values);
    }

    /// Calls the runtime; gives the results, two for a call that may raise.
    pub fn call(&mut self, call: RuntimeCall, arguments: &[Ssa]) -> Vec<Ssa> {
        debug_assert_eq!(arguments.len(), call.parameters());
        let results = match call {
            RuntimeCall::CloseEnvironment | RuntimeCall::Exit | RuntimeCall::Raise | RuntimeCall::Barrier => 0,
            _ if call.effects().includes(Effects::RAISES) => 2,
            _ => 1,
        };
        let signature = self.signature(arguments.len(), results);
        let address = self.constant(runtime_calls::address(call) as u64);
        self.call_address(signature, address, arguments)
    }

    pub fn call_address(&mut self, signature: SigRef, address: Ssa, arguments: &[Ssa]) -> Vec<Ssa> {
        let call = self.builder.ins().call_indirect(signature, address, arguments);
        self.builder.inst_results(call).to_vec()
    }

    /// A signature of words alone.
    pub fn signature(&mut self, parameters: usize, results: usize) -> SigRef {
        let signature = words(self.convention, parameters, results);
        self.builder.import_signature(signature)
    }

    pub fn bits_of_float(&mut self, float: Ssa) -> Ssa {
        self.builder.ins().bitcast(types::I64, MemFlagsData::new(), float)
    }

    pub fn float_of_bits(&mut self, bits: Ssa) -> Ssa {
        self.builder.ins().bitcast(types::F64, MemFlagsData::new(), bits)
    }
}

/// A signature of words.
pub fn words(convention: CallConv, parameters: usize, results: usize) -> Signature {
    let word = |_| AbiParam::new(WORD);
    Signature {
        params: (0..parameters).map(word).collect(),
        returns: (0..results).map(word).collect(),
        call_conv: convention,
    }
}

const WORD: Type = types::I64;
