//! OpenSSL::Cipher. Children: `kinds` (the ciphers by name), `engine` (modes without a tag) and `aead` (modes with
//! one).

mod aead;
mod engine;
mod kinds;

use heap::Trace;
use memory::{Grow, ToVector};
use object::{
    native::{self, NativeData},
    string::Str,
};
use runtime::{Args, Cx, Method, R, Unwind, Value, concurrency::thread::blocking, convert, error::OrRaise, make};
use text::EncodingId;

use self::{
    aead::Aead,
    engine::Engine,
    kinds::{CIPHERS, Kind},
};
use super::{algorithms, binary, c_text, digest, fail_in};

pub const METHODS: &[Method] = &[
    Method::new("initialize(name)", initialize).private(),
    Method::new("initialize_copy(other)", initialize_copy).private(),
    Method::new("__start(encrypting)", start).private(),
    Method::new("reset", reset),
    Method::new("update(data, buffer = nil)", update),
    Method::new("final", finish),
    Method::new("name", name),
    Method::new("key=(key)", set_key),
    Method::new("iv=(iv)", set_iv),
    Method::new("pkcs5_keyivgen(password, salt = nil, iterations = nil, digest = nil)", derive_key),
    Method::new("auth_data=(data)", authenticate),
    Method::new("auth_tag(length = nil)", tag),
    Method::new("auth_tag=(tag)", set_tag),
    Method::new("auth_tag_len=(length)", set_tag_length),
    Method::new("authenticated?", is_authenticated),
    Method::new("iv_len=(length)", set_iv_length),
    Method::new("key_len=(length)", set_key_length),
    Method::new("padding=(padding)", set_padding),
    Method::new("ccm_data_len=(length)", set_data_length),
    Method::new("key_len", key_length),
    Method::new("iv_len", iv_length),
    Method::new("block_size", block_size),
];
pub const SINGLETON: &[Method] = &[Method::new("allocate", allocate), Method::new("ciphers", ciphers)];

/// Longer data is processed without the global lock, so that other threads run.
const LONG: usize = 1 << 16;

/// A cipher with its key, its vector and its progress.
struct State {
    cipher: &'static kinds::Cipher,
    /// OpenSSL starts in decryption mode.
    encrypting: bool,
    key: Option<Vec<u8>>,
    /// Whether a key was given; `encrypt` and `decrypt` reset it.
    key_given: bool,
    iv: Option<Vec<u8>>,
    iv_length: usize,
    padding: bool,
    tag: Option<Vec<u8>>,
    running: Running,
    /// The bytes of an incomplete block, and of one that may be the last.
    waiting: Vec<u8>,
    /// An AEAD message was finished.
    finished: bool,
}

enum Running {
    Not,
    Plain(Box<dyn Engine>),
    Aead(Box<dyn Aead>),
}

