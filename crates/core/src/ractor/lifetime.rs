//! Start and end of a Ractor.

use object::{array::Arr, cell, hash::HashRef, shape::ivars, symbol::table::intern_text};
use runtime::{
    Args, Cx, Method, R, Value, call,
    concurrency::{
        ractor::{self, Outcome, port},
        sharing,
    },
    convert,
    error::{self, ErrorClass},
    keys, make, sym,
};

pub const METHODS: &[Method] = &[
    Method::new("join", join),
    Method::new("value", value),
    Method::new("monitor(port)", monitor),
    Method::new("unmonitor(port)", unmonitor),
];

pub const SINGLETON: &[Method] =
    &[Method::new("new(*args, name: nil, &block)", new), Method::new("select(*ports)", select)];

/// `Ractor.new(*arguments, name: nil) { |*arguments| … } → ractor`: runs the block in a new thread with copies of the
/// arguments. ArgumentError without a block, Ractor::IsolationError for one that uses outer variables.
fn new(cx: &mut Cx, args: Args) -> R {
    let name = intern_text(cx, "name");
    keys::only_keywords(cx, args.keywords(), &[name])?;
    let block = args.block_proc(cx)?;
    if block.is_nil() {
        return Err(cx.argument_error("must be called with a block"));
    }
    let place = runtime::backtrace::caller_position(cx).map_or(String::new(), |(path, line)| format!("{path}:{line}"));
    if !cx.vm().ractors_used && cx.vm().options.warn_experimental && cx.verbose().is_some() {
        warn(cx, &place)?;
    }
    let given = keys::keyword(cx, args.keywords(), name).or(Value::NIL);
    let name = name_of(cx, given)?;
    let made = ractor::new(cx, args.me());
    let own = ractor::state(cx, made);
    own.name = name;
    own.place = place;
    let body = sharing::for_ractor(cx, block, made)?;
    let arguments = make::array(cx, &[]);
    for argument in args.all() {
        let copy = super::deep_copy(cx, *argument)?;
        make::push(cx, arguments, copy);
    }
    if !cx.vm().ractors_used {
        // Inline caches of constants may contain objects that only the main Ractor may use.
        cx.vm_mut().ractors_used = true;
        object::class::constant_watch::all_changed(cx);
    }
    super::requires::prepare(cx);
    crate::thread::start_ractor(cx, made, body, arguments)?;
    ractor::add_living(cx, made);
    Ok(made)
}

/// Warns before the first Ractor that they are experimental.
fn warn(cx: &mut Cx, place: &str) -> R<()> {
    let text = "Ractor API is experimental and may change in future versions of Ruby.";
    let message = make::text(cx, &format!("{place}: warning: {text}\n"));
    let options = HashRef::new(cx).value();
    let (category, experimental) = (intern_text(cx, "category"), intern_text(cx, "experimental"));
    keys::store(cx, options, category.value(), experimental.value())?;
    let (module, name) = (cx.root(runtime::Root::Warning), intern_text(cx, "warn"));
    let none = abi::BlockHandler::NONE;
    call::send_full(cx, module, name, &[message], Some(options), none, call::Scope::Function)?;
    Ok(())
}

/// A frozen copy of the name, or nil.
fn name_of(cx: &mut Cx, v: Value) -> R {
    if v.is_nil() {
        return Ok(v);
    }
    let name = convert::to_str(cx, v)?;
    if !name.encoding().is_ascii_compatible() {
        let encoding = name.encoding().name();
        return Err(cx.argument_error(&format!("ASCII incompatible encoding ({encoding})")));
    }
    if name.contains_byte(0) {
        return Err(cx.argument_error("string contains null byte"));
    }
    let name = name.frozen_dup(cx).value();
    sharing::make_shareable(cx, name)
}

/// `join → self`: waits for the end of the Ractor. Ractor::RemoteError if an exception ended it.
fn join(cx: &mut Cx, args: Args) -> R {
    wait(cx, args.me())?;
    Ok(args.me())
}

/// `value → object`: `join`, and the result of the block. Ractor::Error for any Ractor but the first that calls it.
fn value(cx: &mut Cx, args: Args) -> R {
    wait(cx, args.me())?;
    take_value(cx, args.me())
}

fn wait(cx: &mut Cx, target: Value) -> R<()> {
    let (class, own) = (cx.vm().ractor_port_class.0, cx.ractor);
    let monitor = port::new(cx, class, own);
    watch(cx, target, monitor)?;
    let word = port::receive(cx, monitor);
    forget(cx, target, monitor);
    word?;
    if ractor::state(cx, target).outcome == Some(Outcome::Aborted) {
        take_value(cx, target)?;
    }
    Ok(())
}

