//! Objects that wrap a C structure: `TypedData`, and `Data` without a type.

use std::ffi::{c_char, c_void};

use abi::Value;
use heap::Marker;
use object::{
    Known,
    native::{self, Sharing},
};
use runtime::{Cx, R, Unwind, error};

use crate::{gc, given};

/// `rb_data_type_t`.
#[repr(C)]
pub struct DataType {
    name: *const c_char,
    dmark: *const c_void,
    dfree: *const c_void,
    dsize: *const c_void,
    dcompact: *const c_void,
    reserved: *const c_void,
    parent: *const DataType,
    data: *const c_void,
    flags: u64,
}

impl DataType {
    /// Whether the structure may be embedded in the object. It may not if it is needed after the object's death.
    fn can_embed(&self) -> bool {
        let is_freed_at_once = self.flags & FREE_IMMEDIATELY != 0 || matches!(self.dfree as usize, 0 | DEFAULT_FREE);
        self.flags & EMBEDDABLE != 0 && is_freed_at_once
    }
}

const FREE_IMMEDIATELY: u64 = 1;
const EMBEDDABLE: u64 = 1 << 1;
const FROZEN_SHAREABLE: u64 = 1 << 2;
const WB_PROTECTED: u64 = 1 << 3;
const DECL_MARKING: u64 = 1 << 4;
/// RUBY_DEFAULT_FREE.
const DEFAULT_FREE: usize = usize::MAX;
/// The end of a list of offsets.
const END_OF_REFERENCES: usize = usize::MAX;

/// The box of an object; its first two fields are part of the headers.
#[repr(C)]
pub struct CData {
    data: *mut c_void,
    data_type: *const DataType,
    /// The functions of an object without a type.
    dmark: *const c_void,
    dfree: *const c_void,
    watched: bool,
    /// The size of a structure in the object itself.
    embedded: u32,
}

/// The largest structure that is in the object itself.
const LARGEST_EMBEDDED: usize = 128;

impl CData {
    fn data_type(&self) -> Option<&'static DataType> {
        // SAFETY: types are static in the extension, which stays loaded.
        unsafe { self.data_type.as_ref() }
    }

    /// The object, of which the box is a part.
    fn object(&self) -> Value {
        native::pinned_around(self)
    }

    pub fn structure(&self) -> *mut c_void {
        self.data
    }

    /// The size of a structure in the object itself.
    pub fn embedded_size(&self) -> Option<usize> {
        self.is_embedded().then_some(self.embedded as usize)
    }

    /// The address of the type, or the mark function of an object without a type.
    pub fn type_address(&self) -> usize {
        if self.data_type.is_null() { self.dmark as usize } else { self.data_type as usize }
    }

    pub fn type_name(&self) -> String {
        self.data_type().map_or_else(|| "Data".to_string(), |data_type| given::name(data_type.name))
    }

    /// Whether the structure follows the box, in the object itself.
    fn is_embedded(&self) -> bool {
        std::ptr::eq(self.data.cast_const().cast(), std::ptr::from_ref(self).wrapping_add(1))
    }

    fn marks(&self) -> *const c_void {
        self.data_type().map_or(self.dmark, |data_type| data_type.dmark)
    }
}

/// Calls a function of the extension on the structure during a collection.
fn call(function: *const c_void, data: *mut c_void) {
    // SAFETY: the type's functions take the structure; they call back only functions that need no context.
    unsafe { std::mem::transmute::<*const c_void, unsafe extern "C" fn(*mut c_void)>(function)(data) }
}

impl heap::Trace for CData {
    fn trace(&mut self, marker: &mut heap::Marker) {
        let function = self.marks();
        if self.data.is_null() || function.is_null() {
            return;
        }
        if let Some(data_type) = self.data_type() {
            if data_type.flags & DECL_MARKING != 0 {
                return self.trace_declared(marker, function.cast());
            }
            if marker.purpose() == heap::Purpose::Update {
                if !data_type.dcompact.is_null() {
                    gc::with_marker(marker, || call(data_type.dcompact, self.data));
                }
                return;
            }
        } else if marker.purpose() == heap::Purpose::Update {
            return;
        }
        gc::with_marker(marker, || call(function, self.data));
    }
}

