//! Finding the file of a feature.

use abi::Value;
use object::{array::Arr, cell};
use runtime::{Cx, R, call, convert, sym};

use super::index;

/// Where a feature is.
pub enum Found {
    /// Under this path it is loaded already (or built in).
    Loaded,
    File(String),
    Nowhere,
}

/// A path argument: to_path, then to_str.
pub fn path_argument(cx: &mut Cx, v: Value) -> R<String> {
    let v =
        if cell::is(v, abi::Type::String) { v } else { call::send_if_responds(cx, v, sym::TO_PATH, &[])?.unwrap_or(v) };
    let v = convert::to_str(cx, v)?;
    if v.bytes().contains(&0) {
        return Err(cx.argument_error("string contains null byte"));
    }
    Ok(String::from_utf8_lossy(v.bytes()).into_owned())
}

/// `$LOAD_PATH` as text, expanded.
fn load_path(cx: &mut Cx) -> R<Vec<String>> {
    let list = cx.root("$LOAD_PATH");
    let mut paths = Vec::new();
    let mut i = 0;
    while let Some(entry) = Arr::of(list).get(i) {
        let text = path_argument(cx, entry)?;
        paths.push(absolute(&text));
        i += 1;
    }
    Ok(paths)
}

/// A path from the command line, absolute.
pub fn expand(path: &[u8]) -> Vec<u8> {
    absolute(&String::from_utf8_lossy(path)).into_bytes()
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
pub fn is_explicit(name: &str) -> bool {
    name.starts_with('/') || name.starts_with("./") || name.starts_with("../") || name.starts_with('~')
}

/// Looks for feature `name` among what is loaded, then in the load path.
pub fn find(cx: &mut Cx, name: &str) -> R<Found> {
    if is_explicit(name) {
        let path = absolute(name);
        return Ok(match existing(&path) {
            Some(file) if index::candidates(cx, file.as_bytes()).iter().any(|c| c == file.as_bytes()) => Found::Loaded,
            Some(file) => Found::File(file),
            None if index::candidates(cx, path.as_bytes())
                .iter()
                .any(|c| index::without_extension(c) == index::without_extension(path.as_bytes())) =>
            {
                Found::Loaded
            }
            None => Found::Nowhere,
        });
    }
    let paths = load_path(cx)?;
    for candidate in index::candidates(cx, name.as_bytes()) {
        let candidate = String::from_utf8_lossy(&candidate).into_owned();
        let plain = candidate.len() <= name.len() + 3;
        let below = paths
            .iter()
            .any(|path| candidate.strip_prefix(path.as_str()).is_some_and(|rest| rest.len() <= name.len() + 4));
        if plain || below {
            return Ok(Found::Loaded);
        }
    }
    for path in &paths {
        if let Some(file) = existing(&format!("{path}/{name}")) {
            return Ok(if index::candidates(cx, file.as_bytes()).iter().any(|c| c == file.as_bytes()) {
                Found::Loaded
            } else {
                Found::File(file)
            });
        }
    }
    Ok(Found::Nowhere)
}

/// The file itself if its name ends in `.rb`, otherwise with that extension.
fn existing(path: &str) -> Option<String> {
    if path.ends_with(".rb") {
        return is_file(path).then(|| path.to_string());
    }
    let with_extension = format!("{path}.rb");
    is_file(&with_extension).then_some(with_extension)
}

fn is_file(path: &str) -> bool {
    std::fs::metadata(path).is_ok_and(|m| m.is_file())
}

/// The file of `load`: as given, from the current folder, or in the load path; no extension is added.
pub fn find_for_load(cx: &mut Cx, name: &str) -> R<Option<String>> {
    if is_explicit(name) {
        let path = absolute(name);
        return Ok(is_file(&path).then_some(path));
    }
    for path in load_path(cx)? {
        let file = format!("{path}/{name}");
        if is_file(&file) {
            return Ok(Some(file));
        }
    }
    Ok(is_file(name).then(|| absolute(name)))
}
