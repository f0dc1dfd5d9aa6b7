//! Sockets: pairs, connections over the loopback, messages with descriptors, names.

use std::mem::MaybeUninit;
use std::net::Ipv4Addr;

use host::io::{self, Events};
use host::socket::{self, Address, Control, Hints};
use host::{Errno, Fd, fs};

fn receive(fd: Fd) -> Vec<u8> {
    let mut buffer = [MaybeUninit::new(0); 64];
    let count = socket::receive(fd, &mut buffer, 0).unwrap();
    // SAFETY: the array was initialized.
    buffer[..count].iter().map(|byte| unsafe { byte.assume_init() }).collect()
}

#[test]
fn connections_over_the_loopback() {
    let listener = socket::socket(libc::AF_INET, libc::SOCK_STREAM, 0).unwrap();
    socket::set_integer_option(listener, libc::SOL_SOCKET, libc::SO_REUSEADDR, 1).unwrap();
    socket::bind(listener, &Address::from_ip(Ipv4Addr::LOCALHOST.into(), 0).pack().unwrap()).unwrap();
    socket::listen(listener, 5).unwrap();
    let address = socket::local_address(listener).unwrap();

    let client = socket::socket(libc::AF_INET, libc::SOCK_STREAM, 0).unwrap();
    fs::set_nonblocking(client, true).unwrap();
    if let Err(errno) = socket::connect(client, &address) {
        assert_eq!(errno, Errno(libc::EINPROGRESS));
        io::wait_for(client, Events::WRITABLE, None, &mut || true).unwrap();
    }
    socket::connect_outcome(client).unwrap();
    let (server, peer) = socket::accept(listener).unwrap();
    assert_eq!(peer, socket::local_address(client).unwrap());
    assert_eq!(socket::peer_address(client).unwrap(), address);
    assert_eq!(socket::send(client, b"hello", 0), Ok(5));
    assert_eq!(receive(server), b"hello");
    socket::shutdown(client, libc::SHUT_WR).unwrap();
    assert_eq!(receive(server), b"");
    assert_eq!(socket::kind(server), Ok(libc::SOCK_STREAM));
    assert_eq!(socket::names_of(&address, libc::NI_NUMERICHOST | libc::NI_NUMERICSERV).unwrap().0, b"127.0.0.1");
    for fd in [listener, client, server] {
        fs::close(fd).unwrap();
    }
}

#[test]
fn broken_connections_are_errors() {
    let (a, b) = socket::socket_pair(libc::AF_UNIX, libc::SOCK_STREAM, 0).unwrap();
    let credentials = socket::peer_credentials(a).unwrap();
    assert_eq!((credentials.process, credentials.user), (host::process::id(), host::process::effective_user()));
    assert_eq!(Address::unpack(&socket::local_address(a).unwrap()), Ok(Address::Unix(Vec::new())));
    fs::close(b).unwrap();
    assert_eq!(socket::send(a, b"x", 0), Err(Errno(libc::EPIPE)));
    fs::close(a).unwrap();
}

#[test]
fn descriptors_travel_in_messages() {
    let (a, b) = socket::socket_pair(libc::AF_UNIX, libc::SOCK_STREAM, 0).unwrap();
    let (read, write) = fs::pipe().unwrap();
    let control = Control::of_descriptors(&[read, write]);
    assert_eq!(socket::send_message(a, b"two", 0, None, &[control]), Ok(3));
    let mut buffer = [MaybeUninit::new(0); 16];
    let received = socket::receive_message(b, &mut buffer, 0, 64).unwrap();
    assert_eq!((received.length, received.controls.len()), (3, 1));
    let fds = received.controls[0].descriptors();
    assert_eq!(fds.len(), 2);
    fs::write(fds[1], b"through").unwrap();
    let mut bytes = [0; 8];
    assert_eq!(fs::read(read, &mut bytes), Ok(7));
    for fd in [a, b, read, write, fds[0], fds[1]] {
        fs::close(fd).unwrap();
    }
}

#[test]
fn names_are_resolved() {
    let hints = Hints { kind: libc::SOCK_STREAM, flags: libc::AI_NUMERICHOST, ..Hints::default() };
    let found = socket::addresses(Some(b"::1"), Some(b"80"), hints).unwrap();
    assert_eq!(found.len(), 1);
    let expected = Address::from_ip("::1".parse().unwrap(), 80);
    assert_eq!(Address::unpack(&found[0].address), Ok(expected));
    let error = socket::addresses(Some(b"not a number"), None, hints).unwrap_err();
    assert_eq!(error.code, libc::EAI_NONAME);
    assert_eq!(error.message(), "Name or service not known");
    let loopback = socket::interface::interfaces().unwrap();
    assert!(loopback.iter().all(|interface| !interface.name.is_empty()));
}
