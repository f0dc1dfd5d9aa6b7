//! The columns that an error message underlines, if they are not in the positions of the code: the arguments of a call.

use ruby_prism::{ArgumentsNode, CallNode, Node, Visit};

use crate::calls::message_span;
use crate::node::walk;
use crate::options::Options;

/// Columns (first, and one past the last) of the arguments of the call whose position is `line` and `column`; None if
/// they are on another line. For TypeError and ArgumentError, which underline arguments and not the call's name.
pub fn columns_of_arguments(source: &[u8], options: &Options, line: i32, column: u32) -> Option<(u32, u32)> {
    crate::parse::with_parsed(source, options, |result| {
        let lines = result.line_offsets();
        let start = *lines.get(usize::try_from(line.checked_sub(options.first_line)?).ok()?)?;
        let mut search = Search { offset: start + column, found: None };
        search.visit(&result.node());
        let (from, to) = search.found?;
        let next = lines.iter().find(|o| **o > start).copied().unwrap_or(u32::MAX);
        (from >= start && to < next).then(|| (from - start, to - start))
    })
}

struct Search {
    offset: u32,
    found: Option<(u32, u32)>,
}

impl Search {
    fn look(&mut self, call: &CallNode<'_>) {
        if message_span(call).start != self.offset {
            return;
        }
        let range = |arguments: ArgumentsNode<'_>| {
            let list = arguments.arguments();
            Some((list.first()?.location().start(), list.last()?.location().end()))
        };
        self.found = call.arguments().and_then(range);
    }
}

impl<'pr> Visit<'pr> for Search {
    fn visit(&mut self, node: &Node<'pr>) {
        if self.found.is_some() {
            return;
        }
        if let Some(call) = node.as_call_node() {
            self.look(&call);
        }
        if self.found.is_none() {
            stacker::maybe_grow(128 << 10, 2 << 20, || walk(self, node));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::SourceKind;

    #[test]
    fn arguments_are_found_by_the_position_of_their_call() {
        let options = Options::new("x", SourceKind::Main);
        let source = b"a = 1\nb = 2 + nil\nfoo.bar(1, x)\n";
        assert_eq!(columns_of_arguments(source, &options, 2, 6), Some((8, 11)));
        assert_eq!(columns_of_arguments(source, &options, 3, 3), Some((8, 12)));
        assert_eq!(columns_of_arguments(source, &options, 1, 0), None);
    }
}
