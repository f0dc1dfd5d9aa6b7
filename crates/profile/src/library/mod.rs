//! `require "beni/profile"`: Beni::Profile (`profile.rb`).

use std::time::Duration;

use heap::Trace;
use object::symbol::table::intern_text;
use object::{Known, native, native::NativeData, string::Str};
use runtime::sampling::{Mode, allocations::Rate};
use runtime::{Args, Cx, Method, R, Value, convert, define, internal, library, make};
use text::encoding::EncodingId;

use crate::allocations::{self, Allocations, Group};
use crate::command::refused;
use crate::formats::{collapsed, firefox, pprof, speedscope};
use crate::output::{AllocationFormat, Format};
use crate::page;
use crate::result::Profile;
use crate::tree::Lines;

/// The box of a Beni::Profile.
#[derive(Trace)]
struct Taken {
    #[trace(skip)]
    profile: Profile,
}

impl NativeData for Taken {
    object::one_vtable!(Taken);

    fn memsize(&self) -> usize {
        self.profile.samples.capacity() * size_of::<crate::result::Sample>()
    }
}

const SINGLETON: &[Method] = &[
    Method::new("__start(mode, interval)", start),
    Method::new("__stop", stop),
    Method::new("__start_allocations(bytes)", start_allocations),
    Method::new("__stop_allocations(kind)", stop_allocations),
];

const METHODS: &[Method] = &[
    Method::new("__lines", lines),
    Method::new("__methods", methods),
    Method::new("__samples", samples),
    Method::new("__write(file)", write),
    Method::new("mode", mode),
    Method::new("total", total),
    Method::new("to_html", to_html),
    Method::new("to_speedscope", to_speedscope),
    Method::new("to_firefox", to_firefox),
    Method::new("to_pprof", to_pprof),
    Method::new("to_collapsed", to_collapsed),
];

/// The box of a Beni::Profile::Allocations.
#[derive(Trace)]
struct Counted {
    #[trace(skip)]
    allocations: Allocations,
}

impl NativeData for Counted {
    object::one_vtable!(Counted);

    fn memsize(&self) -> usize {
        self.allocations.rows.capacity() * size_of::<crate::allocations::Row>()
    }
}

const ALLOCATIONS: &[Method] = &[
    Method::new("__lines", allocating_lines),
    Method::new("__classes", allocated_classes),
    Method::new("__write(file)", write_allocations),
    Method::new("to_html", allocations_html),
    Method::new("to_collapsed", allocations_collapsed),
];

/// Creates Beni::Profile.
pub fn make(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let beni = library::module(cx, object, "Beni")?;
    let class = library::class(cx, beni, "Profile", object)?;
    let singleton = object::class::singleton_class(cx, class);
    define::undefine(cx, singleton, "new");
    define::undefine(cx, singleton, "allocate");
    define::define_methods(cx, class, METHODS);
    let counted = library::class(cx, class, "Allocations", object)?;
    let counted_singleton = object::class::singleton_class(cx, counted);
    define::undefine(cx, counted_singleton, "new");
    define::undefine(cx, counted_singleton, "allocate");
    define::define_methods(cx, counted, ALLOCATIONS);
    define::define_singleton_methods(cx, class, SINGLETON);
    internal::load(cx, runtime::ruby_half!("library/profile"))
}

/// `__start(mode, interval) → nil`: starts sampling by :cpu or :wall time, at an interval in microseconds. RuntimeError
/// if sampling is already running, ArgumentError for other modes and intervals.
fn start(cx: &mut Cx, args: Args) -> R {
    let mode = match convert::to_symbol(cx, args.at(0))?.bytes(cx) {
        b"cpu" => Mode::Cpu,
        b"wall" => Mode::Wall,
        _ => return Err(cx.argument_error("mode must be :cpu or :wall")),
    };
    let interval = convert::to_i64(cx, args.at(1))?;
    if !(10..=60_000_000).contains(&interval) {
        return Err(cx.argument_error("interval must be between 10 and 60000000 microseconds"));
    }
    match crate::start(cx, mode, Duration::from_micros(interval as u64)) {
        Ok(()) => Ok(Value::NIL),
        Err(refusal) => Err(cx.runtime_error(&refused(&refusal))),
    }
}

/// `__stop → profile or nil`: stops sampling; nil if it was not running.
fn stop(cx: &mut Cx, args: Args) -> R {
    match crate::stop(cx) {
        None => Ok(Value::NIL),
        Some(profile) => Ok(native::new(cx, args.me(), Box::new(Taken { profile }))),
    }
}

/// `__start_allocations(bytes) → nil`: starts counting allocations: one per this many bytes, or every object if nil.
/// RuntimeError if something else traces allocations, ArgumentError for a bad number.
fn start_allocations(cx: &mut Cx, args: Args) -> R {
    let rate = match args.non_nil(0) {
        None => Rate::EachObject,
        Some(bytes) => match u32::try_from(convert::to_i64(cx, bytes)?) {
            Ok(bytes @ 1..) => Rate::Bytes(bytes),
            _ => return Err(cx.argument_error("sample must be a positive number of bytes")),
        },
    };
    if allocations::start(cx, rate) {
        Ok(Value::NIL)
    } else {
        Err(cx.runtime_error("allocations are being traced already"))
    }
}

