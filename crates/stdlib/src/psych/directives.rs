//! Version and tags at the head of a document.

use libyaml_safer::{Event, EventData, Parser, TagDirective, VersionDirective};
use runtime::{Cx, R, panics};

/// The directives of a header in the library's own types, which only its parser can create.
pub fn directives(cx: &mut Cx, header: &str) -> R<(Option<VersionDirective>, Vec<TagDirective>)> {
    if header.is_empty() {
        return Ok((None, Vec::new()));
    }
    let document = format!("{header}--- \n");
    let mut bytes = document.as_bytes();
    let mut parser = Parser::new();
    parser.set_input_string(&mut bytes);
    loop {
        // The library does not handle every input: some tags make it panic.
        let Some(parsed) = panics::contained(|| parser.parse()) else {
            return Err(cx.runtime_error("could not understand the directives"));
        };
        match parsed {
            Ok(Event { data: EventData::DocumentStart { version_directive, tag_directives, .. }, .. }) => {
                return Ok((version_directive, tag_directives));
            }
            Ok(Event { data: EventData::StreamEnd, .. }) => return Ok((None, Vec::new())),
            Ok(_) => {}
            Err(error) => return Err(cx.runtime_error(error.problem())),
        }
    }
}
