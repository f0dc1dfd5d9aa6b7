//! Lowering to the form from which automata are compiled, for one kind of haystack.

use super::ast::{Anchor, Class, Item, Node, Set};
use super::engine::Text;
use super::sets;
use regex_syntax::hir::{
    self, Capture, ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, Repetition,
};
use std::cell::Cell;

/// An automaton's form of a pattern.
pub(super) struct Lowered {
    pub hir: Hir,
    /// Whether a newline at the end of the text may affect the result: in Ruby no line starts after it, in the
    /// automaton one does. The automaton is then used only for texts without one.
    pub depends_on_final_newline: bool,
}

/// `None` if the result could differ from Oniguruma's.
pub(super) fn lower(node: &Node, text: Text) -> Option<Lowered> {
    if text == Text::Utf8 && folds_several_letters(node) {
        return None;
    }
    let lowering = Lowering::new(text);
    let hir = lowering.node(node, 0)?;
    Some(Lowered { hir, depends_on_final_newline: lowering.depends_on_final_newline.get() })
}

pub(super) struct Lowering {
    text: Text,
    depends_on_final_newline: Cell<bool>,
}

impl Lowering {
    pub fn new(text: Text) -> Lowering {
        Lowering { text, depends_on_final_newline: Cell::new(false) }
    }

    /// `following` is the minimum number of characters of a match after this node.
    fn node(&self, node: &Node, following: u64) -> Option<Hir> {
        Some(match node {
            Node::Empty => Hir::empty(),
            Node::Char { .. } | Node::Dot { .. } | Node::Class { .. } => {
                let characters = self.characters(node)?;
                Hir::class(match self.text {
                    Text::Bytes => hir::Class::Bytes(bytes(&characters)),
                    Text::Ascii | Text::Utf8 => hir::Class::Unicode(characters),
                })
            }
            Node::Anchor(anchor) => Hir::look(self.anchor(*anchor, following)?),
            Node::Capture { group, node } => {
                Hir::capture(Capture { index: *group, name: None, sub: Box::new(self.node(node, following)?) })
            }
            Node::Look { .. } | Node::Atomic(_) | Node::Keep => return None,
            Node::Repeat { node: inner, min, max, greedy } => {
                if !node.repeats_plainly() {
                    return None;
                }
                let node = inner;
                let sub = Box::new(self.node(node, following)?);
                Hir::repetition(Repetition { min: *min, max: *max, greedy: *greedy, sub })
            }
            Node::Concat(nodes) => {
                let mut following = following;
                let mut parts = memory::with_capacity(nodes.len());
                for node in nodes.iter().rev() {
                    parts.push(self.node(node, following)?);
                    following = following.saturating_add(node.min_length());
                }
                parts.reverse();
                Hir::concat(parts)
            }
            Node::Alternate(nodes) => {
                alternation(nodes.iter().map(|node| self.node(node, following)).collect::<Option<Vec<_>>>()?)?
            }
        })
    }

    /// The characters that a node of one character matches.
    pub fn characters(&self, node: &Node) -> Option<ClassUnicode> {
        let mut class = match node {
            Node::Char { value, fold: false } => ClassUnicode::new([ClassUnicodeRange::new(*value, *value)]),
            Node::Char { value, fold: true } if value.is_ascii() => {
                folded(ClassUnicode::new([ClassUnicodeRange::new(*value, *value)]))?
            }
            Node::Dot { newline: true } => all(),
            Node::Dot { newline: false } => {
                let mut class = all();
                class.difference(&ClassUnicode::new([ClassUnicodeRange::new('\n', '\n')]));
                class
            }
            Node::Class { class, fold } => self.set(class, *fold, true)?,
            _ => return None,
        };
        let last = match self.text {
            Text::Ascii => '\x7f',
            Text::Bytes => '\u{ff}',
            Text::Utf8 => char::MAX,
        };
        class.intersect(&ClassUnicode::new([ClassUnicodeRange::new('\0', last)]));
        Some(class)
    }

    /// The word characters.
    pub fn word(&self, ascii: bool) -> Option<ClassUnicode> {
        self.item(&Item::Set { set: Set::Word, negated: false, ascii }, false)
    }

    fn anchor(&self, anchor: Anchor, following: u64) -> Option<Look> {
        Some(match anchor {
            Anchor::LineStart => {
                // If something must follow, this position cannot be at the text's end.
                self.depends_on_final_newline.set(self.depends_on_final_newline.get() || following == 0);
                Look::StartLF
            }
            Anchor::LineEnd => Look::EndLF,
            Anchor::TextStart => Look::Start,
            Anchor::TextEnd => Look::End,
            Anchor::LastLineEnd | Anchor::SearchStart => return None,
            Anchor::Word { ascii, .. } if !ascii && self.text == Text::Utf8 => return None,
            Anchor::Word { negated: false, .. } => Look::WordAscii,
            Anchor::Word { negated: true, .. } => Look::WordAsciiNegate,
        })
    }

    fn set(&self, class: &Class, fold: bool, outermost: bool) -> Option<ClassUnicode> {
        // Oniguruma folds the class as a whole, before the outer negation.
        if fold && (class.operands.len() > 1 || (class.negated && !outermost)) {
            return None;
        }
        let mut result: Option<ClassUnicode> = None;
        for operand in &class.operands {
            let mut union = ClassUnicode::empty();
            for item in operand {
                union.union(&self.item(item, fold)?);
            }
            match &mut result {
                Some(result) => result.intersect(&union),
                None => result = Some(union),
            }
        }
        let mut result = result?;
        if fold && outermost {
            if result.ranges().iter().any(|range| !range.end().is_ascii()) {
                return None;
            }
            result = folded(result)?;
        }
        if class.negated {
            result.negate();
        }
        Some(result)
    }

