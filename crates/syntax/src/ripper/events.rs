//! The mapping from prism's tokens to Ripper's events.

/// The names of all events of tokens, sorted. An element refers to its event by its position here: a file has some
/// hundred thousand elements.
pub const NAMES: [&str; 51] = [
    "CHAR", "__end__", "backref", "backtick", "comma", "comment", "const", "cvar", "embdoc", "embdoc_beg",
    "embdoc_end", "embexpr_beg", "embexpr_end", "embvar", "float", "gvar", "heredoc_beg", "heredoc_end", "ident",
    "ignored_nl", "imaginary", "int", "ivar", "kw", "label", "label_end", "lbrace", "lbracket", "lparen", "nl", "op",
    "period", "qsymbols_beg", "qwords_beg", "rational", "rbrace", "rbracket", "regexp_beg", "regexp_end", "rparen",
    "semicolon", "sp", "symbeg", "symbols_beg", "tlambda", "tlambeg", "tstring_beg", "tstring_content", "tstring_end",
    "words_beg", "words_sep",
];

/// The position of an event's name.
pub fn number(name: &str) -> u8 {
    NAMES.binary_search(&name).map_or(0, |place| place as u8)
}

/// The event's name without `on_`.
pub fn event(token: &str) -> &'static str {
    match token {
        "BACK_REFERENCE" | "NUMBERED_REFERENCE" => "backref",
        "BACKTICK" | "PERCENT_LOWER_X" => "backtick",
        "BRACE_LEFT" => "lbrace",
        "BRACE_RIGHT" => "rbrace",
        "BRACKET_LEFT" | "BRACKET_LEFT_ARRAY" => "lbracket",
        "BRACKET_RIGHT" => "rbracket",
        "CHARACTER_LITERAL" => "CHAR",
        "CLASS_VARIABLE" => "cvar",
        "COMMA" => "comma",
        "COMMENT" => "comment",
        "CONSTANT" => "const",
        "DOT" => "period",
        "EMBDOC_BEGIN" => "embdoc_beg",
        "EMBDOC_END" => "embdoc_end",
        "EMBDOC_LINE" => "embdoc",
        "EMBEXPR_BEGIN" => "embexpr_beg",
        "EMBEXPR_END" => "embexpr_end",
        "EMBVAR" => "embvar",
        "FLOAT" => "float",
        "FLOAT_IMAGINARY" | "FLOAT_RATIONAL_IMAGINARY" | "INTEGER_IMAGINARY" | "INTEGER_RATIONAL_IMAGINARY" => {
            "imaginary"
        }
        "FLOAT_RATIONAL" | "INTEGER_RATIONAL" | "RATIONAL_FLOAT" | "RATIONAL_INTEGER" => "rational",
        "GLOBAL_VARIABLE" => "gvar",
        "HEREDOC_END" => "heredoc_end",
        "HEREDOC_START" => "heredoc_beg",
        "IDENTIFIER" | "METHOD_NAME" => "ident",
        "IGNORED_NEWLINE" => "ignored_nl",
        "INTEGER" => "int",
        "INSTANCE_VARIABLE" => "ivar",
        "LABEL" => "label",
        "LABEL_END" => "label_end",
        "LAMBDA_BEGIN" => "tlambeg",
        "MINUS_GREATER" => "tlambda",
        "NEWLINE" => "nl",
        "PARENTHESIS_LEFT" | "PARENTHESIS_LEFT_PARENTHESES" => "lparen",
        "PARENTHESIS_RIGHT" => "rparen",
        "PERCENT_LOWER_I" => "qsymbols_beg",
        "PERCENT_LOWER_W" => "qwords_beg",
        "PERCENT_UPPER_I" => "symbols_beg",
        "PERCENT_UPPER_W" => "words_beg",
        "REGEXP_BEGIN" => "regexp_beg",
        "REGEXP_END" => "regexp_end",
        "SEMICOLON" => "semicolon",
        "STRING_BEGIN" => "tstring_beg",
        "STRING_CONTENT" => "tstring_content",
        "STRING_END" => "tstring_end",
        "SYMBOL_BEGIN" => "symbeg",
        "WORDS_SEP" => "words_sep",
        "__END__" => "__end__",
        _ if token.starts_with("KEYWORD_") => "kw",
        // All others are operators, or bytes that cannot start a token.
        "INVALID" => "CHAR",
        _ => "op",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(NAMES.is_sorted());
        assert!(NAMES.iter().enumerate().all(|(place, name)| usize::from(number(name)) == place));
    }
}
