//! RubyVM::InstructionSequence: code as an object.

mod binary;
mod compile;
mod dump;
mod syntax_tree;

use abi::{Type, Value};
use bytecode::Kind;
use object::{Known, array::Arr, cell, native, proc, symbol::table::intern_text};
use runtime::{
    Args, Cx, Method, R, call,
    code::{self, Code},
    define, eval, make, method_object, unlinked,
};

const METHODS: &[Method] = &[
    Method::new("disasm", dump::disasm),
    Method::new("disassemble", dump::disasm),
    Method::new("trace_points", dump::trace_points),
    Method::new("to_a", dump::to_a),
    Method::new("to_binary(extra_data = nil)", binary::to_binary),
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
    Method::new("script_lines", script_lines),
    Method::new("type", kind),
    Method::new("parameters_symbols", parameters_symbols),
];

const SINGLETON: &[Method] = &[
    Method::new("of(body)", of),
    Method::new("compile(source, file = nil, path = nil, line = 1, options = nil, **keywords)", compile::compile),
    Method::new("new(source, file = nil, path = nil, line = 1, options = nil, **keywords)", compile::compile),
    Method::new("compile_prism(source, file = nil, path = nil, line = 1, options = nil, **keywords)", compile::compile),
    // CRuby's former parser does not exist here; these methods use prism.
    Method::new(
        "compile_parsey(source, file = nil, path = nil, line = 1, options = nil, **keywords)",
        compile::compile,
    ),
    Method::new("compile_file(file, options = nil, **keywords)", compile::file),
    Method::new("compile_file_prism(file, options = nil, **keywords)", compile::file),
    Method::new("compile_option", compile::option),
    Method::new("compile_option=(options)", compile::set_option),
    Method::new("load_from_binary(image)", binary::load),
    Method::new("load_from_binary_extra_data(image)", binary::extra_data),
    Method::new("disasm(body)", dump::disasm_of),
    Method::new("disassemble(body)", dump::disasm_of),
];

const OBJECT_SPACE: &[Method] = &[
    Method::new("each_iseq", each_iseq),
    Method::new("count_iseq", count_iseq),
    Method::new("memsize_of_all_iseq", memsize_of_all),
];

pub fn define(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let vm = define::define_class(cx, object, "RubyVM", object);
    let class = cx.class(Known::InstructionSequence);
    let name = intern_text(cx, "InstructionSequence");
    define::set_constant(cx, vm, name, class);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    syntax_tree::define(cx, vm);
    let space = define::define_module(cx, object, "ObjectSpace");
    define::define_singleton_methods(cx, space, OBJECT_SPACE);
}

/// The code of a Proc, Method, UnboundMethod or InstructionSequence, all of it linked.
pub fn code_of(cx: &mut Cx, v: Value) -> Option<Value> {
    let body = find_code(v)?;
    runtime::link::complete_nested(cx, body);
    Some(body)
}

fn find_code(v: Value) -> Option<Value> {
    if cell::is(v, Type::InstructionSequence) {
        return Some(v);
    }
    if let Some(method) = method_object::get(&v) {
        if method.missing {
            return None;
        }
        let body = core_classes::method::body_of(method.entry);
        return (!body.is_nil() && !unlinked::is_internal(&body)).then_some(body);
    }
    if !cell::is(v, Type::Proc) {
        return None;
    }
    let header = cell::header(v);
    if header.has(proc::FROM_METHOD) {
        return method_object::get(&proc::code(v)).map(|_| proc::code(v)).and_then(find_code);
    }
    (!header.has(proc::NATIVE | proc::FROM_SYMBOL)).then(|| proc::code(v))
}

/// `eval → object`: runs the code at the top level, with the main object as self.
fn evaluate(cx: &mut Cx, args: Args) -> R {
    eval::run_file(cx, args.me(), None)
}

/// The code, whose methods may not be linked.
fn head<'a>(cx: &mut Cx, args: Args<'a>) -> &'a Code {
    unlinked::linked(cx, args.me_ref())
}

fn own<'a>(cx: &mut Cx, args: Args<'a>) -> &'a Code {
    runtime::link::complete_nested(cx, args.me());
    code::code(args.me_ref())
}

/// `RubyVM::InstructionSequence.of(body) → sequence or nil`: the code of a method, a proc or a backtrace location; nil
/// for a native one.
fn of(cx: &mut Cx, args: Args) -> R {
    let v = args.at(0);
    if let Some(place) = core_classes::exception::location::get(&v) {
        return Ok(place.code);
    }
    if let Some(body) = code_of(cx, v) {
        return Ok(body);
    }
    Ok(Value::NIL)
}

