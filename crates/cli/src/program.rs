//! Starting the VM, configuring it for the command, and running the program.

use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::LazyLock;

use abi::Value;
use core_classes::{argf, features};
use host::signal::report::Names;
use object::symbol::table::intern_text;
use runtime::vm::NativeFeature;
use runtime::{
    Cx, R, call,
    code::tier::Thresholds,
    eval, make,
    vm::{Hooks, OnQuit, Options},
};
use text::encoding::EncodingId;

use crate::{
    options::{Command, Separator, Variable, Verbosity},
    report,
    script::Source,
};

/// What a crash report's file may be named after.
fn names(command: &Command) -> Names {
    let template = command.crash_report.clone().and_then(|text| CString::new(text).ok());
    let program = if command.lines.is_some() { b"-e".to_vec() } else { command.script.clone() };
    Names { template, executable: command.program.clone().into_bytes(), program }
}

/// Runs the command; returns the exit status of the process.
pub fn run(command: Command, source: Source) -> ExitCode {
    std::panic::set_hook(Box::new(report::panicked));
    let cx = match start(&command) {
        Ok(cx) => cx,
        Err(message) => {
            host::tell_line!("{}: {message}", command.program);
            return ExitCode::FAILURE;
        }
    };
    runtime::crash::install(core_classes::features::description(), names(&command));
    // The guard belongs to the main thread and is kept until the process ends.
    std::mem::forget(runtime::crash::watch(cx));
    if command.trace_gc {
        profile::trace_gc::begin(cx);
    }
    if !command.no_inspect {
        profile::inspect::listen();
    }
    if let Some(wish) = command.profile.clone()
        && let Err(message) = profile::command::begin(cx, wish)
    {
        host::tell_line!("{}: {message}", command.program);
        return ExitCode::FAILURE;
    }
    let result = match prepare(cx, &command, source.unread) {
        Ok(()) => run_source(cx, &command, &source.text),
        Err(Stop::Refused(message)) => {
            host::tell_line!("{}: {message} (RuntimeError)", command.program);
            return ExitCode::FAILURE;
        }
        Err(Stop::Raised(unwind)) => Err(unwind),
        // Blocks of at_exit do not see the exception: the program has not begun.
        Err(Stop::Unstarted(unwind)) => {
            let status = report::finish_unstarted(cx, Err(unwind));
            return end(cx, &command, status);
        }
    };
    let status = report::finish(cx, result);
    end(cx, &command, status)
}

fn end(cx: &mut Cx, command: &Command, status: u8) -> ExitCode {
    if command.stats {
        report::statistics(cx);
    }
    if let Some(places) = command.places_in_statistics {
        host::tell!("{}", jit::statistics(cx, places));
    }
    ExitCode::from(status)
}

/// Libraries that are part of Beni.
static FEATURES: LazyLock<Vec<NativeFeature>> =
    LazyLock::new(|| [stdlib::FEATURES, trace::FEATURES, profile::FEATURES].concat());

/// The reason why a program does not start.
enum Stop {
    Refused(String),
    Raised(runtime::Unwind),
    /// A file of `-r` raised an exception.
    Unstarted(runtime::Unwind),
}

impl From<runtime::Unwind> for Stop {
    fn from(unwind: runtime::Unwind) -> Stop {
        Stop::Raised(unwind)
    }
}

fn start(command: &Command) -> Result<&'static mut Cx, String> {
    let hooks = Hooks {
        run: interp::run,
        run_unwinding: interp::run_unwinding,
        interrupts: features::handle_interrupts,
        finish: report::finish,
        native_features: &FEATURES,
        thread_failed: features::thread_failed,
        profiled: jit::profile,
        traced: trace::fire::traced,
        counted_call: trace::coverage::counted_call,
        event: trace::fire::event,
        link: runtime::link::complete,
        lending: runtime::link::lending,
        linked: trace::patch::linked,
        inspect: profile::inspect::signalled,
        enter: jit::enter,
        compile: |cx, code| runtime::sampling::while_compiling(cx, |cx| jit::compile(cx, code)),
        deep_copy: core_classes::ractor::deep_copy,
        load_extension: capi::load,
        require: features::require_path,
        is_provided: features::is_provided,
    };
    let (tuning, warnings) = heap::Tuning::from_environment(&|name| std::env::var(name).ok());
    if command.verbose == Verbosity::Verbose {
        warnings.iter().for_each(|line| host::tell_line!("{line}"));
    }
    let heap_options = heap::Options { stress_interval: 0, verify: command.verify_heap, tuning, ..Default::default() };
    let cx = runtime::boot::start(hooks, vm_options(command), heap_options)?;
    if command.stats {
        core_classes::gc::summary::count(cx);
    }
    core_classes::define(cx);
    trace::define(cx);
    stdlib::define(cx).map_err(|_| "cannot define the standard library".to_string())?;
    cx.vm_mut().redefined.armed = true;
    host::memory::forget_constants();
    Ok(cx)
}

