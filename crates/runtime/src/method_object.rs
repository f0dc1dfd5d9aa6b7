//! The data of Method and UnboundMethod objects.

use abi::Value;
use heap::Trace;
use object::{
    Known, Sym,
    native::{self, NativeData},
};

use crate::{Cx, unlinked};

#[derive(Trace)]
pub struct MethodData {
    /// The receiver; undef in an UnboundMethod.
    pub receiver: Value,
    /// Its code is linked.
    pub entry: Value,
    /// The name under which it was requested.
    pub name: Sym,
    /// The class in which it was looked up.
    pub class: Value,
    /// There is no such method, but respond_to_missing? returned true: a call goes to method_missing.
    pub missing: bool,
}

impl NativeData for MethodData {
    object::one_vtable!(MethodData);

    fn sharing(&self) -> object::native::Sharing {
        object::native::Sharing::WhenFrozen
    }
}

/// A Method; an UnboundMethod if the receiver is undef.
pub fn new(cx: &mut Cx, data: MethodData) -> Value {
    unlinked::link_entry(cx, data.entry);
    unlinked(cx, data)
}

/// A Method or UnboundMethod that the program never sees: its code is linked when it is called.
pub fn unlinked(cx: &mut Cx, data: MethodData) -> Value {
    let known = if data.receiver.is_undef() { Known::UnboundMethod } else { Known::Method };
    let class = cx.class(known);
    native::embed(cx, class, data)
}

/// The content of a Method or UnboundMethod.
pub fn get(v: &Value) -> Option<&MethodData> {
    native::get::<MethodData>(v)
}
