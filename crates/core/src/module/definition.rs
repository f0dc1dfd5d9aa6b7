//! Defining and removing methods; methods as objects.

use abi::{Type, Value};
use object::{
    Sym, cell,
    class::{self, ancestors, class_data},
    method_entry::{self, Entry, Kind, Visibility},
};
use runtime::{
    Args, Cx, R, call,
    code::code,
    constants::cref,
    convert, default_visibility, define,
    error::{self, ErrorClass},
    intrinsics,
    method_object::{self, MethodData},
    redefinition, reflect, sym, unlinked, warning,
};

/// The caller's current default visibility, if its code is in the body of `module`.
pub fn default_visibility(cx: &Cx, module: Value) -> Visibility {
    match default_mode(cx, module) {
        1 | cref::VISIBILITY_MODULE_FUNCTION => Visibility::Private,
        2 => Visibility::Protected,
        _ => Visibility::Public,
    }
}

fn default_mode(cx: &Cx, module: Value) -> i64 {
    match reflect::definition_frame(cx) {
        Some(frame) if cref::module(frame.scope.cref) == module && reflect::frame_self(frame) == module => {
            default_visibility::of(frame)
        }
        _ => 0,
    }
}

/// `define_method(name, body = nil, &block) → symbol`: defines a method from the block, a Proc or a Method, with the
/// current default visibility of the body. ArgumentError without any, TypeError for a Method of a class that is not an
/// ancestor.
pub fn define_method(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    define_from(cx, me, args)
}

pub fn define_from(cx: &mut Cx, module: Value, args: Args) -> R {
    let block = args.block_proc(cx)?;
    let visibility = default_visibility(cx, module);
    let name = define(cx, module, args.at(0), args.get(1), block, visibility)?;
    if default_mode(cx, module) == cref::VISIBILITY_MODULE_FUNCTION {
        let singleton = class::singleton_class(cx, module);
        define(cx, singleton, args.at(0), args.get(1), block, Visibility::Public)?;
    }
    Ok(name)
}

/// Defines a method from a Proc, Method or UnboundMethod (`body`, undef: the block).
pub fn define(cx: &mut Cx, module: Value, name: Value, body: Value, block: Value, visibility: Visibility) -> R {
    let name = convert::to_symbol(cx, name)?;
    let visibility = if intrinsics::is_always_private(name) { Visibility::Private } else { visibility };
    let given = !body.is_undef();
    let body = if given { body } else { block };
    if body.is_nil() && !given {
        return Err(cx.argument_error("tried to create Proc object without a block"));
    }
    cx.check_frozen_methods(module)?;
    let entry = if cell::is(body, Type::Proc) {
        if cx.isolated {
            runtime::isolation::access::defines_method_with(cx, body);
        }
        Entry { body, ..Entry::of(module, name, Kind::Block, visibility) }
    } else if let Some(method) = method_object::get(&body) {
        entry_of_method(cx, module, name, method, visibility)?
    } else {
        let got = error::class_name_of(cx, body);
        return Err(cx.type_error(&format!("wrong argument type {got} (expected Proc/Method/UnboundMethod)")));
    };
    let is_method = !cell::is(body, Type::Proc);
    redefinition::warn_redefined(cx, module, name)?;
    let entry = method_entry::new(cx, entry);
    if is_method {
        method_entry::mark_aliased(entry);
    }
    define::add_method(cx, module, name, entry);
    redefinition::added_hook(cx, module, name)?;
    Ok(name.value())
}

fn entry_of_method(cx: &mut Cx, module: Value, name: Sym, method: &MethodData, visibility: Visibility) -> R<Entry> {
    if method.missing {
        return Err(cx.type_error("can't define a method of method_missing"));
    }
    let owner = method_entry::owner(method.entry);
    if class::is_class(owner) && module != owner && !ancestors::inherits(module, owner) {
        let shown = define::class_name(cx, owner);
        let message = if class::flags(owner).singleton {
            "can't bind singleton method to a different class".to_string()
        } else {
            format!("bind argument must be a subclass of {shown}")
        };
        return Err(cx.type_error(&message));
    }
    let original = method_entry::resolve_alias(method.entry);
    method_entry::mark_aliased(original);
    Ok(Entry { owner: module, found_in: module, name, visibility, ..method_entry::read(original) })
}

/// The method behind an entry that only changes the visibility; undef if no ancestor has one.
pub fn resolve_zsuper(entry: Value, cx: &mut Cx) -> Value {
    let mut entry = entry;
    while !entry.is_undef() && method_entry::kind(entry) == Kind::ZSuper {
        entry = class::lookup::find_super(
            cx,
            method_entry::found_in(entry),
            method_entry::owner(entry),
            method_entry::name(entry),
        );
    }
    entry
}

/// `instance_method(name) → unbound_method`: the instance method with this name. NameError if there is none.
pub fn instance_method(cx: &mut Cx, args: Args) -> R {
    unbound(cx, args, false)
}

/// `public_instance_method(name) → unbound_method`: like `instance_method`, but NameError for a private or protected
/// one as well.
pub fn public_instance_method(cx: &mut Cx, args: Args) -> R {
    unbound(cx, args, true)
}

