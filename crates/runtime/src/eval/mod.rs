//! Running files, strings and class bodies.

pub mod binding;
mod new_locals;

use std::sync::Arc;

use abi::{FrameFlags, Value};
use object::{environment, native};
use text::encoding::EncodingId;

use self::binding::{BindingData, stop_growing};
pub use self::new_locals::set_local;
use crate::{
    Cx, R,
    call::Window,
    call::frames,
    code::{Code, code},
    cref,
    error::{self, ErrorClass},
    frame::FrameId,
    link,
    state::repeated_sources::Repeated,
    sym, unlinked,
};

impl Cx {
    /// Runs a linked top-level sequence in a frame of its own.
    pub fn run_top(&mut self, sequence: &bytecode::Sequence, wrap: Option<Value>) -> R {
        let code = link::link(self, sequence);
        link::literal::check(self)?;
        run_file(self, code, wrap)
    }
}

/// The source text of an eval: the bytes of a string and its encoding.
#[derive(Clone, Copy)]
pub struct EvalText<'a> {
    pub bytes: &'a [u8],
    pub encoding: EncodingId,
}

/// The file and line that are given to an eval.
pub struct Place {
    pub path: String,
    pub line: i32,
}

/// Runs the code of a file; `wrap`: in an anonymous module (`load(file, true)`).
pub fn run_file(cx: &mut Cx, file: Value, wrap: Option<Value>) -> R {
    let mut scope = cx.vm().top_cref;
    let mut me = cx.vm().main_object;
    if let Some(module) = wrap {
        scope = cref::new(cx, module, scope);
        let (clone, extend) =
            (object::symbol::table::intern_text(cx, "clone"), object::symbol::table::intern_text(cx, "extend"));
        me = crate::call::send(cx, me, clone, &[])?;
        crate::call::send(cx, me, extend, &[module])?;
    } else {
        // Each file has a default visibility of its own.
        let object = cref::module(scope);
        scope = cref::new(cx, object, Value::NIL);
    }
    cref::set_visibility(scope, 1);
    run_code(cx, file, me, scope, Value::NIL, FrameFlags::TOP)
}

/// Like `run_file`, for code that nothing else can run. At its end it gives back what only running it needs, and so do
/// the bodies of its classes: only the body around them, which has ended, can run them.
pub fn run_file_once(cx: &mut Cx, file: Value, wrap: Option<Value>) -> R {
    let result = run_file(cx, file, wrap)?;
    give_back(cx, file);
    Ok(result)
}

fn give_back(cx: &mut Cx, body: Value) {
    if !native::get_mut::<Code>(cx, body).is_some_and(Code::give_back) {
        return;
    }
    for i in 0..code(&body).children.len() {
        let child = code(&body).child(i);
        if unlinked::is_linked(child) && code(&child).kind == bytecode::Kind::Class {
            give_back(cx, child);
        }
    }
}

/// Runs the main script: its variables become those of TOPLEVEL_BINDING, in addition to existing ones.
pub fn run_main(cx: &mut Cx, body: Value) -> R {
    let (name, me) = (object::symbol::table::intern_text(cx, "TOPLEVEL_BINDING"), cx.vm().main_object);
    let object = cx.class(object::Known::Object);
    let binding = object::class::constants::own(object, name).map_or(Value::NIL, |constant| constant.value);
    let Some(around) = native::get::<BindingData>(&binding).map(|data| data.environment) else {
        return run_file(cx, body, None);
    };
    stop_growing(cx, binding);
    let scope = cref::new(cx, object, Value::NIL);
    cref::set_visibility(scope, 1);
    let base = cx.stack_top();
    cx.check_stack(base, code(&body).registers as usize)?;
    // SAFETY: the room was checked; the binding keeps the environment.
    unsafe { push_unit(cx, body, me, scope, around, base, FrameFlags::TOP) };
    // SAFETY: the running frame's scope.
    let own = unsafe { cx.environment_of(&raw const cx.frame().scope) };
    if let Some(data) = native::get_mut::<BindingData>(cx, binding) {
        data.environment = own;
    }
    (cx.vm().hooks.run)(cx)
}

/// Pushes a frame for code without parameters and runs it. `around`: the environment that its scope continues, or nil.
pub fn run_code(cx: &mut Cx, body: Value, me: Value, scope: Value, around: Value, flags: u32) -> R {
    cx.check_native_stack()?;
    let c = code(&body);
    if c.is_given_back() {
        return Err(cx.runtime_error("this code has run and was given back"));
    }
    let base = cx.stack_top();
    cx.check_stack(base, c.registers as usize)?;
    // SAFETY: the room was checked; `around` is on this function's stack.
    unsafe { push_unit(cx, body, me, scope, around, base, flags) };
    (cx.vm().hooks.run)(cx)
}

