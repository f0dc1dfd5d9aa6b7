//! Which basic operations a program redefined, as bits.

/// Operations with a fast path in the interpreter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum BasicOp {
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    Compare,
    Not,
    Negate,
    NilP,
    EmptyP,
    Length,
    Size,
    Succ,
    Aref,
    Aset,
    CaseEqual,
    Match,
    Freeze,
    Dedup,
    ToS,
    ToProc,
    Hash,
    Eql,
    Call,
    /// The value for missing keys of a Hash.
    Default,
    /// The smallest element of an Array literal.
    Min,
    /// The largest one.
    Max,
}

/// For each class that has fast paths, one bit per operation. Unary minus of a String (`-"x"`) shares Negate.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Redefined {
    pub integer: u64,
    pub float: u64,
    pub string: u64,
    pub array: u64,
    pub hash: u64,
    pub symbol: u64,
    /// nil, true, false and Symbols: `==`, `!=`, `===`, `to_s`.
    pub immediate: u64,
    /// Only `call`.
    pub proc: u64,
    /// Any class at all: `!`, `nil?`, `=~`.
    pub object: u64,
    /// Set when the core classes are complete; later definitions are redefinitions.
    pub armed: bool,
}

/// The methods of basic operations as the core has them, by class in the order of `basic_ops` and by operation:
/// pointers to rows of method tables, null where the class has no native method. Resolved before the first
/// change of any.
#[derive(Default)]
pub struct OwnOperations(Vec<[*const (); BasicOp::COUNT]>);

impl OwnOperations {
    pub fn is_resolved(&self) -> bool {
        !self.0.is_empty()
    }

    pub fn add_class(&mut self, rows: [*const (); BasicOp::COUNT]) {
        self.0.push(rows);
    }

    /// The row of an operation, if it is known.
    pub fn get(&self, class: usize, op: BasicOp) -> Option<*const ()> {
        self.0.get(class).map(|rows| rows[op as usize]).filter(|row| !row.is_null())
    }
}

/// The redefined operations of a VM.
#[derive(Clone, Copy)]
pub struct Redefinitions<'a> {
    /// Those that the program redefined.
    pub by_program: &'a Redefined,
    /// Those that instructions must call: while calls are traced, all of them.
    pub in_force: &'a Redefined,
    /// Whether every allocation is observed, so that each object must be made.
    pub observes_allocations: bool,
}

impl Redefined {
    /// Whether both sets have an operation in common.
    pub fn overlaps(&self, other: &Redefined) -> bool {
        (self.integer & other.integer)
            | (self.float & other.float)
            | (self.string & other.string)
            | (self.array & other.array)
            | (self.hash & other.hash)
            | (self.symbol & other.symbol)
            | (self.immediate & other.immediate)
            | (self.proc & other.proc)
            | (self.object & other.object)
            != 0
    }
}

impl BasicOp {
    pub const COUNT: usize = BasicOp::Max as usize + 1;

    #[inline(always)]
    pub const fn bit(self) -> u64 {
        1 << self as u8
    }
}
