//! Refinement: changes to classes in the scope of `using`.

use abi::{Type, Value};
use object::{
    Known,
    array::Arr,
    cell,
    class::{self, class_data, class_data_mut, data::Ancestor},
    method_entry::{self, Entry, Kind},
};
use runtime::{Args, Cx, Method, R, call, constants::cref, define, error, frame::FrameId, make, reflect};

pub const METHODS: &[Method] =
    &[Method::new("target", target).leaf(), Method::new("import_methods(module, *modules)", import_methods).private()];

pub fn define(cx: &mut Cx) {
    let (object, module) = (cx.class(Known::Object), cx.class(Known::Module));
    let class = define::define_class(cx, object, "Refinement", module);
    cx.set_root(runtime::Root::Refinement, class);
    define::define_methods(cx, class, METHODS);
    for name in ["append_features", "prepend_features", "extend_object"] {
        define::undefine(cx, class, name);
    }
    let singleton = class::singleton_class(cx, class);
    for name in ["new", "allocate"] {
        define::undefine(cx, singleton, name);
    }
}

/// `target → module`: the refined class or module.
fn target(_: &mut Cx, args: Args) -> R {
    Ok(class::refined(args.me()))
}

/// `refine(class, &block) → refinement`: the refinement of that class in this module; the block is its body.
/// ArgumentError without a block, TypeError unless it is a class or module.
pub fn refine(cx: &mut Cx, args: Args) -> R {
    let (me, refined) = (args.me(), args.at(0));
    let block = args.block(cx);
    if block.is_none() {
        return Err(cx.argument_error("no block given"));
    }
    if reflect::frame_of_written(block).is_none() {
        return Err(cx.argument_error("can't pass a Proc as a block to Module#refine"));
    }
    if !class::is_module(refined) {
        let got = error::describe_for_conversion(cx, refined);
        return Err(cx.type_error(&format!("wrong argument type {got} (expected Class or Module)")));
    }
    let refinement = refinement_of(cx, me, refined);
    cx.vm_mut().refinements_used = true;
    let outer = reflect::block_cref(block);
    let scope = cref::new(cx, refinement, outer);
    cref::set_eval(scope);
    // Inside the block the refinements created so far are active.
    let list = shared_list(cx, me, outer);
    if !Arr::of(list).contains(refinement) {
        make::push(cx, list, refined);
        make::push(cx, list, refinement);
    }
    cref::set_refinements(cx, scope, list);
    call::block::call_block_as(cx, block, Some(refinement), scope, &[], None, abi::BlockHandler::NONE)?;
    class::lookup::invalidate_refined(cx, refinement);
    Ok(refinement)
}

/// The refinements active in the bodies of all refinements of `module`, including those added later.
fn shared_list(cx: &mut Cx, module: Value, outer: Value) -> Value {
    let name = object::symbol::table::intern_text(cx, "__refinements");
    let there = object::shape::ivars::get(cx, module, name);
    if !there.is_undef() {
        return there;
    }
    let active = cref::refinements(outer);
    let list = if active.is_nil() { make::array(cx, &[]) } else { make::copy(cx, Arr::of(active)) };
    add_all(cx, list, module);
    object::shape::ivars::set_hidden(cx, module, name, list);
    list
}

fn refinement_of(cx: &mut Cx, owner: Value, refined: Value) -> Value {
    if let Some((_, there)) = class_data(cx, owner).rare().refinements.iter().find(|(class, _)| class.0 == refined) {
        return there.0;
    }
    let class = cx.root(runtime::Root::Refinement);
    let made = class::make::allocate_module_instance(cx, class);
    let data = class_data_mut(cx, made);
    data.flags.refinement = true;
    let rare = data.rare_mut();
    (rare.refined, rare.refinement_owner) = (refined, owner);
    class_data_mut(cx, owner).rare_mut().refinements.push((Ancestor(refined), Ancestor(made)));
    made
}

/// Appends the pairs of class and refinement of a module, after those of its ancestors.
fn add_all(cx: &mut Cx, list: Value, module: Value) {
    let places: Vec<u64> = class::ancestors::each(module).map(|m| m.0).collect();
    for place in places.into_iter().rev().map(Value) {
        for (refined, refinement) in class_data(cx, place).rare().refinements.clone() {
            make::push(cx, list, refined.0);
            make::push(cx, list, refinement.0);
        }
    }
}

/// `refinements → array`: the refinements that this module defines.
pub fn refinements(cx: &mut Cx, args: Args) -> R {
    let list = make::array(cx, &[]);
    for (_, refinement) in class_data(cx, args.me()).rare().refinements.clone() {
        make::push(cx, list, refinement.0);
    }
    Ok(list)
}

