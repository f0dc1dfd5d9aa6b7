//! `install` and `dist`: the binary and the standard library in the layout in which `beni` finds its library.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::{Outcome, build, stdlib, workspace};

/// The commands that can be installed besides `beni`, with the programs that they run. `ruby` is `beni` itself.
const COMMANDS: &[&str] = &["ruby", "irb", "gem", "bundle", "bundler", "rake", "erb", "racc", "rdoc", "ri"];

pub fn install(arguments: &[String]) -> Outcome {
    let mut arguments = arguments.to_vec();
    let prefix = workspace::take_option(&mut arguments, "--prefix")?.ok_or("where? install --prefix DIR")?;
    let with = workspace::take_option(&mut arguments, "--with")?.unwrap_or_default();
    workspace::expect_none(&arguments)?;
    let commands: Vec<&str> = with.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    if let Some(unknown) = commands.iter().find(|name| !COMMANDS.contains(name)) {
        return Err(format!("--with {unknown}: known are {}", COMMANDS.join(", ")));
    }
    let prefix = std::path::absolute(&prefix).map_err(|error| format!("{prefix}: {error}"))?;
    lay_out(&prefix, &commands)?;
    println!("{}", prefix.join("bin/beni").display());
    Ok(true)
}

pub fn dist(arguments: &[String]) -> Outcome {
    workspace::expect_none(arguments)?;
    let name = format!("beni-{}-{}-{}", version(), std::env::consts::ARCH, std::env::consts::OS);
    let folder = workspace::target().join("dist");
    let tree = folder.join(&name);
    let _ = fs::remove_dir_all(&tree);
    lay_out(&tree, &[])?;
    for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&workspace::root().join(file), &tree.join(file))?;
    }
    let archive = folder.join(format!("{name}.tar.gz"));
    pack(&tree, &name, &archive)?;
    println!("{}", workspace::shown(&archive));
    Ok(true)
}

fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// `bin/beni`, `lib/beni/` and the other commands below a folder.
fn lay_out(prefix: &Path, commands: &[&str]) -> Result<(), String> {
    let library = stdlib::ensure()?;
    let binary = build::beni("release")?;
    let bin = prefix.join("bin");
    make_folder(&bin)?;
    // A new file is renamed over the old one: a running `beni` keeps its own.
    let fresh = bin.join(".beni.new");
    copy(&binary, &fresh)?;
    fs::rename(&fresh, bin.join("beni")).map_err(|error| format!("cannot install beni: {error}"))?;
    let target = prefix.join("lib/beni");
    let _ = fs::remove_dir_all(&target);
    copy_folder(&library, &target)?;
    // Headers for extensions in C.
    copy_folder(&binary.with_file_name("capi"), &target.join("capi"))?;
    commands.iter().try_for_each(|name| add_command(&bin, &library, name))
}

/// `ruby` is a link to `beni`; another command is a script that runs the library's or a bundled gem's executable.
fn add_command(bin: &Path, library: &Path, name: &str) -> Result<(), String> {
    let path = bin.join(name);
    let _ = fs::remove_file(&path);
    let failed = |error: std::io::Error| format!("cannot install {name}: {error}");
    if name == "ruby" {
        return symlink("beni", &path).map_err(failed);
    }
    let program = match name {
        "erb" | "irb" | "rdoc" | "ri" | "gem" | "bundle" | "bundler" => library.join("bin").join(name),
        _ => bundled_executable(library, name)?,
    };
    if !program.is_file() {
        return Err(format!("the standard library has no program {name}"));
    }
    let inside = program.strip_prefix(library).map_err(|error| error.to_string())?;
    // `$0` may be a symbolic link elsewhere on the path.
    let script = format!(
        "#!/bin/sh\nhere=$(dirname \"$(readlink -f \"$0\")\")\nexec \"$here/beni\" \"$here/../lib/beni/{}\" \"$@\"\n",
        inside.display()
    );
    fs::write(&path, script).map_err(failed)?;
    let mut permissions = fs::metadata(&path).map_err(failed)?.permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    fs::set_permissions(&path, permissions).map_err(failed)
}

fn bundled_executable(library: &Path, name: &str) -> Result<PathBuf, String> {
    let gem = stdlib::bundled_gem_in(library, name)?;
    let candidates = ["exe", "bin"].map(|folder| gem.join(folder).join(name));
    let found = candidates.into_iter().find(|path| path.is_file());
    found.ok_or_else(|| format!("the bundled gem {name} has no executable of that name"))
}

fn make_folder(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(drop).map_err(|error| format!("cannot copy {} to {}: {error}", from.display(), to.display()))
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    make_folder(to)?;
    let entries = fs::read_dir(from).map_err(|error| format!("cannot read {}: {error}", from.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| format!("cannot read {}: {error}", from.display()))?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_folder(&path, &target)?;
        } else {
            copy(&path, &target)?;
        }
    }
    Ok(())
}

fn pack(tree: &Path, name: &str, archive: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", archive.display());
    let file = fs::File::create(archive).map_err(failed)?;
    let mut tar = tar::Builder::new(flate2::write::GzEncoder::new(file, flate2::Compression::default()));
    tar.follow_symlinks(false);
    tar.append_dir_all(name, tree).map_err(failed)?;
    tar.into_inner().and_then(flate2::write::GzEncoder::finish).map(drop).map_err(failed)
}