impl object::native::NativeData for CData {
    object::one_vtable!(CData);

    fn memsize(&self) -> usize {
        let Some(data_type) = self.data_type().filter(|data_type| !data_type.dsize.is_null()) else { return 0 };
        // SAFETY: dsize takes the structure and returns its size.
        unsafe {
            let dsize =
                std::mem::transmute::<*const c_void, unsafe extern "C" fn(*const c_void) -> usize>(data_type.dsize);
            if self.data.is_null() { 0 } else { dsize(self.data) }
        }
    }

    fn sharing(&self) -> Sharing {
        match self.data_type() {
            Some(data_type) if data_type.flags & FROZEN_SHAREABLE != 0 => Sharing::WhenFrozen,
            _ => Sharing::Never,
        }
    }
}

impl CData {
    /// Visits the references at the offsets in a list.
    fn trace_declared(&mut self, marker: &mut Marker, mut offsets: *const usize) {
        // SAFETY: the list ends with RUBY_REF_END; the offsets are those of values in the structure.
        unsafe {
            while *offsets != END_OF_REFERENCES {
                marker.slot(self.data.cast::<u8>().add(*offsets).cast());
                offsets = offsets.add(1);
            }
        }
    }
}

impl Drop for CData {
    fn drop(&mut self) {
        if self.watched {
            gc::unwatch(self.object());
        }
        self.free();
    }
}

/// Frees the structures of all objects, because the process ends.
pub fn free_all(cx: &mut Cx) {
    let mut index = 0;
    while let Some(v) = cx.native(index) {
        if let Some(data) = native::get_mut::<CData>(cx, v) {
            data.free();
            data.data = std::ptr::null_mut();
        }
        index += 1;
    }
    gc::run_freed(cx);
}

impl CData {
    /// Calls the type's `dfree`, or has it called at the next safepoint.
    fn free(&mut self) {
        if self.data.is_null() {
            return;
        }
        let (function, at_once) = match self.data_type() {
            Some(data_type) => (data_type.dfree, data_type.flags & FREE_IMMEDIATELY != 0),
            None => (self.dfree, false),
        };
        match function as usize {
            0 => {}
            DEFAULT_FREE if self.is_embedded() => {}
            DEFAULT_FREE => gc::free(self.data),
            _ if at_once => gc::in_collection(|| call(function, self.data)),
            _ => gc::free_later(function, self.data),
        }
    }
}

/// An object whose structure is `made.data`, or one of `embedded` zeroed bytes in the object itself.
fn new(cx: &mut Cx, class: Value, mut made: CData, embedded: usize) -> Value {
    let class = if class == Value::FALSE { cx.class(Known::Internal) } else { class };
    let is_protected = made.data_type().is_some_and(|t| t.flags & (WB_PROTECTED | DECL_MARKING) == WB_PROTECTED);
    made.embedded = embedded as u32;
    made.watched = !is_protected && !made.marks().is_null();
    let needs_watch = made.watched;
    // C has its address, and so has the list of watched objects.
    let v = native::embed_pinned(cx, class, made, embedded);
    if embedded > 0
        && let Some(data) = native::get_mut::<CData>(cx, v)
    {
        data.data = std::ptr::from_mut(data).wrapping_add(1).cast();
    }
    if needs_watch {
        gc::watch(v);
    }
    v
}

fn typed(data: *mut c_void, data_type: *const DataType) -> CData {
    CData { data, data_type, dmark: std::ptr::null(), dfree: std::ptr::null(), watched: false, embedded: 0 }
}

fn check_class(cx: &mut Cx, class: Value) -> R<()> {
    if class != Value::FALSE && !object::class::is_class(class) {
        return Err(cx.type_error("wrong argument type (expected Class)"));
    }
    Ok(())
}

pub fn rb_data_object_wrap(
    cx: &mut Cx,
    class: Value,
    data: *mut c_void,
    dmark: *const c_void,
    dfree: *const c_void,
) -> R {
    check_class(cx, class)?;
    let made = CData { data, data_type: std::ptr::null(), dmark, dfree, watched: false, embedded: 0 };
    Ok(new(cx, class, made, 0))
}

