//! `--enable`, `--disable`; `-W:category`; `--dump`.

use runtime::state::vm::DumpCompiled;

use super::{Compilation, Done, Parser, Verbosity};

/// The features that can be enabled and disabled, and their settings.
#[derive(Clone)]
pub struct Features {
    pub gems: bool,
    error_highlight: bool,
    did_you_mean: bool,
    syntax_suggest: bool,
    pub rubyopt: bool,
    pub frozen_string_literal: Option<bool>,
    given: Vec<&'static str>,
}

impl Default for Features {
    fn default() -> Features {
        Features {
            gems: true,
            error_highlight: true,
            did_you_mean: true,
            syntax_suggest: true,
            rubyopt: true,
            frozen_string_literal: None,
            given: Vec::new(),
        }
    }
}

const NAMES: &[&str] =
    &["gems", "error_highlight", "did_you_mean", "syntax_suggest", "rubyopt", "frozen_string_literal", "yjit", "zjit"];

impl Features {
    fn set(&mut self, name: &'static str, on: bool) {
        match name {
            "gems" => self.gems = on,
            "error_highlight" => self.error_highlight = on,
            "did_you_mean" => self.did_you_mean = on,
            "syntax_suggest" => self.syntax_suggest = on,
            "rubyopt" => self.rubyopt = on,
            "frozen_string_literal" => self.frozen_string_literal = Some(on),
            // "yjit" and "zjit" are accepted without effect.
            _ => {}
        }
        self.given.push(name);
    }

    fn get(&self, name: &str) -> bool {
        match name {
            "gems" => self.gems,
            "error_highlight" => self.error_highlight,
            "did_you_mean" => self.did_you_mean,
            "syntax_suggest" => self.syntax_suggest,
            "rubyopt" => self.rubyopt,
            "frozen_string_literal" => self.frozen_string_literal == Some(true),
            _ => false,
        }
    }

    /// Whether a bundled gem is on, which needs RubyGems.
    pub fn bundled(&self, name: &str) -> bool {
        self.gems && self.get(name)
    }

    /// The settings of `stronger` take precedence.
    pub(super) fn restore(&mut self, stronger: &Features) {
        for name in &stronger.given {
            self.set(name, stronger.get(name));
        }
    }
}

/// The warning categories that were switched; for each name the last setting counts.
#[derive(Clone, Default)]
pub struct Categories(Vec<(&'static str, bool)>);

const CATEGORIES: &[&str] = &["deprecated", "experimental", "performance", "strict_unused_block"];

impl Categories {
    pub fn get(&self, name: &str) -> Option<bool> {
        self.0.iter().rev().find(|(known, _)| *known == name).map(|(_, on)| *on)
    }

    /// `-w` switches deprecations on, `-W1` off, `-W0` everything.
    pub(super) fn follow(&mut self, level: Verbosity) {
        match level {
            Verbosity::Silent => self.0.extend(CATEGORIES.iter().map(|name| (*name, false))),
            Verbosity::Normal => self.0.push(("deprecated", false)),
            Verbosity::Verbose => self.0.push(("deprecated", true)),
        }
    }

    pub(super) fn restore(&mut self, stronger: &Categories) {
        self.0.extend_from_slice(&stronger.0);
    }
}

/// What to print instead of, or before, running the program.
#[derive(Clone, Default)]
pub struct Dumps {
    pub usage: bool,
    pub long_usage: bool,
    pub version: bool,
    /// `-v`: print the version, then run the program.
    pub version_first: bool,
    pub copyright: bool,
    pub syntax: bool,
    pub ast: bool,
    /// The facts of native methods.
    pub facts: bool,
    /// Code that is compiled while the program runs.
    pub compiled: Option<DumpCompiled>,
    /// All code, or that of the sequences with a name.
    pub bytecode: Option<Option<String>>,
    /// The log of the parser, which is always empty: the program is only parsed.
    pub parser_log: bool,
}

impl Parser {
    /// `--enable=list`, `--disable=list`; names may be abbreviated, and `-` equals `_`.
    pub(super) fn features(&mut self, list: &str, on: bool) {
        for given in list.split(',').filter(|name| !name.is_empty()) {
            let name = given.replace('-', "_").to_ascii_lowercase();
            if name == "all" || name == "jit" {
                let all = if name == "all" { NAMES } else { &[] };
                all.iter().for_each(|name| self.command.features.set(name, on));
                if name == "jit" {
                    self.command.compilation = if on { Compilation::Hot } else { Compilation::Never };
                }
                continue;
            }
            match NAMES.iter().find(|known| known.starts_with(&name)) {
                Some(known) => self.command.features.set(known, on),
                None => {
                    let switch = if on { "enable" } else { "disable" };
                    self.warn(&format!("unknown argument for --{switch}: '{given}'"));
                    self.warn(&format!("features are [{}].", NAMES.join(", ")));
                }
            }
        }
    }

    /// `-W:category`, `-W:no-category`
    pub(super) fn category(&mut self, name: &str) -> Done {
        let (wanted, on) = match name.strip_prefix("no-") {
            Some(name) => (name, false),
            None => (name, true),
        };
        let wanted_name = wanted.replace('-', "_").to_ascii_lowercase();
        match CATEGORIES.iter().find(|known| !wanted_name.is_empty() && known.starts_with(&wanted_name)) {
            Some(known) => self.command.categories.0.push((known, on)),
            None => self.warn(&format!("unknown warning category: '{wanted}'")),
        }
        Ok(())
    }

    /// `--dump=list`
    pub(super) fn dumps(&mut self, list: &str) {
        let dumps = &mut self.command.dumps;
        let mut unknown = Vec::new();
        for item in list.split(',') {
            let (item, options) = item.split_at(item.find(['+', '-']).unwrap_or(item.len()));
            // Any prefix of a name is accepted.
            const NAMES: [&str; 8] =
                ["version", "copyright", "usage", "help", "yydebug", "syntax", "parsetree", "insns"];
            let item = NAMES.iter().find(|name| !item.is_empty() && name.starts_with(item)).copied().unwrap_or(item);
            match item {
                "version" => dumps.version = true,
                "copyright" => dumps.copyright = true,
                "usage" | "help" => {
                    dumps.usage = true;
                    dumps.long_usage = item == "help";
                }
                "syntax" => dumps.syntax = true,
                "insns" => dumps.bytecode = Some(None),
                "parsetree" | "prism_parsetree" => dumps.ast = true,
                "yydebug" => dumps.parser_log = true,
                // There are no optional optimisations to dump the effect of.
                "" if !options.is_empty() => {}
                other => unknown.push(other.to_string()),
            }
        }
        for item in unknown {
            self.warn(&format!("don't know how to dump '{item}',"));
            self.warn("but only [version, copyright, usage, help, yydebug, syntax, parsetree, insns].");
        }
    }

    fn warn(&self, text: &str) {
        if self.command.verbose != Verbosity::Silent {
            eprintln!("{}: warning: {text}", self.command.program);
        }
    }
}
