//! The properties of a type that the heap needs: how to trace and to drop its cells.

use abi::Type;

use crate::marker::Marker;

/// How the references of a cell are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// No references.
    NoReferences,
    /// Every word after the header, up to the end of the cell (beyond the requested size), is a `Value` or zero.
    AllWords,
    /// The function `trace` finds them.
    Custom,
}

/// The functions of one type, by the type's number in the header.
#[derive(Clone, Copy)]
pub struct TypeInfo {
    pub name: &'static str,
    pub layout: Layout,
    /// Visits every reference in the cell: `Value`s by `Marker::slot` with their address (compaction writes to it),
    /// buffers by `Marker::buffer`. Called for `Layout::Custom` only. It may be called in the middle of a collection:
    /// it allocates nothing, and it must not follow references to look into other cells.
    pub trace: unsafe fn(cell: *mut u64, marker: &mut Marker),
    /// Frees the native memory of a cell. Called once for a cell registered with `Mutator::register_native`, after it
    /// died; cells that it refers to may be freed already.
    pub drop: Option<unsafe fn(cell: *mut u64)>,
    /// The bytes of native memory of a cell with `drop`, if they are to count like bytes of the heap. Its `trace`
    /// reports them by `Marker::holds_outside`.
    pub outside: Option<unsafe fn(cell: *mut u64) -> usize>,
}

impl TypeInfo {
    /// A type whose cells hold no references.
    pub const fn leaf(name: &'static str) -> TypeInfo {
        TypeInfo { name, layout: Layout::NoReferences, trace: trace_nothing, drop: None, outside: None }
    }

    /// A type whose cells are values from the header to their end.
    pub const fn words(name: &'static str) -> TypeInfo {
        TypeInfo { name, layout: Layout::AllWords, trace: trace_nothing, drop: None, outside: None }
    }

    /// A type with a tracing function of its own.
    pub const fn custom(name: &'static str, trace: unsafe fn(*mut u64, &mut Marker)) -> TypeInfo {
        TypeInfo { name, layout: Layout::Custom, trace, drop: None, outside: None }
    }
}

unsafe fn trace_nothing(_: *mut u64, _: &mut Marker) {}

/// The table of all types.
pub type Types = [TypeInfo; Type::COUNT];
