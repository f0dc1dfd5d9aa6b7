//! Open frames: those that compiled code does not write before it calls compiled code. They are those of inlined
//! bodies, and the callee's. Whoever goes on from a frame to its caller has them written, and so has whoever begins at
//! the running frame.

use std::rc::Rc;
use std::sync::atomic::{Ordering, compiler_fence};

use abi::{Frame, Value};

use super::{
    code,
    exits::{FrameImage, InlinedFrame},
    tier::InlinedBody,
};

/// Open frames (see [`Frame::open`]) while a call is in progress: those from the number `first` on up to that of the
/// body that makes the call. The frame before the first one holds the tagged address of this description.
pub struct OpenFrames {
    pub top: Rc<InlinedFrame>,
    pub first: usize,
    /// The address at which the body that makes the call continues.
    pub pc: *const u64,
}

/// The bits of a tagged address of an image that are the address.
pub const ADDRESS: u64 = !(align_of::<FrameImage>() as u64 - 1);

/// What an open frame has in place of its environment: the address of its image, a tag, and how many frames are open
/// below it, which is also known when the image is gone.
pub fn tagged(image: u64, open: u32) -> u64 {
    debug_assert!(image & !ADDRESS == 0 && u64::from(open) << 1 <= !ADDRESS);
    image | OpenFrames::TAG | u64::from(open) << 1
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

    /// Writes the open frames above `below`, if it has any, and `below` itself if it is open.
    ///
    /// # Safety
    /// The frame is that of compiled code or of a body inlined in it, with what the compiled code has written to it.
    pub unsafe fn write(below: *mut Frame) {
        // SAFETY: this function's contract. A tagged `pc` is the address of a description, which the unit keeps: before
        // it drops one, all open frames are written.
        unsafe {
            if let Some(image) = OpenFrames::image((*below).scope.environment) {
                OpenFrames::write_image(below, image, true);
            }
            let pc = (*below).pc as u64;
            if pc & OpenFrames::TAG != 0 {
                let open = &*((pc & !OpenFrames::TAG) as *const OpenFrames);
                open.top.push_frames(below.add(open.first - 1), open.first, open.pc);
            }
        }
    }

    /// The caller of a frame. Open frames between the two are written first, and the caller's.
    ///
    /// # Safety
    /// The frame is alive, and written itself.
    #[inline(always)]
    pub unsafe fn caller(frame: *mut Frame) -> *mut Frame {
        // SAFETY: this function's contract. Behind the last frame of a stack there is room for one that reads as zeros.
        unsafe {
            if (*frame).open != 0 {
                OpenFrames::write_below(frame);
            }
            let caller = frame.add(1);
            OpenFrames::write_own(caller);
            caller
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

    /// The image of a frame with this word in place of an environment, if the frame is open.
    ///
    /// # Safety
    /// The frame was pushed, and not left since.
    #[inline(always)]
    pub unsafe fn image<'a>(environment: Value) -> Option<&'a FrameImage> {
        let is_open = environment.0 & OpenFrames::TAG != 0;
        // SAFETY: this function's contract. The calling unit keeps the image: before it drops one, all open frames are
        // written.
        is_open.then(|| unsafe { &*((environment.0 & ADDRESS) as *const FrameImage) })
    }

    /// The number of open frames below a frame, which may be open itself. What the words of open frames refer to may be
    /// gone.
    ///
    /// # Safety
    /// The frame was alive when the stack was last used.
    pub unsafe fn count_below(frame: *const Frame) -> usize {
        // SAFETY: this function's contract.
        unsafe {
            let environment = (*frame).scope.environment.0;
            match environment & OpenFrames::TAG {
                0 => (*frame).open as usize,
                _ => ((environment & !ADDRESS) >> 1) as usize,
            }
        }
    }

    /// Writes a frame if it is open itself; tells whether it was.
    ///
    /// # Safety
    /// The frame is alive.
    #[inline(always)]
    pub unsafe fn write_own(frame: *mut Frame) -> bool {
        // SAFETY: this function's contract.
        unsafe {
            match OpenFrames::image((*frame).scope.environment) {
                Some(image) => OpenFrames::write_image(frame, image, false),
                None => return false,
            }
        }
        true
    }

    /// # Safety
    /// The frame is alive and open; this is its image. `describes`: its `pc` tells which frames are open above it.
    #[cold]
    #[inline(never)]
    unsafe fn write_image(frame: *mut Frame, image: &FrameImage, describes: bool) {
        // SAFETY: this function's contract; the image is one of a frame's words.
        unsafe {
            let mut words = image.0.as_ptr().cast::<Frame>().read();
            words.scope.slots = (*frame).scope.slots;
            // Before its first call, the frame has in place of a `pc` what an earlier frame left there.
            let pc = (*frame).pc;
            if describes || code(&words.scope.code).contains(pc as u64) {
                words.pc = pc;
            }
            // A sampler that interrupts this reads the image, until the frame is written.
            let environment = std::mem::replace(&mut words.scope.environment, (*frame).scope.environment);
            frame.write(words);
            compiler_fence(Ordering::Release);
            (*frame).scope.environment = environment;
        }
    }
}
