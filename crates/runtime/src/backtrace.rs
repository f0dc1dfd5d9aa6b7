//! Backtraces: the positions of all frames, whose text is made only when it is needed.

use std::{ops::Deref, sync::Arc};

use abi::{Frame, FrameFlags, Value};
use bytecode::{Opcode, sequence::Events};
use heap::Trace;
use object::{
    Known, class,
    class::{ancestors, lookup},
    method_entry,
    native::{self, NativeData},
    shape::ivars,
};
use smallvec::SmallVec;

use crate::{
    Cx,
    code::{Code, code},
    inherited, method_table, naming, reflect,
    state::frame_id::FrameId,
    sym,
};

/// One frame's place in the program.
#[derive(Trace, PartialEq, Eq)]
pub struct Location {
    /// The sequence, or that of the nearest Ruby frame for a native method.
    pub code: Value,
    pub word: u32,
    /// The method's entry, or nil.
    pub entry: Value,
    pub native: bool,
}

/// A list of frames. It allocates only for several: programs ask for one more often, that of their caller.
#[derive(Trace)]
enum Frames {
    One(Location),
    Several(Vec<Location>),
}

impl Deref for Frames {
    type Target = [Location];

    fn deref(&self) -> &[Location] {
        match self {
            Frames::One(one) => std::slice::from_ref(one),
            Frames::Several(list) => list,
        }
    }
}

/// The frames at one moment, innermost first.
#[derive(Trace)]
pub struct Backtrace {
    /// The inner frames; without `outer` all frames.
    inner: Frames,
    /// A backtrace that the frames behind `inner` are shared with, or nil: those that it shows from `shared_from` on.
    outer: Value,
    shared_from: usize,
    /// The number of backtraces that share frames in turn.
    links: usize,
}

/// Fewer frames are not shared: a short backtrace is cheaper than finding out.
const LEAST_SHARED: usize = 64;

/// More backtraces do not share their frames in turn, because finding a frame takes a step for each.
const MOST_LINKS: usize = 64;

impl Backtrace {
    fn of(inner: Frames) -> Backtrace {
        Backtrace { inner, outer: Value::NIL, shared_from: 0, links: 0 }
    }

    /// The same frames; those that it has in common with another backtrace, if they are many, are kept only there.
    fn share_with(mut self, outer: Value) -> Backtrace {
        let Some(shared) = native::get::<Backtrace>(&outer).filter(|shared| shared.links < MOST_LINKS) else {
            return self;
        };
        let (own, others) = (self.inner.len(), shared.len());
        let most = own.min(others);
        let pairs = self.inner[own - most..].iter().zip(shared.locations().skip(others - most));
        let common = pairs.fold(0, |common, (a, b)| if a == b { common + 1 } else { 0 });
        if common < LEAST_SHARED {
            return self;
        }
        let mut inner = memory::with_capacity(own - common);
        if let Frames::Several(list) = &mut self.inner {
            inner.extend(list.drain(..own - common));
        }
        Backtrace { inner: Frames::Several(inner), outer, shared_from: others - common, links: shared.links + 1 }
    }

    /// The frames, innermost first.
    pub fn locations(&self) -> impl Iterator<Item = &Location> {
        let (mut part, mut at) = (self, 0);
        std::iter::from_fn(move || {
            (part, at) = part.part_with(at)?;
            at += 1;
            Some(&part.inner[at - 1])
        })
    }

    pub fn get(&self, index: usize) -> Option<&Location> {
        let (part, at) = self.part_with(index)?;
        Some(&part.inner[at])
    }

    /// The backtrace that keeps a frame, and the frame's index there.
    fn part_with(&self, index: usize) -> Option<(&Backtrace, usize)> {
        let (mut part, mut at) = (self, index);
        while at >= part.inner.len() {
            at = at - part.inner.len() + part.shared_from;
            part = native::get::<Backtrace>(&part.outer)?;
        }
        Some((part, at))
    }

