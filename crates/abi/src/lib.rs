//! Value bits, object headers and the frame layout, shared by all crates that access memory.

pub mod effects;
pub mod frame;
pub mod header;
pub mod runtime_calls;
pub mod value;

pub use effects::Effects;
pub use frame::{BlockHandler, Frame, FrameFlags, Scope};
pub use header::{Flags, Header, ShapeId, Type};
pub use runtime_calls::RuntimeCall;
pub use value::Value;
