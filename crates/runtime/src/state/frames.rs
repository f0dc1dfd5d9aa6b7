//! The frames on the stack of a context: pushing and popping them, and finding them.

use std::sync::atomic::{Ordering, compiler_fence};

use abi::{Frame, FrameFlags, Scope, Value};
use object::environment;

use super::{cx::Cx, frame_id::FrameId};
use crate::code::open_frames::OpenFrames;

impl Cx {
    /// The first free word above the running frame's registers.
    #[inline(always)]
    pub fn stack_top(&self) -> *mut Value {
        if self.frame.is_null() {
            return self.stack.low;
        }
        let frame = self.frame();
        // SAFETY: the registers lie on the stack, whose bounds are checked at each push.
        unsafe { frame.scope.slots.add(frame.registers as usize) }
    }

    /// Pushes a frame record; `check_stack` must have been called for it.
    #[inline(always)]
    pub fn push_frame(&mut self, frame: Frame) {
        let at = if self.frame.is_null() { self.stack.high.cast::<Frame>() } else { self.frame };
        // SAFETY: `check_stack` made sure that a record fits below `at`.
        unsafe { self.push_at(at.sub(1), frame) };
    }

    /// Like `push_frame`, for a stack that has a running frame.
    #[inline(always)]
    pub fn push_inner_frame(&mut self, frame: Frame) {
        // SAFETY: `check_stack` made sure that a record fits below the running one.
        unsafe { self.push_at(self.frame.sub(1), frame) };
    }

    /// Like `push_inner_frame`, above frames that compiled code has left open; the frame has their number.
    #[inline(always)]
    pub fn push_above_open(&mut self, frame: Frame) {
        // SAFETY: `check_stack` made sure that a record fits below the running one and those that are open.
        unsafe { self.push_at(self.frame.sub(1 + frame.open as usize), frame) };
    }

    /// # Safety
    /// There is room for a record at `new`.
    #[inline(always)]
    unsafe fn push_at(&mut self, new: *mut Frame, frame: Frame) {
        // SAFETY: this function's contract.
        unsafe { new.write(frame) };
        // A sampler in a signal handler finds only frames that are written.
        compiler_fence(Ordering::Release);
        self.frame = new;
    }

    /// # Safety
    /// `frame` is the running one, and has an environment.
    unsafe fn close_environment(&mut self, frame: *mut Frame) {
        // SAFETY: by this function's contract the space was checked and the scope's fields are valid.
        unsafe {
            let v = (*frame).scope.environment;
            environment::close(self, v, &raw const (*frame).scope);
            if (*frame).flags & (FrameFlags::LAMBDA | FrameFlags::BMETHOD) != 0 {
                environment::note_lambda(v);
            }
        }
    }

    /// Sets the register that the running frame is about to return. Its environment is closed first: the variables keep
    /// their values in bindings.
    pub fn keep_result(&mut self, register: usize, value: Value) {
        let frame = self.frame;
        // SAFETY: there is a running frame. Nothing but its return runs in it, which needs no environment.
        unsafe {
            if register >= (*frame).registers as usize {
                return;
            }
            if (*frame).scope.environment.is_heap() {
                self.close_environment(frame);
                (*frame).scope.environment = Value::NIL;
            }
            *(*frame).scope.slots.add(register) = value;
        }
    }

    /// Pops the running frame and closes its environment, if it has one.
    #[inline(always)]
    pub fn pop_frame(&mut self) {
        let frame = self.frame;
        // SAFETY: there is a running frame.
        unsafe {
            if (*frame).scope.environment.is_heap() {
                self.close_environment(frame);
            }
            self.frame = frame.add(1);
            if self.frame == self.stack.high.cast::<Frame>() {
                self.frame = std::ptr::null_mut();
            }
        }
    }

    /// Writes the open frames between the running frame and its caller's, before the running one is popped by anything
    /// but a return. Returns the frame below it.
    pub fn write_open_frames(&mut self) -> *mut Frame {
        // SAFETY: the running frame is alive.
        unsafe { OpenFrames::caller(self.frame) }
    }

    /// Writes all open frames of this stack, as is needed before the descriptions of some are dropped, and before the
    /// interpreter continues frames that compiled code has called from.
    pub fn write_all_open_frames(&self) {
        self.frames().for_each(drop);
    }

