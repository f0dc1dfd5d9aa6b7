//! `begin … rescue … else … ensure … end` and the `rescue` modifier.

use std::rc::Rc;

use bytecode::{Events, HandlerKind, Intrinsic, Opcode};
use ruby_prism::{BeginNode, Node, RescueModifierNode, RescueNode};

use crate::builder::{Control, EnsureBody, Label, Register, Restoration};
use crate::collections::is_splat;
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::span;

impl<'pr> Compiler<'pr> {
    pub fn begin(&mut self, node: &BeginNode<'pr>, to: Wanted) {
        let branch_points = self.counted.branch_points.len();
        match node.ensure_clause() {
            Some(ensure) => {
                let ensured = EnsureBody::Statements(ensure.statements().map(Rc::new));
                self.keeping(to, |c, kept| c.with_ensure(&ensured, |c| c.begin_rescue(node, kept)));
            }
            None => self.begin_rescue(node, to),
        }
        self.clauses_first(branch_points, node);
    }

    /// Compiles `body` under an ensure.
    pub fn with_ensure(&mut self, ensured: &EnsureBody<'pr>, body: impl FnOnce(&mut Self)) {
        let (handler, end) = (self.label(), self.label());
        let mark = self.mark();
        let caught = self.temporaries(2);
        self.release(mark);
        let region = self.open_region(HandlerKind::Ensure, handler, caught);
        self.scope().controls.push(Control::Ensure { body: ensured.clone(), region });
        body(self);
        self.flush_events();
        self.scope().controls.pop();
        self.close_region(region);
        self.ensure_body(ensured);
        if !self.covers_code(region) {
            return self.bind(end);
        }
        self.jump(end);
        self.bind(handler);
        self.reserve(caught + 1);
        let restoration = self.restoring(caught + 1, None, |c| c.ensure_body(ensured));
        self.rethrow(caught);
        self.write_restoration(restoration);
        self.release(mark);
        self.bind(end);
    }

    /// Compiles one copy of the body of an ensure.
    pub fn ensure_body(&mut self, body: &EnsureBody<'pr>) {
        if self.scope().unreachable {
            return;
        }
        match body {
            EnsureBody::Statements(None) => {}
            EnsureBody::Statements(Some(statements)) => {
                self.scope().last_event_line = None;
                let mark = self.mark();
                self.scope().controls.push(Control::Ensuring);
                self.statements(statements.as_node().as_statements_node(), None);
                self.flush_events();
                self.scope().controls.pop();
                self.release(mark);
                self.scope().last_event_line = None;
            }
            EnsureBody::LeaveHash(hash) => {
                let scratch = self.next_temporary();
                self.intrinsic(scratch, *hash, Intrinsic::HashLeave);
            }
        }
    }

    fn begin_rescue(&mut self, node: &BeginNode<'pr>, to: Wanted) {
        let Some(clause) = node.rescue_clause() else { return self.statements(node.statements(), to) };
        if let Some(to) = to {
            self.reserve(to);
        }
        let (handler, end) = (self.label(), self.label());
        let mark = self.mark();
        let caught = self.temporaries(2);
        self.release(mark);
        let retry = self.here();
        let region = self.open_region(HandlerKind::Rescue, handler, caught);
        self.scope().controls.push(Control::Region(region));
        self.statements(node.statements(), if node.else_clause().is_some() { None } else { to });
        self.flush_events();
        self.scope().controls.pop();
        self.close_region(region);
        if let Some(clause) = node.else_clause() {
            self.statements(clause.statements(), to);
        }
        self.jump(end);
        if self.covers_code(region) {
            self.bind(handler);
            self.reserve(caught + 1);
            let restoration = self.restoring(caught + 1, Some(retry), |c| c.rescue_clauses(clause, caught, to, end));
            self.rethrow(caught);
            self.write_restoration(restoration);
        }
        self.release(mark);
        self.bind(end);
    }

    fn rescue_clauses(&mut self, first: RescueNode<'pr>, caught: Register, to: Wanted, end: Label) {
        let mut clause = Some(first);
        while let Some(node) = clause {
            let (body, next) = (self.label(), self.label());
            self.rescue_tests(&node, caught, body);
            self.jump(next);
            self.bind(body);
            self.rescue_body(&node, caught, to);
            self.jump(end);
            self.bind(next);
            clause = node.subsequent();
        }
    }

    /// No clause matched, or the body of an ensure has finished: the unwinding continues.
    fn rethrow(&mut self, caught: Register) {
        self.intrinsic(caught + 1, caught + 1, Intrinsic::SetErrorInfo);
        self.emit(Opcode::Rethrow, caught, 0, 0);
        self.scope().unreachable = true;
    }

