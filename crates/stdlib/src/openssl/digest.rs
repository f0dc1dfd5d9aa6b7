//! OpenSSL::Digest and OpenSSL::HMAC: a digest in progress, with or without a key.

use ::digest::DynDigest;
use ::text::EncodingId;
use heap::Trace;
use object::{
    native::{self, NativeData},
    string::Str,
};
use runtime::{Args, Cx, Method, R, Value, convert, make};

use super::{
    algorithms::{self, ALGORITHMS, Algorithm, Mac},
    binary, c_text, fail,
};

pub const METHODS: &[Method] = &[
    Method::new("initialize(type, data = nil)", initialize).private(),
    Method::new("initialize_copy(other)", initialize_copy).private(),
    Method::new("reset", reset),
    Method::new("update(data)", update).borrows(0),
    Method::new("<<(data)", update).borrows(0),
    Method::new("finish", finish).private(),
    Method::new("name", name),
    Method::new("digest_length", digest_length),
    Method::new("block_length", block_length),
];
pub const SINGLETON: &[Method] = &[Method::new("allocate", allocate), Method::new("digests", digests)];
pub const HMAC: &[Method] = &[
    Method::new("initialize(key, digest)", initialize_mac).private(),
    Method::new("initialize_copy(other)", copy_mac).private(),
    Method::new("reset", reset_mac),
    Method::new("update(data)", update_mac).borrows(0),
    Method::new("<<(data)", update_mac).borrows(0),
    Method::new("digest", code),
    Method::new("hexdigest", hexadecimal_code),
    Method::new("to_s", hexadecimal_code),
    Method::new("inspect", hexadecimal_code),
];
pub const HMAC_SINGLETON: &[Method] = &[Method::new("allocate", allocate_mac)];

/// The algorithm and its state; `None` before `initialize`.
#[derive(Trace)]
struct Digest(#[trace(skip)] Option<(&'static Algorithm, Box<dyn DynDigest>)>);

impl NativeData for Digest {
    object::one_vtable!(Digest);
}

#[derive(Trace)]
struct Hmac(#[trace(skip)] Option<Keyed>);

struct Keyed {
    /// The initial state, to which `reset` returns.
    fresh: Box<dyn Mac>,
    mac: Box<dyn Mac>,
}

impl NativeData for Hmac {
    object::one_vtable!(Hmac);
}

/// `OpenSSL::Digest.allocate → digest`: one without an algorithm, for `initialize`.
fn allocate(cx: &mut Cx, args: Args) -> R {
    Ok(native::new(cx, args.me(), Box::new(Digest(None))))
}

type State = (&'static Algorithm, Box<dyn DynDigest>);

fn of(cx: &mut Cx, v: Value) -> R<&mut State> {
    match native::get::<Digest>(&v) {
        Some(Digest(Some(_))) => {}
        Some(_) => return Err(cx.runtime_error("Digest CTX wasn't initialized!")),
        None => {
            let class = runtime::error::class_name_of(cx, v);
            return Err(cx.type_error(&format!("wrong argument type {class} (expected OpenSSL/Digest)")));
        }
    }
    match native::get_mut::<Digest>(cx, v) {
        Some(Digest(Some(state))) => Ok(state),
        _ => unreachable!("it was initialized"),
    }
}

/// A digest by its name or its OID, or that of an OpenSSL::Digest.
pub fn algorithm(cx: &mut Cx, v: Value) -> R<&'static Algorithm> {
    if Str::from_value(v).is_none() {
        return Ok(of(cx, v)?.0);
    }
    let name = c_text(cx, v)?;
    match algorithms::find(&name) {
        Some(algorithm) => Ok(algorithm),
        None => {
            let message = format!("unsupported digest algorithm: {name}: unsupported");
            Err(super::fail_in(cx, "Digest", "DigestError", &message))
        }
    }
}

/// `OpenSSL::Digest.new(name, data = nil)`: chooses the algorithm by name or from another digest, and adds data.
/// DigestError for an unknown one.
fn initialize(cx: &mut Cx, args: Args) -> R {
    let algorithm = algorithm(cx, args.at(0))?;
    let data = match args.non_nil(1) {
        Some(data) => Some(convert::to_str(cx, data)?),
        None => None,
    };
    let mut digest = (algorithm.start)();
    if let Some(data) = data {
        digest.update(data.bytes(cx));
    }
    if let Some(state) = native::get_mut::<Digest>(cx, args.me()) {
        state.0 = Some((algorithm, digest));
    }
    Ok(args.me())
}

/// `initialize_copy(other) → self`: copies the algorithm and its state from another digest.
fn initialize_copy(cx: &mut Cx, args: Args) -> R {
    cx.check_frozen(args.me())?;
    if args.me() == args.at(0) {
        return Ok(args.me());
    }
    let (algorithm, digest) = of(cx, args.at(0))?;
    let copy = (*algorithm, digest.box_clone());
    if let Some(state) = native::get_mut::<Digest>(cx, args.me()) {
        state.0 = Some(copy);
    }
    Ok(args.me())
}

/// `reset → self`: discards all data added so far.
fn reset(cx: &mut Cx, args: Args) -> R {
    of(cx, args.me())?.1.reset();
    Ok(args.me())
}

/// `update(data)`, `<<(data) → self`: adds the bytes of a string. TypeError unless it is a String or has `to_str`.
fn update(cx: &mut Cx, args: Args) -> R {
    let data = args.str(cx, 0)?;
    of(cx, args.me())?;
    native::with_bytes::<Digest, _>(cx, args.me(), data, |digest, bytes| {
        digest.0.iter_mut().for_each(|(_, digest)| digest.update(bytes));
    });
    Ok(args.me())
}

/// `finish → string`: the digest of all data added so far, BINARY; afterwards the digest starts anew.
fn finish(cx: &mut Cx, args: Args) -> R {
    let value = of(cx, args.me())?.1.finalize_reset();
    Ok(binary(cx, &value))
}

/// `name → string`: the name of the algorithm, for instance "SHA256".
fn name(cx: &mut Cx, args: Args) -> R {
    let name = of(cx, args.me())?.0.name;
    Ok(make::text(cx, name))
}

/// `digest_length → integer`: the number of bytes of a digest.
fn digest_length(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(of(cx, args.me())?.0.size as i64))
}

/// `block_length → integer`: the number of bytes of the algorithm's block.
fn block_length(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(of(cx, args.me())?.0.block as i64))
}

