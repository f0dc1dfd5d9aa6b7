//! Files from package archives: pinned by their checksum, downloaded once for all checkouts of a
//! machine, unpacked under `target/`, never installed.
//!
//! No address is stored here: apt knows the mirrors of the machine and npm its registry, and their own commands
//! download from them. Without them, a file copied into the cache by hand is used.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sha2::{Digest, Sha256};

use crate::workspace;

const PINS: &str = "xtask/packages.txt";

/// A file of a package archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The purpose: `specs` or the name of a program.
    pub purpose: String,
    /// Its path in Debian's archive, below the component, or `npm:NAME@VERSION`.
    pub path: String,
    pub sha256: String,
}

impl Pin {
    pub fn file_name(&self) -> String {
        match self.of_npm() {
            Some(package) => format!("{}.tgz", package.trim_start_matches('@').replace(['/', '@'], "-")),
            None => self.path.rsplit('/').next().unwrap_or(&self.path).to_string(),
        }
    }

    /// The name and version of the package: the file's name up to its extension.
    pub fn stem(&self) -> String {
        let name = self.file_name();
        let ends = [".orig.tar.xz", ".orig.tar.gz", ".deb", ".tgz"];
        ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name).to_string()
    }

    fn of_npm(&self) -> Option<&str> {
        self.path.strip_prefix("npm:")
    }
}

/// The files with a purpose, in the order of `xtask/packages.txt`.
pub fn pins(purpose: &str) -> Result<Vec<Pin>, String> {
    let text = workspace::read(&workspace::root().join(PINS))?;
    let mut pins = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let [what, path, sha256] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            return Err(format!("{PINS}: not of the form PURPOSE PATH SHA256: {line}"));
        };
        if what == purpose {
            pins.push(Pin { purpose: what.to_string(), path: path.to_string(), sha256: sha256.to_string() });
        }
    }
    if pins.is_empty() { Err(format!("{PINS}: nothing is pinned for {purpose}")) } else { Ok(pins) }
}

/// The downloaded file, from the cache if present.
pub fn download(pin: &Pin) -> Result<PathBuf, String> {
    if let Some(file) = downloaded(pin)? {
        return Ok(file);
    }
    let cache = cache()?;
    let file = cache.join(pin.file_name());
    // A unique name, so that two checkouts can download at the same time.
    let partial = cache.join(format!("{}.{}.partial", pin.file_name(), std::process::id()));
    let tried = match pin.of_npm() {
        Some(package) => vec![npm_pack(package, &partial).and_then(|()| keep(pin, &partial, &file))],
        None => try_mirrors(pin, &partial, &file),
    };
    let _ = fs::remove_file(&partial);
    if tried.iter().any(Result::is_ok) {
        return Ok(file);
    }
    let errors: Vec<String> = tried.into_iter().filter_map(Result::err).collect();
    Err(unavailable(pin, &cache, &errors))
}

/// The file in the cache, if it is there.
pub fn downloaded(pin: &Pin) -> Result<Option<PathBuf>, String> {
    let file = cache()?.join(pin.file_name());
    Ok((file.is_file() && sha256(&file)? == pin.sha256).then_some(file))
}

/// Renames a downloaded file that is the right one.
fn keep(pin: &Pin, partial: &Path, file: &Path) -> Result<(), String> {
    let found = sha256(partial)?;
    if found != pin.sha256 {
        return Err(format!("its checksum is {found}"));
    }
    fs::rename(partial, file).map_err(|error| format!("cannot keep {}: {error}", file.display()))
}

/// Tries the mirrors until one has the file.
fn try_mirrors(pin: &Pin, partial: &Path, file: &Path) -> Vec<Result<(), String>> {
    let mut tried = Vec::new();
    for address in addresses(pin) {
        let result = apt_helper(&address, partial).and_then(|()| keep(pin, partial, file));
        let done = result.is_ok();
        tried.push(result);
        if done {
            break;
        }
    }
    tried
}

fn unavailable(pin: &Pin, cache: &Path, tried: &[String]) -> String {
    let why = if tried.is_empty() {
        "this machine has no apt that knows a Debian archive".to_string()
    } else {
        tried.join("; ")
    };
    let (of, without) = match pin.of_npm() {
        Some(_) => ("the npm registry", "npm, get that package's file elsewhere"),
        None => ("Debian's archive", "apt, get that file from any mirror of the archive"),
    };
    format!(
        "cannot download {} of {of} ({why}).\nTo go on without {without} and put it into {} as {}\n(sha256 {})",
        pin.path,
        cache.display(),
        pin.file_name(),
        pin.sha256
    )
}

