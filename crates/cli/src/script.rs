//! The source: `-e` lines, a file, standard input; the switches in its `#!` line.

use std::io::Read;
use std::path::PathBuf;

use crate::options::{self, Command, Refusal, Verbosity};

/// The length of a path that the operating system refuses.
const LONGEST_PATH: usize = 4096;

/// The source to compile, and the part of standard input that was read beyond its end.
#[derive(Default)]
pub struct Source {
    pub text: Vec<u8>,
    /// The bytes after the line `__END__` of a script on standard input, which the program reads.
    pub unread: Vec<u8>,
}

/// The reason for a refusal, and its subject if that is not the command.
type Failure = (Option<String>, Refusal);

/// Reads the source and adds the switches of its `#!` line to the command.
pub fn read(mut command: Command) -> Result<(Command, Source), Failure> {
    if let Some(lines) = &command.lines {
        let text = lines.clone();
        command.loops.x = false;
        return Ok((command, Source { text, unread: Vec::new() }));
    }
    let mut source = if command.script == b"-" {
        from_standard_input()
    } else {
        if command.search_path {
            search(&mut command);
        }
        Source { text: from_file(&command).map_err(|refusal| (None, refusal))?, unread: Vec::new() }
    };
    replace_beni_in_shebang(&mut source.text);
    let subject = String::from_utf8_lossy(&command.script).into_owned();
    if let Some(switches) = switches(&source.text, command.loops.x) {
        let switches = switches.to_vec();
        command = options::script_line(command, &switches).map_err(|refusal| (Some(subject), refusal))?;
    }
    Ok((command, source))
}

fn from_file(command: &Command) -> Result<Vec<u8>, Refusal> {
    let path: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(&command.script);
    std::fs::read(path).map_err(|error| {
        let errno = host::Errno(error.raw_os_error().unwrap_or(0));
        Refusal::load_error(format!("{} -- {}", errno.message(), path.display()))
    })
}

/// Reads standard input up to the line `__END__` that is not part of a string, or to its end.
fn from_standard_input() -> Source {
    let mut input = std::io::stdin().lock();
    let mut text = Vec::new();
    let mut line_start = 0;
    let mut chunk = [0; 8192];
    while let Ok(count @ 1..) = input.read(&mut chunk) {
        text.extend_from_slice(&chunk[..count]);
        while let Some(length) = text[line_start..].iter().position(|b| *b == b'\n') {
            let line = &text[line_start..line_start + length];
            line_start += length + 1;
            if line.strip_suffix(b"\r").unwrap_or(line) == b"__END__" && compiler::ends_in_data(&text[..line_start]) {
                let unread = text.split_off(line_start);
                return Source { text, unread };
            }
        }
    }
    Source { text, unread: Vec::new() }
}

/// `-S`: searches the script in RUBYPATH, then PATH, unless its name contains a folder.
fn search(command: &mut Command) {
    let name = PathBuf::from(String::from_utf8_lossy(&command.script).into_owned());
    if command.script.contains(&b'/') {
        return;
    }
    let is_verbose = command.verbose == Verbosity::Verbose;
    let program = command.program.clone();
    let folders = ["RUBYPATH", "PATH"].into_iter().filter_map(std::env::var_os);
    let found = folders
        .flat_map(|list| std::env::split_paths(&list).collect::<Vec<_>>())
        .map(|folder| match folder.strip_prefix("~") {
            Ok(rest) => std::env::var_os("HOME").map_or(folder.clone(), PathBuf::from).join(rest),
            Err(_) => folder,
        })
        .map(|folder| folder.join(&name))
        .filter(|path| {
            let fits = path.as_os_str().len() < LONGEST_PATH;
            if !fits && is_verbose {
                let name = name.display();
                host::tell_line!("{program}: warning: openpath: pathname too long (ignored)\n\tFile \"{name}\"\n");
            }
            fits
        })
        .find(|path| path.is_file());
    if let Some(path) = found {
        command.script = std::os::unix::ffi::OsStringExt::into_vec(path.into_os_string());
    }
}

/// The parser looks for "ruby" in a `#!` line; "beni" means the same and has the same length.
fn replace_beni_in_shebang(text: &mut [u8]) {
    let end = text.iter().position(|b| *b == b'\n').unwrap_or(text.len());
    let line = &mut text[..end];
    if line.starts_with(b"#!")
        && find(line, b"ruby").is_none()
        && let Some(at) = find(line, b"beni")
    {
        line[at..at + 4].copy_from_slice(b"ruby");
    }
}

/// The text after "ruby" in the relevant `#!` line: the first line, or a later one under `-x` or if another program's
/// `#!` precedes it.
fn switches(text: &[u8], skip: bool) -> Option<&[u8]> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let mut lines = text.split(|b| *b == b'\n');
    let first = lines.next()?;
    if first.starts_with(b"#!")
        && let Some(at) = find(first, b"ruby")
    {
        return Some(&first[at + 4..]);
    }
    if !skip && !first.starts_with(b"#!") {
        return None;
    }
    lines.filter(|line| line.starts_with(b"#!")).find_map(|line| find(line, b"ruby").map(|at| &line[at + 4..]))
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|part| part == needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_come_from_the_line_that_names_ruby() {
        assert_eq!(switches(b"#!/usr/bin/env ruby -w\n1", false), Some(&b" -w"[..]));
        assert_eq!(switches(b"#!/bin/sh\nexec\n#!ruby -l\n", false), Some(&b" -l"[..]));
        assert_eq!(switches(b"junk\n#!ruby -l\n", false), None);
        assert_eq!(switches(b"junk\n#!ruby -l\n", true), Some(&b" -l"[..]));
    }

    #[test]
    fn beni_in_the_first_line_means_ruby() {
        let mut text = b"#!/usr/bin/env beni -w\np 'beni'".to_vec();
        replace_beni_in_shebang(&mut text);
        assert_eq!(text, b"#!/usr/bin/env ruby -w\np 'beni'");
    }
}