    fn item(&self, item: &Item, fold: bool) -> Option<ClassUnicode> {
        Some(match item {
            Item::Range(low, high) => ClassUnicode::new([ClassUnicodeRange::new(*low, *high)]),
            Item::Nested(class) => self.set(class, fold, false)?,
            // Only Oniguruma knows how it folds properties.
            Item::Property(_) if fold || self.text == Text::Bytes => return None,
            Item::Property(property) if self.text == Text::Ascii => sets::in_ascii(property)?,
            Item::Property(property) => sets::of(property)?,
            Item::Set { set, negated, ascii } => {
                let range = |&(low, high): &(char, char)| ClassUnicodeRange::new(low, high);
                let mut class = ClassUnicode::new(set.ascii_ranges().iter().map(range));
                if !ascii && self.text == Text::Utf8 {
                    match set.wide_ranges() {
                        Some(wide) => class.union(&ClassUnicode::new(wide.iter().map(range))),
                        None => class.union(&sets::of(&format!("[[:{}:]]", set.name()))?),
                    }
                }
                if *negated {
                    class.negate();
                }
                class
            }
        })
    }
}

/// `regex-syntax` factors out a common prefix of all branches. If the prefix can match in several ways, that changes
/// which match is preferred: `k??a|k??k` is not `k??(?:a|k)`.
fn alternation(branches: Vec<Hir>) -> Option<Hir> {
    let mut flat = memory::with_capacity(branches.len());
    for branch in branches {
        match branch.kind() {
            HirKind::Alternation(inner) => flat.extend(inner.iter().cloned()),
            _ => flat.push(branch),
        }
    }
    let parts = |branch: &Hir| match branch.kind() {
        HirKind::Concat(parts) => parts.clone(),
        _ => Vec::new(),
    };
    let mut shared = flat.first().map(parts).unwrap_or_default();
    for branch in &flat[1..] {
        let same = parts(branch).iter().zip(&shared).take_while(|(a, b)| a == b).count();
        shared.truncate(same);
    }
    let fixed = |part: &Hir| matches!(part.kind(), HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_));
    shared.iter().all(fixed).then(|| Hir::alternation(flat))
}

/// The bytes that the characters up to U+00FF represent.
fn bytes(characters: &ClassUnicode) -> ClassBytes {
    let byte = |character| u8::try_from(character).unwrap_or(u8::MAX);
    ClassBytes::new(
        characters.ranges().iter().map(|range| ClassBytesRange::new(byte(range.start()), byte(range.end()))),
    )
}

fn all() -> ClassUnicode {
    ClassUnicode::new([ClassUnicodeRange::new('\0', char::MAX)])
}

fn folded(mut class: ClassUnicode) -> Option<ClassUnicode> {
    class.try_case_fold_simple().ok()?;
    Some(class)
}

/// Some pairs of ASCII letters fold to one character (`ss` to `ß`, `fi` to a ligature), which only Oniguruma matches.
/// `true` if such a pair may be adjacent.
pub(super) fn folds_several_letters(node: &Node) -> bool {
    edges(node).is_none()
}

/// The folded letters that may be at the edges of a node's matches, one bit each, and whether it may match nothing.
/// `None` if a pair of them may be adjacent inside it.
fn edges(node: &Node) -> Option<Edges> {
    let nothing = Edges { first: 0, last: 0, empty: true };
    Some(match node {
        Node::Char { value, fold: true } if value.is_ascii_alphabetic() => {
            let letter = 1 << (value.to_ascii_lowercase() as u32 - 'a' as u32);
            Edges { first: letter, last: letter, empty: false }
        }
        Node::Char { .. } | Node::Dot { .. } | Node::Class { .. } => Edges { first: 0, last: 0, empty: false },
        Node::Empty | Node::Anchor(_) | Node::Keep => nothing,
        Node::Look { node, .. } => {
            edges(node)?;
            nothing
        }
        Node::Capture { node, .. } | Node::Atomic(node) => edges(node)?,
        Node::Repeat { node, min, max, .. } => {
            let inner = edges(node)?;
            if *max != Some(1) && folds_together(inner.last, inner.first) {
                return None;
            }
            Edges { empty: inner.empty || *min == 0, ..inner }
        }
        Node::Concat(nodes) => {
            let mut all = nothing;
            for node in nodes {
                let next = edges(node)?;
                if folds_together(all.last, next.first) {
                    return None;
                }
                all = Edges {
                    first: all.first | if all.empty { next.first } else { 0 },
                    last: next.last | if next.empty { all.last } else { 0 },
                    empty: all.empty && next.empty,
                };
            }
            all
        }
        Node::Alternate(nodes) => {
            let mut all = Edges { empty: false, ..nothing };
            for node in nodes {
                let next = edges(node)?;
                all =
                    Edges { first: all.first | next.first, last: all.last | next.last, empty: all.empty || next.empty };
            }
            all
        }
    })
}

#[derive(Clone, Copy)]
struct Edges {
    first: u32,
    last: u32,
    empty: bool,
}

fn folds_together(left: u32, right: u32) -> bool {
    let has = |letters: u32, letter: char| letters >> (letter as u32 - 'a' as u32) & 1 != 0;
    let pair = |a, b| has(left, a) && has(right, b);
    pair('s', 's') || pair('s', 't') || pair('f', 'f') || pair('f', 'i') || pair('f', 'l')
}
