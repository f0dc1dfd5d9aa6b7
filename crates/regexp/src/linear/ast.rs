//! The part of Ruby's syntax on which both engines agree.

#[derive(Clone, Debug)]
pub(super) enum Node {
    Empty,
    Char {
        value: char,
        fold: bool,
    },
    Dot {
        newline: bool,
    },
    Class {
        class: Class,
        fold: bool,
    },
    Anchor(Anchor),
    Capture {
        group: u32,
        node: Box<Node>,
    },
    Repeat {
        node: Box<Node>,
        min: u32,
        max: Option<u32>,
        greedy: bool,
    },
    Concat(Vec<Node>),
    Alternate(Vec<Node>),
    /// `(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`
    Look {
        behind: bool,
        negated: bool,
        node: Box<Node>,
    },
    /// `(?>…)`, and possessive repetitions.
    Atomic(Box<Node>),
    /// `\K`
    Keep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    LineStart,
    LineEnd,
    TextStart,
    TextEnd,
    /// `\Z`
    LastLineEnd,
    /// `\G`
    SearchStart,
    /// `\b` and `\B`; `ascii` under `(?a)`.
    Word {
        negated: bool,
        ascii: bool,
    },
}

/// A character class: the union of the items of each operand, all operands intersected, perhaps negated.
#[derive(Clone, Debug, Default)]
pub(super) struct Class {
    pub negated: bool,
    pub operands: Vec<Vec<Item>>,
}

#[derive(Clone, Debug)]
pub(super) enum Item {
    Range(char, char),
    /// A named set.
    Set {
        set: Set,
        negated: bool,
        ascii: bool,
    },
    Nested(Class),
    /// `\p{…}`, as written.
    Property(String),
}

/// The sets of POSIX brackets; `\w`, `\d`, `\s`, `\h` are ASCII ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    Alnum,
    Alpha,
    Ascii,
    Blank,
    Cntrl,
    Digit,
    Graph,
    Lower,
    Print,
    Punct,
    Space,
    Upper,
    Word,
    XDigit,
}

impl Set {
    pub fn named(name: &str) -> Option<Set> {
        Some(match name {
            "alnum" => Set::Alnum,
            "alpha" => Set::Alpha,
            "ascii" => Set::Ascii,
            "blank" => Set::Blank,
            "cntrl" => Set::Cntrl,
            "digit" => Set::Digit,
            "graph" => Set::Graph,
            "lower" => Set::Lower,
            "print" => Set::Print,
            "punct" => Set::Punct,
            "space" => Set::Space,
            "upper" => Set::Upper,
            "word" => Set::Word,
            "xdigit" => Set::XDigit,
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Set::Alnum => "alnum",
            Set::Alpha => "alpha",
            Set::Ascii => "ascii",
            Set::Blank => "blank",
            Set::Cntrl => "cntrl",
            Set::Digit => "digit",
            Set::Graph => "graph",
            Set::Lower => "lower",
            Set::Print => "print",
            Set::Punct => "punct",
            Set::Space => "space",
            Set::Upper => "upper",
            Set::Word => "word",
            Set::XDigit => "xdigit",
        }
    }

    pub fn ascii_ranges(self) -> &'static [(char, char)] {
        match self {
            Set::Alnum => &[('0', '9'), ('A', 'Z'), ('a', 'z')],
            Set::Alpha => &[('A', 'Z'), ('a', 'z')],
            Set::Ascii => &[('\0', '\x7f')],
            Set::Blank => &[('\t', '\t'), (' ', ' ')],
            Set::Cntrl => &[('\0', '\x1f'), ('\x7f', '\x7f')],
            Set::Digit => &[('0', '9')],
            Set::Graph => &[('!', '~')],
            Set::Lower => &[('a', 'z')],
            Set::Print => &[(' ', '~')],
            Set::Punct => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
            Set::Space => &[('\t', '\r'), (' ', ' ')],
            Set::Upper => &[('A', 'Z')],
            Set::Word => &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
            Set::XDigit => &[('0', '9'), ('A', 'F'), ('a', 'f')],
        }
    }

    /// The non-ASCII members of the sets that do not grow with Unicode's versions.
    pub fn wide_ranges(self) -> Option<&'static [(char, char)]> {
        Some(match self {
            Set::Ascii | Set::XDigit => &[],
            Set::Cntrl => &[('\u{80}', '\u{9f}')],
            Set::Blank => &[
                ('\u{a0}', '\u{a0}'),
                ('\u{1680}', '\u{1680}'),
                ('\u{2000}', '\u{200a}'),
                ('\u{202f}', '\u{202f}'),
                ('\u{205f}', '\u{205f}'),
                ('\u{3000}', '\u{3000}'),
            ],
            Set::Space => &[
                ('\u{85}', '\u{85}'),
                ('\u{a0}', '\u{a0}'),
                ('\u{1680}', '\u{1680}'),
                ('\u{2000}', '\u{200a}'),
                ('\u{2028}', '\u{2029}'),
                ('\u{202f}', '\u{202f}'),
                ('\u{205f}', '\u{205f}'),
                ('\u{3000}', '\u{3000}'),
            ],
            _ => return None,
        })
    }
}

