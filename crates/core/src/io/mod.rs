//! IO: streams of bytes and characters over descriptors.

pub mod data;
mod output;

use host::Fd;
use object::native;
use runtime::{Cx, Known, Method, R, Sym, Value, define, error::ErrorClass, globals::Accessors};

use data::IoData;

pub const METHODS: &[Method] = &[
    Method::new("write(*objects)", output::write),
    Method::new("print(*objects)", output::print),
    Method::new("puts(*objects)", output::puts),
    Method::new("<<(object)", output::append),
    Method::new("flush", output::flush),
    Method::new("sync", output::sync),
    Method::new("sync=(on)", output::set_sync),
];

const KERNEL: &[Method] = &[
    Method::new("puts(*objects)", output::kernel_puts).module_function(),
    Method::new("print(*objects)", output::kernel_print).module_function(),
    Method::new("p(*objects)", output::kernel_p).module_function(),
];

/// Fills the class and makes the standard streams.
pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Io);
    define::define_methods(cx, class, METHODS);
    let kernel = define::class_or_module_named(cx, "Kernel");
    define::define_methods(cx, kernel, KERNEL);
    let object = cx.class(Known::Object);
    for (fd, constant, global) in [(0, "STDIN", "$stdin"), (1, "STDOUT", "$stdout"), (2, "STDERR", "$stderr")] {
        let mut data = IoData::new(Some(Fd(fd)), fd == 0, fd != 0);
        data.sync = fd == 2;
        let io = native::new(cx, class, Box::new(data));
        let name = object::symbol::table::intern_text(cx, constant);
        define::set_constant(cx, object, name, io);
        cx.set_root(global, io);
    }
    cx.define_global(
        "$stdin",
        Accessors { get: |cx, _| Ok(cx.root("$stdin")), set: Some(|cx, _, v| {
            let _: () = cx.set_root("$stdin", v);
            Ok(())
        }) },
    );
    cx.define_global(
        "$stdout",
        Accessors { get: |cx, _| Ok(cx.root("$stdout")), set: Some(|cx, n, v| set_output(cx, n, "$stdout", v)) },
    );
    cx.define_global(
        "$>",
        Accessors { get: |cx, _| Ok(cx.root("$stdout")), set: Some(|cx, n, v| set_output(cx, n, "$stdout", v)) },
    );
    cx.define_global(
        "$stderr",
        Accessors { get: |cx, _| Ok(cx.root("$stderr")), set: Some(|cx, n, v| set_output(cx, n, "$stderr", v)) },
    );
}

/// Sets `$stdout` or `$stderr`: TypeError unless it can write.
fn set_output(cx: &mut Cx, name: Sym, root: &'static str, v: Value) -> R<()> {
    if !runtime::call::responds(cx, v, runtime::sym::WRITE, false)? {
        let (text, class) = (name.to_text(cx), runtime::error::class_name_of(cx, v));
        return Err(cx.raise(ErrorClass::TypeError, &format!("{text} must have write method, {class} given")));
    }
    cx.set_root(root, v);
    Ok(())
}
