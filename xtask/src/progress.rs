//! Progress of long work: a line that changes on a terminal, nothing in a pipe or a file.

use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::workspace;

/// The work that is being done. The line disappears when this is dropped.
pub struct Progress<'a> {
    what: &'a str,
    /// 0 if it is not known.
    total: usize,
    state: Mutex<State>,
}

struct State {
    done: usize,
    /// `None` if nothing is shown.
    terminal: Option<Box<dyn Write + Send>>,
}

impl<'a> Progress<'a> {
    pub fn new(what: &'a str, total: usize) -> Progress<'a> {
        let error = io::stderr();
        let terminal: Option<Box<dyn Write + Send>> = if error.is_terminal() { Some(Box::new(error)) } else { None };
        Progress::on(terminal, what, total)
    }

    fn on(terminal: Option<Box<dyn Write + Send>>, what: &'a str, total: usize) -> Progress<'a> {
        Progress { what, total, state: Mutex::new(State { done: 0, terminal }) }
    }

    /// A step is done; `name` says which one.
    pub fn step(&self, name: &str) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.done += 1;
        let State { done, terminal: Some(terminal) } = &mut *state else { return };
        let of = if self.total > 0 { format!(" of {}", self.total) } else { String::new() };
        let line: String = format!("{}: {done}{of} {name}", self.what).chars().take(79).collect();
        // A failure to show progress does not matter.
        let _ = write!(terminal, "\r\x1b[K{line}").and_then(|()| terminal.flush());
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(terminal) = &mut state.terminal {
            let _ = write!(terminal, "\r\x1b[K").and_then(|()| terminal.flush());
        }
    }
}

/// Takes the name of a step that is done from a line.
pub type Step = fn(&str) -> Option<&str>;

/// Runs a command; returns what it printed. `step` is called with each line of it.
pub fn output(command: &mut Command, what: &str, step: Step) -> Result<(String, ExitStatus), String> {
    let could_not_start = |command: &Command, error| workspace::could_not_start(command, &error);
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| could_not_start(command, error))?;
    let (mut text, progress) = (String::new(), Progress::new(what, 0));
    if let Some(output) = child.stdout.take() {
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        while output.read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
            let read = String::from_utf8_lossy(&line);
            step(&read).into_iter().for_each(|name| progress.step(name.trim_end()));
            text += &read;
            line.clear();
        }
    }
    Ok((text, child.wait().map_err(|error| could_not_start(command, error))?))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[derive(Clone, Default)]
    struct Shown(Arc<Mutex<Vec<u8>>>);

    impl Write for Shown {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_terminal_shows_one_line_that_disappears() {
        let shown = Shown::default();
        let progress = Progress::on(Some(Box::new(shown.clone())), "specs", 2);
        progress.step("a_spec.rb");
        progress.step("b_spec.rb");
        drop(progress);
        let text = String::from_utf8(shown.0.lock().unwrap().clone()).unwrap();
        assert_eq!(text, "\r\x1b[Kspecs: 1 of 2 a_spec.rb\r\x1b[Kspecs: 2 of 2 b_spec.rb\r\x1b[K");
    }

    #[test]
    fn a_command_is_read_to_its_end() {
        let mut command = Command::new("printf");
        command.arg("one\ntwo\nthree");
        let (text, status) = output(&mut command, "lines", |line| line.strip_prefix('t')).unwrap();
        assert_eq!((text.as_str(), status.success()), ("one\ntwo\nthree", true));
    }
}
