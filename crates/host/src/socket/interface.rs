//! This machine's network interfaces.

use memory::ToVector;
use std::mem::size_of;
use std::ptr;

use crate::c_string::{bytes_at, with_c_string};
use crate::errno::check;
use crate::{Errno, Result};

/// An interface, listed once for each of its addresses. Addresses are the bytes of the system's `sockaddr`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interface {
    pub name: Vec<u8>,
    pub index: u32,
    /// `IFF_` bits.
    pub flags: u32,
    pub address: Option<Vec<u8>>,
    pub netmask: Option<Vec<u8>>,
    /// The broadcast address, if the interface has one.
    pub broadcast: Option<Vec<u8>>,
    /// The address of the other end of a point-to-point interface.
    pub destination: Option<Vec<u8>>,
}

/// All interfaces with all addresses.
#[cfg(target_os = "linux")]
pub fn interfaces() -> Result<Vec<Interface>> {
    let mut list = ptr::null_mut();
    // SAFETY: the pointer is to a local.
    check(unsafe { libc::getifaddrs(&mut list) })?;
    let mut found = Vec::new();
    let mut next = list;
    // SAFETY: the call created a list that ends with a null pointer; names are terminated; addresses are null or
    // complete.
    unsafe {
        while let Some(entry) = next.as_ref() {
            let other = address_at(entry.ifa_ifu);
            let has = |flag: i32| entry.ifa_flags & flag as u32 != 0;
            found.push(Interface {
                name: bytes_at(entry.ifa_name),
                index: libc::if_nametoindex(entry.ifa_name),
                flags: entry.ifa_flags,
                address: address_at(entry.ifa_addr),
                netmask: address_at(entry.ifa_netmask),
                broadcast: other.clone().filter(|_| has(libc::IFF_BROADCAST)),
                destination: other.filter(|_| has(libc::IFF_POINTOPOINT)),
            });
            next = entry.ifa_next;
        }
        libc::freeifaddrs(list);
    }
    Ok(found)
}

/// # Safety
/// The pointer must be null or point to a complete address of its family.
#[cfg(target_os = "linux")]
unsafe fn address_at(address: *const libc::sockaddr) -> Option<Vec<u8>> {
    // SAFETY: this function's contract is that of the call.
    let family = unsafe { address.as_ref() }?.sa_family;
    let length = match i32::from(family) {
        libc::AF_INET => size_of::<libc::sockaddr_in>(),
        libc::AF_INET6 => size_of::<libc::sockaddr_in6>(),
        // SAFETY: this function's contract is that of the call.
        libc::AF_PACKET => packet_length(unsafe { &*address.cast() }),
        _ => size_of::<libc::sa_family_t>(),
    };
    // SAFETY: this function's contract is that of the call.
    Some(unsafe { std::slice::from_raw_parts(address.cast::<u8>(), length) }.to_vector())
}

/// The significant bytes of a hardware address.
#[cfg(target_os = "linux")]
fn packet_length(address: &libc::sockaddr_ll) -> usize {
    let length = std::mem::offset_of!(libc::sockaddr_ll, sll_addr) + usize::from(address.sll_halen);
    length.min(size_of::<libc::sockaddr_ll>())
}

/// The name of an interface.
pub fn name_of(index: u32) -> Result<Vec<u8>> {
    let mut name = [0; libc::IF_NAMESIZE];
    // SAFETY: the buffer has the size that the call requires; the name in it is terminated.
    unsafe {
        if libc::if_indextoname(index, name.as_mut_ptr()).is_null() {
            return Err(Errno::last());
        }
        Ok(bytes_at(name.as_ptr()))
    }
}

/// The number of an interface.
pub fn index_of(name: &[u8]) -> Result<u32> {
    // SAFETY: the name is terminated.
    match with_c_string(name, |name| Ok(unsafe { libc::if_nametoindex(name.as_ptr()) }))? {
        0 => Err(Errno::last()),
        index => Ok(index),
    }
}
