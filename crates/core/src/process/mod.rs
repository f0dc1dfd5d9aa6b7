//! Process: ids, clocks, children.

mod children;
mod clock;
mod status;

use runtime::{Args, Cx, Known, Method, R, Value, define};

pub use children::set_last_status;

const METHODS: &[Method] = &[
    Method::new("clock_gettime(clock, unit = :float_second)", clock::gettime).module_function(),
    Method::new("clock_getres(clock, unit = :float_second)", clock::getres).module_function(),
    Method::new("pid", pid).module_function(),
    Method::new("ppid", parent_pid).module_function(),
    Method::new("fork { }", children::fork).module_function(),
    Method::new("wait(pid = -1, flags = 0)", children::wait).module_function(),
    Method::new("waitpid(pid = -1, flags = 0)", children::wait).module_function(),
    Method::new("wait2(pid = -1, flags = 0)", children::wait2).module_function(),
    Method::new("waitpid2(pid = -1, flags = 0)", children::wait2).module_function(),
    Method::new("last_status", children::last_status).module_function(),
    Method::new("exit!(status = false)", children::exit_now).module_function(),
    Method::new("warmup", warmup).module_function(),
    Method::new("argv0", program_name).module_function(),
];

const KERNEL: &[Method] = &[
    Method::new("fork { }", children::fork).module_function(),
    Method::new("exit!(status = false)", children::exit_now).module_function(),
];

pub fn define(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let module = define::define_module(cx, object, "Process");
    define::define_methods(cx, module, METHODS);
    clock::define_constants(cx, module);
    status::define(cx, module);
    let kernel = define::class_or_module_named(cx, "Kernel");
    define::define_methods(cx, kernel, KERNEL);
    children::define_constants(cx, module);
}

fn pid(_: &mut Cx, _: Args) -> R {
    Ok(Value::fixnum(host::process::id() as i64))
}

fn parent_pid(_: &mut Cx, _: Args) -> R {
    Ok(Value::fixnum(host::process::parent_id() as i64))
}

/// `Process.warmup → true`: collects, compacts, gives memory back.
fn warmup(cx: &mut Cx, _: Args) -> R {
    cx.mem().release_all();
    Ok(Value::TRUE)
}

fn program_name(cx: &mut Cx, _: Args) -> R {
    let name = cx.vm().options.script_name.clone();
    let name = runtime::make::text(cx, &name);
    object::string::Str(name).freeze();
    Ok(name)
}
