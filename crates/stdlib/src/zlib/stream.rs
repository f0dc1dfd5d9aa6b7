//! Deflate and Inflate: a stream with buffers of pending input and output.

use memory::Grow;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

use heap::Trace;
use object::native::{self, NativeData};
use runtime::{
    Args, Cx, Method, R, Unwind, Value,
    concurrency::{offload, thread::pass_if_contended},
    convert, library, make,
};
use text::EncodingId;
use zlib_rs::{Deflate, DeflateConfig, DeflateFlush, Inflate, InflateError, InflateFlush, Status, Strategy};

pub const METHODS: &[Method] = &[
    Method::new("avail_in", avail_in),
    Method::new("avail_out", avail_out),
    Method::new("avail_out=(size)", set_avail_out),
    Method::new("total_in", total_in),
    Method::new("total_out", total_out),
    Method::new("data_type", data_type),
    Method::new("adler", adler),
    Method::new("finished?", is_finished),
    Method::new("stream_end?", is_finished),
    Method::new("closed?", is_closed),
    Method::new("ended?", is_closed),
    Method::new("close", close),
    Method::new("end", close),
    Method::new("reset", reset),
    Method::new("flush_next_in", flush_next_in),
    Method::new("set_dictionary(dictionary)", set_dictionary),
    Method::new("__run(input, flush)", run).private(),
    Method::new("__take(size)", take).private(),
    Method::new("__give(bytes)", give).private(),
];
pub const SINGLETON: &[Method] = &[Method::new("allocate", no_allocator)];
pub const DEFLATE: &[Method] = &[
    Method::new("initialize(level = nil, window_bits = nil, memory_level = nil, strategy = nil)", start_deflate)
        .private(),
    Method::new("__params(level, strategy)", params).private(),
];
pub const DEFLATE_SINGLETON: &[Method] = &[Method::new("allocate", allocate)];
pub const INFLATE: &[Method] = &[
    Method::new("__start(window_bits)", start_inflate).private(),
    Method::new("sync(string)", sync),
    Method::new("sync_point?", is_sync_point),
];
pub const INFLATE_SINGLETON: &[Method] = &[Method::new("allocate", allocate)];

/// The number of output bytes produced at a time.
const CHUNK: usize = 16_384;
/// For short inputs.
const LEAST_CHUNK: usize = 256;

pub(super) enum Engine {
    /// Before `initialize`, or closed.
    None,
    Deflate(Box<Deflate>, DeflateConfig),
    Inflate(Box<Inflate>, i32),
    /// A decompressor at the end of its stream, which gave its memory to the next one.
    Inflated {
        window_bits: i32,
        taken: u64,
        given: u64,
    },
}

#[derive(Trace)]
pub(super) struct Stream {
    #[trace(skip)]
    engine: Engine,
    pub input: Vec<u8>,
    pub output: Vec<u8>,
    /// The output space requested by the program.
    room: usize,
    /// The checksum of the text so far; it identifies a dictionary.
    adler: u32,
    #[trace(skip)]
    sum: Sum,
    pub finished: bool,
    closed: bool,
    /// Whether its level was changed during compression.
    changed: bool,
}

/// The checksum that the stream's wrapper has.
#[derive(Clone, Copy, PartialEq)]
enum Sum {
    /// None: a raw stream.
    None,
    Adler,
    Crc,
    /// That of zlib or gzip, which the first byte tells.
    Unknown,
}

impl Sum {
    /// By the number that says the size of the window and the wrapper.
    fn of(window_bits: i32) -> Sum {
        match window_bits {
            ..0 => Sum::None,
            0..=15 => Sum::Adler,
            16..=31 => Sum::Crc,
            _ => Sum::Unknown,
        }
    }

    fn update(self, sum: u32, text: &[u8]) -> u32 {
        match self {
            Sum::None | Sum::Unknown => sum,
            Sum::Adler => zlib_rs::adler32::adler32(sum, text),
            Sum::Crc => super::checksum::crc_of(sum, text),
        }
    }
}

impl NativeData for Stream {
    object::one_vtable!(Stream);

    fn memsize(&self) -> usize {
        self.input.capacity() + self.output.capacity() + (1 << 18)
    }
}

/// `allocate → stream`: a stream that `initialize` has to start.
fn allocate(cx: &mut Cx, args: Args) -> R {
    Ok(native::new(cx, args.me(), Box::new(Stream::new(Engine::None))))
}

