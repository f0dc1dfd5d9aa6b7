//! String literals as arguments: lent to native methods that do not keep them, copied for all others.
//!
//! A method whose row says that it borrows an argument receives the literal's own interned string, and no object is
//! allocated. The frame of such a call records which words were lent. When the method passes such a word on to Ruby
//! code, it is replaced by a String of its own ([`own_window`], for all calls from Rust). The method itself requests
//! one ([`own`]) where it stores an argument or puts it into an exception.
//!
//! A method of a Ruby half borrows the parameters that it only passes on, which the compiler finds
//! ([`bytecode::Parameters::lent`]). Its frame's flags say which were lent. The method has a second code for such calls
//! (`link::lending`), whose call sites know their parameters: these stay lent to what borrows them in turn. For any
//! other callee the parameter becomes a String of its own.

use abi::{Flags, Frame, FrameFlags, Type, Value};
use object::{array::Arr, cell, string::Str};

use crate::{
    Cx,
    code::{CallSite, code, open_frames::OpenFrames},
    make,
    trace::{calls_are_traced, facts_are_verified},
    window::Window,
};

/// The bit of the receiver in a set of lent words.
const RECEIVER: u32 = 15;

/// Replaces literal arguments that the callee may keep or show by Strings of their own. `borrowed`: the words that the
/// callee does not keep, see [`crate::method_table::Facts::borrowed`]. Returns the bits of the words that are lent.
#[inline(never)]
pub fn unshare(cx: &mut Cx, site: &CallSite, window: Window, borrowed: u16) -> u16 {
    // A trace point's block may keep or change the arguments that it is shown.
    let borrowed = if calls_are_traced(cx) { 0 } else { borrowed };
    let verifies = facts_are_verified(cx);
    let mut lent = 0;
    let mut literals = site.literal_arguments;
    while literals != 0 {
        let n = literals.trailing_zeros();
        literals &= literals - 1;
        let literal = window.get(word_of(n));
        if !cell::is(literal, Type::String) {
            continue;
        }
        if site.lent_parameters & (1 << n) != 0 {
            // A parameter of the running method: a String of the program's, or a literal that was lent to it.
            let is_same = |m: &u32| site.lent_parameters & (1 << m) != 0 && window.get(word_of(*m)) == literal;
            if !is_lent_to(cx.frame(), literal) {
                continue;
            }
            if replacement(cx.frame(), literal).is_none() && (0..16).filter(is_same).all(|m| borrowed & (1 << m) != 0) {
                lent |= 1 << n;
            } else {
                let own = own_lent(cx, literal);
                (0..16).filter(is_same).for_each(|m| window.set(word_of(m), own));
            }
            continue;
        }
        lent |= borrowed & (1 << n);
        if borrowed & (1 << n) == 0 || verifies {
            let own = copy(cx, literal);
            window.set(word_of(n), own);
        }
    }
    lent
}

/// A String of its own for a lent argument of the running native method; any other value unchanged. To be called before
/// a value is stored, put into an exception or passed to Ruby code.
#[inline]
pub fn own(cx: &mut Cx, v: Value) -> Value {
    if lent(cx) == 0 || !cell::is(v, Type::String) { v } else { own_lent(cx, v) }
}

/// Replaces lent arguments by Strings of their own in the words of a call from Rust.
#[inline(always)]
pub fn own_window(cx: &mut Cx, window: Window, words: usize) {
    if lent(cx) != 0 {
        own_words(cx, window, words, 0);
    }
}

/// Like `own_window`, except for the words that the callee borrows in turn; returns the bits of the words that stay
/// lent.
#[inline(always)]
pub fn lend_on(cx: &mut Cx, window: Window, words: usize, borrowed: u16) -> u16 {
    if lent(cx) == 0 { 0 } else { own_words(cx, window, words, borrowed) }
}

/// The bits of words that were lent to the running native method.
#[inline(always)]
fn lent(cx: &Cx) -> u32 {
    if cx.frame.is_null() {
        return 0;
    }
    // SAFETY: the running frame.
    let frame = unsafe { &*cx.frame };
    let lent = lent_to(frame);
    // Compiled code lends nothing to the methods whose frames it leaves open.
    // SAFETY: the running frame.
    if lent != 0 && unsafe { OpenFrames::image(frame.scope.environment) }.is_some() { 0 } else { lent }
}

#[inline(always)]
fn lent_to(frame: &Frame) -> u32 {
    if frame.flags & FrameFlags::NATIVE == 0 {
        FrameFlags::lent_parameters(frame.flags).into()
    } else {
        frame.destination
    }
}

