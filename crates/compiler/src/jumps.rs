//! `break`, `next`, `redo`, `retry`, `return`, and the constructs that they leave.

use bytecode::{Intrinsic, Kind, Opcode};
use ruby_prism::{ArgumentsNode, BreakNode, NextNode, RedoNode, RetryNode, ReturnNode};

use crate::builder::{Control, Register, Scope};
use crate::calls::argument_list;
use crate::collections::is_splat;
use crate::compiler::Compiler;
use crate::node::{Span, span};

/// A jump that leaves the code of a class body for the loop or block around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escape {
    Break,
    Next,
    Redo,
}

/// The value of a `break` or `next`.
pub(crate) enum Carried<'pr> {
    Arguments(Option<ArgumentsNode<'pr>>),
    Register(Register),
}

impl<'pr> Compiler<'pr> {
    pub fn break_out(&mut self, node: &BreakNode<'pr>) {
        self.leave(Escape::Break, Carried::Arguments(node.arguments()), span(&node.as_node()));
    }

    pub fn next_iteration(&mut self, node: &NextNode<'pr>) {
        self.leave(Escape::Next, Carried::Arguments(node.arguments()), span(&node.as_node()));
    }

    pub fn redo(&mut self, node: &RedoNode<'pr>) {
        self.leave(Escape::Redo, Carried::Arguments(None), span(&node.as_node()));
    }

    /// `break`, `next` or `redo` of the innermost loop or block, perhaps out of class bodies in it.
    pub fn leave(&mut self, how: Escape, value: Carried<'pr>, place: Span) {
        if let Some((index, Control::Loop { break_label, next_label, redo_label, result })) = self.innermost_loop() {
            let label = match how {
                Escape::Break => break_label,
                Escape::Next => next_label,
                Escape::Redo => redo_label,
            };
            match (result, value) {
                (Some(result), Carried::Arguments(arguments)) if how == Escape::Break => {
                    self.value_of_arguments(arguments, result);
                    self.reserve(result);
                }
                (Some(result), Carried::Register(register)) if how == Escape::Break => self.move_to(result, register),
                (_, Carried::Arguments(arguments)) => self.effects_of_arguments(arguments),
                (_, Carried::Register(_)) => {}
            }
            return self.unwind(index, |c| c.loop_or_jump(label));
        }
        match (self.scope().kind, how) {
            (Kind::Block | Kind::Lambda, Escape::Break) => {
                let value = self.carried(value);
                self.at(place);
                self.emit_leave(Opcode::Break, value);
            }
            (Kind::Block | Kind::Lambda | Kind::Once, Escape::Next) => {
                let value = self.carried(value);
                self.at(place);
                self.unwind(0, |c| {
                    c.event(bytecode::Events::AT_END);
                    c.emit_leave(Opcode::Return, value);
                });
            }
            (Kind::Block | Kind::Lambda, Escape::Redo) if let Some(label) = self.scope().body_label => {
                self.unwind(0, |c| c.loop_to(label));
            }
            (Kind::Class, _) if self.can_leave_class_body() => {
                let value = self.carried(value);
                self.at(place);
                self.unwind(0, |c| c.leave_class_body(value, Some(how)));
            }
            (_, Escape::Break) => self.fail(place, "Invalid break"),
            (_, Escape::Next) => self.fail(place, "Invalid next"),
            (_, Escape::Redo) => self.fail(place, "Invalid redo"),
        }
    }

    fn carried(&mut self, value: Carried<'pr>) -> Register {
        match value {
            Carried::Arguments(arguments) => self.operand_of_arguments(arguments),
            Carried::Register(register) => register,
        }
    }

    /// Whether a loop or block is around the code and the class bodies around it.
    pub fn can_leave_class_body(&self) -> bool {
        let is_in_loop = |scope: &Scope<'pr>| scope.controls.iter().any(|c| matches!(c, Control::Loop { .. }));
        for scope in self.scopes.iter().rev() {
            match scope.kind {
                _ if is_in_loop(scope) => return true,
                Kind::Block | Kind::Lambda => return true,
                Kind::Class => {}
                Kind::Once | Kind::Top | Kind::Method | Kind::Eval => return false,
            }
        }
        false
    }

