//! ARGF: the files that ARGV names, one after another, or standard input.
//!
//! All methods are in the Ruby half.

use object::{class::constants, symbol::table::intern_text};
use runtime::{Cx, Known, R, Sym, Value, call, define, globals::Accessors, internal, make};

const ROOT: runtime::Root = runtime::Root::Argf;

/// Loads the class and creates ARGF; [`set_up`] sets its files.
pub fn load(cx: &mut Cx) {
    internal::load(cx, runtime::ruby_half!("argf/argf")).expect("the Ruby half of ARGF runs");
    let (object, written) = (cx.class(Known::Object), intern_text(cx, "ARGFClass"));
    let class = constants::remove(cx, object, written).expect("the Ruby half makes the class").value;
    let name = object::string::intern::intern_name(cx, "ARGF.class");
    object::class::class_data_mut(cx, class).name = name;
    cx.barrier(class, name);
    let argf = call::send(cx, class, runtime::sym::NEW, &[]).expect("a stream without files can be made");
    let name = intern_text(cx, "ARGF");
    define::set_constant(cx, object, name, argf);
    cx.set_root(ROOT, argf);
    cx.define_global("$<", Accessors { get: |cx, _| Ok(cx.root(ROOT)), set: None });
    cx.define_global("$FILENAME", Accessors { get: |cx, _| ask(cx, "filename", &[]), set: None });
    cx.define_global("$-i", Accessors { get: |cx, _| ask(cx, "inplace_mode", &[]), set: Some(set_in_place) });
    cx.define_global("$.", Accessors { get: last_line_number, set: Some(set_last_line_number) });
}

/// Makes ARGF read the files that ARGV names, and edit them in place if the option `-i` was given.
pub fn set_up(cx: &mut Cx) -> R<()> {
    let argv = cx.root(runtime::Root::Argv);
    let in_place = match cx.vm().options.in_place.clone() {
        Some(extension) => make::string(cx, &extension, text::encoding::EncodingId::UTF_8),
        None => Value::NIL,
    };
    ask(cx, "__restart", &[argv, in_place])?;
    Ok(())
}

fn ask(cx: &mut Cx, method: &str, arguments: &[Value]) -> R {
    let (argf, method) = (cx.root(ROOT), intern_text(cx, method));
    call::send(cx, argf, method, arguments)
}

fn set_in_place(cx: &mut Cx, _: Sym, extension: Value) -> R<()> {
    ask(cx, "inplace_mode=", &[extension])?;
    Ok(())
}

/// `$.`: the number of the line read last, from any stream.
fn last_line_number(cx: &mut Cx, _: Sym) -> R {
    Ok(match cx.root(runtime::Root::LineNumber) {
        Value::NIL => Value::fixnum(0),
        number => number,
    })
}

fn set_last_line_number(cx: &mut Cx, _: Sym, number: Value) -> R<()> {
    let number = runtime::convert::to_i32(cx, number)?;
    let number = Value::fixnum(i64::from(number));
    cx.set_root(runtime::Root::LineNumber, number);
    ask(cx, "__count_from", &[number])?;
    Ok(())
}
