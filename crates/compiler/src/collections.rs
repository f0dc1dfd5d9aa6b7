//! Arrays, hashes and ranges.

use bytecode::{Intrinsic, Literal, Opcode};
use ruby_prism::{ArrayNode, AssocNode, Node, NodeList, RangeNode};

use crate::builder::Register;
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::span;

/// Longer literals are built in pieces.
const PIECE: usize = 256;

impl<'pr> Compiler<'pr> {
    pub fn array(&mut self, node: &ArrayNode<'pr>, to: Wanted) {
        let elements: Vec<Node<'pr>> = memory::collect(node.elements().iter());
        let Some(to) = to else {
            for element in &elements {
                match element {
                    Node::SplatNode { .. } => {
                        let scratch = self.next_temporary();
                        self.splat(element, scratch, true);
                    }
                    _ => self.effect(element),
                }
            }
            return;
        };
        self.array_of(&elements, to);
    }

    /// `to =` a new array of the elements, splats expanded.
    pub fn array_of(&mut self, elements: &[Node<'pr>], to: Register) {
        if elements.is_empty() {
            self.emit(Opcode::NewArray, to, to, 0);
        } else if let Some(literal) = self.literal_array(elements) {
            let index = self.literal(literal);
            self.emit_wide(Opcode::DuplicateLiteral, to, index);
        } else if elements.len() <= PIECE && !elements.iter().any(is_part) {
            let mark = self.mark();
            let first = self.next_temporary();
            self.each_into_row(elements);
            self.emit(Opcode::NewArray, to, first, elements.len() as u16);
            self.release(mark);
        } else {
            self.array_in_pieces(elements, to);
        }
    }

    pub fn each_into_row(&mut self, elements: &[Node<'pr>]) {
        for element in elements {
            let slot = self.next_temporary();
            self.expression(element, slot);
            self.reserve(slot);
        }
    }

    /// The elements of an array that is new with what the program computes, none of them a splat.
    pub fn built_at_once(&self, node: &ArrayNode<'pr>) -> Option<Vec<Node<'pr>>> {
        let elements: Vec<Node<'pr>> = memory::collect(node.elements().iter());
        let is_new = (1..=PIECE).contains(&elements.len()) && self.literal_array(&elements).is_none();
        (is_new && !elements.iter().any(is_part)).then_some(elements)
    }

    fn literal_array(&self, elements: &[Node<'pr>]) -> Option<Literal> {
        elements.iter().map(|e| self.literal_of(e)).collect::<Option<Vec<_>>>().map(Literal::Array)
    }

    fn array_in_pieces(&mut self, elements: &[Node<'pr>], to: Register) {
        let mark = self.mark();
        let array = self.building(to);
        let base = self.mark();
        let mut started = false;
        for piece in elements.chunk_by(|a, b| !is_part(a) && !is_part(b)) {
            for piece in piece.chunks(PIECE) {
                if is_part(&piece[0]) && !started {
                    self.part(&piece[0], array, true);
                } else if is_part(&piece[0]) {
                    let part = self.temporary();
                    self.part(&piece[0], part, false);
                    self.emit(Opcode::ArrayConcat, array, part, 0);
                } else if !started {
                    self.array_of(piece, array);
                } else if piece.len() == 1 {
                    let value = self.operand(&piece[0]);
                    self.emit(Opcode::ArrayPush, array, value, 0);
                } else {
                    let part = self.temporary();
                    self.array_of(piece, part);
                    self.emit(Opcode::ArrayConcat, array, part, 0);
                }
                started = true;
                self.release(base);
            }
        }
        self.move_to(to, array);
        self.release(mark);
    }

    /// A register for building a collection while other code runs: `to` itself, unless it is a local.
    fn building(&mut self, to: Register) -> Register {
        if self.is_local(to) {
            return self.temporary();
        }
        self.reserve(to);
        to
    }

    /// `to =` the array for a part of a literal: `*list`, or `**keywords`, which is one element or none.
    fn part(&mut self, node: &Node<'pr>, to: Register, new: bool) {
        let Some(keywords) = node.as_keyword_hash_node() else { return self.splat(node, to, new) };
        let mark = self.mark();
        let hash = self.temporary();
        self.hash(&keywords.elements(), Some(hash));
        self.intrinsic(to, hash, Intrinsic::ArrayUnlessEmpty);
        self.release(mark);
    }

    /// `to =` the array of `*node`; `new`: an unshared one.
    pub fn splat(&mut self, node: &Node<'pr>, to: Register, new: bool) {
        let Some(splat) = node.as_splat_node() else { return };
        let mark = self.mark();
        let value = match splat.expression() {
            Some(expression) => self.operand(&expression),
            None => self.anonymous_rest(span(node)),
        };
        self.at(span(node));
        self.emit(Opcode::SplatToArray, to, value, new as u16);
        self.release(mark);
    }

    pub fn hash(&mut self, elements: &NodeList<'pr>, to: Wanted) {
        let elements: Vec<Node<'pr>> = memory::collect(elements.iter());
        let pairs: Option<Vec<AssocNode<'pr>>> = elements.iter().map(|e| e.as_assoc_node()).collect();
        match (to, pairs) {
            (None, Some(pairs)) => pairs.iter().for_each(|pair| {
                self.effect(&pair.key());
                self.effect(&pair.value());
            }),
            _ => {
                let to = self.wanted_or_scratch(to);
                self.hash_of(&elements, to);
            }
        }
    }

    /// `to =` a new hash of pairs and `**` parts.
    pub fn hash_of(&mut self, elements: &[Node<'pr>], to: Register) {
        let pairs: Option<Vec<AssocNode<'pr>>> = elements.iter().map(|e| e.as_assoc_node()).collect();
        if let Some(literal) = pairs.as_deref().and_then(|p| self.literal_hash(p)) {
            let index = self.literal(literal);
            return self.emit_wide(Opcode::DuplicateLiteral, to, index);
        }
        let mark = self.mark();
        match pairs {
            Some(pairs) if pairs.len() * 2 <= PIECE => {
                let first = self.next_temporary();
                self.pairs_into_row(&pairs);
                self.emit(Opcode::NewHash, to, first, pairs.len() as u16 * 2);
            }
            _ => {
                let hash = self.building(to);
                self.hash_in_pieces(elements, hash);
                self.move_to(to, hash);
            }
        }
        self.release(mark);
    }

    pub fn literal_hash(&self, pairs: &[AssocNode<'pr>]) -> Option<Literal> {
        if pairs.is_empty() {
            return None;
        }
        let literal = |pair: &AssocNode<'pr>| {
            let key = match pair.key() {
                Node::StringNode { .. } => self.interned(&pair.key().as_string_node()?),
                key => self.literal_of(&key)?,
            };
            Some((key, self.literal_of(&pair.value())?))
        };
        pairs.iter().map(literal).collect::<Option<Vec<_>>>().map(Literal::Hash)
    }

    fn pairs_into_row(&mut self, pairs: &[AssocNode<'pr>]) {
        for pair in pairs {
            let slot = self.next_temporary();
            self.hash_key(&pair.key(), slot);
            self.reserve(slot);
            let slot = self.next_temporary();
            self.expression(&pair.value(), slot);
            self.reserve(slot);
        }
    }

    /// A key; a string literal is the interned string that the hash would store.
    pub fn hash_key(&mut self, node: &Node<'pr>, to: Register) {
        self.use_up_to(to as u32 + 1);
        match node.as_string_node() {
            Some(string) => {
                let literal = self.interned(&string);
                self.load_literal(to, literal);
            }
            None => self.expression(node, to),
        }
    }

    fn hash_in_pieces(&mut self, elements: &[Node<'pr>], hash: Register) {
        let base = self.mark();
        let leading = elements.iter().take_while(|e| e.as_assoc_node().is_some()).count().min(PIECE / 2);
        let first = self.next_temporary();
        let pairs: Vec<AssocNode<'pr>> = memory::collect(elements[..leading].iter().filter_map(|e| e.as_assoc_node()));
        self.pairs_into_row(&pairs);
        self.emit(Opcode::NewHash, hash, first, leading as u16 * 2);
        self.release(base);
        for element in &elements[leading..] {
            if let Some(pair) = element.as_assoc_node() {
                let key = self.temporary();
                self.hash_key(&pair.key(), key);
                let value = self.operand(&pair.value());
                self.emit(Opcode::HashStore, hash, key, value);
            } else {
                let part = self.temporary();
                self.double_splat(element, part);
                self.emit(Opcode::HashMerge, hash, part, 0);
            }
            self.release(base);
        }
    }

    /// `to =` the hash of `**node`, by to_hash.
    pub fn double_splat(&mut self, node: &Node<'pr>, to: Register) {
        let Some(splat) = node.as_assoc_splat_node() else { return };
        let mark = self.mark();
        let value = match splat.value() {
            Some(value) => self.operand(&value),
            None => self.anonymous_keywords(span(node)),
        };
        self.at(span(node));
        self.emit(Opcode::ToHash, to, value, 0);
        self.release(mark);
    }

    pub fn range(&mut self, node: &RangeNode<'pr>, to: Wanted) {
        if let Some(literal) = self.literal_of(&node.as_node()) {
            if let Some(to) = to {
                self.load_literal(to, literal);
            }
            return;
        }
        let to = self.wanted_or_scratch(to);
        let right = node.right();
        let low = match node.left() {
            Some(left) => self.operand_before(&left, right.as_slice().iter().collect::<Vec<_>>().as_slice()),
            None => self.nil_operand(),
        };
        let high = match &right {
            Some(right) => self.operand(right),
            None => self.nil_operand(),
        };
        self.at(node.location());
        self.emit(if node.is_exclude_end() { Opcode::NewRangeExclusive } else { Opcode::NewRange }, to, low, high);
    }

    pub fn nil_operand(&mut self) -> Register {
        let register = self.temporary();
        self.load_nil(register);
        register
    }
}

/// A part that contributes any number of elements.
fn is_part(node: &Node<'_>) -> bool {
    let is_double_splat = |element: Node<'_>| matches!(element, Node::AssocSplatNode { .. });
    is_splat(node) || node.as_keyword_hash_node().is_some_and(|hash| hash.elements().iter().all(is_double_splat))
}

pub(crate) fn is_splat(node: &Node<'_>) -> bool {
    matches!(node, Node::SplatNode { .. })
}
