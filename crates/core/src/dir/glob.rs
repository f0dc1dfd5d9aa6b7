//! `Dir.glob`: the paths that match a pattern.

use heap::{Cause, Request};
use host::{
    Errno,
    fs::{self, FileKind},
};
use memory::{Grow, ToVector};
use object::string::Str;
use runtime::{Args, Cx, R, Value, convert, make};
use text::{
    encoding::EncodingId,
    path::{MatchFlags, brace_expand, fnmatch},
};

use crate::io::path::{failed, path_bytes};

struct Glob {
    encoding: EncodingId,
    flags: i64,
    sort: bool,
    base: Option<Vec<u8>>,
    found: Vec<Vec<u8>>,
    /// No descriptor was left for a directory.
    exhausted: Option<Errno>,
}

const NOESCAPE: i64 = 1;
const DOTMATCH: i64 = 4;

fn is_magic(part: &[u8], escape: bool) -> bool {
    part.iter().any(|b| matches!(b, b'*' | b'?' | b'[') || (escape && *b == b'\\'))
}

fn unescaped(part: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bytes = part.iter();
    while let Some(&b) = bytes.next() {
        if b == b'\\' {
            out.append_from(bytes.next().copied());
        } else {
            out.append_one(b);
        }
    }
    out
}

impl Glob {
    /// The path in the file system of a path in the result, which may be relative to `base`.
    fn real(&self, path: &[u8]) -> Vec<u8> {
        match &self.base {
            Some(base) if !path.starts_with(b"/") => {
                let mut whole = base.clone();
                if !path.is_empty() {
                    whole.push(b'/');
                    whole.append_slice(path);
                }
                whole
            }
            _ if path.is_empty() => b".".to_vector(),
            _ => path.to_vector(),
        }
    }

    fn expand_all(&mut self, patterns: &[Vec<u8>]) {
        for pattern in patterns.iter().filter(|pattern| !pattern.is_empty()) {
            let slashes = pattern.iter().take_while(|b| **b == b'/').count();
            if slashes == pattern.len() {
                self.found.push(pattern.clone());
                continue;
            }
            let parts = parts_of(&pattern[slashes..], self.flags & NOESCAPE == 0);
            self.expand(&pattern[..slashes], &parts, 0);
        }
    }

    fn names(&mut self, path: &[u8]) -> Vec<(Vec<u8>, Option<FileKind>)> {
        let mut directory = match fs::Directory::open(&self.real(path)) {
            Ok(directory) => directory,
            Err(errno) => {
                if matches!(errno.name(), Some("EMFILE" | "ENFILE")) {
                    self.exhausted = Some(errno);
                }
                return Vec::new();
            }
        };
        let mut names = Vec::new();
        while let Ok(Some(entry)) = directory.read() {
            names.push((entry.name, entry.kind));
        }
        if self.sort {
            names.sort_by(|a, b| a.0.cmp(&b.0));
        }
        names
    }

    fn is_directory(&self, path: &[u8], follow: bool) -> bool {
        let real = self.real(path);
        let found = if follow { fs::stat(&real) } else { fs::lstat(&real) };
        found.is_ok_and(|s| s.is(FileKind::Directory))
    }

    fn exists(&self, path: &[u8]) -> bool {
        fs::lstat(&self.real(path)).is_ok()
    }

    /// Finds the matches of `parts` below `prefix`. `depth`: the depth below a `**`; 0 outside of one.
    fn expand(&mut self, prefix: &[u8], parts: &[&[u8]], depth: usize) {
        let Some((part, rest)) = parts.split_first() else {
            return;
        };
        let last = rest.is_empty();
        // A trailing slash matches only directories.
        if part.is_empty() && last {
            if prefix.is_empty() {
                // A `**/` that matches no directories: with a base the result is a slash.
                if self.base.is_some() {
                    self.found.push(b"/".to_vector());
                }
            } else if self.is_directory(prefix.strip_suffix(b"/").unwrap_or(prefix), true) {
                self.found.push(prefix.to_vector());
            }
            return;
        }
        if part.is_empty() {
            self.expand(&[prefix, b"/"].concat(), rest, depth);
            return;
        }
        if *part == b"**" && !last {
            self.expand_recursively(prefix, parts, depth);
            return;
        }
        let escape = self.flags & NOESCAPE == 0;
        if !is_magic(part, escape) && self.flags & 8 == 0 {
            let path = [prefix, *part].concat();
            self.go_on(&path, rest, None);
            return;
        }
        if !part.iter().any(|b| matches!(b, b'*' | b'?' | b'[')) && self.flags & 8 == 0 {
            let path = [prefix, &unescaped(part)].concat();
            self.go_on(&path, rest, None);
            return;
        }
        for (name, kind) in self.names(prefix) {
            if name == b".." || name == b"." && !self.takes_itself(rest, depth) {
                continue;
            }
            if self.matches(part, &name) {
                let path = [prefix, &name].concat();
                self.go_on(&path, rest, kind);
            }
        }
    }

