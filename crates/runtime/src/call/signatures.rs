//! What `Method#arity` and `parameters` say of the methods that Beni itself defines.
//!
//! In CRuby most of them are C functions, whose parameters have no names: a function with optional arguments reports
//! any number of them. The others are Ruby code, and the arities of a few differ from their use: these are listed in
//! `signatures.txt`.

use std::sync::OnceLock;

use abi::Value;
use object::{
    cell,
    class::{self, class_data},
    method_entry::{self, Kind},
    proc,
    string::Str,
};
use rustc_hash::FxHashMap;

use crate::{
    Cx,
    code::{Code, code},
    method_object,
    method_table::row,
    unlinked,
};

/// The parameters that a method of Beni reports.
pub enum Signature {
    /// Those of a C function: this number of arguments, or any number if `None`.
    Function(Option<usize>),
    /// Kinds (`req`, `opt`, `rest` …) and names.
    Named(&'static [(&'static str, &'static str)]),
}

impl Signature {
    pub fn arity(&self) -> i64 {
        let named = match self {
            Signature::Function(required) => return required.map_or(-1, |n| n as i64),
            Signature::Named(named) => named,
        };
        let has = |wanted: &str| named.iter().any(|(kind, _)| *kind == wanted);
        let required = named.iter().filter(|(kind, _)| *kind == "req").count() as i64;
        let is_open = has("opt") || has("rest") || has("key") || has("keyrest");
        if is_open { -required - 1 } else { required }
    }
}

/// The signature of a method that Beni defines; `None` for a method of the program.
pub fn of_entry(cx: &mut Cx, entry: Value) -> Option<Signature> {
    let entry = method_entry::resolve_alias(entry);
    let function = function(cx, entry)?;
    let owner = method_entry::owner(entry);
    let is_singleton = class::flags(owner).singleton;
    let of = if is_singleton { class::attached(owner) } else { owner };
    if !class::is_module(of) {
        return Some(function);
    }
    // The name is looked up first: few names are listed.
    let name = std::str::from_utf8(method_entry::original_name(entry).bytes(cx)).ok();
    let methods = name.and_then(|name| listed().get(name)).map_or(&[][..], Vec::as_slice);
    let owner = class_data(cx, of).name;
    let is_of = |method: &&Listed| {
        method.is_singleton == is_singleton && !owner.is_nil() && Str::of(owner).bytes(cx) == method.owner.as_bytes()
    };
    Some(match methods.iter().find(is_of) {
        Some(Listed { signature: Signature::Function(required), .. }) => Signature::Function(*required),
        Some(Listed { signature: Signature::Named(named), .. }) => Signature::Named(named),
        None => function,
    })
}

/// The signature of a C function that takes the same arguments.
fn function(cx: &mut Cx, entry: Value) -> Option<Signature> {
    let body = match method_entry::kind(entry) {
        Kind::Native => {
            let row = row(entry);
            let is_open = row.optional > 0 || row.rest || row.keywords;
            return Some(Signature::Function((!is_open).then_some(row.required.into())));
        }
        Kind::Sequence => method_entry::body(entry),
        Kind::Block => {
            let body = method_entry::body(entry);
            let header = cell::header(body);
            if header.has(proc::FROM_METHOD) {
                let inner = method_object::get(&proc::code(body)).filter(|inner| !inner.missing)?.entry;
                return function(cx, method_entry::resolve_alias(inner));
            }
            if header.has(proc::NATIVE | proc::FROM_SYMBOL) {
                return None;
            }
            proc::code(body)
        }
        _ => return None,
    };
    unlinked::linked(cx, &body);
    of_code(code(&body))
}

fn of_code(code: &Code) -> Option<Signature> {
    let p = &code.parameters;
    if !code.internal {
        return None;
    }
    let is_open = p.optional > 0 || p.rest.is_some() || p.keyword_rest.is_some() || !p.keywords.is_empty();
    Some(Signature::Function((!is_open).then_some((p.required + p.post).into())))
}

/// A listed method.
struct Listed {
    owner: &'static str,
    is_singleton: bool,
    signature: Signature,
}

/// The listed methods by their names.
fn listed() -> &'static FxHashMap<&'static str, Vec<Listed>> {
    static LISTED: OnceLock<FxHashMap<&'static str, Vec<Listed>>> = OnceLock::new();
    LISTED.get_or_init(|| {
        let mut listed: FxHashMap<_, Vec<_>> = FxHashMap::default();
        let lines = include_str!("signatures.txt").lines();
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with("# ")) {
            let Some((key, signature)) = parse(line) else { continue };
            // Names of operators contain a dot or `#` only at their end, those of modules none.
            let Some(at) = key.find(['#', '.']) else { continue };
            let (owner, is_singleton) = (&key[..at], key.as_bytes()[at] == b'.');
            listed.entry(&key[at + 1..]).or_default().push(Listed { owner, is_singleton, signature });
        }
        listed
    })
}

/// `Owner#name(a, b=, *rest, key:, **options, &block)`, or `Owner#name arity`: all before the list, and the signature.
fn parse(line: &'static str) -> Option<(&'static str, Signature)> {
    let Some(list) = line.strip_suffix(')') else {
        let (key, arity) = line.rsplit_once(' ')?;
        return Some((key, Signature::Function(arity.parse().ok())));
    };
    let (key, list) = list.split_once('(')?;
    let named = list.split(", ").filter(|part| !part.is_empty()).map(|part| {
        let prefixed = |prefix: &str| part.strip_prefix(prefix).map(|name| if name.is_empty() { part } else { name });
        if let Some(name) = prefixed("**") {
            ("keyrest", name)
        } else if let Some(name) = prefixed("*") {
            ("rest", name)
        } else if let Some(name) = prefixed("&") {
            ("block", name)
        } else if let Some(name) = part.strip_suffix(':') {
            ("key", name)
        } else if let Some(name) = part.strip_suffix('=') {
            ("opt", name)
        } else {
            ("req", part)
        }
    });
    Some((key, Signature::Named(named.collect::<Vec<_>>().leak())))
}
