//! Classes created by Struct.new, and their instances.

use abi::{Type, Value};
use memory::ToVector;
use object::{
    Known, Sym,
    array::Arr,
    cell,
    class::{self, class_data_mut, constants},
    hash::HashRef,
    method_entry::Kind,
    shape::ivars,
    string::Str,
    structure, symbol,
};
use runtime::{Args, Cx, R, call, convert, define, error::ErrorClass, error::OrRaise, keys, make, sym};
use rustc_hash::FxHashSet;

use crate::module::{constants::is_constant_name, evaluation};

use super::access::{copy_of, inherited_hidden, members_of, named};

/// `Struct.new("Name", :member, …, keyword_init: nil) { … } → class`: a new class with these members, also a constant
/// of Struct if a name is given; the block is evaluated as its body. ArgumentError for a duplicate member, NameError
/// for a name that is not valid for a constant.
pub fn new_struct_class(cx: &mut Cx, args: Args) -> R {
    let parent = args.me();
    let keyword_init = symbol::table::intern_text(cx, "keyword_init");
    keys::only_keywords(cx, args.keywords(), &[keyword_init])?;
    let by_keywords = keys::keyword(cx, args.keywords(), keyword_init).or(Value::NIL);
    let mut given = args.all();
    let mut name = Value::NIL;
    if let Some(first) = given.first() {
        if first.is_nil() {
            given = &given[1..];
        } else if Sym::from_value(*first).is_none() {
            name = convert::to_str(cx, *first)?.value();
            given = &given[1..];
        }
    }
    let members = member_list(cx, given)?;
    let made = class::new_class(cx, parent);
    if !name.is_nil() {
        name_class(cx, parent, made, name)?;
    }
    call::send_private(cx, parent, sym::INHERITED, &[made])?;
    set_up(cx, made, members, by_keywords);
    let block = args.block(cx);
    if !block.is_none() {
        evaluation::run_block(cx, block, made, Some(made), &[made], None)?;
    }
    Ok(made)
}

/// Symbols for the members; ArgumentError for a duplicate.
pub fn member_list(cx: &mut Cx, given: &[Value]) -> R {
    let members = make::array(cx, &[]);
    let mut known = FxHashSet::default();
    for member in given {
        let name = convert::to_symbol(cx, *member)?;
        if name.bytes(cx).ends_with(b"=") {
            let text = name.to_text(cx);
            return Err(cx.argument_error(&format!("invalid struct member: {text}")));
        }
        if !memory::add(&mut known, name.value().0) {
            let text = name.to_text(cx);
            return Err(cx.argument_error(&format!("duplicate member: {text}")));
        }
        make::push(cx, members, name.value());
    }
    Ok(members)
}

fn name_class(cx: &mut Cx, parent: Value, made: Value, name: Value) -> R<()> {
    let text = Str::of(name).to_text();
    let symbol = convert::string_to_symbol(cx, Str::of(name));
    if !is_constant_name(Str::of(name)) {
        return Err(cx.name_error(
            ErrorClass::NameError,
            &format!("identifier {text} needs to be constant"),
            symbol,
            parent,
        ));
    }
    if constants::own(parent, symbol).is_some() {
        let scope = define::class_name(cx, parent);
        runtime::warning::warn_here(cx, &format!("redefining constant {scope}::{text}"))?;
    }
    define::set_constant(cx, parent, symbol, made);
    Ok(())
}

fn set_up(cx: &mut Cx, made: Value, members: Value, by_keywords: Value) {
    ivars::set(cx, made, sym::MEMO_MEMBERS, members);
    ivars::set(cx, made, sym::STRUCT_KEYWORD_INIT, by_keywords);
    class_data_mut(cx, made).instances = Type::Struct;
    define::define_singleton_methods(cx, made, super::CLASS_METHODS);
    for i in 0..Arr::of(members).len() {
        let name = Sym::of(Arr::of(members).at(i));
        super::define_accessor(cx, made, name, i, Kind::StructReader);
        let mut setter = name.bytes(cx).to_vector();
        setter.push(b'=');
        let encoding = Str::of(name.name(cx)).encoding();
        let setter = symbol::intern(cx, &setter, encoding);
        super::define_accessor(cx, made, setter, i, Kind::StructWriter);
    }
}

/// `allocate → struct`: an instance with all members nil, for `new` to initialize.
pub fn allocate(cx: &mut Cx, args: Args) -> R {
    let members = members_of(cx, args.me());
    if members.is_nil() {
        let name = define::class_name(cx, args.me());
        return Err(cx.type_error(&format!("uninitialized struct {name}")));
    }
    let shape = class::root_shape(args.me());
    structure::allocate(cx, shape, Arr::of(members).len()).or_raise(cx)
}

