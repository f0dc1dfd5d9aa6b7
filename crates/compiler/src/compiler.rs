//! The state that all syntax families share: the stack of scopes, names, errors.

use memory::Grow;
use std::cell::Cell;
use std::rc::Rc;

use bytecode::sequence::Counted;
use bytecode::{Kind, Sequence, image::Bodies};

use crate::analysis::{Facts, ScopeFacts};
use crate::builder::{Heading, Register, Scope, Variable};
use crate::node::Span;
use crate::options::{EvalScope, Options, SourceKind};

/// Expressions nested deeper than this are refused.
const DEEPEST: usize = 40_000;

/// The source and its properties.
pub(crate) struct Unit<'pr> {
    pub options: &'pr Options,
    pub source: &'pr [u8],
    pub line_offsets: &'pr [u32],
    /// The index of the line that was asked for last: most nodes lie on it, or just after it.
    pub recent_line: Cell<usize>,
    pub encoding: u8,
    pub facts: Facts,
}

impl Unit<'_> {
    /// Line as Ruby counts it, column in bytes from 0.
    pub fn line_and_column(&self, offset: u32) -> (i32, u32) {
        let index = self.line_index(offset);
        let start = self.line_offsets.get(index).copied().unwrap_or(0);
        (self.options.first_line.wrapping_add(index as i32), offset - start)
    }

    fn line_index(&self, offset: u32) -> usize {
        let recent = self.recent_line.get();
        let is_at = |index: usize| self.line_offsets.get(index).is_some_and(|start| *start <= offset);
        let index = match is_at(recent) {
            true if !is_at(recent + 1) => return recent,
            true if !is_at(recent + 2) => recent + 1,
            _ => self.line_offsets.partition_point(|start| *start <= offset).saturating_sub(1),
        };
        self.recent_line.set(index);
        index
    }

    /// The length in bytes of the line that contains `offset`, without its newline.
    pub fn length_of_line(&self, offset: u32) -> u32 {
        let index = self.line_index(offset);
        let start = self.line_offsets.get(index).copied().unwrap_or(0);
        let end = self.line_offsets.get(index + 1).map_or(self.source.len() as u32, |next| next - 1);
        end.saturating_sub(start)
    }

    pub fn eval_scopes(&self) -> &[EvalScope] {
        match &self.options.kind {
            SourceKind::Eval { scopes, .. } => scopes,
            _ => &[],
        }
    }
}

/// An error that prism leaves to the compiler.
pub(crate) struct CompileError {
    pub line: i32,
    pub span: Span,
    pub message: String,
    /// Nested too deeply, which raises SystemStackError instead of SyntaxError.
    pub too_deep: bool,
}

pub(crate) struct Compiler<'pr> {
    pub unit: Rc<Unit<'pr>>,
    pub scopes: Vec<Scope<'pr>>,
    pub errors: Vec<CompileError>,
    /// Warnings in addition to the parser's: text, and whether it is only for `-w`.
    pub warnings: Vec<(String, bool)>,
    /// What coverage counts.
    pub counted: Counted,
    /// Where the bodies of methods go, if they are taken out of their sequences.
    pub bodies: Option<Bodies>,
    depth: usize,
    /// The `# shareable_constant_value:` in effect for the constant being assigned (1 literal, 2 everything, 4 a copy).
    pub shareable: i32,
    /// The constant path being assigned by `||=` or `&&=`, as it is written.
    pub shareable_path: Option<Vec<u8>>,
}

impl<'pr> Compiler<'pr> {
    pub fn new(unit: Rc<Unit<'pr>>) -> Compiler<'pr> {
        Compiler {
            unit,
            scopes: Vec::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
            counted: Counted::default(),
            bodies: None,
            depth: 0,
            shareable: 0,
            shareable_path: None,
        }
    }

    /// The scope of the sequence under construction.
    pub fn scope(&mut self) -> &mut Scope<'pr> {
        self.scopes.last_mut().unwrap_or_else(|| unreachable!("a scope is open while code is compiled"))
    }

    /// Compiles a nested sequence.
    pub fn sequence(
        &mut self,
        kind: Kind,
        heading: Heading,
        facts: Rc<ScopeFacts>,
        body: impl FnOnce(&mut Self),
    ) -> Sequence {
        self.scopes.append_one(Scope::new(kind, heading, facts));
        body(self);
        let scope = self.scopes.pop().unwrap_or_else(|| unreachable!("the scope that was just opened"));
        scope.finish()
    }

