//! The results of parsing and lexing: `Prism::ParseResult`, `LexResult`, `ParseLexResult`, with comments, errors and
//! warnings.

use object::{array::Arr, symbol::table::intern_text};
use runtime::{Cx, R, Value, call, make, sym};
use syntax::{
    Location, Options, Reader,
    reader::{Diagnostic, Malformed, Metadata, Token},
};
use text::encoding::{self, EncodingId};

use super::{class, malformed, symbol, tree};

/// `Prism.parse`
pub fn parse(cx: &mut Cx, source: &[u8], options: &Options) -> R {
    let bytes = syntax::parse(source, options);
    host::memory::return_free_memory_of(source.len());
    let mut reader = Reader::new(&bytes);
    let metadata = metadata_behind_header(cx, &mut reader)?;
    let head = Head::new(cx, source, &metadata)?;
    let root = tree::read(cx, &mut reader, head.source, head.encoding)?;
    head.result(cx, "ParseResult", root, &metadata)
}

/// `Prism.lex`
pub fn lex(cx: &mut Cx, source: &[u8], options: &Options) -> R {
    let bytes = syntax::lex(source, options);
    let mut reader = Reader::new(&bytes);
    let tokens = read(cx, syntax::tokens::read(&mut reader, source))?;
    let metadata = read(cx, reader.metadata())?;
    let head = Head::new(cx, source, &metadata)?;
    let tokens = head.tokens(cx, source, &tokens)?;
    head.result(cx, "LexResult", tokens, &metadata)
}

/// `Prism.parse_lex`
pub fn parse_lex(cx: &mut Cx, source: &[u8], options: &Options) -> R {
    let bytes = syntax::parse_lex(source, options);
    let mut reader = Reader::new(&bytes);
    let tokens = read(cx, syntax::tokens::read(&mut reader, source))?;
    let metadata = metadata_behind_header(cx, &mut reader)?;
    let head = Head::new(cx, source, &metadata)?;
    let root = tree::read(cx, &mut reader, head.source, head.encoding)?;
    let tokens = head.tokens(cx, source, &tokens)?;
    let value = make::array(cx, &[root, tokens]);
    head.result(cx, "ParseLexResult", value, &metadata)
}

/// `Prism.parse_comments`
pub fn comments(cx: &mut Cx, source: &[u8], options: &Options) -> R {
    let bytes = syntax::parse(source, options);
    let metadata = metadata_behind_header(cx, &mut Reader::new(&bytes))?;
    let head = Head::new(cx, source, &metadata)?;
    head.comments(cx, &metadata)
}

fn read<T>(cx: &mut Cx, result: Result<T, Malformed>) -> R<T> {
    result.map_err(|_| malformed(cx))
}

fn metadata_behind_header<'b>(cx: &mut Cx, reader: &mut Reader<'b>) -> R<Metadata<'b>> {
    let header = reader.header();
    read(cx, header.and_then(|()| reader.metadata()))
}

/// The fields that all objects of a result share.
struct Head {
    source: Value,
    encoding: EncodingId,
}

impl Head {
    fn new(cx: &mut Cx, source: &[u8], metadata: &Metadata) -> R<Head> {
        let encoding = encoding::find(metadata.encoding).unwrap_or(EncodingId::UTF_8);
        let offsets = make::array(cx, &[]);
        for offset in &metadata.line_offsets {
            make::push(cx, offsets, Value::fixnum(i64::from(*offset)));
        }
        let text = make::string(cx, source, encoding);
        let (class, name) = (class(cx, "Source")?, intern_text(cx, "for"));
        let first_line = Value::fixnum(i64::from(metadata.start_line));
        Ok(Head { source: call::send(cx, class, name, &[text, first_line, offsets])?, encoding })
    }

    fn result(&self, cx: &mut Cx, name: &str, value: Value, metadata: &Metadata) -> R {
        let comments = self.comments(cx, metadata)?;
        let magic_comments = self.magic_comments(cx, metadata)?;
        let data = match metadata.data {
            Some(location) => self.location(cx, location)?,
            None => Value::NIL,
        };
        let errors = self.diagnostics(cx, "ParseError", &["syntax", "argument", "load"], &metadata.errors)?;
        let warnings = self.diagnostics(cx, "ParseWarning", &["default", "verbose"], &metadata.warnings)?;
        let class = class(cx, name)?;
        call::send(cx, class, sym::NEW, &[value, comments, magic_comments, data, errors, warnings, self.source])
    }

    fn location(&self, cx: &mut Cx, location: Location) -> R {
        let class = class(cx, "Location")?;
        let numbers = [location.start, location.length].map(|n| Value::fixnum(i64::from(n)));
        call::send(cx, class, sym::NEW, &[self.source, numbers[0], numbers[1]])
    }

    fn comments(&self, cx: &mut Cx, metadata: &Metadata) -> R {
        let list = make::array(cx, &[]);
        for comment in &metadata.comments {
            let class = class(cx, if comment.is_embdoc { "EmbDocComment" } else { "InlineComment" })?;
            let location = self.location(cx, comment.location)?;
            let comment = call::send(cx, class, sym::NEW, &[location])?;
            make::push(cx, list, comment);
        }
        Ok(list)
    }

    fn magic_comments(&self, cx: &mut Cx, metadata: &Metadata) -> R {
        let list = make::array(cx, &[]);
        // `# :nodoc:` is not a magic comment.
        for (key, value) in metadata.magic_comments.iter().filter(|(key, _)| key.length > 0) {
            let (key, value) = (self.location(cx, *key)?, self.location(cx, *value)?);
            let class = class(cx, "MagicComment")?;
            let comment = call::send(cx, class, sym::NEW, &[key, value])?;
            make::push(cx, list, comment);
        }
        Ok(list)
    }

    fn diagnostics(&self, cx: &mut Cx, name: &str, levels: &[&str], diagnostics: &[Diagnostic]) -> R {
        let list = make::array(cx, &[]);
        for diagnostic in diagnostics {
            let location = self.location(cx, diagnostic.location)?;
            let message = make::string(cx, diagnostic.message, self.encoding);
            let level = levels.get(usize::from(diagnostic.level)).copied().unwrap_or(levels[0]);
            let (kind, level) = (symbol(cx, diagnostic.name), symbol(cx, level));
            let class = class(cx, name)?;
            let diagnostic = call::send(cx, class, sym::NEW, &[kind, message, location, level])?;
            make::push(cx, list, diagnostic);
        }
        Ok(list)
    }

    /// Pairs of a `Prism::Token` and the lexer's state.
    fn tokens(&self, cx: &mut Cx, source: &[u8], tokens: &[Token]) -> R {
        let class = class(cx, "Token")?;
        let list = make::array(cx, &[]);
        for token in tokens {
            let kind = symbol(cx, token.name);
            let text = make::string(cx, token.text(source), self.encoding);
            let location = tree::packed(cx, token.location);
            let object = call::send(cx, class, sym::NEW, &[self.source, kind, text, location])?;
            let pair = Arr::pair(cx, object, Value::fixnum(i64::from(token.state)));
            make::push(cx, list, pair.value());
        }
        Ok(list)
    }
}
