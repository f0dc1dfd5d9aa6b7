//! Parameters: the registers of arguments, and the prologue that evaluates defaults and destructures arrays.

use bytecode::{Opcode, Symbol};
use memory::ToVector;
use ruby_prism::{ConstantList, MultiTargetNode, Node, ParametersNode};

use crate::analysis::{is_plain_literal, may_change};
use crate::builder::Register;
use crate::compiler::Compiler;
use crate::expression::IT;

/// The marks of `Parameters::numbered`.
const NUMBERED_IT: u8 = 10;

impl<'pr> Compiler<'pr> {
    /// Declares the parameters of a block in any of their forms, then its other locals; emits the prologue.
    pub fn block_parameters(&mut self, node: Option<Node<'pr>>, locals: &ConstantList<'pr>) {
        match &node {
            Some(Node::NumberedParametersNode { .. }) => {
                let maximum = node.as_ref().and_then(|n| n.as_numbered_parameters_node()).map_or(1, |n| n.maximum());
                for number in 1..=maximum {
                    self.declare(Some(format!("_{number}").as_bytes()));
                }
                self.scope().parameters.required = maximum as u16;
                self.scope().parameters.numbered = maximum;
                self.declare_rest_of(locals);
            }
            Some(Node::ItParametersNode { .. }) => {
                self.declare_hidden(IT);
                self.scope().parameters.required = 1;
                self.scope().parameters.numbered = NUMBERED_IT;
                self.declare_rest_of(locals);
            }
            _ => {
                let block = node.as_ref().and_then(|n| n.as_block_parameters_node());
                let own: Vec<Vec<u8>> = block
                    .as_ref()
                    .map(|b| {
                        b.locals()
                            .iter()
                            .filter_map(|l| Some(l.as_block_local_variable_node()?.name().as_slice().to_vector()))
                            .collect()
                    })
                    .unwrap_or_default();
                self.parameters(block.and_then(|b| b.parameters()), locals, &own);
            }
        }
    }

    /// Declares parameters and locals; emits the prologue. `own`: block-local variables.
    pub fn parameters(&mut self, node: Option<ParametersNode<'pr>>, locals: &ConstantList<'pr>, own: &[Vec<u8>]) {
        let Some(node) = node else {
            own.iter().for_each(|name| {
                self.declare(Some(name));
            });
            return self.declare_rest_of(locals);
        };
        let required = self.declare_required(&node.requireds().iter().collect::<Vec<_>>(), 0);
        let optional: Vec<Register> = node
            .optionals()
            .iter()
            .map(|o| self.declare(o.as_optional_parameter_node().map(|o| o.name().as_slice())))
            .collect();
        self.declare_rest(node.rest());
        let posts: Vec<Node<'pr>> = node.posts().iter().collect();
        let post = self.declare_required(&posts, node.requireds().len());
        let keywords = self.declare_keywords(&node);
        self.declare_keyword_rest(node.keyword_rest());
        self.declare_block(node.block());
        let parameters = &mut self.scope().parameters;
        parameters.required = node.requireds().len() as u16;
        parameters.optional = optional.len() as u16;
        parameters.post = posts.len() as u16;
        // Nothing but splats reads a nameless rest parameter.
        let rest = node.rest().and_then(|rest| rest.as_rest_parameter_node());
        parameters.shares_rest = parameters.forwarding || rest.is_some_and(|rest| rest.name().is_none());
        let is_nameless = node
            .keyword_rest()
            .and_then(|rest| rest.as_keyword_rest_parameter_node())
            .is_some_and(|rest| rest.name().is_none());
        parameters.hides_keywords = parameters.forwarding || is_nameless && parameters.keywords.is_empty();
        self.note_lent(&node);
        own.iter().for_each(|name| {
            self.declare(Some(name));
        });
        if own.first().is_some_and(|name| name == b"packed") && self.unit.options.path.starts_with("<internal:") {
            // The first register after that of the rest parameter.
            self.scope().parameters.packed = self.scope().parameters.rest == Some(1);
        }
        self.declare_rest_of(locals);
        self.declare_destructured(&required);
        self.declare_destructured(&post);
        self.declare_flip_flops();

        let is_optional = |p: &Node<'pr>| matches!(p, Node::OptionalKeywordParameterNode { .. });
        let mut keywords: Vec<(Node<'pr>, Register)> =
            node.keywords().iter().zip(keywords).filter(|(p, _)| is_optional(p)).collect();
        if self.scope().facts.uses_eval {
            // As in CRuby, defaults of keywords that are literals are there before all others.
            keywords.retain(|(p, register)| match p.as_optional_keyword_parameter_node() {
                Some(p) if is_plain_literal(&p.value()) => {
                    self.default(*register, None, p.name().as_slice(), &p.value());
                    false
                }
                _ => true,
            });
        }
        let marks = self.marks_of_given(optional.iter().chain(keywords.iter().map(|(_, register)| register)));
        for (i, (parameter, register)) in node.optionals().iter().zip(&optional).enumerate() {
            if let Some(parameter) = parameter.as_optional_parameter_node() {
                self.default(*register, marks.get(i), parameter.name().as_slice(), &parameter.value());
            }
        }
        for (i, (parameter, register)) in keywords.iter().enumerate() {
            if let Some(parameter) = parameter.as_optional_keyword_parameter_node() {
                let mark = marks.get(optional.len() + i);
                self.default(*register, mark, parameter.name().as_slice(), &parameter.value());
            }
        }
        // Defaults see nil in the variables of destructured parameters.
        self.expand_all(&required);
        self.expand_all(&post);
    }

    /// Registers that tell which optional parameters were given. Defaults with `eval` may read and assign later
    /// parameters, which are nil until their own default is evaluated. None are needed otherwise: the parameters
    /// themselves tell it.
    fn marks_of_given<'a>(&mut self, registers: impl Iterator<Item = &'a Register>) -> Vec<Register> {
        if !self.scope().facts.uses_eval {
            return Vec::new();
        }
        let registers: Vec<(Register, Register)> = registers.map(|r| (*r, self.declare(None))).collect();
        for (register, mark) in &registers {
            let given = self.label();
            self.move_to(*mark, *register);
            self.jump_on(Opcode::JumpGiven, *register, given);
            self.load_nil(*register);
            self.bind(given);
        }
        registers.into_iter().map(|(_, mark)| mark).collect()
    }

