//! Names of hosts and services. These calls may take minutes, and signals do not interrupt them: run them where
//! blocking is harmless.

use memory::ToVector;
use std::ffi::{CStr, CString};
use std::fmt;
use std::mem;
use std::ptr;
use std::sync::Arc;

use super::{address, connection, transfer};
use crate::c_string::{bytes_at, owned, with_c_string};
use crate::thread::{self, Mutex};
use crate::{Errno, Fd, Result};

/// The reason why a name was not found: the number of an `EAI_` constant, and the system's error if it was
/// `EAI_SYSTEM`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResolveError {
    pub code: i32,
    pub errno: Option<Errno>,
}

impl ResolveError {
    /// "Name or service not known"
    pub fn unknown() -> ResolveError {
        ResolveError::new(libc::EAI_NONAME)
    }

    fn new(code: i32) -> ResolveError {
        ResolveError { code, errno: (code == libc::EAI_SYSTEM).then(Errno::last) }
    }

    /// The system's message for the code.
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

/// The parameters of a lookup: 0 for "any", and `AI_` flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hints {
    pub family: i32,
    pub kind: i32,
    pub protocol: i32,
    pub flags: i32,
}

/// `AI_NUMERICHOST`: the host is a number, or not found.
pub const NUMERIC_HOST: i32 = libc::AI_NUMERICHOST;

/// Both names as numbers, without a query.
pub const NUMERIC_NAMES: i32 = libc::NI_NUMERICHOST | libc::NI_NUMERICSERV;

/// An address of a host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resolved {
    pub family: i32,
    pub kind: i32,
    pub protocol: i32,
    pub address: Vec<u8>,
    pub canonical_name: Option<Vec<u8>>,
}

/// The result of a lookup.
pub type Outcome = std::result::Result<Vec<Resolved>, ResolveError>;

/// A lookup on its own thread, so that a caller can stop waiting, unlike with libc's call.
pub struct Lookup {
    /// Readable once there is a result.
    ready: Fd,
    outcome: Arc<Mutex<Option<Outcome>>>,
}

/// Stack space for name service modules.
const LOOKUP_STACK: usize = 1 << 20;

impl Lookup {
    pub fn start(host: Option<Vec<u8>>, service: Option<Vec<u8>>, hints: Hints) -> Result<Lookup> {
        let (ready, done) = connection::socket_pair(libc::AF_UNIX, libc::SOCK_STREAM, 0)?;
        let outcome = Arc::new(Mutex::new(None));
        let lookup = Lookup { ready, outcome: Arc::clone(&outcome) };
        let started = thread::spawn("lookup", LOOKUP_STACK, move || {
            let found = addresses(host.as_deref(), service.as_deref(), hints);
            *outcome.lock() = Some(found);
            // The receiver may have been dropped.
            let _ = transfer::send(done, b"!", 0);
            let _ = crate::fs::close(done);
        });
        if let Err(errno) = started {
            let _ = crate::fs::close(done);
            return Err(errno);
        }
        Ok(lookup)
    }

    pub fn ready(&self) -> Fd {
        self.ready
    }

    /// The outcome; can be taken once.
    pub fn take(&self) -> Option<Outcome> {
        self.outcome.lock().take()
    }
}

impl Drop for Lookup {
    fn drop(&mut self) {
        let _ = crate::fs::close(self.ready);
    }
}

