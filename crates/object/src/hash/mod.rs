//! The data of Hashes: a linear table up to eight entries, an indexed one above; both keep insertion order.
//!
//! - `layout`: the layout; tracing, sizes.
//! - `keys`: hashing and comparing keys, with or without running Ruby.
//! - `linear`, `indexed`: the two tables.
//! - `lookup`: finding, storing and deleting by key.
//! - `combine`: entries of one Hash found, stored and deleted in another.
//! - `cursor`: reading and deleting by position, iteration levels.
//! - `create`: new Hashes, copies, rehashing, defaults.
//! - `strings`: finding by keys that are Strings.
//! - `guess`: where a place in the program found its key last.
//! - `identity`: internal tables of the runtime, keyed by identity.

mod combine;
mod create;
mod cursor;
mod guess;
mod identity;
mod indexed;
mod keys;
mod layout;
mod linear;
mod lookup;
mod strings;

pub use combine::KeyHash;
pub use cursor::Entries;
pub use guess::KeyGuess;
pub use identity::{identity_delete, identity_get, identity_keys, identity_store, new_identity};
pub use keys::{BuiltinKeys, Keys, builtin_hash, has_builtin_hash, hash_by_identity, mix, number_of};
pub use layout::{Error, HashRef, Representation, for_code, trace};
