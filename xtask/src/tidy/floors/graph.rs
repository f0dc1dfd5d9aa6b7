//! Which files of a crate refer to which others.
//!
//! A reference is a path: in a `use`, in code, or in the arguments of a macro. It leads to the file that declares the
//! item, through imports and re-exports. A call of a method of the context (`cx.name()`) leads to the file with the
//! `impl` block. Re-exports themselves are no references, and neither are those of test modules.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

use crate::source::SourceFile;

/// The names of a module from the crate's root; empty for the root itself.
pub type Module = Vec<String>;

/// The types whose methods are declared by the files of all floors, and the names of variables that hold them.
const CONTEXTS: [&str; 2] = ["Cx", "Vm"];
const CONTEXT_VARIABLES: [&str; 2] = ["cx", "vm"];

/// The items that each file refers to, by the referring file and the declaring file.
pub type References = BTreeMap<(String, String), BTreeSet<String>>;

/// A file: what it declares, imports and refers to.
struct Contents {
    module: Module,
    declared: BTreeSet<String>,
    /// The methods of the context that it declares.
    methods: BTreeSet<String>,
    /// Names that `use` makes known, with their paths.
    imported: BTreeMap<String, Vec<String>>,
    /// The modules whose public names it has.
    globs: Vec<Vec<String>>,
    /// Paths as they are written.
    paths: BTreeSet<Vec<String>>,
    /// Methods of the context that it calls.
    calls: BTreeSet<String>,
}

pub struct Graph {
    files: BTreeMap<String, Contents>,
}

impl Graph {
    pub fn new<'f>(files: impl Iterator<Item = &'f SourceFile>) -> Graph {
        Graph::of(files.filter_map(|file| Some((module_of(&file.path)?, &file.syntax))))
    }

    fn of<'f>(files: impl Iterator<Item = (Module, &'f syn::File)>) -> Graph {
        let read = |(module, syntax): (Module, &syn::File)| (module.join("::"), Contents::read(module, syntax));
        Graph { files: files.map(read).collect() }
    }

    /// The names of all files: the paths of their modules.
    pub fn files(&self) -> impl Iterator<Item = &String> {
        self.files.keys()
    }

    /// All references from one file to another.
    pub fn references(&self) -> References {
        let mut references = References::new();
        let mut methods: BTreeMap<&String, Vec<&String>> = BTreeMap::new();
        for (name, contents) in &self.files {
            contents.methods.iter().for_each(|method| methods.entry(method).or_default().push(name));
        }
        for (from, contents) in &self.files {
            let named = contents.paths.iter().filter_map(|path| self.locate(contents, path));
            // If two contexts have a method of this name, the call cannot be attributed to a file.
            let called = contents.calls.iter().filter_map(|call| match methods.get(call)?.as_slice() {
                [only] => Some(((*only).clone(), call.clone())),
                _ => None,
            });
            for (to, item) in named.chain(called) {
                if to != *from && !to.is_empty() {
                    references.entry((from.clone(), to)).or_default().insert(item);
                }
            }
        }
        references
    }

    /// The file and the item that a path of a file leads to; `None` outside of the crate, and for a whole module.
    fn locate(&self, contents: &Contents, path: &[String]) -> Option<(String, String)> {
        let path = self.absolute(contents, path)?;
        self.find(&path, 0)
    }

    /// The path from the crate's root.
    fn absolute(&self, contents: &Contents, path: &[String]) -> Option<Vec<String>> {
        let module = &contents.module;
        let above = path.iter().take_while(|name| *name == "super").count();
        let first = path.first()?;
        if first == "crate" {
            return Some(path[1..].to_vec());
        }
        if first == "self" {
            return Some([module.as_slice(), &path[1..]].concat());
        }
        if above > 0 {
            return (above <= module.len()).then(|| [&module[..module.len() - above], &path[above..]].concat());
        }
        if let Some(imported) = contents.imported.get(first).filter(|imported| imported.first() != Some(first)) {
            return self.absolute(contents, &[imported.as_slice(), &path[1..]].concat());
        }
        let inside = [module.as_slice(), path].concat();
        self.files.contains_key(&inside[..=module.len()].join("::")).then_some(inside)
    }

    /// What a path from the crate's root leads to.
    fn find(&self, path: &[String], depth: usize) -> Option<(String, String)> {
        if depth > 8 {
            return None;
        }
        let is_file = |length: &usize| self.files.contains_key(&path[..*length].join("::"));
        let length = (0..=path.len()).rev().find(is_file)?;
        // A module may have the name of an item that the module around it re-exports.
        let is_module = length == path.len();
        let length = length - usize::from(is_module && length > 0);
        let name = path[..length].join("::");
        let (contents, item) = (self.files.get(&name)?, path.get(length)?);
        if contents.declared.contains(item) {
            return Some((name, item.clone()));
        }
        if let Some(imported) = contents.imported.get(item) {
            let whole = [imported.as_slice(), &path[length + 1..]].concat();
            let whole = self.absolute(contents, &whole)?;
            return if whole == path { None } else { self.find(&whole, depth + 1) };
        }
        for glob in &contents.globs {
            let whole = self.absolute(contents, &[glob.as_slice(), &path[length..]].concat());
            if let Some((found, item)) = whole.and_then(|whole| self.find(&whole, depth + 1))
                && self.files[&found].declared.contains(&item)
            {
                return Some((found, item));
            }
        }
        // The module may declare it in a macro.
        (!is_module).then(|| (name, item.clone()))
    }
}