    pub fn len(&self) -> usize {
        let outer = native::get::<Backtrace>(&self.outer).map_or(0, |outer| outer.len() - self.shared_from);
        self.inner.len() + outer
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl NativeData for Backtrace {
    object::one_vtable!(Backtrace);

    fn memsize(&self) -> usize {
        match &self.inner {
            Frames::One(_) => 0,
            Frames::Several(list) => list.capacity() * std::mem::size_of::<Location>(),
        }
    }

    /// The backtraces of exceptions that are rescued deep in a recursion take up much memory.
    fn held_outside(&self) -> usize {
        self.memsize()
    }

    fn sharing(&self) -> object::native::Sharing {
        object::native::Sharing::Always
    }
}

/// The word of a frame that has not begun because its arguments are wrong: its position is that of the definition.
pub const NOT_BEGUN: u32 = u32::MAX;

/// The word of a frame that control is leaving at the end of its body, while a trace point handles that event: the line
/// is the last one of the body.
pub const AT_END: u32 = u32::MAX - 1;

/// Word of the instruction that a frame is executing.
pub(crate) fn current_word(code: &Code, frame: &Frame) -> u32 {
    code.executing(frame.pc).map_or(NOT_BEGUN, |word| word as u32)
}

/// A list with an item for each frame. It allocates only for deep stacks, because programs raise often.
type Few<T> = SmallVec<[T; 24]>;

/// The running frames but the first `skip`, at most `limit`, as an object.
pub fn capture(cx: &mut Cx, skip: usize, limit: usize) -> Value {
    let inner = running(cx, skip, limit);
    object(cx, Backtrace::of(inner))
}

/// The running frame after the first `skip`.
pub fn location(cx: &Cx, skip: usize) -> Option<Location> {
    match running(cx, skip, 1) {
        Frames::One(location) => Some(location),
        Frames::Several(list) => list.into_iter().next(),
    }
}

/// The running frames but the first `skip`, for an exception. It shares the outer frames with the exception that is
/// being handled: in a recursion through `rescue`, each exception has the frames of the one before and a few more.
pub fn capture_for_exception(cx: &mut Cx, skip: usize) -> Value {
    let inner = running(cx, skip, usize::MAX);
    let handled = cx.error_info;
    let outer = if handled.is_heap() { ivars::get(cx, handled, sym::MEMO_LOCATIONS) } else { Value::NIL };
    let made = Backtrace::of(inner).share_with(outer);
    object(cx, made)
}

/// Removes the innermost frame of a backtrace; `false` if it must be captured again without it.
pub fn drop_innermost(cx: &mut Cx, backtrace: Value) -> bool {
    let inner = native::get_mut::<Backtrace>(cx, backtrace).map(|backtrace| &mut backtrace.inner);
    let Some(Frames::Several(list)) = inner.filter(|list| list.len() > 1) else { return false };
    list.remove(0);
    true
}

fn running(cx: &Cx, skip: usize, limit: usize) -> Frames {
    let mut frames: Few<&Frame> = Few::new();
    let mut places = Few::new();
    shown_places(cx, cx.frames().inspect(|frame| frames.push(frame)), skip, limit, &mut places);
    locate(cx, &frames, &places, skip, limit)
}

/// How many running frames a backtrace shows, up to `most` of them.
pub fn depth(cx: &Cx, skip: usize, most: usize) -> usize {
    let mut places = Few::new();
    shown_places(cx, cx.frames(), skip, most, &mut places);
    places.len().saturating_sub(skip).min(most)
}

/// Like `capture`, for the frames returned by `frames`, which may belong to another fiber or thread.
pub fn capture_of(cx: &mut Cx, skip: usize, limit: usize, frames: impl FnOnce(&Cx) -> Vec<&Frame>) -> Value {
    let frames = frames(cx);
    let mut places = Few::new();
    shown_places(cx, frames.iter().copied(), skip, limit, &mut places);
    let inner = locate(cx, &frames, &places, skip, limit);
    object(cx, Backtrace::of(inner))
}

/// The locations of the frames at `places`: at most `limit` of them after the first `skip`.
fn locate(cx: &Cx, frames: &[&Frame], places: &[Place], skip: usize, limit: usize) -> Frames {
    let ended = ended_frame(cx);
    let location = |&Place { frame: i, shown }: &Place| {
        let frame = frames[i];
        let native = is_core(frame) || shown != Shown::Frame;
        // The Ruby half of a core method counts as native: it is shown with the position of its caller.
        // So is `new`, whose `initialize` is the frame.
        let from = i + usize::from(matches!(shown, Shown::New | Shown::PublicSend));
        let visible = if native { frames[from..].iter().find(|f| is_visible_code(f)) } else { Some(&frames[i]) };
        let (place, word) = match visible {
            Some(f) if ended == Some(FrameId::of(f)) => (f.scope.code, AT_END),
            Some(f) => (f.scope.code, current_word(code(&f.scope.code), f)),
            None => (Value::NIL, 0),
        };
        Location { code: place, word, entry: shown.entry(cx, frame), native }
    };
    let places = places.get(skip..).unwrap_or_default();
    match &places[..places.len().min(limit)] {
        [one] => Frames::One(location(one)),
        several => {
            let mut list = memory::with_capacity(several.len());
            list.extend(several.iter().map(location));
            Frames::Several(list)
        }
    }
}

/// A line of a backtrace: the number of its frame.
#[derive(Clone, Copy)]
struct Place {
    frame: usize,
    shown: Shown,
}

/// What a line shows of its frame.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Frame,
    /// The `each` that CRuby's method calls, and Beni's does without.
    Each,
    /// The method that the frame's method stands for.
    Inherited,
    /// The `new` that calls the frame's `initialize`.
    New,
    /// `Struct#initialize`, which the frame's `new` does without.
    Initialize,
    /// The `public_send` that calls the frame's method and has no frame of its own.
    PublicSend,
}

impl Shown {
    /// The entry that names the line.
    fn entry(self, cx: &Cx, frame: &Frame) -> Value {
        let entry = frame.scope.entry;
        let named = match self {
            Shown::Frame => return entry,
            Shown::Inherited => return inherited::original(entry),
            Shown::Each => lookup::own_method(method_entry::owner(entry), sym::EACH),
            Shown::New => inherited::own_new(cx, reflect::frame_self(frame))
                .unwrap_or_else(|| lookup::own_method(cx.class(Known::Class), sym::NEW)),
            Shown::Initialize => lookup::own_method(cx.class(Known::Struct), sym::INITIALIZE),
            Shown::PublicSend => public_send(cx, frame).unwrap_or(Value::UNDEF),
        };
        if named.is_undef() { entry } else { named }
    }
}

/// The frame whose body has run to its end, if a trace point is handling that event.
fn ended_frame(cx: &Cx) -> Option<FrameId> {
    const ENDS: u32 = (Events::RETURN | Events::B_RETURN | Events::END) as u32;
    let now = cx.happening().filter(|now| now.event & ENDS != 0 && !now.code.is_nil())?;
    if now.line() == code(&now.code).last_line { now.frame } else { None }
}

fn object(cx: &mut Cx, made: Backtrace) -> Value {
    let class = cx.class(Known::Internal);
    native::new(cx, class, Box::new(made))
}

/// The frames of the lines of `capture`, in its order; and whether a line is that of a core method, although its frame
/// may be the program's `initialize`.
pub fn shown_frames(cx: &Cx) -> Vec<(FrameId, bool)> {
    let mut frames: Vec<&Frame> = Vec::new();
    let mut places = Few::new();
    shown_places(cx, cx.frames().inspect(|frame| frames.push(frame)), 0, usize::MAX, &mut places);
    let shown = places.into_iter().map(|Place { frame, shown }| (frames[frame], shown != Shown::Frame));
    shown.map(|(frame, stands_for_core)| (FrameId::of(frame), stands_for_core || is_core(frame))).collect()
}

/// Adds the frames that have a line in backtraces to `places`, an empty list that is not worth moving. Methods called
/// by a helper of a core method have none: they are part of that method. Those that run a block of the helper, such as
/// `each`, have one. The innermost `skip` frames are all included, and dropped afterwards. The search ends at the frame
/// of the program that completes `limit` more.
fn shown_places<'a>(
    cx: &Cx,
    frames: impl Iterator<Item = &'a Frame>,
    skip: usize,
    limit: usize,
    places: &mut Few<Place>,
) {
    // The start of the frames of core methods above the last frame of the program.
    let mut core = 0;
    let mut runs_block_of_helper = false;
    let mut above: Option<&Frame> = None;
    let mut operator = false;
    let mut called: Option<&Frame> = None;
    for (i, frame) in frames.enumerate() {
        if called.replace(frame).is_some_and(|called| calls_publicly(cx, frame, called)) {
            places.push(Place { frame: i - 1, shown: Shown::PublicSend });
        }
        if std::mem::take(&mut operator) && runs_operator(frame) && places.len() > skip {
            places.pop();
        }
        let is_native = frame.flags & FrameFlags::NATIVE != 0;
        let is_inner = !is_native && internal_inner(frame);
        if is_inner && is_helper(cx, frame) {
            places.truncate(core.max(skip.min(places.len())));
            runs_block_of_helper = true;
        }
        let hidden = is_inner || frame.flags & FrameFlags::HIDDEN != 0 || is_native && is_call_of_proc(frame);
        if hidden || (is_native && frame.scope.entry.is_nil()) {
            continue;
        }
        if !is_core(frame) {
            places.push(Place { frame: i, shown: Shown::Frame });
            if shows_new(cx, frame) {
                places.push(Place { frame: i, shown: Shown::New });
            }
            above = Some(frame);
            runs_block_of_helper = false;
            core = places.len();
            if core >= skip.saturating_add(limit) {
                break;
            }
        } else if is_helper(cx, frame) {
            // Enumerator#with_index and others call the method that the Enumerator is for, which has a line.
            if !is_iteration(cx, frame) {
                if runs_block_of_helper {
                    core = places.len();
                }
                places.truncate(core.max(skip.min(places.len())));
            }
            runs_block_of_helper = false;
        } else {
            if inherited::is_inherited(cx, frame.scope.entry) {
                if above.is_some_and(|above| is_passed_on(frame, above)) {
                    continue;
                }
                if calls_each(cx, frame, above) {
                    places.push(Place { frame: i, shown: Shown::Each });
                }
                places.push(Place { frame: i, shown: Shown::Inherited });
            } else if inherited::makes_struct(cx, frame.scope.entry) {
                // An `initialize` of the program, which runs above, has a line.
                if above.is_none_or(|above| !is_initialize(above)) {
                    places.push(Place { frame: i, shown: Shown::Initialize });
                }
                if !frame.scope.block.is_none() {
                    places.push(Place { frame: i, shown: Shown::New });
                }
            } else {
                places.push(Place { frame: i, shown: Shown::Frame });
                operator = is_native && is_operator_method(cx, frame);
            }
            if shows_new(cx, frame) {
                places.push(Place { frame: i, shown: Shown::New });
            }
            above = Some(frame);
        }
    }
}