/// `OpenSSL::Digest.digests → array`: the names of all algorithms, in lower case and as they are usually written.
fn digests(cx: &mut Cx, _: Args) -> R {
    let names = make::array(cx, &[]);
    for algorithm in ALGORITHMS {
        let small = algorithm.name.to_ascii_lowercase();
        let name = make::text(cx, &small);
        make::push(cx, names, name);
        if small != algorithm.name {
            let name = make::text(cx, algorithm.name);
            make::push(cx, names, name);
        }
    }
    Ok(names)
}

/// `OpenSSL::HMAC.allocate → hmac`: one without a key, for `initialize`.
fn allocate_mac(cx: &mut Cx, args: Args) -> R {
    Ok(native::new(cx, args.me(), Box::new(Hmac(None))))
}

fn mac_of(cx: &mut Cx, v: Value) -> R<&mut Keyed> {
    if native::get::<Hmac>(&v).is_none_or(|hmac| hmac.0.is_none()) {
        return Err(cx.runtime_error("HMAC is not initialized"));
    }
    match native::get_mut::<Hmac>(cx, v) {
        Some(Hmac(Some(keyed))) => Ok(keyed),
        _ => unreachable!("it was initialized"),
    }
}

/// `OpenSSL::HMAC.new(key, digest)`: a code of the key with a digest, by name or object. RuntimeError for an unknown
/// one. RFC 2104.
fn initialize_mac(cx: &mut Cx, args: Args) -> R {
    let key = args.str(cx, 0)?;
    let algorithm = algorithm(cx, args.at(1))?;
    let Some(mac) = (algorithm.mac)(key.bytes(cx)) else {
        return Err(fail(cx, "HMACError", "EVP_DigestSignInit"));
    };
    if let Some(hmac) = native::get_mut::<Hmac>(cx, args.me()) {
        hmac.0 = Some(Keyed { fresh: mac.copy(), mac });
    }
    Ok(args.me())
}

/// `initialize_copy(other) → self`: copies the key and the state from another HMAC.
fn copy_mac(cx: &mut Cx, args: Args) -> R {
    cx.check_frozen(args.me())?;
    if args.me() == args.at(0) {
        return Ok(args.me());
    }
    let other = mac_of(cx, args.at(0))?;
    let copy = Keyed { fresh: other.fresh.copy(), mac: other.mac.copy() };
    if let Some(hmac) = native::get_mut::<Hmac>(cx, args.me()) {
        hmac.0 = Some(copy);
    }
    Ok(args.me())
}

/// `reset → self`: discards all data added so far; the key stays.
fn reset_mac(cx: &mut Cx, args: Args) -> R {
    let keyed = mac_of(cx, args.me())?;
    keyed.mac = keyed.fresh.copy();
    Ok(args.me())
}

/// `update(data)`, `<<(data) → self`: adds data. TypeError unless it is a String or has `to_str`.
fn update_mac(cx: &mut Cx, args: Args) -> R {
    let data = args.str(cx, 0)?;
    mac_of(cx, args.me())?;
    native::with_bytes::<Hmac, _>(cx, args.me(), data, |hmac, bytes| {
        hmac.0.iter_mut().for_each(|keyed| keyed.mac.update(bytes));
    });
    Ok(args.me())
}

/// `digest → string`: the code of all data so far, BINARY; more data may follow. RFC 2104.
fn code(cx: &mut Cx, args: Args) -> R {
    let code = mac_of(cx, args.me())?.mac.code();
    Ok(binary(cx, &code))
}

/// `hexdigest`, `to_s`, `inspect → string`: the code of all data so far in hexadecimal digits; more data may
/// follow. RFC 2104.
fn hexadecimal_code(cx: &mut Cx, args: Args) -> R {
    let code = mac_of(cx, args.me())?.mac.code();
    let digits = crate::digest::hexadecimal(&code);
    Ok(make::string(cx, &digits, EncodingId::US_ASCII))
}
