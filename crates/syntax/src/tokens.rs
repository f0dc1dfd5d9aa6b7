//! Tokens in the form that the library expects: newer versions of prism split some of them.

use memory::Grow;

use crate::reader::{Malformed, Reader, Token};

/// All tokens of a reader, up to their end mark.
pub fn read(reader: &mut Reader, source: &[u8]) -> Result<Vec<Token>, Malformed> {
    let mut tokens = Tokens::new(*reader, source);
    let mut list: Vec<Token> = Vec::new();
    while let Some(token) = tokens.take()? {
        list.append_one(token);
    }
    *reader = tokens.reader;
    Ok(list)
}

/// Reads one token after the other. A comment includes its line end, and separators of words are never empty.
pub struct Tokens<'b, 's> {
    /// Behind the end mark once `take` has returned None.
    pub reader: Reader<'b>,
    source: &'s [u8],
    /// The token that was read to see whether it continues the one before it.
    ahead: Option<Token>,
    has_ended: bool,
}

impl<'b, 's> Tokens<'b, 's> {
    pub fn new(reader: Reader<'b>, source: &'s [u8]) -> Tokens<'b, 's> {
        Tokens { reader, source, ahead: None, has_ended: false }
    }

    /// The next token; None at their end.
    pub fn take(&mut self) -> Result<Option<Token>, Malformed> {
        let Some(mut token) = (match self.ahead.take() {
            Some(token) => Some(token),
            None => self.read()?,
        }) else {
            return Ok(None);
        };
        while token.name == "COMMENT" && !ends_line(self.source, &token) {
            match self.read()? {
                Some(next)
                    if matches!(next.name, "NEWLINE" | "IGNORED_NEWLINE")
                        && token.end() == next.location.start as usize =>
                {
                    token.location.length += next.location.length;
                    token.line_end_state = Some(next.state);
                }
                next => {
                    self.ahead = next;
                    break;
                }
            }
        }
        Ok(Some(token))
    }

    fn read(&mut self) -> Result<Option<Token>, Malformed> {
        while !self.has_ended {
            match self.reader.token()? {
                Some(token) if token.name == "WORDS_SEP" && token.location.length == 0 => {}
                Some(token) => return Ok(Some(token)),
                None => self.has_ended = true,
            }
        }
        Ok(None)
    }
}

fn ends_line(source: &[u8], token: &Token) -> bool {
    token.text(source).ends_with(b"\n")
}

impl Token {
    /// The offset of its end.
    pub fn end(&self) -> usize {
        self.location.start as usize + self.location.length as usize
    }

    pub fn text<'s>(&self, source: &'s [u8]) -> &'s [u8] {
        source.get(self.location.start as usize..self.end().min(source.len())).unwrap_or_default()
    }
}
