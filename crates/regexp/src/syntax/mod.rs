//! The part of Ruby's regular expression syntax that both engines share.
//!
//! Children: `switches` (`(?imxadu-imx)`).

mod switches;

pub(crate) use switches::{Mode, Switches};
