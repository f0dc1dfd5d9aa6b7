//! Lists of methods, and predicates about them.

use abi::Value;
use object::{
    Known, Sym,
    array::Arr,
    class::{self, ancestors, class_data},
    method_entry::{self, Kind, Visibility},
};
use runtime::{Args, Cx, R, call::arity, convert, make};

/// The methods to list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    PublicAndProtected,
    Public,
    Private,
    Protected,
}

impl Wanted {
    fn takes(self, visibility: Visibility) -> bool {
        match self {
            Wanted::PublicAndProtected => visibility != Visibility::Private,
            Wanted::Public => visibility == Visibility::Public,
            Wanted::Private => visibility == Visibility::Private,
            Wanted::Protected => visibility == Visibility::Protected,
        }
    }
}

/// Collects names: the first entry for a name decides.
#[derive(Default)]
struct Collector {
    seen: std::collections::HashSet<u64, rustc_hash::FxBuildHasher>,
}

impl Collector {
    fn add(&mut self, cx: &mut Cx, list: Value, module: Value, wanted: Wanted) {
        let names: Vec<Sym> = class_data(cx, module).methods().keys().copied().collect();
        self.seen.reserve(names.len());
        for name in names {
            let entry = class::lookup::own_method(module, name);
            if entry.is_undef() || !self.seen.insert(name.value().0) {
                continue;
            }
            if method_entry::kind(entry) != Kind::Undefined && wanted.takes(method_entry::visibility(entry)) {
                make::push(cx, list, name.value());
            }
        }
    }
}

/// The ancestors of a class as an Array, which keeps them alive while lists are built.
fn ancestors_of(cx: &mut Cx, class: Value) -> Value {
    let list = make::array(cx, &[]);
    let mut all: Vec<u64> = ancestors::each(class).map(|v| v.0).collect();
    // A refinement is followed by the class it refines.
    let refined = class::refined(class);
    if class::flags(class).refinement && refined.is_heap() {
        all = std::iter::once(class).chain(ancestors::each(refined)).map(|v| v.0).collect();
    }
    for v in all {
        make::push(cx, list, Value(v));
    }
    list
}

/// `instance_methods(all)`: of the class and (with `all`) its ancestors; without `all` only those of the class and its
/// prepended modules.
pub fn of_class(cx: &mut Cx, class: Value, all: bool, wanted: Wanted) -> Value {
    let list = make::array(cx, &[]);
    let mut collector = Collector::default();
    let modules = ancestors_of(cx, class);
    for module in Arr::of(modules).iter() {
        collector.add(cx, list, module, wanted);
        if !all && module == class {
            break;
        }
    }
    list
}

/// Singleton classes up to the first other class, with the modules between them (`private_methods(false)`).
pub fn up_to_real_class(cx: &mut Cx, class: Value, wanted: Wanted) -> Value {
    let list = make::array(cx, &[]);
    let mut collector = Collector::default();
    let modules = ancestors_of(cx, class);
    let real = class::non_singleton(class);
    for module in Arr::of(modules).iter() {
        collector.add(cx, list, module, wanted);
        if module == real {
            break;
        }
    }
    list
}

/// The list that `singleton_methods(all)` returns.
pub fn of_singleton(cx: &mut Cx, singleton: Value, all: bool) -> Value {
    let list = make::array(cx, &[]);
    let mut collector = Collector::default();
    let mut at = singleton;
    // A class's singleton class inherits from those of its superclasses; modules are in the segment of the class that
    // they extend.
    while !at.is_nil() && class::flags(at).singleton {
        for ancestor in class_data(cx, at).segment.clone() {
            if all || ancestor.0 == singleton {
                collector.add(cx, list, ancestor.0, Wanted::PublicAndProtected);
            }
        }
        if !all {
            break;
        }
        at = class::superclass(at);
    }
    list
}

fn instance_list(cx: &mut Cx, args: Args, wanted: Wanted) -> R {
    Ok(of_class(cx, args.me(), args.opt(0).is_none_or(Value::truthy), wanted))
}

/// `instance_methods(all = true) → array`: the names of the public and protected instance methods, including those of
/// ancestors unless `all` is false.
pub fn instance_methods(cx: &mut Cx, args: Args) -> R {
    instance_list(cx, args, Wanted::PublicAndProtected)
}

/// `public_instance_methods(all = true) → array`: the names of the public instance methods, including those of
/// ancestors unless `all` is false.
pub fn public_instance_methods(cx: &mut Cx, args: Args) -> R {
    instance_list(cx, args, Wanted::Public)
}

/// `private_instance_methods(all = true) → array`: the names of the private instance methods, including those of
/// ancestors unless `all` is false.
pub fn private_instance_methods(cx: &mut Cx, args: Args) -> R {
    instance_list(cx, args, Wanted::Private)
}

/// `protected_instance_methods(all = true) → array`: the names of the protected instance methods, including those of
/// ancestors unless `all` is false.
pub fn protected_instance_methods(cx: &mut Cx, args: Args) -> R {
    instance_list(cx, args, Wanted::Protected)
}

/// `undefined_instance_methods → array`: the names undefined by `undef_method` in this module itself.
pub fn undefined_instance_methods(cx: &mut Cx, args: Args) -> R {
    let list = make::array(cx, &[]);
    let names: Vec<Sym> = class_data(cx, args.me()).methods().keys().copied().collect();
    for name in names {
        let entry = class::lookup::own_method(args.me(), name);
        if !entry.is_undef() && method_entry::is_undefined(entry) {
            make::push(cx, list, name.value());
        }
    }
    Ok(list)
}

/// Whether a method with that name (and visibility) exists, in the module itself or including its ancestors.
fn is_defined(cx: &mut Cx, args: Args, wanted: Wanted) -> R {
    let name = convert::to_symbol(cx, args.at(0))?;
    let module = args.me();
    let entry = if args.opt(1).is_none_or(Value::truthy) {
        class::lookup::find_instance_method(cx, module, name)
    } else {
        class::lookup::own_method(module, name)
    };
    let there = !entry.is_undef()
        && method_entry::kind(entry) != Kind::Undefined
        && !arity::is_not_implemented(entry)
        && wanted.takes(method_entry::visibility(entry));
    Ok(Value::bool(there))
}

/// `method_defined?(name, inherit = true) → true or false`: whether a public or protected instance method with the name
/// exists, including ancestors unless `inherit` is false.
pub fn is_method_defined(cx: &mut Cx, args: Args) -> R {
    is_defined(cx, args, Wanted::PublicAndProtected)
}

/// `public_method_defined?(name, inherit = true) → true or false`: whether a public instance method with the name
/// exists, including ancestors unless `inherit` is false.
pub fn is_public_method_defined(cx: &mut Cx, args: Args) -> R {
    is_defined(cx, args, Wanted::Public)
}

/// `private_method_defined?(name, inherit = true) → true or false`: whether a private instance method with the name
/// exists, including ancestors unless `inherit` is false.
pub fn is_private_method_defined(cx: &mut Cx, args: Args) -> R {
    is_defined(cx, args, Wanted::Private)
}

/// `protected_method_defined?(name, inherit = true) → true or false`: whether a protected instance method with the name
/// exists, including ancestors unless `inherit` is false.
pub fn is_protected_method_defined(cx: &mut Cx, args: Args) -> R {
    is_defined(cx, args, Wanted::Protected)
}

/// `Object`, in which lookups in modules continue.
pub fn object_class(cx: &Cx) -> Value {
    cx.class(Known::Object)
}
