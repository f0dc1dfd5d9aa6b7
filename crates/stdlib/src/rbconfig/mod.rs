//! RbConfig: the configuration of the running Ruby, and its paths. Child: `building` (of extensions in C).

mod building;

use object::{Known, class::constants, string::Str, symbol::table::intern_text};
use runtime::{Args, Cx, Method, R, Value, call, define, internal, keys, library, make};

const SINGLETON: &[Method] = &[Method::new("ruby", ruby)];

/// Folders as makefiles have them, whose variables a program may set. `RbConfig.expand` gives the paths of CONFIG.
const IN_MAKEFILES: [(&str, &str); 12] = [
    ("rubyarchdir", "$(rubylibprefix)/$(ruby_version)/$(arch)"),
    ("archdir", "$(rubyarchdir)"),
    ("sitedir", "$(rubylibprefix)/site_ruby"),
    ("sitelibdir", "$(sitedir)/$(ruby_version)"),
    ("sitearchdir", "$(sitelibdir)/$(sitearch)"),
    ("vendordir", "$(rubylibprefix)/vendor_ruby"),
    ("vendorlibdir", "$(vendordir)/$(ruby_version)"),
    ("vendorarchdir", "$(vendorlibdir)/$(sitearch)"),
    ("sitehdrdir", "$(rubyhdrdir)/site_ruby"),
    ("sitearchhdrdir", "$(sitehdrdir)/$(sitearch)"),
    ("vendorhdrdir", "$(rubyhdrdir)/vendor_ruby"),
    ("vendorarchhdrdir", "$(vendorhdrdir)/$(sitearch)"),
];

pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let module = library::module(cx, object, "RbConfig")?;
    define::define_singleton_methods(cx, module, SINGLETON);
    let config = object::hash::HashRef::new(cx).value();
    let version = version(cx);
    for (name, text) in rows(&version) {
        let name = make::interned(cx, name);
        let text = make::text(cx, &text);
        keys::store(cx, config, name, text)?;
    }
    let name = intern_text(cx, "CONFIG");
    define::set_constant(cx, module, name, config);
    let makefile_config = keys::dup(cx, config);
    for (name, text) in IN_MAKEFILES {
        let (name, text) = (make::interned(cx, name), make::text(cx, text));
        keys::store(cx, makefile_config, name, text)?;
    }
    let name = intern_text(cx, "MAKEFILE_CONFIG");
    define::set_constant(cx, module, name, makefile_config);
    // Missing before installation, when the library is not at the path in CONFIG.
    let installed = std::path::Path::new(&folder(2)).join("lib/beni/ruby").is_dir();
    let prefix = if installed { make::text(cx, &folder(2)) } else { Value::NIL };
    let name = intern_text(cx, "TOPDIR");
    define::set_constant(cx, module, name, prefix);
    let name = intern_text(cx, "CROSS_COMPILING");
    if constants::own(object, name).is_none() {
        define::set_constant(cx, object, name, Value::NIL);
    }
    internal::load(cx, runtime::ruby_half!("rbconfig/rbconfig"))?;
    let freeze = intern_text(cx, "freeze");
    call::send(cx, prefix, freeze, &[])?;
    Ok(())
}

/// The path of the running executable.
fn executable() -> String {
    std::env::current_exe().map_or_else(|_| "beni".into(), |path| path.to_string_lossy().into_owned())
}

/// The executable's path without its last `levels` components.
fn folder(levels: usize) -> String {
    let path = executable();
    std::path::Path::new(&path).ancestors().nth(levels).map_or_else(|| "/".into(), |p| p.to_string_lossy().into_owned())
}

/// RUBY_VERSION.
fn version(cx: &mut Cx) -> String {
    let name = intern_text(cx, "RUBY_VERSION");
    let constant = constants::own(cx.class(Known::Object), name);
    let text = constant.and_then(|c| Str::from_value(c.value));
    text.map_or_else(String::new, |s| s.to_text())
}

