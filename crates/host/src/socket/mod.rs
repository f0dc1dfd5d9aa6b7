//! Sockets. Addresses are the bytes of the system's `sockaddr`, as in Ruby programs.
//!
//! - [`connection`]: making sockets, binding, listening, accepting, connecting.
//! - [`transfer`]: sending and receiving, with addresses, control messages and descriptors.
//! - [`option`]: reading and setting options.
//! - [`address`]: encoding and decoding addresses.
//! - [`resolve`]: names of hosts and services.
//! - [`interface`]: this machine's network interfaces.
//! - [`constants`]: the numbers of `Socket::Constants`.

pub mod address;
pub mod connection;
pub mod constants;
pub mod interface;
pub mod option;
pub mod resolve;
pub mod transfer;

pub use address::Address;
pub use connection::*;
pub use option::*;
pub use resolve::*;
pub use transfer::*;
