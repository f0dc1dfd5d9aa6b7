//! Running the blocks of trace points.

use abi::{Frame, FrameFlags, Value};
use bytecode::{CallFlags, Kind, Opcode, sequence::Events};
use object::{array::Arr, method_entry, native};
use runtime::{
    Cx, R,
    call::block,
    code::{Code, TracedWord, code},
    frame::FrameId,
    reflect, sym,
    trace::{
        C_CALL, C_RETURN, FIBER_SWITCH, Happening, LEAVING, METHOD_ADDED, METHOD_REMOVED, METHOD_UNDEFINED, RAISE,
        S_CALL, S_RETURN, SCRIPT_COMPILED,
    },
};

use crate::{
    patch,
    point::{Point, State},
    ruby_methods, site,
};

/// The order of the events of one word.
const ORDER: [u32; 12] = [
    S_RETURN,
    C_CALL,
    Events::CALL as u32,
    Events::B_CALL as u32,
    Events::CLASS as u32,
    Events::RESCUE as u32,
    Events::LINE as u32,
    S_CALL,
    Events::B_RETURN as u32,
    Events::RETURN as u32,
    Events::END as u32,
    C_RETURN,
];

const LEAVING_EVENTS: u32 = Events::RETURN as u32 | Events::B_RETURN as u32 | C_RETURN;

/// Fires the events of a traced word, and returns its original opcode. The opcode is read first, because the table of
/// traced words may be another one, or none, once the events have fired.
pub fn traced(cx: &mut Cx, own: &Code, word: usize) -> R<u16> {
    let Some(row) = own.traced_word(word) else { return Ok(own.opcode(word)) };
    if cx.vm().trace_resting != 0 {
        patch::count_rest(cx);
    }
    if !cx.in_trace() && !cx.vm().trace_points.is_nil() {
        fire_row(cx, own, row)?;
    }
    Ok(row.opcode)
}

#[inline(always)]
fn fire_row(cx: &mut Cx, own: &Code, row: TracedWord) -> R<()> {
    let list = cx.vm().trace_points;
    let mut events = row.events;
    if row.opcode == Opcode::ReturnOuter as u16 || row.opcode == Opcode::Break as u16 {
        events &= !(Events::B_RETURN as u32); // The unwinder fires it.
    }
    if cx.frame().flags & FrameFlags::BMETHOD != 0 {
        events |= patch::as_method(events);
    }
    let wanted = events & cx.vm().trace_interest;
    let mut result = None;
    if wanted.is_power_of_two() {
        fire_one(cx, own, list, row, wanted, &mut result)?;
        if cx.vm().trace_points == list {
            return Ok(());
        }
        // The trace points have changed: the following events use the new ones.
        let done = ORDER.iter().position(|event| *event == wanted).unwrap_or(0);
        events = ORDER[done + 1..].iter().fold(0, |later, event| later | events & event);
    }
    for event in ORDER {
        // Trace points that one event sets or removes globally apply to the next event; those set on this code apply
        // later, as in CRuby.
        let list = still_enabled(cx, list);
        if events & event != 0 && !list.is_nil() {
            fire_one(cx, own, list, row, event, &mut result)?;
        }
    }
    Ok(())
}

/// Fires one event of a row. The value that leaves the frame stays what it was before the first event of leaving
/// (`result`), even if the register is that of a local variable and a trace point's block sets the variable.
#[inline(always)]
fn fire_one(cx: &mut Cx, own: &Code, list: Value, row: TracedWord, event: u32, result: &mut Option<Value>) -> R<()> {
    let word = row.word as usize;
    if event & LEAVING_EVENTS == 0 {
        return fire_word(cx, own, list, word, row.line, event);
    }
    let register = own.operands(word).a as usize;
    let value = |cx: &Cx| cx.frames().next().map(|frame| reflect::frame_register(frame, register));
    *result = result.or_else(|| value(cx));
    fire_word(cx, own, list, word, row.line, event)?;
    if let Some(kept) = *result
        && value(cx) != *result
    {
        cx.keep_result(register, kept);
    }
    Ok(())
}