/// `getaddrinfo(3)`: the addresses of a host, a service or both.
pub fn addresses(host: Option<&[u8]>, service: Option<&[u8]>, hints: Hints) -> Outcome {
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
    // SAFETY: the call created a list that ends with a null pointer; its addresses have the stated lengths.
    unsafe {
        while let Some(info) = next.as_ref() {
            let address = std::slice::from_raw_parts(info.ai_addr.cast::<u8>(), info.ai_addrlen as usize).to_vector();
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

/// Like [`addresses`] for a numeric host. Raw sockets may have a numeric port too: libc supports services of streams
/// and datagrams only.
pub fn numeric_addresses(host: Option<&[u8]>, service: Option<&[u8]>, hints: Hints) -> Outcome {
    let port = service.and_then(|service| std::str::from_utf8(service).ok()?.parse::<u16>().ok());
    let Some(port) = port.filter(|_| hints.kind == libc::SOCK_RAW) else { return addresses(host, service, hints) };
    let mut found = addresses(host, None, hints)?;
    for one in &mut found {
        address::set_port(&mut one.address, port);
    }
    Ok(found)
}

/// `getnameinfo(3)`: the names of an address's host and service, or their numbers, as the `NI_` flags say.
pub fn names_of(address: &[u8], flags: i32) -> std::result::Result<(Vec<u8>, Vec<u8>), ResolveError> {
    let mut host = [0; libc::NI_MAXHOST as usize];
    let mut service = [0; 64];
    // SAFETY: the address and the buffers have the stated lengths.
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
        // SAFETY: the call terminated the strings.
        0 => Ok(unsafe { (bytes_at(host.as_ptr()), bytes_at(service.as_ptr())) }),
        code => Err(ResolveError::new(code)),
    }
}

/// libc returns results in one buffer for the whole process.
static SERVICES: Mutex<()> = Mutex::new(());

unsafe extern "C" {
    fn gethostbyname(name: *const libc::c_char) -> *mut libc::hostent;
    fn gethostbyaddr(address: *const libc::c_void, length: libc::socklen_t, kind: libc::c_int) -> *mut libc::hostent;
}

/// A host as the older calls report it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Host {
    pub name: Vec<u8>,
    pub aliases: Vec<Vec<u8>>,
    pub family: i32,
    /// The addresses, without families and ports.
    pub addresses: Vec<Vec<u8>>,
}

/// `gethostbyname(3)`: further names of a host.
pub fn host_by_name(name: &[u8]) -> Result<Option<Host>> {
    let _guard = SERVICES.lock();
    // SAFETY: the name is terminated; the result is null or valid while the lock is held.
    with_c_string(name, |name| Ok(unsafe { host_at(gethostbyname(name.as_ptr())) }))
}

/// `gethostbyaddr(3)`: the names of an address without family and port.
pub fn host_by_address(address: &[u8], family: i32) -> Option<Host> {
    let _guard = SERVICES.lock();
    // SAFETY: the address is as long as stated; the result is null or valid while the lock is held.
    unsafe { host_at(gethostbyaddr(address.as_ptr().cast(), address.len() as libc::socklen_t, family)) }
}

/// # Safety
/// The pointer must be null or the result of libc's calls.
unsafe fn host_at(entry: *const libc::hostent) -> Option<Host> {
    // SAFETY: the pointer is null or valid by this function's contract; both lists end with a null pointer, names are
    // terminated, addresses have the given length.
    unsafe {
        let entry = entry.as_ref()?;
        let list = |mut next: *mut *mut libc::c_char| {
            let mut found = Vec::new();
            while !next.is_null() && !(*next).is_null() {
                found.push(*next);
                next = next.add(1);
            }
            found
        };
        let length = entry.h_length as usize;
        let bytes = |at: *mut libc::c_char| std::slice::from_raw_parts(at.cast::<u8>(), length).to_vector();
        Some(Host {
            name: bytes_at(entry.h_name),
            aliases: list(entry.h_aliases).into_iter().map(|at| bytes_at(at)).collect(),
            family: entry.h_addrtype,
            addresses: list(entry.h_addr_list).into_iter().map(bytes).collect(),
        })
    }
}

/// The port of a service, by its name and protocol (`"tcp"`).
pub fn service_port(name: &[u8], protocol: &[u8]) -> Result<Option<u16>> {
    let _guard = SERVICES.lock();
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
    let _guard = SERVICES.lock();
    with_c_string(protocol, |protocol| {
        // SAFETY: the name is terminated; the result is null or valid while the lock is held.
        let entry = unsafe { libc::getservbyport(port.to_be().into(), protocol.as_ptr()).as_ref() };
        // SAFETY: an entry's name is terminated.
        Ok(entry.map(|entry| unsafe { bytes_at(entry.s_name) }))
    })
}
