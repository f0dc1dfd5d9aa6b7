//! The rare operations that bytecode calls by number.

pub mod collections;
mod defined;
mod definitions;
pub mod folds;
mod patterns;
mod rows;
mod sorting;

use abi::{Scope, Value};
use bytecode::Intrinsic;
use object::Sym;

use crate::{Cx, R, call, make, special, sym};

/// Runs intrinsic `which` on `arguments`.
pub fn run(cx: &mut Cx, which: Intrinsic, arguments: &'static [Value]) -> R {
    let a = |i: usize| arguments[i];
    match which {
        Intrinsic::OpenClass => definitions::open_class(cx, a(0), Sym::of(a(1)), a(2)),
        Intrinsic::OpenModule => definitions::open_module(cx, a(0), Sym::of(a(1))),
        Intrinsic::SingletonClass => definitions::singleton_class(cx, a(0)),
        Intrinsic::Alias => definitions::alias(cx, a(0), a(1)),
        Intrinsic::AliasGlobal => {
            cx.alias_global(Sym::of(a(0)), Sym::of(a(1)));
            Ok(Value::NIL)
        }
        Intrinsic::Undefine => definitions::undefine(cx, a(0)),
        Intrinsic::DefinedInstanceVariable => defined::instance_variable(cx, Sym::of(a(0))),
        Intrinsic::DefinedGlobal => defined::global(cx, Sym::of(a(0))),
        Intrinsic::DefinedClassVariable => defined::class_variable(cx, Sym::of(a(0))),
        Intrinsic::DefinedConstant => defined::constant(cx, Sym::of(a(0))),
        Intrinsic::DefinedConstantFrom => defined::constant_from(cx, a(0), Sym::of(a(1))),
        Intrinsic::DefinedMethod => defined::method(cx, a(0), Sym::of(a(1)), call::Scope::Public),
        Intrinsic::DefinedFunction => defined::function(cx, Sym::of(a(0))),
        Intrinsic::DefinedYield => defined::block(cx, a(0).fixnum_value() as usize),
        Intrinsic::DefinedSuper => defined::super_method(cx),
        Intrinsic::DefinedBackReference => defined::back_reference(cx, a(0).fixnum_value()),
        Intrinsic::StringOrigin => {
            crate::error::frozen::set_origin(cx, a(0));
            if a(1).truthy() {
                object::string::Str::of(a(0)).freeze();
            }
            Ok(a(0))
        }
        Intrinsic::BackReference => Ok(special::back_reference(cx, a(0).fixnum_value())),
        Intrinsic::GetErrorInfo => Ok(cx.error_info),
        Intrinsic::SetErrorInfo => {
            cx.error_info = a(0);
            Ok(Value::NIL)
        }
        Intrinsic::IsUndef => Ok(Value::bool(a(0).is_undef())),
        Intrinsic::Undef => Ok(Value::UNDEF),
        Intrinsic::Raise => {
            let unwind = call::send(cx, a(0), sym::NEW, &[a(1)])?;
            Err(crate::error::raise_exception(cx, unwind))
        }
        Intrinsic::ToProc => {
            let block = call::block::block_argument(cx, a(0))?;
            call::block::to_proc(cx, block)
        }
        Intrinsic::CountBranch => {
            let source = crate::code::code(cx.frame().scope.code).source.id;
            cx.vm_mut().branches.count(source, a(0).as_fixnum().unwrap_or(0) as usize);
            Ok(Value::NIL)
        }
        Intrinsic::MatchLastLine => {
            let line = special::last_line(cx);
            special::match_operator(cx, a(0), line)
        }
        Intrinsic::FlipFlopTest => {
            let line = object::symbol::table::intern_text(cx, "$.");
            let line = cx.global_get(line)?;
            Ok(Value::bool(call::equal(cx, a(0), line)?))
        }
        Intrinsic::Backquote => {
            let me = self_of_frame(cx);
            call::send(cx, me, sym::BACKQUOTE, &[a(0)])
        }
        Intrinsic::AtExit => {
            crate::concurrency::ractor::access::check_main(
                cx,
                "can not register an END handler from a non-main Ractor",
            )?;
            cx.vm_mut().at_exit.push(crate::vm::RootValue(a(0)));
            Ok(a(0))
        }
        Intrinsic::DefinitionTarget => definitions::target_of_definition(cx),
        Intrinsic::LexicalClass => Ok(crate::constants::cref::module(cx.frame().scope.cref)),
        Intrinsic::BlockGiven => {
            let scope = scope_at(cx, a(0).fixnum_value() as usize);
            // SAFETY: a scope of the running frame.
            Ok(Value::bool(unsafe { !(*scope).block.is_none() }))
        }
        Intrinsic::MakeShareable => definitions::make_shareable(cx, a(0), a(1)),
        other if other as u16 >= Intrinsic::ArrayPush as u16 => collections::run(cx, other, arguments),
        other => patterns::run(cx, other, arguments),
    }
}

/// Is it a value that can have no singleton class?
pub fn has_no_singleton(v: Value) -> bool {
    definitions::has_no_singleton(v)
}

/// Object#singleton_class
pub fn singleton_class_of(cx: &mut Cx, v: Value) -> R {
    definitions::singleton_class(cx, v)
}

pub use definitions::target_of_definition as definition_target;
pub use definitions::{
    alias_method, behind_module, check_inheritable, is_always_private, undefine_method, undefined_method, warn_serious,
};

fn self_of_frame(cx: &Cx) -> Value {
    // SAFETY: register 0 of the running frame.
    unsafe { *cx.frame().scope.slots }
}

/// The scope `depth` levels out of the running frame.
pub fn scope_at(cx: &Cx, depth: usize) -> *const Scope {
    // SAFETY: the compiler counts scopes; those of the running frame are alive.
    unsafe { Scope::out(&raw const cx.frame().scope, depth) }
}

/// A string of `defined?`.
fn described(cx: &mut Cx, text: &str) -> R {
    Ok(make::interned(cx, text))
}
