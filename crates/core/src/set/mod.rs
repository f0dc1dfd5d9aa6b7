//! Set: nearly all in Ruby, on a hidden Hash.
//!
//! - `algebra`: native methods for combining and comparing plain Sets.

pub(crate) mod algebra;

use std::sync::atomic::AtomicU32;

use object::symbol::table::intern_text;
use object::{
    Known, Sym, cell, class,
    hash::{BuiltinKeys, HashRef},
    shape::ivars,
};
use runtime::{Args, Cx, Method, R, Value, allocators, constants, define, internal, keys, sym};

const SINGLETON: &[Method] = &[
    Method::new("allocate", allocate),
    Method::new("[](*values)", algebra::literal),
    Method::new("inherited(subclass)", inherited).private(),
];

const METHODS: &[Method] = &[
    Method::new("include?(value)", include).borrows(0).quick(quick_include),
    Method::new("add(value)", quick_add).shortcut().quick(quick_add),
    Method::new("add?(value)", quick_add_new).shortcut().quick(quick_add_new),
    Method::new("delete(value)", delete).borrows(0),
    Method::new("initialize(source = nil)", algebra::initialize).shortcut(),
    Method::new("|(elements)", algebra::union).shortcut(),
    Method::new("&(elements)", algebra::intersection).shortcut(),
    Method::new("-(elements)", algebra::difference).shortcut(),
    Method::new("^(elements)", algebra::exclusive).shortcut(),
    Method::new("merge(*sources)", algebra::merge).shortcut(),
    Method::new("subtract(elements)", algebra::subtract).shortcut(),
    Method::new("subset?(set)", algebra::is_subset).shortcut(),
    Method::new("superset?(set)", algebra::is_superset).shortcut(),
    Method::new("intersect?(elements)", algebra::intersects).shortcut(),
    Method::new("initialize_copy(other)", algebra::initialize_copy).private().shortcut(),
    Method::new("to_set(*arguments)", algebra::to_set).shortcut(),
    Method::new("flatten", algebra::flatten).shortcut(),
    Method::new("replace(source)", algebra::replace).shortcut(),
    Method::new("compare_by_identity", algebra::compare_by_identity).shortcut(),
    Method::new("==(other)", algebra::equal).borrows(0).shortcut(),
    Method::new("<=>(other)", algebra::compare).borrows(0).shortcut(),
    Method::new("__is_iterated", is_iterated).leaf(),
];

pub fn define(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let set = define::define_class(cx, object, "Set", object);
    cx.set_root(runtime::Root::Set, set);
    let enumerable = cx.root(runtime::Root::Enumerable);
    class::ancestors::include(cx, set, enumerable).expect("a module of its own");
    define::define_class(cx, set, "CoreSet", set);
    define::define_singleton_methods(cx, set, SINGLETON);
    define::define_methods(cx, set, METHODS);
    for new in ["member?", "==="] {
        define::alias(cx, set, new, "include?");
    }
    internal::load(cx, runtime::ruby_half!("set/set")).expect("Set runs");
    crate::enumerator::hide_in(cx, set, &["__is_iterated", "__table_of", "__empty", "__each_of", "__flatten_into"]);
}

/// `Set.allocate → set`: an empty Set, which is valid even if the `initialize` of a subclass does not call `super`.
fn allocate(cx: &mut Cx, args: Args) -> R {
    let set = allocators::plain(cx, args.me());
    let table = HashRef::new(cx).value();
    ivars::set_hidden(cx, set, sym::SET_TABLE, table);
    Ok(set)
}

/// `__is_iterated → true or false`, for the Ruby half: whether an iteration of the Set is running.
fn is_iterated(cx: &mut Cx, args: Args) -> R {
    let table = HashRef::from_value(ivars::get(cx, args.me(), sym::SET_TABLE));
    Ok(Value::bool(table.is_some_and(|table| table.is_iterating())))
}

