//! Literals that are one immutable object: numbers, symbols, frozen strings, regexps, ranges of numbers.

use bytecode::{Literal, Symbol};
use memory::ToVector;
use ruby_prism::{Integer, Node, RangeNode, RegularExpressionNode, SymbolNode};
use text::EncodingId;

use crate::compiler::Compiler;

/// The last of the options that have nothing to do with encodings: Regexp::IGNORECASE | EXTENDED | MULTILINE
pub(crate) const MULTILINE: u8 = 7;

pub(crate) const BINARY: u8 = EncodingId::BINARY.index();

impl<'pr> Compiler<'pr> {
    /// The literal of the node, if its value is always the same immutable object.
    pub fn literal_of(&self, node: &Node<'pr>) -> Option<Literal> {
        Some(match node {
            Node::NilNode { .. } => Literal::Nil,
            Node::TrueNode { .. } => Literal::True,
            Node::FalseNode { .. } => Literal::False,
            Node::IntegerNode { .. } => integer(&node.as_integer_node()?.value()),
            Node::FloatNode { .. } => Literal::Float(node.as_float_node()?.value()),
            Node::RationalNode { .. } => {
                let n = node.as_rational_node()?;
                Literal::Rational(Box::new(integer(&n.numerator())), Box::new(integer(&n.denominator())))
            }
            Node::ImaginaryNode { .. } => {
                Literal::Imaginary(Box::new(self.literal_of(&node.as_imaginary_node()?.numeric())?))
            }
            Node::SymbolNode { .. } => Literal::Symbol(self.symbol(&node.as_symbol_node()?)),
            Node::RegularExpressionNode { .. } => self.regexp(&node.as_regular_expression_node()?),
            Node::SourceLineNode { .. } => {
                Literal::Integer(self.unit.line_and_column(node.location().start()).0 as i64)
            }
            Node::StringNode { .. } if node.as_string_node()?.is_frozen() => {
                self.string_literal(&node.as_string_node()?)
            }
            Node::RangeNode { .. } => self.literal_range(&node.as_range_node()?)?,
            Node::ParenthesesNode { .. } => {
                let inner = crate::expression::sole_statement(&node.as_parentheses_node()?.body()?)?;
                if matches!(inner, Node::IntegerNode { .. }) { self.literal_of(&inner)? } else { return None }
            }
            _ => return None,
        })
    }

    /// A Range that is the same object at each run: of Integers, of two plain Strings, or without a bound.
    fn literal_range(&self, node: &RangeNode<'pr>) -> Option<Literal> {
        let exclusive = node.is_exclude_end();
        let string = |end: Option<Node<'pr>>| Some(Box::new(self.string_literal(&end?.as_string_node()?)));
        if let (Some(low), Some(high)) = (string(node.left()), string(node.right())) {
            return Some(Literal::Range { low, high, exclusive });
        }
        let bound = |end: Option<Node<'pr>>| match end {
            None => Some(Literal::Nil),
            Some(n @ (Node::IntegerNode { .. } | Node::NilNode { .. })) => self.literal_of(&n),
            Some(_) => None,
        };
        let (low, high) = (Box::new(bound(node.left())?), Box::new(bound(node.right())?));
        Some(Literal::Range { low, high, exclusive })
    }

    pub fn symbol(&self, node: &SymbolNode<'pr>) -> Symbol {
        let bytes = node.unescaped().to_vector();
        let encoding =
            if node.is_forced_us_ascii_encoding() || (bytes.is_ascii() && self.encoding_is_ascii_compatible()) {
                Symbol::US_ASCII
            } else if node.is_forced_utf8_encoding() {
                Symbol::UTF_8
            } else if node.is_forced_binary_encoding() {
                BINARY
            } else {
                self.unit.encoding
            };
        Symbol { bytes, encoding }
    }

    fn encoding_is_ascii_compatible(&self) -> bool {
        EncodingId::from_index(self.unit.encoding).is_none_or(|e| e.is_ascii_compatible())
    }

    fn regexp(&self, node: &RegularExpressionNode<'pr>) -> Literal {
        let (options, encoding) = self.regexp_options(&node.as_node());
        let source = node.unescaped().to_vector();
        // The parser considers only the characters that a pattern matches, not the names of its groups. It takes
        // properties for those of UTF-8, but they belong to the source's encoding.
        let has = |letters: &[u8]| source.windows(2).any(|two| two[0] == b'\\' && letters.contains(&two[1]));
        let is_of_source = match encoding {
            Symbol::US_ASCII => !source.is_ascii(),
            Symbol::UTF_8 => options <= MULTILINE && source.is_ascii() && has(b"pP") && !has(b"u"),
            _ => false,
        };
        let encoding = if is_of_source { self.unit.encoding } else { encoding };
        Literal::Regexp { source, encoding, options }
    }

    /// Ruby's option bits and the encoding of a regexp node of any kind.
    pub fn regexp_options(&self, node: &Node<'pr>) -> (u8, u8) {
        macro_rules! flags {
            ($n:expr) => {{
                let Some(n) = $n else { return (0, self.unit.encoding) };
                let options = n.is_ignore_case() as u8
                    | (n.is_extended() as u8) << 1
                    | (n.is_multi_line() as u8) << 2
                    | ((n.is_euc_jp() || n.is_windows_31j() || n.is_utf_8()) as u8) << 4
                    | (n.is_ascii_8bit() as u8) << 5;
                let encoding = if n.is_forced_binary_encoding() {
                    BINARY
                } else if n.is_forced_utf8_encoding() || n.is_utf_8() {
                    Symbol::UTF_8
                } else if n.is_forced_us_ascii_encoding() {
                    Symbol::US_ASCII
                } else if n.is_euc_jp() {
                    EncodingId::EUC_JP.index()
                } else if n.is_windows_31j() {
                    EncodingId::WINDOWS_31J.index()
                } else if n.is_ascii_8bit() {
                    BINARY
                } else {
                    self.unit.encoding
                };
                (options, encoding)
            }};
        }
        match node {
            Node::RegularExpressionNode { .. } => flags!(node.as_regular_expression_node()),
            Node::MatchLastLineNode { .. } => flags!(node.as_match_last_line_node()),
            Node::InterpolatedRegularExpressionNode { .. } => flags!(node.as_interpolated_regular_expression_node()),
            _ => flags!(node.as_interpolated_match_last_line_node()),
        }
    }
}

pub(crate) fn integer(value: &Integer<'_>) -> Literal {
    let (negative, digits) = value.to_u32_digits();
    let digits = &digits[..digits.iter().rposition(|d| *d != 0).map_or(0, |i| i + 1)];
    let magnitude = digits.iter().rev().try_fold(0u64, |n, d| (n >> 32 == 0).then_some(n << 32 | *d as u64));
    match magnitude {
        Some(n) if n <= i64::MAX as u64 => Literal::Integer(if negative { -(n as i64) } else { n as i64 }),
        _ => {
            let mut hex = String::new();
            for (index, digit) in digits.iter().rev().enumerate() {
                hex += &if index == 0 { format!("{digit:x}") } else { format!("{digit:08x}") };
            }
            Literal::BigInteger { negative, hex }
        }
    }
}

/// The value of a small integer literal that fits 16 bits.
pub(crate) fn small_integer(node: &Node<'_>) -> Option<i16> {
    match integer(&node.as_integer_node()?.value()) {
        Literal::Integer(n) => i16::try_from(n).ok(),
        _ => None,
    }
}
