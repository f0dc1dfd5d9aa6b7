//! Conversion of addresses from and to the bytes of the system's `sockaddr`.

use memory::ToVector;
use std::mem::{offset_of, size_of};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::{Errno, Result};

/// A decoded address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Address {
    Inet {
        address: Ipv4Addr,
        port: u16,
    },
    Inet6 {
        address: Ipv6Addr,
        port: u16,
        flow_info: u32,
        scope: u32,
    },
    /// A path, or an abstract name (without a file) if it begins with NUL; empty for sockets without a name.
    Unix(Vec<u8>),
    /// Another family.
    Other(i32),
}

/// The end of the address family on Linux and on macOS, where a length byte precedes it.
const FAMILY_END: usize = 2;

/// The longest path of a UNIX socket.
pub const UNIX_PATH_SIZE: usize = size_of::<libc::sockaddr_un>() - offset_of!(libc::sockaddr_un, sun_path);

impl Address {
    pub fn from_ip(address: IpAddr, port: u16) -> Address {
        match address {
            IpAddr::V4(address) => Address::Inet { address, port },
            IpAddr::V6(address) => Address::Inet6 { address, port, flow_info: 0, scope: 0 },
        }
    }

    /// Decodes an address. Too few bytes for its family are `EINVAL`.
    pub fn unpack(bytes: &[u8]) -> Result<Address> {
        let take = |start: usize, length: usize| bytes.get(start..start + length).ok_or(Errno(libc::EINVAL));
        let word = |start| Ok::<u32, Errno>(u32::from_ne_bytes(take(start, 4)?.try_into().unwrap_or_default()));
        let port = |start| Ok::<u16, Errno>(u16::from_be_bytes(take(start, 2)?.try_into().unwrap_or_default()));
        match family(bytes).ok_or(Errno(libc::EINVAL))? {
            libc::AF_INET => {
                let octets: [u8; 4] = take(offset_of!(libc::sockaddr_in, sin_addr), 4)?.try_into().unwrap_or_default();
                Ok(Address::Inet { address: octets.into(), port: port(offset_of!(libc::sockaddr_in, sin_port))? })
            }
            libc::AF_INET6 => {
                let octets = take(offset_of!(libc::sockaddr_in6, sin6_addr), 16)?;
                let octets: [u8; 16] = octets.try_into().unwrap_or_default();
                Ok(Address::Inet6 {
                    address: octets.into(),
                    port: port(offset_of!(libc::sockaddr_in6, sin6_port))?,
                    flow_info: u32::from_be(word(offset_of!(libc::sockaddr_in6, sin6_flowinfo))?),
                    scope: word(offset_of!(libc::sockaddr_in6, sin6_scope_id))?,
                })
            }
            libc::AF_UNIX => Ok(Address::Unix(unix_path(bytes).to_vector())),
            family => Ok(Address::Other(family)),
        }
    }

    /// The address's bytes. A path that is too long is `ENAMETOOLONG`; a family that is not supported is
    /// `EAFNOSUPPORT`.
    pub fn pack(&self) -> Result<Vec<u8>> {
        match self {
            Address::Inet { address, port } => {
                let mut bytes = memory::filled(0, size_of::<libc::sockaddr_in>());
                set_family(&mut bytes, libc::AF_INET);
                put(&mut bytes, offset_of!(libc::sockaddr_in, sin_port), &port.to_be_bytes());
                put(&mut bytes, offset_of!(libc::sockaddr_in, sin_addr), &address.octets());
                Ok(bytes)
            }
            Address::Inet6 { address, port, flow_info, scope } => {
                let mut bytes = memory::filled(0, size_of::<libc::sockaddr_in6>());
                set_family(&mut bytes, libc::AF_INET6);
                put(&mut bytes, offset_of!(libc::sockaddr_in6, sin6_port), &port.to_be_bytes());
                put(&mut bytes, offset_of!(libc::sockaddr_in6, sin6_flowinfo), &flow_info.to_be_bytes());
                put(&mut bytes, offset_of!(libc::sockaddr_in6, sin6_addr), &address.octets());
                put(&mut bytes, offset_of!(libc::sockaddr_in6, sin6_scope_id), &scope.to_ne_bytes());
                Ok(bytes)
            }
            Address::Unix(path) => pack_unix(path),
            Address::Other(_) => Err(Errno(libc::EAFNOSUPPORT)),
        }
    }
}

