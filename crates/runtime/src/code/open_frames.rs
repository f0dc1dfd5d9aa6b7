//! Open frames: those of inlined bodies, which compiled code does not write before a call. Whoever goes on from the
//! callee's frame to its caller has them written.

use std::rc::Rc;

use abi::Frame;

use super::{exits::InlinedFrame, tier::InlinedBody};

/// Open frames (see [`Frame::open`]) while a call is in progress: those from the number `first` on up to that of the
/// body that makes the call. The frame before the first one holds the tagged address of this description.
pub struct OpenFrames {
    pub top: Rc<InlinedFrame>,
    pub first: usize,
    /// The address at which the body that makes the call continues.
    pub pc: *const u64,
}

impl OpenFrames {
    /// What tells the address of a description from that of an instruction.
    pub const TAG: u64 = 1;

    /// The number of the frames.
    pub fn count(&self) -> usize {
        self.top.number + 1 - self.first
    }

    /// The bodies whose frames are open, innermost first.
    pub fn bodies(&self) -> impl Iterator<Item = InlinedBody> {
        self.top.bodies(self.pc).take(self.count())
    }

    /// The `pc` of the frame below them.
    pub fn pc_below(&self) -> u64 {
        let frames = std::iter::successors(Some(&self.top), |frame| frame.below.as_ref());
        frames.take(self.count()).last().map_or(self.pc, |frame| frame.caller_pc) as u64
    }

    /// Writes the open frames above `below`, if it has any.
    ///
    /// # Safety
    /// The frame is that of compiled code or of a body inlined in it, with what the compiled code has written to it.
    pub unsafe fn write(below: *mut Frame) {
        // SAFETY: this function's contract. A tagged `pc` is the address of a description, which the unit keeps: before
        // it drops one, all open frames are written.
        unsafe {
            let pc = (*below).pc as u64;
            if pc & OpenFrames::TAG != 0 {
                let open = &*((pc & !OpenFrames::TAG) as *const OpenFrames);
                open.top.push_frames(below.add(open.first - 1), open.first, open.pc);
            }
        }
    }

    /// The caller of a frame, whose open frames are written first.
    ///
    /// # Safety
    /// The frame is alive.
    #[inline(always)]
    pub unsafe fn caller(frame: *mut Frame) -> *mut Frame {
        // SAFETY: this function's contract.
        unsafe {
            if (*frame).open != 0 {
                OpenFrames::write_below(frame);
            }
            frame.add(1)
        }
    }

    /// # Safety
    /// The frame is alive and has open ones below it.
    #[cold]
    #[inline(never)]
    unsafe fn write_below(frame: *mut Frame) {
        // SAFETY: this function's contract: the frame that describes the open ones is the first one that is not open.
        unsafe {
            OpenFrames::write(frame.add(1 + (*frame).open as usize));
            (*frame).open = 0;
        }
    }
}