#[derive(Trace)]
struct Cipher(#[trace(skip)] Option<State>);

impl NativeData for Cipher {
    object::one_vtable!(Cipher);
}

/// `OpenSSL::Cipher.allocate → cipher`: one without an algorithm; its methods raise RuntimeError until `initialize`.
fn allocate(cx: &mut Cx, args: Args) -> R {
    Ok(native::new(cx, args.me(), Box::new(Cipher(None))))
}

fn is_initialized(v: Value) -> bool {
    native::get::<Cipher>(&v).is_some_and(|cipher| cipher.0.is_some())
}

fn of(cx: &mut Cx, v: Value) -> R<&mut State> {
    if !is_initialized(v) {
        return Err(cx.runtime_error("Cipher not initialized!"));
    }
    match native::get_mut::<Cipher>(cx, v) {
        Some(Cipher(Some(state))) => Ok(state),
        _ => unreachable!("it was initialized"),
    }
}

const WRONG_TAG: &str = "AEAD authentication tag verification failed";

fn error(cx: &mut Cx, message: &str) -> Unwind {
    fail_in(cx, "Cipher", "CipherError", message)
}

/// `OpenSSL::Cipher.new(name)`: chooses algorithm and mode. CipherError for an unknown name, RuntimeError the second
/// time.
fn initialize(cx: &mut Cx, args: Args) -> R {
    let name = c_text(cx, args.at(0))?;
    if is_initialized(args.me()) {
        let class = runtime::error::class_name_of(cx, args.me());
        return Err(cx.type_error(&format!("{class} already initialized")));
    }
    let Some(cipher) = kinds::find(&name) else {
        return Err(error(cx, &format!("unsupported cipher algorithm: {name}: unsupported")));
    };
    let state = State {
        cipher,
        encrypting: false,
        key: None,
        key_given: false,
        iv: None,
        iv_length: cipher.iv,
        padding: true,
        tag: None,
        running: Running::Not,
        waiting: Vec::new(),
        finished: false,
    };
    if let Some(data) = native::get_mut::<Cipher>(cx, args.me()) {
        data.0 = Some(state);
    }
    Ok(args.me())
}

/// `initialize_copy(other) → self`: copies the algorithm and its state from another cipher.
fn initialize_copy(cx: &mut Cx, args: Args) -> R {
    cx.check_frozen(args.me())?;
    if args.me() == args.at(0) {
        return Ok(args.me());
    }
    let copy = of(cx, args.at(0))?.copy();
    if let Some(data) = native::get_mut::<Cipher>(cx, args.me()) {
        data.0 = Some(copy);
    }
    Ok(args.me())
}

impl State {
    fn copy(&self) -> State {
        let running = match &self.running {
            Running::Not => Running::Not,
            Running::Plain(engine) => Running::Plain(engine.copy()),
            Running::Aead(engine) => Running::Aead(engine.copy()),
        };
        State {
            key: self.key.clone(),
            iv: self.iv.clone(),
            tag: self.tag.clone(),
            running,
            waiting: self.waiting.clone(),
            ..*self
        }
    }

    /// Resets the progress; key, vector and a given tag stay.
    fn rewind(&mut self) {
        self.running = Running::Not;
        self.waiting.clear();
        self.finished = false;
    }

    /// Starts if nothing is in progress. An error is its message.
    fn run(&mut self) -> Result<&mut Running, &'static str> {
        if !matches!(self.running, Running::Not) {
            return Ok(&mut self.running);
        }
        let Some(key) = &self.key else { return Err("no key set") };
        self.running = match self.cipher.kind {
            Kind::Blocks(_, start) | Kind::Stream(start) => {
                let iv = self.iv.clone().unwrap_or_else(|| memory::filled(0, self.iv_length));
                Running::Plain(start(key, &iv, self.encrypting).ok_or("initialization error")?)
            }
            Kind::Aead(start) => {
                let iv = match &self.iv {
                    Some(iv) => iv.clone(),
                    // As in OpenSSL, a missing nonce is random.
                    None if self.encrypting => random(self.iv_length)?,
                    None => return Err("cipher operation failed"),
                };
                Running::Aead(start(key, &iv, self.encrypting).ok_or("initialization error")?)
            }
        };
        Ok(&mut self.running)
    }

    /// Replaces the data by what it is encrypted or decrypted to, without an incomplete block.
    fn update(&mut self, data: &mut Vec<u8>) -> Result<(), &'static str> {
        if self.finished {
            return Err("cipher operation failed");
        }
        self.run()?;
        if !self.waiting.is_empty() {
            self.waiting.append_slice(data);
            std::mem::swap(&mut self.waiting, data);
            self.waiting.clear();
        }
        let block = self.cipher.block_size();
        let mut ready = data.len() / block * block;
        if !self.encrypting && self.padding && block > 1 && ready == data.len() {
            // The last block contains the length of the padding.
            ready = ready.saturating_sub(block);
        }
        self.waiting.append_slice(&data[ready..]);
        data.truncate(ready);
        let whole = match &mut self.running {
            Running::Plain(engine) => engine.process(data),
            Running::Aead(engine) => engine.process(data),
            Running::Not => false,
        };
        if whole { Ok(()) } else { Err("cipher operation failed") }
    }

    fn finish(&mut self) -> Result<Vec<u8>, &'static str> {
        self.run()?;
        let block = self.cipher.block_size();
        match &mut self.running {
            Running::Aead(engine) => {
                let tag = engine.tag();
                if self.finished {
                    return Err("cipher operation failed");
                }
                self.finished = true;
                if self.encrypting {
                    self.tag = Some(tag.to_vector());
                } else if !self.tag.as_ref().is_some_and(|given| fits(given, &tag)) {
                    return Err(WRONG_TAG);
                }
                Ok(Vec::new())
            }
            Running::Plain(engine) if block > 1 => {
                let mut last = std::mem::take(&mut self.waiting);
                if !self.padding {
                    return if last.is_empty() { Ok(last) } else { Err("wrong final block length") };
                }
                if self.encrypting {
                    let missing = block - last.len();
                    last.set_length(block, missing as u8);
                    let _ = engine.process(&mut last);
                    return Ok(last);
                }
                if last.len() != block {
                    return Err("wrong final block length");
                }
                let _ = engine.process(&mut last);
                unpadded(last, block).ok_or("bad decrypt")
            }
            _ => Ok(Vec::new()),
        }
    }
}

