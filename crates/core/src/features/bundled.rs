//! Libraries available without `require`, such as Gem, RbConfig and DidYouMean.

use object::{
    Sym, class,
    method_entry::{self, Kind},
    symbol::table::intern_text,
};
use runtime::{Args, Cx, Known, Method, R, Value, call, define, error::ErrorClass, make};

use super::{path::standard_library, rubygems};
use crate::{
    exception::{snippet, suggestions},
    module::constants::set_autoload,
};

/// Methods that load the library `did_you_mean`, which replaces them.
static DID_YOU_MEAN: &[Method] = &[
    Method::new("formatter", formatter),
    Method::new("formatter=(formatter)", set_formatter),
    Method::new("spell_checkers", spell_checkers),
    Method::new("correct_error(error_class, spell_checker)", correct_error),
];

/// Methods of the errors with suggestions until the library prepends DidYouMean::Correctable.
static CORRECTABLE: &[Method] = &[
    Method::new("corrections", corrections),
    Method::new("spell_checker", spell_checker),
    Method::new("original_message", original_message),
];

const ERROR_HIGHLIGHT: &[Method] =
    &[Method::new("spot(exception, backtrace_location: nil, point_type: nil, name: nil)", snippet::spot)];

/// Which libraries are defined, according to the options `--enable` and `--disable`.
pub struct Bundled {
    pub gems: bool,
    pub did_you_mean: bool,
    pub error_highlight: bool,
    pub syntax_suggest: bool,
}

/// Defines the constants. Those in files of the standard library are loaded on first use.
pub fn define_bundled(cx: &mut Cx, wanted: &Bundled) -> R<()> {
    let object = cx.class(Known::Object);
    if wanted.gems && standard_library().is_some_and(|library| library.join("ruby/rubygems.rb").is_file()) {
        load_later(cx, object, "Gem", "rubygems")?;
        rubygems::define(cx);
    }
    if !rubygems::is_pending(cx) {
        super::path::add_bundled_gems(cx);
    }
    if wanted.gems {
        load_later(cx, object, "RbConfig", "rbconfig")?;
        load_later(cx, object, "Monitor", "monitor")?;
        load_later(cx, object, "MonitorMixin", "monitor")?;
    }
    if wanted.did_you_mean {
        let module = define::define_module(cx, object, "DidYouMean");
        for (name, file) in [
            ("VERSION", "version"),
            ("SpellChecker", "spell_checker"),
            ("Jaro", "jaro_winkler"),
            ("JaroWinkler", "jaro_winkler"),
            ("Levenshtein", "levenshtein"),
            ("TreeSpellChecker", "tree_spell_checker"),
            ("RequirePathChecker", "spell_checkers/require_path_checker"),
        ] {
            load_later(cx, module, name, &format!("did_you_mean/{file}"))?;
        }
        for name in [
            "Correctable", "Formatter", "PlainFormatter", "NameErrorCheckers", "ClassNameChecker",
            "VariableNameChecker", "MethodNameChecker", "KeyErrorChecker", "PatternKeyNameChecker", "NullChecker",
        ] {
            load_later(cx, module, name, "did_you_mean")?;
        }
        define::define_singleton_methods(cx, module, DID_YOU_MEAN);
        for class in suggestions::CLASSES {
            let class = cx.error_class(class);
            define::define_methods(cx, class, CORRECTABLE);
        }
    }
    if wanted.error_highlight {
        let module = define::define_module(cx, object, "ErrorHighlight");
        load_later(cx, module, "VERSION", "error_highlight/version")?;
        load_later(cx, module, "DefaultFormatter", "error_highlight/formatter")?;
        define::define_singleton_methods(cx, module, ERROR_HIGHLIGHT);
    }
    if wanted.syntax_suggest {
        define::define_module(cx, object, "SyntaxSuggest");
    }
    Ok(())
}

/// `DidYouMean.formatter → formatter`: the object that formats suggestions, DidYouMean::Formatter unless another is
/// set.
fn formatter(cx: &mut Cx, args: Args) -> R {
    by_library(cx, args, "formatter")
}

/// `formatter=(formatter) → formatter`: sets the object that formats the suggestions of `did_you_mean`.
fn set_formatter(cx: &mut Cx, args: Args) -> R {
    by_library(cx, args, "formatter=")
}

/// `DidYouMean.spell_checkers → hash`: from the names of error classes to the checkers that find their corrections.
fn spell_checkers(cx: &mut Cx, args: Args) -> R {
    by_library(cx, args, "spell_checkers")
}

/// `DidYouMean.correct_error(error_class, spell_checker)`: shows the corrections of a checker with errors of a class.
fn correct_error(cx: &mut Cx, args: Args) -> R {
    by_library(cx, args, "correct_error")
}

/// `corrections → array`: the names or keys that may have been meant.
fn corrections(cx: &mut Cx, args: Args) -> R {
    by_library(cx, args, "corrections")
}

/// `spell_checker → object`: what finds the corrections of this error.
fn spell_checker(cx: &mut Cx, args: Args) -> R {
    by_library(cx, args, "spell_checker")
}

/// `original_message → string`: the message without corrections.
fn original_message(cx: &mut Cx, args: Args) -> R {
    by_library(cx, args, "original_message")
}

/// Loads the library `did_you_mean`, then calls its method. NoMethodError if it has none of that name.
fn by_library(cx: &mut Cx, args: Args, name: &str) -> R {
    let feature = make::text(cx, "did_you_mean");
    super::require_path(cx, feature)?;
    let name = intern_text(cx, name);
    if is_stand_in(cx, args.me(), name) {
        let message = format!("undefined method '{}' before the library did_you_mean is loaded", name.to_text(cx));
        return Err(cx.name_error(ErrorClass::NoMethodError, &message, name, args.me()));
    }
    call::send(cx, args.me(), name, args.all())
}

/// Whether the receiver's method is one of this file, which loads the library.
pub fn is_stand_in(cx: &mut Cx, receiver: Value, name: Sym) -> bool {
    let class = class::class_of(cx, receiver);
    let entry = class::lookup::find_method(cx, class, name);
    if entry.is_undef() || method_entry::kind(entry) != Kind::Native {
        return false;
    }
    let row: *const Method = method_entry::native(entry).cast();
    [DID_YOU_MEAN, CORRECTABLE].iter().any(|rows| rows.as_ptr_range().contains(&row))
}

fn load_later(cx: &mut Cx, module: Value, name: &str, file: &str) -> R<()> {
    let (name, file) = (intern_text(cx, name).value(), make::text(cx, file));
    set_autoload(cx, module, name, file)?;
    Ok(())
}