/// Whether `frame` has called the method of the frame above it by `public_send`.
fn calls_publicly(cx: &Cx, frame: &Frame, called: &Frame) -> bool {
    if frame.flags & FrameFlags::NATIVE != 0 {
        return false;
    }
    let code = code(&frame.scope.code);
    let sends_publicly = code.rare.as_ref().is_some_and(|rare| rare.sends_publicly);
    if !sends_publicly || code.executing(frame.pc).is_none() {
        return false;
    }
    let word = code.word_before(frame.pc);
    if !matches!(code.instruction(word).meant(), Opcode::Call | Opcode::CallBlock | Opcode::CallComplex) {
        return false;
    }
    // The program's own, and the conversion of a block's argument. A block has no entry.
    let entry = called.scope.entry;
    let is_other = entry.is_heap() && [sym::PUBLIC_SEND, sym::TO_PROC].contains(&method_entry::original_name(entry));
    code.call_at(word).name == sym::PUBLIC_SEND && !is_other && public_send(cx, called).is_some()
}

/// The core's `public_send` of the receiver of a frame; `None` if the program has one of its own.
fn public_send(cx: &Cx, frame: &Frame) -> Option<Value> {
    let class = class::class_of(cx, reflect::frame_self(frame));
    let mut entries = ancestors::each(class).map(|place| lookup::own_method(place, sym::PUBLIC_SEND));
    let entry = entries.find(|entry| !entry.is_undef())?;
    is_native_with(entry, method_table::Special::PublicSend).then_some(entry)
}

