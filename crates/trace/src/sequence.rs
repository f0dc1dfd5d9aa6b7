//! RubyVM::InstructionSequence: code as an object.

use crate::options;
use abi::{Type, Value};
use bytecode::{Kind, sequence::Events};
use object::{Known, array::Arr, cell, native, proc, string::Str, symbol::table::intern_text};
use runtime::{
    Args, Cx, Method, R, call,
    code::{self, Code},
    convert, define, eval, make, method_object,
};

use crate::point;

const METHODS: &[Method] = &[
    Method::new("disasm", disasm),
    Method::new("disassemble", disasm),
    Method::new("trace_points", trace_points),
    Method::new("each_child", each_child),
    Method::new("path", path),
    Method::new("absolute_path", absolute_path),
    Method::new("label", label),
    Method::new("base_label", base_label),
    Method::new("first_lineno", first_line),
    Method::new("first_line", first_line),
    Method::new("last_line", last_line),
    Method::new("eval", evaluate),
    Method::new("inspect", inspect),
    Method::new("to_a", to_a),
    Method::new("script_lines", script_lines),
    Method::new("type", kind),
    Method::new("parameters_symbols", parameters_symbols),
];

const SINGLETON: &[Method] = &[
    Method::new("of(body)", of),
    Method::new("compile(source, file = nil, path = nil, line = 1, options = nil, **keywords)", compile),
    Method::new("new(source, file = nil, path = nil, line = 1, options = nil, **keywords)", compile),
    Method::new("compile_prism(source, file = nil, path = nil, line = 1, options = nil, **keywords)", compile),
    Method::new("compile_file(file, **keywords)", compile_file),
    Method::new("compile_file_prism(file, **keywords)", compile_file),
    Method::new("compile_option", options::get),
    Method::new("compile_option=(options)", options::set),
    Method::new("disasm(body)", disasm_of),
    Method::new("disassemble(body)", disasm_of),
];

const OBJECT_SPACE: &[Method] = &[Method::new("each_iseq", each_iseq), Method::new("count_iseq", count_iseq)];

pub fn define(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let vm = define::define_class(cx, object, "RubyVM", object);
    let class = cx.class(Known::InstructionSequence);
    let name = intern_text(cx, "InstructionSequence");
    define::set_constant(cx, vm, name, class);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    let space = define::define_module(cx, object, "ObjectSpace");
    define::define_singleton_methods(cx, space, OBJECT_SPACE);
}

/// The code of a Proc, Method, UnboundMethod or InstructionSequence.
pub fn code_of(v: Value) -> Option<Value> {
    if native::get::<Code>(v).is_some() {
        return Some(v);
    }
    if let Some(method) = method_object::get(v) {
        if method.missing {
            return None;
        }
        let body = core_classes::method::body_of(method.entry);
        return (!body.is_nil() && !code::code(body).internal).then_some(body);
    }
    if !cell::is(v, Type::Proc) {
        return None;
    }
    let header = cell::header(v);
    if header.has(proc::FROM_METHOD) {
        return method_object::get(proc::code(v)).map(|_| proc::code(v)).and_then(code_of);
    }
    (!header.has(proc::NATIVE | proc::FROM_SYMBOL)).then(|| proc::code(v))
}

fn own(args: Args) -> &'static Code {
    code::code(args.me())
}

fn of(cx: &mut Cx, args: Args) -> R {
    let v = args.at(0);
    if let Some(body) = code_of(v) {
        return Ok(body);
    }
    if method_object::get(v).is_some() || cell::is(v, Type::Proc) {
        return Ok(Value::NIL);
    }
    let class = runtime::error::class_name_of(cx, v);
    Err(cx.type_error(&format!("wrong argument type {class} (expected Proc/Method/RubyVM::InstructionSequence)")))
}

fn compile_source(cx: &mut Cx, source: &[u8], path: String, line: i32) -> R {
    let mut options = compiler::Options::new(path, compiler::SourceKind::Required);
    options.first_line = line;
    match compiler::compile(source, &options) {
        Ok(mut sequence) => {
            sequence.name = "<compiled>".into();
            Ok(code::link(cx, &sequence))
        }
        // The compiler of the runtime raises the error.
        Err(_) => eval::compile(cx, source, &options),
    }
}

