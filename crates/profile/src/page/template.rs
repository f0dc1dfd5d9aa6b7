//! Filling the placeholders of a page.

/// Replaces `@NAME@` in the template by the parts; placeholders within a part are not replaced.
pub fn fill(template: &str, parts: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len() + parts.iter().map(|(_, part)| part.len()).sum::<usize>());
    let mut rest = template;
    while let Some(at) = rest.find('@') {
        let (before, after) = rest.split_at(at);
        text.push_str(before);
        let name = after[1..].split('@').next().unwrap_or_default();
        match parts.iter().find(|(known, _)| *known == name) {
            Some((_, part)) => {
                text.push_str(part);
                rest = &after[name.len() + 2..];
            }
            None => {
                text.push('@');
                rest = &after[1..];
            }
        }
    }
    text.push_str(rest);
    text
}

/// Escapes text for use between tags or in an attribute.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// JSON for use in a script element.
pub fn json(value: &serde_json::Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_once() {
        assert_eq!(fill("a@X@b@media @Y@", &[("X", "@Y@"), ("Y", "2")]), "a@Y@b@media 2");
        assert_eq!(escape("<a b=\"&\">"), "&lt;a b=&quot;&amp;&quot;&gt;");
    }
}
