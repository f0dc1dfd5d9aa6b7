//! A TLS connection as a state machine: network bytes on one side, the program's bytes on the other.

use std::{
    io::{ErrorKind, Read, Write},
    sync::{Arc, Mutex, PoisonError},
};

use heap::Trace;
use object::{
    Known,
    native::{self, NativeData},
};
use runtime::{Args, Cx, R, Value, convert, make};
use rustls::{
    ClientConfig, ClientConnection, Connection, DistinguishedName, HandshakeKind, KeyLog, ProtocolVersion,
    ServerConfig,
    client::Resumption,
    pki_types::{IpAddr, Ipv4Addr, ServerName},
    server::{Accepted, Acceptor, ServerSessionMemoryCache, StoresServerSessions},
};

use super::{
    errors,
    sessions::CountedSessions,
    settings::{self, Settings},
    trust::{Authorities, Keys, Signatures},
};
use crate::openssl::binary;

enum Side {
    /// A server that has not received the ClientHello.
    Waiting(Box<Acceptor>),
    /// A server that has received it and needs its settings.
    Greeted(Box<Accepted>),
    Running(Box<Connection>),
    /// The handshake failed before there was a connection.
    Broken,
}

#[derive(Trace)]
struct Tls {
    #[trace(skip)]
    side: Side,
    /// The alert to send after a failure before there was a connection.
    final_alert: Vec<u8>,
    #[trace(skip)]
    keys: Arc<Lines>,
    #[trace(skip)]
    authorities: Authorities,
}

impl NativeData for Tls {
    object::one_vtable!(Tls);

    fn memsize(&self) -> usize {
        1 << 15
    }
}

/// Sessions that can be resumed.
#[derive(Trace)]
enum Sessions {
    Client(#[trace(skip)] Arc<CountedSessions>),
    Server(#[trace(skip)] Arc<dyn StoresServerSessions>),
}

impl NativeData for Sessions {
    object::one_vtable!(Sessions);
}

/// Secrets in the format of key log files.
#[derive(Debug, Default)]
struct Lines(Mutex<Vec<String>>);

impl KeyLog for Lines {
    fn log(&self, label: &str, client_random: &[u8], secret: &[u8]) {
        let hexadecimal = |bytes: &[u8]| memory::lossy_text(&crate::digest::hexadecimal(bytes));
        let line = format!("{label} {} {}", hexadecimal(client_random), hexadecimal(secret));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }
}

fn wrap(cx: &mut Cx, side: Side, keys: Arc<Lines>, authorities: Authorities) -> Value {
    let class = cx.class(Known::Object);
    native::new(cx, class, Box::new(Tls { side, final_alert: Vec::new(), keys, authorities }))
}

fn of<'a>(cx: &'a mut Cx, args: Args) -> R<&'a mut Tls> {
    native::get_mut_or::<Tls, _, _>(cx, args.at(0), |cx| errors::raise(cx, "SSL session is not started yet"))
}

/// The connection for reading, if it has started.
fn read_only<'a>(cx: &mut Cx, args: &'a Args) -> R<Option<&'a Connection>> {
    of(cx, *args)?;
    Ok(match native::get::<Tls>(args.at_ref(0)).map(|tls| &tls.side) {
        Some(Side::Running(connection)) => Some(connection),
        _ => None,
    })
}

fn running<'a>(cx: &'a mut Cx, args: Args) -> R<Option<&'a mut Connection>> {
    Ok(match &mut of(cx, args)?.side {
        Side::Running(connection) => Some(connection),
        _ => None,
    })
}

/// `__store(serving) → store`: a store of resumable sessions: 256 of a server, or 32 of a client.
pub fn store(cx: &mut Cx, args: Args) -> R {
    let sessions = if args.at(0).truthy() {
        Sessions::Server(ServerSessionMemoryCache::new(256))
    } else {
        Sessions::Client(Arc::new(CountedSessions::new()))
    };
    let class = cx.class(Known::Object);
    Ok(native::new(cx, class, Box::new(sessions)))
}

/// `__session_count(store) → integer`: how many sessions a client's store has received.
pub fn session_count(_: &mut Cx, args: Args) -> R {
    Ok(match native::get::<Sessions>(args.at_ref(0)) {
        Some(Sessions::Client(store)) => Value::fixnum(store.count() as i64),
        _ => Value::fixnum(0),
    })
}

const NOTHING_LEFT: &str = "no protocols available";

