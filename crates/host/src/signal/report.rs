//! The stream of a crash report: standard error, or the file or command of a template. Nothing here allocates or locks,
//! because a report is written in a signal's handler.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};
use std::{ffi::CString, ptr};

use crate::{Errno, Fd, fs};

/// What the names in a template stand for.
pub struct Names {
    /// The template of the command line, which has precedence over the variable RUBY_CRASH_REPORT.
    pub template: Option<CString>,
    pub executable: Vec<u8>,
    pub program: Vec<u8>,
}

static NAMES: OnceLock<Names> = OnceLock::new();
static STREAM: AtomicI32 = AtomicI32::new(libc::STDERR_FILENO);

/// The length of an expanded template.
const LONGEST: usize = 1024;
/// The most words of a command.
const WORDS: usize = 16;

/// Sets what templates refer to, for the process.
pub fn set_names(names: Names) {
    NAMES.get_or_init(|| names);
}

/// Writes to the report without buffers or locks.
pub fn write_raw(mut bytes: &[u8]) {
    while !bytes.is_empty() {
        match fs::write(stream(), bytes) {
            Ok(count) if count > 0 => bytes = &bytes[count.min(bytes.len())..],
            Err(Errno(libc::EINTR)) => {}
            _ => return,
        }
    }
}

/// The descriptor of the report.
pub fn stream() -> Fd {
    Fd(STREAM.load(Ordering::Acquire))
}

/// A report that has begun; it ends when dropped.
pub struct Report {
    child: libc::pid_t,
}

impl Report {
    /// Opens the file or starts the command of the template, if there is one.
    pub fn begin() -> Report {
        let mut buffer = [0; LONGEST];
        let opened = match template() {
            [b'|', command @ ..] => start(command, &mut buffer),
            [] => None,
            path => expand(path, &mut buffer, false).and_then(|_| create(&buffer)).map(|fd| (fd, 0)),
        };
        let Some((fd, child)) = opened else { return Report { child: 0 } };
        STREAM.store(fd, Ordering::Release);
        Report { child }
    }
}

impl Drop for Report {
    fn drop(&mut self) {
        let stream = STREAM.swap(libc::STDERR_FILENO, Ordering::AcqRel);
        // SAFETY: the descriptor was opened by `begin`, and only there.
        unsafe {
            if stream != libc::STDERR_FILENO {
                libc::close(stream);
            }
            if self.child > 0 {
                libc::waitpid(self.child, ptr::null_mut(), 0);
            }
        }
    }
}

fn template() -> &'static [u8] {
    if let Some(template) = NAMES.get().and_then(|names| names.template.as_ref()) {
        return template.as_bytes();
    }
    // SAFETY: the name ends with a zero; the process is ending, so that no thread changes the variable any more.
    unsafe {
        let value = libc::getenv(c"RUBY_CRASH_REPORT".as_ptr());
        if value.is_null() { b"" } else { std::ffi::CStr::from_ptr(value).to_bytes() }
    }
}

fn create(path: &[u8; LONGEST]) -> Option<i32> {
    let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC | libc::O_CLOEXEC;
    // SAFETY: `expand` ends the path with a zero.
    let fd = unsafe { libc::open(path.as_ptr().cast(), flags, 0o666) };
    (fd >= 0).then_some(fd)
}

/// Runs a command, whose standard input the report is.
fn start(command: &[u8], buffer: &mut [u8; LONGEST]) -> Option<(i32, libc::pid_t)> {
    let mut words = [ptr::null::<libc::c_char>(); WORDS];
    let (mut rest, mut used, mut count) = (command, 0, 0);
    loop {
        rest = rest.trim_ascii_start();
        if rest.is_empty() {
            break;
        }
        if count == WORDS - 1 {
            return None;
        }
        let (read, written) = expand(rest, &mut buffer[used..], true)?;
        words[count] = buffer[used..].as_ptr().cast();
        (rest, used, count) = (&rest[read..], used + written, count + 1);
    }
    if count == 0 {
        return None;
    }
    let mut ends = [0; 2];
    // SAFETY: the child only makes async-signal-safe calls; the words end with zeros and their list with a null.
    unsafe {
        if libc::pipe(ends.as_mut_ptr()) != 0 {
            return None;
        }
        let child = libc::fork();
        if child == 0 {
            libc::dup2(ends[0], libc::STDIN_FILENO);
            libc::close(ends[0]);
            libc::close(ends[1]);
            libc::execvp(words[0], words.as_ptr());
            libc::_exit(127);
        }
        libc::close(ends[0]);
        if child < 0 {
            libc::close(ends[1]);
            return None;
        }
        Some((ends[1], child))
    }
}