    /// `**/` and the following part, in one pass through the directory: a matching name precedes the matches below it.
    fn expand_recursively(&mut self, prefix: &[u8], parts: &[&[u8]], depth: usize) {
        let rest = &parts[1..];
        let (next, after) = (rest[0], &rest[1..]);
        if next == b"**" && !after.is_empty() {
            self.expand(prefix, rest, depth);
            return;
        }
        if next.is_empty() {
            self.expand(prefix, rest, depth + 1);
        }
        for (name, kind) in self.names(prefix) {
            let path = [prefix, &name].concat();
            if !next.is_empty()
                && self.matches(next, &name)
                && name != b".."
                && (name != b"." || self.takes_itself(after, depth + 1))
            {
                self.go_on(&path, after, kind);
            }
            if name == b"." || name == b".." || (name[0] == b'.' && self.flags & DOTMATCH == 0) {
                continue;
            }
            let is_directory = match kind {
                Some(kind) => kind == FileKind::Directory,
                None => self.is_directory(&path, false),
            };
            if is_directory {
                self.expand(&[&path[..], b"/"].concat(), parts, depth + 1);
            }
        }
    }

    /// Whether a name matches a part of the pattern. A `**` at the end means `*`.
    fn matches(&self, part: &[u8], name: &[u8]) -> bool {
        let pattern: &[u8] = if part == b"**" { b"*" } else { part };
        fnmatch(self.encoding, pattern, name, MatchFlags::from_bits(self.flags & !16))
    }

    /// Whether the entry `.` may match a part of the pattern; `rest` are the parts after it. Outside of `**`, it
    /// matches only the last part. Below `**`, it matches only in the first directory and only with the flag
    /// `DOTMATCH`.
    fn takes_itself(&self, rest: &[&[u8]], depth: usize) -> bool {
        match depth {
            0 => rest.iter().all(|part| part.is_empty()),
            1 => rest.is_empty() && self.flags & DOTMATCH != 0,
            _ => false,
        }
    }

    fn go_on(&mut self, path: &[u8], rest: &[&[u8]], kind: Option<FileKind>) {
        if rest.is_empty() {
            if kind.is_some() || self.exists(path) {
                self.found.push(path.to_vector());
            }
            return;
        }
        if self.is_directory(path, true) {
            self.expand(&[path, b"/"].concat(), rest, 0);
        }
    }
}

/// `Dir.__glob(pattern, flags, base, sort) → array`: the paths that match a pattern with `*`, `**/`, `?`, `[a-z]` and
/// `{a,b}`, relative to `base` if one is given. Unreadable directories are skipped; Errno::EMFILE if no descriptor is
/// left to read one.
pub fn glob(cx: &mut Cx, args: Args) -> R {
    let pattern = path_bytes(cx, args.at(0))?;
    let flags = convert::to_i64(cx, args.at(1))?;
    let base = match args.at(2) {
        Value::NIL => None,
        v => Some(path_bytes(cx, v)?).filter(|b| !b.is_empty()),
    };
    let encoding = Str::from_value(args.at(0)).map_or(EncodingId::UTF_8, Str::encoding);
    let sort = args.at(3).truthy();
    let mut state = Glob { encoding, flags, sort, base, found: Vec::new(), exhausted: None };
    let mut patterns = Vec::new();
    brace_expand(encoding, &pattern, flags & NOESCAPE == 0, |one| {
        patterns.push(one.to_vector());
        true
    });
    state.expand_all(&patterns);
    if state.exhausted.take().is_some() {
        // Unreachable streams close their descriptors.
        cx.collect(Request { full: true, immediate_mark: true, immediate_sweep: true, cause: Cause::Method });
        state.found.clear();
        state.expand_all(&patterns);
        if let Some(errno) = state.exhausted {
            return Err(failed(cx, errno, "dir_initialize", &pattern));
        }
    }
    let own = if encoding == EncodingId::US_ASCII { cx.vm().default_external } else { encoding };
    let list = make::array(cx, &[]);
    for path in &state.found {
        let path = make::string(cx, path, own);
        make::push(cx, list, path);
    }
    Ok(list)
}

/// The parts of a pattern between slashes; a slash in brackets does not divide it.
fn parts_of(pattern: &[u8], escape: bool) -> Vec<&[u8]> {
    let (mut parts, mut start, mut at, mut is_open) = (Vec::new(), 0, 0, false);
    while at < pattern.len() {
        match pattern[at] {
            b'[' | b'{' => is_open = true,
            b']' | b'}' => is_open = false,
            b'\\' if escape => at += 1,
            b'/' if !is_open => {
                parts.push(&pattern[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(&pattern[start..]);
    parts
}