fn vm_options(command: &Command) -> Options {
    let category = |name: &str, otherwise: bool| command.categories.get(name).unwrap_or(otherwise);
    let some = command.verbose != Verbosity::Silent;
    Options {
        thresholds: Thresholds {
            // Facts are verified only in interpreted calls, so the compiler is off.
            runs: if command.verify_facts { None } else { command.compilation.runs() },
            full_after: command.full_after,
        },
        exit_every: command.exit_every,
        stress: command.stress,
        code_budget: command.code_budget,
        maps_code: command.maps_code,
        counts_runtime_calls: command.places_in_statistics.is_some(),
        dump_compiled: command.dumps.compiled.clone(),
        verbose: match command.verbose {
            Verbosity::Silent => None,
            Verbosity::Normal => Some(false),
            Verbosity::Verbose => Some(true),
        },
        debug: command.debug,
        on_quit: match (command.stacks_on_quit, command.no_inspect) {
            (true, _) => OnQuit::Prints,
            (false, true) => OnQuit::Ends,
            (false, false) => OnQuit::PrintsAndEnds,
        },
        record_string_origins: command.record_string_origins,
        frozen_string_literal: command.features.frozen_string_literal,
        backtrace_limit: command.backtrace_limit.unwrap_or(-1),
        script_name: script_name(command),
        warn_deprecated: category("deprecated", command.verbose == Verbosity::Verbose),
        warn_experimental: category("experimental", some),
        warn_performance: category("performance", false),
        warn_strict_unused_block: category("strict_unused_block", false),
        highlight_errors: command.features.bundled("error_highlight"),
        suggest_names: command.features.bundled("did_you_mean"),
        command_line: command.loops,
        in_place: command.in_place.clone(),
        source_encoding: None,
    }
}

fn script_name(command: &Command) -> String {
    match &command.lines {
        Some(_) => "-e".into(),
        None => String::from_utf8_lossy(&command.script).into_owned(),
    }
}

/// Encodings, ARGV, separators, the load path, features.
fn prepare(cx: &mut Cx, command: &Command, unread: Vec<u8>) -> Result<(), Stop> {
    if core_classes::ruby_box::is_wanted() && cx.vm().options.warn_experimental {
        host::tell_line!("{}: warning: Ruby::Box is not implemented in Beni; RUBY_BOX has no effect", command.program);
    }
    set_encodings(cx, command)?;
    set_arguments(cx, command)?;
    set_variables(cx, &command.variables)?;
    set_separators(cx, command)?;
    argf::set_up(cx)?;
    features::set_up(cx, &command.include);
    let on = &command.features;
    let bundled = features::Bundled {
        gems: on.gems,
        did_you_mean: on.bundled("did_you_mean"),
        error_highlight: on.bundled("error_highlight"),
        syntax_suggest: on.bundled("syntax_suggest"),
    };
    features::define_bundled(cx, &bundled)?;
    if command.loops.n || command.loops.p {
        core_classes::kernel::define_line_functions(cx);
    }
    core_classes::io::give_back_input(cx, &unread);
    let dumps = &command.dumps;
    if dumps.syntax || dumps.ast || dumps.parser_log || dumps.bytecode.is_some() {
        return Ok(());
    }
    for feature in &command.require {
        let feature = make::string(cx, feature, EncodingId::UTF_8);
        let main = cx.vm().main_object;
        call::send(cx, main, runtime::sym::REQUIRE, &[feature]).map_err(Stop::Unstarted)?;
    }
    Ok(())
}

/// The locale's encoding is the default external one unless another is given.
fn set_encodings(cx: &mut Cx, command: &Command) -> Result<(), Stop> {
    let named = |name: &Option<String>| match name {
        None => Ok(None),
        Some(name) => match core_classes::encoding::named_by_option(name) {
            Some(id) => Ok(Some(id)),
            None => Err(Stop::Refused(format!("unknown encoding name - {name}"))),
        },
    };
    let (external, internal) = (named(&command.external_encoding)?, named(&command.internal_encoding)?);
    let source = named(&command.source_encoding)?;
    if source.is_some() && command.verbose == Verbosity::Verbose {
        host::tell_line!(
            "{}: warning: -K is specified; it is for 1.8 compatibility and may cause odd behavior",
            command.program
        );
    }
    let vm = cx.vm_mut();
    vm.default_external = external.unwrap_or_else(core_classes::encoding::locale);
    vm.default_internal = internal;
    vm.options.source_encoding = source;
    core_classes::io::set_standard_encodings(cx)?;
    Ok(())
}

fn set_arguments(cx: &mut Cx, command: &Command) -> R<()> {
    let list = make::array(cx, &[]);
    for argument in &command.arguments {
        let argument = make::string(cx, argument, core_classes::encoding::locale());
        make::push(cx, list, argument);
    }
    let object = cx.class(object::Known::Object);
    let name = intern_text(cx, "ARGV");
    runtime::define::set_constant(cx, object, name, list);
    cx.set_root(runtime::Root::Argv, list);
    Ok(())
}