/// Whether a tag, possibly truncated, equals the computed one, in constant time.
fn fits(given: &[u8], tag: &[u8]) -> bool {
    (1..=tag.len()).contains(&given.len()) && subtle::ConstantTimeEq::ct_eq(given, &tag[..given.len()]).into()
}

fn random(length: usize) -> Result<Vec<u8>, &'static str> {
    let mut bytes = memory::filled(0, length);
    host::random::fill(&mut bytes).map_err(|_| "no random bytes")?;
    Ok(bytes)
}

/// Removes the padding of PKCS #7, whose bytes all contain its length.
fn unpadded(mut last: Vec<u8>, block: usize) -> Option<Vec<u8>> {
    let count = usize::from(*last.last()?);
    if count == 0 || count > block || last[block - count..].iter().any(|byte| usize::from(*byte) != count) {
        return None;
    }
    last.truncate(block - count);
    Some(last)
}

/// `__start(encrypting) → self`: starts a message in the given direction; the key must still be set.
fn start(cx: &mut Cx, args: Args) -> R {
    let state = of(cx, args.me())?;
    state.encrypting = args.at(0).truthy();
    state.key_given = false;
    state.rewind();
    Ok(args.me())
}

/// `reset → self`: starts a new message with the same key and initialisation vector.
fn reset(cx: &mut Cx, args: Args) -> R {
    of(cx, args.me())?.rewind();
    Ok(args.me())
}

/// `update(data, buffer = nil) → string`: the data encrypted or decrypted, in `buffer` if one is given; an incomplete
/// block is kept. CipherError without a key.
fn update(cx: &mut Cx, args: Args) -> R {
    let given = native::get::<Cipher>(&args.me()).and_then(|data| data.0.as_ref()).is_some_and(|state| state.key_given);
    if !given {
        return Err(error(cx, "key not set"));
    }
    let data = args.str(cx, 0)?;
    core_classes::io::read::check_buffer(cx, args.opt(1))?;
    if data.len() <= LONG {
        let mut part = data.to_vector();
        return match of(cx, args.me())?.update(&mut part) {
            Ok(()) => core_classes::io::read::deliver(cx, args.opt(1), &part),
            Err(message) => Err(error(cx, message)),
        };
    }
    // Other threads run in the meantime; to them the cipher appears uninitialized.
    of(cx, args.me())?;
    let data = data.held(cx);
    let taken = native::get_mut::<Cipher>(cx, args.me()).and_then(|cipher| cipher.0.take());
    let Some(mut state) = taken else { return Err(error(cx, "key not set")) };
    let out = update_in_parts(cx, &mut state, &data);
    if let Some(cipher) = native::get_mut::<Cipher>(cx, args.me()) {
        cipher.0 = Some(state);
    }
    let out = out?;
    if args.non_nil(1).is_none() {
        return Ok(out.value());
    }
    let bytes = out.held(cx);
    core_classes::io::read::deliver(cx, args.opt(1), &bytes)
}

/// Processes long data without the global lock, in parts that fit the processor's cache.
fn update_in_parts(cx: &mut Cx, state: &mut State, data: &[u8]) -> R<Str> {
    let out = Str::with_room(cx, data.len() + state.waiting.len(), EncodingId::BINARY).or_raise(cx)?;
    let mut part = memory::with_capacity(LONG);
    for bytes in data.chunks(LONG) {
        part.clear();
        part.append_slice(bytes);
        match blocking(cx, || state.update(&mut part)) {
            Ok(()) => out.append(cx, &part).or_raise(cx)?,
            Err(message) => return Err(error(cx, message)),
        }
    }
    Ok(out)
}

/// `final → string`: the last block, encrypted with its padding or decrypted without. CipherError for wrong padding,
/// and for data that does not fill a block if padding is off; AuthTagError for a wrong tag.
fn finish(cx: &mut Cx, args: Args) -> R {
    match of(cx, args.me())?.finish() {
        Ok(out) => Ok(binary(cx, &out)),
        Err(WRONG_TAG) => Err(fail_in(cx, "Cipher", "AuthTagError", WRONG_TAG)),
        Err(message) => Err(error(cx, message)),
    }
}

