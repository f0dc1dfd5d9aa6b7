//! A program to run, with its settings. Everything that allocates is prepared before the child exists: between its
//! start and exec, the child makes only system calls.

use memory::ToVector;
use std::ffi::{CString, c_char};
use std::ptr;

use crate::c_string::owned;
use crate::process::{Limits, shell};
use crate::{Errno, Fd, Result, environment, fs};

/// The process group of a child.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ProcessGroup {
    #[default]
    Inherited,
    /// A new one with the child's own id.
    New,
    Join(i32),
}

/// A program to run, with all the settings of `Process.spawn`.
#[derive(Clone, Debug, Default)]
pub struct Command {
    /// A path, or a name that is searched for in `PATH`.
    pub program: Vec<u8>,
    /// The arguments of the program, starting with its own name.
    pub arguments: Vec<Vec<u8>>,
    /// `None`: this process's.
    pub environment: Option<Vec<(Vec<u8>, Vec<u8>)>>,
    pub directory: Option<Vec<u8>>,
    pub umask: Option<u32>,
    /// Real, effective and saved ids of the child.
    pub group_id: Option<u32>,
    pub user_id: Option<u32>,
    pub group: ProcessGroup,
    pub limits: Vec<(u32, Limits)>,
    /// Targets in the child and their sources in this process, applied simultaneously: swapping two is possible.
    pub redirects: Vec<(Fd, Fd)>,
    /// Descriptors that are closed in the child.
    pub closed: Vec<Fd>,
    /// Targets and sources in the child, applied in order after `redirects`.
    pub child_redirects: Vec<(Fd, Fd)>,
    /// Close all descriptors except the standard ones and the redirected ones.
    pub close_others: bool,
    /// Start a session with this controlling terminal.
    pub terminal: Option<Fd>,
}

/// The reason why a program did not run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failure {
    pub errno: Errno,
    /// The call that failed, if it was not the execution of the program itself: for example `"chdir"`.
    pub step: Option<&'static str>,
}

impl From<Errno> for Failure {
    fn from(errno: Errno) -> Failure {
        Failure { errno, step: None }
    }
}

impl Command {
    /// A command line, run by a shell if necessary. A blank line is `ENOENT`, like a program without a name.
    pub fn from_line(line: &[u8]) -> Command {
        match shell::invocation(line) {
            shell::Invocation::Shell => Command {
                program: shell::SHELL.to_vector(),
                arguments: vec![b"sh".to_vector(), b"-c".to_vector(), line.to_vector()],
                ..Command::default()
            },
            shell::Invocation::Direct(arguments) => {
                Command { program: arguments.first().cloned().unwrap_or_default(), arguments, ..Command::default() }
            }
        }
    }

    /// Replaces this process by the program. Returns only on failure; changes made so far remain.
    pub fn exec(&self) -> Failure {
        match Prepared::new(self) {
            Ok(mut prepared) => prepared.run(),
            Err(errno) => errno.into(),
        }
    }

    /// Runs the program in a child and returns its pid. When this returns, the child has started the program, or does
    /// not exist.
    pub fn spawn(&self) -> Result<i32, Failure> {
        let mut prepared = Prepared::new(self)?;
        super::fork::run_in_child(&mut prepared)
    }

    /// The value of `PATH` in the program's environment, or else in this process's.
    fn search_path(&self) -> Option<Vec<u8>> {
        let own = self.environment.iter().flatten().find(|(name, _)| name == b"PATH");
        own.map(|(_, value)| value.clone()).or_else(|| environment::get(b"PATH"))
    }
}

/// The search path if there is no `PATH`.
const DEFAULT_PATH: &[u8] = b"/usr/local/bin:/usr/bin:/bin:.";

