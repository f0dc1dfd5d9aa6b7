//! How compiled code continues in the interpreter: an exit pushes the frames of the inlined bodies that were running.

use std::{
    cell::OnceCell,
    mem::offset_of,
    rc::Rc,
    sync::atomic::{AtomicBool, Ordering},
};

use abi::{BlockHandler, Frame, Scope, Value};

use super::{live_code, tier::InlinedBody};

mod stores;

pub use stores::{ExitStore, MOST_MADE, MOST_WORDS, Source, Stores, Target};

static HAS_INLINED: AtomicBool = AtomicBool::new(false);

/// Whether compiled code with inlined bodies exists. If so, words above the top frame's registers may belong to them.
pub fn has_inlined() -> bool {
    HAS_INLINED.load(Ordering::Relaxed)
}

/// Called when compiled code with inlined bodies is installed.
pub(super) fn note_inlined() {
    HAS_INLINED.store(true, Ordering::Relaxed);
}

/// The words of a frame as compiled code copies them. Aligned so that its address has room for a tag and a count (see
/// [`super::open_frames::tagged`]).
#[derive(Default, PartialEq, Eq)]
#[repr(align(32))]
pub struct FrameImage(pub [u64; size_of::<Frame>() / 8]);

/// The frame of an inlined body, which is pushed only when something may look at it.
pub struct InlinedFrame {
    /// The frame below it; `None`: the frame of the compiled code.
    pub below: Option<Rc<InlinedFrame>>,
    /// The number of this frame: 0 is the compiled code's own frame, 1 the one above it.
    pub number: usize,
    /// The words of the frame, without those that the following fields describe.
    pub image: FrameImage,
    /// Where its registers begin, in words from those of the compiled code's frame.
    pub offset: usize,
    pub home: Home,
    /// The number of the frame that passes a literal block to the body.
    pub passed_by: Option<usize>,
    /// The address in the caller's code at which the frame below continues.
    pub caller_pc: *const u64,
    /// The literal block that the frame below passes, or nil.
    pub caller_block: Value,
    /// The call that is inlined, see [`place`].
    pub call: u64,
}

/// A place at which the interpreter continues for compiled code.
#[derive(Clone)]
pub struct Exit {
    /// The frame on top; `None`: the compiled code's own frame.
    pub top: Option<Rc<InlinedFrame>>,
    /// The word of the top frame's code.
    pub word: usize,
    pub place: u64,
    pub reason: Reason,
}

/// The frame around an inlined block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// The body is not that of a block.
    None,
    /// An inlined frame, by its number.
    Inlined(usize),
    /// The frame that passes a literal block to the scope this many levels out of the compiled code's scope.
    Passer(usize),
}

/// The exits of a unit by their numbers, at an address that machine code has. A program has tens of thousands, few of
/// which are ever taken, so they are packed.
#[derive(Default)]
pub struct ExitTable {
    exits: Box<[Packed]>,
    /// The frames on top.
    tops: Box<[Rc<InlinedFrame>]>,
    /// For each exit, the values that it stores or adds. Known when the machine code is made.
    pub stores: OnceCell<Stores>,
}

#[derive(Clone, Copy)]
struct Packed {
    /// The two halves of [`Exit::place`].
    path: u32,
    place_word: u32,
    word: u32,
    /// The position of the frame on top, counted from 1; 0: the compiled code's own frame.
    top: u16,
    reason: Reason,
}

const _: () = assert!(size_of::<Packed>() == 16);

impl ExitTable {
    pub fn new(exits: impl ExactSizeIterator<Item = Exit>) -> ExitTable {
        let mut tops: Vec<Rc<InlinedFrame>> = Vec::new();
        let exits = exits.map(|exit| {
            let top = exit.top.map_or(0, |top| {
                // Most exits have the same frame as one shortly before.
                let known = tops.iter().rposition(|known| Rc::ptr_eq(known, &top));
                let at = known.unwrap_or_else(|| {
                    tops.push(top);
                    tops.len() - 1
                });
                let Ok(number) = u16::try_from(at + 1) else { unreachable!("a unit has a few hundred bodies") };
                number
            });
            let (path, place_word) = ((exit.place >> 32) as u32, exit.place as u32);
            Packed { path, place_word, word: exit.word as u32, top, reason: exit.reason }
        });
        ExitTable { exits: exits.collect(), tops: tops.into(), stores: OnceCell::new() }
    }

    pub fn get(&self, number: usize) -> Exit {
        let Packed { path, place_word, word, top, reason } = self.exits[number];
        let top = usize::from(top).checked_sub(1).map(|at| self.tops[at].clone());
        Exit { top, word: word as usize, place: place(path, place_word as usize), reason }
    }
}

/// Why compiled code exits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A guard failed. The code learns from it.
    GuardFailed,
    /// The code yields to a literal block that it was not compiled for. It is compiled again for that block as well.
    NewBlock,
    /// The instructions that follow had not run when the code was compiled, and were left out.
    Unvisited,
    /// The compiler leaves the instruction to the interpreter, or `--jit-exit-every` forces the exit.
    LeftToInterpreter,
    /// The baseline code has run often enough to be compiled in full.
    Warm,
    /// The frames exist, and the callee has captured one of them: its variables moved to the heap, or its `$~` was set.
    /// The body of that frame is not inlined any more.
    Captured,
}

