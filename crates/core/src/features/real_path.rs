//! Paths of loaded files without symbolic links. Resolving a path takes a system call for each of its parts; most files
//! lie beside others, so the resolved folders are kept.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use memory::ToVector;

/// A folder, and its path without symbolic links when it was resolved.
struct Folder {
    device: u64,
    inode: u64,
    real: Box<[u8]>,
}

static FOLDERS: Mutex<Option<HashMap<Box<[u8]>, Folder>>> = Mutex::new(None);

/// The path of a file without symbolic links; `None` if there is no such file.
pub fn resolve(path: &[u8]) -> Option<Vec<u8>> {
    let slash = path.iter().rposition(|byte| *byte == b'/').filter(|at| *at > 0);
    let parts = slash.map(|at| (&path[..at], &path[at + 1..])).filter(|(_, name)| !matches!(*name, b"" | b"." | b".."));
    let Some((folder, name)) = parts else { return host::fs::realpath(path).ok() };
    if host::fs::lstat(path).ok()?.is(host::fs::FileKind::Link) {
        return host::fs::realpath(path).ok();
    }
    let status = host::fs::stat(folder).ok()?;
    let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    let folders = folders.get_or_insert_default();
    let is_same = |known: &&Folder| (known.device, known.inode) == (status.device, status.inode);
    let known = folders.get(folder).filter(is_same);
    let real = match known {
        Some(known) => known.real.to_vector(),
        None => {
            let real = host::fs::realpath(folder).ok()?;
            memory::reserve_key(folders);
            let kept = Folder { device: status.device, inode: status.inode, real: real.as_slice().into() };
            folders.insert(folder.into(), kept);
            real
        }
    };
    Some(memory::concat(&[&real, if real.ends_with(b"/") { b"" } else { b"/" }, name]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_resolved_also_after_they_changed() {
        let base = std::env::temp_dir().join(format!("beni-real-path-{}", std::process::id()));
        for folder in ["one", "two"] {
            std::fs::create_dir_all(base.join(folder)).unwrap();
            std::fs::write(base.join(folder).join("a.rb"), "").unwrap();
        }
        let base = std::fs::canonicalize(base).unwrap();
        let path = |name: &str| base.join(name).to_str().unwrap().as_bytes().to_vec();
        std::os::unix::fs::symlink(base.join("one/a.rb"), base.join("two/b.rb")).unwrap();
        assert_eq!(resolve(&path("two/b.rb")), Some(path("one/a.rb")));
        for folder in ["one", "two", "one"] {
            std::os::unix::fs::symlink(base.join(folder), base.join("now")).unwrap();
            assert_eq!(resolve(&path("now/a.rb")), Some(path(&format!("{folder}/a.rb"))));
            assert_eq!(resolve(&path("now/missing.rb")), None);
            std::fs::remove_file(base.join("now")).unwrap();
        }
        std::fs::remove_dir_all(base).unwrap();
    }
}
