//! "Did you mean?" for misspelled names and keys.

use abi::{Type, Value};
use object::{
    Sym, array::Arr, cell, class, hash::HashRef, native, shape::ivars, string::Str, symbol::table::intern_text,
};
use runtime::{
    Cx, R,
    backtrace::Backtrace,
    call,
    code::code,
    constants, convert, define,
    error::{ErrorClass, is_error},
    sym,
};
use text::similarity::suggestions;

use crate::{
    features::is_stand_in,
    module::listing::{self, Wanted},
};

/// The lines to add to the message; empty if no similar name exists.
pub fn text(cx: &mut Cx, exception: Value) -> R<String> {
    if !cx.vm().options.suggest_names || !has_any(cx, exception) {
        return Ok(String::new());
    }
    let corrections = intern_text(cx, "corrections");
    let is_own = call::has_method(cx, exception, corrections) && !is_stand_in(cx, exception, corrections);
    if is_own && is_library_loaded(cx, "DidYouMean", "Correctable") {
        return Ok(String::new()); // The library adds its own lines.
    }
    let found = if is_own {
        own(cx, exception, corrections)?
    } else if is_error(cx, exception, ErrorClass::NoMethodError) {
        methods(cx, exception)
    } else if is_error(cx, exception, ErrorClass::NameError) {
        names(cx, exception)
    } else if is_error(cx, exception, ErrorClass::KeyError) {
        keys(cx, exception)?
    } else if is_error(cx, exception, ErrorClass::LoadError) {
        features(cx, exception).unwrap_or_default()
    } else {
        Vec::new()
    };
    if found.is_empty() {
        return Ok(String::new());
    }
    Ok(format!("\nDid you mean?  {}", found.join("\n               ")))
}

/// The errors for which suggestions exist.
pub const CLASSES: [ErrorClass; 4] =
    [ErrorClass::NameError, ErrorClass::KeyError, ErrorClass::NoMatchingPatternKeyError, ErrorClass::LoadError];

/// Whether suggestions exist for this kind of error.
pub fn has_any(cx: &Cx, exception: Value) -> bool {
    CLASSES.into_iter().any(|class| is_error(cx, exception, class))
}

/// Whether the library has taken over that defines this module in its own one.
pub(super) fn is_library_loaded(cx: &mut Cx, library: &str, module: &str) -> bool {
    let (object, name) = (cx.class(object::Known::Object), intern_text(cx, module));
    let module = intern_text(cx, library);
    class::constants::own(object, module)
        .filter(|module| class::is_module(module.value))
        .and_then(|module| class::constants::own(module.value, name))
        .is_some_and(|found| !found.value.is_undef())
}

/// The corrections that a program's method returns; none if it raises, as in the library.
fn own(cx: &mut Cx, exception: Value, corrections: Sym) -> R<Vec<String>> {
    let list = match call::send(cx, exception, corrections, &[]) {
        Ok(list) => Arr::from_value(list),
        Err(unwind) => {
            let raised = cx.take_exception(unwind)?;
            if !is_error(cx, raised, ErrorClass::StandardError) {
                return Err(cx.raise_object(raised));
            }
            None
        }
    };
    let Some(list) = list else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for v in list.iter() {
        found.push(convert::to_s(cx, v)?.to_text());
    }
    Ok(found)
}

fn near(dictionary: &[String], input: &str) -> Vec<String> {
    let words: Vec<&str> = dictionary.iter().map(String::as_str).collect();
    suggestions(&words, input).into_iter().map(|i| dictionary[i].clone()).collect()
}

fn texts(cx: &mut Cx, list: Value) -> Vec<String> {
    Arr::of(list).iter().filter_map(Sym::from_value).map(|s| s.to_text(cx)).collect()
}

fn name_of(cx: &mut Cx, exception: Value) -> Option<String> {
    let name = ivars::get(cx, exception, sym::MEMO_NAME);
    Some(Sym::from_value(name)?.to_text(cx))
}