fn rows(version: &str) -> Vec<(&'static str, String)> {
    let library_folder = core_classes::features::standard_library();
    let library_folder = library_folder.map(|folder| folder.join("ruby").to_string_lossy().into_owned());
    let (bin, prefix) = (folder(1), folder(2));
    let executable = executable();
    let name = executable.rsplit('/').next().unwrap_or("beni").to_string();
    let (cpu, os) = (std::env::consts::ARCH, std::env::consts::OS);
    let library = format!("{prefix}/lib/ruby");
    let mut parts = version.split('.').map(String::from);
    let mut part = || parts.next().unwrap_or_default();
    let mut rows = vec![
        ("MAJOR", part()),
        ("MINOR", part()),
        ("TEENY", part()),
        ("PATCHLEVEL", "0".into()),
        ("ruby_version", version.into()),
        ("RUBY_PROGRAM_VERSION", version.into()),
        ("RUBY_API_VERSION", version.rsplit_once('.').map_or(version, |(api, _)| api).into()),
        ("ruby_install_name", name.clone()),
        ("RUBY_INSTALL_NAME", name),
        ("RUBY_BASE_NAME", "ruby".into()),
        ("RUBYW_INSTALL_NAME", String::new()),
        ("RUBY_SO_NAME", "beni".into()),
        ("prefix", prefix.clone()),
        ("exec_prefix", prefix.clone()),
        ("bindir", bin.clone()),
        ("sbindir", format!("{prefix}/sbin")),
        ("libdir", format!("{prefix}/lib")),
        ("libexecdir", format!("{prefix}/libexec")),
        ("datadir", format!("{prefix}/share")),
        ("datarootdir", format!("{prefix}/share")),
        ("mandir", format!("{prefix}/share/man")),
        ("ridir", format!("{prefix}/share/ri")),
        ("docdir", format!("{prefix}/share/doc/beni")),
        ("infodir", format!("{prefix}/share/info")),
        ("localedir", format!("{prefix}/share/locale")),
        ("runstatedir", "/var/run".into()),
        ("sysconfdir", "/etc".into()),
        ("localstatedir", "/var".into()),
        ("includedir", format!("{prefix}/include")),
        ("rubylibprefix", library.clone()),
        ("rubylibdir", library_folder.unwrap_or_else(|| format!("{library}/{version}"))),
        ("rubyarchdir", format!("{library}/{version}/{cpu}-{os}")),
        ("archdir", format!("{library}/{version}/{cpu}-{os}")),
        ("sitedir", format!("{library}/site_ruby")),
        ("sitelibdir", format!("{library}/site_ruby/{version}")),
        ("sitearchdir", format!("{library}/site_ruby/{version}/{cpu}-{os}")),
        ("vendordir", format!("{library}/vendor_ruby")),
        ("vendorlibdir", format!("{library}/vendor_ruby/{version}")),
        ("vendorarchdir", format!("{library}/vendor_ruby/{version}/{cpu}-{os}")),
        ("topdir", format!("{library}/{version}/{cpu}-{os}")),
        ("arch", format!("{cpu}-{os}")),
        ("sitearch", format!("{cpu}-{os}")),
        ("host", format!("{cpu}-pc-{os}-gnu")),
        ("build", format!("{cpu}-pc-{os}-gnu")),
        ("target", format!("{cpu}-pc-{os}-gnu")),
        ("host_os", if os == "linux" { "linux-gnu".into() } else { os.into() }),
        ("build_os", os.into()),
        ("target_os", os.into()),
        ("host_cpu", cpu.into()),
        ("build_cpu", cpu.into()),
        ("target_cpu", cpu.into()),
        ("host_alias", String::new()),
        ("EXEEXT", String::new()),
        ("EXECUTABLE_EXTS", String::new()),
        ("OBJEXT", "o".into()),
        ("DLEXT", "so".into()),
        ("SOEXT", "so".into()),
        ("LIBEXT", "a".into()),
        ("LIBRUBY", String::new()),
        ("ENABLE_SHARED", "no".into()),
        ("PATH_SEPARATOR", ":".into()),
        ("SHELL", "/bin/sh".into()),
        ("AR", "ar".into()),
        ("STRIP", "strip".into()),
        ("UNICODE_VERSION", core_classes::encoding::UNICODE_VERSION.into()),
        ("UNICODE_EMOJI_VERSION", "17.0".into()),
        ("configure_args", String::new()),
        ("modular_gc_dir", String::new()),
        ("srcdir", String::new()),
    ];
    rows.extend(building::rows(&prefix));
    rows
}

/// `rbconfig/sizeof`: its constants are always defined.
pub fn define_sizeof(cx: &mut Cx) -> R<()> {
    crate::require(cx, "rbconfig")
}

/// `RbConfig.ruby → string`: the path of the running executable.
fn ruby(cx: &mut Cx, _: Args) -> R {
    let path = executable();
    Ok::<Value, _>(make::text(cx, &path))
}
