//! Digest: RustCrypto's algorithms; the shared methods are in Ruby. Child: `text` (digests as text).

mod text;

pub use self::text::hexadecimal;

use ::digest::DynDigest;
use ::text::EncodingId;
use heap::Trace;
use object::{
    Known,
    native::{self, NativeData},
};
use runtime::{Args, Cx, Method, R, Value, define, error, error::ErrorClass, internal, library, make};

const MODULE: &[Method] = &[Method::new("hexencode(string)", hexencode).borrows(0)];
const BASE: &[Method] = &[
    Method::new("initialize_copy(other)", initialize_copy).private(),
    Method::new("reset", reset),
    Method::new("update(string)", update).borrows(0),
    Method::new("<<(string)", update).borrows(0),
    Method::new("finish", finish).private(),
    Method::new("digest_length", digest_length),
    Method::new("block_length", block_length),
];
const BASE_SINGLETON: &[Method] = &[Method::new("allocate", allocate_base)];
// Each class's `allocate`: a digest to which nothing has been added. The number is the size of a block in bytes.
const MD5: &[Method] = &[Method::new("allocate", |cx, args| allocate::<md5::Md5>(cx, args, 64))];
const SHA1: &[Method] = &[Method::new("allocate", |cx, args| allocate::<sha1::Sha1>(cx, args, 64))];
const RMD160: &[Method] = &[Method::new("allocate", |cx, args| allocate::<ripemd::Ripemd160>(cx, args, 64))];
const SHA256: &[Method] = &[Method::new("allocate", |cx, args| allocate::<sha2::Sha256>(cx, args, 64))];
const SHA384: &[Method] = &[Method::new("allocate", |cx, args| allocate::<sha2::Sha384>(cx, args, 128))];
const SHA512: &[Method] = &[Method::new("allocate", |cx, args| allocate::<sha2::Sha512>(cx, args, 128))];
const BUBBLEBABBLE: &[Method] = &[Method::new("__bubblebabble(string)", bubblebabble).private()];

/// An object of a class below Digest::Base.
#[derive(Trace)]
struct Digest {
    #[trace(skip)]
    algorithm: Box<dyn DynDigest>,
    /// The block size of the algorithm in bytes.
    block: usize,
}

impl NativeData for Digest {
    object::one_vtable!(Digest);
}

/// `digest.so`
pub fn define(cx: &mut Cx) -> R<()> {
    let module = module(cx)?;
    define::define_singleton_methods(cx, module, MODULE);
    internal::load(cx, runtime::ruby_half!("digest/digest"))?;
    let object = cx.class(Known::Object);
    let class = library::class(cx, module, "Class", object)?;
    let base = library::class(cx, module, "Base", class)?;
    define::define_methods(cx, base, BASE);
    define::define_singleton_methods(cx, base, BASE_SINGLETON);
    Ok(())
}

pub fn define_md5(cx: &mut Cx) -> R<()> {
    define_algorithms(cx, &[("MD5", MD5)])
}

pub fn define_sha1(cx: &mut Cx) -> R<()> {
    define_algorithms(cx, &[("SHA1", SHA1)])
}

pub fn define_rmd160(cx: &mut Cx) -> R<()> {
    define_algorithms(cx, &[("RMD160", RMD160)])
}

/// `digest/sha2.so`
pub fn define_sha2(cx: &mut Cx) -> R<()> {
    define_algorithms(cx, &[("SHA256", SHA256), ("SHA384", SHA384), ("SHA512", SHA512)])
}

pub fn define_bubblebabble(cx: &mut Cx) -> R<()> {
    crate::require(cx, "digest")?;
    let module = module(cx)?;
    define::define_singleton_methods(cx, module, BUBBLEBABBLE);
    internal::load(cx, runtime::ruby_half!("digest/bubblebabble"))
}

fn module(cx: &mut Cx) -> R {
    library::loaded(cx, &["Digest"])
}

