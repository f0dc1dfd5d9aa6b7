//! The template that all pages share, and the code that fills its placeholders.

use std::fmt::Write;

use serde_json::Value as Json;

/// A page: tabs, a section for each, data and a script that draws it.
pub struct Page<'a> {
    pub title: String,
    pub summary: String,
    /// The id of the section, the label of its tab, and the section's content.
    pub tabs: Vec<(&'a str, &'a str, String)>,
    pub data: Json,
    /// A library besides those of all pages, and its licence.
    pub library: Option<(&'a str, &'a str)>,
    pub script: &'a str,
}

impl Page<'_> {
    pub fn write(&self) -> String {
        let (mut nav, mut sections, mut kept) = (String::new(), String::new(), String::new());
        for (i, (id, label, content)) in self.tabs.iter().enumerate() {
            // Writing to memory does not fail.
            let _ = writeln!(nav, "<button role=\"tab\" data-tab=\"{id}\">{} {label}</button>", i + 1);
            let _ = writeln!(sections, "<section id=\"{id}\">{content}</section>");
        }
        if let Some((library, licence)) = self.library {
            let _ = writeln!(kept, "<!-- {licence} -->\n<script>{library}</script>");
        }
        fill(
            include_str!("page.html"),
            &[
                ("TITLE", &escape(&self.title)),
                ("SUMMARY", &escape(&self.summary)),
                ("CSS", include_str!("page.css")),
                ("GRID_CSS", include_str!("kept/gridjs.css")),
                ("CHART_CSS", include_str!("kept/uplot.css")),
                ("NAV", &nav),
                ("SECTIONS", &sections),
                ("DATA", &json(&self.data)),
                ("GRID_LICENCE", include_str!("kept/gridjs.LICENSE")),
                ("GRID", include_str!("kept/gridjs.js")),
                ("CHART_LICENCE", include_str!("kept/uplot.LICENSE")),
                ("CHART", include_str!("kept/uplot.js")),
                ("KEPT", &kept),
                ("SHARED_JS", include_str!("page.js")),
                ("JS", self.script),
            ],
        )
    }
}

/// Replaces `@NAME@` in the template by the parts; placeholders within a part are not replaced.
fn fill(template: &str, parts: &[(&str, &str)]) -> String {
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
fn json(value: &serde_json::Value) -> String {
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
