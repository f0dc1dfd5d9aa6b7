//! Calling methods and blocks. `docs/calls.md` follows a call from its site to the frame.
//!
//! Every call becomes a [`Call`], its parts in a [`Window`] of the VM stack, and goes through one dispatcher:
//! [`dispatch`] for a method entry, [`block::dispatch`] for a block. Children by floor, the lowest first:
//!
//! - `description` (a call before its frame is pushed), `frames` (constructors of frames), `native_block`,
//!   `allocators`;
//! - `bind` (arguments to parameters), `arity`;
//! - `method`, `native`, `accessor` (one kind of callee each), `lookup`;
//! - `dispatch`, `block`, `missing` and `special` (`new`, `send`, `Proc#call`), which pass calls on to each other;
//! - `send` (calls from Rust), `conversion`, `show`, `equality`, `order` (what calls methods of the program);
//! - `site`, `block_argument`, `arrange` (calls from instructions).

pub mod accessor;
pub mod allocators;
pub mod arity;
pub mod arrange;
pub mod bind;
pub mod block;
mod block_argument;
pub(crate) mod conversion;
mod counts;
mod description;
mod dispatch;
pub mod equality;
pub mod frames;
mod lookup;
pub mod method;
pub mod missing;
pub mod native;
mod native_block;
pub mod order;
mod send;
pub(crate) mod show;
pub mod signatures;
pub mod site;
pub mod special;

pub use crate::{call_scope::Scope, method_table::is_core, window::Window};
pub use block::{yield_array, yield_one, yield_values};
pub use description::{Action, Call, Keywords};
pub use dispatch::{call_entry, dispatch, dispatch_written, send_full};
pub use equality::{eql, equal};
pub use lookup::{known_next_of, visible};
pub use order::{compare, comparison_failed, comparison_result};
pub use send::*;
pub use show::inspect_text;