/// `__stop_allocations(kind) → allocations or nil`: stops counting; nil if it was not running.
fn stop_allocations(cx: &mut Cx, args: Args) -> R {
    match allocations::stop(cx) {
        None => Ok(Value::NIL),
        Some(allocations) => Ok(native::new(cx, args.at(0), Box::new(Counted { allocations }))),
    }
}

fn counted<'a>(cx: &mut Cx, me: &'a Value) -> R<&'a Allocations> {
    match native::get::<Counted>(me) {
        Some(counted) => Ok(&counted.allocations),
        None => Err(cx.type_error("uninitialized Beni::Profile::Allocations")),
    }
}

/// `__lines → array`: each line as [path, line, objects, bytes, survived, parts], where parts are [class, objects].
fn allocating_lines(cx: &mut Cx, args: Args) -> R {
    let lines = counted(cx, args.me_ref())?.by_line();
    Ok(groups(cx, lines))
}

/// `__classes → array`: each class as [name, 0, objects, bytes, survived, parts], where parts are [line, objects].
fn allocated_classes(cx: &mut Cx, args: Args) -> R {
    let classes = counted(cx, args.me_ref())?.by_class();
    Ok(groups(cx, classes))
}

/// `to_html → string`: a self-contained page.
fn allocations_html(cx: &mut Cx, args: Args) -> R {
    let page = page::allocations::write(counted(cx, args.me_ref())?);
    Ok(make::text(cx, &page))
}

/// `to_collapsed → string`: a line for each stack, with its bytes.
fn allocations_collapsed(cx: &mut Cx, args: Args) -> R {
    let text = counted(cx, args.me_ref())?.to_collapsed();
    Ok(make::text(cx, &text))
}

/// `__write(file) → nil`: writes a page (.html) or collapsed stacks (.txt). ArgumentError for another extension,
/// SystemCallError if the file cannot be written.
fn write_allocations(cx: &mut Cx, args: Args) -> R {
    let file = Str::of(args.at(0)).to_text();
    match AllocationFormat::of_file(&file) {
        Err(message) => Err(cx.argument_error(&message)),
        Ok(format) => {
            let written = format.write(counted(cx, args.me_ref())?);
            write_file(cx, &file, written.as_bytes())
        }
    }
}

fn write_file(cx: &mut Cx, file: &str, bytes: &[u8]) -> R {
    match std::fs::write(file, bytes) {
        Ok(()) => Ok(Value::NIL),
        Err(error) => Err(cx.system_error(host::Errno(error.raw_os_error().unwrap_or(0)), file)),
    }
}

fn groups(cx: &mut Cx, groups: Vec<Group>) -> Value {
    let list = make::array(cx, &[]);
    for group in groups {
        let fields = make::array(cx, &[]);
        let name = make::text(cx, &group.name);
        make::push(cx, fields, name);
        make::push(cx, fields, Value::fixnum(i64::from(group.line)));
        for number in [group.count.objects, group.count.bytes, group.count.survived] {
            make::push(cx, fields, Value::fixnum(number.round() as i64));
        }
        let parts = make::array(cx, &[]);
        for (name, count) in group.parts {
            let name = make::text(cx, &name);
            let part = make::array(cx, &[name, Value::fixnum(count.objects.round() as i64)]);
            make::push(cx, parts, part);
        }
        make::push(cx, fields, parts);
        make::push(cx, list, fields);
    }
    list
}

fn own<'a>(cx: &mut Cx, me: &'a Value) -> R<&'a Profile> {
    match native::get::<Taken>(me) {
        Some(taken) => Ok(&taken.profile),
        None => Err(cx.type_error("uninitialized Beni::Profile")),
    }
}

fn seconds(cx: &mut Cx, nanoseconds: u64) -> Value {
    object::float::new(cx, nanoseconds as f64 / 1e9)
}

/// `__lines → array`: [path, line, method, own seconds, total seconds, source] of each line.
fn lines(cx: &mut Cx, args: Args) -> R {
    let profile = own(cx, args.me_ref())?;
    let list = make::array(cx, &[]);
    let mut texts = Lines::new(&profile.tree);
    for row in profile.by_line() {
        let function = &profile.tree.functions[row.function as usize];
        let fields = make::array(cx, &[]);
        let path = make::text(cx, &function.path);
        make::push(cx, fields, path);
        make::push(cx, fields, Value::fixnum(i64::from(row.line)));
        let name = make::text(cx, &function.name);
        make::push(cx, fields, name);
        for time in [row.cost.own, row.cost.total] {
            let time = seconds(cx, time);
            make::push(cx, fields, time);
        }
        let source = match texts.line(&function.path, row.line) {
            Some(source) => make::text(cx, &source),
            None => Value::NIL,
        };
        make::push(cx, fields, source);
        make::push(cx, list, fields);
    }
    Ok(list)
}

