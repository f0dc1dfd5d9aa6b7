//! `--dump-facts`: a line for each native method with the facts of its row, and for each method of a Ruby half that
//! borrows parameters.

use object::{
    class::{self, class_data},
    method_entry::{self, Kind},
};
use runtime::{Cx, Method, R, Value, call::native, define, method_table, unlinked};

/// The native methods of all existing modules, sorted.
pub fn dump(cx: &mut Cx) -> R<String> {
    let modules = cx.snapshot_objects(&mut class::is_module).map_err(|_| cx.no_memory())?;
    let mut lines = Vec::new();
    for module in modules.iter() {
        let entries = class_data(cx, module).methods().iter().map(|(name, entry)| (*name, entry.0));
        for (name, entry) in entries.collect::<Vec<_>>() {
            let row = match method_entry::kind(entry) {
                Kind::Native => method_table::row(entry),
                Kind::Sequence => match native::shortcut(cx, entry) {
                    Some(row) => row,
                    None => {
                        lines.extend(ruby_half(cx, module, entry));
                        continue;
                    }
                },
                _ => continue,
            };
            // An alias has the row of the original method.
            if name.to_text(cx) == row.name() {
                lines.push(line(cx, module, row));
            }
        }
    }
    lines.sort();
    lines.dedup();
    Ok(lines.concat())
}

fn owner_of(cx: &mut Cx, module: Value) -> String {
    let attached = class::attached(module);
    if class::flags(module).singleton && class::is_module(attached) {
        format!("{}.", define::class_name(cx, attached))
    } else {
        format!("{}#", define::class_name(cx, module))
    }
}

/// The parameters that the method of a Ruby half only passes on.
fn ruby_half(cx: &mut Cx, module: Value, entry: Value) -> Option<String> {
    let body = method_entry::body(entry);
    let (owner, own) = (owner_of(cx, module), unlinked::linked(cx, &body));
    let lent = own.parameters.lent;
    if !own.internal || lent == 0 {
        return None;
    }
    let mut text = format!("{owner}{}: ruby_half", method_entry::name(entry).to_text(cx));
    (0..15).filter(|n| lent & (1 << n) != 0).for_each(|n| text += &format!(" borrows({n})"));
    Some(text + "\n")
}

fn line(cx: &mut Cx, module: Value, row: &Method) -> String {
    let owner = owner_of(cx, module);
    let facts = row.facts;
    let mut text = format!("{owner}{}:", row.signature);
    for (is_so, name) in [(facts.leaf, " leaf"), (facts.pure, " pure"), (facts.shortcut, " shortcut")] {
        if is_so {
            text.push_str(name);
        }
    }
    if let Some(known) = facts.returns {
        text += &format!(" returns({})", define::class_name(cx, cx.class(known)));
    }
    match facts.borrowed & 0x7fff {
        0x7fff => text.push_str(" borrows_all"),
        some => (0..15).filter(|n| some & (1 << n) != 0).for_each(|n| text += &format!(" borrows({n})")),
    }
    if facts.borrowed & 0x8000 != 0 {
        text.push_str(" borrows_receiver");
    }
    text.push('\n');
    text
}
