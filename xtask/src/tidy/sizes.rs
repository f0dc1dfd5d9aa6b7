//! Files and functions that are too long.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::{Findings, Rules};
use crate::source::SourceFile;

/// The line counts above which a file is listed, and above which it is an error.
const FILE_LINES: (usize, usize) = (300, 800);
/// The line counts above which a function is listed, and above which it is an error.
const FUNCTION_LINES: (usize, usize) = (60, 120);

pub fn files(files: &[SourceFile], rules: &Rules) -> Result<Findings, String> {
    let mut findings = Findings::default();
    for file in files {
        judge(&mut findings, rules, "sizes of files", &file.path, file.line_count(), FILE_LINES);
    }
    Ok(findings)
}

pub fn functions(files: &[SourceFile], rules: &Rules) -> Result<Findings, String> {
    let mut findings = Findings::default();
    for file in files.iter().filter(|file| !file.is_test()) {
        let mut functions = Functions::default();
        functions.visit_file(&file.syntax);
        for (name, lines) in functions.found {
            let key = format!("{} {name}", file.path);
            judge(&mut findings, rules, "sizes of functions", &key, lines, FUNCTION_LINES);
        }
    }
    Ok(findings)
}

fn judge(findings: &mut Findings, rules: &Rules, lint: &str, key: &str, lines: usize, (listed, error): (usize, usize)) {
    if lines <= listed {
        return;
    }
    let message = format!("{key} has {lines} lines");
    if lines <= error || rules.excepts(lint, key) {
        findings.listed.push(message);
    } else {
        findings.errors.push(format!("{message}, more than {error}"));
    }
}

#[derive(Default)]
struct Functions {
    found: Vec<(String, usize)>,
}

impl Functions {
    /// Counts from the signature, so that documentation does not count.
    fn add(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let lines = block.span().end().line - signature.span().start().line + 1;
        self.found.push((signature.ident.to_string(), lines));
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.add(&function.sig, block);
        }
        visit::visit_trait_item_fn(self, function);
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if module.ident != "tests" {
            visit::visit_item_mod(self, module);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_measured_without_its_documentation() -> Result<(), syn::Error> {
        let syntax = syn::parse_file("/// one\n/// two\nfn a() {\n    b();\n}\nimpl A { fn c() {} }")?;
        let mut functions = Functions::default();
        functions.visit_file(&syntax);
        assert_eq!(functions.found, [("a".to_string(), 3), ("c".to_string(), 1)]);
        Ok(())
    }
}