impl Node {
    /// The minimum number of characters of a match.
    pub fn min_length(&self) -> u64 {
        match self {
            Node::Empty | Node::Anchor(_) | Node::Look { .. } | Node::Keep => 0,
            Node::Char { .. } | Node::Dot { .. } | Node::Class { .. } => 1,
            Node::Capture { node, .. } | Node::Atomic(node) => node.min_length(),
            Node::Repeat { node, min, .. } => node.min_length().saturating_mul(u64::from(*min)),
            Node::Concat(nodes) => nodes.iter().map(Node::min_length).fold(0, u64::saturating_add),
            Node::Alternate(nodes) => nodes.iter().map(Node::min_length).min().unwrap_or(0),
        }
    }

    /// The number of characters in each of its matches, if it is constant.
    pub fn fixed_length(&self) -> Option<usize> {
        match self {
            Node::Empty | Node::Anchor(_) | Node::Look { .. } | Node::Keep => Some(0),
            Node::Char { .. } | Node::Dot { .. } | Node::Class { .. } => Some(1),
            Node::Capture { node, .. } | Node::Atomic(node) => node.fixed_length(),
            Node::Repeat { node, min, max, .. } if Some(*min) == *max => {
                node.fixed_length()?.checked_mul(usize::try_from(*min).ok()?)
            }
            Node::Repeat { .. } => None,
            Node::Concat(nodes) => nodes.iter().try_fold(0, |sum, node| Some(sum + node.fixed_length()?)),
            Node::Alternate(nodes) => {
                let first = nodes.first()?.fixed_length()?;
                nodes.iter().all(|node| node.fixed_length() == Some(first)).then_some(first)
            }
        }
    }

    /// For a repetition: whether all engines treat an iteration that matched nothing alike. Without an upper bound it
    /// may only be the last one; with one, it is an iteration as any other.
    pub fn repeats_plainly(&self) -> bool {
        let Node::Repeat { node, max, .. } = self else { return true };
        let empty_round = node.min_length() == 0;
        !(empty_round && (node.has_capture() || !(max.is_some() || node.is_eager())))
    }

    /// Whether it matches the empty text only if it cannot match more.
    pub fn is_eager(&self) -> bool {
        match self {
            Node::Char { .. } | Node::Dot { .. } | Node::Class { .. } => true,
            Node::Anchor(_) | Node::Look { .. } => true,
            Node::Empty | Node::Keep => false,
            Node::Capture { node, .. } | Node::Atomic(node) => node.is_eager(),
            Node::Repeat { node, greedy, .. } => *greedy && node.is_eager(),
            Node::Concat(nodes) => nodes.iter().all(Node::is_eager),
            Node::Alternate(nodes) => {
                let last = nodes.len().saturating_sub(1);
                nodes.iter().all(Node::is_eager) && nodes[..last].iter().all(|node| node.min_length() > 0)
            }
        }
    }

    pub fn without_captures(&self) -> Node {
        let all = |nodes: &[Node]| nodes.iter().map(Node::without_captures).collect();
        match self {
            Node::Capture { node, .. } => node.without_captures(),
            Node::Look { behind, negated, node } => {
                Node::Look { behind: *behind, negated: *negated, node: Box::new(node.without_captures()) }
            }
            Node::Atomic(node) => Node::Atomic(Box::new(node.without_captures())),
            Node::Repeat { node, min, max, greedy } => {
                Node::Repeat { node: Box::new(node.without_captures()), min: *min, max: *max, greedy: *greedy }
            }
            Node::Concat(nodes) => Node::Concat(all(nodes)),
            Node::Alternate(nodes) => Node::Alternate(all(nodes)),
            other => other.clone(),
        }
    }

    /// The node without groups and what only excludes matches: it matches at every place at which the node does.
    pub fn relaxed(&self) -> Node {
        let all = |nodes: &[Node]| nodes.iter().map(Node::relaxed).collect();
        match self {
            Node::Capture { node, .. } | Node::Atomic(node) => node.relaxed(),
            Node::Anchor(_) | Node::Look { .. } | Node::Keep => Node::Empty,
            Node::Repeat { node, min, max, greedy } => {
                Node::Repeat { node: Box::new(node.relaxed()), min: *min, max: *max, greedy: *greedy }
            }
            Node::Concat(nodes) => Node::Concat(all(nodes)),
            Node::Alternate(nodes) => Node::Alternate(all(nodes)),
            other => other.clone(),
        }
    }

    /// The relaxed content of a positive look-ahead with which every match begins.
    pub fn looks_ahead_for(&self) -> Option<Node> {
        match self {
            Node::Look { behind: false, negated: false, node } => Some(node.relaxed()),
            Node::Capture { node, .. } | Node::Atomic(node) => node.looks_ahead_for(),
            Node::Concat(nodes) => {
                let decides = |node: &&Node| node.fixed_length() != Some(0) || node.looks_ahead_for().is_some();
                nodes.iter().find(decides)?.looks_ahead_for()
            }
            _ => None,
        }
    }

    pub fn has_capture(&self) -> bool {
        match self {
            Node::Capture { .. } => true,
            Node::Repeat { node, .. } | Node::Look { node, .. } | Node::Atomic(node) => node.has_capture(),
            Node::Concat(nodes) | Node::Alternate(nodes) => nodes.iter().any(Node::has_capture),
            _ => false,
        }
    }
}