fn methods(cx: &mut Cx, exception: Value) -> Vec<String> {
    let Some(name) = name_of(cx, exception) else { return Vec::new() };
    let receiver = ivars::get(cx, exception, sym::MEMO_RECEIVER);
    if receiver.is_undef() || receiver.is_nil() {
        return Vec::new();
    }
    let class = class::class_of(cx, receiver);
    let mut list = listing::of_class(cx, class, true, Wanted::PublicAndProtected);
    let mut words = texts(cx, list);
    if ivars::get(cx, exception, sym::MEMO_PRIVATE).or(Value::NIL).truthy() {
        list = listing::of_class(cx, class, true, Wanted::Private);
        words.extend(texts(cx, list));
        words.extend(METHOD_KEYWORDS.iter().map(|k| k.to_string()));
    }
    words.retain(|word| *word != name);
    if name == "[]=" {
        return Vec::new();
    }
    near(&words, &name)
}

fn names(cx: &mut Cx, exception: Value) -> Vec<String> {
    let Some(name) = name_of(cx, exception) else { return Vec::new() };
    let receiver = ivars::get(cx, exception, sym::MEMO_RECEIVER);
    let message = ivars::get(cx, exception, sym::MEMO_MESSAGE);
    if Str::from_value(message).is_some_and(|text| !is_about_unknown_name(&text.to_text())) {
        return Vec::new();
    }
    if name.starts_with(char::is_uppercase) {
        return near_constants(cx, exception, &name, receiver);
    }
    let mut words = Vec::new();
    if name.starts_with("@@") {
        if class::is_module(receiver) {
            for place in class::ancestors::each(receiver) {
                words.extend(class::class_variables::names(cx, place).into_iter().map(|n| n.to_text(cx)));
            }
        }
    } else if !receiver.is_undef() {
        words.extend(locals(cx, exception));
        let class = class::class_of(cx, receiver);
        for wanted in [Wanted::PublicAndProtected, Wanted::Private] {
            let list = listing::of_class(cx, class, true, wanted);
            words.extend(texts(cx, list));
        }
        words.extend(crate::object::variables::visible_names(cx, receiver).iter().map(|n| n.to_text(cx)));
        words.extend(KEYWORDS.iter().map(|k| k.to_string()));
    }
    let mut seen = std::collections::HashSet::new();
    words.retain(|word| *word != name && seen.insert(word.clone()));
    if name == "foo" {
        // `for` and `fork` are never suggested as names of variables or methods.
        words.retain(|word| word != "for" && word != "fork");
    }
    near(&words, &name)
}

/// Whether a NameError says that nothing has this name. Others are about names that are no names, are private or not
/// defined in the place itself, for which a similar name elsewhere is no help.
fn is_about_unknown_name(message: &str) -> bool {
    const PHRASES: [&str; 5] = [
        "uninitialized constant",
        "undefined local variable or method",
        "undefined method",
        "uninitialized class variable",
        "no member '",
    ];
    PHRASES.iter().any(|phrase| message.contains(phrase))
}

/// The constants of Object and of each module in the receiver's name, with their scopes.
fn near_constants(cx: &mut Cx, exception: Value, name: &str, receiver: Value) -> Vec<String> {
    let mut scope = cx.class(object::Known::Object);
    let scope_name = if class::is_module(receiver) { define::class_name(cx, receiver) } else { String::new() };
    let (mut words, mut qualified) = (Vec::new(), Vec::new());
    add_constants(cx, scope, &mut words, &mut qualified);
    for part in scope_name.split("::") {
        let part = intern_text(cx, part);
        let Some(inner) = class::constants::own(scope, part).map(|found| found.value) else { break };
        if !class::is_module(inner) || inner == cx.class(object::Known::Object) {
            break;
        }
        scope = inner;
        add_constants(cx, scope, &mut words, &mut qualified);
    }
    let message = ivars::get(cx, exception, sym::MEMO_MESSAGE);
    let message = Str::from_value(message).map_or_else(String::new, |m| m.to_text());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let found = suggestions(&words, name).into_iter().map(|i| qualified[i].clone());
    found.filter(|name| !message.contains(name)).collect()
}

