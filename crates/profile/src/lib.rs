//! Pictures of a running program: where its time goes.
//!
//! - [`recorder`] takes samples up, [`tree`] is what they are made of, [`result`] a profile and its sums.
//! - [`allocations`] counts what is allocated.
//! - [`formats`], [`page`] and [`terminal`] show it, [`output`] picks one of them by a file's name.
//! - [`trace_gc`] prints pauses, [`inspect`] answers another process, [`inspect_command`].
//! - [`library`] is `require "beni/profile"`, [`command`] `beni --profile`.

#![forbid(unsafe_code)]

pub mod allocations;
pub mod command;
pub mod formats;
pub mod inspect;
pub mod inspect_command;
pub mod library;
pub mod output;
pub mod page;
pub mod recorder;
pub mod result;
pub mod terminal;
pub mod trace_gc;
pub mod tree;

use std::time::Duration;

use runtime::sampling::{self, Mode, Refusal};
use runtime::{Cx, vm::NativeFeature};

use recorder::Recorder;
use result::Profile;

/// Libraries that `require` finds in this crate.
pub const FEATURES: &[NativeFeature] = &[("beni/profile", library::make)];

/// Time between samples if nothing else is said.
pub const INTERVAL: Duration = Duration::from_millis(1);

/// Begins to sample.
pub fn start(cx: &mut Cx, mode: Mode, interval: Duration) -> Result<(), Refusal> {
    sampling::start(cx, mode, interval, Box::new(Recorder::new(cx, mode, interval.as_nanos() as u64)))
}

/// Ends it; `None` if nobody samples.
pub fn stop(cx: &mut Cx) -> Option<Profile> {
    Recorder::finish(sampling::stop(cx)?)
}
