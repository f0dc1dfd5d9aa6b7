//! Names of hosts and services.

use host::{
    io::Events,
    socket::{self, Hints, Lookup, Outcome},
};
use object::{array::Arr, symbol::table::intern_text};
use runtime::{
    Args, Cx, R, Unwind, Value,
    concurrency::{scheduler, thread::blocking},
    convert, error, library, make,
};
use text::EncodingId;

use super::{binary, bytes, failed, number, ready, seconds};

/// A Socket::ResolutionError, or the system's error if that was the cause.
fn unresolved(cx: &mut Cx, what: &str, failure: socket::ResolveError) -> Unwind {
    if let Some(errno) = failure.errno {
        return failed(cx, errno, what);
    }
    let class = match library::error_class(cx, &["Socket", "ResolutionError"]) {
        Ok(class) => class,
        Err(unwind) => return unwind,
    };
    let message = make::text(cx, &format!("{what}: {}", failure.message()));
    match library::new_error(cx, class, &[message]) {
        Ok(exception) => {
            let name = intern_text(cx, "@error_code");
            object::shape::ivars::set(cx, exception, name, number(failure.code));
            error::raise_exception(cx, exception)
        }
        Err(unwind) => unwind,
    }
}

/// Looks up a name; `None` on timeout. Numeric names are resolved immediately, others on a separate thread, so that the
/// caller can stop waiting.
fn look_up(
    cx: &mut Cx,
    host: Option<Vec<u8>>,
    service: Option<Vec<u8>>,
    hints: Hints,
    limit: Option<f64>,
) -> R<Option<Outcome>> {
    if let Some(name) = &host {
        let numeric = Hints { flags: hints.flags | socket::NUMERIC_HOST, ..hints };
        let found = socket::numeric_addresses(host.as_deref(), service.as_deref(), numeric);
        if found.is_ok() || hints.flags & socket::NUMERIC_HOST != 0 {
            return Ok(Some(found));
        }
        if let Some(found) = by_scheduler(cx, name, service.as_deref(), numeric)? {
            return Ok(Some(found));
        }
        if let Ok(lookup) = Lookup::start(host.clone(), service.clone(), hints) {
            let over = !ready(cx, number(lookup.ready().0), Events::READABLE, limit)?;
            return Ok(if over { None } else { lookup.take() });
        }
    }
    Ok(Some(blocking(cx, || socket::addresses(host.as_deref(), service.as_deref(), hints))))
}

/// Lets a fiber scheduler resolve a name; `None` if no scheduler does. `hints` apply to numeric names.
fn by_scheduler(cx: &mut Cx, name: &[u8], service: Option<&[u8]>, hints: Hints) -> R<Option<Outcome>> {
    let Some(scheduler) = scheduler::current(cx) else { return Ok(None) };
    if !scheduler::has(cx, scheduler, "address_resolve")? {
        return Ok(None);
    }
    let name = make::string(cx, name, EncodingId::UTF_8);
    let given = scheduler::send(cx, scheduler, "address_resolve", &[name])?;
    let given = convert::try_ary(cx, given)?.unwrap_or_else(|| Arr::of(make::array(cx, &[])));
    let mut all = Vec::new();
    let mut i = 0;
    while let Some(address) = given.get(i) {
        let address = bytes(cx, address)?;
        // Addresses of other families are skipped.
        all.extend(socket::numeric_addresses(Some(&address), service, hints).unwrap_or_default());
        i += 1;
    }
    Ok(Some(if all.is_empty() { Err(socket::ResolveError::unknown()) } else { Ok(all) }))
}

/// `__resolve(host, service, family, kind, protocol, flags, seconds, function) → [[family, kind, protocol, address,
/// canonical name], …]`; nil on timeout. Errors name the function.
pub fn resolve(cx: &mut Cx, args: Args) -> R {
    let optional = |cx: &mut Cx, i: usize| if args.at(i).is_nil() { Ok(None) } else { bytes(cx, args.at(i)).map(Some) };
    let (host, service) = (optional(cx, 0)?, optional(cx, 1)?);
    if host.iter().chain(&service).any(|name| name.contains(&0)) {
        return Err(cx.argument_error("string contains null byte"));
    }
    let integer = |cx: &mut Cx, i: usize| convert::to_i32(cx, args.at(i));
    let hints =
        Hints { family: integer(cx, 2)?, kind: integer(cx, 3)?, protocol: integer(cx, 4)?, flags: integer(cx, 5)? };
    let limit = seconds(cx, args.at(6))?;
    let Some(found) = look_up(cx, host, service, hints, limit)? else { return Ok(Value::NIL) };
    let function = convert::to_str(cx, args.at(7))?.to_text();
    let found = found.map_err(|failure| unresolved(cx, &function, failure))?;
    let list = make::array(cx, &[]);
    for one in &found {
        let address = binary(cx, &one.address);
        let name = one.canonical_name.as_ref().map_or(Value::NIL, |name| make::string(cx, name, EncodingId::UTF_8));
        let row = make::array(cx, &[number(one.family), number(one.kind), number(one.protocol), address, name]);
        make::push(cx, list, row);
    }
    Ok(list)
}