    /// Starts the code again whose exception the innermost rescue caught, unless it is an ensure or a block that is
    /// around the `retry`; the parser has reported one without any rescue.
    pub fn retry(&mut self, node: &RetryNode<'pr>) {
        let controls = &self.scope().controls;
        let found = controls.iter().enumerate().rev().find_map(|(index, control)| match control {
            Control::Rescued { retry: Some(label), .. } => Some(Some((index, *label))),
            Control::Ensuring => Some(None),
            _ => None,
        });
        match found.flatten() {
            Some((index, label)) => self.unwind(index, |c| c.loop_to(label)),
            None => {
                self.at(node.location());
                self.fail_at_line("Invalid retry");
            }
        }
    }

    pub fn return_value(&mut self, node: &ReturnNode<'pr>) {
        let value = self.operand_of_arguments(node.arguments());
        self.at(node.location());
        if self.scope().kind == Kind::Top && node.arguments().is_some() {
            let path = &self.unit.options.path;
            self.warnings.push((format!("{path}: warning: argument of top-level return is ignored"), false));
        }
        match self.scope().kind {
            Kind::Method | Kind::Lambda | Kind::Top => self.unwind(0, |c| {
                c.at(node.location());
                c.emit_leave(Opcode::Return, value);
            }),
            // In `class << self`, `return` leaves the enclosing method.
            Kind::Block | Kind::Eval | Kind::Once | Kind::Class => {
                self.emit_leave(Opcode::ReturnOuter, value);
            }
        }
    }

    fn innermost_loop(&mut self) -> Option<(usize, Control<'pr>)> {
        let controls = &self.scope().controls;
        let index = controls.iter().rposition(|c| matches!(c, Control::Loop { .. }))?;
        Some((index, controls[index].clone()))
    }

    /// Jumps back to a bound label with a safepoint, forward to an unbound one.
    fn loop_or_jump(&mut self, label: crate::builder::Label) {
        if self.is_bound(label) { self.loop_to(label) } else { self.jump(label) }
    }

    /// Leaves all controls from `keep` on, innermost first: bodies of ensure run inline, outside their own handlers.
    /// Then `leave` jumps.
    pub fn unwind(&mut self, keep: usize, leave: impl FnOnce(&mut Self)) {
        if self.scope().unreachable {
            return;
        }
        let all = self.scope().controls.clone();
        let has_ensure = all[keep..].iter().any(|c| matches!(c, Control::Ensure { .. }));
        let mut suspended = Vec::new();
        for index in (keep..all.len()).rev() {
            self.scope().controls.truncate(index);
            match &all[index] {
                Control::Loop { .. } | Control::Ensuring => {}
                Control::Region(region) => {
                    if has_ensure {
                        self.suspend_region(*region);
                        suspended.push(*region);
                    }
                }
                Control::Ensure { body, region } => {
                    self.suspend_region(*region);
                    suspended.push(*region);
                    self.ensure_body(body);
                }
                Control::Rescued { saved, region, .. } => {
                    self.intrinsic(*saved, *saved, Intrinsic::SetErrorInfo);
                    self.suspend_region(*region);
                    suspended.push(*region);
                }
            }
        }
        leave(self);
        self.scope().controls = all;
        for region in suspended {
            self.resume_region(region);
        }
    }

    /// The value of `break a, b`, `return *c` and so on: nil, the only argument, or an array.
    pub fn value_of_arguments(&mut self, arguments: Option<ArgumentsNode<'pr>>, to: Register) {
        let list = argument_list(&arguments);
        match list.as_slice() {
            [] => self.load_nil(to),
            [only] if !is_splat(only) => self.expression(only, to),
            many => self.array_of(many, to),
        }
    }

    /// Like `operand`, in any register that bodies of ensure do not change.
    fn operand_of_arguments(&mut self, arguments: Option<ArgumentsNode<'pr>>) -> Register {
        let list = argument_list(&arguments);
        let plain =
            !self.scope().controls.iter().any(|c| matches!(c, Control::Ensure { .. } | Control::Rescued { .. }));
        if let [only] = list.as_slice()
            && !is_splat(only)
            && plain
        {
            return self.operand(only);
        }
        let to = self.next_temporary();
        self.value_of_arguments(arguments, to);
        self.reserve(to);
        to
    }

    fn effects_of_arguments(&mut self, arguments: Option<ArgumentsNode<'pr>>) {
        for node in argument_list(&arguments) {
            if is_splat(&node) {
                let scratch = self.next_temporary();
                self.splat(&node, scratch, false);
            } else {
                self.effect(&node);
            }
        }
    }
}
