//! Call sites, as they are translated.

use abi::Value;
use bytecode::{CallFlags, Opcode};
use object::{Known, class, class::call_cache::CacheRef};
use runtime::{
    call::site::Cached,
    code::{CallSite, Code, sites::shape_key},
};

use crate::{
    frames::Passing, instruction, natives, registers::Kind, seam::Ssa, spreads::Apart, supers::SuperOf,
    translate::Translator, ways::is_direct,
};

/// A call to translate.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    pub site: &'a CallSite,
    /// The word of the instruction that makes exactly this call; `None` for operators and for what `send` calls.
    pub word: Option<usize>,
    /// The register of the receiver; those of the arguments follow.
    pub window: u16,
    /// The register that an operator takes its receiver from.
    pub operand: u16,
    /// The register of the result.
    pub destination: u16,
    /// The literal block that was passed to the running method and that the call passes on.
    pub passed_on: Option<Passing>,
    /// The block of a frame outside of the unit's inlined bodies that the call passes on.
    pub handler: Option<Ssa>,
    /// For a `super`: what it relies on.
    pub of_super: Option<SuperOf>,
    /// The number of words by which the window begins after the site's window: for `send`, the words of its own
    /// receiver and name.
    pub skipped: u16,
    /// The operand of `**` is nil: the call passes on `...`, which received no keywords.
    pub is_without_keywords: bool,
    /// The splatted Array whose elements are in the window, as the arguments.
    pub apart: Option<Apart>,
}

impl<'a> Site<'a> {
    /// The site of the call instruction at a word of a code.
    pub fn of_call(code: &'a Code, word: usize) -> Site<'a> {
        let i = code.instruction(word);
        Site {
            site: &code.calls[i.c as usize],
            word: Some(word),
            window: i.b,
            operand: i.b,
            destination: i.a,
            passed_on: None,
            handler: None,
            of_super: None,
            skipped: 0,
            is_without_keywords: false,
            apart: None,
        }
    }

    /// The site behind the operator at a word.
    pub fn of_operator(t: &Translator<'a>, word: usize) -> Site<'a> {
        let (i, extension) = (t.code.instruction(word), t.code.operands(word + 1));
        let has_no_result = instruction::is_compared_jump(i.op()) || i.op() == Opcode::IndexSet;
        let (destination, operand) = if has_no_result { (extension.a, i.a) } else { (i.a, i.b) };
        let site = &t.code.calls[extension.bc() as usize];
        let window = extension.a;
        Site {
            site,
            word: None,
            window,
            operand,
            destination,
            passed_on: None,
            handler: None,
            of_super: None,
            skipped: 0,
            is_without_keywords: false,
            apart: None,
        }
    }

    /// Whether the site has called a method on a receiver of the same shape.
    pub fn has_seen(&self, receiver: Value) -> bool {
        self.site.entries().any(|cache| cache.matches(shape_key(receiver)))
    }

    /// The number of positional arguments.
    pub fn arguments(&self) -> u16 {
        self.apart.map_or(self.site.arguments, |apart| apart.count) - self.skipped
    }

    /// The flags of the call that is made in line.
    pub fn flags(&self) -> CallFlags {
        const OF_KEYWORDS: u16 = CallFlags::KEYWORD_SPLAT | CallFlags::OWN_KEYWORDS | CallFlags::FORWARDED;
        let without_keywords = if self.is_without_keywords { OF_KEYWORDS } else { 0 };
        let apart = if self.apart.is_some() { CallFlags::SPLAT | CallFlags::OWN_SPLAT } else { 0 };
        CallFlags(self.site.flags.0 & !(without_keywords | apart))
    }

    /// The register of the operand of `&`.
    pub fn block_register(&self) -> u16 {
        let keywords = u16::from(self.site.flags.has(CallFlags::KEYWORD_SPLAT));
        self.window - self.skipped + 1 + self.site.arguments + keywords
    }

    /// Whether the call passes a literal block.
    pub fn has_block(&self) -> bool {
        self.site.block_child().is_some() || self.passed_on.is_some() || self.handler.is_some()
    }

    /// The literal block that the call passes.
    pub fn passing(&self, t: &Translator) -> Option<Passing> {
        let own = self.site.block_child().map(|child| t.code.children[child].get());
        own.map(|code| Passing { by: t.current(), code, is_own: true }).or(self.passed_on)
    }

    /// Whether the site has called readers and writers of attributes, and nothing else.
    pub fn is_of_attributes(&self) -> bool {
        let entries = self.entries();
        let is_attribute = |cache: &CacheRef| matches!(cache.kind(), Cached::ReadWord | Cached::WriteWord);
        !entries.is_empty() && entries.iter().all(|(cache, _)| is_attribute(cache))
    }

    /// Whether the site of an operator has called methods that can be translated in line. Native methods of basic types
    /// do not count: the operator itself does the same.
    pub fn takes_objects(&self, t: &Translator, opcode: Opcode) -> bool {
        use Opcode::{CaseEqual, Compare, Index, IsEmpty, IsNil, Length, Match, Not, Size};
        let is_basic = |shape: u32| {
            let of = |known: Known| known.root_shape().0 == shape;
            let is_string = of(Known::String) && opcode != Index;
            let is_immediate = class::immediate_of_key(shape).is_some();
            let is_number = is_immediate && !matches!(opcode, Index | IsEmpty | Length | Size);
            let is_basic = is_number || is_string || [Known::Array, Known::Hash, Known::Float].into_iter().any(of);
            is_basic && !matches!(opcode, CaseEqual | Compare | IsNil | Match | Not)
        };
        self.live_entries(t).iter().any(|(cache, shape)| {
            (cache.kind() != Cached::Native || !is_basic(*shape)) && is_direct(t, *self, (*cache, *shape), Kind::Any)
        })
    }

    /// Whether the site of an operator has called methods that can be translated in line, also those of basic types:
    /// the operator itself did not take their operands.
    pub fn makes_calls(&self, t: &Translator) -> bool {
        self.live_entries(t).iter().any(|entry| is_direct(t, *self, *entry, Kind::Any))
    }

    /// The valid entries with their shapes; for a `super`, those that call what it relies on.
    pub fn entries(&self) -> Vec<(CacheRef, u32)> {
        let is_called = |cache: &CacheRef| self.of_super.is_none_or(|of| of.next == cache.entry());
        self.site.entries().filter(is_called).filter_map(|cache| Some((cache, cache.shape()?))).collect()
    }

    /// Whether the site has called more than one method.
    pub fn has_several_methods(&self) -> bool {
        let entries = self.entries();
        entries.iter().any(|(cache, _)| cache.entry() != entries[0].0.entry())
    }

    /// [`Site::entries`] without dead ones and those for shapes of dead classes, whose numbers will be reused.
    pub fn live_entries(&self, t: &Translator) -> Vec<(CacheRef, u32)> {
        let is_immediate = |shape: u32| class::immediate_of_key(shape).is_some();
        let mut entries = self.entries();
        entries.retain(|(cache, shape)| {
            t.cx.is_alive(cache.value()) && (is_immediate(*shape) || natives::found_in(t, *shape).is_some())
        });
        entries
    }
}
