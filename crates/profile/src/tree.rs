//! The data of samples: functions, places in them, and the call tree, each stored once.

use std::sync::Arc;

use runtime::code::Source;
use rustc_hash::FxHashMap;

/// The kind of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Ruby code of the program and its libraries.
    Ruby,
    /// A core method that is written in Ruby.
    Core,
    /// A native method.
    Native,
    /// Time outside of methods: work of the interpreter.
    Collector,
    Compiler,
    Waiting,
    WantsLock,
}

impl Kind {
    /// The name of a state outside of methods.
    pub fn state(self) -> Option<&'static str> {
        Some(match self {
            Kind::Ruby | Kind::Core | Kind::Native => return None,
            Kind::Collector => "(collector)",
            Kind::Compiler => "(compiler)",
            Kind::Waiting => "(waiting)",
            Kind::WantsLock => "(waiting for the lock)",
        })
    }

    /// The name for pages and for programs.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Ruby => "ruby",
            Kind::Core => "core",
            Kind::Native => "native",
            Kind::Collector => "collector",
            Kind::Compiler => "compiler",
            Kind::Waiting => "waiting",
            Kind::WantsLock => "lock",
        }
    }
}

/// A method, block, class body or file.
#[derive(Clone, Debug)]
pub struct Function {
    /// As in backtraces: `Foo#bar`, `block in Foo.bar`, `<main>`.
    pub name: String,
    /// Empty if there is no file.
    pub path: String,
    pub first_line: i32,
    pub kind: Kind,
}

/// A line of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    pub function: u32,
    /// The line; 0 if there is none.
    pub line: i32,
    /// It ran as machine code.
    pub is_compiled: bool,
}

/// A place in the call tree: its parent called it from the parent's own place.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub parent: u32,
    pub place: u32,
}

/// The root of the tree, which has no place.
pub const ROOT: u32 = 0;

#[derive(Default)]
pub struct Tree {
    pub functions: Vec<Function>,
    pub places: Vec<Place>,
    /// The nodes; children come after their parents.
    pub nodes: Vec<Node>,
    /// The source of each path that was seen.
    pub sources: FxHashMap<String, Arc<Source>>,
    place_numbers: FxHashMap<Place, u32>,
    node_numbers: FxHashMap<(u32, u32), u32>,
}

impl Tree {
    pub fn new() -> Tree {
        Tree { nodes: vec![Node { parent: ROOT, place: u32::MAX }], ..Tree::default() }
    }

    pub fn add_function(&mut self, function: Function) -> u32 {
        self.functions.push(function);
        self.functions.len() as u32 - 1
    }

    pub fn place(&mut self, place: Place) -> u32 {
        let next = self.places.len() as u32;
        let number = *self.place_numbers.entry(place).or_insert(next);
        if number == next {
            self.places.push(place);
        }
        number
    }

    pub fn child(&mut self, parent: u32, place: u32) -> u32 {
        let next = self.nodes.len() as u32;
        let number = *self.node_numbers.entry((parent, place)).or_insert(next);
        if number == next {
            self.nodes.push(Node { parent, place });
        }
        number
    }

    pub fn function_of(&self, node: u32) -> &Function {
        &self.functions[self.places[self.nodes[node as usize].place as usize].function as usize]
    }

    pub fn place_of(&self, node: u32) -> Place {
        self.places[self.nodes[node as usize].place as usize]
    }

    /// The first line and the text of a source: what was compiled if it is known, otherwise the file.
    pub fn source_text(&self, path: &str) -> Option<(i32, String)> {
        let source = self.sources.get(path)?;
        let compiled = source.text.bytes();
        let text = if compiled.is_empty() {
            String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned()
        } else {
            String::from_utf8_lossy(&compiled).into_owned()
        };
        Some((source.first_line, text))
    }

    /// A node and its callers, innermost first, without the root.
    pub fn chain(&self, node: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(node), |node| Some(self.nodes[*node as usize].parent))
            .take_while(|node| *node != ROOT)
    }
}

/// The lines of the sources of a tree, each source split once.
pub struct Lines<'a> {
    tree: &'a Tree,
    known: FxHashMap<String, Option<(i32, Vec<String>)>>,
}

impl<'a> Lines<'a> {
    pub fn new(tree: &'a Tree) -> Lines<'a> {
        Lines { tree, known: FxHashMap::default() }
    }

    pub fn line(&mut self, path: &str, line: i32) -> Option<String> {
        if !self.known.contains_key(path) {
            let source = self.tree.source_text(path);
            let lines = source.map(|(first, text)| (first, text.split('\n').map(str::to_owned).collect()));
            self.known.insert(path.to_owned(), lines);
        }
        let (first, lines) = self.known.get(path)?.as_ref()?;
        lines.get(usize::try_from(line - first).ok()?).cloned()
    }
}
