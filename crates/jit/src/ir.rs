//! The intermediate representation: a function as a list of operations in static single assignment form.
//!
//! The translator fills one block after the other. The number of an operation is its position in the list; live ranges
//! are computed along these positions. Control leaves a block at its end, or earlier at an operation that names another
//! block.

use std::fmt;

use abi::RuntimeCall;
use runtime::code::tier::Position;

/// A value: defined once, by an operation or as a parameter of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Ssa(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Block(pub u32);

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Origin {
    /// A word that an operation computes or that a jump passes to a block.
    Word,
    /// A double that an operation computes or that a jump passes to a block.
    Double,
    Constant(u64),
    /// The sum of a constant and a word that is pinned to a machine register in the whole function.
    Pinned(Pinned, i32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pinned {
    /// The address of the context.
    Context,
    /// The address of the registers of the unit's frame.
    Base,
    /// The address of that frame.
    Root,
    StackPointer,
}

/// How a call passes its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Convention {
    /// By C's calling convention: a function of the runtime.
    C(RuntimeCall),
    /// By the convention of compiled code, whose only arguments are the pinned words. The callee's registers begin
    /// `registers` bytes after the unit's, and the callee's frame begins `frame` bytes before the unit's.
    Compiled { registers: i32, frame: i32 },
    /// By the convention of compiled code, for a frame that the runtime has pushed, `frame` bytes before the unit's.
    Pushed { frame: i32 },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    Add,
    Subtract,
    And,
    Or,
    Xor,
    /// The low word of the product.
    Multiply,
    ShiftLeft,
    ShiftRight,
    ShiftRightUnsigned,
    RotateLeft,
    RotateRight,
}

/// Operators that leave the block if the result does not fit a signed word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checked {
    Add,
    Subtract,
    Multiply,
}

/// A result of a division.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Quotient,
    Remainder,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatBinary {
    Add,
    Subtract,
    Multiply,
    Divide,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Below,
    BelowEqual,
    Above,
    AboveEqual,
}

impl Binary {
    /// The result for constants; only for the operators that guards consist of.
    pub fn of_constants(self, a: u64, b: u64) -> Option<u64> {
        match self {
            Binary::Add => Some(a.wrapping_add(b)),
            Binary::Subtract => Some(a.wrapping_sub(b)),
            Binary::And => Some(a & b),
            Binary::Or => Some(a | b),
            Binary::Xor => Some(a ^ b),
            _ => None,
        }
    }
}

impl Condition {
    /// Does the condition hold for constants? The first four orders compare signed words.
    pub fn holds(self, a: u64, b: u64) -> bool {
        match self {
            Condition::Equal => a == b,
            Condition::NotEqual => a != b,
            Condition::Less => (a as i64) < b as i64,
            Condition::LessEqual => a as i64 <= b as i64,
            Condition::Greater => a as i64 > b as i64,
            Condition::GreaterEqual => a as i64 >= b as i64,
            Condition::Below => a < b,
            Condition::BelowEqual => a <= b,
            Condition::Above => a > b,
            Condition::AboveEqual => a >= b,
        }
    }