/// Compiles source; a SyntaxError is raised as the exception.
pub fn compile(cx: &mut Cx, source: &[u8], options: &compiler::Options) -> R {
    let counts = cx.vm().counting.wanted(options);
    let record_string_origins = cx.vm().options.record_string_origins || cx.vm().options.debug;
    let changed = (counts != Default::default() || record_string_origins).then(|| compiler::Options {
        counts,
        record_string_origins,
        ..options.clone()
    });
    let options = changed.as_ref().unwrap_or(options);
    let is_eval = matches!(options.kind, compiler::SourceKind::Eval { .. });
    let hash = if is_eval { Repeated::hash_of(source, options) } else { 0 };
    if is_eval && let Some(sequence) = cx.vm().repeated.sequence(hash, source, options) {
        return link_eval(cx, &sequence, source, hash);
    }
    let compiled_source = crate::sampling::while_compiling(cx, |cx| match is_eval {
        true => compiler::compile(source, options).map(|sequence| (sequence, Vec::new())),
        false => link::compile(cx, source, options),
    });
    match compiled_source {
        Ok((sequence, _)) if is_eval => {
            let sequence = Arc::new(sequence);
            let body = link_eval(cx, &sequence, source, hash)?;
            cx.vm_mut().repeated.keep(hash, source, options, &sequence);
            Ok(body)
        }
        Ok((sequence, image)) => {
            cx.vm_mut().data_offset = sequence.unit.as_ref().and_then(|unit| unit.data_offset);
            warn_about(cx, &sequence)?;
            let body = link::link_deferred(cx, (sequence, image));
            host::memory::return_free_memory_of(source.len());
            compiled(cx, body, Value::NIL)
        }
        Err(errors) => {
            print_warnings(cx, &errors.warnings)?;
            let class = cx.error_class(match errors.kind {
                compiler::ErrorKind::SyntaxError => ErrorClass::SyntaxError,
                compiler::ErrorKind::ArgumentError => ErrorClass::ArgumentError,
                compiler::ErrorKind::LoadError => ErrorClass::LoadError,
                compiler::ErrorKind::SystemStackError => return Err(error::stack_overflow(cx)),
            });
            let message = crate::make::string(cx, &errors.message, EncodingId::UTF_8);
            let exception = error::new_exception(cx, class, message);
            if !matches!(errors.kind, compiler::ErrorKind::ArgumentError) {
                let path = crate::make::text(cx, &options.path);
                object::shape::ivars::set(cx, exception, sym::IVAR_PATH, path);
            }
            Err(error::raise_exception(cx, exception))
        }
    }
}

/// `hash`: that of the source ([`Repeated::hash_of`]).
fn link_eval(cx: &mut Cx, sequence: &bytecode::Sequence, source: &[u8], hash: u64) -> R {
    cx.vm_mut().data_offset = sequence.unit.as_ref().and_then(|unit| unit.data_offset);
    warn_about(cx, sequence)?;
    let usual = cx.vm().options.thresholds;
    let vm = cx.vm_mut();
    vm.options.thresholds.runs = vm.repeated.compile_after(hash, usual.runs);
    let body = link::link(cx, sequence);
    cx.vm_mut().options.thresholds = usual;
    let text = match cx.vm().trace_events & crate::trace::SCRIPT_COMPILED {
        0 => Value::NIL,
        _ => crate::make::string(cx, source, crate::code::encoding_id(code(&body).source.encoding)),
    };
    compiled(cx, body, text)
}

/// Tells trace points of new code; `text` is that of an eval, or nil.
fn compiled(cx: &mut Cx, body: Value, text: Value) -> R {
    link::literal::check(cx)?;
    if cx.vm().trace_events & crate::trace::SCRIPT_COMPILED != 0 {
        cx.event(crate::trace::SCRIPT_COMPILED, body, text)?;
    }
    Ok(body)
}

/// Prints the warnings about the source of a sequence.
pub fn warn_about(cx: &mut Cx, sequence: &bytecode::Sequence) -> R<()> {
    let Some(unit) = &sequence.unit else { return Ok(()) };
    print_warnings(cx, &unit.warnings)?;
    // The parser does not read patterns.
    if cx.verbose().is_some() { warn_of_patterns(cx, sequence, &unit.path) } else { Ok(()) }
}

/// Prints the warnings of the parser; those with true only with `-w`.
fn print_warnings(cx: &mut Cx, warnings: &[(String, bool)]) -> R<()> {
    for (text, verbose_only) in warnings {
        let wanted = if *verbose_only { cx.verbose() == Some(true) } else { cx.verbose().is_some() };
        if wanted {
            crate::warning::warn(cx, text)?;
        }
    }
    Ok(())
}

