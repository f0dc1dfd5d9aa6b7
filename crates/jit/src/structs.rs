//! `new` of classes that `Struct.new` and `Data.define` have created: the arguments are the members of the instance.

use abi::{Flags, Value};
use object::{Known, Sym, array::Arr, cell, class, method_entry, structure};
use runtime::{
    Cx,
    code::exits::MOST_WORDS,
    instructions::ivars::{InShape, in_shape},
    method_table::InLine,
    sym,
};

use crate::{
    new::receiver_of_new,
    sites::Site,
    translate::Translator,
    virtual_objects::{Content, Virtual},
};

/// An instance that a call creates.
pub struct Instance {
    of: Value,
    /// The word of the call's window that each member is set to; `None`: nil.
    members: Vec<Option<u16>>,
}

/// The instance that the call of `new` on a class with this shape creates, if `initialize` is not the program's and the
/// arguments fit.
pub fn instance(t: &Translator, call: Site, which: InLine, shape: u32) -> Option<Instance> {
    let is_data = which == InLine::NewData;
    let of = receiver_of_new(t.cx, t.r.kind(call.window), shape).filter(|of| class::is_module(*of))?;
    let base = t.cx.class(if is_data { Known::Data } else { Known::Struct });
    let entry = class::lookup::known(of, sym::INITIALIZE).filter(|entry| entry.is_heap())?;
    if method_entry::owner(entry) != base || !t.can_have_virtual_objects() || call.has_block() {
        return None;
    }
    let names = Arr::from_value(hidden_of_class(t.cx, of, sym::MEMO_MEMBERS)?)?;
    let by_keywords = hidden_of_class(t.cx, of, sym::STRUCT_KEYWORD_INIT).unwrap_or(Value::NIL);
    let (given, keywords) = (call.arguments(), call.site.keywords());
    let fits = match (given, keywords.len()) {
        (_, 0) => !by_keywords.truthy() && usize::from(given) <= names.len(),
        (0, _) => by_keywords != Value::FALSE,
        _ => false,
    };
    let count = usize::from(given) + keywords.len();
    if !fits || names.len() > MOST_WORDS || is_data && count != names.len() {
        return None;
    }
    let mut members: Vec<Option<u16>> = (1..=given).map(Some).collect();
    members.resize(names.len(), None);
    for (word, name) in (1 + given..).zip(keywords) {
        let member = &mut members[names.iter().position(|known| known == name.value())?];
        if member.replace(word).is_some() {
            return None;
        }
    }
    Some(Instance { of, members })
}

/// A hidden variable of a Struct or Data class, from the class or a superclass.
fn hidden_of_class(cx: &Cx, of: Value, name: Sym) -> Option<Value> {
    let ancestors = std::iter::successors(Some(of), |at| Some(class::superclass(*at)).filter(|at| !at.is_nil()));
    ancestors.into_iter().find_map(|at| match in_shape(cx, cell::header(at).shape(), name)? {
        // SAFETY: it is a class, which nothing changes while this is compiled; its shape says that it has the variable.
        InShape::OfClass(word) => Some(unsafe { cell::word(class::data::live_data(at).variables, word.into()) }),
        InShape::At(_) | InShape::Missing | InShape::Added(..) => None,
    })
}

/// Translates the call; the instance is not made yet.
pub fn new(t: &mut Translator, call: Site, which: InLine, shape: u32) {
    let Some(Instance { of, members }) = instance(t, call, which, shape) else {
        unreachable!("the call was found to fit")
    };
    t.keep(of);
    t.rely_on_lookup(of, sym::INITIALIZE);
    t.begins_virtual_object();
    let words: Vec<Content> = members
        .iter()
        .map(|word| match word {
            Some(word) => t.r.content(&mut t.e, t.context, call.window + word),
            None => Content::of_constant(&mut t.e, Value::NIL),
        })
        .collect();
    let flags = if which == InLine::NewData { Flags::FROZEN } else { 0 };
    let header = structure::header(class::root_shape(of), words.len(), flags);
    t.r.write_object(call.destination, Virtual { header, words });
}
