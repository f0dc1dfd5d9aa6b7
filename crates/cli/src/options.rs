//! The command line, `RUBYOPT` included: what `ruby` takes.

/// What to run and how.
#[derive(Default, Clone)]
pub struct Command {
    /// `-e` lines, joined by newlines.
    pub lines: Option<Vec<u8>>,
    /// The script's path; `None` or `-`: standard input.
    pub script: Option<Vec<u8>>,
    pub arguments: Vec<Vec<u8>>,
    pub include: Vec<Vec<u8>>,
    pub require: Vec<Vec<u8>>,
    pub verbose: Verbosity,
    pub debug: bool,
    pub check_syntax: bool,
    pub directory: Option<Vec<u8>>,
    pub frozen_string_literal: Option<bool>,
    pub external_encoding: Option<String>,
    pub internal_encoding: Option<String>,
    pub loops: compiler::CommandLine,
    pub field_separator: Option<Vec<u8>>,
    pub record_separator: Option<Vec<u8>>,
    pub in_place: Option<Vec<u8>>,
    pub switches: bool,
    pub search_path: bool,
    pub skip_to_script: Option<Vec<u8>>,
    pub categories: Vec<(String, bool)>,
    pub backtrace_limit: Option<i64>,
    pub dump_ast: bool,
    pub dump_bytecode: bool,
    pub trace_calls: bool,
    pub stress_gc: u32,
    pub verify_heap: bool,
    pub stats: bool,
    pub show_version: bool,
    pub no_gems: bool,
    pub no_rubyopt: bool,
}

/// `$VERBOSE`
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Verbosity {
    Silent,
    #[default]
    Normal,
    Verbose,
}

pub enum Request {
    Run(Box<Command>),
    Print(String),
}

pub const VERSION: &str = "4.0.0";

pub fn description() -> String {
    format!("beni {} (ruby {VERSION}) [{}-{}]", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH, std::env::consts::OS)
}

/// Reads all arguments; those after the script are the program's.
pub fn parse(arguments: Vec<Vec<u8>>) -> Result<Request, String> {
    let mut parser = Parser { command: Command::default(), rest: arguments.into(), print: None };
    parser.run()?;
    if !parser.command.no_rubyopt
        && let Some(more) = std::env::var_os("RUBYOPT")
    {
        let words = more.to_string_lossy().split_whitespace().map(|w| w.as_bytes().to_vec()).collect();
        parser.environment(words)?;
    }
    match parser.print {
        Some(text) => Ok(Request::Print(text)),
        None => Ok(Request::Run(Box::new(parser.command))),
    }
}

struct Parser {
    command: Command,
    rest: std::collections::VecDeque<Vec<u8>>,
    print: Option<String>,
}

impl Parser {
    fn run(&mut self) -> Result<(), String> {
        while let Some(argument) = self.rest.pop_front() {
            if argument == b"--" {
                break;
            }
            if let Some(long) = argument.strip_prefix(b"--") {
                self.long(&String::from_utf8_lossy(long))?;
            } else if argument.len() > 1 && argument[0] == b'-' {
                self.short(&argument[1..])?;
            } else {
                self.rest.push_front(argument);
                break;
            }
        }
        if self.command.lines.is_none() {
            self.command.script = self.rest.pop_front();
        }
        self.command.arguments = std::mem::take(&mut self.rest).into();
        Ok(())
    }

    /// Switches of `RUBYOPT`, which may come without their dash.
    fn environment(&mut self, words: Vec<Vec<u8>>) -> Result<(), String> {
        let kept = std::mem::take(&mut self.rest);
        for word in words {
            if let Some(long) = word.strip_prefix(b"--") {
                self.long(&String::from_utf8_lossy(long))?;
                continue;
            }
            let switches = word.strip_prefix(b"-").unwrap_or(&word);
            if !matches!(
                switches.first(),
                Some(b'C' | b'd' | b'E' | b'I' | b'K' | b'r' | b'T' | b'U' | b'v' | b'w' | b'W')
            ) {
                return Err(format!("invalid switch in RUBYOPT: -{}", String::from_utf8_lossy(switches)));
            }
            self.short(switches)?;
        }
        self.rest = kept;
        Ok(())
    }

    /// The value attached to a switch, or the next argument.
    fn value(&mut self, attached: &[u8], name: &str) -> Result<Vec<u8>, String> {
        if !attached.is_empty() {
            return Ok(attached.to_vec());
        }
        self.rest.pop_front().ok_or_else(|| format!("no argument given for -{name}"))
    }

