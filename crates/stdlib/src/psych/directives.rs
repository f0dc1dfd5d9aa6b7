//! Version and tags at the head of a document.

use libyaml_safer::{Event, EventData, Parser, TagDirective, VersionDirective};
use runtime::{Cx, R, panics};
use std::fmt::Write as _;

/// The directives in the library's own types, which only its parser can create: it reads a header with as many of them,
/// whose handles and prefixes are then replaced. The emitter checks these.
pub fn directives(
    cx: &mut Cx,
    version: Option<(i32, i32)>,
    tags: Vec<(String, String)>,
) -> R<(Option<VersionDirective>, Vec<TagDirective>)> {
    if version.is_none() && tags.is_empty() {
        return Ok((None, Vec::new()));
    }
    let mut document = String::new();
    if let Some((major, minor)) = version {
        let _ = writeln!(document, "%YAML {major}.{minor}");
    }
    for i in 0..tags.len() {
        let _ = writeln!(document, "%TAG !{i}! tag:");
    }
    document.push_str("--- \n");
    let mut bytes = document.as_bytes();
    let mut parser = Parser::new();
    parser.set_input_string(&mut bytes);
    loop {
        // The library does not handle every version.
        let Some(parsed) = panics::contained(|| parser.parse()) else {
            return Err(cx.runtime_error("could not understand the directives"));
        };
        match parsed {
            Ok(Event { data: EventData::DocumentStart { version_directive, mut tag_directives, .. }, .. }) => {
                for (made, (handle, prefix)) in tag_directives.iter_mut().zip(tags) {
                    (made.handle, made.prefix) = (handle, prefix);
                }
                return Ok((version_directive, tag_directives));
            }
            Ok(Event { data: EventData::StreamEnd, .. }) => return Ok((None, Vec::new())),
            Ok(_) => {}
            Err(error) => return Err(cx.runtime_error(error.problem())),
        }
    }
}
