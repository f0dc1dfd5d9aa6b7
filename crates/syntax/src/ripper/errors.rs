//! Prism's errors as Ripper reports them: one per position, unfinished constructs at the end of the source.

use super::Element;
use crate::reader::{Diagnostic, Metadata};

pub struct Error<'m> {
    /// The element at which it is reported; None if there is no element.
    pub element: Option<usize>,
    /// With `on_` if Ripper's method has it.
    pub event: &'static str,
    pub message: &'m [u8],
    pub start: usize,
    /// The token to report, if it is not the element.
    pub token: Option<&'m [u8]>,
    pub leaves_tree: bool,
}

/// The errors in the order of the elements.
pub fn of<'m>(source: &'m [u8], elements: &[Element], metadata: &'m Metadata<'m>) -> Vec<Error<'m>> {
    let is_unfinished = metadata.continuable || metadata.errors.iter().any(tells_end);
    let mut errors: Vec<Error> = Vec::new();
    for diagnostic in &metadata.errors {
        let error = from_diagnostic(source, elements, diagnostic, is_unfinished);
        match errors.iter_mut().find(|other| other.element == error.element) {
            // An unexpected end of the source is the most informative error.
            Some(other) if tells_end(diagnostic) && !other.message.windows(END.len()).any(|text| text == END) => {
                *other = Error { leaves_tree: other.leaves_tree && error.leaves_tree, ..error };
            }
            Some(other) => other.leaves_tree &= error.leaves_tree,
            None => errors.push(error),
        }
    }
    errors.sort_by_key(|error| error.element.unwrap_or(usize::MAX));
    errors
}

const END: &[u8] = b"unexpected end-of-input";

fn tells_end(error: &Diagnostic) -> bool {
    error.message.windows(END.len()).any(|text| text == END)
}

fn from_diagnostic<'m>(
    source: &'m [u8],
    elements: &[Element],
    error: &Diagnostic<'m>,
    is_unfinished: bool,
) -> Error<'m> {
    let start = error.location.start as usize;
    let is_closing = error.name.ends_with("_term") || error.name.contains("_term_") || error.name.ends_with("_eof");
    let last = elements.len().checked_sub(1);
    let is_heredoc = error.name == "heredoc_term";
    let holds = |element: &Element| element.span().contains(&start) && (is_heredoc || element.event() != "sp");
    let element = match elements.iter().position(holds) {
        _ if tells_end(error) || is_closing && is_unfinished && !is_heredoc => last,
        Some(element) => Some(element),
        None => last,
    };
    let token = element.filter(|_| is_heredoc).and_then(|element| heredoc_name(source, &elements[element]));
    Error {
        element,
        event: event(error.name),
        message: message(error),
        start: token.map_or(start, |(start, _)| start),
        token: token.map(|(_, name)| name),
        leaves_tree: leaves_tree(error.name),
    }
}

/// The start of the name that ends a here document, and that name.
fn heredoc_name<'m>(source: &'m [u8], element: &Element) -> Option<(usize, &'m [u8])> {
    let opening = source.get(element.span())?.strip_prefix(b"<<")?;
    let dash = opening.iter().take_while(|b| matches!(b, b'-' | b'~')).count();
    let quote = opening[dash..].first().filter(|b| matches!(b, b'"' | b'\'' | b'`'));
    let start = dash + usize::from(quote.is_some());
    let name = &opening[start..];
    let name = quote.and_then(|quote| name.strip_suffix(&[*quote])).unwrap_or(name);
    Some((element.start as usize + 2 + start, name))
}

/// The part of prism's message that Ripper's has: prism adds which construct is wrong or what it expected.
fn message<'m>(error: &Diagnostic<'m>) -> &'m [u8] {
    let place = |text: &[u8]| error.message.windows(text.len()).position(|part| part == text);
    let added_before = match error.name {
        "alias_argument_numbered_reference" | "class_name" | "def_endless_setter" | "module_name" => true,
        name => name.starts_with("argument_formal_"),
    };
    if added_before && let Some(at) = place(b"; ") {
        return error.message[at + 2..].strip_prefix(b"a ").unwrap_or(&error.message[at + 2..]);
    }
    match error.name {
        "regexp_term" => place(b"; ").map_or(error.message, |at| &error.message[..at]),
        name if name.starts_with("list_") && name.ends_with("_term") => b"unterminated list meets end of file",
        _ => error.message,
    }
}

/// The event of one of prism's errors.
fn event(name: &str) -> &'static str {
    match name {
        "alias_argument_numbered_reference" => "on_alias_error",
        "argument_formal_class"
        | "argument_formal_constant"
        | "argument_formal_global"
        | "argument_formal_ivar"
        | "parameter_name_duplicated" => "on_param_error",
        "class_name" | "module_name" => "on_class_name_error",
        "write_target_in_method" | "write_target_readonly" => "on_assign_error",
        _ if name.starts_with("expression_not_writable_") => "on_assign_error",
        "invalid_character"
        | "invalid_printable_character"
        | "invalid_multibyte_character"
        | "heredoc_term"
        | "regexp_term"
        | "string_literal_term"
        | "string_literal_eof"
        | "string_interpolated_term" => "compile_error",
        _ if name.starts_with("list_") && name.ends_with("_term") => "compile_error",
        _ if name.ends_with("_variable_bare") || name.starts_with("numbered_parameter_") => "compile_error",
        _ if name.starts_with("incomplete_variable_") || name.starts_with("invalid_variable_") => "compile_error",
        _ if name.starts_with("argument_no_forwarding_") => "compile_error",
        _ => "on_parse_error",
    }
}

/// Whether the error concerns only the context, so that the tree is complete.
fn leaves_tree(error: &str) -> bool {
    let names = [
        "alias_argument_numbered_reference",
        "def_endless_setter",
        "invalid_block_exit",
        "invalid_yield",
        "write_target_in_method",
        "write_target_readonly",
    ];
    names.contains(&error)
        || error.starts_with("expression_not_writable_")
        || error.starts_with("invalid_retry_")
        || error.starts_with("argument_no_forwarding_")
}
