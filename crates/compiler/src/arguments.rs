//! Arguments of calls, `super` and `yield`: laid out in the registers after the receiver.

use bytecode::{CallFlags, Opcode, Symbol};
use memory::Grow;
use ruby_prism::{ArgumentsNode, Node};

use crate::analysis::is_inert;
use crate::builder::{Register, Variable};
use crate::calls::argument_list;
use crate::collections::is_splat;
use crate::compiler::Compiler;
use crate::node::span;

/// The arguments of a call, as its site describes them to the interpreter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passed {
    pub positional: u16,
    pub flags: u16,
    pub keywords: Vec<Symbol>,
    pub block: Option<u32>,
    pub literals: u16,
    /// As `CallInfo::lent_parameters`.
    pub parameters: u16,
}

impl Passed {
    /// Registers after the receiver's.
    pub fn registers(&self) -> u32 {
        let one = |flag: u16| (self.flags & flag != 0) as u32;
        self.positional as u32
            + self.keywords.len() as u32
            + one(CallFlags::KEYWORD_SPLAT)
            + one(CallFlags::BLOCK_ARGUMENT)
    }
}

/// `*nil`
fn is_splat_of_nil(node: &Node<'_>) -> bool {
    let value = node.as_splat_node().and_then(|splat| splat.expression());
    value.is_some_and(|value| matches!(value, Node::NilNode { .. }))
}

/// `**nil`
fn is_double_splat_of_nil(node: &Node<'_>) -> bool {
    let value = node.as_assoc_splat_node().and_then(|splat| splat.value());
    value.is_some_and(|value| matches!(value, Node::NilNode { .. }))
}

/// Keyword arguments whose evaluation does not change any array.
fn is_inert_hash(node: &Node<'_>) -> bool {
    let inert = |element: Node<'_>| match (element.as_assoc_node(), element.as_assoc_splat_node()) {
        (Some(pair), _) => is_inert(&pair.key()) && is_inert(&pair.value()),
        // As in CRuby, `to_hash` is not expected to change the Array.
        (_, Some(splat)) => splat.value().is_none_or(|value| is_inert(&value)),
        _ => false,
    };
    node.as_keyword_hash_node().is_some_and(|hash| hash.elements().iter().all(inert))
}

/// More positional arguments than this are passed as one array.
const MOST_IN_REGISTERS: usize = 1000;

impl<'pr> Compiler<'pr> {
    /// Compiles arguments and block into the free registers from `first` on. `borrow`: string literals may be passed as
    /// their interned strings.
    pub fn arguments(
        &mut self,
        first: Register,
        arguments: Option<ArgumentsNode<'pr>>,
        block: Option<&Node<'pr>>,
        borrow: bool,
    ) -> Passed {
        let mut list = argument_list(&arguments);
        let mut passed = Passed::default();
        if list.last().is_some_and(|n| matches!(n, Node::ForwardingArgumentsNode { .. })) {
            list.pop();
            self.forwarded_arguments(first, &list, &mut passed);
        } else {
            let keywords = if matches!(list.last(), Some(Node::KeywordHashNode { .. })) { list.pop() } else { None };
            list.retain(|node| !is_splat_of_nil(node));
            let block_argument = block.filter(|b| matches!(b, Node::BlockArgumentNode { .. }));
            let block_code =
                block_argument.and_then(|b| b.as_block_argument_node()?.expression()).is_some_and(|e| !is_inert(&e));
            let later_code = block_code || keywords.as_ref().is_some_and(|k| !is_inert_hash(k));
            self.positional(&list, &mut passed, borrow, later_code);
            if let Some(keywords) = keywords {
                self.keyword_arguments(&keywords, &mut passed, block_code);
            }
        }
        match block {
            Some(Node::BlockArgumentNode { .. }) => self.block_argument(block, &mut passed),
            Some(block) => {
                if let Some(node) = block.as_block_node() {
                    passed.block = Some(self.block(&node));
                }
            }
            None => {}
        }
        passed
    }

