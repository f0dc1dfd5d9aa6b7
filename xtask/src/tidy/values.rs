//! Checks that no `Value` is in native memory that the collector does not see.
//!
//! Finds types such as `Vec<Value>`, `Box<[Value]>` or `HashMap<u64, Option<Value>>`, and statics of such types. The
//! registered tracing types are exceptions in `xtask/tidy.txt`, one line per file.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::{Findings, Rules};
use crate::source::SourceFile;

const LINT: &str = "values outside of the heap";

/// Types that allocate native memory for their contents.
const CONTAINERS: &[&str] = &[
    "Arc", "ArrayVec", "BTreeMap", "BTreeSet", "BinaryHeap", "Box", "Cell", "HashMap", "HashSet", "IndexMap",
    "IndexSet", "LazyLock", "Mutex", "OnceCell", "OnceLock", "Rc", "RefCell", "RwLock", "SmallVec", "Vec", "VecDeque",
];
/// Containers that are allowed in local variables and in fields of traced types.
const HARMLESS_UNLESS_STATIC: &[&str] = &["Cell", "RefCell", "OnceCell", "Mutex", "RwLock"];

pub fn check(files: &[SourceFile], rules: &Rules) -> Result<Findings, String> {
    let without_values = rules.words("crates without values", "crates");
    let mut findings = Findings::default();
    for file in files {
        let name = file.krate.trim_start_matches("crates/");
        if file.is_test() || without_values.contains(&name) {
            continue;
        }
        let mut finder = Finder::default();
        finder.visit_file(&file.syntax);
        if finder.found.is_empty() || rules.excepts(LINT, &file.path) {
            continue;
        }
        for (line, what) in finder.found {
            findings.errors.push(format!("{}:{line}: {what}", file.path));
        }
    }
    Ok(findings)
}

#[derive(Default)]
struct Finder {
    found: Vec<(usize, String)>,
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_path_segment(&mut self, segment: &'ast syn::PathSegment) {
        let name = segment.ident.to_string();
        if CONTAINERS.contains(&name.as_str())
            && !HARMLESS_UNLESS_STATIC.contains(&name.as_str())
            && let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments
            && arguments.args.iter().any(holds_value)
        {
            let line = segment.span().start().line;
            self.found.push((line, format!("a {name} of Value")));
            return;
        }
        visit::visit_path_segment(self, segment);
    }

    fn visit_macro(&mut self, invocation: &'ast syn::Macro) {
        if invocation.path.is_ident("vec") && names_value(invocation.tokens.clone()) {
            self.found.push((invocation.span().start().line, "a vec! of Value".to_string()));
        }
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        if type_holds_value(&item.ty) {
            let line = item.span().start().line;
            self.found.push((line, format!("the static {} holds a Value", item.ident)));
        }
        visit::visit_item_static(self, item);
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if module.ident != "tests" {
            visit::visit_item_mod(self, module);
        }
    }
}

/// Whether the tokens of a macro contain `Value` outside of nested brackets, as in `vec![Value::NIL; n]`.
fn names_value(tokens: proc_macro2::TokenStream) -> bool {
    tokens.into_iter().any(|token| matches!(token, proc_macro2::TokenTree::Ident(name) if name == "Value"))
}

fn holds_value(argument: &syn::GenericArgument) -> bool {
    matches!(argument, syn::GenericArgument::Type(kind) if type_holds_value(kind))
}

/// Whether the type itself stores a `Value`, other than behind a reference or raw pointer or in a function's signature.
fn type_holds_value(kind: &syn::Type) -> bool {
    match kind {
        syn::Type::Array(array) => type_holds_value(&array.elem),
        syn::Type::Slice(slice) => type_holds_value(&slice.elem),
        syn::Type::Paren(inner) => type_holds_value(&inner.elem),
        syn::Type::Group(inner) => type_holds_value(&inner.elem),
        syn::Type::Tuple(tuple) => tuple.elems.iter().any(type_holds_value),
        syn::Type::Path(path) => path.path.segments.iter().any(|segment| {
            segment.ident == "Value"
                || matches!(&segment.arguments, syn::PathArguments::AngleBracketed(arguments)
                    if segment.ident != "PhantomData" && arguments.args.iter().any(holds_value))
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        let mut finder = Finder::default();
        finder.visit_file(&syn::parse_file(text).expect("the snippet parses"));
        finder.found.into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn native_collections_of_values_are_found() {
        assert_eq!(lines("fn a() { let v: Vec<Value> = b(); }"), [1]);
        assert_eq!(lines("struct A {\n    a: Box<[abi::Value]>,\n}"), [2]);
        assert_eq!(lines("fn a() {\n    b.collect::<Vec<Value>>()\n}"), [2]);
        assert_eq!(lines("type A = HashMap<u64, Option<(Value, u8)>>;"), [1]);
        assert_eq!(lines("fn a() { let v = vec![Value::NIL; 3]; }"), [1]);
        assert_eq!(lines("static A: Mutex<Value> = b();"), [1]);
    }

    #[test]
    fn references_pointers_and_functions_of_values_are_not() {
        assert!(lines("struct A { a: Vec<fn(Value) -> Value>, b: Vec<*const Value> }").is_empty());
        assert!(lines("fn a(values: &[Value]) -> Option<Value> { b() }").is_empty());
        assert!(lines("fn a() { let v = vec![hash(Value::NIL), 3]; }").is_empty());
        assert!(lines("struct A { a: [Value; 3], b: Cell<Value> }").is_empty());
    }
}
