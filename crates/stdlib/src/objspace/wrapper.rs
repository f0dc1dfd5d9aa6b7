//! ObjectSpace::InternalObjectWrapper: represents an internal object to programs.

use heap::Trace;
use object::{
    Known,
    native::{self, NativeData},
};
use runtime::{Args, Cx, Method, R, Value, define, library, make};

use core_classes::object_space;

const METHODS: &[Method] = &[
    Method::new("type", type_of),
    Method::new("inspect", inspect),
    Method::new("internal_object_id", internal_object_id),
];

#[derive(Trace)]
struct Wrapped(Value);

impl NativeData for Wrapped {
    object::one_vtable!(Wrapped);
}

pub fn define(cx: &mut Cx, module: Value) -> R<()> {
    let object = cx.class(Known::Object);
    let class = library::class(cx, module, "InternalObjectWrapper", object)?;
    define::define_methods(cx, class, METHODS);
    object::class::class_data_mut(cx, class).flags.no_allocator = true;
    cx.set_root(runtime::Root::ObjectSpaceInternalObjectWrapper, class);
    Ok(())
}

/// The object itself, or a wrapper if programs must not access it.
pub fn visible(cx: &mut Cx, v: Value) -> Value {
    if !v.is_heap() || object_space::is_visible(v) {
        return v;
    }
    let class = cx.root(runtime::Root::ObjectSpaceInternalObjectWrapper);
    native::new(cx, class, Box::new(Wrapped(v)))
}

/// The wrapped object; other values are returned unchanged.
pub fn unwrapped(v: Value) -> Value {
    native::get::<Wrapped>(&v).map_or(v, |wrapped| wrapped.0)
}

/// `type → symbol`: the type of the internal object, for instance `:T_IMEMO`.
fn type_of(cx: &mut Cx, args: Args) -> R {
    let name = object_space::type_name_of(unwrapped(args.me()));
    Ok(object::symbol::table::intern_text(cx, name).value())
}

/// `inspect → string`: the address and the type of the internal object.
fn inspect(cx: &mut Cx, args: Args) -> R {
    let inner = unwrapped(args.me());
    let text = format!("#<InternalObject:0x{:016x} {}>", inner.0, object_space::type_name_of(inner));
    Ok(make::text(cx, &text))
}

/// `internal_object_id → integer`: an id of the wrapped object, like `object_id` of other objects.
fn internal_object_id(cx: &mut Cx, args: Args) -> R {
    let inner = unwrapped(args.me());
    Ok(core_classes::object::identity::id_of(cx, inner))
}
