//! How many arguments methods and blocks take.

use abi::Value;
use object::{
    cell,
    method_entry::{self, Kind},
};

use super::{native_block::NativeBlockBox, signatures};
use crate::{
    Cx,
    code::{Code, code},
    method_table::row,
};

/// Method#arity of an entry whose code is linked.
pub fn arity_of(entry: Value) -> i64 {
    let entry = method_entry::resolve_alias(entry);
    match method_entry::kind(entry) {
        Kind::Sequence => code_arity(code(&method_entry::body(entry)), true),
        Kind::Native => row(entry).arity(),
        Kind::AttributeWriter | Kind::StructWriter => 1,
        Kind::AttributeReader | Kind::StructReader => 0,
        Kind::Block => proc_arity(method_entry::body(entry), true),
        _ => -1,
    }
}

/// Arity of a sequence; `strict` for methods and lambdas.
pub fn code_arity(code: &Code, strict: bool) -> i64 {
    let p = &code.parameters;
    let required = (p.required + p.post) as i64;
    let required_keyword = p.keywords.iter().any(|(_, required)| *required);
    if p.rest.is_some() || (strict && p.optional > 0) {
        return -(required + required_keyword as i64) - 1;
    }
    if !strict && p.optional > 0 {
        return -required - 1;
    }
    if required_keyword {
        return required + 1;
    }
    if strict && (!p.keywords.is_empty() || p.keyword_rest.is_some()) {
        return -required - 1;
    }
    required
}

/// Arity of a Proc; `strict` where it is used as a lambda.
pub fn proc_arity(p: Value, strict: bool) -> i64 {
    use object::proc;
    let header = cell::header(p);
    if header.has(proc::FROM_SYMBOL) {
        return -2;
    }
    if header.has(proc::NATIVE) {
        return object::native::get::<NativeBlockBox>(&proc::code(p)).map_or(-1, |b| b.0.arity());
    }
    if header.has(proc::FROM_METHOD) {
        return crate::method_object::get(&proc::code(p))
            .map_or(-1, |m| if m.missing { -1 } else { arity_of(m.entry) });
    }
    code_arity(code(&proc::code(p)), strict)
}

/// `Method#arity` of an entry.
pub fn reported_arity(cx: &mut Cx, entry: Value) -> i64 {
    signatures::of_entry(cx, entry).map_or_else(|| arity_of(entry), |signature| signature.arity())
}

/// Proc#arity: optional parameters of a proc that is no lambda do not count.
pub fn reported_proc_arity(cx: &mut Cx, p: Value, strict: bool) -> i64 {
    use object::proc;
    if cell::header(p).has(proc::FROM_METHOD)
        && let Some(method) = crate::method_object::get(&proc::code(p))
        && !method.missing
    {
        return reported_arity(cx, method.entry);
    }
    let other = proc::FROM_SYMBOL | proc::NATIVE | proc::FROM_METHOD;
    if !strict && !cell::header(p).has(other) {
        let body = proc::code(p);
        let parameters = &code(&body).parameters;
        if parameters.optional > 0 && parameters.rest.is_none() {
            let required_keyword = parameters.keywords.iter().any(|(_, required)| *required);
            return (parameters.required + parameters.post) as i64 + required_keyword as i64;
        }
    }
    proc_arity(p, strict)
}

/// Whether the method exists only to report that the system lacks the feature.
pub fn is_not_implemented(entry: Value) -> bool {
    method_entry::kind(entry) == Kind::Native && row(entry).facts.absent
}
