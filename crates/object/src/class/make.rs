//! Creation of classes, modules and singleton classes.

use abi::{Flags, Header, ShapeId, Type, Value};
use memory::Grow;

use super::{
    class_data, class_data_mut, class_of,
    data::{Ancestor, ClassData, OUTSIDE},
};
use crate::{Known, Mem, cell};

/// The maximum number of words in an object's cell for instance variables.
const MOST_INLINE: u16 = 63;

/// A cell with empty tables and no superclass yet.
pub(super) fn allocate_class(cx: &mut Mem, ty: Type, shape: ShapeId, instances: Type) -> Value {
    let data = Box::into_raw(Box::new(ClassData::new(instances)));
    let class = cx.allocate(16, Header::new(ty, shape, 0));
    // SAFETY: 16 bytes are two words; a native pointer is no reference.
    unsafe { cell::set_raw(class, 1, data as u64) };
    cx.register_native(class).unwrap_or_else(|exhausted| std::panic::resume_unwind(Box::new(exhausted)));
    class_data_mut(cx, class).segment.push(Ancestor(class));
    cx.world_mut().shapes.add_module(class);
    cx.extends_young(OUTSIDE);
    class
}

/// A new class below `superclass`, with its own metaclass. The caller runs hooks.
pub fn new_class(cx: &mut Mem, superclass: Value) -> Value {
    let instances = super::instances(superclass);
    let class = allocate_class(cx, Type::Class, Known::Class.root_shape(), instances);
    set_superclass(cx, class, superclass);
    make_metaclass(cx, class);
    class
}

/// Links an unlinked class below `superclass` and inherits the properties of classes.
pub fn set_superclass(cx: &mut Mem, class: Value, superclass: Value) {
    let (instances, most_fields, no_allocator) = {
        let s = class_data(cx, superclass);
        (s.instances, s.most_fields, s.flags.no_allocator)
    };
    let root = cx.world_mut().shapes.new_root(class, fitting_capacity(most_fields));
    let former = class_data(cx, class).superclass;
    if former.is_heap() {
        class_data_mut(cx, former).remove_subclass(class);
    }
    let data = class_data_mut(cx, class);
    data.superclass = superclass;
    data.instances = instances;
    data.most_fields = most_fields;
    data.root_shape = root;
    data.flags.no_allocator = no_allocator;
    class_data_mut(cx, superclass).add_subclass(class);
}

/// The singleton class of a class, created together with it: class methods are inherited along the metaclasses.
pub(super) fn make_metaclass(cx: &mut Mem, class: Value) -> Value {
    let superclass = super::superclass(class);
    let meta_super = if superclass.is_nil() { cx.class(Known::Class) } else { singleton_class(cx, superclass) };
    new_singleton(cx, class, meta_super)
}

pub fn new_module(cx: &mut Mem) -> Value {
    allocate_class(cx, Type::Module, Known::Module.root_shape(), Type::Object)
}

/// An instance of a subclass of Module or Class, created by `allocate`.
pub fn allocate_module_instance(cx: &mut Mem, of: Value) -> Value {
    let shape = super::root_shape(of);
    let ty = super::instances(of);
    allocate_class(cx, ty, shape, Type::Object)
}

/// The singleton class of a heap object, created if necessary.
pub fn singleton_class(cx: &mut Mem, object: Value) -> Value {
    let class = class_of(cx, object);
    if super::flags(class).singleton && super::attached(class) == object {
        return class;
    }
    if super::is_class(object) {
        return make_metaclass(cx, object);
    }
    new_singleton(cx, object, class)
}

/// The singleton class, if it has one.
pub fn existing_singleton(cx: &Mem, object: Value) -> Option<Value> {
    let class = class_of(cx, object);
    (super::flags(class).singleton && super::attached(class) == object).then_some(class)
}

fn new_singleton(cx: &mut Mem, object: Value, superclass: Value) -> Value {
    let instances = cell::header(object).ty();
    // Its class is the metaclass of its superclass, so that it is a kind of the superclass's singleton class.
    let meta = class_of(cx, superclass);
    let shape = match super::flags(meta).singleton {
        true => cx.world_mut().shapes.plain_root(super::root_shape(meta)),
        false => Known::Class.root_shape(),
    };
    let singleton = allocate_class(cx, Type::Class, shape, instances);
    cell::set_header(singleton, cell::header(singleton).with(abi::Flags::SINGLETON));
    let data = class_data_mut(cx, singleton);
    data.flags.singleton = true;
    data.attached = object;
    data.superclass = superclass;
    data.instances = instances;
    class_data_mut(cx, superclass).add_subclass(singleton);
    if !super::is_class(object) {
        // Class methods of the object's class are methods of its singleton class as well.
        let of = class_of(cx, super::non_singleton(superclass));
        let shape = cell::header(singleton).shape();
        if cx.world().shapes.class(shape) != of {
            let shape = cx.world_mut().shapes.with_class(shape, of);
            cell::set_header(singleton, cell::header(singleton).with_shape(shape));
        }
    }
    let shape = cell::header(object).shape();
    let shape = cx.world_mut().shapes.with_subclass(shape, singleton);
    class_data_mut(cx, singleton).root_shape = shape;
    cell::set_header(object, cell::header(object).with_shape(shape));
    // The object refers to its class through its shape.
    cx.remember(object);
    if cell::frozen(object) {
        cell::set_header(singleton, cell::header(singleton).with(Flags::FROZEN));
    }
    singleton
}

/// The number of words for `fields` instance variables, rounded up to the size class of the cell.
fn fitting_capacity(fields: u16) -> u16 {
    let bytes = heap::rounded_size(8 + 8 * (fields.clamp(1, MOST_INLINE) as usize));
    (bytes / 8 - 1) as u16
}

/// Records that an instance of `class` has `count` variables, so that later instances get room for them.
#[inline]
pub fn learn_field_count(cx: &mut Mem, class: Value, count: u16) {
    if class.is_heap() && class_data(cx, class).most_fields < count {
        set_field_count(cx, class, count);
    }
}

/// Gives new objects of `class` room for `count` variables (for instance, those that its `initialize` sets), and those
/// of its subclasses.
pub fn set_field_count(cx: &mut Mem, class: Value, count: u16) {
    // A list instead of recursion: a chain of subclasses may be longer than the native stack is deep.
    let mut pending = vec![Ancestor(class)];
    while let Some(Ancestor(class)) = pending.pop() {
        if set_own_field_count(cx, class, count) {
            pending.append_slice(class_data(cx, class).subclasses());
        }
    }
}

/// True if the room of the class grows, so that subclasses may need more, too.
fn set_own_field_count(cx: &mut Mem, class: Value, count: u16) -> bool {
    let data = class_data(cx, class);
    if data.most_fields >= count {
        return false;
    }
    let (singleton, old_root) = (data.flags.singleton, data.root_shape);
    class_data_mut(cx, class).most_fields = count;
    let capacity = fitting_capacity(count);
    if singleton || capacity <= cx.world().shapes.get(old_root).capacity {
        return false;
    }
    let root = cx.world_mut().shapes.new_root(class, capacity);
    class_data_mut(cx, class).root_shape = root;
    true
}
