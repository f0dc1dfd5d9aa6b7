//! The `path:` filter of trace points.
//!
//! A filter is applied once to each source, when it is compiled or the trace point is enabled; code of other files is
//! never modified.

use abi::{Type, Value};
use object::{Known, array::Arr, cell, native, string::Str, symbol::table::intern_text};
use runtime::{
    Cx, R, call,
    code::{Code, Source},
    convert, make,
    trace::Happening,
};

use crate::point::Point;

/// `FNM_PATHNAME | FNM_DOTMATCH | FNM_EXTGLOB`
const FLAGS: i64 = 2 | 4 | 16;

/// A source to which the filter was not applied yet.
struct Unknown {
    id: u32,
    path: String,
    absolute: Option<String>,
}

impl Unknown {
    fn new(source: &Source) -> Unknown {
        Unknown { id: source.id, path: source.path.clone(), absolute: source.absolute_path.clone() }
    }
}

/// Converts the `path:` argument for `matches`: paths become Strings, with absolute ones added.
pub fn prepare(cx: &mut Cx, given: Value) -> R {
    let list = make::array(cx, &[]);
    let several = cell::is(given, Type::Array);
    let mut i = 0;
    while let Some(one) = if several { Arr::of(given).get(i) } else { (i == 0).then_some(given) } {
        i += 1;
        let to_path = intern_text(cx, "to_path");
        let text = match call::send_if_responds(cx, one, to_path, &[])? {
            Some(path) => convert::to_str(cx, path)?.value(),
            None if cell::is(one, Type::String) => one,
            None => {
                make::push(cx, list, one);
                continue;
            }
        };
        let absolute = file_method(cx, "expand_path", &[text])?;
        make::push(cx, list, text);
        make::push(cx, list, absolute);
    }
    Ok(list)
}

/// Applies the filter of `point` to all code.
pub fn learn_all(cx: &mut Cx, point: Value) -> R<()> {
    let Some(own) = native::get::<Point>(&point).filter(|p| !p.filter.is_nil()) else { return Ok(()) };
    let (mut unknown, mut seen) = (Vec::new(), std::collections::HashSet::new());
    cx.vm().codes.each(&mut |code| {
        let id = code.source.id;
        if !code.internal && own.answer(id).is_none() && seen.insert(id) {
            unknown.push(Unknown::new(&code.source));
        }
    });
    for source in unknown {
        ask(cx, point, &source)?;
    }
    Ok(())
}

/// Applies the filters of all trace points to the new source of `code`. An exception of a filter counts as no.
pub fn learn_source(cx: &mut Cx, code: &Code) {
    let list = cx.vm().trace_points;
    let mut i = 0;
    while let Some(p) = Arr::of(list).get(i) {
        i += 1;
        if native::get::<Point>(&p).is_some_and(|p| !p.filter.is_nil() && p.answer(code.source.id).is_none())
            && let Err(unwind) = ask(cx, p, &Unknown::new(&code.source))
        {
            let _ = cx.take_exception(unwind);
        }
    }
}

fn ask(cx: &mut Cx, point: Value, source: &Unknown) -> R<()> {
    let Some(own) = native::get::<Point>(&point) else { return Ok(()) };
    let filter = own.filter;
    // The filter's own events are not reported.
    let now = Happening::new(0, Value::NIL, None, Value::NIL);
    let answer = cx.with_happening(Some(&now), |cx| matches(cx, filter, source))?;
    if let Some(own) = native::get_mut::<Point>(cx, point) {
        own.note(source.id, answer);
    }
    Ok(())
}

/// A String matches a file, a folder's files, or as a pattern of File.fnmatch; anything else by `===`.
fn matches(cx: &mut Cx, filter: Value, source: &Unknown) -> R<bool> {
    for path in [Some(&source.path), source.absolute.as_ref()].into_iter().flatten() {
        let text = make::text(cx, path);
        let mut i = 0;
        while let Some(one) = Arr::of(filter).get(i) {
            i += 1;
            let found = if cell::is(one, Type::String) {
                is_below(Str::of(one).bytes(cx), path.as_bytes()) || fnmatch(cx, one, text)?
            } else {
                call::case_equal(cx, one, text)?
            };
            if found {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn is_below(folder: &[u8], path: &[u8]) -> bool {
    let folder = folder.strip_suffix(b"/").unwrap_or(folder);
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
}

fn fnmatch(cx: &mut Cx, pattern: Value, path: Value) -> R<bool> {
    Ok(file_method(cx, "fnmatch", &[pattern, path, Value::fixnum(FLAGS)])?.truthy())
}

fn file_method(cx: &mut Cx, name: &str, arguments: &[Value]) -> R {
    let object = cx.class(Known::Object);
    let (file, name) = (intern_text(cx, "File"), intern_text(cx, name));
    let file = runtime::constants::lookup_from(cx, object, file)?;
    call::send(cx, file, name, arguments)
}

#[cfg(test)]
mod tests {
    use super::is_below;

    #[test]
    fn a_folder_holds_what_is_below_it() {
        assert!(is_below(b"/gems/", b"/gems/a.rb"));
        assert!(is_below(b"/gems", b"/gems/a/b.rb"));
        assert!(is_below(b"/gems/a.rb", b"/gems/a.rb"));
        assert!(!is_below(b"/gems", b"/gems2/a.rb"));
    }
}
