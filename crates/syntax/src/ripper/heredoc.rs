//! Splitting the text of a here document into tokens as Ripper does.

/// The properties given by its opening.
#[derive(Clone, Copy, Debug)]
pub struct Heredoc {
    /// `<<~`
    pub is_squiggly: bool,
    /// `<<'`: backslashes are literal.
    pub is_raw: bool,
}

impl Heredoc {
    pub fn new(opening: &[u8]) -> Heredoc {
        let rest = opening.strip_prefix(b"<<").unwrap_or(opening);
        let is_squiggly = rest.starts_with(b"~");
        let rest = rest.strip_prefix(b"~").or_else(|| rest.strip_prefix(b"-")).unwrap_or(rest);
        Heredoc { is_squiggly, is_raw: rest.starts_with(b"'") }
    }
}

/// Starts and ends: one piece per line if indentation is removed, otherwise split after continued lines.
pub fn pieces(kind: Heredoc, source: &[u8], start: usize, end: usize) -> Vec<(usize, usize)> {
    let mut pieces = Vec::new();
    let mut from = start;
    let mut at = start;
    for line in source[start..end].split_inclusive(|b| *b == b'\n') {
        at += line.len();
        let is_continued = !kind.is_raw && (line.ends_with(b"\\\n") || line.ends_with(b"\\\r\n")) && is_odd(line);
        if kind.is_squiggly || is_continued {
            pieces.push((from, at));
            from = at;
        }
    }
    if from < end {
        pieces.push((from, end));
    }
    pieces
}

/// Whether a line ends in a backslash that is not itself escaped.
fn is_odd(line: &[u8]) -> bool {
    let text = line.trim_ascii_end();
    text.iter().rev().take_while(|b| **b == b'\\').count() % 2 == 1
}

/// The common indentation of all lines of a here document.
#[derive(Clone, Copy, Debug, Default)]
pub struct Indent {
    least: Option<usize>,
}

impl Indent {
    pub fn least(&self) -> Option<usize> {
        self.least
    }

    /// A piece of text: counts if it begins a line that is not blank.
    pub fn text(&mut self, source: &[u8], start: usize, end: usize) {
        let begins_line = start == 0 || source[start - 1] == b'\n';
        if !begins_line {
            return;
        }
        let (column, length) = indentation(&source[start..end]);
        let rest = &source[start + length..end];
        if !rest.is_empty() && !rest.starts_with(b"\n") && !rest.starts_with(b"\r\n") {
            self.lower(column);
        }
    }

    /// An interpolation: counts if only whitespace precedes it in its line.
    pub fn interpolated(&mut self, source: &[u8], at: usize) {
        let line = source[..at].iter().rposition(|b| *b == b'\n').map_or(0, |end| end + 1);
        let (column, length) = indentation(&source[line..at]);
        if line + length == at {
            self.lower(column);
        }
    }

    fn lower(&mut self, column: usize) {
        self.least = Some(self.least.map_or(column, |least| least.min(column)));
    }
}

/// Columns and bytes of the leading blanks of a text; tabs advance to multiples of eight.
fn indentation(text: &[u8]) -> (usize, usize) {
    let mut column = 0;
    let blanks = text.iter().take_while(|b| matches!(b, b' ' | b'\t'));
    let length = blanks.map(|b| column = if *b == b'\t' { (column / 8 + 1) * 8 } else { column + 1 }).count();
    (column, length)
}
