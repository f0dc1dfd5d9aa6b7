//! Strings, symbols, commands and regular expressions, with and without interpolation.

use bytecode::{CallFlags, Intrinsic, Kind, Literal, Opcode, Symbol};
use memory::{Grow, ToVector};
use ruby_prism::{
    EmbeddedStatementsNode, InterpolatedRegularExpressionNode, InterpolatedStringNode, InterpolatedSymbolNode,
    InterpolatedXStringNode, Node, NodeList, SourceFileNode, StringNode, XStringNode,
};
use text::EncodingId;

use crate::builder::Register;
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::literals::{BINARY, MULTILINE};
use crate::node::span;

/// Longer interpolations are joined in pieces.
const PIECE: usize = 250;

/// Regexp::FIXEDENCODING
const FIXED_ENCODING: u8 = 16;

/// Regexp::NOENCODING
const NO_ENCODING: u8 = 32;

impl<'pr> Compiler<'pr> {
    pub fn string(&mut self, node: &StringNode<'pr>, to: Wanted) {
        let Some(to) = to else { return };
        let literal = self.string_literal(node);
        self.new_string(literal, to);
    }

    fn new_string(&mut self, literal: Literal, to: Register) {
        let frozen = matches!(literal, Literal::String { frozen: true, .. });
        if self.unit.options.record_string_origins
            && (frozen || matches!(literal, Literal::String { chilled: true, .. }))
        {
            return self.new_string_with_origin(literal, frozen, to);
        }
        let index = self.literal(literal);
        self.emit_wide(if frozen { Opcode::LoadLiteral } else { Opcode::NewString }, to, index);
    }

    fn new_string_with_origin(&mut self, literal: Literal, frozen: bool, to: Register) {
        let literal = match literal {
            Literal::String { bytes, encoding, chilled, .. } => {
                Literal::String { bytes, encoding, frozen: false, chilled }
            }
            other => other,
        };
        let index = self.literal(literal);
        let mark = self.mark();
        let string = self.temporary();
        self.emit_wide(Opcode::NewString, string, index);
        let is_frozen = self.temporary();
        self.emit(if frozen { Opcode::LoadTrue } else { Opcode::LoadFalse }, is_frozen, 0, 0);
        self.intrinsic(to, string, Intrinsic::StringOrigin);
        self.release(mark);
    }

    pub fn string_literal(&self, node: &StringNode<'pr>) -> Literal {
        let frozen = node.is_frozen();
        let encoding = self.string_encoding(node.is_forced_utf8_encoding(), node.is_forced_binary_encoding());
        Literal::String {
            bytes: node.unescaped().to_vector(),
            encoding,
            frozen,
            chilled: !frozen && !node.is_mutable(),
        }
    }

    fn string_encoding(&self, utf_8: bool, binary: bool) -> u8 {
        match (utf_8, binary) {
            (true, _) => Symbol::UTF_8,
            (_, true) => EncodingId::BINARY.index(),
            _ => self.unit.encoding,
        }
    }

    /// The string's bytes as an interned object: for a part of an interpolation, a hash key, or a borrowed argument.
    pub fn interned(&self, node: &StringNode<'pr>) -> Literal {
        match self.string_literal(node) {
            Literal::String { bytes, encoding, .. } => {
                Literal::String { bytes, encoding, frozen: true, chilled: false }
            }
            other => other,
        }
    }

    pub fn interpolated_string(&mut self, node: &InterpolatedStringNode<'pr>, to: Wanted) {
        if let Some(literal) = self.joined_literal(node) {
            if let Some(to) = to {
                self.new_string(literal, to);
            }
            return;
        }
        match to {
            Some(to) => self.concatenation(&node.parts(), to),
            None => self.converted_parts(&node.parts()),
        }
    }

    /// Converts the parts of a string that nobody uses: `to_s` may have effects.
    fn converted_parts(&mut self, parts: &NodeList<'pr>) {
        for part in parts.iter() {
            match &part {
                _ if self.literal_part(&part).is_some() => {}
                Node::InterpolatedStringNode { .. } => {
                    if let Some(n) = part.as_interpolated_string_node() {
                        self.deeper(|c| c.converted_parts(&n.parts()));
                    }
                }
                _ => {
                    let mark = self.mark();
                    let slot = self.temporary();
                    let value = self.operand(&part);
                    self.at(span(&part));
                    self.part_to_string(slot, value);
                    self.release(mark);
                }
            }
        }
    }