/// What an exit found.
pub enum Taken {
    /// The frame on top, which the interpreter runs.
    Running(*mut Frame),
    /// A frame was captured: the call whose body it belongs to, see [`place`].
    Captured(u64),
}

/// A place in a unit: the word of an instruction and the path of inlined calls to its body, 0 for the unit's own.
pub fn place(path: u32, word: usize) -> u64 {
    u64::from(path) << 32 | word as u64
}

impl InlinedFrame {
    /// The code object of the body.
    pub fn code(&self) -> Value {
        Value(self.image.0[offset_of!(Scope, code) / 8])
    }

    /// The entry of the method, nil for a block.
    pub fn entry(&self) -> Value {
        Value(self.image.0[offset_of!(Scope, entry) / 8])
    }

    /// The bodies of this frame and of those below it, innermost first; `pc`: the address at which this one continues.
    pub fn bodies(&self, pc: *const u64) -> impl Iterator<Item = InlinedBody> {
        let (mut frame, mut pc) = (Some(self), pc);
        std::iter::from_fn(move || {
            let body = frame?;
            frame = body.below.as_deref();
            let pc = std::mem::replace(&mut pc, body.caller_pc) as u64;
            Some(InlinedBody { code: body.code(), entry: body.entry(), pc })
        })
    }

    /// Pushes this frame and those below it from the number `first` on; returns this frame. `pc`: the address at which
    /// it continues.
    ///
    /// # Safety
    /// `root` is the frame of the compiled code, above which there is room; nothing runs above it. The frames below
    /// `first` exist. `pc` points into this frame's code.
    pub unsafe fn push_frames(&self, root: *mut Frame, first: usize, pc: *const u64) -> *mut Frame {
        // SAFETY: this function's contract.
        unsafe {
            self.push(root, first);
            let this = root.sub(self.number);
            (*this).pc = pc;
            this
        }
    }

    /// # Safety
    /// As for [`InlinedFrame::push_frames`].
    unsafe fn push(&self, root: *mut Frame, first: usize) {
        if self.number > first
            && let Some(below) = &self.below
        {
            // SAFETY: this function's contract.
            unsafe { below.push(root, first) };
        }
        let number = self.number;
        // SAFETY: frames lie beside each other, later ones below; the compiled code made sure that there is room for
        // all that it inlines. The image has a frame's words, without pointers that are set here.
        unsafe {
            let (this, below) = (root.sub(number), root.sub(number - 1));
            (*below).pc = self.caller_pc;
            if !self.caller_block.is_nil() {
                (*below).block_code = self.caller_block;
            }
            this.cast::<[u64; size_of::<Frame>() / 8]>().write(self.image.0);
            let scope = &raw mut (*this).scope;
            (*scope).slots = (*root).scope.slots.add(self.offset);
            let home = match self.home {
                Home::None => None,
                Home::Inlined(number) => Some(root.sub(number)),
                Home::Passer(depth) => (*Scope::out(&raw const (*root).scope, depth)).block.frame(),
            };
            if let Some(home) = home {
                let home: *const Scope = &raw const (*home).scope;
                (*scope).outer = home;
                ((*scope).cref, (*scope).entry) = ((*home).cref, (*home).entry);
            }
            if let Some(by) = self.passed_by {
                (*scope).block = BlockHandler::literal(root.sub(by));
            }
        }
    }

    /// The call of the outermost inlined body whose frame was captured.
    ///
    /// # Safety
    /// Its frame and those below exist.
    unsafe fn captured(&self, root: *mut Frame) -> Option<u64> {
        // SAFETY: this function's contract.
        let below = self.below.as_ref().and_then(|below| unsafe { below.captured(root) });
        // SAFETY: the frame exists.
        let scope = unsafe { &(*root.sub(self.number)).scope };
        below.or_else(|| (!scope.environment.is_nil() || !scope.special.is_nil()).then_some(self.call))
    }
}

impl Exit {
    /// Pushes the frames, and sets their `pc`s, so that the interpreter can continue.
    ///
    /// # Safety
    /// `root` is the frame of the compiled code that leaves here.
    pub unsafe fn take(&self, root: *mut Frame) -> Taken {
        if self.reason == Reason::Captured {
            // SAFETY: the frames exist, as the reason says.
            let call = self.top.as_ref().and_then(|top| unsafe { top.captured(root) });
            return Taken::Captured(call.unwrap_or(self.place));
        }
        // SAFETY: this function's contract; the word is one of the top frame's code.
        unsafe {
            match &self.top {
                Some(top) => {
                    let own = live_code(top.code());
                    Taken::Running(top.push_frames(root, 1, own.start().add(self.word)))
                }
                None => {
                    (*root).pc = live_code((*root).scope.code).start().add(self.word);
                    Taken::Running(root)
                }
            }
        }
    }
}
