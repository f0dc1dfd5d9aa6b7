//! Objects with hidden state: ranges, exceptions, Sets, native objects.

use abi::{Type, Value};
use object::{Known, Sym, cell, class, hash::HashRef, range, shape::ivars, symbol::table::intern_text};
use runtime::{Args, Cx, R, call, define, sym};

use super::{
    super::{format, is_refused, names},
    Dumper,
};
use crate::exception::backtraces;

impl Dumper {
    /// A Range is dumped as an object with three variables whose names are not valid in Ruby.
    pub fn range(&mut self, cx: &mut Cx, v: Value, limit: i32) -> R<()> {
        self.class(cx, format::OBJECT, v, true)?;
        self.long(cx, 3)?;
        let exclusive = if range::is_initialized(v) { Value::bool(range::is_exclusive(v)) } else { Value::NIL };
        for (name, value) in [("excl", exclusive), ("begin", range::begin(v)), ("end", range::end(v))] {
            self.symbol_named(cx, name)?;
            self.object(cx, value, limit)?;
        }
        Ok(())
    }

    /// The message, the backtrace and the other attributes of an exception are dumped with its variables.
    pub fn exception(&mut self, cx: &mut Cx, v: Value, limit: i32) -> R<()> {
        self.class(cx, format::OBJECT, v, true)?;
        let fields: Vec<(&str, Sym)> = ivars::names(cx, v)
            .into_iter()
            .filter_map(|hidden| names::exception_field(cx, v, hidden).map(|name| (name, hidden)))
            .collect();
        let raised = !ivars::get(cx, v, sym::MEMO_LOCATIONS).or(Value::NIL).is_nil();
        let located = raised && ivars::get(cx, v, sym::MEMO_BACKTRACE).is_undef();
        let own = names::variables(cx, v).len();
        self.long(cx, 2 + fields.len() + usize::from(located) + own)?;
        let backtrace = backtraces::of(cx, v)?;
        self.symbol_named(cx, "mesg")?;
        let message = ivars::get(cx, v, sym::MEMO_MESSAGE).or(Value::NIL);
        self.object(cx, message, limit)?;
        self.symbol_named(cx, "bt")?;
        self.object(cx, backtrace, limit)?;
        for (name, hidden) in fields {
            let value = ivars::get(cx, v, hidden).or(Value::NIL);
            self.symbol_named(cx, name)?;
            self.object(cx, value, limit)?;
        }
        if located {
            self.symbol_named(cx, "bt_locations")?;
            self.object(cx, backtrace, limit)?;
        }
        self.each_variable(cx, v, limit)
    }

    pub fn plain(&mut self, cx: &mut Cx, v: Value, limit: i32) -> R<()> {
        if is_set(cx, v) {
            return self.set(cx, v, limit);
        }
        let class = class::real_class(cx, v);
        if is_refused(cx, class) {
            return self.native(cx, v, limit);
        }
        self.class(cx, format::OBJECT, v, true)?;
        self.variables_of(cx, v, limit)
    }

    /// A Set is dumped as an object whose variable `@hash` has the elements as keys.
    fn set(&mut self, cx: &mut Cx, v: Value, limit: i32) -> R<()> {
        self.class(cx, format::OBJECT, v, true)?;
        let name = intern_text(cx, SET_TABLE);
        let table = ivars::get(cx, v, name);
        if !cell::is(table, Type::Hash) {
            return Err(cx.type_error("uninitialized Set"));
        }
        self.long(cx, 1)?;
        self.symbol_named(cx, "@hash")?;
        if limit == 0 {
            return Err(cx.argument_error("exceed depth limit"));
        }
        self.remember(cx, table);
        if HashRef::of(table).is_by_identity() {
            self.byte(format::USER_CLASS);
            self.symbol_named(cx, "Hash")?;
        }
        let deeper = if limit > 0 { limit - 1 } else { limit };
        self.entries(cx, table, Value::FALSE, deeper)
    }

    /// A Process::Status is dumped as an object with two variables whose names are not valid in Ruby.
    fn process_status(&mut self, cx: &mut Cx, v: Value, (status, pid): (Value, Value), limit: i32) -> R<()> {
        self.class(cx, format::OBJECT, v, true)?;
        let own = names::variables(cx, v).len();
        self.long(cx, own + if pid.is_nil() { 0 } else { 2 })?;
        if !pid.is_nil() {
            for (name, value) in [("status", status), ("pid", pid)] {
                self.symbol_named(cx, name)?;
                self.object(cx, value, limit)?;
            }
        }
        self.each_variable(cx, v, limit)
    }

    /// An object with native state is dumped by its `_dump_data`, if it has that method.
    pub fn native(&mut self, cx: &mut Cx, v: Value, limit: i32) -> R<()> {
        if let Some(parts) = crate::process::status::parts(v) {
            return self.process_status(cx, v, parts, limit);
        }
        let method = intern_text(cx, "_dump_data");
        let class = class::real_class(cx, v);
        let class = define::class_name(cx, class);
        if cell::is(v, Type::Match) || is_stream(cx, v) {
            return Err(cx.type_error(&format!("can't dump {class}")));
        }
        if !cell::is(v, Type::Native) || !call::responds(cx, v, method, true)? {
            return Err(cx.type_error(&format!("no _dump_data is defined for class {class}")));
        }
        let dumped = self.custom_dump(cx, v, method, &[])?;
        self.class(cx, format::DATA, v, true)?;
        self.object(cx, dumped, limit)
    }
}

/// The hidden variable with a Set's table.
pub const SET_TABLE: &str = "__table";

pub fn is_set(cx: &mut Cx, v: Value) -> bool {
    if !cell::is(v, Type::Object) {
        return false;
    }
    let set = cx.root(runtime::Root::Set);
    class::is_a(cx, v, set)
}

fn is_stream(cx: &mut Cx, v: Value) -> bool {
    class::is_known(cx, v, Known::Io)
}

/// `marshal_dump`: of classes such as Thread::Queue: raises TypeError, as they cannot be dumped.
pub fn refuse_dump(cx: &mut Cx, args: Args) -> R {
    let class = class::real_class(cx, args.me());
    let class = define::class_name(cx, class);
    Err(cx.type_error(&format!("can't dump {class}")))
}