    /// Adjacent or dedented literals without interpolation are one literal. A string with an interpolation is neither
    /// frozen nor chilled, even if it is one of a literal.
    fn joined_literal(&self, node: &InterpolatedStringNode<'pr>) -> Option<Literal> {
        if node.parts().iter().any(|part| has_interpolation(&part)) {
            return None;
        }
        let (bytes, encoding) = self.joined_parts(&node.parts())?;
        let frozen = node.is_frozen();
        Some(Literal::String { bytes, encoding, frozen, chilled: !frozen && !node.is_mutable() })
    }

    /// The bytes and the encoding of parts all of which are literals.
    fn joined_parts(&self, parts: &NodeList<'pr>) -> Option<(Vec<u8>, u8)> {
        let mut joined = (Vec::new(), self.unit.encoding);
        for part in parts.iter() {
            let (bytes, encoding) = self.literal_part(&part)?;
            if !bytes.is_ascii() || joined.0.is_empty() {
                joined.1 = encoding;
            }
            joined.0.append_slice(&bytes);
        }
        Some(joined)
    }

    /// The bytes and the encoding of a part that is a literal, or the interpolation of one.
    fn literal_part(&self, part: &Node<'pr>) -> Option<(Vec<u8>, u8)> {
        match part {
            Node::StringNode { .. } => match self.string_literal(&part.as_string_node()?) {
                Literal::String { bytes, encoding, .. } => Some((bytes, encoding)),
                _ => None,
            },
            Node::InterpolatedStringNode { .. } => self.joined_parts(&part.as_interpolated_string_node()?.parts()),
            Node::EmbeddedStatementsNode { .. } => {
                let body = part.as_embedded_statements_node()?.statements()?.body();
                let only = body.first().filter(|_| body.len() == 1)?;
                // The encodings of others may be incompatible, which is an error where the string is made.
                self.literal_part(&only).filter(|(bytes, encoding)| bytes.is_ascii() || *encoding == self.unit.encoding)
            }
            _ => None,
        }
    }

    /// `to =` a new string of all parts.
    pub fn concatenation(&mut self, parts: &NodeList<'pr>, to: Register) {
        let mark = self.mark();
        let first = self.next_temporary();
        let mut count = 0;
        if let Some((bytes, encoding)) = self.joined_parts(parts) {
            let slot = self.temporary();
            self.load_literal(slot, Literal::String { bytes, encoding, frozen: true, chilled: false });
            self.emit(Opcode::ConcatStrings, to, first, 1);
            self.release(mark);
            return;
        }
        // A single value is converted to the source's encoding if possible.
        if parts.len() == 1
            && !matches!(parts.first(), Some(Node::StringNode { .. } | Node::InterpolatedStringNode { .. }))
        {
            let slot = self.temporary();
            let encoding = self.unit.encoding;
            self.load_literal(slot, Literal::String { bytes: Vec::new(), encoding, frozen: true, chilled: false });
            count = 1;
        }
        self.parts(parts, first, &mut count);
        self.use_up_to(first as u32 + 1);
        self.emit(Opcode::ConcatStrings, to, first, count);
        self.release(mark);
    }

    fn parts(&mut self, parts: &NodeList<'pr>, first: Register, count: &mut u16) {
        for part in parts.iter() {
            if *count as usize >= PIECE {
                self.emit(Opcode::ConcatStrings, first, first, *count);
                self.release(first as u32 + 1);
                *count = 1;
            }
            if let Some((bytes, encoding)) = self.literal_part(&part) {
                let slot = self.temporary();
                self.load_literal(slot, Literal::String { bytes, encoding, frozen: true, chilled: false });
                *count += 1;
                continue;
            }
            match &part {
                Node::InterpolatedStringNode { .. } => {
                    if let Some(n) = part.as_interpolated_string_node() {
                        self.deeper(|c| c.parts(&n.parts(), first, count));
                    }
                }
                _ => {
                    let slot = self.temporary();
                    let value = self.operand(&part);
                    self.at(span(&part));
                    self.part_to_string(slot, value);
                    self.release(slot as u32 + 1);
                    *count += 1;
                }
            }
        }
    }

    /// `to = value.to_s`; the result is always a String.
    fn part_to_string(&mut self, to: Register, value: Register) {
        self.emit_private(Opcode::ToString, to, value, 0, b"to_s", 0);
        self.emit(Opcode::AnyToString, to, value, 0);
    }

    pub fn interpolated_symbol(&mut self, node: &InterpolatedSymbolNode<'pr>, to: Wanted) {
        let to = self.wanted_or_scratch(to);
        let string = self.next_temporary();
        self.concatenation(&node.parts(), string);
        self.emit(Opcode::Intern, to, string, 0);
    }