fn of<'a>(cx: &'a mut Cx, args: Args) -> R<&'a mut Stream> {
    let is_ready = |stream: &Stream| !stream.closed && !matches!(stream.engine, Engine::None);
    native::get_mut_where(cx, args.me(), is_ready, |cx| fail(cx, "Error", "stream is not ready"))
}

/// One of Zlib's errors.
fn fail(cx: &mut Cx, class: &str, message: &str) -> Unwind {
    let message = make::text(cx, message);
    library::raise(cx, &["Zlib", class], &[message])
}

fn number(cx: &mut Cx, v: Option<Value>, otherwise: i32) -> R<i32> {
    match v {
        Some(v) => convert::to_i32(cx, v),
        None => Ok(otherwise),
    }
}

fn strategy(number: i32) -> Option<Strategy> {
    Some(match number {
        0 => Strategy::Default,
        1 => Strategy::Filtered,
        2 => Strategy::HuffmanOnly,
        3 => Strategy::Rle,
        4 => Strategy::Fixed,
        _ => return None,
    })
}

/// `Zlib::Deflate.new(level, window_bits, memory_level, strategy)`, each with zlib's default: `window_bits` from 8 to
/// 15 mean a zlib stream, negative ones a raw one, plus 16 a gzip file. StreamError for numbers out of range.
fn start_deflate(cx: &mut Cx, args: Args) -> R {
    let level = number(cx, args.non_nil(0), -1)?;
    let window_bits = number(cx, args.non_nil(1), 15)?;
    let mem_level = number(cx, args.non_nil(2), 8)?;
    let strategy = strategy(number(cx, args.non_nil(3), 0)?);
    let window_fits = matches!(window_bits.abs(), 9..=15) || window_bits == 8 || matches!(window_bits, 25..=31);
    let (true, true, true, Some(strategy)) =
        ((-1..=9).contains(&level), window_fits, (1..=9).contains(&mem_level), strategy)
    else {
        return Err(fail(cx, "StreamError", "stream error"));
    };
    let config = DeflateConfig { level, window_bits, mem_level, strategy, ..DeflateConfig::default() };
    let engine = new_deflate(cx, config);
    if let Some(stream) = native::get_mut::<Stream>(cx, args.me()) {
        stream.engine = engine;
        stream.begin_sum();
    }
    Ok(args.me())
}

thread_local! {
    /// The most recently closed compressor, for reuse. Allocating and freeing its quarter of a megabyte takes longer
    /// than compressing short texts.
    static SPARE_DEFLATE: RefCell<Option<(Box<Deflate>, DeflateConfig)>> = const { RefCell::new(None) };
    /// The decompressor that finished or was closed last.
    static SPARE_INFLATE: RefCell<Option<Box<Inflate>>> = const { RefCell::new(None) };
}

pub(super) fn new_deflate(cx: &mut Cx, config: DeflateConfig) -> Engine {
    let deflate = match SPARE_DEFLATE.with_borrow_mut(|spare| spare.take_if(|(_, had)| *had == config)) {
        Some((mut deflate, _)) => {
            deflate.reset();
            deflate
        }
        None => {
            memory::expect(ENGINE_BYTES);
            // A stream that is never closed holds them until it is collected.
            cx.holds_outside(DEFLATE_BYTES);
            Box::new(Deflate::new_with_config(config))
        }
    };
    Engine::Deflate(deflate, config)
}

/// More than what the library allocates for a stream; without it, it panics.
const ENGINE_BYTES: usize = 1 << 19;

/// About what a compressor allocates.
const DEFLATE_BYTES: usize = 1 << 18;
/// About what a decompressor allocates.
const INFLATE_BYTES: usize = 48 << 10;

pub(super) fn new_inflate(cx: &mut Cx, window_bits: i32) -> Engine {
    // A decompressor is reset to this window only.
    let spare = if window_bits.abs() == WINDOW_BITS { SPARE_INFLATE.take() } else { None };
    let inflate = match spare {
        Some(mut inflate) => {
            inflate.reset(window_bits > 0);
            inflate
        }
        None => {
            memory::expect(ENGINE_BYTES);
            cx.holds_outside(INFLATE_BYTES);
            Box::new(Inflate::new(window_bits >= 0, window_bits.unsigned_abs() as u8))
        }
    };
    Engine::Inflate(inflate, window_bits)
}

