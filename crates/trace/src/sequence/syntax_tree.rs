//! `RubyVM::AbstractSyntaxTree`: which node of Prism's tree a location belongs to. The trees themselves are those of a
//! parser that Beni does not have.

use abi::Value;
use core_classes::exception::location;
use object::{Known, symbol::table::intern_text};
use runtime::{Args, Cx, Method, R, backtrace::NOT_BEGUN, call, code::code, define, internal, make};
use text::EncodingId;

const METHODS: &[Method] = &[
    Method::new("parse(*arguments, **options)", no_tree),
    Method::new("parse_file(*arguments, **options)", no_tree),
    Method::new("of(body, **options)", tree_of),
    Method::new("node_id_for_backtrace_location(location)", node_id),
];

pub fn define(cx: &mut Cx, vm: Value) {
    let object = cx.class(Known::Object);
    let tree = define::define_module(cx, vm, "AbstractSyntaxTree");
    define::define_class(cx, tree, "Node", object);
    define::define_singleton_methods(cx, tree, METHODS);
}

/// `parse(…) → node`, `parse_file(…) → node`: the trees of another parser, so NotImplementedError.
fn no_tree(cx: &mut Cx, _: Args) -> R {
    Err(cx.not_implemented(
        "RubyVM::AbstractSyntaxTree is the tree of a parser that Beni does not have; Prism.parse gives one",
    ))
}

/// `of(body) → node`: RuntimeError, because no code comes from the other parser. Callers then use Prism.
fn tree_of(cx: &mut Cx, _: Args) -> R {
    Err(cx.runtime_error("cannot get AST for ISEQ compiled by prism"))
}

/// `node_id_for_backtrace_location(location) → integer or nil`: the number of the node in the tree that `Prism.parse`
/// makes of the source.
fn node_id(cx: &mut Cx, args: Args) -> R {
    let given = args.at(0);
    let Some(place) = location::get(&given) else {
        return Err(cx.type_error("Thread::Backtrace::Location object expected"));
    };
    if place.code.is_nil() {
        return Ok(Value::NIL);
    }
    let own = code(&place.code);
    let (line, column, end) = if place.word == NOT_BEGUN {
        // A wrong number of arguments: the definition.
        (own.first_line, own.first_column, -1)
    } else {
        let Some(position) = own.position(place.word as usize) else { return Ok(Value::NIL) };
        (position.line, position.column, position.end_column.into())
    };
    let source = own.source.clone();
    let text = make::string(cx, &source.text.bytes(), EncodingId::UTF_8);
    let line = i64::from(line - source.first_line + 1);
    let [line, column, end] = [line, column.into(), end].map(Value::fixnum);
    let (finder, arguments) = (intern_text(cx, "__node_id"), [text, line, column, end]);
    if let Some(found) = call::send_if_responds(cx, args.me(), finder, &arguments)? {
        return Ok(found);
    }
    internal::load(cx, runtime::ruby_half!("sequence/syntax_tree"))?;
    call::send(cx, args.me(), finder, &arguments)
}
