//! `a, (b.c, *d), e[0] = …`, and targets in general: those of `for`, `rescue` and destructuring parameters.
//!
//! Receivers and indexes of all targets are evaluated first, from left to right; then the right side; then the
//! assignments are made.

use bytecode::{CallFlags, Opcode};
use memory::{Grow, ToVector};
use ruby_prism::{MultiTargetNode, MultiWriteNode, Node};

use crate::arguments::Passed;
use crate::assignment::Place;
use crate::builder::Register;
use crate::calls::argument_list;
use crate::collections::is_splat;
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::{Span, span};

/// A target whose parts were evaluated.
enum Target {
    Place(Place, Span),
    Attribute {
        object: Register,
        name: Vec<u8>,
        flags: u16,
        span: Span,
    },
    Element {
        object: Register,
        first: Register,
        passed: Passed,
        span: Span,
    },
    Nested(Targets),
    /// `a, = x`, `*, a = x`: takes a value and discards it.
    Nothing,
}

/// A longer row of targets or values is processed in pieces.
const MOST_IN_REGISTERS: usize = 1000;

struct Targets {
    lefts: Vec<Target>,
    rest: Option<Box<Target>>,
    rights: Vec<Target>,
}

impl<'pr> Compiler<'pr> {
    pub fn multiple_write(&mut self, node: &MultiWriteNode<'pr>, to: Wanted) {
        self.keeping(to, |c, kept| {
            let lefts: Vec<Node<'pr>> = node.lefts().iter().collect();
            let rights: Vec<Node<'pr>> = node.rights().iter().collect();
            let value = node.value();
            let elements: Option<Vec<Node<'pr>>> = value.as_array_node().map(|a| a.elements().iter().collect());
            if kept.is_none()
                && node.rest().is_none()
                && rights.is_empty()
                && c.parallel_locals(&lefts, elements.as_deref())
            {
                return;
            }
            let targets = c.prepare_all(&lefts, node.rest(), &rights);
            match elements {
                Some(elements) if !elements.iter().any(is_splat) && elements.len() <= 256 => {
                    let row = c.next_temporary();
                    for element in &elements {
                        let slot = c.next_temporary();
                        c.expression(element, slot);
                        c.reserve(slot);
                    }
                    c.assign_row(&targets, row, elements.len());
                    if let Some(kept) = kept {
                        // The array is only the value of the assignment.
                        c.emit(Opcode::NewArray, kept, row, elements.len() as u16);
                    }
                }
                _ => {
                    let from = c.value_for_assignment(&value, kept);
                    c.at(node.location());
                    c.assign_array(&targets, from);
                }
            }
        });
    }

    /// `a, b = x, y` with different locals of this scope on the left: needs no array, and the last value no temporary.
    fn parallel_locals(&mut self, lefts: &[Node<'pr>], elements: Option<&[Node<'pr>]>) -> bool {
        let Some(elements) = elements else { return false };
        if lefts.len() != elements.len()
            || lefts.is_empty()
            || elements.len() > MOST_IN_REGISTERS
            || elements.iter().any(is_splat)
            || self.scope().transparent
        {
            return false;
        }
        let mut registers = Vec::new();
        for left in lefts {
            let Some(target) = left.as_local_variable_target_node() else { return false };
            let variable = self.variable(target.name().as_slice(), target.depth());
            if variable.level != 0 || registers.contains(&variable.register) {
                return false;
            }
            registers.append_one(variable.register);
        }
        let last = elements.len() - 1;
        let row = self.next_temporary();
        for element in &elements[..last] {
            let slot = self.next_temporary();
            self.expression(element, slot);
            self.reserve(slot);
        }
        self.expression(&elements[last], registers[last]);
        for (index, register) in registers[..last].iter().enumerate() {
            self.move_to(*register, row + index as Register);
        }
        true
    }

    /// Assigns the value in `from` to a target of any kind.
    pub fn assign_target(&mut self, node: &Node<'pr>, from: Register) {
        let mark = self.mark();
        let target = self.prepare(node);
        self.assign(&target, from);
        self.release(mark);
    }

    /// Destructures the array in `from`.
    pub fn destructure(&mut self, node: &MultiTargetNode<'pr>, from: Register) {
        self.assign_target(&node.as_node(), from);
    }