/// The warnings about literal patterns.
fn warn_of_patterns(cx: &mut Cx, sequence: &bytecode::Sequence, path: &str) -> R<()> {
    for (i, literal) in sequence.literals.iter().enumerate() {
        let bytecode::Literal::Regexp { source, encoding, options } = literal else { continue };
        let encoding = regexp::Encoding::from_ruby_name(crate::code::encoding_id(*encoding).name());
        let options = regexp::Options::from_bits(i64::from(*options));
        let Some(encoding) = encoding else { continue };
        if cx.verbose() != Some(true) && !regexp::may_warn(source, encoding, options) {
            continue;
        }
        let Ok(program) = regexp::Program::compile(source, options, encoding) else { continue };
        let loads = |instruction: &bytecode::Instruction| {
            instruction.opcode == bytecode::Opcode::LoadLiteral as u16 && instruction.bc() as usize == i
        };
        let word = sequence.instructions.iter().position(loads).unwrap_or(0);
        let position = sequence.positions.iter().rev().find(|position| position.word as usize <= word);
        let line = position.map_or(sequence.first_line, |position| position.line);
        crate::warning::warn_of_pattern(cx, &program, Some(&format!("{path}:{line}")))?;
    }
    for child in &sequence.children {
        cx.check_native_stack()?;
        warn_of_patterns(cx, child, path)?;
    }
    Ok(())
}

/// `eval(source, binding)`: variables that the code creates stay in the binding; `private` and `using` apply to the
/// code around the binding, too.
pub fn eval_in_binding(cx: &mut Cx, binding: Value, source: EvalText<'_>, place: Option<Place>) -> R {
    eval_in_scope(cx, binding, source, place, Value::NIL)
}

/// `eval(source)` in a new binding of the caller: the effects of `private` and `using` end with it.
pub fn eval_in_caller(cx: &mut Cx, binding: Value, source: EvalText<'_>, place: Option<Place>) -> R {
    let scope = native::get::<BindingData>(&binding).map_or(Value::NIL, |data| scope_of(data.environment));
    let own = if scope.is_nil() { scope } else { cref::copy(cx, scope) };
    eval_in_scope(cx, binding, source, place, own)
}

/// The lexical scope of code that runs in an environment from now on: a `using` that the code of a file or module made
/// after the environment was created counts, but not for methods, which keep the refinements of their definition.
fn scope_of(environment: Value) -> Value {
    // SAFETY: the scope lies inside the live environment.
    let scope = unsafe { &*environment::scope(environment) };
    if scope.entry.is_nil() && scope.cref.is_heap() { cref::newest(scope.cref) } else { scope.cref }
}

/// Like `eval` in the lexical scope `cref` (nil: the binding's own): instance_eval and class_eval of a string.
pub fn eval_in_scope(cx: &mut Cx, binding: Value, source: EvalText<'_>, place: Option<Place>, cref: Value) -> R {
    let Some(data) = native::get::<BindingData>(&binding) else {
        return Err(cx.type_error("wrong argument type (expected binding)"));
    };
    let (around, me) = (data.environment, data.receiver);
    if data.is_growing {
        stop_growing(cx, binding);
    }
    if !source.encoding.is_ascii_compatible() {
        return Err(cx.argument_error("invalid source encoding"));
    }
    let place = place.unwrap_or_else(|| {
        let (path, line) = crate::backtrace::caller_position(cx).unwrap_or_default();
        Place { path: format!("(eval at {path}:{line})"), line: 1 }
    });
    let mut options = options_in(cx, around, place);
    options.encoding = Some(source.encoding.name().to_string());
    let body = compile(cx, source.bytes, &options)?;
    crate::concurrency::sharing::check_eval(cx, around, body)?;
    code(&body).parent.set(environment_code(around));
    cx.remember(body);
    let scope = if cref.is_nil() { scope_of(around) } else { cref };
    if code(&body).locals.is_empty() {
        return run_code(cx, body, me, scope, around, FrameFlags::EVAL);
    }
    run_within(cx, binding, body, me, scope, FrameFlags::EVAL)
}

/// A Binding without variables in the lexical scope of a method, for its Proc. `body` is the method's code, or nil.
pub fn binding_of_method(cx: &mut Cx, me: Value, scope: Value, body: Value) -> R {
    let (path, name, line) = match body.is_nil() {
        true => ("(eval)".to_string(), String::new(), 1),
        false => (code(&body).source.path.clone(), code(&body).name.to_string(), code(&body).first_line),
    };
    let options = compiler::Options::new(path, compiler::SourceKind::Required);
    let Ok(mut sequence) = compiler::compile(b"nil", &options) else {
        return Err(cx.runtime_error("a method's binding was not compiled"));
    };
    sequence.name = name;
    let own = link::link(cx, &sequence);
    let scope = if scope.is_nil() { cx.vm().top_cref } else { scope };
    let data = BindingData {
        environment: Value::NIL,
        receiver: me,
        code: own,
        line: binding::Line::Known(line),
        is_growing: false,
    };
    let class = cx.class(object::Known::Binding);
    let made = binding::new(cx, class, data);
    run_within(cx, made, own, me, scope, FrameFlags::TOP)?;
    Ok(made)
}

