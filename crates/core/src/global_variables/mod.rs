//! Special global variables such as `$!`, `$~`, `$stdout` and `$0`.

mod traces;

use abi::{Type, Value};
use object::{Known, cell, class, native, string::Str, symbol};
use runtime::{
    Cx, R, Root, Sym, call,
    concurrency::ractor,
    define,
    globals::Accessors,
    make,
    special::{self, MatchInfo},
    sym, warning,
};

use crate::{exception::backtraces, kernel};

pub fn define(cx: &mut Cx) {
    let kernel = cx.root(runtime::Root::Kernel);
    define::define_methods(cx, kernel, traces::METHODS);
    for (name, get, set) in TABLE {
        cx.define_global(name, Accessors { get: *get, set: *set });
    }
    for (new, old) in ALIASES {
        let (new, old) = (symbol::table::intern_text(cx, new), symbol::table::intern_text(cx, old));
        cx.alias_global(new, old);
    }
    {
        let (name, text) = ("$/", "\n");
        let name = symbol::table::intern_text(cx, name);
        let value = make::text(cx, text);
        Str::of(value).freeze();
        root_set(cx, name, value);
    }
    let script = cx.vm().options.script_name.clone();
    let script = make::text(cx, &script);
    cx.set_root(runtime::Root::ProgramName, script);
    kernel::load(cx);
    make_top_level_binding(cx);
    crate::io::load_all(cx);
}

type Get = fn(&mut Cx, Sym) -> R;
type Set = Option<fn(&mut Cx, Sym, Value) -> R<()>>;

const TABLE: &[(&str, Get, Set)] = &[
    ("$!", |cx, _| Ok(cx.error_info), None),
    ("$@", error_position, Some(set_error_position)),
    ("$~", |cx, _| Ok(special::last_match(cx)), Some(set_last_match)),
    ("$_", |cx, _| Ok(special::last_line(cx)), Some(set_last_line)),
    ("$&", |cx, _| Ok(special::back_reference(cx, -1)), None),
    ("$`", |cx, _| Ok(special::back_reference(cx, -2)), None),
    ("$'", |cx, _| Ok(special::back_reference(cx, -3)), None),
    ("$+", |cx, _| Ok(special::back_reference(cx, -4)), None),
    ("$$", |_, _| Ok(Value::fixnum(host::process::id() as i64)), None),
    ("$*", |cx, _| Ok(cx.root(runtime::Root::Argv)), None),
    ("$0", |cx, _| Ok(cx.root(runtime::Root::ProgramName)), Some(set_program_name)),
    ("$VERBOSE", verbose, Some(set_verbose)),
    ("$DEBUG", debug, Some(set_debug)),
    ("$-W", warning_level, None),
    ("$-p", |cx, _| Ok(Value::bool(cx.vm().options.command_line.p)), None),
    ("$-l", |cx, _| Ok(Value::bool(cx.vm().options.command_line.l)), None),
    ("$-a", |cx, _| Ok(Value::bool(cx.vm().options.command_line.a)), None),
    ("$=", no_longer_effective, Some(ignored)),
    ("$stdout", |cx, _| Ok(stream(cx, Root::StandardOutput)), Some(set_output)),
    ("$stderr", |cx, _| Ok(stream(cx, Root::StandardError)), Some(set_output)),
    (
        "$stdin",
        |cx, _| Ok(stream(cx, Root::StandardInput)),
        Some(|cx, name, v| {
            root_set(cx, name, v);
            Ok(())
        }),
    ),
    ("$,", |cx, _| Ok(cx.root(Root::FieldSeparator)), Some(set_separator)),
    ("$;", |cx, _| Ok(cx.root(Root::SplitPattern)), Some(set_field_separator)),
    ("$/", |cx, _| Ok(cx.root(Root::InputSeparator)), Some(set_separator)),
    ("$\\", |cx, _| Ok(cx.root(Root::OutputSeparator)), Some(set_separator)),
    ("$?", |cx, _| Ok(crate::process::last_status(cx)), None),
];

const ALIASES: &[(&str, &str)] = &[
    ("$PROGRAM_NAME", "$0"),
    ("$>", "$stdout"),
    ("$-0", "$/"),
    ("$-F", "$;"),
    ("$-v", "$VERBOSE"),
    ("$-w", "$VERBOSE"),
    ("$-d", "$DEBUG"),
];

/// The root with the value of a variable that has a setter.
fn root_of(cx: &Cx, name: Sym) -> Root {
    match name.bytes(cx) {
        b"$stdout" => Root::StandardOutput,
        b"$stderr" => Root::StandardError,
        b"$stdin" => Root::StandardInput,
        b"$," => Root::FieldSeparator,
        b"$;" => Root::SplitPattern,
        b"$/" => Root::InputSeparator,
        _ => Root::OutputSeparator,
    }
}

/// `$stdin`, `$stdout` or `$stderr` of the running Ractor.
pub fn stream(cx: &mut Cx, root: Root) -> Value {
    match stream_number(root) {
        Some(fd) if cx.isolated => own_stream(cx, fd),
        _ => cx.root(root),
    }
}

/// The descriptor of a standard stream; each Ractor has its own IO for it.
fn stream_number(root: Root) -> Option<usize> {
    [Root::StandardInput, Root::StandardOutput, Root::StandardError].iter().position(|stream| *stream == root)
}

fn own_stream(cx: &mut Cx, fd: usize) -> Value {
    let own = cx.ractor;
    let stream = ractor::state(cx, own).streams[fd];
    if !stream.is_nil() {
        return stream;
    }
    let made = crate::io::standard_stream(cx, fd);
    ractor::state(cx, own).streams[fd] = made;
    made
}