/// The enabled trace points, except those with a target that are not in `before`.
fn still_enabled(cx: &mut Cx, before: Value) -> Value {
    let now = cx.vm().trace_points;
    if now == before || now.is_nil() {
        return now;
    }
    let list = runtime::make::array(cx, &[]);
    let mut i = 0;
    while let Some(p) = Arr::of(now).get(i) {
        i += 1;
        let targeted = native::get::<Point>(&p).is_some_and(|p| p.state == State::Targeted);
        if !targeted || Arr::of(before).contains(p) {
            runtime::make::push(cx, list, p);
        }
    }
    list
}

/// Fires one event of a word.
#[inline]
fn fire_word(cx: &mut Cx, own: &Code, list: Value, word: usize, line: i32, event: u32) -> R<()> {
    if event & (S_CALL | S_RETURN) != 0 {
        return fire_site(cx, own, list, word, line, event);
    }
    let Some(frame) = cx.frames().next() else { return Ok(()) };
    let value = if event & LEAVING_EVENTS != 0 {
        reflect::frame_register(frame, own.operands(word).a as usize)
    } else if event == Events::RESCUE as u32 {
        cx.error_info
    } else {
        Value::NIL
    };
    // Constructed in place, because moving it costs as much as everything else.
    let mut now = Happening::new(event, value, Some(frame), own.own.get());
    now.word = word as u32;
    if own.internal {
        let entry = frame.scope.entry;
        let is_as_ruby = ruby_methods::is_marked(entry);
        // Calls by the Ruby half of a core class are internal.
        if is_as_ruby == (event & (C_CALL | C_RETURN) != 0) || cx.frames().nth(1).is_some_and(is_internal) {
            return Ok(());
        }
        now.word = Happening::NO_WORD;
        place_at_caller(cx, &mut now);
        let native = if event == Events::CALL as u32 { C_CALL } else { C_RETURN };
        if let Some((_, file, line)) = ruby_methods::event_of(cx, entry, native).filter(|_| is_as_ruby) {
            (now.file, now.line) = (Some(file), line);
        }
    }
    let mut i = 0;
    while let Some(p) = Arr::of(list).get(i) {
        i += 1;
        let Some(point) = native::get::<Point>(&p) else { continue };
        if patch::wanted(point, own, line, event) != 0 && (now.file.is_none() || point.filter.is_nil()) {
            run(cx, p, point, &now)?;
        }
    }
    Ok(())
}

/// The running frame.
fn running(cx: &Cx) -> Option<FrameId> {
    cx.frames().next().map(FrameId::of)
}

/// Fires the event of a call on the caller's side.
#[cold]
fn fire_site(cx: &mut Cx, own: &Code, list: Value, word: usize, line: i32, event: u32) -> R<()> {
    let mut now = None;
    let mut i = 0;
    while let Some(p) = Arr::of(list).get(i) {
        i += 1;
        let Some(point) = native::get::<Point>(&p) else { continue };
        if patch::wanted(point, own, line, event) == 0 {
            continue;
        }
        if now.is_none() {
            let Some(frame) = running(cx) else { return Ok(()) };
            now = site::happening(cx, own, frame, word, event);
        }
        // A return without a recorded call fires nothing.
        let Some(now) = &now else { return Ok(()) };
        run(cx, p, point, now)?;
    }
    Ok(())
}

/// Sets the position to the nearest code of the program.
fn place_at_caller(cx: &Cx, now: &mut Happening) {
    now.code = Value::NIL;
    if let Some(frame) = reflect::caller(cx) {
        now.code = frame.scope.code;
        now.line = line_of(frame);
    }
}

/// The line of the call that a frame is making.
fn line_of(frame: &Frame) -> i32 {
    let own = code(&frame.scope.code);
    own.line(own.word_of(frame.pc).saturating_sub(1))
}

