//! Binding#irb: the installed `irb` if it can be loaded, otherwise a small built-in console (`console.rb`).

use abi::{Type, Value};
use compiler::Options;
use host::line_editor::{self, Assistant, Input};
use object::{Known, array::Arr, cell, class, method_entry, string::Str, symbol::table::intern_text};
use runtime::{
    Args, Cx, Method, R, call,
    concurrency::thread::{self, Unlocked},
    constants, convert, define, eval,
    eval::Place,
    internal, keys, make,
};

const BINDING: &[Method] = &[Method::new("irb(show_code: true)", irb)];

const CONSOLE: &[Method] = &[
    Method::new("incomplete?(binding, source)", is_incomplete).private(),
    Method::new("read_line(binding, prompt, history)", read_line).private(),
];

const SOURCE: &[u8] = runtime::ruby_half!("console/console");

pub fn define(cx: &mut Cx) {
    let binding = cx.class(Known::Binding);
    define::define_methods(cx, binding, BINDING);
}

/// `irb(show_code: true) → nil`: shows the position of the binding, then reads and evaluates lines in it until `exit`
/// or the end of the input.
fn irb(cx: &mut Cx, args: Args) -> R {
    let name = intern_text(cx, "show_code");
    keys::only_keywords(cx, args.keywords(), &[name])?;
    let show = keys::keyword(cx, args.keywords(), name);
    let show = Value::bool(show.is_undef() || show.truthy());
    if let Some(result) = by_library(cx, args.me(), show)? {
        return Ok(result);
    }
    let console = console(cx)?;
    let start = intern_text(cx, "start");
    call::send(cx, console, start, &[args.me(), show])
}

/// Runs the console of the `irb` library, which redefines Binding#irb; `None` if it cannot be loaded.
fn by_library(cx: &mut Cx, binding: Value, show: Value) -> R<Option<Value>> {
    let wanted = std::env::var_os("BENI_CONSOLE").is_none_or(|v| v != "own");
    if !wanted || cx.root(runtime::Root::IrbLoadError).truthy() {
        return Ok(None);
    }
    let (main, require, library) = (cx.vm().main_object, intern_text(cx, "require"), make::text(cx, "irb"));
    if let Err(unwind) = call::send(cx, main, require, &[library]) {
        let exception = cx.take_exception(unwind)?;
        let script_error = runtime::error::ErrorClass::ScriptError;
        if !runtime::error::is_error(cx, exception, script_error)
            && !runtime::error::is_error(cx, exception, runtime::error::ErrorClass::StandardError)
        {
            return Err(cx.raise_object(exception));
        }
        cx.set_root(runtime::Root::IrbLoadError, Value::TRUE);
        return Ok(None);
    }
    let (class, name) = (cx.class(Known::Binding), intern_text(cx, "irb"));
    let entry = class::lookup::find_method(cx, class, name);
    if method_entry::kind(entry) == method_entry::Kind::Native {
        cx.set_root(runtime::Root::IrbLoadError, Value::TRUE);
        return Ok(None);
    }
    let keywords = object::hash::HashRef::new(cx).value();
    let key = intern_text(cx, "show_code");
    keys::store(cx, keywords, key.value(), show)?;
    let none = abi::BlockHandler::NONE;
    call::send_full(cx, binding, name, &[], Some(keywords), none, call::Scope::Public).map(Some)
}

/// Beni::Console, created on first use.
fn console(cx: &mut Cx) -> R {
    let object = cx.class(Known::Object);
    let beni = define::define_module(cx, object, "Beni");
    let name = intern_text(cx, "Console");
    if class::constants::own(beni, name).is_none() {
        let class = define::define_class(cx, beni, "Console", object);
        define::define_methods(cx, class, CONSOLE);
        internal::load(cx, SOURCE)?;
    }
    constants::lookup_from(cx, beni, name)
}

fn options(cx: &Cx, binding: Value) -> Option<Options> {
    eval::options_in_binding(cx, binding, Place { path: "(irb)".into(), line: 1 })
}

/// `incomplete?(binding, source) → true or false`: whether more lines could complete the source, which is no program
/// yet.
fn is_incomplete(cx: &mut Cx, args: Args) -> R {
    let source = args.str(cx, 1)?;
    let incomplete = options(cx, args.at(0)).is_some_and(|options| compiler::is_incomplete(source.bytes(cx), &options));
    Ok(Value::bool(incomplete))
}

/// The assistant of the line editor: the compiler, and the console's `complete`.
struct Typing<'a> {
    options: Option<Options>,
    console: Value,
    unlocked: &'a Unlocked,
}

impl Assistant for Typing<'_> {
    fn is_incomplete(&self, text: &str) -> bool {
        self.options.as_ref().is_some_and(|options| compiler::is_incomplete(text.as_bytes(), options))
    }

    fn complete(&self, text: &str) -> (usize, Vec<String>) {
        self.unlocked.with_lock(|cx| match candidates(cx, self.console, text) {
            Ok(found) => found,
            Err(unwind) => {
                let _ = cx.take_exception(unwind);
                (0, Vec::new())
            }
        })
    }
}

/// `[length of the replaced suffix, candidates]` of the console.
fn candidates(cx: &mut Cx, console: Value, text: &str) -> R<(usize, Vec<String>)> {
    let (text, complete) = (make::text(cx, text), intern_text(cx, "complete"));
    let answer = call::send(cx, console, complete, &[text])?;
    let answer = convert::to_ary(cx, answer)?;
    let (Some(length), Some(list)) = (answer.get(0), answer.get(1)) else { return Ok((0, Vec::new())) };
    let (length, list) = (convert::to_i64(cx, length)?, convert::to_ary(cx, list)?);
    let names = list.iter().filter(|v| cell::is(*v, Type::String));
    let names = names.map(|v| Str::of(v).to_text()).collect();
    Ok((usize::try_from(length).unwrap_or(0), names))
}

/// `read_line(binding, prompt, history) → string, symbol or nil`: reads a line from a terminal, with history and
/// completion; `:interrupted` after Ctrl-C, nil at the end.
fn read_line(cx: &mut Cx, args: Args) -> R {
    let prompt = args.str(cx, 1)?;
    let prompt = prompt.to_text();
    let history = Arr::of(args.at(2));
    let history: Vec<String> =
        history.elements(cx).iter().filter(|v| cell::is(**v, Type::String)).map(|v| Str::of(*v).to_text()).collect();
    let (options, console) = (options(cx, args.at(0)), args.me());
    let input = thread::blocking_with_return(cx, |unlocked| {
        line_editor::read(&prompt, &history, &Typing { options, console, unlocked })
    });
    Ok(match input {
        Input::Text(text) => make::text(cx, &text),
        Input::Interrupted => intern_text(cx, "interrupted").value(),
        Input::End => Value::NIL,
    })
}
