//! Starting the VM and running the program.

use std::process::ExitCode;
use std::sync::LazyLock;

use abi::Value;
use object::symbol::table::intern_text;
use runtime::vm::NativeFeature;
use runtime::{
    Cx, R, call, eval, make,
    vm::{Hooks, Options},
};

use crate::{
    options::{Command, Verbosity, description},
    report,
};

/// Runs the command; gives the process's exit status.
pub fn run(command: Command) -> ExitCode {
    if command.show_version {
        println!("{}", description());
        if command.script.is_none() && command.lines.is_none() && !command.check_syntax {
            return ExitCode::SUCCESS;
        }
    }
    std::panic::set_hook(Box::new(report::panicked));
    let cx = match start(&command) {
        Ok(cx) => cx,
        Err(message) => {
            eprintln!("beni: {message}");
            return ExitCode::FAILURE;
        }
    };
    let result = prepare_and_run(cx, &command);
    let status = report::finish(cx, result);
    if command.stats {
        report::statistics(cx);
    }
    ExitCode::from(status)
}

/// Libraries that are part of Beni.
static FEATURES: LazyLock<Vec<NativeFeature>> = LazyLock::new(|| [stdlib::FEATURES, trace::FEATURES].concat());

fn start(command: &Command) -> Result<&'static mut Cx, String> {
    let hooks = Hooks {
        run: interp::run,
        interrupts: core_classes::features::handle_interrupts,
        finish: report::finish,
        native_features: &FEATURES,
        thread_failed: core_classes::features::thread_failed,
        traced: trace::fire::traced,
        event: trace::fire::event,
        linked: trace::patch::linked,
        require: core_classes::features::require_path,
    };
    let options = Options {
        verbose: match command.verbose {
            Verbosity::Silent => None,
            Verbosity::Normal => Some(false),
            Verbosity::Verbose => Some(true),
        },
        debug: command.debug,
        frozen_string_literal: command.frozen_string_literal,
        dump_bytecode: command.dump_bytecode,
        trace_calls: command.trace_calls,
        backtrace_limit: command.backtrace_limit.unwrap_or(-1),
        script_name: script_name(command),
        warn_deprecated: category(command, "deprecated", command.verbose == Verbosity::Verbose),
        warn_experimental: category(command, "experimental", true),
        warn_performance: category(command, "performance", false),
    };
    let heap_options = heap::Options { stress_interval: 0, verify: command.verify_heap, ..Default::default() };
    let cx = runtime::boot::start(hooks, options, heap_options)?;
    core_classes::define(cx);
    trace::define(cx);
    stdlib::define(cx).map_err(|_| "cannot define the standard library".to_string())?;
    cx.vm_mut().redefined.armed = true;
    Ok(cx)
}

fn category(command: &Command, name: &str, otherwise: bool) -> bool {
    command.categories.iter().rev().find(|(n, _)| n == name).map_or(otherwise, |(_, on)| *on)
}

fn script_name(command: &Command) -> String {
    match (&command.lines, &command.script) {
        (Some(_), _) => "-e".into(),
        (None, Some(script)) => String::from_utf8_lossy(script).into_owned(),
        (None, None) => "-".into(),
    }
}

fn prepare_and_run(cx: &mut Cx, command: &Command) -> R {
    if let Some(directory) = &command.directory
        && let Err(error) = std::env::set_current_dir(String::from_utf8_lossy(directory).as_ref())
    {
        let errno = host::Errno(error.raw_os_error().unwrap_or(0));
        return Err(cx.system_error(errno, &format!(" @ dir_chdir - {}", String::from_utf8_lossy(directory))));
    }
    set_arguments(cx, command);
    core_classes::features::set_up(cx, &command.include);
    for feature in &command.require {
        let feature = make::string(cx, feature, text::encoding::EncodingId::UTF_8);
        let main = cx.vm().main_object;
        call::send(cx, main, runtime::sym::REQUIRE, &[feature])?;
    }
    let source = read_source(cx, command)?;
    let mut options = compiler::Options::new(script_name(command), compiler::SourceKind::Main);
    options.frozen_string_literal = command.frozen_string_literal;
    options.command_line = command.loops;
    if command.dump_ast {
        print!("{}", compiler::dump_ast(&source, &options));
        return Ok(Value::NIL);
    }
    let code = eval::compile(cx, &source, &options)?;
    define_data(cx, command)?;
    if command.check_syntax {
        println!("Syntax OK");
        return Ok(Value::NIL);
    }
    if command.dump_bytecode {
        return Ok(Value::NIL);
    }
    cx.set_root("main script", code);
    if command.stress_gc > 0 {
        cx.vm().heap.set_stress(command.stress_gc, 0);
    }
    eval::run_file(cx, code, None)
}

/// `DATA`: the script's file, at what follows `__END__`.
fn define_data(cx: &mut Cx, command: &Command) -> R<()> {
    let (Some(offset), Some(path)) = (cx.vm().data_offset, &command.script) else { return Ok(()) };
    let path = make::string(cx, path, text::encoding::EncodingId::UTF_8);
    let (file, open, seek, name) =
        (cx.class(object::Known::File), intern_text(cx, "open"), intern_text(cx, "seek"), intern_text(cx, "DATA"));
    let data = call::send(cx, file, open, &[path])?;
    call::send(cx, data, seek, &[Value::fixnum(offset as i64)])?;
    let object = cx.class(object::Known::Object);
    runtime::define::set_constant(cx, object, name, data);
    Ok(())
}

fn set_arguments(cx: &mut Cx, command: &Command) {
    let list = make::array(cx, &[]);
    for argument in &command.arguments {
        let argument = make::string(cx, argument, text::encoding::EncodingId::UTF_8);
        make::push(cx, list, argument);
    }
    let object = cx.class(object::Known::Object);
    let name = intern_text(cx, "ARGV");
    runtime::define::set_constant(cx, object, name, list);
    cx.set_root("ARGV", list);
}

fn read_source(cx: &mut Cx, command: &Command) -> R<Vec<u8>> {
    if let Some(lines) = &command.lines {
        return Ok(lines.clone());
    }
    match &command.script {
        Some(path) if path.as_slice() != b"-" => {
            let shown = String::from_utf8_lossy(path).into_owned();
            std::fs::read(&shown).map_err(|error| {
                let errno = host::Errno(error.raw_os_error().unwrap_or(2));
                cx.raise(runtime::error::ErrorClass::LoadError, &format!("{} -- {shown} (LoadError)", errno.message()))
            })
        }
        _ => {
            let mut source = Vec::new();
            let _ = std::io::Read::read_to_end(&mut std::io::stdin(), &mut source);
            Ok(source)
        }
    }
}
