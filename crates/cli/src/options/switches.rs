//! Switches of one letter, alone or in clusters.

use super::{Done, Origin, Parser, Refusal, Separator, Verbosity};

/// Letters that are not allowed in `RUBYOPT`.
const NOT_IN_ENVIRONMENT: &[u8] = b"0CFSXachilnpsxye";

impl Parser {
    /// `-abc`: letters one after another, until one takes the rest as its value.
    pub(super) fn cluster(&mut self, cluster: &[u8]) -> Done {
        let mut at = 0;
        while let Some(&letter) = cluster.get(at) {
            if self.origin == Origin::Environment && NOT_IN_ENVIRONMENT.contains(&letter) {
                return Err(Refusal::new(format!("invalid switch in RUBYOPT: -{}", letter as char)));
            }
            at += 1;
            let rest = &cluster[at..];
            match letter {
                b'0' => at += self.record_separator(rest),
                b'K' => at += self.source_encoding(rest),
                b'W' if rest.first() == Some(&b':') => {
                    let name = String::from_utf8_lossy(&rest[1..]).into_owned();
                    return self.category(&name);
                }
                b'W' => at += self.warning_level(rest),
                b'e' | b'I' | b'r' | b'C' | b'X' | b'E' | b'F' | b'i' | b'x' => return self.with_value(letter, rest),
                b'\r' if rest.is_empty() => {}
                _ => {
                    self.flag(letter)?;
                    if self.command.dumps.usage {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// A switch without a value.
    fn flag(&mut self, letter: u8) -> Done {
        let command = &mut self.command;
        match letter {
            b'a' => command.loops.a = true,
            b'c' => command.dumps.syntax = true,
            b'd' => self.debug(),
            b'h' => {
                command.dumps.usage = true;
                command.dumps.long_usage = false;
            }
            b'l' => {
                command.loops.l = true;
                let newline = || Separator::Bytes(b"\n".to_vec());
                command.output_separator = Some(command.record_separator.clone().unwrap_or_else(newline));
            }
            b'n' => command.loops.n = true,
            b'p' => command.loops.p = true,
            b's' => command.switches = true,
            b'S' => command.search_path = true,
            b'U' => self.set_internal_encoding("UTF-8")?,
            b'v' => {
                if !command.is_verbose {
                    command.dumps.version_first = true;
                    command.is_verbose = true;
                    self.warn_more();
                }
            }
            b'w' => self.warn_more(),
            b'y' => command.dumps.parser_log = true,
            other => {
                let shown = match other {
                    b'\r' => "\\r".to_string(),
                    b' '..=b'~' => char::from(other).to_string(),
                    _ => format!("\\x{other:02x}"),
                };
                return Err(Refusal::new(format!("invalid option -{shown}  (-h will show valid options)")));
            }
        }
        Ok(())
    }

    /// `-d`, `--debug`
    pub(super) fn debug(&mut self) {
        self.command.debug = true;
        self.command.verbose = Verbosity::Verbose;
    }

    fn warn_more(&mut self) {
        self.set_warning_level(Verbosity::Verbose);
    }

    /// A switch whose value follows it directly or, for some, in the next word.
    fn with_value(&mut self, letter: u8, attached: &[u8]) -> Done {
        let attached = (!attached.is_empty()).then(|| attached.to_vec());
        match letter {
            b'F' => self.command.field_separator = attached.or(self.command.field_separator.take()),
            b'i' => self.command.in_place = Some(attached.unwrap_or_default()),
            b'x' => {
                self.command.loops.x = true;
                if let Some(directory) = attached {
                    change_directory(&directory)?;
                }
            }
            b'e' => {
                let Some(line) = attached.or_else(|| self.rest.pop_front()) else {
                    return Err(Refusal::new("no code specified for -e"));
                };
                let lines = self.command.lines.get_or_insert_default();
                lines.extend_from_slice(&line);
                lines.push(b'\n');
                self.command.loops.e = true;
            }
            b'I' => {
                if let Some(paths) = attached.or_else(|| self.rest.pop_front()) {
                    let paths = paths.split(|b| *b == b':').filter(|path| !path.is_empty());
                    self.command.include.extend(paths.map(core_classes::features::expand));
                }
            }
            b'r' => self.command.require.extend(attached.or_else(|| self.rest.pop_front())),
            b'E' => {
                let Some(names) = attached.or_else(|| self.rest.pop_front()) else {
                    return Err(Refusal::new("missing argument for -E"));
                };
                self.encodings(&String::from_utf8_lossy(&names), "-E")?;
            }
            _ => match attached.or_else(|| self.rest.pop_front()) {
                Some(directory) if !directory.is_empty() => change_directory(&directory)?,
                _ => return Err(Refusal::fatal("Can't chdir")),
            },
        }
        Ok(())
    }

    /// `-0[octal]`: one byte; `-00`: paragraphs; above 0377: none. Returns the number of digits after the 0.
    fn record_separator(&mut self, rest: &[u8]) -> usize {
        let digits = rest.iter().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
        let value = rest[..digits].iter().fold(0u32, |n, digit| n * 8 + u32::from(digit - b'0'));
        self.command.record_separator = Some(match u8::try_from(value) {
            Err(_) => Separator::None,
            Ok(0) if digits > 0 => Separator::Bytes(Vec::new()),
            Ok(byte) => Separator::Bytes(vec![byte]),
        });
        digits
    }

    /// `-Kx`: the encoding of sources, and the default external encoding if no other is given.
    fn source_encoding(&mut self, rest: &[u8]) -> usize {
        let Some(letter) = rest.first() else { return 0 };
        let name = match letter.to_ascii_lowercase() {
            b'e' => "EUC-JP",
            b's' => "Windows-31J",
            b'u' => "UTF-8",
            b'n' | b'a' => "ASCII-8BIT",
            _ => return 1,
        };
        self.command.source_encoding = Some(name.into());
        self.command.external_encoding.get_or_insert_with(|| name.into());
        1
    }

    /// `-W[level]`: 0, 1, 2 and without a number 2. Returns the number of digits.
    fn warning_level(&mut self, rest: &[u8]) -> usize {
        let level = rest.first().filter(|b| (b'0'..=b'7').contains(b)).map(|b| b - b'0');
        self.set_warning_level(match level {
            Some(0) => Verbosity::Silent,
            Some(1) => Verbosity::Normal,
            _ => Verbosity::Verbose,
        });
        usize::from(level.is_some())
    }

    /// `RUBYOPT` does not change a level that the command line gave. The categories change with the level; later
    /// switches may change them again.
    fn set_warning_level(&mut self, level: Verbosity) {
        self.warning_level_known = true;
        if self.origin == Origin::Environment && self.command.warning_level_given {
            return;
        }
        self.command.verbose = level;
        self.command.categories.follow(level);
    }
}

fn change_directory(path: &[u8]) -> Done {
    let path: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(path);
    std::env::set_current_dir(path).map_err(|_| Refusal::fatal(format!("Can't chdir to {}", path.display())))
}
