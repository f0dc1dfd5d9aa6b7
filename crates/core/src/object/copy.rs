//! dup, clone and freeze.

use abi::{Flags, Type, Value};
use object::{
    Known, Sym,
    array::Arr,
    attachment, cell,
    class::{self, ancestors, class_data},
    hash::HashRef,
    method_entry::{self, Entry},
    shape::ivars,
    string::Str,
};
use runtime::{Args, Cx, R, allocators, call, define, error, keys, make, sym};

/// Whether an object is its own copy.
fn is_its_own_copy(v: Value) -> bool {
    !v.is_heap()
        || matches!(
            cell::header(v).ty(),
            Type::Float | Type::BigInteger | Type::Symbol | Type::Rational | Type::Complex
        )
}

/// A new object of the class of `v` with its instance variables, before `initialize_copy`.
fn shallow_copy(cx: &mut Cx, v: Value) -> R {
    let class = class::real_class(cx, v);
    let ty = cell::header(v).ty();
    let allocator = allocators::own(class);
    let copy = if matches!(ty, Type::Object | Type::Exception) && allocator.is_undef() {
        let root = class::root_shape(class);
        if let Some(copy) = ivars::duplicate(cx, v, root) {
            return Ok(copy);
        }
        ivars::new_object(cx, ty, root)
    } else if allocator.is_undef() || class::flags(class).no_allocator {
        let name = define::class_name(cx, class);
        return Err(cx.type_error(&format!("allocator undefined for {name}")));
    } else {
        call::allocate_by(cx, allocator, class)?
    };
    ivars::copy(cx, v, copy);
    Ok(copy)
}

/// Gives the copy the finalizers of the original.
fn copy_finalizers(cx: &mut Cx, from: Value, to: Value) -> R<()> {
    let list = attachment::finalizers(cx, from);
    if list.is_nil() {
        return Ok(());
    }
    let list = make::copy(cx, Arr::of(list));
    attachment::set_finalizers(cx, to, list);
    cx.register_finalizable(to).map_err(|_| cx.no_memory())
}

/// Gives the copy of a class its superclass before methods of the program see it.
fn prepare_class(cx: &mut Cx, original: Value, copy: Value) -> R<()> {
    if !class::is_class(copy) {
        return Ok(());
    }
    crate::class::prepare_copy(cx, copy, original)?;
    class::class_data_mut(cx, copy).flags.being_copied = true;
    Ok(())
}

/// `dup → object`: a copy with the instance variables, without the singleton methods and not frozen; calls
/// `initialize_dup` of the copy. Symbols, numbers, nil, true, false and methods are their own copies.
pub fn dup(cx: &mut Cx, args: Args) -> R {
    dup_object(cx, args.me())
}

pub fn dup_object(cx: &mut Cx, v: Value) -> R {
    if is_its_own_copy(v) {
        return Ok(v);
    }
    if let Some(copy) = plain_copy(cx, v)? {
        return Ok(copy);
    }
    let copy = shallow_copy(cx, v)?;
    copy_finalizers(cx, v, copy)?;
    prepare_class(cx, v, copy)?;
    if let Some(initializer) = initializer_to_call(cx, copy) {
        call::send_private(cx, copy, initializer, &[v])?;
    }
    Ok(copy)
}

/// The copy of an instance of Array or Hash itself without instance variables, if no method that a program has
/// redefined takes part; otherwise `None`.
fn plain_copy(cx: &mut Cx, v: Value) -> R<Option<Value>> {
    let shape = cell::header(v).shape();
    let is_array = shape == Known::Array.root_shape();
    if !is_array && shape != Known::Hash.root_shape()
        || cell::header(v).has(Flags::ATTACHED)
        || initializer_to_call(cx, v) != Some(sym::INITIALIZE_COPY)
    {
        return Ok(None);
    }
    if is_array {
        return Ok(Some(make::copy(cx, Arr::of(v))));
    }
    let copy = HashRef::of(v).dup(cx);
    Ok(Some(copy.map_err(|error| keys::raise_table_error(cx, error))?.value()))
}