/// `__client(host, settings, store) → connection`: a client connection, which starts the handshake; the server receives
/// no name if the host is nil.
pub fn client(cx: &mut Cx, args: Args) -> R {
    let name = if args.at(0).is_nil() { None } else { Some(args.str(cx, 0)?) };
    let name = name.and_then(|name| String::from_utf8(name.to_vector()).ok());
    let Some(settings) = Settings::of(cx, args.at(1))? else { return Err(errors::raise(cx, NOTHING_LEFT)) };
    let keys = Arc::new(Lines::default());
    let authorities = Authorities::default();
    let verifier = Signatures { provider: settings.provider.clone(), asking: 0, authorities: Vec::new() };
    let builder = ClientConfig::builder_with_provider(settings.provider.clone())
        .with_protocol_versions(&settings.versions)
        .map(|builder| builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)));
    let mut config = match builder {
        Ok(builder) => builder.with_client_cert_resolver(Arc::new(Keys::new(settings.keys, authorities.clone()))),
        Err(error) => return Err(errors::raise(cx, &error.to_string())),
    };
    config.alpn_protocols = settings.protocols;
    config.enable_sni = name.is_some();
    if let Some(Sessions::Client(store)) = native::get::<Sessions>(&args.at(2)) {
        config.resumption = Resumption::store(store.clone());
    }
    if settings.logs_keys {
        config.key_log = keys.clone();
    }
    let nameless = || ServerName::IpAddress(IpAddr::V4(Ipv4Addr::from([0, 0, 0, 0])));
    let name = name.and_then(|name| ServerName::try_from(name).ok()).unwrap_or_else(nameless);
    match ClientConnection::new(Arc::new(config), name) {
        Ok(mut connection) => {
            connection.set_buffer_limit(None);
            Ok(wrap(cx, Side::Running(Box::new(connection.into())), keys, authorities))
        }
        Err(error) => Err(errors::raise(cx, &errors::text(&error))),
    }
}

/// `__acceptor → connection`: a server connection that waits for the client's first message, on which its settings may
/// depend.
pub fn acceptor(cx: &mut Cx, _: Args) -> R {
    Ok(wrap(cx, Side::Waiting(Box::default()), Arc::default(), Authorities::default()))
}

/// `__hello(connection) → [server name or nil, [protocol, …] or nil] or nil`: the client's requests; nil before they
/// are received, and after the settings are known.
pub fn hello(cx: &mut Cx, args: Args) -> R {
    of(cx, args)?;
    let Some(Tls { side: Side::Greeted(accepted), .. }) = native::get::<Tls>(args.at_ref(0)) else {
        return Ok(Value::NIL);
    };
    let hello = accepted.client_hello();
    let name = hello.server_name().map_or(Value::NIL, |name| make::text(cx, name));
    let protocols = match hello.alpn() {
        Some(names) => {
            let list = make::array(cx, &[]);
            for name in names {
                let name = binary(cx, name);
                make::push(cx, list, name);
            }
            list
        }
        None => Value::NIL,
    };
    Ok(make::array(cx, &[name, protocols]))
}

/// `__serve(connection, settings, store) → string or nil`: sets the settings of a waiting server connection; nil, or a
/// message if they are unsuitable.
pub fn serve(cx: &mut Cx, args: Args) -> R {
    let Some(settings) = Settings::of(cx, args.at(1))? else { return Err(errors::raise(cx, NOTHING_LEFT)) };
    let verifier = Signatures {
        provider: settings.provider.clone(),
        asking: settings.asking,
        authorities: settings.authorities.into_iter().map(DistinguishedName::from).collect(),
    };
    let tls = of(cx, args)?;
    let builder =
        ServerConfig::builder_with_provider(settings.provider.clone()).with_protocol_versions(&settings.versions);
    let mut config = match builder {
        Ok(builder) => builder
            .with_client_cert_verifier(Arc::new(verifier))
            .with_cert_resolver(Arc::new(Keys::new(settings.keys, Authorities::default()))),
        Err(error) => return Err(errors::raise(cx, &error.to_string())),
    };
    config.alpn_protocols = settings.protocols;
    if let Some(Sessions::Server(store)) = native::get::<Sessions>(&args.at(2)) {
        config.session_storage = store.clone();
    }
    if settings.logs_keys {
        config.key_log = tls.keys.clone();
    }
    let Side::Greeted(accepted) = std::mem::replace(&mut tls.side, Side::Broken) else { return Ok(Value::NIL) };
    match accepted.into_connection(Arc::new(config)) {
        Ok(mut connection) => {
            connection.set_buffer_limit(None);
            tls.side = Side::Running(Box::new(connection.into()));
            Ok(Value::NIL)
        }
        Err((error, mut alert)) => {
            // Writing to a vector does not fail.
            let _ = alert.write_all(&mut tls.final_alert);
            Ok(make::text(cx, &errors::text(&error)))
        }
    }
}