/// `-s`
fn set_variables(cx: &mut Cx, variables: &[Variable]) -> R<()> {
    for variable in variables {
        let name = intern_text(cx, &variable.name);
        let value = match &variable.value {
            Some(text) => make::string(cx, text, core_classes::encoding::locale()),
            None => Value::TRUE,
        };
        cx.global_set(name, value)?;
    }
    Ok(())
}

/// `-0`, `-l`, `-F`
fn set_separators(cx: &mut Cx, command: &Command) -> R<()> {
    for (root, separator) in [
        (runtime::Root::InputSeparator, &command.record_separator),
        (runtime::Root::OutputSeparator, &command.output_separator),
    ] {
        let value = match separator {
            None => continue,
            Some(Separator::None) => Value::NIL,
            Some(Separator::Bytes(bytes)) => {
                let text = make::string(cx, bytes, EncodingId::US_ASCII);
                object::string::Str::of(text).freeze();
                text
            }
        };
        cx.set_root(root, value);
    }
    if let Some(pattern) = &command.field_separator {
        let class = cx.class(object::Known::Regexp);
        let regexp = runtime::special::make_regexp(cx, class, pattern, core_classes::encoding::locale(), 0)?;
        cx.set_root(runtime::Root::SplitPattern, regexp);
    }
    Ok(())
}

fn run_source(cx: &mut Cx, command: &Command, source: &[u8]) -> R {
    let mut options = compiler::Options::new(script_name(command), compiler::SourceKind::Main);
    options.frozen_string_literal = command.features.frozen_string_literal;
    options.command_line = command.loops;
    let encoding = match (cx.vm().options.source_encoding, &command.lines) {
        (None, Some(_)) => Some(core_classes::encoding::locale()),
        (given, _) => given,
    };
    options.encoding = encoding.map(|encoding| encoding.name().to_string());
    if command.dumps.ast {
        host::show!("{}", compiler::dump_ast(source, &options));
        return Ok(Value::NIL);
    }
    if let Some(name) = &command.dumps.bytecode {
        dump_bytecode(source, &options, name.as_deref());
    }
    // No method of the program runs yet that would turn exhausted memory into an exception.
    let compiled = catch_unwind(AssertUnwindSafe(|| eval::compile(cx, source, &options)))
        .unwrap_or_else(|payload| Err(runtime::panics::raise(cx, payload)));
    let code = compiled.inspect_err(|_| report::name_program(cx, command))?;
    define_data(cx, command)?;
    if command.dumps.syntax {
        host::show_line!("Syntax OK");
        return Ok(Value::NIL);
    }
    if command.dumps.facts {
        host::show!("{}", crate::facts::dump(cx)?);
    }
    if command.dumps.bytecode.is_some() || command.dumps.parser_log || command.dumps.facts {
        return Ok(Value::NIL);
    }
    cx.set_root(runtime::Root::MainScript, code);
    if command.stress_gc > 0 {
        cx.vm().heap.set_stress(command.stress_gc, 0);
    }
    if command.stress != runtime::vm::Stress::default() {
        cx.interrupt(runtime::cx::Interrupts::STRESS);
    }
    if command.verify_facts {
        runtime::verify_facts::turn_on(cx);
    }
    if command.trace_calls {
        trace_calls(cx)?;
    }
    eval::run_main(cx, code)
}

/// `--dump-bytecode`. The runtime's own compilation raises errors.
fn dump_bytecode(source: &[u8], options: &compiler::Options, name: Option<&str>) {
    let Ok(sequence) = compiler::compile(source, options) else { return };
    match name {
        None => host::show!("{}", bytecode::disassemble::disassemble(&sequence)),
        Some(name) => dump_named(&sequence, name),
    }
}

fn dump_named(sequence: &bytecode::Sequence, name: &str) {
    if sequence.name == name && sequence.block_depth == 0 {
        return host::show!("{}", bytecode::disassemble::disassemble(sequence));
    }
    sequence.children.iter().for_each(|child| dump_named(child, name));
}

/// `--trace-calls`: a trace point that prints.
fn trace_calls(cx: &mut Cx) -> R<()> {
    let options = compiler::Options::new("<internal:trace_calls>", compiler::SourceKind::Required);
    let code = eval::compile(cx, include_bytes!("trace_calls.rb"), &options)?;
    eval::run_file(cx, code, None)?;
    Ok(())
}

/// `DATA`: the script's file, positioned after `__END__`.
fn define_data(cx: &mut Cx, command: &Command) -> R<()> {
    let Some(offset) = cx.vm().data_offset else { return Ok(()) };
    let data = if command.lines.is_some() {
        return Ok(());
    } else if command.script == b"-" {
        cx.root(runtime::Root::Stdin)
    } else {
        let path = make::string(cx, &command.script, EncodingId::UTF_8);
        let (file, open, seek) = (cx.class(object::Known::File), intern_text(cx, "open"), intern_text(cx, "seek"));
        let data = call::send(cx, file, open, &[path])?;
        call::send(cx, data, seek, &[Value::fixnum(offset as i64)])?;
        data
    };
    let (object, name) = (cx.class(object::Known::Object), intern_text(cx, "DATA"));
    runtime::define::set_constant(cx, object, name, data);
    Ok(())
}