    /// Notes which parameters the method of a Ruby half only passes on.
    fn note_lent(&mut self, node: &ParametersNode<'pr>) {
        let is_internal = self.unit.options.path.starts_with("<internal:");
        if !is_internal || self.scope().kind != bytecode::Kind::Method {
            return;
        }
        let names = node.requireds().iter().map(|p| p.as_required_parameter_node().map(|p| p.name()));
        let optional = node.optionals().iter().map(|p| p.as_optional_parameter_node().map(|p| p.name()));
        for (i, name) in names.chain(optional).enumerate().take(15) {
            let scope = self.scope();
            if let Some(name) = name.filter(|name| scope.facts.only_passes_on(name.as_slice())) {
                scope.parameters.lent |= 1 << i;
                scope.lent.push(name.as_slice().to_vector());
            }
        }
        let rest = node.rest().and_then(|rest| rest.as_rest_parameter_node()?.name());
        let scope = self.scope();
        if rest.is_some_and(|name| scope.facts.only_reads_elements(name.as_slice())) {
            scope.parameters.shares_rest = true;
        }
    }

    /// Declares leading or post-required parameters; returns those to be destructured.
    fn declare_required(&mut self, list: &[Node<'pr>], first: usize) -> Vec<(Register, MultiTargetNode<'pr>)> {
        let mut destructured = Vec::new();
        for (index, parameter) in list.iter().enumerate() {
            match parameter.as_multi_target_node() {
                Some(targets) => {
                    let register = self.declare(None);
                    if first + index < 64 {
                        self.scope().parameters.destructured |= 1 << (first + index);
                    }
                    destructured.push((register, targets));
                }
                None => {
                    self.declare(parameter.as_required_parameter_node().map(|p| p.name().as_slice()));
                }
            }
        }
        destructured
    }

    fn declare_rest(&mut self, rest: Option<Node<'pr>>) {
        match rest {
            Some(Node::ImplicitRestNode { .. }) => self.scope().parameters.trailing_comma = true,
            Some(rest) => {
                let register = match rest.as_rest_parameter_node().and_then(|r| r.name()) {
                    Some(name) => self.declare(Some(name.as_slice())),
                    None => self.declare_hidden(b"*"),
                };
                self.scope().parameters.rest = Some(register);
            }
            None => {}
        }
    }

    fn declare_keywords(&mut self, node: &ParametersNode<'pr>) -> Vec<Register> {
        let mut registers = Vec::new();
        for keyword in node.keywords().iter() {
            let (name, required) =
                match (keyword.as_required_keyword_parameter_node(), keyword.as_optional_keyword_parameter_node()) {
                    (Some(k), _) => (k.name(), true),
                    (_, Some(k)) => (k.name(), false),
                    _ => continue,
                };
            let register = self.declare(Some(name.as_slice()));
            let symbol: Symbol = self.symbol_of(name.as_slice());
            if registers.is_empty() {
                self.scope().parameters.first_keyword = register;
            }
            self.scope().parameters.keywords.push((symbol, required));
            registers.push(register);
        }
        registers
    }

    fn declare_keyword_rest(&mut self, node: Option<Node<'pr>>) {
        match node {
            Some(Node::NoKeywordsParameterNode { .. }) => self.scope().parameters.no_keywords = true,
            Some(Node::ForwardingParameterNode { .. }) => {
                let rest = self.declare_hidden(b"...*");
                let keywords = self.declare_hidden(b"...**");
                let block = self.declare_hidden(b"...&");
                let parameters = &mut self.scope().parameters;
                (parameters.rest, parameters.keyword_rest, parameters.block) =
                    (Some(rest), Some(keywords), Some(block));
                parameters.forwarding = true;
            }
            Some(node) => {
                let register = match node.as_keyword_rest_parameter_node().and_then(|r| r.name()) {
                    Some(name) => self.declare(Some(name.as_slice())),
                    None => self.declare_hidden(b"**"),
                };
                self.scope().parameters.keyword_rest = Some(register);
            }
            None => {}
        }
    }

    fn declare_block(&mut self, node: Option<Node<'pr>>) {
        if let Some(block) = node.and_then(|n| n.as_block_parameter_node()) {
            let register = match block.name() {
                Some(name) => self.declare(Some(name.as_slice())),
                None => self.declare_hidden(b"&"),
            };
            self.scope().parameters.block = Some(register);
        }
    }

    /// The locals that are no parameters.
    pub fn declare_rest_of(&mut self, locals: &ConstantList<'pr>) {
        // These come first, so that they are next to self if there are no parameters: intrinsics read both in place.
        for name in &self.scope().facts.clone().loop_variables {
            if !self.scope().names.contains_key(name.as_slice()) {
                self.declare(Some(name));
            }
        }
        for name in locals.iter() {
            if !self.scope().names.contains_key(name.as_slice()) {
                self.declare(Some(name.as_slice()));
            }
        }
    }

    /// Registers for the state of flip-flops, in the method, class or file.
    pub fn declare_flip_flops(&mut self) {
        for start in self.scope().facts.clone().flip_flops.clone() {
            let register = self.declare(None);
            let flip_flops = &mut self.scope().flip_flops;
            memory::reserve_key(flip_flops);
            flip_flops.insert(start, register);
        }
    }

    /// Declares the names inside patterns that are not in the list of locals.
    fn declare_destructured(&mut self, list: &[(Register, MultiTargetNode<'pr>)]) {
        for (_, targets) in list {
            self.declare_targets(targets);
        }
    }

    fn declare_targets(&mut self, targets: &MultiTargetNode<'pr>) {
        let rest = targets.rest().and_then(|r| r.as_splat_node()?.expression());
        for target in targets.lefts().iter().chain(rest).chain(targets.rights().iter()) {
            if let Some(nested) = target.as_multi_target_node() {
                self.deeper(|c| c.declare_targets(&nested));
            } else if let Some(parameter) = target.as_required_parameter_node()
                && !self.scope().names.contains_key(parameter.name().as_slice())
            {
                self.declare(Some(parameter.name().as_slice()));
            }
        }
    }

    fn expand_all(&mut self, list: &[(Register, MultiTargetNode<'pr>)]) {
        for (register, targets) in list {
            self.destructure(targets, *register);
        }
    }

    /// `parameter = value` if no argument was given.
    fn default(&mut self, register: Register, mark: Option<&Register>, name: &[u8], value: &Node<'pr>) {
        let given = self.label();
        self.jump_on(Opcode::JumpGiven, *mark.unwrap_or(&register), given);
        // A default that reads its own parameter finds nil.
        if mark.is_some() || mentions(value, name) {
            self.load_nil(register);
        }
        let mark = self.mark();
        self.expression(value, register);
        self.release(mark);
        self.bind(given);
    }
}

/// Whether `node` reads (or assigns) the local `name`.
fn mentions(node: &Node<'_>, name: &[u8]) -> bool {
    struct Finder<'a>(&'a [u8], bool);
    impl<'pr> ruby_prism::Visit<'pr> for Finder<'_> {
        fn visit_local_variable_read_node(&mut self, node: &ruby_prism::LocalVariableReadNode<'pr>) {
            self.1 |= node.name().as_slice() == self.0;
        }

        fn visit(&mut self, node: &Node<'pr>) {
            stacker::maybe_grow(128 << 10, 2 << 20, || crate::node::walk(self, node));
        }
    }
    let mut finder = Finder(name, false);
    ruby_prism::Visit::visit(&mut finder, node);
    finder.1 || may_change(node, name, false)
}
