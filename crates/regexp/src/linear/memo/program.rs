//! The program of the matcher: a list of steps, in which each choice has a number for recording its outcomes.

use regex_syntax::hir::ClassUnicode;

use super::super::ast::{Anchor, Node};
use super::super::engine::Text;
use super::super::hir::Lowering;
use super::super::start::Start;

/// Larger programs use Oniguruma.
const MOST_STEPS: usize = 20_000;

pub(in super::super) struct Program {
    pub(super) steps: Vec<Step>,
    pub(super) classes: Vec<Class>,
    /// The number of choices.
    pub(super) choices: usize,
    pub(super) groups: usize,
    /// Whether a repetition without an upper bound may match the empty text: only a memo ends it then.
    pub(super) needs_memo: bool,
    /// Where a match may begin, if that is known.
    pub(super) start: Option<Start>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// One character of the class.
    Class(usize),
    /// Continues at the first, and at the second if that fails. With `many`, the next step is a class that is repeated
    /// greedily and without an upper bound.
    Choice {
        first: usize,
        second: usize,
        number: usize,
        many: Option<usize>,
    },
    Jump(usize),
    /// Stores the position in a slot; slot 0 is the start of the match.
    Save(usize),
    Assert(Anchor, Option<usize>),
    /// Tests whether the part from the next step to its `Accept` matches here (or this many characters earlier), or
    /// does not match. Then continues at `after`.
    Look {
        behind: Option<usize>,
        negated: bool,
        after: usize,
    },
    /// Takes the first match of the part from the next step to its `Accept`, without alternatives. Then continues at
    /// `after`.
    Atomic {
        after: usize,
    },
    Fail,
    Accept,
}

/// A set of characters: bits for the ASCII ones, ranges in order for all.
pub(super) struct Class {
    ascii: u128,
    ranges: Vec<(char, char)>,
}

impl Class {
    fn new(class: &ClassUnicode) -> Class {
        let ranges: Vec<(char, char)> = class.ranges().iter().map(|range| (range.start(), range.end())).collect();
        let holds = |letter: u8| ranges.iter().any(|(low, high)| (*low..=*high).contains(&char::from(letter)));
        let ascii = (0..128).filter(|letter| holds(*letter)).fold(0, |bits, letter| bits | 1 << letter);
        Class { ascii, ranges }
    }

    #[inline]
    pub fn has(&self, letter: char) -> bool {
        if letter.is_ascii() {
            return self.ascii >> (letter as u32) & 1 != 0;
        }
        let after = self.ranges.partition_point(|(low, _)| *low <= letter);
        after > 0 && letter <= self.ranges[after - 1].1
    }
}

impl Program {
    /// `None` if the result could differ from Oniguruma's.
    pub fn compile(node: &Node, text: Text, groups: usize, start: Option<Start>) -> Option<Program> {
        let program = Program { steps: Vec::new(), classes: Vec::new(), choices: 0, groups, needs_memo: false, start };
        let mut compiler = Compiler { program, lowering: Lowering::new(text), looks: 0 };
        compiler.node(node)?;
        compiler.emit(Step::Accept)?;
        Some(compiler.program)
    }
}

struct Compiler {
    program: Program,
    lowering: Lowering,
    /// The depth of nesting in groups that are entered separately.
    looks: usize,
}

impl Compiler {
    fn emit(&mut self, step: Step) -> Option<usize> {
        let steps = &mut self.program.steps;
        (steps.len() < MOST_STEPS).then(|| steps.push(step))?;
        Some(steps.len() - 1)
    }

    fn here(&self) -> usize {
        self.program.steps.len()
    }

    fn choice(&mut self, first: usize, second: usize) -> Option<usize> {
        let number = self.program.choices;
        self.program.choices += 1;
        self.emit(Step::Choice { first, second, number, many: None })
    }

    fn class(&mut self, class: &ClassUnicode) -> usize {
        self.program.classes.push(Class::new(class));
        self.program.classes.len() - 1
    }

