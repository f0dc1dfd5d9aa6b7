//! Data: immutable value objects.

use abi::{Flags, Type, Value};
use object::{
    Known, Sym,
    array::Arr,
    cell,
    class::{self, class_data_mut},
    hash::HashRef,
    method_entry::Kind,
    shape::ivars,
    structure, symbol,
};
use runtime::{Args, Cx, Method, R, call, define, error::OrRaise, internal, keys, make, method_table::InLine, sym};

use crate::module::evaluation;
use crate::structure::{
    access::{self, copy_of},
    classes::member_list,
    compare, define_accessor, members_of,
    show::inspect_as,
};

const SINGLETON: &[Method] = &[Method::new("define(*members, &block)", define_class)];

/// Singleton methods of every class created by Data.define.
const CLASS_METHODS: &[Method] = &[
    Method::new("allocate", allocate),
    Method::new("new(*values, **members)", new_instance).in_line(InLine::NewData),
    Method::new("[](*values, **members)", new_instance).in_line(InLine::NewData),
    Method::new("members", class_members),
];

const METHODS: &[Method] = &[
    Method::new("initialize(**members)", initialize).private(),
    Method::new("initialize_copy(other)", initialize_copy).private(),
    Method::new("members", access::members),
    Method::new("deconstruct", deconstruct),
    Method::new("deconstruct_keys(keys)", deconstruct_keys),
    Method::new("with(*unexpected, **members)", with),
    Method::new("==(other)", compare::equal),
    Method::new("eql?(other)", compare::eql),
    Method::new("hash", compare::hash),
    Method::new("inspect", inspect),
];

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Data);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    define::alias(cx, class, "to_s", "inspect");
    let singleton = class::singleton_class(cx, class);
    define::undefine(cx, singleton, "new");
    internal::load(cx, runtime::ruby_half!("data/data")).expect("the Ruby half of Data runs");
}

/// `Data.define(:x, :y) { … } → class`: a new class with these members; the block is evaluated as its body.
/// ArgumentError for a name that ends in `=` or occurs twice.
fn define_class(cx: &mut Cx, args: Args) -> R {
    let parent = args.me();
    let members = member_list(cx, args.all())?;
    for i in 0..Arr::of(members).len() {
        let name = Sym::of(Arr::of(members).at(i));
        if name.bytes(cx).ends_with(b"=") {
            let text = name.to_text(cx);
            return Err(cx.argument_error(&format!("invalid data member: {text}")));
        }
    }
    let made = class::new_class(cx, parent);
    let name = symbol::table::intern_text(cx, "__members");
    ivars::set(cx, made, name, members);
    class_data_mut(cx, made).instances = Type::Struct;
    call::send_private(cx, parent, sym::INHERITED, &[made])?;
    define::define_singleton_methods(cx, made, CLASS_METHODS);
    let singleton = class::singleton_class(cx, made);
    define::undefine(cx, singleton, "define");
    for i in 0..Arr::of(members).len() {
        let name = Sym::of(Arr::of(members).at(i));
        define_accessor(cx, made, name, i, Kind::StructReader);
    }
    let block = args.block(cx);
    if !block.is_none() {
        evaluation::run_block(cx, block, made, Some(made), &[made], None)?;
    }
    Ok(made)
}

/// `allocate → data`: an instance whose members are not set yet, for `new` to initialize.
fn allocate(cx: &mut Cx, args: Args) -> R {
    let members = members_of(cx, args.me());
    let shape = class::root_shape(args.me());
    structure::allocate(cx, shape, Arr::of(members).len()).or_raise(cx)
}

/// `new(*values)`, `new(**members)`, `[](…) → data`: for the classes created by `Data.define`. `initialize` receives
/// keywords in either case; ArgumentError for too many values.
fn new_instance(cx: &mut Cx, args: Args) -> R {
    let of = args.me();
    let members = members_of(cx, of);
    let count = Arr::of(members).len();
    let values = args.all();
    if values.len() > count {
        return Err(cx.arity_error(values.len(), 0, Some(count)));
    }
    let shape = class::root_shape(of);
    let object = structure::allocate(cx, shape, count).or_raise(cx)?;
    if uses_own_initialize(cx, object) && values.len() == count && args.keywords().is_none() {
        for (i, v) in values.iter().enumerate() {
            structure::set(cx, object, i, *v);
        }
        freeze(object);
        return Ok(object);
    }
    let table = match args.keywords() {
        Some(table) if values.is_empty() => table,
        keywords => {
            if keywords.is_some() {
                return Err(cx.arity_error(values.len() + 1, 0, Some(count)));
            }
            let table = HashRef::new(cx).value();
            for (i, v) in values.iter().enumerate() {
                keys::store(cx, table, Arr::of(members).at(i), *v)?;
            }
            table
        }
    };
    initialize_and_freeze(cx, object, members, table, args.block(cx))
}

/// Sets the members of a new instance through `initialize`, and freezes it.
fn initialize_and_freeze(cx: &mut Cx, object: Value, members: Value, table: Value, block: abi::BlockHandler) -> R {
    // The frame of `initialize` is needed only for errors.
    if is_complete(members, table) && uses_own_initialize(cx, object) {
        fill(cx, object, members, table)?;
    } else {
        call::send_full(cx, object, sym::INITIALIZE, &[], Some(table), block, call::Scope::Function)?;
    }
    freeze(object);
    Ok(object)
}

