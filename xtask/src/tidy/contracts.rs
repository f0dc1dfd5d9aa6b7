//! A safe function keeps its promises alone. What only its caller can know makes it unsafe, with a section `# Safety`:
//!
//! - A safe function dereferences none of its raw-pointer parameters. (Clippy's `not_unsafe_ptr_arg_deref` says so for
//!   public functions only.) Functions with C's calling convention are exempt: the system or generated code calls them.
//! - A note on safety in a safe function does not name the caller as the reason.
//!
//! A file may be excepted in `xtask/tidy.txt`.

use syn::visit::{self, Visit};

use super::{Findings, Rules};
use crate::source::SourceFile;

const LINT: &str = "contracts of functions";

pub fn check(files: &[SourceFile], rules: &Rules) -> Result<Findings, String> {
    let mut findings = Findings::default();
    for file in files.iter().filter(|file| !file.is_test()) {
        let mut found = Vec::new();
        for name in dereferencing(&file.syntax) {
            found.push(format!("{}: {name} dereferences a parameter, but is not unsafe", file.path));
        }
        for line in leaning_notes(&file.text) {
            found.push(format!("{}:{line}: the note on safety of a safe function leans on its caller", file.path));
        }
        if !found.is_empty() && !rules.excepts(LINT, &file.path) {
            findings.errors.append(&mut found);
        }
    }
    Ok(findings)
}

/// The safe functions that dereference a raw-pointer parameter.
fn dereferencing(syntax: &syn::File) -> Vec<String> {
    let mut functions = Functions { found: Vec::new() };
    functions.visit_file(syntax);
    functions.found
}

struct Functions {
    found: Vec<String>,
}

impl Functions {
    fn look(&mut self, signature: &syn::Signature, body: &syn::Block) {
        if signature.unsafety.is_some() || signature.abi.is_some() {
            return;
        }
        let mut uses = Uses { pointers: signature.inputs.iter().filter_map(pointer).collect(), found: false };
        uses.visit_block(body);
        if uses.found {
            self.found.push(signature.ident.to_string());
        }
    }
}

/// The name of a parameter whose type is a raw pointer.
fn pointer(argument: &syn::FnArg) -> Option<String> {
    let syn::FnArg::Typed(argument) = argument else { return None };
    match (&*argument.pat, &*argument.ty) {
        (syn::Pat::Ident(name), syn::Type::Ptr(_)) => Some(name.ident.to_string()),
        _ => None,
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.look(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.look(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }
}

struct Uses {
    pointers: Vec<String>,
    found: bool,
}

impl Uses {
    /// Whether the expression is one of the parameters, perhaps cast.
    fn is_pointer(&self, expression: &syn::Expr) -> bool {
        match expression {
            syn::Expr::Path(path) => {
                path.path.get_ident().is_some_and(|name| self.pointers.contains(&name.to_string()))
            }
            syn::Expr::Paren(inner) => self.is_pointer(&inner.expr),
            syn::Expr::MethodCall(call) => {
                matches!(call.method.to_string().as_str(), "cast" | "cast_mut" | "cast_const" | "add" | "offset")
                    && self.is_pointer(&call.receiver)
            }
            _ => false,
        }
    }
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        self.found |= matches!(unary.op, syn::UnOp::Deref(_)) && self.is_pointer(&unary.expr);
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let dereferences =
            matches!(call.method.to_string().as_str(), "read" | "write" | "read_volatile" | "as_ref" | "as_mut");
        self.found |= dereferences && self.is_pointer(&call.receiver);
        visit::visit_expr_method_call(self, call);
    }
}

/// The numbers of the lines with a note on safety that speaks of the caller, in functions that are not unsafe.
fn leaning_notes(text: &str) -> Vec<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if !line.trim_start().starts_with("// SAFETY: ") {
            continue;
        }
        let more = lines[index + 1..].iter().take_while(|line| line.trim_start().starts_with("//"));
        let note: Vec<&str> =
            std::iter::once(line).chain(more).map(|line| line.trim().trim_start_matches('/')).collect();
        if leans(&note.join("")) && enclosing(&lines[..index], indentation(line)).is_none_or(|f| !f.contains("unsafe "))
        {
            found.push(index + 1);
        }
    }
    found
}

fn leans(note: &str) -> bool {
    let verbs = [" has", " have", " pass", " know", " check", " guarantee", " keep", " read", " drop", " ensure"];
    ["the caller", "callers", "Callers"].iter().any(|who| {
        note.match_indices(who).any(|(at, _)| {
            let rest = note[at + who.len()..].strip_prefix('s').unwrap_or(&note[at + who.len()..]);
            verbs.iter().any(|verb| rest.starts_with(verb))
        })
    })
}

/// The first line of the function that encloses a line with this indentation.
fn enclosing<'t>(above: &[&'t str], indentation_of_line: usize) -> Option<&'t str> {
    let is_function = |line: &&&str| {
        let start = line.split('(').next().unwrap_or("");
        indentation(line) < indentation_of_line && start.split_whitespace().any(|word| word == "fn")
    };
    above.iter().rev().find(is_function).copied()
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_safe_functions_that_dereference_are_found() -> Result<(), syn::Error> {
        let text = "fn a(p: *mut u8) { unsafe { *p = 1 } } unsafe fn b(p: *mut u8) { unsafe { *p = 1 } } \
                    fn c(p: *mut u8) -> usize { p as usize } extern \"C\" fn d(p: *mut u8) { unsafe { *p = 1 } } \
                    impl A { fn e(&self, p: *const B) { unsafe { (*p.cast::<C>()).f() } } }";
        assert_eq!(dereferencing(&syn::parse_file(text)?), ["a", "e"]);
        Ok(())
    }

    #[test]
    fn notes_that_lean_on_the_caller() {
        let note = "    // SAFETY: the caller has checked\n    // the range.\n";
        assert_eq!(leaning_notes(&format!("fn a(i: usize) {{\n{note}}}\n")), [2]);
        assert_eq!(leaning_notes(&format!("pub unsafe fn a(i: usize) {{\n{note}}}\n")), []);
        assert_eq!(leaning_notes("fn a() {\n    // SAFETY: the caller's frame is below.\n}\n"), []);
    }
}
