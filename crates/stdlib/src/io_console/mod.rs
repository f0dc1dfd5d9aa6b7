//! io/console: modes and sizes of terminals; the methods built on them are in Ruby.

use core_classes::io::data;
use heap::Trace;
use host::{
    Errno,
    io::terminal::{self, Mode, Queue, RawOptions, WindowSize},
};
use object::{
    Known,
    native::{self, NativeData},
    symbol::table::intern_text,
};
use runtime::{Args, Cx, Method, R, Unwind, Value, call, convert, define, internal, keys, library, make, ruby_half};

const IO: &[Method] = &[
    Method::new("console_mode", console_mode),
    Method::new("console_mode=(mode)", set_console_mode),
    Method::new("ttyname", ttyname),
    // `iflush`, `oflush`, `ioflush`: discard unread input, unsent output, or both. SystemCallError for a stream
    // that is not a terminal.
    Method::new("iflush", |cx, args| discard(cx, args, Queue::Input)),
    Method::new("oflush", |cx, args| discard(cx, args, Queue::Output)),
    Method::new("ioflush", |cx, args| discard(cx, args, Queue::Both)),
    Method::new("__window", window).private(),
    Method::new("__set_window(rows, columns, width, height)", set_window).private(),
];
const MODE: &[Method] = &[
    Method::new("initialize_copy(other)", initialize_copy).private(),
    Method::new("echo=(flag)", set_echo),
    Method::new("raw!(min: nil, time: nil, intr: nil)", make_raw),
    Method::new("cooked", cooked),
    Method::new("__echo(flag)", with_echo),
    Method::new("__echo?", has_echo),
];
const MODE_SINGLETON: &[Method] = &[Method::new("allocate", allocate)];

/// The settings of an IO::ConsoleMode.
#[derive(Trace)]
struct ConsoleMode(#[trace(skip)] Option<Mode>);

impl NativeData for ConsoleMode {
    object::one_vtable!(ConsoleMode);
}

pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let io = cx.class(Known::Io);
    let class = library::class(cx, io, "ConsoleMode", object)?;
    define::define_methods(cx, class, MODE);
    define::define_singleton_methods(cx, class, MODE_SINGLETON);
    define::define_methods(cx, io, IO);
    cx.set_root(runtime::Root::IoConsoleMode, class);
    let readable = readable(cx)?;
    define::define_methods(cx, readable, READABLE);
    internal::load(cx, ruby_half!("io_console/io_console"))
}

/// Streams that can be read but need not be terminals have an internal module, to which the library adds methods.
pub fn readable(cx: &mut Cx) -> R {
    let known = cx.root(READABLE_ROOT);
    if !known.is_nil() {
        return Ok(known);
    }
    let io = cx.class(Known::Io);
    let module = library::module(cx, io, "generic_readable")?;
    cx.set_root(READABLE_ROOT, module);
    Ok(module)
}

const READABLE_ROOT: runtime::Root = runtime::Root::IoGenericReadable;

const READABLE: &[Method] = &[Method::new("getch(*)", getch), Method::new("getpass(prompt = nil)", getpass)];

/// `getch(*) → string or nil`: for streams that are not terminals: reads a character like `getc`.
fn getch(cx: &mut Cx, args: Args) -> R {
    let name = intern_text(cx, "getc");
    call::send(cx, args.me(), name, &[])
}

/// `getpass(prompt = nil) → string or nil`: for streams that are not terminals: reads a line like `gets`, without its
/// end. The prompt is written to the same stream.
fn getpass(cx: &mut Cx, args: Args) -> R {
    let [write, gets, puts, chomp] = ["write", "gets", "puts", "chomp"].map(|name| intern_text(cx, name));
    if let Some(prompt) = args.non_nil(0) {
        call::send(cx, args.me(), write, &[prompt])?;
    }
    let line = call::send(cx, args.me(), gets, &[])?;
    call::send(cx, args.me(), puts, &[])?;
    if line.is_nil() { Ok(line) } else { call::send(cx, line, chomp, &[]) }
}

/// `IO::ConsoleMode.allocate → mode`: one without settings, for `initialize_copy`.
fn allocate(cx: &mut Cx, args: Args) -> R {
    Ok(native::new(cx, args.me(), Box::new(ConsoleMode(None))))
}

fn make_mode(cx: &mut Cx, mode: Mode) -> Value {
    let class = cx.root(runtime::Root::IoConsoleMode);
    native::new(cx, class, Box::new(ConsoleMode(Some(mode))))
}

fn mode_of(cx: &mut Cx, v: Value) -> R<Mode> {
    match native::get::<ConsoleMode>(&v) {
        Some(ConsoleMode(Some(mode))) => Ok(*mode),
        _ => Err(cx.type_error("wrong argument type (expected IO::ConsoleMode)")),
    }
}

/// `console_mode → mode`: a copy of the terminal's settings. SystemCallError for a stream that is not a terminal.
fn console_mode(cx: &mut Cx, args: Args) -> R {
    let fd = data::fd_of(cx, args.me())?;
    match Mode::of(fd) {
        Ok(mode) => Ok(make_mode(cx, mode)),
        Err(errno) => Err(failed(cx, args.me(), errno)),
    }
}