    pub fn command(&mut self, node: &XStringNode<'pr>, to: Wanted) {
        let encoding = self.string_encoding(node.is_forced_utf8_encoding(), node.is_forced_binary_encoding());
        let literal = Literal::String { bytes: node.unescaped().to_vector(), encoding, frozen: true, chilled: false };
        self.backquote(span(&node.as_node()), to, |c, argument| {
            c.use_up_to(argument as u32 + 1);
            c.load_literal(argument, literal);
        });
    }

    pub fn interpolated_command(&mut self, node: &InterpolatedXStringNode<'pr>, to: Wanted) {
        self.backquote(span(&node.as_node()), to, |c, argument| c.concatenation(&node.parts(), argument));
    }

    fn backquote(&mut self, span: crate::node::Span, to: Wanted, argument: impl FnOnce(&mut Self, Register)) {
        let window = self.temporary();
        self.load_self(window);
        argument(self, window + 1);
        self.at(span);
        self.emit_plain_call(to.unwrap_or(window), window, b"`", 1, CallFlags::SELF_CALL);
    }

    pub fn interpolated_regexp(&mut self, node: &InterpolatedRegularExpressionNode<'pr>, to: Wanted) {
        let to = self.wanted_or_scratch(to);
        self.dynamic_regexp(&node.as_node(), &node.parts(), node.is_once(), to);
    }

    fn dynamic_regexp(&mut self, node: &Node<'pr>, parts: &NodeList<'pr>, once: bool, to: Register) {
        let (options, encoding) = self.regexp_options(node);
        // `/e /s /u` determine the encoding, regardless of that of the parts.
        let forced = if options & FIXED_ENCODING != 0 { u16::from(encoding) + 1 } else { 0 };
        let is_given = forced != 0 || options & NO_ENCODING != 0 || encoding == Symbol::UTF_8;
        self.check_pattern_parts(parts, encoding, is_given);
        // Escapes may determine the encoding, and properties belong to one.
        let is_ascii = |source: &[u8]| {
            source.is_ascii()
                && !source
                    .windows(2)
                    .any(|two| two[0] == b'\\' && matches!(two[1], b'u' | b'x' | b'p' | b'P' | b'0'..=b'9'))
        };
        if let Some((source, _)) =
            self.joined_parts(parts).filter(|(source, _)| options <= MULTILINE && is_ascii(source))
        {
            return self.load_literal(to, Literal::Regexp { source, encoding: Symbol::US_ASCII, options });
        }
        let options = u16::from(options) | forced << 8;
        let are_joined_first = self.check_embedded_literals(parts);
        if !once {
            let string = self.next_temporary();
            self.concatenation(parts, string);
            if are_joined_first {
                self.emit(Opcode::ConcatStrings, string, string, 1);
            }
            self.at(span(node));
            self.emit(Opcode::NewRegexp, to, string, options);
            return;
        }
        let child = self.once(span(node), |c| {
            let string = c.next_temporary();
            c.concatenation(parts, string);
            c.emit(Opcode::NewRegexp, string, string, options);
            c.emit_leave(Opcode::Return, string);
        });
        self.emit_wide(Opcode::Once, to, child);
    }

    /// Whether embedded literals (`#{"…"}`) differ in encoding from a literal beside them: as in CRuby, which joins
    /// them while it compiles, that is an Encoding::CompatibilityError and no RegexpError. If all parts are literals,
    /// their characters and escapes are checked together.
    fn check_embedded_literals(&mut self, parts: &NodeList<'pr>) -> bool {
        let mut joined = Some((Vec::new(), self.unit.encoding));
        let mut before: Option<(u8, bool)> = None;
        let mut is_mismatch = false;
        let mut is_any_embedded = false;
        for part in parts.iter() {
            let embedded = part.as_embedded_statements_node().and_then(|node| {
                let body = node.statements()?.body();
                body.first().filter(|_| body.len() == 1)?.as_string_node()
            });
            let is_embedded = embedded.is_some();
            let literal = embedded.or_else(|| part.as_string_node()).map(|node| self.string_literal(&node));
            let Some(Literal::String { bytes, encoding, .. }) = literal else {
                (joined, before) = (None, None);
                continue;
            };
            is_any_embedded |= is_embedded;
            if let Some((all, of_all)) = &mut joined {
                all.append_slice(&bytes);
                if !bytes.is_ascii() {
                    *of_all = encoding;
                }
            }
            if !bytes.is_ascii() {
                is_mismatch |= before.is_some_and(|(other, was)| other != encoding && (was || is_embedded));
                before = Some((encoding, is_embedded));
            }
        }
        if let Some((bytes, encoding)) = joined.filter(|_| is_any_embedded && !is_mismatch)
            && let Some(known) =
                EncodingId::from_index(encoding).and_then(|e| regexp::Encoding::from_ruby_name(e.name()))
            && let Some(error) = regexp::error_of_part(&bytes, known)
        {
            let shown = memory::lossy_text(&bytes);
            if let Some(first) = parts.first() {
                self.fail(span(&first), &format!("{error}: /{shown}/"));
            }
        }
        is_mismatch
    }