/// Whether the value is one of the words that were lent to the method of the frame.
fn is_lent_to(frame: &Frame, v: Value) -> bool {
    // SAFETY: the window of a frame that is under way.
    let window = unsafe { Window::new(frame.scope.slots) };
    let lent = lent_to(frame);
    (0..16).any(|n| lent & (1 << n) != 0 && window.get(word_of(n)) == v)
}

#[cold]
#[inline(never)]
fn own_words(cx: &mut Cx, window: Window, words: usize, borrowed: u16) -> u16 {
    let mut still = 0;
    for word in 0..words {
        let n = if word == 0 { RECEIVER } else { word as u32 - 1 };
        let v = window.get(word);
        if !cell::is(v, Type::String) || !is_lent_to(cx.frame(), v) {
            continue;
        }
        if n <= RECEIVER && borrowed & (1 << n) != 0 {
            still |= 1 << n;
        } else {
            let own = own_lent(cx, v);
            window.set(word, own);
        }
    }
    still
}

#[cold]
#[inline(never)]
fn own_lent(cx: &mut Cx, v: Value) -> Value {
    if !is_lent_to(cx.frame(), v) {
        return v;
    }
    if let Some(own) = replacement(cx.frame(), v) {
        return own;
    }
    let own = copy(cx, v);
    let mut frame = cx.frame;
    loop {
        // SAFETY: frames are contiguous from the running one to the end of the stack.
        unsafe {
            note_replacement(cx, frame, v, own);
            lend_no_more(&*frame, v);
            frame = OpenFrames::caller(frame);
            // If a Ruby half lent the literal on, its frame gets the same replacement: the program sees one String.
            let is_lender = (frame as usize) < cx.stack.high as usize
                && (*frame).flags & FrameFlags::NATIVE == 0
                && is_lent_to(&*frame, v);
            if !is_lender {
                return own;
            }
        }
    }
}

/// The String that replaced a literal which was lent to the method of the frame. The frame's `special` holds pairs of
/// literals and replacements: neither native methods nor Ruby halves have a `$~` of their own.
fn replacement(frame: &Frame, v: Value) -> Option<Value> {
    let made = frame.scope.special;
    if made.is_nil() {
        return None;
    }
    Arr::of(made).groups::<2>().find(|pair| pair[0] == v).map(|pair| pair[1])
}

/// Notes that a Ruby half passes the parameter that is `v` to a method that keeps it. Lending this parameter again
/// would only cost time.
fn lend_no_more(frame: &Frame, v: Value) {
    if frame.flags & FrameFlags::NATIVE != 0 {
        return;
    }
    // SAFETY: the window of a frame that is under way.
    let window = unsafe { Window::new(frame.scope.slots) };
    let method = code(&frame.scope.code).lending.get();
    if !method.is_nil() {
        let kept = (0..RECEIVER).filter(|n| window.get(word_of(*n)) == v).fold(0, |kept, n| kept | 1 << n);
        let method = code(&method);
        method.lent.set(method.lent.get() & !(kept & method.kept.get()));
        method.kept.set(method.kept.get() | kept);
    }
}

/// # Safety
/// `frame` is a live frame of this context.
unsafe fn note_replacement(cx: &mut Cx, frame: *mut Frame, v: Value, own: Value) {
    // SAFETY: by this function's contract the frame is alive.
    unsafe {
        if (*frame).scope.special.is_nil() {
            (*frame).scope.special = make::array(cx, &[]);
        }
        make::push(cx, (*frame).scope.special, v);
        make::push(cx, (*frame).scope.special, own);
    }
}

/// The number of native methods in progress that the literal was lent to.
pub(crate) fn times_lent(cx: &Cx, v: Value) -> usize {
    let mut times = 0;
    let mut frame = cx.frame;
    while !frame.is_null() && (frame as usize) < cx.stack.high as usize {
        // SAFETY: frames are contiguous from the running one to the end of the stack.
        unsafe {
            times += is_lent_to(&*frame, v) as usize;
            frame = OpenFrames::caller(frame);
        }
    }
    times
}

pub fn word_of(n: u32) -> usize {
    if n == RECEIVER { 0 } else { 1 + n as usize }
}

/// A String of its own for a literal. It is chilled, because literals of files with a magic comment are never lent.
pub fn copy(cx: &mut Cx, literal: Value) -> Value {
    Str::of(literal).dup_with(cx, Flags::CHILLED).value()
}
