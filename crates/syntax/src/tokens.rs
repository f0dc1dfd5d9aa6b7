//! Tokens in the form that the library expects: newer versions of prism split some of them.

use crate::reader::{Malformed, Reader, Token};

/// All tokens of a reader, up to their end mark. A comment includes its line end, and separators of words are never
/// empty.
pub fn read(reader: &mut Reader, source: &[u8]) -> Result<Vec<Token>, Malformed> {
    let mut tokens: Vec<Token> = Vec::new();
    while let Some(token) = reader.token()? {
        if token.name == "WORDS_SEP" && token.location.length == 0 {
            continue;
        }
        let is_line_end = matches!(token.name, "NEWLINE" | "IGNORED_NEWLINE");
        match tokens.last_mut() {
            Some(last)
                if is_line_end
                    && last.name == "COMMENT"
                    && last.end() == token.location.start as usize
                    && !ends_line(source, last) =>
            {
                last.location.length += token.location.length;
                last.line_end_state = Some(token.state);
            }
            _ => tokens.push(token),
        }
    }
    Ok(tokens)
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
