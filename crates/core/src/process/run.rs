//! Running programs: fork, spawn, exec. The Ruby half parses the arguments.

use host::{
    Fd,
    process::{self, Command, ProcessGroup, Status},
};
use object::array::Arr;
use runtime::{
    Args, Cx, R, Unwind, Value, call, concurrency, convert, isolation,
    unwind::{Reason, Unwinding},
};

use super::status;
use crate::io::data;

/// `fork { } → integer or nil`: of Process and Kernel; returns the child's id, nil in the child. With a block the child
/// runs it and exits. SystemCallError if the system call fails.
pub fn fork(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    let name = object::symbol::table::intern_text(cx, "_fork");
    let module = cx.root(runtime::Root::Process);
    let pid = call::send_unwatched(cx, module, name, &[])?;
    let pid = Value::fixnum(convert::to_i32(cx, pid)?.into());
    if pid != Value::fixnum(0) {
        return Ok(pid);
    }
    if block.is_none() {
        return Ok(Value::NIL);
    }
    let result = call::yield_values(cx, block, &[]);
    let leaves = result.is_err() && warn_of_jump(cx);
    let finish = cx.vm().hooks.finish;
    let status = finish(cx, result);
    host::process::exit_immediately(if leaves { 1 } else { status.into() })
}

/// If the block of `fork` is being left by a jump, whose target is not in the child: reports that.
fn warn_of_jump(cx: &mut Cx) -> bool {
    let what = match cx.unwinding.reason {
        Reason::Break => "break",
        Reason::Return => "return",
        Reason::Throw => "throw",
        _ => return false,
    };
    let (path, line) = runtime::backtrace::caller_position(cx).unwrap_or_default();
    let jump = std::mem::replace(&mut cx.unwinding, Unwinding::none());
    let text = runtime::make::text(cx, &format!("{path}:{line}:in 'fork': unexpected {what}"));
    // The report is all that this is for; if it fails, there is no one to tell.
    let _ = crate::kernel::output::write_line_to(cx, "$stderr", text);
    cx.unwinding = jump;
    true
}

/// `Process._fork → integer`: the system call of `fork`, for libraries to override: the child's id, 0 in the child.
pub fn fork_only(cx: &mut Cx, _: Args) -> R {
    isolation::access::check_main(cx, "can not fork from non-main Ractors")?;
    data::flush_standard(cx)?;
    Ok(Value::fixnum(concurrency::process::fork(cx)?.unwrap_or(0) as i64))
}

fn bytes(cx: &mut Cx, v: Value) -> R<Vec<u8>> {
    let s = convert::to_str(cx, v)?;
    let bytes = s.to_vector();
    if bytes.contains(&0) {
        return Err(cx.argument_error("string contains null byte"));
    }
    Ok(bytes)
}

