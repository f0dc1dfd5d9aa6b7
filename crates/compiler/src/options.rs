//! The input of a compilation: the path, the kind of source, the variables that an eval sees, the switches of the
//! command line.

use bytecode::sequence::Local;
use bytecode::{Kind, Parameters};

#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub path: String,
    pub first_line: i32,
    pub kind: SourceKind,
    /// `--enable=frozen-string-literal` and its opposite; a magic comment has precedence.
    pub frozen_string_literal: Option<bool>,
    /// The name of the source's encoding, unless a magic comment names another. For eval: that of the string, which no
    /// comment changes if `encoding_locked`.
    pub encoding: Option<String>,
    pub encoding_locked: bool,
    pub command_line: CommandLine,
    /// Whether the file belongs to a gem, for which RUBY_ENGINE differs (docs/differences.md says why).
    pub of_gem: bool,
    /// What to count for coverage.
    pub counts: Counts,
    /// `--debug-frozen-string-literal`, `--debug`: string literals are new strings that record their origin.
    pub record_string_origins: bool,
    /// A Ruby half of a core class: calls of constants mean the core's own methods.
    pub of_core: bool,
}

impl Options {
    pub fn new(path: impl Into<String>, kind: SourceKind) -> Options {
        let path = path.into();
        Options {
            of_gem: is_of_gem(&path) || (matches!(kind, SourceKind::Main) && is_configuration(&path)),
            path,
            first_line: 1,
            kind,
            frozen_string_literal: None,
            encoding: None,
            encoding_locked: false,
            command_line: CommandLine::default(),
            counts: Counts::default(),
            record_string_origins: false,
            of_core: false,
        }
    }
}

/// What the code counts for the library coverage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub lines: bool,
    /// Lines: whether they ran, not how often.
    pub once: bool,
    /// Calls of methods.
    pub calls: bool,
    pub branches: bool,
}

/// Whether it is a file of an installed gem: `…/gems/NAME-VERSION/…`, `…/bundler/gems/NAME-REVISION/…`.
pub fn is_of_gem(path: &str) -> bool {
    path.match_indices("gems/").any(|(place, gems)| {
        let Some(before) = path[..place].strip_suffix('/') else { return false };
        let Some((name, _)) = path[place + gems.len()..].split_once('/') else { return false };
        let version = name.rsplit('-').any(|part| part.starts_with(|first: char| first.is_ascii_digit()));
        version || (name.contains('-') && before.ends_with("/bundler"))
    })
}

/// Whether it is the script that configures a gem's native part. Such a script uses the C interface, and rubygems
/// passes only the last part of its path.
fn is_configuration(path: &str) -> bool {
    let name = path.rsplit('/').next();
    name.is_some_and(|name| name.starts_with("extconf") && name.ends_with(".rb"))
}

/// `-e -n -p -a -l -x`
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CommandLine {
    pub e: bool,
    pub n: bool,
    pub p: bool,
    pub a: bool,
    pub l: bool,
    pub x: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum SourceKind {
    /// The script itself.
    Main,
    /// A file that is required or loaded.
    Required,
    Eval {
        /// Code evaluated in a binding. `scopes` are the binding's, the innermost first, up to and including the
        /// method, class or file.
        scopes: Vec<EvalScope>,
        /// Name and depth in blocks of the sequence that the binding belongs to, for labels in backtraces.
        name: String,
        block_depth: u16,
    },
}

/// One scope that an eval can see.
#[derive(Clone, Debug, PartialEq)]
pub struct EvalScope {
    pub kind: Kind,
    /// Visible names with their registers.
    pub locals: Vec<(Vec<u8>, u16)>,
    pub parameters: Parameters,
}

impl EvalScope {
    /// The scope that a sequence's frame makes.
    pub fn new(kind: Kind, parameters: &Parameters, locals: &[Local]) -> EvalScope {
        let locals = locals.iter().filter_map(|l| l.name.as_ref().map(|n| (n.bytes.clone(), l.register))).collect();
        EvalScope { kind, locals, parameters: parameters.clone() }
    }

    /// Whether the parameter in `register` has no name (`*`, `**`, `&`).
    pub(crate) fn is_anonymous(&self, register: u16) -> bool {
        !self.locals.iter().any(|(_, r)| *r == register)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_gems_are_known_by_their_place() {
        assert!(is_of_gem("/usr/lib/gems/concurrent-ruby-1.3.5/lib/a.rb"));
        assert!(is_of_gem("/app/vendor/bundle/ruby/4.0.0/gems/nokogiri-1.18.0-x86_64-linux/lib/a.rb"));
        assert!(is_of_gem("/app/bundler/gems/rails-abcdef/lib/a.rb"));
        assert!(is_of_gem("/home/a/gems/gems/concurrent-ruby-1.3.5/lib/a.rb"));
        assert!(!is_of_gem("/home/a/gems/my-app/lib/a.rb"));
        assert!(!is_of_gem("/home/a/gems/a-1.rb"));
        assert!(Options::new("extconf.rb", SourceKind::Main).of_gem);
        assert!(!Options::new("extconf.rb", SourceKind::Required).of_gem);
    }
}
