//! Marshal.load. Children: `source` (bytes from a String or a stream), `objects` (the types of the format), `modules`
//! (classes, extended objects), `custom` (objects that load themselves), `variables` (instance variables and
//! encodings).

mod custom;
mod modules;
mod objects;
mod source;
mod variables;

use abi::{Type, Value};
use object::{array::Arr, cell, class, hash, string::Str, symbol::table::intern_text};
use runtime::{Args, Cx, R, call, convert, error::OrRaise, keys, make, sym, warning};
use text::encoding::EncodingId;

use super::{
    dump::io_needed,
    format::{self, MAJOR, MINOR},
};
use crate::object::copy;
use source::Source;

/// A load in progress. It is on the native stack, where the collector finds its tables.
struct Loader {
    source: Source,
    /// Names of the symbols read so far: Strings.
    symbols: Value,
    /// The objects read so far; undef for one that has a number, but is not created yet.
    objects: Value,
    /// Incomplete objects: neither frozen nor passed to the proc.
    partial: Value,
    /// The proc that is called with each object, or nil.
    proc: Value,
    freeze: bool,
}

/// What surrounds an object's data: its reader needs this.
#[derive(Clone, Copy)]
struct Context {
    /// Whether more data of the object follows.
    partial: bool,
    /// Modules to extend the object with: an Array, or nil.
    modules: Value,
}

impl Context {
    const NOTHING: Context = Context { partial: false, modules: Value::NIL };
}

/// `Marshal.load(source, proc = nil, freeze: false) → object`: reads the output of `dump`; each object is replaced by
/// the result of calling the Proc with it. ArgumentError for truncated data and unknown classes, TypeError for another
/// version. Alias: `restore`.
pub fn load(cx: &mut Cx, args: Args) -> R {
    keys::only_keywords(cx, args.keywords(), &[sym::FREEZE])?;
    let freeze = keys::keyword(cx, args.keywords(), sym::FREEZE).or(Value::NIL).truthy();
    let source = source_of(cx, args.at(0))?;
    let mut loader = Loader {
        source,
        symbols: make::array(cx, &[]),
        objects: make::array(cx, &[]),
        partial: hash::new_identity(cx),
        proc: args.opt(1).unwrap_or(Value::NIL),
        freeze,
    };
    loader.check_version(cx)?;
    loader.object(cx)
}

fn source_of(cx: &mut Cx, v: Value) -> R<Source> {
    if let Some(s) = convert::try_str(cx, v)? {
        return Ok(Source::of_string(s.value()));
    }
    let [getbyte, read, binmode] = ["getbyte", "read", "binmode"].map(|name| intern_text(cx, name));
    if !call::responds(cx, v, getbyte, false)? || !call::responds(cx, v, read, false)? {
        return Err(io_needed(cx));
    }
    call::send_if_responds(cx, v, binmode, &[])?;
    Ok(Source::of_stream(v))
}

impl Loader {
    fn check_version(&mut self, cx: &mut Cx) -> R<()> {
        let (major, minor) = (self.source.byte(cx)?, self.source.byte(cx)?);
        let versions = format!("\tformat version {MAJOR}.{MINOR} required; {major}.{minor} given");
        if major != MAJOR || minor > MINOR {
            return Err(cx.type_error(&format!("incompatible marshal file format (can't be read)\n{versions}")));
        }
        if minor != MINOR {
            let verbose = intern_text(cx, "$VERBOSE");
            if cx.global_get(verbose)?.truthy() {
                warning::warn_here(cx, &format!("incompatible marshal file format (can be read)\n{versions}"))?;
            }
        }
        Ok(())
    }

    fn object(&mut self, cx: &mut Cx) -> R {
        let kind = self.source.byte(cx)?;
        self.object_of(cx, kind, Context::NOTHING)
    }

    // Numbers of objects

    /// The number of the next object to be read.
    fn reserve(&mut self, cx: &mut Cx) -> usize {
        make::push(cx, self.objects, Value::UNDEF);
        Arr::of(self.objects).len() - 1
    }

    fn enter(&mut self, cx: &mut Cx, v: Value) {
        let number = self.reserve(cx);
        self.enter_at(cx, number, v);
    }

    fn enter_at(&mut self, cx: &mut Cx, number: usize, v: Value) {
        // In range of the Array: numbers come from `reserve`.
        let _ = Arr::of(self.objects).set(cx, number, v);
        if self.keeps_partial() {
            hash::identity_store(cx, self.partial, v, Value::TRUE);
        }
    }

    /// Whether incomplete objects are recorded: only for a proc or `freeze`.
    fn keeps_partial(&self) -> bool {
        self.freeze || !self.proc.is_nil()
    }

