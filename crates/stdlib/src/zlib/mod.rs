//! Zlib, on zlib-rs. Children: `stream` (Deflate and Inflate), `whole` (short texts at once), `checksum` (CRC-32,
//! Adler-32); gzip files are in Ruby.

mod checksum;
mod stream;
mod whole;

use object::{Known, symbol::table::intern_text};
use runtime::{Cx, R, Value, define, internal, library, make, ruby_half};

/// Constants that are numbers.
const NUMBERS: &[(&str, i64)] = &[
    ("NO_FLUSH", 0),
    ("SYNC_FLUSH", 2),
    ("FULL_FLUSH", 3),
    ("FINISH", 4),
    ("NO_COMPRESSION", 0),
    ("BEST_SPEED", 1),
    ("BEST_COMPRESSION", 9),
    ("DEFAULT_COMPRESSION", -1),
    ("DEFAULT_STRATEGY", 0),
    ("FILTERED", 1),
    ("HUFFMAN_ONLY", 2),
    ("RLE", 3),
    ("FIXED", 4),
    ("BINARY", 0),
    ("ASCII", 1),
    ("TEXT", 1),
    ("UNKNOWN", 2),
    ("MAX_WBITS", 15),
    ("DEF_MEM_LEVEL", 8),
    ("MAX_MEM_LEVEL", 9),
    ("OS_MSDOS", 0),
    ("OS_AMIGA", 1),
    ("OS_VMS", 2),
    ("OS_UNIX", 3),
    ("OS_VMCMS", 4),
    ("OS_ATARI", 5),
    ("OS_OS2", 6),
    ("OS_MACOS", 7),
    ("OS_ZSYSTEM", 8),
    ("OS_CPM", 9),
    ("OS_TOPS20", 10),
    ("OS_WIN32", 11),
    ("OS_QDOS", 12),
    ("OS_RISCOS", 13),
    ("OS_UNKNOWN", 255),
    ("OS_CODE", 3),
];

pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let module = library::module(cx, object, "Zlib")?;
    for (name, number) in NUMBERS {
        let name = intern_text(cx, name);
        define::set_constant(cx, module, name, Value::fixnum(*number));
    }
    for (name, text) in [("VERSION", "3.2.1"), ("ZLIB_VERSION", "1.3.1")] {
        let (name, text) = (intern_text(cx, name), make::interned(cx, text));
        define::set_constant(cx, module, name, text);
    }
    define::define_module_functions(cx, module, checksum::METHODS);
    define::define_singleton_methods(cx, module, whole::METHODS);
    let base = library::class(cx, module, "ZStream", object)?;
    define::define_singleton_methods(cx, base, stream::SINGLETON);
    define::define_methods(cx, base, stream::METHODS);
    let deflate = library::class(cx, module, "Deflate", base)?;
    define::define_methods(cx, deflate, stream::DEFLATE);
    define::define_singleton_methods(cx, deflate, stream::DEFLATE_SINGLETON);
    define::define_singleton_methods(cx, deflate, whole::DEFLATE);
    let inflate = library::class(cx, module, "Inflate", base)?;
    define::define_methods(cx, inflate, stream::INFLATE);
    define::define_singleton_methods(cx, inflate, stream::INFLATE_SINGLETON);
    define::define_singleton_methods(cx, inflate, whole::INFLATE);
    internal::load(cx, ruby_half!("zlib/zlib"))?;
    define::share_module_functions(cx, module, &["zlib_version"]);
    internal::load(cx, ruby_half!("zlib/gzip"))?;
    internal::load(cx, ruby_half!("zlib/reader"))
}