    pub fn opposite(self) -> Condition {
        match self {
            Condition::Equal => Condition::NotEqual,
            Condition::NotEqual => Condition::Equal,
            Condition::Less => Condition::GreaterEqual,
            Condition::LessEqual => Condition::Greater,
            Condition::Greater => Condition::LessEqual,
            Condition::GreaterEqual => Condition::Less,
            Condition::Below => Condition::AboveEqual,
            Condition::BelowEqual => Condition::Above,
            Condition::Above => Condition::BelowEqual,
            Condition::AboveEqual => Condition::Below,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatCondition {
    Equal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    Word,
    /// The low half of a word. A load sets the upper half to 0.
    Half,
}

/// How a container holds a reference that was stored in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// In a slot of its cell.
    InCell,
    /// As an element of an Array, in the cell or in a buffer.
    AsElement,
    /// In a slot of a buffer.
    InBuffer,
}

/// A range of [`Function::lists`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct List {
    pub start: u32,
    pub len: u32,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Op {
    Binary {
        how: Binary,
        to: Ssa,
        a: Ssa,
        b: Ssa,
    },
    Checked {
        how: Checked,
        to: Ssa,
        a: Ssa,
        b: Ssa,
        otherwise: Block,
    },
    /// The quotient rounded towards 0, or the remainder with the sign of the dividend; the divisor is positive.
    Division {
        part: Part,
        to: Ssa,
        a: Ssa,
        b: Ssa,
    },
    Compare {
        how: Condition,
        to: Ssa,
        a: Ssa,
        b: Ssa,
    },
    CompareFloats {
        how: FloatCondition,
        to: Ssa,
        a: Ssa,
        b: Ssa,
    },
    Select {
        to: Ssa,
        condition: Ssa,
        a: Ssa,
        b: Ssa,
    },
    Load {
        width: Width,
        to: Ssa,
        base: Ssa,
        offset: i32,
    },
    /// The word number `index` from `base` on.
    LoadIndexed {
        to: Ssa,
        base: Ssa,
        index: Ssa,
    },
    /// The byte at `index` bytes from `base`.
    LoadByte {
        to: Ssa,
        base: Ssa,
        index: Ssa,
    },
    Store {
        width: Width,
        value: Ssa,
        base: Ssa,
        offset: i32,
    },
    StoreIndexed {
        value: Ssa,
        base: Ssa,
        index: Ssa,
    },
    /// Stores the low byte of a word at `index` bytes from `base`.
    StoreByte {
        value: Ssa,
        base: Ssa,
        index: Ssa,
    },
    /// The write barrier for a reference: the stored value itself, or the address of the element or slot. It changes
    /// only the scratch registers.
    Barrier {
        holds: Holds,
        container: Ssa,
        stored: Ssa,
    },
    /// Adds to the word at an address.
    AddTo {
        address: Ssa,
        amount: Ssa,
    },
    /// Increments a counter of coverage, by its number in the emitter's list. `counts` replaces these operations.
    Count {
        counter: u32,
    },
    /// Copies the image of a frame to the frame. It changes only the scratch registers.
    CopyFrame {
        image: Ssa,
        frame: Ssa,
    },
    /// Writes the unit's frame, which is open, from its image. It changes only the scratch registers.
    WriteOwnFrame,
    /// Subtracts 1 from the half of a word at an address. Continues if it is not 0 then.
    CountDown {
        address: Ssa,
        otherwise: Block,
    },
    FloatBinary {
        how: FloatBinary,
        to: Ssa,
        a: Ssa,
        b: Ssa,
    },
    SquareRoot {
        to: Ssa,
        a: Ssa,
    },
    FloatOfInteger {
        to: Ssa,
        a: Ssa,
    },
    FloatOfBits {
        to: Ssa,
        a: Ssa,
    },
    BitsOfFloat {
        to: Ssa,
        a: Ssa,
    },
    /// Truncates; any word if the result does not fit one.
    IntegerOfFloat {
        to: Ssa,
        a: Ssa,
    },
    /// If `passes_on` is true and the second result is not 0, the function returns both results.
    Call {
        convention: Convention,
        target: Ssa,
        arguments: List,
        results: [Option<Ssa>; 2],
        passes_on: bool,
    },
    /// Continues if the condition is not 0.
    Require {
        condition: Ssa,
        otherwise: Block,
    },
    Branch {
        condition: Ssa,
        then: Block,
        otherwise: Block,
    },
    Jump {
        to: Block,
        arguments: List,
    },
    /// Goes to the block of the case that equals the value. The cases are pairs in [`Function::cases`].
    Switch {
        on: Ssa,
        cases: List,
        otherwise: Block,
    },
    Return {
        value: Ssa,
        how: Ssa,
    },
}

/// A block's operations, and the values that jumps to it pass.
#[derive(Clone, Default, Debug)]
pub struct Filled {
    pub start: u32,
    pub end: u32,
    pub parameters: Vec<Ssa>,
    /// Rarely run: its code is placed after that of all other blocks, and calls in it save registers instead of making
    /// them unavailable to values.
    pub is_cold: bool,
    /// The number of the exit that a jump to the block takes. Such a block has no operations.
    pub exit: Option<u32>,
}

/// What an exit does with values.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ExitState {
    /// Those that it stores in registers of the frame.
    pub stores: Vec<(u16, Ssa)>,
    /// The objects that it allocates, in this order, and the registers in which it stores them, by their numbers.
    pub made: Vec<Made>,
    pub objects: Vec<(u16, u8)>,
    /// Those that it adds to words, by the addresses of the words.
    pub adds: Vec<(u64, Ssa)>,
}

/// An object that an exit allocates.
#[derive(Clone, PartialEq, Debug)]
pub struct Made {
    pub header: u64,
    pub words: Vec<MadeWord>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum MadeWord {
    /// A word, or a double that the exit boxes.
    Value(Ssa),
    /// An object that the exit has allocated before, by its number.
    Object(u8),
}

impl ExitState {
    pub fn values(&self) -> impl Iterator<Item = Ssa> {
        let words = self.made.iter().flat_map(|made| &made.words).filter_map(|word| match word {
            MadeWord::Value(v) => Some(*v),
            MadeWord::Object(_) => None,
        });
        self.stores.iter().map(|(_, v)| *v).chain(words).chain(self.adds.iter().map(|(_, v)| *v))
    }
}

#[derive(Default)]
pub struct Function {
    pub ops: Vec<Op>,
    pub blocks: Vec<Filled>,
    /// The blocks that have operations, in the order of the operations.
    pub order: Vec<Block>,
    pub values: Vec<Origin>,
    pub lists: Vec<Ssa>,
    pub cases: Vec<(u64, Block)>,
    pub exits: Vec<ExitState>,
    /// The number of the first operation of each bytecode instruction, with its position.
    pub marks: Vec<(u32, Position)>,
}

impl Function {
    pub fn list(&self, list: List) -> &[Ssa] {
        &self.lists[list.start as usize..(list.start + list.len) as usize]
    }