/// `using(module) → self`: activates the refinements of a module up to the end of the file; called in the body of a
/// class or module. RuntimeError inside of a method.
pub fn using(cx: &mut Cx, args: Args) -> R {
    if let Some(frame) = reflect::caller(cx) {
        // A block in a method that runs as the module's body is inside of that method.
        if frame.scope.entry.is_heap() {
            return Err(cx.runtime_error("Module#using is not permitted in methods"));
        }
        if reflect::frame_self(frame) != args.me() {
            return Err(cx.runtime_error("Module#using is not called on self"));
        }
    }
    activate(cx, args.at(0), "Module#using")?;
    Ok(args.me())
}

/// Activates a module's refinements in the calling code.
pub fn activate(cx: &mut Cx, module: Value, what: &str) -> R<()> {
    let Some(frame) = reflect::definition_frame(cx) else {
        return Err(cx.runtime_error(&format!("{what} is not permitted in methods")));
    };
    if !cell::is(module, Type::Module) {
        let got = error::describe_for_conversion(cx, module);
        return Err(cx.type_error(&format!("wrong argument type {got} (expected Module)")));
    }
    if class::flags(module).refinement {
        return Err(cx.argument_error("refinement module is not allowed"));
    }
    let (id, active) = (FrameId::of(frame), cref::refinements(frame.scope.cref));
    let list = if active.is_nil() { make::array(cx, &[]) } else { make::copy(cx, Arr::of(active)) };
    add_all(cx, list, module);
    runtime::eval::activate_refinements(cx, id, list);
    cx.vm_mut().refinements_used = true;
    for pair in 0..Arr::of(list).len() / 2 {
        if let Some(refinement) = Arr::of(list).get(2 * pair + 1) {
            class::lookup::invalidate_refined(cx, refinement);
        }
    }
    Ok(())
}

fn active_here(cx: &Cx) -> Value {
    reflect::caller(cx).map_or(Value::NIL, |f| cref::refinements(f.scope.cref))
}

/// `Module.used_modules → array`: the modules whose refinements are active in the caller, the last activated first.
pub fn used_modules(cx: &mut Cx, _: Args) -> R {
    let list = make::array(cx, &[]);
    let active = active_here(cx);
    if active.is_nil() {
        return Ok(list);
    }
    for pair in Arr::of(active).groups::<2>().rev() {
        let owner = class_data(cx, pair[1]).rare().refinement_owner;
        if !Arr::of(list).contains(owner) {
            make::push(cx, list, owner);
        }
    }
    Ok(list)
}

/// `Module.used_refinements → array`: the refinements that are active in the caller, the last activated first.
pub fn used_refinements(cx: &mut Cx, _: Args) -> R {
    let list = make::array(cx, &[]);
    let active = active_here(cx);
    if active.is_nil() {
        return Ok(list);
    }
    for pair in Arr::of(active).groups::<2>().rev() {
        if !Arr::of(list).contains(pair[1]) {
            make::push(cx, list, pair[1]);
        }
    }
    Ok(list)
}

/// `import_methods(module, *modules) → self`: copies the methods of modules into the refinement. ArgumentError for a
/// method that is not written in Ruby.
fn import_methods(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    for module in args.all() {
        if !cell::is(*module, Type::Module) {
            let got = error::describe_for_conversion(cx, *module);
            return Err(cx.type_error(&format!("wrong argument type {got} (expected Module)")));
        }
    }
    for module in args.all() {
        if class::ancestors::each(*module).nth(1).is_some() {
            let name = define::class_name(cx, *module);
            let text = format!("{name} has ancestors, but Refinement#import_methods doesn't import their methods");
            runtime::warning::warn_here(cx, &text)?;
        }
        let names: Vec<object::Sym> = class_data(cx, *module).methods().keys().copied().collect();
        for name in &names {
            let entry = class::lookup::own_method(*module, *name);
            let body = method_entry::body(entry);
            if method_entry::kind(entry) != Kind::Sequence || runtime::unlinked::is_internal(&body) {
                let (text, owner) = (name.to_text(cx), define::class_name(cx, *module));
                return Err(cx.argument_error(&format!(
                    "Can't import method which is not defined with Ruby code: {owner}#{text}"
                )));
            }
        }
        for name in names {
            let entry = class::lookup::own_method(*module, name);
            let scope = importing_scope(cx, me, method_entry::scope_of(entry));
            let copy = Entry { owner: me, found_in: me, cref: scope, ..method_entry::read(entry) };
            let copy = method_entry::new(cx, copy);
            define::add_method(cx, me, name, copy);
        }
    }
    Ok(me)
}

/// The lexical scope of an imported method: its own with the refinement active.
fn importing_scope(cx: &mut Cx, refinement: Value, scope: Value) -> Value {
    let refined = class::refined(refinement);
    let active = cref::refinements(scope);
    let list = if active.is_nil() { make::array(cx, &[]) } else { make::copy(cx, Arr::of(active)) };
    make::push(cx, list, refined);
    make::push(cx, list, refinement);
    let copy = cref::new(cx, cref::module(scope), cref::outer(scope));
    cref::set_refinements(cx, copy, list);
    copy
}
