//! The native parts of the standard library: one folder per library.

#![forbid(unsafe_code)]

#[macro_use]
extern crate memory;

mod bigdecimal;
mod date;
mod digest;
mod escape;
mod etc;
mod gc_tracer;
mod io_console;
mod io_modes;
mod json;
mod monitor;
mod objspace;
mod openssl;
mod pathname;
mod prism;
mod psych;
mod pty;
mod racc;
mod rbconfig;
mod ripper;
mod rubygems;
mod socket;
mod stringio;
mod strscan;
mod syslog;
mod zlib;

use object::{Known, symbol::table::intern_text};
use runtime::{Args, Cx, Method, R, call, constants, define, error::ErrorClass, library, make, sym, vm::NativeFeature};

/// The features that `require` finds in this crate, and their initializers. A name that ends in `.so` must be required
/// with this suffix, because the library has a file of the same name without it.
pub const FEATURES: &[NativeFeature] = &[
    ("rbconfig", rbconfig::define),
    ("rubygems/defaults/beni", rubygems::define),
    ("rbconfig/sizeof", rbconfig::define_sizeof),
    ("stringio", stringio::define),
    ("strscan", strscan::define),
    ("monitor", monitor::define),
    ("objspace", objspace::define),
    ("gc_tracer", gc_tracer::define),
    ("etc", etc::define),
    ("pathname.so", pathname::define),
    ("json/version", json::define_version),
    ("json/common", json::define_common),
    ("json/add/string", json::define_raw_string),
    ("json/ext", json::define_ext),
    ("json/ext/parser", json::define_parser),
    ("json/ext/generator/state", json::define_state),
    ("json/ext/generator", json::define_generator),
    ("date_core", date::define),
    ("digest.so", digest::define),
    ("digest/md5", digest::define_md5),
    ("digest/sha1", digest::define_sha1),
    ("digest/rmd160", digest::define_rmd160),
    ("digest/sha2.so", digest::define_sha2),
    ("digest/bubblebabble", digest::define_bubblebabble),
    ("fcntl", io_modes::define_fcntl),
    ("io/wait", io_modes::define_wait),
    ("io/nonblock", io_modes::define_nonblock),
    ("bigdecimal.so", bigdecimal::define),
    ("openssl.so", openssl::define),
    ("psych.so", psych::define),
    ("prism/ffi", prism::define),
    ("pty", pty::define),
    ("racc/cparse", racc::define),
    ("ripper.so", ripper::define),
    ("beni/ripper_tree", ripper::define_tree),
    ("zlib", zlib::define),
    ("socket.so", socket::define),
    ("syslog_ext", syslog::define),
    ("continuation", continuation),
    ("io/console", io_console::define),
    ("erb/escape", escape::define_erb),
    ("cgi/escape.so", escape::define_cgi),
    // Converters that CRuby loads when they are needed, and some programs beforehand.
    ("enc/trans/big5", nothing),
    ("enc/trans/chinese", nothing),
    ("enc/trans/ebcdic", nothing),
    ("enc/trans/escape", nothing),
    ("enc/trans/gb18030", nothing),
    ("enc/trans/gbk", nothing),
    ("enc/trans/iso2022", nothing),
    ("enc/trans/japanese", nothing),
    ("enc/trans/japanese_euc", nothing),
    ("enc/trans/japanese_sjis", nothing),
    ("enc/trans/korean", nothing),
    ("enc/trans/single_byte", nothing),
    ("enc/trans/utf8_mac", nothing),
    ("enc/trans/utf_16_32", nothing),
];

/// A library whose features Beni has without it.
fn nothing(_: &mut Cx) -> R<()> {
    Ok(())
}

const KERNEL: &[Method] = &[Method::new("Pathname(path)", to_pathname).module_function()];

/// Defines what programs can use without `require`: Pathname is a core class since Ruby 4.0, and is loaded here on
/// first use.
pub fn define(cx: &mut Cx) -> R<()> {
    let kernel = define::class_or_module_named(cx, "Kernel");
    define::define_methods(cx, kernel, KERNEL);
    let object = cx.class(Known::Object);
    let (name, path) = (intern_text(cx, "Pathname"), make::text(cx, "pathname.so"));
    core_classes::module::constants::set_autoload(cx, object, name.value(), path)?;
    Ok(())
}

/// `Pathname(path) → pathname`: the argument itself if it is a Pathname, otherwise a new one.
fn to_pathname(cx: &mut Cx, args: Args) -> R {
    let object = cx.class(Known::Object);
    let name = intern_text(cx, "Pathname");
    let class = constants::lookup_from(cx, object, name)?;
    if call::case_equal(cx, class, args.at(0))? {
        Ok(args.at(0))
    } else {
        call::send(cx, class, sym::NEW, &[args.at(0)])
    }
}

/// Continuation and callcc are not implemented: they raise NotImplementedError.
fn continuation(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    library::class(cx, object, "Continuation", object)?;
    let kernel = define::class_or_module_named(cx, "Kernel");
    define::define_methods(cx, kernel, CONTINUATION);
    Ok(())
}

const CONTINUATION: &[Method] = &[Method::new("callcc", callcc).module_function()];

/// `callcc`: NotImplementedError: calling continuations again would need copies of the stack, which Beni does not make.
fn callcc(cx: &mut Cx, _: Args) -> R {
    Err(cx.raise(ErrorClass::NotImplementedError, "callcc() function is unimplemented on this machine"))
}

/// `require feature`
fn require(cx: &mut Cx, feature: &str) -> R<()> {
    let feature = make::text(cx, feature);
    let main = cx.vm().main_object;
    call::send(cx, main, sym::REQUIRE, &[feature]).map(drop)
}
