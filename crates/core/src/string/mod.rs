//! String. Children by topic: `create`, `compare`, `index`, `concat`, `search`, `substitute` (sub, gsub), `scanning`
//! (scan, split), `case`, `strip`, `charsets` (tr, count), `iterate`, `number`, `justify`, `inspecting`, `encodings`,
//! `format` (`%`), `packing` (unpack, Array#pack) with `pointers`, `crypt`; `modify` (frozen and chilled Strings,
//! compatible encodings), `span` (positions), `enumerate`.

pub mod case;
mod charsets;
pub mod compare;
mod concat;
mod create;
mod crypt;
pub mod encodings;
pub mod enumerate;
pub mod format;
mod index;
pub mod inspecting;
pub mod iterate;
mod justify;
pub mod modify;
pub mod number;
mod packing;
mod pointers;
mod scanning;
mod search;
pub mod span;
mod strip;
pub mod substitute;

use object::{Known, string::Str};
use runtime::{Args, Cx, Method, R, Value, define, internal, method_table::InLine};

/// `size → integer`: the number of characters; each invalid byte counts as one. It takes a scan unless the string is
/// known to be ASCII.
fn size(_: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(modify::char_count(Str::of(args.me())) as i64))
}

/// `bytesize → integer`: the number of bytes, regardless of the encoding.
fn bytesize(_: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(Str::of(args.me()).len() as i64))
}

/// `empty? → true or false`: whether there are no bytes.
fn is_empty(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(Str::of(args.me()).is_empty()))
}