/// Expands a template, or its first word, into the buffer, with a zero behind. Returns how much was read and written;
/// `None` if there is no room.
///
/// `%e` and `%f` are the base names of the executable and of the program, `%E` and `%F` their paths with exclamation
/// marks for slashes, `%p` the process, `%t` the time in seconds, `%NNN` a character in octal.
fn expand(template: &[u8], buffer: &mut [u8], one_word: bool) -> Option<(usize, usize)> {
    let mut out = Out { buffer, length: 0 };
    let mut at = 0;
    let next = |at: &mut usize| {
        let c = template.get(*at).copied();
        *at += usize::from(c.is_some());
        c
    };
    while let Some(c) = next(&mut at) {
        if one_word && c.is_ascii_whitespace() {
            break;
        }
        if c != b'%' {
            out.add(&[c])?;
            continue;
        }
        let Some(c) = next(&mut at) else { break };
        let names = NAMES.get();
        let name = |of: fn(&Names) -> &Vec<u8>| names.map_or(&b""[..], |names| of(names));
        match c {
            b'e' => out.add_base(name(|names| &names.executable))?,
            b'E' => out.add_path(name(|names| &names.executable))?,
            b'f' => out.add_base(name(|names| &names.program))?,
            b'F' => out.add_path(name(|names| &names.program))?,
            // SAFETY: both calls only return numbers.
            b'p' => out.add_number(unsafe { libc::getpid() } as u64)?,
            // SAFETY: the call with a null pointer only returns the time.
            b't' => out.add_number(unsafe { libc::time(ptr::null_mut()) } as u64)?,
            b'0'..=b'7' => {
                let mut code = u32::from(c - b'0');
                for _ in 0..2 {
                    let Some(digit @ b'0'..=b'7') = template.get(at) else { break };
                    code = code * 8 + u32::from(digit - b'0');
                    at += 1;
                }
                out.add(&[code as u8])?;
            }
            other => out.add(&[other])?,
        }
    }
    out.add(&[0])?;
    Some((at, out.length))
}

struct Out<'a> {
    buffer: &'a mut [u8],
    length: usize,
}

impl Out<'_> {
    fn add(&mut self, bytes: &[u8]) -> Option<()> {
        self.buffer.get_mut(self.length..self.length + bytes.len())?.copy_from_slice(bytes);
        self.length += bytes.len();
        Some(())
    }

    fn add_base(&mut self, path: &[u8]) -> Option<()> {
        self.add(path.rsplit(|b| *b == b'/').next().unwrap_or(path))
    }

    /// The path without "./", each run of slashes as one exclamation mark.
    fn add_path(&mut self, path: &[u8]) -> Option<()> {
        let (mut at, mut after_slash) = (0, false);
        while at < path.len() {
            let rest = &path[at..];
            if rest.starts_with(b"./") && (at == 0 || after_slash) {
                at += 2;
                after_slash = true;
                continue;
            }
            if rest[0] != b'/' {
                self.add(&rest[..1])?;
            } else if !after_slash {
                self.add(b"!")?;
            }
            after_slash = rest[0] == b'/';
            at += 1;
        }
        Some(())
    }

    fn add_number(&mut self, mut number: u64) -> Option<()> {
        let mut digits = [0; 20];
        let mut first = digits.len();
        loop {
            first -= 1;
            digits[first] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                return self.add(&digits[first..]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_expanded() {
        set_names(Names { template: None, executable: b"/usr/bin/beni".to_vec(), program: b"./dir//a.rb".to_vec() });
        let expanded = |template: &str, one_word| {
            let mut buffer = [1; 64];
            let (read, written) = expand(template.as_bytes(), &mut buffer, one_word)?;
            Some((String::from_utf8(buffer[..written - 1].to_vec()).expect("text"), read))
        };
        let whole = |template: &str| expanded(template, false).expect("room").0;
        assert_eq!(whole("a%%b-%e-%E-%f-%F"), "a%b-beni-!usr!bin!beni-a.rb-dir!a.rb");
        assert_eq!(whole("%101%x%"), "Ax");
        assert_eq!(whole("%p"), std::process::id().to_string());
        assert_eq!(expanded("cat  > x", true), Some(("cat".to_string(), 4)));
        assert_eq!(expanded(&"x".repeat(64), false), None);
    }
}
