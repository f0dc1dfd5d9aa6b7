//! The dispatch over kinds of nodes, and the ways to request a value.

use ruby_prism::{Node, StatementsNode};

use crate::analysis::{is_inert, may_change};
use crate::builder::{Register, SELF};
use crate::compiler::Compiler;
use crate::node::{again, is_newline, span};

/// The register for an expression's value; None if only its effects are wanted.
///
/// The register may be the first free one without being reserved, see `builder::registers`.
pub(crate) type Wanted = Option<Register>;

/// The key of the hidden local for `it`, which is no valid variable name.
pub(crate) const IT: &[u8] = b"%it";

macro_rules! dispatch {
    ($self:ident, $node:ident, $to:ident: $($kind:ident $cast:ident => |$n:ident| $body:expr;)* ; else $other:expr) => {
        match $node {
            $(Node::$kind { .. } => {
                if let Some($n) = &$node.$cast() {
                    $body
                }
            })*
            _ => $other,
        }
    };
}

impl<'pr> Compiler<'pr> {
    /// Compiles `node` for its value in `to`.
    pub fn expression(&mut self, node: &Node<'pr>, to: Register) {
        self.use_up_to(to as u32 + 1);
        self.compile(node, Some(to));
    }

    /// Compiles `node` for its effects.
    pub fn effect(&mut self, node: &Node<'pr>) {
        self.compile(node, None);
    }

    pub fn compile(&mut self, node: &Node<'pr>, to: Wanted) {
        if is_newline(node) && !matches!(node, Node::BeginNode { .. } | Node::ParenthesesNode { .. }) {
            self.line_event(span(node));
        }
        let mark = self.mark();
        self.deeper(|c| c.dispatch(node, to));
        self.release(mark);
    }

    /// The value of `node` in some register: a local's own, or a new temporary.
    pub fn operand(&mut self, node: &Node<'pr>) -> Register {
        self.operand_before(node, &[])
    }

