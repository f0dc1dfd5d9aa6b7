//! Decides whether a command line needs a shell. A line without shell syntax is split at blanks and run directly, which
//! saves a process and makes its pid the command's.

use memory::ToVector;

/// The shell that runs command lines.
pub const SHELL: &[u8] = b"/bin/sh";

/// How to run a command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Invocation {
    /// Run the line with [`SHELL`] and `-c`.
    Shell,
    /// Run this program with these words; the first word is the program. No words if the line is blank.
    Direct(Vec<Vec<u8>>),
}

/// Characters that require a shell, anywhere in the line.
const META: &[u8] = b"*?{}[]<>()~&|\\$;'`\"\n#";

/// Reserved words and special built-ins of a POSIX shell, which no program of the same name can replace.
const SHELL_WORDS: &[&[u8]] = &[
    b"!", b".", b":", b"break", b"case", b"continue", b"do", b"done", b"elif", b"else", b"esac", b"eval", b"exec",
    b"exit", b"export", b"fi", b"for", b"if", b"in", b"readonly", b"return", b"set", b"shift", b"then", b"times",
    b"trap", b"unset", b"until", b"while",
];

/// Decides how to run a command line.
pub fn invocation(line: &[u8]) -> Invocation {
    let mut words = line.split(|byte| matches!(byte, b' ' | b'\t')).filter(|word| !word.is_empty()).peekable();
    let first: &[u8] = words.peek().copied().unwrap_or_default();
    // An `=` in the first word assigns a variable.
    if line.iter().any(|byte| META.contains(byte)) || first.contains(&b'=') || SHELL_WORDS.contains(&first) {
        return Invocation::Shell;
    }
    Invocation::Direct(words.map(<[u8]>::to_vector).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, words: Option<&[&str]>) {
        let expected = words.map_or(Invocation::Shell, |words| {
            Invocation::Direct(words.iter().map(|word| word.as_bytes().to_vec()).collect())
        });
        assert_eq!(invocation(line.as_bytes()), expected, "{line:?}");
    }

    #[test]
    fn plain_lines_are_split() {
        check("  ls\t-l  a=b ", Some(&["ls", "-l", "a=b"]));
        check("./exit 1", Some(&["./exit", "1"]));
        check("", Some(&[]));
    }

    #[test]
    fn commands_with_shell_syntax_run_in_a_shell() {
        check("ls *.rb", None);
        check("A=1 env", None);
        check("exit 3", None);
        check("echo a\necho b", None);
        check("true # comment", None);
    }
}
