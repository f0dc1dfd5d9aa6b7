//! The identity of a frame, for code that runs Ruby before it uses the frame: a reference to the frame would borrow the
//! context.

use abi::Frame;

/// The address of a frame. [`Cx::frame_at`](super::cx::Cx) returns the frame while its fiber runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameId(usize);

impl FrameId {
    #[inline(always)]
    pub fn of(frame: &Frame) -> FrameId {
        FrameId(std::ptr::from_ref(frame) as usize)
    }

    /// The frame's address, unique within its fiber: inner frames have lower addresses.
    #[inline(always)]
    pub fn address(self) -> usize {
        self.0
    }
}
