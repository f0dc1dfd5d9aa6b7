//! The sessions that a client has received and can resume.

use std::sync::atomic::{AtomicUsize, Ordering};

use rustls::{
    NamedGroup,
    client::{ClientSessionMemoryCache, ClientSessionStore, Tls12ClientSessionValue, Tls13ClientSessionValue},
    pki_types::ServerName,
};

/// The most sessions that are kept of one connection.
const KEPT: usize = 32;

/// A store that counts the sessions put into it: a callback is told of each.
#[derive(Debug)]
pub struct CountedSessions {
    store: ClientSessionMemoryCache,
    count: AtomicUsize,
}

impl CountedSessions {
    pub fn new() -> CountedSessions {
        CountedSessions { store: ClientSessionMemoryCache::new(KEPT), count: AtomicUsize::new(0) }
    }

    pub fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }
}

impl ClientSessionStore for CountedSessions {
    fn set_kx_hint(&self, server: ServerName<'static>, group: NamedGroup) {
        self.store.set_kx_hint(server, group);
    }

    fn kx_hint(&self, server: &ServerName<'_>) -> Option<NamedGroup> {
        self.store.kx_hint(server)
    }

    fn set_tls12_session(&self, server: ServerName<'static>, session: Tls12ClientSessionValue) {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.store.set_tls12_session(server, session);
    }

    fn tls12_session(&self, server: &ServerName<'_>) -> Option<Tls12ClientSessionValue> {
        self.store.tls12_session(server)
    }

    fn remove_tls12_session(&self, server: &ServerName<'static>) {
        self.store.remove_tls12_session(server);
    }

    fn insert_tls13_ticket(&self, server: ServerName<'static>, ticket: Tls13ClientSessionValue) {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.store.insert_tls13_ticket(server, ticket);
    }

    fn take_tls13_ticket(&self, server: &ServerName<'static>) -> Option<Tls13ClientSessionValue> {
        self.store.take_tls13_ticket(server)
    }
}