    /// A cluster of one-letter switches.
    fn short(&mut self, cluster: &[u8]) -> Result<(), String> {
        let mut at = 0;
        while at < cluster.len() {
            let letter = cluster[at];
            let tail = &cluster[at + 1..];
            at += 1;
            match letter {
                b'e' => {
                    let Ok(line) = self.value(tail, "e") else { return Err("no code specified for -e".into()) };
                    let lines = self.command.lines.get_or_insert_default();
                    lines.extend_from_slice(&line);
                    lines.push(b'\n');
                    self.command.loops.e = true;
                    return Ok(());
                }
                b'I' => {
                    let paths = self.value(tail, "I")?;
                    self.command.include.extend(paths.split(|b| *b == b':').map(<[u8]>::to_vec));
                    return Ok(());
                }
                b'r' => {
                    let feature = self.value(tail, "r")?;
                    self.command.require.push(feature);
                    return Ok(());
                }
                b'C' | b'X' => {
                    let Ok(directory) = self.value(tail, "C") else { return Err("Can't chdir".into()) };
                    self.command.directory = Some(directory);
                    return Ok(());
                }
                b'E' => {
                    let names = String::from_utf8_lossy(&self.value(tail, "E")?).into_owned();
                    self.encodings(&names);
                    return Ok(());
                }
                b'K' => {
                    let name = match tail.first() {
                        Some(b'e' | b'E') => "EUC-JP",
                        Some(b's' | b'S') => "Windows-31J",
                        Some(b'u' | b'U') => "UTF-8",
                        _ => "ASCII-8BIT",
                    };
                    self.command.external_encoding = Some(name.into());
                    at += 1;
                }
                b'F' => {
                    self.command.field_separator = Some(self.value(tail, "F")?);
                    return Ok(());
                }
                b'i' => {
                    self.command.in_place = Some(tail.to_vec());
                    return Ok(());
                }
                b'x' => {
                    self.command.loops.x = true;
                    self.command.skip_to_script = Some(tail.to_vec());
                    return Ok(());
                }
                b'0' => {
                    let digits = tail.iter().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
                    self.command.record_separator = Some(record_separator(&tail[..digits]));
                    at += digits;
                }
                b'W' => return self.warnings(tail),
                other => self.flag(other)?,
            }
        }
        Ok(())
    }

    /// A switch without a value.
    fn flag(&mut self, letter: u8) -> Result<(), String> {
        let command = &mut self.command;
        match letter {
            b'a' => command.loops.a = true,
            b'c' => command.check_syntax = true,
            b'd' => command.debug = true,
            b'l' => command.loops.l = true,
            b'n' => command.loops.n = true,
            b'p' => command.loops.p = true,
            b's' => command.switches = true,
            b'S' => command.search_path = true,
            b'U' => command.internal_encoding = Some("UTF-8".into()),
            b'v' => {
                command.verbose = Verbosity::Verbose;
                command.show_version = true;
            }
            b'w' => command.verbose = Verbosity::Verbose,
            b'y' | b'T' => {}
            b'h' => self.print = Some(help()),
            other => return Err(format!("invalid option -{}  (-h will show valid options)", other as char)),
        }
        Ok(())
    }

    /// `-W[level]`, `-W:[no-]category`
    fn warnings(&mut self, tail: &[u8]) -> Result<(), String> {
        match tail.first() {
            Some(b'0') => self.command.verbose = Verbosity::Silent,
            Some(b'1') => self.command.verbose = Verbosity::Normal,
            Some(b':') => {
                let name = String::from_utf8_lossy(&tail[1..]).into_owned();
                match name.strip_prefix("no-") {
                    Some(name) => self.command.categories.push((name.into(), false)),
                    None => self.command.categories.push((name, true)),
                }
            }
            _ => self.command.verbose = Verbosity::Verbose,
        }
        Ok(())
    }

    fn encodings(&mut self, names: &str) {
        let (external, internal) = names.split_once(':').unwrap_or((names, ""));
        if !external.is_empty() {
            self.command.external_encoding = Some(external.into());
        }
        if !internal.is_empty() {
            self.command.internal_encoding = Some(internal.into());
        }
    }

