//! StringIO: written in Ruby, with the byte work and what sets `$_` in Rust.

use object::{Known, Sym, class, string::Str, symbol::table::intern_text};
use runtime::{
    Args, Cx, Method, R, Value, call, convert, define, error::ErrorClass, internal, keys, make, make::OrRaise, special,
};

const METHODS: &[Method] = &[
    Method::new("gets(*arguments, chomp: false)", gets),
    Method::new("readline(*arguments, chomp: false)", readline),
    Method::new("inspect", inspect),
    Method::new("puts(*objects)", core_classes::io::output::puts),
    Method::new("__find(string, part, from)", find).private(),
    Method::new("__overwrite(string, at, length, with)", overwrite).private(),
];

pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let class = define::define_class(cx, object, "StringIO", object);
    let enumerable = cx.root("Enumerable");
    class::ancestors::include(cx, class, enumerable).expect("a module of its own");
    let readable = crate::io_console::readable(cx);
    class::ancestors::include(cx, class, readable).expect("a module of its own");
    define::define_methods(cx, class, METHODS);
    core_classes::marshal::refuse(cx, class);
    internal::load(cx, runtime::ruby_half!("stringio/stringio"))
}

/// `gets(separator = $/, limit = nil, chomp: false) → string or nil`; sets `$_`.
fn gets(cx: &mut Cx, args: Args) -> R {
    let chomp = intern_text(cx, "chomp");
    keys::only_keywords(cx, args.keywords(), &[chomp])?;
    let chomp = keys::keyword(cx, args.keywords(), chomp);
    let chomp = Value::bool(!chomp.is_undef() && chomp.truthy());
    let arguments = make::array(cx, args.all());
    let name = name(cx, "__gets");
    let line = call::send_private(cx, args.me(), name, &[arguments, chomp])?;
    special::set_last_line(cx, line);
    Ok(line)
}

/// `readline(…) → string`: EOFError where `gets` gives nil.
fn readline(cx: &mut Cx, args: Args) -> R {
    let line = gets(cx, args)?;
    if line.is_nil() { Err(cx.raise(ErrorClass::EOFError, "end of file reached")) } else { Ok(line) }
}

fn inspect(cx: &mut Cx, args: Args) -> R {
    Ok(convert::any_to_s(cx, args.me()))
}

/// Where the bytes of `part` are in `string`, from a byte on.
fn find(cx: &mut Cx, args: Args) -> R {
    let (string, part) = (convert::to_str(cx, args.at(0))?, convert::to_str(cx, args.at(1))?);
    let from = convert::to_i64(cx, args.at(2))? as usize;
    let (string, part) = (Str(string), Str(part));
    let Some(rest) = string.bytes().get(from..) else { return Ok(Value::NIL) };
    let found = text::scan::find(text::EncodingId::BINARY, rest, part.bytes(), 0);
    Ok(found.map_or(Value::NIL, |at| Value::fixnum((from + at) as i64)))
}

/// Writes bytes over `length` bytes from `at` on; NULs fill the room up to there.
fn overwrite(cx: &mut Cx, args: Args) -> R {
    let (string, with) = (convert::to_str(cx, args.at(0))?, convert::to_str(cx, args.at(3))?);
    let (at, length) = (convert::to_i64(cx, args.at(1))? as usize, convert::to_i64(cx, args.at(2))? as usize);
    cx.check_frozen(string)?;
    let (string, with) = (Str(string), Str(with).bytes().to_vec());
    let size = string.len();
    if at == size {
        string.append(cx, &with).or_raise(cx)?;
        return Ok(Value::NIL);
    }
    if at > size {
        if at > isize::MAX as usize / 2 {
            return Err(cx.argument_error("string size too big"));
        }
        let zeros = vec![0; at - size];
        string.append(cx, &zeros).or_raise(cx)?;
    }
    let length = length.min(string.len() - at);
    string.splice(cx, at, length, &with).or_raise(cx)?;
    Ok(Value::NIL)
}

fn name(cx: &mut Cx, text: &str) -> Sym {
    intern_text(cx, text)
}