/// `name → string`: the name of the algorithm and its mode, for instance "AES-128-CBC".
fn name(cx: &mut Cx, args: Args) -> R {
    let name = of(cx, args.me())?.cipher.name;
    Ok(make::text(cx, name))
}

/// `key=(key) → key`: sets the key and starts a new message. ArgumentError unless it has `key_len` bytes.
fn set_key(cx: &mut Cx, args: Args) -> R {
    let key = args.str(cx, 0)?;
    let state = of(cx, args.me())?;
    if key.len() != state.cipher.key {
        let length = state.cipher.key;
        return Err(cx.argument_error(&format!("key must be {length} bytes")));
    }
    state.key = Some(key.to_vector());
    state.key_given = true;
    state.rewind();
    Ok(args.at(0))
}

/// `iv=(iv) → iv`: sets the initialisation vector and starts a new message. ArgumentError unless it has `iv_len` bytes.
fn set_iv(cx: &mut Cx, args: Args) -> R {
    let iv = args.str(cx, 0)?;
    let state = of(cx, args.me())?;
    if iv.len() != state.iv_length {
        let length = state.iv_length;
        return Err(cx.argument_error(&format!("iv must be {length} bytes")));
    }
    state.iv = Some(iv.to_vector());
    state.rewind();
    Ok(args.at(0))
}

/// `pkcs5_keyivgen(password, salt = nil, iterations = 2048, digest = "MD5") → nil`: sets key and initialisation vector
/// from a password, as the `openssl` command does. CipherError unless the salt has 8 bytes.
fn derive_key(cx: &mut Cx, args: Args) -> R {
    let password = args.str(cx, 0)?;
    let mut seed = password.to_vector();
    if let Some(salt) = args.non_nil(1) {
        let salt = convert::to_str(cx, salt)?;
        if salt.len() != 8 {
            return Err(error(cx, "salt must be an 8-octet string"));
        }
        seed.append_slice(salt.bytes(cx));
    }
    let rounds = match args.non_nil(2) {
        Some(rounds) => convert::to_i32(cx, rounds)?,
        None => 2048,
    };
    if rounds <= 0 {
        return Err(cx.argument_error("iterations must be a positive integer"));
    }
    let algorithm = match args.non_nil(3) {
        Some(name) => Some(digest::algorithm(cx, name)?),
        None => algorithms::find("MD5"),
    };
    let Some(algorithm) = algorithm else { return Ok(Value::NIL) };
    let state = of(cx, args.me())?;
    let (key, iv) = (state.cipher.key, state.cipher.iv);
    let mut made = Vec::new();
    let mut block: Vec<u8> = Vec::new();
    while made.len() < key + iv {
        block.append_slice(&seed);
        for _ in 0..rounds {
            let mut digest = (algorithm.start)();
            digest.update(&block);
            block = digest.finalize_reset().into_vec();
        }
        made.append_slice(&block);
    }
    state.iv = Some(made[key..key + iv].to_vector());
    made.truncate(key);
    state.key = Some(made);
    state.key_given = true;
    state.rewind();
    Ok(Value::NIL)
}

/// `auth_data = data`: adds data that the tag protects but that is not encrypted. CipherError for a mode without a tag
/// and after `final`.
fn authenticate(cx: &mut Cx, args: Args) -> R {
    let data = args.str(cx, 0)?.to_vector();
    let state = of(cx, args.me())?;
    if !state.cipher.is_aead() {
        return Err(error(cx, "AEAD not supported by this cipher"));
    }
    let done = !state.finished
        && match state.run() {
            Ok(Running::Aead(engine)) => engine.authenticate(&data),
            _ => false,
        };
    if done {
        Ok(args.at(0))
    } else {
        Err(error(cx, "couldn't set additional authenticated data: cipher operation failed"))
    }
}

fn aead_state<'a>(cx: &'a mut Cx, args: Args, message: &str) -> R<&'a mut State> {
    if !of(cx, args.me())?.cipher.is_aead() {
        return Err(error(cx, message));
    }
    of(cx, args.me())
}

const NO_TAG: &str = "authentication tag not supported by this cipher";

/// `auth_tag(length = nil) → string`: the tag of an encrypted message, after `final`, truncated to `length` bytes.
/// CipherError for a mode without a tag and before `final`.
fn tag(cx: &mut Cx, args: Args) -> R {
    let length = match args.non_nil(0) {
        Some(length) => convert::to_i32(cx, length)?,
        None => 16,
    };
    let state = aead_state(cx, args, NO_TAG)?;
    let tag = match &state.tag {
        Some(tag) if state.encrypting && state.finished => {
            tag.get(..usize::try_from(length).unwrap_or(usize::MAX)).map(<[u8]>::to_vector)
        }
        _ => None,
    };
    match tag {
        Some(tag) if !tag.is_empty() => Ok(binary(cx, &tag)),
        _ => Err(error(cx, "retrieving the authentication tag failed: invalid tag")),
    }
}