    fn link(&mut self, cx: &mut Cx) -> R {
        let number = self.source.long(cx)?;
        let found = usize::try_from(number).ok().and_then(|number| Arr::of(self.objects).get(number));
        let v = match found {
            None => return Err(cx.argument_error("dump format error (unlinked)")),
            Some(v) if v.is_undef() => return Err(cx.argument_error("dump format error (bad link)")),
            Some(v) => v,
        };
        if !self.keeps_partial() || !hash::identity_get(self.partial, v).is_undef() {
            return Ok(v);
        }
        let v = if self.freeze && cell::is(v, Type::String) { self.frozen(cx, v)? } else { v };
        self.give(cx, v)
    }

    // Completing objects

    /// Freezes a complete object if requested and passes it to the proc, unless more of its data follows.
    fn leave(&mut self, cx: &mut Cx, v: Value, context: Context) -> R {
        if context.partial || !self.keeps_partial() {
            return Ok(v);
        }
        hash::identity_delete(cx, self.partial, v);
        self.leave_partial(cx, v, context)
    }

    /// `leave` for objects that load themselves, which are passed to the proc only once: references to them count as
    /// incomplete.
    fn leave_partial(&mut self, cx: &mut Cx, v: Value, context: Context) -> R {
        if context.partial || !self.keeps_partial() {
            return Ok(v);
        }
        let v = if self.freeze { self.frozen(cx, v)? } else { v };
        self.give(cx, v)
    }

    /// Freezes the object without calling a program's `freeze`; modules are not frozen, plain Strings are replaced by
    /// those of the table of literals.
    fn frozen(&mut self, cx: &mut Cx, v: Value) -> R {
        if !v.is_heap() || class::is_module(v) {
            return Ok(v);
        }
        if cell::is(v, Type::String)
            && class::class_of(cx, v) == cx.class(object::Known::String)
            && object::shape::ivars::names(cx, v).is_empty()
        {
            return Ok(object::string::intern::intern_string(cx, Str::of(v)).or_raise(cx)?.value());
        }
        copy::freeze_object(cx, v);
        Ok(v)
    }

    /// The result of the proc for the object; the object itself without a proc.
    fn give(&mut self, cx: &mut Cx, v: Value) -> R {
        if self.proc.is_nil() {
            return Ok(v);
        }
        let call = intern_text(cx, "call");
        call::send(cx, self.proc, call, &[v])
    }

    // Symbols: their names stay Strings until a Symbol is needed

    /// A symbol's name.
    fn symbol(&mut self, cx: &mut Cx) -> R {
        let mut kind = self.source.byte(cx)?;
        let mut with_encoding = false;
        while kind == format::VARIABLES {
            with_encoding = true;
            kind = self.source.byte(cx)?;
        }
        match kind {
            format::SYMBOL => self.new_symbol(cx, with_encoding),
            format::SYMBOL_LINK if with_encoding => Err(cx.argument_error("dump format error (symlink with encoding)")),
            format::SYMBOL_LINK => self.symbol_link(cx),
            _ => Err(cx.argument_error(&format!("dump format error for symbol(0x{kind:x})"))),
        }
    }

    fn symbol_link(&mut self, cx: &mut Cx) -> R {
        let number = self.source.long(cx)?;
        match usize::try_from(number).ok().and_then(|number| Arr::of(self.symbols).get(number)) {
            Some(name) => Ok(name),
            None => Err(cx.argument_error("bad symbol")),
        }
    }

    fn new_symbol(&mut self, cx: &mut Cx, with_encoding: bool) -> R {
        let name = self.source.bytes(cx)?;
        let ascii = name.is_ascii();
        let encoding = if ascii { EncodingId::US_ASCII } else { EncodingId::BINARY };
        let name = make::string(cx, &name, encoding);
        make::push(cx, self.symbols, name);
        if !with_encoding {
            return Ok(name);
        }
        let mut found = None;
        let count = self.source.long(cx)?;
        for _ in 0..count {
            let key = self.symbol(cx)?;
            let value = self.object(cx)?;
            found = variables::encoding_in(cx, key, value)?;
        }
        if let Some(encoding) = found.filter(|encoding| *encoding != EncodingId::BINARY) {
            Str::of(name).set_encoding(encoding);
            if Str::of(name).code_range() == text::CodeRange::Broken {
                let shown = call::inspect_text(cx, name)?;
                return Err(cx.argument_error(&format!("invalid byte sequence in {}: {shown}", encoding.name())));
            }
        }
        Ok(name)
    }

    /// The Symbol for a name.
    fn interned(&mut self, cx: &mut Cx, name: Value) -> object::Sym {
        let name = Str::of(name);
        object::symbol::table::intern_string(cx, name, convert::symbol_encoding(name))
    }
}
