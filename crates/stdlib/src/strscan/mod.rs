//! StringScanner. Children: `scanner` (its state), `matching` (`scan` and the related methods), `position`, `results`
//! (the last match).

mod matching;
mod position;
mod results;
mod scanner;

use object::{Known, symbol::table::intern_text};
use runtime::{Cx, Method, R, define, error::ErrorClass, library, make};

const METHODS: &[Method] = &[
    Method::new("initialize(string, dup = false, fixed_anchor: false)", scanner::initialize).private(),
    Method::new("initialize_copy(other)", scanner::initialize_copy).private(),
    Method::new("string", scanner::string).leaf().frameless(0),
    Method::new("string=(string)", scanner::set_string),
    Method::new("concat(string)", scanner::concat).borrows(0),
    Method::new("fixed_anchor?", scanner::is_fixed_anchor).leaf().frameless(0),
    Method::new("inspect", scanner::inspect),
    Method::new("scan(pattern)", matching::scan).borrows(0),
    Method::new("skip(pattern)", matching::skip).borrows(0),
    Method::new("match?(pattern)", matching::match_p).borrows(0),
    Method::new("check(pattern)", matching::check).borrows(0),
    Method::new("scan_full(pattern, advance, string)", matching::scan_full).borrows(0),
    Method::new("scan_until(pattern)", matching::scan_until).borrows(0),
    Method::new("skip_until(pattern)", matching::skip_until).borrows(0),
    Method::new("exist?(pattern)", matching::exist).borrows(0),
    Method::new("check_until(pattern)", matching::check_until).borrows(0),
    Method::new("search_full(pattern, advance, string)", matching::search_full).borrows(0),
    Method::new("getch", matching::getch).leaf().frameless(0),
    Method::new("get_byte", matching::get_byte).leaf().frameless(0),
    Method::new("scan_byte", matching::scan_byte).leaf().frameless(0),
    Method::new("peek_byte", matching::peek_byte).leaf().frameless(0),
    Method::new("peek(length)", matching::peek).frameless_with_numbers(),
    Method::new("scan_integer(base: 10)", matching::scan_integer),
    Method::new("reset", position::reset).leaf().frameless(0),
    Method::new("terminate", position::terminate).leaf().frameless(0),
    Method::new("unscan", position::unscan),
    Method::new("pos", position::pos).leaf().frameless(0),
    Method::new("pos=(position)", position::set_pos).frameless_with_numbers(),
    Method::new("charpos", position::charpos).leaf().frameless(0),
    Method::new("beginning_of_line?", position::is_line_start).leaf().frameless(0),
    Method::new("eos?", position::is_end).leaf().frameless(0),
    Method::new("rest?", position::has_rest).leaf().frameless(0),
    Method::new("rest", position::rest).leaf().frameless(0),
    Method::new("rest_size", position::rest_size).leaf().frameless(0),
    Method::new("matched?", results::is_matched).leaf().frameless(0),
    Method::new("matched", results::matched).leaf().frameless(0),
    Method::new("matched_size", results::matched_size).leaf().frameless(0),
    Method::new("[](group)", results::group).borrows(0).frameless_with_numbers(),
    Method::new("pre_match", results::pre_match).leaf().frameless(0),
    Method::new("post_match", results::post_match).leaf().frameless(0),
    Method::new("size", results::size).leaf().frameless(0),
    Method::new("captures", results::captures),
    Method::new("values_at(*groups)", results::values_at).borrows_all(),
    Method::new("named_captures", results::named_captures),
];

const SINGLETON: &[Method] =
    &[Method::new("allocate", scanner::allocate), Method::new("must_C_version", scanner::must_c_version)];

pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let class = library::class(cx, object, "StringScanner", object)?;
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    define::synonyms(cx, class, &[("<<", "concat"), ("pointer", "pos"), ("pointer=", "pos=")]);
    define::aliases(cx, class, &[("bol?", "beginning_of_line?")]);
    let error = cx.error_class(ErrorClass::StandardError);
    let error = library::class(cx, class, "Error", error)?;
    cx.set_root(runtime::Root::StringScannerError, error);
    let object = cx.class(Known::Object);
    let former = intern_text(cx, "ScanError");
    define::set_constant(cx, object, former, error);
    for (name, text) in [("Version", "3.1.6"), ("Id", "$Id$")] {
        let (name, text) = (intern_text(cx, name), make::interned(cx, text));
        define::set_constant(cx, class, name, text);
    }
    Ok(())
}
