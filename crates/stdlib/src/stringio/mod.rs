//! StringIO: written in Ruby, except the byte operations and the methods that set `$_`. Children: `direct` (the methods
//! that programs call in loops).

mod direct;

use object::{Known, Sym, class, string::Str, symbol::table::intern_text};
use runtime::{
    Args, Cx, Method, R, Value, call, convert, define, error::ErrorClass, error::OrRaise, internal, keys, library,
    make, special, sym,
};

const SINGLETON: &[Method] = &[
    // `new(string = "", mode = nil)`: without a block as for every class; with one the Ruby half warns.
    Method::new("new(string = \"\", mode = nil)", core_classes::class::new).shortcut(),
];

const METHODS: &[Method] = &[
    Method::new("initialize(string = \"\", mode = nil)", direct::initialize).private().shortcut(),
    Method::new("pos=(position)", direct::set_position).shortcut(),
    Method::new("gets(*arguments, chomp: false)", gets),
    Method::new("readline(*arguments, chomp: false)", readline),
    Method::new("readlines(*arguments, chomp: false)", direct::readlines).shortcut(),
    Method::new("ungetc(char)", direct::ungetc).shortcut(),
    Method::new("rewind", direct::rewind).shortcut(),
    Method::new("eof?", direct::is_eof).shortcut(),
    Method::new("read(length = nil, buffer = nil)", direct::read).shortcut(),
    Method::new("getbyte", direct::getbyte),
    Method::new("getc", direct::getc),
    Method::new("write(*strings)", direct::write).borrows_all(),
    Method::new("<<(object)", core_classes::io::output::append).borrows(0),
    Method::new("print(*objects)", core_classes::io::output::print).borrows_all(),
    Method::new("printf(*arguments)", core_classes::io::output::printf).borrows_all(),
    Method::new("putc(object)", putc),
    Method::new("inspect", inspect),
    Method::new("puts(*objects)", core_classes::io::output::puts).borrows_all(),
    Method::new("__line(separator, limit, chomp)", direct::line).private(),
    Method::new("__lines(separator, limit, chomp)", direct::lines).private(),
    Method::new("__encodings(mode, options)", encodings).private(),
    Method::new("__set_string_encoding(encoding)", direct::set_string_encoding).private(),
    Method::new("__overwrite(string, at, length, with)", overwrite).private(),
];

pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let class = library::class(cx, object, "StringIO", object)?;
    // Programs often have just one: its variables are in its own cell, too.
    class::make::set_field_count(cx, class, 3);
    let enumerable = cx.root(runtime::Root::Enumerable);
    class::ancestors::include(cx, class, enumerable).expect("a module of its own");
    let readable = crate::io_console::readable(cx)?;
    class::ancestors::include(cx, class, readable).expect("a module of its own");
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    core_classes::marshal::refuse(cx, class);
    internal::load(cx, runtime::ruby_half!("stringio/stringio"))
}

/// `__encodings(mode, options) → array`: the encoding that mode and keywords name, or nil, and whether a byte order
/// mark decides. ArgumentError for settings that contradict each other, as for a file.
fn encodings(cx: &mut Cx, args: Args) -> R {
    let parsed = core_classes::io::mode::parse(cx, args.at(0), Some(args.at(1)), "r+")?;
    let external = match parsed.external {
        Some(id) => core_classes::encoding::names::object(cx, id),
        None => Value::NIL,
    };
    Ok(make::array(cx, &[external, Value::bool(parsed.bom)]))
}

/// `gets(separator = $/, limit = nil, chomp: false) → string or nil`: the next line; nil at the end. It sets `$_`.
/// Frequent cases are read here, others in the Ruby half.
fn gets(cx: &mut Cx, args: Args) -> R {
    keys::only_keywords(cx, args.keywords(), &[sym::CHOMP])?;
    let chomp = keys::keyword(cx, args.keywords(), sym::CHOMP);
    let chomp = !chomp.is_undef() && chomp.truthy();
    let default = cx.root(runtime::Root::InputSeparator);
    let (separator, limit) = match (args.opt(0), args.opt(1)) {
        (None, _) => (default, Value::NIL),
        (Some(limit), None) if limit.is_fixnum() => (default, limit),
        (Some(separator), limit) => (separator, limit.unwrap_or(Value::NIL)),
    };
    let direct = if args.len() <= 2 { direct::next_line(cx, args.me(), separator, limit, chomp)? } else { None };
    let line = match direct {
        Some(line) => line,
        None => {
            let arguments = make::array(cx, args.all());
            let name = name(cx, "__gets");
            call::send_private(cx, args.me(), name, &[arguments, Value::bool(chomp)])?
        }
    };
    special::set_last_line(cx, line);
    Ok(line)
}

/// `putc(object) → object`: writes the first character of a String, or the low byte of a number. Unlike that of IO it
/// does not call another `write` of a subclass.
fn putc(cx: &mut Cx, args: Args) -> R {
    let s = core_classes::io::output::first_character(cx, args.at(0))?;
    call::send_core(cx, args.me(), sym::WRITE, &[s])?;
    Ok(args.at(0))
}

/// `readline(*arguments, chomp: false) → string`: like `gets`, which a subclass may have replaced, but EOFError at
/// the end.
fn readline(cx: &mut Cx, args: Args) -> R {
    let (class, name) = (class::class_of(cx, args.me()), name(cx, "gets"));
    let own = class::lookup::find_method(cx, class, name);
    let line = match own.is_undef() || runtime::method_table::is_core(own) {
        true => gets(cx, args)?,
        false => {
            let (keywords, block) = (args.keywords(), abi::BlockHandler::NONE);
            call::send_full(cx, args.me(), name, args.all(), keywords, block, call::Scope::Function)?
        }
    };
    if line.is_nil() { Err(cx.raise(ErrorClass::EOFError, "end of file reached")) } else { Ok(line) }
}

/// `inspect → string`: the class and the address, without the text.
fn inspect(cx: &mut Cx, args: Args) -> R {
    Ok(convert::any_to_s(cx, args.me()).value())
}

/// `__overwrite(string, at, length, with) → nil`: replaces `length` bytes from the byte `at` on; a gap before them is
/// filled with zero bytes.
fn overwrite(cx: &mut Cx, args: Args) -> R {
    let (string, with) = (args.str(cx, 0)?, args.str(cx, 3)?);
    let (at, length) = (convert::to_i64(cx, args.at(1))? as usize, convert::to_i64(cx, args.at(2))? as usize);
    cx.check_frozen(string.value())?;
    overwrite_part(cx, string, at, length, with)?;
    Ok(Value::NIL)
}

fn overwrite_part(cx: &mut Cx, string: Str, at: usize, length: usize, with: Str) -> R<()> {
    let size = string.len();
    if at == size {
        return string.append_part(cx, with, 0..with.len(), text::CodeRange::Unknown).or_raise(cx);
    }
    let with = with.to_vector();
    if at > size {
        if at > isize::MAX as usize / 2 {
            return Err(cx.argument_error("string size too big"));
        }
        let zeros = memory::filled(0, at - size);
        string.append(cx, &zeros).or_raise(cx)?;
    }
    let length = length.min(string.len() - at);
    string.splice(cx, at, length, &with).or_raise(cx)
}

fn name(cx: &mut Cx, text: &str) -> Sym {
    intern_text(cx, text)
}