/// Those of most streams: a window of 32 kB.
pub(super) const WINDOW_BITS: i32 = 15;

/// `__start(window_bits) → self`: decompresses: from 8 to 15 a zlib stream, negative a raw one, plus 16 a gzip file,
/// plus 32 either zlib or gzip. StreamError for other numbers. RFC 1950, 1951, 1952.
fn start_inflate(cx: &mut Cx, args: Args) -> R {
    let window_bits = number(cx, args.non_nil(0), 15)?;
    let fits = matches!(window_bits.abs(), 8..=15) || matches!(window_bits, 0 | 24..=31 | 32 | 40..=47);
    if !fits {
        return Err(fail(cx, "StreamError", "invalid window bits"));
    }
    let engine = new_inflate(cx, window_bits);
    if let Some(stream) = native::get_mut::<Stream>(cx, args.me()) {
        stream.engine = engine;
        stream.begin_sum();
    }
    Ok(args.me())
}

/// Why a stream stops.
pub(super) enum Stop {
    NeedDictionary(u32),
    Data(&'static str),
    Stream,
    Memory,
    Buffer,
}

impl Stream {
    pub fn new(engine: Engine) -> Stream {
        Stream {
            engine,
            input: Vec::new(),
            output: Vec::new(),
            room: 0,
            adler: 1,
            sum: Sum::None,
            finished: false,
            closed: false,
            changed: false,
        }
    }

    fn take(&mut self) -> Stream {
        Stream {
            engine: std::mem::replace(&mut self.engine, Engine::None),
            input: std::mem::take(&mut self.input),
            output: std::mem::take(&mut self.output),
            ..*self
        }
    }

    /// Sets the checksum of an empty text.
    fn begin_sum(&mut self) {
        (self.sum, self.adler) = match &self.engine {
            Engine::Deflate(_, config) => (Sum::of(config.window_bits), 1),
            Engine::Inflate(_, window_bits) | Engine::Inflated { window_bits, .. } => match *window_bits {
                ..0 => (Sum::None, 0),
                window_bits => (Sum::of(window_bits), 1),
            },
            Engine::None => (Sum::None, 1),
        };
        if self.sum == Sum::Crc {
            self.adler = 0;
        }
    }

    /// Ends the use of the engine; the next stream of its kind gets it.
    pub fn release(&mut self) {
        match std::mem::replace(&mut self.engine, Engine::None) {
            Engine::Deflate(deflate, config) if !self.changed => SPARE_DEFLATE.set(Some((deflate, config))),
            Engine::Inflate(inflate, window_bits) if window_bits.abs() == WINDOW_BITS => {
                SPARE_INFLATE.set(Some(inflate));
            }
            _ => {}
        }
    }

    /// At the end of a stream a decompressor is not needed any more, and many streams are never closed.
    fn release_inflate(&mut self) {
        if let Engine::Inflate(inflate, window_bits) = &self.engine {
            let (taken, given, window_bits) = (inflate.total_in(), inflate.total_out(), *window_bits);
            self.release();
            self.engine = Engine::Inflated { window_bits, taken, given };
        }
    }