fn root_set(cx: &mut Cx, name: Sym, value: Value) {
    let root = root_of(cx, name);
    if cx.isolated
        && let Some(fd) = stream_number(root)
    {
        let own = cx.ractor;
        ractor::state(cx, own).streams[fd] = value;
        return;
    }
    cx.set_root(root, value);
}

/// `$@`: the backtrace of `$!`.
fn error_position(cx: &mut Cx, _: Sym) -> R {
    let current = cx.error_info;
    if current.is_nil() {
        return Ok(Value::NIL);
    }
    let trace = call::send(cx, current, sym::BACKTRACE, &[])?;
    backtraces::checked(cx, trace)
}

fn set_error_position(cx: &mut Cx, _: Sym, v: Value) -> R<()> {
    let current = cx.error_info;
    if current.is_nil() {
        return Err(cx.argument_error("$! not set"));
    }
    backtraces::set(cx, current, v)?;
    Ok(())
}

fn set_last_match(cx: &mut Cx, _: Sym, v: Value) -> R<()> {
    if !v.is_nil() && native::get::<MatchInfo>(&v).is_none() {
        let got = runtime::error::describe_for_conversion(cx, v);
        return Err(cx.type_error(&format!("wrong argument type {got} (expected MatchData)")));
    }
    special::set_last_match(cx, v);
    Ok(())
}

fn set_last_line(cx: &mut Cx, _: Sym, v: Value) -> R<()> {
    special::set_last_line(cx, v);
    Ok(())
}

fn set_program_name(cx: &mut Cx, _: Sym, v: Value) -> R<()> {
    let name = runtime::convert::to_str(cx, v)?;
    let _ = host::process::set_title(name.bytes(cx));
    let copy = name.frozen_dup(cx).value();
    // `Process.argv0` keeps the first name.
    if cx.root(runtime::Root::ProcessArgv0).is_nil()
        && let Some(first) = object::string::Str::from_value(cx.root(runtime::Root::ProgramName))
    {
        let first = first.frozen_dup(cx).value();
        cx.set_root(runtime::Root::ProcessArgv0, first);
    }
    cx.set_root(runtime::Root::ProgramName, copy);
    Ok(())
}

fn verbose(cx: &mut Cx, _: Sym) -> R {
    Ok(cx.verbose().map_or(Value::NIL, Value::bool))
}

fn set_verbose(cx: &mut Cx, _: Sym, v: Value) -> R<()> {
    cx.set_verbose(if v.is_nil() { None } else { Some(v.truthy()) });
    Ok(())
}

fn set_debug(cx: &mut Cx, _: Sym, v: Value) -> R<()> {
    cx.set_debug(v.truthy());
    if !cx.isolated {
        cx.set_root(Root::Debug, v);
    }
    Ok(())
}

/// The object that the main Ractor assigned; other Ractors see only whether it is set.
fn debug(cx: &mut Cx, _: Sym) -> R {
    let (assigned, is_set) = (cx.root(Root::Debug), cx.debug());
    Ok(if cx.isolated || assigned.truthy() != is_set { Value::bool(is_set) } else { assigned })
}

/// `$=` used to select case-insensitive comparisons.
fn no_longer_effective(cx: &mut Cx, _: Sym) -> R {
    warning::warn_here(cx, "variable $= is no longer effective")?;
    Ok(Value::FALSE)
}

fn ignored(cx: &mut Cx, _: Sym, _: Value) -> R<()> {
    warning::warn_here(cx, "variable $= is no longer effective; ignored")
}

fn warning_level(cx: &mut Cx, _: Sym) -> R {
    Ok(Value::fixnum(match cx.verbose() {
        None => 0,
        Some(false) => 1,
        Some(true) => 2,
    }))
}

/// `$stdout`, `$stderr`: an object with a `write` method.
fn set_output(cx: &mut Cx, name: Sym, v: Value) -> R<()> {
    if !call::responds(cx, v, sym::WRITE, false)? {
        let (text, got) = (name.to_text(cx), runtime::error::class_name_of(cx, v));
        return Err(cx.type_error(&format!("{text} must have write method, {got} given")));
    }
    root_set(cx, name, v);
    Ok(())
}

/// `$,`, `$/`, `$\`: a String or nil; setting them is deprecated.
fn set_separator(cx: &mut Cx, name: Sym, v: Value) -> R<()> {
    let text = name.to_text(cx);
    if !v.is_nil() && !cell::is(v, Type::String) {
        return Err(cx.type_error(&format!("value of {text} must be String")));
    }
    warn_set(cx, &text, v)?;
    root_set(cx, name, v);
    Ok(())
}

fn warn_set(cx: &mut Cx, text: &str, v: Value) -> R<()> {
    if v.is_nil() { Ok(()) } else { warning::warn_deprecated(cx, &format!("non-nil '{text}' is deprecated")) }
}

/// `$;`: a String, a Regexp or nil.
fn set_field_separator(cx: &mut Cx, name: Sym, v: Value) -> R<()> {
    if !v.is_nil() && !cell::is(v, Type::String) && !class::is_known(cx, v, Known::Regexp) {
        return Err(cx.type_error("value of $; must be String or Regexp"));
    }
    warn_set(cx, "$;", v)?;
    root_set(cx, name, v);
    Ok(())
}

/// TOPLEVEL_BINDING: a binding of main with its own scope.
fn make_top_level_binding(cx: &mut Cx) {
    let options = compiler::Options::new("<main>", compiler::SourceKind::Required);
    let Ok(sequence) = compiler::compile(b"TOPLEVEL_BINDING = binding", &options) else { return };
    let _ = cx.run_top(&sequence, None);
}