    /// The targets of a `for` as hidden parameters of its block.
    pub fn received_targets(&mut self, node: &MultiTargetNode<'pr>) {
        let lefts: Vec<Node<'pr>> = node.lefts().iter().collect();
        let rights: Vec<Node<'pr>> = node.rights().iter().collect();
        let mut received: Vec<(Node<'pr>, Register)> = Vec::new();
        for left in lefts {
            let register = self.declare(None);
            received.append_one((left, register));
            self.scope().parameters.required += 1;
        }
        match node.rest() {
            Some(Node::ImplicitRestNode { .. }) => self.scope().parameters.trailing_comma = true,
            Some(rest) => {
                let register = self.declare(None);
                self.scope().parameters.rest = Some(register);
                if let Some(target) = rest.as_splat_node().and_then(|s| s.expression()) {
                    received.append_one((target, register));
                }
            }
            None => {}
        }
        for right in rights {
            let register = self.declare(None);
            received.append_one((right, register));
            self.scope().parameters.post += 1;
        }
        for (target, register) in received {
            self.assign_target(&target, register);
        }
    }

    fn prepare_all(&mut self, lefts: &[Node<'pr>], rest: Option<Node<'pr>>, rights: &[Node<'pr>]) -> Targets {
        let lefts = lefts.iter().map(|n| self.prepare(n)).collect();
        let rest = match rest {
            Some(Node::ImplicitRestNode { .. }) | None => None,
            Some(rest) => Some(Box::new(match rest.as_splat_node().and_then(|s| s.expression()) {
                Some(target) => self.prepare(&target),
                None => Target::Nothing,
            })),
        };
        let rights = rights.iter().map(|n| self.prepare(n)).collect();
        Targets { lefts, rest, rights }
    }

    fn prepare(&mut self, node: &Node<'pr>) -> Target {
        let at = span(node);
        if let Some(n) = node.as_local_variable_target_node() {
            return Target::Place(Place::Local(self.variable(n.name().as_slice(), n.depth())), at);
        }
        if let Some(n) = node.as_required_parameter_node() {
            return Target::Place(Place::Local(self.variable(n.name().as_slice(), 0)), at);
        }
        if let Some(n) = node.as_instance_variable_target_node() {
            return Target::Place(Place::Ivar(n.name().as_slice().to_vector()), at);
        }
        if let Some(n) = node.as_class_variable_target_node() {
            return Target::Place(Place::ClassVariable(n.name().as_slice().to_vector()), at);
        }
        if let Some(n) = node.as_global_variable_target_node() {
            return Target::Place(Place::Global(n.name().as_slice().to_vector()), at);
        }
        if let Some(n) = node.as_constant_target_node() {
            return Target::Place(Place::Constant(n.name().as_slice().to_vector()), at);
        }
        self.prepare_compound(node, at)
    }

    fn prepare_compound(&mut self, node: &Node<'pr>, at: Span) -> Target {
        if let Some(n) = node.as_constant_path_target_node() {
            let parent = match n.parent() {
                Some(parent) => self.in_temporary(&parent),
                None => self.constant_parent(None),
            };
            return Target::Place(
                Place::ConstantFrom(parent, n.name().map_or(Vec::new(), |n| n.as_slice().to_vector())),
                at,
            );
        }
        if let Some(n) = node.as_multi_target_node() {
            let (lefts, rights): (Vec<_>, Vec<_>) = (n.lefts().iter().collect(), n.rights().iter().collect());
            return self
                .deeper(|c| Some(Target::Nested(c.prepare_all(&lefts, n.rest(), &rights))))
                .unwrap_or(Target::Nothing);
        }
        if let Some(n) = node.as_call_target_node() {
            let object = self.in_temporary(&n.receiver());
            let mut flags = CallFlags::ASSIGNMENT;
            if n.is_ignore_visibility() {
                flags |= CallFlags::SELF_CALL;
            }
            if n.is_safe_navigation() {
                flags |= CallFlags::SAFE;
            }
            return Target::Attribute { object, name: n.name().as_slice().to_vector(), flags, span: at };
        }
        if let Some(n) = node.as_index_target_node() {
            let object = self.in_temporary(&n.receiver());
            let first = self.next_temporary();
            let mut passed = self.fixed_arguments(&argument_list(&n.arguments()));
            passed.flags |= CallFlags::ASSIGNMENT | if n.is_ignore_visibility() { CallFlags::SELF_CALL } else { 0 };
            return Target::Element { object, first, passed, span: at };
        }
        if let Some(n) = node.as_splat_node()
            && let Some(inner) = n.expression()
        {
            return self.prepare(&inner);
        }
        Target::Nothing
    }

    /// The value in a register that no assignment changes.
    fn in_temporary(&mut self, node: &Node<'pr>) -> Register {
        if matches!(node, Node::SelfNode { .. }) {
            return crate::builder::SELF;
        }
        let register = self.next_temporary();
        self.expression(node, register);
        self.reserve(register);
        register
    }

    fn assign(&mut self, target: &Target, from: Register) {
        let mark = self.mark();
        match target {
            Target::Place(place, span) => {
                self.at(*span);
                self.write_place(place, from);
            }
            Target::Attribute { object, name, flags, span } => {
                let skip = self.label();
                if flags & CallFlags::SAFE != 0 {
                    self.jump_on(Opcode::JumpNil, *object, skip);
                }
                let window = self.temporaries(2);
                self.at(*span);
                self.move_to(window, *object);
                self.move_to(window + 1, from);
                self.emit_plain_call(window, window, name, 1, *flags);
                self.bind(skip);
            }
            Target::Element { object, first, passed, span } => {
                self.assign_element(*object, *first, passed.clone(), *span, from)
            }
            Target::Nested(targets) => self.deeper(|c| c.assign_array(targets, from)),
            Target::Nothing => {}
        }
        self.release(mark);
    }

    fn assign_element(&mut self, object: Register, first: Register, mut passed: Passed, span: Span, from: Register) {
        self.at(span);
        if passed.positional == 1 && passed.flags & CallFlags::SPLAT == 0 {
            self.emit(Opcode::IndexSet, object, first, from);
            self.emit_extension(b"[]=", 2, passed.flags);
            return;
        }
        let window = self.temporaries(passed.positional as usize + 2);
        self.move_to(window, object);
        for index in 0..passed.positional {
            self.move_to(window + 1 + index, first + index);
        }
        let slot = window + 1 + passed.positional;
        self.move_to(slot, from);
        self.append_argument(&mut passed, window, slot);
        self.emit_call(window, window, b"[]=", passed);
    }

    /// Destructures the value in `from` by to_ary.
    fn assign_array(&mut self, targets: &Targets, from: Register) {
        let mark = self.mark();
        let array = self.temporary();
        self.emit(Opcode::ToAry, array, from, 0);
        let (leading, post) = (targets.lefts.len(), targets.rights.len());
        // A rest without a name at the end is never made.
        let rest = targets.rest.as_deref().filter(|rest| post > 0 || !matches!(rest, Target::Nothing));
        let has_rest = rest.is_some();
        // Targets beyond the maximum row are processed in rounds, each from the rest of the previous one.
        let (early, late) = targets.lefts.split_at(leading - leading % MOST_IN_REGISTERS);
        for part in early.chunks(MOST_IN_REGISTERS) {
            let mark = self.mark();
            let row = self.temporaries(part.len() + 1);
            self.emit(Opcode::Expand, row, array, part.len() as u16);
            self.emit(Opcode::Extension, 1, 0, 0);
            for (register, target) in (row..).zip(part) {
                self.assign(target, register);
            }
            self.move_to(array, row + part.len() as Register);
            self.release(mark);
        }
        let leading = late.len();
        // Without a rest, post targets do not exist.
        let row = self.temporaries(leading + has_rest as usize + post);
        self.emit(Opcode::Expand, row, array, leading as u16);
        self.emit(Opcode::Extension, has_rest as u16, post as u16, 0);
        for (register, target) in (row..).zip(late.iter().chain(rest).chain(&targets.rights)) {
            self.assign(target, register);
        }
        self.release(mark);
    }

    /// Assigns `count` values that are in consecutive temporaries.
    fn assign_row(&mut self, targets: &Targets, row: Register, count: usize) {
        let (leading, post) = (targets.lefts.len(), targets.rights.len());
        let nil = if count < leading + post { self.nil_operand() } else { 0 };
        let value = |index: usize| if index < count { row + index as Register } else { nil };
        for (index, target) in targets.lefts.iter().enumerate() {
            self.assign(target, value(index));
        }
        let middle = count.saturating_sub(leading + post);
        if let Some(rest) = &targets.rest
            && !matches!(**rest, Target::Nothing)
        {
            let array = self.temporary();
            self.emit(Opcode::NewArray, array, row + leading.min(count) as Register, middle as u16);
            self.assign(rest, array);
        }
        for (index, target) in targets.rights.iter().enumerate() {
            self.assign(target, value(leading + middle + index));
        }
    }
}