/// The method that `dup` must call on the copy: in general `initialize_dup`, which calls `initialize_copy`. If both are
/// core methods and calls are not traced, plain objects need no call, and Strings, Arrays and Hashes only need
/// `initialize_copy`.
fn initializer_to_call(cx: &mut Cx, copy: Value) -> Option<Sym> {
    let ty = cell::header(copy).ty();
    let is_plain = matches!(ty, Type::Object | Type::Array | Type::Hash | Type::String);
    if !is_plain || cx.vm().redefined_before_tracing.is_some() {
        return Some(sym::INITIALIZE_DUP);
    }
    let (class, object) = (class::class_of(cx, copy), cx.class(Known::Object));
    // `None` for a method that a program has redefined; otherwise whether it is the method of all objects.
    let mut is_of_all_objects = |name| {
        let entry = class::lookup::find_method(cx, class, name);
        let is_core = !entry.is_undef() && call::is_core(entry);
        is_core.then(|| entry == class::lookup::find_method(cx, object, name))
    };
    match (is_of_all_objects(sym::INITIALIZE_DUP), is_of_all_objects(sym::INITIALIZE_COPY)) {
        (Some(true), Some(true)) => None,
        (Some(true), Some(false)) if ty != Type::Object => Some(sym::INITIALIZE_COPY),
        _ => Some(sym::INITIALIZE_DUP),
    }
}

/// `clone(freeze: nil) → object`: a copy with the singleton methods, frozen like the original or according to `freeze`;
/// calls `initialize_clone` of the copy. ArgumentError for other values of `freeze`.
pub fn clone(cx: &mut Cx, args: Args) -> R {
    keys::only_keywords(cx, args.keywords(), &[sym::FREEZE])?;
    let freeze = keys::keyword(cx, args.keywords(), sym::FREEZE).or(Value::NIL);
    if !matches!(freeze, Value::NIL | Value::TRUE | Value::FALSE) {
        let class = error::class_name_of(cx, freeze);
        return Err(cx.argument_error(&format!("unexpected value for freeze: {class}")));
    }
    clone_object(cx, args.me(), freeze)
}

/// `freeze`: nil, true or false.
pub fn clone_object(cx: &mut Cx, v: Value, freeze: Value) -> R {
    if is_its_own_copy(v) {
        if freeze == Value::FALSE {
            let class = error::class_name_of(cx, v);
            return Err(cx.argument_error(&format!("can't unfreeze {class}")));
        }
        return Ok(v);
    }
    let copy = shallow_copy(cx, v)?;
    copy_finalizers(cx, v, copy)?;
    prepare_class(cx, v, copy)?;
    copy_singleton(cx, v, copy);
    if freeze.is_nil() {
        // CRuby's Kernel#clone calls no `initialize_clone` that only calls `initialize_copy`.
        let name = if initializes_as_a_copy(cx, copy) { sym::INITIALIZE_COPY } else { sym::INITIALIZE_CLONE };
        call::send_private(cx, copy, name, &[v])?;
    } else {
        let options = HashRef::new(cx).value();
        keys::store(cx, options, sym::FREEZE.value(), freeze)?;
        call::send_full(
            cx,
            copy,
            sym::INITIALIZE_CLONE,
            &[v],
            Some(options),
            abi::BlockHandler::NONE,
            call::Scope::Function,
        )?;
    }
    if freeze.is_nil() && cell::is(v, Type::String) && cell::header(v).has(Flags::CHILLED) {
        let kind = cell::header(v).flags() & (Flags::CHILLED | object::string::CHILLED_NAME);
        cell::set_header(copy, cell::header(copy).with(kind));
    }
    if freeze == Value::TRUE || (freeze.is_nil() && cell::frozen(v)) {
        freeze_object(cx, copy);
    }
    Ok(copy)
}

/// Whether the `initialize_clone` of an object is that of Kernel.
fn initializes_as_a_copy(cx: &mut Cx, copy: Value) -> bool {
    let (class, object) = (class::class_of(cx, copy), cx.class(Known::Object));
    let entry = class::lookup::find_method(cx, class, sym::INITIALIZE_CLONE);
    let is_watched = cx.vm().redefined_before_tracing.is_some();
    let is_core = !is_watched && !entry.is_undef() && call::is_core(entry);
    is_core && entry == class::lookup::find_method(cx, object, sym::INITIALIZE_CLONE)
}

