//! Objects that load themselves, and those that are dumped as another object.

use abi::{BlockHandler, Type, Value};
use object::{
    Known, Sym, array::Arr, cell, class, hash::HashRef, range, shape::ivars, string::Str, structure,
    symbol::table::intern_text,
};
use runtime::{Cx, R, call, convert, keys, make};
use text::encoding::EncodingId;

use super::{
    super::{
        dump::SET_TABLE,
        is_refused, names,
        stand_ins::{self, StandIn},
    },
    Context, Loader,
};
use crate::{class::allocate_instance, complex, object::copy, process, rational, structure::members_of};

impl Loader {
    /// `u`: the class's `_load` creates the object from a String. `variables_follow`, of the String, is set to false
    /// after reading them.
    pub fn by_load(&mut self, cx: &mut Cx, context: Context, variables_follow: Option<&mut bool>) -> R {
        let path = self.symbol(cx)?;
        // A message of NameError, whose text is computed on demand. The class's name is not valid in Ruby.
        let is_message = Str::of(path).is(b"NameError::message");
        let class = if is_message { Value::NIL } else { names::find_class_at(cx, path)? };
        let load = intern_text(cx, "_load");
        if !is_message && !call::responds(cx, class, load, true)? {
            let path = names::shown(path);
            return Err(cx.type_error(&format!("class {path} needs to have method '_load'")));
        }
        let bytes = self.source.bytes(cx)?;
        let data = make::string(cx, &bytes, EncodingId::BINARY);
        if let Some(variables_follow) = variables_follow
            && *variables_follow
        {
            self.variables(cx, data)?;
            *variables_follow = false;
        }
        let v = if is_message { data } else { call::send_private(cx, class, load, &[data])? };
        self.enter(cx, v);
        self.leave_partial(cx, v, context)
    }

    /// `U`: calls `marshal_load` of a new object, which is extended with its modules before that.
    pub fn by_marshal_load(&mut self, cx: &mut Cx, context: Context) -> R {
        let path = self.symbol(cx)?;
        let class = names::find_class_at(cx, path)?;
        if class == cx.class(Known::Rational) || class == cx.class(Known::Complex) {
            return self.pair(cx, class, context);
        }
        let v = allocate_instance(cx, class)?;
        if !context.modules.is_nil() {
            let modules = make::copy(cx, Arr::of(context.modules));
            self.add_modules(cx, v, modules, false)?;
        }
        let load = intern_text(cx, "marshal_load");
        if !call::responds(cx, v, load, true)? {
            let path = names::shown(path);
            return Err(cx.type_error(&format!("instance of {path} needs to have method 'marshal_load'")));
        }
        self.enter(cx, v);
        let data = self.object(cx)?;
        call::send_private(cx, v, load, &[data])?;
        for name in names::variables(cx, data) {
            if ivars::get(cx, v, name).is_undef() {
                let value = ivars::get(cx, data, name);
                cx.check_frozen(v)?;
                ivars::set(cx, v, name, value);
            }
        }
        if !context.modules.is_nil() {
            Arr::of(context.modules).truncate(cx, 0);
        }
        self.leave_partial(cx, v, Context { partial: false, ..context })
    }

    /// Rational and Complex: created from both parts, because they are immutable.
    fn pair(&mut self, cx: &mut Cx, class: Value, context: Context) -> R {
        let number = self.reserve(cx);
        let data = self.object(cx)?;
        let is_rational = class == cx.class(Known::Rational);
        if !cell::is(data, Type::Array) {
            let name = runtime::error::class_name_of(cx, data);
            return Err(cx.type_error(&format!("wrong argument type {name} (expected Array)")));
        }
        if Arr::of(data).len() != 2 {
            let (kind, count) = (if is_rational { "rational" } else { "complex" }, Arr::of(data).len());
            let message = format!("marshaled {kind} must have an array whose length is 2 but {count}");
            return Err(cx.argument_error(&message));
        }
        let v = number_of(cx, is_rational, Arr::of(data).at(0), Arr::of(data).at(1))?;
        self.enter_at(cx, number, v);
        self.leave(cx, v, context)
    }

