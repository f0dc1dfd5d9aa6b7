//! Prism's tree as text, for `--dump-ast`.

use ruby_prism::{Node, Visit};

use crate::node::{kind, span, walk};
use crate::options::Options;

/// One line per node: its kind, its lines and columns, and the source of small nodes.
pub fn dump_ast(source: &[u8], options: &Options) -> String {
    crate::parse::with_parsed(source, options, |result| {
        let mut dump = Dump { source, depth: 0, text: String::new() };
        dump.visit(&result.node());
        for error in result.errors() {
            dump.text += &format!("error: {}\n", memory::lossy_text(error.message()));
        }
        dump.text
    })
}

struct Dump<'a> {
    source: &'a [u8],
    depth: usize,
    text: String,
}

/// Longer pieces of source are truncated.
const SHOWN: usize = 60;

impl<'pr> Visit<'pr> for Dump<'_> {
    fn visit(&mut self, node: &Node<'pr>) {
        let location = node.location();
        let range = span(node);
        let text = memory::lossy_text(&self.source[range.start as usize..(range.end as usize).min(self.source.len())]);
        let first: String = text.lines().next().unwrap_or("").chars().take(SHOWN).collect();
        let more = if first.len() < text.trim_end().len() { "…" } else { "" };
        self.text += &format!(
            "{:indent$}@ {} ({},{})-({},{}) {first:?}{more}\n",
            "",
            kind(node),
            location.start_line(),
            location.start_column(),
            location.end_line(),
            location.end_column(),
            indent = 2 * self.depth
        );
        self.depth += 1;
        stacker::maybe_grow(128 << 10, 2 << 20, || walk(self, node));
        self.depth -= 1;
    }
}
