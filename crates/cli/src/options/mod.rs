//! The command line, `RUBYOPT` and a script's `#!` line, as `ruby` accepts them.
//!
//! - `switches`: one letter; `long`: `--name`; `features`: `--enable`, `--disable`, `-W:category`, `--dump`.
//! - `variables`: `-s`; `usage`: `-h`, `--help`.

mod features;
mod long;
mod switches;
mod usage;
mod variables;

pub use features::{Categories, Dumps, Features};
pub use usage::help;
pub use variables::Variable;

use std::collections::VecDeque;

/// What to run and how.
#[derive(Default, Clone)]
pub struct Command {
    /// The name by which this program was called, for its messages.
    pub program: String,
    /// `-e` lines, joined by newlines.
    pub lines: Option<Vec<u8>>,
    /// The script's path; `-`: standard input.
    pub script: Vec<u8>,
    /// Whether the command line names the script, even as `-`.
    pub script_given: bool,
    pub arguments: Vec<Vec<u8>>,
    /// Global variables set by `-s` arguments.
    pub variables: Vec<Variable>,
    /// `-I`, expanded.
    pub include: Vec<Vec<u8>>,
    pub require: Vec<Vec<u8>>,
    pub verbose: Verbosity,
    /// Whether `-v`, `-w` or `-W` was given: origins of lower precedence then do not change the level.
    pub warning_level_given: bool,
    /// Whether `-v` or `--verbose` was given: then it is no error if there is no script.
    pub is_verbose: bool,
    /// `--crash-report`
    pub crash_report: Option<String>,
    pub debug: bool,
    /// `--debug-frozen-string-literal`
    pub record_string_origins: bool,
    pub features: Features,
    pub categories: Categories,
    pub dumps: Dumps,
    pub source_encoding: Option<String>,
    pub external_encoding: Option<String>,
    pub internal_encoding: Option<String>,
    pub loops: compiler::CommandLine,
    pub field_separator: Option<Vec<u8>>,
    pub record_separator: Option<Separator>,
    pub output_separator: Option<Separator>,
    pub in_place: Option<Vec<u8>>,
    pub switches: bool,
    pub search_path: bool,
    pub backtrace_limit: Option<i64>,
    pub trace_calls: bool,
    pub stress_gc: u32,
    /// `--stress-switch`, `--stress-signal`
    pub stress: runtime::vm::Stress,
    pub verify_facts: bool,
    pub verify_heap: bool,
    pub stats: bool,
    /// `--trace-gc`
    pub trace_gc: bool,
    /// `--stacks-on-quit`
    pub stacks_on_quit: bool,
    /// `--no-inspect`
    pub no_inspect: bool,
    /// `--profile`
    pub profile: Option<profile::command::Wish>,
    /// `--jit`, `--jit-threshold`
    pub compilation: Compilation,
    /// `--jit-full-after`
    pub full_after: Option<u32>,
    /// `--jit-exit-every`
    pub exit_every: u32,
    /// `--jit-budget`, in bytes
    pub code_budget: Option<usize>,
    /// `--jit-perf-map`
    pub maps_code: bool,
    /// `--jit-stats`: the length of its lists of places
    pub places_in_statistics: Option<usize>,
}

/// When code is compiled to machine code.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Compilation {
    /// When it has run often.
    #[default]
    Hot,
    /// When it has run this many times.
    After(u32),
    Never,
}

impl Compilation {
    /// The number of runs after which a code object is compiled by default.
    const HOT: u32 = 60;

    /// The number of runs after which code is compiled; `None`: the compiler is off.
    pub fn runs(self) -> Option<u32> {
        match self {
            Compilation::Hot => Some(Compilation::HOT),
            Compilation::After(runs) => Some(runs),
            Compilation::Never => None,
        }
    }
}

/// `$VERBOSE`
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Verbosity {
    Silent,
    #[default]
    Normal,
    Verbose,
}

/// `$/` and `$\`
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Separator {
    /// Empty: paragraphs.
    Bytes(Vec<u8>),
    /// nil: no encoding.
    None,
}

/// The reason why the command cannot run, and the class that Ruby reports with it.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal {
    pub message: String,
    pub class: &'static str,
}

impl Refusal {
    pub fn new(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), class: "RuntimeError" }
    }

    pub fn load_error(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), class: "LoadError" }
    }

    fn fatal(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), class: "fatal" }
    }
}

type Done = Result<(), Refusal>;