fn take_value(cx: &mut Cx, target: Value) -> R {
    let own = cx.ractor;
    let s = ractor::state(cx, target);
    if s.successor.is_nil() {
        s.successor = own;
    }
    if s.successor != own {
        return Err(cx.raise(ErrorClass::RactorError, "Only the successor ractor can take a value"));
    }
    let (value, outcome) = (s.value, s.outcome);
    if outcome == Some(Outcome::Aborted) {
        return Err(remote_error(cx, target, value));
    }
    Ok(value)
}

/// The exception that ended another Ractor, as the cause of an exception of this one.
fn remote_error(cx: &mut Cx, from: Value, cause: Value) -> runtime::Unwind {
    let class = cx.error_class(ErrorClass::RactorRemoteError);
    let message = make::text(cx, "thrown by remote Ractor.");
    let exception = error::new_exception(cx, class, message);
    ivars::set_hidden(cx, exception, sym::MEMO_CAUSE, cause);
    let name = intern_text(cx, "@ractor");
    ivars::set(cx, exception, name, from);
    error::raise_exception(cx, exception)
}

/// Registers the port `monitor` for notification of the end. If the Ractor has ended, notifies it now and returns
/// false.
fn watch(cx: &mut Cx, target: Value, monitor: Value) -> R<bool> {
    port::state(cx, monitor)?;
    let (outcome, monitors) = {
        let s = ractor::state(cx, target);
        (s.outcome, s.monitors)
    };
    match outcome {
        None => {
            make::push(cx, monitors, monitor);
            Ok(true)
        }
        Some(outcome) => {
            let word = intern_text(cx, if outcome == Outcome::Aborted { "aborted" } else { "exited" });
            port::post(cx, monitor, word.value())?;
            Ok(false)
        }
    }
}

fn forget(cx: &mut Cx, target: Value, monitor: Value) {
    let monitors = ractor::state(cx, target).monitors;
    if !monitors.is_nil() {
        let _ = Arr::of(monitors).retain(cx, |port| port != monitor);
    }
}

/// `monitor(port) → true or false`: sends the port `:exited` or `:aborted` at the end of the Ractor and returns true;
/// if it has already ended, sends immediately and returns false.
fn monitor(cx: &mut Cx, args: Args) -> R {
    watch(cx, args.me(), args.at(0)).map(Value::bool)
}

/// `unmonitor(port) → self`: reverts `monitor` for the port.
fn unmonitor(cx: &mut Cx, args: Args) -> R {
    port::state(cx, args.at(0))?;
    forget(cx, args.me(), args.at(0));
    Ok(args.me())
}

/// `Ractor.select(*ports_or_ractors) → [port, message] or [ractor, value]`: waits for the first message or the first
/// end. ArgumentError without any, Ractor::Error for a port of another Ractor.
fn select(cx: &mut Cx, args: Args) -> R {
    if args.is_empty() {
        return Err(cx.argument_error("specify at least one Ractor::Port or Ractor"));
    }
    let (class, own) = (cx.vm().ractor_port_class.0, cx.ractor);
    let ports = make::array(cx, &[]);
    for given in args.all() {
        let is_port = cell_is_port(*given);
        if !is_port && ractor::get(given).is_none() {
            return Err(cx.argument_error("should be Ractor::Port or Ractor"));
        }
        let port = if is_port { *given } else { port::new(cx, class, own) };
        make::push(cx, ports, port);
    }
    let found = watch_all(cx, args, ports).and_then(|()| port::select(cx, ports));
    for (i, given) in args.all().iter().enumerate() {
        let port = Arr::of(ports).get(i).unwrap_or(Value::NIL);
        if port != *given {
            forget(cx, *given, port);
            port::close(cx, port)?;
        }
    }
    let (port, message) = found?;
    let place = Arr::of(ports).index_of(port).unwrap_or(0);
    let given = args.at(place);
    let got = if given == port { message } else { take_value(cx, given)? };
    Ok(make::array(cx, &[given, got]))
}

fn cell_is_port(v: Value) -> bool {
    v.is_heap() && cell::is(v, abi::Type::Native) && object::native::get::<port::PortState>(&v).is_some()
}

/// Makes the Ractors among the arguments of `select` notify their ports.
fn watch_all(cx: &mut Cx, args: Args, ports: Value) -> R<()> {
    for (i, given) in args.all().iter().enumerate() {
        let port = Arr::of(ports).get(i).unwrap_or(Value::NIL);
        if port != *given {
            watch(cx, *given, port)?;
        }
    }
    Ok(())
}
