//! Calls with an instruction of their own: operators, indexing, and a few methods of the basic types.

use bytecode::{Intrinsic, Opcode};
use ruby_prism::{CallNode, Node};

use crate::builder::Register;
use crate::calls::{argument_list, call_flags, message_span};
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::literals::small_integer;

impl<'pr> Compiler<'pr> {
    /// Compiles the call with a fast instruction, if there is one for it.
    pub fn operator_call(&mut self, node: &CallNode<'pr>, to: Wanted) -> bool {
        let Some(receiver) = node.receiver() else { return false };
        if node.block().is_some() {
            return false;
        }
        let name = node.name().as_slice();
        let arguments = argument_list(&node.arguments());
        match arguments.as_slice() {
            [] => self.unary_call(node, name, &receiver, to),
            [argument] if is_plain(argument) => self.binary_call(node, name, &receiver, argument, to),
            _ => false,
        }
    }

    fn unary_call(&mut self, node: &CallNode<'pr>, name: &[u8], receiver: &Node<'pr>, to: Wanted) -> bool {
        if matches!(name, b"freeze" | b"-@")
            && let Some(string) = receiver.as_string_node()
        {
            let to = self.wanted_or_scratch(to);
            let literal = self.interned(&string);
            let index = self.literal(literal);
            self.at(message_span(node));
            self.emit_wide(
                if name == b"freeze" { Opcode::FreezeLiteral } else { Opcode::DeduplicateLiteral },
                to,
                index,
            );
            self.emit_extension(name, 0, 0);
            return true;
        }
        if let Some(extreme) = Extreme::of(name)
            && let Some(array) = receiver.as_array_node()
            && let Some(elements) = self.built_at_once(&array)
        {
            self.call_of_literal(node, extreme, &elements, to);
            return true;
        }
        let Some(opcode) = unary_opcode(name) else { return false };
        let value = self.operand(receiver);
        let to = self.wanted_or_scratch(to);
        self.at(message_span(node));
        self.emit(opcode, to, value, 0);
        self.emit_extension(name, 0, call_flags(node));
        true
    }

    /// `[a, b].max`: of numbers without the Array. Otherwise the intrinsic on the Array, or a call if that returns
    /// undef because the program has a method of its own.
    fn call_of_literal(&mut self, node: &CallNode<'pr>, extreme: Extreme, elements: &[Node<'pr>], to: Wanted) {
        let mark = self.mark();
        let result = self.temporary();
        let window = self.next_temporary();
        let known = self.label();
        self.each_into_row(elements);
        self.at(message_span(node));
        if (2..=MOST_NUMBERS).contains(&elements.len()) {
            self.extreme_of_numbers(result, window, elements.len() as Register, extreme.of_numbers);
            self.jump_on(Opcode::JumpGiven, result, known);
        }
        self.emit(Opcode::NewArray, window, window, elements.len() as u16);
        self.intrinsic(result, window, extreme.of_array);
        self.jump_on(Opcode::JumpGiven, result, known);
        self.emit_plain_call(result, window, node.name().as_slice(), 0, call_flags(node));
        self.bind(known);
        if let Some(to) = to {
            self.move_to(to, result);
        }
        self.release(mark);
    }

    /// `result` becomes the extreme of `count` registers from `first` on, or undef if they are not all numbers.
    fn extreme_of_numbers(&mut self, result: Register, first: Register, count: Register, of_two: Intrinsic) {
        if count == 2 {
            return self.intrinsic(result, first, of_two);
        }
        let pair = self.temporaries(2);
        self.intrinsic(pair, first, of_two);
        for n in 2..count {
            self.move_to(pair + 1, first + n);
            self.intrinsic(if n + 1 == count { result } else { pair }, pair, of_two);
        }
    }

    fn binary_call(
        &mut self,
        node: &CallNode<'pr>,
        name: &[u8],
        receiver: &Node<'pr>,
        argument: &Node<'pr>,
        to: Wanted,
    ) -> bool {
        let is_match = name == b"=~" && (is_regexp(receiver) || is_regexp(argument));
        if !is_match && name != b"[]" && binary_opcode(name).is_none() {
            return false;
        }
        let mut literals = 0;
        // `<<` changes its left operand, so a literal must be copied.
        let left = match name {
            b"<<" => self.operand_before(receiver, &[argument]),
            _ => self.borrowed_left(receiver, argument, &mut literals),
        };
        let flags = call_flags(node);
        let literal = argument.as_string_node().filter(|string| !string.is_mutable());
        if name == b"[]"
            && let Some(string) = &literal
            && let Some(index) = self.narrow_literal_string(string)
        {
            let to = self.wanted_or_scratch(to);
            self.at(message_span(node));
            self.emit(Opcode::IndexLiteral, to, left, index);
            self.emit_borrowing_extension(name, 1, flags, literals | 1);
            return true;
        }
        if name == b"<<"
            && let Some(string) = &literal
            && let Some(index) = self.narrow_literal_string(string)
        {
            let to = self.wanted_or_scratch(to);
            self.at(message_span(node));
            self.emit(Opcode::ShiftLeftLiteral, to, left, index);
            self.emit_borrowing_extension(name, 1, flags, 1);
            return true;
        }
        if let (Some(opcode), Some(value)) = (int_opcode(name), small_integer(argument)) {
            let to = self.wanted_or_scratch(to);
            self.at(message_span(node));
            self.emit(opcode, to, left, value as u16);
            self.emit_borrowing_extension(name, 1, flags, literals);
            return true;
        }
        let right = match name {
            b"<<" => self.operand(argument),
            _ => self.borrowed_right(argument, &mut literals),
        };
        let to = self.wanted_or_scratch(to);
        self.at(message_span(node));
        let opcode = if is_match { Opcode::Match } else { binary_opcode(name).unwrap_or(Opcode::Index) };
        self.emit(opcode, to, left, right);
        self.emit_borrowing_extension(name, 1, flags, literals);
        true
    }

    /// The receiver of an operator that keeps none of its operands. For a string literal it is the literal itself, and
    /// its bit is set in `literals`, see `CallInfo::literal_arguments`.
    pub fn borrowed_left(&mut self, receiver: &Node<'pr>, argument: &Node<'pr>, literals: &mut u16) -> Register {
        if receiver.as_string_node().is_none() {
            return self.operand_before(receiver, &[argument]);
        }
        let to = self.temporaries(1);
        *literals |= u16::from(self.borrowed_or_expression(receiver, to)) << 15;
        to
    }

    /// The argument of such an operator.
    pub fn borrowed_right(&mut self, argument: &Node<'pr>, literals: &mut u16) -> Register {
        if argument.as_string_node().is_none() {
            return self.operand(argument);
        }
        let to = self.temporaries(1);
        *literals |= u16::from(self.borrowed_or_expression(argument, to));
        to
    }

    /// `to = left name right`, for operator assignments.
    pub fn binary(&mut self, name: &[u8], to: Register, left: Register, right: &Node<'pr>, at: crate::node::Span) {
        if let (Some(opcode), Some(value)) = (int_opcode(name), small_integer(right)) {
            self.at(at);
            return self.emit_fast(opcode, to, left, value as u16, name, 1);
        }
        if let Some(opcode) = binary_opcode(name) {
            let right = self.operand(right);
            self.at(at);
            return self.emit_fast(opcode, to, left, right, name, 1);
        }
        let window = self.temporaries(1);
        self.move_to(window, left);
        self.expression(right, window + 1);
        self.at(at);
        self.emit_plain_call(to, window, name, 1, 0);
    }

    /// The literal of a plain string, if its index fits 16 bits.
    pub fn narrow_literal_string(&mut self, string: &ruby_prism::StringNode<'pr>) -> Option<u16> {
        // A redefined method would receive a new String instead of the frozen literal.
        if string.is_frozen() || self.scope().literals.len() > u16::MAX as usize {
            return None;
        }
        let literal = self.string_literal(string);
        u16::try_from(self.literal(literal)).ok()
    }
}

