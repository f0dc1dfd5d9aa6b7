//! How extensions in C are compiled: the compiler, its flags, and where the headers are.

use std::path::{Path, PathBuf};

/// The folder with `include` and the linker script for the interface's functions: beside the standard library of an
/// installation, or beside the command in a build directory.
fn interface() -> Option<PathBuf> {
    let executable = std::env::current_exe().ok()?;
    let folder = executable.parent()?;
    let library = core_classes::features::standard_library().map(|library| library.join("capi"));
    let installed = folder.join("../lib/beni/capi");
    let found = [folder.join("capi"), installed].into_iter().chain(library).find(|path| path.join("include").is_dir());
    found?.canonicalize().ok()
}

/// The entries of RbConfig for mkmf.
pub fn rows(prefix: &str) -> Vec<(&'static str, String)> {
    let interface = interface().unwrap_or_else(|| Path::new(prefix).join("lib/beni/capi"));
    let headers = interface.join("include").to_string_lossy().into_owned();
    let arch = core_classes::features::platform();
    let symbols = interface.join("symbols.ld").to_string_lossy().into_owned();
    let warnings = "-Wall -Wno-unused-parameter";
    // Crash reports follow frame pointers.
    let flags = format!("-O3 -fno-fast-math -g -fno-omit-frame-pointer {warnings} -fPIC");
    let texts = [
        ("CC", "cc"),
        ("CXX", "c++"),
        ("CPP", "cc -E"),
        ("LD", "ld"),
        ("AS", "as"),
        ("NM", "nm"),
        ("RANLIB", "ranlib"),
        ("OBJDUMP", "objdump"),
        ("OBJCOPY", "objcopy"),
        ("GCC", "yes"),
        ("CPPFLAGS", ""),
        ("DEFS", ""),
        ("CCDLFLAGS", "-fPIC"),
        ("LDFLAGS", "-L."),
        ("DLDFLAGS", ""),
        ("EXTDLDFLAGS", ""),
        ("LDSHARED", "cc -shared"),
        ("LDSHAREDXX", "c++ -shared"),
        ("ARCH_FLAG", ""),
        ("OUTFLAG", "-o "),
        ("COUTFLAG", "-o "),
        ("CSRCFLAG", ""),
        ("CPPOUTFILE", "-o conftest.i"),
        ("ARFLAGS", "rcD "),
        ("LIBS", "-lm -lpthread"),
        ("DLDLIBS", "-lc"),
        ("MAINLIBS", ""),
        ("SOLIBS", ""),
        ("EXTLIBS", ""),
        ("LIBRUBYARG_STATIC", ""),
        ("LIBRUBYARG_SHARED", ""),
        ("LIBRUBY_A", ""),
        ("LIBPATHFLAG", " -L%1$-s"),
        ("RPATHFLAG", ""),
        ("LIBARG", "-l%s"),
        ("LIBPATHENV", "LD_LIBRARY_PATH"),
        ("libdirname", "libdir"),
        ("optflags", "-O3 -fno-fast-math"),
        ("debugflags", "-g"),
        ("cppflags", ""),
        ("ldflags", "-L."),
        ("dldflags", ""),
        ("ASMEXT", "S"),
        ("EXTOUT", ".ext"),
        ("RM", "rm -f"),
        ("RMDIR", "rmdir --ignore-fail-on-non-empty"),
        ("RMDIRS", "rmdir --ignore-fail-on-non-empty -p"),
        ("RMALL", "rm -fr"),
        ("CP", "cp"),
        ("MAKEDIRS", "mkdir -p"),
        ("MKDIR_P", "mkdir -p"),
        ("INSTALL", "install -c"),
        ("INSTALL_PROGRAM", "install -c -m 0755"),
        ("INSTALL_SCRIPT", "install -c -m 755"),
        ("INSTALL_DATA", "install -c -m 644"),
        ("NULLCMD", ":"),
        ("PKG_CONFIG", "pkg-config"),
        ("CROSS_COMPILING", "no"),
    ];
    let mut rows: Vec<(&'static str, String)> = texts.iter().map(|(name, text)| (*name, text.to_string())).collect();
    rows.extend([
        ("CFLAGS", flags.clone()),
        ("CXXFLAGS", flags.clone()),
        ("cflags", flags.clone()),
        ("cxxflags", flags),
        ("warnflags", warnings.into()),
        // A test that links a program resolves the interface's functions from the running command.
        ("LIBRUBYARG", symbols),
        ("rubyhdrdir", headers.clone()),
        ("rubyarchhdrdir", headers.clone()),
        ("archincludedir", headers.clone()),
        ("sitehdrdir", format!("{headers}/site_ruby")),
        ("sitearchhdrdir", format!("{headers}/site_ruby/{arch}")),
        ("vendorhdrdir", format!("{headers}/vendor_ruby")),
        ("vendorarchhdrdir", format!("{headers}/vendor_ruby/{arch}")),
    ]);
    rows
}