/// A UNIX address as long as the system's structure, as Ruby shows it.
fn pack_unix(path: &[u8]) -> Result<Vec<u8>> {
    if path.len() > UNIX_PATH_SIZE {
        return Err(Errno(libc::ENAMETOOLONG));
    }
    let start = offset_of!(libc::sockaddr_un, sun_path);
    let mut bytes = memory::filled(0, size_of::<libc::sockaddr_un>());
    set_family(&mut bytes, libc::AF_UNIX);
    put(&mut bytes, start, path);
    // The length is part of an abstract name.
    if path.first().is_none_or(|byte| *byte == 0) {
        bytes.truncate(start + path.len());
    }
    Ok(bytes)
}

/// The path in a UNIX address, without the trailing NULs unless it is an abstract name.
fn unix_path(bytes: &[u8]) -> &[u8] {
    let path = bytes.get(offset_of!(libc::sockaddr_un, sun_path)..).unwrap_or_default();
    match path.first() {
        Some(0) if path.iter().any(|byte| *byte != 0) => path,
        _ => &path[..path.iter().position(|byte| *byte == 0).unwrap_or(path.len())],
    }
}

/// The family that an address begins with.
pub fn family(bytes: &[u8]) -> Option<i32> {
    let family = bytes.get(..FAMILY_END)?;
    Some(if cfg!(target_vendor = "apple") {
        family[1].into()
    } else {
        u16::from_ne_bytes([family[0], family[1]]).into()
    })
}

/// Sets the port of an address, if its family has ports.
pub fn set_port(bytes: &mut [u8], port: u16) {
    let place = match family(bytes) {
        Some(libc::AF_INET) => offset_of!(libc::sockaddr_in, sin_port),
        Some(libc::AF_INET6) => offset_of!(libc::sockaddr_in6, sin6_port),
        _ => return,
    };
    if let Some(field) = bytes.get_mut(place..place + 2) {
        field.copy_from_slice(&port.to_be_bytes());
    }
}

fn set_family(bytes: &mut [u8], family: i32) {
    if cfg!(target_vendor = "apple") {
        bytes[0] = bytes.len() as u8;
        bytes[1] = family as u8;
    } else {
        bytes[..FAMILY_END].copy_from_slice(&(family as u16).to_ne_bytes());
    }
}

fn put(bytes: &mut [u8], start: usize, field: &[u8]) {
    bytes[start..start + field.len()].copy_from_slice(field);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: Address, length: usize) {
        let bytes = address.pack().unwrap();
        assert_eq!(bytes.len(), length);
        assert_eq!(Address::unpack(&bytes), Ok(address));
    }

    #[test]
    fn packing_and_unpacking_are_inverse() {
        check(Address::from_ip("127.0.0.1".parse().unwrap(), 80), 16);
        let address = "fe80::1".parse().unwrap();
        check(Address::Inet6 { address, port: 8080, flow_info: 3, scope: 2 }, 28);
        check(Address::Unix(b"/tmp/socket".to_vec()), 110);
        check(Address::Unix(b"\0name".to_vec()), 7);
        check(Address::Unix(Vec::new()), 2);
    }

    #[test]
    fn bytes_are_in_the_systems_order() {
        let bytes = Address::from_ip("127.0.0.1".parse().unwrap(), 80).pack().unwrap();
        assert_eq!(bytes, b"\x02\0\0\x50\x7f\0\0\x01\0\0\0\0\0\0\0\0");
    }

    #[test]
    fn invalid_addresses_are_errors() {
        assert_eq!(Address::unpack(b"\x02"), Err(Errno(libc::EINVAL)));
        assert_eq!(Address::unpack(b"\x02\0\0\x50"), Err(Errno(libc::EINVAL)));
        assert_eq!(Address::Unix(vec![b'a'; 109]).pack(), Err(Errno(libc::ENAMETOOLONG)));
        assert_eq!(Address::unpack(b"\x10\0"), Ok(Address::Other(16)));
    }
}
