//! IO: streams of bytes and characters over descriptors.
//!
//! - `data`: the state of a stream, its buffers; `mode`: open modes; `open`: creating streams, select.
//! - `read`, `lines`, `output`: bytes, characters, lines; `receive`, `copy`: many bytes, without copies.
//! - `control`: everything else; `path`: paths as arguments.
//! - `io.rb`: methods that yield or are composed of others.

pub mod buffer;
mod closing;
mod control;
mod copy;
pub mod data;
mod flusher;
mod hooks;
mod lines;
pub mod mode;
mod newlines;
pub mod open;
pub mod output;
pub mod path;
pub mod read;
mod receive;

pub use control::set_standard_encodings;

use host::Fd;
use object::native;
use runtime::{Cx, Known, Method, Root, Value, define, internal};

use data::IoData;

pub const METHODS: &[Method] = &[
    Method::new("initialize(fd, mode = nil, **options)", open::initialize).private(),
    Method::new("initialize_copy(other)", control::initialize_copy).private(),
    Method::new("reopen(other, mode = nil, **options)", control::reopen),
    Method::new("write(*objects)", output::write).borrows_all(),
    Method::new("print(*objects)", output::print).borrows_all(),
    Method::new("printf(*arguments)", output::printf).borrows_all(),
    Method::new("puts(*objects)", output::puts).borrows_all(),
    Method::new("<<(object)", output::append).borrows(0),
    Method::new("putc(character)", output::putc).borrows(0),
    Method::new("flush", output::flush),
    Method::new("sync", output::sync),
    Method::new("sync=(on)", output::set_sync),
    Method::new("read(length = nil, buffer = nil)", read::read),
    Method::new("readpartial(length, buffer = nil)", read::readpartial),
    Method::new("__read_nonblock(length, buffer = nil)", read::read_nonblock).private(),
    Method::new("__write_nonblock(object)", control::write_nonblock).private(),
    Method::new("sysread(length, buffer = nil)", read::sysread),
    Method::new("syswrite(object)", control::syswrite).borrows(0),
    Method::new("pread(length, offset, buffer = nil)", read::pread),
    Method::new("pwrite(object, offset)", read::pwrite).borrows(0),
    Method::new("getbyte", read::getbyte),
    Method::new("readbyte", read::readbyte),
    Method::new("getc", read::getc),
    Method::new("readchar", read::readchar),
    Method::new("ungetc(character)", read::ungetc),
    Method::new("ungetbyte(byte)", read::ungetbyte),
    Method::new("eof?", read::is_eof),
    Method::new("gets(separator = $/, limit = nil, chomp: false)", lines::gets).borrows(0),
    Method::new("readline(separator = $/, limit = nil, chomp: false)", lines::readline).borrows(0),
    Method::new("readlines(separator = $/, limit = nil, chomp: false)", lines::readlines).borrows(0),
    Method::new("__copy_in_kernel(target, length)", copy::copy_in_kernel).private(),
    Method::new("__foreach(separator = $/, limit = nil, chomp: false)", lines::foreach).private(),
    Method::new("__each_line(separator = $/, limit = nil, chomp: false)", lines::each_line).private(),
    Method::new("__each_byte", read::each_byte).private(),
    Method::new("__each_char", read::each_char).private(),
    Method::new("lineno", lines::lineno),
    Method::new("lineno=(number)", lines::set_lineno),
    Method::new("close", control::close),
    Method::new("__forget_process", control::forget_process).private(),
    Method::new("closed?", control::is_closed),
    Method::new("close_read", control::close_read),
    Method::new("close_write", control::close_write),
    Method::new("fileno", control::fileno),
    // Whether it reads from one descriptor and writes to another.
    Method::new("__duplex?", |cx, args| Ok(Value::bool(data::open_data(cx, args.me())?.writer.is_some()))).private(),
    Method::new("tty?", control::is_terminal),
    Method::new("pid", control::pid),
    Method::new("path", control::path_of),
    Method::new("inspect", control::inspect),
    Method::new("seek(offset, whence = 0)", control::seek),
    Method::new("sysseek(offset, whence = 0)", control::sysseek),
    Method::new("pos", control::pos),
    Method::new("pos=(offset)", control::set_pos),
    Method::new("rewind", control::rewind),
    Method::new("fsync", control::fsync),
    Method::new("fdatasync", control::fdatasync),
    Method::new("binmode", control::binmode),
    Method::new("binmode?", control::is_binmode),
    Method::new("external_encoding", control::external_encoding),
    Method::new("internal_encoding", control::internal_encoding),
    Method::new("set_encoding(external, internal = nil, **options)", control::set_encoding),
    Method::new("set_encoding_by_bom", control::set_encoding_by_bom),
    Method::new("autoclose?", control::is_autoclose),
    Method::new("autoclose=(on)", control::set_autoclose),
    Method::new("close_on_exec?", control::is_close_on_exec),
    Method::new("close_on_exec=(on)", control::set_close_on_exec),
    Method::new("fcntl(command, argument = 0)", control::fcntl),
    Method::new("ioctl(request, argument = 0)", control::ioctl),
    Method::new("timeout", control::timeout),
    Method::new("timeout=(seconds)", control::set_timeout),
    Method::new("__wait(events, timeout, checked = false)", open::wait).private(),
];