/// Whether the keys are the symbols of all members.
fn is_complete(members: Value, table: Value) -> bool {
    let (members, table) = (Arr::of(members), HashRef::of(table));
    let mut keys = std::iter::successors(table.next(0), |(at, ..)| table.next(*at)).map(|(_, key, _)| key);
    table.len() == members.len() && keys.all(|key| members.contains(key))
}

fn uses_own_initialize(cx: &mut Cx, object: Value) -> bool {
    let of = class::class_of(cx, object);
    let entry = class::lookup::find_method(cx, of, sym::INITIALIZE);
    object::method_entry::owner(entry) == cx.class(Known::Data)
}

fn freeze(v: Value) {
    cell::set_header(v, cell::header(v).with(Flags::FROZEN));
}

/// `initialize(**members) → nil`: sets the members and freezes the receiver. `new` has converted positional arguments
/// to keywords. ArgumentError for missing and for unknown members.
fn initialize(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cx.check_frozen(me)?;
    let of = class::real_class(cx, me);
    let members = members_of(cx, of);
    let table = match args.keywords() {
        Some(table) => table,
        None => HashRef::new(cx).value(),
    };
    fill(cx, me, members, table)?;
    freeze(me);
    Ok(Value::NIL)
}

/// Sets every member once: ArgumentError for missing ones, else for unknown ones; TypeError for a key that is no name.
fn fill(cx: &mut Cx, object: Value, members: Value, table: Value) -> R<()> {
    let count = Arr::of(members).len();
    let unknown = make::array(cx, &[]);
    let seen = make::array(cx, &[]);
    let mut at = 0;
    while let Some((next, key, value)) = HashRef::of(table).next(at) {
        let (key, name) = access::member_name(cx, key)?;
        match Arr::of(members).index_of(name.value()) {
            Some(i) => {
                structure::set(cx, object, i, value);
                make::push(cx, seen, name.value());
            }
            None => make::push(cx, unknown, key),
        }
        at = next;
    }
    let missing = make::array(cx, &[]);
    for i in 0..count {
        let name = Arr::of(members).at(i);
        if !Arr::of(seen).contains(name) {
            make::push(cx, missing, name);
        }
    }
    if !Arr::of(missing).is_empty() {
        return Err(keyword_error(cx, "missing", missing));
    }
    if !Arr::of(unknown).is_empty() {
        return Err(keyword_error(cx, "unknown", unknown));
    }
    Ok(())
}

fn keyword_error(cx: &mut Cx, what: &str, names: Value) -> runtime::Unwind {
    let mut shown = Vec::new();
    for i in 0..Arr::of(names).len() {
        match call::inspect_text(cx, Arr::of(names).at(i)) {
            Ok(text) => shown.push(text),
            Err(unwind) => return unwind,
        }
    }
    let plural = if shown.len() == 1 { "" } else { "s" };
    cx.argument_error(&format!("{what} keyword{plural}: {}", shown.join(", ")))
}

/// `initialize_copy(other) → self`: copies the members and freezes the receiver. TypeError for an object of another
/// class.
fn initialize_copy(cx: &mut Cx, args: Args) -> R {
    access::initialize_copy(cx, args)?;
    freeze(args.me());
    Ok(args.me())
}

/// `members → array`: the members' names as symbols, in their order.
fn class_members(cx: &mut Cx, args: Args) -> R {
    let members = members_of(cx, args.me());
    copy_of(cx, members)
}

/// `with(*unexpected, **members) → data`: a copy with other values for these members, created through `initialize`.
/// ArgumentError for positional arguments.
fn with(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    if !args.is_empty() {
        return Err(cx.arity_error(args.len(), 0, Some(0)));
    }
    let Some(changes) = args.keywords() else { return Ok(me) };
    let table = HashRef::new(cx).value();
    let names = access::names(cx, me);
    for (i, name) in Arr::of(names).iter().enumerate() {
        keys::store(cx, table, name, structure::get(me, i).unwrap_or(Value::NIL))?;
    }
    let mut at = 0;
    while let Some((next, key, value)) = HashRef::of(changes).next(at) {
        keys::store(cx, table, key, value)?;
        at = next;
    }
    let of = class::real_class(cx, me);
    let members = members_of(cx, of);
    let shape = class::root_shape(of);
    let object = structure::allocate(cx, shape, Arr::of(members).len()).or_raise(cx)?;
    initialize_and_freeze(cx, object, members, table, abi::BlockHandler::NONE)
}

/// `deconstruct → array`: the members' values in their order, for patterns.
fn deconstruct(cx: &mut Cx, args: Args) -> R {
    access::to_a(cx, args)
}

/// `deconstruct_keys(keys) → hash`: the members that the array names, up to the first unknown name, or all for nil.
/// TypeError for anything else.
fn deconstruct_keys(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let wanted = args.at(0);
    if !cell::is(wanted, Type::Array) {
        return access::deconstruct_keys(cx, args);
    }
    let result = HashRef::new(cx).value();
    if Arr::of(wanted).len() > structure::members(&me).len() {
        return Ok(result);
    }
    let mut i = 0;
    while let Some(key) = Arr::of(wanted).get(i) {
        let (key, name) = access::member_name(cx, key)?;
        let Some(at) = access::position(cx, me, name) else { break };
        keys::store(cx, result, key, structure::get(me, at).unwrap_or(Value::NIL))?;
        i += 1;
    }
    Ok(result)
}

/// `inspect → string`: `#<data Name member=value, …>`; an instance within itself is shown as `#<data Name:...>`.
fn inspect(cx: &mut Cx, args: Args) -> R {
    inspect_as(cx, args.me(), "data")
}
