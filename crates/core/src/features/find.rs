//! Finding the file of a feature.

use abi::Value;
use object::{array::Arr, cell};
use runtime::{Cx, R, call, convert, sym};

use super::index;

/// The location of a feature.
pub enum Found {
    /// A feature with this path is already loaded (or built in).
    Loaded,
    File(String),
    Nowhere,
}

/// A path argument, converted by to_path, then by to_str.
pub fn path_argument(cx: &mut Cx, v: Value) -> R<String> {
    let v =
        if cell::is(v, abi::Type::String) { v } else { call::send_if_responds(cx, v, sym::TO_PATH, &[])?.unwrap_or(v) };
    let v = convert::to_str(cx, v)?;
    if v.contains_byte(0) {
        return Err(cx.argument_error("path name contains null byte"));
    }
    Ok(v.to_text())
}

/// How long the absolute folders of `$LOAD_PATH` are valid, as long as the Array is unchanged.
#[derive(Default)]
pub enum Validity {
    Always,
    /// While the current and the home directory are these: a folder is relative, or begins with `~`.
    While(String),
    /// A folder depends on the result of a `to_path`.
    #[default]
    Never,
}

impl Validity {
    pub fn holds(&self) -> bool {
        match self {
            Validity::Always => true,
            Validity::While(then) => *then == current_folders(),
            Validity::Never => false,
        }
    }
}

/// The current and the home directory.
fn current_folders() -> String {
    format!("{}\0{}", std::env::current_dir().unwrap_or_default().display(), std::env::var("HOME").unwrap_or_default())
}

/// The absolute folders of `$LOAD_PATH` without symbolic links, and how long they are valid.
pub fn expanded_load_path(cx: &mut Cx) -> R<(Vec<Vec<u8>>, Validity)> {
    let list = cx.root(runtime::Root::LoadPath);
    let (mut paths, mut validity) = (Vec::new(), Validity::Always);
    let mut i = 0;
    while let Some(entry) = Arr::of(list).get(i) {
        let text = path_argument(cx, entry)?;
        validity = match validity {
            _ if !cell::is(entry, abi::Type::String) => Validity::Never,
            Validity::Always if !text.starts_with('/') => Validity::While(current_folders()),
            other => other,
        };
        paths.push(index::real_folder(absolute(&text).into_bytes()));
        i += 1;
    }
    Ok((paths, validity))
}

/// The absolute form of a path from the command line.
pub fn expand(path: &[u8]) -> Vec<u8> {
    absolute(&memory::lossy_text(path)).into_bytes()
}

/// The absolute path, without `.` and `..`.
pub fn absolute(path: &str) -> String {
    let home = || std::env::var("HOME").ok();
    let path = match path.strip_prefix('~') {
        Some("") => home().unwrap_or_default(),
        Some(rest) if rest.starts_with('/') => format!("{}{rest}", home().unwrap_or_default()),
        _ => path.to_string(),
    };
    let joined = if path.starts_with('/') {
        path
    } else {
        format!("{}/{path}", std::env::current_dir().unwrap_or_default().display())
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// Whether the name itself determines the file's location.
pub fn is_explicit(name: impl AsRef<[u8]>) -> bool {
    let name = name.as_ref();
    name.starts_with(b"/") || name.starts_with(b"./") || name.starts_with(b"../") || name.starts_with(b"~")
}

/// Searches for the feature `name` among the loaded ones, then in the load path.
pub fn find(cx: &mut Cx, name: &str) -> R<Found> {
    if is_explicit(name) {
        return find_at(cx, &absolute(name));
    }
    // A Ruby file is preferred to an extension, even to a loaded one, regardless of the order of their folders.
    let loaded = index::loaded_as(cx, name.as_bytes())?;
    let searched = match loaded {
        Some(feature) if name.ends_with(".so") || !feature.to_text().ends_with(".so") => return Ok(Found::Loaded),
        Some(_) => &[".rb"],
        None => extensions(name),
    };
    let mut found = None;
    for extension in searched {
        found = index::first_file(cx, name.as_bytes(), extension.as_bytes())?;
        if found.is_some() {
            break;
        }
    }
    match found {
        // The folder may be named with `..` or twice: the file may already be loaded under another name.
        Some(file) if index::loaded_at(cx, &file)?.is_some_and(|feature| feature.is(&file)) => Ok(Found::Loaded),
        Some(file) => Ok(Found::File(memory::lossy_text(&file))),
        None if loaded.is_some() => Ok(Found::Loaded),
        None => Ok(Found::Nowhere),
    }
}

/// The extensions that may be added to a name.
fn extensions(name: &str) -> &'static [&'static str] {
    if name.ends_with(".rb") || name.ends_with(".so") { &[""] } else { &[".rb", ".so"] }
}

/// The feature at an absolute path; if it is already loaded, the file system is not searched.
fn find_at(cx: &mut Cx, path: &str) -> R<Found> {
    for extension in extensions(path) {
        let file = format!("{path}{extension}");
        if index::loaded_at(cx, file.as_bytes())?.is_some_and(|feature| feature.is(file.as_bytes())) {
            return Ok(Found::Loaded);
        }
        if is_file(file.as_bytes()) {
            return Ok(Found::File(file));
        }
    }
    let stem = index::without_extension(path.as_bytes());
    Ok(if index::loaded_at(cx, stem)?.is_some() { Found::Loaded } else { Found::Nowhere })
}

pub fn is_file(path: &[u8]) -> bool {
    host::fs::stat(path).is_ok_and(|found| found.is(host::fs::FileKind::File))
}

/// The file for `load`: an explicit path, or a name in the current folder or in the load path; no extension is added.
pub fn find_for_load(cx: &mut Cx, name: &str) -> R<Option<String>> {
    if is_explicit(name) {
        let path = absolute(name);
        return Ok(is_readable(path.as_bytes()).then_some(path));
    }
    if let Some(file) = index::first_file(cx, name.as_bytes(), b"")? {
        return Ok(Some(memory::lossy_text(&file)));
    }
    // The path of a file in the current folder stays relative, as it was given.
    Ok(is_readable(name.as_bytes()).then(|| name.to_string()))
}

/// Whether the path is a file, or a pipe or device, which `load` reads too.
fn is_readable(path: &[u8]) -> bool {
    host::fs::stat(path).is_ok_and(|found| !found.is(host::fs::FileKind::Directory))
}
