//! Calls from C to Rust and from Rust to C: contexts, outcomes, exceptions.

use std::ffi::{c_int, c_long, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use abi::{BlockHandler, Frame, Type, Value};
use object::{Known, Sym, cell, class, symbol::table::intern_text};
use runtime::{Cx, R, call, panics};

/// The result of a function that may raise, for its C side: the value, and a nonzero state if an exception is being
/// raised.
#[repr(C)]
pub struct Outcome<T> {
    value: T,
    state: c_long,
}

/// The Rust view of the struct in `csrc/border.h`.
#[repr(C)]
struct Jump {
    frame: *mut Frame,
    tag: Value,
    caller: *mut Frame,
    keywords: c_long,
    before: *mut Jump,
}

// For C, the context is only an address.
#[allow(improper_ctypes)]
unsafe extern "C" {
    fn beni_innermost() -> *mut Jump;
    fn beni_call_method(
        cx: *mut Cx,
        function: *const c_void,
        arity: c_int,
        argc: c_int,
        argv: *const Value,
        me: Value,
        frame: *mut Frame,
        keywords: c_long,
        result: *mut Value,
    ) -> c_int;
    fn beni_call(
        cx: *mut Cx,
        function: *const c_void,
        words: *const u64,
        frame: *mut Frame,
        caller: *mut Frame,
        keywords: c_long,
        tag: Value,
        result: *mut Value,
    ) -> c_int;
    fn beni_call_each(
        cx: *mut Cx,
        function: *const c_void,
        next: Next<c_void>,
        state: *mut c_void,
        data: Value,
        frame: *mut Frame,
        caller: *mut Frame,
    ) -> c_int;
}

/// The context that C passed on.
#[inline(always)]
pub fn context<'a>(cx: *mut Cx) -> &'a mut Cx {
    // SAFETY: the C side passes the context with which it was called; the caller does not use it during the call.
    unsafe { &mut *cx }
}

/// Runs a function of the interface, which may allocate and raise. An exception stays in the context, and a panic
/// becomes an exception. The process ends if a collection is calling an extension.
#[inline]
pub fn enter<T>(cx: *mut Cx, name: &'static str, body: impl FnOnce(&mut Cx) -> R<T>) -> Outcome<T> {
    if crate::gc::is_collecting() {
        refused(name);
    }
    let cx = context(cx);
    match catch_unwind(AssertUnwindSafe(|| body(cx))) {
        Ok(Ok(value)) => Outcome { value, state: 0 },
        Ok(Err(_)) => failed(),
        Err(payload) => {
            let _ = panics::raise(cx, payload);
            failed()
        }
    }
}

#[cold]
fn refused(name: &str) -> ! {
    runtime::crash::bug(&format!("{name} was called by a dmark or dfree function during a collection"))
}

/// `rb_bug`.
pub fn bug(text: *const std::ffi::c_char) -> ! {
    runtime::crash::bug(&crate::given::name(text))
}

#[cold]
fn failed<T>() -> Outcome<T> {
    // SAFETY: nothing reads the value of a failed outcome; all types of results are plain data.
    Outcome { value: unsafe { std::mem::zeroed() }, state: 1 }
}

/// The call of C in progress: its frame on the VM stack, and whether it was given keywords.
#[derive(Clone, Copy)]
pub struct Place {
    pub frame: *mut Frame,
    pub keywords: bool,
    /// The first method that the function calls is passed the block.
    pub passes_block: bool,
}

/// Values of a record's `keywords`.
const KEYWORDS: c_long = 1;
const PASSES_BLOCK: c_long = 2;

impl Place {
    pub const NONE: Place = Place { frame: std::ptr::null_mut(), keywords: false, passes_block: false };

    /// The current call. Only valid at the start of a function that C called, because running Ruby may switch fibers.
    #[inline]
    pub fn now() -> Place {
        // SAFETY: the innermost call's record lies on this native stack.
        match unsafe { beni_innermost().as_ref() } {
            Some(jump) => Place {
                frame: jump.frame,
                keywords: jump.keywords & KEYWORDS != 0,
                passes_block: jump.keywords & PASSES_BLOCK != 0,
            },
            None => Place::NONE,
        }
    }

    /// The frame of the running method in C, or of the one that passed the running block.
    pub fn method(&self) -> Option<&Frame> {
        // SAFETY: the frame of a call in progress.
        unsafe { self.frame.as_ref() }
    }

    /// The block that `rb_yield` calls.
    pub fn block(self) -> BlockHandler {
        self.method().map_or(BlockHandler::NONE, |frame| frame.scope.block)
    }
}

/// The block for the method that the running function calls now, if it is the first one in the body of `rb_iterate`.
#[inline]
pub fn take_passed_block() -> BlockHandler {
    // SAFETY: the innermost call's record lies on this native stack.
    match unsafe { beni_innermost().as_mut() } {
        Some(jump) if jump.keywords & PASSES_BLOCK != 0 => {
            jump.keywords &= !PASSES_BLOCK;
            Place::now().block()
        }
        _ => BlockHandler::NONE,
    }
}

/// The tag of the innermost block in C, for `rb_iter_break`, and the frame that was running when it was called.
pub fn innermost_tag() -> Option<(Value, *mut Frame)> {
    // SAFETY: the records are on this native stack, linked up to its first call of C.
    unsafe {
        let mut at = beni_innermost().as_ref();
        while let Some(jump) = at {
            if jump.tag.0 != 0 {
                return Some((jump.tag, jump.caller));
            }
            at = jump.before.as_ref();
        }
    }
    None
}

/// Calls the C function of a method.
#[inline]
pub fn call_method(
    cx: &mut Cx,
    function: *const c_void,
    arity: i32,
    arguments: &[Value],
    me: Value,
    keywords: bool,
) -> R {
    let mut result = Value::NIL;
    let (frame, error) = (cx.frame, cx.native_error);
    let count = arguments.len() as c_int;
    let (argv, keywords) = (arguments.as_ptr(), keywords as c_long);
    // SAFETY: the function has the arity that it was defined with; the arguments are on the VM stack during the call.
    let state = unsafe { beni_call_method(cx, function, arity, count, argv, me, frame, keywords, &mut result) };
    if state == 0 {
        return Ok(result);
    }
    // An exception that C has caught and raised again is Ruby's from here on, which may rescue it.
    cx.native_error = error;
    Err(cx.unwind_under_way())
}

/// Calls a C callback with up to five words.
pub fn call_words(cx: &mut Cx, function: *const c_void, words: &[u64], place: Place, tag: Option<Value>) -> R {
    let mut all = [0u64; 5];
    all[..words.len()].copy_from_slice(words);
    let mut result = Value::NIL;
    let keywords = (place.keywords as c_long * KEYWORDS) | (place.passes_block as c_long * PASSES_BLOCK);
    let (frame, tag) = (place.frame, tag.unwrap_or(Value::FALSE));
    let caller = cx.frame;
    // SAFETY: an extension passes functions of the documented type; by the calling convention, a function may be called
    // with more words than it takes.
    let state = unsafe { beni_call(cx, function, all.as_ptr(), frame, caller, keywords, tag, &mut result) };
    if state == 0 { Ok(result) } else { Err(cx.unwind_under_way()) }
}

/// What C's loop over a callback asks for: given the previous result, whether to call again, and with which two words.
pub type Next<T> = unsafe extern "C" fn(state: *mut T, answer: Value, words: *mut [Value; 2]) -> c_int;

/// Calls a C callback with two words and `data` as long as `next` returns nonzero, which neither raises nor runs Ruby.
pub fn call_each<T>(
    cx: &mut Cx,
    function: *const c_void,
    next: Next<T>,
    state: &mut T,
    data: Value,
    place: Place,
) -> R<()> {
    let caller = cx.frame;
    // SAFETY: the callback is of the documented type. `next` is called with the address of the state, which is of its
    // type, alive, and lent to this call.
    let state = unsafe {
        let next = std::mem::transmute::<Next<T>, Next<c_void>>(next);
        beni_call_each(cx, function, next, std::ptr::from_mut(state).cast(), data, place.frame, caller)
    };
    if state == 0 { Ok(()) } else { Err(cx.unwind_under_way()) }
}

/// Calls a C callback with one word while the thread does not hold the global lock, so that the context is only an
/// address. `None` if an exception is being raised, which `rb_thread_call_with_gvl` may have caused.
pub fn call_unlocked(cx: *mut Cx, function: *const c_void, word: u64, place: Place) -> Option<Value> {
    let mut result = Value::NIL;
    let words = [word, 0, 0, 0, 0];
    let tag = Value::FALSE;
    let (frame, caller) = (place.frame, std::ptr::null_mut());
    // SAFETY: as in `call_words`; only C uses the context, to take the lock again.
    let state = unsafe { beni_call(cx, function, words.as_ptr(), frame, caller, 0, tag, &mut result) };
    (state == 0).then_some(result)
}

/// Keeps an object at its address from now on, because C has the address.
#[inline]
pub fn pin(v: Value) -> Value {
    if v.is_heap() {
        object::cell::set_header(v, object::cell::header(v).with(abi::Flags::ADDRESS_TAKEN));
    }
    v
}

pub fn send(cx: &mut Cx, receiver: Value, name: &str, arguments: &[Value]) -> R {
    let name = intern_text(cx, name);
    match hidden_method(cx, receiver, name) {
        Some(entry) => call::call_entry(cx, entry, receiver, arguments, None, BlockHandler::NONE),
        None => call::send(cx, receiver, name, arguments),
    }
}

/// A function of the interface that does what a method does. If that is native, trace points do not see the call.
pub fn perform(cx: &mut Cx, receiver: Value, name: &str, arguments: &[Value]) -> R {
    let name = intern_text(cx, name);
    match hidden_method(cx, receiver, name) {
        Some(entry) => call::call_entry(cx, entry, receiver, arguments, None, BlockHandler::NONE),
        None => call::send_unwatched(cx, receiver, name, arguments),
    }
}

/// The method of a String, Array or Hash that is hidden from Ruby, whose own class has no methods.
fn hidden_method(cx: &mut Cx, receiver: Value, name: Sym) -> Option<Value> {
    if !receiver.is_heap() || class::class_of(cx, receiver) != cx.class(Known::Internal) {
        return None;
    }
    let known = match cell::header(receiver).ty() {
        Type::String => Known::String,
        Type::Array => Known::Array,
        Type::Hash => Known::Hash,
        _ => return None,
    };
    let class = cx.class(known);
    let entry = class::lookup::find_method(cx, class, name);
    (!entry.is_undef()).then_some(entry)
}

/// Calls a method of a constant, which is given by its path.
pub fn send_to(cx: &mut Cx, path: &str, name: &str, arguments: &[Value]) -> R {
    let receiver = constant(cx, path)?;
    perform(cx, receiver, name, arguments)
}

/// The constant with this path from Object.
pub fn constant(cx: &mut Cx, path: &str) -> R {
    let mut at = cx.class(runtime::Known::Object);
    for part in path.split("::") {
        let name = intern_text(cx, part);
        at = runtime::constants::lookup_from(cx, at, name)?;
    }
    Ok(at)
}