fn is_native_with(entry: Value, special: method_table::Special) -> bool {
    entry.is_heap()
        && method_entry::kind(entry) == method_entry::Kind::Native
        && method_table::row(entry).special == special
}

/// Whether a `new` that calls the method of the frame has a line. CRuby has no frame of a Class#new that was called by
/// its name without a block.
fn shows_new(cx: &Cx, frame: &Frame) -> bool {
    let is_called_by_new = frame.flags & FrameFlags::RECEIVER_RESULT != 0;
    is_called_by_new
        && (!frame.scope.block.is_none()
            || frame.flags & FrameFlags::SHOWS_NEW != 0
            || inherited::own_new(cx, reflect::frame_self(frame)).is_some())
}

fn is_initialize(frame: &Frame) -> bool {
    let entry = frame.scope.entry;
    entry.is_heap() && method_entry::original_name(entry) == sym::INITIALIZE
}

/// Whether the method that a frame's method stands for runs in the frame above, so that it has a line already.
fn is_passed_on(frame: &Frame, above: &Frame) -> bool {
    let (original, above) = (inherited::original(frame.scope.entry), above.scope.entry);
    above.is_heap()
        && method_entry::owner(above) == method_entry::owner(original)
        && method_entry::original_name(above) == method_entry::original_name(original)
}

