//! The tokens of CRuby's Ripper, derived from prism's: adds the text between tokens, splits tokens differently, and
//! adjusts the lexer's states.
//!
//! - `events`: the event of each of prism's tokens.
//! - [`errors`]: the position and form of errors.
//! - `heredoc`: splitting the text of here documents.

pub mod errors;
mod events;
mod heredoc;

use memory::Grow;

use crate::{
    Reader,
    reader::{Malformed, Token},
    tokens::Tokens,
};

/// A token. Tokens are in the order of Ripper's lexer, which differs from the source's for here documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    pub start: u32,
    pub end: u32,
    /// At the end of a here document with `<<~`: the columns of indentation removed from its lines; otherwise 0.
    pub dedent: u32,
    /// The lexer's state, as `Ripper::EXPR_BEG` and others.
    pub state: u16,
    event: u8,
}

impl Element {
    /// Without `on_`.
    pub fn event(&self) -> &'static str {
        events::NAMES[usize::from(self.event)]
    }

    /// The position of its event in [`EVENTS`].
    pub fn event_number(&self) -> usize {
        usize::from(self.event)
    }

    pub fn span(&self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

pub use events::NAMES as EVENTS;

const BEG: u32 = 1;
const END: u32 = 2;
const ENDFN: u32 = 8;
const FNAME: u32 = 128;
const LABEL: u32 = 1024;
const FITEM: u32 = 4096;

/// Ripper's tokens of a source, whose lexed form is read up to its end mark. It is read twice, because a list of its
/// tokens takes more memory than all the elements.
pub fn elements(source: &[u8], reader: &mut Reader) -> Result<Vec<Element>, Malformed> {
    let mut lexer = Lexer::new(source, spans(source, *reader)?);
    let mut tokens = Tokens::new(*reader, source);
    while let Some(token) = tokens.take()? {
        lexer.add(&token);
    }
    *reader = tokens.reader;
    Ok(lexer.finish())
}

/// The starts and ends of all tokens in source order.
fn spans(source: &[u8], reader: Reader) -> Result<Vec<(u32, u32)>, Malformed> {
    let mut tokens = Tokens::new(reader, source);
    let mut spans = Vec::new();
    while let Some(token) = tokens.take()? {
        if token.name != "EOF" {
            spans.append_one((token.location.start, token.location.start + token.location.length));
        }
    }
    spans.sort_unstable();
    Ok(spans)
}

struct Lexer<'s> {
    source: &'s [u8],
    /// The starts and ends of all tokens in source order: whitespace between them is also reported.
    spans: Vec<(u32, u32)>,
    elements: Vec<Element>,
    /// The open constructs: literals with the state before their text, interpolations.
    open: Vec<Open>,
    /// Parentheses that are open, and whether they hold a method's parameters.
    parentheses: Vec<bool>,
    /// The number of open braces of hashes and blocks.
    braces: usize,
    /// The state after the last token.
    state: u32,
    /// The state before the preceding line end: comments after it are reported with this state, because the lexer
    /// checks whether a call chain continues.
    before_line_end: Option<u32>,
    /// The position of that line end, if it is a token: it is reported after the comments, once it is known that the
    /// call chain does not continue.
    line_end: Option<usize>,
    names: Names,
    definition: Definition,
    ended: bool,
    /// The last token that is neither whitespace nor a comment.
    last: &'static str,
    /// Whether the last token was the colon of a symbol without quotes.
    is_simple_symbol: bool,
}

/// The state of the method names after `alias` and `undef`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    None,
    Alias,
    Undef,
}

/// The position within the head of a method definition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Definition {
    None,
    Keyword,
    Name,
    /// After the dot: the name follows.
    Receiver,
}

struct Open {
    /// The state reported with the pieces of a literal.
    state: u32,
    heredoc: Option<heredoc::Heredoc>,
    indent: heredoc::Indent,
}