/// The origin of switches; not all are allowed everywhere.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    CommandLine,
    Environment,
    Script,
}

/// Parses all arguments, then `RUBYOPT`; the command line takes precedence. Arguments after the script belong to the
/// program. `-C` and `-x` change the directory immediately: later paths are relative to it.
pub fn parse(program: String, arguments: Vec<Vec<u8>>) -> Result<Command, Refusal> {
    let command = Command { program, ..Command::default() };
    let mut parser = Parser::new(command, Origin::CommandLine, arguments);
    parser.run()?;
    let Parser { mut command, rest, .. } = parser;
    if command.dumps.usage {
        return Ok(command);
    }
    if command.features.rubyopt
        && let Some(more) = std::env::var_os("RUBYOPT")
    {
        command = environment(command, std::os::unix::ffi::OsStrExt::as_bytes(more.as_os_str()))?;
    }
    take_script(&mut command, rest);
    variables::take(&mut command)?;
    check_profile(command)
}

/// The format of a profile depends on several switches.
fn check_profile(command: Command) -> Result<Command, Refusal> {
    if let Some(wish) = &command.profile {
        wish.check().map_err(Refusal::new)?;
    }
    Ok(command)
}

/// The switches in a script's `#!` line, after the word "ruby".
pub fn script_line(command: Command, line: &[u8]) -> Result<Command, Refusal> {
    let Some(start) = line.windows(2).position(|pair| pair == b" -") else { return Ok(command) };
    let mut words = Vec::new();
    for word in line[start + 1..].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
        if word[0] != b'-' {
            break;
        }
        words.push(word.to_vec());
    }
    let mut parser = Parser::new(command, Origin::Script, words);
    parser.run()?;
    variables::take(&mut parser.command)?;
    check_profile(parser.command)
}

/// Parses the switches in the variable `RUBYOPT`, whose first dash may be missing. Encodings, features, categories and
/// the limit of backtraces that were given before take precedence.
fn environment(command: Command, text: &[u8]) -> Result<Command, Refusal> {
    let mut words: Vec<Vec<u8>> =
        text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).map(<[u8]>::to_vec).collect();
    for (i, word) in words.iter_mut().enumerate() {
        // The first word is a switch even without a dash; a later one may be the value of the one before it.
        if i == 0 && word[0] != b'-' {
            word.insert(0, b'-');
        }
    }
    let given = command.clone();
    let mut parser = Parser::new(command, Origin::Environment, words);
    let command = &mut parser.command;
    (command.source_encoding, command.external_encoding, command.internal_encoding) = (None, None, None);
    command.backtrace_limit = None;
    parser.run()?;
    let mut command = parser.command;
    command.source_encoding = given.source_encoding.or(command.source_encoding);
    command.external_encoding = given.external_encoding.or(command.external_encoding);
    command.internal_encoding = given.internal_encoding.or(command.internal_encoding);
    command.backtrace_limit = given.backtrace_limit.or(command.backtrace_limit);
    command.features.restore(&given.features);
    command.categories.restore(&given.categories);
    Ok(command)
}

fn take_script(command: &mut Command, mut rest: VecDeque<Vec<u8>>) {
    if command.lines.is_none() {
        command.script_given = !rest.is_empty();
        command.script = rest.pop_front().filter(|script| !script.is_empty()).unwrap_or_else(|| b"-".to_vec());
    }
    command.arguments = rest.into();
}

/// Reads the switches of one origin.
struct Parser {
    command: Command,
    origin: Origin,
    rest: VecDeque<Vec<u8>>,
    /// `-v`, `-w` or `-W` occurred here or in an origin with precedence.
    warning_level_known: bool,
}

impl Parser {
    fn new(command: Command, origin: Origin, words: Vec<Vec<u8>>) -> Parser {
        Parser { command, origin, rest: words.into(), warning_level_known: false }
    }

    fn run(&mut self) -> Done {
        while let Some(word) = self.rest.pop_front() {
            if word == b"--" {
                break;
            }
            if let Some(long) = word.strip_prefix(b"--") {
                self.long(&String::from_utf8_lossy(long))?;
            } else if word.len() > 1 && word[0] == b'-' {
                self.cluster(&word[1..])?;
            } else {
                self.rest.push_front(word);
                break;
            }
            if self.command.dumps.usage {
                return Ok(());
            }
        }
        self.command.warning_level_given |= self.warning_level_known;
        Ok(())
    }
}