/// The file of a program name: the name itself if it has a slash, otherwise the first executable file along the path.
pub fn find_program(name: &[u8], path: Option<&[u8]>) -> Option<Vec<u8>> {
    if name.is_empty() {
        return None;
    }
    if name.contains(&b'/') {
        return Some(name.to_vector());
    }
    path.unwrap_or(DEFAULT_PATH).split(|byte| *byte == b':').find_map(|directory| {
        let directory = if directory.is_empty() { b"." } else { directory };
        let candidate = [directory, b"/", name].concat();
        let runs = fs::access(&candidate, fs::MAY_EXECUTE, true).is_ok()
            && fs::stat(&candidate).is_ok_and(|stat| stat.is(fs::FileKind::File));
        runs.then_some(candidate)
    })
}

/// A terminated list of terminated strings, for `execve(2)`.
struct Strings {
    _owned: Vec<CString>,
    pointers: Vec<*const c_char>,
}

impl Strings {
    fn new(owned: Vec<CString>) -> Strings {
        let pointers = owned.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect();
        Strings { _owned: owned, pointers }
    }
}

/// A command with all the memory that it needs.
pub(super) struct Prepared {
    program: CString,
    arguments: Strings,
    /// The arguments of the shell if the program turns out to be a script without `#!`.
    script_arguments: Strings,
    environment: Strings,
    directory: Option<CString>,
    umask: Option<u32>,
    group_id: Option<u32>,
    user_id: Option<u32>,
    group: ProcessGroup,
    limits: Vec<(u32, Limits)>,
    /// Target, source, and the source's temporary duplicate if the source is also a target.
    redirects: Vec<(Fd, Fd, Option<Fd>)>,
    closed: Vec<Fd>,
    child_redirects: Vec<(Fd, Fd)>,
    /// The descriptors to keep, sorted, if the others are to be closed.
    kept: Option<Vec<Fd>>,
    terminal: Option<Fd>,
}

impl Prepared {
    fn new(command: &Command) -> Result<Prepared> {
        let program = find_program(&command.program, command.search_path().as_deref()).ok_or(Errno(libc::ENOENT))?;
        let arguments = command.arguments.iter().map(|argument| owned(argument)).collect::<Result<Vec<_>>>()?;
        let script = [owned(b"sh")?, owned(&program)?].into_iter().chain(arguments.iter().skip(1).cloned()).collect();
        let variables = match &command.environment {
            Some(variables) => variables.clone(),
            None => environment::all(),
        };
        let variable = |(name, value): &(Vec<u8>, Vec<u8>)| owned(&[name, &b"="[..], value].concat());
        let environment = variables.iter().map(variable).collect::<Result<Vec<_>>>()?;
        let kept = command.close_others.then(|| {
            let targets = command.redirects.iter().chain(&command.child_redirects).map(|(target, _)| *target);
            let mut kept: Vec<Fd> = targets.filter(|fd| *fd > Fd::STDERR).collect();
            kept.sort();
            kept.dedup();
            kept
        });
        Ok(Prepared {
            program: owned(&program)?,
            arguments: Strings::new(arguments),
            script_arguments: Strings::new(script),
            environment: Strings::new(environment),
            directory: command.directory.as_deref().map(owned).transpose()?,
            umask: command.umask,
            group_id: command.group_id,
            user_id: command.user_id,
            group: command.group,
            limits: command.limits.clone(),
            redirects: command.redirects.iter().map(|(target, source)| (*target, *source, None)).collect(),
            closed: command.closed.clone(),
            child_redirects: command.child_redirects.clone(),
            kept,
            terminal: command.terminal,
        })
    }

    /// Executes the program. Neither allocates nor locks, because it runs in children that share their parent's memory
    /// or have a copy of it.
    pub(super) fn run(&mut self) -> Failure {
        if let Err(failure) = self.apply() {
            return failure;
        }
        // SAFETY: the strings and lists are terminated.
        unsafe {
            libc::execve(self.program.as_ptr(), self.arguments.pointers.as_ptr(), self.environment.pointers.as_ptr());
            if Errno::last() == Errno(libc::ENOEXEC) {
                let shell = c"/bin/sh".as_ptr();
                libc::execve(shell, self.script_arguments.pointers.as_ptr(), self.environment.pointers.as_ptr());
                return Errno(libc::ENOEXEC).into();
            }
        }
        Errno::last().into()
    }