fn compile(cx: &mut Cx, args: Args) -> R {
    let source = convert::to_str(cx, args.at(0))?;
    let path = match args.non_nil(1) {
        Some(v) => Str(convert::to_str(cx, v)?).bytes().to_vec(),
        None => b"<compiled>".to_vec(),
    };
    let line = match args.non_nil(3) {
        Some(v) => convert::to_i64(cx, v)? as i32,
        None => 1,
    };
    let source = Str(source).bytes().to_vec();
    compile_source(cx, &source, String::from_utf8_lossy(&path).into_owned(), line)
}

fn compile_file(cx: &mut Cx, args: Args) -> R {
    let path = convert::to_str(cx, args.at(0))?;
    let path = String::from_utf8_lossy(Str(path).bytes()).into_owned();
    match std::fs::read(&path) {
        Ok(source) => compile_source(cx, &source, path, 1),
        Err(error) => {
            let errno = host::Errno(error.raw_os_error().unwrap_or(2));
            Err(cx.system_error(errno, &format!(" @ rb_sysopen - {path}")))
        }
    }
}

fn evaluate(cx: &mut Cx, args: Args) -> R {
    eval::run_file(cx, args.me(), None)
}

fn listing(c: &Code) -> String {
    let (name, path) = (c.label(), &c.source.path);
    let mut text = format!(
        "== disasm: #<ISeq:{name}@{path}:{} ({},{})-({},{})>\n",
        c.first_line, c.first_line, c.first_column, c.last_line, c.last_column
    );
    let mut last = 0;
    for word in 0..c.instructions.len() {
        let i = c.instruction(word);
        let line = c.line(word);
        let mark = if line == last { String::new() } else { format!("({line:>4})") };
        last = line;
        let events = c.events.iter().find(|(w, _)| *w as usize == word).map_or(String::new(), |(_, e)| {
            let short = [
                (1u16, "Li"),
                (2, "Cl"),
                (4, "En"),
                (8, "Ca"),
                (16, "Re"),
                (0x100, "Bc"),
                (0x200, "Br"),
                (0x4000, "Rs"),
            ];
            let names: Vec<&str> = short.iter().filter(|(b, _)| e.0 & b != 0).map(|(_, n)| *n).collect();
            format!("[{}]", names.join(""))
        });
        let line = format!("{word:04} {:<23} {:>5} {:>5} {:>5} {mark}{events}", i.op().name(), i.a, i.b, i.c);
        text.push_str(line.trim_end());
        text.push('\n');
    }
    for child in &c.children {
        text.push('\n');
        text.push_str(&listing(code::code(child.get())));
    }
    text
}

fn disasm(cx: &mut Cx, args: Args) -> R {
    let text = listing(own(args));
    Ok(make::text(cx, &text))
}

fn disasm_of(cx: &mut Cx, args: Args) -> R {
    match code_of(args.at(0)) {
        Some(body) => {
            let text = listing(code::code(body));
            Ok(make::text(cx, &text))
        }
        None => Ok(Value::NIL),
    }
}

const ORDER: [u16; 8] = [
    Events::CALL,
    Events::B_CALL,
    Events::CLASS,
    Events::RESCUE,
    Events::LINE,
    Events::B_RETURN,
    Events::RETURN,
    Events::END,
];

/// `[[line, :event], …]`
fn trace_points(cx: &mut Cx, args: Args) -> R {
    let list = make::array(cx, &[]);
    let c = own(args);
    for (word, events) in &c.events {
        for bit in ORDER.into_iter().filter(|bit| events.0 & bit != 0) {
            let name = intern_text(cx, point::name_of(bit as u32));
            let line = Value::fixnum(c.event_line(*word as usize, bit) as i64);
            let row = make::array(cx, &[line, name.0]);
            make::push(cx, list, row);
        }
    }
    Ok(list)
}

fn each_child(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    for child in &own(args).children {
        call::yield_one(cx, block, child.get())?;
    }
    Ok(Value::NIL)
}

fn path(cx: &mut Cx, args: Args) -> R {
    Ok(make::text(cx, &own(args).source.path))
}

fn absolute_path(cx: &mut Cx, args: Args) -> R {
    Ok(match &own(args).source.absolute_path {
        Some(path) => make::text(cx, path),
        None => Value::NIL,
    })
}

fn label(cx: &mut Cx, args: Args) -> R {
    Ok(make::text(cx, &own(args).label()))
}

fn base_label(cx: &mut Cx, args: Args) -> R {
    Ok(make::text(cx, &own(args).name))
}

fn first_line(_: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(own(args).first_line as i64))
}

fn last_line(_: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(own(args).last_line as i64))
}

