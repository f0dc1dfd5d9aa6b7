//! Class: creation of classes and their instances.

use abi::{Type, Value};
use object::{
    Known,
    array::Arr,
    class::{self, class_data},
    shape::ivars,
};
use runtime::{
    Args, Cx, Method, R, allocators, call, define, error::OrRaise, intrinsics::check_inheritable,
    method_table::Special, sym,
};

use crate::{basic_object::nothing, module::evaluation};

pub const METHODS: &[Method] = &[
    Method::new("allocate", allocate),
    Method::new("new(*arguments, **options, &block)", new).special(Special::New),
    Method::new("initialize(superclass = Object, &block)", initialize).private(),
    Method::new("superclass", superclass),
    Method::new("subclasses", subclasses),
    Method::new("attached_object", attached_object),
    Method::new("inherited(subclass)", nothing).private().leaf(),
];

pub const SINGLETON: &[Method] = &[Method::new("allocate", allocate_class)];

/// `Array.new`, `String.new` and `IO.new`, which do what Class#new does. CRuby defines them for speed; backtraces show
/// them.
const OWN_NEW: &[Method] = &[Method::new("new(*arguments, **options, &block)", new).special(Special::New)];

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Class);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    for known in [Known::Array, Known::String, Known::Io] {
        let class = cx.class(known);
        define::define_singleton_methods(cx, class, OWN_NEW);
    }
    for name in ["module_function", "append_features", "prepend_features", "extend_object", "refine"] {
        define::undefine(cx, class, name);
    }
}

fn is_initialized(cx: &Cx, class: Value) -> bool {
    !class::superclass(class).is_nil() || class == cx.class(Known::BasicObject)
}

/// `allocate → object`: an instance without calling `initialize`. TypeError for a class without an allocator, such as
/// Integer.
fn allocate(cx: &mut Cx, args: Args) -> R {
    allocate_plain(cx, args.me())
}

/// An instance of any class that may have instances, without calling `initialize`.
pub fn allocate_instance(cx: &mut Cx, class: Value) -> R {
    let allocator = allocators::own(class);
    if allocator.is_undef() || class::flags(class).no_allocator {
        return allocate_plain(cx, class);
    }
    if class::flags(class).singleton {
        return Err(cx.type_error("can't create instance of singleton class"));
    }
    call::allocate_by(cx, allocator, class)
}

fn allocate_plain(cx: &mut Cx, class: Value) -> R {
    let (flags, instances) = (class::flags(class), class::instances(class));
    if flags.singleton {
        return Err(cx.type_error("can't create instance of singleton class"));
    }
    if !is_initialized(cx, class) {
        return Err(cx.type_error("can't instantiate uninitialized class"));
    }
    if flags.no_allocator || !matches!(instances, Type::Object | Type::Exception) {
        let name = define::class_name(cx, class);
        return Err(cx.type_error(&format!("allocator undefined for {name}")));
    }
    Ok(ivars::new_object(cx, instances, class::root_shape(class)))
}

/// `new(*arguments, **options, &block) → object`: calls `allocate` and `initialize`. The interpreter runs it in its
/// loop for plain objects.
pub fn new(cx: &mut Cx, args: Args) -> R {
    let class = args.me();
    let object = allocate_instance(cx, class)?;
    let block = args.block(cx);
    call::send_full(cx, object, sym::INITIALIZE, args.all(), args.keywords(), block, call::Scope::Function)?;
    Ok(object)
}

/// `Class.allocate → class`: a class without a superclass, for `initialize`; other methods raise TypeError until then.
fn allocate_class(cx: &mut Cx, args: Args) -> R {
    Ok(class::make::allocate_module_instance(cx, args.me()))
}

/// `Class.new(superclass = Object) { |class| … }`: calls `inherited` of the superclass, then the block with the class
/// as self. TypeError unless the superclass is a class that may have subclasses.
fn initialize(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    if is_initialized(cx, me) {
        return Err(cx.type_error("already initialized class"));
    }
    let superclass = match args.opt(0) {
        Some(superclass) => superclass,
        None => cx.class(Known::Object),
    };
    check_inheritable(cx, superclass)?;
    if superclass != cx.class(Known::BasicObject) && !is_initialized(cx, superclass) {
        return Err(cx.type_error("can't inherit uninitialized class"));
    }
    class::make::set_superclass(cx, me, superclass);
    class::singleton_class(cx, me);
    call::send_private(cx, superclass, sym::INHERITED, &[me])?;
    let block = args.block(cx);
    if !block.is_none() {
        evaluation::run_block(cx, block, me, Some(me), &[me], None)?;
    }
    Ok(Value::NIL)
}

/// Gives a class created by `allocate` the superclass of its original.
pub fn prepare_copy(cx: &mut Cx, me: Value, original: Value) -> R<()> {
    if is_initialized(cx, me) {
        return Err(cx.type_error("already initialized class"));
    }
    if class::flags(original).singleton {
        return Err(cx.type_error("can't copy singleton class"));
    }
    if !is_initialized(cx, original) {
        return Err(cx.type_error("can't copy uninitialized class"));
    }
    let superclass = class::superclass(original);
    if superclass.is_nil() {
        return Err(cx.type_error("can't copy the root class"));
    }
    class::make::set_superclass(cx, me, superclass);
    let source = class_data(cx, original);
    let (instances, allocator, no_allocator) = (source.instances, source.own_allocator, source.flags.no_allocator);
    let data = class::class_data_mut(cx, me);
    data.instances = instances;
    data.own_allocator = allocator;
    data.flags.no_allocator = no_allocator;
    let singleton = class::singleton_class(cx, me);
    // A copy's singleton class is created before its superclass is known.
    class::class_data_mut(cx, singleton).superclass = class::singleton_class(cx, superclass);
    Ok(())
}

/// `superclass → class or nil`: included and prepended modules are skipped; nil for BasicObject. TypeError for a class
/// whose `initialize` was not called.
fn superclass(cx: &mut Cx, args: Args) -> R {
    if !is_initialized(cx, args.me()) {
        return Err(cx.type_error("uninitialized class"));
    }
    Ok(class::superclass(args.me()))
}

/// `subclasses → array`: the direct subclasses, the newest first, without singleton classes.
fn subclasses(cx: &mut Cx, args: Args) -> R {
    let count = class_data(cx, args.me()).subclasses().len();
    let list = Arr::with_capacity(cx, count).or_raise(cx)?;
    // The list keeps no class alive, and the allocation may have collected some: nothing may be allocated from here on.
    let count = class_data(cx, args.me()).subclasses().len().min(count);
    for i in (0..count).rev() {
        let below = class_data(cx, args.me()).subclasses()[i].0;
        if cx.is_alive(below) && !class::flags(below).singleton {
            list.push(cx, below).or_raise(cx)?;
        }
    }
    Ok(list.value())
}

/// `attached_object → object`: the object whose singleton class this is. TypeError for any other class.
fn attached_object(cx: &mut Cx, args: Args) -> R {
    if class::flags(args.me()).singleton {
        return Ok(class::attached(args.me()));
    }
    let name = define::class_name(cx, args.me());
    Err(cx.type_error(&format!("'{name}' is not a singleton class")))
}
