//! `break`, `next`, `redo`, `retry`, `return`, and the constructs that they leave.

use bytecode::{Intrinsic, Kind, Opcode};
use ruby_prism::{ArgumentsNode, BreakNode, NextNode, RedoNode, RetryNode, ReturnNode};

use crate::builder::{Control, Register};
use crate::calls::argument_list;
use crate::collections::is_splat;
use crate::compiler::Compiler;

impl<'pr> Compiler<'pr> {
    pub fn break_out(&mut self, node: &BreakNode<'pr>) {
        if let Some((index, Control::Loop { break_label, result, .. })) = self.innermost_loop() {
            match result {
                Some(result) => {
                    self.value_of_arguments(node.arguments(), result);
                    self.reserve(result);
                }
                None => self.effects_of_arguments(node.arguments()),
            }
            return self.unwind(index, |c| c.jump(break_label));
        }
        match self.scope().kind {
            Kind::Block | Kind::Lambda => {
                let value = self.operand_of_arguments(node.arguments());
                self.at(node.location());
                self.emit_leave(Opcode::Break, value);
            }
            _ => self.fail(node.location().into(), "Invalid break"),
        }
    }

    pub fn next_iteration(&mut self, node: &NextNode<'pr>) {
        if let Some((index, Control::Loop { next_label, .. })) = self.innermost_loop() {
            self.effects_of_arguments(node.arguments());
            return self.unwind(index, |c| c.loop_or_jump(next_label));
        }
        match self.scope().kind {
            Kind::Block | Kind::Lambda | Kind::Once => {
                let value = self.operand_of_arguments(node.arguments());
                self.at(node.location());
                self.unwind(0, |c| {
                    c.event(bytecode::Events::AT_END);
                    c.emit_leave(Opcode::Return, value);
                });
            }
            _ => self.fail(node.location().into(), "Invalid next"),
        }
    }

    pub fn redo(&mut self, node: &RedoNode<'pr>) {
        if let Some((index, Control::Loop { redo_label, .. })) = self.innermost_loop() {
            return self.unwind(index, |c| c.loop_to(redo_label));
        }
        match (self.scope().kind, self.scope().body_label) {
            (Kind::Block | Kind::Lambda, Some(label)) => self.unwind(0, |c| c.loop_to(label)),
            _ => self.fail(node.location().into(), "Invalid redo"),
        }
    }

    pub fn retry(&mut self, node: &RetryNode<'pr>) {
        let controls = &self.scope().controls;
        let found = controls.iter().enumerate().rev().find_map(|(index, control)| match control {
            Control::Rescued { retry: Some(label), .. } => Some((index, *label)),
            _ => None,
        });
        match found {
            Some((index, label)) => self.unwind(index, |c| c.loop_to(label)),
            None => self.fail(node.location().into(), "Invalid retry without rescue"),
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
                Control::Loop { .. } => {}
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