/// Runs the code of an eval whose own scope outlives it in the binding.
fn run_within(cx: &mut Cx, binding: Value, body: Value, me: Value, scope: Value, flags: u32) -> R {
    let around = native::get::<BindingData>(&binding).map_or(Value::NIL, |data| data.environment);
    let base = cx.stack_top();
    cx.check_stack(base, code(&body).registers as usize)?;
    // SAFETY: the room was checked; the binding keeps the environment.
    unsafe { push_unit(cx, body, me, scope, around, base, flags) };
    // SAFETY: the running frame's scope.
    let own = unsafe { cx.environment_of(&raw const cx.frame().scope) };
    if let Some(data) = native::get_mut::<BindingData>(cx, binding) {
        data.environment = own;
    }
    (cx.vm().hooks.run)(cx)
}

/// The options for compiling source that continues the scopes of an environment.
fn options_in(cx: &Cx, around: Value, place: Place) -> compiler::Options {
    let around_code = environment_code(around);
    let own = code(&around_code);
    let kind = compiler::SourceKind::Eval {
        scopes: scopes_of(cx, around),
        name: own.name.to_string(),
        block_depth: own.block_depth,
    };
    let mut options = compiler::Options::new(place.path, kind);
    options.first_line = place.line;
    options.frozen_string_literal = cx.vm().options.frozen_string_literal;
    options
}

/// The options for a binding, or `None` for other objects.
pub fn options_in_binding(cx: &Cx, binding: Value, place: Place) -> Option<compiler::Options> {
    native::get::<BindingData>(&binding).map(|data| options_in(cx, data.environment, place))
}

/// Pushes the frame of code without parameters; it ends the dispatch loop. `around`: the environment that its scope
/// continues, or nil.
///
/// # Safety
/// `base` is the top of the stack, with room for the code's registers. Something keeps `around` alive while the frame
/// runs.
unsafe fn push_unit(cx: &mut Cx, body: Value, me: Value, scope: Value, around: Value, base: *mut Value, flags: u32) {
    let outer = if around.is_nil() { std::ptr::null() } else { environment::scope(around).cast_const() };
    // SAFETY: by this function's contract there is room, and the environment with the scope around lives.
    let (window, frame) = unsafe {
        let window = Window::new(base);
        (window, frames::unit(body, scope, outer, window, flags | FrameFlags::ENTRY, 0))
    };
    window.set(0, me);
    window.clear(1, code(&body).registers as usize);
    cx.push_frame(frame);
}

fn environment_code(environment: Value) -> Value {
    // SAFETY: the scope lies inside the live environment.
    unsafe { (*environment::scope(environment)).code }
}

/// The scopes that code evaluated in an environment can see, innermost first.
fn scopes_of(cx: &Cx, around: Value) -> Vec<compiler::EvalScope> {
    let mut scopes = Vec::new();
    let mut at = around;
    while !at.is_nil() {
        let body = environment_code(at);
        if !body.is_nil() {
            let c = code(&body);
            scopes.push(compiler::EvalScope::new(c.kind, &c.parameters, &c.local_names(cx)));
        }
        at = environment::outer(at);
    }
    scopes
}

/// Activates refinements (a list as in [`cref::refinements`]) in the code of a frame that follows: the frame, and the
/// scopes around it that share its lexical scope, get a copy of it. What was defined before keeps the old one.
pub fn activate_refinements(cx: &mut Cx, frame: FrameId, list: Value) {
    let Some(frame) = cx.frame_at(frame) else { return };
    let (mut scope, old) = (&raw const frame.scope, frame.scope.cref);
    let new = cref::copy(cx, old);
    cref::set_refinements(cx, new, list);
    cref::set_successor(cx, old, new);
    // SAFETY: the scope of a live frame and those around it are alive; nothing is called in between.
    unsafe {
        while !scope.is_null() && (*scope).cref == old {
            let frame = cx.frame_of_scope(scope);
            let environment = (*scope).environment;
            if environment.is_heap() {
                (*environment::scope(environment)).cref = new;
                cx.barrier(environment, new);
            }
            if let Some(frame) = frame {
                (*frame).scope.cref = new;
            }
            scope = (*scope).outer;
        }
    }
}