/// `new(*values, **members)`, `[](*values, **members) → struct`: for the classes created by `Struct.new`: allocates an
/// instance and calls `initialize`, unless that is Struct's own.
pub fn new_instance(cx: &mut Cx, args: Args) -> R {
    let of = args.me();
    let members = members_of(cx, of);
    let count = if members.is_nil() { 0 } else { Arr::of(members).len() };
    let shape = class::root_shape(of);
    let object = structure::allocate(cx, shape, count).or_raise(cx)?;
    let entry = class::lookup::find_method(cx, of, sym::INITIALIZE);
    let own = object::method_entry::owner(entry) == cx.class(Known::Struct);
    if own {
        fill(cx, object, members, args.all(), args.keywords())?;
        return Ok(object);
    }
    let block = args.block(cx);
    call::send_full(cx, object, sym::INITIALIZE, args.all(), args.keywords(), block, call::Scope::Function)?;
    Ok(object)
}

/// `initialize(*values, **members) → nil`: sets the members in their order, or by name from keywords according to
/// `keyword_init`; the others are nil. ArgumentError for too many values and unknown names.
pub fn initialize(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cx.check_frozen(me)?;
    let of = class::real_class(cx, me);
    let members = members_of(cx, of);
    // A subclass's `initialize` may already have set some members.
    for i in 0..structure::members(&me).len() {
        structure::set(cx, me, i, Value::NIL);
    }
    fill(cx, me, members, args.all(), args.keywords())?;
    Ok(Value::NIL)
}

fn fill(cx: &mut Cx, object: Value, members: Value, values: &[Value], keywords: Option<Value>) -> R<()> {
    let count = structure::members(&object).len();
    let mode = match keywords {
        None if values.is_empty() => return Ok(()),
        _ => {
            let of = class::real_class(cx, object);
            inherited_hidden(cx, of, sym::STRUCT_KEYWORD_INIT)
        }
    };
    if mode.truthy() {
        // With `keyword_init: true`, a Hash as the only argument counts as keywords.
        let table = match (values, keywords) {
            ([], keywords) => keywords,
            ([one], None) if cell::is(*one, Type::Hash) => Some(*one),
            _ => return Err(cx.arity_error(values.len(), 0, Some(0))),
        };
        return match table {
            Some(table) => fill_by_name(cx, object, members, table),
            None => Ok(()),
        };
    }
    if let Some(keywords) = keywords {
        if mode.is_nil() && values.is_empty() {
            return fill_by_name(cx, object, members, keywords);
        }
        let with_hash = make::array(cx, values);
        let copy = keys::dup(cx, keywords);
        make::push(cx, with_hash, copy);
        return runtime::args::spread(cx, Arr::of(with_hash), |cx, all| fill_in_order(cx, object, count, all));
    }
    fill_in_order(cx, object, count, values)
}

fn fill_in_order(cx: &mut Cx, object: Value, count: usize, all: &[Value]) -> R<()> {
    if all.len() > count {
        return Err(cx.argument_error("struct size differs"));
    }
    for (i, v) in all.iter().enumerate() {
        structure::set(cx, object, i, *v);
    }
    Ok(())
}

fn fill_by_name(cx: &mut Cx, object: Value, members: Value, table: Value) -> R<()> {
    let unknown = make::array(cx, &[]);
    let mut at = 0;
    while let Some((next, key, value)) = HashRef::of(table).next(at) {
        match named(cx, key).and_then(|name| Arr::of(members).index_of(name.value())) {
            Some(i) => {
                structure::set(cx, object, i, value);
            }
            None => make::push(cx, unknown, key),
        }
        at = next;
    }
    if Arr::of(unknown).is_empty() {
        return Ok(());
    }
    let mut shown = Vec::new();
    for i in 0..Arr::of(unknown).len() {
        let key = Arr::of(unknown).at(i);
        let text = convert::to_s(cx, key)?;
        shown.push(text.to_text());
    }
    Err(cx.argument_error(&format!("unknown keywords: {}", shown.join(", "))))
}

/// `members → array`: the names of the members of instances as symbols, in their order.
pub fn members(cx: &mut Cx, args: Args) -> R {
    let members = members_of(cx, args.me());
    copy_of(cx, members)
}

/// `inspect → string`: the name of the class, with `(keyword_init: true)` if it was requested.
pub fn inspect(cx: &mut Cx, args: Args) -> R {
    let mut text = define::class_name(cx, args.me());
    if inherited_hidden(cx, args.me(), sym::STRUCT_KEYWORD_INIT).truthy() {
        text.push_str("(keyword_init: true)");
    }
    Ok(make::text(cx, &text))
}

/// `keyword_init? → true, false or nil`: the value of `keyword_init:` passed to `Struct.new`; nil without one.
pub fn is_keyword_init(cx: &mut Cx, args: Args) -> R {
    let mode = inherited_hidden(cx, args.me(), sym::STRUCT_KEYWORD_INIT);
    Ok(if mode.is_nil() { Value::NIL } else { Value::bool(mode.truthy()) })
}
