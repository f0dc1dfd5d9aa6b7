//! To the form that automata are compiled from, for one kind of haystack.

use super::ast::{Anchor, Class, Item, Node, Set};
use super::engine::Text;
use super::sets;
use regex_syntax::hir::{Capture, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, Repetition};
use std::cell::Cell;

/// An automaton's form of a pattern.
pub(super) struct Lowered {
    pub hir: Hir,
    /// Ruby has no line start after a newline that ends the text; the automaton has. It is only for other texts, if the
    /// pattern could tell.
    pub tells_final_newline: bool,
}

/// `None` where the result could differ from Oniguruma's.
pub(super) fn lower(node: &Node, text: Text) -> Option<Lowered> {
    if text == Text::Utf8 && folds_several_letters(node) {
        return None;
    }
    let lowering = Lowering::new(text);
    let hir = lowering.node(node, 0)?;
    Some(Lowered { hir, tells_final_newline: lowering.tells_final_newline.get() })
}

pub(super) struct Lowering {
    text: Text,
    tells_final_newline: Cell<bool>,
}

impl Lowering {
    pub fn new(text: Text) -> Lowering {
        Lowering { text, tells_final_newline: Cell::new(false) }
    }

    /// `following` is the fewest characters that a match has after this node.
    fn node(&self, node: &Node, following: u64) -> Option<Hir> {
        Some(match node {
            Node::Empty => Hir::empty(),
            Node::Char { .. } | Node::Dot { .. } | Node::Class { .. } => {
                Hir::class(regex_syntax::hir::Class::Unicode(self.characters(node)?))
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
                let mut parts = Vec::with_capacity(nodes.len());
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

    /// What a node of one character matches.
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
        if self.text == Text::Ascii {
            class.intersect(&ClassUnicode::new([ClassUnicodeRange::new('\0', '\x7f')]));
        }
        Some(class)
    }

    /// The characters of words.
    pub fn word(&self, ascii: bool) -> Option<ClassUnicode> {
        self.item(&Item::Set { set: Set::Word, negated: false, ascii }, false)
    }

    fn anchor(&self, anchor: Anchor, following: u64) -> Option<Look> {
        Some(match anchor {
            Anchor::LineStart => {
                // Something that must follow can't be at the text's end.
                self.tells_final_newline.set(self.tells_final_newline.get() || following == 0);
                Look::StartLF
            }
            Anchor::LineEnd => Look::EndLF,
            Anchor::TextStart => Look::Start,
            Anchor::TextEnd => Look::End,
            Anchor::LastLineEnd => return None,
            Anchor::Word { ascii, .. } if !ascii && self.text != Text::Ascii => return None,
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
            // How properties are folded is Oniguruma's business.
            Item::Property(_) if fold => return None,
            Item::Property(property) => sets::of(property)?,
            Item::Set { set, negated, ascii } => {
                let range = |&(low, high): &(char, char)| ClassUnicodeRange::new(low, high);
                let mut class = ClassUnicode::new(set.ascii_ranges().iter().map(range));
                if !ascii && self.text != Text::Ascii {
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

/// `regex-syntax` takes a prefix that all branches share out of them. Where the prefix can match in several ways, that
/// changes which match is preferred: `k??a|k??k` is not `k??(?:a|k)`.
fn alternation(branches: Vec<Hir>) -> Option<Hir> {
    let mut flat = Vec::with_capacity(branches.len());
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

fn all() -> ClassUnicode {
    ClassUnicode::new([ClassUnicodeRange::new('\0', char::MAX)])
}

fn folded(mut class: ClassUnicode) -> Option<ClassUnicode> {
    class.try_case_fold_simple().ok()?;
    Some(class)
}

/// Some pairs of ASCII letters fold to one character (`ss` to `ß`, `fi` to a ligature), which only Oniguruma matches.
/// `true` if the pattern has letters for such a pair, wherever they stand.
pub(super) fn folds_several_letters(node: &Node) -> bool {
    let mut letters = [0u32; 26];
    count_folded(node, false, &mut letters);
    let count = |letter: u8| letters[usize::from(letter - b'a')];
    let (s, f) = (count(b's'), count(b'f'));
    s >= 2 || f >= 2 || (s == 1 && count(b't') > 0) || (f == 1 && count(b'i') + count(b'l') > 0)
}

fn count_folded(node: &Node, repeated: bool, letters: &mut [u32; 26]) {
    match node {
        Node::Char { value, fold: true } if value.is_ascii_alphabetic() => {
            letters[usize::from(value.to_ascii_lowercase() as u8 - b'a')] += if repeated { 2 } else { 1 };
        }
        Node::Capture { node, .. } | Node::Look { node, .. } | Node::Atomic(node) => {
            count_folded(node, repeated, letters);
        }
        Node::Repeat { node, max, .. } => count_folded(node, repeated || *max != Some(1), letters),
        Node::Concat(nodes) | Node::Alternate(nodes) => {
            nodes.iter().for_each(|node| count_folded(node, repeated, letters));
        }
        _ => {}
    }
}
