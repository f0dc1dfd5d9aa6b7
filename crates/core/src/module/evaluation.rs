//! instance_eval, class_eval etc.: running code with another self in another lexical scope.

use abi::{BlockHandler, Value};
use object::{Known, class, native};
use runtime::{
    Args, Cx, R,
    binding::{self, BindingData},
    call::block,
    code::Code,
    constants::cref,
    convert,
    eval::{self, Place},
    intrinsics, reflect, sym, unlinked,
};

/// `module_eval(source, file = nil, line = 1)`, `class_eval { |module| … } → object`: evaluates a source or the block
/// with the module as self, where definitions create its methods; a source also finds its constants. ArgumentError with
/// both or neither.
pub fn module_eval(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    eval_as(cx, args, me, Some(me))
}

/// `module_exec(…) { |…| … }`, `class_exec(…) { |…| … } → object`: calls the block with the arguments and the module as
/// self, where definitions create its methods. LocalJumpError without a block.
pub fn module_exec(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    exec_as(cx, args, me, Some(me))
}

/// The lexical scope for code that runs with `me` as self: that of `module`, or of the singleton class of `me`; nil for
/// objects that cannot have one.
fn scope_for(cx: &mut Cx, me: Value, module: Option<Value>, outer: Value, of_block: bool) -> R {
    let module = match module {
        Some(module) => module,
        None => {
            if intrinsics::has_no_singleton(me) {
                // Definitions have no target. A block looks up constants in its surrounding scope, a string also in the
                // object's class.
                let module = if of_block { cref::module(outer) } else { class::class_of(cx, me) };
                let scope = cref::new(cx, module, outer);
                if of_block {
                    cref::set_eval(scope);
                }
                cref::set_of_object(scope);
                cref::set_without_definitions(scope);
                return Ok(scope);
            }
            // Most code defines nothing; a singleton class would slow the object's calls down. A class has one anyway.
            let is_module = class::is_module(me);
            let module = if is_module { intrinsics::singleton_class_of(cx, me)? } else { class::class_of(cx, me) };
            let scope = cref::new(cx, module, outer);
            cref::set_of_object(scope);
            if !is_module {
                cref::set_object(cx, scope, me);
            }
            if of_block {
                cref::set_eval(scope);
            }
            return Ok(scope);
        }
    };
    let scope = cref::new(cx, module, outer);
    if of_block {
        cref::set_eval(scope);
    }
    Ok(scope)
}

/// Evaluates a string or a block, for instance_eval (`module` is `None`) and class_eval.
pub fn eval_as(cx: &mut Cx, args: Args, me: Value, module: Option<Value>) -> R {
    let block = args.block(cx);
    if !block.is_none() {
        if !args.is_empty() {
            return Err(cx.arity_error(args.len(), 0, Some(0)));
        }
        return run_block(cx, block, me, module, &[me], None);
    }
    if args.is_empty() || args.len() > 3 {
        return Err(if args.is_empty() {
            cx.argument_error("wrong number of arguments (given 0, expected 1..3)")
        } else {
            cx.arity_error(args.len(), 1, Some(3))
        });
    }
    eval_string(cx, args.all(), me, module)
}

/// Calls a block with arguments, for instance_exec and class_exec.
pub fn exec_as(cx: &mut Cx, args: Args, me: Value, module: Option<Value>) -> R {
    let block = args.block(cx);
    if block.is_none() {
        return Err(block::no_block(cx));
    }
    run_block(cx, block, me, module, args.all(), args.keywords())
}

pub fn run_block(
    cx: &mut Cx,
    block: BlockHandler,
    me: Value,
    module: Option<Value>,
    arguments: &[Value],
    keywords: Option<Value>,
) -> R {
    let outer = reflect::block_cref(block);
    let scope = if outer.is_nil() || (module.is_none() && !defines(block)) {
        Value::NIL
    } else {
        scope_for(cx, me, module, outer, true)?
    };
    block::call_block_as(cx, block, Some(me), scope, arguments, keywords, BlockHandler::NONE)
}

/// Whether the block's code may define methods (or ask for the target of definitions). Only then instance_exec needs
/// the object's singleton class, which gives the object a shape of its own.
fn defines(block: BlockHandler) -> bool {
    match block::target(block) {
        Some(target) => code_defines(target.body),
        None => false,
    }
}

fn code_defines(body: Value) -> bool {
    let code = runtime::code::code(&body);
    if let Some(known) = code.defines_methods.get() {
        return known;
    }
    let defines = looks_like_definitions(code);
    if code.children.iter().all(|child| !child.get().is_nil()) {
        code.defines_methods.set(Some(defines));
    }
    defines
}

/// Whether the child of a code is the code of a block. Methods may not be linked.
fn is_block(child: Value) -> bool {
    !child.is_nil() && unlinked::is_linked(child) && runtime::code::code(&child).block_depth > 0
}

fn looks_like_definitions(code: &Code) -> bool {
    use bytecode::{Intrinsic, Opcode};
    // Code evaluated there may define methods too; `autoload` and `using` ask where they are called.
    let names = [sym::EVAL, sym::BINDING, sym::USING, sym::AUTOLOAD];
    if code.calls.iter().any(|site| names.contains(&site.name)) {
        return true;
    }
    (0..code.instructions.len()).map(|word| code.instruction(word)).any(|i| {
        i.meant() == Opcode::DefineMethod
            || (i.opcode == Opcode::Intrinsic as u16
                && matches!(Intrinsic::from_u16(i.c), Intrinsic::Alias | Intrinsic::Undefine))
    }) || code.children.iter().map(|child| child.get()).any(|child| is_block(child) && code_defines(child))
}

fn eval_string(cx: &mut Cx, arguments: &[Value], me: Value, module: Option<Value>) -> R {
    let source = convert::to_str(cx, arguments[0])?;
    let place = place(cx, &arguments[1..])?;
    let Some(frame) = reflect::caller(cx) else {
        return Err(cx.runtime_error("no Ruby code around"));
    };
    let outer = frame.scope.cref;
    let scope = scope_for(cx, me, module, outer, false)?;
    let binding = as_self(cx, me)?;
    let (bytes, encoding) = (source.to_vector(), source.encoding());
    eval::eval_in_scope(cx, binding, eval::EvalText { bytes: &bytes, encoding }, place, scope)
}

/// The binding of the calling Ruby code with another self.
pub fn as_self(cx: &mut Cx, me: Value) -> R {
    let own = binding::of_caller(cx)?;
    let Some(data) = native::get::<BindingData>(&own) else { return Ok(own) };
    let data = BindingData { receiver: me, ..*data };
    let class = cx.class(Known::Binding);
    Ok(binding::new(cx, class, data))
}

/// File and line arguments of an eval.
pub fn place(cx: &mut Cx, arguments: &[Value]) -> R<Option<Place>> {
    let file = arguments.first().copied().unwrap_or(Value::NIL);
    let line = match arguments.get(1) {
        Some(line) => convert::to_i32(cx, *line)?,
        None => 1,
    };
    if file.is_nil() {
        if arguments.len() < 2 {
            return Ok(None);
        }
        let (path, at) = runtime::backtrace::caller_position(cx).unwrap_or_default();
        return Ok(Some(Place { path: format!("(eval at {path}:{at})"), line }));
    }
    let file = convert::to_str(cx, file)?;
    Ok(Some(Place { path: file.to_text(), line }))
}

/// Whether the value is a class or module (for other folders).
pub fn is_module(v: Value) -> bool {
    class::is_module(v)
}
