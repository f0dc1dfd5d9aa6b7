//! Compiling source from a String or a file, and the options for it.

use abi::{Type, Value};
use object::{Known, cell, class, hash::HashRef, symbol::table::intern_text};
use runtime::{Args, Cx, R, convert, eval, keys, link::Place};

/// CRuby's options with their defaults. Only `frozen_string_literal` has an effect; the others are stored and returned.
const OPTIONS: [(&str, Value); 10] = [
    ("inline_const_cache", Value::TRUE),
    ("peephole_optimization", Value::TRUE),
    ("tailcall_optimization", Value::FALSE),
    ("specialized_instruction", Value::TRUE),
    ("operands_unification", Value::TRUE),
    ("instructions_unification", Value::FALSE),
    ("debug_frozen_string_literal", Value::FALSE),
    ("coverage_enabled", Value::TRUE),
    ("debug_level", Value::fixnum(0)),
    ("frozen_string_literal", Value::NIL),
];

/// The name and the path of a text.
const COMPILED: &str = "<compiled>";

const ROOT: runtime::Root = runtime::Root::InstructionSequenceCompileOption;

/// The default options: a Hash, which is never changed.
fn defaults(cx: &mut Cx) -> R {
    let known = cx.root(ROOT);
    if !known.is_nil() {
        return Ok(known);
    }
    let hash = HashRef::new(cx).value();
    let frozen = cx.vm().options.frozen_string_literal.map_or(Value::NIL, Value::bool);
    for (name, v) in OPTIONS {
        let key = intern_text(cx, name);
        keys::store(cx, hash, key.value(), if name == "frozen_string_literal" { frozen } else { v })?;
    }
    cx.set_root(ROOT, hash);
    Ok(hash)
}

/// The Hash of all options for `given` (a Hash, true, false or nil).
fn options(cx: &mut Cx, given: Value) -> R {
    let defaults = defaults(cx)?;
    if given.is_nil() {
        return Ok(defaults);
    }
    let is_hash = cell::is(given, Type::Hash);
    if !is_hash && given != Value::TRUE && given != Value::FALSE {
        return Err(cx.type_error("Compile option must be Hash/true/false/nil"));
    }
    let hash = HashRef::new(cx).value();
    for (name, usual) in OPTIONS {
        let key = intern_text(cx, name);
        let v = if !is_hash {
            if name == "debug_level" { Value::fixnum(given.truthy() as i64) } else { given }
        } else {
            let own = keys::keyword(cx, Some(given), key);
            if own.is_undef() { keys::keyword(cx, Some(defaults), key).or(usual) } else { own }
        };
        if name == "debug_level" && is_hash {
            convert::to_integer(cx, v)?;
        }
        keys::store(cx, hash, key.value(), v)?;
    }
    Ok(hash)
}

/// `RubyVM::InstructionSequence.compile_option → hash`: the default options of the compiler.
pub fn option(cx: &mut Cx, _: Args) -> R {
    let defaults = defaults(cx)?;
    let copy = HashRef::new(cx).value();
    for (name, _) in OPTIONS {
        let key = intern_text(cx, name);
        let v = keys::keyword(cx, Some(defaults), key);
        keys::store(cx, copy, key.value(), v)?;
    }
    Ok(copy)
}

/// `RubyVM::InstructionSequence.compile_option = hash, true, false or nil`: sets these options, turns all on or off, or
/// restores the defaults. TypeError for anything else.
pub fn set_option(cx: &mut Cx, args: Args) -> R {
    let all = options(cx, args.at(0))?;
    cx.set_root(ROOT, all);
    let key = intern_text(cx, "specialized_instruction");
    cx.vm_mut().compiles_unspecialized = !keys::keyword(cx, Some(all), key).truthy();
    Ok(args.at(0))
}

/// The options given by a program: the keywords, otherwise the last argument.
fn given_options(cx: &mut Cx, args: Args, last: usize) -> R {
    let given = match args.keywords() {
        Some(keywords) if !HashRef::of(keywords).is_empty() => keywords,
        _ => args.opt(last).unwrap_or(Value::NIL),
    };
    options(cx, given)
}

