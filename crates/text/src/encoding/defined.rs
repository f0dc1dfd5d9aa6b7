//! Encodings and names that extensions in C define.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::{
    id::EncodingId,
    table::{EncodingInfo, Family},
};

/// The number of encodings, for which the header of a String has seven bits.
pub const MAXIMUM: usize = 128;

static DEFINED: [OnceLock<EncodingInfo>; MAXIMUM - EncodingId::COUNT] =
    [const { OnceLock::new() }; MAXIMUM - EncodingId::COUNT];

/// Further names of encodings.
static ALIASES: Mutex<Vec<(&'static str, EncodingId)>> = Mutex::new(Vec::new());

/// The row of an encoding that is not built in.
#[cold]
pub(super) fn info(index: u8) -> Option<&'static EncodingInfo> {
    DEFINED.get((index as usize).checked_sub(EncodingId::COUNT)?)?.get()
}

/// The encodings that were defined.
pub fn all() -> impl Iterator<Item = EncodingId> {
    (EncodingId::COUNT..MAXIMUM).map_while(|index| EncodingId::from_index(index as u8))
}

#[cold]
pub(super) fn find(name: &[u8]) -> Option<EncodingId> {
    let same = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
    all().find(|id| same(id.name())).or_else(|| {
        let aliases = ALIASES.lock().unwrap_or_else(PoisonError::into_inner);
        aliases.iter().find(|(alias, _)| same(alias)).map(|(_, id)| *id)
    })
}

/// Further names of encodings.
pub fn aliases() -> Vec<(&'static str, EncodingId)> {
    ALIASES.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Defines an encoding whose characters Ruby does not know; its name stays until the process ends. `None` if there are
/// too many.
pub fn define_dummy(name: &str) -> Option<EncodingId> {
    for (slot, index) in DEFINED.iter().zip(EncodingId::COUNT..) {
        let name: &'static str = if slot.get().is_none() { name.to_owned().leak() } else { continue };
        if slot.set(EncodingInfo { name, aliases: &[], dummy: true, family: Family::Single }).is_ok() {
            return EncodingId::from_index(index as u8);
        }
    }
    None
}

/// Gives an encoding another name, which stays until the process ends.
pub fn add_alias(alias: &str, id: EncodingId) {
    ALIASES.lock().unwrap_or_else(PoisonError::into_inner).push((alias.to_owned().leak(), id));
}
