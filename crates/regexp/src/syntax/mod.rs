//! Ruby's regular expression syntax, as far as both engines share it.
//!
//! Children: `switches` (`(?imxadu-imx)`).

mod switches;

pub(crate) use switches::{Mode, Switches};
