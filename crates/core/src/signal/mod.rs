//! Signal: names and numbers of signals, and their handlers.
//!
//! An arriving signal is only recorded; the main thread calls its handler at a safepoint.

use abi::Type;
use host::signal::{self, Disposition, sampling::SAMPLE};
use memory::ToVector;
use object::{Sym, cell, hash::HashRef, string::Str, symbol::table::intern_text};
use runtime::{
    Args, Cx, Method, R, Value, call,
    concurrency::{pending, signals, waker},
    convert, define,
    error::{self, ErrorClass},
    keys, make, sym,
    vm::OnQuit,
};

use crate::exception::exits::signal_of;

const METHODS: &[Method] = &[
    Method::new("list", list),
    Method::new("signame(number)", signame),
    Method::new("trap(signal, command = nil) { |number| }", trap),
];

const KERNEL: &[Method] = &[Method::new("trap(signal, command = nil) { |number| }", trap).module_function()];

/// Signals that raise in the main thread by default.
const RAISING: [i32; 7] =
    [signal::HANGUP, signal::INTERRUPT, signal::TERMINATE, signal::QUIT, signal::ALARM, signal::USER_1, signal::USER_2];

pub fn define(cx: &mut Cx) {
    let module = define::class_or_module_named(cx, "Signal");
    define::define_module_functions(cx, module, METHODS);
    let kernel = define::class_or_module_named(cx, "Kernel");
    define::define_methods(cx, kernel, KERNEL);
    let handlers = HashRef::new(cx).value();
    cx.set_root(runtime::Root::SignalHandlers, handlers);
    // Without the pipe signals still arrive, but blocking calls notice them later.
    let _ = signal::initialize();
    let _ = host::thread::enable_interrupts();
    signals::listen(cx);
    for number in RAISING {
        // Signals ignored by the parent stay ignored.
        if signal::disposition(number) == Ok(Disposition::Default) {
            let _ = signal::set_disposition(number, Disposition::Record);
        }
    }
}

/// `Signal.list → hash`: the numbers of all signals by their names without `SIG`.
fn list(cx: &mut Cx, _: Args) -> R {
    let hash = HashRef::new(cx).value();
    for (name, number) in signal::SIGNALS {
        let name = object::string::intern::intern_name(cx, name);
        keys::store(cx, hash, name, Value::fixnum(*number as i64))?;
    }
    Ok(hash)
}

/// `Signal.signame(number) → string or nil`: the name of a signal without `SIG`; nil for an unknown number.
fn signame(cx: &mut Cx, args: Args) -> R {
    let number = convert::to_i32(cx, args.at(0))?;
    Ok(signal::name(number).map_or(Value::NIL, |name| make::text(cx, name)))
}

/// `trap(signal, command)`, `trap(signal) { |number| … } → object`: sets the action for a signal: a Proc, or "IGNORE",
/// "DEFAULT", "SYSTEM_DEFAULT" or "EXIT". It returns the previous action. ArgumentError for an unknown or reserved
/// signal.
fn trap(cx: &mut Cx, args: Args) -> R {
    let (number, name) = signal_of(cx, args.at(0))?;
    if signal::is_reserved(number) {
        return Err(cx.argument_error(&format!("can't trap reserved signal: {name}")));
    }
    let mut block = args.block_proc(cx)?;
    if cx.isolated && !block.is_nil() {
        // The block must not use objects of another Ractor than the main one, which runs it.
        let me = object::proc::receiver(block);
        block = runtime::concurrency::sharing::for_ractor(cx, block, me)?;
    }
    let command = match (args.opt(1), block.is_nil()) {
        (Some(command), _) => command,
        (None, false) => block,
        (None, true) => return Err(cx.argument_error("tried to create Proc object without a block")),
    };
    let (disposition, handler) = meaning(cx, number, command)?;
    let before = signal::disposition(number).unwrap_or(Disposition::Default);
    if number != 0
        && let Err(errno) = signal::set_disposition(number, disposition)
    {
        return Err(cx.system_error(errno, &name));
    }
    waker::ensure_started(cx);
    let handlers = cx.root(runtime::Root::SignalHandlers);
    let key = Value::fixnum(number as i64);
    let old = keys::get(cx, handlers, key)?;
    match handler {
        Some(handler) => keys::store(cx, handlers, key, handler)?,
        None => drop(keys::delete(cx, handlers, key)?),
    }
    Ok(match (old, before) {
        (Some(old), _) => old,
        (None, _) if number == 0 => Value::NIL,
        (None, Disposition::Ignore) => make::text(cx, "IGNORE"),
        // A child's end is noticed without a handler of its signal.
        (None, Disposition::Default) if number == signal::CHILD => make::text(cx, "DEFAULT"),
        (None, Disposition::Default) => make::text(cx, "SYSTEM_DEFAULT"),
        // The handler for inspecting the process from outside is not an action set by the program.
        (None, Disposition::Record) if number == SAMPLE => make::text(cx, "SYSTEM_DEFAULT"),
        (None, Disposition::Record) => make::text(cx, "DEFAULT"),
        (None, _) => Value::NIL,
    })
}

