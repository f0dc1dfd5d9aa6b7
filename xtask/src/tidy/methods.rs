//! Each row of a method table, `Method::new("name(arguments)", function)`, has a descriptive sentence.
//!
//! The sentence is the documentation comment of the function; for a function that a macro generates, the comment before
//! its name in the macro's arguments. A row with a closure has a comment above it, which may cover the rows with
//! closures below. Functions are found by name: in the nearest file of the module that the path names, or that defines
//! the name.

use std::collections::HashMap;

use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::{Findings, Rules};
use crate::source::SourceFile;

/// The minimum number of words in a comment besides code in backquotes; a signature alone is not enough.
const FEWEST_WORDS: usize = 2;

pub fn check(files: &[SourceFile], _rules: &Rules) -> Result<Findings, String> {
    let files: Vec<&SourceFile> = files.iter().filter(|file| file.krate != "xtask" && !file.is_test()).collect();
    let mut functions = Functions::default();
    for file in &files {
        functions.path = &file.path;
        functions.visit_file(&file.syntax);
    }
    let mut findings = Findings::default();
    for file in &files {
        let mut rows = Rows::default();
        rows.visit_file(&file.syntax);
        let lines: Vec<&str> = file.text.lines().collect();
        for row in rows.found {
            let described = match &row.function {
                Some(path) => functions.describe(&file.path, path),
                None => has_comment_above(&lines, row.line),
            };
            if !described {
                findings.errors.push(format!("{}:{}: no sentence about {}", file.path, row.line, row.signature));
            }
        }
    }
    Ok(findings)
}

/// One row of a method table.
struct Row {
    line: usize,
    signature: String,
    /// The path of the function; `None` for a closure.
    function: Option<Vec<String>>,
}

#[derive(Default)]
struct Rows {
    found: Vec<Row>,
}

impl<'ast> Visit<'ast> for Rows {
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let Some(row) = row(call) {
            self.found.push(row);
        }
        visit::visit_expr_call(self, call);
    }
}

/// `Method::new("signature", function)` as a row.
fn row(call: &syn::ExprCall) -> Option<Row> {
    let syn::Expr::Path(called) = &*call.func else { return None };
    if !names(&called.path).ends_with(&["Method".to_string(), "new".to_string()]) {
        return None;
    }
    let (Some(syn::Expr::Lit(signature)), Some(function)) = (call.args.first(), call.args.get(1)) else { return None };
    let syn::Lit::Str(signature) = &signature.lit else { return None };
    let function = match function {
        syn::Expr::Path(function) => Some(names(&function.path)),
        _ => None,
    };
    Some(Row { line: call.span().start().line, signature: signature.value(), function })
}

fn names(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}

/// Whether there is a comment above the row at a line (from 1), or above the run of rows with closures that it belongs
/// to.
fn has_comment_above(lines: &[&str], line: usize) -> bool {
    for above in lines[..line - 1].iter().rev().map(|above| above.trim()) {
        if above.starts_with("//") {
            return true;
        }
        let is_row = above.contains("Method::new(");
        if above.is_empty() || above.ends_with("= &[") || (is_row && !above.contains('|')) {
            return false;
        }
    }
    false
}

/// All functions by name: their places, and whether a sentence describes them.
#[derive(Default)]
struct Functions<'a> {
    path: &'a str,
    found: HashMap<String, Vec<(&'a str, bool)>>,
}

