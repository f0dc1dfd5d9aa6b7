//! The constants of `fcntl(2)` under their names in `Fcntl`.

macro_rules! constants {
    ($($name:ident)*) => { &[$((stringify!($name), libc::$name as i32)),*] };
}

#[cfg(target_os = "linux")]
pub static FCNTL_CONSTANTS: &[(&str, i32)] = constants! {
    F_DUPFD F_GETFD F_GETLK F_SETFD F_GETFL F_SETFL F_SETLK F_SETLKW FD_CLOEXEC F_UNLCK F_RDLCK F_WRLCK O_CREAT O_EXCL
    O_NOCTTY O_TRUNC O_APPEND O_NONBLOCK O_NDELAY O_RDONLY O_RDWR O_WRONLY O_ACCMODE F_DUPFD_CLOEXEC
};