    /// A Rational or Complex as an object with variables, as Ruby 1.8 dumped it.
    fn old_number(&mut self, cx: &mut Cx, is_rational: bool, number: usize, context: Context) -> R {
        let (mut first, mut second) = (Value::NIL, Value::NIL);
        for _ in 0..self.source.long(cx)? {
            let name = self.symbol(cx)?;
            let value = self.object(cx)?;
            match Str::of(name).bytes(cx) {
                b"@numerator" | b"@real" => first = value,
                b"@denominator" | b"@image" => second = value,
                _ => {}
            }
        }
        let v = number_of(cx, is_rational, first, second)?;
        self.enter_at(cx, number, v);
        self.leave(cx, v, context)
    }

    /// `d`: calls `_load_data` of a new object.
    pub fn by_load_data(&mut self, cx: &mut Cx, context: Context) -> R {
        let (class, path) = self.class(cx)?;
        let v = allocate_instance(cx, class)?;
        if !cell::is(v, Type::Native) {
            return Err(cx.argument_error("dump format error"));
        }
        self.enter(cx, v);
        let load = intern_text(cx, "_load_data");
        if !call::responds(cx, v, load, true)? {
            let path = names::shown(path);
            return Err(cx.type_error(&format!("class {path} needs to have instance method '_load_data'")));
        }
        let kind = self.source.byte(cx)?;
        let data = self.object_of(cx, kind, context)?;
        call::send_private(cx, v, load, &[data])?;
        self.leave(cx, v, context)
    }

    /// `o`: a plain object, an exception, or a Range or Set, which are dumped as such.
    pub fn plain(&mut self, cx: &mut Cx, context: Context) -> R {
        let number = self.reserve(cx);
        let (class, _) = self.class(cx)?;
        if class == cx.class(Known::Rational) || class == cx.class(Known::Complex) {
            return self.old_number(cx, class == cx.class(Known::Rational), number, context);
        }
        if let Some(stand_in) = stand_ins::of(cx, class) {
            return self.by_stand_in(cx, class, stand_in, number, context);
        }
        let v = allocate_instance(cx, class)?;
        match cell::header(v).ty() {
            Type::Range => return self.range(cx, v, number, context),
            Type::Object if class::is_a(cx, v, cx.root(runtime::Root::Set)) => return self.set(cx, v, number, context),
            Type::Object if is_refused(cx, class) => return Err(cx.argument_error("dump format error")),
            Type::Object | Type::Exception => {}
            Type::Native if process::status::parts(v).is_some() => return self.process_status(cx, v, number, context),
            _ => return Err(cx.argument_error("dump format error")),
        }
        self.enter_at(cx, number, v);
        self.variables(cx, v)?;
        self.leave(cx, v, context)
    }

    /// An object for which an object of another class was written.
    fn by_stand_in(&mut self, cx: &mut Cx, class: Value, by: StandIn, number: usize, context: Context) -> R {
        let (v, other) = (allocate_instance(cx, class)?, allocate_instance(cx, by.class)?);
        self.enter_at(cx, number, v);
        self.variables(cx, other)?;
        call::yield_values(cx, BlockHandler(by.loader), &[v, other])?;
        self.leave(cx, v, context)
    }

    fn range(&mut self, cx: &mut Cx, v: Value, number: usize, context: Context) -> R {
        self.enter_at(cx, number, v);
        let (mut begin, mut end, mut exclusive) = (Value::NIL, Value::NIL, Value::NIL);
        for _ in 0..self.source.long(cx)? {
            let name = self.symbol(cx)?;
            let value = self.object(cx)?;
            match Str::of(name).bytes(cx) {
                b"begin" => begin = value,
                b"end" => end = value,
                b"excl" => exclusive = value,
                _ => {}
            }
        }
        if !exclusive.is_nil() {
            crate::range::check_ends(cx, begin, end)?;
            range::initialize(cx, v, begin, end, exclusive.truthy());
            // Without ends it remains as `allocate` has made it.
            if class::class_of(cx, v) == cx.class(Known::Range) && !context.partial {
                copy::freeze_object(cx, v);
            }
        }
        self.leave(cx, v, context)
    }