/// The error of a call about a stream, with its path.
fn failed(cx: &mut Cx, stream: Value, errno: Errno) -> Unwind {
    let path = data::name(stream);
    cx.system_error(errno, &path)
}

/// `console_mode=(mode) → mode`: applies settings to the terminal. SystemCallError for a stream that is not a terminal.
fn set_console_mode(cx: &mut Cx, args: Args) -> R {
    let mode = mode_of(cx, args.at(0))?;
    data::flush(cx, args.me())?;
    let fd = data::fd_of(cx, args.me())?;
    mode.apply(fd).map_err(|errno| failed(cx, args.me(), errno))?;
    Ok(args.at(0))
}

fn discard(cx: &mut Cx, args: Args, queue: Queue) -> R {
    let fd = data::fd_of(cx, args.me())?;
    terminal::discard(fd, queue).map_err(|errno| failed(cx, args.me(), errno))?;
    Ok(args.me())
}

/// `ttyname → string or nil`: the path of the terminal, frozen; nil for a stream that is not a terminal.
fn ttyname(cx: &mut Cx, args: Args) -> R {
    let fd = data::fd_of(cx, args.me())?;
    match terminal::name(fd) {
        Ok(Some(name)) => Ok(make::interned(cx, &memory::lossy_text(&name))),
        Ok(None) => Ok(Value::NIL),
        Err(errno) => Err(cx.system_error(errno, "ttyname_r")),
    }
}

/// `__window → array`: rows, columns, width and height of the terminal, the last two in pixels. SystemCallError for a
/// stream that is not a terminal.
fn window(cx: &mut Cx, args: Args) -> R {
    let fd = data::fd_of(cx, args.me())?;
    let size = terminal::window_size(fd).map_err(|errno| failed(cx, args.me(), errno))?;
    let numbers = [size.rows, size.columns, size.width, size.height].map(|n| Value::fixnum(n.into()));
    Ok(make::array(cx, &numbers))
}

/// `__set_window(rows, columns, width, height) → self`: sets rows, columns, width and height of the terminal.
/// SystemCallError for a stream that is not a terminal.
fn set_window(cx: &mut Cx, args: Args) -> R {
    let mut numbers = [0u16; 4];
    for (i, number) in numbers.iter_mut().enumerate() {
        *number = convert::to_i64(cx, args.at(i))? as u16;
    }
    let [rows, columns, width, height] = numbers;
    let fd = data::fd_of(cx, args.me())?;
    terminal::set_window_size(fd, WindowSize { rows, columns, width, height })
        .map_err(|errno| failed(cx, args.me(), errno))?;
    Ok(args.me())
}

/// `initialize_copy(other) → self`: copies the settings of another mode.
fn initialize_copy(cx: &mut Cx, args: Args) -> R {
    let mode = mode_of(cx, args.at(0))?;
    if let Some(own) = native::get_mut::<ConsoleMode>(cx, args.me()) {
        own.0 = Some(mode);
    }
    Ok(args.me())
}

/// `echo=(flag) → flag`: sets whether the terminal echoes input once these settings are applied to it.
fn set_echo(cx: &mut Cx, args: Args) -> R {
    let mode = mode_of(cx, args.me())?.with_echo(args.at(0).truthy());
    if let Some(own) = native::get_mut::<ConsoleMode>(cx, args.me()) {
        own.0 = Some(mode);
    }
    Ok(args.at(0))
}

/// `raw!(min: nil, time: nil, intr: nil) → self`: turns line editing, echo and conversions off once these settings are
/// applied to a terminal; `intr` keeps the keys for signals. A read ends after `min` characters or `time` seconds.
fn make_raw(cx: &mut Cx, args: Args) -> R {
    let names = ["min", "time", "intr"].map(|name| intern_text(cx, name));
    keys::only_keywords(cx, args.keywords(), &names)?;
    let [minimum, time, signals] = names.map(|name| keys::keyword(cx, args.keywords(), name));
    let given = |v: Value| !v.is_undef() && !v.is_nil();
    let mut options = RawOptions { signals: given(signals) && signals.truthy(), ..RawOptions::default() };
    if given(minimum) {
        options.minimum = Some(convert::to_i64(cx, minimum)?.clamp(0, 255) as u8);
    }
    if given(time) {
        // Seconds as tenths of them.
        options.time = Some((convert::to_f64(cx, time)? * 10.0).clamp(0.0, 255.0) as u8);
    }
    let mode = mode_of(cx, args.me())?.raw(options);
    if let Some(own) = native::get_mut::<ConsoleMode>(cx, args.me()) {
        own.0 = Some(mode);
    }
    Ok(args.me())
}

/// `cooked → mode`: a copy with line editing, signals and echo on, the defaults of terminals.
fn cooked(cx: &mut Cx, args: Args) -> R {
    let mode = mode_of(cx, args.me())?.cooked();
    Ok(make_mode(cx, mode))
}

/// `__echo(flag) → mode`: a copy with echo on or off.
fn with_echo(cx: &mut Cx, args: Args) -> R {
    let mode = mode_of(cx, args.me())?.with_echo(args.at(0).truthy());
    Ok(make_mode(cx, mode))
}

/// `__echo? → true or false`: whether echo is on.
fn has_echo(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(mode_of(cx, args.me())?.has_echo()))
}