    /// The facts about the scope of a node.
    pub fn facts_of(&self, kind: &'static str, span: Span) -> Rc<ScopeFacts> {
        self.unit.facts.get(&(kind, span.start)).cloned().unwrap_or_default()
    }

    /// An empty sequence with the name and span.
    pub fn heading(&self, name: String, span: Span) -> Heading {
        let (first_line, first_column) = self.unit.line_and_column(span.start);
        let (last_line, last_column) = self.unit.line_and_column(span.end);
        Heading { name, first_line, last_line, first_column, last_column }
    }

    /// Runs `compile` one level deeper, on more native stack if necessary; fails at the maximum depth.
    pub fn deeper<T: Default>(&mut self, compile: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= DEEPEST {
            if !self.errors.iter().any(|e| e.too_deep) {
                let line = self.scope().line;
                self.errors.append_one(CompileError {
                    line,
                    span: Span { start: 0, end: 0 },
                    message: "stack level too deep".into(),
                    too_deep: true,
                });
            }
            return T::default();
        }
        self.depth += 1;
        let result = stacker::maybe_grow(128 << 10, 4 << 20, || compile(self));
        self.depth -= 1;
        result
    }

    pub fn fail(&mut self, span: Span, message: &str) {
        let (line, _) = self.unit.line_and_column(span.start);
        self.errors.append_one(CompileError { line, span, message: message.into(), too_deep: false });
    }

    /// An error for the whole unit being compiled.
    pub fn fail_at_line(&mut self, message: &str) {
        let line = self.scope().line;
        if !self.errors.iter().any(|e| e.message == message) {
            self.errors.append_one(CompileError {
                line,
                span: Span { start: 0, end: 0 },
                message: message.into(),
                too_deep: false,
            });
        }
    }

    /// Finds the variable that prism says is `depth` of its scopes out.
    pub fn variable(&mut self, name: &[u8], depth: u32) -> Variable {
        let mut remaining = depth;
        let mut level = 0;
        for scope in self.scopes.iter().rev() {
            if !scope.transparent {
                if remaining == 0 {
                    if let Some(register) = scope.names.get(name) {
                        return Variable {
                            level,
                            register: *register,
                            is_block_parameter: scope.parameters.block == Some(*register),
                        };
                    }
                    break;
                }
                remaining -= 1;
            }
            level += 1;
            if scope.is_base {
                break;
            }
        }
        if let Some(scope) = self.unit.eval_scopes().get(remaining as usize)
            && let Some((_, register)) = scope.locals.iter().find(|(n, _)| n == name)
        {
            let level = level + remaining as u16;
            return Variable {
                level,
                register: *register,
                is_block_parameter: scope.parameters.block == Some(*register),
            };
        }
        let message = format!("unknown local variable {}", memory::lossy_text(name));
        self.fail_at_line(&message);
        Variable { level: 0, register: 0, is_block_parameter: false }
    }

    /// Finds a hidden local of an enclosing method by its key; `of` picks it from the parameters of a scope outside an
    /// eval.
    pub fn hidden_variable(&mut self, key: &[u8], of: impl Fn(&EvalScope) -> Option<Register>) -> Option<Variable> {
        let mut level = 0;
        for scope in self.scopes.iter().rev() {
            if let Some(register) = scope.names.get(key) {
                return Some(Variable {
                    level,
                    register: *register,
                    is_block_parameter: scope.parameters.block == Some(*register),
                });
            }
            level += 1;
            if scope.is_base {
                return None;
            }
        }
        for scope in self.unit.eval_scopes() {
            if let Some(register) = of(scope) {
                return Some(Variable {
                    level,
                    register,
                    is_block_parameter: scope.parameters.block == Some(register),
                });
            }
            level += 1;
        }
        None
    }

    /// The level of the method, class or file, as a number of scopes, and its kind.
    pub fn base_level(&mut self) -> (u16, Kind) {
        let mut level = 0;
        for scope in self.scopes.iter().rev() {
            if scope.is_base {
                return (level, scope.kind);
            }
            level += 1;
        }
        let scopes = self.unit.eval_scopes();
        match scopes.last() {
            Some(base) => (level + scopes.len() as u16 - 1, base.kind),
            None => (level.saturating_sub(1), Kind::Top),
        }
    }
}
