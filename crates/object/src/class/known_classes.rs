//! The predefined classes, created before anything else.

use abi::{Type, Value};
use heap::Trace;

use super::{class_data_mut, constants, make};
use crate::{Known, Mem, symbol};

/// The known classes by number.
#[derive(Trace)]
pub struct Classes {
    known: [Value; Known::COUNT],
}

impl Classes {
    pub fn empty() -> Classes {
        Classes { known: [Value::NIL; Known::COUNT] }
    }

    #[inline(always)]
    pub fn known(&self, known: Known) -> Value {
        self.known[known as usize]
    }
}

/// Creates the known classes with their metaclasses, and names them as constants of Object.
pub fn bootstrap(cx: &mut Mem) {
    for &known in Known::ALL {
        let class = make::allocate_class(cx, Type::Class, Known::Class.root_shape(), known.instances());
        cx.world_mut().classes.known[known as usize] = class;
        cx.world_mut().shapes.set_known_class(known, class);
        class_data_mut(cx, class).root_shape = known.root_shape();
    }
    for &known in Known::ALL {
        if known != Known::BasicObject {
            let (class, superclass) = (cx.class(known), cx.class(known.superclass()));
            class_data_mut(cx, class).superclass = superclass;
            class_data_mut(cx, superclass).add_subclass(class);
        }
    }
    // Superclasses precede their subclasses in the list; BasicObject, Object, Module and Class were linked above.
    for known in [Known::BasicObject, Known::Object, Known::Module, Known::Class] {
        let class = cx.class(known);
        if make::existing_singleton(cx, class).is_none() {
            make::make_metaclass(cx, class);
        }
    }
    for &known in Known::ALL {
        let class = cx.class(known);
        if make::existing_singleton(cx, class).is_none() {
            make::make_metaclass(cx, class);
        }
    }
    symbol::table::intern_well_known(cx);
    for &known in Known::ALL {
        name_class(cx, known);
    }
}

/// Gives a known class its name and its constant.
fn name_class(cx: &mut Mem, known: Known) {
    let full = known.ruby_name();
    let class = cx.class(known);
    if full.is_empty() {
        return;
    }
    let name = crate::string::intern::intern_name(cx, full);
    class_data_mut(cx, class).name = name;
    if full.contains("::") {
        return; // Its outer class names it when that is set up.
    }
    let object = cx.class(Known::Object);
    let symbol = symbol::table::intern_text(cx, full);
    constants::set(cx, object, symbol, constants::Constant::new(class));
}