/// `auth_tag=(tag) → tag`: sets the tag that decryption checks in `final`. CipherError while encrypting, for a mode
/// without a tag and for a length that is not 1 to 16.
fn set_tag(cx: &mut Cx, args: Args) -> R {
    let tag = args.str(cx, 0)?;
    let state = aead_state(cx, args, NO_TAG)?;
    if state.encrypting {
        return Err(error(cx, "unable to set AEAD tag: invalid tag"));
    }
    if !(1..=16).contains(&tag.len()) {
        return Err(error(cx, "unable to set AEAD tag: failed to get parameter"));
    }
    state.tag = Some(tag.to_vector());
    Ok(args.at(0))
}

/// `auth_tag_len=(length) → length`: CipherError, because only modes that must know the length in advance accept it,
/// and there are none here.
fn set_tag_length(cx: &mut Cx, args: Args) -> R {
    convert::to_i32(cx, args.at(0))?;
    aead_state(cx, args, "AEAD not supported by this cipher")?;
    Err(error(cx, "unable to set authentication tag length: failed to get parameter"))
}

/// `authenticated? → true or false`: whether the mode protects against changes with a tag, as GCM does.
fn is_authenticated(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(of(cx, args.me())?.cipher.is_aead()))
}

/// `iv_len=(length) → length`: sets the number of bytes of the initialisation vector. CipherError unless the mode has a
/// tag and allows that length.
fn set_iv_length(cx: &mut Cx, args: Args) -> R {
    let length = convert::to_i32(cx, args.at(0))?;
    let state = aead_state(cx, args, "cipher does not support AEAD")?;
    let most = if state.cipher.name.ends_with("GCM") { 1..=128 } else { 12..=12 };
    match usize::try_from(length) {
        Ok(length) if most.contains(&length) => {
            state.iv_length = length;
            Ok(args.at(0))
        }
        _ => Err(error(cx, "unable to set IV length: invalid iv length")),
    }
}

/// `key_len=(length) → length`: only accepts the length that the algorithm has; CipherError for any other.
fn set_key_length(cx: &mut Cx, args: Args) -> R {
    let length = convert::to_i32(cx, args.at(0))?;
    let state = of(cx, args.me())?;
    if usize::try_from(length) == Ok(state.cipher.key) {
        return Ok(args.at(0));
    }
    Err(error(cx, "invalid key length"))
}

/// `padding=(padding) → number`: 0 turns the padding of the last block off: the data must then fill whole blocks.
/// Others turn it on.
fn set_padding(cx: &mut Cx, args: Args) -> R {
    let padding = convert::to_i32(cx, args.at(0))?;
    of(cx, args.me())?.padding = padding != 0;
    Ok(args.at(0))
}

/// `ccm_data_len=(length) → length`: accepted and ignored, because no mode here must know the length in advance.
fn set_data_length(cx: &mut Cx, args: Args) -> R {
    convert::to_i32(cx, args.at(0))?;
    of(cx, args.me())?;
    Ok(args.at(0))
}

/// `key_len → integer`: the number of bytes of a key.
fn key_length(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(of(cx, args.me())?.cipher.key as i64))
}

/// `iv_len → integer`: the number of bytes of an initialisation vector.
fn iv_length(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(of(cx, args.me())?.iv_length as i64))
}

/// `block_size → integer`: the number of bytes of a block; 1 for modes that work on single bytes.
fn block_size(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(of(cx, args.me())?.cipher.block_size() as i64))
}

/// `OpenSSL::Cipher.ciphers → array`: the names and aliases of all algorithms and modes in lower case, sorted.
fn ciphers(cx: &mut Cx, _: Args) -> R {
    let mut names: Vec<String> = Vec::new();
    for cipher in CIPHERS {
        names.push(cipher.name.to_ascii_lowercase());
        names.extend(cipher.aliases.iter().map(|alias| alias.replace("-gcm", "-GCM")));
    }
    names.sort();
    let list = make::array(cx, &[]);
    for name in names {
        let name = make::text(cx, &name);
        make::push(cx, list, name);
    }
    Ok(list)
}
