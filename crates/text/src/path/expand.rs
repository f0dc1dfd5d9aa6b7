//! File.expand_path and File.absolute_path.

use super::parts::last_separator;
use memory::{Grow, ToVector};

/// The properties of the process that path expansion needs.
pub trait Environment {
    /// The error of its methods.
    type Error;
    /// The current directory.
    fn current_directory(&mut self) -> Result<Vec<u8>, Self::Error>;
    /// The home directory of the named user, or of the current user.
    fn home(&mut self, user: Option<&[u8]>) -> Result<Vec<u8>, Self::Error>;
}

/// The reason why a path cannot be expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpandError<E> {
    /// ArgumentError "non-absolute home", with a name "non-absolute home of %s".
    NonAbsoluteHome(Option<Vec<u8>>),
    /// An error of the environment.
    Environment(E),
}

/// Whether the path starts at the root.
pub fn is_absolute(path: &[u8]) -> bool {
    path.first() == Some(&b'/')
}

/// `File.expand_path(path, base)`; without `tilde` it is `File.absolute_path`, for which `~` is an ordinary character.
/// `base` is expanded too.
pub fn expand_path<E: Environment>(
    path: &[u8],
    base: Option<&[u8]>,
    tilde: bool,
    environment: &mut E,
) -> Result<Vec<u8>, ExpandError<E::Error>> {
    let (mut out, rest) = match path {
        [b'~', after @ ..] if tilde => {
            let end = after.iter().position(|&byte| byte == b'/').unwrap_or(after.len());
            let (user, rest) = after.split_at(end);
            let user = (!user.is_empty()).then_some(user);
            let home = environment.home(user).map_err(ExpandError::Environment)?;
            if !is_absolute(&home) {
                return Err(ExpandError::NonAbsoluteHome(user.map(<[u8]>::to_vector)));
            }
            (home, rest)
        }
        [b'/', ..] => {
            let slashes = path.iter().take_while(|&&byte| byte == b'/').count();
            (path[..slashes].to_vector(), &path[slashes..])
        }
        _ => {
            let mut base = match base {
                Some(base) => expand_path(base, None, tilde, environment)?,
                None => environment.current_directory().map_err(ExpandError::Environment)?,
            };
            let root = base.iter().take_while(|&&byte| byte == b'/').count();
            while base.len() > root && base.last() == Some(&b'/') {
                base.pop();
            }
            (base, path)
        }
    };
    if out.last() == Some(&b'/') {
        out.pop();
    }
    for part in rest.split(|&byte| byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                if let Some(at) = last_separator(&out) {
                    out.truncate(at);
                }
            }
            _ => {
                out.append_one(b'/');
                out.append_slice(part);
            }
        }
    }
    if out.iter().all(|&byte| byte == b'/') {
        out.append_one(b'/');
    }
    Ok(out)
}
