//! Runs prism, and attaches errors, warnings and file properties to the code.

use std::rc::Rc;

use bytecode::sequence::Unit as FileUnit;
use bytecode::{Literal, Sequence, Symbol, image::Bodies};
use memory::{Grow, ToVector};
use ruby_prism::{CommandLineFlag, ParseResult, Scope, ScopeForwardingFlag, Version, parse_with_options};

use crate::compiler::{Compiler, Unit};
use crate::options::{EvalScope, Options, SourceKind};
use crate::syntax_error::SyntaxErrors;
use crate::{syntax_error, warnings};

/// The maximum depth to which prism descends; the stack reserved per level is sufficient.
const LEVELS: usize = 10_000;
const STACK_PER_LEVEL: usize = 4096;
/// Sources up to this length are parsed if there is a little memory.
const SHORT: usize = 1 << 10;
/// Memory for a short source, which the C library provides without a system call.
const SHORT_TREE: usize = 64 << 10;
/// What the parser reserves, and copies of texts, for each byte.
const PER_BYTE: usize = 32;
/// The memory for a word, a mark, and a character that may be an error by itself, such as a bracket without an opening
/// one: measured with sources of only such.
const WORD: usize = 400;
const MARK: u16 = 200;
const LONELY: u16 = 500;

/// Compiles a whole source to its outermost sequence.
pub fn compile(source: &[u8], options: &Options) -> Result<Sequence, SyntaxErrors> {
    compile_with(source, options, None).map(|(sequence, _)| sequence)
}

/// Compiles a file of which few methods are likely to be called: their bodies are in the image. Each is put there as
/// soon as it is compiled, because it takes a fraction of the memory there. See [`Bodies::new`] for `is_valid`.
pub fn compile_deferred(
    source: &[u8],
    options: &Options,
    is_valid: fn(&Literal) -> bool,
) -> Result<(Sequence, Vec<u8>), SyntaxErrors> {
    compile_with(source, options, Some(Bodies::new(is_valid)))
}

fn compile_with(source: &[u8], options: &Options, bodies: Option<Bodies>) -> Result<(Sequence, Vec<u8>), SyntaxErrors> {
    with_parsed(source, options, |result| {
        if result.is_failure() {
            return Err(syntax_error::from_prism(result, options));
        }
        let node = result.node();
        let Some(program) = node.as_program_node() else {
            return Err(syntax_error::from_message("no program", options));
        };
        let facts = crate::analysis::analyse(&node, options.path.starts_with("<internal:"));
        let encoding = source_encoding(result, options);
        let (source_text, line_offsets) = (result.source(), result.line_offsets());
        let recent_line = Default::default();
        let unit = Rc::new(Unit { options, source: source_text, line_offsets, recent_line, encoding, facts });
        let mut compiler = Compiler::new(unit);
        compiler.bodies = bodies;
        let mut sequence = compiler.program(&program);
        if !compiler.errors.is_empty() {
            return Err(syntax_error::from_compiler(&compiler.errors, result, options));
        }
        let mut warnings = warnings::of(result, options);
        warnings.append_from(compiler.warnings);
        sequence.unit = Some(Box::new(FileUnit {
            path: options.path.clone(),
            source: source.to_vector(),
            first_line: options.first_line,
            encoding,
            data_offset: data_offset(result),
            warnings,
            counted: compiler.counted,
        }));
        #[cfg(debug_assertions)]
        if let Err(message) = bytecode::verify::verify_present(&sequence) {
            panic!("the compiler made bad code of {}: {message}", options.path);
        }
        Ok((sequence, compiler.bodies.map_or_else(Vec::new, Bodies::finish)))
    })
}

/// Whether the source is the beginning of a program that more lines may complete.
pub fn is_incomplete(source: &[u8], options: &Options) -> bool {
    with_parsed(source, options, |result| {
        let messages: Vec<String> = result.errors().map(|e| memory::lossy_text(e.message())).collect();
        let at_end = |m: &String| m.contains("end-of-input") || m.contains("unterminated");
        let elsewhere = |m: &String| m.starts_with("unexpected '") || m.contains("ignoring it");
        messages.iter().any(at_end) && !messages.iter().any(elsewhere)
    })
}