    /// Compiles code that runs with `$!` set by a handler: on every exit `$!` is restored.
    fn restoring(&mut self, saved: Register, retry: Option<Label>, body: impl FnOnce(&mut Self)) -> Restoration {
        let mark = self.mark();
        let state = self.temporaries(2);
        self.release(mark);
        let handler = self.label();
        let region = self.open_region(HandlerKind::Ensure, handler, state);
        self.scope().controls.push(Control::Rescued { saved, retry, region });
        body(self);
        self.scope().controls.pop();
        self.close_region(region);
        Restoration { handler, region, state, saved }
    }

    /// The handler of [`Self::restoring`]; control does not fall into it.
    fn write_restoration(&mut self, restoration: Restoration) {
        if self.covers_code(restoration.region) {
            self.bind(restoration.handler);
            self.intrinsic(restoration.saved, restoration.saved, Intrinsic::SetErrorInfo);
            self.emit(Opcode::Rethrow, restoration.state, 0, 0);
            self.scope().unreachable = true;
        }
    }

    /// Jumps to `body` if one of the clause's classes matches.
    fn rescue_tests(&mut self, node: &RescueNode<'pr>, caught: Register, body: Label) {
        let exceptions: Vec<Node<'pr>> = node.exceptions().iter().collect();
        self.scope().last_event_line = None;
        self.at(node.location());
        if exceptions.is_empty() {
            self.standard_error_test(caught, body);
        }
        for exception in &exceptions {
            let mark = self.mark();
            if is_splat(exception) {
                let list = self.temporary();
                self.splat(exception, list, false);
                self.any_element(list, |c, element| c.rescue_test(element, caught, body));
            } else {
                let class = self.operand(exception);
                self.at(span(exception));
                self.rescue_test(class, caught, body);
            }
            self.release(mark);
        }
    }

    fn standard_error_test(&mut self, caught: Register, body: Label) {
        let mark = self.mark();
        let class = self.temporary();
        self.intrinsic(class, class, Intrinsic::StandardErrorClass);
        self.rescue_test(class, caught, body);
        self.release(mark);
    }

    fn rescue_test(&mut self, class: Register, caught: Register, body: Label) {
        let result = self.next_temporary();
        self.emit_private(Opcode::RescueMatch, result, class, caught, b"===", 1);
        self.jump_on(Opcode::JumpIf, result, body);
    }

    /// Compiles `test` for each element of an array in a register.
    pub fn any_element(&mut self, array: Register, test: impl FnOnce(&mut Self, Register)) {
        let mark = self.mark();
        let index = self.temporary();
        let element = self.temporary();
        let window = self.next_temporary();
        self.use_up_to(window as u32 + 2);
        let (top, more, end) = (self.label(), self.label(), self.label());
        self.load_int(index, 0);
        self.bind(top);
        self.move_to(window, array);
        self.move_to(window + 1, index);
        self.intrinsic(element, window, Intrinsic::ArrayElementOrUndef);
        self.jump_on(Opcode::JumpGiven, element, more);
        self.jump(end);
        self.bind(more);
        test(self, element);
        self.intrinsic(index, index, Intrinsic::NextIndex);
        self.loop_to(top);
        self.bind(end);
        self.release(mark);
    }

    fn rescue_body(&mut self, node: &RescueNode<'pr>, caught: Register, to: Wanted) {
        self.event(Events::RESCUE);
        if let Some(reference) = node.reference() {
            self.assign_target(&reference, caught);
        }
        self.scope().last_event_line = None;
        self.statements(node.statements(), to);
        self.flush_events();
        self.intrinsic(caught, caught + 1, Intrinsic::SetErrorInfo);
    }

    pub fn rescue_modifier(&mut self, node: &RescueModifierNode<'pr>, to: Wanted) {
        if let Some(to) = to {
            self.reserve(to);
        }
        let (handler, body, end) = (self.label(), self.label(), self.label());
        let mark = self.mark();
        let caught = self.temporaries(2);
        self.release(mark);
        let retry = self.here();
        let region = self.open_region(HandlerKind::Rescue, handler, caught);
        self.scope().controls.push(Control::Region(region));
        self.compile(&node.expression(), to);
        self.flush_events();
        self.scope().controls.pop();
        self.close_region(region);
        if self.covers_code(region) {
            self.jump(end);
            self.bind(handler);
            self.reserve(caught + 1);
            self.at(span(&node.rescue_expression()));
            self.standard_error_test(caught, body);
            self.rethrow(caught);
            self.bind(body);
            self.event(Events::RESCUE);
            let restoration = self.restoring(caught + 1, Some(retry), |c| {
                c.compile(&node.rescue_expression(), to);
                c.flush_events();
            });
            self.intrinsic(caught, caught + 1, Intrinsic::SetErrorInfo);
            self.jump(end);
            self.write_restoration(restoration);
            self.release(mark);
        }
        self.bind(end);
    }
}
