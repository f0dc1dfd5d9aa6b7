//! The native half of the library `prism`: it parses and lexes sources, and returns the results as objects of the
//! library's Ruby half. Children: `options` (keywords), `result` (the results of parsing), `layout` (how nodes of this
//! prism map to the library's), `tree` (nodes), `query` (kinds of names).
//!
//! The library's classes belong to another version of prism than the parser. The fields of a node are matched by name.

mod layout;
mod options;
mod query;
mod result;
mod tree;

use object::{Known, string::Str, symbol::table::intern_text};
use runtime::{Args, Cx, Method, R, Value, define, error::ErrorClass, internal, library, make};
use syntax::Options;

const SINGLETON: &[Method] = &[
    // Each takes a source or the path of a file, and prism's keywords; ArgumentError for unknown keywords,
    // SystemCallError for a file that cannot be read. Syntax errors do not raise: the result lists them. Ruby: the
    // documentation of the gem `prism`.
    Method::new("parse(source, **options)", |cx, args| with_source(cx, args, result::parse)),
    Method::new("parse_file(path, **options)", |cx, args| with_file(cx, args, result::parse)),
    Method::new("lex(source, **options)", |cx, args| with_source(cx, args, result::lex)),
    Method::new("lex_file(path, **options)", |cx, args| with_file(cx, args, result::lex)),
    Method::new("parse_lex(source, **options)", |cx, args| with_source(cx, args, result::parse_lex)),
    Method::new("parse_lex_file(path, **options)", |cx, args| with_file(cx, args, result::parse_lex)),
    Method::new("parse_comments(source, **options)", |cx, args| with_source(cx, args, result::comments)),
    Method::new("parse_file_comments(path, **options)", |cx, args| with_file(cx, args, result::comments)),
    Method::new("parse_success?(source, **options)", |cx, args| with_source(cx, args, is_valid)),
    Method::new("parse_failure?(source, **options)", |cx, args| with_source(cx, args, is_invalid)),
    Method::new("parse_file_success?(path, **options)", |cx, args| with_file(cx, args, is_valid)),
    Method::new("parse_file_failure?(path, **options)", |cx, args| with_file(cx, args, is_invalid)),
    Method::new("profile(source, **options)", |cx, args| with_source(cx, args, profile)),
    Method::new("profile_file(path, **options)", |cx, args| with_file(cx, args, profile)),
];

/// `prism/ffi`: the library requires it on implementations other than CRuby.
pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let prism = library::module(cx, object, "Prism")?;
    cx.set_root(runtime::Root::Prism, prism);
    let layouts = make::array(cx, &[]);
    cx.set_root(layout::LAYOUTS, layouts);
    define::define_singleton_methods(cx, prism, SINGLETON);
    let query = library::class(cx, prism, "StringQuery", object)?;
    define::define_singleton_methods(cx, query, query::SINGLETON);
    internal::load(cx, runtime::ruby_half!("prism/dump"))?;
    internal::load(cx, runtime::ruby_half!("prism/prism"))
}

type Handler = fn(&mut Cx, &[u8], &Options) -> R;

fn with_source(cx: &mut Cx, args: Args, handle: Handler) -> R {
    let options = options::read(cx, args.keywords())?;
    let source = options::string(cx, args.at(0))?.to_vector();
    handle(cx, &source, &options)
}

fn with_file(cx: &mut Cx, args: Args, handle: Handler) -> R {
    let path = options::string(cx, args.at(0))?.to_vector();
    let mut options = options::read(cx, args.keywords())?;
    let shown = memory::lossy_text(&path);
    let file = std::path::Path::new(std::ffi::OsStr::new(&shown));
    let source = match std::fs::read(file) {
        Ok(source) => source,
        Err(error) => {
            let errno = host::Errno(error.raw_os_error().unwrap_or_default());
            return Err(cx.system_error(errno, &shown));
        }
    };
    options.filepath = path;
    handle(cx, &source, &options)
}

fn is_valid(_: &mut Cx, source: &[u8], options: &Options) -> R {
    Ok(Value::bool(syntax::is_valid(source, options)))
}

fn is_invalid(_: &mut Cx, source: &[u8], options: &Options) -> R {
    Ok(Value::bool(!syntax::is_valid(source, options)))
}

/// Parses and discards the result.
fn profile(_: &mut Cx, source: &[u8], options: &Options) -> R {
    syntax::is_valid(source, options);
    Ok(Value::NIL)
}

/// The serialized form is unreadable, which only happens if the versions of prism and the reader differ.
pub fn malformed(cx: &mut Cx) -> runtime::Unwind {
    cx.raise(ErrorClass::RuntimeError, "Invalid serialization")
}

/// A class of the library.
fn class(cx: &mut Cx, name: &str) -> R {
    let prism = cx.root(runtime::Root::Prism);
    let name = intern_text(cx, name);
    runtime::constants::lookup_from(cx, prism, name)
}

fn symbol(cx: &mut Cx, name: &str) -> Value {
    intern_text(cx, name).value()
}

fn encoding_of(string: Value) -> text::encoding::EncodingId {
    Str::of(string).encoding()
}