/// `inherited(subclass) → nil`: direct subclasses of Set get the methods of `Set::SubclassCompatible`, those of CoreSet
/// do not.
fn inherited(cx: &mut Cx, args: Args) -> R {
    let set = cx.root(runtime::Root::Set);
    let subclass = args.at(0);
    if args.me() != set || !class::is_module(subclass) {
        return Ok(Value::NIL);
    }
    let name = intern_text(cx, "SubclassCompatible");
    if constants::own_value(cx, set, name)?.is_none() {
        internal::load(cx, runtime::ruby_half!("set/subclass"))?;
    }
    let Some(module) = module_in(cx, set, name)? else { return Ok(Value::NIL) };
    let _ = class::ancestors::include(cx, subclass, module);
    let name = intern_text(cx, "ClassMethods");
    if let Some(methods) = module_in(cx, module, name)? {
        let singleton = class::singleton_class(cx, subclass);
        let _ = class::ancestors::include(cx, singleton, methods);
    }
    Ok(Value::NIL)
}

fn module_in(cx: &mut Cx, scope: Value, name: Sym) -> R<Option<Value>> {
    Ok(constants::own_value(cx, scope, name)?.filter(|module| class::is_module(*module)))
}

fn quick_table(cx: &mut Cx, args: Args) -> Option<HashRef> {
    static SHAPE: AtomicU32 = AtomicU32::new(u32::MAX);
    // The table is the first variable, except of a subclass that sets others before.
    match ivars::leading(cx, args.me(), &[sym::SET_TABLE], &SHAPE) {
        Some([table]) => HashRef::from_value(table),
        None => HashRef::from_value(ivars::get(cx, args.me(), sym::SET_TABLE)),
    }
}

/// [`include`] for a value that is found without running Ruby.
fn quick_include(cx: &mut Cx, args: Args) -> R {
    let Some(table) = quick_table(cx, args) else { return Ok(Value::UNDEF) };
    let found = table.get(&mut BuiltinKeys(cx.mem()), args.at(0));
    Ok(found.map_or(Value::UNDEF, |found| Value::bool(found.is_some())))
}

/// `add(value) → self`: adds a value that is a word; others are left to the Ruby half. Alias: `<<`.
fn quick_add(cx: &mut Cx, args: Args) -> R {
    let may_add = args.at(0).is_word() && !cell::frozen(args.me());
    let Some(table) = quick_table(cx, args).filter(|_| may_add) else { return Ok(Value::UNDEF) };
    let stored = table.store(&mut BuiltinKeys(cx.mem()), args.at(0), Value::TRUE);
    Ok(if stored.is_ok() { args.me() } else { Value::UNDEF })
}

/// `add?(value) → self or nil`: adds a value that is a word, nil if it is an element already; others are left to the
/// Ruby half.
fn quick_add_new(cx: &mut Cx, args: Args) -> R {
    let may_add = args.at(0).is_word() && !cell::frozen(args.me());
    let Some(table) = quick_table(cx, args).filter(|_| may_add) else { return Ok(Value::UNDEF) };
    let before = table.len();
    let stored = table.store(&mut BuiltinKeys(cx.mem()), args.at(0), Value::TRUE);
    let result = if table.len() == before { Value::NIL } else { args.me() };
    Ok(if stored.is_ok() { result } else { Value::UNDEF })
}

/// `include?(value) → true or false`: whether the value is an element. Aliases: `member?`, `===`.
fn include(cx: &mut Cx, args: Args) -> R {
    let table = ivars::get(cx, args.me(), sym::SET_TABLE);
    if table.is_undef() {
        return Ok(Value::FALSE);
    }
    Ok(Value::bool(keys::get(cx, table, args.at(0))?.is_some()))
}

/// `delete(value) → self`: removes an element, if present. FrozenError if the set is frozen.
fn delete(cx: &mut Cx, args: Args) -> R {
    cx.check_frozen(args.me())?;
    let table = ivars::get(cx, args.me(), sym::SET_TABLE);
    if !table.is_undef() {
        keys::delete(cx, table, args.at(0))?;
    }
    Ok(args.me())
}