    fn node(&mut self, node: &Node) -> Option<()> {
        match node {
            Node::Empty => {}
            Node::Char { .. } | Node::Dot { .. } | Node::Class { .. } => {
                let class = self.lowering.characters(node)?;
                let class = self.class(&class);
                self.emit(Step::Class(class))?;
            }
            Node::Anchor(anchor) => {
                let words = match anchor {
                    Anchor::Word { ascii, .. } => {
                        let class = self.lowering.word(*ascii)?;
                        Some(self.class(&class))
                    }
                    _ => None,
                };
                self.emit(Step::Assert(*anchor, words))?;
            }
            Node::Keep | Node::Capture { .. } if self.looks > 0 => return None,
            Node::Keep => {
                self.emit(Step::Save(0))?;
            }
            Node::Capture { group, node } => {
                self.emit(Step::Save(*group as usize * 2))?;
                self.node(node)?;
                self.emit(Step::Save(*group as usize * 2 + 1))?;
            }
            Node::Concat(nodes) => nodes.iter().try_for_each(|node| self.node(node))?,
            Node::Alternate(nodes) => self.alternatives(nodes)?,
            Node::Repeat { node: inner, min, max, greedy } => {
                // As for an automaton: engines differ on what a repetition does after an empty iteration.
                if !node.repeats_plainly() {
                    return None;
                }
                self.repetition(inner, *min, *max, *greedy)?;
            }
            Node::Look { behind, negated, node } => self.look(*behind, *negated, node)?,
            Node::Atomic(node) => {
                let start = self.emit(Step::Fail)?;
                self.inside(node)?;
                self.program.steps[start] = Step::Atomic { after: self.here() };
            }
        }
        Some(())
    }

    /// A part that is entered separately and ends in `Accept`.
    fn inside(&mut self, node: &Node) -> Option<()> {
        self.looks += 1;
        self.node(node)?;
        self.looks -= 1;
        self.emit(Step::Accept).map(drop)
    }

    fn look(&mut self, behind: bool, negated: bool, node: &Node) -> Option<()> {
        let single = [node.clone()];
        let branches: &[Node] = match node {
            Node::Alternate(nodes) if behind => nodes,
            _ => &single,
        };
        // In a look-behind each alternative has its own length: one of them must match, or none.
        if negated || branches.len() == 1 {
            return branches.iter().try_for_each(|branch| self.look_one(behind, negated, branch));
        }
        let mut ends = Vec::new();
        for (index, branch) in branches.iter().enumerate() {
            let choice = if index + 1 < branches.len() { Some(self.choice(0, 0)?) } else { None };
            self.look_one(behind, false, branch)?;
            ends.push(self.emit(Step::Fail)?);
            self.set_choice(choice, true);
        }
        let end = self.here();
        ends.into_iter().for_each(|jump| self.program.steps[jump] = Step::Jump(end));
        Some(())
    }

    fn look_one(&mut self, behind: bool, negated: bool, node: &Node) -> Option<()> {
        let behind = if behind { Some(node.fixed_length()?) } else { None };
        let start = self.emit(Step::Fail)?;
        self.inside(node)?;
        self.program.steps[start] = Step::Look { behind, negated, after: self.here() };
        Some(())
    }

    /// Sets the branches of a choice: first after it and then here, or the reverse.
    fn set_choice(&mut self, choice: Option<usize>, greedy: bool) {
        let Some(at) = choice else { return };
        let here = self.here();
        if let Step::Choice { first, second, .. } = &mut self.program.steps[at] {
            (*first, *second) = if greedy { (at + 1, here) } else { (here, at + 1) };
        }
    }

    fn alternatives(&mut self, nodes: &[Node]) -> Option<()> {
        let mut ends = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            let choice = if index + 1 < nodes.len() { Some(self.choice(0, 0)?) } else { None };
            self.node(node)?;
            if choice.is_some() {
                ends.push(self.emit(Step::Fail)?);
            }
            self.set_choice(choice, true);
        }
        let end = self.here();
        ends.into_iter().for_each(|jump| self.program.steps[jump] = Step::Jump(end));
        Some(())
    }

    fn repetition(&mut self, node: &Node, min: u32, max: Option<u32>, greedy: bool) -> Option<()> {
        (0..min).try_for_each(|_| self.node(node))?;
        let Some(max) = max else {
            self.program.needs_memo |= node.min_length() == 0;
            let again = self.choice(0, 0)?;
            self.node(node)?;
            self.emit(Step::Jump(again))?;
            self.set_choice(Some(again), greedy);
            let repeated = match self.program.steps[again + 1] {
                Step::Class(class) if greedy && self.here() == again + 3 => Some(class),
                _ => None,
            };
            if let Step::Choice { many, .. } = &mut self.program.steps[again] {
                *many = repeated;
            }
            return Some(());
        };
        let mut choices = Vec::new();
        for _ in min..max {
            choices.push(self.choice(0, 0)?);
            self.node(node)?;
        }
        choices.into_iter().for_each(|choice| self.set_choice(Some(choice), greedy));
        Some(())
    }
}
