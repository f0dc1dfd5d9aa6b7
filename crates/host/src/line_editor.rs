//! Reading from a terminal with editing, history, completion and multi-line input; built on rustyline.

use std::borrow::Cow;

use rustyline::{
    Config, Context, Editor, Helper,
    completion::Completer,
    config::{BellStyle, CompletionType},
    error::ReadlineError,
    highlight::Highlighter,
    hint::Hinter,
    history::MemHistory,
    validate::{ValidationContext, ValidationResult, Validator},
};

/// Language-specific support for the editor.
pub trait Assistant {
    /// Whether the input is incomplete; then the return key begins a new line.
    fn is_incomplete(&self, text: &str) -> bool;
    /// The length of the suffix of `text` (the text before the cursor) that a candidate replaces, and the candidates.
    fn complete(&self, text: &str) -> (usize, Vec<String>);
}

/// How the input ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Input {
    Text(String),
    /// Ctrl-C
    Interrupted,
    /// Ctrl-D on an empty line, or the terminal was closed.
    End,
}

struct Assisting<'a>(&'a dyn Assistant);

impl Completer for Assisting<'_> {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let (length, candidates) = self.0.complete(&line[..at]);
        Ok((at.saturating_sub(length), candidates))
    }
}

impl Validator for Assisting<'_> {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let incomplete = self.0.is_incomplete(context.input());
        Ok(if incomplete { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

impl Hinter for Assisting<'_> {
    type Hint = String;
}

impl Highlighter for Assisting<'_> {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        Cow::Borrowed(line)
    }
}

impl Helper for Assisting<'_> {}

/// Reads one input from the terminal. `history`: previous inputs, oldest first.
pub fn read(prompt: &str, history: &[String], assistant: &dyn Assistant) -> Input {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .bell_style(BellStyle::None)
        .auto_add_history(false)
        .build();
    let kept = MemHistory::with_config(&config);
    let Ok(mut editor) = Editor::<Assisting<'_>, MemHistory>::with_history(config, kept) else {
        return Input::End;
    };
    editor.set_helper(Some(Assisting(assistant)));
    for entry in history {
        let _ = editor.add_history_entry(entry.as_str());
    }
    match editor.readline(prompt) {
        Ok(text) => Input::Text(text),
        Err(ReadlineError::Interrupted) => Input::Interrupted,
        Err(_) => Input::End,
    }
}