    pub fn cases(&self, list: List) -> &[(u64, Block)] {
        &self.cases[list.start as usize..(list.start + list.len) as usize]
    }

    pub fn block(&self, block: Block) -> &Filled {
        &self.blocks[block.0 as usize]
    }

    pub fn value(&self, v: Ssa) -> Origin {
        self.values[v.0 as usize]
    }

    pub fn constant(&self, v: Ssa) -> Option<u64> {
        match self.value(v) {
            Origin::Constant(bits) => Some(bits),
            _ => None,
        }
    }

    /// The values that an operation reads, without those of the exits that it may take.
    pub fn operands(&self, op: &Op, mut f: impl FnMut(Ssa)) {
        match *op {
            Op::Binary { a, b, .. }
            | Op::Checked { a, b, .. }
            | Op::Division { a, b, .. }
            | Op::Compare { a, b, .. }
            | Op::CompareFloats { a, b, .. }
            | Op::FloatBinary { a, b, .. } => [a, b].into_iter().for_each(f),
            Op::Select { condition, a, b, .. } => [condition, a, b].into_iter().for_each(f),
            Op::Load { base, .. } => f(base),
            Op::AddTo { address, amount } => [address, amount].into_iter().for_each(f),
            Op::Count { .. } | Op::WriteOwnFrame => {}
            Op::LoadIndexed { base, index, .. } | Op::LoadByte { base, index, .. } => {
                [base, index].into_iter().for_each(f)
            }
            Op::Store { value, base, .. } => [value, base].into_iter().for_each(f),
            Op::Barrier { container, stored, .. } => [container, stored].into_iter().for_each(f),
            Op::StoreIndexed { value, base, index } | Op::StoreByte { value, base, index } => {
                [value, base, index].into_iter().for_each(f);
            }
            Op::CopyFrame { image, frame } => [image, frame].into_iter().for_each(f),
            Op::CountDown { address, .. } => f(address),
            Op::SquareRoot { a, .. }
            | Op::FloatOfInteger { a, .. }
            | Op::FloatOfBits { a, .. }
            | Op::BitsOfFloat { a, .. }
            | Op::IntegerOfFloat { a, .. } => f(a),
            Op::Call { target, arguments, .. } => {
                f(target);
                self.list(arguments).iter().copied().for_each(f);
            }
            Op::Require { condition, .. } | Op::Branch { condition, .. } => f(condition),
            Op::Jump { arguments, .. } => self.list(arguments).iter().copied().for_each(f),
            Op::Switch { on, .. } => f(on),
            Op::Return { value, how } => [value, how].into_iter().for_each(f),
        }
    }