/// Fires an event without a word.
pub fn event(cx: &mut Cx, event: u32, value: Value, extra: Value) -> R<()> {
    let list = cx.vm().trace_points;
    if cx.in_trace() || list.is_nil() {
        return Ok(());
    }
    match event {
        LEAVING => return leaving(cx, list, value, extra),
        S_CALL => return operator_call(cx, list, value, extra),
        C_RETURN if cx.frames().next().is_some_and(|top| top.flags & FrameFlags::RETURN_FIRED != 0) => return Ok(()),
        RAISE => return_of_raise(cx)?,
        // Calls by the Ruby half of a core class are internal.
        C_CALL | C_RETURN if cx.frames().nth(1).is_some_and(is_internal) => return Ok(()),
        _ => {}
    }
    let top = cx.frames().next();
    let frame = if event & (C_CALL | C_RETURN | FIBER_SWITCH) != 0 { top } else { reflect::caller(cx).or(top) };
    let mut now = Happening::new(event, value, frame, Value::NIL);
    now.extra = extra;
    place_at_caller(cx, &mut now);
    let entry = cx.frames().next().map_or(Value::NIL, |top| top.scope.entry);
    ruby_methods::report(cx, entry, &mut now);
    let event = now.event;
    if event & (METHOD_ADDED | METHOD_REMOVED | METHOD_UNDEFINED) != 0 {
        now.entry = value;
    }
    if event == RAISE
        && let Some((entry, receiver)) = raising_method(cx)
    {
        (now.entry, now.receiver) = (entry, receiver);
    }
    let mut i = 0;
    while let Some(p) = Arr::of(list).get(i) {
        i += 1;
        let Some(point) = native::get::<Point>(&p) else { continue };
        if point.events & event != 0 && hears(point, &now) {
            run(cx, p, point, &now)?;
        }
    }
    Ok(())
}

/// Whether the frame's call is internal to a Ruby half. Calls of the program's blocks (`&:name`) are not.
fn is_internal(frame: &Frame) -> bool {
    if frame.scope.code.is_nil() {
        return false;
    }
    let own = code(&frame.scope.code);
    if !own.internal || own.parameters.of_symbol {
        return false;
    }
    let Some(word) = own.word_of(frame.pc).checked_sub(1) else { return true };
    // CRuby's methods of Enumerable call `each`, too.
    let is_each = || {
        let site = own.call_at(word);
        site.name == sym::EACH && !site.flags.has(CallFlags::CORE)
    };
    own.instruction(word).op() != Opcode::Yield && !(patch::is_call(own.instruction(word).meant()) && is_each())
}

/// The core method that the program's code has called and that raises, with its receiver. None of those that have ended
/// when their exception is raised.
fn raising_method(cx: &Cx) -> Option<(Value, Value)> {
    let caller = reflect::caller(cx).map(FrameId::of);
    let frame = cx.frames().take_while(|frame| Some(FrameId::of(frame)) != caller).last()?;
    let entry = frame.scope.entry;
    if !entry.is_heap() {
        return None;
    }
    let name = method_entry::original_name(entry);
    let has_ended = matches!(name.bytes(cx), b"raise" | b"fail" | b"method_missing" | b"const_missing");
    (!has_ended).then(|| (entry, reflect::frame_register(frame, 0)))
}

/// Fires the return event of `raise`, which comes before the event of its exception.
fn return_of_raise(cx: &mut Cx) -> R<()> {
    if cx.vm().trace_events & C_RETURN != 0 && is_in_raise(cx) {
        event(cx, C_RETURN, Value::NIL, Value::NIL)?;
        cx.frame_mut().flags |= FrameFlags::RETURN_FIRED;
    }
    Ok(())
}

/// Whether the native method `raise` is running.
fn is_in_raise(cx: &Cx) -> bool {
    let (entry, flags) = (cx.frame().scope.entry, cx.frame().flags);
    flags & FrameFlags::NATIVE != 0
        && !entry.is_nil()
        && matches!(method_entry::original_name(entry).to_text(cx).as_str(), "raise" | "fail")
}

/// Whether the point listens to an event without a word that occurs in the code of `now`.
fn hears(point: &Point, now: &Happening) -> bool {
    let place = if now.event == SCRIPT_COMPILED { now.value } else { now.code };
    let is_here = || now.file.is_none() && !place.is_nil() && point.listens_to(code(&place));
    point.state == State::Global && (point.filter.is_nil() || is_here())
}

