//! Numbers and names of signals.

/// The entries of `Signal.list`. If a number has several names, the first is its primary one.
#[cfg(target_os = "linux")]
pub static SIGNALS: &[(&str, i32)] = &[
    ("EXIT", 0),
    ("HUP", libc::SIGHUP),
    ("INT", libc::SIGINT),
    ("QUIT", libc::SIGQUIT),
    ("ILL", libc::SIGILL),
    ("TRAP", libc::SIGTRAP),
    ("ABRT", libc::SIGABRT),
    ("IOT", libc::SIGIOT),
    ("FPE", libc::SIGFPE),
    ("KILL", libc::SIGKILL),
    ("BUS", libc::SIGBUS),
    ("SEGV", libc::SIGSEGV),
    ("SYS", libc::SIGSYS),
    ("PIPE", libc::SIGPIPE),
    ("ALRM", libc::SIGALRM),
    ("TERM", libc::SIGTERM),
    ("URG", libc::SIGURG),
    ("STOP", libc::SIGSTOP),
    ("TSTP", libc::SIGTSTP),
    ("CONT", libc::SIGCONT),
    ("CHLD", libc::SIGCHLD),
    ("CLD", libc::SIGCHLD),
    ("TTIN", libc::SIGTTIN),
    ("TTOU", libc::SIGTTOU),
    ("IO", libc::SIGIO),
    ("XCPU", libc::SIGXCPU),
    ("XFSZ", libc::SIGXFSZ),
    ("VTALRM", libc::SIGVTALRM),
    ("PROF", libc::SIGPROF),
    ("WINCH", libc::SIGWINCH),
    ("USR1", libc::SIGUSR1),
    ("USR2", libc::SIGUSR2),
    ("PWR", libc::SIGPWR),
    ("POLL", libc::SIGPOLL),
];

pub const INTERRUPT: i32 = libc::SIGINT;
pub const TERMINATE: i32 = libc::SIGTERM;
pub const HANGUP: i32 = libc::SIGHUP;
pub const QUIT: i32 = libc::SIGQUIT;
pub const ALARM: i32 = libc::SIGALRM;
pub const USER_1: i32 = libc::SIGUSR1;
pub const USER_2: i32 = libc::SIGUSR2;
pub const PIPE: i32 = libc::SIGPIPE;
/// The end of a child process.
pub const CHILD: i32 = libc::SIGCHLD;
/// Ignored unless a program handles it.
pub const URGENT: i32 = libc::SIGURG;
pub const KILL: i32 = libc::SIGKILL;
pub const VIRTUAL_ALARM: i32 = libc::SIGVTALRM;

/// The name of a number, without `SIG`.
pub fn name(number: i32) -> Option<&'static str> {
    SIGNALS.iter().find(|(_, known)| *known == number).map(|(name, _)| *name)
}

/// The number of a name without `SIG`.
pub fn number(name: &str) -> Option<i32> {
    SIGNALS.iter().find(|(known, _)| *known == name).map(|(_, number)| *number)
}

/// The number of signals: each number is less.
#[cfg(target_os = "linux")]
pub const COUNT: i32 = 65;

/// Whether programs may not change the disposition, because the interpreter needs the signal or the system forbids it.
pub fn is_reserved(number: i32) -> bool {
    matches!(number, libc::SIGSEGV | libc::SIGBUS | libc::SIGILL | libc::SIGFPE | libc::SIGVTALRM)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_name_of_a_number_is_its_name() {
        assert_eq!(name(libc::SIGCHLD), Some("CHLD"));
        assert_eq!(number("CLD"), Some(libc::SIGCHLD));
        assert_eq!(name(0), Some("EXIT"));
        assert_eq!((name(64), number("NO")), (None, None));
    }
}
