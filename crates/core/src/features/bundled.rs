//! Libraries available without `require`, such as Gem, RbConfig and DidYouMean.

use object::{shape::ivars, symbol::table::intern_text};
use runtime::{Args, Cx, Known, Method, R, Value, constants, define, make};

use super::{path::standard_library, rubygems};
use crate::{exception::snippet, module::constants::set_autoload};

const DID_YOU_MEAN: &[Method] =
    &[Method::new("formatter", formatter), Method::new("formatter=(formatter)", set_formatter)];

const ERROR_HIGHLIGHT: &[Method] =
    &[Method::new("spot(exception, backtrace_location: nil, point_type: nil, name: nil)", snippet::spot)];

/// A hidden variable of DidYouMean: the formatter that a program has set.
const FORMATTER: &str = "__formatter";

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
            ("Correctable", "core_ext/name_error"),
            ("Jaro", "jaro_winkler"),
            ("JaroWinkler", "jaro_winkler"),
            ("Levenshtein", "levenshtein"),
            ("Formatter", "formatter"),
            ("TreeSpellChecker", "tree_spell_checker"),
            ("RequirePathChecker", "spell_checkers/require_path_checker"),
        ] {
            load_later(cx, module, name, &format!("did_you_mean/{file}"))?;
        }
        define::define_singleton_methods(cx, module, DID_YOU_MEAN);
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
    let hidden = intern_text(cx, FORMATTER);
    let set = ivars::get(cx, args.me(), hidden);
    if !set.is_undef() {
        return Ok(set);
    }
    let name = intern_text(cx, "Formatter");
    constants::lookup_from(cx, args.me(), name)
}

/// `formatter=(formatter) → formatter`: sets the object that formats the suggestions of `did_you_mean`.
fn set_formatter(cx: &mut Cx, args: Args) -> R {
    let hidden = intern_text(cx, FORMATTER);
    ivars::set_hidden(cx, args.me(), hidden, args.at(0));
    Ok(args.at(0))
}

fn load_later(cx: &mut Cx, module: Value, name: &str, file: &str) -> R<()> {
    let (name, file) = (intern_text(cx, name).value(), make::text(cx, file));
    set_autoload(cx, module, name, file)?;
    Ok(())
}