    /// The blocks that an operation may go to.
    pub fn targets(&self, op: &Op, mut f: impl FnMut(Block)) {
        match *op {
            Op::Checked { otherwise, .. } | Op::Require { otherwise, .. } | Op::CountDown { otherwise, .. } => {
                f(otherwise)
            }
            Op::Branch { then, otherwise, .. } => [then, otherwise].into_iter().for_each(f),
            Op::Jump { to, .. } => f(to),
            Op::Switch { cases, otherwise, .. } => {
                self.cases(cases).iter().for_each(|(_, block)| f(*block));
                f(otherwise);
            }
            _ => {}
        }
    }

    /// The values that are read by the exits that an operation may take.
    pub fn exit_values(&self, op: &Op, mut f: impl FnMut(Ssa)) {
        self.targets(op, |block| {
            if let Some(exit) = self.block(block).exit {
                self.exits[exit as usize].values().for_each(&mut f);
            }
        });
    }
}

impl Op {
    /// Has it go to another block: instead of the target with this number in the order of [`Function::targets`].
    /// `all_cases` are [`Function::cases`].
    pub fn set_target(&mut self, all_cases: &mut [(u64, Block)], number: usize, block: Block) {
        match self {
            Op::Jump { to, .. } => *to = block,
            Op::Branch { then, .. } if number == 0 => *then = block,
            Op::Checked { otherwise, .. }
            | Op::Require { otherwise, .. }
            | Op::CountDown { otherwise, .. }
            | Op::Branch { otherwise, .. } => *otherwise = block,
            Op::Switch { cases, .. } if (number as u32) < cases.len => {
                all_cases[cases.start as usize + number].1 = block;
            }
            Op::Switch { otherwise, .. } => *otherwise = block,
            _ => unreachable!("the operation goes to no block"),
        }
    }

    /// The values that it defines.
    pub fn results(&self) -> [Option<Ssa>; 2] {
        match *self {
            Op::Binary { to, .. }
            | Op::Checked { to, .. }
            | Op::Division { to, .. }
            | Op::Compare { to, .. }
            | Op::CompareFloats { to, .. }
            | Op::Select { to, .. }
            | Op::Load { to, .. }
            | Op::LoadIndexed { to, .. }
            | Op::LoadByte { to, .. }
            | Op::FloatBinary { to, .. }
            | Op::SquareRoot { to, .. }
            | Op::FloatOfInteger { to, .. }
            | Op::FloatOfBits { to, .. }
            | Op::BitsOfFloat { to, .. }
            | Op::IntegerOfFloat { to, .. } => [Some(to), None],
            Op::Call { results, .. } => results,
            _ => [None, None],
        }
    }

    /// Has the operation an effect besides defining its result?
    pub fn has_effect(&self) -> bool {
        matches!(
            self,
            Op::Checked { .. } | Op::Store { .. } | Op::StoreIndexed { .. } | Op::StoreByte { .. } | Op::Call { .. }
        ) || self.results()[0].is_none()
    }