pub const METHODS: &[Method] = &[
    Method::new("initialize(string = \"\", encoding: nil, capacity: nil)", create::initialize).private().borrows(0),
    Method::new("initialize_copy(other)", create::replace).private().borrows(0),
    Method::new("replace(other)", create::replace).borrows(0),
    Method::new("dup", create::dup),
    Method::new("crypt(salt)", crypt::crypt).borrows_receiver().borrows(0),
    Method::new("to_s", create::to_s).leaf().returns(Known::String).frameless(0).in_line(InLine::Plain),
    Method::new("freeze", create::freeze).leaf().frameless(0),
    Method::new("+@", create::unary_plus).leaf().frameless(0),
    Method::new("-@", create::dedup).leaf().frameless(0),
    Method::new("clear", create::clear),
    Method::new("reverse", create::reverse).leaf().pure().returns(Known::String).borrows_receiver(),
    Method::new("reverse!", create::reverse_bang),
    Method::new("succ", create::succ).leaf().pure().returns(Known::String).borrows_receiver(),
    Method::new("succ!", create::succ_bang),
    Method::new("size", size).leaf().pure().returns(Known::Integer).borrows_receiver(),
    Method::new("bytesize", bytesize)
        .leaf()
        .pure()
        .returns(Known::Integer)
        .borrows_receiver()
        .in_line(InLine::ByteSize),
    Method::new("empty?", is_empty).leaf().pure().borrows_receiver(),
    Method::new("==(other)", compare::equal).borrows(0).borrows_receiver(),
    Method::new("eql?(other)", compare::eql).leaf().borrows(0).borrows_receiver().frameless(1),
    Method::new("hash", compare::hash).leaf().pure().returns(Known::Integer).borrows_receiver(),
    Method::new("<=>(other)", compare::compare).borrows(0).borrows_receiver(),
    Method::new("casecmp(other)", compare::casecmp).borrows(0).borrows_receiver(),
    Method::new("casecmp?(other)", compare::casecmp_p).borrows(0).borrows_receiver(),
    Method::new("include?(other)", compare::include).borrows(0).borrows_receiver(),
    Method::new("+(other)", concat::plus).returns(Known::String).borrows(0).borrows_receiver(),
    Method::new("*(count)", concat::times).returns(Known::String).borrows_receiver().frameless_with_numbers(),
    Method::new("%(arguments)", format::percent).borrows_all().borrows_receiver().returns(Known::String),
    Method::new("<<(object)", concat::append_object).borrows(0),
    Method::new("concat(*objects)", concat::concat).borrows_all(),
    Method::new("append_as_bytes(*objects)", concat::append_as_bytes).borrows_all(),
    Method::new("prepend(*strings)", concat::prepend).borrows_all(),
    Method::new("insert(index, other)", concat::insert).borrows(1),
    Method::new("[](index, length = nil)", index::aref).borrows(0).borrows_receiver().frameless_with_numbers(),
    Method::new("[]=(index, length = nil, value)", index::aset).borrows(1).borrows(0),
    Method::new("slice!(index, length = nil)", index::slice_bang).borrows(0),
    Method::new("byteslice(index, length = nil)", index::byteslice).borrows_receiver().frameless_with_numbers(),
    Method::new("bytesplice(index, length, string = nil, string_index = nil, string_length = nil)", index::bytesplice)
        .borrows(2),
    Method::new("getbyte(index)", index::getbyte).borrows_receiver().frameless_with_numbers().in_line(InLine::ByteAt),
    Method::new("setbyte(index, integer)", index::setbyte).frameless_with_numbers().in_line(InLine::SetByte),
    Method::new("index(pattern, offset = 0)", search::index).borrows(0).borrows_receiver(),
    Method::new("byteindex(pattern, offset = 0)", search::byteindex).borrows(0).borrows_receiver(),
    Method::new("rindex(pattern, offset = nil)", search::rindex).borrows(0).borrows_receiver(),
    Method::new("byterindex(pattern, offset = nil)", search::byterindex).borrows(0).borrows_receiver(),
    Method::new("start_with?(*prefixes)", search::start_with).borrows_all(),
    Method::new("end_with?(*suffixes)", search::end_with).borrows_all(),
    Method::new("partition(pattern)", search::partition).borrows_receiver().returns(Known::Array),
    Method::new("rpartition(pattern)", search::rpartition).borrows_receiver().returns(Known::Array),
    Method::new("=~(pattern)", search::match_operator).borrows(0).borrows_receiver(),
    Method::new("match(*arguments) { |match| }", search::match_method).borrows(0).borrows_receiver(),
    Method::new("match?(pattern, offset = 0)", search::match_p).borrows(0).borrows_receiver(),
    Method::new("sub(pattern, replacement = nil) { |match| }", substitute::sub)
        .borrows(0)
        .borrows_receiver()
        .borrows(1),
    Method::new("sub!(pattern, replacement = nil) { |match| }", substitute::sub_bang).borrows(0).borrows(1),
    Method::new("gsub(pattern, replacement = nil) { |match| }", substitute::gsub)
        .borrows(0)
        .borrows_receiver()
        .borrows(1),
    Method::new("gsub!(pattern, replacement = nil) { |match| }", substitute::gsub_bang).borrows(0).borrows(1),
    Method::new("scan(pattern) { |match| }", scanning::scan).borrows(0),
    Method::new("split(pattern = nil, limit = 0) { |part| }", scanning::split).borrows(0),
    Method::new("upcase(*options)", case::upcase).returns(Known::String).borrows_receiver().frameless(0),
    Method::new("downcase(*options)", case::downcase).returns(Known::String).borrows_receiver().frameless(0),
    Method::new("swapcase(*options)", case::swapcase).returns(Known::String).borrows_receiver().frameless(0),
    Method::new("capitalize(*options)", case::capitalize).returns(Known::String).borrows_receiver().frameless(0),
    Method::new("upcase!(*options)", case::upcase_bang),
    Method::new("downcase!(*options)", case::downcase_bang),
    Method::new("swapcase!(*options)", case::swapcase_bang),
    Method::new("capitalize!(*options)", case::capitalize_bang),
    Method::new("strip(*sets)", strip::strip).borrows_all().returns(Known::String).borrows_receiver().frameless(0),
    Method::new("lstrip(*sets)", strip::lstrip).borrows_all().returns(Known::String).borrows_receiver().frameless(0),
    Method::new("rstrip(*sets)", strip::rstrip).borrows_all().returns(Known::String).borrows_receiver().frameless(0),
    Method::new("strip!(*sets)", strip::strip_bang).borrows_all(),
    Method::new("lstrip!(*sets)", strip::lstrip_bang).borrows_all(),
    Method::new("rstrip!(*sets)", strip::rstrip_bang).borrows_all(),
    Method::new("chomp(separator = $/)", strip::chomp)
        .returns(Known::String)
        .borrows(0)
        .borrows_receiver()
        .frameless(0),
    Method::new("chomp!(separator = $/)", strip::chomp_bang).borrows(0),
    Method::new("chop", strip::chop).returns(Known::String).borrows_receiver().frameless(0),
    Method::new("chop!", strip::chop_bang),
    Method::new("delete_prefix(prefix)", strip::delete_prefix).returns(Known::String).borrows(0).borrows_receiver(),
    Method::new("delete_prefix!(prefix)", strip::delete_prefix_bang).borrows(0),
    Method::new("delete_suffix(suffix)", strip::delete_suffix).returns(Known::String).borrows(0).borrows_receiver(),
    Method::new("delete_suffix!(suffix)", strip::delete_suffix_bang).borrows(0),
    Method::new("count(*sets)", charsets::count).borrows_all().returns(Known::Integer).borrows_receiver(),
    Method::new("delete(*sets)", charsets::delete).borrows_all().returns(Known::String).borrows_receiver(),
    Method::new("delete!(*sets)", charsets::delete_bang).borrows_all(),
    Method::new("squeeze(*sets)", charsets::squeeze).borrows_all().returns(Known::String).borrows_receiver(),
    Method::new("squeeze!(*sets)", charsets::squeeze_bang).borrows_all(),
    Method::new("tr(from, to)", charsets::tr).returns(Known::String).borrows(0).borrows(1).borrows_receiver(),
    Method::new("tr!(from, to)", charsets::tr_bang).borrows(0).borrows(1),
    Method::new("tr_s(from, to)", charsets::tr_s).returns(Known::String).borrows(0).borrows(1).borrows_receiver(),
    Method::new("tr_s!(from, to)", charsets::tr_s_bang).borrows(0).borrows(1),
    Method::new("each_char { |char| }", iterate::each_char),
    Method::new("__count_chars", iterate::count_chars).private(),
    Method::new("__count_bytes", iterate::count_bytes).private(),
    Method::new("__count_clusters", iterate::count_clusters).private(),
    Method::new("chars { |char| }", iterate::chars),
    Method::new("bytes { |byte| }", iterate::bytes),
    Method::new("each_codepoint { |integer| }", iterate::each_codepoint),
    Method::new("codepoints { |integer| }", iterate::codepoints),
    Method::new("each_grapheme_cluster { |cluster| }", iterate::each_grapheme_cluster),
    Method::new("grapheme_clusters { |cluster| }", iterate::grapheme_clusters),
    Method::new("each_line(separator = $/, chomp: false) { |line| }", iterate::each_line).borrows(0),
    Method::new("lines(separator = $/, chomp: false) { |line| }", iterate::lines).borrows(0),
    Method::new("upto(last, exclusive = false) { |string| }", iterate::upto).borrows(0),
    Method::new("sum(bits = 16)", iterate::sum).returns(Known::Integer).borrows_receiver(),
    Method::new("to_i(base = 10)", number::to_i).returns(Known::Integer).borrows_receiver(),
    Method::new("to_f", number::to_f).returns(Known::Float).borrows_receiver(),
    Method::new("to_r", number::to_r).returns(Known::Rational).borrows_receiver(),
    Method::new("to_c", number::to_c).returns(Known::Complex).borrows_receiver(),
    Method::new("hex", number::hex).returns(Known::Integer).borrows_receiver(),
    Method::new("oct", number::oct).returns(Known::Integer).borrows_receiver(),
    Method::new("ord", number::ord).returns(Known::Integer).borrows_receiver().frameless(0),
    Method::new("chr", number::chr).returns(Known::String).borrows_receiver(),
    Method::new("to_sym", number::to_sym).returns(Known::Symbol).borrows_receiver().frameless(0),
    Method::new("ljust(width, pad = \" \")", justify::ljust)
        .returns(Known::String)
        .borrows(1)
        .borrows_receiver()
        .frameless_with_numbers(),
    Method::new("rjust(width, pad = \" \")", justify::rjust)
        .returns(Known::String)
        .borrows(1)
        .borrows_receiver()
        .frameless_with_numbers(),
    Method::new("center(width, pad = \" \")", justify::center)
        .returns(Known::String)
        .borrows(1)
        .borrows_receiver()
        .frameless_with_numbers(),
    Method::new("inspect", inspecting::inspect).leaf().returns(Known::String).borrows_receiver(),
    Method::new("dump", inspecting::dump).leaf().returns(Known::String).borrows_receiver(),
    Method::new("undump", inspecting::undump).returns(Known::String).borrows_receiver(),
    Method::new("encoding", encodings::encoding_of).leaf().returns(Known::Encoding).borrows_receiver().frameless(0),
    Method::new("force_encoding(encoding)", encodings::force_encoding).borrows(0),
    Method::new("valid_encoding?", encodings::is_valid).leaf().borrows_receiver().frameless(0),
    Method::new("ascii_only?", encodings::is_ascii_only).leaf().borrows_receiver().frameless(0),
    Method::new("b", encodings::binary).leaf().returns(Known::String).borrows_receiver().frameless(0),
    Method::new("scrub(replacement = nil) { |bytes| }", encodings::scrub).borrows(0),
    Method::new("scrub!(replacement = nil) { |bytes| }", encodings::scrub_bang).borrows(0),
    Method::new("encode(to = nil, from = nil, **options)", encodings::encode).borrows(0).borrows(1),
    Method::new("encode!(to = nil, from = nil, **options)", encodings::encode_bang).borrows(0).borrows(1),
    Method::new("unpack(format, offset: 0) { |value| }", packing::unpack).borrows(0).borrows_receiver(),
    Method::new("unpack1(format, offset: 0)", packing::unpack1).borrows(0).borrows_receiver(),
    Method::new("unicode_normalize(form = :nfc)", encodings::unicode_normalize).borrows(0).returns(Known::String),
    Method::new("unicode_normalize!(form = :nfc)", encodings::unicode_normalize_bang).borrows(0),
    Method::new("unicode_normalized?(form = :nfc)", encodings::is_unicode_normalized).borrows(0),
];

pub const SINGLETON: &[Method] =
    &[Method::new("allocate", create::allocate), Method::new("try_convert(object)", create::try_convert)];

/// The methods of Array that are implemented here.
pub const ARRAY_METHODS: &[Method] = &[Method::new("pack(format, buffer: nil)", packing::pack).borrows(0)];

/// Fills String.
pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::String);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    define::synonyms(
        cx,
        class,
        &[
            ("length", "size"),
            ("to_str", "to_s"),
            ("===", "=="),
            ("slice", "[]"),
            ("next", "succ"),
            ("next!", "succ!"),
            ("intern", "to_sym"),
        ],
    );
    define::aliases(cx, class, &[("dedup", "-@")]);
    let array = cx.class(Known::Array);
    define::define_methods(cx, array, ARRAY_METHODS);
    let comparable = define::class_or_module_named(cx, "Comparable");
    let _ = object::class::ancestors::include(cx, class, comparable);
    internal::load(cx, runtime::ruby_half!("string/iterate")).expect("the Ruby half of String runs");
}