/// Downloads a package's file. No code of the package runs, and nothing is installed.
fn npm_pack(package: &str, to: &Path) -> Result<(), String> {
    let folder = to.with_added_extension("folder");
    fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let mut command = Command::new("npm");
    command.args(["pack", "--ignore-scripts", "--loglevel=error", "--fetch-retries=1", package]);
    command.current_dir(&folder).stdin(Stdio::null());
    let result = match command.output() {
        Err(error) => Err(workspace::could_not_start(&command, &error)),
        Ok(output) if output.status.success() => only_file(&folder)
            .ok_or_else(|| "npm made no file".to_string())
            .and_then(|file| fs::rename(&file, to).map_err(|error| format!("cannot keep {}: {error}", file.display()))),
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr);
            Err(format!("npm: {}", text.lines().next().unwrap_or("no reason given").trim_start_matches("npm error ")))
        }
    };
    let _ = fs::remove_dir_all(&folder);
    result
}

fn only_file(folder: &Path) -> Option<PathBuf> {
    fs::read_dir(folder).ok()?.next()?.ok().map(|entry| entry.path())
}

/// The download cache: `BENI_DOWNLOADS`, otherwise the user's cache.
fn cache() -> Result<PathBuf, String> {
    let from_environment = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = from_environment("BENI_DOWNLOADS")
        .or_else(|| from_environment("XDG_CACHE_HOME").map(|cache| cache.join("beni")))
        .or_else(|| from_environment("HOME").map(|home| home.join(".cache/beni")))
        .unwrap_or_else(|| workspace::target().join("downloads"));
    match fs::create_dir_all(&folder) {
        Ok(()) => Ok(folder),
        // Read-only home folders are common in containers.
        Err(_) => {
            let folder = workspace::target().join("downloads");
            fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
            Ok(folder)
        }
    }
}

/// All URLs at which the mirrors known to apt may have the file.
fn addresses(pin: &Pin) -> Vec<String> {
    let mut command = Command::new("apt-get");
    command.args(["indextargets", "--format", "$(REPO_URI)"]).stdin(Stdio::null()).stderr(Stdio::null());
    let Ok(output) = command.output() else { return Vec::new() };
    let mut mirrors: Vec<String> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| line.trim_end_matches('/').to_string())
        .filter(|line| !line.is_empty() && !line.contains("security"))
        .collect();
    mirrors.sort();
    mirrors.dedup();
    // Ubuntu keeps in `universe` what Debian has in `main`.
    let places = mirrors.iter().flat_map(|mirror| ["main", "universe"].map(|component| (mirror, component)));
    places.map(|(mirror, component)| format!("{mirror}/pool/{component}/{}", pin.path)).collect()
}

fn apt_helper(address: &str, to: &Path) -> Result<(), String> {
    let mut command = Command::new("/usr/lib/apt/apt-helper");
    command.arg("download-file").arg(address).arg(to).stdin(Stdio::null());
    let output = command.output().map_err(|error| workspace::could_not_start(&command, &error))?;
    if output.status.success() && to.is_file() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let reason = text.lines().find(|line| line.starts_with("E: ")).unwrap_or("E: no reason given");
    Err(reason.trim_start_matches("E: ").to_string())
}