pub fn rb_data_object_zalloc(cx: &mut Cx, class: Value, size: usize, dmark: *const c_void, dfree: *const c_void) -> R {
    check_class(cx, class)?;
    let data = gc::zeroed(cx, size)?;
    rb_data_object_wrap(cx, class, data, dmark, dfree)
}

pub fn rb_data_typed_object_wrap(cx: &mut Cx, class: Value, data: *mut c_void, data_type: *const DataType) -> R {
    check_class(cx, class)?;
    Ok(new(cx, class, typed(data, data_type), 0))
}

pub fn rb_data_typed_object_zalloc(cx: &mut Cx, class: Value, size: usize, data_type: *const DataType) -> R {
    check_class(cx, class)?;
    let made = typed(std::ptr::null_mut(), data_type);
    if made.data_type().is_some_and(DataType::can_embed) && (1..=LARGEST_EMBEDDED).contains(&size) {
        return Ok(new(cx, class, made, size));
    }
    let data = gc::zeroed(cx, size)?;
    Ok(new(cx, class, CData { data, ..made }, 0))
}

/// The C structure of an object; null if it has none.
pub fn pointer(v: &Value) -> *mut c_void {
    native::get::<CData>(v).map_or(std::ptr::null_mut(), |data| data.data)
}

/// Gives an object another structure; the caller frees the previous one.
pub fn set_pointer(cx: &mut Cx, v: Value, pointer: *mut c_void) {
    if let Some(data) = native::get_mut::<CData>(cx, v) {
        data.data = pointer;
    }
}

/// Whether the object has a structure with a type.
pub fn is_typed(v: Value) -> bool {
    native::get::<CData>(&v).is_some_and(|data| !data.data_type.is_null())
}

fn inherits(mut data_type: *const DataType, wanted: *const DataType) -> bool {
    while !data_type.is_null() {
        if data_type == wanted {
            return true;
        }
        // SAFETY: types are static in the extension, and so are their parents.
        data_type = unsafe { (*data_type).parent };
    }
    false
}

pub fn rb_check_typeddata(cx: &mut Cx, v: Value, wanted: *const DataType) -> R<*mut c_void> {
    if let Some(data) = native::get::<CData>(&v)
        && inherits(data.data_type, wanted)
    {
        return Ok(data.data);
    }
    Err(wrong_data(cx, v, wanted))
}

#[cold]
fn wrong_data(cx: &mut Cx, v: Value, wanted: *const DataType) -> runtime::Unwind {
    // SAFETY: C passes a type.
    let wanted = given::name(unsafe { (*wanted).name });
    let is = match native::get::<CData>(&v).and_then(CData::data_type) {
        Some(data_type) => given::name(data_type.name),
        None => error::describe_for_conversion(cx, v),
    };
    cx.type_error(&format!("wrong argument type {is} (expected {wanted})"))
}

pub fn rb_typeddata_is_kind_of(_: &mut Cx, v: Value, wanted: *const DataType) -> i32 {
    native::get::<CData>(&v).is_some_and(|data| inherits(data.data_type, wanted)) as i32
}

pub fn rb_typeddata_inherited_p(data_type: *const DataType, wanted: *const DataType) -> i32 {
    inherits(data_type, wanted) as i32
}

pub fn beni_data_type(v: Value) -> *const DataType {
    native::get::<CData>(&v).map_or(std::ptr::null(), |data| data.data_type)
}

pub fn beni_data_untyped(cx: &mut Cx, v: Value) -> R<*mut c_void> {
    match native::get::<CData>(&v) {
        Some(data) => Ok(data.data),
        None => Err(no_data(cx, v)),
    }
}

/// The result of `DATA_PTR` and similar macros for an object that no extension has made.
pub fn beni_other_data(cx: &mut Cx, v: Value) -> R<*mut c_void> {
    match core_classes::process::status::structure_for_c(&v) {
        Some(address) => Ok(address as *mut c_void),
        None => Err(no_data(cx, v)),
    }
}

fn no_data(cx: &mut Cx, v: Value) -> Unwind {
    let is = error::describe_for_conversion(cx, v);
    cx.type_error(&format!("wrong argument type {is} (expected Data)"))
}