const SINGLETON: &[Method] = &[
    Method::new("allocate", open::allocate),
    Method::new("__pipe", open::pipe).private(),
    Method::new("__line_arguments(*arguments)", lines::line_arguments).private(),
    Method::new("__join(reader, writer, pid, mode, **options)", open::join).private(),
    Method::new("sysopen(path, mode = nil, permissions = nil)", open::sysopen).borrows(0).borrows(1),
    Method::new("select(read, write = nil, except = nil, timeout = nil)", open::select),
    Method::new("try_convert(object)", open::try_convert),
];

const KERNEL: &[Method] = &[
    Method::new("puts(*objects)", output::kernel_puts).borrows_all().module_function(),
    Method::new("print(*objects)", output::kernel_print).borrows_all().module_function(),
    Method::new("p(*objects)", output::kernel_p).module_function(),
];

/// A new IO for one of the descriptors that every process has: 0, 1 or 2.
pub fn standard_stream(cx: &mut Cx, fd: usize) -> Value {
    let mut data = IoData::new(Some(Fd(fd as i32)), fd == 0, fd != 0);
    data.sync = fd == 2;
    data.terminal = (fd != 1).then_some(false);
    data.autoclose = false;
    let name = ["<STDIN>", "<STDOUT>", "<STDERR>"][fd];
    data.path = runtime::make::interned(cx, name);
    let class = cx.class(Known::Io);
    native::new(cx, class, Box::new(data))
}

/// Fills the class and creates the standard streams.
pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Io);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    define::synonyms(cx, class, &[("eof", "eof?"), ("isatty", "tty?"), ("tell", "pos"), ("to_path", "path")]);
    define::aliases(cx, class, &[("to_i", "fileno")]);
    let kernel = define::class_or_module_named(cx, "Kernel");
    define::define_methods(cx, kernel, KERNEL);
    let object = cx.class(Known::Object);
    let streams = [
        ("STDIN", Root::Stdin, Root::StandardInput),
        ("STDOUT", Root::Stdout, Root::StandardOutput),
        ("STDERR", Root::Stderr, Root::StandardError),
    ];
    for (fd, (constant, root, global)) in streams.into_iter().enumerate() {
        let io = standard_stream(cx, fd);
        let name = object::symbol::table::intern_text(cx, constant);
        define::set_constant(cx, object, name, io);
        cx.set_root(global, io);
        cx.set_root(root, io);
    }
    for (name, number) in [
        ("SEEK_SET", 0),
        ("SEEK_CUR", 1),
        ("SEEK_END", 2),
        ("SEEK_DATA", 3),
        ("SEEK_HOLE", 4),
        ("READABLE", 1),
        ("PRIORITY", 2),
        ("WRITABLE", 4),
    ] {
        let name = object::symbol::table::intern_text(cx, name);
        define::set_constant(cx, class, name, Value::fixnum(number));
    }
    buffer::define(cx);
}

/// Puts back bytes read from standard input together with the script.
pub fn give_back_input(cx: &mut Cx, bytes: &[u8]) {
    let input = cx.root(runtime::Root::Stdin);
    if let Some(data) = native::get_mut::<IoData>(cx, input) {
        data.put_back(bytes);
    }
}

/// Writes the buffered bytes of all streams: the standard ones, and files that were not closed.
pub fn flush_all(cx: &mut Cx) {
    let class = cx.class(Known::Io);
    if data::was_written_to()
        && let Ok(streams) = crate::object_space::instances(cx, Some(class))
    {
        streams.iter().for_each(|stream| flush_open(cx, stream));
        return;
    }
    flush_open(cx, cx.root(runtime::Root::Stdout));
    flush_open(cx, cx.root(runtime::Root::Stderr));
}

fn flush_open(cx: &mut Cx, stream: Value) {
    let is_open = native::get::<IoData>(&stream).is_some_and(|data| data.initialized && data.fd.is_some());
    if is_open && let Err(unwind) = data::flush(cx, stream) {
        let _ = cx.take_exception(unwind);
    }
}

/// Loads the Ruby half, after File and Process are defined.
pub fn load(cx: &mut Cx) {
    internal::load(cx, runtime::ruby_half!("io/io")).expect("the Ruby half of IO runs");
}

/// Loads the Ruby halves of IO and the related classes, in the order of their dependencies.
pub fn load_all(cx: &mut Cx) {
    load(cx);
    internal::load(cx, runtime::ruby_half!("file/stat")).expect("the Ruby half of File::Stat runs");
    crate::dir::load(cx);
    crate::env::load(cx);
    crate::process::load(cx);
    crate::argf::load(cx);
}