impl Functions<'_> {
    fn add(&mut self, name: String, described: bool) {
        self.found.entry(name).or_default().push((self.path, described));
    }

    /// Whether a sentence describes the function to which `path` refers in the file `from`.
    fn describe(&self, from: &str, path: &[String]) -> bool {
        let [modules @ .., name] = path else { return false };
        let candidates = self.found.get(name).map(Vec::as_slice).unwrap_or_default();
        let closeness = |file: &str| {
            let is_meant = modules.last().is_some_and(|module| module_of(file) == module);
            (is_meant, from.bytes().zip(file.bytes()).take_while(|(a, b)| a == b).count())
        };
        let Some(nearest) = candidates.iter().map(|(file, _)| closeness(file)).max() else { return false };
        candidates.iter().any(|(file, described)| *described && closeness(file) == nearest)
    }

    /// Adds the functions that a macro generates: names in its arguments after a documentation comment.
    fn add_written(&mut self, tokens: TokenStream) {
        let mut comment = String::new();
        for token in tokens {
            match token {
                TokenTree::Group(attribute) => {
                    if let Ok(syn::Meta::NameValue(value)) = syn::parse2(attribute.stream()) {
                        comment.push_str(&text_of(&value));
                    }
                }
                TokenTree::Ident(name) if !comment.is_empty() => {
                    self.add(name.to_string(), is_sentence(&std::mem::take(&mut comment)));
                }
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.add(function.sig.ident.to_string(), is_sentence(&documentation(&function.attrs)));
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.add(function.sig.ident.to_string(), is_sentence(&documentation(&function.attrs)));
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        if item.ident.is_none() {
            self.add_written(item.mac.tokens.clone());
        }
    }
}

/// The module of a file; `mod.rs` is the module of its folder.
fn module_of(file: &str) -> &str {
    let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
    path.rsplit('/').next().unwrap_or(path)
}

fn documentation(attributes: &[syn::Attribute]) -> String {
    attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            syn::Meta::NameValue(value) => Some(text_of(value)),
            _ => None,
        })
        .collect()
}

/// The text of a line of documentation; empty for other attributes.
fn text_of(value: &syn::MetaNameValue) -> String {
    match &value.value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) if value.path.is_ident("doc") => text.value(),
        _ => String::new(),
    }
}

fn is_sentence(documentation: &str) -> bool {
    let prose: String = documentation.split('`').step_by(2).collect();
    prose.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count() >= FEWEST_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(text: &str) -> Result<Vec<String>, String> {
        let syntax = syn::parse_file(text).map_err(|error| error.to_string())?;
        let (krate, path) = ("crates/core".to_string(), "crates/core/src/string/mod.rs".to_string());
        let files = [SourceFile { krate, path, text: text.to_string(), syntax }];
        Ok(check(&files, &Rules::read()?)?.errors)
    }

    #[test]
    fn a_function_has_a_sentence_not_a_signature_alone() -> Result<(), String> {
        let row = r#"const METHODS: &[Method] = &[Method::new("size", size)];"#;
        assert_eq!(errors(&format!("{row} fn size() {{}}"))?.len(), 1);
        assert_eq!(errors(&format!("{row} /// `size → integer`\n fn size() {{}}"))?.len(), 1);
        assert!(errors(&format!("{row} /// `size → integer`: how many bytes.\n fn size() {{}}"))?.is_empty());
        Ok(())
    }

    #[test]
    fn a_function_of_a_macro_has_its_sentence_in_the_arguments() -> Result<(), String> {
        let row = r#"const METHODS: &[Method] = &[Method::new("hour", hour)];"#;
        assert_eq!(errors(&format!("{row} readers! {{ hour }}"))?.len(), 1);
        assert!(errors(&format!("{row} readers! {{ /// `hour → integer`: of the day.\n hour }}"))?.is_empty());
        Ok(())
    }

    #[test]
    fn a_comment_speaks_for_the_closures_below_it() -> Result<(), String> {
        let rows = "Method::new(\"sin(x)\", |x| x),\nMethod::new(\"cos(x)\", |x| x),\n";
        assert_eq!(errors(&format!("const METHODS: &[Method] = &[\n{rows}];"))?.len(), 2);
        assert!(errors(&format!("const METHODS: &[Method] = &[\n// Of every number.\n{rows}];"))?.is_empty());
        Ok(())
    }
}
