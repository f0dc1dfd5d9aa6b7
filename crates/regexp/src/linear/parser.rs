//! Parses patterns that the automaton can match. `None` for all others, including invalid ones: Oniguruma handles them.

use super::ast::{Anchor, Class, Item, Node, Set};
use crate::syntax::{Mode, Switches};

/// More deeply nested patterns use Oniguruma.
const DEEPEST: usize = 64;
/// Counted repetitions are unrolled in an automaton.
const MOST_REPEATS: u32 = 1000;

/// The tree of a preprocessed pattern and its number of groups.
pub(super) fn parse(pattern: &str, switches: Switches) -> Option<(Node, u32)> {
    let has_names = pattern.contains("(?<") && {
        let mut parts = pattern.split("(?<").skip(1);
        parts.any(|after| !after.starts_with(['=', '!']))
    };
    let mut parser = Parser { rest: pattern, has_names, groups: 0, depth: 0 };
    let node = parser.alternation(switches)?;
    parser.rest.is_empty().then_some((node, parser.groups))
}

struct Parser<'p> {
    rest: &'p str,
    has_names: bool,
    groups: u32,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.rest = &self.rest[letter.len_utf8()..];
        Some(letter)
    }

    fn eat(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Parses up to the end or a closing parenthesis, which is not consumed.
    fn alternation(&mut self, switches: Switches) -> Option<Node> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut branches = vec![self.branch(switches)?];
        while self.eat("|") {
            branches.push(self.branch(switches)?);
        }
        self.depth -= 1;
        Some(if branches.len() == 1 { branches.pop()? } else { Node::Alternate(branches) })
    }

    fn branch(&mut self, switches: Switches) -> Option<Node> {
        let mut nodes = Vec::new();
        loop {
            if switches.extended {
                self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']);
            }
            match self.peek() {
                None | Some('|' | ')') => break,
                Some('(') => match self.group(switches)? {
                    Group::Node(node) => nodes.push(self.quantified(node, switches)?),
                    Group::Switches(inner) => {
                        // The switches apply up to the end of the enclosing group, including its further alternatives.
                        nodes.push(self.alternation(inner)?);
                        break;
                    }
                },
                Some(_) => {
                    let node = self.atom(switches)?;
                    nodes.push(self.quantified(node, switches)?);
                }
            }
        }
        Some(match nodes.len() {
            0 => Node::Empty,
            1 => nodes.pop()?,
            _ => Node::Concat(nodes),
        })
    }

    fn group(&mut self, switches: Switches) -> Option<Group> {
        let mut inner = switches;
        let mut capture = None;
        if !self.eat("(?") {
            self.eat("(");
            if !self.has_names {
                capture = Some(self.next_group());
            }
        } else if let Some(name) = self.rest.strip_prefix('<').filter(|name| !name.starts_with(['=', '!'])) {
            let end = name.find('>')?;
            self.rest = &name[end + 1..];
            capture = Some(self.next_group());
        } else if let Some((behind, negated)) = self.look() {
            let node = self.alternation(switches)?;
            return self.eat(")").then(|| Group::Node(Node::Look { behind, negated, node: Box::new(node) }));
        } else if self.eat(">") {
            let node = self.alternation(switches)?;
            return self.eat(")").then(|| Group::Node(Node::Atomic(Box::new(node))));
        } else {
            let (length, switched) = switches.after(self.rest.as_bytes())?;
            let isolated = self.rest[length..].starts_with(')');
            self.rest = &self.rest[length + 1..];
            if isolated {
                return Some(Group::Switches(switched));
            }
            inner = switched;
        }
        let node = self.alternation(inner)?;
        if !self.eat(")") {
            return None;
        }
        Some(Group::Node(match capture {
            Some(group) => Node::Capture { group, node: Box::new(node) },
            None => node,
        }))
    }

    /// Parses the sign of a look-around, after `(?`: whether it is a look-behind, and whether it is negated.
    fn look(&mut self) -> Option<(bool, bool)> {
        let signs = [("=", (false, false)), ("!", (false, true)), ("<=", (true, false)), ("<!", (true, true))];
        signs.into_iter().find(|(sign, _)| self.eat(sign)).map(|(_, look)| look)
    }

    fn next_group(&mut self) -> u32 {
        self.groups += 1;
        self.groups
    }

    fn atom(&mut self, switches: Switches) -> Option<Node> {
        let fold = switches.ignore_case;
        Some(match self.next()? {
            '.' => Node::Dot { newline: switches.multi_line },
            '^' => Node::Anchor(Anchor::LineStart),
            '$' => Node::Anchor(Anchor::LineEnd),
            '[' => Node::Class { class: self.class(switches)?, fold },
            '\\' => self.escape(switches)?,
            '*' | '+' | '?' => return None,
            '{' if self.interval_bounds().is_some() => return None,
            value => {
                if switches.extended && value.is_whitespace() {
                    return None;
                }
                Node::Char { value, fold }
            }
        })
    }

    fn escape(&mut self, switches: Switches) -> Option<Node> {
        let fold = switches.ignore_case;
        let letter = self.next()?;
        if let Some((set, negated)) = shorthand(letter) {
            let item = self.shorthand_item(set, negated, switches.mode)?;
            let class = Class { negated: false, operands: vec![vec![item]] };
            return Some(Node::Class { class, fold: false });
        }
        let ascii = switches.mode == Mode::Ascii;
        Some(match letter {
            'A' => Node::Anchor(Anchor::TextStart),
            'z' => Node::Anchor(Anchor::TextEnd),
            'Z' => Node::Anchor(Anchor::LastLineEnd),
            'G' => Node::Anchor(Anchor::SearchStart),
            'K' => Node::Keep,
            'p' | 'P' => {
                let operands = vec![vec![self.property(letter)?]];
                Node::Class { class: Class { negated: false, operands }, fold }
            }
            'b' => Node::Anchor(Anchor::Word { negated: false, ascii }),
            'B' => Node::Anchor(Anchor::Word { negated: true, ascii }),
            letter => Node::Char { value: self.escaped_char(letter)?, fold },
        })
    }

    fn shorthand_item(&self, set: Set, negated: bool, mode: Mode) -> Option<Item> {
        Some(Item::Set { set, negated, ascii: mode != Mode::Unicode })
    }

    /// Parses a property, after `\p` or `\P`.
    fn property(&mut self, letter: char) -> Option<Item> {
        let end = self.rest.strip_prefix('{')?.find('}')? + 2;
        let (property, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(Item::Property(format!("\\{letter}{property}")))
    }

    fn escaped_char(&mut self, letter: char) -> Option<char> {
        Some(match letter {
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'f' => '\x0c',
            'v' => '\x0b',
            'a' => '\x07',
            'e' => '\x1b',
            '0' => self.octal(letter)?,
            'x' => {
                let digits = self.rest.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
                let value = u8::from_str_radix(digits, 16).ok().filter(u8::is_ascii)?;
                self.rest = &self.rest[2..];
                char::from(value)
            }
            letter if letter.is_ascii_alphanumeric() => return None,
            letter => letter,
        })
    }

    /// Parses all quantifiers after the atom `node`.
    fn quantified(&mut self, mut node: Node, switches: Switches) -> Option<Node> {
        let mut first = true;
        loop {
            if switches.extended {
                self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']);
            }
            let (min, max, is_interval) = match self.peek() {
                Some('*') => (0, None, false),
                Some('+') => (1, None, false),
                Some('?') => (0, Some(1), false),
                Some('{') => match self.interval() {
                    Some(Some((min, max))) => (min, max, true),
                    Some(None) => return Some(node),
                    None => return None,
                },
                _ => return Some(node),
            };
            if !is_interval {
                self.next();
            }
            // The reduction of nested quantifiers is left to Oniguruma, except for plain counts.
            if !first && !is_interval {
                return None;
            }
            first = false;
            let fixed = is_interval && max == Some(min);
            let lazy = self.eat("?");
            let possessive = !lazy && !is_interval && self.eat("+");
            if matches!(node, Node::Anchor(_) | Node::Look { .. } | Node::Keep)
                || min.max(max.unwrap_or(0)) > MOST_REPEATS
                || max == Some(0)
            {
                return None;
            }
            node = Node::Repeat { node: Box::new(node), min, max, greedy: !lazy || fixed };
            if lazy && fixed {
                // `a{2}?` is an optional `a{2}`.
                node = Node::Repeat { node: Box::new(node), min: 0, max: Some(1), greedy: true };
            }
            if possessive {
                node = Node::Atomic(Box::new(node));
            }
        }
    }

    /// Parses `{…}` if it is an interval: `Some(None)` if it is literal text, `None` if it is invalid.
    fn interval(&mut self) -> Option<Option<(u32, Option<u32>)>> {
        let inside = self.rest.strip_prefix('{')?;
        let Some((length, min, max)) = interval_parts(inside) else { return Some(None) };
        self.rest = &inside[length + 1..];
        match max {
            Some(max) if max < min => None,
            max => Some(Some((min, max))),
        }
    }

    /// Whether an interval's bounds come next, after the brace.
    fn interval_bounds(&self) -> Option<(usize, u32, Option<u32>)> {
        interval_parts(self.rest)
    }

    /// Parses a class, from after the opening bracket up to and including the closing one.
    fn class(&mut self, switches: Switches) -> Option<Class> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut class = Class { negated: self.eat("^"), operands: vec![Vec::new()] };
        if self.rest.starts_with(']') {
            return None;
        }
        // A hyphen in first position is a literal character.
        if self.rest.starts_with('-') && !self.rest.starts_with("--") && self.eat("-") {
            class.operands.last_mut()?.push(Item::Range('-', '-'));
        }
        loop {
            if self.eat("]") {
                break;
            }
            if self.eat("&&") {
                class.operands.push(Vec::new());
                continue;
            }
            let item = self.class_item(switches)?;
            class.operands.last_mut()?.push(item);
        }
        self.depth -= 1;
        Some(class)
    }

    fn escaped_in_class(&mut self, letter: char) -> Option<char> {
        match letter {
            'b' => Some('\x08'),
            '0'..='7' => self.octal(letter),
            letter => self.escaped_char(letter),
        }
    }

    /// Parses a character given by up to three octal digits, of which this is the first.
    fn octal(&mut self, first: char) -> Option<char> {
        let mut value = first.to_digit(8)?;
        for _ in 0..2 {
            let Some(digit) = self.peek().and_then(|letter| letter.to_digit(8)) else { break };
            self.next();
            value = value * 8 + digit;
        }
        char::from_u32(value).filter(char::is_ascii)
    }

    fn class_item(&mut self, switches: Switches) -> Option<Item> {
        if let Some(after) = self.rest.strip_prefix("[:") {
            let (name, rest) = after.split_once(":]")?;
            self.rest = rest;
            let (negated, name) = name.strip_prefix('^').map_or((false, name), |name| (true, name));
            return Some(Item::Set { set: Set::named(name)?, negated, ascii: switches.mode == Mode::Ascii });
        }
        let low = match self.next()? {
            '[' => return Some(Item::Nested(self.class(switches)?)),
            '\\' => {
                let letter = self.next()?;
                if matches!(letter, 'p' | 'P') {
                    return self.property(letter);
                }
                if let Some((set, negated)) = shorthand(letter) {
                    if self.rest.starts_with('-') && !self.rest.starts_with("-]") {
                        return None;
                    }
                    return self.shorthand_item(set, negated, switches.mode);
                }
                self.escaped_in_class(letter)?
            }
            // A hyphen at the end is a literal character; elsewhere its meaning depends on its neighbours.
            '-' if !self.rest.starts_with(']') => return None,
            letter => letter,
        };
        if !self.rest.starts_with('-') || self.rest.starts_with("-]") {
            return Some(Item::Range(low, low));
        }
        self.next();
        let high = match self.next()? {
            '[' | '-' => return None,
            '&' if self.rest.starts_with('&') => return None,
            '\\' => {
                let letter = self.next()?;
                self.escaped_in_class(letter)?
            }
            letter => letter,
        };
        (low <= high).then_some(Item::Range(low, high))
    }
}

enum Group {
    Node(Node),
    Switches(Switches),
}

fn shorthand(letter: char) -> Option<(Set, bool)> {
    Some(match letter {
        'w' => (Set::Word, false),
        'W' => (Set::Word, true),
        'd' => (Set::Digit, false),
        'D' => (Set::Digit, true),
        's' => (Set::Space, false),
        'S' => (Set::Space, true),
        'h' => (Set::XDigit, false),
        'H' => (Set::XDigit, true),
        _ => return None,
    })
}

/// `2,5}…`: the length before the brace and the bounds. `None` if it is literal text.
fn interval_parts(inside: &str) -> Option<(usize, u32, Option<u32>)> {
    let length = inside.find('}')?;
    let number = |digits: &str| {
        let whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        // A count that does not fit is also too large for an automaton.
        whole.then(|| digits.parse().unwrap_or(u32::MAX))
    };
    match inside[..length].split_once(',') {
        None => number(&inside[..length]).map(|count| (length, count, Some(count))),
        Some(("", max)) => number(max).map(|max| (length, 0, Some(max))),
        Some((min, "")) => number(min).map(|min| (length, min, None)),
        Some((min, max)) => Some((length, number(min)?, Some(number(max)?))),
    }
}