    /// Processes pending input as far as possible.
    pub fn run(&mut self, flush: i64) -> Result<(), Stop> {
        if self.sum == Sum::Unknown
            && let Some(first) = self.input.first()
        {
            (self.sum, self.adler) = if *first == 0x1f { (Sum::Crc, 0) } else { (Sum::Adler, 1) };
        }
        // Clearing room for a whole chunk takes longer than compressing a short text.
        let mut room = (2 * self.input.len()).clamp(LEAST_CHUNK, CHUNK);
        let mut done = 0;
        let outcome = loop {
            if self.finished {
                break Ok(());
            }
            let (input, at) = (&self.input[done..], self.output.len());
            self.output.set_length(at + room, 0);
            let free = &mut self.output[at..];
            let step = match &mut self.engine {
                Engine::Deflate(deflate, _) => compress(deflate, input, free, flush),
                Engine::Inflate(inflate, _) => expand(inflate, input, free, flush),
                Engine::Inflated { .. } | Engine::None => Err(Stop::Stream),
            };
            let (taken, given, ended) = match step {
                Ok(step) => step,
                Err(stop) => {
                    self.output.truncate(at);
                    break Err(stop);
                }
            };
            self.output.truncate(at + given);
            let text = match &self.engine {
                Engine::Deflate(..) => &input[..taken],
                _ => &self.output[at..],
            };
            self.adler = self.sum.update(self.adler, text);
            done += taken;
            self.finished = ended;
            let is_full = given == room;
            if taken == 0 && given == 0 {
                // At the end of a text the stream must have ended, too.
                break if flush == FINISH && !ended { Err(Stop::Buffer) } else { Ok(()) };
            }
            if flush != FINISH && done == self.input.len() && !is_full {
                break Ok(());
            }
            if is_full {
                room = (4 * room).min(CHUNK);
            }
        };
        self.input.drain(..done);
        if self.finished {
            self.release_inflate();
        }
        outcome
    }
}

pub(super) const FINISH: i64 = 4;

/// The numbers of bytes consumed and produced, and whether the stream ended.
type Step = Result<(usize, usize, bool), Stop>;

fn compress(deflate: &mut Deflate, input: &[u8], chunk: &mut [u8], flush: i64) -> Step {
    let flush = match flush {
        0 => DeflateFlush::NoFlush,
        1 => DeflateFlush::PartialFlush,
        2 => DeflateFlush::SyncFlush,
        3 => DeflateFlush::FullFlush,
        FINISH => DeflateFlush::Finish,
        5 => DeflateFlush::Block,
        _ => return Err(Stop::Stream),
    };
    let (before_in, before_out) = (deflate.total_in(), deflate.total_out());
    match deflate.compress(input, chunk, flush) {
        Ok(status) => Ok((
            (deflate.total_in() - before_in) as usize,
            (deflate.total_out() - before_out) as usize,
            status == Status::StreamEnd,
        )),
        Err(_) => Err(Stop::Stream),
    }
}

fn expand(inflate: &mut Inflate, input: &[u8], chunk: &mut [u8], flush: i64) -> Step {
    let (before_in, before_out) = (inflate.total_in(), inflate.total_out());
    let flush = if flush == FINISH { InflateFlush::Finish } else { InflateFlush::SyncFlush };
    match inflate.decompress(input, chunk, flush) {
        Ok(status) => Ok((
            (inflate.total_in() - before_in) as usize,
            (inflate.total_out() - before_out) as usize,
            status == Status::StreamEnd,
        )),
        Err(InflateError::NeedDict { dict_id }) => Err(Stop::NeedDictionary(dict_id)),
        Err(InflateError::DataError) => Err(Stop::Data(inflate.error_message().unwrap_or("data error"))),
        Err(InflateError::StreamError) => Err(Stop::Stream),
        Err(InflateError::MemError) => Err(Stop::Memory),
    }
}

/// `__run(input, flush) → nil or array`: processes input; the output waits for `__take`. An Array with the dictionary's
/// checksum if the stream needs one. DataError, StreamError, MemError or BufError.
fn run(cx: &mut Cx, args: Args) -> R {
    let input = args.at(0);
    let flush = convert::to_i64(cx, args.at(1))?;
    let input = if input.is_nil() { None } else { Some(convert::to_str(cx, input)?) };
    of(cx, args)?;
    if let Some(input) = input {
        native::with_bytes::<Stream, _>(cx, args.me(), input, |stream, bytes| stream.input.append_slice(bytes));
    }
    let stream = of(cx, args)?;
    // The header is read with the first bytes: the number of bytes that a failed step consumed must be known.
    let before = total(&stream.engine).0;
    let waiting = stream.input.len();
    let is_offloaded = offload::is_wanted(cx)?;
    let stream = of(cx, args)?;
    let outcome = if waiting > CHUNK || is_offloaded {
        // Other threads may run meanwhile: for them the stream is busy.
        let place = Arc::new(Mutex::new(stream.take()));
        let own = Arc::clone(&place);
        let outcome = offload::run(cx, move || own.lock().unwrap_or_else(PoisonError::into_inner).run(flush));
        // A hook that raised may have left it to a thread, which is still busy with it.
        if let Ok(mut taken) = place.try_lock()
            && let Some(stream) = native::get_mut::<Stream>(cx, args.me())
        {
            *stream = taken.take();
        }
        outcome?
    } else {
        let outcome = stream.run(flush);
        // A loop of many short steps lets other threads run.
        pass_if_contended(cx);
        outcome
    };
    let stream = of(cx, args)?;
    let Err(stop) = outcome else { return Ok(Value::NIL) };
    match stop {
        Stop::NeedDictionary(id) => {
            let taken = (total(&stream.engine).0 - before) as usize;
            let done = waiting - stream.input.len();
            let more = taken.saturating_sub(done).min(stream.input.len());
            stream.input.drain(..more);
            stream.adler = id;
            Ok(make::array(cx, &[Value::fixnum(id.into())]))
        }
        Stop::Data(message) => Err(fail(cx, "DataError", message)),
        Stop::Stream => Err(fail(cx, "StreamError", "stream error")),
        Stop::Memory => Err(fail(cx, "MemError", "insufficient memory")),
        Stop::Buffer => Err(fail(cx, "BufError", "buffer error")),
    }
}

/// `__take(size)`: up to `size` bytes of the output, all for nil.
fn take(cx: &mut Cx, args: Args) -> R {
    let size = match args.non_nil(0) {
        Some(size) => convert::to_i64(cx, size)? as usize,
        None => usize::MAX,
    };
    let stream = of(cx, args)?;
    let mut bytes = std::mem::take(&mut stream.output);
    if size < bytes.len() {
        stream.output.append_slice(&bytes[size..]);
        bytes.truncate(size);
    }
    let made = make::string(cx, &bytes, EncodingId::BINARY);
    // The next short output needs no new memory.
    if bytes.capacity() <= CHUNK
        && let Some(stream) = native::get_mut::<Stream>(cx, args.me())
        && stream.output.is_empty()
    {
        bytes.clear();
        stream.output = bytes;
    }
    Ok(made)
}

/// `__give(bytes) → nil`: appends bytes to the output, for the Ruby half.
fn give(cx: &mut Cx, args: Args) -> R {
    let bytes = args.str(cx, 0)?;
    of(cx, args)?;
    native::with_bytes::<Stream, _>(cx, args.me(), bytes, |stream, bytes| stream.output.append_slice(bytes));
    Ok(Value::NIL)
}

/// `allocate`: TypeError, as only Deflate and Inflate have instances.
pub fn no_allocator(cx: &mut Cx, _: Args) -> R {
    Err(cx.type_error("allocator undefined for Zlib::ZStream"))
}

fn total(engine: &Engine) -> (u64, u64) {
    match engine {
        Engine::Deflate(deflate, _) => (deflate.total_in(), deflate.total_out()),
        Engine::Inflate(inflate, _) => (inflate.total_in(), inflate.total_out()),
        Engine::Inflated { taken, given, .. } => (*taken, *given),
        Engine::None => (0, 0),
    }
}

/// `__params(level, strategy) → nil`: the level from now on, and the strategy of the next stream. StreamError for
/// numbers out of range.
fn params(cx: &mut Cx, args: Args) -> R {
    let level = convert::to_i32(cx, args.at(0))?;
    let number = convert::to_i32(cx, args.at(1))?;
    let (true, Some(strategy)) = ((-1..=9).contains(&level), strategy(number)) else {
        return Err(fail(cx, "StreamError", "stream error"));
    };
    let stream = of(cx, args)?;
    let Engine::Deflate(deflate, config) = &mut stream.engine else { return Ok(Value::NIL) };
    stream.changed = true;
    config.level = level;
    // The library can change the level of a running stream, but not its strategy: that affects the next stream.
    config.strategy = strategy;
    // If the library has to write out a block first, it finds no output space and keeps its level: the stream stays
    // valid.
    let _ = deflate.set_level(level);
    Ok(Value::NIL)
}

/// `set_dictionary(dictionary) → dictionary`: bytes that the data is expected to repeat; both sides must set the same.
/// StreamError at the wrong time, DataError for a different one.
fn set_dictionary(cx: &mut Cx, args: Args) -> R {
    let dictionary = args.str(cx, 0)?;
    let text = dictionary.to_vector();
    let bytes = &text[..];
    let stream = of(cx, args)?;
    let outcome = match &mut stream.engine {
        Engine::Deflate(deflate, _) => deflate.set_dictionary(bytes).map_err(|_| ("StreamError", "stream error")),
        Engine::Inflate(inflate, _) => inflate.set_dictionary(bytes).map_err(|error| match error {
            InflateError::DataError => ("DataError", "data error"),
            _ => ("StreamError", "stream error"),
        }),
        // A raw stream takes a dictionary at any time.
        Engine::Inflated { window_bits: ..0, .. } => Ok(0),
        Engine::Inflated { .. } | Engine::None => Err(("StreamError", "stream error")),
    };
    match outcome {
        Ok(_) => {
            stream.adler = 1;
            Ok(dictionary.value())
        }
        Err((class, message)) => Err(fail(cx, class, message)),
    }
}

/// `sync(string) → true or false`: skips input up to the next full flush, after which a stream can be resumed; false if
/// it is not found.
fn sync(cx: &mut Cx, args: Args) -> R {
    let string = args.str(cx, 0)?.to_vector();
    let stream = of(cx, args)?;
    stream.input.append_slice(&string);
    let found = stream.input.windows(4).position(|bytes| bytes == [0, 0, 0xff, 0xff]);
    let end = found.map_or(stream.input.len(), |at| at + 4);
    stream.input.drain(..end);
    if found.is_some() {
        // A new block follows a full flush: the remaining input is read as a raw stream.
        let engine = new_inflate(cx, -WINDOW_BITS);
        let stream = of(cx, args)?;
        stream.engine = engine;
        stream.sum = Sum::None;
        stream.finished = false;
    }
    Ok(Value::bool(found.is_some()))
}

/// `sync_point? → false`: the decompressor does not report whether it is at the mark of a full flush.
fn is_sync_point(cx: &mut Cx, args: Args) -> R {
    of(cx, args)?;
    Ok(Value::FALSE)
}

/// `avail_in → integer`: the number of bytes waiting to be processed.
fn avail_in(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(of(cx, args)?.input.len() as i64))
}