/// `__feed(connection, bytes) → string or nil`: takes bytes from the network; nil, or an error message.
pub fn feed(cx: &mut Cx, args: Args) -> R {
    let bytes = args.str(cx, 1)?.held(cx);
    let tls = of(cx, args)?;
    match tls.feed(&bytes) {
        Ok(()) => Ok(Value::NIL),
        Err(message) => Ok(make::text(cx, &message)),
    }
}

impl Tls {
    fn feed(&mut self, bytes: &[u8]) -> Result<(), String> {
        let mut rest = bytes;
        while !rest.is_empty() {
            match &mut self.side {
                Side::Waiting(acceptor) => {
                    acceptor.read_tls(&mut rest).map_err(|error| error.to_string())?;
                    match acceptor.accept() {
                        Ok(None) => {}
                        Ok(Some(accepted)) => self.side = Side::Greeted(Box::new(accepted)),
                        Err((error, mut alert)) => {
                            // Writing to a vector does not fail.
                            let _ = alert.write_all(&mut self.final_alert);
                            self.side = Side::Broken;
                            let plain = bytes.starts_with(b"GET ")
                                || bytes.starts_with(b"POST ")
                                || bytes.starts_with(b"HEAD ");
                            return Err(if plain { "http request".to_owned() } else { errors::text(&error) });
                        }
                    }
                }
                Side::Running(connection) => {
                    connection.read_tls(&mut rest).map_err(|error| error.to_string())?;
                    connection.process_new_packets().map_err(|error| errors::text(&error))?;
                }
                // A client sends nothing before it gets an answer.
                Side::Greeted(_) | Side::Broken => return Err("unexpected message".to_owned()),
            }
        }
        Ok(())
    }
}

/// `__take(connection) → string`: the bytes that are to be sent over the network now.
pub fn take(cx: &mut Cx, args: Args) -> R {
    let tls = of(cx, args)?;
    let mut out = std::mem::take(&mut tls.final_alert);
    if let Side::Running(connection) = &mut tls.side {
        while connection.wants_write() {
            // Writing to a vector does not fail.
            let _ = connection.write_tls(&mut out);
        }
    }
    Ok(binary(cx, &out))
}

/// `__plain(connection, size) → string, false or nil`: at most `size` decrypted bytes; nil if there are none yet, false
/// if the peer has closed the connection.
pub fn plain(cx: &mut Cx, args: Args) -> R {
    let size = convert::to_i64(cx, args.at(1))?;
    let Ok(size) = usize::try_from(size) else {
        return Err(cx.argument_error("negative string size (or size too big)"));
    };
    let Some(connection) = running(cx, args)? else { return Ok(Value::NIL) };
    let waiting = match connection.process_new_packets() {
        Ok(state) => state.plaintext_bytes_to_read(),
        Err(error) => return Err(errors::raise(cx, &format!("SSL_read: {}", errors::text(&error)))),
    };
    let mut bytes = memory::filled(0, size.min(waiting.max(1)));
    match connection.reader().read(&mut bytes) {
        Ok(0) => Ok(Value::FALSE),
        Ok(count) => Ok(binary(cx, &bytes[..count])),
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(Value::NIL),
        Err(_) => Ok(Value::FALSE),
    }
}

/// `__send(connection, bytes) → integer`: accepts plain bytes to be encrypted and returns the number of accepted bytes,
/// 0 before the handshake has started.
pub fn send(cx: &mut Cx, args: Args) -> R {
    let bytes = args.str(cx, 1)?.held(cx);
    let Some(connection) = running(cx, args)? else { return Ok(Value::fixnum(0)) };
    match connection.writer().write(&bytes) {
        Ok(count) => Ok(Value::fixnum(count as i64)),
        Err(error) => Err(errors::raise(cx, &format!("SSL_write: {error}"))),
    }
}

/// `__close(connection) → nil`: notifies the peer that no more data will follow.
pub fn close(cx: &mut Cx, args: Args) -> R {
    if let Some(connection) = running(cx, args)? {
        connection.send_close_notify();
    }
    Ok(Value::NIL)
}