/// Gives `to` a copy of the singleton class of `from`.
pub fn copy_singleton(cx: &mut Cx, from: Value, to: Value) {
    let Some(singleton) = class::make::existing_singleton(cx, from) else { return };
    let copy = class::singleton_class(cx, to);
    copy_methods(cx, singleton, copy);
    let constants = class_data(cx, singleton).constants().clone();
    if !constants.is_empty() {
        *class::class_data_mut(cx, copy).constants_mut() = constants;
    }
    let modules = make::array(cx, &[]);
    let included = ancestors::segment(singleton).skip_while(|module| *module != singleton).skip(1);
    included.for_each(|module| make::push(cx, modules, module));
    for module in Arr::of(modules).iter().rev() {
        let _ = ancestors::include(cx, copy, module);
    }
    if !class::is_module(from) {
        copy_singleton(cx, singleton, copy);
    }
}

/// Copies the methods in the table of one class to another class.
pub fn copy_methods(cx: &mut Cx, from: Value, to: Value) {
    let names: Vec<object::Sym> = class_data(cx, from).methods().keys().copied().collect();
    for name in names {
        let entry = class::lookup::own_method(from, name);
        if entry.is_undef() {
            continue;
        }
        let read = method_entry::read(entry);
        let cref = match read.kind {
            method_entry::Kind::AttributeReader | method_entry::Kind::AttributeWriter => read.cref,
            _ => runtime::constants::cref::with_module(cx, read.cref, from, to),
        };
        let copy = method_entry::new(cx, Entry { owner: to, found_in: to, cref, ..read });
        define::add_method(cx, to, name, copy);
    }
}

/// `freeze → self`: instance variables and contents can no longer be changed; this cannot be reversed.
pub fn freeze(cx: &mut Cx, args: Args) -> R {
    freeze_object(cx, args.me());
    Ok(args.me())
}

pub fn freeze_object(cx: &mut Cx, v: Value) {
    if cell::frozen(v) {
        return;
    }
    if cell::is(v, Type::String) {
        Str::of(v).freeze();
    }
    cell::set_header(v, cell::header(v).with(Flags::FROZEN));
    freeze_singletons(cx, v);
}

/// Freezes the object's singleton class, and the singleton class of that.
pub fn freeze_singletons(cx: &Cx, v: Value) {
    let mut object = v;
    while let Some(singleton) = class::make::existing_singleton(cx, object) {
        cell::set_header(singleton, cell::header(singleton).with(Flags::FROZEN));
        object = singleton;
    }
}

/// `frozen? → true or false`: whether the object can no longer be changed; numbers, symbols and instances of Range
/// itself never can.
pub fn is_frozen(_: &mut Cx, args: Args) -> R {
    let locked = cell::is(args.me(), Type::String) && cell::header(args.me()).has(object::string::LOCKED);
    Ok(Value::bool(cell::frozen(args.me()) && !locked))
}

/// `initialize_copy(original) → self`: checks that both have the same class and the receiver is not frozen. TypeError,
/// FrozenError.
pub fn initialize_copy(cx: &mut Cx, args: Args) -> R {
    let (me, original) = (args.me(), args.at(0));
    if me == original {
        return Ok(me);
    }
    cx.check_frozen(me)?;
    if class::real_class(cx, me) != class::real_class(cx, original) {
        return Err(cx.type_error("initialize_copy should take same class object"));
    }
    Ok(me)
}

/// `initialize_dup(original) → object`: called by `dup` on the copy; it calls `initialize_copy`.
pub fn initialize_dup(cx: &mut Cx, args: Args) -> R {
    call::send_private(cx, args.me(), sym::INITIALIZE_COPY, &[args.at(0)])
}

/// `initialize_clone(original, freeze: nil) → object`: called by `clone` on the copy; it calls `initialize_copy`.
/// `freeze` is for classes that redefine it.
pub fn initialize_clone(cx: &mut Cx, args: Args) -> R {
    keys::only_keywords(cx, args.keywords(), &[sym::FREEZE])?;
    call::send_private(cx, args.me(), sym::INITIALIZE_COPY, &[args.at(0)])
}