/// `avail_out → integer`: the value set with `avail_out=`.
fn avail_out(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(of(cx, args)?.room as i64))
}

/// `avail_out=(size) → size`: kept for programs that set it; the output buffer grows on demand.
fn set_avail_out(cx: &mut Cx, args: Args) -> R {
    let size = convert::to_i64(cx, args.at(0))?;
    of(cx, args)?.room = size.max(0) as usize;
    Ok(args.at(0))
}

/// `total_in → integer`: the number of bytes that have been processed.
fn total_in(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(total(&of(cx, args)?.engine).0 as i64))
}

/// `total_out → integer`: the number of bytes that have been produced.
fn total_out(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(total(&of(cx, args)?.engine).1 as i64))
}

/// `data_type → integer`: always UNKNOWN, as nothing inspects the data.
fn data_type(cx: &mut Cx, args: Args) -> R {
    of(cx, args)?;
    Ok(Value::fixnum(2))
}

/// `adler → integer`: the checksum of the uncompressed data.
fn adler(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(of(cx, args)?.adler.into()))
}

/// `finished?`, `stream_end? → true or false`: whether the end of the stream has been reached.
fn is_finished(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(of(cx, args)?.finished))
}

/// `closed?`, `ended? → true or false`: whether `close` was called.
fn is_closed(cx: &mut Cx, args: Args) -> R {
    match native::get_mut::<Stream>(cx, args.me()) {
        Some(stream) => Ok(Value::bool(stream.closed)),
        None => Ok(Value::TRUE),
    }
}

