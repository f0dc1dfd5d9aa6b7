//! Names of hosts and services. These calls may take minutes, and signals do not end them: run them where waiting hurts nobody.

use std::ffi::{CStr, CString};
use std::fmt;
use std::mem;
use std::ptr;
use std::sync::{Mutex, PoisonError};

use crate::c_string::{bytes_at, owned, with_c_string};
use crate::{Errno, Result};

/// Why a name was not found: the number of an `EAI_` constant, and the system's error if it was `EAI_SYSTEM`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResolveError {
    pub code: i32,
    pub errno: Option<Errno>,
}

impl ResolveError {
    fn new(code: i32) -> ResolveError {
        ResolveError { code, errno: (code == libc::EAI_SYSTEM).then(Errno::last) }
    }

    /// The system's sentence for the code.
    pub fn message(self) -> String {
        match self.errno {
            Some(errno) => errno.message(),
            // SAFETY: libc's strings are terminated and constant.
            None => unsafe { CStr::from_ptr(libc::gai_strerror(self.code)) }.to_string_lossy().into_owned(),
        }
    }
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for ResolveError {}

/// What one wants to know: 0 for "any" each, and `AI_` flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hints {
    pub family: i32,
    pub kind: i32,
    pub protocol: i32,
    pub flags: i32,
}

/// A way to reach a host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resolved {
    pub family: i32,
    pub kind: i32,
    pub protocol: i32,
    pub address: Vec<u8>,
    pub canonical_name: Option<Vec<u8>>,
}

/// `getaddrinfo(3)`: the addresses of a host, a service or both.
pub fn addresses(
    host: Option<&[u8]>,
    service: Option<&[u8]>,
    hints: Hints,
) -> std::result::Result<Vec<Resolved>, ResolveError> {
    let terminated = |name: Option<&[u8]>| name.map(owned).transpose().map_err(|_| ResolveError::new(libc::EAI_NONAME));
    let (host, service) = (terminated(host)?, terminated(service)?);
    let pointer = |name: &Option<CString>| name.as_ref().map_or(ptr::null(), |name| name.as_ptr());
    // SAFETY: all zeros is a valid `addrinfo`.
    let mut wanted: libc::addrinfo = unsafe { mem::zeroed() };
    wanted.ai_family = hints.family;
    wanted.ai_socktype = hints.kind;
    wanted.ai_protocol = hints.protocol;
    wanted.ai_flags = hints.flags;
    let mut list = ptr::null_mut();
    // SAFETY: the names are null or terminated, the other pointers are to locals.
    match unsafe { libc::getaddrinfo(pointer(&host), pointer(&service), &wanted, &mut list) } {
        0 => {}
        code => return Err(ResolveError::new(code)),
    }
    let mut found = Vec::new();
    let mut next = list;
    // SAFETY: the call made a list that ends with a null pointer; its addresses are as long as they are said to be.
    unsafe {
        while let Some(info) = next.as_ref() {
            let address = std::slice::from_raw_parts(info.ai_addr.cast::<u8>(), info.ai_addrlen as usize).to_vec();
            let name = bytes_at(info.ai_canonname);
            found.push(Resolved {
                family: info.ai_family,
                kind: info.ai_socktype,
                protocol: info.ai_protocol,
                address,
                canonical_name: (!info.ai_canonname.is_null()).then_some(name),
            });
            next = info.ai_next;
        }
        libc::freeaddrinfo(list);
    }
    Ok(found)
}

/// `getnameinfo(3)`: the names of an address's host and service, or their numbers, as the `NI_` flags say.
pub fn names_of(address: &[u8], flags: i32) -> std::result::Result<(Vec<u8>, Vec<u8>), ResolveError> {
    let mut host = [0; libc::NI_MAXHOST as usize];
    let mut service = [0; 64];
    // SAFETY: address and buffers are as long as they are said to be.
    let code = unsafe {
        libc::getnameinfo(
            address.as_ptr().cast(),
            address.len() as libc::socklen_t,
            host.as_mut_ptr(),
            host.len() as libc::socklen_t,
            service.as_mut_ptr(),
            service.len() as libc::socklen_t,
            flags,
        )
    };
    match code {
        // SAFETY: terminated by the call.
        0 => Ok(unsafe { (bytes_at(host.as_ptr()), bytes_at(service.as_ptr())) }),
        code => Err(ResolveError::new(code)),
    }
}

/// libc answers from one buffer for the whole process.
static SERVICES: Mutex<()> = Mutex::new(());

/// The port of a service, by its name and protocol (`"tcp"`).
pub fn service_port(name: &[u8], protocol: &[u8]) -> Result<Option<u16>> {
    let _guard = SERVICES.lock().unwrap_or_else(PoisonError::into_inner);
    with_c_string(name, |name| {
        with_c_string(protocol, |protocol| {
            // SAFETY: the names are terminated; the result is null or valid while the lock is held.
            let entry = unsafe { libc::getservbyname(name.as_ptr(), protocol.as_ptr()).as_ref() };
            Ok(entry.map(|entry| u16::from_be(entry.s_port as u16)))
        })
    })
}

/// The name of the service at a port.
pub fn service_name(port: u16, protocol: &[u8]) -> Result<Option<Vec<u8>>> {
    let _guard = SERVICES.lock().unwrap_or_else(PoisonError::into_inner);
    with_c_string(protocol, |protocol| {
        // SAFETY: the name is terminated; the result is null or valid while the lock is held.
        let entry = unsafe { libc::getservbyport(port.to_be().into(), protocol.as_ptr()).as_ref() };
        // SAFETY: an entry's name is terminated.
        Ok(entry.map(|entry| unsafe { bytes_at(entry.s_name) }))
    })
}
