//! Ordinary method calls; operators and their fast paths are in `operators`.

use bytecode::{CallFlags, CallInfo, Kind, Opcode};
use ruby_prism::{ArgumentsNode, CallNode, Node};

use crate::arguments::Passed;
use crate::branches;
use crate::builder::{Label, Register};
use crate::compiler::Compiler;
use crate::expression::Wanted;
use crate::node::Span;

impl<'pr> Compiler<'pr> {
    pub fn call(&mut self, node: &CallNode<'pr>, to: Wanted) {
        if self.primitive_call(node, to) {
        } else if node.is_attribute_write() {
            self.attribute_write(node, to);
        } else if node.is_safe_navigation() {
            self.safe_call(node, to);
        } else if self.block_call(node, to) {
        } else if !self.operator_call(node, to) {
            self.plain_call(node, to);
        }
    }

    /// `block.call(…)` of a method's &block parameter: yields if a literal block was passed, so that no Proc is made.
    fn block_call(&mut self, node: &CallNode<'pr>, to: Wanted) -> bool {
        let receiver = node.receiver().filter(|_| node.name().as_slice() == b"call" && node.block().is_none());
        let Some(variable) = receiver.and_then(|receiver| self.block_parameter_read(&receiver)) else { return false };
        let is_eval = matches!(self.unit.options.kind, crate::SourceKind::Eval { .. });
        if is_eval || self.base_level() != (variable.level, Kind::Method) {
            return false;
        }
        let window = self.temporary();
        self.emit(Opcode::GetBlockToCall, window, variable.level, variable.register);
        let mut passed = self.arguments(window + 1, node.arguments(), None, false);
        self.at(message_span(node));
        let (plain, end) = (self.label(), self.label());
        let to = to.unwrap_or(window);
        self.jump_on(Opcode::JumpGiven, window, plain);
        self.emit_site(Opcode::Yield, to, window, b"call", passed.clone(), variable.level);
        self.jump(end);
        self.bind(plain);
        passed.flags |= call_flags(node);
        self.emit_call(to, window, node.name().as_slice(), passed);
        self.bind(end);
        true
    }

    fn plain_call(&mut self, node: &CallNode<'pr>, to: Wanted) {
        let window = self.next_temporary();
        let (mut literal_receiver, mut lent_receiver) = (false, false);
        match node.receiver() {
            Some(receiver) => {
                let receiver = self.receiver_of_core_call(&receiver).unwrap_or(receiver);
                literal_receiver = self.borrowed_or_expression(&receiver, window);
                lent_receiver = self.is_lent_parameter(&receiver);
            }
            None => {
                self.at(message_span(node));
                self.load_self(window);
            }
        }
        self.reserve(window);
        self.call_on_window(node, to, window, (literal_receiver, lent_receiver));
    }

    /// `recv&.name(…)`: nil without evaluating the arguments.
    fn safe_call(&mut self, node: &CallNode<'pr>, to: Wanted) {
        let Some(receiver) = node.receiver() else { return self.plain_call(node, to) };
        let window = self.next_temporary();
        let receiver = self.receiver_of_core_call(&receiver).unwrap_or(receiver);
        self.expression(&receiver, window);
        self.reserve(window);
        let (nil, end) = (self.label(), self.label());
        let whole = branches::of_call(node);
        let point = self.branch_point("&.", whole);
        self.jump_on(Opcode::JumpNil, window, nil);
        self.branch(point, 0, "then", whole);
        self.call_on_window(node, to, window, (false, false));
        if point.is_none() {
            return self.nil_branch(nil, end, to, window);
        }
        self.counted_nil_branch(point, whole, (nil, end), to);
    }

    /// Like `nil_branch`, with branch-coverage counters.
    pub fn counted_nil_branch(&mut self, point: Option<usize>, whole: Span, (nil, end): (Label, Label), to: Wanted) {
        self.jump(end);
        self.bind(nil);
        self.branch(point, 1, "else", whole);
        self.nil(to);
        self.bind(end);
    }

    /// The branch around a `&.` call: if the receiver is nil, so is the value, which may already be in the right
    /// register.
    pub fn nil_branch(
        &mut self,
        nil: crate::builder::Label,
        end: crate::builder::Label,
        to: Wanted,
        holds_nil: Register,
    ) {
        if to.is_some_and(|to| to != holds_nil) {
            self.jump(end);
            self.bind(nil);
            self.nil(to);
        } else {
            self.bind(nil);
        }
        self.bind(end);
    }