/// `__handshaking(connection) → true or false`: whether the handshake is unfinished; also true before it has started.
pub fn is_handshaking(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(running(cx, args)?.is_none_or(|connection| connection.is_handshaking())))
}

/// `__pending(connection) → integer`: the number of decrypted bytes that can be read without the network.
pub fn pending(cx: &mut Cx, args: Args) -> R {
    let Some(connection) = running(cx, args)? else { return Ok(Value::fixnum(0)) };
    let waiting = connection.process_new_packets().map_or(0, |state| state.plaintext_bytes_to_read());
    Ok(Value::fixnum(waiting as i64))
}

/// `__peer(connection) → [DER, …] or nil`: the certificates that the peer has sent, its own first; nil if there are
/// none.
pub fn peer(cx: &mut Cx, args: Args) -> R {
    let Some(connection) = read_only(cx, &args)? else { return Ok(Value::NIL) };
    let Some(chain) = connection.peer_certificates() else { return Ok(Value::NIL) };
    let list = make::array(cx, &[]);
    for certificate in chain {
        let certificate = binary(cx, certificate);
        make::push(cx, list, certificate);
    }
    Ok(list)
}

/// `__facts(connection) → [version, [suite, its version, bits, bits], protocol or nil, resumed, group or nil]`: the
/// negotiated parameters, each nil before it is known.
pub fn facts(cx: &mut Cx, args: Args) -> R {
    let Some(connection) = read_only(cx, &args)? else { return Ok(Value::NIL) };
    let version = match connection.protocol_version() {
        Some(ProtocolVersion::TLSv1_3) => make::text(cx, "TLSv1.3"),
        Some(ProtocolVersion::TLSv1_2) => make::text(cx, "TLSv1.2"),
        _ => Value::NIL,
    };
    let suite = match connection.negotiated_cipher_suite() {
        Some(suite) => {
            let (name, version, bits) = settings::describe(suite);
            let row = [make::text(cx, name), make::text(cx, version), Value::fixnum(bits), Value::fixnum(bits)];
            make::array(cx, &row)
        }
        None => Value::NIL,
    };
    let protocol = connection.alpn_protocol().map_or(Value::NIL, |name| binary(cx, name));
    let resumed = Value::bool(connection.handshake_kind() == Some(HandshakeKind::Resumed));
    let group = connection.negotiated_key_exchange_group().map(|group| format!("{:?}", group.name()));
    let group = group.map_or(Value::NIL, |group| make::text(cx, &group));
    Ok(make::array(cx, &[version, suite, protocol, resumed, group]))
}

/// `__authorities(connection) → [DER, …]`: the names of the authorities whose certificates the server accepts.
pub fn authorities(cx: &mut Cx, args: Args) -> R {
    let names = of(cx, args)?.authorities.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let list = make::array(cx, &[]);
    for name in names {
        let name = binary(cx, &name);
        make::push(cx, list, name);
    }
    Ok(list)
}

/// `__export(connection, label, length, context) → string or nil`: `length` bytes that only the two peers can derive;
/// nil before the handshake has ended. RFC 5705.
pub fn export(cx: &mut Cx, args: Args) -> R {
    let label = args.str(cx, 1)?.to_vector();
    let length = convert::to_i64(cx, args.at(2))?;
    let context = if args.at(3).is_nil() { None } else { Some(args.str(cx, 3)?.to_vector()) };
    let Ok(length @ 1..=65_535) = usize::try_from(length) else { return Ok(Value::NIL) };
    let Some(connection) = running(cx, args)? else { return Ok(Value::NIL) };
    let made = connection.export_keying_material(memory::filled(0, length), &label, context.as_deref());
    match made {
        Ok(bytes) => Ok(binary(cx, &bytes)),
        Err(_) => Ok(Value::NIL),
    }
}

/// `__key_log(connection) → [line, …]`: the secrets of the connection in the NSS key log format, since the last call.
pub fn key_log(cx: &mut Cx, args: Args) -> R {
    let keys = of(cx, args)?.keys.clone();
    let lines = std::mem::take(&mut *keys.0.lock().unwrap_or_else(PoisonError::into_inner));
    let list = make::array(cx, &[]);
    for line in lines {
        let line = make::text(cx, &line);
        make::push(cx, list, line);
    }
    Ok(list)
}
