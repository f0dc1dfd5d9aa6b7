//! The switches of `(?imxadu-imx)`, and the options that they start from.

use crate::options::Options;

/// The meaning of `\w`, `\d`, `\s`, `\b` and POSIX brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Mode {
    /// `(?d)`, and the default: `\w`, `\d`, `\s` are ASCII, `\b` and POSIX brackets follow the encoding.
    #[default]
    Default,
    /// `(?a)`: all are ASCII.
    Ascii,
    /// `(?u)`: all follow the encoding.
    Unicode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Switches {
    pub ignore_case: bool,
    pub multi_line: bool,
    pub extended: bool,
    pub mode: Mode,
}

impl Switches {
    pub fn new(options: Options) -> Switches {
        Switches {
            ignore_case: options.ignore_case,
            multi_line: options.multi_line,
            extended: options.extended,
            mode: Mode::Default,
        }
    }

    /// Parses the switches after `(?`. Returns their length up to the `)` or `:`, or `None` if this is not a valid
    /// group of switches.
    pub fn after(mut self, text: &[u8]) -> Option<(usize, Switches)> {
        let mut on = true;
        for (place, letter) in text.iter().enumerate() {
            match letter {
                b'i' => self.ignore_case = on,
                b'm' => self.multi_line = on,
                b'x' => self.extended = on,
                b'-' => on = false,
                b'a' if on => self.mode = Mode::Ascii,
                b'd' if on => self.mode = Mode::Default,
                b'u' if on => self.mode = Mode::Unicode,
                b')' | b':' => return Some((place, self)),
                _ => return None,
            }
        }
        None
    }
}