/// Adds the public constants that a scope defines or inherits, qualified with the scope's name.
fn add_constants(cx: &mut Cx, scope: Value, words: &mut Vec<String>, qualified: &mut Vec<String>) {
    let object = cx.class(object::Known::Object);
    let prefix = if scope == object { String::new() } else { format!("{}::", define::class_name(cx, scope)) };
    for place in class::ancestors::each(scope).take_while(|place| scope == object || *place != object) {
        for (constant, found) in class::class_data(cx, place).constants().iter() {
            if !found.private {
                let word = constant.to_text(cx);
                qualified.push(format!("{prefix}{word}"));
                words.push(word);
            }
        }
    }
}

/// The suggestions for a LoadError, from the library's own checker, which searches `$LOAD_PATH`.
fn features(cx: &mut Cx, exception: Value) -> R<Vec<String>> {
    let path = ivars::get(cx, exception, sym::IVAR_PATH);
    let object = cx.class(object::Known::Object);
    let mut checker = object;
    for name in ["DidYouMean", "RequirePathChecker"] {
        let name = intern_text(cx, name);
        if !cell::is(path, Type::String) || class::constants::own(checker, name).is_none() {
            return Ok(Vec::new());
        }
        checker = constants::lookup_from(cx, checker, name)?;
    }
    let checker = call::send(cx, checker, sym::NEW, &[exception])?;
    let name = intern_text(cx, "corrections");
    let found = call::send(cx, checker, name, &[])?;
    let Some(found) = Arr::from_value(found) else { return Ok(Vec::new()) };
    let found = found.iter().filter_map(Str::from_value);
    Ok(found.map(|text| text.to_text()).collect())
}

/// Reserved words that a bare name may be a misspelling of: those of the library's VariableNameChecker.
const KEYWORDS: &[&str] = &[
    "BEGIN", "END", "alias", "and", "begin", "break", "case", "class", "def", "defined?", "else", "elsif", "end",
    "ensure", "false", "for", "module", "next", "nil", "not", "redo", "rescue", "retry", "return", "self", "super",
    "then", "true", "undef", "unless", "until", "when", "while", "yield", "__LINE__", "__FILE__", "__ENCODING__",
];

/// Reserved words that a method name may be a misspelling of.
const METHOD_KEYWORDS: &[&str] = &[
    "alias", "case", "def", "defined?", "elsif", "end", "ensure", "for", "rescue", "super", "undef", "unless", "until",
    "when", "while", "yield",
];

/// Local variables of the code that raised the exception.
fn locals(cx: &mut Cx, exception: Value) -> Vec<String> {
    let trace = ivars::get(cx, exception, sym::MEMO_LOCATIONS);
    let Some(place) = native::get::<Backtrace>(&trace).and_then(|b| b.get(0)) else { return Vec::new() };
    let mut names = Vec::new();
    let mut at = place.code;
    while !at.is_nil() {
        let code = code(&at);
        names.extend(code.locals.iter().filter(|(n, _)| !n.value().is_undef()).map(|(n, _)| n.to_text(cx)));
        if code.block_depth == 0 && code.kind != bytecode::Kind::Eval {
            break;
        }
        at = code.parent.get();
    }
    names
}

fn keys(cx: &mut Cx, exception: Value) -> R<Vec<String>> {
    let (receiver, key) = (ivars::get(cx, exception, sym::MEMO_RECEIVER), ivars::get(cx, exception, sym::MEMO_KEY));
    if key.is_undef() || !cell::is(receiver, Type::Hash) {
        return Ok(Vec::new());
    }
    let mut words = Vec::new();
    let mut cursor = 0;
    while let Some((next, candidate, _)) = HashRef::of(receiver).next(cursor) {
        cursor = next;
        if cell::is(candidate, Type::String) || Sym::from_value(candidate).is_some() {
            words.push(call::inspect_text(cx, candidate)?);
        }
    }
    let input = call::inspect_text(cx, key)?;
    Ok(near(&words, &input))
}