/// Whether CRuby runs what is called by an inherited method within `each`.
fn calls_each(cx: &Cx, frame: &Frame, above: Option<&Frame>) -> bool {
    let Some(above) = above else { return false };
    let is_block = !is_core(above) && code(&above.scope.code).block_depth > 0;
    match method_entry::original_name(frame.scope.entry).bytes(cx) {
        // With the name of a method, they go through an Array's elements themselves.
        b"inject" | b"reduce" => is_block,
        // It goes through a Hash's entries itself.
        b"sum" => method_entry::owner(frame.scope.entry) != cx.class(Known::Hash),
        // It compares afterwards.
        b"sort_by" => is_block || above.scope.entry.is_nil() || !is_comparison(above),
        _ => true,
    }
}

/// Whether the frame is that of a method that CRuby's operators do without.
fn is_operator_method(cx: &Cx, frame: &Frame) -> bool {
    let argument = if frame.registers > 1 { reflect::frame_register(frame, 1) } else { Value::NIL };
    inherited::is_operator(cx, frame.scope.entry, reflect::frame_self(frame), argument)
}

/// Whether the frame is carrying out an operator.
fn runs_operator(frame: &Frame) -> bool {
    if frame.flags & FrameFlags::NATIVE != 0 || frame.scope.code.is_nil() {
        return false;
    }
    let code = code(&frame.scope.code);
    let Some(last) = code.executing(frame.pc) else { return false };
    let is_extended = code.instruction(last).op() == Opcode::Extension && last > 0;
    matches!(
        code.instruction(if is_extended { last - 1 } else { last }).op(),
        Opcode::ShiftLeft
            | Opcode::ShiftLeftLiteral
            | Opcode::ShiftLeftInt
            | Opcode::Index
            | Opcode::IndexLiteral
            | Opcode::IndexSet
            | Opcode::IndexSetLiteral
    )
}

fn is_comparison(frame: &Frame) -> bool {
    method_entry::original_name(frame.scope.entry) == sym::COMPARE
}

/// Proc#call never has a line, neither here nor in CRuby, and most procs run without its frame.
fn is_call_of_proc(frame: &Frame) -> bool {
    is_native_with(frame.scope.entry, method_table::Special::ProcCall)
}

/// Whether the frame is that of a core method, native or in Ruby.
fn is_core(frame: &Frame) -> bool {
    frame.flags & FrameFlags::NATIVE != 0 || code(&frame.scope.code).internal
}

/// A helper that a core method's Ruby half calls (`__name`).
pub(crate) fn is_helper(cx: &Cx, frame: &Frame) -> bool {
    let entry = frame.scope.entry;
    entry.is_heap() && method_entry::original_name(entry).bytes(cx).starts_with(b"__")
}

/// Whether the frame of a helper is that by which an Enumerator's methods iterate.
fn is_iteration(cx: &Cx, helper: &Frame) -> bool {
    method_entry::original_name(helper.scope.entry).bytes(cx) == b"__iterate"
}

pub(crate) fn is_visible_code(frame: &Frame) -> bool {
    frame.flags & FrameFlags::NATIVE == 0 && !frame.scope.code.is_nil() && !code(&frame.scope.code).internal
}

/// A block inside the Ruby half of a core method.
pub(crate) fn internal_inner(frame: &Frame) -> bool {
    let code = code(&frame.scope.code);
    code.internal && (code.block_depth > 0 || code.kind != bytecode::Kind::Method)
}

impl Location {
    /// Whether Ruby code runs or called the method. None has called `require` for the option `-r`.
    pub fn has_code(&self) -> bool {
        !self.code.is_nil()
    }

    pub fn path(&self) -> &str {
        if self.code.is_nil() { "<internal:beni>" } else { &code(&self.code).source.path }
    }

    pub fn real_path(&self) -> Option<&str> {
        if self.code.is_nil() { None } else { code(&self.code).source.real_path() }
    }

    pub fn absolute_path(&self) -> Option<&str> {
        if self.code.is_nil() { None } else { code(&self.code).source.absolute_path.as_deref() }
    }

    pub fn line(&self) -> i32 {
        match self.word {
            _ if self.code.is_nil() => 0,
            NOT_BEGUN => code(&self.code).first_line,
            AT_END => code(&self.code).last_line,
            word => code(&self.code).line(word as usize),
        }
    }