/// `__names(address, flags) → [host, service]`: getnameinfo(3) of a packed address. SocketError if that fails.
pub fn names(cx: &mut Cx, args: Args) -> R {
    let (address, flags) = (bytes(cx, args.at(0))?, convert::to_i32(cx, args.at(1))?);
    let found = if flags & socket::NUMERIC_NAMES == socket::NUMERIC_NAMES {
        socket::names_of(&address, flags)
    } else {
        blocking(cx, || socket::names_of(&address, flags))
    };
    let (host, service) = found.map_err(|failure| unresolved(cx, "getnameinfo", failure))?;
    let host = make::string(cx, &host, EncodingId::UTF_8);
    let service = make::string(cx, &service, EncodingId::UTF_8);
    Ok(make::array(cx, &[host, service]))
}

/// `[name, aliases, family, address, …]`, or nil.
fn host_row(cx: &mut Cx, found: Option<socket::Host>) -> R {
    let Some(host) = found else { return Ok(Value::NIL) };
    let aliases = make::array(cx, &[]);
    for alias in &host.aliases {
        let alias = make::string(cx, alias, EncodingId::UTF_8);
        make::push(cx, aliases, alias);
    }
    let name = make::string(cx, &host.name, EncodingId::UTF_8);
    let row = make::array(cx, &[name, aliases, number(host.family)]);
    for address in &host.addresses {
        let address = binary(cx, address);
        make::push(cx, row, address);
    }
    Ok(row)
}

/// `__host_by_name(name) → array or nil`: the name, an array of aliases, the family and the packed addresses of a host;
/// nil if it is not found. SystemCallError for other failures.
pub fn host_by_name(cx: &mut Cx, args: Args) -> R {
    let name = bytes(cx, args.at(0))?;
    let found = blocking(cx, || socket::host_by_name(&name)).map_err(|errno| failed(cx, errno, ""))?;
    host_row(cx, found)
}

/// `__host_by_address(address, family) → array or nil`: the name, an array of aliases, the family and the packed
/// addresses of the host with an address; nil if it is not found.
pub fn host_by_address(cx: &mut Cx, args: Args) -> R {
    let (address, family) = (bytes(cx, args.at(0))?, convert::to_i32(cx, args.at(1))?);
    let found = blocking(cx, || socket::host_by_address(&address, family));
    host_row(cx, found)
}

/// `__service(name, protocol) → integer or nil`: the port of a service such as "http" with a protocol such as "tcp";
/// nil for an unknown one.
pub fn service(cx: &mut Cx, args: Args) -> R {
    let (name, protocol) = (bytes(cx, args.at(0))?, bytes(cx, args.at(1))?);
    let port = socket::service_port(&name, &protocol).map_err(|errno| failed(cx, errno, ""))?;
    Ok(port.map_or(Value::NIL, number))
}

/// `__service_at(port, protocol) → string or nil`: the name of the service at a port of a protocol; nil for an unknown
/// one.
pub fn service_at(cx: &mut Cx, args: Args) -> R {
    let (port, protocol) = (convert::to_i32(cx, args.at(0))? as u16, args.str(cx, 1)?);
    let name = socket::service_name(port, protocol.bytes(cx)).map_err(|errno| failed(cx, errno, ""))?;
    Ok(name.map_or(Value::NIL, |name| make::string(cx, &name, EncodingId::UTF_8)))
}

/// `__host_name → string`: the name of this machine.
pub fn host_name(cx: &mut Cx, _: Args) -> R {
    let name = host::user::machine::system_name().node;
    Ok(make::string(cx, &name, EncodingId::UTF_8))
}
