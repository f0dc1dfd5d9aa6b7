//! Switches with a name: `--name`, `--name=value`, `--name value`.

use std::time::Duration;

use profile::command::{Subject, Wish};
use runtime::sampling::Mode;
use runtime::state::vm::DumpCompiled;

use super::{Compilation, Done, Origin, Parser, Refusal, Verbosity};

/// Names that are not allowed in `RUBYOPT`.
const NOT_IN_ENVIRONMENT: &[&str] = &["copyright", "version", "dump", "help", "yydebug"];

impl Parser {
    pub(super) fn long(&mut self, option: &str) -> Done {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value.to_string())),
            None => (option, None),
        };
        if self.origin == Origin::Environment && NOT_IN_ENVIRONMENT.contains(&name) {
            return Err(Refusal::new(format!("invalid switch in RUBYOPT: --{name}")));
        }
        let command = &mut self.command;
        match (name, &value) {
            ("copyright", None) => command.dumps.copyright = true,
            ("version", None) => command.dumps.version = true,
            ("help", None) => {
                command.dumps.usage = true;
                command.dumps.long_usage = true;
            }
            ("debug", None) => self.debug(),
            ("verbose", None) => {
                command.is_verbose = true;
                command.verbose = Verbosity::Verbose;
            }
            ("yydebug", None) => command.dumps.parser_log = true,
            ("debug", Some(what)) if what == "frozen-string-literal" => command.record_string_origins = true,
            ("debug-frozen-string-literal", None) => command.record_string_origins = true,
            ("trace-calls", None) => command.trace_calls = true,
            ("verify-facts", None) => command.verify_facts = true,
            ("verify-heap", None) => command.verify_heap = true,
            ("stats", None) => command.stats = true,
            ("trace-gc", None) => command.trace_gc = true,
            ("stacks-on-quit", None) => command.stacks_on_quit = true,
            ("no-inspect", None) => command.no_inspect = true,
            ("profile" | "profile-mode" | "profile-interval", value) => self.profile(name, value.clone())?,
            ("jit" | "yjit" | "zjit", None) => command.compilation = Compilation::Hot,
            ("jit", Some(on)) => match on.as_str() {
                "on" => command.compilation = Compilation::Hot,
                "off" => command.compilation = Compilation::Never,
                _ => return Err(Refusal::new(format!("--jit takes on or off, not {on}"))),
            },
            ("jit-threshold", Some(runs)) => {
                let wrong = |_| Refusal::new(format!("wrong number for --jit-threshold: {runs}"));
                command.compilation = Compilation::After(runs.parse().map_err(wrong)?);
            }
            ("jit-full-after", Some(runs)) => {
                let wrong = |_| Refusal::new(format!("wrong number for --jit-full-after: {runs}"));
                command.full_after = Some(runs.parse().map_err(wrong)?);
            }
            ("jit-exit-every", Some(instructions)) => {
                let wrong = |_| Refusal::new(format!("wrong number for --jit-exit-every: {instructions}"));
                command.exit_every = instructions.parse().map_err(wrong)?;
            }
            ("jit-budget", Some(megabytes)) => {
                let wrong = || Refusal::new(format!("wrong number for --jit-budget: {megabytes}"));
                let megabytes: usize = megabytes.parse().ok().filter(|n| (1..=2047).contains(n)).ok_or_else(wrong)?;
                command.code_budget = Some(megabytes << 20);
            }
            ("jit-perf-map", None) => command.maps_code = true,
            ("jit-stats", None) => command.places_in_statistics = Some(30),
            ("jit-stats", Some(places)) => {
                let wrong = |_| Refusal::new(format!("wrong number for --jit-stats: {places}"));
                command.places_in_statistics = Some(places.parse().map_err(wrong)?);
            }
            ("dump-ast", None) => command.dumps.ast = true,
            ("dump-facts", None) => command.dumps.facts = true,
            ("dump-jit", Some(form)) => {
                let (form, name) =
                    form.split_once(':').map_or((form.as_str(), None), |(form, name)| (form, Some(name)));
                if !matches!(form, "ir" | "asm") {
                    return Err(Refusal::new(format!("wrong form for --dump-jit: {form} (ir or asm)")));
                }
                let name = name.map(str::to_string);
                command.dumps.compiled = Some(DumpCompiled { is_assembly: form == "asm", name });
            }
            ("dump-bytecode", name) => command.dumps.bytecode = Some(name.clone()),
            ("stress-gc", given) => command.stress_gc = interval(name, given)?,
            ("stress-switch", given) => command.stress.switch = interval(name, given)?,
            ("stress-signal", given) => command.stress.signal = interval(name, given)?,
            _ => return self.long_with_value(option, name, value),
        }
        Ok(())
    }

    fn long_with_value(&mut self, option: &str, name: &str, value: Option<String>) -> Done {
        match name {
            "enable" | "disable" => {
                let value = self.value(name, value)?;
                self.features(&value, name == "enable");
            }
            "dump" => {
                let value = self.value(name, value)?;
                self.dumps(&value);
            }
            "encoding" => {
                let value = self.value(name, value)?;
                self.encodings(&value, "--encoding")?;
            }
            "external-encoding" => {
                let value = self.value(name, value)?;
                self.set_external_encoding(&value)?;
            }
            "internal-encoding" => {
                let value = self.value(name, value)?;
                self.set_internal_encoding(&value)?;
            }
            "backtrace-limit" => {
                let value = self.value(name, value)?;
                let limit = value.parse().ok().filter(|limit: &i64| *limit >= -1);
                self.command.backtrace_limit =
                    Some(limit.ok_or_else(|| Refusal::new("wrong limit for backtrace length"))?);
            }
            "parser" => {
                let value = self.value(name, value)?;
                if value != "prism" && value != "parse.y" {
                    return Err(Refusal::new(format!("unknown parser {value}")));
                }
            }
            "crash-report" => {
                let template = self.value(name, value)?;
                let is_outranked = self.origin == Origin::Environment && self.command.crash_report.is_some();
                if !is_outranked {
                    self.command.crash_report = Some(template);
                }
            }
            _ => return self.feature_switch(option, name),
        }
        Ok(())
    }

    /// `--profile[=file]`, `--profile-mode=mode`, `--profile-interval=microseconds`: each of them requests a profile.
    fn profile(&mut self, name: &str, value: Option<String>) -> Done {
        let before = self.command.profile.clone();
        let mut wish = before.unwrap_or_else(|| Wish {
            file: Wish::FILE.to_string(),
            subject: Subject::Time(Mode::Cpu),
            interval: profile::INTERVAL,
        });
        match (name, value) {
            ("profile", given) => wish.file = given.unwrap_or(wish.file),
            ("profile-mode", Some(given)) => {
                wish.subject = match given.as_str() {
                    "cpu" => Subject::Time(Mode::Cpu),
                    "wall" => Subject::Time(Mode::Wall),
                    "allocations" => Subject::Allocations,
                    _ => {
                        let allowed = "cpu, wall or allocations";
                        return Err(Refusal::new(format!("--profile-mode takes {allowed}, not {given}")));
                    }
                }
            }
            (_, given) => {
                let given = given.unwrap_or_default();
                let wrong = || Refusal::new(format!("wrong number of microseconds for --profile-interval: {given}"));
                let microseconds = given.parse().ok().filter(|n| (10..=60_000_000).contains(n));
                wish.interval = Duration::from_micros(microseconds.ok_or_else(wrong)?);
            }
        }
        self.command.profile = Some(wish);
        Ok(())
    }

    /// `--enable-x`, `--disable-x`, and other switches of CRuby's compilers, which are ignored.
    fn feature_switch(&mut self, option: &str, name: &str) -> Done {
        if let Some(feature) = name.strip_prefix("enable-") {
            self.features(feature, true);
        } else if let Some(feature) = name.strip_prefix("disable-") {
            self.features(feature, false);
        } else if !["jit", "yjit", "zjit", "rjit"]
            .iter()
            .any(|jit| name.strip_prefix(jit).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')))
        {
            return Err(Refusal::new(format!("invalid option --{option}  (-h will show valid options)")));
        }
        Ok(())
    }

    /// The value after `=`, or the next word.
    fn value(&mut self, name: &str, value: Option<String>) -> Result<String, Refusal> {
        let next = || self.rest.pop_front().map(|word| String::from_utf8_lossy(&word).into_owned());
        match value.or_else(next) {
            Some(value) if !value.is_empty() => Ok(value),
            _ => Err(Refusal::new(format!("missing argument for --{name}"))),
        }
    }

    /// `external[:internal]`
    pub(super) fn encodings(&mut self, names: &str, switch: &str) -> Done {
        let mut parts = names.splitn(3, ':');
        if let Some(external) = parts.next().filter(|name| !name.is_empty()) {
            self.set_external_encoding(external)?;
        }
        if let Some(internal) = parts.next().filter(|name| !name.is_empty()) {
            self.set_internal_encoding(internal)?;
        }
        match parts.next() {
            Some(extra) => Err(Refusal::new(format!("extra argument for {switch}: {extra}"))),
            None => Ok(()),
        }
    }

    fn set_external_encoding(&mut self, name: &str) -> Done {
        set_once(&mut self.command.external_encoding, "default_external", name)
    }

    pub(super) fn set_internal_encoding(&mut self, name: &str) -> Done {
        set_once(&mut self.command.internal_encoding, "default_internal", name)
    }
}

fn set_once(place: &mut Option<String>, what: &str, name: &str) -> Done {
    match place {
        Some(before) if !before.eq_ignore_ascii_case(name) => {
            Err(Refusal::new(format!("{what} already set to {before}")))
        }
        _ => {
            *place = Some(name.to_string());
            Ok(())
        }
    }
}

/// The number of a switch that does something at each n-th occasion; by default at each.
fn interval(name: &str, given: &Option<String>) -> Result<u32, Refusal> {
    let Some(given) = given else { return Ok(1) };
    given.parse().map_err(|_| Refusal::new(format!("wrong interval for --{name}: {given}")))
}
