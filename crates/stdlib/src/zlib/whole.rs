//! Short texts, compressed or decompressed at once: shortcuts without a stream object. They leave to the Ruby half what
//! is long, has options, or is not valid.

use memory::Grow;
use object::string::Str;
use runtime::{Args, Cx, Method, R, Value, concurrency::scheduler, make};
use text::EncodingId;
use zlib_rs::DeflateConfig;

use super::checksum;
use super::stream::{FINISH, Stream, WINDOW_BITS, new_deflate, new_inflate};

pub const METHODS: &[Method] = &[
    Method::new("deflate(string, level = -1)", deflate).shortcut(),
    Method::new("inflate(string)", inflate).shortcut(),
    Method::new("gzip(string)", gzip).shortcut(),
    Method::new("gunzip(string)", gunzip).shortcut(),
];
pub const DEFLATE: &[Method] = &[Method::new("deflate(string, level = -1)", deflate).shortcut()];
pub const INFLATE: &[Method] = &[Method::new("inflate(string)", inflate).shortcut()];

/// Other threads run while longer texts are processed.
const LONGEST: usize = 16_384;

/// Argument 0, if it is a short String, and no scheduler has the work done elsewhere.
fn short(cx: &mut Cx, args: Args) -> Option<Str> {
    if scheduler::current(cx).is_some() {
        return None;
    }
    Str::from_value(args.at(0)).filter(|string| string.bytes(cx).len() <= LONGEST)
}

/// Runs a stream over all of its input. None if the stream does not end there.
fn run(mut stream: Stream) -> Option<Stream> {
    let outcome = stream.run(FINISH);
    stream.release();
    (outcome.is_ok() && stream.finished).then_some(stream)
}

fn deflated(cx: &mut Cx, string: Str, level: i32, window_bits: i32) -> Option<Stream> {
    let engine = new_deflate(cx, DeflateConfig { level, window_bits, ..DeflateConfig::default() });
    let mut stream = Stream::new(engine);
    stream.input.append_slice(string.bytes(cx));
    run(stream)
}

fn inflated(cx: &mut Cx, string: Str, from: usize, window_bits: i32) -> Option<Stream> {
    let mut stream = Stream::new(new_inflate(cx, window_bits));
    stream.input.append_slice(&string.bytes(cx)[from..]);
    run(stream)
}

fn result(cx: &mut Cx, stream: Option<Stream>) -> R {
    Ok(stream.map_or(Value::UNDEF, |stream| make::string(cx, &stream.output, EncodingId::BINARY)))
}

/// `Zlib.deflate(string, level = DEFAULT_COMPRESSION)`, `Zlib::Deflate.deflate(string, level = DEFAULT_COMPRESSION) →
/// string`: a zlib stream. RFC 1950.
fn deflate(cx: &mut Cx, args: Args) -> R {
    let level = args.opt(1).map_or(Some(-1), |level| level.as_fixnum());
    match (short(cx, args), level) {
        (Some(string), Some(level @ -1..=9)) => {
            let stream = deflated(cx, string, level as i32, WINDOW_BITS);
            result(cx, stream)
        }
        _ => Ok(Value::UNDEF),
    }
}

/// `Zlib.inflate(string)`, `Zlib::Inflate.inflate(string) → string`: the text of a zlib stream. RFC 1950.
fn inflate(cx: &mut Cx, args: Args) -> R {
    let Some(string) = short(cx, args) else { return Ok(Value::UNDEF) };
    let stream = inflated(cx, string, 0, WINDOW_BITS);
    result(cx, stream)
}

/// The first bytes of a gzip file without a name: its magic number, the method, no flags.
const MAGIC: [u8; 4] = [0x1f, 0x8b, 8, 0];
const HEADER: usize = 10;
/// The checksum and the length.
const FOOTER: usize = 8;
const UNIX: u8 = 3;

/// `Zlib.gzip(string, level: nil, strategy: nil) → string`: a gzip file with the present time. RFC 1952.
fn gzip(cx: &mut Cx, args: Args) -> R {
    let Some(string) = short(cx, args) else { return Ok(Value::UNDEF) };
    let Some(stream) = deflated(cx, string, -1, -WINDOW_BITS) else { return Ok(Value::UNDEF) };
    let mut file = Vec::new();
    file.append_slice(&MAGIC);
    file.append_slice(&(host::clock::realtime().seconds as u32).to_le_bytes());
    file.append_slice(&[0, UNIX]);
    file.append_slice(&stream.output);
    let text = string.bytes(cx);
    file.append_slice(&checksum::crc_of(0, text).to_le_bytes());
    file.append_slice(&(text.len() as u32).to_le_bytes());
    Ok(make::string(cx, &file, EncodingId::BINARY))
}

/// `Zlib.gunzip(string) → string`: the text of a gzip file. RFC 1952.
fn gunzip(cx: &mut Cx, args: Args) -> R {
    let Some(string) = short(cx, args).filter(|string| string.bytes(cx).starts_with(&MAGIC)) else {
        return Ok(Value::UNDEF);
    };
    if string.bytes(cx).len() < HEADER {
        return Ok(Value::UNDEF);
    }
    let stream = inflated(cx, string, HEADER, -WINDOW_BITS).filter(is_whole);
    result(cx, stream)
}

/// Whether the footer follows the stream and is that of its text.
fn is_whole(stream: &Stream) -> bool {
    let text = &stream.output;
    let mut footer = [0; FOOTER];
    footer[..4].copy_from_slice(&checksum::crc_of(0, text).to_le_bytes());
    footer[4..].copy_from_slice(&(text.len() as u32).to_le_bytes());
    stream.input.starts_with(&footer)
}