    fn long(&mut self, option: &str) -> Result<(), String> {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value.to_string())),
            None => (option, None),
        };
        match name {
            "version" => self.print = Some(format!("{}\n", description())),
            "copyright" => self.print = Some("beni - Copyright (C) 2026 The Beni developers\n".into()),
            "help" => self.print = Some(help()),
            "verbose" => self.command.verbose = Verbosity::Verbose,
            "yydebug" | "jit" | "yjit" | "zjit" | "rjit" => {}
            "enable" | "disable" => {
                let value = self.long_value(name, value)?;
                for feature in value.split(',') {
                    self.feature(feature, name == "enable")?;
                }
            }
            "encoding" => {
                let value = self.long_value(name, value)?;
                self.encodings(&value);
            }
            "external-encoding" => self.command.external_encoding = Some(self.long_value(name, value)?),
            "internal-encoding" => self.command.internal_encoding = Some(self.long_value(name, value)?),
            "backtrace-limit" => {
                let value = self.long_value(name, value)?;
                let limit = value.parse().map_err(|_| "wrong limit for backtrace length".to_string())?;
                self.command.backtrace_limit = Some(limit);
            }
            "parser" => {
                let value = self.long_value(name, value)?;
                if !matches!(value.as_str(), "prism" | "parse.y") {
                    return Err(format!("unknown parser {value}"));
                }
            }
            "dump" => {
                let value = self.long_value(name, value)?;
                self.dump(&value)?;
            }
            "dump-ast" => self.command.dump_ast = true,
            "dump-bytecode" => self.command.dump_bytecode = true,
            "trace-calls" => self.command.trace_calls = true,
            "stress-gc" => self.command.stress_gc = value.and_then(|v| v.parse().ok()).unwrap_or(1),
            "verify-heap" => self.command.verify_heap = true,
            "stats" => self.command.stats = true,
            _ => return self.feature_switch(name),
        }
        Ok(())
    }

    fn feature_switch(&mut self, name: &str) -> Result<(), String> {
        if let Some(feature) = name.strip_prefix("enable-") {
            return self.feature(feature, true);
        }
        if let Some(feature) = name.strip_prefix("disable-") {
            return self.feature(feature, false);
        }
        if ["yjit", "zjit", "jit", "rjit"].iter().any(|jit| name.starts_with(jit)) {
            return Ok(());
        }
        Err(format!("invalid option --{name}  (-h will show valid options)"))
    }

    fn long_value(&mut self, name: &str, value: Option<String>) -> Result<String, String> {
        match value {
            Some(value) => Ok(value),
            None => match self.rest.pop_front() {
                Some(next) => Ok(String::from_utf8_lossy(&next).into_owned()),
                None => Err(format!("missing argument for --{name}")),
            },
        }
    }

    fn feature(&mut self, feature: &str, on: bool) -> Result<(), String> {
        match feature {
            "frozen-string-literal" | "frozen_string_literal" => self.command.frozen_string_literal = Some(on),
            "gems" | "gem" => self.command.no_gems = !on,
            "rubyopt" => self.command.no_rubyopt = !on,
            "all" => {
                self.command.no_gems = !on;
                self.command.no_rubyopt = !on;
            }
            "did_you_mean" | "error_highlight" | "syntax_suggest" | "jit" | "yjit" | "rjit" | "zjit" => {}
            other => {
                eprintln!("beni: warning: unknown argument for --{}: '{other}'", if on { "enable" } else { "disable" })
            }
        }
        Ok(())
    }

    fn dump(&mut self, what: &str) -> Result<(), String> {
        for part in what.split(',') {
            match part {
                "version" => self.print = Some(format!("{}\n", description())),
                "copyright" => self.print = Some("beni - Copyright (C) 2026 The Beni developers\n".into()),
                "usage" | "help" => self.print = Some(help()),
                "syntax" => self.command.check_syntax = true,
                "insns" => self.command.dump_bytecode = true,
                "parsetree" | "prism_parsetree" => self.command.dump_ast = true,
                "yydebug" | "insns_without_opt" => {}
                other => eprintln!("beni: warning: don't know how to dump '{other}',"),
            }
        }
        Ok(())
    }
}

/// `-0[octal]`: a byte, 00 for paragraphs, 0777 for whole files.
fn record_separator(digits: &[u8]) -> Vec<u8> {
    let value = digits.iter().fold(0u32, |n, d| n * 8 + (d - b'0') as u32);
    match (digits.len(), value) {
        (0, _) => vec![0],
        (_, 0) => b"\n\n".to_vec(),
        (_, n) if n > 0xff => Vec::new(),
        (_, n) => vec![n as u8],
    }
}

fn help() -> String {
    let rows = [
        ("-0[octal]", "Set input record separator ($/)"),
        ("-a", "Split each input line ($_) into fields ($F)"),
        ("-c", "Check syntax (no execution)"),
        ("-Cdirpath", "Execute program in specified directory"),
        ("-d, --debug", "Set debugging flag ($DEBUG) to true"),
        ("-e 'code'", "Execute given Ruby code; multiple -e allowed"),
        ("-Eex[:in], --encoding=ex[:in]", "Set default external and internal encodings"),
        ("-Fpattern", "Set input field separator ($;); used with -a"),
        ("-i[extension]", "Set ARGF in-place mode"),
        ("-Idirpath", "Prepend specified directory to load paths ($LOAD_PATH)"),
        ("-l", "Set output record separator ($\\) to $/"),
        ("-n", "Run program in gets loop"),
        ("-p", "Like -n, with printing added"),
        ("-rlibrary", "Require the given library"),
        ("-s", "Define global variables using switches following program path"),
        ("-S", "Search directories found in the PATH environment variable"),
        ("-v", "Print version; set $VERBOSE to true"),
        ("-w", "Synonym for -W1"),
        ("-W[level=2]", "Set warning flag ($-W); -W:[no-]category"),
        ("-x[dirpath]", "Execute Ruby code starting from a #!ruby line"),
        ("--dump-ast, --dump-bytecode", "Print the syntax tree or the code instead of nothing"),
        ("--stress-gc[=n], --verify-heap", "Collect at each (nth) allocation; check each collection"),
        ("--stats", "Print counters of objects and collections at exit"),
        ("--trace-calls", "Print each call of a method"),
    ];
    let mut text = String::from("Usage: beni [options] [--] [filepath] [arguments]\n");
    for (option, meaning) in rows {
        text.push_str(&format!("  {option:<32}{meaning}\n"));
    }
    text
}
