//! Whole sources: the outermost sequence, `BEGIN` and `END`.

use bytecode::{Intrinsic, Kind, Opcode, Sequence};
use ruby_prism::{PostExecutionNode, ProgramNode, StatementsNode};

use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::{Span, span};
use crate::options::SourceKind;

impl<'pr> Compiler<'pr> {
    pub fn program(&mut self, node: &ProgramNode<'pr>) -> Sequence {
        let unit = self.unit.clone();
        let (kind, name, block_depth) = match &unit.options.kind {
            SourceKind::Main => (Kind::Top, "<main>".to_string(), 0),
            SourceKind::Required => (Kind::Top, "<top (required)>".to_string(), 0),
            SourceKind::Eval { name, block_depth, .. } => (Kind::Eval, name.clone(), *block_depth),
        };
        let place = span(&node.as_node());
        let mut heading = self.heading(name, Span { start: 0, end: place.end });
        heading.first_line = unit.options.first_line;
        let facts = self.facts_of("ProgramNode", place);
        self.sequence(kind, heading, facts, |c| {
            c.scope().block_depth = block_depth;
            c.declare_rest_of(&node.locals());
            c.declare_flip_flops();
            let statements = node.statements();
            c.pre_executions(&statements);
            c.tail(&statements.as_node());
        })
    }

    /// `BEGIN { … }`: its statements come first. With `-n` and `-p` they are in the loop that the parser puts around
    /// the script.
    fn pre_executions(&mut self, statements: &StatementsNode<'pr>) {
        let in_loop = self.unit.options.command_line.n || self.unit.options.command_line.p;
        for statement in statements.body().iter() {
            if let Some(begin) = statement.as_pre_execution_node() {
                // Those inside of it come before it.
                if let Some(body) = begin.statements() {
                    self.pre_executions(&body);
                }
                self.statements(begin.statements(), None);
                self.flush_events();
            } else if in_loop && let Some(body) = statement.as_while_node().and_then(|loop_node| loop_node.statements())
            {
                for begin in body.body().iter().filter_map(|statement| statement.as_pre_execution_node()) {
                    self.statements(begin.statements(), None);
                    self.flush_events();
                }
            }
        }
    }

    /// `END { … }`: registered once, however often it is reached.
    pub fn post_execution(&mut self, node: &PostExecutionNode<'pr>, to: Wanted) {
        let place = span(&node.as_node());
        let statements = node.statements();
        let child = self.once(place, |c| {
            let register = c.next_temporary();
            let body = c.exit_block(place, statements);
            c.emit_wide(Opcode::Lambda, register, body);
            c.intrinsic(register, register, Intrinsic::AtExit);
            c.emit_leave(Opcode::Return, register);
        });
        let scratch = self.next_temporary();
        self.at(place);
        self.emit_wide(Opcode::Once, scratch, child);
        self.nil(to);
    }

    /// The body of an `END` as a block.
    fn exit_block(&mut self, place: Span, statements: Option<ruby_prism::StatementsNode<'pr>>) -> u32 {
        let heading = self.heading(self.scopes.last().map_or(String::new(), |s| s.heading.name.clone()), place);
        let facts = self.scope().facts.clone();
        let block_depth = self.scope().block_depth + 1;
        let sequence = self.sequence(Kind::Block, heading, facts, |c| {
            c.scope().transparent = true;
            c.scope().block_depth = block_depth;
            c.event(bytecode::Events::B_CALL);
            c.body(statements.map(|s| s.as_node()));
        });
        self.add_child(sequence)
    }
}