/// The system's action for a command, and the handler to store.
fn meaning(cx: &mut Cx, number: i32, command: Value) -> R<(Disposition, Option<Value>)> {
    if command.is_nil() {
        return Ok((Disposition::Ignore, Some(command)));
    }
    let text = match Sym::from_value(command) {
        Some(symbol) => symbol.bytes(cx).to_vector(),
        None if call::responds(cx, command, sym::CALL, false)? => return Ok((Disposition::Record, Some(command))),
        None => match convert::try_str(cx, command)? {
            Some(s) => s.to_vector(),
            None => return Ok((Disposition::Record, Some(command))),
        },
    };
    Ok(match text.as_slice() {
        b"" | b"IGNORE" | b"SIG_IGN" => (Disposition::Ignore, None),
        b"DEFAULT" | b"SIG_DFL" => (default_of(number), None),
        b"SYSTEM_DEFAULT" => (Disposition::Default, None),
        b"EXIT" => (Disposition::Record, Some(make::text(cx, "EXIT"))),
        _ if cell::is(command, Type::String) => (Disposition::Record, Some(command)),
        _ => return Err(cx.argument_error(&format!("wrong trap - {}", memory::lossy_text(&text)))),
    })
}

fn default_of(number: i32) -> Disposition {
    if RAISING.contains(&number) {
        Disposition::Record
    } else if number == signal::PIPE {
        Disposition::Nothing
    } else {
        Disposition::Default
    }
}

/// Calls the handlers of the recorded signals. Within a handler, further signals wait for its end.
pub fn run_handlers(cx: &mut Cx) -> R<()> {
    if is_in_handler(cx) {
        return Ok(());
    }
    while let Some(number) = signal::take_pending() {
        let result = run_handler(cx, number);
        if result.is_err() {
            // The remaining signals are handled later.
            if signal::has_pending() {
                cx.interrupt(runtime::cx::Interrupts::SIGNAL);
            }
            return result;
        }
    }
    Ok(())
}

fn is_in_handler(cx: &mut Cx) -> bool {
    let thread = cx.thread;
    !thread.is_nil() && runtime::concurrency::thread::state(cx, thread).in_trap
}

fn run_handler(cx: &mut Cx, number: i32) -> R<()> {
    let handlers = cx.root(runtime::Root::SignalHandlers);
    match keys::get(cx, handlers, Value::fixnum(number as i64))? {
        Some(handler) => call_handler(cx, handler, number),
        None if number == signal::INTERRUPT => {
            let (class, message) = (cx.error_class(ErrorClass::Interrupt), make::text(cx, ""));
            let exception = call::send(cx, class, sym::NEW, &[message])?;
            raise(cx, exception)
        }
        None if number == signal::sampling::SAMPLE => {
            inspect(cx, number);
            Ok(())
        }
        None if number == signal::QUIT && cx.vm().options.on_quit == OnQuit::Prints => {
            inspect(cx, number);
            Ok(())
        }
        None if RAISING.contains(&number) => {
            if number == signal::QUIT && cx.vm().options.on_quit == OnQuit::PrintsAndEnds {
                inspect(cx, number);
            }
            let class = cx.error_class(ErrorClass::SignalException);
            let exception = call::send(cx, class, sym::NEW, &[Value::fixnum(number as i64)])?;
            raise(cx, exception)
        }
        None => Ok(()),
    }
}

/// Raises the exception of a signal, now or when the masks of `Thread.handle_interrupt` allow it.
fn raise(cx: &mut Cx, exception: Value) -> R<()> {
    let thread = cx.thread;
    if thread.is_nil() {
        return Err(error::raise_exception(cx, exception));
    }
    error::keep_cause(cx, exception);
    pending::raise_in(cx, thread, exception);
    pending::handle(cx, pending::Moment::Anywhere)
}

fn inspect(cx: &mut Cx, number: i32) {
    let inspect = cx.vm().hooks.inspect;
    inspect(cx, number);
}

fn call_handler(cx: &mut Cx, handler: Value, number: i32) -> R<()> {
    if handler.is_nil() {
        return Ok(());
    }
    let thread = cx.thread;
    let before = std::mem::replace(&mut runtime::concurrency::thread::state(cx, thread).in_trap, true);
    let result = run_action(cx, handler, number);
    runtime::concurrency::thread::state(cx, thread).in_trap = before;
    if signal::has_pending() {
        cx.interrupt(runtime::cx::Interrupts::SIGNAL);
    }
    result
}

fn run_action(cx: &mut Cx, handler: Value, number: i32) -> R<()> {
    if let Some(code) = Str::from_value(handler) {
        if code.is(b"EXIT") {
            let exit = intern_text(cx, "exit");
            let main = cx.vm().main_object;
            return call::send_private(cx, main, exit, &[]).map(drop);
        }
        let eval = intern_text(cx, "eval");
        let binding = cx.root(runtime::Root::ToplevelBinding);
        let main = cx.vm().main_object;
        let arguments: &[Value] = if binding.is_nil() { &[handler] } else { &[handler, binding] };
        return call::send_private(cx, main, eval, arguments).map(drop);
    }
    call::send(cx, handler, sym::CALL, &[Value::fixnum(number as i64)]).map(drop)
}

/// Calls the handler of `EXIT` once, when the program ends.
pub fn run_exit_handler(cx: &mut Cx) -> R<()> {
    let handlers = cx.root(runtime::Root::SignalHandlers);
    match keys::delete(cx, handlers, Value::fixnum(0))? {
        Some(handler) => call_handler(cx, handler, 0),
        None => Ok(()),
    }
}

/// Drops the signals that arrived in the last handlers of a program: nothing of it runs any more that they could end.
pub fn forget_pending() {
    while signal::take_pending().is_some() {}
}

/// Sends a signal; to this process without a system call if the signal has a handler, so that it arrives immediately.
pub fn send(cx: &mut Cx, pid: i32, number: i32) -> R<()> {
    let own = pid == host::process::id();
    if own && number > 0 && signal::disposition(number) == Ok(Disposition::Record) {
        signal::record(number);
        return cx.safepoint();
    }
    host::process::kill(pid, number).map_err(|errno| cx.system_error(errno, ""))?;
    cx.safepoint()
}