/// `__methods → array`: [name, path, line, kind, own seconds, total seconds] of each method.
fn methods(cx: &mut Cx, args: Args) -> R {
    let profile = own(cx, args.me_ref())?;
    let list = make::array(cx, &[]);
    for (number, cost) in profile.by_method() {
        let function = &profile.tree.functions[number as usize];
        let fields = make::array(cx, &[]);
        let name = make::text(cx, &function.name);
        make::push(cx, fields, name);
        let path = if function.path.is_empty() { Value::NIL } else { make::text(cx, &function.path) };
        make::push(cx, fields, path);
        make::push(cx, fields, Value::fixnum(i64::from(function.first_line)));
        let kind = intern_text(cx, function.kind.name()).value();
        make::push(cx, fields, kind);
        for time in [cost.own, cost.total] {
            let time = seconds(cx, time);
            make::push(cx, fields, time);
        }
        make::push(cx, list, fields);
    }
    Ok(list)
}

/// `__samples → array`: [seconds since the start, weight in seconds, thread, frames] of each sample; frames are [name,
/// path, line, kind, compiled], innermost first.
fn samples(cx: &mut Cx, args: Args) -> R {
    let profile = own(cx, args.me_ref())?;
    let list = make::array(cx, &[]);
    for sample in &profile.samples {
        let frames = make::array(cx, &[]);
        for node in profile.tree.chain(sample.node) {
            let (place, function) = (profile.tree.place_of(node), profile.tree.function_of(node));
            let fields = make::array(cx, &[]);
            let name = make::text(cx, &function.name);
            make::push(cx, fields, name);
            let path = if function.path.is_empty() { Value::NIL } else { make::text(cx, &function.path) };
            make::push(cx, fields, path);
            make::push(cx, fields, Value::fixnum(i64::from(place.line)));
            let kind = intern_text(cx, function.kind.name()).value();
            make::push(cx, fields, kind);
            make::push(cx, fields, Value::bool(place.is_compiled));
            make::push(cx, frames, fields);
        }
        let (time, weight) = (sample.time.saturating_sub(profile.began), sample.weight);
        let fields = make::array(cx, &[]);
        for time in [time, weight] {
            let time = seconds(cx, time);
            make::push(cx, fields, time);
        }
        make::push(cx, fields, Value::fixnum(i64::from(sample.thread)));
        make::push(cx, fields, frames);
        make::push(cx, list, fields);
    }
    Ok(list)
}

/// `__write(file) → nil`: writes the profile in the format of the file's extension. ArgumentError for an unknown
/// extension, SystemCallError if the file cannot be written.
fn write(cx: &mut Cx, args: Args) -> R {
    let file = Str::of(args.at(0)).to_text();
    let format = match Format::of_file(&file) {
        Ok(format) => format,
        Err(message) => return Err(cx.argument_error(&message)),
    };
    let written = format.write(own(cx, args.me_ref())?);
    write_file(cx, &file, &written)
}

/// `mode → symbol`: :cpu or :wall, the clock of its times.
fn mode(cx: &mut Cx, args: Args) -> R {
    let name = match own(cx, args.me_ref())?.mode {
        Mode::Cpu => "cpu",
        Mode::Wall => "wall",
    };
    Ok(intern_text(cx, name).value())
}

/// `total → float`: the number of seconds that all samples represent.
fn total(cx: &mut Cx, args: Args) -> R {
    let total = own(cx, args.me_ref())?.total();
    Ok(seconds(cx, total))
}

/// `to_html → string`: a self-contained page.
fn to_html(cx: &mut Cx, args: Args) -> R {
    let page = page::profile::write(own(cx, args.me_ref())?);
    Ok(make::text(cx, &page))
}

/// `to_speedscope → string`: for speedscope.
fn to_speedscope(cx: &mut Cx, args: Args) -> R {
    let text = speedscope::write(own(cx, args.me_ref())?);
    Ok(make::text(cx, &text))
}

/// `to_firefox → string`: for the Firefox Profiler.
fn to_firefox(cx: &mut Cx, args: Args) -> R {
    let text = firefox::write(own(cx, args.me_ref())?);
    Ok(make::text(cx, &text))
}

/// `to_pprof → string`: for pprof, compressed.
fn to_pprof(cx: &mut Cx, args: Args) -> R {
    let bytes = pprof::write(own(cx, args.me_ref())?);
    Ok(make::string(cx, &bytes, EncodingId::BINARY))
}

/// `to_collapsed → string`: a line for each stack, with its microseconds.
fn to_collapsed(cx: &mut Cx, args: Args) -> R {
    let text = collapsed::write(own(cx, args.me_ref())?);
    Ok(make::text(cx, &text))
}
