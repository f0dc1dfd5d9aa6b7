//! What to compile and how: the path, the kind of source, the variables that an eval sees, the command line's switches.

use bytecode::sequence::Local;
use bytecode::{Kind, Parameters};

#[derive(Clone, Debug)]
pub struct Options {
    pub path: String,
    pub first_line: i32,
    pub kind: SourceKind,
    /// `--enable=frozen-string-literal` and its opposite; the magic comment decides before it.
    pub frozen_string_literal: Option<bool>,
    /// The name of the source's encoding where no magic comment says another. For eval: the string's, which no comment changes when `encoding_locked`.
    pub encoding: Option<String>,
    pub encoding_locked: bool,
    pub command_line: CommandLine,
}

impl Options {
    pub fn new(path: impl Into<String>, kind: SourceKind) -> Options {
        Options {
            path: path.into(),
            first_line: 1,
            kind,
            frozen_string_literal: None,
            encoding: None,
            encoding_locked: false,
            command_line: CommandLine::default(),
        }
    }
}

/// `-e -n -p -a -l -x`
#[derive(Clone, Copy, Debug, Default)]
pub struct CommandLine {
    pub e: bool,
    pub n: bool,
    pub p: bool,
    pub a: bool,
    pub l: bool,
    pub x: bool,
}

#[derive(Clone, Debug)]
pub enum SourceKind {
    /// The script itself.
    Main,
    /// A file that is required or loaded.
    Required,
    Eval {
        /// The binding's scopes: the innermost first, up to and including the method, class or file.
        scopes: Vec<EvalScope>,
        /// Name and depth in blocks of the sequence that the binding belongs to, for labels in backtraces.
        name: String,
        block_depth: u16,
    },
}

/// One scope that an eval can see.
#[derive(Clone, Debug)]
pub struct EvalScope {
    pub kind: Kind,
    /// Visible names with their registers.
    pub locals: Vec<(Vec<u8>, u16)>,
    pub parameters: Parameters,
}

impl EvalScope {
    /// The scope that a sequence's frame makes.
    pub fn new(kind: Kind, parameters: &Parameters, locals: &[Local]) -> EvalScope {
        let locals = locals.iter().filter_map(|l| l.name.as_ref().map(|n| (n.bytes.clone(), l.register))).collect();
        EvalScope { kind, locals, parameters: parameters.clone() }
    }

    /// Whether the parameter in `register` has no name (`*`, `**`, `&`).
    pub(crate) fn is_anonymous(&self, register: u16) -> bool {
        !self.locals.iter().any(|(_, r)| *r == register)
    }
}