fn define_algorithms(cx: &mut Cx, algorithms: &[(&str, &'static [Method])]) -> R<()> {
    crate::require(cx, "digest")?;
    let module = module(cx)?;
    let base = library::loaded(cx, &["Digest", "Base"])?;
    for (name, methods) in algorithms {
        let class = library::class(cx, module, name, base)?;
        define::define_singleton_methods(cx, class, methods);
    }
    Ok(())
}

fn allocate<D: DynDigest + Default + 'static>(cx: &mut Cx, args: Args, block: usize) -> R {
    Ok(native::new(cx, args.me(), Box::new(Digest { algorithm: Box::new(D::default()), block })))
}

/// `Digest::Base.allocate → digest`: NotImplementedError, as only its subclasses have an algorithm; RuntimeError for
/// other subclasses.
fn allocate_base(cx: &mut Cx, args: Args) -> R {
    if define::class_name(cx, args.me()) == "Digest::Base" {
        return Err(cx.not_implemented("Digest::Base is an abstract class"));
    }
    Err(cx.runtime_error("Digest::Base cannot be directly inherited in Ruby"))
}

fn of(cx: &mut Cx, v: Value) -> R<&mut Digest> {
    native::get_mut_or::<Digest, _, _>(cx, v, |cx| {
        let class = error::class_name_of(cx, v);
        cx.raise(ErrorClass::TypeError, &format!("wrong argument type {class} (expected digest)"))
    })
}

/// `initialize_copy(other) → self`: copies the state of another digest. TypeError for one of another algorithm.
fn initialize_copy(cx: &mut Cx, args: Args) -> R {
    if args.me() == args.at(0) {
        return Ok(args.me());
    }
    let other = of(cx, args.at(0))?;
    let (block, algorithm) = (other.block, other.algorithm.box_clone());
    let me = of(cx, args.me())?;
    if (me.block, me.algorithm.output_size()) != (block, algorithm.output_size()) {
        return Err(cx.type_error("different algorithms"));
    }
    me.algorithm = algorithm;
    Ok(args.me())
}

/// `reset → self`: discards all data added so far.
fn reset(cx: &mut Cx, args: Args) -> R {
    of(cx, args.me())?.algorithm.reset();
    Ok(args.me())
}

/// `update(string)`, `<<(string) → self`: adds the bytes of a string. TypeError unless it is a String or has `to_str`.
fn update(cx: &mut Cx, args: Args) -> R {
    let string = args.str(cx, 0)?;
    of(cx, args.me())?;
    native::with_bytes::<Digest, _>(cx, args.me(), string, |digest, bytes| digest.algorithm.update(bytes));
    Ok(args.me())
}

/// `finish → string`: the digest of all data added so far, BINARY; afterwards the digest starts anew.
fn finish(cx: &mut Cx, args: Args) -> R {
    let value = of(cx, args.me())?.algorithm.finalize_reset();
    Ok(make::string(cx, &value, EncodingId::BINARY))
}

/// `digest_length → integer`: the number of bytes of a digest.
fn digest_length(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(of(cx, args.me())?.algorithm.output_size() as i64))
}

/// `block_length → integer`: the number of bytes of the algorithm's block.
fn block_length(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(of(cx, args.me())?.block as i64))
}

/// `Digest.hexencode(string) → string`: two lowercase hexadecimal digits for each byte.
fn hexencode(cx: &mut Cx, args: Args) -> R {
    let string = args.str(cx, 0)?;
    let digits = text::hexadecimal(string.bytes(cx));
    Ok(make::string(cx, &digits, EncodingId::US_ASCII))
}

/// `__bubblebabble(string) → string`: the bytes as pronounceable words with a checksum, as `ssh-keygen -B` shows
/// fingerprints.
fn bubblebabble(cx: &mut Cx, args: Args) -> R {
    let string = args.str(cx, 0)?;
    let words = text::bubblebabble(string.bytes(cx));
    Ok(make::string(cx, &words, EncodingId::US_ASCII))
}