    /// Like [`Self::operand`], for a value that is used after `later` was evaluated.
    pub fn operand_before(&mut self, node: &Node<'pr>, later: &[&Node<'pr>]) -> Register {
        if let Some(register) = self.stable_register(node, later) {
            if is_newline(node) {
                self.line_event(span(node));
            }
            return register;
        }
        if let Some(register) = self.assigned_register(node, later) {
            return register;
        }
        let to = self.next_temporary();
        self.expression(node, to);
        self.reserve(to);
        to
    }

    /// Compiles an assignment to a local of this scope; its register, if nothing in `later` may change it.
    fn assigned_register(&mut self, node: &Node<'pr>, later: &[&Node<'pr>]) -> Option<Register> {
        if let Some(write) = node.as_instance_variable_write_node() {
            if is_newline(node) {
                self.line_event(span(node));
            }
            let value = self.operand_before(&write.value(), later);
            self.set_ivar(&write, value);
            return Some(value);
        }
        if let Some(write) = node.as_local_variable_write_node()
            && self.local_register(write.name().as_slice(), write.depth()).is_none()
        {
            if is_newline(node) {
                self.line_event(span(node));
            }
            let variable = self.variable(write.name().as_slice(), write.depth());
            let value = self.operand_before(&write.value(), later);
            self.write_variable(variable, value);
            return Some(value);
        }
        if let Some(call) = node.as_call_node()
            && call.is_attribute_write()
        {
            return self.deeper(|c| c.assigned_element(&call, later));
        }
        let (name, depth) = match node {
            Node::LocalVariableWriteNode { .. } => node.as_local_variable_write_node().map(|n| (n.name(), n.depth())),
            Node::LocalVariableOperatorWriteNode { .. } => {
                node.as_local_variable_operator_write_node().map(|n| (n.name(), n.depth()))
            }
            Node::LocalVariableOrWriteNode { .. } => {
                node.as_local_variable_or_write_node().map(|n| (n.name(), n.depth()))
            }
            Node::LocalVariableAndWriteNode { .. } => {
                node.as_local_variable_and_write_node().map(|n| (n.name(), n.depth()))
            }
            _ => None,
        }?;
        let register = self.local_register(name.as_slice(), depth)?;
        if self.changes(name.as_slice(), later) {
            return None;
        }
        self.effect(node);
        Some(register)
    }

    /// Whether one of the nodes may change the local.
    fn changes(&mut self, name: &[u8], later: &[&Node<'pr>]) -> bool {
        let by_calls = self.scope().facts.uses_eval || self.scope().facts.assigned_in_blocks.contains(name);
        later.iter().any(|n| may_change(n, name, by_calls))
    }

    /// The register of a variable, if nothing in `later` may change it.
    pub(crate) fn stable_register(&mut self, node: &Node<'pr>, later: &[&Node<'pr>]) -> Option<Register> {
        let mut inner = None;
        for _ in 0..4 {
            let node = inner.as_ref().unwrap_or(node);
            match node {
                Node::SelfNode { .. } => return Some(SELF),
                Node::ItLocalVariableReadNode { .. } => return self.local_register(IT, 0),
                Node::LocalVariableReadNode { .. } => {
                    let read = node.as_local_variable_read_node()?;
                    let name = read.name().as_slice();
                    let register = self.local_register(name, read.depth())?;
                    return (!self.changes(name, later)).then_some(register);
                }
                Node::ParenthesesNode { .. } => inner = Some(sole_statement(&node.as_parentheses_node()?.body()?)?),
                Node::EmbeddedStatementsNode { .. } => {
                    let statements = node.as_embedded_statements_node()?.statements()?;
                    inner = Some(sole_statement(&statements.as_node())?);
                }
                _ => return None,
            }
        }
        None
    }

    /// The register of a variable of this scope that can be read without an instruction.
    pub fn local_register(&mut self, name: &[u8], depth: u32) -> Option<Register> {
        if depth > 0 || self.scope().transparent {
            return None;
        }
        let variable = self.variable(name, depth);
        (variable.level == 0 && !variable.is_block_parameter).then_some(variable.register)
    }

    /// `to`, or a scratch register if no value is wanted.
    pub fn wanted_or_scratch(&mut self, to: Wanted) -> Register {
        match to {
            Some(register) => register,
            None => self.next_temporary(),
        }
    }

    /// nil, if a value is wanted.
    pub fn nil(&mut self, to: Wanted) {
        if let Some(to) = to {
            self.load_nil(to);
        }
    }

    pub fn statements(&mut self, statements: Option<StatementsNode<'pr>>, to: Wanted) {
        let Some(statements) = statements else { return self.nil(to) };
        let body = statements.body();
        let last = body.len().saturating_sub(1);
        for (index, node) in body.iter().enumerate() {
            if index != last {
                self.passed_statement(&node);
            } else {
                // The events of a last statement without code may go to the jump after it.
                self.compile(&node, to);
            }
        }
        if body.is_empty() {
            self.nil(to);
        }
    }

    /// A statement that another one follows. As in CRuby, one without code has no event.
    pub fn passed_statement(&mut self, node: &Node<'pr>) {
        if !is_inert(node) || matches!(node, Node::LambdaNode { .. }) {
            self.compile(node, None);
            self.flush_events();
        }
    }

    fn dispatch(&mut self, node: &Node<'pr>, to: Wanted) {
        if to.is_none() && is_inert(node) && !matches!(node, Node::LambdaNode { .. }) {
            return;
        }
        self.dispatch_value(node, to);
    }

    fn dispatch_value(&mut self, node: &Node<'pr>, to: Wanted) {
        dispatch! { self, node, to:
            StatementsNode as_statements_node => |n| self.statements(n.as_node().as_statements_node(), to);
            ParenthesesNode as_parentheses_node => |n| match n.body() {
                Some(body) => self.compile(&body, to),
                None => self.nil(to),
            };
            BeginNode as_begin_node => |n| self.begin(n, to);
            EmbeddedStatementsNode as_embedded_statements_node => |n| self.statements(n.statements(), to);
            EmbeddedVariableNode as_embedded_variable_node => |n| self.compile(&n.variable(), to);
            ImplicitNode as_implicit_node => |n| self.compile(&n.value(), to);

            CallNode as_call_node => |n| self.call(n, to);
            SuperNode as_super_node => |n| self.super_with_arguments(n, to);
            ForwardingSuperNode as_forwarding_super_node => |n| self.implicit_super(n, to);
            YieldNode as_yield_node => |n| self.yield_block(n, to);
            LambdaNode as_lambda_node => |n| self.lambda(n, to);

            LocalVariableReadNode as_local_variable_read_node =>
                |n| self.read_local(n.name().as_slice(), n.depth(), to);
            ItLocalVariableReadNode as_it_local_variable_read_node => |_n| self.read_local(IT, 0, to);
            InstanceVariableReadNode as_instance_variable_read_node => |n| self.read_ivar(n.name().as_slice(), to);
            ClassVariableReadNode as_class_variable_read_node => |n| {
                self.at(n.location());
                self.read_class_variable(n.name().as_slice(), to)
            };
            GlobalVariableReadNode as_global_variable_read_node => |n| {
                self.at(n.location());
                self.read_global(n.name().as_slice(), to)
            };
            BackReferenceReadNode as_back_reference_read_node => |n| self.back_reference(n.name().as_slice(), to);
            NumberedReferenceReadNode as_numbered_reference_read_node => |n| self.numbered_reference(n.number(), to);
            ConstantReadNode as_constant_read_node => |n| {
                self.at(n.location());
                self.read_constant(n.name().as_slice(), to)
            };
            ConstantPathNode as_constant_path_node => |n| self.constant_path(n, to);

            StringNode as_string_node => |n| self.string(n, to);
            InterpolatedStringNode as_interpolated_string_node => |n| self.interpolated_string(n, to);
            XStringNode as_x_string_node => |n| self.command(n, to);
            InterpolatedXStringNode as_interpolated_x_string_node => |n| self.interpolated_command(n, to);
            InterpolatedSymbolNode as_interpolated_symbol_node => |n| self.interpolated_symbol(n, to);
            InterpolatedRegularExpressionNode as_interpolated_regular_expression_node =>
                |n| self.interpolated_regexp(n, to);
            MatchLastLineNode as_match_last_line_node => |_n| self.match_last_line(node, to);
            InterpolatedMatchLastLineNode as_interpolated_match_last_line_node => |_n| self.match_last_line(node, to);
            SourceFileNode as_source_file_node => |n| self.source_file(n, to);
            SourceEncodingNode as_source_encoding_node => |_n| self.source_encoding(to);
            ArrayNode as_array_node => |n| self.array(n, to);
            HashNode as_hash_node => |n| self.hash(&n.elements(), to);
            KeywordHashNode as_keyword_hash_node => |n| self.hash(&n.elements(), to);
            RangeNode as_range_node => |n| self.range(n, to);
            ; else self.dispatch_statement(node, to)
        }
    }

    fn dispatch_statement(&mut self, node: &Node<'pr>, to: Wanted) {
        dispatch! { self, node, to:
            LocalVariableWriteNode as_local_variable_write_node => |n| self.write_local(n, to);
            InstanceVariableWriteNode as_instance_variable_write_node => |n| self.write_ivar(n, to);
            ClassVariableWriteNode as_class_variable_write_node => |n| self.write_class_variable(n, to);
            GlobalVariableWriteNode as_global_variable_write_node => |n| self.write_global(n, to);
            ConstantWriteNode as_constant_write_node => |n| self.write_constant(n, to);
            ConstantPathWriteNode as_constant_path_write_node => |n| self.write_constant_path(n, to);
            ShareableConstantNode as_shareable_constant_node => |n| self.shareable_constant(n, to);
            MultiWriteNode as_multi_write_node => |n| self.multiple_write(n, to);
            MatchWriteNode as_match_write_node => |n| self.match_write(n, to);

            AndNode as_and_node => |n| self.and(n, to);
            OrNode as_or_node => |n| self.or(n, to);
            IfNode as_if_node => |n| self.if_expression(n, to);
            UnlessNode as_unless_node => |n| self.unless_expression(n, to);
            ElseNode as_else_node => |n| self.statements(n.statements(), to);
            WhileNode as_while_node => |n| self.while_loop(n, to);
            UntilNode as_until_node => |n| self.until_loop(n, to);
            ForNode as_for_node => |n| self.for_loop(n, to);
            CaseNode as_case_node => |n| self.case(n, to);
            CaseMatchNode as_case_match_node => |n| self.case_match(n, to);
            MatchPredicateNode as_match_predicate_node => |n| self.match_predicate(n, to);
            MatchRequiredNode as_match_required_node => |n| self.match_required(n, to);
            FlipFlopNode as_flip_flop_node => |_n| self.boolean(node, to);
            BreakNode as_break_node => |n| self.break_out(n);
            NextNode as_next_node => |n| self.next_iteration(n);
            RedoNode as_redo_node => |n| self.redo(n);
            RetryNode as_retry_node => |n| self.retry(n);
            ReturnNode as_return_node => |n| self.return_value(n);
            RescueModifierNode as_rescue_modifier_node => |n| self.rescue_modifier(n, to);
            DefinedNode as_defined_node => |n| self.defined(n, to);

            DefNode as_def_node => |n| self.define_method(n, to);
            ClassNode as_class_node => |n| self.class(n, to);
            ModuleNode as_module_node => |n| self.module(n, to);
            SingletonClassNode as_singleton_class_node => |n| self.singleton_class(n, to);
            AliasMethodNode as_alias_method_node => |n| self.alias_method(n, to);
            AliasGlobalVariableNode as_alias_global_variable_node => |n| self.alias_global(n, to);
            UndefNode as_undef_node => |n| self.undef(n, to);
            PreExecutionNode as_pre_execution_node => |_n| self.nil(to);
            PostExecutionNode as_post_execution_node => |n| self.post_execution(n, to);
            ; else self.dispatch_rest(node, to)
        }
    }

    fn dispatch_rest(&mut self, node: &Node<'pr>, to: Wanted) {
        if let Some(literal) = self.literal_of(node) {
            if let Some(to) = to {
                self.load_literal(to, literal);
            }
        } else if let Node::SelfNode { .. } = node {
            if let Some(to) = to {
                self.load_self(to);
            }
        } else if !self.operator_write(node, to) {
            self.fail(span(node), "unexpected expression");
        }
    }
}

/// The only statement of parentheses or a body.
pub(crate) fn sole_statement<'pr>(node: &Node<'pr>) -> Option<Node<'pr>> {
    match node {
        Node::StatementsNode { .. } => {
            let body = node.as_statements_node()?.body();
            if body.len() == 1 { body.first() } else { None }
        }
        _ => Some(again(node)),
    }
}