/// Parses on a stack deep enough for prism's maximum depth.
pub(crate) fn with_parsed<T>(source: &[u8], options: &Options, then: impl FnOnce(&ParseResult<'_>) -> T) -> T {
    // Prism ends the process if an allocation fails, so what it can need is set aside. Short sources have small trees,
    // and allocating a megabyte would be a quarter of the time of a short `eval`.
    let extent = Extent::of(source);
    let size = if source.len() > SHORT { (1 << 20) + extent.tree } else { SHORT_TREE };
    let reserve = host::memory::ParserReserve::new(size);
    if reserve.is_none() {
        memory::exhausted();
    }
    let prism_options = prism_options(options).build();
    let room = extent.levels * STACK_PER_LEVEL + (64 << 10);
    let result = stacker::maybe_grow(room, room + (1 << 20), || parse_with_options(source, &prism_options));
    then(&result)
}

/// Calls `then` with a native stack on which an image of so many bytes can be read, however deep its nesting.
pub fn with_room_for_image<T>(bytes: usize, then: impl FnOnce() -> T) -> T {
    const PER_BYTE: usize = 64;
    let room = bytes.min(1 << 20) * PER_BYTE + (64 << 10);
    stacker::maybe_grow(room, room + (1 << 20), then)
}

/// Upper bounds for what parsing a source takes.
struct Extent {
    /// Bytes of its tree, with its errors and warnings.
    tree: usize,
    /// How deeply expressions are nested.
    levels: usize,
}

impl Extent {
    fn of(source: &[u8]) -> Extent {
        let costs = if std::str::from_utf8(source).is_ok() { &COSTS_IN_UTF8 } else { &COSTS };
        let (mut tree, mut tokens, mut after_word) = (0, 0, 0);
        for &byte in source {
            let Cost { tree: bytes, is_word, is_token } = costs[byte as usize];
            let begins = is_word & !after_word;
            after_word = is_word;
            tree += usize::from(bytes) + usize::from(begins) * WORD;
            tokens += usize::from(begins) + usize::from(is_token);
        }
        // A word may be two tokens: `1and`.
        let levels = (2 * tokens).min(source.len()).min(LEVELS);
        Extent { tree: tree.saturating_add(source.len().saturating_mul(PER_BYTE)), levels }
    }
}

/// What a byte adds to the [`Extent`]. The numbers 0 and 1 stand for false and true, because branches on them would be
/// mispredicted.
#[derive(Clone, Copy)]
struct Cost {
    tree: u16,
    is_word: u8,
    /// It is not part of a word, and may be a token.
    is_token: u8,
}

static COSTS: [Cost; 256] = costs(false);
static COSTS_IN_UTF8: [Cost; 256] = costs(true);

const fn costs(is_utf8: bool) -> [Cost; 256] {
    let mut costs = [Cost { tree: 0, is_word: 0, is_token: 0 }; 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        costs[at] = if byte.is_ascii_alphanumeric() || byte == b'_' || (byte >= 0x80 && is_utf8) {
            Cost { tree: 0, is_word: 1, is_token: 0 }
        } else {
            let tree = match byte {
                b' ' | b'\t' => 0,
                b'\n' | b'(' | b'[' | b'{' | b'"' | b'\'' | b'.' | b';' | b'=' | b'#' => MARK,
                b'%' | b'-' | b'+' | b'/' => MARK,
                _ => LONELY,
            };
            Cost { tree, is_word: 0, is_token: (tree != 0) as u8 }
        };
        at += 1;
    }
    costs
}

fn prism_options(options: &Options) -> ruby_prism::Options {
    let mut prism = ruby_prism::Options::default()
        .filepath(&options.path.replace('\0', ""))
        .line(options.first_line)
        .frozen_string_literal(options.frozen_string_literal)
        .version(Version::CRuby4_0);
    if let Some(encoding) = &options.encoding {
        prism = prism.encoding(&encoding.replace('\0', ""));
    }
    prism = prism.encoding_locked(options.encoding_locked);
    let line = options.command_line;
    let flags = [
        (line.e, CommandLineFlag::E),
        // The parser wraps the script in a loop for this option.
        (line.n || line.p, CommandLineFlag::N),
        (line.p, CommandLineFlag::P),
        (line.a, CommandLineFlag::A),
        (line.l, CommandLineFlag::L),
        (line.x, CommandLineFlag::X),
    ];
    prism = prism.command_line(flags.into_iter().filter(|(on, _)| *on).map(|(_, flag)| flag).collect());
    match &options.kind {
        SourceKind::Main => prism.main_script(true),
        SourceKind::Required => prism,
        SourceKind::Eval { scopes, .. } => {
            // Prism wants the outermost first, and defines the eval's own variables in the last.
            let outer = scopes.iter().rev().map(prism_scope);
            prism.scopes(outer.chain([Scope::default()]).collect())
        }
    }
}

fn prism_scope(scope: &EvalScope) -> Scope {
    let parameters = &scope.parameters;
    let anonymous = |register: Option<u16>| register.is_some_and(|r| scope.is_anonymous(r));
    let mut forwarding = Vec::new();
    if parameters.forwarding {
        forwarding.push(ScopeForwardingFlag::All);
    }
    if anonymous(parameters.rest) {
        forwarding.push(ScopeForwardingFlag::Positionals);
    }
    if anonymous(parameters.keyword_rest) {
        forwarding.push(ScopeForwardingFlag::Keywords);
    }
    if anonymous(parameters.block) {
        forwarding.push(ScopeForwardingFlag::Block);
    }
    Scope::default().locals(scope.locals.iter().map(|(name, _)| name.clone()).collect()).forwarding(forwarding)
}

/// The encoding of the source according to its magic comment, otherwise to the options.
pub(crate) fn source_encoding(result: &ParseResult<'_>, options: &Options) -> u8 {
    let given = options.encoding.as_deref().and_then(|name| text::encoding::find(name.as_bytes())).map(|e| e.index());
    if options.encoding_locked {
        return given.unwrap_or(Symbol::UTF_8);
    }
    let named = magic_comment(result.source(), options).and_then(|name| {
        // Emacs and Vim specify line ends together with the encoding.
        let name = ["-unix", "-dos", "-mac"].iter().find_map(|end| name.strip_suffix(end.as_bytes())).unwrap_or(name);
        text::encoding::find(name).map(|e| e.index())
    });
    let marked = result.source().starts_with(b"\xEF\xBB\xBF").then_some(Symbol::UTF_8);
    named.or(marked).or(given).unwrap_or(Symbol::UTF_8)
}

/// The name in the magic comment: the word after "coding:" or "coding=" in a comment on the first line, or on the
/// second after `#!`. The parser applies it but does not report it.
fn magic_comment<'s>(source: &'s [u8], options: &Options) -> Option<&'s [u8]> {
    let mut rest = source.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(source);
    let is_ruby = |line: &[u8]| line.starts_with(b"#!") && line.windows(4).any(|word| word == b"ruby");
    let line_end = |text: &[u8]| text.iter().position(|b| *b == b'\n').map_or(text.len(), |at| at + 1);
    let skips = options.command_line.x
        || (matches!(options.kind, SourceKind::Main) && rest.starts_with(b"#!") && !is_ruby(&rest[..line_end(rest)]));
    while skips && !rest.is_empty() && !is_ruby(&rest[..line_end(rest)]) {
        rest = &rest[line_end(rest)..];
    }
    if rest.starts_with(b"#!") {
        rest = &rest[line_end(rest)..];
    }
    let line = rest[..line_end(rest)].trim_ascii_start().strip_prefix(b"#")?;
    (0..line.len()).find_map(|at| {
        let tail = line[at..].get(..6).filter(|word| word.eq_ignore_ascii_case(b"coding")).map(|_| &line[at + 6..])?;
        let value = tail.trim_ascii_start().strip_prefix(b"=").or(tail.trim_ascii_start().strip_prefix(b":"))?;
        let value = value.trim_ascii_start();
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
        let length = value.iter().take_while(|b| is_part(b)).count();
        (length > 0).then(|| &value[..length])
    })
}

/// Whether a source that ends in a line `__END__` ends there, which is not so if the line is part of a string.
pub fn ends_in_data(source: &[u8]) -> bool {
    ruby_prism::parse(source).data_loc().is_some()
}

/// The offset just after the line of `__END__`.
fn data_offset(result: &ParseResult<'_>) -> Option<u64> {
    let location = result.data_loc()?;
    let text = location.as_slice();
    let line = text.iter().position(|b| *b == b'\n').map_or(text.len(), |i| i + 1);
    Some(location.start() as u64 + line as u64)
}
