//! Lines, columns and events of the words that are emitted next.

use bytecode::Events;

use crate::compiler::Compiler;
use crate::node::Span;

impl Compiler<'_> {
    /// The words emitted from now on come from `span`.
    pub fn at(&mut self, span: impl Into<Span>) {
        let span = span.into();
        let (line, column) = self.unit.line_and_column(span.start);
        let (end_line, end_column) = self.unit.line_and_column(span.end);
        let end_column = if end_line == line { end_column } else { self.unit.length_of_line(span.start) };
        let scope = self.scope();
        (scope.line, scope.column, scope.end_column) = (line, column, end_column);
    }

    /// The next word carries these events.
    pub fn event(&mut self, events: u16) {
        self.scope().pending_events |= events;
    }

    /// The next word begins a statement on the line of `span`, if that line has had no event yet.
    pub fn line_event(&mut self, span: Span) {
        let (line, _) = self.unit.line_and_column(span.start);
        if self.scope().last_event_line != Some(line) {
            // The pending event of a line without code gets a separate word.
            if self.scope().pending_events & Events::LINE != 0 {
                self.flush_events();
            }
            self.scope().last_event_line = Some(line);
            self.at(span);
            self.event(Events::LINE);
            self.count_line(line);
        }
    }

    /// Emits a word for pending events that have none.
    pub fn flush_events(&mut self) {
        if self.scope().pending_events != 0 {
            self.emit(bytecode::Opcode::Nop, 0, 0, 0);
        }
    }
}
