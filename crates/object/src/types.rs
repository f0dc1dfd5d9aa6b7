//! The collector's table of types: one row per header type.

use abi::Type;
use heap::{Layout, TypeInfo, Types};

use crate::{array, bigint, class, environment, hash, native, string, structure};

type TraceFunction = unsafe fn(*mut u64, &mut heap::Marker);
type DropFunction = unsafe fn(*mut u64);

/// The rows, in the order of [`Type`]'s numbers.
pub static TYPES: Types = [
    plain("None", Layout::NoReferences),
    plain("Object", Layout::AllWords),
    class("Class"),
    class("Module"),
    plain("IncludedClass", Layout::NoReferences),
    plain("Float", Layout::NoReferences),
    traced("String", string::trace, None),
    boxed("Regexp"),
    traced("Array", array::trace, None),
    traced("Hash", hash::trace, None),
    traced("Struct", structure::trace, None),
    traced("BigInteger", bigint::trace, None),
    boxed("Native"),
    boxed("Match"),
    plain("Complex", Layout::AllWords),
    plain("Rational", Layout::AllWords),
    plain("Symbol", Layout::AllWords),
    plain("Range", Layout::AllWords),
    plain("Proc", Layout::AllWords),
    traced("Environment", environment::trace, None),
    plain("MethodEntry", Layout::AllWords),
    boxed("InstructionSequence"),
    plain("Fields", Layout::AllWords),
    plain("Exception", Layout::AllWords),
    boxed("Method"),
    boxed("Binding"),
    plain("Internal", Layout::AllWords),
];

const _: () = assert!(TYPES.len() == Type::COUNT);

const fn plain(name: &'static str, layout: Layout) -> TypeInfo {
    TypeInfo { name, trace: nothing, drop: None, outside: None, layout }
}

const fn traced(name: &'static str, trace: TraceFunction, drop: Option<DropFunction>) -> TypeInfo {
    TypeInfo { name, trace, drop, outside: None, layout: Layout::Custom }
}

const fn boxed(name: &'static str) -> TypeInfo {
    TypeInfo { outside: Some(native::held_outside), ..traced(name, native::trace, Some(native::drop_box)) }
}

const fn class(name: &'static str) -> TypeInfo {
    let row = traced(name, class::data::trace, Some(class::data::drop_data));
    TypeInfo { outside: Some(class::data::held_outside), ..row }
}

unsafe fn nothing(_: *mut u64, _: &mut heap::Marker) {}