fn unbound(cx: &mut Cx, args: Args, public: bool) -> R {
    let me = args.me();
    let name = convert::to_symbol(cx, args.at(0))?;
    let entry = match runtime::refinements::find_for_caller(cx, me, name) {
        Some(refined) => refined,
        None => class::lookup::find_instance_method(cx, me, name),
    };
    if !entry.is_undef() && public && method_entry::visibility(entry) != Visibility::Public {
        let what = if cell::is(me, Type::Module) { "module" } else { "class" };
        let how = if method_entry::visibility(entry) == Visibility::Private { "private" } else { "protected" };
        let (text, owner) = (name.to_text(cx), define::class_name(cx, me));
        let message = format!("method '{text}' for {what} '{owner}' is {how}");
        return Err(cx.name_error(ErrorClass::NameError, &message, name, me));
    }
    let entry = resolve_zsuper(entry, cx);
    if entry.is_undef() {
        return Err(intrinsics::undefined_method(cx, me, name));
    }
    Ok(method_object::new(cx, MethodData { receiver: Value::UNDEF, entry, name, class: me, missing: false }))
}

/// `alias_method(new_name, old_name) → symbol`: gives a method an additional name, which keeps the current definition.
/// NameError if there is no method with the old name.
pub fn alias_method(cx: &mut Cx, args: Args) -> R {
    let (new, old) = (convert::to_symbol(cx, args.at(0))?, convert::to_symbol(cx, args.at(1))?);
    intrinsics::alias_method(cx, args.me(), new, old)?;
    Ok(new.value())
}

/// `remove_method(*names) → self`: removes definitions of the module itself, so that those of ancestors are found
/// again. NameError if the module itself has no such method.
pub fn remove_method(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    for name in args.all() {
        let name = convert::to_symbol(cx, *name)?;
        cx.check_frozen_methods(me)?;
        runtime::warning::warn_serious(cx, "removing", name)?;
        let there = class::lookup::own_method(me, name);
        if there.is_undef() || method_entry::is_undefined(there) {
            let (text, owner) = (name.to_text(cx), define::class_name(cx, me));
            let message = format!("method '{text}' not defined in {owner}");
            return Err(cx.name_error(ErrorClass::NameError, &message, name, me));
        }
        runtime::basic_ops::method_changes(cx, me, name);
        runtime::core_methods::method_changes(cx, me, name);
        class::lookup::remove_method(cx, me, name);
        runtime::basic_ops::method_changed(cx, me, name);
        cx.event(runtime::trace::METHOD_REMOVED, there, me)?;
        let data = class_data(cx, me);
        let (receiver, hook) = if data.flags.singleton {
            (data.attached, sym::SINGLETON_METHOD_REMOVED)
        } else {
            (me, sym::METHOD_REMOVED)
        };
        call::send_private(cx, receiver, hook, &[name.value()])?;
    }
    Ok(me)
}

/// `undef_method(*names) → self`: undefines methods for instances, including inherited ones. NameError if there is no
/// such method.
pub fn undef_method(cx: &mut Cx, args: Args) -> R {
    for name in args.all() {
        let name = convert::to_symbol(cx, *name)?;
        intrinsics::undefine_method(cx, args.me(), name)?;
    }
    Ok(args.me())
}

/// `ruby2_keywords(name, *names) → nil`: marks methods with a rest parameter: keywords of a call arrive there as a
/// flagged Hash, which a splat turns into keywords again. It warns about other methods.
pub fn ruby2_keywords(cx: &mut Cx, args: Args) -> R {
    flag_keywords(cx, args.me(), args.all())
}

pub fn flag_keywords(cx: &mut Cx, me: Value, names: &[Value]) -> R {
    cx.check_frozen_methods(me)?;
    for name in names {
        let name = convert::to_symbol(cx, *name)?;
        let entry = class::lookup::own_method(me, name);
        if entry.is_undef() || method_entry::is_undefined(entry) {
            let found = class::lookup::find_method(cx, me, name);
            if found.is_undef() {
                return Err(intrinsics::undefined_method(cx, me, name));
            }
            let text = name.to_text(cx);
            return Err(cx.name_error(
                ErrorClass::NameError,
                &format!("method '{text}' isn't defined in this class/module: ruby2_keywords can be used only in it"),
                name,
                me,
            ));
        }
        let body = match method_entry::kind(entry) {
            Kind::Sequence => method_entry::body(entry),
            Kind::Block => object::proc::code(method_entry::body(entry)),
            _ => Value::NIL,
        };
        let accepts = cell::is(body, Type::InstructionSequence) && {
            let p = &unlinked::linked(cx, &body).parameters;
            p.rest.is_some() && p.post == 0 && p.keywords.is_empty() && p.keyword_rest.is_none()
        };
        if accepts {
            code(&body).ruby2_keywords.set(true);
            // Compiled calls rely on the lookup, and would pass Hashes without the flag.
            class::lookup::invalidate_class(cx, me);
        } else {
            let text = name.to_text(cx);
            warning::warn_here(
                cx,
                &format!(
                    "Skipping set of ruby2_keywords flag for {text} (method accepts keywords or post arguments or \
                     method does not accept argument splat)"
                ),
            )?;
        }
    }
    Ok(Value::NIL)
}
