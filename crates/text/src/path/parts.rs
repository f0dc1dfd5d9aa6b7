//! basename, dirname, extname, split, join.
//!
//! All functions work on bytes. In some encodings the second byte of a character may equal a backslash, which is no
//! separator here, but never a slash or a dot, so that going by bytes and by characters gives the same result.

use memory::Grow;

/// The position of the separator before the last part, ignoring trailing separators.
pub(super) fn last_separator(path: &[u8]) -> Option<usize> {
    let end = path.iter().rposition(|&byte| byte != b'/')?;
    let separator = path[..end].iter().rposition(|&byte| byte == b'/')?;
    Some(path[..separator].iter().rposition(|&byte| byte != b'/').map_or(0, |at| at + 1))
}

/// The last part, without trailing separators; `/` for a path of separators only.
fn last_part(path: &[u8]) -> &[u8] {
    let Some(end) = path.iter().rposition(|&byte| byte != b'/') else {
        return &path[..path.len().min(1)];
    };
    let start = path[..=end].iter().rposition(|&byte| byte == b'/').map_or(0, |at| at + 1);
    &path[start..=end]
}

/// The position of the last dot, not counting dots at the start.
fn last_dot(part: &[u8]) -> Option<usize> {
    let start = part.iter().position(|&byte| byte != b'.')?;
    part[start..].iter().rposition(|&byte| byte == b'.').map(|at| start + at)
}

/// `File.basename(path, suffix)`: without the suffix; `.*` removes any extension; another character and a star remove
/// everything from its last occurrence on.
pub fn basename<'a>(path: &'a [u8], suffix: Option<&[u8]>) -> &'a [u8] {
    let part = last_part(path);
    let end = match suffix {
        None | Some(b"") => part.len(),
        Some(b".*") => last_dot(part).unwrap_or(part.len()),
        Some(&[first, b'*']) if first.is_ascii() => part.iter().rposition(|&byte| byte == first).unwrap_or(part.len()),
        Some(suffix) if part.ends_with(suffix) => part.len() - suffix.len(),
        Some(_) => part.len(),
    };
    // A suffix that is the whole part stays.
    if end == 0 { part } else { &part[..end] }
}

/// `File.dirname(path, level)`: without the last `level` parts.
pub fn dirname(path: &[u8], level: usize) -> &[u8] {
    let slashes = path.iter().take_while(|&&byte| byte == b'/').count();
    // Several leading slashes become one.
    let path = &path[slashes.saturating_sub(1)..];
    let root = slashes.min(1);
    let mut end = path.len();
    for _ in 0..level.min(path.len() + 1) {
        match last_separator(&path[root..end]) {
            Some(at) => end = root + at,
            None => {
                end = root;
                break;
            }
        }
    }
    if end == 0 { b"." } else { &path[..end] }
}

/// `File.extname`: the last part from its last dot on, unless it starts with that dot.
pub fn extname(path: &[u8]) -> &[u8] {
    let part = last_part(path);
    last_dot(part).map_or(b"", |dot| &part[dot..])
}

/// `File.split`.
pub fn split(path: &[u8]) -> (&[u8], &[u8]) {
    (dirname(path, 1), basename(path, None))
}

/// `File.join` of one more part: appends `part` with exactly one separator between. The first part is unchanged.
pub fn join(path: &mut Vec<u8>, part: &[u8]) {
    if part.first() == Some(&b'/') {
        let kept = path.iter().rposition(|&byte| byte != b'/').map_or(0, |at| at + 1);
        path.truncate(kept);
    } else if path.last() != Some(&b'/') {
        path.append_one(b'/');
    }
    path.append_slice(part);
}