impl Open {
    fn new(state: u32, heredoc: Option<heredoc::Heredoc>) -> Open {
        Open { state, heredoc, indent: heredoc::Indent::default() }
    }
}

impl<'s> Lexer<'s> {
    fn new(source: &'s [u8], spans: Vec<(u32, u32)>) -> Lexer<'s> {
        Lexer {
            source,
            elements: memory::with_capacity(spans.len() * 3 / 2),
            spans,
            open: Vec::new(),
            parentheses: Vec::new(),
            braces: 0,
            state: BEG,
            before_line_end: None,
            line_end: None,
            names: Names::None,
            definition: Definition::None,
            ended: false,
            last: "",
            is_simple_symbol: false,
        }
    }

    fn add(&mut self, token: &Token) {
        let (start, end) = (token.location.start as usize, token.end().min(self.source.len()));
        if token.name == "EOF" || start >= end {
            return;
        }
        let event = self.event_of(token);
        let behind = self.state;
        if event == "comment" {
            self.state = self.before_line_end.unwrap_or(behind);
        }
        self.space(self.space_before(start), start);
        let state = if event == "embexpr_end" { self.state } else { self.state_of(token) };
        if event == "comment" {
            self.state = behind;
        }
        match event {
            "words_sep" => self.lines(event, start, end, state),
            "__end__" => {
                let line = self.source[start..end].iter().position(|b| *b == b'\n').map_or(end, |at| start + at + 1);
                self.push(event, start, line, state);
            }
            "tstring_content" => match self.open.last().and_then(|open| open.heredoc) {
                Some(kind) => self.heredoc_text(kind, start, end, state),
                None => self.push(event, start, end, state),
            },
            _ => self.push(event, start, end, state),
        }
        self.follow(token, event, start, end);
    }

    /// A brace that closes nothing counts as the end of an interpolation, because the source may be the inside of a
    /// template.
    fn event_of(&mut self, token: &Token) -> &'static str {
        let event = events::event(token.name);
        match event {
            "lbrace" | "tlambeg" => self.braces += 1,
            "rbrace" if self.braces == 0 => return "embexpr_end",
            "rbrace" => self.braces -= 1,
            _ => {}
        }
        event
    }

    /// The state that Ripper reports with a token: prism's, which is the one after the token, except at the ends of
    /// literals.
    fn state_of(&self, token: &Token) -> u32 {
        match token.name {
            "REGEXP_END" | "HEREDOC_END" => self.open.last().map_or(token.state, |open| open.state),
            "COMMENT" | "STRING_CONTENT" => self.state,
            _ => token.state,
        }
    }

    /// Tracks opening and closing tokens.
    fn follow(&mut self, token: &Token, event: &'static str, start: usize, end: usize) {
        let before = self.state;
        self.state = token.state;
        self.line_end = match (event, self.line_end) {
            ("nl", _) => self.elements.len().checked_sub(1),
            ("comment", Some(place)) => {
                self.elements[place..].rotate_left(1);
                self.elements.len().checked_sub(1)
            }
            _ => None,
        };
        self.before_line_end = match event {
            "nl" => Some(before),
            "comment" if token.line_end_state.is_some() => Some(self.before_line_end.unwrap_or(before)),
            _ => None,
        };
        match event {
            "symbeg" if end - start == 1 => {}
            "tstring_beg" | "regexp_beg" | "backtick" | "symbeg" | "words_beg" | "qwords_beg" | "symbols_beg"
            | "qsymbols_beg" => self.open.push(Open::new(token.state, None)),
            "heredoc_beg" => {
                let heredoc = heredoc::Heredoc::new(token.text(self.source));
                self.open.push(Open::new(before, Some(heredoc)));
            }
            "embexpr_beg" | "embvar" if self.is_in_heredoc() => {
                if let Some(open) = self.open.last_mut() {
                    open.indent.interpolated(self.source, start);
                }
                if event == "embexpr_beg" {
                    self.interpolate(before);
                }
            }
            "embexpr_beg" => self.interpolate(before),
            "tstring_end" | "regexp_end" | "label_end" => drop(self.open.pop()),
            "heredoc_end" => {
                let open = self.open.pop();
                let dedent = open
                    .filter(|open| open.heredoc.is_some_and(|kind| kind.is_squiggly))
                    .and_then(|open| open.indent.least());
                if let Some(element) = self.elements.last_mut() {
                    element.dedent = dedent.unwrap_or(0) as u32;
                }
            }
            "embexpr_end" => {
                if let Some(open) = self.open.pop() {
                    self.state = open.state;
                }
            }
            "comment" => self.state = token.line_end_state.unwrap_or(before),
            "embdoc" | "embdoc_beg" | "embdoc_end" => self.state = before,
            "lparen" => self.parentheses.push(self.definition == Definition::Name),
            "rparen" => {
                let held_parameters = self.parentheses.pop().unwrap_or(false);
                if held_parameters {
                    self.state = BEG;
                }
            }
            _ => {}
        }
        if event.starts_with("embdoc") || event == "comment" {
            if token.line_end_state.is_some() {
                (self.definition, self.names) = (Definition::None, Names::None);
            }
            return;
        }
        if self.last == "symbeg" && self.is_simple_symbol {
            self.state = END;
        }
        self.is_simple_symbol = event == "symbeg" && end - start == 1;
        self.follow_definition(token, event);
        self.follow_names(token.name, event);
        self.last = event;
    }

