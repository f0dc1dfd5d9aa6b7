//! `Errno`, the number of a failed system call, and the table of the numbers' names.
//!
//! A number has one primary name; its other names are in [`ALIASES`]. Ruby also defines `Errno::X` for names of other
//! systems: those that this system lacks are in [`ABSENT`], and Ruby makes them the same class as `Errno::NOERROR`.

use std::ffi::CStr;
use std::fmt;

/// The number that a failed system call left in `errno`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Errno(pub i32);

/// The result of a system call.
pub type Result<T, E = Errno> = std::result::Result<T, E>;

impl Errno {
    /// An argument outside of a function's domain.
    pub const DOMAIN: Errno = Errno(libc::EDOM);
    pub const INVALID_ARGUMENT: Errno = Errno(libc::EINVAL);
    /// A result that cannot be represented.
    pub const OUT_OF_RANGE: Errno = Errno(libc::ERANGE);
    /// More symbolic links on the way of a path than the system follows.
    pub const TOO_MANY_LINKS: Errno = Errno(libc::ELOOP);

    /// The error of the last failed libc call of this thread.
    pub fn last() -> Errno {
        Errno(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO))
    }

    /// The primary symbolic name (`"ENOENT"`), if the system defines one.
    pub fn name(self) -> Option<&'static str> {
        NAMES.iter().find(|(_, errno)| *errno == self).map(|(name, _)| *name)
    }

    /// The number with the given name, aliases included.
    pub fn from_name(name: &str) -> Option<Errno> {
        NAMES.iter().chain(ALIASES).find(|(known, _)| *known == name).map(|(_, errno)| *errno)
    }

    /// The system's message for the number, as `strerror(3)` returns it in the current locale.
    pub fn message(self) -> String {
        let mut buffer = [0; 256];
        // SAFETY: the buffer is valid for its length; the XSI variant always terminates what it writes.
        unsafe { libc::strerror_r(self.0, buffer.as_mut_ptr(), buffer.len()) };
        // SAFETY: terminated by the call above, or all zeros if the call failed.
        unsafe { CStr::from_ptr(buffer.as_ptr()) }.to_string_lossy().into_owned()
    }

    /// Whether a non-blocking call found nothing to do.
    pub fn would_block(self) -> bool {
        self.0 == libc::EAGAIN || self.0 == libc::EWOULDBLOCK
    }
}

impl fmt::Display for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl fmt::Debug for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "Errno({})", self.0),
        }
    }
}

impl std::error::Error for Errno {}

impl From<rustix::io::Errno> for Errno {
    fn from(errno: rustix::io::Errno) -> Errno {
        Errno(errno.raw_os_error())
    }
}

impl From<std::io::Error> for Errno {
    /// An error that did not come from the system (for example an interior NUL) becomes `EINVAL`.
    fn from(error: std::io::Error) -> Errno {
        Errno(error.raw_os_error().unwrap_or(libc::EINVAL))
    }
}

/// The address of this thread's `errno`; always valid.
pub(crate) fn location() -> *mut i32 {
    #[cfg(target_os = "linux")]
    // SAFETY: always allowed.
    unsafe {
        libc::__errno_location()
    }
    #[cfg(target_vendor = "apple")]
    // SAFETY: always allowed.
    unsafe {
        libc::__error()
    }
}

/// The return value by which libc's calls report failure: −1 of any width.
pub(crate) trait Outcome: Copy {
    fn failed(self) -> bool;
}

impl Outcome for i32 {
    fn failed(self) -> bool {
        self == -1
    }
}

impl Outcome for i64 {
    fn failed(self) -> bool {
        self == -1
    }
}

impl Outcome for isize {
    fn failed(self) -> bool {
        self == -1
    }
}

/// Turns libc's −1 into the error in `errno`.
pub(crate) fn check<T: Outcome>(outcome: T) -> Result<T> {
    if outcome.failed() { Err(Errno::last()) } else { Ok(outcome) }
}

/// Like [`check`], but repeats the call while a signal interrupts it. Only for calls that do not block for long: for
/// others Ruby runs its traps in between.
pub(crate) fn check_retrying<T: Outcome>(mut call: impl FnMut() -> T) -> Result<T> {
    loop {
        match check(call()) {
            Err(Errno(libc::EINTR)) => {}
            outcome => return outcome,
        }
    }
}

/// Names and numbers from one list of libc's constants.
macro_rules! errnos {
    ($($name:ident)*) => { &[$((stringify!($name), Errno(libc::$name)),)*] };
}

/// Every number of this system under its primary name, in numerical order.
#[cfg(target_os = "linux")]
pub static NAMES: &[(&str, Errno)] = errnos! {
    EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN ENOMEM EACCES EFAULT ENOTBLK EBUSY EEXIST
    EXDEV ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE EROFS EMLINK EPIPE EDOM
    ERANGE EDEADLK ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP ENOMSG EIDRM ECHRNG EL2NSYNC EL3HLT EL3RST ELNRNG
    EUNATCH ENOCSI EL2HLT EBADE EBADR EXFULL ENOANO EBADRQC EBADSLT EBFONT ENOSTR ENODATA ETIME ENOSR ENONET ENOPKG
    EREMOTE ENOLINK EADV ESRMNT ECOMM EPROTO EMULTIHOP EDOTDOT EBADMSG EOVERFLOW ENOTUNIQ EBADFD EREMCHG ELIBACC
    ELIBBAD ELIBSCN ELIBMAX ELIBEXEC EILSEQ ERESTART ESTRPIPE EUSERS ENOTSOCK EDESTADDRREQ EMSGSIZE EPROTOTYPE
    ENOPROTOOPT EPROTONOSUPPORT ESOCKTNOSUPPORT ENOTSUP EPFNOSUPPORT EAFNOSUPPORT EADDRINUSE EADDRNOTAVAIL
    ENETDOWN ENETUNREACH ENETRESET ECONNABORTED ECONNRESET ENOBUFS EISCONN ENOTCONN ESHUTDOWN ETOOMANYREFS ETIMEDOUT
    ECONNREFUSED EHOSTDOWN EHOSTUNREACH EALREADY EINPROGRESS ESTALE EUCLEAN ENOTNAM ENAVAIL EISNAM EREMOTEIO EDQUOT
    ENOMEDIUM EMEDIUMTYPE ECANCELED ENOKEY EKEYEXPIRED EKEYREVOKED EKEYREJECTED EOWNERDEAD ENOTRECOVERABLE ERFKILL
    EHWPOISON
};

/// Further names for numbers that [`NAMES`] has.
#[cfg(target_os = "linux")]
pub static ALIASES: &[(&str, Errno)] = errnos! { EWOULDBLOCK EDEADLOCK EOPNOTSUPP };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree_in_both_directions() {
        assert_eq!(Errno(2).name(), Some("ENOENT"));
        assert_eq!(Errno::from_name("EWOULDBLOCK"), Some(Errno(libc::EAGAIN)));
        assert_eq!(Errno(0).name(), None);
        for (name, errno) in NAMES {
            assert_eq!(errno.name(), Some(*name));
            assert_eq!(Errno::from_name(name), Some(*errno));
        }
    }

    #[test]
    fn messages_are_the_systems() {
        assert_eq!(Errno(libc::ENOENT).message(), "No such file or directory");
        assert_eq!(Errno(0).message(), "Success");
        assert_eq!(Errno(99999).message(), "Unknown error 99999");
    }
}