    /// Does control never continue after the operation?
    pub fn is_terminator(&self) -> bool {
        matches!(self, Op::Branch { .. } | Op::Jump { .. } | Op::Switch { .. } | Op::Return { .. })
    }
}

impl fmt::Display for Function {
    /// For `--dump-jit=ir`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |v: Ssa| match self.value(v) {
            Origin::Constant(bits) => format!("{bits:#x}"),
            Origin::Pinned(pinned, 0) => format!("{pinned:?}").to_lowercase(),
            Origin::Pinned(pinned, offset) => format!("{pinned:?}{offset:+}").to_lowercase(),
            _ => format!("v{}", v.0),
        };
        let names = |list: &[Ssa]| list.iter().map(|v| name(*v)).collect::<Vec<_>>().join(", ");
        for block in &self.order {
            let filled = self.block(*block);
            let cold = if filled.is_cold { " cold" } else { "" };
            writeln!(f, "b{}({}):{cold}", block.0, names(&filled.parameters))?;
            for op in &self.ops[filled.start as usize..filled.end as usize] {
                let mut operands = Vec::new();
                self.operands(op, |v| operands.push(v));
                let results: Vec<Ssa> = op.results().into_iter().flatten().collect();
                let text = format!("{op:?}");
                let (kind, _) = text.split_once([' ', '{']).unwrap_or((&text, ""));
                let detail = match op {
                    Op::Binary { how, .. } => format!(" {how:?}"),
                    Op::Checked { how, .. } => format!(" {how:?}"),
                    Op::Compare { how, .. } => format!(" {how:?}"),
                    Op::CompareFloats { how, .. } => format!(" {how:?}"),
                    Op::FloatBinary { how, .. } => format!(" {how:?}"),
                    Op::Barrier { holds, .. } => format!(" {holds:?}"),
                    Op::Load { offset, .. } | Op::Store { offset, .. } => format!(" +{offset}"),
                    Op::Call { convention: Convention::C(call), .. } => format!(" {}", call.name()),
                    Op::Call { .. } => " compiled".to_owned(),
                    _ => String::new(),
                };
                write!(f, "    ")?;
                if !results.is_empty() {
                    write!(f, "{} = ", names(&results))?;
                }
                // A function of the runtime is printed by its name instead of its address.
                let unnamed = matches!(op, Op::Call { convention: Convention::C(_), .. });
                write!(f, "{kind}{detail} {}", names(&operands[usize::from(unnamed)..]))?;
                let mut to = Vec::new();
                self.targets(op, |target| {
                    let exit = self.block(target).exit;
                    to.push(exit.map_or(format!("b{}", target.0), |exit| format!("exit{exit}")));
                });
                if !to.is_empty() {
                    write!(f, " -> {}", to.join(", "))?;
                }
                writeln!(f)?;
            }
        }
        let has_effects = |exit: &&ExitState| exit.values().next().is_some() || !exit.made.is_empty();
        for (number, exit) in self.exits.iter().enumerate().filter(|(_, exit)| has_effects(exit)) {
            let stores = exit.stores.iter().map(|(slot, v)| format!("R{slot} = {}", name(*v)));
            let word = |word: &MadeWord| match word {
                MadeWord::Value(v) => name(*v),
                MadeWord::Object(number) => format!("object{number}"),
            };
            let made = exit.made.iter().enumerate().map(|(number, Made { header, words })| {
                format!("object{number} = {header:#x}({})", words.iter().map(word).collect::<Vec<_>>().join(", "))
            });
            let objects = exit.objects.iter().map(|(slot, number)| format!("R{slot} = object{number}"));
            let adds = exit.adds.iter().map(|(address, v)| format!("{address:#x} += {}", name(*v)));
            writeln!(
                f,
                "exit{number}: {}",
                stores.chain(made).chain(objects).chain(adds).collect::<Vec<_>>().join(", ")
            )?;
        }
        Ok(())
    }
}