    /// Closes the environment of the running frame, which has one and is about to be popped by compiled code.
    pub fn close_own_environment(&mut self) {
        let frame = self.frame;
        // SAFETY: the running frame is alive; compiled code tested that it has an environment.
        unsafe { self.close_environment(frame) };
    }

    /// Pops a frame whose compiled code has returned a result.
    ///
    /// # Safety
    /// It was the running frame when the compiled code was entered.
    pub unsafe fn pop_returned(&mut self, frame: *mut Frame) {
        self.frame = frame.wrapping_add(1);
        if self.frame == self.stack.high.cast::<Frame>() {
            self.frame = std::ptr::null_mut();
        }
    }

    /// The same for a frame that has a caller on this stack.
    ///
    /// # Safety
    /// There is a running frame, and another below it.
    #[inline(always)]
    pub unsafe fn pop_inner_frame(&mut self) {
        // SAFETY: by this function's contract.
        unsafe { self.pop_frame_above(self.frame.add(1)) };
    }

    /// The same for a frame with open ones below it: `caller` runs then.
    ///
    /// # Safety
    /// There is a running frame, and `caller` below it.
    #[inline(always)]
    pub unsafe fn pop_frame_above(&mut self, caller: *mut Frame) {
        let frame = self.frame;
        // SAFETY: by this function's contract.
        unsafe {
            // One comparison: it is an environment or nil.
            if (*frame).scope.environment != Value::NIL {
                self.close_environment(frame);
            }
        }
        self.frame = caller;
    }

    /// All frames of the running fiber, innermost first. They are borrowed from the context: code that runs Ruby in
    /// between keeps a [`FrameId`] instead.
    ///
    /// ```compile_fail,E0502
    /// fn outlived(cx: &mut runtime::Cx, receiver: runtime::Value, name: object::Sym) -> Option<u32> {
    ///     let frame = cx.frames().nth(1)?;
    ///     let _ = runtime::call::send(cx, receiver, name, &[]);
    ///     Some(frame.flags)
    /// }
    /// ```
    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        // SAFETY: between the running frame and `high` there are only frames.
        unsafe { frames_from(self.frame, self.stack.high) }
    }

    /// The frame with this id, while its fiber runs. If the frame was left, another frame may have taken its address.
    pub fn frame_at(&self, id: FrameId) -> Option<&Frame> {
        self.frames().find(|frame| std::ptr::from_ref(*frame) as usize == id.address())
    }

    /// The nearest frame of Ruby code: the caller of a native method.
    pub fn ruby_frame(&self) -> Option<&Frame> {
        self.frames().find(|f| !f.pc.is_null() || f.flags & FrameFlags::NATIVE == 0)
    }

    /// The live frame whose scope this is.
    pub fn frame_of_scope(&self, scope: *const Scope) -> Option<*mut Frame> {
        let at = scope as usize;
        let running = self.frame as usize;
        if running != 0 && at >= running && at < self.stack.high as usize {
            return Some(scope as *mut Frame);
        }
        self.frames()
            .find(|f| f.scope.environment.is_heap() && std::ptr::eq(environment::scope(f.scope.environment), scope))
            .map(|f| f as *const Frame as *mut Frame)
    }
}

/// The frames from the innermost one of a stack, which may be null, to the stack's end. Open frames are written when
/// they are asked for.
///
/// # Safety
/// There are only frames, and open ones, between the two addresses; they stay there while the iterator is used.
pub unsafe fn frames_from<'a>(innermost: *mut Frame, high: *mut Value) -> impl Iterator<Item = &'a Frame> {
    if !innermost.is_null() && (innermost as usize) < high as usize {
        // SAFETY: this function's contract.
        unsafe { OpenFrames::write_own(innermost) };
    }
    let mut next = innermost;
    let mut last: *mut Frame = std::ptr::null_mut();
    std::iter::from_fn(move || {
        if !last.is_null() {
            // SAFETY: it was returned before, and is still there.
            next = unsafe { OpenFrames::caller(last) };
        }
        if next.is_null() || next as usize >= high as usize {
            return None;
        }
        last = next;
        // SAFETY: this function's contract.
        Some(unsafe { &*next })
    })
}