    fn apply(&mut self) -> Result<(), Failure> {
        let step = |step| move |errno| Failure { errno, step: Some(step) };
        match self.group {
            ProcessGroup::Inherited => {}
            ProcessGroup::New => super::set_group_of(0, 0).map_err(step("setpgid"))?,
            ProcessGroup::Join(group) => super::set_group_of(0, group).map_err(step("setpgid"))?,
        }
        if let Some(terminal) = self.terminal {
            super::new_session().map_err(step("setsid"))?;
            crate::io::make_controlling(terminal).map_err(step("ioctl(TIOCSCTTY)"))?;
        }
        for (resource, limits) in &self.limits {
            super::set_limits(*resource, *limits).map_err(step("setrlimit"))?;
        }
        if let Some(mask) = self.umask {
            fs::set_umask(mask);
        }
        self.redirect().map_err(step("dup2"))?;
        for fd in &self.closed {
            fs::close(*fd).map_err(step("close"))?;
        }
        if let Some(kept) = &self.kept {
            close_all_but(kept);
        }
        for (target, source) in &self.child_redirects {
            become_fd(*source, *target).map_err(step("dup2"))?;
        }
        if let Some(directory) = &self.directory {
            // SAFETY: the path is terminated.
            crate::errno::check(unsafe { libc::chdir(directory.as_ptr()) }).map_err(step("chdir"))?;
        }
        // These are direct system calls, because the C library's functions change all threads of the parent, whose
        // memory this child may share.
        for (call, id, name) in
            [(libc::SYS_setgid, self.group_id, "setgid"), (libc::SYS_setuid, self.user_id, "setuid")]
        {
            if let Some(id) = id {
                // SAFETY: the call takes a number.
                crate::errno::check(unsafe { libc::syscall(call, id) } as i32).map_err(step(name))?;
            }
        }
        // Programs do not expect non-blocking standard descriptors; failures are ignored.
        for fd in [Fd::STDIN, Fd::STDOUT, Fd::STDERR] {
            let _ = fs::set_nonblocking(fd, false);
        }
        Ok(())
    }

    fn redirect(&mut self) -> Result<()> {
        let lowest = self.redirects.iter().map(|(target, ..)| target.0).max().unwrap_or(2) + 1;
        for index in 0..self.redirects.len() {
            let (target, source, _) = self.redirects[index];
            if target != source && self.redirects.iter().any(|(other, ..)| *other == source) {
                self.redirects[index].2 = Some(fs::duplicate(source, lowest)?);
            }
        }
        for (target, source, stand_in) in &self.redirects {
            become_fd(stand_in.unwrap_or(*source), *target)?;
        }
        Ok(())
    }
}

/// Makes `target` a duplicate of `source` that stays open across exec.
fn become_fd(source: Fd, target: Fd) -> Result<()> {
    fs::duplicate_to(source, target)?;
    fs::set_close_on_exec(target, false)
}

/// Closes all descriptors above the standard ones except these, which are sorted.
fn close_all_but(kept: &[Fd]) {
    let mut first = 3;
    for fd in kept {
        close_range(first, fd.0 - 1);
        first = fd.0 + 1;
    }
    close_range(first, i32::MAX);
}

fn close_range(first: i32, last: i32) {
    if first > last {
        return;
    }
    #[cfg(target_os = "linux")]
    // SAFETY: no pointers are involved.
    if unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) } == 0 {
        return;
    }
    let open = super::limits(libc::RLIMIT_NOFILE).map_or(1024, |limits| limits.soft.min(65_536) as i32);
    for number in first..=last.min(open) {
        let _ = fs::close(Fd(number));
    }
}