    /// Refuses literal parts of a pattern whose escapes or characters are invalid. `encoding`: the pattern's, which is
    /// that of all parts if it `is_given`.
    fn check_pattern_parts(&mut self, parts: &NodeList<'pr>, encoding: u8, is_given: bool) {
        for part in parts.iter() {
            let only = |embedded: EmbeddedStatementsNode<'pr>| {
                let body = embedded.statements()?.body();
                body.first().filter(|_| body.len() == 1)?.as_string_node()
            };
            let string = part.as_string_node().or_else(|| part.as_embedded_statements_node().and_then(only));
            let Some(string) = string else { continue };
            let encoding = match is_given {
                false if string.is_forced_binary_encoding() => BINARY,
                false if string.is_forced_utf8_encoding() => Symbol::UTF_8,
                _ => encoding,
            };
            let Some(encoding) = EncodingId::from_index(encoding) else { continue };
            let Some(known) = regexp::Encoding::from_ruby_name(encoding.name()) else { continue };
            let bytes = string.unescaped();
            if let Some(error) = regexp::error_of_part(bytes, known) {
                let shown = match std::str::from_utf8(bytes) {
                    Ok(text) if encoding == EncodingId::UTF_8 => text.to_string(),
                    _ => bytes
                        .iter()
                        .map(|b| if b.is_ascii() { char::from(*b).to_string() } else { format!("\\x{b:02X}") })
                        .collect(),
                };
                self.fail(span(&part), &format!("{error}: /{shown}/"));
                return;
            }
        }
    }

    /// A child sequence that continues this scope and has no counterpart in prism.
    pub fn once(&mut self, span: crate::node::Span, body: impl FnOnce(&mut Self)) -> u32 {
        let mut heading = self.heading(self.scopes.last().map_or(String::new(), |s| s.heading.name.clone()), span);
        heading.name.clone_from(&self.scope().heading.name);
        let facts = self.scope().facts.clone();
        let depth = self.scope().block_depth;
        let sequence = self.sequence(Kind::Once, heading, facts, |c| {
            c.scope().transparent = true;
            c.scope().block_depth = depth;
            body(c);
        });
        self.add_child(sequence)
    }

    /// A bare regexp as a condition: it is matched against `$_`.
    pub fn match_last_line(&mut self, node: &Node<'pr>, to: Wanted) {
        let to = self.wanted_or_scratch(to);
        let regexp = self.next_temporary();
        match node {
            Node::MatchLastLineNode { .. } => {
                let (options, encoding) = self.regexp_options(node);
                let source = node.as_match_last_line_node().map_or(Vec::new(), |n| n.unescaped().to_vector());
                self.load_literal(regexp, Literal::Regexp { source, encoding, options });
            }
            _ => {
                if let Some(n) = node.as_interpolated_match_last_line_node() {
                    self.dynamic_regexp(node, &n.parts(), n.is_once(), regexp);
                }
            }
        }
        self.at(span(node));
        self.intrinsic(to, regexp, Intrinsic::MatchLastLine);
    }

    pub fn source_file(&mut self, node: &SourceFileNode<'pr>, to: Wanted) {
        let Some(to) = to else { return };
        let frozen = node.is_frozen();
        let encoding = if node.filepath().is_ascii() { self.unit.encoding } else { Symbol::UTF_8 };
        let literal = Literal::String {
            bytes: node.filepath().to_vector(),
            encoding,
            frozen,
            chilled: !frozen && !node.is_mutable(),
        };
        self.new_string(literal, to);
    }

    pub fn source_encoding(&mut self, to: Wanted) {
        let Some(to) = to else { return };
        let number = self.next_temporary();
        self.load_int(number, self.unit.encoding as i32);
        self.intrinsic(to, number, Intrinsic::SourceEncoding);
    }
}

fn has_interpolation(part: &Node) -> bool {
    match part {
        Node::InterpolatedStringNode { .. } => part
            .as_interpolated_string_node()
            .is_some_and(|inner| inner.parts().iter().any(|part| has_interpolation(&part))),
        _ => !matches!(part, Node::StringNode { .. }),
    }
}
