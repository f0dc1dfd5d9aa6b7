//! Which frame, for whoever runs Ruby before using it: a frame itself is lent by the context.

use abi::Frame;

/// Where a frame is. [`Cx::frame_at`](super::cx::Cx) gives the frame while its fiber runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameId(usize);

impl FrameId {
    #[inline(always)]
    pub fn of(frame: &Frame) -> FrameId {
        FrameId(std::ptr::from_ref(frame) as usize)
    }

    /// The frame's address, which tells frames of one fiber apart: deeper ones have lower addresses.
    #[inline(always)]
    pub fn address(self) -> usize {
        self.0
    }
}