/// `close`, `end → nil`: frees the memory of the stream; after that other methods raise Zlib::Error.
fn close(cx: &mut Cx, args: Args) -> R {
    let stream = of(cx, args)?;
    stream.closed = true;
    stream.release();
    stream.input = Vec::new();
    stream.output = Vec::new();
    Ok(Value::NIL)
}

/// `reset → nil`: begins a new stream with the same settings and drops pending data.
fn reset(cx: &mut Cx, args: Args) -> R {
    let stream = of(cx, args)?;
    match &mut stream.engine {
        Engine::Deflate(deflate, config) => **deflate = Deflate::new_with_config(*config),
        Engine::Inflate(_, window_bits) | Engine::Inflated { window_bits, .. } => {
            let window_bits = *window_bits;
            stream.release();
            let engine = new_inflate(cx, window_bits);
            if let Some(stream) = native::get_mut::<Stream>(cx, args.me()) {
                stream.engine = engine;
            }
        }
        Engine::None => {}
    }
    let stream = of(cx, args)?;
    stream.input.clear();
    stream.output.clear();
    stream.begin_sum();
    stream.finished = false;
    Ok(Value::NIL)
}

/// `flush_next_in → string`: removes and returns the bytes waiting to be processed.
fn flush_next_in(cx: &mut Cx, args: Args) -> R {
    let bytes = std::mem::take(&mut of(cx, args)?.input);
    Ok(make::string(cx, &bytes, EncodingId::BINARY))
}