    fn interpolate(&mut self, before: u32) {
        self.open.push(Open::new(before, None));
        self.state = BEG;
    }

    /// After the name of a method the parser tells the lexer that labels may follow.
    fn follow_definition(&mut self, token: &Token, event: &'static str) {
        let is_dot = event == "period" || token.name == "COLON_COLON";
        self.definition = match self.definition {
            _ if token.name == "KEYWORD_DEF" && self.last != "period" => Definition::Keyword,
            Definition::None => Definition::None,
            Definition::Keyword => Definition::Name,
            Definition::Name if is_dot => Definition::Receiver,
            Definition::Receiver => {
                self.state = ENDFN | LABEL;
                Definition::Name
            }
            Definition::Name => {
                if !matches!(event, "lparen" | "nl" | "semicolon") && token.name != "EQUAL" {
                    self.state |= LABEL;
                }
                Definition::None
            }
        };
    }

    /// After each name for `alias` and `undef` but the last, the lexer expects another.
    fn follow_names(&mut self, name: &str, event: &'static str) {
        match name {
            "KEYWORD_ALIAS" if self.last != "period" => self.names = Names::Alias,
            "KEYWORD_UNDEF" if self.last != "period" => self.names = Names::Undef,
            _ => match (self.names, event) {
                (Names::Alias, "symbeg" | "comment" | "tstring_content" | "embexpr_beg")
                | (Names::Undef, "comment") => {}
                (Names::Alias, "gvar" | "backref") => self.names = Names::None,
                (Names::Alias, _) => {
                    self.names = Names::None;
                    self.state = FNAME | FITEM;
                }
                (Names::Undef, "comma") => self.state = FNAME | FITEM,
                (Names::Undef, "nl" | "semicolon") => self.names = Names::None,
                _ => {}
            },
        }
    }

    fn is_in_heredoc(&self) -> bool {
        self.open.last().is_some_and(|open| open.heredoc.is_some())
    }

    fn heredoc_text(&mut self, kind: heredoc::Heredoc, start: usize, end: usize, state: u32) {
        for (start, end) in heredoc::pieces(kind, self.source, start, end) {
            if let Some(open) = self.open.last_mut() {
                open.indent.text(self.source, start, end);
            }
            self.push("tstring_content", start, end, state);
        }
    }

    /// The start of the whitespace before an offset: the end of the preceding token in the source.
    fn space_before(&self, start: usize) -> usize {
        let place = self.spans.partition_point(|span| (span.0 as usize) < start);
        match place.checked_sub(1) {
            Some(place) => (self.spans[place].1 as usize).min(start),
            None if self.source.starts_with(b"\xEF\xBB\xBF") => 3.min(start),
            None => 0,
        }
    }

