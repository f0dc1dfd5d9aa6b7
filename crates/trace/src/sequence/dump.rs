//! Descriptions of sequences: as text, as nested Arrays, and their events.

use abi::Value;
use bytecode::sequence::Events;
use object::{hash::HashRef, symbol::table::intern_text};
use runtime::{
    Args, Cx, R,
    code::{self, Code},
    keys, make,
};

use super::{absolute_path, code_of, kind_name, own};
use crate::point;

fn listing(c: &Code) -> String {
    let mut text = String::new();
    runtime::link::each_nested(c.own.get(), |cell| {
        if !text.is_empty() {
            text.push('\n');
        }
        list(code::code(&cell), &mut text);
        true
    });
    text
}

/// Appends the code without what is nested in it.
fn list(c: &Code, text: &mut String) {
    let (name, path) = (c.label(), &c.source.path);
    text.push_str(&format!(
        "== disasm: #<ISeq:{name}@{path}:{} ({},{})-({},{})>\n",
        c.first_line, c.first_line, c.first_column, c.last_line, c.last_column
    ));
    let mut last = 0;
    for word in 0..c.instructions.len() {
        let i = c.instruction(word);
        let line = c.line(word);
        let mark = if line == last { String::new() } else { format!("({line:>4})") };
        last = line;
        let events = event_of(c, word).map_or(String::new(), |(_, e)| {
            let short = [
                (1u16, "Li"),
                (2, "Cl"),
                (4, "En"),
                (8, "Ca"),
                (16, "Re"),
                (0x100, "Bc"),
                (0x200, "Br"),
                (0x4000, "Rs"),
            ];
            let names: Vec<&str> = short.iter().filter(|(b, _)| e.0 & b != 0).map(|(_, n)| *n).collect();
            format!("[{}]", names.join(""))
        });
        let line = format!("{word:04} {:<23} {:>5} {:>5} {:>5} {mark}{events}", i.op().name(), i.a, i.b, i.c);
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

/// `disasm`, `disassemble → string`: the bytecode in readable form, including that of nested blocks and methods.
pub fn disasm(cx: &mut Cx, args: Args) -> R {
    let text = listing(own(cx, args));
    Ok(make::text(cx, &text))
}

/// `RubyVM::InstructionSequence.disasm(body)`, `RubyVM::InstructionSequence.disassemble(body) → string or nil`: the
/// bytecode of a method or proc in readable form; nil for a native one.
pub fn disasm_of(cx: &mut Cx, args: Args) -> R {
    match code_of(cx, args.at(0)) {
        Some(body) => {
            let text = listing(code::code(&body));
            Ok(make::text(cx, &text))
        }
        None => Ok(Value::NIL),
    }
}

/// `trace_points → [[line, :event], …]`: the events of the code itself, without those of nested blocks and methods.
pub fn trace_points(cx: &mut Cx, args: Args) -> R {
    let list = make::array(cx, &[]);
    let c = own(cx, args);
    for (word, events) in &c.events {
        for bit in ORDER.into_iter().filter(|bit| events.0 & bit != 0) {
            let name = intern_text(cx, point::name_of(bit as u32));
            let line = Value::fixnum(c.event_line(*word as usize, bit) as i64);
            let row = make::array(cx, &[line, name.value()]);
            make::push(cx, list, row);
        }
    }
    Ok(list)
}

/// `to_a → array`: the form that debuggers read: index 13 holds line numbers, `:RUBY_EVENT_…` and instructions.
pub fn to_a(cx: &mut Cx, args: Args) -> R {
    let c = own(cx, args);
    let magic = make::text(cx, "YARVInstructionSequence/SimpleDataFormat");
    let misc = figures(cx, c)?;
    let (label, path_) = (make::text(cx, &c.label()), make::text(cx, &c.source.path));
    let real = absolute_path(cx, args)?;
    let ty = intern_text(cx, kind_name(c)).value();
    let locals = names(cx, c, usize::MAX, true);
    let (parameters, catches) = (parameters(cx, c)?, catches(cx, c));
    let body = make::array(cx, &[]);
    let mut last = -1;
    for word in 0..c.instructions.len() {
        let line = c.line(word);
        if line != last {
            last = line;
            make::push(cx, body, Value::fixnum(line as i64));
        }
        if let Some((_, events)) = event_of(c, word) {
            for bit in BITS.into_iter().filter(|bit| events.0 & bit != 0) {
                let line = c.event_line(word, bit);
                if line != last {
                    last = line;
                    make::push(cx, body, Value::fixnum(line as i64));
                }
                let name = format!("RUBY_EVENT_{}", point::name_of(bit as u32).to_uppercase());
                let name = intern_text(cx, &name);
                make::push(cx, body, name.value());
            }
        }
        let i = c.instruction(word);
        let name = intern_text(cx, i.op().name());
        let operands = [i.a, i.b, i.c].map(|n| Value::fixnum(n as i64));
        let row = make::array(cx, &[name.value(), operands[0], operands[1], operands[2]]);
        make::push(cx, body, row);
    }
    let first = Value::fixnum(c.first_line as i64);
    let numbers = [4, 0, 1].map(Value::fixnum);
    Ok(make::array(
        cx,
        &[
            magic, numbers[0], numbers[1], numbers[2], misc, label, path_, real, first, ty, locals, parameters,
            catches, body,
        ],
    ))
}

/// The parameters in CRuby's format: positions of locals and the accepted arguments.
fn parameters(cx: &mut Cx, c: &Code) -> R {
    let p = &c.parameters;
    let hash = HashRef::new(cx).value();
    let put = |cx: &mut Cx, name: &str, v: Value| {
        let key = intern_text(cx, name);
        keys::store(cx, hash, key.value(), v)
    };
    let number = |n: u16| Value::fixnum(n as i64);
    // Register 0 is self, which locals do not count.
    let place = |register: u16| Value::fixnum(register as i64 - 1);
    if p.optional > 0 {
        let labels = make::array(cx, &[]);
        for i in 0..=p.optional {
            let label = intern_text(cx, &format!("label_{i}"));
            make::push(cx, labels, label.value());
        }
        put(cx, "opt", labels)?;
    }
    if p.required > 0 {
        put(cx, "lead_num", number(p.required))?;
    }
    if p.post > 0 {
        put(cx, "post_num", number(p.post))?;
        let first = p.rest.map_or(p.required + p.optional, |rest| rest);
        put(cx, "post_start", number(first))?;
    }
    if let Some(rest) = p.rest {
        put(cx, "rest_start", place(rest))?;
    }
    if !p.keywords.is_empty() {
        let list = make::array(cx, &[]);
        for (name, required) in c.keyword_names() {
            let v = if *required { name.value() } else { make::array(cx, &[name.value()]) };
            make::push(cx, list, v);
        }
        put(cx, "keyword", list)?;
    }
    if let Some(rest) = p.keyword_rest {
        put(cx, "kwrest", place(rest))?;
    }
    if let Some(block) = p.block {
        put(cx, "block_start", place(block))?;
    }
    if runtime::unused_blocks::takes_block(c) {
        put(cx, "use_block", Value::TRUE)?;
    }
    Ok(hash)
}

/// The sizes and the position in the source.
fn figures(cx: &mut Cx, c: &Code) -> R {
    let hash = HashRef::new(cx).value();
    let locals = c.locals.len() as i64;
    let rows = [
        ("arg_size", Value::fixnum(c.parameter_count as i64)),
        ("local_size", Value::fixnum(locals)),
        ("stack_max", Value::fixnum(c.registers as i64 - locals - 1)),
        ("node_id", Value::fixnum(-1)),
    ];
    for (name, v) in rows {
        let key = intern_text(cx, name);
        keys::store(cx, hash, key.value(), v)?;
    }
    let place = [c.first_line as i64, c.first_column as i64, c.last_line as i64, c.last_column as i64];
    let place = make::array(cx, &place.map(Value::fixnum));
    let (location, nodes, parser) =
        (intern_text(cx, "code_location"), intern_text(cx, "node_ids"), intern_text(cx, "parser"));
    keys::store(cx, hash, location.value(), place)?;
    let none = make::array(cx, &[]);
    keys::store(cx, hash, nodes.value(), none)?;
    let prism = intern_text(cx, "prism");
    keys::store(cx, hash, parser.value(), prism.value())?;
    Ok(hash)
}

/// The rows of the exception table: `[:rescue or :ensure, nil, from, to, target, register]`.
fn catches(cx: &mut Cx, c: &Code) -> Value {
    let list = make::array(cx, &[]);
    for h in c.handlers() {
        let kind = if h.kind == bytecode::HandlerKind::Rescue { "rescue" } else { "ensure" };
        let kind = intern_text(cx, kind);
        let labels = [h.from, h.to, h.target].map(|word| intern_text(cx, &format!("label_{word}")).value());
        let row = make::array(
            cx,
            &[kind.value(), Value::NIL, labels[0], labels[1], labels[2], Value::fixnum(h.register as i64)],
        );
        make::push(cx, list, row);
    }
    list
}

/// The events of a word.
fn event_of(c: &Code, word: usize) -> Option<&(u32, Events)> {
    let at = c.events.binary_search_by_key(&(word as u32), |(w, _)| *w).ok()?;
    Some(&c.events[at])
}
/// `anonymous`: anonymous parameters are called `:*`, `:**` and `:&`, those of `...` together `:...`.
pub fn names(cx: &mut Cx, c: &Code, most: usize, anonymous: bool) -> Value {
    let list = make::array(cx, &[]);
    let p = &c.parameters;
    let kinds = match p.forwarding {
        true => [(p.rest, "..."), (None, ""), (None, "")],
        false => [(p.rest, "*"), (p.keyword_rest, "**"), (p.block, "&")],
    };
    for (name, register) in c.locals.iter().take(most) {
        let kind = kinds.iter().find(|(place, _)| anonymous && *place == Some(*register));
        match kind {
            _ if !name.value().is_undef() => make::push(cx, list, name.value()),
            Some((_, kind)) => {
                let name = intern_text(cx, kind);
                make::push(cx, list, name.value());
            }
            None => {}
        }
    }
    list
}

/// The order of the events of a word.
const ORDER: [u16; 8] = [
    Events::CALL,
    Events::B_CALL,
    Events::CLASS,
    Events::RESCUE,
    Events::LINE,
    Events::B_RETURN,
    Events::RETURN,
    Events::END,
];

/// The order of CRuby's to_a: ascending bits.
const BITS: [u16; 8] = [
    Events::LINE,
    Events::CLASS,
    Events::END,
    Events::CALL,
    Events::RETURN,
    Events::B_CALL,
    Events::B_RETURN,
    Events::RESCUE,
];