fn sha256(path: &Path) -> Result<String, String> {
    let failed = |error: io::Error| format!("cannot read {}: {error}", path.display());
    let mut hasher = Sha256::new();
    let mut file = File::open(path).map_err(failed)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = file.read(&mut buffer).map_err(failed)?;
        if count == 0 {
            break;
        }
        hasher.update(&buffer[..count]);
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Unpacks the files of a `.tar.xz` that `choose` selects: it receives a path without the archive's topmost folder and
/// returns the path below `to`. Existing files are replaced.
pub fn unpack_tar_xz(archive: &Path, to: &Path, choose: impl Fn(&Path) -> Option<PathBuf>) -> Result<usize, String> {
    let failed = |error: io::Error| format!("cannot unpack {}: {error}", archive.display());
    let file = BufReader::new(File::open(archive).map_err(failed)?);
    let mut tar = tar::Archive::new(lzma_rust2::XzReader::new(file, true));
    let mut count = 0;
    for entry in tar.entries().map_err(failed)? {
        let mut entry = entry.map_err(failed)?;
        let path = entry.path().map_err(failed)?.into_owned();
        let inside: PathBuf = path.components().skip(1).collect();
        let Some(target) = choose(&inside) else { continue };
        if entry.header().entry_type().is_dir() {
            continue;
        }
        let target = to.join(target);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        entry.unpack(&target).map_err(failed)?;
        count += 1;
    }
    Ok(count)
}

/// A file of an npm package, by its path without the topmost folder.
pub fn file_of_npm_package(package: &Path, path: &str) -> Result<Vec<u8>, String> {
    let failed = |error: io::Error| format!("cannot unpack {}: {error}", package.display());
    let file = BufReader::new(File::open(package).map_err(failed)?);
    let mut tar = tar::Archive::new(flate2::read::GzDecoder::new(file));
    for entry in tar.entries().map_err(failed)? {
        let mut entry = entry.map_err(failed)?;
        if entry.path().map_err(failed)?.components().skip(1).eq(Path::new(path).components()) {
            let mut contents = Vec::new();
            entry.read_to_end(&mut contents).map_err(failed)?;
            return Ok(contents);
        }
    }
    Err(format!("{} has no file {path}", package.display()))
}

/// Unpacks the files of a Debian package below `to`, as below a system's root.
pub fn unpack_deb(package: &Path, to: &Path) -> Result<(), String> {
    let failed = |what: String| format!("cannot unpack {}: {what}", package.display());
    let bytes = fs::read(package).map_err(|error| failed(error.to_string()))?;
    let data = member_of_ar(&bytes, "data.tar.xz").ok_or_else(|| failed("it holds no data.tar.xz".to_string()))?;
    let mut tar = tar::Archive::new(lzma_rust2::XzReader::new(data, true));
    tar.unpack(to).map_err(|error| failed(error.to_string()))
}

/// A member of an `ar` archive, which has eight bytes, then members with headers of sixty bytes, at even offsets.
fn member_of_ar<'a>(archive: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let mut rest = archive.strip_prefix(b"!<arch>\n")?;
    while let Some((header, after)) = rest.split_at_checked(60) {
        let text = std::str::from_utf8(header).ok()?;
        let size: usize = text.get(48..58)?.trim().parse().ok()?;
        let (contents, after) = after.split_at_checked(size)?;
        if text.get(..16)?.trim_end().trim_end_matches('/') == name {
            return Some(contents);
        }
        rest = after.get(size % 2..).unwrap_or_default();
    }
    None
}

/// Whether [`folder_once`] created the folder with this mark.
pub fn is_made_from(folder: &Path, mark: &str) -> bool {
    fs::read_to_string(folder.join(MARK)).is_ok_and(|found| found == mark)
}

const MARK: &str = ".made-from";

/// Creates a folder once: `fill` fills a temporary folder, which is then renamed, so that an aborted run leaves no
/// partial folder. `mark` identifies the contents; another mark recreates the folder.
pub fn folder_once(folder: &Path, mark: &str, fill: impl FnOnce(&Path) -> Result<(), String>) -> Result<(), String> {
    if is_made_from(folder, mark) {
        return Ok(());
    }
    let failed = |error: io::Error| format!("cannot make {}: {error}", workspace::shown(folder));
    let mut partial = folder.as_os_str().to_owned();
    partial.push(format!(".{}.partial", std::process::id()));
    let partial = PathBuf::from(partial);
    let _ = fs::remove_dir_all(&partial);
    fs::create_dir_all(&partial).map_err(failed)?;
    fill(&partial)?;
    fs::write(partial.join(MARK), mark).map_err(failed)?;
    let _ = fs::remove_dir_all(folder);
    fs::rename(&partial, folder).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_of_npm_has_the_file_name_that_npm_gives_it() {
        let pin = |path: &str| Pin { purpose: String::new(), path: path.to_string(), sha256: String::new() };
        assert_eq!(pin("npm:@ruby/4.0-wasm-wasi@2.10.1").file_name(), "ruby-4.0-wasm-wasi-2.10.1.tgz");
        assert_eq!(pin("npm:yallist@5.0.0").stem(), "yallist-5.0.0");
        assert_eq!(pin("r/ruby3.4/ruby3.4_3.4.5.orig.tar.xz").stem(), "ruby3.4_3.4.5");
        assert_eq!(pin("r/ruby3.4/ruby3.4_3.4.5.orig.tar.xz").of_npm(), None);
    }

    #[test]
    fn members_of_an_archive_start_at_even_offsets() {
        let header = |name: &str, size: usize| format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 0, 644);
        let archive = format!("!<arch>\n{}abc\n{}de", header("first", 3), header("data.tar.xz/", 2));
        assert_eq!(member_of_ar(archive.as_bytes(), "data.tar.xz"), Some(&b"de"[..]));
        assert_eq!(member_of_ar(archive.as_bytes(), "none"), None);
        assert_eq!(member_of_ar(b"!<arch>\nbroken", "first"), None);
    }
}