/// An operator that calls a method: its word has no call event, because it may not need a call.
fn operator_call(cx: &mut Cx, list: Value, window: Value, call: Value) -> R<()> {
    let Some(frame) = cx.frames().next() else { return Ok(()) };
    let (id, body, pc) = (FrameId::of(frame), frame.scope.code, frame.pc);
    let own = code(&body);
    let mut i = 0;
    let mut now = None;
    while let Some(p) = Arr::of(list).get(i) {
        i += 1;
        let Some(point) = native::get::<Point>(&p) else { continue };
        if point.events & S_CALL == 0 || own.internal {
            continue;
        }
        let word = own.word_of(pc).saturating_sub(2);
        if patch::wanted(point, own, own.line(word), S_CALL) != 0 {
            now = now.or_else(|| site::operator(cx, own, id, window, call, word));
            let Some(now) = &now else { return Ok(()) };
            run(cx, p, point, now)?;
        }
    }
    Ok(())
}

/// Fires the events of a frame of traced code that unwinding leaves.
fn leaving(cx: &mut Cx, list: Value, value: Value, breaking: Value) -> R<()> {
    let Some(frame) = cx.frames().next() else { return Ok(()) };
    let (body, flags, line, entry) = (frame.scope.code, frame.flags, line_of(frame), frame.scope.entry);
    let own = code(&body);
    let is_block = matches!(own.kind, Kind::Block | Kind::Lambda);
    let value = if breaking.truthy() && !is_block { Value::NIL } else { value };
    let event = match own.kind {
        Kind::Method if own.internal => C_RETURN,
        _ if own.internal => return Ok(()),
        Kind::Method => Events::RETURN as u32,
        Kind::Block | Kind::Lambda => Events::B_RETURN as u32,
        Kind::Class => Events::END as u32,
        _ => return Ok(()),
    };
    let events = if flags & FrameFlags::BMETHOD != 0 { event | patch::as_method(event) } else { event };
    for event in ORDER.into_iter().filter(|event| events & event != 0) {
        let mut now = Happening::new(event, value, cx.frames().next(), own.own.get());
        now.line = line;
        if own.internal {
            place_at_caller(cx, &mut now);
            ruby_methods::report(cx, entry, &mut now);
        }
        let event = now.event;
        let mut i = 0;
        while let Some(p) = Arr::of(list).get(i) {
            i += 1;
            let Some(point) = native::get::<Point>(&p) else { continue };
            if point.line == 0 && patch::wanted(point, own, 0, event) != 0 {
                run(cx, p, point, &now)?;
            }
        }
    }
    Ok(())
}

/// Whether the running method is that of an entry. Methods with the same block have the same code.
fn is_of(cx: &Cx, method: Value) -> bool {
    let entry = cx.frame().scope.entry;
    let names = |entry: Value| (method_entry::owner(entry), method_entry::original_name(entry));
    entry.is_heap() && names(entry) == names(method)
}

/// Runs one trace point's block.
#[inline]
fn run(cx: &mut Cx, p: Value, point: &Point, now: &Happening) -> R<()> {
    if point.ractor != cx.ractor || !point.thread.is_nil() && point.thread != cx.thread {
        return Ok(());
    }
    if !point.method.is_nil() && now.event & ruby_methods::EVENTS != 0 && !is_of(cx, point.method) {
        return Ok(());
    }
    let block = point.block;
    let error_info = cx.error_info;
    // A core method's call is reported from its caller: backtraces do not contain it yet, or no longer.
    // An exception's event comes after the return of `raise`.
    let is_outside = now.event & (C_CALL | C_RETURN) != 0 || now.event == RAISE && is_in_raise(cx);
    if is_outside {
        cx.frame_mut().flags |= FrameFlags::HIDDEN;
    }
    let result = cx.with_happening(Some(now), |cx| block::call_hook(cx, block, p));
    if is_outside {
        cx.frame_mut().flags &= !FrameFlags::HIDDEN;
    }
    result?;
    cx.error_info = error_info;
    Ok(())
}
