//! The 8-byte header of a heap cell: 32 bits of flags below, a 32-bit shape above, loaded as one word.
//!
//! ```text
//! 63            32 31                       10 9  8  7  6  5 4   0
//! +---------------+--------------------------+--+--+--+--+--+-----+
//! | shape         | for the type             |ad|at|sh|ch|fr|type |
//! +---------------+--------------------------+--+--+--+--+--+-----+
//! string:  10-11 representation, 12-18 encoding, 19-20 code range, 21-28 embedded length
//! array:   10-11 representation, 12-19 embedded length
//! class:   29 a singleton class
//! others:  as their module says
//! ```
//! A shape implies the class and the layout of the instance variables.

/// What kind of cell this is. The numbers are the header's low five bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Type {
    /// A cell whose header is not initialized.
    None = 0,
    Object = 1,
    Class = 2,
    Module = 3,
    /// A module's entry in the ancestors of a class.
    IncludedClass = 4,
    Float = 5,
    String = 6,
    Regexp = 7,
    Array = 8,
    Hash = 9,
    Struct = 10,
    BigInteger = 11,
    /// A boxed native value with its own tracing and dropping.
    Native = 12,
    Match = 13,
    Complex = 14,
    Rational = 15,
    Symbol = 16,
    Range = 17,
    Proc = 18,
    /// A closure's environment.
    Environment = 19,
    MethodEntry = 20,
    InstructionSequence = 21,
    /// A cell with the instance variables that do not fit into their object, or with those of an object of a core
    /// class.
    Fields = 22,
    Exception = 23,
    /// `Method` and `UnboundMethod`.
    Method = 24,
    Binding = 25,
    /// An internal object of another kind, invisible to programs.
    Internal = 26,
}

impl Type {
    pub const COUNT: usize = 27;

    #[inline(always)]
    pub const fn from_bits(bits: u8) -> Type {
        assert!((bits as usize) < Type::COUNT);
        // SAFETY: the discriminants are 0 to COUNT - 1 without a gap, and the assertion holds.
        unsafe { std::mem::transmute::<u8, Type>(bits) }
    }
}

/// The number of a shape in the shape table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct ShapeId(pub u32);

/// The lower half of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Flags(pub u32);

impl Flags {
    pub const TYPE_MASK: u32 = 0x1f;
    pub const FROZEN: u32 = 1 << 5;
    /// A string literal that prints a warning before its first change.
    pub const CHILLED: u32 = 1 << 6;
    pub const SHAREABLE: u32 = 1 << 7;
    /// The heap keeps an attachment for the object: its id, instance variables or finalizers.
    pub const ATTACHED: u32 = 1 << 8;
    /// The address was used as the object's hash, so the object never moves.
    pub const ADDRESS_TAKEN: u32 = 1 << 9;
    /// A singleton class, for extensions; the class's own data says so too.
    pub const SINGLETON: u32 = 1 << 29;
    /// The first bit that belongs to the type.
    pub const TYPE_SHIFT: u32 = 10;
}

/// A whole header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Header(pub u64);

impl Header {
    #[inline(always)]
    pub const fn new(ty: Type, shape: ShapeId, flags: u32) -> Header {
        Header(((shape.0 as u64) << 32) | (flags | ty as u32) as u64)
    }

    #[inline(always)]
    pub const fn ty(self) -> Type {
        Type::from_bits((self.0 as u32 & Flags::TYPE_MASK) as u8)
    }

    #[inline(always)]
    pub const fn is(self, ty: Type) -> bool {
        self.0 as u32 & Flags::TYPE_MASK == ty as u32
    }

    #[inline(always)]
    pub const fn flags(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    pub const fn shape(self) -> ShapeId {
        ShapeId((self.0 >> 32) as u32)
    }

    #[inline(always)]
    pub const fn has(self, flag: u32) -> bool {
        self.0 as u32 & flag != 0
    }

    #[inline(always)]
    pub const fn with(self, flag: u32) -> Header {
        Header(self.0 | flag as u64)
    }

    #[inline(always)]
    pub const fn without(self, flag: u32) -> Header {
        Header(self.0 & !(flag as u64))
    }

    #[inline(always)]
    pub const fn with_shape(self, shape: ShapeId) -> Header {
        Header((self.0 & 0xffff_ffff) | ((shape.0 as u64) << 32))
    }

    /// A field of `bits` bits at `shift` of the flags.
    #[inline(always)]
    pub const fn field(self, shift: u32, bits: u32) -> u32 {
        (self.0 as u32 >> shift) & ((1 << bits) - 1)
    }

    #[inline(always)]
    pub const fn with_field(self, shift: u32, bits: u32, value: u32) -> Header {
        let mask = (((1u64 << bits) - 1) as u32) << shift;
        Header((self.0 & !(mask as u64)) | ((value << shift) & mask) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bits_are_where_they_are_drawn() {
        let h = Header::new(Type::String, ShapeId(9), Flags::FROZEN);
        assert_eq!(h.0, (9 << 32) | (1 << 5) | 6);
        assert_eq!((h.ty(), h.shape(), h.has(Flags::FROZEN)), (Type::String, ShapeId(9), true));
        let h = h.with_field(21, 8, 200).with_field(10, 2, 3);
        assert_eq!((h.field(21, 8), h.field(10, 2), h.field(12, 9)), (200, 3, 0));
    }
}