/// The command that the arguments of `__spawn` and `__exec` describe. environment: nil or [name, value or nil, …]
/// (first element true: replaces the environment); arguments: one command line, or [program, name, arguments…];
/// redirects: [target, source, …], a source of nil to close; options: [directory, umask, group, close_others, child
/// redirects, limits, terminal, group id, user id].
fn command(cx: &mut Cx, args: Args) -> R<Command> {
    let list = args.at(1);
    // Programs can call `__spawn` and `__exec` with any arguments.
    if args.all()[1..4].iter().any(|v| Arr::from_value(*v).is_none()) || Arr::of(list).is_empty() {
        return Err(cx.type_error("no command for a process"));
    }
    let mut command = if Arr::of(list).len() == 1 {
        let line = Arr::of(list).get(0).unwrap_or(Value::NIL);
        let line = bytes(cx, line)?;
        Command::from_line(&line)
    } else {
        let mut words = Vec::new();
        let mut i = 0;
        while let Some(v) = Arr::of(list).get(i) {
            words.push(bytes(cx, v)?);
            i += 1;
        }
        let program = words.remove(0);
        Command { program, arguments: words, ..Command::default() }
    };
    if let Some(list) = Arr::from_value(args.at(0)) {
        let mut variables = if list.get(0) == Some(Value::TRUE) { Vec::new() } else { host::environment::all() };
        let mut i = 1;
        while let (Some(name), Some(value)) = (list.get(i), list.get(i + 1)) {
            let name = bytes(cx, name)?;
            variables.retain(|(known, _)| *known != name);
            if !value.is_nil() {
                let value = bytes(cx, value)?;
                variables.push((name, value));
            }
            i += 2;
        }
        command.environment = Some(variables);
    }
    let redirects = Arr::of(args.at(2));
    let mut i = 0;
    while let (Some(target), Some(source)) = (redirects.get(i), redirects.get(i + 1)) {
        let target = Fd(convert::to_i32(cx, target)?);
        if source.is_nil() {
            command.closed.push(target);
        } else {
            command.redirects.push((target, Fd(convert::to_i32(cx, source)?)));
        }
        i += 2;
    }
    let options = Arr::of(args.at(3));
    let option = |i: usize| options.get(i).unwrap_or(Value::NIL);
    if !option(0).is_nil() {
        command.directory = Some(crate::io::path::path_bytes(cx, option(0))?);
    }
    if !option(1).is_nil() {
        command.umask = Some(convert::to_i32(cx, option(1))? as u32);
    }
    command.group = match option(2) {
        Value::NIL | Value::FALSE => ProcessGroup::Inherited,
        Value::TRUE => ProcessGroup::New,
        v => match convert::to_i32(cx, v)? {
            0 => ProcessGroup::New,
            group if group < 0 => return Err(cx.argument_error(&format!("negative process group ID : {group}"))),
            group => ProcessGroup::Join(group),
        },
    };
    command.close_others = option(3).truthy();
    if let Some(children) = Arr::from_value(option(4)) {
        let mut i = 0;
        while let (Some(target), Some(source)) = (children.get(i), children.get(i + 1)) {
            command.child_redirects.push((Fd(convert::to_i32(cx, target)?), Fd(convert::to_i32(cx, source)?)));
            i += 2;
        }
    }
    if let Some(limits) = Arr::from_value(option(5)) {
        let mut i = 0;
        while let (Some(resource), Some(soft), Some(hard)) = (limits.get(i), limits.get(i + 1), limits.get(i + 2)) {
            let values = process::Limits { soft: super::limit(cx, soft)?, hard: super::limit(cx, hard)? };
            command.limits.push((convert::to_i32(cx, resource)? as u32, values));
            i += 3;
        }
    }
    if !option(6).is_nil() {
        command.terminal = Some(Fd(convert::to_i32(cx, option(6))?));
    }
    if !option(7).is_nil() {
        command.group_id = Some(convert::to_i64(cx, option(7))? as u32);
    }
    if !option(8).is_nil() {
        command.user_id = Some(convert::to_i64(cx, option(8))? as u32);
    }
    Ok(command)
}

fn failed(cx: &mut Cx, failure: process::Failure, command: &Command) -> Unwind {
    let text = match failure.step {
        Some("chdir") => memory::lossy_text(command.directory.as_deref().unwrap_or_default()),
        Some(step) => step.to_string(),
        None => memory::lossy_text(&command.program),
    };
    cx.system_error(failure.errno, &text)
}

/// `Process.__spawn(environment, arguments, redirects, options) → integer`: starts a program as a child process and
/// returns its id. SystemCallError if it cannot be started, with `$?` set to 127. The Ruby half parses the arguments.
pub fn spawn(cx: &mut Cx, args: Args) -> R {
    let command = command(cx, args)?;
    data::flush_standard(cx)?;
    match command.spawn() {
        Ok(pid) => Ok(Value::fixnum(pid as i64)),
        Err(failure) => {
            status::set_last(cx, 0, Status::from_exit_code(127));
            Err(failed(cx, failure, &command))
        }
    }
}

/// `Process.__exec(environment, arguments, redirects, options)`: replaces the process by another program; it returns
/// only to raise SystemCallError. Buffered output is lost, as in CRuby.
pub fn exec(cx: &mut Cx, args: Args) -> R {
    let command = command(cx, args)?;
    runtime::sampling::process_ends(cx);
    let failure = command.exec();
    Err(failed(cx, failure, &command))
}