    /// Compiles arguments, block and call. The receiver is in the window; it may be a literal or a lent parameter.
    fn call_on_window(
        &mut self,
        node: &CallNode<'pr>,
        to: Wanted,
        window: Register,
        (literal_receiver, lent_receiver): (bool, bool),
    ) {
        let mut passed = self.arguments(window + 1, node.arguments(), node.block().as_ref(), true);
        passed.literals |= u16::from(literal_receiver) << 15;
        passed.parameters |= u16::from(lent_receiver) << 15;
        passed.flags |= call_flags(node);
        if self.is_core_call(node) {
            passed.flags |= CallFlags::CORE;
        }
        self.at(message_span(node));
        self.emit_call(to.unwrap_or(window), window, node.name().as_slice(), passed);
    }

    /// Emits the call instruction that fits the arguments.
    pub fn emit_call(&mut self, to: Register, window: Register, name: &[u8], passed: Passed) {
        let keywords = CallFlags::KEYWORDS | CallFlags::KEYWORD_SPLAT;
        let complex = CallFlags::SPLAT | keywords | CallFlags::BLOCK_ARGUMENT | CallFlags::SYMBOL_BLOCK;
        let opcode = match (passed.flags & complex != 0, passed.block) {
            (true, _) => Opcode::CallComplex,
            (false, Some(_)) => Opcode::CallBlock,
            (false, None) => Opcode::Call,
        };
        self.emit_site(opcode, to, window, name, passed, 0);
    }

    pub fn emit_site(
        &mut self,
        opcode: Opcode,
        to: Register,
        window: Register,
        name: &[u8],
        passed: Passed,
        depth: u16,
    ) {
        if self.scope().unreachable {
            return;
        }
        let splats = passed.flags & CallFlags::SPLAT != 0;
        let elements = if splats { u32::from(passed.positional + CallInfo::MOST_TAKEN_APART) } else { 0 };
        self.use_up_to(window as u32 + 1 + passed.registers().max(elements));
        self.use_up_to(to as u32 + 1);
        let info = CallInfo {
            name: self.symbol_of(name),
            arguments: passed.positional,
            flags: CallFlags(passed.flags),
            keywords: passed.keywords,
            block: passed.block,
            depth,
            literal_arguments: passed.literals,
            lent_parameters: passed.parameters,
        };
        let site = self.call_site(info);
        self.emit_indexed(opcode, to, window, site);
    }

    /// Is the node a parameter that the method of a Ruby half only passes on?
    pub fn is_lent_parameter(&mut self, node: &Node<'pr>) -> bool {
        let Some(read) = node.as_local_variable_read_node() else { return false };
        let scope = self.scope();
        scope.lent.iter().any(|name| name == read.name().as_slice())
    }

    /// Compiles `node` into `to`. A plain string literal becomes its interned string, which the call copies if
    /// necessary; in that case returns true.
    pub fn borrowed_or_expression(&mut self, node: &Node<'pr>, to: Register) -> bool {
        if let Some(string) = node.as_string_node()
            && !string.is_frozen()
            && !string.is_mutable()
        {
            let literal = self.string_literal(&string);
            self.use_up_to(to as u32 + 1);
            let index = self.literal(literal);
            self.emit_wide(Opcode::LoadLiteral, to, index);
            return true;
        }
        self.expression(node, to);
        false
    }
}

/// Flags that depend on the form of the call.
pub(crate) fn call_flags(node: &CallNode<'_>) -> u16 {
    let mut flags = 0;
    if node.is_ignore_visibility() {
        flags |= CallFlags::SELF_CALL;
    }
    if node.is_variable_call() {
        flags |= CallFlags::VARIABLE;
    }
    if node.is_safe_navigation() {
        flags |= CallFlags::SAFE;
    }
    flags
}

/// The span that an error about the call underlines: from the dot to the end of the name.
pub(crate) fn message_span(node: &CallNode<'_>) -> Span {
    let location = node.location();
    let end = node.message_loc().map_or(location.end(), |m| m.end());
    let message = node.message_loc().map_or(location.start(), |m| m.start());
    // A dot on another line than the name does not count: the name determines the line.
    let start = node
        .call_operator_loc()
        .filter(|o| o.start_line() == node.message_loc().map_or(0, |m| m.start_line()))
        .map_or(message, |o| o.start());
    Span { start, end }
}

/// The arguments as a list.
pub(crate) fn argument_list<'pr>(arguments: &Option<ArgumentsNode<'pr>>) -> Vec<Node<'pr>> {
    arguments.as_ref().map_or(Vec::new(), |a| a.arguments().iter().collect())
}
