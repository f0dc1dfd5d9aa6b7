//! The functions that the C side calls, generated from the table.

#![allow(clippy::too_many_arguments, clippy::module_inception, clippy::redundant_closure)]

use std::ffi::{c_char, c_void};

use runtime::{Cx, Value};

use crate::border::{self, Outcome};

include!(concat!(env!("OUT_DIR"), "/exports.rs"));
