//! Blocks and lambdas.

use bytecode::{CallFlags, Events, Kind, Opcode};
use ruby_prism::{BlockNode, ConstantList, LambdaNode, Node, SymbolNode};

use crate::arguments::Passed;
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::{Span, span};

impl<'pr> Compiler<'pr> {
    /// Compiles a literal block as a child; its index.
    pub fn block(&mut self, node: &BlockNode<'pr>) -> u32 {
        let place = span(&node.as_node());
        self.closure(Kind::Block, "BlockNode", place, place.start, &node.locals(), node.parameters(), node.body())
    }

    pub fn lambda(&mut self, node: &LambdaNode<'pr>, to: Wanted) {
        let Some(to) = to else { return };
        let place = span(&node.as_node());
        // Its line is that of the brace or `do`, behind the parameters.
        let opening = Span::from(node.opening_loc()).start;
        let (locals, parameters, body) = (node.locals(), node.parameters(), node.body());
        let child = self.closure(Kind::Lambda, "LambdaNode", place, opening, &locals, parameters, body);
        self.at(place);
        self.emit_wide(Opcode::Lambda, to, child);
    }

    #[allow(clippy::too_many_arguments)]
    fn closure(
        &mut self,
        kind: Kind,
        node_kind: &'static str,
        place: Span,
        opening: u32,
        locals: &ConstantList<'pr>,
        parameters: Option<Node<'pr>>,
        body: Option<Node<'pr>>,
    ) -> u32 {
        let mut heading = self.heading(self.scopes.last().map_or(String::new(), |s| s.heading.name.clone()), place);
        heading.first_line = self.unit.line_and_column(opening).0;
        let facts = self.facts_of(node_kind, place);
        let block_depth = self.scope().block_depth + 1;
        let sequence = self.sequence(kind, heading, facts, |c| {
            c.scope().block_depth = block_depth;
            c.at(Span { start: opening, ..place });
            c.event(Events::B_CALL);
            c.count_call();
            c.block_parameters(parameters, locals);
            if c.scope().facts.redoes {
                c.flush_events(); // A redo is no call.
            }
            let label = c.here();
            c.scope().body_label = Some(label);
            c.body(body);
        });
        self.add_child(sequence)
    }

    /// Compiles the block of `&:name` as a child; its index.
    pub fn symbol_block(&mut self, node: &SymbolNode<'pr>, name: &[u8]) -> u32 {
        let place = span(&node.as_node());
        let heading = self.heading(self.scopes.last().map_or(String::new(), |s| s.heading.name.clone()), place);
        let block_depth = self.scope().block_depth + 1;
        let sequence = self.sequence(Kind::Block, heading, Default::default(), |c| {
            c.scope().block_depth = block_depth;
            c.at(place);
            let value = c.declare(None);
            let parameters = &mut c.scope().parameters;
            (parameters.rest, parameters.packed, parameters.of_symbol) = (Some(value), true, true);
            let window = c.temporary();
            c.move_to(window, value);
            let passed = Passed { flags: CallFlags::PUBLIC, ..Passed::default() };
            c.emit_site(Opcode::Call, window, window, name, passed, 0);
            c.emit(Opcode::Return, window, 0, 0);
        });
        self.add_child(sequence)
    }

    /// Compiles the statements of a method, block or class, whose value leaves the frame.
    pub fn body(&mut self, body: Option<Node<'pr>>) {
        match body {
            Some(body) => self.tail(&body),
            None => self.leave_with_nil(),
        }
    }
}
