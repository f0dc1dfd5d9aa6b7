//! Data that is kept outside of an object's cell: its id, its instance variables if the cell has no room for them, its
//! finalizers. A class has its instance variables in its tables, where no lookup is needed.
//!
//! ```text
//! attachment   fixnum                                          only the id
//!              Fields cell or Hash                             only instance variables (see `shape::ivars`)
//!              +--------+----+-----------+------------+
//!              | header | id | variables | finalizers |        several; nil for missing ones
//!              +--------+----+-----------+------------+
//! ```
//! The heap finds it by the object's address and updates it when the object moves. An id needs neither a shape nor a
//! word of the cell.

use abi::{Header, Type, Value};

use crate::{
    Known, Mem, cell,
    class::{class_data, class_data_mut, is_module},
};

const ID: usize = 1;
const VARIABLES: usize = 2;
const FINALIZERS: usize = 3;

/// The parts, as words of the cell; missing ones are nil.
fn parts(attachment: Option<Value>) -> [Value; 3] {
    match attachment {
        None | Some(Value::NIL) => [Value::NIL; 3],
        Some(id) if id.is_fixnum() => [id, Value::NIL, Value::NIL],
        Some(record) if cell::is(record, Type::Internal) => {
            // SAFETY: a record has four words.
            unsafe { [cell::word(record, ID), cell::word(record, VARIABLES), cell::word(record, FINALIZERS)] }
        }
        Some(variables) => [Value::NIL, variables, Value::NIL],
    }
}

fn set(cx: &mut Mem, owner: Value, part: usize, to: Value) {
    let attachment = cx.attachment(owner);
    if let Some(record) = attachment
        && cell::is(record, Type::Internal)
    {
        // SAFETY: a record has four words.
        return unsafe { cell::store(cx, record, part, to) };
    }
    let mut parts = parts(attachment);
    parts[part - 1] = to;
    let attached = match parts {
        [id, Value::NIL, Value::NIL] => id,
        [Value::NIL, variables, Value::NIL] => variables,
        parts => {
            let record = cx.allocate(32, Header::new(Type::Internal, Known::Internal.root_shape(), 0));
            for (i, part) in parts.iter().enumerate() {
                // SAFETY: the new cell has four words.
                unsafe { cell::set_raw(record, i + 1, part.0) };
            }
            record
        }
    };
    cx.attach_to(owner, attached).unwrap_or_else(|exhausted| std::panic::resume_unwind(Box::new(exhausted)));
}

/// The id that was assigned, or nil.
pub fn id(cx: &Mem, owner: Value) -> Value {
    parts(cx.attachment(owner))[0]
}

pub fn set_id(cx: &mut Mem, owner: Value, id: Value) {
    set(cx, owner, ID, id);
}

/// The Fields cell or Hash of its instance variables.
#[inline]
pub fn variables(cx: &Mem, owner: Value) -> Option<Value> {
    let variables =
        if is_module(owner) { class_data(cx, owner).variables } else { parts(cx.attachment(owner))[VARIABLES - 1] };
    if variables.is_nil() { None } else { Some(variables) }
}

pub fn set_variables(cx: &mut Mem, owner: Value, variables: Value) {
    if is_module(owner) {
        class_data_mut(cx, owner).variables = variables;
    } else {
        set(cx, owner, VARIABLES, variables);
    }
}

/// The Array of its finalizers, or nil.
pub fn finalizers(cx: &Mem, owner: Value) -> Value {
    parts(cx.attachment(owner))[2]
}

pub fn set_finalizers(cx: &mut Mem, owner: Value, finalizers: Value) {
    set(cx, owner, FINALIZERS, finalizers);
}

/// The object with this id, if it is alive. Searches all ids that were assigned.
pub fn find_by_id(cx: &Mem, wanted: Value) -> Option<Value> {
    let mut found = None;
    cx.each_attachment(&mut |owner, attachment| {
        if parts(Some(attachment))[0] == wanted {
            found = Some(owner);
        }
    });
    found
}