/// Prints the warnings about a text, which are those of an eval.
fn warn_about_text(cx: &mut Cx, source: &[u8], own: &compiler::Options) -> R<()> {
    let kind = compiler::SourceKind::Eval { scopes: Vec::new(), name: String::new(), block_depth: 0 };
    match compiler::compile(source, &compiler::Options { kind, ..own.clone() }) {
        Ok(sequence) => eval::warn_about(cx, &sequence),
        // The text is compiled again, which raises the error.
        Err(_) => Ok(()),
    }
}

fn compile_source(cx: &mut Cx, source: &[u8], place: Place, line: i32, name: &str, options: Value) -> R {
    let mut own = compiler::Options::new(place.path.clone(), compiler::SourceKind::Required);
    own.first_line = line;
    own.counts = cx.vm().counting.wanted(&own);
    let key = intern_text(cx, "frozen_string_literal");
    let frozen = keys::keyword(cx, Some(options), key);
    own.frozen_string_literal = (!frozen.is_nil() && !frozen.is_undef()).then_some(frozen.truthy());
    let key = intern_text(cx, "debug_frozen_string_literal");
    own.record_string_origins = keys::keyword(cx, Some(options), key).truthy();
    match compiler::compile(source, &own) {
        Ok(mut sequence) => {
            match name {
                COMPILED if cx.verbose() == Some(true) => warn_about_text(cx, source, &own)?,
                _ => eval::warn_about(cx, &sequence)?,
            }
            sequence.name = name.into();
            Ok(runtime::link::link_at(cx, &sequence, place))
        }
        // The compiler of the runtime raises the error.
        Err(_) => eval::compile(cx, source, &own),
    }
}

fn text_of(cx: &mut Cx, v: Value) -> R<String> {
    let v = convert::to_str(cx, v)?;
    Ok(v.to_text())
}

/// `compile(source, file = "<compiled>", path = file, line = 1, options = nil, **options) → sequence`: of
/// RubyVM::InstructionSequence, also as `new`, `compile_prism` and `compile_parsey`: compiles a source without running
/// it. SyntaxError.
pub fn compile(cx: &mut Cx, args: Args) -> R {
    let source = source_of(cx, args.at(0))?;
    let path = match args.non_nil(1) {
        Some(v) => text_of(cx, v)?,
        None => COMPILED.into(),
    };
    let absolute = match args.non_nil(2) {
        Some(v) => text_of(cx, v)?,
        None => path.clone(),
    };
    let line = match args.non_nil(3) {
        Some(v) => convert::to_i64(cx, v)? as i32,
        None => 1,
    };
    let options = given_options(cx, args, 4)?;
    compile_source(
        cx,
        &source,
        Place { path, absolute_path: Some(absolute), is_loaded: false },
        line,
        COMPILED,
        options,
    )
}

/// The source that a String is, or that is in a File.
fn source_of(cx: &mut Cx, given: Value) -> R<Vec<u8>> {
    let file = cx.class(Known::File);
    if !class::is_a(cx, given, file) {
        return Ok(convert::to_str(cx, given)?.to_vector());
    }
    let name = intern_text(cx, "path");
    let path = runtime::call::send(cx, given, name, &[])?;
    let path = text_of(cx, path)?;
    std::fs::read(&path).map_err(|error| cx.system_error(host::Errno(error.raw_os_error().unwrap_or(2)), &path))
}

/// `compile_file(file, options = nil, **options) → sequence`: of RubyVM::InstructionSequence, also as
/// `compile_file_prism`: compiles a file without running it. SyntaxError, SystemCallError if it cannot be read.
pub fn file(cx: &mut Cx, args: Args) -> R {
    let to_path = intern_text(cx, "to_path");
    let given = match runtime::call::send_if_responds(cx, args.at(0), to_path, &[])? {
        Some(path) => path,
        None => args.at(0),
    };
    let path = text_of(cx, given)?;
    let options = given_options(cx, args, 1)?;
    match std::fs::read(&path) {
        Ok(source) => {
            let absolute = std::fs::canonicalize(&path).ok().map(|p| p.to_string_lossy().into_owned());
            compile_source(cx, &source, Place { path, absolute_path: absolute, is_loaded: false }, 1, "<main>", options)
        }
        Err(error) => {
            let errno = host::Errno(error.raw_os_error().unwrap_or(2));
            Err(cx.system_error(errno, &path))
        }
    }
}
