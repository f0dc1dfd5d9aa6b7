//! OpenSSL::SSL, on rustls: a connection consumes and produces bytes; I/O and trust decisions are in Ruby. Children:
//! `connection` (the state machine), `settings`, `trust` (certificates), `errors` (OpenSSL's messages).

mod connection;
mod errors;
mod presented;
mod sessions;
mod settings;
mod trust;

use runtime::Method;

/// Private singleton methods of SSL.
pub const METHODS: &[Method] = &[
    Method::new("__client(host, settings, store)", connection::client).private(),
    Method::new("__acceptor", connection::acceptor).private(),
    Method::new("__hello(connection)", connection::hello).private(),
    Method::new("__serve(connection, settings, store)", connection::serve).private(),
    Method::new("__store(serving)", connection::store).private(),
    Method::new("__session_count(store)", connection::session_count).private(),
    Method::new("__feed(connection, bytes)", connection::feed).private(),
    Method::new("__take(connection)", connection::take).private(),
    Method::new("__plain(connection, size)", connection::plain).private(),
    Method::new("__send(connection, bytes)", connection::send).private(),
    Method::new("__close(connection)", connection::close).private(),
    Method::new("__handshaking(connection)", connection::is_handshaking).private(),
    Method::new("__pending(connection)", connection::pending).private(),
    Method::new("__peer(connection)", connection::peer).private(),
    Method::new("__facts(connection)", connection::facts).private(),
    Method::new("__authorities(connection)", connection::authorities).private(),
    Method::new("__export(connection, label, length, context)", connection::export).private(),
    Method::new("__key_log(connection)", connection::key_log).private(),
    Method::new("__suites", settings::suites).private(),
    Method::new("__usable(chain, key)", settings::usable).private(),
];