fn inspect(cx: &mut Cx, args: Args) -> R {
    let c = own(args);
    let text = format!("<RubyVM::InstructionSequence:{}@{}:{}>", c.label(), c.source.path, c.first_line);
    Ok(make::text(cx, &text))
}

fn kind_name(c: &Code) -> &'static str {
    match c.kind {
        Kind::Top => "top",
        Kind::Method => "method",
        Kind::Block | Kind::Lambda => "block",
        Kind::Class => "class",
        Kind::Eval => "eval",
        Kind::Once => "plain",
    }
}

fn kind(cx: &mut Cx, args: Args) -> R {
    Ok(intern_text(cx, kind_name(own(args))).0)
}

fn names(cx: &mut Cx, c: &Code, most: usize) -> Value {
    let list = make::array(cx, &[]);
    for (name, _) in c.locals.iter().take(most) {
        if !name.0.is_undef() {
            make::push(cx, list, name.0);
        }
    }
    list
}

fn parameters_symbols(cx: &mut Cx, args: Args) -> R {
    let c = own(args);
    Ok(names(cx, c, c.parameter_count as usize))
}

fn script_lines(cx: &mut Cx, args: Args) -> R {
    let c = own(args);
    if !c.source.lines_kept {
        return Ok(Value::NIL);
    }
    let list = make::array(cx, &[]);
    let encoding = code::encoding_id(c.source.encoding);
    for line in c.source.text.split_inclusive(|b| *b == b'\n') {
        let line = make::string(cx, line, encoding);
        make::push(cx, list, line);
    }
    Ok(list)
}

/// The form that debuggers read: index 13 holds line numbers, `:RUBY_EVENT_…` and instructions.
fn to_a(cx: &mut Cx, args: Args) -> R {
    let c = own(args);
    let magic = make::text(cx, "YARVInstructionSequence/SimpleDataFormat");
    let misc = object::hash::HashRef::new(cx).0;
    let (label, path_) = (make::text(cx, &c.label()), make::text(cx, &c.source.path));
    let real = absolute_path(cx, args)?;
    let ty = intern_text(cx, kind_name(c)).0;
    let locals = names(cx, c, usize::MAX);
    let (parameters, catches) = (object::hash::HashRef::new(cx).0, make::array(cx, &[]));
    let body = make::array(cx, &[]);
    let mut last = -1;
    for word in 0..c.instructions.len() {
        let line = c.line(word);
        if line != last {
            last = line;
            make::push(cx, body, Value::fixnum(line as i64));
        }
        if let Some((_, events)) = c.events.iter().find(|(w, _)| *w as usize == word) {
            for bit in ORDER.into_iter().filter(|bit| events.0 & bit != 0) {
                let line = c.event_line(word, bit);
                if line != last {
                    last = line;
                    make::push(cx, body, Value::fixnum(line as i64));
                }
                let name = format!("RUBY_EVENT_{}", point::name_of(bit as u32).to_uppercase());
                let name = intern_text(cx, &name);
                make::push(cx, body, name.0);
            }
        }
        let i = c.instruction(word);
        let name = intern_text(cx, i.op().name());
        let operands = [i.a, i.b, i.c].map(|n| Value::fixnum(n as i64));
        let row = make::array(cx, &[name.0, operands[0], operands[1], operands[2]]);
        make::push(cx, body, row);
    }
    let first = Value::fixnum(c.first_line as i64);
    let numbers = [4, 0, 1].map(Value::fixnum);
    Ok(make::array(
        cx,
        &[
            magic, numbers[0], numbers[1], numbers[2], misc, label, path_, real, first, ty, locals, parameters,
            catches, body,
        ],
    ))
}

fn each_iseq(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    let all = all_codes(cx);
    let mut i = 0;
    while let Some(v) = Arr(all).get(i) {
        i += 1;
        call::yield_one(cx, block, v)?;
    }
    Ok(Value::NIL)
}

fn count_iseq(cx: &mut Cx, _: Args) -> R {
    let all = all_codes(cx);
    Ok(Value::fixnum(Arr(all).len() as i64))
}

/// Every linked sequence that is alive, as an Array. (Not from the list of all code, which has dead ones, too.)
fn all_codes(cx: &mut Cx) -> Value {
    let found = make::array(cx, &[]);
    let is_code = &mut |v: Value| cell::header(v).ty() == Type::InstructionSequence;
    let Ok((buffer, count)) = cx.snapshot_objects(is_code) else { return found };
    for i in 0..count {
        let v = object::payload::value_in(buffer, i);
        if native::get::<Code>(v).is_some() {
            make::push(cx, found, v);
        }
    }
    found
}
