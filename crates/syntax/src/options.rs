//! The options passed to prism with a source.

use memory::Grow;

/// The version of Ruby that Beni implements, which is parsed by default.
pub const RUBY_4_0: u8 = 3;
pub const RUBY_3_4: u8 = 2;
pub const RUBY_3_3: u8 = 1;
pub const RUBY_4_1: u8 = 4;

#[derive(Clone, Debug)]
pub struct Options {
    pub filepath: Vec<u8>,
    /// The number of the first line.
    pub line: i32,
    /// The default encoding, which a magic comment may override.
    pub encoding: Vec<u8>,
    /// Magic comments do not change the encoding.
    pub encoding_locked: bool,
    pub frozen_string_literal: Option<bool>,
    /// `-a -e -l -n -p -x`, a bit each, in this order.
    pub command_line: u8,
    /// [`RUBY_4_0`] …
    pub version: u8,
    pub main_script: bool,
    pub partial_script: bool,
    /// The variables around the source, the outermost scope first.
    pub scopes: Vec<Scope>,
}

#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub locals: Vec<Vec<u8>>,
    /// What the enclosing method forwards: `*` 1, `**` 2, `&` 4, `...` 8.
    pub forwarding: u8,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            filepath: Vec::new(),
            line: 1,
            encoding: Vec::new(),
            encoding_locked: false,
            frozen_string_literal: None,
            command_line: 0,
            version: RUBY_4_0,
            main_script: false,
            partial_script: false,
            scopes: Vec::new(),
        }
    }
}

impl Options {
    /// The encoding of options that prism decodes: numbers in native byte order, texts prefixed by their length.
    pub(crate) fn encoded(&self) -> Vec<u8> {
        let mut out = Vec::new();
        text(&mut out, &self.filepath);
        out.extend(self.line.to_ne_bytes());
        text(&mut out, &self.encoding);
        out.push(match self.frozen_string_literal {
            None => 0,
            Some(true) => 1,
            Some(false) => 0xFF,
        });
        out.extend([self.command_line, self.version]);
        out.extend([self.encoding_locked, self.main_script, self.partial_script].map(u8::from));
        // `freeze` and `attach_comments`, which only concern the consumer of the result.
        out.extend([0, 0]);
        out.extend((self.scopes.len() as u32).to_ne_bytes());
        for scope in &self.scopes {
            out.extend((scope.locals.len() as u32).to_ne_bytes());
            out.push(scope.forwarding);
            scope.locals.iter().for_each(|local| text(&mut out, local));
        }
        out
    }
}

fn text(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend((bytes.len() as u32).to_ne_bytes());
    out.append_slice(bytes);
}
