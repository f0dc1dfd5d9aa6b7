//! The hints of the library syntax_suggest, which precede a SyntaxError's message: the library is loaded when the first
//! such message is needed.

use abi::{BlockHandler, Value};
use object::{Known, class, symbol::table::intern_text};
use runtime::{Args, Cx, R, call, constants, error, error::ErrorClass, make};

/// The root that records that loading was attempted.
const ASKED: runtime::Root = runtime::Root::SyntaxSuggestAsked;

/// The result of `detailed_message` of a SyntaxError after loading the library; `None` if this call did not load it.
pub fn message(cx: &mut Cx, args: Args) -> R<Option<Value>> {
    let class = cx.error_class(ErrorClass::SyntaxError);
    if !class::is_a(cx, args.me(), class) || cx.root(ASKED).truthy() {
        return Ok(None);
    }
    cx.set_root(ASKED, Value::TRUE);
    let (object, name) = (cx.class(Known::Object), intern_text(cx, "SyntaxSuggest"));
    if constants::own_value(cx, object, name)?.is_none() || !load(cx)? {
        return Ok(None);
    }
    let name = intern_text(cx, "detailed_message");
    call::send_full(cx, args.me(), name, &[], args.keywords(), BlockHandler::NONE, call::Scope::Function).map(Some)
}

/// Loads the library; returns whether it is available.
fn load(cx: &mut Cx) -> R<bool> {
    let path = make::text(cx, "syntax_suggest/core_ext");
    let loaded = crate::features::require_path(cx, path);
    Ok(error::rescued(cx, loaded, ErrorClass::LoadError)?.is_some())
}