    /// "Foo#bar", "block in Foo.bar", "<main>".
    pub fn label(&self, cx: &mut Cx) -> String {
        let mut label = String::new();
        self.append_label(cx, &mut label);
        label
    }

    fn append_label(&self, cx: &mut Cx, out: &mut String) {
        if self.native {
            return append_qualified_name(cx, self.entry, out);
        }
        let code = code(&self.code);
        let is_class_body = code.kind == bytecode::Kind::Class;
        let by_block = !self.entry.is_nil() && is_defined_by_block(self.entry);
        if self.entry.is_nil() || is_class_body || by_block && !code.is_in_method() {
            return code.append_label(out);
        }
        code.append_depth(out);
        if by_block {
            append_owner(cx, self.entry, out);
            memory::append_text(out, &code.name);
        } else {
            append_qualified_name(cx, self.entry, out);
        }
    }

    pub fn base_label(&self, cx: &mut Cx) -> String {
        if self.native || !self.entry.is_nil() && !is_defined_by_block(self.entry) {
            return if self.entry.is_nil() {
                String::new()
            } else {
                method_entry::original_name(self.entry).to_text(cx)
            };
        }
        code(&self.code).name.to_string()
    }

    /// "file:line:in 'label'"
    pub fn text(&self, cx: &mut Cx) -> String {
        let mut text = String::new();
        self.append_to(cx, &mut text);
        text
    }

    fn append_to(&self, cx: &mut Cx, out: &mut String) {
        match self.has_code() {
            true => memory::append_text(out, self.path()),
            false => memory::append_text(out, &cx.vm().options.script_name),
        }
        match self.line() {
            0 => {}
            line => memory::append_formatted(out, format_args!(":{line}")),
        }
        memory::append_text(out, ":in '");
        self.append_label(cx, out);
        memory::append_text(out, "'");
    }
}

/// "Integer#+", "Foo.bar", or the bare name if the owner has none.
pub fn qualified_name(cx: &mut Cx, entry: Value) -> String {
    let mut name = String::new();
    append_qualified_name(cx, entry, &mut name);
    name
}

fn append_qualified_name(cx: &mut Cx, entry: Value, out: &mut String) {
    if !entry.is_nil() {
        append_owner(cx, entry, out);
        memory::append_lossy(out, method_entry::original_name(entry).bytes(cx));
    }
}

/// Whether a block defines the method. Frames of such methods are named as the block is.
pub(crate) fn is_defined_by_block(entry: Value) -> bool {
    method_entry::kind(entry) == method_entry::Kind::Block
}

/// Appends the name of the method's owner and the sign between the two, if the owner can be reached by its name.
fn append_owner(cx: &mut Cx, entry: Value, out: &mut String) {
    let owner = method_entry::owner(entry);
    let data = class::class_data(cx, owner);
    let (is_singleton, attached) = (data.flags.singleton, data.attached);
    let named = if is_singleton { attached } else { owner };
    if !class::is_module(named) {
        return;
    }
    let data = class::class_data(cx, named);
    if data.name.is_nil() || data.temporary_name && !data.flags.refinement {
        return;
    }
    naming::append_class_name(cx, named, out);
    memory::append_text(out, if is_singleton { "." } else { "#" });
}

/// The backtrace object's lines as an array of Strings.
pub fn to_array(cx: &mut Cx, backtrace: Value) -> Value {
    let result = crate::make::array(cx, &[]);
    let Some(trace) = native::get::<Backtrace>(&backtrace) else { return result };
    let mut text = String::new();
    for location in trace.locations() {
        text.clear();
        location.append_to(cx, &mut text);
        let line = crate::make::text(cx, &text);
        crate::make::push(cx, result, line);
    }
    // The collector sees only the object, not the box that the loop reads: the reference must stay on the stack until
    // here.
    std::hint::black_box(backtrace);
    result
}

/// File and line of the nearest Ruby frame.
pub fn caller_position(cx: &Cx) -> Option<(String, i32)> {
    let frame = cx.frames().find(|f| is_visible_code(f))?;
    let code = code(&frame.scope.code);
    Some((code.source.path.clone(), code.line(current_word(code, frame) as usize)))
}

/// The source that the nearest Ruby frame runs.
pub fn caller_source(cx: &Cx) -> Option<Arc<crate::code::Source>> {
    let frame = cx.frames().find(|f| is_visible_code(f))?;
    Some(code(&frame.scope.code).source.clone())
}