/// One ordinary positional argument.
pub(crate) fn is_plain(node: &Node<'_>) -> bool {
    !matches!(node, Node::SplatNode { .. } | Node::KeywordHashNode { .. } | Node::ForwardingArgumentsNode { .. })
}

fn is_regexp(node: &Node<'_>) -> bool {
    matches!(node, Node::RegularExpressionNode { .. } | Node::InterpolatedRegularExpressionNode { .. })
}

/// Are calls of the name compiled to instructions of their own?
pub(crate) fn is_operator(name: &[u8]) -> bool {
    unary_opcode(name).is_some() || binary_opcode(name).is_some() || matches!(name, b"[]" | b"=~" | b"freeze")
}

/// The most elements of a literal Array that are compared as numbers first.
const MOST_NUMBERS: usize = 4;

/// The forms of `min` and `max` for a literal Array: of two numbers, and of the Array, whose elements CRuby compares
/// the other way around.
struct Extreme {
    of_numbers: Intrinsic,
    of_array: Intrinsic,
}

impl Extreme {
    fn of(name: &[u8]) -> Option<Extreme> {
        match name {
            b"min" => Some(Extreme { of_numbers: Intrinsic::LesserNumber, of_array: Intrinsic::LiteralMin }),
            b"max" => Some(Extreme { of_numbers: Intrinsic::GreaterNumber, of_array: Intrinsic::LiteralMax }),
            _ => None,
        }
    }
}

fn unary_opcode(name: &[u8]) -> Option<Opcode> {
    Some(match name {
        b"!" => Opcode::Not,
        b"-@" => Opcode::Negate,
        b"nil?" => Opcode::IsNil,
        b"empty?" => Opcode::IsEmpty,
        b"length" => Opcode::Length,
        b"size" => Opcode::Size,
        b"succ" => Opcode::Successor,
        _ => return None,
    })
}

fn binary_opcode(name: &[u8]) -> Option<Opcode> {
    Some(match name {
        b"+" => Opcode::Add,
        b"-" => Opcode::Subtract,
        b"*" => Opcode::Multiply,
        b"/" => Opcode::Divide,
        b"%" => Opcode::Modulo,
        b"&" => Opcode::BitAnd,
        b"|" => Opcode::BitOr,
        b"^" => Opcode::BitXor,
        b"<<" => Opcode::ShiftLeft,
        b">>" => Opcode::ShiftRight,
        b"<" => Opcode::Less,
        b"<=" => Opcode::LessEqual,
        b">" => Opcode::Greater,
        b">=" => Opcode::GreaterEqual,
        b"==" => Opcode::Equal,
        b"!=" => Opcode::NotEqual,
        b"<=>" => Opcode::Compare,
        _ => return None,
    })
}

/// The form whose right operand is a small integer.
fn int_opcode(name: &[u8]) -> Option<Opcode> {
    Some(match name {
        b"+" => Opcode::AddInt,
        b"-" => Opcode::SubtractInt,
        b"*" => Opcode::MultiplyInt,
        b"%" => Opcode::ModuloInt,
        b"&" => Opcode::BitAndInt,
        b"<<" => Opcode::ShiftLeftInt,
        b">>" => Opcode::ShiftRightInt,
        b"<" => Opcode::LessInt,
        b"<=" => Opcode::LessEqualInt,
        b">" => Opcode::GreaterInt,
        b">=" => Opcode::GreaterEqualInt,
        b"==" => Opcode::EqualInt,
        _ => return None,
    })
}
