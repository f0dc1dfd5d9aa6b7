//! What words of objects and scopes hold that were read or stored before, so that a variable that is read again is not
//! loaded, and not tested and unboxed, a second time.
//!
//! A call ends this knowledge: what is called may change the object, and would push the value out of its register. A
//! call on a rarely run path ends it only if the callee may change variables. A store ends it for the same word of
//! other objects, which may be the same object.

use abi::RuntimeCall;

use crate::{
    registers::{Held, Kind, Registers},
    seam::{Emitter, Ssa},
    virtual_objects::Content,
};

/// The most words that are known at a place.
const MOST_KNOWN: usize = 12;

/// A word of an object, and what it holds.
#[derive(Clone, Copy, PartialEq)]
pub struct KnownWord {
    object: Ssa,
    word: u16,
    content: Content,
    /// [`Emitter::changes`] when the word was read or stored.
    since: u32,
}

impl Registers {
    /// What a word of an object holds, if it is known.
    pub fn known_word(&self, e: &Emitter, object: Ssa, word: usize) -> Option<Content> {
        let is_asked = |known: &&KnownWord| known.object == object && usize::from(known.word) == word;
        self.words.iter().find(is_asked).filter(|known| known.since == e.changes).map(|known| known.content)
    }

    /// Records that a word of an object holds a value, which was loaded.
    pub fn know_word(&mut self, e: &Emitter, object: Ssa, word: usize, content: Content) {
        self.words.retain(|known| known.since == e.changes);
        if self.words.len() < MOST_KNOWN && content.held.object.is_none() {
            self.words.push(KnownWord { object, word: word as u16, content, since: e.changes });
        }
    }

    /// Records that a value was stored in a word of an object.
    pub fn store_word(&mut self, e: &Emitter, object: Ssa, word: usize, value: Ssa, kind: Kind) {
        self.words.retain(|known| usize::from(known.word) != word);
        let held = self.held.iter().find(|held| held.value == Some(value)).copied();
        let held = Held { value: Some(value), kind, ..held.unwrap_or_default() };
        self.know_word(e, object, word, Content { held, sample: kind.typical() });
    }

    /// Forgets all words: any of them may have been stored to.
    pub fn forget_words(&mut self) {
        self.words.clear();
    }

    /// Records what a guard has found out about a value, for the words that hold it, too.
    pub fn learn_of_words(&mut self, value: Option<Ssa>, learn: impl Fn(&mut Held)) {
        let holds = |known: &&mut KnownWord| value.is_some() && known.content.held.value == value;
        self.words.iter_mut().filter(holds).for_each(|known| learn(&mut known.content.held));
    }

    /// The words of objects of which nothing but the shape has become unknown.
    pub fn forget_shapes_of_words(&mut self) {
        for known in &mut self.words {
            if matches!(known.content.held.kind, Kind::Shape(_)) {
                known.content.held.kind = Kind::Cell;
            }
        }
    }
}

/// Whether a call of the runtime leaves the variables of all objects as they are.
pub fn keeps_variables(call: RuntimeCall) -> bool {
    use RuntimeCall::*;
    matches!(
        call,
        NewFloat
            | NewCell
            | NewObject
            | EmptyArray
            | Collect
            | NewArray
            | NewString
            | Slice
            | Index
            | IndexNear
            | Fetch
            | HasKey
            | Equal
            | IsInstance
            | GetIvar
            | Constant
            | JumpTable
            | SetSlot
            | CloseEnvironment
            | WriteOpenFrames
            | PushInlinedFrames
    )
}