/// The files of each circle, in order: sets of files of which each leads to all others.
pub fn circles<'f>(files: impl Iterator<Item = &'f String>, references: &References) -> Vec<Vec<String>> {
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in references.keys() {
        next.entry(from).or_default().push(to);
    }
    let reached = |start: &str| {
        let (mut found, mut open) = (BTreeSet::new(), vec![start.to_string()]);
        while let Some(at) = open.pop() {
            for to in next.get(at.as_str()).into_iter().flatten() {
                if found.insert((*to).to_string()) {
                    open.push((*to).to_string());
                }
            }
        }
        found
    };
    let reached: BTreeMap<&String, BTreeSet<String>> = files.map(|file| (file, reached(file))).collect();
    let mut circles = BTreeSet::new();
    for (file, own) in &reached {
        let circle: Vec<String> = own.iter().filter(|other| reached[*other].contains(*file)).cloned().collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

/// The path of a file's module within the crate; empty for `lib.rs`.
fn module_of(path: &str) -> Option<Module> {
    let inside = path.split_once("/src/")?.1.strip_suffix(".rs")?;
    let mut module: Module = inside.split('/').map(str::to_string).collect();
    if module.last().is_some_and(|name| name == "mod" || name == "lib") {
        module.pop();
    }
    Some(module)
}

impl Contents {
    fn read(module: Module, syntax: &syn::File) -> Contents {
        let mut contents = Contents {
            module,
            declared: BTreeSet::new(),
            methods: BTreeSet::new(),
            imported: BTreeMap::new(),
            globs: Vec::new(),
            paths: BTreeSet::new(),
            calls: BTreeSet::new(),
        };
        for item in &syntax.items {
            if let Some(name) = declared(item) {
                contents.declared.insert(name);
            }
        }
        Finder { contents: &mut contents, in_context: false }.visit_file(syntax);
        contents
    }
}

/// The name that an item declares.
fn declared(item: &syn::Item) -> Option<String> {
    let ident = match item {
        syn::Item::Const(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Static(item) => &item.ident,
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Trait(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        syn::Item::Union(item) => &item.ident,
        syn::Item::Mod(item) if item.content.is_some() => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

struct Finder<'c> {
    contents: &'c mut Contents,
    /// Whether this is inside of an `impl` block of a context, so that `self` is a context.
    in_context: bool,
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let mut leaves = Vec::new();
        expand(&item.tree, &mut Vec::new(), &mut leaves);
        for Leaf { path, name } in leaves {
            let Some(name) = name else {
                self.contents.globs.push(path);
                continue;
            };
            if matches!(item.vis, syn::Visibility::Inherited) {
                self.contents.paths.insert(path.clone());
            }
            self.contents.imported.insert(name, path);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.contents.paths.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let is_of = |context: &str| matches!(&*item.self_ty, syn::Type::Path(ty) if ty.path.is_ident(context));
        let outside = self.in_context;
        self.in_context = CONTEXTS.into_iter().any(is_of);
        if self.in_context && item.trait_.is_none() {
            for member in &item.items {
                if let syn::ImplItem::Fn(method) = member {
                    self.contents.methods.insert(method.sig.ident.to_string());
                }
            }
        }
        visit::visit_item_impl(self, item);
        self.in_context = outside;
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if let syn::Expr::Path(receiver) = &*call.receiver {
            let is_context = |name: &str| receiver.path.is_ident(name);
            if CONTEXT_VARIABLES.into_iter().any(is_context) || self.in_context && is_context("self") {
                self.contents.calls.insert(call.method.to_string());
            }
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.contents.paths.extend(paths_of_tokens(call.tokens.clone()));
        visit::visit_macro(self, call);
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        // Inline modules resolve `super` from themselves; test modules are exempt.
        if module.content.is_none() {
            visit::visit_item_mod(self, module);
        }
    }
}

/// The paths of several segments in the arguments of a macro.
fn paths_of_tokens(tokens: TokenStream) -> Vec<Vec<String>> {
    let (mut paths, mut path, mut colons) = (Vec::new(), Vec::<String>::new(), 0);
    let mut end = |path: &mut Vec<String>| {
        if path.len() > 1 {
            paths.push(std::mem::take(path));
        }
        path.clear();
    };
    let mut inner = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                if colons != 2 {
                    end(&mut path);
                }
                path.push(name.to_string());
                colons = 0;
            }
            TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
            TokenTree::Group(group) => {
                end(&mut path);
                inner.extend(paths_of_tokens(group.stream()));
            }
            _ => end(&mut path),
        }
    }
    end(&mut path);
    paths.extend(inner);
    paths
}

/// One name of a `use`.
struct Leaf {
    /// `self` stands for the path before it.
    path: Vec<String>,
    /// The name that it gets; `None` for `*`.
    name: Option<String>,
}

/// The names of a `use`.
fn expand(tree: &syn::UseTree, before: &mut Vec<String>, leaves: &mut Vec<Leaf>) {
    let add = |leaves: &mut Vec<Leaf>, own: &syn::Ident, name: &syn::Ident| {
        let is_self = own == "self" && !before.is_empty();
        let path = if is_self { before.clone() } else { [before.as_slice(), &[own.to_string()]].concat() };
        let name = if name == "self" { before.last().cloned() } else { Some(name.to_string()) };
        leaves.push(Leaf { path, name });
    };
    match tree {
        syn::UseTree::Path(path) => {
            before.push(path.ident.to_string());
            expand(&path.tree, before, leaves);
            before.pop();
        }
        syn::UseTree::Group(group) => group.items.iter().for_each(|tree| expand(tree, before, leaves)),
        syn::UseTree::Name(syn::UseName { ident }) => add(leaves, ident, ident),
        syn::UseTree::Rename(syn::UseRename { ident, rename, .. }) => add(leaves, ident, rename),
        syn::UseTree::Glob(_) => leaves.push(Leaf { path: before.clone(), name: None }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references(files: &[(&str, &str)]) -> Vec<String> {
        let parsed: Vec<(Module, syn::File)> = files
            .iter()
            .map(|(name, text)| {
                let module = name.split("::").filter(|part| !part.is_empty()).map(str::to_string).collect();
                (module, syn::parse_file(text).expect("the snippet parses"))
            })
            .collect();
        let graph = Graph::of(parsed.iter().map(|(module, syntax)| (module.clone(), syntax)));
        let shown = |((from, to), items): ((String, String), BTreeSet<String>)| {
            format!("{from} -> {to}: {}", items.into_iter().collect::<Vec<_>>().join(" "))
        };
        graph.references().into_iter().map(shown).collect()
    }

    #[test]
    fn paths_lead_to_the_file_that_declares_the_item() {
        let files = [
            ("", "pub use a::b::F;"),
            ("a", "pub mod b; pub use b::*; mod c; pub use c::c;"),
            ("a::b", "pub struct F; pub fn g() {}"),
            ("a::c", "use super::b::{self, F}; pub fn c() { b::g(); }"),
            ("x", "use crate::{F, a}; fn f() -> F { a::g() }"),
            ("y", "fn f() { crate::a::b::made_by_a_macro(); crate::a::c(); }"),
        ];
        let expected = ["a::c -> a::b: F g", "x -> a::b: F g", "y -> a::b: made_by_a_macro", "y -> a::c: c"];
        assert_eq!(references(&files), expected);
    }

    #[test]
    fn reexports_other_crates_and_tests_are_no_references() {
        let files = [
            ("", ""),
            ("a", "pub use crate::b::f; use std::fs; fn g(a: other::A) {} #[cfg(test)] mod tests { use crate::b::f; }"),
            ("b", "pub fn f() {}"),
        ];
        assert!(references(&files).is_empty());
    }

    #[test]
    fn methods_of_the_context_and_macros_are_seen() {
        let files = [
            ("", ""),
            ("a", "impl Cx { pub fn m(&self) { self.n() } }"),
            ("b", "impl Cx { pub fn n(&self) {} } pub struct S;"),
            ("c", "fn f(cx: &Cx) { cx.m(); other.n(); assert!(matches!(v, crate::b::S)); }"),
        ];
        assert_eq!(references(&files), ["a -> b: n", "c -> a: m", "c -> b: S"]);
    }

    #[test]
    fn circles_are_the_files_that_lead_to_each_other() {
        let names: Vec<String> = ["a", "b", "c", "d"].map(String::from).into();
        let reference = |from: &str, to: &str| ((from.to_string(), to.to_string()), BTreeSet::new());
        let references = [reference("a", "b"), reference("b", "c"), reference("c", "b"), reference("c", "d")].into();
        assert_eq!(circles(names.iter(), &references), [["b", "c"]]);
    }

    #[test]
    fn the_module_of_a_file() {
        assert_eq!(module_of("crates/runtime/src/call/mod.rs"), Some(vec!["call".to_string()]));
        assert_eq!(module_of("crates/runtime/src/lib.rs"), Some(Vec::new()));
    }
}
