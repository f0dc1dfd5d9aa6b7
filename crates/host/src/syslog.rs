//! The system's log.

use std::ffi::CString;

use crate::Result;
use crate::c_string::{owned, with_c_string};
use crate::thread::Mutex;

/// The name given to `openlog`, whose pointer libc keeps.
static NAME: Mutex<Option<CString>> = Mutex::new(None);

/// Opens the log with the program's name, options such as `LOG_PID`, and a facility.
pub fn open(name: &[u8], options: i32, facility: i32) -> Result<()> {
    let name = owned(name)?;
    let mut kept = NAME.lock();
    // SAFETY: the name is terminated, and stays valid until libc gets another one or none.
    unsafe { libc::openlog(name.as_ptr(), options, facility) };
    *kept = Some(name);
    Ok(())
}

pub fn close() {
    let mut kept = NAME.lock();
    // SAFETY: no pointers are involved; libc forgets the name.
    unsafe { libc::closelog() };
    *kept = None;
}

/// Writes a message. A NUL in the message is `EINVAL`.
pub fn write(priority: i32, message: &[u8]) -> Result<()> {
    with_c_string(message, |message| {
        // SAFETY: the format takes one terminated string.
        unsafe { libc::syslog(priority, c"%s".as_ptr(), message.as_ptr()) };
        Ok(())
    })
}

/// Sets the mask of logged levels, unless it is 0; returns the previous one.
pub fn set_mask(mask: i32) -> i32 {
    // SAFETY: no pointers are involved.
    unsafe { libc::setlogmask(mask) }
}

/// The options, facilities and levels of this system.
pub const OPTIONS: &[(&str, i32)] = &[
    ("LOG_PID", libc::LOG_PID),
    ("LOG_CONS", libc::LOG_CONS),
    ("LOG_ODELAY", libc::LOG_ODELAY),
    ("LOG_NDELAY", libc::LOG_NDELAY),
    ("LOG_NOWAIT", libc::LOG_NOWAIT),
    ("LOG_PERROR", libc::LOG_PERROR),
];

pub const FACILITIES: &[(&str, i32)] = &[
    ("LOG_AUTH", libc::LOG_AUTH),
    ("LOG_AUTHPRIV", libc::LOG_AUTHPRIV),
    ("LOG_CRON", libc::LOG_CRON),
    ("LOG_DAEMON", libc::LOG_DAEMON),
    ("LOG_FTP", libc::LOG_FTP),
    ("LOG_KERN", libc::LOG_KERN),
    ("LOG_LPR", libc::LOG_LPR),
    ("LOG_MAIL", libc::LOG_MAIL),
    ("LOG_NEWS", libc::LOG_NEWS),
    ("LOG_SYSLOG", libc::LOG_SYSLOG),
    ("LOG_USER", libc::LOG_USER),
    ("LOG_UUCP", libc::LOG_UUCP),
    ("LOG_LOCAL0", libc::LOG_LOCAL0),
    ("LOG_LOCAL1", libc::LOG_LOCAL1),
    ("LOG_LOCAL2", libc::LOG_LOCAL2),
    ("LOG_LOCAL3", libc::LOG_LOCAL3),
    ("LOG_LOCAL4", libc::LOG_LOCAL4),
    ("LOG_LOCAL5", libc::LOG_LOCAL5),
    ("LOG_LOCAL6", libc::LOG_LOCAL6),
    ("LOG_LOCAL7", libc::LOG_LOCAL7),
];

pub const LEVELS: &[(&str, i32)] = &[
    ("LOG_EMERG", libc::LOG_EMERG),
    ("LOG_ALERT", libc::LOG_ALERT),
    ("LOG_CRIT", libc::LOG_CRIT),
    ("LOG_ERR", libc::LOG_ERR),
    ("LOG_WARNING", libc::LOG_WARNING),
    ("LOG_NOTICE", libc::LOG_NOTICE),
    ("LOG_INFO", libc::LOG_INFO),
    ("LOG_DEBUG", libc::LOG_DEBUG),
];
