//! Profiles and inspection of running programs.
//!
//! - [`recorder`] receives samples, [`tree`] is the data structure for them, [`result`] a profile and its sums.
//! - [`allocations`] counts allocations.
//! - [`formats`], [`page`] and [`terminal`] write profiles; [`output`] chooses one of them by a file's name.
//! - [`trace_gc`] prints pauses; [`inspect`] answers requests of another process, [`inspect_command`] sends them.
//! - [`library`] is `require "beni/profile"`, [`command`] is `beni --profile`, [`heap_command`] is `beni heap`.

#![forbid(unsafe_code)]

pub mod allocations;
pub mod command;
pub mod formats;
pub mod heap_command;
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

/// The default time between samples.
pub const INTERVAL: Duration = Duration::from_millis(1);

/// Starts sampling.
pub fn start(cx: &mut Cx, mode: Mode, interval: Duration) -> Result<(), Refusal> {
    sampling::start(cx, mode, interval, Box::new(Recorder::new(cx, mode, interval.as_nanos() as u64)))
}

/// Stops sampling; `None` if it was not running.
pub fn stop(cx: &mut Cx) -> Option<Profile> {
    Recorder::finish(sampling::stop(cx)?)
}