/// `each_child → self`: yields the sequences of the directly nested blocks, methods and classes.
fn each_child(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    for child in own(cx, args).children.iter().filter(|child| !unlinked::is_internal(&child.get())) {
        call::yield_one(cx, block, child.get())?;
    }
    Ok(args.me())
}

/// `path → string`: the path that the code was compiled with.
fn path(cx: &mut Cx, args: Args) -> R {
    let own = head(cx, args);
    Ok(make::interned(cx, &own.source.path))
}

/// `absolute_path → string or nil`: the resolved path; nil for code that is not from a file.
fn absolute_path(cx: &mut Cx, args: Args) -> R {
    Ok(match &head(cx, args).source.absolute_path {
        Some(path) => make::interned(cx, path),
        None => Value::NIL,
    })
}

/// `label → string`: the name with the kind of the code, for instance `block in name`.
fn label(cx: &mut Cx, args: Args) -> R {
    let own = head(cx, args);
    Ok(object::string::intern::intern_name(cx, &own.label()))
}

/// `base_label → string`: only the name of the method, class or file.
fn base_label(cx: &mut Cx, args: Args) -> R {
    let own = head(cx, args);
    Ok(object::string::intern::intern_name(cx, &own.name))
}

/// `first_lineno`, `first_line → integer`: the line where the code begins; 0 for the program and files that it loads.
fn first_line(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(head(cx, args).first_lineno().into()))
}

/// `last_line → integer`: the line where the code ends.
fn last_line(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(head(cx, args).last_line as i64))
}

/// `inspect → string`: the class, the label, the path and the first line.
fn inspect(cx: &mut Cx, args: Args) -> R {
    let c = own(cx, args);
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

/// `type → symbol`: the kind of the code: `:top`, `:method`, `:block`, `:class` …
fn kind(cx: &mut Cx, args: Args) -> R {
    let own = head(cx, args);
    Ok(intern_text(cx, kind_name(own)).value())
}

/// `parameters_symbols → array`: the names of the parameters, for `debug` and similar tools.
fn parameters_symbols(cx: &mut Cx, args: Args) -> R {
    let c = own(cx, args);
    Ok(dump::names(cx, c, c.parameter_count as usize, false))
}

/// `script_lines → array or nil`: the source's lines, if `RubyVM.keep_script_lines` was on when it was compiled.
fn script_lines(cx: &mut Cx, args: Args) -> R {
    let c = own(cx, args);
    if !c.source.lines_kept {
        return Ok(Value::NIL);
    }
    let list = make::array(cx, &[]);
    let encoding = code::encoding_id(c.source.encoding);
    let text = c.source.text.bytes();
    for line in text.split_inclusive(|b| *b == b'\n') {
        let line = make::string(cx, line, encoding);
        make::push(cx, list, line);
    }
    Ok(list)
}

/// `ObjectSpace.each_iseq → nil`: yields all live instruction sequences.
fn each_iseq(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    let all = all_codes(cx);
    let mut i = 0;
    while let Some(v) = Arr::of(all).get(i) {
        i += 1;
        call::yield_one(cx, block, v)?;
    }
    Ok(Value::NIL)
}

/// `ObjectSpace.count_iseq → integer`: the number of live instruction sequences.
fn count_iseq(cx: &mut Cx, _: Args) -> R {
    let all = all_codes(cx);
    Ok(Value::fixnum(Arr::of(all).len() as i64))
}

/// All live sequences, as an Array. (Not from the list of all code, which includes dead ones.)
fn all_codes(cx: &mut Cx) -> Value {
    let known = linked_codes(cx);
    for i in 0..Arr::of(known).len() {
        let body = Arr::of(known).at(i);
        runtime::link::complete_nested(cx, body);
    }
    linked_codes(cx)
}

fn linked_codes(cx: &mut Cx) -> Value {
    let found = make::array(cx, &[]);
    let is_code = &mut |v: Value| cell::header(v).ty() == Type::InstructionSequence;
    let Ok(codes) = cx.snapshot_objects(is_code) else { return found };
    for v in codes.iter() {
        if unlinked::is_linked(v) {
            make::push(cx, found, v);
        }
    }
    found
}

/// `ObjectSpace.memsize_of_all_iseq → integer`: the number of bytes of all live instruction sequences.
fn memsize_of_all(cx: &mut Cx, _: Args) -> R {
    let mut bytes = 0;
    cx.vm().codes.each(&mut |code| bytes += native::NativeData::memsize(code));
    Ok(Value::fixnum(bytes as i64))
}
