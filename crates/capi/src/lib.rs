//! Extensions in C: the functions of their interface, by topic, and loading.
//!
//! [`functions.txt`](../functions.txt) is the table of all functions. From it the build script generates the headers'
//! prototypes, the C functions that extensions call (`csrc/border.h` describes how they call Rust) and the linker's
//! list. A section of the table is a module here, and the name of a row is that of its function.
//!
//! The functions trust their pointers, as the interface requires; only [`given`] reads through them.

mod array;
mod block;
mod border;
mod buffer;
mod call;
mod class;
mod control;
mod data;
mod debug;
mod econv;
mod encoding;
mod events;
mod exports;
mod gc;
mod given;
mod hash;
mod inspector;
mod io;
mod jobs;
mod load;
mod numeric;
mod object;
mod profile;
mod regexp;
mod reporters;
mod scheduler;
mod set;
mod st;
mod string;
mod symbol;
mod thread;
mod thread_events;
mod time;
mod unmarked;
mod variable;

pub use load::load;