    fn positional(&mut self, list: &[Node<'pr>], passed: &mut Passed, borrow: bool, later_code: bool) {
        if list.iter().any(is_splat) || list.len() > MOST_IN_REGISTERS {
            self.splatted(list, passed, later_code);
            return;
        }
        for (index, node) in list.iter().enumerate() {
            let slot = self.next_temporary();
            if borrow && index < 15 {
                if self.borrowed_or_expression(node, slot) {
                    passed.literals |= 1 << index;
                } else if self.is_lent_parameter(node) {
                    passed.parameters |= 1 << index;
                }
            } else {
                self.expression(node, slot);
            }
            self.reserve(slot);
        }
        passed.positional = list.len() as u16;
    }

    /// Arguments with a splat: those before one that is the last in registers, all others as one Array.
    fn splatted(&mut self, list: &[Node<'pr>], passed: &mut Passed, later_code: bool) {
        passed.flags |= CallFlags::SPLAT;
        let Some((last, before)) = list.split_last().filter(|(last, before)| {
            is_splat(last) && !before.iter().any(is_splat) && before.len() < MOST_IN_REGISTERS
        }) else {
            let slot = self.temporary();
            passed.positional = 1;
            self.array_of(list, slot);
            passed.flags |= CallFlags::OWN_SPLAT;
            return;
        };
        for node in before {
            let slot = self.next_temporary();
            self.expression(node, slot);
            self.reserve(slot);
        }
        let slot = self.temporary();
        self.splat(last, slot, later_code);
        if later_code && before.is_empty() {
            passed.flags |= CallFlags::OWN_SPLAT;
        }
        passed.positional = list.len() as u16;
    }

    /// `later_code`: the block argument is code that may change the Hash of `**hash`.
    fn keyword_arguments(&mut self, node: &Node<'pr>, passed: &mut Passed, later_code: bool) {
        let Some(hash) = node.as_keyword_hash_node() else { return };
        let elements: Vec<Node<'pr>> = memory::collect(hash.elements().iter());
        // With a splat, the callee gets a Hash rather than values in registers: a literal one need not be made.
        if passed.flags & CallFlags::SPLAT != 0
            && let Some(pairs) = elements.iter().map(|e| e.as_assoc_node()).collect::<Option<Vec<_>>>()
            && let Some(literal) = self.literal_hash(&pairs)
        {
            let slot = self.temporary();
            self.load_literal(slot, literal);
            passed.flags |= CallFlags::KEYWORD_SPLAT;
            return;
        }
        if let Some(names) = self.plain_keywords(&elements) {
            for element in &elements {
                let slot = self.next_temporary();
                if let Some(pair) = element.as_assoc_node() {
                    self.expression(&pair.value(), slot);
                }
                self.reserve(slot);
            }
            passed.keywords = names;
            passed.flags |= CallFlags::KEYWORDS;
            return;
        }
        let slot = self.temporary();
        passed.flags |= CallFlags::KEYWORD_SPLAT;
        match elements.as_slice() {
            [only] if is_double_splat_of_nil(only) => self.emit(Opcode::LoadNil, slot, 0, 0),
            // The call converts it, unless it is nil.
            [only] if !later_code && self.splatted_variable(only, slot) => {}
            [only @ Node::AssocSplatNode { .. }] if !later_code => self.double_splat(only, slot),
            _ => {
                self.hash_of(&elements, slot);
                passed.flags |= CallFlags::OWN_KEYWORDS;
            }
        }
    }

    /// `**variable` and `**`: `to =` the value of the variable. False for any other value.
    fn splatted_variable(&mut self, node: &Node<'pr>, to: Register) -> bool {
        let Some(splat) = node.as_assoc_splat_node() else { return false };
        let value = splat.value();
        if value.is_none() {
            let keywords = self.anonymous_keywords(span(node));
            self.move_to(to, keywords);
            return true;
        }
        let Some(value) = value.filter(|value| matches!(value, Node::LocalVariableReadNode { .. })) else {
            return false;
        };
        self.expression(&value, to);
        true
    }

    /// The names, if all keys are different symbols.
    fn plain_keywords(&self, elements: &[Node<'pr>]) -> Option<Vec<Symbol>> {
        if elements.len() > MOST_IN_REGISTERS {
            return None;
        }
        let mut names: Vec<Symbol> = memory::with_capacity(elements.len());
        for element in elements {
            let name = self.symbol(&element.as_assoc_node()?.key().as_symbol_node()?);
            if names.contains(&name) {
                return None;
            }
            names.append_one(name);
        }
        Some(names)
    }

    fn block_argument(&mut self, block: Option<&Node<'pr>>, passed: &mut Passed) {
        let Some(argument) = block.and_then(|b| b.as_block_argument_node()) else { return };
        if let Some(node) = argument.expression().and_then(|expression| expression.as_symbol_node()) {
            let symbol = self.symbol(&node);
            // The name of a call has the encoding of the source.
            if self.symbol_of(&symbol.bytes) == symbol {
                passed.block = Some(self.symbol_block(&node, &symbol.bytes));
                passed.flags |= CallFlags::SYMBOL_BLOCK;
                return;
            }
        }
        let slot = self.next_temporary();
        match argument.expression() {
            Some(expression) => match self.block_parameter_read(&expression) {
                Some(variable) => self.pass_block_parameter(variable, slot),
                None => self.expression(&expression, slot),
            },
            None => match self.anonymous_block() {
                Some(variable) => self.pass_block_parameter(variable, slot),
                None => self.fail(span(&argument.as_node()), "no anonymous block parameter"),
            },
        }
        self.reserve(slot);
        passed.flags |= CallFlags::BLOCK_ARGUMENT;
    }

    pub fn pass_block_parameter(&mut self, variable: Variable, to: Register) {
        self.emit(Opcode::GetBlockParameterProxy, to, variable.level, variable.register);
    }

    /// The variable, if the node reads a `&block` parameter.
    pub fn block_parameter_read(&mut self, node: &Node<'pr>) -> Option<Variable> {
        let read = node.as_local_variable_read_node()?;
        let variable = self.variable(read.name().as_slice(), read.depth());
        variable.is_block_parameter.then_some(variable)
    }

    /// `f(a, ...)`
    fn forwarded_arguments(&mut self, first: Register, leading: &[Node<'pr>], passed: &mut Passed) {
        let forwarding = |register: fn(&crate::options::EvalScope) -> Option<Register>| {
            move |s: &crate::options::EvalScope| if s.parameters.forwarding { register(s) } else { None }
        };
        let rest = self.hidden_variable(b"...*", forwarding(|s| s.parameters.rest));
        let keywords = self.hidden_variable(b"...**", forwarding(|s| s.parameters.keyword_rest));
        let block = self.hidden_variable(b"...&", forwarding(|s| s.parameters.block));
        let (Some(rest), Some(keywords), Some(block)) = (rest, keywords, block) else {
            return self.fail_at_line("unexpected ... when the parent method is not forwarding");
        };
        let is_one_array = leading.iter().any(is_splat) || leading.len() > MOST_IN_REGISTERS;
        let in_registers = if is_one_array { &[] } else { leading };
        for node in in_registers {
            let slot = self.next_temporary();
            self.expression(node, slot);
            self.reserve(slot);
        }
        let slots = self.temporaries(3);
        debug_assert_eq!(slots, first + in_registers.len() as u16);
        if is_one_array {
            self.array_of(leading, slots);
            let part = self.temporary();
            self.read_variable(rest, part);
            self.emit(Opcode::ArrayConcat, slots, part, 0);
            passed.flags |= CallFlags::OWN_SPLAT;
        } else {
            self.read_variable(rest, slots);
        }
        self.read_variable(keywords, slots + 1);
        self.pass_block_parameter(block, slots + 2);
        self.release(slots as u32 + 3);
        passed.positional = in_registers.len() as u16 + 1;
        passed.flags |= CallFlags::SPLAT | CallFlags::KEYWORD_SPLAT | CallFlags::BLOCK_ARGUMENT | CallFlags::FORWARDED;
    }
}