    fn process_status(&mut self, cx: &mut Cx, v: Value, number: usize, context: Context) -> R {
        self.enter_at(cx, number, v);
        let (mut status, mut pid) = (0, 0);
        for _ in 0..self.source.long(cx)? {
            let name = self.symbol(cx)?;
            let value = self.object(cx)?;
            match Str::of(name).bytes(cx) {
                b"status" => status = convert::to_i32(cx, value)?,
                b"pid" => pid = convert::to_i32(cx, value)?,
                _ => {}
            }
        }
        process::status::set_parts(cx, v, status, pid);
        self.leave(cx, v, context)
    }

    fn set(&mut self, cx: &mut Cx, v: Value, number: usize, context: Context) -> R {
        self.enter_at(cx, number, v);
        let mut elements = Value::NIL;
        for _ in 0..self.source.long(cx)? {
            let name = self.symbol(cx)?;
            let value = self.object(cx)?;
            if Str::of(name).is(b"@hash") {
                elements = value;
            }
        }
        if !cell::is(elements, Type::Hash) {
            let name = runtime::error::describe_for_conversion(cx, elements);
            return Err(cx.type_error(&format!("wrong argument type {name} (expected Hash)")));
        }
        let mut position = 0;
        while let Some((next, _, value)) = HashRef::of(elements).next(position) {
            if value != Value::TRUE {
                let name = runtime::error::class_name_of(cx, value);
                return Err(cx.runtime_error(&format!("expect true as Set value: {name}")));
            }
            position = next;
        }
        let table = keys::dup(cx, elements);
        let name = intern_text(cx, SET_TABLE);
        ivars::set_hidden(cx, v, name, table);
        self.leave(cx, v, context)
    }

    /// `S`: a Struct or Data, with the names of its members.
    pub fn structure(&mut self, cx: &mut Cx, context: Context) -> R {
        let number = self.reserve(cx);
        let (class, path) = self.class(cx)?;
        let count = self.source.count(cx, 2)?;
        let v = if class::instances(class) == Type::Struct { allocate_instance(cx, class)? } else { Value::NIL };
        let path = names::shown(path);
        if !cell::is(v, Type::Struct) {
            return Err(cx.type_error(&format!("class {path} not a struct")));
        }
        if structure::members(&v).len() as i64 != count {
            return Err(cx.type_error(&format!("struct {path} not compatible (struct size differs)")));
        }
        self.source.expect((count - 1) * 2);
        self.enter_at(cx, number, v);
        let members = members_of(cx, class);
        for i in 0..count as usize {
            let member = Sym::of(Arr::of(members).at(i));
            let name = self.symbol(cx)?;
            let wanted = member.name(cx);
            if !Str::of(name).equal(Str::of(wanted)) {
                let (name, wanted) = (names::shown(name), names::shown(wanted));
                let message = format!("struct {path} not compatible (:{name} for :{wanted})");
                return Err(cx.type_error(&message));
            }
            let value = self.object(cx)?;
            structure::set(cx, v, i, value);
            self.source.expect(-2);
        }
        if class::is_known(cx, v, Known::Data) {
            copy::freeze_object(cx, v);
        }
        let v = self.leave(cx, v, context)?;
        self.source.expect(2);
        Ok(v)
    }
}

/// The Rational or Complex of two parts.
fn number_of(cx: &mut Cx, is_rational: bool, first: Value, second: Value) -> R {
    if is_rational {
        if !convert::is_integer(first) || !convert::is_integer(second) {
            return Err(cx.type_error("not an integer"));
        }
        return rational::new(cx, first, second);
    }
    for part in [first, second] {
        if !complex::is_real(cx, part)? {
            return Err(cx.type_error("not a real"));
        }
    }
    Ok(complex::new(cx, first, second))
}