    /// Whitespace is reported in pieces: the end of a continued line is a separate piece, and so are bytes that cannot
    /// be a token.
    fn space(&mut self, start: usize, end: usize) {
        let is_blank = |b: &u8| b.is_ascii_whitespace() || *b == 11;
        let mut at = start;
        while at < end && !self.ended {
            let rest = &self.source[at..end];
            if matches!(rest[0], 0 | 4 | 26) {
                // These characters end a source.
                self.ended = true;
                return;
            }
            let blanks = rest.iter().take_while(|b| is_blank(b)).count();
            let (event, length) = if blanks > 0 {
                ("sp", blanks)
            } else if rest.starts_with(b"\\\n") || rest.starts_with(b"\\\r\n") {
                ("sp", rest.iter().position(|b| *b == b'\n').map_or(rest.len(), |line| line + 1))
            } else if self.last_event() == Some("embdoc_beg") {
                return self.lines("embdoc", at, end, self.state);
            } else {
                ("CHAR", rest[1..].iter().position(|b| is_blank(b) || *b == b'\\').map_or(rest.len(), |stop| stop + 1))
            };
            self.push(event, at, at + length, self.state);
            at += length;
        }
    }

    fn last_event(&self) -> Option<&'static str> {
        self.elements.last().map(Element::event)
    }

    /// One element per line.
    fn lines(&mut self, event: &'static str, start: usize, end: usize, state: u32) {
        let mut at = start;
        for line in self.source[start..end].split_inclusive(|b| *b == b'\n') {
            self.push(event, at, at + line.len(), state);
            at += line.len();
        }
    }

    fn push(&mut self, event: &'static str, start: usize, end: usize, state: u32) {
        let event = events::number(event);
        self.elements.append_one(Element {
            start: start as u32,
            end: end as u32,
            dedent: 0,
            state: state as u16,
            event,
        });
    }

    /// Space at the end of the source.
    fn finish(mut self) -> Vec<Element> {
        let covered = self.spans.iter().map(|span| span.1 as usize).max().unwrap_or(self.space_before(0));
        if let Some(state) = self.before_line_end {
            self.state = state;
        }
        if !self.elements.iter().any(|element| element.event() == "__end__") {
            self.space(covered, self.source.len());
        }
        self.elements
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events_of(source: &str) -> Vec<(&'static str, &str, u32)> {
        let bytes = crate::lex(source.as_bytes(), &crate::Options::default());
        let elements = elements(source.as_bytes(), &mut Reader::new(&bytes)).unwrap();
        elements.iter().map(|e| (e.event(), &source[e.span()], u32::from(e.state))).collect()
    }

    #[test]
    fn spaces_have_the_state_of_the_parser() {
        let expected = [
            ("kw", "def", FNAME),
            ("sp", " ", FNAME),
            ("ident", "a", ENDFN),
            ("lparen", "(", BEG | LABEL),
            ("rparen", ")", ENDFN),
            ("sp", " ", BEG),
            ("kw", "end", END),
        ];
        assert_eq!(events_of("def a() end"), expected);
    }

    #[test]
    fn a_line_end_follows_the_comments_after_it() {
        let events: Vec<&str> = events_of("a\n # b\nc").iter().map(|element| element.0).collect();
        assert_eq!(events, ["ident", "sp", "comment", "nl", "ident"]);
    }

    #[test]
    fn lines_of_a_squiggly_here_document_are_tokens() {
        let expected = [
            ("heredoc_beg", "<<~A", BEG),
            ("tstring_content", "  a\n", BEG),
            ("tstring_content", " b\n", BEG),
            ("heredoc_end", "A\n", BEG),
            ("nl", "\n", BEG),
        ];
        assert_eq!(events_of("<<~A\n  a\n b\nA\n"), expected);
    }
}
